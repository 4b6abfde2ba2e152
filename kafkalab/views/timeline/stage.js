// The stage of the time line: draws lanes of signs, the slider, its axis, and the strip of the cluster's health, on one scale.
import { el } from "../shared.js";
import { axis, crowded, momentAt, place, shown, whole } from "./scale.js";
import { strip } from "./strip.js";
import { kindOf } from "../signs.js";
import { moment, said, sentence } from "./words.js";

/** @typedef {import("./words.js").State} State */
/** @typedef {import("./scale.js").Zoom} Zoom */
/** @typedef {import("./scale.js").Shown} Shown */

const LANES = /** @type {[string, string][]} */ ([["you", "you"], ["brokers", "brokers"], ["partitions", "partitions"], ["groups", "groups"]]);

/**
 * @param {{ to(at: number, dragging: boolean): void, dropped(): void, key(event: KeyboardEvent): void, zoom(factor: number, at: number, now: Shown): void, tip(text: string | null): void }} tools
 */
export function stage(tools) {
  const lanes = Object.fromEntries(LANES.map(([lane]) => [lane, el("div", { class: "kl-tl-lane", "data-lane": lane })]));
  const names = Object.fromEntries(LANES.map(([lane, name]) => [lane, el("span", { class: "kl-tl-lane" }, name)]));
  const values = Object.fromEntries(LANES.map(([lane]) => [lane, el("span", { class: "kl-tl-lane kl-mono" })]));
  const done = el("div", { class: "kl-tl-done" });
  const known = el("div", { class: "kl-tl-known" });
  const thumb = el("div", { class: "kl-tl-thumb" });
  const slider = /** @type {HTMLElement} */ (el("div", { class: "kl-tl-slider", role: "slider", tabindex: "0", "aria-label": "moment of the recording", "aria-valuemin": "0", onkeydown: tools.key },
    known, done, thumb));
  const scale = el("div", { class: "kl-tl-axis", "aria-hidden": "true" });
  const health = strip();
  const line = el("div", { class: "kl-tl-line", "aria-hidden": "true" });
  const ghost = el("div", { class: "kl-tl-ghost", "aria-hidden": "true" });
  const view = el("div", { class: "kl-tl-sight" });
  const over = /** @type {HTMLElement} */ (el("div", { class: "kl-tl-over", "aria-hidden": "true", title: "the whole recording; what is drawn above is marked" }, view));
  const plot = /** @type {HTMLElement} */ (el("div", { class: "kl-tl-plot" },
    LANES.map(([lane]) => lanes[lane]), slider, scale, health.plot, over, ghost, line));
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
  /** @param {import("./scale.js").Tick} tick */
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
    const k = parseFloat(getComputedStyle(root).getPropertyValue("--kl-scale")) || 1;
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
