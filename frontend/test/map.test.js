import assert from "node:assert/strict";
import { test } from "node:test";
import { projector, Viewport } from "../../kafkalab/views/map/land.ts";
import { jumps, placeOf, read, Trucks } from "../../kafkalab/views/map/trucks.ts";

// The picture's rows, as kafkalab/views/map/picture.py writes them: ten-thousandths of a degree, tenths of km/h, two degrees.
const written = (...rows) => Buffer.concat(rows.map(([latitude, longitude, speed, heading, partition, fence]) => {
  const row = Buffer.alloc(12);
  row.writeIntLE(latitude, 0, 3);
  row.writeIntLE(longitude, 3, 3);
  row.writeUInt16LE(speed, 6);
  row.writeUInt8(heading, 8);
  row.writeUInt16LE(partition, 9);
  row.writeInt8(fence, 11);
  return row;
})).toString("base64");

test("a row is a truck; what is not known is no number", () => {
  assert.deepEqual(read(written([523401, 134050, 715, 91, 3, -1], [-5000, 0, 65535, 255, 65535, 2])), [
    { latitude: 52.3401, longitude: 13.405, speed: 71.5, heading: 182, partition: 3, fence: -1 },
    { latitude: -0.5, longitude: 0, speed: NaN, heading: NaN, partition: -1, fence: 2 },
  ]);
});

test("a truck glides from where it is drawn, in the time since it last moved; the others stay as they are", () => {
  const trucks = new Trucks((latitude, longitude) => [longitude, latitude]);
  const take = (rows, now) => trucks.take({ ids: ["a", "b"].slice(0, rows.length), rows: written(...rows) }, now, true);
  take([[0, 0, 500, 45, 0, -1], [0, 0, 0, 0, 1, -1]], 1000);
  const [, still] = trucks.list;
  take([[0, 100000, 500, 45, 0, -1], [0, 0, 0, 0, 1, -1]], 2000);
  assert.deepEqual([placeOf(trucks.list[0], 2500)[0], trucks.gliding(2900), trucks.gliding(3000)], [5, true, false]);
  assert.deepEqual(trucks.list[1], still);
  take([[0, 200000, 500, 45, 0, -1], [0, 0, 0, 0, 1, -1]], 2500);
  assert.deepEqual([placeOf(trucks.list[0], 2500)[0], placeOf(trucks.list[0], 3000)[0]], [5, 20]);
  take([[0, 3000000, 500, 45, 0, -1]], 4000);
  assert.deepEqual([placeOf(trucks.list[0], 4000)[0], trucks.list.length], [300, 1], "nobody drives that fast");
});

test("going back, or far ahead, is a jump; going on is none, nor is a map that is not of a recording", () => {
  const times = [null, 100, 101, 101, 116, 132, 131];
  assert.deepEqual(times.slice(1).map((at, i) => jumps(times[i], at)), [true, false, false, false, true, true]);
  assert.equal(jumps(null, null), false);
});

test("a map that follows a truck gets there and stays, also at its edge", () => {
  const view = new Viewport([-100, -100, 100, 100]);
  view.resize(400, 400);
  view.zoomBy(4);
  let steps = 0;
  while (view.approach(60, 20, 0.2)) assert.ok((steps += 1) < 60);
  assert.ok(steps > 3, "not in one leap");
  const [x, y] = view.toPixels(60, 20);
  assert.ok(Math.hypot(x - 200, y - 200) < 1);
  while (view.approach(100, 100, 0.5));
  assert.ok(view.toPixels(100, 100)[0] > 300, "the map stays in its window");
  view.free = true;
  while (view.approach(100, 100, 0.5));
  assert.ok(Math.abs(view.toPixels(100, 100)[0] - 200) < 1, "unless a truck at its edge is followed");
  view.free = false;
  view.hold();
  assert.ok(view.toPixels(100, 100)[0] > 300);
});

test("the projection's centre is the middle", () => {
  const [x, y] = projector({ latitude: 50, longitude: 10 })(50, 10);
  assert.ok(Math.hypot(x, y) < 1e-9);
});
