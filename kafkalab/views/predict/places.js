// The board of places: chips are dragged, clicked, or carried by keyboard. Until it is locked, the draft is only in the page.

import { face, SIGNS } from "./chip.js";
import { dragging } from "./drag.js";
import { empty, marked, moved, next, NOWHERE, placeName } from "./moves.js";
import { el, reducedMotion } from "../shared.js";

/** @typedef {import("./moves.js").Draft} Draft */
/** @typedef {{ chip: number, from: number, at: number, draft: Draft }} Carried */

// Drafts by the prediction's id, so that a view drawn again (scrolled out of sight, opened in a tab) keeps its draft.
const drafts = /** @type {Map<string, Draft>} */ (new Map());

/**
 * @param {any} first the first state
 * @param {{ changed: (draft: Draft) => void, say: (words: string) => void }} tools
 */
export function places(first, { changed, say }) {
  let state = first;
  /** @type {Draft} */ let draft = drafts.get(state.id) ?? empty(state);
  /** @type {Carried | null} */ let carried = null;
  /** @type {[number, number]} */ let focused = [0, NOWHERE];
  const root = el("div", { class: `kl-predict-places${state.kind === "order" ? " kl-in-order" : ""}` });
  const drag = dragging(root, { begun: () => drop(), dropped: (chip, from, to) => put(chip, from, to) });

  const name = (/** @type {number} */ chip) => state.chips[chip].name || "(empty)";
  const where = (/** @type {number} */ place) => placeName(state, place);

  function keep(/** @type {Draft} */ after) {
    draft = after;
    drafts.set(state.id, draft);
    changed(draft);
  }

  function put(/** @type {number} */ chip, /** @type {number} */ from, /** @type {number} */ to) {
    if (state.phase !== "open") return;
    if (from === to || (state.several && draft[chip].includes(to))) return;
    focused = [chip, to];
    keep(moved(state, draft, chip, from, to));
    render(true);
    say(`${name(chip)}: ${where(to)}.`);
  }

  function pick(/** @type {number} */ chip, /** @type {number} */ from) {
    carried = { chip, from, at: from, draft };
    render(true);
    say(`${name(chip)} is picked up. Arrow keys choose the place, Enter puts it down, Escape puts it back.`);
  }

  function carry(/** @type {number} */ step) {
    const { chip, from, at } = /** @type {Carried} */ (carried);
    const to = next(state, carried?.draft ?? draft, chip, at, step);
    carried = { .../** @type {Carried} */ (carried), at: to };
    draft = moved(state, carried.draft, chip, from, to);
    focused = [chip, to];
    render(true);
    say(`${name(chip)} over ${where(to)}.`);
  }

  // Puts a carried chip down at its place, or with `back` where it came from.
  function drop(back = false) {
    if (!carried) return;
    const { chip, from, at, draft: before } = carried;
    carried = null;
    focused = [chip, back ? from : at];
    keep(back ? before : draft);
    render(true);
    say(back ? `${name(chip)} is back: ${where(from)}.` : `${name(chip)}: ${where(at)}.`);
  }

  const at = (/** @type {Element} */ node) => /** @type {[number, number]} */ ([Number(/** @type {HTMLElement} */ (node).dataset.chip), Number(/** @type {HTMLElement} */ (node).dataset.place)]);
  const chips = () => /** @type {HTMLElement[]} */ ([...root.querySelectorAll("button.kl-predict-chip")]);

  function focusOn(/** @type {HTMLElement | undefined} */ node) {
    if (!node) return;
    for (const chip of chips()) chip.tabIndex = chip === node ? 0 : -1;
    focused = at(node);
    node.focus();
  }

  root.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    const node = /** @type {HTMLElement} */ (event.target).closest("button.kl-predict-chip");
    if (!node || state.phase !== "open" || event.ctrlKey || event.metaKey || event.altKey) return;
    const [chip, place] = at(node);
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (event.key === "Enter" || event.key === " ") carried ? drop() : pick(chip, place);
    else if (event.key === "Escape" && carried) drop(true);
    else if (step && carried) carry(step);
    else if ((event.key === "Delete" || event.key === "Backspace") && !carried && place !== NOWHERE) put(chip, place, NOWHERE);
    else if (step || event.key === "Home" || event.key === "End") {
      const all = chips();
      const i = all.indexOf(/** @type {HTMLElement} */ (node));
      focusOn(all[event.key === "Home" ? 0 : event.key === "End" ? all.length - 1 : Math.min(all.length - 1, Math.max(0, i + (step ?? 0)))]);
    } else return;
    event.preventDefault();
  });

  // A click picks a chip up, and a click on a place puts it down there, because not every hand can drag.
  root.addEventListener("click", (/** @type {MouseEvent} */ event) => {
    if (state.phase !== "open" || drag.justDropped()) return;
    const target = /** @type {HTMLElement} */ (event.target);
    const place = /** @type {HTMLElement | null} */ (target.closest("[data-here]"));
    const chip = target.closest("button.kl-predict-chip");
    if (carried && place) {
      const { chip: moving, from, at: now } = carried;
      carried = { ...carried, at: Number(place.dataset.here) };
      if (Number(place.dataset.here) === now && chip && at(chip)[0] !== moving) return void drop();
      if (state.several && carried.draft[moving].includes(carried.at) && carried.at !== from) return void drop(true);
      draft = moved(state, carried.draft, moving, from, carried.at);
      drop();
    } else if (chip) pick(...at(chip));
  });
  root.addEventListener("focusin", (/** @type {FocusEvent} */ event) => {
    const node = /** @type {HTMLElement} */ (event.target).closest("button.kl-predict-chip");
    if (node) focused = at(node);
  });

  // Draws one place with its chips. If a chip may be in several places, the stock to take from never runs out.
  function box(/** @type {number} */ place) {
    const open = state.phase === "open";
    const was = state.verdict?.was_at;
    const held = was ? marked(state.guess, was, place)
      : state.chips.flatMap((/** @type {any} */ _, /** @type {number} */ chip) => (place === NOWHERE ? (state.several && open) || !shown()[chip].length : shown()[chip].includes(place)) ? [{ chip, sign: "" }] : []);
    const elsewhere = was && place === NOWHERE ? state.verdict.elsewhere : [];
    const title = place === NOWHERE ? (open && state.kind === "order" ? "to be put in order" : state.several && open ? "take from here" : where(NOWHERE)) : where(place);
    if (place === NOWHERE && !open && !held.length) return null;
    return el("div", { class: `kl-predict-place${place === NOWHERE ? " kl-nowhere" : ""}${carried?.at === place ? " kl-over" : ""}`, "data-here": place, role: "group", "aria-label": `${title}: ${held.length} chips` },
      el("div", { class: "kl-predict-place-name" }, el("bdi", {}, title)),
      el("div", { class: "kl-predict-held" }, held.map((/** @type {{ chip: number, sign: string }} */ { chip, sign }) => {
        const words = `${name(chip)}, ${title}`;
        const gone = elsewhere[chip]?.length ? `: it was ${elsewhere[chip].join(", ")}` : "";
        if (!open) return el("span", { class: "kl-predict-chip", "data-chip": chip, "data-place": place, role: "img", "aria-label": sign ? `${words}: ${SIGNS[sign][1]}` : words, title: sign ? `${SIGNS[sign][1]}${gone}` : null }, face(state.chips[chip], sign));
        const up = carried?.chip === chip && carried.at === place;
        return el("button", { class: `kl-predict-chip${up ? " kl-up" : ""}`, type: "button", "data-chip": chip, "data-place": place, "aria-label": words, "aria-pressed": String(up), tabindex: -1 }, face(state.chips[chip]));
      })));
  }

  /** @returns {Draft} */
  const shown = () => (state.phase === "open" ? draft : (state.guess ?? empty(state)));

  function render(/** @type {boolean} */ refocus = false) {
    const before = new Map(chips().map((node) => [node.dataset.chip, node.getBoundingClientRect()]));
    const row = el("div", { class: "kl-predict-row-of-places" }, [...state.places.keys()].map(box));
    root.replaceChildren(...[box(NOWHERE), row].filter((one) => one !== null));
    if (state.phase !== "open") return;
    const all = chips();
    const held = all.find((node) => at(node).join() === focused.join()) ?? all[0];
    if (held) held.tabIndex = 0;
    if (refocus) held?.focus();
    if (refocus && held && !reducedMotion()) glide(held, before.get(held.dataset.chip));
  }

  changed(draft);
  render();
  return {
    root,
    draft: () => {
      drop();
      return draft;
    },
    draw(/** @type {any} */ now) {
      state = now;
      if (state.phase !== "open") carried = null;
      render(root.contains(document.activeElement));
    },
    end: () => drag.end(),
  };
}

/** Glides a node from its old place to the new one. @param {HTMLElement} node @param {DOMRect | undefined} from */
function glide(node, from) {
  const to = node.getBoundingClientRect();
  if (!from || (Math.abs(from.left - to.left) < 2 && Math.abs(from.top - to.top) < 2)) return;
  node.animate([{ transform: `translate(${from.left - to.left}px, ${from.top - to.top}px)` }, { transform: "none" }], { duration: 180, easing: "ease-out" });
}
