// Made from picture.py by frontend/picture_types.py (make frontend): change it there.

/** A geofence as it is drawn: ``ring`` is its outline in kilometres, east, north, east, north… */
export interface Fence {
  name: string;
  letter: string;
  ring: number[];
}

/** The trucks on the map, one row each: "523401 134050 71 183 3 0". */
export interface Picture {
  title: string;
  ids: string[];
  rows: string[];
  fences: Fence[];
  unplaced: number;
  at: number | null;
}
