// Topics in figures, and consumer groups: who holds which partitions, and how far behind they are.

import { count, el, partitionColour, shorten } from "./shared.js";

const ROWS = 40;
const MEMBERS = 16;

// [0, 1, 2, 5] → "P0–P2 P5"
function spans(partitions) {
  const runs = [];
  for (const p of partitions) {
    const last = runs.at(-1);
    if (last && p === last[1] + 1) last[1] = p;
    else runs.push([p, p]);
  }
  return runs.map(([a, b]) => (a === b ? `P${a}` : `P${a}–P${b}`)).join(" ");
}

export function topicTable(topics) {
  if (!topics.length) return el("p", { class: "kl-none" }, "no topics yet");
  const head = ["Topic", "Partitions", "RF", "Records", "State"];
  return [
    el("table", { class: "kl-table" },
      el("caption", { class: "kl-title" }, "Topics"),
      el("thead", {}, el("tr", {}, head.map((word, i) => el("th", { scope: "col", class: i > 0 && i < 4 ? "kl-number" : null }, word)))),
      el("tbody", {}, topics.slice(0, ROWS).map(topicRow))),
    topics.length > ROWS ? el("p", { class: "kl-none" }, `${topics.length - ROWS} more topics`) : null,
  ];
}

function topicRow(topic) {
  const lone = topic.partitions.filter((p) => p.leader === null).map((p) => p.partition);
  const short = topic.partitions.filter((p) => p.short && p.leader !== null).map((p) => p.partition);
  const records = topic.records === null ? "–" : `${topic.unknown ? "≥ " : ""}${count(topic.records)}`;
  return el("tr", { "data-topic": topic.name },
    el("th", { scope: "row", title: shorten(topic.name, 300) }, el("bdi", {}, shorten(topic.name, 30))),
    el("td", { class: "kl-number" }, topic.partitions.length),
    el("td", { class: "kl-number" }, topic.replication),
    el("td", { class: "kl-number", "data-records": topic.records ?? "", title: topic.unknown ? "Some partitions have no leader that could be asked." : null }, records),
    el("td", {},
      lone.length ? el("span", { class: "kl-bad", title: "Neither read nor written, until a replica that was in sync is back." }, `✕ no leader: ${spans(lone)} `) : null,
      short.length ? el("span", { class: "kl-warn", title: "Fewer replicas in sync than there should be." }, `◌ under-replicated: ${spans(short)}`) : null,
      !lone.length && !short.length ? el("span", { class: "kl-soft" }, "all replicas in sync") : null));
}

export function groupPanels(groups) {
  if (!groups.length) return el("p", { class: "kl-none" }, "no consumer groups");
  return groups.map((group) => {
    const facts = [
      group.state,
      group.coordinator === null ? "no coordinator" : `coordinator ${group.coordinator}`,
      group.assignor,
    ].filter(Boolean);
    const topics = new Set([...group.members.flatMap((m) => m.holds), ...group.unheld].map((h) => h.topic));
    const idle = group.members.filter((m) => !m.holds.length).length;
    return el("section", { class: "kl-group", "data-group": group.id, "aria-label": `consumer group ${shorten(group.id)}` },
      el("header", { class: "kl-group-head" },
        el("h4", { title: shorten(group.id, 300) }, el("bdi", {}, shorten(group.id))),
        el("span", { class: "kl-soft" }, shorten(facts.join(" · "), 90)),
        group.lag === null ? null : el("span", { class: `kl-pill ${group.lag ? "kl-lags" : ""}`, title: "Records in its partitions that it has not committed." }, `lag ${count(group.lag)}`)),
      el("ul", { class: "kl-members", "aria-label": "members" },
        group.members.slice(0, MEMBERS).map((member) => memberRow(member, topics.size > 1)),
        group.members.length > MEMBERS ? el("li", { class: "kl-none" }, `${group.members.length - MEMBERS} more members, ${idle} of all standing by`) : null,
        !group.members.length || group.unheld.length
          ? el("li", { class: "kl-member kl-idle", title: group.unheld.length ? "Committed before, and held by no member now." : null },
              el("span", { class: "kl-client" }, group.members.length ? "held by nobody" : "no members"), holdings(group.unheld, topics.size > 1))
          : null));
  });
}

function memberRow(member, several) {
  const name = shorten(member.client, 28) + (member.tail ? ` …${shorten(member.tail)}` : "");
  return el("li", { class: `kl-member ${member.holds.length ? "" : "kl-idle"}`, title: shorten(`${member.client} at ${member.host}`, 300) },
    el("span", { class: "kl-client" }, el("bdi", {}, name)),
    member.holds.length ? holdings(member.holds, several) : el("span", { class: "kl-soft" }, "standing by"));
}

// A topic's name is written only where the group reads more than one.
function holdings(holds, several) {
  return el("div", { class: "kl-holds" }, holds.map((hold) => [
    several ? el("span", { class: "kl-soft" }, el("bdi", {}, shorten(hold.topic, 24))) : null,
    el("ul", { class: "kl-chips", "aria-label": shorten(hold.topic) }, hold.partitions.map(([p, lag]) =>
      el("li", { class: "kl-held", style: { "--kl-c": partitionColour(p) }, title: `${shorten(hold.topic, 80)} partition ${p}: ${lag === null ? "nothing committed yet" : `lag ${lag}`}` },
        `P${p}`, lag ? el("small", {}, `−${count(lag)}`) : null))),
  ]));
}
