// The tables of the chosen batch: give the exact numbers that StreamView's charts show.
import { clock, count, el, shorten } from "../shared.js";
import { PHASES } from "./charts.js";
import { bytes, delay, lasting, shortMs, utc, utcDate } from "./scale.js";

const PHASE_WORDS = {
  latestOffset: "asks Kafka for the newest offsets",
  getBatch: "fixes which offsets the batch reads",
  queryPlanning: "plans the query",
  walCommit: "writes these offsets to the checkpoint, before the work",
  addBatch: "reads, computes, writes",
  commitOffsets: "notes in the checkpoint that the batch is done",
  other: "everything else of the trigger",
};

/** @param {number} number @param {any} batch @param {any} state @param {boolean} newest */
export function details(number, batch, state, newest) {
  const rate = (/** @type {number} */ n) => `${count(Math.round(n))} rows/s`;
  const gap = delay(batch);
  const main = [
    ["began", clock.ofDay(batch.at)],
    ["rows read", batch.idle ? "0: nothing was there" : count(batch.rows)],
    ["rows written", batch.out === null ? "not reported by the sink" : count(batch.out)],
    ["arriving", rate(batch.arriving)],
    ["can process", rate(batch.processed)],
    ["took", shortMs(batch.ms)],
    ["behind", batch.behind === null ? "not told" : `${count(batch.behind)} records`],
  ];
  const e = batch.event;
  const times = e.watermark === undefined ? [] : [
    ["event time", e.max === null ? "no rows" : `${utcDate(e.max)}, UTC`],
    ...(e.max === null ? [] : [["newest", utc(e.max)], ["mean", utc(e.avg)], ["oldest", utc(e.min)]]),
    ["watermark", e.watermark === null ? "none before the first batch" : utc(e.watermark)],
    ["behind the newest", gap === null ? "–" : lasting(gap)],
    ["dropped as too late", batch.late === null ? "no operator drops any" : count(batch.late)],
  ];
  return [
    pairs(`Batch ${number}`, [...main, ...times]),
    grid("Phases", ["phase", "time"], PHASES.filter((name) => batch.phases[name] !== undefined).map((name) => [[name, PHASE_WORDS[name]], shortMs(batch.phases[name])])),
    offsets(batch, state.lanes, state.more_lanes),
    batch.state.length ? grid("State", ["operator", "rows", "updated", "removed", "memory"], batch.state.map((/** @type {any} */ o) => [shorten(o.operator, 30), count(o.total), count(o.updated), count(o.removed), bytes(o.bytes)])) : null,
    newest ? counters(state.custom) : null,
  ];
}

/** @param {any} batch @param {any} lanes @param {number} more */
function offsets(batch, lanes, more) {
  const keys = Object.keys(batch.lanes).filter((key) => lanes[key]);
  if (!keys.length) return null;
  const one = new Set(keys.map((key) => lanes[key].topic)).size === 1;
  const rows = keys.map((key) => {
    const [start, end, latest] = batch.lanes[key], { topic, partition } = lanes[key];
    return [
      one ? `P${partition}` : `${shorten(topic, 24)} P${partition}`, start === null ? "not told" : count(start), count(end),
      start === null ? "–" : count(end - start), latest === null ? "–" : count(latest), latest === null ? "–" : count(Math.max(0, latest - end)),
    ];
  });
  if (more) rows.push([`and ${more} more`, "", "", "", "", ""]);
  return grid(`Offsets${one ? ` of ${shorten(lanes[keys[0]].topic, 40)}` : ""}`, ["partition", "from", "up to", "records", "newest", "behind"], rows);
}

/** Draws the state stores' own counters. @param {Record<string, Record<string, number>>} custom */
function counters(custom) {
  const rows = Object.entries(custom).flatMap(([operator, metrics]) => Object.entries(metrics).map(([name, value]) => [`${shorten(operator, 24)}: ${shorten(name, 40)}`, count(value)]));
  if (!rows.length) return null;
  return el("details", { class: "kl-st-custom" }, el("summary", {}, `${rows.length} more figures of the state store`), grid("The state store's own metrics", ["metric", "value"], rows));
}

/** @param {string} title @param {any[][]} rows */
function pairs(title, rows) {
  return el("table", { class: "kl-st-table kl-st-pairs" }, el("caption", {}, title),
    el("tbody", {}, rows.map(([name, value]) => el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, value)))));
}

/** @param {string} title @param {string[]} head @param {any[][]} rows the first cell of each is the row's head; a pair is a head with a note */
function grid(title, head, rows) {
  return el("table", { class: "kl-st-table" }, el("caption", {}, title),
    el("thead", {}, el("tr", {}, head.map((name) => el("th", { scope: "col" }, name)))),
    el("tbody", {}, rows.map(([first, ...rest]) => el("tr", {},
      el("th", { scope: "row" }, Array.isArray(first) ? [first[0], el("small", {}, ` ${first[1]}`)] : first),
      rest.map((cell) => el("td", {}, cell))))));
}
