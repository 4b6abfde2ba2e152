// The charts of StreamView: draw rows a second, the phases of each batch, and the state it keeps. Each chart depends on the
// scene alone, and comes with a sentence that says the same.

import { ticks, timeStep } from "../axis.ts";
import { clock, count, el, partitionColour, partitionInk, shorten } from "../shared.ts";
import { axis, brief, bytes, delay, even, held, laneRanges, lasting, shortMs, timesOf, utc } from "./scale.ts";
import type { Picture } from "./picture";
import type { slots } from "./scale.ts";

export const PHASES = ["latestOffset", "getBatch", "queryPlanning", "walCommit", "addBatch", "commitOffsets", "other"];

/** Draws the rows that arrive and the rows that are processed, per second. */
export function ratesChart(scene: Scene) {
  const { shown } = scene.slots, of = (n: number) => scene.batches[n];
  const scaled = axis(shown.flatMap((n) => [of(n).arriving, of(n).processed]));
  const falls = (n: number) => scene.trigger.kind !== "real time" && of(n).arriving > of(n).processed && of(n).rows > 0;
  const p = plot(scene, { height: 168, ...scaled, format: brief });
  for (const [i, n] of shown.entries()) {
    // More rows arrive than are processed: the query falls behind.
    if (falls(n)) {
      p.node.append(el("rect", { class: "kl-st-over", x: p.x(i) - scene.slots.wide / 2, width: scene.slots.wide, y: p.head, height: p.base - p.head, fill: scene.hatch("over") }));
    }
  }
  for (const [name, mark] of [["processed", diamond(p.k)], ["arriving", dot(p.k)]] as [string, (x: number, y: number) => SVGElement][]) {
    p.node.append(el("path", { class: `kl-st-line kl-st-${name}`, d: linePath(shown, (n) => of(n)[name], p.x, p.y) }));
    if (scene.slots.wide > 7 * p.k) {
      p.node.append(el("g", { class: `kl-st-mark kl-st-${name}` }, ...shown.map((n, i) => mark(p.x(i), p.y(of(n)[name])))));
    }
  }
  peak(p, shown, (n) => Math.max(of(n).arriving, of(n).processed), scaled.top, brief);
  const last = of(shown.at(-1) as number);
  const behind = shown.filter(falls).length;
  return {
    node: p.node,
    words: `Of the last ${shown.length} batches: the newest had ${count(Math.round(last.arriving))} rows a second arriving and could process ${count(Math.round(last.processed))}; in ${behind} more arrived than went through.`,
  };
}

const dot = (k: number) => (x: number, y: number) => el("circle", { cx: x, cy: y, r: 2.6 * k });
const diamond = (k: number) => (x: number, y: number) => el("path", { d: `M${x} ${y - 3.6 * k}l${3.6 * k} ${3.6 * k}l${-3.6 * k} ${3.6 * k}l${-3.6 * k} ${-3.6 * k}z` });

/** Draws the time of each batch by phases, and the trigger's interval as a line. */
export function phasesChart(scene: Scene) {
  const { shown } = scene.slots, of = (n: number) => scene.batches[n];
  const every = scene.trigger.kind === "processing time" ? scene.trigger.every_ms : null;
  const took = shown.map((n) => of(n).ms);
  // A trigger far longer than any batch is only named in words: a line for it would flatten the bars.
  const drawn = every && every <= 4 * Math.max(1, ...took);
  const scaled = axis(took, drawn ? every * 1.08 : 0);
  const p = plot(scene, { height: 190, ...scaled, format: shortMs });
  for (const [i, n] of shown.entries()) {
    let done = 0;
    for (const phase of PHASES) {
      const ms = of(n).phases[phase] ?? 0;
      if (ms <= 0 || done >= scaled.top) continue;
      const [low, high] = [p.y(done), p.y(done + ms)];
      if (low - high > 0.2) {
        p.node.append(el("rect", { class: `kl-st-phase kl-st-phase-${phase}`, x: p.x(i) - p.bar / 2, width: p.bar, y: high, height: low - high, fill: scene.hatch(phase) },
          el("title", {}, `batch ${n}, ${phase}: ${shortMs(ms)}`)));
      }
      done += ms;
    }
    if (of(n).ms > scaled.top) p.node.append(...cutOff(p.x(i), p.head, p.bar, shortMs(of(n).ms), p.k));
  }
  if (drawn) {
    p.node.append(el("line", { class: "kl-st-trigger", x1: p.left, x2: p.right, y1: p.y(every), y2: p.y(every) }),
      el("text", { class: "kl-st-text kl-st-halo", x: p.right, y: p.y(every) - 5 * p.k, "text-anchor": "end" }, `trigger: every ${even(every)}`));
  }
  const late = every ? shown.filter((n) => of(n).ms > every).length : 0;
  const last = of(shown.at(-1) as number);
  const longest = PHASES.reduce((a, b) => ((last.phases[b] ?? 0) > (last.phases[a] ?? 0) ? b : a));
  return {
    node: p.node,
    words: `The newest batch took ${shortMs(last.ms)}, ${shortMs(last.phases[longest] ?? 0)} of it in ${longest}.${every ? ` ${late} of ${shown.length} batches took longer than the trigger's ${even(every)}.` : ""}`,
  };
}

/** Draws what the state operators hold between batches: rows, changes by each batch, and memory. */
export function stateChart(scene: Scene) {
  const { shown } = scene.slots;
  const sum = (n: number, name: Parameters<typeof held>[1]) => held(scene.batches[n], name);
  const rows = plot(scene, { height: 92, ...trimmed(shown.map((n) => sum(n, "total"))), format: brief, times: false });
  const line = linePath(shown, (n) => sum(n, "total"), rows.x, rows.y);
  if (shown.length > 1) rows.node.append(el("path", { class: "kl-st-area", d: `${line}L${rows.x(shown.length - 1)} ${rows.base}L${rows.x(0)} ${rows.base}z` }));
  rows.node.append(el("path", { class: "kl-st-line kl-st-total", d: line }));
  peak(rows, shown, (n) => sum(n, "total"), rows.top, brief);
  const changed = shown.flatMap((n) => [sum(n, "updated"), sum(n, "removed")]);
  const changes = plot(scene, { height: 62, ...trimmed(changed), format: brief, times: false });
  shown.forEach((n, i) => {
    const half = changes.bar / 2;
    for (const [name, left] of [["updated", changes.x(i) - half], ["removed", changes.x(i) + 0.5]] as ["updated" | "removed", number][]) {
      const top = changes.y(sum(n, name));
      if (changes.base - top > 0.2) changes.node.append(el("rect", { class: `kl-st-${name}`, x: left, width: half - 0.5, y: top, height: changes.base - top, fill: scene.hatch(name) }));
    }
  });
  peak(changes, shown, (n) => Math.max(sum(n, "updated"), sum(n, "removed")), changes.top, brief);
  const memory = plot(scene, { height: 74, ...trimmed(shown.map((n) => sum(n, "bytes"))), format: bytes });
  memory.node.append(el("path", { class: "kl-st-line kl-st-memory", d: linePath(shown, (n) => sum(n, "bytes"), memory.x, memory.y) }));
  peak(memory, shown, (n) => sum(n, "bytes"), memory.top, bytes);
  const last = shown.at(-1) as number;
  return {
    parts: [["rows kept", rows.node], ["rows updated and removed by a batch", changes.node], ["memory", memory.node]] as [string, SVGElement][],
    words: `After batch ${last} the state holds ${count(sum(last, "total"))} rows in ${bytes(sum(last, "bytes"))}; the batch updated ${count(sum(last, "updated"))} and removed ${count(sum(last, "removed"))}.`,
  };
}

/** Returns an axis for a low chart, which has room for two ticks only. */
function trimmed(values: number[]) {
  const { top, cut } = axis(values);
  return { top, cut, ticks: [0, top] };
}

// --- The chart of event time: draws the times of each batch's rows, and the watermark, below which rows are too late.

export function watermarkChart(scene: Scene) {
  const { shown, wide } = scene.slots, event = (n: number) => timesOf(scene.batches[n]);
  const seen = shown.flatMap((n) => [event(n).max, event(n).avg, event(n).watermark]).filter((t) => Number.isFinite(t));
  if (!seen.length) return null;
  // Late rows may be hours behind, so the chart does not reach down to them, and marks batches that have some.
  const low = Math.min(...seen), high = Math.max(...seen), room = Math.max(1, high - low);
  const [bottom, top] = [low - 0.14 * room, high + 0.06 * room];
  const p = plot(scene, { height: 240, top, bottom, ticks: ticks(bottom, top, timeStep(Math.max(1, room / 3))), format: utc });
  const marked = shown.filter((n) => Number.isFinite(event(n).watermark));
  // The band between the two lines shows how long a window waits for late rows.
  let band = "";
  shown.forEach((n, i) => {
    if (!Number.isFinite(event(n).watermark) || !Number.isFinite(event(n).max)) return;
    band += `M${p.x(i) - wide / 2} ${p.y(event(n).max)}h${wide}V${p.y(event(n).watermark)}h${-wide}z`;
  });
  p.node.append(el("path", { class: "kl-st-wait", d: band }));
  shown.forEach((n, i) => {
    const { min, max, avg } = event(n);
    if (!Number.isFinite(max)) return;
    const below = min < bottom;
    p.node.append(el("line", { class: "kl-st-range", x1: p.x(i), x2: p.x(i), y1: p.y(max), y2: p.y(min) }));
    if (below) p.node.append(el("path", { class: "kl-st-below", d: `M${p.x(i) - 3 * p.k} ${p.base - 5 * p.k}l${3 * p.k} ${5 * p.k}l${3 * p.k} ${-5 * p.k}` }));
    if (wide > 7 * p.k) p.node.append(el("circle", { class: "kl-st-avg", cx: p.x(i), cy: p.y(avg), r: 2.2 * p.k }));
  });
  p.node.append(el("path", { class: "kl-st-line kl-st-newest", d: linePath(shown, (n) => event(n).max, p.x, p.y) }));
  // The watermark only changes between two batches, so it is drawn in steps.
  let steps = "";
  shown.forEach((n, i) => {
    const mark = event(n).watermark;
    if (Number.isFinite(mark)) steps += `${steps ? "L" : "M"}${p.x(i) - wide / 2} ${p.y(mark)}h${wide}`;
  });
  p.node.append(el("path", { class: "kl-st-line kl-st-watermark", d: steps }));
  let late = 0;
  shown.forEach((n, i) => {
    if (!scene.batches[n].late) return;
    late += scene.batches[n].late;
    const s = 3.2 * p.k, y = p.base - 8 * p.k;
    p.node.append(el("path", { class: "kl-st-late", d: `M${p.x(i) - s} ${y - s}l${2 * s} ${2 * s}m0 ${-2 * s}l${-2 * s} ${2 * s}` }, el("title", {}, `batch ${n}: ${count(scene.batches[n].late)} dropped as too late`)));
  });
  const last = marked.at(-1), gap = last === undefined ? null : delay(scene.batches[last]);
  if (last !== undefined && gap !== null) {
    p.node.append(el("text", { class: "kl-st-text kl-st-halo", x: p.x(shown.indexOf(last)) + wide / 2, y: Math.min(p.base - 18 * p.k, p.y(event(last).watermark) + 17 * p.k), "text-anchor": "end" }, `↕ ${lasting(gap)} behind`));
  }
  const times = last === undefined ? "no watermark yet" : `the watermark is ${utc(event(last).watermark)}${gap === null ? "" : `, ${lasting(gap)} behind the newest event time of its batch`}`;
  return { node: p.node, words: `Event time in UTC: ${times}; ${count(late)} rows dropped as too late in the batches shown.` };
}

// --- The lanes of StreamView: draw the offsets of each partition that the last batches read, and the records that still wait.

export const BATCHES = 12;

export function lanesChart({ width, scale: k, batches, numbers, chosen, lanes, unread, newest }: { width: number; scale: number; batches: Picture["batches"]; numbers: number[]; chosen: number; lanes: Picture["lanes"]; unread: string[]; newest: boolean }) {
  const keys = Object.keys(lanes);
  const shown = numbers.filter((n) => n <= chosen).slice(-BATCHES);
  const { lanes: drawn, span, waiting } = laneRanges(batches, shown, keys);
  const topics = new Set(keys.map((key) => `${lanes[key].source} ${lanes[key].topic}`));
  const left = 44 * k, words = Math.min(190 * k, width * 0.3), high = 24 * k, gap = 9 * k;
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
      el("line", { class: "kl-st-lane-line", x1: left, x2: left + space + 10 * k, y1: y + high / 2, y2: y + high / 2 }));
    for (const range of lane.ranges) {
      const at = (offset: number) => end - ((lane.end as number) - offset) * perRecord;
      const x1 = range.open ? left : at(range.from), x2 = at(range.to);
      if (range.open && x2 < left + 4) continue;
      const wide = Math.max(1.5, x2 - x1 - 1.5), own = range.number === chosen;
      const classes = `kl-st-read${own ? " kl-st-own" : range.number % 2 ? " kl-st-odd" : ""}${own && newest ? " kl-st-new" : ""}`;
      group.append(el("rect", { class: classes, x: x1, width: wide, y, height: high, rx: Math.min(4, wide / 3), style: `--kl-st-own:${colour}` },
        el("title", {}, range.open ? `batch ${range.number}: up to offset ${count(range.to - 1)}; Spark does not report where the first batch began` : `batch ${range.number}: offsets ${count(range.from)} to ${count(range.to - 1)}, ${count(range.to - range.from)} records`)));
      const label = String(range.number);
      if (wide > (label.length * 6.4 + 6) * k) group.append(el("text", { class: "kl-st-in", x: x1 + wide / 2, y: y + high / 2 + 4 * k, "text-anchor": "middle", style: own ? `fill:${ink}` : null }, label));
    }
    group.append(el("path", { class: "kl-st-end", d: `M${end} ${y - 3 * k}l${4 * k} ${4 * k}l${-4 * k} ${4 * k}l${-4 * k} ${-4 * k}z` }),
      el("line", { class: "kl-st-end-line", x1: end, x2: end, y1: y, y2: y + high }));
    if (lane.behind) {
      const long = fits ? Math.max(3, lane.behind * perRecord) : Math.max(3, (lane.behind / waiting) * rest);
      group.append(el("rect", { class: "kl-st-wait-box", x: end + 2, width: long, y: y + 1, height: high - 2, rx: 3, style: `stroke:${colour}` }));
      if (!fits) group.append(el("path", { class: "kl-st-tear", d: `M${end + long * 0.42} ${y - 2}l${3 * k} ${high / 3}l${-5 * k} ${high / 3}l${3 * k} ${high / 3 + 3}` }));
    }
    const box = lane.behind ? end + 2 + (fits ? Math.max(3, lane.behind * perRecord) : Math.max(3, (lane.behind / waiting) * rest)) : end;
    if (lane.latest !== null) group.append(el("line", { class: "kl-st-latest", x1: box + 2, x2: box + 2, y1: y - 3 * k, y2: y + high + 3 * k }));
    const stuck = unread.includes(lane.key);
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

// --- The frame of StreamView's charts: draws an SVG with ticks at the left, times below, a slot for each batch, and a mark on
// the chosen one. All charts have the same slots, so that a batch is at the same place in each.

export type Scene = { width: number; scale: number; slots: ReturnType<typeof slots>; batches: Picture["batches"]; chosen: number | null; trigger: Picture["trigger"]; marks?: { at: number; words: string }[]; hatch: (phase: string) => string };

function plot(scene: Scene, { height, top, bottom = 0, ticks, format, times = true }: { height: number; top: number; bottom?: number; ticks: number[]; format: (v: number) => string; times?: boolean }) {
  const k = scene.scale, left = LEFT * k, foot = times ? 20 * k : 6 * k, head = 8 * k;
  const base = height * k - foot;
  const y = (v: number) => base - ((Math.min(top, Math.max(bottom, v)) - bottom) / (top - bottom || 1)) * (base - head);
  const x = (i: number) => left + scene.slots.middle(i);
  const node = el("svg", { class: "kl-st-plot", width: scene.width, height: height * k, viewBox: `0 0 ${scene.width} ${height * k}`, role: "img" });
  const right = scene.width - RIGHT * k;
  const at = scene.chosen === null ? -1 : scene.slots.shown.indexOf(scene.chosen);
  if (at >= 0) node.append(el("rect", { class: "kl-st-chosen", x: x(at) - scene.slots.wide / 2, width: scene.slots.wide, y: head - 4 * k, height: base - head + 4 * k, rx: 3 }));
  for (const tick of ticks) {
    node.append(el("line", { class: "kl-st-grid", x1: left, x2: right, y1: y(tick), y2: y(tick) }),
      el("text", { class: "kl-st-soft", x: left - 6 * k, y: y(tick) + 4 * k, "text-anchor": "end" }, format(tick)));
  }
  const moments = el("g", { class: "kl-st-moments" });
  for (const [i, { at: when, words }] of (scene.marks ?? []).entries()) {
    const here = placed(scene, when, x);
    if (here === null) continue;
    const late = here > right - 150 * k;
    moments.append(el("line", { class: "kl-st-moment", x1: here, x2: here, y1: head - 4 * k, y2: base }));
    if (height > 150) moments.append(el("text", { class: "kl-st-text kl-st-halo", x: here + (late ? -5 : 5) * k, y: head + (22 + 14 * (i % 3)) * k, "text-anchor": late ? "end" : "start" }, `✕ ${words}`));
  }
  node.append(moments);
  if (times) node.append(...timeLabels(scene, x, base + 14 * k));
  return { node, x, y, top, base, head, left, right, k, bar: Math.min(26 * k, scene.slots.wide * 0.72) };
}

/** Returns where a moment lies: within the slot of the batch that was under way then; null before the first one.
 * @param when Unix seconds */
function placed({ slots: { shown, wide }, batches }: Scene, when: number, x: (i: number) => number) {
  const i = shown.findLastIndex((n) => batches[n].at <= when);
  if (i < 0) return null;
  const began = batches[shown[i]].at, ends = batches[shown[i + 1]]?.at ?? began + batches[shown[i]].ms / 1000;
  return x(i) - wide / 2 + wide * Math.min(1, (when - began) / Math.max(0.001, ends - began));
}

// Pixels beside the plot, at scale 1; the ticks' numbers are at the left.
export const LEFT = 56;
export const RIGHT = 8;

/** Returns the times of day of as many batches as have room. */
function timeLabels(scene: Scene, x: (i: number) => number, y: number) {
  const { shown, wide } = scene.slots;
  const every = Math.max(1, Math.ceil((74 * scene.scale) / wide));
  const labels = [];
  for (let i = shown.length - 1; i >= 0; i -= every) {
    const half = 26 * scene.scale;
    if (x(i) - half < 0) break;
    const anchor = x(i) + half > scene.width ? "end" : "middle";
    labels.push(el("text", { class: "kl-st-soft", x: anchor === "end" ? scene.width - 1 : x(i), y, "text-anchor": anchor }, clock.ofDay(scene.batches[shown[i]].at)));
  }
  return labels;
}

/** Returns a line through the batches that have a value, with a gap at those without. */
function linePath(shown: number[], value: (number: number) => number | null | undefined, x: (i: number) => number, y: (v: number) => number) {
  let path = "", on = false;
  shown.forEach((number, i) => {
    const v = value(number);
    if (v === null || v === undefined || !Number.isFinite(v)) { on = false; return; }
    path += `${on ? "L" : "M"}${x(i).toFixed(1)} ${y(v).toFixed(1)}`;
    on = true;
  });
  return path;
}

/** Writes the highest value, if it is above the axis, at the place where it would be. */
function peak(p: ReturnType<typeof plot>, shown: number[], value: (number: number) => number, top: number, words: (v: number) => string) {
  const i = shown.reduce((best, n, j) => (value(n) > value(shown[best]) ? j : best), 0);
  if (!shown.length || value(shown[i]) <= top) return;
  const late = p.x(i) > p.right - 60 * p.k;
  p.node.append(el("text", { class: "kl-st-text kl-st-halo", x: p.x(i) + (late ? -6 : 6) * p.k, y: p.head + 9 * p.k, "text-anchor": late ? "end" : "start" }, `↑ ${words(value(shown[i]))}`));
}

/** Returns the end of a bar that is too high for the axis: a cut, with its value in words. */
function cutOff(x: number, y: number, wide: number, words: string, k: number) {
  const half = wide / 2 + 1;
  return [
    el("path", { class: "kl-st-cut", d: `M${x - half} ${y + 5 * k}l${half / 2} ${-4 * k}l${half / 2} ${4 * k}l${half / 2} ${-4 * k}l${half / 2} ${4 * k}` }),
    el("text", { class: "kl-st-text", x: x + half + 3 * k, y: y + 9 * k }, words),
  ];
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
