// shared.js
var SVG = /* @__PURE__ */ new Set(["svg", "g", "path", "line", "rect", "circle", "ellipse", "polyline", "polygon", "text", "tspan", "title", "defs", "clipPath"]);
var PALETTE = 12;
function el(tag, attrs = {}, ...children) {
  const node = SVG.has(tag) ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attrs ?? {})) {
    if (value === false || value === null || value === void 0) continue;
    if (name.startsWith("on")) {
      if (typeof value !== "function") throw new TypeError(`${name} of <${tag}> must be a function`);
      node.addEventListener(name.slice(2).toLowerCase(), value);
    } else if (name === "style" && typeof value === "object") {
      for (const [property, setting] of Object.entries(value)) node.style.setProperty(property, setting);
    } else {
      node.setAttribute(name, value === true ? "" : String(value));
    }
  }
  node.append(...children.flat(Infinity).filter((c) => c !== null && c !== void 0 && c !== false).map((c) => c instanceof Node ? c : String(c)));
  return node;
}
function partitionColour(i) {
  return `var(--kl-p${Math.abs(Math.trunc(i)) % PALETTE})`;
}
function partitionInk(i) {
  return `var(--kl-on${Math.abs(Math.trunc(i)) % PALETTE})`;
}
function reducedMotion() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
function guard(root, fn) {
  try {
    const result = fn();
    if (result instanceof Promise) return result.catch((error) => showError(root, error));
    return result;
  } catch (error) {
    showError(root, error);
    return void 0;
  }
}
function showError(root, error) {
  console.error(error);
  const message = error instanceof Error ? error.message : String(error);
  const shown = [...root.querySelectorAll(":scope > .kl-error")];
  if (shown.length >= 3 || shown.some((node) => node.dataset.message === message)) return;
  const details = error instanceof Error && error.stack ? el("details", {}, el("summary", {}, "details"), el("pre", {}, error.stack)) : null;
  root.append(
    el(
      "div",
      { class: "kl-error", role: "alert", "data-message": message },
      el("strong", {}, "This view has a fault. "),
      message,
      " The cluster itself is not affected.",
      details
    )
  );
}
var clock = {
  // Seconds since something, for people: "+3.12 s", "+2:05 min", "−0.40 s".
  since(seconds) {
    const sign2 = seconds < 0 ? "−" : "+";
    const size = Math.abs(seconds);
    if (size < 99.995) return `${sign2}${size.toFixed(2)} s`;
    const whole = Math.round(size);
    if (whole < 3600) return `${sign2}${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")} min`;
    return `${sign2}${Math.floor(whole / 3600)}:${String(Math.floor(whole % 3600 / 60)).padStart(2, "0")} h`;
  },
  // Unix seconds as the time of day here: "14:02:09".
  ofDay(at) {
    const d = new Date(at * 1e3);
    return [d.getHours(), d.getMinutes(), d.getSeconds()].map((n) => String(n).padStart(2, "0")).join(":");
  }
};
function count(n) {
  return String(n).replace(/\B(?=(\d{3})+(?!\d))/g, " ");
}
function shorten(text, limit = 40) {
  const plain = String(text).replace(/[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g, "�");
  const letters = Array.from(plain);
  return letters.length <= limit ? plain : `${letters.slice(0, limit - 9).join("")}…${letters.slice(-8).join("")}`;
}

// cluster_brokers.js
var TOPICS_DRAWN = 8;
var MEANS = {
  leader: "leader",
  follower: "follower in the ISR",
  behind: "replica not in the ISR",
  down: "on a broker that is down"
};
var SIGNAL = {
  stop: "SIGTERM: it is asked to shut down and hands its partitions over first",
  kill: "SIGKILL: gone at once, without a word to anyone",
  pause: "SIGSTOP: frozen; its connections stay open and nobody is told",
  resume: "SIGCONT: it goes on where it was frozen",
  start: "starts the process again, with the data it had",
  cut: "takes it off the network: it runs on, but reaches nobody and nobody reaches it",
  join: "puts it on the network again"
};
var DOING = { stop: "stopping", kill: "killing", pause: "pausing", resume: "resuming", start: "starting", cut: "cutting off", join: "joining" };
var SAID = { cut: "off the network", join: "to the network again" };
function sign(part) {
  const shapes = {
    leader: () => el("path", { d: "M1.2 10 .8 3.4 3.7 5.9 6 1.6l2.3 4.3 2.9-2.5-.4 6.6z", fill: "currentColor" }),
    follower: () => el("circle", { cx: 6, cy: 6, r: 3.2, fill: "currentColor" }),
    behind: () => el("circle", { cx: 6, cy: 6, r: 3.8, fill: "none", stroke: "currentColor", "stroke-width": 1.6, "stroke-dasharray": "2.4 1.6" }),
    down: () => el("path", { d: "M2.5 2.5l7 7m0-7l-7 7", fill: "none", stroke: "currentColor", "stroke-width": 2, "stroke-linecap": "round" })
  };
  return el("svg", { class: "kl-sign", viewBox: "0 0 12 12", width: 12, height: 12, "aria-hidden": "true" }, shapes[part]());
}
function cutSign() {
  const line2 = { fill: "none", stroke: "currentColor", "stroke-width": 1.8, "stroke-linecap": "round" };
  return el(
    "svg",
    { class: "kl-cut-sign", viewBox: "0 0 30 14", width: 30, height: 14, "aria-hidden": "true" },
    el("path", { d: "M1 7h7M22 7h7", ...line2 }),
    el("path", { d: "M9.5 12 13 2M17 12l3.5-10", ...line2 })
  );
}
function chip(topic, partition, broker, part) {
  const p = partition.partition;
  const isr = partition.isr.join(", ") || "none";
  const leader = partition.leader === null ? "no leader" : `leader ${partition.leader}`;
  return el(
    "li",
    {
      class: `kl-chip kl-${part}`,
      "data-chip": `${topic.name}/${p}/${broker}`,
      style: { "--kl-c": partitionColour(p), "--kl-on": partitionInk(p) },
      title: `${shorten(topic.name, 80)} partition ${p} on broker ${broker}: ${MEANS[part]}
${leader} · in sync: ${isr} · replicas: ${partition.replicas.map(([id]) => id).join(", ")}`
    },
    sign(part),
    el("span", { class: "kl-p" }, `P${p}`),
    el("span", { class: "kl-hidden" }, `, ${MEANS[part]}`)
  );
}
function buttons(node, noun, act, pending) {
  if (!node || !node.verbs.length) return null;
  const busy = node.busy ?? pending[node.name];
  return el(
    "div",
    { class: "kl-buttons", role: "group", "aria-label": `what to do to ${noun}` },
    node.verbs.map((verb) => el(
      "button",
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
        onclick: () => busy || act(node.name, verb)
      },
      verb
    ))
  );
}
function orDoing(node, pending, otherwise) {
  const busy = node?.busy ?? pending[node?.name];
  return busy ? el("i", { class: "kl-busy" }, `${DOING[busy] ?? busy}…`) : otherwise;
}
function brokerCards(picture, topics, act, pending) {
  return picture.brokers.map((broker) => {
    const state = broker.alive === null ? "unknown" : broker.alive ? "up" : "down";
    const process = broker.node?.state;
    const title = [`Broker ${broker.id}`, broker.standing, broker.controller && "controller"].filter(Boolean).join(", ");
    const own = process === "paused" || process === "cut" ? `kl-is-${process}` : "";
    return el(
      "section",
      { class: `kl-broker kl-is-${state} ${own}`, "aria-label": title, "data-broker": broker.id },
      process === "cut" ? cutSign() : null,
      el(
        "header",
        { class: "kl-head" },
        el("span", { class: "kl-dot", "aria-hidden": "true" }),
        el("h3", {}, `Broker ${broker.id}`),
        broker.controller ? el("span", { class: "kl-badge", title: "The controller: it elects the leaders of partitions and keeps the ISRs." }, "controller") : null
      ),
      el(
        "div",
        { class: "kl-row" },
        el("span", { class: "kl-standing", title: broker.address || null }, orDoing(broker.node, pending, broker.standing)),
        buttons(broker.node, `broker ${broker.id}`, act, pending)
      ),
      topics.slice(0, TOPICS_DRAWN).map((topic) => onBroker(topic, broker)),
      !topics.length && picture.looked ? el("p", { class: "kl-none" }, "no topics yet") : null
    );
  });
}
function onBroker(topic, broker) {
  const mine = topic.partitions.flatMap((partition) => partition.replicas.filter(([id]) => id === broker.id).map(([, part]) => [partition, part]));
  if (!mine.length) return null;
  const name = shorten(topic.name, 32);
  const dense = mine.length > 24;
  return el(
    "div",
    { class: "kl-topic" },
    el("div", { class: "kl-topic-name", title: shorten(topic.name, 300) }, el("bdi", {}, name), ` · RF ${topic.replication}`),
    el(
      "ul",
      { class: `kl-chips ${dense ? "kl-dense" : ""}`, "aria-label": `${name} on broker ${broker.id}` },
      mine.map(([partition, part]) => chip(topic, partition, broker.id, part))
    )
  );
}
function moreTopics(topics) {
  const more = topics.length - TOPICS_DRAWN;
  return more > 0 ? el("p", { class: "kl-none" }, `${more} more topics are not drawn here: choose one above.`) : null;
}
function quorumPanel(quorum, act, pending) {
  if (!quorum) return [];
  const about = quorum.kind === "ZooKeeper" ? "ZooKeeper keeps the cluster's metadata: which brokers live, who the controller is, what is configured." : "KRaft: the controllers keep the cluster's metadata themselves, in a log that the active one writes.";
  return [
    el("span", { class: "kl-title", title: about }, quorum.kind, quorum.epoch === null ? "" : ` · epoch ${quorum.epoch}`),
    el("ul", { class: "kl-quorum-nodes" }, quorum.nodes.map((node) => {
      const word = node.alive === false ? "down" : node.role ?? (node.alive === null ? "not known yet" : "no answer");
      const part = node.alive === false ? "down" : node.role === "leader" || node.role === "standalone" ? "leader" : node.role ? "follower" : "behind";
      const besides = { paused: "paused", cut: "cut off" }[node.node?.state];
      const notes = [node.lag ? `${node.lag} behind` : "", besides].filter(Boolean);
      const noun = `${quorum.noun} ${node.id}`;
      return el(
        "li",
        { class: `kl-quorum-node kl-${part}` },
        sign(part),
        el("b", {}, node.id),
        node.node?.state === "cut" ? cutSign() : null,
        orDoing(node.combined ? null : node.node, pending, [word, ...notes].join(" · ")),
        buttons(node.combined ? null : node.node, noun, act, pending)
      );
    })),
    quorum.nodes.some((node) => node.combined) ? el("span", { class: "kl-soft" }, "each in the same process as the broker of its id") : null
  ];
}

// cluster_tables.js
var ROWS = 40;
var MEMBERS = 16;
function spans(partitions) {
  const runs = [];
  for (const p of partitions) {
    const last = runs.at(-1);
    if (last && p === last[1] + 1) last[1] = p;
    else runs.push([p, p]);
  }
  return runs.map(([a, b]) => a === b ? `P${a}` : `P${a}–P${b}`).join(" ");
}
function topicTable(topics) {
  if (!topics.length) return el("p", { class: "kl-none" }, "no topics yet");
  const head = ["Topic", "Partitions", "RF", "Records", "State"];
  return [
    el(
      "table",
      { class: "kl-table" },
      el("caption", { class: "kl-title" }, "Topics"),
      el("thead", {}, el("tr", {}, head.map((word, i) => el("th", { scope: "col", class: i > 0 && i < 4 ? "kl-number" : null }, word)))),
      el("tbody", {}, topics.slice(0, ROWS).map(topicRow))
    ),
    topics.length > ROWS ? el("p", { class: "kl-none" }, `${topics.length - ROWS} more topics`) : null
  ];
}
function topicRow(topic) {
  const lone = topic.partitions.filter((p) => p.leader === null).map((p) => p.partition);
  const short = topic.partitions.filter((p) => p.short && p.leader !== null).map((p) => p.partition);
  const records = topic.records === null ? "–" : `${topic.unknown ? "≥ " : ""}${count(topic.records)}`;
  return el(
    "tr",
    { "data-topic": topic.name },
    el("th", { scope: "row", title: shorten(topic.name, 300) }, el("bdi", {}, shorten(topic.name, 30))),
    el("td", { class: "kl-number" }, topic.partitions.length),
    el("td", { class: "kl-number" }, topic.replication),
    el("td", { class: "kl-number", "data-records": topic.records ?? "", title: topic.unknown ? "Some partitions have no leader that could be asked." : null }, records),
    el(
      "td",
      {},
      lone.length ? el("span", { class: "kl-bad", title: "Neither read nor written, until a replica that was in sync is back." }, `✕ no leader: ${spans(lone)} `) : null,
      short.length ? el("span", { class: "kl-warn", title: "Fewer replicas in sync than there should be." }, `◌ under-replicated: ${spans(short)}`) : null,
      !lone.length && !short.length ? el("span", { class: "kl-soft" }, "all replicas in sync") : null
    )
  );
}
function groupPanels(groups) {
  if (!groups.length) return el("p", { class: "kl-none" }, "no consumer groups");
  return groups.map((group) => {
    const facts = [
      group.state,
      group.coordinator === null ? "no coordinator" : `coordinator ${group.coordinator}`,
      group.assignor
    ].filter(Boolean);
    const topics = new Set([...group.members.flatMap((m) => m.holds), ...group.unheld].map((h) => h.topic));
    const idle = group.members.filter((m) => !m.holds.length).length;
    return el(
      "section",
      { class: "kl-group", "data-group": group.id, "aria-label": `consumer group ${shorten(group.id)}` },
      el(
        "header",
        { class: "kl-group-head" },
        el("h4", { title: shorten(group.id, 300) }, el("bdi", {}, shorten(group.id))),
        el("span", { class: "kl-soft" }, shorten(facts.join(" · "), 90)),
        group.lag === null ? null : el("span", { class: `kl-pill ${group.lag ? "kl-lags" : ""}`, title: "Records in its partitions that it has not committed." }, `lag ${count(group.lag)}`)
      ),
      el(
        "ul",
        { class: "kl-members", "aria-label": "members" },
        group.members.slice(0, MEMBERS).map((member) => memberRow(member, topics.size > 1)),
        group.members.length > MEMBERS ? el("li", { class: "kl-none" }, `${group.members.length - MEMBERS} more members, ${idle} of all standing by`) : null,
        !group.members.length || group.unheld.length ? el(
          "li",
          { class: "kl-member kl-idle", title: group.unheld.length ? "Committed before, and held by no member now." : null },
          el("span", { class: "kl-client" }, group.members.length ? "held by nobody" : "no members"),
          holdings(group.unheld, topics.size > 1)
        ) : null
      )
    );
  });
}
function memberRow(member, several) {
  const name = shorten(member.client, 28) + (member.tail ? ` …${shorten(member.tail)}` : "");
  return el(
    "li",
    { class: `kl-member ${member.holds.length ? "" : "kl-idle"}`, title: shorten(`${member.client} at ${member.host}`, 300) },
    el("span", { class: "kl-client" }, el("bdi", {}, name)),
    member.holds.length ? holdings(member.holds, several) : el("span", { class: "kl-soft" }, "standing by")
  );
}
function holdings(holds, several) {
  return el("div", { class: "kl-holds" }, holds.map((hold) => [
    several ? el("span", { class: "kl-soft" }, el("bdi", {}, shorten(hold.topic, 24))) : null,
    el("ul", { class: "kl-chips", "aria-label": shorten(hold.topic) }, hold.partitions.map(([p, lag]) => el(
      "li",
      { class: "kl-held", style: { "--kl-c": partitionColour(p) }, title: `${shorten(hold.topic, 80)} partition ${p}: ${lag === null ? "nothing committed yet" : `lag ${lag}`}` },
      `P${p}`,
      lag ? el("small", {}, `−${count(lag)}`) : null
    )))
  ]));
}

// cluster_events.js
var KEPT = 200;
var MARKS = {
  you: ["▸", "you"],
  error: ["⚠", "bad"],
  capture_failed: ["⚠", "bad"],
  capture_recovered: ["✓", "ok"],
  broker_down: ["✕", "bad"],
  quorum_node_down: ["✕", "bad"],
  broker_up: ["●", "ok"],
  broker_added: ["●", "ok"],
  quorum_node_up: ["●", "ok"],
  controller_moved: ["◆", "lead"],
  quorum_leader_moved: ["◆", "lead"],
  leader_lost: ["✕", "bad"],
  leader_moved: ["♛", "lead"],
  leader_elected: ["♛", "lead"],
  isr_shrank: ["◌", "warn"],
  isr_changed: ["◌", "warn"],
  isr_grew: ["●", "ok"],
  rebalanced: ["⇄", "plain"],
  member_joined: ["+", "plain"],
  member_left: ["−", "plain"]
};
function eventList() {
  const empty = el("p", { class: "kl-none" }, "Nothing yet. What you do to a node, and what Kafka makes of it, will be listed here.");
  const list = el("ol", { class: "kl-event-list", role: "log", "aria-live": "polite", "aria-label": "what happened", tabindex: "0" });
  let last = 0;
  function show(events) {
    const fresh = events.filter((event) => event.n > last);
    if (!fresh.length) return;
    const first = last === 0;
    const atEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 24;
    empty.remove();
    list.append(...fresh.map(line));
    while (list.children.length > KEPT) list.firstChild.remove();
    last = fresh.at(-1).n;
    if (first) requestAnimationFrame(() => {
      list.scrollTop = list.scrollHeight;
    });
    else if (atEnd) list.scrollTop = list.scrollHeight;
  }
  return { nodes: [el("h4", { class: "kl-title" }, "What happened"), empty, list], show };
}
function line(event) {
  const [mark, tone] = MARKS[event.kind] ?? ["·", "plain"];
  const when = event.since === null ? clock.ofDay(event.at) : clock.since(event.since);
  return el(
    "li",
    { class: `kl-event kl-tone-${tone}`, "data-kind": event.kind },
    el("time", { class: "kl-mono", title: `first seen at ${clock.ofDay(event.at)}` }, when),
    el("span", { class: "kl-mark", "aria-hidden": "true" }, mark),
    el("div", { class: "kl-said" }, event.kind === "error" ? errorLines(event.text) : event.parts.length ? crowd(event) : emphasised(shorten(event.text, 260)))
  );
}
function crowd(event) {
  return el(
    "details",
    {},
    el("summary", {}, emphasised(shorten(event.text, 260))),
    el("ul", {}, event.parts.slice(0, 100).map((text) => el("li", {}, emphasised(shorten(text, 260)))))
  );
}
function emphasised(text) {
  return text.split(/([\w,]+ → [\w,]+)/).map((part, i) => i % 2 ? el("b", {}, part) : part);
}
function errorLines(text) {
  const [first, ...rest] = text.split("\n").slice(0, 6).map((part) => shorten(part, 260));
  return [el("b", {}, first), rest.map((part) => el("span", { class: "kl-error-line" }, part))];
}

// cluster_motion.js
var RINGED_MS = 2600;
var FLIGHTS = 60;
function look(page) {
  const seen = /* @__PURE__ */ new Map();
  for (const node of page.querySelectorAll("[data-chip]")) {
    seen.set(node.dataset.chip, { part: /kl-(leader|follower|behind|down)\b/.exec(node.className)[1], rect: node.getBoundingClientRect() });
  }
  return seen;
}
function explain(page, before) {
  if (!before.size) return;
  const still = reducedMotion();
  const origin = page.getBoundingClientRect();
  const crowns = /* @__PURE__ */ new Map();
  for (const [key, { part, rect }] of before) if (part === "leader") crowns.set(partitionOf(key), rect);
  let flights = 0;
  for (const node of page.querySelectorAll("[data-chip]")) {
    const key = node.dataset.chip;
    const was = before.get(key);
    const leads = node.classList.contains("kl-leader");
    if (was && node.classList.contains(`kl-${was.part}`)) continue;
    node.classList.add("kl-changed");
    setTimeout(() => node.classList.remove("kl-changed"), RINGED_MS);
    const from = crowns.get(partitionOf(key));
    if (leads && from?.width && !still && flights++ < FLIGHTS) fly(page, origin, from, node.getBoundingClientRect(), key);
  }
}
function partitionOf(key) {
  return key.slice(0, key.lastIndexOf("/"));
}
function fly(page, origin, from, to, key) {
  const partition = Number(partitionOf(key).split("/").at(-1));
  const crown = el("span", {
    class: "kl-flight",
    "aria-hidden": "true",
    style: { left: `${from.left - origin.left}px`, top: `${from.top - origin.top}px`, color: partitionColour(partition) }
  }, sign("leader"));
  page.append(crown);
  const [x, y] = [to.left - from.left, to.top - from.top];
  crown.animate(
    [
      { transform: "translate(0, 0) scale(1)", opacity: 1 },
      { transform: `translate(${x / 2}px, ${y / 2 - 22}px) scale(1.7)`, opacity: 1, offset: 0.5 },
      { transform: `translate(${x}px, ${y}px) scale(1)`, opacity: 1 }
    ],
    { duration: 900, easing: "cubic-bezier(.4, 0, .2, 1)" }
  ).finished.then(() => crown.remove(), () => crown.remove());
}

// cluster_view.js
var PARTS = ["bar", "trouble", "brokers", "quorum", "topics", "groups", "problems", "legend"];
function render({ model, el: root }) {
  const page = el("div", { class: "kl kl-cluster", role: "region", "aria-label": "Kafka cluster" });
  const events = eventList();
  const part = Object.fromEntries(PARTS.map((name) => [name, el("div", { class: `kl-${name}` })]));
  const drawn = {};
  const choice = { topic: model.get("topic"), internal: false };
  const pending = {};
  for (const name of ["quorum", "topics", "groups"]) part[name].classList.add("kl-panel");
  page.append(
    part.bar,
    part.trouble,
    el(
      "div",
      { class: "kl-main" },
      el("div", { class: "kl-left" }, part.brokers, part.quorum),
      el("div", { class: "kl-events kl-panel" }, events.nodes)
    ),
    el("div", { class: "kl-below" }, part.topics, part.groups),
    part.problems,
    part.legend
  );
  root.append(page);
  function act(node, verb) {
    if (pending[node]) return;
    pending[node] = verb;
    draw();
    model.send({ do: "act", node, verb });
  }
  function put(name, from, make) {
    const signature = JSON.stringify(from);
    if (drawn[name] === signature) return;
    drawn[name] = signature;
    const held = part[name].contains(document.activeElement) ? document.activeElement.dataset : null;
    part[name].replaceChildren(...[make()].flat(Infinity).filter(Boolean));
    if (held?.key) {
      const all = [...part[name].querySelectorAll("[data-key]")];
      (all.find((n) => n.dataset.key === held.key) ?? all.find((n) => n.dataset.node === held.node))?.focus();
    }
  }
  function draw() {
    const picture = model.get("picture");
    const live = model.get("live");
    if (!picture.brokers) return;
    const own = picture.topics.filter((t) => !t.internal);
    const offered = choice.internal ? picture.topics : own;
    if (choice.topic && picture.looked && !offered.some((t) => t.name === choice.topic)) choice.topic = "";
    const topics = choice.topic ? offered.filter((t) => t.name === choice.topic) : offered;
    const shapes = topics.map(({ records, unknown, ...rest }) => rest);
    const before = look(part.brokers);
    const doing = Object.entries(pending);
    page.classList.toggle("kl-stale", Boolean(picture.error));
    page.classList.toggle("kl-alone", picture.groups.length === 0);
    const head = [picture.name, picture.kafka, picture.label, live, up(picture), picture.at, Boolean(picture.error), choice, offered.map((t) => t.name), picture.topics.length - own.length];
    put("bar", head, () => bar(picture, live, offered, own));
    put("trouble", picture.error, () => trouble(picture.error));
    put("problems", picture.problems, () => problems(picture.problems));
    put("brokers", [picture.brokers, shapes, doing, picture.looked], () => [brokerCards(picture, topics, act, pending), moreTopics(topics)]);
    put("quorum", [picture.quorum, doing], () => quorumPanel(picture.quorum, act, pending));
    part.quorum.hidden = !picture.quorum;
    put("topics", topics, () => topicTable(topics));
    const groups = choice.topic ? picture.groups.filter((g) => reads(g, choice.topic)) : picture.groups;
    put("groups", groups, () => [el("h4", { class: "kl-title" }, "Consumer groups"), groupPanels(groups)]);
    put("legend", 1, legend);
    explain(page, before);
  }
  function choose(change) {
    Object.assign(choice, change);
    draw();
  }
  function bar(picture, live, offered, own) {
    const internal = picture.topics.length - own.length;
    return [
      el("strong", { class: "kl-name" }, el("bdi", {}, shorten(picture.name || "cluster"))),
      [picture.kafka, picture.label, up(picture)].filter(Boolean).map((words) => el("span", { class: "kl-pill" }, shorten(words, 60))),
      el("span", { class: "kl-grow" }),
      el(
        "label",
        { class: "kl-choice" },
        el("span", { class: "kl-hidden" }, "topics shown"),
        el(
          "select",
          { class: "kl-select", "data-key": "topic", onchange: (e) => guard(page, () => choose({ topic: e.target.value })) },
          el("option", { value: "", selected: !choice.topic }, offered.length === 1 ? "1 topic" : `all ${offered.length} topics`),
          offered.map((t) => el("option", { value: t.name, selected: t.name === choice.topic }, shorten(t.name)))
        )
      ),
      internal ? el(
        "label",
        { class: "kl-choice", title: "Topics in which Kafka keeps its own books, such as the groups' committed offsets." },
        el("input", { type: "checkbox", "data-key": "internal", checked: choice.internal, onchange: (e) => guard(page, () => choose({ internal: e.target.checked })) }),
        ` internal (${internal})`
      ) : null,
      el(
        "span",
        { class: `kl-live ${live && !picture.error ? "kl-on" : ""}` },
        el("span", { class: "kl-dot", "aria-hidden": "true" }),
        picture.error ? "not answering" : live ? "live" : picture.at ? `a moment, ${clock.ofDay(picture.at)}` : "a moment"
      )
    ];
  }
  const heard = {
    "change:picture": draw,
    "change:live": draw,
    "change:events": () => events.show(model.get("events")),
    "change:topic": () => choose({ topic: model.get("topic") }),
    "msg:custom": (message) => {
      if (message?.did !== "act") return;
      delete pending[message.node];
      draw();
    }
  };
  const listeners = Object.entries(heard).map(([name, fn]) => [name, (message) => guard(page, () => fn(message))]);
  for (const [name, listener] of listeners) model.on(name, listener);
  guard(page, () => {
    draw();
    events.show(model.get("events"));
  });
  return () => {
    for (const [name, listener] of listeners) model.off(name, listener);
  };
}
function up(picture) {
  if (!picture.looked) return picture.error ? "" : "looking…";
  if (picture.error) return "";
  return `${picture.brokers.filter((b) => b.alive).length} of ${picture.brokers.length} brokers up`;
}
function reads(group, topic) {
  return [...group.members.flatMap((m) => m.holds), ...group.unheld].some((h) => h.topic === topic);
}
function trouble(error) {
  if (!error) return [];
  const why = shorten(error.text.split("\n")[0], 300).replace(/\.?$/, ".");
  const past = error.at === null ? "" : ` What is drawn is how it was at ${clock.ofDay(error.at)}.`;
  return el("div", { class: "kl-notice kl-tone-bad", role: "status" }, el("b", {}, "The cluster cannot be looked at now. "), why, past);
}
function problems(sentences) {
  if (!sentences.length) return [];
  const list = el("ul", {}, sentences.slice(0, 20).map((sentence) => el("li", {}, shorten(sentence, 300))));
  if (sentences.length <= 2) return el("div", { class: "kl-notice" }, list);
  return el("details", { class: "kl-notice" }, el("summary", {}, `${sentences.length} things could not be learned`), list);
}
function legend() {
  const c = { "--kl-c": "var(--kl-soft)", "--kl-on": "var(--kl-bg)" };
  return ["leader", "follower", "behind", "down"].map((part) => el("span", {}, el("span", { class: `kl-chip kl-${part}`, style: c, "aria-hidden": "true" }, sign(part)), ` ${MEANS[part]}`));
}
var cluster_view_default = { render };
export {
  cluster_view_default as default
};
