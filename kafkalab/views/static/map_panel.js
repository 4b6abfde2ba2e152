// Beside the map: the legend, which also picks a partition out; the truck that is selected; and the map as a table.
import { count, el, shorten } from "./shared.js";
import { markIcon, markName } from "./map_marks.js";

export class Panel {
  // choose(partition or null): show one partition alone. find(text): select a truck by its id; says whether there is one.
  constructor({ choose, find }) {
    this.choose = choose;
    this.items = new Map();
    this.legend = el("div", { class: "kl-map-legend", role: "group", "aria-label": "Partitions: press one to see it alone" });
    this.truck = el("dl", { class: "kl-map-truck" });
    this.found = el("span", { class: "kl-soft", role: "status" });
    const go = (event) => {
      event.preventDefault();
      const wanted = this.input.value.trim();
      this.found.textContent = wanted === "" || find(wanted) ? "" : "no such truck";
    };
    // Enter is taken here, too: JupyterLab keeps it from submitting a form.
    const enter = (event) => { if (event.key === "Enter") go(event); };
    this.input = el("input", { class: "kl-map-find", type: "text", placeholder: "T0042", "aria-label": "Truck id", spellcheck: "false", onkeydown: enter });
    const form = el("form", { onsubmit: go }, this.input, el("button", { class: "kl-button", type: "submit" }, "find"), this.found);
    this.body = el("tbody", {});
    this.table = el("details", { class: "kl-map-table", ontoggle: () => this.#fillTable() },
      el("summary", {}, "as a table"),
      el("table", {}, el("thead", {}, el("tr", {}, ["", "trucks", "moving", "mean km/h"].map((h) => el("th", { scope: "col" }, h || el("span", { class: "kl-hidden" }, "partition"))))), this.body));
    this.root = el("div", { class: "kl-map-side" },
      el("div", { class: "kl-panel" }, el("div", { class: "kl-title" }, "Partition"), this.legend, this.table),
      el("div", { class: "kl-panel" }, el("div", { class: "kl-title" }, "Truck"), form, this.truck));
    this.counts = [];
    this.showTruck(null);
  }

  showCounts(counts, only) {
    this.counts = counts;
    const there = new Set(counts.map((c) => c.partition));
    for (const [partition, item] of this.items) if (!there.has(partition)) { item.button.remove(); this.items.delete(partition); }
    for (const { partition, trucks } of counts) {
      const item = this.items.get(partition) ?? this.#item(partition);
      item.trucks.textContent = count(trucks);
      item.button.setAttribute("aria-pressed", String(only === partition));
      item.button.setAttribute("aria-label", `${partition === null ? "partition not known" : `partition ${partition}, ${markName(partition)}`}: ${trucks} trucks`);
    }
    if (this.table.open) this.#fillTable();
  }

  #item(partition) {
    const trucks = el("span", { class: "kl-map-count" });
    const button = el("button", { class: "kl-map-key", type: "button", onclick: () => {
      this.choose(button.getAttribute("aria-pressed") === "true" ? null : partition);
    } }, partition === null ? el("span", {}, "?") : markIcon(partition), el("b", {}, partition === null ? "not known" : `P${partition}`), trucks);
    // In the order of the partitions, whichever was seen first; the unknown one last.
    const after = [...this.items.entries()].find(([other]) => partition !== null && (other === null || other > partition));
    this.legend.insertBefore(button, after ? after[1].button : null);
    const item = { button, trucks };
    this.items.set(partition, item);
    return item;
  }

  #fillTable() {
    this.body.replaceChildren(...this.counts.map((c) => el("tr", {},
      el("th", { scope: "row" }, c.partition === null ? "not known" : `P${c.partition}`),
      el("td", {}, count(c.trucks)), el("td", {}, count(c.moving)), el("td", {}, c.moving > 0 ? c.kmh.toFixed(0) : "–"))));
  }

  // truck: {id, partition, kmh, heading, latitude, longitude}, or null.
  showTruck(truck) {
    if (truck === null) {
      this.truck.replaceChildren(el("dt", { class: "kl-soft kl-map-none" }, "Click one on the map, or find it by its id."));
      return;
    }
    const known = (value, words) => (Number.isFinite(value) ? words(value) : "not known");
    const rows = [
      ["id", el("b", { title: truck.id }, shorten(truck.id, 24))],
      ["partition", truck.partition === null ? "not known" : [markIcon(truck.partition), ` P${truck.partition}`]],
      ["speed", known(truck.kmh, (v) => (v < 1 ? "stands still" : `${v.toFixed(0)} km/h`))],
      ["heading", known(truck.heading, (v) => `${v.toFixed(0)}° ${compass(v)}`)],
      ["place", `${truck.latitude.toFixed(3)}, ${truck.longitude.toFixed(3)}`],
    ];
    this.truck.replaceChildren(...rows.flatMap(([name, value]) => [el("dt", { class: "kl-soft" }, name), el("dd", {}, value)]));
  }
}

function compass(degrees) {
  return ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"][Math.round(degrees / 45) % 8];
}
