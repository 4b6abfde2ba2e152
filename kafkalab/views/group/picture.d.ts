// Made from picture.py by frontend/picture_types.py (make frontend): change it there.

/** A stretch in which partitions were read by nobody; ``to`` and ``seconds`` are None while it goes on. */
export interface Pause {
  from: number;
  id: string;
  kind: "died" | "left" | "joined" | "other";
  keys: string[];
  to: number | null;
  seconds: number | null;
  text: string;
}

/** The Gantt chart: lanes and their order, members' names, moments of generations and the learner's actions. */
export interface Chart {
  from: number | null;
  order: string[];
  lanes: Record<string, ([number, number | null, string, string | null])[]>;
  names: Record<string, string>;
  numbers: [number, number][];
  notes: [number, string][];
  pauses: Pause[];
}

/** The reason why the cluster could not be looked at, and of when the picture is. */
export interface Fault {
  text: string;
  at: number | null;
}

/** The group in a few facts; ``number`` is its generation or its epoch, as ``noun`` says. */
export interface About {
  state: string;
  coordinator: number | null;
  assignor: string;
  protocol: string;
  number: number | null;
  noun: string;
  lag: number | null;
  standing: string;
}

/** A partition, and the member that holds it. */
export interface PartitionBox {
  topic: string;
  partition: number;
  lag: number | null;
  member: string | null;
}

/** A member; ``said``: what it does, in a word or two; ``row``: its height in rows of partitions. */
export interface MemberBox {
  name: string;
  client: string;
  id: string;
  host: string;
  said: string;
  idle: boolean;
  row: number;
}

/** The numbers of partitions and members that are not drawn. */
export interface More {
  partitions: number;
  members: number;
}

/** The picture of GroupView; ``to``: the moment up to which it is known; ``ranks``: members from top to bottom. */
export interface Picture {
  groups: string[];
  group: string;
  looked: boolean;
  error: Fault | null;
  about: About;
  partitions: Record<string, PartitionBox>;
  order: string[];
  members: Record<string, MemberBox>;
  ranks: string[];
  more: More;
  gantt: Chart;
  to: number | null;
  flows: boolean;
  span: number | null;
}
