// Made from picture.py by frontend/picture_types.py (make frontend): change it there.

/** A field: its first bytes in hexadecimal, how many are left out, and its last bytes. */
export interface Item {
  id: string;
  name: string;
  short: string;
  at: number;
  size: number;
  kind: "place" | "length" | "check" | "flags" | "time" | "producer" | "key" | "value" | "header" | "packed" | "other";
  value: string;
  meaning: string;
  encoding: string;
  hex: string;
  cut: number;
  tail: string;
  steps: string;
  bits: Record<string, string>[];
  right: boolean | null;
  goto: number | null;
}

/** Bytes that lie behind one another: the batch, or its records, unpacked. */
export interface ByteBlock {
  title: string;
  at: number;
  items: Item[];
}

/** A record of the batch. */
export interface StripCell {
  offset: number;
  size: number;
  key: string | null;
}

/** Records of the batch, and how many there are before and after them. */
export interface Strip {
  cells: StripCell[];
  before: number;
  after: number;
}

/** Bytes of one sort. */
export interface Share {
  part: string;
  kind: "place" | "length" | "check" | "flags" | "time" | "producer" | "key" | "value" | "header" | "packed" | "other";
  bytes: number;
}

/** The shares of the bytes in one form of the batch. */
export interface Bar {
  bar: string;
  bytes: number;
  parts: Share[];
}

/** A replica's copy of the batch, and the sign of the replica's part. */
export interface CopyOf {
  broker: number;
  sign: string;
  copy: "shown" | "same" | "differs" | "missing" | "unread";
  words: string;
}

/** The offsets to which the steps lead; None for a step that leads nowhere. */
export interface Steps {
  previous: number | null;
  next: number | null;
  previous_batch: number | null;
  next_batch: number | null;
}

/** The picture of RecordView; ``read``: where the bytes are from, in words; ``facts`` about the batch. */
export interface Picture {
  topic: string;
  partition: number;
  offset: number;
  live: boolean;
  start: number | null;
  end: number | null;
  copies: CopyOf[];
  read: string;
  facts: string[];
  valid: boolean;
  strip: Strip | null;
  steps: Steps;
  shares: Bar[];
  blocks: ByteBlock[];
  trouble: string;
  note: string;
}
