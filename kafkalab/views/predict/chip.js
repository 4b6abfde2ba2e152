// The chip: draws a partition in its colour, or any other thing that can be put into a place.

import { el, partitionColour, partitionInk } from "../shared.js";

/** sign → [mark, words for screen readers] @type {Record<string, [string, string]>} */
export const SIGNS = { right: ["✓", "right"], wrong: ["✗", "you said so, and it was not"], missing: ["◌", "it was so, and you did not say it"], was: ["", "it was so"] };

/**
 * Draws the face of a chip; `sign` is set after the comparison.
 * @param {{ name: string, hue: number | null }} chip @param {string} [sign]
 */
export function face(chip, sign) {
  const hue = chip.hue;
  const colours = hue === null ? {} : { "--kl-c": partitionColour(hue), "--kl-on": partitionInk(hue) };
  return el("span", { class: `kl-predict-face${hue === null ? "" : " kl-hued"}${sign ? ` kl-is-${sign}` : ""}`, style: colours },
    sign && SIGNS[sign][0] ? el("span", { class: "kl-predict-sign", "aria-hidden": "true" }, SIGNS[sign][0]) : null,
    el("bdi", {}, chip.name || "(empty)"));
}
