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
  let quiet = 0, since = Date.now(), next2 = SILENCE;
  const timer = setInterval(() => {
    if (++quiet < next2) return;
    next2 *= 2;
    silent(since);
  }, 1e3);
  return {
    /** To be called for every message that arrives. */
    heard() {
      [quiet, since, next2] = [0, Date.now(), SILENCE];
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
  const next2 = change(inner, rest, op);
  if (!Object.hasOwn(at, key)) return Object.fromEntries([...entries, [key, next2]]);
  return Object.fromEntries(Object.entries(at).map(([name, was]) => [name, name === key ? next2 : was]));
}

// predict/places.ts
var drafts = /* @__PURE__ */ new Map();
function places(first, { changed: changed2, say }) {
  let state = first;
  let draft = drafts.get(state.id) ?? empty(state);
  let carried = null;
  let focused = [0, NOWHERE];
  const root = el("div", { class: `kl-predict-places${state.kind === "order" ? " kl-in-order" : ""}` });
  const drag = dragging(root, { begun: () => drop(), dropped: (chip, from, to) => put(chip, from, to) });
  const name = (chip) => state.chips[chip].name || "(empty)";
  const where = (place) => placeName(state, place);
  function keep(after) {
    draft = after;
    drafts.set(state.id, draft);
    changed2(draft);
  }
  function put(chip, from, to) {
    if (state.phase !== "open") return;
    if (from === to || state.several && draft[chip].includes(to)) return;
    focused = [chip, to];
    keep(moved(state, draft, chip, from, to));
    render(true);
    say(`${name(chip)}: ${where(to)}.`);
  }
  function pick(chip, from) {
    carried = { chip, from, at: from, draft };
    render(true);
    say(`${name(chip)} is picked up. Arrow keys choose the place, Enter puts it down, Escape puts it back.`);
  }
  function carry(step) {
    const { chip, from, at: at2 } = carried;
    const to = next(state, carried?.draft ?? draft, chip, at2, step);
    carried = { ...carried, at: to };
    draft = moved(state, carried.draft, chip, from, to);
    focused = [chip, to];
    render(true);
    say(`${name(chip)} over ${where(to)}.`);
  }
  function drop(back = false) {
    if (!carried) return;
    const { chip, from, at: at2, draft: before } = carried;
    carried = null;
    focused = [chip, back ? from : at2];
    keep(back ? before : draft);
    render(true);
    say(back ? `${name(chip)} is back: ${where(from)}.` : `${name(chip)}: ${where(at2)}.`);
  }
  const at = (node) => [Number(node.getAttribute("data-chip")), Number(node.getAttribute("data-place"))];
  const chips = () => [...root.querySelectorAll("button.kl-predict-chip")];
  function focusOn(node) {
    if (!node) return;
    for (const chip of chips()) chip.tabIndex = chip === node ? 0 : -1;
    focused = at(node);
    node.focus();
  }
  root.addEventListener("keydown", (event) => {
    const node = event.target.closest("button.kl-predict-chip");
    if (!node || state.phase !== "open" || event.ctrlKey || event.metaKey || event.altKey) return;
    const [chip, place] = at(node);
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (event.key === "Enter" || event.key === " ") carried ? drop() : pick(chip, place);
    else if (event.key === "Escape" && carried) drop(true);
    else if (step && carried) carry(step);
    else if ((event.key === "Delete" || event.key === "Backspace") && !carried && place !== NOWHERE) put(chip, place, NOWHERE);
    else if (step || event.key === "Home" || event.key === "End") {
      const all = chips();
      const i = all.indexOf(node);
      focusOn(all[event.key === "Home" ? 0 : event.key === "End" ? all.length - 1 : Math.min(all.length - 1, Math.max(0, i + (step ?? 0)))]);
    } else return;
    event.preventDefault();
  });
  root.addEventListener("click", (event) => {
    if (state.phase !== "open" || drag.justDropped()) return;
    const target = event.target;
    const place = target.closest("[data-here]");
    const chip = target.closest("button.kl-predict-chip");
    if (carried && place) {
      const { chip: moving, from, at: now } = carried;
      carried = { ...carried, at: Number(place.dataset.here) };
      if (Number(place.dataset.here) === now && chip && at(chip)[0] !== moving) return void drop();
      if (state.several && carried.draft[moving].includes(carried.at) && carried.at !== from) return void drop(true);
      draft = moved(state, carried.draft, moving, from, carried.at);
      drop();
    } else if (chip) pick(...at(chip));
  });
  root.addEventListener("focusin", (event) => {
    const node = event.target.closest("button.kl-predict-chip");
    if (node) focused = at(node);
  });
  function box(place) {
    const open = state.phase === "open";
    const was = state.verdict?.was_at;
    const held = was ? marked(state.guess, was, place) : state.chips.flatMap((_, chip) => (place === NOWHERE ? state.several && open || !shown()[chip].length : shown()[chip].includes(place)) ? [{ chip, sign: "" }] : []);
    const elsewhere = was && place === NOWHERE ? state.verdict.elsewhere : [];
    const title = place === NOWHERE ? open && state.kind === "order" ? "to be put in order" : state.several && open ? "take from here" : where(NOWHERE) : where(place);
    if (place === NOWHERE && !open && !held.length) return null;
    return el(
      "div",
      { class: `kl-predict-place${place === NOWHERE ? " kl-nowhere" : ""}${carried?.at === place ? " kl-over" : ""}`, "data-here": place, role: "group", "aria-label": `${title}: ${held.length} chips` },
      el("div", { class: "kl-predict-place-name" }, el("bdi", {}, title)),
      el("div", { class: "kl-predict-held" }, held.map(({ chip, sign }) => {
        const words = `${name(chip)}, ${title}`;
        const gone = elsewhere[chip]?.length ? `: it was ${elsewhere[chip].join(", ")}` : "";
        if (!open) return el("span", { class: "kl-predict-chip", "data-chip": chip, "data-place": place, role: "img", "aria-label": sign ? `${words}: ${SIGNS[sign][1]}` : words, title: sign ? `${SIGNS[sign][1]}${gone}` : null }, face(state.chips[chip], sign));
        const up = carried?.chip === chip && carried.at === place;
        return el("button", { class: `kl-predict-chip${up ? " kl-up" : ""}`, type: "button", "data-chip": chip, "data-place": place, "aria-label": words, "aria-pressed": String(up), tabindex: -1 }, face(state.chips[chip]));
      }))
    );
  }
  const shown = () => state.phase === "open" ? draft : state.guess ?? empty(state);
  function render(refocus = false) {
    const before = new Map(chips().map((node) => [node.dataset.chip, node.getBoundingClientRect()]));
    const row = el("div", { class: "kl-predict-row-of-places" }, [...state.places.keys()].map(box));
    root.replaceChildren(...[box(NOWHERE), row].filter((one) => one !== null));
    if (state.phase !== "open") return;
    const all = chips();
    const held = all.find((node) => at(node).join() === focused.join()) ?? all[0];
    if (held) held.tabIndex = 0;
    if (refocus) held?.focus();
    const old = before.get(held?.dataset.chip);
    if (refocus && held && old && !reducedMotion()) glide(held, old, 180, "ease-out");
  }
  changed2(draft);
  render();
  return {
    root,
    draft: () => {
      drop();
      return draft;
    },
    draw(now) {
      state = now;
      if (state.phase !== "open") carried = null;
      render(root.contains(document.activeElement));
    },
    end: () => drag.end()
  };
}
var NOWHERE = -1;
function empty(offered) {
  return offered.chips.map(() => []);
}
function moved(offered, draft, chip, from, to) {
  if (from === to) return draft;
  const after = draft.map((at) => [...at]);
  if (offered.kind === "order" && to !== NOWHERE) {
    const other = after.findIndex((at) => at[0] === to);
    if (other >= 0) after[other] = from === NOWHERE ? [] : [from];
  }
  const kept = offered.several ? after[chip].filter((place) => place !== from) : [];
  after[chip] = to === NOWHERE ? kept : [.../* @__PURE__ */ new Set([...kept, to])].sort((a, b) => a - b);
  return after;
}
function next(offered, draft, chip, at, step) {
  const n = offered.places.length + 1;
  const taken = offered.several ? draft[chip].filter((place2) => place2 !== at) : [];
  let place = at;
  for (let i = 0; i < n; i++) {
    place = (place + 1 + step + n) % n - 1;
    if (!taken.includes(place)) return place;
  }
  return at;
}
function placeName(offered, place) {
  return place === NOWHERE ? offered.nowhere ?? "not placed" : offered.places[place];
}
function ready(offered, draft) {
  return offered.kind === "order" ? draft.every((at) => at.length === 1) : draft.some((at) => at.length > 0);
}
function marked(guess, was, place) {
  const stands = (at) => place === NOWHERE ? at.length === 0 : at.includes(place);
  return was.flatMap((at, chip) => {
    const [said, is] = [guess ? stands(guess[chip]) : false, stands(at)];
    if (!guess) return is ? [{ chip, sign: "was" }] : [];
    return said || is ? [{ chip, sign: said && is ? "right" : said ? "wrong" : "missing" }] : [];
  });
}
function typedNumber(typed2) {
  const plain = typed2.replace(/[\s\u202f\u00a0']/g, "").replace(",", ".");
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i.test(plain)) return null;
  const n = Number(plain);
  return Number.isFinite(n) && Math.abs(n) <= 1e15 ? n : null;
}
var FAR = 5;
function dragging(root, { begun, dropped }) {
  let now = null;
  let dragged = false;
  function place(event) {
    const under = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-here]");
    return under && root.contains(under) ? under : null;
  }
  function start(event) {
    dragged = false;
    const node = event.target.closest("button.kl-predict-chip");
    if (node && event.button === 0 && event.isPrimary) now = { node, id: event.pointerId, x: event.clientX, y: event.clientY, ghost: null, over: null };
  }
  function move(event) {
    if (!now || event.pointerId !== now.id) return;
    if (!now.ghost) {
      if (Math.hypot(event.clientX - now.x, event.clientY - now.y) < FAR) return;
      begun();
      const { chip, place: from } = now.node.dataset;
      now.node = root.querySelector(`button[data-chip="${chip}"][data-place="${from}"]`) ?? now.node;
      now.ghost = now.node.firstElementChild?.cloneNode(true);
      now.ghost.classList.add("kl-predict-ghost");
      now.ghost.setAttribute("aria-hidden", "true");
      root.append(now.ghost);
      now.node.classList.add("kl-dragged");
    }
    event.preventDefault();
    const base = root.getBoundingClientRect();
    now.ghost.style.left = `${event.clientX - base.left}px`;
    now.ghost.style.top = `${event.clientY - base.top}px`;
    const over = place(event);
    if (over !== now.over) {
      now.over?.classList.remove("kl-over");
      over?.classList.add("kl-over");
      now.over = over;
    }
  }
  function stop(event) {
    if (!now || event.pointerId !== now.id) return;
    const { node, ghost } = now;
    const to = event.type === "pointerup" && ghost ? place(event) : null;
    now.over?.classList.remove("kl-over");
    ghost?.remove();
    node.classList.remove("kl-dragged");
    now = null;
    dragged = ghost !== null;
    if (to) dropped(Number(node.dataset.chip), Number(node.dataset.place), Number(to.dataset.here));
  }
  root.addEventListener("pointerdown", start);
  document.addEventListener("pointermove", move);
  document.addEventListener("pointerup", stop);
  document.addEventListener("pointercancel", stop);
  return {
    justDropped: () => dragged,
    end() {
      document.removeEventListener("pointermove", move);
      document.removeEventListener("pointerup", stop);
      document.removeEventListener("pointercancel", stop);
    }
  };
}
var SIGNS = { right: ["✓", "right"], wrong: ["✗", "you said so, and it was not"], missing: ["◌", "it was so, and you did not say it"], was: ["", "it was so"] };
function face(chip, sign) {
  const hue = chip.hue;
  const colours = hue === null ? {} : { "--kl-c": partitionColour(hue), "--kl-on": partitionInk(hue) };
  return el(
    "span",
    { class: `kl-predict-face${hue === null ? "" : " kl-hued"}${sign ? ` kl-is-${sign}` : ""}`, style: colours },
    sign && SIGNS[sign][0] ? el("span", { class: "kl-predict-sign", "aria-hidden": "true" }, SIGNS[sign][0]) : null,
    el("bdi", {}, chip.name || "(empty)")
  );
}

// predict/view.ts
var typed = /* @__PURE__ */ new Map();
var pressed = /* @__PURE__ */ new Map();
function build(page, { ask }) {
  let state;
  let board = null;
  const question = el("span", { class: "kl-predict-question", tabindex: -1 });
  const [answer, under, verdict, signs] = ["answer", "under", "verdict", "signs"].map((name) => el("div", { class: `kl-predict-${name}` }));
  const told = el("span", { class: "kl-predict-told", role: "status" });
  const show = el("button", { class: "kl-button kl-predict-show", type: "button", hidden: "", onclick: () => {
    pressed.set(state.id, performance.now());
    ask({ do: "reveal" });
  } }, "just show me");
  const heard = el("span", { class: "kl-hidden", role: "log", "aria-live": "polite" });
  page.append(el("div", { class: "kl-predict-row" }, question, answer, told, show), under, verdict, signs, heard);
  function lock(guess) {
    if (state.phase !== "open" || !state.live) return;
    pressed.set(state.id, performance.now());
    ask({ do: "lock", guess });
  }
  function lockButton(guess) {
    return el("button", { class: "kl-button kl-predict-lock", type: "button", "aria-disabled": "true", onclick: (event) => {
      if (event.currentTarget.getAttribute("aria-disabled") !== "true") lock(guess());
    } }, "lock it");
  }
  const able = (button, may) => button.setAttribute("aria-disabled", String(!(may && state.live)));
  function choices() {
    const was = state.verdict ? state.verdict.was_at : null;
    return el(
      "div",
      { class: "kl-predict-choices", role: "group", "aria-label": "the answers to choose from" },
      state.choices.map((words, i) => {
        const mine = state.guess === i;
        const sign = was === i ? mine ? "✓ " : "◌ " : mine && state.verdict ? "✗ " : mine ? "▸ " : "";
        return el("button", {
          class: `kl-button kl-predict-choice${mine ? " kl-mine" : ""}${was === i ? " kl-so" : ""}`,
          type: "button",
          "aria-pressed": String(mine),
          "aria-disabled": String(!mine && (state.phase !== "open" || !state.live)),
          onclick: () => lock(i)
        }, el("span", { "aria-hidden": "true" }, sign), el("bdi", {}, words), was === i && !mine ? el("span", { class: "kl-hidden" }, "it was this") : null);
      })
    );
  }
  function number() {
    if (state.phase !== "open") return state.guess === null ? null : el("b", { class: "kl-predict-said" }, state.said);
    const button = lockButton(() => typedNumber(input.value));
    const input = el("input", { class: "kl-predict-input", type: "text", inputmode: "decimal", autocomplete: "off", "aria-label": `your number${state.unit ? `, in ${state.unit}` : ""}`, value: typed.get(state.id) ?? "" });
    const hint = el("span", { class: "kl-soft" });
    const weigh = () => {
      typed.set(state.id, input.value);
      const fine = typedNumber(input.value) !== null;
      able(button, fine);
      input.setAttribute("aria-invalid", String(!fine && input.value.trim() !== ""));
      hint.textContent = fine || !input.value.trim() ? state.rule : "not a number";
    };
    input.addEventListener("input", weigh);
    input.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      button.focus();
    });
    weigh();
    return el("span", { class: "kl-predict-number" }, input, el("bdi", {}, state.unit), button, hint);
  }
  function arrangement(now) {
    if (now.phase !== "open") under.querySelector(".kl-predict-do")?.remove();
    if (board) return board.draw(now);
    const button = lockButton(() => board?.draft());
    board = places(now, { changed: (draft) => able(button, ready(state, draft)), say: (words) => heard.replaceChildren(words) });
    answer.remove();
    under.append(board.root);
    if (now.phase === "open") under.append(el("div", { class: "kl-predict-do" }, button, el("span", { class: "kl-soft" }, `Drag the chips, or click one and then a place. By keyboard: Enter picks a chip up, arrow keys choose its place, Enter puts it down${now.several ? ", Delete takes one away. A chip can stand in several places" : ""}.`)));
    return void 0;
  }
  function status() {
    if (state.locked !== null) return `locked at ${clock.ofDay(state.locked)}`;
    if (state.verdict) return "no prediction was made";
    if (!state.live) return "not locked";
    if (state.held) return "the result is in: make your guess first";
    return state.kind === "choice" ? "choose, then run on: the first choice stays" : "lock it, then run on";
  }
  function happened() {
    const { right, head, off, because, at, parts, scale, was } = state.verdict;
    const dot = (text) => text && !/[.!?…]$/.test(text) ? `${text}.` : text;
    const moment = at === null ? "" : ` Computed from the cluster's state at ${clock.ofDay(at)}.`;
    return [
      scale ? ruler(scale, state.said, was) : null,
      el("p", { class: "kl-predict-head" }, el("b", { class: right === null ? "" : right ? "kl-ok-text" : "kl-bad-text" }, dot(head)), ` ${[off, dot(shorten(because, 1e3))].filter(Boolean).join(" ")}`, el("span", { class: "kl-soft" }, moment)),
      parts.length ? partTable(parts) : null
    ].filter((one) => one !== null);
  }
  function partTable(parts) {
    const guessed = parts[0].right !== null;
    const says = parts.some((part) => part.says);
    const heads = ["part", ...guessed ? ["you said"] : [], "it was", ...says ? ["the cluster says"] : []];
    return el(
      "div",
      { class: "kl-predict-parts", tabindex: 0, role: "region", "aria-label": "part by part" },
      table({}, heads, parts.map((part) => el(
        "tr",
        {},
        el("th", { scope: "row" }, part.right === null ? "" : part.right ? "✓ " : "✗ ", el("bdi", {}, part.name)),
        guessed ? el("td", {}, el("bdi", {}, part.said), part.gap ? el("span", { class: "kl-soft" }, ` ${shorten(part.gap, 200)}`) : null) : null,
        el("td", {}, el("b", {}, el("bdi", {}, part.was))),
        says ? el("td", { class: "kl-soft" }, shorten(part.says, 300)) : null
      )))
    );
  }
  return {
    draw(now, before) {
      const first = state === void 0;
      state = now;
      const had = answer.contains(document.activeElement) || under.contains(document.activeElement);
      if (first) question.append(el("b", {}, "Predict, then run. "), el("span", {}, shorten(now.question, 2e3)));
      if (now.kind === "choice") answer.replaceChildren(choices());
      else if (now.kind === "number" && changed(now, before, "phase", "live")) answer.replaceChildren(...[number()].filter((one) => one !== null));
      else if (now.kind === "arrangement" || now.kind === "order") arrangement(now);
      page.dataset.phase = now.phase;
      show.hidden = !(now.held && now.live && now.phase === "open");
      page.classList.toggle("kl-right", now.verdict?.right === true);
      page.classList.toggle("kl-wrong", now.verdict?.right === false);
      const words = status();
      if (told.textContent !== words) told.replaceChildren(words);
      if (changed(now, before, "verdict")) verdict.replaceChildren(...now.verdict ? happened() : []);
      signs.replaceChildren(...now.verdict && board ? [legend(["right", "wrong", "missing"].map((sign) => [SIGNS[sign][0], SIGNS[sign][1]]))] : []);
      const turned = now.phase !== "open" && (!before || before.phase === "open");
      if (turned && (had || performance.now() - (pressed.get(now.id) ?? -1e9) < 5e3)) focusSoon(question);
    },
    end: () => board?.end()
  };
}
function focusSoon(node, frames = 60) {
  if (document.activeElement !== null && document.activeElement !== document.body) return;
  if (node.isConnected) node.focus({ preventScroll: true });
  if (frames > 0) requestAnimationFrame(() => focusSoon(node, frames - 1));
}
function ruler(scale, said, was) {
  const words = `you said ${said}; it was ${was}`;
  return el(
    "div",
    { class: "kl-predict-ruler", role: "img", "aria-label": words },
    el("div", { class: "kl-predict-track" }),
    el("div", { class: "kl-predict-band", style: { left: `${scale.from}%`, width: `${Math.max(0.4, scale.to - scale.from)}%` } }),
    scale.ticks.map(([at, word]) => el("div", { class: "kl-predict-tick", style: { left: `${at}%` } }, el("span", {}, word))),
    mark("kl-said", "▼", `you said ${said}`, scale.guess),
    mark("kl-was", "▲", `it was ${was}`, scale.was)
  );
}
function mark(kind, sign, words, at) {
  const late = at > 60;
  return el(
    "div",
    { class: `kl-predict-mark ${kind}${late ? " kl-late" : ""}`, style: late ? { right: `${100 - at}%` } : { left: `${at}%` } },
    late ? [words, " ", el("b", {}, sign)] : [el("b", {}, sign), " ", words]
  );
}
var view_default = { render: live("predict", "A prediction", build) };
export {
  view_default as default
};
