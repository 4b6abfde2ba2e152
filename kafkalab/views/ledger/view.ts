// LedgerView: draws the records from sent to acknowledged to seen, and lists those that did not go all the way.

import { live } from "../live.ts";
import { changed, count, el, legend, refill, roving, shorten } from "../shared.ts";
import { finder, FLOOR, HEIGHT, layout, SINKS, STATIONS, THICK, WIDTH, type Fate } from "./flow.ts";
import type { Picture } from "./picture";

/** Maximum number of ids shown of each kind. */
const SHOWN = 12;
const ALWAYS = ["lost", "duplicated", "out_of_order"];
const WAYS = { unacknowledged: "unsure_gone", lost: "lost", strangers: "strangers" } as const;
const RIBBONS: Record<string, string> = {
  acknowledged: "sent and acknowledged", seen: "acknowledged and seen", unsure: "not acknowledged, and seen all the same", unacknowledged: "not acknowledged", lost: "acknowledged, not seen", strangers: "seen, sent by others",
};

function picture(state: Picture) {
  const { bars, ribbons } = layout(state.flow);
  const text = (x: number, y: number, words: string, kind: string, anchor = "start") => el("text", { x, y, class: `kl-lg-text ${kind}`, "text-anchor": anchor }, words);
  const nodes = ribbons.map((one) => el("g", { class: `kl-lg-ribbon kl-lg-way-${one.kind}${one.kind === "lost" && state.moving ? " kl-lg-open" : ""}` },
    el("path", { d: one.d, class: "kl-lg-band" }, el("title", {}, `${count(one.count)} ${RIBBONS[one.kind]}`)),
    state.moving && ["acknowledged", "seen"].includes(one.kind) ? el("path", { d: one.middle, class: "kl-lg-current" }) : ""));
  for (const [name, bar] of Object.entries(bars)) {
    nodes.push(el("rect", { x: bar.x, y: bar.y, width: THICK, height: Math.max(2, bar.h), rx: 3, class: "kl-lg-bar" }), text(bar.x, bar.y - 30, name, "kl-lg-soft"), text(bar.x, bar.y - 8, count(state.counts[name]), "kl-lg-number"));
  }
  const told = (kind: string, n: number) => `${state.kinds[kind].sign} ${count(n)} ${state.kinds[kind].word}`;
  const sinks = (Object.keys(SINKS) as (keyof typeof SINKS)[]).filter((kind) => state.flow[WAYS[kind]]);
  for (const kind of sinks) nodes.push(text(SINKS[kind], FLOOR + 22, told(kind, state.flow[WAYS[kind]]), `kl-lg-end kl-lg-way-${way(kind, state)}`, "middle"));
  const more = ["duplicated", "out_of_order", "redelivered"].filter((kind) => state.counts[kind]);
  more.forEach((kind, i) => nodes.push(text(STATIONS.seen + THICK + 14, 84 + 24 * i, told(kind, state.counts[kind]), `kl-lg-beside kl-lg-way-${kind}`)));
  // An empty column or row at the edge gets no room.
  const wide = more.length ? WIDTH : STATIONS.seen + 120;
  const high = sinks.length ? HEIGHT : FLOOR - 22;
  return el("svg", { viewBox: `0 0 ${wide} ${high}`, "aria-hidden": "true" }, nodes);
}

/** Returns the way that a kind is drawn in: records that may still be seen are not lost yet. */
function way(kind: string, state: Picture) {
  return kind === "lost" && state.moving ? "open" : kind;
}

function kindOf(kind: string, state: Picture, find: (id: string) => void) {
  const n = state.counts[kind], { sign, word, means } = state.kinds[kind];
  const ids = state.ids[kind].slice(0, SHOWN);
  return el("section", { class: `kl-lg-kind kl-lg-way-${way(kind, state)}${n ? "" : " kl-lg-none"}`, "data-kind": kind, "aria-label": `${n ? count(n) : "none"} ${word}` },
    el("h4", {}, el("span", { class: "kl-lg-sign", "aria-hidden": "true" }, n ? sign : "✓"), el("span", {}, n ? ` ${count(n)} ` : " none "), word),
    n ? el("p", { class: "kl-soft" }, means) : "",
    ids.length ? el("ul", { class: "kl-lg-ids" },
      ids.map((id, i) => el("li", {}, el("button", { class: "kl-lg-id kl-mono", "data-key": `${kind} ${i}`, title: "what became of it?", onclick: () => find(id) }, el("bdi", {}, shorten(id, 28))))),
      n > ids.length ? el("li", { class: "kl-soft" }, `and ${count(n - ids.length)} more`) : "") : "");
}

export default {
  render: live("ledger", "Ledger of records", (page, { ask }) => {
    const title = el("h3", { class: "kl-lg-title" });
    const moving = el("span", { class: "kl-pill kl-lg-moving", hidden: true }, "◌ counting");
    const verdict = el("p", { class: "kl-lg-verdict", role: "status" });
    const flow = el("div", { class: "kl-lg-flow", tabindex: 0, role: "img" });
    const kinds = el("div", { class: "kl-lg-kinds" });
    const find = finder((id) => ask({ do: "find", id }));
    const signs = el("div", {});
    page.append(el("header", { class: "kl-lg-head" }, title, moving), verdict, el("div", { class: "kl-lg-both" }, flow, kinds), el("div", { class: "kl-lg-ask" }, find.form, find.told), signs);
    const rove = roving(kinds, ".kl-lg-id");

    return {
      draw(after: Picture, before: Picture | undefined) {
        find.state(after);
        const name = after.topic ? `Ledger of ${shorten(after.topic, 80)}` : "Ledger";
        if (title.textContent !== name) title.textContent = name;
        moving.hidden = !after.moving;
        // Each sentence has its own sign: "nothing was lost" is good news, even if another sentence is not.
        if (verdict.dataset.text !== after.verdict) {
          verdict.dataset.text = after.verdict;
          verdict.replaceChildren(...after.said.flatMap(({ kind, sign, text }) =>
            [el("span", { class: `kl-lg-said kl-lg-way-${kind}` }, el("b", { "aria-hidden": "true" }, `${sign} `), text), " "]));
        }
        if (changed(after, before, "flow", "counts", "moving")) {
          flow.setAttribute("aria-label", `sent ${after.counts.sent}, acknowledged ${after.counts.acknowledged}, seen ${after.counts.seen}. ${after.verdict}`);
          flow.replaceChildren(picture(after));
        }
        if (changed(after, before, "ids", "counts", "moving")) {
          const shown = Object.keys(after.kinds).filter((kind) => ALWAYS.includes(kind) || after.counts[kind]);
          refill(kinds, shown.map((kind) => kindOf(kind, after, find.ask)));
          rove();
        }
        if (changed(after, before, "kinds")) signs.replaceChildren(legend(Object.values(after.kinds).map(({ sign, word, means }) => [sign, [el("b", {}, word), ` ${means}`]])));
      },
      heard(message: { found?: Fate }) {
        if (message.found) find.answer(message.found);
      },
    };
  }),
};
