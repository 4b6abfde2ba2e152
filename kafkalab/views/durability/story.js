// The story of one cell: shows what was done, what the producer was told, and what became of each record.

import { count, el, shorten } from "../shared.js";
import { FAULTS, SIGNS, ranged, said, settingOf } from "./words.js";

/** @typedef {import("./words.js").Cell} Cell */

const SPELLS = /** @type {Record<string, string>} */ ({
  calm: "while all is calm",
  "followers stand still": "while the followers stand still",
  "leader stands still": "while the leader stands still, too",
});

/**
 * @param {HTMLElement} box
 * @param {{ name: string, cell: Cell, steps: string[], records: number }} what
 */
export function story(box, { name, cell, steps, records }) {
  const { acks, least, up, fault } = settingOf(name);
  const zero = acks === "0";
  const counted = cell.sent === null ? [el("p", { class: "kl-soft" }, `Nothing has been sent here yet; a run sends ${count(records)} records.`)] : [
    el("dl", { class: "kl-dm-counts" }, counts(cell, zero)),
    el("div", { class: "kl-dm-scroll", tabindex: 0, role: "region", "aria-label": "what the producer was told" },
      el("table", { class: "kl-dm-spells" },
        el("caption", {}, "What the producer was told"),
        el("thead", {}, el("tr", {}, ["records sent", "sent", zero ? "handed over" : "acknowledged", "lost", "the rest, verbatim"].map((word) => el("th", { scope: "col" }, word)))),
        el("tbody", {}, cell.spells.map((spell) => row(spell, up, cell))))),
  ];
  box.replaceChildren(
    el("h4", { class: "kl-dm-story-title" }, el("code", {}, `acks=${acks}`), " · ", el("code", {}, `min.insync.replicas=${least}`), ` · ${up} of 3 brokers up · leader ${FAULTS[fault]}`),
    el("p", { class: `kl-dm-story-verdict kl-dm-verdict-${cell.verdict.replace(" ", "-")}` }, el("b", {}, `${SIGNS[cell.verdict] ?? ""} ${said(cell)}`), cell.why ? ` ${shorten(cell.why, 400)}` : ""),
    el("div", { class: "kl-dm-columns" },
      el("div", {}, counted,
        cell.lost ? el("p", { class: "kl-dm-lost-ids" }, el("b", {}, `✗ ${count(cell.lost)} lost, by id: `), el("span", { class: "kl-mono" }, shorten(cell.lost_words || ranged(cell.lost_ids, cell.lost), 400))) : ""),
      steps.length ? el("details", { class: "kl-dm-steps", open: true }, el("summary", {}, "What was done"), el("ol", {}, steps.map((line) => el("li", {}, shorten(line, 300))))) : ""),
  );
}

/** @param {Cell} cell @param {boolean} zero */
function counts(cell, zero) {
  const rows = /** @type {[string, number | null][]} */ ([["sent", cell.sent], [zero ? "handed over" : "acknowledged", cell.acknowledged], ["not acknowledged", cell.refused], ["seen", cell.seen], ["lost", cell.lost], ["duplicated", cell.duplicated]]);
  return rows.map(([word, n]) => el("div", { class: word === "lost" && n ? "kl-dm-count kl-dm-count-bad" : "kl-dm-count" }, el("dt", {}, word), el("dd", {}, n === null ? "–" : count(n), word === "lost" && n ? " ✗" : word === "lost" && n === 0 ? " ✓" : "")));
}

/** @param {import("./words.js").Spell} spell @param {number} up @param {Cell} cell */
function row(spell, up, cell) {
  const alone = up === 1 && spell.name === "followers stand still";
  const rest = spell.sent - spell.acknowledged;
  const told = spell.errors.map((error) => `${count(error.times)} × ${shorten(error.said || error.error, 160)}`);
  const open = cell.state === "running" && rest > 0 && !told.length ? ["no answer yet"] : [];
  return el("tr", {}, el("th", { scope: "row" }, alone ? "still alone" : SPELLS[spell.name] ?? shorten(spell.name)), el("td", {}, count(spell.sent)), el("td", {}, count(spell.acknowledged)), el("td", {}, cell.state === "done" ? count(spell.lost) : "–"),
    el("td", { class: "kl-dm-told" }, [...told, ...open].map((line) => el("div", {}, line))));
}
