// The buttons of a node, and the quorum panel: draws ZooKeeper's servers, or KRaft's voters and observers.

import { count, el } from "../shared.js";
import { cutSign, sign } from "./signs.js";
import { quorumNodes } from "./picture.js";

/** The tools of the buttons: whether the view is live, the verbs pressed and not done yet, and how to ask for one.
 * @typedef {{ live: boolean, pending: Record<string, string>, act(node: string, verb: string): void }} Hands */

const SIGNAL = {
  stop: "SIGTERM: it is asked to shut down and hands its partitions over first",
  kill: "SIGKILL: ends at once, without telling anyone",
  pause: "SIGSTOP: frozen; its connections stay open, and no one is told",
  resume: "SIGCONT: it goes on where it was frozen",
  start: "starts the process again, with the data it had",
  cut: "takes it off the network: it runs on, but no connection gets in or out",
  join: "puts it on the network again",
};
const DOING = { stop: "stopping", kill: "killing", pause: "pausing", resume: "resuming", start: "starting", cut: "cutting off", join: "joining" };
// What a button does, in full: "cut" alone would not tell from what.
const SAID = { cut: "off the network", join: "to the network again" };

/** Returns the verb being carried out on a node. @param {any} node @param {Hands} hands @returns {string | undefined} */
export function busyWith(node, hands) {
  return node?.busy ?? hands.pending[node?.name];
}

/**
 * Draws the buttons of a node: exactly the verbs that its state allows. While one is carried out, all of them are disabled.
 * @param {any} node
 * @param {string} noun
 * @param {Hands} hands
 */
export function buttons(node, noun, hands) {
  if (!node || !node.verbs.length || !hands.live) return null;
  const busy = busyWith(node, hands);
  return el("div", { class: "kl-buttons", role: "group", "aria-label": `what to do to ${noun}` },
    node.verbs.map((/** @type {string} */ verb) =>
      el("button",
        {
          type: "button",
          class: `kl-button${verb === busy ? " kl-busy" : ""}`,
          "data-key": `${node.name}:${verb}`,
          "data-node": node.name,
          "aria-label": [verb, noun, SAID[verb]].filter(Boolean).join(" "),
          "aria-busy": verb === busy ? "true" : null,
          // Not `disabled`, because that would take away the keyboard's focus, and with it the learner's place.
          "aria-disabled": busy ? "true" : null,
          title: SIGNAL[verb],
          onclick: () => busyWith(node, hands) || hands.act(node.name, verb),
        },
        verb)));
}

/** Returns "stopping…" while the node is being stopped, or else the given text. It stands beside the buttons, which stay put.
 * @param {any} node @param {Hands} hands @param {string} otherwise */
export function orDoing(node, hands, otherwise) {
  const busy = busyWith(node, hands);
  return busy ? el("i", { class: "kl-busy" }, `${DOING[busy] ?? busy}…`) : otherwise;
}

/**
 * Draws each node with its role: leader, follower, observer or no answer; in KRaft also its lag behind the leader's log.
 * @param {any} quorum
 * @param {Hands} hands
 */
export function quorumPanel(quorum, hands) {
  if (!quorum) return [];
  const about = quorum.kind === "ZooKeeper"
    ? "ZooKeeper keeps the cluster's metadata: which brokers live, who the controller is, what is configured."
    : "KRaft: the controllers keep the cluster's metadata themselves, in a log that the active one writes.";
  const nodes = quorumNodes(quorum);
  const watching = nodes.filter((node) => node.role === "observer");
  const voting = nodes.filter((node) => node.role !== "observer");
  return [
    el("span", { class: "kl-title", title: about }, quorum.kind, quorum.epoch === null ? "" : ` · epoch ${quorum.epoch}`),
    el("ul", { class: "kl-quorum-nodes", "aria-label": quorum.kind === "KRaft" ? "voters" : "servers" }, voting.map((node) => quorumNode(quorum, node, hands))),
    watching.length
      ? [el("span", { class: "kl-title", title: "Brokers read the metadata log without a vote." }, "observers"),
         el("ul", { class: "kl-quorum-nodes", "aria-label": "observers" }, watching.map((node) => quorumNode(quorum, node, hands)))]
      : null,
    voting.some((node) => node.combined) ? el("span", { class: "kl-soft kl-aside" }, "each in the process of its broker") : null,
  ];
}

/** @param {any} quorum @param {any} node @param {Hands} hands */
function quorumNode(quorum, node, hands) {
  const watches = node.role === "observer";
  const word = node.alive === false ? node.gone : watches ? "" : node.role ?? (node.alive === null ? "not known yet" : "no answer");
  const leads = node.role === "leader" || node.role === "standalone";
  const what = node.alive === false ? "down" : leads ? "leader" : node.role ? "follower" : "behind";
  const besides = { paused: "paused", cut: "cut off" }[node.node?.state];
  const said = [word, node.lag && node.alive !== false ? `${count(node.lag)} behind` : "", besides].filter(Boolean).join(" · ");
  const own = node.combined || watches ? null : node.node;
  return el("li", { class: `kl-quorum-node kl-${what}`, "data-quorum": node.id },
    sign(what), el("b", {}, node.id), node.node?.state === "cut" ? cutSign() : null, orDoing(own, hands, said),
    buttons(own, `${quorum.noun} ${node.id}`, hands));
}
