// The words of the time line, without the DOM: find what is known at a moment, and format times.
import { clock, count, shorten } from "../shared.js";

/**
 * The state from which the bar is drawn; `timeline/bar.js` explains each part.
 * @typedef {{ at: number, since: number | null, kind: string, text: string }} Happened
 * @typedef {{ at: number, name: string }} Named
 * @typedef {{ brokers: [number, number, number, number[]][], short: [number, number][], leaderless: [number, number][], lag: [number, number | null][] }} Steps
 * @typedef {{ name: string, kafka: string, label: string, began: number, seconds: number, going: boolean, naming: boolean, at: number, live: boolean,
 *   playing: boolean, speed: number, speeds: number[], heard: number, events: Happened[], named: Named[], steps: Steps, problem: string }} State
 */

/** Half a millisecond, because times are sent in whole ones. */
const NEAR = 0.0005;

/**
 * Returns the place of the last item, in an ordered list, that is not after `at`; −1 before the first.
 * @template T @param {T[]} list @param {number} at @param {(item: T) => number} time
 */
export function lastBy(list, at, time) {
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
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  const fraction = digits ? `.${String(whole % tens).padStart(digits, "0")}` : "";
  const hours = Math.floor(s / 3600);
  const minutes = Math.floor((s % 3600) / 60);
  return `${hours ? `${hours}:${two(minutes)}` : minutes}:${two(s % 60)}${fraction}`;
}

/** Formats a stretch of time: "12.4 s", "3:05 min", "1:04 h". @param {number} seconds */
export function stretch(seconds) {
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  const [a, b, unit] = whole < 3600 ? [Math.floor(whole / 60), whole % 60, "min"] : [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), "h"];
  return `${a}:${String(b).padStart(2, "0")} ${unit}`;
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
