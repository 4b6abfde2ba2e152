// The words of the time line, without the DOM: find what is known at a moment, and format times.

import { ticks, timeStep } from "../axis.js";
import { clock, count, kindOf, shorten, two } from "../shared.js";

/** @typedef {import("./picture").Picture} State
 * @typedef {import("./picture").Happened} Happened
 * @typedef {import("./picture").Strips} Steps */

/** Half a millisecond, because times are sent in whole ones. */
const NEAR = 0.0005;

/** Returns the place of the last item, in an ordered list, that is not after `at`; −1 before the first.
 * @template T @param {T[]} list @param {number} at @param {(item: T) => number} time */
function lastBy(list, at, time) {
  let low = 0, high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (time(list[middle]) <= at + NEAR) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Returns the place in `events` of the last event that is not after `at`, or −1. @param {Happened[]} events @param {number} at */
export function current(events, at) {
  return lastBy(events, at, (e) => e.at);
}

/** Returns the moments of events and names, in order: the stops of the buttons and of Page Up and Down. @param {State} state */
export function stops(state) {
  return [...new Set([...state.events.map((e) => e.at), ...state.named.map((n) => n.at)])].sort((a, b) => a - b);
}

/** Returns the moment next to `at`, before (−1) or after (+1) it; null when there is none. @param {number[]} moments @param {number} at @param {number} way @returns {number | null} */
export function neighbour(moments, at, way) {
  let i = lastBy(moments, at, (moment) => moment);
  if (way > 0) return moments[i + 1] ?? null;
  while (i >= 0 && moments[i] > at - NEAR) i--;
  return moments[i] ?? null;
}

/** Returns the row of a step function that holds at a moment; undefined before the first. @template {[number, ...any[]]} R @param {R[]} rows @param {number} at @returns {R | undefined} */
export function stepAt(rows, at) {
  return rows[lastBy(rows, at, (row) => row[0])];
}

/** Returns the learner's last action up to a moment. @param {Happened[]} events @param {number} at @returns {Happened | undefined} */
export function acted(events, at) {
  for (let i = current(events, at); i >= 0; i--) if (events[i].kind === "you") return events[i];
  return undefined;
}

/** Formats seconds since the beginning as a clock: "2:14.3", "1:02:14.3". @param {number} seconds @param {number} digits */
export function moment(seconds, digits = 1) {
  const tens = 10 ** digits;
  const whole = Math.floor(Math.max(0, seconds) * tens + 1e-6);
  const s = Math.floor(whole / tens);
  const fraction = digits ? `.${String(whole % tens).padStart(digits, "0")}` : "";
  const hours = Math.floor(s / 3600);
  const minutes = Math.floor((s % 3600) / 60);
  return `${hours ? `${hours}:${two(minutes)}` : minutes}:${two(s % 60)}${fraction}`;
}

/** Formats a stretch of time: "12.4 s", "3:05 min", "1:04 h". @param {number} seconds */
export function stretch(seconds) {
  return seconds < 60 ? `${seconds.toFixed(1)} s` : clock.long(Math.round(seconds));
}

/** @param {number} speed */
export function times(speed) {
  return `×${speed}`;
}

/** Returns how many brokers are up, "2 of 3 brokers up", and whether one is down. @param {Steps} steps @param {number} at */
export function brokersUp(steps, at) {
  const row = stepAt(steps.brokers, at);
  if (!row) return { text: "not read yet", down: false, known: false };
  const [, up, of] = row;
  return { text: `${up} of ${of} broker${of === 1 ? "" : "s"} up`, down: up < of, known: true };
}

/** Returns what is wrong at a moment, in words: "broker 102 is down", "2 partitions without a leader"; "" when nothing is. @param {Steps} steps @param {number} at */
export function wrong(steps, at) {
  const down = stepAt(steps.brokers, at)?.[3] ?? [];
  const leaderless = stepAt(steps.leaderless, at)?.[1] ?? 0;
  const short = stepAt(steps.short, at)?.[1] ?? 0;
  const partitions = (/** @type {number} */ n) => `${count(n)} partition${n === 1 ? "" : "s"}`;
  return [
    down.length ? `broker${down.length === 1 ? "" : "s"} ${down.join(", ")} ${down.length === 1 ? "is" : "are"} down` : "",
    leaderless ? `${partitions(leaderless)} without a leader` : "",
    short ? `${partitions(short)} under-replicated` : "",
  ].filter(Boolean).join(", ");
}

/** Returns a moment for screen readers: "12.4 seconds, broker 102 is down; last: you killed broker 102". @param {State} state */
export function said(state) {
  const at = state.live ? `live, ${spoken(state.at)}` : spoken(state.at);
  const problem = wrong(state.steps, state.at) || (state.steps.brokers.length ? "all brokers are up" : "");
  const event = state.events[current(state.events, state.at)];
  const name = state.named.find((n) => Math.abs(n.at - state.at) < NEAR);
  return [at, problem].filter(Boolean).join(", ") + (name ? `; named ${shorten(name.name, 80)}` : "") + (event ? `; last: ${shorten(event.text, 200)}` : "");
}

/** Formats seconds for screen readers: "12.4 seconds", "3 minutes 5.0 seconds". @param {number} seconds */
function spoken(seconds) {
  if (seconds < 60) return `${seconds.toFixed(1)} seconds`;
  const minutes = Math.floor(seconds / 60);
  return `${minutes} minute${minutes === 1 ? "" : "s"} ${(seconds - minutes * 60).toFixed(1)} seconds`;
}

/** Returns an event with its time, for a line or a tooltip. @param {Happened} event */
export function sentence(event) {
  const since = event.since === null || event.kind === "you" ? "" : ` (${clock.since(event.since)})`;
  return `${moment(event.at)}${since} ${shorten(event.text, 260)}`;
}

// --- The time line's scale, without the DOM: works out the stretch shown, the places of labels, and the signs that share a place.
// A zoom is {span, end}: the number of seconds shown, and the last of them; with span null it shows the whole recording.

/** @typedef {{ span: number | null, end: number }} Zoom */
/** @typedef {{ from: number, to: number }} Shown */
/** @typedef {{ at: number, x: number, kind: string, lane: string, first: number, count: number }} Tick */

const ROOMY = [5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 240, 300, 420, 600, 900, 1200, 1800, 2700, 3600];
/** Length of the shortest stretch that can be shown, in seconds. */
const SHORTEST = 2;
/** Stretches to choose from, in seconds; null is the whole. @type {[number | null, string][]} */
export const SPANS = [[null, "whole"], [1800, "30 min"], [600, "10 min"], [60, "1 min"], [10, "10 s"]];

/** Returns the seconds over which a whole recording is drawn. A growing one gets room for more, so that signs seldom move.
 * @param {number} seconds @param {boolean} going */
export function whole(seconds, going) {
  if (!going) return Math.max(seconds, 1);
  const wanted = seconds * 1.04;
  return ROOMY.find((n) => n >= wanted) ?? Math.ceil(wanted / 1800) * 1800;
}

/** Returns the stretch to show: that of the zoom, moved just so far that the playhead is inside.
 * @param {Zoom} zoom @param {{ at: number, seconds: number, going: boolean, live: boolean }} state @returns {Shown} */
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

/** Returns the zoom with its span multiplied; `at` keeps its place.
 * @param {Zoom} zoom @param {number} factor @param {number} at @param {Shown} now @param {number} all @returns {Zoom} */
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
  const step = timeStep(((to - from) * room) / Math.max(1, width));
  return { step, at: ticks(from, to, step) };
}

/** Returns the width of a sign in pixels, with the count beside it. @param {number} count */
const room = (count) => (count > 9 ? 28 : count > 1 ? 21 : 15);

/** Returns the signs to draw: a sign that would touch the one before it in its lane shares its place; the gravest is drawn.
 * @param {{ at: number, kind: string }[]} events in their order @param {Shown} now @param {number} width pixels
 * @param {number} scale factor of the signs' size @returns {Tick[]} */
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

/** Returns a step function as corners in the picture, [x, value]: of each visible step, the one before it, and the end.
 * @param {[number, ...any[]][]} rows @param {Shown} now @param {number} width @param {number} until the last known moment
 * @param {(row: any) => number | null} value
 * @returns {[number, number][][]} the stretches between gaps; a null value is a gap */
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
