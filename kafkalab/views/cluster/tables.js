// The tables of topics and consumer groups: draws each topic's figures, and each group's members, partitions and lag.

import { count, el, partitionColour, shorten } from "../shared.js";
import { keeper, news, refill } from "./keep.js";
import { holdings, membersOf } from "./picture.js";

const ROWS = 40;
const MEMBERS = 16;

/** Writes partitions as ranges: [0, 1, 2, 5] → "P0–P2 P5". @param {number[]} partitions */
export function spans(partitions) {
  /** @type {[number, number][]} */
  const runs = [];
  for (const p of partitions) {
    const last = runs.at(-1);
    if (last && p === last[1] + 1) last[1] = p;
    else runs.push([p, p]);
  }
  return runs.map(([a, b]) => (a === b ? `P${a}` : `P${a}–P${b}`)).join(" ");
}

/**
 * Draws one row per topic from {topics, chosen}. A click on a topic's name shows only that topic, and another click all again.
 * @param {any} parent
 * @param {(topic: string) => void} choose
 */
export function topicTable(parent, choose) {
  const head = ["Topic", "Partitions", "RF", "Records", "State"];
  const body = el("tbody");
  const table = el("table", { class: "kl-table" },
    el("caption", { class: "kl-title" }, "Topics"),
    el("thead", {}, el("tr", {}, head.map((word, i) => el("th", { scope: "col", class: i > 0 && i < 4 ? "kl-number" : null }, word)))), body);
  const none = el("p", { class: "kl-none" });
  parent.append(table, none);
  const keep = keeper(body, ({ name }) => name, ({ name }) => topicRow(name, choose));
  return ({ topics, chosen }) => {
    table.hidden = !topics.length;
    keep(topics.slice(0, ROWS).map(({ name, topic }) => ({ name, topic, pressed: chosen === name })));
    none.textContent = topics.length > ROWS ? `${topics.length - ROWS} more topics` : topics.length ? "" : "no topics yet";
    none.hidden = !none.textContent;
  };
}

/** @param {string} name @param {(topic: string) => void} choose */
function topicRow(name, choose) {
  const node = el("tr", { "data-topic": name });
  const isNews = news();
  return {
    node,
    draw({ topic, pressed }) {
      if (!isNews(topic, pressed)) return;
      const lone = topic.partitions.filter((p) => p.leader === null).map((p) => p.partition);
      const short = topic.partitions.filter((p) => p.short && p.leader !== null).map((p) => p.partition);
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
          lone.length ? el("span", { class: "kl-bad", title: "Neither read nor written, until a replica that was in sync is back." }, `✕ no leader: ${spans(lone)} `) : null,
          short.length ? el("span", { class: "kl-warn", title: "Fewer replicas in sync than there should be." }, `◌ under-replicated: ${spans(short)}`) : null,
          !lone.length && !short.length ? el("span", { class: "kl-soft" }, "all replicas in sync") : null),
      ]);
    },
  };
}

/** Draws from a list of {id, group}. @param {any} parent */
export function groupPanels(parent) {
  const none = el("p", { class: "kl-none" }, "no consumer groups");
  const list = el("div");
  parent.append(el("h4", { class: "kl-title" }, "Consumer groups"), list, none);
  const keep = keeper(list, ({ id }) => id, ({ id }) => groupPanel(id));
  return (/** @type {any[]} */ groups) => {
    keep(groups);
    none.hidden = groups.length > 0;
  };
}

/** @param {string} id */
function groupPanel(id) {
  const node = el("section", { class: "kl-consumers", "data-group": id, "aria-label": `consumer group ${shorten(id)}` });
  const isNews = news();
  return {
    node,
    draw({ group }) {
      if (!isNews(group)) return;
      const facts = [group.state, group.coordinator === null ? "no coordinator" : `coordinator ${group.coordinator}`, group.assignor].filter(Boolean);
      const several = new Set(holdings(group).map((h) => h.topic)).size > 1;
      const members = membersOf(group);
      const idle = members.filter((m) => !m.holds.length).length;
      refill(node, [
        el("header", { class: "kl-consumers-head" },
          el("h4", { title: shorten(id, 300) }, el("bdi", {}, shorten(id))),
          el("span", { class: "kl-soft" }, shorten(facts.join(" · "), 90)),
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

/** @param {any} member @param {boolean} several */
function memberRow(member, several) {
  const name = shorten(member.client, 28) + (member.tail ? ` …${shorten(member.tail)}` : "");
  return el("li", { class: `kl-member ${member.holds.length ? "" : "kl-idle"}`, title: shorten(`${member.client} at ${member.host}`, 300) },
    el("span", { class: "kl-client" }, el("bdi", {}, name)),
    member.holds.length ? held(member.holds, several) : el("span", { class: "kl-soft" }, "standing by"));
}

/** Draws the partitions held; names the topic only if there are several. @param {any[]} holds @param {boolean} several */
function held(holds, several) {
  return el("div", { class: "kl-holds" }, holds.map((hold) => [
    several ? el("span", { class: "kl-soft" }, el("bdi", {}, shorten(hold.topic, 24))) : null,
    el("ul", { class: "kl-chips", "aria-label": shorten(hold.topic) }, hold.partitions.map(([p, lag]) =>
      el("li", { class: "kl-held", style: { "--kl-c": partitionColour(p) }, title: `${shorten(hold.topic, 80)} partition ${p}: ${lag === null ? "nothing committed yet" : `lag ${lag}`}` },
        `P${p}`, lag ? el("small", {}, `−${count(lag)}`) : null))),
  ]));
}
