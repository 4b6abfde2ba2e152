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
function scaleOf(node) {
  return Number(getComputedStyle(node).getPropertyValue("--kl-scale")) || 1;
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
  const shown2 = [...root.querySelectorAll(":scope > .kl-error")];
  if (shown2.length >= 3 || shown2.some((node) => node.getAttribute("data-message") === message)) return;
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
  const shown2 = root.querySelector(":scope > .kl-fault");
  if (!text) return shown2?.remove();
  if (shown2?.getAttribute("data-text") === text) return void 0;
  shown2?.remove();
  root.append(el("div", { class: "kl-error kl-fault", role: "alert", "data-text": text }, shorten(text, 600)));
  return void 0;
}
function legend(signs) {
  return el(
    "ul",
    { class: "kl-legend", "aria-label": "legend" },
    signs.map(([sign, meaning]) => el("li", {}, el("span", { class: "kl-sign", "aria-hidden": "true" }, sign), " ", meaning))
  );
}
var two = (n) => String(n).padStart(2, "0");
var clock = {
  /** Formats a number of seconds since something: "+3.12 s", "+2:05 min", "−0.40 s". */
  since(seconds) {
    const sign = seconds <= -5e-3 ? "−" : "+";
    const size = Math.abs(seconds);
    return size < 99.995 ? `${sign}${size.toFixed(2)} s` : `${sign}${clock.long(Math.round(size))}`;
  },
  /** Formats whole seconds, from a minute on: "2:05 min", "1:04 h". */
  long(whole2) {
    const [of, unit] = whole2 < 3600 ? [60, "min"] : [3600, "h"];
    return `${Math.floor(whole2 / of)}:${two(Math.floor(whole2 % of / (of / 60)))} ${unit}`;
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
function changed(now, before, ...names) {
  return !before || names.some((name) => now[name] !== before[name]);
}
function walked(key, at, last) {
  const to = { ArrowDown: at + 1, ArrowRight: at + 1, ArrowUp: at - 1, ArrowLeft: at - 1, PageDown: at + 8, PageUp: at - 8, Home: 0, End: last }[key];
  return to === void 0 ? void 0 : Math.max(0, Math.min(last, to));
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
  const held = active && parent.contains(active) ? active.dataset : null;
  parent.replaceChildren(...[children].flat(Infinity).filter(Boolean));
  if (!held?.key) return;
  const all = [...parent.querySelectorAll("[data-key]")];
  (all.find((n) => n.dataset.key === held.key) ?? all.find((n) => held.node && n.dataset.node === held.node))?.focus();
}
var OTHER = { means: "something else", sign: "·", tone: "plain", lane: "partitions", weight: 0 };
function kindOf(name) {
  return Object.hasOwn(events_default, name) ? events_default[name] : OTHER;
}

// live.ts
function live(name, label, build) {
  return ({ model, el: root }) => {
    const page = el("div", { class: `kl kl-${name}`, role: label && "region", "aria-label": label });
    const eye = Math.random().toString(36).slice(2);
    const hands = el("fieldset", { class: "kl-hands" }, page);
    const said2 = el("div", { class: "kl kl-standstill", "aria-live": "polite" });
    ownKeys(page);
    root.append(said2, hands);
    let state = model.get("state");
    let drawn;
    let asked = false;
    let still = "";
    const standStill = (why, tone = "") => {
      still = why;
      hands.toggleAttribute("disabled", Boolean(why));
      page.classList.toggle("kl-still", Boolean(why));
      said2.replaceChildren(...why ? [el("div", { class: `kl-notice ${tone}` }, why)] : []);
    };
    const silent = (since) => still || standStill(`No news from the kernel since ${clock.ofDay(since / 1e3)}: the picture stands still. It goes on by itself when the kernel answers. If the kernel was restarted, run this cell again.`, "kl-tone-bad");
    const ear = model.get("live") ? hearing((since) => {
      silent(since);
      asked = false;
      whole2();
    }) : null;
    const ask = (message) => {
      try {
        model.send(message);
      } catch (error) {
        console.warn(error);
        silent(Date.now());
      }
    };
    const whole2 = () => {
      if (asked) return;
      asked = true;
      ask({ do: "whole", eye, n: state?.n ?? -1 });
    };
    const view = guard(page, () => build(page, { model, ask }));
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
          if (message.beat > (state?.n ?? -1)) whole2();
        } else if (message?.patch) {
          if (message.n === state?.n + 1) {
            state = patched(state, message.patch);
            draw();
          } else if (message.n > (state?.n ?? -1)) {
            whole2();
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
    if (model.get("live")) whole2();
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

// axis.ts
var CLOCK = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 21600, 43200, 86400];
function timeStep(least) {
  return CLOCK.find((step) => step >= least) ?? Math.ceil(least / 86400) * 86400;
}
function ticks(from, to, step) {
  const first = Math.ceil(from / step - 1e-9), last = Math.floor(to / step + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

// timeline/moments.ts
var NEAR = 5e-4;
function current(events, at) {
  return events.findLastIndex((event) => event.at <= at + NEAR);
}
function stops(state) {
  return [.../* @__PURE__ */ new Set([...state.events.map((e) => e.at), ...state.named.map((n) => n.at)])].sort((a, b) => a - b);
}
function neighbour(moments, at, way) {
  return (way > 0 ? moments.find((one) => one > at + NEAR) : moments.findLast((one) => one <= at - NEAR)) ?? null;
}
function stepAt(rows, at) {
  return rows.findLast((row) => row[0] <= at + NEAR);
}
function acted(events, at) {
  return events.findLast((event) => event.kind === "you" && event.at <= at + NEAR);
}
function moment(seconds, digits = 1) {
  const tens = 10 ** digits;
  const whole2 = Math.floor(Math.max(0, seconds) * tens + 1e-6);
  const s = Math.floor(whole2 / tens);
  const fraction = digits ? `.${String(whole2 % tens).padStart(digits, "0")}` : "";
  const hours = Math.floor(s / 3600);
  const minutes = Math.floor(s % 3600 / 60);
  return `${hours ? `${hours}:${two(minutes)}` : minutes}:${two(s % 60)}${fraction}`;
}
function stretch(seconds) {
  return seconds < 60 ? `${seconds.toFixed(1)} s` : clock.long(Math.round(seconds));
}
var times = (speed) => `×${speed}`;
function brokersUp(steps, at) {
  const row = stepAt(steps.brokers, at);
  if (!row) return { text: "not read yet", down: false, known: false };
  const [, up, of] = row;
  return { text: `${up} of ${of} broker${of === 1 ? "" : "s"} up`, down: up < of, known: true };
}
function wrong(steps, at) {
  const down = stepAt(steps.brokers, at)?.[3] ?? [];
  const leaderless = stepAt(steps.leaderless, at)?.[1] ?? 0;
  const short = stepAt(steps.short, at)?.[1] ?? 0;
  const partitions = (n) => `${count(n)} partition${n === 1 ? "" : "s"}`;
  return [
    down.length ? `broker${down.length === 1 ? "" : "s"} ${down.join(", ")} ${down.length === 1 ? "is" : "are"} down` : "",
    leaderless ? `${partitions(leaderless)} without a leader` : "",
    short ? `${partitions(short)} under-replicated` : ""
  ].filter(Boolean).join(", ");
}
function said(state) {
  const at = state.live ? `live, ${spoken(state.at)}` : spoken(state.at);
  const problem = wrong(state.steps, state.at) || (state.steps.brokers.length ? "all brokers are up" : "");
  const event = state.events[current(state.events, state.at)];
  const name = state.named.find((n) => Math.abs(n.at - state.at) < NEAR);
  return [at, problem].filter(Boolean).join(", ") + (name ? `; named ${shorten(name.name, 80)}` : "") + (event ? `; last: ${shorten(event.text, 200)}` : "");
}
function spoken(seconds) {
  if (seconds < 60) return `${seconds.toFixed(1)} seconds`;
  const minutes = Math.floor(seconds / 60);
  return `${minutes} minute${minutes === 1 ? "" : "s"} ${(seconds - minutes * 60).toFixed(1)} seconds`;
}
function sentence(event) {
  const since = event.since === null || event.kind === "you" ? "" : ` (${clock.since(event.since)})`;
  return `${moment(event.at)}${since} ${shorten(event.text, 260)}`;
}
var ROOMY = [5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 240, 300, 420, 600, 900, 1200, 1800, 2700, 3600];
var SHORTEST = 2;
var SPANS = [[null, "whole"], [1800, "30 min"], [600, "10 min"], [60, "1 min"], [10, "10 s"]];
function whole(seconds, going) {
  if (!going) return Math.max(seconds, 1);
  const wanted = seconds * 1.04;
  return ROOMY.find((n) => n >= wanted) ?? Math.ceil(wanted / 1800) * 1800;
}
function shown(zoom, { at, seconds, going, live: live2 }) {
  const all = whole(seconds, going);
  if (zoom.span === null || zoom.span >= all) return { from: 0, to: all };
  const { span } = zoom;
  let end = zoom.end;
  if (live2) end = at <= end && at > end - span ? end : at + span / 10;
  else if (at > end) end = at + span / 4;
  else if (at < end - span) end = at + span * 3 / 4;
  end = Math.min(Math.max(end, span), Math.max(all, span));
  return { from: end - span, to: end };
}
function zoomed(zoom, factor, at, now, all) {
  const span = Math.max(SHORTEST, (zoom.span ?? all) * factor);
  if (span >= all) return { span: null, end: all };
  const share = (at - now.from) / (now.to - now.from);
  return { span, end: at + span * (1 - Math.min(1, Math.max(0, share))) };
}
function place(now, at) {
  return (at - now.from) / (now.to - now.from);
}
function momentAt(now, share, seconds) {
  return Math.min(seconds, Math.max(0, now.from + share * (now.to - now.from)));
}
function axis({ from, to }, width, room2) {
  const step = timeStep((to - from) * room2 / Math.max(1, width));
  return { step, at: ticks(from, to, step) };
}
var room = (count2) => count2 > 9 ? 28 : count2 > 1 ? 21 : 15;
function crowded(events, now, width, scale = 1) {
  const last = {};
  const found = [];
  for (let i = 0; i < events.length; i++) {
    const { at, kind } = events[i];
    if (at < now.from) continue;
    if (at > now.to) break;
    const { lane, weight } = kindOf(kind);
    const x = place(now, at) * width;
    const before = last[lane];
    if (before && x - before.x < room(before.count) * scale) {
      before.count++;
      if (weight > kindOf(before.kind).weight) before.kind = kind;
      continue;
    }
    found.push(last[lane] = { at, x, kind, lane, first: i, count: 1 });
  }
  return found;
}
function corners(rows, now, width, until, value) {
  const found = [];
  let piece = null;
  const last = Math.min(until, now.to);
  for (let i = 0; i < rows.length; i++) {
    const from = Math.max(rows[i][0], now.from);
    const to = Math.min(i + 1 < rows.length ? rows[i + 1][0] : last, last);
    if (to < from) continue;
    const v = value(rows[i]);
    if (v === null) {
      piece = null;
      continue;
    }
    if (!piece) found.push(piece = []);
    piece.push([place(now, from) * width, v], [place(now, to) * width, v]);
  }
  return found;
}

// timeline/stage.ts
var LANES = ["you", "brokers", "partitions", "groups"];
function stage(tools) {
  const lanes = LANES.map((lane) => el("div", { class: "kl-tl-lane", "data-lane": lane }));
  const names = LANES.map((lane) => el("span", { class: "kl-tl-lane" }, lane));
  const values = LANES.map(() => el("span", { class: "kl-tl-lane kl-mono" }));
  const done = el("div", { class: "kl-tl-done" });
  const known = el("div", { class: "kl-tl-known" });
  const thumb = el("div", { class: "kl-tl-thumb" });
  const slider = el(
    "div",
    { class: "kl-tl-slider", role: "slider", tabindex: "0", "aria-label": "moment of the recording", "aria-valuemin": "0", onkeydown: tools.key },
    known,
    done,
    thumb
  );
  const scale = el("div", { class: "kl-tl-axis", "aria-hidden": "true" });
  const health = strip();
  const line2 = el("div", { class: "kl-tl-line", "aria-hidden": "true" });
  const ghost = el("div", { class: "kl-tl-ghost", "aria-hidden": "true" });
  const view = el("div", { class: "kl-tl-sight" });
  const over = el("div", { class: "kl-tl-over", "aria-hidden": "true", title: "the whole recording; what is drawn above is marked" }, view);
  const plot = el("div", { class: "kl-tl-plot" }, lanes, slider, scale, health.plot, over, ghost, line2);
  const length = el("span", { class: "kl-tl-slider kl-mono" });
  const root = el(
    "div",
    { class: "kl-tl-stage" },
    el("div", { class: "kl-tl-names", "aria-hidden": "true" }, names, el("span", { class: "kl-tl-slider" }, "moment"), el("span", { class: "kl-tl-axis" }), health.names),
    plot,
    el("div", { class: "kl-tl-values" }, values, length, el("span", { class: "kl-tl-axis" }), health.values)
  );
  let state;
  let zoom = { span: null, end: 0 };
  let now = { from: 0, to: 1 };
  let drawn = [];
  let marks = [];
  let dragging = false;
  const share = (x, box) => {
    const { left, width } = box.getBoundingClientRect();
    return Math.min(1, Math.max(0, (x - left) / Math.max(1, width)));
  };
  const under = (event) => momentAt(now, share(event.clientX, plot), state.seconds);
  plot.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    const target = event.target;
    slider.focus({ preventScroll: true });
    event.preventDefault();
    const tick = target.closest("[data-at]");
    if (tick) return tools.to(Number(tick.dataset.at), false);
    if (over.contains(target)) return tools.to(share(event.clientX, over) * whole(state.seconds, state.going), false);
    dragging = true;
    plot.setPointerCapture(event.pointerId);
    return tools.to(under(event), true);
  });
  plot.addEventListener("pointermove", (event) => {
    if (dragging) return tools.to(under(event), true);
    const tick = event.target.closest("[data-at]");
    const at = tick ? Number(tick.dataset.at) : under(event);
    ghost.style.left = `${place(now, at) * 100}%`;
    ghost.hidden = over.contains(event.target);
    return tools.tip(tick ? tick.getAttribute("title") : null);
  });
  plot.addEventListener("pointerleave", () => {
    ghost.hidden = true;
    tools.tip(null);
  });
  const drop = () => {
    if (!dragging) return;
    dragging = false;
    tools.dropped();
  };
  plot.addEventListener("pointerup", drop);
  plot.addEventListener("pointercancel", drop);
  plot.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    tools.zoom(event.deltaY > 0 ? 1.3 : 1 / 1.3, momentAt(now, share(event.clientX, plot), state.seconds), now);
  }, { passive: false });
  ghost.hidden = true;
  const resized = new ResizeObserver(() => state && draw(state, zoom));
  resized.observe(plot);
  function drawSigns(width, k) {
    const ticks2 = crowded(marks, now, width, k);
    LANES.forEach((lane, i) => {
      lanes[i].replaceChildren(...ticks2.filter((t) => t.lane === lane).map(tickOf));
      const none = !marks.some((m) => kindOf(m.kind).lane === lane);
      for (const part of [lanes[i], names[i], values[i]]) part.hidden = none && lane === "groups";
    });
  }
  function tickOf(tick) {
    const { sign, tone } = kindOf(tick.kind);
    const first = marks[tick.first];
    const title = tick.count === 1 ? sentence(first) : `${tick.count} here, first: ${sentence(first)}`;
    return el(
      "span",
      { class: `kl-tl-tick kl-tone-${tone}`, style: { left: `${place(now, tick.at) * 100}%` }, "data-at": tick.at, "data-kind": tick.kind, title },
      sign,
      tick.count > 1 ? el("small", {}, tick.count > 99 ? "99" : tick.count) : null
    );
  }
  function drawAxis(width, k) {
    const { step, at } = axis(now, width, 56 * k);
    scale.replaceChildren(...at.map((t) => {
      const x = place(now, t);
      const edge = x * width < 16 * k ? "kl-tl-first" : (1 - x) * width < 16 * k ? "kl-tl-last" : "";
      return el("span", { class: edge, style: { left: `${x * 100}%` } }, moment(t, step < 1 ? 1 : 0));
    }));
  }
  function draw(next, wanted) {
    state = next;
    const width = plot.clientWidth;
    const k = scaleOf(root);
    if (!dragging || wanted.span !== zoom.span) now = shown(wanted, state);
    zoom = { span: wanted.span, end: now.to };
    if (drawn[0] !== state.events || drawn[1] !== state.named) {
      marks = [...state.events, ...state.named.map((n) => ({ at: n.at, since: null, kind: "named", text: `★ ${n.name}` }))].sort((a, b) => a.at - b.at);
    }
    const key = [state.events, state.named, now.from, now.to, width, k];
    if (key.some((part2, i) => part2 !== drawn[i])) {
      drawn = key;
      drawSigns(width, k);
      drawAxis(width, k);
    }
    health.draw(state, now, width);
    const part = (at) => `${Math.min(100, Math.max(0, place(now, at) * 100))}%`;
    const from = place(now, 0) < 0 ? "0%" : part(0);
    known.style.left = from;
    known.style.width = `calc(${part(state.seconds)} - ${from})`;
    done.style.width = part(state.at);
    thumb.style.left = line2.style.left = part(state.at);
    length.textContent = moment(state.seconds, 0);
    over.hidden = zoom.span === null;
    const all = whole(state.seconds, state.going);
    view.style.left = `${now.from / all * 100}%`;
    view.style.width = `${(now.to - now.from) / all * 100}%`;
    slider.setAttribute("aria-valuemax", state.seconds.toFixed(3));
    slider.setAttribute("aria-valuenow", state.at.toFixed(3));
    slider.setAttribute("aria-valuetext", said(state));
    return zoom;
  }
  return { root, slider, draw, get now() {
    return now;
  }, get dragging() {
    return dragging;
  }, end: () => resized.disconnect() };
}
var ROWS = [
  {
    key: "brokers",
    name: "brokers up",
    value: (row) => row[2] - row[1] || null,
    words: (row) => `${row[1]}/${row[2]}`,
    about: "hatched: brokers that are down",
    ink: "bad",
    d: "M-1 5L1 -5M0 30L6 0M5 35L7 25"
  },
  {
    key: "leaderless",
    name: "no leader",
    value: (row) => row[1] || null,
    words: (row) => count(row[1]),
    about: "partitions without a leader: neither read nor written",
    ink: "bad",
    d: "M0 0L6 30M6 0L0 30"
  },
  {
    key: "short",
    name: "under-replicated",
    value: (row) => row[1] || null,
    words: (row) => count(row[1]),
    about: "partitions that lack replicas in the ISR",
    ink: "warn",
    d: "M1.5 0V30"
  },
  {
    key: "lag",
    name: "lag",
    value: (row) => row[1],
    words: (row) => row[1] === null ? "–" : count(row[1]),
    about: "records that all groups have still to read",
    ink: "accent",
    d: ""
  }
];
var HIGH = 100;
var made = 0;
function strip() {
  const id = `kl-tl-${++made}-${Math.random().toString(36).slice(2, 7)}`;
  const rows = ROWS.map((row) => ({ ...stripRow(row, `${id}-${row.key}`), name: el("span", { class: "kl-tl-strip", title: row.about }, row.name) }));
  return {
    names: rows.map((row) => row.name),
    plot: rows.map((row) => row.picture),
    values: rows.map((row) => row.value),
    draw(state, now, width) {
      for (const row of rows) row.draw(state, now, width);
    }
  };
}
function stripRow(row, id) {
  const hangs = row.key === "brokers";
  const ground = hangs ? 4 : HIGH;
  const area = el("path", { class: "kl-tl-area", fill: `url(#${id})` });
  const edge = el("path", { class: "kl-tl-edge" });
  const well = hangs ? el("rect", { class: "kl-tl-well", y: 4, height: HIGH - 4 }) : null;
  const pattern = el(
    "pattern",
    { id, width: 6, height: 30, patternUnits: "userSpaceOnUse" },
    el("rect", { width: 6, height: 30, fill: `var(--kl-${row.ink})`, "fill-opacity": row.d ? 0.16 : 0.28 }),
    el("path", { d: row.d, stroke: `var(--kl-${row.ink})`, "stroke-width": 1.4, fill: "none", "vector-effect": "non-scaling-stroke" })
  );
  const picture = el("svg", { class: "kl-tl-strip", "data-row": row.key, preserveAspectRatio: "none", "aria-hidden": "true" }, pattern, well, area, edge);
  const value = el("span", { class: "kl-tl-strip kl-mono", "data-row": row.key });
  const isNews = news();
  return {
    picture,
    value,
    draw(state, now, width) {
      const steps = state.steps[row.key];
      const step = stepAt(steps, state.at);
      value.textContent = step ? row.words(step) : "–";
      value.className = `kl-tl-strip kl-mono ${row.key !== "lag" && step && row.value(step) ? `kl-tone-${row.ink}` : ""}`;
      if (!isNews(steps, now.from, now.to, width, Math.min(state.seconds, now.to))) return;
      const pieces = corners(steps, now, width, state.seconds, row.value);
      const [from, to] = [Math.max(0, place(now, 0)) * width, Math.min(1, place(now, state.seconds)) * width];
      well?.setAttribute("x", String(from));
      well?.setAttribute("width", String(steps.length ? Math.max(0, to - from) : 0));
      const most = Math.max(1, ...hangs ? steps.map((s) => s[2]) : pieces.flat().map((c) => c[1]));
      picture.setAttribute("viewBox", `0 0 ${Math.max(1, width)} ${HIGH}`);
      const y = (v) => hangs ? 4 + v / most * (HIGH - 4) : HIGH - 4 - v / most * (HIGH - 12);
      const path = (piece) => piece.map(([x, v], i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y(v).toFixed(1)}`).join("");
      area.setAttribute("d", pieces.map((p) => `${path(p)}L${p[p.length - 1][0].toFixed(1)} ${ground}L${p[0][0].toFixed(1)} ${ground}Z`).join(""));
      edge.setAttribute("d", pieces.map(path).join(""));
    }
  };
}

// timeline/view.ts
var APART = 80;
var LEGEND = [["▸", "you did"], ["★", "a moment with a name"], ["✕", "failed"], ["♛", "another leader"], ["◆", "another controller"], ["◌", "the ISR shrank"], ["●", "back again"], ["⇄", "a group changed"]];
var ICONS = { play: "M3 1.5v9l7.5-4.5z", pause: "M2.5 1.5h2.5v9H2.5zM7 1.5h2.5v9H7z", back: "M1.5 1.5h2v9h-2zM11 1.5v9L4 6z", forth: "M8.5 1.5h2v9h-2zM1 1.5v9L8 6z" };
var icon = (name) => el("svg", { class: "kl-tl-icon", viewBox: "0 0 12 12", "aria-hidden": "true" }, el("path", { d: ICONS[name] }));
function timelineBar(root, ask) {
  let state;
  let held = null;
  let zoom = { span: null, end: 0 };
  let moments = [];
  let last = 0, sent = 0;
  let waiting;
  const button = (sign, label, onclick, title = label) => el("button", { class: "kl-button", type: "button", "aria-label": label, title, onclick }, ICONS[sign] ? icon(sign) : el("span", { "aria-hidden": "true" }, sign));
  const name = el("b", { class: "kl-tl-name" });
  const pills = el("span", { class: "kl-tl-pills" });
  const up = el("span", { class: "kl-pill kl-tl-up" });
  const time = el("span", { class: "kl-tl-moment kl-mono" });
  const day = el("span", { class: "kl-soft kl-mono", title: "the time of day" });
  const since = el("span", { class: "kl-tl-acted" });
  const where = el("span", { class: "kl-tl-where" });
  const earlier = button("back", "to the event before", () => step(-1), "to the event before (Page Up)");
  const play = button("play", "play", toggle);
  const later = button("forth", "to the next event", () => step(1), "to the next event (Page Down)");
  const speed = el("select", { class: "kl-select", "aria-label": "how fast it plays", onchange: () => tell({ do: "pace", speed: Number(speed.value) }) });
  const live2 = el("button", { class: "kl-button kl-tl-live", type: "button", onclick: toLive }, el("span", { "aria-hidden": "true" }, "● "), "live");
  const range = el("select", { class: "kl-select", "aria-label": "how much is shown", onchange: () => span(range.value === "" ? null : Number(range.value)) });
  const nearer = button("+", "show less time, larger", () => around(0.5), "larger (+ on the slider, or Ctrl and the wheel)");
  const farther = button("−", "show more time, smaller", () => around(2), "smaller (− on the slider)");
  const tip = el("p", { class: "kl-tl-tip" });
  const problem = el("p", { class: "kl-notice kl-tl-problem", role: "status" });
  const heard = el("p", { class: "kl-hidden", role: "status" });
  const picture = stage({
    to: drag,
    dropped: flush,
    key,
    zoom: (factor, at, now) => setZoom(zoomed(zoom, factor, at, now, all())),
    tip: (text) => {
      hint = text;
      drawTip();
    }
  });
  const names = named({ go: jump, add: (text) => tell({ do: "name", name: text, at: shown2().live ? null : shown2().at }) });
  const list = happened(jump);
  let hint = null;
  const box = el(
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
  const all = () => whole(state.seconds, state.going);
  const shown2 = () => held ? { ...state, at: held.live ? state.seconds : Math.min(held.at, state.seconds), live: held.live } : state;
  function tell(message, holding = false) {
    last = Math.max(last + 1, Date.now());
    sent = last;
    if (held && holding) held.when = last;
    ask({ ...message, when: last });
  }
  function flush() {
    clearTimeout(waiting);
    waiting = void 0;
    if (held && held.when === Infinity) tell({ do: "seek", at: held.at }, true);
  }
  function drag(at, dragging) {
    if (state.going && at >= state.seconds) return shown2().live ? void 0 : toLive();
    held = { at: Math.round(at * 1e3) / 1e3, live: false, when: Infinity };
    const wait = sent + APART - Date.now();
    if (!dragging || wait <= 0) flush();
    else waiting ??= setTimeout(flush, wait);
    return redraw();
  }
  function jump(at) {
    drag(at, false);
    heard.textContent = said(shown2());
  }
  function step(way) {
    const at = neighbour(moments, shown2().at, way);
    if (at !== null) jump(at);
  }
  function toLive() {
    if (!state.going) return jump(state.seconds);
    held = { at: state.seconds, live: true, when: Infinity };
    tell({ do: "live" }, true);
    return redraw();
  }
  function toggle() {
    flush();
    if (state.playing) tell({ do: "pause" });
    else tell({ do: "play", speed: Number(speed.value) || state.speed, at: shown2().live ? 0 : shown2().at });
  }
  function setZoom(next) {
    zoom = next;
    redraw();
  }
  const around = (factor) => setZoom(zoomed(zoom, factor, shown2().at, picture.now, all()));
  function span(seconds) {
    const next = zoomed({ span: all(), end: 0 }, seconds === null ? 2 : seconds / all(), shown2().at, picture.now, all());
    setZoom(next.span === null ? next : { ...next, span: seconds });
  }
  function key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = shown2().at, far = event.shiftKey ? 1 : 0.1;
    const keys = {
      ArrowLeft: () => drag(Math.max(0, at - far), true),
      ArrowDown: () => drag(Math.max(0, at - far), true),
      ArrowRight: () => ahead(at + far),
      ArrowUp: () => ahead(at + far),
      PageUp: () => step(-1),
      PageDown: () => step(1),
      Home: () => drag(0, false),
      End: toLive,
      " ": toggle,
      "+": () => around(0.5),
      "-": () => around(2)
    };
    const does = Object.hasOwn(keys, event.key) ? keys[event.key] : void 0;
    if (!does) return;
    event.preventDefault();
    does();
  }
  function ahead(at) {
    if (!shown2().live) drag(Math.min(state.seconds, at), true);
  }
  function drawTip() {
    const now = shown2();
    const event = now.events[current(now.events, now.at)];
    const text = hint ?? (event ? sentence(event) : now.events.length ? "nothing had happened yet" : "");
    tip.classList.toggle("kl-tl-hint", hint !== null);
    if (tip.textContent !== text) tip.textContent = text;
  }
  function drawWhere(now) {
    const mine = acted(now.events, now.at);
    time.textContent = moment(now.at);
    day.textContent = clock.ofDay(now.began + now.at);
    since.textContent = mine ? `${clock.since(now.at - mine.at)} since ${shorten(mine.text, 60)}` : "";
    const behind = now.seconds - now.at;
    const past = now.going ? `${now.playing ? "▶" : "‖"} ${stretch(behind)} ago, recorded` : now.playing ? `▶ playing ${times(now.speed)}` : "‖ recorded";
    where.textContent = now.live ? "● live" : past;
    where.className = `kl-tl-where ${now.live ? "kl-tl-islive" : ""}`;
  }
  function redraw() {
    if (!state) return;
    const now = shown2();
    zoom = picture.draw(now, zoom);
    drawWhere(now);
    const { text, down, known: looked } = brokersUp(now.steps, now.at);
    up.replaceChildren(el("span", { "aria-hidden": "true" }, looked ? down ? "✕ " : "● " : ""), text);
    up.classList.toggle("kl-tone-bad", down);
    up.classList.toggle("kl-tone-ok", looked && !down);
    drawTip();
    names.draw(now);
    list.draw(now);
    earlier.setAttribute("aria-disabled", String(neighbour(moments, now.at, -1) === null));
    later.setAttribute("aria-disabled", String(neighbour(moments, now.at, 1) === null));
    const does = now.playing ? "pause" : "play";
    if (play.dataset.does !== does) play.replaceChildren(icon(does));
    play.dataset.does = does;
    play.setAttribute("aria-label", does);
    play.title = now.playing ? "pause (Space)" : "play (Space)";
    live2.hidden = !now.going;
    live2.setAttribute("aria-pressed", String(now.live));
    const spans = SPANS.filter(([seconds]) => seconds === null || seconds < all());
    if (!spans.some(([seconds]) => seconds === zoom.span)) spans.push([zoom.span, stretch(Number(zoom.span))]);
    choose(range, spans.map(([seconds, words]) => [String(seconds ?? ""), words]), String(zoom.span ?? ""));
    choose(speed, now.speeds.map((s) => [String(s), times(s)]), String(now.speed));
    nearer.setAttribute("aria-disabled", String(zoom.span !== null && zoom.span <= 2));
    farther.setAttribute("aria-disabled", String(zoom.span === null));
  }
  return {
    draw(next, before) {
      state = next;
      if (changed(next, before, "events", "named")) moments = stops(next);
      if (held && !picture.dragging && next.heard >= held.when) held = null;
      if (changed(next, before, "name", "kafka", "label", "problem")) {
        const title = shorten(next.name, 60);
        name.textContent = title;
        box.setAttribute("aria-label", `time line of ${title}`);
        pills.replaceChildren(...[next.kafka, next.label].filter(Boolean).map((text) => el("span", { class: "kl-pill" }, shorten(text, 60))));
        problem.textContent = shorten(next.problem, 600);
        problem.hidden = !next.problem;
      }
      redraw();
    },
    end() {
      clearTimeout(waiting);
      picture.end();
    }
  };
}
function choose(select, options, chosen) {
  const key = JSON.stringify(options);
  if (select.dataset.key !== key) {
    select.dataset.key = key;
    select.replaceChildren(...options.map(([value, words]) => el("option", { value }, words)));
  }
  if (select.value !== chosen && document.activeElement !== select) select.value = chosen;
}
var LONGEST = 80;
function named({ go, add }) {
  const field = el("input", { class: "kl-tl-field", type: "text", maxlength: LONGEST, placeholder: "name this moment", "aria-label": "name of this moment", autocomplete: "off" });
  const star = el("button", { class: "kl-button", type: "submit", "aria-label": "name this moment", title: "name this moment (Enter)" }, "★");
  const form = el("form", { class: "kl-tl-buttons kl-tl-form", onsubmit: give }, field, star);
  const chips = el("ul", { class: "kl-tl-chips", "aria-label": "moments with a name" });
  const isNews = news();
  function give(event) {
    event.preventDefault();
    const text = field.value.trim();
    if (!text) return field.focus();
    add(text);
    field.value = "";
    return void 0;
  }
  return {
    form,
    chips,
    draw(state) {
      form.hidden = !state.naming;
      chips.hidden = !state.named.length;
      const here = state.named.findIndex((one) => Math.abs(one.at - state.at) < 5e-4);
      if (!isNews(state.named, here)) return;
      refill(chips, state.named.map(({ at, name }, i) => el(
        "li",
        {},
        el(
          "button",
          { class: "kl-button kl-tl-chip", type: "button", "data-key": at, "aria-current": i === here ? "true" : null, title: `go to ${moment(at, 2)}`, onclick: () => go(at) },
          el("span", { class: "kl-tl-star", "aria-hidden": "true" }, "★ "),
          shorten(name, 50),
          " ",
          el("span", { class: "kl-mono kl-soft" }, moment(at))
        )
      )));
    }
  };
}
var LINES = 90;
function happened(go) {
  const list = el("ol", { class: "kl-tl-lines", "aria-label": "what happened; Enter goes to the moment", onkeydown: key });
  const none = el("p", { class: "kl-tl-none" }, "Nothing happened yet. What you do to a node, and what Kafka makes of it, will be listed here.");
  const box = el("div", { class: "kl-tl-list" }, none, list);
  const isNews = news();
  function key(event) {
    const lines = [...list.querySelectorAll("button")];
    const to = walked(event.key, lines.indexOf(event.target), lines.length - 1);
    if (to === void 0) return;
    event.preventDefault();
    for (const line2 of lines) line2.tabIndex = line2 === lines[to] ? 0 : -1;
    lines[to].focus({ preventScroll: true });
    into(lines[to]);
  }
  function into(node) {
    const top = node.offsetTop - list.offsetTop, bottom = top + node.offsetHeight;
    const room2 = Math.min(44, box.clientHeight / 4);
    if (top < box.scrollTop + room2) box.scrollTop = top - room2;
    else if (bottom > box.scrollTop + box.clientHeight - room2) box.scrollTop = bottom - box.clientHeight + room2;
  }
  return {
    root: el("div", { class: "kl-tl-happened" }, el("h4", { class: "kl-title" }, "What happened"), box),
    draw({ events, at }) {
      const now = current(events, at);
      if (!isNews(events, now)) return;
      none.hidden = events.length > 0;
      const first = Math.max(0, Math.min(now - LINES / 2, events.length - LINES));
      const reading = list.contains(document.activeElement);
      list.setAttribute("start", String(first + 1));
      refill(list, events.slice(first, first + LINES).map((event, i) => line(event, first + i, now, go)));
      if (reading && list.contains(document.activeElement)) return;
      const found = list.querySelector("[aria-current]");
      if (found) requestAnimationFrame(() => into(found));
      else box.scrollTop = 0;
    }
  };
}
function line(event, i, now, go) {
  const { sign, tone } = kindOf(event.kind);
  return el(
    "li",
    { "data-kind": event.kind, class: i === now ? "kl-tl-now" : i > now ? "kl-tl-later" : null },
    // One line can be reached with Tab: the current one.
    el(
      "button",
      {
        class: `kl-tl-go kl-tone-${tone}`,
        tabindex: i === Math.max(0, now) ? "0" : "-1",
        "data-key": i,
        type: "button",
        title: `go to ${moment(event.at, 2)}`,
        "aria-current": i === now ? "true" : null,
        onclick: () => go(event.at)
      },
      el("time", { class: "kl-mono kl-soft" }, moment(event.at)),
      el("span", { class: "kl-mono kl-tl-since" }, event.since === null ? "" : clock.since(event.since)),
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
