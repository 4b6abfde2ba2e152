// How often the views of a recording's page are drawn while it plays: as often as the machine can, so that the time line, which
// moves with every frame, stays smooth.

/** A frame that took longer than this is missed by the eye, milliseconds. */
const SMOOTH = 24;
/** So many frames at most pass between two drawings. */
const FEWEST = 5;

/** @param {() => number} now milliseconds */
export function pacer(now = () => performance.now()) {
  let last = now();
  let passed = 0; // frames since the views were drawn
  let slow = 0; // what a frame takes in which they are

  /** Whether the views are to be drawn in this frame. @param {boolean} playing */
  return (playing) => {
    const took = now() - last;
    last += took;
    // What drawing cost is seen when the next frame comes. A pause is no cost.
    if (passed === 0 && took < 1000) slow = 0.7 * slow + 0.3 * took;
    if (playing && passed < Math.min(FEWEST, Math.floor(slow / SMOOTH))) {
      passed++;
      return false;
    }
    passed = 0;
    return true;
  };
}
