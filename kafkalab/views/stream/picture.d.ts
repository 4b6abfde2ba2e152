// Made from picture.py by frontend/picture_types.py (make frontend): change it there.

/** The event times of a batch's rows, and the watermark it ran with; None for what is not known. */
export interface Times {
  min: number | null;
  avg: number | null;
  max: number | null;
  watermark: number | null;
}

/** The state that an operator held after a batch, in rows and bytes; ``late``: rows that came too late for it. */
export interface Operator {
  operator: string;
  total: number;
  updated: number;
  removed: number;
  bytes: number;
  late: number;
}

/** The part of a lane that a batch read, and the newest offset there; None for what the source does not tell. */
export interface Offsets {
  start: number | null;
  end: number;
  latest: number | null;
}

/** A micro-batch. */
export interface Batch {
  at: number;
  ms: number;
  phases: Record<string, number>;
  rows: number;
  out: number | null;
  arriving: number;
  processed: number;
  event: Times | null;
  state: Operator[];
  late: number | null;
  lanes: Record<string, Offsets>;
  idle: boolean;
  behind: number | null;
}

/** A partition that the query reads, from its first, second… source. */
export interface Lane {
  source: number;
  topic: string;
  partition: number;
}

/** The query's trigger. */
export interface Pace {
  kind: string;
  every_ms: number | null;
  words: string;
}

/** A moment to be marked, a Unix time. */
export interface Mark {
  at: number;
  words: string;
}

/** The picture of StreamView. */
export interface Picture {
  name: string;
  sources: string[];
  sink: string;
  standing: "starting" | "running" | "stopped" | "failed" | "recorded";
  words: string;
  message: string;
  reason: string;
  advice: string;
  trigger: Pace;
  batches: Record<string, Batch>;
  lanes: Record<string, Lane>;
  more_lanes: number;
  unread: string[];
  notes: Record<string, string>;
  marks: Mark[];
  queries: string[];
  query: string;
}
