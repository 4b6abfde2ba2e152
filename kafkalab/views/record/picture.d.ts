// Made from picture.py by frontend/picture_types.py (make frontend): change it there.

/** A field: its first bytes in hexadecimal, how many are left out, and its last bytes. */
export interface Item {
  id: string;
  name: string;
  short: string;
  at: number;
  size: number;
  kind: string;
  value: string;
  meaning: string;
  encoding: string;
  hex: string;
  cut: number;
  tail: string;
  steps?: string;
  bits?: string[][];
  right?: boolean;
  text?: boolean;
  goto?: number;
}

/** Bytes that lie behind one another: the batch, or its records, unpacked. */
export interface ByteBlock {
  id: string;
  title: string;
  at: number;
  items: Item[];
}

/** The batch; ``unpacked``: bytes of its records, if they are compressed and can be read. */
export interface BatchFacts {
  base: number;
  last: number;
  count: number;
  size: number;
  codec: string;
  control: boolean;
  valid: boolean;
  unpacked: number | null;
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
  bytes: number;
}

/** The shares of the bytes in one form of the batch. */
export interface Bar {
  bar: string;
  bytes: number;
  parts: Share[];
}

/** A replica's copy of the batch. */
export interface CopyOf {
  part: string;
  copy: string;
}

/** The source of the bytes. */
export interface Read {
  broker: number;
  segment: string | null;
  at: number | null;
  words: string;
}

/** The offsets that the partition has. */
export interface Range {
  start: number | null;
  end: number | null;
}

/** The picture of RecordView; ``steps``: the offset to which each leads. */
export interface Picture {
  name: string;
  topic: string;
  partition: number;
  offset: number;
  live: boolean;
  recorded: boolean;
  range: Range;
  copies: Record<string, CopyOf>;
  read: Read | null;
  batch: BatchFacts | null;
  strip: Strip | null;
  steps: Record<string, number | null>;
  shares: Bar[];
  blocks: ByteBlock[];
  trouble: string;
  note: string;
}
