import { deepStrictEqual, ok, strictEqual } from "node:assert";
import { test } from "node:test";
import { HEIGHT, layout, listedAs, sentence, thickness, WIDTH } from "../../kafkalab/views/ledger/flow.ts";

const examples = [
  {name: "one of a million", flow: {kept: 999999, lost: 1, unsure_seen: 0, unsure_gone: 0, strangers: 0}, bars: {sent: [64.0, 131.99987199999998], acknowledged: [64.0, 131.99987199999998], seen: [64.0, 127.999872]}, ribbons: [["acknowledged", 1000000], ["seen", 999999], ["lost", 1]]},
  {name: "every way", flow: {kept: 295, lost: 30, unsure_seen: 10, unsure_gone: 20, strangers: 15}, bars: {sent: [64.0, 128.3943661971831], acknowledged: [64.0, 117.1830985915493], seen: [64.0, 115.77464788732394]}, ribbons: [["acknowledged", 325], ["seen", 295], ["unsure", 10], ["unacknowledged", 20], ["lost", 30], ["strangers", 15]]},
];
const fate = { id: "a", sent: 1, key: null, acknowledged: true, seen: true, lost: false, read_again: false, out_of_order: false, positions: ["P0 offset 1"] };

test("bars and ribbons are as thick as their counts", () => {
  for (const one of examples) {
    const { bars, ribbons } = layout(one.flow);
    deepStrictEqual(Object.fromEntries(Object.entries(bars).map(([name, bar]) => [name, [bar.y, bar.h]])), one.bars, one.name);
    deepStrictEqual(ribbons.map((ribbon) => [ribbon.kind, ribbon.count]), one.ribbons, one.name);
    for (const ribbon of ribbons) ok(!/NaN|undefined/.test(ribbon.d + ribbon.middle), ribbon.d);
  }
});

test("one record of a million can be seen, and nothing leaves the picture", () => {
  ok(thickness(1, 1_000_000) >= 3);
  strictEqual(thickness(0, 10), 0);
  const { bars } = layout({ kept: 1, lost: 1, unsure_seen: 1, unsure_gone: 1_000_000, strangers: 1 });
  for (const bar of Object.values(bars)) ok(bar.y + bar.h < HEIGHT && bar.x < WIDTH);
});

test("what became of a record is told in a sentence", () => {
  strictEqual(sentence(fate, false), "It arrived, once.");
  ok(sentence({ ...fate, seen: false, lost: true, positions: [] }, false).includes("It is lost"));
  ok(sentence({ ...fate, seen: false, lost: true, positions: [] }, true).includes("not been seen yet"));
  ok(sentence({ ...fate, acknowledged: false }, false).includes("never acknowledged"));
  ok(sentence({ ...fate, acknowledged: false, seen: false, positions: [] }, false).includes("nobody promised"));
  ok(sentence({ ...fate, positions: ["P0 offset 1", "P0 offset 2"], out_of_order: true }, false).includes("more than once. It came late"));
  ok(sentence({ ...fate, sent: null, seen: false, acknowledged: false, positions: [] }, false).includes("knows no record"));
  deepStrictEqual(listedAs({ live: false, moving: false, counts: {}, ids: { lost: ["a"], duplicated: [], strangers: ["a"] } }, "a"), ["lost", "strangers"]);
});
