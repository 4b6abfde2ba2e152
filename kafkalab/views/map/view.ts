// TruckMap: draws a thousand trucks on a canvas. The land has a canvas of its own beneath, drawn when the view changes; the
// trucks are drawn while they glide, and not at all while nothing moves or the map is out of sight.

import { live } from "../live.ts";
import type { Model } from "../live.ts";
import { changed, el, guard, onTheme, reducedMotion, scaleOf, shorten } from "../shared.ts";
import { Fences, Land, projector, Viewport } from "./land.ts";
import type { Geography } from "./land.ts";
import { looks, readColours } from "./looks.ts";
import type { Colours, Way } from "./looks.ts";
import { panel, showTip, showWords } from "./panel.ts";
import type { Picture } from "./picture";
import { jumps, placeOf, Trucks } from "./trucks.ts";
import type { Truck } from "./trucks.ts";

const WORDS_MS = 1000; // between two updates of words and counts, which people read more slowly than the picture changes
const CLOSE_UP = 5; // minimum zoom when the map begins to follow a truck
const HINT = "On the map: arrows move, + and − zoom, 0 shows all, N and P go from truck to truck, F follows the selected one, C changes what the marks show, Esc lets go of the truck. Drag and double-click work too; the wheel zooms once the map has the focus.";

const contextOf = (canvas: HTMLCanvasElement) => canvas.getContext("2d") as CanvasRenderingContext2D;

class TruckMapView {
  view: Viewport;
  land: Land;
  fences = new Fences([]);
  trucks: Trucks;
  looks = looks(() => this.fences.list);
  state: Picture | undefined;
  only: number | null = null;
  hoveredId = "";
  visible = true;
  stale = true;
  wordsAt = -Infinity;
  ratio = 1;
  scale = 1;
  updated = 0;
  colours: Colours | undefined;
  asked: number | undefined;
  later: ReturnType<typeof setTimeout> | undefined;
  ground = el("canvas", { class: "kl-map-ground", "aria-hidden": "true" });
  canvas = el("canvas", { class: "kl-map-trucks", tabindex: "0", role: "application", "aria-roledescription": "map" });
  tip = el("div", { class: "kl-map-tip", "aria-hidden": "true", hidden: true });
  pills = ["trucks", "moving", "fresh"].map((name) => el("span", { class: `kl-pill kl-map-pill-${name}` }));
  title = el("b", {});
  stage: HTMLElement;
  panel: ReturnType<typeof panel>;
  end: () => void;

  constructor(public root: HTMLElement, public model: Model) {
    const geography: Geography = model.get("geography");
    this.view = new Viewport(geography.frame);
    this.land = new Land(geography);
    this.trucks = new Trucks(projector(geography.projection));
    const button = (sign: string, name: string, fn: () => void) =>
      el("button", { class: "kl-button", type: "button", title: name, "aria-label": name, onclick: () => this.guard(() => this.look(fn)) }, sign);
    const zooms = el("div", { class: "kl-map-zoom" },
      button("+", "zoom in", () => this.view.zoomBy(1.6)),
      button("−", "zoom out", () => this.view.zoomBy(1 / 1.6)),
      button("⤢", "show all", () => { this.letGo(); this.view.reset(); }));
    this.stage = el("div", { class: "kl-map-stage" }, this.ground, this.canvas, this.tip, zooms);
    this.panel = panel({
      choose: (group) => this.guard(() => { this.only = group; this.#words(true); this.#ask(); }),
      find: (text) => this.guard(() => this.#find(text)),
      colour: (way) => this.guard(() => this.#tell("colour_by", way)),
      follow: (on) => this.guard(() => this.follow(on)),
    });
    const id = `kl-map-hint-${Math.random().toString(36).slice(2)}`;
    this.canvas.setAttribute("aria-describedby", id);
    root.append(el("div", { class: "kl-map-bar" }, this.title, this.pills), el("div", { class: "kl-map-body" }, this.stage, this.panel.root),
      el("p", { class: "kl-map-hint kl-soft", id }, HINT));
    this.end = this.#listen();
  }

  guard<T>(fn: () => T) {
    return guard(this.root, fn);
  }

  #listen() {
    listen(this);
    const sized = new ResizeObserver(() => this.guard(() => this.#resize()));
    sized.observe(this.stage);
    const seen = new IntersectionObserver(([entry]) => { this.visible = entry.isIntersecting; if (this.visible) this.#ask(); });
    seen.observe(this.stage);
    const endTheme = onTheme(() => this.guard(() => { if (this.colours) this.#readTheme(); this.#ask(true); }));
    const listeners = Object.entries({
      "change:selected": () => { this.#reveal(); this.#words(true); this.#ask(); },
      "change:following": () => this.#begin(),
      "change:colour_by": () => { this.only = null; this.#words(true); this.#ask(); },
      // The page has the larger letters a moment later.
      "change:presenter": () => setTimeout(() => this.guard(() => this.#resize()), 0),
    }).map(([name, fn]) => [name, () => this.guard(fn)] as const);
    for (const [name, fn] of listeners) this.model.on(name, fn);
    return () => {
      for (const [name, fn] of listeners) this.model.off(name, fn);
      sized.disconnect();
      seen.disconnect();
      endTheme();
      cancelAnimationFrame(this.asked ?? 0);
      clearTimeout(this.later);
    };
  }

  draw(state: Picture, before: Picture | undefined) {
    this.state = state;
    this.title.textContent = shorten(state.title, 80);
    if (changed(state, before, "fences")) {
      this.fences = new Fences(state.fences);
      this.stale = true;
    }
    const glide = before !== undefined && !jumps(before.at, state.at) && !reducedMotion();
    this.trucks.take(state, performance.now(), glide);
    if (before) this.updated = Date.now() / 1000;
    this.#words(!before || !state.ids.length);
    this.#ask();
  }

  get way(): Way {
    return this.model.get("colour_by");
  }

  get marks() {
    return this.looks[this.way];
  }

  #shown = (truck: Truck) => this.only === null || this.marks.group(truck) === this.only;

  nearest(x: number, y: number) {
    return this.trucks.nearest(this.view, x, y, performance.now(), this.#shown, 12 * this.scale);
  }

  // Selects the next truck in the order of the rows, or the one before it; if one group is shown alone, only one of that group.
  step(by: number) {
    const list = this.trucks.list.filter((truck) => truck === this.chosen || this.#shown(truck));
    const at = this.chosen ? list.indexOf(this.chosen) : by < 0 ? 0 : -1;
    if (list.length) this.select(list[(at + by + list.length) % list.length]);
  }

  nextColour() {
    this.#tell("colour_by", this.way === "partition" ? "geofence" : "partition");
  }

  #find(text: string) {
    const found = this.trucks.list.find(({ id }) => id.toLowerCase() === text.toLowerCase());
    if (found) this.select(found);
    return Boolean(found);
  }

  get chosen() {
    return this.trucks.find(this.model.get("selected"));
  }

  get hovered() {
    return this.trucks.find(this.hoveredId);
  }

  get following() {
    return Boolean(this.model.get("following"));
  }

  // Sets a trait of the widget, and sends it to the kernel.
  #tell(name: string, value: string) {
    if (this.model.get(name) === value) return;
    this.model.set(name, value);
    this.model.save_changes();
  }

  // Selects a truck; if the map follows one, it then follows the selected one.
  select(truck: Truck | undefined) {
    const id = truck?.id ?? "";
    this.#tell("selected", id);
    if (this.following) this.#tell("following", id);
  }

  follow(on: boolean) {
    if (!on || this.chosen) this.#tell("following", on ? this.model.get("selected") : "");
  }

  letGo() {
    this.#tell("following", "");
  }

  // Begins to follow a truck, or stops when there is none.
  #begin() {
    const id = this.model.get("following");
    this.view.free = id !== "";
    this.view.hold();
    if (id !== "") {
      this.#tell("selected", id);
      if (this.view.zoom < CLOSE_UP) this.view.zoomBy(CLOSE_UP / this.view.zoom);
    }
    this.#words(true);
    this.#ask(true);
  }

  #reveal() {
    const { chosen } = this;
    if (!chosen) return;
    if (!this.#shown(chosen)) this.only = null;
    this.view.show(chosen.toX, chosen.toY);
    this.stale = true;
  }

  hover(x: number, y: number) {
    this.hoveredId = (x < 0 ? undefined : this.nearest(x, y))?.id ?? "";
    this.canvas.style.cursor = this.hoveredId ? "pointer" : "";
    this.#ask();
  }

  // Runs `fn`, which moves the map, and then draws it again.
  look(fn: () => void) {
    fn();
    this.#ask(true);
  }

  #resize() {
    const width = this.stage.clientWidth, height = this.stage.clientHeight;
    if (width === 0 || height === 0) return;
    this.#readTheme(); // not earlier, because styles are known only once the map is on the page
    this.ratio = Math.min(3, window.devicePixelRatio || 1);
    for (const canvas of [this.ground, this.canvas]) {
      canvas.width = Math.round(width * this.ratio);
      canvas.height = Math.round(height * this.ratio);
    }
    this.view.resize(width, height);
    this.#draw();
  }

  #readTheme() {
    this.scale = scaleOf(this.root);
    this.colours = readColours(this.root);
    this.stale = true;
  }

  #ask(stale = false) {
    this.stale ||= stale;
    if (this.asked === undefined && this.visible) this.asked = requestAnimationFrame(() => { this.asked = undefined; this.guard(() => this.#draw()); });
  }

  #draw() {
    const { colours, chosen, view, scale } = this;
    if (!colours) return;
    const now = performance.now(), ctx = contextOf(this.canvas);
    // The ground is drawn again only when the followed truck has moved by a pixel; at a truck's pace that is seldom.
    const moved = Boolean(this.following && chosen) && view.approach(...placeOf(chosen as Truck, now), reducedMotion() ? 1 : 0.2);
    if (this.stale || moved) {
      const ground = contextOf(this.ground);
      const taken = this.fences.place(ground, view, colours, scale);
      this.land.draw(ground, view, colours, this.ratio, scale, taken);
      this.fences.draw(ground, view, colours, scale);
    }
    this.stale = false;
    ctx.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    ctx.clearRect(0, 0, view.width, view.height);
    this.trucks.draw(ctx, view, colours, now, { look: this.marks, only: this.only, selected: chosen, scale });
    this.land.drawNames(ctx, colours);
    this.fences.drawNames(ctx, colours);
    if (chosen) ring(ctx, view.toPixels(...placeOf(chosen, now)), colours, scale);
    showTip(this, now);
    if (moved || this.trucks.gliding(now)) this.#ask();
  }

  // Updates the counts, the selected truck and the text alternative; at once, or when a second has passed.
  #words(now: boolean) {
    const wait = this.wordsAt + WORDS_MS - performance.now();
    if (!now && wait > 0) {
      this.later ??= setTimeout(() => this.guard(() => this.#words(true)), wait);
      return;
    }
    clearTimeout(this.later);
    this.later = undefined;
    this.wordsAt = performance.now();
    showWords(this);
  }
}

function ring(ctx: CanvasRenderingContext2D, [x, y]: [number, number], colours: Colours, scale: number) {
  for (const [colour, width] of [[colours.land, 5], [colours.ink, 2]] as const) {
    ctx.strokeStyle = colour;
    ctx.lineWidth = width;
    ctx.beginPath();
    ctx.arc(x, y, 12 * scale, 0, 2 * Math.PI);
    ctx.stroke();
  }
}

// --- The input of the map: listens to pointer, wheel and keys, and calls the view.

function listen(map: TruckMapView) {
  const { canvas, view } = map;
  let held: { x: number; y: number; moved: boolean } | null = null;
  const on = (name: string, fn: (event: any, x: number, y: number) => void, options: AddEventListenerOptions = {}) =>
    canvas.addEventListener(name, (event: any) => map.guard(() => {
      const box = canvas.getBoundingClientRect();
      fn(event, event.clientX - box.left, event.clientY - box.top);
    }), options);
  on("pointerdown", (event, x, y) => { held = { x, y, moved: false }; canvas.setPointerCapture(event.pointerId); });
  on("pointermove", (event, x, y) => {
    if (held === null) return map.hover(x, y);
    if (!held.moved && Math.hypot(x - held.x, y - held.y) < 4) return undefined;
    const { x: fromX, y: fromY } = held;
    map.letGo();
    map.look(() => view.pan(x - fromX, y - fromY));
    held = { x, y, moved: true };
    return map.hover(-99, -99);
  });
  on("pointerup", (event, x, y) => {
    if (held !== null && !held.moved) map.select(map.nearest(x, y));
    held = null;
  });
  on("pointercancel", () => { held = null; });
  on("pointerleave", () => map.hover(-99, -99));
  on("dblclick", (event, x, y) => map.look(() => view.zoomBy(2, x, y)));
  // The wheel scrolls the page, unless the map has the focus or the gesture is a pinch.
  on("wheel", (event, x, y) => {
    if (!event.ctrlKey && document.activeElement !== canvas && (canvas.getRootNode() as ShadowRoot).activeElement !== canvas) return;
    event.preventDefault();
    map.look(() => view.zoomBy(Math.exp(-event.deltaY * 0.0022), x, y));
  }, { passive: false });
  on("keydown", (event) => key(map, event));
}

function key(map: TruckMapView, event: KeyboardEvent) {
  const { view } = map, across = 0.14 * view.width, down = 0.14 * view.height;
  const pan = (dx: number, dy: number) => () => { map.letGo(); view.pan(dx, dy); };
  const keys: Record<string, () => void> = {
    ArrowLeft: pan(across, 0), ArrowRight: pan(-across, 0), ArrowUp: pan(0, down), ArrowDown: pan(0, -down),
    "+": () => view.zoomBy(1.6), "=": () => view.zoomBy(1.6), "-": () => view.zoomBy(1 / 1.6), 0: () => { map.letGo(); view.reset(); },
    n: () => map.step(1), p: () => map.step(-1), f: () => map.follow(!map.following), c: () => map.nextColour(),
    Escape: () => (map.following ? map.letGo() : map.select(undefined)),
  };
  const act = keys[event.key] ?? keys[event.key.toLowerCase()];
  if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  map.look(act);
}

export type { TruckMapView };

export default {
  render: live("map", "Truck map", (page, { model }) => new TruckMapView(page, model)),
};
