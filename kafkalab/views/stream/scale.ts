// The scales of a stream: work out axes, ticks and lanes, and format times, sizes and counts. Nothing here draws.

import { roundStep, ticks } from "../axis.ts";
import { clock, count } from "../shared.ts";
import type { Batch, Picture } from "./picture";

export type Axis = { top: number; bottom?: number; ticks: number[] };

/** Returns a rounded-up top and about three round ticks for values from 0. One batch far above the others (mostly the first)
 * would flatten them all: then the top is that of the others, and higher bars are drawn as cut off.
 * @param least a value that the axis includes in any case */
export function axis(values: number[], least = 0): Axis {
  const sorted = values.filter((v) => Number.isFinite(v) && v >= 0).sort((a, b) => a - b);
  const most = Math.max(least, sorted.at(-1) ?? 0);
  const usual = Math.max(least, sorted[Math.floor(0.9 * (sorted.length - 1))] ?? 0);
  const cut = sorted.length >= 6 && usual > 0 && most > 3 * usual;
  const wanted = (cut ? 1.25 * usual : most) || 1;
  const step = roundStep(wanted / 3);
  const top = Number((Math.ceil(wanted / step - 1e-9) * step).toPrecision(12));
  return { top, ticks: ticks(0, top, step) };
}

/** Formats measured milliseconds: "462 ms", "6.99 s", "2:05 min". */
export function shortMs(ms: number) {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 100_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;
  return lasting(ms / 1000);
}

/** Formats chosen milliseconds without rounding: "1 s", "500 ms". */
export function even(ms: number) {
  return ms < 1000 ? `${ms} ms` : `${Number((ms / 1000).toFixed(3))} s`;
}

/** Formats seconds: "0.4 s", "48 s", "1:10 min", "2:05 h". */
export function lasting(seconds: number) {
  const size = Math.abs(seconds), sign = seconds < 0 ? "−" : "";
  if (size < 10) return `${sign}${Number(size.toFixed(1))} s`;
  const whole = Math.round(size);
  if (whole < 60) return `${sign}${whole} s`;
  return whole < 172_800 ? `${sign}${clock.long(whole)}` : `${sign}${count(Math.floor(whole / 86_400))} days`;
}

/** Formats bytes: "3.6 kB". */
export function bytes(n: number) {
  for (const [size, unit] of [[1e9, "GB"], [1e6, "MB"], [1e3, "kB"]] as const) {
    if (n >= size) return `${(n / size).toFixed(n < 10 * size ? 1 : 0)}\u202f${unit}`;
  }
  return `${Math.round(n)}\u202fB`;
}

/** Formats a count for an axis: "800", "12.5k", "1.2M". */
export function brief(n: number) {
  for (const [size, unit] of [[1e9, "G"], [1e6, "M"], [1e4, "k"]] as const) {
    if (n >= size) return `${Number((n / (unit === "k" ? 1e3 : size)).toFixed(1))}${unit}`;
  }
  return count(Number(n.toFixed(n < 10 ? 1 : 0)));
}

/** Formats an event time, Unix seconds, in UTC, because Spark's session uses UTC here. */
export function utc(at: number) {
  return new Date(at * 1000).toISOString().slice(11, 19);
}

export function utcDate(at: number) {
  return new Date(at * 1000).toISOString().slice(0, 10);
}

/** Places batches on the x axis: as many of the newest as fit into `width`, each in its own slot of at least `least` pixels. */
export function slots(numbers: number[], width: number, least: number) {
  const shown = numbers.slice(-Math.max(1, Math.floor(width / least)));
  const wide = width / Math.max(shown.length, 10);
  return {
    shown, wide,
    middle: (i: number) => (i + 0.5) * wide,
    /** Returns the place in `shown` at a pixel. */
    at: (x: number) => Math.max(0, Math.min(shown.length - 1, Math.floor(x / wide))),
  };
}

/** Returns the lanes of Kafka's offsets, on one scale: each ends at its right with the last offset that these batches read.
 * `span`: the most offsets that a lane covers; `waiting`: the most records that a partition has unread. */
export function laneRanges(batches: Record<string, Pick<Batch, "lanes">>, numbers: number[], keys: string[]) {
  const lanes = keys.map((key) => {
    const ranges: { number: number; from: number; to: number; open: boolean }[] = [];
    let end: number | null = null, latest: number | null = null;
    for (const number of numbers) {
      const found = batches[number]?.lanes[key];
      if (!found) continue;
      const { start, end: stop, latest: newest } = found;
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

/** Returns a batch's event times and its watermark; NaN for what is not known. */
export function timesOf({ event }: Pick<Batch, "event">) {
  return { min: event?.min ?? NaN, avg: event?.avg ?? NaN, max: event?.max ?? NaN, watermark: event?.watermark ?? NaN };
}

/** Returns what all state operators hold of this after a batch. */
export function held(batch: Pick<Batch, "state">, name: "total" | "updated" | "removed" | "bytes") {
  return batch.state.reduce((sum, operator) => sum + operator[name], 0);
}

/** Returns the seconds from the watermark to the newest event time; null when one of them is not known. */
export function delay(batch: Pick<Batch, "event">) {
  const { max, watermark } = timesOf(batch);
  return Number.isFinite(max - watermark) ? max - watermark : null;
}

/** Returns whether more rows arrive than a batch could process. In real-time mode a batch lasts as long as it is meant to, so
 * nobody can say how much more it could process. */
export function falls(batch: Batch, trigger: Picture["trigger"]) {
  return trigger.kind !== "real time" && batch.rows > 0 && batch.arriving > batch.processed;
}
