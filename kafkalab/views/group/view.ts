// GroupView: draws a consumer group as a graph, and its rebalances as a Gantt. It shows what the kernel sends, and asks it
// for one thing only: another group.

import { live } from "../live.ts";
import { changed, clock, el, legend, refill, shorten, trouble } from "../shared.ts";
import { ganttChart } from "./gantt.ts";
import { groupGraph } from "./graph.ts";
import type { Picture } from "./picture";

// Maximum number of pauses listed before "all" is pressed.
const LISTED = 5;
const STATES = { Stable: ["●", "ok"], Empty: ["○", "soft"], Dead: ["✕", "soft"], Unknown: ["?", "bad"] };

const MARKS = { died: "✕", left: "−", joined: "+", other: "⇄" };

function pill(text: string, title: string) {
  return el("span", { class: "kl-pill", title }, shorten(text, 60));
}

/** Returns the legend, with the shapes drawn small. */
function signs(): [any, string][] {
  const box = (cls: string) => el("i", { class: `kl-key kl-key-${cls}` });
  return [
    [box("line"), "this member reads this partition"],
    [box("idle"), "member standing by"],
    [box("gap"), "nobody read it"],
    [box("silent"), "its member had died, unnoticed"],
    ["✕", "held by nobody"],
    ["−5", "lag, records"],
    [box("number"), "a new generation (or epoch)"],
  ];
}

export default {
  render: live("group", "Consumer group", (page, { model, ask }) => {
    const frozen = () => !model.get("live");
    const bar = el("div", { class: "kl-bar" });
    const notice = el("div", {});
    const graph = groupGraph();
    const chart = ganttChart(() => !frozen());
    const standing = el("p", { class: "kl-standing" });
    const empty = el("p", { class: "kl-soft kl-none" });
    const more = el("p", { class: "kl-soft kl-more" });
    const list = el("ol", { class: "kl-pauses", "aria-label": "pauses, newest first" });
    const all = el("button", { type: "button", class: "kl-button kl-all", onclick: () => { whole = !whole; pauses(state); } });
    const quiet = el("p", { class: "kl-soft kl-none" });
    const said = el("div", { class: "kl-hidden", role: "status", "aria-live": "polite" });
    let whole = false;
    let state: Picture;

    page.append(bar, notice,
      el("div", { class: "kl-two" },
        el("section", { class: "kl-panel", "aria-label": "who reads what now" }, standing, graph.node, empty, more),
        el("section", { class: "kl-panel", "aria-label": "who held what" }, chart.node, quiet, list, all)),
      legend(signs()), said);

    function choose(event: Event) {
      ask({ do: "choose", place: Number((event.target as HTMLSelectElement).value) });
    }

    function head(s: Picture) {
      const { about } = s;
      const [sign, tone] = STATES[about.state] ?? ["⇄", "warn"];
      const name = shorten(s.group, 60);
      // The value is a place in the list, because ids may look alike once they are shortened.
      const place = s.groups.indexOf(s.group);
      const chosen = s.groups.length > 1 && !frozen()
        ? el("select", { class: "kl-select", "aria-label": "group shown", "data-key": "group", onchange: choose },
            place < 0 ? el("option", { value: -1, selected: true }, name || "choose a group") : null,
            s.groups.map((g, i) => el("option", { value: i, selected: i === place }, shorten(g, 60))))
        : el("bdi", {}, name || "none yet");
      refill(bar, [
        el("strong", { class: "kl-name" }, "Group ", chosen),
        about.state && el("span", { class: `kl-pill kl-state kl-tone-${tone}` }, el("span", { "aria-hidden": "true" }, `${sign} `), about.state),
        about.coordinator !== null && pill(`coordinator ${about.coordinator}`, "The broker that leads the group's partition of __consumer_offsets: members join, send heartbeats and commit there."),
        about.number !== null && pill(`${about.noun} ${about.number}`, about.protocol === "consumer" ? "Rises whenever members or what they subscribe to change." : "Counts the rebalances: whoever commits with an older one is refused."),
        about.assignor && pill(about.assignor, "The assignor: how partitions are shared out."),
        about.state && pill(`${about.protocol} protocol`, about.protocol === "consumer" ? "KIP-848: the coordinator shares partitions out, member by member." : "Members meet in a rebalance, and one of them shares the partitions out."),
        about.lag !== null && pill(`lag ${about.lag}`, "Records that the group has not committed yet, over all partitions."),
      ]);
    }

    function pauses(s: Picture) {
      const found = s.gantt.pauses;
      const focused = (document.activeElement as HTMLElement | null)?.dataset?.pause;
      list.replaceChildren(...found.slice(0, whole ? found.length : LISTED).map((pause) =>
        el("li", { class: `kl-pause kl-is-${pause.kind}${pause.to === null ? " kl-open" : ""}` },
          el("button", { type: "button", class: "kl-pause-button", "data-pause": pause.id, title: "show it on the time line", onclick: () => chart.show(pause) },
            el("time", { class: "kl-mono" }, clock.ofDay(pause.from)), el("span", { class: "kl-mark", "aria-hidden": "true" }, MARKS[pause.kind] ?? "·"), el("span", {}, shorten(pause.text, 300))))));
      if (focused) [...list.querySelectorAll("button")].find((b) => b.dataset.pause === focused)?.focus();
      all.hidden = found.length <= LISTED;
      all.textContent = whole ? "newest only" : `all ${found.length}`;
      quiet.hidden = found.length > 0 || s.gantt.order.length === 0;
      quiet.textContent = "No pause so far: every partition is still held by the same member.";
    }

    return {
      draw(s: Picture, before: Picture | undefined) {
        state = s;
        if (changed(s, before, "about", "groups", "group")) head(s);
        if (changed(s, before, "error")) notice.replaceChildren(...[trouble(s.error)].flat());
        page.classList.toggle("kl-stale", Boolean(s.error));
        standing.textContent = s.about.standing;
        const shown = s.order.length > 0 || s.ranks.length > 0;
        graph.node.hidden = !shown;
        empty.hidden = shown;
        empty.textContent = !s.looked ? "Looking…" : !s.group ? "There is no consumer group yet. Start a consumer with a group id, and it appears here." : "Nobody is in this group, and nothing was committed for it.";
        more.hidden = !s.more.partitions && !s.more.members;
        more.textContent = `Not drawn: ${s.more.partitions} more partitions, ${s.more.members} more members.`;
        if (changed(s, before, "order", "ranks", "partitions", "members", "group")) graph.draw(s, before);
        chart.draw(s, before);
        if (changed(s, before, "gantt")) pauses(s);
        const newest = s.gantt.pauses.find((p) => p.to !== null);
        const known = before?.gantt.pauses.some((p) => p.id === newest?.id && p.to !== null);
        if (before && before.group === s.group && newest && !known) said.textContent = newest.text;
      },
      end() {
        graph.end();
        chart.end();
      },
    };
  }),
};
