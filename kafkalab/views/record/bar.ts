// The parts around RecordView's bytes: draws the bar with its steps, the batch's records, its copies, and the shares of bytes.

import { count, el, PARTS, shorten } from "../shared.ts";
import type { Bar, BatchFacts, Picture } from "./picture";

const COPY: Record<string, string> = { shown: "read here", same: "the same bytes", differs: "other bytes!", missing: "does not have it", unread: "out of reach" };

/** Draws the title, the source of the bytes, and the steps to other records.
 * @param asks true when there is a kernel to ask for another record */
export function bar(state: Picture, go: (offset: number | null) => void, asks: boolean = true) {
  const { batch, steps } = state;
  const live = state.live && asks;
  const step = (id: string, text: string, label: string, to: number | null | undefined) =>
    el("button", { class: "kl-button", "data-step": id, "aria-label": label, title: label, "aria-disabled": String(!live || to === null || to === undefined), onclick: () => live && to !== null && to !== undefined && go(to) }, text);
  const ask = el("input", { class: "kl-record-offset", type: "number", min: 0, step: 1, value: Math.max(0, state.offset), "aria-label": "offset to look at", "data-step": "offset", disabled: !live });
  const form = el("form", { class: "kl-record-go", onsubmit: (event: Event) => {
    event.preventDefault();
    const wanted = (ask as HTMLInputElement).valueAsNumber;
    if (Number.isSafeInteger(wanted) && wanted >= 0) go(wanted);
  } }, el("label", {}, "offset ", ask), el("button", { class: "kl-button", type: "submit", disabled: !live }, "go"));
  const range = state.range.end === null ? "" : state.range.end > (state.range.start ?? 0) ? `of ${count(state.range.start ?? 0)} to ${count(state.range.end - 1)}` : "";
  return el("div", { class: "kl-record-top kl-panel" },
    el("div", { class: "kl-record-title" },
      el("strong", {}, el("bdi", {}, shorten(state.topic, 60)), ` · P${state.partition}`, state.offset >= 0 ? ` · offset ${count(state.offset)}` : ""),
      el("span", { class: "kl-soft" }, range), batch ? pills(batch) : null),
    el("div", { class: "kl-record-steps" },
      step("previous_batch", "◀◀ batch", "the batch before", steps.previous_batch), step("previous", "◀ record", "the record before", steps.previous), form,
      step("next", "record ▶", "the next record", steps.next), step("next_batch", "batch ▶▶", "the next batch", steps.next_batch),
      el("button", { class: "kl-button", "data-step": "newest", disabled: !live, onclick: () => go(null) }, "newest")),
    state.read ? el("div", { class: "kl-record-where kl-soft" }, `${state.read.words}${state.read.segment || state.recorded ? "" : " (its disks cannot be read)"}`) : null);
}

function pills(batch: BatchFacts) {
  const compressed = batch.codec === "none" ? "not compressed" : batch.unpacked ? `${batch.codec}, ${count(batch.unpacked)} → ${count(batch.size - 61)} bytes` : batch.codec;
  return [
    el("span", { class: "kl-pill" }, batch.control ? "control batch: a transaction's marker" : `batch of ${count(batch.count)} record${batch.count === 1 ? "" : "s"}`),
    el("span", { class: "kl-pill" }, compressed),
    el("span", { class: `kl-pill ${batch.valid ? "kl-right" : "kl-wrong"}` }, batch.valid ? "✓ CRC" : "✗ CRC: damaged"),
  ];
}

/** Draws the records of the batch as cells; a click goes to one.
 * @param asks as in bar() */
export function batchStrip(state: Picture, go: (offset: number) => void, asks: boolean = true) {
  const { strip, offset } = state;
  const live = state.live && asks;
  if (!strip || strip.cells.length === 0) return el("span", {});
  const cells = strip.cells.map((cell) => {
    const mine = cell.offset === offset;
    const key = cell.key === null ? "no key" : `key ${shorten(cell.key, 40)}`;
    return el("button", { class: `kl-cell${mine ? " kl-here" : ""}`, "data-step": `cell-${cell.offset}`,
      "aria-current": mine ? "true" : null, "aria-disabled": String(!live && !mine), "aria-label": `record at offset ${cell.offset}, ${key}, ${cell.size} bytes`, title: `offset ${cell.offset} · ${key} · ${cell.size} bytes`, onclick: () => live && !mine && go(cell.offset) }, String(cell.offset));
  });
  const more = (n: number) => (n ? el("span", { class: "kl-soft" }, `… ${count(n)} more`) : null);
  return el("div", { class: "kl-record-cells", role: "group", "aria-label": "records of this batch" }, el("span", { class: "kl-soft" }, "in this batch"), more(strip.before), cells, more(strip.after));
}

/** Draws the copies of the batch on their brokers: which one was read, and how the others compare with it. */
export function copies(state: Picture, read: (broker: number) => void) {
  const found = Object.entries(state.copies);
  if (!found.length) return el("span", {});
  const chips = found.map(([broker, copy]) => {
    const shown = copy.copy === "shown" || copy.copy === "unread";
    return el("button", { class: `kl-button kl-copy kl-copy-${copy.copy}`, "data-step": `copy-${broker}`, "aria-disabled": String(shown || !state.live), "aria-pressed": String(copy.copy === "shown"), onclick: () => !shown && state.live && read(Number(broker)) },
      `${PARTS[copy.part] ?? ""} ${broker}`, el("small", {}, ` ${{ same: "= ", differs: "≠ ", missing: "∅ " }[copy.copy as string] ?? ""}${COPY[copy.copy]}`));
  });
  return el("div", { class: "kl-record-copies-row", role: "group", "aria-label": "copies of this batch" }, el("span", { class: "kl-soft" }, "copies of the batch"), chips);
}

const SHARE: Record<string, string> = { "batch header": "place", keys: "key", values: "value", headers: "header", overhead: "length" };
const SIGN: Record<string, string> = { "batch header": "#", keys: "K", values: "V", headers: "H", overhead: "L" };

/** Draws the shares of the bytes; with compression, packed and unpacked on one scale. */
export function shareBars(bars: Bar[]) {
  const longest = Math.max(1, ...bars.map((b) => b.bytes));
  return el("div", { class: "kl-shares" }, bars.map((b) =>
    el("div", { class: "kl-share-row" },
      el("span", { class: "kl-soft" }, `${b.bar}, ${count(b.bytes)} bytes`),
      el("div", { class: "kl-share", style: { width: `${(100 * b.bytes) / longest}%` } }, b.parts.map((p) =>
        el("span", { class: `kl-share-part kl-kind-${SHARE[p.part] ?? "packed"}`, style: { "flex-grow": String(p.bytes) }, title: `${p.part}: ${p.bytes} bytes` }))),
      el("span", { class: "kl-share-words" }, b.parts.map((p) =>
        el("span", {}, el("span", { class: `kl-kind kl-kind-${SHARE[p.part] ?? "packed"}`, "aria-hidden": "true" }, SIGN[p.part] ?? "Z"), ` ${p.part} ${count(p.bytes)} (${percent(p.bytes, b.bytes)} %)`))))));
}

/** Formats a share in percent; a share above 0 is never "0". */
export function percent(part: number, whole: number) {
  const share = (100 * part) / whole;
  return share > 0 && share < 1 ? "< 1" : share > 99 && share < 100 ? "> 99" : String(Math.round(share));
}
