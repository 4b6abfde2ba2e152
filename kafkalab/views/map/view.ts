// TruckMap: draws a thousand trucks on a canvas. The land has a canvas of its own beneath, drawn when the view changes; the
// trucks are drawn while they glide, and not at all while nothing moves or the map is out of sight.

import { hearAll } from "../live.ts";
import { el, guard, onTheme, ownKeys, reducedMotion, scaleOf, shorten } from "../shared.ts";
import { Fences, Land, projector, Viewport } from "./land.ts";
import { looks, readColours } from "./looks.ts";
import { Panel, showTip, showWords } from "./panel.ts";
import { Told, Trucks } from "./trucks.ts";

const WORDS_MS = 1000; // between two updates of words and counts, which people read more slowly than the picture changes
const CLOSE_UP = 5; // minimum zoom when the map begins to follow a truck
const HINT = "On the map: arrows move, + and − zoom, 0 shows all, N and P go from truck to truck, F follows the selected one, C changes what the marks show, Esc lets go of the truck. Drag and double-click work too; the wheel zooms once the map has the focus.";

const contextOf = (canvas: HTMLCanvasElement) => canvas.getContext("2d") as CanvasRenderingContext2D;

class TruckMapView {
  guard;
  view;
  land;
  fences;
  trucks;
  looks;
  only: number | null = null;
  hovered = -1;
  visible;
  wordsAt = -Infinity;
  told;
  ratio;
  heard = 0;
  colours: any = undefined;
  asked: number | undefined = undefined;
  later: any = undefined;
  ground = el("canvas", { class: "kl-map-ground", "aria-hidden": "true" });
  canvas = el("canvas", { class: "kl-map-trucks", tabindex: "0", role: "application", "aria-roledescription": "map" });
  tip = el("div", { class: "kl-map-tip", "aria-hidden": "true", hidden: true });
  stage;
  panel;
  pills = ["trucks", "moving", "fresh"].map((name) => el("span", { class: `kl-pill kl-map-pill-${name}` }));
  title;

  constructor(public model, public root) {
    this.guard = (fn) => guard(root, fn);
    const geography = model.get("geography");
    this.view = new Viewport(geography.frame);
    this.land = new Land(geography);
    this.fences = new Fences(model.get("fences") ?? []);
    this.trucks = new Trucks(projector(geography.projection), this.fences);
    this.looks = looks(() => this.fences.list);
    this.visible = this.stale = true;
    this.told = new Told(model);
    this.ratio = this.scale = 1;
    const button = (sign, name, fn) => el("button", { class: "kl-button", type: "button", title: name, "aria-label": name, onclick: () => this.guard(fn) }, sign);
    const zooms = el("div", { class: "kl-map-zoom" },
      button("+", "zoom in", () => this.look(() => this.view.zoomBy(1.6))),
      button("−", "zoom out", () => this.look(() => this.view.zoomBy(1 / 1.6))),
      button("⤢", "show all", () => this.look(() => { this.letGo(); this.view.reset(); })));
    this.stage = el("div", { class: "kl-map-stage" }, this.ground, this.canvas, this.tip, zooms);
    this.panel = new Panel({
      choose: (group) => this.guard(() => { this.only = group; this.#words(true); this.#ask(); }),
      find: (text) => this.guard(() => this.#find(text)),
      colour: (way) => this.guard(() => this.#tell("colour_by", way)),
      follow: (on) => this.guard(() => this.follow(on)),
    });
    this.title = el("b", {}, shorten(this.model.get("title"), 80));
    const hint = el("p", { class: "kl-map-hint kl-soft" }, HINT);
    hint.id = `kl-map-hint-${Math.random().toString(36).slice(2)}`;
    this.canvas.setAttribute("aria-describedby", hint.id);
    this.root.append(el("div", { class: "kl-map-bar" }, this.title, this.pills), el("div", { class: "kl-map-body" }, this.stage, this.panel.root), hint);
    this.#listen();
    this.#present();
    this.#takeFrame(false);
  }

  #listen() {
    listen(this);
    const sized = new ResizeObserver(() => this.guard(() => this.#resize()));
    sized.observe(this.stage);
    const seen = new IntersectionObserver(([entry]) => { this.visible = entry.isIntersecting; if (this.visible) this.#ask(); });
    seen.observe(this.stage);
    const endTheme = onTheme(() => this.guard(() => { if (this.colours !== undefined) this.#readTheme(); this.#ask(true); }));
    const listeners = {
      "change:frame": () => this.#takeFrame(true),
      "change:state": () => this.#takeFrame(true),
      "change:title": () => { this.title.textContent = shorten(this.model.get("title"), 80); },
      "change:selected": () => { this.#reveal(); this.#words(true); this.#ask(); },
      "change:following": () => this.#begin(),
      "change:colour_by": () => { this.only = null; this.#words(true); this.#ask(); },
      "change:fences": () => {
        this.fences = new Fences(this.model.get("fences"));
        this.trucks.fenced(this.fences);
        this.#words(true);
        this.#ask(true);
      },
      "change:presenter": () => { this.#present(); this.#resize(); },
    };
    const guarded = Object.entries(listeners).map(([name, fn]) => [name, () => this.guard(fn)] as [string, () => any]);
    for (const [name, fn] of guarded) this.model.on(name, fn);
    this.end = () => {
      for (const [name, fn] of guarded) this.model.off(name, fn);
      sized.disconnect();
      seen.disconnect();
      endTheme();
      cancelAnimationFrame(this.asked ?? 0);
      clearTimeout(this.later);
    };
  }

  #present() {
    this.root.classList.toggle("kl-presenter", Boolean(this.model.get("presenter")));
    this.scale = scaleOf(this.root);
    this.colours = undefined; // read again, together with the scale of letters
  }

  get way() {
    return this.model.get("colour_by") ?? "partition";
  }

  get marks() {
    return this.looks[this.way];
  }

  #shown = (i) => this.only === null || this.marks.group(this.trucks, i) === this.only;

  nearest(x, y) {
    return this.trucks.nearest(this.view, x, y, performance.now(), this.#shown, 12 * this.scale);
  }

  // Selects the next truck in the order of the rows, or the one before it; if one group is shown alone, only one of that group.
  step(by) {
    const { trucks } = this;
    let i = this.selected;
    for (let tried = 0; tried < trucks.count; tried += 1) {
      i = i < 0 && by < 0 ? trucks.count - 1 : (i + by + trucks.count) % trucks.count;
      if (this.#shown(i)) return this.select(i);
    }
    return undefined;
  }

  nextColour() {
    const ways = Object.keys(this.looks);
    this.#tell("colour_by", ways[(ways.indexOf(this.way) + 1) % ways.length]);
  }

  #find(text) {
    const i = this.trucks.ids.findIndex((id) => id === text || id.toLowerCase() === text.toLowerCase());
    if (i >= 0) this.select(i);
    return i >= 0;
  }

  get selected() {
    const id = this.model.get("selected");
    return id === "" ? -1 : this.trucks.ids.indexOf(id);
  }

  get following() {
    return Boolean(this.model.get("following"));
  }

  // Sets a trait of the widget, and sends it to the kernel.
  #tell(name, value) {
    if (this.model.get(name) === value) return;
    this.model.set(name, value);
    this.model.save_changes();
  }

  // Selects a truck; if the map follows one, it then follows the selected one.
  select(i) {
    const id = i < 0 ? "" : this.trucks.ids[i];
    this.#tell("selected", id);
    if (this.following) this.#tell("following", id);
  }

  follow(on) {
    if (on && this.selected < 0) return;
    this.#tell("following", on ? this.model.get("selected") : "");
  }

  letGo() {
    this.#tell("following", "");
  }

  // Begins to follow a truck, or stops when there is none.
  #begin() {
    const id = this.model.get("following") ?? "";
    this.trucks.followed = id;
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
    const i = this.selected;
    if (i < 0) return;
    if (!this.#shown(i)) this.only = null;
    this.view.show(this.trucks.toX[i], this.trucks.toY[i]);
    this.stale = true;
  }

  hover(x, y) {
    this.hovered = x < 0 ? -1 : this.nearest(x, y);
    this.canvas.style.cursor = this.hovered < 0 ? "" : "pointer";
    this.#ask();
  }

  // Runs `fn`, which moves the map, and then draws it again.
  look(fn) {
    fn();
    this.#ask(true);
  }

  #takeFrame(live) {
    const { frame, ids, jumped } = this.told.next();
    // A track is only valid while time goes on without a jump.
    if (jumped) this.trucks.tracks.clear();
    if (!frame?.byteLength && this.trucks.count === 0) return this.#words(true);
    this.trucks.followed = this.model.get("following") ?? "";
    this.trucks.take(frame, ids, performance.now(), live && !jumped && !reducedMotion());
    if (live) this.heard = Date.now() / 1000;
    this.#words(false);
    return this.#ask();
  }

  #resize() {
    const width = this.stage.clientWidth, height = this.stage.clientHeight;
    if (width === 0 || height === 0) return;
    if (this.colours === undefined) this.#readTheme(); // not earlier, because styles are known only once the map is on the page
    this.ratio = Math.min(3, window.devicePixelRatio || 1);
    for (const canvas of [this.ground, this.canvas]) {
      canvas.width = Math.round(width * this.ratio);
      canvas.height = Math.round(height * this.ratio);
    }
    this.view.resize(width, height);
    this.stale = true;
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
    if (this.colours === undefined) return;
    const now = performance.now(), ctx = contextOf(this.canvas), chosen = this.selected;
    const followed = this.following && chosen >= 0;
    // The ground is drawn again only when the followed truck has moved by a pixel; at a truck's pace that is seldom.
    const moved = followed && this.view.approach(...this.trucks.at(chosen, now), reducedMotion() ? 1 : 0.2);
    this.stale ||= moved;
    if (this.stale) {
      const ground = contextOf(this.ground);
      const taken = this.fences.place(ground, this.view, this.colours, this.scale);
      this.land.draw(ground, this.view, this.colours, this.ratio, this.scale, taken);
      this.fences.draw(ground, this.view, this.colours, this.scale);
    }
    this.stale = false;
    ctx.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    ctx.clearRect(0, 0, this.view.width, this.view.height);
    if (followed) this.trucks.tracks.draw(ctx, this.view, this.colours, chosen, this.trucks.at(chosen, now), this.scale);
    this.trucks.draw(ctx, this.view, this.colours, now, { look: this.marks, only: this.only, selected: chosen, scale: this.scale });
    this.land.drawNames(ctx, this.colours);
    this.fences.drawNames(ctx, this.colours);
    this.#ring(ctx, chosen, now);
    showTip(this, now);
    if (moved || this.trucks.gliding(now)) this.#ask();
  }

  #ring(ctx, i, now) {
    if (i < 0) return;
    const [x, y] = this.view.toPixels(...this.trucks.at(i, now));
    for (const [colour, width] of [[this.colours.land, 5], [this.colours.ink, 2]]) {
      ctx.strokeStyle = colour;
      ctx.lineWidth = width;
      ctx.beginPath();
      ctx.arc(x, y, 12 * this.scale, 0, 2 * Math.PI);
      ctx.stroke();
    }
  }

  // Updates the counts, the selected truck and the text alternative; at once, or when a second has passed.
  #words(now) {
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

// --- The input of the map: listens to pointer, wheel and keys, and calls the view.

/** Adds the listeners to the canvas.
 * @param map the view, with its canvas, its viewport as `view`, and its actions */
function listen(map: any) {
  const { canvas, view } = map;
  let held: { x: number; y: number; moved: boolean } | null = null;
  const at = (event: MouseEvent) => { const box = canvas.getBoundingClientRect(); return [event.clientX - box.left, event.clientY - box.top]; };
  const on = (name: string, fn: (event: any, x: number, y: number) => any, options: any = undefined) =>
    canvas.addEventListener(name, (event: MouseEvent) => map.guard(() => fn(event, ...(at(event) as [number, number]))), options);
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
    if (!event.ctrlKey && document.activeElement !== canvas && canvas.getRootNode().activeElement !== canvas) return;
    event.preventDefault();
    map.look(() => view.zoomBy(Math.exp(-event.deltaY * 0.0022), x, y));
  }, { passive: false });
  on("keydown", (event) => key(map, event));
}

function key(map: any, event: KeyboardEvent) {
  const { view } = map, across = 0.14 * view.width, down = 0.14 * view.height;
  const pan = (dx: number, dy: number) => () => { map.letGo(); view.pan(dx, dy); };
  const keys: Record<string, () => any> = {
    ArrowLeft: pan(across, 0), ArrowRight: pan(-across, 0), ArrowUp: pan(0, down), ArrowDown: pan(0, -down),
    "+": () => view.zoomBy(1.6), "=": () => view.zoomBy(1.6), "-": () => view.zoomBy(1 / 1.6), 0: () => { map.letGo(); view.reset(); },
    n: () => map.step(1), p: () => map.step(-1), f: () => map.follow(!map.following), c: () => map.nextColour(),
    Escape: () => (map.following ? map.letGo() : map.select(-1)),
  };
  const act = keys[event.key] ?? keys[event.key.toLowerCase()];
  if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  event.stopPropagation();
  map.look(act);
}

export default {
  render({ model, el: root }) {
    root.classList.add("kl", "kl-map");
    ownKeys(root);
    root.setAttribute("role", "group");
    root.setAttribute("aria-label", "Truck map");
    const view = guard(root, () => new TruckMapView(model, root));
    hearAll(model).catch(console.warn);
    return () => view?.end?.();
  },
};
