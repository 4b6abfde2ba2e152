// The list of a batch's fields, and what is told of one of them.

import { count, el, shorten } from "../shared.js";

/**
 * A field, as kafkalab/views/record/picture.py gives it. `hex` are its first bytes, `cut` so many that are left out, `tail` its last.
 * @typedef {{ id: string, name: string, short: string, at: number, size: number, kind: string, value: string, meaning: string,
 *   encoding: string, hex: string, cut: number, tail: string, steps?: string, bits?: string[][], right?: boolean, text?: boolean, goto?: number }} Item
 * @typedef {{ id: string, title: string, at: number, items: Item[] }} Block
 */

/** What a field is about: its sign and its meaning; as KINDS in picture.py. @type {Record<string, [string, string]>} */
export const KINDS = {
  place: ["#", "offset or epoch"],
  length: ["L", "length or count"],
  check: ["C", "format and checksum"],
  flags: ["F", "flags"],
  time: ["T", "timestamp"],
  producer: ["P", "producer"],
  key: ["K", "key"],
  value: ["V", "value"],
  header: ["H", "header of a record"],
  packed: ["Z", "compressed records"],
  other: ["·", "another record"],
};

/** @param {string} kind */
const sign = (kind) => el("span", { class: `kl-kind kl-kind-${kind}`, "aria-hidden": "true" }, KINDS[kind][0]);

/** "41 0a" → ["41", "0a"]. @param {string} hex @returns {string[]} */
export function pairs(hex) {
  return hex.match(/../g) ?? [];
}

/**
 * One list box over all blocks: arrow keys walk through every field of the batch.
 * @param {Block[]} blocks
 */
export function fieldList(blocks) {
  if (!blocks.length) return [];
  const groups = blocks.map((block) => {
    const heading = block.items[0]?.id === "base_offset" ? "batch header" : "records, unpacked";
    const rows = block.items.flatMap((item) => [
      item.id === "record_length" ? el("div", { class: "kl-record-head", role: "presentation" }, "this record") : null,
      el("div", { role: "option", class: "kl-field", "data-field": item.id, tabindex: -1, "aria-selected": "false" },
        sign(item.kind), el("span", { class: "kl-field-name" }, shorten(item.name, 60)),
        el("bdi", { class: `kl-field-value kl-mono${item.right === false ? " kl-wrong" : ""}` }, shorten(item.value, 34))),
    ]);
    return [el("div", { class: "kl-record-head", role: "presentation" }, heading), rows];
  });
  return [el("h4", { class: "kl-title" }, "Fields"), el("div", { role: "listbox", "aria-label": "Fields of the batch, in the order of their bytes", class: "kl-fields" }, groups)];
}

/**
 * Everything about one field.
 * @param {Item} item
 * @param {((offset: number) => void) | null} go null where nobody could be asked for it
 */
export function explained(item, go) {
  const bytes = pairs(item.hex);
  const few = bytes.slice(0, 24).join(" ") + (item.size > 24 ? " …" : "");
  return [
    el("div", { class: "kl-told-head" }, sign(item.kind), el("strong", {}, shorten(item.name, 80)),
      el("span", { class: "kl-soft" }, `byte ${count(item.at)}${item.size > 1 ? ` to ${count(item.at + item.size - 1)}` : ""} · ${count(item.size)} byte${item.size === 1 ? "" : "s"}`),
      item.goto === undefined || !go ? null : el("button", { class: "kl-button", onclick: () => go(/** @type {number} */ (item.goto)) }, `look at offset ${item.goto}`)),
    item.bits ? bitRow(item) : el("div", { class: "kl-told-value" }, el("code", { class: "kl-mono" }, few), el("span", { "aria-hidden": "true" }, "→"), el("bdi", { class: item.right === false ? "kl-wrong" : "" }, shorten(item.value, 300))),
    el("p", {}, item.meaning),
    el("p", { class: "kl-soft" }, `Written as: ${item.encoding}.`),
    item.steps ? el("p", { class: "kl-told-steps" }, ...steps(item.steps)) : null,
  ].filter((node) => node !== null);
}

/** The sevens of a varint in a type in which they stand under each other. @param {string} text */
function steps(text) {
  const [bits, rest] = [text.slice(0, text.indexOf(":")), text.slice(text.indexOf(":"))];
  return [el("code", { class: "kl-mono" }, bits), rest];
}

/** Attributes, the highest bit first as one writes numbers. @param {Item} item */
function bitRow(item) {
  return el("table", { class: "kl-bits" },
    el("tbody", {}, [...(item.bits ?? [])].map(([bits, value, name, says]) =>
      el("tr", {}, el("th", { scope: "row" }, `bit${bits.length > 1 ? "s" : ""} ${bits}`), el("td", {}, el("code", { class: "kl-mono" }, value)), el("td", {}, name), el("td", {}, el("b", {}, says))))));
}
