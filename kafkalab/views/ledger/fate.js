// The fate of one record: asks the kernel about an id, and shows which of the three stations the record reached.

import { el, shorten } from "../shared.js";

/**
 * The fate of a record, as Ledger.fate returns it.
 * @typedef {{ id: string, sent: number | null, key: string | null, acknowledged: boolean, seen: boolean, lost: boolean, read_again: boolean, out_of_order: boolean, positions: string[] }} Fate
 * @typedef {{ live: boolean, moving: boolean, ids: Record<string, string[]>, counts: Record<string, number> }} Picture
 */

export const WORDS = /** @type {Record<string, [string, string, string]>} */ ({
  lost: ["✗", "lost", "acknowledged, and never seen"],
  duplicated: ["⇉", "duplicated", "in the log more than once"],
  out_of_order: ["⇄", "out of order", "in the log behind a record of the same key that was sent later"],
  redelivered: ["↻", "read again", "read more than once; the log holds it once"],
  unacknowledged: ["⊘", "not acknowledged", "sent, and nobody promised to keep it"],
  strangers: ["◇", "sent by others", "seen, and not sent through this ledger"],
});

/** Returns the kinds that list an id. @param {Picture} picture @param {string} id @returns {string[]} */
export function listedAs(picture, id) {
  return Object.keys(picture.ids).filter((kind) => picture.ids[kind].includes(id));
}

/**
 * Returns the fate of a record in a sentence or more.
 * @param {Fate} fate
 * @param {boolean} moving
 */
export function sentence(fate, moving) {
  if (fate.sent === null && !fate.seen && !fate.acknowledged) return "The ledger knows no record of this id.";
  if (fate.lost) return moving ? "It was acknowledged and has not been seen yet." : "It is lost: a broker acknowledged it, and nobody ever saw it.";
  if (!fate.seen) return "It was sent and not acknowledged: nobody promised to keep it, and nobody has seen it.";
  const said = [];
  if (fate.sent === null) said.push("It was seen, and was not sent through this ledger.");
  else if (!fate.acknowledged) said.push("It was never acknowledged, and is in the log all the same.");
  if (fate.positions.length > 1) said.push("It lies in the log more than once.");
  if (fate.out_of_order) said.push("It came late: a record of its key that was sent later lies before it.");
  if (fate.read_again) said.push("It was read more than once from the same place.");
  return said.length ? said.join(" ") : "It arrived, once.";
}

/**
 * @param {(id: string) => void} find asks the kernel
 * @returns {{ form: HTMLElement, told: HTMLElement, ask(id: string): void, answer(fate: Fate): void, state(picture: Picture): void }}
 */
export function finder(find) {
  /** @type {Picture | null} */ let picture = null;
  const input = /** @type {HTMLInputElement} */ (el("input", { class: "kl-lg-input kl-mono", type: "text", "aria-label": "id of a record", placeholder: "T0042-000017", spellcheck: "false", autocomplete: "off", maxlength: 400 }));
  const told = el("div", { class: "kl-lg-told", role: "status" });
  const form = el("form", { class: "kl-lg-find", onsubmit: (/** @type {Event} */ event) => {
    event.preventDefault();
    if (input.value.trim()) ask(input.value.trim());
  } }, el("label", {}, el("span", {}, "What became of "), input), el("button", { class: "kl-button", type: "submit" }, "find"));

  function ask(/** @type {string} */ id) {
    input.value = id;
    if (picture?.live) {
      told.replaceChildren(el("span", { class: "kl-soft" }, "asking…"));
      find(id);
      return;
    }
    const kinds = picture ? listedAs(picture, id) : [];
    const words = kinds.map((kind) => `${WORDS[kind][0]} ${WORDS[kind][1]}`).join(", ");
    told.replaceChildren(el("bdi", { class: "kl-mono" }, shorten(id, 60)), kinds.length ? `: ${words}.` : " is not among the ids that this picture lists; it keeps only the first of each kind.");
  }

  function answer(/** @type {Fate} */ fate) {
    const known = fate.sent !== null || fate.seen || fate.acknowledged;
    const step = (/** @type {boolean} */ good, /** @type {string} */ yes, /** @type {string} */ no, /** @type {string} */ sign = "✗") => el("span", { class: `kl-lg-step ${good ? "kl-lg-yes" : "kl-lg-no"}` }, `${good ? "✓" : sign} ${good ? yes : no}`);
    told.replaceChildren(
      el("div", { class: "kl-lg-fate-id" }, el("bdi", { class: "kl-mono" }, shorten(fate.id, 80)), fate.key === null ? "" : el("span", { class: "kl-soft" }, " key ", el("bdi", { class: "kl-mono" }, shorten(fate.key, 40)))),
      known ? el("div", { class: "kl-lg-steps" }, step(fate.sent !== null, `sent, as number ${fate.sent}`, "not sent here", "◇"), " → ", step(fate.acknowledged, "acknowledged", "not acknowledged", "⊘"), " → ",
        step(fate.seen, "seen", picture?.moving ? "not seen yet" : "never seen", picture?.moving ? "◌" : "✗")) : "",
      fate.positions.length ? el("div", { class: "kl-lg-places" }, fate.positions.map((place) => el("span", { class: "kl-pill kl-mono" }, shorten(place, 60)))) : "",
      el("p", {}, sentence(fate, Boolean(picture?.moving))));
  }

  return { form, told, ask, answer, state: (now) => {
    picture = now;
  } };
}
