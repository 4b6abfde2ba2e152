// Made from picture.py by frontend/picture_types.py (make frontend): change it there.

/** The number of ids that go each way. */
export interface Flow {
  kept: number;
  lost: number;
  unsure_seen: number;
  unsure_gone: number;
  strangers: number;
}

/** A kind of records in words. */
export interface Kind {
  sign: string;
  word: string;
  means: string;
}

/** A sentence, and what it is about: a kind, ``kept`` or ``open``. */
export interface Said {
  kind: string;
  sign: string;
  text: string;
}

/** The picture of LedgerView. ``moving``: it changed a moment ago, so records not seen yet may still be. */
export interface Picture {
  topic: string;
  counts: Record<string, number>;
  ids: Record<string, string[]>;
  kinds: Record<string, Kind>;
  flow: Flow;
  said: Said[];
  verdict: string;
  live: boolean;
  moving: boolean;
}
