// Made from picture.py by frontend/picture_types.py (make frontend): change it there.

/** The reason why the cluster could not be looked at, and of when the picture is. */
export interface Fault {
  text: string;
  at: number | null;
}

/** The extras of few records: the producer of their transaction, a codec, their batch's first offset. */
export interface More {
  tx?: number;
  codec?: string;
  batch?: number;
  appended?: boolean;
}

/**  */
export interface Beginning {
  from: number;
}

/** Records of a partition. An offset without a cell holds none; ``blank``: stretches that were not recorded. */
export interface Tail {
  from: number;
  to: number;
  cells: ([number, "r" | "t" | "c" | "a" | "x" | "u", string, number, string | null, string | null, number | null, number, ([string, string | null])[] | null, More | null])[];
  blank?: [number, number][];
}

/** The log of a partition; None where an offset is not known. ``stable``: an open transaction begins there. */
export interface Lane {
  leader: number | null;
  epoch: number | null;
  alive: boolean;
  start: number | null;
  high: number | null;
  end: number | null;
  stable: number | null;
  isr: number[];
  replicas: number[];
}

/** A group's committed offset in a partition, and which of its members holds it. */
export interface GroupLane {
  committed: number | null;
  member: string | null;
}

/** The picture of LogView, by partition; ``positions``: a consumer's name → where it reads next. */
export interface Picture {
  topic: string;
  looked: boolean;
  found: boolean;
  at: number | null;
  error: Fault | null;
  recorded: boolean;
  lanes: Record<string, Lane>;
  tails: Record<string, Tail>;
  groups: Record<string, Record<string, GroupLane>>;
  positions: Record<string, Record<string, number>>;
}
