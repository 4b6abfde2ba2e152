// The stage of the time line: draws lanes of signs, the slider, its axis, and the strip of the cluster's health, on one scale.

import { count, el, kindOf, news, scaleOf } from "../shared.ts";
import { axis, corners, crowded, moment, momentAt, place, said, sentence, shown, stepAt, whole } from "./moments.ts";
import type { Shown, Tick, Zoom } from "./moments.ts";
import type { Happened, Picture, Strips } from "./picture";

const LANES = ["you", "brokers", "partitions", "groups"];

type Tools = {
  to(at: number, dragging: boolean): void;
  dropped(): void;
  key(event: KeyboardEvent): void;
  zoom(factor: number, at: number, now: Shown): void;
  tip(text: string | null): void;
};

export function stage(tools: Tools) {
  const lanes = LANES.map((lane) => el("div", { class: "kl-tl-lane", "data-lane": lane }));
  const names = LANES.map((lane) => el("span", { class: "kl-tl-lane" }, lane));
  const values = LANES.map(() => el("span", { class: "kl-tl-lane kl-mono" }));
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
  const plot = el("div", { class: "kl-tl-plot" }, lanes, slider, scale, health.plot, over, ghost, line);
  const length = el("span", { class: "kl-tl-slider kl-mono" });
  const root = el("div", { class: "kl-tl-stage" },
    el("div", { class: "kl-tl-names", "aria-hidden": "true" }, names, el("span", { class: "kl-tl-slider" }, "moment"), el("span", { class: "kl-tl-axis" }), health.names),
    plot,
    el("div", { class: "kl-tl-values" }, values, length, el("span", { class: "kl-tl-axis" }), health.values));

  let state: Picture;
  let zoom: Zoom = { span: null, end: 0 };
  let now: Shown = { from: 0, to: 1 };
  /** The values from which the signs and the axis were drawn. */
  let drawn: unknown[] = [];
  let marks: Happened[] = [];
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
    const tick = target.closest<HTMLElement>("[data-at]");
    if (tick) return tools.to(Number(tick.dataset.at), false);
    if (over.contains(target)) return tools.to(share(event.clientX, over) * whole(state.seconds, state.going), false);
    dragging = true;
    plot.setPointerCapture(event.pointerId);
    return tools.to(under(event), true);
  });
  plot.addEventListener("pointermove", (event) => {
    if (dragging) return tools.to(under(event), true);
    const tick = (event.target as HTMLElement).closest<HTMLElement>("[data-at]");
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
    LANES.forEach((lane, i) => {
      lanes[i].replaceChildren(...ticks.filter((t) => t.lane === lane).map(tickOf));
      const none = !marks.some((m) => kindOf(m.kind).lane === lane);
      for (const part of [lanes[i], names[i], values[i]]) part.hidden = none && lane === "groups";
    });
  }
  function tickOf(tick: Tick) {
    const { sign, tone } = kindOf(tick.kind);
    const first = marks[tick.first];
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
  function draw(next: Picture, wanted: Zoom): Zoom {
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

/** `value` is what is drawn, null for nothing; `ink` and `d` are the row's pattern, because rows must differ in more than their
 * colour. The picture is stretched in height, so patterns are drawn for a row of 20 pixels with 100 units. */
type Row = { key: keyof Strips; name: string; value(row: any): number | null; words(row: any): string; about: string; ink: "bad" | "warn" | "accent"; d: string };

const ROWS: Row[] = [
  {
    key: "brokers", name: "brokers up", value: (row) => row[2] - row[1] || null, words: (row) => `${row[1]}/${row[2]}`,
    about: "hatched: brokers that are down", ink: "bad", d: "M-1 5L1 -5M0 30L6 0M5 35L7 25",
  },
  {
    key: "leaderless", name: "no leader", value: (row) => row[1] || null, words: (row) => count(row[1]),
    about: "partitions without a leader: neither read nor written", ink: "bad", d: "M0 0L6 30M6 0L0 30",
  },
  {
    key: "short", name: "under-replicated", value: (row) => row[1] || null, words: (row) => count(row[1]),
    about: "partitions that lack replicas in the ISR", ink: "warn", d: "M1.5 0V30",
  },
  {
    key: "lag", name: "lag", value: (row) => row[1], words: (row) => (row[1] === null ? "–" : count(row[1])),
    about: "records that all groups have still to read", ink: "accent", d: "",
  },
];
/** Height of a row in its own units, whatever its height in pixels. */
const HIGH = 100;

let made = 0;

function strip() {
  const id = `kl-tl-${++made}-${Math.random().toString(36).slice(2, 7)}`;
  const rows = ROWS.map((row) => ({ ...stripRow(row, `${id}-${row.key}`), name: el("span", { class: "kl-tl-strip", title: row.about }, row.name) }));
  return {
    names: rows.map((row) => row.name),
    plot: rows.map((row) => row.picture),
    values: rows.map((row) => row.value),
    draw(state: Picture, now: Shown, width: number) {
      for (const row of rows) row.draw(state, now, width);
    },
  };
}

function stripRow(row: Row, id: string) {
  // Missing brokers hang from the top; the other rows stand on the ground.
  const hangs = row.key === "brokers";
  const ground = hangs ? 4 : HIGH;
  const area = el("path", { class: "kl-tl-area", fill: `url(#${id})` });
  const edge = el("path", { class: "kl-tl-edge" });
  const well = hangs ? el("rect", { class: "kl-tl-well", y: 4, height: HIGH - 4 }) : null;
  const pattern = el("pattern", { id, width: 6, height: 30, patternUnits: "userSpaceOnUse" },
    el("rect", { width: 6, height: 30, fill: `var(--kl-${row.ink})`, "fill-opacity": row.d ? 0.16 : 0.28 }),
    el("path", { d: row.d, stroke: `var(--kl-${row.ink})`, "stroke-width": 1.4, fill: "none", "vector-effect": "non-scaling-stroke" }));
  const picture = el("svg", { class: "kl-tl-strip", "data-row": row.key, preserveAspectRatio: "none", "aria-hidden": "true" }, pattern, well, area, edge);
  const value = el("span", { class: "kl-tl-strip kl-mono", "data-row": row.key });
  const isNews = news();
  return {
    picture,
    value,
    draw(state: Picture, now: Shown, width: number) {
      const steps: [number, ...any[]][] = state.steps[row.key];
      const step = stepAt(steps, state.at);
      value.textContent = step ? row.words(step) : "–";
      value.className = `kl-tl-strip kl-mono ${row.key !== "lag" && step && row.value(step) ? `kl-tone-${row.ink}` : ""}`;
      if (!isNews(steps, now.from, now.to, width, Math.min(state.seconds, now.to))) return;
      const pieces = corners(steps, now, width, state.seconds, row.value);
      const [from, to] = [Math.max(0, place(now, 0)) * width, Math.min(1, place(now, state.seconds)) * width];
      well?.setAttribute("x", String(from));
      well?.setAttribute("width", String(steps.length ? Math.max(0, to - from) : 0));
      const most = Math.max(1, ...(hangs ? steps.map((s) => s[2]) : pieces.flat().map((c) => c[1])));
      picture.setAttribute("viewBox", `0 0 ${Math.max(1, width)} ${HIGH}`);
      const y = (v: number) => (hangs ? 4 + (v / most) * (HIGH - 4) : HIGH - 4 - (v / most) * (HIGH - 12));
      const path = (piece: [number, number][]) => piece.map(([x, v], i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y(v).toFixed(1)}`).join("");
      area.setAttribute("d", pieces.map((p) => `${path(p)}L${p[p.length - 1][0].toFixed(1)} ${ground}L${p[0][0].toFixed(1)} ${ground}Z`).join(""));
      edge.setAttribute("d", pieces.map(path).join(""));
    },
  };
}
