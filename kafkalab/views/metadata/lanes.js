// The keepers of the metadata: draws KRaft's nodes as lanes on the metadata log, and ZooKeeper's servers as chips.

import { count, el } from "../shared.js";
import { PARTS } from "./signs.js";

const SHOWN_AT_LEAST = 24, SHOWN_AT_MOST = 240;

/**
 * Returns the offsets that the lanes show: the newest ones, back to the end of the slowest log, within limits. Pure.
 * @param {number} end the end of the leader's log
 * @param {(number | null)[]} ends the ends of all logs; null where it is not known
 * @returns {{ from: number, span: number }}
 */
export function shownOffsets(end, ends) {
  const slowest = Math.min(end, ...ends.filter((e) => e !== null));
  const span = Math.min(SHOWN_AT_MOST, Math.max(SHOWN_AT_LEAST, Math.ceil((end - slowest) * 1.25)));
  return { from: end - span, span };
}

/** Returns how far a log reaches into the part shown, 0 to 1. @param {number | null} end @param {{ from: number, span: number }} shown */
export const reach = (end, shown) => (end === null ? 0 : Math.max(0, Math.min(1, (end - shown.from) / shown.span)));

/** Returns a node's state in words. @param {any} node */
export function standing(node) {
  const seen = node.seen ? `last fetched ${node.seen} s ago` : node.alive ? "" : node.seen === null ? "never heard by this leader" : "";
  const behind = node.lag === null ? "" : node.lag === 0 ? (node.part === "leader" ? "" : "has all of it") : `${count(node.lag)} behind`;
  const caught = node.alive && node.caught ? `for ${node.caught} s` : "";
  const state = node.state === "paused" || node.state === "cut" ? (node.state === "cut" ? "cut off" : "paused") : "";
  return [[behind, caught].filter(Boolean).join(" "), seen, state, node.fenced ? "fenced" : ""].filter(Boolean).join(" · ");
}

export function lanes() {
  const head = el("div", { class: "kl-lanes-head" });
  const body = el("ul", { class: "kl-lanes", "aria-label": "the metadata log on each node" });
  let ended = 0;
  return {
    nodes: [el("div", { class: "kl-lanes-both" }, head, body)],
    /** @param {any} quorum */
    draw(quorum) {
      if (!quorum) {
        head.replaceChildren(el("span", { class: "kl-soft" }, "It is not known yet which nodes keep the metadata."));
        return body.replaceChildren();
      }
      const leads = quorum.leader === null ? el("b", { class: "kl-bad" }, "nobody leads: nothing can be changed") : [el("b", {}, `♛ ${quorum.leader}`), " leads"];
      const pill = (/** @type {any} */ name, /** @type {any} */ value, /** @type {string} */ title) => (value === null ? null : el("span", { class: "kl-pill", title }, `${name} `, el("b", {}, count(value))));
      head.replaceChildren(
        el("h4", { class: "kl-title" }, quorum.kind === "kraft" ? "Metadata log · __cluster_metadata" : "ZooKeeper ensemble"),
        el("span", {}, leads),
        ...[
          pill("epoch", quorum.epoch, quorum.kind === "kraft" ? "leader epoch: how many votes there have been" : "how many leaders the ensemble has had"),
          quorum.kind === "kraft" ? pill("log end", quorum.end, "the offset the leader's next record will get") : null,
          pill("high watermark", quorum.mark, "a majority of the voters has every record before it"),
        ].filter((part) => part !== null));
      body.classList.toggle("kl-lanes-chips", quorum.kind !== "kraft");
      const nodes = Object.entries(quorum.nodes);
      if (quorum.kind !== "kraft") return body.replaceChildren(...nodes.map(([id, node]) => chip(id, node)));
      const rank = (/** @type {any} */ node) => (node.role === "leader" ? 0 : node.role === "observer" ? 2 : 1);
      nodes.sort(([a, one], [b, two]) => rank(one) - rank(two) || Number(a) - Number(b));
      const end = quorum.end ?? Math.max(0, ...nodes.map(([, node]) => node.end ?? 0));
      const shown = shownOffsets(end, nodes.map(([, node]) => node.end));
      const fresh = ended && end > ended ? Math.min(shown.span, end - ended) : 0;
      ended = end;
      body.replaceChildren(...nodes.map(([id, node]) => lane(id, node, quorum, shown, fresh)));
    },
  };
}

function lane(/** @type {string} */ id, /** @type {any} */ node, /** @type {any} */ quorum, /** @type {{ from: number, span: number }} */ shown, /** @type {number} */ fresh) {
  const words = standing(node);
  const width = reach(node.end, shown);
  const cell = 100 / shown.span;
  const role = node.alive ? (node.role === "leader" ? "leader, voter" : node.role === "follower" ? "voter" : node.role) : `${node.role === "follower" ? "voter" : node.role}, ${node.gone}`;
  const said = `${id}: ${role}, ${node.end === null ? "log end not known" : `log end ${node.end}`}${words ? `, ${words}` : ""}`;
  return el("li", { class: `kl-lane kl-${node.part}`, "data-node": id },
    el("span", { class: "kl-hidden" }, said),
    el("span", { class: "kl-lane-name", "aria-hidden": "true" }, el("span", { class: "kl-lane-sign" }, PARTS[node.part]), el("b", {}, id), el("small", {}, role)),
    el("span", { class: "kl-lane-track", "aria-hidden": "true", title: `offsets ${Math.max(0, shown.from)} to ${shown.from + shown.span}` },
      el("span", { class: "kl-lane-log", style: { width: `${width * 100}%`, "--kl-cell": `${cell / (width || 1)}%` } },
        fresh && node.lag === 0 ? el("span", { class: "kl-lane-new", style: { width: `${Math.min(100, (cell * fresh) / (width || 1))}%` } }) : null),
      quorum.mark === null ? null : el("span", { class: "kl-lane-mark", style: { left: `${reach(quorum.mark, shown) * 100}%` } })),
    el("span", { class: "kl-lane-end kl-mono", "aria-hidden": "true" }, node.end === null ? "?" : count(node.end)),
    el("span", { class: "kl-lane-words", "aria-hidden": "true" }, words));
}

function chip(/** @type {string} */ id, /** @type {any} */ node) {
  const state = node.state === "paused" || node.state === "cut" ? ` · ${node.state === "cut" ? "cut off" : "paused"}` : "";
  const word = node.alive ? (node.role === "voter" ? "does not serve" : node.role) : node.gone;
  return el("li", { class: `kl-zk-node kl-${node.alive && node.role === "voter" ? "behind" : node.part}`, "data-node": id },
    el("span", { class: "kl-lane-sign", "aria-hidden": "true" }, PARTS[node.part]), el("b", {}, id), ` ${word}${state}`,
    node.end === null ? null : el("span", { class: "kl-mono kl-soft", title: "zxid: the last transaction it knows" }, ` 0x${node.end.toString(16)}`));
}
