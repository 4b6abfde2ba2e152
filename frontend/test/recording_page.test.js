// The page of a recording without a page: a view's states at any moment, what it answers, and the moment in its address.
import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateSync } from "node:zlib";

import { patched } from "../../kafkalab/views/live.ts";
import { address, momentIn } from "../../kafkalab/views/page/address.ts";
import { look } from "../../kafkalab/views/page/answers.ts";
import { pageModel } from "../../kafkalab/views/page/model.ts";
import { pacer } from "../../kafkalab/views/page/pace.ts";
import { Told, placeOf, unpack } from "../../kafkalab/views/page/told.ts";

const N = 400;
const first = { n: 0, still: { a: 1 }, events: [] };
const patches = Array.from({ length: N - 1 }, (_, i) => [["set", ["n"], i + 1], ["add", ["events"], [{ at: i }]]]);
const states = patches.reduce((all, ops) => [...all, patched(all.at(-1), ops)], [first]);
const packed = (whole = {}) => ({ at: states.map((_, i) => 10 * i), first, patches, whole, traits: {} });
const copy = (value) => JSON.parse(JSON.stringify(value));

test("a moment shows the last state that is not after it, and before the first the first", () => {
  assert.deepEqual([placeOf([10, 20, 30], 5), placeOf([10, 20, 30], 10), placeOf([10, 20, 30], 29), placeOf([10, 20, 30], 1e9)], [0, 0, 1, 2]);
  assert.equal(new Told({ ...packed(), at: states.map((_, i) => 1000 + i) }).at(3).n, 0);
});

test("forth, back and at random every state is what its patches make of the first", () => {
  const told = new Told(packed({ 100: copy(states[100]), 300: copy(states[300]) }));
  const forth = states.map((_, i) => i);
  const back = [...forth].reverse();
  const mixed = forth.map((i) => (i * 263 + 17) % N);
  for (const i of [...mixed, ...forth, ...back, ...mixed]) assert.deepEqual(told.at(10 * i + 9), states[i]);
});

test("what did not change is the same object, so that it is not drawn again", () => {
  const told = new Told(packed({ 30: copy(states[30]) }));
  const { still } = told.at(0);
  // Also past a state that came whole.
  for (let i = 1; i < 60; i++) assert.equal(told.at(10 * i).still, still);
  assert.equal(told.at(590), told.at(590));
});

test("going back costs the patches from a state that was kept, not all of them", () => {
  const told = new Told(packed());
  told.at(10 * (N - 1));
  let applied = 0;
  told.patches = patches.map((ops) => ({ reduce: (f, at) => { applied++; return ops.reduce(f, at); } }));
  told.at(10 * (N - 2));
  assert.ok(applied > 0 && applied < 25, `${applied} patches`);
});

test("what Python packs is unpacked: half characters, names of prototypes, and what HTML means something by", async () => {
  const value = { __proto__: null, ["__proto__"]: 1, text: "</script><!-- \ud800 \u2028", list: [1.5, null] };
  const text = `{"__proto__":1,"text":"</script><!-- \\ud800 \\u2028","list":[1.5,null]}`;
  const found = await unpack(`\n${deflateSync(Buffer.from(text, "ascii")).toString("base64")}\n`);
  assert.deepEqual(Object.entries(found), Object.entries(value));
  await assert.rejects(unpack("bm90IGRlZmxhdGVk"));
});

test("a model tells of a trait that changed, and of none that did not", () => {
  const heard = [];
  const asked = [];
  const model = pageModel({ state: 1 }, (message) => asked.push(message));
  const listener = () => heard.push(model.get("state"));
  model.on("change:state", listener);
  model.set("state", 1);
  model.set("state", 2);
  model.off("change:state", listener);
  model.set("state", 3);
  model.send({ do: "look" });
  assert.deepEqual([heard, asked, model.get("live")], [[2], [{ do: "look" }], undefined]);
});

test("records further back in a log are cut from what the page holds", () => {
  const cells = (from, to) => Array.from({ length: to - from }, (_, i) => [from + i, "r"]);
  const held = [
    { 0: { from: 5, to: 10, cells: cells(5, 10) } },
    { 0: { from: 10, to: 20, cells: cells(12, 20), blank: [[10, 12]] } },
    { 1: { from: 0, to: 3, cells: cells(0, 3) } },
  ];
  assert.deepEqual(look(held, { windows: { 0: [0, 13] }, id: 7 }), { windows: { 0: { from: 5, to: 13, cells: [...cells(5, 10), [12, "r"]], blank: [[10, 12]] } }, id: 7 });
  const found = { 0: { from: 13, to: 20, cells: cells(13, 20) }, 1: { from: 1, to: 2, cells: cells(1, 2) } };
  assert.deepEqual(look(held, { windows: { 0: [13, 30], 1: [1, 2] }, id: 8 })?.windows, found);
  assert.equal(look(held, { windows: { 0: [20, 30], 5: [0, 1] }, id: 9 }), null);
});

test("a moment stands in the page's address", () => {
  assert.equal(momentIn("#t=12.4", 60), 12.4);
  assert.equal(momentIn("#t=99", 60), 60);
  for (const hash of ["", "#t=", "#t=-1", "#t=1e9", "#view-log", "#t=1 "]) assert.equal(momentIn(hash, 60), null);
  assert.equal(address("file:///x.html#t=1", 12.3456), "file:///x.html#t=12.346");
  assert.equal(address("file:///x.html", 0), "file:///x.html#t=0.000");
});

test("views are drawn in every frame, or less often where that takes long; and always when it stands", () => {
  const drawn = (/** @type {number} */ cost) => {
    let now = 0;
    const due = pacer(() => now);
    let count = 0;
    for (let i = 0; i < 200; i++) {
      const draws = due(true);
      if (draws) count++;
      now += draws ? cost : 16;
    }
    assert.equal(due(false), true);
    return count;
  };
  assert.equal(drawn(16), 200);
  assert.ok(drawn(60) > 60 && drawn(60) < 110, `${drawn(60)}`);
  assert.ok(drawn(500) > 30 && drawn(500) < 45, `${drawn(500)}`);
});
