// The lanes of StreamView: draw the offsets of each partition that the last batches read, and the records that still wait.
import { count, partitionColour, partitionInk, shorten } from "../shared.js";
import { svg } from "./plot.js";
import { brief, laneRanges } from "./scale.js";

export const BATCHES = 12;

/**
 * @param {{ width: number, scale: number, batches: Record<string, any>, numbers: number[], chosen: number, lanes: Record<string, any>, unread: string[], newest: boolean }} scene
 */
export function lanesChart({ width, scale: k, batches, numbers, chosen, lanes, unread, newest }) {
  const keys = Object.keys(lanes);
  const shown = numbers.filter((n) => n <= chosen).slice(-BATCHES);
  const { lanes: drawn, span, waiting } = laneRanges(batches, shown, keys);
  const topics = new Set(keys.map((key) => `${lanes[key].source} ${lanes[key].topic}`));
  const left = 44 * k, words = Math.min(190 * k, width * 0.3), high = 24 * k, gap = 9 * k;
  // Waiting records are drawn on the scale of those read, unless they are far more: then they get a third of the lane.
  const space = width - left - words - 14 * k, fits = waiting <= span / 2;
  const read = space * (fits ? span / (span + waiting) : 2 / 3), rest = space - read;
  const perRecord = read / span;
  const node = svg("svg", { class: "kl-st-lanes", width, role: "img" });
  let y = 6 * k, topic = "";
  for (const lane of drawn) {
    const { topic: name, partition, source } = lanes[lane.key];
    if (topics.size > 1 && `${source} ${name}` !== topic) {
      topic = `${source} ${name}`;
      node.append(svg("text", { class: "kl-st-soft", x: 0, y: y + 12 * k }, `${shorten(name, 60)}${source > 1 ? `, source ${source}` : ""}`));
      y += 20 * k;
    }
    const group = svg("g", { class: "kl-st-lane", "data-lane": lane.key, "data-end": lane.end ?? "", "data-latest": lane.latest ?? "" });
    const colour = partitionColour(partition), ink = partitionInk(partition), end = left + read;
    group.append(svg("text", { class: "kl-st-lane-name", x: 0, y: y + high / 2 + 4 * k, style: `fill:${colour}` }, `P${partition}`),
      svg("line", { class: "kl-st-lane-line", x1: left, x2: left + space + 10 * k, y1: y + high / 2, y2: y + high / 2 }));
    for (const range of lane.ranges) {
      const x1 = range.open ? left : end - (/** @type {number} */ (lane.end) - range.from) * perRecord, x2 = end - (/** @type {number} */ (lane.end) - range.to) * perRecord;
      if (range.open && x2 < left + 4) continue;
      const wide = Math.max(1.5, x2 - x1 - 1.5), own = range.number === chosen;
      const classes = `kl-st-read${own ? " kl-st-own" : range.number % 2 ? " kl-st-odd" : ""}${own && newest ? " kl-st-new" : ""}`;
      group.append(svg("rect", { class: classes, x: x1, width: wide, y, height: high, rx: Math.min(4, wide / 3), style: `--kl-st-own:${colour}` },
        svg("title", {}, range.open ? `batch ${range.number}: up to offset ${count(range.to - 1)}; Spark does not report where the first batch began` : `batch ${range.number}: offsets ${count(range.from)} to ${count(range.to - 1)}, ${count(range.to - range.from)} records`)));
      const label = String(range.number);
      if (wide > (label.length * 6.4 + 6) * k) group.append(svg("text", { class: "kl-st-in", x: x1 + wide / 2, y: y + high / 2 + 4 * k, "text-anchor": "middle", style: own ? `fill:${ink}` : null }, label));
    }
    group.append(svg("path", { class: "kl-st-end", d: `M${end} ${y - 3 * k}l${4 * k} ${4 * k}l${-4 * k} ${4 * k}l${-4 * k} ${-4 * k}z` }),
      svg("line", { class: "kl-st-end-line", x1: end, x2: end, y1: y, y2: y + high }));
    if (lane.behind) {
      const long = fits ? Math.max(3, lane.behind * perRecord) : Math.max(3, (lane.behind / waiting) * rest);
      group.append(svg("rect", { class: "kl-st-wait-box", x: end + 2, width: long, y: y + 1, height: high - 2, rx: 3, style: `stroke:${colour}` }));
      if (!fits) group.append(svg("path", { class: "kl-st-tear", d: `M${end + long * 0.42} ${y - 2}l${3 * k} ${high / 3}l${-5 * k} ${high / 3}l${3 * k} ${high / 3 + 3}` }));
    }
    const box = lane.behind ? end + 2 + (fits ? Math.max(3, lane.behind * perRecord) : Math.max(3, (lane.behind / waiting) * rest)) : end;
    if (lane.latest !== null) group.append(svg("line", { class: "kl-st-latest", x1: box + 2, x2: box + 2, y1: y - 3 * k, y2: y + high + 3 * k }));
    const stuck = unread.includes(lane.key);
    const behind = lane.behind === null ? "" : lane.behind === 0 ? "nothing waits" : `${count(lane.behind)} wait`;
    group.append(svg("text", { class: "kl-st-text", x: width, y: y + high / 2 + 4 * k, "text-anchor": "end" },
      lane.end === null ? "–" : `${count(lane.end)} · `, svg("tspan", { class: stuck || lane.behind ? "kl-st-behind" : "kl-st-calm" }, stuck ? `✕ not read, ${brief(lane.behind ?? 0)}` : behind)));
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
