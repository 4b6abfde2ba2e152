// Made from picture.py by frontend/picture_types.py (make frontend): change it there.

/** The number of ids that go each way. */
export interface Flow {
  kept: number;
  lost: number;
  unsure_seen: number;
  unsure_gone: number;
  strangers: number;
}

/** The picture of LedgerView; ``said``: sentences, each with what it is about. */
export interface Picture {
  topic: string;
  counts: Record<string, number>;
  ids: Record<string, string[]>;
  flow: Flow;
  said: [string, string][];
  verdict: string;
  good: "good" | "bad" | "open";
  live: boolean;
  moving: boolean;
}
