// The offset axis of the lanes, without the DOM: works out the zoom, the visible offsets, and how lanes are lined up.

import { roundStep, ticks as axisTicks } from "../axis.ts";
import { count } from "../shared.ts";

/** the offsets of a lane whose ends are known */
export type Span = { start: number; high: number; end: number };
/** lefts: lane → the offset at its left edge; own: true when each lane stands at its own end, too far apart for one axis */
export type Place = { follow: boolean; lefts: Record<string, number>; level: number; own: boolean };

// Pixels per offset, from near to far. The first three levels show records, the others bars.
export const LEVELS = [30, 21, 15, 2, 0.2, 0.02, 0.002, 0.0002];
export const NEAREST_BARS = 3;
// Share of the width that is filled when the view follows the end: new records and the words beside a marker need room.
const FILLED = 0.8;
// Maximum number of deleted offsets shown before the first record.
const GHOSTS = 4;

export function pixels(level: number, scale: number = 1) {
  return LEVELS[level] * (level < NEAREST_BARS ? scale : 1);
}

// Returns the nearest level, from 1, at which `length` offsets fit into the width, or else the farthest.
export function levelFor(length, width, scale = 1) {
  const found = LEVELS.findIndex((_, level) => level >= 1 && pixels(level, scale) * length <= width);
  return found < 0 ? LEVELS.length - 1 : found;
}

/** Returns the offsets that are visible when `left` is at the edge: from, and to (not included). */
export function visible(left, px, width) {
  return { from: Math.max(0, Math.floor(left)), to: Math.max(0, Math.ceil(left + width / px)) };
}

/** Returns where the lanes begin when the view follows their ends.
 * @param cols number of offsets that fit
 * @param own true when each lane stood at its own end before; a smaller distance then keeps it so */
export function followed(spans: Record<string, Span>, cols: number, own: boolean): { lefts: Record<string, number>; own: boolean } {
  const all = Object.values(spans);
  if (!all.length) return { lefts: {}, own: false };
  const ends = all.map((s) => s.end);
  const last = Math.max(...ends);
  const room = Math.floor(cols * FILLED);
  // Lanes that end far apart have no common axis on which both ends are visible.
  const apart = last - Math.min(...ends) > (own ? room / 3 : room / 2) && last > room;
  const first = Math.max(0, Math.min(...all.map((s) => s.start)) - GHOSTS);
  const shared = Math.max(first, last - room);
  const lefts = Object.fromEntries(Object.entries(spans).map(([p, s]) =>
    [p, apart ? Math.max(0, Math.max(s.start - GHOSTS, s.end - room)) : shared]));
  return { lefts, own: apart };
}

// Returns all lanes moved by `by` offsets, but only so far that something of one of them stays in view.
export function scrolled(lefts, spans, by, cols) {
  const lanes = Object.entries(spans);
  if (!lanes.length) return lefts;
  const lowest = Math.min(...lanes.map(([p, s]) => s.start - cols * 0.2 - (lefts[p] ?? 0)));
  const highest = Math.max(...lanes.map(([p, s]) => s.end - cols * 0.2 - (lefts[p] ?? 0)));
  const step = Math.min(Math.max(by, Math.min(0, lowest)), Math.max(0, highest));
  return Object.fromEntries(Object.entries(lefts).map(([p, left]) => [p, left + step]));
}

// Returns the lanes with the offset `at(p)` a third of the width from their left edge; lanes without one stay.
export function centred(lefts, at, cols) {
  return Object.fromEntries(Object.entries(lefts).map(([p, left]) => {
    const offset = at(p);
    return [p, offset === null || offset === undefined ? left : Math.max(-2, Math.round(offset - cols / 3))];
  }));
}

// Returns the lanes zoomed from one size to another; the offset at `x` pixels stays there.
export function zoomed(lefts, x, before, after) {
  return Object.fromEntries(Object.entries(lefts).map(([p, left]) => [p, left + x / before - x / after]));
}

// Returns round offsets to write above a lane, far enough from each other to be readable.
export function ticks(from, to, px, apart = 70) {
  return axisTicks(from, to - 1, roundStep(Math.max(1, apart / px)));
}

// Returns the round offsets with those of the first and the last record that are in view, and without those beside them.
export function withEnds(round, lane, seen, px, apart) {
  const ends = lane.end > lane.start ? [lane.start, lane.end - 1].filter((at) => at >= seen.from && at < seen.to) : [];
  if (!ends.length) return round;
  if (ends.length === 2 && (ends[1] - ends[0]) * px < 8 * String(ends[1]).length) ends.shift();
  const far = round.filter((at) => at < lane.end && ends.every((end) => Math.abs(end - at) >= apart || at === end));
  return [...new Set([...far, ...ends])].sort((a, b) => a - b);
}

// Shortens a number for small places: 1234567 → "1.23 M".
export function brief(n) {
  if (n < 100000) return count(n);
  if (n < 1e6) return `${Math.round(n / 1000)} k`;
  return `${(n / 1e6).toFixed(n < 1e7 ? 2 : 1)} M`;
}
