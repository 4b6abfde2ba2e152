// The lane of a partition: draws the cells in view, or from afar a bar that stands for them, and the ends of the log.

import { count, el, keyColour, partitionColour, shorten } from "../shared.js";
import { brief, ticks, visible, withEnds } from "./axis.js";
import { BLANK, outcome } from "./store.js";
import { sentence } from "./words.js";

// Maximum number of new records that fly in at once: more than this would be out of view before they arrive.
const FLOCK = 14;

export class LogLane {
  /** @param {string} p @param {import("./store.js").LogStore} store */
  constructor(p, store) {
    this.p = p;
    this.store = store;
    this.base = 0;
    /** @type {Map<number, HTMLElement>} */ this.cells = new Map();
    /** @type {any} */ this.lane = null;
    /** @type {any} */ this.headOf = null;
    this.strip = el("div", { class: "kl-log-strip" });
    this.bar = el("div", { class: "kl-log-bar", role: "gridcell", tabindex: "-1", hidden: true });
    this.high = el("div", { class: "kl-log-high", "aria-hidden": "true" });
    this.stable = el("div", { class: "kl-log-stable", "aria-hidden": "true", hidden: true });
    this.ticks = el("div", { class: "kl-log-ticks", "aria-hidden": "true" });
    this.edge = el("div", { class: "kl-log-edge kl-soft", hidden: true });
    this.marks = el("div", { class: "kl-log-marks" });
    this.track = el("div", { class: "kl-log-track", role: "presentation" }, this.ticks,
      el("div", { class: "kl-log-cells", role: "presentation" }, this.strip, this.bar, this.high, this.stable, this.edge), this.marks);
    this.head = el("div", { class: "kl-log-head", role: "rowheader" });
    this.node = el("div", { class: "kl-log-lane", role: "row", "data-p": p, style: { "--kl-c": partitionColour(Number(p)) } }, this.head, this.track);
  }

  /** Draws the lane's head: the partition's leader, and the first and last offset of its log. */
  drawHead(lane) {
    const was = this.headOf;
    if (was && ["leader", "alive", "start", "high", "end", "isr"].every((name) => was[name] === lane[name])) return;
    this.headOf = lane;
    const leader = lane.leader === null ? "no leader" : lane.alive ? `♛ ${lane.leader}` : `✕ ${lane.leader}`;
    const span = lane.start === null || lane.end === null ? "offsets unknown" : lane.start === lane.end ? "empty" : `${brief(lane.start)} … ${brief(lane.end - 1)}`;
    const said = lane.leader === null ? "no leader" : `leader ${lane.leader}`;
    const exact = lane.start === null ? "" : `, log start ${count(lane.start)}, high watermark ${count(lane.high)}, log end ${count(lane.end)}`;
    this.head.replaceChildren(
      el("b", { class: "kl-log-p" }, `P${this.p}`), el("span", { class: "kl-log-leader", "aria-hidden": "true" }, leader),
      el("span", { class: "kl-log-span kl-soft", "aria-hidden": "true" }, span), el("span", { class: "kl-hidden" }, `${said}${exact}`));
    this.head.title = `partition ${this.p}: ${said}${exact}\nreplicas ${lane.replicas.join(", ")} · in sync ${lane.isr.join(", ") || "none"}`;
  }

  /**
   * @param {any} lane
   * @param {{ left: number, px: number, width: number, near: boolean, glide: boolean, fly: boolean }} place
   * @returns {{ from: number, to: number } | null} the offsets in view
   */
  draw(lane, place) {
    this.drawHead(lane);
    const before = this.lane;
    this.lane = lane;
    const known = lane.start !== null && lane.end !== null;
    this.node.classList.toggle("kl-log-unknown", !known);
    if (!known) {
      this.clear();
      this.edge.hidden = false;
      this.edge.textContent = lane.leader === null ? "no leader that could say what it holds" : "its leader does not answer";
      for (const node of [this.bar, this.high, this.stable]) node.hidden = true;
      this.ticks.replaceChildren();
      return null;
    }
    const seen = visible(place.left, place.px, place.width);
    const x = (/** @type {number} */ offset) => (offset - place.left) * place.px;
    this.track.classList.toggle("kl-log-glide", place.glide);
    this.bar.hidden = place.near;
    if (place.near) this.drawCells(lane, before, place, seen);
    else this.drawBar(lane, place, x);
    this.line(this.high, x(lane.high) - 1, place.width, false);
    this.line(this.stable, x(lane.stable ?? 0) - 1, place.width, lane.stable === null);
    this.drawTicks(seen, place, x);
    this.drawEdge(lane, seen);
    return seen;
  }

  line(node, at, width, hidden) {
    node.hidden = hidden || at < -4 || at > width + 4;
    node.style.transform = `translateX(${at}px)`;
  }

  clear() {
    for (const node of this.cells.values()) node.remove();
    this.cells.clear();
  }

  drawCells(lane, before, place, seen) {
    // Pixels are counted from an offset nearby: after a million records the numbers would be too large for CSS.
    if (Math.abs(place.left - this.base) > 4000 || this.px !== place.px) {
      this.clear();
      this.base = Math.floor(place.left);
      this.px = place.px;
      this.strip.classList.add("kl-log-still");
    } else this.strip.classList.remove("kl-log-still");
    this.strip.style.transform = `translateX(${(this.base - place.left) * place.px}px)`;
    const from = Math.max(0, seen.from - 2);
    const to = Math.min(lane.end, seen.to + 2);
    for (const [offset, node] of this.cells) {
      if (offset >= from && offset < to) continue;
      // Cells that left on the left still glide out of view.
      if (node !== document.activeElement || offset >= lane.end || offset < from - 4) {
        node.remove();
        this.cells.delete(offset);
      }
    }
    const fresh = place.fly && before && lane.end - (before.end ?? 0) <= FLOCK ? before.end ?? 0 : Infinity;
    for (let offset = from; offset < to; offset++) this.drawCell(lane, before, offset, fresh);
  }

  drawCell(lane, before, offset, fresh) {
    const cell = this.store.at(this.p, offset);
    const ghost = offset < lane.start;
    const fate = cell?.[9]?.tx === undefined ? null : outcome(this.store, this.p, cell, lane.end);
    const kind = ghost ? "ghost" : cell === undefined ? "unread" : cell === BLANK ? "blank" : cell === null ? "hole" : cell[1];
    const look = `${kind} ${offset >= lane.high} ${fate} ${cell === undefined ? this.store.unread : ""}`;
    let node = /** @type {any} */ (this.cells.get(offset));
    if (node && node.look === look && node.cell === cell) return;
    const was = node?.look;
    if (!node) {
      node = el("div", { role: "gridcell", tabindex: "-1", "data-o": offset });
      node.style.left = `${(offset - this.base) * this.px}px`;
      this.cells.set(offset, node);
      this.strip.append(node);
    }
    node.look = look;
    node.cell = cell;
    const classes = ["kl-log-cell", `kl-log-is-${kind}`];
    if (offset >= lane.high) classes.push("kl-log-pale");
    if (fate && fate !== "committed") classes.push(`kl-log-${fate}`);
    if (cell && cell[3] < 0) classes.push("kl-log-nokey");
    if (offset >= fresh && !ghost && !was) classes.push("kl-log-new");
    if (ghost && was && before && offset >= (before.start ?? 0)) classes.push("kl-log-eaten");
    node.className = classes.join(" ");
    node.style.setProperty("--kl-k", cell && cell[3] >= 0 ? keyColour(cell[3]) : "var(--kl-soft)");
    const sign = ghost ? "" : cell === undefined || cell === BLANK ? "" : cell === null ? "·" : shorten(cell[2], 4);
    if (node.textContent !== sign) node.textContent = sign;
    node.classList.toggle("kl-log-long", sign.length > 2 || (sign.length === 2 && /[mwMW@%]/.test(sign)));
    node.setAttribute("aria-label", sentence(this.p, offset, cell, lane, fate, this.store.unread));
  }

  drawBar(lane, place, x) {
    this.clear();
    const [a, b] = [Math.max(-2, x(lane.start)), Math.min(place.width + 2, x(lane.end))];
    const h = Math.min(b, Math.max(a, x(lane.high)));
    this.bar.style.transform = `translateX(${a}px)`;
    this.bar.style.width = `${Math.max(2, b - a)}px`;
    this.bar.style.setProperty("--kl-committed", `${h - a}px`);
    this.bar.setAttribute("aria-label", `partition ${this.p}: ${count(lane.end - lane.start)} offsets, from ${count(lane.start)} to ${count(lane.end)}`);
    this.bar.classList.toggle("kl-log-open-left", a < 0);
  }

  drawTicks(seen, place, x) {
    const digits = String(Math.max(this.lane.end, 1000)).length;
    const room = (place.near ? 22 + 7 * digits : 64) * place.scale;
    const round = ticks(seen.from, Math.max(seen.from + 1, Math.min(seen.to, this.lane.end + 1)), place.px, room);
    const wanted = place.near ? withEnds(round, this.lane, seen, place.px, room / place.px) : round;
    const key = `${wanted.join()} ${place.near}`;
    if (this.ticks.dataset.key !== key) {
      this.ticks.dataset.key = key;
      this.ticks.replaceChildren(...wanted.map((offset) => el("span", { class: "kl-log-tick", "data-o": offset }, place.near ? count(offset) : brief(offset))));
    }
    for (const node of /** @type {any} */ (this.ticks.children)) node.style.transform = `translateX(${x(Number(node.dataset.o))}px)`;
  }

  // Tells where the log is when none of it is in view.
  drawEdge(lane, seen) {
    const words = lane.end === lane.start ? (lane.end >= seen.from && lane.end <= seen.to ? "empty" : "") : "";
    const away = lane.end <= seen.from && lane.end > 0 ? `◂ its log ends at ${count(lane.end)}` : lane.start >= seen.to ? `its log starts at ${count(lane.start)} ▸` : words;
    this.edge.hidden = !away;
    if (this.edge.textContent !== away) this.edge.textContent = away;
    this.edge.classList.toggle("kl-log-right", away.endsWith("▸"));
  }
}
