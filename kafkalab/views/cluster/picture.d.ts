// Made from picture.py by frontend/picture_types.py (make frontend): change it there.

/** The reason why the cluster could not be looked at, and of when the picture is. */
export interface Fault {
  text: string;
  at: number | null;
}

/** A node's process: the verbs that its state allows, and the one being carried out. */
export interface Process {
  name: string;
  state: "running" | "paused" | "stopped" | "cut" | "unknown";
  verbs: ("stop" | "kill" | "pause" | "resume" | "start" | "cut" | "join")[];
  busy: "stop" | "kill" | "pause" | "resume" | "start" | "cut" | "join" | null;
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

/** A partition and its replicas. */
export interface PartitionPart {
  partition: number;
  leader: number | null;
  isr: number[];
  replicas: ([number, "leader" | "follower" | "behind" | "down"] | [number, "leader" | "follower" | "behind" | "down", number])[];
}

/** A topic: how many partitions have unknown records, and which lack a leader (``lone``) or replicas (``short``). */
export interface TopicRow {
  internal: boolean;
  replication: number;
  records: number | null;
  unknown: number;
  lone: string;
  short: string;
  partitions: PartitionPart[];
}

/** Partitions of a topic, each with its lag. */
export interface Holding {
  topic: string;
  partitions: ([number, number | null])[];
}

/** A member of a group. */
export interface Member {
  name: string;
  client: string;
  host: string;
  holds: Holding[];
}

/** A consumer group; ``about``: its state, coordinator and assignor; ``unheld``: committed, and held by nobody. */
export interface GroupPanel {
  about: string;
  lag: number | null;
  members: Record<string, Member>;
  unheld: Holding[];
}

/** A server of the quorum; ``said``: what it is, in a few words; ``combined``: in the process of its broker. */
export interface QuorumNode {
  id: number;
  role: string | null;
  alive: boolean | null;
  said: string;
  combined: boolean;
  node: Process | null;
}

/** ZooKeeper's servers, or KRaft's voters and observers. */
export interface QuorumPanel {
  kind: "ZooKeeper" | "KRaft";
  noun: string;
  epoch: number | null;
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

/** The picture of ClusterView; ``up``: how many brokers are; ``summary``: all of it for screen readers. */
export interface Picture {
  name: string;
  label: string;
  kafka: string;
  up: string;
  summary: string;
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
