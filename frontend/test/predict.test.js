import { deepStrictEqual, ok, strictEqual } from "node:assert";
import { test } from "node:test";
import { empty, marked, moved, next, NOWHERE, ready, typedNumber } from "../../kafkalab/views/predict/places.ts";

const chips = ["P0", "P1", "P2"].map((name, hue) => ({ name, hue }));
const one = { kind: "arrangement", chips, places: ["101", "102"], several: false, nowhere: "nobody" };
const many = { ...one, several: true };
const order = { ...one, kind: "order", places: ["1.", "2.", "3."] };

test("a chip is in one place, or in several where that may be", () => {
  const first = moved(one, empty(one), 0, NOWHERE, 1);
  deepStrictEqual(first, [[1], [], []]);
  deepStrictEqual(moved(one, first, 0, 1, 0), [[0], [], []]);
  deepStrictEqual(moved(one, first, 0, 1, NOWHERE), [[], [], []]);
  deepStrictEqual(first, [[1], [], []], "nothing is changed in place");
  const both = moved(many, moved(many, empty(many), 2, NOWHERE, 1), 2, NOWHERE, 0);
  deepStrictEqual(both, [[], [], [0, 1]]);
  deepStrictEqual(moved(many, both, 2, 1, NOWHERE), [[], [], [0]]);
  deepStrictEqual(moved(many, both, 2, 1, 0), [[], [], [0]]);
});

test("in an order two change places", () => {
  const full = [[0], [1], [2]];
  deepStrictEqual(moved(order, full, 0, 0, 2), [[2], [1], [0]]);
  deepStrictEqual(moved(order, [[0], [], []], 1, NOWHERE, 0), [[], [0], []]);
  strictEqual(ready(order, full), true);
  strictEqual(ready(order, [[0], [1], []]), false);
});

test("a carried chip goes round, past where it stands already", () => {
  const walk = (offered, draft, at, step) => [1, 2, 3, 4].map(() => (at = next(offered, draft, 0, at, step)));
  deepStrictEqual(walk(one, empty(one), NOWHERE, 1), [0, 1, NOWHERE, 0]);
  deepStrictEqual(walk(one, empty(one), NOWHERE, -1), [1, 0, NOWHERE, 1]);
  deepStrictEqual(walk(many, [[0], [], []], NOWHERE, 1), [1, NOWHERE, 1, NOWHERE]);
  strictEqual(next({ ...many, places: [] }, [[]], 0, NOWHERE, 1), NOWHERE);
});

test("nothing placed is nothing to lock", () => {
  strictEqual(ready(one, empty(one)), false);
  strictEqual(ready(one, [[], [0], []]), true);
});

test("after the comparison each chip says what it is there", () => {
  const guess = [[0], [1], []];
  const was = [[0], [0], []];
  deepStrictEqual(marked(guess, was, 0), [{ chip: 0, sign: "right" }, { chip: 1, sign: "missing" }]);
  deepStrictEqual(marked(guess, was, 1), [{ chip: 1, sign: "wrong" }]);
  deepStrictEqual(marked(guess, was, NOWHERE), [{ chip: 2, sign: "right" }]);
  deepStrictEqual(marked(null, was, 0).map((m) => m.sign), ["was", "was"]);
});

test("numbers as people type them", () => {
  for (const [typed, n] of [["800", 800], [" 1 500 ", 1500], ["0,4", 0.4], [".5", 0.5], ["-3", -3], ["1e3", 1000], ["3\u202f210", 3210]]) strictEqual(typedNumber(String(typed)), n);
  for (const typed of ["", " ", "a few", "1,2,3", "0x10", "Infinity", "NaN", "1e400", "9e15", "--1", "1.2.3"]) ok(typedNumber(typed) === null, typed);
});
