// shared.js
var SVG = /* @__PURE__ */ new Set(["svg", "g", "path", "line", "rect", "circle", "ellipse", "polyline", "polygon", "text", "tspan", "title", "defs", "pattern"]);
function el(tag, attrs = {}, ...children) {
  let node = SVG.has(tag) ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  for (let [name, value] of Object.entries(attrs ?? {}))
    if (!(value === !1 || value === null || value === void 0))
      if (name.startsWith("on")) {
        if (typeof value != "function") throw new TypeError(`${name} of <${tag}> must be a function`);
        node.addEventListener(name.slice(2).toLowerCase(), value);
      } else if (name === "style" && typeof value == "object")
        for (let [property, setting] of Object.entries(value)) node.style.setProperty(property, setting);
      else
        node.setAttribute(name, value === !0 ? "" : String(value));
  return node.append(...children.flat(1 / 0).filter((c) => c != null && c !== !1 && c !== "").map((c) => c instanceof Node ? c : String(c))), /** @type {any} */
  node;
}
function scaleOf(node) {
  return Number(getComputedStyle(node).getPropertyValue("--kl-scale")) || 1;
}
function guard(root, fn) {
  try {
    let result = fn();
    return result instanceof Promise ? (
      /** @type {any} */
      result.catch((error) => showError(root, error))
    ) : result;
  } catch (error) {
    showError(root, error);
    return;
  }
}
function showError(root, error) {
  console.error(error);
  let message = error instanceof Error ? error.message : String(error), shown = [...root.querySelectorAll(":scope > .kl-error")];
  if (shown.length >= 3 || shown.some((node) => node.getAttribute("data-message") === message)) return;
  let details = error instanceof Error && error.stack ? el("details", {}, el("summary", {}, "details"), el("pre", {}, error.stack)) : null;
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
  page.setAttribute("data-lm-suppress-shortcuts", "true"), page.addEventListener("keydown", (event) => {
    !event.ctrlKey && !event.metaKey && !event.altKey && event.stopPropagation();
  });
}
function showFault(root, text) {
  let shown = root.querySelector(":scope > .kl-fault");
  if (!text) return shown?.remove();
  shown?.getAttribute("data-text") !== text && (shown?.remove(), root.append(el("div", { class: "kl-error kl-fault", role: "alert", "data-text": text }, shorten(text, 600))));
}
function legend(signs) {
  return el(
    "ul",
    { class: "kl-legend", "aria-label": "legend" },
    signs.map(([sign2, meaning]) => el("li", {}, el("span", { class: "kl-sign", "aria-hidden": "true" }, sign2), " ", meaning))
  );
}
var PARTS = { leader: "♛", follower: "●", behind: "◌", down: "✕" };
var two = (n) => String(n).padStart(2, "0"), clock = {
  /** Formats a number of seconds since something: "+3.12 s", "+2:05 min", "−0.40 s". @param {number} seconds */
  since(seconds) {
    let sign2 = seconds <= -5e-3 ? "−" : "+", size = Math.abs(seconds);
    return size < 99.995 ? `${sign2}${size.toFixed(2)} s` : `${sign2}${clock.long(Math.round(size))}`;
  },
  /** Formats whole seconds, from a minute on: "2:05 min", "1:04 h". @param {number} whole */
  long(whole) {
    let [of, unit] = whole < 3600 ? [60, "min"] : [3600, "h"];
    return `${Math.floor(whole / of)}:${two(Math.floor(whole % of / (of / 60)))} ${unit}`;
  },
  /** Formats Unix seconds as the local time of day: "14:02:09", with three digits "14:02:09.120". @param {number} at */
  ofDay(at, digits = 0) {
    let d = new Date(Math.round(at * 1e3)), fraction = digits ? `.${String(d.getMilliseconds()).padStart(3, "0").slice(0, digits)}` : "";
    return [d.getHours(), d.getMinutes(), d.getSeconds()].map(two).join(":") + fraction;
  }
};
function count(n) {
  return String(n).replace(/\B(?=(\d{3})+(?!\d))/g, " ");
}
function shorten(text, limit = 40) {
  let plain = String(text).replace(/[\t\n\r\v\f]+/g, " ").replace(/[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g, "�"), letters = Array.from(plain);
  return letters.length <= limit ? plain : `${letters.slice(0, limit - 9).join("")}…${letters.slice(-8).join("")}`;
}
function changed(now, before, ...names) {
  return !before || names.some((name) => now[name] !== before[name]);
}
function walked(key, at, last) {
  let to = { ArrowDown: at + 1, ArrowRight: at + 1, ArrowUp: at - 1, ArrowLeft: at - 1, PageDown: at + 8, PageUp: at - 8, Home: 0, End: last }[key];
  return to === void 0 ? void 0 : Math.max(0, Math.min(last, to));
}

// live.js
function live(name, label, build2) {
  return ({ model, el: root }) => {
    let page = el("div", { class: `kl kl-${name}`, role: label && "region", "aria-label": label }), eye = Math.random().toString(36).slice(2), hands = el("fieldset", { class: "kl-hands" }, page), said = el("div", { class: "kl kl-standstill", "aria-live": "polite" });
    ownKeys(page), root.append(said, hands);
    let state = model.get("state"), drawn, asked = !1, still = "", standStill = (why, tone = "") => {
      still = why, hands.toggleAttribute("disabled", !!why), page.classList.toggle("kl-still", !!why), said.replaceChildren(...why ? [el("div", { class: `kl-notice ${tone}` }, why)] : []);
    }, silent = (since) => still || standStill(`No news from the kernel since ${clock.ofDay(since / 1e3)}: the picture stands still. It goes on by itself when the kernel answers. If the kernel was restarted, run this cell again.`, "kl-tone-bad"), ear = model.get("live") ? hearing((since) => {
      silent(since), asked = !1, whole();
    }) : null, ask = (message) => {
      try {
        model.send(message);
      } catch (error) {
        console.warn(error), silent(Date.now());
      }
    }, whole = () => {
      asked || (asked = !0, ask({ do: "whole", eye, n: state?.n ?? -1 }));
    }, view = guard(page, () => build2(page, { model, ask })), draw = () => {
      if (!state || state.n === void 0) return;
      let before = drawn;
      drawn = state, showFault(page, state.fault), guard(page, () => view?.draw(state, before));
    }, heard = {
      "msg:custom": (message) => {
        if (ear?.heard(), message?.kept && ear?.end(), (still || message?.kept) && standStill(message?.kept ?? ""), message?.whole !== void 0) {
          if (asked = !1, message.whole === null) return;
          state = message.whole, draw();
        } else message?.beat !== void 0 ? (asked = !1, message.beat > (state?.n ?? -1) && whole()) : message?.patch ? message.n === state?.n + 1 ? (state = patched(state, message.patch), draw()) : message.n > (state?.n ?? -1) && whole() : guard(page, () => view?.heard?.(message));
      },
      "change:state": () => {
        state = model.get("state"), draw();
      },
      "change:presenter": () => page.classList.toggle("kl-presenter", !!model.get("presenter"))
    }, listeners = Object.entries(heard).map(([event, fn]) => [event, (m) => guard(page, () => fn(m))]);
    for (let [event, listener] of listeners) model.on(event, listener);
    return heard["change:presenter"](), draw(), hearAll(model).catch(console.warn), model.get("live") && whole(), () => {
      ear?.end();
      for (let [event, listener] of listeners) model.off(event, listener);
      guard(page, () => view?.end?.()), model.get("live") && ask({ do: "gone", eye });
    };
  };
}
var SILENCE = 5;
function hearing(silent) {
  let quiet = 0, since = Date.now(), next = SILENCE, timer = setInterval(() => {
    ++quiet < next || (next *= 2, silent(since));
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
  let real = await model.widget_manager?.get_model?.(model.get("me"));
  if (!(!real?.comm || !real._handle_comm_msg))
    try {
      await real._handle_comm_msg({ content: { data: {} } });
    } catch {
      let handlers = [];
      for (let of = real; of; of = Object.getPrototypeOf(of)) Object.hasOwn(of, "_handle_comm_msg") && handlers.push(of._handle_comm_msg);
      let handle = handlers.at(-1);
      real.comm.on_msg((message) => handle.call(real, message)), real.comm.send({ method: "request_state" });
    }
}
function patched(state, ops) {
  return ops.reduce((at, op) => change(at, op[1], op), state);
}
function change(at, path, op) {
  let [kind, , value] = op;
  if (path.length === 0) {
    if (kind === "set") return value;
    if (kind === "cut") return at.slice(value);
    if (kind === "end") return at.slice(0, value);
    if (kind === "add") return [...at, ...value];
    throw new Error(`a patch with an unknown operation: ${kind}`);
  }
  let [key, ...rest] = path;
  if (Array.isArray(at)) return at.map((element, i) => i === key ? change(element, rest, op) : element);
  let gone = kind === "del" && rest.length === 0, entries = Object.entries(at).filter(([name]) => name !== key);
  if (gone) return Object.fromEntries(entries);
  let inner = Object.hasOwn(at, key) ? at[key] : void 0, next = change(inner, rest, op);
  return Object.hasOwn(at, key) ? Object.fromEntries(Object.entries(at).map(([name, was]) => [name, name === key ? next : was])) : Object.fromEntries([...entries, [key, next]]);
}

// record/bar.js
var COPY = { shown: "read here", same: "the same bytes", differs: "other bytes!", missing: "does not have it", unread: "out of reach" };
function bar(state, go, asks = !0) {
  let { batch, steps: steps2 } = state, live2 = state.live && asks, step = (id, text, label, to) => el("button", { class: "kl-button", "data-step": id, "aria-label": label, title: label, "aria-disabled": String(!live2 || to === null || to === void 0), onclick: () => live2 && to !== null && to !== void 0 && go(to) }, text), ask = el("input", { class: "kl-record-offset", type: "number", min: 0, step: 1, value: Math.max(0, state.offset), "aria-label": "offset to look at", "data-step": "offset", disabled: !live2 }), form = el("form", { class: "kl-record-go", onsubmit: (event) => {
    event.preventDefault();
    let wanted = (
      /** @type {HTMLInputElement} */
      ask.valueAsNumber
    );
    Number.isSafeInteger(wanted) && wanted >= 0 && go(wanted);
  } }, el("label", {}, "offset ", ask), el("button", { class: "kl-button", type: "submit", disabled: !live2 }, "go")), range = state.range.end === null ? "" : state.range.end > (state.range.start ?? 0) ? `of ${count(state.range.start ?? 0)} to ${count(state.range.end - 1)}` : "";
  return el(
    "div",
    { class: "kl-record-top kl-panel" },
    el(
      "div",
      { class: "kl-record-title" },
      el("strong", {}, el("bdi", {}, shorten(state.topic, 60)), ` · P${state.partition}`, state.offset >= 0 ? ` · offset ${count(state.offset)}` : ""),
      el("span", { class: "kl-soft" }, range),
      batch ? pills(batch) : null
    ),
    el(
      "div",
      { class: "kl-record-steps" },
      step("previous_batch", "◀◀ batch", "the batch before", steps2.previous_batch),
      step("previous", "◀ record", "the record before", steps2.previous),
      form,
      step("next", "record ▶", "the next record", steps2.next),
      step("next_batch", "batch ▶▶", "the next batch", steps2.next_batch),
      el("button", { class: "kl-button", "data-step": "newest", disabled: !live2, onclick: () => go(null) }, "newest")
    ),
    state.read ? el("div", { class: "kl-record-where kl-soft" }, `${state.read.words}${state.read.segment || state.recorded ? "" : " (its disks cannot be read)"}`) : null
  );
}
function pills(batch) {
  let compressed = batch.codec === "none" ? "not compressed" : batch.unpacked ? `${batch.codec}, ${count(batch.unpacked)} → ${count(batch.size - 61)} bytes` : batch.codec;
  return [
    el("span", { class: "kl-pill" }, batch.control ? "control batch: a transaction's marker" : `batch of ${count(batch.count)} record${batch.count === 1 ? "" : "s"}`),
    el("span", { class: "kl-pill" }, compressed),
    el("span", { class: `kl-pill ${batch.valid ? "kl-right" : "kl-wrong"}` }, batch.valid ? "✓ CRC" : "✗ CRC: damaged")
  ];
}
function batchStrip(state, go, asks = !0) {
  let { strip, offset } = state, live2 = state.live && asks;
  if (!strip || strip.cells.length === 0) return el("span", {});
  let cells = strip.cells.map((cell) => {
    let mine = cell.offset === offset, key = cell.key === null ? "no key" : `key ${shorten(cell.key, 40)}`;
    return el("button", {
      class: `kl-cell${mine ? " kl-here" : ""}`,
      "data-step": `cell-${cell.offset}`,
      "aria-current": mine ? "true" : null,
      "aria-disabled": String(!live2 && !mine),
      "aria-label": `record at offset ${cell.offset}, ${key}, ${cell.size} bytes`,
      title: `offset ${cell.offset} · ${key} · ${cell.size} bytes`,
      onclick: () => live2 && !mine && go(cell.offset)
    }, String(cell.offset));
  }), more = (n) => n ? el("span", { class: "kl-soft" }, `… ${count(n)} more`) : null;
  return el("div", { class: "kl-record-cells", role: "group", "aria-label": "records of this batch" }, el("span", { class: "kl-soft" }, "in this batch"), more(strip.before), cells, more(strip.after));
}
function copies(state, read) {
  let found = Object.entries(state.copies);
  if (!found.length) return el("span", {});
  let chips = found.map(([broker, copy]) => {
    let shown = copy.copy === "shown" || copy.copy === "unread";
    return el(
      "button",
      { class: `kl-button kl-copy kl-copy-${copy.copy}`, "data-step": `copy-${broker}`, "aria-disabled": String(shown || !state.live), "aria-pressed": String(copy.copy === "shown"), onclick: () => !shown && state.live && read(Number(broker)) },
      `${PARTS[copy.part] ?? ""} ${broker}`,
      el("small", {}, ` ${{ same: "= ", differs: "≠ ", missing: "∅ " }[
        /** @type {string} */
        copy.copy
      ] ?? ""}${COPY[copy.copy]}`)
    );
  });
  return el("div", { class: "kl-record-copies-row", role: "group", "aria-label": "copies of this batch" }, el("span", { class: "kl-soft" }, "copies of the batch"), chips);
}
var SHARE = { "batch header": "place", keys: "key", values: "value", headers: "header", overhead: "length" }, SIGN = { "batch header": "#", keys: "K", values: "V", headers: "H", overhead: "L" };
function shareBars(bars) {
  let longest = Math.max(1, ...bars.map((b) => b.bytes));
  return el("div", { class: "kl-shares" }, bars.map((b) => el(
    "div",
    { class: "kl-share-row" },
    el("span", { class: "kl-soft" }, `${b.bar}, ${count(b.bytes)} bytes`),
    el("div", { class: "kl-share", style: { width: `${100 * b.bytes / longest}%` } }, b.parts.map((p) => el("span", { class: `kl-share-part kl-kind-${SHARE[p.part] ?? "packed"}`, style: { "flex-grow": String(p.bytes) }, title: `${p.part}: ${p.bytes} bytes` }))),
    el("span", { class: "kl-share-words" }, b.parts.map((p) => el("span", {}, el("span", { class: `kl-kind kl-kind-${SHARE[p.part] ?? "packed"}`, "aria-hidden": "true" }, SIGN[p.part] ?? "Z"), ` ${p.part} ${count(p.bytes)} (${percent(p.bytes, b.bytes)} %)`)))
  )));
}
function percent(part, whole) {
  let share = 100 * part / whole;
  return share > 0 && share < 1 ? "< 1" : share > 99 && share < 100 ? "> 99" : String(Math.round(share));
}

// record/fields.js
var KINDS = {
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
}, sign = (kind) => el("span", { class: `kl-kind kl-kind-${kind}`, "aria-hidden": "true" }, KINDS[kind][0]);
function pairs(hex) {
  return hex.match(/../g) ?? [];
}
function fieldList(blocks) {
  if (!blocks.length) return [];
  let groups = blocks.map((block) => {
    let heading = block.items[0]?.id === "base_offset" ? "batch header" : "records, unpacked", rows = block.items.flatMap((item) => [
      item.id === "record_length" ? el("div", { class: "kl-record-head", role: "presentation" }, "this record") : null,
      el(
        "div",
        { role: "option", class: "kl-field", "data-field": item.id, tabindex: -1, "aria-selected": "false" },
        sign(item.kind),
        el("span", { class: "kl-field-name" }, shorten(item.name, 60)),
        el("bdi", { class: `kl-field-value kl-mono${item.right === !1 ? " kl-wrong" : ""}` }, shorten(item.value, 34))
      )
    ]);
    return [el("div", { class: "kl-record-head", role: "presentation" }, heading), rows];
  });
  return [el("h4", { class: "kl-title" }, "Fields"), el("div", { role: "listbox", "aria-label": "Fields of the batch, in the order of their bytes", class: "kl-fields" }, groups)];
}
function explained(item, go) {
  let few = pairs(item.hex).slice(0, 24).join(" ") + (item.size > 24 ? " …" : "");
  return [
    el(
      "div",
      { class: "kl-told-head" },
      sign(item.kind),
      el("strong", {}, shorten(item.name, 80)),
      el("span", { class: "kl-soft" }, `byte ${count(item.at)}${item.size > 1 ? ` to ${count(item.at + item.size - 1)}` : ""} · ${count(item.size)} byte${item.size === 1 ? "" : "s"}`),
      item.goto === void 0 || !go ? null : el("button", { class: "kl-button", onclick: () => go(
        /** @type {number} */
        item.goto
      ) }, `look at offset ${item.goto}`)
    ),
    item.bits ? bitRow(item) : el("div", { class: "kl-told-value" }, el("code", { class: "kl-mono" }, few), el("span", { "aria-hidden": "true" }, "→"), el("bdi", { class: item.right === !1 ? "kl-wrong" : "" }, shorten(item.value, 300))),
    el("p", {}, item.meaning),
    el("p", { class: "kl-soft" }, `Written as: ${item.encoding}.`),
    item.steps ? el("p", { class: "kl-told-steps" }, ...steps(item.steps)) : null
  ].filter((node) => node !== null);
}
function steps(text) {
  let [bits, rest] = [text.slice(0, text.indexOf(":")), text.slice(text.indexOf(":"))];
  return [el("code", { class: "kl-mono" }, bits), rest];
}
function bitRow(item) {
  return el(
    "table",
    { class: "kl-bits" },
    el("tbody", {}, [...item.bits ?? []].map(([bits, value, name, says]) => el("tr", {}, el("th", { scope: "row" }, `bit${bits.length > 1 ? "s" : ""} ${bits}`), el("td", {}, el("code", { class: "kl-mono" }, value)), el("td", {}, name), el("td", {}, el("b", {}, says)))))
  );
}
function rowsOf(items, width) {
  let rows = [], cells = [], end = () => {
    cells.length && rows.push({ at: cells[0].at, cells }), cells = [];
  };
  for (let item of items) {
    let at = item.at;
    (item.kind === "other" || item.id === "record_length") && end();
    let put = (hex) => {
      for (let byte of pairs(hex))
        cells.push({ item, byte, at }), at += 1, cells.length === width && end();
    };
    put(item.hex), item.cut && (end(), rows.push({ at, cells: [], gap: { item, bytes: item.cut } }), at += item.cut), put(item.tail), item.kind === "other" && end();
  }
  return end(), rows;
}
function pieces(row) {
  let found = [];
  return row.cells.forEach(({ item }, i) => {
    let last = found[found.length - 1];
    last && last[0] === item ? last[2] += 1 : found.push([item, i, 1]);
  }), found;
}
function dump(blocks, width) {
  return blocks.map((block) => {
    let named = /* @__PURE__ */ new Set(), rows = rowsOf(block.items, width), lines = rows.map((row, i) => row.gap ? gapLine(block, row, row.gap) : line(block, row, rows[i + 1], named));
    return el(
      "section",
      { class: "kl-dump", style: { "--kl-per-row": String(width) } },
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
  let boxes = pieces(row).map(([item, first, size]) => {
    let last = first + size - 1, begins = row.cells[first].at === item.at, ends = row.cells[last].at === item.at + item.size - 1, more = next?.cells.filter((c) => c.item === item).length ?? 0, name = !named.has(item.id) && (size >= 3 || size >= more || ends) ? (named.add(item.id), item.short) : null;
    return el(
      "span",
      { class: `kl-box kl-kind-${item.kind}${begins ? " kl-begins" : ""}${ends ? " kl-ends" : ""}`, "data-field": item.id, style: { "grid-column": `${first + 1} / span ${size}` } },
      name ? el("span", { class: "kl-box-name" }, name) : null,
      row.cells.slice(first, last + 1).map(({ byte }) => el("span", { class: "kl-byte" }, byte))
    );
  }), text = pieces(row).map(([item, first, size]) => el("span", { class: `kl-kind-${item.kind} kl-chars`, "data-field": item.id }, row.cells.slice(first, first + size).map(({ byte }) => letter(byte)).join(""))), bare = boxes.every((box) => !box.querySelector(".kl-box-name"));
  return el("div", { class: `kl-dump-row${bare ? " kl-bare" : ""}` }, el("span", { class: "kl-dump-at" }, count(block.at + row.at)), el("span", { class: "kl-boxes" }, boxes), el("span", { class: "kl-dump-text" }, text));
}
function letter(byte) {
  let code = Number.parseInt(byte, 16);
  return code >= 32 && code < 127 ? String.fromCharCode(code) : "·";
}

// record/view.js
function build(page, { model, ask }) {
  let asks = () => !!model.get("live"), part = Object.fromEntries(["bar", "trouble", "strip", "copies", "shares", "legend"].map((name) => [name, el("div", { class: `kl-record-${name}` })])), dumped = el("div", { class: "kl-record-dump kl-panel" }), listed = el("div", { class: "kl-record-list kl-panel" }), told = el("div", { class: "kl-record-told kl-panel", "aria-live": "polite" });
  page.append(part.bar, part.trouble, part.strip, el("div", { class: "kl-record-main" }, dumped, el("div", { class: "kl-record-side" }, listed, told)), part.copies, part.shares, part.legend);
  let state, items = /* @__PURE__ */ new Map(), chosen = "value", wide = 0, go = (offset) => ask({ do: "go", offset }), lit = "";
  function light(id) {
    if (id !== lit) {
      lit = id;
      for (let node of page.querySelectorAll(".kl-lit")) node.classList.remove("kl-lit");
      if (id) for (let node of page.querySelectorAll(`[data-field="${CSS.escape(id)}"]`)) node.classList.add("kl-lit");
      tell(items.get(id || chosen));
    }
  }
  function choose(id, focus = !1) {
    if (items.has(id)) {
      chosen = id;
      for (let node of page.querySelectorAll(".kl-chosen")) node.classList.remove("kl-chosen");
      for (let node of page.querySelectorAll(`[data-field="${CSS.escape(id)}"]`)) node.classList.add("kl-chosen");
      for (
        let node of
        /** @type {NodeListOf<HTMLElement>} */
        listed.querySelectorAll("[role=option]")
      ) {
        let mine = node.dataset.field === id;
        if (node.setAttribute("aria-selected", String(mine)), node.tabIndex = mine ? 0 : -1, !mine) continue;
        focus && node.focus({ preventScroll: !0 });
        let box = listed.querySelector("[role=listbox]");
        box && (node.offsetTop < box.scrollTop || node.offsetTop + node.offsetHeight > box.scrollTop + box.clientHeight) && (box.scrollTop = node.offsetTop - box.clientHeight / 2);
      }
      tell(items.get(id));
    }
  }
  let shown;
  function tell(item) {
    item !== shown && (shown = item, told.replaceChildren(...item ? explained(item, asks() ? go : null) : []));
  }
  for (let area of [dumped, listed]) {
    let field = (event) => (
      /** @type {HTMLElement | null} */
      /** @type {HTMLElement} */
      event.target.closest?.("[data-field]")?.dataset.field ?? ""
    );
    area.addEventListener("pointermove", (event) => light(field(event))), area.addEventListener("pointerleave", () => light("")), area.addEventListener("click", (event) => {
      let id = field(event);
      id && choose(id, !0);
    });
  }
  listed.addEventListener("keydown", (event) => {
    let ids = [...items.keys()], to = walked(event.key, ids.indexOf(chosen), ids.length - 1), item = items.get(chosen);
    if (event.key === "Enter" && item?.goto !== void 0 && asks()) return go(item.goto);
    to !== void 0 && (event.preventDefault(), choose(ids[to], !0));
  });
  function layOut() {
    let now = dump(state.blocks, wide);
    dumped.replaceChildren(...now), choose(items.has(chosen) ? chosen : [...items.keys()][0]);
  }
  let seen = new ResizeObserver(() => {
    let cell = scaleOf(page), fits = dumped.clientWidth >= 620 * cell ? 16 : 8;
    if (fits === wide || !state) return void (wide = fits);
    wide = fits, layOut();
  });
  return seen.observe(dumped), {
    draw(now, before) {
      state = now, wide ||= dumped.clientWidth >= 620 ? 16 : 8;
      let held = page.contains(document.activeElement) ? (
        /** @type {HTMLElement} */
        document.activeElement?.dataset?.step
      ) : void 0;
      part.bar.replaceChildren(bar(state, go, asks()));
      let said = [state.trouble, state.note].filter(Boolean);
      if (part.trouble.replaceChildren(...said.map((text) => el("p", { class: `kl-notice${text === state.trouble ? " kl-tone-bad" : ""}`, role: "status" }, shorten(text, 500)))), page.classList.toggle("kl-record-empty", !state.batch), changed(state, before, "strip", "offset") && part.strip.replaceChildren(batchStrip(state, go, asks())), changed(state, before, "copies") && part.copies.replaceChildren(copies(state, (broker) => ask({ do: "read_from", broker }))), changed(state, before, "shares") && part.shares.replaceChildren(shareBars(state.shares)), changed(state, before, "blocks")) {
        let focused = listed.contains(document.activeElement);
        items = new Map(state.blocks.flatMap((block) => block.items.map((item) => [item.id, item]))), shown = void 0, lit = "";
        let scrolled = listed.querySelector("[role=listbox]")?.scrollTop ?? 0;
        listed.replaceChildren(...fieldList(state.blocks));
        let list = listed.querySelector("[role=listbox]");
        list && (list.scrollTop = scrolled), layOut(), focused && choose(chosen, !0);
        let kinds = new Set([...items.values()].map((item) => item.kind));
        part.legend.replaceChildren(legend(Object.entries(KINDS).filter(([kind]) => kinds.has(kind)).map(([kind, [sign2, meaning]]) => [el("span", { class: `kl-kind kl-kind-${kind}` }, sign2), meaning])));
      }
      held && page.querySelector(`[data-step="${held}"]`)?.focus();
    },
    end: () => seen.disconnect()
  };
}
var view_default = { render: live("record", "A record, byte by byte", build) };
export {
  view_default as default
};
