// The frame of StreamView's charts: draws an SVG with ticks at the left, times below, a slot for each batch, and a mark on
// the chosen one. All charts have the same slots, so that a batch is at the same place in each.
import { clock } from "../shared.js";

const NS = "http://www.w3.org/2000/svg";

/**
 * Returns a new SVG element: svg("rect", {x: 1}, child, "text").
 * @param {string} tag
 * @param {Record<string, any>} [attrs]
 * @param {...(Node | string | null | undefined | (Node | string | null | undefined)[])} children
 * @returns {SVGElement}
 */
export function svg(tag, attrs = {}, ...children) {
  const node = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attrs)) {
    if (value === null || value === undefined || value === false) continue;
    node.setAttribute(name, typeof value === "number" ? String(Math.round(value * 100) / 100) : String(value));
  }
  for (const child of children.flat()) if (child !== null && child !== undefined) node.append(child);
  return node;
}

/**
 * @typedef {{ width: number, scale: number, slots: ReturnType<typeof import("./scale.js").slots>, batches: Record<string, any>,
 *   chosen: number | null, trigger: any, marks?: { at: number, words: string }[], hatch: (phase: string) => string }} Scene
 */

/**
 * @param {Scene} scene
 * @param {{ height: number, top: number, bottom?: number, ticks: number[], format: (v: number) => string, times?: boolean }} options
 */
export function plot(scene, { height, top, bottom = 0, ticks, format, times = true }) {
  const k = scene.scale, left = LEFT * k, foot = times ? 20 * k : 6 * k, head = 8 * k;
  const base = height * k - foot;
  const y = (/** @type {number} */ v) => base - ((Math.min(top, Math.max(bottom, v)) - bottom) / (top - bottom || 1)) * (base - head);
  const x = (/** @type {number} */ i) => left + scene.slots.middle(i);
  const node = svg("svg", { class: "kl-st-plot", width: scene.width, height: height * k, viewBox: `0 0 ${scene.width} ${height * k}`, role: "img" });
  const right = scene.width - RIGHT * k;
  const at = scene.chosen === null ? -1 : scene.slots.shown.indexOf(scene.chosen);
  if (at >= 0) node.append(svg("rect", { class: "kl-st-chosen", x: x(at) - scene.slots.wide / 2, width: scene.slots.wide, y: head - 4 * k, height: base - head + 4 * k, rx: 3 }));
  for (const tick of ticks) {
    node.append(svg("line", { class: "kl-st-grid", x1: left, x2: right, y1: y(tick), y2: y(tick) }),
      svg("text", { class: "kl-st-soft", x: left - 6 * k, y: y(tick) + 4 * k, "text-anchor": "end" }, format(tick)));
  }
  const moments = svg("g", { class: "kl-st-moments" });
  for (const [i, { at: when, words }] of (scene.marks ?? []).entries()) {
    const here = placed(scene, when, x);
    if (here === null) continue;
    const late = here > right - 150 * k;
    moments.append(svg("line", { class: "kl-st-moment", x1: here, x2: here, y1: head - 4 * k, y2: base }));
    if (height > 150) moments.append(svg("text", { class: "kl-st-text kl-st-halo", x: here + (late ? -5 : 5) * k, y: head + (22 + 14 * (i % 3)) * k, "text-anchor": late ? "end" : "start" }, `✕ ${words}`));
  }
  node.append(moments);
  if (times) node.append(...timeLabels(scene, x, base + 14 * k));
  return { node, x, y, top, base, head, left, right, k, bar: Math.min(26 * k, scene.slots.wide * 0.72) };
}

/**
 * Returns where a moment lies: within the slot of the batch that was under way then; null before the first one.
 * @param {Scene} scene @param {number} when Unix seconds @param {(i: number) => number} x
 */
function placed({ slots: { shown, wide }, batches }, when, x) {
  const i = shown.findLastIndex((n) => batches[n].at <= when);
  if (i < 0) return null;
  const began = batches[shown[i]].at, ends = batches[shown[i + 1]]?.at ?? began + batches[shown[i]].ms / 1000;
  return x(i) - wide / 2 + wide * Math.min(1, (when - began) / Math.max(0.001, ends - began));
}

// Pixels beside the plot, at scale 1; the ticks' numbers are at the left.
export const LEFT = 56;
export const RIGHT = 8;

/** Returns the times of day of as many batches as have room. @param {Scene} scene @param {(i: number) => number} x @param {number} y */
function timeLabels(scene, x, y) {
  const { shown, wide } = scene.slots;
  const every = Math.max(1, Math.ceil((74 * scene.scale) / wide));
  const labels = [];
  for (let i = shown.length - 1; i >= 0; i -= every) {
    const half = 26 * scene.scale;
    if (x(i) - half < 0) break;
    const anchor = x(i) + half > scene.width ? "end" : "middle";
    labels.push(svg("text", { class: "kl-st-soft", x: anchor === "end" ? scene.width - 1 : x(i), y, "text-anchor": anchor }, clock.ofDay(scene.batches[shown[i]].at)));
  }
  return labels;
}

/**
 * Returns a line through the batches that have a value, with a gap at those without.
 * @param {number[]} shown
 * @param {(number: number) => number | null | undefined} value
 * @param {(i: number) => number} x
 * @param {(v: number) => number} y
 */
export function linePath(shown, value, x, y) {
  let path = "", on = false;
  shown.forEach((number, i) => {
    const v = value(number);
    if (v === null || v === undefined || !Number.isFinite(v)) { on = false; return; }
    path += `${on ? "L" : "M"}${x(i).toFixed(1)} ${y(v).toFixed(1)}`;
    on = true;
  });
  return path;
}

/**
 * Writes the highest value, if it is above the axis, at the place where it would be.
 * @param {ReturnType<typeof plot>} p
 * @param {number[]} shown
 * @param {(number: number) => number} value
 * @param {number} top
 * @param {(v: number) => string} words
 */
export function peak(p, shown, value, top, words) {
  const i = shown.reduce((best, n, j) => (value(n) > value(shown[best]) ? j : best), 0);
  if (!shown.length || value(shown[i]) <= top) return;
  const late = p.x(i) > p.right - 60 * p.k;
  p.node.append(svg("text", { class: "kl-st-text kl-st-halo", x: p.x(i) + (late ? -6 : 6) * p.k, y: p.head + 9 * p.k, "text-anchor": late ? "end" : "start" }, `↑ ${words(value(shown[i]))}`));
}

/** Returns the end of a bar that is too high for the axis: a cut, with its value in words. @param {number} x @param {number} y @param {number} wide @param {string} words @param {number} k */
export function cutOff(x, y, wide, words, k) {
  const half = wide / 2 + 1;
  return [
    svg("path", { class: "kl-st-cut", d: `M${x - half} ${y + 5 * k}l${half / 2} ${-4 * k}l${half / 2} ${4 * k}l${half / 2} ${-4 * k}l${half / 2} ${4 * k}` }),
    svg("text", { class: "kl-st-text", x: x + half + 3 * k, y: y + 9 * k }, words),
  ];
}
