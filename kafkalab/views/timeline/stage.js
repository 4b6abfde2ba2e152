// The stage of the time line: draws lanes of signs, the slider, its axis, and the strip of the cluster's health, on one scale.

import { count, el, kindOf, scaleOf } from "../shared.js";
import { axis, corners, crowded, moment, momentAt, place, said, sentence, shown, stepAt, whole } from "./moments.js";

/** @typedef {import("./picture").Picture} State */
/** @typedef {import("./moments.js").Zoom} Zoom */
/** @typedef {import("./moments.js").Shown} Shown */

const LANES = /** @type {[string, string][]} */ ([["you", "you"], ["brokers", "brokers"], ["partitions", "partitions"], ["groups", "groups"]]);

/** @param {{ to(at: number, dragging: boolean): void, dropped(): void, key(event: KeyboardEvent): void, zoom(factor: number, at: number, now: Shown): void, tip(text: string | null): void }} tools */
export function stage(tools) {
  const lanes = Object.fromEntries(LANES.map(([lane]) => [lane, el("div", { class: "kl-tl-lane", "data-lane": lane })]));
  const names = Object.fromEntries(LANES.map(([lane, name]) => [lane, el("span", { class: "kl-tl-lane" }, name)]));
  const values = Object.fromEntries(LANES.map(([lane]) => [lane, el("span", { class: "kl-tl-lane kl-mono" })]));
  const done = el("div", { class: "kl-tl-done" });
  const known = el("div", { class: "kl-tl-known" });
  const thumb = el("div", { class: "kl-tl-thumb" });
  const slider = el("div", { class: "kl-tl-slider", role: "slider", tabindex: "0", "aria-label": "moment of the recording", "aria-valuemin": "0", onkeydown: tools.key },
    known, done, thumb);
  const scale = el("div", { class: "kl-tl-axis", "aria-hidden": "true" });
  const health = strip();
  const line = el("div", { class: "kl-tl-line", "aria-hidden": "true" });
  const ghost = el("div", { class: "kl-tl-ghost", "aria-hidden": "true" });
  const view = el("div", { class: "kl-tl-sight" });
  const over = el("div", { class: "kl-tl-over", "aria-hidden": "true", title: "the whole recording; what is drawn above is marked" }, view);
  const plot = el("div", { class: "kl-tl-plot" },
    LANES.map(([lane]) => lanes[lane]), slider, scale, health.plot, over, ghost, line);
  const length = el("span", { class: "kl-tl-slider kl-mono" });
  const root = el("div", { class: "kl-tl-stage" },
    el("div", { class: "kl-tl-names", "aria-hidden": "true" }, LANES.map(([lane]) => names[lane]), el("span", { class: "kl-tl-slider" }, "moment"), el("span", { class: "kl-tl-axis" }), health.names),
    plot,
    el("div", { class: "kl-tl-values" }, LANES.map(([lane]) => values[lane]), length, el("span", { class: "kl-tl-axis" }), health.values));

  /** @type {State} */ let state;
  /** @type {Zoom} */ let zoom = { span: null, end: 0 };
  /** @type {Shown} */ let now = { from: 0, to: 1 };
  /** The values from which the signs and the axis were drawn. @type {any[]} */ let drawn = [];
  /** @type {{ at: number, kind: string, text: string }[]} */ let marks = [];
  let dragging = false;

  const share = (/** @type {number} */ x, /** @type {Element} */ box) => {
    const { left, width } = box.getBoundingClientRect();
    return Math.min(1, Math.max(0, (x - left) / Math.max(1, width)));
  };
  const under = (/** @type {PointerEvent} */ event) => momentAt(now, share(event.clientX, plot), state.seconds);

  plot.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    const target = /** @type {HTMLElement} */ (event.target);
    slider.focus({ preventScroll: true });
    event.preventDefault();
    const tick = target.closest("[data-at]");
    if (tick) return tools.to(Number(/** @type {HTMLElement} */ (tick).dataset.at), false);
    if (over.contains(target)) return tools.to(share(event.clientX, over) * whole(state.seconds, state.going), false);
    dragging = true;
    plot.setPointerCapture(event.pointerId);
    return tools.to(under(event), true);
  });
  plot.addEventListener("pointermove", (event) => {
    if (dragging) return tools.to(under(event), true);
    const tick = /** @type {HTMLElement | null} */ (/** @type {HTMLElement} */ (event.target).closest("[data-at]"));
    const at = tick ? Number(tick.dataset.at) : under(event);
    ghost.style.left = `${place(now, at) * 100}%`;
    ghost.hidden = over.contains(/** @type {Node} */ (event.target));
    return tools.tip(tick ? tick.getAttribute("title") : null);
  });
  plot.addEventListener("pointerleave", () => {
    ghost.hidden = true;
    tools.tip(null);
  });
  const drop = () => {
    if (!dragging) return;
    dragging = false;
    tools.dropped();
  };
  plot.addEventListener("pointerup", drop);
  plot.addEventListener("pointercancel", drop);
  // With Ctrl, as on a map, because the wheel alone scrolls the page.
  plot.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    tools.zoom(event.deltaY > 0 ? 1.3 : 1 / 1.3, momentAt(now, share(event.clientX, plot), state.seconds), now);
  }, { passive: false });
  ghost.hidden = true;
  const resized = new ResizeObserver(() => state && draw(state, zoom));
  resized.observe(plot);

  function drawSigns(/** @type {number} */ width, /** @type {number} */ k) {
    const ticks = crowded(marks, now, width, k);
    for (const [lane] of LANES) {
      const mine = ticks.filter((t) => t.lane === lane);
      lanes[lane].replaceChildren(...mine.map(tickOf));
      const none = !marks.some((m) => kindOf(m.kind).lane === lane);
      for (const part of [lanes[lane], names[lane], values[lane]]) part.hidden = none && lane === "groups";
    }
  }
  /** @param {import("./moments.js").Tick} tick */
  function tickOf(tick) {
    const { sign, tone } = kindOf(tick.kind);
    const first = /** @type {any} */ (marks[tick.first]);
    const title = tick.count === 1 ? sentence(first) : `${tick.count} here, first: ${sentence(first)}`;
    return el("span", { class: `kl-tl-tick kl-tone-${tone}`, style: { left: `${place(now, tick.at) * 100}%` }, "data-at": tick.at, "data-kind": tick.kind, title },
      sign, tick.count > 1 ? el("small", {}, tick.count > 99 ? "99" : tick.count) : null);
  }
  function drawAxis(/** @type {number} */ width, /** @type {number} */ k) {
    const { step, at } = axis(now, width, 56 * k);
    scale.replaceChildren(...at.map((t) => {
      const x = place(now, t);
      const edge = x * width < 16 * k ? "kl-tl-first" : (1 - x) * width < 16 * k ? "kl-tl-last" : "";
      return el("span", { class: edge, style: { left: `${x * 100}%` } }, moment(t, step < 1 ? 1 : 0));
    }));
  }

  /** @param {State} next @param {Zoom} wanted @returns {Zoom} the zoom, moved along with the playhead */
  function draw(next, wanted) {
    state = next;
    const width = plot.clientWidth;
    const k = scaleOf(root);
    if (!dragging || wanted.span !== zoom.span) now = shown(wanted, state);
    zoom = { span: wanted.span, end: now.to };
    if (drawn[0] !== state.events || drawn[1] !== state.named) {
      marks = [...state.events, ...state.named.map((n) => ({ at: n.at, since: null, kind: "named", text: `★ ${n.name}` }))].sort((a, b) => a.at - b.at);
    }
    const key = [state.events, state.named, now.from, now.to, width, k];
    if (key.some((part, i) => part !== drawn[i])) {
      drawn = key;
      drawSigns(width, k);
      drawAxis(width, k);
    }
    health.draw(state, now, width);
    const part = (/** @type {number} */ at) => `${Math.min(100, Math.max(0, place(now, at) * 100))}%`;
    const from = place(now, 0) < 0 ? "0%" : part(0);
    known.style.left = from;
    known.style.width = `calc(${part(state.seconds)} - ${from})`;
    done.style.width = part(state.at);
    thumb.style.left = line.style.left = part(state.at);
    length.textContent = moment(state.seconds, 0);
    over.hidden = zoom.span === null;
    const all = whole(state.seconds, state.going);
    view.style.left = `${(now.from / all) * 100}%`;
    view.style.width = `${((now.to - now.from) / all) * 100}%`;
    slider.setAttribute("aria-valuemax", state.seconds.toFixed(3));
    slider.setAttribute("aria-valuenow", state.at.toFixed(3));
    slider.setAttribute("aria-valuetext", said(state));
    return zoom;
  }
  return { root, slider, draw, get now() { return now; }, get dragging() { return dragging; }, end: () => resized.disconnect() };
}

// --- The strip under the slider: draws brokers up, under-replicated and leaderless partitions, and the lag, over time.

/** @typedef {{ key: keyof import("./picture").Strips, name: string, value: (row: any) => number | null, words: (row: any, most: number) => string, about: string, bad: boolean }} Row */

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

function strip() {
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
    /** @param {State} state @param {import("./moments.js").Shown} now @param {number} width */
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
  // The picture is stretched in height, so patterns are drawn for a row of 20 pixels with 100 units.
  const ink = { /** @type {string} */ brokers: "bad", leaderless: "bad", short: "warn", lag: "accent" }[key];
  const d = { brokers: "M-1 5L1 -5M0 30L6 0M5 35L7 25", leaderless: "M0 0L6 30M6 0L0 30", short: "M1.5 0V30", lag: "" }[key];
  /** @type {SVGElement[]} */
  const parts = [el("rect", { width: 6, height: 30, fill: `var(--kl-${ink})`, "fill-opacity": key === "lag" ? 0.28 : 0.16 })];
  if (d) parts.push(el("path", { d, stroke: `var(--kl-${ink})`, "stroke-width": 1.4, fill: "none", "vector-effect": "non-scaling-stroke" }));
  return el("pattern", { id, width: 6, height: 30, patternUnits: "userSpaceOnUse" }, parts);
}
