// The chart of event time: draws the times of each batch's rows, and the watermark, below which rows are too late.
import { linePath, plot, svg } from "./plot.js";
import { delay, lasting, timeStep, utc } from "./scale.js";
import { count } from "../shared.js";

/** @param {import("./plot.js").Scene} scene */
export function watermarkChart(scene) {
  const { shown, wide } = scene.slots, event = (/** @type {number} */ n) => scene.batches[n].event;
  const seen = shown.flatMap((n) => [event(n).max, event(n).avg, event(n).watermark]).filter((t) => Number.isFinite(t));
  if (!seen.length) return null;
  // Late rows may be hours behind, so the chart does not reach down to them, and marks batches that have some.
  const low = Math.min(...seen), high = Math.max(...seen), room = Math.max(1, high - low);
  const [bottom, top] = [low - 0.14 * room, high + 0.06 * room];
  const step = timeStep(room / 3), ticks = [];
  for (let t = Math.ceil(bottom / step) * step; t <= top; t += step) ticks.push(t);
  const p = plot(scene, { height: 240, top, bottom, ticks, format: utc });
  const marked = shown.filter((n) => Number.isFinite(event(n).watermark));
  // The band between the two lines shows how long a window waits for late rows.
  let band = "";
  shown.forEach((n, i) => {
    if (!Number.isFinite(event(n).watermark) || !Number.isFinite(event(n).max)) return;
    band += `M${p.x(i) - wide / 2} ${p.y(event(n).max)}h${wide}V${p.y(event(n).watermark)}h${-wide}z`;
  });
  p.node.append(svg("path", { class: "kl-st-wait", d: band }));
  shown.forEach((n, i) => {
    const { min, max, avg } = event(n);
    if (!Number.isFinite(max)) return;
    const below = min < bottom;
    p.node.append(svg("line", { class: "kl-st-range", x1: p.x(i), x2: p.x(i), y1: p.y(max), y2: p.y(min) }));
    if (below) p.node.append(svg("path", { class: "kl-st-below", d: `M${p.x(i) - 3 * p.k} ${p.base - 5 * p.k}l${3 * p.k} ${5 * p.k}l${3 * p.k} ${-5 * p.k}` }));
    if (wide > 7 * p.k) p.node.append(svg("circle", { class: "kl-st-avg", cx: p.x(i), cy: p.y(avg), r: 2.2 * p.k }));
  });
  p.node.append(svg("path", { class: "kl-st-line kl-st-newest", d: linePath(shown, (n) => event(n).max, p.x, p.y) }));
  // The watermark only changes between two batches, so it is drawn in steps.
  let steps = "";
  shown.forEach((n, i) => {
    const mark = event(n).watermark;
    if (Number.isFinite(mark)) steps += `${steps ? "L" : "M"}${p.x(i) - wide / 2} ${p.y(mark)}h${wide}`;
  });
  p.node.append(svg("path", { class: "kl-st-line kl-st-watermark", d: steps }));
  let late = 0;
  shown.forEach((n, i) => {
    if (!scene.batches[n].late) return;
    late += scene.batches[n].late;
    const s = 3.2 * p.k, y = p.base - 8 * p.k;
    p.node.append(svg("path", { class: "kl-st-late", d: `M${p.x(i) - s} ${y - s}l${2 * s} ${2 * s}m0 ${-2 * s}l${-2 * s} ${2 * s}` }, svg("title", {}, `batch ${n}: ${count(scene.batches[n].late)} dropped as too late`)));
  });
  const last = marked.at(-1), gap = last === undefined ? null : delay(scene.batches[last]);
  if (last !== undefined && gap !== null) {
    p.node.append(svg("text", { class: "kl-st-text kl-st-halo", x: p.x(shown.indexOf(last)) + wide / 2, y: Math.min(p.base - 18 * p.k, p.y(event(last).watermark) + 17 * p.k), "text-anchor": "end" }, `↕ ${lasting(gap)} behind`));
  }
  const times = last === undefined ? "no watermark yet" : `the watermark is ${utc(event(last).watermark)}${gap === null ? "" : `, ${lasting(gap)} behind the newest event time of its batch`}`;
  return { node: p.node, words: `Event time in UTC: ${times}; ${count(late)} rows dropped as too late in the batches shown.` };
}
