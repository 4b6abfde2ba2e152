// Made from picture.py by frontend/picture_types.py (make frontend): change it there.

/** A key; ``at``: partition → how many records of it lie there. */
export interface Key {
  text: string;
  hash: number;
  at: Record<string, number>;
}

/** A record that was sent from the view, and where the broker put it; ``calculated`` is None without a key. */
export interface Sent {
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
  topic: string;
  partitions: number | null;
  live: boolean;
  recorded: boolean;
  looked: boolean;
  busy: string;
  trouble: string;
  keys: Record<string, Key>;
  away: string;
  nulls: Record<string, number>;
  records: number;
  beyond: number;
  sent: Record<string, Sent>;
  grown: Grown | null;
}
