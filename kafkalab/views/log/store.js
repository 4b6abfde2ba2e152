// What the page knows of a topic's records: the ends of the logs, from the state, and windows the kernel was asked for.

// So many records of a lane are kept; beyond, what is out of sight goes.
const KEPT = 3000;

/** @typedef {any[]} Cell  see kafkalab/views/log/picture.py */

/** What stands in place of a cell where a recording holds nothing of an offset. */
export const BLANK = false;

/** Of what is not here: it was not read yet; or nobody answers, as in a picture without a kernel. */
export const UNREAD = "not read yet";
export const ABSENT = "not in this picture";

export class LogStore {
  constructor() {
    /** @type {Map<string, { cells: Map<number, Cell>, read: [number, number][], blank: [number, number][] }>} */
    this.lanes = new Map();
    /** What is said of offsets that were not read. */ this.unread = UNREAD;
  }

  lane(p) {
    let lane = this.lanes.get(p);
    if (!lane) this.lanes.set(p, (lane = { cells: new Map(), read: [], blank: [] }));
    return lane;
  }

  /** Take in a window: `{from, to, cells, blank}`. What was known of these offsets is replaced. */
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

  /** A record's cell; null: that offset holds none; BLANK: it was not recorded; undefined: it was not read. */
  at(p, offset) {
    const lane = this.lanes.get(p);
    if (!lane) return undefined;
    const cell = lane.cells.get(offset);
    if (cell) return cell;
    if (lane.blank.some(([from, to]) => from <= offset && offset < to)) return BLANK;
    return lane.read.some(([from, to]) => from <= offset && offset < to) ? null : undefined;
  }

  /** The smallest range within from … to that holds all that was not read; null when all was. @returns {[number, number] | null} */
  missing(p, from, to) {
    let [first, last] = [from, to];
    for (const [a, b] of this.lanes.get(p)?.read ?? []) {
      if (a <= first && b > first) first = b;
    }
    for (const [a, b] of [...(this.lanes.get(p)?.read ?? [])].reverse()) {
      if (b >= last && a < last) last = a;
    }
    return first < last ? [first, last] : null;
  }

  /** The log was cut at `end` (other records may come there), or begins at `start` now. */
  cut(p, start, end) {
    const lane = this.lanes.get(p);
    if (!lane) return;
    const read = within(lane.read, start, end);
    if (read.length === lane.read.length && read.every(([a, b], i) => a === lane.read[i][0] && b === lane.read[i][1])) return;
    lane.read = read;
    lane.blank = within(lane.blank, start, end);
    for (const offset of lane.cells.keys()) if (offset < start || offset >= end) lane.cells.delete(offset);
  }

  /** Forget what is far from from … to, once there is much of it. */
  prune(p, from, to) {
    const lane = this.lanes.get(p);
    if (!lane || lane.cells.size <= KEPT) return;
    const near = to - from;
    this.cut(p, from - near, to + near);
  }
}

/** What of the ranges lies within start … end. @param {[number, number][]} ranges @param {number} start @param {number} end @returns {[number, number][]} */
function within(ranges, start, end) {
  return ranges.map(([a, b]) => /** @type {[number, number]} */ ([Math.max(a, start), Math.min(b, end)])).filter(([a, b]) => a < b);
}

/** @param {[number, number][]} ranges @returns {[number, number][]} */
export function joinedRanges(ranges) {
  const sorted = [...ranges].sort((a, b) => a[0] - b[0]);
  /** @type {[number, number][]} */ const found = [];
  for (const [from, to] of sorted) {
    const last = found.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else found.push([from, to]);
  }
  return found;
}

// What happened to a transactional record, as far as the markers that were read tell: "open" when none was.
export function outcome(store, p, cell, to) {
  const producer = cell[9]?.tx;
  if (producer === undefined || cell[1] === "c" || cell[1] === "a") return null;
  for (let offset = cell[0] + 1; offset < Math.min(to, cell[0] + 500); offset++) {
    const later = store.at(p, offset);
    if (later && later[9]?.tx === producer && (later[1] === "c" || later[1] === "a")) return later[1] === "c" ? "committed" : "aborted";
  }
  return "open";
}
