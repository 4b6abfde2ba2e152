// MetadataView: draws ZooKeeper's tree with its watches, or KRaft's metadata log; of one cluster, or of two side by side.

import { live } from "../live.ts";
import { clock, el, legend, refill, shorten } from "../shared.ts";
import { happenings, lanes, metadataLog } from "./quorum.ts";
import { actBar, timeLines } from "./timeline.ts";
import { znodeDetail, znodeTree } from "./tree.ts";

const CONNECTION = {
  connecting: ["◌", "warn", "connecting to ZooKeeper…"],
  connected: ["●", "ok", "watching"],
  suspended: ["◌", "warn", "SUSPENDED: no ZooKeeper answers"],
  lost: ["✕", "bad", "LOST: our session is over, asking for another"],
  closed: ["◌", "plain", "not watching"],
} as Record<string, [string, string, string]>;

function signs(kinds: string) {
  const zookeeper = [["⚡", "ephemeral: goes with its session"], ["✕", "not there"], ["v3", "version: writes of its data"]];
  const kraft = [["♛", "leader"], ["●", "follows"], ["◌", "behind"], ["✕", "down"], ["│", "high watermark"]];
  const both = [["◆", "controller"], ["≤", "seen at that time, happened before"]];
  return [...(kinds.includes("zookeeper") ? zookeeper : []), ...(kinds.includes("kraft") ? kraft : []), ...both];
}

function oneSide(number: number, kind: string, ask: (message: object) => void) {
  const title = el("h3", {});
  const pills = el("span", { class: "kl-side-pills" });
  const notice = el("div", { class: "kl-notice", role: "status" });
  const keepers = lanes();
  const body = kind === "zookeeper" ? treeBody(number, ask) : kind === "kraft" ? logBody(number, ask) : null;
  const hint = kind === "zookeeper" ? "Nothing has fired yet. Every change of a node that is watched will be listed here." : "Nothing yet. What changes in the quorum and among the brokers will be listed here.";
  const events = happenings(kind === "zookeeper" ? "Watches that fired" : "What happened", hint, body?.go);
  const root = el("section", { class: "kl-side", "data-kind": kind },
    el("header", { class: "kl-side-head" }, title, pills), notice,
    el("div", { class: "kl-panel kl-keepers" }, keepers.nodes),
    el("div", { class: "kl-side-body" }, body ? body.root : null, el("div", { class: "kl-panel kl-side-events" }, events.nodes)));
  let last: any = {};
  return {
    kind,
    root,
    /** @param same true when nothing has changed */
    draw(side: any, same: boolean) {
      if (same) return;
      title.textContent = shorten(side.name || side.kafka || "a cluster", 60);
      root.setAttribute("aria-label", shorten(`${side.name} ${side.kafka}`, 100));
      const parts = [side.name && side.kafka ? el("span", { class: "kl-pill" }, shorten(side.kafka, 60)) : null,
        side.controller === null ? el("span", { class: "kl-pill kl-bad" }, "no controller") : el("span", { class: "kl-pill kl-pill-lead" }, `◆ controller ${side.controller}`),
        side.connection ? connection(side.connection) : null,
        side.at ? el("span", { class: "kl-pill" }, `as it was at ${clock.ofDay(side.at)}`) : null];
      pills.replaceChildren(...(parts.filter(Boolean) as HTMLElement[]));
      const said = [side.looked ? "" : "The cluster has not been read yet.", side.error ? `The cluster does not answer now. ${side.error}` : "", side.problem ?? ""].filter(Boolean);
      notice.hidden = !said.length;
      notice.replaceChildren(...said.map((text) => el("div", {}, shorten(text, 400))));
      if (side.quorum !== last.quorum || !last.looked) keepers.draw(side.quorum);
      body?.draw(side);
      if (side.lines !== last.lines) events.draw(side.lines);
      last = side;
    },
    end: () => body?.end(),
  };
}

function connection(now) {
  const [sign, tone, words] = CONNECTION[now.state] ?? CONNECTION.closed;
  const since = now.state === "suspended" || now.state === "lost" ? ` since ${clock.ofDay(now.since)}` : "";
  const session = now.state === "connected" && now.session ? `, our session ${now.session}` : "";
  return el("span", { class: `kl-pill kl-tone-${tone}`, "data-connection": now.state, title: "one client reads this ZooKeeper, for all views together" },
    el("span", { class: "kl-mark", "aria-hidden": "true" }, sign), ` ${words}${since}${session}`);
}

function treeBody(side: number, ask: (message: object) => void) {
  const detail = el("div", { class: "kl-detail", "aria-live": "off" });
  let details: any = {};
  let shown = "", recorded = false;
  const show = (path: string) => {
    const key = `${path} ${JSON.stringify(details[path] ?? null)}`;
    if (key === shown) return;
    shown = key;
    refill(detail, znodeDetail(path, Object.hasOwn(details, path) ? details[path] : undefined, recorded));
  };
  const tree = znodeTree({
    open: (path) => ask({ do: "open", side, path }),
    see: (paths) => ask({ do: "see", side, paths }),
    select: (path) => {
      if (!Object.hasOwn(details, path)) ask({ do: "select", side, path });
      show(path);
    },
  });
  const none = el("p", { class: "kl-soft" }, "The tree has not been read.");
  const root = el("div", { class: "kl-panel kl-tree-panel" }, el("div", { class: "kl-tree-half" }, el("h4", { class: "kl-title" }, "Tree"), none, tree.root), detail);
  return {
    root,
    go: tree.go,
    draw(now) {
      details = now.details ?? {};
      none.hidden = Boolean(now.tree);
      tree.root.hidden = detail.hidden = !now.tree;
      recorded = now.recorded;
      tree.draw(now.tree, recorded);
      if (now.tree) show(tree.active);
    },
    end: tree.end,
  };
}

function logBody(side: number, ask: (message: object) => void) {
  const log = metadataLog(() => ask({ do: "log", side }));
  const root = el("div", { class: "kl-panel kl-records-panel" }, log.nodes);
  return {
    root,
    go: undefined,
    draw(now) {
      const actions = Object.keys(now.actions);
      const latest = actions.length ? now.actions[actions.sort((a, b) => Number(b) - Number(a))[0]].at : null;
      if (now.log) log.draw(now.log, latest, now.recorded);
    },
    end() {},
  };
}

export default {
  render: live("metadata", "the metadata of the cluster", (page, { ask }) => {
    const bar = actBar(ask);
    const times = timeLines();
    const sides = el("div", { class: "kl-sides" });
    const foot = el("div", {});
    page.append(bar.root, times.root, sides, foot);
    const drawn: Map<string, ReturnType<typeof oneSide>> = new Map();
    let kinds = "";

    return {
      draw(state, before) {
        const keys = Object.keys(state.sides);
        sides.classList.toggle("kl-sides-two", keys.length > 1);
        for (const key of keys) {
          let side = drawn.get(key);
          if (!side || side.kind !== state.sides[key].kind) {
            side?.end();
            const next = oneSide(Number(key), state.sides[key].kind, ask);
            if (side) side.root.replaceWith(next.root);
            else sides.append(next.root);
            drawn.set(key, next);
            side = next;
          }
          side.draw(state.sides[key], state.sides[key] === before?.sides[key]);
        }
        bar.draw(keys.map((key) => state.sides[key]));
        times.draw(state, before);
        const now = keys.map((key) => state.sides[key].kind).join();
        if (now !== kinds) {
          kinds = now;
          foot.replaceChildren(legend(signs(now)));
        }
      },
      end() {
        times.end();
        for (const side of drawn.values()) side.end();
      },
    };
  }),
};
