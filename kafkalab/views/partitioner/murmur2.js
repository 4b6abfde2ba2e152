// The hash murmur2 with all its steps, so that typing a key needs no kernel. It does the same as kafkalab/state/log/murmur2.py,
// and is tested with the same examples. All numbers are unsigned, of 32 bits.

const SEED = 0x9747b28c;
const M = 0x5bd1e995;
export const POSITIVE = 0x7fffffff;

/**
 * @typedef {{ at: number, k: number, mixed: number, hash: number }} Word
 * @typedef {{ start: number, words: Word[], tail: number | null, hash: number }} Steps
 */

/**
 * Returns the murmur2 of a key, with all intermediate values.
 * @param {Uint8Array} key
 * @returns {Steps}
 */
export function steps(key) {
  const start = (SEED ^ key.length) >>> 0;
  let hash = start;
  /** @type {Word[]} */ const words = [];
  const whole = key.length & ~3;
  for (let at = 0; at < whole; at += 4) {
    const k = (key[at] | (key[at + 1] << 8) | (key[at + 2] << 16) | (key[at + 3] << 24)) >>> 0;
    let mixed = Math.imul(k, M);
    mixed = Math.imul(mixed ^ (mixed >>> 24), M) >>> 0;
    hash = (Math.imul(hash, M) ^ mixed) >>> 0;
    words.push({ at, k, mixed, hash });
  }
  /** @type {number | null} */ let tail = null;
  if (key.length > whole) {
    for (let i = key.length - 1; i >= whole; i -= 1) hash ^= key[i] << (8 * (i - whole));
    tail = hash = Math.imul(hash, M) >>> 0;
  }
  hash ^= hash >>> 13;
  hash = Math.imul(hash, M);
  return { start, words, tail, hash: (hash ^ (hash >>> 15)) >>> 0 };
}

/** @param {Uint8Array} key @param {number} partitions */
export function partitionOf(key, partitions) {
  return (steps(key).hash & POSITIVE) % partitions;
}

/**
 * Returns the bytes of what was typed: text as UTF-8, or hexadecimal digits; null when those are invalid.
 * @param {string} typed
 * @param {"text" | "hex"} as
 */
export function bytesOf(typed, as) {
  if (as === "text") return new TextEncoder().encode(typed);
  const digits = typed.replace(/\s|0x|,/gi, "");
  if (digits.length % 2 || /[^0-9a-f]/i.test(digits)) return null;
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** @param {Uint8Array} bytes */
export function hexOf(bytes) {
  return Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");
}

/** Formats 32 bits: 2538058380 → "0x9747b28c". @param {number} n */
export function hex32(n) {
  return `0x${(n >>> 0).toString(16).padStart(8, "0")}`;
}
