import { deepStrictEqual, ok, strictEqual } from "node:assert";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { bytesOf, expected, hashOf, hex32, hexOf, home, listed, steps } from "../../kafkalab/views/partitioner/murmur2.ts";

const examples = JSON.parse(await readFile(new URL("../../tests/unit/state/murmur2_examples.json", import.meta.url), "utf8"));

test("murmur2 and its steps are those of the kernel and of Kafka's clients", () => {
  ok(examples.length > 20);
  for (const one of examples) {
    const key = /** @type {Uint8Array} */ (bytesOf(one.key, "hex"));
    const found = steps(key);
    strictEqual(found.hash, one.hash, one.key);
    strictEqual(found.start, one.start);
    strictEqual(found.tail, one.tail);
    deepStrictEqual(found.words.map((w) => [w.k, w.mixed, w.hash]), one.words);
    strictEqual(hashOf(key), one.hash & 0x7fffffff);
  }
});

test("a key is typed as text or as hexadecimal digits", () => {
  strictEqual(hexOf(/** @type {Uint8Array} */ (bytesOf("Zürich", "text"))), "5ac3bc72696368");
  strictEqual(hexOf(/** @type {Uint8Array} */ (bytesOf("0x54 30,FF", "hex"))), "5430ff");
  strictEqual(bytesOf("543", "hex"), undefined);
  strictEqual(bytesOf("zz", "hex"), undefined);
  strictEqual(bytesOf("", "hex")?.length, 0);
  strictEqual(hex32(0x83f359f9), "0x83f359f9");
});

test("the share of keys that move is that of very many keys", () => {
  const hashes = Array.from({ length: 60_000 }, (_, hash) => hash);
  for (const [before, after] of [[10, 12], [4, 6], [10, 20], [3, 4], [5, 5]]) {
    const moved = hashes.filter((hash) => hash % before !== hash % after).length;
    ok(Math.abs(moved / hashes.length - expected(before, after).share) < 1e-12);
  }
  strictEqual(expected(10, 12).words, "1 − 10 / lcm(10, 12) = 1 − 10/60");
});

test("a key is drawn where it is calculated to be, if it has records there", () => {
  strictEqual(home({ text: "", hash: 22, at: { 2: 1, 4: 1 } }, 6), 4);
  strictEqual(home({ text: "", hash: 22, at: { 2: 1 } }, 6), 2);
});

test("keys of one's own: one a line, and rows of them", () => {
  deepStrictEqual(listed("a\n\n b \nT08..T11\na"), ["a", "b", "T08", "T09", "T10", "T11"]);
  deepStrictEqual(listed("T1..T3"), ["T1", "T2", "T3"]);
  strictEqual(listed("k0..k99999999").length, 2000);
});
