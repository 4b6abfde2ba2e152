// Brokers as columns with the partitions they hold, and the quorum beneath them; every node with its buttons.

import { el, partitionColour, partitionInk, shorten } from "./shared.js";

// What is drawn at once; more topics than this are reached by the filter.
const TOPICS_DRAWN = 8;

export const MEANS = {
  leader: "leader",
  follower: "follower in the ISR",
  behind: "replica not in the ISR",
  down: "on a broker that is down",
};

const SIGNAL = {
  stop: "SIGTERM: it is asked to shut down and hands its partitions over first",
  kill: "SIGKILL: gone at once, without a word to anyone",
  pause: "SIGSTOP: frozen; its connections stay open and nobody is told",
  resume: "SIGCONT: it goes on where it was frozen",
  start: "starts the process again, with the data it had",
  cut: "takes it off the network: it runs on, but reaches nobody and nobody reaches it",
  join: "puts it on the network again",
};
const DOING = { stop: "stopping", kill: "killing", pause: "pausing", resume: "resuming", start: "starting", cut: "cutting off", join: "joining" };
// What a button does, said in full: "cut" alone would not tell from what.
const SAID = { cut: "off the network", join: "to the network again" };

// The sign of each part as a drawing, so that it looks the same with every font: crown, dot, dashed ring, cross.
export function sign(part) {
  const shapes = {
    leader: () => el("path", { d: "M1.2 10 .8 3.4 3.7 5.9 6 1.6l2.3 4.3 2.9-2.5-.4 6.6z", fill: "currentColor" }),
    follower: () => el("circle", { cx: 6, cy: 6, r: 3.2, fill: "currentColor" }),
    behind: () => el("circle", { cx: 6, cy: 6, r: 3.8, fill: "none", stroke: "currentColor", "stroke-width": 1.6, "stroke-dasharray": "2.4 1.6" }),
    down: () => el("path", { d: "M2.5 2.5l7 7m0-7l-7 7", fill: "none", stroke: "currentColor", "stroke-width": 2, "stroke-linecap": "round" }),
  };
  return el("svg", { class: "kl-sign", viewBox: "0 0 12 12", width: 12, height: 12, "aria-hidden": "true" }, shapes[part]());
}

// A node that runs but is off the network: two strokes through a line that is broken between them.
export function cutSign() {
  const line = { fill: "none", stroke: "currentColor", "stroke-width": 1.8, "stroke-linecap": "round" };
  return el("svg", { class: "kl-cut-sign", viewBox: "0 0 30 14", width: 30, height: 14, "aria-hidden": "true" },
    el("path", { d: "M1 7h7M22 7h7", ...line }), el("path", { d: "M9.5 12 13 2M17 12l3.5-10", ...line }));
}

// One replica of a partition.
export function chip(topic, partition, broker, part) {
  const p = partition.partition;
  const isr = partition.isr.join(", ") || "none";
  const leader = partition.leader === null ? "no leader" : `leader ${partition.leader}`;
  return el("li",
    {
      class: `kl-chip kl-${part}`,
      "data-chip": `${topic.name}/${p}/${broker}`,
      style: { "--kl-c": partitionColour(p), "--kl-on": partitionInk(p) },
      title: `${shorten(topic.name, 80)} partition ${p} on broker ${broker}: ${MEANS[part]}\n${leader} · in sync: ${isr} · replicas: ${partition.replicas.map(([id]) => id).join(", ")}`,
    },
    sign(part), el("span", { class: "kl-p" }, `P${p}`), el("span", { class: "kl-hidden" }, `, ${MEANS[part]}`));
}

// The verbs of a node, exactly those its state allows. While one is carried out, all of them rest.
export function buttons(node, noun, act, pending) {
  if (!node || !node.verbs.length) return null;
  const busy = node.busy ?? pending[node.name];
  return el("div", { class: "kl-buttons", role: "group", "aria-label": `what to do to ${noun}` },
    node.verbs.map((verb) =>
      el("button",
        {
          type: "button",
          class: `kl-button${verb === busy ? " kl-busy" : ""}`,
          "data-key": `${node.name}:${verb}`,
          "data-node": node.name,
          "aria-label": [verb, noun, SAID[verb]].filter(Boolean).join(" "),
          "aria-busy": verb === busy ? "true" : null,
          // Not `disabled`: that would take the keyboard's focus away, and with it the learner's place.
          "aria-disabled": busy ? "true" : null,
          title: SIGNAL[verb],
          onclick: () => busy || act(node.name, verb),
        },
        verb)));
}

// "stopping…" while it is being stopped, else what is given: beside the buttons, so that they stay where they are.
function orDoing(node, pending, otherwise) {
  const busy = node?.busy ?? pending[node?.name];
  return busy ? el("i", { class: "kl-busy" }, `${DOING[busy] ?? busy}…`) : otherwise;
}

export function brokerCards(picture, topics, act, pending) {
  return picture.brokers.map((broker) => {
    const state = broker.alive === null ? "unknown" : broker.alive ? "up" : "down";
    const process = broker.node?.state;
    const title = [`Broker ${broker.id}`, broker.standing, broker.controller && "controller"].filter(Boolean).join(", ");
    const own = process === "paused" || process === "cut" ? `kl-is-${process}` : "";
    return el("section", { class: `kl-broker kl-is-${state} ${own}`, "aria-label": title, "data-broker": broker.id },
      process === "cut" ? cutSign() : null,
      el("header", { class: "kl-head" },
        el("span", { class: "kl-dot", "aria-hidden": "true" }),
        el("h3", {}, `Broker ${broker.id}`),
        broker.controller
          ? el("span", { class: "kl-badge", title: "The controller: it elects the leaders of partitions and keeps the ISRs." }, "controller")
          : null),
      el("div", { class: "kl-row" },
        el("span", { class: "kl-standing", title: broker.address || null }, orDoing(broker.node, pending, broker.standing)),
        buttons(broker.node, `broker ${broker.id}`, act, pending)),
      topics.slice(0, TOPICS_DRAWN).map((topic) => onBroker(topic, broker)),
      !topics.length && picture.looked ? el("p", { class: "kl-none" }, "no topics yet") : null);
  });
}

function onBroker(topic, broker) {
  const mine = topic.partitions.flatMap((partition) =>
    partition.replicas.filter(([id]) => id === broker.id).map(([, part]) => [partition, part]));
  if (!mine.length) return null;
  const name = shorten(topic.name, 32);
  const dense = mine.length > 24;
  return el("div", { class: "kl-topic" },
    el("div", { class: "kl-topic-name", title: shorten(topic.name, 300) }, el("bdi", {}, name), ` · RF ${topic.replication}`),
    el("ul", { class: `kl-chips ${dense ? "kl-dense" : ""}`, "aria-label": `${name} on broker ${broker.id}` },
      mine.map(([partition, part]) => chip(topic, partition, broker.id, part))));
}

export function moreTopics(topics) {
  const more = topics.length - TOPICS_DRAWN;
  return more > 0 ? el("p", { class: "kl-none" }, `${more} more topics are not drawn here: choose one above.`) : null;
}

// ZooKeeper's servers, or KRaft's voters: who leads, who follows, who does not answer.
export function quorumPanel(quorum, act, pending) {
  if (!quorum) return [];
  const about = quorum.kind === "ZooKeeper"
    ? "ZooKeeper keeps the cluster's metadata: which brokers live, who the controller is, what is configured."
    : "KRaft: the controllers keep the cluster's metadata themselves, in a log that the active one writes.";
  return [
    el("span", { class: "kl-title", title: about }, quorum.kind, quorum.epoch === null ? "" : ` · epoch ${quorum.epoch}`),
    el("ul", { class: "kl-quorum-nodes" }, quorum.nodes.map((node) => {
      const word = node.alive === false ? "down" : node.role ?? (node.alive === null ? "not known yet" : "no answer");
      const part = node.alive === false ? "down" : node.role === "leader" || node.role === "standalone" ? "leader" : node.role ? "follower" : "behind";
      const besides = { paused: "paused", cut: "cut off" }[node.node?.state];
      const notes = [node.lag ? `${node.lag} behind` : "", besides].filter(Boolean);
      const noun = `${quorum.noun} ${node.id}`;
      return el("li", { class: `kl-quorum-node kl-${part}` },
        sign(part), el("b", {}, node.id), node.node?.state === "cut" ? cutSign() : null, orDoing(node.combined ? null : node.node, pending, [word, ...notes].join(" · ")),
        buttons(node.combined ? null : node.node, noun, act, pending));
    })),
    quorum.nodes.some((node) => node.combined) ? el("span", { class: "kl-soft" }, "each in the same process as the broker of its id") : null,
  ];
}
