// The stage of the time line: draws lanes of signs, the slider, its axis, and the strip of the cluster's health, on one scale.

import { count, el, kindOf, scaleOf } from "../shared.ts";
import { axis, corners, crowded, moment, momentAt, place, said, sentence, shown, stepAt, whole } from "./moments.ts";
import type { Shown, Tick, Zoom } from "./moments.ts";
import type { Picture as State, Strips } from "./picture";

const LANES = [["you", "you"], ["brokers", "brokers"], ["partitions", "partitions"], ["groups", "groups"]] as [string, string][];

export function stage(tools: { to(at: number, dragging: boolean): void; dropped(): void; key(event: KeyboardEvent): void; zoom(factor: number, at: number, now: Shown): void; tip(text: string | null): void }) {
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

  let state: State;
  let zoom: Zoom = { span: null, end: 0 };
  let now: Shown = { from: 0, to: 1 };
  /** The values from which the signs and the axis were drawn. */ let drawn: any[] = [];
  let marks: { at: number; kind: string; text: string }[] = [];
  let dragging = false;

  const share = (x: number, box: Element) => {
    const { left, width } = box.getBoundingClientRect();
    return Math.min(1, Math.max(0, (x - left) / Math.max(1, width)));
  };
  const under = (event: PointerEvent) => momentAt(now, share(event.clientX, plot), state.seconds);

  plot.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    const target = event.target as HTMLElement;
    slider.focus({ preventScroll: true });
    event.preventDefault();
    const tick = target.closest("[data-at]");
    if (tick) return tools.to(Number((tick as HTMLElement).dataset.at), false);
    if (over.contains(target)) return tools.to(share(event.clientX, over) * whole(state.seconds, state.going), false);
    dragging = true;
    plot.setPointerCapture(event.pointerId);
    return tools.to(under(event), true);
  });
  plot.addEventListener("pointermove", (event) => {
    if (dragging) return tools.to(under(event), true);
    const tick = (event.target as HTMLElement).closest("[data-at]") as HTMLElement | null;
    const at = tick ? Number(tick.dataset.at) : under(event);
    ghost.style.left = `${place(now, at) * 100}%`;
    ghost.hidden = over.contains(event.target as Node);
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

  function drawSigns(width: number, k: number) {
    const ticks = crowded(marks, now, width, k);
    for (const [lane] of LANES) {
      const mine = ticks.filter((t) => t.lane === lane);
      lanes[lane].replaceChildren(...mine.map(tickOf));
      const none = !marks.some((m) => kindOf(m.kind).lane === lane);
      for (const part of [lanes[lane], names[lane], values[lane]]) part.hidden = none && lane === "groups";
    }
  }
  function tickOf(tick: Tick) {
    const { sign, tone } = kindOf(tick.kind);
    const first = marks[tick.first] as any;
    const title = tick.count === 1 ? sentence(first) : `${tick.count} here, first: ${sentence(first)}`;
    return el("span", { class: `kl-tl-tick kl-tone-${tone}`, style: { left: `${place(now, tick.at) * 100}%` }, "data-at": tick.at, "data-kind": tick.kind, title },
      sign, tick.count > 1 ? el("small", {}, tick.count > 99 ? "99" : tick.count) : null);
  }
  function drawAxis(width: number, k: number) {
    const { step, at } = axis(now, width, 56 * k);
    scale.replaceChildren(...at.map((t) => {
      const x = place(now, t);
      const edge = x * width < 16 * k ? "kl-tl-first" : (1 - x) * width < 16 * k ? "kl-tl-last" : "";
      return el("span", { class: edge, style: { left: `${x * 100}%` } }, moment(t, step < 1 ? 1 : 0));
    }));
  }

  /** @returns the zoom, moved along with the playhead */
  function draw(next: State, wanted: Zoom): Zoom {
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
    const part = (at: number) => `${Math.min(100, Math.max(0, place(now, at) * 100))}%`;
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

export type Row = { key: keyof Strips; name: string; value: (row: any) => number | null; words: (row: any, most: number) => string; about: string; bad: boolean };

const ROWS: Row[] = [
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
    return { row, area, edge, well, picture, value, name: el("span", { class: "kl-tl-strip", title: row.about }, row.name), drawn: [] as any[] };
  });

  return {
    names: rows.map((r) => r.name),
    plot: rows.map((r) => r.picture),
    values: rows.map((r) => r.value),
    draw(state: State, now: Shown, width: number) {
      for (const r of rows) {
        const steps = state.steps[r.row.key] as [number, ...any[]][];
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
        const y = (v: number) => (hangs ? 4 + (v / most) * (HIGH - 4) : HIGH - 4 - (v / most) * (HIGH - 12));
        const path = (piece: [number, number][]) => piece.map(([x, v], i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y(v).toFixed(1)}`).join("");
        const ground = hangs ? 4 : HIGH;
        r.area.setAttribute("d", pieces.map((p) => `${path(p)}L${p[p.length - 1][0].toFixed(1)} ${ground}L${p[0][0].toFixed(1)} ${ground}Z`).join(""));
        r.edge.setAttribute("d", pieces.map(path).join(""));
      }
    },
  };
}

/** Returns the pattern of a row, because rows must differ in more than their colour. */
function hatch(id: string, key: string) {
  // The picture is stretched in height, so patterns are drawn for a row of 20 pixels with 100 units.
  const ink = { /** @type {string} */ brokers: "bad", leaderless: "bad", short: "warn", lag: "accent" }[key];
  const d = { brokers: "M-1 5L1 -5M0 30L6 0M5 35L7 25", leaderless: "M0 0L6 30M6 0L0 30", short: "M1.5 0V30", lag: "" }[key];
  const parts: SVGElement[] = [el("rect", { width: 6, height: 30, fill: `var(--kl-${ink})`, "fill-opacity": key === "lag" ? 0.28 : 0.16 })];
  if (d) parts.push(el("path", { d, stroke: `var(--kl-${ink})`, "stroke-width": 1.4, fill: "none", "vector-effect": "non-scaling-stroke" }));
  return el("pattern", { id, width: 6, height: 30, patternUnits: "userSpaceOnUse" }, parts);
}
