// The board of places: chips are dragged, clicked, or carried by keyboard. Until it is locked, the draft is only in the page.

import { el, glide, partitionColour, partitionInk, reducedMotion, walked } from "../shared.ts";
import type { Chip, Offered, Picture } from "./picture";

// Drafts by the prediction's id, so that a view drawn again (scrolled out of sight, opened in a tab) keeps its draft.
const drafts: Map<string, Draft> = new Map();

export function places(first: Picture, changed: (draft: Draft) => void, say: (words: string) => void) {
  let state = first;
  let draft = drafts.get(state.id) ?? empty(state);
  let carried: { chip: number; from: number; at: number; before: Draft } | null = null;
  let focused = [0, NOWHERE];
  const root = el("div", { class: `kl-predict-places${state.kind === "order" ? " kl-in-order" : ""}` });

  const name = (chip: number) => state.chips[chip].name || "(empty)";
  const where = (place: number) => (place === NOWHERE ? state.nowhere : state.places[place]);
  const at = (node: HTMLElement): [number, number] => [Number(node.dataset.chip), Number(node.dataset.place)];
  const chips = () => [...root.querySelectorAll<HTMLElement>("button.kl-predict-chip")];

  /** Puts a chip down in another place, or back where it came from if it cannot be there. */
  function put(chip: number, from: number, to: number, before = draft) {
    if (state.phase !== "open") return;
    const back = from === to || (state.several && before[chip].includes(to));
    carried = null;
    draft = back ? before : moved(state, before, chip, from, to);
    drafts.set(state.id, draft);
    changed(draft);
    focused = [chip, back ? from : to];
    render(true);
    say(back ? `${name(chip)} is back: ${where(from)}.` : `${name(chip)}: ${where(to)}.`);
  }

  function pick(chip: number, from: number) {
    carried = { chip, from, at: from, before: draft };
    render(true);
    say(`${name(chip)} is picked up. Arrow keys choose the place, Enter puts it down, Escape puts it back.`);
  }

  function carry({ chip, from, at, before }: NonNullable<typeof carried>, step: number) {
    const to = next(state, before, chip, at, step);
    carried = { chip, from, at: to, before };
    draft = moved(state, before, chip, from, to);
    focused = [chip, to];
    render(true);
    say(`${name(chip)} over ${where(to)}.`);
  }

  function drop() {
    if (carried) put(carried.chip, carried.from, carried.at, carried.before);
  }

  root.addEventListener("keydown", (event) => {
    const node = chipOf(event);
    if (!node || state.phase !== "open" || event.ctrlKey || event.metaKey || event.altKey) return;
    const [chip, place] = at(node);
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const all = chips();
    const to = walked(event.key, all.indexOf(node), all.length - 1);
    const hand = event.key === "Enter" || event.key === " ";
    if (hand && !carried) pick(chip, place);
    else if (hand) drop();
    else if (event.key === "Escape" && carried) put(carried.chip, carried.from, carried.from, carried.before);
    else if (step && carried) carry(carried, step);
    else if ((event.key === "Delete" || event.key === "Backspace") && !carried && place !== NOWHERE) put(chip, place, NOWHERE);
    else if (to !== undefined) all[to].focus();
    else return;
    event.preventDefault();
  });
  // A click picks a chip up, and a click on a place puts it down there, because not every hand can drag.
  root.addEventListener("click", (event) => {
    const [chip, place] = [chipOf(event), placeOf(event.target)];
    if (carried && place) put(carried.chip, carried.from, Number(place.dataset.here), carried.before);
    else if (chip) pick(...at(chip));
  });
  root.addEventListener("focusin", (event) => {
    const node = chipOf(event);
    if (!node) return;
    for (const chip of chips()) chip.tabIndex = chip === node ? 0 : -1;
    focused = at(node);
  });
  draggable(root, drop, (chip, place) => put(...at(chip), Number(place.dataset.here)));

  // Draws one place with its chips. If a chip may be in several places, the stock to take from never runs out.
  function box(place: number) {
    const [open, nowhere] = [state.phase === "open", place === NOWHERE];
    const stands = open ? draft : state.guess as Draft | null ?? empty(state);
    const here = (chip: number) => (nowhere ? (state.several && open) || !stands[chip].length : stands[chip].includes(place));
    const held = [...state.chips.keys()].filter(here);
    if (nowhere && !open && !held.length) return null;
    const title = nowhere && open && state.kind === "order" ? "to be put in order" : nowhere && open && state.several ? "take from here" : where(place);
    return el("div", { class: `kl-predict-place${nowhere ? " kl-nowhere" : ""}${carried?.at === place ? " kl-over" : ""}`, "data-here": place, role: "group", "aria-label": `${title}: ${held.length} chips` },
      el("div", { class: "kl-predict-place-name" }, el("bdi", {}, title)),
      el("div", { class: "kl-predict-held" }, held.map((chip) => {
        const words = `${name(chip)}, ${title}`;
        const up = carried?.chip === chip && carried.at === place;
        if (open) return el("button", { class: `kl-predict-chip${up ? " kl-up" : ""}`, type: "button", "data-chip": chip, "data-place": place, "aria-label": words, "aria-pressed": String(up), tabindex: -1 }, face(state.chips[chip]));
        return el("span", { class: "kl-predict-chip", role: "img", "aria-label": words }, face(state.chips[chip]));
      })));
  }

  function render(refocus = false) {
    const before = new Map(chips().map((node) => [node.dataset.chip, node.getBoundingClientRect()]));
    const row = el("div", { class: "kl-predict-row-of-places" }, [...state.places.keys()].map(box));
    root.replaceChildren(...[box(NOWHERE), row].filter((one) => one !== null));
    const all = chips();
    const held = all.find((node) => at(node).join() === focused.join()) ?? all[0];
    if (!held) return;
    held.tabIndex = 0;
    if (!refocus) return;
    held.focus();
    const old = before.get(held.dataset.chip);
    if (old && !reducedMotion()) glide(held, old, 180, "ease-out");
  }

  changed(draft);
  render();
  return {
    root,
    draft: () => {
      drop();
      return draft;
    },
    draw(now: Picture) {
      state = now;
      if (state.phase !== "open") carried = null;
      render(root.contains(document.activeElement));
    },
  };
}

const chipOf = (event: Event) => (event.target as Element).closest<HTMLElement>("button.kl-predict-chip");
const placeOf = (target: EventTarget | null) => (target as Element | null)?.closest<HTMLElement>("[data-here]") ?? null;

// --- The moves of chips: works out the arrangement after a move. Pure.

/** The positions of each chip's places, in order; an empty list means nowhere. */
export type Draft = number[][];

/** The place of a chip that is nowhere. */
export const NOWHERE = -1;

/** Returns an arrangement with nothing placed. */
export function empty(offered: Offered): Draft {
  return offered.chips.map(() => []);
}

/** Returns the arrangement after a chip went from one place to another. In an order each place holds one chip: the chip that
 * was there goes to the place that the moved one left. */
export function moved(offered: Offered, draft: Draft, chip: number, from: number, to: number): Draft {
  if (from === to) return draft;
  const after = draft.map((at) => [...at]);
  if (offered.kind === "order" && to !== NOWHERE) {
    const other = after.findIndex((at) => at[0] === to);
    if (other >= 0) after[other] = from === NOWHERE ? [] : [from];
  }
  const kept = offered.several ? after[chip].filter((place) => place !== from) : [];
  after[chip] = to === NOWHERE ? kept : [...new Set([...kept, to])].sort((a, b) => a - b);
  return after;
}

/** Returns the next place for a carried chip, going round; it skips places in which the chip is already.
 * @param step 1 or -1 */
export function next(offered: Offered, draft: Draft, chip: number, at: number, step: number) {
  const n = offered.places.length + 1;
  const taken = offered.several ? draft[chip].filter((place) => place !== at) : [];
  let place = at;
  for (let i = 0; i < n; i++) {
    place = ((place + 1 + step + n) % n) - 1;
    if (!taken.includes(place)) return place;
  }
  return at;
}

/** Returns whether it may be locked: something was placed; in an order, everything. */
export function ready(offered: Offered, draft: Draft) {
  return offered.kind === "order" ? draft.every((at) => at.length === 1) : draft.some((at) => at.length > 0);
}

/** Parses a typed number, or returns null: "1 500", "0,4" and "1e3" are numbers. */
export function typedNumber(typed: string): number | null {
  const plain = typed.replace(/[\s']/g, "").replace(",", ".");
  const n = /^[-+.\de]+$/i.test(plain) ? Number(plain) : NaN;
  return Math.abs(n) <= 1e15 ? n : null;
}

// --- Dragging: moves a chip with mouse, pen or finger, by pointer events, because the browser's own drag and drop knows no touch.

const FAR = 5; // pixels that a press must move to become a drag

/** While a chip is dragged, the whole board has the pointer: the click at the end is the board's, and picks nothing up. */
function draggable(root: HTMLElement, begun: () => void, dropped: (chip: HTMLElement, place: HTMLElement) => void) {
  let pressed: { chip: HTMLElement; x: number; y: number } | null = null;
  let over: HTMLElement | null = null;

  root.addEventListener("pointerdown", (event) => {
    const chip = chipOf(event);
    if (!chip || event.button !== 0 || !event.isPrimary) return;
    pressed = { chip, x: event.clientX, y: event.clientY };
    chip.setPointerCapture(event.pointerId);
  });
  root.addEventListener("pointermove", (event) => {
    if (!pressed || !event.isPrimary || !event.buttons) return;
    const [x, y] = [event.clientX - pressed.x, event.clientY - pressed.y];
    if (!root.hasPointerCapture(event.pointerId)) {
      if (Math.hypot(x, y) < FAR) return;
      begun();
      // A chip that was carried is put down, and so all chips are drawn again.
      const { chip, place } = pressed.chip.dataset;
      pressed.chip = root.querySelector<HTMLElement>(`button[data-chip="${chip}"][data-place="${place}"]`) ?? pressed.chip;
      pressed.chip.classList.add("kl-dragged");
      root.setPointerCapture(event.pointerId);
    }
    event.preventDefault();
    pressed.chip.style.translate = `${x}px ${y}px`;
    const under = placeOf(document.elementFromPoint(event.clientX, event.clientY));
    over?.classList.remove("kl-over");
    over = under && root.contains(under) ? under : null;
    over?.classList.add("kl-over");
  });
  const end = (event: PointerEvent) => {
    if (!pressed || !event.isPrimary) return;
    const [{ chip }, place] = [pressed, over];
    pressed = over = null;
    place?.classList.remove("kl-over");
    chip.classList.remove("kl-dragged");
    chip.style.removeProperty("translate");
    if (place && event.type === "pointerup") dropped(chip, place);
  };
  root.addEventListener("pointerup", end);
  root.addEventListener("pointercancel", end);
}

/** Draws a chip: a partition in its colour, or any other thing that can be put into a place. */
function face({ name, hue }: Chip) {
  const colours = hue === null ? {} : { "--kl-c": partitionColour(hue), "--kl-on": partitionInk(hue) };
  return el("span", { class: `kl-predict-face${hue === null ? "" : " kl-hued"}`, style: colours }, el("bdi", {}, name || "(empty)"));
}
