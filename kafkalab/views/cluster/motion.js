// The flight of a crown: when a partition gets another leader, its crown moves from the old broker to the new one.

import { el, partitionColour, reducedMotion } from "../shared.js";
import { crownsMoved } from "./picture.js";
import { sign } from "./signs.js";

const FLIGHT_MS = 600;
const FLIGHTS = 60;

/** Returns a function to call after each drawing. @param {any} page */
export function crowns(page) {
  /** @type {Map<string, number>} */
  const led = new Map();
  return (/** @type {any} */ state, /** @type {any} */ before) => {
    const moved = crownsMoved(led, state, before).slice(0, FLIGHTS);
    if (!moved.length || reducedMotion()) return;
    /** @type {Map<string, any>} */
    const chips = new Map([...page.querySelectorAll("[data-chip]")].map((node) => [node.dataset.chip, node]));
    const origin = page.getBoundingClientRect();
    // All places are measured before anything is added to the page: measuring in between would force a layout each time.
    const flights = moved.map(({ key, partition, from, to }) =>
      ({ partition, from: chips.get(`${key}/${from}`)?.getBoundingClientRect(), to: chips.get(`${key}/${to}`)?.getBoundingClientRect() }));
    // A page in the background has no layout, so there is nothing to fly between.
    for (const { partition, from, to } of flights) if (from?.width && to?.width) fly(page, origin, from, to, partition);
  };
}

/** @param {any} page @param {DOMRect} origin @param {DOMRect} from @param {DOMRect} to @param {number} partition */
function fly(page, origin, from, to, partition) {
  const crown = el("span", {
    class: "kl-flight",
    "aria-hidden": "true",
    style: { left: `${from.left - origin.left}px`, top: `${from.top - origin.top}px`, color: partitionColour(partition) },
  }, sign("leader"));
  page.append(crown);
  const [x, y] = [to.left - from.left, to.top - from.top];
  crown.animate(
    [
      { transform: "translate(0, 0) scale(1)", opacity: 1 },
      { transform: `translate(${x / 2}px, ${y / 2 - 22}px) scale(1.9)`, opacity: 1, offset: 0.5 },
      { transform: `translate(${x}px, ${y}px) scale(1)`, opacity: 1 },
    ],
    { duration: FLIGHT_MS, easing: "cubic-bezier(.4, 0, .2, 1)" },
  ).finished.then(() => crown.remove(), () => crown.remove());
}
