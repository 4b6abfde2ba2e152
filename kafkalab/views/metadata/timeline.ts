// The timeline of an action: draws what followed it, stage by stage, on one time axis for all clusters, to compare them.

import { ticks, timeStep } from "../axis.ts";
import { changed, clock, el, refill, scaleOf, shorten, SIGNAL } from "../shared.ts";
import { mark } from "./quorum.ts";

const ROWS = [
  ["quorum", "quorum", "when ZooKeeper's ensemble, or KRaft's quorum, lost a server or its leader, and had one again"],
  ["noticed", "noticed", "when the cluster learned of it: a session ended in ZooKeeper, or KRaft's controller fenced the broker"],
  ["controller", "controller", "when another controller took over, if it was the controller's turn"],
  ["leaders", "leaders", "when partitions had other leaders"],
  ["isr", "in sync", "when replicas left the ISR, and came back"],
] as [string, string, string][];
const LETTER = 6.1, LANE = 19;

/** Places labels so that none covers another: each goes right of its mark, or left of it near the end, on the first free line.
 * Pure.
 * @param width pixels of the axis
 * @param seconds number of seconds that the axis shows
 * @param scale factor of the letters' size */
export function placed(marks: { t: number; text: string }[], width: number, seconds: number, scale: number = 1): { x: number; line: number; left: boolean }[] {
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
export function axis(marks: { t: number; text: string }[], width: number = Infinity, scale: number = 1) {
  const longest = Math.max(0, ...marks.map((m) => m.t));
  const room = (m: { t: number; text: string }, x: number) => x + wide(m, scale) <= width || x >= wide(m, scale);
  const fits = (n: number) => n >= longest * 1.1 && marks.every((m) => room(m, (m.t / n) * width));
  const round = [5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300, 600];
  const seconds = round.find(fits) ?? Math.ceil(Math.max(5, longest * 1.25));
  return { seconds, ticks: ticks(0, seconds, timeStep(seconds / 8)) };
}

/** Returns the approximate width of a mark and its label, in pixels. */
const wide = (m: { text: string }, scale: number) => (m.text.length + 10) * LETTER * scale + 16;

export function timeLines() {
  const body = el("div", { class: "kl-times" });
  const back = el("select", { class: "kl-select", "aria-label": "after which action" });
  const section = el("section", { class: "kl-panel kl-times-panel", "aria-label": "what followed your action" },
    el("div", { class: "kl-times-head" }, el("h4", { class: "kl-title" }, "What followed"), back), body);
  let chosen = 0, count = 0;
  let state: any;

  back.addEventListener("change", () => { chosen = Number((back as HTMLSelectElement).value); draw(); });
  const resized = new ResizeObserver(() => draw());
  resized.observe(body);

  function actionsOf(side) {
    return Object.keys(side.actions).sort((a, b) => Number(b) - Number(a)).map((key) => side.actions[key]);
  }

  function draw() {
    const sides = Object.values(state?.sides ?? {});
    const all = sides.map(actionsOf);
    const most = all.reduce((a, b) => (b.length > a.length ? b : a), []);
    section.hidden = !most.length;
    if (!most.length) return;
    if (most.length !== count) { // there is a new action: show it
      count = most.length;
      chosen = 0;
    }
    const options = most.map((action, i: number) => el("option", { value: i }, `${shorten(action.text, 60)} · ${clock.ofDay(action.at)}`));
    back.replaceChildren(...options);
    (back as HTMLSelectElement).value = String(chosen);
    const shown = all.map((actions) => actions[chosen]);
    const marks = shown.flatMap((action) => (action ? Object.values(action.rows).flat() : []));
    const scale = scaleOf(section);
    const width = Math.max(120, body.clientWidth - 80 * scale - 12);
    const { seconds, ticks } = axis(marks as any[], width, scale);
    refill(body, [
      sides.map((side, i) => block(side, shown[i], { seconds, width, scale, several: sides.length > 1, latest: chosen === 0 })),
      el("div", { class: "kl-times-axis", "aria-hidden": "true" }, ticks.map((t) => el("span", { style: { left: `${(t / seconds) * 100}%` } }, t === 0 ? "0" : `${t} s`))),
    ]);
  }

  return {
    root: section,
    draw(now, before) {
      state = now;
      if (Object.keys(now.sides).some((key) => changed(now.sides[key], before?.sides[key], "actions", "kafka"))) draw();
    },
    end: () => resized.disconnect(),
  };
}

/** Returns the wait from the action to a row's first mark, with what the cluster lacks until then. Pure. */
export function waiting(row: string, action: any): [number, string, string] | null {
  if (!/killed|paused|cut/.test(action.text) || action.rows.noticed[0]?.kind !== "gone") return null;
  const first = action.rows[row]?.find((m) => row !== "leaders" || m.kind === "leader");
  if (!first) return null;
  if (row === "noticed") return [first.t, "nobody knows yet", "until its session has timed out it may only be slow"];
  if (row === "leaders") return [first.t, "what it led cannot be read or written", "clients ask again and again until there is another leader"];
  return null;
}

function block(side: any, action: any, { seconds, width, scale, several, latest }: { seconds: number; width: number; scale: number; several: boolean; latest: boolean }) {
  const title = several ? el("div", { class: "kl-times-side" }, el("b", {}, shorten(side.kafka || side.name, 60)), action ? ` · ${shorten(action.text, 80)}` : " · nothing was done here") : null;
  if (!action) return title;
  return [title, el("ul", { class: "kl-times-rows", "aria-label": `${shorten(side.kafka, 60)} after: ${shorten(action.text, 80)}` }, ROWS.filter(([row]) => row !== "quorum" || action.rows[row]).map(([row, name, about]) => {
    const marks = action.rows[row] ?? [];
    const places = placed(marks, width, seconds, scale);
    const lines = Math.max(1, ...places.map((p) => p.line + 1));
    const wait = waiting(row, action);
    const still = row === "controller" && !marks.length && latest && side.controller !== null ? `${side.controller} goes on` : "";
    return el("li", { class: "kl-times-row", "data-row": row },
      el("span", { class: "kl-times-name", title: about }, name),
      el("span", { class: "kl-times-track", style: { height: `${lines * LANE * scale}px` } },
        wait ? el("span", { class: "kl-times-wait", style: { width: `${(wait[0] / seconds) * 100}%` }, title: wait[2] }, (wait[0] / seconds) * width > (wait[1].length + 2) * LETTER * scale ? wait[1] : "") : null,
        still ? el("span", { class: "kl-times-still" }, still) : null,
        marks.map((m, i: number) => {
          const [sign, tone] = mark(m.kind);
          const { x, line, left } = places[i];
          return el("span", { class: `kl-times-mark kl-tone-${tone} ${left ? "kl-times-left" : ""}`, style: { left: `${(x / width) * 100}%`, top: `${line * LANE * scale}px` }, "data-kind": m.kind,
            title: m.exact ? "to the millisecond" : "seen at that time, at the next look at the cluster; it happened before. KRaft's log, when it is read, knows better" },
          el("span", { class: "kl-mark", "aria-hidden": "true" }, sign), " ",
          el("span", {}, el("b", { class: "kl-mono" }, `${m.exact ? "" : "≤"}${clock.since(m.t)}`), " ", shorten(m.text, 60)));
        })),
      marks.length ? null : el("span", { class: "kl-hidden" }, "nothing"));
  }))];
}

// --- The action bar: breaks and mends a node, the same one in every cluster that is shown, at the same moment.

const ORDER = Object.keys(SIGNAL);

/** Returns what can be acted on: "controller" first, then every node, with the verbs that some cluster allows now. Pure. */
export function targets(sides: any[]): Map<string, { verbs: string[]; busy: string[]; sides: number; is: string[] }> {
  const found: Map<string, { verbs: string[]; busy: string[]; sides: number; is: string[] }> = new Map();
  const names = [...new Set(sides.flatMap((side) => Object.keys(side.targets)))].sort((a, b) => Number(b === "controller") - Number(a === "controller") || a.localeCompare(b, "en", { numeric: true }));
  for (const name of names) {
    const here = sides.filter((side) => Object.hasOwn(side.targets, name)).map((side) => side.targets[name]);
    const verbs = ORDER.filter((verb) => here.some((node) => node.verbs.includes(verb)));
    found.set(name, { verbs, busy: here.map((node) => node.busy).filter(Boolean), sides: here.length, is: here.map((node) => node.is).filter(Boolean) });
  }
  return found;
}

export function actBar(ask: (message: object) => void) {
  const select = el("select", { class: "kl-select", "aria-label": "node" });
  const buttons = el("span", { class: "kl-act-buttons", role: "group", "aria-label": "what to do to it" });
  const note = el("span", { class: "kl-soft", role: "status" });
  const root = el("div", { class: "kl-act" }, el("span", {}, "Break it:"), select, buttons, note);
  let found: Map<string, any> = new Map();
  let several = false, listed = "";

  function draw() {
    const target = found.get(select.value);
    if (!target) return buttons.replaceChildren();
    const focused = document.activeElement?.getAttribute("data-verb");
    const busy = target.busy[0];
    buttons.replaceChildren(...target.verbs.map((verb: string) => el("button", {
      type: "button", class: "kl-button", title: SIGNAL[verb], "data-verb": verb,
      // Not `disabled`, because that would take the keyboard's focus away.
      "aria-disabled": busy ? "true" : null,
      onclick: () => busy || ask({ do: "act", target: select.value, verb }),
    }, verb)));
    if (focused && !buttons.contains(document.activeElement)) {
      const again = (buttons.querySelector(`[data-verb="${focused}"]`) ?? buttons.querySelector("button")) as HTMLElement | null;
      again?.focus();
    }
    const where = several ? (target.sides > 1 ? "in both at the same moment" : "in the one that has it") : "";
    const is = target.is.length ? target.is.map((name: string) => shorten(name.replace("-", " "), 30)).join(" here, ") + (target.is.length > 1 ? " there" : "") : "";
    note.textContent = busy ? `${busy}: under way…` : [is && `now ${is}`, where].filter(Boolean).join(" · ");
    return undefined;
  }
  select.addEventListener("change", draw);

  return {
    root,
    draw(sides: any[]) {
      found = targets(sides);
      several = sides.length > 1;
      root.hidden = found.size === 0;
      const names = [...found.keys()];
      if (names.join() !== listed) {
        const was = select.value;
        listed = names.join();
        select.replaceChildren(...names.map((name) => el("option", { value: name }, name === "controller" ? "the controller" : shorten(name.replace("-", " "), 40))));
        select.value = found.has(was) ? was : (names.find((name) => name === "broker-102") ?? names[0] ?? "");
      }
      draw();
    },
  };
}
