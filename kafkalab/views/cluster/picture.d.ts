// Made from picture.py by frontend/picture_types.py (make frontend): change it there.

/** A node's process: the verbs that its state allows, and the one being carried out. */
export interface Process {
  name: string;
  state: string;
  verbs: string[];
  busy: string | null;
}

/** A broker; ``alive`` is None while that is not known. */
export interface BrokerCard {
  id: number;
  alive: boolean | null;
  controller: boolean;
  address: string;
  rack: string | null;
  standing: string;
  node: Process | null;
}

/** A partition; a replica is [broker, its part], with the records it lacks if it is behind. */
export interface PartitionPart {
  partition: number;
  leader: number | null;
  isr: number[];
  short: boolean;
  replicas: ([number, "leader" | "follower" | "behind" | "down"] | [number, "leader" | "follower" | "behind" | "down", number])[];
}

/** A topic; ``unknown``: partitions whose records are not known. */
export interface TopicRow {
  internal: boolean;
  replication: number;
  records: number | null;
  unknown: number;
  partitions: PartitionPart[];
}

/** Partitions of a topic, each with its lag. */
export interface Holding {
  topic: string;
  partitions: ([number, number | null])[];
}

/** A member of a group. */
export interface Member {
  client: string;
  tail: string;
  host: string;
  holds: Holding[];
}

/** A consumer group; ``unheld``: what it committed and no member holds. */
export interface GroupPanel {
  state: string;
  coordinator: number | null;
  assignor: string;
  lag: number | null;
  members: Record<string, Member>;
  unheld: Holding[];
}

/** A server of the quorum; ``gone``: the word for one that does not answer. */
export interface QuorumNode {
  id: number;
  role: string | null;
  alive: boolean | null;
  gone: string;
  lag: number | null;
  combined: boolean;
  node: Process | null;
}

/** ZooKeeper's servers, or KRaft's voters and observers. */
export interface QuorumPanel {
  kind: "ZooKeeper" | "KRaft";
  noun: string;
  epoch: number | null;
  leader: number | null;
  nodes: Record<string, QuorumNode>;
}

/** A line of what happened; ``since``: seconds since the learner's last action; ``parts``: what it sums up. */
export interface EventLine {
  n: number;
  at: number;
  since: number | null;
  kind: string;
  text: string;
  parts: string[];
  node?: string | null;
  verb?: string;
}

/** The reason why the cluster could not be looked at, and of when the picture is. */
export interface Fault {
  text: string;
  at: number | null;
}

/** The picture of ClusterView; ``events`` come with the live view only. */
export interface Picture {
  name: string;
  label: string;
  kafka: string;
  mode: string;
  looked: boolean;
  at: number | null;
  error: Fault | null;
  brokers: Record<string, BrokerCard>;
  topics: Record<string, TopicRow>;
  quorum: QuorumPanel | null;
  groups: Record<string, GroupPanel>;
  problems: string[];
  events?: EventLine[];
}
