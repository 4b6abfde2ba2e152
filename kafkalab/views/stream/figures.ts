// The upper part of StreamView: draws the query and its state, the figures of a batch, and the line of its batches.

import { clock, count, el, shorten, table } from "../shared.ts";
import { PHASES } from "./charts.ts";
import { axis, bytes, delay, even, falls, held, lasting, shortMs, timesOf, utc, utcDate } from "./scale.ts";
import type { Batch, Picture } from "./picture";

const SIGNS = { starting: "◌", running: "●", stopped: "■", failed: "✕", recorded: "◷" };

/** @param ask asks for another query of a recording; null when there is no kernel */
export function bar(state: Picture, ask: ((message: object) => void) | null) {
  const { standing, words, message, trigger, sources, sink } = state;
  const now = standing === "running" || standing === "starting" ? message : "";
  const from = sources.map((s) => shorten(tidy(s), 48)).join(" + ");
  const queries = el("select", { class: "kl-select", "data-key": "query", "aria-label": "query shown", onchange: () => ask?.({ do: "choose", place: queries.selectedIndex }) },
    state.queries.map((name) => el("option", { selected: name === state.query }, shorten(name, 60))));
  return el("div", { class: "kl-st-bar" },
    ask && state.queries.length > 1 ? queries : el("b", { title: shorten(state.name, 200) }, shorten(state.name || "unnamed query", 40)),
    el("span", { class: `kl-pill kl-st-standing kl-st-${standing}` }, el("span", { "aria-hidden": "true" }, `${SIGNS[standing]} `), words),
    trigger.words && el("span", { class: "kl-pill" }, trigger.words),
    now && el("span", { class: "kl-soft kl-st-now" }, shorten(now, 60)),
    from && el("span", { class: "kl-soft kl-st-way kl-mono" }, `${from} → ${shorten(tidy(sink) || "?", 32)}`));
}

// Shortens a source such as "KafkaV2[Subscribe[trucks]]" to its topic, and a Java class with its address to its name.
function tidy(text: string) {
  return text.replace(/^KafkaV2\[Subscribe\[(.*)\]\]$/, "$1").replace(/^[\w.]+\$(\w+)@[0-9a-f]+$/, "$1");
}

/** Returns the notices: the reason why the query ended, or the partitions that it does not read; empty when all is well. */
export function notices(state: Picture) {
  const found = [];
  if (state.reason) {
    const failed = state.standing === "failed";
    found.push(el("div", { class: "kl-notice kl-tone-bad kl-st-reason", role: failed ? "alert" : "status" },
      el("b", {}, failed ? "The query stopped on an error. " : "The view no longer follows this query. "), shorten(state.reason, 300), state.advice ? el("div", { class: "kl-soft" }, shorten(state.advice, 300)) : null));
  }
  if (state.unread.length) {
    const names = state.unread.map((key) => `P${state.lanes[key].partition}`).join(", ");
    const why = state.trigger.kind === "real time" ? " Real-time mode needs a task slot for every partition at once: give Spark more cores, local[4] say." : " Is their leader up?";
    found.push(el("div", { class: "kl-notice kl-tone-bad kl-st-unread", role: "status" }, el("b", {}, `Nobody reads ${names}: `), `records wait there, and the last batches took none of them.${why}`));
  }
  return found;
}

/** Draws the figures of one batch in large. */
export function figures(batch: Batch, trigger: Picture["trigger"]) {
  const wait = delay(batch);
  const every = trigger.kind === "processing time" && trigger.every_ms ? trigger.every_ms : null;
  const sum = (name: Parameters<typeof held>[1]) => held(batch, name);
  const tile = (name: string, value: string, unit: string, rest: string, bad = false) => el("div", { class: `kl-st-tile${bad ? " kl-st-bad" : ""}` },
    el("dt", {}, name), el("dd", {}, el("b", {}, value), unit && el("span", { class: "kl-st-unit" }, ` ${unit}`), el("span", { class: "kl-st-rest" }, bad ? `▲ ${rest}` : rest)));
  const less = falls(batch, trigger);
  return el("dl", { class: "kl-st-tiles" },
    tile("arriving", count(Math.round(batch.arriving)), "rows/s", `${count(batch.rows)} in this batch`),
    tile(trigger.kind === "real time" ? "processed" : "can process", count(Math.round(batch.processed)), "rows/s", less ? "less than arrives" : "", less),
    tile("batch took", ...split(shortMs(batch.ms)), every ? `${Math.round((100 * batch.ms) / every)} % of the trigger's ${even(every)}` : "", every !== null && batch.ms > every),
    tile("behind", batch.behind === null ? "–" : count(batch.behind), "records", batch.behind === null ? "not reported by the source" : batch.behind === 0 ? "read to the end" : "there and not read", Boolean(batch.behind)),
    tile("watermark", ...watermark(wait, batch.event), false),
    tile("state", batch.state.length ? count(sum("total")) : "–", batch.state.length ? "rows" : "", batch.state.length ? `${bytes(sum("bytes"))} of memory` : "a stateless query"));
}

/** What the tile of the watermark says: how far it is behind the newest event of the batch, or where it stands when the batch
 * had none. */
function watermark(wait: number | null, event: Batch["event"]): [string, string, string] {
  if (wait !== null) return [...split(lasting(wait)), "behind the newest event"];
  return event?.watermark ? [utc(event.watermark), "UTC", "no event in this batch"] : ["–", "", event ? "not known yet" : "none is set"];
}

function split(words: string): [string, string] {
  const [value, unit] = words.split(" ");
  return [value, unit ?? ""];
}

/** The line of batches: a slider, with the rows of each batch above it. */
export class Line {
  bars = el("div", { class: "kl-st-bars", "aria-hidden": "true" });
  words = el("span", { class: "kl-st-which" });
  input = el("input", {
    type: "range", class: "kl-st-slider", min: 0, max: 0, step: 1, "aria-label": "batch shown",
    // JupyterLab looks for this from the focused element upwards; without it here, its own selectors would match first.
    "data-lm-suppress-shortcuts": "true",
    oninput: () => this.choose(this.input.value === this.input.max ? null : this.input.valueAsNumber),
  });
  newest = el("button", { class: "kl-button kl-st-newest-button", type: "button", "data-lm-suppress-shortcuts": "true", onclick: () => { this.choose(null); this.input.focus(); } }, "newest");
  node = el("div", { class: "kl-panel kl-st-time" }, this.words, el("div", { class: "kl-st-track" }, this.bars, this.input), this.newest);

  /** @param choose called with a batch, or null to follow the newest */
  constructor(readonly choose: (number: number | null) => void) {}

  draw(numbers: number[], batches: Picture["batches"], chosen: number, following: boolean) {
    const most = axis(numbers.map((n) => batches[n].rows)).top;
    const first = numbers[0], last = numbers.at(-1) as number, wide = 100 / Math.max(1, last - first + 1);
    this.bars.replaceChildren(...numbers.map((n) => el("i", {
      class: n === chosen ? "kl-st-on" : null,
      style: { left: `${(n - first) * wide}%`, width: `${wide}%`, height: `${Math.min(100, Math.max(4, (100 * batches[n].rows) / most))}%` },
    })));
    this.input.min = String(first);
    this.input.max = String(last);
    this.input.value = String(chosen);
    const batch = batches[chosen], at = clock.ofDay(batch.at);
    this.words.replaceChildren(el("b", {}, `batch ${count(chosen)}`), ` ${at}`);
    this.input.setAttribute("aria-valuetext", `batch ${chosen} of ${at}, ${batch.rows} rows in ${shortMs(batch.ms)}${following ? ", the newest" : ""}`);
    this.newest.setAttribute("aria-pressed", String(following));
  }
}

// --- The tables of the chosen batch: give the exact numbers that neither StreamView's charts nor its large figures show.

const PHASE_WORDS: Record<string, string> = {
  latestOffset: "asks Kafka for the newest offsets",
  getBatch: "fixes which offsets the batch reads",
  queryPlanning: "plans the query",
  walCommit: "writes these offsets to the checkpoint, before the work",
  addBatch: "reads, computes, writes",
  commitOffsets: "notes in the checkpoint that the batch is done",
  other: "everything else of the trigger",
};

export function details(number: number, batch: Batch, state: Picture) {
  const gap = delay(batch);
  const main = [
    ["began", clock.ofDay(batch.at)],
    ["rows read", batch.idle ? "0: nothing was there" : count(batch.rows)],
    ["rows written", batch.out === null ? "not reported by the sink" : count(batch.out)],
  ];
  const { min, avg, max, watermark: mark } = timesOf(batch), known = Number.isFinite(max);
  const times = batch.event === null ? [] : [
    ["event time", known ? `${utcDate(max)}, UTC` : "no rows"],
    ...(known ? [["newest", utc(max)], ["mean", utc(avg)], ["oldest", utc(min)]] : []),
    ["watermark", Number.isFinite(mark) ? utc(mark) : "none before the first batch"],
    ["behind the newest", gap === null ? "–" : lasting(gap)],
    ["dropped as too late", batch.late === null ? "no operator drops any" : count(batch.late)],
  ];
  return [
    pairs(`Batch ${number}`, [...main, ...times]),
    grid("Phases", ["phase", "time"], PHASES.filter((name) => batch.phases[name] !== undefined).map((name) => [[name, PHASE_WORDS[name]], shortMs(batch.phases[name])])),
    offsets(batch, state.lanes, state.more_lanes),
    batch.state.length ? grid("State", ["operator", "rows", "updated", "removed", "memory"], batch.state.map((o) => [shorten(o.operator, 30), count(o.total), count(o.updated), count(o.removed), bytes(o.bytes)])) : null,
  ];
}

function offsets(batch: Batch, lanes: Picture["lanes"], more: number) {
  const keys = Object.keys(batch.lanes).filter((key) => lanes[key]);
  if (!keys.length) return null;
  const one = new Set(keys.map((key) => lanes[key].topic)).size === 1;
  const rows = keys.map((key) => {
    const { start, end, latest } = batch.lanes[key], { topic, partition } = lanes[key];
    return [
      one ? `P${partition}` : `${shorten(topic, 24)} P${partition}`, start === null ? "not told" : count(start), count(end),
      start === null ? "–" : count(end - start), latest === null ? "–" : count(latest), latest === null ? "–" : count(Math.max(0, latest - end)),
    ];
  });
  if (more) rows.push([`and ${more} more`, "", "", "", "", ""]);
  return grid(`Offsets${one ? ` of ${shorten(lanes[keys[0]].topic, 40)}` : ""}`, ["partition", "from", "up to", "records", "newest", "behind"], rows);
}

function pairs(title: string, rows: string[][]) {
  return el("table", { class: "kl-st-table kl-st-pairs" }, el("caption", {}, title),
    el("tbody", {}, rows.map(([name, value]) => el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, value)))));
}

/** @param rows the first cell of each is the row's head; a pair is a head with a note */
function grid(title: string, head: string[], rows: (string | number | string[])[][]) {
  return table({ class: "kl-st-table" }, head, rows.map(([first, ...rest]) => el("tr", {},
    el("th", { scope: "row" }, Array.isArray(first) ? [first[0], el("small", {}, ` ${first[1]}`)] : first),
    rest.map((cell) => el("td", {}, cell)))), title);
}
