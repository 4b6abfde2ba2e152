// Which keys move when there are more partitions: sums, and nothing of the page.

/**
 * A key as kafkalab/views/partitioner/picture.py gives it: `at` is partition → [records, last offset].
 * @typedef {{ text: string, hash: number, size: number, at: Record<string, [number, number]> }} Key
 */

/** The partition with the newest record of a key: of several, the one the key came to last. @param {Key} key @param {number} partitions */
export function home(key, partitions) {
  const found = Object.keys(key.at).map(Number);
  if (found.length === 0) return key.hash % partitions;
  // Offsets of two partitions cannot be compared; the calculated one is where new records go.
  const now = key.hash % partitions;
  return found.includes(now) ? now : found[0];
}

/** Whether some record of a key lies elsewhere than it is calculated to. @param {Key} key @param {number} partitions */
export function astray(key, partitions) {
  return Object.keys(key.at).some((p) => Number(p) !== key.hash % partitions);
}

/** @param {Iterable<Key>} keys @param {number} before @param {number} after */
export function moving(keys, before, after) {
  let found = 0;
  for (const key of keys) found += Number(key.hash % before !== key.hash % after);
  return found;
}

/** @param {number} a @param {number} b @returns {number} */
export function lcm(a, b) {
  const gcd = (/** @type {number} */ x, /** @type {number} */ y) => (y ? gcd(y, x % y) : x);
  return (a / gcd(a, b)) * b;
}

/**
 * The share of all keys that move, and its sum in words. Of lcm(N, M) hashes in a row, as many stay as the smaller number:
 * those whose remainder is the same by both.
 * @param {number} before
 * @param {number} after
 */
export function expected(before, after) {
  const stays = Math.min(before, after);
  const of = lcm(before, after);
  return { share: 1 - stays / of, words: `1 − ${stays} / lcm(${before}, ${after}) = 1 − ${stays}/${of}` };
}

/**
 * A smaller number of partitions under which every record lies where it was calculated then, or is now; null without one.
 * @param {Iterable<Key>} keys
 * @param {number} partitions
 */
export function earlier(keys, partitions) {
  const away = [...keys].filter((key) => astray(key, partitions));
  if (!away.length) return null;
  for (let m = partitions - 1; m > 0; m -= 1) {
    if (away.every((key) => Object.keys(key.at).every((p) => [key.hash % m, key.hash % partitions].includes(Number(p))))) return m;
  }
  return null;
}

/** Keys from what somebody typed: one a line, and T0000..T0999 for a row of them. @param {string} typed @param {number} most */
export function listed(typed, most = 2000) {
  const found = new Set();
  for (const line of typed.split("\n").map((l) => l.trim()).filter(Boolean)) {
    const range = /^(.*?)(\d+)\.\.\1?(\d+)$/.exec(line);
    if (!range) found.add(line);
    for (let i = Number(range?.[2] ?? 1); i <= Number(range?.[3] ?? 0) && found.size < most; i += 1) found.add(range?.[1] + String(i).padStart(range?.[2].length ?? 0, "0"));
    if (found.size >= most) break;
  }
  return [...found];
}
