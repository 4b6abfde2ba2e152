// The time line's scale, without the DOM: works out the stretch shown, the places of labels, and the signs that share a place.
// A zoom is {span, end}: the number of seconds shown, and the last of them; with span null it shows the whole recording.
import { kindOf } from "../signs.js";

/** @typedef {{ span: number | null, end: number }} Zoom */
/** @typedef {{ from: number, to: number }} Shown */
/** @typedef {{ at: number, x: number, kind: string, lane: string, first: number, count: number }} Tick */

const ROOMY = [5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 240, 300, 420, 600, 900, 1200, 1800, 2700, 3600];
const STEPS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600];
/** Length of the shortest stretch that can be shown, in seconds. */
export const SHORTEST = 2;
/** Stretches to choose from, in seconds; null is the whole. @type {[number | null, string][]} */
export const SPANS = [[null, "whole"], [1800, "30 min"], [600, "10 min"], [60, "1 min"], [10, "10 s"]];

/**
 * Returns the seconds over which a whole recording is drawn. A growing one gets room for more, so that signs seldom move.
 * @param {number} seconds @param {boolean} going
 */
export function whole(seconds, going) {
  if (!going) return Math.max(seconds, 1);
  const wanted = seconds * 1.04;
  return ROOMY.find((n) => n >= wanted) ?? Math.ceil(wanted / 1800) * 1800;
}

/**
 * Returns the stretch to show: that of the zoom, moved just so far that the playhead is inside.
 * @param {Zoom} zoom @param {{ at: number, seconds: number, going: boolean, live: boolean }} state @returns {Shown}
 */
export function shown(zoom, { at, seconds, going, live }) {
  const all = whole(seconds, going);
  if (zoom.span === null || zoom.span >= all) return { from: 0, to: all };
  const { span } = zoom;
  let end = zoom.end;
  // Live, a tenth is left free, so that a growing recording moves the picture ten times per span, and not twice a second.
  if (live) end = at <= end && at > end - span ? end : at + span / 10;
  else if (at > end) end = at + span / 4;
  else if (at < end - span) end = at + (span * 3) / 4;
  end = Math.min(Math.max(end, span), Math.max(all, span));
  return { from: end - span, to: end };
}

/**
 * Returns the zoom with its span multiplied; `at` keeps its place.
 * @param {Zoom} zoom @param {number} factor @param {number} at @param {Shown} now @param {number} all @returns {Zoom}
 */
export function zoomed(zoom, factor, at, now, all) {
  const span = Math.max(SHORTEST, (zoom.span ?? all) * factor);
  if (span >= all) return { span: null, end: all };
  const share = (at - now.from) / (now.to - now.from);
  return { span, end: at + span * (1 - Math.min(1, Math.max(0, share))) };
}

/** Returns the place of a moment, 0 to 1. @param {Shown} now @param {number} at */
export function place(now, at) {
  return (at - now.from) / (now.to - now.from);
}

/** Returns the moment at a place, inside the recording. @param {Shown} now @param {number} share @param {number} seconds */
export function momentAt(now, share, seconds) {
  return Math.min(seconds, Math.max(0, now.from + share * (now.to - now.from)));
}

/** Returns the labels of the axis, at least `room` pixels apart. @param {Shown} now @param {number} width @param {number} room */
export function axis({ from, to }, width, room) {
  const least = ((to - from) * room) / Math.max(1, width);
  const step = STEPS.find((s) => s >= least) ?? Math.ceil(least / 3600) * 3600;
  const found = [];
  for (let i = Math.ceil(from / step - 1e-9); i * step <= to + 1e-9; i++) found.push(Math.max(0, Math.round(i * step * 10) / 10));
  return { step, at: found };
}

/** Returns the width of a sign in pixels, with the count beside it. @param {number} count */
const room = (count) => (count > 9 ? 28 : count > 1 ? 21 : 15);

/**
 * Returns the signs to draw: a sign that would touch the one before it in its lane shares its place; the gravest is drawn.
 * @param {{ at: number, kind: string }[]} events in their order @param {Shown} now @param {number} width pixels @param {number} scale factor of the signs' size
 * @returns {Tick[]}
 */
export function crowded(events, now, width, scale = 1) {
  /** @type {Record<string, Tick>} */ const last = {};
  /** @type {Tick[]} */ const found = [];
  for (let i = 0; i < events.length; i++) {
    const { at, kind } = events[i];
    if (at < now.from) continue;
    if (at > now.to) break;
    const { lane, weight } = kindOf(kind);
    const x = place(now, at) * width;
    const before = last[lane];
    if (before && x - before.x < room(before.count) * scale) {
      before.count++;
      if (weight > kindOf(before.kind).weight) before.kind = kind;
      continue;
    }
    found.push((last[lane] = { at, x, kind, lane, first: i, count: 1 }));
  }
  return found;
}

/**
 * Returns a step function as corners in the picture, [x, value]: of each visible step, the one before it, and the end.
 * @param {[number, ...any[]][]} rows @param {Shown} now @param {number} width @param {number} until the last known moment @param {(row: any) => number | null} value
 * @returns {[number, number][][]} the stretches between gaps; a null value is a gap
 */
export function corners(rows, now, width, until, value) {
  /** @type {[number, number][][]} */ const found = [];
  /** @type {[number, number][] | null} */ let piece = null;
  const last = Math.min(until, now.to);
  for (let i = 0; i < rows.length; i++) {
    const from = Math.max(rows[i][0], now.from);
    const to = Math.min(i + 1 < rows.length ? rows[i + 1][0] : last, last);
    if (to < from) continue;
    const v = value(rows[i]);
    if (v === null) { piece = null; continue; }
    if (!piece) found.push((piece = []));
    piece.push([place(now, from) * width, v], [place(now, to) * width, v]);
  }
  return found;
}
