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

// live.ts
function live(name, label, build2) {
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
    const view = guard(page, () => build2(page, { model, ask }));
    const draw = () => {
      if (!state || state.n === void 0) return;
      const before = drawn;
      drawn = state;
      showFault(page, state.fault);
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
  return ops.reduce((at, op) => change(at, op[1], op), state);
}
function change(at, path, op) {
  const [kind, , value] = op;
  if (path.length === 0) {
    if (kind === "set") return value;
    if (kind === "cut") return at.slice(value);
    if (kind === "end") return at.slice(0, value);
    if (kind === "add") return [...at, ...value];
    throw new Error(`a patch with an unknown operation: ${kind}`);
  }
  const [key, ...rest] = path;
  if (Array.isArray(at)) return at.map((element, i) => i === key ? change(element, rest, op) : element);
  const gone = kind === "del" && rest.length === 0;
  const entries = Object.entries(at).filter(([name]) => name !== key);
  if (gone) return Object.fromEntries(entries);
  const inner = Object.hasOwn(at, key) ? at[key] : void 0;
  const next = change(inner, rest, op);
  if (!Object.hasOwn(at, key)) return Object.fromEntries([...entries, [key, next]]);
  return Object.fromEntries(Object.entries(at).map(([name, was]) => [name, name === key ? next : was]));
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
function partitionOf(key, partitions) {
  return (steps(key).hash & POSITIVE) % partitions;
}
function bytesOf(typed, as) {
  if (as === "text") return new TextEncoder().encode(typed);
  const digits = typed.replace(/\s|0x|,/gi, "");
  if (digits.length % 2 || /[^0-9a-f]/i.test(digits)) return null;
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
function moving(keys, before, after) {
  let found = 0;
  for (const key of keys) found += Number(key.hash % before !== key.hash % after);
  return found;
}
function lcm(a, b) {
  const gcd = (x, y) => y ? gcd(y, x % y) : x;
  return a / gcd(a, b) * b;
}
function expected(before, after) {
  const stays = Math.min(before, after);
  const of = lcm(before, after);
  return { share: 1 - stays / of, words: `1 − ${stays} / lcm(${before}, ${after}) = 1 − ${stays}/${of}` };
}
function earlier(keys, partitions) {
  const away = [...keys].filter((key) => astray(key, partitions));
  if (!away.length) return null;
  for (let m = partitions - 1; m > 0; m -= 1) {
    if (away.every((key) => Object.keys(key.at).every((p) => [key.hash % m, key.hash % partitions].includes(Number(p))))) return m;
  }
  return null;
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
  box.addEventListener("pointerover", (event) => point(idOf(event.target)));
  box.addEventListener("pointerleave", () => point(""));
  box.addEventListener("click", (event) => {
    const id = idOf(event.target);
    if (id) step(id, true);
  });
  box.addEventListener("focusin", (event) => {
    const id = idOf(event.target);
    if (id) point(id);
  });
  box.addEventListener("keydown", (event) => {
    const at = dots.get(focus);
    if (!at) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      choose(focus);
      return;
    }
    const column = at.parentElement;
    const mine = [...column.children];
    const i = mine.indexOf(at);
    const all = [...box.querySelectorAll(".kl-dots")].filter((c) => c.children.length);
    const beside = (by) => {
      const next = all[all.indexOf(column) + by];
      return next?.children[Math.min(i, next.children.length - 1)];
    };
    const keys = { ArrowDown: mine[i + 1], ArrowUp: mine[i - 1], ArrowRight: beside(1), ArrowLeft: beside(-1), Home: mine[0], End: mine.at(-1) };
    if (Object.hasOwn(keys, event.key)) event.preventDefault();
    const to = keys[event.key];
    if (to) step(to.dataset.key ?? "", false);
  });
  function step(id, chosen) {
    const before = dots.get(focus);
    if (before) before.tabIndex = -1;
    focus = id;
    const now = dots.get(id);
    if (now) {
      now.tabIndex = 0;
      now.focus({ preventScroll: true });
    }
    if (chosen) choose(id);
  }
  function draw(keys, how) {
    const { partitions, after, nulls, chosen, real } = how;
    const moved = after !== partitions;
    const held = dots.get(focus) === document.activeElement;
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
    if (!dots.has(focus)) focus = dots.keys().next().value ?? "";
    const first = dots.get(focus);
    if (first) first.tabIndex = 0;
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
    if (held) dots.get(focus)?.focus({ preventScroll: true });
    if (reducedMotion()) return;
    for (const [id, dot] of dots) {
      const old = before.get(id);
      if (old?.width) glide(dot, old, 550, "cubic-bezier(0.3, 0, 0.2, 1)");
    }
  }
  return { draw, dot: (id) => dots.get(id) };
}
function idOf(target) {
  return target.closest?.("[data-key]")?.dataset.key ?? "";
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
    const places = Object.entries(key.at).map(([p, [records]]) => el("span", { class: "kl-place" }, partitionChip(Number(p)), el("small", { class: "kl-soft" }, ` × ${count(records)}`)));
    return el(
      "tr",
      { class: wrong ? "kl-row-astray" : "" },
      el("th", { scope: "row" }, el("button", { class: "kl-button kl-key-button", "data-row": id, onclick: () => choose(id) }, el("bdi", {}, shorten(key.text, 28) || "(empty)"))),
      el("td", {}, partitionChip(key.hash % partitions)),
      el("td", {}, places),
      el("td", { class: wrong ? "kl-no" : "kl-yes" }, wrong ? "✗" : "✓", el("span", { class: "kl-hidden" }, wrong ? "elsewhere" : "as calculated"))
    );
  });
  return [
    table({ class: "kl-key-table" }, ["key", "calculated", "really in", ""], rows),
    keys.length > MOST_ROWS ? el("p", { class: "kl-soft" }, `and ${count(keys.length - MOST_ROWS)} more keys`) : null
  ].filter((node) => node !== null);
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
function build(page, { ask }) {
  let state;
  let chosen = "";
  let keys = [];
  const ui = controls({ typed: () => sum(), send, what: () => picture(), grow: (n) => ask({ do: "grow", partitions: n }), own: () => picture() });
  const named = (name) => el("div", { class: `kl-partitioner-${name}` });
  const [bar, trouble, flow, really, told, foot] = ["bar", "trouble", "flow", "really", "told", "legend"].map(named);
  const table2 = el("div", { class: "kl-partitioner-table kl-panel", role: "group", "aria-label": "where keys really are", tabindex: 0 });
  const sent = el("div", { class: "kl-partitioner-sent kl-panel", role: "log", "aria-label": "sent from here", tabindex: 0 });
  const box = el("div", { class: "kl-columns", role: "listbox", "aria-label": "keys, in a column for each partition", "aria-orientation": "vertical" });
  const details = el("details", { class: "kl-partitioner-steps", open: true }, el("summary", {}, "every step of murmur2"), el("div", { class: "kl-steps-box" }));
  page.append(
    bar,
    trouble,
    el("div", { class: "kl-panel kl-partitioner-sum" }, ui.keyRow, flow, really, details),
    el(
      "div",
      { class: "kl-partitioner-main" },
      el("div", { class: "kl-panel kl-partitioner-columns" }, ui.whatRow, ui.confirm, box, told, ui.ownKeys),
      el("div", { class: "kl-partitioner-side" }, sent, table2)
    ),
    foot
  );
  foot.append(legend([[dot(""), "a key, in its partition's colour"], [dot("kl-mover"), "would move"], [dot("kl-astray", "✗"), "lies elsewhere than calculated"], [el("span", { class: "kl-column kl-fresh kl-sample" }), "a partition that would be new"]]));
  let pointed = "";
  const drawn = columns(box, (id) => take(id), (id) => tell(pointed = id));
  function dot(more, text = "") {
    return el("span", { class: `kl-dot-key ${more}`, style: { "--kl-c": "var(--kl-soft)" } }, text);
  }
  function take(id) {
    const key = keys.find(([name]) => name === id)?.[1];
    if (!key) return;
    if (ui.own()) ui.type(key.text, "text");
    else if (!id.includes("…")) ui.type(textOf(id.slice(1)) ?? id.slice(1), textOf(id.slice(1)) === null ? "hex" : "text");
    sum();
  }
  function send(times) {
    const key = ui.key();
    if (key === void 0 || !state.live || state.busy) return;
    ask({ do: "send", key: key === null ? null : hexOf(key), times, partitioner: ui.partitioner() });
  }
  function sum() {
    const n = state?.partitions;
    const key = ui.key();
    ui.offer(!state?.recorded);
    ui.able(Boolean(state?.live && n && !state.busy && key !== void 0), state?.busy ?? "", n);
    details.hidden = !key;
    if (!n || !key) {
      const why = key === null ? nullKey() : key === void 0 ? "Hexadecimal digits come in pairs: 54 30 30 30 31." : "";
      flow.replaceChildren(el("p", {}, why));
      really.replaceChildren();
      mark("");
      return;
    }
    flow.replaceChildren(el("ol", { class: "kl-sum-stages" }, stages(key, n)));
    details.querySelector(".kl-steps-box").replaceChildren(stepTable(key));
    const id = `k${hexOf(key)}`;
    const known = state.keys[id];
    const p = partitionOf(key, n);
    if (!known) really.replaceChildren(el("span", { class: "kl-soft" }, state.recorded ? "No record with this key was recorded up to this moment." : "No record with this key was seen in the topic. Send one, and see where it goes."));
    else {
      const places = Object.entries(known.at).map(([at, [records]], i) => el("span", { class: "kl-place" }, `${i ? ", " : ""}${count(records)} ${i ? "" : `record${records === 1 ? "" : "s"} of this key `}in `, partitionChip(Number(at))));
      const wrong = astray(known, n);
      really.replaceChildren(el("span", { class: wrong ? "kl-no" : "kl-yes" }, wrong ? "✗" : "✓"), state.recorded ? " The broker really had " : " The broker really has ", ...places, wrong ? el("span", {}, "; a new one goes to ", partitionChip(p)) : ", as calculated.");
    }
    mark(ui.own() ? keys.find(([, k]) => k.text === ui.text())?.[0] ?? "" : id);
  }
  function nullKey() {
    if (state?.recorded) return "No key, so nothing to hash: the producer chooses, at random or a batch at a time.";
    return ui.partitioner() === "sticky" ? "No key, so nothing to hash. Sticky: the producer keeps to one partition until a batch is full, and then takes another. Send ten and see." : "No key, so nothing to hash. This producer (kafka-python's own) takes a partition at random for each record; Java's sticks to one for a while. Send ten and see.";
  }
  function mark(id) {
    if (chosen !== id) drawn.dot(chosen)?.classList.remove("kl-here");
    chosen = id;
    drawn.dot(id)?.classList.add("kl-here");
  }
  function tell(id) {
    const found = keys.find(([name]) => name === id);
    if (!found || !state.partitions) return told.replaceChildren(el("span", { class: "kl-soft" }, "Point at a key, or walk with the arrow keys; Enter puts it into the calculation."));
    const [, key] = found;
    const after = ui.after() ?? state.partitions;
    const where = Object.keys(key.at);
    return told.replaceChildren(
      el("bdi", {}, el("b", {}, shorten(key.text, 60) || "(empty)")),
      " calculated ",
      partitionChip(key.hash % state.partitions),
      where.length ? " really in " : "",
      ...where.map((p) => partitionChip(Number(p))),
      after !== state.partitions ? el("span", {}, ` with ${after} partitions `, partitionChip(key.hash % after)) : ""
    );
  }
  function picture() {
    const n = state?.partitions;
    if (!n) return;
    const after = Math.max(n, ui.after() ?? n);
    const own = ui.own() ? listed(ui.own()) : null;
    keys = own ? own.map((text) => [`o${text}`, { text, size: text.length, hash: steps(new TextEncoder().encode(text)).hash & POSITIVE, at: {} }]) : Object.entries(state.keys).sort(([a], [b]) => a < b ? -1 : 1);
    drawn.draw(keys, { partitions: n, after, nulls: state.nulls, chosen, real: !own });
    ui.says(whatIf(n, after), n, after, Boolean(state.live), state.busy);
    tell(pointed);
  }
  function whatIf(n, after) {
    if (!keys.length) return state.looked ? "No keys yet." : "Looking at the newest records…";
    const all = keys.map(([, key]) => key);
    if (after === n) {
      const away = all.filter((key) => astray(key, n)).length;
      if (!away) return `${count(keys.length)} keys in ${n} partitions.`;
      const before = earlier(all, n);
      return `✗ ${count(away)} of ${count(keys.length)} keys have records elsewhere than calculated: ${before ? `they were sent when there were ${before} partitions. Records never move.` : "another partitioner was used, or partitions were added."}`;
    }
    const moved = moving(all, n, after);
    const { share, words } = expected(n, after);
    return `${count(moved)} of ${count(keys.length)} keys would move: ${(100 * moved / keys.length).toFixed(1)} %; expected ${words} = ${(100 * share).toFixed(1)} %.`;
  }
  function fly(one, turn) {
    const from = (flow.querySelector(".kl-sum-stage-result .kl-part-chip") ?? ui.keyRow).getBoundingClientRect();
    const head2 = box.querySelector(`[data-partition="${one.partition}"] .kl-column-head`);
    if (!head2) return;
    const mark2 = () => {
      head2.classList.add("kl-arrived");
      setTimeout(() => head2.classList.remove("kl-arrived"), 1600);
    };
    if (reducedMotion()) return void mark2();
    const to = head2.getBoundingClientRect();
    const base = page.getBoundingClientRect();
    const chip = el("span", { class: "kl-flying", "aria-hidden": "true", style: { left: `${from.left - base.left}px`, top: `${from.top - base.top}px` } }, partitionChip(one.partition));
    page.append(chip);
    const flight = chip.animate([{ transform: "none" }, { transform: `translate(${to.left - from.left + to.width / 2 - 14}px, ${to.top - from.top}px)` }], { duration: 600, delay: turn * 60, easing: "cubic-bezier(0.4, 0, 0.3, 1)", fill: "both" });
    flight.onfinish = () => {
      chip.remove();
      mark2();
    };
  }
  return {
    draw(now, before) {
      state = now;
      if (changed(now, before, "partitions")) ui.reset(now.partitions);
      bar.replaceChildren(head(now));
      trouble.replaceChildren(...[now.trouble, now.grown ? `There are ${now.grown.to} partitions now, there were ${now.grown.from}. Records that were there stay where they are; new ones go where it is calculated now. Other producers learn of it at their next look at the metadata: metadata.max.age.ms, 5 minutes.` : ""].filter(Boolean).map((text, i) => el("p", { class: `kl-notice${i === 0 && now.trouble ? " kl-tone-bad" : ""}`, role: "status" }, shorten(text, 500))));
      if (changed(now, before, "keys", "partitions", "nulls", "busy", "looked", "live")) {
        picture();
        const n = now.partitions, title = el("h4", { class: "kl-title" }, "Where the broker really put them");
        if (n) keepFocus(table2, () => table2.replaceChildren(title, ...keyTable(Object.entries(now.keys), n, take)));
      }
      sum();
      sent.hidden = now.recorded;
      page.classList.toggle("kl-partitioner-recorded", now.recorded);
      if (changed(now, before, "sent")) {
        sent.replaceChildren(el("h4", { class: "kl-title" }, "Sent from here"), sentList(Object.values(now.sent)));
        if (before) Object.keys(now.sent).filter((id) => !before.sent[id]).forEach((id, i) => fly(now.sent[id], i));
      }
    }
  };
}
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
function keepFocus(area, change2) {
  const row = area.contains(document.activeElement) ? document.activeElement.dataset.row : void 0;
  change2();
  if (row) area.querySelector(`[data-row="${CSS.escape(row)}"]`)?.focus();
}
function textOf(hex) {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytesOf(hex, "hex") ?? new Uint8Array());
    return /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/.test(text) ? null : text;
  } catch {
    return null;
  }
}
var MOST_PARTITIONS = 60;
function controls(on) {
  const text = el("input", { class: "kl-input kl-mono kl-key-input", type: "text", value: "T0042", "aria-label": "key", maxlength: 200, spellcheck: "false", autocomplete: "off", oninput: on.typed });
  const as = select("what the key is", [["text", "as text"], ["hex", "as hex bytes"], ["null", "no key (null)"]], () => {
    text.disabled = as.value === "null";
    chooser.hidden = as.value !== "null";
    on.typed();
  });
  const partitioner = select("partitioner for records without a key", [["random", "random"], ["sticky", "sticky"]], on.typed);
  const chooser = el("label", { class: "kl-soft", hidden: true }, "partitioner ", partitioner);
  const one = el("button", { class: "kl-button kl-send", onclick: () => one.ariaDisabled !== "true" && on.send(1) }, "send it");
  const ten = el("button", { class: "kl-button", onclick: () => ten.ariaDisabled !== "true" && on.send(10) }, "send it 10 times");
  const keyRow = el("div", { class: "kl-key-row" }, el("label", { class: "kl-key-label" }, el("b", {}, "key "), text), as, chooser, one, ten);
  const number = el("input", { class: "kl-input", type: "number", min: 1, max: MOST_PARTITIONS, value: 1, "aria-label": "number of partitions to try", oninput: on.what });
  const by = (n) => () => {
    number.valueAsNumber = Math.max(Number(number.min), Math.min(MOST_PARTITIONS, (number.valueAsNumber || 0) + n));
    on.what();
  };
  const said = el("p", { class: "kl-what-says", role: "status" });
  const add = el("button", { class: "kl-button kl-add", hidden: true, onclick: () => ask(true) }, "");
  const whatRow = el(
    "div",
    { class: "kl-what-row" },
    el("h4", { class: "kl-title" }, "Keys in their partitions"),
    el("span", { class: "kl-what-if" }, el("span", {}, "what if there were "), el("button", { class: "kl-button", "aria-label": "one partition less", onclick: by(-1) }, "−"), number, el("button", { class: "kl-button", "aria-label": "one partition more", onclick: by(1) }, "+"), el("span", {}, " partitions"), add),
    said
  );
  let wanted = 0;
  const sure = el("p", {});
  const yes = el("button", { class: "kl-button kl-yes-add", onclick: () => {
    ask(false);
    on.grow(wanted);
  } }, "yes, add them");
  const no = el("button", { class: "kl-button", onclick: () => {
    ask(false);
    add.focus();
  } }, "no");
  const confirm = el("div", { class: "kl-notice kl-confirm", role: "group", "aria-label": "are you sure?", hidden: true, onkeydown: (event) => {
    if (event.key === "Escape") no.click();
  } }, sure, yes, " ", no);
  function ask(open) {
    confirm.hidden = !open;
    if (open) no.focus();
  }
  const own = el("textarea", { class: "kl-input kl-mono", rows: 3, "aria-label": "keys of your own, one a line", placeholder: "one key a line, or T0000..T0999", spellcheck: "false", oninput: on.own });
  const ownKeys2 = el("details", { class: "kl-own" }, el("summary", {}, "keys of your own instead of the topic's"), own);
  return {
    keyRow,
    whatRow,
    confirm,
    ownKeys: ownKeys2,
    /** Returns the bytes of the key; null for no key, undefined while the input is invalid. */
    key: () => as.value === "null" ? null : bytesOf(text.value, as.value === "hex" ? "hex" : "text") ?? void 0,
    text: () => text.value,
    own: () => own.value.trim(),
    partitioner: () => partitioner.value,
    /** Puts a key in, as if it had been typed. */
    type(value, kind) {
      text.value = value;
      as.value = kind;
      text.disabled = false;
      chooser.hidden = true;
    },
    /** Shows the controls for sending, if there is a cluster. */
    offer(sends) {
      for (const button of [one, ten]) button.hidden = !sends;
      chooser.hidden = as.value !== "null" || !sends;
    },
    able(able, busy, partitions) {
      for (const button of [one, ten]) button.ariaDisabled = String(!able);
      one.textContent = busy === "sending" ? "sending…" : "send it";
      one.title = partitions ? "really sends a record with this key to the topic" : "";
    },
    /** Returns the number of partitions to imagine; null while the input is no number. */
    after: () => Number.isInteger(number.valueAsNumber) ? Math.min(MOST_PARTITIONS, number.valueAsNumber) : null,
    reset(partitions) {
      number.min = String(partitions ?? 1);
      number.valueAsNumber = partitions ?? 1;
      ask(false);
    },
    says(words, now, after, live2, busy) {
      said.textContent = words;
      const more = after - now;
      wanted = after;
      add.hidden = !live2 || more <= 0;
      add.textContent = busy ? `${busy}…` : `add ${more} partition${more === 1 ? "" : "s"} for real`;
      add.ariaDisabled = String(Boolean(busy));
      sure.textContent = `Kafka adds partitions and never takes them away. From ${now} to ${after}: new records of the keys that move go elsewhere than their old ones, and their order is lost there.`;
      if (more <= 0 || busy) ask(false);
    }
  };
}
function select(label, options, changed2) {
  return el("select", { class: "kl-select", "aria-label": label, onchange: changed2 }, options.map(([value, words]) => el("option", { value }, words)));
}
var view_default = { render: live("partitioner", "From key to partition", build) };
export {
  view_default as default
};
