import assert from "node:assert/strict";
import { test } from "node:test";
import { axis, placed, targets, waiting } from "../../kafkalab/views/metadata/timeline.ts";
import { reach, shownOffsets, standing } from "../../kafkalab/views/metadata/quorum.ts";
import { flatten, inSight, keyed, typedTo } from "../../kafkalab/views/metadata/tree.ts";

const tree = JSON.parse(`{"k": 2, "v": 0, "c": {
  "brokers": {"k": 1, "v": 0, "c": {"ids": {"k": 3, "v": 0, "c": {"103": {"k": 0, "v": 1, "e": true}, "20": {"k": 0, "v": 1}, "102": {"gone": true}}}}},
  "__proto__": {"k": 0, "v": 7}, "admin": {"k": 1, "v": 0}}}`);
const open = new Set(["/", "/brokers", "/brokers/ids"]);
const paths = (rows) => rows.map((row) => row.path);

test("what is open is listed in order, numbers by their value", () => {
  const rows = flatten(tree, open);
  assert.deepEqual(paths(rows), ["/", "/__proto__", "/admin", "/brokers", "/brokers/ids", "/brokers/ids/20", "/brokers/ids/102", "/brokers/ids/103"]);
  assert.equal(rows[1].node.v, 7);
  assert.deepEqual(rows.map((row) => row.depth), [0, 1, 1, 1, 2, 3, 3, 3]);
  assert.deepEqual([rows[6].place, rows[6].of, rows[6].leaf], [2, 3, true]);
  assert.deepEqual(paths(flatten(tree, new Set())), ["/"]);
  assert.deepEqual(flatten(null, open), []);
});

test("only rows in sight are drawn", () => {
  assert.deepEqual(inSight(10_000, 24_000, 240, 24), [994, 1016]);
  assert.deepEqual(inSight(3, 0, 240, 24), [0, 3]);
  assert.deepEqual(inSight(0, 0, 240, 24), [0, 0]);
  assert.deepEqual(inSight(5, 9999, 240, 24), [5, 5]);
});

test("keys lead where ARIA's tree pattern says", () => {
  const rows = flatten(tree, open);
  const at = (path) => paths(rows).indexOf(path);
  assert.deepEqual(keyed("ArrowRight", rows, at("/brokers"), 5), { to: at("/brokers/ids") });
  assert.deepEqual(keyed("ArrowRight", rows, at("/admin"), 5), { open: "/admin" });
  assert.deepEqual(keyed("ArrowRight", rows, at("/brokers/ids/20"), 5), {});
  assert.deepEqual(keyed("ArrowLeft", rows, at("/brokers"), 5), { close: "/brokers" });
  assert.deepEqual(keyed("ArrowLeft", rows, at("/brokers/ids/103"), 5), { to: at("/brokers/ids") });
  assert.deepEqual(keyed("ArrowUp", rows, 0, 5), { to: 0 });
  assert.deepEqual(keyed("End", rows, 0, 5), { to: rows.length - 1 });
  assert.deepEqual(keyed("PageDown", rows, 1, 3), { to: 4 });
  assert.equal(keyed("x", rows, 0, 5), null);
});

test("typing leads to the next name that begins so", () => {
  const rows = flatten(tree, open);
  const name = (i) => rows[i].name;
  assert.equal(name(typedTo(rows, 0, "b")), "brokers");
  assert.equal(name(typedTo(rows, paths(rows).indexOf("/brokers/ids/20"), "10")), "102");
  assert.equal(name(typedTo(rows, paths(rows).indexOf("/brokers/ids/102"), "1")), "103");
  assert.equal(typedTo(rows, 2, "nothing"), 2);
});

test("lanes show the newest offsets, back to the slowest within limits", () => {
  assert.deepEqual(shownOffsets(500, [500, 499]), { from: 476, span: 24 });
  assert.deepEqual(shownOffsets(500, [430, null]), { from: 412, span: 88 });
  assert.deepEqual(shownOffsets(100_000, [3]), { from: 99_760, span: 240 });
  const shown = { from: 400, span: 100 };
  assert.deepEqual([reach(500, shown), reach(450, shown), reach(3, shown), reach(null, shown)], [1, 0.5, 0, 0]);
});

test("a lane says how far behind it is and when it was heard last", () => {
  const node = { part: "follower", alive: true, lag: 0, seen: 0, caught: 0, state: "running", fenced: false };
  assert.equal(standing(node), "has all of it");
  assert.equal(standing({ ...node, part: "leader" }), "");
  assert.equal(standing({ ...node, alive: false, part: "down", lag: 71, seen: 35, caught: 36, fenced: true }), "71 behind · last fetched 35 s ago · fenced");
  assert.equal(standing({ ...node, lag: 30, caught: 4, state: "paused" }), "30 behind for 4 s · paused");
  assert.equal(standing({ ...node, alive: false, lag: null, seen: null }), "never heard by this leader");
});

test("labels of a time line do not cover each other, and stay inside", () => {
  const marks = [{ t: 2.5, text: "broker 102's session over" }, { t: 2.6, text: "something else" }, { t: 4.9, text: "late" }];
  const places = placed(marks, 900, 5);
  assert.deepEqual(places.map((p) => p.line), [0, 1, 0]);
  assert.deepEqual(places.map((p) => p.left), [false, false, true]);
  assert.equal(places[0].x, 450);
});

test("the axis has round numbers and room for the last label", () => {
  assert.deepEqual(axis([]), { seconds: 5, ticks: [0, 1, 2, 3, 4, 5] });
  const at = (t) => ({ t, text: "broker 102's session over" });
  assert.deepEqual(axis([at(2.5), at(9)]), { seconds: 10, ticks: [0, 2, 4, 6, 8, 10] });
  assert.equal(axis([at(3)], 300).seconds, 15, "a narrow page has room for the label all the same");
  assert.ok(axis([at(2000)]).seconds >= 2000);
});

test("what clients wait for is drawn only after a failure", () => {
  const rows = { noticed: [{ t: 3, kind: "gone" }], leaders: [{ t: 3.1, kind: "leaderless" }, { t: 3.2, kind: "leader" }], controller: [], isr: [] };
  assert.equal(waiting("noticed", { text: "you killed broker 102", rows })?.[0], 3);
  assert.equal(waiting("leaders", { text: "you killed broker 102", rows })?.[0], 3.2);
  assert.equal(waiting("leaders", { text: "you stopped broker 102", rows }), null);
  assert.equal(waiting("isr", { text: "you killed broker 102", rows }), null);
});

test("what can be acted on in either cluster is offered once", () => {
  const node = (verbs, more = {}) => ({ state: "running", verbs, busy: null, ...more });
  const found = targets([
    { targets: { "broker-102": node(["kill", "stop"]), "zookeeper-1": node(["kill"]), controller: node(["kill"], { is: "broker-101" }) } },
    { targets: { "broker-102": node(["start"], { busy: "start" }), controller: node(["kill"], { is: "controller-1" }) } },
  ]);
  assert.deepEqual([...found.keys()], ["controller", "broker-102", "zookeeper-1"]);
  assert.deepEqual(found.get("broker-102"), { verbs: ["stop", "kill", "start"], busy: ["start"], sides: 2, is: [] });
  assert.deepEqual(found.get("controller")?.is, ["broker-101", "controller-1"]);
});
