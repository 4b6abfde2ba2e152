// ClusterView: draws the cluster and what happened in it, and sends the learner's clicks to the kernel.
// It never changes the picture by itself: a button asks, the cluster acts, and a new picture arrives.

import { live } from "../live.ts";
import { clock, el, emphasised, follow, guard, keeper, kindOf, legend, news, partitionColour, reducedMotion, refill, shorten, trouble } from "../shared.ts";
import { brokerCards, brokersOf, crownsMoved, groupPanels, groupsOf, meanings, quorumPanel, sign, summary, topicsOf, topicTable, up } from "./panels.ts";
import type { Model, View } from "../live.ts";
import type { EventLine, Picture } from "./picture";

export type Topics = ReturnType<typeof topicsOf>;

function build(page: HTMLElement, { model, ask }: { model: Model; ask(message: object): void }): View {
  const part = Object.fromEntries(["bar", "trouble", "hall", "quorum", "topics", "groups", "problems"].map((name) => [name, el("div", { class: `kl-${name}` })]));
  for (const name of ["quorum", "topics", "groups"]) part[name].classList.add("kl-panel");
  const spoken = el("p", { class: "kl-hidden" });
  const events = eventList();
  const choice = { topic: model.get("topic") ?? "", internal: false };
  let state: Picture;
  /** Node → verb, from the click until the kernel says that it is done. */
  const pending: Record<string, string> = {};
  const hands = {
    live: Boolean(model.get("live")),
    pending,
    act(node: string, verb: string) {
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
    const names = offered.map(({ name }) => name);
    const head = [state.name, state.kafka, state.label, current(), up(state), state.at, Boolean(state.error), choice, names, all.length];
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

  function choose(change: Partial<typeof choice>) {
    Object.assign(choice, change);
    drawAll();
  }

  /** Returns whether the picture shows the cluster as it is now: a view of a recording may show the past. */
  function current() {
    return hands.live && !state.at;
  }

  function bar(offered: Topics, all: Topics) {
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
    draw(now: Picture, before: Picture | undefined) {
      state = now;
      drawAll();
      crown(state, before);
    },
    heard(message) {
      if (message?.did !== "act") return;
      delete pending[message.node];
      drawAll();
    },
    end() {
      for (const [event, listener] of Object.entries(listeners)) model.off(event, listener);
    },
  };
}

function problems(sentences: string[]) {
  if (!sentences.length) return [];
  const list = el("ul", {}, sentences.slice(0, 20).map((sentence) => el("li", {}, shorten(sentence, 300))));
  if (sentences.length <= 2) return el("div", { class: "kl-notice" }, list);
  return el("details", { class: "kl-notice" }, el("summary", {}, `${sentences.length} things could not be learned`), list);
}

// --- The event list, "What happened": draws each event as a line with the time since the learner's own last action.

const KEPT = 200;

function eventList() {
  const empty = el("p", { class: "kl-none" }, "Nothing yet. What you do to a node, and what Kafka makes of it, will be listed here.");
  const list = el("ol");
  const box = el("div", { class: "kl-event-list", role: "log", "aria-live": "polite", "aria-label": "what happened", tabindex: "0" }, list);
  const keep = keeper(list, (event: EventLine) => event.n, (event) => ({ node: line(event), draw() {} }));
  const isNews = news();

  /** Also takes lines back: in a recording, time runs backwards too. */
  function show(events: EventLine[] | undefined) {
    if (!events || !isNews(events)) return;
    empty.hidden = events.length > 0;
    follow(box, !list.firstChild, () => keep(events.slice(-KEPT)));
  }
  return { nodes: [el("h4", { class: "kl-title", title: "kafkalab reads the cluster every half second, so it sees what the cluster does by itself a moment later." }, "What happened · seen at"), empty, box], show };
}

function line(event: EventLine) {
  const { sign, tone } = kindOf(event.kind);
  const when = event.since === null ? clock.ofDay(event.at) : clock.since(event.since);
  return el("li", { class: `kl-event kl-tone-${tone}`, "data-kind": event.kind, "data-n": event.n },
    el("time", { class: "kl-mono", title: `first seen at ${clock.ofDay(event.at)}` }, when),
    el("span", { class: "kl-mark", "aria-hidden": "true" }, sign),
    el("div", { class: "kl-said" }, event.kind === "error" ? errorLines(event.text) : event.parts.length ? crowd(event) : emphasised(shorten(event.text, 260))));
}

// Draws many events of the same kind and moment as one line, which opens to show each of them.
function crowd(event: EventLine) {
  return el("details", {}, el("summary", {}, emphasised(shorten(event.text, 260))),
    el("ul", {}, event.parts.slice(0, 100).map((text) => el("li", {}, emphasised(shorten(text, 260))))));
}

function errorLines(text: string) {
  const [first, ...rest] = text.split("\n").slice(0, 6).map((part) => shorten(part, 260));
  return [el("b", {}, first), rest.map((part) => el("span", { class: "kl-error-line" }, part))];
}

// --- The flight of a crown: when a partition gets another leader, its crown moves from the old broker to the new one.

const FLIGHT_MS = 600;
const FLIGHTS = 60;

/** Returns a function to call after each drawing. */
function crowns(page: HTMLElement) {
  const led: Map<string, number> = new Map();
  return (state: Picture, before: Picture | undefined) => {
    const moved = crownsMoved(led, state, before).slice(0, FLIGHTS);
    if (!moved.length || reducedMotion()) return;
    const chips = new Map([...page.querySelectorAll("[data-chip]")].map((node) => [node.getAttribute("data-chip"), node]));
    const origin = page.getBoundingClientRect();
    // All places are measured before anything is added to the page: measuring in between would force a layout each time.
    const flights = moved.map(({ key, partition, from, to }) =>
      ({ partition, from: chips.get(`${key}/${from}`)?.getBoundingClientRect(), to: chips.get(`${key}/${to}`)?.getBoundingClientRect() }));
    // A page in the background has no layout, so there is nothing to fly between.
    for (const { partition, from, to } of flights) if (from?.width && to?.width) fly(page, origin, from, to, partition);
  };
}

function fly(page: HTMLElement, origin: DOMRect, from: DOMRect, to: DOMRect, partition: number) {
  const crown = el("span", {
    class: "kl-flight",
    "aria-hidden": "true",
    style: { left: `${from.left - origin.left}px`, top: `${from.top - origin.top}px`, color: partitionColour(partition) },
  }, sign("leader"));
  page.append(crown);
  const [x, y] = [to.left - from.left, to.top - from.top];
  crown.animate(
    [
      { transform: "translate(0, 0) scale(1)", opacity: 1 },
      { transform: `translate(${x / 2}px, ${y / 2 - 22}px) scale(1.9)`, opacity: 1, offset: 0.5 },
      { transform: `translate(${x}px, ${y}px) scale(1)`, opacity: 1 },
    ],
    { duration: FLIGHT_MS, easing: "cubic-bezier(.4, 0, .2, 1)" },
  ).finished.then(() => crown.remove(), () => crown.remove());
}

export default { render: live("cluster", "Kafka cluster", build) };
