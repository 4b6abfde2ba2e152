// The board of places: chips are dragged, clicked, or carried by keyboard. Until it is locked, the draft is only in the page.

import { el, glide, partitionColour, partitionInk, reducedMotion } from "../shared.ts";

export type Carried = { chip: number; from: number; at: number; draft: Draft };

// Drafts by the prediction's id, so that a view drawn again (scrolled out of sight, opened in a tab) keeps its draft.
const drafts = new Map() as Map<string, Draft>;

/** @param first the first state */
export function places(first: any, { changed, say }: { changed: (draft: Draft) => void; say: (words: string) => void }) {
  let state = first;
  let draft: Draft = drafts.get(state.id) ?? empty(state);
  let carried: Carried | null = null;
  let focused: [number, number] = [0, NOWHERE];
  const root = el("div", { class: `kl-predict-places${state.kind === "order" ? " kl-in-order" : ""}` });
  const drag = dragging(root, { begun: () => drop(), dropped: (chip, from, to) => put(chip, from, to) });

  const name = (chip: number) => state.chips[chip].name || "(empty)";
  const where = (place: number) => placeName(state, place);

  function keep(after: Draft) {
    draft = after;
    drafts.set(state.id, draft);
    changed(draft);
  }

  function put(chip: number, from: number, to: number) {
    if (state.phase !== "open") return;
    if (from === to || (state.several && draft[chip].includes(to))) return;
    focused = [chip, to];
    keep(moved(state, draft, chip, from, to));
    render(true);
    say(`${name(chip)}: ${where(to)}.`);
  }

  function pick(chip: number, from: number) {
    carried = { chip, from, at: from, draft };
    render(true);
    say(`${name(chip)} is picked up. Arrow keys choose the place, Enter puts it down, Escape puts it back.`);
  }

  function carry(step: number) {
    const { chip, from, at } = carried as Carried;
    const to = next(state, carried?.draft ?? draft, chip, at, step);
    carried = { ...carried as Carried, at: to };
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

  const at = (node: Element): [number, number] => [Number(node.getAttribute("data-chip")), Number(node.getAttribute("data-place"))];
  const chips = () => [...root.querySelectorAll("button.kl-predict-chip")] as HTMLElement[];

  function focusOn(node: HTMLElement | undefined) {
    if (!node) return;
    for (const chip of chips()) chip.tabIndex = chip === node ? 0 : -1;
    focused = at(node);
    node.focus();
  }

  root.addEventListener("keydown", (event: KeyboardEvent) => {
    const node = (event.target as HTMLElement).closest("button.kl-predict-chip");
    if (!node || state.phase !== "open" || event.ctrlKey || event.metaKey || event.altKey) return;
    const [chip, place] = at(node);
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (event.key === "Enter" || event.key === " ") carried ? drop() : pick(chip, place);
    else if (event.key === "Escape" && carried) drop(true);
    else if (step && carried) carry(step);
    else if ((event.key === "Delete" || event.key === "Backspace") && !carried && place !== NOWHERE) put(chip, place, NOWHERE);
    else if (step || event.key === "Home" || event.key === "End") {
      const all = chips();
      const i = all.indexOf(node as HTMLElement);
      focusOn(all[event.key === "Home" ? 0 : event.key === "End" ? all.length - 1 : Math.min(all.length - 1, Math.max(0, i + (step ?? 0)))]);
    } else return;
    event.preventDefault();
  });

  // A click picks a chip up, and a click on a place puts it down there, because not every hand can drag.
  root.addEventListener("click", (event: MouseEvent) => {
    if (state.phase !== "open" || drag.justDropped()) return;
    const target = event.target as HTMLElement;
    const place = target.closest("[data-here]") as HTMLElement | null;
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
  root.addEventListener("focusin", (event: FocusEvent) => {
    const node = (event.target as HTMLElement).closest("button.kl-predict-chip");
    if (node) focused = at(node);
  });

  // Draws one place with its chips. If a chip may be in several places, the stock to take from never runs out.
  function box(place: number) {
    const open = state.phase === "open";
    const was = state.verdict?.was_at;
    const held = was ? marked(state.guess, was, place)
      : state.chips.flatMap((_, chip: number) => (place === NOWHERE ? (state.several && open) || !shown()[chip].length : shown()[chip].includes(place)) ? [{ chip, sign: "" }] : []);
    const elsewhere = was && place === NOWHERE ? state.verdict.elsewhere : [];
    const title = place === NOWHERE ? (open && state.kind === "order" ? "to be put in order" : state.several && open ? "take from here" : where(NOWHERE)) : where(place);
    if (place === NOWHERE && !open && !held.length) return null;
    return el("div", { class: `kl-predict-place${place === NOWHERE ? " kl-nowhere" : ""}${carried?.at === place ? " kl-over" : ""}`, "data-here": place, role: "group", "aria-label": `${title}: ${held.length} chips` },
      el("div", { class: "kl-predict-place-name" }, el("bdi", {}, title)),
      el("div", { class: "kl-predict-held" }, held.map(({ chip, sign }: { chip: number; sign: string }) => {
        const words = `${name(chip)}, ${title}`;
        const gone = elsewhere[chip]?.length ? `: it was ${elsewhere[chip].join(", ")}` : "";
        if (!open) return el("span", { class: "kl-predict-chip", "data-chip": chip, "data-place": place, role: "img", "aria-label": sign ? `${words}: ${SIGNS[sign][1]}` : words, title: sign ? `${SIGNS[sign][1]}${gone}` : null }, face(state.chips[chip], sign));
        const up = carried?.chip === chip && carried.at === place;
        return el("button", { class: `kl-predict-chip${up ? " kl-up" : ""}`, type: "button", "data-chip": chip, "data-place": place, "aria-label": words, "aria-pressed": String(up), tabindex: -1 }, face(state.chips[chip]));
      })));
  }

  const shown = (): Draft => (state.phase === "open" ? draft : (state.guess ?? empty(state)));

  function render(refocus: boolean = false) {
    const before = new Map(chips().map((node) => [node.dataset.chip, node.getBoundingClientRect()]));
    const row = el("div", { class: "kl-predict-row-of-places" }, [...state.places.keys()].map(box));
    root.replaceChildren(...[box(NOWHERE), row].filter((one) => one !== null));
    if (state.phase !== "open") return;
    const all = chips();
    const held = all.find((node) => at(node).join() === focused.join()) ?? all[0];
    if (held) held.tabIndex = 0;
    if (refocus) held?.focus();
    const old = before.get(held?.dataset.chip);
    if (refocus && held && old && !reducedMotion()) glide(held, old, 180, "ease-out");
  }

  changed(draft);
  render();
  return {
    root,
    draft: () => {
      drop();
      return draft;
    },
    draw(now) {
      state = now;
      if (state.phase !== "open") carried = null;
      render(root.contains(document.activeElement));
    },
    end: () => drag.end(),
  };
}

// --- The moves of chips: works out the arrangement after a move, the names of places, and the marks of a comparison. Pure.

/** The positions of each chip's places, in order; an empty list means nowhere. */
export type Draft = number[][];
export type Offered = { chips: { name: string; hue: number | null }[]; places: string[]; several?: boolean; nowhere?: string; kind: string };

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

/** Returns the name of a place. */
function placeName(offered: Offered, place: number) {
  return place === NOWHERE ? (offered.nowhere ?? "not placed") : offered.places[place];
}

/** Returns whether it may be locked: something was placed; in an order, everything. */
export function ready(offered: Offered, draft: Draft) {
  return offered.kind === "order" ? draft.every((at) => at.length === 1) : draft.some((at) => at.length > 0);
}

/** Returns the chips of a place after the comparison, each with its sign: "right", "wrong" (guessed, but not so) or "missing"
 * (so, but not guessed). Without a guess, all chips that were there are "was". */
export function marked(guess: number[][] | null, was: number[][], place: number): { chip: number; sign: string }[] {
  const stands = (at: number[]) => (place === NOWHERE ? at.length === 0 : at.includes(place));
  return was.flatMap((at, chip) => {
    const [said, is] = [guess ? stands(guess[chip]) : false, stands(at)];
    if (!guess) return is ? [{ chip, sign: "was" }] : [];
    return said || is ? [{ chip, sign: said && is ? "right" : said ? "wrong" : "missing" }] : [];
  });
}

/** Parses a typed number, or returns null: "1 500", "0,4" and "1e3" are numbers. */
export function typedNumber(typed: string): number | null {
  const plain = typed.replace(/[\s\u202f\u00a0']/g, "").replace(",", ".");
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i.test(plain)) return null;
  const n = Number(plain);
  return Number.isFinite(n) && Math.abs(n) <= 1e15 ? n : null;
}

// --- Dragging: moves a chip with mouse, pen or finger, by pointer events, because the browser's own drag and drop knows no touch.

const FAR = 5; // pixels that a press must move to become a drag

/** @param root the element with the chips (data-chip, data-place) and the places (data-here) */
function dragging(root: HTMLElement, { begun, dropped }: { begun: () => void; dropped: (chip: number, from: number, to: number) => void }) {
  let now: { node: HTMLElement; id: number; x: number; y: number; ghost: HTMLElement | null; over: HTMLElement | null } | null = null;
  let dragged = false; // true after a drop, because the browser then sends a click that must be ignored

  function place(event: PointerEvent) {
    const under = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-here]");
    return under && root.contains(under) ? under as HTMLElement : null;
  }

  function start(event: PointerEvent) {
    dragged = false;
    const node = (event.target as HTMLElement).closest("button.kl-predict-chip") as HTMLElement | null;
    if (node && event.button === 0 && event.isPrimary) now = { node, id: event.pointerId, x: event.clientX, y: event.clientY, ghost: null, over: null };
  }

  function move(event: PointerEvent) {
    if (!now || event.pointerId !== now.id) return;
    if (!now.ghost) {
      if (Math.hypot(event.clientX - now.x, event.clientY - now.y) < FAR) return;
      begun();
      // begun() puts down the chip that was carried, and so draws all chips again.
      const { chip, place: from } = now.node.dataset;
      now.node = root.querySelector(`button[data-chip="${chip}"][data-place="${from}"]`) ?? now.node;
      now.ghost = now.node.firstElementChild?.cloneNode(true) as HTMLElement;
      now.ghost.classList.add("kl-predict-ghost");
      now.ghost.setAttribute("aria-hidden", "true");
      root.append(now.ghost);
      now.node.classList.add("kl-dragged");
    }
    event.preventDefault();
    const base = root.getBoundingClientRect();
    now.ghost.style.left = `${event.clientX - base.left}px`;
    now.ghost.style.top = `${event.clientY - base.top}px`;
    const over = place(event);
    if (over !== now.over) {
      now.over?.classList.remove("kl-over");
      over?.classList.add("kl-over");
      now.over = over;
    }
  }

  function stop(event: PointerEvent) {
    if (!now || event.pointerId !== now.id) return;
    const { node, ghost } = now;
    const to = event.type === "pointerup" && ghost ? place(event) : null;
    now.over?.classList.remove("kl-over");
    ghost?.remove();
    node.classList.remove("kl-dragged");
    now = null;
    dragged = ghost !== null;
    if (to) dropped(Number(node.dataset.chip), Number(node.dataset.place), Number(to.dataset.here));
  }

  root.addEventListener("pointerdown", start);
  document.addEventListener("pointermove", move);
  document.addEventListener("pointerup", stop);
  document.addEventListener("pointercancel", stop);
  return {
    justDropped: () => dragged,
    end() {
      document.removeEventListener("pointermove", move);
      document.removeEventListener("pointerup", stop);
      document.removeEventListener("pointercancel", stop);
    },
  };
}

// --- The chip: draws a partition in its colour, or any other thing that can be put into a place.

/** sign → [mark, words for screen readers] */
export const SIGNS: Record<string, [string, string]> = { right: ["✓", "right"], wrong: ["✗", "you said so, and it was not"], missing: ["◌", "it was so, and you did not say it"], was: ["", "it was so"] };

/** Draws the face of a chip; `sign` is set after the comparison. */
function face(chip: { name: string; hue: number | null }, sign?: string) {
  const hue = chip.hue;
  const colours = hue === null ? {} : { "--kl-c": partitionColour(hue), "--kl-on": partitionInk(hue) };
  return el("span", { class: `kl-predict-face${hue === null ? "" : " kl-hued"}${sign ? ` kl-is-${sign}` : ""}`, style: colours },
    sign && SIGNS[sign][0] ? el("span", { class: "kl-predict-sign", "aria-hidden": "true" }, SIGNS[sign][0]) : null,
    el("bdi", {}, chip.name || "(empty)"));
}
