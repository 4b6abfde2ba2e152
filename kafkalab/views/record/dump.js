// The dump of a batch: draws its bytes in rows, as position, hexadecimal and text. A box around a field's bytes bears its name.

import { count, el } from "../shared.js";
import { pairs } from "./fields.js";

/** @typedef {import("./fields.js").Item} Item */
/** @typedef {import("./fields.js").Block} Block */
/** @typedef {{ at: number, cells: { item: Item, byte: string, at: number }[], gap?: { item: Item, bytes: number } }} Row */

/**
 * Returns the bytes of a block in rows of `width`; after bytes that are left out, a new row begins.
 * @param {Item[]} items
 * @param {number} width
 * @returns {Row[]}
 */
export function rowsOf(items, width) {
  /** @type {Row[]} */ const rows = [];
  /** @type {Row["cells"]} */ let cells = [];
  const end = () => {
    if (cells.length) rows.push({ at: cells[0].at, cells });
    cells = [];
  };
  for (const item of items) {
    let at = item.at;
    // A record begins a row, so that its beginning is visible and its position stands beside it.
    if (item.kind === "other" || item.id === "record_length") end();
    const put = (/** @type {string} */ hex) => {
      for (const byte of pairs(hex)) {
        cells.push({ item, byte, at });
        at += 1;
        if (cells.length === width) end();
      }
    };
    put(item.hex);
    if (item.cut) {
      end();
      rows.push({ at, cells: [], gap: { item, bytes: item.cut } });
      at += item.cut;
    }
    put(item.tail);
    if (item.kind === "other") end();
  }
  end();
  return rows;
}

/**
 * Returns the parts of fields that lie in one row: [item, first cell, number of cells].
 * @param {Row} row
 * @returns {[Item, number, number][]}
 */
export function pieces(row) {
  /** @type {[Item, number, number][]} */ const found = [];
  row.cells.forEach(({ item }, i) => {
    const last = found[found.length - 1];
    if (last && last[0] === item) last[2] += 1;
    else found.push([item, i, 1]);
  });
  return found;
}

/**
 * @param {Block[]} blocks
 * @param {number} width bytes per row
 */
export function dump(blocks, width) {
  return blocks.map((block) => {
    /** @type {Set<string>} */ const named = new Set();
    const rows = rowsOf(block.items, width);
    const lines = rows.map((row, i) => (row.gap ? gapLine(block, row, row.gap) : line(block, row, rows[i + 1], named)));
    return el("section", { class: "kl-dump", style: { "--kl-per-row": String(width) } },
      el("h4", { class: "kl-title" }, block.title),
      // Hidden from screen readers, because the list of fields says the same and can be read out.
      el("div", { class: "kl-dump-rows kl-mono", "aria-hidden": "true" }, lines));
  });
}

/** @param {Block} block @param {Row} row @param {{ item: Item, bytes: number }} gap */
function gapLine(block, row, gap) {
  return el("div", { class: "kl-dump-gap", "data-field": gap.item.id },
    el("span", { class: "kl-dump-at" }, count(block.at + row.at)), el("span", {}, `… ${count(gap.bytes)} bytes of ${gap.item.name} not shown`));
}

/** @param {Block} block @param {Row} row @param {Row | undefined} next @param {Set<string>} named */
function line(block, row, next, named) {
  const boxes = pieces(row).map(([item, first, size]) => {
    const last = first + size - 1;
    const begins = row.cells[first].at === item.at;
    const ends = row.cells[last].at === item.at + item.size - 1;
    // The name stands over the longer of two parts, where there is room for it.
    const more = next?.cells.filter((c) => c.item === item).length ?? 0;
    const name = !named.has(item.id) && (size >= 3 || size >= more || ends) ? (named.add(item.id), item.short) : null;
    return el("span", { class: `kl-box kl-kind-${item.kind}${begins ? " kl-begins" : ""}${ends ? " kl-ends" : ""}`, "data-field": item.id, style: { "grid-column": `${first + 1} / span ${size}` } },
      name ? el("span", { class: "kl-box-name" }, name) : null,
      row.cells.slice(first, last + 1).map(({ byte }) => el("span", { class: "kl-byte" }, byte)));
  });
  const text = pieces(row).map(([item, first, size]) =>
    el("span", { class: `kl-kind-${item.kind} kl-chars`, "data-field": item.id }, row.cells.slice(first, first + size).map(({ byte }) => letter(byte)).join("")));
  const bare = boxes.every((box) => !box.querySelector(".kl-box-name"));
  return el("div", { class: `kl-dump-row${bare ? " kl-bare" : ""}` }, el("span", { class: "kl-dump-at" }, count(block.at + row.at)), el("span", { class: "kl-boxes" }, boxes), el("span", { class: "kl-dump-text" }, text));
}

/** Returns a byte as an ASCII letter, or a dot. @param {string} byte */
export function letter(byte) {
  const code = Number.parseInt(byte, 16);
  return code >= 32 && code < 127 ? String.fromCharCode(code) : "·";
}
