// StreamView: draws a Spark query as it runs: its rows a second, the phases of its batches, the offsets they read, the
// watermark, and the state. One batch is chosen (by default the newest) and marked everywhere.

import { live } from "../live.ts";
import { changed, el, guard, legend, scaleOf, shorten } from "../shared.ts";
import { BATCHES, hatches, lanesChart, LEFT, PHASES, phasesChart, ratesChart, RIGHT, stateChart, watermarkChart } from "./charts.ts";
import { bar, details, figures, Line, notices } from "./figures.ts";
import { slots } from "./scale.ts";
import type { Scene } from "./charts.ts";
import type { Picture } from "./picture";

const SLOT = 7; // pixels that a batch needs, at scale 1

class StreamView {
  /** chooses another query of a recording */ #choose: ((place: number) => void) | null;

  chosen: number | null = null;
  state: Picture | null = null;
  asked: number | undefined = undefined;
  hatch;
  line;
  top = el("div", { class: "kl-st-top" });
  summary = el("p", { class: "kl-hidden kl-st-summary" });
  tiles = el("div", {});
  panels: Record<string, { root: any; body: any }> = {};
  charts;
  table = el("section", { class: "kl-panel kl-st-details", "aria-label": "The chosen batch as tables" });
  sized;

  /** @param ask null when there is no kernel */
  constructor(public page: HTMLElement, ask: ((message: object) => void) | null) {
    this.#choose = ask && ((place) => ask({ do: "choose", place }));
    const { node, hatch } = hatches();
    this.hatch = hatch;
    this.line = new Line((number) => guard(page, () => this.choose(number)));
    const panel = (name: string, title: string, signs) => {
      const body = el("div", { class: "kl-st-body" });
      const root = el("section", { class: `kl-panel kl-st-panel kl-st-panel-${name}`, "aria-label": title }, el("h3", { class: "kl-title" }, title), body, signs && legend(signs));
      this.panels[name] = { root, body };
      return root;
    };
    this.charts = el("div", { class: "kl-st-charts" },
      panel("rates", "Rows a second", [[this.#swatch("line", "arriving"), "arriving"], [this.#swatch("line", "processed"), "what the query can process"], [this.#square("over"), "more arrives than it can process"]]),
      panel("phases", "Where the time of a batch goes", PHASES.map((name) => [this.#square(name), name])),
      panel("watermark", "Event time and the watermark", [
        [this.#swatch("line", "newest"), "newest event time of a batch"], ["●", "mean"], ["│", "from oldest to newest"],
        [this.#swatch("line", "watermark"), "watermark: older rows may be too late"], ["✕", "rows dropped as too late"]]),
      panel("state", "State kept between batches", [[this.#swatch("line", "total"), "rows kept"], [this.#square("updated"), "updated"], [this.#square("removed"), "removed"], [this.#swatch("line", "memory"), "memory"]]),
      panel("lanes", `Kafka's offsets, as the last ${BATCHES} batches read them`, [
        [this.#read(false), "read by the batch of that number"], [this.#read(true), "by the chosen one"], ["◆", "read so far, kept in the checkpoint"], [this.#waiting(), "waits to be read"], ["│", "newest offset (high watermark)"]]));
    page.append(node, this.top, this.summary, this.tiles, this.line.node, this.charts, this.table);
    for (const name of ["rates", "phases", "watermark", "state"]) {
      this.panels[name].body.addEventListener("click", (event: MouseEvent) => guard(page, () => this.#pick(event)));
    }
    // After a change of size it is drawn again, at most once per frame.
    this.sized = new ResizeObserver(() => {
      if (this.width === this.#wide()) return;
      cancelAnimationFrame(this.asked ?? 0);
      this.asked = requestAnimationFrame(() => guard(page, () => this.#charts()));
    });
    this.sized.observe(this.panels.rates.body);
    this.sized.observe(this.panels.lanes.body);
  }

  #swatch(kind: string, name: string) {
    const mark = name === "arriving" ? el("circle", { cx: 10, cy: 6, r: 2.6 }) : name === "processed" ? el("path", { d: "M10 2.4l3.6 3.6l-3.6 3.6l-3.6 -3.6z" }) : null;
    return el("svg", { class: "kl-st-key", width: 20, height: 12 }, el("path", { class: `kl-st-${kind} kl-st-${name}`, d: "M0 6H20" }), mark && el("g", { class: `kl-st-mark kl-st-${name}` }, mark));
  }

  #square(name: string) {
    return el("svg", { class: "kl-st-key", width: 14, height: 12 }, el("rect", { class: `kl-st-phase kl-st-${name}`, x: 0.5, y: 0.5, width: 13, height: 11, fill: this.hatch(name) }));
  }

  #read(own: boolean) {
    return el("svg", { class: "kl-st-key", width: 20, height: 12 }, el("rect", { class: `kl-st-read ${own ? "kl-st-own" : "kl-st-odd"}`, x: 1, y: 1, width: 17, height: 10, rx: 3, style: "--kl-st-own:var(--kl-p0)" }));
  }

  #waiting() {
    return el("svg", { class: "kl-st-key", width: 20, height: 12 }, el("rect", { class: "kl-st-wait-box", x: 1, y: 1, width: 17, height: 10, rx: 3, style: "stroke:var(--kl-p0)" }));
  }

  get numbers() {
    return Object.keys(this.state?.batches ?? {}).map(Number).sort((a, b) => a - b);
  }

  /** The marked batch: the chosen one while it is kept, or else the newest. */
  get marked() {
    const numbers = this.numbers, newest = numbers.at(-1) ?? null;
    if (this.chosen === null || newest === null) return newest;
    return this.chosen < numbers[0] ? numbers[0] : this.chosen;
  }

  /** @param number null follows the newest */
  choose(number: number | null) {
    // Spark may skip a number; the batch before it is then chosen.
    this.chosen = number === null ? null : (this.numbers.filter((n) => n <= number).at(-1) ?? null);
    this.#charts();
  }

  #pick(event: MouseEvent) {
    const plot = (event.target as Element).closest("svg");
    if (!plot || !this.slots) return;
    const k = this.#scale(), box = plot.getBoundingClientRect(), mine = this.slots(box.width);
    const number = mine.shown[mine.at(event.clientX - box.left - LEFT * k)];
    this.choose(number === this.numbers.at(-1) ? null : number);
  }

  #scale() {
    return scaleOf(this.page);
  }

  #wide() {
    return `${this.panels.rates.body.clientWidth} ${this.panels.lanes.body.clientWidth} ${this.#scale()}`;
  }

  draw(state: Picture, before: Picture | undefined) {
    this.state = state;
    if (changed(state, before, "name", "standing", "words", "message", "trigger", "sources", "sink", "reason", "advice", "unread", "lanes", "queries", "query")) {
      const held = this.top.querySelector("select")?.matches(":focus");
      this.top.replaceChildren(bar(state, this.#choose), ...notices(state));
      if (held) this.top.querySelector("select")?.focus();
    }
    if (changed(state, before, "batches", "lanes", "trigger", "notes", "custom", "unread", "more_lanes", "marks")) this.#charts();
  }

  #charts() {
    if (!this.state) return;
    const { state } = this, { batches, notes } = state, numbers = this.numbers, chosen = this.marked;
    this.width = this.#wide();
    this.line.node.hidden = this.tiles.hidden = this.table.hidden = chosen === null;
    for (const [name, { root }] of Object.entries(this.panels)) root.classList.toggle("kl-st-empty", Boolean(notes[name]) && (chosen === null || name !== "phases"));
    if (chosen === null) {
      for (const [name, { body }] of Object.entries(this.panels)) body.replaceChildren(el("p", { class: "kl-soft" }, notes[name]));
      this.summary.textContent = `Stream ${shorten(state.name, 60)}: ${state.words}. No batch has ended yet.`;
      return;
    }
    const newest = chosen === numbers.at(-1), scale = this.#scale();
    this.line.draw(numbers, batches, chosen, newest);
    this.tiles.replaceChildren(figures(batches[chosen], state.trigger));
    const fit = (width: number) => slots(numbers, width - (LEFT + RIGHT) * scale, SLOT * scale);
    this.slots = fit;
    const said = [];
    for (const [name, draw] of [["rates", ratesChart], ["phases", phasesChart], ["watermark", watermarkChart], ["state", stateChart]] as [string, (scene: Scene) => any][]) {
      const width = Math.max(240, this.panels[name].body.clientWidth);
      const scene = { width, scale, slots: fit(width), batches, chosen, trigger: state.trigger, marks: state.marks, hatch: this.hatch };
      const note = notes[name], chart = note && name !== "phases" ? null : draw(scene);
      const parts = chart?.parts ? chart.parts.flatMap(([title, node]: any) => [el("div", { class: "kl-st-sub" }, title), node]) : chart ? [chart.node] : [];
      for (const node of chart?.parts ? chart.parts.map((part) => part[1]) : parts) {
        node.setAttribute("aria-label", chart.words);
        node.append(node.querySelector(".kl-st-moments")); // over what was drawn since
      }
      if (chart) said.push(chart.words);
      this.panels[name].body.replaceChildren(...parts, note || !chart ? el("p", { class: "kl-soft kl-st-note" }, note || "Nothing to draw yet.") : "");
    }
    const width = Math.max(320, this.panels.lanes.body.clientWidth), unread = newest ? state.unread : [];
    const lanes = notes.lanes ? null : lanesChart({ width, scale, batches, numbers, chosen, lanes: state.lanes, unread, newest });
    lanes?.node.setAttribute("aria-label", lanes.words);
    const rest = [notes.lanes, lanes?.torn ? "More waits than there is room for: torn bars (⌇) are not to scale." : "", state.more_lanes ? `${state.more_lanes} more partitions are not drawn.` : ""].filter(Boolean).join(" ");
    this.panels.lanes.body.replaceChildren(lanes ? lanes.node : "", rest ? el("p", { class: "kl-soft kl-st-note" }, rest) : "");
    this.table.replaceChildren(...details(chosen, batches[chosen], state, newest).filter((part) => part !== null));
    this.summary.textContent = `Stream ${shorten(state.name, 60)}: ${state.words}. ${said.join(" ")} ${lanes?.words ?? ""}`;
  }

  end() {
    this.sized.disconnect();
    cancelAnimationFrame(this.asked ?? 0);
  }
}

export default {
  render: live("stream", "Spark stream", (page, { model, ask }) => new StreamView(page, model.get("live") ? ask : null)),
};
