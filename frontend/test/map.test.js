import assert from "node:assert/strict";
import { test } from "node:test";
import { Fences, insideRing, OUTSIDE, projector, Viewport } from "../../kafkalab/views/map/land.ts";
import { NO_SPEED, speedClass, speedName } from "../../kafkalab/views/map/looks.ts";
import { Tracks } from "../../kafkalab/views/map/trucks.ts";

const SQUARE = [0, 0, 10, 0, 10, 10, 0, 10];
const BAY = [0, 0, 10, 0, 10, 10, 5, 2, 0, 10];

test("a place is inside a ring or not, also in a bay", () => {
  assert.equal(insideRing(SQUARE, 5, 5), true);
  assert.equal(insideRing(SQUARE, 15, 5), false);
  assert.equal(insideRing(SQUARE, -1, 5), false);
  assert.equal(insideRing(BAY, 5, 8), false);
  assert.equal(insideRing(BAY, 5, 1), true);
  assert.equal(insideRing(BAY, 9, 8), true);
});

test("the first of two fences that overlap counts", () => {
  const fences = new Fences([{ name: "bay", letter: "A", ring: BAY }, { name: "square", letter: "B", ring: SQUARE }]);
  assert.deepEqual([[5, 1], [5, 8], [50, 50], [NaN, 1]].map(([x, y]) => fences.of(x, y)), [0, 1, OUTSIDE, OUTSIDE]);
});

test("speeds fall into classes", () => {
  assert.deepEqual([0, 0.9, 1, 59.9, 60, 75, 80, 200, NaN].map(speedClass), [0, 0, 1, 1, 2, 3, 4, 4, NO_SPEED]);
  assert.deepEqual([-1, 0, 1, 2, 4].map(speedName), ["not known", "stands still", "under 60 km/h", "60 to 70 km/h", "80 km/h or more"]);
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

test("a way has a place a second at most, and the last five minutes of them", () => {
  const tracks = new Tracks();
  for (let t = 0; t < 10_000; t += 100) tracks.add(3, t, -t, t, 1000, false);
  assert.deepEqual(tracks.of(3).map(([x]) => x), [0, 1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000, 9000]);
  for (let t = 10_000; t < 1_000_000; t += 1000) tracks.add(3, t, -t, t, 1000, false);
  const way = tracks.of(3);
  assert.equal(way.length, 300);
  assert.deepEqual(way.at(-1), [999_000, -999_000, 999_000]);
  assert.equal(way[0][0], 700_000);
  tracks.add(4, NaN, 0, 0, 1000, false);
  tracks.add(5, 1, 1, 0, 100_000, false);
  tracks.add(6, 1, 1, 0, 100_000, true);
  assert.deepEqual([tracks.of(4).length, tracks.of(5).length, tracks.of(6).length], [0, 0, 1]);
});

test("the projection's centre is the middle", () => {
  const [x, y] = projector({ latitude: 50, longitude: 10 })(50, 10);
  assert.ok(Math.hypot(x, y) < 1e-9);
});
