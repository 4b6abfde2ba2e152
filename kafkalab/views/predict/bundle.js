// shared.js
var SVG = /* @__PURE__ */ new Set(["svg", "g", "path", "line", "rect", "circle", "ellipse", "polyline", "polygon", "text", "tspan", "title", "defs", "pattern"]), PALETTE = 12;
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
    signs.map(([sign, meaning]) => el("li", {}, el("span", { class: "kl-sign", "aria-hidden": "true" }, sign), " ", meaning))
  );
}
var two = (n) => String(n).padStart(2, "0"), clock = {
  /** Formats a number of seconds since something: "+3.12 s", "+2:05 min", "−0.40 s". @param {number} seconds */
  since(seconds) {
    let sign = seconds <= -5e-3 ? "−" : "+", size = Math.abs(seconds);
    return size < 99.995 ? `${sign}${size.toFixed(2)} s` : `${sign}${clock.long(Math.round(size))}`;
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
function shorten(text, limit = 40) {
  let plain = String(text).replace(/[\t\n\r\v\f]+/g, " ").replace(/[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g, "�"), letters = Array.from(plain);
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
  let now = node.getBoundingClientRect(), [x, y] = [from.left - now.left, from.top - now.top];
  Math.abs(x) + Math.abs(y) > 2 && node.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], { duration, easing });
}
function changed(now, before, ...names) {
  return !before || names.some((name) => now[name] !== before[name]);
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
  let quiet = 0, since = Date.now(), next2 = SILENCE, timer = setInterval(() => {
    ++quiet < next2 || (next2 *= 2, silent(since));
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
  let inner = Object.hasOwn(at, key) ? at[key] : void 0, next2 = change(inner, rest, op);
  return Object.hasOwn(at, key) ? Object.fromEntries(Object.entries(at).map(([name, was]) => [name, name === key ? next2 : was])) : Object.fromEntries([...entries, [key, next2]]);
}

// predict/places.js
var drafts = (
  /** @type {Map<string, Draft>} */
  /* @__PURE__ */ new Map()
);
function places(first, { changed: changed2, say }) {
  let state = first, draft = drafts.get(state.id) ?? empty(state), carried = null, focused = [0, NOWHERE], root = el("div", { class: `kl-predict-places${state.kind === "order" ? " kl-in-order" : ""}` }), drag = dragging(root, { begun: () => drop(), dropped: (chip, from, to) => put(chip, from, to) }), name = (chip) => state.chips[chip].name || "(empty)", where = (place) => placeName(state, place);
  function keep(after) {
    draft = after, drafts.set(state.id, draft), changed2(draft);
  }
  function put(chip, from, to) {
    state.phase === "open" && (from === to || state.several && draft[chip].includes(to) || (focused = [chip, to], keep(moved(state, draft, chip, from, to)), render(!0), say(`${name(chip)}: ${where(to)}.`)));
  }
  function pick(chip, from) {
    carried = { chip, from, at: from, draft }, render(!0), say(`${name(chip)} is picked up. Arrow keys choose the place, Enter puts it down, Escape puts it back.`);
  }
  function carry(step) {
    let { chip, from, at: at2 } = (
      /** @type {Carried} */
      carried
    ), to = next(state, carried?.draft ?? draft, chip, at2, step);
    carried = { .../** @type {Carried} */
    carried, at: to }, draft = moved(state, carried.draft, chip, from, to), focused = [chip, to], render(!0), say(`${name(chip)} over ${where(to)}.`);
  }
  function drop(back = !1) {
    if (!carried) return;
    let { chip, from, at: at2, draft: before } = carried;
    carried = null, focused = [chip, back ? from : at2], keep(back ? before : draft), render(!0), say(back ? `${name(chip)} is back: ${where(from)}.` : `${name(chip)}: ${where(at2)}.`);
  }
  let at = (node) => [Number(node.getAttribute("data-chip")), Number(node.getAttribute("data-place"))], chips = () => (
    /** @type {HTMLElement[]} */
    [...root.querySelectorAll("button.kl-predict-chip")]
  );
  function focusOn(node) {
    if (node) {
      for (let chip of chips()) chip.tabIndex = chip === node ? 0 : -1;
      focused = at(node), node.focus();
    }
  }
  root.addEventListener("keydown", (event) => {
    let node = (
      /** @type {HTMLElement} */
      event.target.closest("button.kl-predict-chip")
    );
    if (!node || state.phase !== "open" || event.ctrlKey || event.metaKey || event.altKey) return;
    let [chip, place] = at(node), step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (event.key === "Enter" || event.key === " ") carried ? drop() : pick(chip, place);
    else if (event.key === "Escape" && carried) drop(!0);
    else if (step && carried) carry(step);
    else if ((event.key === "Delete" || event.key === "Backspace") && !carried && place !== NOWHERE) put(chip, place, NOWHERE);
    else if (step || event.key === "Home" || event.key === "End") {
      let all = chips(), i = all.indexOf(
        /** @type {HTMLElement} */
        node
      );
      focusOn(all[event.key === "Home" ? 0 : event.key === "End" ? all.length - 1 : Math.min(all.length - 1, Math.max(0, i + (step ?? 0)))]);
    } else return;
    event.preventDefault();
  }), root.addEventListener("click", (event) => {
    if (state.phase !== "open" || drag.justDropped()) return;
    let target = (
      /** @type {HTMLElement} */
      event.target
    ), place = (
      /** @type {HTMLElement | null} */
      target.closest("[data-here]")
    ), chip = target.closest("button.kl-predict-chip");
    if (carried && place) {
      let { chip: moving, from, at: now } = carried;
      if (carried = { ...carried, at: Number(place.dataset.here) }, Number(place.dataset.here) === now && chip && at(chip)[0] !== moving) return void drop();
      if (state.several && carried.draft[moving].includes(carried.at) && carried.at !== from) return void drop(!0);
      draft = moved(state, carried.draft, moving, from, carried.at), drop();
    } else chip && pick(...at(chip));
  }), root.addEventListener("focusin", (event) => {
    let node = (
      /** @type {HTMLElement} */
      event.target.closest("button.kl-predict-chip")
    );
    node && (focused = at(node));
  });
  function box(place) {
    let open = state.phase === "open", was = state.verdict?.was_at, held = was ? marked(state.guess, was, place) : state.chips.flatMap((_, chip) => (place === NOWHERE ? state.several && open || !shown()[chip].length : shown()[chip].includes(place)) ? [{ chip, sign: "" }] : []), elsewhere = was && place === NOWHERE ? state.verdict.elsewhere : [], title = place === NOWHERE ? open && state.kind === "order" ? "to be put in order" : state.several && open ? "take from here" : where(NOWHERE) : where(place);
    return place === NOWHERE && !open && !held.length ? null : el(
      "div",
      { class: `kl-predict-place${place === NOWHERE ? " kl-nowhere" : ""}${carried?.at === place ? " kl-over" : ""}`, "data-here": place, role: "group", "aria-label": `${title}: ${held.length} chips` },
      el("div", { class: "kl-predict-place-name" }, el("bdi", {}, title)),
      el("div", { class: "kl-predict-held" }, held.map(({ chip, sign }) => {
        let words = `${name(chip)}, ${title}`, gone = elsewhere[chip]?.length ? `: it was ${elsewhere[chip].join(", ")}` : "";
        if (!open) return el("span", { class: "kl-predict-chip", "data-chip": chip, "data-place": place, role: "img", "aria-label": sign ? `${words}: ${SIGNS[sign][1]}` : words, title: sign ? `${SIGNS[sign][1]}${gone}` : null }, face(state.chips[chip], sign));
        let up = carried?.chip === chip && carried.at === place;
        return el("button", { class: `kl-predict-chip${up ? " kl-up" : ""}`, type: "button", "data-chip": chip, "data-place": place, "aria-label": words, "aria-pressed": String(up), tabindex: -1 }, face(state.chips[chip]));
      }))
    );
  }
  let shown = () => state.phase === "open" ? draft : state.guess ?? empty(state);
  function render(refocus = !1) {
    let before = new Map(chips().map((node) => [node.dataset.chip, node.getBoundingClientRect()])), row = el("div", { class: "kl-predict-row-of-places" }, [...state.places.keys()].map(box));
    if (root.replaceChildren(...[box(NOWHERE), row].filter((one) => one !== null)), state.phase !== "open") return;
    let all = chips(), held = all.find((node) => at(node).join() === focused.join()) ?? all[0];
    held && (held.tabIndex = 0), refocus && held?.focus();
    let old = before.get(held?.dataset.chip);
    refocus && held && old && !reducedMotion() && glide(held, old, 180, "ease-out");
  }
  return changed2(draft), render(), {
    root,
    draft: () => (drop(), draft),
    draw(now) {
      state = now, state.phase !== "open" && (carried = null), render(root.contains(document.activeElement));
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
  let after = draft.map((at) => [...at]);
  if (offered.kind === "order" && to !== NOWHERE) {
    let other = after.findIndex((at) => at[0] === to);
    other >= 0 && (after[other] = from === NOWHERE ? [] : [from]);
  }
  let kept = offered.several ? after[chip].filter((place) => place !== from) : [];
  return after[chip] = to === NOWHERE ? kept : [.../* @__PURE__ */ new Set([...kept, to])].sort((a, b) => a - b), after;
}
function next(offered, draft, chip, at, step) {
  let n = offered.places.length + 1, taken = offered.several ? draft[chip].filter((place2) => place2 !== at) : [], place = at;
  for (let i = 0; i < n; i++)
    if (place = (place + 1 + step + n) % n - 1, !taken.includes(place)) return place;
  return at;
}
function placeName(offered, place) {
  return place === NOWHERE ? offered.nowhere ?? "not placed" : offered.places[place];
}
function ready(offered, draft) {
  return offered.kind === "order" ? draft.every((at) => at.length === 1) : draft.some((at) => at.length > 0);
}
function marked(guess, was, place) {
  let stands = (at) => place === NOWHERE ? at.length === 0 : at.includes(place);
  return was.flatMap((at, chip) => {
    let [said, is] = [guess ? stands(guess[chip]) : !1, stands(at)];
    return guess ? said || is ? [{ chip, sign: said && is ? "right" : said ? "wrong" : "missing" }] : [] : is ? [{ chip, sign: "was" }] : [];
  });
}
function typedNumber(typed2) {
  let plain = typed2.replace(/[\s\u202f\u00a0']/g, "").replace(",", ".");
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i.test(plain)) return null;
  let n = Number(plain);
  return Number.isFinite(n) && Math.abs(n) <= 1e15 ? n : null;
}
var FAR = 5;
function dragging(root, { begun, dropped }) {
  let now = null, dragged = !1;
  function place(event) {
    let under = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-here]");
    return under && root.contains(under) ? (
      /** @type {HTMLElement} */
      under
    ) : null;
  }
  function start(event) {
    dragged = !1;
    let node = (
      /** @type {HTMLElement | null} */
      /** @type {HTMLElement} */
      event.target.closest("button.kl-predict-chip")
    );
    node && event.button === 0 && event.isPrimary && (now = { node, id: event.pointerId, x: event.clientX, y: event.clientY, ghost: null, over: null });
  }
  function move(event) {
    if (!now || event.pointerId !== now.id) return;
    if (!now.ghost) {
      if (Math.hypot(event.clientX - now.x, event.clientY - now.y) < FAR) return;
      begun();
      let { chip, place: from } = now.node.dataset;
      now.node = root.querySelector(`button[data-chip="${chip}"][data-place="${from}"]`) ?? now.node, now.ghost = /** @type {HTMLElement} */
      now.node.firstElementChild?.cloneNode(!0), now.ghost.classList.add("kl-predict-ghost"), now.ghost.setAttribute("aria-hidden", "true"), root.append(now.ghost), now.node.classList.add("kl-dragged");
    }
    event.preventDefault();
    let base = root.getBoundingClientRect();
    now.ghost.style.left = `${event.clientX - base.left}px`, now.ghost.style.top = `${event.clientY - base.top}px`;
    let over = place(event);
    over !== now.over && (now.over?.classList.remove("kl-over"), over?.classList.add("kl-over"), now.over = over);
  }
  function stop(event) {
    if (!now || event.pointerId !== now.id) return;
    let { node, ghost } = now, to = event.type === "pointerup" && ghost ? place(event) : null;
    now.over?.classList.remove("kl-over"), ghost?.remove(), node.classList.remove("kl-dragged"), now = null, dragged = ghost !== null, to && dropped(Number(node.dataset.chip), Number(node.dataset.place), Number(to.dataset.here));
  }
  return root.addEventListener("pointerdown", start), document.addEventListener("pointermove", move), document.addEventListener("pointerup", stop), document.addEventListener("pointercancel", stop), {
    justDropped: () => dragged,
    end() {
      document.removeEventListener("pointermove", move), document.removeEventListener("pointerup", stop), document.removeEventListener("pointercancel", stop);
    }
  };
}
var SIGNS = { right: ["✓", "right"], wrong: ["✗", "you said so, and it was not"], missing: ["◌", "it was so, and you did not say it"], was: ["", "it was so"] };
function face(chip, sign) {
  let hue = chip.hue, colours = hue === null ? {} : { "--kl-c": partitionColour(hue), "--kl-on": partitionInk(hue) };
  return el(
    "span",
    { class: `kl-predict-face${hue === null ? "" : " kl-hued"}${sign ? ` kl-is-${sign}` : ""}`, style: colours },
    sign && SIGNS[sign][0] ? el("span", { class: "kl-predict-sign", "aria-hidden": "true" }, SIGNS[sign][0]) : null,
    el("bdi", {}, chip.name || "(empty)")
  );
}

// predict/view.js
var typed = (
  /** @type {Map<string, string>} */
  /* @__PURE__ */ new Map()
), pressed = (
  /** @type {Map<string, number>} */
  /* @__PURE__ */ new Map()
);
function build(page, { ask }) {
  let state, board = null, question = el("span", { class: "kl-predict-question", tabindex: -1 }), [answer, under, verdict, signs] = ["answer", "under", "verdict", "signs"].map((name) => el("div", { class: `kl-predict-${name}` })), told = el("span", { class: "kl-predict-told", role: "status" }), show = el("button", { class: "kl-button kl-predict-show", type: "button", hidden: "", onclick: () => {
    pressed.set(state.id, performance.now()), ask({ do: "reveal" });
  } }, "just show me"), heard = el("span", { class: "kl-hidden", role: "log", "aria-live": "polite" });
  page.append(el("div", { class: "kl-predict-row" }, question, answer, told, show), under, verdict, signs, heard);
  function lock(guess) {
    state.phase !== "open" || !state.live || (pressed.set(state.id, performance.now()), ask({ do: "lock", guess }));
  }
  function lockButton(guess) {
    return el("button", { class: "kl-button kl-predict-lock", type: "button", "aria-disabled": "true", onclick: (event) => {
      /** @type {HTMLElement} */
      event.currentTarget.getAttribute("aria-disabled") !== "true" && lock(guess());
    } }, "lock it");
  }
  let able = (button, may) => button.setAttribute("aria-disabled", String(!(may && state.live)));
  function choices() {
    let was = state.verdict ? state.verdict.was_at : null;
    return el(
      "div",
      { class: "kl-predict-choices", role: "group", "aria-label": "the answers to choose from" },
      state.choices.map((words, i) => {
        let mine = state.guess === i, sign = was === i ? mine ? "✓ " : "◌ " : mine && state.verdict ? "✗ " : mine ? "▸ " : "";
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
    let button = lockButton(() => typedNumber(input.value)), input = el("input", { class: "kl-predict-input", type: "text", inputmode: "decimal", autocomplete: "off", "aria-label": `your number${state.unit ? `, in ${state.unit}` : ""}`, value: typed.get(state.id) ?? "" }), hint = el("span", { class: "kl-soft" }), weigh = () => {
      typed.set(state.id, input.value);
      let fine = typedNumber(input.value) !== null;
      able(button, fine), input.setAttribute("aria-invalid", String(!fine && input.value.trim() !== "")), hint.textContent = fine || !input.value.trim() ? state.rule : "not a number";
    };
    return input.addEventListener("input", weigh), input.addEventListener("keydown", (event) => {
      event.key === "Enter" && (event.preventDefault(), button.focus());
    }), weigh(), el("span", { class: "kl-predict-number" }, input, el("bdi", {}, state.unit), button, hint);
  }
  function arrangement(now) {
    if (now.phase !== "open" && under.querySelector(".kl-predict-do")?.remove(), board) return board.draw(now);
    let button = lockButton(() => board?.draft());
    board = places(now, { changed: (draft) => able(button, ready(state, draft)), say: (words) => heard.replaceChildren(words) }), answer.remove(), under.append(board.root), now.phase === "open" && under.append(el("div", { class: "kl-predict-do" }, button, el("span", { class: "kl-soft" }, `Drag the chips, or click one and then a place. By keyboard: Enter picks a chip up, arrow keys choose its place, Enter puts it down${now.several ? ", Delete takes one away. A chip can stand in several places" : ""}.`)));
  }
  function status() {
    return state.locked !== null ? `locked at ${clock.ofDay(state.locked)}` : state.verdict ? "no prediction was made" : state.live ? state.held ? "the result is in: make your guess first" : state.kind === "choice" ? "choose, then run on: the first choice stays" : "lock it, then run on" : "not locked";
  }
  function happened() {
    let { right, head, off, because, at, parts, scale, was } = state.verdict, dot = (text) => text && !/[.!?…]$/.test(text) ? `${text}.` : text, moment = at === null ? "" : ` Computed from the cluster's state at ${clock.ofDay(at)}.`;
    return [
      scale ? ruler(scale, state.said, was) : null,
      el("p", { class: "kl-predict-head" }, el("b", { class: right === null ? "" : right ? "kl-ok-text" : "kl-bad-text" }, dot(head)), ` ${[off, dot(shorten(because, 1e3))].filter(Boolean).join(" ")}`, el("span", { class: "kl-soft" }, moment)),
      parts.length ? partTable(parts) : null
    ].filter((one) => one !== null);
  }
  function partTable(parts) {
    let guessed = parts[0].right !== null, says = parts.some((part) => part.says), heads = ["part", ...guessed ? ["you said"] : [], "it was", ...says ? ["the cluster says"] : []];
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
      let first = state === void 0;
      state = now;
      let had = answer.contains(document.activeElement) || under.contains(document.activeElement);
      first && question.append(el("b", {}, "Predict, then run. "), el("span", {}, shorten(now.question, 2e3))), now.kind === "choice" ? answer.replaceChildren(choices()) : now.kind === "number" && changed(now, before, "phase", "live") ? answer.replaceChildren(...[number()].filter((one) => one !== null)) : (now.kind === "arrangement" || now.kind === "order") && arrangement(now), page.dataset.phase = now.phase, show.hidden = !(now.held && now.live && now.phase === "open"), page.classList.toggle("kl-right", now.verdict?.right === !0), page.classList.toggle("kl-wrong", now.verdict?.right === !1);
      let words = status();
      told.textContent !== words && told.replaceChildren(words), changed(now, before, "verdict") && verdict.replaceChildren(...now.verdict ? happened() : []), signs.replaceChildren(...now.verdict && board ? [legend(["right", "wrong", "missing"].map((sign) => [SIGNS[sign][0], SIGNS[sign][1]]))] : []), now.phase !== "open" && (!before || before.phase === "open") && (had || performance.now() - (pressed.get(now.id) ?? -1e9) < 5e3) && focusSoon(question);
    },
    end: () => board?.end()
  };
}
function focusSoon(node, frames = 60) {
  document.activeElement !== null && document.activeElement !== document.body || (node.isConnected && node.focus({ preventScroll: !0 }), frames > 0 && requestAnimationFrame(() => focusSoon(node, frames - 1)));
}
function ruler(scale, said, was) {
  let words = `you said ${said}; it was ${was}`;
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
  let late = at > 60;
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
