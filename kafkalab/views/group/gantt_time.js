// The time line of the Gantt, without the DOM: works out the stretch shown, the places of its ticks, and how long pauses took.
// A window is {span, end}: the seconds shown, and the moment at its right edge; with end null it follows the newest moment.

/** @typedef {{ span: number, end: number | null }} Window */
/** @typedef {[from: number, to: number | null, what: string, member: string | null]} Piece */

export const SPAN = 60;
const SHORTEST = 0.5;
const STEPS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600];

/**
 * Returns [from, to] of a window when the newest moment is `now`.
 * @param {Window} window @param {number} now @returns {[number, number]}
 */
export function edges(window, now) {
  const end = window.end ?? now;
  return [end - window.span, end];
}

/**
 * Returns the window with its span multiplied; the moment at `share` (0 left … 1 right) stays where it is.
 * @param {Window} window @param {number} factor @param {number} share @param {number} now @param {number} first
 * @returns {Window}
 */
export function zoomed(window, factor, share, now, first) {
  const longest = Math.max(SPAN, now - first) * 1.05;
  const span = Math.min(Math.max(window.span * factor, SHORTEST), longest);
  if (window.end === null && share >= 0.95) return { span, end: null };
  const [from, to] = edges(window, now);
  const fixed = from + (to - from) * share;
  return kept({ span, end: fixed + span * (1 - share) }, now, first);
}

/**
 * Returns the window moved by a number of seconds; at the newest moment it follows again.
 * @param {Window} window @param {number} seconds @param {number} now @param {number} first @returns {Window}
 */
export function moved(window, seconds, now, first) {
  return kept({ span: window.span, end: (window.end ?? now) + seconds }, now, first);
}

/**
 * Returns a window that shows a stretch with some room on both sides.
 * @param {number} from @param {number} to @param {number} now @param {number} first @returns {Window}
 */
export function around(from, to, now, first) {
  const span = Math.max(4, (to - from) * 2.5);
  return kept({ span, end: (from + to) / 2 + span / 2 }, now, first);
}

/** @param {Window} window @param {number} now @param {number} first @returns {Window} */
function kept(window, now, first) {
  const end = /** @type {number} */ (window.end);
  if (end >= now) return { span: window.span, end: null };
  return { span: window.span, end: Math.max(end, Math.min(first + window.span, now)) };
}

/**
 * Returns the ticks as [moment, words], at least `room` pixels apart.
 * @param {number} from @param {number} to @param {number} width @param {number} room @returns {[number, string][]}
 */
export function ticks(from, to, width, room) {
  const least = ((to - from) * room) / Math.max(1, width);
  const step = STEPS.find((s) => s >= least) ?? Math.ceil(least / 3600) * 3600;
  /** @type {[number, string][]} */
  const found = [];
  for (let i = Math.ceil(from / step); i * step <= to; i++) found.push([i * step, timeOfDay(i * step, step < 1)]);
  return found;
}

/** @param {number} at @param {boolean} tenths */
export function timeOfDay(at, tenths = false) {
  const d = new Date(Math.round(at * 1000));
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  const whole = `${two(d.getHours())}:${two(d.getMinutes())}:${two(d.getSeconds())}`;
  return tenths ? `${whole}.${Math.floor(d.getMilliseconds() / 100)}` : whole;
}

/**
 * Returns the pieces that are visible between two moments; pieces are in order and touch each other.
 * @param {Piece[]} pieces @param {number} from @param {number} to @returns {Piece[]}
 */
export function visible(pieces, from, to) {
  return pieces.filter(([start, end]) => start < to && (end ?? Infinity) > from);
}

/**
 * Returns which pieces show the length of a pause: lane and start → the words. In each lane it is the longest, with most room.
 * @param {Record<string, Piece[]>} lanes @param {{ keys: string[], from: number, to: number | null, seconds: number | null }[]} pauses
 * @returns {Map<string, string>}
 */
export function measured(lanes, pauses) {
  const found = new Map();
  for (const { keys, from, to, seconds } of pauses) {
    if (seconds === null) continue;
    for (const key of keys) {
      const inside = (lanes[key] ?? []).filter((p) => p[2] !== "held" && p[0] >= from - 0.002 && (p[1] ?? Infinity) <= (to ?? Infinity) + 0.002);
      const longest = inside.reduce((a, b) => (!a || lengthOf(b) > lengthOf(a) ? b : a), /** @type {Piece | null} */ (null));
      if (longest) found.set(`${key}@${longest[0]}`, `${seconds.toFixed(seconds < 1 ? 2 : 1)} s`);
    }
  }
  return found;
}

/** @param {Piece} piece */
function lengthOf(piece) {
  return (piece[1] ?? Infinity) - piece[0];
}

/** Cuts a text so that it fits into a width. @param {string} text @param {number} width @param {number} letter @returns {string} */
export function fitting(text, width, letter) {
  const room = Math.floor(width / letter);
  const letters = Array.from(text);
  if (letters.length <= room) return text;
  return room >= 3 ? `${letters.slice(0, room - 1).join("")}…` : "";
}
