// The panel beside the map: offers what the marks show, with a legend that can show one group alone; it also holds the
// selected truck, and the map as a table.

import { clock, count, el, keeper, shorten, table } from "../shared.ts";
import { OUTSIDE } from "./land.ts";
import { markIcon, NO_PARTITION } from "./looks.ts";

const WAYS = ["partition", "speed", "geofence"];

export class Panel {
  choose;
  radios;
  legend = el("div", { class: "kl-map-legend", role: "group" });
  keep;
  none = el("p", { class: "kl-soft kl-map-nothing", hidden: true }, "No geofence is drawn: TruckMap(geofences=[…]).");
  truck = el("dl", { class: "kl-map-truck" });
  nobody = el("p", { class: "kl-soft kl-map-nobody" }, "Click one on the map, or find it by its id.");
  found = el("span", { class: "kl-soft", role: "status" });
  follow;
  input;
  head = el("span", { class: "kl-hidden" });
  table;
  root;
  counts: any[] = [];
  look: any = null;

  /** `choose(group or null)` shows one group alone. `find(text)` selects a truck by its id and returns whether there is one.
   * `colour(way)` sets what the marks show. `follow(on)` keeps the selected truck in the middle. */
  constructor({ choose, find, colour, follow }: { choose: (group: number | null) => void; find: (text: string) => boolean; colour: (way: string) => void; follow: (on: boolean) => void }) {
    this.choose = choose;
    this.radios = WAYS.map((way) => el("button", {
      class: "kl-map-way", type: "button", role: "radio", "data-way": way,
      onclick: () => colour(way),
      onkeydown: (event: KeyboardEvent) => this.#walk(event, colour),
    }, way));
    const ways = el("div", { class: "kl-map-ways", role: "radiogroup", "aria-label": "marks say the" }, this.radios);
    this.keep = keeper(this.legend, ({ group }) => group, ({ group }) => this.#item(group));
    this.follow = el("button", { class: "kl-button kl-map-follow", type: "button", onclick: () => follow(this.follow.getAttribute("aria-pressed") !== "true") }, "◎ follow");
    const go = (event: Event) => {
      event.preventDefault();
      const wanted = this.input.value.trim();
      this.found.textContent = wanted === "" || find(wanted) ? "" : "no such truck";
    };
    // Enter is handled here, too, because JupyterLab keeps it from submitting a form.
    const enter = (event: KeyboardEvent) => { if (event.key === "Enter") go(event); };
    this.input = el("input", { class: "kl-map-find", type: "text", placeholder: "T0042", "aria-label": "Truck id", spellcheck: "false", onkeydown: enter });
    const form = el("form", { onsubmit: go }, this.input, el("button", { class: "kl-button", type: "submit" }, "find"), this.follow, this.found);
    this.table = el("details", { class: "kl-map-table", ontoggle: () => this.#fillTable() },
      el("summary", {}, "as a table"),
      table({}, [this.head, "trucks", "moving", "mean km/h"], []));
    this.root = el("div", { class: "kl-map-side" },
      el("div", { class: "kl-panel" }, el("div", { class: "kl-title" }, "Marks show the"), ways, this.legend, this.none, this.table),
      el("div", { class: "kl-panel" }, el("div", { class: "kl-title" }, "Truck"), form, this.nobody, this.truck));
    this.showTruck(null, false, 0);
  }

  #walk(event: KeyboardEvent, colour: (way: string) => void) {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const now = this.radios.findIndex((radio) => radio.getAttribute("aria-checked") === "true");
    const next = (now + by + WAYS.length) % WAYS.length;
    colour(WAYS[next]);
    this.radios[next].focus();
  }

  /** @param fenced true when a geofence is drawn */
  showCounts(counts: any[], only: number | null, look: any, way: string, fenced: boolean) {
    if (this.look !== look) {
      this.look = look;
      this.keep([]);
      this.legend.classList.toggle("kl-map-wide", way !== "partition");
      this.legend.setAttribute("aria-label", `${look.title}: press one to see it alone`);
      this.head.textContent = look.head;
      for (const radio of this.radios) {
        radio.setAttribute("aria-checked", String(radio.dataset.way === way));
        radio.tabIndex = radio.dataset.way === way ? 0 : -1;
      }
    }
    this.none.hidden = way !== "geofence" || fenced;
    this.counts = counts;
    this.keep(counts.map(({ group, trucks }) => ({ group, trucks, alone: only === group })));
    if (this.table.open) this.#fillTable();
  }

  #item(group: number) {
    const { look } = this, number = el("span", { class: "kl-map-count" });
    const button = el("button", { class: "kl-map-key", type: "button", onclick: () => {
      this.choose(button.getAttribute("aria-pressed") === "true" ? null : group);
    } }, look.icon(group), el("b", {}, look.short(group)), hidden(`(${look.mark(group)})`), number, hidden("trucks"));
    return {
      node: button,
      draw({ trucks, alone }: any) {
        number.textContent = count(trucks);
        button.setAttribute("aria-pressed", String(alone));
      },
    };
  }

  #fillTable() {
    this.table.querySelector("tbody")?.replaceChildren(...this.counts.map((c) => el("tr", {},
      el("th", { scope: "row" }, this.look.short(c.group)),
      el("td", {}, count(c.trucks)), el("td", {}, count(c.moving)), el("td", {}, c.moving > 0 ? c.kmh.toFixed(0) : "–"))));
  }

  /** @param truck {id, partition, kmh, heading, latitude, longitude, fence}, or null
   * @param seconds age of the oldest place on the drawn track */
  showTruck(truck: any, following: boolean, seconds: number) {
    this.follow.disabled = truck === null;
    this.follow.setAttribute("aria-pressed", String(following));
    this.follow.title = truck === null ? "select a truck first" : "keep this truck in the middle (F)";
    this.nobody.hidden = truck !== null;
    this.truck.hidden = truck === null;
    if (truck === null) return;
    const known = (value: number, words: (v: number) => string) => (Number.isFinite(value) ? words(value) : "not known");
    const rows = [
      ["id", el("b", { title: shorten(truck.id, 200) }, shorten(truck.id, 24))],
      ["partition", truck.partition === null ? "not known" : [markIcon(truck.partition), ` P${truck.partition}`]],
      ["speed", known(truck.kmh, (v) => (v < 1 ? "stands still" : `${v.toFixed(0)} km/h`))],
      ["heading", known(truck.heading, (v) => `${v.toFixed(0)}° ${compass(v)}`)],
      ["place", `${truck.latitude.toFixed(3)}, ${truck.longitude.toFixed(3)}`],
      ...(truck.fence === "" ? [] : [["inside", truck.fence]]),
      ...(following ? [["way drawn", seconds < 1 ? "from now on" : `the last ${seconds < 90 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`}`]] : []),
    ];
    this.truck.replaceChildren(...rows.flatMap(([name, value]) => [el("dt", { class: "kl-soft" }, name), el("dd", {}, value)]));
  }
}

/** Returns a text for screen readers only. */
function hidden(text: string) {
  return el("span", { class: "kl-hidden" }, text);
}

function compass(degrees: number) {
  return ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"][Math.round(degrees / 45) % 8];
}

// --- The words of the map: writes the tip at a truck, the counts beside the map, and the sentence for screen readers.

/** Returns what is known about a truck. */
function facts({ trucks, fences }: any, i: number) {
  const partition = trucks.partition[i] === NO_PARTITION ? null : trucks.partition[i];
  const fence = trucks.fence[i] === OUTSIDE ? undefined : fences.list[trucks.fence[i]];
  return {
    id: trucks.ids[i], partition, fence: fence ? `${fence.letter} ${shorten(fence.name, 28)}` : "",
    kmh: trucks.speed[i], heading: trucks.heading[i], latitude: trucks.latitude[i], longitude: trucks.longitude[i],
  };
}

/** Shows the name of the truck under the pointer, or else of the selected one. */
export function showTip(map: any, now: number) {
  const { view, tip, trucks } = map, i = map.hovered >= 0 ? map.hovered : map.selected;
  const [x, y] = i < 0 ? [0, 0] : view.toPixels(...trucks.at(i, now));
  const inside = i >= 0 && x >= 0 && y >= 0 && x <= view.width && y <= view.height;
  tip.hidden = !inside;
  if (!inside) return;
  const { kmh, partition } = facts(map, i);
  const speed = Number.isFinite(kmh) ? ` · ${kmh < 1 ? "still" : `${kmh.toFixed(0)} km/h`}` : "";
  tip.textContent = `${shorten(trucks.ids[i], 24)}${partition === null ? "" : ` · P${partition}`}${speed}`;
  tip.classList.toggle("kl-map-left", x > view.width - 160 * map.scale);
  tip.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
}

/** Updates legend, selected truck, pills and the text alternative. */
export function showWords(map) {
  const { trucks, panel, marks: look, way } = map;
  const counts = trucks.counts(look), total = trucks.count, i = map.selected, top = trucks.fastest();
  const moving = counts.reduce((sum: number, c) => sum + c.moving, 0);
  panel.showCounts(counts, map.only, look, way, map.fences.list.length > 0);
  const track = i < 0 ? [] : trucks.tracks.of(i);
  panel.showTruck(i < 0 ? null : facts(map, i), map.following, track.length ? (performance.now() - track[0][2]) / 1000 : 0);
  const unplaced = map.model.get("unplaced");
  const pills = [`${count(total)} ${total === 1 ? "truck" : "trucks"}`, `${count(moving)} moving`, map.told.at !== null ? `recorded at ${clock.ofDay(map.told.at)}` : map.heard ? `updated ${clock.ofDay(map.heard)}` : ""];
  pills.forEach((text, k) => { map.pills[k].textContent = text; map.pills[k].hidden = text === ""; });
  const known = counts.filter((c) => c.group !== look.none).length;
  const said = [
    `${pills[0]}${way === "partition" ? ` in ${known} partitions` : ""}`, pills[1],
    top < 0 ? "" : `the fastest ${shorten(trucks.ids[top], 24)} at ${trucks.speed[top].toFixed(0)} km/h`,
    unplaced ? `${count(unplaced)} reports without a place on Earth` : "",
  ].filter(Boolean).join(", ");
  const groups = way === "partition" ? "" : ` By ${way}: ${counts.map((c) => `${look.short(c.group)} ${c.trucks}`).join(", ")}.`;
  map.canvas.setAttribute("aria-label", total === 0 ? "Map without trucks yet." : `${said}.${groups}`);
}
