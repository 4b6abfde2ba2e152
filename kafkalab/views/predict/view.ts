// PredictView: asks a question before the run and locks the answer, which then stays; after the run it shows what happened.

import { live } from "../live.ts";
import { changed, clock, el, legend, shorten, table } from "../shared.ts";
import { places, ready, SIGNS, typedNumber } from "./places.ts";

// The typed numbers, by the prediction's id; and the times at which a lock was pressed. After a lock the notebook draws the
// output again, which would take the keyboard's focus away.
const typed = new Map() as Map<string, string>;
const pressed = new Map() as Map<string, number>;

function build(page: HTMLElement, { ask }: { ask: (message: object) => void }) {
  let state: any;
  let board: ReturnType<typeof places> | null = null;
  const question = el("span", { class: "kl-predict-question", tabindex: -1 });
  const [answer, under, verdict, signs] = ["answer", "under", "verdict", "signs"].map((name) => el("div", { class: `kl-predict-${name}` }));
  const told = el("span", { class: "kl-predict-told", role: "status" });
  const show = el("button", { class: "kl-button kl-predict-show", type: "button", hidden: "", onclick: () => {
    pressed.set(state.id, performance.now());
    ask({ do: "reveal" });
  } }, "just show me");
  const heard = el("span", { class: "kl-hidden", role: "log", "aria-live": "polite" });
  page.append(el("div", { class: "kl-predict-row" }, question, answer, told, show), under, verdict, signs, heard);

  function lock(guess: unknown) {
    if (state.phase !== "open" || !state.live) return;
    pressed.set(state.id, performance.now());
    ask({ do: "lock", guess });
  }

  function lockButton(guess: () => unknown) {
    return el("button", { class: "kl-button kl-predict-lock", type: "button", "aria-disabled": "true", onclick: (event: Event) => {
      if ((event.currentTarget as HTMLElement).getAttribute("aria-disabled") !== "true") lock(guess());
    } }, "lock it");
  }

  const able = (button: HTMLElement, may: boolean) => button.setAttribute("aria-disabled", String(!(may && state.live)));

  function choices() {
    const was = state.verdict ? state.verdict.was_at : null;
    return el("div", { class: "kl-predict-choices", role: "group", "aria-label": "the answers to choose from" },
      state.choices.map((words: string, i: number) => {
        const mine = state.guess === i;
        const sign = was === i ? (mine ? "✓ " : "◌ ") : mine && state.verdict ? "✗ " : mine ? "▸ " : "";
        return el("button", {
          class: `kl-button kl-predict-choice${mine ? " kl-mine" : ""}${was === i ? " kl-so" : ""}`, type: "button", "aria-pressed": String(mine),
          "aria-disabled": String(!mine && (state.phase !== "open" || !state.live)), onclick: () => lock(i),
        }, el("span", { "aria-hidden": "true" }, sign), el("bdi", {}, words), was === i && !mine ? el("span", { class: "kl-hidden" }, "it was this") : null);
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

  function arrangement(now) {
    if (now.phase !== "open") under.querySelector(".kl-predict-do")?.remove();
    if (board) return board.draw(now);
    const button = lockButton(() => board?.draft());
    board = places(now, { changed: (draft) => able(button, ready(state, draft)), say: (words) => heard.replaceChildren(words) });
    answer.remove();
    under.append(board.root);
    if (now.phase === "open") under.append(el("div", { class: "kl-predict-do" }, button, el("span", { class: "kl-soft" }, `Drag the chips, or click one and then a place. By keyboard: Enter picks a chip up, arrow keys choose its place, Enter puts it down${now.several ? ", Delete takes one away. A chip can stand in several places" : ""}.`)));
    return undefined;
  }

  function status() {
    if (state.locked !== null) return `locked at ${clock.ofDay(state.locked)}`;
    if (state.verdict) return "no prediction was made";
    if (!state.live) return "not locked";
    if (state.held) return "the result is in: make your guess first";
    return state.kind === "choice" ? "choose, then run on: the first choice stays" : "lock it, then run on";
  }

  function happened() {
    const { right, head, off, because, at, parts, scale, was } = state.verdict;
    const dot = (text: string) => (text && !/[.!?…]$/.test(text) ? `${text}.` : text);
    const moment = at === null ? "" : ` Computed from the cluster's state at ${clock.ofDay(at)}.`;
    return [
      scale ? ruler(scale, state.said, was) : null,
      el("p", { class: "kl-predict-head" }, el("b", { class: right === null ? "" : right ? "kl-ok-text" : "kl-bad-text" }, dot(head)), ` ${[off, dot(shorten(because, 1000))].filter(Boolean).join(" ")}`, el("span", { class: "kl-soft" }, moment)),
      parts.length ? partTable(parts) : null,
    ].filter((one) => one !== null);
  }

  function partTable(parts: any[]) {
    const guessed = parts[0].right !== null;
    const says = parts.some((part) => part.says);
    const heads = ["part", ...(guessed ? ["you said"] : []), "it was", ...(says ? ["the cluster says"] : [])];
    return el("div", { class: "kl-predict-parts", tabindex: 0, role: "region", "aria-label": "part by part" },
      table({}, heads, parts.map((part) => el("tr", {},
        el("th", { scope: "row" }, part.right === null ? "" : part.right ? "✓ " : "✗ ", el("bdi", {}, part.name)),
        guessed ? el("td", {}, el("bdi", {}, part.said), part.gap ? el("span", { class: "kl-soft" }, ` ${shorten(part.gap, 200)}`) : null) : null,
        el("td", {}, el("b", {}, el("bdi", {}, part.was))), says ? el("td", { class: "kl-soft" }, shorten(part.says, 300)) : null))));
  }

  return {
    draw(now, before) {
      const first = state === undefined;
      state = now;
      const had = answer.contains(document.activeElement) || under.contains(document.activeElement);
      if (first) question.append(el("b", {}, "Predict, then run. "), el("span", {}, shorten(now.question, 2000)));
      if (now.kind === "choice") answer.replaceChildren(choices());
      else if (now.kind === "number" && changed(now, before, "phase", "live")) answer.replaceChildren(...[number()].filter((one) => one !== null));
      else if (now.kind === "arrangement" || now.kind === "order") arrangement(now);
      page.dataset.phase = now.phase;
      show.hidden = !(now.held && now.live && now.phase === "open");
      page.classList.toggle("kl-right", now.verdict?.right === true);
      page.classList.toggle("kl-wrong", now.verdict?.right === false);
      const words = status();
      if (told.textContent !== words) told.replaceChildren(words);
      if (changed(now, before, "verdict")) verdict.replaceChildren(...(now.verdict ? happened() : []));
      signs.replaceChildren(...(now.verdict && board ? [legend(["right", "wrong", "missing"].map((sign) => [SIGNS[sign][0], SIGNS[sign][1]]))] : []));
      const turned = now.phase !== "open" && (!before || before.phase === "open");
      if (turned && (had || performance.now() - (pressed.get(now.id) ?? -1e9) < 5000)) focusSoon(question);
    },
    end: () => board?.end(),
  };
}

/** Focuses a node that may not be on the page yet, unless something else has the focus by then. */
function focusSoon(node: HTMLElement, frames = 60) {
  if (document.activeElement !== null && document.activeElement !== document.body) return;
  if (node.isConnected) node.focus({ preventScroll: true });
  if (frames > 0) requestAnimationFrame(() => focusSoon(node, frames - 1));
}

// --- The ruler for a number: draws the right values as a band, the guess as ▼ above it, and what happened as ▲ below.

/** @param scale in percent of the ruler's length */
function ruler(scale: { ticks: [number, string][]; guess: number; was: number; from: number; to: number }, said: string, was: string) {
  const words = `you said ${said}; it was ${was}`;
  return el("div", { class: "kl-predict-ruler", role: "img", "aria-label": words },
    el("div", { class: "kl-predict-track" }),
    el("div", { class: "kl-predict-band", style: { left: `${scale.from}%`, width: `${Math.max(0.4, scale.to - scale.from)}%` } }),
    scale.ticks.map(([at, word]) => el("div", { class: "kl-predict-tick", style: { left: `${at}%` } }, el("span", {}, word))),
    mark("kl-said", "▼", `you said ${said}`, scale.guess),
    mark("kl-was", "▲", `it was ${was}`, scale.was));
}

/** Draws a mark, with its words on the side that has room. */
function mark(kind: string, sign: string, words: string, at: number) {
  const late = at > 60;
  return el("div", { class: `kl-predict-mark ${kind}${late ? " kl-late" : ""}`, style: late ? { right: `${100 - at}%` } : { left: `${at}%` } },
    late ? [words, " ", el("b", {}, sign)] : [el("b", {}, sign), " ", words]);
}

export default { render: live("predict", "A prediction", build) };
