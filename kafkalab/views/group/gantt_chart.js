// The rebalance Gantt: draws a lane per partition, with bars for the members that held it and gaps in which nobody read it.
// The newest is at the right. The page holds only the visible bars; bars that exist already are moved, not created again.

import { el, partitionColour, partitionInk, reducedMotion, shorten } from "../shared.js";
import { around, edges, fitting, measured, moved, SPAN, ticks, timeOfDay, visible, zoomed } from "./gantt_time.js";

const WHAT = {
  silent: "still assigned to a member that was never heard of again",
  rebalancing: "taken back by the coordinator, not given out yet: nobody reads it",
  nobody: "held by no member",
  unknown: "not watched, or nobody could be asked",
};
const KEYS = "Arrow keys move in time, plus and minus zoom, Home shows the beginning and End the newest.";
let charts = 0;

/** @param {() => boolean} flows tells whether time goes on, because the picture is live. */
export function ganttChart(flows) {
  const id = `kl-hatch-${++charts}-${Math.random().toString(36).slice(2, 7)}`;
  const hatch = document.createElementNS("http://www.w3.org/2000/svg", "pattern");
  for (const [name, value] of Object.entries({ id, width: "6", height: "6", patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" })) hatch.setAttribute(name, value);
  hatch.append(el("line", { x1: 0, x2: 0, y1: 0, y2: 6, class: "kl-hatch" }));
  const lines = el("g", { class: "kl-numbers" });
  const bars = el("g", { class: "kl-bars" });
  const labels = el("g", { class: "kl-lane-names" });
  const lanes = el("svg", { class: "kl-lanes", "aria-hidden": "true" }, el("defs", {}, hatch), lines, bars, labels);
  const axis = el("svg", { class: "kl-axis", "aria-hidden": "true" });
  const top = el("svg", { class: "kl-above", "aria-hidden": "true" });
  const scroll = el("div", { class: "kl-scroll" }, lanes);
  const stage = el("div", { class: "kl-stage", tabindex: 0, role: "group", "aria-label": `Time line of who held which partition. ${KEYS}` }, top, scroll, axis);
  /** @type {Map<string, any>} */ const drawn = new Map();
  /** @type {import("./gantt_time.js").Window} */ let window_ = { span: SPAN, end: null };
  /** @type {any} */ let state;
  let received = 0;
  let newest = 0;
  /** @type {Map<string, string>} */ let lengths = new Map();
  let marked = new Set();

  const buttons = el("div", { class: "kl-buttons", role: "group", "aria-label": "time shown" },
    button("◀", "earlier", () => pan(-0.25)), button("▶", "later", () => pan(0.25)),
    button("−", "zoom out", () => zoom(2)), button("+", "zoom in", () => zoom(0.5)),
    button("now", "now: follow the newest", () => set({ span: window_.span, end: null })));

  // A recording is live too, but its time stops between the moments that are shown.
  const runs = () => flows() && state?.flows !== false;

  function now() {
    // The kernel says up to when it has seen; between its messages the page's own clock runs on, for up to three seconds.
    const past = runs() ? Math.min(3, (performance.now() - received) / 1000) : 0;
    // In a recording, time runs backwards too.
    newest = Math.max(runs() ? newest : 0, (state?.to ?? 0) + past);
    return newest;
  }
  const first = () => state?.gantt.from ?? now();
  const set = (/** @type {any} */ w) => { window_ = w; paint(); };
  const pan = (/** @type {number} */ share) => set(moved(window_, share * window_.span, now(), first()));
  const zoom = (/** @type {number} */ factor, share = window_.end === null ? 1 : 0.5) => set(zoomed(window_, factor, share, now(), first()));

  function paint() {
    if (!state?.gantt.order.length) return;
    const box = stage.clientWidth;
    if (!box) return;
    const scale = Number(getComputedStyle(stage).getPropertyValue("--kl-scale")) || 1;
    const { order, names, numbers, notes } = state.gantt;
    const topics = new Set(order.map((/** @type {string} */ key) => key.slice(0, key.lastIndexOf("/"))));
    const laneName = (/** @type {string} */ key) => (topics.size > 1 ? `${shorten(key.slice(0, key.lastIndexOf("/")), 14)} ` : "") + `P${key.slice(key.lastIndexOf("/") + 1)}`;
    const dense = order.length > 16;
    const [step, tall] = (dense ? [19, 15] : [27, 20]).map((n) => n * scale);
    const letter = 6.6 * scale;
    const left = Math.max(30 * scale, 8 + letter * Math.max(...order.map((/** @type {string} */ k) => laneName(k).length)));
    const [from, to] = edges(window_, now());
    const width = box - left - 2;
    const x = (/** @type {number | null} */ t) => left + (Math.min(Math.max(t ?? now(), from), to) - from) * (width / (to - from));
    const height = order.length * step + 4;
    size(lanes, box, height);
    const used = new Set();
    order.forEach((/** @type {string} */ key, /** @type {number} */ i) => {
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
    labels.replaceChildren(el("rect", { class: "kl-cover", x: 0, y: 0, width: left - 3, height }),
      ...order.map((/** @type {string} */ key, /** @type {number} */ i) => el("text", { x: 0, y: 2 + i * step + tall * 0.75, style: { "--kl-c": partitionColour(Number(key.slice(key.lastIndexOf("/") + 1))) } }, laneName(key))));
    above(top, lines, { numbers, notes, from, to, x, box, height, scale, letter, noun: state.about.noun });
    below(axis, { from, to, x, box, left, scale });
    stage.dataset.from = from.toFixed(3);
    stage.dataset.to = to.toFixed(3);
  }

  function make(/** @type {string} */ name, /** @type {number} */ p) {
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

  function place(/** @type {any} */ bar, /** @type {import("./gantt_time.js").Piece} */ [start, end, what, member], /** @type {string} */ name, /** @type {any} */ at, /** @type {string | undefined} */ length) {
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
    const until = end === null ? "now" : timeOfDay(end, true);
    const said = `${what === "held" ? shorten(name, 60) : WHAT[what] ?? what}${what === "silent" ? `: ${shorten(name, 60)}` : ""}\n${timeOfDay(start, true)} – ${until}${length ? `\nnobody read it for ${length}` : ""}`;
    if (bar.said !== said) bar.title.textContent = bar.said = said;
    bar.g.dataset.what = what;
    bar.g.dataset.member = member ?? "";
  }

  stage.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = {
      ArrowLeft: () => pan(-0.1), ArrowRight: () => pan(0.1), "+": () => zoom(0.5), "=": () => zoom(0.5), "-": () => zoom(2),
      Home: () => set(moved(window_, -1e12, now(), first())), End: () => set({ span: window_.span, end: null }),
    }[event.key];
    if (!act) return;
    // JupyterLab has shortcuts of its own.
    event.preventDefault();
    event.stopPropagation();
    act();
  });
  stage.addEventListener("wheel", (/** @type {WheelEvent} */ event) => {
    // The wheel scrolls the notebook as usual; with a modifier key, or sideways, it moves the time line.
    if (event.ctrlKey || event.metaKey || event.shiftKey) {
      const box = stage.getBoundingClientRect();
      zoom(event.deltaY + event.deltaX > 0 ? 1.25 : 0.8, (event.clientX - box.left) / box.width);
    } else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) pan(event.deltaX / stage.clientWidth);
    else return;
    event.preventDefault();
  }, { passive: false });
  drag(stage, (/** @type {number} */ pixels) => set(moved(window_, (-pixels * window_.span) / stage.clientWidth, now(), first())));

  const seen = new ResizeObserver(() => paint());
  seen.observe(stage);
  const beat = setInterval(() => { if (runs() && window_.end === null && !document.hidden && stage.isConnected) paint(); }, reducedMotion() ? 1000 : 200);

  return {
    node: el("div", {}, el("div", { class: "kl-gantt-head" }, el("h4", { class: "kl-title" }, "Who held what: the rebalances, measured"), buttons), stage),
    stage,
    draw(/** @type {any} */ after, /** @type {any} */ before) {
      state = after;
      received = performance.now();
      if (!before || after.group !== before.group) {
        newest = 0;
        marked = new Set();
        window_ = { span: after.span ?? (flows() ? SPAN : Math.max(4, ((after.to ?? 0) - (after.gantt.from ?? 0)) * 1.03)), end: null };
      }
      if (!before || after.gantt !== before.gantt) lengths = measured(after.gantt.lanes, after.gantt.pauses);
      stage.hidden = !after.gantt.order.length;
      paint();
    },
    // Moves the window to a pause and rings its bars.
    show(/** @type {any} */ pause) {
      marked = new Set(pause.keys.flatMap((/** @type {string} */ key) => (state.gantt.lanes[key] ?? [])
        .filter((/** @type {any} */ p) => p[2] !== "held" && p[0] >= pause.from - 0.002 && (p[1] ?? Infinity) <= (pause.to ?? Infinity) + 0.002)
        .map((/** @type {any} */ p) => `${key}@${p[0]}`)));
      set(around(pause.from, pause.to ?? now(), now(), first()));
    },
    end() {
      clearInterval(beat);
      seen.disconnect();
    },
  };
}

/** @param {string} sign @param {string} name @param {() => void} onclick */
function button(sign, name, onclick) {
  return el("button", { type: "button", class: "kl-button", title: name, "aria-label": name, onclick }, sign);
}

/** @param {any} svg @param {number} width @param {number} height */
function size(svg, width, height) {
  svg.setAttribute("width", String(width));
  svg.setAttribute("height", String(height));
}

/** Draws lines for generations and for the learner's actions. @param {any} top @param {any} lines @param {any} at */
function above(top, lines, { numbers, notes, from, to, x, box, height, scale, letter, noun }) {
  const shown = (/** @type {[number, any][]} */ all) => all.filter(([when]) => when >= from && when <= to);
  const told = shown(notes);
  size(top, box, (told.length ? 30 : 15) * scale);
  const y = (told.length ? 26 : 11) * scale;
  let free = -Infinity;
  /** @type {any[]} */ const marks = [];
  for (const [when, number] of shown(numbers)) {
    const at = x(when);
    if (at < free) continue;
    marks.push(el("text", { x: at, y, "text-anchor": "middle", class: "kl-number" }, el("title", {}, `${noun} ${number}, ${timeOfDay(when, true)}`), number));
    free = at + letter * (String(number).length + 1.5);
  }
  // Each note has room up to the next one; notes that are too close to tell apart share one text.
  /** @type {{ at: number, texts: string[] }[]} */ const deeds = [];
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
  lines.replaceChildren(...shown(numbers).map(([when]) => el("line", { x1: x(when), x2: x(when), y1: 0, y2: height })),
    ...told.map(([when]) => el("line", { class: "kl-note-line", x1: x(when), x2: x(when), y1: 0, y2: height })));
}

/** Draws the axis. @param {any} axis @param {any} at */
function below(axis, { from, to, x, box, left, scale }) {
  size(axis, box, 20 * scale);
  axis.replaceChildren(el("line", { x1: left, x2: box, y1: 1, y2: 1 }), ...ticks(from, to, box - left, 76 * scale).flatMap(([when, words]) => {
    const at = x(when);
    const room = 30 * scale;
    return [el("line", { x1: at, x2: at, y1: 1, y2: 5 }), at > left + room && at < box - room ? el("text", { x: at, y: 16 * scale, "text-anchor": "middle" }, words) : null].filter(Boolean);
  }));
}

/** Calls `moved` with the pixels that a drag went. @param {HTMLElement} node @param {(pixels: number) => void} moved */
function drag(node, moved) {
  /** @type {number | null} */ let last = null;
  node.addEventListener("pointerdown", (event) => { if (event.button === 0) last = event.clientX; });
  node.addEventListener("pointermove", (event) => {
    if (last === null || !(event.buttons & 1)) return void (last = null);
    if (Math.abs(event.clientX - last) < 2) return;
    moved(event.clientX - last);
    last = event.clientX;
  });
}
