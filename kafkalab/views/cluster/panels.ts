// The panels of a cluster: brokers with the partitions they hold, the quorum, topics and groups. Cards and chips stay the same
// elements.

import { count, el, keeper, news, partitionColour, partitionInk, refill, shorten, SIGNAL } from "../shared.ts";
import type { BrokerCard, GroupPanel, Holding, Member, PartitionPart, Picture, Process, QuorumNode, QuorumPanel, TopicRow } from "./picture";

type What = PartitionPart["replicas"][number][1];
type Named = { name: string; topic: TopicRow };
type Hall = { brokers: BrokerCard[]; topics: Named[]; looked: boolean };
type Card = { broker: BrokerCard; topics: Named[]; many: boolean; looked: boolean; racks: boolean };
type Chip = { partition: PartitionPart; what: What; behind: number | undefined };
type Row = Named & { pressed: boolean };
type Group = { id: string; group: GroupPanel };

/** Maximum number of topics drawn at once; the learner reaches further ones by the choice above, and by searching. */
const TOPICS_DRAWN = 8;
/** What a broker does with so many partitions. */
const SUMS: Record<What, (n: string) => string> = {
  leader: (n) => `leads ${n}`,
  follower: (n) => `follows ${n}`,
  behind: (n) => `${n} behind`,
  down: (n) => `${n} on a broker that is down`,
};

/** Draws cards from {brokers, topics, looked}: with chips, or with counts where there would be too many chips to read. */
export function brokerCards(parent: HTMLElement, hands: Hands) {
  const list = el("div", { class: "kl-brokers" });
  const more = el("p", { class: "kl-none" });
  const field = el("input", { class: "kl-select kl-find-field", type: "search", "aria-label": "find a partition", placeholder: "find a partition: orders 7" });
  const told = el("span", { class: "kl-none", role: "status" });
  const find = el("div", { class: "kl-find", role: "search", hidden: true }, field, told);
  parent.append(find, list, more);
  const keep = keeper(list, ({ broker }: Card) => broker.id, ({ broker }) => card(broker.id, hands));
  let last: Hall | undefined;
  field.addEventListener("input", () => last && draw(last));

  function draw(now: Hall) {
    last = now;
    const { brokers, topics, looked } = now;
    find.hidden = !crowded(topics) && topics.length <= TOPICS_DRAWN;
    const query = find.hidden ? "" : field.value.trim();
    const shown = query ? found(topics, query) : topics;
    const many = crowded(shown);
    const racks = new Set(brokers.map((b) => b.rack).filter(Boolean));
    keep(brokers.map((broker) => ({ broker, topics: many ? shown : shown.slice(0, TOPICS_DRAWN), many, looked, racks: racks.size > 0 })));
    const size = (all: Named[]) => count(all.reduce((sum, { topic }) => sum + topic.partitions.length, 0));
    told.textContent = query ? `${size(shown)} of ${size(topics)} partitions` : many ? `${size(topics)} partitions in ${topics.length} topics` : "";
    const hidden = many ? 0 : shown.length - TOPICS_DRAWN;
    more.textContent = hidden > 0 ? `${hidden} more topics are not drawn here: choose one above.` : "";
    more.hidden = hidden <= 0;
  }
  return draw;
}

function card(id: number, hands: Hands) {
  const head = el("header", { class: "kl-head" });
  const row = el("div", { class: "kl-row" });
  const held = el("div", { class: "kl-held-here" });
  const sums = el("ul", { class: "kl-sums", "aria-label": `replicas on broker ${id}` });
  const none = el("p", { class: "kl-none" });
  const node = el("section", { "data-broker": id }, head, row, sums, held, none);
  const keep = keeper(held, ({ name }: Named) => name, ({ name }) => topicOnBroker(name, id));
  const isNews = news();

  return {
    node,
    draw({ broker, topics, many, looked, racks }: Card) {
      if (isNews(broker, busyWith(broker.node, hands), racks, hands.live)) drawHead(broker, racks);
      const mine = topics.filter(({ topic }) => topic.partitions.some((p) => p.replicas.some(([b]) => b === id)));
      keep(many ? [] : mine);
      sums.hidden = !many;
      if (many) sums.replaceChildren(...heldBy(mine, id).map(([what, n]) => el("li", { class: `kl-sum-${what}` }, sign(what), el("span", {}, SUMS[what](count(n))))));
      none.textContent = mine.length || !looked ? "" : topics.length ? "none of these topics" : "no topics yet";
      none.hidden = !none.textContent;
    },
  };

  function drawHead(broker: BrokerCard, racks: boolean) {
    const state = broker.alive === null ? "unknown" : broker.alive ? "up" : "down";
    const process = broker.node?.state;
    node.className = `kl-broker kl-is-${state} ${process === "paused" || process === "cut" ? `kl-is-${process}` : ""}`;
    node.setAttribute("aria-label", [`Broker ${id}`, broker.standing, broker.controller && "controller"].filter(Boolean).join(", "));
    refill(head, [
      process === "cut" ? cutSign() : null,
      el("span", { class: "kl-dot", "aria-hidden": "true" }),
      el("h3", {}, `Broker ${id}`),
      racks ? el("span", { class: "kl-rack", title: "Replicas of a partition are put into different racks, where there are enough." }, broker.rack ? `rack ${shorten(broker.rack, 16)}` : "no rack") : null,
      broker.controller
        ? el("span", { class: "kl-badge", title: "The controller: it elects the leaders of partitions and keeps the ISRs." }, "controller")
        : null,
    ]);
    // The state stands below the buttons, because it can be long and must not push them away.
    refill(row, [
      buttons(broker.node, `broker ${id}`, hands),
      el("span", { class: "kl-standing", title: broker.address || null }, orDoing(broker.node, hands, broker.standing)),
    ]);
  }
}

function topicOnBroker(name: string, id: number) {
  const title = el("div", { class: "kl-topic-name", title: shorten(name, 300) });
  const list = el("ul", { class: "kl-chips", "aria-label": `${shorten(name, 32)} on broker ${id}` });
  const node = el("div", { class: "kl-topic" }, title, list);
  const keep = keeper(list, ({ partition }: Chip) => partition.partition, ({ partition }) => chip(name, partition.partition, id));
  const isNews = news();
  return {
    node,
    draw({ topic }: Named) {
      if (!isNews(topic.partitions, topic.replication)) return;
      title.replaceChildren(el("bdi", {}, shorten(name, 32)), " ", el("span", { class: "kl-rf" }, `· RF ${topic.replication}`));
      const mine = topic.partitions.flatMap((partition) =>
        partition.replicas.filter(([b]) => b === id).map(([, what, behind]) => ({ partition, what, behind })));
      list.classList.toggle("kl-dense", mine.length > 24);
      keep(mine);
    },
  };
}

// --- The buttons of a node, and the quorum panel: draws ZooKeeper's servers, or KRaft's voters and observers.

/** The tools of the buttons: whether the view is live, the verbs pressed (node → verb) until they are done, how to ask for one. */
export type Hands = { live: boolean; pending: Record<string, Verb>; act(node: string, verb: Verb): void };
type Verb = Process["verbs"][number];

const DOING: Record<Verb, string> = { stop: "stopping", kill: "killing", pause: "pausing", resume: "resuming", start: "starting", cut: "cutting off", join: "joining" };
// What a button does, in full: "cut" alone would not tell from what.
const SAID: Partial<Record<Verb, string>> = { cut: "off the network", join: "to the network again" };

/** Returns the verb being carried out on a node. */
function busyWith(node: Process | null, hands: Hands): Verb | undefined {
  return node?.busy ?? hands.pending[node?.name ?? ""];
}

/** Draws the buttons of a node: exactly the verbs that its state allows. While one is carried out, all of them are disabled. */
function buttons(node: Process | null, noun: string, hands: Hands) {
  if (!node || !node.verbs.length || !hands.live) return null;
  const busy = busyWith(node, hands);
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
          // Not `disabled`, because that would take away the keyboard's focus, and with it the learner's place.
          "aria-disabled": busy ? "true" : null,
          title: SIGNAL[verb],
          onclick: () => busyWith(node, hands) || hands.act(node.name, verb),
        },
        verb)));
}

/** Returns "stopping…" while the node is being stopped, or else the given text. It stands beside the buttons, which stay put. */
function orDoing(node: Process | null, hands: Hands, otherwise: string) {
  const busy = busyWith(node, hands);
  return busy ? el("i", { class: "kl-busy" }, `${DOING[busy]}…`) : otherwise;
}

/** Draws each node with its role: leader, follower, observer or no answer; in KRaft also its lag behind the leader's log. */
export function quorumPanel(quorum: QuorumPanel | null, hands: Hands) {
  if (!quorum) return [];
  const about = quorum.kind === "ZooKeeper"
    ? "ZooKeeper keeps the cluster's metadata: which brokers live, who the controller is, what is configured."
    : "KRaft: the controllers keep the cluster's metadata themselves, in a log that the active one writes.";
  const nodes = Object.values(quorum.nodes);
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

function quorumNode(quorum: QuorumPanel, node: QuorumNode, hands: Hands) {
  const leads = node.role === "leader" || node.role === "standalone";
  const what = node.alive === false ? "down" : leads ? "leader" : node.role ? "follower" : "behind";
  return el("li", { class: `kl-quorum-node kl-${what}`, "data-quorum": node.id },
    sign(what), el("b", {}, node.id), node.node?.state === "cut" ? cutSign() : null, orDoing(node.node, hands, node.said),
    buttons(node.node, `${quorum.noun} ${node.id}`, hands));
}

// --- The signs of a cluster: draws crown, dot, dashed ring and cross as shapes, so that they look the same with every font.

const RINGED_MS = 2600;

const MEANS: Record<What, string> = {
  leader: "leader",
  follower: "follower in the ISR",
  behind: "replica out of the ISR, and by how much",
  down: "on a broker that is down",
};

export function sign(what: What) {
  const shapes = {
    leader: () => el("path", { d: "M1.2 10 .8 3.4 3.7 5.9 6 1.6l2.3 4.3 2.9-2.5-.4 6.6z", fill: "currentColor" }),
    follower: () => el("circle", { cx: 6, cy: 6, r: 3.2, fill: "currentColor" }),
    behind: () => el("circle", { cx: 6, cy: 6, r: 3.8, fill: "none", stroke: "currentColor", "stroke-width": 1.6, "stroke-dasharray": "2.4 1.6" }),
    down: () => el("path", { d: "M2.5 2.5l7 7m0-7l-7 7", fill: "none", stroke: "currentColor", "stroke-width": 2, "stroke-linecap": "round" }),
  };
  return el("svg", { class: "kl-icon", viewBox: "0 0 12 12", "aria-hidden": "true" }, shapes[what]());
}

/** Draws the sign of a node that runs but is off the network: a broken line with two strokes in the gap. */
function cutSign() {
  const line = { fill: "none", stroke: "currentColor", "stroke-width": 1.8, "stroke-linecap": "round" };
  return el("svg", { class: "kl-cut-sign", viewBox: "0 0 30 14", width: 30, height: 14, "aria-hidden": "true" },
    el("path", { d: "M1 7h7M22 7h7", ...line }), el("path", { d: "M9.5 12 13 2M17 12l3.5-10", ...line }));
}

/** Returns the four signs with their meanings, for a legend. */
export function meanings() {
  return Object.entries(MEANS).map(([what, meaning]) => {
    const style = { "--kl-c": "var(--kl-soft)", "--kl-on": "var(--kl-bg)" };
    return [el("span", { class: `kl-chip kl-${what}`, style }, sign(what as What)), meaning];
  });
}

/** Draws one replica of a partition from [partition, what it is, records behind]. A change of its role is ringed for a while.
 * A replica that catches up fills from the left, by the share of its largest gap that it has closed by now. */
function chip(topic: string, p: number, broker: number) {
  const icon = el("span", { class: "kl-what" });
  const late = el("small", { class: "kl-late" });
  const said = el("span", { class: "kl-hidden" });
  const node = el("li", { "data-chip": `${topic}/${p}/${broker}`, style: { "--kl-c": partitionColour(p), "--kl-on": partitionInk(p) } },
    icon, el("span", { class: "kl-p" }, `P${p}`), late, said);
  const isNews = news();
  let was: What | undefined;
  let most = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function draw({ partition, what, behind }: Chip) {
    if (!isNews(partition, what, behind)) return;
    const lacks = behind ? `, ${count(behind)} records behind` : "";
    const meaning = what === "behind" ? `replica out of the ISR${lacks}` : MEANS[what];
    if (what !== was) {
      icon.replaceChildren(sign(what));
      node.className = `kl-chip kl-${what}`;
      clearTimeout(timer);
      if (was) {
        node.classList.add("kl-changed");
        timer = setTimeout(() => node.classList.remove("kl-changed"), RINGED_MS);
      }
      was = what;
      most = 0;
    }
    most = Math.max(most, behind ?? 0);
    late.textContent = behind ? `−${count(behind)}` : "";
    node.style.setProperty("--kl-caught", behind ? `${(100 * (1 - behind / most)).toFixed(1)}%` : "0%");
    said.textContent = `, ${meaning}`;
    const leader = partition.leader === null ? "no leader" : `leader ${partition.leader}`;
    const isr = partition.isr.join(", ") || "none";
    const replicas = partition.replicas.map(([id]) => id).join(", ");
    node.title = `${shorten(topic, 80)} partition ${p} on broker ${broker}: ${meaning}\n${leader} · in sync: ${isr} · replicas: ${replicas}`;
  }
  return { node, draw };
}

// --- The tables of topics and consumer groups: draws each topic's figures, and each group's members, partitions and lag.

const ROWS = 40;
const MEMBERS = 16;

/** Draws one row per topic from {topics, chosen}. A click on a topic's name shows only that topic, and another click all
 * again. */
export function topicTable(parent: HTMLElement, choose: (topic: string) => void) {
  const head = ["Topic", "Partitions", "RF", "Records", "State"];
  const body = el("tbody");
  const table = el("table", { class: "kl-table" },
    el("caption", { class: "kl-title" }, "Topics"),
    el("thead", {}, el("tr", {}, head.map((word, i) => el("th", { scope: "col", class: i > 0 && i < 4 ? "kl-number" : null }, word)))), body);
  const none = el("p", { class: "kl-none" });
  parent.append(table, none);
  const keep = keeper(body, ({ name }: Row) => name, ({ name }) => topicRow(name, choose));
  return ({ topics, chosen }: { topics: Named[]; chosen: string }) => {
    table.hidden = !topics.length;
    keep(topics.slice(0, ROWS).map(({ name, topic }) => ({ name, topic, pressed: chosen === name })));
    none.textContent = topics.length > ROWS ? `${topics.length - ROWS} more topics` : topics.length ? "" : "no topics yet";
    none.hidden = !none.textContent;
  };
}

function topicRow(name: string, choose: (topic: string) => void) {
  const node = el("tr", { "data-topic": name });
  const isNews = news();
  return {
    node,
    draw({ topic, pressed }: Row) {
      if (!isNews(topic, pressed)) return;
      const { lone, short } = topic;
      const records = topic.records === null ? "–" : `${topic.unknown ? "≥ " : ""}${count(topic.records)}`;
      refill(node, [
        el("th", { scope: "row" },
          el("button", {
            type: "button", class: "kl-pick", "data-key": `pick:${name}`, "aria-pressed": pressed ? "true" : "false",
            title: pressed ? "show all topics again" : `show only ${shorten(name, 300)}`, onclick: () => choose(pressed ? "" : name),
          }, el("bdi", {}, shorten(name, 30)))),
        el("td", { class: "kl-number" }, topic.partitions.length),
        el("td", { class: "kl-number" }, topic.replication),
        el("td", { class: "kl-number", "data-records": topic.records ?? "", title: topic.unknown ? "Some partitions have no leader that could be asked." : null }, records),
        el("td", {},
          lone ? el("span", { class: "kl-bad", title: "Neither read nor written, until a replica that was in sync is back." }, `✕ no leader: ${lone} `) : null,
          short ? el("span", { class: "kl-warn", title: "Fewer replicas in sync than there should be." }, `◌ under-replicated: ${short}`) : null,
          !lone && !short ? el("span", { class: "kl-soft" }, "all replicas in sync") : null),
      ]);
    },
  };
}

/** Draws from a list of {id, group}. */
export function groupPanels(parent: HTMLElement) {
  const none = el("p", { class: "kl-none" }, "no consumer groups");
  const list = el("div");
  parent.append(el("h4", { class: "kl-title" }, "Consumer groups"), list, none);
  const keep = keeper(list, ({ id }: Group) => id, ({ id }) => groupPanel(id));
  return (groups: Group[]) => {
    keep(groups);
    none.hidden = groups.length > 0;
  };
}

function groupPanel(id: string) {
  const node = el("section", { class: "kl-consumers", "data-group": id, "aria-label": `consumer group ${shorten(id)}` });
  const isNews = news();
  return {
    node,
    draw({ group }: Group) {
      if (!isNews(group)) return;
      const several = new Set(holdings(group).map((h) => h.topic)).size > 1;
      const members = Object.entries(group.members).sort(([a, m], [b, n]) => byName(m.name, n.name) || byName(a, b)).map(([, member]) => member);
      const idle = members.filter((m) => !m.holds.length).length;
      refill(node, [
        el("header", { class: "kl-consumers-head" },
          el("h4", { title: shorten(id, 300) }, el("bdi", {}, shorten(id))),
          el("span", { class: "kl-soft" }, shorten(group.about, 90)),
          group.lag === null ? null : el("span", { class: `kl-pill ${group.lag ? "kl-lags" : ""}`, title: "Records in its partitions that it has not committed." }, `lag ${count(group.lag)}`)),
        el("ul", { class: "kl-members", "aria-label": "members" },
          members.slice(0, MEMBERS).map((member) => memberRow(member, several)),
          members.length > MEMBERS ? el("li", { class: "kl-none" }, `${members.length - MEMBERS} more members, ${idle} of all standing by`) : null,
          !members.length || group.unheld.length
            ? el("li", { class: "kl-member kl-idle", title: group.unheld.length ? "Committed before, and held by no member now." : null },
                el("span", { class: "kl-client" }, members.length ? "held by nobody" : "no members"), held(group.unheld, several))
            : null),
      ]);
    },
  };
}

function memberRow(member: Member, several: boolean) {
  return el("li", { class: `kl-member ${member.holds.length ? "" : "kl-idle"}`, title: shorten(`${member.client} at ${member.host}`, 300) },
    el("span", { class: "kl-client" }, el("bdi", {}, member.name)),
    member.holds.length ? held(member.holds, several) : el("span", { class: "kl-soft" }, "standing by"));
}

/** Draws the partitions held; names the topic only if there are several. */
function held(holds: Holding[], several: boolean) {
  return el("div", { class: "kl-holds" }, holds.map((hold) => [
    several ? el("span", { class: "kl-soft" }, el("bdi", {}, shorten(hold.topic, 24))) : null,
    el("ul", { class: "kl-chips", "aria-label": shorten(hold.topic) }, hold.partitions.map(([p, lag]) =>
      el("li", { class: "kl-held", style: { "--kl-c": partitionColour(p) }, title: `${shorten(hold.topic, 80)} partition ${p}: ${lag === null ? "nothing committed yet" : `lag ${lag}`}` },
        `P${p}`, lag ? el("small", {}, `−${count(lag)}`) : null))),
  ]));
}

// --- The facts of a drawn cluster, without the DOM: works out which topics are shown, and which crowns moved.

const byName = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** Returns the topics sorted by name, the learner's own first, each as {name, topic}. */
export function topicsOf(state: Pick<Picture, "topics">): Named[] {
  return Object.entries(state.topics)
    .map(([name, topic]) => ({ name, topic }))
    .sort((a, b) => Number(a.topic.internal) - Number(b.topic.internal) || byName(a.name, b.name));
}

/** Returns the groups sorted by id; with a topic, only those that read it. */
export function groupsOf(state: Pick<Picture, "groups">, topic: string) {
  return Object.entries(state.groups)
    .map(([id, group]) => ({ id, group }))
    .filter(({ group }) => !topic || holdings(group).some((hold) => hold.topic === topic))
    .sort((a, b) => byName(a.id, b.id));
}

/** Returns all partitions that a group holds or has committed. */
function holdings(group: GroupPanel) {
  return [...Object.values(group.members).flatMap((m) => m.holds), ...group.unheld];
}

/** Maximum number of replicas drawn one by one on a broker; more than this are summed up, because nobody could read them. */
const CHIPS = 60;

/** Counts the replicas of these topics that a broker leads, follows, lacks records of, or has on a node that is down. */
export function heldBy(topics: Named[], id: number) {
  const sums = { leader: 0, follower: 0, behind: 0, down: 0 };
  for (const { topic } of topics) for (const p of topic.partitions) for (const [broker, what] of p.replicas) if (broker === id) sums[what]++;
  return Object.entries(sums).filter(([, n]) => n) as [What, number][];
}

/** Returns whether a broker holds too many replicas to draw them one by one. */
export function crowded(topics: Named[]) {
  const held = new Map<number, number>();
  for (const { topic } of topics) for (const p of topic.partitions) for (const [broker] of p.replicas) held.set(broker, (held.get(broker) ?? 0) + 1);
  return Math.max(0, ...held.values()) > CHIPS;
}

/** Returns the partitions that match every word of a query: "orders", "7", "P7", "orders-7". */
export function found(topics: Named[], query: string) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (name: string, p: number) => words.every((word) =>
    /^p?\d+$/.test(word) ? Number(word.replace("p", "")) === p : name.includes(word) || `${name}-${p}` === word);
  return topics
    .map(({ name, topic }) => {
      const partitions = topic.partitions.filter((p) => fits(name.toLowerCase(), p.partition));
      return { name, topic: { ...topic, partitions } };
    })
    .filter(({ topic }) => topic.partitions.length);
}

/** Returns the partitions that got another leader. `led` keeps the last leader of each, also while it has none, and is
 * updated. */
export function crownsMoved(led: Map<string, number>, state: Pick<Picture, "topics">, before: Pick<Picture, "topics"> | undefined) {
  const moved = [];
  for (const [name, topic] of Object.entries(state.topics)) {
    const was = before && Object.hasOwn(before.topics, name) ? before.topics[name] : null;
    if (was?.partitions === topic.partitions) continue;
    for (const p of topic.partitions) {
      const key = `${name}/${p.partition}`;
      const from = led.get(key);
      if (p.leader === null) continue;
      led.set(key, p.leader);
      if (from !== undefined && from !== p.leader) moved.push({ key, partition: p.partition, from, to: p.leader });
    }
  }
  return moved;
}
