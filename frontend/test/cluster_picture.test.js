import { deepStrictEqual, strictEqual } from "node:assert";
import { test } from "node:test";
import { crowded, crownsMoved, found, groupsOf, heldBy, quorumNodes, spans, summary, topicsOf, up } from "../../kafkalab/views/cluster/panels.ts";

/** @param {Record<string, (number | null)[]>} leaders */
const led = (leaders) => ({
  topics: Object.fromEntries(Object.entries(leaders).map(([name, all]) =>
    [name, { internal: name.startsWith("__"), partitions: all.map((leader, partition) => ({ partition, leader, short: false })) }])),
});

test("a crown moves from who led last, also when nobody did in between", () => {
  const memory = new Map();
  const first = led({ t: [101, 102] });
  deepStrictEqual(crownsMoved(memory, first, undefined), []);
  const without = led({ t: [101, null] });
  deepStrictEqual(crownsMoved(memory, without, first), []);
  const after = led({ t: [101, 103] });
  deepStrictEqual(crownsMoved(memory, after, without), [{ key: "t/1", partition: 1, from: 102, to: 103 }]);
});

test("a topic whose partitions are the same object is not looked at", () => {
  const memory = new Map([["t/0", 999]]);
  const state = led({ t: [101] });
  deepStrictEqual(crownsMoved(memory, state, state), []);
});

test("the learner's topics come before Kafka's own, whatever they are called", () => {
  deepStrictEqual(topicsOf(led({ __consumer_offsets: [1], b: [1], 10: [1], a: [1] })).map(({ name }) => name), ["10", "a", "b", "__consumer_offsets"]);
});

test("groups that read a topic, held or left behind", () => {
  const holds = (/** @type {string} */ topic) => [{ topic, partitions: [] }];
  const groups = { z: { members: { m: { holds: holds("t") } }, unheld: [] }, a: { members: {}, unheld: holds("t") }, b: { members: {}, unheld: [] } };
  deepStrictEqual(groupsOf({ groups }, "t").map(({ id }) => id), ["a", "z"]);
  deepStrictEqual(groupsOf({ groups }, "").map(({ id }) => id), ["a", "b", "z"]);
});

test("who votes stands before who only watches", () => {
  const nodes = { 101: { id: 101, role: "observer" }, 3: { id: 3, role: "leader" }, 2: { id: 2, role: null } };
  deepStrictEqual(quorumNodes({ nodes }).map((node) => node.id), [2, 3, 101]);
});

test("how it stands, in words", () => {
  const brokers = { 101: { id: 101, alive: true, controller: true }, 102: { id: 102, alive: false } };
  const state = { ...led({ t: [101, null] }), brokers, looked: true, error: null };
  strictEqual(up(state), "1 of 2 brokers up");
  strictEqual(summary(state), "1 of 2 brokers up, down: 102. The controller is broker 101. 1 topic with 2 partitions: 1 without a leader, 0 under-replicated.");
  strictEqual(up({ ...state, looked: false }), "looking…");
});

test("runs of partitions", () => {
  strictEqual(spans([0, 1, 2, 5, 7, 8]), "P0–P2 P5 P7–P8");
  strictEqual(spans([]), "");
});

test("many partitions are summed up by broker, and found by name and number", () => {
  const replica = (/** @type {number} */ p, /** @type {number} */ leader) => ({ partition: p, leader, replicas: [[101, leader === 101 ? "leader" : "follower"], [102, leader === 102 ? "leader" : "behind", 5]] });
  const some = (/** @type {number} */ n) => Array.from({ length: n }, (_, p) => replica(p, p % 2 ? 102 : 101));
  const topic = (/** @type {string} */ name, /** @type {number} */ n) => ({ name, topic: { partitions: some(n) } });
  const topics = [topic("orders", 40), topic("orders-eu", 20)];
  deepStrictEqual(heldBy(topics, 101), { leader: 30, follower: 30 });
  deepStrictEqual(heldBy(topics, 102), { leader: 30, behind: 30 });
  strictEqual(crowded(topics), false);
  strictEqual(crowded([...topics, topic("one more", 1)]), true);
  const names = (/** @type {string} */ query) =>
    found(topics, query).map(({ name, topic }) => [name, topic.partitions.map((/** @type {any} */ p) => p.partition)]);
  deepStrictEqual(names("P30"), [["orders", [30]]]);
  deepStrictEqual(names("EU 7"), [["orders-eu", [7]]]);
  deepStrictEqual(names("orders-7"), [["orders", [7]]]);
  deepStrictEqual(names("elsewhere"), []);
});
