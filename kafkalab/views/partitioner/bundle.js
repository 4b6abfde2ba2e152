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
function glide(node, from, duration, easing) {
  const now = node.getBoundingClientRect();
  const [x, y] = [from.left - now.left, from.top - now.top];
  if (Math.abs(x) + Math.abs(y) > 2) node.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], { duration, easing });
}
function changed(now, before, ...names) {
  return !before || names.some((name) => now[name] !== before[name]);
}
function walked(key, at, last) {
  const to = { ArrowDown: at + 1, ArrowRight: at + 1, ArrowUp: at - 1, ArrowLeft: at - 1, PageDown: at + 8, PageUp: at - 8, Home: 0, End: last }[key];
  return to === void 0 ? void 0 : Math.max(0, Math.min(last, to));
}
function roving(box, selector, step = (key, at, all) => all[walked(key, all.indexOf(at), all.length - 1) ?? -1]) {
  const items = () => [...box.querySelectorAll(selector)];
  const itemOf = (event) => event.target.closest(selector);
  let at;
  function rove(to) {
    const all = items();
    at = to ?? (at && all.includes(at) ? at : all[0]);
    for (const item of all) item.tabIndex = item === at ? 0 : -1;
  }
  box.addEventListener("focusin", (event) => rove(itemOf(event) ?? at));
  box.addEventListener("keydown", (event) => {
    const item = itemOf(event);
    const to = item && !event.ctrlKey && !event.metaKey && !event.altKey ? step(event.key, item, items()) : void 0;
    if (!to) return;
    event.preventDefault();
    to.focus({ preventScroll: true });
  });
  return rove;
}
function refill(parent, children) {
  const active = document.activeElement;
  const held = active && parent.contains(active) ? active.dataset : null;
  parent.replaceChildren(...[children].flat(Infinity).filter(Boolean));
  if (!held?.key) return;
  const all = [...parent.querySelectorAll("[data-key]")];
  (all.find((n) => n.dataset.key === held.key) ?? all.find((n) => held.node && n.dataset.node === held.node))?.focus();
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
  const mine = (at, key) => {
    const was = at[key];
    if (own.has(was)) return was;
    const copy = Array.isArray(was) ? [...was] : { ...was };
    own.add(copy);
    put(at, key, copy);
    return copy;
  };
  for (const [kind, path, value] of ops) {
    const keys = [0, ...path], key = keys.pop(), at = keys.reduce(mine, root);
    if (kind === "set") put(at, key, value);
    else if (kind === "del") delete at[key];
    else if (kind === "cut") mine(at, key).splice(0, value);
    else if (kind === "end") mine(at, key).splice(value);
    else if (kind === "add") for (const element of value) mine(at, key).push(element);
    else throw new Error(`a patch with an unknown operation: ${kind}`);
  }
  return root[0];
}
function put(at, key, value) {
  if (key === "__proto__") Object.defineProperty(at, key, { value, writable: true, enumerable: true, configurable: true });
  else at[key] = value;
}

// partitioner/murmur2.ts
var SEED = 2538058380;
var M = 1540483477;
var POSITIVE = 2147483647;
function steps(key) {
  const start = (SEED ^ key.length) >>> 0;
  let hash = start;
  const words = [];
  const whole = key.length & ~3;
  for (let at = 0; at < whole; at += 4) {
    const k = (key[at] | key[at + 1] << 8 | key[at + 2] << 16 | key[at + 3] << 24) >>> 0;
    let mixed = Math.imul(k, M);
    mixed = Math.imul(mixed ^ mixed >>> 24, M) >>> 0;
    hash = (Math.imul(hash, M) ^ mixed) >>> 0;
    words.push({ at, k, mixed, hash });
  }
  let tail = null;
  if (key.length > whole) {
    for (let i = key.length - 1; i >= whole; i -= 1) hash ^= key[i] << 8 * (i - whole);
    tail = hash = Math.imul(hash, M) >>> 0;
  }
  hash ^= hash >>> 13;
  hash = Math.imul(hash, M);
  return { start, words, tail, hash: (hash ^ hash >>> 15) >>> 0 };
}
function hashOf(key) {
  return steps(key).hash & POSITIVE;
}
function bytesOf(typed, as) {
  if (as === "text") return new TextEncoder().encode(typed);
  const digits = typed.replace(/\s|0x|,/gi, "");
  if (digits.length % 2 || /[^0-9a-f]/i.test(digits)) return void 0;
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
function hexOf(bytes) {
  return Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");
}
function hex32(n) {
  return `0x${(n >>> 0).toString(16).padStart(8, "0")}`;
}
function home(key, partitions) {
  const found = Object.keys(key.at).map(Number);
  if (found.length === 0) return key.hash % partitions;
  const now = key.hash % partitions;
  return found.includes(now) ? now : found[0];
}
function astray(key, partitions) {
  return Object.keys(key.at).some((p) => Number(p) !== key.hash % partitions);
}
function expected(before, after) {
  const gcd = (x, y) => y ? gcd(y, x % y) : x;
  const stays = Math.min(before, after), of = before / gcd(before, after) * after;
  return { share: 1 - stays / of, words: `1 − ${stays} / lcm(${before}, ${after}) = 1 − ${stays}/${of}` };
}
function listed(typed, most = 2e3) {
  const found = /* @__PURE__ */ new Set();
  for (const line of typed.split("\n").map((l) => l.trim()).filter(Boolean)) {
    const range = /^(.*?)(\d+)\.\.\1?(\d+)$/.exec(line);
    if (!range) found.add(line);
    for (let i = Number(range?.[2] ?? 1); i <= Number(range?.[3] ?? 0) && found.size < most; i += 1) found.add(range?.[1] + String(i).padStart(range?.[2].length ?? 0, "0"));
    if (found.size >= most) break;
  }
  return [...found];
}

// partitioner/columns.ts
function columns(box, choose, point) {
  const dots = /* @__PURE__ */ new Map();
  let focus = "";
  const rove = roving(box, ".kl-dot-key", (key, at) => {
    const column = at.parentElement, mine = [...column.children], i = mine.indexOf(at);
    const all = [...box.querySelectorAll(".kl-dots")].filter((one) => one.children.length);
    const beside = (by) => {
      const next = all[all.indexOf(column) + by]?.children;
      return next?.[Math.min(i, next.length - 1)];
    };
    const to = { ArrowDown: mine[i + 1], ArrowUp: mine[i - 1], ArrowRight: beside(1), ArrowLeft: beside(-1), Home: mine[0], End: mine.at(-1) };
    return to[key];
  });
  box.addEventListener("pointerover", (event) => point(idOf(event)));
  box.addEventListener("pointerleave", () => point(""));
  box.addEventListener("click", (event) => choose(idOf(event)));
  box.addEventListener("focusin", (event) => point(focus = idOf(event)));
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    choose(focus);
  });
  function draw(keys, how) {
    const { partitions, after, nulls, chosen, real } = how;
    const moved = after !== partitions;
    const held = box.contains(document.activeElement);
    const before = new Map([...dots].map(([id, dot]) => [id, dot.getBoundingClientRect()]));
    const inside = Array.from({ length: after }, () => []);
    dots.clear();
    for (const [id, key] of keys) {
      const was = real ? home(key, partitions) : key.hash % partitions;
      const will = moved ? key.hash % after : was;
      const away = real && !moved && astray(key, partitions);
      const mover = moved && key.hash % partitions !== will;
      const says = away ? `, calculated P${key.hash % partitions}` : mover ? `, moves from P${key.hash % partitions}` : "";
      const dot = el("span", {
        class: `kl-dot-key${away ? " kl-astray" : ""}${mover ? " kl-mover" : ""}${id === chosen ? " kl-here" : ""}`,
        role: "option",
        "data-key": id,
        tabindex: -1,
        "aria-selected": String(id === chosen),
        "aria-label": `${shorten(key.text)}, P${will}${says}`,
        style: { "--kl-c": partitionColour(away ? key.hash : was), "--kl-on": partitionInk(was) }
      }, away ? "✗" : null);
      dots.set(id, dot);
      inside[will]?.push(dot);
    }
    const most = Math.max(1, ...inside.map((found) => found.length));
    box.replaceChildren(...inside.map((found, p) => {
      const fresh = p >= partitions;
      const without = real && !moved ? nulls[p] ?? 0 : 0;
      return el(
        "div",
        { class: `kl-column${fresh ? " kl-fresh" : ""}`, role: "group", "aria-label": `P${p}: ${found.length} keys`, "data-partition": String(p) },
        el("div", { class: "kl-column-head", "aria-hidden": "true", style: { "--kl-c": partitionColour(p), "--kl-on": partitionInk(p) } }, `P${p}`, fresh ? el("small", {}, " new") : null),
        el("div", { class: "kl-bar-keys", "aria-hidden": "true" }, el("span", { style: { width: `${100 * found.length / most}%`, background: partitionColour(p) } })),
        el("div", { class: "kl-dots" }, found),
        el("div", { class: "kl-column-foot", "aria-hidden": "true" }, `${count(found.length)} key${found.length === 1 ? "" : "s"}`, without ? el("small", {}, `${count(without)} no key`) : null)
      );
    }));
    const here = dots.get(focus) ?? dots.values().next().value;
    rove(here);
    if (held) here?.focus({ preventScroll: true });
    if (reducedMotion()) return;
    for (const [id, dot] of dots) {
      const old = before.get(id);
      if (old?.width) glide(dot, old, 550, "cubic-bezier(0.3, 0, 0.2, 1)");
    }
  }
  return { draw, dot: (id) => dots.get(id) };
}
function idOf(event) {
  return event.target.closest("[data-key]")?.dataset.key ?? "";
}
var MOST_BYTES = 32;
var MOST_WORDS = 16;
function partitionChip(p) {
  return el("span", { class: "kl-part-chip", style: { "--kl-c": partitionColour(p), "--kl-on": partitionInk(p) } }, `P${p}`);
}
function stages(key, partitions) {
  const { hash } = steps(key);
  const positive = hash & POSITIVE;
  const p = positive % partitions;
  const boxes = Array.from(key.slice(0, MOST_BYTES), (byte, i) => el("span", { class: `kl-key-byte${i % 4 === 3 ? " kl-word-end" : ""}` }, el("b", {}, byte > 32 && byte < 127 ? String.fromCharCode(byte) : byte === 32 ? "␣" : "·"), el("span", {}, byte.toString(16).padStart(2, "0"))));
  return [
    stage(`${key.length} byte${key.length === 1 ? "" : "s"}`, el("span", { class: "kl-key-bytes kl-mono" }, boxes.length ? boxes : "no bytes", key.length > MOST_BYTES ? " …" : null), "as they are sent", "kl-sum-stage-bytes"),
    stage("murmur2", el("code", { class: "kl-mono" }, hex32(hash)), "32 bits"),
    stage("& 0x7fffffff", el("code", { class: "kl-mono" }, String(positive)), hash === positive ? "had no sign" : "without its sign"),
    stage(`mod ${partitions}`, el("code", { class: "kl-mono" }, String(p)), "the remainder"),
    stage("partition", partitionChip(p), "", "kl-sum-stage-result")
  ];
}
function stage(title, what, said, more = "") {
  return el("li", { class: `kl-sum-stage ${more}` }, el("span", { class: "kl-sum-stage-title" }, title), what, said ? el("small", { class: "kl-soft" }, said) : null);
}
function stepTable(key) {
  const found = steps(key);
  const whole = found.words.length * 4;
  const rows = [["start", "the seed ^ the length", `0x9747b28c ^ ${key.length}`, hex32(found.start)]];
  for (const word of found.words.slice(0, MOST_WORDS)) {
    rows.push([`bytes ${word.at}–${word.at + 3}`, "k, mixed; h × m ^ k", `${hex32(word.k)} → ${hex32(word.mixed)}`, hex32(word.hash)]);
  }
  if (found.words.length > MOST_WORDS) rows.push(["…", `${found.words.length - MOST_WORDS} words more`, "", ""]);
  if (found.tail !== null) {
    const left = Array.from(key.slice(whole), (b) => b.toString(16).padStart(2, "0")).join(" ");
    rows.push([`last ${key.length - whole}`, "h ^ what is left, × m", left, hex32(found.tail)]);
  }
  rows.push(["end", "h ^ h >>> 13, × m, h ^ h >>> 15", "", hex32(found.hash)]);
  return table({ class: "kl-steps" }, ["bytes", "what is done", "with", "h"], rows.map(([where, what, using, hash]) => el("tr", {}, el("th", { scope: "row" }, where), el("td", {}, what), el("td", {}, el("code", { class: "kl-mono" }, using)), el("td", {}, el("code", { class: "kl-mono" }, hash)))));
}
var MOST_ROWS = 60;
function keyTable(keys, partitions, choose) {
  const order = [...keys].sort(([, a], [, b]) => Number(astray(b, partitions)) - Number(astray(a, partitions)));
  const rows = order.slice(0, MOST_ROWS).map(([id, key]) => {
    const wrong = astray(key, partitions);
    const places = Object.entries(key.at).map(([p, records]) => el("span", { class: "kl-place" }, partitionChip(Number(p)), el("small", { class: "kl-soft" }, ` × ${count(records)}`)));
    return el(
      "tr",
      { class: wrong ? "kl-row-astray" : "" },
      el("th", { scope: "row" }, el("button", { class: "kl-button kl-key-button", "data-key": id, onclick: () => choose(id) }, el("bdi", {}, shorten(key.text, 28) || "(empty)"))),
      el("td", {}, partitionChip(key.hash % partitions)),
      el("td", {}, places),
      el("td", { class: wrong ? "kl-no" : "kl-yes" }, wrong ? "✗" : "✓", el("span", { class: "kl-hidden" }, wrong ? "elsewhere" : "as calculated"))
    );
  });
  return [
    table({ class: "kl-key-table" }, ["key", "calculated", "really in", ""], rows),
    keys.length > MOST_ROWS ? el("p", { class: "kl-soft" }, `and ${count(keys.length - MOST_ROWS)} more keys`) : null
  ];
}
function sentList(sent) {
  if (!sent.length) return el("p", { class: "kl-soft" }, "Nothing was sent from here yet.");
  return el("ol", { class: "kl-sent" }, [...sent].sort((a, b) => b.n - a.n).map((one) => {
    const right = one.calculated === one.partition;
    const why = one.calculated === null ? `no key: ${one.partitioner === "sticky" ? "sticky, one partition for a while" : "a random partition"}` : right ? "✓ as calculated" : `✗ calculated P${one.calculated}`;
    return el("li", { "data-sent": one.n }, el("bdi", {}, one.key === null ? el("i", {}, "null") : shorten(one.key, 24)), " → ", partitionChip(one.partition), ` offset ${count(one.offset)} `, el("span", { class: one.calculated === null ? "kl-soft" : right ? "kl-yes" : "kl-no" }, why));
  }));
}

// partitioner/view.ts
var MOST_PARTITIONS = 60;
var PartitionerView = class {
  constructor(page, ask) {
    this.page = page;
    this.ask = ask;
    this.chosen = "";
    // the id of the typed key, if it is among those drawn
    this.pointed = "";
    // its description stays while new records are drawn
    this.keys = [];
    this.text = el("input", {
      class: "kl-input kl-mono kl-key-input",
      type: "text",
      value: "T0042",
      "aria-label": "key",
      maxlength: 200,
      spellcheck: "false",
      autocomplete: "off",
      oninput: () => this.#sum()
    });
    this.as = this.#select("what the key is", [["text", "as text"], ["hex", "as hex bytes"], ["null", "no key (null)"]]);
    this.partitioner = this.#select("partitioner for records without a key", [["random", "random"], ["sticky", "sticky"]]);
    this.chooser = el("label", { class: "kl-soft" }, "partitioner ", this.partitioner);
    this.one = el("button", { class: "kl-button kl-send", onclick: () => this.#send(1) }, "send it");
    this.ten = el("button", { class: "kl-button", onclick: () => this.#send(10) }, "send it 10 times");
    this.number = el("input", { class: "kl-input", type: "number", min: 1, max: MOST_PARTITIONS, value: 1, "aria-label": "number of partitions to try", oninput: () => this.#imagine() });
    this.says = el("p", { class: "kl-what-says", role: "status" });
    this.add = el("button", { class: "kl-button kl-add", hidden: true, onclick: () => this.#confirm(!this.state.busy) });
    this.confirm = el("div", { class: "kl-notice kl-confirm", role: "group", "aria-label": "are you sure?", hidden: true });
    this.own = el("textarea", {
      class: "kl-input kl-mono",
      rows: 3,
      "aria-label": "keys of your own, one a line",
      placeholder: "one key a line, or T0000..T0999",
      spellcheck: "false",
      oninput: () => this.#draw()
    });
    this.bar = el("div", { class: "kl-partitioner-bar" });
    this.trouble = el("div", { class: "kl-partitioner-trouble" });
    this.flow = el("div", { class: "kl-partitioner-flow" });
    this.really = el("div", { class: "kl-partitioner-really" });
    this.told = el("div", { class: "kl-partitioner-told" });
    this.steps = el("div", { class: "kl-steps-box" });
    this.details = el("details", { class: "kl-partitioner-steps", open: true }, el("summary", {}, "every step of murmur2"), this.steps);
    this.table = el("div", { class: "kl-partitioner-table kl-panel", role: "group", "aria-label": "where keys really are", tabindex: 0 });
    this.sent = el("div", { class: "kl-partitioner-sent kl-panel", role: "log", "aria-label": "sent from here", tabindex: 0 });
    this.box = el("div", { class: "kl-columns", role: "listbox", "aria-label": "keys, in a column for each partition", "aria-orientation": "vertical" });
    this.columns = columns(this.box, (id) => this.#take(id), (id) => this.#tell(this.pointed = id));
    const by = (n) => () => {
      this.number.valueAsNumber = Math.max(Number(this.number.min), Math.min(MOST_PARTITIONS, (this.number.valueAsNumber || 0) + n));
      this.#imagine();
    };
    const dot = (more, text = "") => el("span", { class: `kl-dot-key ${more}`, style: { "--kl-c": "var(--kl-soft)" } }, text);
    this.confirm.addEventListener("keydown", (event) => event.key === "Escape" && this.#confirm(false));
    page.append(
      this.bar,
      this.trouble,
      el(
        "div",
        { class: "kl-panel kl-partitioner-sum" },
        el("div", { class: "kl-key-row" }, el("label", { class: "kl-key-label" }, el("b", {}, "key "), this.text), this.as, this.chooser, this.one, this.ten),
        this.flow,
        this.really,
        this.details
      ),
      el(
        "div",
        { class: "kl-partitioner-main" },
        el(
          "div",
          { class: "kl-panel kl-partitioner-columns" },
          el(
            "div",
            { class: "kl-what-row" },
            el("h4", { class: "kl-title" }, "Keys in their partitions"),
            el(
              "span",
              { class: "kl-what-if" },
              el("span", {}, "what if there were "),
              el("button", { class: "kl-button", "aria-label": "one partition less", onclick: by(-1) }, "−"),
              this.number,
              el("button", { class: "kl-button", "aria-label": "one partition more", onclick: by(1) }, "+"),
              el("span", {}, " partitions"),
              this.add
            ),
            this.says
          ),
          this.confirm,
          this.box,
          this.told,
          el("details", { class: "kl-own" }, el("summary", {}, "keys of your own instead of the topic's"), this.own)
        ),
        el("div", { class: "kl-partitioner-side" }, this.sent, this.table)
      ),
      el("div", { class: "kl-partitioner-legend" }, legend([
        [dot(""), "a key, in its partition's colour"],
        [dot("kl-mover"), "would move"],
        [dot("kl-astray", "✗"), "lies elsewhere than calculated"],
        [el("span", { class: "kl-column kl-fresh kl-sample" }), "a partition that would be new"]
      ]))
    );
  }
  #select(label, options) {
    return el("select", { class: "kl-select", "aria-label": label, onchange: () => this.#sum() }, options.map(([value, words]) => el("option", { value }, words)));
  }
  /** The bytes of the key that is typed: null for no key, undefined while the input is invalid. */
  get key() {
    return this.as.value === "null" ? null : bytesOf(this.text.value, this.as.value);
  }
  get able() {
    return Boolean(this.state.live && this.state.partitions && !this.state.busy && this.key !== void 0);
  }
  /** The number of partitions to imagine. */
  get after() {
    const n = this.state.partitions ?? 1, typed = this.number.valueAsNumber;
    return Number.isInteger(typed) ? Math.max(n, Math.min(MOST_PARTITIONS, typed)) : n;
  }
  #send(times) {
    if (this.able) this.ask({ do: "send", key: this.key ? hexOf(this.key) : null, times, partitioner: this.partitioner.value });
  }
  #imagine() {
    this.#confirm(false);
    this.#draw();
  }
  /** Asks whether partitions are to be added for real, or stops asking. */
  #confirm(open) {
    if (open !== this.confirm.hidden) return;
    const { after } = this, now = this.state.partitions;
    const no = el("button", { class: "kl-button", onclick: () => this.#confirm(false) }, "no");
    const yes = el("button", { class: "kl-button kl-yes-add", onclick: () => {
      this.#confirm(false);
      this.ask({ do: "grow", partitions: after });
    } }, "yes, add them");
    const held = this.confirm.contains(document.activeElement);
    this.confirm.hidden = !open;
    this.confirm.replaceChildren(el("p", {}, `Kafka adds partitions and never takes them away. From ${now} to ${after}: new records of the keys that move go elsewhere than their old ones, and their order is lost there.`), yes, " ", no);
    if (open) no.focus();
    else if (held) this.add.focus();
  }
  /** Puts a chosen key into the calculation: as text if it can be typed. */
  #take(id) {
    const key = this.keys.find(([name]) => name === id)?.[1];
    const own = this.own.value.trim();
    if (!key || !own && id.includes("…")) return;
    const text = own || shorten(key.text, Infinity) === key.text && `k${hexOf(new TextEncoder().encode(key.text))}` === id;
    this.text.value = text ? key.text : id.slice(1);
    this.as.value = text ? "text" : "hex";
    this.#sum();
  }
  // Draws the calculation of the typed key.
  #sum() {
    const { state, key } = this, n = state.partitions;
    this.text.disabled = this.as.value === "null";
    this.chooser.hidden = this.as.value !== "null" || state.recorded;
    for (const button of [this.one, this.ten]) {
      button.hidden = state.recorded;
      button.ariaDisabled = String(!this.able);
    }
    this.one.textContent = state.busy === "sending" ? "sending…" : "send it";
    this.one.title = n ? "really sends a record with this key to the topic" : "";
    this.details.hidden = !key;
    if (!n || !key) {
      this.flow.replaceChildren(el("p", {}, key === null ? this.#nullKey() : key === void 0 ? "Hexadecimal digits come in pairs: 54 30 30 30 31." : ""));
      this.really.replaceChildren();
      return this.#mark("");
    }
    this.flow.replaceChildren(el("ol", { class: "kl-sum-stages" }, stages(key, n)));
    this.steps.replaceChildren(stepTable(key));
    const id = `k${hexOf(key)}`, known = state.keys[id];
    if (known) {
      const places = Object.entries(known.at).map(([at, records], i) => el(
        "span",
        { class: "kl-place" },
        `${i ? ", " : ""}${count(records)} ${i ? "" : `record${records === 1 ? "" : "s"} of this key `}in `,
        partitionChip(Number(at))
      ));
      const wrong = astray(known, n);
      this.really.replaceChildren(
        el("span", { class: wrong ? "kl-no" : "kl-yes" }, wrong ? "✗" : "✓"),
        state.recorded ? " The broker really had " : " The broker really has ",
        ...places,
        wrong ? el("span", {}, "; a new one goes to ", partitionChip(hashOf(key) % n)) : ", as calculated."
      );
    } else {
      const none = state.recorded ? "No record with this key was recorded up to this moment." : "No record with this key was seen in the topic. Send one, and see where it goes.";
      this.really.replaceChildren(el("span", { class: "kl-soft" }, none));
    }
    return this.#mark(this.own.value.trim() ? `o${this.text.value}` : id);
  }
  #nullKey() {
    if (this.state.recorded) return "No key, so nothing to hash: the producer chooses, at random or a batch at a time.";
    return this.partitioner.value === "sticky" ? "No key, so nothing to hash. Sticky: the producer keeps to one partition until a batch is full, and then takes another. Send ten and see." : "No key, so nothing to hash. This producer (kafka-python's own) takes a partition at random for each record; Java's sticks to one for a while. Send ten and see.";
  }
  #mark(id) {
    this.columns.dot(this.chosen)?.classList.remove("kl-here");
    this.chosen = id;
    this.columns.dot(id)?.classList.add("kl-here");
  }
  #tell(id) {
    const key = this.keys.find(([name]) => name === id)?.[1], n = this.state.partitions;
    if (!key || !n) return this.told.replaceChildren(el("span", { class: "kl-soft" }, "Point at a key, or walk with the arrow keys; Enter puts it into the calculation."));
    const where = Object.keys(key.at);
    return this.told.replaceChildren(
      el("bdi", {}, el("b", {}, shorten(key.text, 60) || "(empty)")),
      " calculated ",
      partitionChip(key.hash % n),
      where.length ? " really in " : "",
      ...where.map((p) => partitionChip(Number(p))),
      this.after === n ? "" : el("span", {}, ` with ${this.after} partitions `, partitionChip(key.hash % this.after))
    );
  }
  // Draws the columns, and says how many keys would move.
  #draw() {
    const { state, after } = this, n = state.partitions, own = this.own.value.trim();
    if (!n) return;
    this.keys = own ? listed(own).map((text) => [`o${text}`, { text, hash: hashOf(new TextEncoder().encode(text)), at: {} }]) : Object.entries(state.keys).sort(([a], [b]) => a < b ? -1 : 1);
    this.columns.draw(this.keys, { partitions: n, after, nulls: state.nulls, chosen: this.chosen, real: !own });
    this.says.textContent = this.#whatIf(n);
    this.add.hidden = !state.live || after <= n;
    this.add.textContent = state.busy ? `${state.busy}…` : `add ${after - n} partition${after - n === 1 ? "" : "s"} for real`;
    this.add.ariaDisabled = String(Boolean(state.busy));
    if (state.busy) this.#confirm(false);
    this.#tell(this.pointed);
  }
  #whatIf(n) {
    const { keys, state, after } = this, all = count(keys.length);
    if (!keys.length) return state.looked ? "No keys yet." : "Looking at the newest records…";
    if (after === n) {
      const away = keys.filter(([, key]) => astray(key, n)).length;
      return away ? `✗ Records of ${count(away)} of ${all} keys lie elsewhere than calculated: ${state.away}.` : `${all} keys in ${n} partitions.`;
    }
    const moved = keys.filter(([, key]) => key.hash % n !== key.hash % after).length;
    const { share, words } = expected(n, after);
    return `${count(moved)} of ${all} keys would move: ${(100 * moved / keys.length).toFixed(1)} %; expected ${words} = ${(100 * share).toFixed(1)} %.`;
  }
  // Lets a record fly from the calculation to the partition that the broker put it in.
  #fly(one, turn) {
    const from = (this.flow.querySelector(".kl-sum-stage-result .kl-part-chip") ?? this.text).getBoundingClientRect();
    const head2 = this.box.querySelector(`[data-partition="${one.partition}"] .kl-column-head`);
    if (!head2) return;
    const arrive = () => {
      head2.classList.add("kl-arrived");
      setTimeout(() => head2.classList.remove("kl-arrived"), 1600);
    };
    if (reducedMotion()) return void arrive();
    const to = head2.getBoundingClientRect(), base = this.page.getBoundingClientRect();
    const chip = el("span", { class: "kl-flying", "aria-hidden": "true", style: { left: `${from.left - base.left}px`, top: `${from.top - base.top}px` } }, partitionChip(one.partition));
    this.page.append(chip);
    const there = `translate(${to.left - from.left + to.width / 2 - 14}px, ${to.top - from.top}px)`;
    const flight = chip.animate([{ transform: "none" }, { transform: there }], { duration: 600, delay: turn * 60, easing: "cubic-bezier(0.4, 0, 0.3, 1)", fill: "both" });
    flight.onfinish = () => {
      chip.remove();
      arrive();
    };
  }
  draw(now, before) {
    this.state = now;
    const { partitions, grown } = now;
    if (changed(now, before, "partitions")) {
      this.number.min = String(partitions ?? 1);
      this.number.valueAsNumber = partitions ?? 1;
      this.#confirm(false);
    }
    this.bar.replaceChildren(head(now));
    const told = grown && `There are ${grown.to} partitions now, there were ${grown.from}. Records that were there stay where they are; new ones go where it is calculated now. Other producers learn of it at their next look at the metadata: metadata.max.age.ms, 5 minutes.`;
    refill(this.trouble, [now.trouble, told].map((text) => text && el("p", { class: `kl-notice${text === told ? "" : " kl-tone-bad"}`, role: "status" }, shorten(text, 500))));
    if (changed(now, before, "keys", "partitions", "nulls", "busy", "looked", "live")) {
      this.#draw();
      const title = el("h4", { class: "kl-title" }, "Where the broker really put them");
      if (partitions) refill(this.table, [title, keyTable(Object.entries(now.keys), partitions, (id) => this.#take(id))]);
    }
    this.#sum();
    this.sent.hidden = now.recorded;
    this.page.classList.toggle("kl-partitioner-recorded", now.recorded);
    if (changed(now, before, "sent")) {
      this.sent.replaceChildren(el("h4", { class: "kl-title" }, "Sent from here"), sentList(Object.values(now.sent)));
      if (before) Object.keys(now.sent).filter((id) => !before.sent[id]).forEach((id, i) => this.#fly(now.sent[id], i));
    }
  }
};
function head(state) {
  return el(
    "div",
    { class: "kl-panel kl-partitioner-head" },
    el("strong", {}, el("bdi", {}, shorten(state.topic, 60))),
    state.partitions ? el("span", { class: "kl-pill" }, `${state.partitions} partition${state.partitions === 1 ? "" : "s"}`) : null,
    el("span", { class: "kl-pill" }, `${count(Object.keys(state.keys).length)} keys in ${count(state.records)} records`),
    state.beyond ? el("span", { class: "kl-pill" }, `${count(state.beyond)} records of further keys`) : null,
    el("span", { class: "kl-soft" }, state.recorded ? "a recording: nothing can be sent" : state.live ? state.busy ? `${state.busy}…` : "" : "not live")
  );
}
var view_default = { render: live("partitioner", "From key to partition", (page, { ask }) => new PartitionerView(page, ask)) };
export {
  view_default as default
};
