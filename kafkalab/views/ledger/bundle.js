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

// ledger/flow.ts
var WIDTH = 1060;
var HEIGHT = 268;
var STATIONS = { sent: 40, acknowledged: 420, seen: 800 };
var THICK = 20;
var TOP = 64;
var TALL = 128;
var FLOOR = 226;
var SINKS = { unacknowledged: 240, lost: 540, strangers: 755 };
var LEAST = 4;
function thickness(n, most) {
  return n <= 0 ? 0 : Math.max(LEAST, TALL * n / Math.max(1, most));
}
function layout(flow) {
  const most = Math.max(flow.kept + flow.lost + flow.unsure_seen + flow.unsure_gone, flow.kept + flow.unsure_seen + flow.strangers);
  const h = Object.fromEntries(Object.entries(flow).map(([way2, n]) => [way2, thickness(n, most)]));
  const { sent, acknowledged, seen } = STATIONS;
  const promised = h.kept + h.lost, unsure = TOP + promised;
  const bars = {
    sent: { x: sent, y: TOP, h: promised + h.unsure_seen + h.unsure_gone },
    acknowledged: { x: acknowledged, y: TOP, h: promised },
    seen: { x: seen, y: TOP, h: h.kept + h.unsure_seen + h.strangers }
  };
  const below = unsure + (h.unsure_seen ? 12 : 0);
  const first = across(sent + THICK, unsure, acknowledged, below), second = across(acknowledged + THICK, below, seen, TOP + h.kept);
  const passing = (edge) => {
    const [before, after] = [first(edge), second(edge)];
    return [...before, before[3], after[0], ...after];
  };
  const ribbons = [
    ribbon("acknowledged", flow.kept + flow.lost, promised, across(sent + THICK, TOP, acknowledged, TOP)),
    ribbon("seen", flow.kept, h.kept, across(acknowledged + THICK, TOP, seen, TOP)),
    ribbon("unsure", flow.unsure_seen, h.unsure_seen, passing),
    ribbon("unacknowledged", flow.unsure_gone, h.unsure_gone, down(sent + THICK, unsure + h.unsure_seen, SINKS.unacknowledged + h.unsure_gone / 2, -1)),
    ribbon("lost", flow.lost, h.lost, down(acknowledged + THICK, TOP + h.kept, SINKS.lost + h.lost / 2, -1)),
    ribbon("strangers", flow.strangers, h.strangers, down(seen, TOP + h.kept + h.unsure_seen, SINKS.strangers - h.strangers / 2, 1))
  ];
  return { bars, ribbons: ribbons.filter((one) => one.count > 0) };
}
function ribbon(kind, count2, h, curve) {
  const path = ([start, ...rest]) => `${start.join(" ")}C${rest.flat().join(" ")}`;
  return { kind, count: count2, d: `M${path(curve(0))}L${path(curve(h).reverse())}Z`, middle: `M${path(curve(h / 2))}` };
}
function across(x1, y1, x2, y2) {
  const m = (x1 + x2) / 2;
  return (edge) => [[x1, y1 + edge], [m, y1 + edge], [m, y2 + edge], [x2, y2 + edge]];
}
function down(x, y, sink, side) {
  return (edge) => [[x, y + edge], [sink + side * edge, y + edge], [sink + side * edge, y + edge], [sink + side * edge, FLOOR]];
}
function listedAs(picture2, id) {
  return Object.keys(picture2.ids).filter((kind) => picture2.ids[kind].includes(id));
}
function sentence(fate, moving) {
  if (fate.sent === null && !fate.seen && !fate.acknowledged) return "The ledger knows no record of this id.";
  if (fate.lost) return moving ? "It was acknowledged and has not been seen yet." : "It is lost: a broker acknowledged it, and nobody ever saw it.";
  if (!fate.seen) return "It was sent and not acknowledged: nobody promised to keep it, and nobody has seen it.";
  const said = [];
  if (fate.sent === null) said.push("It was seen, and was not sent through this ledger.");
  else if (!fate.acknowledged) said.push("It was never acknowledged, and is in the log all the same.");
  if (fate.positions.length > 1) said.push("It lies in the log more than once.");
  if (fate.out_of_order) said.push("It came late: a record of its key that was sent later lies before it.");
  if (fate.read_again) said.push("It was read more than once from the same place.");
  return said.length ? said.join(" ") : "It arrived, once.";
}
function finder(find) {
  let picture2 = null;
  const input = el("input", { class: "kl-lg-input kl-mono", type: "text", "aria-label": "id of a record", placeholder: "T0042-000017", spellcheck: "false", autocomplete: "off", maxlength: 400 });
  const told = el("div", { class: "kl-lg-told", role: "status" });
  const form = el("form", { class: "kl-lg-find", onsubmit: (event) => {
    event.preventDefault();
    if (input.value.trim()) ask(input.value.trim());
  } }, el("label", {}, el("span", {}, "What became of "), input), el("button", { class: "kl-button", type: "submit" }, "find"));
  function ask(id) {
    input.value = id;
    if (picture2?.live) {
      told.replaceChildren(el("span", { class: "kl-soft" }, "asking…"));
      find(id);
      return;
    }
    const words = picture2 ? listedAs(picture2, id).map((kind) => `${picture2?.kinds[kind].sign} ${picture2?.kinds[kind].word}`).join(", ") : "";
    told.replaceChildren(el("bdi", { class: "kl-mono" }, shorten(id, 60)), words ? `: ${words}.` : " is not among the ids that this picture lists; it keeps only the first of each kind.");
  }
  function answer(fate) {
    const known = fate.sent !== null || fate.seen || fate.acknowledged;
    const step = (good, yes, no, sign = "✗") => el("span", { class: `kl-lg-step ${good ? "kl-lg-yes" : "kl-lg-no"}` }, `${good ? "✓" : sign} ${good ? yes : no}`);
    told.replaceChildren(
      el("div", { class: "kl-lg-fate-id" }, el("bdi", { class: "kl-mono" }, shorten(fate.id, 80)), fate.key === null ? "" : el("span", { class: "kl-soft" }, " key ", el("bdi", { class: "kl-mono" }, shorten(fate.key, 40)))),
      known ? el(
        "div",
        { class: "kl-lg-steps" },
        step(fate.sent !== null, `sent, as number ${fate.sent}`, "not sent here", "◇"),
        " → ",
        step(fate.acknowledged, "acknowledged", "not acknowledged", "⊘"),
        " → ",
        step(fate.seen, "seen", picture2?.moving ? "not seen yet" : "never seen", picture2?.moving ? "◌" : "✗")
      ) : "",
      fate.positions.length ? el("div", { class: "kl-lg-places" }, fate.positions.map((place) => el("span", { class: "kl-pill kl-mono" }, shorten(place, 60)))) : "",
      el("p", {}, sentence(fate, Boolean(picture2?.moving)))
    );
  }
  return { form, told, ask, answer, state: (now) => {
    picture2 = now;
  } };
}

// ledger/view.ts
var SHOWN = 12;
var ALWAYS = ["lost", "duplicated", "out_of_order"];
var WAYS = { unacknowledged: "unsure_gone", lost: "lost", strangers: "strangers" };
var RIBBONS = {
  acknowledged: "sent and acknowledged",
  seen: "acknowledged and seen",
  unsure: "not acknowledged, and seen all the same",
  unacknowledged: "not acknowledged",
  lost: "acknowledged, not seen",
  strangers: "seen, sent by others"
};
function picture(state) {
  const { bars, ribbons } = layout(state.flow);
  const text = (x, y, words, kind, anchor = "start") => el("text", { x, y, class: `kl-lg-text ${kind}`, "text-anchor": anchor }, words);
  const nodes = ribbons.map((one) => el(
    "g",
    { class: `kl-lg-ribbon kl-lg-way-${one.kind}${one.kind === "lost" && state.moving ? " kl-lg-open" : ""}` },
    el("path", { d: one.d, class: "kl-lg-band" }, el("title", {}, `${count(one.count)} ${RIBBONS[one.kind]}`)),
    state.moving && ["acknowledged", "seen"].includes(one.kind) ? el("path", { d: one.middle, class: "kl-lg-current" }) : ""
  ));
  for (const [name, bar] of Object.entries(bars)) {
    nodes.push(el("rect", { x: bar.x, y: bar.y, width: THICK, height: Math.max(2, bar.h), rx: 3, class: "kl-lg-bar" }), text(bar.x, bar.y - 30, name, "kl-lg-soft"), text(bar.x, bar.y - 8, count(state.counts[name]), "kl-lg-number"));
  }
  const told = (kind, n) => `${state.kinds[kind].sign} ${count(n)} ${state.kinds[kind].word}`;
  const sinks = Object.keys(SINKS).filter((kind) => state.flow[WAYS[kind]]);
  for (const kind of sinks) nodes.push(text(SINKS[kind], FLOOR + 22, told(kind, state.flow[WAYS[kind]]), `kl-lg-end kl-lg-way-${way(kind, state)}`, "middle"));
  const more = ["duplicated", "out_of_order", "redelivered"].filter((kind) => state.counts[kind]);
  more.forEach((kind, i) => nodes.push(text(STATIONS.seen + THICK + 14, 84 + 24 * i, told(kind, state.counts[kind]), `kl-lg-beside kl-lg-way-${kind}`)));
  const wide = more.length ? WIDTH : STATIONS.seen + 120;
  const high = sinks.length ? HEIGHT : FLOOR - 22;
  return el("svg", { viewBox: `0 0 ${wide} ${high}`, "aria-hidden": "true" }, nodes);
}
function way(kind, state) {
  return kind === "lost" && state.moving ? "open" : kind;
}
function kindOf(kind, state, find) {
  const n = state.counts[kind], { sign, word, means } = state.kinds[kind];
  const ids = state.ids[kind].slice(0, SHOWN);
  return el(
    "section",
    { class: `kl-lg-kind kl-lg-way-${way(kind, state)}${n ? "" : " kl-lg-none"}`, "data-kind": kind, "aria-label": `${n ? count(n) : "none"} ${word}` },
    el("h4", {}, el("span", { class: "kl-lg-sign", "aria-hidden": "true" }, n ? sign : "✓"), el("span", {}, n ? ` ${count(n)} ` : " none "), word),
    n ? el("p", { class: "kl-soft" }, means) : "",
    ids.length ? el(
      "ul",
      { class: "kl-lg-ids" },
      ids.map((id, i) => el("li", {}, el("button", { class: "kl-lg-id kl-mono", "data-key": `${kind} ${i}`, title: "what became of it?", onclick: () => find(id) }, el("bdi", {}, shorten(id, 28))))),
      n > ids.length ? el("li", { class: "kl-soft" }, `and ${count(n - ids.length)} more`) : ""
    ) : ""
  );
}
var view_default = {
  render: live("ledger", "Ledger of records", (page, { ask }) => {
    const title = el("h3", { class: "kl-lg-title" });
    const moving = el("span", { class: "kl-pill kl-lg-moving", hidden: true }, "◌ counting");
    const verdict = el("p", { class: "kl-lg-verdict", role: "status" });
    const flow = el("div", { class: "kl-lg-flow", tabindex: 0, role: "img" });
    const kinds = el("div", { class: "kl-lg-kinds" });
    const find = finder((id) => ask({ do: "find", id }));
    const signs = el("div", {});
    page.append(el("header", { class: "kl-lg-head" }, title, moving), verdict, el("div", { class: "kl-lg-both" }, flow, kinds), el("div", { class: "kl-lg-ask" }, find.form, find.told), signs);
    const rove = roving(kinds, ".kl-lg-id");
    return {
      draw(after, before) {
        find.state(after);
        const name = after.topic ? `Ledger of ${shorten(after.topic, 80)}` : "Ledger";
        if (title.textContent !== name) title.textContent = name;
        moving.hidden = !after.moving;
        if (verdict.dataset.text !== after.verdict) {
          verdict.dataset.text = after.verdict;
          verdict.replaceChildren(...after.said.flatMap(({ kind, sign, text }) => [el("span", { class: `kl-lg-said kl-lg-way-${kind}` }, el("b", { "aria-hidden": "true" }, `${sign} `), text), " "]));
        }
        if (changed(after, before, "flow", "counts", "moving")) {
          flow.setAttribute("aria-label", `sent ${after.counts.sent}, acknowledged ${after.counts.acknowledged}, seen ${after.counts.seen}. ${after.verdict}`);
          flow.replaceChildren(picture(after));
        }
        if (changed(after, before, "ids", "counts", "moving")) {
          const shown = Object.keys(after.kinds).filter((kind) => ALWAYS.includes(kind) || after.counts[kind]);
          refill(kinds, shown.map((kind) => kindOf(kind, after, find.ask)));
          rove();
        }
        if (changed(after, before, "kinds")) signs.replaceChildren(legend(Object.values(after.kinds).map(({ sign, word, means }) => [sign, [el("b", {}, word), ` ${means}`]])));
      },
      heard(message) {
        if (message.found) find.answer(message.found);
      }
    };
  })
};
export {
  view_default as default
};
