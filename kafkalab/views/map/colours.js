// The theme's colours for a canvas, which knows neither CSS variables nor color-mix: reads them from a probe, an element
// inside the view, for which the style sheet works them out.
import { el, partitionColour, partitionInk } from "../shared.js";
import { markShape } from "./marks.js";
import { NO_PARTITION } from "./looks.js";

/** @param {HTMLElement} root */
export function readColours(root) {
  const probe = el("span", { hidden: true });
  root.append(probe);
  const cache = new Map();
  const read = (/** @type {string} */ value) => {
    if (!cache.has(value)) { probe.style.color = value; cache.set(value, getComputedStyle(probe).color); }
    return cache.get(value);
  };
  const [sea, land, coast, border, road, city] = ["sea", "land", "coast", "border", "road", "city"].map((name) => read(`var(--kl-map-${name})`));
  const hues = Array.from({ length: 12 }, (_, i) => [read(partitionColour(i)), read(partitionInk(i))]);
  const speed = Array.from({ length: 5 }, (_, i) => read(`var(--kl-map-v${i})`));
  const [soft, ink, accent] = ["--kl-soft", "--kl-ink", "--kl-accent"].map((name) => read(`var(${name})`));
  probe.remove();
  return {
    sea, land, coast, border, road, city, ink, accent, soft, speed,
    font: getComputedStyle(root).fontFamily,
    key: [...cache.values()].join(),
    of: (/** @type {number} */ p) => (p === NO_PARTITION || p < 0 ? soft : hues[p % 12][0]),
    /** The colour of text on the mark of a partition: a hollow mark shows the ground inside, so the text has the hue. */
    on: (/** @type {number} */ p) => (p === NO_PARTITION || p < 0 ? ink : markShape(p).filled ? hues[p % 12][1] : hues[p % 12][0]),
    /** The colour of text on a disc filled with the hue. */
    onDisc: (/** @type {number} */ p) => hues[p % 12][1],
  };
}
