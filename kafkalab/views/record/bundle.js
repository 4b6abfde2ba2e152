// shared.ts
var SVG = /* @__PURE__ */ new Set(["svg", "g", "path", "line", "rect", "circle", "ellipse", "polyline", "polygon", "text", "tspan", "title", "defs", "pattern"]);
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
    signs.map(([sign2, meaning]) => el("li", {}, el("span", { class: "kl-sign", "aria-hidden": "true" }, sign2), " ", meaning))
  );
}
var two = (n) => String(n).padStart(2, "0");
var clock = {
  /** Formats a number of seconds since something: "+3.12 s", "+2:05 min", "−0.40 s". */
  since(seconds) {
    const sign2 = seconds <= -5e-3 ? "−" : "+";
    const size = Math.abs(seconds);
    return size < 99.995 ? `${sign2}${size.toFixed(2)} s` : `${sign2}${clock.long(Math.round(size))}`;
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

// record/kinds.json
var kinds_default = {
  place: ["#", "offset or epoch"],
  length: ["L", "length or count"],
  check: ["C", "format and checksum"],
  flags: ["F", "flags"],
  time: ["T", "timestamp"],
  producer: ["P", "producer"],
  key: ["K", "key"],
  value: ["V", "value"],
  header: ["H", "header of a record"],
  packed: ["Z", "compressed records"],
  other: ["·", "another record"]
};

// record/bar.ts
var sign = (kind) => el("span", { class: `kl-kind kl-kind-${kind}`, "aria-hidden": "true" }, kinds_default[kind][0]);
function bar(state, go) {
  const { facts, valid, steps } = state;
  const step = (id, text, label) => {
    const to = steps[id], able = go && to !== null;
    return el("button", { class: "kl-button", "data-key": id, "aria-label": label, title: label, "aria-disabled": String(!able), onclick: () => able && go(to) }, text);
  };
  const wanted = el("input", {
    class: "kl-record-offset",
    type: "number",
    min: 0,
    step: 1,
    value: Math.max(0, state.offset),
    "aria-label": "offset to look at",
    "data-key": "offset",
    disabled: !go
  });
  const form = el("form", { class: "kl-record-go", onsubmit: (event) => {
    event.preventDefault();
    if (Number.isSafeInteger(wanted.valueAsNumber) && wanted.valueAsNumber >= 0) go?.(wanted.valueAsNumber);
  } }, el("label", {}, "offset ", wanted), el("button", { class: "kl-button", type: "submit", disabled: !go }, "go"));
  const { start, end } = state;
  const range = end !== null && end > (start ?? 0) ? `of ${count(start ?? 0)} to ${count(end - 1)}` : "";
  return el(
    "div",
    { class: "kl-record-top kl-panel" },
    el(
      "div",
      { class: "kl-record-title" },
      el("strong", {}, el("bdi", {}, shorten(state.topic, 60)), ` · P${state.partition}`, state.offset >= 0 ? ` · offset ${count(state.offset)}` : ""),
      el("span", { class: "kl-soft" }, range),
      facts.map((fact, i) => el("span", { class: `kl-pill${i < facts.length - 1 ? "" : valid ? " kl-right" : " kl-wrong"}` }, fact))
    ),
    el(
      "div",
      { class: "kl-record-steps" },
      step("previous_batch", "◀◀ batch", "the batch before"),
      step("previous", "◀ record", "the record before"),
      form,
      step("next", "record ▶", "the next record"),
      step("next_batch", "batch ▶▶", "the next batch"),
      el("button", { class: "kl-button", "data-key": "newest", disabled: !go, onclick: () => go?.(null) }, "newest")
    ),
    state.read && el("div", { class: "kl-record-where kl-soft" }, state.read)
  );
}
function batchStrip({ strip, offset }, go) {
  if (!strip || strip.cells.length === 0) return null;
  const cells = strip.cells.map((cell) => {
    const mine = cell.offset === offset;
    const key = cell.key === null ? "no key" : `key ${shorten(cell.key, 40)}`;
    return el("button", {
      class: `kl-cell${mine ? " kl-here" : ""}`,
      "data-key": `cell-${cell.offset}`,
      "aria-current": mine ? "true" : null,
      "aria-disabled": String(!go && !mine),
      "aria-label": `record at offset ${cell.offset}, ${key}, ${cell.size} bytes`,
      title: `offset ${cell.offset} · ${key} · ${cell.size} bytes`,
      onclick: () => !mine && go?.(cell.offset)
    }, cell.offset);
  });
  const more = (n) => n ? el("span", { class: "kl-soft" }, `… ${count(n)} more`) : null;
  return el("div", { class: "kl-record-cells", role: "group", "aria-label": "records of this batch" }, el("span", { class: "kl-soft" }, "in this batch"), more(strip.before), cells, more(strip.after));
}
function copies({ copies: copies2, live: live2 }, read) {
  if (!copies2.length) return null;
  const chips = copies2.map(({ broker, sign: sign2, copy, words }) => {
    const able = live2 && copy !== "shown" && copy !== "unread";
    return el(
      "button",
      { class: `kl-button kl-copy kl-copy-${copy}`, "data-key": `copy-${broker}`, "aria-disabled": String(!able), "aria-pressed": String(copy === "shown"), onclick: () => able && read(broker) },
      `${sign2} ${broker}`,
      el("small", {}, ` ${words}`)
    );
  });
  return el("div", { class: "kl-record-copies-row", role: "group", "aria-label": "copies of this batch" }, el("span", { class: "kl-soft" }, "copies of the batch"), chips);
}
function shareBars(bars) {
  const longest = Math.max(1, ...bars.map((b) => b.bytes));
  return el("div", { class: "kl-shares" }, bars.map((b) => el(
    "div",
    { class: "kl-share-row" },
    el("span", { class: "kl-soft" }, `${b.bar}, ${count(b.bytes)} bytes`),
    el("div", { class: "kl-share", style: { width: `${100 * b.bytes / longest}%` } }, b.parts.map((p) => el("span", { class: `kl-share-part kl-kind-${p.kind}`, style: { "flex-grow": String(p.bytes) }, title: `${p.part}: ${p.bytes} bytes` }))),
    el("span", { class: "kl-share-words" }, b.parts.map((p) => el("span", {}, sign(p.kind), ` ${p.part} ${count(p.bytes)} (${percent(p.bytes, b.bytes)} %)`)))
  )));
}
function percent(part, whole) {
  const share = 100 * part / whole;
  return share > 0 && share < 1 ? "< 1" : share > 99 && share < 100 ? "> 99" : String(Math.round(share));
}

// record/fields.ts
function pairs(hex) {
  return hex.match(/../g) ?? [];
}
function fieldList(blocks) {
  if (!blocks.length) return [];
  const groups = blocks.map((block) => {
    const heading = block.items[0]?.id === "base_offset" ? "batch header" : "records, unpacked";
    const rows = block.items.flatMap((item) => [
      item.id === "record_length" ? el("div", { class: "kl-record-head", role: "presentation" }, "this record") : null,
      el(
        "div",
        { role: "option", class: "kl-field", "data-field": item.id, tabindex: -1, "aria-selected": "false" },
        sign(item.kind),
        el("span", { class: "kl-field-name" }, shorten(item.name, 60)),
        el("bdi", { class: `kl-field-value kl-mono${item.right === false ? " kl-wrong" : ""}` }, shorten(item.value, 34))
      )
    ]);
    return [el("div", { class: "kl-record-head", role: "presentation" }, heading), rows];
  });
  return [el("h4", { class: "kl-title" }, "Fields"), el("div", { role: "listbox", "aria-label": "Fields of the batch, in the order of their bytes", class: "kl-fields" }, groups)];
}
function explained(item, go) {
  const bytes = pairs(item.hex);
  const few = bytes.slice(0, 24).join(" ") + (item.size > 24 ? " …" : "");
  return [
    el(
      "div",
      { class: "kl-told-head" },
      sign(item.kind),
      el("strong", {}, shorten(item.name, 80)),
      el("span", { class: "kl-soft" }, `byte ${count(item.at)}${item.size > 1 ? ` to ${count(item.at + item.size - 1)}` : ""} · ${count(item.size)} byte${item.size === 1 ? "" : "s"}`),
      item.goto !== null && go && el("button", { class: "kl-button", onclick: () => go(item.goto) }, `look at offset ${item.goto}`)
    ),
    item.bits.length ? bitRow(item) : el("div", { class: "kl-told-value" }, el("code", { class: "kl-mono" }, few), el("span", { "aria-hidden": "true" }, "→"), el("bdi", { class: item.right === false ? "kl-wrong" : "" }, shorten(item.value, 300))),
    el("p", {}, item.meaning),
    el("p", { class: "kl-soft" }, `Written as: ${item.encoding}.`),
    // The groups of a varint, in a font in which they stand below each other, and what they say.
    item.steps && el("p", { class: "kl-told-steps" }, item.steps.split(/(?=:)/).map((part, i) => i ? part : el("code", { class: "kl-mono" }, part)))
  ];
}
function bitRow(item) {
  return el(
    "table",
    { class: "kl-bits" },
    el("tbody", {}, item.bits.map(({ bits, value, name, says }) => el("tr", {}, el("th", { scope: "row" }, `bit${bits.length > 1 ? "s" : ""} ${bits}`), el("td", {}, el("code", { class: "kl-mono" }, value)), el("td", {}, name), el("td", {}, el("b", {}, says)))))
  );
}
function rowsOf(items, width) {
  const rows = [];
  let cells = [];
  const end = () => {
    if (cells.length) rows.push({ at: cells[0].at, cells });
    cells = [];
  };
  for (const item of items) {
    let at = item.at;
    if (item.kind === "other" || item.id === "record_length") end();
    const put2 = (hex) => {
      for (const byte of pairs(hex)) {
        cells.push({ item, byte, at });
        at += 1;
        if (cells.length === width) end();
      }
    };
    put2(item.hex);
    if (item.cut) {
      end();
      rows.push({ at, cells: [], gap: { item, bytes: item.cut } });
      at += item.cut;
    }
    put2(item.tail);
    if (item.kind === "other") end();
  }
  end();
  return rows;
}
function pieces(row) {
  const found = [];
  row.cells.forEach(({ item }, i) => {
    const last = found[found.length - 1];
    if (last && last[0] === item) last[2] += 1;
    else found.push([item, i, 1]);
  });
  return found;
}
function dump(blocks, perRow) {
  return blocks.map((block) => {
    const named = /* @__PURE__ */ new Set();
    const rows = rowsOf(block.items, perRow);
    const lines = rows.map((row, i) => row.gap ? gapLine(block, row, row.gap) : line(block, row, rows[i + 1], named));
    return el(
      "section",
      { class: "kl-dump", style: { "--kl-per-row": String(perRow) } },
      el("h4", { class: "kl-title" }, block.title),
      // Hidden from screen readers, because the list of fields says the same and can be read out.
      el("div", { class: "kl-dump-rows kl-mono", "aria-hidden": "true" }, lines)
    );
  });
}
function gapLine(block, row, gap) {
  return el(
    "div",
    { class: "kl-dump-gap", "data-field": gap.item.id },
    el("span", { class: "kl-dump-at" }, count(block.at + row.at)),
    el("span", {}, `… ${count(gap.bytes)} bytes of ${gap.item.name} not shown`)
  );
}
function line(block, row, next, named) {
  const boxes = pieces(row).map(([item, first, size]) => {
    const last = first + size - 1;
    const begins = row.cells[first].at === item.at;
    const ends = row.cells[last].at === item.at + item.size - 1;
    const more = next?.cells.filter((c) => c.item === item).length ?? 0;
    const name = !named.has(item.id) && (size >= 3 || size >= more || ends) ? (named.add(item.id), item.short) : null;
    return el(
      "span",
      { class: `kl-box kl-kind-${item.kind}${begins ? " kl-begins" : ""}${ends ? " kl-ends" : ""}`, "data-field": item.id, style: { "grid-column": `${first + 1} / span ${size}` } },
      name ? el("span", { class: "kl-box-name" }, name) : null,
      row.cells.slice(first, last + 1).map(({ byte }) => el("span", { class: "kl-byte" }, byte))
    );
  });
  const text = pieces(row).map(([item, first, size]) => el("span", { class: `kl-kind-${item.kind} kl-chars`, "data-field": item.id }, row.cells.slice(first, first + size).map(({ byte }) => letter(byte)).join("")));
  const bare = boxes.every((box) => !box.querySelector(".kl-box-name"));
  return el("div", { class: `kl-dump-row${bare ? " kl-bare" : ""}` }, el("span", { class: "kl-dump-at" }, count(block.at + row.at)), el("span", { class: "kl-boxes" }, boxes), el("span", { class: "kl-dump-text" }, text));
}
function letter(byte) {
  const code = Number.parseInt(byte, 16);
  return code >= 32 && code < 127 ? String.fromCharCode(code) : "·";
}

// record/view.ts
var ALL = Object.entries(kinds_default);
function build(page, { model, ask }) {
  const part = Object.fromEntries(["bar", "trouble", "strip", "copies", "shares", "legend"].map((name) => [name, el("div", { class: `kl-record-${name}` })]));
  const dumped = el("div", { class: "kl-record-dump kl-panel" });
  const listed = el("div", { class: "kl-record-list kl-panel" });
  const told = el("div", { class: "kl-record-told kl-panel", "aria-live": "polite" });
  page.append(part.bar, part.trouble, part.strip, el("div", { class: "kl-record-main" }, dumped, el("div", { class: "kl-record-side" }, listed, told)), part.copies, part.shares, part.legend);
  let state;
  let items = /* @__PURE__ */ new Map();
  let chosen = "value";
  let wide = 0;
  const go = (offset) => ask({ do: "go", offset });
  const goes = () => state.live && model.get("live") ? go : null;
  const rove = roving(listed, "[role=option]");
  const fieldAt = (event) => event.target.closest("[data-field]")?.dataset.field ?? "";
  function mark(name, id) {
    for (const node of page.querySelectorAll(`.${name}`)) node.classList.remove(name);
    if (id) for (const node of page.querySelectorAll(`[data-field="${id}"]`)) node.classList.add(name);
  }
  let lit = "";
  function light(id) {
    if (id === lit) return;
    lit = id;
    mark("kl-lit", id);
    tell(items.get(id || chosen));
  }
  function choose(id) {
    chosen = id;
    mark("kl-chosen", id);
    for (const node2 of listed.querySelectorAll("[role=option]")) node2.ariaSelected = String(node2.dataset.field === id);
    const box = listed.querySelector("[role=listbox]"), node = option();
    if (box && node) {
      const [top, bottom] = [node.offsetTop, node.offsetTop + node.offsetHeight];
      if (top < box.scrollTop || bottom > box.scrollTop + box.clientHeight) box.scrollTop = top - box.clientHeight / 2;
    }
    rove(node);
    tell(items.get(id));
  }
  function option() {
    return listed.querySelector("[aria-selected=true]") ?? void 0;
  }
  let shown;
  function tell(item) {
    if (item === shown) return;
    shown = item;
    refill(told, item ? explained(item, goes()) : []);
  }
  for (const area of [dumped, listed]) {
    area.addEventListener("pointermove", (event) => light(fieldAt(event)));
    area.addEventListener("pointerleave", () => light(""));
  }
  dumped.addEventListener("click", (event) => {
    const id = fieldAt(event);
    if (!id) return;
    choose(id);
    option()?.focus({ preventScroll: true });
  });
  listed.addEventListener("focusin", (event) => {
    const id = fieldAt(event);
    if (id) choose(id);
  });
  listed.addEventListener("keydown", (event) => {
    const to = items.get(chosen)?.goto ?? null;
    if (event.key === "Enter" && to !== null) goes()?.(to);
  });
  const fitting = () => dumped.clientWidth >= 620 * scaleOf(page) ? 16 : 8;
  function layOut() {
    wide = fitting();
    dumped.replaceChildren(...dump(state.blocks, wide));
    if (items.size) choose(items.has(chosen) ? chosen : [...items.keys()][0]);
  }
  const seen = new ResizeObserver(() => {
    if (state && fitting() !== wide) layOut();
  });
  seen.observe(dumped);
  return {
    draw(now, before) {
      state = now;
      refill(part.bar, bar(state, goes()));
      const said = [state.trouble, state.note].filter(Boolean);
      part.trouble.replaceChildren(...said.map((text) => el("p", { class: `kl-notice${text === state.trouble ? " kl-tone-bad" : ""}`, role: "status" }, shorten(text, 500))));
      page.classList.toggle("kl-record-empty", !state.blocks.length);
      if (changed(state, before, "strip", "offset")) refill(part.strip, batchStrip(state, goes()));
      if (changed(state, before, "copies")) refill(part.copies, copies(state, (broker) => ask({ do: "read_from", broker })));
      if (changed(state, before, "shares")) part.shares.replaceChildren(shareBars(state.shares));
      if (changed(state, before, "blocks")) {
        const focused = listed.contains(document.activeElement), scrolled = listed.querySelector("[role=listbox]")?.scrollTop ?? 0;
        items = new Map(state.blocks.flatMap((block) => block.items.map((item) => [item.id, item])));
        shown = void 0;
        lit = "";
        listed.replaceChildren(...fieldList(state.blocks));
        const list = listed.querySelector("[role=listbox]");
        if (list) list.scrollTop = scrolled;
        layOut();
        if (focused) option()?.focus({ preventScroll: true });
        const kinds = new Set([...items.values()].map((item) => item.kind));
        part.legend.replaceChildren(legend(ALL.filter(([kind]) => kinds.has(kind)).map(([kind, [, meaning]]) => [sign(kind), meaning])));
      }
    },
    end: () => seen.disconnect()
  };
}
var view_default = { render: live("record", "A record, byte by byte", build) };
export {
  view_default as default
};
