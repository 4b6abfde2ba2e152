// ClusterView: draws `picture` (what the cluster is) and `events` (what happened), and sends back which button was pressed.
// It never changes the picture by itself: a button asks, the cluster acts, a new picture comes.

import { clock, el, guard, shorten } from "./shared.js";
import { brokerCards, MEANS, moreTopics, quorumPanel, sign } from "./cluster_brokers.js";
import { groupPanels, topicTable } from "./cluster_tables.js";
import { eventList } from "./cluster_events.js";
import { explain, look } from "./cluster_motion.js";

const PARTS = ["bar", "trouble", "brokers", "quorum", "topics", "groups", "problems", "legend"];

function render({ model, el: root }) {
  const page = el("div", { class: "kl kl-cluster", role: "region", "aria-label": "Kafka cluster" });
  const events = eventList();
  const part = Object.fromEntries(PARTS.map((name) => [name, el("div", { class: `kl-${name}` })]));
  const drawn = {}; // what each part was last drawn from, so that an offset that moves redraws one table and not the page
  const choice = { topic: model.get("topic"), internal: false };
  const pending = {}; // node → verb, from the click until the kernel says that it is done

  for (const name of ["quorum", "topics", "groups"]) part[name].classList.add("kl-panel");
  page.append(part.bar, part.trouble,
    el("div", { class: "kl-main" },
      el("div", { class: "kl-left" }, part.brokers, part.quorum),
      el("div", { class: "kl-events kl-panel" }, events.nodes)),
    el("div", { class: "kl-below" }, part.topics, part.groups), part.problems, part.legend);
  root.append(page);

  function act(node, verb) {
    if (pending[node]) return;
    pending[node] = verb;
    draw();
    model.send({ do: "act", node, verb });
  }

  // Draws a part again only if what it is drawn from changed, and leaves the keyboard's focus where it was.
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
    // The brokers' columns do not show sizes: without them, a busy topic leaves the columns alone.
    const shapes = topics.map(({ records, unknown, ...rest }) => rest);
    const before = look(part.brokers);
    const doing = Object.entries(pending);

    page.classList.toggle("kl-stale", Boolean(picture.error));
    page.classList.toggle("kl-alone", picture.groups.length === 0);
    const head = [picture.name, picture.kafka, picture.label, live, up(picture), picture.at, Boolean(picture.error), choice, offered.map((t) => t.name), picture.topics.length - own.length];
    put("bar", head, () => bar(picture, live, offered, own));
    put("trouble", picture.error, () => trouble(picture.error));
    // At the end, because they come and go while a cluster heals: nothing above may jump away from under a pointer.
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
      el("label", { class: "kl-choice" }, el("span", { class: "kl-hidden" }, "topics shown"),
        el("select", { class: "kl-select", "data-key": "topic", onchange: (e) => guard(page, () => choose({ topic: e.target.value })) },
          el("option", { value: "", selected: !choice.topic }, offered.length === 1 ? "1 topic" : `all ${offered.length} topics`),
          offered.map((t) => el("option", { value: t.name, selected: t.name === choice.topic }, shorten(t.name))))),
      internal
        ? el("label", { class: "kl-choice", title: "Topics in which Kafka keeps its own books, such as the groups' committed offsets." },
            el("input", { type: "checkbox", "data-key": "internal", checked: choice.internal, onchange: (e) => guard(page, () => choose({ internal: e.target.checked })) }),
            ` internal (${internal})`)
        : null,
      el("span", { class: `kl-live ${live && !picture.error ? "kl-on" : ""}` },
        el("span", { class: "kl-dot", "aria-hidden": "true" }),
        picture.error ? "not answering" : live ? "live" : picture.at ? `a moment, ${clock.ofDay(picture.at)}` : "a moment"),
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
    },
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
  return ["leader", "follower", "behind", "down"].map((part) =>
    el("span", {}, el("span", { class: `kl-chip kl-${part}`, style: c, "aria-hidden": "true" }, sign(part)), ` ${MEANS[part]}`));
}

export default { render };
