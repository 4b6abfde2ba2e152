// The flow of a ledger as shapes, without the DOM: works out three stations, the ribbons between them, and those that leave
// or join.

import { el, shorten } from "../shared.ts";
import type { Flow, Picture } from "./picture";

/** A curve by its points, at a distance from the ribbon's first edge: a start, then two controls and an end for each piece. */
type Curve = (edge: number) => [number, number][];

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
export function layout(flow: Flow) {
  const most = Math.max(flow.kept + flow.lost + flow.unsure_seen + flow.unsure_gone, flow.kept + flow.unsure_seen + flow.strangers);
  const h = Object.fromEntries(Object.entries(flow).map(([way, n]) => [way, thickness(n, most)])) as Record<keyof Flow, number>;
  const { sent, acknowledged, seen } = STATIONS;
  const promised = h.kept + h.lost, unsure = TOP + promised;
  const bars = {
    sent: { x: sent, y: TOP, h: promised + h.unsure_seen + h.unsure_gone },
    acknowledged: { x: acknowledged, y: TOP, h: promised },
    seen: { x: seen, y: TOP, h: h.kept + h.unsure_seen + h.strangers },
  };
  // The ribbon that bypasses "acknowledged" runs below it.
  const below = unsure + (h.unsure_seen ? 12 : 0);
  const first = across(sent + THICK, unsure, acknowledged, below), second = across(acknowledged + THICK, below, seen, TOP + h.kept);
  const passing: Curve = (edge) => {
    const [before, after] = [first(edge), second(edge)];
    return [...before, before[3], after[0], ...after];
  };
  const ribbons = [
    ribbon("acknowledged", flow.kept + flow.lost, promised, across(sent + THICK, TOP, acknowledged, TOP)),
    ribbon("seen", flow.kept, h.kept, across(acknowledged + THICK, TOP, seen, TOP)),
    ribbon("unsure", flow.unsure_seen, h.unsure_seen, passing),
    ribbon("unacknowledged", flow.unsure_gone, h.unsure_gone, down(sent + THICK, unsure + h.unsure_seen, SINKS.unacknowledged + h.unsure_gone / 2, -1)),
    ribbon("lost", flow.lost, h.lost, down(acknowledged + THICK, TOP + h.kept, SINKS.lost + h.lost / 2, -1)),
    ribbon("strangers", flow.strangers, h.strangers, down(seen, TOP + h.kept + h.unsure_seen, SINKS.strangers - h.strangers / 2, 1)),
  ];
  return { bars, ribbons: ribbons.filter((one) => one.count > 0) };
}

function ribbon(kind: string, count: number, h: number, curve: Curve) {
  const path = ([start, ...rest]: [number, number][]) => `${start.join(" ")}C${rest.flat().join(" ")}`;
  return { kind, count, d: `M${path(curve(0))}L${path(curve(h).reverse())}Z`, middle: `M${path(curve(h / 2))}` };
}

function across(x1: number, y1: number, x2: number, y2: number): Curve {
  const m = (x1 + x2) / 2;
  return (edge) => [[x1, y1 + edge], [m, y1 + edge], [m, y2 + edge], [x2, y2 + edge]];
}

/** Returns the curve from a station down to the floor; its edges are further left (-1) or right (1) there. */
function down(x: number, y: number, sink: number, side: number): Curve {
  return (edge) => [[x, y + edge], [sink + side * edge, y + edge], [sink + side * edge, y + edge], [sink + side * edge, FLOOR]];
}

// --- The fate of one record: asks the kernel about an id, and shows which of the three stations the record reached.

/** The fate of a record, as Ledger.fate returns it. */
export interface Fate {
  id: string;
  sent: number | null;
  key: string | null;
  acknowledged: boolean;
  seen: boolean;
  lost: boolean;
  read_again: boolean;
  out_of_order: boolean;
  positions: string[];
}

/** Returns the kinds that list an id. */
export function listedAs(picture: Picture, id: string) {
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

export function finder(find: (id: string) => void) {
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
    const words = picture ? listedAs(picture, id).map((kind) => `${picture?.kinds[kind].sign} ${picture?.kinds[kind].word}`).join(", ") : "";
    told.replaceChildren(el("bdi", { class: "kl-mono" }, shorten(id, 60)), words ? `: ${words}.` : " is not among the ids that this picture lists; it keeps only the first of each kind.");
  }

  function answer(fate: Fate) {
    const known = fate.sent !== null || fate.seen || fate.acknowledged;
    const step = (good: boolean, yes: string, no: string, sign = "✗") => el("span", { class: `kl-lg-step ${good ? "kl-lg-yes" : "kl-lg-no"}` }, `${good ? "✓" : sign} ${good ? yes : no}`);
    told.replaceChildren(
      el("div", { class: "kl-lg-fate-id" }, el("bdi", { class: "kl-mono" }, shorten(fate.id, 80)), fate.key === null ? "" : el("span", { class: "kl-soft" }, " key ", el("bdi", { class: "kl-mono" }, shorten(fate.key, 40)))),
      known ? el("div", { class: "kl-lg-steps" }, step(fate.sent !== null, `sent, as number ${fate.sent}`, "not sent here", "◇"), " → ", step(fate.acknowledged, "acknowledged", "not acknowledged", "⊘"), " → ",
        step(fate.seen, "seen", picture?.moving ? "not seen yet" : "never seen", picture?.moving ? "◌" : "✗")) : "",
      fate.positions.length ? el("div", { class: "kl-lg-places" }, fate.positions.map((place) => el("span", { class: "kl-pill kl-mono" }, shorten(place, 60)))) : "",
      el("p", {}, sentence(fate, Boolean(picture?.moving))));
  }

  return { form, told, ask, answer, state: (now: Picture) => { picture = now; } };
}
