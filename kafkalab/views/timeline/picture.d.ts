// Made from picture.py by frontend/picture_types.py (make frontend): change it there.

/** An event; ``since``: seconds since the learner's own last action. */
export interface Happened {
  at: number;
  since: number | null;
  kind: string;
  text: string;
}

/** A moment that was given a name. */
export interface Name {
  at: number;
  name: string;
}

/** The states of the cluster; each row holds until the next. ``brokers``: when, up, of how many, which are down. */
export interface Strips {
  brokers: [number, number, number, number[]][];
  short: [number, number][];
  leaderless: [number, number][];
  lag: ([number, number | null])[];
}

/** The picture of a recording's bar; times are seconds since its beginning, but ``began`` is a Unix time. */
export interface Picture {
  name: string;
  kafka: string;
  label: string;
  began: number;
  seconds: number;
  going: boolean;
  naming: boolean;
  at: number;
  live: boolean;
  playing: boolean;
  speed: number;
  speeds: number[];
  heard: number;
  events: Happened[];
  named: Name[];
  steps: Strips;
  problem: string;
}
