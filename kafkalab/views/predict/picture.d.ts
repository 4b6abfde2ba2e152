// Made from picture.py by frontend/picture_types.py (make frontend): change it there.

/** A thing to be put into places; a partition has a number, ``hue``, for its colour. */
export interface Chip {
  name: string;
  hue: number | null;
}

/** The possible answers: choices; a number of a unit, which is right by a rule; or chips to put in places. */
export interface Offered {
  kind: "choice" | "number" | "arrangement" | "order";
  choices: string[];
  unit: string;
  rule: string;
  chips: Chip[];
  places: string[];
  several: boolean;
  nowhere: string;
}

/** A part of an answer that has several; ``right`` is None without a guess, ``says``: the cluster's facts. */
export interface Part {
  name: string;
  said: string;
  was: string;
  right: boolean | null;
  says: string;
  gap: string;
}

/** The outcome, with the guess beside it; ``right`` is None without a guess. */
export interface Verdict {
  right: boolean | null;
  head: string;
  happened: unknown;
  off: string;
  because: string;
  at: number | null;
  parts: Part[];
}

/** The picture of PredictView; ``held``: the result waits for a guess; ``locked``: when, in Unix seconds. */
export interface Picture {
  kind: "choice" | "number" | "arrangement" | "order";
  choices: string[];
  unit: string;
  rule: string;
  chips: Chip[];
  places: string[];
  several: boolean;
  nowhere: string;
  id: string;
  question: string;
  phase: "open" | "locked" | "compared";
  held: boolean;
  locked: number | null;
  guess: number | number[][] | null;
  said: string;
  verdict: Verdict | null;
}
