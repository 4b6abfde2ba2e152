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
var SVG = /* @__PURE__ */ new Set(["svg", "g", "path", "line", "rect", "circle", "ellipse", "polyline", "polygon", "text", "tspan", "title", "defs", "pattern"]), PALETTE = 12;
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
function partitionColour(i) {
  return `var(--kl-p${Math.abs(Math.trunc(i)) % PALETTE})`;
}
function partitionInk(i) {
  return `var(--kl-on${Math.abs(Math.trunc(i)) % PALETTE})`;
}
function keyColour(i) {
  return `hsl(${(47 * Math.abs(Math.trunc(i)) + 20) % 360} 75% 50%)`;
}
function onTheme(fn) {
  let seen = new MutationObserver(() => requestAnimationFrame(fn));
  seen.observe(document.body, { attributes: !0, attributeFilter: ["data-jp-theme-light", "data-jp-theme-name", "class"] });
  let system = matchMedia("(prefers-color-scheme: dark)");
  return system.addEventListener("change", fn), () => {
    seen.disconnect(), system.removeEventListener("change", fn);
  };
}
function scaleOf(node) {
  return Number(getComputedStyle(node).getPropertyValue("--kl-scale")) || 1;
}
function reducedMotion() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
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
  let details2 = error instanceof Error && error.stack ? el("details", {}, el("summary", {}, "details"), el("pre", {}, error.stack)) : null;
  root.append(
    el(
      "div",
      { class: "kl-error", role: "alert", "data-message": message },
      el("strong", {}, "This view has a fault. "),
      message,
      " The cluster itself is not affected.",
      details2
    )
  );
}
function ownKeys(page2) {
  page2.setAttribute("data-lm-suppress-shortcuts", "true"), page2.addEventListener("keydown", (event) => {
    !event.ctrlKey && !event.metaKey && !event.altKey && event.stopPropagation();
  });
}
function showFault(root, text2) {
  let shown2 = root.querySelector(":scope > .kl-fault");
  if (!text2) return shown2?.remove();
  shown2?.getAttribute("data-text") !== text2 && (shown2?.remove(), root.append(el("div", { class: "kl-error kl-fault", role: "alert", "data-text": text2 }, shorten(text2, 600))));
}
function trouble(error) {
  if (!error) return [];
  let why = shorten(error.text.split(`
`)[0], 300).replace(/\.?$/, "."), past = error.at === null ? "" : ` What is drawn is how it was at ${clock.ofDay(error.at)}.`;
  return el("div", { class: "kl-notice kl-tone-bad", role: "status" }, el("b", {}, "The cluster does not answer now. "), why, past);
}
function legend(signs4) {
  return el(
    "ul",
    { class: "kl-legend", "aria-label": "legend" },
    signs4.map(([sign3, meaning]) => el("li", {}, el("span", { class: "kl-sign", "aria-hidden": "true" }, sign3), " ", meaning))
  );
}
var PARTS = { leader: "♛", follower: "●", behind: "◌", down: "✕" }, SIGNAL = {
  stop: "SIGTERM: it is asked to shut down; a broker hands its partitions over first",
  kill: "SIGKILL: ends at once, without telling anyone",
  pause: "SIGSTOP: frozen; its connections stay open, and no one is told",
  resume: "SIGCONT: it goes on where it was frozen",
  start: "starts the process again, with the data it had",
  cut: "takes it off the network: it runs on, but no connection gets in or out",
  join: "puts it on the network again"
}, two = (n) => String(n).padStart(2, "0"), clock = {
  /** Formats a number of seconds since something: "+3.12 s", "+2:05 min", "−0.40 s". @param {number} seconds */
  since(seconds) {
    let sign3 = seconds <= -5e-3 ? "−" : "+", size2 = Math.abs(seconds);
    return size2 < 99.995 ? `${sign3}${size2.toFixed(2)} s` : `${sign3}${clock.long(Math.round(size2))}`;
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
function shorten(text2, limit = 40) {
  let plain = String(text2).replace(/[\t\n\r\v\f]+/g, " ").replace(/[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g, "�"), letters = Array.from(plain);
  return letters.length <= limit ? plain : `${letters.slice(0, limit - 9).join("")}…${letters.slice(-8).join("")}`;
}
function emphasised(text2) {
  return text2.split(/([\w,]+ → [\w,]+)/).map((part, i) => i % 2 ? el("b", {}, part) : part);
}
function table(attrs, heads, rows, caption = "") {
  return el(
    "table",
    attrs,
    caption && el("caption", {}, caption),
    el("thead", {}, el("tr", {}, heads.map((word) => el("th", { scope: "col" }, word)))),
    el("tbody", {}, rows)
  );
}
function glide(node, from, duration, easing) {
  let now = node.getBoundingClientRect(), [x, y] = [from.left - now.left, from.top - now.top];
  Math.abs(x) + Math.abs(y) > 2 && node.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], { duration, easing });
}
function follow(box, first, change2) {
  let atEnd = box.scrollHeight - box.scrollTop - box.clientHeight < 30;
  change2(), first ? requestAnimationFrame(() => {
    box.scrollTop = box.scrollHeight;
  }) : atEnd && (box.scrollTop = box.scrollHeight);
}
function changed(now, before, ...names2) {
  return !before || names2.some((name) => now[name] !== before[name]);
}
function walked(key2, at, last) {
  let to = { ArrowDown: at + 1, ArrowRight: at + 1, ArrowUp: at - 1, ArrowLeft: at - 1, PageDown: at + 8, PageUp: at - 8, Home: 0, End: last }[key2];
  return to === void 0 ? void 0 : Math.max(0, Math.min(last, to));
}
function keeper(parent, key2, make) {
  let parts = /* @__PURE__ */ new Map();
  return (items) => {
    let wanted = new Set(items.map(key2));
    for (let [name, part] of parts)
      wanted.has(name) || (part.node.remove(), parts.delete(name));
    let at = parent.firstChild;
    for (let item of items) {
      let name = key2(item), part = parts.get(name) ?? make(item);
      parts.set(name, part), part.node === at ? at = at.nextSibling : parent.insertBefore(part.node, at), part.draw(item);
    }
  };
}
function news() {
  let last;
  return (...from) => last && last.length === from.length && last.every((value, i) => value === from[i]) ? !1 : (last = from, !0);
}
function refill(parent, children) {
  let active = (
    /** @type {HTMLElement | null} */
    document.activeElement
  ), held3 = active && parent.contains(active) ? active.dataset : null;
  if (parent.replaceChildren(...[children].flat(1 / 0).filter(Boolean)), !held3?.key) return;
  let all = [...parent.querySelectorAll("[data-key]")];
  (all.find((n) => n.dataset.key === held3.key) ?? all.find((n) => held3.node && n.dataset.node === held3.node))?.focus();
}
var OTHER = { means: "something else", sign: "·", tone: "plain", lane: "partitions", weight: 0 };
function kindOf(name) {
  return Object.hasOwn(events_default, name) ? (
    /** @type {Record<string, Kind>} */
    events_default[name]
  ) : OTHER;
}

// timeline/playhead.js
var browser = () => ({ now: () => performance.now(), frame: (f) => requestAnimationFrame(f), cancel: (id) => cancelAnimationFrame(id) });
function playhead({ seconds, at = 0, speed = 1, moved: moved2, time = browser() }) {
  let stand = { at: within2(at), playing: !1, speed, live: !1, heard: 0 }, stepped2 = 0, frame = null;
  function within2(value) {
    let moment2 = Number(value);
    return Number.isFinite(moment2) ? Math.min(Math.max(0, moment2), seconds) : 0;
  }
  function move(change2) {
    stand = { ...stand, ...change2 }, !stand.playing && frame !== null ? (time.cancel(frame), frame = null) : stand.playing && frame === null && (frame = time.frame(step)), moved2(stand);
  }
  function step() {
    frame = null;
    let now = time.now(), next = stand.at + (now - stepped2) / 1e3 * stand.speed;
    stepped2 = now, move(next >= seconds ? { at: seconds, playing: !1 } : { at: next });
  }
  let verbs = {
    /** Goes to a moment, and plays on from there if it was playing. @param {number} moment @param {number} [heard] */
    seek(moment2, heard = stand.heard) {
      stepped2 = time.now(), move({ at: within2(moment2), heard });
    },
    /** Plays from here, or from a moment; at the end it starts over. @param {{ speed?: number, at?: number, heard?: number }} [how] */
    play({ speed: wanted = stand.speed, at: from = stand.at, heard = stand.heard } = {}) {
      stepped2 = time.now();
      let fast = Number.isFinite(Number(wanted)) ? Math.min(1e3, Math.max(0.05, Number(wanted))) : stand.speed, begin2 = within2(from);
      move({ at: begin2 >= seconds ? 0 : begin2, speed: fast, playing: !0, heard });
    },
    /** @param {number} [heard] */
    pause(heard = stand.heard) {
      move({ playing: !1, heard });
    },
    /** Sets the speed, for now or for the next time. @param {number} wanted @param {number} [heard] */
    pace(wanted, heard = stand.heard) {
      let fast = Math.min(1e3, Math.max(0.05, Number(wanted) || stand.speed));
      move({ speed: fast, heard });
    }
  };
  return {
    ...verbs,
    /** The present state. */
    get stand() {
      return stand;
    },
    /** Carries out a request of the bar; returns whether a playhead can do it. */
    answer(message) {
      let heard = Number(message?.when) || stand.heard;
      if (message?.do === "seek") verbs.seek(message.at, heard);
      else if (message?.do === "play") verbs.play({ speed: message.speed, at: message.at, heard });
      else if (message?.do === "pause") verbs.pause(heard);
      else if (message?.do === "pace") verbs.pace(message.speed, heard);
      else if (message?.do === "live")
        verbs.pause(heard), verbs.seek(seconds, heard);
      else return !1;
      return !0;
    },
    /** Stops all further moves. */
    end() {
      frame !== null && time.cancel(frame), frame = null;
    }
  };
}

// page/model.js
function pageModel(traits, asked) {
  let values = { ...traits }, listeners = {}, told3 = (event, ...what) => {
    for (let listener of listeners[event] ?? []) listener(...what);
  };
  return {
    get: (name) => values[name],
    /** Sets a trait and calls its listeners, unless the value is the same. @param {string} name @param {any} value */
    set(name, value) {
      values[name] !== value && (values[name] = value, told3(`change:${name}`));
    },
    /** Delivers a message to the view, as a kernel would. @param {any} message */
    tell: (message) => told3("msg:custom", message),
    save_changes() {
    },
    on(event, listener) {
      listeners[event] = [...listeners[event] ?? [], listener];
    },
    off(event, listener) {
      listeners[event] = (listeners[event] ?? []).filter((one) => one !== listener);
    },
    send: asked
  };
}

// live.js
function live(name, label, build5) {
  return ({ model, el: root }) => {
    let page2 = el("div", { class: `kl kl-${name}`, role: label && "region", "aria-label": label }), eye = Math.random().toString(36).slice(2), hands = el("fieldset", { class: "kl-hands" }, page2), said2 = el("div", { class: "kl kl-standstill", "aria-live": "polite" });
    ownKeys(page2), root.append(said2, hands);
    let state = model.get("state"), drawn, asked = !1, still = "", standStill = (why, tone = "") => {
      still = why, hands.toggleAttribute("disabled", !!why), page2.classList.toggle("kl-still", !!why), said2.replaceChildren(...why ? [el("div", { class: `kl-notice ${tone}` }, why)] : []);
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
    }, view = guard(page2, () => build5(page2, { model, ask })), draw = () => {
      if (!state || state.n === void 0) return;
      let before = drawn;
      drawn = state, showFault(page2, state.fault), guard(page2, () => view?.draw(state, before));
    }, heard = {
      "msg:custom": (message) => {
        if (ear?.heard(), message?.kept && ear?.end(), (still || message?.kept) && standStill(message?.kept ?? ""), message?.whole !== void 0) {
          if (asked = !1, message.whole === null) return;
          state = message.whole, draw();
        } else message?.beat !== void 0 ? (asked = !1, message.beat > (state?.n ?? -1) && whole2()) : message?.patch ? message.n === state?.n + 1 ? (state = patched(state, message.patch), draw()) : message.n > (state?.n ?? -1) && whole2() : guard(page2, () => view?.heard?.(message));
      },
      "change:state": () => {
        state = model.get("state"), draw();
      },
      "change:presenter": () => page2.classList.toggle("kl-presenter", !!model.get("presenter"))
    }, listeners = Object.entries(heard).map(([event, fn]) => [event, (m) => guard(page2, () => fn(m))]);
    for (let [event, listener] of listeners) model.on(event, listener);
    return heard["change:presenter"](), draw(), hearAll(model).catch(console.warn), model.get("live") && whole2(), () => {
      ear?.end();
      for (let [event, listener] of listeners) model.off(event, listener);
      guard(page2, () => view?.end?.()), model.get("live") && ask({ do: "gone", eye });
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
  let [key2, ...rest2] = path;
  if (Array.isArray(at)) return at.map((element, i) => i === key2 ? change(element, rest2, op) : element);
  let gone = kind === "del" && rest2.length === 0, entries = Object.entries(at).filter(([name]) => name !== key2);
  if (gone) return Object.fromEntries(entries);
  let inner = Object.hasOwn(at, key2) ? at[key2] : void 0, next = change(inner, rest2, op);
  return Object.hasOwn(at, key2) ? Object.fromEntries(Object.entries(at).map(([name, was]) => [name, name === key2 ? next : was])) : Object.fromEntries([...entries, [key2, next]]);
}

// page/told.js
var KEPT_EVERY = 25, NEAR = 60;
async function unpack(text2) {
  let bytes2 = Uint8Array.from(atob(text2.trim()), (letter2) => letter2.charCodeAt(0)), stream = new Blob([bytes2]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}
function placeOf(times2, at) {
  let low = 0, high = times2.length;
  for (; low < high; ) {
    let middle = low + high >> 1;
    times2[middle] <= at ? low = middle + 1 : high = middle;
  }
  return Math.max(0, low - 1);
}
var Told = class {
  /** @param {Packed} packed */
  constructor({ at, first, patches, whole: whole2 }) {
    this.times = at, this.patches = patches, this.kept = new Map([[0, first], ...Object.entries(whole2).map(([place2, state]) => (
      /** @type {[number, any]} */
      [Number(place2), state]
    ))]), this.near = 0, this.state = first;
  }
  /** @param {number} at milliseconds since the recording began */
  at(at) {
    let wanted = placeOf(this.times, at);
    if (wanted === this.near) return this.state;
    let ahead = wanted - this.near, begin2 = this.near;
    if (ahead < 0 || ahead > NEAR) {
      for (let place2 of this.kept.keys()) place2 <= wanted && (begin2 > wanted || place2 > begin2) && (begin2 = place2);
      begin2 !== this.near && (this.state = this.kept.get(begin2));
    }
    for (let place2 = begin2 + 1; place2 <= wanted; place2++)
      this.state = patched(this.state, this.patches[place2 - 1]), (place2 % KEPT_EVERY === 0 || this.kept.has(place2)) && this.kept.set(place2, this.state);
    return this.near = wanted, this.state;
  }
};

// page/answers.js
function look(held3, message) {
  let found2 = [];
  for (let [p, [from, to]] of Object.entries(message.windows ?? {})) {
    let windows = held3.flatMap((one) => Object.hasOwn(one, p) ? [one[p]] : []).filter((one) => one.from < to && one.to > from);
    if (!windows.length) continue;
    let begin2 = Math.max(from, windows[0].from), end = Math.min(to, windows[windows.length - 1].to), within2 = (offset) => offset >= begin2 && offset < end, blank = windows.flatMap((one) => one.blank ?? []).map(([a, b]) => (
      /** @type {[number, number]} */
      [Math.max(a, begin2), Math.min(b, end)]
    )).filter(([a, b]) => a < b);
    found2.push([p, { from: begin2, to: end, cells: windows.flatMap((one) => one.cells.filter((cell) => within2(cell[0]))), ...blank.length ? { blank } : {} }]);
  }
  return found2.length ? { windows: Object.fromEntries(found2), id: message.id } : null;
}

// page/shelf.js
var QUIET = /* @__PURE__ */ new Set(["whole", "gone", "see", "look", "lanes"]), Shelf = class {
  /**
   * @param {HTMLElement} section holds the still picture of the first view until that view is drawn
   * @param {Entry[]} entries the views of one kind
   * @param {(tools: { model: any, el: HTMLElement }) => any} render
   * @param {{ at: number, presenter: boolean }} stand the moment that the page shows
   */
  constructor(section, entries, render, stand) {
    this.section = section, this.entries = entries, this.render = render, this.stand = stand, this.visible = !1, this.shown = /* @__PURE__ */ new Map(), this.opening = /* @__PURE__ */ new Map(), this.panels = entries.map((entry, i) => el("div", { class: "kl-page-panel", id: `${entry.id}-panel`, hidden: i > 0 })), this.said = el("p", { class: "kl-page-said kl-hidden", role: "status" }), this.chosen = 0, this.tabs = entries.length > 1 ? this.#tabs() : [], this.places = el("div", { class: "kl-page-panels" }, this.panels, this.said), section.append(this.places), this.places.hidden = !0, this.observer = new IntersectionObserver((seen) => {
      this.visible = seen[seen.length - 1].isIntersecting, this.visible && this.show();
    }, { rootMargin: "250px 0px" }), this.observer.observe(section);
  }
  /** Draws the chosen view at the moment that the page shows. */
  show() {
    let entry = this.entries[this.chosen], shown2 = this.shown.get(entry.id);
    if (!shown2) return void this.open(this.chosen);
    shown2.model.set("presenter", this.stand.presenter), shown2.model.set("state", shown2.told.at(Math.floor(this.stand.at * 1e3 + 1e-6)));
  }
  /** Draws again, if in sight, because the page shows another moment or another size. */
  moved() {
    this.visible && this.show();
  }
  /** Unpacks a view and draws it, once. @param {number} i */
  open(i) {
    let entry = this.entries[i], before = this.opening.get(entry.id);
    if (before) return before;
    let opened = this.#open(i).catch((error) => guard(this.panels[i], () => {
      throw error;
    }));
    return this.opening.set(entry.id, opened), opened;
  }
  async #open(i) {
    let entry = this.entries[i], source = document.getElementById(entry.id), packed = await unpack(source?.textContent ?? "");
    source?.remove();
    let told3 = new Told(packed), state = told3.at(Math.floor(this.stand.at * 1e3 + 1e-6)), model = pageModel({ ...packed.traits, live: !1, presenter: this.stand.presenter, state }, (message) => {
      let answer = message?.do === "look" && packed.answers ? look(packed.answers, message) : null;
      answer ? setTimeout(() => model.tell(answer), 0) : this.#asked(message);
    });
    this.shown.set(entry.id, { model, told: told3 }), this.section.classList.remove("kl-page-still");
    for (let still of this.section.querySelectorAll(":scope > .kl-page-picture, :scope > details")) still.remove();
    this.places.hidden = !1, this.render({ model, el: this.panels[i] });
  }
  #asked(message) {
    QUIET.has(message?.do) || (this.said.classList.remove("kl-hidden"), this.said.textContent = "This needs a notebook: the page holds what was recorded, and no kernel stands behind it.", clearTimeout(this.quiet), this.quiet = setTimeout(() => {
      this.said.textContent = "", this.said.classList.add("kl-hidden");
    }, 6e3));
  }
  #tabs() {
    let tabs = this.entries.map((entry, i) => (this.panels[i].setAttribute("role", "tabpanel"), this.panels[i].setAttribute("aria-labelledby", `${entry.id}-tab`), el("button", {
      type: "button",
      role: "tab",
      class: "kl-page-tab",
      id: `${entry.id}-tab`,
      "aria-controls": `${entry.id}-panel`,
      "aria-selected": String(i === 0),
      tabindex: i === 0 ? "0" : "-1",
      title: shorten(entry.name, 300),
      onclick: () => this.choose(i)
    }, el("bdi", {}, shorten(entry.name || `${i + 1}`, 32))))), list = el("div", { class: "kl-page-tabs", role: "tablist", "aria-label": this.entries[0].heading }, tabs);
    return list.addEventListener("keydown", (event) => {
      let last = tabs.length - 1, to = { ArrowRight: this.chosen === last ? 0 : this.chosen + 1, ArrowLeft: this.chosen === 0 ? last : this.chosen - 1, Home: 0, End: last }[event.key];
      to !== void 0 && (event.preventDefault(), this.choose(to), tabs[to].focus());
    }), this.section.querySelector("h2")?.after(list), tabs;
  }
  /** Shows another of the views. @param {number} i */
  choose(i) {
    this.chosen = i;
    for (let [at, panel] of this.panels.entries())
      panel.hidden = at !== i, this.tabs[at].setAttribute("aria-selected", String(at === i)), this.tabs[at].tabIndex = at === i ? 0 : -1;
    this.show();
  }
};

// page/happened.js
function happened(page2, jump) {
  let box = (
    /** @type {HTMLElement | null} */
    page2.querySelector(".kl-page-rows")
  ), links = (
    /** @type {HTMLAnchorElement[]} */
    [...page2.querySelectorAll(".kl-page-rows a[data-t]")]
  ), times2 = links.map((link) => Number(link.dataset.t)), current2;
  for (let [i, link] of links.entries()) {
    let row = link.closest("tr"), { sign: sign3, tone } = kindOf(row?.dataset.kind ?? "");
    row?.lastElementChild?.prepend(el("span", { class: `kl-page-sign kl-tone-${tone}`, "aria-hidden": "true" }, sign3)), link.addEventListener("click", (event) => {
      event.ctrlKey || event.metaKey || event.shiftKey || (event.preventDefault(), jump(times2[i]));
    });
  }
  return {
    /** Marks the last event up to the moment that the page shows. @param {number} at */
    at(at) {
      let last = -1;
      for (; last + 1 < times2.length && times2[last + 1] <= at + 5e-4; ) last++;
      let row = last < 0 ? null : links[last].closest("tr");
      if (row === current2 || (current2?.removeAttribute("aria-current"), row?.setAttribute("aria-current", "true"), current2 = row, !box || !row || box.contains(document.activeElement))) return;
      let top = row.offsetTop - box.clientHeight / 2;
      Math.abs(box.scrollTop - top) > 4 && (box.scrollTop = top);
    }
  };
}

// page/tools.js
function tools({ views, link, presenter }) {
  let said2 = el("span", { class: "kl-page-copied", role: "status" }), field = el("input", { class: "kl-page-link", readonly: !0, hidden: !0, "aria-label": "link to this moment" }), copy = async () => {
    let text2 = link(), copied = await navigator.clipboard?.writeText(text2).then(() => !0, () => !1) ?? !1;
    field.hidden = copied, field.value = text2, copied || field.select(), said2.textContent = copied ? "copied" : "copy it from here:", clearTimeout(quiet), copied && (quiet = setTimeout(() => {
      said2.textContent = "";
    }, 3e3));
  }, quiet, colours = el(
    "select",
    { class: "kl-select", onchange: () => theme(colours.value) },
    el("option", { value: "" }, "as the system"),
    el("option", { value: "light" }, "light"),
    el("option", { value: "dark" }, "dark")
  );
  return el(
    "div",
    { class: "kl-page-tools" },
    views.length > 1 ? el("nav", { "aria-label": "views on this page" }, el("ul", {}, views.map(({ id, heading }) => el("li", {}, el("a", { href: `#${id}` }, heading))))) : null,
    el(
      "div",
      { class: "kl-page-switches" },
      el("label", {}, "colours ", colours),
      el("label", {}, el("input", { type: "checkbox", onchange: (event) => presenter(event.target.checked) }), " larger"),
      el("button", { type: "button", class: "kl-button", onclick: copy, title: "the address of this page at the moment it shows" }, "copy link to this moment"),
      said2,
      field
    )
  );
}
function theme(name) {
  name ? document.body.setAttribute("data-jp-theme-light", String(name === "light")) : document.body.removeAttribute("data-jp-theme-light"), document.documentElement.style.colorScheme = name;
}

// page/pace.js
function pacer(now = () => performance.now()) {
  let last = now(), passed = 0, slow = 0;
  return (playing) => {
    let took = now() - last;
    return last += took, passed === 0 && took < 1e3 && (slow = 0.7 * slow + 0.3 * took), playing && passed < Math.min(5, Math.floor(slow / 24)) ? (passed++, !1) : (passed = 0, !0);
  };
}

// page/pin.js
var SMALL = "kl-page-small";
function pin(bar3) {
  let mark2 = el("div", { class: "kl-page-mark", "aria-hidden": "true" });
  bar3.before(mark2);
  let small = !1, more = 0;
  function measure() {
    bar3.classList.remove(SMALL);
    let large = bar3.offsetHeight;
    bar3.classList.add(SMALL), more = Math.max(0, large - bar3.offsetHeight), document.documentElement.style.scrollPaddingTop = `${bar3.offsetHeight + 10}px`, bar3.style.setProperty("--kl-page-more", `${more}px`), mark2.style.top = `${more}px`, draw();
  }
  function draw() {
    bar3.classList.toggle(SMALL, small), bar3.style.marginTop = small ? `${more}px` : "";
  }
  new IntersectionObserver((entries) => {
    let { isIntersecting, boundingClientRect } = entries[entries.length - 1];
    small = !isIntersecting && boundingClientRect.top < 0, draw();
  }).observe(mark2);
  let width = 0;
  return new ResizeObserver(() => {
    bar3.clientWidth !== width && (width = bar3.clientWidth, measure());
  }).observe(bar3), { measure };
}

// page/address.js
function momentIn(hash, seconds) {
  let found2 = /^#t=(\d+(?:\.\d+)?)$/.exec(hash);
  return found2 ? Math.min(Number(found2[1]), seconds) : null;
}
function address(href, at) {
  return `${href.split("#")[0]}#t=${Math.max(0, at).toFixed(3)}`;
}

// axis.js
var CLOCK = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 21600, 43200, 86400];
function roundStep(least) {
  let power = 10 ** Math.floor(Math.log10(least));
  return ([1, 2, 5].find((m) => m * power >= least * (1 - 1e-9)) ?? 10) * power;
}
function timeStep(least) {
  return CLOCK.find((step) => step >= least) ?? Math.ceil(least / 86400) * 86400;
}
function ticks(from, to, step) {
  let first = Math.ceil(from / step - 1e-9), last = Math.floor(to / step + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

// timeline/moments.js
var NEAR2 = 5e-4;
function lastBy(list, at, time) {
  let low = 0, high = list.length;
  for (; low < high; ) {
    let middle = low + high >> 1;
    time(list[middle]) <= at + NEAR2 ? low = middle + 1 : high = middle;
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
  for (; i >= 0 && moments[i] > at - NEAR2; ) i--;
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
function brokersUp(steps3, at) {
  let row = stepAt(steps3.brokers, at);
  if (!row) return { text: "not read yet", down: !1, known: !1 };
  let [, up2, of] = row;
  return { text: `${up2} of ${of} broker${of === 1 ? "" : "s"} up`, down: up2 < of, known: !0 };
}
function wrong(steps3, at) {
  let down = stepAt(steps3.brokers, at)?.[3] ?? [], leaderless = stepAt(steps3.leaderless, at)?.[1] ?? 0, short = stepAt(steps3.short, at)?.[1] ?? 0, partitions = (n) => `${count(n)} partition${n === 1 ? "" : "s"}`;
  return [
    down.length ? `broker${down.length === 1 ? "" : "s"} ${down.join(", ")} ${down.length === 1 ? "is" : "are"} down` : "",
    leaderless ? `${partitions(leaderless)} without a leader` : "",
    short ? `${partitions(short)} under-replicated` : ""
  ].filter(Boolean).join(", ");
}
function said(state) {
  let at = state.live ? `live, ${spoken(state.at)}` : spoken(state.at), problem = wrong(state.steps, state.at) || (state.steps.brokers.length ? "all brokers are up" : ""), event = state.events[current(state.events, state.at)], name = state.named.find((n) => Math.abs(n.at - state.at) < NEAR2);
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
  let last = {}, found2 = [];
  for (let i = 0; i < events.length; i++) {
    let { at, kind } = events[i];
    if (at < now.from) continue;
    if (at > now.to) break;
    let { lane: lane2, weight } = kindOf(kind), x = place(now, at) * width, before = last[lane2];
    if (before && x - before.x < room(before.count) * scale) {
      before.count++, weight > kindOf(before.kind).weight && (before.kind = kind);
      continue;
    }
    found2.push(last[lane2] = { at, x, kind, lane: lane2, first: i, count: 1 });
  }
  return found2;
}
function corners(rows, now, width, until, value) {
  let found2 = [], piece = null, last = Math.min(until, now.to);
  for (let i = 0; i < rows.length; i++) {
    let from = Math.max(rows[i][0], now.from), to = Math.min(i + 1 < rows.length ? rows[i + 1][0] : last, last);
    if (to < from) continue;
    let v = value(rows[i]);
    if (v === null) {
      piece = null;
      continue;
    }
    piece || found2.push(piece = []), piece.push([place(now, from) * width, v], [place(now, to) * width, v]);
  }
  return found2;
}

// timeline/stage.js
var LANES = (
  /** @type {[string, string][]} */
  [["you", "you"], ["brokers", "brokers"], ["partitions", "partitions"], ["groups", "groups"]]
);
function stage(tools2) {
  let lanes2 = Object.fromEntries(LANES.map(([lane2]) => [lane2, el("div", { class: "kl-tl-lane", "data-lane": lane2 })])), names2 = Object.fromEntries(LANES.map(([lane2, name]) => [lane2, el("span", { class: "kl-tl-lane" }, name)])), values = Object.fromEntries(LANES.map(([lane2]) => [lane2, el("span", { class: "kl-tl-lane kl-mono" })])), done = el("div", { class: "kl-tl-done" }), known = el("div", { class: "kl-tl-known" }), thumb = el("div", { class: "kl-tl-thumb" }), slider = el(
    "div",
    { class: "kl-tl-slider", role: "slider", tabindex: "0", "aria-label": "moment of the recording", "aria-valuemin": "0", onkeydown: tools2.key },
    known,
    done,
    thumb
  ), scale = el("div", { class: "kl-tl-axis", "aria-hidden": "true" }), health = strip(), line4 = el("div", { class: "kl-tl-line", "aria-hidden": "true" }), ghost = el("div", { class: "kl-tl-ghost", "aria-hidden": "true" }), view = el("div", { class: "kl-tl-sight" }), over = el("div", { class: "kl-tl-over", "aria-hidden": "true", title: "the whole recording; what is drawn above is marked" }, view), plot2 = el(
    "div",
    { class: "kl-tl-plot" },
    LANES.map(([lane2]) => lanes2[lane2]),
    slider,
    scale,
    health.plot,
    over,
    ghost,
    line4
  ), length = el("span", { class: "kl-tl-slider kl-mono" }), root = el(
    "div",
    { class: "kl-tl-stage" },
    el("div", { class: "kl-tl-names", "aria-hidden": "true" }, LANES.map(([lane2]) => names2[lane2]), el("span", { class: "kl-tl-slider" }, "moment"), el("span", { class: "kl-tl-axis" }), health.names),
    plot2,
    el("div", { class: "kl-tl-values" }, LANES.map(([lane2]) => values[lane2]), length, el("span", { class: "kl-tl-axis" }), health.values)
  ), state, zoom = { span: null, end: 0 }, now = { from: 0, to: 1 }, drawn = [], marks = [], dragging = !1, share = (x, box) => {
    let { left, width } = box.getBoundingClientRect();
    return Math.min(1, Math.max(0, (x - left) / Math.max(1, width)));
  }, under = (event) => momentAt(now, share(event.clientX, plot2), state.seconds);
  plot2.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    let target = (
      /** @type {HTMLElement} */
      event.target
    );
    slider.focus({ preventScroll: !0 }), event.preventDefault();
    let tick = target.closest("[data-at]");
    return tick ? tools2.to(Number(
      /** @type {HTMLElement} */
      tick.dataset.at
    ), !1) : over.contains(target) ? tools2.to(share(event.clientX, over) * whole(state.seconds, state.going), !1) : (dragging = !0, plot2.setPointerCapture(event.pointerId), tools2.to(under(event), !0));
  }), plot2.addEventListener("pointermove", (event) => {
    if (dragging) return tools2.to(under(event), !0);
    let tick = (
      /** @type {HTMLElement | null} */
      /** @type {HTMLElement} */
      event.target.closest("[data-at]")
    ), at = tick ? Number(tick.dataset.at) : under(event);
    return ghost.style.left = `${place(now, at) * 100}%`, ghost.hidden = over.contains(
      /** @type {Node} */
      event.target
    ), tools2.tip(tick ? tick.getAttribute("title") : null);
  }), plot2.addEventListener("pointerleave", () => {
    ghost.hidden = !0, tools2.tip(null);
  });
  let drop = () => {
    dragging && (dragging = !1, tools2.dropped());
  };
  plot2.addEventListener("pointerup", drop), plot2.addEventListener("pointercancel", drop), plot2.addEventListener("wheel", (event) => {
    !event.ctrlKey && !event.metaKey || (event.preventDefault(), tools2.zoom(event.deltaY > 0 ? 1.3 : 1 / 1.3, momentAt(now, share(event.clientX, plot2), state.seconds), now));
  }, { passive: !1 }), ghost.hidden = !0;
  let resized = new ResizeObserver(() => state && draw(state, zoom));
  resized.observe(plot2);
  function drawSigns(width, k) {
    let ticks4 = crowded(marks, now, width, k);
    for (let [lane2] of LANES) {
      let mine = ticks4.filter((t) => t.lane === lane2);
      lanes2[lane2].replaceChildren(...mine.map(tickOf));
      let none = !marks.some((m) => kindOf(m.kind).lane === lane2);
      for (let part of [lanes2[lane2], names2[lane2], values[lane2]]) part.hidden = none && lane2 === "groups";
    }
  }
  function tickOf(tick) {
    let { sign: sign3, tone } = kindOf(tick.kind), first = (
      /** @type {any} */
      marks[tick.first]
    ), title = tick.count === 1 ? sentence(first) : `${tick.count} here, first: ${sentence(first)}`;
    return el(
      "span",
      { class: `kl-tl-tick kl-tone-${tone}`, style: { left: `${place(now, tick.at) * 100}%` }, "data-at": tick.at, "data-kind": tick.kind, title },
      sign3,
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
    let width = plot2.clientWidth, k = scaleOf(root);
    (!dragging || wanted.span !== zoom.span) && (now = shown(wanted, state)), zoom = { span: wanted.span, end: now.to }, (drawn[0] !== state.events || drawn[1] !== state.named) && (marks = [...state.events, ...state.named.map((n) => ({ at: n.at, since: null, kind: "named", text: `★ ${n.name}` }))].sort((a, b) => a.at - b.at));
    let key2 = [state.events, state.named, now.from, now.to, width, k];
    key2.some((part2, i) => part2 !== drawn[i]) && (drawn = key2, drawSigns(width, k), drawAxis(width, k)), health.draw(state, now, width);
    let part = (at) => `${Math.min(100, Math.max(0, place(now, at) * 100))}%`, from = place(now, 0) < 0 ? "0%" : part(0);
    known.style.left = from, known.style.width = `calc(${part(state.seconds)} - ${from})`, done.style.width = part(state.at), thumb.style.left = line4.style.left = part(state.at), length.textContent = moment(state.seconds, 0), over.hidden = zoom.span === null;
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
    let area = el("path", { class: "kl-tl-area", fill: `url(#${id}-${row.key})` }), edge = el("path", { class: "kl-tl-edge" }), pattern = hatch(`${id}-${row.key}`, row.key), well = row.key === "brokers" ? el("rect", { class: "kl-tl-well", y: 4, height: HIGH - 4 }) : null, picture2 = el("svg", { class: "kl-tl-strip", "data-row": row.key, preserveAspectRatio: "none", "aria-hidden": "true" }, pattern, well, area, edge), value = el("span", { class: "kl-tl-strip kl-mono", "data-row": row.key });
    return { row, area, edge, well, picture: picture2, value, name: el("span", { class: "kl-tl-strip", title: row.about }, row.name), drawn: (
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
        let steps3 = (
          /** @type {[number, ...any[]][]} */
          state.steps[r.row.key]
        ), row = stepAt(steps3, state.at), text2 = row ? r.row.words(row, 0) : "–";
        r.value.textContent !== text2 && (r.value.textContent = text2);
        let wrong2 = !!(row && r.row.key !== "lag" && r.row.value(row));
        r.value.classList.toggle("kl-tone-bad", wrong2 && r.row.bad), r.value.classList.toggle("kl-tone-warn", wrong2 && !r.row.bad);
        let key2 = [steps3, now.from, now.to, width, Math.min(state.seconds, now.to)];
        if (key2.every((part, i) => part === r.drawn[i])) continue;
        r.drawn = key2;
        let pieces2 = corners(steps3, now, width, state.seconds, (row2) => r.row.value(row2) || (r.row.key === "lag" ? r.row.value(row2) : null));
        if (r.well) {
          let [from, to] = [Math.max(0, place(now, 0)) * width, Math.min(1, place(now, state.seconds)) * width];
          r.well.setAttribute("x", String(from)), r.well.setAttribute("width", String(steps3.length ? Math.max(0, to - from) : 0));
        }
        let most = r.row.key === "brokers" ? Math.max(1, ...steps3.map((s) => s[2])) : Math.max(1, ...pieces2.flat().map((c) => c[1]));
        r.picture.setAttribute("viewBox", `0 0 ${Math.max(1, width)} ${HIGH}`);
        let hangs = r.row.key === "brokers", y = (v) => hangs ? 4 + v / most * (HIGH - 4) : HIGH - 4 - v / most * (HIGH - 12), path = (piece) => piece.map(([x, v], i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y(v).toFixed(1)}`).join(""), ground = hangs ? 4 : HIGH;
        r.area.setAttribute("d", pieces2.map((p) => `${path(p)}L${p[p.length - 1][0].toFixed(1)} ${ground}L${p[0][0].toFixed(1)} ${ground}Z`).join("")), r.edge.setAttribute("d", pieces2.map(path).join(""));
      }
    }
  };
}
function hatch(id, key2) {
  let ink = {
    /** @type {string} */
    brokers: "bad",
    leaderless: "bad",
    short: "warn",
    lag: "accent"
  }[key2], d = { brokers: "M-1 5L1 -5M0 30L6 0M5 35L7 25", leaderless: "M0 0L6 30M6 0L0 30", short: "M1.5 0V30", lag: "" }[key2], parts = [el("rect", { width: 6, height: 30, fill: `var(--kl-${ink})`, "fill-opacity": key2 === "lag" ? 0.28 : 0.16 })];
  return d && parts.push(el("path", { d, stroke: `var(--kl-${ink})`, "stroke-width": 1.4, fill: "none", "vector-effect": "non-scaling-stroke" })), el("pattern", { id, width: 6, height: 30, patternUnits: "userSpaceOnUse" }, parts);
}

// timeline/view.js
var APART = 80, LEGEND = [["▸", "you did"], ["★", "a moment with a name"], ["✕", "failed"], ["♛", "another leader"], ["◆", "another controller"], ["◌", "the ISR shrank"], ["●", "back again"], ["⇄", "a group changed"]], ICONS = { play: "M3 1.5v9l7.5-4.5z", pause: "M2.5 1.5h2.5v9H2.5zM7 1.5h2.5v9H7z", back: "M1.5 1.5h2v9h-2zM11 1.5v9L4 6z", forth: "M8.5 1.5h2v9h-2zM1 1.5v9L8 6z" }, icon = (name) => el("svg", { class: "kl-tl-icon", viewBox: "0 0 12 12", "aria-hidden": "true" }, el("path", { d: ICONS[name] }));
function timelineBar(root, ask) {
  let state, held3 = null, zoom = { span: null, end: 0 }, known = [], last = 0, sent = 0, waiting2, button2 = (sign3, label, onclick, title = label) => el("button", { class: "kl-button", type: "button", "aria-label": label, title, onclick }, ICONS[sign3] ? icon(sign3) : el("span", { "aria-hidden": "true" }, sign3)), name = el("b", { class: "kl-tl-name" }), pills2 = el("span", { class: "kl-tl-pills" }), up2 = el("span", { class: "kl-pill kl-tl-up" }), time = el("span", { class: "kl-tl-moment kl-mono" }), day = el("span", { class: "kl-soft kl-mono", title: "the time of day" }), since = el("span", { class: "kl-tl-acted" }), where = el("span", { class: "kl-tl-where" }), earlier2 = button2("back", "to the event before", () => step(-1), "to the event before (Page Up)"), play = button2("play", "play", toggle), later = button2("forth", "to the next event", () => step(1), "to the next event (Page Down)"), speed = el("select", { class: "kl-select", "aria-label": "how fast it plays", onchange: () => tell({ do: "pace", speed: Number(speed.value) }) }), live2 = el("button", { class: "kl-button kl-tl-live", type: "button", onclick: toLive }, el("span", { "aria-hidden": "true" }, "● "), "live"), range = el("select", { class: "kl-select", "aria-label": "how much is shown", onchange: () => span(range.value === "" ? null : Number(range.value)) }), nearer = button2("+", "show less time, larger", () => around2(0.5), "larger (+ on the slider, or Ctrl and the wheel)"), farther = button2("−", "show more time, smaller", () => around2(2), "smaller (− on the slider)"), tip = el("p", { class: "kl-tl-tip" }), problem = el("p", { class: "kl-notice kl-tl-problem", role: "status" }), heard = el("p", { class: "kl-hidden", role: "status" }), picture2 = stage({
    to: drag2,
    dropped: flush,
    key: key2,
    zoom: (factor, at, now) => setZoom(zoomed(zoom, factor, at, now, all())),
    tip: (text2) => {
      hint = text2, drawTip();
    }
  }), names2 = named({ go: jump, add: (text2) => tell({ do: "name", name: text2, at: shown2().live ? null : shown2().at }) }), list = happened2(jump), hint = null, box = el(
    "section",
    { class: "kl-tl" },
    el("div", { class: "kl-tl-head" }, name, pills2, up2, el("span", { class: "kl-tl-when" }, where, day, time)),
    el(
      "div",
      { class: "kl-tl-bar" },
      el("span", { class: "kl-tl-buttons", role: "group", "aria-label": "playing" }, earlier2, play, later, speed, live2),
      el("span", { class: "kl-tl-buttons", role: "group", "aria-label": "zoom" }, farther, range, nearer),
      names2.form
    ),
    problem,
    picture2.root,
    el("div", { class: "kl-tl-told" }, tip, since),
    names2.chips,
    list.root,
    legend(LEGEND),
    heard
  );
  root.append(box);
  let all = () => whole(state.seconds, state.going), moments = () => ((known[0] !== state.events || known[1] !== state.named) && (known = [state.events, state.named, stops(state)]), /** @type {number[]} */
  known[2]), shown2 = () => held3 ? { ...state, at: held3.live ? state.seconds : Math.min(held3.at, state.seconds), live: held3.live } : state;
  function tell(message, holding = !1) {
    last = Math.max(last + 1, Date.now()), sent = last, held3 && holding && (held3.when = last), ask({ ...message, when: last });
  }
  function flush() {
    clearTimeout(waiting2), waiting2 = void 0, held3 && held3.when === 1 / 0 && tell({ do: "seek", at: held3.at }, !0);
  }
  function drag2(at, dragging) {
    if (state.going && at >= state.seconds) return shown2().live ? void 0 : toLive();
    held3 = { at: Math.round(at * 1e3) / 1e3, live: !1, when: 1 / 0 };
    let wait = sent + APART - Date.now();
    return !dragging || wait <= 0 ? flush() : waiting2 ??= setTimeout(flush, wait), redraw();
  }
  function jump(at) {
    drag2(at, !1), heard.textContent = said(shown2());
  }
  function step(way) {
    let at = neighbour(moments(), shown2().at, way);
    at !== null && jump(at);
  }
  function toLive() {
    return state.going ? (held3 = { at: state.seconds, live: !0, when: 1 / 0 }, tell({ do: "live" }, !0), redraw()) : jump(state.seconds);
  }
  function toggle() {
    flush(), state.playing ? tell({ do: "pause" }) : tell({ do: "play", speed: Number(speed.value) || state.speed, at: shown2().live ? 0 : shown2().at });
  }
  function setZoom(next) {
    zoom = next, redraw();
  }
  let around2 = (factor) => setZoom(zoomed(zoom, factor, shown2().at, picture2.now, all()));
  function span(seconds) {
    let next = zoomed({ span: all(), end: 0 }, seconds === null ? 2 : seconds / all(), shown2().at, picture2.now, all());
    setZoom(next.span === null ? next : { ...next, span: seconds });
  }
  function key2(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    let at = shown2().at, far = event.shiftKey ? 1 : 0.1, keys = (
      /** @type {Record<string, () => void>} */
      {
        ArrowLeft: () => drag2(Math.max(0, at - far), !0),
        ArrowDown: () => drag2(Math.max(0, at - far), !0),
        ArrowRight: () => ahead(at + far),
        ArrowUp: () => ahead(at + far),
        PageUp: () => step(-1),
        PageDown: () => step(1),
        Home: () => drag2(0, !1),
        End: toLive,
        " ": toggle,
        "+": () => around2(0.5),
        "-": () => around2(2)
      }
    ), does = Object.hasOwn(keys, event.key) ? keys[event.key] : void 0;
    does && (event.preventDefault(), does());
  }
  function ahead(at) {
    shown2().live || drag2(Math.min(state.seconds, at), !0);
  }
  function drawTip() {
    let now = shown2(), event = now.events[current(now.events, now.at)], text2 = hint ?? (event ? sentence(event) : now.events.length ? "nothing had happened yet" : "");
    tip.classList.toggle("kl-tl-hint", hint !== null), tip.textContent !== text2 && (tip.textContent = text2);
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
    zoom = picture2.draw(now, zoom), drawWhere(now);
    let { text: text2, down, known: looked } = brokersUp(now.steps, now.at);
    up2.replaceChildren(el("span", { "aria-hidden": "true" }, looked ? down ? "✕ " : "● " : ""), text2), up2.classList.toggle("kl-tone-bad", down), up2.classList.toggle("kl-tone-ok", looked && !down), drawTip(), names2.draw(now), list.draw(now), earlier2.setAttribute("aria-disabled", String(neighbour(moments(), now.at, -1) === null)), later.setAttribute("aria-disabled", String(neighbour(moments(), now.at, 1) === null));
    let does = now.playing ? "pause" : "play";
    play.dataset.does !== does && play.replaceChildren(icon(does)), play.dataset.does = does, play.setAttribute("aria-label", does), play.title = now.playing ? "pause (Space)" : "play (Space)", live2.hidden = !now.going, live2.setAttribute("aria-pressed", String(now.live));
    let spans2 = SPANS.filter(([seconds]) => seconds === null || seconds < all()), chosen = zoom.span === null ? "" : String(zoom.span), options = spans2.some(([seconds]) => String(seconds ?? "") === chosen) ? spans2 : [
      ...spans2,
      /** @type {[number, string]} */
      [Number(zoom.span), stretch(Number(zoom.span))]
    ];
    choose(range, options.map(([seconds, words]) => [String(seconds ?? ""), words]), chosen), choose(speed, now.speeds.map((s) => [String(s), times(s)]), String(now.speed)), nearer.setAttribute("aria-disabled", String(zoom.span !== null && zoom.span <= 2)), farther.setAttribute("aria-disabled", String(zoom.span === null));
  }
  return {
    /** @param {State} next @param {State | undefined} before */
    draw(next, before) {
      if (state = next, held3 && !picture2.dragging && next.heard >= held3.when && (held3 = null), changed(next, before, "name", "kafka", "label", "problem")) {
        let title = shorten(next.name, 60);
        name.textContent = title, box.setAttribute("aria-label", `time line of ${title}`), pills2.replaceChildren(...[next.kafka, next.label].filter(Boolean).map((text2) => el("span", { class: "kl-pill" }, shorten(text2, 60)))), problem.textContent = shorten(next.problem, 600), problem.hidden = !next.problem;
      }
      redraw();
    },
    end() {
      clearTimeout(waiting2), picture2.end();
    }
  };
}
function choose(select2, options, chosen) {
  let key2 = JSON.stringify(options);
  select2.dataset.key !== key2 && (select2.dataset.key = key2, select2.replaceChildren(...options.map(([value, words]) => el("option", { value }, words)))), select2.value !== chosen && document.activeElement !== select2 && (select2.value = chosen);
}
var LONGEST = 80;
function named({ go, add }) {
  let field = el("input", { class: "kl-tl-field", type: "text", maxlength: LONGEST, placeholder: "name this moment", "aria-label": "name of this moment", autocomplete: "off" }), star = el("button", { class: "kl-button", type: "submit", "aria-label": "name this moment", title: "name this moment (Enter)" }, "★"), form = el("form", { class: "kl-tl-buttons kl-tl-form", onsubmit: give }, field, star), chips = el("ul", { class: "kl-tl-chips", "aria-label": "moments with a name" }), drawn;
  function give(event) {
    event.preventDefault();
    let text2 = field.value.trim();
    if (!text2) return field.focus();
    add(text2), field.value = "";
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
      for (let chip3 of chips.querySelectorAll("button"))
        Math.abs(Number(chip3.dataset.at) - state.at) < 5e-4 ? chip3.setAttribute("aria-current", "true") : chip3.removeAttribute("aria-current");
    }
  };
}
var LINES = 90;
function happened2(go) {
  let list = el("ol", { class: "kl-tl-lines", "aria-label": "what happened; Enter goes to the moment" }), none = el("p", { class: "kl-tl-none" }, "Nothing happened yet. What you do to a node, and what Kafka makes of it, will be listed here."), box = el("div", { class: "kl-tl-list" }, none, list), root = el("div", { class: "kl-tl-happened" }, el("h4", { class: "kl-title" }, "What happened"), box), events = [], first = 0, at = -2, focused = -1, button2 = (i) => (
    /** @type {HTMLElement | null} */
    list.querySelector(`[data-i="${i}"]`)
  );
  list.addEventListener("click", (event) => {
    let found2 = (
      /** @type {HTMLElement} */
      event.target.closest("[data-i]")
    );
    found2 && go(events[Number(
      /** @type {HTMLElement} */
      found2.dataset.i
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
    button2(i) || fill(i), focused = i, rove(i);
    let found2 = button2(i);
    found2?.focus({ preventScroll: !0 }), found2 && into(found2);
  }
  function rove(i) {
    for (let b of list.querySelectorAll("button[tabindex='0']")) b.setAttribute("tabindex", "-1");
    (button2(i) ?? list.querySelector("button"))?.setAttribute("tabindex", "0");
  }
  function into(node) {
    let top = node.offsetTop - list.offsetTop, bottom = top + node.offsetHeight, room2 = Math.min(44, box.clientHeight / 4);
    top < box.scrollTop + room2 ? box.scrollTop = top - room2 : bottom > box.scrollTop + box.clientHeight - room2 && (box.scrollTop = bottom - box.clientHeight + room2);
  }
  function fill(around2) {
    first = Math.max(0, Math.min(around2 - LINES / 2, events.length - LINES)), list.replaceChildren(...events.slice(first, first + LINES).map((event, i) => line(event, first + i))), list.setAttribute("start", String(first + 1)), mark2(at);
  }
  function mark2(i) {
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
      if (mark2(now), focused >= 0 && button2(focused)) return;
      rove(now);
      let found2 = button2(now);
      found2 ? requestAnimationFrame(() => into(found2)) : box.scrollTop = 0;
    }
  };
}
function line(event, i) {
  let { sign: sign3, tone } = kindOf(event.kind), since = event.since === null ? "" : clock.since(event.since);
  return el(
    "li",
    { "data-kind": event.kind },
    el(
      "button",
      { class: `kl-tl-go kl-tone-${tone}`, tabindex: "-1", "data-i": i, type: "button", title: `go to ${moment(event.at, 2)}` },
      el("time", { class: "kl-mono kl-soft" }, moment(event.at)),
      el("span", { class: "kl-mono kl-tl-since" }, since),
      el("span", { class: "kl-mark", "aria-hidden": "true" }, sign3),
      el("span", { class: "kl-tl-said" }, emphasised(shorten(event.text, 260)))
    )
  );
}
var view_default = {
  render: live("timeline", null, (page2, { ask }) => timelineBar(page2, ask))
};

// cluster/panels.js
var TOPICS_DRAWN = 8, WORDS = { leader: "leads", follower: "follows", behind: "behind", down: "on a broker that is down" };
function brokerCards(parent, hands) {
  let list = el("div", { class: "kl-brokers" }), more = el("p", { class: "kl-none" }), field = el("input", { class: "kl-select kl-find-field", type: "search", "aria-label": "find a partition", placeholder: "find a partition: orders 7" }), told3 = el("span", { class: "kl-none", role: "status" }), find = el("div", { class: "kl-find", role: "search", hidden: !0 }, field, told3);
  parent.append(find, list, more);
  let keep = keeper(list, ({ broker }) => broker.id, ({ broker }) => card(broker.id, hands)), last;
  field.addEventListener("input", () => last && draw(last));
  function draw(now) {
    last = now;
    let { brokers, topics, looked } = now;
    find.hidden = !crowded2(topics) && topics.length <= TOPICS_DRAWN;
    let query = find.hidden ? "" : field.value.trim(), shown2 = query ? found(topics, query) : topics, many = crowded2(shown2), racks = new Set(brokers.map((b) => b.rack).filter(Boolean));
    keep(brokers.map((broker) => ({ broker, topics: many ? shown2 : shown2.slice(0, TOPICS_DRAWN), many, looked, racks: racks.size > 0 })));
    let size2 = (all) => count(all.reduce((sum, { topic }) => sum + topic.partitions.length, 0));
    told3.textContent = query ? `${size2(shown2)} of ${size2(topics)} partitions` : many ? `${size2(topics)} partitions in ${topics.length} topics` : "";
    let hidden2 = many ? 0 : shown2.length - TOPICS_DRAWN;
    more.textContent = hidden2 > 0 ? `${hidden2} more topics are not drawn here: choose one above.` : "", more.hidden = hidden2 <= 0;
  }
  return draw;
}
function card(id, hands) {
  let head2 = el("header", { class: "kl-head" }), row = el("div", { class: "kl-row" }), held3 = el("div", { class: "kl-held-here" }), sums = el("ul", { class: "kl-sums", "aria-label": `replicas on broker ${id}` }), none = el("p", { class: "kl-none" }), node = el("section", { "data-broker": id }, head2, row, sums, held3, none), keep = keeper(held3, ({ name }) => name, ({ name }) => topicOnBroker(name, id)), isNews = news();
  return {
    node,
    draw({ broker, topics, many, looked, racks }) {
      isNews(broker, busyWith(broker.node, hands), racks, hands.live) && drawHead(broker, racks);
      let mine = topics.filter(({ topic }) => topic.partitions.some((p) => p.replicas.some(([b]) => b === id)));
      keep(many ? [] : mine), sums.hidden = !many, many && sums.replaceChildren(...Object.entries(heldBy(mine, id)).map(([what, n]) => el("li", { class: `kl-sum-${what}` }, sign(
        /** @type {What} */
        what
      ), el("span", {}, what === "leader" || what === "follower" ? `${WORDS[what]} ${count(n)}` : `${count(n)} ${WORDS[what]}`)))), none.textContent = mine.length || !looked ? "" : topics.length ? "holds nothing of this" : "no topics yet", none.hidden = !none.textContent;
    }
  };
  function drawHead(broker, racks) {
    let state = broker.alive === null ? "unknown" : broker.alive ? "up" : "down", process = broker.node?.state;
    node.className = `kl-broker kl-is-${state} ${process === "paused" || process === "cut" ? `kl-is-${process}` : ""}`, node.setAttribute("aria-label", [`Broker ${id}`, broker.standing, broker.controller && "controller"].filter(Boolean).join(", ")), refill(head2, [
      process === "cut" ? cutSign() : null,
      el("span", { class: "kl-dot", "aria-hidden": "true" }),
      el("h3", {}, `Broker ${id}`),
      racks ? el("span", { class: "kl-rack", title: "Replicas of a partition are put into different racks, where there are enough." }, broker.rack ? `rack ${shorten(broker.rack, 16)}` : "no rack") : null,
      broker.controller ? el("span", { class: "kl-badge", title: "The controller: it elects the leaders of partitions and keeps the ISRs." }, "controller") : null
    ]), refill(row, [
      buttons(broker.node, `broker ${id}`, hands),
      el("span", { class: "kl-standing", title: broker.address || null }, orDoing(broker.node, hands, broker.standing))
    ]);
  }
}
function topicOnBroker(name, id) {
  let title = el("div", { class: "kl-topic-name", title: shorten(name, 300) }), list = el("ul", { class: "kl-chips", "aria-label": `${shorten(name, 32)} on broker ${id}` }), node = el("div", { class: "kl-topic" }, title, list), keep = keeper(list, ({ partition: partition2 }) => partition2.partition, ({ partition: partition2 }) => chip(name, partition2.partition, id)), isNews = news();
  return {
    node,
    draw({ topic }) {
      if (!isNews(topic.partitions, topic.replication)) return;
      title.replaceChildren(el("bdi", {}, shorten(name, 32)), " ", el("span", { class: "kl-rf" }, `· RF ${topic.replication}`));
      let mine = topic.partitions.flatMap((partition2) => partition2.replicas.filter(([b]) => b === id).map(([, what, behind]) => ({ partition: partition2, what, behind })));
      list.classList.toggle("kl-dense", mine.length > 24), keep(mine);
    }
  };
}
var DOING = { stop: "stopping", kill: "killing", pause: "pausing", resume: "resuming", start: "starting", cut: "cutting off", join: "joining" }, SAID = { cut: "off the network", join: "to the network again" };
function busyWith(node, hands) {
  return node?.busy ?? hands.pending[node?.name ?? ""];
}
function buttons(node, noun, hands) {
  if (!node || !node.verbs.length || !hands.live) return null;
  let busy = busyWith(node, hands);
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
  let busy = busyWith(node, hands);
  return busy ? el("i", { class: "kl-busy" }, `${DOING[busy] ?? busy}…`) : otherwise;
}
function quorumPanel(quorum, hands) {
  if (!quorum) return [];
  let about = quorum.kind === "ZooKeeper" ? "ZooKeeper keeps the cluster's metadata: which brokers live, who the controller is, what is configured." : "KRaft: the controllers keep the cluster's metadata themselves, in a log that the active one writes.", nodes = quorumNodes(quorum), watching = nodes.filter((node) => node.role === "observer"), voting = nodes.filter((node) => node.role !== "observer");
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
  let watches = node.role === "observer", word = node.alive === !1 ? node.gone : watches ? "" : node.role ?? (node.alive === null ? "not known yet" : "no answer"), leads = node.role === "leader" || node.role === "standalone", what = node.alive === !1 ? "down" : leads ? "leader" : node.role ? "follower" : "behind", besides = { paused: "paused", cut: "cut off" }[node.node?.state], said2 = [word, node.lag && node.alive !== !1 ? `${count(node.lag)} behind` : "", besides].filter(Boolean).join(" · "), own = node.combined || watches ? null : node.node;
  return el(
    "li",
    { class: `kl-quorum-node kl-${what}`, "data-quorum": node.id },
    sign(what),
    el("b", {}, node.id),
    node.node?.state === "cut" ? cutSign() : null,
    orDoing(own, hands, said2),
    buttons(own, `${quorum.noun} ${node.id}`, hands)
  );
}
var RINGED_MS = 2600, MEANS = {
  leader: "leader",
  follower: "follower in the ISR",
  behind: "replica out of the ISR, and how many records it lacks",
  down: "on a broker that is down"
};
function sign(what) {
  return el("svg", { class: "kl-icon", viewBox: "0 0 12 12", "aria-hidden": "true" }, {
    leader: () => el("path", { d: "M1.2 10 .8 3.4 3.7 5.9 6 1.6l2.3 4.3 2.9-2.5-.4 6.6z", fill: "currentColor" }),
    follower: () => el("circle", { cx: 6, cy: 6, r: 3.2, fill: "currentColor" }),
    behind: () => el("circle", { cx: 6, cy: 6, r: 3.8, fill: "none", stroke: "currentColor", "stroke-width": 1.6, "stroke-dasharray": "2.4 1.6" }),
    down: () => el("path", { d: "M2.5 2.5l7 7m0-7l-7 7", fill: "none", stroke: "currentColor", "stroke-width": 2, "stroke-linecap": "round" })
  }[what]());
}
function cutSign() {
  let line4 = { fill: "none", stroke: "currentColor", "stroke-width": 1.8, "stroke-linecap": "round" };
  return el(
    "svg",
    { class: "kl-cut-sign", viewBox: "0 0 30 14", width: 30, height: 14, "aria-hidden": "true" },
    el("path", { d: "M1 7h7M22 7h7", ...line4 }),
    el("path", { d: "M9.5 12 13 2M17 12l3.5-10", ...line4 })
  );
}
function meanings() {
  return Object.entries(MEANS).map(([what, meaning]) => {
    let style = { "--kl-c": "var(--kl-soft)", "--kl-on": "var(--kl-bg)" };
    return [el("span", { class: `kl-chip kl-${what}`, style }, sign(
      /** @type {What} */
      what
    )), meaning];
  });
}
function chip(topic, p, broker) {
  let icon3 = el("span", { class: "kl-what" }), late = el("small", { class: "kl-late" }), said2 = el("span", { class: "kl-hidden" }), node = el(
    "li",
    { "data-chip": `${topic}/${p}/${broker}`, style: { "--kl-c": partitionColour(p), "--kl-on": partitionInk(p) } },
    icon3,
    el("span", { class: "kl-p" }, `P${p}`),
    late,
    said2
  ), isNews = news(), was, most = 0, timer;
  function draw({ partition: partition2, what, behind }) {
    if (!isNews(partition2, what, behind)) return;
    let lacks = behind ? `, ${count(behind)} records behind` : "", meaning = what === "behind" ? `replica out of the ISR${lacks}` : MEANS[what];
    what !== was && (icon3.replaceChildren(sign(what)), node.className = `kl-chip kl-${what}`, clearTimeout(timer), was && (node.classList.add("kl-changed"), timer = setTimeout(() => node.classList.remove("kl-changed"), RINGED_MS)), was = what, most = 0), most = Math.max(most, behind ?? 0), late.textContent = behind ? `−${count(behind)}` : "", node.style.setProperty("--kl-caught", behind ? `${(100 * (1 - behind / most)).toFixed(1)}%` : "0%"), said2.textContent = `, ${meaning}`;
    let leader = partition2.leader === null ? "no leader" : `leader ${partition2.leader}`, isr = partition2.isr.join(", ") || "none", replicas = partition2.replicas.map(([id]) => id).join(", ");
    node.title = `${shorten(topic, 80)} partition ${p} on broker ${broker}: ${meaning}
${leader} · in sync: ${isr} · replicas: ${replicas}`;
  }
  return { node, draw };
}
var ROWS2 = 40, MEMBERS = 16;
function spans(partitions) {
  let runs = [];
  for (let p of partitions) {
    let last = runs.at(-1);
    last && p === last[1] + 1 ? last[1] = p : runs.push([p, p]);
  }
  return runs.map(([a, b]) => a === b ? `P${a}` : `P${a}–P${b}`).join(" ");
}
function topicTable(parent, choose3) {
  let head2 = ["Topic", "Partitions", "RF", "Records", "State"], body = el("tbody"), table2 = el(
    "table",
    { class: "kl-table" },
    el("caption", { class: "kl-title" }, "Topics"),
    el("thead", {}, el("tr", {}, head2.map((word, i) => el("th", { scope: "col", class: i > 0 && i < 4 ? "kl-number" : null }, word)))),
    body
  ), none = el("p", { class: "kl-none" });
  parent.append(table2, none);
  let keep = keeper(body, ({ name }) => name, ({ name }) => topicRow(name, choose3));
  return ({ topics, chosen }) => {
    table2.hidden = !topics.length, keep(topics.slice(0, ROWS2).map(({ name, topic }) => ({ name, topic, pressed: chosen === name }))), none.textContent = topics.length > ROWS2 ? `${topics.length - ROWS2} more topics` : topics.length ? "" : "no topics yet", none.hidden = !none.textContent;
  };
}
function topicRow(name, choose3) {
  let node = el("tr", { "data-topic": name }), isNews = news();
  return {
    node,
    draw({ topic, pressed }) {
      if (!isNews(topic, pressed)) return;
      let lone = topic.partitions.filter((p) => p.leader === null).map((p) => p.partition), short = topic.partitions.filter((p) => p.short && p.leader !== null).map((p) => p.partition), records = topic.records === null ? "–" : `${topic.unknown ? "≥ " : ""}${count(topic.records)}`;
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
            onclick: () => choose3(pressed ? "" : name)
          }, el("bdi", {}, shorten(name, 30)))
        ),
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
      ]);
    }
  };
}
function groupPanels(parent) {
  let none = el("p", { class: "kl-none" }, "no consumer groups"), list = el("div");
  parent.append(el("h4", { class: "kl-title" }, "Consumer groups"), list, none);
  let keep = keeper(list, ({ id }) => id, ({ id }) => groupPanel(id));
  return (groups) => {
    keep(groups), none.hidden = groups.length > 0;
  };
}
function groupPanel(id) {
  let node = el("section", { class: "kl-consumers", "data-group": id, "aria-label": `consumer group ${shorten(id)}` }), isNews = news();
  return {
    node,
    draw({ group }) {
      if (!isNews(group)) return;
      let facts2 = [group.state, group.coordinator === null ? "no coordinator" : `coordinator ${group.coordinator}`, group.assignor].filter(Boolean), several = new Set(holdings(group).map((h) => h.topic)).size > 1, members = membersOf(group), idle = members.filter((m) => !m.holds.length).length;
      refill(node, [
        el(
          "header",
          { class: "kl-consumers-head" },
          el("h4", { title: shorten(id, 300) }, el("bdi", {}, shorten(id))),
          el("span", { class: "kl-soft" }, shorten(facts2.join(" · "), 90)),
          group.lag === null ? null : el("span", { class: `kl-pill ${group.lag ? "kl-lags" : ""}`, title: "Records in its partitions that it has not committed." }, `lag ${count(group.lag)}`)
        ),
        el(
          "ul",
          { class: "kl-members", "aria-label": "members" },
          members.slice(0, MEMBERS).map((member2) => memberRow(member2, several)),
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
function memberRow(member2, several) {
  let name = shorten(member2.client, 28) + (member2.tail ? ` …${shorten(member2.tail)}` : "");
  return el(
    "li",
    { class: `kl-member ${member2.holds.length ? "" : "kl-idle"}`, title: shorten(`${member2.client} at ${member2.host}`, 300) },
    el("span", { class: "kl-client" }, el("bdi", {}, name)),
    member2.holds.length ? held(member2.holds, several) : el("span", { class: "kl-soft" }, "standing by")
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
function brokersOf(state) {
  return Object.values(state.brokers).sort((a, b) => a.id - b.id);
}
function groupsOf(state, topic) {
  return Object.entries(state.groups).map(([id, group]) => ({ id, group })).filter(({ group }) => !topic || holdings(group).some((hold) => hold.topic === topic)).sort((a, b) => byName(a.id, b.id));
}
function holdings(group) {
  return [...Object.values(group.members).flatMap((m) => m.holds), ...group.unheld];
}
function membersOf(group) {
  return Object.entries(group.members).sort(([a, m], [b, n]) => byName(m.client, n.client) || byName(a, b)).map(([, member2]) => member2);
}
function quorumNodes(quorum) {
  return Object.values(quorum.nodes).sort(
    (a, b) => +(a.role === "observer") - +(b.role === "observer") || a.id - b.id
  );
}
var CHIPS = 60;
function heldBy(topics, id) {
  let sums = {};
  for (let { topic } of topics) for (let p of topic.partitions) for (let [broker, what] of p.replicas)
    broker === id && (sums[what] = (sums[what] ?? 0) + 1);
  return Object.fromEntries(["leader", "follower", "behind", "down"].filter((what) => what in sums).map((what) => [what, sums[what]]));
}
function crowded2(topics) {
  let held3 = /* @__PURE__ */ new Map();
  for (let { topic } of topics) for (let p of topic.partitions) for (let [broker] of p.replicas) held3.set(broker, (held3.get(broker) ?? 0) + 1);
  return Math.max(0, ...held3.values()) > CHIPS;
}
function found(topics, query) {
  let words = query.toLowerCase().split(/\s+/).filter(Boolean), fits = (name, p) => words.every((word) => /^p?\d+$/.test(word) ? Number(word.replace("p", "")) === p : name.includes(word) || `${name}-${p}` === word);
  return topics.map(({ name, topic }) => {
    let partitions = topic.partitions.filter((p) => fits(name.toLowerCase(), p.partition));
    return { name, topic: { ...topic, partitions } };
  }).filter(({ topic }) => topic.partitions.length);
}
function up(state) {
  if (state.error) return "";
  if (!state.looked) return "looking…";
  let all = brokersOf(state);
  return `${all.filter((b) => b.alive).length} of ${all.length} brokers up`;
}
function summary(state) {
  if (!state.looked) return "The cluster has not been read yet.";
  let own = topicsOf(state).filter(({ topic }) => !topic.internal), partitions = own.flatMap(({ topic }) => topic.partitions), lone = partitions.filter((p) => p.leader === null).length, short = partitions.filter((p) => p.short && p.leader !== null).length, down = brokersOf(state).filter((b) => b.alive === !1).map((b) => b.id), controller = brokersOf(state).find((b) => b.controller);
  return [
    `${up(state) || "The cluster is not answering"}${down.length ? `, down: ${down.join(", ")}` : ""}.`,
    controller ? `The controller is broker ${controller.id}.` : "",
    `${own.length} ${own.length === 1 ? "topic" : "topics"} with ${partitions.length} partitions: ${lone} without a leader, ${short} under-replicated.`
  ].filter(Boolean).join(" ");
}
function crownsMoved(led, state, before) {
  let moved2 = [];
  for (let [name, topic] of Object.entries(state.topics))
    if ((before && Object.hasOwn(before.topics, name) ? before.topics[name] : null)?.partitions !== topic.partitions)
      for (let p of topic.partitions) {
        let key2 = `${name}/${p.partition}`, from = led.get(key2);
        p.leader !== null && (led.set(key2, p.leader), from !== void 0 && from !== p.leader && moved2.push({ key: key2, partition: p.partition, from, to: p.leader }));
      }
  return moved2;
}

// cluster/view.js
function build(page2, { model, ask }) {
  let part = Object.fromEntries(["bar", "trouble", "hall", "quorum", "topics", "groups", "problems"].map((name) => [name, el("div", { class: `kl-${name}` })]));
  for (let name of ["quorum", "topics", "groups"]) part[name].classList.add("kl-panel");
  let spoken2 = el("p", { class: "kl-hidden" }), events = eventList(), choice = { topic: model.get("topic") ?? "", internal: !1 }, state, pending = {}, hands = {
    live: !!model.get("live"),
    pending,
    act(node, verb) {
      pending[node] || (pending[node] = verb, drawAll(), ask({ do: "act", node, verb }));
    }
  };
  page2.append(
    spoken2,
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
  let drawBrokers = brokerCards(part.hall, hands), drawTopics = topicTable(part.topics, (topic) => guard(page2, () => choose3({ topic }))), drawGroups = groupPanels(part.groups), crown = crowns(page2), isNews = { bar: news(), trouble: news(), quorum: news(), problems: news(), spoken: news() };
  function drawAll() {
    if (!state) return;
    let all = topicsOf(state), offered = choice.internal ? all : all.filter(({ topic }) => !topic.internal);
    choice.topic && state.looked && !offered.some(({ name }) => name === choice.topic) && (choice.topic = "");
    let topics = choice.topic ? offered.filter(({ name }) => name === choice.topic) : offered, groups = groupsOf(state, choice.topic), doing = JSON.stringify(pending), words = summary(state);
    page2.classList.toggle("kl-stale", !!state.error), page2.classList.toggle("kl-alone", groups.length === 0), page2.classList.toggle("kl-many", brokersOf(state).length > 3), isNews.spoken(words) && (spoken2.textContent = words);
    let names2 = offered.map(({ name }) => name), head2 = [state.name, state.kafka, state.label, current2(), up(state), state.at, !!state.error, choice, names2, all.length];
    isNews.bar(JSON.stringify(head2)) && refill(part.bar, bar3(offered, all)), isNews.trouble(state.error) && refill(part.trouble, trouble(state.error)), drawBrokers({ brokers: brokersOf(state), topics, looked: state.looked }), isNews.quorum(state.quorum, doing) && refill(part.quorum, quorumPanel(state.quorum, hands)), part.quorum.hidden = !state.quorum, drawTopics({ topics, chosen: choice.topic }), drawGroups(groups), isNews.problems(state.problems) && refill(part.problems, problems(state.problems)), events.show(state.events);
  }
  function choose3(change2) {
    Object.assign(choice, change2), drawAll();
  }
  function current2() {
    return hands.live && !state.at;
  }
  function bar3(offered, all) {
    let internal = all.filter(({ topic }) => topic.internal).length;
    return [
      el("strong", { class: "kl-name" }, el("bdi", {}, shorten(state.name || "cluster"))),
      [state.kafka, state.label, up(state)].filter(Boolean).map((words) => el("span", { class: "kl-pill" }, shorten(words, 60))),
      el("span", { class: "kl-grow" }),
      el(
        "label",
        { class: "kl-choice" },
        el("span", { class: "kl-hidden" }, "topics shown"),
        el(
          "select",
          { class: "kl-select", "data-key": "topic", onchange: (e) => guard(page2, () => choose3({ topic: e.target.value })) },
          el("option", { value: "", selected: !choice.topic }, offered.length === 1 ? "1 topic" : `all ${offered.length} topics`),
          offered.map(({ name }) => el("option", { value: name, selected: name === choice.topic }, shorten(name)))
        )
      ),
      internal ? el(
        "label",
        { class: "kl-choice", title: "Topics in which Kafka keeps its own books, such as the groups' committed offsets." },
        el("input", { type: "checkbox", "data-key": "internal", checked: choice.internal, onchange: (e) => guard(page2, () => choose3({ internal: e.target.checked })) }),
        ` internal (${internal})`
      ) : null,
      el(
        "span",
        { class: `kl-live ${current2() && !state.error ? "kl-on" : ""}` },
        el("span", { class: "kl-dot", "aria-hidden": "true" }),
        state.error ? "not answering" : current2() ? "live" : state.at ? `a moment, ${clock.ofDay(state.at)}` : "a moment"
      )
    ];
  }
  let listeners = {
    "change:topic": () => guard(page2, () => choose3({ topic: model.get("topic") })),
    "change:live": () => guard(page2, () => {
      hands.live = !!model.get("live"), drawAll();
    })
  };
  for (let [event, listener] of Object.entries(listeners)) model.on(event, listener);
  return {
    draw(now, before) {
      state = now, drawAll(), crown(state, before);
    },
    heard(message) {
      message?.did === "act" && (delete pending[message.node], drawAll());
    },
    end() {
      for (let [event, listener] of Object.entries(listeners)) model.off(event, listener);
    }
  };
}
function problems(sentences) {
  if (!sentences.length) return [];
  let list = el("ul", {}, sentences.slice(0, 20).map((sentence4) => el("li", {}, shorten(sentence4, 300))));
  return sentences.length <= 2 ? el("div", { class: "kl-notice" }, list) : el("details", { class: "kl-notice" }, el("summary", {}, `${sentences.length} things could not be learned`), list);
}
var KEPT = 200;
function eventList() {
  let empty = el("p", { class: "kl-none" }, "Nothing yet. What you do to a node, and what Kafka makes of it, will be listed here."), list = el("ol"), box = el("div", { class: "kl-event-list", role: "log", "aria-live": "polite", "aria-label": "what happened", tabindex: "0" }, list), keep = keeper(list, (event) => event.n, (event) => ({ node: line2(event), draw() {
  } })), isNews = news();
  function show(events) {
    !events || !isNews(events) || (empty.hidden = events.length > 0, follow(box, !list.firstChild, () => keep(events.slice(-KEPT))));
  }
  return { nodes: [el("h4", { class: "kl-title", title: "kafkalab reads the cluster every half second, so it sees what the cluster does by itself a moment later." }, "What happened · seen at"), empty, box], show };
}
function line2(event) {
  let { sign: sign3, tone } = kindOf(event.kind), when2 = event.since === null ? clock.ofDay(event.at) : clock.since(event.since);
  return el(
    "li",
    { class: `kl-event kl-tone-${tone}`, "data-kind": event.kind, "data-n": event.n },
    el("time", { class: "kl-mono", title: `first seen at ${clock.ofDay(event.at)}` }, when2),
    el("span", { class: "kl-mark", "aria-hidden": "true" }, sign3),
    el("div", { class: "kl-said" }, event.kind === "error" ? errorLines(event.text) : event.parts.length ? crowd(event) : emphasised(shorten(event.text, 260)))
  );
}
function crowd(event) {
  return el(
    "details",
    {},
    el("summary", {}, emphasised(shorten(event.text, 260))),
    el("ul", {}, event.parts.slice(0, 100).map((text2) => el("li", {}, emphasised(shorten(text2, 260)))))
  );
}
function errorLines(text2) {
  let [first, ...rest2] = text2.split(`
`).slice(0, 6).map((part) => shorten(part, 260));
  return [el("b", {}, first), rest2.map((part) => el("span", { class: "kl-error-line" }, part))];
}
var FLIGHT_MS = 600, FLIGHTS = 60;
function crowns(page2) {
  let led = /* @__PURE__ */ new Map();
  return (state, before) => {
    let moved2 = crownsMoved(led, state, before).slice(0, FLIGHTS);
    if (!moved2.length || reducedMotion()) return;
    let chips = new Map([...page2.querySelectorAll("[data-chip]")].map((node) => [node.getAttribute("data-chip"), node])), origin = page2.getBoundingClientRect(), flights = moved2.map(({ key: key2, partition: partition2, from, to }) => ({ partition: partition2, from: chips.get(`${key2}/${from}`)?.getBoundingClientRect(), to: chips.get(`${key2}/${to}`)?.getBoundingClientRect() }));
    for (let { partition: partition2, from, to } of flights) from?.width && to?.width && fly(page2, origin, from, to, partition2);
  };
}
function fly(page2, origin, from, to, partition2) {
  let crown = el("span", {
    class: "kl-flight",
    "aria-hidden": "true",
    style: { left: `${from.left - origin.left}px`, top: `${from.top - origin.top}px`, color: partitionColour(partition2) }
  }, sign("leader"));
  page2.append(crown);
  let [x, y] = [to.left - from.left, to.top - from.top];
  crown.animate(
    [
      { transform: "translate(0, 0) scale(1)", opacity: 1 },
      { transform: `translate(${x / 2}px, ${y / 2 - 22}px) scale(1.9)`, opacity: 1, offset: 0.5 },
      { transform: `translate(${x}px, ${y}px) scale(1)`, opacity: 1 }
    ],
    { duration: FLIGHT_MS, easing: "cubic-bezier(.4, 0, .2, 1)" }
  ).finished.then(() => crown.remove(), () => crown.remove());
}
var view_default2 = { render: live("cluster", "Kafka cluster", build) };

// group/gantt.js
var WHAT = {
  silent: "still assigned to a member that was never heard of again",
  rebalancing: "taken back by the coordinator, not given out yet: nobody reads it",
  nobody: "held by no member",
  unknown: "not watched, or nobody could be asked"
}, KEYS = "Arrow keys move in time, plus and minus zoom, Home shows the beginning and End the newest.", charts = 0;
function ganttChart(flows) {
  let id = `kl-hatch-${++charts}-${Math.random().toString(36).slice(2, 7)}`, hatch2 = el("pattern", { id, width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" }, el("line", { x1: 0, x2: 0, y1: 0, y2: 6, class: "kl-hatch" })), lines2 = el("g", { class: "kl-numbers" }), bars = el("g", { class: "kl-bars" }), labels = el("g", { class: "kl-lane-names" }), lanes2 = el("svg", { class: "kl-lanes", "aria-hidden": "true" }, el("defs", {}, hatch2), lines2, bars, labels), axis4 = el("svg", { class: "kl-axis", "aria-hidden": "true" }), top = el("svg", { class: "kl-above", "aria-hidden": "true" }), scroll = el("div", { class: "kl-scroll" }, lanes2), stage3 = el("div", { class: "kl-stage", tabindex: 0, role: "group", "aria-label": `Time line of who held which partition. ${KEYS}` }, top, scroll, axis4), drawn = /* @__PURE__ */ new Map(), window_ = { span: SPAN, end: null }, state, received = 0, newest = 0, lengths = /* @__PURE__ */ new Map(), marked = /* @__PURE__ */ new Set(), buttons2 = el(
    "div",
    { class: "kl-buttons", role: "group", "aria-label": "time shown" },
    button("◀", "earlier", () => pan2(-0.25)),
    button("▶", "later", () => pan2(0.25)),
    button("−", "zoom out", () => zoom(2)),
    button("+", "zoom in", () => zoom(0.5)),
    button("now", "now: follow the newest", () => set({ span: window_.span, end: null }))
  ), runs = () => flows() && state?.flows !== !1;
  function now() {
    let past = runs() ? Math.min(3, (performance.now() - received) / 1e3) : 0;
    return newest = Math.max(runs() ? newest : 0, (state?.to ?? 0) + past), newest;
  }
  let first = () => state?.gantt.from ?? now(), set = (w) => {
    window_ = w, paint();
  }, pan2 = (share) => set(moved(window_, share * window_.span, now(), first())), zoom = (factor, share = window_.end === null ? 1 : 0.5) => set(zoomed2(window_, factor, share, now(), first()));
  function paint() {
    if (!state?.gantt.order.length) return;
    let box = stage3.clientWidth;
    if (!box) return;
    let scale = scaleOf(stage3), { order, names: names2, numbers, notes } = state.gantt, topics = new Set(order.map((key2) => key2.slice(0, key2.lastIndexOf("/")))), laneName = (key2) => (topics.size > 1 ? `${shorten(key2.slice(0, key2.lastIndexOf("/")), 14)} ` : "") + `P${key2.slice(key2.lastIndexOf("/") + 1)}`, dense = order.length > 16, [step, tall] = (dense ? [19, 15] : [27, 20]).map((n) => n * scale), letter2 = 6.6 * scale, left = Math.max(30 * scale, 8 + letter2 * Math.max(...order.map((k) => laneName(k).length))), [from, to] = edges(window_, now()), width = box - left - 2, x = (t) => left + (Math.min(Math.max(t ?? now(), from), to) - from) * (width / (to - from)), height = order.length * step + 4;
    size(lanes2, box, height);
    let used = /* @__PURE__ */ new Set();
    order.forEach((key2, i) => {
      let p = Number(key2.slice(key2.lastIndexOf("/") + 1));
      for (let piece of visible(state.gantt.lanes[key2] ?? [], from, to)) {
        if (piece[0] > now()) continue;
        let name = `${key2}@${piece[0]}`;
        used.add(name);
        let bar3 = drawn.get(name) ?? make(name, p), [x0, x1] = [x(piece[0]), x(piece[1])];
        place2(bar3, piece, names2[piece[3] ?? ""] ?? "", { x: x0, y: 2 + i * step, width: Math.max(2, x1 - x0), tall, letter: letter2 }, lengths.get(name)), bar3.g.classList.toggle("kl-marked", marked.has(name));
      }
    });
    for (let [name, bar3] of drawn)
      used.has(name) || (bar3.g.remove(), drawn.delete(name));
    labels.replaceChildren(
      el("rect", { class: "kl-cover", x: 0, y: 0, width: left - 3, height }),
      ...order.map((key2, i) => el("text", { x: 0, y: 2 + i * step + tall * 0.75, style: { "--kl-c": partitionColour(Number(key2.slice(key2.lastIndexOf("/") + 1))) } }, laneName(key2)))
    ), above(top, lines2, { numbers, notes, from, to, x, box, height, scale, letter: letter2, noun: state.about.noun }), below(axis4, { from, to, x, box, left, scale }), stage3.dataset.from = from.toFixed(3), stage3.dataset.to = to.toFixed(3);
  }
  function make(name, p) {
    let back = el("rect", { rx: 4, class: "kl-back" }), rect = el("rect", { rx: 4, class: "kl-span" }), text2 = el("text", {}), title = el("title", {}), g = el("g", { "data-bar": name, style: { "--kl-c": partitionColour(p), "--kl-on": partitionInk(p) } }, title, back, rect, text2);
    bars.append(g);
    let made2 = { g, rect, back, text: text2, title, said: "" };
    return drawn.set(name, made2), made2;
  }
  function place2(bar3, [start, end, what, member2], name, at, length) {
    bar3.g.setAttribute("class", `kl-piece kl-is-${what}${bar3.g.classList.contains("kl-marked") ? " kl-marked" : ""}`);
    for (let rect of [bar3.rect, bar3.back])
      for (let [k, v] of Object.entries({ x: at.x, y: at.y, width: at.width, height: at.tall })) rect.setAttribute(k, Number(v).toFixed(1));
    bar3.rect.style.fill = what === "held" ? "" : what === "unknown" ? "none" : `url(#${id})`;
    let words = what === "held" ? name : what === "unknown" ? "not watched" : length ?? "", middle = what !== "held", inside = fitting(words, at.width - (middle ? 2 : 10), at.letter);
    bar3.text.textContent = middle && inside !== words ? "" : inside, bar3.text.setAttribute("x", (middle ? at.x + at.width / 2 : at.x + 6).toFixed(1)), bar3.text.setAttribute("text-anchor", middle ? "middle" : "start"), bar3.text.setAttribute("y", (at.y + at.tall * 0.73).toFixed(1));
    let until = end === null ? "now" : clock.ofDay(end, 1), said2 = `${what === "held" ? shorten(name, 60) : WHAT[what] ?? what}${what === "silent" ? `: ${shorten(name, 60)}` : ""}
${clock.ofDay(start, 1)} – ${until}${length ? `
nobody read it for ${length}` : ""}`;
    bar3.said !== said2 && (bar3.title.textContent = bar3.said = said2), bar3.g.dataset.what = what, bar3.g.dataset.member = member2 ?? "";
  }
  stage3.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    let act = {
      ArrowLeft: () => pan2(-0.1),
      ArrowRight: () => pan2(0.1),
      "+": () => zoom(0.5),
      "=": () => zoom(0.5),
      "-": () => zoom(2),
      Home: () => set(moved(window_, -1e12, now(), first())),
      End: () => set({ span: window_.span, end: null })
    }[event.key];
    act && (event.preventDefault(), event.stopPropagation(), act());
  }), stage3.addEventListener("wheel", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) {
      let box = stage3.getBoundingClientRect();
      zoom(event.deltaY + event.deltaX > 0 ? 1.25 : 0.8, (event.clientX - box.left) / box.width);
    } else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) pan2(event.deltaX / stage3.clientWidth);
    else return;
    event.preventDefault();
  }, { passive: !1 }), drag(stage3, (pixels2) => set(moved(window_, -pixels2 * window_.span / stage3.clientWidth, now(), first())));
  let seen = new ResizeObserver(() => paint());
  seen.observe(stage3);
  let beat = setInterval(() => {
    runs() && window_.end === null && !document.hidden && stage3.isConnected && paint();
  }, reducedMotion() ? 1e3 : 200);
  return {
    node: el("div", {}, el("div", { class: "kl-gantt-head" }, el("h4", { class: "kl-title" }, "Who held what: the rebalances, measured"), buttons2), stage3),
    stage: stage3,
    draw(after, before) {
      state = after, received = performance.now(), changed(after, before, "group") && (newest = 0, marked = /* @__PURE__ */ new Set(), window_ = { span: after.span ?? (flows() ? SPAN : Math.max(4, ((after.to ?? 0) - (after.gantt.from ?? 0)) * 1.03)), end: null }), changed(after, before, "gantt") && (lengths = measured(after.gantt.lanes, after.gantt.pauses)), stage3.hidden = !after.gantt.order.length, paint();
    },
    // Moves the window to a pause and rings its bars.
    show(pause) {
      marked = new Set(pause.keys.flatMap((key2) => (state.gantt.lanes[key2] ?? []).filter((p) => p[2] !== "held" && p[0] >= pause.from - 2e-3 && (p[1] ?? 1 / 0) <= (pause.to ?? 1 / 0) + 2e-3).map((p) => `${key2}@${p[0]}`))), set(around(pause.from, pause.to ?? now(), now(), first()));
    },
    end() {
      clearInterval(beat), seen.disconnect();
    }
  };
}
function button(sign3, name, onclick) {
  return el("button", { type: "button", class: "kl-button", title: name, "aria-label": name, onclick }, sign3);
}
function size(svg, width, height) {
  svg.setAttribute("width", String(width)), svg.setAttribute("height", String(height));
}
function above(top, lines2, { numbers, notes, from, to, x, box, height, scale, letter: letter2, noun }) {
  let shown2 = (all) => all.filter(([when2]) => when2 >= from && when2 <= to), told3 = shown2(notes);
  size(top, box, (told3.length ? 30 : 15) * scale);
  let y = (told3.length ? 26 : 11) * scale, free = -1 / 0, marks = [];
  for (let [when2, number] of shown2(numbers)) {
    let at = x(when2);
    at < free || (marks.push(el("text", { x: at, y, "text-anchor": "middle", class: "kl-number" }, el("title", {}, `${noun} ${number}, ${clock.ofDay(when2, 1)}`), number)), free = at + letter2 * (String(number).length + 1.5));
  }
  let deeds = [];
  for (let [when2, text2] of told3) {
    let last = deeds.at(-1);
    last && x(when2) - last.at < 2.5 * letter2 ? last.texts.push(text2) : deeds.push({ at: x(when2), texts: [text2] });
  }
  for (let [i, { at, texts }] of deeds.entries()) {
    let room2 = (deeds[i + 1]?.at ?? box) - at, words = `▸ ${fitting(texts.map((text2) => shorten(text2, 60)).join(", "), room2 - 2.5 * letter2, letter2)}`;
    marks.push(el("text", { x: at, y: 11 * scale, class: "kl-note" }, el("title", {}, texts.map((text2) => shorten(text2, 200)).join(`
`)), words));
  }
  top.replaceChildren(...marks), lines2.replaceChildren(
    ...shown2(numbers).map(([when2]) => el("line", { x1: x(when2), x2: x(when2), y1: 0, y2: height })),
    ...told3.map(([when2]) => el("line", { class: "kl-note-line", x1: x(when2), x2: x(when2), y1: 0, y2: height }))
  );
}
function below(axis4, { from, to, x, box, left, scale }) {
  size(axis4, box, 20 * scale), axis4.replaceChildren(el("line", { x1: left, x2: box, y1: 1, y2: 1 }), ...ticks2(from, to, box - left, 76 * scale).flatMap(([when2, words]) => {
    let at = x(when2), room2 = 30 * scale;
    return [el("line", { x1: at, x2: at, y1: 1, y2: 5 }), at > left + room2 && at < box - room2 ? el("text", { x: at, y: 16 * scale, "text-anchor": "middle" }, words) : null].filter(Boolean);
  }));
}
function drag(node, moved2) {
  let last = null;
  node.addEventListener("pointerdown", (event) => {
    event.button === 0 && (last = event.clientX);
  }), node.addEventListener("pointermove", (event) => {
    if (last === null || !(event.buttons & 1)) return void (last = null);
    Math.abs(event.clientX - last) < 2 || (moved2(event.clientX - last), last = event.clientX);
  });
}
var SPAN = 60, SHORTEST2 = 0.5;
function edges(window2, now) {
  let end = window2.end ?? now;
  return [end - window2.span, end];
}
function zoomed2(window2, factor, share, now, first) {
  let longest = Math.max(SPAN, now - first) * 1.05, span = Math.min(Math.max(window2.span * factor, SHORTEST2), longest);
  if (window2.end === null && share >= 0.95) return { span, end: null };
  let [from, to] = edges(window2, now), fixed = from + (to - from) * share;
  return kept({ span, end: fixed + span * (1 - share) }, now, first);
}
function moved(window2, seconds, now, first) {
  return kept({ span: window2.span, end: (window2.end ?? now) + seconds }, now, first);
}
function around(from, to, now, first) {
  let span = Math.max(4, (to - from) * 2.5);
  return kept({ span, end: (from + to) / 2 + span / 2 }, now, first);
}
function kept(window2, now, first) {
  let end = (
    /** @type {number} */
    window2.end
  );
  return end >= now ? { span: window2.span, end: null } : { span: window2.span, end: Math.max(end, Math.min(first + window2.span, now)) };
}
function ticks2(from, to, width, room2) {
  let step = timeStep((to - from) * room2 / Math.max(1, width));
  return ticks(from, to, step).map((at) => [at, clock.ofDay(at, step < 1 ? 1 : 0)]);
}
function visible(pieces2, from, to) {
  return pieces2.filter(([start, end]) => start < to && (end ?? 1 / 0) > from);
}
function measured(lanes2, pauses) {
  let found2 = /* @__PURE__ */ new Map();
  for (let { keys, from, to, seconds } of pauses)
    if (seconds !== null)
      for (let key2 of keys) {
        let longest = (lanes2[key2] ?? []).filter((p) => p[2] !== "held" && p[0] >= from - 2e-3 && (p[1] ?? 1 / 0) <= (to ?? 1 / 0) + 2e-3).reduce(
          (a, b) => !a || lengthOf(b) > lengthOf(a) ? b : a,
          /** @type {Piece | null} */
          null
        );
        longest && found2.set(`${key2}@${longest[0]}`, `${seconds.toFixed(seconds < 1 ? 2 : 1)} s`);
      }
  return found2;
}
function lengthOf(piece) {
  return (piece[1] ?? 1 / 0) - piece[0];
}
function fitting(text2, width, letter2) {
  let room2 = Math.floor(width / letter2), letters = Array.from(text2);
  return letters.length <= room2 ? text2 : room2 >= 3 ? `${letters.slice(0, room2 - 1).join("")}…` : "";
}

// group/graph.js
var MOTION_MS = 520;
function groupGraph() {
  let left = el("ul", { class: "kl-parts", "aria-label": "partitions" }), right = el("ul", { class: "kl-members", "aria-label": "members" }), lines2 = el("svg", { class: "kl-edges", "aria-hidden": "true", preserveAspectRatio: "none" }), inner = el("div", { class: "kl-graph-inner" }, left, lines2, right), node = el("div", { class: "kl-graph", role: "group", "aria-label": "Which member reads which partition. Arrow keys move between them." }, inner), items = /* @__PURE__ */ new Map(), edges2 = /* @__PURE__ */ new Map(), state, at = "", begun = 0, frame = 0;
  function draw(after, before) {
    let fresh = !before || before.group !== after.group;
    state = after;
    let scale = scaleOf(node), size2 = metrics(Math.max(after.order.length, after.ranks.length), scale), height = Math.max(after.order.length, after.ranks.length, 1) * size2.step;
    node.classList.toggle("kl-dense", size2.dense), inner.style.height = `${height}px`, lines2.setAttribute("viewBox", `0 0 100 ${height}`);
    let kept2 = /* @__PURE__ */ new Set();
    after.order.forEach((key2, i) => put(left, `p:${key2}`, i * size2.step, size2.box, kept2, () => partition(key2, after)));
    for (let id of after.ranks) put(right, `m:${id}`, after.members[id].row * size2.step, size2.box, kept2, () => member(after.members[id]));
    for (let [name, item] of items)
      kept2.has(name) || (item.remove(), items.delete(name));
    after.order.forEach((key2, i) => inOrder(left, items.get(`p:${key2}`), i)), after.ranks.forEach((id, i) => inOrder(right, items.get(`m:${id}`), i)), items.has(at) || (at = after.order.length ? `p:${after.order[0]}` : after.ranks.length ? `m:${after.ranks[0]}` : ""), rove(), aim(targets(after, size2), fresh), light(node.contains(document.activeElement) ? at : "");
  }
  function put(list, name, y, box, kept2, made2) {
    kept2.add(name);
    let item = items.get(name);
    item || (item = el("li", { "data-item": name, tabindex: -1 }), item.addEventListener("focus", () => {
      at = name, rove(), light(name);
    }), item.addEventListener("mouseenter", () => light(name)), item.addEventListener("mouseleave", () => light(node.contains(document.activeElement) ? at : "")), items.set(name, item), list.append(item));
    let { cls, title, style, children, from } = made2();
    item.style.top = `${y}px`, item.style.height = `${box}px`;
    let signature = JSON.stringify(from);
    if (item.dataset.from !== signature) {
      item.dataset.from = signature, item.className = cls, item.title = title;
      for (let [property, value] of Object.entries(style)) item.style.setProperty(property, value);
      item.replaceChildren(...children);
    }
  }
  function rove() {
    for (let [name, item] of items) item.tabIndex = name === at ? 0 : -1;
  }
  function light(name) {
    let [kind, id] = [name.slice(0, 2), name.slice(2)], on = new Set(name ? [name] : []);
    for (let key2 of state?.order ?? []) {
      let holder = state.partitions[key2].member;
      (kind === "p:" && key2 === id && holder || kind === "m:" && holder === id) && on.add(`p:${key2}`).add(`m:${holder}`);
    }
    node.classList.toggle("kl-some", on.size > 0);
    for (let [key2, item] of items) item.classList.toggle("kl-on", on.has(key2));
    for (let [key2, edge] of edges2) edge.path.classList.toggle("kl-on", on.has(`p:${key2}`));
  }
  function aim(wanted, fresh) {
    let still = fresh || reducedMotion() || !node.isConnected, moves = !1;
    for (let [key2, to] of wanted) {
      let edge = edges2.get(key2);
      if (edge)
        ["y1", "y2", "grow"].some((k) => edge.to[k] !== to[k]) && (Object.assign(edge, { from: edge.now, to }), moves = !0);
      else {
        let p = Number(key2.slice(key2.lastIndexOf("/") + 1)), path = el("path", { "data-edge": key2, style: { stroke: partitionColour(p) } });
        lines2.append(path);
        let start = { ...to, grow: 0 };
        edges2.set(key2, { now: start, from: start, to, path }), moves = !0;
      }
    }
    for (let [key2, edge] of edges2)
      wanted.has(key2) || edge.to.grow === 0 || (Object.assign(edge, { from: edge.now, to: { ...edge.to, grow: 0 } }), moves = !0);
    if (moves) {
      begun = performance.now();
      for (let edge of edges2.values()) edge.from = edge.now;
      cancelAnimationFrame(frame), still ? turn2(1) : frame = requestAnimationFrame(tick);
    }
  }
  function tick() {
    let k = Math.min(1, (performance.now() - begun) / MOTION_MS);
    turn2(ease(k)), k < 1 && (frame = requestAnimationFrame(tick));
  }
  function turn2(k) {
    for (let [key2, edge] of edges2)
      edge.now = blend(edge.from, edge.to, k), edge.path.setAttribute("d", curve(edge.now)), k === 1 && edge.to.grow === 0 && (edge.path.remove(), edges2.delete(key2));
  }
  return node.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !state) return;
    let columns2 = [state.order.map((k) => `p:${k}`), state.ranks.map((id) => `m:${id}`)], to = stepped(event.key, columns2, at);
    to && (event.preventDefault(), event.stopPropagation(), items.get(to)?.focus());
  }), node.addEventListener("focusout", (event) => {
    node.contains(
      /** @type {Node | null} */
      event.relatedTarget
    ) || light("");
  }), { node, draw, end: () => cancelAnimationFrame(frame) };
}
function inOrder(list, item, i) {
  item && list.children[i] !== item && item !== document.activeElement && list.insertBefore(item, list.children[i] ?? null);
}
function partition(key2, state) {
  let p = state.partitions[key2], holder = p.member === null ? null : state.members[p.member], topic = shorten(p.topic, 26), lag = p.lag === null ? "nothing committed" : p.lag ? `lag ${count(p.lag)}` : "lag 0";
  return {
    from: [p, holder?.name],
    cls: `kl-part ${holder ? "" : "kl-lone"}`,
    style: { "--kl-c": partitionColour(p.partition) },
    title: `${shorten(p.topic, 200)} partition ${p.partition}
${holder ? `read by ${holder.name}` : "held by nobody"} · ${lag}`,
    children: [
      el("span", { class: "kl-part-name" }, el("bdi", { class: "kl-part-topic" }, topic), ` P${p.partition}`),
      p.lag ? el("small", { class: "kl-lag", "aria-hidden": "true" }, `−${count(p.lag)}`) : "",
      holder ? "" : el("small", { class: "kl-nobody" }, "✕ nobody"),
      el("span", { class: "kl-hidden" }, holder ? `, ${lag}, read by ${holder.name}` : `, ${lag}`)
    ]
  };
}
function member(m) {
  let idle = m.said === "standing by", { said: said2 } = m;
  return {
    from: [m.name, m.client, m.host, said2],
    cls: `kl-member ${idle ? "kl-idle" : ""}`,
    style: {},
    title: `${m.client} at ${m.host}
member id ${m.id}
${idle ? "more members than partitions: it waits for one to become free" : said2}`,
    children: [el("bdi", { class: "kl-client" }, shorten(m.name, 40)), el("small", { class: "kl-soft" }, said2)]
  };
}
function metrics(rows, scale) {
  let dense = rows > 14;
  return { dense, step: (dense ? 26 : 38) * scale, box: (dense ? 21 : 29) * scale };
}
function curve({ y1, y2, grow }) {
  let t = Math.min(1, Math.max(0, grow)), points = [[0, y1], [50, y1], [50, y2], [100, y2]], between = (a2, b2) => [a2[0] + (b2[0] - a2[0]) * t, a2[1] + (b2[1] - a2[1]) * t], [a, b, c] = [between(points[0], points[1]), between(points[1], points[2]), between(points[2], points[3])], [d, e] = [between(a, b), between(b, c)], end = between(d, e), put = (p) => `${p[0].toFixed(1)} ${p[1].toFixed(1)}`;
  return `M${put(points[0])}C${put(a)} ${put(d)} ${put(end)}`;
}
function targets(state, { step, box }) {
  let held3 = /* @__PURE__ */ new Map();
  for (let key2 of state.order) {
    let member2 = state.partitions[key2].member;
    member2 !== null && state.members[member2] && held3.set(member2, [...held3.get(member2) ?? [], key2]);
  }
  let found2 = /* @__PURE__ */ new Map(), row = new Map(state.order.map((key2, i) => [key2, i]));
  for (let [member2, keys] of held3) {
    let apart = Math.min(5, box * 0.7 / keys.length);
    keys.forEach((key2, i) => {
      let fan = (i - (keys.length - 1) / 2) * apart;
      found2.set(key2, { y1: (row.get(key2) ?? 0) * step + box / 2, y2: state.members[member2].row * step + box / 2 + fan, grow: 1 });
    });
  }
  return found2;
}
function blend(a, b, k) {
  let mix = (u, v) => u + (v - u) * k;
  return { y1: mix(a.y1, b.y1), y2: mix(a.y2, b.y2), grow: mix(a.grow, b.grow) };
}
function ease(k) {
  return k < 0.5 ? 4 * k ** 3 : 1 - (-2 * k + 2) ** 3 / 2;
}
function stepped(key2, columns2, at) {
  let c = columns2.findIndex((column) => column.includes(at));
  if (c < 0) return null;
  let i = columns2[c].indexOf(at), other = columns2[1 - c], across = () => other.length ? other[Math.min(other.length - 1, Math.round(i * other.length / columns2[c].length))] : null;
  switch (key2) {
    case "ArrowDown":
      return columns2[c][Math.min(i + 1, columns2[c].length - 1)];
    case "ArrowUp":
      return columns2[c][Math.max(i - 1, 0)];
    case "ArrowRight":
      return c === 0 ? across() : null;
    case "ArrowLeft":
      return c === 1 ? across() : null;
    case "Home":
      return columns2[c][0];
    case "End":
      return columns2[c].at(-1) ?? null;
    default:
      return null;
  }
}

// group/view.js
var LISTED = 5, STATES = { Stable: ["●", "ok"], Empty: ["○", "soft"], Dead: ["✕", "soft"], Unknown: ["?", "bad"] }, MARKS = { died: "✕", left: "−", joined: "+", other: "⇄" };
function pill(text2, title) {
  return el("span", { class: "kl-pill", title }, shorten(text2, 60));
}
function signs() {
  let box = (cls) => el("i", { class: `kl-key kl-key-${cls}` });
  return [
    [box("line"), "this member reads this partition"],
    [box("idle"), "member standing by"],
    [box("gap"), "nobody read it"],
    [box("silent"), "its member had died, unnoticed"],
    ["✕", "held by nobody"],
    ["−5", "lag, records"],
    [box("number"), "a new generation (or epoch)"]
  ];
}
var view_default3 = {
  render: live("group", "Consumer group", (page2, { model, ask }) => {
    let frozen = () => !model.get("live"), bar3 = el("div", { class: "kl-bar" }), notice = el("div", {}), graph = groupGraph(), chart = ganttChart(() => !frozen()), standing3 = el("p", { class: "kl-standing" }), empty = el("p", { class: "kl-soft kl-none" }), more = el("p", { class: "kl-soft kl-more" }), list = el("ol", { class: "kl-pauses", "aria-label": "pauses, newest first" }), all = el("button", { type: "button", class: "kl-button kl-all", onclick: () => {
      whole2 = !whole2, pauses(state);
    } }), quiet = el("p", { class: "kl-soft kl-none" }), said2 = el("div", { class: "kl-hidden", role: "status", "aria-live": "polite" }), whole2 = !1, state;
    page2.append(
      bar3,
      notice,
      el(
        "div",
        { class: "kl-two" },
        el("section", { class: "kl-panel", "aria-label": "who reads what now" }, standing3, graph.node, empty, more),
        el("section", { class: "kl-panel", "aria-label": "who held what" }, chart.node, quiet, list, all)
      ),
      legend(signs()),
      said2
    );
    function choose3(event) {
      ask({ do: "choose", place: Number(
        /** @type {HTMLSelectElement} */
        event.target.value
      ) });
    }
    function head2(s) {
      let { about } = s, [sign3, tone] = STATES[about.state] ?? ["⇄", "warn"], name = shorten(s.group, 60), place2 = s.groups.indexOf(s.group), chosen = s.groups.length > 1 && !frozen() ? el(
        "select",
        { class: "kl-select", "aria-label": "group shown", "data-key": "group", onchange: choose3 },
        place2 < 0 ? el("option", { value: -1, selected: !0 }, name || "choose a group") : null,
        s.groups.map((g, i) => el("option", { value: i, selected: i === place2 }, shorten(g, 60)))
      ) : el("bdi", {}, name || "none yet");
      refill(bar3, [
        el("strong", { class: "kl-name" }, "Group ", chosen),
        about.state && el("span", { class: `kl-pill kl-state kl-tone-${tone}` }, el("span", { "aria-hidden": "true" }, `${sign3} `), about.state),
        about.coordinator !== null && pill(`coordinator ${about.coordinator}`, "The broker that leads the group's partition of __consumer_offsets: members join, send heartbeats and commit there."),
        about.number !== null && pill(`${about.noun} ${about.number}`, about.protocol === "consumer" ? "Rises whenever members or what they subscribe to change." : "Counts the rebalances: whoever commits with an older one is refused."),
        about.assignor && pill(about.assignor, "The assignor: how partitions are shared out."),
        about.state && pill(`${about.protocol} protocol`, about.protocol === "consumer" ? "KIP-848: the coordinator shares partitions out, member by member." : "Members meet in a rebalance, and one of them shares the partitions out."),
        about.lag !== null && pill(`lag ${about.lag}`, "Records that the group has not committed yet, over all partitions.")
      ]);
    }
    function pauses(s) {
      let found2 = s.gantt.pauses, focused = (
        /** @type {HTMLElement | null} */
        document.activeElement?.dataset?.pause
      );
      list.replaceChildren(...found2.slice(0, whole2 ? found2.length : LISTED).map((pause) => el(
        "li",
        { class: `kl-pause kl-is-${pause.kind}${pause.to === null ? " kl-open" : ""}` },
        el(
          "button",
          { type: "button", class: "kl-pause-button", "data-pause": pause.id, title: "show it on the time line", onclick: () => chart.show(pause) },
          el("time", { class: "kl-mono" }, clock.ofDay(pause.from)),
          el("span", { class: "kl-mark", "aria-hidden": "true" }, MARKS[pause.kind] ?? "·"),
          el("span", {}, shorten(pause.text, 300))
        )
      ))), focused && [...list.querySelectorAll("button")].find((b) => b.dataset.pause === focused)?.focus(), all.hidden = found2.length <= LISTED, all.textContent = whole2 ? "newest only" : `all ${found2.length}`, quiet.hidden = found2.length > 0 || s.gantt.order.length === 0, quiet.textContent = "No pause so far: every partition is still held by the same member.";
    }
    return {
      draw(s, before) {
        state = s, changed(s, before, "about", "groups", "group") && head2(s), changed(s, before, "error") && notice.replaceChildren(...[trouble(s.error)].flat()), page2.classList.toggle("kl-stale", !!s.error), standing3.textContent = s.about.standing;
        let shown2 = s.order.length > 0 || s.ranks.length > 0;
        graph.node.hidden = !shown2, empty.hidden = shown2, empty.textContent = s.looked ? s.group ? "Nobody is in this group, and nothing was committed for it." : "There is no consumer group yet. Start a consumer with a group id, and it appears here." : "Looking…", more.hidden = !s.more.partitions && !s.more.members, more.textContent = `Not drawn: ${s.more.partitions} more partitions, ${s.more.members} more members.`, changed(s, before, "order", "ranks", "partitions", "members", "group") && graph.draw(s, before), chart.draw(s, before), changed(s, before, "gantt") && pauses(s);
        let newest = s.gantt.pauses.find((p) => p.to !== null), known = before?.gantt.pauses.some((p) => p.id === newest?.id && p.to !== null);
        before && before.group === s.group && newest && !known && (said2.textContent = newest.text);
      },
      end() {
        graph.end(), chart.end();
      }
    };
  })
};

// ledger/flow.js
var WIDTH = 1060, HEIGHT = 268, STATIONS = { sent: 40, acknowledged: 420, seen: 800 }, THICK = 20, TOP = 64, TALL = 128, FLOOR = 226, SINKS = { unacknowledged: 240, lost: 540, strangers: 755 }, LEAST = 4;
function thickness(n, most) {
  return n <= 0 ? 0 : Math.max(LEAST, TALL * n / Math.max(1, most));
}
function layout(flow) {
  let most = Math.max(flow.kept + flow.lost + flow.unsure_seen + flow.unsure_gone, flow.kept + flow.unsure_seen + flow.strangers), h = (
    /** @type {Record<keyof Flow, number>} */
    Object.fromEntries(Object.entries(flow).map(([way, n]) => [way, thickness(n, most)]))
  ), bars = {
    sent: { x: STATIONS.sent, y: TOP, h: h.kept + h.lost + h.unsure_seen + h.unsure_gone },
    acknowledged: { x: STATIONS.acknowledged, y: TOP, h: h.kept + h.lost },
    seen: { x: STATIONS.seen, y: TOP, h: h.kept + h.unsure_seen + h.strangers }
  }, right = (name) => STATIONS[name] + THICK, lostAt = TOP + h.kept, unsureAt = TOP + h.kept + h.lost, goneAt = unsureAt + h.unsure_seen, strangersAt = TOP + h.kept + h.unsure_seen, below2 = TOP + h.kept + h.lost + (h.unsure_seen ? 12 : 0), ribbons = [
    ribbon("acknowledged", flow.kept + flow.lost, right("sent"), TOP, STATIONS.acknowledged, TOP, h.kept + h.lost),
    ribbon("seen", flow.kept, right("acknowledged"), TOP, STATIONS.seen, TOP, h.kept),
    passing("unsure", flow.unsure_seen, unsureAt, below2, TOP + h.kept, h.unsure_seen),
    falling("unacknowledged", flow.unsure_gone, right("sent"), goneAt, SINKS.unacknowledged, h.unsure_gone),
    falling("lost", flow.lost, right("acknowledged"), lostAt, SINKS.lost, h.lost),
    rising("strangers", flow.strangers, SINKS.strangers, strangersAt, h.strangers)
  ];
  return { bars, ribbons: ribbons.filter((one) => one.count > 0) };
}
function ribbon(kind, count2, x1, y1, x2, y2, h) {
  let m = (x1 + x2) / 2;
  return { kind, count: count2, d: `M${x1} ${y1}C${m} ${y1} ${m} ${y2} ${x2} ${y2}V${y2 + h}C${m} ${y2 + h} ${m} ${y1 + h} ${x1} ${y1 + h}Z`, middle: `M${x1} ${y1 + h / 2}C${m} ${y1 + h / 2} ${m} ${y2 + h / 2} ${x2} ${y2 + h / 2}` };
}
function passing(kind, count2, y1, y2, y3, h) {
  let [a, b, c, d] = [STATIONS.sent + THICK, STATIONS.acknowledged, STATIONS.acknowledged + THICK, STATIONS.seen], [m, n] = [(a + b) / 2, (c + d) / 2], line4 = (o) => `M${a} ${y1 + o}C${m} ${y1 + o} ${m} ${y2 + o} ${b} ${y2 + o}H${c}C${n} ${y2 + o} ${n} ${y3 + o} ${d} ${y3 + o}`;
  return { kind, count: count2, d: `${line4(0)}V${y3 + h}C${n} ${y3 + h} ${n} ${y2 + h} ${c} ${y2 + h}H${b}C${m} ${y2 + h} ${m} ${y1 + h} ${a} ${y1 + h}Z`, middle: line4(h / 2) };
}
function falling(kind, count2, x, y, sink, h) {
  let [l, r] = [sink - h / 2, sink + h / 2];
  return { kind, count: count2, d: `M${x} ${y}C${r} ${y} ${r} ${y} ${r} ${FLOOR}H${l}C${l} ${y + h} ${l} ${y + h} ${x} ${y + h}Z`, middle: `M${x} ${y + h / 2}C${sink} ${y + h / 2} ${sink} ${y + h / 2} ${sink} ${FLOOR}` };
}
function rising(kind, count2, source, y, h) {
  let [l, r, x] = [source - h / 2, source + h / 2, STATIONS.seen];
  return { kind, count: count2, d: `M${l} ${FLOOR}C${l} ${y} ${l} ${y} ${x} ${y}V${y + h}C${r} ${y + h} ${r} ${y + h} ${r} ${FLOOR}Z`, middle: `M${source} ${FLOOR}C${source} ${y + h / 2} ${source} ${y + h / 2} ${x} ${y + h / 2}` };
}
var WORDS2 = (
  /** @type {Record<string, [string, string, string]>} */
  {
    lost: ["✗", "lost", "acknowledged, and never seen"],
    duplicated: ["⇉", "duplicated", "in the log more than once"],
    out_of_order: ["⇄", "out of order", "in the log behind a record of the same key that was sent later"],
    redelivered: ["↻", "read again", "read more than once; the log holds it once"],
    unacknowledged: ["⊘", "not acknowledged", "sent, and nobody promised to keep it"],
    strangers: ["◇", "sent by others", "seen, and not sent through this ledger"]
  }
);
function listedAs(picture2, id) {
  return Object.keys(picture2.ids).filter((kind) => picture2.ids[kind].includes(id));
}
function sentence2(fate, moving2) {
  if (fate.sent === null && !fate.seen && !fate.acknowledged) return "The ledger knows no record of this id.";
  if (fate.lost) return moving2 ? "It was acknowledged and has not been seen yet." : "It is lost: a broker acknowledged it, and nobody ever saw it.";
  if (!fate.seen) return "It was sent and not acknowledged: nobody promised to keep it, and nobody has seen it.";
  let said2 = [];
  return fate.sent === null ? said2.push("It was seen, and was not sent through this ledger.") : fate.acknowledged || said2.push("It was never acknowledged, and is in the log all the same."), fate.positions.length > 1 && said2.push("It lies in the log more than once."), fate.out_of_order && said2.push("It came late: a record of its key that was sent later lies before it."), fate.read_again && said2.push("It was read more than once from the same place."), said2.length ? said2.join(" ") : "It arrived, once.";
}
function finder(find) {
  let picture2 = null, input = el("input", { class: "kl-lg-input kl-mono", type: "text", "aria-label": "id of a record", placeholder: "T0042-000017", spellcheck: "false", autocomplete: "off", maxlength: 400 }), told3 = el("div", { class: "kl-lg-told", role: "status" }), form = el("form", { class: "kl-lg-find", onsubmit: (event) => {
    event.preventDefault(), input.value.trim() && ask(input.value.trim());
  } }, el("label", {}, el("span", {}, "What became of "), input), el("button", { class: "kl-button", type: "submit" }, "find"));
  function ask(id) {
    if (input.value = id, picture2?.live) {
      told3.replaceChildren(el("span", { class: "kl-soft" }, "asking…")), find(id);
      return;
    }
    let kinds = picture2 ? listedAs(picture2, id) : [], words = kinds.map((kind) => `${WORDS2[kind][0]} ${WORDS2[kind][1]}`).join(", ");
    told3.replaceChildren(el("bdi", { class: "kl-mono" }, shorten(id, 60)), kinds.length ? `: ${words}.` : " is not among the ids that this picture lists; it keeps only the first of each kind.");
  }
  function answer(fate) {
    let known = fate.sent !== null || fate.seen || fate.acknowledged, step = (good, yes, no, sign3 = "✗") => el("span", { class: `kl-lg-step ${good ? "kl-lg-yes" : "kl-lg-no"}` }, `${good ? "✓" : sign3} ${good ? yes : no}`);
    told3.replaceChildren(
      el("div", { class: "kl-lg-fate-id" }, el("bdi", { class: "kl-mono" }, shorten(fate.id, 80)), fate.key === null ? "" : el("span", { class: "kl-soft" }, " key ", el("bdi", { class: "kl-mono" }, shorten(fate.key, 40)))),
      known ? el(
        "div",
        { class: "kl-lg-steps" },
        step(fate.sent !== null, `sent, as number ${fate.sent}`, "not sent here", "◇"),
        " → ",
        step(fate.acknowledged, "acknowledged", "not acknowledged", "⊘"),
        " → ",
        step(fate.seen, "seen", picture2?.moving ? "not seen yet" : "never seen", picture2?.moving ? "◌" : "✗")
      ) : "",
      fate.positions.length ? el("div", { class: "kl-lg-places" }, fate.positions.map((place2) => el("span", { class: "kl-pill kl-mono" }, shorten(place2, 60)))) : "",
      el("p", {}, sentence2(fate, !!picture2?.moving))
    );
  }
  return { form, told: told3, ask, answer, state: (now) => {
    picture2 = now;
  } };
}

// ledger/view.js
var SHOWN = 12, ALWAYS = ["lost", "duplicated", "out_of_order"], SAID2 = (
  /** @type {Record<string, string>} */
  { kept: "✓", open: "◌" }
), WAYS = (
  /** @type {Record<string, keyof import("./picture").Flow>} */
  { unacknowledged: "unsure_gone", lost: "lost", strangers: "strangers" }
), RIBBONS = (
  /** @type {Record<string, string>} */
  { acknowledged: "sent and acknowledged", seen: "acknowledged and seen", unsure: "not acknowledged, and seen all the same", unacknowledged: "not acknowledged", lost: "acknowledged, not seen", strangers: "seen, sent by others" }
);
function picture(state) {
  let { bars, ribbons } = layout(state.flow), text2 = (x, y, words, kind, anchor = "start") => el("text", { x, y, class: `kl-lg-text ${kind}`, "text-anchor": anchor }, words), nodes = ribbons.map((one) => el(
    "g",
    { class: `kl-lg-ribbon kl-lg-way-${one.kind}${one.kind === "lost" && state.moving ? " kl-lg-open" : ""}` },
    el("path", { d: one.d, class: "kl-lg-band" }, el("title", {}, `${count(one.count)} ${RIBBONS[one.kind]}`)),
    state.moving && ["acknowledged", "seen"].includes(one.kind) ? el("path", { d: one.middle, class: "kl-lg-current" }) : ""
  ));
  for (let [name, bar3] of Object.entries(bars))
    nodes.push(el("rect", { x: bar3.x, y: bar3.y, width: THICK, height: Math.max(2, bar3.h), rx: 3, class: "kl-lg-bar" }), text2(bar3.x, bar3.y - 30, name, "kl-lg-soft"), text2(bar3.x, bar3.y - 8, count(state.counts[name]), "kl-lg-number"));
  for (let [kind, x] of Object.entries(SINKS)) {
    let n = state.flow[WAYS[kind]];
    if (!n) continue;
    let open = kind === "lost" && state.moving;
    nodes.push(text2(x, FLOOR + 22, `${open ? "◌" : WORDS2[kind][0]} ${count(n)} ${open ? "not seen yet" : WORDS2[kind][1]}`, `kl-lg-end kl-lg-way-${open ? "open" : kind}`, "middle"));
  }
  let more = ["duplicated", "out_of_order", "redelivered"].filter((kind) => state.counts[kind]);
  more.forEach((kind, i) => nodes.push(text2(STATIONS.seen + THICK + 14, 84 + 24 * i, `${WORDS2[kind][0]} ${count(state.counts[kind])} ${WORDS2[kind][1]}`, `kl-lg-beside kl-lg-way-${kind}`)));
  let wide2 = more.length ? WIDTH : STATIONS.seen + 120, high = Object.keys(SINKS).some((kind) => state.flow[WAYS[kind]]) ? HEIGHT : FLOOR - 22;
  return el("svg", { viewBox: `0 0 ${wide2} ${high}`, "aria-hidden": "true" }, nodes);
}
function drawKinds(box, state) {
  let held3 = (
    /** @type {HTMLElement | null} */
    (box.contains(document.activeElement) ? document.activeElement : null)?.dataset
  ), shown2 = Object.keys(WORDS2).filter((kind) => ALWAYS.includes(kind) || state.counts[kind]), first = !0;
  if (box.replaceChildren(...shown2.map((kind) => {
    let n = state.counts[kind], open = kind === "lost" && state.moving && n, [sign3, word, means] = open ? ["◌", "not seen yet", "acknowledged; what reads is still at work"] : WORDS2[kind], ids = state.ids[kind].slice(0, SHOWN);
    return el(
      "section",
      { class: `kl-lg-kind kl-lg-way-${open ? "open" : kind}${n ? "" : " kl-lg-none"}`, "data-kind": kind, "aria-label": `${n ? count(n) : "none"} ${word}` },
      el("h4", {}, el("span", { class: "kl-lg-sign", "aria-hidden": "true" }, n ? sign3 : "✓"), el("span", {}, n ? ` ${count(n)} ` : " none "), word),
      n ? el("p", { class: "kl-soft" }, means) : "",
      n && ids.length ? el("ul", { class: "kl-lg-ids" }, ids.map((id, i) => {
        let node = el("li", {}, el("button", { class: "kl-lg-id kl-mono", "data-at": i, "data-kind": kind, tabindex: first ? 0 : -1, title: "what became of it?" }, el("bdi", {}, shorten(id, 28))));
        return first = !1, node;
      }), n > ids.length ? el("li", { class: "kl-soft" }, `and ${count(n - ids.length)} more`) : "") : ""
    );
  })), held3?.at !== void 0) {
    let again = (
      /** @type {HTMLElement | null} */
      box.querySelector(`[data-kind="${held3.kind}"][data-at="${held3.at}"]`)
    );
    again && choose2(box, again);
  }
}
function choose2(box, node) {
  for (
    let other of
    /** @type {NodeListOf<HTMLElement>} */
    box.querySelectorAll(".kl-lg-id")
  ) other.tabIndex = other === node ? 0 : -1;
  node.focus();
}
function walk(event, box) {
  let all = (
    /** @type {HTMLElement[]} */
    [...box.querySelectorAll(".kl-lg-id")]
  ), at = all.indexOf(
    /** @type {HTMLElement} */
    document.activeElement
  ), to = walked(event.key, at, all.length - 1);
  at < 0 || to === void 0 || (event.preventDefault(), choose2(box, all[to]));
}
var view_default4 = {
  render: live("ledger", "Ledger of records", (page2, { ask }) => {
    let title = el("h3", { class: "kl-lg-title" }), moving2 = el("span", { class: "kl-pill kl-lg-moving", hidden: !0 }, "◌ counting"), verdict = el("p", { class: "kl-lg-verdict", role: "status" }), flow = el("div", { class: "kl-lg-flow", tabindex: 0, role: "img" }), kinds = el("div", { class: "kl-lg-kinds" }), find = finder((id) => ask({ do: "find", id }));
    page2.append(
      el("header", { class: "kl-lg-head" }, title, moving2),
      verdict,
      el("div", { class: "kl-lg-both" }, flow, kinds),
      el("div", { class: "kl-lg-ask" }, find.form, find.told),
      el("ul", { class: "kl-legend", "aria-label": "legend" }, Object.values(WORDS2).map(([sign3, word, means]) => el("li", {}, el("span", { class: "kl-sign", "aria-hidden": "true" }, sign3), " ", el("b", {}, word), ` ${means}`)))
    ), kinds.addEventListener("click", (event) => {
      let id = (
        /** @type {HTMLElement | null} */
        /** @type {HTMLElement} */
        event.target.closest?.("[data-at]")
      );
      id && state && find.ask(state.ids[id.dataset.kind ?? ""]?.[Number(id.dataset.at)] ?? "");
    }), kinds.addEventListener("keydown", (event) => walk(
      /** @type {KeyboardEvent} */
      event,
      kinds
    ));
    let state = null;
    return {
      draw(after, before) {
        state = after, find.state(after);
        let name = after.topic ? `Ledger of ${shorten(after.topic, 80)}` : "Ledger";
        title.textContent !== name && (title.textContent = name), moving2.hidden = !after.moving, verdict.dataset.text !== after.verdict && (verdict.dataset.text = after.verdict, verdict.replaceChildren(...after.said.flatMap(([kind, sentence4]) => [el("span", { class: `kl-lg-said kl-lg-way-${kind}` }, el("b", { "aria-hidden": "true" }, `${SAID2[kind] ?? WORDS2[kind][0]} `), sentence4), " "]))), changed(after, before, "flow", "counts", "moving") && (flow.setAttribute("aria-label", `sent ${after.counts.sent}, acknowledged ${after.counts.acknowledged}, seen ${after.counts.seen}. ${after.verdict}`), flow.replaceChildren(picture(after))), changed(after, before, "ids", "counts", "moving") && drawKinds(kinds, after);
      },
      heard(message) {
        message.found && find.answer(message.found);
      }
    };
  })
};

// log/axis.js
var LEVELS = [30, 21, 15, 2, 0.2, 0.02, 2e-3, 2e-4], NEAREST_BARS = 3, FILLED = 0.8, GHOSTS = 4;
function pixels(level, scale = 1) {
  return LEVELS[level] * (level < NEAREST_BARS ? scale : 1);
}
function levelFor(length, width, scale = 1) {
  let found2 = LEVELS.findIndex((_, level) => level >= 1 && pixels(level, scale) * length <= width);
  return found2 < 0 ? LEVELS.length - 1 : found2;
}
function visible2(left, px, width) {
  return { from: Math.max(0, Math.floor(left)), to: Math.max(0, Math.ceil(left + width / px)) };
}
function followed(spans2, cols, own) {
  let all = Object.values(spans2);
  if (!all.length) return { lefts: {}, own: !1 };
  let ends = all.map((s) => s.end), last = Math.max(...ends), room2 = Math.floor(cols * FILLED), apart = last - Math.min(...ends) > (own ? room2 / 3 : room2 / 2) && last > room2, first = Math.max(0, Math.min(...all.map((s) => s.start)) - GHOSTS), shared = Math.max(first, last - room2);
  return { lefts: Object.fromEntries(Object.entries(spans2).map(([p, s]) => [p, apart ? Math.max(0, Math.max(s.start - GHOSTS, s.end - room2)) : shared])), own: apart };
}
function scrolled(lefts, spans2, by, cols) {
  let lanes2 = Object.entries(spans2);
  if (!lanes2.length) return lefts;
  let lowest = Math.min(...lanes2.map(([p, s]) => s.start - cols * 0.2 - (lefts[p] ?? 0))), highest = Math.max(...lanes2.map(([p, s]) => s.end - cols * 0.2 - (lefts[p] ?? 0))), step = Math.min(Math.max(by, Math.min(0, lowest)), Math.max(0, highest));
  return Object.fromEntries(Object.entries(lefts).map(([p, left]) => [p, left + step]));
}
function centred(lefts, at, cols) {
  return Object.fromEntries(Object.entries(lefts).map(([p, left]) => {
    let offset = at(p);
    return [p, offset == null ? left : Math.max(-2, Math.round(offset - cols / 3))];
  }));
}
function zoomed3(lefts, x, before, after) {
  return Object.fromEntries(Object.entries(lefts).map(([p, left]) => [p, left + x / before - x / after]));
}
function ticks3(from, to, px, apart = 70) {
  return ticks(from, to - 1, roundStep(Math.max(1, apart / px)));
}
function withEnds(round, lane2, seen, px, apart) {
  let ends = lane2.end > lane2.start ? [lane2.start, lane2.end - 1].filter((at) => at >= seen.from && at < seen.to) : [];
  if (!ends.length) return round;
  ends.length === 2 && (ends[1] - ends[0]) * px < 8 * String(ends[1]).length && ends.shift();
  let far = round.filter((at) => at < lane2.end && ends.every((end) => Math.abs(end - at) >= apart || at === end));
  return [.../* @__PURE__ */ new Set([...far, ...ends])].sort((a, b) => a - b);
}
function brief(n) {
  return n < 1e5 ? count(n) : n < 1e6 ? `${Math.round(n / 1e3)} k` : `${(n / 1e6).toFixed(n < 1e7 ? 2 : 1)} M`;
}

// log/store.js
var UNREAD = "not read yet", ABSENT = "not in this picture", LogStore = class {
  constructor() {
    this.lanes = /* @__PURE__ */ new Map(), this.unread = UNREAD;
  }
  lane(p) {
    let lane2 = this.lanes.get(p);
    return lane2 || this.lanes.set(p, lane2 = { cells: /* @__PURE__ */ new Map(), read: [], blank: [] }), lane2;
  }
  /** Stores a window, `{from, to, cells, blank}`, in place of everything known about its offsets. */
  put(p, window2) {
    if (window2.to <= window2.from) return;
    let lane2 = this.lane(p), now = new Map(window2.cells.map((cell) => [cell[0], cell]));
    for (let offset = window2.from; offset < window2.to; offset++) {
      let cell = now.get(offset);
      cell ? lane2.cells.set(offset, cell) : lane2.cells.delete(offset);
    }
    lane2.read = joinedRanges([...lane2.read, [window2.from, window2.to]]);
    let rest2 = [...within(lane2.blank, 0, window2.from), ...within(lane2.blank, window2.to, 1 / 0)];
    lane2.blank = window2.blank || rest2.length ? joinedRanges([...rest2, ...window2.blank ?? []]) : [];
  }
  /** Returns a record's cell; null when the offset holds no record, BLANK when it was not recorded, undefined when not read. */
  at(p, offset) {
    let lane2 = this.lanes.get(p);
    if (!lane2) return;
    let cell = lane2.cells.get(offset);
    return cell || (lane2.blank.some(([from, to]) => from <= offset && offset < to) ? !1 : lane2.read.some(([from, to]) => from <= offset && offset < to) ? null : void 0);
  }
  /** Returns the smallest range in from … to that holds every unread offset; null if all were read. @returns {[number, number] | null} */
  missing(p, from, to) {
    let [first, last] = [from, to];
    for (let [a, b] of this.lanes.get(p)?.read ?? [])
      a <= first && b > first && (first = b);
    for (let [a, b] of [...this.lanes.get(p)?.read ?? []].reverse())
      b >= last && a < last && (last = a);
    return first < last ? [first, last] : null;
  }
  /** Forgets offsets outside start … end, because the log was truncated at `end` or now begins at `start`. */
  cut(p, start, end) {
    let lane2 = this.lanes.get(p);
    if (!lane2) return;
    let read2 = within(lane2.read, start, end);
    if (!(read2.length === lane2.read.length && read2.every(([a, b], i) => a === lane2.read[i][0] && b === lane2.read[i][1]))) {
      lane2.read = read2, lane2.blank = within(lane2.blank, start, end);
      for (let offset of lane2.cells.keys()) (offset < start || offset >= end) && lane2.cells.delete(offset);
    }
  }
  /** Forgets the cells that are far from from … to, once the lane has many. */
  prune(p, from, to) {
    let lane2 = this.lanes.get(p);
    if (!lane2 || lane2.cells.size <= 3e3) return;
    let near = to - from;
    this.cut(p, from - near, to + near);
  }
};
function within(ranges, start, end) {
  return ranges.map(([a, b]) => (
    /** @type {[number, number]} */
    [Math.max(a, start), Math.min(b, end)]
  )).filter(([a, b]) => a < b);
}
function joinedRanges(ranges) {
  let sorted2 = [...ranges].sort((a, b) => a[0] - b[0]), found2 = [];
  for (let [from, to] of sorted2) {
    let last = found2.at(-1);
    last && from <= last[1] ? last[1] = Math.max(last[1], to) : found2.push([from, to]);
  }
  return found2;
}
function outcome(store, p, cell, to) {
  let producer = cell[9]?.tx;
  if (producer === void 0 || cell[1] === "c" || cell[1] === "a") return null;
  for (let offset = cell[0] + 1; offset < Math.min(to, cell[0] + 500); offset++) {
    let later = store.at(p, offset);
    if (later && later[9]?.tx === producer && (later[1] === "c" || later[1] === "a")) return later[1] === "c" ? "committed" : "aborted";
  }
  return "open";
}
var PATIENCE = 3e3, REST = 1500, LogAsker = class {
  /** @param {LogStore} store @param {(message: object) => void} ask @param {() => void} arrived */
  constructor(store, ask, arrived) {
    this.store = store, this.ask = ask, this.arrived = arrived, this.pad = 0, this.id = 0, this.asked = 0, this.rest = 0, this.lanes = "", this.wanted = {};
  }
  /** @param {Record<string, [number, number]>} windows the offsets in view @param {number} pad offsets to ask for beyond them, on both sides @param {string[]} shown the lanes in view */
  want(windows, pad, shown2) {
    this.wanted = windows, this.pad = pad;
    let lanes2 = shown2.filter((p) => Number(p) >= 24).sort().join();
    lanes2 !== this.lanes && (this.lanes = lanes2, this.ask({ do: "lanes", lanes: lanes2 ? lanes2.split(",").map(Number) : [] })), this.timer || (this.timer = setTimeout(() => this.now(), 40));
  }
  now() {
    clearTimeout(this.timer), this.timer = void 0;
    let time = performance.now(), wait = Math.max(this.asked ? this.asked + PATIENCE - time : 0, this.rest - time), windows = {};
    for (let [p, [from, to]] of Object.entries(this.wanted))
      from < to && this.store.missing(p, from, to) && (windows[p] = this.store.missing(p, Math.max(0, from - this.pad), to + this.pad) ?? [from, to]), this.store.prune(p, from, to);
    if (Object.keys(windows).length) {
      if (wait > 0) {
        this.timer = setTimeout(() => this.now(), wait);
        return;
      }
      this.asked = time, clearTimeout(this.silence), this.silence = setTimeout(() => this.answered(ABSENT), PATIENCE), this.ask({ do: "look", windows, id: ++this.id });
    }
  }
  heard(message) {
    if (!message?.windows) return;
    clearTimeout(this.silence), this.store.unread = UNREAD;
    let news2 = !1;
    for (let [p, window2] of Object.entries(message.windows))
      news2 ||= this.store.missing(p, window2.from, window2.to) !== null, this.store.put(p, window2);
    message.id === this.id && (this.asked = 0, this.rest = news2 ? 0 : performance.now() + REST), this.arrived();
  }
  /** @param {string} unread the words for records that were not read */
  answered(unread) {
    this.store.unread = unread, this.arrived();
  }
  end() {
    clearTimeout(this.timer), clearTimeout(this.silence), this.wanted = {};
  }
};

// log/lane.js
var FLOCK = 14, LogLane = class {
  /** @param {string} p @param {import("./store.js").LogStore} store */
  constructor(p, store) {
    this.p = p, this.store = store, this.base = 0, this.cells = /* @__PURE__ */ new Map(), this.lane = null, this.headOf = null, this.strip = el("div", { class: "kl-log-strip" }), this.bar = el("div", { class: "kl-log-bar", role: "gridcell", tabindex: "-1", hidden: !0 }), this.high = el("div", { class: "kl-log-high", "aria-hidden": "true" }), this.stable = el("div", { class: "kl-log-stable", "aria-hidden": "true", hidden: !0 }), this.ticks = el("div", { class: "kl-log-ticks", "aria-hidden": "true" }), this.edge = el("div", { class: "kl-log-edge kl-soft", hidden: !0 }), this.marks = el("div", { class: "kl-log-marks" }), this.track = el(
      "div",
      { class: "kl-log-track", role: "presentation" },
      this.ticks,
      el("div", { class: "kl-log-cells", role: "presentation" }, this.strip, this.bar, this.high, this.stable, this.edge),
      this.marks
    ), this.head = el("div", { class: "kl-log-head", role: "rowheader" }), this.node = el("div", { class: "kl-log-lane", role: "row", "data-p": p, style: { "--kl-c": partitionColour(Number(p)) } }, this.head, this.track);
  }
  /** Draws the lane's head: the partition's leader, and the first and last offset of its log. */
  drawHead(lane2) {
    let was = this.headOf;
    if (was && ["leader", "alive", "start", "high", "end", "isr"].every((name) => was[name] === lane2[name])) return;
    this.headOf = lane2;
    let leader = lane2.leader === null ? "no leader" : lane2.alive ? `♛ ${lane2.leader}` : `✕ ${lane2.leader}`, span = lane2.start === null || lane2.end === null ? "offsets unknown" : lane2.start === lane2.end ? "empty" : `${brief(lane2.start)} … ${brief(lane2.end - 1)}`, said2 = lane2.leader === null ? "no leader" : `leader ${lane2.leader}`, exact = lane2.start === null ? "" : `, log start ${count(lane2.start)}, high watermark ${count(lane2.high)}, log end ${count(lane2.end)}`;
    this.head.replaceChildren(
      el("b", { class: "kl-log-p" }, `P${this.p}`),
      el("span", { class: "kl-log-leader", "aria-hidden": "true" }, leader),
      el("span", { class: "kl-log-span kl-soft", "aria-hidden": "true" }, span),
      el("span", { class: "kl-hidden" }, `${said2}${exact}`)
    ), this.head.title = `partition ${this.p}: ${said2}${exact}
replicas ${lane2.replicas.join(", ")} · in sync ${lane2.isr.join(", ") || "none"}`;
  }
  /** @param {any} lane @param {{ left: number, px: number, width: number, near: boolean, glide: boolean, fly: boolean }} place
   * @returns {{ from: number, to: number } | null} the offsets in view */
  draw(lane2, place2) {
    this.drawHead(lane2);
    let before = this.lane;
    this.lane = lane2;
    let known = lane2.start !== null && lane2.end !== null;
    if (this.node.classList.toggle("kl-log-unknown", !known), !known) {
      this.clear(), this.edge.hidden = !1, this.edge.textContent = lane2.leader === null ? "no leader that could say what it holds" : "its leader does not answer";
      for (let node of [this.bar, this.high, this.stable]) node.hidden = !0;
      return this.ticks.replaceChildren(), null;
    }
    let seen = visible2(place2.left, place2.px, place2.width), x = (offset) => (offset - place2.left) * place2.px;
    return this.track.classList.toggle("kl-log-glide", place2.glide), this.bar.hidden = place2.near, place2.near ? this.drawCells(lane2, before, place2, seen) : this.drawBar(lane2, place2, x), this.line(this.high, x(lane2.high) - 1, place2.width, !1), this.line(this.stable, x(lane2.stable ?? 0) - 1, place2.width, lane2.stable === null), this.drawTicks(seen, place2, x), this.drawEdge(lane2, seen), seen;
  }
  line(node, at, width, hidden2) {
    node.hidden = hidden2 || at < -4 || at > width + 4, node.style.transform = `translateX(${at}px)`;
  }
  clear() {
    for (let node of this.cells.values()) node.remove();
    this.cells.clear();
  }
  drawCells(lane2, before, place2, seen) {
    Math.abs(place2.left - this.base) > 4e3 || this.px !== place2.px ? (this.clear(), this.base = Math.floor(place2.left), this.px = place2.px, this.strip.classList.add("kl-log-still")) : this.strip.classList.remove("kl-log-still"), this.strip.style.transform = `translateX(${(this.base - place2.left) * place2.px}px)`;
    let from = Math.max(0, seen.from - 2), to = Math.min(lane2.end, seen.to + 2);
    for (let [offset, node] of this.cells)
      offset >= from && offset < to || (node !== document.activeElement || offset >= lane2.end || offset < from - 4) && (node.remove(), this.cells.delete(offset));
    let fresh = place2.fly && before && lane2.end - (before.end ?? 0) <= FLOCK ? before.end ?? 0 : 1 / 0;
    for (let offset = from; offset < to; offset++) this.drawCell(lane2, before, offset, fresh);
  }
  drawCell(lane2, before, offset, fresh) {
    let cell = this.store.at(this.p, offset), ghost = offset < lane2.start, fate = cell?.[9]?.tx === void 0 ? null : outcome(this.store, this.p, cell, lane2.end), kind = ghost ? "ghost" : cell === void 0 ? "unread" : cell === !1 ? "blank" : cell === null ? "hole" : cell[1], look2 = `${kind} ${offset >= lane2.high} ${fate} ${cell === void 0 ? this.store.unread : ""}`, node = (
      /** @type {any} */
      this.cells.get(offset)
    );
    if (node && node.look === look2 && node.cell === cell) return;
    let was = node?.look;
    node || (node = el("div", { role: "gridcell", tabindex: "-1", "data-o": offset }), node.style.left = `${(offset - this.base) * this.px}px`, this.cells.set(offset, node), this.strip.append(node)), node.look = look2, node.cell = cell;
    let classes = ["kl-log-cell", `kl-log-is-${kind}`];
    offset >= lane2.high && classes.push("kl-log-pale"), fate && fate !== "committed" && classes.push(`kl-log-${fate}`), cell && cell[3] < 0 && classes.push("kl-log-nokey"), offset >= fresh && !ghost && !was && classes.push("kl-log-new"), ghost && was && before && offset >= (before.start ?? 0) && classes.push("kl-log-eaten"), node.className = classes.join(" "), node.style.setProperty("--kl-k", cell && cell[3] >= 0 ? keyColour(cell[3]) : "var(--kl-soft)");
    let sign3 = ghost || cell === void 0 || cell === !1 ? "" : cell === null ? "·" : shorten(cell[2], 4);
    node.textContent !== sign3 && (node.textContent = sign3), node.classList.toggle("kl-log-long", sign3.length > 2 || sign3.length === 2 && /[mwMW@%]/.test(sign3)), node.setAttribute("aria-label", sentence3(this.p, offset, cell, lane2, fate, this.store.unread));
  }
  drawBar(lane2, place2, x) {
    this.clear();
    let [a, b] = [Math.max(-2, x(lane2.start)), Math.min(place2.width + 2, x(lane2.end))], h = Math.min(b, Math.max(a, x(lane2.high)));
    this.bar.style.transform = `translateX(${a}px)`, this.bar.style.width = `${Math.max(2, b - a)}px`, this.bar.style.setProperty("--kl-committed", `${h - a}px`), this.bar.setAttribute("aria-label", `partition ${this.p}: ${count(lane2.end - lane2.start)} offsets, from ${count(lane2.start)} to ${count(lane2.end)}`), this.bar.classList.toggle("kl-log-open-left", a < 0);
  }
  drawTicks(seen, place2, x) {
    let digits = String(Math.max(this.lane.end, 1e3)).length, room2 = (place2.near ? 22 + 7 * digits : 64) * place2.scale, round = ticks3(seen.from, Math.max(seen.from + 1, Math.min(seen.to, this.lane.end + 1)), place2.px, room2), wanted = place2.near ? withEnds(round, this.lane, seen, place2.px, room2 / place2.px) : round, key2 = `${wanted.join()} ${place2.near}`;
    this.ticks.dataset.key !== key2 && (this.ticks.dataset.key = key2, this.ticks.replaceChildren(...wanted.map((offset) => el("span", { class: "kl-log-tick", "data-o": offset }, place2.near ? count(offset) : brief(offset)))));
    for (
      let node of
      /** @type {any} */
      this.ticks.children
    ) node.style.transform = `translateX(${x(Number(node.dataset.o))}px)`;
  }
  // Tells where the log is when none of it is in view.
  drawEdge(lane2, seen) {
    let words = lane2.end === lane2.start && lane2.end >= seen.from && lane2.end <= seen.to ? "empty" : "", away = lane2.end <= seen.from && lane2.end > 0 ? `◂ its log ends at ${count(lane2.end)}` : lane2.start >= seen.to ? `its log starts at ${count(lane2.start)} ▸` : words;
    this.edge.hidden = !away, this.edge.textContent !== away && (this.edge.textContent = away), this.edge.classList.toggle("kl-log-right", away.endsWith("▸"));
  }
};
function lagOf(lane2, committed) {
  return committed == null || lane2.high === null ? null : Math.max(0, lane2.high - committed);
}
function placed(x, end, width, wordsWidth) {
  let off = x < -3 ? "left" : x > width + 1 ? "right" : "", at = Math.min(Math.max(x, 5), width - 5), from = Math.min(Math.max(x, 0), width);
  return { at, off, from, to: Math.max(from, Math.min(Math.max(end, 0), width)), words: at + 10 + wordsWidth > width && at - 10 - wordsWidth > 0 ? "left" : "right" };
}
var GroupMark = class {
  constructor(name) {
    this.name = name, this.lag = el("span", { class: "kl-log-lag" }), this.sign = el("span", { class: "kl-log-committed" }, "▲"), this.member = el("span", { class: "kl-log-member" }), this.words = el("span", { class: "kl-log-words" }), this.label = el("span", { class: "kl-log-label" }, this.words, this.member), this.node = el("div", { class: "kl-log-mark", "data-group": name }, this.lag, this.sign, this.label);
  }
  /** @param {any} lane @param {any} at `{committed, member}` @param {any} before the same in the last state */
  draw(lane2, at, before, place2) {
    let lag = lagOf(lane2, at.committed), name = shorten(this.name, 28), words = at.committed === null ? `${name} · nothing committed yet` : `${name} · committed ${count(at.committed)} · lag ${lag === null ? "unknown" : count(lag)}`, member2 = at.member === null ? "nobody" : shorten(at.member, 24);
    this.words.textContent !== words && (this.words.textContent = words), this.member.textContent !== member2 && (this.member.textContent = member2, this.member.title = at.member === null ? "no member of the group holds this partition" : `assigned to ${shorten(at.member, 200)}`, before && before.member !== at.member && this.handOver(before.member)), this.member.classList.toggle("kl-log-nobody", at.member === null), this.node.classList.toggle("kl-log-lagging", !!lag);
    let hidden2 = at.committed === null || lane2.high === null || !place2;
    if (this.lag.hidden = this.sign.hidden = hidden2, hidden2) {
      this.label.style.transform = "translateX(4px)";
      return;
    }
    let x = (at.committed - place2.left) * place2.px, spot = placed(x, (lane2.high - place2.left) * place2.px, place2.width, (words.length + member2.length + 3) * 6.1 * place2.scale);
    this.sign.textContent = spot.off === "left" ? "◂▲" : spot.off === "right" ? "▲▸" : "▲", this.sign.style.transform = `translateX(${spot.at}px) translateX(${spot.off === "left" ? "-4px" : spot.off === "right" ? "-100%" : "-50%"})`, this.lag.style.transform = `translateX(${spot.from}px)`, this.lag.style.width = `${spot.to - spot.from}px`;
    let gap = (spot.off ? 20 : 9) * place2.scale;
    this.label.style.transform = spot.words === "right" ? `translateX(${spot.at + gap}px)` : `translateX(${spot.at - gap}px) translateX(-100%)`;
  }
  // Shows for a while that another member got the partition: the old name beside the new one, which comes down from above.
  handOver(from) {
    let was = el("s", { class: "kl-log-was", "aria-hidden": "true" }, from === null ? "nobody" : shorten(from, 24));
    this.label.querySelector(".kl-log-was")?.remove(), this.label.insertBefore(was, this.member), this.member.classList.remove("kl-log-moved"), this.member.offsetWidth, this.member.classList.add("kl-log-moved"), clearTimeout(this.timer), this.timer = setTimeout(() => {
      was.remove(), this.member.classList.remove("kl-log-moved");
    }, 4e3);
  }
}, PositionMark = class {
  constructor(name) {
    this.name = name, this.node = el("div", { class: "kl-log-position", "data-name": name }, el("span", { class: "kl-log-who" }), el("span", { class: "kl-log-point", "aria-hidden": "true" }, "▼"));
  }
  draw(offset, place2) {
    let x = (offset - place2.left) * place2.px, said2 = `${x < -3 ? "◂ " : x > place2.width + 1 ? "▸ " : ""}${shorten(this.name, 20)}`, who = (
      /** @type {HTMLElement} */
      this.node.firstChild
    );
    who.textContent !== said2 && (who.textContent = said2), this.node.title = `${shorten(this.name, 100)} reads offset ${count(offset)} next`, this.node.style.transform = `translateX(${Math.min(Math.max(x, 4), place2.width - 4)}px)`, this.node.classList.toggle("kl-log-at-right", x > place2.width - 60 * place2.scale);
  }
}, LaneMarks = class {
  constructor(p) {
    this.p = p, this.groups = /* @__PURE__ */ new Map(), this.positions = /* @__PURE__ */ new Map();
  }
  draw(lane2, state, before, place2, shown2, under, above2) {
    let groups = shown2.filter((name) => state.groups[name]?.lanes[this.p]);
    sync(this.groups, groups, (name) => new GroupMark(name), under);
    for (let name of groups)
      /** @type {GroupMark} */
      this.groups.get(name).draw(lane2, state.groups[name].lanes[this.p], before?.groups[name]?.lanes[this.p], place2);
    let readers = place2 ? Object.keys(state.positions).filter((name) => state.positions[name][this.p] !== void 0) : [];
    sync(this.positions, readers, (name) => new PositionMark(name), above2);
    for (let name of readers) this.positions.get(name)?.draw(state.positions[name][this.p], place2);
  }
};
function sync(marks, names2, make, parent) {
  for (let [name, mark2] of marks)
    names2.includes(name) || (mark2.node.remove(), marks.delete(name));
  for (let name of names2)
    marks.has(name) || (marks.set(name, make(name)), parent.append(marks.get(name).node));
}
var KINDS = { c: "transaction marker: committed", a: "transaction marker: aborted", x: "control record", u: "cannot be decoded" };
function shownKey(cell) {
  return cell[4] === null ? "null" : shorten(cell[4], 60);
}
function bytesOf(n) {
  return n < 1e3 ? `${n} bytes` : n < 1e6 ? `${(n / 1e3).toFixed(1)} kB` : `${(n / 1e6).toFixed(2)} MB`;
}
function when(ms, now = Date.now()) {
  if (ms === null || ms < 0) return "no timestamp";
  let d = new Date(ms), time = clock.ofDay(ms / 1e3, 3);
  return new Date(now).toDateString() === d.toDateString() ? time : `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())} ${time}`;
}
function sentence3(p, offset, cell, lane2, fate, unread = UNREAD) {
  let place2 = `partition ${p}, offset ${count(offset)}`;
  if (offset < lane2.start) return `${place2}: deleted, the log starts at ${count(lane2.start)}`;
  if (offset >= lane2.end) return `${place2}: not written yet`;
  let pale = offset >= lane2.high ? ", written but not committed yet" : "";
  if (cell === void 0) return `${place2}: ${unread}${pale}`;
  if (cell === !1) return `${place2}: not recorded`;
  if (cell === null) return `${place2}: no record, it was compacted away`;
  if (KINDS[cell[1]]) return `${place2}: ${KINDS[cell[1]]}`;
  let value = cell[5] === null ? "null, a tombstone" : shorten(cell[5], 120), transaction = fate === "aborted" ? ", of an aborted transaction" : fate === "open" ? ", of a transaction still open" : "", sign3 = cell[4] === null || cell[2] === cell[4] ? "" : `, drawn as ${shorten(cell[2], 4)}`;
  return `${place2}: key ${shownKey(cell)}${sign3}, value ${value}, ${when(cell[6])}, ${bytesOf(cell[7])}${transaction}${pale}`;
}
function card2(p, offset, cell, lane2, fate, unread = UNREAD) {
  let rows = [], add = (term, ...words) => rows.push(el("dt", {}, term), el("dd", {}, ...words));
  if (cell && !KINDS[cell[1]]) {
    add("key", cell[4] === null ? el("i", {}, "null: no key, any partition") : el("bdi", {}, shorten(cell[4], 160))), add("value", cell[5] === null ? el("i", {}, "null: a tombstone, compaction deletes the key") : el("bdi", { class: "kl-mono" }, shorten(cell[5], 160)));
    for (let [name, value] of cell[8] ?? [])
      add("header", el("bdi", {}, shorten(name, 60)), " = ", value === null ? el("i", {}, "null") : el("bdi", { class: "kl-mono" }, shorten(value, 80)));
    add("time", `${when(cell[6])}, ${cell[9]?.appended ? "by the broker" : "by the producer"}`);
    let batch = cell[9]?.batch === void 0 ? "" : ` · batch from ${count(cell[9].batch)}${cell[9].codec ? `, ${cell[9].codec}` : ""}`;
    add("size", `${bytesOf(cell[7])}${batch}`), fate && add("transaction", `of producer ${cell[9].tx}, ${fate === "open" ? "no marker seen yet" : fate}`);
  } else cell && cell[1] === "u" ? add("bytes", shorten(cell[5] ?? "", 160)) : cell && add("marker", `${KINDS[cell[1]]}${cell[9]?.tx === void 0 ? "" : `, producer ${cell[9].tx}`}`);
  return [
    el("div", { class: "kl-log-card-head" }, el("b", {}, `P${p} · offset ${count(offset)}`), el("span", { class: "kl-soft" }, standing(offset, cell, lane2, unread))),
    rows.length ? el("dl", {}, rows) : null
  ];
}
function standing(offset, cell, lane2, unread) {
  return offset < lane2.start ? "deleted: before the log start" : cell === !1 ? "not recorded: what was here, the recording does not hold" : offset >= lane2.high ? "written, not committed: a follower in the ISR lacks it" : cell === void 0 ? unread : cell === null ? "no record: compacted away" : "committed";
}

// log/bar.js
function logControls(does) {
  let name = el("strong", { class: "kl-name" }), sum = el("span", { class: "kl-soft kl-log-sum" }), follow2 = el("button", { type: "button", class: "kl-button kl-log-follow", onclick: does.follow, title: "stay at the end of the logs (f)" }), where = el("select", { class: "kl-select", "aria-label": "go to", onchange: () => {
    does.go(where.value), where.value = "";
  } }), offset = el("input", { class: "kl-select kl-log-offset", type: "number", min: "0", step: "1", placeholder: "offset", "aria-label": "offset to go to" }), jump = () => offset.value !== "" && does.go("offset", Number(offset.value));
  offset.addEventListener("keydown", (event) => {
    event.key === "Enter" && (event.preventDefault(), jump());
  });
  let form = el("span", { class: "kl-log-goto", role: "group", "aria-label": "go to an offset" }, offset, el("button", { type: "button", class: "kl-button", onclick: jump }, "go")), out = el("button", { type: "button", class: "kl-button", onclick: () => does.zoom(1), "aria-label": "zoom out", title: "zoom out (−)" }, "−"), near = el("button", { type: "button", class: "kl-button", onclick: () => does.zoom(-1), "aria-label": "zoom in", title: "zoom in (+)" }, "+"), group = el("select", { class: "kl-select", "aria-label": "groups shown", onchange: () => does.groups(group.value) }), alive = el("span", { class: "kl-log-live kl-soft" }), nodes = el(
    "div",
    { class: "kl-log-controls" },
    el("div", { class: "kl-log-about" }, name, sum, alive),
    el("div", { class: "kl-log-tools" }, group, follow2, where, form, el("span", { class: "kl-log-zoom", role: "group", "aria-label": "zoom" }, out, near))
  ), offered = "", grouped = "";
  return {
    nodes,
    /** @param {any} state @param {any} place @param {{ live: boolean, farthest: number, chosen: string }} how */
    draw(state, place2, how) {
      let lanes2 = Object.values(state.lanes), records = lanes2.filter((lane2) => lane2.start !== null && lane2.end !== null).reduce((all, lane2) => all + lane2.high - lane2.start, 0);
      text(name, shorten(state.topic, 60)), text(sum, `${lanes2.length} ${lanes2.length === 1 ? "partition" : "partitions"} · ${count(records)} offsets${place2.own ? " · each at its own end" : ""}`), sum.title = place2.own ? "The logs end too far apart for one axis: each lane stands at its own end." : "All lanes share one axis of offsets.", follow2.setAttribute("aria-pressed", String(place2.follow)), text(follow2, place2.follow ? "● following the end" : "○ follow the end");
      let groups = Object.keys(state.groups).sort(), targets3 = [["", "go to…"], ["start", "log start"], ["end", "log end"], ...groups.map((g) => [`group:${g}`, `committed by ${shorten(g, 30)}`])];
      offered !== JSON.stringify(targets3) && (offered = JSON.stringify(targets3), where.replaceChildren(...targets3.map(([value, words]) => el("option", { value }, words))));
      let key2 = JSON.stringify([groups, how.chosen]);
      grouped !== key2 && (grouped = key2, group.replaceChildren(
        el("option", { value: "" }, groups.length === 1 ? "1 group" : `all ${groups.length} groups`),
        ...groups.map((g) => el("option", { value: g, selected: g === how.chosen }, shorten(g, 30)))
      )), group.hidden = groups.length < 2, near.setAttribute("aria-disabled", String(place2.level === 0)), out.setAttribute("aria-disabled", String(place2.level >= how.farthest)), text(alive, place2.level >= NEAREST_BARS ? scaleWords(place2.level) : state.error ? "not answering" : state.recorded ? "a recording" : how.live ? "● live" : state.at ? `a moment, ${clock.ofDay(state.at)}` : "a moment"), alive.classList.toggle("kl-log-on", how.live && !state.recorded && !state.error && place2.level < NEAREST_BARS);
    }
  };
}
function scaleWords(level) {
  let each = 1 / LEVELS[level];
  return each < 1 ? "from afar: no single records" : `a pixel is ${count(Math.round(each))} offsets`;
}
function text(node, words) {
  node.textContent !== words && (node.textContent = words);
}
var MOST_ROWS = 48, LogOverview = class {
  /** @param {(offset: number) => void} go is called with the offset that was pointed at @param {(pages: number) => void} page */
  constructor(go, page2) {
    this.range = [0, 1], this.body = el("div", { class: "kl-log-map-rows" }), this.keep = keeper(this.body, ({ p }) => p, ({ p }) => overviewRow(p)), this.first = el("span", { class: "kl-soft" }), this.last = el("span", { class: "kl-soft" }), this.node = el("div", { class: "kl-log-map", role: "slider", tabindex: "0", "aria-label": "place in the log", "aria-orientation": "horizontal" }, this.first, this.body, this.last);
    let at = (event) => {
      let box = this.body.getBoundingClientRect(), share = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
      return Math.round(this.range[0] + share * (this.range[1] - this.range[0]));
    };
    this.body.addEventListener("pointerdown", (event) => {
      event.button === 0 && (this.body.setPointerCapture?.(event.pointerId), this.held = !0, go(at(event)));
    }), this.body.addEventListener("pointermove", (event) => this.held && go(at(event)));
    for (let end of ["pointerup", "pointercancel"]) this.body.addEventListener(end, () => this.held = !1);
    this.node.addEventListener("keydown", (event) => {
      let pages = { ArrowLeft: -0.25, ArrowRight: 0.25, PageUp: -1, PageDown: 1, Home: -1 / 0, End: 1 / 0 }[event.key];
      pages !== void 0 && (event.preventDefault(), event.stopPropagation(), page2(pages));
    });
  }
  /** @param {any} state @param {Record<string, number>} lefts @param {number} cols @param {string[]} groups */
  draw(state, lefts, cols, groups) {
    let known = Object.entries(state.lanes).filter(([, lane2]) => lane2.start !== null && lane2.end !== null);
    if (this.node.hidden = known.every(([p, lane2]) => lane2.start >= (lefts[p] ?? 0) - 1 && lane2.end <= (lefts[p] ?? 0) + cols + 1), this.node.hidden) return;
    let low = Math.min(...known.map(([, lane2]) => lane2.start)), high = Math.max(...known.map(([, lane2]) => lane2.end), low + 1), first = low < high - low ? 0 : low;
    this.range = [first, high], this.first.textContent = brief(first), this.last.textContent = brief(high);
    let x = (offset) => 100 * (Math.min(Math.max(offset, first), high) - first) / (high - first), drawn = known.slice(0, MOST_ROWS);
    this.node.classList.toggle("kl-log-many", drawn.length > 16), this.keep(drawn.map(([p, lane2]) => {
      let committed = groups.map((name) => state.groups[name]?.lanes[p]?.committed).filter((c) => c != null), least = committed.length ? Math.min(...committed) : lane2.high, lag = lagOf(lane2, least) ? [x(least), x(lane2.high)] : null, left = lefts[p] ?? 0;
      return { p, log: [x(lane2.start), x(lane2.end)], lag, view: [x(left), x(left + cols)] };
    }));
    let at = Math.max(0, Math.round(Math.min(...drawn.map(([p]) => lefts[p] ?? 0))));
    this.node.setAttribute("aria-valuemin", String(first)), this.node.setAttribute("aria-valuemax", String(Math.max(high, at))), this.node.setAttribute("aria-valuenow", String(Math.max(first, at))), this.node.setAttribute("aria-valuetext", `from offset ${count(at)}`);
  }
};
function overviewRow(p) {
  let parts = Object.fromEntries(["log", "lag", "view"].map((name) => [name, el("i", { class: `kl-log-map-${name}` })]));
  return {
    node: el("div", { class: "kl-log-map-row", style: { "--kl-c": partitionColour(Number(p)) } }, Object.values(parts)),
    draw(item) {
      for (let [name, part] of Object.entries(parts)) {
        let [from, to] = item[name] ?? [0, 0];
        part.hidden = !item[name], part.style.left = `${from}%`, part.style.width = `${Math.max(0, to - from)}%`;
      }
    }
  };
}
function pan(grid2, does) {
  let held3 = null, track = (event) => (
    /** @type {HTMLElement | null} */
    /** @type {HTMLElement} */
    event.target.closest(".kl-log-track")
  ), down = (event) => {
    event.button === 0 && track(event) && (held3 = { id: event.pointerId, x: event.clientX, moving: !1 });
  }, moved2 = (event) => {
    if (!held3 || event.pointerId !== held3.id) return;
    let by = held3.x - event.clientX;
    !held3.moving && Math.abs(by) < 5 || (held3.moving || grid2.setPointerCapture?.(event.pointerId), held3.moving = !0, held3.x = event.clientX, does.shift(by));
  }, up2 = () => held3 = null, wheel = (event) => {
    let on = track(event);
    if (!on) return;
    if (event.ctrlKey) {
      event.preventDefault(), Math.abs(event.deltaY) > 2 && does.zoom(Math.sign(event.deltaY), event.clientX - on.getBoundingClientRect().left);
      return;
    }
    let along = event.shiftKey ? event.deltaX || event.deltaY : Math.abs(event.deltaX) > Math.abs(event.deltaY) ? event.deltaX : 0;
    along && (event.preventDefault(), does.shift(along));
  }, listeners = (
    /** @type {[string, any][]} */
    [["pointerdown", down], ["pointermove", moved2], ["pointerup", up2], ["pointercancel", up2]]
  );
  for (let [name, listener] of listeners) grid2.addEventListener(name, listener);
  return grid2.addEventListener("wheel", wheel, { passive: !1 }), () => {
    for (let [name, listener] of listeners) grid2.removeEventListener(name, listener);
    grid2.removeEventListener("wheel", wheel);
  };
}

// log/cursor.js
var LogCursor = class {
  /** @param {any} tools the parts of the view that log/view.js hands over */
  constructor(tools2) {
    this.tools = tools2, this.at = null, this.over = null, this.focused = !1, this.card = el("div", { class: "kl-log-card", hidden: !0, "aria-hidden": "true" }), tools2.body.append(this.card);
    let { grid: grid2, page: page2 } = tools2;
    grid2.addEventListener("pointerover", (event) => this.point(event.target.closest?.(".kl-log-cell"))), grid2.addEventListener("pointerleave", () => this.point(null)), grid2.addEventListener("focusin", (event) => {
      this.focused = !0;
      let found2 = this.placeOf(event.target);
      found2 && (this.at = found2), this.dismissed = !1, this.show();
    }), grid2.addEventListener("focusout", (event) => {
      this.moving || grid2.contains(event.relatedTarget) || (this.focused = !1, this.show());
    }), grid2.addEventListener("keydown", (event) => guard(page2, () => this.key(event))), page2.addEventListener("keydown", (event) => {
      event.key === "Escape" && (this.dismissed = !0, this.show());
    });
  }
  placeOf(node) {
    let lane2 = node?.closest?.(".kl-log-lane"), offset = node?.dataset?.o;
    return lane2 && offset !== void 0 ? { p: lane2.dataset.p, offset: Number(offset) } : null;
  }
  point(node) {
    this.over = node ? this.placeOf(node) : null, this.dismissed = !1, this.show();
  }
  key(event) {
    let { view, cols, near, setFollow, zoom, move, state } = this.tools;
    if (event.altKey || event.metaKey) return;
    let plain = { f: () => setFollow(!view.follow), "+": () => zoom(-1), "=": () => zoom(-1), "-": () => zoom(1) }[event.key], page2 = Math.max(1, Math.floor(cols()) - 2), along = { ArrowLeft: event.ctrlKey ? -10 : -1, ArrowRight: event.ctrlKey ? 10 : 1, PageUp: -page2, PageDown: page2 }[event.key], across = { ArrowUp: -1, ArrowDown: 1 }[event.key], ends = event.key === "Home" || event.key === "End";
    if (!plain && along === void 0 && !across && !ends) return;
    if (event.preventDefault(), event.stopPropagation(), plain) return plain();
    if (across) return this.cross(across);
    if (!near()) return event.key === "Home" ? move(-1 / 0) : event.key === "End" ? move(1 / 0) : move(along / page2);
    let at = this.at, lane2 = at && state().lanes[at.p];
    if (!lane2 || lane2.start === null) return;
    let last = Math.max(lane2.start, lane2.end - 1), offset = event.key === "Home" ? lane2.start : event.key === "End" ? last : at.offset + along;
    return this.go(at.p, Math.min(last, Math.max(lane2.start, offset)));
  }
  // Moves to the lane above or below, to the offset at the same place there.
  cross(by) {
    let { lanes: lanes2, state, view, near } = this.tools, order = [...lanes2.keys()], from = this.at?.p ?? order[0], p = order[Math.min(order.length - 1, Math.max(0, order.indexOf(from) + by))], lane2 = state().lanes[p];
    if (!near() || lane2.start === null) {
      lanes2.get(p).lane.bar.focus(), this.at = { p, offset: this.at?.offset ?? 0 };
      return;
    }
    let x = (this.at?.offset ?? 0) - (view.lefts[from] ?? 0), offset = Math.min(Math.max(lane2.start, lane2.end - 1), Math.max(lane2.start, Math.round((view.lefts[p] ?? 0) + x)));
    this.go(p, offset);
  }
  /** Brings an offset into view and puts the focus on it. */
  go(p, offset) {
    let { view, lanes: lanes2, cols, paint } = this.tools;
    view.follow = !1;
    let left = view.lefts[p] ?? 0, by = offset < left + 1 ? offset - left - Math.min(4, cols() / 4) : offset > left + cols() - 3 ? offset - left - cols() + Math.min(6, cols() / 3) : 0;
    by && (view.lefts = Object.fromEntries(Object.entries(view.lefts).map(([q, l]) => [q, Math.round(l + by)]))), this.at = { p, offset }, this.moving = !0, paint(!1), lanes2.get(p)?.lane.cells.get(offset)?.focus({ preventScroll: !0 }), lanes2.get(p)?.lane.node.scrollIntoView({ block: "nearest" }), this.moving = !1, this.show();
  }
  /** Runs after every painting: makes one cell reachable by Tab, and keeps the focus when the focused cell has left. */
  drawn() {
    let { lanes: lanes2, near, state, grid: grid2 } = this.tools, first = [...lanes2.keys()][0];
    if (first === void 0) return;
    (!this.at || !lanes2.has(this.at.p)) && (this.at = { p: first, offset: Math.max(0, (state().lanes[first].high ?? 1) - 1) });
    let lane2 = lanes2.get(this.at.p).lane, node = near() ? lane2.cells.get(this.at.offset) : lane2.bar;
    if (near() && !node) {
      let there = [...lane2.cells.keys()].filter((offset) => offset >= (lane2.lane?.start ?? 0)), nearest = there.length ? this.at.offset < Math.min(...there) ? Math.min(...there) : Math.max(...there) : void 0;
      nearest !== void 0 && (node = lane2.cells.get(nearest), this.at = { p: this.at.p, offset: nearest });
    }
    this.tab !== node && (this.tab?.setAttribute("tabindex", "-1"), node?.setAttribute("tabindex", "0"), this.tab = node), this.focused && !this.moving && !grid2.contains(document.activeElement) && node?.focus({ preventScroll: !0 }), this.show();
  }
  show() {
    let { lanes: lanes2, state, store, near, body, view, px } = this.tools, at = this.over ?? (this.focused ? this.at : null), lane2 = at && state()?.lanes[at.p], row = at && lanes2.get(at.p)?.lane;
    if (!at || !lane2 || !row || lane2.start === null || !near() || this.dismissed || at.offset >= lane2.end) {
      this.card.hidden = !0, this.shown = null;
      return;
    }
    let cell = store.at(at.p, at.offset), fate = cell ? outcome(store, at.p, cell, lane2.end) : null, key2 = `${at.p} ${at.offset} ${fate} ${at.offset >= lane2.high} ${at.offset < lane2.start} ${store.unread}`;
    (this.shown !== key2 || this.shownCell !== cell) && (this.shown = key2, this.shownCell = cell, this.card.replaceChildren(...card2(at.p, at.offset, cell, lane2, fate, store.unread).filter((node) => node !== null))), this.card.hidden = !1;
    let box = body.getBoundingClientRect(), x = row.track.getBoundingClientRect().left - box.left + (at.offset - (view.lefts[at.p] ?? 0) + 0.5) * px(), left = Math.min(Math.max(4, x - this.card.offsetWidth / 2), Math.max(4, box.width - this.card.offsetWidth - 4)), cells = row.strip.parentElement.getBoundingClientRect(), below2 = cells.bottom - box.top + 8, above2 = cells.top - box.top - this.card.offsetHeight - 8;
    this.card.style.left = `${left}px`, this.card.style.top = `${below2 + this.card.offsetHeight > box.height && above2 > 0 ? above2 : below2}px`;
  }
};

// log/view.js
var GROUPS_DRAWN = 4;
function build2(page2, { model, ask }) {
  let store = new LogStore(), asks = () => !!(model.get("live") || state?.recorded);
  model.get("live") || (store.unread = ABSENT);
  let asker = new LogAsker(store, ask, () => paint(!1)), view = { follow: !0, lefts: (
    /** @type {Record<string, number>} */
    {}
  ), level: 1, own: !1, width: 800, scale: 1, chosen: "" }, lanes2 = /* @__PURE__ */ new Map(), inView = /* @__PURE__ */ new Set(), state, queued = 0, stale = !0, notice = el("div", {}), said2 = el("div", { class: "kl-hidden", "aria-live": "polite" }), grid2 = el("div", { class: "kl-log-lanes", role: "grid", "aria-label": "records by partition and offset", "aria-describedby": "" }), body = el("div", { class: "kl-log-body" }, grid2), more = el("p", { class: "kl-soft kl-log-more", hidden: !0 }), controls2 = logControls({
    follow: () => setFollow(!view.follow),
    zoom,
    go,
    groups: (name) => {
      view.chosen = name, paint(!1);
    }
  }), overview = new LogOverview((offset) => go("offset", offset), (pages) => move(pages)), foot = el("div", {});
  page2.append(notice, controls2.nodes, overview.node, body, more, said2, foot);
  let spans2 = () => (
    /** @type {Record<string, import("./axis.js").Span>} */
    Object.fromEntries(Object.entries(state?.lanes ?? {}).filter(([, lane2]) => lane2.start !== null && lane2.end !== null))
  ), px = () => pixels(view.level, view.scale), cols = () => Math.max(4, view.width / px()), near = () => view.level < NEAREST_BARS, tools2 = { page: page2, body, grid: grid2, store, view, lanes: lanes2, px, cols, near, spans: spans2, state: () => state, paint, setFollow, zoom, move }, cursor = new LogCursor(tools2);
  function setFollow(on) {
    view.follow = on, paint(on);
  }
  function move(pages) {
    if (pages === 1 / 0) return setFollow(!0);
    if (pages === -1 / 0) return go("start");
    shift(pages * (cols() - 2));
  }
  function shift(offsets2) {
    view.follow = !1, view.lefts = scrolled(view.lefts, spans2(), offsets2, cols()), later();
  }
  function go(where, offset = 0) {
    if (!where) return;
    if (where === "end") return setFollow(!0);
    view.follow = !1, view.own = where !== "offset";
    let all = spans2();
    where === "start" ? view.lefts = Object.fromEntries(Object.entries(all).map(([p, s]) => [p, Math.max(-1, s.start - 3)])) : where === "offset" ? view.lefts = centred(Object.fromEntries(Object.keys(all).map((p) => [p, 0])), () => offset, cols()) : view.lefts = centred(view.lefts, (p) => state.groups[where.slice(6)]?.lanes[p]?.committed, cols()), later();
  }
  let whole2 = () => levelFor(Math.max(1, ...Object.values(spans2()).map((s) => s.end - s.start)), view.width * 0.8, view.scale), farthest = () => Math.max(NEAREST_BARS, whole2());
  function zoom(by, x = view.follow ? view.width * 0.8 : view.width / 2) {
    let level = Math.min(farthest(), Math.max(0, view.level + by));
    if (level === view.level) return;
    let before = px();
    view.level = level, view.follow || (view.lefts = zoomed3(view.lefts, x, before, px())), near() && (view.lefts = Object.fromEntries(Object.entries(view.lefts).map(([p, left]) => [p, Math.round(left)]))), paint(!1);
  }
  function later() {
    queued || (queued = requestAnimationFrame(() => {
      queued = 0, guard(page2, () => paint(!1));
    }));
  }
  function sync2() {
    for (let [p, row] of lanes2)
      state.lanes[p] || (seen.unobserve(row.lane.node), row.lane.node.remove(), lanes2.delete(p), inView.delete(p));
    for (let p of Object.keys(state.lanes)) {
      if (lanes2.has(p)) continue;
      let lane2 = new LogLane(p, store);
      lanes2.set(p, { lane: lane2, marks: new LaneMarks(p) }), lanes2.size <= 16 && inView.add(p), grid2.append(lane2.node), seen.observe(lane2.node);
    }
    if (grid2.setAttribute("aria-rowcount", String(lanes2.size)), !stale) return;
    view.scale = scaleOf(page2);
    let width = lanes2.values().next().value?.lane.track.clientWidth ?? 0;
    stale = !width, view.width = width || view.width;
  }
  function paint(glide2, before = state) {
    if (!state) return;
    sync2();
    let all = spans2(), was = view.lefts;
    view.follow && Object.assign(view, followed(all, cols(), view.own));
    let fallback = Math.max(0, ...Object.values(view.lefts));
    view.lefts = Object.fromEntries(Object.keys(all).map((p) => [p, view.lefts[p] ?? fallback]));
    let still = reducedMotion(), groups = view.chosen ? [view.chosen] : Object.keys(state.groups).sort().slice(0, GROUPS_DRAWN), windows = {};
    for (let [p, { lane: lane2, marks }] of lanes2) {
      if (!inView.has(p)) {
        lane2.drawHead(state.lanes[p]);
        continue;
      }
      let left = view.lefts[p] ?? 0, glides = glide2 && !still && was[p] !== void 0 && Math.abs(left - was[p]) < cols(), place2 = { left, px: px(), width: view.width, scale: view.scale, near: near(), glide: glides, fly: glide2 && !still }, now = state.lanes[p], span = lane2.draw(now, place2);
      marks.draw(now, state, before, span ? place2 : null, groups, lane2.marks, lane2.ticks.parentElement), span && near() && (windows[p] = [Math.max(now.start ?? 0, span.from), Math.min(now.high ?? 0, span.to)]);
    }
    for (let level = 0; level < NEAREST_BARS; level++) grid2.classList.toggle(`kl-log-level-${level}`, level === view.level);
    controls2.draw(state, view, { live: model.get("live"), farthest: farthest(), chosen: view.chosen }), overview.draw(state, view.lefts, cols(), groups);
    let unseen = view.chosen ? 0 : Object.keys(state.groups).length - groups.length;
    more.hidden = unseen <= 0, more.textContent = `${unseen} more groups are not drawn: choose one above.`, cursor.drawn(), asks() && asker.want(windows, view.follow ? 0 : Math.round(cols() / 2), [...inView]);
  }
  let seen = new IntersectionObserver((entries) => {
    for (let entry of entries) inView[entry.isIntersecting ? "add" : "delete"](String(
      /** @type {HTMLElement} */
      entry.target.dataset.p
    ));
    later();
  }, { rootMargin: "120px" }), sized = new ResizeObserver(() => {
    stale = !0, later();
  });
  sized.observe(page2), sized.observe(grid2);
  let stopPan = pan(grid2, { shift: (x) => shift(x / px()), zoom: (by, x) => zoom(by, x) });
  return {
    draw(next, before) {
      state = next;
      for (let [p, lane2] of Object.entries(state.lanes)) learn(store, p, lane2, before?.lanes[p], state.tails[p], before?.tails[p], state.recorded);
      page2.setAttribute("aria-label", `Logs of topic ${shorten(state.topic, 80)}`), changed(state, before, "recorded") && foot.replaceChildren(signs2(state.recorded)), changed(state, before, "error") && notice.replaceChildren(...[trouble(state.error)].flat()), page2.classList.toggle("kl-stale", !!state.error);
      let none = !Object.keys(state.lanes).length;
      grid2.classList.toggle("kl-log-none", none), grid2.dataset.none = none ? state.looked ? state.found ? "no partitions" : `there is no topic ${shorten(state.topic, 60)} yet` : "looking at the cluster…" : "", !before && Object.keys(state.lanes).length && firstLevel(), paint(!!before, before ?? null);
      let news2 = told(state, before);
      news2 && (said2.textContent = news2);
    },
    heard: (message) => asker.heard(message),
    end() {
      for (let watch of [seen, sized]) watch.disconnect();
      cancelAnimationFrame(queued), asker.end(), stopPan();
    }
  };
  function firstLevel() {
    model.get("live") || Object.keys(state.tails).length || (sync2(), view.level = whole2());
  }
}
function learn(store, p, lane2, was, tail, tailWas, recorded) {
  let shorter = was !== void 0 && (lane2.end ?? 0) < (was.end ?? 0), other = was && (lane2.leader !== was.leader || lane2.epoch !== was.epoch);
  recorded && other && store.cut(p, 0, 0), was && lane2.high !== null && was.high !== null && (other || shorter) && store.cut(p, 0, Math.min(was.high, lane2.high)), lane2.start !== null && lane2.start !== was?.start && store.cut(p, lane2.start, 1 / 0), tail && (tail !== tailWas || other || shorter || lane2.start !== was?.start) && store.put(p, tail);
}
function told(state, before) {
  if (!before) return "";
  let news2 = [];
  for (let [name, group] of Object.entries(state.groups)) {
    let moved2 = Object.entries(group.lanes).filter(([p, at]) => before.groups[name]?.lanes[p] && before.groups[name].lanes[p].member !== at.member);
    moved2.length && news2.push(`Group ${shorten(name, 40)}: ${moved2.slice(0, 12).map(([p, at]) => `partition ${p} to ${at.member === null ? "nobody" : shorten(at.member, 30)}`).join(", ")}.`);
  }
  for (let [p, lane2] of Object.entries(state.lanes)) {
    let was = before.lanes[p];
    was && was.leader !== lane2.leader && news2.push(`Partition ${p}: ${lane2.leader === null ? "no leader" : `leader ${lane2.leader}`}.`), was && was.start !== null && (lane2.start ?? 0) > was.start && news2.push(`Partition ${p}: deleted up to offset ${count(lane2.start ?? 0)}.`);
  }
  return news2.slice(0, 6).join(" ");
}
function signs2(recorded) {
  let cell = (classes, sign3 = "") => el("span", { class: `kl-log-cell kl-log-sample ${classes}`, style: { "--kl-k": keyColour(0) } }, sign3);
  return legend([
    [cell("kl-log-is-r", "a"), "a record: letter and colour are its key"],
    [cell("kl-log-is-r kl-log-nokey", "∅"), "no key"],
    [cell("kl-log-is-r kl-log-pale", "a"), "written, not committed yet"],
    [cell("kl-log-is-t", "a"), "tombstone"],
    [cell("kl-log-is-c kl-log-nokey", "✓"), "transaction's end"],
    [cell("kl-log-is-hole", "·"), "compacted away"],
    [cell("kl-log-is-ghost"), "deleted"],
    ...recorded ? [
      /** @type {[any, string]} */
      [cell("kl-log-is-blank"), "not recorded"]
    ] : [],
    [el("span", { class: "kl-log-high kl-log-sample" }), "high watermark"],
    [el("span", { class: "kl-log-committed" }, "▲"), "a group's committed offset"],
    [el("span", { class: "kl-log-lag kl-log-sample" }), "its lag"],
    ["▼", "where a member reads"],
    ["♛", "leader"]
  ]);
}
var view_default5 = { render: live("log", "Logs", build2) };

// metadata/quorum.js
var SHOWN_AT_LEAST = 24, SHOWN_AT_MOST = 240;
function shownOffsets(end, ends) {
  let slowest = Math.min(end, ...ends.filter((e) => e !== null)), span = Math.min(SHOWN_AT_MOST, Math.max(SHOWN_AT_LEAST, Math.ceil((end - slowest) * 1.25)));
  return { from: end - span, span };
}
var reach = (end, shown2) => end === null ? 0 : Math.max(0, Math.min(1, (end - shown2.from) / shown2.span));
function standing2(node) {
  let seen = node.seen ? `last fetched ${node.seen} s ago` : node.alive ? "" : node.seen === null ? "never heard by this leader" : "", behind = node.lag === null ? "" : node.lag === 0 ? node.part === "leader" ? "" : "has all of it" : `${count(node.lag)} behind`, caught = node.alive && node.caught ? `for ${node.caught} s` : "", state = node.state === "paused" || node.state === "cut" ? node.state === "cut" ? "cut off" : "paused" : "";
  return [[behind, caught].filter(Boolean).join(" "), seen, state, node.fenced ? "fenced" : ""].filter(Boolean).join(" · ");
}
function lanes() {
  let head2 = el("div", { class: "kl-lanes-head" }), body = el("ul", { class: "kl-lanes", "aria-label": "the metadata log on each node" }), ended = 0;
  return {
    nodes: [el("div", { class: "kl-lanes-both" }, head2, body)],
    draw(quorum) {
      if (!quorum)
        return head2.replaceChildren(el("span", { class: "kl-soft" }, "It is not known yet which nodes keep the metadata.")), body.replaceChildren();
      let leads = quorum.leader === null ? el("b", { class: "kl-bad" }, "nobody leads: nothing can be changed") : [el("b", {}, `♛ ${quorum.leader}`), " leads"], pill2 = (name, value, title) => value === null ? null : el("span", { class: "kl-pill", title }, `${name} `, el("b", {}, count(value)));
      head2.replaceChildren(
        el("h4", { class: "kl-title" }, quorum.kind === "kraft" ? "Metadata log · __cluster_metadata" : "ZooKeeper ensemble"),
        el("span", {}, leads),
        ...[
          pill2("epoch", quorum.epoch, quorum.kind === "kraft" ? "leader epoch: how many votes there have been" : "how many leaders the ensemble has had"),
          quorum.kind === "kraft" ? pill2("log end", quorum.end, "the offset the leader's next record will get") : null,
          pill2("high watermark", quorum.mark, "a majority of the voters has every record before it")
        ].filter((part) => part !== null)
      ), body.classList.toggle("kl-lanes-chips", quorum.kind !== "kraft");
      let nodes = Object.entries(quorum.nodes);
      if (quorum.kind !== "kraft") return body.replaceChildren(...nodes.map(([id, node]) => chip2(id, node)));
      let rank = (node) => node.role === "leader" ? 0 : node.role === "observer" ? 2 : 1;
      nodes.sort(([a, one], [b, two2]) => rank(one) - rank(two2) || Number(a) - Number(b));
      let end = quorum.end ?? Math.max(0, ...nodes.map(([, node]) => node.end ?? 0)), shown2 = shownOffsets(end, nodes.map(([, node]) => node.end)), fresh = ended && end > ended ? Math.min(shown2.span, end - ended) : 0;
      ended = end, body.replaceChildren(...nodes.map(([id, node]) => lane(id, node, quorum, shown2, fresh)));
    }
  };
}
function lane(id, node, quorum, shown2, fresh) {
  let words = standing2(node), width = reach(node.end, shown2), cell = 100 / shown2.span, role = node.alive ? node.role === "leader" ? "leader, voter" : node.role === "follower" ? "voter" : node.role : `${node.role === "follower" ? "voter" : node.role}, ${node.gone}`, said2 = `${id}: ${role}, ${node.end === null ? "log end not known" : `log end ${node.end}`}${words ? `, ${words}` : ""}`;
  return el(
    "li",
    { class: `kl-lane kl-${node.part}`, "data-node": id },
    el("span", { class: "kl-hidden" }, said2),
    el("span", { class: "kl-lane-name", "aria-hidden": "true" }, el("span", { class: "kl-lane-sign" }, PARTS[node.part]), el("b", {}, id), el("small", {}, role)),
    el(
      "span",
      { class: "kl-lane-track", "aria-hidden": "true", title: `offsets ${Math.max(0, shown2.from)} to ${shown2.from + shown2.span}` },
      el(
        "span",
        { class: "kl-lane-log", style: { width: `${width * 100}%`, "--kl-cell": `${cell / (width || 1)}%` } },
        fresh && node.lag === 0 ? el("span", { class: "kl-lane-new", style: { width: `${Math.min(100, cell * fresh / (width || 1))}%` } }) : null
      ),
      quorum.mark === null ? null : el("span", { class: "kl-lane-mark", style: { left: `${reach(quorum.mark, shown2) * 100}%` } })
    ),
    el("span", { class: "kl-lane-end kl-mono", "aria-hidden": "true" }, node.end === null ? "?" : count(node.end)),
    el("span", { class: "kl-lane-words", "aria-hidden": "true" }, words)
  );
}
function chip2(id, node) {
  let state = node.state === "paused" || node.state === "cut" ? ` · ${node.state === "cut" ? "cut off" : "paused"}` : "", word = node.alive ? node.role === "voter" ? "does not serve" : node.role : node.gone;
  return el(
    "li",
    { class: `kl-zk-node kl-${node.alive && node.role === "voter" ? "behind" : node.part}`, "data-node": id },
    el("span", { class: "kl-lane-sign", "aria-hidden": "true" }, PARTS[node.part]),
    el("b", {}, id),
    ` ${word}${state}`,
    node.end === null ? null : el("span", { class: "kl-mono kl-soft", title: "zxid: the last transaction it knows" }, ` 0x${node.end.toString(16)}`)
  );
}
var SHOWN2 = 40;
function metadataLog(read2) {
  let button2 = el("button", { type: "button", class: "kl-button", onclick: () => button2.getAttribute("aria-disabled") || read2() }, "read the log"), note = el("span", { class: "kl-soft" }), box = el("div", { class: "kl-records", tabindex: "0", role: "region", "aria-label": "records of the metadata log" }), all = !1, drawn;
  function rows(log, since) {
    let offsets2 = Object.keys(log.records ?? {}).sort((a, b) => Number(b) - Number(a)), shown2 = all ? offsets2 : offsets2.slice(0, SHOWN2);
    box.hidden = !offsets2.length, box.replaceChildren(
      table({ class: "kl-record-table" }, ["offset", "when", "record, and what it says"], shown2.map((offset) => {
        let record = log.records[offset], [sign3, tone] = mark(record.kind), after = since !== null && record.at >= since ? clock.since(record.at - since) : clock.ofDay(record.at);
        return el(
          "tr",
          { class: `kl-tone-${tone}`, title: shorten(record.data, 600), "data-type": record.type },
          el("td", { class: "kl-mono kl-number" }, offset),
          el("td", { class: "kl-mono", title: clock.ofDay(record.at) }, after),
          el("td", {}, el("span", { class: "kl-mark", "aria-hidden": "true" }, sign3), " ", el("b", {}, shorten(record.type, 50)), " ", el("span", { class: "kl-record-says" }, shorten(record.text, 200)))
        );
      })),
      ...shown2.length < offsets2.length ? [el("button", { type: "button", class: "kl-button", onclick: () => {
        all = !0, rows(log, since);
      } }, `${offsets2.length - shown2.length} older ones`)] : []
    );
  }
  return {
    nodes: [el("div", { class: "kl-records-head" }, el("h4", { class: "kl-title" }, "Its records"), button2, note), box],
    /** @param {any} log @param {number | null} since the time of the learner's last action @param {boolean} recorded true when the log cannot be read now */
    draw(log, since, recorded) {
      let key2 = `${since}`;
      log === drawn?.log && key2 === drawn?.key || (drawn = { log, key: key2 }, button2.textContent = log.reading ? "reading…" : log.records ? "read it again" : "read the log", log.reading ? button2.setAttribute("aria-disabled", "true") : button2.removeAttribute("aria-disabled"), button2.hidden = recorded, note.textContent = recorded ? log.problem || "up to this moment, the newest first, without the empty records its leader writes twice a second" : log.records ? `as of ${clock.ofDay(log.at)}, the newest first, without the empty records its leader writes twice a second` : "by Kafka's own kafka-dump-log, from a broker's copy", rows(log, since));
    }
  };
}
function happenings(label, hint, go) {
  let empty = el("p", { class: "kl-soft" }, hint), items = el("ol", {}), list = el("div", { class: "kl-happened", role: "log", "aria-live": "polite", "aria-label": label, tabindex: "0" }, items), keep = keeper(items, (line4) => line4.n, () => happening(go));
  return {
    nodes: [el("h4", { class: "kl-title" }, label), empty, list],
    /** @param {any[]} lines */
    draw(lines2) {
      empty.hidden = lines2.length > 0, list.hidden = lines2.length === 0, follow(list, !items.firstChild, () => keep(lines2));
    }
  };
}
function happening(go) {
  let node = el("li"), isNews = news();
  return { node, draw: (line4) => isNews(line4) && fillLine(node, line4, go) };
}
function fillLine(node, line4, go) {
  let [sign3, tone] = mark(line4.kind), when2 = `${line4.by === "snapshot" ? "≤" : ""}${line4.since === null ? clock.ofDay(line4.at) : clock.since(line4.since)}`, path = line4.by === "watch" && line4.parts.length === 0 && line4.where.startsWith("/"), where = line4.where ? el("bdi", {}, shorten(line4.where, 120)) : null, text2 = shorten(line4.text, 300);
  node.className = `kl-happening kl-tone-${tone}`, node.dataset.kind = line4.kind, node.replaceChildren(
    el("time", { class: "kl-mono", title: `at ${clock.ofDay(line4.at)}${line4.by === "snapshot" ? ": seen at the next look, it happened before" : ""}` }, when2),
    el("span", { class: "kl-mark", "aria-hidden": "true" }, sign3),
    el(
      "div",
      { class: "kl-said" },
      line4.word || where ? el(
        "div",
        { class: "kl-happening-word" },
        el("b", {}, shorten(line4.word, 60)),
        " ",
        path && go ? el("button", { type: "button", class: "kl-link kl-mono", title: "show it in the tree", onclick: () => go(line4.where) }, where) : where && el("span", { class: "kl-mono" }, where)
      ) : null,
      line4.parts.length ? el("details", {}, el("summary", {}, text2), el("ul", {}, line4.parts.map((part) => el("li", {}, shorten(part, 200))))) : el("div", {}, text2)
    )
  );
}
var AS = {
  you: "you",
  gone: "broker_down",
  came: "broker_up",
  controller: "controller_moved",
  leader: "leader_moved",
  leaderless: "leader_lost",
  isr: "isr_shrank",
  shrank: "isr_shrank",
  changed: "isr_changed",
  grew: "isr_grew",
  quorum: "quorum_leader_moved",
  connection: "capture_failed"
}, MARKS2 = {
  ...Object.fromEntries(Object.entries(AS).map(([kind, event]) => [kind, [kindOf(event).sign, kindOf(event).tone]])),
  topic: ["▤", "plain"],
  children: ["⌄", "plain"],
  other: ["·", "plain"]
}, mark = (kind) => MARKS2[Object.hasOwn(MARKS2, kind) ? kind : "other"];

// metadata/timeline.js
var ROWS3 = (
  /** @type {[string, string, string][]} */
  [
    ["quorum", "quorum", "when ZooKeeper's ensemble, or KRaft's quorum, lost a server or its leader, and had one again"],
    ["noticed", "noticed", "when the cluster learned of it: a session ended in ZooKeeper, or KRaft's controller fenced the broker"],
    ["controller", "controller", "when another controller took over, if it was the controller's turn"],
    ["leaders", "leaders", "when partitions had other leaders"],
    ["isr", "in sync", "when replicas left the ISR, and came back"]
  ]
), LETTER = 6.1, LANE = 19;
function placed2(marks, width, seconds, scale = 1) {
  let taken = [];
  return marks.map((m) => {
    let x = Math.min(m.t, seconds) / seconds * width, size2 = wide(m, scale), left = x + size2 > width && x - size2 >= 0, [a, b] = left ? [x - size2, x + 6] : [x - 6, x + size2], line4 = 0;
    for (; taken.some(([on, from, to]) => on === line4 && a < to && b > from); ) line4++;
    return taken.push([line4, a, b]), { x, line: line4, left };
  });
}
function axis2(marks, width = 1 / 0, scale = 1) {
  let longest = Math.max(0, ...marks.map((m) => m.t)), room2 = (m, x) => x + wide(m, scale) <= width || x >= wide(m, scale), fits = (n) => n >= longest * 1.1 && marks.every((m) => room2(m, m.t / n * width)), seconds = [5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300, 600].find(fits) ?? Math.ceil(Math.max(5, longest * 1.25));
  return { seconds, ticks: ticks(0, seconds, timeStep(seconds / 8)) };
}
var wide = (m, scale) => (m.text.length + 10) * LETTER * scale + 16;
function timeLines() {
  let body = el("div", { class: "kl-times" }), back = el("select", { class: "kl-select", "aria-label": "after which action" }), section = el(
    "section",
    { class: "kl-panel kl-times-panel", "aria-label": "what followed your action" },
    el("div", { class: "kl-times-head" }, el("h4", { class: "kl-title" }, "What followed"), back),
    body
  ), chosen = 0, count2 = 0, state;
  back.addEventListener("change", () => {
    chosen = Number(
      /** @type {HTMLSelectElement} */
      back.value
    ), draw();
  });
  let resized = new ResizeObserver(() => draw());
  resized.observe(body);
  function actionsOf(side) {
    return Object.keys(side.actions).sort((a, b) => Number(b) - Number(a)).map((key2) => side.actions[key2]);
  }
  function draw() {
    let sides = Object.values(state?.sides ?? {}), all = sides.map(actionsOf), most = all.reduce((a, b) => b.length > a.length ? b : a, []);
    if (section.hidden = !most.length, !most.length) return;
    most.length !== count2 && (count2 = most.length, chosen = 0);
    let options = most.map((action, i) => el("option", { value: i }, `${shorten(action.text, 60)} · ${clock.ofDay(action.at)}`));
    back.replaceChildren(...options), back.value = String(chosen);
    let shown2 = all.map((actions) => actions[chosen]), marks = shown2.flatMap((action) => action ? Object.values(action.rows).flat() : []), scale = scaleOf(section), width = Math.max(120, body.clientWidth - 80 * scale - 12), { seconds, ticks: ticks4 } = axis2(
      /** @type {any[]} */
      marks,
      width,
      scale
    );
    refill(body, [
      sides.map((side, i) => block(side, shown2[i], { seconds, width, scale, several: sides.length > 1, latest: chosen === 0 })),
      el("div", { class: "kl-times-axis", "aria-hidden": "true" }, ticks4.map((t) => el("span", { style: { left: `${t / seconds * 100}%` } }, t === 0 ? "0" : `${t} s`)))
    ]);
  }
  return {
    root: section,
    draw(now, before) {
      state = now, Object.keys(now.sides).some((key2) => changed(now.sides[key2], before?.sides[key2], "actions", "kafka")) && draw();
    },
    end: () => resized.disconnect()
  };
}
function waiting(row, action) {
  if (!/killed|paused|cut/.test(action.text) || action.rows.noticed[0]?.kind !== "gone") return null;
  let first = action.rows[row]?.find((m) => row !== "leaders" || m.kind === "leader");
  return first ? row === "noticed" ? [first.t, "nobody knows yet", "until its session has timed out it may only be slow"] : row === "leaders" ? [first.t, "what it led cannot be read or written", "clients ask again and again until there is another leader"] : null : null;
}
function block(side, action, { seconds, width, scale, several, latest }) {
  let title = several ? el("div", { class: "kl-times-side" }, el("b", {}, shorten(side.kafka || side.name, 60)), action ? ` · ${shorten(action.text, 80)}` : " · nothing was done here") : null;
  return action ? [title, el("ul", { class: "kl-times-rows", "aria-label": `${shorten(side.kafka, 60)} after: ${shorten(action.text, 80)}` }, ROWS3.filter(([row]) => row !== "quorum" || action.rows[row]).map(([row, name, about]) => {
    let marks = action.rows[row] ?? [], places = placed2(marks, width, seconds, scale), lines2 = Math.max(1, ...places.map((p) => p.line + 1)), wait = waiting(row, action), still = row === "controller" && !marks.length && latest && side.controller !== null ? `${side.controller} goes on` : "";
    return el(
      "li",
      { class: "kl-times-row", "data-row": row },
      el("span", { class: "kl-times-name", title: about }, name),
      el(
        "span",
        { class: "kl-times-track", style: { height: `${lines2 * LANE * scale}px` } },
        wait ? el("span", { class: "kl-times-wait", style: { width: `${wait[0] / seconds * 100}%` }, title: wait[2] }, wait[0] / seconds * width > (wait[1].length + 2) * LETTER * scale ? wait[1] : "") : null,
        still ? el("span", { class: "kl-times-still" }, still) : null,
        marks.map((m, i) => {
          let [sign3, tone] = mark(m.kind), { x, line: line4, left } = places[i];
          return el(
            "span",
            {
              class: `kl-times-mark kl-tone-${tone} ${left ? "kl-times-left" : ""}`,
              style: { left: `${x / width * 100}%`, top: `${line4 * LANE * scale}px` },
              "data-kind": m.kind,
              title: m.exact ? "to the millisecond" : "seen at that time, at the next look at the cluster; it happened before. KRaft's log, when it is read, knows better"
            },
            el("span", { class: "kl-mark", "aria-hidden": "true" }, sign3),
            " ",
            el("span", {}, el("b", { class: "kl-mono" }, `${m.exact ? "" : "≤"}${clock.since(m.t)}`), " ", shorten(m.text, 60))
          );
        })
      ),
      marks.length ? null : el("span", { class: "kl-hidden" }, "nothing")
    );
  }))] : title;
}
var ORDER = Object.keys(SIGNAL);
function targets2(sides) {
  let found2 = /* @__PURE__ */ new Map(), names2 = [...new Set(sides.flatMap((side) => Object.keys(side.targets)))].sort((a, b) => +(b === "controller") - +(a === "controller") || a.localeCompare(b, "en", { numeric: !0 }));
  for (let name of names2) {
    let here = sides.filter((side) => Object.hasOwn(side.targets, name)).map((side) => side.targets[name]), verbs = ORDER.filter((verb) => here.some((node) => node.verbs.includes(verb)));
    found2.set(name, { verbs, busy: here.map((node) => node.busy).filter(Boolean), sides: here.length, is: here.map((node) => node.is).filter(Boolean) });
  }
  return found2;
}
function actBar(ask) {
  let select2 = el("select", { class: "kl-select", "aria-label": "node" }), buttons2 = el("span", { class: "kl-act-buttons", role: "group", "aria-label": "what to do to it" }), note = el("span", { class: "kl-soft", role: "status" }), root = el("div", { class: "kl-act" }, el("span", {}, "Break it:"), select2, buttons2, note), found2 = /* @__PURE__ */ new Map(), several = !1, listed2 = "";
  function draw() {
    let target = found2.get(select2.value);
    if (!target) return buttons2.replaceChildren();
    let focused = document.activeElement?.getAttribute("data-verb"), busy = target.busy[0];
    buttons2.replaceChildren(...target.verbs.map((verb) => el("button", {
      type: "button",
      class: "kl-button",
      title: SIGNAL[verb],
      "data-verb": verb,
      // Not `disabled`, because that would take the keyboard's focus away.
      "aria-disabled": busy ? "true" : null,
      onclick: () => busy || ask({ do: "act", target: select2.value, verb })
    }, verb))), focused && !buttons2.contains(document.activeElement) && /** @type {HTMLElement | null} */
    (buttons2.querySelector(`[data-verb="${focused}"]`) ?? buttons2.querySelector("button"))?.focus();
    let where = several ? target.sides > 1 ? "in both at the same moment" : "in the one that has it" : "", is = target.is.length ? target.is.map((name) => shorten(name.replace("-", " "), 30)).join(" here, ") + (target.is.length > 1 ? " there" : "") : "";
    note.textContent = busy ? `${busy}: under way…` : [is && `now ${is}`, where].filter(Boolean).join(" · ");
  }
  return select2.addEventListener("change", draw), {
    root,
    /** @param {any[]} sides */
    draw(sides) {
      found2 = targets2(sides), several = sides.length > 1, root.hidden = found2.size === 0;
      let names2 = [...found2.keys()];
      if (names2.join() !== listed2) {
        let was = select2.value;
        listed2 = names2.join(), select2.replaceChildren(...names2.map((name) => el("option", { value: name }, name === "controller" ? "the controller" : shorten(name.replace("-", " "), 40)))), select2.value = found2.has(was) ? was : names2.find((name) => name === "broker-102") ?? names2[0] ?? "";
      }
      draw();
    }
  };
}

// metadata/tree.js
var TYPING_MS = 700, FLASH_MS = 2400, trees = 0;
function znodeTree(wishes) {
  let id = `kl-tree-${++trees}`, open = /* @__PURE__ */ new Set(["/", "/brokers", "/brokers/ids"]), space = el("div", { class: "kl-tree-space", role: "none" }), probe = el("div", { class: "kl-tree-row kl-tree-probe", "aria-hidden": "true" }, "x"), root = el("div", { class: "kl-tree", role: "tree", tabindex: "0", "aria-label": "ZooKeeper's tree" }, space, probe), drawn = /* @__PURE__ */ new Map(), tree = null, rows = [], active = "/controller", typed = "", typedAt = 0, seen = "", seeing = 0, framed = 0, recorded = !1, place2 = (path) => rows.findIndex((row) => row.path === path), height = () => probe.offsetHeight || 24;
  function list() {
    rows = flatten(tree, open), space.style.height = `${rows.length * height()}px`, place2(active) < 0 && rows.length && (active = rows[0].path), paint();
  }
  function paint() {
    framed = 0;
    let tall = height(), [first, last] = inSight(rows.length, root.scrollTop, root.clientHeight || 320, tall), wanted = new Map(rows.slice(first, last).map((row, i) => [row.path, { row, i: first + i }])), at = place2(active);
    at >= 0 && wanted.set(active, { row: rows[at], i: at });
    for (let [path, old] of drawn) wanted.has(path) || (old.row.remove(), drawn.delete(path));
    for (let [path, { row, i }] of wanted) {
      let said2 = `${row.open} ${row.leaf} ${row.place}/${row.of} ${path === active}`, old = drawn.get(path);
      if (!old || old.node !== row.node || old.said !== said2) {
        let mine = line4(row), left = old && old.node.z !== void 0 && (old.node.z !== row.node.z || old.node.k !== row.node.k) ? Date.now() : Number(old?.row.dataset.changed ?? 0);
        Date.now() - left < FLASH_MS && flash(mine, left), old ? old.row.replaceWith(mine) : space.append(mine), drawn.set(path, { node: row.node, row: mine, said: said2 });
      }
      let { row: placed4 } = (
        /** @type {{ row: HTMLElement }} */
        drawn.get(path)
      );
      placed4.style.top = `${i * tall}px`;
    }
    root.setAttribute("aria-activedescendant", at >= 0 ? rowId(active) : ""), at < 0 && root.removeAttribute("aria-activedescendant"), see(rows.slice(first, last));
  }
  function flash(row, since) {
    row.dataset.changed = String(since), row.classList.add("kl-tree-changed"), setTimeout(() => row.classList.remove("kl-tree-changed"), FLASH_MS - (Date.now() - since));
  }
  let rowId = (path) => `${id}-${encodeURIComponent(path)}`;
  function line4(row) {
    let { node, path } = row, name = shorten(row.name, 60), kind = node.gone ? "not there" : node.e ? "ephemeral" : "persistent", words = node.s ? shorten(node.s, 90) : row.open && !node.c ? recorded ? "not recorded" : "reading…" : "";
    return el(
      "div",
      {
        class: `kl-tree-row ${node.gone ? "kl-tree-gone" : node.e ? "kl-tree-ephemeral" : ""}`,
        role: "treeitem",
        id: rowId(path),
        "data-path": path,
        "aria-level": row.depth + 1,
        "aria-setsize": row.of,
        "aria-posinset": row.place,
        "aria-expanded": row.leaf ? null : String(row.open),
        "aria-selected": String(path === active),
        title: shorten(path, 200),
        style: { "--kl-depth": String(row.depth) },
        onclick: (event) => {
          let arrow = (
            /** @type {Element} */
            event.target.closest(".kl-tree-arrow")
          );
          choose3(path), (arrow || event.detail === 2) && toggle(path);
        }
      },
      el("span", { class: "kl-tree-arrow", "aria-hidden": "true" }, row.leaf ? "" : row.open ? "▾" : "▸"),
      el("span", { class: "kl-tree-name" }, node.gone ? "✕ " : node.e ? "⚡ " : "", el("bdi", {}, name)),
      " ",
      el("span", { class: node.e || node.gone ? "kl-tree-kind" : "kl-hidden" }, kind),
      " ",
      node.v === void 0 ? null : el("span", { class: "kl-tree-version", title: "version: how often its data was written" }, `v${node.v}`),
      " ",
      node.k ? el("span", { class: "kl-tree-version", title: "children" }, `${node.k}↓`) : null,
      " ",
      words ? el("span", { class: "kl-tree-words" }, words) : null
    );
  }
  function see(around2) {
    let unread = around2.filter((row) => row.node.v === void 0 && !row.node.gone).map((row) => row.path).slice(0, 120), key2 = unread.join(`
`);
    !unread.length || key2 === seen || recorded || (seen = key2, clearTimeout(seeing), seeing = setTimeout(() => wishes.see(unread), 80));
  }
  function choose3(path) {
    active = path, wishes.select(path), paint();
    let top = place2(path) * height();
    top < root.scrollTop ? root.scrollTop = top : top + height() > root.scrollTop + root.clientHeight && (root.scrollTop = top + height() - root.clientHeight);
  }
  function toggle(path) {
    let row = rows[place2(path)];
    !row || row.leaf || (open.has(path) ? open.delete(path) : (open.add(path), !row.node.c && !recorded && wishes.open(path)), list());
  }
  root.addEventListener("scroll", () => {
    framed ||= requestAnimationFrame(paint);
  }), root.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !rows.length) return;
    let at = Math.max(0, place2(active));
    event.key.length > 1 && (typed = "");
    let step = keyed(event.key, rows, at, Math.max(1, Math.floor(root.clientHeight / height()) - 1));
    if (event.key === "Enter" || event.key === " ") toggle(active);
    else if (step)
      step.open || step.close ? toggle(
        /** @type {string} */
        step.open ?? step.close
      ) : step.to !== void 0 && step.to >= 0 && choose3(rows[step.to].path);
    else if (event.key.length === 1)
      typed = event.timeStamp - typedAt < TYPING_MS ? typed + event.key : event.key, typedAt = event.timeStamp, choose3(rows[typedTo(rows, at, typed)].path);
    else return;
    event.preventDefault(), event.stopPropagation();
  });
  let resized = new ResizeObserver(() => list());
  return resized.observe(root), {
    root,
    get active() {
      return active;
    },
    /** @param {string} path */
    go(path) {
      for (let parent = path; parent.length > 1; )
        parent = parent.slice(0, parent.lastIndexOf("/")) || "/", !open.has(parent) && (open.add(parent), recorded || wishes.open(parent));
      active = path, list(), choose3(path);
    },
    /** @param {any} now @param {boolean} told true in a recording */
    draw(now, told3) {
      recorded = told3, now !== tree && (tree = now, seen = "", list());
    },
    end() {
      resized.disconnect(), clearTimeout(seeing), cancelAnimationFrame(framed);
    }
  };
}
var collator = new Intl.Collator("en", { numeric: !0 }), sorted = /* @__PURE__ */ new WeakMap();
function names(children) {
  let found2 = sorted.get(children);
  return found2 || (found2 = Object.keys(children).sort(collator.compare), sorted.set(children, found2)), found2;
}
var join = (parent, name) => parent === "/" ? `/${name}` : `${parent}/${name}`;
function flatten(tree, open) {
  let rows = [], visit = (node, path, parent, name, depth, place2, of) => {
    let leaf = node.gone === !0 || node.k === 0 || node.k === void 0 && !node.c, isOpen = !leaf && open.has(path);
    if (rows.push({ path, parent, name, depth, node, place: place2, of, open: isOpen, leaf }), !isOpen || !node.c) return;
    let children = node.c, listed2 = names(children);
    listed2.forEach((child, i) => visit(children[child], join(path, child), path, child, depth + 1, i + 1, listed2.length));
  };
  return tree && visit(tree, "/", "", "/", 0, 1, 1), rows;
}
function inSight(count2, top, height, row) {
  let first = Math.max(0, Math.floor(top / row) - 6);
  return [Math.min(first, count2), Math.min(count2, Math.ceil((top + height) / row) + 6)];
}
function keyed(key2, rows, at, page2) {
  let row = rows[at], last = rows.length - 1;
  switch (key2) {
    case "ArrowDown":
      return { to: Math.min(last, at + 1) };
    case "ArrowUp":
      return { to: Math.max(0, at - 1) };
    case "PageDown":
      return { to: Math.min(last, at + page2) };
    case "PageUp":
      return { to: Math.max(0, at - page2) };
    case "Home":
      return { to: 0 };
    case "End":
      return { to: last };
    case "ArrowRight":
      return row.leaf ? {} : row.open ? { to: Math.min(last, at + (rows[at + 1]?.parent === row.path ? 1 : 0)) } : { open: row.path };
    case "ArrowLeft":
      return row.open ? { close: row.path } : row.parent ? { to: rows.findIndex((other) => other.path === row.parent) } : {};
    default:
      return null;
  }
}
function typedTo(rows, at, typed) {
  let wanted = typed.toLowerCase(), from = typed.length > 1 ? at : at + 1;
  for (let i = 0; i < rows.length; i++) {
    let place2 = (from + i) % rows.length;
    if (rows[place2].name.toLowerCase().startsWith(wanted)) return place2;
  }
  return at;
}
function znodeDetail(path, found2, recorded) {
  let head2 = el("h4", { class: "kl-title kl-mono kl-detail-path" }, el("bdi", {}, shorten(path, 120)));
  if (!found2) return [head2, el("p", { class: "kl-soft" }, recorded ? "Nothing more of it is known here." : "not read")];
  let about = found2.about ? el("p", { class: "kl-detail-about" }, shorten(found2.about, 400)) : null;
  if (!found2.there) return [head2, el("p", {}, el("span", { class: "kl-badge kl-detail-gone" }, "✕ not there")), about];
  let figures2 = [
    ["version", String(found2.version), "how often its data was written"],
    ["written", clock.ofDay(found2.modified), "by ZooKeeper's clock"],
    ["created", clock.ofDay(found2.created), "by ZooKeeper's clock"],
    ["zxid", found2.zxid, "the transaction that wrote it: ZooKeeper numbers all of them"],
    ["children", String(found2.children), ""],
    ["bytes", String(found2.bytes), ""]
  ];
  return [
    head2,
    el("p", { class: "kl-detail-kind" }, found2.session ? [el("span", { class: "kl-badge kl-detail-ephemeral" }, "⚡ ephemeral"), " lives and dies with session ", el("span", { class: "kl-mono" }, shorten(found2.session, 40))] : [el("span", { class: "kl-badge" }, "persistent"), " stays until somebody deletes it"]),
    about,
    el("ul", { class: "kl-detail-figures", "aria-label": "figures" }, figures2.map(([name, value, title]) => el("li", { title: title || null }, el("span", { class: "kl-soft" }, name), " ", el("span", { class: "kl-mono" }, shorten(value, 40))))),
    found2.data ? el("pre", { class: "kl-detail-data kl-mono", tabindex: "0", role: "region", "aria-label": "its data" }, el("bdi", {}, lines(found2.data))) : el("p", { class: "kl-soft" }, "no data")
  ];
}
function lines(text2) {
  return text2.split(`
`).slice(0, 400).map((line4) => shorten(line4, 400)).join(`
`);
}

// metadata/view.js
var CONNECTION = (
  /** @type {Record<string, [string, string, string]>} */
  {
    connecting: ["◌", "warn", "connecting to ZooKeeper…"],
    connected: ["●", "ok", "watching"],
    suspended: ["◌", "warn", "SUSPENDED: no ZooKeeper answers"],
    lost: ["✕", "bad", "LOST: our session is over, asking for another"],
    closed: ["◌", "plain", "not watching"]
  }
);
function signs3(kinds) {
  let zookeeper = [["⚡", "ephemeral: goes with its session"], ["✕", "not there"], ["v3", "version: writes of its data"]], kraft = [["♛", "leader"], ["●", "follows"], ["◌", "behind"], ["✕", "down"], ["│", "high watermark"]], both = [["◆", "controller"], ["≤", "seen at that time, happened before"]];
  return [...kinds.includes("zookeeper") ? zookeeper : [], ...kinds.includes("kraft") ? kraft : [], ...both];
}
function oneSide(number, kind, ask) {
  let title = el("h3", {}), pills2 = el("span", { class: "kl-side-pills" }), notice = el("div", { class: "kl-notice", role: "status" }), keepers = lanes(), body = kind === "zookeeper" ? treeBody(number, ask) : kind === "kraft" ? logBody(number, ask) : null, events = happenings(kind === "zookeeper" ? "Watches that fired" : "What happened", kind === "zookeeper" ? "Nothing has fired yet. Every change of a node that is watched will be listed here." : "Nothing yet. What changes in the quorum and among the brokers will be listed here.", body?.go), root = el(
    "section",
    { class: "kl-side", "data-kind": kind },
    el("header", { class: "kl-side-head" }, title, pills2),
    notice,
    el("div", { class: "kl-panel kl-keepers" }, keepers.nodes),
    el("div", { class: "kl-side-body" }, body ? body.root : null, el("div", { class: "kl-panel kl-side-events" }, events.nodes))
  ), last = {};
  return {
    kind,
    root,
    /** @param {any} side @param {boolean} same true when nothing has changed */
    draw(side, same) {
      if (same) return;
      title.textContent = shorten(side.name || side.kafka || "a cluster", 60), root.setAttribute("aria-label", shorten(`${side.name} ${side.kafka}`, 100));
      let parts = [
        side.name && side.kafka ? el("span", { class: "kl-pill" }, shorten(side.kafka, 60)) : null,
        side.controller === null ? el("span", { class: "kl-pill kl-bad" }, "no controller") : el("span", { class: "kl-pill kl-pill-lead" }, `◆ controller ${side.controller}`),
        side.connection ? connection(side.connection) : null,
        side.at ? el("span", { class: "kl-pill" }, `as it was at ${clock.ofDay(side.at)}`) : null
      ];
      pills2.replaceChildren(.../** @type {HTMLElement[]} */
      parts.filter(Boolean));
      let said2 = [side.looked ? "" : "The cluster has not been read yet.", side.error ? `The cluster does not answer now. ${side.error}` : "", side.problem ?? ""].filter(Boolean);
      notice.hidden = !said2.length, notice.replaceChildren(...said2.map((text2) => el("div", {}, shorten(text2, 400)))), (side.quorum !== last.quorum || !last.looked) && keepers.draw(side.quorum), body?.draw(side), side.lines !== last.lines && events.draw(side.lines), last = side;
    },
    end: () => body?.end()
  };
}
function connection(now) {
  let [sign3, tone, words] = CONNECTION[now.state] ?? CONNECTION.closed, since = now.state === "suspended" || now.state === "lost" ? ` since ${clock.ofDay(now.since)}` : "", session = now.state === "connected" && now.session ? `, our session ${now.session}` : "";
  return el(
    "span",
    { class: `kl-pill kl-tone-${tone}`, "data-connection": now.state, title: "one client reads this ZooKeeper, for all views together" },
    el("span", { class: "kl-mark", "aria-hidden": "true" }, sign3),
    ` ${words}${since}${session}`
  );
}
function treeBody(side, ask) {
  let detail = el("div", { class: "kl-detail", "aria-live": "off" }), details2 = {}, shown2 = "", recorded = !1, show = (path) => {
    let key2 = `${path} ${JSON.stringify(details2[path] ?? null)}`;
    key2 !== shown2 && (shown2 = key2, refill(detail, znodeDetail(path, Object.hasOwn(details2, path) ? details2[path] : void 0, recorded)));
  }, tree = znodeTree({
    open: (path) => ask({ do: "open", side, path }),
    see: (paths) => ask({ do: "see", side, paths }),
    select: (path) => {
      Object.hasOwn(details2, path) || ask({ do: "select", side, path }), show(path);
    }
  }), none = el("p", { class: "kl-soft" }, "The tree has not been read.");
  return {
    root: el("div", { class: "kl-panel kl-tree-panel" }, el("div", { class: "kl-tree-half" }, el("h4", { class: "kl-title" }, "Tree"), none, tree.root), detail),
    go: tree.go,
    draw(now) {
      details2 = now.details ?? {}, none.hidden = !!now.tree, tree.root.hidden = detail.hidden = !now.tree, recorded = now.recorded, tree.draw(now.tree, recorded), now.tree && show(tree.active);
    },
    end: tree.end
  };
}
function logBody(side, ask) {
  let log = metadataLog(() => ask({ do: "log", side }));
  return {
    root: el("div", { class: "kl-panel kl-records-panel" }, log.nodes),
    go: void 0,
    draw(now) {
      let actions = Object.keys(now.actions), latest = actions.length ? now.actions[actions.sort((a, b) => Number(b) - Number(a))[0]].at : null;
      now.log && log.draw(now.log, latest, now.recorded);
    },
    end() {
    }
  };
}
var view_default6 = {
  render: live("metadata", "the metadata of the cluster", (page2, { ask }) => {
    let bar3 = actBar(ask), times2 = timeLines(), sides = el("div", { class: "kl-sides" }), foot = el("div", {});
    page2.append(bar3.root, times2.root, sides, foot);
    let drawn = /* @__PURE__ */ new Map(), kinds = "";
    return {
      draw(state, before) {
        let keys = Object.keys(state.sides);
        sides.classList.toggle("kl-sides-two", keys.length > 1);
        for (let key2 of keys) {
          let side = drawn.get(key2);
          if (!side || side.kind !== state.sides[key2].kind) {
            side?.end();
            let next = oneSide(Number(key2), state.sides[key2].kind, ask);
            side ? side.root.replaceWith(next.root) : sides.append(next.root), drawn.set(key2, next), side = next;
          }
          side.draw(state.sides[key2], state.sides[key2] === before?.sides[key2]);
        }
        bar3.draw(keys.map((key2) => state.sides[key2])), times2.draw(state, before);
        let now = keys.map((key2) => state.sides[key2].kind).join();
        now !== kinds && (kinds = now, foot.replaceChildren(legend(signs3(now))));
      },
      end() {
        times2.end();
        for (let side of drawn.values()) side.end();
      }
    };
  })
};

// partitioner/murmur2.js
function steps(key2) {
  let start = (2538058380 ^ key2.length) >>> 0, hash = start, words = [], whole2 = key2.length & -4;
  for (let at = 0; at < whole2; at += 4) {
    let k = (key2[at] | key2[at + 1] << 8 | key2[at + 2] << 16 | key2[at + 3] << 24) >>> 0, mixed = Math.imul(k, 1540483477);
    mixed = Math.imul(mixed ^ mixed >>> 24, 1540483477) >>> 0, hash = (Math.imul(hash, 1540483477) ^ mixed) >>> 0, words.push({ at, k, mixed, hash });
  }
  let tail = null;
  if (key2.length > whole2) {
    for (let i = key2.length - 1; i >= whole2; i -= 1) hash ^= key2[i] << 8 * (i - whole2);
    tail = hash = Math.imul(hash, 1540483477) >>> 0;
  }
  return hash ^= hash >>> 13, hash = Math.imul(hash, 1540483477), { start, words, tail, hash: (hash ^ hash >>> 15) >>> 0 };
}
function partitionOf(key2, partitions) {
  return (steps(key2).hash & 2147483647) % partitions;
}
function bytesOf2(typed, as) {
  if (as === "text") return new TextEncoder().encode(typed);
  let digits = typed.replace(/\s|0x|,/gi, "");
  return digits.length % 2 || /[^0-9a-f]/i.test(digits) ? null : Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
function hexOf(bytes2) {
  return Array.from(bytes2, (b) => b.toString(16).padStart(2, "0")).join("");
}
function hex32(n) {
  return `0x${(n >>> 0).toString(16).padStart(8, "0")}`;
}
function home(key2, partitions) {
  let found2 = Object.keys(key2.at).map(Number);
  if (found2.length === 0) return key2.hash % partitions;
  let now = key2.hash % partitions;
  return found2.includes(now) ? now : found2[0];
}
function astray(key2, partitions) {
  return Object.keys(key2.at).some((p) => Number(p) !== key2.hash % partitions);
}
function moving(keys, before, after) {
  let found2 = 0;
  for (let key2 of keys) found2 += +(key2.hash % before !== key2.hash % after);
  return found2;
}
function lcm(a, b) {
  let gcd = (x, y) => y ? gcd(y, x % y) : x;
  return a / gcd(a, b) * b;
}
function expected(before, after) {
  let stays = Math.min(before, after), of = lcm(before, after);
  return { share: 1 - stays / of, words: `1 − ${stays} / lcm(${before}, ${after}) = 1 − ${stays}/${of}` };
}
function earlier(keys, partitions) {
  let away = [...keys].filter((key2) => astray(key2, partitions));
  if (!away.length) return null;
  for (let m = partitions - 1; m > 0; m -= 1)
    if (away.every((key2) => Object.keys(key2.at).every((p) => [key2.hash % m, key2.hash % partitions].includes(Number(p))))) return m;
  return null;
}
function listed(typed, most = 2e3) {
  let found2 = /* @__PURE__ */ new Set();
  for (let line4 of typed.split(`
`).map((l) => l.trim()).filter(Boolean)) {
    let range = /^(.*?)(\d+)\.\.\1?(\d+)$/.exec(line4);
    range || found2.add(line4);
    for (let i = Number(range?.[2] ?? 1); i <= Number(range?.[3] ?? 0) && found2.size < most; i += 1) found2.add(range?.[1] + String(i).padStart(range?.[2].length ?? 0, "0"));
    if (found2.size >= most) break;
  }
  return [...found2];
}

// partitioner/columns.js
function columns(box, choose3, point) {
  let dots = /* @__PURE__ */ new Map(), focus = "";
  box.addEventListener("pointerover", (event) => point(idOf(event.target))), box.addEventListener("pointerleave", () => point("")), box.addEventListener("click", (event) => {
    let id = idOf(event.target);
    id && step(id, !0);
  }), box.addEventListener("focusin", (event) => {
    let id = idOf(event.target);
    id && point(id);
  }), box.addEventListener("keydown", (event) => {
    let at = dots.get(focus);
    if (!at) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault(), choose3(focus);
      return;
    }
    let column = (
      /** @type {HTMLElement} */
      at.parentElement
    ), mine = [...column.children], i = mine.indexOf(at), all = [.../** @type {NodeListOf<HTMLElement>} */
    box.querySelectorAll(".kl-dots")].filter((c) => c.children.length), beside = (by) => {
      let next = all[all.indexOf(column) + by];
      return next?.children[Math.min(i, next.children.length - 1)];
    }, keys = { ArrowDown: mine[i + 1], ArrowUp: mine[i - 1], ArrowRight: beside(1), ArrowLeft: beside(-1), Home: mine[0], End: mine.at(-1) };
    Object.hasOwn(keys, event.key) && event.preventDefault();
    let to = (
      /** @type {Record<string, Element | undefined>} */
      keys[event.key]
    );
    to && step(
      /** @type {HTMLElement} */
      to.dataset.key ?? "",
      !1
    );
  });
  function step(id, chosen) {
    let before = dots.get(focus);
    before && (before.tabIndex = -1), focus = id;
    let now = dots.get(id);
    now && (now.tabIndex = 0, now.focus({ preventScroll: !0 })), chosen && choose3(id);
  }
  function draw(keys, how) {
    let { partitions, after, nulls, chosen, real } = how, moved2 = after !== partitions, held3 = dots.get(focus) === document.activeElement, before = new Map([...dots].map(([id, dot2]) => [id, dot2.getBoundingClientRect()])), inside = Array.from({ length: after }, () => []);
    dots.clear();
    for (let [id, key2] of keys) {
      let was = real ? home(key2, partitions) : key2.hash % partitions, will = moved2 ? key2.hash % after : was, away = real && !moved2 && astray(key2, partitions), mover = moved2 && key2.hash % partitions !== will, says = away ? `, calculated P${key2.hash % partitions}` : mover ? `, moves from P${key2.hash % partitions}` : "", dot2 = el("span", {
        class: `kl-dot-key${away ? " kl-astray" : ""}${mover ? " kl-mover" : ""}${id === chosen ? " kl-here" : ""}`,
        role: "option",
        "data-key": id,
        tabindex: -1,
        "aria-selected": String(id === chosen),
        "aria-label": `${shorten(key2.text)}, P${will}${says}`,
        style: { "--kl-c": partitionColour(away ? key2.hash : was), "--kl-on": partitionInk(was) }
      }, away ? "✗" : null);
      dots.set(id, dot2), inside[will]?.push(dot2);
    }
    dots.has(focus) || (focus = dots.keys().next().value ?? "");
    let first = dots.get(focus);
    first && (first.tabIndex = 0);
    let most = Math.max(1, ...inside.map((found2) => found2.length));
    if (box.replaceChildren(...inside.map((found2, p) => {
      let fresh = p >= partitions, without = real && !moved2 ? nulls[p] ?? 0 : 0;
      return el(
        "div",
        { class: `kl-column${fresh ? " kl-fresh" : ""}`, role: "group", "aria-label": `P${p}: ${found2.length} keys`, "data-partition": String(p) },
        el("div", { class: "kl-column-head", "aria-hidden": "true", style: { "--kl-c": partitionColour(p), "--kl-on": partitionInk(p) } }, `P${p}`, fresh ? el("small", {}, " new") : null),
        el("div", { class: "kl-bar-keys", "aria-hidden": "true" }, el("span", { style: { width: `${100 * found2.length / most}%`, background: partitionColour(p) } })),
        el("div", { class: "kl-dots" }, found2),
        el("div", { class: "kl-column-foot", "aria-hidden": "true" }, `${count(found2.length)} key${found2.length === 1 ? "" : "s"}`, without ? el("small", {}, `${count(without)} no key`) : null)
      );
    })), held3 && dots.get(focus)?.focus({ preventScroll: !0 }), !reducedMotion())
      for (let [id, dot2] of dots) {
        let old = before.get(id);
        old?.width && glide(dot2, old, 550, "cubic-bezier(0.3, 0, 0.2, 1)");
      }
  }
  return { draw, dot: (id) => dots.get(id) };
}
function idOf(target) {
  return (
    /** @type {HTMLElement | null} */
    /** @type {HTMLElement} */
    target.closest?.("[data-key]")?.dataset.key ?? ""
  );
}
var MOST_BYTES = 32, MOST_WORDS = 16;
function partitionChip(p) {
  return el("span", { class: "kl-part-chip", style: { "--kl-c": partitionColour(p), "--kl-on": partitionInk(p) } }, `P${p}`);
}
function stages(key2, partitions) {
  let { hash } = steps(key2), positive = hash & 2147483647, p = positive % partitions, boxes = Array.from(key2.slice(0, MOST_BYTES), (byte, i) => el("span", { class: `kl-key-byte${i % 4 === 3 ? " kl-word-end" : ""}` }, el("b", {}, byte > 32 && byte < 127 ? String.fromCharCode(byte) : byte === 32 ? "␣" : "·"), el("span", {}, byte.toString(16).padStart(2, "0"))));
  return [
    stage2(`${key2.length} byte${key2.length === 1 ? "" : "s"}`, el("span", { class: "kl-key-bytes kl-mono" }, boxes.length ? boxes : "no bytes", key2.length > MOST_BYTES ? " …" : null), "as they are sent", "kl-sum-stage-bytes"),
    stage2("murmur2", el("code", { class: "kl-mono" }, hex32(hash)), "32 bits"),
    stage2("& 0x7fffffff", el("code", { class: "kl-mono" }, String(positive)), hash === positive ? "had no sign" : "without its sign"),
    stage2(`mod ${partitions}`, el("code", { class: "kl-mono" }, String(p)), "the remainder"),
    stage2("partition", partitionChip(p), "", "kl-sum-stage-result")
  ];
}
function stage2(title, what, said2, more = "") {
  return el("li", { class: `kl-sum-stage ${more}` }, el("span", { class: "kl-sum-stage-title" }, title), what, said2 ? el("small", { class: "kl-soft" }, said2) : null);
}
function stepTable(key2) {
  let found2 = steps(key2), whole2 = found2.words.length * 4, rows = [["start", "the seed ^ the length", `0x9747b28c ^ ${key2.length}`, hex32(found2.start)]];
  for (let word of found2.words.slice(0, MOST_WORDS))
    rows.push([`bytes ${word.at}–${word.at + 3}`, "k, mixed; h × m ^ k", `${hex32(word.k)} → ${hex32(word.mixed)}`, hex32(word.hash)]);
  if (found2.words.length > MOST_WORDS && rows.push(["…", `${found2.words.length - MOST_WORDS} words more`, "", ""]), found2.tail !== null) {
    let left = Array.from(key2.slice(whole2), (b) => b.toString(16).padStart(2, "0")).join(" ");
    rows.push([`last ${key2.length - whole2}`, "h ^ what is left, × m", left, hex32(found2.tail)]);
  }
  return rows.push(["end", "h ^ h >>> 13, × m, h ^ h >>> 15", "", hex32(found2.hash)]), table({ class: "kl-steps" }, ["bytes", "what is done", "with", "h"], rows.map(([where, what, using, hash]) => el("tr", {}, el("th", { scope: "row" }, where), el("td", {}, what), el("td", {}, el("code", { class: "kl-mono" }, using)), el("td", {}, el("code", { class: "kl-mono" }, hash)))));
}
var MOST_ROWS2 = 60;
function keyTable(keys, partitions, choose3) {
  let rows = [...keys].sort(([, a], [, b]) => Number(astray(b, partitions)) - Number(astray(a, partitions))).slice(0, MOST_ROWS2).map(([id, key2]) => {
    let wrong2 = astray(key2, partitions), places = Object.entries(key2.at).map(([p, [records]]) => el("span", { class: "kl-place" }, partitionChip(Number(p)), el("small", { class: "kl-soft" }, ` × ${count(records)}`)));
    return el(
      "tr",
      { class: wrong2 ? "kl-row-astray" : "" },
      el("th", { scope: "row" }, el("button", { class: "kl-button kl-key-button", "data-row": id, onclick: () => choose3(id) }, el("bdi", {}, shorten(key2.text, 28) || "(empty)"))),
      el("td", {}, partitionChip(key2.hash % partitions)),
      el("td", {}, places),
      el("td", { class: wrong2 ? "kl-no" : "kl-yes" }, wrong2 ? "✗" : "✓", el("span", { class: "kl-hidden" }, wrong2 ? "elsewhere" : "as calculated"))
    );
  });
  return [
    table({ class: "kl-key-table" }, ["key", "calculated", "really in", ""], rows),
    keys.length > MOST_ROWS2 ? el("p", { class: "kl-soft" }, `and ${count(keys.length - MOST_ROWS2)} more keys`) : null
  ].filter((node) => node !== null);
}
function sentList(sent) {
  return sent.length ? el("ol", { class: "kl-sent" }, [...sent].sort((a, b) => b.n - a.n).map((one) => {
    let right = one.calculated === one.partition, why = one.calculated === null ? `no key: ${one.partitioner === "sticky" ? "sticky, one partition for a while" : "a random partition"}` : right ? "✓ as calculated" : `✗ calculated P${one.calculated}`;
    return el("li", { "data-sent": one.n }, el("bdi", {}, one.key === null ? el("i", {}, "null") : shorten(one.key, 24)), " → ", partitionChip(one.partition), ` offset ${count(one.offset)} `, el("span", { class: one.calculated === null ? "kl-soft" : right ? "kl-yes" : "kl-no" }, why));
  })) : el("p", { class: "kl-soft" }, "Nothing was sent from here yet.");
}

// partitioner/view.js
function build3(page2, { ask }) {
  let state, chosen = "", keys = [], ui = controls({ typed: () => sum(), send, what: () => picture2(), grow: (n) => ask({ do: "grow", partitions: n }), own: () => picture2() }), named2 = (name) => el("div", { class: `kl-partitioner-${name}` }), [bar3, trouble2, flow, really, told3, foot] = ["bar", "trouble", "flow", "really", "told", "legend"].map(named2), table2 = el("div", { class: "kl-partitioner-table kl-panel", role: "group", "aria-label": "where keys really are", tabindex: 0 }), sent = el("div", { class: "kl-partitioner-sent kl-panel", role: "log", "aria-label": "sent from here", tabindex: 0 }), box = el("div", { class: "kl-columns", role: "listbox", "aria-label": "keys, in a column for each partition", "aria-orientation": "vertical" }), details2 = el("details", { class: "kl-partitioner-steps", open: !0 }, el("summary", {}, "every step of murmur2"), el("div", { class: "kl-steps-box" }));
  page2.append(
    bar3,
    trouble2,
    el("div", { class: "kl-panel kl-partitioner-sum" }, ui.keyRow, flow, really, details2),
    el(
      "div",
      { class: "kl-partitioner-main" },
      el("div", { class: "kl-panel kl-partitioner-columns" }, ui.whatRow, ui.confirm, box, told3, ui.ownKeys),
      el("div", { class: "kl-partitioner-side" }, sent, table2)
    ),
    foot
  ), foot.append(legend([[dot2(""), "a key, in its partition's colour"], [dot2("kl-mover"), "would move"], [dot2("kl-astray", "✗"), "lies elsewhere than calculated"], [el("span", { class: "kl-column kl-fresh kl-sample" }), "a partition that would be new"]]));
  let pointed = "", drawn = columns(box, (id) => take(id), (id) => tell(pointed = id));
  function dot2(more, text2 = "") {
    return el("span", { class: `kl-dot-key ${more}`, style: { "--kl-c": "var(--kl-soft)" } }, text2);
  }
  function take(id) {
    let key2 = keys.find(([name]) => name === id)?.[1];
    key2 && (ui.own() ? ui.type(key2.text, "text") : id.includes("…") || ui.type(textOf(id.slice(1)) ?? id.slice(1), textOf(id.slice(1)) === null ? "hex" : "text"), sum());
  }
  function send(times2) {
    let key2 = ui.key();
    key2 === void 0 || !state.live || state.busy || ask({ do: "send", key: key2 === null ? null : hexOf(key2), times: times2, partitioner: ui.partitioner() });
  }
  function sum() {
    let n = state?.partitions, key2 = ui.key();
    if (ui.offer(!state?.recorded), ui.able(!!(state?.live && n && !state.busy && key2 !== void 0), state?.busy ?? "", n), details2.hidden = !key2, !n || !key2) {
      let why = key2 === null ? nullKey() : key2 === void 0 ? "Hexadecimal digits come in pairs: 54 30 30 30 31." : "";
      flow.replaceChildren(el("p", {}, why)), really.replaceChildren(), mark2("");
      return;
    }
    flow.replaceChildren(el("ol", { class: "kl-sum-stages" }, stages(key2, n))), details2.querySelector(".kl-steps-box").replaceChildren(stepTable(key2));
    let id = `k${hexOf(key2)}`, known = state.keys[id], p = partitionOf(key2, n);
    if (!known) really.replaceChildren(el("span", { class: "kl-soft" }, state.recorded ? "No record with this key was recorded up to this moment." : "No record with this key was seen in the topic. Send one, and see where it goes."));
    else {
      let places = Object.entries(known.at).map(([at, [records]], i) => el("span", { class: "kl-place" }, `${i ? ", " : ""}${count(records)} ${i ? "" : `record${records === 1 ? "" : "s"} of this key `}in `, partitionChip(Number(at)))), wrong2 = astray(known, n);
      really.replaceChildren(el("span", { class: wrong2 ? "kl-no" : "kl-yes" }, wrong2 ? "✗" : "✓"), state.recorded ? " The broker really had " : " The broker really has ", ...places, wrong2 ? el("span", {}, "; a new one goes to ", partitionChip(p)) : ", as calculated.");
    }
    mark2(ui.own() ? keys.find(([, k]) => k.text === ui.text())?.[0] ?? "" : id);
  }
  function nullKey() {
    return state?.recorded ? "No key, so nothing to hash: the producer chooses, at random or a batch at a time." : ui.partitioner() === "sticky" ? "No key, so nothing to hash. Sticky: the producer keeps to one partition until a batch is full, and then takes another. Send ten and see." : "No key, so nothing to hash. This producer (kafka-python's own) takes a partition at random for each record; Java's sticks to one for a while. Send ten and see.";
  }
  function mark2(id) {
    chosen !== id && drawn.dot(chosen)?.classList.remove("kl-here"), chosen = id, drawn.dot(id)?.classList.add("kl-here");
  }
  function tell(id) {
    let found2 = keys.find(([name]) => name === id);
    if (!found2 || !state.partitions) return told3.replaceChildren(el("span", { class: "kl-soft" }, "Point at a key, or walk with the arrow keys; Enter puts it into the calculation."));
    let [, key2] = found2, after = ui.after() ?? state.partitions, where = Object.keys(key2.at);
    return told3.replaceChildren(
      el("bdi", {}, el("b", {}, shorten(key2.text, 60) || "(empty)")),
      " calculated ",
      partitionChip(key2.hash % state.partitions),
      where.length ? " really in " : "",
      ...where.map((p) => partitionChip(Number(p))),
      after !== state.partitions ? el("span", {}, ` with ${after} partitions `, partitionChip(key2.hash % after)) : ""
    );
  }
  function picture2() {
    let n = state?.partitions;
    if (!n) return;
    let after = Math.max(n, ui.after() ?? n), own = ui.own() ? listed(ui.own()) : null;
    keys = own ? own.map((text2) => [`o${text2}`, { text: text2, size: text2.length, hash: steps(new TextEncoder().encode(text2)).hash & 2147483647, at: {} }]) : Object.entries(state.keys).sort(([a], [b]) => a < b ? -1 : 1), drawn.draw(keys, { partitions: n, after, nulls: state.nulls, chosen, real: !own }), ui.says(whatIf(n, after), n, after, !!state.live, state.busy), tell(pointed);
  }
  function whatIf(n, after) {
    if (!keys.length) return state.looked ? "No keys yet." : "Looking at the newest records…";
    let all = keys.map(([, key2]) => key2);
    if (after === n) {
      let away = all.filter((key2) => astray(key2, n)).length;
      if (!away) return `${count(keys.length)} keys in ${n} partitions.`;
      let before = earlier(all, n);
      return `✗ ${count(away)} of ${count(keys.length)} keys have records elsewhere than calculated: ${before ? `they were sent when there were ${before} partitions. Records never move.` : "another partitioner was used, or partitions were added."}`;
    }
    let moved2 = moving(all, n, after), { share, words } = expected(n, after);
    return `${count(moved2)} of ${count(keys.length)} keys would move: ${(100 * moved2 / keys.length).toFixed(1)} %; expected ${words} = ${(100 * share).toFixed(1)} %.`;
  }
  function fly2(one, turn2) {
    let from = (flow.querySelector(".kl-sum-stage-result .kl-part-chip") ?? ui.keyRow).getBoundingClientRect(), head2 = box.querySelector(`[data-partition="${one.partition}"] .kl-column-head`);
    if (!head2) return;
    let mark3 = () => {
      head2.classList.add("kl-arrived"), setTimeout(() => head2.classList.remove("kl-arrived"), 1600);
    };
    if (reducedMotion()) return void mark3();
    let to = head2.getBoundingClientRect(), base = page2.getBoundingClientRect(), chip3 = el("span", { class: "kl-flying", "aria-hidden": "true", style: { left: `${from.left - base.left}px`, top: `${from.top - base.top}px` } }, partitionChip(one.partition));
    page2.append(chip3);
    let flight = chip3.animate([{ transform: "none" }, { transform: `translate(${to.left - from.left + to.width / 2 - 14}px, ${to.top - from.top}px)` }], { duration: 600, delay: turn2 * 60, easing: "cubic-bezier(0.4, 0, 0.3, 1)", fill: "both" });
    flight.onfinish = () => {
      chip3.remove(), mark3();
    };
  }
  return {
    draw(now, before) {
      if (state = now, changed(now, before, "partitions") && ui.reset(now.partitions), bar3.replaceChildren(head(now)), trouble2.replaceChildren(...[now.trouble, now.grown ? `There are ${now.grown.to} partitions now, there were ${now.grown.from}. Records that were there stay where they are; new ones go where it is calculated now. Other producers learn of it at their next look at the metadata: metadata.max.age.ms, 5 minutes.` : ""].filter(Boolean).map((text2, i) => el("p", { class: `kl-notice${i === 0 && now.trouble ? " kl-tone-bad" : ""}`, role: "status" }, shorten(text2, 500)))), changed(now, before, "keys", "partitions", "nulls", "busy", "looked", "live")) {
        picture2();
        let n = now.partitions, title = el("h4", { class: "kl-title" }, "Where the broker really put them");
        n && keepFocus(table2, () => table2.replaceChildren(title, ...keyTable(Object.entries(now.keys), n, take)));
      }
      sum(), sent.hidden = now.recorded, page2.classList.toggle("kl-partitioner-recorded", now.recorded), changed(now, before, "sent") && (sent.replaceChildren(el("h4", { class: "kl-title" }, "Sent from here"), sentList(Object.values(now.sent))), before && Object.keys(now.sent).filter((id) => !before.sent[id]).forEach((id, i) => fly2(now.sent[id], i)));
    }
  };
}
function head(state) {
  return el(
    "div",
    { class: "kl-panel kl-partitioner-head" },
    el("strong", {}, el("bdi", {}, shorten(state.topic, 60))),
    state.partitions ? el("span", { class: "kl-pill" }, `${state.partitions} partition${state.partitions === 1 ? "" : "s"}`) : null,
    el("span", { class: "kl-pill" }, `${count(Object.keys(state.keys).length)} keys in ${count(state.records)} records`),
    state.beyond ? el("span", { class: "kl-pill" }, `${count(state.beyond)} records of further keys`) : null,
    el("span", { class: "kl-soft" }, state.recorded ? "a recording: nothing can be sent" : state.live ? state.busy ? `${state.busy}…` : "" : "not live")
  );
}
function keepFocus(area, change2) {
  let row = area.contains(document.activeElement) ? (
    /** @type {HTMLElement} */
    document.activeElement.dataset.row
  ) : void 0;
  change2(), row && area.querySelector(`[data-row="${CSS.escape(row)}"]`)?.focus();
}
function textOf(hex) {
  try {
    let text2 = new TextDecoder("utf-8", { fatal: !0, ignoreBOM: !0 }).decode(bytesOf2(hex, "hex") ?? new Uint8Array());
    return /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/.test(text2) ? null : text2;
  } catch {
    return null;
  }
}
var MOST_PARTITIONS = 60;
function controls(on) {
  let text2 = el("input", { class: "kl-input kl-mono kl-key-input", type: "text", value: "T0042", "aria-label": "key", maxlength: 200, spellcheck: "false", autocomplete: "off", oninput: on.typed }), as = select("what the key is", [["text", "as text"], ["hex", "as hex bytes"], ["null", "no key (null)"]], () => {
    text2.disabled = as.value === "null", chooser.hidden = as.value !== "null", on.typed();
  }), partitioner = select("partitioner for records without a key", [["random", "random"], ["sticky", "sticky"]], on.typed), chooser = el("label", { class: "kl-soft", hidden: !0 }, "partitioner ", partitioner), one = el("button", { class: "kl-button kl-send", onclick: () => one.ariaDisabled !== "true" && on.send(1) }, "send it"), ten = el("button", { class: "kl-button", onclick: () => ten.ariaDisabled !== "true" && on.send(10) }, "send it 10 times"), keyRow = el("div", { class: "kl-key-row" }, el("label", { class: "kl-key-label" }, el("b", {}, "key "), text2), as, chooser, one, ten), number = el("input", { class: "kl-input", type: "number", min: 1, max: MOST_PARTITIONS, value: 1, "aria-label": "number of partitions to try", oninput: on.what }), by = (n) => () => {
    number.valueAsNumber = Math.max(Number(number.min), Math.min(MOST_PARTITIONS, (number.valueAsNumber || 0) + n)), on.what();
  }, said2 = el("p", { class: "kl-what-says", role: "status" }), add = el("button", { class: "kl-button kl-add", hidden: !0, onclick: () => ask(!0) }, ""), whatRow = el(
    "div",
    { class: "kl-what-row" },
    el("h4", { class: "kl-title" }, "Keys in their partitions"),
    el("span", { class: "kl-what-if" }, el("span", {}, "what if there were "), el("button", { class: "kl-button", "aria-label": "one partition less", onclick: by(-1) }, "−"), number, el("button", { class: "kl-button", "aria-label": "one partition more", onclick: by(1) }, "+"), el("span", {}, " partitions"), add),
    said2
  ), wanted = 0, sure = el("p", {}), yes = el("button", { class: "kl-button kl-yes-add", onclick: () => {
    ask(!1), on.grow(wanted);
  } }, "yes, add them"), no = el("button", { class: "kl-button", onclick: () => {
    ask(!1), add.focus();
  } }, "no"), confirm = el("div", { class: "kl-notice kl-confirm", role: "group", "aria-label": "are you sure?", hidden: !0, onkeydown: (event) => {
    event.key === "Escape" && no.click();
  } }, sure, yes, " ", no);
  function ask(open) {
    confirm.hidden = !open, open && no.focus();
  }
  let own = el("textarea", { class: "kl-input kl-mono", rows: 3, "aria-label": "keys of your own, one a line", placeholder: "one key a line, or T0000..T0999", spellcheck: "false", oninput: on.own }), ownKeys2 = el("details", { class: "kl-own" }, el("summary", {}, "keys of your own instead of the topic's"), own);
  return {
    keyRow,
    whatRow,
    confirm,
    ownKeys: ownKeys2,
    /** Returns the bytes of the key; null for no key, undefined while the input is invalid. @returns {Uint8Array | null | undefined} */
    key: () => as.value === "null" ? null : bytesOf2(text2.value, as.value === "hex" ? "hex" : "text") ?? void 0,
    text: () => text2.value,
    own: () => own.value.trim(),
    partitioner: () => partitioner.value,
    /** Puts a key in, as if it had been typed. @param {string} value @param {"text" | "hex"} kind */
    type(value, kind) {
      text2.value = value, as.value = kind, text2.disabled = !1, chooser.hidden = !0;
    },
    /** Shows the controls for sending, if there is a cluster. @param {boolean} sends */
    offer(sends) {
      for (let button2 of [one, ten]) button2.hidden = !sends;
      chooser.hidden = as.value !== "null" || !sends;
    },
    /** @param {boolean} able @param {string} busy @param {number | null} partitions */
    able(able, busy, partitions) {
      for (let button2 of [one, ten]) button2.ariaDisabled = String(!able);
      one.textContent = busy === "sending" ? "sending…" : "send it", one.title = partitions ? "really sends a record with this key to the topic" : "";
    },
    /** Returns the number of partitions to imagine; null while the input is no number. */
    after: () => Number.isInteger(number.valueAsNumber) ? Math.min(MOST_PARTITIONS, number.valueAsNumber) : null,
    /** @param {number | null} partitions */
    reset(partitions) {
      number.min = String(partitions ?? 1), number.valueAsNumber = partitions ?? 1, ask(!1);
    },
    /** @param {string} words @param {number} now @param {number} after @param {boolean} live @param {string} busy */
    says(words, now, after, live2, busy) {
      said2.textContent = words;
      let more = after - now;
      wanted = after, add.hidden = !live2 || more <= 0, add.textContent = busy ? `${busy}…` : `add ${more} partition${more === 1 ? "" : "s"} for real`, add.ariaDisabled = String(!!busy), sure.textContent = `Kafka adds partitions and never takes them away. From ${now} to ${after}: new records of the keys that move go elsewhere than their old ones, and their order is lost there.`, (more <= 0 || busy) && ask(!1);
    }
  };
}
function select(label, options, changed2) {
  return el("select", { class: "kl-select", "aria-label": label, onchange: changed2 }, options.map(([value, words]) => el("option", { value }, words)));
}
var view_default7 = { render: live("partitioner", "From key to partition", build3) };

// record/bar.js
var COPY = { shown: "read here", same: "the same bytes", differs: "other bytes!", missing: "does not have it", unread: "out of reach" };
function bar(state, go, asks = !0) {
  let { batch, steps: steps3 } = state, live2 = state.live && asks, step = (id, text2, label, to) => el("button", { class: "kl-button", "data-step": id, "aria-label": label, title: label, "aria-disabled": String(!live2 || to === null || to === void 0), onclick: () => live2 && to !== null && to !== void 0 && go(to) }, text2), ask = el("input", { class: "kl-record-offset", type: "number", min: 0, step: 1, value: Math.max(0, state.offset), "aria-label": "offset to look at", "data-step": "offset", disabled: !live2 }), form = el("form", { class: "kl-record-go", onsubmit: (event) => {
    event.preventDefault();
    let wanted = (
      /** @type {HTMLInputElement} */
      ask.valueAsNumber
    );
    Number.isSafeInteger(wanted) && wanted >= 0 && go(wanted);
  } }, el("label", {}, "offset ", ask), el("button", { class: "kl-button", type: "submit", disabled: !live2 }, "go")), range = state.range.end === null ? "" : state.range.end > (state.range.start ?? 0) ? `of ${count(state.range.start ?? 0)} to ${count(state.range.end - 1)}` : "";
  return el(
    "div",
    { class: "kl-record-top kl-panel" },
    el(
      "div",
      { class: "kl-record-title" },
      el("strong", {}, el("bdi", {}, shorten(state.topic, 60)), ` · P${state.partition}`, state.offset >= 0 ? ` · offset ${count(state.offset)}` : ""),
      el("span", { class: "kl-soft" }, range),
      batch ? pills(batch) : null
    ),
    el(
      "div",
      { class: "kl-record-steps" },
      step("previous_batch", "◀◀ batch", "the batch before", steps3.previous_batch),
      step("previous", "◀ record", "the record before", steps3.previous),
      form,
      step("next", "record ▶", "the next record", steps3.next),
      step("next_batch", "batch ▶▶", "the next batch", steps3.next_batch),
      el("button", { class: "kl-button", "data-step": "newest", disabled: !live2, onclick: () => go(null) }, "newest")
    ),
    state.read ? el("div", { class: "kl-record-where kl-soft" }, `${state.read.words}${state.read.segment || state.recorded ? "" : " (its disks cannot be read)"}`) : null
  );
}
function pills(batch) {
  let compressed = batch.codec === "none" ? "not compressed" : batch.unpacked ? `${batch.codec}, ${count(batch.unpacked)} → ${count(batch.size - 61)} bytes` : batch.codec;
  return [
    el("span", { class: "kl-pill" }, batch.control ? "control batch: a transaction's marker" : `batch of ${count(batch.count)} record${batch.count === 1 ? "" : "s"}`),
    el("span", { class: "kl-pill" }, compressed),
    el("span", { class: `kl-pill ${batch.valid ? "kl-right" : "kl-wrong"}` }, batch.valid ? "✓ CRC" : "✗ CRC: damaged")
  ];
}
function batchStrip(state, go, asks = !0) {
  let { strip: strip2, offset } = state, live2 = state.live && asks;
  if (!strip2 || strip2.cells.length === 0) return el("span", {});
  let cells = strip2.cells.map((cell) => {
    let mine = cell.offset === offset, key2 = cell.key === null ? "no key" : `key ${shorten(cell.key, 40)}`;
    return el("button", {
      class: `kl-cell${mine ? " kl-here" : ""}`,
      "data-step": `cell-${cell.offset}`,
      "aria-current": mine ? "true" : null,
      "aria-disabled": String(!live2 && !mine),
      "aria-label": `record at offset ${cell.offset}, ${key2}, ${cell.size} bytes`,
      title: `offset ${cell.offset} · ${key2} · ${cell.size} bytes`,
      onclick: () => live2 && !mine && go(cell.offset)
    }, String(cell.offset));
  }), more = (n) => n ? el("span", { class: "kl-soft" }, `… ${count(n)} more`) : null;
  return el("div", { class: "kl-record-cells", role: "group", "aria-label": "records of this batch" }, el("span", { class: "kl-soft" }, "in this batch"), more(strip2.before), cells, more(strip2.after));
}
function copies(state, read2) {
  let found2 = Object.entries(state.copies);
  if (!found2.length) return el("span", {});
  let chips = found2.map(([broker, copy]) => {
    let shown2 = copy.copy === "shown" || copy.copy === "unread";
    return el(
      "button",
      { class: `kl-button kl-copy kl-copy-${copy.copy}`, "data-step": `copy-${broker}`, "aria-disabled": String(shown2 || !state.live), "aria-pressed": String(copy.copy === "shown"), onclick: () => !shown2 && state.live && read2(Number(broker)) },
      `${PARTS[copy.part] ?? ""} ${broker}`,
      el("small", {}, ` ${{ same: "= ", differs: "≠ ", missing: "∅ " }[
        /** @type {string} */
        copy.copy
      ] ?? ""}${COPY[copy.copy]}`)
    );
  });
  return el("div", { class: "kl-record-copies-row", role: "group", "aria-label": "copies of this batch" }, el("span", { class: "kl-soft" }, "copies of the batch"), chips);
}
var SHARE = { "batch header": "place", keys: "key", values: "value", headers: "header", overhead: "length" }, SIGN = { "batch header": "#", keys: "K", values: "V", headers: "H", overhead: "L" };
function shareBars(bars) {
  let longest = Math.max(1, ...bars.map((b) => b.bytes));
  return el("div", { class: "kl-shares" }, bars.map((b) => el(
    "div",
    { class: "kl-share-row" },
    el("span", { class: "kl-soft" }, `${b.bar}, ${count(b.bytes)} bytes`),
    el("div", { class: "kl-share", style: { width: `${100 * b.bytes / longest}%` } }, b.parts.map((p) => el("span", { class: `kl-share-part kl-kind-${SHARE[p.part] ?? "packed"}`, style: { "flex-grow": String(p.bytes) }, title: `${p.part}: ${p.bytes} bytes` }))),
    el("span", { class: "kl-share-words" }, b.parts.map((p) => el("span", {}, el("span", { class: `kl-kind kl-kind-${SHARE[p.part] ?? "packed"}`, "aria-hidden": "true" }, SIGN[p.part] ?? "Z"), ` ${p.part} ${count(p.bytes)} (${percent(p.bytes, b.bytes)} %)`)))
  )));
}
function percent(part, whole2) {
  let share = 100 * part / whole2;
  return share > 0 && share < 1 ? "< 1" : share > 99 && share < 100 ? "> 99" : String(Math.round(share));
}

// record/fields.js
var KINDS2 = {
  place: ["#", "offset or epoch"],
  length: ["L", "length or count"],
  check: ["C", "format and checksum"],
  flags: ["F", "flags"],
  time: ["T", "timestamp"],
  producer: ["P", "producer"],
  key: ["K", "key"],
  value: ["V", "value"],
  header: ["H", "header of a record"],
  packed: ["Z", "compressed records"],
  other: ["·", "another record"]
}, sign2 = (kind) => el("span", { class: `kl-kind kl-kind-${kind}`, "aria-hidden": "true" }, KINDS2[kind][0]);
function pairs(hex) {
  return hex.match(/../g) ?? [];
}
function fieldList(blocks) {
  if (!blocks.length) return [];
  let groups = blocks.map((block2) => {
    let heading = block2.items[0]?.id === "base_offset" ? "batch header" : "records, unpacked", rows = block2.items.flatMap((item) => [
      item.id === "record_length" ? el("div", { class: "kl-record-head", role: "presentation" }, "this record") : null,
      el(
        "div",
        { role: "option", class: "kl-field", "data-field": item.id, tabindex: -1, "aria-selected": "false" },
        sign2(item.kind),
        el("span", { class: "kl-field-name" }, shorten(item.name, 60)),
        el("bdi", { class: `kl-field-value kl-mono${item.right === !1 ? " kl-wrong" : ""}` }, shorten(item.value, 34))
      )
    ]);
    return [el("div", { class: "kl-record-head", role: "presentation" }, heading), rows];
  });
  return [el("h4", { class: "kl-title" }, "Fields"), el("div", { role: "listbox", "aria-label": "Fields of the batch, in the order of their bytes", class: "kl-fields" }, groups)];
}
function explained(item, go) {
  let few = pairs(item.hex).slice(0, 24).join(" ") + (item.size > 24 ? " …" : "");
  return [
    el(
      "div",
      { class: "kl-told-head" },
      sign2(item.kind),
      el("strong", {}, shorten(item.name, 80)),
      el("span", { class: "kl-soft" }, `byte ${count(item.at)}${item.size > 1 ? ` to ${count(item.at + item.size - 1)}` : ""} · ${count(item.size)} byte${item.size === 1 ? "" : "s"}`),
      item.goto === void 0 || !go ? null : el("button", { class: "kl-button", onclick: () => go(
        /** @type {number} */
        item.goto
      ) }, `look at offset ${item.goto}`)
    ),
    item.bits ? bitRow(item) : el("div", { class: "kl-told-value" }, el("code", { class: "kl-mono" }, few), el("span", { "aria-hidden": "true" }, "→"), el("bdi", { class: item.right === !1 ? "kl-wrong" : "" }, shorten(item.value, 300))),
    el("p", {}, item.meaning),
    el("p", { class: "kl-soft" }, `Written as: ${item.encoding}.`),
    item.steps ? el("p", { class: "kl-told-steps" }, ...steps2(item.steps)) : null
  ].filter((node) => node !== null);
}
function steps2(text2) {
  let [bits, rest2] = [text2.slice(0, text2.indexOf(":")), text2.slice(text2.indexOf(":"))];
  return [el("code", { class: "kl-mono" }, bits), rest2];
}
function bitRow(item) {
  return el(
    "table",
    { class: "kl-bits" },
    el("tbody", {}, [...item.bits ?? []].map(([bits, value, name, says]) => el("tr", {}, el("th", { scope: "row" }, `bit${bits.length > 1 ? "s" : ""} ${bits}`), el("td", {}, el("code", { class: "kl-mono" }, value)), el("td", {}, name), el("td", {}, el("b", {}, says)))))
  );
}
function rowsOf(items, width) {
  let rows = [], cells = [], end = () => {
    cells.length && rows.push({ at: cells[0].at, cells }), cells = [];
  };
  for (let item of items) {
    let at = item.at;
    (item.kind === "other" || item.id === "record_length") && end();
    let put = (hex) => {
      for (let byte of pairs(hex))
        cells.push({ item, byte, at }), at += 1, cells.length === width && end();
    };
    put(item.hex), item.cut && (end(), rows.push({ at, cells: [], gap: { item, bytes: item.cut } }), at += item.cut), put(item.tail), item.kind === "other" && end();
  }
  return end(), rows;
}
function pieces(row) {
  let found2 = [];
  return row.cells.forEach(({ item }, i) => {
    let last = found2[found2.length - 1];
    last && last[0] === item ? last[2] += 1 : found2.push([item, i, 1]);
  }), found2;
}
function dump(blocks, width) {
  return blocks.map((block2) => {
    let named2 = /* @__PURE__ */ new Set(), rows = rowsOf(block2.items, width), lines2 = rows.map((row, i) => row.gap ? gapLine(block2, row, row.gap) : line3(block2, row, rows[i + 1], named2));
    return el(
      "section",
      { class: "kl-dump", style: { "--kl-per-row": String(width) } },
      el("h4", { class: "kl-title" }, block2.title),
      // Hidden from screen readers, because the list of fields says the same and can be read out.
      el("div", { class: "kl-dump-rows kl-mono", "aria-hidden": "true" }, lines2)
    );
  });
}
function gapLine(block2, row, gap) {
  return el(
    "div",
    { class: "kl-dump-gap", "data-field": gap.item.id },
    el("span", { class: "kl-dump-at" }, count(block2.at + row.at)),
    el("span", {}, `… ${count(gap.bytes)} bytes of ${gap.item.name} not shown`)
  );
}
function line3(block2, row, next, named2) {
  let boxes = pieces(row).map(([item, first, size2]) => {
    let last = first + size2 - 1, begins = row.cells[first].at === item.at, ends = row.cells[last].at === item.at + item.size - 1, more = next?.cells.filter((c) => c.item === item).length ?? 0, name = !named2.has(item.id) && (size2 >= 3 || size2 >= more || ends) ? (named2.add(item.id), item.short) : null;
    return el(
      "span",
      { class: `kl-box kl-kind-${item.kind}${begins ? " kl-begins" : ""}${ends ? " kl-ends" : ""}`, "data-field": item.id, style: { "grid-column": `${first + 1} / span ${size2}` } },
      name ? el("span", { class: "kl-box-name" }, name) : null,
      row.cells.slice(first, last + 1).map(({ byte }) => el("span", { class: "kl-byte" }, byte))
    );
  }), text2 = pieces(row).map(([item, first, size2]) => el("span", { class: `kl-kind-${item.kind} kl-chars`, "data-field": item.id }, row.cells.slice(first, first + size2).map(({ byte }) => letter(byte)).join(""))), bare = boxes.every((box) => !box.querySelector(".kl-box-name"));
  return el("div", { class: `kl-dump-row${bare ? " kl-bare" : ""}` }, el("span", { class: "kl-dump-at" }, count(block2.at + row.at)), el("span", { class: "kl-boxes" }, boxes), el("span", { class: "kl-dump-text" }, text2));
}
function letter(byte) {
  let code = Number.parseInt(byte, 16);
  return code >= 32 && code < 127 ? String.fromCharCode(code) : "·";
}

// record/view.js
function build4(page2, { model, ask }) {
  let asks = () => !!model.get("live"), part = Object.fromEntries(["bar", "trouble", "strip", "copies", "shares", "legend"].map((name) => [name, el("div", { class: `kl-record-${name}` })])), dumped = el("div", { class: "kl-record-dump kl-panel" }), listed2 = el("div", { class: "kl-record-list kl-panel" }), told3 = el("div", { class: "kl-record-told kl-panel", "aria-live": "polite" });
  page2.append(part.bar, part.trouble, part.strip, el("div", { class: "kl-record-main" }, dumped, el("div", { class: "kl-record-side" }, listed2, told3)), part.copies, part.shares, part.legend);
  let state, items = /* @__PURE__ */ new Map(), chosen = "value", wide2 = 0, go = (offset) => ask({ do: "go", offset }), lit = "";
  function light(id) {
    if (id !== lit) {
      lit = id;
      for (let node of page2.querySelectorAll(".kl-lit")) node.classList.remove("kl-lit");
      if (id) for (let node of page2.querySelectorAll(`[data-field="${CSS.escape(id)}"]`)) node.classList.add("kl-lit");
      tell(items.get(id || chosen));
    }
  }
  function choose3(id, focus = !1) {
    if (items.has(id)) {
      chosen = id;
      for (let node of page2.querySelectorAll(".kl-chosen")) node.classList.remove("kl-chosen");
      for (let node of page2.querySelectorAll(`[data-field="${CSS.escape(id)}"]`)) node.classList.add("kl-chosen");
      for (
        let node of
        /** @type {NodeListOf<HTMLElement>} */
        listed2.querySelectorAll("[role=option]")
      ) {
        let mine = node.dataset.field === id;
        if (node.setAttribute("aria-selected", String(mine)), node.tabIndex = mine ? 0 : -1, !mine) continue;
        focus && node.focus({ preventScroll: !0 });
        let box = listed2.querySelector("[role=listbox]");
        box && (node.offsetTop < box.scrollTop || node.offsetTop + node.offsetHeight > box.scrollTop + box.clientHeight) && (box.scrollTop = node.offsetTop - box.clientHeight / 2);
      }
      tell(items.get(id));
    }
  }
  let shown2;
  function tell(item) {
    item !== shown2 && (shown2 = item, told3.replaceChildren(...item ? explained(item, asks() ? go : null) : []));
  }
  for (let area of [dumped, listed2]) {
    let field = (event) => (
      /** @type {HTMLElement | null} */
      /** @type {HTMLElement} */
      event.target.closest?.("[data-field]")?.dataset.field ?? ""
    );
    area.addEventListener("pointermove", (event) => light(field(event))), area.addEventListener("pointerleave", () => light("")), area.addEventListener("click", (event) => {
      let id = field(event);
      id && choose3(id, !0);
    });
  }
  listed2.addEventListener("keydown", (event) => {
    let ids = [...items.keys()], to = walked(event.key, ids.indexOf(chosen), ids.length - 1), item = items.get(chosen);
    if (event.key === "Enter" && item?.goto !== void 0 && asks()) return go(item.goto);
    to !== void 0 && (event.preventDefault(), choose3(ids[to], !0));
  });
  function layOut() {
    let now = dump(state.blocks, wide2);
    dumped.replaceChildren(...now), choose3(items.has(chosen) ? chosen : [...items.keys()][0]);
  }
  let seen = new ResizeObserver(() => {
    let cell = scaleOf(page2), fits = dumped.clientWidth >= 620 * cell ? 16 : 8;
    if (fits === wide2 || !state) return void (wide2 = fits);
    wide2 = fits, layOut();
  });
  return seen.observe(dumped), {
    draw(now, before) {
      state = now, wide2 ||= dumped.clientWidth >= 620 ? 16 : 8;
      let held3 = page2.contains(document.activeElement) ? (
        /** @type {HTMLElement} */
        document.activeElement?.dataset?.step
      ) : void 0;
      part.bar.replaceChildren(bar(state, go, asks()));
      let said2 = [state.trouble, state.note].filter(Boolean);
      if (part.trouble.replaceChildren(...said2.map((text2) => el("p", { class: `kl-notice${text2 === state.trouble ? " kl-tone-bad" : ""}`, role: "status" }, shorten(text2, 500)))), page2.classList.toggle("kl-record-empty", !state.batch), changed(state, before, "strip", "offset") && part.strip.replaceChildren(batchStrip(state, go, asks())), changed(state, before, "copies") && part.copies.replaceChildren(copies(state, (broker) => ask({ do: "read_from", broker }))), changed(state, before, "shares") && part.shares.replaceChildren(shareBars(state.shares)), changed(state, before, "blocks")) {
        let focused = listed2.contains(document.activeElement);
        items = new Map(state.blocks.flatMap((block2) => block2.items.map((item) => [item.id, item]))), shown2 = void 0, lit = "";
        let scrolled2 = listed2.querySelector("[role=listbox]")?.scrollTop ?? 0;
        listed2.replaceChildren(...fieldList(state.blocks));
        let list = listed2.querySelector("[role=listbox]");
        list && (list.scrollTop = scrolled2), layOut(), focused && choose3(chosen, !0);
        let kinds = new Set([...items.values()].map((item) => item.kind));
        part.legend.replaceChildren(legend(Object.entries(KINDS2).filter(([kind]) => kinds.has(kind)).map(([kind, [sign3, meaning]]) => [el("span", { class: `kl-kind kl-kind-${kind}` }, sign3), meaning])));
      }
      held3 && page2.querySelector(`[data-step="${held3}"]`)?.focus();
    },
    end: () => seen.disconnect()
  };
}
var view_default8 = { render: live("record", "A record, byte by byte", build4) };

// stream/scale.js
function axis3(values, least = 0) {
  let sorted2 = values.filter((v) => Number.isFinite(v) && v >= 0).sort((a, b) => a - b), most = Math.max(least, sorted2.at(-1) ?? 0), usual = Math.max(least, sorted2[Math.floor(0.9 * (sorted2.length - 1))] ?? 0), cut = sorted2.length >= 6 && usual > 0 && most > 3 * usual, wanted = (cut ? 1.25 * usual : most) || 1, step = roundStep(wanted / 3), top = Number((Math.ceil(wanted / step - 1e-9) * step).toPrecision(12));
  return { top, ticks: ticks(0, top, step), cut };
}
function shortMs(ms) {
  return ms < 1e3 ? `${Math.round(ms)} ms` : ms < 1e5 ? `${(ms / 1e3).toFixed(ms < 1e4 ? 2 : 1)} s` : lasting(ms / 1e3);
}
function even(ms) {
  return ms < 1e3 ? `${ms} ms` : `${Number((ms / 1e3).toFixed(3))} s`;
}
function lasting(seconds) {
  let size2 = Math.abs(seconds), sign3 = seconds < 0 ? "−" : "";
  if (size2 < 10) return `${sign3}${Number(size2.toFixed(1))} s`;
  let whole2 = Math.round(size2);
  return whole2 < 60 ? `${sign3}${whole2} s` : whole2 < 172800 ? `${sign3}${clock.long(whole2)}` : `${sign3}${count(Math.floor(whole2 / 86400))} days`;
}
function bytes(n) {
  for (
    let [size2, unit] of
    /** @type {[number, string][]} */
    [[1e9, "GB"], [1e6, "MB"], [1e3, "kB"]]
  )
    if (n >= size2) return `${(n / size2).toFixed(n < 10 * size2 ? 1 : 0)} ${unit}`;
  return `${Math.round(n)} B`;
}
function brief2(n) {
  for (
    let [size2, unit] of
    /** @type {[number, string][]} */
    [[1e9, "G"], [1e6, "M"], [1e4, "k"]]
  )
    if (n >= size2) return `${Number((n / (unit === "k" ? 1e3 : size2)).toFixed(1))}${unit}`;
  return count(Number(n.toFixed(n < 10 ? 1 : 0)));
}
function utc(at) {
  return new Date(at * 1e3).toISOString().slice(11, 19);
}
function utcDate(at) {
  return new Date(at * 1e3).toISOString().slice(0, 10);
}
function slots(numbers, width, least) {
  let shown2 = numbers.slice(-Math.max(1, Math.floor(width / least))), wide2 = width / Math.max(shown2.length, 10);
  return {
    shown: shown2,
    wide: wide2,
    middle: (i) => (i + 0.5) * wide2,
    /** Returns the place in `shown` at a pixel. @param {number} x */
    at: (x) => Math.max(0, Math.min(shown2.length - 1, Math.floor(x / wide2)))
  };
}
function laneRanges(batches, numbers, keys) {
  let lanes2 = keys.map((key2) => {
    let ranges = [], end = null, latest = null;
    for (let number of numbers) {
      let found2 = batches[number]?.lanes[key2];
      if (!found2) continue;
      let [start, stop, newest] = found2, from = start ?? end ?? stop, open = start === null && end === null && stop > 0;
      (stop > from || open) && ranges.push({ number, from, to: stop, open }), end = stop, newest !== null && (latest = newest);
    }
    return { key: key2, ranges, end, latest, behind: latest === null || end === null ? null : Math.max(0, latest - end) };
  }), reach2 = lanes2.map(({ end, ranges: [first] }) => end === null || !first ? 0 : end - (first.open ? first.to : first.from));
  return { lanes: lanes2, span: Math.max(1, ...reach2), waiting: Math.max(0, ...lanes2.map((lane2) => lane2.behind ?? 0)) };
}
function timesOf({ event }) {
  return { min: event.min ?? NaN, avg: event.avg ?? NaN, max: event.max ?? NaN, watermark: event.watermark ?? NaN };
}
function held2(batch, name) {
  return batch.state.reduce((sum, operator) => sum + operator[name], 0);
}
function delay(batch) {
  let { max, watermark: watermark2 } = batch.event;
  return max == null || watermark2 === null || watermark2 === void 0 ? null : max - watermark2;
}

// stream/charts.js
var PHASES = ["latestOffset", "getBatch", "queryPlanning", "walCommit", "addBatch", "commitOffsets", "other"];
function ratesChart(scene) {
  let { shown: shown2 } = scene.slots, of = (n) => scene.batches[n], scaled = axis3(shown2.flatMap((n) => [of(n).arriving, of(n).processed])), falls = (n) => scene.trigger.kind !== "real time" && of(n).arriving > of(n).processed && of(n).rows > 0, p = plot(scene, { height: 168, ...scaled, format: brief2 });
  for (let [i, n] of shown2.entries())
    falls(n) && p.node.append(el("rect", { class: "kl-st-over", x: p.x(i) - scene.slots.wide / 2, width: scene.slots.wide, y: p.head, height: p.base - p.head, fill: scene.hatch("over") }));
  for (
    let [name, mark2] of
    /** @type {[string, (x: number, y: number) => SVGElement][]} */
    [["processed", diamond(p.k)], ["arriving", dot(p.k)]]
  )
    p.node.append(el("path", { class: `kl-st-line kl-st-${name}`, d: linePath(shown2, (n) => of(n)[name], p.x, p.y) })), scene.slots.wide > 7 * p.k && p.node.append(el("g", { class: `kl-st-mark kl-st-${name}` }, ...shown2.map((n, i) => mark2(p.x(i), p.y(of(n)[name])))));
  peak(p, shown2, (n) => Math.max(of(n).arriving, of(n).processed), scaled.top, brief2);
  let last = of(
    /** @type {number} */
    shown2.at(-1)
  ), behind = shown2.filter(falls).length;
  return {
    node: p.node,
    words: `Of the last ${shown2.length} batches: the newest had ${count(Math.round(last.arriving))} rows a second arriving and could process ${count(Math.round(last.processed))}; in ${behind} more arrived than went through.`
  };
}
var dot = (k) => (x, y) => el("circle", { cx: x, cy: y, r: 2.6 * k }), diamond = (k) => (x, y) => el("path", { d: `M${x} ${y - 3.6 * k}l${3.6 * k} ${3.6 * k}l${-3.6 * k} ${3.6 * k}l${-3.6 * k} ${-3.6 * k}z` });
function phasesChart(scene) {
  let { shown: shown2 } = scene.slots, of = (n) => scene.batches[n], every = scene.trigger.kind === "processing time" ? scene.trigger.every_ms : null, took = shown2.map((n) => of(n).ms), drawn = every && every <= 4 * Math.max(1, ...took), scaled = axis3(took, drawn ? every * 1.08 : 0), p = plot(scene, { height: 190, ...scaled, format: shortMs });
  for (let [i, n] of shown2.entries()) {
    let done = 0;
    for (let phase of PHASES) {
      let ms = of(n).phases[phase] ?? 0;
      if (ms <= 0 || done >= scaled.top) continue;
      let [low, high] = [p.y(done), p.y(done + ms)];
      low - high > 0.2 && p.node.append(el(
        "rect",
        { class: `kl-st-phase kl-st-phase-${phase}`, x: p.x(i) - p.bar / 2, width: p.bar, y: high, height: low - high, fill: scene.hatch(phase) },
        el("title", {}, `batch ${n}, ${phase}: ${shortMs(ms)}`)
      )), done += ms;
    }
    of(n).ms > scaled.top && p.node.append(...cutOff(p.x(i), p.head, p.bar, shortMs(of(n).ms), p.k));
  }
  drawn && p.node.append(
    el("line", { class: "kl-st-trigger", x1: p.left, x2: p.right, y1: p.y(every), y2: p.y(every) }),
    el("text", { class: "kl-st-text kl-st-halo", x: p.right, y: p.y(every) - 5 * p.k, "text-anchor": "end" }, `trigger: every ${even(every)}`)
  );
  let late = every ? shown2.filter((n) => of(n).ms > every).length : 0, last = of(
    /** @type {number} */
    shown2.at(-1)
  ), longest = PHASES.reduce((a, b) => (last.phases[b] ?? 0) > (last.phases[a] ?? 0) ? b : a);
  return {
    node: p.node,
    words: `The newest batch took ${shortMs(last.ms)}, ${shortMs(last.phases[longest] ?? 0)} of it in ${longest}.${every ? ` ${late} of ${shown2.length} batches took longer than the trigger's ${even(every)}.` : ""}`
  };
}
function stateChart(scene) {
  let { shown: shown2 } = scene.slots, sum = (n, name) => held2(scene.batches[n], name), rows = plot(scene, { height: 92, ...trimmed(shown2.map((n) => sum(n, "total"))), format: brief2, times: !1 }), line4 = linePath(shown2, (n) => sum(n, "total"), rows.x, rows.y);
  shown2.length > 1 && rows.node.append(el("path", { class: "kl-st-area", d: `${line4}L${rows.x(shown2.length - 1)} ${rows.base}L${rows.x(0)} ${rows.base}z` })), rows.node.append(el("path", { class: "kl-st-line kl-st-total", d: line4 })), peak(rows, shown2, (n) => sum(n, "total"), rows.top, brief2);
  let changed2 = shown2.flatMap((n) => [sum(n, "updated"), sum(n, "removed")]), changes = plot(scene, { height: 62, ...trimmed(changed2), format: brief2, times: !1 });
  shown2.forEach((n, i) => {
    let half = changes.bar / 2;
    for (
      let [name, left] of
      /** @type {["updated" | "removed", number][]} */
      [["updated", changes.x(i) - half], ["removed", changes.x(i) + 0.5]]
    ) {
      let top = changes.y(sum(n, name));
      changes.base - top > 0.2 && changes.node.append(el("rect", { class: `kl-st-${name}`, x: left, width: half - 0.5, y: top, height: changes.base - top, fill: scene.hatch(name) }));
    }
  }), peak(changes, shown2, (n) => Math.max(sum(n, "updated"), sum(n, "removed")), changes.top, brief2);
  let memory = plot(scene, { height: 74, ...trimmed(shown2.map((n) => sum(n, "bytes"))), format: bytes });
  memory.node.append(el("path", { class: "kl-st-line kl-st-memory", d: linePath(shown2, (n) => sum(n, "bytes"), memory.x, memory.y) })), peak(memory, shown2, (n) => sum(n, "bytes"), memory.top, bytes);
  let last = (
    /** @type {number} */
    shown2.at(-1)
  );
  return {
    parts: (
      /** @type {[string, SVGElement][]} */
      [["rows kept", rows.node], ["rows updated and removed by a batch", changes.node], ["memory", memory.node]]
    ),
    words: `After batch ${last} the state holds ${count(sum(last, "total"))} rows in ${bytes(sum(last, "bytes"))}; the batch updated ${count(sum(last, "updated"))} and removed ${count(sum(last, "removed"))}.`
  };
}
function trimmed(values) {
  let { top, cut } = axis3(values);
  return { top, cut, ticks: [0, top] };
}
function watermarkChart(scene) {
  let { shown: shown2, wide: wide2 } = scene.slots, event = (n) => timesOf(scene.batches[n]), seen = shown2.flatMap((n) => [event(n).max, event(n).avg, event(n).watermark]).filter((t) => Number.isFinite(t));
  if (!seen.length) return null;
  let low = Math.min(...seen), high = Math.max(...seen), room2 = Math.max(1, high - low), [bottom, top] = [low - 0.14 * room2, high + 0.06 * room2], p = plot(scene, { height: 240, top, bottom, ticks: ticks(bottom, top, timeStep(Math.max(1, room2 / 3))), format: utc }), marked = shown2.filter((n) => Number.isFinite(event(n).watermark)), band = "";
  shown2.forEach((n, i) => {
    !Number.isFinite(event(n).watermark) || !Number.isFinite(event(n).max) || (band += `M${p.x(i) - wide2 / 2} ${p.y(event(n).max)}h${wide2}V${p.y(event(n).watermark)}h${-wide2}z`);
  }), p.node.append(el("path", { class: "kl-st-wait", d: band })), shown2.forEach((n, i) => {
    let { min, max, avg } = event(n);
    if (!Number.isFinite(max)) return;
    let below2 = min < bottom;
    p.node.append(el("line", { class: "kl-st-range", x1: p.x(i), x2: p.x(i), y1: p.y(max), y2: p.y(min) })), below2 && p.node.append(el("path", { class: "kl-st-below", d: `M${p.x(i) - 3 * p.k} ${p.base - 5 * p.k}l${3 * p.k} ${5 * p.k}l${3 * p.k} ${-5 * p.k}` })), wide2 > 7 * p.k && p.node.append(el("circle", { class: "kl-st-avg", cx: p.x(i), cy: p.y(avg), r: 2.2 * p.k }));
  }), p.node.append(el("path", { class: "kl-st-line kl-st-newest", d: linePath(shown2, (n) => event(n).max, p.x, p.y) }));
  let steps3 = "";
  shown2.forEach((n, i) => {
    let mark2 = event(n).watermark;
    Number.isFinite(mark2) && (steps3 += `${steps3 ? "L" : "M"}${p.x(i) - wide2 / 2} ${p.y(mark2)}h${wide2}`);
  }), p.node.append(el("path", { class: "kl-st-line kl-st-watermark", d: steps3 }));
  let late = 0;
  shown2.forEach((n, i) => {
    if (!scene.batches[n].late) return;
    late += scene.batches[n].late;
    let s = 3.2 * p.k, y = p.base - 8 * p.k;
    p.node.append(el("path", { class: "kl-st-late", d: `M${p.x(i) - s} ${y - s}l${2 * s} ${2 * s}m0 ${-2 * s}l${-2 * s} ${2 * s}` }, el("title", {}, `batch ${n}: ${count(scene.batches[n].late)} dropped as too late`)));
  });
  let last = marked.at(-1), gap = last === void 0 ? null : delay(scene.batches[last]);
  last !== void 0 && gap !== null && p.node.append(el("text", { class: "kl-st-text kl-st-halo", x: p.x(shown2.indexOf(last)) + wide2 / 2, y: Math.min(p.base - 18 * p.k, p.y(event(last).watermark) + 17 * p.k), "text-anchor": "end" }, `↕ ${lasting(gap)} behind`));
  let times2 = last === void 0 ? "no watermark yet" : `the watermark is ${utc(event(last).watermark)}${gap === null ? "" : `, ${lasting(gap)} behind the newest event time of its batch`}`;
  return { node: p.node, words: `Event time in UTC: ${times2}; ${count(late)} rows dropped as too late in the batches shown.` };
}
var BATCHES = 12;
function lanesChart({ width, scale: k, batches, numbers, chosen, lanes: lanes2, unread, newest }) {
  let keys = Object.keys(lanes2), shown2 = numbers.filter((n) => n <= chosen).slice(-BATCHES), { lanes: drawn, span, waiting: waiting2 } = laneRanges(batches, shown2, keys), topics = new Set(keys.map((key2) => `${lanes2[key2].source} ${lanes2[key2].topic}`)), left = 44 * k, words = Math.min(190 * k, width * 0.3), high = 24 * k, gap = 9 * k, space = width - left - words - 14 * k, fits = waiting2 <= span / 2, read2 = space * (fits ? span / (span + waiting2) : 2 / 3), rest2 = space - read2, perRecord = read2 / span, node = el("svg", { class: "kl-st-lanes", width, role: "img" }), y = 6 * k, topic = "";
  for (let lane2 of drawn) {
    let { topic: name, partition: partition2, source } = lanes2[lane2.key];
    topics.size > 1 && `${source} ${name}` !== topic && (topic = `${source} ${name}`, node.append(el("text", { class: "kl-st-soft", x: 0, y: y + 12 * k }, `${shorten(name, 60)}${source > 1 ? `, source ${source}` : ""}`)), y += 20 * k);
    let group = el("g", { class: "kl-st-lane", "data-lane": lane2.key, "data-end": lane2.end ?? "", "data-latest": lane2.latest ?? "" }), colour = partitionColour(partition2), ink = partitionInk(partition2), end = left + read2;
    group.append(
      el("text", { class: "kl-st-lane-name", x: 0, y: y + high / 2 + 4 * k, style: `fill:${colour}` }, `P${partition2}`),
      el("line", { class: "kl-st-lane-line", x1: left, x2: left + space + 10 * k, y1: y + high / 2, y2: y + high / 2 })
    );
    for (let range of lane2.ranges) {
      let at = (offset) => end - /** @type {number} */
      (lane2.end - offset) * perRecord, x1 = range.open ? left : at(range.from), x2 = at(range.to);
      if (range.open && x2 < left + 4) continue;
      let wide2 = Math.max(1.5, x2 - x1 - 1.5), own = range.number === chosen, classes = `kl-st-read${own ? " kl-st-own" : range.number % 2 ? " kl-st-odd" : ""}${own && newest ? " kl-st-new" : ""}`;
      group.append(el(
        "rect",
        { class: classes, x: x1, width: wide2, y, height: high, rx: Math.min(4, wide2 / 3), style: `--kl-st-own:${colour}` },
        el("title", {}, range.open ? `batch ${range.number}: up to offset ${count(range.to - 1)}; Spark does not report where the first batch began` : `batch ${range.number}: offsets ${count(range.from)} to ${count(range.to - 1)}, ${count(range.to - range.from)} records`)
      ));
      let label = String(range.number);
      wide2 > (label.length * 6.4 + 6) * k && group.append(el("text", { class: "kl-st-in", x: x1 + wide2 / 2, y: y + high / 2 + 4 * k, "text-anchor": "middle", style: own ? `fill:${ink}` : null }, label));
    }
    if (group.append(
      el("path", { class: "kl-st-end", d: `M${end} ${y - 3 * k}l${4 * k} ${4 * k}l${-4 * k} ${4 * k}l${-4 * k} ${-4 * k}z` }),
      el("line", { class: "kl-st-end-line", x1: end, x2: end, y1: y, y2: y + high })
    ), lane2.behind) {
      let long = fits ? Math.max(3, lane2.behind * perRecord) : Math.max(3, lane2.behind / waiting2 * rest2);
      group.append(el("rect", { class: "kl-st-wait-box", x: end + 2, width: long, y: y + 1, height: high - 2, rx: 3, style: `stroke:${colour}` })), fits || group.append(el("path", { class: "kl-st-tear", d: `M${end + long * 0.42} ${y - 2}l${3 * k} ${high / 3}l${-5 * k} ${high / 3}l${3 * k} ${high / 3 + 3}` }));
    }
    let box = lane2.behind ? end + 2 + (fits ? Math.max(3, lane2.behind * perRecord) : Math.max(3, lane2.behind / waiting2 * rest2)) : end;
    lane2.latest !== null && group.append(el("line", { class: "kl-st-latest", x1: box + 2, x2: box + 2, y1: y - 3 * k, y2: y + high + 3 * k }));
    let stuck = unread.includes(lane2.key), behind = lane2.behind === null ? "" : lane2.behind === 0 ? "nothing waits" : `${count(lane2.behind)} wait`;
    group.append(el(
      "text",
      { class: "kl-st-text", x: width, y: y + high / 2 + 4 * k, "text-anchor": "end" },
      lane2.end === null ? "–" : `${count(lane2.end)} · `,
      el("tspan", { class: stuck || lane2.behind ? "kl-st-behind" : "kl-st-calm" }, stuck ? `✕ not read, ${brief2(lane2.behind ?? 0)}` : behind)
    )), node.append(group), y += high + gap;
  }
  node.setAttribute("height", String(y)), node.setAttribute("viewBox", `0 0 ${width} ${y}`);
  let total = drawn.reduce((sum, lane2) => sum + (lane2.behind ?? 0), 0);
  return {
    node,
    torn: !fits,
    words: `${drawn.length} partitions; batch ${chosen} read up to ${drawn.map((lane2) => `P${lanes2[lane2.key].partition} ${lane2.end === null ? "unknown" : count(lane2.end)}`).join(", ")}; ${count(total)} records waited.`
  };
}
function plot(scene, { height, top, bottom = 0, ticks: ticks4, format, times: times2 = !0 }) {
  let k = scene.scale, left = LEFT * k, foot = times2 ? 20 * k : 6 * k, head2 = 8 * k, base = height * k - foot, y = (v) => base - (Math.min(top, Math.max(bottom, v)) - bottom) / (top - bottom || 1) * (base - head2), x = (i) => left + scene.slots.middle(i), node = el("svg", { class: "kl-st-plot", width: scene.width, height: height * k, viewBox: `0 0 ${scene.width} ${height * k}`, role: "img" }), right = scene.width - RIGHT * k, at = scene.chosen === null ? -1 : scene.slots.shown.indexOf(scene.chosen);
  at >= 0 && node.append(el("rect", { class: "kl-st-chosen", x: x(at) - scene.slots.wide / 2, width: scene.slots.wide, y: head2 - 4 * k, height: base - head2 + 4 * k, rx: 3 }));
  for (let tick of ticks4)
    node.append(
      el("line", { class: "kl-st-grid", x1: left, x2: right, y1: y(tick), y2: y(tick) }),
      el("text", { class: "kl-st-soft", x: left - 6 * k, y: y(tick) + 4 * k, "text-anchor": "end" }, format(tick))
    );
  let moments = el("g", { class: "kl-st-moments" });
  for (let [i, { at: when2, words }] of (scene.marks ?? []).entries()) {
    let here = placed3(scene, when2, x);
    if (here === null) continue;
    let late = here > right - 150 * k;
    moments.append(el("line", { class: "kl-st-moment", x1: here, x2: here, y1: head2 - 4 * k, y2: base })), height > 150 && moments.append(el("text", { class: "kl-st-text kl-st-halo", x: here + (late ? -5 : 5) * k, y: head2 + (22 + 14 * (i % 3)) * k, "text-anchor": late ? "end" : "start" }, `✕ ${words}`));
  }
  return node.append(moments), times2 && node.append(...timeLabels(scene, x, base + 14 * k)), { node, x, y, top, base, head: head2, left, right, k, bar: Math.min(26 * k, scene.slots.wide * 0.72) };
}
function placed3({ slots: { shown: shown2, wide: wide2 }, batches }, when2, x) {
  let i = shown2.findLastIndex((n) => batches[n].at <= when2);
  if (i < 0) return null;
  let began = batches[shown2[i]].at, ends = batches[shown2[i + 1]]?.at ?? began + batches[shown2[i]].ms / 1e3;
  return x(i) - wide2 / 2 + wide2 * Math.min(1, (when2 - began) / Math.max(1e-3, ends - began));
}
var LEFT = 56, RIGHT = 8;
function timeLabels(scene, x, y) {
  let { shown: shown2, wide: wide2 } = scene.slots, every = Math.max(1, Math.ceil(74 * scene.scale / wide2)), labels = [];
  for (let i = shown2.length - 1; i >= 0; i -= every) {
    let half = 26 * scene.scale;
    if (x(i) - half < 0) break;
    let anchor = x(i) + half > scene.width ? "end" : "middle";
    labels.push(el("text", { class: "kl-st-soft", x: anchor === "end" ? scene.width - 1 : x(i), y, "text-anchor": anchor }, clock.ofDay(scene.batches[shown2[i]].at)));
  }
  return labels;
}
function linePath(shown2, value, x, y) {
  let path = "", on = !1;
  return shown2.forEach((number, i) => {
    let v = value(number);
    if (v == null || !Number.isFinite(v)) {
      on = !1;
      return;
    }
    path += `${on ? "L" : "M"}${x(i).toFixed(1)} ${y(v).toFixed(1)}`, on = !0;
  }), path;
}
function peak(p, shown2, value, top, words) {
  let i = shown2.reduce((best, n, j) => value(n) > value(shown2[best]) ? j : best, 0);
  if (!shown2.length || value(shown2[i]) <= top) return;
  let late = p.x(i) > p.right - 60 * p.k;
  p.node.append(el("text", { class: "kl-st-text kl-st-halo", x: p.x(i) + (late ? -6 : 6) * p.k, y: p.head + 9 * p.k, "text-anchor": late ? "end" : "start" }, `↑ ${words(value(shown2[i]))}`));
}
function cutOff(x, y, wide2, words, k) {
  let half = wide2 / 2 + 1;
  return [
    el("path", { class: "kl-st-cut", d: `M${x - half} ${y + 5 * k}l${half / 2} ${-4 * k}l${half / 2} ${4 * k}l${half / 2} ${-4 * k}l${half / 2} ${4 * k}` }),
    el("text", { class: "kl-st-text", x: x + half + 3 * k, y: y + 9 * k }, words)
  ];
}
var LINES2 = {
  latestOffset: "M0 0L6 6M-1 5L1 7M5 -1L7 1",
  getBatch: "M0 3H6",
  queryPlanning: "M3 0V6",
  walCommit: "M0 6L6 0M-1 1L1 -1M5 7L7 5",
  addBatch: "",
  commitOffsets: "M0 6L6 0M-1 1L1 -1M5 7L7 5M0 0L6 6M-1 5L1 7M5 -1L7 1",
  other: "M1 1h1M4 4h1",
  over: "M0 6L6 0M-1 1L1 -1M5 7L7 5",
  updated: "",
  removed: "M0 0L6 6M-1 5L1 7M5 -1L7 1"
};
function hatches() {
  let id = `kl-st-${Math.random().toString(36).slice(2)}`, patterns = Object.entries(LINES2).map(([name, lines2]) => el(
    "pattern",
    { id: `${id}-${name}`, width: 6, height: 6, patternUnits: "userSpaceOnUse", class: `kl-st-hatch-${name}` },
    el("rect", { width: 6, height: 6, class: "kl-st-hatch-ground" }),
    el("path", { d: lines2, class: "kl-st-hatch-lines" })
  ));
  return { node: el("svg", { class: "kl-st-defs", width: 0, height: 0, "aria-hidden": "true" }, el("defs", {}, ...patterns)), hatch: (name) => `url(#${id}-${name})` };
}

// stream/figures.js
var SIGNS = { starting: "◌", running: "●", stopped: "■", failed: "✕", recorded: "◷" };
function bar2(state, choose3) {
  let { standing: standing3, words, message, trigger, sources, sink } = state, now = standing3 === "running" || standing3 === "starting" ? message : "", from = sources.map((s) => shorten(tidy(s), 48)).join(" + ");
  return el(
    "div",
    { class: "kl-st-bar" },
    choose3 && state.queries.length > 1 ? el(
      "select",
      { class: "kl-select", "aria-label": "query shown", onchange: (event) => choose3(Number(
        /** @type {HTMLSelectElement} */
        event.target.value
      )) },
      state.queries.map((name, place2) => el("option", { value: place2, selected: name === state.query }, shorten(name, 60)))
    ) : el("b", { title: shorten(state.name, 200) }, shorten(state.name || "unnamed query", 40)),
    el("span", { class: `kl-pill kl-st-standing kl-st-${standing3}` }, el("span", { "aria-hidden": "true" }, `${SIGNS[standing3] ?? ""} `), words),
    trigger.words && el("span", { class: "kl-pill" }, trigger.words),
    now && el("span", { class: "kl-soft kl-st-now" }, shorten(now, 60)),
    from && el("span", { class: "kl-soft kl-st-way kl-mono" }, `${from} → ${shorten(tidy(sink) || "?", 32)}`)
  );
}
function tidy(text2) {
  return text2.replace(/^KafkaV2\[Subscribe\[(.*)\]\]$/, "$1").replace(/^[\w.]+\$(\w+)@[0-9a-f]+$/, "$1");
}
function notices(state) {
  let found2 = [];
  if (state.reason) {
    let failed = state.standing === "failed";
    found2.push(el(
      "div",
      { class: "kl-notice kl-tone-bad kl-st-reason", role: failed ? "alert" : "status" },
      el("b", {}, failed ? "The query stopped on an error. " : "The view no longer follows this query. "),
      shorten(state.reason, 300),
      state.advice ? el("div", { class: "kl-soft" }, shorten(state.advice, 300)) : null
    ));
  }
  if (state.unread.length) {
    let names2 = state.unread.map((key2) => `P${state.lanes[key2].partition}`).join(", "), why = state.trigger.kind === "real time" ? " Real-time mode needs a task slot for every partition at once: give Spark more cores, local[4] say." : " Is their leader up?";
    found2.push(el("div", { class: "kl-notice kl-tone-bad kl-st-unread", role: "status" }, el("b", {}, `Nobody reads ${names2}: `), `records wait there, and the last batches took none of them.${why}`));
  }
  return found2;
}
function figures(batch, trigger) {
  let wait = delay(batch), every = trigger.kind === "processing time" && trigger.every_ms ? trigger.every_ms : null, sum = (name) => held2(batch, name), tile = (name, value, unit, rest2, bad = !1) => el(
    "div",
    { class: `kl-st-tile${bad ? " kl-st-bad" : ""}` },
    el("dt", {}, name),
    el("dd", {}, el("b", {}, value), unit && el("span", { class: "kl-st-unit" }, ` ${unit}`), el("span", { class: "kl-st-rest" }, bad ? `▲ ${rest2}` : rest2))
  ), falls = trigger.kind !== "real time" && batch.rows > 0 && batch.arriving > batch.processed;
  return el(
    "dl",
    { class: "kl-st-tiles" },
    tile("arriving", count(Math.round(batch.arriving)), "rows/s", `${count(batch.rows)} in this batch`),
    tile(trigger.kind === "real time" ? "processed" : "can process", count(Math.round(batch.processed)), "rows/s", falls ? "less than arrives" : "", falls),
    tile("batch took", ...split(shortMs(batch.ms)), every ? `${Math.round(100 * batch.ms / every)} % of the trigger's ${even(every)}` : "", every !== null && batch.ms > every),
    tile("behind", batch.behind === null ? "–" : count(batch.behind), "records", batch.behind === null ? "not reported by the source" : batch.behind === 0 ? "read to the end" : "there and not read", !!batch.behind),
    tile("watermark", ...watermark(wait, batch.event.watermark), !1),
    tile("state", batch.state.length ? count(sum("total")) : "–", batch.state.length ? "rows" : "", batch.state.length ? `${bytes(sum("bytes"))} of memory` : "a stateless query")
  );
}
function watermark(wait, at) {
  return wait !== null ? [...split(lasting(wait)), "behind the newest event"] : typeof at == "number" ? [utc(at), "UTC", "no event in this batch"] : ["–", "", at === void 0 ? "none is set" : "not known yet"];
}
function split(words) {
  let [value, unit] = words.split(" ");
  return [value, unit ?? ""];
}
var Line = class {
  /** @param {(number: number | null) => void} choose called with a batch, or null to follow the newest */
  constructor(choose3) {
    this.bars = el("div", { class: "kl-st-bars", "aria-hidden": "true" }), this.input = el("input", {
      type: "range",
      class: "kl-st-slider",
      min: 0,
      max: 0,
      step: 1,
      "aria-label": "batch shown",
      // JupyterLab looks for this from the focused element upwards; without it here, its own selectors would match first.
      "data-lm-suppress-shortcuts": "true",
      oninput: () => choose3(Number(this.input.value) >= Number(this.input.max) ? null : Number(this.input.value))
    }), this.words = el("span", { class: "kl-st-which" }), this.newest = el("button", { class: "kl-button kl-st-newest-button", type: "button", "data-lm-suppress-shortcuts": "true", onclick: () => {
      choose3(null), this.input.focus();
    } }, "newest"), this.node = el("div", { class: "kl-panel kl-st-time" }, this.words, el("div", { class: "kl-st-track" }, this.bars, this.input), this.newest);
  }
  /** @param {number[]} numbers @param {Picture["batches"]} batches @param {number} chosen @param {boolean} following */
  draw(numbers, batches, chosen, following) {
    let most = axis3(numbers.map((n) => batches[n].rows)).top, first = numbers[0], last = (
      /** @type {number} */
      numbers.at(-1)
    ), wide2 = 100 / Math.max(1, last - first + 1);
    this.bars.replaceChildren(...numbers.map((n) => el("i", {
      class: n === chosen ? "kl-st-on" : batches[n].late ? "kl-st-some-late" : null,
      style: { left: `${(n - first) * wide2}%`, width: `${wide2}%`, height: `${Math.min(100, Math.max(4, 100 * batches[n].rows / most))}%` }
    }))), this.input.min = String(first), this.input.max = String(last), this.input.value = String(chosen);
    let batch = batches[chosen], at = clock.ofDay(batch.at);
    this.words.replaceChildren(el("b", {}, `batch ${count(chosen)}`), ` ${at}`), this.input.setAttribute("aria-valuetext", `batch ${chosen} of ${at}, ${batch.rows} rows in ${shortMs(batch.ms)}${following ? ", the newest" : ""}`), this.newest.setAttribute("aria-pressed", String(following));
  }
}, PHASE_WORDS = {
  latestOffset: "asks Kafka for the newest offsets",
  getBatch: "fixes which offsets the batch reads",
  queryPlanning: "plans the query",
  walCommit: "writes these offsets to the checkpoint, before the work",
  addBatch: "reads, computes, writes",
  commitOffsets: "notes in the checkpoint that the batch is done",
  other: "everything else of the trigger"
};
function details(number, batch, state, newest) {
  let rate = (n) => `${count(Math.round(n))} rows/s`, gap = delay(batch), main = [
    ["began", clock.ofDay(batch.at)],
    ["rows read", batch.idle ? "0: nothing was there" : count(batch.rows)],
    ["rows written", batch.out === null ? "not reported by the sink" : count(batch.out)],
    ["arriving", rate(batch.arriving)],
    ["can process", rate(batch.processed)],
    ["took", shortMs(batch.ms)],
    ["behind", batch.behind === null ? "not told" : `${count(batch.behind)} records`]
  ], { min, avg, max, watermark: mark2 } = timesOf(batch), known = Number.isFinite(max), times2 = batch.event.watermark === void 0 ? [] : [
    ["event time", known ? `${utcDate(max)}, UTC` : "no rows"],
    ...known ? [["newest", utc(max)], ["mean", utc(avg)], ["oldest", utc(min)]] : [],
    ["watermark", Number.isFinite(mark2) ? utc(mark2) : "none before the first batch"],
    ["behind the newest", gap === null ? "–" : lasting(gap)],
    ["dropped as too late", batch.late === null ? "no operator drops any" : count(batch.late)]
  ];
  return [
    pairs2(`Batch ${number}`, [...main, ...times2]),
    grid("Phases", ["phase", "time"], PHASES.filter((name) => batch.phases[name] !== void 0).map((name) => [[name, PHASE_WORDS[name]], shortMs(batch.phases[name])])),
    offsets(batch, state.lanes, state.more_lanes),
    batch.state.length ? grid("State", ["operator", "rows", "updated", "removed", "memory"], batch.state.map((o) => [shorten(o.operator, 30), count(o.total), count(o.updated), count(o.removed), bytes(o.bytes)])) : null,
    newest ? counters(state.custom) : null
  ];
}
function offsets(batch, lanes2, more) {
  let keys = Object.keys(batch.lanes).filter((key2) => lanes2[key2]);
  if (!keys.length) return null;
  let one = new Set(keys.map((key2) => lanes2[key2].topic)).size === 1, rows = keys.map((key2) => {
    let [start, end, latest] = batch.lanes[key2], { topic, partition: partition2 } = lanes2[key2];
    return [
      one ? `P${partition2}` : `${shorten(topic, 24)} P${partition2}`,
      start === null ? "not told" : count(start),
      count(end),
      start === null ? "–" : count(end - start),
      latest === null ? "–" : count(latest),
      latest === null ? "–" : count(Math.max(0, latest - end))
    ];
  });
  return more && rows.push([`and ${more} more`, "", "", "", "", ""]), grid(`Offsets${one ? ` of ${shorten(lanes2[keys[0]].topic, 40)}` : ""}`, ["partition", "from", "up to", "records", "newest", "behind"], rows);
}
function counters(custom) {
  let rows = Object.entries(custom).flatMap(([operator, metrics2]) => Object.entries(metrics2).map(([name, value]) => [`${shorten(operator, 24)}: ${shorten(name, 40)}`, count(value)]));
  return rows.length ? el("details", { class: "kl-st-custom" }, el("summary", {}, `${rows.length} more figures of the state store`), grid("The state store's own metrics", ["metric", "value"], rows)) : null;
}
function pairs2(title, rows) {
  return el(
    "table",
    { class: "kl-st-table kl-st-pairs" },
    el("caption", {}, title),
    el("tbody", {}, rows.map(([name, value]) => el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, value))))
  );
}
function grid(title, head2, rows) {
  return table({ class: "kl-st-table" }, head2, rows.map(([first, ...rest2]) => el(
    "tr",
    {},
    el("th", { scope: "row" }, Array.isArray(first) ? [first[0], el("small", {}, ` ${first[1]}`)] : first),
    rest2.map((cell) => el("td", {}, cell))
  )), title);
}

// stream/view.js
var SLOT = 7, StreamView = class {
  /** @type {((place: number) => void) | null} chooses another query of a recording */
  #choose;
  /** @param {HTMLElement} page @param {((message: object) => void) | null} ask null when there is no kernel */
  constructor(page2, ask) {
    this.page = page2, this.#choose = ask && ((place2) => ask({ do: "choose", place: place2 })), this.chosen = null, this.state = null, this.asked = void 0;
    let { node, hatch: hatch2 } = hatches();
    this.hatch = hatch2, this.line = new Line((number) => guard(page2, () => this.choose(number))), this.top = el("div", { class: "kl-st-top" }), this.summary = el("p", { class: "kl-hidden kl-st-summary" }), this.tiles = el("div", {}), this.panels = {};
    let panel = (name, title, signs4) => {
      let body = el("div", { class: "kl-st-body" }), root = el("section", { class: `kl-panel kl-st-panel kl-st-panel-${name}`, "aria-label": title }, el("h3", { class: "kl-title" }, title), body, signs4 && legend(signs4));
      return this.panels[name] = { root, body }, root;
    };
    this.charts = el(
      "div",
      { class: "kl-st-charts" },
      panel("rates", "Rows a second", [[this.#swatch("line", "arriving"), "arriving"], [this.#swatch("line", "processed"), "what the query can process"], [this.#square("over"), "more arrives than it can process"]]),
      panel("phases", "Where the time of a batch goes", PHASES.map((name) => [this.#square(name), name])),
      panel("watermark", "Event time and the watermark", [
        [this.#swatch("line", "newest"), "newest event time of a batch"],
        ["●", "mean"],
        ["│", "from oldest to newest"],
        [this.#swatch("line", "watermark"), "watermark: older rows may be too late"],
        ["✕", "rows dropped as too late"]
      ]),
      panel("state", "State kept between batches", [[this.#swatch("line", "total"), "rows kept"], [this.#square("updated"), "updated"], [this.#square("removed"), "removed"], [this.#swatch("line", "memory"), "memory"]]),
      panel("lanes", `Kafka's offsets, as the last ${BATCHES} batches read them`, [
        [this.#read(!1), "read by the batch of that number"],
        [this.#read(!0), "by the chosen one"],
        ["◆", "read so far, kept in the checkpoint"],
        [this.#waiting(), "waits to be read"],
        ["│", "newest offset (high watermark)"]
      ])
    ), this.table = el("section", { class: "kl-panel kl-st-details", "aria-label": "The chosen batch as tables" }), page2.append(node, this.top, this.summary, this.tiles, this.line.node, this.charts, this.table);
    for (let name of ["rates", "phases", "watermark", "state"])
      this.panels[name].body.addEventListener("click", (event) => guard(page2, () => this.#pick(event)));
    this.sized = new ResizeObserver(() => {
      this.width !== this.#wide() && (cancelAnimationFrame(this.asked ?? 0), this.asked = requestAnimationFrame(() => guard(page2, () => this.#charts())));
    }), this.sized.observe(this.panels.rates.body), this.sized.observe(this.panels.lanes.body);
  }
  /** @param {string} kind @param {string} name */
  #swatch(kind, name) {
    let mark2 = name === "arriving" ? el("circle", { cx: 10, cy: 6, r: 2.6 }) : name === "processed" ? el("path", { d: "M10 2.4l3.6 3.6l-3.6 3.6l-3.6 -3.6z" }) : null;
    return el("svg", { class: "kl-st-key", width: 20, height: 12 }, el("path", { class: `kl-st-${kind} kl-st-${name}`, d: "M0 6H20" }), mark2 && el("g", { class: `kl-st-mark kl-st-${name}` }, mark2));
  }
  /** @param {string} name */
  #square(name) {
    return el("svg", { class: "kl-st-key", width: 14, height: 12 }, el("rect", { class: `kl-st-phase kl-st-${name}`, x: 0.5, y: 0.5, width: 13, height: 11, fill: this.hatch(name) }));
  }
  /** @param {boolean} own */
  #read(own) {
    return el("svg", { class: "kl-st-key", width: 20, height: 12 }, el("rect", { class: `kl-st-read ${own ? "kl-st-own" : "kl-st-odd"}`, x: 1, y: 1, width: 17, height: 10, rx: 3, style: "--kl-st-own:var(--kl-p0)" }));
  }
  #waiting() {
    return el("svg", { class: "kl-st-key", width: 20, height: 12 }, el("rect", { class: "kl-st-wait-box", x: 1, y: 1, width: 17, height: 10, rx: 3, style: "stroke:var(--kl-p0)" }));
  }
  get numbers() {
    return Object.keys(this.state?.batches ?? {}).map(Number).sort((a, b) => a - b);
  }
  /** The marked batch: the chosen one while it is kept, or else the newest. */
  get marked() {
    let numbers = this.numbers, newest = numbers.at(-1) ?? null;
    return this.chosen === null || newest === null ? newest : this.chosen < numbers[0] ? numbers[0] : this.chosen;
  }
  /** @param {number | null} number null follows the newest */
  choose(number) {
    this.chosen = number === null ? null : this.numbers.filter((n) => n <= number).at(-1) ?? null, this.#charts();
  }
  /** @param {MouseEvent} event */
  #pick(event) {
    let plot2 = (
      /** @type {Element} */
      event.target.closest("svg")
    );
    if (!plot2 || !this.slots) return;
    let k = this.#scale(), box = plot2.getBoundingClientRect(), mine = this.slots(box.width), number = mine.shown[mine.at(event.clientX - box.left - LEFT * k)];
    this.choose(number === this.numbers.at(-1) ? null : number);
  }
  #scale() {
    return scaleOf(this.page);
  }
  #wide() {
    return `${this.panels.rates.body.clientWidth} ${this.panels.lanes.body.clientWidth} ${this.#scale()}`;
  }
  draw(state, before) {
    if (this.state = state, changed(state, before, "name", "standing", "words", "message", "trigger", "sources", "sink", "reason", "advice", "unread", "lanes", "queries", "query")) {
      let held3 = this.top.querySelector("select")?.matches(":focus");
      this.top.replaceChildren(bar2(state, this.#choose), ...notices(state)), held3 && this.top.querySelector("select")?.focus();
    }
    changed(state, before, "batches", "lanes", "trigger", "notes", "custom", "unread", "more_lanes", "marks") && this.#charts();
  }
  #charts() {
    if (!this.state) return;
    let { state } = this, { batches, notes } = state, numbers = this.numbers, chosen = this.marked;
    this.width = this.#wide(), this.line.node.hidden = this.tiles.hidden = this.table.hidden = chosen === null;
    for (let [name, { root }] of Object.entries(this.panels)) root.classList.toggle("kl-st-empty", !!notes[name] && (chosen === null || name !== "phases"));
    if (chosen === null) {
      for (let [name, { body }] of Object.entries(this.panels)) body.replaceChildren(el("p", { class: "kl-soft" }, notes[name]));
      this.summary.textContent = `Stream ${shorten(state.name, 60)}: ${state.words}. No batch has ended yet.`;
      return;
    }
    let newest = chosen === numbers.at(-1), scale = this.#scale();
    this.line.draw(numbers, batches, chosen, newest), this.tiles.replaceChildren(figures(batches[chosen], state.trigger));
    let fit = (width2) => slots(numbers, width2 - (LEFT + RIGHT) * scale, SLOT * scale);
    this.slots = fit;
    let said2 = [];
    for (
      let [name, draw] of
      /** @type {[string, (scene: import("./charts.js").Scene) => any][]} */
      [["rates", ratesChart], ["phases", phasesChart], ["watermark", watermarkChart], ["state", stateChart]]
    ) {
      let width2 = Math.max(240, this.panels[name].body.clientWidth), scene = { width: width2, scale, slots: fit(width2), batches, chosen, trigger: state.trigger, marks: state.marks, hatch: this.hatch }, note = notes[name], chart = note && name !== "phases" ? null : draw(scene), parts = chart?.parts ? chart.parts.flatMap(([title, node]) => [el("div", { class: "kl-st-sub" }, title), node]) : chart ? [chart.node] : [];
      for (let node of chart?.parts ? chart.parts.map((part) => part[1]) : parts)
        node.setAttribute("aria-label", chart.words), node.append(node.querySelector(".kl-st-moments"));
      chart && said2.push(chart.words), this.panels[name].body.replaceChildren(...parts, note || !chart ? el("p", { class: "kl-soft kl-st-note" }, note || "Nothing to draw yet.") : "");
    }
    let width = Math.max(320, this.panels.lanes.body.clientWidth), unread = newest ? state.unread : [], lanes2 = notes.lanes ? null : lanesChart({ width, scale, batches, numbers, chosen, lanes: state.lanes, unread, newest });
    lanes2?.node.setAttribute("aria-label", lanes2.words);
    let rest2 = [notes.lanes, lanes2?.torn ? "More waits than there is room for: torn bars (⌇) are not to scale." : "", state.more_lanes ? `${state.more_lanes} more partitions are not drawn.` : ""].filter(Boolean).join(" ");
    this.panels.lanes.body.replaceChildren(lanes2 ? lanes2.node : "", rest2 ? el("p", { class: "kl-soft kl-st-note" }, rest2) : ""), this.table.replaceChildren(...details(chosen, batches[chosen], state, newest).filter((part) => part !== null)), this.summary.textContent = `Stream ${shorten(state.name, 60)}: ${state.words}. ${said2.join(" ")} ${lanes2?.words ?? ""}`;
  }
  end() {
    this.sized.disconnect(), cancelAnimationFrame(this.asked ?? 0);
  }
}, view_default9 = {
  render: live("stream", "Spark stream", (page2, { model, ask }) => new StreamView(page2, model.get("live") ? ask : null))
};

// map/land.js
var EARTH_KM = 6371.0088, MOST_ZOOM = 24;
function projector({ latitude, longitude }) {
  let rad = Math.PI / 180, sin0 = Math.sin(latitude * rad), cos0 = Math.cos(latitude * rad);
  return (lat, lon) => {
    let sin = Math.sin(lat * rad), cos = Math.cos(lat * rad), away = (lon - longitude) * rad, k = EARTH_KM * Math.sqrt(2 / Math.max(1 + sin0 * sin + cos0 * cos * Math.cos(away), 1e-9));
    return [k * cos * Math.sin(away), k * (cos0 * sin - sin0 * cos * Math.cos(away))];
  };
}
var Viewport = class {
  constructor(frame) {
    let [west, south, east, north] = frame;
    this.west = west, this.south = south, this.east = east, this.north = north, this.width = this.height = this.zoom = 1, this.x = this.y = 0, this.free = !1, this.reset();
  }
  reset() {
    this.zoom = 1, this.x = (this.west + this.east) / 2, this.y = (this.south + this.north) / 2;
  }
  get scale() {
    return this.zoom * Math.min(this.width / (this.east - this.west), this.height / (this.north - this.south));
  }
  resize(width, height) {
    [this.width, this.height] = [width, height], this.hold();
  }
  toPixels(x, y) {
    return [this.width / 2 + (x - this.x) * this.scale, this.height / 2 - (y - this.y) * this.scale];
  }
  toMap(px, py) {
    return [this.x + (px - this.width / 2) / this.scale, this.y - (py - this.height / 2) / this.scale];
  }
  pan(dx, dy) {
    this.x -= dx / this.scale, this.y += dy / this.scale, this.hold();
  }
  // Zooms around a pixel, under which the map keeps its place; without one, around the middle.
  zoomBy(factor, px = this.width / 2, py = this.height / 2) {
    let [x, y] = this.toMap(px, py);
    this.zoom = Math.min(MOST_ZOOM, Math.max(1, this.zoom * factor));
    let [nx, ny] = this.toMap(px, py);
    this.x += x - nx, this.y += y - ny, this.hold();
  }
  // Moves the map, if necessary, until the place is well inside.
  show(x, y) {
    let [px, py] = this.toPixels(x, y), mx = this.width * 0.12, my = this.height * 0.12;
    (px < mx || px > this.width - mx) && (this.x = x), (py < my || py > this.height - my) && (this.y = y), this.hold();
  }
  // Moves a share of the way that centres the place; returns whether the map moved visibly.
  approach(x, y, share) {
    let [px, py] = this.toPixels(x, y), before = [this.x, this.y], dx = px - this.width / 2, dy = py - this.height / 2;
    if (Math.hypot(dx, dy) < 1) return !1;
    let part = Math.hypot(dx, dy) < 3 ? 1 : share;
    return this.x += dx * part / this.scale, this.y -= dy * part / this.scale, this.hold(), Math.hypot(this.x - before[0], this.y - before[1]) * this.scale > 0.2;
  }
  // Keeps the view within the map, unless it is free because a followed truck at the edge is to be in the middle.
  hold() {
    if (this.free) return;
    let halfX = this.width / 2 / this.scale, halfY = this.height / 2 / this.scale, middleX = (this.west + this.east) / 2, middleY = (this.south + this.north) / 2, within2 = (v, low, high, middle) => low > high ? middle : Math.min(high, Math.max(low, v));
    this.x = within2(this.x, this.west + halfX, this.east - halfX, middleX), this.y = within2(this.y, this.south + halfY, this.north - halfY, middleY);
  }
}, Land = class {
  constructor(geography) {
    this.land = outlinePath(geography.land, !0), this.borders = outlinePath(geography.borders, !1), this.roads = outlinePath(geography.roads, !1), this.cities = geography.cities, this.named = [], this.font = "";
  }
  // Draws the land; `taken` are boxes in which no city may be named.
  draw(ctx, view, colours, ratio, scale, taken) {
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0), ctx.fillStyle = colours.sea, ctx.fillRect(0, 0, view.width, view.height);
    let k = view.scale;
    ctx.setTransform(ratio * k, 0, 0, -ratio * k, ratio * (view.width / 2 - view.x * k), ratio * (view.height / 2 + view.y * k)), ctx.lineJoin = "round", ctx.fillStyle = colours.land, ctx.fill(this.land, "evenodd"), stroke(ctx, this.land, colours.coast, 0.9 / k), ctx.setLineDash([3 / k, 2.5 / k]), stroke(ctx, this.borders, colours.border, 0.8 / k), ctx.setLineDash([]), stroke(ctx, this.roads, colours.road, Math.min(3, 0.9 + 0.25 * view.zoom) / k), ctx.setTransform(ratio, 0, 0, ratio, 0, 0), this.#place(ctx, view, colours, scale, taken);
  }
  // Picks the cities to name, the largest first; a name that would overlap another, or leave the picture, is left out.
  #place(ctx, view, colours, scale, taken) {
    let most = Math.round(18 * view.zoom ** 1.4);
    this.font = `600 ${(11 + Math.min(2, view.zoom / 4)) * scale}px ${colours.font}`, ctx.font = this.font, this.named = [];
    for (let [name, , east, north] of this.cities.slice(0, most)) {
      let [x, y] = view.toPixels(east, north), box = [x - 6, y - 9, x + 10 + ctx.measureText(name).width, y + 9];
      box[0] < 0 || box[1] < 0 || box[2] > view.width || box[3] > view.height || [...taken, ...this.named].some(({ box: b }) => box[0] < b[2] && box[2] > b[0] && box[1] < b[3] && box[3] > b[1]) || (this.named.push({ name, x, y, box }), ctx.beginPath(), ctx.arc(x, y, 2.2, 0, 2 * Math.PI), ctx.fillStyle = colours.land, ctx.fill(), ctx.strokeStyle = colours.city, ctx.lineWidth = 1, ctx.stroke());
    }
  }
  // Draws names above the trucks, which would hide those of the busiest cities; a thin halo keeps most of the trucks in sight.
  drawNames(ctx, colours) {
    ctx.font = this.font, ctx.textBaseline = "middle", ctx.lineJoin = "round", ctx.lineWidth = 2.5, ctx.strokeStyle = colours.land, ctx.fillStyle = colours.city;
    for (let { name, x, y } of this.named)
      ctx.globalAlpha = 0.8, ctx.strokeText(name, x + 8, y), ctx.globalAlpha = 1, ctx.fillText(name, x + 8, y);
  }
};
function outlinePath(lines2, closed) {
  let path = new Path2D();
  for (let line4 of lines2) {
    path.moveTo(line4[0], line4[1]);
    for (let i = 2; i < line4.length; i += 2) path.lineTo(line4[i], line4[i + 1]);
    closed && path.closePath();
  }
  return path;
}
function stroke(ctx, path, colour, width) {
  ctx.strokeStyle = colour, ctx.lineWidth = width, ctx.stroke(path);
}
var OUTSIDE = -1;
function insideRing(ring, x, y) {
  let odd = !1;
  for (let i = 0, n = ring.length; i < n; i += 2) {
    let x0 = ring[i], y0 = ring[i + 1], x1 = ring[(i + 2) % n], y1 = ring[(i + 3) % n];
    y0 > y != y1 > y && x < (x1 - x0) * (y - y0) / (y1 - y0) + x0 && (odd = !odd);
  }
  return odd;
}
var Fences = class {
  /** @param {Fence[]} fences */
  constructor(fences) {
    this.list = fences, this.font = "", this.names = [], this.boxes = fences.map(({ ring }) => {
      let xs = ring.filter((_, i) => i % 2 === 0), ys = ring.filter((_, i) => i % 2 === 1);
      return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
    });
  }
  /** Returns the number of the first fence that contains a place, or OUTSIDE. @param {number} x @param {number} y */
  of(x, y) {
    return this.list.findIndex(({ ring }, i) => {
      let [west, south, east, north] = this.boxes[i];
      return x >= west && x <= east && y >= south && y <= north && insideRing(ring, x, y);
    });
  }
  /** Draws the areas with a dashed edge, on the canvas beneath the trucks.
   * @param {CanvasRenderingContext2D} ctx @param {any} view @param {any} colours @param {number} scale */
  draw(ctx, view, colours, scale) {
    this.list.forEach(({ ring }, i) => {
      let path = new Path2D();
      for (let k = 0; k < ring.length; k += 2) {
        let [x, y] = view.toPixels(ring[k], ring[k + 1]);
        k === 0 ? path.moveTo(x, y) : path.lineTo(x, y);
      }
      path.closePath(), ctx.globalAlpha = 0.13, ctx.fillStyle = colours.of(i), ctx.fill(path), ctx.globalAlpha = 1, ctx.setLineDash([6, 4]), ctx.strokeStyle = colours.of(i), ctx.lineWidth = 1.8 * scale, ctx.stroke(path), ctx.setLineDash([]);
    });
  }
  /** Places their names above them: [{ words, x, y, box }], with left, top, right, bottom as the box.
   * @param {CanvasRenderingContext2D} ctx @param {any} view @param {any} colours @param {number} scale */
  place(ctx, view, colours, scale) {
    return this.font = `700 ${12 * scale}px ${colours.font}`, ctx.font = this.font, this.names = this.list.map(({ name, letter: letter2 }, i) => {
      let [west, , east, north] = this.boxes[i], [x, y] = view.toPixels((west + east) / 2, north), words = `${letter2} ${shorten(name, 28)}`, half = ctx.measureText(words).width / 2 + 3;
      return { words, x, y: y - 3, box: [x - half, y - 3 - 15 * scale, x + half, y] };
    }), this.names;
  }
  /** Draws the names, above the trucks. @param {CanvasRenderingContext2D} ctx */
  drawNames(ctx, colours) {
    ctx.font = this.font, ctx.textAlign = "center", ctx.textBaseline = "bottom", ctx.lineJoin = "round", ctx.lineWidth = 4, ctx.strokeStyle = colours.land, ctx.fillStyle = colours.ink;
    for (let { words, x, y } of this.names)
      ctx.strokeText(words, x, y), ctx.fillText(words, x, y);
    ctx.textAlign = "start";
  }
};

// map/looks.js
var NO_PARTITION = 65535, NO_SPEED = -1, SPEED_EDGES = [1, 60, 70, 80], TURNS = 24;
function speedClass(kmh) {
  return Number.isFinite(kmh) ? SPEED_EDGES.filter((edge) => kmh >= edge).length : NO_SPEED;
}
function speedName(group) {
  return group === NO_SPEED ? "not known" : group === 0 ? "stands still" : group === 1 ? `under ${SPEED_EDGES[1]} km/h` : group === SPEED_EDGES.length ? `${SPEED_EDGES[group - 1]} km/h or more` : `${SPEED_EDGES[group - 1]} to ${SPEED_EDGES[group]} km/h`;
}
function looks(fences) {
  return { partition: byPartition(), speed: bySpeed(), geofence: byFence(fences) };
}
function byPartition() {
  return {
    title: "Partition",
    head: "partition",
    tails: !0,
    none: NO_PARTITION,
    group: (trucks, i) => trucks.partition[i],
    size: (_, r) => r,
    sprite: (_, __, group) => `p${group}`,
    draw: (ctx, _, group, at, r, colours) => drawMark(ctx, group === NO_PARTITION ? 0 : group, at, at, r, colours.of(group), colours.land),
    label: (group) => group === NO_PARTITION ? "" : String(group),
    short: (group) => group === NO_PARTITION ? "not known" : `P${group}`,
    mark: (group) => group === NO_PARTITION ? "question mark" : markName(group),
    icon: (group) => group === NO_PARTITION ? el("span", { "aria-hidden": "true" }, "?") : markIcon(group)
  };
}
function bySpeed() {
  return {
    title: "Speed",
    head: "speed",
    tails: !1,
    none: NO_SPEED,
    group: (trucks, i) => speedClass(trucks.speed[i]),
    size: (group, r) => group <= 0 ? r * 0.9 : r * (0.95 + 0.16 * group),
    sprite: (trucks, i, group) => group > 0 ? `v${group} ${turn(trucks.heading[i])}` : `v${group}`,
    draw: (ctx, key2, group, at, r, colours) => {
      group > 0 ? drawArrow(ctx, at, r, Number(key2.split(" ")[1]) * 2 * Math.PI / TURNS, colours.speed[group], colours.land) : drawHollow(ctx, group === 0, at, r, group === 0 ? colours.speed[0] : colours.soft, colours.land);
    },
    label: () => "",
    short: speedName,
    mark: (group) => group === NO_SPEED ? "hollow circle" : group === 0 ? "hollow square" : `arrow of size ${group}`,
    icon: (group) => icon2(
      group > 0 ? "M0 -6L4.6 5L0 2.6L-4.6 5z" : group === 0 ? "M-3.6 -3.6h7.2v7.2h-7.2z" : "M-3.6 0a3.6 3.6 0 1 0 7.2 0a3.6 3.6 0 1 0 -7.2 0z",
      group < 0 ? "var(--kl-soft)" : `var(--kl-map-v${group})`,
      group > 0,
      group > 0 ? 0.7 + 0.11 * group : 1
    )
  };
}
function byFence(fences) {
  let name = (group) => shorten(fences()[group]?.name ?? "", 22), letter2 = (group) => fences()[group]?.letter ?? "?";
  return {
    title: "Geofence",
    head: "geofence",
    tails: !0,
    none: OUTSIDE,
    group: (trucks, i) => trucks.fence[i],
    size: (group, r) => group === OUTSIDE ? r * 0.75 : Math.max(5.6, r * 1.1),
    sprite: (_, __, group) => `f${group}`,
    draw: (ctx, _, group, at, r, colours) => group === OUTSIDE ? drawHollow(ctx, !1, at, r, colours.soft, colours.land) : (ctx.beginPath(), ctx.arc(at, at, r, 0, 2 * Math.PI), ctx.strokeStyle = colours.land, ctx.lineWidth = 2, ctx.stroke(), ctx.fillStyle = colours.of(group), ctx.fill(), ctx.fillStyle = colours.onDisc(group), ctx.font = `700 ${(r * 1.45).toFixed(1)}px ${colours.font}`, ctx.textAlign = "center", ctx.textBaseline = "middle", ctx.fillText(letter2(group), at, at + 0.5)),
    label: () => "",
    short: (group) => group === OUTSIDE ? "outside" : name(group),
    mark: (group) => group === OUTSIDE ? "hollow dot" : `letter ${letter2(group)}`,
    icon: (group) => group === OUTSIDE ? icon2("M-3 0a3 3 0 1 0 6 0a3 3 0 1 0 -6 0z", "var(--kl-soft)", !1) : el("span", { class: "kl-map-letter", "aria-hidden": "true", style: { background: partitionColour(group), color: partitionInk(group) } }, letter2(group))
  };
}
function turn(heading) {
  return Number.isFinite(heading) ? (Math.round(heading / 360 * TURNS) % TURNS + TURNS) % TURNS : 0;
}
function drawArrow(ctx, at, r, angle, colour, ground) {
  ctx.save(), ctx.translate(at, at), ctx.rotate(angle), ctx.beginPath(), ctx.moveTo(0, -1.5 * r), ctx.lineTo(1.05 * r, 1.1 * r), ctx.lineTo(0, 0.55 * r), ctx.lineTo(-1.05 * r, 1.1 * r), ctx.closePath(), ctx.lineJoin = "round", ctx.strokeStyle = ground, ctx.lineWidth = Math.max(1.4, r * 0.4), ctx.stroke(), ctx.fillStyle = colour, ctx.fill(), ctx.restore();
}
function drawHollow(ctx, square, at, r, colour, ground) {
  ctx.beginPath(), square ? ctx.rect(at - 0.85 * r, at - 0.85 * r, 1.7 * r, 1.7 * r) : ctx.arc(at, at, r, 0, 2 * Math.PI), ctx.fillStyle = ground, ctx.fill(), ctx.strokeStyle = colour, ctx.lineWidth = Math.max(1.3, r * 0.4), ctx.stroke();
}
function icon2(path, colour, filled, size2 = 1) {
  let look2 = filled ? { fill: colour } : { fill: "none", stroke: colour, "stroke-width": 1.8 };
  return el("svg", { width: 14, height: 14, viewBox: "-7 -7 14 14", "aria-hidden": "true" }, el("path", { d: path, transform: `scale(${size2})`, ...look2 }));
}
var SHAPES = ["circle", "square", "diamond", "triangle", "wedge"];
function markShape(partition2) {
  return { name: SHAPES[partition2 % SHAPES.length], filled: partition2 % (2 * SHAPES.length) < SHAPES.length };
}
function markName(partition2) {
  let { name, filled } = markShape(partition2);
  return filled ? name : `hollow ${name}`;
}
function corners2(name, r) {
  let a = 0.88 * r, c = 1.25 * r, t = 1.15 * r;
  return name === "square" ? [[-a, -a], [a, -a], [a, a], [-a, a]] : name === "diamond" ? [[0, -c], [c, 0], [0, c], [-c, 0]] : name === "triangle" ? [[0, -c], [t, a], [-t, a]] : name === "wedge" ? [[0, c], [t, -a], [-t, -a]] : null;
}
function drawMark(ctx, partition2, x, y, r, colour, ground) {
  let { name, filled } = markShape(partition2), points = corners2(name, r);
  ctx.beginPath(), points === null ? ctx.arc(x, y, r, 0, 2 * Math.PI) : points.forEach(([px, py], i) => i === 0 ? ctx.moveTo(x + px, y + py) : ctx.lineTo(x + px, y + py)), ctx.closePath(), ctx.lineJoin = "round", filled ? (ctx.strokeStyle = ground, ctx.lineWidth = Math.max(1, r * 0.35), ctx.stroke(), ctx.fillStyle = colour, ctx.fill()) : (ctx.strokeStyle = ground, ctx.lineWidth = Math.max(3, r * 0.9), ctx.stroke(), ctx.fillStyle = ground, ctx.fill(), ctx.strokeStyle = colour, ctx.lineWidth = Math.max(1.6, r * 0.4), ctx.stroke());
}
function markIcon(partition2, size2 = 14) {
  let { name, filled } = markShape(partition2), points = corners2(name, 4.6), colour = partitionColour(partition2), look2 = filled ? { fill: colour } : { fill: "none", stroke: colour, "stroke-width": 2, "stroke-linejoin": "round" }, mark2 = points === null ? el("circle", { r: 4.6, ...look2 }) : el("path", { d: `M${points.map((p) => p.join(" ")).join("L")}z`, ...look2 });
  return el("svg", { width: size2, height: size2, viewBox: "-7 -7 14 14", "aria-hidden": "true" }, mark2);
}
function readColours(root) {
  let probe = el("span", { hidden: !0 });
  root.append(probe);
  let cache = /* @__PURE__ */ new Map(), read2 = (value) => (cache.has(value) || (probe.style.color = value, cache.set(value, getComputedStyle(probe).color)), cache.get(value)), [sea, land, coast, border, road, city] = ["sea", "land", "coast", "border", "road", "city"].map((name) => read2(`var(--kl-map-${name})`)), hues = Array.from({ length: 12 }, (_, i) => [read2(partitionColour(i)), read2(partitionInk(i))]), speed = Array.from({ length: 5 }, (_, i) => read2(`var(--kl-map-v${i})`)), [soft, ink, accent] = ["--kl-soft", "--kl-ink", "--kl-accent"].map((name) => read2(`var(${name})`));
  return probe.remove(), {
    sea,
    land,
    coast,
    border,
    road,
    city,
    ink,
    accent,
    soft,
    speed,
    font: getComputedStyle(root).fontFamily,
    key: [...cache.values()].join(),
    of: (p) => p === NO_PARTITION || p < 0 ? soft : hues[p % 12][0],
    /** The colour of text on the mark of a partition: a hollow mark shows the ground inside, so the text has the hue. */
    on: (p) => p === NO_PARTITION || p < 0 ? ink : markShape(p).filled ? hues[p % 12][1] : hues[p % 12][0],
    /** The colour of text on a disc filled with the hue. */
    onDisc: (p) => hues[p % 12][1]
  };
}

// map/panel.js
var WAYS2 = ["partition", "speed", "geofence"], Panel = class {
  /** `choose(group or null)` shows one group alone. `find(text)` selects a truck by its id and returns whether there is one.
   * `colour(way)` sets what the marks show. `follow(on)` keeps the selected truck in the middle.
   * @param {{ choose: (group: number | null) => void, find: (text: string) => boolean, colour: (way: string) => void, follow: (on: boolean) => void }} acts */
  constructor({ choose: choose3, find, colour, follow: follow2 }) {
    this.choose = choose3, this.radios = WAYS2.map((way) => el("button", {
      class: "kl-map-way",
      type: "button",
      role: "radio",
      "data-way": way,
      onclick: () => colour(way),
      onkeydown: (event) => this.#walk(event, colour)
    }, way));
    let ways = el("div", { class: "kl-map-ways", role: "radiogroup", "aria-label": "marks say the" }, this.radios);
    this.legend = el("div", { class: "kl-map-legend", role: "group" }), this.keep = keeper(this.legend, ({ group }) => group, ({ group }) => this.#item(group)), this.none = el("p", { class: "kl-soft kl-map-nothing", hidden: !0 }, "No geofence is drawn: TruckMap(geofences=[…])."), this.truck = el("dl", { class: "kl-map-truck" }), this.nobody = el("p", { class: "kl-soft kl-map-nobody" }, "Click one on the map, or find it by its id."), this.found = el("span", { class: "kl-soft", role: "status" }), this.follow = el("button", { class: "kl-button kl-map-follow", type: "button", onclick: () => follow2(this.follow.getAttribute("aria-pressed") !== "true") }, "◎ follow");
    let go = (event) => {
      event.preventDefault();
      let wanted = this.input.value.trim();
      this.found.textContent = wanted === "" || find(wanted) ? "" : "no such truck";
    }, enter = (event) => {
      event.key === "Enter" && go(event);
    };
    this.input = el("input", { class: "kl-map-find", type: "text", placeholder: "T0042", "aria-label": "Truck id", spellcheck: "false", onkeydown: enter });
    let form = el("form", { onsubmit: go }, this.input, el("button", { class: "kl-button", type: "submit" }, "find"), this.follow, this.found);
    this.head = el("span", { class: "kl-hidden" }), this.table = el(
      "details",
      { class: "kl-map-table", ontoggle: () => this.#fillTable() },
      el("summary", {}, "as a table"),
      table({}, [this.head, "trucks", "moving", "mean km/h"], [])
    ), this.root = el(
      "div",
      { class: "kl-map-side" },
      el("div", { class: "kl-panel" }, el("div", { class: "kl-title" }, "Marks show the"), ways, this.legend, this.none, this.table),
      el("div", { class: "kl-panel" }, el("div", { class: "kl-title" }, "Truck"), form, this.nobody, this.truck)
    ), this.counts = [], this.look = null, this.showTruck(null, !1, 0);
  }
  /** @param {KeyboardEvent} event @param {(way: string) => void} colour */
  #walk(event, colour) {
    let by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (by === void 0) return;
    event.preventDefault();
    let next = (this.radios.findIndex((radio) => radio.getAttribute("aria-checked") === "true") + by + WAYS2.length) % WAYS2.length;
    colour(WAYS2[next]), this.radios[next].focus();
  }
  /** @param {any[]} counts @param {number | null} only @param {any} look @param {string} way @param {boolean} fenced true when a geofence is drawn */
  showCounts(counts, only, look2, way, fenced) {
    if (this.look !== look2) {
      this.look = look2, this.keep([]), this.legend.classList.toggle("kl-map-wide", way !== "partition"), this.legend.setAttribute("aria-label", `${look2.title}: press one to see it alone`), this.head.textContent = look2.head;
      for (let radio of this.radios)
        radio.setAttribute("aria-checked", String(radio.dataset.way === way)), radio.tabIndex = radio.dataset.way === way ? 0 : -1;
    }
    this.none.hidden = way !== "geofence" || fenced, this.counts = counts, this.keep(counts.map(({ group, trucks }) => ({ group, trucks, alone: only === group }))), this.table.open && this.#fillTable();
  }
  /** @param {number} group */
  #item(group) {
    let { look: look2 } = this, number = el("span", { class: "kl-map-count" }), button2 = el("button", { class: "kl-map-key", type: "button", onclick: () => {
      this.choose(button2.getAttribute("aria-pressed") === "true" ? null : group);
    } }, look2.icon(group), el("b", {}, look2.short(group)), hidden(`(${look2.mark(group)})`), number, hidden("trucks"));
    return {
      node: button2,
      draw({ trucks, alone }) {
        number.textContent = count(trucks), button2.setAttribute("aria-pressed", String(alone));
      }
    };
  }
  #fillTable() {
    this.table.querySelector("tbody")?.replaceChildren(...this.counts.map((c) => el(
      "tr",
      {},
      el("th", { scope: "row" }, this.look.short(c.group)),
      el("td", {}, count(c.trucks)),
      el("td", {}, count(c.moving)),
      el("td", {}, c.moving > 0 ? c.kmh.toFixed(0) : "–")
    )));
  }
  /** @param {any} truck {id, partition, kmh, heading, latitude, longitude, fence}, or null @param {boolean} following @param {number} seconds age of the oldest place on the drawn track */
  showTruck(truck, following, seconds) {
    if (this.follow.disabled = truck === null, this.follow.setAttribute("aria-pressed", String(following)), this.follow.title = truck === null ? "select a truck first" : "keep this truck in the middle (F)", this.nobody.hidden = truck !== null, this.truck.hidden = truck === null, truck === null) return;
    let known = (value, words) => Number.isFinite(value) ? words(value) : "not known", rows = [
      ["id", el("b", { title: shorten(truck.id, 200) }, shorten(truck.id, 24))],
      ["partition", truck.partition === null ? "not known" : [markIcon(truck.partition), ` P${truck.partition}`]],
      ["speed", known(truck.kmh, (v) => v < 1 ? "stands still" : `${v.toFixed(0)} km/h`)],
      ["heading", known(truck.heading, (v) => `${v.toFixed(0)}° ${compass(v)}`)],
      ["place", `${truck.latitude.toFixed(3)}, ${truck.longitude.toFixed(3)}`],
      ...truck.fence === "" ? [] : [["inside", truck.fence]],
      ...following ? [["way drawn", seconds < 1 ? "from now on" : `the last ${seconds < 90 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`}`]] : []
    ];
    this.truck.replaceChildren(...rows.flatMap(([name, value]) => [el("dt", { class: "kl-soft" }, name), el("dd", {}, value)]));
  }
};
function hidden(text2) {
  return el("span", { class: "kl-hidden" }, text2);
}
function compass(degrees) {
  return ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"][Math.round(degrees / 45) % 8];
}
function facts({ trucks, fences }, i) {
  let partition2 = trucks.partition[i] === NO_PARTITION ? null : trucks.partition[i], fence = trucks.fence[i] === OUTSIDE ? void 0 : fences.list[trucks.fence[i]];
  return {
    id: trucks.ids[i],
    partition: partition2,
    fence: fence ? `${fence.letter} ${shorten(fence.name, 28)}` : "",
    kmh: trucks.speed[i],
    heading: trucks.heading[i],
    latitude: trucks.latitude[i],
    longitude: trucks.longitude[i]
  };
}
function showTip(map, now) {
  let { view, tip, trucks } = map, i = map.hovered >= 0 ? map.hovered : map.selected, [x, y] = i < 0 ? [0, 0] : view.toPixels(...trucks.at(i, now)), inside = i >= 0 && x >= 0 && y >= 0 && x <= view.width && y <= view.height;
  if (tip.hidden = !inside, !inside) return;
  let { kmh, partition: partition2 } = facts(map, i), speed = Number.isFinite(kmh) ? ` · ${kmh < 1 ? "still" : `${kmh.toFixed(0)} km/h`}` : "";
  tip.textContent = `${shorten(trucks.ids[i], 24)}${partition2 === null ? "" : ` · P${partition2}`}${speed}`, tip.classList.toggle("kl-map-left", x > view.width - 160 * map.scale), tip.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
}
function showWords(map) {
  let { trucks, panel, marks: look2, way } = map, counts = trucks.counts(look2), total = trucks.count, i = map.selected, top = trucks.fastest(), moving2 = counts.reduce((sum, c) => sum + c.moving, 0);
  panel.showCounts(counts, map.only, look2, way, map.fences.list.length > 0);
  let track = i < 0 ? [] : trucks.tracks.of(i);
  panel.showTruck(i < 0 ? null : facts(map, i), map.following, track.length ? (performance.now() - track[0][2]) / 1e3 : 0);
  let unplaced = map.model.get("unplaced"), pills2 = [`${count(total)} ${total === 1 ? "truck" : "trucks"}`, `${count(moving2)} moving`, map.told.at !== null ? `recorded at ${clock.ofDay(map.told.at)}` : map.heard ? `updated ${clock.ofDay(map.heard)}` : ""];
  pills2.forEach((text2, k) => {
    map.pills[k].textContent = text2, map.pills[k].hidden = text2 === "";
  });
  let known = counts.filter((c) => c.group !== look2.none).length, said2 = [
    `${pills2[0]}${way === "partition" ? ` in ${known} partitions` : ""}`,
    pills2[1],
    top < 0 ? "" : `the fastest ${shorten(trucks.ids[top], 24)} at ${trucks.speed[top].toFixed(0)} km/h`,
    unplaced ? `${count(unplaced)} reports without a place on Earth` : ""
  ].filter(Boolean).join(", "), groups = way === "partition" ? "" : ` By ${way}: ${counts.map((c) => `${look2.short(c.group)} ${c.trucks}`).join(", ")}.`;
  map.canvas.setAttribute("aria-label", total === 0 ? "Map without trucks yet." : `${said2}.${groups}`);
}

// map/trucks.js
var GLIDE_MS = [120, 4e3], Trucks = class {
  /** @param {(lat: number, lon: number) => [number, number]} project @param {import("./land.js").Fences} fences */
  constructor(project, fences) {
    this.project = project, this.fences = fences, this.tracks = new Tracks(), this.ids = [], this.count = 0, this.until = 0, this.followed = "", this.latitude = this.longitude = this.speed = this.heading = new Float32Array(0), this.partition = new Uint16Array(0), this.fence = new Int16Array(0), this.fromX = this.fromY = this.toX = this.toY = this.since = this.during = new Float64Array(0);
  }
  /** Takes other fences, and finds the trucks that are in them. @param {import("./land.js").Fences} fences */
  fenced(fences) {
    this.fences = fences;
    for (let i = 0; i < this.count; i += 1) this.fence[i] = fences.of(this.toX[i], this.toY[i]);
  }
  // Takes a frame. Trucks that moved glide from the place where they are drawn to the reported one, in the time that passed
  // since they last moved; the others stay as they are.
  take(bytes2, ids, now, glide2) {
    let n = Math.min(Math.floor(bytes2.byteLength / 18), ids.length), buffer = bytes2.buffer.slice(bytes2.byteOffset, bytes2.byteOffset + bytes2.byteLength), column = (i) => new Float32Array(buffer, 4 * n * i, n), [latitude, longitude] = [column(0), column(1)];
    [this.latitude, this.longitude] = [latitude, longitude], this.speed = column(2), this.heading = column(3), this.partition = new Uint16Array(buffer, 16 * n, n), n < this.count && (this.#grow(0), this.tracks.clear());
    let known = this.count;
    n > known && this.#grow(n), this.ids = ids;
    for (let i = 0; i < n; i += 1) {
      let [x, y] = this.project(latitude[i], longitude[i]);
      if (this.tracks.add(i, x, y, now, n, ids[i] === this.followed), i < known && x === this.toX[i] && y === this.toY[i]) continue;
      let [nowX, nowY] = i < known ? this.at(i, now) : [x, y], far = Math.hypot(x - nowX, y - nowY) > 250, gap = Math.min(GLIDE_MS[1], Math.max(GLIDE_MS[0], now - this.since[i]));
      this.fromX[i] = far ? x : nowX, this.fromY[i] = far ? y : nowY, [this.toX[i], this.toY[i]] = [x, y], this.fence[i] = this.fences.of(x, y), this.since[i] = now, this.during[i] = glide2 && i < known && !far ? gap : 0, this.until = Math.max(this.until, now + this.during[i]);
    }
  }
  #grow(n) {
    let keep = (old, fresh) => (n > 0 && fresh.set(old), fresh);
    for (let name of ["fromX", "fromY", "toX", "toY", "since", "during"]) this[name] = keep(this[name], new Float64Array(n));
    this.fence = keep(this.fence, new Int16Array(n)), this.count = n, n === 0 && (this.until = 0);
  }
  /** @param {number} i @param {number} now @returns {[number, number]} */
  at(i, now) {
    let share = this.during[i] > 0 ? Math.min(1, (now - this.since[i]) / this.during[i]) : 1;
    return [this.fromX[i] + (this.toX[i] - this.fromX[i]) * share, this.fromY[i] + (this.toY[i] - this.fromY[i]) * share];
  }
  gliding(now) {
    return now < this.until;
  }
  moves(i) {
    return this.speed[i] >= 1;
  }
  // Returns the truck drawn nearest to a pixel, at most `reach` pixels away, or -1. `shown` tells which trucks count.
  nearest(view, px, py, now, shown2, reach2 = 12) {
    let [best, least] = [-1, reach2];
    for (let i = 0; i < this.count; i += 1) {
      if (!shown2(i)) continue;
      let [x, y] = view.toPixels(...this.at(i, now)), away = Math.hypot(x - px, y - py);
      away < least && ([best, least] = [i, away]);
    }
    return best;
  }
  // Counts the trucks of each group, in order: [{group, trucks, moving, kmh}]; trucks without a group come last.
  counts(look2) {
    let found2 = /* @__PURE__ */ new Map();
    for (let i = 0; i < this.count; i += 1) {
      let group = look2.group(this, i), own = found2.get(group) ?? { group, trucks: 0, moving: 0, kmh: 0 };
      own.trucks += 1, this.moves(i) && (own.kmh = (own.kmh * own.moving + this.speed[i]) / (own.moving + 1), own.moving += 1), found2.set(group, own);
    }
    let place2 = (group) => group === look2.none ? 1 / 0 : group;
    return [...found2.values()].sort((a, b) => place2(a.group) - place2(b.group));
  }
  fastest() {
    let best = -1;
    for (let i = 0; i < this.count; i += 1) this.moves(i) && (best < 0 || this.speed[i] > this.speed[best]) && (best = i);
    return best;
  }
  // Draws all trucks, the selected one last; those of a group other than `only` are drawn faint. Zoomed in, marks are large
  // enough for a number.
  draw(ctx, view, colours, now, { look: look2, only, selected, scale }) {
    let r = Math.min(9, 3 + 0.9 * Math.log2(view.zoom) * 1.6) * scale, marks = this.#sprites(look2, r, colours, ctx.getTransform().a), later = [], top = [];
    ctx.lineCap = "round";
    for (let i = 0; i < this.count; i += 1) {
      let [x, y] = view.toPixels(...this.at(i, now));
      if (!(x > -20 && y > -20 && x < view.width + 20 && y < view.height + 20)) continue;
      let group = look2.group(this, i), shadow = only !== null && group !== only;
      i === selected ? top.push([i, x, y, group]) : only !== null && !shadow || group !== look2.none && !look2.tails ? later.push([i, x, y, group]) : this.#one(ctx, marks, i, x, y, group, r, shadow, colours, look2);
    }
    for (let [i, x, y, group] of later) this.#one(ctx, marks, i, x, y, group, r, only !== null && group !== only, colours, look2);
    for (let [i, x, y, group] of top) this.#one(ctx, marks, i, x, y, group, r, !1, colours, look2);
    ctx.globalAlpha = 1;
  }
  #one(ctx, marks, i, x, y, group, r, shadow, colours, look2) {
    if (ctx.globalAlpha = shadow ? 0.13 : 1, look2.tails && group !== look2.none && this.moves(i) && Number.isFinite(this.heading[i])) {
      let back = this.heading[i] * Math.PI / 180, length = r * (1.4 + this.speed[i] / 45);
      ctx.strokeStyle = colours.of(group), ctx.lineWidth = Math.max(1.3, r * 0.4), shadow || (ctx.globalAlpha = 0.5), ctx.beginPath(), ctx.moveTo(x, y), ctx.lineTo(x - Math.sin(back) * length, y + Math.cos(back) * length), ctx.stroke(), shadow || (ctx.globalAlpha = 1);
    }
    let { sprite, size: size2 } = marks(look2.sprite(this, i, group), group);
    ctx.drawImage(sprite, x - size2 / 2, y - size2 / 2, size2, size2);
    let label = r >= 6.5 && !shadow ? look2.label(group) : "";
    label && (ctx.font = `600 ${Math.round(r * 1.25)}px ${colours.font}`, ctx.textAlign = "center", ctx.textBaseline = "middle", ctx.fillStyle = colours.on(group), ctx.fillText(label, x, y + 0.5), ctx.textAlign = "start");
  }
  // Draws each mark once and stamps it a thousand times; draws it again when the size, the theme or the screen changes.
  #sprites(look2, r, colours, ratio) {
    let key2 = `${look2.title} ${r.toFixed(2)} ${ratio} ${colours.key}`;
    if (this.marks?.key === key2) return this.marks.of;
    let made2 = /* @__PURE__ */ new Map(), of = (name, group) => {
      if (!made2.has(name)) {
        let own = look2.size(group, r), size2 = Math.ceil(own * 3 + 6), sprite = document.createElement("canvas");
        sprite.width = sprite.height = Math.ceil(size2 * ratio);
        let ctx = sprite.getContext("2d");
        if (ctx === null) throw new Error("this browser cannot draw on a canvas");
        ctx.scale(ratio, ratio), look2.draw(ctx, name, group, size2 / 2, own, colours), made2.set(name, { sprite, size: size2 });
      }
      return made2.get(name);
    };
    return this.marks = { key: key2, of }, of;
  }
}, PLACES = 300, EVERY_MS = 1e3, MOST_TRUCKS = 4e3, Tracks = class {
  constructor() {
    this.ways = /* @__PURE__ */ new Map();
  }
  clear() {
    this.ways.clear();
  }
  /** Adds a place of a truck. @param {number} i @param {number} x @param {number} y @param {number} now @param {number} trucks how many there are @param {boolean} wanted whether it is followed */
  add(i, x, y, now, trucks, wanted) {
    if (!Number.isFinite(x) || trucks > MOST_TRUCKS && !wanted) return;
    let way = this.ways.get(i);
    if (way === void 0 && this.ways.set(i, way = { x: new Float32Array(PLACES), y: new Float32Array(PLACES), at: new Float64Array(PLACES), n: 0 }), way.n > 0 && now - way.at[(way.n - 1) % PLACES] < EVERY_MS) return;
    let k = way.n % PLACES;
    [way.x[k], way.y[k], way.at[k]] = [x, y, now], way.n += 1;
  }
  /** Returns the places of a truck, oldest first: [[x, y, at], …]. @param {number} i @returns {[number, number, number][]} */
  of(i) {
    let way = this.ways.get(i);
    if (way === void 0) return [];
    let kept2 = Math.min(way.n, PLACES);
    return Array.from({ length: kept2 }, (_, k) => {
      let j = (way.n - kept2 + k) % PLACES;
      return [way.x[j], way.y[j], way.at[j]];
    });
  }
  /** Draws the track of a truck up to its present place; older parts are fainter, and a dot marks the beginning.
   * @param {CanvasRenderingContext2D} ctx @param {any} view @param {any} colours @param {number} i
   * @param {[number, number]} here @param {number} scale */
  draw(ctx, view, colours, i, here, scale) {
    let places = [...this.of(i).map(([x, y]) => view.toPixels(x, y)), view.toPixels(...here)];
    if (places.length < 2) return;
    ctx.lineCap = ctx.lineJoin = "round";
    let parts = 5, step = Math.ceil((places.length - 1) / parts);
    for (let [colour, width] of [[colours.land, 6 * scale], [colours.accent, 2.6 * scale]]) {
      ctx.strokeStyle = colour, ctx.lineWidth = width;
      for (let from = 0; from < places.length - 1; from += step)
        ctx.globalAlpha = 0.35 + 0.65 * (from / (places.length - 1)), ctx.beginPath(), places.slice(from, from + step + 1).forEach(([x, y], k) => k === 0 ? ctx.moveTo(x, y) : ctx.lineTo(x, y)), ctx.stroke();
    }
    ctx.globalAlpha = 1, ctx.beginPath(), ctx.arc(places[0][0], places[0][1], 3 * scale, 0, 2 * Math.PI), ctx.fillStyle = colours.land, ctx.fill(), ctx.strokeStyle = colours.accent, ctx.lineWidth = 1.6 * scale, ctx.stroke();
  }
}, UNITS = 1e4, JUMP_S = 15, Told2 = class {
  constructor(model) {
    this.model = model, this.rows = new Rows(), this.at = null;
  }
  /** Returns what to draw now; `jumped` tells that time went back or far ahead. @returns {{ frame: DataView, ids: string[], jumped: boolean }} */
  next() {
    let state = this.model.get("state"), at = (state ? state.at : this.model.get("at")) ?? null, jumped = at !== this.at && (at === null || this.at === null || at < this.at || at - this.at > JUMP_S);
    return this.at = at, state ? { frame: this.rows.frame(state.rows ?? []), ids: state.ids ?? [], jumped } : { frame: this.model.get("frame"), ids: this.model.get("truck_ids"), jumped };
  }
}, Rows = class {
  constructor() {
    this.rows = [], this.known = [];
  }
  /** Returns the rows as a frame: four columns of float32 and one of uint16. @param {string[]} rows @returns {DataView} */
  frame(rows) {
    let n = rows.length, buffer = new ArrayBuffer(18 * n), columns2 = [0, 1, 2, 3].map((i) => new Float32Array(buffer, 4 * n * i, n)), partition2 = new Uint16Array(buffer, 16 * n, n), known = rows.map((row, i) => row === this.rows[i] ? this.known[i] : read(row));
    return known.forEach((numbers, i) => {
      for (let c = 0; c < 4; c += 1) columns2[c][i] = numbers[c];
      partition2[i] = numbers[4];
    }), [this.rows, this.known] = [rows, known], new DataView(buffer);
  }
};
function read(row) {
  let [latitude, longitude, speed, heading, partition2] = String(row).split(" ").map(Number);
  return [latitude / UNITS, longitude / UNITS, speed, heading, partition2];
}

// map/view.js
var WORDS_MS = 1e3, CLOSE_UP = 5, HINT = "On the map: arrows move, + and − zoom, 0 shows all, N and P go from truck to truck, F follows the selected one, C changes what the marks show, Esc lets go of the truck. Drag and double-click work too; the wheel zooms once the map has the focus.", contextOf = (canvas) => (
  /** @type {CanvasRenderingContext2D} */
  canvas.getContext("2d")
), TruckMapView = class {
  constructor(model, root) {
    this.model = model, this.root = root, this.guard = (fn) => guard(root, fn);
    let geography = model.get("geography");
    this.view = new Viewport(geography.frame), this.land = new Land(geography), this.fences = new Fences(model.get("fences") ?? []), this.trucks = new Trucks(projector(geography.projection), this.fences), this.looks = looks(() => this.fences.list), this.only = null, this.hovered = -1, this.visible = this.stale = !0, this.wordsAt = -1 / 0, this.told = new Told2(model), this.ratio = this.scale = 1, this.heard = 0, this.colours = void 0, this.asked = void 0, this.later = void 0, this.ground = el("canvas", { class: "kl-map-ground", "aria-hidden": "true" }), this.canvas = el("canvas", { class: "kl-map-trucks", tabindex: "0", role: "application", "aria-roledescription": "map" }), this.tip = el("div", { class: "kl-map-tip", "aria-hidden": "true", hidden: !0 });
    let button2 = (sign3, name, fn) => el("button", { class: "kl-button", type: "button", title: name, "aria-label": name, onclick: () => this.guard(fn) }, sign3), zooms = el(
      "div",
      { class: "kl-map-zoom" },
      button2("+", "zoom in", () => this.look(() => this.view.zoomBy(1.6))),
      button2("−", "zoom out", () => this.look(() => this.view.zoomBy(1 / 1.6))),
      button2("⤢", "show all", () => this.look(() => {
        this.letGo(), this.view.reset();
      }))
    );
    this.stage = el("div", { class: "kl-map-stage" }, this.ground, this.canvas, this.tip, zooms), this.panel = new Panel({
      choose: (group) => this.guard(() => {
        this.only = group, this.#words(!0), this.#ask();
      }),
      find: (text2) => this.guard(() => this.#find(text2)),
      colour: (way) => this.guard(() => this.#tell("colour_by", way)),
      follow: (on) => this.guard(() => this.follow(on))
    }), this.pills = ["trucks", "moving", "fresh"].map((name) => el("span", { class: `kl-pill kl-map-pill-${name}` })), this.title = el("b", {}, shorten(this.model.get("title"), 80));
    let hint = el("p", { class: "kl-map-hint kl-soft" }, HINT);
    hint.id = `kl-map-hint-${Math.random().toString(36).slice(2)}`, this.canvas.setAttribute("aria-describedby", hint.id), this.root.append(el("div", { class: "kl-map-bar" }, this.title, this.pills), el("div", { class: "kl-map-body" }, this.stage, this.panel.root), hint), this.#listen(), this.#present(), this.#takeFrame(!1);
  }
  #listen() {
    listen(this);
    let sized = new ResizeObserver(() => this.guard(() => this.#resize()));
    sized.observe(this.stage);
    let seen = new IntersectionObserver(([entry]) => {
      this.visible = entry.isIntersecting, this.visible && this.#ask();
    });
    seen.observe(this.stage);
    let endTheme = onTheme(() => this.guard(() => {
      this.colours !== void 0 && this.#readTheme(), this.#ask(!0);
    })), guarded = Object.entries({
      "change:frame": () => this.#takeFrame(!0),
      "change:state": () => this.#takeFrame(!0),
      "change:title": () => {
        this.title.textContent = shorten(this.model.get("title"), 80);
      },
      "change:selected": () => {
        this.#reveal(), this.#words(!0), this.#ask();
      },
      "change:following": () => this.#begin(),
      "change:colour_by": () => {
        this.only = null, this.#words(!0), this.#ask();
      },
      "change:fences": () => {
        this.fences = new Fences(this.model.get("fences")), this.trucks.fenced(this.fences), this.#words(!0), this.#ask(!0);
      },
      "change:presenter": () => {
        this.#present(), this.#resize();
      }
    }).map(([name, fn]) => (
      /** @type {[string, () => any]} */
      [name, () => this.guard(fn)]
    ));
    for (let [name, fn] of guarded) this.model.on(name, fn);
    this.end = () => {
      for (let [name, fn] of guarded) this.model.off(name, fn);
      sized.disconnect(), seen.disconnect(), endTheme(), cancelAnimationFrame(this.asked ?? 0), clearTimeout(this.later);
    };
  }
  #present() {
    this.root.classList.toggle("kl-presenter", !!this.model.get("presenter")), this.scale = scaleOf(this.root), this.colours = void 0;
  }
  get way() {
    return this.model.get("colour_by") ?? "partition";
  }
  get marks() {
    return this.looks[this.way];
  }
  #shown = (i) => this.only === null || this.marks.group(this.trucks, i) === this.only;
  nearest(x, y) {
    return this.trucks.nearest(this.view, x, y, performance.now(), this.#shown, 12 * this.scale);
  }
  // Selects the next truck in the order of the rows, or the one before it; if one group is shown alone, only one of that group.
  step(by) {
    let { trucks } = this, i = this.selected;
    for (let tried = 0; tried < trucks.count; tried += 1)
      if (i = i < 0 && by < 0 ? trucks.count - 1 : (i + by + trucks.count) % trucks.count, this.#shown(i)) return this.select(i);
  }
  nextColour() {
    let ways = Object.keys(this.looks);
    this.#tell("colour_by", ways[(ways.indexOf(this.way) + 1) % ways.length]);
  }
  #find(text2) {
    let i = this.trucks.ids.findIndex((id) => id === text2 || id.toLowerCase() === text2.toLowerCase());
    return i >= 0 && this.select(i), i >= 0;
  }
  get selected() {
    let id = this.model.get("selected");
    return id === "" ? -1 : this.trucks.ids.indexOf(id);
  }
  get following() {
    return !!this.model.get("following");
  }
  // Sets a trait of the widget, and sends it to the kernel.
  #tell(name, value) {
    this.model.get(name) !== value && (this.model.set(name, value), this.model.save_changes());
  }
  // Selects a truck; if the map follows one, it then follows the selected one.
  select(i) {
    let id = i < 0 ? "" : this.trucks.ids[i];
    this.#tell("selected", id), this.following && this.#tell("following", id);
  }
  follow(on) {
    on && this.selected < 0 || this.#tell("following", on ? this.model.get("selected") : "");
  }
  letGo() {
    this.#tell("following", "");
  }
  // Begins to follow a truck, or stops when there is none.
  #begin() {
    let id = this.model.get("following") ?? "";
    this.trucks.followed = id, this.view.free = id !== "", this.view.hold(), id !== "" && (this.#tell("selected", id), this.view.zoom < CLOSE_UP && this.view.zoomBy(CLOSE_UP / this.view.zoom)), this.#words(!0), this.#ask(!0);
  }
  #reveal() {
    let i = this.selected;
    i < 0 || (this.#shown(i) || (this.only = null), this.view.show(this.trucks.toX[i], this.trucks.toY[i]), this.stale = !0);
  }
  hover(x, y) {
    this.hovered = x < 0 ? -1 : this.nearest(x, y), this.canvas.style.cursor = this.hovered < 0 ? "" : "pointer", this.#ask();
  }
  // Runs `fn`, which moves the map, and then draws it again.
  look(fn) {
    fn(), this.#ask(!0);
  }
  #takeFrame(live2) {
    let { frame, ids, jumped } = this.told.next();
    return jumped && this.trucks.tracks.clear(), !frame?.byteLength && this.trucks.count === 0 ? this.#words(!0) : (this.trucks.followed = this.model.get("following") ?? "", this.trucks.take(frame, ids, performance.now(), live2 && !jumped && !reducedMotion()), live2 && (this.heard = Date.now() / 1e3), this.#words(!1), this.#ask());
  }
  #resize() {
    let width = this.stage.clientWidth, height = this.stage.clientHeight;
    if (!(width === 0 || height === 0)) {
      this.colours === void 0 && this.#readTheme(), this.ratio = Math.min(3, window.devicePixelRatio || 1);
      for (let canvas of [this.ground, this.canvas])
        canvas.width = Math.round(width * this.ratio), canvas.height = Math.round(height * this.ratio);
      this.view.resize(width, height), this.stale = !0, this.#draw();
    }
  }
  #readTheme() {
    this.scale = scaleOf(this.root), this.colours = readColours(this.root), this.stale = !0;
  }
  #ask(stale = !1) {
    this.stale ||= stale, this.asked === void 0 && this.visible && (this.asked = requestAnimationFrame(() => {
      this.asked = void 0, this.guard(() => this.#draw());
    }));
  }
  #draw() {
    if (this.colours === void 0) return;
    let now = performance.now(), ctx = contextOf(this.canvas), chosen = this.selected, followed2 = this.following && chosen >= 0, moved2 = followed2 && this.view.approach(...this.trucks.at(chosen, now), reducedMotion() ? 1 : 0.2);
    if (this.stale ||= moved2, this.stale) {
      let ground = contextOf(this.ground), taken = this.fences.place(ground, this.view, this.colours, this.scale);
      this.land.draw(ground, this.view, this.colours, this.ratio, this.scale, taken), this.fences.draw(ground, this.view, this.colours, this.scale);
    }
    this.stale = !1, ctx.setTransform(this.ratio, 0, 0, this.ratio, 0, 0), ctx.clearRect(0, 0, this.view.width, this.view.height), followed2 && this.trucks.tracks.draw(ctx, this.view, this.colours, chosen, this.trucks.at(chosen, now), this.scale), this.trucks.draw(ctx, this.view, this.colours, now, { look: this.marks, only: this.only, selected: chosen, scale: this.scale }), this.land.drawNames(ctx, this.colours), this.fences.drawNames(ctx, this.colours), this.#ring(ctx, chosen, now), showTip(this, now), (moved2 || this.trucks.gliding(now)) && this.#ask();
  }
  #ring(ctx, i, now) {
    if (i < 0) return;
    let [x, y] = this.view.toPixels(...this.trucks.at(i, now));
    for (let [colour, width] of [[this.colours.land, 5], [this.colours.ink, 2]])
      ctx.strokeStyle = colour, ctx.lineWidth = width, ctx.beginPath(), ctx.arc(x, y, 12 * this.scale, 0, 2 * Math.PI), ctx.stroke();
  }
  // Updates the counts, the selected truck and the text alternative; at once, or when a second has passed.
  #words(now) {
    let wait = this.wordsAt + WORDS_MS - performance.now();
    if (!now && wait > 0) {
      this.later ??= setTimeout(() => this.guard(() => this.#words(!0)), wait);
      return;
    }
    clearTimeout(this.later), this.later = void 0, this.wordsAt = performance.now(), showWords(this);
  }
};
function listen(map) {
  let { canvas, view } = map, held3 = null, at = (event) => {
    let box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }, on = (name, fn, options = void 0) => canvas.addEventListener(name, (event) => map.guard(() => fn(event, .../** @type {[number, number]} */
  at(event))), options);
  on("pointerdown", (event, x, y) => {
    held3 = { x, y, moved: !1 }, canvas.setPointerCapture(event.pointerId);
  }), on("pointermove", (event, x, y) => {
    if (held3 === null) return map.hover(x, y);
    if (!held3.moved && Math.hypot(x - held3.x, y - held3.y) < 4) return;
    let { x: fromX, y: fromY } = held3;
    return map.letGo(), map.look(() => view.pan(x - fromX, y - fromY)), held3 = { x, y, moved: !0 }, map.hover(-99, -99);
  }), on("pointerup", (event, x, y) => {
    held3 !== null && !held3.moved && map.select(map.nearest(x, y)), held3 = null;
  }), on("pointercancel", () => {
    held3 = null;
  }), on("pointerleave", () => map.hover(-99, -99)), on("dblclick", (event, x, y) => map.look(() => view.zoomBy(2, x, y))), on("wheel", (event, x, y) => {
    !event.ctrlKey && document.activeElement !== canvas && canvas.getRootNode().activeElement !== canvas || (event.preventDefault(), map.look(() => view.zoomBy(Math.exp(-event.deltaY * 22e-4), x, y)));
  }, { passive: !1 }), on("keydown", (event) => key(map, event));
}
function key(map, event) {
  let { view } = map, across = 0.14 * view.width, down = 0.14 * view.height, pan2 = (dx, dy) => () => {
    map.letGo(), view.pan(dx, dy);
  }, keys = {
    ArrowLeft: pan2(across, 0),
    ArrowRight: pan2(-across, 0),
    ArrowUp: pan2(0, down),
    ArrowDown: pan2(0, -down),
    "+": () => view.zoomBy(1.6),
    "=": () => view.zoomBy(1.6),
    "-": () => view.zoomBy(1 / 1.6),
    0: () => {
      map.letGo(), view.reset();
    },
    n: () => map.step(1),
    p: () => map.step(-1),
    f: () => map.follow(!map.following),
    c: () => map.nextColour(),
    Escape: () => map.following ? map.letGo() : map.select(-1)
  }, act = keys[event.key] ?? keys[event.key.toLowerCase()];
  !act || event.ctrlKey || event.metaKey || event.altKey || (event.preventDefault(), event.stopPropagation(), map.look(act));
}
var view_default10 = {
  render({ model, el: root }) {
    root.classList.add("kl", "kl-map"), ownKeys(root), root.setAttribute("role", "group"), root.setAttribute("aria-label", "Truck map");
    let view = guard(root, () => new TruckMapView(model, root));
    return hearAll(model).catch(console.warn), () => view?.end?.();
  }
};

// page/page.js
var VIEWS = {
  cluster: view_default2,
  log: view_default5,
  group: view_default3,
  metadata: view_default6,
  record: view_default8,
  partitioner: view_default7,
  stream: view_default9,
  map: view_default10,
  ledger: view_default4
};
function begin(page2, head2) {
  let stand = { at: momentIn(location.hash, head2.seconds) ?? head2.begin, presenter: !1 }, list = happened(page2, (at) => play.seek(at)), bar3 = pageModel({ state: { ...head2.timeline, n: 0, fault: "", at: stand.at, live: !1, playing: !1, going: !1, naming: !1 }, live: !1, presenter: !1 }, (message) => play.answer(message)), due = pacer(), shelves = shelvesOf(page2, head2.views, stand), play = playhead({
    seconds: head2.seconds,
    at: stand.at,
    speed: head2.timeline.speed ?? 1,
    moved: (now) => guard(page2, () => {
      if (stand.at = now.at, bar3.set("state", { ...bar3.get("state"), ...now }), !!due(now.playing)) {
        for (let shelf of shelves) shelf.moved();
        list.at(now.at);
      }
    })
  }), place2 = (
    /** @type {HTMLElement} */
    page2.querySelector("#kl-time")
  );
  view_default.render({ model: bar3, el: place2 }), page2.querySelector("#happened")?.append(...place2.querySelectorAll(".kl-legend"));
  let pinned = pin(place2);
  return page2.querySelector(".kl-page-story")?.append(" Press ▶."), page2.querySelector(".kl-page-head")?.append(tools({
    views: shelves.map((shelf) => ({ id: shelf.section.id, heading: shelf.entries[0].heading })),
    link: () => address(location.href, play.stand.at),
    presenter(on) {
      stand.presenter = on, page2.classList.toggle("kl-presenter", on), bar3.set("presenter", on), pinned.measure();
      for (let shelf of shelves) shelf.moved();
    }
  })), list.at(stand.at), addEventListener("hashchange", () => {
    let at = momentIn(location.hash, head2.seconds);
    at !== null && play.seek(at);
  }), addEventListener("beforeprint", () => {
    for (let shelf of shelves) shelf.shown.size && shelf.show();
  }), rest(shelves), { play, shelves };
}
function shelvesOf(page2, views, stand) {
  return [...new Set(views.map((view) => view.kind))].filter((kind) => Object.hasOwn(VIEWS, kind)).map((kind) => {
    let section = (
      /** @type {HTMLElement} */
      page2.querySelector(`#view-${kind}`)
    );
    return new Shelf(section, views.filter((view) => view.kind === kind), VIEWS[kind].render, stand);
  });
}
async function rest(shelves) {
  for (let shelf of shelves)
    await new Promise((done) => setTimeout(done, 150)), await shelf.open(shelf.chosen);
}
var told2 = document.getElementById("kl-head"), page = document.getElementById("kl-page");
told2 && page && guard(page, () => begin(page, JSON.parse(told2.textContent ?? "")));
var page_default = { begin };
export {
  page_default as default
};
