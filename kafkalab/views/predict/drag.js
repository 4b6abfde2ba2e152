// Dragging: moves a chip with mouse, pen or finger, by pointer events, because the browser's own drag and drop knows no touch.

const FAR = 5; // pixels that a press must move to become a drag

/**
 * @param {HTMLElement} root the element with the chips (data-chip, data-place) and the places (data-here)
 * @param {{ begun: () => void, dropped: (chip: number, from: number, to: number) => void }} tools
 */
export function dragging(root, { begun, dropped }) {
  /** @type {{ node: HTMLElement, id: number, x: number, y: number, ghost: HTMLElement | null, over: HTMLElement | null } | null} */
  let now = null;
  let dragged = false; // true after a drop, because the browser then sends a click that must be ignored

  function place(/** @type {PointerEvent} */ event) {
    const under = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-here]");
    return under && root.contains(under) ? /** @type {HTMLElement} */ (under) : null;
  }

  function start(/** @type {PointerEvent} */ event) {
    dragged = false;
    const node = /** @type {HTMLElement | null} */ (/** @type {HTMLElement} */ (event.target).closest("button.kl-predict-chip"));
    if (node && event.button === 0 && event.isPrimary) now = { node, id: event.pointerId, x: event.clientX, y: event.clientY, ghost: null, over: null };
  }

  function move(/** @type {PointerEvent} */ event) {
    if (!now || event.pointerId !== now.id) return;
    if (!now.ghost) {
      if (Math.hypot(event.clientX - now.x, event.clientY - now.y) < FAR) return;
      begun();
      // begun() puts down the chip that was carried, and so draws all chips again.
      const { chip, place: from } = now.node.dataset;
      now.node = root.querySelector(`button[data-chip="${chip}"][data-place="${from}"]`) ?? now.node;
      now.ghost = /** @type {HTMLElement} */ (now.node.firstElementChild?.cloneNode(true));
      now.ghost.classList.add("kl-predict-ghost");
      now.ghost.setAttribute("aria-hidden", "true");
      root.append(now.ghost);
      now.node.classList.add("kl-dragged");
    }
    event.preventDefault();
    const base = root.getBoundingClientRect();
    now.ghost.style.left = `${event.clientX - base.left}px`;
    now.ghost.style.top = `${event.clientY - base.top}px`;
    const over = place(event);
    if (over !== now.over) {
      now.over?.classList.remove("kl-over");
      over?.classList.add("kl-over");
      now.over = over;
    }
  }

  function stop(/** @type {PointerEvent} */ event) {
    if (!now || event.pointerId !== now.id) return;
    const { node, ghost } = now;
    const to = event.type === "pointerup" && ghost ? place(event) : null;
    now.over?.classList.remove("kl-over");
    ghost?.remove();
    node.classList.remove("kl-dragged");
    now = null;
    dragged = ghost !== null;
    if (to) dropped(Number(node.dataset.chip), Number(node.dataset.place), Number(to.dataset.here));
  }

  root.addEventListener("pointerdown", start);
  document.addEventListener("pointermove", move);
  document.addEventListener("pointerup", stop);
  document.addEventListener("pointercancel", stop);
  return {
    justDropped: () => dragged,
    end() {
      document.removeEventListener("pointermove", move);
      document.removeEventListener("pointerup", stop);
      document.removeEventListener("pointercancel", stop);
    },
  };
}
