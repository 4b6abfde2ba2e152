// The calculation from key to partition: draws it as stages in a row, and as a table of every step.

import { el, partitionColour, partitionInk } from "../shared.js";
import { hex32, POSITIVE, steps } from "./murmur2.js";

const MOST_BYTES = 32;
const MOST_WORDS = 16;

/** Draws a partition as in every view. @param {number} p */
export function partitionChip(p) {
  return el("span", { class: "kl-part-chip", style: { "--kl-c": partitionColour(p), "--kl-on": partitionInk(p) } }, `P${p}`);
}

/**
 * Draws the stages: bytes → murmur2 → without its sign → remainder → partition.
 * @param {Uint8Array} key
 * @param {number} partitions
 */
export function stages(key, partitions) {
  const { hash } = steps(key);
  const positive = hash & POSITIVE;
  const p = positive % partitions;
  const boxes = Array.from(key.slice(0, MOST_BYTES), (byte, i) =>
    el("span", { class: `kl-key-byte${i % 4 === 3 ? " kl-word-end" : ""}` }, el("b", {}, byte > 32 && byte < 127 ? String.fromCharCode(byte) : byte === 32 ? "␣" : "·"), el("span", {}, byte.toString(16).padStart(2, "0"))));
  return [
    stage(`${key.length} byte${key.length === 1 ? "" : "s"}`, el("span", { class: "kl-key-bytes kl-mono" }, boxes.length ? boxes : "no bytes", key.length > MOST_BYTES ? " …" : null), "as they are sent", "kl-sum-stage-bytes"),
    stage("murmur2", el("code", { class: "kl-mono" }, hex32(hash)), "32 bits"),
    stage("& 0x7fffffff", el("code", { class: "kl-mono" }, String(positive)), hash === positive ? "had no sign" : "without its sign"),
    stage(`mod ${partitions}`, el("code", { class: "kl-mono" }, String(p)), "the remainder"),
    stage("partition", partitionChip(p), "", "kl-sum-stage-result"),
  ];
}

/** @param {string} title @param {HTMLElement | SVGElement} what @param {string} said @param {string} more */
function stage(title, what, said, more = "") {
  return el("li", { class: `kl-sum-stage ${more}` }, el("span", { class: "kl-sum-stage-title" }, title), what, said ? el("small", { class: "kl-soft" }, said) : null);
}

/**
 * Draws every step of murmur2 as a table.
 * @param {Uint8Array} key
 */
export function stepTable(key) {
  const found = steps(key);
  const whole = found.words.length * 4;
  /** @type {[string, string, string, string][]} */
  const rows = [["start", "the seed ^ the length", `0x9747b28c ^ ${key.length}`, hex32(found.start)]];
  for (const word of found.words.slice(0, MOST_WORDS)) {
    rows.push([`bytes ${word.at}–${word.at + 3}`, "k, mixed; h × m ^ k", `${hex32(word.k)} → ${hex32(word.mixed)}`, hex32(word.hash)]);
  }
  if (found.words.length > MOST_WORDS) rows.push(["…", `${found.words.length - MOST_WORDS} words more`, "", ""]);
  if (found.tail !== null) {
    const left = Array.from(key.slice(whole), (b) => b.toString(16).padStart(2, "0")).join(" ");
    rows.push([`last ${key.length - whole}`, "h ^ what is left, × m", left, hex32(found.tail)]);
  }
  rows.push(["end", "h ^ h >>> 13, × m, h ^ h >>> 15", "", hex32(found.hash)]);
  return el("table", { class: "kl-steps" },
    el("thead", {}, el("tr", {}, ["bytes", "what is done", "with", "h"].map((word) => el("th", { scope: "col" }, word)))),
    el("tbody", {}, rows.map(([where, what, using, hash]) =>
      el("tr", {}, el("th", { scope: "row" }, where), el("td", {}, what), el("td", {}, el("code", { class: "kl-mono" }, using)), el("td", {}, el("code", { class: "kl-mono" }, hash))))));
}
