// The controls of PartitionerView: the learner types a key, tries other numbers of partitions, and lists own keys.

import { el } from "../shared.js";
import { bytesOf } from "./murmur2.js";

const MOST_PARTITIONS = 60;

/**
 * @param {{ typed(): void, send(times: number): void, what(): void, grow(partitions: number): void, own(): void }} on
 */
export function controls(on) {
  const text = /** @type {HTMLInputElement} */ (el("input", { class: "kl-input kl-mono kl-key-input", type: "text", value: "T0042", "aria-label": "key", maxlength: 200, spellcheck: "false", autocomplete: "off", oninput: on.typed }));
  const as = select("what the key is", [["text", "as text"], ["hex", "as hex bytes"], ["null", "no key (null)"]], () => {
    text.disabled = as.value === "null";
    chooser.hidden = as.value !== "null";
    on.typed();
  });
  const partitioner = select("partitioner for records without a key", [["random", "random"], ["sticky", "sticky"]], on.typed);
  const chooser = el("label", { class: "kl-soft", hidden: true }, "partitioner ", partitioner);
  const one = el("button", { class: "kl-button kl-send", onclick: () => one.ariaDisabled !== "true" && on.send(1) }, "send it");
  const ten = el("button", { class: "kl-button", onclick: () => ten.ariaDisabled !== "true" && on.send(10) }, "send it 10 times");
  const keyRow = el("div", { class: "kl-key-row" }, el("label", { class: "kl-key-label" }, el("b", {}, "key "), text), as, chooser, one, ten);

  const number = /** @type {HTMLInputElement} */ (el("input", { class: "kl-input", type: "number", min: 1, max: MOST_PARTITIONS, value: 1, "aria-label": "number of partitions to try", oninput: on.what }));
  const by = (/** @type {number} */ n) => () => {
    number.valueAsNumber = Math.max(Number(number.min), Math.min(MOST_PARTITIONS, (number.valueAsNumber || 0) + n));
    on.what();
  };
  const said = el("p", { class: "kl-what-says", role: "status" });
  const add = el("button", { class: "kl-button kl-add", hidden: true, onclick: () => ask(true) }, "");
  const whatRow = el("div", { class: "kl-what-row" }, el("h4", { class: "kl-title" }, "Keys in their partitions"),
    el("span", { class: "kl-what-if" }, el("span", {}, "what if there were "), el("button", { class: "kl-button", "aria-label": "one partition less", onclick: by(-1) }, "−"), number, el("button", { class: "kl-button", "aria-label": "one partition more", onclick: by(1) }, "+"), el("span", {}, " partitions"), add), said);

  let wanted = 0;
  const sure = el("p", {});
  const yes = el("button", { class: "kl-button kl-yes-add", onclick: () => {
    ask(false);
    on.grow(wanted);
  } }, "yes, add them");
  const no = el("button", { class: "kl-button", onclick: () => {
    ask(false);
    add.focus();
  } }, "no");
  const confirm = el("div", { class: "kl-notice kl-confirm", role: "group", "aria-label": "are you sure?", hidden: true, onkeydown: (/** @type {KeyboardEvent} */ event) => {
    if (event.key === "Escape") no.click();
  } }, sure, yes, " ", no);
  function ask(/** @type {boolean} */ open) {
    confirm.hidden = !open;
    if (open) no.focus();
  }

  const own = /** @type {HTMLTextAreaElement} */ (el("textarea", { class: "kl-input kl-mono", rows: 3, "aria-label": "keys of your own, one a line", placeholder: "one key a line, or T0000..T0999", spellcheck: "false", oninput: on.own }));
  const ownKeys = el("details", { class: "kl-own" }, el("summary", {}, "keys of your own instead of the topic's"), own);

  return {
    keyRow, whatRow, confirm, ownKeys,
    /** Returns the bytes of the key; null for no key, undefined while the input is invalid. @returns {Uint8Array | null | undefined} */
    key: () => (as.value === "null" ? null : (bytesOf(text.value, as.value === "hex" ? "hex" : "text") ?? undefined)),
    text: () => text.value,
    own: () => own.value.trim(),
    partitioner: () => partitioner.value,
    /** Puts a key in, as if it had been typed. @param {string} value @param {"text" | "hex"} kind */
    type(value, kind) {
      text.value = value;
      as.value = kind;
      text.disabled = false;
      chooser.hidden = true;
    },
    /** Shows the controls for sending, if there is a cluster. @param {boolean} sends */
    offer(sends) {
      for (const button of [one, ten]) button.hidden = !sends;
      chooser.hidden = as.value !== "null" || !sends;
    },
    /** @param {boolean} able @param {string} busy @param {number | null} partitions */
    able(able, busy, partitions) {
      for (const button of [one, ten]) button.ariaDisabled = String(!able);
      one.textContent = busy === "sending" ? "sending…" : "send it";
      one.title = partitions ? "really sends a record with this key to the topic" : "";
    },
    /** Returns the number of partitions to imagine; null while the input is no number. */
    after: () => (Number.isInteger(number.valueAsNumber) ? Math.min(MOST_PARTITIONS, number.valueAsNumber) : null),
    /** @param {number | null} partitions */
    reset(partitions) {
      number.min = String(partitions ?? 1);
      number.valueAsNumber = partitions ?? 1;
      ask(false);
    },
    /** @param {string} words @param {number} now @param {number} after @param {boolean} live @param {string} busy */
    says(words, now, after, live, busy) {
      said.textContent = words;
      const more = after - now;
      wanted = after;
      add.hidden = !live || more <= 0;
      add.textContent = busy ? `${busy}…` : `add ${more} partition${more === 1 ? "" : "s"} for real`;
      add.ariaDisabled = String(Boolean(busy));
      sure.textContent = `Kafka adds partitions and never takes them away. From ${now} to ${after}: new records of the keys that move go elsewhere than their old ones, and their order is lost there.`;
      if (more <= 0 || busy) ask(false);
    },
  };
}

/** @param {string} label @param {[string, string][]} options @param {() => void} changed */
function select(label, options, changed) {
  return /** @type {HTMLSelectElement} */ (el("select", { class: "kl-select", "aria-label": label, onchange: changed }, options.map(([value, words]) => el("option", { value }, words))));
}
