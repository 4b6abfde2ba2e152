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
      const before = drawn;
      drawn = state;
      showFault(page, state.fault);
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
  return ops.reduce((at, op) => change(at, op[1], op), state);
}
function change(at, path, op) {
  const [kind, , value] = op;
  if (path.length === 0) {
    if (kind === "set") return value;
    if (kind === "cut") return at.slice(value);
    if (kind === "end") return at.slice(0, value);
    if (kind === "add") return [...at, ...value];
    throw new Error(`a patch with an unknown operation: ${kind}`);
  }
  const [key, ...rest] = path;
  if (Array.isArray(at)) return at.map((element, i) => i === key ? change(element, rest, op) : element);
  const gone = kind === "del" && rest.length === 0;
  const entries = Object.entries(at).filter(([name]) => name !== key);
  if (gone) return Object.fromEntries(entries);
  const inner = Object.hasOwn(at, key) ? at[key] : void 0;
  const next = change(inner, rest, op);
  if (!Object.hasOwn(at, key)) return Object.fromEntries([...entries, [key, next]]);
  return Object.fromEntries(Object.entries(at).map(([name, was]) => [name, name === key ? next : was]));
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
var charts = 0;
function ganttChart(flows) {
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
  const drawn = /* @__PURE__ */ new Map();
  let window_ = { span: SPAN, end: null };
  let state;
  let received = 0;
  let newest = 0;
  let lengths = /* @__PURE__ */ new Map();
  let marked = /* @__PURE__ */ new Set();
  const buttons = el(
    "div",
    { class: "kl-buttons", role: "group", "aria-label": "time shown" },
    button("◀", "earlier", () => pan(-0.25)),
    button("▶", "later", () => pan(0.25)),
    button("−", "zoom out", () => zoom(2)),
    button("+", "zoom in", () => zoom(0.5)),
    button("now", "now: follow the newest", () => set({ span: window_.span, end: null }))
  );
  const runs = () => flows() && state?.flows !== false;
  function now() {
    const past = runs() ? Math.min(3, (performance.now() - received) / 1e3) : 0;
    newest = Math.max(runs() ? newest : 0, (state?.to ?? 0) + past);
    return newest;
  }
  const first = () => state?.gantt.from ?? now();
  const set = (w) => {
    window_ = w;
    paint();
  };
  const pan = (share) => set(moved(window_, share * window_.span, now(), first()));
  const zoom = (factor, share = window_.end === null ? 1 : 0.5) => set(zoomed(window_, factor, share, now(), first()));
  function paint() {
    if (!state?.gantt.order.length) return;
    const box = stage.clientWidth;
    if (!box) return;
    const scale = scaleOf(stage);
    const { order, names, numbers, notes } = state.gantt;
    const topics = new Set(order.map((key) => key.slice(0, key.lastIndexOf("/"))));
    const laneName = (key) => (topics.size > 1 ? `${shorten(key.slice(0, key.lastIndexOf("/")), 14)} ` : "") + `P${key.slice(key.lastIndexOf("/") + 1)}`;
    const dense = order.length > 16;
    const [step, tall] = (dense ? [19, 15] : [27, 20]).map((n) => n * scale);
    const letter = 6.6 * scale;
    const left = Math.max(30 * scale, 8 + letter * Math.max(...order.map((k) => laneName(k).length)));
    const [from, to] = edges(window_, now());
    const width = box - left - 2;
    const x = (t) => left + (Math.min(Math.max(t ?? now(), from), to) - from) * (width / (to - from));
    const height = order.length * step + 4;
    size(lanes, box, height);
    const used = /* @__PURE__ */ new Set();
    order.forEach((key, i) => {
      const p = Number(key.slice(key.lastIndexOf("/") + 1));
      for (const piece of visible(state.gantt.lanes[key] ?? [], from, to)) {
        if (piece[0] > now()) continue;
        const name = `${key}@${piece[0]}`;
        used.add(name);
        const bar = drawn.get(name) ?? make(name, p);
        const [x0, x1] = [x(piece[0]), x(piece[1])];
        place(bar, piece, names[piece[3] ?? ""] ?? "", { x: x0, y: 2 + i * step, width: Math.max(2, x1 - x0), tall, letter }, lengths.get(name));
        bar.g.classList.toggle("kl-marked", marked.has(name));
      }
    });
    for (const [name, bar] of drawn) {
      if (used.has(name)) continue;
      bar.g.remove();
      drawn.delete(name);
    }
    labels.replaceChildren(
      el("rect", { class: "kl-cover", x: 0, y: 0, width: left - 3, height }),
      ...order.map((key, i) => el("text", { x: 0, y: 2 + i * step + tall * 0.75, style: { "--kl-c": partitionColour(Number(key.slice(key.lastIndexOf("/") + 1))) } }, laneName(key)))
    );
    above(top, lines, { numbers, notes, from, to, x, box, height, scale, letter, noun: state.about.noun });
    below(axis, { from, to, x, box, left, scale });
    stage.dataset.from = from.toFixed(3);
    stage.dataset.to = to.toFixed(3);
  }
  function make(name, p) {
    const back = el("rect", { rx: 4, class: "kl-back" });
    const rect = el("rect", { rx: 4, class: "kl-span" });
    const text = el("text", {});
    const title = el("title", {});
    const g = el("g", { "data-bar": name, style: { "--kl-c": partitionColour(p), "--kl-on": partitionInk(p) } }, title, back, rect, text);
    bars.append(g);
    const made = { g, rect, back, text, title, said: "" };
    drawn.set(name, made);
    return made;
  }
  function place(bar, [start, end, what, member2], name, at, length) {
    bar.g.setAttribute("class", `kl-piece kl-is-${what}${bar.g.classList.contains("kl-marked") ? " kl-marked" : ""}`);
    for (const rect of [bar.rect, bar.back]) {
      for (const [k, v] of Object.entries({ x: at.x, y: at.y, width: at.width, height: at.tall })) rect.setAttribute(k, Number(v).toFixed(1));
    }
    bar.rect.style.fill = what === "held" ? "" : what === "unknown" ? "none" : `url(#${id})`;
    const words = what === "held" ? name : what === "unknown" ? "not watched" : length ?? "";
    const middle = what !== "held";
    const inside = fitting(words, at.width - (middle ? 2 : 10), at.letter);
    bar.text.textContent = middle && inside !== words ? "" : inside;
    bar.text.setAttribute("x", (middle ? at.x + at.width / 2 : at.x + 6).toFixed(1));
    bar.text.setAttribute("text-anchor", middle ? "middle" : "start");
    bar.text.setAttribute("y", (at.y + at.tall * 0.73).toFixed(1));
    const until = end === null ? "now" : clock.ofDay(end, 1);
    const said = `${what === "held" ? shorten(name, 60) : WHAT[what] ?? what}${what === "silent" ? `: ${shorten(name, 60)}` : ""}
${clock.ofDay(start, 1)} – ${until}${length ? `
nobody read it for ${length}` : ""}`;
    if (bar.said !== said) bar.title.textContent = bar.said = said;
    bar.g.dataset.what = what;
    bar.g.dataset.member = member2 ?? "";
  }
  stage.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = {
      ArrowLeft: () => pan(-0.1),
      ArrowRight: () => pan(0.1),
      "+": () => zoom(0.5),
      "=": () => zoom(0.5),
      "-": () => zoom(2),
      Home: () => set(moved(window_, -1e12, now(), first())),
      End: () => set({ span: window_.span, end: null })
    }[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  });
  stage.addEventListener("wheel", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) {
      const box = stage.getBoundingClientRect();
      zoom(event.deltaY + event.deltaX > 0 ? 1.25 : 0.8, (event.clientX - box.left) / box.width);
    } else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) pan(event.deltaX / stage.clientWidth);
    else return;
    event.preventDefault();
  }, { passive: false });
  drag(stage, (pixels) => set(moved(window_, -pixels * window_.span / stage.clientWidth, now(), first())));
  const seen = new ResizeObserver(() => paint());
  seen.observe(stage);
  const beat = setInterval(() => {
    if (runs() && window_.end === null && !document.hidden && stage.isConnected) paint();
  }, reducedMotion() ? 1e3 : 200);
  return {
    node: el("div", {}, el("div", { class: "kl-gantt-head" }, el("h4", { class: "kl-title" }, "Who held what: the rebalances, measured"), buttons), stage),
    stage,
    draw(after, before) {
      state = after;
      received = performance.now();
      if (changed(after, before, "group")) {
        newest = 0;
        marked = /* @__PURE__ */ new Set();
        window_ = { span: after.span ?? (flows() ? SPAN : Math.max(4, ((after.to ?? 0) - (after.gantt.from ?? 0)) * 1.03)), end: null };
      }
      if (changed(after, before, "gantt")) lengths = measured(after.gantt.lanes, after.gantt.pauses);
      stage.hidden = !after.gantt.order.length;
      paint();
    },
    // Moves the window to a pause and rings its bars.
    show(pause) {
      marked = new Set(pause.keys.flatMap((key) => (state.gantt.lanes[key] ?? []).filter((p) => p[2] !== "held" && p[0] >= pause.from - 2e-3 && (p[1] ?? Infinity) <= (pause.to ?? Infinity) + 2e-3).map((p) => `${key}@${p[0]}`)));
      set(around(pause.from, pause.to ?? now(), now(), first()));
    },
    end() {
      clearInterval(beat);
      seen.disconnect();
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
function above(top, lines, { numbers, notes, from, to, x, box, height, scale, letter, noun }) {
  const shown = (all) => all.filter(([when]) => when >= from && when <= to);
  const told = shown(notes);
  size(top, box, (told.length ? 30 : 15) * scale);
  const y = (told.length ? 26 : 11) * scale;
  let free = -Infinity;
  const marks = [];
  for (const [when, number] of shown(numbers)) {
    const at = x(when);
    if (at < free) continue;
    marks.push(el("text", { x: at, y, "text-anchor": "middle", class: "kl-number" }, el("title", {}, `${noun} ${number}, ${clock.ofDay(when, 1)}`), number));
    free = at + letter * (String(number).length + 1.5);
  }
  const deeds = [];
  for (const [when, text] of told) {
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
  lines.replaceChildren(
    ...shown(numbers).map(([when]) => el("line", { x1: x(when), x2: x(when), y1: 0, y2: height })),
    ...told.map(([when]) => el("line", { class: "kl-note-line", x1: x(when), x2: x(when), y1: 0, y2: height }))
  );
}
function below(axis, { from, to, x, box, left, scale }) {
  size(axis, box, 20 * scale);
  axis.replaceChildren(el("line", { x1: left, x2: box, y1: 1, y2: 1 }), ...ticks2(from, to, box - left, 76 * scale).flatMap(([when, words]) => {
    const at = x(when);
    const room = 30 * scale;
    return [el("line", { x1: at, x2: at, y1: 1, y2: 5 }), at > left + room && at < box - room ? el("text", { x: at, y: 16 * scale, "text-anchor": "middle" }, words) : null].filter(Boolean);
  }));
}
function drag(node, moved2) {
  let last = null;
  node.addEventListener("pointerdown", (event) => {
    if (event.button === 0) last = event.clientX;
  });
  node.addEventListener("pointermove", (event) => {
    if (last === null || !(event.buttons & 1)) return void (last = null);
    if (Math.abs(event.clientX - last) < 2) return;
    moved2(event.clientX - last);
    last = event.clientX;
  });
}
var SPAN = 60;
var SHORTEST = 0.5;
function edges(window, now) {
  const end = window.end ?? now;
  return [end - window.span, end];
}
function zoomed(window, factor, share, now, first) {
  const longest = Math.max(SPAN, now - first) * 1.05;
  const span = Math.min(Math.max(window.span * factor, SHORTEST), longest);
  if (window.end === null && share >= 0.95) return { span, end: null };
  const [from, to] = edges(window, now);
  const fixed = from + (to - from) * share;
  return kept({ span, end: fixed + span * (1 - share) }, now, first);
}
function moved(window, seconds, now, first) {
  return kept({ span: window.span, end: (window.end ?? now) + seconds }, now, first);
}
function around(from, to, now, first) {
  const span = Math.max(4, (to - from) * 2.5);
  return kept({ span, end: (from + to) / 2 + span / 2 }, now, first);
}
function kept(window, now, first) {
  const end = window.end;
  if (end >= now) return { span: window.span, end: null };
  return { span: window.span, end: Math.max(end, Math.min(first + window.span, now)) };
}
function ticks2(from, to, width, room) {
  const step = timeStep((to - from) * room / Math.max(1, width));
  return ticks(from, to, step).map((at) => [at, clock.ofDay(at, step < 1 ? 1 : 0)]);
}
function visible(pieces, from, to) {
  return pieces.filter(([start, end]) => start < to && (end ?? Infinity) > from);
}
function measured(lanes, pauses) {
  const found = /* @__PURE__ */ new Map();
  for (const { keys, from, to, seconds } of pauses) {
    if (seconds === null) continue;
    for (const key of keys) {
      const inside = (lanes[key] ?? []).filter((p) => p[2] !== "held" && p[0] >= from - 2e-3 && (p[1] ?? Infinity) <= (to ?? Infinity) + 2e-3);
      const longest = inside.reduce((a, b) => !a || lengthOf(b) > lengthOf(a) ? b : a, null);
      if (longest) found.set(`${key}@${longest[0]}`, `${seconds.toFixed(seconds < 1 ? 2 : 1)} s`);
    }
  }
  return found;
}
function lengthOf(piece) {
  return (piece[1] ?? Infinity) - piece[0];
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
  const items = /* @__PURE__ */ new Map();
  const edges2 = /* @__PURE__ */ new Map();
  let state;
  let at = "";
  let begun = 0;
  let frame = 0;
  function draw(after, before) {
    const fresh = !before || before.group !== after.group;
    state = after;
    const scale = scaleOf(node);
    const size2 = metrics(Math.max(after.order.length, after.ranks.length), scale);
    const height = Math.max(after.order.length, after.ranks.length, 1) * size2.step;
    node.classList.toggle("kl-dense", size2.dense);
    inner.style.height = `${height}px`;
    lines.setAttribute("viewBox", `0 0 100 ${height}`);
    const kept2 = /* @__PURE__ */ new Set();
    after.order.forEach((key, i) => put(left, `p:${key}`, i * size2.step, size2.box, kept2, () => partition(key, after)));
    for (const id of after.ranks) put(right, `m:${id}`, after.members[id].row * size2.step, size2.box, kept2, () => member(after.members[id]));
    for (const [name, item] of items) {
      if (kept2.has(name)) continue;
      item.remove();
      items.delete(name);
    }
    after.order.forEach((key, i) => inOrder(left, items.get(`p:${key}`), i));
    after.ranks.forEach((id, i) => inOrder(right, items.get(`m:${id}`), i));
    if (!items.has(at)) at = after.order.length ? `p:${after.order[0]}` : after.ranks.length ? `m:${after.ranks[0]}` : "";
    rove();
    aim(targets(after, size2), fresh);
    light(node.contains(document.activeElement) ? at : "");
  }
  function put(list, name, y, box, kept2, made) {
    kept2.add(name);
    let item = items.get(name);
    if (!item) {
      item = el("li", { "data-item": name, tabindex: -1 });
      item.addEventListener("focus", () => {
        at = name;
        rove();
        light(name);
      });
      item.addEventListener("mouseenter", () => light(name));
      item.addEventListener("mouseleave", () => light(node.contains(document.activeElement) ? at : ""));
      items.set(name, item);
      list.append(item);
    }
    const { cls, title, style, children, from } = made();
    item.style.top = `${y}px`;
    item.style.height = `${box}px`;
    const signature = JSON.stringify(from);
    if (item.dataset.from === signature) return;
    item.dataset.from = signature;
    item.className = cls;
    item.title = title;
    for (const [property, value] of Object.entries(style)) item.style.setProperty(property, value);
    item.replaceChildren(...children);
  }
  function rove() {
    for (const [name, item] of items) item.tabIndex = name === at ? 0 : -1;
  }
  function light(name) {
    const [kind, id] = [name.slice(0, 2), name.slice(2)];
    const on = new Set(name ? [name] : []);
    for (const key of state?.order ?? []) {
      const holder = state.partitions[key].member;
      if (kind === "p:" && key === id && holder || kind === "m:" && holder === id) on.add(`p:${key}`).add(`m:${holder}`);
    }
    node.classList.toggle("kl-some", on.size > 0);
    for (const [key, item] of items) item.classList.toggle("kl-on", on.has(key));
    for (const [key, edge] of edges2) edge.path.classList.toggle("kl-on", on.has(`p:${key}`));
  }
  function aim(wanted, fresh) {
    const still = fresh || reducedMotion() || !node.isConnected;
    let moves = false;
    for (const [key, to] of wanted) {
      const edge = edges2.get(key);
      if (!edge) {
        const p = Number(key.slice(key.lastIndexOf("/") + 1));
        const path = el("path", { "data-edge": key, style: { stroke: partitionColour(p) } });
        lines.append(path);
        const start = { ...to, grow: 0 };
        edges2.set(key, { now: start, from: start, to, path });
        moves = true;
      } else if (["y1", "y2", "grow"].some((k) => edge.to[k] !== to[k])) {
        Object.assign(edge, { from: edge.now, to });
        moves = true;
      }
    }
    for (const [key, edge] of edges2) {
      if (wanted.has(key) || edge.to.grow === 0) continue;
      Object.assign(edge, { from: edge.now, to: { ...edge.to, grow: 0 } });
      moves = true;
    }
    if (!moves) return;
    begun = performance.now();
    for (const edge of edges2.values()) edge.from = edge.now;
    cancelAnimationFrame(frame);
    if (still) turn(1);
    else frame = requestAnimationFrame(tick);
  }
  function tick() {
    const k = Math.min(1, (performance.now() - begun) / MOTION_MS);
    turn(ease(k));
    if (k < 1) frame = requestAnimationFrame(tick);
  }
  function turn(k) {
    for (const [key, edge] of edges2) {
      edge.now = blend(edge.from, edge.to, k);
      edge.path.setAttribute("d", curve(edge.now));
      if (k === 1 && edge.to.grow === 0) {
        edge.path.remove();
        edges2.delete(key);
      }
    }
  }
  node.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !state) return;
    const columns = [state.order.map((k) => `p:${k}`), state.ranks.map((id) => `m:${id}`)];
    const to = stepped(event.key, columns, at);
    if (!to) return;
    event.preventDefault();
    event.stopPropagation();
    items.get(to)?.focus();
  });
  node.addEventListener("focusout", (event) => {
    if (!node.contains(event.relatedTarget)) light("");
  });
  return { node, draw, end: () => cancelAnimationFrame(frame) };
}
function inOrder(list, item, i) {
  if (item && list.children[i] !== item && item !== document.activeElement) list.insertBefore(item, list.children[i] ?? null);
}
function partition(key, state) {
  const p = state.partitions[key];
  const holder = p.member === null ? null : state.members[p.member];
  const topic = shorten(p.topic, 26);
  const lag = p.lag === null ? "nothing committed" : p.lag ? `lag ${count(p.lag)}` : "lag 0";
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
  const idle = m.said === "standing by";
  const { said } = m;
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
  const dense = rows > 14;
  return { dense, step: (dense ? 26 : 38) * scale, box: (dense ? 21 : 29) * scale };
}
function curve({ y1, y2, grow }) {
  const t = Math.min(1, Math.max(0, grow));
  const points = [[0, y1], [50, y1], [50, y2], [100, y2]];
  const between = (a2, b2) => [a2[0] + (b2[0] - a2[0]) * t, a2[1] + (b2[1] - a2[1]) * t];
  const [a, b, c] = [between(points[0], points[1]), between(points[1], points[2]), between(points[2], points[3])];
  const [d, e] = [between(a, b), between(b, c)];
  const end = between(d, e);
  const put = (p) => `${p[0].toFixed(1)} ${p[1].toFixed(1)}`;
  return `M${put(points[0])}C${put(a)} ${put(d)} ${put(end)}`;
}
function targets(state, { step, box }) {
  const held = /* @__PURE__ */ new Map();
  for (const key of state.order) {
    const member2 = state.partitions[key].member;
    if (member2 !== null && state.members[member2]) held.set(member2, [...held.get(member2) ?? [], key]);
  }
  const found = /* @__PURE__ */ new Map();
  const row = new Map(state.order.map((key, i) => [key, i]));
  for (const [member2, keys] of held) {
    const apart = Math.min(5, box * 0.7 / keys.length);
    keys.forEach((key, i) => {
      const fan = (i - (keys.length - 1) / 2) * apart;
      found.set(key, { y1: (row.get(key) ?? 0) * step + box / 2, y2: state.members[member2].row * step + box / 2 + fan, grow: 1 });
    });
  }
  return found;
}
function blend(a, b, k) {
  const mix = (u, v) => u + (v - u) * k;
  return { y1: mix(a.y1, b.y1), y2: mix(a.y2, b.y2), grow: mix(a.grow, b.grow) };
}
function ease(k) {
  return k < 0.5 ? 4 * k ** 3 : 1 - (-2 * k + 2) ** 3 / 2;
}
function stepped(key, columns, at) {
  const c = columns.findIndex((column) => column.includes(at));
  if (c < 0) return null;
  const i = columns[c].indexOf(at);
  const other = columns[1 - c];
  const across = () => other.length ? other[Math.min(other.length - 1, Math.round(i * other.length / columns[c].length))] : null;
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
    const frozen = () => !model.get("live");
    const bar = el("div", { class: "kl-bar" });
    const notice = el("div", {});
    const graph = groupGraph();
    const chart = ganttChart(() => !frozen());
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
      ask({ do: "choose", place: Number(event.target.value) });
    }
    function head(s) {
      const { about } = s;
      const [sign, tone] = STATES[about.state] ?? ["⇄", "warn"];
      const name = shorten(s.group, 60);
      const place = s.groups.indexOf(s.group);
      const chosen = s.groups.length > 1 && !frozen() ? el(
        "select",
        { class: "kl-select", "aria-label": "group shown", "data-key": "group", onchange: choose },
        place < 0 ? el("option", { value: -1, selected: true }, name || "choose a group") : null,
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
      const found = s.gantt.pauses;
      const focused = document.activeElement?.dataset?.pause;
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
      )));
      if (focused) [...list.querySelectorAll("button")].find((b) => b.dataset.pause === focused)?.focus();
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
      end() {
        graph.end();
        chart.end();
      }
    };
  })
};
export {
  view_default as default
};
