// The columns of keys: draws each key as a dot in the column of its partition. Dots move when the partitions change.

import { count, el, partitionColour, partitionInk, reducedMotion, shorten } from "../shared.js";
import { astray, home } from "./moves.js";

/** @typedef {import("./moves.js").Key} Key */
/** @typedef {{ partitions: number, after: number, nulls: Record<string, number>, chosen: string, real: boolean }} Columns */

/**
 * @param {HTMLElement} box gets the columns
 * @param {(id: string) => void} choose called with the id of a key when it is chosen
 * @param {(id: string) => void} point called with the id of the key under the pointer or focus; "" for none
 */
export function columns(box, choose, point) {
  /** @type {Map<string, HTMLElement>} */ const dots = new Map();
  let focus = "";

  box.addEventListener("pointerover", (event) => point(idOf(event.target)));
  box.addEventListener("pointerleave", () => point(""));
  box.addEventListener("click", (event) => {
    const id = idOf(event.target);
    if (id) step(id, true);
  });
  box.addEventListener("focusin", (event) => {
    const id = idOf(event.target);
    if (id) point(id);
  });
  box.addEventListener("keydown", (event) => {
    const at = dots.get(focus);
    if (!at) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      choose(focus);
      return;
    }
    const column = /** @type {HTMLElement} */ (at.parentElement);
    const mine = [...column.children];
    const i = mine.indexOf(at);
    const all = [.../** @type {NodeListOf<HTMLElement>} */ (box.querySelectorAll(".kl-dots"))].filter((c) => c.children.length);
    const beside = (/** @type {number} */ by) => {
      const next = all[all.indexOf(column) + by];
      return next?.children[Math.min(i, next.children.length - 1)];
    };
    const to = { ArrowDown: mine[i + 1], ArrowUp: mine[i - 1], ArrowRight: beside(1), ArrowLeft: beside(-1), Home: mine[0], End: mine[mine.length - 1] }[event.key];
    if (["ArrowDown", "ArrowUp", "ArrowLeft", "ArrowRight", "Home", "End"].includes(event.key)) event.preventDefault();
    if (to) step(/** @type {HTMLElement} */ (to).dataset.key ?? "", false);
  });

  function step(/** @type {string} */ id, /** @type {boolean} */ chosen) {
    const before = dots.get(focus);
    if (before) before.tabIndex = -1;
    focus = id;
    const now = dots.get(id);
    if (now) {
      now.tabIndex = 0;
      now.focus({ preventScroll: true });
    }
    if (chosen) choose(id);
  }

  /**
   * Draws the keys; those that changed their place glide there.
   * @param {[string, Key][]} keys
   * @param {Columns} how
   */
  function draw(keys, how) {
    const { partitions, after, nulls, chosen, real } = how;
    const moved = after !== partitions;
    const held = dots.get(focus) === document.activeElement;
    const before = new Map([...dots].map(([id, dot]) => [id, dot.getBoundingClientRect()]));
    /** @type {HTMLElement[][]} */ const inside = Array.from({ length: after }, () => []);
    dots.clear();
    for (const [id, key] of keys) {
      const was = real ? home(key, partitions) : key.hash % partitions;
      const will = moved ? key.hash % after : was;
      const away = real && !moved && astray(key, partitions);
      const mover = moved && key.hash % partitions !== will;
      const says = away ? `, calculated P${key.hash % partitions}` : mover ? `, moves from P${key.hash % partitions}` : "";
      const dot = el("span", { class: `kl-dot-key${away ? " kl-astray" : ""}${mover ? " kl-mover" : ""}${id === chosen ? " kl-here" : ""}`, role: "option", "data-key": id, tabindex: -1,
        "aria-selected": String(id === chosen), "aria-label": `${shorten(key.text)}, P${will}${says}`, style: { "--kl-c": partitionColour(away ? key.hash : was), "--kl-on": partitionInk(was) } }, away ? "✗" : null);
      dots.set(id, dot);
      inside[will]?.push(dot);
    }
    if (!dots.has(focus)) focus = dots.keys().next().value ?? "";
    const first = dots.get(focus);
    if (first) first.tabIndex = 0;
    const most = Math.max(1, ...inside.map((found) => found.length));
    box.replaceChildren(...inside.map((found, p) => {
      const fresh = p >= partitions;
      const without = real && !moved ? nulls[p] ?? 0 : 0;
      return el("div", { class: `kl-column${fresh ? " kl-fresh" : ""}`, role: "group", "aria-label": `P${p}: ${found.length} keys`, "data-partition": String(p) },
        el("div", { class: "kl-column-head", "aria-hidden": "true", style: { "--kl-c": partitionColour(p), "--kl-on": partitionInk(p) } }, `P${p}`, fresh ? el("small", {}, " new") : null),
        el("div", { class: "kl-bar-keys", "aria-hidden": "true" }, el("span", { style: { width: `${(100 * found.length) / most}%`, background: partitionColour(p) } })),
        el("div", { class: "kl-dots" }, found),
        el("div", { class: "kl-column-foot", "aria-hidden": "true" }, `${count(found.length)} key${found.length === 1 ? "" : "s"}`, without ? el("small", {}, `${count(without)} no key`) : null));
    }));
    if (held) dots.get(focus)?.focus({ preventScroll: true });
    if (!reducedMotion() && before.size) glide(before);
  }

  function glide(/** @type {Map<string, DOMRect>} */ before) {
    for (const [id, dot] of dots) {
      const old = before.get(id);
      if (!old || old.width === 0) continue;
      const now = dot.getBoundingClientRect();
      const [x, y] = [old.left - now.left, old.top - now.top];
      if (Math.abs(x) + Math.abs(y) > 2) dot.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], { duration: 550, easing: "cubic-bezier(0.3, 0, 0.2, 1)" });
    }
  }

  return { draw, dot: (/** @type {string} */ id) => dots.get(id) };
}

/** @param {EventTarget | null} target @returns {string} */
function idOf(target) {
  return /** @type {HTMLElement | null} */ (/** @type {HTMLElement} */ (target).closest?.("[data-key]"))?.dataset.key ?? "";
}
