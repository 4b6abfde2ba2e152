// Made from picture.py by frontend/picture_types.py (make frontend): change it there.

/** An error that the producer was told, and how often. */
export interface Told {
  error: string;
  said: string;
  times: number;
}

/** A stretch of time in which records were sent. */
export interface Spell {
  name: string;
  sent: number;
  acknowledged: number;
  lost: number;
  errors: Told[];
}

/** A setting, and what became of the records sent with it; None where nothing was counted yet. */
export interface Cell {
  acks: string;
  min_insync: number;
  brokers_up: number;
  fault: string;
  state: string;
  verdict: "kept" | "lost" | "refused" | "running" | "not run" | "not possible";
  sign: string;
  said: string;
  sent: number | null;
  acknowledged: number | null;
  refused: number | null;
  seen: number | null;
  lost: number | null;
  duplicated: number | null;
  error: string | null;
  lost_words: string;
  spells: Spell[];
  why: string;
}

/** The progress of a run. */
export interface Progress {
  done: number;
  of: number;
  step: string;
}

/** The picture of DurabilityView; ``rounds``: number of brokers up → what was done then. */
export interface Picture {
  cluster: string;
  mode: string | null;
  records: number;
  cells: Record<string, Cell>;
  faults: Record<string, string>;
  ups: number[];
  rounds: Record<string, string[]>;
  running: boolean;
  progress: Progress;
  summary: string;
  summaries: Record<string, string>;
  live: boolean;
}
