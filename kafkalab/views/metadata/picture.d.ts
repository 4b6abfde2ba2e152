// Made from picture.py by frontend/picture_types.py (make frontend): change it there.

/** A node of ZooKeeper's tree as far as it was read; ``gone`` stands for one that ought to be there. */
export interface Node {
  k?: number;
  v?: number;
  z?: number;
  s?: string;
  e?: boolean;
  c?: Record<string, Node>;
  gone?: boolean;
}

/** A node in full; ``session`` is "" for one that is persistent. */
export interface Detail {
  about: string;
  session: string;
  version: number;
  created: number;
  modified: number;
  zxid: string;
  bytes: number;
  children: number;
  data: string;
}

/** A node that is not there. */
export interface Absent {
  about: string;
}

/** The client's connection to ZooKeeper. */
export interface Connection {
  state: "connecting" | "connected" | "suspended" | "lost" | "closed";
  since: number;
  session: string;
}

/** A node of the quorum. ``seen``, ``caught``: seconds since it last fetched, and since it last had the whole log. */
export interface Keeper {
  part: "leader" | "follower" | "behind" | "down";
  role: string;
  alive: boolean;
  gone: string;
  end: number | null;
  lag: number | null;
  seen: number | null;
  caught: number | null;
  state: string | null;
  fenced: boolean;
}

/** The quorum. ``end``: the end of the leader's log, ``mark``: the high watermark. */
export interface Keepers {
  kind: "zookeeper" | "kraft";
  leader: number | null;
  epoch: number | null;
  end: number | null;
  mark: number | null;
  nodes: Record<string, Keeper>;
}

/** A record of KRaft's metadata log. */
export interface LogRecord {
  offset: number;
  at: number;
  type: string;
  kind: string;
  text: string;
  data: string;
}

/** The newest records in their order; None before they were read. */
export interface Log {
  reading: boolean;
  at: number | null;
  records: LogRecord[] | null;
  problem: string;
}

/** One line of what happened; ``since``: seconds since the learner's last action. */
export interface Line {
  n: number;
  at: number;
  since: number | null;
  kind: string;
  word: string;
  where: string;
  text: string;
  parts: string[];
  by: string;
}

/** Something that followed an action, ``t`` seconds after it. */
export interface Mark {
  t: number;
  kind: string;
  text: string;
  exact: boolean;
}

/** An action of the learner, and row → what followed until the next one. */
export interface Action {
  at: number;
  text: string;
  rows: Record<string, Mark[]>;
}

/** A node that can be acted on; "controller" also names the ``node`` that is the controller now. */
export interface Target {
  state: string;
  verbs: string[];
  busy: string | null;
  node?: string;
}

/** One cluster. ``recorded``: no cluster can be asked for more; ``problem``: why there is no tree. */
export interface Side {
  name: string;
  kafka: string;
  kind: "zookeeper" | "kraft" | "";
  recorded: boolean;
  looked: boolean;
  at: number | null;
  error: string | null;
  controller: number | null;
  quorum: Keepers | null;
  targets: Record<string, Target>;
  lines: Line[];
  actions: Action[];
  problem: string;
  tree: Node | null;
  details: Record<string, Detail | Absent>;
  connection: Connection | null;
  log: Log | null;
}

/** The clusters by their number, "0" and "1". */
export interface Picture {
  sides: Record<string, Side>;
}
