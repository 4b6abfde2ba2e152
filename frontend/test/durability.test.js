import { deepStrictEqual, strictEqual } from "node:assert";
import { test } from "node:test";
import { ACKS, LEAST, nameOf, said, settingOf, strip, walk } from "../../kafkalab/views/durability/words.ts";

const spell = (/** @type {string} */ name, /** @type {number} */ sent, /** @type {number} */ acknowledged, /** @type {number} */ lost, /** @type {number} */ told = sent - acknowledged) => ({ name, sent, acknowledged, lost, errors: told ? [{ error: "E", said: "no", times: told }] : [] });
const cell = { state: "done", verdict: "lost", sent: 200, acknowledged: 150, refused: 50, error: "E", seen: 100, lost: 50, duplicated: 0, lost_ids: [], why: "", spells: [spell("calm", 100, 100, 0), spell("alone", 50, 50, 50), spell("gone", 50, 0, 0)] };
const all = Object.fromEntries([3, 2, 1].flatMap((up) => ACKS.flatMap((acks) => LEAST.map((least) => [nameOf(acks, least, up, "killed"), cell]))));

test("a cell's name is its setting", () => {
  for (const acks of ACKS) deepStrictEqual(settingOf(nameOf(acks, 2, 1, "disk lost")), { acks, least: 2, up: 1, fault: "disk lost" });
  strictEqual(nameOf("all", 3, 3, "killed"), "aall-m3-u3-k");
});

test("keys walk within a grid and over its edge into the next", () => {
  const go = (/** @type {string} */ from, /** @type {string[]} */ ...keys) => keys.reduce((at, key) => walk(at, key, all, [3, 2, 1]) ?? "nowhere", from);
  strictEqual(go("a0-m1-u3-k", "ArrowRight", "ArrowDown"), "a1-m2-u3-k");
  strictEqual(go("a1-m3-u3-k", "ArrowRight"), "a1-m1-u2-k");
  strictEqual(go("a1-m1-u2-k", "ArrowLeft"), "a1-m3-u3-k");
  strictEqual(go("a1-m1-u3-k", "End"), "a1-m3-u1-k");
  strictEqual(go("aall-m3-u1-k", "Home"), "aall-m1-u3-k");
  for (const [from, key] of [["a0-m1-u3-k", "ArrowUp"], ["a0-m1-u3-k", "ArrowLeft"], ["aall-m3-u1-k", "ArrowDown"], ["aall-m3-u1-k", "x"]]) strictEqual(walk(from, key, all, [3, 2, 1]), null);
  const part = { "a1-m1-u3-k": cell, "a1-m3-u3-k": cell, "aall-m1-u3-k": cell };
  strictEqual(walk("a1-m1-u3-k", "ArrowRight", part, [3]), "a1-m3-u3-k");
  strictEqual(walk("a1-m1-u3-k", "ArrowDown", part, [3]), "aall-m1-u3-k");
});

test("records are drawn in the order they were sent", () => {
  deepStrictEqual(strip(cell).map((part) => [part.kind, part.count]), [["kept", 100], ["lost", 50], ["refused", 50]]);
  const running = { ...cell, state: "running", spells: [spell("calm", 100, 60, 0, 10)] };
  deepStrictEqual(strip(running).map((part) => [part.kind, part.count]), [["kept", 60], ["refused", 10], ["open", 30]]);
  strictEqual(said(cell), "50 lost");
});
