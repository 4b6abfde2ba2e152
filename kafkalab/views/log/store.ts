// The store of a topic's records: keeps the ends of the logs, from the state, and the windows that the kernel was asked for.

import type { Range } from "./axis.ts";
import type { Tail } from "./picture";

// Maximum number of offsets kept of a lane; above it, those far out of view are dropped.
const KEPT = 3000;

export type Cell = Tail["cells"][number];

/** Stands in place of a cell when a recording does not hold that offset. */
export const BLANK = false;
/** What is known of an offset: null: it holds no record; undefined: it was not read. */
export type Found = Cell | typeof BLANK | null | undefined;

/** The words for a record that is not here: not read yet, or no kernel to ask, as in a still picture. */
const UNREAD = "not read yet";
export const ABSENT = "not in this picture";

export class LogStore {
  lanes = new Map<string, Map<number, Found>>();
  /** The words for offsets that were not read. */
  unread = UNREAD;

  /** Stores a window in place of everything known about its offsets. */
  put(p: string, window: Tail) {
    const lane = this.lanes.get(p) ?? new Map<number, Found>();
    this.lanes.set(p, lane);
    for (let offset = window.from; offset < window.to; offset++) lane.set(offset, null);
    for (const [from, to] of window.blank ?? []) for (let offset = from; offset < to; offset++) lane.set(offset, BLANK);
    for (const cell of window.cells) lane.set(cell[0], cell);
  }

  at(p: string, offset: number): Found {
    return this.lanes.get(p)?.get(offset);
  }

  /** Returns the smallest range in from … to that holds every unread offset; null if all were read. */
  missing(p: string, from: number, to: number): [number, number] | null {
    const read = (offset: number) => this.at(p, offset) !== undefined;
    while (from < to && read(from)) from++;
    while (from < to && read(to - 1)) to--;
    return from < to ? [from, to] : null;
  }

  /** Forgets offsets outside start … end, because the log was truncated at `end` or now begins at `start`. */
  cut(p: string, start: number, end: number) {
    const lane = this.lanes.get(p);
    for (const offset of lane?.keys() ?? []) if (offset < start || offset >= end) lane?.delete(offset);
  }

  /** Forgets the cells that are far from from … to, once the lane has many. */
  prune(p: string, { from, to }: Range) {
    if ((this.lanes.get(p)?.size ?? 0) > KEPT) this.cut(p, from - (to - from), to + (to - from));
  }
}

export type Fate = "committed" | "aborted" | "open" | null;

/** Returns the outcome of a record's transaction, as far as the markers read so far tell: "open" when there is none. */
export function outcome(store: LogStore, p: string, found: Found, end: number): Fate {
  if (!found) return null;
  const [at, kind, , , , , , , , more] = found;
  if (more?.tx === undefined || kind === "c" || kind === "a") return null;
  for (let offset = at + 1; offset < Math.min(end, at + 500); offset++) {
    const later = store.at(p, offset);
    if (later && later[9]?.tx === more.tx && (later[1] === "c" || later[1] === "a")) return later[1] === "c" ? "committed" : "aborted";
  }
  return "open";
}

// --- The asker for records: asks the kernel for those in view that were not read yet, one question at a time, and pauses after
// an answer that brought nothing. Without an answer (the kernel has ended, or never was there) they are shown as absent.

const PATIENCE = 3000; // milliseconds until a question counts as lost
const REST = 1500; // milliseconds of pause after an answer that brought nothing

export class LogAsker {
  id = 0;
  asked = 0; // the time of the open question; 0 when there is none
  rest = 0;
  lanes = "";
  pad = 0;
  wanted: Record<string, Range> = {};
  timer: ReturnType<typeof setTimeout> | undefined;
  silence: ReturnType<typeof setTimeout> | undefined;

  constructor(public store: LogStore, public ask: (message: object) => void, public arrived: () => void) {}

  /** @param windows the offsets in view
   * @param pad offsets to ask for beyond them, on both sides
   * @param shown the lanes in view */
  want(windows: Record<string, Range>, pad: number, shown: string[]) {
    this.wanted = windows;
    this.pad = pad;
    // The kernel reads the ends of the first 24 by itself.
    const lanes = shown.filter((p) => Number(p) >= 24).map(Number).sort((a, b) => a - b);
    if (lanes.join() !== this.lanes) {
      this.lanes = lanes.join();
      this.ask({ do: "lanes", lanes });
    }
    this.timer ??= setTimeout(() => this.now(), 40);
  }

  now() {
    clearTimeout(this.timer);
    this.timer = undefined;
    const time = performance.now();
    const wait = Math.max(this.asked ? this.asked + PATIENCE - time : 0, this.rest - time);
    const windows: Record<string, [number, number]> = {};
    for (const [p, seen] of Object.entries(this.wanted)) {
      const wide = this.store.missing(p, seen.from, seen.to) && this.store.missing(p, Math.max(0, seen.from - this.pad), seen.to + this.pad);
      if (wide) windows[p] = wide;
      this.store.prune(p, seen);
    }
    if (!Object.keys(windows).length) return;
    if (wait > 0) {
      this.timer = setTimeout(() => this.now(), wait);
      return;
    }
    this.asked = time;
    clearTimeout(this.silence);
    this.silence = setTimeout(() => {
      this.store.unread = ABSENT;
      this.arrived();
    }, PATIENCE);
    this.ask({ do: "look", windows, id: ++this.id });
  }

  heard(message: { windows?: Record<string, Tail>; id: number }) {
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

  end() {
    clearTimeout(this.timer);
    clearTimeout(this.silence);
    this.wanted = {};
  }
}
