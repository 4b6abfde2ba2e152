import assert from "node:assert/strict";
import { test } from "node:test";
import { axis, brief, bytes, delay, even, laneRanges, lasting, shortMs, slots, utc } from "../../kafkalab/views/stream/scale.ts";

test("an axis ends on a round tick at or above the highest value", () => {
  for (const most of [0.3, 1, 7, 99, 100, 101, 1292, 40855, 1e7]) {
    const { top, ticks } = axis([0, most]);
    assert.ok(top >= most && top <= 2.6 * most, `${most}: ${top}`);
    assert.equal(ticks[0], 0);
    assert.equal(ticks.at(-1), top);
    assert.ok(ticks.length >= 3 && ticks.length <= 5, `${most}: ${ticks}`);
  }
});

test("one batch far above the others does not press them to the ground", () => {
  const { top } = axis([6990, 1080, 900, 760, 680, 690, 720, 740, 750, 620]);
  assert.ok(top >= 900 && top < 2000, String(top));
  assert.ok(axis([6990, 900]).top >= 6990, "of a few batches none is usual");
  assert.equal(axis([]).top > 0, true);
  assert.equal(axis([0, 0, 0]).top > 0, true);
  assert.ok(axis([10], 500).top >= 500);
});

test("times, sizes and counts in words", () => {
  assert.deepEqual([0, 462, 999.4, 6990, 12345, 125000].map(shortMs), ["0 ms", "462 ms", "999 ms", "6.99 s", "12.3 s", "2:05 min"]);
  assert.deepEqual([500, 1000, 1500].map(even), ["500 ms", "1 s", "1.5 s"]);
  assert.deepEqual([0.44, 48.2, 69.854, 3600, -5, 400000].map(lasting), ["0.4 s", "48 s", "1:10 min", "1:00 h", "−5 s", "4 days"]);
  assert.deepEqual([0, 999, 3648, 21000, 5.5e6].map(bytes), ["0\u202fB", "999\u202fB", "3.6\u202fkB", "21\u202fkB", "5.5\u202fMB"]);
  assert.deepEqual([0.5, 12, 1500, 15000, 2.5e6].map(brief), ["0.5", "12", "1\u202f500", "15k", "2.5M"]);
  assert.equal(utc(1795274530), "15:22:10");
});

test("as many of the newest batches are shown as have room, and a pixel finds its batch", () => {
  const all = Array.from({ length: 120 }, (_, i) => i + 30);
  const some = slots(all, 420, 7);
  assert.equal(some.shown.length, 60);
  assert.equal(some.shown.at(-1), 149);
  some.shown.forEach((_, i) => assert.equal(some.at(some.middle(i)), i));
  assert.equal(some.at(-5), 0);
  assert.equal(some.at(9999), 59);
  assert.equal(slots([7], 420, 7).wide, 42, "a lonely batch is no wall");
});

test("lanes end with what was read, and know what waits", () => {
  const batches = {
    3: { lanes: { a: { start: null, end: 100, latest: 150 }, b: { start: null, end: 0, latest: 40 } } },
    4: { lanes: { a: { start: 100, end: 130, latest: 160 }, b: { start: 0, end: 0, latest: 50 } } },
    5: { lanes: { a: { start: 130, end: 170, latest: 165 }, b: { start: 0, end: 0, latest: 70 } } },
  };
  const { lanes, span, waiting } = laneRanges(batches, [3, 4, 5], ["a", "b", "gone"]);
  assert.deepEqual(lanes[0].ranges.map(({ number, from, to }) => [number, from, to]), [[3, 100, 100], [4, 100, 130], [5, 130, 170]]);
  assert.equal(lanes[0].ranges[0].open, true);
  assert.equal(lanes[0].behind, 0, "real-time mode reads beyond what was newest when the batch began");
  assert.equal(lanes[1].behind, 70);
  assert.deepEqual(lanes[1].ranges, []);
  assert.equal(lanes[2].end, null);
  assert.equal(span, 70);
  assert.equal(waiting, 70);
  assert.deepEqual(laneRanges(batches, [4], ["a"]).lanes[0].ranges.map((r) => [r.from, r.to]), [[100, 130]]);
});

test("the watermark's distance is known only when both are", () => {
  assert.equal(delay({ event: { max: 70, watermark: 10 } }), 60);
  assert.equal(delay({ event: { max: 70, watermark: null } }), null);
  assert.equal(delay({ event: null }), null);
});
