// The moves of chips: works out the arrangement after a move, the names of places, and the marks of a comparison. Pure.

/**
 * The positions of each chip's places, in order; an empty list means nowhere.
 * @typedef {number[][]} Draft
 * @typedef {{ chips: { name: string, hue: number | null }[], places: string[], several?: boolean, nowhere?: string, kind: string }} Offered
 */

/** The place of a chip that is nowhere. */
export const NOWHERE = -1;

/** Returns an arrangement with nothing placed. @param {Offered} offered @returns {Draft} */
export function empty(offered) {
  return offered.chips.map(() => []);
}

/**
 * Returns the arrangement after a chip went from one place to another. In an order each place holds one chip: the chip that
 * was there goes to the place that the moved one left.
 * @param {Offered} offered @param {Draft} draft @param {number} chip @param {number} from @param {number} to @returns {Draft}
 */
export function moved(offered, draft, chip, from, to) {
  if (from === to) return draft;
  const after = draft.map((at) => [...at]);
  if (offered.kind === "order" && to !== NOWHERE) {
    const other = after.findIndex((at) => at[0] === to);
    if (other >= 0) after[other] = from === NOWHERE ? [] : [from];
  }
  const kept = offered.several ? after[chip].filter((place) => place !== from) : [];
  after[chip] = to === NOWHERE ? kept : [...new Set([...kept, to])].sort((a, b) => a - b);
  return after;
}

/**
 * Returns the next place for a carried chip, going round; it skips places in which the chip is already.
 * @param {Offered} offered @param {Draft} draft @param {number} chip @param {number} at @param {number} step 1 or -1
 */
export function next(offered, draft, chip, at, step) {
  const n = offered.places.length + 1;
  const taken = offered.several ? draft[chip].filter((place) => place !== at) : [];
  let place = at;
  for (let i = 0; i < n; i++) {
    place = ((place + 1 + step + n) % n) - 1;
    if (!taken.includes(place)) return place;
  }
  return at;
}

/** Returns the name of a place. @param {Offered} offered @param {number} place */
export function placeName(offered, place) {
  return place === NOWHERE ? (offered.nowhere ?? "not placed") : offered.places[place];
}

/** Returns whether it may be locked: something was placed; in an order, everything. @param {Offered} offered @param {Draft} draft */
export function ready(offered, draft) {
  return offered.kind === "order" ? draft.every((at) => at.length === 1) : draft.some((at) => at.length > 0);
}

/**
 * Returns the chips of a place after the comparison, each with its sign: "right", "wrong" (guessed, but not so) or "missing"
 * (so, but not guessed). Without a guess, all chips that were there are "was".
 * @param {number[][] | null} guess @param {number[][]} was @param {number} place @returns {{ chip: number, sign: string }[]}
 */
export function marked(guess, was, place) {
  const stands = (/** @type {number[]} */ at) => (place === NOWHERE ? at.length === 0 : at.includes(place));
  return was.flatMap((at, chip) => {
    const [said, is] = [guess ? stands(guess[chip]) : false, stands(at)];
    if (!guess) return is ? [{ chip, sign: "was" }] : [];
    return said || is ? [{ chip, sign: said && is ? "right" : said ? "wrong" : "missing" }] : [];
  });
}

/** Parses a typed number, or returns null: "1 500", "0,4" and "1e3" are numbers. @param {string} typed @returns {number | null} */
export function typedNumber(typed) {
  const plain = typed.replace(/[\s\u202f\u00a0']/g, "").replace(",", ".");
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i.test(plain)) return null;
  const n = Number(plain);
  return Number.isFinite(n) && Math.abs(n) <= 1e15 ? n : null;
}
