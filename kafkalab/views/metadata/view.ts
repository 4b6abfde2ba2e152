// MetadataView: draws ZooKeeper's tree with its watches, or KRaft's metadata log; of one cluster, or of two side by side.

import { live } from "../live.ts";
import { changed, clock, el, legend, news, refill, shorten } from "../shared.ts";
import type { Connection, Picture, Side } from "./picture";
import { happenings, lanes, metadataLog } from "./quorum.ts";
import { actBar, timeLines } from "./timeline.ts";
import { znodeDetail, znodeTree } from "./tree.ts";

type Ask = (message: object) => void;
type Kind = Side["kind"];

const CONNECTION: Record<Connection["state"], [string, string, string]> = {
  connecting: ["◌", "warn", "connecting to ZooKeeper…"],
  connected: ["●", "ok", "watching"],
  suspended: ["◌", "warn", "SUSPENDED: no ZooKeeper answers"],
  lost: ["✕", "bad", "LOST: our session is over, asking for another"],
  closed: ["◌", "plain", "not watching"],
};

function signs(kinds: Kind[]) {
  const zookeeper = [["⚡", "ephemeral: goes with its session"], ["✕", "not there"], ["v3", "version: writes of its data"]];
  const kraft = [["♛", "leader"], ["●", "follows"], ["◌", "behind"], ["✕", "down"], ["│", "high watermark"]];
  const both = [["◆", "controller"], ["≤", "seen at that time, happened before"]];
  return [...(kinds.includes("zookeeper") ? zookeeper : []), ...(kinds.includes("kraft") ? kraft : []), ...both];
}

function oneSide(number: number, kind: Kind, ask: Ask) {
  const title = el("h3", {});
  const pills = el("span", { class: "kl-side-pills" });
  const notice = el("div", { class: "kl-notice", role: "status" });
  const keepers = lanes();
  const tree = kind === "zookeeper" ? treePanel(number, ask) : null;
  const log = kind === "kraft" ? metadataLog(() => ask({ do: "log", side: number })) : null;
  const events = tree
    ? happenings("Watches that fired", "Nothing has fired yet. Every change of a node that is watched will be listed here.", tree.go)
    : happenings("What happened", "Nothing yet. What changes in the quorum and among the brokers will be listed here.");
  const root = el("section", { class: "kl-side", "data-kind": kind },
    el("header", { class: "kl-side-head" }, title, pills), notice,
    el("div", { class: "kl-panel kl-keepers" }, keepers.root),
    el("div", { class: "kl-side-body" }, tree?.root ?? log?.root, events.root));
  return {
    kind,
    root,
    draw(side: Side, before: Side | undefined) {
      if (side === before) return;
      title.textContent = shorten(side.name || side.kafka || "a cluster", 60);
      root.setAttribute("aria-label", shorten(`${side.name} ${side.kafka}`, 100));
      pills.replaceChildren(
        side.name && side.kafka ? el("span", { class: "kl-pill" }, shorten(side.kafka, 60)) : "",
        side.controller === null ? el("span", { class: "kl-pill kl-bad" }, "no controller") : el("span", { class: "kl-pill kl-pill-lead" }, `◆ controller ${side.controller}`),
        side.connection ? connection(side.connection) : "",
        side.at ? el("span", { class: "kl-pill" }, `as it was at ${clock.ofDay(side.at)}`) : "");
      const said = [side.looked ? "" : "The cluster has not been read yet.", side.error ? `The cluster does not answer now. ${side.error}` : "", side.problem].filter(Boolean);
      notice.hidden = !said.length;
      notice.replaceChildren(...said.map((text) => el("div", {}, shorten(text, 400))));
      if (changed(side, before, "quorum")) keepers.draw(side.quorum);
      tree?.draw(side);
      if (side.log) log?.draw(side.log, side.actions.at(-1)?.at ?? null, side.recorded);
      if (changed(side, before, "lines")) events.draw(side.lines);
    },
  };
}

function connection({ state, since, session }: Connection) {
  const [sign, tone, words] = CONNECTION[state];
  const from = state === "suspended" || state === "lost" ? ` since ${clock.ofDay(since)}` : "";
  const ours = state === "connected" && session ? `, our session ${session}` : "";
  return el("span", { class: `kl-pill kl-tone-${tone}`, "data-connection": state, title: "one client reads this ZooKeeper, for all views together" },
    el("span", { class: "kl-mark", "aria-hidden": "true" }, sign), ` ${words}${from}${ours}`);
}

function treePanel(number: number, ask: Ask) {
  const detail = el("div", { class: "kl-detail", "aria-live": "off" });
  const isNews = news();
  let details: Side["details"] = {};
  let recorded = false;
  const of = (path: string) => (Object.hasOwn(details, path) ? details[path] : undefined);
  const show = (path: string) => {
    if (isNews(path, of(path))) refill(detail, znodeDetail(path, of(path), recorded));
  };
  const tree = znodeTree({
    open: (path) => ask({ do: "open", side: number, path }),
    select: (path) => {
      if (!of(path)) ask({ do: "select", side: number, path });
      show(path);
    },
  });
  const none = el("p", { class: "kl-soft" }, "The tree has not been read.");
  return {
    root: el("div", { class: "kl-panel kl-tree-panel" }, el("div", { class: "kl-tree-half" }, el("h4", { class: "kl-title" }, "Tree"), none, tree.root), detail),
    go: tree.go,
    draw(now: Side) {
      ({ details, recorded } = now);
      none.hidden = Boolean(now.tree);
      tree.root.hidden = detail.hidden = !now.tree;
      tree.draw(now.tree, recorded);
      if (now.tree) show(tree.active);
    },
  };
}

export default {
  render: live("metadata", "the metadata of the cluster", (page, { ask }) => {
    const bar = actBar(ask);
    const times = timeLines();
    const sides = el("div", { class: "kl-sides" });
    const foot = el("div", {});
    page.append(bar.root, times.root, sides, foot);
    const drawn: ReturnType<typeof oneSide>[] = [];

    return {
      draw(state: Picture, before: Picture | undefined) {
        const all = Object.values(state.sides);
        sides.classList.toggle("kl-sides-two", all.length > 1);
        all.forEach((side, i) => {
          const same = drawn[i]?.kind === side.kind;
          if (!same) {
            drawn[i] = oneSide(i, side.kind, ask);
            sides.replaceChildren(...drawn.map(({ root }) => root));
            foot.replaceChildren(legend(signs(all.map(({ kind }) => kind))));
          }
          drawn[i].draw(side, same ? before?.sides[i] : undefined);
        });
        bar.draw(all);
        times.draw(state, before);
      },
      end: () => times.end(),
    };
  }),
};
