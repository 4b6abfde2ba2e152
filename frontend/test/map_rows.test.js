import { deepStrictEqual, strictEqual } from "node:assert";
import { test } from "node:test";
import { read, Told } from "../../kafkalab/views/map/trucks.ts";

const model = (values) => ({ values, get: (name) => values[name] });

test("rows become a frame as the kernel packs it", () => {
  const { frame, ids, jumped } = new Told(model({ state: { ids: ["a", "b"], rows: ["523401 134050 71 183 3", "-5000 0 0 359 65534"], at: 9 } })).next();
  strictEqual(frame.byteLength, 36);
  const floats = [0, 1, 2, 3].map((c) => [0, 1].map((i) => Number(frame.getFloat32(8 * c + 4 * i, true).toFixed(4))));
  deepStrictEqual(floats, [[52.3401, -0.5], [13.405, 0], [71, 0], [183, 359]]);
  deepStrictEqual([frame.getUint16(32, true), frame.getUint16(34, true)], [3, 65534]);
  deepStrictEqual([ids, jumped], [["a", "b"], true]);
  deepStrictEqual(read("10000 20000 1 2 3"), [1, 2, 1, 2, 3]);
});

test("going back, or far ahead, is a jump; going on is none, nor is a map that is not of a recording", () => {
  const page = model({ state: { ids: [], rows: [], at: 100 } });
  const told = new Told(page);
  const jumps = [100, 101, 101, 116, 132, 131].map((at) => {
    page.values.state = { ids: ["a"], rows: [`${at} 0 0 0 0`], at };
    return told.next().jumped;
  });
  deepStrictEqual(jumps, [true, false, false, false, true, true]);
  const live = new Told(model({ frame: new DataView(new ArrayBuffer(18)), truck_ids: ["a"], at: null }));
  deepStrictEqual([live.next().jumped, live.next().ids, live.at], [false, ["a"], null]);
});
