// The states of a view in a recording: unpacks what kafkalab/views/page/document.py packs, and finds the state of a moment.

import { patched } from "../live.ts";
import type { Op } from "../live.ts";

export type Packed = { at: number[]; first: any; patches: Op[][]; whole: Record<string, any>; traits: Record<string, any> };

/** Number of patches between two computed states that are kept, so that going back takes little time and little memory. */
const KEPT_EVERY = 25;
/** Maximum number of patches applied one by one, which lets views skip unchanged parts; beyond it, a kept state comes first. */
const NEAR = 60;

/** Unpacks deflated JSON in base64. */
export async function unpack(text: string): Promise<any> {
  const bytes = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

/** Returns the index of the last time that is not after `at`; 0 before the first. */
export function placeOf(times: number[], at: number) {
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
  times;
  patches;
  kept: Map<number, any>;
  near = 0;
  state;

  constructor({ at, first, patches, whole }: Packed) {
    this.times = at;
    this.patches = patches;
    this.kept = new Map([[0, first], ...Object.entries(whole).map(([place, state]) => [Number(place), state] as [number, any])]);
    this.state = first;
  }

  /** @param at milliseconds since the recording began */
  at(at: number) {
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
