// Made from picture.py by frontend/picture_types.py (make frontend): change it there.

/** A geofence as it is drawn: ``ring`` is its outline in kilometres, east, north, east, north… */
export interface Fence {
  name: string;
  letter: string;
  ring: number[];
}

/** The trucks on the map; ``rows`` is base64 of a few bytes for each of ``ids``. */
export interface Picture {
  title: string;
  ids: string[];
  rows: string;
  fences: Fence[];
  unplaced: number;
  at: number | null;
}
