// The timeline of an action: draws what followed it, stage by stage, on one time axis for all clusters, to compare them.

import { ticks, timeStep } from "../axis.ts";
import { changed, clock, el, refill, scaleOf, shorten, SIGNAL } from "../shared.ts";
import type { Action, Mark, Picture, Side } from "./picture";
import { mark } from "./quorum.ts";

const ROWS: [string, string, string][] = [
  ["quorum", "quorum", "when ZooKeeper's ensemble, or KRaft's quorum, lost a server or its leader, and had one again"],
  ["noticed", "noticed", "when the cluster learned of it: a session ended in ZooKeeper, or KRaft's controller fenced the broker"],
  ["controller", "controller", "when another controller took over, if it was the controller's turn"],
  ["leaders", "leaders", "when partitions had other leaders"],
  ["isr", "in sync", "when replicas left the ISR, and came back"],
];
const LETTER = 6.1, LANE = 19;

type Label = Pick<Mark, "t" | "text">;

/** Returns the approximate width of a mark and its label, in pixels. */
const wide = (m: Label, scale: number) => (m.text.length + 10) * LETTER * scale + 16;

/** Places labels so that none covers another: each goes right of its mark, or left of it near the end, on the first free line.
 * Pure.
 * @param width pixels of the axis
 * @param seconds number of seconds that the axis shows
 * @param scale factor of the letters' size */
export function placed(marks: Label[], width: number, seconds: number, scale = 1): { x: number; line: number; left: boolean }[] {
  const taken: [number, number, number][] = [];
  return marks.map((m) => {
    const x = (Math.min(m.t, seconds) / seconds) * width;
    const size = wide(m, scale);
    const left = x + size > width && x - size >= 0;
    const [a, b] = left ? [x - size, x + 6] : [x - 6, x + size];
    let line = 0;
    while (taken.some(([on, from, to]) => on === line && a < to && b > from)) line++;
    taken.push([line, a, b]);
    return { x, line, left };
  });
}

/** Returns the seconds that the axis shows, in round numbers, so that each mark has room for its label on one side. Pure.
 * @param width pixels of the axis
 * @param scale factor of the letters' size */
export function axis(marks: Label[], width = Infinity, scale = 1) {
  const longest = Math.max(0, ...marks.map((m) => m.t));
  const room = (m: Label, x: number) => x + wide(m, scale) <= width || x >= wide(m, scale);
  const fits = (n: number) => n >= longest * 1.1 && marks.every((m) => room(m, (m.t / n) * width));
  const round = [5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300, 600];
  const seconds = round.find(fits) ?? Math.ceil(Math.max(5, longest * 1.25));
  return { seconds, ticks: ticks(0, seconds, timeStep(seconds / 8)) };
}

export function timeLines() {
  const body = el("div", { class: "kl-times" });
  const back = el("select", { class: "kl-select", "aria-label": "after which action" });
  const section = el("section", { class: "kl-panel kl-times-panel", "aria-label": "what followed your action" },
    el("div", { class: "kl-times-head" }, el("h4", { class: "kl-title" }, "What followed"), back), body);
  let chosen = 0; // 0 is the newest action
  let count = 0;
  let sides: Side[] = [];

  back.addEventListener("change", () => { chosen = Number(back.value); draw(); });
  const resized = new ResizeObserver(() => draw());
  resized.observe(body);

  function draw() {
    const most = sides.map((side) => side.actions).reduce((a, b) => (b.length > a.length ? b : a), []).toReversed();
    section.hidden = !most.length;
    if (!most.length) return;
    if (most.length !== count) { // there is a new action: show it
      count = most.length;
      chosen = 0;
    }
    back.replaceChildren(...most.map((action, i) => el("option", { value: i }, `${shorten(action.text, 60)} · ${clock.ofDay(action.at)}`)));
    back.value = String(chosen);
    const shown = sides.map((side) => side.actions.at(-1 - chosen));
    const marks = shown.flatMap((action) => (action ? Object.values(action.rows).flat() : []));
    const scale = scaleOf(section);
    const width = Math.max(120, body.clientWidth - 80 * scale - 12);
    const { seconds, ticks } = axis(marks, width, scale);
    refill(body, [
      sides.map((side, i) => block(side, shown[i], { seconds, width, scale, several: sides.length > 1, latest: chosen === 0 })),
      el("div", { class: "kl-times-axis", "aria-hidden": "true" }, ticks.map((t) => el("span", { style: { left: `${(t / seconds) * 100}%` } }, t === 0 ? "0" : `${t} s`))),
    ]);
  }

  return {
    root: section,
    draw(now: Picture, before: Picture | undefined) {
      sides = Object.values(now.sides);
      if (Object.keys(now.sides).some((key) => changed(now.sides[key], before?.sides[key], "actions", "kafka"))) draw();
    },
    end: () => resized.disconnect(),
  };
}

/** Returns the wait from the action to a row's first mark, with what the cluster lacks until then. Pure. */
export function waiting(row: string, action: Pick<Action, "text" | "rows">): [number, string, string] | null {
  if (!/killed|paused|cut/.test(action.text) || action.rows.noticed[0]?.kind !== "gone") return null;
  const first = action.rows[row]?.find((m) => row !== "leaders" || m.kind === "leader");
  if (!first) return null;
  if (row === "noticed") return [first.t, "nobody knows yet", "until its session has timed out it may only be slow"];
  if (row === "leaders") return [first.t, "what it led cannot be read or written", "clients ask again and again until there is another leader"];
  return null;
}

type Scale = { seconds: number; width: number; scale: number; several: boolean; latest: boolean };

function block(side: Side, action: Action | undefined, on: Scale) {
  const done = action ? ` · ${shorten(action.text, 80)}` : " · nothing was done here";
  const title = on.several ? el("div", { class: "kl-times-side" }, el("b", {}, shorten(side.kafka || side.name, 60)), done) : null;
  if (!action) return title;
  const rows = ROWS.filter(([row]) => row !== "quorum" || action.rows[row]);
  return [title, el("ul", { class: "kl-times-rows", "aria-label": `${shorten(side.kafka, 60)} after: ${shorten(action.text, 80)}` },
    rows.map(([row, name, about]) => el("li", { class: "kl-times-row", "data-row": row }, el("span", { class: "kl-times-name", title: about }, name), track(row, side, action, on))))];
}

function track(row: string, side: Side, action: Action, { seconds, width, scale, latest }: Scale) {
  const marks = action.rows[row] ?? [];
  const places = placed(marks, width, seconds, scale);
  const lines = Math.max(1, ...places.map((p) => p.line + 1));
  const [waited, words, why] = waiting(row, action) ?? [0, "", ""];
  const long = (waited / seconds) * width;
  const still = row === "controller" && !marks.length && latest && side.controller !== null ? `${side.controller} goes on` : "";
  return el("span", { class: "kl-times-track", style: { height: `${lines * LANE * scale}px` } },
    waited ? el("span", { class: "kl-times-wait", style: { width: `${long}px` }, title: why }, long > (words.length + 2) * LETTER * scale ? words : "") : null,
    still ? el("span", { class: "kl-times-still" }, still) : null,
    marks.map((m, i) => {
      const [sign, tone] = mark(m.kind);
      const { x, line, left } = places[i];
      return el("span", {
        class: `kl-times-mark kl-tone-${tone} ${left ? "kl-times-left" : ""}`, style: { left: `${(x / width) * 100}%`, top: `${line * LANE * scale}px` },
        title: m.exact ? "to the millisecond" : "seen at that time, at the next look at the cluster; it happened before. KRaft's log, when it is read, knows better",
      },
      el("span", { class: "kl-mark", "aria-hidden": "true" }, sign), " ",
      el("span", {}, el("b", { class: "kl-mono" }, `${m.exact ? "" : "≤"}${clock.since(m.t)}`), " ", shorten(m.text, 60)));
    }),
    marks.length ? null : el("span", { class: "kl-hidden" }, "nothing"));
}

// --- The action bar: breaks and mends a node, the same one in every cluster that is shown, at the same moment.

const ORDER = Object.keys(SIGNAL);

type Choice = { verbs: string[]; busy: string[]; sides: number; is: string[] };

/** Returns what can be acted on: "controller" first, then every node, with the verbs that some cluster allows now. Pure. */
export function targets(sides: Pick<Side, "targets">[]): Map<string, Choice> {
  const names = [...new Set(sides.flatMap((side) => Object.keys(side.targets)))];
  names.sort((a, b) => Number(b === "controller") - Number(a === "controller") || a.localeCompare(b, "en", { numeric: true }));
  return new Map(names.map((name) => {
    const here = sides.filter((side) => Object.hasOwn(side.targets, name)).map((side) => side.targets[name]);
    const verbs = ORDER.filter((verb) => here.some((node) => node.verbs.includes(verb)));
    return [name, { verbs, busy: here.flatMap(({ busy }) => busy ?? []), sides: here.length, is: here.flatMap(({ node }) => node ?? []) }];
  }));
}

export function actBar(ask: (message: object) => void) {
  const select = el("select", { class: "kl-select", "aria-label": "node", onchange: draw });
  const buttons = el("span", { class: "kl-act-buttons", role: "group", "aria-label": "what to do to it" });
  const note = el("span", { class: "kl-soft", role: "status" });
  const root = el("div", { class: "kl-act" }, el("span", {}, "Break it:"), select, buttons, note);
  let found: Map<string, Choice> = new Map();
  let several = false, listed = "";
  const called = (name: string, most: number) => shorten(name.replace("-", " "), most);

  function draw() {
    const target = found.get(select.value);
    if (!target) return buttons.replaceChildren();
    const busy = target.busy[0];
    refill(buttons, target.verbs.map((verb) => el("button", {
      type: "button", class: "kl-button", title: SIGNAL[verb], "data-verb": verb, "data-key": verb, "data-node": "act",
      // Not `disabled`, because that would take the keyboard's focus away.
      "aria-disabled": busy ? "true" : null,
      onclick: () => busy || ask({ do: "act", target: select.value, verb }),
    }, verb)));
    const where = several ? (target.sides > 1 ? "in both at the same moment" : "in the one that has it") : "";
    const [here, there] = target.is.map((name) => called(name, 30));
    const is = here && (there ? `now ${here} here, ${there} there` : `now ${here}`);
    note.textContent = busy ? `${busy}: under way…` : [is, where].filter(Boolean).join(" · ");
    return undefined;
  }

  return {
    root,
    draw(sides: Side[]) {
      found = targets(sides);
      several = sides.length > 1;
      root.hidden = found.size === 0;
      const names = [...found.keys()];
      if (names.join() !== listed) {
        const was = select.value;
        listed = names.join();
        select.replaceChildren(...names.map((name) => el("option", { value: name }, name === "controller" ? "the controller" : called(name, 40))));
        select.value = found.has(was) ? was : (names.find((name) => name === "broker-102") ?? names[0] ?? "");
      }
      draw();
    },
  };
}
