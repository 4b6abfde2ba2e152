// The page of a recording without a page: a view's states at any moment, its model, and the moment in its address.
import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateSync } from "node:zlib";

import { patched } from "../../kafkalab/views/live.ts";
import { pageModel } from "../../kafkalab/views/page/shelf.ts";
import { address, momentIn, Told, unpack } from "../../kafkalab/views/page/told.ts";

const N = 400;
const first = { n: 0, still: { a: 1 }, events: [] };
const patches = Array.from({ length: N - 1 }, (_, i) => [["set", ["n"], i + 1], ["add", ["events"], [{ at: i }]]]);
const states = patches.reduce((all, ops) => [...all, patched(all.at(-1), ops)], [first]);
/** A state every ten milliseconds. */
const packed = { at: states.map((_, i) => 10 * i), first, patches, traits: {} };

test("a moment shows the last state that is not after it, and before the first the first", () => {
  const told = new Told({ ...packed, at: states.map((_, i) => 10 * (i + 1)) });
  assert.deepEqual([0.005, 0.01, 0.029, 1e6].map((at) => told.at(at).n), [0, 0, 1, N - 1]);
});

test("forth, back and at random every state is what its patches make of the first", () => {
  const told = new Told(packed);
  const forth = states.map((_, i) => i);
  const back = [...forth].reverse();
  const mixed = forth.map((i) => (i * 263 + 17) % N);
  for (const i of [...mixed, ...forth, ...back, ...mixed]) assert.deepEqual(told.at((10 * i + 9) / 1000), states[i]);
});

test("what did not change is the same object, so that it is not drawn again", () => {
  const told = new Told(packed);
  const { still } = told.at(0);
  for (let i = 1; i < 60; i++) assert.equal(told.at(i / 100).still, still);
  assert.equal(told.at(0.59), told.at(0.59));
});

test("going back costs the patches from a state that was kept, not all of them", () => {
  const told = new Told(packed);
  told.at((N - 1) / 100);
  let applied = 0;
  told.packed = { ...packed, patches: Object.assign([...patches], { slice: (a, b) => { applied += b - a; return patches.slice(a, b); } }) };
  told.at((N - 2) / 100);
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

test("a moment stands in the page's address", () => {
  assert.equal(momentIn("#t=12.4", 60), 12.4);
  assert.equal(momentIn("#t=99", 60), 60);
  for (const hash of ["", "#t=", "#t=-1", "#t=1e9", "#view-log", "#t=1 "]) assert.equal(momentIn(hash, 60), null);
  assert.equal(address("file:///x.html#t=1", 12.3456), "file:///x.html#t=12.346");
  assert.equal(address("file:///x.html", 0), "file:///x.html#t=0.000");
});
