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
function showFault(root, text) {
  let shown = root.querySelector(":scope > .kl-fault");
  if (!text) return shown?.remove();
  shown?.getAttribute("data-text") !== text && (shown?.remove(), root.append(el("div", { class: "kl-error kl-fault", role: "alert", "data-text": text }, shorten(text, 600))));
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
    let sign = seconds <= -5e-3 ? "−" : "+", size2 = Math.abs(seconds);
    return size2 < 99.995 ? `${sign}${size2.toFixed(2)} s` : `${sign}${clock.long(Math.round(size2))}`;
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
function shorten(text, limit = 40) {
  let plain = String(text).replace(/[\t\n\r\v\f]+/g, " ").replace(/[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g, "�"), letters = Array.from(plain);
  return letters.length <= limit ? plain : `${letters.slice(0, limit - 9).join("")}…${letters.slice(-8).join("")}`;
}
function changed(now, before, ...names) {
  return !before || names.some((name) => now[name] !== before[name]);
}
function refill(parent, children) {
  let active = (
    /** @type {HTMLElement | null} */
    document.activeElement
  ), held = active && parent.contains(active) ? active.dataset : null;
  if (parent.replaceChildren(...[children].flat(1 / 0).filter(Boolean)), !held?.key) return;
  let all = [...parent.querySelectorAll("[data-key]")];
  (all.find((n) => n.dataset.key === held.key) ?? all.find((n) => held.node && n.dataset.node === held.node))?.focus();
}

// live.js
function live(name, label, build) {
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
    }, view = guard(page, () => build(page, { model, ask })), draw = () => {
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
var CLOCK = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 21600, 43200, 86400];
function timeStep(least) {
  return CLOCK.find((step) => step >= least) ?? Math.ceil(least / 86400) * 86400;
}
function ticks(from, to, step) {
  let first = Math.ceil(from / step - 1e-9), last = Math.floor(to / step + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

// group/gantt.js
var WHAT = {
  silent: "still assigned to a member that was never heard of again",
  rebalancing: "taken back by the coordinator, not given out yet: nobody reads it",
  nobody: "held by no member",
  unknown: "not watched, or nobody could be asked"
}, KEYS = "Arrow keys move in time, plus and minus zoom, Home shows the beginning and End the newest.", charts = 0;
function ganttChart(flows) {
  let id = `kl-hatch-${++charts}-${Math.random().toString(36).slice(2, 7)}`, hatch = el("pattern", { id, width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" }, el("line", { x1: 0, x2: 0, y1: 0, y2: 6, class: "kl-hatch" })), lines = el("g", { class: "kl-numbers" }), bars = el("g", { class: "kl-bars" }), labels = el("g", { class: "kl-lane-names" }), lanes = el("svg", { class: "kl-lanes", "aria-hidden": "true" }, el("defs", {}, hatch), lines, bars, labels), axis = el("svg", { class: "kl-axis", "aria-hidden": "true" }), top = el("svg", { class: "kl-above", "aria-hidden": "true" }), scroll = el("div", { class: "kl-scroll" }, lanes), stage = el("div", { class: "kl-stage", tabindex: 0, role: "group", "aria-label": `Time line of who held which partition. ${KEYS}` }, top, scroll, axis), drawn = /* @__PURE__ */ new Map(), window_ = { span: SPAN, end: null }, state, received = 0, newest = 0, lengths = /* @__PURE__ */ new Map(), marked = /* @__PURE__ */ new Set(), buttons = el(
    "div",
    { class: "kl-buttons", role: "group", "aria-label": "time shown" },
    button("◀", "earlier", () => pan(-0.25)),
    button("▶", "later", () => pan(0.25)),
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
  }, pan = (share) => set(moved(window_, share * window_.span, now(), first())), zoom = (factor, share = window_.end === null ? 1 : 0.5) => set(zoomed(window_, factor, share, now(), first()));
  function paint() {
    if (!state?.gantt.order.length) return;
    let box = stage.clientWidth;
    if (!box) return;
    let scale = scaleOf(stage), { order, names, numbers, notes } = state.gantt, topics = new Set(order.map((key) => key.slice(0, key.lastIndexOf("/")))), laneName = (key) => (topics.size > 1 ? `${shorten(key.slice(0, key.lastIndexOf("/")), 14)} ` : "") + `P${key.slice(key.lastIndexOf("/") + 1)}`, dense = order.length > 16, [step, tall] = (dense ? [19, 15] : [27, 20]).map((n) => n * scale), letter = 6.6 * scale, left = Math.max(30 * scale, 8 + letter * Math.max(...order.map((k) => laneName(k).length))), [from, to] = edges(window_, now()), width = box - left - 2, x = (t) => left + (Math.min(Math.max(t ?? now(), from), to) - from) * (width / (to - from)), height = order.length * step + 4;
    size(lanes, box, height);
    let used = /* @__PURE__ */ new Set();
    order.forEach((key, i) => {
      let p = Number(key.slice(key.lastIndexOf("/") + 1));
      for (let piece of visible(state.gantt.lanes[key] ?? [], from, to)) {
        if (piece[0] > now()) continue;
        let name = `${key}@${piece[0]}`;
        used.add(name);
        let bar = drawn.get(name) ?? make(name, p), [x0, x1] = [x(piece[0]), x(piece[1])];
        place(bar, piece, names[piece[3] ?? ""] ?? "", { x: x0, y: 2 + i * step, width: Math.max(2, x1 - x0), tall, letter }, lengths.get(name)), bar.g.classList.toggle("kl-marked", marked.has(name));
      }
    });
    for (let [name, bar] of drawn)
      used.has(name) || (bar.g.remove(), drawn.delete(name));
    labels.replaceChildren(
      el("rect", { class: "kl-cover", x: 0, y: 0, width: left - 3, height }),
      ...order.map((key, i) => el("text", { x: 0, y: 2 + i * step + tall * 0.75, style: { "--kl-c": partitionColour(Number(key.slice(key.lastIndexOf("/") + 1))) } }, laneName(key)))
    ), above(top, lines, { numbers, notes, from, to, x, box, height, scale, letter, noun: state.about.noun }), below(axis, { from, to, x, box, left, scale }), stage.dataset.from = from.toFixed(3), stage.dataset.to = to.toFixed(3);
  }
  function make(name, p) {
    let back = el("rect", { rx: 4, class: "kl-back" }), rect = el("rect", { rx: 4, class: "kl-span" }), text = el("text", {}), title = el("title", {}), g = el("g", { "data-bar": name, style: { "--kl-c": partitionColour(p), "--kl-on": partitionInk(p) } }, title, back, rect, text);
    bars.append(g);
    let made = { g, rect, back, text, title, said: "" };
    return drawn.set(name, made), made;
  }
  function place(bar, [start, end, what, member2], name, at, length) {
    bar.g.setAttribute("class", `kl-piece kl-is-${what}${bar.g.classList.contains("kl-marked") ? " kl-marked" : ""}`);
    for (let rect of [bar.rect, bar.back])
      for (let [k, v] of Object.entries({ x: at.x, y: at.y, width: at.width, height: at.tall })) rect.setAttribute(k, Number(v).toFixed(1));
    bar.rect.style.fill = what === "held" ? "" : what === "unknown" ? "none" : `url(#${id})`;
    let words = what === "held" ? name : what === "unknown" ? "not watched" : length ?? "", middle = what !== "held", inside = fitting(words, at.width - (middle ? 2 : 10), at.letter);
    bar.text.textContent = middle && inside !== words ? "" : inside, bar.text.setAttribute("x", (middle ? at.x + at.width / 2 : at.x + 6).toFixed(1)), bar.text.setAttribute("text-anchor", middle ? "middle" : "start"), bar.text.setAttribute("y", (at.y + at.tall * 0.73).toFixed(1));
    let until = end === null ? "now" : clock.ofDay(end, 1), said = `${what === "held" ? shorten(name, 60) : WHAT[what] ?? what}${what === "silent" ? `: ${shorten(name, 60)}` : ""}
${clock.ofDay(start, 1)} – ${until}${length ? `
nobody read it for ${length}` : ""}`;
    bar.said !== said && (bar.title.textContent = bar.said = said), bar.g.dataset.what = what, bar.g.dataset.member = member2 ?? "";
  }
  stage.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    let act = {
      ArrowLeft: () => pan(-0.1),
      ArrowRight: () => pan(0.1),
      "+": () => zoom(0.5),
      "=": () => zoom(0.5),
      "-": () => zoom(2),
      Home: () => set(moved(window_, -1e12, now(), first())),
      End: () => set({ span: window_.span, end: null })
    }[event.key];
    act && (event.preventDefault(), event.stopPropagation(), act());
  }), stage.addEventListener("wheel", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) {
      let box = stage.getBoundingClientRect();
      zoom(event.deltaY + event.deltaX > 0 ? 1.25 : 0.8, (event.clientX - box.left) / box.width);
    } else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) pan(event.deltaX / stage.clientWidth);
    else return;
    event.preventDefault();
  }, { passive: !1 }), drag(stage, (pixels) => set(moved(window_, -pixels * window_.span / stage.clientWidth, now(), first())));
  let seen = new ResizeObserver(() => paint());
  seen.observe(stage);
  let beat = setInterval(() => {
    runs() && window_.end === null && !document.hidden && stage.isConnected && paint();
  }, reducedMotion() ? 1e3 : 200);
  return {
    node: el("div", {}, el("div", { class: "kl-gantt-head" }, el("h4", { class: "kl-title" }, "Who held what: the rebalances, measured"), buttons), stage),
    stage,
    draw(after, before) {
      state = after, received = performance.now(), changed(after, before, "group") && (newest = 0, marked = /* @__PURE__ */ new Set(), window_ = { span: after.span ?? (flows() ? SPAN : Math.max(4, ((after.to ?? 0) - (after.gantt.from ?? 0)) * 1.03)), end: null }), changed(after, before, "gantt") && (lengths = measured(after.gantt.lanes, after.gantt.pauses)), stage.hidden = !after.gantt.order.length, paint();
    },
    // Moves the window to a pause and rings its bars.
    show(pause) {
      marked = new Set(pause.keys.flatMap((key) => (state.gantt.lanes[key] ?? []).filter((p) => p[2] !== "held" && p[0] >= pause.from - 2e-3 && (p[1] ?? 1 / 0) <= (pause.to ?? 1 / 0) + 2e-3).map((p) => `${key}@${p[0]}`))), set(around(pause.from, pause.to ?? now(), now(), first()));
    },
    end() {
      clearInterval(beat), seen.disconnect();
    }
  };
}
function button(sign, name, onclick) {
  return el("button", { type: "button", class: "kl-button", title: name, "aria-label": name, onclick }, sign);
}
function size(svg, width, height) {
  svg.setAttribute("width", String(width)), svg.setAttribute("height", String(height));
}
function above(top, lines, { numbers, notes, from, to, x, box, height, scale, letter, noun }) {
  let shown = (all) => all.filter(([when]) => when >= from && when <= to), told = shown(notes);
  size(top, box, (told.length ? 30 : 15) * scale);
  let y = (told.length ? 26 : 11) * scale, free = -1 / 0, marks = [];
  for (let [when, number] of shown(numbers)) {
    let at = x(when);
    at < free || (marks.push(el("text", { x: at, y, "text-anchor": "middle", class: "kl-number" }, el("title", {}, `${noun} ${number}, ${clock.ofDay(when, 1)}`), number)), free = at + letter * (String(number).length + 1.5));
  }
  let deeds = [];
  for (let [when, text] of told) {
    let last = deeds.at(-1);
    last && x(when) - last.at < 2.5 * letter ? last.texts.push(text) : deeds.push({ at: x(when), texts: [text] });
  }
  for (let [i, { at, texts }] of deeds.entries()) {
    let room = (deeds[i + 1]?.at ?? box) - at, words = `▸ ${fitting(texts.map((text) => shorten(text, 60)).join(", "), room - 2.5 * letter, letter)}`;
    marks.push(el("text", { x: at, y: 11 * scale, class: "kl-note" }, el("title", {}, texts.map((text) => shorten(text, 200)).join(`
`)), words));
  }
  top.replaceChildren(...marks), lines.replaceChildren(
    ...shown(numbers).map(([when]) => el("line", { x1: x(when), x2: x(when), y1: 0, y2: height })),
    ...told.map(([when]) => el("line", { class: "kl-note-line", x1: x(when), x2: x(when), y1: 0, y2: height }))
  );
}
function below(axis, { from, to, x, box, left, scale }) {
  size(axis, box, 20 * scale), axis.replaceChildren(el("line", { x1: left, x2: box, y1: 1, y2: 1 }), ...ticks2(from, to, box - left, 76 * scale).flatMap(([when, words]) => {
    let at = x(when), room = 30 * scale;
    return [el("line", { x1: at, x2: at, y1: 1, y2: 5 }), at > left + room && at < box - room ? el("text", { x: at, y: 16 * scale, "text-anchor": "middle" }, words) : null].filter(Boolean);
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
var SPAN = 60, SHORTEST = 0.5;
function edges(window, now) {
  let end = window.end ?? now;
  return [end - window.span, end];
}
function zoomed(window, factor, share, now, first) {
  let longest = Math.max(SPAN, now - first) * 1.05, span = Math.min(Math.max(window.span * factor, SHORTEST), longest);
  if (window.end === null && share >= 0.95) return { span, end: null };
  let [from, to] = edges(window, now), fixed = from + (to - from) * share;
  return kept({ span, end: fixed + span * (1 - share) }, now, first);
}
function moved(window, seconds, now, first) {
  return kept({ span: window.span, end: (window.end ?? now) + seconds }, now, first);
}
function around(from, to, now, first) {
  let span = Math.max(4, (to - from) * 2.5);
  return kept({ span, end: (from + to) / 2 + span / 2 }, now, first);
}
function kept(window, now, first) {
  let end = (
    /** @type {number} */
    window.end
  );
  return end >= now ? { span: window.span, end: null } : { span: window.span, end: Math.max(end, Math.min(first + window.span, now)) };
}
function ticks2(from, to, width, room) {
  let step = timeStep((to - from) * room / Math.max(1, width));
  return ticks(from, to, step).map((at) => [at, clock.ofDay(at, step < 1 ? 1 : 0)]);
}
function visible(pieces, from, to) {
  return pieces.filter(([start, end]) => start < to && (end ?? 1 / 0) > from);
}
function measured(lanes, pauses) {
  let found = /* @__PURE__ */ new Map();
  for (let { keys, from, to, seconds } of pauses)
    if (seconds !== null)
      for (let key of keys) {
        let longest = (lanes[key] ?? []).filter((p) => p[2] !== "held" && p[0] >= from - 2e-3 && (p[1] ?? 1 / 0) <= (to ?? 1 / 0) + 2e-3).reduce(
          (a, b) => !a || lengthOf(b) > lengthOf(a) ? b : a,
          /** @type {Piece | null} */
          null
        );
        longest && found.set(`${key}@${longest[0]}`, `${seconds.toFixed(seconds < 1 ? 2 : 1)} s`);
      }
  return found;
}
function lengthOf(piece) {
  return (piece[1] ?? 1 / 0) - piece[0];
}
function fitting(text, width, letter) {
  let room = Math.floor(width / letter), letters = Array.from(text);
  return letters.length <= room ? text : room >= 3 ? `${letters.slice(0, room - 1).join("")}…` : "";
}

// group/graph.js
var MOTION_MS = 520;
function groupGraph() {
  let left = el("ul", { class: "kl-parts", "aria-label": "partitions" }), right = el("ul", { class: "kl-members", "aria-label": "members" }), lines = el("svg", { class: "kl-edges", "aria-hidden": "true", preserveAspectRatio: "none" }), inner = el("div", { class: "kl-graph-inner" }, left, lines, right), node = el("div", { class: "kl-graph", role: "group", "aria-label": "Which member reads which partition. Arrow keys move between them." }, inner), items = /* @__PURE__ */ new Map(), edges2 = /* @__PURE__ */ new Map(), state, at = "", begun = 0, frame = 0;
  function draw(after, before) {
    let fresh = !before || before.group !== after.group;
    state = after;
    let scale = scaleOf(node), size2 = metrics(Math.max(after.order.length, after.ranks.length), scale), height = Math.max(after.order.length, after.ranks.length, 1) * size2.step;
    node.classList.toggle("kl-dense", size2.dense), inner.style.height = `${height}px`, lines.setAttribute("viewBox", `0 0 100 ${height}`);
    let kept2 = /* @__PURE__ */ new Set();
    after.order.forEach((key, i) => put(left, `p:${key}`, i * size2.step, size2.box, kept2, () => partition(key, after)));
    for (let id of after.ranks) put(right, `m:${id}`, after.members[id].row * size2.step, size2.box, kept2, () => member(after.members[id]));
    for (let [name, item] of items)
      kept2.has(name) || (item.remove(), items.delete(name));
    after.order.forEach((key, i) => inOrder(left, items.get(`p:${key}`), i)), after.ranks.forEach((id, i) => inOrder(right, items.get(`m:${id}`), i)), items.has(at) || (at = after.order.length ? `p:${after.order[0]}` : after.ranks.length ? `m:${after.ranks[0]}` : ""), rove(), aim(targets(after, size2), fresh), light(node.contains(document.activeElement) ? at : "");
  }
  function put(list, name, y, box, kept2, made) {
    kept2.add(name);
    let item = items.get(name);
    item || (item = el("li", { "data-item": name, tabindex: -1 }), item.addEventListener("focus", () => {
      at = name, rove(), light(name);
    }), item.addEventListener("mouseenter", () => light(name)), item.addEventListener("mouseleave", () => light(node.contains(document.activeElement) ? at : "")), items.set(name, item), list.append(item));
    let { cls, title, style, children, from } = made();
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
    for (let key of state?.order ?? []) {
      let holder = state.partitions[key].member;
      (kind === "p:" && key === id && holder || kind === "m:" && holder === id) && on.add(`p:${key}`).add(`m:${holder}`);
    }
    node.classList.toggle("kl-some", on.size > 0);
    for (let [key, item] of items) item.classList.toggle("kl-on", on.has(key));
    for (let [key, edge] of edges2) edge.path.classList.toggle("kl-on", on.has(`p:${key}`));
  }
  function aim(wanted, fresh) {
    let still = fresh || reducedMotion() || !node.isConnected, moves = !1;
    for (let [key, to] of wanted) {
      let edge = edges2.get(key);
      if (edge)
        ["y1", "y2", "grow"].some((k) => edge.to[k] !== to[k]) && (Object.assign(edge, { from: edge.now, to }), moves = !0);
      else {
        let p = Number(key.slice(key.lastIndexOf("/") + 1)), path = el("path", { "data-edge": key, style: { stroke: partitionColour(p) } });
        lines.append(path);
        let start = { ...to, grow: 0 };
        edges2.set(key, { now: start, from: start, to, path }), moves = !0;
      }
    }
    for (let [key, edge] of edges2)
      wanted.has(key) || edge.to.grow === 0 || (Object.assign(edge, { from: edge.now, to: { ...edge.to, grow: 0 } }), moves = !0);
    if (moves) {
      begun = performance.now();
      for (let edge of edges2.values()) edge.from = edge.now;
      cancelAnimationFrame(frame), still ? turn(1) : frame = requestAnimationFrame(tick);
    }
  }
  function tick() {
    let k = Math.min(1, (performance.now() - begun) / MOTION_MS);
    turn(ease(k)), k < 1 && (frame = requestAnimationFrame(tick));
  }
  function turn(k) {
    for (let [key, edge] of edges2)
      edge.now = blend(edge.from, edge.to, k), edge.path.setAttribute("d", curve(edge.now)), k === 1 && edge.to.grow === 0 && (edge.path.remove(), edges2.delete(key));
  }
  return node.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !state) return;
    let columns = [state.order.map((k) => `p:${k}`), state.ranks.map((id) => `m:${id}`)], to = stepped(event.key, columns, at);
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
function partition(key, state) {
  let p = state.partitions[key], holder = p.member === null ? null : state.members[p.member], topic = shorten(p.topic, 26), lag = p.lag === null ? "nothing committed" : p.lag ? `lag ${count(p.lag)}` : "lag 0";
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
  let idle = m.said === "standing by", { said } = m;
  return {
    from: [m.name, m.client, m.host, said],
    cls: `kl-member ${idle ? "kl-idle" : ""}`,
    style: {},
    title: `${m.client} at ${m.host}
member id ${m.id}
${idle ? "more members than partitions: it waits for one to become free" : said}`,
    children: [el("bdi", { class: "kl-client" }, shorten(m.name, 40)), el("small", { class: "kl-soft" }, said)]
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
  let held = /* @__PURE__ */ new Map();
  for (let key of state.order) {
    let member2 = state.partitions[key].member;
    member2 !== null && state.members[member2] && held.set(member2, [...held.get(member2) ?? [], key]);
  }
  let found = /* @__PURE__ */ new Map(), row = new Map(state.order.map((key, i) => [key, i]));
  for (let [member2, keys] of held) {
    let apart = Math.min(5, box * 0.7 / keys.length);
    keys.forEach((key, i) => {
      let fan = (i - (keys.length - 1) / 2) * apart;
      found.set(key, { y1: (row.get(key) ?? 0) * step + box / 2, y2: state.members[member2].row * step + box / 2 + fan, grow: 1 });
    });
  }
  return found;
}
function blend(a, b, k) {
  let mix = (u, v) => u + (v - u) * k;
  return { y1: mix(a.y1, b.y1), y2: mix(a.y2, b.y2), grow: mix(a.grow, b.grow) };
}
function ease(k) {
  return k < 0.5 ? 4 * k ** 3 : 1 - (-2 * k + 2) ** 3 / 2;
}
function stepped(key, columns, at) {
  let c = columns.findIndex((column) => column.includes(at));
  if (c < 0) return null;
  let i = columns[c].indexOf(at), other = columns[1 - c], across = () => other.length ? other[Math.min(other.length - 1, Math.round(i * other.length / columns[c].length))] : null;
  switch (key) {
    case "ArrowDown":
      return columns[c][Math.min(i + 1, columns[c].length - 1)];
    case "ArrowUp":
      return columns[c][Math.max(i - 1, 0)];
    case "ArrowRight":
      return c === 0 ? across() : null;
    case "ArrowLeft":
      return c === 1 ? across() : null;
    case "Home":
      return columns[c][0];
    case "End":
      return columns[c].at(-1) ?? null;
    default:
      return null;
  }
}

// group/view.js
var LISTED = 5, STATES = { Stable: ["●", "ok"], Empty: ["○", "soft"], Dead: ["✕", "soft"], Unknown: ["?", "bad"] }, MARKS = { died: "✕", left: "−", joined: "+", other: "⇄" };
function pill(text, title) {
  return el("span", { class: "kl-pill", title }, shorten(text, 60));
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
var view_default = {
  render: live("group", "Consumer group", (page, { model, ask }) => {
    let frozen = () => !model.get("live"), bar = el("div", { class: "kl-bar" }), notice = el("div", {}), graph = groupGraph(), chart = ganttChart(() => !frozen()), standing = el("p", { class: "kl-standing" }), empty = el("p", { class: "kl-soft kl-none" }), more = el("p", { class: "kl-soft kl-more" }), list = el("ol", { class: "kl-pauses", "aria-label": "pauses, newest first" }), all = el("button", { type: "button", class: "kl-button kl-all", onclick: () => {
      whole = !whole, pauses(state);
    } }), quiet = el("p", { class: "kl-soft kl-none" }), said = el("div", { class: "kl-hidden", role: "status", "aria-live": "polite" }), whole = !1, state;
    page.append(
      bar,
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
      ask({ do: "choose", place: Number(
        /** @type {HTMLSelectElement} */
        event.target.value
      ) });
    }
    function head(s) {
      let { about } = s, [sign, tone] = STATES[about.state] ?? ["⇄", "warn"], name = shorten(s.group, 60), place = s.groups.indexOf(s.group), chosen = s.groups.length > 1 && !frozen() ? el(
        "select",
        { class: "kl-select", "aria-label": "group shown", "data-key": "group", onchange: choose },
        place < 0 ? el("option", { value: -1, selected: !0 }, name || "choose a group") : null,
        s.groups.map((g, i) => el("option", { value: i, selected: i === place }, shorten(g, 60)))
      ) : el("bdi", {}, name || "none yet");
      refill(bar, [
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
      let found = s.gantt.pauses, focused = (
        /** @type {HTMLElement | null} */
        document.activeElement?.dataset?.pause
      );
      list.replaceChildren(...found.slice(0, whole ? found.length : LISTED).map((pause) => el(
        "li",
        { class: `kl-pause kl-is-${pause.kind}${pause.to === null ? " kl-open" : ""}` },
        el(
          "button",
          { type: "button", class: "kl-pause-button", "data-pause": pause.id, title: "show it on the time line", onclick: () => chart.show(pause) },
          el("time", { class: "kl-mono" }, clock.ofDay(pause.from)),
          el("span", { class: "kl-mark", "aria-hidden": "true" }, MARKS[pause.kind] ?? "·"),
          el("span", {}, shorten(pause.text, 300))
        )
      ))), focused && [...list.querySelectorAll("button")].find((b) => b.dataset.pause === focused)?.focus(), all.hidden = found.length <= LISTED, all.textContent = whole ? "newest only" : `all ${found.length}`, quiet.hidden = found.length > 0 || s.gantt.order.length === 0, quiet.textContent = "No pause so far: every partition is still held by the same member.";
    }
    return {
      draw(s, before) {
        state = s, changed(s, before, "about", "groups", "group") && head(s), changed(s, before, "error") && notice.replaceChildren(...[trouble(s.error)].flat()), page.classList.toggle("kl-stale", !!s.error), standing.textContent = s.about.standing;
        let shown = s.order.length > 0 || s.ranks.length > 0;
        graph.node.hidden = !shown, empty.hidden = shown, empty.textContent = s.looked ? s.group ? "Nobody is in this group, and nothing was committed for it." : "There is no consumer group yet. Start a consumer with a group id, and it appears here." : "Looking…", more.hidden = !s.more.partitions && !s.more.members, more.textContent = `Not drawn: ${s.more.partitions} more partitions, ${s.more.members} more members.`, changed(s, before, "order", "ranks", "partitions", "members", "group") && graph.draw(s, before), chart.draw(s, before), changed(s, before, "gantt") && pauses(s);
        let newest = s.gantt.pauses.find((p) => p.to !== null), known = before?.gantt.pauses.some((p) => p.id === newest?.id && p.to !== null);
        before && before.group === s.group && newest && !known && (said.textContent = newest.text);
      },
      end() {
        graph.end(), chart.end();
      }
    };
  })
};
export {
  view_default as default
};
