// TruckMap: a thousand trucks on a canvas. The land lies on a canvas of its own beneath, drawn when the view changes; the
// trucks are drawn while they glide, and not at all while nothing moves or the map is out of sight.
import { clock, count, el, guard, onTheme, partitionColour, partitionInk, reducedMotion, shorten } from "./shared.js";
import { markShape } from "./map_marks.js";
import { Land, projector, Viewport } from "./map_land.js";
import { Trucks } from "./map_trucks.js";
import { Panel } from "./map_panel.js";

const WORDS_MS = 1000; // how often words and counts follow; a screen reader and a reader want it slower than the picture
const NO_PARTITION_YET = 65535;
const HINT = "On the map: arrows move, + and − zoom, 0 shows all, N and P go from truck to truck, Esc lets go. Drag and double-click work too; the wheel zooms once the map has the focus.";

class TruckMapView {
  constructor(model, root) {
    this.model = model;
    this.root = root;
    this.guard = (fn) => guard(root, fn);
    const geography = model.get("geography");
    this.view = new Viewport(geography.frame);
    this.land = new Land(geography);
    this.trucks = new Trucks(projector(geography.projection));
    this.only = null;
    this.hovered = -1;
    this.visible = true;
    this.wordsAt = -Infinity;
    this.#build(model.get("title"));
    this.#listen();
    this.#takeFrame(false);
  }

  #build(title) {
    this.ground = el("canvas", { class: "kl-map-ground", "aria-hidden": "true" });
    this.canvas = el("canvas", { class: "kl-map-trucks", tabindex: "0", role: "application", "aria-roledescription": "map" });
    this.tip = el("div", { class: "kl-map-tip", "aria-hidden": "true", hidden: true });
    const button = (sign, name, fn) => el("button", { class: "kl-button", type: "button", title: name, "aria-label": name, onclick: () => this.guard(fn) }, sign);
    const zooms = el("div", { class: "kl-map-zoom" },
      button("+", "zoom in", () => this.#look(() => this.view.zoomBy(1.6))),
      button("−", "zoom out", () => this.#look(() => this.view.zoomBy(1 / 1.6))),
      button("⤢", "show all", () => this.#look(() => this.view.reset())));
    this.stage = el("div", { class: "kl-map-stage" }, this.ground, this.canvas, this.tip, zooms);
    this.panel = new Panel({
      choose: (partition) => this.guard(() => { this.only = partition; this.#words(true); this.#ask(); }),
      find: (text) => this.guard(() => this.#find(text)),
    });
    this.pills = ["trucks", "moving", "fresh"].map((name) => el("span", { class: `kl-pill kl-map-pill-${name}` }));
    this.title = el("b", {}, title);
    const hint = el("p", { class: "kl-map-hint kl-soft" }, HINT);
    hint.id = `kl-map-hint-${Math.random().toString(36).slice(2)}`;
    this.canvas.setAttribute("aria-describedby", hint.id);
    this.root.append(el("div", { class: "kl-map-bar" }, this.title, this.pills), el("div", { class: "kl-map-body" }, this.stage, this.panel.root), hint);
  }

  #listen() {
    const { canvas, view } = this;
    let held = null;
    const at = (event) => { const box = canvas.getBoundingClientRect(); return [event.clientX - box.left, event.clientY - box.top]; };
    const on = (name, fn, options) => canvas.addEventListener(name, (event) => this.guard(() => fn(event, ...at(event))), options);
    on("pointerdown", (event, x, y) => { held = { x, y, moved: false }; canvas.setPointerCapture(event.pointerId); });
    on("pointermove", (event, x, y) => {
      if (held === null) return this.#hover(x, y);
      if (!held.moved && Math.hypot(x - held.x, y - held.y) < 4) return undefined;
      this.#look(() => view.pan(x - held.x, y - held.y));
      held = { x, y, moved: true };
      return this.#hover(-99, -99);
    });
    on("pointerup", (event, x, y) => {
      if (held !== null && !held.moved) this.#select(this.trucks.nearest(view, x, y, performance.now(), this.only));
      held = null;
    });
    on("pointercancel", () => { held = null; });
    on("pointerleave", () => this.#hover(-99, -99));
    on("dblclick", (event, x, y) => this.#look(() => view.zoomBy(2, x, y)));
    // The wheel belongs to the page until the map has the focus, or a pinch says what is meant.
    on("wheel", (event, x, y) => {
      if (!event.ctrlKey && document.activeElement !== canvas && canvas.getRootNode().activeElement !== canvas) return;
      event.preventDefault();
      this.#look(() => view.zoomBy(Math.exp(-event.deltaY * 0.0022), x, y));
    }, { passive: false });
    on("keydown", (event) => this.#key(event));

    const sized = new ResizeObserver(() => this.guard(() => this.#resize()));
    sized.observe(this.stage);
    const seen = new IntersectionObserver(([entry]) => { this.visible = entry.isIntersecting; if (this.visible) this.#ask(); });
    seen.observe(this.stage);
    const endTheme = onTheme(() => this.guard(() => { if (this.colours !== undefined) this.#readTheme(); this.#ask(true); }));
    const listeners = {
      "change:frame": () => this.#takeFrame(true),
      "change:title": () => { this.title.textContent = this.model.get("title"); },
      "change:selected": () => { this.#reveal(); this.#words(true); this.#ask(); },
    };
    const guarded = Object.entries(listeners).map(([name, fn]) => [name, () => this.guard(fn)]);
    for (const [name, fn] of guarded) this.model.on(name, fn);
    this.end = () => {
      for (const [name, fn] of guarded) this.model.off(name, fn);
      [sized, seen].forEach((observer) => observer.disconnect());
      endTheme();
      cancelAnimationFrame(this.asked);
      clearTimeout(this.later);
    };
  }

  #key(event) {
    const step = [0.14 * this.view.width, 0.14 * this.view.height];
    const keys = {
      ArrowLeft: () => this.view.pan(step[0], 0), ArrowRight: () => this.view.pan(-step[0], 0),
      ArrowUp: () => this.view.pan(0, step[1]), ArrowDown: () => this.view.pan(0, -step[1]),
      "+": () => this.view.zoomBy(1.6), "=": () => this.view.zoomBy(1.6), "-": () => this.view.zoomBy(1 / 1.6), "0": () => this.view.reset(),
      n: () => this.#step(1), p: () => this.#step(-1), Escape: () => this.#select(-1),
    };
    const act = keys[event.key] ?? keys[event.key.toLowerCase()];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.#look(act);
  }

  // The next truck in the order of the ids' rows, of the partition shown alone if one is.
  #step(by) {
    const { trucks } = this;
    let i = this.selected;
    for (let tried = 0; tried < trucks.count; tried += 1) {
      i = i < 0 && by < 0 ? trucks.count - 1 : (i + by + trucks.count) % trucks.count;
      if (this.only === null || trucks.partition[i] === this.only) return this.#select(i, true);
    }
    return undefined;
  }

  #find(text) {
    const i = this.trucks.ids.findIndex((id) => id === text || id.toLowerCase() === text.toLowerCase());
    if (i >= 0) this.#select(i, true);
    return i >= 0;
  }

  get selected() {
    const id = this.model.get("selected");
    return id === "" ? -1 : this.trucks.ids.indexOf(id);
  }

  #select(i) {
    this.model.set("selected", i < 0 ? "" : this.trucks.ids[i]);
    this.model.save_changes();
  }

  #reveal() {
    const i = this.selected;
    if (i < 0) return;
    if (this.only !== null && this.trucks.partition[i] !== this.only) this.only = null;
    this.view.show(this.trucks.toX[i], this.trucks.toY[i]);
    this.stale = true;
  }

  #hover(x, y) {
    this.hovered = x < 0 ? -1 : this.trucks.nearest(this.view, x, y, performance.now(), this.only);
    this.canvas.style.cursor = this.hovered < 0 ? "" : "pointer";
    this.#ask();
  }

  // Does what moves the map, then draws it anew.
  #look(fn) {
    fn();
    this.#ask(true);
  }

  #takeFrame(live) {
    const frame = this.model.get("frame");
    if (!frame?.byteLength && this.trucks.count === 0) return this.#words(true);
    this.trucks.take(frame, this.model.get("truck_ids"), performance.now(), live && !reducedMotion());
    if (live) this.heard = Date.now() / 1000;
    this.#words(false);
    return this.#ask();
  }

  #resize() {
    const width = this.stage.clientWidth, height = this.stage.clientHeight;
    if (width === 0 || height === 0) return;
    if (this.colours === undefined) this.#readTheme(); // not before: styles are known once the map is on the page
    this.ratio = Math.min(3, window.devicePixelRatio || 1);
    for (const canvas of [this.ground, this.canvas]) {
      canvas.width = Math.round(width * this.ratio);
      canvas.height = Math.round(height * this.ratio);
    }
    this.view.resize(width, height);
    this.stale = true;
    this.#draw();
  }

  // A canvas knows neither CSS variables nor color-mix, so the style sheet's answers are read off a probe.
  #readTheme() {
    const probe = el("span", { hidden: true });
    this.root.append(probe);
    const cache = new Map();
    const read = (value) => {
      if (!cache.has(value)) { probe.style.color = value; cache.set(value, getComputedStyle(probe).color); }
      return cache.get(value);
    };
    const own = Object.fromEntries(["sea", "land", "coast", "border", "road", "city"].map((name) => [name, read(`var(--kl-map-${name})`)]));
    const hues = Array.from({ length: 12 }, (_, i) => [read(partitionColour(i)), read(partitionInk(i))]);
    const [soft, ink, accent] = ["--kl-soft", "--kl-ink", "--kl-accent"].map((name) => read(`var(${name})`));
    probe.remove();
    this.colours = {
      ...own, ink, accent,
      font: getComputedStyle(this.root).fontFamily,
      key: [...cache.values()].join(),
      of: (p) => (p === NO_PARTITION_YET ? soft : hues[p % 12][0]),
      on: (p) => (markShape(p).filled ? hues[p % 12][1] : hues[p % 12][0]),
    };
    this.stale = true;
  }

  #ask(stale = false) {
    this.stale ||= stale;
    if (this.asked === undefined && this.visible) this.asked = requestAnimationFrame(() => { this.asked = undefined; this.guard(() => this.#draw()); });
  }

  #draw() {
    if (this.colours === undefined) return;
    const now = performance.now(), ctx = this.canvas.getContext("2d");
    if (this.stale) this.land.draw(this.ground.getContext("2d"), this.view, this.colours, this.ratio);
    this.stale = false;
    ctx.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    ctx.clearRect(0, 0, this.view.width, this.view.height);
    this.trucks.draw(ctx, this.view, this.colours, now, this.only, this.selected);
    this.land.drawNames(ctx, this.colours);
    this.#ring(ctx, this.selected, now);
    this.#showTip(now);
    if (this.trucks.gliding(now)) this.#ask();
  }

  #ring(ctx, i, now) {
    if (i < 0) return;
    const [x, y] = this.view.toPixels(...this.trucks.at(i, now));
    for (const [colour, width] of [[this.colours.land, 5], [this.colours.ink, 2]]) {
      ctx.strokeStyle = colour;
      ctx.lineWidth = width;
      ctx.beginPath();
      ctx.arc(x, y, 12, 0, 2 * Math.PI);
      ctx.stroke();
    }
  }

  // The name of the truck under the pointer, or else of the selected one.
  #showTip(now) {
    const i = this.hovered >= 0 ? this.hovered : this.selected;
    const [x, y] = i < 0 ? [0, 0] : this.view.toPixels(...this.trucks.at(i, now));
    const inside = i >= 0 && x >= 0 && y >= 0 && x <= this.view.width && y <= this.view.height;
    this.tip.hidden = !inside;
    if (!inside) return;
    const { kmh, partition } = this.#facts(i);
    const speed = Number.isFinite(kmh) ? ` · ${kmh < 1 ? "still" : `${kmh.toFixed(0)} km/h`}` : "";
    this.tip.textContent = `${shorten(this.trucks.ids[i], 24)}${partition === null ? "" : ` · P${partition}`}${speed}`;
    this.tip.classList.toggle("kl-map-left", x > this.view.width - 160);
    this.tip.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
  }

  #facts(i) {
    const { trucks } = this;
    const partition = trucks.partition[i] === NO_PARTITION_YET ? null : trucks.partition[i];
    return { id: trucks.ids[i], partition, kmh: trucks.speed[i], heading: trucks.heading[i], latitude: trucks.latitude[i], longitude: trucks.longitude[i] };
  }

  // Counts, the selected truck, and the text alternative; at once, or when a second has passed.
  #words(now) {
    const wait = this.wordsAt + WORDS_MS - performance.now();
    if (!now && wait > 0) {
      this.later ??= setTimeout(() => this.guard(() => this.#words(true)), wait);
      return;
    }
    clearTimeout(this.later);
    this.later = undefined;
    this.wordsAt = performance.now();
    const counts = this.trucks.counts(), total = this.trucks.count, i = this.selected;
    const moving = counts.reduce((sum, c) => sum + c.moving, 0), top = this.trucks.fastest();
    this.panel.showCounts(counts, this.only);
    this.panel.showTruck(i < 0 ? null : this.#facts(i));
    const unplaced = this.model.get("unplaced");
    const words = [`${count(total)} ${total === 1 ? "truck" : "trucks"}`, `${count(moving)} moving`, this.heard ? `updated ${clock.ofDay(this.heard)}` : "", unplaced ? `${count(unplaced)} reports without a place on Earth` : ""];
    [words[0], words[1], words[2]].forEach((text, k) => { this.pills[k].textContent = text; this.pills[k].hidden = text === ""; });
    const known = counts.filter((c) => c.partition !== null).length;
    const fastest = top < 0 ? "" : `, the fastest ${shorten(this.trucks.ids[top], 24)} at ${this.trucks.speed[top].toFixed(0)} km/h`;
    this.canvas.setAttribute("aria-label", total === 0 ? "Map without trucks yet." : `${words[0]} in ${known} partitions, ${words[1]}${fastest}${words[3] ? `, ${words[3]}` : ""}.`);
  }
}

export default {
  render({ model, el: root }) {
    root.classList.add("kl", "kl-map");
    // JupyterLab's one-key commands would act on the cell while the map has the focus.
    root.setAttribute("data-lm-suppress-shortcuts", "true");
    root.setAttribute("role", "group");
    root.setAttribute("aria-label", "Truck map");
    const view = guard(root, () => new TruckMapView(model, root));
    return () => view?.end();
  },
};
