// The scales of a stream: work out axes, ticks and lanes, and format times, sizes and counts. Nothing here draws.

import { roundStep, ticks } from "../axis.js";
import { clock, count } from "../shared.js";

/** @typedef {{ top: number, ticks: number[], cut: boolean }} Axis */

/** Returns a rounded-up top and about three round ticks for values from 0. One batch far above the others (mostly the first)
 * would flatten them all: then the top is that of the others, `cut` is true, and higher bars are drawn as cut off.
 * @param {number[]} values @param {number} [least] a value that the axis includes in any case @returns {Axis} */
export function axis(values, least = 0) {
  const sorted = values.filter((v) => Number.isFinite(v) && v >= 0).sort((a, b) => a - b);
  const most = Math.max(least, sorted.at(-1) ?? 0);
  const usual = Math.max(least, sorted[Math.floor(0.9 * (sorted.length - 1))] ?? 0);
  const cut = sorted.length >= 6 && usual > 0 && most > 3 * usual;
  const wanted = (cut ? 1.25 * usual : most) || 1;
  const step = roundStep(wanted / 3);
  const top = Number((Math.ceil(wanted / step - 1e-9) * step).toPrecision(12));
  return { top, ticks: ticks(0, top, step), cut };
}

/** Formats measured milliseconds: "462 ms", "6.99 s", "2:05 min". @param {number} ms */
export function shortMs(ms) {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 100_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;
  return lasting(ms / 1000);
}

/** Formats chosen milliseconds without rounding: "1 s", "500 ms". @param {number} ms */
export function even(ms) {
  return ms < 1000 ? `${ms} ms` : `${Number((ms / 1000).toFixed(3))} s`;
}

/** Formats seconds: "0.4 s", "48 s", "1:10 min", "2:05 h". @param {number} seconds */
export function lasting(seconds) {
  const size = Math.abs(seconds), sign = seconds < 0 ? "−" : "";
  if (size < 10) return `${sign}${Number(size.toFixed(1))} s`;
  const whole = Math.round(size);
  if (whole < 60) return `${sign}${whole} s`;
  return whole < 172_800 ? `${sign}${clock.long(whole)}` : `${sign}${count(Math.floor(whole / 86_400))} days`;
}

/** Formats bytes: "3.6 kB". @param {number} n */
export function bytes(n) {
  for (const [size, unit] of /** @type {[number, string][]} */ ([[1e9, "GB"], [1e6, "MB"], [1e3, "kB"]])) {
    if (n >= size) return `${(n / size).toFixed(n < 10 * size ? 1 : 0)}\u202f${unit}`;
  }
  return `${Math.round(n)}\u202fB`;
}

/** Formats a count for an axis: "800", "12.5k", "1.2M". @param {number} n */
export function brief(n) {
  for (const [size, unit] of /** @type {[number, string][]} */ ([[1e9, "G"], [1e6, "M"], [1e4, "k"]])) {
    if (n >= size) return `${Number((n / (unit === "k" ? 1e3 : size)).toFixed(1))}${unit}`;
  }
  return count(Number(n.toFixed(n < 10 ? 1 : 0)));
}

/** Formats an event time in UTC, because Spark's session uses UTC here. @param {number} at Unix seconds */
export function utc(at) {
  return new Date(at * 1000).toISOString().slice(11, 19);
}

/** @param {number} at Unix seconds */
export function utcDate(at) {
  return new Date(at * 1000).toISOString().slice(0, 10);
}

/** Places batches on the x axis: as many of the newest as fit, each in its own slot.
 * @param {number[]} numbers all batch numbers, ascending @param {number} width pixels
 * @param {number} least minimum width of a slot, in pixels */
export function slots(numbers, width, least) {
  const shown = numbers.slice(-Math.max(1, Math.floor(width / least)));
  const wide = width / Math.max(shown.length, 10);
  return {
    shown, wide,
    middle: (/** @type {number} */ i) => (i + 0.5) * wide,
    /** Returns the place in `shown` at a pixel. @param {number} x */
    at: (x) => Math.max(0, Math.min(shown.length - 1, Math.floor(x / wide))),
  };
}

/** Returns the lanes of Kafka's offsets, on one scale: each ends at its right with the last offset that these batches read.
 * `span`: the most offsets that a lane covers; `waiting`: the most records that a partition has unread.
 * @param {Record<string, Pick<import("./picture").Batch, "lanes">>} batches by number @param {number[]} numbers the batches to draw, ascending
 * @param {string[]} keys the lanes' keys */
export function laneRanges(batches, numbers, keys) {
  const lanes = keys.map((key) => {
    /** @type {{ number: number, from: number, to: number, open: boolean }[]} */ const ranges = [];
    let /** @type {number | null} */ end = null, /** @type {number | null} */ latest = null;
    for (const number of numbers) {
      const found = batches[number]?.lanes[key];
      if (!found) continue;
      const [start, stop, newest] = found;
      // The first batch of a query has no known beginning, so its range is open.
      const from = start ?? end ?? stop, open = start === null && end === null && stop > 0;
      if (stop > from || open) ranges.push({ number, from, to: stop, open });
      end = stop;
      if (newest !== null) latest = newest;
    }
    return { key, ranges, end, latest, behind: latest === null || end === null ? null : Math.max(0, latest - end) };
  });
  const reach = lanes.map(({ end, ranges: [first] }) => (end === null || !first ? 0 : end - (first.open ? first.to : first.from)));
  return { lanes, span: Math.max(1, ...reach), waiting: Math.max(0, ...lanes.map((lane) => lane.behind ?? 0)) };
}

/** Returns a batch's event times and its watermark; NaN for what is not known. @param {Pick<import("./picture").Batch, "event">} batch */
export function timesOf({ event }) {
  return { min: event.min ?? NaN, avg: event.avg ?? NaN, max: event.max ?? NaN, watermark: event.watermark ?? NaN };
}

/** Returns what all state operators hold of this after a batch. @param {Pick<import("./picture").Batch, "state">} batch @param {"total" | "updated" | "removed" | "bytes"} name */
export function held(batch, name) {
  return batch.state.reduce((/** @type {number} */ sum, operator) => sum + operator[name], 0);
}

/** Returns the seconds from the watermark to the newest event time; null when one of them is not known. */
export function delay(batch) {
  const { max, watermark } = batch.event;
  return max === undefined || max === null || watermark === null || watermark === undefined ? null : max - watermark;
}
