// The words of the map: writes the tip at a truck, the counts beside the map, and the sentence for screen readers.
import { clock, count, shorten } from "../shared.js";
import { OUTSIDE } from "./fences.js";
import { NO_PARTITION } from "./looks.js";

/** Returns what is known about a truck. @param {any} map @param {number} i */
export function facts({ trucks, fences }, i) {
  const partition = trucks.partition[i] === NO_PARTITION ? null : trucks.partition[i];
  const fence = trucks.fence[i] === OUTSIDE ? undefined : fences.list[trucks.fence[i]];
  return {
    id: trucks.ids[i], partition, fence: fence ? `${fence.letter} ${shorten(fence.name, 28)}` : "",
    kmh: trucks.speed[i], heading: trucks.heading[i], latitude: trucks.latitude[i], longitude: trucks.longitude[i],
  };
}

/** Shows the name of the truck under the pointer, or else of the selected one. @param {any} map @param {number} now */
export function showTip(map, now) {
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

/** Updates legend, selected truck, pills and the text alternative. @param {any} map */
export function showWords(map) {
  const { trucks, panel, marks: look, way } = map;
  const counts = trucks.counts(look), total = trucks.count, i = map.selected, top = trucks.fastest();
  const moving = counts.reduce((/** @type {number} */ sum, /** @type {any} */ c) => sum + c.moving, 0);
  panel.showCounts(counts, map.only, look, way, map.fences.list.length > 0);
  const track = i < 0 ? [] : trucks.tracks.of(i);
  panel.showTruck(i < 0 ? null : facts(map, i), map.following, track.length ? (performance.now() - track[0][2]) / 1000 : 0);
  const unplaced = map.model.get("unplaced");
  const pills = [`${count(total)} ${total === 1 ? "truck" : "trucks"}`, `${count(moving)} moving`, map.told.at !== null ? `recorded at ${clock.ofDay(map.told.at)}` : map.heard ? `updated ${clock.ofDay(map.heard)}` : ""];
  pills.forEach((text, k) => { map.pills[k].textContent = text; map.pills[k].hidden = text === ""; });
  const known = counts.filter((/** @type {any} */ c) => c.group !== look.none).length;
  const said = [
    `${pills[0]}${way === "partition" ? ` in ${known} partitions` : ""}`, pills[1],
    top < 0 ? "" : `the fastest ${shorten(trucks.ids[top], 24)} at ${trucks.speed[top].toFixed(0)} km/h`,
    unplaced ? `${count(unplaced)} reports without a place on Earth` : "",
  ].filter(Boolean).join(", ");
  const groups = way === "partition" ? "" : ` By ${way}: ${counts.map((/** @type {any} */ c) => `${look.short(c.group)} ${c.trucks}`).join(", ")}.`;
  map.canvas.setAttribute("aria-label", total === 0 ? "Map without trucks yet." : `${said}.${groups}`);
}
