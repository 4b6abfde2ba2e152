// The patterns of StreamView: give each phase of a batch a hatching besides its colour, so that none depends on colour alone.
import { svg } from "./plot.js";

/** Lines in a tile of 6 × 6, by the name of the pattern; "" is plain. */
const LINES = {
  latestOffset: "M0 0L6 6M-1 5L1 7M5 -1L7 1",
  getBatch: "M0 3H6",
  queryPlanning: "M3 0V6",
  walCommit: "M0 6L6 0M-1 1L1 -1M5 7L7 5",
  addBatch: "",
  commitOffsets: "M0 6L6 0M-1 1L1 -1M5 7L7 5M0 0L6 6M-1 5L1 7M5 -1L7 1",
  other: "M1 1h1M4 4h1",
  over: "M0 6L6 0M-1 1L1 -1M5 7L7 5",
  updated: "",
  removed: "M0 0L6 6M-1 5L1 7M5 -1L7 1",
};

/** Returns an invisible SVG with the patterns, and a function for their names: hatch("addBatch") → "url(#…)". */
export function hatches() {
  const id = `kl-st-${Math.random().toString(36).slice(2)}`;
  const patterns = Object.entries(LINES).map(([name, lines]) =>
    svg("pattern", { id: `${id}-${name}`, width: 6, height: 6, patternUnits: "userSpaceOnUse", class: `kl-st-hatch-${name}` },
      svg("rect", { width: 6, height: 6, class: "kl-st-hatch-ground" }), svg("path", { d: lines, class: "kl-st-hatch-lines" })));
  const node = svg("svg", { class: "kl-st-defs", width: 0, height: 0, "aria-hidden": "true" }, svg("defs", {}, ...patterns));
  return { node, hatch: (/** @type {string} */ name) => `url(#${id}-${name})` };
}
