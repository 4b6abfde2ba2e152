// A playhead for pages without a kernel: answers the bar's requests, as kafkalab/history/recording.py does in Python.

import type { Picture } from "./picture";

/** The part of a bar's state that comes from the playhead. */
export type Stand = Pick<Picture, "at" | "playing" | "speed" | "live" | "heard">;

const SLOWEST = 0.05;
const FASTEST = 1000;
/** Milliseconds between two moves while it plays. A timer counts them: a page in the background gets no frames. */
const STEP = 33;

/** Returns a playhead at a moment between 0 and `seconds`; it calls `moved` after each move with its state. While it plays it
 * moves by the time that really passed: a page that was busy catches up in one step. */
export function playhead({ seconds, at, speed, moved }: { seconds: number; at: number; speed: number; moved: (stand: Stand) => void }) {
  let stand: Stand = { at, playing: false, speed, live: false, heard: 0 };
  let stepped = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const within = (moment: unknown) => Math.min(Math.max(0, Number(moment) || 0), seconds);
  const pace = (wanted: unknown) => Math.min(FASTEST, Math.max(SLOWEST, Number(wanted) || stand.speed));
  function move(change: Partial<Stand>) {
    stand = { ...stand, ...change };
    clearTimeout(timer);
    if (stand.playing) timer = setTimeout(step, STEP);
    moved(stand);
  }
  function step() {
    const now = Date.now();
    const next = stand.at + ((now - stepped) / 1000) * stand.speed;
    stepped = now;
    move(next >= seconds ? { at: seconds, playing: false } : { at: next });
  }
  /** Goes to a moment, and plays on from there if it was playing. */
  function seek(moment: unknown, more: Partial<Stand> = {}) {
    stepped = Date.now();
    move({ at: within(moment), ...more });
  }

  return {
    seek,
    /** Carries out a request of the bar. At the end, it plays from the beginning. */
    answer(message: { do: string; at?: number; speed?: number; when?: number }) {
      const heard = message.when ?? stand.heard;
      if (message.do === "seek") seek(message.at, { heard });
      else if (message.do === "play") seek(within(message.at) >= seconds ? 0 : message.at, { speed: pace(message.speed), playing: true, heard });
      else if (message.do === "pause") move({ playing: false, heard });
      else if (message.do === "pace") move({ speed: pace(message.speed), heard });
      else if (message.do === "live") seek(seconds, { playing: false, heard });
    },
  };
}
