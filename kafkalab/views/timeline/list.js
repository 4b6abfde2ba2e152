// "What happened" beside the playhead: lists the events, marks the current one, and goes to a chosen one; later ones are pale.
import { clock, el, shorten } from "../shared.js";
import { kindOf } from "../signs.js";
import { current, moment } from "./words.js";

/** @typedef {import("./words.js").Happened} Happened */

/** Maximum number of lines on the page, around the current one: an hour has thousands. */
const LINES = 90;

/** @param {(at: number) => void} go */
export function happened(go) {
  const list = el("ol", { class: "kl-tl-lines", "aria-label": "what happened; Enter goes to the moment" });
  const none = el("p", { class: "kl-tl-none" }, "Nothing happened yet. What you do to a node, and what Kafka makes of it, will be listed here.");
  const box = /** @type {HTMLElement} */ (el("div", { class: "kl-tl-list" }, none, list));
  const root = el("div", { class: "kl-tl-happened" }, el("h4", { class: "kl-title" }, "What happened"), box);
  /** @type {Happened[]} */ let events = [];
  let first = 0, at = -2, focused = -1;

  const button = (/** @type {number} */ i) => /** @type {HTMLElement | null} */ (list.querySelector(`[data-i="${i}"]`));

  list.addEventListener("click", (event) => {
    const found = /** @type {HTMLElement} */ (event.target).closest("[data-i]");
    if (found) go(events[Number(/** @type {HTMLElement} */ (found).dataset.i)].at);
  });
  list.addEventListener("keydown", (event) => {
    const here = Number(/** @type {HTMLElement} */ (event.target).dataset.i);
    const to = { ArrowUp: here - 1, ArrowDown: here + 1, Home: 0, End: events.length - 1, PageUp: here - 8, PageDown: here + 8 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    focus(Math.min(events.length - 1, Math.max(0, to)));
  });
  list.addEventListener("focusout", () => { focused = -1; });

  function focus(/** @type {number} */ i) {
    if (!button(i)) fill(i);
    focused = i;
    rove(i);
    const found = button(i);
    found?.focus({ preventScroll: true });
    if (found) into(found);
  }
  /** Makes one line reachable with Tab: the current one, or the one with the keyboard's focus. */
  function rove(/** @type {number} */ i) {
    for (const b of list.querySelectorAll("button[tabindex='0']")) b.setAttribute("tabindex", "-1");
    (button(i) ?? list.querySelector("button"))?.setAttribute("tabindex", "0");
  }
  /** Scrolls the list, and never the page, until a line is visible. @param {HTMLElement} node */
  function into(node) {
    const top = node.offsetTop - list.offsetTop, bottom = top + node.offsetHeight;
    const room = Math.min(44, box.clientHeight / 4); // a line or two before and after it stay visible, too
    if (top < box.scrollTop + room) box.scrollTop = top - room;
    else if (bottom > box.scrollTop + box.clientHeight - room) box.scrollTop = bottom - box.clientHeight + room;
  }
  function fill(/** @type {number} */ around) {
    first = Math.max(0, Math.min(around - LINES / 2, events.length - LINES));
    list.replaceChildren(...events.slice(first, first + LINES).map((event, i) => line(event, first + i)));
    list.setAttribute("start", String(first + 1));
    mark(at);
  }
  function mark(/** @type {number} */ i) {
    for (const b of list.children) {
      const mine = Number(/** @type {HTMLElement} */ (b.firstElementChild).dataset.i);
      b.classList.toggle("kl-tl-now", mine === i);
      b.classList.toggle("kl-tl-later", mine > i);
      if (mine === i) b.firstElementChild?.setAttribute("aria-current", "true");
      else b.firstElementChild?.removeAttribute("aria-current");
    }
  }

  return {
    root,
    /** @param {{ events: Happened[], at: number }} state */
    draw(state) {
      const changed = state.events !== events;
      const grown = changed && state.events.length > events.length && events.every((event, i) => event === state.events[i]);
      events = state.events;
      none.hidden = events.length > 0;
      const now = current(events, state.at);
      if (!changed && now === at) return;
      at = now;
      const edge = now < first + 10 && first > 0 ? true : now > first + LINES - 10 && first + LINES < events.length;
      if (changed && grown && list.children.length && first + LINES >= events.length) {
        for (let i = first + list.children.length; i < events.length; i++) list.append(line(events[i], i));
      } else if (changed || edge) {
        if (focused < 0 || changed) fill(Math.max(0, now));
      }
      mark(now);
      if (focused >= 0 && button(focused)) return; // do not scroll away from a reader
      rove(now);
      const found = button(now);
      if (found) requestAnimationFrame(() => into(found));
      else box.scrollTop = 0;
    },
  };
}

/** @param {Happened} event @param {number} i */
function line(event, i) {
  const { sign, tone } = kindOf(event.kind);
  const since = event.since === null ? "" : clock.since(event.since);
  return el("li", { "data-kind": event.kind },
    el("button", { class: `kl-tl-go kl-tone-${tone}`, tabindex: "-1", "data-i": i, type: "button", title: `go to ${moment(event.at, 2)}` },
      el("time", { class: "kl-mono kl-soft" }, moment(event.at)),
      el("span", { class: "kl-mono kl-tl-since" }, since),
      el("span", { class: "kl-mark", "aria-hidden": "true" }, sign),
      el("span", { class: "kl-tl-said" }, emphasised(shorten(event.text, 260)))));
}

/** "trucks_gps P3: leader 102 → 103": puts the two values of a change in bold. @param {string} text */
function emphasised(text) {
  return text.split(/([\w,]+ → [\w,]+)/).map((part, i) => (i % 2 ? el("b", {}, part) : part));
}
