import { deepStrictEqual, strictEqual } from "node:assert";
import { test } from "node:test";
import { nameOf, strip } from "../../kafkalab/views/durability/words.ts";

const spell = (/** @type {string} */ name, /** @type {number} */ sent, /** @type {number} */ acknowledged, /** @type {number} */ lost, /** @type {number} */ told = sent - acknowledged) => ({ name, sent, acknowledged, lost, errors: told ? [{ error: "E", said: "no", times: told }] : [] });
const cell = { state: "done", verdict: "lost", sent: 200, acknowledged: 150, refused: 50, error: "E", seen: 100, lost: 50, duplicated: 0, why: "", spells: [spell("calm", 100, 100, 0), spell("alone", 50, 50, 50), spell("gone", 50, 0, 0)] };

test("a cell's name is its setting", () => strictEqual(nameOf("all", 3, 3, "killed"), "aall-m3-u3-k"));

test("records are drawn in the order they were sent", () => {
  deepStrictEqual(strip(cell).map((part) => [part.kind, part.count]), [["kept", 100], ["lost", 50], ["refused", 50]]);
  const running = { ...cell, state: "running", spells: [spell("calm", 100, 60, 0, 10)] };
  deepStrictEqual(strip(running).map((part) => [part.kind, part.count]), [["kept", 60], ["refused", 10], ["open", 30]]);
});
