// Made from picture.py by frontend/picture_types.py (make frontend): change it there.

/** A key; ``at``: partition → how many records of it lie there, and the last one's offset. */
export interface Key {
  text: string;
  hash: number;
  size: number;
  at: Record<string, [number, number]>;
}

/** A record that was sent from the view. */
export interface SentRecord {
  n: number;
  key: string | null;
  partition: number;
  offset: number;
  calculated: number | null;
  partitioner: string;
}

/**  */
export interface Grown {
  from: number;
  to: number;
}

/** The picture of PartitionerView. */
export interface Picture {
  name: string;
  topic: string;
  partitions: number | null;
  live: boolean;
  recorded: boolean;
  looked: boolean;
  busy: string;
  trouble: string;
  keys: Record<string, Key>;
  nulls: Record<string, number>;
  records: number;
  beyond: number;
  sent: Record<string, SentRecord>;
  grown: Grown | null;
}
