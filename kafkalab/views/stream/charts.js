// The charts of StreamView: draw rows a second, the phases of each batch, and the state it keeps. Each chart depends on the
// scene alone, and comes with a sentence that says the same.
import { count } from "../shared.js";
import { cutOff, linePath, peak, plot, svg } from "./plot.js";
import { axis, brief, bytes, even, shortMs } from "./scale.js";

/** @typedef {import("./plot.js").Scene} Scene */

export const PHASES = ["latestOffset", "getBatch", "queryPlanning", "walCommit", "addBatch", "commitOffsets", "other"];

/** Draws the rows that arrive and the rows that are processed, per second. @param {Scene} scene */
export function ratesChart(scene) {
  const { shown } = scene.slots, of = (/** @type {number} */ n) => scene.batches[n];
  const scaled = axis(shown.flatMap((n) => [of(n).arriving, of(n).processed]));
  const falls = (/** @type {number} */ n) => scene.trigger.kind !== "real time" && of(n).arriving > of(n).processed && of(n).rows > 0;
  const p = plot(scene, { height: 168, ...scaled, format: brief });
  for (const [i, n] of shown.entries()) {
    // More rows arrive than are processed: the query falls behind.
    if (falls(n)) {
      p.node.append(svg("rect", { class: "kl-st-over", x: p.x(i) - scene.slots.wide / 2, width: scene.slots.wide, y: p.head, height: p.base - p.head, fill: scene.hatch("over") }));
    }
  }
  for (const [name, mark] of /** @type {[string, (x: number, y: number) => SVGElement][]} */ ([["processed", diamond(p.k)], ["arriving", dot(p.k)]])) {
    p.node.append(svg("path", { class: `kl-st-line kl-st-${name}`, d: linePath(shown, (n) => of(n)[name], p.x, p.y) }));
    if (scene.slots.wide > 7 * p.k) {
      p.node.append(svg("g", { class: `kl-st-mark kl-st-${name}` }, ...shown.map((n, i) => mark(p.x(i), p.y(of(n)[name])))));
    }
  }
  peak(p, shown, (n) => Math.max(of(n).arriving, of(n).processed), scaled.top, brief);
  const last = of(/** @type {number} */ (shown.at(-1)));
  const behind = shown.filter(falls).length;
  return {
    node: p.node,
    words: `Of the last ${shown.length} batches: the newest had ${count(Math.round(last.arriving))} rows a second arriving and could process ${count(Math.round(last.processed))}; in ${behind} more arrived than went through.`,
  };
}

const dot = (/** @type {number} */ k) => (/** @type {number} */ x, /** @type {number} */ y) => svg("circle", { cx: x, cy: y, r: 2.6 * k });
const diamond = (/** @type {number} */ k) => (/** @type {number} */ x, /** @type {number} */ y) => svg("path", { d: `M${x} ${y - 3.6 * k}l${3.6 * k} ${3.6 * k}l${-3.6 * k} ${3.6 * k}l${-3.6 * k} ${-3.6 * k}z` });

/** Draws the time of each batch by phases, and the trigger's interval as a line. @param {Scene} scene */
export function phasesChart(scene) {
  const { shown } = scene.slots, of = (/** @type {number} */ n) => scene.batches[n];
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
        p.node.append(svg("rect", { class: `kl-st-phase kl-st-phase-${phase}`, x: p.x(i) - p.bar / 2, width: p.bar, y: high, height: low - high, fill: scene.hatch(phase) },
          svg("title", {}, `batch ${n}, ${phase}: ${shortMs(ms)}`)));
      }
      done += ms;
    }
    if (of(n).ms > scaled.top) p.node.append(...cutOff(p.x(i), p.head, p.bar, shortMs(of(n).ms), p.k));
  }
  if (drawn) {
    p.node.append(svg("line", { class: "kl-st-trigger", x1: p.left, x2: p.right, y1: p.y(every), y2: p.y(every) }),
      svg("text", { class: "kl-st-text kl-st-halo", x: p.right, y: p.y(every) - 5 * p.k, "text-anchor": "end" }, `trigger: every ${even(every)}`));
  }
  const late = every ? shown.filter((n) => of(n).ms > every).length : 0;
  const last = of(/** @type {number} */ (shown.at(-1)));
  const longest = PHASES.reduce((a, b) => ((last.phases[b] ?? 0) > (last.phases[a] ?? 0) ? b : a));
  return {
    node: p.node,
    words: `The newest batch took ${shortMs(last.ms)}, ${shortMs(last.phases[longest] ?? 0)} of it in ${longest}.${every ? ` ${late} of ${shown.length} batches took longer than the trigger's ${even(every)}.` : ""}`,
  };
}

/** Draws what the state operators hold between batches: rows, changes by each batch, and memory. @param {Scene} scene */
export function stateChart(scene) {
  const { shown } = scene.slots;
  const sum = (/** @type {number} */ n, /** @type {string} */ name) => scene.batches[n].state.reduce((/** @type {number} */ s, /** @type {any} */ o) => s + o[name], 0);
  const rows = plot(scene, { height: 92, ...trimmed(shown.map((n) => sum(n, "total"))), format: brief, times: false });
  const line = linePath(shown, (n) => sum(n, "total"), rows.x, rows.y);
  if (shown.length > 1) rows.node.append(svg("path", { class: "kl-st-area", d: `${line}L${rows.x(shown.length - 1)} ${rows.base}L${rows.x(0)} ${rows.base}z` }));
  rows.node.append(svg("path", { class: "kl-st-line kl-st-total", d: line }));
  peak(rows, shown, (n) => sum(n, "total"), rows.top, brief);
  const changed = shown.flatMap((n) => [sum(n, "updated"), sum(n, "removed")]);
  const changes = plot(scene, { height: 62, ...trimmed(changed), format: brief, times: false });
  shown.forEach((n, i) => {
    const half = changes.bar / 2;
    for (const [name, left] of /** @type {[string, number][]} */ ([["updated", changes.x(i) - half], ["removed", changes.x(i) + 0.5]])) {
      const top = changes.y(sum(n, name));
      if (changes.base - top > 0.2) changes.node.append(svg("rect", { class: `kl-st-${name}`, x: left, width: half - 0.5, y: top, height: changes.base - top, fill: scene.hatch(name) }));
    }
  });
  peak(changes, shown, (n) => Math.max(sum(n, "updated"), sum(n, "removed")), changes.top, brief);
  const memory = plot(scene, { height: 74, ...trimmed(shown.map((n) => sum(n, "bytes"))), format: bytes });
  memory.node.append(svg("path", { class: "kl-st-line kl-st-memory", d: linePath(shown, (n) => sum(n, "bytes"), memory.x, memory.y) }));
  peak(memory, shown, (n) => sum(n, "bytes"), memory.top, bytes);
  const last = /** @type {number} */ (shown.at(-1));
  return {
    parts: /** @type {[string, SVGElement][]} */ ([["rows kept", rows.node], ["rows updated and removed by a batch", changes.node], ["memory", memory.node]]),
    words: `After batch ${last} the state holds ${count(sum(last, "total"))} rows in ${bytes(sum(last, "bytes"))}; the batch updated ${count(sum(last, "updated"))} and removed ${count(sum(last, "removed"))}.`,
  };
}

/** Returns an axis for a low chart, which has room for two ticks only. @param {number[]} values */
function trimmed(values) {
  const { top, cut } = axis(values);
  return { top, cut, ticks: [0, top] };
}
