// LedgerView: draws the records from sent to acknowledged to seen, and lists those that did not go all the way.

import { live } from "../live.ts";
import { changed, count, el, shorten, walked } from "../shared.ts";
import { finder, FLOOR, HEIGHT, layout, SINKS, STATIONS, THICK, WIDTH, WORDS } from "./flow.ts";
import type { Flow, Picture } from "./picture";

/** Maximum number of ids shown of each kind. */
const SHOWN = 12;
const ALWAYS = ["lost", "duplicated", "out_of_order"];
const SAID = { kept: "✓", open: "◌" } as Record<string, string>;
const WAYS = { unacknowledged: "unsure_gone", lost: "lost", strangers: "strangers" } as Record<string, keyof Flow>;
const RIBBONS = { acknowledged: "sent and acknowledged", seen: "acknowledged and seen", unsure: "not acknowledged, and seen all the same", unacknowledged: "not acknowledged", lost: "acknowledged, not seen", strangers: "seen, sent by others" } as Record<string, string>;

function picture(state: Picture) {
  const { bars, ribbons } = layout(state.flow);
  const text = (x: number, y: number, words: string, kind: string, anchor: string = "start") => el("text", { x, y, class: `kl-lg-text ${kind}`, "text-anchor": anchor }, words);
  const nodes = ribbons.map((one) => el("g", { class: `kl-lg-ribbon kl-lg-way-${one.kind}${one.kind === "lost" && state.moving ? " kl-lg-open" : ""}` },
    el("path", { d: one.d, class: "kl-lg-band" }, el("title", {}, `${count(one.count)} ${RIBBONS[one.kind]}`)),
    state.moving && ["acknowledged", "seen"].includes(one.kind) ? el("path", { d: one.middle, class: "kl-lg-current" }) : ""));
  for (const [name, bar] of Object.entries(bars)) {
    nodes.push(el("rect", { x: bar.x, y: bar.y, width: THICK, height: Math.max(2, bar.h), rx: 3, class: "kl-lg-bar" }), text(bar.x, bar.y - 30, name, "kl-lg-soft"), text(bar.x, bar.y - 8, count(state.counts[name]), "kl-lg-number"));
  }
  for (const [kind, x] of Object.entries(SINKS)) {
    const n = state.flow[WAYS[kind]];
    if (!n) continue;
    const open = kind === "lost" && state.moving;
    nodes.push(text(x, FLOOR + 22, `${open ? "◌" : WORDS[kind][0]} ${count(n)} ${open ? "not seen yet" : WORDS[kind][1]}`, `kl-lg-end kl-lg-way-${open ? "open" : kind}`, "middle"));
  }
  const more = ["duplicated", "out_of_order", "redelivered"].filter((kind) => state.counts[kind]);
  more.forEach((kind, i) => nodes.push(text(STATIONS.seen + THICK + 14, 84 + 24 * i, `${WORDS[kind][0]} ${count(state.counts[kind])} ${WORDS[kind][1]}`, `kl-lg-beside kl-lg-way-${kind}`)));
  // An empty column or row at the edge gets no room.
  const wide = more.length ? WIDTH : STATIONS.seen + 120;
  const high = Object.keys(SINKS).some((kind) => state.flow[WAYS[kind]]) ? HEIGHT : FLOOR - 22;
  return el("svg", { viewBox: `0 0 ${wide} ${high}`, "aria-hidden": "true" }, nodes);
}

function drawKinds(box: HTMLElement, state: Picture) {
  const held = ((box.contains(document.activeElement) ? document.activeElement : null) as HTMLElement | null)?.dataset;
  const shown = Object.keys(WORDS).filter((kind) => ALWAYS.includes(kind) || state.counts[kind]);
  let first = true;
  box.replaceChildren(...shown.map((kind) => {
    const n = state.counts[kind];
    const open = kind === "lost" && state.moving && n;
    const [sign, word, means] = open ? ["◌", "not seen yet", "acknowledged; what reads is still at work"] : WORDS[kind];
    const ids = state.ids[kind].slice(0, SHOWN);
    return el("section", { class: `kl-lg-kind kl-lg-way-${open ? "open" : kind}${n ? "" : " kl-lg-none"}`, "data-kind": kind, "aria-label": `${n ? count(n) : "none"} ${word}` },
      el("h4", {}, el("span", { class: "kl-lg-sign", "aria-hidden": "true" }, n ? sign : "✓"), el("span", {}, n ? ` ${count(n)} ` : " none "), word),
      n ? el("p", { class: "kl-soft" }, means) : "",
      n && ids.length ? el("ul", { class: "kl-lg-ids" }, ids.map((id, i) => {
        const node = el("li", {}, el("button", { class: "kl-lg-id kl-mono", "data-at": i, "data-kind": kind, tabindex: first ? 0 : -1, title: "what became of it?" }, el("bdi", {}, shorten(id, 28))));
        first = false;
        return node;
      }), n > ids.length ? el("li", { class: "kl-soft" }, `and ${count(n - ids.length)} more`) : "") : "");
  }));
  if (held?.at !== undefined) {
    const again = box.querySelector(`[data-kind="${held.kind}"][data-at="${held.at}"]`) as HTMLElement | null;
    if (again) choose(box, again);
  }
}

function choose(box: HTMLElement, node: HTMLElement) {
  for (const other of box.querySelectorAll(".kl-lg-id") as NodeListOf<HTMLElement>) other.tabIndex = other === node ? 0 : -1;
  node.focus();
}

/** Moves the focus between ids: arrows by one, Home and End to the first and last. */
function walk(event: KeyboardEvent, box: HTMLElement) {
  const all = [...box.querySelectorAll(".kl-lg-id")] as HTMLElement[];
  const at = all.indexOf(document.activeElement as HTMLElement);
  const to = walked(event.key, at, all.length - 1);
  if (at < 0 || to === undefined) return;
  event.preventDefault();
  choose(box, all[to]);
}

export default {
  render: live("ledger", "Ledger of records", (page, { ask }) => {
    const title = el("h3", { class: "kl-lg-title" });
    const moving = el("span", { class: "kl-pill kl-lg-moving", hidden: true }, "◌ counting");
    const verdict = el("p", { class: "kl-lg-verdict", role: "status" });
    const flow = el("div", { class: "kl-lg-flow", tabindex: 0, role: "img" });
    const kinds = el("div", { class: "kl-lg-kinds" });
    const find = finder((id) => ask({ do: "find", id }));
    page.append(el("header", { class: "kl-lg-head" }, title, moving), verdict, el("div", { class: "kl-lg-both" }, flow, kinds), el("div", { class: "kl-lg-ask" }, find.form, find.told),
      el("ul", { class: "kl-legend", "aria-label": "legend" }, Object.values(WORDS).map(([sign, word, means]) => el("li", {}, el("span", { class: "kl-sign", "aria-hidden": "true" }, sign), " ", el("b", {}, word), ` ${means}`))));

    kinds.addEventListener("click", (event) => {
      const id = (event.target as HTMLElement).closest?.("[data-at]") as HTMLElement | null;
      if (id && state) find.ask(state.ids[id.dataset.kind ?? ""]?.[Number(id.dataset.at)] ?? "");
    });
    kinds.addEventListener("keydown", (event) => walk(event as KeyboardEvent, kinds));

    let state: Picture | null = null;
    return {
      draw(after: Picture, before: Picture | undefined) {
        state = after;
        find.state(after);
        const name = after.topic ? `Ledger of ${shorten(after.topic, 80)}` : "Ledger";
        if (title.textContent !== name) title.textContent = name;
        moving.hidden = !after.moving;
        // Each sentence has its own sign: "nothing was lost" is good news, even if another sentence is not.
        if (verdict.dataset.text !== after.verdict) {
          verdict.dataset.text = after.verdict;
          verdict.replaceChildren(...after.said.flatMap(([kind, sentence]) =>
            [el("span", { class: `kl-lg-said kl-lg-way-${kind}` }, el("b", { "aria-hidden": "true" }, `${SAID[kind] ?? WORDS[kind][0]} `), sentence), " "]));
        }
        if (changed(after, before, "flow", "counts", "moving")) {
          flow.setAttribute("aria-label", `sent ${after.counts.sent}, acknowledged ${after.counts.acknowledged}, seen ${after.counts.seen}. ${after.verdict}`);
          flow.replaceChildren(picture(after));
        }
        if (changed(after, before, "ids", "counts", "moving")) drawKinds(kinds, after);
      },
      heard(message) {
        if (message.found) find.answer(message.found);
      },
    };
  }),
};
