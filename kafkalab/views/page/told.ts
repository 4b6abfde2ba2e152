// What the page of a recording knows: the moment in its address, and the states of a view, as kafkalab/views/page packs them.

import { patched } from "../live.ts";
import type { Op } from "../live.ts";

/** Returns the moment in the address x.html#t=12.4, in seconds; null when it names none. */
export function momentIn(hash: string, seconds: number) {
  const found = /^#t=(\d+(?:\.\d+)?)$/.exec(hash);
  return found ? Math.min(Number(found[1]), seconds) : null;
}

/** Returns the address of the same page at a moment. */
export function address(href: string, at: number) {
  return `${href.split("#")[0]}#t=${Math.max(0, at).toFixed(3)}`;
}

export type Packed = { at: number[]; first: any; patches: Op[][]; traits: Record<string, any> };

/** Number of patches between two computed states that are kept, so that going back takes little time and little memory. */
const KEPT_EVERY = 25;

/** Unpacks deflated JSON in base64. */
export async function unpack(text: string): Promise<any> {
  const bytes = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

/** The states of one view. Parts that did not change between two states it returns one after the other are the same objects. */
export class Told {
  kept: any[];
  near = 0;
  state: any;

  constructor(public packed: Packed) {
    this.state = packed.first;
    this.kept = [packed.first];
  }

  /** Returns the last state that is not after a moment, in seconds since the recording began. */
  at(seconds: number) {
    const wanted = Math.max(0, this.packed.at.findLastIndex((time) => time <= seconds * 1000 + 1e-6));
    const kept = Math.min(Math.floor(wanted / KEPT_EVERY), this.kept.length - 1);
    if (wanted < this.near || kept * KEPT_EVERY > this.near) [this.near, this.state] = [kept * KEPT_EVERY, this.kept[kept]];
    while (this.near < wanted) {
      const end = Math.min(wanted, (Math.floor(this.near / KEPT_EVERY) + 1) * KEPT_EVERY);
      this.state = patched(this.state, this.packed.patches.slice(this.near, end).flat());
      this.near = end;
      if (this.near % KEPT_EVERY === 0) this.kept[this.near / KEPT_EVERY] = this.state;
    }
    return this.state;
  }
}
