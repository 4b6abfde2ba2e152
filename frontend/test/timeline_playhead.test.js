import { deepStrictEqual, ok, strictEqual } from "node:assert";
import { test } from "node:test";
import { playhead } from "../../kafkalab/views/timeline/playhead.ts";

/** A clock that the test moves, and frames that it lets happen. */
function hands() {
  let now = 0, id = 0;
  const frames = new Map();
  return {
    time: { now: () => now, frame: (f) => (frames.set(++id, f), id), cancel: (n) => frames.delete(n) },
    pass(ms) {
      now += ms;
      const due = [...frames.values()];
      frames.clear();
      for (const f of due) f();
    },
    get waiting() { return frames.size; },
  };
}

function made(options = {}) {
  const clock = hands();
  const seen = [];
  const head = playhead({ seconds: 30, moved: (stand) => seen.push(stand), time: clock.time, ...options });
  return { head, clock, seen };
}

test("it goes to a moment inside of the recording", () => {
  const { head, seen } = made();
  head.seek(12.5);
  head.seek(99);
  head.seek(-1);
  head.seek("nonsense");
  deepStrictEqual(seen.map((s) => s.at), [12.5, 30, 0, 0]);
});

test("it plays by the time that went by, ends at the end, and then asks for no more frames", () => {
  const { head, clock } = made();
  head.play({ speed: 2, at: 10 });
  for (let i = 0; i < 50; i++) clock.pass(100);
  ok(Math.abs(head.stand.at - 20) < 1e-9, "no drift over many frames");
  clock.pass(60_000);
  deepStrictEqual([head.stand.at, head.stand.playing, clock.waiting], [30, false, 0]);
  head.play();
  strictEqual(head.stand.at, 0, "at the end it begins anew");
  strictEqual(head.stand.speed, 2, "as fast as before");
});

test("a seek while it plays goes on from there, and a pause stands still at no cost", () => {
  const { head, clock } = made();
  head.play({ speed: 1 });
  clock.pass(3000);
  head.seek(20);
  clock.pass(1000);
  strictEqual(head.stand.at, 21);
  strictEqual(clock.waiting, 1, "one frame is asked for, not one a seek");
  head.pause();
  strictEqual(clock.waiting, 0);
  clock.pass(5000);
  strictEqual(head.stand.at, 21);
});

test("it answers what the bar asks, and says what it has heard", () => {
  const { head, seen } = made();
  ok(head.answer({ do: "seek", at: 5, when: 7 }));
  deepStrictEqual([head.stand.at, head.stand.heard], [5, 7]);
  ok(head.answer({ do: "pace", speed: 60, when: 8 }));
  ok(head.answer({ do: "play", speed: 60, at: 6, when: 9 }));
  deepStrictEqual([head.stand.at, head.stand.playing, head.stand.speed, head.stand.heard], [6, true, 60, 9]);
  ok(head.answer({ do: "live", when: 10 }));
  deepStrictEqual([head.stand.at, head.stand.playing, head.stand.heard], [30, false, 10]);
  const before = seen.length;
  strictEqual(head.answer({ do: "name", name: "x", when: 11 }), false);
  strictEqual(head.answer(null), false);
  strictEqual(seen.length, before);
  head.play({ speed: 1e9 });
  strictEqual(head.stand.speed, 1000);
  head.end();
});
