import { deepStrictEqual, strictEqual, throws } from "node:assert";
import { test } from "node:test";
import { patched } from "../../kafkalab/views/live.ts";

test("what a patch leaves alone is the same object after it", () => {
  const before = { a: { x: [1, 2] }, b: { y: 1 } };
  const after = patched(before, [["set", ["b", "y"], 2]]);
  deepStrictEqual(after, { a: { x: [1, 2] }, b: { y: 2 } });
  strictEqual(after.a, before.a);
  strictEqual(before.b.y, 1);
});

test("keys keep their order, new ones come last", () => {
  const after = patched({ b: 1, a: 2 }, [["set", ["b"], 3], ["set", ["c"], 4], ["del", ["a"]]]);
  deepStrictEqual(Object.keys(after), ["b", "c"]);
});

test("lists are cut at the head, ended, and added to", () => {
  deepStrictEqual(patched({ l: [1, 2, 3] }, [["cut", ["l"], 1], ["add", ["l"], [4]], ["set", ["l", 0], 9]]), { l: [9, 3, 4] });
  deepStrictEqual(patched([1, 2, 3], [["end", [], 1]]), [1]);
});

test("a name is a name, whatever it says", () => {
  const after = patched({}, [["set", ["__proto__"], { polluted: true }]]);
  strictEqual(Object.hasOwn(after, "__proto__"), true);
  strictEqual(/** @type {any} */ ({}).polluted, undefined);
});

test("an operation nobody knows is said", () => {
  throws(() => patched({}, [["fly", []]]), /unknown operation/);
});

test("a run of changes to one part leaves what was there, and what the patch holds, as it was", () => {
  const before = { a: { l: [1, 2] }, b: {} };
  const ops = [["add", ["a", "l"], [3]], ["set", ["b", "x"], { n: 1 }], ["set", ["b", "x", "n"], 2], ["add", ["a", "l"], [4]], ["end", ["a", "l"], 3], ["cut", ["a", "l"], 1], ["del", ["a", "gone"]]];
  const wanted = JSON.stringify([before, ops]);
  deepStrictEqual(patched(before, ops), { a: { l: [2, 3] }, b: { x: { n: 2 } } });
  strictEqual(JSON.stringify([before, ops]), wanted);
});
