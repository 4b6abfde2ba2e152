import { deepStrictEqual, ok, strictEqual } from "node:assert";
import { beforeEach, mock, test } from "node:test";
import { playhead } from "../../kafkalab/views/timeline/playhead.ts";

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
});

function made() {
  const seen = [];
  const head = playhead({ seconds: 30, at: 0, speed: 1, moved: (stand) => seen.push(stand) });
  return { head, seen, now: () => seen.at(-1) };
}

test("it goes to a moment inside of the recording", () => {
  const { head, seen } = made();
  for (const at of [12.5, 99, -1, "nonsense", undefined]) head.seek(at);
  deepStrictEqual(seen.map((s) => s.at), [12.5, 30, 0, 0, 0]);
});

test("it plays by the time that went by, also where no frame is drawn, and ends at the end", () => {
  strictEqual(globalThis.requestAnimationFrame, undefined);
  const { head, seen, now } = made();
  head.answer({ do: "play", speed: 2, at: 10 });
  for (let i = 0; i < 50; i++) mock.timers.tick(100);
  ok(Math.abs(now().at - 20) < 0.1, `${now().at}`);
  mock.timers.tick(60_000);
  deepStrictEqual([now().at, now().playing], [30, false]);
  const moves = seen.length;
  mock.timers.tick(1000);
  strictEqual(seen.length, moves, "then it rests");
  head.answer({ do: "play", speed: undefined, at: 30 });
  deepStrictEqual([now().at, now().speed], [0, 2], "at the end it begins anew, as fast as before");
});

test("a seek while it plays goes on from there, and a pause stands still", () => {
  const { head, now } = made();
  head.answer({ do: "play", speed: 1, at: 0 });
  mock.timers.tick(3000);
  head.seek(20);
  mock.timers.tick(990);
  ok(Math.abs(now().at - 21) < 0.05, `${now().at}`);
  head.answer({ do: "pause" });
  const { at } = now();
  mock.timers.tick(5000);
  strictEqual(now().at, at);
});

test("it answers what the bar asks, and says what it has heard", () => {
  const { head, seen, now } = made();
  head.answer({ do: "seek", at: 5, when: 7 });
  deepStrictEqual([now().at, now().heard], [5, 7]);
  head.answer({ do: "pace", speed: 60, when: 8 });
  head.answer({ do: "play", speed: 60, at: 6, when: 9 });
  deepStrictEqual([now().at, now().playing, now().speed, now().heard], [6, true, 60, 9]);
  head.answer({ do: "live", when: 10 });
  deepStrictEqual([now().at, now().playing, now().heard], [30, false, 10]);
  const before = seen.length;
  head.answer({ do: "name", name: "x", when: 11 });
  strictEqual(seen.length, before);
  head.answer({ do: "pace", speed: 1e9, when: 12 });
  strictEqual(now().speed, 1000);
});
