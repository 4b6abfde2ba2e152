import { deepStrictEqual, ok, strictEqual } from "node:assert";
import { test } from "node:test";
import { blend, curve, ease, metrics, stepped, targets } from "../../kafkalab/views/group/graph.ts";

const numbers = (d) => d.match(/-?[\d.]+/g).map(Number);
const state = (holders) => ({
  order: holders.map((_, i) => `t/${i}`),
  partitions: Object.fromEntries(holders.map((member, i) => [`t/${i}`, { member }])),
  members: { a: { row: 0 }, b: { row: 2 } },
});

test("a line ends where its member stands, and a part of it lies on the whole", () => {
  const whole = numbers(curve({ y1: 10, y2: 50, grow: 1 }));
  deepStrictEqual(whole.slice(0, 2), [0, 10]);
  deepStrictEqual(whole.slice(-2), [100, 50]);
  const half = numbers(curve({ y1: 10, y2: 50, grow: 0.5 }));
  deepStrictEqual(half.slice(-2), [50, 30]);
  deepStrictEqual(numbers(curve({ y1: 10, y2: 50, grow: 0 })).slice(-2), [0, 10]);
});

test("partitions that nobody holds have no line, and lines that meet do not cover each other", () => {
  const found = targets(state(["a", null, "b", "b"]), { step: 40, box: 30 });
  deepStrictEqual([...found.keys()], ["t/0", "t/2", "t/3"]);
  strictEqual(found.get("t/0").y2, 15);
  ok(found.get("t/2").y2 < found.get("t/3").y2);
  strictEqual((found.get("t/2").y2 + found.get("t/3").y2) / 2, 95);
});

test("a member that is not in the picture gets no line", () => {
  strictEqual(targets(state(["gone"]), { step: 40, box: 30 }).size, 0);
});

test("motion begins at the one arrangement and ends at the other", () => {
  const [a, b] = [{ y1: 0, y2: 10, grow: 0 }, { y1: 0, y2: 90, grow: 1 }];
  deepStrictEqual(blend(a, b, ease(0)), a);
  deepStrictEqual(blend(a, b, ease(1)), b);
  strictEqual(blend(a, b, ease(0.5)).y2, 50);
});

test("many rows are drawn closer", () => {
  ok(metrics(50, 1).step < metrics(5, 1).step);
  strictEqual(metrics(5, 1.45).step, metrics(5, 1).step * 1.45);
});

test("arrow keys go up and down a column, and across", () => {
  const columns = [["p0", "p1", "p2", "p3"], ["a", "b"]];
  strictEqual(stepped("ArrowDown", columns, "p0"), "p1");
  strictEqual(stepped("ArrowDown", columns, "p3"), "p3");
  strictEqual(stepped("ArrowUp", columns, "p0"), "p0");
  strictEqual(stepped("ArrowRight", columns, "p2"), "b");
  strictEqual(stepped("ArrowLeft", columns, "b"), "p2");
  strictEqual(stepped("ArrowRight", columns, "b"), null);
  strictEqual(stepped("End", columns, "p0"), "p3");
  strictEqual(stepped("Home", columns, "b"), "a");
  strictEqual(stepped("x", columns, "a"), null);
  strictEqual(stepped("ArrowRight", [["p0"], []], "p0"), null);
});
