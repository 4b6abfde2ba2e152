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
function scaleOf(node) {
  return Number(getComputedStyle(node).getPropertyValue("--kl-scale")) || 1;
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
  const details2 = error instanceof Error && error.stack ? el("details", {}, el("summary", {}, "details"), el("pre", {}, error.stack)) : null;
  root.append(
    el(
      "div",
      { class: "kl-error", role: "alert", "data-message": message },
      el("strong", {}, "This view has a fault. "),
      message,
      " The cluster itself is not affected.",
      details2
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
function legend(signs) {
  return el(
    "ul",
    { class: "kl-legend", "aria-label": "legend" },
    signs.map(([sign, meaning]) => el("li", {}, el("span", { class: "kl-sign", "aria-hidden": "true" }, sign), " ", meaning))
  );
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
function refill(parent, children) {
  const active = document.activeElement;
  const held2 = active && parent.contains(active) ? active.dataset : null;
  parent.replaceChildren(...[children].flat(Infinity).filter(Boolean));
  if (!held2?.key) return;
  const all = [...parent.querySelectorAll("[data-key]")];
  (all.find((n) => n.dataset.key === held2.key) ?? all.find((n) => held2.node && n.dataset.node === held2.node))?.focus();
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

// axis.ts
var CLOCK = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 21600, 43200, 86400];
function roundStep(least) {
  const power = 10 ** Math.floor(Math.log10(least));
  return ([1, 2, 5].find((m) => m * power >= least * (1 - 1e-9)) ?? 10) * power;
}
function timeStep(least) {
  return CLOCK.find((step) => step >= least) ?? Math.ceil(least / 86400) * 86400;
}
function ticks(from, to, step) {
  const first = Math.ceil(from / step - 1e-9), last = Math.floor(to / step + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

// stream/scale.ts
function axis(values, least = 0) {
  const sorted = values.filter((v) => Number.isFinite(v) && v >= 0).sort((a, b) => a - b);
  const most = Math.max(least, sorted.at(-1) ?? 0);
  const usual = Math.max(least, sorted[Math.floor(0.9 * (sorted.length - 1))] ?? 0);
  const cut = sorted.length >= 6 && usual > 0 && most > 3 * usual;
  const wanted = (cut ? 1.25 * usual : most) || 1;
  const step = roundStep(wanted / 3);
  const top = Number((Math.ceil(wanted / step - 1e-9) * step).toPrecision(12));
  return { top, ticks: ticks(0, top, step) };
}
function shortMs(ms) {
  if (ms < 1e3) return `${Math.round(ms)} ms`;
  if (ms < 1e5) return `${(ms / 1e3).toFixed(ms < 1e4 ? 2 : 1)} s`;
  return lasting(ms / 1e3);
}
function even(ms) {
  return ms < 1e3 ? `${ms} ms` : `${Number((ms / 1e3).toFixed(3))} s`;
}
function lasting(seconds) {
  const size = Math.abs(seconds), sign = seconds < 0 ? "−" : "";
  if (size < 10) return `${sign}${Number(size.toFixed(1))} s`;
  const whole = Math.round(size);
  if (whole < 60) return `${sign}${whole} s`;
  return whole < 172800 ? `${sign}${clock.long(whole)}` : `${sign}${count(Math.floor(whole / 86400))} days`;
}
function bytes(n) {
  for (const [size, unit] of [[1e9, "GB"], [1e6, "MB"], [1e3, "kB"]]) {
    if (n >= size) return `${(n / size).toFixed(n < 10 * size ? 1 : 0)} ${unit}`;
  }
  return `${Math.round(n)} B`;
}
function brief(n) {
  for (const [size, unit] of [[1e9, "G"], [1e6, "M"], [1e4, "k"]]) {
    if (n >= size) return `${Number((n / (unit === "k" ? 1e3 : size)).toFixed(1))}${unit}`;
  }
  return count(Number(n.toFixed(n < 10 ? 1 : 0)));
}
function utc(at) {
  return new Date(at * 1e3).toISOString().slice(11, 19);
}
function utcDate(at) {
  return new Date(at * 1e3).toISOString().slice(0, 10);
}
function slots(numbers, width, least) {
  const shown = numbers.slice(-Math.max(1, Math.floor(width / least)));
  const wide = width / Math.max(shown.length, 10);
  return {
    shown,
    wide,
    middle: (i) => (i + 0.5) * wide,
    /** Returns the place in `shown` at a pixel. */
    at: (x) => Math.max(0, Math.min(shown.length - 1, Math.floor(x / wide)))
  };
}
function laneRanges(batches, numbers, keys) {
  const lanes = keys.map((key2) => {
    const ranges = [];
    let end = null, latest = null;
    for (const number of numbers) {
      const found = batches[number]?.lanes[key2];
      if (!found) continue;
      const { start, end: stop, latest: newest } = found;
      const from = start ?? end ?? stop, open = start === null && end === null && stop > 0;
      if (stop > from || open) ranges.push({ number, from, to: stop, open });
      end = stop;
      if (newest !== null) latest = newest;
    }
    return { key: key2, ranges, end, latest, behind: latest === null || end === null ? null : Math.max(0, latest - end) };
  });
  const reach = lanes.map(({ end, ranges: [first] }) => end === null || !first ? 0 : end - (first.open ? first.to : first.from));
  return { lanes, span: Math.max(1, ...reach), waiting: Math.max(0, ...lanes.map((lane) => lane.behind ?? 0)) };
}
function timesOf({ event }) {
  return { min: event?.min ?? NaN, avg: event?.avg ?? NaN, max: event?.max ?? NaN, watermark: event?.watermark ?? NaN };
}
function held(batch, name) {
  return batch.state.reduce((sum, operator) => sum + operator[name], 0);
}
function delay(batch) {
  const { max, watermark: watermark2 } = timesOf(batch);
  return Number.isFinite(max - watermark2) ? max - watermark2 : null;
}
function falls(batch, trigger) {
  return trigger.kind !== "real time" && batch.rows > 0 && batch.arriving > batch.processed;
}

// stream/charts.ts
var PHASES = ["latestOffset", "getBatch", "queryPlanning", "walCommit", "addBatch", "commitOffsets", "other"];
function ratesChart(scene) {
  const { shown, last } = scene, behind = shown.map((b) => falls(b, scene.trigger));
  const p = new Plot(scene, 168, axis(shown.flatMap((b) => [b.arriving, b.processed])), brief), { k } = p;
  behind.forEach((yes, i) => yes && p.bar("over", "kl-st-over", p.x(i) - p.wide / 2, p.wide, p.base, p.head));
  const diamond = (x, y) => el("path", { d: `M${x} ${y - 3.6 * k}l${3.6 * k} ${3.6 * k}l${-3.6 * k} ${3.6 * k}l${-3.6 * k} ${-3.6 * k}z` });
  const dot = (x, y) => el("circle", { cx: x, cy: y, r: 2.6 * k });
  for (const [name, mark] of [["processed", diamond], ["arriving", dot]]) {
    p.line(name, shown.map((b) => b[name]));
    if (p.wide > 7 * k) p.node.append(el("g", { class: `kl-st-mark kl-st-${name}` }, shown.map((b, i) => mark(p.x(i), p.y(b[name])))));
  }
  p.peak(shown.map((b) => Math.max(b.arriving, b.processed)));
  return {
    plots: [["", p]],
    words: `Of the last ${shown.length} batches: the newest had ${count(Math.round(last.arriving))} rows a second arriving and could process ${count(Math.round(last.processed))}; in ${behind.filter(Boolean).length} more arrived than went through.`
  };
}
function phasesChart(scene) {
  const { shown, last, trigger } = scene, k = scene.scale;
  const every = trigger.kind === "processing time" ? trigger.every_ms : null;
  const took = shown.map((b) => b.ms);
  const drawn = every && every <= 4 * Math.max(1, ...took) ? every : 0;
  const p = new Plot(scene, 190, axis(took, drawn * 1.08), shortMs), wide = 2 * p.half;
  shown.forEach((batch, i) => {
    let done = 0;
    for (const phase of PHASES) {
      const ms = batch.phases[phase] ?? 0;
      if (done < p.top) p.bar(phase, `kl-st-phase kl-st-phase-${phase}`, p.x(i) - p.half, wide, p.y(done), p.y(done + ms), `batch ${scene.slots.shown[i]}, ${phase}: ${shortMs(ms)}`);
      done += ms;
    }
    if (batch.ms <= p.top) return;
    const x = p.x(i), quarter = (p.half + 1) / 2, zag = `l${quarter} ${-4 * k}l${quarter} ${4 * k}`;
    p.node.append(
      el("path", { class: "kl-st-cut", d: `M${x - 2 * quarter} ${p.head + 5 * k}${zag}${zag}` }),
      el("text", { class: "kl-st-text", x: x + 2 * quarter + 3 * k, y: p.head + 9 * k }, shortMs(batch.ms))
    );
  });
  if (drawn) {
    p.node.append(el("line", { class: "kl-st-trigger", x1: p.left, x2: p.right, y1: p.y(drawn), y2: p.y(drawn) }));
    p.label(p.right, p.y(drawn) - 5 * k, `trigger: every ${even(drawn)}`, true);
  }
  const longest = PHASES.reduce((a, b) => (last.phases[b] ?? 0) > (last.phases[a] ?? 0) ? b : a);
  const late = every ? ` ${took.filter((ms) => ms > every).length} of ${shown.length} batches took longer than the trigger's ${even(every)}.` : "";
  return { plots: [["", p]], words: `The newest batch took ${shortMs(last.ms)}, ${shortMs(last.phases[longest] ?? 0)} of it in ${longest}.${late}` };
}
function stateChart(scene) {
  const { shown, last } = scene;
  const [total, updated, removed, memory] = ["total", "updated", "removed", "bytes"].map((name) => shown.map((b) => held(b, name)));
  const low = (height, values, format, times = false) => {
    const { top } = axis(values);
    return new Plot(scene, height, { top, ticks: [0, top] }, format, times);
  };
  const rows = low(92, total, brief), changes = low(62, [...updated, ...removed], brief), size = low(74, memory, bytes, true);
  if (shown.length > 1) rows.node.append(el("path", { class: "kl-st-area", d: `${rows.path(total)}L${rows.x(shown.length - 1)} ${rows.base}L${rows.x(0)} ${rows.base}z` }));
  rows.line("total", total);
  rows.peak(total);
  shown.forEach((_, i) => {
    changes.bar("updated", "kl-st-updated", changes.x(i) - changes.half, changes.half - 0.5, changes.base, changes.y(updated[i]));
    changes.bar("removed", "kl-st-removed", changes.x(i) + 0.5, changes.half - 0.5, changes.base, changes.y(removed[i]));
  });
  changes.peak(shown.map((_, i) => Math.max(updated[i], removed[i])));
  size.line("memory", memory);
  size.peak(memory);
  return {
    plots: [["rows kept", rows], ["rows updated and removed by a batch", changes], ["memory", size]],
    words: `After batch ${scene.slots.shown.at(-1)} the state holds ${count(held(last, "total"))} rows in ${bytes(held(last, "bytes"))}; the batch updated ${count(held(last, "updated"))} and removed ${count(held(last, "removed"))}.`
  };
}
function watermarkChart(scene) {
  const { shown, slots: slots2 } = scene, events = shown.map(timesOf);
  const seen = events.flatMap(({ max, avg, watermark: watermark2 }) => [max, avg, watermark2]).filter(Number.isFinite);
  if (!seen.length) return null;
  const low = Math.min(...seen), high = Math.max(...seen), room = Math.max(1, high - low);
  const [bottom, top] = [low - 0.14 * room, high + 0.06 * room];
  const p = new Plot(scene, 240, { bottom, top, ticks: ticks(bottom, top, timeStep(Math.max(1, room / 3))) }, utc), { k, wide } = p;
  let band = "", steps = "", late = 0;
  events.forEach(({ max, watermark: watermark2 }, i) => {
    if (!Number.isFinite(watermark2)) return;
    if (Number.isFinite(max)) band += `M${p.x(i) - wide / 2} ${p.y(max)}h${wide}V${p.y(watermark2)}h${-wide}z`;
    steps += `${steps ? "L" : "M"}${p.x(i) - wide / 2} ${p.y(watermark2)}h${wide}`;
  });
  p.node.append(el("path", { class: "kl-st-wait", d: band }));
  events.forEach(({ min, max, avg }, i) => {
    if (!Number.isFinite(max)) return;
    const x = p.x(i);
    p.node.append(el("line", { class: "kl-st-range", x1: x, x2: x, y1: p.y(max), y2: p.y(min) }));
    if (min < bottom) p.node.append(el("path", { class: "kl-st-below", d: `M${x - 3 * k} ${p.base - 5 * k}l${3 * k} ${5 * k}l${3 * k} ${-5 * k}` }));
    if (wide > 7 * k) p.node.append(el("circle", { class: "kl-st-avg", cx: x, cy: p.y(avg), r: 2.2 * k }));
  });
  p.line("newest", events.map(({ max }) => max));
  p.node.append(el("path", { class: "kl-st-line kl-st-watermark", d: steps }));
  shown.forEach((batch, i) => {
    if (!batch.late) return;
    late += batch.late;
    const s = 3.2 * k, y = p.base - 8 * k;
    p.node.append(el(
      "path",
      { class: "kl-st-late", d: `M${p.x(i) - s} ${y - s}l${2 * s} ${2 * s}m0 ${-2 * s}l${-2 * s} ${2 * s}` },
      el("title", {}, `batch ${slots2.shown[i]}: ${count(batch.late)} dropped as too late`)
    ));
  });
  const at = events.findLastIndex(({ watermark: watermark2 }) => Number.isFinite(watermark2)), gap = at < 0 ? null : delay(shown[at]);
  if (gap !== null) p.label(p.x(at) + wide / 2, Math.min(p.base - 18 * k, p.y(events[at].watermark) + 17 * k), `↕ ${lasting(gap)} behind`, true);
  const behind = gap === null ? "" : `, ${lasting(gap)} behind the newest event time of its batch`;
  const times = at < 0 ? "no watermark yet" : `the watermark is ${utc(events[at].watermark)}${behind}`;
  return { plots: [["", p]], words: `Event time in UTC: ${times}; ${count(late)} rows dropped as too late in the batches shown.` };
}
var LEFT = 56;
var RIGHT = 8;
var Plot = class {
  constructor(scene, height, axis2, format, times = true) {
    this.scene = scene;
    this.height = height;
    this.axis = axis2;
    this.format = format;
    this.times = times;
    this.k = this.scene.scale;
    this.wide = this.scene.slots.wide;
    this.half = Math.min(13 * this.k, this.wide * 0.36);
    // of a bar's width
    this.left = LEFT * this.k;
    this.right = this.scene.width - RIGHT * this.k;
    this.head = 8 * this.k;
    this.base = (this.height - (this.times ? 20 : 6)) * this.k;
    this.top = this.axis.top;
    this.node = el("svg", { class: "kl-st-plot", width: this.scene.width, height: this.height * this.k, viewBox: `0 0 ${this.scene.width} ${this.height * this.k}`, role: "img" });
    const { k, head, base } = this, at = scene.slots.shown.indexOf(scene.chosen);
    if (at >= 0) this.node.append(el("rect", { class: "kl-st-chosen", x: this.x(at) - this.wide / 2, width: this.wide, y: head - 4 * k, height: base - head + 4 * k, rx: 3 }));
    for (const tick of axis2.ticks) {
      const y = this.y(tick);
      this.node.append(
        el("line", { class: "kl-st-grid", x1: this.left, x2: this.right, y1: y, y2: y }),
        el("text", { class: "kl-st-soft", x: this.left - 6 * k, y: y + 4 * k, "text-anchor": "end" }, format(tick))
      );
    }
    const every = Math.max(1, Math.ceil(74 * k / this.wide)), room = 26 * k;
    for (let i = scene.shown.length - 1; times && this.x(i) > room && i >= 0; i -= every) {
      const last = this.x(i) + room > scene.width;
      this.node.append(el("text", { class: "kl-st-soft", x: last ? scene.width - 1 : this.x(i), y: base + 14 * k, "text-anchor": last ? "end" : "middle" }, clock.ofDay(scene.shown[i].at)));
    }
  }
  x(i) {
    return this.left + this.scene.slots.middle(i);
  }
  y(value) {
    const { top, bottom = 0 } = this.axis;
    return this.base - (Math.min(top, Math.max(bottom, value)) - bottom) / (top - bottom || 1) * (this.base - this.head);
  }
  /** Returns a line through the batches that have a value, with a gap at those without. */
  path(values) {
    return values.map((v, i) => Number.isFinite(v) ? `${Number.isFinite(values[i - 1]) ? "L" : "M"}${this.x(i).toFixed(1)} ${this.y(v).toFixed(1)}` : "").join("");
  }
  line(name, values) {
    this.node.append(el("path", { class: `kl-st-line kl-st-${name}`, d: this.path(values) }));
  }
  /** Draws a bar with a pattern, unless it is too low to be seen. */
  bar(pattern, kind, x, width, low, high, title = "") {
    if (low - high > 0.2) this.node.append(el("rect", { class: kind, x, width, y: high, height: low - high, fill: this.scene.hatch(pattern) }, title && el("title", {}, title)));
  }
  label(x, y, words, end) {
    this.node.append(el("text", { class: "kl-st-text kl-st-halo", x, y, "text-anchor": end ? "end" : "start" }, words));
  }
  /** Writes the highest value, if it is above the axis, at the place where it would be. */
  peak(values) {
    const most = Math.max(...values), x = this.x(values.indexOf(most)), late = x > this.right - 60 * this.k;
    if (most > this.top) this.label(x + (late ? -6 : 6) * this.k, this.head + 9 * this.k, `↑ ${this.format(most)}`, late);
  }
  /** Returns the node with its description, and with the marked moments over what was drawn. */
  finished(words) {
    const { k, head } = this, group = el("g", { class: "kl-st-moments" });
    this.node.setAttribute("aria-label", words);
    for (const [i, mark] of this.scene.marks.entries()) {
      const x = this.#placed(mark.at);
      if (x === null) continue;
      const late = x > this.right - 150 * k;
      group.append(el("line", { class: "kl-st-moment", x1: x, x2: x, y1: head - 4 * k, y2: this.base }));
      if (this.height > 150) {
        group.append(el("text", { class: "kl-st-text kl-st-halo", x: x + (late ? -5 : 5) * k, y: head + (22 + 14 * (i % 3)) * k, "text-anchor": late ? "end" : "start" }, `✕ ${mark.words}`));
      }
    }
    this.node.append(group);
    return this.node;
  }
  /** Returns where a moment lies: within the slot of the batch that was under way then; null before the first one. */
  #placed(when) {
    const { shown } = this.scene, i = shown.findLastIndex((b) => b.at <= when);
    if (i < 0) return null;
    const began = shown[i].at, ends = shown[i + 1]?.at ?? began + shown[i].ms / 1e3;
    return this.x(i) - this.wide / 2 + this.wide * Math.min(1, (when - began) / Math.max(1e-3, ends - began));
  }
};
var BATCHES = 12;
function lanesChart({ batches, lanes, unread }, width, scale, numbers, chosen) {
  const k = scale, keys = Object.keys(lanes), newest = chosen === numbers.at(-1);
  const shown = numbers.filter((n) => n <= chosen).slice(-BATCHES);
  const { lanes: drawn, span, waiting } = laneRanges(batches, shown, keys);
  const topics = new Set(keys.map((key2) => `${lanes[key2].source} ${lanes[key2].topic}`));
  const first = drawn.some((lane) => lane.ranges[0]?.open) ? 24 * k : 0;
  const left = 44 * k + first, words = Math.min(190 * k, width * 0.3), high = 24 * k, gap = 9 * k;
  const space = width - left - words - 14 * k, fits = waiting <= span / 2;
  const read = space * (fits ? span / (span + waiting) : 2 / 3), rest = space - read;
  const perRecord = read / span;
  const node = el("svg", { class: "kl-st-lanes", width, role: "img" });
  let y = 6 * k, topic = "";
  for (const lane of drawn) {
    const { topic: name, partition, source } = lanes[lane.key];
    if (topics.size > 1 && `${source} ${name}` !== topic) {
      topic = `${source} ${name}`;
      node.append(el("text", { class: "kl-st-soft", x: 0, y: y + 12 * k }, `${shorten(name, 60)}${source > 1 ? `, source ${source}` : ""}`));
      y += 20 * k;
    }
    const group = el("g", { class: "kl-st-lane", "data-lane": lane.key, "data-end": lane.end ?? "", "data-latest": lane.latest ?? "" });
    const colour = partitionColour(partition), ink = partitionInk(partition), end = left + read;
    group.append(
      el("text", { class: "kl-st-lane-name", x: 0, y: y + high / 2 + 4 * k, style: `fill:${colour}` }, `P${partition}`),
      el("line", { class: "kl-st-lane-line", x1: left - first, x2: left + space + 10 * k, y1: y + high / 2, y2: y + high / 2 })
    );
    for (const range of lane.ranges) {
      const at = (offset) => end - (lane.end - offset) * perRecord;
      const x2 = at(range.to), x1 = range.open ? x2 - first : at(range.from);
      const wide = Math.max(1.5, x2 - x1 - 1.5), own = range.number === chosen;
      const classes = `kl-st-read${range.open ? " kl-st-open" : ""}${own ? " kl-st-own" : range.number % 2 ? " kl-st-odd" : ""}${own && newest ? " kl-st-new" : ""}`;
      group.append(el(
        "rect",
        { class: classes, x: x1, width: wide, y, height: high, rx: Math.min(4, wide / 3), style: `--kl-st-own:${colour}` },
        el("title", {}, range.open ? `batch ${range.number}: up to offset ${count(range.to - 1)}; Spark does not report where the first batch began` : `batch ${range.number}: offsets ${count(range.from)} to ${count(range.to - 1)}, ${count(range.to - range.from)} records`)
      ));
      const label = String(range.number);
      if (wide > (label.length * 6.4 + 6) * k) group.append(el("text", { class: "kl-st-in", x: x1 + wide / 2, y: y + high / 2 + 4 * k, "text-anchor": "middle", style: own ? `fill:${ink}` : null }, label));
    }
    group.append(
      el("path", { class: "kl-st-end", d: `M${end} ${y - 3 * k}l${4 * k} ${4 * k}l${-4 * k} ${4 * k}l${-4 * k} ${-4 * k}z` }),
      el("line", { class: "kl-st-end-line", x1: end, x2: end, y1: y, y2: y + high })
    );
    const long = lane.behind ? Math.max(3, fits ? lane.behind * perRecord : lane.behind / waiting * rest) : 0;
    if (long) {
      group.append(el("rect", { class: "kl-st-wait-box", x: end + 2, width: long, y: y + 1, height: high - 2, rx: 3, style: `stroke:${colour}` }));
      if (!fits) group.append(el("path", { class: "kl-st-tear", d: `M${end + long * 0.42} ${y - 2}l${3 * k} ${high / 3}l${-5 * k} ${high / 3}l${3 * k} ${high / 3 + 3}` }));
    }
    const box2 = long ? end + 2 + long : end;
    if (lane.latest !== null) group.append(el("line", { class: "kl-st-latest", x1: box2 + 2, x2: box2 + 2, y1: y - 3 * k, y2: y + high + 3 * k }));
    const stuck = newest && unread.includes(lane.key);
    const behind = lane.behind === null ? "" : lane.behind === 0 ? "nothing waits" : `${count(lane.behind)} wait`;
    group.append(el(
      "text",
      { class: "kl-st-text", x: width, y: y + high / 2 + 4 * k, "text-anchor": "end" },
      lane.end === null ? "–" : `${count(lane.end)} · `,
      el("tspan", { class: stuck || lane.behind ? "kl-st-behind" : "kl-st-calm" }, stuck ? `✕ not read, ${brief(lane.behind ?? 0)}` : behind)
    ));
    node.append(group);
    y += high + gap;
  }
  node.setAttribute("height", String(y));
  node.setAttribute("viewBox", `0 0 ${width} ${y}`);
  const total = drawn.reduce((sum, lane) => sum + (lane.behind ?? 0), 0);
  return {
    node,
    torn: !fits,
    words: `${drawn.length} partitions; batch ${chosen} read up to ${drawn.map((lane) => `P${lanes[lane.key].partition} ${lane.end === null ? "unknown" : count(lane.end)}`).join(", ")}; ${count(total)} records waited.`
  };
}
var LINES = {
  latestOffset: "M0 0L6 6M-1 5L1 7M5 -1L7 1",
  getBatch: "M0 3H6",
  queryPlanning: "M3 0V6",
  walCommit: "M0 6L6 0M-1 1L1 -1M5 7L7 5",
  addBatch: "",
  commitOffsets: "M0 6L6 0M-1 1L1 -1M5 7L7 5M0 0L6 6M-1 5L1 7M5 -1L7 1",
  other: "M1 1h1M4 4h1",
  over: "M0 6L6 0M-1 1L1 -1M5 7L7 5",
  updated: "",
  removed: "M0 0L6 6M-1 5L1 7M5 -1L7 1"
};
function hatches() {
  const id = `kl-st-${Math.random().toString(36).slice(2)}`;
  const patterns = Object.entries(LINES).map(([name, lines]) => el(
    "pattern",
    { id: `${id}-${name}`, width: 6, height: 6, patternUnits: "userSpaceOnUse", class: `kl-st-hatch-${name}` },
    el("rect", { width: 6, height: 6, class: "kl-st-hatch-ground" }),
    el("path", { d: lines, class: "kl-st-hatch-lines" })
  ));
  const node = el("svg", { class: "kl-st-defs", width: 0, height: 0, "aria-hidden": "true" }, el("defs", {}, ...patterns));
  return { node, hatch: (name) => `url(#${id}-${name})` };
}

// stream/figures.ts
var SIGNS = { starting: "◌", running: "●", stopped: "■", failed: "✕", recorded: "◷" };
function bar(state, ask) {
  const { standing, words, message, trigger, sources, sink } = state;
  const now = standing === "running" || standing === "starting" ? message : "";
  const from = sources.map((s) => shorten(tidy(s), 48)).join(" + ");
  const queries = el(
    "select",
    { class: "kl-select", "data-key": "query", "aria-label": "query shown", onchange: () => ask?.({ do: "choose", place: queries.selectedIndex }) },
    state.queries.map((name) => el("option", { selected: name === state.query }, shorten(name, 60)))
  );
  return el(
    "div",
    { class: "kl-st-bar" },
    ask && state.queries.length > 1 ? queries : el("b", { title: shorten(state.name, 200) }, shorten(state.name || "unnamed query", 40)),
    el("span", { class: `kl-pill kl-st-standing kl-st-${standing}` }, el("span", { "aria-hidden": "true" }, `${SIGNS[standing]} `), words),
    trigger.words && el("span", { class: "kl-pill" }, trigger.words),
    now && el("span", { class: "kl-soft kl-st-now" }, shorten(now, 60)),
    from && el("span", { class: "kl-soft kl-st-way kl-mono" }, `${from} → ${shorten(tidy(sink) || "?", 32)}`)
  );
}
function tidy(text) {
  return text.replace(/^KafkaV2\[Subscribe\[(.*)\]\]$/, "$1").replace(/^[\w.]+\$(\w+)@[0-9a-f]+$/, "$1");
}
function notices(state) {
  const found = [];
  if (state.reason) {
    const failed = state.standing === "failed";
    found.push(el(
      "div",
      { class: "kl-notice kl-tone-bad kl-st-reason", role: failed ? "alert" : "status" },
      el("b", {}, failed ? "The query stopped on an error. " : "The view no longer follows this query. "),
      shorten(state.reason, 300),
      state.advice ? el("div", { class: "kl-soft" }, shorten(state.advice, 300)) : null
    ));
  }
  if (state.unread.length) {
    const names = state.unread.map((key2) => `P${state.lanes[key2].partition}`).join(", ");
    const why = state.trigger.kind === "real time" ? " Real-time mode needs a task slot for every partition at once: give Spark more cores, local[4] say." : " Is their leader up?";
    found.push(el("div", { class: "kl-notice kl-tone-bad kl-st-unread", role: "status" }, el("b", {}, `Nobody reads ${names}: `), `records wait there, and the last batches took none of them.${why}`));
  }
  return found;
}
function figures(batch, trigger) {
  const wait = delay(batch);
  const every = trigger.kind === "processing time" && trigger.every_ms ? trigger.every_ms : null;
  const sum = (name) => held(batch, name);
  const tile = (name, value, unit, rest, bad = false) => el(
    "div",
    { class: `kl-st-tile${bad ? " kl-st-bad" : ""}` },
    el("dt", {}, name),
    el("dd", {}, el("b", {}, value), unit && el("span", { class: "kl-st-unit" }, ` ${unit}`), el("span", { class: "kl-st-rest" }, bad ? `▲ ${rest}` : rest))
  );
  const less = falls(batch, trigger);
  return el(
    "dl",
    { class: "kl-st-tiles" },
    tile("arriving", count(Math.round(batch.arriving)), "rows/s", `${count(batch.rows)} in this batch`),
    tile(trigger.kind === "real time" ? "processed" : "can process", count(Math.round(batch.processed)), "rows/s", less ? "less than arrives" : "", less),
    tile("batch took", ...split(shortMs(batch.ms)), every ? `${Math.round(100 * batch.ms / every)} % of the trigger's ${even(every)}` : "", every !== null && batch.ms > every),
    tile("behind", batch.behind === null ? "–" : count(batch.behind), "records", batch.behind === null ? "not reported by the source" : batch.behind === 0 ? "read to the end" : "there and not read", Boolean(batch.behind)),
    tile("watermark", ...watermark(wait, batch.event), false),
    tile("state", batch.state.length ? count(sum("total")) : "–", batch.state.length ? "rows" : "", batch.state.length ? `${bytes(sum("bytes"))} of memory` : "a stateless query")
  );
}
function watermark(wait, event) {
  if (wait !== null) return [...split(lasting(wait)), "behind the newest event"];
  return event?.watermark ? [utc(event.watermark), "UTC", "no event in this batch"] : ["–", "", event ? "not known yet" : "none is set"];
}
function split(words) {
  const [value, unit] = words.split(" ");
  return [value, unit ?? ""];
}
var Line = class {
  /** @param choose called with a batch, or null to follow the newest */
  constructor(choose) {
    this.choose = choose;
    this.bars = el("div", { class: "kl-st-bars", "aria-hidden": "true" });
    this.words = el("span", { class: "kl-st-which" });
    this.input = el("input", {
      type: "range",
      class: "kl-st-slider",
      min: 0,
      max: 0,
      step: 1,
      "aria-label": "batch shown",
      // JupyterLab looks for this from the focused element upwards; without it here, its own selectors would match first.
      "data-lm-suppress-shortcuts": "true",
      oninput: () => this.choose(this.input.value === this.input.max ? null : this.input.valueAsNumber)
    });
    this.newest = el("button", { class: "kl-button kl-st-newest-button", type: "button", "data-lm-suppress-shortcuts": "true", onclick: () => {
      this.choose(null);
      this.input.focus();
    } }, "newest");
    this.node = el("div", { class: "kl-panel kl-st-time" }, this.words, el("div", { class: "kl-st-track" }, this.bars, this.input), this.newest);
  }
  draw(numbers, batches, chosen, following) {
    const most = axis(numbers.map((n) => batches[n].rows)).top;
    const first = numbers[0], last = numbers.at(-1), wide = 100 / Math.max(1, last - first + 1);
    this.bars.replaceChildren(...numbers.map((n) => el("i", {
      class: n === chosen ? "kl-st-on" : null,
      style: { left: `${(n - first) * wide}%`, width: `${wide}%`, height: `${Math.min(100, Math.max(4, 100 * batches[n].rows / most))}%` }
    })));
    this.input.min = String(first);
    this.input.max = String(last);
    this.input.value = String(chosen);
    const batch = batches[chosen], at = clock.ofDay(batch.at);
    this.words.replaceChildren(el("b", {}, `batch ${count(chosen)}`), ` ${at}`);
    this.input.setAttribute("aria-valuetext", `batch ${chosen} of ${at}, ${batch.rows} rows in ${shortMs(batch.ms)}${following ? ", the newest" : ""}`);
    this.newest.setAttribute("aria-pressed", String(following));
  }
};
var PHASE_WORDS = {
  latestOffset: "asks Kafka for the newest offsets",
  getBatch: "fixes which offsets the batch reads",
  queryPlanning: "plans the query",
  walCommit: "writes these offsets to the checkpoint, before the work",
  addBatch: "reads, computes, writes",
  commitOffsets: "notes in the checkpoint that the batch is done",
  other: "everything else of the trigger"
};
function details(number, batch, state) {
  const gap = delay(batch);
  const main = [
    ["began", clock.ofDay(batch.at)],
    ["rows read", batch.idle ? "0: nothing was there" : count(batch.rows)],
    ["rows written", batch.out === null ? "not reported by the sink" : count(batch.out)]
  ];
  const { min, avg, max, watermark: mark } = timesOf(batch), known = Number.isFinite(max);
  const times = batch.event === null ? [] : [
    ["event time", known ? `${utcDate(max)}, UTC` : "no rows"],
    ...known ? [["newest", utc(max)], ["mean", utc(avg)], ["oldest", utc(min)]] : [],
    ["watermark", Number.isFinite(mark) ? utc(mark) : "none before the first batch"],
    ["behind the newest", gap === null ? "–" : lasting(gap)],
    ["dropped as too late", batch.late === null ? "no operator drops any" : count(batch.late)]
  ];
  return [
    pairs(`Batch ${number}`, [...main, ...times]),
    grid("Phases", ["phase", "time"], PHASES.filter((name) => batch.phases[name] !== void 0).map((name) => [[name, PHASE_WORDS[name]], shortMs(batch.phases[name])])),
    offsets(batch, state.lanes, state.more_lanes),
    batch.state.length ? grid("State", ["operator", "rows", "updated", "removed", "memory"], batch.state.map((o) => [shorten(o.operator, 30), count(o.total), count(o.updated), count(o.removed), bytes(o.bytes)])) : null
  ];
}
function offsets(batch, lanes, more) {
  const keys = Object.keys(batch.lanes).filter((key2) => lanes[key2]);
  if (!keys.length) return null;
  const one = new Set(keys.map((key2) => lanes[key2].topic)).size === 1;
  const rows = keys.map((key2) => {
    const { start, end, latest } = batch.lanes[key2], { topic, partition } = lanes[key2];
    return [
      one ? `P${partition}` : `${shorten(topic, 24)} P${partition}`,
      start === null ? "not told" : count(start),
      count(end),
      start === null ? "–" : count(end - start),
      latest === null ? "–" : count(latest),
      latest === null ? "–" : count(Math.max(0, latest - end))
    ];
  });
  if (more) rows.push([`and ${more} more`, "", "", "", "", ""]);
  return grid(`Offsets${one ? ` of ${shorten(lanes[keys[0]].topic, 40)}` : ""}`, ["partition", "from", "up to", "records", "newest", "behind"], rows);
}
function pairs(title, rows) {
  return el(
    "table",
    { class: "kl-st-table kl-st-pairs" },
    el("caption", {}, title),
    el("tbody", {}, rows.map(([name, value]) => el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, value))))
  );
}
function grid(title, head, rows) {
  return table({ class: "kl-st-table" }, head, rows.map(([first, ...rest]) => el(
    "tr",
    {},
    el("th", { scope: "row" }, Array.isArray(first) ? [first[0], el("small", {}, ` ${first[1]}`)] : first),
    rest.map((cell) => el("td", {}, cell))
  )), title);
}

// stream/view.ts
var SLOT = 7;
var CHARTS = { rates: ratesChart, phases: phasesChart, watermark: watermarkChart, state: stateChart };
var key = (width, ...shapes) => el("svg", { class: "kl-st-key", width, height: 12 }, ...shapes);
var line = (name, mark) => key(20, el("path", { class: `kl-st-line kl-st-${name}`, d: "M0 6H20" }), mark && el("g", { class: `kl-st-mark kl-st-${name}` }, mark));
var box = (kind, style) => key(20, el("rect", { class: kind, x: 1, y: 1, width: 17, height: 10, rx: 3, style }));
var StreamView = class {
  /** @param ask null when there is no kernel */
  constructor(page, ask) {
    this.page = page;
    this.ask = ask;
    this.state = null;
    this.chosen = null;
    this.asked = 0;
    this.width = "";
    this.line = new Line((number) => guard(this.page, () => this.choose(number)));
    this.top = el("div", { class: "kl-st-top" });
    this.summary = el("p", { class: "kl-hidden kl-st-summary" });
    this.tiles = el("div", {});
    this.panels = {};
    this.table = el("section", { class: "kl-panel kl-st-details", "aria-label": "The chosen batch as tables" });
    const { node, hatch } = hatches();
    this.hatch = hatch;
    const square = (name) => key(14, el("rect", { class: `kl-st-phase kl-st-${name}`, x: 0.5, y: 0.5, width: 13, height: 11, fill: hatch(name) }));
    const panel = (name, title, signs) => {
      const body = el("div", { class: "kl-st-body" });
      const root = el("section", { class: `kl-panel kl-st-panel kl-st-panel-${name}`, "aria-label": title }, el("h3", { class: "kl-title" }, title), body, legend(signs));
      this.panels[name] = { root, body };
      return root;
    };
    const charts = el(
      "div",
      { class: "kl-st-charts" },
      panel("rates", "Rows a second", [
        [line("arriving", el("circle", { cx: 10, cy: 6, r: 2.6 })), "arriving"],
        [line("processed", el("path", { d: "M10 2.4l3.6 3.6l-3.6 3.6l-3.6 -3.6z" })), "what the query can process"],
        [square("over"), "more arrives than it can process"]
      ]),
      panel("phases", "Where the time of a batch goes", PHASES.map((name) => [square(name), name])),
      panel("watermark", "Event time and the watermark", [
        [line("newest"), "newest event time of a batch"],
        ["●", "mean"],
        ["│", "from oldest to newest"],
        [line("watermark"), "watermark: older rows may be too late"],
        ["✕", "rows dropped as too late"]
      ]),
      panel("state", "State kept between batches", [[line("total"), "rows kept"], [square("updated"), "updated"], [square("removed"), "removed"], [line("memory"), "memory"]]),
      panel("lanes", `Kafka's offsets, as the last ${BATCHES} batches read them`, [
        [box("kl-st-read kl-st-odd", "--kl-st-own:var(--kl-p0)"), "read by the batch of that number"],
        [box("kl-st-read kl-st-own", "--kl-st-own:var(--kl-p0)"), "by the chosen one"],
        [box("kl-st-read kl-st-open", "--kl-st-own:var(--kl-p0)"), "by the first batch: Spark does not say where it began"],
        ["◆", "read so far, kept in the checkpoint"],
        [box("kl-st-wait-box", "stroke:var(--kl-p0)"), "waits to be read"],
        ["│", "newest offset (high watermark)"]
      ])
    );
    page.append(node, this.top, this.summary, this.tiles, this.line.node, charts, this.table);
    for (const name of Object.keys(CHARTS)) this.panels[name].body.addEventListener("click", (event) => guard(page, () => this.#pick(event)));
    this.sized = new ResizeObserver(() => {
      if (this.width === this.#wide()) return;
      cancelAnimationFrame(this.asked);
      this.asked = requestAnimationFrame(() => guard(page, () => this.#charts()));
    });
    this.sized.observe(this.panels.rates.body);
    this.sized.observe(this.panels.lanes.body);
  }
  /** The batches' numbers, ascending. */
  get numbers() {
    return Object.keys(this.state?.batches ?? {}).map(Number);
  }
  /** The marked batch: the newest, or the chosen one; when that is not kept any more, or not there yet, the one next to it. */
  get marked() {
    const { numbers, chosen } = this;
    return (chosen === null ? numbers : numbers.filter((n) => n <= chosen)).at(-1) ?? numbers[0] ?? null;
  }
  /** @param number null follows the newest */
  choose(number) {
    this.chosen = number === null ? null : this.numbers.filter((n) => n <= number).at(-1) ?? null;
    this.#charts();
  }
  #pick(event) {
    const plot = event.target.closest("svg");
    if (!plot) return;
    const box2 = plot.getBoundingClientRect(), mine = this.#slots(box2.width);
    const number = mine.shown[mine.at(event.clientX - box2.left - LEFT * this.#scale())];
    this.choose(number === this.numbers.at(-1) ? null : number);
  }
  #slots(width) {
    return slots(this.numbers, width - (LEFT + RIGHT) * this.#scale(), SLOT * this.#scale());
  }
  #scale() {
    return scaleOf(this.page);
  }
  #wide() {
    return `${this.panels.rates.body.clientWidth} ${this.panels.lanes.body.clientWidth} ${this.#scale()}`;
  }
  draw(state, before) {
    this.state = state;
    if (changed(state, before, "name", "standing", "words", "message", "trigger", "sources", "sink", "reason", "advice", "unread", "lanes", "queries", "query")) {
      refill(this.top, [bar(state, this.ask), notices(state)]);
    }
    if (changed(state, before, "batches", "lanes", "trigger", "notes", "unread", "more_lanes", "marks")) this.#charts();
  }
  #charts() {
    const { state, numbers, marked: chosen } = this;
    if (!state) return;
    const { batches, notes } = state;
    this.width = this.#wide();
    this.line.node.hidden = this.tiles.hidden = this.table.hidden = chosen === null;
    for (const [name, { root }] of Object.entries(this.panels)) root.classList.toggle("kl-st-empty", Boolean(notes[name]) && (chosen === null || name !== "phases"));
    if (chosen === null) {
      for (const [name, { body }] of Object.entries(this.panels)) body.replaceChildren(el("p", { class: "kl-soft" }, notes[name]));
      this.summary.textContent = `Stream ${shorten(state.name, 60)}: ${state.words}. No batch has ended yet.`;
      return;
    }
    const newest = chosen === numbers.at(-1), scale = this.#scale(), said = [];
    this.line.draw(numbers, batches, chosen, newest);
    this.tiles.replaceChildren(figures(batches[chosen], state.trigger));
    for (const [name, draw] of Object.entries(CHARTS)) {
      const width2 = Math.max(240, this.panels[name].body.clientWidth), fit = this.#slots(width2), shown = fit.shown.map((n) => batches[n]);
      const scene = { width: width2, scale, slots: fit, shown, last: shown[shown.length - 1], chosen, trigger: state.trigger, marks: state.marks, hatch: this.hatch };
      const note = notes[name], chart = note && name !== "phases" ? null : draw(scene);
      const plots = chart?.plots.map(([title, plot]) => [title && el("div", { class: "kl-st-sub" }, title), plot.finished(chart.words)]);
      if (chart) said.push(chart.words);
      refill(this.panels[name].body, [plots, (note || !chart) && el("p", { class: "kl-soft kl-st-note" }, note || "Nothing to draw yet.")]);
    }
    const width = Math.max(320, this.panels.lanes.body.clientWidth);
    const lanes = notes.lanes ? null : lanesChart(state, width, scale, numbers, chosen);
    lanes?.node.setAttribute("aria-label", lanes.words);
    const rest = [
      notes.lanes,
      lanes?.torn && "More waits than there is room for: torn bars (⌇) are not to scale.",
      state.more_lanes && `${state.more_lanes} more partitions are not drawn.`
    ].filter(Boolean).join(" ");
    refill(this.panels.lanes.body, [lanes?.node, rest && el("p", { class: "kl-soft kl-st-note" }, rest)]);
    refill(this.table, details(chosen, batches[chosen], state));
    this.summary.textContent = `Stream ${shorten(state.name, 60)}: ${state.words}. ${said.join(" ")} ${lanes?.words ?? ""}`;
  }
  end() {
    this.sized.disconnect();
    cancelAnimationFrame(this.asked);
  }
};
var view_default = {
  render: live("stream", "Spark stream", (page, { model, ask }) => new StreamView(page, model.get("live") ? ask : null))
};
export {
  view_default as default
};
