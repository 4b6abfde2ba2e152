// Panning: moves along the lanes by dragging or with a sideways wheel, and zooms with Ctrl and the wheel.

/**
 * @param {HTMLElement} grid
 * @param {{ shift(pixels: number): void, zoom(by: number, x: number): void }} does
 * @returns {() => void} stops it
 */
export function pan(grid, does) {
  /** @type {{ id: number, x: number, moving: boolean } | null} */ let held = null;
  const track = (/** @type {Event} */ event) => /** @type {HTMLElement | null} */ (/** @type {HTMLElement} */ (event.target).closest(".kl-log-track"));
  const down = (/** @type {PointerEvent} */ event) => {
    if (event.button === 0 && track(event)) held = { id: event.pointerId, x: event.clientX, moving: false };
  };
  const moved = (/** @type {PointerEvent} */ event) => {
    if (!held || event.pointerId !== held.id) return;
    const by = held.x - event.clientX;
    // A click in which the hand trembled is not a drag.
    if (!held.moving && Math.abs(by) < 5) return;
    if (!held.moving) grid.setPointerCapture?.(event.pointerId);
    held.moving = true;
    held.x = event.clientX;
    does.shift(by);
  };
  const up = () => (held = null);
  const wheel = (/** @type {WheelEvent} */ event) => {
    const on = track(event);
    if (!on) return;
    if (event.ctrlKey) {
      event.preventDefault();
      if (Math.abs(event.deltaY) > 2) does.zoom(Math.sign(event.deltaY), event.clientX - on.getBoundingClientRect().left);
      return;
    }
    // Vertical scrolling belongs to the page.
    const along = event.shiftKey ? event.deltaX || event.deltaY : Math.abs(event.deltaX) > Math.abs(event.deltaY) ? event.deltaX : 0;
    if (!along) return;
    event.preventDefault();
    does.shift(along);
  };
  const listeners = /** @type {[string, any][]} */ ([["pointerdown", down], ["pointermove", moved], ["pointerup", up], ["pointercancel", up]]);
  for (const [name, listener] of listeners) grid.addEventListener(name, listener);
  grid.addEventListener("wheel", wheel, { passive: false });
  return () => {
    for (const [name, listener] of listeners) grid.removeEventListener(name, listener);
    grid.removeEventListener("wheel", wheel);
  };
}
