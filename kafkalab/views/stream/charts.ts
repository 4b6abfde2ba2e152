// The charts of StreamView: draw rows a second, the phases of each batch, its event times, and the state it keeps. Each chart
// depends on the scene alone, and comes with a sentence that says the same.

import { ticks, timeStep } from "../axis.ts";
import { clock, count, el, partitionColour, partitionInk, shorten } from "../shared.ts";
import { axis, brief, bytes, delay, even, falls, held, laneRanges, lasting, shortMs, timesOf, utc } from "./scale.ts";
import type { Batch, Picture } from "./picture";
import type { Axis, slots } from "./scale.ts";

export const PHASES = ["latestOffset", "getBatch", "queryPlanning", "walCommit", "addBatch", "commitOffsets", "other"];

/** The batches of a chart: `slots.shown` has their numbers, and `last` is the newest. */
export interface Scene extends Pick<Picture, "trigger" | "marks"> {
  width: number;
  scale: number;
  slots: ReturnType<typeof slots>;
  shown: Batch[];
  last: Batch;
  chosen: number;
  hatch: (name: string) => string;
}
/** The plots of a chart, each with its title. */
type Chart = { plots: [string, Plot][]; words: string };

/** Draws the rows that arrive and the rows that are processed, per second. */
export function ratesChart(scene: Scene): Chart {
  const { shown, last } = scene, behind = shown.map((b) => falls(b, scene.trigger));
  const p = new Plot(scene, 168, axis(shown.flatMap((b) => [b.arriving, b.processed])), brief), { k } = p;
  // Where more rows arrive than are processed, the query falls behind.
  behind.forEach((yes, i) => yes && p.bar("over", "kl-st-over", p.x(i) - p.wide / 2, p.wide, p.base, p.head));
  const diamond = (x: number, y: number) => el("path", { d: `M${x} ${y - 3.6 * k}l${3.6 * k} ${3.6 * k}l${-3.6 * k} ${3.6 * k}l${-3.6 * k} ${-3.6 * k}z` });
  const dot = (x: number, y: number) => el("circle", { cx: x, cy: y, r: 2.6 * k });
  for (const [name, mark] of [["processed", diamond], ["arriving", dot]] as const) {
    p.line(name, shown.map((b) => b[name]));
    if (p.wide > 7 * k) p.node.append(el("g", { class: `kl-st-mark kl-st-${name}` }, shown.map((b, i) => mark(p.x(i), p.y(b[name])))));
  }
  p.peak(shown.map((b) => Math.max(b.arriving, b.processed)));
  return {
    plots: [["", p]],
    words: `Of the last ${shown.length} batches: the newest had ${count(Math.round(last.arriving))} rows a second arriving and could process ${count(Math.round(last.processed))}; in ${behind.filter(Boolean).length} more arrived than went through.`,
  };
}

/** Draws the time of each batch by phases, and the trigger's interval as a line. */
export function phasesChart(scene: Scene): Chart {
  const { shown, last, trigger } = scene, k = scene.scale;
  const every = trigger.kind === "processing time" ? trigger.every_ms : null;
  const took = shown.map((b) => b.ms);
  // A trigger far longer than any batch is only named in words: a line for it would flatten the bars.
  const drawn = every && every <= 4 * Math.max(1, ...took) ? every : 0;
  const p = new Plot(scene, 190, axis(took, drawn * 1.08), shortMs), wide = 2 * p.half;
  shown.forEach((batch, i) => {
    let done = 0;
    for (const phase of PHASES) {
      const ms = batch.phases[phase] ?? 0;
      if (done < p.top) p.bar(phase, `kl-st-phase kl-st-phase-${phase}`, p.x(i) - p.half, wide, p.y(done), p.y(done + ms), `batch ${scene.slots.shown[i]}, ${phase}: ${shortMs(ms)}`);
      done += ms;
    }
    if (batch.ms <= p.top) return;
    // The bar is too high for the axis: it is cut, with its value in words.
    const x = p.x(i), quarter = (p.half + 1) / 2, zag = `l${quarter} ${-4 * k}l${quarter} ${4 * k}`;
    p.node.append(el("path", { class: "kl-st-cut", d: `M${x - 2 * quarter} ${p.head + 5 * k}${zag}${zag}` }),
      el("text", { class: "kl-st-text", x: x + 2 * quarter + 3 * k, y: p.head + 9 * k }, shortMs(batch.ms)));
  });
  if (drawn) {
    p.node.append(el("line", { class: "kl-st-trigger", x1: p.left, x2: p.right, y1: p.y(drawn), y2: p.y(drawn) }));
    p.label(p.right, p.y(drawn) - 5 * k, `trigger: every ${even(drawn)}`, true);
  }
  const longest = PHASES.reduce((a, b) => ((last.phases[b] ?? 0) > (last.phases[a] ?? 0) ? b : a));
  const late = every ? ` ${took.filter((ms) => ms > every).length} of ${shown.length} batches took longer than the trigger's ${even(every)}.` : "";
  return { plots: [["", p]], words: `The newest batch took ${shortMs(last.ms)}, ${shortMs(last.phases[longest] ?? 0)} of it in ${longest}.${late}` };
}

/** Draws what the state operators hold between batches: rows, changes by each batch, and memory. */
export function stateChart(scene: Scene): Chart {
  const { shown, last } = scene;
  const [total, updated, removed, memory] = (["total", "updated", "removed", "bytes"] as const).map((name) => shown.map((b) => held(b, name)));
  // A low chart has room for two ticks only.
  const low = (height: number, values: number[], format: Format, times = false) => {
    const { top } = axis(values);
    return new Plot(scene, height, { top, ticks: [0, top] }, format, times);
  };
  const rows = low(92, total, brief), changes = low(62, [...updated, ...removed], brief), size = low(74, memory, bytes, true);
  if (shown.length > 1) rows.node.append(el("path", { class: "kl-st-area", d: `${rows.path(total)}L${rows.x(shown.length - 1)} ${rows.base}L${rows.x(0)} ${rows.base}z` }));
  rows.line("total", total);
  rows.peak(total);
  shown.forEach((_, i) => {
    changes.bar("updated", "kl-st-updated", changes.x(i) - changes.half, changes.half - 0.5, changes.base, changes.y(updated[i]));
    changes.bar("removed", "kl-st-removed", changes.x(i) + 0.5, changes.half - 0.5, changes.base, changes.y(removed[i]));
  });
  changes.peak(shown.map((_, i) => Math.max(updated[i], removed[i])));
  size.line("memory", memory);
  size.peak(memory);
  return {
    plots: [["rows kept", rows], ["rows updated and removed by a batch", changes], ["memory", size]],
    words: `After batch ${scene.slots.shown.at(-1)} the state holds ${count(held(last, "total"))} rows in ${bytes(held(last, "bytes"))}; the batch updated ${count(held(last, "updated"))} and removed ${count(held(last, "removed"))}.`,
  };
}

/** Draws the event times of each batch's rows, and the watermark, below which rows are too late. */
export function watermarkChart(scene: Scene): Chart | null {
  const { shown, slots } = scene, events = shown.map(timesOf);
  const seen = events.flatMap(({ max, avg, watermark }) => [max, avg, watermark]).filter(Number.isFinite);
  if (!seen.length) return null;
  // Late rows may be hours behind, so the chart does not reach down to them, and marks batches that have some.
  const low = Math.min(...seen), high = Math.max(...seen), room = Math.max(1, high - low);
  const [bottom, top] = [low - 0.14 * room, high + 0.06 * room];
  const p = new Plot(scene, 240, { bottom, top, ticks: ticks(bottom, top, timeStep(Math.max(1, room / 3))) }, utc), { k, wide } = p;
  let band = "", steps = "", late = 0;
  events.forEach(({ max, watermark }, i) => {
    if (!Number.isFinite(watermark)) return;
    // The band between the two lines shows how long a window waits for late rows.
    if (Number.isFinite(max)) band += `M${p.x(i) - wide / 2} ${p.y(max)}h${wide}V${p.y(watermark)}h${-wide}z`;
    // The watermark only changes between two batches, so it is drawn in steps.
    steps += `${steps ? "L" : "M"}${p.x(i) - wide / 2} ${p.y(watermark)}h${wide}`;
  });
  p.node.append(el("path", { class: "kl-st-wait", d: band }));
  events.forEach(({ min, max, avg }, i) => {
    if (!Number.isFinite(max)) return;
    const x = p.x(i);
    p.node.append(el("line", { class: "kl-st-range", x1: x, x2: x, y1: p.y(max), y2: p.y(min) }));
    if (min < bottom) p.node.append(el("path", { class: "kl-st-below", d: `M${x - 3 * k} ${p.base - 5 * k}l${3 * k} ${5 * k}l${3 * k} ${-5 * k}` }));
    if (wide > 7 * k) p.node.append(el("circle", { class: "kl-st-avg", cx: x, cy: p.y(avg), r: 2.2 * k }));
  });
  p.line("newest", events.map(({ max }) => max));
  p.node.append(el("path", { class: "kl-st-line kl-st-watermark", d: steps }));
  shown.forEach((batch, i) => {
    if (!batch.late) return;
    late += batch.late;
    const s = 3.2 * k, y = p.base - 8 * k;
    p.node.append(el("path", { class: "kl-st-late", d: `M${p.x(i) - s} ${y - s}l${2 * s} ${2 * s}m0 ${-2 * s}l${-2 * s} ${2 * s}` },
      el("title", {}, `batch ${slots.shown[i]}: ${count(batch.late)} dropped as too late`)));
  });
  const at = events.findLastIndex(({ watermark }) => Number.isFinite(watermark)), gap = at < 0 ? null : delay(shown[at]);
  if (gap !== null) p.label(p.x(at) + wide / 2, Math.min(p.base - 18 * k, p.y(events[at].watermark) + 17 * k), `↕ ${lasting(gap)} behind`, true);
  const behind = gap === null ? "" : `, ${lasting(gap)} behind the newest event time of its batch`;
  const times = at < 0 ? "no watermark yet" : `the watermark is ${utc(events[at].watermark)}${behind}`;
  return { plots: [["", p]], words: `Event time in UTC: ${times}; ${count(late)} rows dropped as too late in the batches shown.` };
}

// Pixels beside a plot, at scale 1; the ticks' numbers are at the left.
export const LEFT = 56;
export const RIGHT = 8;

type Format = (value: number) => string;

/** The frame of a chart: ticks at the left, times below, a slot for each batch, and marks on the chosen one and on moments. All
 * charts have the same slots, so that a batch is at the same place in each. */
class Plot {
  k = this.scene.scale;
  wide = this.scene.slots.wide;
  half = Math.min(13 * this.k, this.wide * 0.36); // of a bar's width
  left = LEFT * this.k;
  right = this.scene.width - RIGHT * this.k;
  head = 8 * this.k;
  base = (this.height - (this.times ? 20 : 6)) * this.k;
  top = this.axis.top;
  node = el("svg", { class: "kl-st-plot", width: this.scene.width, height: this.height * this.k, viewBox: `0 0 ${this.scene.width} ${this.height * this.k}`, role: "img" });

  constructor(readonly scene: Scene, readonly height: number, readonly axis: Axis, readonly format: Format, readonly times = true) {
    const { k, head, base } = this, at = scene.slots.shown.indexOf(scene.chosen);
    if (at >= 0) this.node.append(el("rect", { class: "kl-st-chosen", x: this.x(at) - this.wide / 2, width: this.wide, y: head - 4 * k, height: base - head + 4 * k, rx: 3 }));
    for (const tick of axis.ticks) {
      const y = this.y(tick);
      this.node.append(el("line", { class: "kl-st-grid", x1: this.left, x2: this.right, y1: y, y2: y }),
        el("text", { class: "kl-st-soft", x: this.left - 6 * k, y: y + 4 * k, "text-anchor": "end" }, format(tick)));
    }
    // The times of day of as many batches as have room.
    const every = Math.max(1, Math.ceil((74 * k) / this.wide)), room = 26 * k;
    for (let i = scene.shown.length - 1; times && this.x(i) > room && i >= 0; i -= every) {
      const last = this.x(i) + room > scene.width;
      this.node.append(el("text", { class: "kl-st-soft", x: last ? scene.width - 1 : this.x(i), y: base + 14 * k, "text-anchor": last ? "end" : "middle" }, clock.ofDay(scene.shown[i].at)));
    }
  }

  x(i: number) {
    return this.left + this.scene.slots.middle(i);
  }

  y(value: number) {
    const { top, bottom = 0 } = this.axis;
    return this.base - ((Math.min(top, Math.max(bottom, value)) - bottom) / (top - bottom || 1)) * (this.base - this.head);
  }

  /** Returns a line through the batches that have a value, with a gap at those without. */
  path(values: number[]) {
    return values.map((v, i) => (Number.isFinite(v) ? `${Number.isFinite(values[i - 1]) ? "L" : "M"}${this.x(i).toFixed(1)} ${this.y(v).toFixed(1)}` : "")).join("");
  }

  line(name: string, values: number[]) {
    this.node.append(el("path", { class: `kl-st-line kl-st-${name}`, d: this.path(values) }));
  }

  /** Draws a bar with a pattern, unless it is too low to be seen. */
  bar(pattern: string, kind: string, x: number, width: number, low: number, high: number, title = "") {
    if (low - high > 0.2) this.node.append(el("rect", { class: kind, x, width, y: high, height: low - high, fill: this.scene.hatch(pattern) }, title && el("title", {}, title)));
  }

  label(x: number, y: number, words: string, end: boolean) {
    this.node.append(el("text", { class: "kl-st-text kl-st-halo", x, y, "text-anchor": end ? "end" : "start" }, words));
  }

  /** Writes the highest value, if it is above the axis, at the place where it would be. */
  peak(values: number[]) {
    const most = Math.max(...values), x = this.x(values.indexOf(most)), late = x > this.right - 60 * this.k;
    if (most > this.top) this.label(x + (late ? -6 : 6) * this.k, this.head + 9 * this.k, `↑ ${this.format(most)}`, late);
  }

  /** Returns the node with its description, and with the marked moments over what was drawn. */
  finished(words: string) {
    const { k, head } = this, group = el("g", { class: "kl-st-moments" });
    this.node.setAttribute("aria-label", words);
    for (const [i, mark] of this.scene.marks.entries()) {
      const x = this.#placed(mark.at);
      if (x === null) continue;
      const late = x > this.right - 150 * k;
      group.append(el("line", { class: "kl-st-moment", x1: x, x2: x, y1: head - 4 * k, y2: this.base }));
      if (this.height > 150) {
        group.append(el("text", { class: "kl-st-text kl-st-halo", x: x + (late ? -5 : 5) * k, y: head + (22 + 14 * (i % 3)) * k, "text-anchor": late ? "end" : "start" }, `✕ ${mark.words}`));
      }
    }
    this.node.append(group);
    return this.node;
  }

  /** Returns where a moment lies: within the slot of the batch that was under way then; null before the first one. */
  #placed(when: number) {
    const { shown } = this.scene, i = shown.findLastIndex((b) => b.at <= when);
    if (i < 0) return null;
    const began = shown[i].at, ends = shown[i + 1]?.at ?? began + shown[i].ms / 1000;
    return this.x(i) - this.wide / 2 + this.wide * Math.min(1, (when - began) / Math.max(0.001, ends - began));
  }
}

// --- The lanes of StreamView: draw the offsets of each partition that the last batches read, and the records that still wait.

export const BATCHES = 12;

export function lanesChart({ batches, lanes, unread }: Picture, width: number, scale: number, numbers: number[], chosen: number) {
  const k = scale, keys = Object.keys(lanes), newest = chosen === numbers.at(-1);
  const shown = numbers.filter((n) => n <= chosen).slice(-BATCHES);
  const { lanes: drawn, span, waiting } = laneRanges(batches, shown, keys);
  const topics = new Set(keys.map((key) => `${lanes[key].source} ${lanes[key].topic}`));
  // Nobody knows how much the first batch of a query read: its box has one width in all lanes.
  const first = drawn.some((lane) => lane.ranges[0]?.open) ? 24 * k : 0;
  const left = 44 * k + first, words = Math.min(190 * k, width * 0.3), high = 24 * k, gap = 9 * k;
  // Waiting records are drawn on the scale of those read, unless they are far more: then they get a third of the lane.
  const space = width - left - words - 14 * k, fits = waiting <= span / 2;
  const read = space * (fits ? span / (span + waiting) : 2 / 3), rest = space - read;
  const perRecord = read / span;
  const node = el("svg", { class: "kl-st-lanes", width, role: "img" });
  let y = 6 * k, topic = "";
  for (const lane of drawn) {
    const { topic: name, partition, source } = lanes[lane.key];
    if (topics.size > 1 && `${source} ${name}` !== topic) {
      topic = `${source} ${name}`;
      node.append(el("text", { class: "kl-st-soft", x: 0, y: y + 12 * k }, `${shorten(name, 60)}${source > 1 ? `, source ${source}` : ""}`));
      y += 20 * k;
    }
    const group = el("g", { class: "kl-st-lane", "data-lane": lane.key, "data-end": lane.end ?? "", "data-latest": lane.latest ?? "" });
    const colour = partitionColour(partition), ink = partitionInk(partition), end = left + read;
    group.append(el("text", { class: "kl-st-lane-name", x: 0, y: y + high / 2 + 4 * k, style: `fill:${colour}` }, `P${partition}`),
      el("line", { class: "kl-st-lane-line", x1: left - first, x2: left + space + 10 * k, y1: y + high / 2, y2: y + high / 2 }));
    for (const range of lane.ranges) {
      const at = (offset: number) => end - ((lane.end as number) - offset) * perRecord;
      const x2 = at(range.to), x1 = range.open ? x2 - first : at(range.from);
      const wide = Math.max(1.5, x2 - x1 - 1.5), own = range.number === chosen;
      const classes = `kl-st-read${range.open ? " kl-st-open" : ""}${own ? " kl-st-own" : range.number % 2 ? " kl-st-odd" : ""}${own && newest ? " kl-st-new" : ""}`;
      group.append(el("rect", { class: classes, x: x1, width: wide, y, height: high, rx: Math.min(4, wide / 3), style: `--kl-st-own:${colour}` },
        el("title", {}, range.open ? `batch ${range.number}: up to offset ${count(range.to - 1)}; Spark does not report where the first batch began` : `batch ${range.number}: offsets ${count(range.from)} to ${count(range.to - 1)}, ${count(range.to - range.from)} records`)));
      const label = String(range.number);
      if (wide > (label.length * 6.4 + 6) * k) group.append(el("text", { class: "kl-st-in", x: x1 + wide / 2, y: y + high / 2 + 4 * k, "text-anchor": "middle", style: own ? `fill:${ink}` : null }, label));
    }
    group.append(el("path", { class: "kl-st-end", d: `M${end} ${y - 3 * k}l${4 * k} ${4 * k}l${-4 * k} ${4 * k}l${-4 * k} ${-4 * k}z` }),
      el("line", { class: "kl-st-end-line", x1: end, x2: end, y1: y, y2: y + high }));
    const long = lane.behind ? Math.max(3, fits ? lane.behind * perRecord : (lane.behind / waiting) * rest) : 0;
    if (long) {
      group.append(el("rect", { class: "kl-st-wait-box", x: end + 2, width: long, y: y + 1, height: high - 2, rx: 3, style: `stroke:${colour}` }));
      if (!fits) group.append(el("path", { class: "kl-st-tear", d: `M${end + long * 0.42} ${y - 2}l${3 * k} ${high / 3}l${-5 * k} ${high / 3}l${3 * k} ${high / 3 + 3}` }));
    }
    const box = long ? end + 2 + long : end;
    if (lane.latest !== null) group.append(el("line", { class: "kl-st-latest", x1: box + 2, x2: box + 2, y1: y - 3 * k, y2: y + high + 3 * k }));
    const stuck = newest && unread.includes(lane.key);
    const behind = lane.behind === null ? "" : lane.behind === 0 ? "nothing waits" : `${count(lane.behind)} wait`;
    group.append(el("text", { class: "kl-st-text", x: width, y: y + high / 2 + 4 * k, "text-anchor": "end" },
      lane.end === null ? "–" : `${count(lane.end)} · `, el("tspan", { class: stuck || lane.behind ? "kl-st-behind" : "kl-st-calm" }, stuck ? `✕ not read, ${brief(lane.behind ?? 0)}` : behind)));
    node.append(group);
    y += high + gap;
  }
  node.setAttribute("height", String(y));
  node.setAttribute("viewBox", `0 0 ${width} ${y}`);
  const total = drawn.reduce((sum, lane) => sum + (lane.behind ?? 0), 0);
  return {
    node, torn: !fits,
    words: `${drawn.length} partitions; batch ${chosen} read up to ${drawn.map((lane) => `P${lanes[lane.key].partition} ${lane.end === null ? "unknown" : count(lane.end)}`).join(", ")}; ${count(total)} records waited.`,
  };
}

// --- The patterns of StreamView: give each phase of a batch a hatching besides its colour, so that none depends on colour alone.

/** Lines in a tile of 6 × 6, by the name of the pattern; "" is plain. */
const LINES = {
  latestOffset: "M0 0L6 6M-1 5L1 7M5 -1L7 1",
  getBatch: "M0 3H6",
  queryPlanning: "M3 0V6",
  walCommit: "M0 6L6 0M-1 1L1 -1M5 7L7 5",
  addBatch: "",
  commitOffsets: "M0 6L6 0M-1 1L1 -1M5 7L7 5M0 0L6 6M-1 5L1 7M5 -1L7 1",
  other: "M1 1h1M4 4h1",
  over: "M0 6L6 0M-1 1L1 -1M5 7L7 5",
  updated: "",
  removed: "M0 0L6 6M-1 5L1 7M5 -1L7 1",
};

/** Returns an invisible SVG with the patterns, and a function for their names: hatch("addBatch") → "url(#…)". */
export function hatches() {
  const id = `kl-st-${Math.random().toString(36).slice(2)}`;
  const patterns = Object.entries(LINES).map(([name, lines]) =>
    el("pattern", { id: `${id}-${name}`, width: 6, height: 6, patternUnits: "userSpaceOnUse", class: `kl-st-hatch-${name}` },
      el("rect", { width: 6, height: 6, class: "kl-st-hatch-ground" }), el("path", { d: lines, class: "kl-st-hatch-lines" })));
  const node = el("svg", { class: "kl-st-defs", width: 0, height: 0, "aria-hidden": "true" }, el("defs", {}, ...patterns));
  return { node, hatch: (name: string) => `url(#${id}-${name})` };
}
