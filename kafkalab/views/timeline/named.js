// Named moments: offers a field to name the moment shown, and chips to jump to the named ones.
import { el, shorten } from "../shared.js";
import { moment } from "./words.js";

/** @typedef {import("./words.js").State} State */

/** Maximum length of a name, as in kafkalab/history/recording.py. */
const LONGEST = 80;

/** @param {{ go: (at: number) => void, add: (name: string) => void }} tools */
export function named({ go, add }) {
  const field = /** @type {HTMLInputElement} */ (el("input", { class: "kl-tl-field", type: "text", maxlength: LONGEST, placeholder: "name this moment", "aria-label": "name of this moment", autocomplete: "off" }));
  const star = /** @type {HTMLButtonElement} */ (el("button", { class: "kl-button", type: "submit", "aria-label": "name this moment", title: "name this moment (Enter)" }, "★"));
  const form = el("form", { class: "kl-tl-buttons kl-tl-form", onsubmit: give }, field, star);
  const chips = el("ul", { class: "kl-tl-chips", "aria-label": "moments with a name" });
  /** @type {any} */ let drawn;

  function give(/** @type {Event} */ event) {
    event.preventDefault();
    const text = field.value.trim();
    if (!text) return field.focus();
    add(text);
    field.value = "";
    return undefined;
  }
  return {
    form,
    chips,
    /** @param {State} state */
    draw(state) {
      form.hidden = !state.naming;
      if (state.named !== drawn) {
        drawn = state.named;
        chips.hidden = !drawn.length;
        chips.replaceChildren(...state.named.map((n) =>
          el("li", {}, el("button", { class: "kl-button kl-tl-chip", type: "button", "data-at": n.at, title: `go to ${moment(n.at, 2)}`, onclick: () => go(n.at) },
            el("span", { class: "kl-tl-star", "aria-hidden": "true" }, "★ "), shorten(n.name, 50), " ", el("span", { class: "kl-mono kl-soft" }, moment(n.at))))));
      }
      for (const chip of chips.querySelectorAll("button")) {
        const here = Math.abs(Number(chip.dataset.at) - state.at) < 0.0005;
        if (here) chip.setAttribute("aria-current", "true");
        else chip.removeAttribute("aria-current");
      }
    },
  };
}
