// Made from picture.py by frontend/picture_types.py (make frontend): change it there.

/** The group in a few facts; ``number`` is its generation or its epoch, as ``noun`` says. */
export interface About {
  state: string;
  coordinator: number | null;
  assignor: string;
  protocol: string;
  number: number | null;
  noun: string;
  lag: number | null;
  idle: number;
  standing: string;
}

/** A partition, and the member that holds it. */
export interface PartitionBox {
  topic: string;
  partition: number;
  lag: number | null;
  member: string | null;
}

/** A member; ``said``: what it does, in a word or two; ``row``: its height in rows. */
export interface MemberBox {
  name: string;
  client: string;
  id: string;
  host: string;
  holds: number;
  said: string;
  row: number;
}

/**  */
export interface Since {
  from: number;
}

/**  */
export interface Begun {
  from: number | null;
}

/** A stretch in which partitions were read by nobody; ``to`` and ``seconds`` are None while it goes on. */
export interface Pause {
  from: number;
  id: string;
  kind: string;
  keys: string[];
  to: number | null;
  seconds: number | null;
  text: string;
}

/** The Gantt chart: lane → pieces (from, to, what, member); moments of generations and of the learner's actions. */
export interface Chart {
  from: number | null;
  order: string[];
  lanes: Record<string, ([number, number | null, string, string | null])[]>;
  names: Record<string, string>;
  numbers: [number, number][];
  notes: [number, string][];
  pauses: Pause[];
}

/** The numbers of partitions and members that are not drawn. */
export interface More {
  partitions: number;
  members: number;
}

/** The reason why the cluster could not be looked at, and of when the picture is. */
export interface Fault {
  text: string;
  at: number | null;
}

/** The picture of GroupView; ``to``: the moment up to which it is known. */
export interface Picture {
  name: string;
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
