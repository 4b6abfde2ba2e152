// A playhead for pages without a kernel: answers the bar's requests, as kafkalab/history/recording.py does in Python.

/** @typedef {{ at: number, playing: boolean, speed: number, live: boolean, heard: number }} Stand the part of a bar's state that comes from the playhead */
/** @typedef {{ now(): number, frame(f: () => void): number, cancel(id: number): void }} Time a clock in milliseconds, and callbacks before the next frame */

const SLOWEST = 0.05;
const FASTEST = 1000;

/** @type {() => Time} */
const browser = () => ({ now: () => performance.now(), frame: (f) => requestAnimationFrame(f), cancel: (id) => cancelAnimationFrame(id) });

/** Returns a playhead at a moment between 0 and `seconds`; it calls `moved` after each move with its state. While it plays it
 * moves once a frame, by the time that really passed: a page in the background catches up in one step.
 * @param {{ seconds: number, at?: number, speed?: number, moved: (stand: Stand) => void, time?: Time }} options */
export function playhead({ seconds, at = 0, speed = 1, moved, time = browser() }) {
  let stand = { at: within(at), playing: false, speed, live: false, heard: 0 };
  let stepped = 0;
  /** @type {number | null} */ let frame = null;

  function within(/** @type {unknown} */ value) {
    const moment = Number(value);
    return Number.isFinite(moment) ? Math.min(Math.max(0, moment), seconds) : 0;
  }
  function move(/** @type {Partial<Stand>} */ change) {
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
    /** Goes to a moment, and plays on from there if it was playing. @param {number} moment @param {number} [heard] */
    seek(moment, heard = stand.heard) {
      stepped = time.now();
      move({ at: within(moment), heard });
    },
    /** Plays from here, or from a moment; at the end it starts over. @param {{ speed?: number, at?: number, heard?: number }} [how] */
    play({ speed: wanted = stand.speed, at: from = stand.at, heard = stand.heard } = {}) {
      stepped = time.now();
      const fast = Number.isFinite(Number(wanted)) ? Math.min(FASTEST, Math.max(SLOWEST, Number(wanted))) : stand.speed;
      const begin = within(from);
      move({ at: begin >= seconds ? 0 : begin, speed: fast, playing: true, heard });
    },
    /** @param {number} [heard] */
    pause(heard = stand.heard) {
      move({ playing: false, heard });
    },
    /** Sets the speed, for now or for the next time. @param {number} wanted @param {number} [heard] */
    pace(wanted, heard = stand.heard) {
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
