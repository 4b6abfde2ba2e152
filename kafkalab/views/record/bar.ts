// The parts around RecordView's bytes: draws the bar with its steps, the batch's records, its copies, and the shares of bytes.

import { count, el, shorten } from "../shared.ts";
import KINDS from "./kinds.json" with { type: "json" };
import type { Bar, Picture } from "./picture";

type Go<To> = ((to: To) => void) | null;

/** Draws the sign of a kind of field. */
export const sign = (kind: keyof typeof KINDS) => el("span", { class: `kl-kind kl-kind-${kind}`, "aria-hidden": "true" }, KINDS[kind][0]);

/** Draws the title, the source of the bytes, and the steps to other records.
 * @param go leads to an offset, or to the newest record; null when nobody can be asked for another one */
export function bar(state: Picture, go: Go<number | null>) {
  const { facts, valid, steps } = state;
  const step = (id: keyof typeof steps, text: string, label: string) => {
    const to = steps[id], able = go && to !== null;
    return el("button", { class: "kl-button", "data-key": id, "aria-label": label, title: label, "aria-disabled": String(!able), onclick: () => able && go(to) }, text);
  };
  const wanted = el("input", { class: "kl-record-offset", type: "number", min: 0, step: 1, value: Math.max(0, state.offset), "aria-label": "offset to look at",
    "data-key": "offset", disabled: !go });
  const form = el("form", { class: "kl-record-go", onsubmit: (event: Event) => {
    event.preventDefault();
    if (Number.isSafeInteger(wanted.valueAsNumber) && wanted.valueAsNumber >= 0) go?.(wanted.valueAsNumber);
  } }, el("label", {}, "offset ", wanted), el("button", { class: "kl-button", type: "submit", disabled: !go }, "go"));
  const { start, end } = state;
  const range = end !== null && end > (start ?? 0) ? `of ${count(start ?? 0)} to ${count(end - 1)}` : "";
  return el("div", { class: "kl-record-top kl-panel" },
    el("div", { class: "kl-record-title" },
      el("strong", {}, el("bdi", {}, shorten(state.topic, 60)), ` · P${state.partition}`, state.offset >= 0 ? ` · offset ${count(state.offset)}` : ""),
      el("span", { class: "kl-soft" }, range),
      facts.map((fact, i) => el("span", { class: `kl-pill${i < facts.length - 1 ? "" : valid ? " kl-right" : " kl-wrong"}` }, fact))),
    el("div", { class: "kl-record-steps" },
      step("previous_batch", "◀◀ batch", "the batch before"), step("previous", "◀ record", "the record before"), form,
      step("next", "record ▶", "the next record"), step("next_batch", "batch ▶▶", "the next batch"),
      el("button", { class: "kl-button", "data-key": "newest", disabled: !go, onclick: () => go?.(null) }, "newest")),
    state.read && el("div", { class: "kl-record-where kl-soft" }, state.read));
}

/** Draws the records of the batch as cells; a click goes to one. */
export function batchStrip({ strip, offset }: Picture, go: Go<number>) {
  if (!strip || strip.cells.length === 0) return null;
  const cells = strip.cells.map((cell) => {
    const mine = cell.offset === offset;
    const key = cell.key === null ? "no key" : `key ${shorten(cell.key, 40)}`;
    return el("button", { class: `kl-cell${mine ? " kl-here" : ""}`, "data-key": `cell-${cell.offset}`, "aria-current": mine ? "true" : null, "aria-disabled": String(!go && !mine),
      "aria-label": `record at offset ${cell.offset}, ${key}, ${cell.size} bytes`, title: `offset ${cell.offset} · ${key} · ${cell.size} bytes`, onclick: () => !mine && go?.(cell.offset) }, cell.offset);
  });
  const more = (n: number) => (n ? el("span", { class: "kl-soft" }, `… ${count(n)} more`) : null);
  return el("div", { class: "kl-record-cells", role: "group", "aria-label": "records of this batch" }, el("span", { class: "kl-soft" }, "in this batch"), more(strip.before), cells, more(strip.after));
}

/** Draws the copies of the batch on their brokers: which one was read, and how the others compare with it. */
export function copies({ copies, live }: Picture, read: (broker: number) => void) {
  if (!copies.length) return null;
  const chips = copies.map(({ broker, sign, copy, words }) => {
    const able = live && copy !== "shown" && copy !== "unread";
    return el("button", { class: `kl-button kl-copy kl-copy-${copy}`, "data-key": `copy-${broker}`, "aria-disabled": String(!able), "aria-pressed": String(copy === "shown"), onclick: () => able && read(broker) },
      `${sign} ${broker}`, el("small", {}, ` ${words}`));
  });
  return el("div", { class: "kl-record-copies-row", role: "group", "aria-label": "copies of this batch" }, el("span", { class: "kl-soft" }, "copies of the batch"), chips);
}

/** Draws the shares of the bytes; with compression, packed and unpacked on one scale. */
export function shareBars(bars: Bar[]) {
  const longest = Math.max(1, ...bars.map((b) => b.bytes));
  return el("div", { class: "kl-shares" }, bars.map((b) =>
    el("div", { class: "kl-share-row" },
      el("span", { class: "kl-soft" }, `${b.bar}, ${count(b.bytes)} bytes`),
      el("div", { class: "kl-share", style: { width: `${(100 * b.bytes) / longest}%` } }, b.parts.map((p) =>
        el("span", { class: `kl-share-part kl-kind-${p.kind}`, style: { "flex-grow": String(p.bytes) }, title: `${p.part}: ${p.bytes} bytes` }))),
      el("span", { class: "kl-share-words" }, b.parts.map((p) =>
        el("span", {}, sign(p.kind), ` ${p.part} ${count(p.bytes)} (${percent(p.bytes, b.bytes)} %)`))))));
}

/** Formats a share in percent; a share above 0 is never "0". */
export function percent(part: number, whole: number) {
  const share = (100 * part) / whole;
  return share > 0 && share < 1 ? "< 1" : share > 99 && share < 100 ? "> 99" : String(Math.round(share));
}
