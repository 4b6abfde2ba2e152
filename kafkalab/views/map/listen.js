// The input of the map: listens to pointer, wheel and keys, and calls the view.

/**
 * Adds the listeners to the canvas.
 * @param {any} map the view, with its canvas, its viewport as `view`, and its actions
 */
export function listen(map) {
  const { canvas, view } = map;
  /** @type {{ x: number, y: number, moved: boolean } | null} */ let held = null;
  const at = (/** @type {MouseEvent} */ event) => { const box = canvas.getBoundingClientRect(); return [event.clientX - box.left, event.clientY - box.top]; };
  const on = (/** @type {string} */ name, /** @type {(event: any, x: number, y: number) => any} */ fn, /** @type {any} */ options = undefined) =>
    canvas.addEventListener(name, (/** @type {MouseEvent} */ event) => map.guard(() => fn(event, ...(/** @type {[number, number]} */ (at(event))))), options);
  on("pointerdown", (event, x, y) => { held = { x, y, moved: false }; canvas.setPointerCapture(event.pointerId); });
  on("pointermove", (event, x, y) => {
    if (held === null) return map.hover(x, y);
    if (!held.moved && Math.hypot(x - held.x, y - held.y) < 4) return undefined;
    const { x: fromX, y: fromY } = held;
    map.letGo();
    map.look(() => view.pan(x - fromX, y - fromY));
    held = { x, y, moved: true };
    return map.hover(-99, -99);
  });
  on("pointerup", (event, x, y) => {
    if (held !== null && !held.moved) map.select(map.nearest(x, y));
    held = null;
  });
  on("pointercancel", () => { held = null; });
  on("pointerleave", () => map.hover(-99, -99));
  on("dblclick", (event, x, y) => map.look(() => view.zoomBy(2, x, y)));
  // The wheel scrolls the page, unless the map has the focus or the gesture is a pinch.
  on("wheel", (event, x, y) => {
    if (!event.ctrlKey && document.activeElement !== canvas && canvas.getRootNode().activeElement !== canvas) return;
    event.preventDefault();
    map.look(() => view.zoomBy(Math.exp(-event.deltaY * 0.0022), x, y));
  }, { passive: false });
  on("keydown", (event) => key(map, event));
}

/** @param {any} map @param {KeyboardEvent} event */
function key(map, event) {
  const { view } = map, across = 0.14 * view.width, down = 0.14 * view.height;
  const pan = (/** @type {number} */ dx, /** @type {number} */ dy) => () => { map.letGo(); view.pan(dx, dy); };
  /** @type {Record<string, () => any>} */
  const keys = {
    ArrowLeft: pan(across, 0), ArrowRight: pan(-across, 0), ArrowUp: pan(0, down), ArrowDown: pan(0, -down),
    "+": () => view.zoomBy(1.6), "=": () => view.zoomBy(1.6), "-": () => view.zoomBy(1 / 1.6), "0": () => { map.letGo(); view.reset(); },
    n: () => map.step(1), p: () => map.step(-1), f: () => map.follow(!map.following), c: () => map.nextColour(),
    Escape: () => (map.following ? map.letGo() : map.select(-1)),
  };
  const act = keys[event.key] ?? keys[event.key.toLowerCase()];
  if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  event.stopPropagation();
  map.look(act);
}
