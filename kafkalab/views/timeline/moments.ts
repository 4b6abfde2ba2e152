// The words of the time line, without the DOM: find what is known at a moment, and format times.

import { ticks, timeStep } from "../axis.ts";
import { clock, count, kindOf, shorten, two } from "../shared.ts";
import type { Happened, Picture as State, Strips as Steps } from "./picture";

/** Half a millisecond, because times are sent in whole ones. */
const NEAR = 0.0005;

/** Returns the place of the last item, in an ordered list, that is not after `at`; −1 before the first. */
function lastBy<T>(list: T[], at: number, time: (item: T) => number) {
  let low = 0, high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (time(list[middle]) <= at + NEAR) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Returns the place in `events` of the last event that is not after `at`, or −1. */
export function current(events: Happened[], at: number) {
  return lastBy(events, at, (e) => e.at);
}

/** Returns the moments of events and names, in order: the stops of the buttons and of Page Up and Down. */
export function stops(state: State) {
  return [...new Set([...state.events.map((e) => e.at), ...state.named.map((n) => n.at)])].sort((a, b) => a - b);
}

/** Returns the moment next to `at`, before (−1) or after (+1) it; null when there is none. */
export function neighbour(moments: number[], at: number, way: number): number | null {
  let i = lastBy(moments, at, (moment) => moment);
  if (way > 0) return moments[i + 1] ?? null;
  while (i >= 0 && moments[i] > at - NEAR) i--;
  return moments[i] ?? null;
}

/** Returns the row of a step function that holds at a moment; undefined before the first. */
export function stepAt<R extends [number, ...any[]]>(rows: R[], at: number): R | undefined {
  return rows[lastBy(rows, at, (row) => row[0])];
}

/** Returns the learner's last action up to a moment. */
export function acted(events: Happened[], at: number): Happened | undefined {
  for (let i = current(events, at); i >= 0; i--) if (events[i].kind === "you") return events[i];
  return undefined;
}

/** Formats seconds since the beginning as a clock: "2:14.3", "1:02:14.3". */
export function moment(seconds: number, digits: number = 1) {
  const tens = 10 ** digits;
  const whole = Math.floor(Math.max(0, seconds) * tens + 1e-6);
  const s = Math.floor(whole / tens);
  const fraction = digits ? `.${String(whole % tens).padStart(digits, "0")}` : "";
  const hours = Math.floor(s / 3600);
  const minutes = Math.floor((s % 3600) / 60);
  return `${hours ? `${hours}:${two(minutes)}` : minutes}:${two(s % 60)}${fraction}`;
}

/** Formats a stretch of time: "12.4 s", "3:05 min", "1:04 h". */
export function stretch(seconds: number) {
  return seconds < 60 ? `${seconds.toFixed(1)} s` : clock.long(Math.round(seconds));
}

export function times(speed: number) {
  return `×${speed}`;
}

/** Returns how many brokers are up, "2 of 3 brokers up", and whether one is down. */
export function brokersUp(steps: Steps, at: number) {
  const row = stepAt(steps.brokers, at);
  if (!row) return { text: "not read yet", down: false, known: false };
  const [, up, of] = row;
  return { text: `${up} of ${of} broker${of === 1 ? "" : "s"} up`, down: up < of, known: true };
}

/** Returns what is wrong at a moment, in words: "broker 102 is down", "2 partitions without a leader"; "" when nothing is. */
export function wrong(steps: Steps, at: number) {
  const down = stepAt(steps.brokers, at)?.[3] ?? [];
  const leaderless = stepAt(steps.leaderless, at)?.[1] ?? 0;
  const short = stepAt(steps.short, at)?.[1] ?? 0;
  const partitions = (n: number) => `${count(n)} partition${n === 1 ? "" : "s"}`;
  return [
    down.length ? `broker${down.length === 1 ? "" : "s"} ${down.join(", ")} ${down.length === 1 ? "is" : "are"} down` : "",
    leaderless ? `${partitions(leaderless)} without a leader` : "",
    short ? `${partitions(short)} under-replicated` : "",
  ].filter(Boolean).join(", ");
}

/** Returns a moment for screen readers: "12.4 seconds, broker 102 is down; last: you killed broker 102". */
export function said(state: State) {
  const at = state.live ? `live, ${spoken(state.at)}` : spoken(state.at);
  const problem = wrong(state.steps, state.at) || (state.steps.brokers.length ? "all brokers are up" : "");
  const event = state.events[current(state.events, state.at)];
  const name = state.named.find((n) => Math.abs(n.at - state.at) < NEAR);
  return [at, problem].filter(Boolean).join(", ") + (name ? `; named ${shorten(name.name, 80)}` : "") + (event ? `; last: ${shorten(event.text, 200)}` : "");
}

/** Formats seconds for screen readers: "12.4 seconds", "3 minutes 5.0 seconds". */
function spoken(seconds: number) {
  if (seconds < 60) return `${seconds.toFixed(1)} seconds`;
  const minutes = Math.floor(seconds / 60);
  return `${minutes} minute${minutes === 1 ? "" : "s"} ${(seconds - minutes * 60).toFixed(1)} seconds`;
}

/** Returns an event with its time, for a line or a tooltip. */
export function sentence(event: Happened) {
  const since = event.since === null || event.kind === "you" ? "" : ` (${clock.since(event.since)})`;
  return `${moment(event.at)}${since} ${shorten(event.text, 260)}`;
}

// --- The time line's scale, without the DOM: works out the stretch shown, the places of labels, and the signs that share a place.
// A zoom is {span, end}: the number of seconds shown, and the last of them; with span null it shows the whole recording.

export type Zoom = { span: number | null; end: number };
export type Shown = { from: number; to: number };
export type Tick = { at: number; x: number; kind: string; lane: string; first: number; count: number };

const ROOMY = [5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 240, 300, 420, 600, 900, 1200, 1800, 2700, 3600];
/** Length of the shortest stretch that can be shown, in seconds. */
const SHORTEST = 2;
/** Stretches to choose from, in seconds; null is the whole. */
export const SPANS: [number | null, string][] = [[null, "whole"], [1800, "30 min"], [600, "10 min"], [60, "1 min"], [10, "10 s"]];

/** Returns the seconds over which a whole recording is drawn. A growing one gets room for more, so that signs seldom move. */
export function whole(seconds: number, going: boolean) {
  if (!going) return Math.max(seconds, 1);
  const wanted = seconds * 1.04;
  return ROOMY.find((n) => n >= wanted) ?? Math.ceil(wanted / 1800) * 1800;
}

/** Returns the stretch to show: that of the zoom, moved just so far that the playhead is inside. */
export function shown(zoom: Zoom, { at, seconds, going, live }: { at: number; seconds: number; going: boolean; live: boolean }): Shown {
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

/** Returns the zoom with its span multiplied; `at` keeps its place. */
export function zoomed(zoom: Zoom, factor: number, at: number, now: Shown, all: number): Zoom {
  const span = Math.max(SHORTEST, (zoom.span ?? all) * factor);
  if (span >= all) return { span: null, end: all };
  const share = (at - now.from) / (now.to - now.from);
  return { span, end: at + span * (1 - Math.min(1, Math.max(0, share))) };
}

/** Returns the place of a moment, 0 to 1. */
export function place(now: Shown, at: number) {
  return (at - now.from) / (now.to - now.from);
}

/** Returns the moment at a place, inside the recording. */
export function momentAt(now: Shown, share: number, seconds: number) {
  return Math.min(seconds, Math.max(0, now.from + share * (now.to - now.from)));
}

/** Returns the labels of the axis, at least `room` pixels apart. */
export function axis({ from, to }: Shown, width: number, room: number) {
  const step = timeStep(((to - from) * room) / Math.max(1, width));
  return { step, at: ticks(from, to, step) };
}

/** Returns the width of a sign in pixels, with the count beside it. */
const room = (count: number) => (count > 9 ? 28 : count > 1 ? 21 : 15);

/** Returns the signs to draw: a sign that would touch the one before it in its lane shares its place; the gravest is drawn.
 * @param events in their order
 * @param width pixels
 * @param scale factor of the signs' size */
export function crowded(events: { at: number; kind: string }[], now: Shown, width: number, scale: number = 1): Tick[] {
  const last: Record<string, Tick> = {};
  const found: Tick[] = [];
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
 * @param until the last known moment
 * @returns the stretches between gaps; a null value is a gap */
export function corners(rows: [number, ...any[]][], now: Shown, width: number, until: number, value: (row: any) => number | null): [number, number][][] {
  const found: [number, number][][] = [];
  let piece: [number, number][] | null = null;
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
