// The overview of all logs: draws each as a thin bar on one axis, with the part in view and the lag, and goes where one points.

import { count, el, partitionColour } from "../shared.js";
import { brief } from "./axis.js";
import { lagOf } from "./marks.js";

const MOST_ROWS = 48;

export class LogOverview {
  /** @param {(offset: number) => void} go is called with the offset that was pointed at @param {(pages: number) => void} page */
  constructor(go, page) {
    this.range = [0, 1];
    this.rows = new Map();
    this.body = el("div", { class: "kl-log-map-rows" });
    this.first = el("span", { class: "kl-soft" });
    this.last = el("span", { class: "kl-soft" });
    this.node = el("div", { class: "kl-log-map", role: "slider", tabindex: "0", "aria-label": "place in the log", "aria-orientation": "horizontal" }, this.first, this.body, this.last);
    const at = (/** @type {PointerEvent} */ event) => {
      const box = this.body.getBoundingClientRect();
      const share = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
      return Math.round(this.range[0] + share * (this.range[1] - this.range[0]));
    };
    this.body.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      this.body.setPointerCapture?.(event.pointerId);
      this.held = true;
      go(at(event));
    });
    this.body.addEventListener("pointermove", (event) => this.held && go(at(event)));
    for (const end of ["pointerup", "pointercancel"]) this.body.addEventListener(end, () => (this.held = false));
    this.node.addEventListener("keydown", (event) => {
      const pages = { ArrowLeft: -0.25, ArrowRight: 0.25, PageUp: -1, PageDown: 1, Home: -Infinity, End: Infinity }[event.key];
      if (pages === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      page(pages);
    });
  }

  /** @param {any} state @param {Record<string, number>} lefts @param {number} cols @param {string[]} groups */
  draw(state, lefts, cols, groups) {
    const known = Object.entries(state.lanes).filter(([, lane]) => lane.start !== null && lane.end !== null);
    // The overview is of no use when all of every log is in view.
    this.node.hidden = known.every(([p, lane]) => lane.start >= (lefts[p] ?? 0) - 1 && lane.end <= (lefts[p] ?? 0) + cols + 1);
    if (this.node.hidden) return;
    const low = Math.min(...known.map(([, lane]) => lane.start));
    // The beginning that retention has deleted is shown too, as long as it is the smaller part.
    const high = Math.max(...known.map(([, lane]) => lane.end), low + 1);
    const first = low < (high - low) ? 0 : low;
    this.range = [first, high];
    this.first.textContent = brief(first);
    this.last.textContent = brief(high);
    const x = (offset) => (100 * (Math.min(Math.max(offset, first), high) - first)) / (high - first);
    const drawn = known.slice(0, MOST_ROWS);
    this.node.classList.toggle("kl-log-many", drawn.length > 16);
    for (const [p, row] of this.rows) {
      if (drawn.some(([q]) => q === p)) continue;
      row.node.remove();
      this.rows.delete(p);
    }
    for (const [p, lane] of drawn) {
      let row = this.rows.get(p);
      if (!row) {
        const [log, lag, view] = ["log", "lag", "view"].map((name) => el("i", { class: `kl-log-map-${name}` }));
        row = { log, lag, view, node: el("div", { class: "kl-log-map-row", style: { "--kl-c": partitionColour(Number(p)) } }, log, lag, view) };
        this.rows.set(p, row);
        this.body.append(row.node);
      }
      const committed = groups.map((name) => state.groups[name]?.lanes[p]?.committed).filter((c) => c !== null && c !== undefined);
      stretch(row.log, x(lane.start), x(lane.end));
      const least = committed.length ? Math.min(...committed) : lane.high;
      row.lag.hidden = !lagOf(lane, least);
      stretch(row.lag, x(least), x(lane.high));
      stretch(row.view, x(lefts[p] ?? 0), x((lefts[p] ?? 0) + cols));
    }
    const at = Math.max(0, Math.round(Math.min(...drawn.map(([p]) => lefts[p] ?? 0))));
    this.node.setAttribute("aria-valuemin", String(first));
    this.node.setAttribute("aria-valuemax", String(Math.max(high, at)));
    this.node.setAttribute("aria-valuenow", String(Math.max(first, at)));
    this.node.setAttribute("aria-valuetext", `from offset ${count(at)}`);
  }
}

function stretch(node, from, to) {
  node.style.left = `${from}%`;
  node.style.width = `${Math.max(0, to - from)}%`;
}
