// The rebalance Gantt: draws a lane per partition, with bars for the members that held it and gaps in which nobody read it.
// The newest is at the right. The page holds only the visible bars; bars that exist already are moved, not created again.

import { ticks as axisTicks, timeStep } from "../axis.ts";
import { changed, clock, el, keeper, pan, partitionColour, partitionInk, reducedMotion, scaleOf, shorten } from "../shared.ts";
import type { Chart, Pause, Picture } from "./picture";

type Piece = Chart["lanes"][string][number];
/** A piece of a lane as it is drawn; `length`: how long the pause was that it belongs to. */
type Bar = {
  name: string; p: number; piece: Piece; who: string; length: string | undefined; marked: boolean;
  x: number; y: number; width: number; tall: number; letter: number;
};
type Scale = { from: number; to: number; box: number; left: number; height: number; scale: number; x(at: number): number };

const WHAT: Record<string, string> = {
  silent: "still assigned to a member that was never heard of again",
  rebalancing: "taken back by the coordinator, not given out yet: nobody reads it",
  nobody: "held by no member",
  unknown: "not watched, or nobody could be asked",
};
const KEYS = "Arrow keys move in time, plus and minus zoom, Home shows the beginning and End the newest.";
/** Width of a letter in pixels, on average. */
const LETTER = 6.6;
let charts = 0;

/** Returns the Gantt. `live`: whether time goes on by itself, except in a recording. */
export function ganttChart(live: boolean) {
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
  const keep = keeper(bars, ({ name }: Bar) => name, ({ name, p }) => bar(name, p, `url(#${id})`));
  let shown: Shown = { span: SPAN, end: null };
  let state: Picture;
  let received = 0;
  let newest = 0;
  let lengths = new Map<string, string>();
  let marked = new Set<string>();

  const buttons = el("div", { class: "kl-buttons", role: "group", "aria-label": "time shown" },
    button("◀", "earlier", () => move(-0.25)), button("▶", "later", () => move(0.25)),
    button("−", "zoom out", () => zoom(2)), button("+", "zoom in", () => zoom(0.5)),
    button("now", "now: follow the newest", () => set({ span: shown.span, end: null })));

  const runs = () => live && state.flows;

  function now() {
    // The kernel says up to when it has seen; between its messages the page's own clock runs on, for up to three seconds.
    const past = runs() ? Math.min(3, (performance.now() - received) / 1000) : 0;
    // In a recording, time runs backwards too.
    newest = Math.max(runs() ? newest : 0, (state.to ?? 0) + past);
    return newest;
  }
  const first = () => state.gantt.from ?? now();
  const set = (window: Shown) => { shown = window; paint(); };
  const move = (share: number) => set(moved(shown, share * shown.span, now(), first()));
  const zoom = (factor: number, share = shown.end === null ? 1 : 0.5) => set(zoomed(shown, factor, share, now(), first()));

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
    const x = (at: number) => left + (Math.min(Math.max(at, from), to) - from) * ((box - left - 2) / (to - from));
    const height = order.length * step + 4;
    size(lanes, box, height);
    keep(labelled.flatMap(({ key, p }, i) => visible(state.gantt.lanes[key] ?? [], from, Math.min(to, now())).map((piece) => {
      const name = `${key}@${piece[0]}`, [x0, x1] = [x(piece[0]), x(piece[1] ?? now())];
      const place = { x: x0, y: 2 + i * step, width: Math.max(2, x1 - x0), tall, letter };
      return { ...place, name, p, piece, who: names[piece[3] ?? ""] ?? "", length: lengths.get(name), marked: marked.has(name) };
    })));
    labels.replaceChildren(el("rect", { class: "kl-cover", x: 0, y: 0, width: left - 3, height }),
      ...labelled.map(({ p, label }, i) => el("text", { x: 0, y: 2 + i * step + tall * 0.75, style: { "--kl-c": partitionColour(p) } }, label)));
    above(top, lines, state, { from, to, box, left, height, scale, x });
    below(axis, { from, to, box, left, height, scale, x });
    stage.dataset.from = from.toFixed(3);
    stage.dataset.to = to.toFixed(3);
  }

  stage.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = {
      ArrowLeft: () => move(-0.1), ArrowRight: () => move(0.1), "+": () => zoom(0.5), "=": () => zoom(0.5), "-": () => zoom(2),
      Home: () => set(moved(shown, -1e12, now(), first())), End: () => set({ span: shown.span, end: null }),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  pan(stage, () => stage, {
    shift: (pixels) => move(pixels / stage.clientWidth),
    zoom: (by, x) => zoom(by > 0 ? 1.25 : 0.8, x / stage.clientWidth),
  });

  const seen = new ResizeObserver(() => paint());
  seen.observe(stage);
  const beat = setInterval(() => {
    if (state && runs() && shown.end === null && !document.hidden && stage.isConnected) paint();
  }, reducedMotion() ? 1000 : 200);

  return {
    node: el("div", {}, el("div", { class: "kl-gantt-head" }, el("h4", { class: "kl-title" }, "Who held what: the rebalances, measured"), buttons), stage),
    draw(after: Picture, before: Picture | undefined) {
      state = after;
      received = performance.now();
      if (changed(after, before, "group")) {
        newest = 0;
        marked = new Set();
        shown = { span: after.span ?? (live ? SPAN : Math.max(4, ((after.to ?? 0) - (after.gantt.from ?? 0)) * 1.03)), end: null };
      }
      if (changed(after, before, "gantt")) lengths = measured(after.gantt);
      stage.hidden = !after.gantt.order.length;
      paint();
    },
    /** Moves the window to a pause and rings its bars. */
    show(pause: Pause) {
      marked = new Set(pause.keys.flatMap((key) => piecesOf(pause, state.gantt.lanes[key]).map((piece) => `${key}@${piece[0]}`)));
      set(around(pause.from, pause.to ?? now(), now(), first()));
    },
    end() {
      clearInterval(beat);
      seen.disconnect();
    },
  };
}

/** Returns the topic and the partition of a lane. */
function split(key: string): [string, number] {
  const at = key.lastIndexOf("/");
  return [key.slice(0, at), Number(key.slice(at + 1))];
}

/** @param hatch the fill of a stretch in which nobody read */
function bar(name: string, p: number, hatch: string) {
  const back = el("rect", { rx: 4, class: "kl-back" });
  const rect = el("rect", { rx: 4, class: "kl-span" });
  const text = el("text", {});
  const title = el("title", {});
  const node = el("g", { "data-bar": name, style: { "--kl-c": partitionColour(p), "--kl-on": partitionInk(p) } }, title, back, rect, text);
  return {
    node,
    draw({ piece: [start, end, what, member], who, x, y, width, tall, letter, length, marked }: Bar) {
      node.setAttribute("class", `kl-piece kl-is-${what}${marked ? " kl-marked" : ""}`);
      node.dataset.what = what;
      node.dataset.member = member ?? "";
      for (const box of [rect, back]) {
        for (const [name, value] of Object.entries({ x, y, width, height: tall })) box.setAttribute(name, value.toFixed(1));
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
      const lasted = length ? `\nnobody read it for ${length}` : "";
      const told = `${said}\n${clock.ofDay(start, 1)} – ${end === null ? "now" : clock.ofDay(end, 1)}${lasted}`;
      if (title.textContent !== told) title.textContent = told;
    },
  };
}

function button(sign: string, name: string, onclick: () => void) {
  return el("button", { type: "button", class: "kl-button", title: name, "aria-label": name, onclick }, sign);
}

function size(svg: SVGElement, width: number, height: number) {
  svg.setAttribute("width", String(width));
  svg.setAttribute("height", String(height));
}

/** Draws lines for generations and for the learner's actions. */
function above(top: SVGElement, lines: SVGElement, { gantt, about }: Picture, { from, to, box, height, scale, x }: Scale) {
  const letter = LETTER * scale;
  const shown = <T>(all: [number, T][]) => all.filter(([when]) => when >= from && when <= to);
  const [numbers, notes] = [shown(gantt.numbers), shown(gantt.notes)];
  size(top, box, (notes.length ? 30 : 15) * scale);
  const y = (notes.length ? 26 : 11) * scale;
  let free = -Infinity;
  const marks: SVGElement[] = [];
  for (const [when, number] of numbers) {
    const at = x(when);
    if (at < free) continue;
    marks.push(el("text", { x: at, y, "text-anchor": "middle", class: "kl-number" }, el("title", {}, `${about.noun} ${number}, ${clock.ofDay(when, 1)}`), number));
    free = at + letter * (String(number).length + 1.5);
  }
  // Each note has room up to the next one; notes that are too close to tell apart share one text.
  const deeds: { at: number; texts: string[] }[] = [];
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
  const line = (when: number, look = "") => el("line", { class: look, x1: x(when), x2: x(when), y1: 0, y2: height });
  lines.replaceChildren(...numbers.map(([when]) => line(when)), ...notes.map(([when]) => line(when, "kl-note-line")));
}

/** Draws the axis. */
function below(axis: SVGElement, { from, to, box, left, scale, x }: Scale) {
  size(axis, box, 20 * scale);
  const room = 30 * scale;
  axis.replaceChildren(el("line", { x1: left, x2: box, y1: 1, y2: 1 }), ...ticks(from, to, box - left, 76 * scale).flatMap(([when, words]) => {
    const at = x(when), line = el("line", { x1: at, x2: at, y1: 1, y2: 5 });
    return at > left + room && at < box - room ? [line, el("text", { x: at, y: 16 * scale, "text-anchor": "middle" }, words)] : [line];
  }));
}

// --- The time line of the Gantt, without the DOM: works out the stretch shown, the places of its ticks, and how long pauses took.

/** The seconds shown, and the moment at the right edge; null follows the newest moment. */
type Shown = { span: number; end: number | null };

const SPAN = 60;
const SHORTEST = 0.5;

/** Returns where a window begins and ends when the newest moment is `now`. */
export function edges({ span, end }: Shown, now: number): [number, number] {
  return [(end ?? now) - span, end ?? now];
}

/** Returns the window with its span multiplied; the moment at `share` (0 left … 1 right) stays where it is. */
export function zoomed(window: Shown, factor: number, share: number, now: number, first: number): Shown {
  const longest = Math.max(SPAN, now - first) * 1.05;
  const span = Math.min(Math.max(window.span * factor, SHORTEST), longest);
  if (window.end === null && share >= 0.95) return { span, end: null };
  const fixed = edges(window, now)[0] + window.span * share;
  return kept(span, fixed + span * (1 - share), now, first);
}

/** Returns the window moved by a number of seconds; at the newest moment it follows again. */
export function moved({ span, end }: Shown, seconds: number, now: number, first: number) {
  return kept(span, (end ?? now) + seconds, now, first);
}

/** Returns a window that shows a stretch with some room on both sides. */
export function around(from: number, to: number, now: number, first: number) {
  const span = Math.max(4, (to - from) * 2.5);
  return kept(span, (from + to) / 2 + span / 2, now, first);
}

function kept(span: number, end: number, now: number, first: number): Shown {
  return { span, end: end >= now ? null : Math.max(end, Math.min(first + span, now)) };
}

/** Returns the ticks as [moment, words], at least `room` pixels apart. */
export function ticks(from: number, to: number, width: number, room: number): [number, string][] {
  const step = timeStep(((to - from) * room) / Math.max(1, width));
  return axisTicks(from, to, step).map((at) => [at, clock.ofDay(at, step < 1 ? 1 : 0)]);
}

/** Returns the pieces that are visible between two moments. */
export function visible(pieces: Piece[], from: number, to: number) {
  return pieces.filter(([start, end]) => start < to && (end ?? Infinity) > from);
}

/** Returns the pieces of a lane that a pause consists of. */
function piecesOf({ from, to }: Pick<Pause, "from" | "to">, pieces: Piece[] = []) {
  return pieces.filter(([start, end, what]) => what !== "held" && start >= from - 0.002 && (end ?? Infinity) <= (to ?? Infinity) + 0.002);
}

/** Returns which pieces show the length of a pause: lane and start → the words. In each lane it is the longest, with most room. */
export function measured({ lanes, pauses }: Pick<Chart, "lanes" | "pauses">) {
  const found = new Map<string, string>();
  const lengthOf = ([start, end]: Piece) => (end ?? Infinity) - start;
  for (const pause of pauses) {
    if (pause.seconds === null) continue;
    for (const key of pause.keys) {
      const [longest] = piecesOf(pause, lanes[key]).sort((a, b) => lengthOf(b) - lengthOf(a));
      if (longest) found.set(`${key}@${longest[0]}`, `${pause.seconds.toFixed(pause.seconds < 1 ? 2 : 1)} s`);
    }
  }
  return found;
}

/** Cuts a text so that it fits into a width. */
export function fitting(text: string, width: number, letter: number) {
  const room = Math.floor(width / letter);
  const letters = Array.from(text);
  if (letters.length <= room) return text;
  return room >= 3 ? `${letters.slice(0, room - 1).join("")}…` : "";
}
