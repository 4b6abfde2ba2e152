// The pace of a recording's page: decides how often its views are drawn while it plays. On a slow machine they skip frames, so
// that the time line, which moves with every frame, stays smooth.

/** Milliseconds above which a frame is noticed as a jerk. */
const SMOOTH = 24;
/** Maximum number of frames that pass between two drawings. */
const FEWEST = 5;

/** @param now milliseconds */
export function pacer(now: () => number = () => performance.now()) {
  let last = now();
  let passed = 0; // frames since the views were drawn
  let slow = 0; // average milliseconds of a frame in which the views are drawn

  /** Returns whether the views have to be drawn in this frame. */
  return (playing: boolean) => {
    const took = now() - last;
    last += took;
    // The cost of drawing is only known when the next frame comes. A pause does not count as a cost.
    if (passed === 0 && took < 1000) slow = 0.7 * slow + 0.3 * took;
    if (playing && passed < Math.min(FEWEST, Math.floor(slow / SMOOTH))) {
      passed++;
      return false;
    }
    passed = 0;
    return true;
  };
}
