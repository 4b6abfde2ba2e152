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
function showFault(root, text) {
  const shown = root.querySelector(":scope > .kl-fault");
  if (!text) return shown?.remove();
  if (shown?.getAttribute("data-text") === text) return void 0;
  shown?.remove();
  root.append(el("div", { class: "kl-error kl-fault", role: "alert", "data-text": text }, shorten(text, 600)));
  return void 0;
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
function changed(now, before, ...names) {
  return !before || names.some((name) => now[name] !== before[name]);
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
    for (const item2 of items) {
      const name = key2(item2);
      const part = parts.get(name) ?? make(item2);
      parts.set(name, part);
      if (part.node === at) at = at.nextSibling;
      else parent.insertBefore(part.node, at);
      part.draw(item2);
    }
  };
}

// live.ts
function live(name, label, build) {
  return ({ model, el: root }) => {
    const page = el("div", { class: `kl kl-${name}`, role: label && "region", "aria-label": label });
    const eye = Math.random().toString(36).slice(2);
    const hands = el("fieldset", { class: "kl-hands" }, page);
    const said = el("div", { class: "kl kl-standstill", "aria-live": "polite" });
    ownKeys(page);
    root.append(said, hands);
    let state = model.get("state");
    let drawn;
    let asked = false;
    let still = "";
    const standStill = (why, tone = "") => {
      still = why;
      hands.toggleAttribute("disabled", Boolean(why));
      page.classList.toggle("kl-still", Boolean(why));
      said.replaceChildren(...why ? [el("div", { class: `kl-notice ${tone}` }, why)] : []);
    };
    const silent = (since) => still || standStill(`No news from the kernel since ${clock.ofDay(since / 1e3)}: the picture stands still. It goes on by itself when the kernel answers. If the kernel was restarted, run this cell again.`, "kl-tone-bad");
    const ear = model.get("live") ? hearing((since) => {
      silent(since);
      asked = false;
      whole();
    }) : null;
    const ask = (message) => {
      try {
        model.send(message);
      } catch (error) {
        console.warn(error);
        silent(Date.now());
      }
    };
    const whole = () => {
      if (asked) return;
      asked = true;
      ask({ do: "whole", eye, n: state?.n ?? -1 });
    };
    const view = guard(page, () => build(page, { model, ask }));
    const draw = () => {
      if (!state || state.n === void 0) return;
      showFault(page, state.fault);
      if (state.fault && Object.keys(state).length === 2) return;
      const before = drawn;
      drawn = state;
      guard(page, () => view?.draw(state, before));
    };
    const heard = {
      "msg:custom": (message) => {
        ear?.heard();
        if (message?.kept) ear?.end();
        if (still || message?.kept) standStill(message?.kept ?? "");
        if (message?.whole !== void 0) {
          asked = false;
          if (message.whole === null) return;
          state = message.whole;
          draw();
        } else if (message?.beat !== void 0) {
          asked = false;
          if (message.beat > (state?.n ?? -1)) whole();
        } else if (message?.patch) {
          if (message.n === state?.n + 1) {
            state = patched(state, message.patch);
            draw();
          } else if (message.n > (state?.n ?? -1)) {
            whole();
          }
        } else {
          guard(page, () => view?.heard?.(message));
        }
      },
      "change:state": () => {
        state = model.get("state");
        draw();
      },
      "change:presenter": () => page.classList.toggle("kl-presenter", Boolean(model.get("presenter")))
    };
    const listeners = Object.entries(heard).map(([event, fn]) => [event, (m) => guard(page, () => fn(m))]);
    for (const [event, listener] of listeners) model.on(event, listener);
    heard["change:presenter"]();
    draw();
    hearAll(model).catch(console.warn);
    if (model.get("live")) whole();
    return () => {
      ear?.end();
      for (const [event, listener] of listeners) model.off(event, listener);
      guard(page, () => view?.end?.());
      if (model.get("live")) ask({ do: "gone", eye });
    };
  };
}
var SILENCE = 5;
function hearing(silent) {
  let quiet = 0, since = Date.now(), next = SILENCE;
  const timer = setInterval(() => {
    if (++quiet < next) return;
    next *= 2;
    silent(since);
  }, 1e3);
  return {
    /** To be called for every message that arrives. */
    heard() {
      [quiet, since, next] = [0, Date.now(), SILENCE];
    },
    end: () => clearInterval(timer)
  };
}
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
function patched(state, ops) {
  const root = [state];
  const own = /* @__PURE__ */ new Set([root]);
  const mine = (at, key2) => {
    const was = at[key2];
    if (own.has(was)) return was;
    const copy = Array.isArray(was) ? [...was] : { ...was };
    own.add(copy);
    put(at, key2, copy);
    return copy;
  };
  for (const [kind, path, value] of ops) {
    const keys = [0, ...path], key2 = keys.pop(), at = keys.reduce(mine, root);
    if (kind === "set") put(at, key2, value);
    else if (kind === "del") delete at[key2];
    else if (kind === "cut") mine(at, key2).splice(0, value);
    else if (kind === "end") mine(at, key2).splice(value);
    else if (kind === "add") for (const element of value) mine(at, key2).push(element);
    else throw new Error(`a patch with an unknown operation: ${kind}`);
  }
  return root[0];
}
function put(at, key2, value) {
  if (key2 === "__proto__") Object.defineProperty(at, key2, { value, writable: true, enumerable: true, configurable: true });
  else at[key2] = value;
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
    this.frame = frame;
    this.width = 1;
    this.height = 1;
    this.zoom = 1;
    this.x = 0;
    this.y = 0;
    this.free = false;
    this.reset();
  }
  reset() {
    const [west, south, east, north] = this.frame;
    this.zoom = 1;
    this.x = (west + east) / 2;
    this.y = (south + north) / 2;
  }
  get scale() {
    const [west, south, east, north] = this.frame;
    return this.zoom * Math.min(this.width / (east - west), this.height / (north - south));
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
    const [west, south, east, north] = this.frame;
    const halfX = this.width / 2 / this.scale, halfY = this.height / 2 / this.scale;
    const within = (v, low, high) => low > high ? (low + high) / 2 : Math.min(high, Math.max(low, v));
    this.x = within(this.x, west + halfX, east - halfX);
    this.y = within(this.y, south + halfY, north - halfY);
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
var Fences = class {
  constructor(list) {
    this.list = list;
    this.font = "";
    this.names = [];
  }
  /** Draws the areas with a dashed edge, on the canvas beneath the trucks. */
  draw(ctx, view, colours, scale) {
    this.list.forEach(({ ring: ring2 }, i) => {
      const path = outlinePath([ring2], true);
      const onScreen = new Path2D();
      const k = view.scale;
      onScreen.addPath(path, { a: k, d: -k, e: view.width / 2 - view.x * k, f: view.height / 2 + view.y * k });
      ctx.globalAlpha = 0.13;
      ctx.fillStyle = colours.of(i);
      ctx.fill(onScreen);
      ctx.globalAlpha = 1;
      ctx.setLineDash([6, 4]);
      stroke(ctx, onScreen, colours.of(i), 1.8 * scale);
      ctx.setLineDash([]);
    });
  }
  /** Places their names above them. */
  place(ctx, view, colours, scale) {
    this.font = `700 ${12 * scale}px ${colours.font}`;
    ctx.font = this.font;
    this.names = this.list.map(({ name, letter, ring: ring2 }) => {
      const xs = ring2.filter((_, i) => i % 2 === 0), ys = ring2.filter((_, i) => i % 2 === 1);
      const [x, y] = view.toPixels((Math.min(...xs) + Math.max(...xs)) / 2, Math.max(...ys));
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
var NONE = -1;
function looks(fences) {
  return { partition: byPartition(), geofence: byFence(fences) };
}
function byPartition() {
  return {
    title: "Partition",
    group: (truck) => truck.partition,
    size: (_, r) => r,
    draw: (ctx, group, at, r, colours) => drawMark(ctx, Math.max(0, group), at, at, r, colours.of(group), colours.land),
    label: (group) => group === NONE ? "" : String(group),
    short: (group) => group === NONE ? "not known" : `P${group}`,
    mark: (group) => group === NONE ? "question mark" : markName(group),
    icon: (group) => group === NONE ? el("span", { "aria-hidden": "true" }, "?") : markIcon(group)
  };
}
function byFence(fences) {
  const name = (group) => shorten(fences()[group]?.name ?? "", 22);
  const letter = (group) => fences()[group]?.letter ?? "?";
  return {
    title: "Geofence",
    group: (truck) => truck.fence,
    size: (group, r) => group === NONE ? r * 0.75 : Math.max(5.6, r * 1.1),
    draw(ctx, group, at, r, colours) {
      if (group === NONE) return drawHollow(ctx, at, r, colours.soft, colours.land);
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
    short: (group) => group === NONE ? "outside" : name(group),
    mark: (group) => group === NONE ? "hollow dot" : `letter ${letter(group)}`,
    icon: (group) => group === NONE ? svg(el("circle", { r: 3, fill: "none", stroke: "var(--kl-soft)", "stroke-width": 1.8 })) : el("span", { class: "kl-map-letter", "aria-hidden": "true", style: { background: partitionColour(group), color: partitionInk(group) } }, letter(group))
  };
}
function drawHollow(ctx, at, r, colour, ground) {
  ctx.beginPath();
  ctx.arc(at, at, r, 0, 2 * Math.PI);
  ctx.fillStyle = ground;
  ctx.fill();
  ctx.strokeStyle = colour;
  ctx.lineWidth = Math.max(1.3, r * 0.4);
  ctx.stroke();
}
function svg(mark) {
  return el("svg", { width: 14, height: 14, viewBox: "-7 -7 14 14", "aria-hidden": "true" }, mark);
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
function markIcon(partition) {
  const { name, filled } = markShape(partition);
  const points = corners(name, 4.6);
  const colour = partitionColour(partition);
  const look = filled ? { fill: colour } : { fill: "none", stroke: colour, "stroke-width": 2, "stroke-linejoin": "round" };
  return svg(points === null ? el("circle", { r: 4.6, ...look }) : el("path", { d: `M${points.map((p) => p.join(" ")).join("L")}z`, ...look }));
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
  const [soft, ink] = ["--kl-soft", "--kl-ink"].map((name) => read2(`var(${name})`));
  probe.remove();
  return {
    sea,
    land,
    coast,
    border,
    road,
    city,
    ink,
    soft,
    font: getComputedStyle(root).fontFamily,
    key: [...cache.values()].join(),
    of: (p) => p < 0 ? soft : hues[p % 12][0],
    /** The colour of text on the mark of a partition: a hollow mark shows the ground inside, so the text has the hue. */
    on: (p) => p < 0 ? ink : markShape(p).filled ? hues[p % 12][1] : hues[p % 12][0],
    /** The colour of text on a disc filled with the hue. */
    onDisc: (p) => hues[p % 12][1]
  };
}

// map/trucks.ts
var ROW = 12;
var STILL_KMH = 1;
var JUMP_S = 15;
var JUMP_KM = 250;
var GLIDE_MS = [120, 4e3];
function read(rows) {
  const bytes = new DataView(Uint8Array.from(atob(rows), (c) => c.charCodeAt(0)).buffer);
  const degrees = (at) => (bytes.getUint16(at, true) + 65536 * bytes.getInt8(at + 2)) / 1e4;
  const known = (n, last, of) => n === last ? NaN : n / of;
  return Array.from({ length: bytes.byteLength / ROW }, (_, i) => {
    const at = i * ROW, partition = bytes.getUint16(at + 9, true);
    return {
      latitude: degrees(at),
      longitude: degrees(at + 3),
      speed: known(bytes.getUint16(at + 6, true), 65535, 10),
      heading: known(bytes.getUint8(at + 8), 255, 0.5),
      partition: partition === 65535 ? NONE : partition,
      fence: bytes.getInt8(at + 11)
    };
  });
}
function jumps(before, at) {
  return at !== before && (at === null || before === null || at < before || at - before > JUMP_S);
}
var moves = (truck) => truck.speed >= STILL_KMH;
function placeOf(truck, now) {
  const share = truck.during > 0 ? Math.min(1, (now - truck.since) / truck.during) : 1;
  return [truck.fromX + (truck.toX - truck.fromX) * share, truck.fromY + (truck.toY - truck.fromY) * share];
}
var Trucks = class {
  constructor(project) {
    this.project = project;
    this.list = [];
    this.until = 0;
  }
  /** Takes a picture. Trucks that moved glide from the place where they are drawn to the reported one, in the time that passed
   * since they last moved; the others stay as they are. */
  take({ ids, rows }, now, glide) {
    const before = this.list;
    this.list = read(rows).map((told, i) => this.#moved(before[i]?.id === ids[i] ? before[i] : void 0, ids[i], told, now, glide));
  }
  #moved(old, id, told, now, glide) {
    const [toX, toY] = this.project(told.latitude, told.longitude);
    if (old && toX === old.toX && toY === old.toY) return { ...old, ...told };
    const [fromX, fromY] = old ? placeOf(old, now) : [toX, toY];
    const glides = glide && old && Math.hypot(toX - fromX, toY - fromY) <= JUMP_KM;
    const during = glides ? Math.min(GLIDE_MS[1], Math.max(GLIDE_MS[0], now - old.since)) : 0;
    this.until = Math.max(this.until, now + during);
    return { ...told, id, fromX, fromY, toX, toY, since: now, during };
  }
  find(id) {
    return id === "" ? void 0 : this.list.find((truck) => truck.id === id);
  }
  gliding(now) {
    return now < this.until;
  }
  /** Returns the truck drawn nearest to a pixel, at most `reach` pixels away. */
  nearest(view, px, py, now, shown, reach) {
    let best;
    for (const truck of this.list) {
      if (!shown(truck)) continue;
      const [x, y] = view.toPixels(...placeOf(truck, now));
      const away = Math.hypot(x - px, y - py);
      if (away < reach) [best, reach] = [truck, away];
    }
    return best;
  }
  /** Counts the trucks of each group, in order; trucks without a group come last. */
  counts(look) {
    const found = /* @__PURE__ */ new Map();
    for (const truck of this.list) {
      const group = look.group(truck);
      const own = found.get(group) ?? { group, trucks: 0, moving: 0, kmh: 0 };
      own.trucks += 1;
      if (moves(truck)) {
        own.kmh = (own.kmh * own.moving + truck.speed) / (own.moving + 1);
        own.moving += 1;
      }
      found.set(group, own);
    }
    const place = (group) => group === NONE ? Infinity : group;
    return [...found.values()].sort((a, b) => place(a.group) - place(b.group));
  }
  fastest() {
    return this.list.filter(moves).reduce((best, truck) => best && best.speed >= truck.speed ? best : truck, null);
  }
  /** Draws all trucks, the selected one last; those of a group other than `only` are drawn faint, below the others. Zoomed in,
   * marks are large enough for a number. */
  draw(ctx, view, colours, now, { look, only, selected, scale }) {
    const r = Math.min(9, 3 + 0.9 * Math.log2(view.zoom) * 1.6) * scale;
    const marks = this.#sprites(look, r, colours, ctx.getTransform().a);
    const shadow = (truck) => only !== null && look.group(truck) !== only && truck !== selected;
    const rank = (truck) => truck === selected ? 2 : shadow(truck) ? 0 : 1;
    ctx.lineCap = "round";
    for (const truck of [...this.list].sort((a, b) => rank(a) - rank(b))) {
      const [x, y] = view.toPixels(...placeOf(truck, now));
      if (x > -20 && y > -20 && x < view.width + 20 && y < view.height + 20) this.#one(ctx, marks, truck, x, y, r, shadow(truck), colours, look);
    }
    ctx.globalAlpha = 1;
  }
  #one(ctx, marks, truck, x, y, r, shadow, colours, look) {
    const group = look.group(truck);
    ctx.globalAlpha = shadow ? 0.13 : 1;
    if (group !== NONE && moves(truck) && Number.isFinite(truck.heading)) {
      const back = truck.heading * Math.PI / 180, length = r * (1.4 + truck.speed / 45);
      ctx.strokeStyle = colours.of(group);
      ctx.lineWidth = Math.max(1.3, r * 0.4);
      if (!shadow) ctx.globalAlpha = 0.5;
      ctx.beginPath();
      ctx.moveTo(x, y);
      ctx.lineTo(x - Math.sin(back) * length, y + Math.cos(back) * length);
      ctx.stroke();
      if (!shadow) ctx.globalAlpha = 1;
    }
    const { sprite, size } = marks(group);
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
    const make = (group) => {
      const own = look.size(group, r), size = Math.ceil(own * 3 + 6);
      const sprite = document.createElement("canvas");
      sprite.width = sprite.height = Math.ceil(size * ratio);
      const ctx = sprite.getContext("2d");
      ctx.scale(ratio, ratio);
      look.draw(ctx, group, size / 2, own, colours);
      made.set(group, { sprite, size });
      return { sprite, size };
    };
    this.marks = { key: key2, of: (group) => made.get(group) ?? make(group) };
    return this.marks.of;
  }
};

// map/panel.ts
var WAYS = ["partition", "geofence"];
function panel({ choose, find, colour, follow }) {
  let look;
  const name = `kl-map-${Math.random().toString(36).slice(2)}`;
  const radios = WAYS.map((way) => el("input", { type: "radio", name, value: way, onchange: () => colour(way) }));
  const ways = el(
    "div",
    { class: "kl-map-ways", role: "radiogroup", "aria-label": "marks say the" },
    WAYS.map((way, i) => el("label", { class: "kl-map-way" }, radios[i], way))
  );
  const legend = el("div", { class: "kl-map-legend", role: "group" });
  const keep = keeper(legend, ({ group }) => group, ({ group }) => item(look, group, choose));
  const none = el("p", { class: "kl-soft kl-map-nothing", hidden: true }, "No geofence is drawn: TruckMap(geofences=[…]).");
  const head = el("span", { class: "kl-hidden" });
  const numbers = table({}, [head, "trucks", "moving", "mean km/h"], []);
  const told = el("dl", { class: "kl-map-truck" });
  const nobody = el("p", { class: "kl-soft kl-map-nobody" }, "Click one on the map, or find it by its id.");
  const found = el("span", { class: "kl-soft", role: "status" });
  const pressed = () => following.getAttribute("aria-pressed") === "true";
  const following = el("button", { class: "kl-button kl-map-follow", type: "button", onclick: () => follow(!pressed()) }, "◎ follow");
  const go = (event) => {
    event.preventDefault();
    const wanted = input.value.trim();
    found.textContent = wanted === "" || find(wanted) ? "" : "no such truck";
  };
  const enter = (event) => {
    if (event.key === "Enter") go(event);
  };
  const input = el("input", { class: "kl-map-find", type: "text", placeholder: "T0042", "aria-label": "Truck id", spellcheck: "false", onkeydown: enter });
  const form = el("form", { onsubmit: go }, input, el("button", { class: "kl-button", type: "submit" }, "find"), following, found);
  const root = el(
    "div",
    { class: "kl-map-side" },
    el(
      "div",
      { class: "kl-panel" },
      el("div", { class: "kl-title" }, "Marks show the"),
      ways,
      legend,
      none,
      el("details", { class: "kl-map-table" }, el("summary", {}, "as a table"), numbers)
    ),
    el("div", { class: "kl-panel" }, el("div", { class: "kl-title" }, "Truck"), form, nobody, told)
  );
  return {
    root,
    /** @param fenced true when a geofence is drawn */
    showCounts(counts, only, now, way, fenced) {
      if (look !== now) {
        look = now;
        keep([]);
        legend.classList.toggle("kl-map-wide", way !== "partition");
        legend.setAttribute("aria-label", `${now.title}: press one to see it alone`);
        head.textContent = way;
        radios.forEach((radio) => {
          radio.checked = radio.value === way;
        });
      }
      none.hidden = way !== "geofence" || fenced;
      keep(counts.map((one) => ({ ...one, alone: only === one.group })));
      numbers.tBodies[0].replaceChildren(...counts.map((c) => el(
        "tr",
        {},
        el("th", { scope: "row" }, now.short(c.group)),
        el("td", {}, count(c.trucks)),
        el("td", {}, count(c.moving)),
        el("td", {}, c.moving > 0 ? c.kmh.toFixed(0) : "–")
      )));
    },
    /** @param inside the geofence that it is in, or "" */
    showTruck(truck, inside, followed) {
      following.disabled = !truck;
      following.setAttribute("aria-pressed", String(followed));
      following.title = truck ? "keep this truck in the middle (F)" : "select a truck first";
      nobody.hidden = Boolean(truck);
      told.hidden = !truck;
      if (!truck) return;
      const known = (value, words) => Number.isFinite(value) ? words(value) : "not known";
      const rows = [
        ["id", el("b", { title: shorten(truck.id, 200) }, shorten(truck.id, 24))],
        ["partition", truck.partition === NONE ? "not known" : [markIcon(truck.partition), ` P${truck.partition}`]],
        ["speed", known(truck.speed, (v) => v < 1 ? "stands still" : `${v.toFixed(0)} km/h`)],
        ["heading", known(truck.heading, (v) => `${v.toFixed(0)}° ${compass(v)}`)],
        ["place", `${truck.latitude.toFixed(3)}, ${truck.longitude.toFixed(3)}`],
        ...inside ? [["inside", inside]] : []
      ];
      told.replaceChildren(...rows.flatMap(([name2, value]) => [el("dt", { class: "kl-soft" }, name2), el("dd", {}, value)]));
    }
  };
}
function item(look, group, choose) {
  const number = el("span", { class: "kl-map-count" });
  const node = el(
    "button",
    { class: "kl-map-key", type: "button", onclick: () => choose(node.getAttribute("aria-pressed") === "true" ? null : group) },
    look.icon(group),
    el("b", {}, look.short(group)),
    hidden(`(${look.mark(group)})`),
    number,
    hidden("trucks")
  );
  return {
    node,
    draw({ trucks, alone }) {
      number.textContent = count(trucks);
      node.setAttribute("aria-pressed", String(alone));
    }
  };
}
function hidden(text) {
  return el("span", { class: "kl-hidden" }, text);
}
function compass(degrees) {
  return ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"][Math.round(degrees / 45) % 8];
}
function showTip({ view, tip, hovered, chosen, scale }, now) {
  const truck = hovered ?? chosen;
  const [x, y] = truck ? view.toPixels(...placeOf(truck, now)) : [-1, -1];
  tip.hidden = !(x >= 0 && y >= 0 && x <= view.width && y <= view.height);
  if (tip.hidden || !truck) return;
  const speed = Number.isFinite(truck.speed) ? ` · ${moves(truck) ? `${truck.speed.toFixed(0)} km/h` : "still"}` : "";
  tip.textContent = `${shorten(truck.id, 24)}${truck.partition === NONE ? "" : ` · P${truck.partition}`}${speed}`;
  tip.classList.toggle("kl-map-left", x > view.width - 160 * scale);
  tip.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
}
function showWords(map) {
  const { trucks, marks: look, way, state, chosen, fences } = map;
  const counts = trucks.counts(look), total = trucks.list.length, top = trucks.fastest();
  const moving = counts.reduce((sum, c) => sum + c.moving, 0);
  map.panel.showCounts(counts, map.only, look, way, fences.list.length > 0);
  const fence = chosen && fences.list[chosen.fence];
  map.panel.showTruck(chosen, fence ? `${fence.letter} ${shorten(fence.name, 28)}` : "", map.following);
  const fresh = state?.at ? `recorded at ${clock.ofDay(state.at)}` : map.updated ? `updated ${clock.ofDay(map.updated)}` : "";
  const pills = [`${count(total)} ${total === 1 ? "truck" : "trucks"}`, `${count(moving)} moving`, fresh];
  pills.forEach((text, k) => {
    map.pills[k].textContent = text;
    map.pills[k].hidden = text === "";
  });
  const known = counts.filter((c) => c.group !== NONE).length;
  const said = [
    `${pills[0]}${way === "partition" ? ` in ${known} partitions` : ""}`,
    pills[1],
    top ? `the fastest ${shorten(top.id, 24)} at ${top.speed.toFixed(0)} km/h` : "",
    state?.unplaced ? `${count(state.unplaced)} reports without a place on Earth` : ""
  ].filter(Boolean).join(", ");
  const groups = way === "partition" ? "" : ` By ${way}: ${counts.map((c) => `${look.short(c.group)} ${c.trucks}`).join(", ")}.`;
  map.canvas.setAttribute("aria-label", total === 0 ? "Map without trucks yet." : `${said}.${groups}`);
}

// map/view.ts
var WORDS_MS = 1e3;
var CLOSE_UP = 5;
var HINT = "On the map: arrows move, + and − zoom, 0 shows all, N and P go from truck to truck, F follows the selected one, C changes what the marks show, Esc lets go of the truck. Drag and double-click work too; the wheel zooms once the map has the focus.";
var contextOf = (canvas) => canvas.getContext("2d");
var TruckMapView = class {
  constructor(root, model) {
    this.root = root;
    this.model = model;
    this.fences = new Fences([]);
    this.looks = looks(() => this.fences.list);
    this.only = null;
    this.hoveredId = "";
    this.visible = true;
    this.stale = true;
    this.wordsAt = -Infinity;
    this.ratio = 1;
    this.scale = 1;
    this.updated = 0;
    this.ground = el("canvas", { class: "kl-map-ground", "aria-hidden": "true" });
    this.canvas = el("canvas", { class: "kl-map-trucks", tabindex: "0", role: "application", "aria-roledescription": "map" });
    this.tip = el("div", { class: "kl-map-tip", "aria-hidden": "true", hidden: true });
    this.pills = ["trucks", "moving", "fresh"].map((name) => el("span", { class: `kl-pill kl-map-pill-${name}` }));
    this.title = el("b", {});
    this.#shown = (truck) => this.only === null || this.marks.group(truck) === this.only;
    const geography = model.get("geography");
    this.view = new Viewport(geography.frame);
    this.land = new Land(geography);
    this.trucks = new Trucks(projector(geography.projection));
    const button = (sign, name, fn) => el("button", { class: "kl-button", type: "button", title: name, "aria-label": name, onclick: () => this.guard(() => this.look(fn)) }, sign);
    const zooms = el(
      "div",
      { class: "kl-map-zoom" },
      button("+", "zoom in", () => this.view.zoomBy(1.6)),
      button("−", "zoom out", () => this.view.zoomBy(1 / 1.6)),
      button("⤢", "show all", () => {
        this.letGo();
        this.view.reset();
      })
    );
    this.stage = el("div", { class: "kl-map-stage" }, this.ground, this.canvas, this.tip, zooms);
    this.panel = panel({
      choose: (group) => this.guard(() => {
        this.only = group;
        this.#words(true);
        this.#ask();
      }),
      find: (text) => this.guard(() => this.#find(text)),
      colour: (way) => this.guard(() => this.#tell("colour_by", way)),
      follow: (on) => this.guard(() => this.follow(on))
    });
    const id = `kl-map-hint-${Math.random().toString(36).slice(2)}`;
    this.canvas.setAttribute("aria-describedby", id);
    root.append(
      el("div", { class: "kl-map-bar" }, this.title, this.pills),
      el("div", { class: "kl-map-body" }, this.stage, this.panel.root),
      el("p", { class: "kl-map-hint kl-soft", id }, HINT)
    );
    this.end = this.#listen();
  }
  guard(fn) {
    return guard(this.root, fn);
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
      if (this.colours) this.#readTheme();
      this.#ask(true);
    }));
    const listeners = Object.entries({
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
      // The page has the larger letters a moment later.
      "change:presenter": () => setTimeout(() => this.guard(() => this.#resize()), 0)
    }).map(([name, fn]) => [name, () => this.guard(fn)]);
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
  draw(state, before) {
    this.state = state;
    this.title.textContent = shorten(state.title, 80);
    if (changed(state, before, "fences")) {
      this.fences = new Fences(state.fences);
      this.stale = true;
    }
    const glide = before !== void 0 && !jumps(before.at, state.at) && !reducedMotion();
    this.trucks.take(state, performance.now(), glide);
    if (before) this.updated = Date.now() / 1e3;
    this.#words(!before || !state.ids.length);
    this.#ask();
  }
  get way() {
    return this.model.get("colour_by");
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
    const list = this.trucks.list.filter((truck) => truck === this.chosen || this.#shown(truck));
    const at = this.chosen ? list.indexOf(this.chosen) : by < 0 ? 0 : -1;
    if (list.length) this.select(list[(at + by + list.length) % list.length]);
  }
  nextColour() {
    this.#tell("colour_by", this.way === "partition" ? "geofence" : "partition");
  }
  #find(text) {
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
  #tell(name, value) {
    if (this.model.get(name) === value) return;
    this.model.set(name, value);
    this.model.save_changes();
  }
  // Selects a truck; if the map follows one, it then follows the selected one.
  select(truck) {
    const id = truck?.id ?? "";
    this.#tell("selected", id);
    if (this.following) this.#tell("following", id);
  }
  follow(on) {
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
  hover(x, y) {
    this.hoveredId = (x < 0 ? void 0 : this.nearest(x, y))?.id ?? "";
    this.canvas.style.cursor = this.hoveredId ? "pointer" : "";
    this.#ask();
  }
  // Runs `fn`, which moves the map, and then draws it again.
  look(fn) {
    fn();
    this.#ask(true);
  }
  #resize() {
    const width = this.stage.clientWidth, height = this.stage.clientHeight;
    if (width === 0 || height === 0) return;
    this.#readTheme();
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
    if (this.asked === void 0 && this.visible) this.asked = requestAnimationFrame(() => {
      this.asked = void 0;
      this.guard(() => this.#draw());
    });
  }
  #draw() {
    const { colours, chosen, view, scale } = this;
    if (!colours) return;
    const now = performance.now(), ctx = contextOf(this.canvas);
    const moved = Boolean(this.following && chosen) && view.approach(...placeOf(chosen, now), reducedMotion() ? 1 : 0.2);
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
function ring(ctx, [x, y], colours, scale) {
  for (const [colour, width] of [[colours.land, 5], [colours.ink, 2]]) {
    ctx.strokeStyle = colour;
    ctx.lineWidth = width;
    ctx.beginPath();
    ctx.arc(x, y, 12 * scale, 0, 2 * Math.PI);
    ctx.stroke();
  }
}
function listen(map) {
  const { canvas, view } = map;
  let held = null;
  const on = (name, fn, options = {}) => canvas.addEventListener(name, (event) => map.guard(() => {
    const box = canvas.getBoundingClientRect();
    fn(event, event.clientX - box.left, event.clientY - box.top);
  }), options);
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
    Escape: () => map.following ? map.letGo() : map.select(void 0)
  };
  const act = keys[event.key] ?? keys[event.key.toLowerCase()];
  if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  map.look(act);
}
var view_default = {
  render: live("map", "Truck map", (page, { model }) => new TruckMapView(page, model))
};
export {
  view_default as default
};
