import { deepStrictEqual, ok, strictEqual } from "node:assert";
import { test } from "node:test";
import { around, edges, fitting, measured, moved, ticks, visible, zoomed } from "../../kafkalab/views/group/gantt.ts";

const NOW = 1000;
const FIRST = 700;

test("a window without an end follows the newest", () => {
  deepStrictEqual(edges({ span: 60, end: null }, NOW), [940, 1000]);
  deepStrictEqual(edges({ span: 60, end: 900 }, NOW), [840, 900]);
});

test("moving back holds it, moving on to the newest follows again, and neither leaves what is known", () => {
  const back = moved({ span: 60, end: null }, -30, NOW, FIRST);
  deepStrictEqual(back, { span: 60, end: 970 });
  deepStrictEqual(moved(back, 100, NOW, FIRST), { span: 60, end: null });
  deepStrictEqual(edges(moved(back, -1e9, NOW, FIRST), NOW), [700, 760]);
});

test("zooming keeps what stands under the pointer", () => {
  const held = { span: 60, end: 900 };
  const near = zoomed(held, 0.5, 0.5, NOW, FIRST);
  deepStrictEqual(edges(near, NOW), [855, 885]);
  deepStrictEqual(zoomed({ span: 60, end: null }, 0.5, 1, NOW, FIRST), { span: 30, end: null });
  ok(zoomed(held, 1e-9, 0.5, NOW, FIRST).span >= 0.5);
  ok(zoomed(held, 1e9, 0.5, NOW, FIRST).span <= 330);
});

test("a pause is shown with room around it", () => {
  const [from, to] = edges(around(800, 803, NOW, FIRST), NOW);
  ok(from < 800 && to > 803);
  strictEqual(Math.round((from + to) / 2), 802);
  const short = edges(around(800, 800.1, NOW, FIRST), NOW);
  ok(short[1] - short[0] <= 4.001);
});

test("ticks stand on round moments with room between them", () => {
  const found = ticks(940.3, 1000, 600, 70);
  ok(found.length >= 3 && found.length <= 9);
  ok(found.every(([at]) => at % 10 === 0));
  ok(ticks(0, 1, 600, 70).every(([, words]) => /:\d\d\.\d$/.test(words)));
  ok(ticks(0, 100000, 600, 70).length <= 9);
});

test("what ended before or begins after is not drawn", () => {
  const pieces = [[0, 10, "held", "a"], [10, 12, "nobody", null], [12, null, "held", "b"]];
  deepStrictEqual(visible(pieces, 10.5, 11).map((p) => p[2]), ["nobody"]);
  deepStrictEqual(visible(pieces, 11, 99).length, 2);
});

test("the length of a pause is written into its longest piece", () => {
  const lanes = { "t/0": [[0, 7, "held", "a"], [7, 10, "silent", "a"], [10, 10.4, "rebalancing", null], [10.4, null, "held", "b"]] };
  const pauses = [{ keys: ["t/0", "t/9"], from: 7, to: 10.4, seconds: 3.4 }];
  deepStrictEqual([...measured(lanes, pauses)], [["t/0@7", "3.4 s"]]);
  strictEqual(measured(lanes, [{ keys: ["t/0"], from: 7, to: null, seconds: null }]).size, 0);
  deepStrictEqual([...measured(lanes, [{ keys: ["t/0"], from: 7, to: 10.4, seconds: 0.38 }]).values()], ["0.38 s"]);
});

test("text is cut to its room, and left out where none is", () => {
  strictEqual(fitting("dashboard-1", 100, 6), "dashboard-1");
  strictEqual(fitting("dashboard-1", 36, 6), "dashb…");
  strictEqual(fitting("dashboard-1", 10, 6), "");
});
