// The lane of a partition: draws the cells in view, or from afar a bar that stands for them, and the ends of the log.

import { clock, count, el, keeper, keyColour, partitionColour, shorten, two } from "../shared.ts";
import { brief, known, ticks, visible, withEnds } from "./axis.ts";
import { write } from "./bar.ts";
import { BLANK, outcome } from "./store.ts";
import type { Known, Place, Range } from "./axis.ts";
import type { Cell, Fate, Found, LogStore } from "./store.ts";
import type { GroupLane, Lane, Picture } from "./picture";

// Maximum number of new records that fly in at once: more than this would be out of view before they arrive.
const FLOCK = 14;

type CellNode = HTMLElement & { look?: string; cell?: Found };

export class LogLane {
  base = 0;
  px = 0;
  cells = new Map<number, CellNode>();
  lane: Lane | undefined;
  headOf: Lane | undefined;
  strip = el("div", { class: "kl-log-strip" });
  bar = el("div", { class: "kl-log-bar", role: "gridcell", tabindex: "-1", hidden: true });
  high = el("div", { class: "kl-log-high", "aria-hidden": "true" });
  stable = el("div", { class: "kl-log-stable", "aria-hidden": "true", hidden: true });
  ticks = el("div", { class: "kl-log-ticks", "aria-hidden": "true" });
  edge = el("div", { class: "kl-log-edge kl-soft", hidden: true });
  marks = el("div", { class: "kl-log-marks" });
  readers = el("div", { class: "kl-log-readers" });
  track = el("div", { class: "kl-log-track", role: "presentation" }, this.readers, this.ticks,
    el("div", { class: "kl-log-cells", role: "presentation" }, this.strip, this.bar, this.high, this.stable, this.edge), this.marks);
  head = el("div", { class: "kl-log-head", role: "rowheader" });
  node = el("div", { class: "kl-log-lane", role: "row" }, this.head, this.track);
  drawMarks = keeper(this.marks, ({ name }: Mark) => name, ({ name }) => groupMark(name));
  drawReaders = keeper(this.readers, ({ name }: Reader) => name, ({ name }) => positionMark(name));

  constructor(public p: string, public store: LogStore) {
    this.node.dataset.p = p;
    this.node.style.setProperty("--kl-c", partitionColour(Number(p)));
  }

  /** Draws the lane's head: the partition's leader, and the first and last offset of its log. */
  drawHead(lane: Lane) {
    const was = this.headOf;
    if (was && (["leader", "alive", "start", "high", "end", "isr"] as const).every((name) => was[name] === lane[name])) return;
    this.headOf = lane;
    const { leader, start, end } = lane;
    const sign = leader === null ? "no leader" : lane.alive ? `♛ ${leader}` : `✕ ${leader}`;
    const span = !known(lane) ? "offsets unknown" : start === end ? "empty" : `${brief(lane.start)} … ${brief(lane.end - 1)}`;
    const exact = known(lane) ? `, log start ${count(lane.start)}, high watermark ${count(lane.high)}, log end ${count(lane.end)}` : "";
    const said = `${leader === null ? "no leader" : `leader ${leader}`}${exact}`;
    this.head.replaceChildren(
      el("b", { class: "kl-log-p" }, `P${this.p}`), el("span", { class: "kl-log-leader", "aria-hidden": "true" }, sign),
      el("span", { class: "kl-log-span kl-soft", "aria-hidden": "true" }, span), el("span", { class: "kl-hidden" }, said));
    this.head.title = `partition ${this.p}: ${said}\nreplicas ${lane.replicas.join(", ")} · in sync ${lane.isr.join(", ") || "none"}`;
  }

  /** Draws the lane with the marks of groups and readers; returns the offsets in view. */
  draw(state: Picture, groups: string[], place: Place): Range | null {
    const lane = state.lanes[this.p];
    this.drawHead(lane);
    const before = this.lane;
    this.lane = lane;
    const marks = groups.filter((name) => state.groups[name]?.[this.p]).map((name) => ({ name, at: state.groups[name][this.p], lane, place }));
    const readers = Object.entries(state.positions).filter(([, at]) => at[this.p] !== undefined).map(([name, at]) => ({ name, offset: at[this.p], place }));
    this.drawMarks(marks);
    this.drawReaders(known(lane) ? readers : []);
    this.node.classList.toggle("kl-log-unknown", !known(lane));
    if (!known(lane)) {
      this.clear();
      this.edge.hidden = false;
      write(this.edge, lane.leader === null ? "no leader that could say what it holds" : "its leader does not answer");
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
    this.line(this.high, x(lane.high) - 1, place.width);
    this.line(this.stable, x(lane.stable ?? NaN) - 1, place.width);
    this.drawTicks(lane, seen, place, x);
    this.drawEdge(lane, seen);
    return seen;
  }

  line(node: HTMLElement, at: number, width: number) {
    node.hidden = !(at >= -4 && at <= width + 4);
    node.style.transform = `translateX(${at}px)`;
  }

  clear() {
    for (const node of this.cells.values()) node.remove();
    this.cells.clear();
  }

  drawCells(lane: Known, before: Lane | undefined, place: Place, seen: Range) {
    // Pixels are counted from an offset nearby: after a million records the numbers would be too large for CSS.
    const anew = Math.abs(place.left - this.base) > 4000 || this.px !== place.px;
    if (anew) {
      this.clear();
      this.base = Math.floor(place.left);
      this.px = place.px;
    }
    this.strip.classList.toggle("kl-log-still", anew);
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

  drawCell(lane: Known, before: Lane | undefined, offset: number, fresh: number) {
    const { p, store } = this;
    const cell = store.at(p, offset);
    const ghost = offset < lane.start;
    const fate = outcome(store, p, cell, lane.end);
    const kind = ghost ? "ghost" : cell === undefined ? "unread" : cell === BLANK ? "blank" : cell === null ? "hole" : cell[1];
    const look = `${kind} ${offset >= lane.high} ${fate} ${cell === undefined ? store.unread : ""}`;
    const node: CellNode = this.cells.get(offset) ?? el("div", { role: "gridcell", tabindex: "-1", "data-o": offset });
    if (node.look === look && node.cell === cell) return;
    const was = node.look;
    if (!was) {
      node.style.left = `${(offset - this.base) * this.px}px`;
      this.cells.set(offset, node);
      this.strip.append(node);
    }
    node.look = look;
    node.cell = cell;
    const sign = ghost || !cell ? (cell === null && !ghost ? "·" : "") : shorten(cell[2], 4);
    const colour = cell ? cell[3] : 0;
    const classes = ["kl-log-cell", `kl-log-is-${kind}`];
    if (offset >= lane.high) classes.push("kl-log-pale");
    if (fate && fate !== "committed") classes.push(`kl-log-${fate}`);
    if (colour < 0) classes.push("kl-log-nokey");
    if (offset >= fresh && !ghost && !was) classes.push("kl-log-new");
    if (ghost && was && before && offset >= (before.start ?? 0)) classes.push("kl-log-eaten");
    if (sign.length > 2 || (sign.length === 2 && /[mwMW@%]/.test(sign))) classes.push("kl-log-long");
    node.className = classes.join(" ");
    node.style.setProperty("--kl-k", cell && colour >= 0 ? keyColour(colour) : "var(--kl-soft)");
    write(node, sign);
    node.setAttribute("aria-label", sentence(p, offset, cell, lane, fate, store.unread));
  }

  drawBar(lane: Known, place: Place, x: (offset: number) => number) {
    this.clear();
    const [a, b] = [Math.max(-2, x(lane.start)), Math.min(place.width + 2, x(lane.end))];
    const h = Math.min(b, Math.max(a, x(lane.high)));
    this.bar.style.transform = `translateX(${a}px)`;
    this.bar.style.width = `${Math.max(2, b - a)}px`;
    this.bar.style.setProperty("--kl-committed", `${h - a}px`);
    this.bar.setAttribute("aria-label", `partition ${this.p}: ${count(lane.end - lane.start)} offsets, from ${count(lane.start)} to ${count(lane.end)}`);
    this.bar.classList.toggle("kl-log-open-left", a < 0);
  }

  drawTicks(lane: Known, seen: Range, place: Place, x: (offset: number) => number) {
    const digits = String(Math.max(lane.end, 1000)).length;
    const room = (place.near ? 22 + 7 * digits : 64) * place.scale;
    const round = ticks(seen.from, Math.max(seen.from + 1, Math.min(seen.to, lane.end + 1)), place.px, room);
    const wanted = place.near ? withEnds(round, lane, seen, place.px, room / place.px) : round;
    const key = `${wanted.join()} ${place.near}`;
    if (this.ticks.dataset.key !== key) {
      this.ticks.dataset.key = key;
      this.ticks.replaceChildren(...wanted.map((offset) => el("span", { class: "kl-log-tick" }, place.near ? count(offset) : brief(offset))));
    }
    for (const [i, node] of [...this.ticks.children].entries()) (node as HTMLElement).style.transform = `translateX(${x(wanted[i])}px)`;
  }

  /** Tells where the log is when none of it is in view. */
  drawEdge(lane: Known, seen: Range) {
    const words = lane.end === lane.start ? (lane.end >= seen.from && lane.end <= seen.to ? "empty" : "") : "";
    const away = lane.end <= seen.from && lane.end > 0 ? `◂ its log ends at ${count(lane.end)}` : lane.start >= seen.to ? `its log starts at ${count(lane.start)} ▸` : words;
    this.edge.hidden = !away;
    write(this.edge, away);
    this.edge.classList.toggle("kl-log-right", away.endsWith("▸"));
  }
}

// --- The marks of a lane: draw each group's committed offset and lag, the member that holds the partition, and where members read.

type Mark = { name: string; at: GroupLane; lane: Lane; place: Place };
type Reader = { name: string; offset: number; place: Place };

/** Returns the places of a group's marker and its words. `x` is the place of the committed offset, `end` of the high
 * watermark. */
export function placed(x: number, end: number, width: number, wordsWidth: number) {
  const off = x < -3 ? "left" : x > width + 1 ? "right" : "";
  const at = Math.min(Math.max(x, 5), width - 5);
  const from = Math.min(Math.max(x, 0), width);
  return { at, off, from, to: Math.max(from, Math.min(Math.max(end, 0), width)), words: at + 10 + wordsWidth > width && at - 10 - wordsWidth > 0 ? "left" : "right" };
}

function groupMark(group: string) {
  const lagging = el("span", { class: "kl-log-lag" });
  const sign = el("span", { class: "kl-log-committed" }, "▲");
  const member = el("span", { class: "kl-log-member" });
  const words = el("span", { class: "kl-log-words" });
  const label = el("span", { class: "kl-log-label" }, words, member);
  const name = shorten(group, 28);
  let held: string | null | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** Shows for a while that another member got the partition: the old name beside the new one, which comes down from above. */
  function handOver(from: string | null) {
    const was = el("s", { class: "kl-log-was", "aria-hidden": "true" }, from === null ? "nobody" : shorten(from, 24));
    label.querySelector(".kl-log-was")?.remove();
    label.insertBefore(was, member);
    member.classList.remove("kl-log-moved");
    void member.offsetWidth; // restarts the animation
    member.classList.add("kl-log-moved");
    clearTimeout(timer);
    timer = setTimeout(() => {
      was.remove();
      member.classList.remove("kl-log-moved");
    }, 4000);
  }

  return {
    node: el("div", { class: "kl-log-mark", "data-group": group }, lagging, sign, label),
    draw({ at, lane, place }: Mark) {
      // At least 0: the two are read at different times.
      const lag = at.committed === null || lane.high === null ? null : Math.max(0, lane.high - at.committed);
      write(words, at.committed === null ? `${name} · nothing committed yet` : `${name} · committed ${count(at.committed)} · lag ${lag === null ? "unknown" : count(lag)}`);
      if (held !== at.member) {
        write(member, at.member === null ? "nobody" : shorten(at.member, 24));
        member.title = at.member === null ? "no member of the group holds this partition" : `assigned to ${shorten(at.member, 200)}`;
        if (held !== undefined) handOver(held);
        held = at.member;
      }
      member.classList.toggle("kl-log-nobody", at.member === null);
      lagging.hidden = sign.hidden = lag === null;
      if (at.committed === null || lane.high === null) {
        label.style.transform = "translateX(4px)";
        return;
      }
      const letters = `${words.textContent}${member.textContent}`.length + 3;
      const x = (at.committed - place.left) * place.px;
      const spot = placed(x, (lane.high - place.left) * place.px, place.width, letters * 6.1 * place.scale);
      sign.textContent = spot.off === "left" ? "◂▲" : spot.off === "right" ? "▲▸" : "▲";
      sign.style.transform = `translateX(${spot.at}px) translateX(${spot.off === "left" ? "-4px" : spot.off === "right" ? "-100%" : "-50%"})`;
      lagging.style.transform = `translateX(${spot.from}px)`;
      lagging.style.width = `${spot.to - spot.from}px`;
      const gap = (spot.off ? 20 : 9) * place.scale;
      label.style.transform = spot.words === "right" ? `translateX(${spot.at + gap}px)` : `translateX(${spot.at - gap}px) translateX(-100%)`;
    },
  };
}

/** The mark of the next offset that a member will read: a pointer from above. */
function positionMark(name: string) {
  const who = el("span", { class: "kl-log-who" });
  const node = el("div", { class: "kl-log-position", "data-name": name }, who, el("span", { class: "kl-log-point", "aria-hidden": "true" }, "▼"));
  return {
    node,
    draw({ offset, place }: Reader) {
      const x = (offset - place.left) * place.px;
      write(who, `${x < -3 ? "◂ " : x > place.width + 1 ? "▸ " : ""}${shorten(name, 20)}`);
      node.title = `${shorten(name, 100)} reads offset ${count(offset)} next`;
      node.style.transform = `translateX(${Math.min(Math.max(x, 4), place.width - 4)}px)`;
      node.classList.toggle("kl-log-at-right", x > place.width - 60 * place.scale);
    },
  };
}

// --- The words for a record: writes its card, which serves as its tooltip, and the sentence that a screen reader says of its cell.

const KINDS: Partial<Record<Cell[1], string>> = {
  c: "transaction marker: committed", a: "transaction marker: aborted", x: "control record", u: "cannot be decoded",
};

function bytesOf(n: number) {
  return n < 1000 ? `${n} bytes` : n < 1e6 ? `${(n / 1e3).toFixed(1)} kB` : `${(n / 1e6).toFixed(2)} MB`;
}

/** Formats a time: 14:02:09.123, with the date when it is not today. */
function when(ms: number | null) {
  if (ms === null || ms < 0) return "no timestamp";
  const d = new Date(ms);
  const time = clock.ofDay(ms / 1000, 3);
  return new Date().toDateString() === d.toDateString() ? time : `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())} ${time}`;
}

/** Returns a sentence about an offset of a lane.
 * @param fate the outcome of its transaction
 * @param unread the words for a record that was not read */
function sentence(p: string, offset: number, cell: Found, lane: Known, fate: Fate, unread: string) {
  const place = `partition ${p}, offset ${count(offset)}`;
  if (offset < lane.start) return `${place}: deleted, the log starts at ${count(lane.start)}`;
  const pale = offset >= lane.high ? ", written but not committed yet" : "";
  if (cell === undefined) return `${place}: ${unread}${pale}`;
  if (cell === BLANK) return `${place}: not recorded`;
  if (cell === null) return `${place}: no record, it was compacted away`;
  const [, kind, sign, , key, value, time, size] = cell;
  if (KINDS[kind]) return `${place}: ${KINDS[kind]}`;
  const transaction = fate === "aborted" ? ", of an aborted transaction" : fate === "open" ? ", of a transaction still open" : "";
  // The sign on the cell must be part of its name: people who control the page by voice say what they see.
  const drawn = key === null || sign === key ? "" : `, drawn as ${shorten(sign, 4)}`;
  const said = value === null ? "null, a tombstone" : shorten(value, 120);
  return `${place}: key ${key === null ? "null" : shorten(key, 60)}${drawn}, value ${said}, ${when(time)}, ${bytesOf(size)}${transaction}${pale}`;
}

/** Returns the card of an offset: everything known about its record, as a list of terms. */
export function card(p: string, offset: number, cell: Found, lane: Known, fate: Fate, unread: string) {
  const rows: HTMLElement[] = [];
  const add = (term: string, ...words: (Node | string)[]) => rows.push(el("dt", {}, term), el("dd", {}, ...words));
  const text = (given: string | null, limit: number, none: string) => (given === null ? el("i", {}, none) : el("bdi", { class: "kl-mono" }, shorten(given, limit)));
  if (cell) {
    const [, kind, , , key, value, time, size, headers, more] = cell;
    if (!KINDS[kind]) {
      add("key", key === null ? el("i", {}, "null: no key, any partition") : el("bdi", {}, shorten(key, 160)));
      add("value", text(value, 160, "null: a tombstone, compaction deletes the key"));
      for (const [name, header] of headers ?? []) add("header", el("bdi", {}, shorten(name, 60)), " = ", text(header, 80, "null"));
      add("time", `${when(time)}, ${more?.appended ? "by the broker" : "by the producer"}`);
      const batch = more?.batch === undefined ? "" : ` · batch from ${count(more.batch)}${more.codec ? `, ${more.codec}` : ""}`;
      add("size", `${bytesOf(size)}${batch}`);
      if (fate) add("transaction", `of producer ${more?.tx}, ${fate === "open" ? "no marker seen yet" : fate}`);
    } else if (kind === "u") add("bytes", shorten(value ?? "", 160));
    else add("marker", `${KINDS[kind]}${more?.tx === undefined ? "" : `, producer ${more.tx}`}`);
  }
  return [
    el("div", { class: "kl-log-card-head" }, el("b", {}, `P${p} · offset ${count(offset)}`), el("span", { class: "kl-soft" }, standing(offset, cell, lane, unread))),
    ...(rows.length ? [el("dl", {}, rows)] : []),
  ];
}

function standing(offset: number, cell: Found, lane: Known, unread: string) {
  if (offset < lane.start) return "deleted: before the log start";
  if (cell === BLANK) return "not recorded: what was here, the recording does not hold";
  if (offset >= lane.high) return "written, not committed: a follower in the ISR lacks it";
  if (cell === undefined) return unread;
  return cell === null ? "no record: compacted away" : "committed";
}
