// The list of a batch's fields: draws them, and explains the chosen one.

import { count, el, shorten } from "../shared.js";

/**
 * A field from kafkalab/views/record/picture.py: `hex` its first bytes, `cut` the number left out, `tail` its last bytes.
 * @typedef {{ id: string, name: string, short: string, at: number, size: number, kind: string, value: string, meaning: string,
 *   encoding: string, hex: string, cut: number, tail: string, steps?: string, bits?: string[][], right?: boolean, text?: boolean, goto?: number }} Item
 * @typedef {{ id: string, title: string, at: number, items: Item[] }} Block
 */

/** Kind of field → [sign, meaning]; the same as KINDS in picture.py. @type {Record<string, [string, string]>} */
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

/** Splits hexadecimal digits: "410a" → ["41", "0a"]. @param {string} hex @returns {string[]} */
export function pairs(hex) {
  return hex.match(/../g) ?? [];
}

/**
 * Draws one list box over all blocks: the arrow keys go through every field of the batch.
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
 * Draws everything about one field.
 * @param {Item} item
 * @param {((offset: number) => void) | null} go null when there is no kernel to ask for another record
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

/** Draws the groups of a varint in a font in which they stand below each other. @param {string} text */
function steps(text) {
  const [bits, rest] = [text.slice(0, text.indexOf(":")), text.slice(text.indexOf(":"))];
  return [el("code", { class: "kl-mono" }, bits), rest];
}

/** Draws the attributes, highest bit first, as numbers are written. @param {Item} item */
function bitRow(item) {
  return el("table", { class: "kl-bits" },
    el("tbody", {}, [...(item.bits ?? [])].map(([bits, value, name, says]) =>
      el("tr", {}, el("th", { scope: "row" }, `bit${bits.length > 1 ? "s" : ""} ${bits}`), el("td", {}, el("code", { class: "kl-mono" }, value)), el("td", {}, name), el("td", {}, el("b", {}, says))))));
}
