// PredictView: asks a question before the run and locks the answer, which then stays.

import { live } from "../live.ts";
import { changed, clock, el, shorten } from "../shared.ts";
import type { Picture, Verdict } from "./picture";
import { places, ready, typedNumber } from "./places.ts";

// The typed numbers, by the prediction's id; and the times at which a lock was pressed. After a lock the notebook draws the
// output again, which would take the keyboard's focus away.
const typed: Map<string, string> = new Map();
const pressed: Map<string, number> = new Map();

function build(page: HTMLElement, { ask }: { ask: (message: object) => void }) {
  let state: Picture;
  let board: ReturnType<typeof places> | null = null;
  const question = el("span", { class: "kl-predict-question", tabindex: -1 });
  const [answer, under, verdict] = ["answer", "under", "verdict"].map((name) => el("div", { class: `kl-predict-${name}` }));
  const told = el("span", { class: "kl-predict-told", role: "status" });
  const show = el("button", { class: "kl-button kl-predict-show", type: "button", hidden: "", onclick: () => {
    pressed.set(state.id, performance.now());
    ask({ do: "reveal" });
  } }, "just show me");
  const heard = el("span", { class: "kl-hidden", role: "log", "aria-live": "polite" });
  page.append(el("div", { class: "kl-predict-row" }, question, answer, told, show), under, verdict, heard);

  function lock(guess: unknown) {
    if (state.phase !== "open") return;
    pressed.set(state.id, performance.now());
    ask({ do: "lock", guess });
  }

  function lockButton(guess: () => unknown) {
    return el("button", { class: "kl-button kl-predict-lock", type: "button", "aria-disabled": "true", onclick: (event: Event) => {
      if ((event.currentTarget as HTMLElement).getAttribute("aria-disabled") !== "true") lock(guess());
    } }, "lock it");
  }

  const able = (button: HTMLElement, may: boolean) => button.setAttribute("aria-disabled", String(!may));

  function choices() {
    return el("div", { class: "kl-predict-choices", role: "group", "aria-label": "the answers to choose from" },
      state.choices.map((words, i) => {
        const mine = state.guess === i;
        return el("button", {
          class: `kl-button kl-predict-choice${mine ? " kl-mine" : ""}`, type: "button", "aria-pressed": String(mine),
          "aria-disabled": String(!mine && state.phase !== "open"), onclick: () => lock(i),
        }, el("span", { "aria-hidden": "true" }, mine ? "▸ " : ""), el("bdi", {}, words));
      }));
  }

  function number() {
    if (state.phase !== "open") return state.guess === null ? null : el("b", { class: "kl-predict-said" }, state.said);
    const button = lockButton(() => typedNumber(input.value));
    const input = el("input", { class: "kl-predict-input", type: "text", inputmode: "decimal", autocomplete: "off", "aria-label": `your number${state.unit ? `, in ${state.unit}` : ""}`, value: typed.get(state.id) ?? "" });
    const hint = el("span", { class: "kl-soft" });
    const weigh = () => {
      typed.set(state.id, input.value);
      const fine = typedNumber(input.value) !== null;
      able(button, fine);
      input.setAttribute("aria-invalid", String(!fine && input.value.trim() !== ""));
      hint.textContent = fine || !input.value.trim() ? state.rule : "not a number";
    };
    input.addEventListener("input", weigh);
    // Enter moves to the button but does not press it, because a locked answer cannot be changed.
    input.addEventListener("keydown", (event: KeyboardEvent) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      button.focus();
    });
    weigh();
    return el("span", { class: "kl-predict-number" }, input, el("bdi", {}, state.unit), button, hint);
  }

  function arrangement(now: Picture) {
    if (now.phase !== "open") under.querySelector(".kl-predict-do")?.remove();
    if (board) return board.draw(now);
    const button = lockButton(() => board?.draft());
    board = places(now, (draft) => able(button, ready(state, draft)), (words) => heard.replaceChildren(words));
    answer.remove();
    under.append(board.root);
    if (now.phase === "open") under.append(el("div", { class: "kl-predict-do" }, button, el("span", { class: "kl-soft" }, `Drag the chips, or click one and then a place. By keyboard: Enter picks a chip up, arrow keys choose its place, Enter puts it down${now.several ? ", Delete takes one away. A chip can stand in several places" : ""}.`)));
    return undefined;
  }

  function status() {
    if (state.locked !== null) return `locked at ${clock.ofDay(state.locked)}`;
    if (state.verdict) return "no prediction was made";
    if (state.held) return "the result is in: make your guess first";
    return state.kind === "choice" ? "choose, then run on: the first choice stays" : "lock it, then run on";
  }

  // A notebook shows the verdict as HTML in place of this panel; a page that keeps the panel has it in words.
  function happened({ right, head, off, because }: Verdict) {
    const sentence = (text: string) => (text && !/[.!?…]$/.test(text) ? `${text}.` : text);
    return el("p", {}, el("b", { class: right === null ? "" : right ? "kl-ok-text" : "kl-bad-text" }, sentence(head)), ` ${[off, sentence(shorten(because, 1000))].filter(Boolean).join(" ")}`);
  }

  return {
    draw(now: Picture, before?: Picture) {
      state = now;
      const had = answer.contains(document.activeElement) || under.contains(document.activeElement);
      if (!before) question.append(el("b", {}, "Predict, then run. "), el("span", {}, shorten(now.question, 2000)));
      if (now.kind === "choice") answer.replaceChildren(choices());
      else if (now.kind === "number" && changed(now, before, "phase")) answer.replaceChildren(...[number()].filter((one) => one !== null));
      else if (now.kind === "arrangement" || now.kind === "order") arrangement(now);
      page.dataset.phase = now.phase;
      show.hidden = !(now.held && now.phase === "open");
      const words = status();
      if (told.textContent !== words) told.replaceChildren(words);
      if (changed(now, before, "verdict") && now.verdict) verdict.replaceChildren(happened(now.verdict));
      const turned = now.phase !== "open" && (!before || before.phase === "open");
      if (turned && (had || performance.now() - (pressed.get(now.id) ?? -1e9) < 5000)) focusSoon(question);
    },
  };
}

/** Focuses a node that may not be on the page yet, unless something else has the focus by then. */
function focusSoon(node: HTMLElement, frames = 60) {
  if (document.activeElement !== null && document.activeElement !== document.body) return;
  if (node.isConnected) node.focus({ preventScroll: true });
  if (frames > 0) requestAnimationFrame(() => focusSoon(node, frames - 1));
}

export default { render: live("predict", "A prediction", build) };
