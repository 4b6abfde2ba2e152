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

// shared.js
var SVG = /* @__PURE__ */ new Set(["svg", "g", "path", "line", "rect", "circle", "ellipse", "polyline", "polygon", "text", "tspan", "title", "defs", "pattern"]);
function el(tag, attrs = {}, ...children) {
  let node = SVG.has(tag) ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  for (let [name, value] of Object.entries(attrs ?? {}))
    if (!(value === !1 || value === null || value === void 0))
      if (name.startsWith("on")) {
        if (typeof value != "function") throw new TypeError(`${name} of <${tag}> must be a function`);
        node.addEventListener(name.slice(2).toLowerCase(), value);
      } else if (name === "style" && typeof value == "object")
        for (let [property, setting] of Object.entries(value)) node.style.setProperty(property, setting);
      else
        node.setAttribute(name, value === !0 ? "" : String(value));
  return node.append(...children.flat(1 / 0).filter((c) => c != null && c !== !1 && c !== "").map((c) => c instanceof Node ? c : String(c))), /** @type {any} */
  node;
}
function scaleOf(node) {
  return Number(getComputedStyle(node).getPropertyValue("--kl-scale")) || 1;
}
function guard(root, fn) {
  try {
    let result = fn();
    return result instanceof Promise ? (
      /** @type {any} */
      result.catch((error) => showError(root, error))
    ) : result;
  } catch (error) {
    showError(root, error);
    return;
  }
}
function showError(root, error) {
  console.error(error);
  let message = error instanceof Error ? error.message : String(error), shown2 = [...root.querySelectorAll(":scope > .kl-error")];
  if (shown2.length >= 3 || shown2.some((node) => node.getAttribute("data-message") === message)) return;
  let details = error instanceof Error && error.stack ? el("details", {}, el("summary", {}, "details"), el("pre", {}, error.stack)) : null;
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
  page.setAttribute("data-lm-suppress-shortcuts", "true"), page.addEventListener("keydown", (event) => {
    !event.ctrlKey && !event.metaKey && !event.altKey && event.stopPropagation();
  });
}
function showFault(root, text) {
  let shown2 = root.querySelector(":scope > .kl-fault");
  if (!text) return shown2?.remove();
  shown2?.getAttribute("data-text") !== text && (shown2?.remove(), root.append(el("div", { class: "kl-error kl-fault", role: "alert", "data-text": text }, shorten(text, 600))));
}
function legend(signs) {
  return el(
    "ul",
    { class: "kl-legend", "aria-label": "legend" },
    signs.map(([sign, meaning]) => el("li", {}, el("span", { class: "kl-sign", "aria-hidden": "true" }, sign), " ", meaning))
  );
}
var two = (n) => String(n).padStart(2, "0"), clock = {
  /** Formats a number of seconds since something: "+3.12 s", "+2:05 min", "−0.40 s". @param {number} seconds */
  since(seconds) {
    let sign = seconds <= -5e-3 ? "−" : "+", size = Math.abs(seconds);
    return size < 99.995 ? `${sign}${size.toFixed(2)} s` : `${sign}${clock.long(Math.round(size))}`;
  },
  /** Formats whole seconds, from a minute on: "2:05 min", "1:04 h". @param {number} whole */
  long(whole2) {
    let [of, unit] = whole2 < 3600 ? [60, "min"] : [3600, "h"];
    return `${Math.floor(whole2 / of)}:${two(Math.floor(whole2 % of / (of / 60)))} ${unit}`;
  },
  /** Formats Unix seconds as the local time of day: "14:02:09", with three digits "14:02:09.120". @param {number} at */
  ofDay(at, digits = 0) {
    let d = new Date(Math.round(at * 1e3)), fraction = digits ? `.${String(d.getMilliseconds()).padStart(3, "0").slice(0, digits)}` : "";
    return [d.getHours(), d.getMinutes(), d.getSeconds()].map(two).join(":") + fraction;
  }
};
function count(n) {
  return String(n).replace(/\B(?=(\d{3})+(?!\d))/g, " ");
}
function shorten(text, limit = 40) {
  let plain = String(text).replace(/[\t\n\r\v\f]+/g, " ").replace(/[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g, "�"), letters = Array.from(plain);
  return letters.length <= limit ? plain : `${letters.slice(0, limit - 9).join("")}…${letters.slice(-8).join("")}`;
}
function emphasised(text) {
  return text.split(/([\w,]+ → [\w,]+)/).map((part, i) => i % 2 ? el("b", {}, part) : part);
}
function changed(now, before, ...names) {
  return !before || names.some((name) => now[name] !== before[name]);
}
function walked(key, at, last) {
  let to = { ArrowDown: at + 1, ArrowRight: at + 1, ArrowUp: at - 1, ArrowLeft: at - 1, PageDown: at + 8, PageUp: at - 8, Home: 0, End: last }[key];
  return to === void 0 ? void 0 : Math.max(0, Math.min(last, to));
}
var OTHER = { means: "something else", sign: "·", tone: "plain", lane: "partitions", weight: 0 };
function kindOf(name) {
  return Object.hasOwn(events_default, name) ? (
    /** @type {Record<string, Kind>} */
    events_default[name]
  ) : OTHER;
}

// live.js
function live(name, label, build) {
  return ({ model, el: root }) => {
    let page = el("div", { class: `kl kl-${name}`, role: label && "region", "aria-label": label }), eye = Math.random().toString(36).slice(2), hands = el("fieldset", { class: "kl-hands" }, page), said2 = el("div", { class: "kl kl-standstill", "aria-live": "polite" });
    ownKeys(page), root.append(said2, hands);
    let state = model.get("state"), drawn, asked = !1, still = "", standStill = (why, tone = "") => {
      still = why, hands.toggleAttribute("disabled", !!why), page.classList.toggle("kl-still", !!why), said2.replaceChildren(...why ? [el("div", { class: `kl-notice ${tone}` }, why)] : []);
    }, silent = (since) => still || standStill(`No news from the kernel since ${clock.ofDay(since / 1e3)}: the picture stands still. It goes on by itself when the kernel answers. If the kernel was restarted, run this cell again.`, "kl-tone-bad"), ear = model.get("live") ? hearing((since) => {
      silent(since), asked = !1, whole2();
    }) : null, ask = (message) => {
      try {
        model.send(message);
      } catch (error) {
        console.warn(error), silent(Date.now());
      }
    }, whole2 = () => {
      asked || (asked = !0, ask({ do: "whole", eye, n: state?.n ?? -1 }));
    }, view = guard(page, () => build(page, { model, ask })), draw = () => {
      if (!state || state.n === void 0) return;
      let before = drawn;
      drawn = state, showFault(page, state.fault), guard(page, () => view?.draw(state, before));
    }, heard = {
      "msg:custom": (message) => {
        if (ear?.heard(), message?.kept && ear?.end(), (still || message?.kept) && standStill(message?.kept ?? ""), message?.whole !== void 0) {
          if (asked = !1, message.whole === null) return;
          state = message.whole, draw();
        } else message?.beat !== void 0 ? (asked = !1, message.beat > (state?.n ?? -1) && whole2()) : message?.patch ? message.n === state?.n + 1 ? (state = patched(state, message.patch), draw()) : message.n > (state?.n ?? -1) && whole2() : guard(page, () => view?.heard?.(message));
      },
      "change:state": () => {
        state = model.get("state"), draw();
      },
      "change:presenter": () => page.classList.toggle("kl-presenter", !!model.get("presenter"))
    }, listeners = Object.entries(heard).map(([event, fn]) => [event, (m) => guard(page, () => fn(m))]);
    for (let [event, listener] of listeners) model.on(event, listener);
    return heard["change:presenter"](), draw(), hearAll(model).catch(console.warn), model.get("live") && whole2(), () => {
      ear?.end();
      for (let [event, listener] of listeners) model.off(event, listener);
      guard(page, () => view?.end?.()), model.get("live") && ask({ do: "gone", eye });
    };
  };
}
var SILENCE = 5;
function hearing(silent) {
  let quiet = 0, since = Date.now(), next = SILENCE, timer = setInterval(() => {
    ++quiet < next || (next *= 2, silent(since));
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
  let real = await model.widget_manager?.get_model?.(model.get("me"));
  if (!(!real?.comm || !real._handle_comm_msg))
    try {
      await real._handle_comm_msg({ content: { data: {} } });
    } catch {
      let handlers = [];
      for (let of = real; of; of = Object.getPrototypeOf(of)) Object.hasOwn(of, "_handle_comm_msg") && handlers.push(of._handle_comm_msg);
      let handle = handlers.at(-1);
      real.comm.on_msg((message) => handle.call(real, message)), real.comm.send({ method: "request_state" });
    }
}
function patched(state, ops) {
  return ops.reduce((at, op) => change(at, op[1], op), state);
}
function change(at, path, op) {
  let [kind, , value] = op;
  if (path.length === 0) {
    if (kind === "set") return value;
    if (kind === "cut") return at.slice(value);
    if (kind === "end") return at.slice(0, value);
    if (kind === "add") return [...at, ...value];
    throw new Error(`a patch with an unknown operation: ${kind}`);
  }
  let [key, ...rest] = path;
  if (Array.isArray(at)) return at.map((element, i) => i === key ? change(element, rest, op) : element);
  let gone = kind === "del" && rest.length === 0, entries = Object.entries(at).filter(([name]) => name !== key);
  if (gone) return Object.fromEntries(entries);
  let inner = Object.hasOwn(at, key) ? at[key] : void 0, next = change(inner, rest, op);
  return Object.hasOwn(at, key) ? Object.fromEntries(Object.entries(at).map(([name, was]) => [name, name === key ? next : was])) : Object.fromEntries([...entries, [key, next]]);
}

// axis.js
var CLOCK = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 21600, 43200, 86400];
function timeStep(least) {
  return CLOCK.find((step) => step >= least) ?? Math.ceil(least / 86400) * 86400;
}
function ticks(from, to, step) {
  let first = Math.ceil(from / step - 1e-9), last = Math.floor(to / step + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

// timeline/moments.js
var NEAR = 5e-4;
function lastBy(list, at, time) {
  let low = 0, high = list.length;
  for (; low < high; ) {
    let middle = low + high >> 1;
    time(list[middle]) <= at + NEAR ? low = middle + 1 : high = middle;
  }
  return low - 1;
}
function current(events, at) {
  return lastBy(events, at, (e) => e.at);
}
function stops(state) {
  return [.../* @__PURE__ */ new Set([...state.events.map((e) => e.at), ...state.named.map((n) => n.at)])].sort((a, b) => a - b);
}
function neighbour(moments, at, way) {
  let i = lastBy(moments, at, (moment2) => moment2);
  if (way > 0) return moments[i + 1] ?? null;
  for (; i >= 0 && moments[i] > at - NEAR; ) i--;
  return moments[i] ?? null;
}
function stepAt(rows, at) {
  return rows[lastBy(rows, at, (row) => row[0])];
}
function acted(events, at) {
  for (let i = current(events, at); i >= 0; i--) if (events[i].kind === "you") return events[i];
}
function moment(seconds, digits = 1) {
  let tens = 10 ** digits, whole2 = Math.floor(Math.max(0, seconds) * tens + 1e-6), s = Math.floor(whole2 / tens), fraction = digits ? `.${String(whole2 % tens).padStart(digits, "0")}` : "", hours = Math.floor(s / 3600), minutes = Math.floor(s % 3600 / 60);
  return `${hours ? `${hours}:${two(minutes)}` : minutes}:${two(s % 60)}${fraction}`;
}
function stretch(seconds) {
  return seconds < 60 ? `${seconds.toFixed(1)} s` : clock.long(Math.round(seconds));
}
function times(speed) {
  return `×${speed}`;
}
function brokersUp(steps, at) {
  let row = stepAt(steps.brokers, at);
  if (!row) return { text: "not read yet", down: !1, known: !1 };
  let [, up, of] = row;
  return { text: `${up} of ${of} broker${of === 1 ? "" : "s"} up`, down: up < of, known: !0 };
}
function wrong(steps, at) {
  let down = stepAt(steps.brokers, at)?.[3] ?? [], leaderless = stepAt(steps.leaderless, at)?.[1] ?? 0, short = stepAt(steps.short, at)?.[1] ?? 0, partitions = (n) => `${count(n)} partition${n === 1 ? "" : "s"}`;
  return [
    down.length ? `broker${down.length === 1 ? "" : "s"} ${down.join(", ")} ${down.length === 1 ? "is" : "are"} down` : "",
    leaderless ? `${partitions(leaderless)} without a leader` : "",
    short ? `${partitions(short)} under-replicated` : ""
  ].filter(Boolean).join(", ");
}
function said(state) {
  let at = state.live ? `live, ${spoken(state.at)}` : spoken(state.at), problem = wrong(state.steps, state.at) || (state.steps.brokers.length ? "all brokers are up" : ""), event = state.events[current(state.events, state.at)], name = state.named.find((n) => Math.abs(n.at - state.at) < NEAR);
  return [at, problem].filter(Boolean).join(", ") + (name ? `; named ${shorten(name.name, 80)}` : "") + (event ? `; last: ${shorten(event.text, 200)}` : "");
}
function spoken(seconds) {
  if (seconds < 60) return `${seconds.toFixed(1)} seconds`;
  let minutes = Math.floor(seconds / 60);
  return `${minutes} minute${minutes === 1 ? "" : "s"} ${(seconds - minutes * 60).toFixed(1)} seconds`;
}
function sentence(event) {
  let since = event.since === null || event.kind === "you" ? "" : ` (${clock.since(event.since)})`;
  return `${moment(event.at)}${since} ${shorten(event.text, 260)}`;
}
var ROOMY = [5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 240, 300, 420, 600, 900, 1200, 1800, 2700, 3600], SHORTEST = 2, SPANS = [[null, "whole"], [1800, "30 min"], [600, "10 min"], [60, "1 min"], [10, "10 s"]];
function whole(seconds, going) {
  if (!going) return Math.max(seconds, 1);
  let wanted = seconds * 1.04;
  return ROOMY.find((n) => n >= wanted) ?? Math.ceil(wanted / 1800) * 1800;
}
function shown(zoom, { at, seconds, going, live: live2 }) {
  let all = whole(seconds, going);
  if (zoom.span === null || zoom.span >= all) return { from: 0, to: all };
  let { span } = zoom, end = zoom.end;
  return live2 ? end = at <= end && at > end - span ? end : at + span / 10 : at > end ? end = at + span / 4 : at < end - span && (end = at + span * 3 / 4), end = Math.min(Math.max(end, span), Math.max(all, span)), { from: end - span, to: end };
}
function zoomed(zoom, factor, at, now, all) {
  let span = Math.max(SHORTEST, (zoom.span ?? all) * factor);
  if (span >= all) return { span: null, end: all };
  let share = (at - now.from) / (now.to - now.from);
  return { span, end: at + span * (1 - Math.min(1, Math.max(0, share))) };
}
function place(now, at) {
  return (at - now.from) / (now.to - now.from);
}
function momentAt(now, share, seconds) {
  return Math.min(seconds, Math.max(0, now.from + share * (now.to - now.from)));
}
function axis({ from, to }, width, room2) {
  let step = timeStep((to - from) * room2 / Math.max(1, width));
  return { step, at: ticks(from, to, step) };
}
var room = (count2) => count2 > 9 ? 28 : count2 > 1 ? 21 : 15;
function crowded(events, now, width, scale = 1) {
  let last = {}, found = [];
  for (let i = 0; i < events.length; i++) {
    let { at, kind } = events[i];
    if (at < now.from) continue;
    if (at > now.to) break;
    let { lane, weight } = kindOf(kind), x = place(now, at) * width, before = last[lane];
    if (before && x - before.x < room(before.count) * scale) {
      before.count++, weight > kindOf(before.kind).weight && (before.kind = kind);
      continue;
    }
    found.push(last[lane] = { at, x, kind, lane, first: i, count: 1 });
  }
  return found;
}
function corners(rows, now, width, until, value) {
  let found = [], piece = null, last = Math.min(until, now.to);
  for (let i = 0; i < rows.length; i++) {
    let from = Math.max(rows[i][0], now.from), to = Math.min(i + 1 < rows.length ? rows[i + 1][0] : last, last);
    if (to < from) continue;
    let v = value(rows[i]);
    if (v === null) {
      piece = null;
      continue;
    }
    piece || found.push(piece = []), piece.push([place(now, from) * width, v], [place(now, to) * width, v]);
  }
  return found;
}

// timeline/stage.js
var LANES = (
  /** @type {[string, string][]} */
  [["you", "you"], ["brokers", "brokers"], ["partitions", "partitions"], ["groups", "groups"]]
);
function stage(tools) {
  let lanes = Object.fromEntries(LANES.map(([lane]) => [lane, el("div", { class: "kl-tl-lane", "data-lane": lane })])), names = Object.fromEntries(LANES.map(([lane, name]) => [lane, el("span", { class: "kl-tl-lane" }, name)])), values = Object.fromEntries(LANES.map(([lane]) => [lane, el("span", { class: "kl-tl-lane kl-mono" })])), done = el("div", { class: "kl-tl-done" }), known = el("div", { class: "kl-tl-known" }), thumb = el("div", { class: "kl-tl-thumb" }), slider = el(
    "div",
    { class: "kl-tl-slider", role: "slider", tabindex: "0", "aria-label": "moment of the recording", "aria-valuemin": "0", onkeydown: tools.key },
    known,
    done,
    thumb
  ), scale = el("div", { class: "kl-tl-axis", "aria-hidden": "true" }), health = strip(), line2 = el("div", { class: "kl-tl-line", "aria-hidden": "true" }), ghost = el("div", { class: "kl-tl-ghost", "aria-hidden": "true" }), view = el("div", { class: "kl-tl-sight" }), over = el("div", { class: "kl-tl-over", "aria-hidden": "true", title: "the whole recording; what is drawn above is marked" }, view), plot = el(
    "div",
    { class: "kl-tl-plot" },
    LANES.map(([lane]) => lanes[lane]),
    slider,
    scale,
    health.plot,
    over,
    ghost,
    line2
  ), length = el("span", { class: "kl-tl-slider kl-mono" }), root = el(
    "div",
    { class: "kl-tl-stage" },
    el("div", { class: "kl-tl-names", "aria-hidden": "true" }, LANES.map(([lane]) => names[lane]), el("span", { class: "kl-tl-slider" }, "moment"), el("span", { class: "kl-tl-axis" }), health.names),
    plot,
    el("div", { class: "kl-tl-values" }, LANES.map(([lane]) => values[lane]), length, el("span", { class: "kl-tl-axis" }), health.values)
  ), state, zoom = { span: null, end: 0 }, now = { from: 0, to: 1 }, drawn = [], marks = [], dragging = !1, share = (x, box) => {
    let { left, width } = box.getBoundingClientRect();
    return Math.min(1, Math.max(0, (x - left) / Math.max(1, width)));
  }, under = (event) => momentAt(now, share(event.clientX, plot), state.seconds);
  plot.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    let target = (
      /** @type {HTMLElement} */
      event.target
    );
    slider.focus({ preventScroll: !0 }), event.preventDefault();
    let tick = target.closest("[data-at]");
    return tick ? tools.to(Number(
      /** @type {HTMLElement} */
      tick.dataset.at
    ), !1) : over.contains(target) ? tools.to(share(event.clientX, over) * whole(state.seconds, state.going), !1) : (dragging = !0, plot.setPointerCapture(event.pointerId), tools.to(under(event), !0));
  }), plot.addEventListener("pointermove", (event) => {
    if (dragging) return tools.to(under(event), !0);
    let tick = (
      /** @type {HTMLElement | null} */
      /** @type {HTMLElement} */
      event.target.closest("[data-at]")
    ), at = tick ? Number(tick.dataset.at) : under(event);
    return ghost.style.left = `${place(now, at) * 100}%`, ghost.hidden = over.contains(
      /** @type {Node} */
      event.target
    ), tools.tip(tick ? tick.getAttribute("title") : null);
  }), plot.addEventListener("pointerleave", () => {
    ghost.hidden = !0, tools.tip(null);
  });
  let drop = () => {
    dragging && (dragging = !1, tools.dropped());
  };
  plot.addEventListener("pointerup", drop), plot.addEventListener("pointercancel", drop), plot.addEventListener("wheel", (event) => {
    !event.ctrlKey && !event.metaKey || (event.preventDefault(), tools.zoom(event.deltaY > 0 ? 1.3 : 1 / 1.3, momentAt(now, share(event.clientX, plot), state.seconds), now));
  }, { passive: !1 }), ghost.hidden = !0;
  let resized = new ResizeObserver(() => state && draw(state, zoom));
  resized.observe(plot);
  function drawSigns(width, k) {
    let ticks2 = crowded(marks, now, width, k);
    for (let [lane] of LANES) {
      let mine = ticks2.filter((t) => t.lane === lane);
      lanes[lane].replaceChildren(...mine.map(tickOf));
      let none = !marks.some((m) => kindOf(m.kind).lane === lane);
      for (let part of [lanes[lane], names[lane], values[lane]]) part.hidden = none && lane === "groups";
    }
  }
  function tickOf(tick) {
    let { sign, tone } = kindOf(tick.kind), first = (
      /** @type {any} */
      marks[tick.first]
    ), title = tick.count === 1 ? sentence(first) : `${tick.count} here, first: ${sentence(first)}`;
    return el(
      "span",
      { class: `kl-tl-tick kl-tone-${tone}`, style: { left: `${place(now, tick.at) * 100}%` }, "data-at": tick.at, "data-kind": tick.kind, title },
      sign,
      tick.count > 1 ? el("small", {}, tick.count > 99 ? "99" : tick.count) : null
    );
  }
  function drawAxis(width, k) {
    let { step, at } = axis(now, width, 56 * k);
    scale.replaceChildren(...at.map((t) => {
      let x = place(now, t), edge = x * width < 16 * k ? "kl-tl-first" : (1 - x) * width < 16 * k ? "kl-tl-last" : "";
      return el("span", { class: edge, style: { left: `${x * 100}%` } }, moment(t, step < 1 ? 1 : 0));
    }));
  }
  function draw(next, wanted) {
    state = next;
    let width = plot.clientWidth, k = scaleOf(root);
    (!dragging || wanted.span !== zoom.span) && (now = shown(wanted, state)), zoom = { span: wanted.span, end: now.to }, (drawn[0] !== state.events || drawn[1] !== state.named) && (marks = [...state.events, ...state.named.map((n) => ({ at: n.at, since: null, kind: "named", text: `★ ${n.name}` }))].sort((a, b) => a.at - b.at));
    let key = [state.events, state.named, now.from, now.to, width, k];
    key.some((part2, i) => part2 !== drawn[i]) && (drawn = key, drawSigns(width, k), drawAxis(width, k)), health.draw(state, now, width);
    let part = (at) => `${Math.min(100, Math.max(0, place(now, at) * 100))}%`, from = place(now, 0) < 0 ? "0%" : part(0);
    known.style.left = from, known.style.width = `calc(${part(state.seconds)} - ${from})`, done.style.width = part(state.at), thumb.style.left = line2.style.left = part(state.at), length.textContent = moment(state.seconds, 0), over.hidden = zoom.span === null;
    let all = whole(state.seconds, state.going);
    return view.style.left = `${now.from / all * 100}%`, view.style.width = `${(now.to - now.from) / all * 100}%`, slider.setAttribute("aria-valuemax", state.seconds.toFixed(3)), slider.setAttribute("aria-valuenow", state.at.toFixed(3)), slider.setAttribute("aria-valuetext", said(state)), zoom;
  }
  return { root, slider, draw, get now() {
    return now;
  }, get dragging() {
    return dragging;
  }, end: () => resized.disconnect() };
}
var ROWS = [
  { key: "brokers", name: "brokers up", value: (row) => row[2] - row[1], words: (row) => `${row[1]}/${row[2]}`, about: "hatched: brokers that are down", bad: !0 },
  { key: "leaderless", name: "no leader", value: (row) => row[1], words: (row) => count(row[1]), about: "partitions without a leader: neither read nor written", bad: !0 },
  { key: "short", name: "under-replicated", value: (row) => row[1], words: (row) => count(row[1]), about: "partitions that lack replicas in the ISR", bad: !1 },
  { key: "lag", name: "lag", value: (row) => row[1], words: (row) => row[1] === null ? "–" : count(row[1]), about: "records that all groups have still to read", bad: !1 }
], HIGH = 100, made = 0;
function strip() {
  let id = `kl-tl-${++made}-${Math.random().toString(36).slice(2, 7)}`, rows = ROWS.map((row) => {
    let area = el("path", { class: "kl-tl-area", fill: `url(#${id}-${row.key})` }), edge = el("path", { class: "kl-tl-edge" }), pattern = hatch(`${id}-${row.key}`, row.key), well = row.key === "brokers" ? el("rect", { class: "kl-tl-well", y: 4, height: HIGH - 4 }) : null, picture = el("svg", { class: "kl-tl-strip", "data-row": row.key, preserveAspectRatio: "none", "aria-hidden": "true" }, pattern, well, area, edge), value = el("span", { class: "kl-tl-strip kl-mono", "data-row": row.key });
    return { row, area, edge, well, picture, value, name: el("span", { class: "kl-tl-strip", title: row.about }, row.name), drawn: (
      /** @type {any[]} */
      []
    ) };
  });
  return {
    names: rows.map((r) => r.name),
    plot: rows.map((r) => r.picture),
    values: rows.map((r) => r.value),
    /** @param {State} state @param {import("./moments.js").Shown} now @param {number} width */
    draw(state, now, width) {
      for (let r of rows) {
        let steps = (
          /** @type {[number, ...any[]][]} */
          state.steps[r.row.key]
        ), row = stepAt(steps, state.at), text = row ? r.row.words(row, 0) : "–";
        r.value.textContent !== text && (r.value.textContent = text);
        let wrong2 = !!(row && r.row.key !== "lag" && r.row.value(row));
        r.value.classList.toggle("kl-tone-bad", wrong2 && r.row.bad), r.value.classList.toggle("kl-tone-warn", wrong2 && !r.row.bad);
        let key = [steps, now.from, now.to, width, Math.min(state.seconds, now.to)];
        if (key.every((part, i) => part === r.drawn[i])) continue;
        r.drawn = key;
        let pieces = corners(steps, now, width, state.seconds, (row2) => r.row.value(row2) || (r.row.key === "lag" ? r.row.value(row2) : null));
        if (r.well) {
          let [from, to] = [Math.max(0, place(now, 0)) * width, Math.min(1, place(now, state.seconds)) * width];
          r.well.setAttribute("x", String(from)), r.well.setAttribute("width", String(steps.length ? Math.max(0, to - from) : 0));
        }
        let most = r.row.key === "brokers" ? Math.max(1, ...steps.map((s) => s[2])) : Math.max(1, ...pieces.flat().map((c) => c[1]));
        r.picture.setAttribute("viewBox", `0 0 ${Math.max(1, width)} ${HIGH}`);
        let hangs = r.row.key === "brokers", y = (v) => hangs ? 4 + v / most * (HIGH - 4) : HIGH - 4 - v / most * (HIGH - 12), path = (piece) => piece.map(([x, v], i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y(v).toFixed(1)}`).join(""), ground = hangs ? 4 : HIGH;
        r.area.setAttribute("d", pieces.map((p) => `${path(p)}L${p[p.length - 1][0].toFixed(1)} ${ground}L${p[0][0].toFixed(1)} ${ground}Z`).join("")), r.edge.setAttribute("d", pieces.map(path).join(""));
      }
    }
  };
}
function hatch(id, key) {
  let ink = {
    /** @type {string} */
    brokers: "bad",
    leaderless: "bad",
    short: "warn",
    lag: "accent"
  }[key], d = { brokers: "M-1 5L1 -5M0 30L6 0M5 35L7 25", leaderless: "M0 0L6 30M6 0L0 30", short: "M1.5 0V30", lag: "" }[key], parts = [el("rect", { width: 6, height: 30, fill: `var(--kl-${ink})`, "fill-opacity": key === "lag" ? 0.28 : 0.16 })];
  return d && parts.push(el("path", { d, stroke: `var(--kl-${ink})`, "stroke-width": 1.4, fill: "none", "vector-effect": "non-scaling-stroke" })), el("pattern", { id, width: 6, height: 30, patternUnits: "userSpaceOnUse" }, parts);
}

// timeline/view.js
var APART = 80, LEGEND = [["▸", "you did"], ["★", "a moment with a name"], ["✕", "failed"], ["♛", "another leader"], ["◆", "another controller"], ["◌", "the ISR shrank"], ["●", "back again"], ["⇄", "a group changed"]], ICONS = { play: "M3 1.5v9l7.5-4.5z", pause: "M2.5 1.5h2.5v9H2.5zM7 1.5h2.5v9H7z", back: "M1.5 1.5h2v9h-2zM11 1.5v9L4 6z", forth: "M8.5 1.5h2v9h-2zM1 1.5v9L8 6z" }, icon = (name) => el("svg", { class: "kl-tl-icon", viewBox: "0 0 12 12", "aria-hidden": "true" }, el("path", { d: ICONS[name] }));
function timelineBar(root, ask) {
  let state, held = null, zoom = { span: null, end: 0 }, known = [], last = 0, sent = 0, waiting, button = (sign, label, onclick, title = label) => el("button", { class: "kl-button", type: "button", "aria-label": label, title, onclick }, ICONS[sign] ? icon(sign) : el("span", { "aria-hidden": "true" }, sign)), name = el("b", { class: "kl-tl-name" }), pills = el("span", { class: "kl-tl-pills" }), up = el("span", { class: "kl-pill kl-tl-up" }), time = el("span", { class: "kl-tl-moment kl-mono" }), day = el("span", { class: "kl-soft kl-mono", title: "the time of day" }), since = el("span", { class: "kl-tl-acted" }), where = el("span", { class: "kl-tl-where" }), earlier = button("back", "to the event before", () => step(-1), "to the event before (Page Up)"), play = button("play", "play", toggle), later = button("forth", "to the next event", () => step(1), "to the next event (Page Down)"), speed = el("select", { class: "kl-select", "aria-label": "how fast it plays", onchange: () => tell({ do: "pace", speed: Number(speed.value) }) }), live2 = el("button", { class: "kl-button kl-tl-live", type: "button", onclick: toLive }, el("span", { "aria-hidden": "true" }, "● "), "live"), range = el("select", { class: "kl-select", "aria-label": "how much is shown", onchange: () => span(range.value === "" ? null : Number(range.value)) }), nearer = button("+", "show less time, larger", () => around(0.5), "larger (+ on the slider, or Ctrl and the wheel)"), farther = button("−", "show more time, smaller", () => around(2), "smaller (− on the slider)"), tip = el("p", { class: "kl-tl-tip" }), problem = el("p", { class: "kl-notice kl-tl-problem", role: "status" }), heard = el("p", { class: "kl-hidden", role: "status" }), picture = stage({
    to: drag,
    dropped: flush,
    key,
    zoom: (factor, at, now) => setZoom(zoomed(zoom, factor, at, now, all())),
    tip: (text) => {
      hint = text, drawTip();
    }
  }), names = named({ go: jump, add: (text) => tell({ do: "name", name: text, at: shown2().live ? null : shown2().at }) }), list = happened(jump), hint = null, box = el(
    "section",
    { class: "kl-tl" },
    el("div", { class: "kl-tl-head" }, name, pills, up, el("span", { class: "kl-tl-when" }, where, day, time)),
    el(
      "div",
      { class: "kl-tl-bar" },
      el("span", { class: "kl-tl-buttons", role: "group", "aria-label": "playing" }, earlier, play, later, speed, live2),
      el("span", { class: "kl-tl-buttons", role: "group", "aria-label": "zoom" }, farther, range, nearer),
      names.form
    ),
    problem,
    picture.root,
    el("div", { class: "kl-tl-told" }, tip, since),
    names.chips,
    list.root,
    legend(LEGEND),
    heard
  );
  root.append(box);
  let all = () => whole(state.seconds, state.going), moments = () => ((known[0] !== state.events || known[1] !== state.named) && (known = [state.events, state.named, stops(state)]), /** @type {number[]} */
  known[2]), shown2 = () => held ? { ...state, at: held.live ? state.seconds : Math.min(held.at, state.seconds), live: held.live } : state;
  function tell(message, holding = !1) {
    last = Math.max(last + 1, Date.now()), sent = last, held && holding && (held.when = last), ask({ ...message, when: last });
  }
  function flush() {
    clearTimeout(waiting), waiting = void 0, held && held.when === 1 / 0 && tell({ do: "seek", at: held.at }, !0);
  }
  function drag(at, dragging) {
    if (state.going && at >= state.seconds) return shown2().live ? void 0 : toLive();
    held = { at: Math.round(at * 1e3) / 1e3, live: !1, when: 1 / 0 };
    let wait = sent + APART - Date.now();
    return !dragging || wait <= 0 ? flush() : waiting ??= setTimeout(flush, wait), redraw();
  }
  function jump(at) {
    drag(at, !1), heard.textContent = said(shown2());
  }
  function step(way) {
    let at = neighbour(moments(), shown2().at, way);
    at !== null && jump(at);
  }
  function toLive() {
    return state.going ? (held = { at: state.seconds, live: !0, when: 1 / 0 }, tell({ do: "live" }, !0), redraw()) : jump(state.seconds);
  }
  function toggle() {
    flush(), state.playing ? tell({ do: "pause" }) : tell({ do: "play", speed: Number(speed.value) || state.speed, at: shown2().live ? 0 : shown2().at });
  }
  function setZoom(next) {
    zoom = next, redraw();
  }
  let around = (factor) => setZoom(zoomed(zoom, factor, shown2().at, picture.now, all()));
  function span(seconds) {
    let next = zoomed({ span: all(), end: 0 }, seconds === null ? 2 : seconds / all(), shown2().at, picture.now, all());
    setZoom(next.span === null ? next : { ...next, span: seconds });
  }
  function key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    let at = shown2().at, far = event.shiftKey ? 1 : 0.1, keys = (
      /** @type {Record<string, () => void>} */
      {
        ArrowLeft: () => drag(Math.max(0, at - far), !0),
        ArrowDown: () => drag(Math.max(0, at - far), !0),
        ArrowRight: () => ahead(at + far),
        ArrowUp: () => ahead(at + far),
        PageUp: () => step(-1),
        PageDown: () => step(1),
        Home: () => drag(0, !1),
        End: toLive,
        " ": toggle,
        "+": () => around(0.5),
        "-": () => around(2)
      }
    ), does = Object.hasOwn(keys, event.key) ? keys[event.key] : void 0;
    does && (event.preventDefault(), does());
  }
  function ahead(at) {
    shown2().live || drag(Math.min(state.seconds, at), !0);
  }
  function drawTip() {
    let now = shown2(), event = now.events[current(now.events, now.at)], text = hint ?? (event ? sentence(event) : now.events.length ? "nothing had happened yet" : "");
    tip.classList.toggle("kl-tl-hint", hint !== null), tip.textContent !== text && (tip.textContent = text);
  }
  function drawWhere(now) {
    let mine = acted(now.events, now.at);
    time.textContent = moment(now.at), day.textContent = clock.ofDay(now.began + now.at), since.textContent = mine ? `${clock.since(now.at - mine.at)} since ${shorten(mine.text, 60)}` : "";
    let behind = now.seconds - now.at, past = now.going ? `${now.playing ? "▶" : "‖"} ${stretch(behind)} ago, recorded` : now.playing ? `▶ playing ${times(now.speed)}` : "‖ recorded";
    where.textContent = now.live ? "● live" : past, where.className = `kl-tl-where ${now.live ? "kl-tl-islive" : ""}`;
  }
  function redraw() {
    if (!state) return;
    let now = shown2();
    zoom = picture.draw(now, zoom), drawWhere(now);
    let { text, down, known: looked } = brokersUp(now.steps, now.at);
    up.replaceChildren(el("span", { "aria-hidden": "true" }, looked ? down ? "✕ " : "● " : ""), text), up.classList.toggle("kl-tone-bad", down), up.classList.toggle("kl-tone-ok", looked && !down), drawTip(), names.draw(now), list.draw(now), earlier.setAttribute("aria-disabled", String(neighbour(moments(), now.at, -1) === null)), later.setAttribute("aria-disabled", String(neighbour(moments(), now.at, 1) === null));
    let does = now.playing ? "pause" : "play";
    play.dataset.does !== does && play.replaceChildren(icon(does)), play.dataset.does = does, play.setAttribute("aria-label", does), play.title = now.playing ? "pause (Space)" : "play (Space)", live2.hidden = !now.going, live2.setAttribute("aria-pressed", String(now.live));
    let spans = SPANS.filter(([seconds]) => seconds === null || seconds < all()), chosen = zoom.span === null ? "" : String(zoom.span), options = spans.some(([seconds]) => String(seconds ?? "") === chosen) ? spans : [
      ...spans,
      /** @type {[number, string]} */
      [Number(zoom.span), stretch(Number(zoom.span))]
    ];
    choose(range, options.map(([seconds, words]) => [String(seconds ?? ""), words]), chosen), choose(speed, now.speeds.map((s) => [String(s), times(s)]), String(now.speed)), nearer.setAttribute("aria-disabled", String(zoom.span !== null && zoom.span <= 2)), farther.setAttribute("aria-disabled", String(zoom.span === null));
  }
  return {
    /** @param {State} next @param {State | undefined} before */
    draw(next, before) {
      if (state = next, held && !picture.dragging && next.heard >= held.when && (held = null), changed(next, before, "name", "kafka", "label", "problem")) {
        let title = shorten(next.name, 60);
        name.textContent = title, box.setAttribute("aria-label", `time line of ${title}`), pills.replaceChildren(...[next.kafka, next.label].filter(Boolean).map((text) => el("span", { class: "kl-pill" }, shorten(text, 60)))), problem.textContent = shorten(next.problem, 600), problem.hidden = !next.problem;
      }
      redraw();
    },
    end() {
      clearTimeout(waiting), picture.end();
    }
  };
}
function choose(select, options, chosen) {
  let key = JSON.stringify(options);
  select.dataset.key !== key && (select.dataset.key = key, select.replaceChildren(...options.map(([value, words]) => el("option", { value }, words)))), select.value !== chosen && document.activeElement !== select && (select.value = chosen);
}
var LONGEST = 80;
function named({ go, add }) {
  let field = el("input", { class: "kl-tl-field", type: "text", maxlength: LONGEST, placeholder: "name this moment", "aria-label": "name of this moment", autocomplete: "off" }), star = el("button", { class: "kl-button", type: "submit", "aria-label": "name this moment", title: "name this moment (Enter)" }, "★"), form = el("form", { class: "kl-tl-buttons kl-tl-form", onsubmit: give }, field, star), chips = el("ul", { class: "kl-tl-chips", "aria-label": "moments with a name" }), drawn;
  function give(event) {
    event.preventDefault();
    let text = field.value.trim();
    if (!text) return field.focus();
    add(text), field.value = "";
  }
  return {
    form,
    chips,
    /** @param {State} state */
    draw(state) {
      form.hidden = !state.naming, state.named !== drawn && (drawn = state.named, chips.hidden = !drawn.length, chips.replaceChildren(...state.named.map((n) => el("li", {}, el(
        "button",
        { class: "kl-button kl-tl-chip", type: "button", "data-at": n.at, title: `go to ${moment(n.at, 2)}`, onclick: () => go(n.at) },
        el("span", { class: "kl-tl-star", "aria-hidden": "true" }, "★ "),
        shorten(n.name, 50),
        " ",
        el("span", { class: "kl-mono kl-soft" }, moment(n.at))
      )))));
      for (let chip of chips.querySelectorAll("button"))
        Math.abs(Number(chip.dataset.at) - state.at) < 5e-4 ? chip.setAttribute("aria-current", "true") : chip.removeAttribute("aria-current");
    }
  };
}
var LINES = 90;
function happened(go) {
  let list = el("ol", { class: "kl-tl-lines", "aria-label": "what happened; Enter goes to the moment" }), none = el("p", { class: "kl-tl-none" }, "Nothing happened yet. What you do to a node, and what Kafka makes of it, will be listed here."), box = el("div", { class: "kl-tl-list" }, none, list), root = el("div", { class: "kl-tl-happened" }, el("h4", { class: "kl-title" }, "What happened"), box), events = [], first = 0, at = -2, focused = -1, button = (i) => (
    /** @type {HTMLElement | null} */
    list.querySelector(`[data-i="${i}"]`)
  );
  list.addEventListener("click", (event) => {
    let found = (
      /** @type {HTMLElement} */
      event.target.closest("[data-i]")
    );
    found && go(events[Number(
      /** @type {HTMLElement} */
      found.dataset.i
    )].at);
  }), list.addEventListener("keydown", (event) => {
    let here = Number(
      /** @type {HTMLElement} */
      event.target.dataset.i
    ), to = walked(event.key, here, events.length - 1);
    to !== void 0 && (event.preventDefault(), focus(to));
  }), list.addEventListener("focusout", () => {
    focused = -1;
  });
  function focus(i) {
    button(i) || fill(i), focused = i, rove(i);
    let found = button(i);
    found?.focus({ preventScroll: !0 }), found && into(found);
  }
  function rove(i) {
    for (let b of list.querySelectorAll("button[tabindex='0']")) b.setAttribute("tabindex", "-1");
    (button(i) ?? list.querySelector("button"))?.setAttribute("tabindex", "0");
  }
  function into(node) {
    let top = node.offsetTop - list.offsetTop, bottom = top + node.offsetHeight, room2 = Math.min(44, box.clientHeight / 4);
    top < box.scrollTop + room2 ? box.scrollTop = top - room2 : bottom > box.scrollTop + box.clientHeight - room2 && (box.scrollTop = bottom - box.clientHeight + room2);
  }
  function fill(around) {
    first = Math.max(0, Math.min(around - LINES / 2, events.length - LINES)), list.replaceChildren(...events.slice(first, first + LINES).map((event, i) => line(event, first + i))), list.setAttribute("start", String(first + 1)), mark(at);
  }
  function mark(i) {
    for (let b of list.children) {
      let mine = Number(
        /** @type {HTMLElement} */
        b.firstElementChild.dataset.i
      );
      b.classList.toggle("kl-tl-now", mine === i), b.classList.toggle("kl-tl-later", mine > i), mine === i ? b.firstElementChild?.setAttribute("aria-current", "true") : b.firstElementChild?.removeAttribute("aria-current");
    }
  }
  return {
    root,
    /** @param {{ events: Happened[], at: number }} state */
    draw(state) {
      let changed2 = state.events !== events, grown = changed2 && state.events.length > events.length && events.every((event, i) => event === state.events[i]);
      events = state.events, none.hidden = events.length > 0;
      let now = current(events, state.at);
      if (!changed2 && now === at) return;
      at = now;
      let edge = now < first + 10 && first > 0 ? !0 : now > first + LINES - 10 && first + LINES < events.length;
      if (changed2 && grown && list.children.length && first + LINES >= events.length)
        for (let i = first + list.children.length; i < events.length; i++) list.append(line(events[i], i));
      else (changed2 || edge) && (focused < 0 || changed2) && fill(Math.max(0, now));
      if (mark(now), focused >= 0 && button(focused)) return;
      rove(now);
      let found = button(now);
      found ? requestAnimationFrame(() => into(found)) : box.scrollTop = 0;
    }
  };
}
function line(event, i) {
  let { sign, tone } = kindOf(event.kind), since = event.since === null ? "" : clock.since(event.since);
  return el(
    "li",
    { "data-kind": event.kind },
    el(
      "button",
      { class: `kl-tl-go kl-tone-${tone}`, tabindex: "-1", "data-i": i, type: "button", title: `go to ${moment(event.at, 2)}` },
      el("time", { class: "kl-mono kl-soft" }, moment(event.at)),
      el("span", { class: "kl-mono kl-tl-since" }, since),
      el("span", { class: "kl-mark", "aria-hidden": "true" }, sign),
      el("span", { class: "kl-tl-said" }, emphasised(shorten(event.text, 260)))
    )
  );
}
var view_default = {
  render: live("timeline", null, (page, { ask }) => timelineBar(page, ask))
};
export {
  view_default as default
};
