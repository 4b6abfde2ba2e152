// Made from picture.py by frontend/picture_types.py (make frontend): change it there.

/** The event times of a batch's rows, and the watermark it ran with; empty if none is set. */
export interface Times {
  min?: number | null;
  avg?: number | null;
  max?: number | null;
  watermark?: number | null;
}

/** The state that an operator held after a batch, in rows and bytes. */
export interface Operator {
  operator: string;
  total: number;
  updated: number;
  removed: number;
  bytes: number;
  late: number;
}

/** A micro-batch; :func:`drawn_batch` says what each part is. A lane is [start, end, latest]. */
export interface Batch {
  at: number;
  ms: number;
  phases: Record<string, number>;
  rows: number;
  out: number | null;
  arriving: number;
  processed: number;
  event: Times;
  state: Operator[];
  late: number | null;
  lanes: Record<string, [number | null, number, number | null]>;
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

/** The picture of StreamView; :func:`drawn` says what each part is. */
export interface Picture {
  name: string;
  sources: string[];
  sink: string;
  standing: string;
  words: string;
  message: string;
  reason: string;
  advice: string;
  trigger: Pace;
  batches: Record<string, Batch>;
  lanes: Record<string, Lane>;
  more_lanes: number;
  unread: string[];
  custom: Record<string, Record<string, number>>;
  notes: Record<string, string>;
  marks: Mark[];
  queries: string[];
  query: string;
}
