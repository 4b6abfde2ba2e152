// ../state/events.json
var events_default = {
  you: { means: "something the learner did", sign: "▸", tone: "you", lane: "you", weight: 6 },
  error: { means: "something the learner asked for could not be done", sign: "⚠", tone: "bad", lane: "you", weight: 4 },
  capture_failed: { means: "the state of the cluster could not be read", sign: "⚠", tone: "bad", lane: "brokers", weight: 4 },
  capture_recovered: { means: "the state of the cluster can be read again", sign: "✓", tone: "ok", lane: "brokers", weight: 1 },
  quorum_node_down: { means: "a ZooKeeper server, or a KRaft controller that is not a broker too, stopped answering", sign: "✕", tone: "bad", lane: "brokers", weight: 4 },
  quorum_node_up: { means: "a ZooKeeper server, or such a controller, answers again", sign: "●", tone: "ok", lane: "brokers", weight: 1 },
  quorum_leader_moved: { means: "the ZooKeeper ensemble has another leader", sign: "◆", tone: "lead", lane: "partitions", weight: 3 },
  broker_down: { means: "a broker is no longer registered in the cluster", sign: "✕", tone: "bad", lane: "brokers", weight: 4 },
  broker_up: { means: "a broker that was down is registered again", sign: "●", tone: "ok", lane: "brokers", weight: 1 },
  broker_added: { means: "a broker that was never seen before is registered", sign: "●", tone: "ok", lane: "brokers", weight: 1 },
  controller_moved: { means: "the cluster has another controller (in KRaft: another active controller), or none", sign: "◆", tone: "lead", lane: "brokers", weight: 3 },
  topic_deleted: { means: "a topic was deleted", sign: "−", tone: "plain", lane: "partitions", weight: 0 },
  topic_created: { means: "a topic was created", sign: "+", tone: "plain", lane: "partitions", weight: 0 },
  partitions_added: { means: "a topic got more partitions", sign: "+", tone: "plain", lane: "partitions", weight: 0 },
  replicas_moved: { means: "a partition's replicas were reassigned", sign: "⇄", tone: "plain", lane: "partitions", weight: 0 },
  leader_lost: { means: "a partition has no leader any more, so clients can neither read it nor write to it", sign: "✕", tone: "bad", lane: "partitions", weight: 4 },
  leader_moved: { means: "a partition has another leader", sign: "♛", tone: "lead", lane: "partitions", weight: 3 },
  leader_elected: { means: "a partition without a leader has one again", sign: "♛", tone: "lead", lane: "partitions", weight: 3 },
  isr_shrank: { means: "replicas fell out of sync", sign: "◌", tone: "warn", lane: "partitions", weight: 2 },
  isr_changed: { means: "some replicas fell out of sync while others came back", sign: "◌", tone: "warn", lane: "partitions", weight: 2 },
  isr_grew: { means: "replicas are in sync again", sign: "●", tone: "ok", lane: "partitions", weight: 1 },
  group_gone: { means: "a consumer group no longer exists", sign: "−", tone: "plain", lane: "groups", weight: 0 },
  group_created: { means: "a new consumer group was seen", sign: "+", tone: "plain", lane: "groups", weight: 0 },
  group_state: { means: "a group's state changed; it is Unknown while its coordinator cannot be asked", sign: "⇄", tone: "plain", lane: "groups", weight: 0 },
  member_left: { means: "a member is no longer in its group", sign: "−", tone: "plain", lane: "groups", weight: 0 },
  member_joined: { means: "a new member joined its group", sign: "+", tone: "plain", lane: "groups", weight: 0 },
  rebalanced: { means: "a group's partitions are shared out differently", sign: "⇄", tone: "plain", lane: "groups", weight: 0 },
  rewound: { means: "a group's committed offsets went back", sign: "↶", tone: "plain", lane: "groups", weight: 0 },
  committed: { means: "a group's committed offsets went forward", sign: "·", tone: "plain", lane: "groups", weight: 0 },
  named: { means: "a moment that was given a name", sign: "★", tone: "you", lane: "you", weight: 5 }
};

// shared.ts
var SVG = /* @__PURE__ */ new Set(["svg", "g", "path", "line", "rect", "circle", "ellipse", "polyline", "polygon", "text", "tspan", "title", "defs", "pattern"]);
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
  node.append(...children.flat(Infinity).filter((c) => c !== null && c !== void 0 && c !== false && c !== "").map((c) => c instanceof Node ? c : String(c)));
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
  if (shown.length >= 3 || shown.some((node) => node.getAttribute("data-message") === message)) return;
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
function ownKeys(page) {
  page.setAttribute("data-lm-suppress-shortcuts", "true");
  page.addEventListener("keydown", (event) => {
    if (!event.ctrlKey && !event.metaKey && !event.altKey) event.stopPropagation();
  });
}
function showFault(root, text) {
  const shown = root.querySelector(":scope > .kl-fault");
  if (!text) return shown?.remove();
  if (shown?.getAttribute("data-text") === text) return void 0;
  shown?.remove();
  root.append(el("div", { class: "kl-error kl-fault", role: "alert", "data-text": text }, shorten(text, 600)));
  return void 0;
}
function trouble(error) {
  if (!error) return [];
  const why = shorten(error.text.split("\n")[0], 300).replace(/\.?$/, ".");
  const past = error.at === null ? "" : ` What is drawn is how it was at ${clock.ofDay(error.at)}.`;
  return el("div", { class: "kl-notice kl-tone-bad", role: "status" }, el("b", {}, "The cluster does not answer now. "), why, past);
}
function legend(signs) {
  return el(
    "ul",
    { class: "kl-legend", "aria-label": "legend" },
    signs.map(([sign2, meaning]) => el("li", {}, el("span", { class: "kl-sign", "aria-hidden": "true" }, sign2), " ", meaning))
  );
}
var SIGNAL = {
  stop: "SIGTERM: it is asked to shut down; a broker hands its partitions over first",
  kill: "SIGKILL: ends at once, without telling anyone",
  pause: "SIGSTOP: frozen; its connections stay open, and no one is told",
  resume: "SIGCONT: it goes on where it was frozen",
  start: "starts the process again, with the data it had",
  cut: "takes it off the network: it runs on, but no connection gets in or out",
  join: "puts it on the network again"
};
var two = (n) => String(n).padStart(2, "0");
var clock = {
  /** Formats a number of seconds since something: "+3.12 s", "+2:05 min", "−0.40 s". */
  since(seconds) {
    const sign2 = seconds <= -5e-3 ? "−" : "+";
    const size = Math.abs(seconds);
    return size < 99.995 ? `${sign2}${size.toFixed(2)} s` : `${sign2}${clock.long(Math.round(size))}`;
  },
  /** Formats whole seconds, from a minute on: "2:05 min", "1:04 h". */
  long(whole) {
    const [of, unit] = whole < 3600 ? [60, "min"] : [3600, "h"];
    return `${Math.floor(whole / of)}:${two(Math.floor(whole % of / (of / 60)))} ${unit}`;
  },
  /** Formats Unix seconds as the local time of day: "14:02:09", with three digits "14:02:09.120". */
  ofDay(at, digits = 0) {
    const d = new Date(Math.round(at * 1e3));
    const fraction = digits ? `.${String(d.getMilliseconds()).padStart(3, "0").slice(0, digits)}` : "";
    return [d.getHours(), d.getMinutes(), d.getSeconds()].map(two).join(":") + fraction;
  }
};
function count(n) {
  return String(n).replace(/\B(?=(\d{3})+(?!\d))/g, " ");
}
function shorten(text, limit = 40) {
  const plain = String(text).replace(/[\t\n\r\v\f]+/g, " ").replace(/[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g, "�");
  const letters = Array.from(plain);
  return letters.length <= limit ? plain : `${letters.slice(0, limit - 9).join("")}…${letters.slice(-8).join("")}`;
}
function emphasised(text) {
  return text.split(/([\w,]+ → [\w,]+)/).map((part, i) => i % 2 ? el("b", {}, part) : part);
}
function follow(box, first, change) {
  const atEnd = box.scrollHeight - box.scrollTop - box.clientHeight < 30;
  change();
  if (first) requestAnimationFrame(() => {
    box.scrollTop = box.scrollHeight;
  });
  else if (atEnd) box.scrollTop = box.scrollHeight;
}
function keeper(parent, key, make) {
  const parts = /* @__PURE__ */ new Map();
  return (items) => {
    const wanted = new Set(items.map(key));
    for (const [name, part] of parts) {
      if (wanted.has(name)) continue;
      part.node.remove();
      parts.delete(name);
    }
    let at = parent.firstChild;
    for (const item of items) {
      const name = key(item);
      const part = parts.get(name) ?? make(item);
      parts.set(name, part);
      if (part.node === at) at = at.nextSibling;
      else parent.insertBefore(part.node, at);
      part.draw(item);
    }
  };
}
function news() {
  let last;
  return (...from) => {
    if (last && last.length === from.length && last.every((value, i) => value === from[i])) return false;
    last = from;
    return true;
  };
}
function refill(parent, children) {
  const active = document.activeElement;
  const held2 = active && parent.contains(active) ? active.dataset : null;
  parent.replaceChildren(...[children].flat(Infinity).filter(Boolean));
  if (!held2?.key) return;
  const all = [...parent.querySelectorAll("[data-key]")];
  (all.find((n) => n.dataset.key === held2.key) ?? all.find((n) => held2.node && n.dataset.node === held2.node))?.focus();
}
var OTHER = { means: "something else", sign: "·", tone: "plain", lane: "partitions", weight: 0 };
function kindOf(name) {
  return Object.hasOwn(events_default, name) ? events_default[name] : OTHER;
}

// live.ts
function live(name, label, build2) {
  return ({ model, el: root }) => {
    const page = el("div", { class: `kl kl-${name}`, role: label && "region", "aria-label": label });
    const eye = Math.random().toString(36).slice(2);
    const hands = el("fieldset", { class: "kl-hands" }, page);
    const said = el("div", { class: "kl kl-standstill", "aria-live": "polite" });
    ownKeys(page);
    root.append(said, hands);
    let state = model.get("state");
    let drawn;
    let asked = false;
    let still = "";
    const standStill = (why, tone = "") => {
      still = why;
      hands.toggleAttribute("disabled", Boolean(why));
      page.classList.toggle("kl-still", Boolean(why));
      said.replaceChildren(...why ? [el("div", { class: `kl-notice ${tone}` }, why)] : []);
    };
    const silent = (since) => still || standStill(`No news from the kernel since ${clock.ofDay(since / 1e3)}: the picture stands still. It goes on by itself when the kernel answers. If the kernel was restarted, run this cell again.`, "kl-tone-bad");
    const ear = model.get("live") ? hearing((since) => {
      silent(since);
      asked = false;
      whole();
    }) : null;
    const ask = (message) => {
      try {
        model.send(message);
      } catch (error) {
        console.warn(error);
        silent(Date.now());
      }
    };
    const whole = () => {
      if (asked) return;
      asked = true;
      ask({ do: "whole", eye, n: state?.n ?? -1 });
    };
    const view = guard(page, () => build2(page, { model, ask }));
    const draw = () => {
      if (!state || state.n === void 0) return;
      showFault(page, state.fault);
      if (state.fault && Object.keys(state).length === 2) return;
      const before = drawn;
      drawn = state;
      guard(page, () => view?.draw(state, before));
    };
    const heard = {
      "msg:custom": (message) => {
        ear?.heard();
        if (message?.kept) ear?.end();
        if (still || message?.kept) standStill(message?.kept ?? "");
        if (message?.whole !== void 0) {
          asked = false;
          if (message.whole === null) return;
          state = message.whole;
          draw();
        } else if (message?.beat !== void 0) {
          asked = false;
          if (message.beat > (state?.n ?? -1)) whole();
        } else if (message?.patch) {
          if (message.n === state?.n + 1) {
            state = patched(state, message.patch);
            draw();
          } else if (message.n > (state?.n ?? -1)) {
            whole();
          }
        } else {
          guard(page, () => view?.heard?.(message));
        }
      },
      "change:state": () => {
        state = model.get("state");
        draw();
      },
      "change:presenter": () => page.classList.toggle("kl-presenter", Boolean(model.get("presenter")))
    };
    const listeners = Object.entries(heard).map(([event, fn]) => [event, (m) => guard(page, () => fn(m))]);
    for (const [event, listener] of listeners) model.on(event, listener);
    heard["change:presenter"]();
    draw();
    hearAll(model).catch(console.warn);
    if (model.get("live")) whole();
    return () => {
      ear?.end();
      for (const [event, listener] of listeners) model.off(event, listener);
      guard(page, () => view?.end?.());
      if (model.get("live")) ask({ do: "gone", eye });
    };
  };
}
var SILENCE = 5;
function hearing(silent) {
  let quiet = 0, since = Date.now(), next = SILENCE;
  const timer = setInterval(() => {
    if (++quiet < next) return;
    next *= 2;
    silent(since);
  }, 1e3);
  return {
    /** To be called for every message that arrives. */
    heard() {
      [quiet, since, next] = [0, Date.now(), SILENCE];
    },
    end: () => clearInterval(timer)
  };
}
async function hearAll(model) {
  const real = await model.widget_manager?.get_model?.(model.get("me"));
  if (!real?.comm || !real._handle_comm_msg) return;
  try {
    await real._handle_comm_msg({ content: { data: {} } });
  } catch {
    const handlers = [];
    for (let of = real; of; of = Object.getPrototypeOf(of)) if (Object.hasOwn(of, "_handle_comm_msg")) handlers.push(of._handle_comm_msg);
    const handle = handlers.at(-1);
    real.comm.on_msg((message) => handle.call(real, message));
    real.comm.send({ method: "request_state" });
  }
}
function patched(state, ops) {
  const root = [state];
  const own = /* @__PURE__ */ new Set([root]);
  const mine = (at, key) => {
    const was = at[key];
    if (own.has(was)) return was;
    const copy = Array.isArray(was) ? [...was] : { ...was };
    own.add(copy);
    put(at, key, copy);
    return copy;
  };
  for (const [kind, path, value] of ops) {
    const keys = [0, ...path], key = keys.pop(), at = keys.reduce(mine, root);
    if (kind === "set") put(at, key, value);
    else if (kind === "del") delete at[key];
    else if (kind === "cut") mine(at, key).splice(0, value);
    else if (kind === "end") mine(at, key).splice(value);
    else if (kind === "add") for (const element of value) mine(at, key).push(element);
    else throw new Error(`a patch with an unknown operation: ${kind}`);
  }
  return root[0];
}
function put(at, key, value) {
  if (key === "__proto__") Object.defineProperty(at, key, { value, writable: true, enumerable: true, configurable: true });
  else at[key] = value;
}

// cluster/panels.ts
var TOPICS_DRAWN = 8;
var SUMS = {
  leader: (n) => `leads ${n}`,
  follower: (n) => `follows ${n}`,
  behind: (n) => `${n} behind`,
  down: (n) => `${n} on a broker that is down`
};
function brokerCards(parent, hands) {
  const list = el("div", { class: "kl-brokers" });
  const more = el("p", { class: "kl-none" });
  const field = el("input", { class: "kl-select kl-find-field", type: "search", "aria-label": "find a partition", placeholder: "find a partition: orders 7" });
  const told = el("span", { class: "kl-none", role: "status" });
  const find = el("div", { class: "kl-find", role: "search", hidden: true }, field, told);
  parent.append(find, list, more);
  const keep = keeper(list, ({ broker }) => broker.id, ({ broker }) => card(broker.id, hands));
  let last;
  field.addEventListener("input", () => last && draw(last));
  function draw(now) {
    last = now;
    const { brokers, topics, looked } = now;
    find.hidden = !crowded(topics) && topics.length <= TOPICS_DRAWN;
    const query = find.hidden ? "" : field.value.trim();
    const shown = query ? found(topics, query) : topics;
    const many = crowded(shown);
    const racks = new Set(brokers.map((b) => b.rack).filter(Boolean));
    keep(brokers.map((broker) => ({ broker, topics: many ? shown : shown.slice(0, TOPICS_DRAWN), many, looked, racks: racks.size > 0 })));
    const size = (all) => count(all.reduce((sum, { topic }) => sum + topic.partitions.length, 0));
    told.textContent = query ? `${size(shown)} of ${size(topics)} partitions` : many ? `${size(topics)} partitions in ${topics.length} topics` : "";
    const hidden = many ? 0 : shown.length - TOPICS_DRAWN;
    more.textContent = hidden > 0 ? `${hidden} more topics are not drawn here: choose one above.` : "";
    more.hidden = hidden <= 0;
  }
  return draw;
}
function card(id, hands) {
  const head = el("header", { class: "kl-head" });
  const row = el("div", { class: "kl-row" });
  const held2 = el("div", { class: "kl-held-here" });
  const sums = el("ul", { class: "kl-sums", "aria-label": `replicas on broker ${id}` });
  const none = el("p", { class: "kl-none" });
  const node = el("section", { "data-broker": id }, head, row, sums, held2, none);
  const keep = keeper(held2, ({ name }) => name, ({ name }) => topicOnBroker(name, id));
  const isNews = news();
  return {
    node,
    draw({ broker, topics, many, looked, racks }) {
      if (isNews(broker, busyWith(broker.node, hands), racks, hands.live)) drawHead(broker, racks);
      const mine = topics.filter(({ topic }) => topic.partitions.some((p) => p.replicas.some(([b]) => b === id)));
      keep(many ? [] : mine);
      sums.hidden = !many;
      if (many) sums.replaceChildren(...heldBy(mine, id).map(([what, n]) => el("li", { class: `kl-sum-${what}` }, sign(what), el("span", {}, SUMS[what](count(n))))));
      none.textContent = mine.length || !looked ? "" : topics.length ? "none of these topics" : "no topics yet";
      none.hidden = !none.textContent;
    }
  };
  function drawHead(broker, racks) {
    const state = broker.alive === null ? "unknown" : broker.alive ? "up" : "down";
    const process = broker.node?.state;
    node.className = `kl-broker kl-is-${state} ${process === "paused" || process === "cut" ? `kl-is-${process}` : ""}`;
    node.setAttribute("aria-label", [`Broker ${id}`, broker.standing, broker.controller && "controller"].filter(Boolean).join(", "));
    refill(head, [
      process === "cut" ? cutSign() : null,
      el("span", { class: "kl-dot", "aria-hidden": "true" }),
      el("h3", {}, `Broker ${id}`),
      racks ? el("span", { class: "kl-rack", title: "Replicas of a partition are put into different racks, where there are enough." }, broker.rack ? `rack ${shorten(broker.rack, 16)}` : "no rack") : null,
      broker.controller ? el("span", { class: "kl-badge", title: "The controller: it elects the leaders of partitions and keeps the ISRs." }, "controller") : null
    ]);
    refill(row, [
      buttons(broker.node, `broker ${id}`, hands),
      el("span", { class: "kl-standing", title: broker.address || null }, orDoing(broker.node, hands, broker.standing))
    ]);
  }
}
function topicOnBroker(name, id) {
  const title = el("div", { class: "kl-topic-name", title: shorten(name, 300) });
  const list = el("ul", { class: "kl-chips", "aria-label": `${shorten(name, 32)} on broker ${id}` });
  const node = el("div", { class: "kl-topic" }, title, list);
  const keep = keeper(list, ({ partition }) => partition.partition, ({ partition }) => chip(name, partition.partition, id));
  const isNews = news();
  return {
    node,
    draw({ topic }) {
      if (!isNews(topic.partitions, topic.replication)) return;
      title.replaceChildren(el("bdi", {}, shorten(name, 32)), " ", el("span", { class: "kl-rf" }, `· RF ${topic.replication}`));
      const mine = topic.partitions.flatMap((partition) => partition.replicas.filter(([b]) => b === id).map(([, what, behind]) => ({ partition, what, behind })));
      list.classList.toggle("kl-dense", mine.length > 24);
      keep(mine);
    }
  };
}
var DOING = { stop: "stopping", kill: "killing", pause: "pausing", resume: "resuming", start: "starting", cut: "cutting off", join: "joining" };
var SAID = { cut: "off the network", join: "to the network again" };
function busyWith(node, hands) {
  return node?.busy ?? hands.pending[node?.name ?? ""];
}
function buttons(node, noun, hands) {
  if (!node || !node.verbs.length || !hands.live) return null;
  const busy = busyWith(node, hands);
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
        // Not `disabled`, because that would take away the keyboard's focus, and with it the learner's place.
        "aria-disabled": busy ? "true" : null,
        title: SIGNAL[verb],
        onclick: () => busyWith(node, hands) || hands.act(node.name, verb)
      },
      verb
    ))
  );
}
function orDoing(node, hands, otherwise) {
  const busy = busyWith(node, hands);
  return busy ? el("i", { class: "kl-busy" }, `${DOING[busy]}…`) : otherwise;
}
function quorumPanel(quorum, hands) {
  if (!quorum) return [];
  const about = quorum.kind === "ZooKeeper" ? "ZooKeeper keeps the cluster's metadata: which brokers live, who the controller is, what is configured." : "KRaft: the controllers keep the cluster's metadata themselves, in a log that the active one writes.";
  const nodes = Object.values(quorum.nodes);
  const watching = nodes.filter((node) => node.role === "observer");
  const voting = nodes.filter((node) => node.role !== "observer");
  return [
    el("span", { class: "kl-title", title: about }, quorum.kind, quorum.epoch === null ? "" : ` · epoch ${quorum.epoch}`),
    el("ul", { class: "kl-quorum-nodes", "aria-label": quorum.kind === "KRaft" ? "voters" : "servers" }, voting.map((node) => quorumNode(quorum, node, hands))),
    watching.length ? [
      el("span", { class: "kl-title", title: "Brokers read the metadata log without a vote." }, "observers"),
      el("ul", { class: "kl-quorum-nodes", "aria-label": "observers" }, watching.map((node) => quorumNode(quorum, node, hands)))
    ] : null,
    voting.some((node) => node.combined) ? el("span", { class: "kl-soft kl-aside" }, "each in the process of its broker") : null
  ];
}
function quorumNode(quorum, node, hands) {
  const leads = node.role === "leader" || node.role === "standalone";
  const what = node.alive === false ? "down" : leads ? "leader" : node.role ? "follower" : "behind";
  return el(
    "li",
    { class: `kl-quorum-node kl-${what}`, "data-quorum": node.id },
    sign(what),
    el("b", {}, node.id),
    node.node?.state === "cut" ? cutSign() : null,
    orDoing(node.node, hands, node.said),
    buttons(node.node, `${quorum.noun} ${node.id}`, hands)
  );
}
var RINGED_MS = 2600;
var MEANS = {
  leader: "leader",
  follower: "follower in the ISR",
  behind: "replica out of the ISR, and by how much",
  down: "on a broker that is down"
};
function sign(what) {
  const shapes = {
    leader: () => el("path", { d: "M1.2 10 .8 3.4 3.7 5.9 6 1.6l2.3 4.3 2.9-2.5-.4 6.6z", fill: "currentColor" }),
    follower: () => el("circle", { cx: 6, cy: 6, r: 3.2, fill: "currentColor" }),
    behind: () => el("circle", { cx: 6, cy: 6, r: 3.8, fill: "none", stroke: "currentColor", "stroke-width": 1.6, "stroke-dasharray": "2.4 1.6" }),
    down: () => el("path", { d: "M2.5 2.5l7 7m0-7l-7 7", fill: "none", stroke: "currentColor", "stroke-width": 2, "stroke-linecap": "round" })
  };
  return el("svg", { class: "kl-icon", viewBox: "0 0 12 12", "aria-hidden": "true" }, shapes[what]());
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
function meanings() {
  return Object.entries(MEANS).map(([what, meaning]) => {
    const style = { "--kl-c": "var(--kl-soft)", "--kl-on": "var(--kl-bg)" };
    return [el("span", { class: `kl-chip kl-${what}`, style }, sign(what)), meaning];
  });
}
function chip(topic, p, broker) {
  const icon = el("span", { class: "kl-what" });
  const late = el("small", { class: "kl-late" });
  const said = el("span", { class: "kl-hidden" });
  const node = el(
    "li",
    { "data-chip": `${topic}/${p}/${broker}`, style: { "--kl-c": partitionColour(p), "--kl-on": partitionInk(p) } },
    icon,
    el("span", { class: "kl-p" }, `P${p}`),
    late,
    said
  );
  const isNews = news();
  let was;
  let most = 0;
  let timer;
  function draw({ partition, what, behind }) {
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
    node.title = `${shorten(topic, 80)} partition ${p} on broker ${broker}: ${meaning}
${leader} · in sync: ${isr} · replicas: ${replicas}`;
  }
  return { node, draw };
}
var ROWS = 40;
var MEMBERS = 16;
function topicTable(parent, choose) {
  const head = ["Topic", "Partitions", "RF", "Records", "State"];
  const body = el("tbody");
  const table = el(
    "table",
    { class: "kl-table" },
    el("caption", { class: "kl-title" }, "Topics"),
    el("thead", {}, el("tr", {}, head.map((word, i) => el("th", { scope: "col", class: i > 0 && i < 4 ? "kl-number" : null }, word)))),
    body
  );
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
function topicRow(name, choose) {
  const node = el("tr", { "data-topic": name });
  const isNews = news();
  return {
    node,
    draw({ topic, pressed }) {
      if (!isNews(topic, pressed)) return;
      const { lone, short } = topic;
      const records = topic.records === null ? "–" : `${topic.unknown ? "≥ " : ""}${count(topic.records)}`;
      refill(node, [
        el(
          "th",
          { scope: "row" },
          el("button", {
            type: "button",
            class: "kl-pick",
            "data-key": `pick:${name}`,
            "aria-pressed": pressed ? "true" : "false",
            title: pressed ? "show all topics again" : `show only ${shorten(name, 300)}`,
            onclick: () => choose(pressed ? "" : name)
          }, el("bdi", {}, shorten(name, 30)))
        ),
        el("td", { class: "kl-number" }, topic.partitions.length),
        el("td", { class: "kl-number" }, topic.replication),
        el("td", { class: "kl-number", "data-records": topic.records ?? "", title: topic.unknown ? "Some partitions have no leader that could be asked." : null }, records),
        el(
          "td",
          {},
          lone ? el("span", { class: "kl-bad", title: "Neither read nor written, until a replica that was in sync is back." }, `✕ no leader: ${lone} `) : null,
          short ? el("span", { class: "kl-warn", title: "Fewer replicas in sync than there should be." }, `◌ under-replicated: ${short}`) : null,
          !lone && !short ? el("span", { class: "kl-soft" }, "all replicas in sync") : null
        )
      ]);
    }
  };
}
function groupPanels(parent) {
  const none = el("p", { class: "kl-none" }, "no consumer groups");
  const list = el("div");
  parent.append(el("h4", { class: "kl-title" }, "Consumer groups"), list, none);
  const keep = keeper(list, ({ id }) => id, ({ id }) => groupPanel(id));
  return (groups) => {
    keep(groups);
    none.hidden = groups.length > 0;
  };
}
function groupPanel(id) {
  const node = el("section", { class: "kl-consumers", "data-group": id, "aria-label": `consumer group ${shorten(id)}` });
  const isNews = news();
  return {
    node,
    draw({ group }) {
      if (!isNews(group)) return;
      const several = new Set(holdings(group).map((h) => h.topic)).size > 1;
      const members = Object.entries(group.members).sort(([a, m], [b, n]) => byName(m.name, n.name) || byName(a, b)).map(([, member]) => member);
      const idle = members.filter((m) => !m.holds.length).length;
      refill(node, [
        el(
          "header",
          { class: "kl-consumers-head" },
          el("h4", { title: shorten(id, 300) }, el("bdi", {}, shorten(id))),
          el("span", { class: "kl-soft" }, shorten(group.about, 90)),
          group.lag === null ? null : el("span", { class: `kl-pill ${group.lag ? "kl-lags" : ""}`, title: "Records in its partitions that it has not committed." }, `lag ${count(group.lag)}`)
        ),
        el(
          "ul",
          { class: "kl-members", "aria-label": "members" },
          members.slice(0, MEMBERS).map((member) => memberRow(member, several)),
          members.length > MEMBERS ? el("li", { class: "kl-none" }, `${members.length - MEMBERS} more members, ${idle} of all standing by`) : null,
          !members.length || group.unheld.length ? el(
            "li",
            { class: "kl-member kl-idle", title: group.unheld.length ? "Committed before, and held by no member now." : null },
            el("span", { class: "kl-client" }, members.length ? "held by nobody" : "no members"),
            held(group.unheld, several)
          ) : null
        )
      ]);
    }
  };
}
function memberRow(member, several) {
  return el(
    "li",
    { class: `kl-member ${member.holds.length ? "" : "kl-idle"}`, title: shorten(`${member.client} at ${member.host}`, 300) },
    el("span", { class: "kl-client" }, el("bdi", {}, member.name)),
    member.holds.length ? held(member.holds, several) : el("span", { class: "kl-soft" }, "standing by")
  );
}
function held(holds, several) {
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
var byName = (a, b) => a < b ? -1 : a > b ? 1 : 0;
function topicsOf(state) {
  return Object.entries(state.topics).map(([name, topic]) => ({ name, topic })).sort((a, b) => Number(a.topic.internal) - Number(b.topic.internal) || byName(a.name, b.name));
}
function groupsOf(state, topic) {
  return Object.entries(state.groups).map(([id, group]) => ({ id, group })).filter(({ group }) => !topic || holdings(group).some((hold) => hold.topic === topic)).sort((a, b) => byName(a.id, b.id));
}
function holdings(group) {
  return [...Object.values(group.members).flatMap((m) => m.holds), ...group.unheld];
}
var CHIPS = 60;
function heldBy(topics, id) {
  const sums = { leader: 0, follower: 0, behind: 0, down: 0 };
  for (const { topic } of topics) for (const p of topic.partitions) for (const [broker, what] of p.replicas) if (broker === id) sums[what]++;
  return Object.entries(sums).filter(([, n]) => n);
}
function crowded(topics) {
  const held2 = /* @__PURE__ */ new Map();
  for (const { topic } of topics) for (const p of topic.partitions) for (const [broker] of p.replicas) held2.set(broker, (held2.get(broker) ?? 0) + 1);
  return Math.max(0, ...held2.values()) > CHIPS;
}
function found(topics, query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (name, p) => words.every((word) => /^p?\d+$/.test(word) ? Number(word.replace("p", "")) === p : name.includes(word) || `${name}-${p}` === word);
  return topics.map(({ name, topic }) => {
    const partitions = topic.partitions.filter((p) => fits(name.toLowerCase(), p.partition));
    return { name, topic: { ...topic, partitions } };
  }).filter(({ topic }) => topic.partitions.length);
}
function crownsMoved(led, state, before) {
  const moved = [];
  for (const [name, topic] of Object.entries(state.topics)) {
    const was = before && Object.hasOwn(before.topics, name) ? before.topics[name] : null;
    if (was?.partitions === topic.partitions) continue;
    for (const p of topic.partitions) {
      const key = `${name}/${p.partition}`;
      const from = led.get(key);
      if (p.leader === null) continue;
      led.set(key, p.leader);
      if (from !== void 0 && from !== p.leader) moved.push({ key, partition: p.partition, from, to: p.leader });
    }
  }
  return moved;
}

// cluster/view.ts
function build(page, { model, ask }) {
  const part = Object.fromEntries(["bar", "trouble", "hall", "quorum", "topics", "groups", "problems"].map((name) => [name, el("div", { class: `kl-${name}` })]));
  for (const name of ["quorum", "topics", "groups"]) part[name].classList.add("kl-panel");
  const spoken = el("p", { class: "kl-hidden" });
  const events = eventList();
  const choice = { topic: model.get("topic") ?? "", internal: false };
  let state;
  const hands = {
    live: Boolean(model.get("live")),
    pending: {},
    act(node, verb) {
      hands.pending[node] = verb;
      drawAll();
      ask({ do: "act", node, verb });
    }
  };
  page.append(
    spoken,
    part.bar,
    part.trouble,
    el(
      "div",
      { class: "kl-main" },
      el("div", { class: "kl-left" }, part.hall, part.quorum),
      el("div", { class: "kl-events kl-panel" }, events.nodes)
    ),
    el("div", { class: "kl-below" }, part.topics, part.groups),
    part.problems,
    legend(meanings())
  );
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
    const brokers = Object.values(state.brokers);
    page.classList.toggle("kl-stale", Boolean(state.error));
    page.classList.toggle("kl-alone", groups.length === 0);
    page.classList.toggle("kl-many", brokers.length > 3);
    if (isNews.spoken(state.summary)) spoken.textContent = state.summary;
    const names = offered.map(({ name }) => name);
    const head = [state.name, state.kafka, state.label, current(), state.up, state.at, Boolean(state.error), choice, names, all.length];
    if (isNews.bar(JSON.stringify(head))) refill(part.bar, bar(offered, all));
    if (isNews.trouble(state.error)) refill(part.trouble, trouble(state.error));
    drawBrokers({ brokers, topics, looked: state.looked });
    if (isNews.quorum(state.quorum, JSON.stringify(hands.pending))) refill(part.quorum, quorumPanel(state.quorum, hands));
    part.quorum.hidden = !state.quorum;
    drawTopics({ topics, chosen: choice.topic });
    drawGroups(groups);
    if (isNews.problems(state.problems)) refill(part.problems, problems(state.problems));
    events.show(state.events);
  }
  function choose(change) {
    Object.assign(choice, change);
    drawAll();
  }
  function current() {
    return hands.live && !state.at;
  }
  function bar(offered, all) {
    const internal = all.filter(({ topic }) => topic.internal).length;
    return [
      el("strong", { class: "kl-name" }, el("bdi", {}, shorten(state.name || "cluster"))),
      [state.kafka, state.label, state.up].filter(Boolean).map((words) => el("span", { class: "kl-pill" }, shorten(words, 60))),
      el("span", { class: "kl-grow" }),
      el(
        "label",
        { class: "kl-choice" },
        el("span", { class: "kl-hidden" }, "topics shown"),
        el(
          "select",
          { class: "kl-select", "data-key": "topic", onchange: ({ target }) => guard(page, () => choose({ topic: target.value })) },
          el("option", { value: "", selected: !choice.topic }, offered.length === 1 ? "1 topic" : `all ${offered.length} topics`),
          offered.map(({ name }) => el("option", { value: name, selected: name === choice.topic }, shorten(name)))
        )
      ),
      internal ? el(
        "label",
        { class: "kl-choice", title: "Topics in which Kafka keeps its own books, such as the groups' committed offsets." },
        el("input", { type: "checkbox", "data-key": "internal", checked: choice.internal, onchange: ({ target }) => guard(page, () => choose({ internal: target.checked })) }),
        ` internal (${internal})`
      ) : null,
      el(
        "span",
        { class: `kl-live ${current() && !state.error ? "kl-on" : ""}` },
        el("span", { class: "kl-dot", "aria-hidden": "true" }),
        state.error ? "not answering" : current() ? "live" : state.at ? `a moment, ${clock.ofDay(state.at)}` : "a moment"
      )
    ];
  }
  const chosen = () => guard(page, () => choose({ topic: model.get("topic") }));
  model.on("change:topic", chosen);
  return {
    draw(now, before) {
      state = now;
      drawAll();
      crown(state, before);
    },
    heard(message) {
      if (message?.did !== "act") return;
      delete hands.pending[message.node];
      drawAll();
    },
    end() {
      model.off("change:topic", chosen);
    }
  };
}
function problems(sentences) {
  if (!sentences.length) return [];
  const list = el("ul", {}, sentences.slice(0, 20).map((sentence) => el("li", {}, shorten(sentence, 300))));
  if (sentences.length <= 2) return el("div", { class: "kl-notice" }, list);
  return el("details", { class: "kl-notice" }, el("summary", {}, `${sentences.length} things could not be learned`), list);
}
function eventList() {
  const empty = el("p", { class: "kl-none" }, "Nothing yet. What you do to a node, and what Kafka makes of it, will be listed here.");
  const list = el("ol");
  const box = el("div", { class: "kl-event-list", role: "log", "aria-live": "polite", "aria-label": "what happened", tabindex: "0" }, list);
  const keep = keeper(list, (event) => event.n, (event) => ({ node: line(event), draw() {
  } }));
  const isNews = news();
  function show(events) {
    if (!events || !isNews(events)) return;
    empty.hidden = events.length > 0;
    follow(box, !list.firstChild, () => keep(events));
  }
  return { nodes: [el("h4", { class: "kl-title", title: "kafkalab reads the cluster every half second, so it sees what the cluster does by itself a moment later." }, "What happened · seen at"), empty, box], show };
}
function line(event) {
  const { sign: sign2, tone } = kindOf(event.kind);
  const when = event.since === null ? clock.ofDay(event.at) : clock.since(event.since);
  return el(
    "li",
    { class: `kl-event kl-tone-${tone}`, "data-kind": event.kind, "data-n": event.n },
    el("time", { class: "kl-mono", title: `first seen at ${clock.ofDay(event.at)}` }, when),
    el("span", { class: "kl-mark", "aria-hidden": "true" }, sign2),
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
function errorLines(text) {
  const [first, ...rest] = text.split("\n").slice(0, 6).map((part) => shorten(part, 260));
  return [el("b", {}, first), rest.map((part) => el("span", { class: "kl-error-line" }, part))];
}
var FLIGHT_MS = 600;
var FLIGHTS = 60;
function crowns(page) {
  const led = /* @__PURE__ */ new Map();
  return (state, before) => {
    const moved = crownsMoved(led, state, before).slice(0, FLIGHTS);
    if (!moved.length || reducedMotion()) return;
    const chips = new Map([...page.querySelectorAll("[data-chip]")].map((node) => [node.getAttribute("data-chip"), node]));
    const origin = page.getBoundingClientRect();
    const flights = moved.map(({ key, partition, from, to }) => ({ partition, from: chips.get(`${key}/${from}`)?.getBoundingClientRect(), to: chips.get(`${key}/${to}`)?.getBoundingClientRect() }));
    for (const { partition, from, to } of flights) if (from?.width && to?.width) fly(page, origin, from, to, partition);
  };
}
function fly(page, origin, from, to, partition) {
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
      { transform: `translate(${x / 2}px, ${y / 2 - 22}px) scale(1.9)`, opacity: 1, offset: 0.5 },
      { transform: `translate(${x}px, ${y}px) scale(1)`, opacity: 1 }
    ],
    { duration: FLIGHT_MS, easing: "cubic-bezier(.4, 0, .2, 1)" }
  ).finished.then(() => crown.remove(), () => crown.remove());
}
var view_default = { render: live("cluster", "Kafka cluster", build) };
export {
  view_default as default
};
