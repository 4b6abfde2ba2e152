// The words for a record: writes its card, which serves as its tooltip, and the sentence that a screen reader says of its cell.

import { count, el, shorten } from "../shared.js";
import { BLANK, UNREAD } from "./store.js";

const KINDS = { c: "transaction marker: committed", a: "transaction marker: aborted", x: "control record", u: "cannot be decoded" };

export function shownKey(cell) {
  return cell[4] === null ? "null" : shorten(cell[4], 60);
}

function bytesOf(n) {
  return n < 1000 ? `${n} bytes` : n < 1e6 ? `${(n / 1e3).toFixed(1)} kB` : `${(n / 1e6).toFixed(2)} MB`;
}

// Formats a time: 14:02:09.123, with the date when it is not today.
export function when(ms, now = Date.now()) {
  if (ms === null || ms < 0) return "no timestamp";
  const d = new Date(ms);
  const two = (n) => String(n).padStart(2, "0");
  const time = `${two(d.getHours())}:${two(d.getMinutes())}:${two(d.getSeconds())}.${String(d.getMilliseconds()).padStart(3, "0")}`;
  return new Date(now).toDateString() === d.toDateString() ? time : `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())} ${time}`;
}

/**
 * Returns a sentence about an offset of a lane.
 * @param {string} p @param {number} offset @param {any} cell null: no record there; BLANK: not recorded; undefined: not read
 * @param {any} lane @param {string | null} fate the outcome of its transaction @param {string} unread the words for a record that was not read
 */
export function sentence(p, offset, cell, lane, fate, unread = UNREAD) {
  const place = `partition ${p}, offset ${count(offset)}`;
  if (offset < lane.start) return `${place}: deleted, the log starts at ${count(lane.start)}`;
  if (offset >= lane.end) return `${place}: not written yet`;
  const pale = offset >= lane.high ? ", written but not committed yet" : "";
  if (cell === undefined) return `${place}: ${unread}${pale}`;
  if (cell === BLANK) return `${place}: not recorded`;
  if (cell === null) return `${place}: no record, it was compacted away`;
  if (KINDS[cell[1]]) return `${place}: ${KINDS[cell[1]]}`;
  const value = cell[5] === null ? "null, a tombstone" : shorten(cell[5], 120);
  const transaction = fate === "aborted" ? ", of an aborted transaction" : fate === "open" ? ", of a transaction still open" : "";
  // The sign on the cell must be part of its name: people who control the page by voice say what they see.
  const sign = cell[4] === null || cell[2] === cell[4] ? "" : `, drawn as ${shorten(cell[2], 4)}`;
  return `${place}: key ${shownKey(cell)}${sign}, value ${value}, ${when(cell[6])}, ${bytesOf(cell[7])}${transaction}${pale}`;
}

/** Returns the card of an offset: everything known about its record, as a list of terms. */
export function card(p, offset, cell, lane, fate, unread = UNREAD) {
  const rows = [];
  const add = (term, ...words) => rows.push(el("dt", {}, term), el("dd", {}, ...words));
  if (cell && !KINDS[cell[1]]) {
    add("key", cell[4] === null ? el("i", {}, "null: no key, any partition") : el("bdi", {}, shorten(cell[4], 160)));
    add("value", cell[5] === null ? el("i", {}, "null: a tombstone, compaction deletes the key") : el("bdi", { class: "kl-mono" }, shorten(cell[5], 160)));
    for (const [name, value] of cell[8] ?? []) {
      add("header", el("bdi", {}, shorten(name, 60)), " = ", value === null ? el("i", {}, "null") : el("bdi", { class: "kl-mono" }, shorten(value, 80)));
    }
    add("time", `${when(cell[6])}, ${cell[9]?.appended ? "by the broker" : "by the producer"}`);
    const batch = cell[9]?.batch === undefined ? "" : ` · batch from ${count(cell[9].batch)}${cell[9].codec ? `, ${cell[9].codec}` : ""}`;
    add("size", `${bytesOf(cell[7])}${batch}`);
    if (fate) add("transaction", `of producer ${cell[9].tx}, ${fate === "open" ? "no marker seen yet" : fate}`);
  } else if (cell && cell[1] === "u") {
    add("bytes", shorten(cell[5] ?? "", 160));
  } else if (cell) {
    add("marker", `${KINDS[cell[1]]}${cell[9]?.tx === undefined ? "" : `, producer ${cell[9].tx}`}`);
  }
  return [
    el("div", { class: "kl-log-card-head" }, el("b", {}, `P${p} · offset ${count(offset)}`), el("span", { class: "kl-soft" }, standing(offset, cell, lane, unread))),
    rows.length ? el("dl", {}, rows) : null,
  ];
}

function standing(offset, cell, lane, unread) {
  if (offset < lane.start) return "deleted: before the log start";
  if (cell === BLANK) return "not recorded: what was here, the recording does not hold";
  if (offset >= lane.high) return "written, not committed: a follower in the ISR lacks it";
  if (cell === undefined) return unread;
  if (cell === null) return "no record: compacted away";
  return "committed";
}
