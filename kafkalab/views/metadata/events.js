// The event list: draws each line with its source's own word: a watch that fired, a record, or a difference of two snapshots.

import { clock, el, shorten } from "../shared.js";
import { mark } from "./signs.js";

/**
 * @param {string} label
 * @param {string} hint the text shown while nothing has happened
 * @param {(path: string) => void} [go] shows a node of the tree
 */
export function happenings(label, hint, go) {
  const empty = el("p", { class: "kl-soft" }, hint);
  const items = el("ol", {});
  const list = el("div", { class: "kl-happened", role: "log", "aria-live": "polite", "aria-label": label, tabindex: "0" }, items);
  /** @type {Map<number, { line: any, node: HTMLElement }>} */ const drawn = new Map();
  return {
    nodes: [el("h4", { class: "kl-title" }, label), empty, list],
    /** @param {any[]} lines */
    draw(lines) {
      empty.hidden = lines.length > 0;
      list.hidden = lines.length === 0;
      const atEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 30;
      const first = drawn.size === 0;
      const numbers = new Set(lines.map((line) => line.n));
      for (const [n, old] of drawn) if (!numbers.has(n)) { old.node.remove(); drawn.delete(n); }
      // In a recording, time runs backwards too: then lines arrive that belong before those already drawn.
      const newest = Math.max(0, ...drawn.keys());
      let earlier = false;
      for (const line of lines) {
        const old = drawn.get(line.n);
        if (old?.line === line) continue;
        const node = drawnLine(line, go);
        if (old) old.node.replaceWith(node);
        else items.append(node);
        earlier ||= !old && line.n < newest;
        drawn.set(line.n, { line, node });
      }
      if (earlier) items.append(...lines.map((line) => /** @type {any} */ (drawn.get(line.n)).node));
      // A reader who scrolled up stays there.
      if (first) requestAnimationFrame(() => { list.scrollTop = list.scrollHeight; });
      else if (atEnd) list.scrollTop = list.scrollHeight;
    },
  };
}

/** @param {any} line @param {(path: string) => void} [go] */
function drawnLine(line, go) {
  const [sign, tone] = mark(line.kind);
  const when = `${line.by === "snapshot" ? "≤" : ""}${line.since === null ? clock.ofDay(line.at) : clock.since(line.since)}`;
  const path = line.by === "watch" && line.parts.length === 0 && line.where.startsWith("/");
  const where = line.where ? el("bdi", {}, shorten(line.where, 120)) : null;
  const text = shorten(line.text, 300);
  return el("li", { class: `kl-happening kl-tone-${tone}`, "data-kind": line.kind },
    el("time", { class: "kl-mono", title: `at ${clock.ofDay(line.at)}${line.by === "snapshot" ? ": seen at the next look, it happened before" : ""}` }, when),
    el("span", { class: "kl-mark", "aria-hidden": "true" }, sign),
    el("div", { class: "kl-said" },
      line.word || where ? el("div", { class: "kl-happening-word" }, el("b", {}, shorten(line.word, 60)), " ",
        path && go ? el("button", { type: "button", class: "kl-link kl-mono", title: "show it in the tree", onclick: () => go(line.where) }, where) : where && el("span", { class: "kl-mono" }, where)) : null,
      line.parts.length
        ? el("details", {}, el("summary", {}, text), el("ul", {}, line.parts.map((/** @type {string} */ part) => el("li", {}, shorten(part, 200)))))
        : el("div", {}, text)));
}
