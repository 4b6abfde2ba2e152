// What stands around the lanes: the bar above them, the overview of all logs, and moving along by hand. The bar shows the topic,
// and lets the learner follow the end, go to an offset, and zoom.

import { clock, count, el, keeper, partitionColour, shorten } from "../shared.ts";
import { brief, LEVELS, NEAREST_BARS } from "./axis.ts";
import { lagOf } from "./lane.ts";

export function logControls(does: { follow(): void; zoom(by: number): void; go(where: string, offset?: number): void; groups(name: string): void }) {
  const name = el("strong", { class: "kl-name" });
  const sum = el("span", { class: "kl-soft kl-log-sum" });
  const follow = el("button", { type: "button", class: "kl-button kl-log-follow", onclick: does.follow, title: "stay at the end of the logs (f)" });
  const where = el("select", { class: "kl-select", "aria-label": "go to", onchange: () => { does.go(where.value); where.value = ""; } });
  const offset = el("input", { class: "kl-select kl-log-offset", type: "number", min: "0", step: "1", placeholder: "offset", "aria-label": "offset to go to" });
  const jump = () => offset.value !== "" && does.go("offset", Number(offset.value));
  // No form, because in a notebook Enter in a field does not submit it.
  offset.addEventListener("keydown", (event: KeyboardEvent) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    jump();
  });
  const form = el("span", { class: "kl-log-goto", role: "group", "aria-label": "go to an offset" }, offset, el("button", { type: "button", class: "kl-button", onclick: jump }, "go"));
  const out = el("button", { type: "button", class: "kl-button", onclick: () => does.zoom(1), "aria-label": "zoom out", title: "zoom out (−)" }, "−");
  const near = el("button", { type: "button", class: "kl-button", onclick: () => does.zoom(-1), "aria-label": "zoom in", title: "zoom in (+)" }, "+");
  const group = el("select", { class: "kl-select", "aria-label": "groups shown", onchange: () => does.groups(group.value) });
  const alive = el("span", { class: "kl-log-live kl-soft" });
  // Two parts, so that a line that is too long breaks between them.
  const nodes = el("div", { class: "kl-log-controls" }, el("div", { class: "kl-log-about" }, name, sum, alive),
    el("div", { class: "kl-log-tools" }, group, follow, where, form, el("span", { class: "kl-log-zoom", role: "group", "aria-label": "zoom" }, out, near)));
  let offered = "";
  let grouped = "";
  return {
    nodes,
    draw(state: any, place: any, how: { live: boolean; farthest: number; chosen: string }) {
      const lanes = Object.values(state.lanes);
      const known = lanes.filter((lane) => lane.start !== null && lane.end !== null);
      const records = known.reduce((all, lane) => all + lane.high - lane.start, 0);
      text(name, shorten(state.topic, 60));
      text(sum, `${lanes.length} ${lanes.length === 1 ? "partition" : "partitions"} · ${count(records)} offsets${place.own ? " · each at its own end" : ""}`);
      sum.title = place.own ? "The logs end too far apart for one axis: each lane stands at its own end." : "All lanes share one axis of offsets.";
      follow.setAttribute("aria-pressed", String(place.follow));
      text(follow, place.follow ? "● following the end" : "○ follow the end");
      const groups = Object.keys(state.groups).sort();
      const targets = [["", "go to…"], ["start", "log start"], ["end", "log end"], ...groups.map((g) => [`group:${g}`, `committed by ${shorten(g, 30)}`])];
      if (offered !== JSON.stringify(targets)) {
        offered = JSON.stringify(targets);
        where.replaceChildren(...targets.map(([value, words]) => el("option", { value }, words)));
      }
      const key = JSON.stringify([groups, how.chosen]);
      if (grouped !== key) {
        grouped = key;
        group.replaceChildren(el("option", { value: "" }, groups.length === 1 ? "1 group" : `all ${groups.length} groups`),
          ...groups.map((g) => el("option", { value: g, selected: g === how.chosen }, shorten(g, 30))));
      }
      group.hidden = groups.length < 2;
      near.setAttribute("aria-disabled", String(place.level === 0));
      out.setAttribute("aria-disabled", String(place.level >= how.farthest));
      text(alive, place.level >= NEAREST_BARS ? scaleWords(place.level) : state.error ? "not answering" : state.recorded ? "a recording" : how.live ? "● live" : state.at ? `a moment, ${clock.ofDay(state.at)}` : "a moment");
      alive.classList.toggle("kl-log-on", how.live && !state.recorded && !state.error && place.level < NEAREST_BARS);
    },
  };
}

function scaleWords(level) {
  const each = 1 / LEVELS[level];
  return each < 1 ? "from afar: no single records" : `a pixel is ${count(Math.round(each))} offsets`;
}

function text(node, words) {
  if (node.textContent !== words) node.textContent = words;
}

// --- The overview of all logs: draws each as a thin bar on one axis, with the part in view and the lag, and goes where one points.

const MOST_ROWS = 48;

export class LogOverview {
  range = [0, 1];
  body = el("div", { class: "kl-log-map-rows" });
  keep = keeper(this.body, ({ p }) => p, ({ p }) => overviewRow(p));
  first = el("span", { class: "kl-soft" });
  last = el("span", { class: "kl-soft" });
  node = el("div", { class: "kl-log-map", role: "slider", tabindex: "0", "aria-label": "place in the log", "aria-orientation": "horizontal" }, this.first, this.body, this.last);

  /** @param go is called with the offset that was pointed at */
  constructor(go: (offset: number) => void, page: (pages: number) => void) {
    const at = (event: PointerEvent) => {
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

  draw(state: any, lefts: Record<string, number>, cols: number, groups: string[]) {
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
    this.keep(drawn.map(([p, lane]) => {
      const committed = groups.map((name) => state.groups[name]?.lanes[p]?.committed).filter((c) => c !== null && c !== undefined);
      const least = committed.length ? Math.min(...committed) : lane.high;
      const lag = lagOf(lane, least) ? [x(least), x(lane.high)] : null, left = lefts[p] ?? 0;
      return { p, log: [x(lane.start), x(lane.end)], lag, view: [x(left), x(left + cols)] };
    }));
    const at = Math.max(0, Math.round(Math.min(...drawn.map(([p]) => lefts[p] ?? 0))));
    this.node.setAttribute("aria-valuemin", String(first));
    this.node.setAttribute("aria-valuemax", String(Math.max(high, at)));
    this.node.setAttribute("aria-valuenow", String(Math.max(first, at)));
    this.node.setAttribute("aria-valuetext", `from offset ${count(at)}`);
  }
}

/** Draws {log, lag, view}: each from where to where, in percent, or null. */
function overviewRow(p: string) {
  const parts = Object.fromEntries(["log", "lag", "view"].map((name) => [name, el("i", { class: `kl-log-map-${name}` })]));
  return {
    node: el("div", { class: "kl-log-map-row", style: { "--kl-c": partitionColour(Number(p)) } }, Object.values(parts)),
    draw(item) {
      for (const [name, part] of Object.entries(parts)) {
        const [from, to] = item[name] ?? [0, 0];
        part.hidden = !item[name];
        part.style.left = `${from}%`;
        part.style.width = `${Math.max(0, to - from)}%`;
      }
    },
  };
}

// --- Panning: moves along the lanes by dragging or with a sideways wheel, and zooms with Ctrl and the wheel.

/** @returns stops it */
export function pan(grid: HTMLElement, does: { shift(pixels: number): void; zoom(by: number, x: number): void }): () => void {
  let held: { id: number; x: number; moving: boolean } | null = null;
  const track = (event: Event) => (event.target as HTMLElement).closest(".kl-log-track") as HTMLElement | null;
  const down = (event: PointerEvent) => {
    if (event.button === 0 && track(event)) held = { id: event.pointerId, x: event.clientX, moving: false };
  };
  const moved = (event: PointerEvent) => {
    if (!held || event.pointerId !== held.id) return;
    const by = held.x - event.clientX;
    // A click in which the hand trembled is not a drag.
    if (!held.moving && Math.abs(by) < 5) return;
    if (!held.moving) grid.setPointerCapture?.(event.pointerId);
    held.moving = true;
    held.x = event.clientX;
    does.shift(by);
  };
  const up = () => (held = null);
  const wheel = (event: WheelEvent) => {
    const on = track(event);
    if (!on) return;
    if (event.ctrlKey) {
      event.preventDefault();
      if (Math.abs(event.deltaY) > 2) does.zoom(Math.sign(event.deltaY), event.clientX - on.getBoundingClientRect().left);
      return;
    }
    // Vertical scrolling belongs to the page.
    const along = event.shiftKey ? event.deltaX || event.deltaY : Math.abs(event.deltaX) > Math.abs(event.deltaY) ? event.deltaX : 0;
    if (!along) return;
    event.preventDefault();
    does.shift(along);
  };
  const listeners = [["pointerdown", down], ["pointermove", moved], ["pointerup", up], ["pointercancel", up]] as [string, any][];
  for (const [name, listener] of listeners) grid.addEventListener(name, listener);
  grid.addEventListener("wheel", wheel, { passive: false });
  return () => {
    for (const [name, listener] of listeners) grid.removeEventListener(name, listener);
    grid.removeEventListener("wheel", wheel);
  };
}
