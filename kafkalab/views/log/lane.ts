// The lane of a partition: draws the cells in view, or from afar a bar that stands for them, and the ends of the log.

import { clock, count, el, keyColour, partitionColour, shorten, two } from "../shared.ts";
import { brief, ticks, visible, withEnds } from "./axis.ts";
import { BLANK, outcome, UNREAD } from "./store.ts";
import type { LogStore } from "./store.ts";

// Maximum number of new records that fly in at once: more than this would be out of view before they arrive.
const FLOCK = 14;

export class LogLane {
  base = 0;
  cells: Map<number, HTMLElement> = new Map();
  lane: any = null;
  headOf: any = null;
  strip = el("div", { class: "kl-log-strip" });
  bar = el("div", { class: "kl-log-bar", role: "gridcell", tabindex: "-1", hidden: true });
  high = el("div", { class: "kl-log-high", "aria-hidden": "true" });
  stable = el("div", { class: "kl-log-stable", "aria-hidden": "true", hidden: true });
  ticks = el("div", { class: "kl-log-ticks", "aria-hidden": "true" });
  edge = el("div", { class: "kl-log-edge kl-soft", hidden: true });
  marks = el("div", { class: "kl-log-marks" });
  track = el("div", { class: "kl-log-track", role: "presentation" }, this.ticks,
    el("div", { class: "kl-log-cells", role: "presentation" }, this.strip, this.bar, this.high, this.stable, this.edge), this.marks);
  head = el("div", { class: "kl-log-head", role: "rowheader" });
  node;

  constructor(public p: string, public store: LogStore) {
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

  /** @returns the offsets in view */
  draw(lane: any, place: { left: number; px: number; width: number; near: boolean; glide: boolean; fly: boolean }): { from: number; to: number } | null {
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
    const x = (offset: number) => (offset - place.left) * place.px;
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
    let node = this.cells.get(offset) as any;
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
    for (const node of this.ticks.children as any) node.style.transform = `translateX(${x(Number(node.dataset.o))}px)`;
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

// --- The marks of a lane: draw each group's committed offset and lag, the member that holds the partition, and where members read.

/** Returns the records between the committed offset and the high watermark, at least 0: the two are read at different times. */
export function lagOf(lane, committed) {
  return committed === null || committed === undefined || lane.high === null ? null : Math.max(0, lane.high - committed);
}

/** Returns the places of a group's marker and its words. `x` is the place of the committed offset, `end` of the high
 * watermark. */
export function placed(x, end, width, wordsWidth): { at: number; off: "" | "left" | "right"; from: number; to: number; words: "right" | "left" } {
  const off = x < -3 ? "left" : x > width + 1 ? "right" : "";
  const at = Math.min(Math.max(x, 5), width - 5);
  const from = Math.min(Math.max(x, 0), width);
  return { at, off, from, to: Math.max(from, Math.min(Math.max(end, 0), width)), words: at + 10 + wordsWidth > width && at - 10 - wordsWidth > 0 ? "left" : "right" };
}

class GroupMark {
  lag = el("span", { class: "kl-log-lag" });
  sign = el("span", { class: "kl-log-committed" }, "▲");
  member = el("span", { class: "kl-log-member" });
  words = el("span", { class: "kl-log-words" });
  label = el("span", { class: "kl-log-label" }, this.words, this.member);
  node;

  constructor(public name) {
    this.node = el("div", { class: "kl-log-mark", "data-group": name }, this.lag, this.sign, this.label);
  }

  /** @param at `{committed, member}`
   * @param before the same in the last state */
  draw(lane: any, at: any, before: any, place) {
    const lag = lagOf(lane, at.committed);
    const name = shorten(this.name, 28);
    const words = at.committed === null ? `${name} · nothing committed yet` : `${name} · committed ${count(at.committed)} · lag ${lag === null ? "unknown" : count(lag)}`;
    const member = at.member === null ? "nobody" : shorten(at.member, 24);
    if (this.words.textContent !== words) this.words.textContent = words;
    if (this.member.textContent !== member) {
      this.member.textContent = member;
      this.member.title = at.member === null ? "no member of the group holds this partition" : `assigned to ${shorten(at.member, 200)}`;
      if (before && before.member !== at.member) this.handOver(before.member);
    }
    this.member.classList.toggle("kl-log-nobody", at.member === null);
    this.node.classList.toggle("kl-log-lagging", Boolean(lag));
    const hidden = at.committed === null || lane.high === null || !place;
    this.lag.hidden = this.sign.hidden = hidden;
    if (hidden) {
      this.label.style.transform = "translateX(4px)";
      return;
    }
    const x = (at.committed - place.left) * place.px;
    const spot = placed(x, (lane.high - place.left) * place.px, place.width, (words.length + member.length + 3) * 6.1 * place.scale);
    this.sign.textContent = spot.off === "left" ? "◂▲" : spot.off === "right" ? "▲▸" : "▲";
    this.sign.style.transform = `translateX(${spot.at}px) translateX(${spot.off === "left" ? "-4px" : spot.off === "right" ? "-100%" : "-50%"})`;
    this.lag.style.transform = `translateX(${spot.from}px)`;
    this.lag.style.width = `${spot.to - spot.from}px`;
    const gap = (spot.off ? 20 : 9) * place.scale;
    this.label.style.transform = spot.words === "right" ? `translateX(${spot.at + gap}px)` : `translateX(${spot.at - gap}px) translateX(-100%)`;
  }

  // Shows for a while that another member got the partition: the old name beside the new one, which comes down from above.
  handOver(from) {
    const was = el("s", { class: "kl-log-was", "aria-hidden": "true" }, from === null ? "nobody" : shorten(from, 24));
    this.label.querySelector(".kl-log-was")?.remove();
    this.label.insertBefore(was, this.member);
    this.member.classList.remove("kl-log-moved");
    void this.member.offsetWidth; // restarts the animation
    this.member.classList.add("kl-log-moved");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      was.remove();
      this.member.classList.remove("kl-log-moved");
    }, 4000);
  }
}

/** The mark of the next offset that a member will read: a pointer from above. */
class PositionMark {
  node;

  constructor(public name) {
    this.node = el("div", { class: "kl-log-position", "data-name": name }, el("span", { class: "kl-log-who" }), el("span", { class: "kl-log-point", "aria-hidden": "true" }, "▼"));
  }

  draw(offset, place) {
    const x = (offset - place.left) * place.px;
    const off = x < -3 ? "◂ " : x > place.width + 1 ? "▸ " : "";
    const said = `${off}${shorten(this.name, 20)}`;
    const who = this.node.firstChild as HTMLElement;
    if (who.textContent !== said) who.textContent = said;
    this.node.title = `${shorten(this.name, 100)} reads offset ${count(offset)} next`;
    this.node.style.transform = `translateX(${Math.min(Math.max(x, 4), place.width - 4)}px)`;
    this.node.classList.toggle("kl-log-at-right", x > place.width - 60 * place.scale);
  }
}

/** All marks of one lane, kept from draw to draw so that they move and do not jump. */
export class LaneMarks {
  groups: Map<string, GroupMark> = new Map();
  positions: Map<string, PositionMark> = new Map();

  constructor(public p) {
  }

  draw(lane, state, before, place, shown, under, above) {
    const groups = shown.filter((name) => state.groups[name]?.lanes[this.p]);
    sync(this.groups, groups, (name) => new GroupMark(name), under);
    for (const name of groups) {
      const mark = this.groups.get(name) as GroupMark;
      mark.draw(lane, state.groups[name].lanes[this.p], before?.groups[name]?.lanes[this.p], place);
    }
    const readers = place ? Object.keys(state.positions).filter((name) => state.positions[name][this.p] !== undefined) : [];
    sync(this.positions, readers, (name) => new PositionMark(name), above);
    for (const name of readers) this.positions.get(name)?.draw(state.positions[name][this.p], place);
  }
}

function sync(marks, names, make, parent) {
  for (const [name, mark] of marks) {
    if (names.includes(name)) continue;
    mark.node.remove();
    marks.delete(name);
  }
  for (const name of names) {
    if (marks.has(name)) continue;
    marks.set(name, make(name));
    parent.append(marks.get(name).node);
  }
}

// --- The words for a record: writes its card, which serves as its tooltip, and the sentence that a screen reader says of its cell.

const KINDS = { c: "transaction marker: committed", a: "transaction marker: aborted", x: "control record", u: "cannot be decoded" };

function shownKey(cell) {
  return cell[4] === null ? "null" : shorten(cell[4], 60);
}

function bytesOf(n) {
  return n < 1000 ? `${n} bytes` : n < 1e6 ? `${(n / 1e3).toFixed(1)} kB` : `${(n / 1e6).toFixed(2)} MB`;
}

// Formats a time: 14:02:09.123, with the date when it is not today.
function when(ms, now = Date.now()) {
  if (ms === null || ms < 0) return "no timestamp";
  const d = new Date(ms);
  const time = clock.ofDay(ms / 1000, 3);
  return new Date(now).toDateString() === d.toDateString() ? time : `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())} ${time}`;
}

/** Returns a sentence about an offset of a lane.
 * @param cell null: no record there; BLANK: not recorded; undefined: not read
 * @param fate the outcome of its transaction
 * @param unread the words for a record that was not read */
function sentence(p: string, offset: number, cell: any, lane: any, fate: string | null, unread: string = UNREAD) {
  const place = `partition ${p}, offset ${count(offset)}`;
  if (offset < lane.start) return `${place}: deleted, the log starts at ${count(lane.start)}`;
  if (offset >= lane.end) return `${place}: not written yet`;
  const pale = offset >= lane.high ? ", written but not committed yet" : "";
  if (cell === undefined) return `${place}: ${unread}${pale}`;
  if (cell === BLANK) return `${place}: not recorded`;
  if (cell === null) return `${place}: no record, it was compacted away`;
  if (KINDS[cell[1]]) return `${place}: ${KINDS[cell[1]]}`;
  const value = cell[5] === null ? "null, a tombstone" : shorten(cell[5], 120);
  const transaction = fate === "aborted" ? ", of an aborted transaction" : fate === "open" ? ", of a transaction still open" : "";
  // The sign on the cell must be part of its name: people who control the page by voice say what they see.
  const sign = cell[4] === null || cell[2] === cell[4] ? "" : `, drawn as ${shorten(cell[2], 4)}`;
  return `${place}: key ${shownKey(cell)}${sign}, value ${value}, ${when(cell[6])}, ${bytesOf(cell[7])}${transaction}${pale}`;
}

/** Returns the card of an offset: everything known about its record, as a list of terms. */
export function card(p, offset, cell, lane, fate, unread = UNREAD) {
  const rows = [];
  const add = (term, ...words) => rows.push(el("dt", {}, term), el("dd", {}, ...words));
  if (cell && !KINDS[cell[1]]) {
    add("key", cell[4] === null ? el("i", {}, "null: no key, any partition") : el("bdi", {}, shorten(cell[4], 160)));
    add("value", cell[5] === null ? el("i", {}, "null: a tombstone, compaction deletes the key") : el("bdi", { class: "kl-mono" }, shorten(cell[5], 160)));
    for (const [name, value] of cell[8] ?? []) {
      add("header", el("bdi", {}, shorten(name, 60)), " = ", value === null ? el("i", {}, "null") : el("bdi", { class: "kl-mono" }, shorten(value, 80)));
    }
    add("time", `${when(cell[6])}, ${cell[9]?.appended ? "by the broker" : "by the producer"}`);
    const batch = cell[9]?.batch === undefined ? "" : ` · batch from ${count(cell[9].batch)}${cell[9].codec ? `, ${cell[9].codec}` : ""}`;
    add("size", `${bytesOf(cell[7])}${batch}`);
    if (fate) add("transaction", `of producer ${cell[9].tx}, ${fate === "open" ? "no marker seen yet" : fate}`);
  } else if (cell && cell[1] === "u") {
    add("bytes", shorten(cell[5] ?? "", 160));
  } else if (cell) {
    add("marker", `${KINDS[cell[1]]}${cell[9]?.tx === undefined ? "" : `, producer ${cell[9].tx}`}`);
  }
  return [
    el("div", { class: "kl-log-card-head" }, el("b", {}, `P${p} · offset ${count(offset)}`), el("span", { class: "kl-soft" }, standing(offset, cell, lane, unread))),
    rows.length ? el("dl", {}, rows) : null,
  ];
}

function standing(offset, cell, lane, unread) {
  if (offset < lane.start) return "deleted: before the log start";
  if (cell === BLANK) return "not recorded: what was here, the recording does not hold";
  if (offset >= lane.high) return "written, not committed: a follower in the ISR lacks it";
  if (cell === undefined) return unread;
  if (cell === null) return "no record: compacted away";
  return "committed";
}
