// The rebalance Gantt: draws a lane per partition, with bars for the members that held it and gaps in which nobody read it.
// The newest is at the right. The page holds only the visible bars; bars that exist already are moved, not created again.

import { ticks as axisTicks, timeStep } from "../axis.ts";
import { changed, clock, el, partitionColour, partitionInk, reducedMotion, scaleOf, shorten } from "../shared.ts";
import type { Pause, Picture } from "./picture";

const WHAT: Record<string, string> = {
  silent: "still assigned to a member that was never heard of again",
  rebalancing: "taken back by the coordinator, not given out yet: nobody reads it",
  nobody: "held by no member",
  unknown: "not watched, or nobody could be asked",
};
const KEYS = "Arrow keys move in time, plus and minus zoom, Home shows the beginning and End the newest.";
let charts = 0;

/** @param flows tells whether time goes on, because the picture is live. */
export function ganttChart(flows: () => boolean) {
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
  const drawn: Map<string, any> = new Map();
  let window_: Window = { span: SPAN, end: null };
  let state: Picture;
  let received = 0;
  let newest = 0;
  let lengths: Map<string, string> = new Map();
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
  const set = (w) => { window_ = w; paint(); };
  const pan = (share: number) => set(moved(window_, share * window_.span, now(), first()));
  const zoom = (factor: number, share = window_.end === null ? 1 : 0.5) => set(zoomed(window_, factor, share, now(), first()));

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
    const x = (t: number | null) => left + (Math.min(Math.max(t ?? now(), from), to) - from) * (width / (to - from));
    const height = order.length * step + 4;
    size(lanes, box, height);
    const used = new Set();
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
    labels.replaceChildren(el("rect", { class: "kl-cover", x: 0, y: 0, width: left - 3, height }),
      ...order.map((key, i) => el("text", { x: 0, y: 2 + i * step + tall * 0.75, style: { "--kl-c": partitionColour(Number(key.slice(key.lastIndexOf("/") + 1))) } }, laneName(key))));
    above(top, lines, { numbers, notes, from, to, x, box, height, scale, letter, noun: state.about.noun });
    below(axis, { from, to, x, box, left, scale });
    stage.dataset.from = from.toFixed(3);
    stage.dataset.to = to.toFixed(3);
  }

  function make(name: string, p: number) {
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

  function place(bar: any, [start, end, what, member]: Piece, name: string, at: any, length: string | undefined) {
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
    const said = `${what === "held" ? shorten(name, 60) : WHAT[what] ?? what}${what === "silent" ? `: ${shorten(name, 60)}` : ""}\n${clock.ofDay(start, 1)} – ${until}${length ? `\nnobody read it for ${length}` : ""}`;
    if (bar.said !== said) bar.title.textContent = bar.said = said;
    bar.g.dataset.what = what;
    bar.g.dataset.member = member ?? "";
  }

  stage.addEventListener("keydown", (event: KeyboardEvent) => {
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
  stage.addEventListener("wheel", (event: WheelEvent) => {
    // The wheel scrolls the notebook as usual; with a modifier key, or sideways, it moves the time line.
    if (event.ctrlKey || event.metaKey || event.shiftKey) {
      const box = stage.getBoundingClientRect();
      zoom(event.deltaY + event.deltaX > 0 ? 1.25 : 0.8, (event.clientX - box.left) / box.width);
    } else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) pan(event.deltaX / stage.clientWidth);
    else return;
    event.preventDefault();
  }, { passive: false });
  drag(stage, (pixels: number) => set(moved(window_, (-pixels * window_.span) / stage.clientWidth, now(), first())));

  const seen = new ResizeObserver(() => paint());
  seen.observe(stage);
  const beat = setInterval(() => { if (runs() && window_.end === null && !document.hidden && stage.isConnected) paint(); }, reducedMotion() ? 1000 : 200);

  return {
    node: el("div", {}, el("div", { class: "kl-gantt-head" }, el("h4", { class: "kl-title" }, "Who held what: the rebalances, measured"), buttons), stage),
    stage,
    draw(after: Picture, before: Picture | undefined) {
      state = after;
      received = performance.now();
      if (changed(after, before, "group")) {
        newest = 0;
        marked = new Set();
        window_ = { span: after.span ?? (flows() ? SPAN : Math.max(4, ((after.to ?? 0) - (after.gantt.from ?? 0)) * 1.03)), end: null };
      }
      if (changed(after, before, "gantt")) lengths = measured(after.gantt.lanes, after.gantt.pauses);
      stage.hidden = !after.gantt.order.length;
      paint();
    },
    // Moves the window to a pause and rings its bars.
    show(pause: Pause) {
      marked = new Set(pause.keys.flatMap((key) => (state.gantt.lanes[key] ?? [])
        .filter((p) => p[2] !== "held" && p[0] >= pause.from - 0.002 && (p[1] ?? Infinity) <= (pause.to ?? Infinity) + 0.002)
        .map((p) => `${key}@${p[0]}`)));
      set(around(pause.from, pause.to ?? now(), now(), first()));
    },
    end() {
      clearInterval(beat);
      seen.disconnect();
    },
  };
}

function button(sign: string, name: string, onclick: () => void) {
  return el("button", { type: "button", class: "kl-button", title: name, "aria-label": name, onclick }, sign);
}

function size(svg: any, width: number, height: number) {
  svg.setAttribute("width", String(width));
  svg.setAttribute("height", String(height));
}

/** Draws lines for generations and for the learner's actions. */
function above(top, lines, { numbers, notes, from, to, x, box, height, scale, letter, noun }) {
  const shown = (all: [number, any][]) => all.filter(([when]) => when >= from && when <= to);
  const told = shown(notes);
  size(top, box, (told.length ? 30 : 15) * scale);
  const y = (told.length ? 26 : 11) * scale;
  let free = -Infinity;
  const marks: any[] = [];
  for (const [when, number] of shown(numbers)) {
    const at = x(when);
    if (at < free) continue;
    marks.push(el("text", { x: at, y, "text-anchor": "middle", class: "kl-number" }, el("title", {}, `${noun} ${number}, ${clock.ofDay(when, 1)}`), number));
    free = at + letter * (String(number).length + 1.5);
  }
  // Each note has room up to the next one; notes that are too close to tell apart share one text.
  const deeds: { at: number; texts: string[] }[] = [];
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

/** Draws the axis. */
function below(axis, { from, to, x, box, left, scale }) {
  size(axis, box, 20 * scale);
  axis.replaceChildren(el("line", { x1: left, x2: box, y1: 1, y2: 1 }), ...ticks(from, to, box - left, 76 * scale).flatMap(([when, words]) => {
    const at = x(when);
    const room = 30 * scale;
    return [el("line", { x1: at, x2: at, y1: 1, y2: 5 }), at > left + room && at < box - room ? el("text", { x: at, y: 16 * scale, "text-anchor": "middle" }, words) : null].filter(Boolean);
  }));
}

/** Calls `moved` with the pixels that a drag went. */
function drag(node: HTMLElement, moved: (pixels: number) => void) {
  let last: number | null = null;
  node.addEventListener("pointerdown", (event) => { if (event.button === 0) last = event.clientX; });
  node.addEventListener("pointermove", (event) => {
    if (last === null || !(event.buttons & 1)) return void (last = null);
    if (Math.abs(event.clientX - last) < 2) return;
    moved(event.clientX - last);
    last = event.clientX;
  });
}

// --- The time line of the Gantt, without the DOM: works out the stretch shown, the places of its ticks, and how long pauses took.
// A window is {span, end}: the seconds shown, and the moment at its right edge; with end null it follows the newest moment.

export type Window = { span: number; end: number | null };
export type Piece = [from: number, to: number | null, what: string, member: string | null];

const SPAN = 60;
const SHORTEST = 0.5;

/** Returns [from, to] of a window when the newest moment is `now`. */
export function edges(window: Window, now: number): [number, number] {
  const end = window.end ?? now;
  return [end - window.span, end];
}

/** Returns the window with its span multiplied; the moment at `share` (0 left … 1 right) stays where it is. */
export function zoomed(window: Window, factor: number, share: number, now: number, first: number): Window {
  const longest = Math.max(SPAN, now - first) * 1.05;
  const span = Math.min(Math.max(window.span * factor, SHORTEST), longest);
  if (window.end === null && share >= 0.95) return { span, end: null };
  const [from, to] = edges(window, now);
  const fixed = from + (to - from) * share;
  return kept({ span, end: fixed + span * (1 - share) }, now, first);
}

/** Returns the window moved by a number of seconds; at the newest moment it follows again. */
export function moved(window: Window, seconds: number, now: number, first: number): Window {
  return kept({ span: window.span, end: (window.end ?? now) + seconds }, now, first);
}

/** Returns a window that shows a stretch with some room on both sides. */
export function around(from: number, to: number, now: number, first: number): Window {
  const span = Math.max(4, (to - from) * 2.5);
  return kept({ span, end: (from + to) / 2 + span / 2 }, now, first);
}

function kept(window: Window, now: number, first: number): Window {
  const end = window.end as number;
  if (end >= now) return { span: window.span, end: null };
  return { span: window.span, end: Math.max(end, Math.min(first + window.span, now)) };
}

/** Returns the ticks as [moment, words], at least `room` pixels apart. */
export function ticks(from: number, to: number, width: number, room: number): [number, string][] {
  const step = timeStep(((to - from) * room) / Math.max(1, width));
  return axisTicks(from, to, step).map((at) => [at, clock.ofDay(at, step < 1 ? 1 : 0)]);
}

/** Returns the pieces that are visible between two moments; pieces are in order and touch each other. */
export function visible(pieces: Piece[], from: number, to: number): Piece[] {
  return pieces.filter(([start, end]) => start < to && (end ?? Infinity) > from);
}

/** Returns which pieces show the length of a pause: lane and start → the words. In each lane it is the longest, with most room. */
export function measured(lanes: Record<string, Piece[]>, pauses: { keys: string[]; from: number; to: number | null; seconds: number | null }[]): Map<string, string> {
  const found = new Map();
  for (const { keys, from, to, seconds } of pauses) {
    if (seconds === null) continue;
    for (const key of keys) {
      const inside = (lanes[key] ?? []).filter((p) => p[2] !== "held" && p[0] >= from - 0.002 && (p[1] ?? Infinity) <= (to ?? Infinity) + 0.002);
      const longest = inside.reduce((a, b) => (!a || lengthOf(b) > lengthOf(a) ? b : a), null as Piece | null);
      if (longest) found.set(`${key}@${longest[0]}`, `${seconds.toFixed(seconds < 1 ? 2 : 1)} s`);
    }
  }
  return found;
}

function lengthOf(piece: Piece) {
  return (piece[1] ?? Infinity) - piece[0];
}

/** Cuts a text so that it fits into a width. */
export function fitting(text: string, width: number, letter: number): string {
  const room = Math.floor(width / letter);
  const letters = Array.from(text);
  if (letters.length <= room) return text;
  return room >= 3 ? `${letters.slice(0, room - 1).join("")}…` : "";
}
