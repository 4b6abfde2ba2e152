// The bar above the lanes: shows the topic, and lets the learner follow the end, go to an offset, and zoom.

import { clock, count, el, news, shorten } from "../shared.ts";
import { known, LEVELS, NEAREST_BARS } from "./axis.ts";
import type { Picture } from "./picture";

type Does = { follow(): void; zoom(by: number): void; go(where: string, offset?: number): void; groups(name: string): void };
type How = { follow: boolean; own: boolean; level: number; farthest: number; chosen: string; live: boolean };

export function logControls(does: Does) {
  const name = el("strong", { class: "kl-name" });
  const sum = el("span", { class: "kl-soft kl-log-sum" });
  const follow = el("button", { type: "button", class: "kl-button kl-log-follow", onclick: does.follow, title: "stay at the end of the logs (f)" });
  const where = el("select", { class: "kl-select", "aria-label": "go to", onchange: () => { does.go(where.value); where.value = ""; } });
  const offset = el("input", { class: "kl-select kl-log-offset", type: "number", min: "0", step: "1", placeholder: "offset", "aria-label": "offset to go to" });
  const jump = () => offset.value !== "" && does.go("offset", Number(offset.value));
  // No form, because in a notebook Enter in a field does not submit it.
  offset.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    jump();
  });
  const form = el("span", { class: "kl-log-goto", role: "group", "aria-label": "go to an offset" }, offset, el("button", { type: "button", class: "kl-button", onclick: jump }, "go"));
  const out = el("button", { type: "button", class: "kl-button", onclick: () => does.zoom(1), "aria-label": "zoom out", title: "zoom out (−)" }, "−");
  const near = el("button", { type: "button", class: "kl-button", onclick: () => does.zoom(-1), "aria-label": "zoom in", title: "zoom in (+)" }, "+");
  const group = el("select", { class: "kl-select", "aria-label": "groups shown", onchange: () => does.groups(group.value) });
  const alive = el("span", { class: "kl-log-live kl-soft" });
  // Two parts, so that a line that is too long breaks between them.
  const nodes = el("div", { class: "kl-log-controls" }, el("div", { class: "kl-log-about" }, name, sum, alive),
    el("div", { class: "kl-log-tools" }, group, follow, where, form, el("span", { class: "kl-log-zoom", role: "group", "aria-label": "zoom" }, out, near)));
  const isNews = news();
  return {
    nodes,
    draw(state: Picture, how: How) {
      const lanes = Object.values(state.lanes);
      const offsets = lanes.filter(known).reduce((all, lane) => all + lane.high - lane.start, 0);
      write(name, shorten(state.topic, 60));
      write(sum, `${lanes.length} ${lanes.length === 1 ? "partition" : "partitions"} · ${count(offsets)} offsets${how.own ? " · each at its own end" : ""}`);
      sum.title = how.own ? "The logs end too far apart for one axis: each lane stands at its own end." : "All lanes share one axis of offsets.";
      follow.setAttribute("aria-pressed", String(how.follow));
      write(follow, how.follow ? "● following the end" : "○ follow the end");
      const groups = Object.keys(state.groups).sort();
      if (isNews(JSON.stringify(groups), how.chosen)) {
        const targets = [["", "go to…"], ["start", "log start"], ["end", "log end"], ...groups.map((g) => [`group:${g}`, `committed by ${shorten(g, 30)}`])];
        where.replaceChildren(...targets.map(([value, words]) => el("option", { value }, words)));
        group.replaceChildren(el("option", { value: "" }, groups.length === 1 ? "1 group" : `all ${groups.length} groups`),
          ...groups.map((g) => el("option", { value: g, selected: g === how.chosen }, shorten(g, 30))));
      }
      group.hidden = groups.length < 2;
      near.setAttribute("aria-disabled", String(how.level === 0));
      out.setAttribute("aria-disabled", String(how.level >= how.farthest));
      const far = how.level >= NEAREST_BARS;
      const when = state.at ? `a moment, ${clock.ofDay(state.at)}` : "a moment";
      write(alive, far ? scaleWords(how.level) : state.error ? "not answering" : state.recorded ? "a recording" : how.live ? "● live" : when);
      alive.classList.toggle("kl-log-on", how.live && !state.recorded && !state.error && !far);
    },
  };
}

function scaleWords(level: number) {
  const each = 1 / LEVELS[level];
  return each < 1 ? "from afar: no single records" : `a pixel is ${count(Math.round(each))} offsets`;
}

/** Writes words into a node, unless they stand there already. */
export function write(node: Node, words: string) {
  if (node.textContent !== words) node.textContent = words;
}
