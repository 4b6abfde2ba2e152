// The states of a view in a recording: unpacks what kafkalab/views/page/document.py packs, and finds the state of a moment.

import { patched } from "../live.js";

/** @typedef {{ at: number[], first: any, patches: import("../live.js").Op[][], whole: Record<string, any>, traits: Record<string, any> }} Packed */

/** Number of patches between two computed states that are kept, so that going back takes little time and little memory. */
const KEPT_EVERY = 25;
/** Maximum number of patches applied one by one, which lets views skip unchanged parts; beyond it, a kept state comes first. */
const NEAR = 60;

/**
 * Unpacks deflated JSON in base64.
 * @param {string} text
 * @returns {Promise<any>}
 */
export async function unpack(text) {
  const bytes = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

/** Returns the index of the last time that is not after `at`; 0 before the first. @param {number[]} times @param {number} at */
export function placeOf(times, at) {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] <= at) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

/** The states of one view. Parts that did not change between two states it returns one after the other are the same objects. */
export class Told {
  /** @param {Packed} packed */
  constructor({ at, first, patches, whole }) {
    this.times = at;
    this.patches = patches;
    /** @type {Map<number, any>} */
    this.kept = new Map([[0, first], ...Object.entries(whole).map(([place, state]) => /** @type {[number, any]} */ ([Number(place), state]))]);
    this.near = 0;
    this.state = first;
  }

  /** @param {number} at milliseconds since the recording began */
  at(at) {
    const wanted = placeOf(this.times, at);
    if (wanted === this.near) return this.state;
    const ahead = wanted - this.near;
    let begin = this.near;
    if (ahead < 0 || ahead > NEAR) {
      for (const place of this.kept.keys()) if (place <= wanted && (begin > wanted || place > begin)) begin = place;
      if (begin !== this.near) this.state = this.kept.get(begin);
    }
    for (let place = begin + 1; place <= wanted; place++) {
      this.state = patched(this.state, this.patches[place - 1]);
      if (place % KEPT_EVERY === 0 || this.kept.has(place)) this.kept.set(place, this.state);
    }
    this.near = wanted;
    return this.state;
  }
}
