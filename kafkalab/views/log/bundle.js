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
function legend(signs2) {
  return el(
    "ul",
    { class: "kl-legend", "aria-label": "legend" },
    signs2.map(([sign, meaning]) => el("li", {}, el("span", { class: "kl-sign", "aria-hidden": "true" }, sign), " ", meaning))
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
function changed(now, before, ...names) {
  return !before || names.some((name) => now[name] !== before[name]);
}
function pan(box, trackOf, does) {
  let held = null;
  box.addEventListener("pointerdown", (event) => {
    if (event.button === 0 && trackOf(event)) held = { id: event.pointerId, x: event.clientX, moving: false };
  });
  box.addEventListener("pointermove", (event) => {
    if (!(event.buttons & 1)) held = null;
    if (!held || event.pointerId !== held.id) return;
    const by = held.x - event.clientX;
    if (!held.moving && Math.abs(by) < 5) return;
    if (!held.moving) box.setPointerCapture?.(event.pointerId);
    held = { ...held, x: event.clientX, moving: true };
    does.shift(by);
  });
  for (const end of ["pointerup", "pointercancel"]) box.addEventListener(end, () => {
    held = null;
  });
  box.addEventListener("wheel", (event) => {
    const track = trackOf(event);
    const zooms = event.ctrlKey || event.metaKey;
    const along = event.shiftKey ? event.deltaX || event.deltaY : Math.abs(event.deltaX) > Math.abs(event.deltaY) ? event.deltaX : 0;
    if (!track || !(zooms || along)) return;
    event.preventDefault();
    if (!zooms) does.shift(along);
    else if (Math.abs(event.deltaY) > 2) does.zoom(Math.sign(event.deltaY), event.clientX - track.getBoundingClientRect().left);
  }, { passive: false });
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

// axis.ts
function roundStep(least) {
  const power = 10 ** Math.floor(Math.log10(least));
  return ([1, 2, 5].find((m) => m * power >= least * (1 - 1e-9)) ?? 10) * power;
}
function ticks(from, to, step) {
  const first = Math.ceil(from / step - 1e-9), last = Math.floor(to / step + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

// log/axis.ts
var LEVELS = [30, 21, 15, 2, 0.2, 0.02, 2e-3, 2e-4];
var NEAREST_BARS = 3;
var FILLED = 0.8;
var GHOSTS = 4;
function known(lane) {
  return lane.start !== null && lane.end !== null;
}
function each(lefts, to) {
  return Object.fromEntries(Object.entries(lefts).map(([p, left]) => [p, to(left, p)]));
}
function pixels(level, scale = 1) {
  return LEVELS[level] * (level < NEAREST_BARS ? scale : 1);
}
function levelFor(length, width, scale = 1) {
  const found = LEVELS.findIndex((_, level) => level >= 1 && pixels(level, scale) * length <= width);
  return found < 0 ? LEVELS.length - 1 : found;
}
function visible(left, px, width) {
  return { from: Math.max(0, Math.floor(left)), to: Math.max(0, Math.ceil(left + width / px)) };
}
function followed(spans, cols, own) {
  const all = Object.values(spans);
  if (!all.length) return { lefts: {}, own: false };
  const ends = all.map((s) => s.end);
  const last = Math.max(...ends);
  const room = Math.floor(cols * FILLED);
  const apart = last - Math.min(...ends) > (own ? room / 3 : room / 2) && last > room;
  const first = Math.max(0, Math.min(...all.map((s) => s.start)) - GHOSTS);
  const shared = Math.max(first, last - room);
  const lefts = Object.fromEntries(Object.entries(spans).map(([p, s]) => [p, apart ? Math.max(0, s.start - GHOSTS, s.end - room) : shared]));
  return { lefts, own: apart };
}
function scrolled(lefts, spans, by, cols) {
  const lanes = Object.entries(spans);
  if (!lanes.length) return lefts;
  const lowest = Math.min(...lanes.map(([p, s]) => s.start - cols * 0.2 - (lefts[p] ?? 0)));
  const highest = Math.max(...lanes.map(([p, s]) => s.end - cols * 0.2 - (lefts[p] ?? 0)));
  const step = Math.min(Math.max(by, Math.min(0, lowest)), Math.max(0, highest));
  return each(lefts, (left) => left + step);
}
function centred(lefts, at, cols) {
  return each(lefts, (left, p) => {
    const offset = at(p) ?? null;
    return offset === null ? left : Math.max(-2, Math.round(offset - cols / 3));
  });
}
function zoomed(lefts, x, before, after) {
  return each(lefts, (left) => left + x / before - x / after);
}
function ticks2(from, to, px, apart = 70) {
  return ticks(from, to - 1, roundStep(Math.max(1, apart / px)));
}
function withEnds(round, lane, seen, px, apart) {
  const ends = lane.end > lane.start ? [lane.start, lane.end - 1].filter((at) => at >= seen.from && at < seen.to) : [];
  if (!ends.length) return round;
  if (ends.length === 2 && (ends[1] - ends[0]) * px < 8 * String(ends[1]).length) ends.shift();
  const far = round.filter((at) => at < lane.end && ends.every((end) => Math.abs(end - at) >= apart || at === end));
  return [.../* @__PURE__ */ new Set([...far, ...ends])].sort((a, b) => a - b);
}
function brief(n) {
  if (n < 1e5) return count(n);
  if (n < 1e6) return `${Math.round(n / 1e3)} k`;
  return `${(n / 1e6).toFixed(n < 1e7 ? 2 : 1)} M`;
}

// log/bar.ts
function logControls(does) {
  const name = el("strong", { class: "kl-name" });
  const sum = el("span", { class: "kl-soft kl-log-sum" });
  const follow = el("button", { type: "button", class: "kl-button kl-log-follow", onclick: does.follow, title: "stay at the end of the logs (f)" });
  const where = el("select", { class: "kl-select", "aria-label": "go to", onchange: () => {
    does.go(where.value);
    where.value = "";
  } });
  const offset = el("input", { class: "kl-select kl-log-offset", type: "number", min: "0", step: "1", placeholder: "offset", "aria-label": "offset to go to" });
  const jump = () => offset.value !== "" && does.go("offset", Number(offset.value));
  offset.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    jump();
  });
  const form = el("span", { class: "kl-log-goto", role: "group", "aria-label": "go to an offset" }, offset, el("button", { type: "button", class: "kl-button", onclick: jump }, "go"));
  const out = el("button", { type: "button", class: "kl-button", onclick: () => does.zoom(1), "aria-label": "zoom out", title: "zoom out (−)" }, "−");
  const near = el("button", { type: "button", class: "kl-button", onclick: () => does.zoom(-1), "aria-label": "zoom in", title: "zoom in (+)" }, "+");
  const group = el("select", { class: "kl-select", "aria-label": "groups shown", onchange: () => does.groups(group.value) });
  const alive = el("span", { class: "kl-log-live kl-soft" });
  const nodes = el(
    "div",
    { class: "kl-log-controls" },
    el("div", { class: "kl-log-about" }, name, sum, alive),
    el("div", { class: "kl-log-tools" }, group, follow, where, form, el("span", { class: "kl-log-zoom", role: "group", "aria-label": "zoom" }, out, near))
  );
  const isNews = news();
  return {
    nodes,
    draw(state, how) {
      const lanes = Object.values(state.lanes);
      const offsets = lanes.filter(known).reduce((all, lane) => all + lane.high - lane.start, 0);
      write(name, shorten(state.topic, 60));
      write(sum, `${lanes.length} ${lanes.length === 1 ? "partition" : "partitions"} · ${count(offsets)} offsets${how.own ? " · each at its own end" : ""}`);
      sum.title = how.own ? "The logs end too far apart for one axis: each lane stands at its own end." : "All lanes share one axis of offsets.";
      follow.setAttribute("aria-pressed", String(how.follow));
      write(follow, how.follow ? "● following the end" : "○ follow the end");
      const groups = Object.keys(state.groups).sort();
      if (isNews(JSON.stringify(groups), how.chosen)) {
        const targets = [["", "go to…"], ["start", "log start"], ["end", "log end"], ...groups.map((g) => [`group:${g}`, `committed by ${shorten(g, 30)}`])];
        where.replaceChildren(...targets.map(([value, words]) => el("option", { value }, words)));
        group.replaceChildren(
          el("option", { value: "" }, groups.length === 1 ? "1 group" : `all ${groups.length} groups`),
          ...groups.map((g) => el("option", { value: g, selected: g === how.chosen }, shorten(g, 30)))
        );
      }
      group.hidden = groups.length < 2;
      near.setAttribute("aria-disabled", String(how.level === 0));
      out.setAttribute("aria-disabled", String(how.level >= how.farthest));
      const far = how.level >= NEAREST_BARS;
      const when2 = state.at ? `a moment, ${clock.ofDay(state.at)}` : "a moment";
      write(alive, far ? scaleWords(how.level) : state.error ? "not answering" : state.recorded ? "a recording" : how.live ? "● live" : when2);
      alive.classList.toggle("kl-log-on", how.live && !state.recorded && !state.error && !far);
    }
  };
}
function scaleWords(level) {
  const each2 = 1 / LEVELS[level];
  return each2 < 1 ? "from afar: no single records" : `a pixel is ${count(Math.round(each2))} offsets`;
}
function write(node, words) {
  if (node.textContent !== words) node.textContent = words;
}

// log/store.ts
var KEPT = 3e3;
var BLANK = false;
var UNREAD = "not read yet";
var ABSENT = "not in this picture";
var LogStore = class {
  constructor() {
    this.lanes = /* @__PURE__ */ new Map();
    /** The words for offsets that were not read. */
    this.unread = UNREAD;
  }
  /** Stores a window in place of everything known about its offsets. */
  put(p, window) {
    const lane = this.lanes.get(p) ?? /* @__PURE__ */ new Map();
    this.lanes.set(p, lane);
    for (let offset = window.from; offset < window.to; offset++) lane.set(offset, null);
    for (const [from, to] of window.blank ?? []) for (let offset = from; offset < to; offset++) lane.set(offset, BLANK);
    for (const cell of window.cells) lane.set(cell[0], cell);
  }
  at(p, offset) {
    return this.lanes.get(p)?.get(offset);
  }
  /** Returns the smallest range in from … to that holds every unread offset; null if all were read. */
  missing(p, from, to) {
    const read = (offset) => this.at(p, offset) !== void 0;
    while (from < to && read(from)) from++;
    while (from < to && read(to - 1)) to--;
    return from < to ? [from, to] : null;
  }
  /** Forgets offsets outside start … end, because the log was truncated at `end` or now begins at `start`. */
  cut(p, start, end) {
    const lane = this.lanes.get(p);
    for (const offset of lane?.keys() ?? []) if (offset < start || offset >= end) lane?.delete(offset);
  }
  /** Forgets the cells that are far from from … to, once the lane has many. */
  prune(p, { from, to }) {
    if ((this.lanes.get(p)?.size ?? 0) > KEPT) this.cut(p, from - (to - from), to + (to - from));
  }
};
function outcome(store, p, found, end) {
  if (!found) return null;
  const [at, kind, , , , , , , , more] = found;
  if (more?.tx === void 0 || kind === "c" || kind === "a") return null;
  for (let offset = at + 1; offset < Math.min(end, at + 500); offset++) {
    const later = store.at(p, offset);
    if (later && later[9]?.tx === more.tx && (later[1] === "c" || later[1] === "a")) return later[1] === "c" ? "committed" : "aborted";
  }
  return "open";
}
var PATIENCE = 3e3;
var REST = 1500;
var LogAsker = class {
  constructor(store, ask, arrived) {
    this.store = store;
    this.ask = ask;
    this.arrived = arrived;
    this.id = 0;
    this.asked = 0;
    // the time of the open question; 0 when there is none
    this.rest = 0;
    this.lanes = "";
    this.pad = 0;
    this.wanted = {};
  }
  /** @param windows the offsets in view
   * @param pad offsets to ask for beyond them, on both sides
   * @param shown the lanes in view */
  want(windows, pad, shown) {
    this.wanted = windows;
    this.pad = pad;
    const lanes = shown.filter((p) => Number(p) >= 24).map(Number).sort((a, b) => a - b);
    if (lanes.join() !== this.lanes) {
      this.lanes = lanes.join();
      this.ask({ do: "lanes", lanes });
    }
    this.timer ??= setTimeout(() => this.now(), 40);
  }
  now() {
    clearTimeout(this.timer);
    this.timer = void 0;
    const time = performance.now();
    const wait = Math.max(this.asked ? this.asked + PATIENCE - time : 0, this.rest - time);
    const windows = {};
    for (const [p, seen] of Object.entries(this.wanted)) {
      const wide = this.store.missing(p, seen.from, seen.to) && this.store.missing(p, Math.max(0, seen.from - this.pad), seen.to + this.pad);
      if (wide) windows[p] = wide;
      this.store.prune(p, seen);
    }
    if (!Object.keys(windows).length) return;
    if (wait > 0) {
      this.timer = setTimeout(() => this.now(), wait);
      return;
    }
    this.asked = time;
    clearTimeout(this.silence);
    this.silence = setTimeout(() => {
      this.store.unread = ABSENT;
      this.arrived();
    }, PATIENCE);
    this.ask({ do: "look", windows, id: ++this.id });
  }
  heard(message) {
    if (!message?.windows) return;
    clearTimeout(this.silence);
    this.store.unread = UNREAD;
    let news2 = false;
    for (const [p, window] of Object.entries(message.windows)) {
      news2 ||= this.store.missing(p, window.from, window.to) !== null;
      this.store.put(p, window);
    }
    if (message.id === this.id) {
      this.asked = 0;
      this.rest = news2 ? 0 : performance.now() + REST;
    }
    this.arrived();
  }
  end() {
    clearTimeout(this.timer);
    clearTimeout(this.silence);
    this.wanted = {};
  }
};

// log/lane.ts
var FLOCK = 14;
var LogLane = class {
  constructor(p, store) {
    this.p = p;
    this.store = store;
    this.base = 0;
    this.px = 0;
    this.cells = /* @__PURE__ */ new Map();
    this.strip = el("div", { class: "kl-log-strip" });
    this.bar = el("div", { class: "kl-log-bar", role: "gridcell", tabindex: "-1", hidden: true });
    this.high = el("div", { class: "kl-log-high", "aria-hidden": "true" });
    this.stable = el("div", { class: "kl-log-stable", "aria-hidden": "true", hidden: true });
    this.ticks = el("div", { class: "kl-log-ticks", "aria-hidden": "true" });
    this.edge = el("div", { class: "kl-log-edge kl-soft", hidden: true });
    this.marks = el("div", { class: "kl-log-marks" });
    this.readers = el("div", { class: "kl-log-readers" });
    this.track = el(
      "div",
      { class: "kl-log-track", role: "presentation" },
      this.readers,
      this.ticks,
      el("div", { class: "kl-log-cells", role: "presentation" }, this.strip, this.bar, this.high, this.stable, this.edge),
      this.marks
    );
    this.head = el("div", { class: "kl-log-head", role: "rowheader" });
    this.node = el("div", { class: "kl-log-lane", role: "row" }, this.head, this.track);
    this.drawMarks = keeper(this.marks, ({ name }) => name, ({ name }) => groupMark(name));
    this.drawReaders = keeper(this.readers, ({ name }) => name, ({ name }) => positionMark(name));
    this.node.dataset.p = p;
    this.node.style.setProperty("--kl-c", partitionColour(Number(p)));
  }
  /** Draws the lane's head: the partition's leader, and the first and last offset of its log. */
  drawHead(lane) {
    const was = this.headOf;
    if (was && ["leader", "alive", "start", "high", "end", "isr"].every((name) => was[name] === lane[name])) return;
    this.headOf = lane;
    const { leader, start, end } = lane;
    const sign = leader === null ? "no leader" : lane.alive ? `♛ ${leader}` : `✕ ${leader}`;
    const span = !known(lane) ? "offsets unknown" : start === end ? "empty" : `${brief(lane.start)} … ${brief(lane.end - 1)}`;
    const exact = known(lane) ? `, log start ${count(lane.start)}, high watermark ${count(lane.high)}, log end ${count(lane.end)}` : "";
    const said = `${leader === null ? "no leader" : `leader ${leader}`}${exact}`;
    this.head.replaceChildren(
      el("b", { class: "kl-log-p" }, `P${this.p}`),
      el("span", { class: "kl-log-leader", "aria-hidden": "true" }, sign),
      el("span", { class: "kl-log-span kl-soft", "aria-hidden": "true" }, span),
      el("span", { class: "kl-hidden" }, said)
    );
    this.head.title = `partition ${this.p}: ${said}
replicas ${lane.replicas.join(", ")} · in sync ${lane.isr.join(", ") || "none"}`;
  }
  /** Draws the lane with the marks of groups and readers; returns the offsets in view. */
  draw(state, groups, place) {
    const lane = state.lanes[this.p];
    this.drawHead(lane);
    const before = this.lane;
    this.lane = lane;
    const marks = groups.filter((name) => state.groups[name]?.[this.p]).map((name) => ({ name, at: state.groups[name][this.p], lane, place }));
    const readers = Object.entries(state.positions).filter(([, at]) => at[this.p] !== void 0).map(([name, at]) => ({ name, offset: at[this.p], place }));
    this.drawMarks(marks);
    this.drawReaders(known(lane) ? readers : []);
    this.node.classList.toggle("kl-log-unknown", !known(lane));
    if (!known(lane)) {
      this.clear();
      this.edge.hidden = false;
      write(this.edge, lane.leader === null ? "no leader that could say what it holds" : "its leader does not answer");
      for (const node of [this.bar, this.high, this.stable]) node.hidden = true;
      this.ticks.replaceChildren();
      return null;
    }
    const seen = visible(place.left, place.px, place.width);
    const x = (offset) => (offset - place.left) * place.px;
    this.track.classList.toggle("kl-log-glide", place.glide);
    this.bar.hidden = place.near;
    if (place.near) this.drawCells(lane, before, place, seen);
    else this.drawBar(lane, place, x);
    this.line(this.high, x(lane.high) - 1, place.width);
    this.line(this.stable, x(lane.stable ?? NaN) - 1, place.width);
    this.drawTicks(lane, seen, place, x);
    this.drawEdge(lane, seen);
    return seen;
  }
  line(node, at, width) {
    node.hidden = !(at >= -4 && at <= width + 4);
    node.style.transform = `translateX(${at}px)`;
  }
  clear() {
    for (const node of this.cells.values()) node.remove();
    this.cells.clear();
  }
  drawCells(lane, before, place, seen) {
    const anew = Math.abs(place.left - this.base) > 4e3 || this.px !== place.px;
    if (anew) {
      this.clear();
      this.base = Math.floor(place.left);
      this.px = place.px;
    }
    this.strip.classList.toggle("kl-log-still", anew);
    this.strip.style.transform = `translateX(${(this.base - place.left) * place.px}px)`;
    const from = Math.max(0, seen.from - 2);
    const to = Math.min(lane.end, seen.to + 2);
    for (const [offset, node] of this.cells) {
      if (offset >= from && offset < to) continue;
      if (node !== document.activeElement || offset >= lane.end || offset < from - 4) {
        node.remove();
        this.cells.delete(offset);
      }
    }
    const fresh = place.fly && before && lane.end - (before.end ?? 0) <= FLOCK ? before.end ?? 0 : Infinity;
    for (let offset = from; offset < to; offset++) this.drawCell(lane, before, offset, fresh);
  }
  drawCell(lane, before, offset, fresh) {
    const { p, store } = this;
    const cell = store.at(p, offset);
    const ghost = offset < lane.start;
    const fate = outcome(store, p, cell, lane.end);
    const kind = ghost ? "ghost" : cell === void 0 ? "unread" : cell === BLANK ? "blank" : cell === null ? "hole" : cell[1];
    const look = `${kind} ${offset >= lane.high} ${fate} ${cell === void 0 ? store.unread : ""}`;
    const node = this.cells.get(offset) ?? el("div", { role: "gridcell", tabindex: "-1", "data-o": offset });
    if (node.look === look && node.cell === cell) return;
    const was = node.look;
    if (!was) {
      node.style.left = `${(offset - this.base) * this.px}px`;
      this.cells.set(offset, node);
      this.strip.append(node);
    }
    node.look = look;
    node.cell = cell;
    const sign = ghost || !cell ? cell === null && !ghost ? "·" : "" : shorten(cell[2], 4);
    const colour = cell ? cell[3] : 0;
    const classes = ["kl-log-cell", `kl-log-is-${kind}`];
    if (offset >= lane.high) classes.push("kl-log-pale");
    if (fate && fate !== "committed") classes.push(`kl-log-${fate}`);
    if (colour < 0) classes.push("kl-log-nokey");
    if (offset >= fresh && !ghost && !was) classes.push("kl-log-new");
    if (ghost && was && before && offset >= (before.start ?? 0)) classes.push("kl-log-eaten");
    if (sign.length > 2 || sign.length === 2 && /[mwMW@%]/.test(sign)) classes.push("kl-log-long");
    node.className = classes.join(" ");
    node.style.setProperty("--kl-k", cell && colour >= 0 ? keyColour(colour) : "var(--kl-soft)");
    write(node, sign);
    node.setAttribute("aria-label", sentence(p, offset, cell, lane, fate, store.unread));
  }
  drawBar(lane, place, x) {
    this.clear();
    const [a, b] = [Math.max(-2, x(lane.start)), Math.min(place.width + 2, x(lane.end))];
    const h = Math.min(b, Math.max(a, x(lane.high)));
    this.bar.style.transform = `translateX(${a}px)`;
    this.bar.style.width = `${Math.max(2, b - a)}px`;
    this.bar.style.setProperty("--kl-committed", `${h - a}px`);
    this.bar.setAttribute("aria-label", `partition ${this.p}: ${count(lane.end - lane.start)} offsets, from ${count(lane.start)} to ${count(lane.end)}`);
    this.bar.classList.toggle("kl-log-open-left", a < 0);
  }
  drawTicks(lane, seen, place, x) {
    const digits = String(Math.max(lane.end, 1e3)).length;
    const room = (place.near ? 22 + 7 * digits : 64) * place.scale;
    const round = ticks2(seen.from, Math.max(seen.from + 1, Math.min(seen.to, lane.end + 1)), place.px, room);
    const wanted = place.near ? withEnds(round, lane, seen, place.px, room / place.px) : round;
    const key = `${wanted.join()} ${place.near}`;
    if (this.ticks.dataset.key !== key) {
      this.ticks.dataset.key = key;
      this.ticks.replaceChildren(...wanted.map((offset) => el("span", { class: "kl-log-tick" }, place.near ? count(offset) : brief(offset))));
    }
    for (const [i, node] of [...this.ticks.children].entries()) node.style.transform = `translateX(${x(wanted[i])}px)`;
  }
  /** Tells where the log is when none of it is in view. */
  drawEdge(lane, seen) {
    const words = lane.end === lane.start ? lane.end >= seen.from && lane.end <= seen.to ? "empty" : "" : "";
    const away = lane.end <= seen.from && lane.end > 0 ? `◂ its log ends at ${count(lane.end)}` : lane.start >= seen.to ? `its log starts at ${count(lane.start)} ▸` : words;
    this.edge.hidden = !away;
    write(this.edge, away);
    this.edge.classList.toggle("kl-log-right", away.endsWith("▸"));
  }
};
function placed(x, end, width, wordsWidth) {
  const off = x < -3 ? "left" : x > width + 1 ? "right" : "";
  const at = Math.min(Math.max(x, 5), width - 5);
  const from = Math.min(Math.max(x, 0), width);
  return { at, off, from, to: Math.max(from, Math.min(Math.max(end, 0), width)), words: at + 10 + wordsWidth > width && at - 10 - wordsWidth > 0 ? "left" : "right" };
}
function groupMark(group) {
  const lagging = el("span", { class: "kl-log-lag" });
  const sign = el("span", { class: "kl-log-committed" }, "▲");
  const member = el("span", { class: "kl-log-member" });
  const words = el("span", { class: "kl-log-words" });
  const label = el("span", { class: "kl-log-label" }, words, member);
  const name = shorten(group, 28);
  let held;
  let timer;
  function handOver(from) {
    const was = el("s", { class: "kl-log-was", "aria-hidden": "true" }, from === null ? "nobody" : shorten(from, 24));
    label.querySelector(".kl-log-was")?.remove();
    label.insertBefore(was, member);
    member.classList.remove("kl-log-moved");
    void member.offsetWidth;
    member.classList.add("kl-log-moved");
    clearTimeout(timer);
    timer = setTimeout(() => {
      was.remove();
      member.classList.remove("kl-log-moved");
    }, 4e3);
  }
  return {
    node: el("div", { class: "kl-log-mark", "data-group": group }, lagging, sign, label),
    draw({ at, lane, place }) {
      const lag = at.committed === null || lane.high === null ? null : Math.max(0, lane.high - at.committed);
      write(words, at.committed === null ? `${name} · nothing committed yet` : `${name} · committed ${count(at.committed)} · lag ${lag === null ? "unknown" : count(lag)}`);
      if (held !== at.member) {
        write(member, at.member === null ? "nobody" : shorten(at.member, 24));
        member.title = at.member === null ? "no member of the group holds this partition" : `assigned to ${shorten(at.member, 200)}`;
        if (held !== void 0) handOver(held);
        held = at.member;
      }
      member.classList.toggle("kl-log-nobody", at.member === null);
      lagging.hidden = sign.hidden = lag === null;
      if (at.committed === null || lane.high === null) {
        label.style.transform = "translateX(4px)";
        return;
      }
      const letters = `${words.textContent}${member.textContent}`.length + 3;
      const x = (at.committed - place.left) * place.px;
      const spot = placed(x, (lane.high - place.left) * place.px, place.width, letters * 6.1 * place.scale);
      sign.textContent = spot.off === "left" ? "◂▲" : spot.off === "right" ? "▲▸" : "▲";
      sign.style.transform = `translateX(${spot.at}px) translateX(${spot.off === "left" ? "-4px" : spot.off === "right" ? "-100%" : "-50%"})`;
      lagging.style.transform = `translateX(${spot.from}px)`;
      lagging.style.width = `${spot.to - spot.from}px`;
      const gap = (spot.off ? 20 : 9) * place.scale;
      label.style.transform = spot.words === "right" ? `translateX(${spot.at + gap}px)` : `translateX(${spot.at - gap}px) translateX(-100%)`;
    }
  };
}
function positionMark(name) {
  const who = el("span", { class: "kl-log-who" });
  const node = el("div", { class: "kl-log-position", "data-name": name }, who, el("span", { class: "kl-log-point", "aria-hidden": "true" }, "▼"));
  return {
    node,
    draw({ offset, place }) {
      const x = (offset - place.left) * place.px;
      write(who, `${x < -3 ? "◂ " : x > place.width + 1 ? "▸ " : ""}${shorten(name, 20)}`);
      node.title = `${shorten(name, 100)} reads offset ${count(offset)} next`;
      node.style.transform = `translateX(${Math.min(Math.max(x, 4), place.width - 4)}px)`;
      node.classList.toggle("kl-log-at-right", x > place.width - 60 * place.scale);
    }
  };
}
var KINDS = {
  c: "transaction marker: committed",
  a: "transaction marker: aborted",
  x: "control record",
  u: "cannot be decoded"
};
function bytesOf(n) {
  return n < 1e3 ? `${n} bytes` : n < 1e6 ? `${(n / 1e3).toFixed(1)} kB` : `${(n / 1e6).toFixed(2)} MB`;
}
function when(ms) {
  if (ms === null || ms < 0) return "no timestamp";
  const d = new Date(ms);
  const time = clock.ofDay(ms / 1e3, 3);
  return (/* @__PURE__ */ new Date()).toDateString() === d.toDateString() ? time : `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())} ${time}`;
}
function sentence(p, offset, cell, lane, fate, unread) {
  const place = `partition ${p}, offset ${count(offset)}`;
  if (offset < lane.start) return `${place}: deleted, the log starts at ${count(lane.start)}`;
  const pale = offset >= lane.high ? ", written but not committed yet" : "";
  if (cell === void 0) return `${place}: ${unread}${pale}`;
  if (cell === BLANK) return `${place}: not recorded`;
  if (cell === null) return `${place}: no record, it was compacted away`;
  const [, kind, sign, , key, value, time, size] = cell;
  if (KINDS[kind]) return `${place}: ${KINDS[kind]}`;
  const transaction = fate === "aborted" ? ", of an aborted transaction" : fate === "open" ? ", of a transaction still open" : "";
  const drawn = key === null || sign === key ? "" : `, drawn as ${shorten(sign, 4)}`;
  const said = value === null ? "null, a tombstone" : shorten(value, 120);
  return `${place}: key ${key === null ? "null" : shorten(key, 60)}${drawn}, value ${said}, ${when(time)}, ${bytesOf(size)}${transaction}${pale}`;
}
function card(p, offset, cell, lane, fate, unread) {
  const rows = [];
  const add = (term, ...words) => rows.push(el("dt", {}, term), el("dd", {}, ...words));
  const text = (given, limit, none) => given === null ? el("i", {}, none) : el("bdi", { class: "kl-mono" }, shorten(given, limit));
  if (cell) {
    const [, kind, , , key, value, time, size, headers, more] = cell;
    if (!KINDS[kind]) {
      add("key", key === null ? el("i", {}, "null: no key, any partition") : el("bdi", {}, shorten(key, 160)));
      add("value", text(value, 160, "null: a tombstone, compaction deletes the key"));
      for (const [name, header] of headers ?? []) add("header", el("bdi", {}, shorten(name, 60)), " = ", text(header, 80, "null"));
      add("time", `${when(time)}, ${more?.appended ? "by the broker" : "by the producer"}`);
      const batch = more?.batch === void 0 ? "" : ` · batch from ${count(more.batch)}${more.codec ? `, ${more.codec}` : ""}`;
      add("size", `${bytesOf(size)}${batch}`);
      if (fate) add("transaction", `of producer ${more?.tx}, ${fate === "open" ? "no marker seen yet" : fate}`);
    } else if (kind === "u") add("bytes", shorten(value ?? "", 160));
    else add("marker", `${KINDS[kind]}${more?.tx === void 0 ? "" : `, producer ${more.tx}`}`);
  }
  return [
    el("div", { class: "kl-log-card-head" }, el("b", {}, `P${p} · offset ${count(offset)}`), el("span", { class: "kl-soft" }, standing(offset, cell, lane, unread))),
    ...rows.length ? [el("dl", {}, rows)] : []
  ];
}
function standing(offset, cell, lane, unread) {
  if (offset < lane.start) return "deleted: before the log start";
  if (cell === BLANK) return "not recorded: what was here, the recording does not hold";
  if (offset >= lane.high) return "written, not committed: a follower in the ISR lacks it";
  if (cell === void 0) return unread;
  return cell === null ? "no record: compacted away" : "committed";
}

// log/cursor.ts
var LogCursor = class {
  constructor(tools) {
    this.tools = tools;
    this.at = null;
    // by keyboard
    this.over = null;
    // by pointer
    this.focused = false;
    this.moving = false;
    this.dismissed = false;
    this.shown = [];
    this.card = el("div", { class: "kl-log-card", hidden: true, "aria-hidden": "true" });
    const { body, grid, page } = tools;
    body.append(this.card);
    grid.addEventListener("pointerover", (event) => this.point(event.target.closest(".kl-log-cell")));
    grid.addEventListener("pointerleave", () => this.point(null));
    grid.addEventListener("focusin", (event) => {
      this.focused = true;
      this.at = this.placeOf(event.target) ?? this.at;
      this.dismissed = false;
      this.show();
    });
    grid.addEventListener("focusout", (event) => {
      if (this.moving || grid.contains(event.relatedTarget)) return;
      this.focused = false;
      this.show();
    });
    grid.addEventListener("keydown", (event) => guard(page, () => this.key(event)));
    page.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      this.dismissed = true;
      this.show();
    });
  }
  placeOf(node) {
    const p = node.closest(".kl-log-lane")?.dataset.p;
    return p !== void 0 && node.dataset.o !== void 0 ? { p, offset: Number(node.dataset.o) } : null;
  }
  /** Returns the lane of a place, if its ends are known. */
  laneOf(at) {
    const lane = at && this.tools.state().lanes[at.p];
    return lane && known(lane) ? lane : null;
  }
  point(node) {
    this.over = node && this.placeOf(node);
    this.dismissed = false;
    this.show();
  }
  key(event) {
    const { view, cols, near, setFollow, zoom, move } = this.tools;
    if (event.altKey || event.metaKey) return;
    const page = Math.max(1, Math.floor(cols()) - 2);
    const far = event.ctrlKey ? 10 : 1;
    const along = (by) => () => near() ? this.along(by) : move(by / page);
    const act = {
      f: () => setFollow(!view.follow),
      "+": () => zoom(-1),
      "=": () => zoom(-1),
      "-": () => zoom(1),
      ArrowUp: () => this.across(-1),
      ArrowDown: () => this.across(1),
      ArrowLeft: along(-far),
      ArrowRight: along(far),
      PageUp: along(-page),
      PageDown: along(page),
      Home: along(-Infinity),
      End: along(Infinity)
    }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }
  /** Moves along the lane, within its records. */
  along(by) {
    const lane = this.laneOf(this.at);
    if (this.at && lane) this.go(this.at.p, Math.min(Math.max(lane.start, lane.end - 1), Math.max(lane.start, this.at.offset + by)));
  }
  /** Moves to the lane above or below, to the offset at the same place there. */
  across(by) {
    const { lanes, state, view, near } = this.tools;
    const order = [...lanes.keys()];
    const from = this.at?.p ?? order[0];
    const p = order[Math.min(order.length - 1, Math.max(0, order.indexOf(from) + by))];
    const lane = state().lanes[p];
    if (!near() || !known(lane)) {
      lanes.get(p)?.bar.focus();
      this.at = { p, offset: this.at?.offset ?? 0 };
      return;
    }
    const x = (this.at?.offset ?? 0) - (view.lefts[from] ?? 0);
    this.go(p, Math.min(Math.max(lane.start, lane.end - 1), Math.max(lane.start, Math.round((view.lefts[p] ?? 0) + x))));
  }
  /** Brings an offset into view and puts the focus on it. */
  go(p, offset) {
    const { view, lanes, cols, paint } = this.tools;
    view.follow = false;
    const left = view.lefts[p] ?? 0;
    const by = offset < left + 1 ? offset - left - Math.min(4, cols() / 4) : offset > left + cols() - 3 ? offset - left - cols() + Math.min(6, cols() / 3) : 0;
    if (by) view.lefts = each(view.lefts, (other) => Math.round(other + by));
    this.at = { p, offset };
    this.moving = true;
    paint(false);
    lanes.get(p)?.cells.get(offset)?.focus({ preventScroll: true });
    lanes.get(p)?.node.scrollIntoView({ block: "nearest" });
    this.moving = false;
    this.show();
  }
  /** Runs after every painting: makes one cell reachable by Tab, and keeps the focus when the focused cell has left. */
  drawn() {
    const { lanes, near, state, grid } = this.tools;
    const first = [...lanes.keys()][0];
    if (first === void 0) return;
    if (!this.at || !lanes.has(this.at.p)) this.at = { p: first, offset: Math.max(0, (state().lanes[first].high ?? 1) - 1) };
    const { p, offset } = this.at, lane = lanes.get(p);
    let node = near() ? lane.cells.get(offset) : lane.bar;
    if (!node) {
      const there = [...lane.cells.keys()].filter((other) => other >= (lane.lane?.start ?? 0));
      const nearest = Math.min(Math.max(offset, Math.min(...there)), Math.max(...there));
      node = lane.cells.get(nearest);
      if (node) this.at = { p, offset: nearest };
    }
    if (this.tab !== node) {
      this.tab?.setAttribute("tabindex", "-1");
      node?.setAttribute("tabindex", "0");
      this.tab = node;
    }
    if (this.focused && !this.moving && !grid.contains(document.activeElement)) node?.focus({ preventScroll: true });
    this.show();
  }
  show() {
    const { lanes, store, near, body, view, px } = this.tools;
    const at = this.over ?? (this.focused ? this.at : null);
    const lane = this.laneOf(at), row = at && lanes.get(at.p);
    this.card.hidden = !at || !lane || !row || !near() || this.dismissed || at.offset >= lane.end;
    if (this.card.hidden || !at || !lane || !row) return;
    const cell = store.at(at.p, at.offset);
    const fate = outcome(store, at.p, cell, lane.end);
    const shown = [at.p, at.offset, fate, at.offset >= lane.high, at.offset < lane.start, store.unread, cell];
    if (shown.some((value, i) => value !== this.shown[i])) this.card.replaceChildren(...card(at.p, at.offset, cell, lane, fate, store.unread));
    this.shown = shown;
    const box = body.getBoundingClientRect();
    const track = row.track.getBoundingClientRect();
    const cells = row.strip.parentElement?.getBoundingClientRect() ?? track;
    const x = track.left - box.left + (at.offset - (view.lefts[at.p] ?? 0) + 0.5) * px();
    const left = Math.min(Math.max(4, x - this.card.offsetWidth / 2), Math.max(4, box.width - this.card.offsetWidth - 4));
    const below = cells.bottom - box.top + 8;
    const above = cells.top - box.top - this.card.offsetHeight - 8;
    this.card.style.left = `${left}px`;
    this.card.style.top = `${below + this.card.offsetHeight > box.height && above > 0 ? above : below}px`;
  }
};

// log/view.ts
var GROUPS_DRAWN = 4;
function build(page, { model, ask }) {
  const isLive = Boolean(model.get("live"));
  const store = new LogStore();
  if (!isLive) store.unread = ABSENT;
  const asker = new LogAsker(store, ask, () => paint(false));
  const view = { follow: true, lefts: {}, level: 1, own: false, width: 800, scale: 1, chosen: "" };
  const lanes = /* @__PURE__ */ new Map();
  const inView = /* @__PURE__ */ new Set();
  let state;
  let queued = 0;
  let stale = true;
  const notice = el("div", {});
  const said = el("div", { class: "kl-hidden", "aria-live": "polite" });
  const grid = el("div", { class: "kl-log-lanes", role: "grid", "aria-label": "records by partition and offset" });
  const body = el("div", { class: "kl-log-body" }, grid);
  const more = el("p", { class: "kl-soft kl-log-more", hidden: true });
  const controls = logControls({
    follow: () => setFollow(!view.follow),
    zoom,
    go,
    groups: (name) => {
      view.chosen = name;
      paint(false);
    }
  });
  const foot = el("div", {});
  page.append(notice, controls.nodes, body, more, said, foot);
  const keep = keeper(grid, (p) => p, (p) => {
    const lane = new LogLane(p, store);
    lanes.set(p, lane);
    if (lanes.size <= 16) inView.add(p);
    seen.observe(lane.node);
    return { node: lane.node, draw() {
    } };
  });
  const spans = () => Object.fromEntries(Object.entries(state?.lanes ?? {}).filter((of) => known(of[1])));
  const px = () => pixels(view.level, view.scale);
  const cols = () => Math.max(4, view.width / px());
  const near = () => view.level < NEAREST_BARS;
  const cursor = new LogCursor({ page, body, grid, store, view, lanes, px, cols, near, state: () => state, paint, setFollow, zoom, move });
  function setFollow(on) {
    view.follow = on;
    paint(on);
  }
  function move(pages) {
    if (pages === Infinity) return setFollow(true);
    if (pages === -Infinity) return go("start");
    shift(pages * (cols() - 2));
  }
  function shift(offsets) {
    view.follow = false;
    view.lefts = scrolled(view.lefts, spans(), offsets, cols());
    later();
  }
  function go(where, offset = 0) {
    if (!where) return;
    if (where === "end") return setFollow(true);
    view.follow = false;
    view.own = where !== "offset";
    const all = spans();
    if (where === "start") view.lefts = each(view.lefts, (left, p) => all[p] ? Math.max(-1, all[p].start - 3) : left);
    else view.lefts = centred(view.lefts, (p) => where === "offset" ? offset : state.groups[where.slice(6)]?.[p]?.committed, cols());
    later();
  }
  const whole = () => levelFor(Math.max(1, ...Object.values(spans()).map((s) => s.end - s.start)), view.width * 0.8, view.scale);
  const farthest = () => Math.max(NEAREST_BARS, whole());
  function zoom(by, x = view.follow ? view.width * 0.8 : view.width / 2) {
    const level = Math.min(farthest(), Math.max(0, view.level + by));
    if (level === view.level) return;
    const before = px();
    view.level = level;
    if (!view.follow) view.lefts = zoomed(view.lefts, x, before, px());
    if (near()) view.lefts = each(view.lefts, Math.round);
    paint(false);
  }
  function later() {
    if (!queued) queued = requestAnimationFrame(() => {
      queued = 0;
      guard(page, () => paint(false));
    });
  }
  function sync() {
    keep(Object.keys(state.lanes));
    for (const p of lanes.keys()) {
      if (state.lanes[p]) continue;
      lanes.delete(p);
      inView.delete(p);
    }
    grid.setAttribute("aria-rowcount", String(lanes.size));
    if (!stale) return;
    view.scale = scaleOf(page);
    const width = lanes.values().next().value?.track.clientWidth ?? 0;
    stale = !width;
    view.width = width || view.width;
  }
  function paint(glide) {
    if (!state) return;
    sync();
    const all = spans();
    const was = view.lefts;
    if (view.follow) Object.assign(view, followed(all, cols(), view.own));
    const fallback = Math.max(0, ...Object.values(view.lefts));
    view.lefts = Object.fromEntries(Object.keys(all).map((p) => [p, view.lefts[p] ?? fallback]));
    const moves = glide && !reducedMotion();
    const groups = view.chosen ? [view.chosen] : Object.keys(state.groups).sort().slice(0, GROUPS_DRAWN);
    const windows = {};
    for (const [p, lane] of lanes) {
      if (!inView.has(p)) {
        lane.drawHead(state.lanes[p]);
        continue;
      }
      const left = view.lefts[p] ?? 0;
      const glides = moves && was[p] !== void 0 && Math.abs(left - was[p]) < cols();
      const range = lane.draw(state, groups, { left, px: px(), width: view.width, scale: view.scale, near: near(), glide: glides, fly: moves });
      if (range && near()) windows[p] = { from: Math.max(all[p].start, range.from), to: Math.min(all[p].high, range.to) };
    }
    for (let level = 0; level < NEAREST_BARS; level++) grid.classList.toggle(`kl-log-level-${level}`, level === view.level);
    controls.draw(state, { ...view, live: isLive, farthest: farthest() });
    const unseen = view.chosen ? 0 : Object.keys(state.groups).length - groups.length;
    more.hidden = unseen <= 0;
    more.textContent = `${unseen} more groups are not drawn: choose one above.`;
    cursor.drawn();
    if (isLive) asker.want(windows, view.follow ? 0 : Math.round(cols() / 2), [...inView]);
  }
  const seen = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) inView[isIntersecting ? "add" : "delete"](target.dataset.p ?? "");
    later();
  }, { rootMargin: "120px" });
  const sized = new ResizeObserver(() => {
    stale = true;
    later();
  });
  sized.observe(page);
  sized.observe(grid);
  pan(grid, (event) => event.target.closest(".kl-log-track"), { shift: (x) => shift(x / px()), zoom });
  return {
    draw(next, before) {
      state = next;
      for (const p of Object.keys(state.lanes)) learn(store, p, state, before);
      page.setAttribute("aria-label", `Logs of topic ${shorten(state.topic, 80)}`);
      if (changed(state, before, "recorded")) foot.replaceChildren(signs(state.recorded));
      if (changed(state, before, "error")) notice.replaceChildren(...[trouble(state.error)].flat());
      page.classList.toggle("kl-stale", Boolean(state.error));
      const none = !Object.keys(state.lanes).length;
      grid.classList.toggle("kl-log-none", none);
      grid.dataset.none = !none ? "" : !state.looked ? "looking at the cluster…" : state.found ? "no partitions" : `there is no topic ${shorten(state.topic, 60)} yet`;
      if (!before && !none && !isLive && !Object.keys(state.tails).length) {
        sync();
        view.level = whole();
      }
      paint(Boolean(before));
      const news2 = before && told(state, before);
      if (news2) said.textContent = news2;
    },
    heard: (message) => asker.heard(message),
    end() {
      for (const watch of [seen, sized]) watch.disconnect();
      cancelAnimationFrame(queued);
      asker.end();
    }
  };
}
function learn(store, p, { lanes, tails, recorded }, before) {
  const lane = lanes[p], was = before?.lanes[p], tail = tails[p];
  const shorter = was !== void 0 && (lane.end ?? 0) < (was.end ?? 0);
  const other = was && (lane.leader !== was.leader || lane.epoch !== was.epoch);
  if (recorded && other) store.cut(p, 0, 0);
  if (was && lane.high !== null && was.high !== null && (other || shorter)) store.cut(p, 0, Math.min(was.high, lane.high));
  if (lane.start !== null && lane.start !== was?.start) store.cut(p, lane.start, Infinity);
  if (tail && (tail !== before?.tails[p] || other || shorter || lane.start !== was?.start)) store.put(p, tail);
}
function told(state, before) {
  const news2 = [];
  for (const [name, group] of Object.entries(state.groups)) {
    const moved = Object.entries(group).filter(([p, at]) => before.groups[name]?.[p] && before.groups[name][p].member !== at.member);
    const words = moved.slice(0, 12).map(([p, at]) => `partition ${p} to ${at.member === null ? "nobody" : shorten(at.member, 30)}`);
    if (words.length) news2.push(`Group ${shorten(name, 40)}: ${words.join(", ")}.`);
  }
  for (const [p, lane] of Object.entries(state.lanes)) {
    const was = before.lanes[p];
    if (was && was.leader !== lane.leader) news2.push(`Partition ${p}: ${lane.leader === null ? "no leader" : `leader ${lane.leader}`}.`);
    if (was && was.start !== null && (lane.start ?? 0) > was.start) news2.push(`Partition ${p}: deleted up to offset ${count(lane.start ?? 0)}.`);
  }
  return news2.slice(0, 6).join(" ");
}
function signs(recorded) {
  const cell = (classes, sign = "") => el("span", { class: `kl-log-cell kl-log-sample ${classes}`, style: { "--kl-k": keyColour(0) } }, sign);
  return legend([
    [cell("kl-log-is-r", "a"), "a record: letter and colour are its key"],
    [cell("kl-log-is-r kl-log-nokey", "∅"), "no key"],
    [cell("kl-log-is-r kl-log-pale", "a"), "written, not committed yet"],
    [cell("kl-log-is-t", "a"), "tombstone"],
    [cell("kl-log-is-c kl-log-nokey", "✓"), "transaction's end"],
    [cell("kl-log-is-hole", "·"), "compacted away"],
    [cell("kl-log-is-ghost"), "deleted"],
    ...recorded ? [[cell("kl-log-is-blank"), "not recorded"]] : [],
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
