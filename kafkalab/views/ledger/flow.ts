// The flow of a ledger as shapes, without the DOM: works out three stations, the ribbons between them, and those that leave
// or join.

import { el, shorten } from "../shared.ts";
import type { Flow, Picture } from "./picture";

export type Bar = { x: number; y: number; h: number };
export type Ribbon = { kind: string; count: number; d: string; middle: string };

export const WIDTH = 1060;
export const HEIGHT = 268;
/** Places of the stations, and their width. */
export const STATIONS = { sent: 40, acknowledged: 420, seen: 800 };
export const THICK = 20;
const TOP = 64;
const TALL = 128;
/** Where the ribbons that fall off end, and where the ribbon of strangers starts. */
export const FLOOR = 226;
export const SINKS = { unacknowledged: 240, lost: 540, strangers: 755 };
/** Minimum thickness of a ribbon, so that one record of a million can be seen. */
const LEAST = 4;

/** Returns the thickness of a ribbon of n ids; `most` ids fill the whole height. */
export function thickness(n: number, most: number) {
  return n <= 0 ? 0 : Math.max(LEAST, (TALL * n) / Math.max(1, most));
}

/** Returns the bars and ribbons of a flow. */
export function layout(flow: Flow): { bars: Record<"sent" | "acknowledged" | "seen", Bar>; ribbons: Ribbon[] } {
  const most = Math.max(flow.kept + flow.lost + flow.unsure_seen + flow.unsure_gone, flow.kept + flow.unsure_seen + flow.strangers);
  const h = Object.fromEntries(Object.entries(flow).map(([way, n]) => [way, thickness(n, most)])) as Record<keyof Flow, number>;
  const bars = {
    sent: { x: STATIONS.sent, y: TOP, h: h.kept + h.lost + h.unsure_seen + h.unsure_gone },
    acknowledged: { x: STATIONS.acknowledged, y: TOP, h: h.kept + h.lost },
    seen: { x: STATIONS.seen, y: TOP, h: h.kept + h.unsure_seen + h.strangers },
  };
  const right = (name: "sent" | "acknowledged") => STATIONS[name] + THICK;
  const lostAt = TOP + h.kept;
  const unsureAt = TOP + h.kept + h.lost;
  const goneAt = unsureAt + h.unsure_seen;
  const strangersAt = TOP + h.kept + h.unsure_seen;
  // The ribbon that bypasses "acknowledged" runs below it.
  const below = TOP + h.kept + h.lost + (h.unsure_seen ? 12 : 0);
  const ribbons = [
    ribbon("acknowledged", flow.kept + flow.lost, right("sent"), TOP, STATIONS.acknowledged, TOP, h.kept + h.lost),
    ribbon("seen", flow.kept, right("acknowledged"), TOP, STATIONS.seen, TOP, h.kept),
    passing("unsure", flow.unsure_seen, unsureAt, below, TOP + h.kept, h.unsure_seen),
    falling("unacknowledged", flow.unsure_gone, right("sent"), goneAt, SINKS.unacknowledged, h.unsure_gone),
    falling("lost", flow.lost, right("acknowledged"), lostAt, SINKS.lost, h.lost),
    rising("strangers", flow.strangers, SINKS.strangers, strangersAt, h.strangers),
  ];
  return { bars, ribbons: ribbons.filter((one) => one.count > 0) };
}

function ribbon(kind: string, count: number, x1: number, y1: number, x2: number, y2: number, h: number): Ribbon {
  const m = (x1 + x2) / 2;
  return { kind, count, d: `M${x1} ${y1}C${m} ${y1} ${m} ${y2} ${x2} ${y2}V${y2 + h}C${m} ${y2 + h} ${m} ${y1 + h} ${x1} ${y1 + h}Z`, middle: `M${x1} ${y1 + h / 2}C${m} ${y1 + h / 2} ${m} ${y2 + h / 2} ${x2} ${y2 + h / 2}` };
}

/** Returns a ribbon from sent to seen, below acknowledged. */
function passing(kind: string, count: number, y1: number, y2: number, y3: number, h: number): Ribbon {
  const [a, b, c, d] = [STATIONS.sent + THICK, STATIONS.acknowledged, STATIONS.acknowledged + THICK, STATIONS.seen];
  const [m, n] = [(a + b) / 2, (c + d) / 2];
  const line = (o: number) => `M${a} ${y1 + o}C${m} ${y1 + o} ${m} ${y2 + o} ${b} ${y2 + o}H${c}C${n} ${y2 + o} ${n} ${y3 + o} ${d} ${y3 + o}`;
  return { kind, count, d: `${line(0)}V${y3 + h}C${n} ${y3 + h} ${n} ${y2 + h} ${c} ${y2 + h}H${b}C${m} ${y2 + h} ${m} ${y1 + h} ${a} ${y1 + h}Z`, middle: line(h / 2) };
}

/** Returns a ribbon that falls off a station. */
function falling(kind: string, count: number, x: number, y: number, sink: number, h: number): Ribbon {
  const [l, r] = [sink - h / 2, sink + h / 2];
  return { kind, count, d: `M${x} ${y}C${r} ${y} ${r} ${y} ${r} ${FLOOR}H${l}C${l} ${y + h} ${l} ${y + h} ${x} ${y + h}Z`, middle: `M${x} ${y + h / 2}C${sink} ${y + h / 2} ${sink} ${y + h / 2} ${sink} ${FLOOR}` };
}

/** Returns a ribbon that rises into seen. */
function rising(kind: string, count: number, source: number, y: number, h: number): Ribbon {
  const [l, r, x] = [source - h / 2, source + h / 2, STATIONS.seen];
  return { kind, count, d: `M${l} ${FLOOR}C${l} ${y} ${l} ${y} ${x} ${y}V${y + h}C${r} ${y + h} ${r} ${y + h} ${r} ${FLOOR}Z`, middle: `M${source} ${FLOOR}C${source} ${y + h / 2} ${source} ${y + h / 2} ${x} ${y + h / 2}` };
}

// --- The fate of one record: asks the kernel about an id, and shows which of the three stations the record reached.

/** The fate of a record, as Ledger.fate returns it. */
export type Fate = { id: string; sent: number | null; key: string | null; acknowledged: boolean; seen: boolean; lost: boolean; read_again: boolean; out_of_order: boolean; positions: string[] };

export const WORDS = {
  lost: ["✗", "lost", "acknowledged, and never seen"],
  duplicated: ["⇉", "duplicated", "in the log more than once"],
  out_of_order: ["⇄", "out of order", "in the log behind a record of the same key that was sent later"],
  redelivered: ["↻", "read again", "read more than once; the log holds it once"],
  unacknowledged: ["⊘", "not acknowledged", "sent, and nobody promised to keep it"],
  strangers: ["◇", "sent by others", "seen, and not sent through this ledger"],
} as Record<string, [string, string, string]>;

/** Returns the kinds that list an id. */
export function listedAs(picture: Picture, id: string): string[] {
  return Object.keys(picture.ids).filter((kind) => picture.ids[kind].includes(id));
}

/** Returns the fate of a record in a sentence or more. */
export function sentence(fate: Fate, moving: boolean) {
  if (fate.sent === null && !fate.seen && !fate.acknowledged) return "The ledger knows no record of this id.";
  if (fate.lost) return moving ? "It was acknowledged and has not been seen yet." : "It is lost: a broker acknowledged it, and nobody ever saw it.";
  if (!fate.seen) return "It was sent and not acknowledged: nobody promised to keep it, and nobody has seen it.";
  const said = [];
  if (fate.sent === null) said.push("It was seen, and was not sent through this ledger.");
  else if (!fate.acknowledged) said.push("It was never acknowledged, and is in the log all the same.");
  if (fate.positions.length > 1) said.push("It lies in the log more than once.");
  if (fate.out_of_order) said.push("It came late: a record of its key that was sent later lies before it.");
  if (fate.read_again) said.push("It was read more than once from the same place.");
  return said.length ? said.join(" ") : "It arrived, once.";
}

/** @param find asks the kernel */
export function finder(find: (id: string) => void): { form: HTMLElement; told: HTMLElement; ask(id: string): void; answer(fate: Fate): void; state(picture: Picture): void } {
  let picture: Picture | null = null;
  const input = el("input", { class: "kl-lg-input kl-mono", type: "text", "aria-label": "id of a record", placeholder: "T0042-000017", spellcheck: "false", autocomplete: "off", maxlength: 400 });
  const told = el("div", { class: "kl-lg-told", role: "status" });
  const form = el("form", { class: "kl-lg-find", onsubmit: (event: Event) => {
    event.preventDefault();
    if (input.value.trim()) ask(input.value.trim());
  } }, el("label", {}, el("span", {}, "What became of "), input), el("button", { class: "kl-button", type: "submit" }, "find"));

  function ask(id: string) {
    input.value = id;
    if (picture?.live) {
      told.replaceChildren(el("span", { class: "kl-soft" }, "asking…"));
      find(id);
      return;
    }
    const kinds = picture ? listedAs(picture, id) : [];
    const words = kinds.map((kind) => `${WORDS[kind][0]} ${WORDS[kind][1]}`).join(", ");
    told.replaceChildren(el("bdi", { class: "kl-mono" }, shorten(id, 60)), kinds.length ? `: ${words}.` : " is not among the ids that this picture lists; it keeps only the first of each kind.");
  }

  function answer(fate: Fate) {
    const known = fate.sent !== null || fate.seen || fate.acknowledged;
    const step = (good: boolean, yes: string, no: string, sign: string = "✗") => el("span", { class: `kl-lg-step ${good ? "kl-lg-yes" : "kl-lg-no"}` }, `${good ? "✓" : sign} ${good ? yes : no}`);
    told.replaceChildren(
      el("div", { class: "kl-lg-fate-id" }, el("bdi", { class: "kl-mono" }, shorten(fate.id, 80)), fate.key === null ? "" : el("span", { class: "kl-soft" }, " key ", el("bdi", { class: "kl-mono" }, shorten(fate.key, 40)))),
      known ? el("div", { class: "kl-lg-steps" }, step(fate.sent !== null, `sent, as number ${fate.sent}`, "not sent here", "◇"), " → ", step(fate.acknowledged, "acknowledged", "not acknowledged", "⊘"), " → ",
        step(fate.seen, "seen", picture?.moving ? "not seen yet" : "never seen", picture?.moving ? "◌" : "✗")) : "",
      fate.positions.length ? el("div", { class: "kl-lg-places" }, fate.positions.map((place) => el("span", { class: "kl-pill kl-mono" }, shorten(place, 60)))) : "",
      el("p", {}, sentence(fate, Boolean(picture?.moving))));
  }

  return { form, told, ask, answer, state: (now) => {
    picture = now;
  } };
}
