// The hash murmur2 with all its steps, so that typing a key needs no kernel. It does the same as kafkalab/state/log/murmur2.py,
// and is tested with the same examples. All numbers are unsigned, of 32 bits.

import type { Key } from "./picture";

const SEED = 0x9747b28c;
const M = 0x5bd1e995;
export const POSITIVE = 0x7fffffff;

export type Word = { at: number; k: number; mixed: number; hash: number };
export type Steps = { start: number; words: Word[]; tail: number | null; hash: number };

/** Returns the murmur2 of a key, with all intermediate values. */
export function steps(key: Uint8Array): Steps {
  const start = (SEED ^ key.length) >>> 0;
  let hash = start;
  const words: Word[] = [];
  const whole = key.length & ~3;
  for (let at = 0; at < whole; at += 4) {
    const k = (key[at] | (key[at + 1] << 8) | (key[at + 2] << 16) | (key[at + 3] << 24)) >>> 0;
    let mixed = Math.imul(k, M);
    mixed = Math.imul(mixed ^ (mixed >>> 24), M) >>> 0;
    hash = (Math.imul(hash, M) ^ mixed) >>> 0;
    words.push({ at, k, mixed, hash });
  }
  let tail: number | null = null;
  if (key.length > whole) {
    for (let i = key.length - 1; i >= whole; i -= 1) hash ^= key[i] << (8 * (i - whole));
    tail = hash = Math.imul(hash, M) >>> 0;
  }
  hash ^= hash >>> 13;
  hash = Math.imul(hash, M);
  return { start, words, tail, hash: (hash ^ (hash >>> 15)) >>> 0 };
}

/** Returns the hash without its sign, as Kafka's partitioner uses it. */
export function hashOf(key: Uint8Array) {
  return steps(key).hash & POSITIVE;
}

/** Returns the bytes of what was typed: text as UTF-8, or hexadecimal digits; undefined when those are invalid. */
export function bytesOf(typed: string, as: "text" | "hex") {
  if (as === "text") return new TextEncoder().encode(typed);
  const digits = typed.replace(/\s|0x|,/gi, "");
  if (digits.length % 2 || /[^0-9a-f]/i.test(digits)) return undefined;
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

export function hexOf(bytes: Uint8Array) {
  return Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");
}

/** Formats 32 bits: 2538058380 → "0x9747b28c". */
export function hex32(n: number) {
  return `0x${(n >>> 0).toString(16).padStart(8, "0")}`;
}

// --- The moves of keys, without the DOM: calculates which keys get another partition when their number grows.

/** Returns the partition to draw a key in: the calculated one, or else the first with its records. */
export function home(key: Key, partitions: number) {
  const found = Object.keys(key.at).map(Number);
  if (found.length === 0) return key.hash % partitions;
  // Offsets of two partitions cannot be compared, so the calculated one wins: new records go there.
  const now = key.hash % partitions;
  return found.includes(now) ? now : found[0];
}

/** Returns whether a record of a key lies elsewhere than calculated. */
export function astray(key: Key, partitions: number) {
  return Object.keys(key.at).some((p) => Number(p) !== key.hash % partitions);
}

/** Returns the share of all keys that move, and its calculation in words. Of lcm(N, M) consecutive hashes, min(N, M) stay:
 * those that have the same remainder with both numbers. */
export function expected(before: number, after: number) {
  const gcd = (x: number, y: number): number => (y ? gcd(y, x % y) : x);
  const stays = Math.min(before, after), of = (before / gcd(before, after)) * after;
  return { share: 1 - stays / of, words: `1 − ${stays} / lcm(${before}, ${after}) = 1 − ${stays}/${of}` };
}

/** Returns the keys in a typed text: one per line, or a range such as T0000..T0999. */
export function listed(typed: string, most = 2000) {
  const found = new Set<string>();
  for (const line of typed.split("\n").map((l) => l.trim()).filter(Boolean)) {
    const range = /^(.*?)(\d+)\.\.\1?(\d+)$/.exec(line);
    if (!range) found.add(line);
    for (let i = Number(range?.[2] ?? 1); i <= Number(range?.[3] ?? 0) && found.size < most; i += 1) found.add(range?.[1] + String(i).padStart(range?.[2].length ?? 0, "0"));
    if (found.size >= most) break;
  }
  return [...found];
}
