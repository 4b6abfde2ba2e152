// The event list, "What happened": draws each event as a line with the time since the learner's own last action.

import { clock, el, shorten } from "../shared.js";
import { kindOf } from "../signs.js";

const KEPT = 200;

export function eventList() {
  const empty = el("p", { class: "kl-none" }, "Nothing yet. What you do to a node, and what Kafka makes of it, will be listed here.");
  const list = el("ol");
  const box = el("div", { class: "kl-event-list", role: "log", "aria-live": "polite", "aria-label": "what happened", tabindex: "0" }, list);
  let last = 0;
  /** @type {any} */ let shown;

  /** @param {any[]} events */
  function show(events) {
    if (events === shown || !events) return;
    shown = events;
    // In a recording, time also runs backwards: lines of events that have not happened yet are removed again.
    const end = events.at(-1)?.n ?? 0;
    const number = (/** @type {any} */ line) => Number(line?.dataset.n ?? 0);
    while (number(list.lastElementChild) > end) list.lastElementChild?.remove();
    // Lines that were dropped from the top, because there were too many, have to come back: all are drawn again.
    if (number(list.firstElementChild) > (events[0]?.n ?? 0)) list.replaceChildren();
    last = number(list.lastElementChild);
    if (!events.length) box.before(empty);
    const fresh = events.filter((event) => event.n > last);
    if (!fresh.length) return;
    // A reader who scrolled up stays there. The first lines come before the page has a layout: it scrolls one frame later.
    const first = last === 0;
    const atEnd = box.scrollHeight - box.scrollTop - box.clientHeight < 24;
    empty.remove();
    list.append(...fresh.map(line));
    while (list.children.length > KEPT) list.firstElementChild?.remove();
    last = fresh.at(-1).n;
    if (first) requestAnimationFrame(() => { box.scrollTop = box.scrollHeight; });
    else if (atEnd) box.scrollTop = box.scrollHeight;
  }
  return { nodes: [el("h4", { class: "kl-title", title: "kafkalab reads the cluster every half second, so it sees what the cluster does by itself a moment later." }, "What happened · seen at"), empty, box], show };
}

function line(event) {
  const { sign, tone } = kindOf(event.kind);
  const when = event.since === null ? clock.ofDay(event.at) : clock.since(event.since);
  return el("li", { class: `kl-event kl-tone-${tone}`, "data-kind": event.kind, "data-n": event.n },
    el("time", { class: "kl-mono", title: `first seen at ${clock.ofDay(event.at)}` }, when),
    el("span", { class: "kl-mark", "aria-hidden": "true" }, sign),
    el("div", { class: "kl-said" }, event.kind === "error" ? errorLines(event.text) : event.parts.length ? crowd(event) : emphasised(shorten(event.text, 260))));
}

// Draws many events of the same kind and moment as one line, which opens to show each of them.
function crowd(event) {
  return el("details", {}, el("summary", {}, emphasised(shorten(event.text, 260))),
    el("ul", {}, event.parts.slice(0, 100).map((text) => el("li", {}, emphasised(shorten(text, 260))))));
}

// "trucks_gps P3: leader 102 → 103": puts the two values of a change in bold.
function emphasised(text) {
  return text.split(/([\w,]+ → [\w,]+)/).map((part, i) => (i % 2 ? el("b", {}, part) : part));
}

function errorLines(text) {
  const [first, ...rest] = text.split("\n").slice(0, 6).map((part) => shorten(part, 260));
  return [el("b", {}, first), rest.map((part) => el("span", { class: "kl-error-line" }, part))];
}
