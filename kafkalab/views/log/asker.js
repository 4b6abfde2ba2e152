// The asker for records: asks the kernel for those in view that were not read yet, one question at a time, and pauses after
// an answer that brought nothing. Without an answer (the kernel has ended, or never was there) they are shown as absent.

import { ABSENT, UNREAD } from "./store.js";

const PATIENCE = 3000; // milliseconds until a question counts as lost
const REST = 1500; // milliseconds of pause after an answer that brought nothing

export class LogAsker {
  /** @param {import("./store.js").LogStore} store @param {(message: object) => void} ask @param {() => void} arrived */
  constructor(store, ask, arrived) {
    this.store = store;
    this.ask = ask;
    this.arrived = arrived;
    this.pad = 0;
    this.id = 0;
    this.asked = 0; // the time of the open question; 0 when there is none
    this.rest = 0;
    this.lanes = "";
    /** @type {any} */ this.wanted = {};
  }

  /** @param {Record<string, [number, number]>} windows the offsets in view @param {number} pad offsets to ask for beyond them, on both sides @param {string[]} shown the lanes in view */
  want(windows, pad, shown) {
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
    /** @type {Record<string, [number, number]>} */ const windows = {};
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

  /** @param {string} unread the words for records that were not read */
  answered(unread) {
    this.store.unread = unread;
    this.arrived();
  }

  end() {
    clearTimeout(this.timer);
    clearTimeout(this.silence);
    this.wanted = {};
  }
}
