// shared.ts
var SVG = /* @__PURE__ */ new Set(["svg", "g", "path", "line", "rect", "circle", "ellipse", "polyline", "polygon", "text", "tspan", "title", "defs", "pattern"]);
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
  node.append(...children.flat(Infinity).filter((c) => c !== null && c !== void 0 && c !== false && c !== "").map((c) => c instanceof Node ? c : String(c)));
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
function scaleOf(node) {
  return Number(getComputedStyle(node).getPropertyValue("--kl-scale")) || 1;
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
  if (shown.length >= 3 || shown.some((node) => node.getAttribute("data-message") === message)) return;
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
function ownKeys(page) {
  page.setAttribute("data-lm-suppress-shortcuts", "true");
  page.addEventListener("keydown", (event) => {
    if (!event.ctrlKey && !event.metaKey && !event.altKey) event.stopPropagation();
  });
}
var two = (n) => String(n).padStart(2, "0");
var clock = {
  /** Formats a number of seconds since something: "+3.12 s", "+2:05 min", "−0.40 s". */
  since(seconds) {
    const sign = seconds <= -5e-3 ? "−" : "+";
    const size = Math.abs(seconds);
    return size < 99.995 ? `${sign}${size.toFixed(2)} s` : `${sign}${clock.long(Math.round(size))}`;
  },
  /** Formats whole seconds, from a minute on: "2:05 min", "1:04 h". */
  long(whole) {
    const [of, unit] = whole < 3600 ? [60, "min"] : [3600, "h"];
    return `${Math.floor(whole / of)}:${two(Math.floor(whole % of / (of / 60)))} ${unit}`;
  },
  /** Formats Unix seconds as the local time of day: "14:02:09", with three digits "14:02:09.120". */
  ofDay(at, digits = 0) {
    const d = new Date(Math.round(at * 1e3));
    const fraction = digits ? `.${String(d.getMilliseconds()).padStart(3, "0").slice(0, digits)}` : "";
    return [d.getHours(), d.getMinutes(), d.getSeconds()].map(two).join(":") + fraction;
  }
};
function count(n) {
  return String(n).replace(/\B(?=(\d{3})+(?!\d))/g, " ");
}
function shorten(text, limit = 40) {
  const plain = String(text).replace(/[\t\n\r\v\f]+/g, " ").replace(/[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g, "�");
  const letters = Array.from(plain);
  return letters.length <= limit ? plain : `${letters.slice(0, limit - 9).join("")}…${letters.slice(-8).join("")}`;
}
function table(attrs, heads, rows, caption = "") {
  return el(
    "table",
    attrs,
    caption && el("caption", {}, caption),
    el("thead", {}, el("tr", {}, heads.map((word) => el("th", { scope: "col" }, word)))),
    el("tbody", {}, rows)
  );
}
function keeper(parent, key2, make) {
  const parts = /* @__PURE__ */ new Map();
  return (items) => {
    const wanted = new Set(items.map(key2));
    for (const [name, part] of parts) {
      if (wanted.has(name)) continue;
      part.node.remove();
      parts.delete(name);
    }
    let at = parent.firstChild;
    for (const item of items) {
      const name = key2(item);
      const part = parts.get(name) ?? make(item);
      parts.set(name, part);
      if (part.node === at) at = at.nextSibling;
      else parent.insertBefore(part.node, at);
      part.draw(item);
    }
  };
}

// live.ts
async function hearAll(model) {
  const real = await model.widget_manager?.get_model?.(model.get("me"));
  if (!real?.comm || !real._handle_comm_msg) return;
  try {
    await real._handle_comm_msg({ content: { data: {} } });
  } catch {
    const handlers = [];
    for (let of = real; of; of = Object.getPrototypeOf(of)) if (Object.hasOwn(of, "_handle_comm_msg")) handlers.push(of._handle_comm_msg);
    const handle = handlers.at(-1);
    real.comm.on_msg((message) => handle.call(real, message));
    real.comm.send({ method: "request_state" });
  }
}

// map/land.ts
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
    this.free = false;
    const [west, south, east, north] = frame;
    this.west = west;
    this.south = south;
    this.east = east;
    this.north = north;
    this.width = this.height = this.zoom = 1;
    this.x = this.y = 0;
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
  // Zooms around a pixel, under which the map keeps its place; without one, around the middle.
  zoomBy(factor, px = this.width / 2, py = this.height / 2) {
    const [x, y] = this.toMap(px, py);
    this.zoom = Math.min(MOST_ZOOM, Math.max(1, this.zoom * factor));
    const [nx, ny] = this.toMap(px, py);
    this.x += x - nx;
    this.y += y - ny;
    this.hold();
  }
  // Moves the map, if necessary, until the place is well inside.
  show(x, y) {
    const [px, py] = this.toPixels(x, y);
    const mx = this.width * 0.12, my = this.height * 0.12;
    if (px < mx || px > this.width - mx) this.x = x;
    if (py < my || py > this.height - my) this.y = y;
    this.hold();
  }
  // Moves a share of the way that centres the place; returns whether the map moved visibly.
  approach(x, y, share) {
    const [px, py] = this.toPixels(x, y), before = [this.x, this.y];
    const dx = px - this.width / 2, dy = py - this.height / 2;
    if (Math.hypot(dx, dy) < 1) return false;
    const part = Math.hypot(dx, dy) < 3 ? 1 : share;
    this.x += dx * part / this.scale;
    this.y -= dy * part / this.scale;
    this.hold();
    return Math.hypot(this.x - before[0], this.y - before[1]) * this.scale > 0.2;
  }
  // Keeps the view within the map, unless it is free because a followed truck at the edge is to be in the middle.
  hold() {
    if (this.free) return;
    const halfX = this.width / 2 / this.scale, halfY = this.height / 2 / this.scale;
    const middleX = (this.west + this.east) / 2, middleY = (this.south + this.north) / 2;
    const within = (v, low, high, middle) => low > high ? middle : Math.min(high, Math.max(low, v));
    this.x = within(this.x, this.west + halfX, this.east - halfX, middleX);
    this.y = within(this.y, this.south + halfY, this.north - halfY, middleY);
  }
};
var Land = class {
  constructor(geography) {
    this.named = [];
    this.font = "";
    this.land = outlinePath(geography.land, true);
    this.borders = outlinePath(geography.borders, false);
    this.roads = outlinePath(geography.roads, false);
    this.cities = geography.cities;
  }
  // Draws the land; `taken` are boxes in which no city may be named.
  draw(ctx, view, colours, ratio, scale, taken) {
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
    this.#place(ctx, view, colours, scale, taken);
  }
  // Picks the cities to name, the largest first; a name that would overlap another, or leave the picture, is left out.
  #place(ctx, view, colours, scale, taken) {
    const most = Math.round(18 * view.zoom ** 1.4);
    this.font = `600 ${(11 + Math.min(2, view.zoom / 4)) * scale}px ${colours.font}`;
    ctx.font = this.font;
    this.named = [];
    for (const [name, , east, north] of this.cities.slice(0, most)) {
      const [x, y] = view.toPixels(east, north);
      const box = [x - 6, y - 9, x + 10 + ctx.measureText(name).width, y + 9];
      if (box[0] < 0 || box[1] < 0 || box[2] > view.width || box[3] > view.height) continue;
      if ([...taken, ...this.named].some(({ box: b }) => box[0] < b[2] && box[2] > b[0] && box[1] < b[3] && box[3] > b[1])) continue;
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
  // Draws names above the trucks, which would hide those of the busiest cities; a thin halo keeps most of the trucks in sight.
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
var OUTSIDE = -1;
function insideRing(ring, x, y) {
  let odd = false;
  for (let i = 0, n = ring.length; i < n; i += 2) {
    const x0 = ring[i], y0 = ring[i + 1], x1 = ring[(i + 2) % n], y1 = ring[(i + 3) % n];
    if (y0 > y !== y1 > y && x < (x1 - x0) * (y - y0) / (y1 - y0) + x0) odd = !odd;
  }
  return odd;
}
var Fences = class {
  constructor(fences) {
    this.font = "";
    this.names = [];
    this.list = fences;
    this.boxes = fences.map(({ ring }) => {
      const xs = ring.filter((_, i) => i % 2 === 0), ys = ring.filter((_, i) => i % 2 === 1);
      return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
    });
  }
  /** Returns the number of the first fence that contains a place, or OUTSIDE. */
  of(x, y) {
    return this.list.findIndex(({ ring }, i) => {
      const [west, south, east, north] = this.boxes[i];
      return x >= west && x <= east && y >= south && y <= north && insideRing(ring, x, y);
    });
  }
  /** Draws the areas with a dashed edge, on the canvas beneath the trucks. */
  draw(ctx, view, colours, scale) {
    this.list.forEach(({ ring }, i) => {
      const path = new Path2D();
      for (let k = 0; k < ring.length; k += 2) {
        const [x, y] = view.toPixels(ring[k], ring[k + 1]);
        if (k === 0) path.moveTo(x, y);
        else path.lineTo(x, y);
      }
      path.closePath();
      ctx.globalAlpha = 0.13;
      ctx.fillStyle = colours.of(i);
      ctx.fill(path);
      ctx.globalAlpha = 1;
      ctx.setLineDash([6, 4]);
      ctx.strokeStyle = colours.of(i);
      ctx.lineWidth = 1.8 * scale;
      ctx.stroke(path);
      ctx.setLineDash([]);
    });
  }
  /** Places their names above them: [{ words, x, y, box }], with left, top, right, bottom as the box. */
  place(ctx, view, colours, scale) {
    this.font = `700 ${12 * scale}px ${colours.font}`;
    ctx.font = this.font;
    this.names = this.list.map(({ name, letter }, i) => {
      const [west, , east, north] = this.boxes[i], [x, y] = view.toPixels((west + east) / 2, north);
      const words = `${letter} ${shorten(name, 28)}`, half = ctx.measureText(words).width / 2 + 3;
      return { words, x, y: y - 3, box: [x - half, y - 3 - 15 * scale, x + half, y] };
    });
    return this.names;
  }
  /** Draws the names, above the trucks. */
  drawNames(ctx, colours) {
    ctx.font = this.font;
    ctx.textAlign = "center";
    ctx.textBaseline = "bottom";
    ctx.lineJoin = "round";
    ctx.lineWidth = 4;
    ctx.strokeStyle = colours.land;
    ctx.fillStyle = colours.ink;
    for (const { words, x, y } of this.names) {
      ctx.strokeText(words, x, y);
      ctx.fillText(words, x, y);
    }
    ctx.textAlign = "start";
  }
};

// map/looks.ts
var NO_PARTITION = 65535;
var NO_SPEED = -1;
var SPEED_EDGES = [1, 60, 70, 80];
var TURNS = 24;
function speedClass(kmh) {
  if (!Number.isFinite(kmh)) return NO_SPEED;
  return SPEED_EDGES.filter((edge) => kmh >= edge).length;
}
function speedName(group) {
  if (group === NO_SPEED) return "not known";
  if (group === 0) return "stands still";
  if (group === 1) return `under ${SPEED_EDGES[1]} km/h`;
  if (group === SPEED_EDGES.length) return `${SPEED_EDGES[group - 1]} km/h or more`;
  return `${SPEED_EDGES[group - 1]} to ${SPEED_EDGES[group]} km/h`;
}
function looks(fences) {
  return { partition: byPartition(), speed: bySpeed(), geofence: byFence(fences) };
}
function byPartition() {
  return {
    title: "Partition",
    head: "partition",
    tails: true,
    none: NO_PARTITION,
    group: (trucks, i) => trucks.partition[i],
    size: (_, r) => r,
    sprite: (_, __, group) => `p${group}`,
    draw: (ctx, _, group, at, r, colours) => drawMark(ctx, group === NO_PARTITION ? 0 : group, at, at, r, colours.of(group), colours.land),
    label: (group) => group === NO_PARTITION ? "" : String(group),
    short: (group) => group === NO_PARTITION ? "not known" : `P${group}`,
    mark: (group) => group === NO_PARTITION ? "question mark" : markName(group),
    icon: (group) => group === NO_PARTITION ? el("span", { "aria-hidden": "true" }, "?") : markIcon(group)
  };
}
function bySpeed() {
  return {
    title: "Speed",
    head: "speed",
    tails: false,
    none: NO_SPEED,
    group: (trucks, i) => speedClass(trucks.speed[i]),
    size: (group, r) => group <= 0 ? r * 0.9 : r * (0.95 + 0.16 * group),
    sprite: (trucks, i, group) => group > 0 ? `v${group} ${turn(trucks.heading[i])}` : `v${group}`,
    draw: (ctx, key2, group, at, r, colours) => {
      if (group > 0) drawArrow(ctx, at, r, Number(key2.split(" ")[1]) * 2 * Math.PI / TURNS, colours.speed[group], colours.land);
      else drawHollow(ctx, group === 0, at, r, group === 0 ? colours.speed[0] : colours.soft, colours.land);
    },
    label: () => "",
    short: speedName,
    mark: (group) => group === NO_SPEED ? "hollow circle" : group === 0 ? "hollow square" : `arrow of size ${group}`,
    icon: (group) => icon(
      group > 0 ? "M0 -6L4.6 5L0 2.6L-4.6 5z" : group === 0 ? "M-3.6 -3.6h7.2v7.2h-7.2z" : "M-3.6 0a3.6 3.6 0 1 0 7.2 0a3.6 3.6 0 1 0 -7.2 0z",
      group < 0 ? "var(--kl-soft)" : `var(--kl-map-v${group})`,
      group > 0,
      group > 0 ? 0.7 + 0.11 * group : 1
    )
  };
}
function byFence(fences) {
  const name = (group) => shorten(fences()[group]?.name ?? "", 22);
  const letter = (group) => fences()[group]?.letter ?? "?";
  return {
    title: "Geofence",
    head: "geofence",
    tails: true,
    none: OUTSIDE,
    group: (trucks, i) => trucks.fence[i],
    size: (group, r) => group === OUTSIDE ? r * 0.75 : Math.max(5.6, r * 1.1),
    sprite: (_, __, group) => `f${group}`,
    draw: (ctx, _, group, at, r, colours) => {
      if (group === OUTSIDE) return drawHollow(ctx, false, at, r, colours.soft, colours.land);
      ctx.beginPath();
      ctx.arc(at, at, r, 0, 2 * Math.PI);
      ctx.strokeStyle = colours.land;
      ctx.lineWidth = 2;
      ctx.stroke();
      ctx.fillStyle = colours.of(group);
      ctx.fill();
      ctx.fillStyle = colours.onDisc(group);
      ctx.font = `700 ${(r * 1.45).toFixed(1)}px ${colours.font}`;
      ctx.textAlign = "center";
      ctx.textBaseline = "middle";
      return ctx.fillText(letter(group), at, at + 0.5);
    },
    label: () => "",
    short: (group) => group === OUTSIDE ? "outside" : name(group),
    mark: (group) => group === OUTSIDE ? "hollow dot" : `letter ${letter(group)}`,
    icon: (group) => group === OUTSIDE ? icon("M-3 0a3 3 0 1 0 6 0a3 3 0 1 0 -6 0z", "var(--kl-soft)", false) : el("span", { class: "kl-map-letter", "aria-hidden": "true", style: { background: partitionColour(group), color: partitionInk(group) } }, letter(group))
  };
}
function turn(heading) {
  return Number.isFinite(heading) ? (Math.round(heading / 360 * TURNS) % TURNS + TURNS) % TURNS : 0;
}
function drawArrow(ctx, at, r, angle, colour, ground) {
  ctx.save();
  ctx.translate(at, at);
  ctx.rotate(angle);
  ctx.beginPath();
  ctx.moveTo(0, -1.5 * r);
  ctx.lineTo(1.05 * r, 1.1 * r);
  ctx.lineTo(0, 0.55 * r);
  ctx.lineTo(-1.05 * r, 1.1 * r);
  ctx.closePath();
  ctx.lineJoin = "round";
  ctx.strokeStyle = ground;
  ctx.lineWidth = Math.max(1.4, r * 0.4);
  ctx.stroke();
  ctx.fillStyle = colour;
  ctx.fill();
  ctx.restore();
}
function drawHollow(ctx, square, at, r, colour, ground) {
  ctx.beginPath();
  if (square) ctx.rect(at - 0.85 * r, at - 0.85 * r, 1.7 * r, 1.7 * r);
  else ctx.arc(at, at, r, 0, 2 * Math.PI);
  ctx.fillStyle = ground;
  ctx.fill();
  ctx.strokeStyle = colour;
  ctx.lineWidth = Math.max(1.3, r * 0.4);
  ctx.stroke();
}
function icon(path, colour, filled, size = 1) {
  const look = filled ? { fill: colour } : { fill: "none", stroke: colour, "stroke-width": 1.8 };
  return el("svg", { width: 14, height: 14, viewBox: "-7 -7 14 14", "aria-hidden": "true" }, el("path", { d: path, transform: `scale(${size})`, ...look }));
}
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
function readColours(root) {
  const probe = el("span", { hidden: true });
  root.append(probe);
  const cache = /* @__PURE__ */ new Map();
  const read2 = (value) => {
    if (!cache.has(value)) {
      probe.style.color = value;
      cache.set(value, getComputedStyle(probe).color);
    }
    return cache.get(value);
  };
  const [sea, land, coast, border, road, city] = ["sea", "land", "coast", "border", "road", "city"].map((name) => read2(`var(--kl-map-${name})`));
  const hues = Array.from({ length: 12 }, (_, i) => [read2(partitionColour(i)), read2(partitionInk(i))]);
  const speed = Array.from({ length: 5 }, (_, i) => read2(`var(--kl-map-v${i})`));
  const [soft, ink, accent] = ["--kl-soft", "--kl-ink", "--kl-accent"].map((name) => read2(`var(${name})`));
  probe.remove();
  return {
    sea,
    land,
    coast,
    border,
    road,
    city,
    ink,
    accent,
    soft,
    speed,
    font: getComputedStyle(root).fontFamily,
    key: [...cache.values()].join(),
    of: (p) => p === NO_PARTITION || p < 0 ? soft : hues[p % 12][0],
    /** The colour of text on the mark of a partition: a hollow mark shows the ground inside, so the text has the hue. */
    on: (p) => p === NO_PARTITION || p < 0 ? ink : markShape(p).filled ? hues[p % 12][1] : hues[p % 12][0],
    /** The colour of text on a disc filled with the hue. */
    onDisc: (p) => hues[p % 12][1]
  };
}

// map/panel.ts
var WAYS = ["partition", "speed", "geofence"];
var Panel = class {
  /** `choose(group or null)` shows one group alone. `find(text)` selects a truck by its id and returns whether there is one.
   * `colour(way)` sets what the marks show. `follow(on)` keeps the selected truck in the middle. */
  constructor({ choose, find, colour, follow }) {
    this.legend = el("div", { class: "kl-map-legend", role: "group" });
    this.none = el("p", { class: "kl-soft kl-map-nothing", hidden: true }, "No geofence is drawn: TruckMap(geofences=[…]).");
    this.truck = el("dl", { class: "kl-map-truck" });
    this.nobody = el("p", { class: "kl-soft kl-map-nobody" }, "Click one on the map, or find it by its id.");
    this.found = el("span", { class: "kl-soft", role: "status" });
    this.head = el("span", { class: "kl-hidden" });
    this.counts = [];
    this.look = null;
    this.choose = choose;
    this.radios = WAYS.map((way) => el("button", {
      class: "kl-map-way",
      type: "button",
      role: "radio",
      "data-way": way,
      onclick: () => colour(way),
      onkeydown: (event) => this.#walk(event, colour)
    }, way));
    const ways = el("div", { class: "kl-map-ways", role: "radiogroup", "aria-label": "marks say the" }, this.radios);
    this.keep = keeper(this.legend, ({ group }) => group, ({ group }) => this.#item(group));
    this.follow = el("button", { class: "kl-button kl-map-follow", type: "button", onclick: () => follow(this.follow.getAttribute("aria-pressed") !== "true") }, "◎ follow");
    const go = (event) => {
      event.preventDefault();
      const wanted = this.input.value.trim();
      this.found.textContent = wanted === "" || find(wanted) ? "" : "no such truck";
    };
    const enter = (event) => {
      if (event.key === "Enter") go(event);
    };
    this.input = el("input", { class: "kl-map-find", type: "text", placeholder: "T0042", "aria-label": "Truck id", spellcheck: "false", onkeydown: enter });
    const form = el("form", { onsubmit: go }, this.input, el("button", { class: "kl-button", type: "submit" }, "find"), this.follow, this.found);
    this.table = el(
      "details",
      { class: "kl-map-table", ontoggle: () => this.#fillTable() },
      el("summary", {}, "as a table"),
      table({}, [this.head, "trucks", "moving", "mean km/h"], [])
    );
    this.root = el(
      "div",
      { class: "kl-map-side" },
      el("div", { class: "kl-panel" }, el("div", { class: "kl-title" }, "Marks show the"), ways, this.legend, this.none, this.table),
      el("div", { class: "kl-panel" }, el("div", { class: "kl-title" }, "Truck"), form, this.nobody, this.truck)
    );
    this.showTruck(null, false, 0);
  }
  #walk(event, colour) {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (by === void 0) return;
    event.preventDefault();
    const now = this.radios.findIndex((radio) => radio.getAttribute("aria-checked") === "true");
    const next = (now + by + WAYS.length) % WAYS.length;
    colour(WAYS[next]);
    this.radios[next].focus();
  }
  /** @param fenced true when a geofence is drawn */
  showCounts(counts, only, look, way, fenced) {
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
  #item(group) {
    const { look } = this, number = el("span", { class: "kl-map-count" });
    const button = el("button", { class: "kl-map-key", type: "button", onclick: () => {
      this.choose(button.getAttribute("aria-pressed") === "true" ? null : group);
    } }, look.icon(group), el("b", {}, look.short(group)), hidden(`(${look.mark(group)})`), number, hidden("trucks"));
    return {
      node: button,
      draw({ trucks, alone }) {
        number.textContent = count(trucks);
        button.setAttribute("aria-pressed", String(alone));
      }
    };
  }
  #fillTable() {
    this.table.querySelector("tbody")?.replaceChildren(...this.counts.map((c) => el(
      "tr",
      {},
      el("th", { scope: "row" }, this.look.short(c.group)),
      el("td", {}, count(c.trucks)),
      el("td", {}, count(c.moving)),
      el("td", {}, c.moving > 0 ? c.kmh.toFixed(0) : "–")
    )));
  }
  /** @param truck {id, partition, kmh, heading, latitude, longitude, fence}, or null
   * @param seconds age of the oldest place on the drawn track */
  showTruck(truck, following, seconds) {
    this.follow.disabled = truck === null;
    this.follow.setAttribute("aria-pressed", String(following));
    this.follow.title = truck === null ? "select a truck first" : "keep this truck in the middle (F)";
    this.nobody.hidden = truck !== null;
    this.truck.hidden = truck === null;
    if (truck === null) return;
    const known = (value, words) => Number.isFinite(value) ? words(value) : "not known";
    const rows = [
      ["id", el("b", { title: shorten(truck.id, 200) }, shorten(truck.id, 24))],
      ["partition", truck.partition === null ? "not known" : [markIcon(truck.partition), ` P${truck.partition}`]],
      ["speed", known(truck.kmh, (v) => v < 1 ? "stands still" : `${v.toFixed(0)} km/h`)],
      ["heading", known(truck.heading, (v) => `${v.toFixed(0)}° ${compass(v)}`)],
      ["place", `${truck.latitude.toFixed(3)}, ${truck.longitude.toFixed(3)}`],
      ...truck.fence === "" ? [] : [["inside", truck.fence]],
      ...following ? [["way drawn", seconds < 1 ? "from now on" : `the last ${seconds < 90 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`}`]] : []
    ];
    this.truck.replaceChildren(...rows.flatMap(([name, value]) => [el("dt", { class: "kl-soft" }, name), el("dd", {}, value)]));
  }
};
function hidden(text) {
  return el("span", { class: "kl-hidden" }, text);
}
function compass(degrees) {
  return ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"][Math.round(degrees / 45) % 8];
}
function facts({ trucks, fences }, i) {
  const partition = trucks.partition[i] === NO_PARTITION ? null : trucks.partition[i];
  const fence = trucks.fence[i] === OUTSIDE ? void 0 : fences.list[trucks.fence[i]];
  return {
    id: trucks.ids[i],
    partition,
    fence: fence ? `${fence.letter} ${shorten(fence.name, 28)}` : "",
    kmh: trucks.speed[i],
    heading: trucks.heading[i],
    latitude: trucks.latitude[i],
    longitude: trucks.longitude[i]
  };
}
function showTip(map, now) {
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
function showWords(map) {
  const { trucks, panel, marks: look, way } = map;
  const counts = trucks.counts(look), total = trucks.count, i = map.selected, top = trucks.fastest();
  const moving = counts.reduce((sum, c) => sum + c.moving, 0);
  panel.showCounts(counts, map.only, look, way, map.fences.list.length > 0);
  const track = i < 0 ? [] : trucks.tracks.of(i);
  panel.showTruck(i < 0 ? null : facts(map, i), map.following, track.length ? (performance.now() - track[0][2]) / 1e3 : 0);
  const unplaced = map.model.get("unplaced");
  const pills = [`${count(total)} ${total === 1 ? "truck" : "trucks"}`, `${count(moving)} moving`, map.told.at !== null ? `recorded at ${clock.ofDay(map.told.at)}` : map.heard ? `updated ${clock.ofDay(map.heard)}` : ""];
  pills.forEach((text, k) => {
    map.pills[k].textContent = text;
    map.pills[k].hidden = text === "";
  });
  const known = counts.filter((c) => c.group !== look.none).length;
  const said = [
    `${pills[0]}${way === "partition" ? ` in ${known} partitions` : ""}`,
    pills[1],
    top < 0 ? "" : `the fastest ${shorten(trucks.ids[top], 24)} at ${trucks.speed[top].toFixed(0)} km/h`,
    unplaced ? `${count(unplaced)} reports without a place on Earth` : ""
  ].filter(Boolean).join(", ");
  const groups = way === "partition" ? "" : ` By ${way}: ${counts.map((c) => `${look.short(c.group)} ${c.trucks}`).join(", ")}.`;
  map.canvas.setAttribute("aria-label", total === 0 ? "Map without trucks yet." : `${said}.${groups}`);
}

// map/trucks.ts
var BYTES = 18;
var STILL_KMH = 1;
var JUMP_KM = 250;
var GLIDE_MS = [120, 4e3];
var Trucks = class {
  constructor(project, fences) {
    this.project = project;
    this.fences = fences;
    this.tracks = new Tracks();
    this.ids = [];
    this.count = 0;
    this.until = 0;
    this.followed = "";
    this.latitude = this.longitude = this.speed = this.heading = new Float32Array(0);
    this.partition = new Uint16Array(0);
    this.fence = new Int16Array(0);
    this.fromX = this.fromY = this.toX = this.toY = this.since = this.during = new Float64Array(0);
  }
  /** Takes other fences, and finds the trucks that are in them. */
  fenced(fences) {
    this.fences = fences;
    for (let i = 0; i < this.count; i += 1) this.fence[i] = fences.of(this.toX[i], this.toY[i]);
  }
  // Takes a frame. Trucks that moved glide from the place where they are drawn to the reported one, in the time that passed
  // since they last moved; the others stay as they are.
  take(bytes, ids, now, glide) {
    const n = Math.min(Math.floor(bytes.byteLength / BYTES), ids.length);
    const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
    const column = (i) => new Float32Array(buffer, 4 * n * i, n);
    const [latitude, longitude] = [column(0), column(1)];
    [this.latitude, this.longitude] = [latitude, longitude];
    this.speed = column(2);
    this.heading = column(3);
    this.partition = new Uint16Array(buffer, 16 * n, n);
    if (n < this.count) {
      this.#grow(0);
      this.tracks.clear();
    }
    const known = this.count;
    if (n > known) this.#grow(n);
    this.ids = ids;
    for (let i = 0; i < n; i += 1) {
      const [x, y] = this.project(latitude[i], longitude[i]);
      this.tracks.add(i, x, y, now, n, ids[i] === this.followed);
      if (i < known && x === this.toX[i] && y === this.toY[i]) continue;
      const [nowX, nowY] = i < known ? this.at(i, now) : [x, y];
      const far = Math.hypot(x - nowX, y - nowY) > JUMP_KM;
      const gap = Math.min(GLIDE_MS[1], Math.max(GLIDE_MS[0], now - this.since[i]));
      this.fromX[i] = far ? x : nowX;
      this.fromY[i] = far ? y : nowY;
      [this.toX[i], this.toY[i]] = [x, y];
      this.fence[i] = this.fences.of(x, y);
      this.since[i] = now;
      this.during[i] = glide && i < known && !far ? gap : 0;
      this.until = Math.max(this.until, now + this.during[i]);
    }
  }
  #grow(n) {
    const keep = (old, fresh) => n > 0 ? (fresh.set(old), fresh) : fresh;
    for (const name of ["fromX", "fromY", "toX", "toY", "since", "during"]) this[name] = keep(this[name], new Float64Array(n));
    this.fence = keep(this.fence, new Int16Array(n));
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
  // Returns the truck drawn nearest to a pixel, at most `reach` pixels away, or -1. `shown` tells which trucks count.
  nearest(view, px, py, now, shown, reach = 12) {
    let [best, least] = [-1, reach];
    for (let i = 0; i < this.count; i += 1) {
      if (!shown(i)) continue;
      const [x, y] = view.toPixels(...this.at(i, now));
      const away = Math.hypot(x - px, y - py);
      if (away < least) [best, least] = [i, away];
    }
    return best;
  }
  // Counts the trucks of each group, in order: [{group, trucks, moving, kmh}]; trucks without a group come last.
  counts(look) {
    const found = /* @__PURE__ */ new Map();
    for (let i = 0; i < this.count; i += 1) {
      const group = look.group(this, i);
      const own = found.get(group) ?? { group, trucks: 0, moving: 0, kmh: 0 };
      own.trucks += 1;
      if (this.moves(i)) {
        own.kmh = (own.kmh * own.moving + this.speed[i]) / (own.moving + 1);
        own.moving += 1;
      }
      found.set(group, own);
    }
    const place = (group) => group === look.none ? Infinity : group;
    return [...found.values()].sort((a, b) => place(a.group) - place(b.group));
  }
  fastest() {
    let best = -1;
    for (let i = 0; i < this.count; i += 1) if (this.moves(i) && (best < 0 || this.speed[i] > this.speed[best])) best = i;
    return best;
  }
  // Draws all trucks, the selected one last; those of a group other than `only` are drawn faint. Zoomed in, marks are large
  // enough for a number.
  draw(ctx, view, colours, now, { look, only, selected, scale }) {
    const r = Math.min(9, 3 + 0.9 * Math.log2(view.zoom) * 1.6) * scale;
    const marks = this.#sprites(look, r, colours, ctx.getTransform().a);
    const later = [], top = [];
    ctx.lineCap = "round";
    for (let i = 0; i < this.count; i += 1) {
      const [x, y] = view.toPixels(...this.at(i, now));
      if (!(x > -20 && y > -20 && x < view.width + 20 && y < view.height + 20)) continue;
      const group = look.group(this, i), shadow = only !== null && group !== only;
      if (i === selected) top.push([i, x, y, group]);
      else if (only !== null && !shadow || group !== look.none && !look.tails) later.push([i, x, y, group]);
      else this.#one(ctx, marks, i, x, y, group, r, shadow, colours, look);
    }
    for (const [i, x, y, group] of later) this.#one(ctx, marks, i, x, y, group, r, only !== null && group !== only, colours, look);
    for (const [i, x, y, group] of top) this.#one(ctx, marks, i, x, y, group, r, false, colours, look);
    ctx.globalAlpha = 1;
  }
  #one(ctx, marks, i, x, y, group, r, shadow, colours, look) {
    ctx.globalAlpha = shadow ? 0.13 : 1;
    if (look.tails && group !== look.none && this.moves(i) && Number.isFinite(this.heading[i])) {
      const back = this.heading[i] * Math.PI / 180, length = r * (1.4 + this.speed[i] / 45);
      ctx.strokeStyle = colours.of(group);
      ctx.lineWidth = Math.max(1.3, r * 0.4);
      if (!shadow) ctx.globalAlpha = 0.5;
      ctx.beginPath();
      ctx.moveTo(x, y);
      ctx.lineTo(x - Math.sin(back) * length, y + Math.cos(back) * length);
      ctx.stroke();
      if (!shadow) ctx.globalAlpha = 1;
    }
    const { sprite, size } = marks(look.sprite(this, i, group), group);
    ctx.drawImage(sprite, x - size / 2, y - size / 2, size, size);
    const label = r >= 6.5 && !shadow ? look.label(group) : "";
    if (label) {
      ctx.font = `600 ${Math.round(r * 1.25)}px ${colours.font}`;
      ctx.textAlign = "center";
      ctx.textBaseline = "middle";
      ctx.fillStyle = colours.on(group);
      ctx.fillText(label, x, y + 0.5);
      ctx.textAlign = "start";
    }
  }
  // Draws each mark once and stamps it a thousand times; draws it again when the size, the theme or the screen changes.
  #sprites(look, r, colours, ratio) {
    const key2 = `${look.title} ${r.toFixed(2)} ${ratio} ${colours.key}`;
    if (this.marks?.key === key2) return this.marks.of;
    const made = /* @__PURE__ */ new Map();
    const of = (name, group) => {
      if (!made.has(name)) {
        const own = look.size(group, r), size = Math.ceil(own * 3 + 6);
        const sprite = document.createElement("canvas");
        sprite.width = sprite.height = Math.ceil(size * ratio);
        const ctx = sprite.getContext("2d");
        if (ctx === null) throw new Error("this browser cannot draw on a canvas");
        ctx.scale(ratio, ratio);
        look.draw(ctx, name, group, size / 2, own, colours);
        made.set(name, { sprite, size });
      }
      return made.get(name);
    };
    this.marks = { key: key2, of };
    return of;
  }
};
var PLACES = 300;
var EVERY_MS = 1e3;
var MOST_TRUCKS = 4e3;
var Tracks = class {
  constructor() {
    this.ways = /* @__PURE__ */ new Map();
  }
  clear() {
    this.ways.clear();
  }
  /** Adds a place of a truck.
   * @param trucks how many there are
   * @param wanted whether it is followed */
  add(i, x, y, now, trucks, wanted) {
    if (!Number.isFinite(x) || trucks > MOST_TRUCKS && !wanted) return;
    let way = this.ways.get(i);
    if (way === void 0) this.ways.set(i, way = { x: new Float32Array(PLACES), y: new Float32Array(PLACES), at: new Float64Array(PLACES), n: 0 });
    if (way.n > 0 && now - way.at[(way.n - 1) % PLACES] < EVERY_MS) return;
    const k = way.n % PLACES;
    [way.x[k], way.y[k], way.at[k]] = [x, y, now];
    way.n += 1;
  }
  /** Returns the places of a truck, oldest first: [[x, y, at], …]. */
  of(i) {
    const way = this.ways.get(i);
    if (way === void 0) return [];
    const kept = Math.min(way.n, PLACES);
    return Array.from({ length: kept }, (_, k) => {
      const j = (way.n - kept + k) % PLACES;
      return [way.x[j], way.y[j], way.at[j]];
    });
  }
  /** Draws the track of a truck up to its present place; older parts are fainter, and a dot marks the beginning. */
  draw(ctx, view, colours, i, here, scale) {
    const places = [...this.of(i).map(([x, y]) => view.toPixels(x, y)), view.toPixels(...here)];
    if (places.length < 2) return;
    ctx.lineCap = ctx.lineJoin = "round";
    const parts = 5, step = Math.ceil((places.length - 1) / parts);
    for (const [colour, width] of [[colours.land, 6 * scale], [colours.accent, 2.6 * scale]]) {
      ctx.strokeStyle = colour;
      ctx.lineWidth = width;
      for (let from = 0; from < places.length - 1; from += step) {
        ctx.globalAlpha = 0.35 + 0.65 * (from / (places.length - 1));
        ctx.beginPath();
        places.slice(from, from + step + 1).forEach(([x, y], k) => k === 0 ? ctx.moveTo(x, y) : ctx.lineTo(x, y));
        ctx.stroke();
      }
    }
    ctx.globalAlpha = 1;
    ctx.beginPath();
    ctx.arc(places[0][0], places[0][1], 3 * scale, 0, 2 * Math.PI);
    ctx.fillStyle = colours.land;
    ctx.fill();
    ctx.strokeStyle = colours.accent;
    ctx.lineWidth = 1.6 * scale;
    ctx.stroke();
  }
};
var UNITS = 1e4;
var JUMP_S = 15;
var Told = class {
  constructor(model) {
    this.model = model;
    this.rows = new Rows();
    /** The Unix time shown, in a recording. */
    this.at = null;
  }
  /** Returns what to draw now; `jumped` tells that time went back or far ahead. */
  next() {
    const state = this.model.get("state");
    const at = (state ? state.at : this.model.get("at")) ?? null;
    const jumped = at !== this.at && (at === null || this.at === null || at < this.at || at - this.at > JUMP_S);
    this.at = at;
    if (state) return { frame: this.rows.frame(state.rows ?? []), ids: state.ids ?? [], jumped };
    return { frame: this.model.get("frame"), ids: this.model.get("truck_ids"), jumped };
  }
};
var Rows = class {
  constructor() {
    this.rows = [];
    this.known = [];
  }
  /** Returns the rows as a frame: four columns of float32 and one of uint16. */
  frame(rows) {
    const n = rows.length;
    const buffer = new ArrayBuffer(BYTES * n);
    const columns = [0, 1, 2, 3].map((i) => new Float32Array(buffer, 4 * n * i, n));
    const partition = new Uint16Array(buffer, 16 * n, n);
    const known = rows.map((row, i) => row === this.rows[i] ? this.known[i] : read(row));
    known.forEach((numbers, i) => {
      for (let c = 0; c < 4; c += 1) columns[c][i] = numbers[c];
      partition[i] = numbers[4];
    });
    [this.rows, this.known] = [rows, known];
    return new DataView(buffer);
  }
};
function read(row) {
  const [latitude, longitude, speed, heading, partition] = String(row).split(" ").map(Number);
  return [latitude / UNITS, longitude / UNITS, speed, heading, partition];
}

// map/view.ts
var WORDS_MS = 1e3;
var CLOSE_UP = 5;
var HINT = "On the map: arrows move, + and − zoom, 0 shows all, N and P go from truck to truck, F follows the selected one, C changes what the marks show, Esc lets go of the truck. Drag and double-click work too; the wheel zooms once the map has the focus.";
var contextOf = (canvas) => canvas.getContext("2d");
var TruckMapView = class {
  constructor(model, root) {
    this.model = model;
    this.root = root;
    this.only = null;
    this.hovered = -1;
    this.wordsAt = -Infinity;
    this.heard = 0;
    this.colours = void 0;
    this.asked = void 0;
    this.later = void 0;
    this.ground = el("canvas", { class: "kl-map-ground", "aria-hidden": "true" });
    this.canvas = el("canvas", { class: "kl-map-trucks", tabindex: "0", role: "application", "aria-roledescription": "map" });
    this.tip = el("div", { class: "kl-map-tip", "aria-hidden": "true", hidden: true });
    this.pills = ["trucks", "moving", "fresh"].map((name) => el("span", { class: `kl-pill kl-map-pill-${name}` }));
    this.#shown = (i) => this.only === null || this.marks.group(this.trucks, i) === this.only;
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
    const zooms = el(
      "div",
      { class: "kl-map-zoom" },
      button("+", "zoom in", () => this.look(() => this.view.zoomBy(1.6))),
      button("−", "zoom out", () => this.look(() => this.view.zoomBy(1 / 1.6))),
      button("⤢", "show all", () => this.look(() => {
        this.letGo();
        this.view.reset();
      }))
    );
    this.stage = el("div", { class: "kl-map-stage" }, this.ground, this.canvas, this.tip, zooms);
    this.panel = new Panel({
      choose: (group) => this.guard(() => {
        this.only = group;
        this.#words(true);
        this.#ask();
      }),
      find: (text) => this.guard(() => this.#find(text)),
      colour: (way) => this.guard(() => this.#tell("colour_by", way)),
      follow: (on) => this.guard(() => this.follow(on))
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
      "change:state": () => this.#takeFrame(true),
      "change:title": () => {
        this.title.textContent = shorten(this.model.get("title"), 80);
      },
      "change:selected": () => {
        this.#reveal();
        this.#words(true);
        this.#ask();
      },
      "change:following": () => this.#begin(),
      "change:colour_by": () => {
        this.only = null;
        this.#words(true);
        this.#ask();
      },
      "change:fences": () => {
        this.fences = new Fences(this.model.get("fences"));
        this.trucks.fenced(this.fences);
        this.#words(true);
        this.#ask(true);
      },
      "change:presenter": () => {
        this.#present();
        this.#resize();
      }
    };
    const guarded = Object.entries(listeners).map(([name, fn]) => [name, () => this.guard(fn)]);
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
    this.colours = void 0;
  }
  get way() {
    return this.model.get("colour_by") ?? "partition";
  }
  get marks() {
    return this.looks[this.way];
  }
  #shown;
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
    return void 0;
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
    if (jumped) this.trucks.tracks.clear();
    if (!frame?.byteLength && this.trucks.count === 0) return this.#words(true);
    this.trucks.followed = this.model.get("following") ?? "";
    this.trucks.take(frame, ids, performance.now(), live && !jumped && !reducedMotion());
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
  #readTheme() {
    this.scale = scaleOf(this.root);
    this.colours = readColours(this.root);
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
    const now = performance.now(), ctx = contextOf(this.canvas), chosen = this.selected;
    const followed = this.following && chosen >= 0;
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
    this.later = void 0;
    this.wordsAt = performance.now();
    showWords(this);
  }
};
function listen(map) {
  const { canvas, view } = map;
  let held = null;
  const at = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const on = (name, fn, options = void 0) => canvas.addEventListener(name, (event) => map.guard(() => fn(event, ...at(event))), options);
  on("pointerdown", (event, x, y) => {
    held = { x, y, moved: false };
    canvas.setPointerCapture(event.pointerId);
  });
  on("pointermove", (event, x, y) => {
    if (held === null) return map.hover(x, y);
    if (!held.moved && Math.hypot(x - held.x, y - held.y) < 4) return void 0;
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
  on("pointercancel", () => {
    held = null;
  });
  on("pointerleave", () => map.hover(-99, -99));
  on("dblclick", (event, x, y) => map.look(() => view.zoomBy(2, x, y)));
  on("wheel", (event, x, y) => {
    if (!event.ctrlKey && document.activeElement !== canvas && canvas.getRootNode().activeElement !== canvas) return;
    event.preventDefault();
    map.look(() => view.zoomBy(Math.exp(-event.deltaY * 22e-4), x, y));
  }, { passive: false });
  on("keydown", (event) => key(map, event));
}
function key(map, event) {
  const { view } = map, across = 0.14 * view.width, down = 0.14 * view.height;
  const pan = (dx, dy) => () => {
    map.letGo();
    view.pan(dx, dy);
  };
  const keys = {
    ArrowLeft: pan(across, 0),
    ArrowRight: pan(-across, 0),
    ArrowUp: pan(0, down),
    ArrowDown: pan(0, -down),
    "+": () => view.zoomBy(1.6),
    "=": () => view.zoomBy(1.6),
    "-": () => view.zoomBy(1 / 1.6),
    0: () => {
      map.letGo();
      view.reset();
    },
    n: () => map.step(1),
    p: () => map.step(-1),
    f: () => map.follow(!map.following),
    c: () => map.nextColour(),
    Escape: () => map.following ? map.letGo() : map.select(-1)
  };
  const act = keys[event.key] ?? keys[event.key.toLowerCase()];
  if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  event.stopPropagation();
  map.look(act);
}
var view_default = {
  render({ model, el: root }) {
    root.classList.add("kl", "kl-map");
    ownKeys(root);
    root.setAttribute("role", "group");
    root.setAttribute("aria-label", "Truck map");
    const view = guard(root, () => new TruckMapView(model, root));
    hearAll(model).catch(console.warn);
    return () => view?.end?.();
  }
};
export {
  view_default as default
};
