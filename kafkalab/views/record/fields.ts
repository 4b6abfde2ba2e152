// The list of a batch's fields: draws them, and explains the chosen one.

import { count, el, shorten } from "../shared.ts";
import { sign } from "./bar.ts";
import type { ByteBlock as Block, Item } from "./picture";

/** Splits hexadecimal digits: "410a" → ["41", "0a"]. */
function pairs(hex: string) {
  return hex.match(/../g) ?? [];
}

/** Draws one list box over all blocks: the arrow keys go through every field of the batch. */
export function fieldList(blocks: Block[]) {
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

/** Draws everything about one field.
 * @param go null when there is no kernel to ask for another record */
export function explained(item: Item, go: ((offset: number) => void) | null) {
  const bytes = pairs(item.hex);
  const few = bytes.slice(0, 24).join(" ") + (item.size > 24 ? " …" : "");
  return [
    el("div", { class: "kl-told-head" }, sign(item.kind), el("strong", {}, shorten(item.name, 80)),
      el("span", { class: "kl-soft" }, `byte ${count(item.at)}${item.size > 1 ? ` to ${count(item.at + item.size - 1)}` : ""} · ${count(item.size)} byte${item.size === 1 ? "" : "s"}`),
      item.goto !== null && go && el("button", { class: "kl-button", onclick: () => go(item.goto as number) }, `look at offset ${item.goto}`)),
    item.bits.length ? bitRow(item) : el("div", { class: "kl-told-value" }, el("code", { class: "kl-mono" }, few), el("span", { "aria-hidden": "true" }, "→"), el("bdi", { class: item.right === false ? "kl-wrong" : "" }, shorten(item.value, 300))),
    el("p", {}, item.meaning),
    el("p", { class: "kl-soft" }, `Written as: ${item.encoding}.`),
    // The groups of a varint, in a font in which they stand below each other, and what they say.
    item.steps && el("p", { class: "kl-told-steps" }, item.steps.split(/(?=:)/).map((part, i) => (i ? part : el("code", { class: "kl-mono" }, part)))),
  ];
}

/** Draws the attributes, highest bit first, as numbers are written. */
function bitRow(item: Item) {
  return el("table", { class: "kl-bits" },
    el("tbody", {}, item.bits.map(({ bits, value, name, says }) =>
      el("tr", {}, el("th", { scope: "row" }, `bit${bits.length > 1 ? "s" : ""} ${bits}`), el("td", {}, el("code", { class: "kl-mono" }, value)), el("td", {}, name), el("td", {}, el("b", {}, says))))));
}

// --- The dump of a batch: draws its bytes in rows, as position, hexadecimal and text. A box around a field's bytes bears its name.

export type Row = { at: number; cells: { item: Item; byte: string; at: number }[]; gap?: { item: Item; bytes: number } };

/** Returns the bytes of a block in rows of `width`; after bytes that are left out, a new row begins. */
export function rowsOf(items: Item[], width: number) {
  const rows: Row[] = [];
  let cells: Row["cells"] = [];
  const end = () => {
    if (cells.length) rows.push({ at: cells[0].at, cells });
    cells = [];
  };
  for (const item of items) {
    let at = item.at;
    // A record begins a row, so that its beginning is visible and its position stands beside it.
    if (item.kind === "other" || item.id === "record_length") end();
    const put = (hex: string) => {
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

/** Returns the parts of fields that lie in one row: [item, first cell, number of cells]. */
export function pieces(row: Row): [Item, number, number][] {
  const found: [Item, number, number][] = [];
  row.cells.forEach(({ item }, i) => {
    const last = found[found.length - 1];
    if (last && last[0] === item) last[2] += 1;
    else found.push([item, i, 1]);
  });
  return found;
}

export function dump(blocks: Block[], perRow: number) {
  return blocks.map((block) => {
    const named: Set<string> = new Set();
    const rows = rowsOf(block.items, perRow);
    const lines = rows.map((row, i) => (row.gap ? gapLine(block, row, row.gap) : line(block, row, rows[i + 1], named)));
    return el("section", { class: "kl-dump", style: { "--kl-per-row": String(perRow) } },
      el("h4", { class: "kl-title" }, block.title),
      // Hidden from screen readers, because the list of fields says the same and can be read out.
      el("div", { class: "kl-dump-rows kl-mono", "aria-hidden": "true" }, lines));
  });
}

function gapLine(block: Block, row: Row, gap: { item: Item; bytes: number }) {
  return el("div", { class: "kl-dump-gap", "data-field": gap.item.id },
    el("span", { class: "kl-dump-at" }, count(block.at + row.at)), el("span", {}, `… ${count(gap.bytes)} bytes of ${gap.item.name} not shown`));
}

function line(block: Block, row: Row, next: Row | undefined, named: Set<string>) {
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

/** Returns a byte as an ASCII letter, or a dot. */
export function letter(byte: string) {
  const code = Number.parseInt(byte, 16);
  return code >= 32 && code < 127 ? String.fromCharCode(code) : "·";
}
