// A playhead for pages without a kernel: answers the bar's requests, as kafkalab/history/recording.py does in Python.

/** the part of a bar's state that comes from the playhead */
export type Stand = { at: number; playing: boolean; speed: number; live: boolean; heard: number };
/** a clock in milliseconds, and callbacks before the next frame */
export type Time = { now(): number; frame(f: () => void): number; cancel(id: number): void };

const SLOWEST = 0.05;
const FASTEST = 1000;

const browser: () => Time = (): Time => ({ now: () => performance.now(), frame: (f) => requestAnimationFrame(f), cancel: (id) => cancelAnimationFrame(id) });

/** Returns a playhead at a moment between 0 and `seconds`; it calls `moved` after each move with its state. While it plays it
 * moves once a frame, by the time that really passed: a page in the background catches up in one step. */
export function playhead({ seconds, at = 0, speed = 1, moved, time = browser() }: { seconds: number; at?: number; speed?: number; moved: (stand: Stand) => void; time?: Time }) {
  let stand = { at: within(at), playing: false, speed, live: false, heard: 0 };
  let stepped = 0;
  let frame: number | null = null;

  function within(value: unknown) {
    const moment = Number(value);
    return Number.isFinite(moment) ? Math.min(Math.max(0, moment), seconds) : 0;
  }
  function move(change: Partial<Stand>) {
    stand = { ...stand, ...change };
    if (!stand.playing && frame !== null) {
      time.cancel(frame);
      frame = null;
    } else if (stand.playing && frame === null) {
      frame = time.frame(step);
    }
    moved(stand);
  }
  function step() {
    frame = null;
    const now = time.now();
    const next = stand.at + ((now - stepped) / 1000) * stand.speed;
    stepped = now;
    move(next >= seconds ? { at: seconds, playing: false } : { at: next });
  }

  const verbs = {
    /** Goes to a moment, and plays on from there if it was playing. */
    seek(moment: number, heard: number = stand.heard) {
      stepped = time.now();
      move({ at: within(moment), heard });
    },
    /** Plays from here, or from a moment; at the end it starts over. */
    play({ speed: wanted = stand.speed, at: from = stand.at, heard = stand.heard }: { speed?: number; at?: number; heard?: number } = {}) {
      stepped = time.now();
      const fast = Number.isFinite(Number(wanted)) ? Math.min(FASTEST, Math.max(SLOWEST, Number(wanted))) : stand.speed;
      const begin = within(from);
      move({ at: begin >= seconds ? 0 : begin, speed: fast, playing: true, heard });
    },
    pause(heard: number = stand.heard) {
      move({ playing: false, heard });
    },
    /** Sets the speed, for now or for the next time. */
    pace(wanted: number, heard: number = stand.heard) {
      const fast = Math.min(FASTEST, Math.max(SLOWEST, Number(wanted) || stand.speed));
      move({ speed: fast, heard });
    },
  };
  return {
    ...verbs,
    /** The present state. */
    get stand() {
      return stand;
    },
    /** Carries out a request of the bar; returns whether a playhead can do it. */
    answer(message) {
      const heard = Number(message?.when) || stand.heard;
      if (message?.do === "seek") verbs.seek(message.at, heard);
      else if (message?.do === "play") verbs.play({ speed: message.speed, at: message.at, heard });
      else if (message?.do === "pause") verbs.pause(heard);
      else if (message?.do === "pace") verbs.pace(message.speed, heard);
      else if (message?.do === "live") {
        verbs.pause(heard);
        verbs.seek(seconds, heard);
      } else return false;
      return true;
    },
    /** Stops all further moves. */
    end() {
      if (frame !== null) time.cancel(frame);
      frame = null;
    },
  };
}
