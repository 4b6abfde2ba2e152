import assert from "node:assert/strict";
import { test } from "node:test";
import { clock, shorten } from "../../kafkalab/views/shared.ts";

test("the end of a line is a space, and what could turn or hide the text is a mark", () => {
  assert.equal(shorten("There is no topic.\r\n\tMake one."), "There is no topic. Make one.");
  assert.equal(shorten("a\u0000b\u202ec"), "a\ufffdb\ufffdc");
  assert.equal(shorten("x".repeat(50), 20), `${"x".repeat(11)}…${"x".repeat(8)}`);
});

test("a moment that is the deed itself is no time before it", () => {
  assert.equal(clock.since(-0.0004), "+0.00 s");
  assert.equal(clock.since(-0.4), "−0.40 s");
});
