// shared.js
var SVG = /* @__PURE__ */ new Set(["svg", "g", "path", "line", "rect", "circle", "ellipse", "polyline", "polygon", "text", "tspan", "title", "defs", "clipPath"]);
var PALETTE = 12;
function el(tag, attrs = {}, ...children) {
  const node = SVG.has(tag) ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attrs ?? {})) {
    if (value === false || value === null || value === void 0) continue;
    if (name.startsWith("on")) {
      if (typeof value !== "function") throw new TypeError(`${name} of <${tag}> must be a function`);
      node.addEventListener(name.slice(2).toLowerCase(), value);
    } else if (name === "style" && typeof value === "object") {
      for (const [property, setting] of Object.entries(value)) node.style.setProperty(property, setting);
    } else {
      node.setAttribute(name, value === true ? "" : String(value));
    }
  }
  node.append(...children.flat(Infinity).filter((c) => c !== null && c !== void 0 && c !== false).map((c) => c instanceof Node ? c : String(c)));
  return node;
}
function partitionColour(i) {
  return `var(--kl-p${Math.abs(Math.trunc(i)) % PALETTE})`;
}
function partitionInk(i) {
  return `var(--kl-on${Math.abs(Math.trunc(i)) % PALETTE})`;
}
function onTheme(fn) {
  const seen = new MutationObserver(() => requestAnimationFrame(fn));
  seen.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light", "data-jp-theme-name", "class"] });
  const system = matchMedia("(prefers-color-scheme: dark)");
  system.addEventListener("change", fn);
  return () => {
    seen.disconnect();
    system.removeEventListener("change", fn);
  };
}
function reducedMotion() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
function guard(root, fn) {
  try {
    const result = fn();
    if (result instanceof Promise) return result.catch((error) => showError(root, error));
    return result;
  } catch (error) {
    showError(root, error);
    return void 0;
  }
}
function showError(root, error) {
  console.error(error);
  const message = error instanceof Error ? error.message : String(error);
  const shown = [...root.querySelectorAll(":scope > .kl-error")];
  if (shown.length >= 3 || shown.some((node) => node.dataset.message === message)) return;
  const details = error instanceof Error && error.stack ? el("details", {}, el("summary", {}, "details"), el("pre", {}, error.stack)) : null;
  root.append(
    el(
      "div",
      { class: "kl-error", role: "alert", "data-message": message },
      el("strong", {}, "This view has a fault. "),
      message,
      " The cluster itself is not affected.",
      details
    )
  );
}
var clock = {
  // Seconds since something, for people: "+3.12 s", "+2:05 min", "−0.40 s".
  since(seconds) {
    const sign = seconds < 0 ? "−" : "+";
    const size = Math.abs(seconds);
    if (size < 99.995) return `${sign}${size.toFixed(2)} s`;
    const whole = Math.round(size);
    if (whole < 3600) return `${sign}${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")} min`;
    return `${sign}${Math.floor(whole / 3600)}:${String(Math.floor(whole % 3600 / 60)).padStart(2, "0")} h`;
  },
  // Unix seconds as the time of day here: "14:02:09".
  ofDay(at) {
    const d = new Date(at * 1e3);
    return [d.getHours(), d.getMinutes(), d.getSeconds()].map((n) => String(n).padStart(2, "0")).join(":");
  }
};
function count(n) {
  return String(n).replace(/\B(?=(\d{3})+(?!\d))/g, " ");
}
function shorten(text, limit = 40) {
  const plain = String(text).replace(/[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g, "�");
  const letters = Array.from(plain);
  return letters.length <= limit ? plain : `${letters.slice(0, limit - 9).join("")}…${letters.slice(-8).join("")}`;
}

// map_marks.js
var SHAPES = ["circle", "square", "diamond", "triangle", "wedge"];
function markShape(partition) {
  return { name: SHAPES[partition % SHAPES.length], filled: partition % (2 * SHAPES.length) < SHAPES.length };
}
function markName(partition) {
  const { name, filled } = markShape(partition);
  return filled ? name : `hollow ${name}`;
}
function corners(name, r) {
  const a = 0.88 * r, c = 1.25 * r, t = 1.15 * r;
  if (name === "square") return [[-a, -a], [a, -a], [a, a], [-a, a]];
  if (name === "diamond") return [[0, -c], [c, 0], [0, c], [-c, 0]];
  if (name === "triangle") return [[0, -c], [t, a], [-t, a]];
  if (name === "wedge") return [[0, c], [t, -a], [-t, -a]];
  return null;
}
function drawMark(ctx, partition, x, y, r, colour, ground) {
  const { name, filled } = markShape(partition);
  const points = corners(name, r);
  ctx.beginPath();
  if (points === null) ctx.arc(x, y, r, 0, 2 * Math.PI);
  else points.forEach(([px, py], i) => i === 0 ? ctx.moveTo(x + px, y + py) : ctx.lineTo(x + px, y + py));
  ctx.closePath();
  ctx.lineJoin = "round";
  if (filled) {
    ctx.strokeStyle = ground;
    ctx.lineWidth = Math.max(1, r * 0.35);
    ctx.stroke();
    ctx.fillStyle = colour;
    ctx.fill();
  } else {
    ctx.strokeStyle = ground;
    ctx.lineWidth = Math.max(3, r * 0.9);
    ctx.stroke();
    ctx.fillStyle = ground;
    ctx.fill();
    ctx.strokeStyle = colour;
    ctx.lineWidth = Math.max(1.6, r * 0.4);
    ctx.stroke();
  }
}
function markIcon(partition, size = 14) {
  const { name, filled } = markShape(partition);
  const points = corners(name, 4.6);
  const colour = partitionColour(partition);
  const look = filled ? { fill: colour } : { fill: "none", stroke: colour, "stroke-width": 2, "stroke-linejoin": "round" };
  const mark = points === null ? el("circle", { r: 4.6, ...look }) : el("path", { d: `M${points.map((p) => p.join(" ")).join("L")}z`, ...look });
  return el("svg", { width: size, height: size, viewBox: "-7 -7 14 14", "aria-hidden": "true" }, mark);
}

// map_land.js
var EARTH_KM = 6371.0088;
var MOST_ZOOM = 24;
function projector({ latitude, longitude }) {
  const rad = Math.PI / 180;
  const sin0 = Math.sin(latitude * rad), cos0 = Math.cos(latitude * rad);
  return (lat, lon) => {
    const sin = Math.sin(lat * rad), cos = Math.cos(lat * rad), away = (lon - longitude) * rad;
    const k = EARTH_KM * Math.sqrt(2 / Math.max(1 + sin0 * sin + cos0 * cos * Math.cos(away), 1e-9));
    return [k * cos * Math.sin(away), k * (cos0 * sin - sin0 * cos * Math.cos(away))];
  };
}
var Viewport = class {
  constructor(frame) {
    [this.west, this.south, this.east, this.north] = frame;
    this.width = this.height = 1;
    this.reset();
  }
  reset() {
    this.zoom = 1;
    this.x = (this.west + this.east) / 2;
    this.y = (this.south + this.north) / 2;
  }
  get scale() {
    return this.zoom * Math.min(this.width / (this.east - this.west), this.height / (this.north - this.south));
  }
  resize(width, height) {
    [this.width, this.height] = [width, height];
    this.hold();
  }
  toPixels(x, y) {
    return [this.width / 2 + (x - this.x) * this.scale, this.height / 2 - (y - this.y) * this.scale];
  }
  toMap(px, py) {
    return [this.x + (px - this.width / 2) / this.scale, this.y - (py - this.height / 2) / this.scale];
  }
  pan(dx, dy) {
    this.x -= dx / this.scale;
    this.y += dy / this.scale;
    this.hold();
  }
  // Zooms and keeps what is at the pixel where it is; without one, the middle.
  zoomBy(factor, px = this.width / 2, py = this.height / 2) {
    const [x, y] = this.toMap(px, py);
    this.zoom = Math.min(MOST_ZOOM, Math.max(1, this.zoom * factor));
    const [nx, ny] = this.toMap(px, py);
    this.x += x - nx;
    this.y += y - ny;
    this.hold();
  }
  // Moves just far enough that the place is well inside.
  show(x, y) {
    const [px, py] = this.toPixels(x, y);
    const mx = this.width * 0.12, my = this.height * 0.12;
    if (px < mx || px > this.width - mx) this.x = x;
    if (py < my || py > this.height - my) this.y = y;
    this.hold();
  }
  // The map never leaves the window.
  hold() {
    const halfX = this.width / 2 / this.scale, halfY = this.height / 2 / this.scale;
    const middleX = (this.west + this.east) / 2, middleY = (this.south + this.north) / 2;
    const within = (v, low, high, middle) => low > high ? middle : Math.min(high, Math.max(low, v));
    this.x = within(this.x, this.west + halfX, this.east - halfX, middleX);
    this.y = within(this.y, this.south + halfY, this.north - halfY, middleY);
  }
};
var Land = class {
  constructor(geography) {
    this.land = outlinePath(geography.land, true);
    this.borders = outlinePath(geography.borders, false);
    this.roads = outlinePath(geography.roads, false);
    this.cities = geography.cities;
  }
  draw(ctx, view, colours, ratio) {
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    ctx.fillStyle = colours.sea;
    ctx.fillRect(0, 0, view.width, view.height);
    const k = view.scale;
    ctx.setTransform(ratio * k, 0, 0, -ratio * k, ratio * (view.width / 2 - view.x * k), ratio * (view.height / 2 + view.y * k));
    ctx.lineJoin = "round";
    ctx.fillStyle = colours.land;
    ctx.fill(this.land, "evenodd");
    stroke(ctx, this.land, colours.coast, 0.9 / k);
    ctx.setLineDash([3 / k, 2.5 / k]);
    stroke(ctx, this.borders, colours.border, 0.8 / k);
    ctx.setLineDash([]);
    stroke(ctx, this.roads, colours.road, Math.min(3, 0.9 + 0.25 * view.zoom) / k);
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.#place(ctx, view, colours);
  }
  // Which cities are named: the largest first; a name that would cover another, or leave the picture, waits for room.
  #place(ctx, view, colours) {
    const most = Math.round(18 * view.zoom ** 1.4);
    this.font = `600 ${11 + Math.min(2, view.zoom / 4)}px ${colours.font}`;
    ctx.font = this.font;
    this.named = [];
    for (const [name, , east, north] of this.cities.slice(0, most)) {
      const [x, y] = view.toPixels(east, north);
      const box = [x - 6, y - 9, x + 10 + ctx.measureText(name).width, y + 9];
      if (box[0] < 0 || box[1] < 0 || box[2] > view.width || box[3] > view.height) continue;
      if (this.named.some(({ box: b }) => box[0] < b[2] && box[2] > b[0] && box[1] < b[3] && box[3] > b[1])) continue;
      this.named.push({ name, x, y, box });
      ctx.beginPath();
      ctx.arc(x, y, 2.2, 0, 2 * Math.PI);
      ctx.fillStyle = colours.land;
      ctx.fill();
      ctx.strokeStyle = colours.city;
      ctx.lineWidth = 1;
      ctx.stroke();
    }
  }
  // Names go above the trucks, or the busiest cities would have none; a thin halo keeps most of the trucks in sight.
  drawNames(ctx, colours) {
    ctx.font = this.font;
    ctx.textBaseline = "middle";
    ctx.lineJoin = "round";
    ctx.lineWidth = 2.5;
    ctx.strokeStyle = colours.land;
    ctx.fillStyle = colours.city;
    for (const { name, x, y } of this.named) {
      ctx.globalAlpha = 0.8;
      ctx.strokeText(name, x + 8, y);
      ctx.globalAlpha = 1;
      ctx.fillText(name, x + 8, y);
    }
  }
};
function outlinePath(lines, closed) {
  const path = new Path2D();
  for (const line of lines) {
    path.moveTo(line[0], line[1]);
    for (let i = 2; i < line.length; i += 2) path.lineTo(line[i], line[i + 1]);
    if (closed) path.closePath();
  }
  return path;
}
function stroke(ctx, path, colour, width) {
  ctx.strokeStyle = colour;
  ctx.lineWidth = width;
  ctx.stroke(path);
}

// map_trucks.js
var BYTES = 18;
var NO_PARTITION = 65535;
var STILL_KMH = 1;
var JUMP_KM = 250;
var GLIDE_MS = [120, 4e3];
var Trucks = class {
  constructor(project) {
    this.project = project;
    this.ids = [];
    this.count = 0;
    this.#grow(0);
  }
  // Takes a frame in. Trucks that moved glide from where they are drawn now to where they are said to be, over the time
  // that passed since they last moved; those that did not are left alone.
  take(bytes, ids, now, glide) {
    const n = Math.min(Math.floor(bytes.byteLength / BYTES), ids.length);
    const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
    const column = (i) => new Float32Array(buffer, 4 * n * i, n);
    const [latitude, longitude] = [column(0), column(1)];
    [this.latitude, this.longitude] = [latitude, longitude];
    this.speed = column(2);
    this.heading = column(3);
    this.partition = new Uint16Array(buffer, 16 * n, n);
    if (n < this.count) this.#grow(0);
    const known = this.count;
    if (n > known) this.#grow(n);
    this.ids = ids;
    for (let i = 0; i < n; i += 1) {
      const [x, y] = this.project(latitude[i], longitude[i]);
      if (i < known && x === this.toX[i] && y === this.toY[i]) continue;
      const [nowX, nowY] = i < known ? this.at(i, now) : [x, y];
      const far = Math.hypot(x - nowX, y - nowY) > JUMP_KM;
      const gap = Math.min(GLIDE_MS[1], Math.max(GLIDE_MS[0], now - this.since[i]));
      this.fromX[i] = far ? x : nowX;
      this.fromY[i] = far ? y : nowY;
      [this.toX[i], this.toY[i]] = [x, y];
      this.since[i] = now;
      this.during[i] = glide && i < known && !far ? gap : 0;
      this.until = Math.max(this.until, now + this.during[i]);
    }
  }
  #grow(n) {
    const keep = (old, fresh) => old && n > 0 ? (fresh.set(old), fresh) : fresh;
    for (const name of ["fromX", "fromY", "toX", "toY", "since", "during"]) this[name] = keep(this[name], new Float64Array(n));
    this.count = n;
    if (n === 0) this.until = 0;
  }
  at(i, now) {
    const share = this.during[i] > 0 ? Math.min(1, (now - this.since[i]) / this.during[i]) : 1;
    return [this.fromX[i] + (this.toX[i] - this.fromX[i]) * share, this.fromY[i] + (this.toY[i] - this.fromY[i]) * share];
  }
  gliding(now) {
    return now < this.until;
  }
  moves(i) {
    return this.speed[i] >= STILL_KMH;
  }
  // The truck drawn nearest to a pixel, at most `reach` pixels away; -1 for none.
  nearest(view, px, py, now, only, reach = 12) {
    let [best, least] = [-1, reach];
    for (let i = 0; i < this.count; i += 1) {
      if (only !== null && this.partition[i] !== only) continue;
      const [x, y] = view.toPixels(...this.at(i, now));
      const away = Math.hypot(x - px, y - py);
      if (away < least) [best, least] = [i, away];
    }
    return best;
  }
  // Counts by partition, in order: [{partition, trucks, moving, kmh}]; the partition that is not known is null.
  counts() {
    const found = /* @__PURE__ */ new Map();
    for (let i = 0; i < this.count; i += 1) {
      const key = this.partition[i];
      const own = found.get(key) ?? { partition: key === NO_PARTITION ? null : key, trucks: 0, moving: 0, kmh: 0 };
      own.trucks += 1;
      if (this.moves(i)) {
        own.kmh = (own.kmh * own.moving + this.speed[i]) / (own.moving + 1);
        own.moving += 1;
      }
      found.set(key, own);
    }
    return [...found.entries()].sort(([a], [b]) => a - b).map(([, own]) => own);
  }
  fastest() {
    let best = -1;
    for (let i = 0; i < this.count; i += 1) if (this.moves(i) && (best < 0 || this.speed[i] > this.speed[best])) best = i;
    return best;
  }
  // Draws all, the selected one last; those of another partition than `only` stay as shadows. Zoomed in, marks are large
  // enough for a number.
  draw(ctx, view, colours, now, only, selected) {
    const r = Math.min(9, 3 + 0.9 * Math.log2(view.zoom) * 1.6);
    const numbered = r >= 6.5;
    const marks = this.#sprites(r, colours, ctx.getTransform().a);
    const half = marks.size / 2;
    const later = [], top = [];
    ctx.lineCap = "round";
    for (let i = 0; i < this.count; i += 1) {
      const [x, y] = view.toPixels(...this.at(i, now));
      if (!(x > -20 && y > -20 && x < view.width + 20 && y < view.height + 20)) continue;
      const shadow = only !== null && this.partition[i] !== only;
      if (i === selected) top.push([i, x, y]);
      else if (only !== null && !shadow) later.push([i, x, y]);
      else this.#one(ctx, marks, half, i, x, y, r, shadow, numbered, colours);
    }
    for (const [i, x, y] of [...later, ...top]) this.#one(ctx, marks, half, i, x, y, r, false, numbered, colours);
    ctx.globalAlpha = 1;
  }
  #one(ctx, marks, half, i, x, y, r, shadow, numbered, colours) {
    const partition = this.partition[i];
    ctx.globalAlpha = shadow ? 0.13 : 1;
    if (this.moves(i) && Number.isFinite(this.heading[i])) {
      const back = this.heading[i] * Math.PI / 180, length = r * (1.4 + this.speed[i] / 45);
      ctx.strokeStyle = colours.of(partition);
      ctx.lineWidth = Math.max(1.3, r * 0.4);
      if (!shadow) ctx.globalAlpha = 0.5;
      ctx.beginPath();
      ctx.moveTo(x, y);
      ctx.lineTo(x - Math.sin(back) * length, y + Math.cos(back) * length);
      ctx.stroke();
      if (!shadow) ctx.globalAlpha = 1;
    }
    ctx.drawImage(marks.of(partition), x - half, y - half, marks.size, marks.size);
    if (numbered && !shadow && partition !== NO_PARTITION) {
      ctx.font = `600 ${Math.round(r * 1.25)}px ${colours.font}`;
      ctx.textAlign = "center";
      ctx.textBaseline = "middle";
      ctx.fillStyle = colours.on(partition);
      ctx.fillText(String(partition), x, y + 0.5);
      ctx.textAlign = "start";
    }
  }
  // Each mark is drawn once and stamped a thousand times; drawn anew when the size, the theme or the screen changes.
  #sprites(r, colours, ratio) {
    const key = `${r.toFixed(2)} ${ratio} ${colours.key}`;
    if (this.marks?.key === key) return this.marks;
    const size = Math.ceil(r * 2 + 8), made = /* @__PURE__ */ new Map();
    const of = (partition) => {
      if (!made.has(partition)) {
        const sprite = document.createElement("canvas");
        sprite.width = sprite.height = Math.ceil(size * ratio);
        const ctx = sprite.getContext("2d");
        ctx.scale(ratio, ratio);
        drawMark(ctx, partition === NO_PARTITION ? 0 : partition, size / 2, size / 2, r, colours.of(partition), colours.land);
        made.set(partition, sprite);
      }
      return made.get(partition);
    };
    this.marks = { key, size, of };
    return this.marks;
  }
};

// map_panel.js
var Panel = class {
  // choose(partition or null): show one partition alone. find(text): select a truck by its id; says whether there is one.
  constructor({ choose, find }) {
    this.choose = choose;
    this.items = /* @__PURE__ */ new Map();
    this.legend = el("div", { class: "kl-map-legend", role: "group", "aria-label": "Partitions: press one to see it alone" });
    this.truck = el("dl", { class: "kl-map-truck" });
    this.found = el("span", { class: "kl-soft", role: "status" });
    const go = (event) => {
      event.preventDefault();
      const wanted = this.input.value.trim();
      this.found.textContent = wanted === "" || find(wanted) ? "" : "no such truck";
    };
    const enter = (event) => {
      if (event.key === "Enter") go(event);
    };
    this.input = el("input", { class: "kl-map-find", type: "text", placeholder: "T0042", "aria-label": "Truck id", spellcheck: "false", onkeydown: enter });
    const form = el("form", { onsubmit: go }, this.input, el("button", { class: "kl-button", type: "submit" }, "find"), this.found);
    this.body = el("tbody", {});
    this.table = el(
      "details",
      { class: "kl-map-table", ontoggle: () => this.#fillTable() },
      el("summary", {}, "as a table"),
      el("table", {}, el("thead", {}, el("tr", {}, ["", "trucks", "moving", "mean km/h"].map((h) => el("th", { scope: "col" }, h || el("span", { class: "kl-hidden" }, "partition"))))), this.body)
    );
    this.root = el(
      "div",
      { class: "kl-map-side" },
      el("div", { class: "kl-panel" }, el("div", { class: "kl-title" }, "Partition"), this.legend, this.table),
      el("div", { class: "kl-panel" }, el("div", { class: "kl-title" }, "Truck"), form, this.truck)
    );
    this.counts = [];
    this.showTruck(null);
  }
  showCounts(counts, only) {
    this.counts = counts;
    const there = new Set(counts.map((c) => c.partition));
    for (const [partition, item] of this.items) if (!there.has(partition)) {
      item.button.remove();
      this.items.delete(partition);
    }
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
    const after = [...this.items.entries()].find(([other]) => partition !== null && (other === null || other > partition));
    this.legend.insertBefore(button, after ? after[1].button : null);
    const item = { button, trucks };
    this.items.set(partition, item);
    return item;
  }
  #fillTable() {
    this.body.replaceChildren(...this.counts.map((c) => el(
      "tr",
      {},
      el("th", { scope: "row" }, c.partition === null ? "not known" : `P${c.partition}`),
      el("td", {}, count(c.trucks)),
      el("td", {}, count(c.moving)),
      el("td", {}, c.moving > 0 ? c.kmh.toFixed(0) : "–")
    )));
  }
  // truck: {id, partition, kmh, heading, latitude, longitude}, or null.
  showTruck(truck) {
    if (truck === null) {
      this.truck.replaceChildren(el("dt", { class: "kl-soft kl-map-none" }, "Click one on the map, or find it by its id."));
      return;
    }
    const known = (value, words) => Number.isFinite(value) ? words(value) : "not known";
    const rows = [
      ["id", el("b", { title: truck.id }, shorten(truck.id, 24))],
      ["partition", truck.partition === null ? "not known" : [markIcon(truck.partition), ` P${truck.partition}`]],
      ["speed", known(truck.kmh, (v) => v < 1 ? "stands still" : `${v.toFixed(0)} km/h`)],
      ["heading", known(truck.heading, (v) => `${v.toFixed(0)}° ${compass(v)}`)],
      ["place", `${truck.latitude.toFixed(3)}, ${truck.longitude.toFixed(3)}`]
    ];
    this.truck.replaceChildren(...rows.flatMap(([name, value]) => [el("dt", { class: "kl-soft" }, name), el("dd", {}, value)]));
  }
};
function compass(degrees) {
  return ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"][Math.round(degrees / 45) % 8];
}

// truck_map.js
var WORDS_MS = 1e3;
var NO_PARTITION_YET = 65535;
var HINT = "On the map: arrows move, + and − zoom, 0 shows all, N and P go from truck to truck, Esc lets go. Drag and double-click work too; the wheel zooms once the map has the focus.";
var TruckMapView = class {
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
    const zooms = el(
      "div",
      { class: "kl-map-zoom" },
      button("+", "zoom in", () => this.#look(() => this.view.zoomBy(1.6))),
      button("−", "zoom out", () => this.#look(() => this.view.zoomBy(1 / 1.6))),
      button("⤢", "show all", () => this.#look(() => this.view.reset()))
    );
    this.stage = el("div", { class: "kl-map-stage" }, this.ground, this.canvas, this.tip, zooms);
    this.panel = new Panel({
      choose: (partition) => this.guard(() => {
        this.only = partition;
        this.#words(true);
        this.#ask();
      }),
      find: (text) => this.guard(() => this.#find(text))
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
    const at = (event) => {
      const box = canvas.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    const on = (name, fn, options) => canvas.addEventListener(name, (event) => this.guard(() => fn(event, ...at(event))), options);
    on("pointerdown", (event, x, y) => {
      held = { x, y, moved: false };
      canvas.setPointerCapture(event.pointerId);
    });
    on("pointermove", (event, x, y) => {
      if (held === null) return this.#hover(x, y);
      if (!held.moved && Math.hypot(x - held.x, y - held.y) < 4) return void 0;
      this.#look(() => view.pan(x - held.x, y - held.y));
      held = { x, y, moved: true };
      return this.#hover(-99, -99);
    });
    on("pointerup", (event, x, y) => {
      if (held !== null && !held.moved) this.#select(this.trucks.nearest(view, x, y, performance.now(), this.only));
      held = null;
    });
    on("pointercancel", () => {
      held = null;
    });
    on("pointerleave", () => this.#hover(-99, -99));
    on("dblclick", (event, x, y) => this.#look(() => view.zoomBy(2, x, y)));
    on("wheel", (event, x, y) => {
      if (!event.ctrlKey && document.activeElement !== canvas && canvas.getRootNode().activeElement !== canvas) return;
      event.preventDefault();
      this.#look(() => view.zoomBy(Math.exp(-event.deltaY * 22e-4), x, y));
    }, { passive: false });
    on("keydown", (event) => this.#key(event));
    const sized = new ResizeObserver(() => this.guard(() => this.#resize()));
    sized.observe(this.stage);
    const seen = new IntersectionObserver(([entry]) => {
      this.visible = entry.isIntersecting;
      if (this.visible) this.#ask();
    });
    seen.observe(this.stage);
    const endTheme = onTheme(() => this.guard(() => {
      if (this.colours !== void 0) this.#readTheme();
      this.#ask(true);
    }));
    const listeners = {
      "change:frame": () => this.#takeFrame(true),
      "change:title": () => {
        this.title.textContent = this.model.get("title");
      },
      "change:selected": () => {
        this.#reveal();
        this.#words(true);
        this.#ask();
      }
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
      ArrowLeft: () => this.view.pan(step[0], 0),
      ArrowRight: () => this.view.pan(-step[0], 0),
      ArrowUp: () => this.view.pan(0, step[1]),
      ArrowDown: () => this.view.pan(0, -step[1]),
      "+": () => this.view.zoomBy(1.6),
      "=": () => this.view.zoomBy(1.6),
      "-": () => this.view.zoomBy(1 / 1.6),
      "0": () => this.view.reset(),
      n: () => this.#step(1),
      p: () => this.#step(-1),
      Escape: () => this.#select(-1)
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
    return void 0;
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
    if (live) this.heard = Date.now() / 1e3;
    this.#words(false);
    return this.#ask();
  }
  #resize() {
    const width = this.stage.clientWidth, height = this.stage.clientHeight;
    if (width === 0 || height === 0) return;
    if (this.colours === void 0) this.#readTheme();
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
    const cache = /* @__PURE__ */ new Map();
    const read = (value) => {
      if (!cache.has(value)) {
        probe.style.color = value;
        cache.set(value, getComputedStyle(probe).color);
      }
      return cache.get(value);
    };
    const own = Object.fromEntries(["sea", "land", "coast", "border", "road", "city"].map((name) => [name, read(`var(--kl-map-${name})`)]));
    const hues = Array.from({ length: 12 }, (_, i) => [read(partitionColour(i)), read(partitionInk(i))]);
    const [soft, ink, accent] = ["--kl-soft", "--kl-ink", "--kl-accent"].map((name) => read(`var(${name})`));
    probe.remove();
    this.colours = {
      ...own,
      ink,
      accent,
      font: getComputedStyle(this.root).fontFamily,
      key: [...cache.values()].join(),
      of: (p) => p === NO_PARTITION_YET ? soft : hues[p % 12][0],
      on: (p) => markShape(p).filled ? hues[p % 12][1] : hues[p % 12][0]
    };
    this.stale = true;
  }
  #ask(stale = false) {
    this.stale ||= stale;
    if (this.asked === void 0 && this.visible) this.asked = requestAnimationFrame(() => {
      this.asked = void 0;
      this.guard(() => this.#draw());
    });
  }
  #draw() {
    if (this.colours === void 0) return;
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
    this.later = void 0;
    this.wordsAt = performance.now();
    const counts = this.trucks.counts(), total = this.trucks.count, i = this.selected;
    const moving = counts.reduce((sum, c) => sum + c.moving, 0), top = this.trucks.fastest();
    this.panel.showCounts(counts, this.only);
    this.panel.showTruck(i < 0 ? null : this.#facts(i));
    const unplaced = this.model.get("unplaced");
    const words = [`${count(total)} ${total === 1 ? "truck" : "trucks"}`, `${count(moving)} moving`, this.heard ? `updated ${clock.ofDay(this.heard)}` : "", unplaced ? `${count(unplaced)} reports without a place on Earth` : ""];
    [words[0], words[1], words[2]].forEach((text, k) => {
      this.pills[k].textContent = text;
      this.pills[k].hidden = text === "";
    });
    const known = counts.filter((c) => c.partition !== null).length;
    const fastest = top < 0 ? "" : `, the fastest ${shorten(this.trucks.ids[top], 24)} at ${this.trucks.speed[top].toFixed(0)} km/h`;
    this.canvas.setAttribute("aria-label", total === 0 ? "Map without trucks yet." : `${words[0]} in ${known} partitions, ${words[1]}${fastest}${words[3] ? `, ${words[3]}` : ""}.`);
  }
};
var truck_map_default = {
  render({ model, el: root }) {
    root.classList.add("kl", "kl-map");
    root.setAttribute("data-lm-suppress-shortcuts", "true");
    root.setAttribute("role", "group");
    root.setAttribute("aria-label", "Truck map");
    const view = guard(root, () => new TruckMapView(model, root));
    return () => view?.end();
  }
};
export {
  truck_map_default as default
};
