import { deepStrictEqual, ok, strictEqual } from "node:assert";
import { test } from "node:test";
import { acted, axis, brokersUp, corners, crowded, current, moment, momentAt, neighbour, place, said, shown, stepAt, stops, stretch, whole, wrong, zoomed } from "../../kafkalab/views/timeline/moments.ts";

const EVENTS = [
  { at: 3, since: null, kind: "group_created", text: "group dashboard is new" },
  { at: 12, since: 0, kind: "you", text: "you killed broker 102" },
  { at: 16.1, since: 4.1, kind: "broker_down", text: "broker 102 is down" },
  { at: 16.1, since: 4.1, kind: "leader_moved", text: "P0: leader 102 → 103" },
];
const STEPS = {
  brokers: [[0, 3, 3, []], [16.1, 2, 3, [102]]], short: [[0, 0], [16.1, 4]], leaderless: [[0, 0], [14, 1], [16.1, 0]], lag: [[0, null], [5, 40]],
};

test("what happened last by a moment, and the moments before and after it", () => {
  strictEqual(current(EVENTS, 2.9), -1);
  strictEqual(current(EVENTS, 3), 0);
  strictEqual(current(EVENTS, 16.1), 3, "of several at one moment the last");
  const moments = stops({ events: EVENTS, named: [{ at: 11.5, name: "calm" }, { at: 12, name: "the kill" }] });
  deepStrictEqual(moments, [3, 11.5, 12, 16.1]);
  strictEqual(neighbour(moments, 12, 1), 16.1);
  strictEqual(neighbour(moments, 12, -1), 11.5);
  strictEqual(neighbour(moments, 12.7, -1), 12);
  strictEqual(neighbour(moments, 16.1, 1), null);
  strictEqual(neighbour(moments, 3, -1), null);
});

test("a step holds until the next, and before the first nothing is known", () => {
  strictEqual(stepAt(STEPS.lag, 4.9)[1], null);
  strictEqual(stepAt(STEPS.lag, 5)[1], 40);
  strictEqual(stepAt([[2, 1]], 1), undefined);
});

test("a moment in words names what is wrong at it", () => {
  strictEqual(brokersUp(STEPS, 16).text, "3 of 3 brokers up");
  deepStrictEqual(brokersUp(STEPS, 17), { text: "2 of 3 brokers up", down: true, known: true });
  strictEqual(wrong(STEPS, 15), "1 partition without a leader");
  const state = { at: 17.4, live: false, events: EVENTS, named: [{ at: 17.4, name: "after" }], steps: STEPS };
  strictEqual(said(state), "17.4 seconds, broker 102 is down, 4 partitions under-replicated; named after; last: P0: leader 102 → 103");
  ok(said({ ...state, at: 5, named: [] }).startsWith("5.0 seconds, all brokers are up"));
  strictEqual(acted(EVENTS, 16).text, "you killed broker 102");
  strictEqual(acted(EVENTS, 11.9), undefined);
});

test("moments as a clock never round up past what happened", () => {
  strictEqual(moment(134.36), "2:14.3");
  strictEqual(moment(59.999), "0:59.9");
  strictEqual(moment(3734.25, 0), "1:02:14");
  strictEqual(stretch(12.44), "12.4 s");
  strictEqual(stretch(185), "3:05 min");
});

test("a recording that grows has room ahead, one that is over ends at its end", () => {
  strictEqual(whole(42, false), 42);
  strictEqual(whole(42, true), 45);
  ok(whole(5000, true) >= 5200 && whole(5000, true) % 1800 === 0);
});

test("a zoom follows the playhead, and moves no more than it must", () => {
  const state = { at: 100, seconds: 600, going: false, live: false };
  const first = shown({ span: 60, end: 120 }, state);
  deepStrictEqual(first, { from: 60, to: 120 });
  deepStrictEqual(shown({ span: 60, end: 120 }, { ...state, at: 61 }), { from: 60, to: 120 });
  const ahead = shown({ span: 60, end: 120 }, { ...state, at: 130 });
  ok(ahead.from < 130 && ahead.to > 130 && ahead.to - ahead.from === 60);
  deepStrictEqual(shown({ span: 60, end: 120 }, { ...state, at: 600 }), { from: 540, to: 600 });
  deepStrictEqual(shown({ span: null, end: 0 }, state), { from: 0, to: 600 });
});

test("zooming keeps a moment where it is drawn, down to seconds and up to the whole", () => {
  const now = { from: 60, to: 120 };
  const nearer = zoomed({ span: 60, end: 120 }, 0.5, 90, now, 600);
  deepStrictEqual(nearer, { span: 30, end: 105 });
  strictEqual(place({ from: 75, to: 105 }, 90), place(now, 90));
  strictEqual(zoomed({ span: 60, end: 120 }, 1e-6, 90, now, 600).span, 2);
  strictEqual(zoomed({ span: 400, end: 400 }, 2, 90, { from: 0, to: 400 }, 600).span, null);
  strictEqual(momentAt(now, 2, 100), 100);
});

test("signs that would touch share a place, lane by lane, and the gravest is drawn", () => {
  const now = { from: 0, to: 42 };
  const ticks = crowded(EVENTS, now, 840, 1);
  deepStrictEqual(ticks.map((t) => [t.lane, t.kind, t.count]), [["groups", "group_created", 1], ["you", "you", 1], ["brokers", "broker_down", 1], ["partitions", "leader_moved", 1]]);
  const many = Array.from({ length: 5000 }, (_, i) => ({ at: i * 0.72, kind: i === 2500 ? "leader_lost" : "isr_grew", text: "" }));
  const few = crowded(many, { from: 0, to: 3600 }, 900, 1);
  ok(few.length <= 60 && few.every((t, i) => !i || t.x - few[i - 1].x >= 15));
  strictEqual(few.reduce((sum, t) => sum + t.count, 0), 5000);
  strictEqual(few.filter((t) => t.kind === "leader_lost").length, 1);
  ok(crowded(many, { from: 100, to: 110 }, 900, 1).every((t) => t.at >= 100 && t.at <= 110));
});

test("labels of the axis stand on round seconds with room between them", () => {
  const { at, step } = axis({ from: 0, to: 42 }, 840, 56);
  strictEqual(step, 5);
  deepStrictEqual(at.slice(0, 3), [0, 5, 10]);
  ok(axis({ from: 0, to: 7200 }, 600, 56).at.length <= 11);
});

test("corners of a step function end where knowledge ends, and null is a gap", () => {
  const now = { from: 0, to: 20 };
  deepStrictEqual(corners([[0, 1], [10, 3]], now, 200, 15, (r) => r[1]), [[[0, 1], [100, 1], [100, 3], [150, 3]]]);
  deepStrictEqual(corners([[0, 1], [5, null], [10, 3]], now, 200, 20, (r) => r[1]), [[[0, 1], [50, 1]], [[100, 3], [200, 3]]]);
  deepStrictEqual(corners([[0, 1], [10, 3]], { from: 12, to: 14 }, 200, 20, (r) => r[1]), [[[0, 3], [200, 3]]], "what began before is drawn from the edge");
});
