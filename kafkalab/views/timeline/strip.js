// The strip under the slider: draws brokers up, under-replicated and leaderless partitions, and the lag, over time.
import { count, el } from "../shared.js";
import { corners, place } from "./scale.js";
import { stepAt } from "./words.js";

/** @typedef {import("./words.js").State} State */
/** @typedef {{ key: keyof import("./words.js").Steps, name: string, value: (row: any) => number | null, words: (row: any, most: number) => string, about: string, bad: boolean }} Row */

/** @type {Row[]} */
const ROWS = [
  { key: "brokers", name: "brokers up", value: (row) => row[2] - row[1], words: (row) => `${row[1]}/${row[2]}`, about: "hatched: brokers that are down", bad: true },
  { key: "leaderless", name: "no leader", value: (row) => row[1], words: (row) => count(row[1]), about: "partitions without a leader: neither read nor written", bad: true },
  { key: "short", name: "under-replicated", value: (row) => row[1], words: (row) => count(row[1]), about: "partitions that lack replicas in the ISR", bad: false },
  { key: "lag", name: "lag", value: (row) => row[1], words: (row) => (row[1] === null ? "–" : count(row[1])), about: "records that all groups have still to read", bad: false },
];
/** Height of a row in its own units, whatever its height in pixels. */
const HIGH = 100;

let made = 0;

export function strip() {
  const id = `kl-tl-${++made}-${Math.random().toString(36).slice(2, 7)}`;
  const rows = ROWS.map((row) => {
    const area = el("path", { class: "kl-tl-area", fill: `url(#${id}-${row.key})` });
    const edge = el("path", { class: "kl-tl-edge" });
    const pattern = hatch(`${id}-${row.key}`, row.key);
    const well = row.key === "brokers" ? el("rect", { class: "kl-tl-well", y: 4, height: HIGH - 4 }) : null;
    const picture = el("svg", { class: "kl-tl-strip", "data-row": row.key, preserveAspectRatio: "none", "aria-hidden": "true" }, pattern, well, area, edge);
    const value = el("span", { class: "kl-tl-strip kl-mono", "data-row": row.key });
    return { row, area, edge, well, picture, value, name: el("span", { class: "kl-tl-strip", title: row.about }, row.name), drawn: /** @type {any[]} */ ([]) };
  });

  return {
    names: rows.map((r) => r.name),
    plot: rows.map((r) => r.picture),
    values: rows.map((r) => r.value),
    /** @param {State} state @param {import("./scale.js").Shown} now @param {number} width */
    draw(state, now, width) {
      for (const r of rows) {
        const steps = /** @type {[number, ...any[]][]} */ (state.steps[r.row.key]);
        const row = stepAt(steps, state.at);
        const text = row ? r.row.words(row, 0) : "–";
        if (r.value.textContent !== text) r.value.textContent = text;
        const wrong = Boolean(row && r.row.key !== "lag" && r.row.value(row));
        r.value.classList.toggle("kl-tone-bad", wrong && r.row.bad);
        r.value.classList.toggle("kl-tone-warn", wrong && !r.row.bad);
        const key = [steps, now.from, now.to, width, Math.min(state.seconds, now.to)];
        if (key.every((part, i) => part === r.drawn[i])) continue;
        r.drawn = key;
        // A value of 0 is not drawn, because nothing is wrong then; only a lag of 0 is.
        const pieces = corners(steps, now, width, state.seconds, (row) => r.row.value(row) || (r.row.key === "lag" ? r.row.value(row) : null));
        if (r.well) {
          const [from, to] = [Math.max(0, place(now, 0)) * width, Math.min(1, place(now, state.seconds)) * width];
          r.well.setAttribute("x", String(from));
          r.well.setAttribute("width", String(steps.length ? Math.max(0, to - from) : 0));
        }
        const most = r.row.key === "brokers" ? Math.max(1, ...steps.map((s) => s[2])) : Math.max(1, ...pieces.flat().map((c) => c[1]));
        r.picture.setAttribute("viewBox", `0 0 ${Math.max(1, width)} ${HIGH}`);
        // Missing brokers hang from the top; the other rows stand on the ground.
        const hangs = r.row.key === "brokers";
        const y = (/** @type {number} */ v) => (hangs ? 4 + (v / most) * (HIGH - 4) : HIGH - 4 - (v / most) * (HIGH - 12));
        const path = (/** @type {[number, number][]} */ piece) => piece.map(([x, v], i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y(v).toFixed(1)}`).join("");
        const ground = hangs ? 4 : HIGH;
        r.area.setAttribute("d", pieces.map((p) => `${path(p)}L${p[p.length - 1][0].toFixed(1)} ${ground}L${p[0][0].toFixed(1)} ${ground}Z`).join(""));
        r.edge.setAttribute("d", pieces.map(path).join(""));
      }
    },
  };
}

/** Returns the pattern of a row, because rows must differ in more than their colour. @param {string} id @param {string} key */
function hatch(id, key) {
  const node = (/** @type {string} */ tag, /** @type {Record<string, any>} */ attrs, /** @type {Node[]} */ ...children) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attrs)) made.setAttribute(name, String(value));
    made.append(...children);
    return made;
  };
  // The picture is stretched in height, so patterns are drawn for a row of 20 pixels with 100 units.
  const ink = { /** @type {string} */ brokers: "bad", leaderless: "bad", short: "warn", lag: "accent" }[key];
  const d = { brokers: "M-1 5L1 -5M0 30L6 0M5 35L7 25", leaderless: "M0 0L6 30M6 0L0 30", short: "M1.5 0V30", lag: "" }[key];
  const parts = [node("rect", { width: 6, height: 30, fill: `var(--kl-${ink})`, "fill-opacity": key === "lag" ? 0.28 : 0.16 })];
  if (d) parts.push(node("path", { d, stroke: `var(--kl-${ink})`, "stroke-width": 1.4, fill: "none", "vector-effect": "non-scaling-stroke" }));
  return node("pattern", { id, width: 6, height: 30, patternUnits: "userSpaceOnUse" }, ...parts);
}
