import assert from "node:assert/strict";
import { test } from "node:test";
import { roundStep, ticks, timeStep } from "../../kafkalab/views/axis.ts";

test("steps are round", () => {
  assert.deepEqual([0.3, 1, 1.1, 2.2, 6, 730].map(roundStep), [0.5, 1, 2, 5, 10, 1000]);
  assert.deepEqual([0.04, 0.2, 3, 44, 700, 90000].map(timeStep), [0.1, 0.2, 5, 60, 900, 172800]);
});

test("ticks are the steps between two values, both included", () => {
  assert.deepEqual(ticks(0, 0.3, 0.1), [0, 0.1, 0.2, 0.3]);
  assert.deepEqual(ticks(-7, 12, 5), [-5, 0, 5, 10]);
  assert.deepEqual(ticks(1763000000.05, 1763000000.31, 0.1), [1763000000.1, 1763000000.2, 1763000000.3]);
  assert.deepEqual(ticks(3, 4, 5), []);
});
