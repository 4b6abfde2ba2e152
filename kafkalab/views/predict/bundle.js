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

// predict/places.ts
var drafts = /* @__PURE__ */ new Map();
function places(first, changed2, say) {
  let state = first;
  let draft = drafts.get(state.id) ?? empty(state);
  let carried = null;
  let focused = [0, NOWHERE];
  const root = el("div", { class: `kl-predict-places${state.kind === "order" ? " kl-in-order" : ""}` });
  const name = (chip) => state.chips[chip].name || "(empty)";
  const where = (place) => place === NOWHERE ? state.nowhere : state.places[place];
  const at = (node) => [Number(node.dataset.chip), Number(node.dataset.place)];
  const chips = () => [...root.querySelectorAll("button.kl-predict-chip")];
  function put2(chip, from, to, before = draft) {
    if (state.phase !== "open") return;
    const back = from === to || state.several && before[chip].includes(to);
    carried = null;
    draft = back ? before : moved(state, before, chip, from, to);
    drafts.set(state.id, draft);
    changed2(draft);
    focused = [chip, back ? from : to];
    render(true);
    say(back ? `${name(chip)} is back: ${where(from)}.` : `${name(chip)}: ${where(to)}.`);
  }
  function pick(chip, from) {
    carried = { chip, from, at: from, before: draft };
    render(true);
    say(`${name(chip)} is picked up. Arrow keys choose the place, Enter puts it down, Escape puts it back.`);
  }
  function carry({ chip, from, at: at2, before }, step) {
    const to = next(state, before, chip, at2, step);
    carried = { chip, from, at: to, before };
    draft = moved(state, before, chip, from, to);
    focused = [chip, to];
    render(true);
    say(`${name(chip)} over ${where(to)}.`);
  }
  function drop() {
    if (carried) put2(carried.chip, carried.from, carried.at, carried.before);
  }
  root.addEventListener("keydown", (event) => {
    const node = chipOf(event);
    if (!node || state.phase !== "open" || event.ctrlKey || event.metaKey || event.altKey) return;
    const [chip, place] = at(node);
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const all = chips();
    const to = walked(event.key, all.indexOf(node), all.length - 1);
    const hand = event.key === "Enter" || event.key === " ";
    if (hand && !carried) pick(chip, place);
    else if (hand) drop();
    else if (event.key === "Escape" && carried) put2(carried.chip, carried.from, carried.from, carried.before);
    else if (step && carried) carry(carried, step);
    else if ((event.key === "Delete" || event.key === "Backspace") && !carried && place !== NOWHERE) put2(chip, place, NOWHERE);
    else if (to !== void 0) all[to].focus();
    else return;
    event.preventDefault();
  });
  root.addEventListener("click", (event) => {
    const [chip, place] = [chipOf(event), placeOf(event.target)];
    if (carried && place) put2(carried.chip, carried.from, Number(place.dataset.here), carried.before);
    else if (chip) pick(...at(chip));
  });
  root.addEventListener("focusin", (event) => {
    const node = chipOf(event);
    if (!node) return;
    for (const chip of chips()) chip.tabIndex = chip === node ? 0 : -1;
    focused = at(node);
  });
  draggable(root, drop, (chip, place) => put2(...at(chip), Number(place.dataset.here)));
  function box(place) {
    const [open, nowhere] = [state.phase === "open", place === NOWHERE];
    const stands = open ? draft : state.guess ?? empty(state);
    const here = (chip) => nowhere ? state.several && open || !stands[chip].length : stands[chip].includes(place);
    const held = [...state.chips.keys()].filter(here);
    if (nowhere && !open && !held.length) return null;
    const title = nowhere && open && state.kind === "order" ? "to be put in order" : nowhere && open && state.several ? "take from here" : where(place);
    return el(
      "div",
      { class: `kl-predict-place${nowhere ? " kl-nowhere" : ""}${carried?.at === place ? " kl-over" : ""}`, "data-here": place, role: "group", "aria-label": `${title}: ${held.length} chips` },
      el("div", { class: "kl-predict-place-name" }, el("bdi", {}, title)),
      el("div", { class: "kl-predict-held" }, held.map((chip) => {
        const words = `${name(chip)}, ${title}`;
        const up = carried?.chip === chip && carried.at === place;
        if (open) return el("button", { class: `kl-predict-chip${up ? " kl-up" : ""}`, type: "button", "data-chip": chip, "data-place": place, "aria-label": words, "aria-pressed": String(up), tabindex: -1 }, face(state.chips[chip]));
        return el("span", { class: "kl-predict-chip", role: "img", "aria-label": words }, face(state.chips[chip]));
      }))
    );
  }
  function render(refocus = false) {
    const before = new Map(chips().map((node) => [node.dataset.chip, node.getBoundingClientRect()]));
    const row = el("div", { class: "kl-predict-row-of-places" }, [...state.places.keys()].map(box));
    root.replaceChildren(...[box(NOWHERE), row].filter((one) => one !== null));
    const all = chips();
    const held = all.find((node) => at(node).join() === focused.join()) ?? all[0];
    if (!held) return;
    held.tabIndex = 0;
    if (!refocus) return;
    held.focus();
    const old = before.get(held.dataset.chip);
    if (old && !reducedMotion()) glide(held, old, 180, "ease-out");
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
    }
  };
}
var chipOf = (event) => event.target.closest("button.kl-predict-chip");
var placeOf = (target) => target?.closest("[data-here]") ?? null;
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
function ready(offered, draft) {
  return offered.kind === "order" ? draft.every((at) => at.length === 1) : draft.some((at) => at.length > 0);
}
function typedNumber(typed2) {
  const plain = typed2.replace(/[\s']/g, "").replace(",", ".");
  const n = /^[-+.\de]+$/i.test(plain) ? Number(plain) : NaN;
  return Math.abs(n) <= 1e15 ? n : null;
}
var FAR = 5;
function draggable(root, begun, dropped) {
  let pressed2 = null;
  let over = null;
  root.addEventListener("pointerdown", (event) => {
    const chip = chipOf(event);
    if (!chip || event.button !== 0 || !event.isPrimary) return;
    pressed2 = { chip, x: event.clientX, y: event.clientY };
    chip.setPointerCapture(event.pointerId);
  });
  root.addEventListener("pointermove", (event) => {
    if (!pressed2 || !event.isPrimary || !event.buttons) return;
    const [x, y] = [event.clientX - pressed2.x, event.clientY - pressed2.y];
    if (!root.hasPointerCapture(event.pointerId)) {
      if (Math.hypot(x, y) < FAR) return;
      begun();
      const { chip, place } = pressed2.chip.dataset;
      pressed2.chip = root.querySelector(`button[data-chip="${chip}"][data-place="${place}"]`) ?? pressed2.chip;
      pressed2.chip.classList.add("kl-dragged");
      root.setPointerCapture(event.pointerId);
    }
    event.preventDefault();
    pressed2.chip.style.translate = `${x}px ${y}px`;
    const under = placeOf(document.elementFromPoint(event.clientX, event.clientY));
    over?.classList.remove("kl-over");
    over = under && root.contains(under) ? under : null;
    over?.classList.add("kl-over");
  });
  const end = (event) => {
    if (!pressed2 || !event.isPrimary) return;
    const [{ chip }, place] = [pressed2, over];
    pressed2 = over = null;
    place?.classList.remove("kl-over");
    chip.classList.remove("kl-dragged");
    chip.style.removeProperty("translate");
    if (place && event.type === "pointerup") dropped(chip, place);
  };
  root.addEventListener("pointerup", end);
  root.addEventListener("pointercancel", end);
}
function face({ name, hue }) {
  const colours = hue === null ? {} : { "--kl-c": partitionColour(hue), "--kl-on": partitionInk(hue) };
  return el("span", { class: `kl-predict-face${hue === null ? "" : " kl-hued"}`, style: colours }, el("bdi", {}, name || "(empty)"));
}

// predict/view.ts
var typed = /* @__PURE__ */ new Map();
var pressed = /* @__PURE__ */ new Map();
function build(page, { ask }) {
  let state;
  let board = null;
  const question = el("span", { class: "kl-predict-question", tabindex: -1 });
  const [answer, under, verdict] = ["answer", "under", "verdict"].map((name) => el("div", { class: `kl-predict-${name}` }));
  const told = el("span", { class: "kl-predict-told", role: "status" });
  const show = el("button", { class: "kl-button kl-predict-show", type: "button", hidden: "", onclick: () => {
    pressed.set(state.id, performance.now());
    ask({ do: "reveal" });
  } }, "just show me");
  const heard = el("span", { class: "kl-hidden", role: "log", "aria-live": "polite" });
  page.append(el("div", { class: "kl-predict-row" }, question, answer, told, show), under, verdict, heard);
  function lock(guess) {
    if (state.phase !== "open") return;
    pressed.set(state.id, performance.now());
    ask({ do: "lock", guess });
  }
  function lockButton(guess) {
    return el("button", { class: "kl-button kl-predict-lock", type: "button", "aria-disabled": "true", onclick: (event) => {
      if (event.currentTarget.getAttribute("aria-disabled") !== "true") lock(guess());
    } }, "lock it");
  }
  const able = (button, may) => button.setAttribute("aria-disabled", String(!may));
  function choices() {
    return el(
      "div",
      { class: "kl-predict-choices", role: "group", "aria-label": "the answers to choose from" },
      state.choices.map((words, i) => {
        const mine = state.guess === i;
        return el("button", {
          class: `kl-button kl-predict-choice${mine ? " kl-mine" : ""}`,
          type: "button",
          "aria-pressed": String(mine),
          "aria-disabled": String(!mine && state.phase !== "open"),
          onclick: () => lock(i)
        }, el("span", { "aria-hidden": "true" }, mine ? "▸ " : ""), el("bdi", {}, words));
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
    board = places(now, (draft) => able(button, ready(state, draft)), (words) => heard.replaceChildren(words));
    answer.remove();
    under.append(board.root);
    if (now.phase === "open") under.append(el("div", { class: "kl-predict-do" }, button, el("span", { class: "kl-soft" }, `Drag the chips, or click one and then a place. By keyboard: Enter picks a chip up, arrow keys choose its place, Enter puts it down${now.several ? ", Delete takes one away. A chip can stand in several places" : ""}.`)));
    return void 0;
  }
  function status() {
    if (state.locked !== null) return `locked at ${clock.ofDay(state.locked)}`;
    if (state.verdict) return "no prediction was made";
    if (state.held) return "the result is in: make your guess first";
    return state.kind === "choice" ? "choose, then run on: the first choice stays" : "lock it, then run on";
  }
  function happened({ right, head, off, because }) {
    const sentence = (text) => text && !/[.!?…]$/.test(text) ? `${text}.` : text;
    return el("p", {}, el("b", { class: right === null ? "" : right ? "kl-ok-text" : "kl-bad-text" }, sentence(head)), ` ${[off, sentence(shorten(because, 1e3))].filter(Boolean).join(" ")}`);
  }
  return {
    draw(now, before) {
      state = now;
      const had = answer.contains(document.activeElement) || under.contains(document.activeElement);
      if (!before) question.append(el("b", {}, "Predict, then run. "), el("span", {}, shorten(now.question, 2e3)));
      if (now.kind === "choice") answer.replaceChildren(choices());
      else if (now.kind === "number" && changed(now, before, "phase")) answer.replaceChildren(...[number()].filter((one) => one !== null));
      else if (now.kind === "arrangement" || now.kind === "order") arrangement(now);
      page.dataset.phase = now.phase;
      show.hidden = !(now.held && now.phase === "open");
      const words = status();
      if (told.textContent !== words) told.replaceChildren(words);
      if (changed(now, before, "verdict") && now.verdict) verdict.replaceChildren(happened(now.verdict));
      const turned = now.phase !== "open" && (!before || before.phase === "open");
      if (turned && (had || performance.now() - (pressed.get(now.id) ?? -1e9) < 5e3)) focusSoon(question);
    }
  };
}
function focusSoon(node, frames = 60) {
  if (document.activeElement !== null && document.activeElement !== document.body) return;
  if (node.isConnected) node.focus({ preventScroll: true });
  if (frames > 0) requestAnimationFrame(() => focusSoon(node, frames - 1));
}
var view_default = { render: live("predict", "A prediction", build) };
export {
  view_default as default
};
