import { deepStrictEqual, ok, strictEqual } from "node:assert";
import { test } from "node:test";
import { brief, centred, followed, levelFor, pixels, scrolled, ticks, visible, withEnds, zoomed } from "../../kafkalab/views/log/axis.ts";

const span = (start, end) => ({ start, high: end, end });

test("logs that fit begin where they begin, with the last deleted offsets before them", () => {
  deepStrictEqual(followed({ 0: span(0, 20), 1: span(0, 25) }, 50, false), { lefts: { 0: 0, 1: 0 }, own: false });
  deepStrictEqual(followed({ 0: span(10, 30), 1: span(12, 30) }, 50, false).lefts, { 0: 6, 1: 6 });
});

test("logs that end near each other share an axis, others stand each at its own end", () => {
  deepStrictEqual(followed({ 0: span(0, 1000), 1: span(0, 990) }, 50, false), { lefts: { 0: 960, 1: 960 }, own: false });
  deepStrictEqual(followed({ 0: span(0, 1000), 1: span(0, 500) }, 50, false), { lefts: { 0: 960, 1: 460 }, own: true });
  deepStrictEqual(followed({}, 50, true), { lefts: {}, own: false });
});

test("lanes stay apart until they are clearly near again", () => {
  const between = { 0: span(0, 1000), 1: span(0, 983) };
  strictEqual(followed(between, 50, false).own, false);
  strictEqual(followed(between, 50, true).own, true);
});

test("scrolling ends where nothing would be left to see", () => {
  const spans = { 0: span(0, 100) };
  deepStrictEqual(scrolled({ 0: 50 }, spans, 10, 20), { 0: 60 });
  deepStrictEqual(scrolled({ 0: 50 }, spans, -500, 20), { 0: -4 });
  deepStrictEqual(scrolled({ 0: 50 }, spans, 500, 20), { 0: 96 });
});

test("an offset is brought into view; a lane without one stays", () => {
  deepStrictEqual(centred({ 0: 7, 1: 7 }, (p) => (p === "0" ? 1000 : null), 30), { 0: 990, 1: 7 });
});

test("zooming keeps what is under the pointer there", () => {
  const lefts = zoomed({ 0: 100 }, 400, 20, 2);
  strictEqual(lefts[0] + 400 / 2, 100 + 400 / 20);
  ok(pixels(levelFor(1_000_000, 900)) * 1_000_000 <= 900);
});

test("what is visible, and which offsets are written above it", () => {
  deepStrictEqual(visible(-2, 20, 200), { from: 0, to: 8 });
  deepStrictEqual(ticks(3, 27, 21), [5, 10, 15, 20, 25]);
  deepStrictEqual(ticks(0, 1_000_000, 0.0002, 64), [0, 500_000]);
  ok(ticks(0, 5_000_000, 0.02).length < 1500);
});

test("numbers for small places", () => {
  deepStrictEqual([0, 99_999, 123_456, 1_234_567, 12_345_678].map(brief), ["0", "99\u202f999", "123 k", "1.23 M", "12.3 M"]);
});

test("the first and the last record have their offsets, and round ones beside them give way", () => {
  const all = { from: 0, to: 60 };
  deepStrictEqual(withEnds([5, 10, 15, 20, 25], { start: 4, end: 26 }, all, 21, 2), [4, 10, 15, 20, 25]);
  deepStrictEqual(withEnds([0, 5], { start: 0, end: 2 }, all, 21, 2), [0, 1]);
  deepStrictEqual(withEnds([0], { start: 0, end: 0 }, all, 21, 2), [0], "an empty log");
  deepStrictEqual(withEnds([1000], { start: 1000, end: 1002 }, { from: 990, to: 1010 }, 21, 2), [1001], "no room for both");
  deepStrictEqual(withEnds([20, 30], { start: 4, end: 90 }, { from: 18, to: 40 }, 21, 2), [20, 30], "neither is in view");
});
