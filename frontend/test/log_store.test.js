import { deepStrictEqual, strictEqual } from "node:assert";
import { test } from "node:test";
import { BLANK, joinedRanges, LogStore, outcome } from "../../kafkalab/views/log/store.ts";
import { placed } from "../../kafkalab/views/log/lane.ts";

const cell = (offset, kind = "r", more = null) => [offset, kind, "a", 0, "a", "v", 1, 2, null, more];
const window = (from, to, ...gone) => ({ from, to, cells: Array.from({ length: to - from }, (_, i) => cell(from + i)).filter((c) => !gone.includes(c[0])) });

test("a record, a hole, and what was not read are three things", () => {
  const store = new LogStore();
  store.put("0", window(10, 20, 12));
  deepStrictEqual(store.at("0", 11), cell(11));
  strictEqual(store.at("0", 12), null);
  strictEqual(store.at("0", 20), undefined);
  strictEqual(store.at("1", 11), undefined);
});

test("only what was not read is asked for", () => {
  const store = new LogStore();
  deepStrictEqual(store.missing("0", 5, 9), [5, 9]);
  store.put("0", window(10, 20));
  store.put("0", window(30, 40));
  strictEqual(store.missing("0", 12, 18), null);
  deepStrictEqual(store.missing("0", 15, 35), [20, 30]);
  deepStrictEqual(store.missing("0", 0, 50), [0, 50]);
  store.put("0", window(20, 30));
  strictEqual(store.missing("0", 10, 40), null);
});

test("what was truncated or deleted is forgotten, what came instead replaces it", () => {
  const store = new LogStore();
  store.put("0", window(10, 20));
  store.cut("0", 12, 18);
  deepStrictEqual([11, 12, 17, 18].map((o) => store.at("0", o)?.[0]), [undefined, 12, 17, undefined]);
  store.put("0", { from: 15, to: 16, cells: [] });
  strictEqual(store.at("0", 15), null);
});

test("far more than anybody looks at is not kept", () => {
  const store = new LogStore();
  store.put("0", window(0, 4000));
  store.prune("0", 1000, 1050);
  strictEqual(store.lane("0").cells.size, 150);
  deepStrictEqual(joinedRanges([[5, 9], [0, 5], [20, 30], [8, 10]]), [[0, 10], [20, 30]]);
});

test("a transactional record's fate is told by the marker of its producer", () => {
  const store = new LogStore();
  store.put("0", { from: 0, to: 6, cells: [cell(0, "r", { tx: 7 }), cell(1, "r", { tx: 8 }), cell(2, "c", { tx: 8 }), cell(3, "a", { tx: 7 }), cell(4, "r", { tx: 7 }), cell(5)] });
  deepStrictEqual([0, 1, 2, 4, 5].map((o) => outcome(store, "0", store.at("0", o), 6)), ["aborted", "committed", null, "open", null]);
});

test("a marker that is out of view stays at the edge, and its words where there is room", () => {
  deepStrictEqual(placed(100, 200, 500, 150), { at: 100, off: "", from: 100, to: 200, words: "right" });
  deepStrictEqual(placed(-90, 200, 500, 150), { at: 5, off: "left", from: 0, to: 200, words: "right" });
  deepStrictEqual(placed(450, 480, 500, 150), { at: 450, off: "", from: 450, to: 480, words: "left" });
  strictEqual(placed(900, 950, 500, 150).off, "right");
});

test("what a recording holds nothing of is neither a hole nor unread, and replaced by what is read later", () => {
  const store = new LogStore();
  store.put("0", { ...window(10, 20, 12, 15, 16), blank: [[15, 17]] });
  deepStrictEqual([12, 14, 15, 16, 17].map((o) => store.at("0", o)), [null, cell(14), BLANK, BLANK, cell(17)]);
  strictEqual(store.missing("0", 10, 20), null);
  store.put("0", window(16, 18));
  deepStrictEqual([15, 16].map((o) => store.at("0", o)), [BLANK, cell(16)]);
  store.cut("0", 16, 20);
  strictEqual(store.at("0", 15), undefined);
});
