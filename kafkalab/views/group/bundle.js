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
    const size2 = Math.abs(seconds);
    return size2 < 99.995 ? `${sign}${size2.toFixed(2)} s` : `${sign}${clock.long(Math.round(size2))}`;
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
function walked(key, at, last) {
  const to = { ArrowDown: at + 1, ArrowRight: at + 1, ArrowUp: at - 1, ArrowLeft: at - 1, PageDown: at + 8, PageUp: at - 8, Home: 0, End: last }[key];
  return to === void 0 ? void 0 : Math.max(0, Math.min(last, to));
}
function roving(box, selector, step = (key, at, all) => all[walked(key, all.indexOf(at), all.length - 1) ?? -1]) {
  const items = () => [...box.querySelectorAll(selector)];
  const itemOf = (event) => event.target.closest(selector);
  let at;
  function rove(to) {
    const all = items();
    at = to ?? (at && all.includes(at) ? at : all[0]);
    for (const item of all) item.tabIndex = item === at ? 0 : -1;
  }
  box.addEventListener("focusin", (event) => rove(itemOf(event) ?? at));
  box.addEventListener("keydown", (event) => {
    const item = itemOf(event);
    const to = item && !event.ctrlKey && !event.metaKey && !event.altKey ? step(event.key, item, items()) : void 0;
    if (!to) return;
    event.preventDefault();
    to.focus({ preventScroll: true });
  });
  return rove;
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
function refill(parent, children) {
  const active = document.activeElement;
  const held = active && parent.contains(active) ? active.dataset : null;
  parent.replaceChildren(...[children].flat(Infinity).filter(Boolean));
  if (!held?.key) return;
  const all = [...parent.querySelectorAll("[data-key]")];
  (all.find((n) => n.dataset.key === held.key) ?? all.find((n) => held.node && n.dataset.node === held.node))?.focus();
}

// live.ts
function live(name, label, build) {
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
var CLOCK = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 21600, 43200, 86400];
function timeStep(least) {
  return CLOCK.find((step) => step >= least) ?? Math.ceil(least / 86400) * 86400;
}
function ticks(from, to, step) {
  const first = Math.ceil(from / step - 1e-9), last = Math.floor(to / step + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

// group/gantt.ts
var WHAT = {
  silent: "still assigned to a member that was never heard of again",
  rebalancing: "taken back by the coordinator, not given out yet: nobody reads it",
  nobody: "held by no member",
  unknown: "not watched, or nobody could be asked"
};
var KEYS = "Arrow keys move in time, plus and minus zoom, Home shows the beginning and End the newest.";
var LETTER = 6.6;
var charts = 0;
function ganttChart(live2) {
  const id = `kl-hatch-${++charts}-${Math.random().toString(36).slice(2, 7)}`;
  const hatch = el("pattern", { id, width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" }, el("line", { x1: 0, x2: 0, y1: 0, y2: 6, class: "kl-hatch" }));
  const lines = el("g", { class: "kl-numbers" });
  const bars = el("g", { class: "kl-bars" });
  const labels = el("g", { class: "kl-lane-names" });
  const lanes = el("svg", { class: "kl-lanes", "aria-hidden": "true" }, el("defs", {}, hatch), lines, bars, labels);
  const axis = el("svg", { class: "kl-axis", "aria-hidden": "true" });
  const top = el("svg", { class: "kl-above", "aria-hidden": "true" });
  const scroll = el("div", { class: "kl-scroll" }, lanes);
  const stage = el("div", { class: "kl-stage", tabindex: 0, role: "group", "aria-label": `Time line of who held which partition. ${KEYS}` }, top, scroll, axis);
  const keep = keeper(bars, ({ name }) => name, ({ name, p }) => bar(name, p, `url(#${id})`));
  let shown = { span: SPAN, end: null };
  let state;
  let received = 0;
  let newest = 0;
  let lengths = /* @__PURE__ */ new Map();
  let marked = /* @__PURE__ */ new Set();
  const buttons = el(
    "div",
    { class: "kl-buttons", role: "group", "aria-label": "time shown" },
    button("◀", "earlier", () => move(-0.25)),
    button("▶", "later", () => move(0.25)),
    button("−", "zoom out", () => zoom(2)),
    button("+", "zoom in", () => zoom(0.5)),
    button("now", "now: follow the newest", () => set({ span: shown.span, end: null }))
  );
  const runs = () => live2 && state.flows;
  function now() {
    const past = runs() ? Math.min(3, (performance.now() - received) / 1e3) : 0;
    newest = Math.max(runs() ? newest : 0, (state.to ?? 0) + past);
    return newest;
  }
  const first = () => state.gantt.from ?? now();
  const set = (window) => {
    shown = window;
    paint();
  };
  const move = (share) => set(moved(shown, share * shown.span, now(), first()));
  const zoom = (factor, share = shown.end === null ? 1 : 0.5) => set(zoomed(shown, factor, share, now(), first()));
  function paint() {
    const box = stage.clientWidth;
    if (!state?.gantt.order.length || !box) return;
    const scale = scaleOf(stage);
    const { order, names } = state.gantt;
    const several = new Set(order.map((key) => split(key)[0])).size > 1;
    const labelled = order.map((key) => ({ key, p: split(key)[1], label: `${several ? `${shorten(split(key)[0], 14)} ` : ""}P${split(key)[1]}` }));
    const [step, tall] = (order.length > 16 ? [19, 15] : [27, 20]).map((n) => n * scale);
    const letter = LETTER * scale;
    const left = Math.max(30 * scale, 8 + letter * Math.max(...labelled.map(({ label }) => label.length)));
    const [from, to] = edges(shown, now());
    const x = (at) => left + (Math.min(Math.max(at, from), to) - from) * ((box - left - 2) / (to - from));
    const height = order.length * step + 4;
    size(lanes, box, height);
    keep(labelled.flatMap(({ key, p }, i) => visible(state.gantt.lanes[key] ?? [], from, Math.min(to, now())).map((piece) => {
      const name = `${key}@${piece[0]}`, [x0, x1] = [x(piece[0]), x(piece[1] ?? now())];
      const place = { x: x0, y: 2 + i * step, width: Math.max(2, x1 - x0), tall, letter };
      return { ...place, name, p, piece, who: names[piece[3] ?? ""] ?? "", length: lengths.get(name), marked: marked.has(name) };
    })));
    labels.replaceChildren(
      el("rect", { class: "kl-cover", x: 0, y: 0, width: left - 3, height }),
      ...labelled.map(({ p, label }, i) => el("text", { x: 0, y: 2 + i * step + tall * 0.75, style: { "--kl-c": partitionColour(p) } }, label))
    );
    above(top, lines, state, { from, to, box, left, height, scale, x });
    below(axis, { from, to, box, left, height, scale, x });
    stage.dataset.from = from.toFixed(3);
    stage.dataset.to = to.toFixed(3);
  }
  stage.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = {
      ArrowLeft: () => move(-0.1),
      ArrowRight: () => move(0.1),
      "+": () => zoom(0.5),
      "=": () => zoom(0.5),
      "-": () => zoom(2),
      Home: () => set(moved(shown, -1e12, now(), first())),
      End: () => set({ span: shown.span, end: null })
    }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  pan(stage, () => stage, {
    shift: (pixels) => move(pixels / stage.clientWidth),
    zoom: (by, x) => zoom(by > 0 ? 1.25 : 0.8, x / stage.clientWidth)
  });
  const seen = new ResizeObserver(() => paint());
  seen.observe(stage);
  const beat = setInterval(() => {
    if (state && runs() && shown.end === null && !document.hidden && stage.isConnected) paint();
  }, reducedMotion() ? 1e3 : 200);
  return {
    node: el("div", {}, el("div", { class: "kl-gantt-head" }, el("h4", { class: "kl-title" }, "Who held what: the rebalances, measured"), buttons), stage),
    draw(after, before) {
      state = after;
      received = performance.now();
      if (changed(after, before, "group")) {
        newest = 0;
        marked = /* @__PURE__ */ new Set();
        shown = { span: after.span ?? (live2 ? SPAN : Math.max(4, ((after.to ?? 0) - (after.gantt.from ?? 0)) * 1.03)), end: null };
      }
      if (changed(after, before, "gantt")) lengths = measured(after.gantt);
      stage.hidden = !after.gantt.order.length;
      paint();
    },
    /** Moves the window to a pause and rings its bars. */
    show(pause) {
      marked = new Set(pause.keys.flatMap((key) => piecesOf(pause, state.gantt.lanes[key]).map((piece) => `${key}@${piece[0]}`)));
      set(around(pause.from, pause.to ?? now(), now(), first()));
    },
    end() {
      clearInterval(beat);
      seen.disconnect();
    }
  };
}
function split(key) {
  const at = key.lastIndexOf("/");
  return [key.slice(0, at), Number(key.slice(at + 1))];
}
function bar(name, p, hatch) {
  const back = el("rect", { rx: 4, class: "kl-back" });
  const rect = el("rect", { rx: 4, class: "kl-span" });
  const text = el("text", {});
  const title = el("title", {});
  const node = el("g", { "data-bar": name, style: { "--kl-c": partitionColour(p), "--kl-on": partitionInk(p) } }, title, back, rect, text);
  return {
    node,
    draw({ piece: [start, end, what, member2], who, x, y, width, tall, letter, length, marked }) {
      node.setAttribute("class", `kl-piece kl-is-${what}${marked ? " kl-marked" : ""}`);
      node.dataset.what = what;
      node.dataset.member = member2 ?? "";
      for (const box of [rect, back]) {
        for (const [name2, value] of Object.entries({ x, y, width, height: tall })) box.setAttribute(name2, value.toFixed(1));
      }
      const held = what === "held", unknown = what === "unknown";
      rect.style.fill = held ? "" : unknown ? "none" : hatch;
      const words = held ? who : unknown ? "not watched" : length ?? "";
      const inside = fitting(words, width - (held ? 10 : 2), letter);
      text.textContent = !held && inside !== words ? "" : inside;
      text.setAttribute("x", (held ? x + 6 : x + width / 2).toFixed(1));
      text.setAttribute("text-anchor", held ? "start" : "middle");
      text.setAttribute("y", (y + tall * 0.73).toFixed(1));
      const said = held ? shorten(who, 60) : `${WHAT[what]}${what === "silent" ? `: ${shorten(who, 60)}` : ""}`;
      const lasted = length ? `
nobody read it for ${length}` : "";
      const told = `${said}
${clock.ofDay(start, 1)} – ${end === null ? "now" : clock.ofDay(end, 1)}${lasted}`;
      if (title.textContent !== told) title.textContent = told;
    }
  };
}
function button(sign, name, onclick) {
  return el("button", { type: "button", class: "kl-button", title: name, "aria-label": name, onclick }, sign);
}
function size(svg, width, height) {
  svg.setAttribute("width", String(width));
  svg.setAttribute("height", String(height));
}
function above(top, lines, { gantt, about }, { from, to, box, height, scale, x }) {
  const letter = LETTER * scale;
  const shown = (all) => all.filter(([when]) => when >= from && when <= to);
  const [numbers, notes] = [shown(gantt.numbers), shown(gantt.notes)];
  size(top, box, (notes.length ? 30 : 15) * scale);
  const y = (notes.length ? 26 : 11) * scale;
  let free = -Infinity;
  const marks = [];
  for (const [when, number] of numbers) {
    const at = x(when);
    if (at < free) continue;
    marks.push(el("text", { x: at, y, "text-anchor": "middle", class: "kl-number" }, el("title", {}, `${about.noun} ${number}, ${clock.ofDay(when, 1)}`), number));
    free = at + letter * (String(number).length + 1.5);
  }
  const deeds = [];
  for (const [when, text] of notes) {
    const last = deeds.at(-1);
    if (last && x(when) - last.at < 2.5 * letter) last.texts.push(text);
    else deeds.push({ at: x(when), texts: [text] });
  }
  for (const [i, { at, texts }] of deeds.entries()) {
    const room = (deeds[i + 1]?.at ?? box) - at;
    const words = `▸ ${fitting(texts.map((text) => shorten(text, 60)).join(", "), room - 2.5 * letter, letter)}`;
    marks.push(el("text", { x: at, y: 11 * scale, class: "kl-note" }, el("title", {}, texts.map((text) => shorten(text, 200)).join("\n")), words));
  }
  top.replaceChildren(...marks);
  const line = (when, look = "") => el("line", { class: look, x1: x(when), x2: x(when), y1: 0, y2: height });
  lines.replaceChildren(...numbers.map(([when]) => line(when)), ...notes.map(([when]) => line(when, "kl-note-line")));
}
function below(axis, { from, to, box, left, scale, x }) {
  size(axis, box, 20 * scale);
  const room = 30 * scale;
  axis.replaceChildren(el("line", { x1: left, x2: box, y1: 1, y2: 1 }), ...ticks2(from, to, box - left, 76 * scale).flatMap(([when, words]) => {
    const at = x(when), line = el("line", { x1: at, x2: at, y1: 1, y2: 5 });
    return at > left + room && at < box - room ? [line, el("text", { x: at, y: 16 * scale, "text-anchor": "middle" }, words)] : [line];
  }));
}
var SPAN = 60;
var SHORTEST = 0.5;
function edges({ span, end }, now) {
  return [(end ?? now) - span, end ?? now];
}
function zoomed(window, factor, share, now, first) {
  const longest = Math.max(SPAN, now - first) * 1.05;
  const span = Math.min(Math.max(window.span * factor, SHORTEST), longest);
  if (window.end === null && share >= 0.95) return { span, end: null };
  const fixed = edges(window, now)[0] + window.span * share;
  return kept(span, fixed + span * (1 - share), now, first);
}
function moved({ span, end }, seconds, now, first) {
  return kept(span, (end ?? now) + seconds, now, first);
}
function around(from, to, now, first) {
  const span = Math.max(4, (to - from) * 2.5);
  return kept(span, (from + to) / 2 + span / 2, now, first);
}
function kept(span, end, now, first) {
  return { span, end: end >= now ? null : Math.max(end, Math.min(first + span, now)) };
}
function ticks2(from, to, width, room) {
  const step = timeStep((to - from) * room / Math.max(1, width));
  return ticks(from, to, step).map((at) => [at, clock.ofDay(at, step < 1 ? 1 : 0)]);
}
function visible(pieces, from, to) {
  return pieces.filter(([start, end]) => start < to && (end ?? Infinity) > from);
}
function piecesOf({ from, to }, pieces = []) {
  return pieces.filter(([start, end, what]) => what !== "held" && start >= from - 2e-3 && (end ?? Infinity) <= (to ?? Infinity) + 2e-3);
}
function measured({ lanes, pauses }) {
  const found = /* @__PURE__ */ new Map();
  const lengthOf = ([start, end]) => (end ?? Infinity) - start;
  for (const pause of pauses) {
    if (pause.seconds === null) continue;
    for (const key of pause.keys) {
      const [longest] = piecesOf(pause, lanes[key]).sort((a, b) => lengthOf(b) - lengthOf(a));
      if (longest) found.set(`${key}@${longest[0]}`, `${pause.seconds.toFixed(pause.seconds < 1 ? 2 : 1)} s`);
    }
  }
  return found;
}
function fitting(text, width, letter) {
  const room = Math.floor(width / letter);
  const letters = Array.from(text);
  if (letters.length <= room) return text;
  return room >= 3 ? `${letters.slice(0, room - 1).join("")}…` : "";
}

// group/graph.ts
var MOTION_MS = 520;
function groupGraph() {
  const left = el("ul", { class: "kl-parts", "aria-label": "partitions" });
  const right = el("ul", { class: "kl-members", "aria-label": "members" });
  const lines = el("svg", { class: "kl-edges", "aria-hidden": "true", preserveAspectRatio: "none" });
  const inner = el("div", { class: "kl-graph-inner" }, left, lines, right);
  const node = el("div", { class: "kl-graph", role: "group", "aria-label": "Which member reads which partition. Arrow keys move between them." }, inner);
  const [keepPartitions, keepMembers] = [left, right].map((list) => keeper(list, ({ name }) => name, ({ name }) => row(name)));
  const edges2 = /* @__PURE__ */ new Map();
  const rove = roving(node, "[data-item]", (key, item, all) => {
    const to = stepped(key, [state.order.map((k) => `p:${k}`), state.ranks.map((id) => `m:${id}`)], item.dataset.item ?? "");
    return all.find((other) => other.dataset.item === to);
  });
  let state;
  function draw(after, before) {
    state = after;
    const { order, ranks, members } = after;
    const { dense, step, box } = metrics(Math.max(order.length, ranks.length), scaleOf(node));
    const height = Math.max(order.length, ranks.length, 1) * step;
    const focused = node.contains(document.activeElement) ? document.activeElement : null;
    node.classList.toggle("kl-dense", dense);
    inner.style.height = `${height}px`;
    lines.setAttribute("viewBox", `0 0 100 ${height}`);
    keepPartitions(order.map((key, i) => ({ name: `p:${key}`, top: i * step, height: box, ...partition(key, after) })));
    keepMembers(ranks.map((id) => ({ name: `m:${id}`, top: members[id].row * step, height: box, ...member(members[id]) })));
    if (before?.group !== after.group) {
      lines.replaceChildren();
      edges2.clear();
    }
    join(targets(after, { step, box }));
    rove();
    focused?.focus({ preventScroll: true });
    light();
  }
  function row(name) {
    const node2 = el("li", { "data-item": name, onfocus: () => light(), onmouseenter: () => light(name), onmouseleave: () => light() });
    const isNews = news();
    return {
      node: node2,
      draw({ top, height, from, look, title, style, children }) {
        node2.style.top = `${top}px`;
        node2.style.height = `${height}px`;
        if (!isNews(...from)) return;
        node2.className = look;
        node2.title = title;
        for (const [property, value] of Object.entries(style)) node2.style.setProperty(property, value);
        node2.replaceChildren(...children);
      }
    };
  }
  function light(name = node.contains(document.activeElement) && document.activeElement.dataset.item || "") {
    const on = new Set(name ? [name] : []);
    for (const key of state.order) {
      const holder = state.partitions[key].member;
      if (holder && (name === `p:${key}` || name === `m:${holder}`)) on.add(`p:${key}`).add(`m:${holder}`);
    }
    node.classList.toggle("kl-some", on.size > 0);
    for (const item of node.querySelectorAll("[data-item]")) item.classList.toggle("kl-on", on.has(item.dataset.item ?? ""));
    for (const [key, path] of edges2) path.classList.toggle("kl-on", on.has(`p:${key}`));
  }
  function join(wanted) {
    for (const [key, edge] of wanted) {
      const path = edges2.get(key) ?? el("path", { "data-edge": key, style: { stroke: partitionColour(Number(key.slice(key.lastIndexOf("/") + 1))) } });
      path.setAttribute("d", curve(edge));
      if (edges2.has(key)) continue;
      edges2.set(key, path);
      lines.append(path);
    }
    for (const [key, path] of edges2) {
      if (wanted.has(key)) continue;
      edges2.delete(key);
      const gone = () => path.remove();
      path.animate({ opacity: 0 }, reducedMotion() ? 0 : MOTION_MS).finished.then(gone, gone);
    }
  }
  node.addEventListener("focusout", () => light(""));
  return { node, draw };
}
function partition(key, state) {
  const p = state.partitions[key];
  const holder = p.member === null ? null : state.members[p.member];
  const topic = shorten(p.topic, 26);
  const lag = p.lag === null ? "nothing committed" : p.lag ? `lag ${count(p.lag)}` : "lag 0";
  return {
    from: [p, holder?.name],
    look: `kl-part ${holder ? "" : "kl-lone"}`,
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
function member({ name, client, id, host, said, idle }) {
  return {
    from: [name, client, host, said],
    look: `kl-member ${idle ? "kl-idle" : ""}`,
    style: {},
    title: `${client} at ${host}
member id ${id}
${idle ? "more members than partitions: it waits for one to become free" : said}`,
    children: [el("bdi", { class: "kl-client" }, shorten(name, 40)), el("small", { class: "kl-soft" }, said)]
  };
}
function metrics(rows, scale) {
  const dense = rows > 14;
  return { dense, step: (dense ? 26 : 38) * scale, box: (dense ? 21 : 29) * scale };
}
function curve({ y1, y2 }) {
  const [a, b] = [y1.toFixed(1), y2.toFixed(1)];
  return `M0 ${a}C50 ${a} 50 ${b} 100 ${b}`;
}
function targets(state, { step, box }) {
  const held = /* @__PURE__ */ new Map();
  for (const key of state.order) {
    const member2 = state.partitions[key].member;
    if (member2 !== null && state.members[member2]) held.set(member2, [...held.get(member2) ?? [], key]);
  }
  const found = /* @__PURE__ */ new Map();
  for (const [member2, keys] of held) {
    const apart = Math.min(5, box * 0.7 / keys.length);
    keys.forEach((key, i) => {
      const fan = (i - (keys.length - 1) / 2) * apart;
      found.set(key, { y1: state.order.indexOf(key) * step + box / 2, y2: state.members[member2].row * step + box / 2 + fan });
    });
  }
  return found;
}
function stepped(key, columns, at) {
  const c = columns.findIndex((column) => column.includes(at));
  if (c < 0) return void 0;
  const own = columns[c], other = columns[1 - c], i = own.indexOf(at);
  const across = other[Math.min(other.length - 1, Math.round(i * other.length / own.length))];
  switch (key) {
    case "ArrowDown":
      return own[Math.min(i + 1, own.length - 1)];
    case "ArrowUp":
      return own[Math.max(i - 1, 0)];
    case "ArrowRight":
      return c === 0 ? across : void 0;
    case "ArrowLeft":
      return c === 1 ? across : void 0;
    case "Home":
      return own[0];
    case "End":
      return own.at(-1);
    default:
      return void 0;
  }
}

// group/view.ts
var LISTED = 5;
var STATES = { Stable: ["●", "ok"], Empty: ["○", "soft"], Dead: ["✕", "soft"], Unknown: ["?", "bad"] };
var MARKS = { died: "✕", left: "−", joined: "+", other: "⇄" };
function pill(text, title) {
  return el("span", { class: "kl-pill", title }, shorten(text, 60));
}
function signs() {
  const box = (cls) => el("i", { class: `kl-key kl-key-${cls}` });
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
var view_default = {
  render: live("group", "Consumer group", (page, { model, ask }) => {
    const alive = Boolean(model.get("live"));
    const bar2 = el("div", { class: "kl-bar" });
    const notice = el("div", {});
    const graph = groupGraph();
    const chart = ganttChart(alive);
    const standing = el("p", { class: "kl-standing" });
    const empty = el("p", { class: "kl-soft kl-none" });
    const more = el("p", { class: "kl-soft kl-more" });
    const list = el("ol", { class: "kl-pauses", "aria-label": "pauses, newest first" });
    const all = el("button", { type: "button", class: "kl-button kl-all", onclick: () => {
      whole = !whole;
      pauses(state);
    } });
    const quiet = el("p", { class: "kl-soft kl-none" });
    const said = el("div", { class: "kl-hidden", role: "status", "aria-live": "polite" });
    let whole = false;
    let state;
    page.append(
      bar2,
      notice,
      el(
        "div",
        { class: "kl-two" },
        el("section", { class: "kl-panel", "aria-label": "who reads what now" }, standing, graph.node, empty, more),
        el("section", { class: "kl-panel", "aria-label": "who held what" }, chart.node, quiet, list, all)
      ),
      legend(signs()),
      said
    );
    function choose(event) {
      ask({ do: "choose", place: Number(event.target.value) });
    }
    function head(s) {
      const { about } = s;
      const [sign, tone] = STATES[about.state] ?? ["⇄", "warn"];
      const name = shorten(s.group, 60);
      const place = s.groups.indexOf(s.group);
      const chosen = s.groups.length > 1 && alive ? el(
        "select",
        { class: "kl-select", "aria-label": "group shown", "data-key": "group", onchange: choose },
        place < 0 ? el("option", { value: -1, selected: true }, name || "choose a group") : null,
        s.groups.map((g, i) => el("option", { value: i, selected: i === place }, shorten(g, 60)))
      ) : el("bdi", {}, name || "none yet");
      refill(bar2, [
        el("strong", { class: "kl-name" }, "Group ", chosen),
        about.state && el("span", { class: `kl-pill kl-state kl-tone-${tone}` }, el("span", { "aria-hidden": "true" }, `${sign} `), about.state),
        about.coordinator !== null && pill(`coordinator ${about.coordinator}`, "The broker that leads the group's partition of __consumer_offsets: members join, send heartbeats and commit there."),
        about.number !== null && pill(`${about.noun} ${about.number}`, about.protocol === "consumer" ? "Rises whenever members or what they subscribe to change." : "Counts the rebalances: whoever commits with an older one is refused."),
        about.assignor && pill(about.assignor, "The assignor: how partitions are shared out."),
        about.state && pill(`${about.protocol} protocol`, about.protocol === "consumer" ? "KIP-848: the coordinator shares partitions out, member by member." : "Members meet in a rebalance, and one of them shares the partitions out."),
        about.lag !== null && pill(`lag ${about.lag}`, "Records that the group has not committed yet, over all partitions.")
      ]);
    }
    function pauses(s) {
      const found = s.gantt.pauses;
      refill(list, found.slice(0, whole ? found.length : LISTED).map((pause) => el(
        "li",
        { class: `kl-pause kl-is-${pause.kind}${pause.to === null ? " kl-open" : ""}` },
        el(
          "button",
          { type: "button", class: "kl-pause-button", "data-key": pause.id, title: "show it on the time line", onclick: () => chart.show(pause) },
          el("time", { class: "kl-mono" }, clock.ofDay(pause.from)),
          el("span", { class: "kl-mark", "aria-hidden": "true" }, MARKS[pause.kind]),
          el("span", {}, shorten(pause.text, 300))
        )
      )));
      all.hidden = found.length <= LISTED;
      all.textContent = whole ? "newest only" : `all ${found.length}`;
      quiet.hidden = found.length > 0 || s.gantt.order.length === 0;
      quiet.textContent = "No pause so far: every partition is still held by the same member.";
    }
    return {
      draw(s, before) {
        state = s;
        if (changed(s, before, "about", "groups", "group")) head(s);
        if (changed(s, before, "error")) notice.replaceChildren(...[trouble(s.error)].flat());
        page.classList.toggle("kl-stale", Boolean(s.error));
        standing.textContent = s.about.standing;
        const shown = s.order.length > 0 || s.ranks.length > 0;
        graph.node.hidden = !shown;
        empty.hidden = shown;
        empty.textContent = !s.looked ? "Looking…" : !s.group ? "There is no consumer group yet. Start a consumer with a group id, and it appears here." : "Nobody is in this group, and nothing was committed for it.";
        more.hidden = !s.more.partitions && !s.more.members;
        more.textContent = `Not drawn: ${s.more.partitions} more partitions, ${s.more.members} more members.`;
        if (changed(s, before, "order", "ranks", "partitions", "members", "group")) graph.draw(s, before);
        chart.draw(s, before);
        if (changed(s, before, "gantt")) pauses(s);
        const newest = s.gantt.pauses.find((p) => p.to !== null);
        const known = before?.gantt.pauses.some((p) => p.id === newest?.id && p.to !== null);
        if (before && before.group === s.group && newest && !known) said.textContent = newest.text;
      },
      end: chart.end
    };
  })
};
export {
  view_default as default
};
