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
function keyColour(i) {
  return `hsl(${(47 * Math.abs(Math.trunc(i)) + 20) % 360} 75% 50%)`;
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
  let message = error instanceof Error ? error.message : String(error), shown = [...root.querySelectorAll(":scope > .kl-error")];
  if (shown.length >= 3 || shown.some((node) => node.getAttribute("data-message") === message)) return;
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
function showFault(root, text2) {
  let shown = root.querySelector(":scope > .kl-fault");
  if (!text2) return shown?.remove();
  shown?.getAttribute("data-text") !== text2 && (shown?.remove(), root.append(el("div", { class: "kl-error kl-fault", role: "alert", "data-text": text2 }, shorten(text2, 600))));
}
function trouble(error) {
  if (!error) return [];
  let why = shorten(error.text.split(`
`)[0], 300).replace(/\.?$/, "."), past = error.at === null ? "" : ` What is drawn is how it was at ${clock.ofDay(error.at)}.`;
  return el("div", { class: "kl-notice kl-tone-bad", role: "status" }, el("b", {}, "The cluster does not answer now. "), why, past);
}
function legend(signs2) {
  return el(
    "ul",
    { class: "kl-legend", "aria-label": "legend" },
    signs2.map(([sign, meaning]) => el("li", {}, el("span", { class: "kl-sign", "aria-hidden": "true" }, sign), " ", meaning))
  );
}
var two = (n) => String(n).padStart(2, "0"), clock = {
  /** Formats a number of seconds since something: "+3.12 s", "+2:05 min", "−0.40 s". @param {number} seconds */
  since(seconds) {
    let sign = seconds <= -5e-3 ? "−" : "+", size = Math.abs(seconds);
    return size < 99.995 ? `${sign}${size.toFixed(2)} s` : `${sign}${clock.long(Math.round(size))}`;
  },
  /** Formats whole seconds, from a minute on: "2:05 min", "1:04 h". @param {number} whole */
  long(whole) {
    let [of, unit] = whole < 3600 ? [60, "min"] : [3600, "h"];
    return `${Math.floor(whole / of)}:${two(Math.floor(whole % of / (of / 60)))} ${unit}`;
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
function changed(now, before, ...names) {
  return !before || names.some((name) => now[name] !== before[name]);
}
function keeper(parent, key, make) {
  let parts = /* @__PURE__ */ new Map();
  return (items) => {
    let wanted = new Set(items.map(key));
    for (let [name, part] of parts)
      wanted.has(name) || (part.node.remove(), parts.delete(name));
    let at = parent.firstChild;
    for (let item of items) {
      let name = key(item), part = parts.get(name) ?? make(item);
      parts.set(name, part), part.node === at ? at = at.nextSibling : parent.insertBefore(part.node, at), part.draw(item);
    }
  };
}

// live.js
function live(name, label, build2) {
  return ({ model, el: root }) => {
    let page = el("div", { class: `kl kl-${name}`, role: label && "region", "aria-label": label }), eye = Math.random().toString(36).slice(2), hands = el("fieldset", { class: "kl-hands" }, page), said = el("div", { class: "kl kl-standstill", "aria-live": "polite" });
    ownKeys(page), root.append(said, hands);
    let state = model.get("state"), drawn, asked = !1, still = "", standStill = (why, tone = "") => {
      still = why, hands.toggleAttribute("disabled", !!why), page.classList.toggle("kl-still", !!why), said.replaceChildren(...why ? [el("div", { class: `kl-notice ${tone}` }, why)] : []);
    }, silent = (since) => still || standStill(`No news from the kernel since ${clock.ofDay(since / 1e3)}: the picture stands still. It goes on by itself when the kernel answers. If the kernel was restarted, run this cell again.`, "kl-tone-bad"), ear = model.get("live") ? hearing((since) => {
      silent(since), asked = !1, whole();
    }) : null, ask = (message) => {
      try {
        model.send(message);
      } catch (error) {
        console.warn(error), silent(Date.now());
      }
    }, whole = () => {
      asked || (asked = !0, ask({ do: "whole", eye, n: state?.n ?? -1 }));
    }, view = guard(page, () => build2(page, { model, ask })), draw = () => {
      if (!state || state.n === void 0) return;
      let before = drawn;
      drawn = state, showFault(page, state.fault), guard(page, () => view?.draw(state, before));
    }, heard = {
      "msg:custom": (message) => {
        if (ear?.heard(), message?.kept && ear?.end(), (still || message?.kept) && standStill(message?.kept ?? ""), message?.whole !== void 0) {
          if (asked = !1, message.whole === null) return;
          state = message.whole, draw();
        } else message?.beat !== void 0 ? (asked = !1, message.beat > (state?.n ?? -1) && whole()) : message?.patch ? message.n === state?.n + 1 ? (state = patched(state, message.patch), draw()) : message.n > (state?.n ?? -1) && whole() : guard(page, () => view?.heard?.(message));
      },
      "change:state": () => {
        state = model.get("state"), draw();
      },
      "change:presenter": () => page.classList.toggle("kl-presenter", !!model.get("presenter"))
    }, listeners = Object.entries(heard).map(([event, fn]) => [event, (m) => guard(page, () => fn(m))]);
    for (let [event, listener] of listeners) model.on(event, listener);
    return heard["change:presenter"](), draw(), hearAll(model).catch(console.warn), model.get("live") && whole(), () => {
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
function roundStep(least) {
  let power = 10 ** Math.floor(Math.log10(least));
  return ([1, 2, 5].find((m) => m * power >= least * (1 - 1e-9)) ?? 10) * power;
}
function ticks(from, to, step) {
  let first = Math.ceil(from / step - 1e-9), last = Math.floor(to / step + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

// log/axis.js
var LEVELS = [30, 21, 15, 2, 0.2, 0.02, 2e-3, 2e-4], NEAREST_BARS = 3, FILLED = 0.8, GHOSTS = 4;
function pixels(level, scale = 1) {
  return LEVELS[level] * (level < NEAREST_BARS ? scale : 1);
}
function levelFor(length, width, scale = 1) {
  let found = LEVELS.findIndex((_, level) => level >= 1 && pixels(level, scale) * length <= width);
  return found < 0 ? LEVELS.length - 1 : found;
}
function visible(left, px, width) {
  return { from: Math.max(0, Math.floor(left)), to: Math.max(0, Math.ceil(left + width / px)) };
}
function followed(spans, cols, own) {
  let all = Object.values(spans);
  if (!all.length) return { lefts: {}, own: !1 };
  let ends = all.map((s) => s.end), last = Math.max(...ends), room = Math.floor(cols * FILLED), apart = last - Math.min(...ends) > (own ? room / 3 : room / 2) && last > room, first = Math.max(0, Math.min(...all.map((s) => s.start)) - GHOSTS), shared = Math.max(first, last - room);
  return { lefts: Object.fromEntries(Object.entries(spans).map(([p, s]) => [p, apart ? Math.max(0, Math.max(s.start - GHOSTS, s.end - room)) : shared])), own: apart };
}
function scrolled(lefts, spans, by, cols) {
  let lanes = Object.entries(spans);
  if (!lanes.length) return lefts;
  let lowest = Math.min(...lanes.map(([p, s]) => s.start - cols * 0.2 - (lefts[p] ?? 0))), highest = Math.max(...lanes.map(([p, s]) => s.end - cols * 0.2 - (lefts[p] ?? 0))), step = Math.min(Math.max(by, Math.min(0, lowest)), Math.max(0, highest));
  return Object.fromEntries(Object.entries(lefts).map(([p, left]) => [p, left + step]));
}
function centred(lefts, at, cols) {
  return Object.fromEntries(Object.entries(lefts).map(([p, left]) => {
    let offset = at(p);
    return [p, offset == null ? left : Math.max(-2, Math.round(offset - cols / 3))];
  }));
}
function zoomed(lefts, x, before, after) {
  return Object.fromEntries(Object.entries(lefts).map(([p, left]) => [p, left + x / before - x / after]));
}
function ticks2(from, to, px, apart = 70) {
  return ticks(from, to - 1, roundStep(Math.max(1, apart / px)));
}
function withEnds(round, lane, seen, px, apart) {
  let ends = lane.end > lane.start ? [lane.start, lane.end - 1].filter((at) => at >= seen.from && at < seen.to) : [];
  if (!ends.length) return round;
  ends.length === 2 && (ends[1] - ends[0]) * px < 8 * String(ends[1]).length && ends.shift();
  let far = round.filter((at) => at < lane.end && ends.every((end) => Math.abs(end - at) >= apart || at === end));
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
    let lane = this.lanes.get(p);
    return lane || this.lanes.set(p, lane = { cells: /* @__PURE__ */ new Map(), read: [], blank: [] }), lane;
  }
  /** Stores a window, `{from, to, cells, blank}`, in place of everything known about its offsets. */
  put(p, window) {
    if (window.to <= window.from) return;
    let lane = this.lane(p), now = new Map(window.cells.map((cell) => [cell[0], cell]));
    for (let offset = window.from; offset < window.to; offset++) {
      let cell = now.get(offset);
      cell ? lane.cells.set(offset, cell) : lane.cells.delete(offset);
    }
    lane.read = joinedRanges([...lane.read, [window.from, window.to]]);
    let rest = [...within(lane.blank, 0, window.from), ...within(lane.blank, window.to, 1 / 0)];
    lane.blank = window.blank || rest.length ? joinedRanges([...rest, ...window.blank ?? []]) : [];
  }
  /** Returns a record's cell; null when the offset holds no record, BLANK when it was not recorded, undefined when not read. */
  at(p, offset) {
    let lane = this.lanes.get(p);
    if (!lane) return;
    let cell = lane.cells.get(offset);
    return cell || (lane.blank.some(([from, to]) => from <= offset && offset < to) ? !1 : lane.read.some(([from, to]) => from <= offset && offset < to) ? null : void 0);
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
    let lane = this.lanes.get(p);
    if (!lane) return;
    let read = within(lane.read, start, end);
    if (!(read.length === lane.read.length && read.every(([a, b], i) => a === lane.read[i][0] && b === lane.read[i][1]))) {
      lane.read = read, lane.blank = within(lane.blank, start, end);
      for (let offset of lane.cells.keys()) (offset < start || offset >= end) && lane.cells.delete(offset);
    }
  }
  /** Forgets the cells that are far from from … to, once the lane has many. */
  prune(p, from, to) {
    let lane = this.lanes.get(p);
    if (!lane || lane.cells.size <= 3e3) return;
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
  let sorted = [...ranges].sort((a, b) => a[0] - b[0]), found = [];
  for (let [from, to] of sorted) {
    let last = found.at(-1);
    last && from <= last[1] ? last[1] = Math.max(last[1], to) : found.push([from, to]);
  }
  return found;
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
  want(windows, pad, shown) {
    this.wanted = windows, this.pad = pad;
    let lanes = shown.filter((p) => Number(p) >= 24).sort().join();
    lanes !== this.lanes && (this.lanes = lanes, this.ask({ do: "lanes", lanes: lanes ? lanes.split(",").map(Number) : [] })), this.timer || (this.timer = setTimeout(() => this.now(), 40));
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
    let news = !1;
    for (let [p, window] of Object.entries(message.windows))
      news ||= this.store.missing(p, window.from, window.to) !== null, this.store.put(p, window);
    message.id === this.id && (this.asked = 0, this.rest = news ? 0 : performance.now() + REST), this.arrived();
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
  drawHead(lane) {
    let was = this.headOf;
    if (was && ["leader", "alive", "start", "high", "end", "isr"].every((name) => was[name] === lane[name])) return;
    this.headOf = lane;
    let leader = lane.leader === null ? "no leader" : lane.alive ? `♛ ${lane.leader}` : `✕ ${lane.leader}`, span = lane.start === null || lane.end === null ? "offsets unknown" : lane.start === lane.end ? "empty" : `${brief(lane.start)} … ${brief(lane.end - 1)}`, said = lane.leader === null ? "no leader" : `leader ${lane.leader}`, exact = lane.start === null ? "" : `, log start ${count(lane.start)}, high watermark ${count(lane.high)}, log end ${count(lane.end)}`;
    this.head.replaceChildren(
      el("b", { class: "kl-log-p" }, `P${this.p}`),
      el("span", { class: "kl-log-leader", "aria-hidden": "true" }, leader),
      el("span", { class: "kl-log-span kl-soft", "aria-hidden": "true" }, span),
      el("span", { class: "kl-hidden" }, `${said}${exact}`)
    ), this.head.title = `partition ${this.p}: ${said}${exact}
replicas ${lane.replicas.join(", ")} · in sync ${lane.isr.join(", ") || "none"}`;
  }
  /** @param {any} lane @param {{ left: number, px: number, width: number, near: boolean, glide: boolean, fly: boolean }} place
   * @returns {{ from: number, to: number } | null} the offsets in view */
  draw(lane, place) {
    this.drawHead(lane);
    let before = this.lane;
    this.lane = lane;
    let known = lane.start !== null && lane.end !== null;
    if (this.node.classList.toggle("kl-log-unknown", !known), !known) {
      this.clear(), this.edge.hidden = !1, this.edge.textContent = lane.leader === null ? "no leader that could say what it holds" : "its leader does not answer";
      for (let node of [this.bar, this.high, this.stable]) node.hidden = !0;
      return this.ticks.replaceChildren(), null;
    }
    let seen = visible(place.left, place.px, place.width), x = (offset) => (offset - place.left) * place.px;
    return this.track.classList.toggle("kl-log-glide", place.glide), this.bar.hidden = place.near, place.near ? this.drawCells(lane, before, place, seen) : this.drawBar(lane, place, x), this.line(this.high, x(lane.high) - 1, place.width, !1), this.line(this.stable, x(lane.stable ?? 0) - 1, place.width, lane.stable === null), this.drawTicks(seen, place, x), this.drawEdge(lane, seen), seen;
  }
  line(node, at, width, hidden) {
    node.hidden = hidden || at < -4 || at > width + 4, node.style.transform = `translateX(${at}px)`;
  }
  clear() {
    for (let node of this.cells.values()) node.remove();
    this.cells.clear();
  }
  drawCells(lane, before, place, seen) {
    Math.abs(place.left - this.base) > 4e3 || this.px !== place.px ? (this.clear(), this.base = Math.floor(place.left), this.px = place.px, this.strip.classList.add("kl-log-still")) : this.strip.classList.remove("kl-log-still"), this.strip.style.transform = `translateX(${(this.base - place.left) * place.px}px)`;
    let from = Math.max(0, seen.from - 2), to = Math.min(lane.end, seen.to + 2);
    for (let [offset, node] of this.cells)
      offset >= from && offset < to || (node !== document.activeElement || offset >= lane.end || offset < from - 4) && (node.remove(), this.cells.delete(offset));
    let fresh = place.fly && before && lane.end - (before.end ?? 0) <= FLOCK ? before.end ?? 0 : 1 / 0;
    for (let offset = from; offset < to; offset++) this.drawCell(lane, before, offset, fresh);
  }
  drawCell(lane, before, offset, fresh) {
    let cell = this.store.at(this.p, offset), ghost = offset < lane.start, fate = cell?.[9]?.tx === void 0 ? null : outcome(this.store, this.p, cell, lane.end), kind = ghost ? "ghost" : cell === void 0 ? "unread" : cell === !1 ? "blank" : cell === null ? "hole" : cell[1], look = `${kind} ${offset >= lane.high} ${fate} ${cell === void 0 ? this.store.unread : ""}`, node = (
      /** @type {any} */
      this.cells.get(offset)
    );
    if (node && node.look === look && node.cell === cell) return;
    let was = node?.look;
    node || (node = el("div", { role: "gridcell", tabindex: "-1", "data-o": offset }), node.style.left = `${(offset - this.base) * this.px}px`, this.cells.set(offset, node), this.strip.append(node)), node.look = look, node.cell = cell;
    let classes = ["kl-log-cell", `kl-log-is-${kind}`];
    offset >= lane.high && classes.push("kl-log-pale"), fate && fate !== "committed" && classes.push(`kl-log-${fate}`), cell && cell[3] < 0 && classes.push("kl-log-nokey"), offset >= fresh && !ghost && !was && classes.push("kl-log-new"), ghost && was && before && offset >= (before.start ?? 0) && classes.push("kl-log-eaten"), node.className = classes.join(" "), node.style.setProperty("--kl-k", cell && cell[3] >= 0 ? keyColour(cell[3]) : "var(--kl-soft)");
    let sign = ghost || cell === void 0 || cell === !1 ? "" : cell === null ? "·" : shorten(cell[2], 4);
    node.textContent !== sign && (node.textContent = sign), node.classList.toggle("kl-log-long", sign.length > 2 || sign.length === 2 && /[mwMW@%]/.test(sign)), node.setAttribute("aria-label", sentence(this.p, offset, cell, lane, fate, this.store.unread));
  }
  drawBar(lane, place, x) {
    this.clear();
    let [a, b] = [Math.max(-2, x(lane.start)), Math.min(place.width + 2, x(lane.end))], h = Math.min(b, Math.max(a, x(lane.high)));
    this.bar.style.transform = `translateX(${a}px)`, this.bar.style.width = `${Math.max(2, b - a)}px`, this.bar.style.setProperty("--kl-committed", `${h - a}px`), this.bar.setAttribute("aria-label", `partition ${this.p}: ${count(lane.end - lane.start)} offsets, from ${count(lane.start)} to ${count(lane.end)}`), this.bar.classList.toggle("kl-log-open-left", a < 0);
  }
  drawTicks(seen, place, x) {
    let digits = String(Math.max(this.lane.end, 1e3)).length, room = (place.near ? 22 + 7 * digits : 64) * place.scale, round = ticks2(seen.from, Math.max(seen.from + 1, Math.min(seen.to, this.lane.end + 1)), place.px, room), wanted = place.near ? withEnds(round, this.lane, seen, place.px, room / place.px) : round, key = `${wanted.join()} ${place.near}`;
    this.ticks.dataset.key !== key && (this.ticks.dataset.key = key, this.ticks.replaceChildren(...wanted.map((offset) => el("span", { class: "kl-log-tick", "data-o": offset }, place.near ? count(offset) : brief(offset)))));
    for (
      let node of
      /** @type {any} */
      this.ticks.children
    ) node.style.transform = `translateX(${x(Number(node.dataset.o))}px)`;
  }
  // Tells where the log is when none of it is in view.
  drawEdge(lane, seen) {
    let words = lane.end === lane.start && lane.end >= seen.from && lane.end <= seen.to ? "empty" : "", away = lane.end <= seen.from && lane.end > 0 ? `◂ its log ends at ${count(lane.end)}` : lane.start >= seen.to ? `its log starts at ${count(lane.start)} ▸` : words;
    this.edge.hidden = !away, this.edge.textContent !== away && (this.edge.textContent = away), this.edge.classList.toggle("kl-log-right", away.endsWith("▸"));
  }
};
function lagOf(lane, committed) {
  return committed == null || lane.high === null ? null : Math.max(0, lane.high - committed);
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
  draw(lane, at, before, place) {
    let lag = lagOf(lane, at.committed), name = shorten(this.name, 28), words = at.committed === null ? `${name} · nothing committed yet` : `${name} · committed ${count(at.committed)} · lag ${lag === null ? "unknown" : count(lag)}`, member = at.member === null ? "nobody" : shorten(at.member, 24);
    this.words.textContent !== words && (this.words.textContent = words), this.member.textContent !== member && (this.member.textContent = member, this.member.title = at.member === null ? "no member of the group holds this partition" : `assigned to ${shorten(at.member, 200)}`, before && before.member !== at.member && this.handOver(before.member)), this.member.classList.toggle("kl-log-nobody", at.member === null), this.node.classList.toggle("kl-log-lagging", !!lag);
    let hidden = at.committed === null || lane.high === null || !place;
    if (this.lag.hidden = this.sign.hidden = hidden, hidden) {
      this.label.style.transform = "translateX(4px)";
      return;
    }
    let x = (at.committed - place.left) * place.px, spot = placed(x, (lane.high - place.left) * place.px, place.width, (words.length + member.length + 3) * 6.1 * place.scale);
    this.sign.textContent = spot.off === "left" ? "◂▲" : spot.off === "right" ? "▲▸" : "▲", this.sign.style.transform = `translateX(${spot.at}px) translateX(${spot.off === "left" ? "-4px" : spot.off === "right" ? "-100%" : "-50%"})`, this.lag.style.transform = `translateX(${spot.from}px)`, this.lag.style.width = `${spot.to - spot.from}px`;
    let gap = (spot.off ? 20 : 9) * place.scale;
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
  draw(offset, place) {
    let x = (offset - place.left) * place.px, said = `${x < -3 ? "◂ " : x > place.width + 1 ? "▸ " : ""}${shorten(this.name, 20)}`, who = (
      /** @type {HTMLElement} */
      this.node.firstChild
    );
    who.textContent !== said && (who.textContent = said), this.node.title = `${shorten(this.name, 100)} reads offset ${count(offset)} next`, this.node.style.transform = `translateX(${Math.min(Math.max(x, 4), place.width - 4)}px)`, this.node.classList.toggle("kl-log-at-right", x > place.width - 60 * place.scale);
  }
}, LaneMarks = class {
  constructor(p) {
    this.p = p, this.groups = /* @__PURE__ */ new Map(), this.positions = /* @__PURE__ */ new Map();
  }
  draw(lane, state, before, place, shown, under, above) {
    let groups = shown.filter((name) => state.groups[name]?.lanes[this.p]);
    sync(this.groups, groups, (name) => new GroupMark(name), under);
    for (let name of groups)
      /** @type {GroupMark} */
      this.groups.get(name).draw(lane, state.groups[name].lanes[this.p], before?.groups[name]?.lanes[this.p], place);
    let readers = place ? Object.keys(state.positions).filter((name) => state.positions[name][this.p] !== void 0) : [];
    sync(this.positions, readers, (name) => new PositionMark(name), above);
    for (let name of readers) this.positions.get(name)?.draw(state.positions[name][this.p], place);
  }
};
function sync(marks, names, make, parent) {
  for (let [name, mark] of marks)
    names.includes(name) || (mark.node.remove(), marks.delete(name));
  for (let name of names)
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
function sentence(p, offset, cell, lane, fate, unread = UNREAD) {
  let place = `partition ${p}, offset ${count(offset)}`;
  if (offset < lane.start) return `${place}: deleted, the log starts at ${count(lane.start)}`;
  if (offset >= lane.end) return `${place}: not written yet`;
  let pale = offset >= lane.high ? ", written but not committed yet" : "";
  if (cell === void 0) return `${place}: ${unread}${pale}`;
  if (cell === !1) return `${place}: not recorded`;
  if (cell === null) return `${place}: no record, it was compacted away`;
  if (KINDS[cell[1]]) return `${place}: ${KINDS[cell[1]]}`;
  let value = cell[5] === null ? "null, a tombstone" : shorten(cell[5], 120), transaction = fate === "aborted" ? ", of an aborted transaction" : fate === "open" ? ", of a transaction still open" : "", sign = cell[4] === null || cell[2] === cell[4] ? "" : `, drawn as ${shorten(cell[2], 4)}`;
  return `${place}: key ${shownKey(cell)}${sign}, value ${value}, ${when(cell[6])}, ${bytesOf(cell[7])}${transaction}${pale}`;
}
function card(p, offset, cell, lane, fate, unread = UNREAD) {
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
    el("div", { class: "kl-log-card-head" }, el("b", {}, `P${p} · offset ${count(offset)}`), el("span", { class: "kl-soft" }, standing(offset, cell, lane, unread))),
    rows.length ? el("dl", {}, rows) : null
  ];
}
function standing(offset, cell, lane, unread) {
  return offset < lane.start ? "deleted: before the log start" : cell === !1 ? "not recorded: what was here, the recording does not hold" : offset >= lane.high ? "written, not committed: a follower in the ISR lacks it" : cell === void 0 ? unread : cell === null ? "no record: compacted away" : "committed";
}

// log/bar.js
function logControls(does) {
  let name = el("strong", { class: "kl-name" }), sum = el("span", { class: "kl-soft kl-log-sum" }), follow = el("button", { type: "button", class: "kl-button kl-log-follow", onclick: does.follow, title: "stay at the end of the logs (f)" }), where = el("select", { class: "kl-select", "aria-label": "go to", onchange: () => {
    does.go(where.value), where.value = "";
  } }), offset = el("input", { class: "kl-select kl-log-offset", type: "number", min: "0", step: "1", placeholder: "offset", "aria-label": "offset to go to" }), jump = () => offset.value !== "" && does.go("offset", Number(offset.value));
  offset.addEventListener("keydown", (event) => {
    event.key === "Enter" && (event.preventDefault(), jump());
  });
  let form = el("span", { class: "kl-log-goto", role: "group", "aria-label": "go to an offset" }, offset, el("button", { type: "button", class: "kl-button", onclick: jump }, "go")), out = el("button", { type: "button", class: "kl-button", onclick: () => does.zoom(1), "aria-label": "zoom out", title: "zoom out (−)" }, "−"), near = el("button", { type: "button", class: "kl-button", onclick: () => does.zoom(-1), "aria-label": "zoom in", title: "zoom in (+)" }, "+"), group = el("select", { class: "kl-select", "aria-label": "groups shown", onchange: () => does.groups(group.value) }), alive = el("span", { class: "kl-log-live kl-soft" }), nodes = el(
    "div",
    { class: "kl-log-controls" },
    el("div", { class: "kl-log-about" }, name, sum, alive),
    el("div", { class: "kl-log-tools" }, group, follow, where, form, el("span", { class: "kl-log-zoom", role: "group", "aria-label": "zoom" }, out, near))
  ), offered = "", grouped = "";
  return {
    nodes,
    /** @param {any} state @param {any} place @param {{ live: boolean, farthest: number, chosen: string }} how */
    draw(state, place, how) {
      let lanes = Object.values(state.lanes), records = lanes.filter((lane) => lane.start !== null && lane.end !== null).reduce((all, lane) => all + lane.high - lane.start, 0);
      text(name, shorten(state.topic, 60)), text(sum, `${lanes.length} ${lanes.length === 1 ? "partition" : "partitions"} · ${count(records)} offsets${place.own ? " · each at its own end" : ""}`), sum.title = place.own ? "The logs end too far apart for one axis: each lane stands at its own end." : "All lanes share one axis of offsets.", follow.setAttribute("aria-pressed", String(place.follow)), text(follow, place.follow ? "● following the end" : "○ follow the end");
      let groups = Object.keys(state.groups).sort(), targets = [["", "go to…"], ["start", "log start"], ["end", "log end"], ...groups.map((g) => [`group:${g}`, `committed by ${shorten(g, 30)}`])];
      offered !== JSON.stringify(targets) && (offered = JSON.stringify(targets), where.replaceChildren(...targets.map(([value, words]) => el("option", { value }, words))));
      let key = JSON.stringify([groups, how.chosen]);
      grouped !== key && (grouped = key, group.replaceChildren(
        el("option", { value: "" }, groups.length === 1 ? "1 group" : `all ${groups.length} groups`),
        ...groups.map((g) => el("option", { value: g, selected: g === how.chosen }, shorten(g, 30)))
      )), group.hidden = groups.length < 2, near.setAttribute("aria-disabled", String(place.level === 0)), out.setAttribute("aria-disabled", String(place.level >= how.farthest)), text(alive, place.level >= NEAREST_BARS ? scaleWords(place.level) : state.error ? "not answering" : state.recorded ? "a recording" : how.live ? "● live" : state.at ? `a moment, ${clock.ofDay(state.at)}` : "a moment"), alive.classList.toggle("kl-log-on", how.live && !state.recorded && !state.error && place.level < NEAREST_BARS);
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
  constructor(go, page) {
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
      pages !== void 0 && (event.preventDefault(), event.stopPropagation(), page(pages));
    });
  }
  /** @param {any} state @param {Record<string, number>} lefts @param {number} cols @param {string[]} groups */
  draw(state, lefts, cols, groups) {
    let known = Object.entries(state.lanes).filter(([, lane]) => lane.start !== null && lane.end !== null);
    if (this.node.hidden = known.every(([p, lane]) => lane.start >= (lefts[p] ?? 0) - 1 && lane.end <= (lefts[p] ?? 0) + cols + 1), this.node.hidden) return;
    let low = Math.min(...known.map(([, lane]) => lane.start)), high = Math.max(...known.map(([, lane]) => lane.end), low + 1), first = low < high - low ? 0 : low;
    this.range = [first, high], this.first.textContent = brief(first), this.last.textContent = brief(high);
    let x = (offset) => 100 * (Math.min(Math.max(offset, first), high) - first) / (high - first), drawn = known.slice(0, MOST_ROWS);
    this.node.classList.toggle("kl-log-many", drawn.length > 16), this.keep(drawn.map(([p, lane]) => {
      let committed = groups.map((name) => state.groups[name]?.lanes[p]?.committed).filter((c) => c != null), least = committed.length ? Math.min(...committed) : lane.high, lag = lagOf(lane, least) ? [x(least), x(lane.high)] : null, left = lefts[p] ?? 0;
      return { p, log: [x(lane.start), x(lane.end)], lag, view: [x(left), x(left + cols)] };
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
function pan(grid, does) {
  let held = null, track = (event) => (
    /** @type {HTMLElement | null} */
    /** @type {HTMLElement} */
    event.target.closest(".kl-log-track")
  ), down = (event) => {
    event.button === 0 && track(event) && (held = { id: event.pointerId, x: event.clientX, moving: !1 });
  }, moved = (event) => {
    if (!held || event.pointerId !== held.id) return;
    let by = held.x - event.clientX;
    !held.moving && Math.abs(by) < 5 || (held.moving || grid.setPointerCapture?.(event.pointerId), held.moving = !0, held.x = event.clientX, does.shift(by));
  }, up = () => held = null, wheel = (event) => {
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
    [["pointerdown", down], ["pointermove", moved], ["pointerup", up], ["pointercancel", up]]
  );
  for (let [name, listener] of listeners) grid.addEventListener(name, listener);
  return grid.addEventListener("wheel", wheel, { passive: !1 }), () => {
    for (let [name, listener] of listeners) grid.removeEventListener(name, listener);
    grid.removeEventListener("wheel", wheel);
  };
}

// log/cursor.js
var LogCursor = class {
  /** @param {any} tools the parts of the view that log/view.js hands over */
  constructor(tools) {
    this.tools = tools, this.at = null, this.over = null, this.focused = !1, this.card = el("div", { class: "kl-log-card", hidden: !0, "aria-hidden": "true" }), tools.body.append(this.card);
    let { grid, page } = tools;
    grid.addEventListener("pointerover", (event) => this.point(event.target.closest?.(".kl-log-cell"))), grid.addEventListener("pointerleave", () => this.point(null)), grid.addEventListener("focusin", (event) => {
      this.focused = !0;
      let found = this.placeOf(event.target);
      found && (this.at = found), this.dismissed = !1, this.show();
    }), grid.addEventListener("focusout", (event) => {
      this.moving || grid.contains(event.relatedTarget) || (this.focused = !1, this.show());
    }), grid.addEventListener("keydown", (event) => guard(page, () => this.key(event))), page.addEventListener("keydown", (event) => {
      event.key === "Escape" && (this.dismissed = !0, this.show());
    });
  }
  placeOf(node) {
    let lane = node?.closest?.(".kl-log-lane"), offset = node?.dataset?.o;
    return lane && offset !== void 0 ? { p: lane.dataset.p, offset: Number(offset) } : null;
  }
  point(node) {
    this.over = node ? this.placeOf(node) : null, this.dismissed = !1, this.show();
  }
  key(event) {
    let { view, cols, near, setFollow, zoom, move, state } = this.tools;
    if (event.altKey || event.metaKey) return;
    let plain = { f: () => setFollow(!view.follow), "+": () => zoom(-1), "=": () => zoom(-1), "-": () => zoom(1) }[event.key], page = Math.max(1, Math.floor(cols()) - 2), along = { ArrowLeft: event.ctrlKey ? -10 : -1, ArrowRight: event.ctrlKey ? 10 : 1, PageUp: -page, PageDown: page }[event.key], across = { ArrowUp: -1, ArrowDown: 1 }[event.key], ends = event.key === "Home" || event.key === "End";
    if (!plain && along === void 0 && !across && !ends) return;
    if (event.preventDefault(), event.stopPropagation(), plain) return plain();
    if (across) return this.cross(across);
    if (!near()) return event.key === "Home" ? move(-1 / 0) : event.key === "End" ? move(1 / 0) : move(along / page);
    let at = this.at, lane = at && state().lanes[at.p];
    if (!lane || lane.start === null) return;
    let last = Math.max(lane.start, lane.end - 1), offset = event.key === "Home" ? lane.start : event.key === "End" ? last : at.offset + along;
    return this.go(at.p, Math.min(last, Math.max(lane.start, offset)));
  }
  // Moves to the lane above or below, to the offset at the same place there.
  cross(by) {
    let { lanes, state, view, near } = this.tools, order = [...lanes.keys()], from = this.at?.p ?? order[0], p = order[Math.min(order.length - 1, Math.max(0, order.indexOf(from) + by))], lane = state().lanes[p];
    if (!near() || lane.start === null) {
      lanes.get(p).lane.bar.focus(), this.at = { p, offset: this.at?.offset ?? 0 };
      return;
    }
    let x = (this.at?.offset ?? 0) - (view.lefts[from] ?? 0), offset = Math.min(Math.max(lane.start, lane.end - 1), Math.max(lane.start, Math.round((view.lefts[p] ?? 0) + x)));
    this.go(p, offset);
  }
  /** Brings an offset into view and puts the focus on it. */
  go(p, offset) {
    let { view, lanes, cols, paint } = this.tools;
    view.follow = !1;
    let left = view.lefts[p] ?? 0, by = offset < left + 1 ? offset - left - Math.min(4, cols() / 4) : offset > left + cols() - 3 ? offset - left - cols() + Math.min(6, cols() / 3) : 0;
    by && (view.lefts = Object.fromEntries(Object.entries(view.lefts).map(([q, l]) => [q, Math.round(l + by)]))), this.at = { p, offset }, this.moving = !0, paint(!1), lanes.get(p)?.lane.cells.get(offset)?.focus({ preventScroll: !0 }), lanes.get(p)?.lane.node.scrollIntoView({ block: "nearest" }), this.moving = !1, this.show();
  }
  /** Runs after every painting: makes one cell reachable by Tab, and keeps the focus when the focused cell has left. */
  drawn() {
    let { lanes, near, state, grid } = this.tools, first = [...lanes.keys()][0];
    if (first === void 0) return;
    (!this.at || !lanes.has(this.at.p)) && (this.at = { p: first, offset: Math.max(0, (state().lanes[first].high ?? 1) - 1) });
    let lane = lanes.get(this.at.p).lane, node = near() ? lane.cells.get(this.at.offset) : lane.bar;
    if (near() && !node) {
      let there = [...lane.cells.keys()].filter((offset) => offset >= (lane.lane?.start ?? 0)), nearest = there.length ? this.at.offset < Math.min(...there) ? Math.min(...there) : Math.max(...there) : void 0;
      nearest !== void 0 && (node = lane.cells.get(nearest), this.at = { p: this.at.p, offset: nearest });
    }
    this.tab !== node && (this.tab?.setAttribute("tabindex", "-1"), node?.setAttribute("tabindex", "0"), this.tab = node), this.focused && !this.moving && !grid.contains(document.activeElement) && node?.focus({ preventScroll: !0 }), this.show();
  }
  show() {
    let { lanes, state, store, near, body, view, px } = this.tools, at = this.over ?? (this.focused ? this.at : null), lane = at && state()?.lanes[at.p], row = at && lanes.get(at.p)?.lane;
    if (!at || !lane || !row || lane.start === null || !near() || this.dismissed || at.offset >= lane.end) {
      this.card.hidden = !0, this.shown = null;
      return;
    }
    let cell = store.at(at.p, at.offset), fate = cell ? outcome(store, at.p, cell, lane.end) : null, key = `${at.p} ${at.offset} ${fate} ${at.offset >= lane.high} ${at.offset < lane.start} ${store.unread}`;
    (this.shown !== key || this.shownCell !== cell) && (this.shown = key, this.shownCell = cell, this.card.replaceChildren(...card(at.p, at.offset, cell, lane, fate, store.unread).filter((node) => node !== null))), this.card.hidden = !1;
    let box = body.getBoundingClientRect(), x = row.track.getBoundingClientRect().left - box.left + (at.offset - (view.lefts[at.p] ?? 0) + 0.5) * px(), left = Math.min(Math.max(4, x - this.card.offsetWidth / 2), Math.max(4, box.width - this.card.offsetWidth - 4)), cells = row.strip.parentElement.getBoundingClientRect(), below = cells.bottom - box.top + 8, above = cells.top - box.top - this.card.offsetHeight - 8;
    this.card.style.left = `${left}px`, this.card.style.top = `${below + this.card.offsetHeight > box.height && above > 0 ? above : below}px`;
  }
};

// log/view.js
var GROUPS_DRAWN = 4;
function build(page, { model, ask }) {
  let store = new LogStore(), asks = () => !!(model.get("live") || state?.recorded);
  model.get("live") || (store.unread = ABSENT);
  let asker = new LogAsker(store, ask, () => paint(!1)), view = { follow: !0, lefts: (
    /** @type {Record<string, number>} */
    {}
  ), level: 1, own: !1, width: 800, scale: 1, chosen: "" }, lanes = /* @__PURE__ */ new Map(), inView = /* @__PURE__ */ new Set(), state, queued = 0, stale = !0, notice = el("div", {}), said = el("div", { class: "kl-hidden", "aria-live": "polite" }), grid = el("div", { class: "kl-log-lanes", role: "grid", "aria-label": "records by partition and offset", "aria-describedby": "" }), body = el("div", { class: "kl-log-body" }, grid), more = el("p", { class: "kl-soft kl-log-more", hidden: !0 }), controls = logControls({
    follow: () => setFollow(!view.follow),
    zoom,
    go,
    groups: (name) => {
      view.chosen = name, paint(!1);
    }
  }), overview = new LogOverview((offset) => go("offset", offset), (pages) => move(pages)), foot = el("div", {});
  page.append(notice, controls.nodes, overview.node, body, more, said, foot);
  let spans = () => (
    /** @type {Record<string, import("./axis.js").Span>} */
    Object.fromEntries(Object.entries(state?.lanes ?? {}).filter(([, lane]) => lane.start !== null && lane.end !== null))
  ), px = () => pixels(view.level, view.scale), cols = () => Math.max(4, view.width / px()), near = () => view.level < NEAREST_BARS, tools = { page, body, grid, store, view, lanes, px, cols, near, spans, state: () => state, paint, setFollow, zoom, move }, cursor = new LogCursor(tools);
  function setFollow(on) {
    view.follow = on, paint(on);
  }
  function move(pages) {
    if (pages === 1 / 0) return setFollow(!0);
    if (pages === -1 / 0) return go("start");
    shift(pages * (cols() - 2));
  }
  function shift(offsets) {
    view.follow = !1, view.lefts = scrolled(view.lefts, spans(), offsets, cols()), later();
  }
  function go(where, offset = 0) {
    if (!where) return;
    if (where === "end") return setFollow(!0);
    view.follow = !1, view.own = where !== "offset";
    let all = spans();
    where === "start" ? view.lefts = Object.fromEntries(Object.entries(all).map(([p, s]) => [p, Math.max(-1, s.start - 3)])) : where === "offset" ? view.lefts = centred(Object.fromEntries(Object.keys(all).map((p) => [p, 0])), () => offset, cols()) : view.lefts = centred(view.lefts, (p) => state.groups[where.slice(6)]?.lanes[p]?.committed, cols()), later();
  }
  let whole = () => levelFor(Math.max(1, ...Object.values(spans()).map((s) => s.end - s.start)), view.width * 0.8, view.scale), farthest = () => Math.max(NEAREST_BARS, whole());
  function zoom(by, x = view.follow ? view.width * 0.8 : view.width / 2) {
    let level = Math.min(farthest(), Math.max(0, view.level + by));
    if (level === view.level) return;
    let before = px();
    view.level = level, view.follow || (view.lefts = zoomed(view.lefts, x, before, px())), near() && (view.lefts = Object.fromEntries(Object.entries(view.lefts).map(([p, left]) => [p, Math.round(left)]))), paint(!1);
  }
  function later() {
    queued || (queued = requestAnimationFrame(() => {
      queued = 0, guard(page, () => paint(!1));
    }));
  }
  function sync2() {
    for (let [p, row] of lanes)
      state.lanes[p] || (seen.unobserve(row.lane.node), row.lane.node.remove(), lanes.delete(p), inView.delete(p));
    for (let p of Object.keys(state.lanes)) {
      if (lanes.has(p)) continue;
      let lane = new LogLane(p, store);
      lanes.set(p, { lane, marks: new LaneMarks(p) }), lanes.size <= 16 && inView.add(p), grid.append(lane.node), seen.observe(lane.node);
    }
    if (grid.setAttribute("aria-rowcount", String(lanes.size)), !stale) return;
    view.scale = scaleOf(page);
    let width = lanes.values().next().value?.lane.track.clientWidth ?? 0;
    stale = !width, view.width = width || view.width;
  }
  function paint(glide, before = state) {
    if (!state) return;
    sync2();
    let all = spans(), was = view.lefts;
    view.follow && Object.assign(view, followed(all, cols(), view.own));
    let fallback = Math.max(0, ...Object.values(view.lefts));
    view.lefts = Object.fromEntries(Object.keys(all).map((p) => [p, view.lefts[p] ?? fallback]));
    let still = reducedMotion(), groups = view.chosen ? [view.chosen] : Object.keys(state.groups).sort().slice(0, GROUPS_DRAWN), windows = {};
    for (let [p, { lane, marks }] of lanes) {
      if (!inView.has(p)) {
        lane.drawHead(state.lanes[p]);
        continue;
      }
      let left = view.lefts[p] ?? 0, glides = glide && !still && was[p] !== void 0 && Math.abs(left - was[p]) < cols(), place = { left, px: px(), width: view.width, scale: view.scale, near: near(), glide: glides, fly: glide && !still }, now = state.lanes[p], span = lane.draw(now, place);
      marks.draw(now, state, before, span ? place : null, groups, lane.marks, lane.ticks.parentElement), span && near() && (windows[p] = [Math.max(now.start ?? 0, span.from), Math.min(now.high ?? 0, span.to)]);
    }
    for (let level = 0; level < NEAREST_BARS; level++) grid.classList.toggle(`kl-log-level-${level}`, level === view.level);
    controls.draw(state, view, { live: model.get("live"), farthest: farthest(), chosen: view.chosen }), overview.draw(state, view.lefts, cols(), groups);
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
  sized.observe(page), sized.observe(grid);
  let stopPan = pan(grid, { shift: (x) => shift(x / px()), zoom: (by, x) => zoom(by, x) });
  return {
    draw(next, before) {
      state = next;
      for (let [p, lane] of Object.entries(state.lanes)) learn(store, p, lane, before?.lanes[p], state.tails[p], before?.tails[p], state.recorded);
      page.setAttribute("aria-label", `Logs of topic ${shorten(state.topic, 80)}`), changed(state, before, "recorded") && foot.replaceChildren(signs(state.recorded)), changed(state, before, "error") && notice.replaceChildren(...[trouble(state.error)].flat()), page.classList.toggle("kl-stale", !!state.error);
      let none = !Object.keys(state.lanes).length;
      grid.classList.toggle("kl-log-none", none), grid.dataset.none = none ? state.looked ? state.found ? "no partitions" : `there is no topic ${shorten(state.topic, 60)} yet` : "looking at the cluster…" : "", !before && Object.keys(state.lanes).length && firstLevel(), paint(!!before, before ?? null);
      let news = told(state, before);
      news && (said.textContent = news);
    },
    heard: (message) => asker.heard(message),
    end() {
      for (let watch of [seen, sized]) watch.disconnect();
      cancelAnimationFrame(queued), asker.end(), stopPan();
    }
  };
  function firstLevel() {
    model.get("live") || Object.keys(state.tails).length || (sync2(), view.level = whole());
  }
}
function learn(store, p, lane, was, tail, tailWas, recorded) {
  let shorter = was !== void 0 && (lane.end ?? 0) < (was.end ?? 0), other = was && (lane.leader !== was.leader || lane.epoch !== was.epoch);
  recorded && other && store.cut(p, 0, 0), was && lane.high !== null && was.high !== null && (other || shorter) && store.cut(p, 0, Math.min(was.high, lane.high)), lane.start !== null && lane.start !== was?.start && store.cut(p, lane.start, 1 / 0), tail && (tail !== tailWas || other || shorter || lane.start !== was?.start) && store.put(p, tail);
}
function told(state, before) {
  if (!before) return "";
  let news = [];
  for (let [name, group] of Object.entries(state.groups)) {
    let moved = Object.entries(group.lanes).filter(([p, at]) => before.groups[name]?.lanes[p] && before.groups[name].lanes[p].member !== at.member);
    moved.length && news.push(`Group ${shorten(name, 40)}: ${moved.slice(0, 12).map(([p, at]) => `partition ${p} to ${at.member === null ? "nobody" : shorten(at.member, 30)}`).join(", ")}.`);
  }
  for (let [p, lane] of Object.entries(state.lanes)) {
    let was = before.lanes[p];
    was && was.leader !== lane.leader && news.push(`Partition ${p}: ${lane.leader === null ? "no leader" : `leader ${lane.leader}`}.`), was && was.start !== null && (lane.start ?? 0) > was.start && news.push(`Partition ${p}: deleted up to offset ${count(lane.start ?? 0)}.`);
  }
  return news.slice(0, 6).join(" ");
}
function signs(recorded) {
  let cell = (classes, sign = "") => el("span", { class: `kl-log-cell kl-log-sample ${classes}`, style: { "--kl-k": keyColour(0) } }, sign);
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
var view_default = { render: live("log", "Logs", build) };
export {
  view_default as default
};
