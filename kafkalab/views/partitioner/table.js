// The tables of what the brokers really did: list the topic's keys beside their calculation, and the records sent from here.

import { count, el, shorten } from "../shared.js";
import { astray } from "./moves.js";
import { partitionChip } from "./sum.js";

/** @typedef {import("./moves.js").Key} Key */

const MOST_ROWS = 60;

/**
 * Draws a row per key, those that lie elsewhere first.
 * @param {[string, Key][]} keys
 * @param {number} partitions
 * @param {(id: string) => void} choose
 */
export function keyTable(keys, partitions, choose) {
  const order = [...keys].sort(([, a], [, b]) => Number(astray(b, partitions)) - Number(astray(a, partitions)));
  const rows = order.slice(0, MOST_ROWS).map(([id, key]) => {
    const wrong = astray(key, partitions);
    const places = Object.entries(key.at).map(([p, [records]]) => el("span", { class: "kl-place" }, partitionChip(Number(p)), el("small", { class: "kl-soft" }, ` × ${count(records)}`)));
    return el("tr", { class: wrong ? "kl-row-astray" : "" },
      el("th", { scope: "row" }, el("button", { class: "kl-button kl-key-button", "data-row": id, onclick: () => choose(id) }, el("bdi", {}, shorten(key.text, 28) || "(empty)"))),
      el("td", {}, partitionChip(key.hash % partitions)), el("td", {}, places),
      el("td", { class: wrong ? "kl-no" : "kl-yes" }, wrong ? "✗" : "✓", el("span", { class: "kl-hidden" }, wrong ? "elsewhere" : "as calculated")));
  });
  return [
    el("table", { class: "kl-key-table" },
      el("thead", {}, el("tr", {}, ["key", "calculated", "really in", ""].map((word) => el("th", { scope: "col" }, word)))), el("tbody", {}, rows)),
    keys.length > MOST_ROWS ? el("p", { class: "kl-soft" }, `and ${count(keys.length - MOST_ROWS)} more keys`) : null,
  ].filter((node) => node !== null);
}

/**
 * Draws the records sent from here, newest first.
 * @param {any[]} sent
 */
export function sentList(sent) {
  if (!sent.length) return el("p", { class: "kl-soft" }, "Nothing was sent from here yet.");
  return el("ol", { class: "kl-sent" }, [...sent].sort((a, b) => b.n - a.n).map((one) => {
    const right = one.calculated === one.partition;
    const why = one.calculated === null ? `no key: ${one.partitioner === "sticky" ? "sticky, one partition for a while" : "a random partition"}` : right ? "✓ as calculated" : `✗ calculated P${one.calculated}`;
    return el("li", { "data-sent": one.n }, el("bdi", {}, one.key === null ? el("i", {}, "null") : shorten(one.key, 24)), " → ", partitionChip(one.partition), ` offset ${count(one.offset)} `, el("span", { class: one.calculated === null ? "kl-soft" : right ? "kl-yes" : "kl-no" }, why));
  }));
}
