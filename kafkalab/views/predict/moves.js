// Chips in places: what a move makes of an arrangement, and in which words it is told. Pure.

/**
 * For each chip the positions of its places, in order; none: it is nowhere.
 * @typedef {number[][]} Draft
 * @typedef {{ chips: { name: string, hue: number | null }[], places: string[], several?: boolean, nowhere?: string, kind: string }} Offered
 */

/** Where a chip is that stands nowhere. */
export const NOWHERE = -1;

/** Nothing placed yet. @param {Offered} offered @returns {Draft} */
export function empty(offered) {
  return offered.chips.map(() => []);
}

/**
 * The arrangement after a chip went from one place to another. In an order each place holds one: who stood there goes to
 * where the chip came from.
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
 * The next place for a chip that is carried, round and round; where it stands already it does not go again.
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

/** What a place is called. @param {Offered} offered @param {number} place */
export function placeName(offered, place) {
  return place === NOWHERE ? (offered.nowhere ?? "not placed") : offered.places[place];
}

/** Whether it may be locked: something was placed; of an order, everything. @param {Offered} offered @param {Draft} draft */
export function ready(offered, draft) {
  return offered.kind === "order" ? draft.every((at) => at.length === 1) : draft.some((at) => at.length > 0);
}

/**
 * The chips of a place after the comparison, each with what is to be said of it: "right", "wrong" (said, and not so) or
 * "missing" (so, and not said). Without a guess all that were there are "was".
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

/** A number as it was typed, or null: "1 500", "0,4" and "1e3" are numbers. @param {string} typed @returns {number | null} */
export function typedNumber(typed) {
  const plain = typed.replace(/[\s\u202f\u00a0']/g, "").replace(",", ".");
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i.test(plain)) return null;
  const n = Number(plain);
  return Number.isFinite(n) && Math.abs(n) <= 1e15 ? n : null;
}
