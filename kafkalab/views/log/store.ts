// The store of a topic's records: keeps the ends of the logs, from the state, and the windows that the kernel was asked for.

import type { Tail } from "./picture";

// Maximum number of records kept of a lane; above it, those far out of view are dropped.
const KEPT = 3000;

export type Cell = Tail["cells"][number];

/** Stands in place of a cell when a recording does not hold that offset. */
export const BLANK = false;

/** The words for a record that is not here: not read yet, or no kernel to ask, as in a still picture. */
export const UNREAD = "not read yet";
export const ABSENT = "not in this picture";

export class LogStore {
  lanes: Map<string, { cells: Map<number, Cell>; read: [number, number][]; blank: [number, number][] }> = new Map();
  /** The words for offsets that were not read. */
  unread = UNREAD;

  lane(p) {
    let lane = this.lanes.get(p);
    if (!lane) this.lanes.set(p, (lane = { cells: new Map(), read: [], blank: [] }));
    return lane;
  }

  /** Stores a window, `{from, to, cells, blank}`, in place of everything known about its offsets. */
  put(p, window) {
    if (window.to <= window.from) return;
    const lane = this.lane(p);
    const now = new Map(window.cells.map((cell) => [cell[0], cell]));
    for (let offset = window.from; offset < window.to; offset++) {
      const cell = now.get(offset);
      if (cell) lane.cells.set(offset, cell);
      else lane.cells.delete(offset);
    }
    lane.read = joinedRanges([...lane.read, [window.from, window.to]]);
    const rest = [...within(lane.blank, 0, window.from), ...within(lane.blank, window.to, Infinity)];
    lane.blank = window.blank || rest.length ? joinedRanges([...rest, ...(window.blank ?? [])]) : [];
  }

  /** Returns a record's cell; null when the offset holds no record, BLANK when it was not recorded, undefined when not read. */
  at(p, offset) {
    const lane = this.lanes.get(p);
    if (!lane) return undefined;
    const cell = lane.cells.get(offset);
    if (cell) return cell;
    if (lane.blank.some(([from, to]) => from <= offset && offset < to)) return BLANK;
    return lane.read.some(([from, to]) => from <= offset && offset < to) ? null : undefined;
  }

  /** Returns the smallest range in from … to that holds every unread offset; null if all were read. */
  missing(p, from, to): [number, number] | null {
    let [first, last] = [from, to];
    for (const [a, b] of this.lanes.get(p)?.read ?? []) {
      if (a <= first && b > first) first = b;
    }
    for (const [a, b] of [...(this.lanes.get(p)?.read ?? [])].reverse()) {
      if (b >= last && a < last) last = a;
    }
    return first < last ? [first, last] : null;
  }

  /** Forgets offsets outside start … end, because the log was truncated at `end` or now begins at `start`. */
  cut(p, start, end) {
    const lane = this.lanes.get(p);
    if (!lane) return;
    const read = within(lane.read, start, end);
    if (read.length === lane.read.length && read.every(([a, b], i) => a === lane.read[i][0] && b === lane.read[i][1])) return;
    lane.read = read;
    lane.blank = within(lane.blank, start, end);
    for (const offset of lane.cells.keys()) if (offset < start || offset >= end) lane.cells.delete(offset);
  }

  /** Forgets the cells that are far from from … to, once the lane has many. */
  prune(p, from, to) {
    const lane = this.lanes.get(p);
    if (!lane || lane.cells.size <= KEPT) return;
    const near = to - from;
    this.cut(p, from - near, to + near);
  }
}

/** Returns the parts of the ranges within start … end. */
function within(ranges: [number, number][], start: number, end: number): [number, number][] {
  return ranges.map(([a, b]) => [Math.max(a, start), Math.min(b, end)] as [number, number]).filter(([a, b]) => a < b);
}

export function joinedRanges(ranges: [number, number][]): [number, number][] {
  const sorted = [...ranges].sort((a, b) => a[0] - b[0]);
  const found: [number, number][] = [];
  for (const [from, to] of sorted) {
    const last = found.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else found.push([from, to]);
  }
  return found;
}

// Returns the outcome of a record's transaction, as far as the markers read so far tell: "open" when there is none.
export function outcome(store, p, cell, to) {
  const producer = cell[9]?.tx;
  if (producer === undefined || cell[1] === "c" || cell[1] === "a") return null;
  for (let offset = cell[0] + 1; offset < Math.min(to, cell[0] + 500); offset++) {
    const later = store.at(p, offset);
    if (later && later[9]?.tx === producer && (later[1] === "c" || later[1] === "a")) return later[1] === "c" ? "committed" : "aborted";
  }
  return "open";
}

// --- The asker for records: asks the kernel for those in view that were not read yet, one question at a time, and pauses after
// an answer that brought nothing. Without an answer (the kernel has ended, or never was there) they are shown as absent.

const PATIENCE = 3000; // milliseconds until a question counts as lost
const REST = 1500; // milliseconds of pause after an answer that brought nothing

export class LogAsker {
  pad = 0;
  id = 0;
  asked = 0; // the time of the open question; 0 when there is none
  rest = 0;
  lanes = "";
  wanted: any = {};

  constructor(public store: LogStore, public ask: (message: object) => void, public arrived: () => void) {
  }

  /** @param windows the offsets in view
   * @param pad offsets to ask for beyond them, on both sides
   * @param shown the lanes in view */
  want(windows: Record<string, [number, number]>, pad: number, shown: string[]) {
    this.wanted = windows;
    this.pad = pad;
    const lanes = shown.filter((p) => Number(p) >= 24).sort().join();
    if (lanes !== this.lanes) {
      this.lanes = lanes;
      this.ask({ do: "lanes", lanes: lanes ? lanes.split(",").map(Number) : [] });
    }
    if (!this.timer) this.timer = setTimeout(() => this.now(), 40);
  }

  now() {
    clearTimeout(this.timer);
    this.timer = undefined;
    const time = performance.now();
    const wait = Math.max(this.asked ? this.asked + PATIENCE - time : 0, this.rest - time);
    const windows: Record<string, [number, number]> = {};
    for (const [p, [from, to]] of Object.entries(this.wanted)) {
      if (from < to && this.store.missing(p, from, to)) windows[p] = this.store.missing(p, Math.max(0, from - this.pad), to + this.pad) ?? [from, to];
      this.store.prune(p, from, to);
    }
    if (!Object.keys(windows).length) return;
    if (wait > 0) {
      this.timer = setTimeout(() => this.now(), wait);
      return;
    }
    this.asked = time;
    clearTimeout(this.silence);
    this.silence = setTimeout(() => this.answered(ABSENT), PATIENCE);
    this.ask({ do: "look", windows, id: ++this.id });
  }

  heard(message) {
    if (!message?.windows) return;
    clearTimeout(this.silence);
    this.store.unread = UNREAD;
    let news = false;
    for (const [p, window] of Object.entries(message.windows)) {
      news ||= this.store.missing(p, window.from, window.to) !== null;
      this.store.put(p, window);
    }
    if (message.id === this.id) {
      this.asked = 0;
      this.rest = news ? 0 : performance.now() + REST;
    }
    this.arrived();
  }

  /** @param unread the words for records that were not read */
  answered(unread: string) {
    this.store.unread = unread;
    this.arrived();
  }

  end() {
    clearTimeout(this.timer);
    clearTimeout(this.silence);
    this.wanted = {};
  }
}
