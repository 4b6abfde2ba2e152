// The panel beside the map: offers what the marks show, with a legend that can show one group alone; it also holds the
// selected truck, and the map as a table.

import { clock, count, el, keeper, shorten, table } from "../shared.ts";
import { markIcon, NONE } from "./looks.ts";
import type { Look, Way } from "./looks.ts";
import { moves, placeOf } from "./trucks.ts";
import type { Count, Truck } from "./trucks.ts";
import type { TruckMapView } from "./view.ts";

const WAYS: Way[] = ["partition", "geofence"];

/** `choose(group or null)` shows one group alone. `find(text)` selects a truck by its id and returns whether there is one.
 * `colour(way)` sets what the marks show. `follow(on)` keeps the selected truck in the middle. */
type Acts = { choose(group: number | null): void; find(text: string): boolean | undefined; colour(way: Way): void; follow(on: boolean): void };

export function panel({ choose, find, colour, follow }: Acts) {
  let look: Look | undefined;
  const name = `kl-map-${Math.random().toString(36).slice(2)}`;
  const radios = WAYS.map((way) => el("input", { type: "radio", name, value: way, onchange: () => colour(way) }));
  const ways = el("div", { class: "kl-map-ways", role: "radiogroup", "aria-label": "marks say the" },
    WAYS.map((way, i) => el("label", { class: "kl-map-way" }, radios[i], way)));
  const legend = el("div", { class: "kl-map-legend", role: "group" });
  const keep = keeper<Count & { alone: boolean }>(legend, ({ group }) => group, ({ group }) => item(look as Look, group, choose));
  const none = el("p", { class: "kl-soft kl-map-nothing", hidden: true }, "No geofence is drawn: TruckMap(geofences=[…]).");
  const head = el("span", { class: "kl-hidden" });
  const numbers = table({}, [head, "trucks", "moving", "mean km/h"], []);
  const told = el("dl", { class: "kl-map-truck" });
  const nobody = el("p", { class: "kl-soft kl-map-nobody" }, "Click one on the map, or find it by its id.");
  const found = el("span", { class: "kl-soft", role: "status" });
  const pressed = () => following.getAttribute("aria-pressed") === "true";
  const following = el("button", { class: "kl-button kl-map-follow", type: "button", onclick: () => follow(!pressed()) }, "◎ follow");
  const go = (event: Event) => {
    event.preventDefault();
    const wanted = input.value.trim();
    found.textContent = wanted === "" || find(wanted) ? "" : "no such truck";
  };
  // Enter is handled here, too, because JupyterLab keeps it from submitting a form.
  const enter = (event: KeyboardEvent) => { if (event.key === "Enter") go(event); };
  const input = el("input", { class: "kl-map-find", type: "text", placeholder: "T0042", "aria-label": "Truck id", spellcheck: "false", onkeydown: enter });
  const form = el("form", { onsubmit: go }, input, el("button", { class: "kl-button", type: "submit" }, "find"), following, found);
  const root = el("div", { class: "kl-map-side" },
    el("div", { class: "kl-panel" }, el("div", { class: "kl-title" }, "Marks show the"), ways, legend, none,
      el("details", { class: "kl-map-table" }, el("summary", {}, "as a table"), numbers)),
    el("div", { class: "kl-panel" }, el("div", { class: "kl-title" }, "Truck"), form, nobody, told));

  return {
    root,
    /** @param fenced true when a geofence is drawn */
    showCounts(counts: Count[], only: number | null, now: Look, way: Way, fenced: boolean) {
      if (look !== now) {
        look = now;
        keep([]);
        legend.classList.toggle("kl-map-wide", way !== "partition");
        legend.setAttribute("aria-label", `${now.title}: press one to see it alone`);
        head.textContent = way;
        radios.forEach((radio) => { radio.checked = radio.value === way; });
      }
      none.hidden = way !== "geofence" || fenced;
      keep(counts.map((one) => ({ ...one, alone: only === one.group })));
      numbers.tBodies[0].replaceChildren(...counts.map((c) => el("tr", {},
        el("th", { scope: "row" }, now.short(c.group)),
        el("td", {}, count(c.trucks)), el("td", {}, count(c.moving)), el("td", {}, c.moving > 0 ? c.kmh.toFixed(0) : "–"))));
    },
    /** @param inside the geofence that it is in, or "" */
    showTruck(truck: Truck | undefined, inside: string, followed: boolean) {
      following.disabled = !truck;
      following.setAttribute("aria-pressed", String(followed));
      following.title = truck ? "keep this truck in the middle (F)" : "select a truck first";
      nobody.hidden = Boolean(truck);
      told.hidden = !truck;
      if (!truck) return;
      const known = (value: number, words: (v: number) => string) => (Number.isFinite(value) ? words(value) : "not known");
      const rows = [
        ["id", el("b", { title: shorten(truck.id, 200) }, shorten(truck.id, 24))],
        ["partition", truck.partition === NONE ? "not known" : [markIcon(truck.partition), ` P${truck.partition}`]],
        ["speed", known(truck.speed, (v) => (v < 1 ? "stands still" : `${v.toFixed(0)} km/h`))],
        ["heading", known(truck.heading, (v) => `${v.toFixed(0)}° ${compass(v)}`)],
        ["place", `${truck.latitude.toFixed(3)}, ${truck.longitude.toFixed(3)}`],
        ...(inside ? [["inside", inside]] : []),
      ];
      told.replaceChildren(...rows.flatMap(([name, value]) => [el("dt", { class: "kl-soft" }, name), el("dd", {}, value)]));
    },
  };
}

function item(look: Look, group: number, choose: Acts["choose"]) {
  const number = el("span", { class: "kl-map-count" });
  const node = el("button", { class: "kl-map-key", type: "button", onclick: () => choose(node.getAttribute("aria-pressed") === "true" ? null : group) },
    look.icon(group), el("b", {}, look.short(group)), hidden(`(${look.mark(group)})`), number, hidden("trucks"));
  return {
    node,
    draw({ trucks, alone }: { trucks: number; alone: boolean }) {
      number.textContent = count(trucks);
      node.setAttribute("aria-pressed", String(alone));
    },
  };
}

/** Returns a text for screen readers only. */
function hidden(text: string) {
  return el("span", { class: "kl-hidden" }, text);
}

function compass(degrees: number) {
  return ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"][Math.round(degrees / 45) % 8];
}

// --- The words of the map: writes the tip at a truck, the counts beside the map, and the sentence for screen readers.

/** Shows the name of the truck under the pointer, or else of the selected one. */
export function showTip({ view, tip, hovered, chosen, scale }: TruckMapView, now: number) {
  const truck = hovered ?? chosen;
  const [x, y] = truck ? view.toPixels(...placeOf(truck, now)) : [-1, -1];
  tip.hidden = !(x >= 0 && y >= 0 && x <= view.width && y <= view.height);
  if (tip.hidden || !truck) return;
  const speed = Number.isFinite(truck.speed) ? ` · ${moves(truck) ? `${truck.speed.toFixed(0)} km/h` : "still"}` : "";
  tip.textContent = `${shorten(truck.id, 24)}${truck.partition === NONE ? "" : ` · P${truck.partition}`}${speed}`;
  tip.classList.toggle("kl-map-left", x > view.width - 160 * scale);
  tip.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
}

/** Updates legend, selected truck, pills and the text alternative. */
export function showWords(map: TruckMapView) {
  const { trucks, marks: look, way, state, chosen, fences } = map;
  const counts = trucks.counts(look), total = trucks.list.length, top = trucks.fastest();
  const moving = counts.reduce((sum, c) => sum + c.moving, 0);
  map.panel.showCounts(counts, map.only, look, way, fences.list.length > 0);
  const fence = chosen && fences.list[chosen.fence];
  map.panel.showTruck(chosen, fence ? `${fence.letter} ${shorten(fence.name, 28)}` : "", map.following);
  const fresh = state?.at ? `recorded at ${clock.ofDay(state.at)}` : map.updated ? `updated ${clock.ofDay(map.updated)}` : "";
  const pills = [`${count(total)} ${total === 1 ? "truck" : "trucks"}`, `${count(moving)} moving`, fresh];
  pills.forEach((text, k) => { map.pills[k].textContent = text; map.pills[k].hidden = text === ""; });
  const known = counts.filter((c) => c.group !== NONE).length;
  const said = [
    `${pills[0]}${way === "partition" ? ` in ${known} partitions` : ""}`, pills[1],
    top ? `the fastest ${shorten(top.id, 24)} at ${top.speed.toFixed(0)} km/h` : "",
    state?.unplaced ? `${count(state.unplaced)} reports without a place on Earth` : "",
  ].filter(Boolean).join(", ");
  const groups = way === "partition" ? "" : ` By ${way}: ${counts.map((c) => `${look.short(c.group)} ${c.trucks}`).join(", ")}.`;
  map.canvas.setAttribute("aria-label", total === 0 ? "Map without trucks yet." : `${said}.${groups}`);
}
