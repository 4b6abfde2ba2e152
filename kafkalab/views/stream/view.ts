// StreamView: draws a Spark query as it runs: its rows a second, the phases of its batches, the offsets they read, the
// watermark, and the state. One batch is chosen (by default the newest) and marked everywhere.

import { live } from "../live.ts";
import { changed, el, guard, legend, refill, scaleOf, shorten } from "../shared.ts";
import { BATCHES, hatches, lanesChart, LEFT, PHASES, phasesChart, ratesChart, RIGHT, stateChart, watermarkChart } from "./charts.ts";
import { bar, details, figures, Line, notices } from "./figures.ts";
import { slots } from "./scale.ts";
import type { Picture } from "./picture";

const SLOT = 7; // pixels that a batch needs, at scale 1
const CHARTS = { rates: ratesChart, phases: phasesChart, watermark: watermarkChart, state: stateChart };

/** Draws a sign of a legend. */
const key = (width: number, ...shapes: unknown[]) => el("svg", { class: "kl-st-key", width, height: 12 }, ...shapes);
const line = (name: string, mark?: SVGElement) => key(20, el("path", { class: `kl-st-line kl-st-${name}`, d: "M0 6H20" }), mark && el("g", { class: `kl-st-mark kl-st-${name}` }, mark));
const box = (kind: string, style: string) => key(20, el("rect", { class: kind, x: 1, y: 1, width: 17, height: 10, rx: 3, style }));

class StreamView {
  state: Picture | null = null;
  chosen: number | null = null;
  asked = 0;
  width = "";
  hatch: (name: string) => string;
  line = new Line((number) => guard(this.page, () => this.choose(number)));
  top = el("div", { class: "kl-st-top" });
  summary = el("p", { class: "kl-hidden kl-st-summary" });
  tiles = el("div", {});
  panels: Record<string, { root: HTMLElement; body: HTMLElement }> = {};
  table = el("section", { class: "kl-panel kl-st-details", "aria-label": "The chosen batch as tables" });
  sized: ResizeObserver;

  /** @param ask null when there is no kernel */
  constructor(readonly page: HTMLElement, readonly ask: ((message: object) => void) | null) {
    const { node, hatch } = hatches();
    this.hatch = hatch;
    const square = (name: string) => key(14, el("rect", { class: `kl-st-phase kl-st-${name}`, x: 0.5, y: 0.5, width: 13, height: 11, fill: hatch(name) }));
    const panel = (name: string, title: string, signs: [unknown, string][]) => {
      const body = el("div", { class: "kl-st-body" });
      const root = el("section", { class: `kl-panel kl-st-panel kl-st-panel-${name}`, "aria-label": title }, el("h3", { class: "kl-title" }, title), body, legend(signs));
      this.panels[name] = { root, body };
      return root;
    };
    const charts = el("div", { class: "kl-st-charts" },
      panel("rates", "Rows a second", [
        [line("arriving", el("circle", { cx: 10, cy: 6, r: 2.6 })), "arriving"],
        [line("processed", el("path", { d: "M10 2.4l3.6 3.6l-3.6 3.6l-3.6 -3.6z" })), "what the query can process"], [square("over"), "more arrives than it can process"]]),
      panel("phases", "Where the time of a batch goes", PHASES.map((name) => [square(name), name])),
      panel("watermark", "Event time and the watermark", [
        [line("newest"), "newest event time of a batch"], ["●", "mean"], ["│", "from oldest to newest"],
        [line("watermark"), "watermark: older rows may be too late"], ["✕", "rows dropped as too late"]]),
      panel("state", "State kept between batches", [[line("total"), "rows kept"], [square("updated"), "updated"], [square("removed"), "removed"], [line("memory"), "memory"]]),
      panel("lanes", `Kafka's offsets, as the last ${BATCHES} batches read them`, [
        [box("kl-st-read kl-st-odd", "--kl-st-own:var(--kl-p0)"), "read by the batch of that number"], [box("kl-st-read kl-st-own", "--kl-st-own:var(--kl-p0)"), "by the chosen one"],
        [box("kl-st-read kl-st-open", "--kl-st-own:var(--kl-p0)"), "by the first batch: Spark does not say where it began"],
        ["◆", "read so far, kept in the checkpoint"], [box("kl-st-wait-box", "stroke:var(--kl-p0)"), "waits to be read"], ["│", "newest offset (high watermark)"]]));
    page.append(node, this.top, this.summary, this.tiles, this.line.node, charts, this.table);
    for (const name of Object.keys(CHARTS)) this.panels[name].body.addEventListener("click", (event) => guard(page, () => this.#pick(event)));
    // After a change of size it is drawn again, at most once per frame.
    this.sized = new ResizeObserver(() => {
      if (this.width === this.#wide()) return;
      cancelAnimationFrame(this.asked);
      this.asked = requestAnimationFrame(() => guard(page, () => this.#charts()));
    });
    this.sized.observe(this.panels.rates.body);
    this.sized.observe(this.panels.lanes.body);
  }

  /** The batches' numbers, ascending. */
  get numbers() {
    return Object.keys(this.state?.batches ?? {}).map(Number);
  }

  /** The marked batch: the newest, or the chosen one; when that is not kept any more, or not there yet, the one next to it. */
  get marked() {
    const { numbers, chosen } = this;
    return (chosen === null ? numbers : numbers.filter((n) => n <= chosen)).at(-1) ?? numbers[0] ?? null;
  }

  /** @param number null follows the newest */
  choose(number: number | null) {
    // Spark may skip a number; the batch before it is then chosen.
    this.chosen = number === null ? null : (this.numbers.filter((n) => n <= number).at(-1) ?? null);
    this.#charts();
  }

  #pick(event: MouseEvent) {
    const plot = (event.target as Element).closest("svg");
    if (!plot) return;
    const box = plot.getBoundingClientRect(), mine = this.#slots(box.width);
    const number = mine.shown[mine.at(event.clientX - box.left - LEFT * this.#scale())];
    this.choose(number === this.numbers.at(-1) ? null : number);
  }

  #slots(width: number) {
    return slots(this.numbers, width - (LEFT + RIGHT) * this.#scale(), SLOT * this.#scale());
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
      refill(this.top, [bar(state, this.ask), notices(state)]);
    }
    if (changed(state, before, "batches", "lanes", "trigger", "notes", "unread", "more_lanes", "marks")) this.#charts();
  }

  #charts() {
    const { state, numbers, marked: chosen } = this;
    if (!state) return;
    const { batches, notes } = state;
    this.width = this.#wide();
    this.line.node.hidden = this.tiles.hidden = this.table.hidden = chosen === null;
    for (const [name, { root }] of Object.entries(this.panels)) root.classList.toggle("kl-st-empty", Boolean(notes[name]) && (chosen === null || name !== "phases"));
    if (chosen === null) {
      for (const [name, { body }] of Object.entries(this.panels)) body.replaceChildren(el("p", { class: "kl-soft" }, notes[name]));
      this.summary.textContent = `Stream ${shorten(state.name, 60)}: ${state.words}. No batch has ended yet.`;
      return;
    }
    const newest = chosen === numbers.at(-1), scale = this.#scale(), said = [];
    this.line.draw(numbers, batches, chosen, newest);
    this.tiles.replaceChildren(figures(batches[chosen], state.trigger));
    for (const [name, draw] of Object.entries(CHARTS)) {
      const width = Math.max(240, this.panels[name].body.clientWidth), fit = this.#slots(width), shown = fit.shown.map((n) => batches[n]);
      const scene = { width, scale, slots: fit, shown, last: shown[shown.length - 1], chosen, trigger: state.trigger, marks: state.marks, hatch: this.hatch };
      const note = notes[name], chart = note && name !== "phases" ? null : draw(scene);
      const plots = chart?.plots.map(([title, plot]) => [title && el("div", { class: "kl-st-sub" }, title), plot.finished(chart.words)]);
      if (chart) said.push(chart.words);
      refill(this.panels[name].body, [plots, (note || !chart) && el("p", { class: "kl-soft kl-st-note" }, note || "Nothing to draw yet.")]);
    }
    const width = Math.max(320, this.panels.lanes.body.clientWidth);
    const lanes = notes.lanes ? null : lanesChart(state, width, scale, numbers, chosen);
    lanes?.node.setAttribute("aria-label", lanes.words);
    const rest = [notes.lanes, lanes?.torn && "More waits than there is room for: torn bars (⌇) are not to scale.",
      state.more_lanes && `${state.more_lanes} more partitions are not drawn.`].filter(Boolean).join(" ");
    refill(this.panels.lanes.body, [lanes?.node, rest && el("p", { class: "kl-soft kl-st-note" }, rest)]);
    refill(this.table, details(chosen, batches[chosen], state));
    this.summary.textContent = `Stream ${shorten(state.name, 60)}: ${state.words}. ${said.join(" ")} ${lanes?.words ?? ""}`;
  }

  end() {
    this.sized.disconnect();
    cancelAnimationFrame(this.asked);
  }
}

export default {
  render: live("stream", "Spark stream", (page, { model, ask }) => new StreamView(page, model.get("live") ? ask : null)),
};
