// ClusterView: draws the cluster and what happened in it, and sends the learner's clicks to the kernel.
// It never changes the picture by itself: a button asks, the cluster acts, and a new picture arrives.

import { clock, el, guard, legend, shorten, trouble } from "../shared.js";
import { live } from "../live.js";
import { brokerCards } from "./brokers.js";
import { eventList } from "./events.js";
import { news, refill } from "./keep.js";
import { crowns } from "./motion.js";
import { quorumPanel } from "./nodes.js";
import { brokersOf, groupsOf, summary, topicsOf, up } from "./picture.js";
import { meanings } from "./signs.js";
import { groupPanels, topicTable } from "./tables.js";

/** @param {any} page @param {any} tools */
function build(page, { model, ask }) {
  page.setAttribute("role", "region");
  page.setAttribute("aria-label", "Kafka cluster");
  const part = Object.fromEntries(["bar", "trouble", "hall", "quorum", "topics", "groups", "problems"].map((name) => [name, el("div", { class: `kl-${name}` })]));
  for (const name of ["quorum", "topics", "groups"]) part[name].classList.add("kl-panel");
  const spoken = el("p", { class: "kl-hidden" });
  const events = eventList();
  const choice = { topic: model.get("topic") ?? "", internal: false };
  /** @type {any} */ let state;
  /** Node → verb, from the click until the kernel says that it is done. @type {Record<string, string>} */
  const pending = {};
  const hands = {
    live: Boolean(model.get("live")),
    pending,
    act(/** @type {string} */ node, /** @type {string} */ verb) {
      if (pending[node]) return;
      pending[node] = verb;
      drawAll();
      ask({ do: "act", node, verb });
    },
  };
  page.append(spoken, part.bar, part.trouble,
    el("div", { class: "kl-main" },
      el("div", { class: "kl-left" }, part.hall, part.quorum),
      el("div", { class: "kl-events kl-panel" }, events.nodes)),
    el("div", { class: "kl-below" }, part.topics, part.groups), part.problems, legend(meanings()));
  const drawBrokers = brokerCards(part.hall, hands);
  const drawTopics = topicTable(part.topics, (topic) => guard(page, () => choose({ topic })));
  const drawGroups = groupPanels(part.groups);
  const crown = crowns(page);
  const isNews = { bar: news(), trouble: news(), quorum: news(), problems: news(), spoken: news() };

  function drawAll() {
    if (!state) return;
    const all = topicsOf(state);
    const offered = choice.internal ? all : all.filter(({ topic }) => !topic.internal);
    if (choice.topic && state.looked && !offered.some(({ name }) => name === choice.topic)) choice.topic = "";
    const topics = choice.topic ? offered.filter(({ name }) => name === choice.topic) : offered;
    const groups = groupsOf(state, choice.topic);
    const doing = JSON.stringify(pending);
    const words = summary(state);

    page.classList.toggle("kl-stale", Boolean(state.error));
    page.classList.toggle("kl-alone", groups.length === 0);
    page.classList.toggle("kl-many", brokersOf(state).length > 3);
    if (isNews.spoken(words)) spoken.textContent = words;
    const head = [state.name, state.kafka, state.label, current(), up(state), state.at, Boolean(state.error), choice, offered.map(({ name }) => name), all.length];
    if (isNews.bar(JSON.stringify(head))) refill(part.bar, bar(offered, all));
    if (isNews.trouble(state.error)) refill(part.trouble, trouble(state.error));
    drawBrokers({ brokers: brokersOf(state), topics, looked: state.looked });
    if (isNews.quorum(state.quorum, doing)) refill(part.quorum, quorumPanel(state.quorum, hands));
    part.quorum.hidden = !state.quorum;
    drawTopics({ topics, chosen: choice.topic });
    drawGroups(groups);
    // At the end, because they come and go while a cluster heals, and must not move anything that the learner points at.
    if (isNews.problems(state.problems)) refill(part.problems, problems(state.problems));
    events.show(state.events);
  }

  /** @param {Partial<typeof choice>} change */
  function choose(change) {
    Object.assign(choice, change);
    drawAll();
  }

  /** Returns whether the picture shows the cluster as it is now: a view of a recording may show the past. */
  function current() {
    return hands.live && !state.at;
  }

  /** @param {any[]} offered @param {any[]} all */
  function bar(offered, all) {
    const internal = all.filter(({ topic }) => topic.internal).length;
    return [
      el("strong", { class: "kl-name" }, el("bdi", {}, shorten(state.name || "cluster"))),
      [state.kafka, state.label, up(state)].filter(Boolean).map((words) => el("span", { class: "kl-pill" }, shorten(words, 60))),
      el("span", { class: "kl-grow" }),
      el("label", { class: "kl-choice" }, el("span", { class: "kl-hidden" }, "topics shown"),
        el("select", { class: "kl-select", "data-key": "topic", onchange: (e) => guard(page, () => choose({ topic: e.target.value })) },
          el("option", { value: "", selected: !choice.topic }, offered.length === 1 ? "1 topic" : `all ${offered.length} topics`),
          offered.map(({ name }) => el("option", { value: name, selected: name === choice.topic }, shorten(name))))),
      internal
        ? el("label", { class: "kl-choice", title: "Topics in which Kafka keeps its own books, such as the groups' committed offsets." },
            el("input", { type: "checkbox", "data-key": "internal", checked: choice.internal, onchange: (e) => guard(page, () => choose({ internal: e.target.checked })) }),
            ` internal (${internal})`)
        : null,
      el("span", { class: `kl-live ${current() && !state.error ? "kl-on" : ""}` },
        el("span", { class: "kl-dot", "aria-hidden": "true" }),
        state.error ? "not answering" : current() ? "live" : state.at ? `a moment, ${clock.ofDay(state.at)}` : "a moment"),
    ];
  }

  const listeners = {
    "change:topic": () => guard(page, () => choose({ topic: model.get("topic") })),
    "change:live": () => guard(page, () => {
      hands.live = Boolean(model.get("live"));
      drawAll();
    }),
  };
  for (const [event, listener] of Object.entries(listeners)) model.on(event, listener);
  return {
    draw(/** @type {any} */ now, /** @type {any} */ before) {
      state = now;
      drawAll();
      crown(state, before);
    },
    heard(/** @type {any} */ message) {
      if (message?.did !== "act") return;
      delete pending[message.node];
      drawAll();
    },
    end() {
      for (const [event, listener] of Object.entries(listeners)) model.off(event, listener);
    },
  };
}

/** @param {string[]} sentences */
function problems(sentences) {
  if (!sentences.length) return [];
  const list = el("ul", {}, sentences.slice(0, 20).map((sentence) => el("li", {}, shorten(sentence, 300))));
  if (sentences.length <= 2) return el("div", { class: "kl-notice" }, list);
  return el("details", { class: "kl-notice" }, el("summary", {}, `${sentences.length} things could not be learned`), list);
}

export default { render: live("cluster", build) };
