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

// live.js
function live(name, label, build) {
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
    }, view = guard(page, () => build(page, { model, ask })), draw = () => {
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

// progress/way.js
function beside(pathname, own, other) {
  let found = /\/lab(?:\/workspaces\/[^/]+)?\/tree\/(.+)$/.exec(pathname);
  if (!found || !own || !other) return null;
  let steps;
  try {
    steps = found[1].split("/").map(decodeURIComponent);
  } catch {
    return null;
  }
  return steps.pop() === own ? [...steps, other].join("/") : null;
}

// progress/view.js
var SIGNS = (
  /** @type {Record<string, [string, string]>} */
  { right: ["✓", "kl-pg-right"], wrong: ["✗", "kl-pg-wrong"], "not attempted": ["○", "kl-soft"], "could not be judged": ["?", "kl-soft"] }
);
function exercise(one) {
  let [sign, look] = SIGNS[one.outcome] ?? ["?", "kl-soft"];
  return el(
    "li",
    {},
    el("span", { class: `kl-pg-sign ${look}`, "aria-hidden": "true" }, sign),
    el("span", { class: "kl-pg-name" }, el("span", { class: "kl-mono" }, one.id), " ", shorten(one.title, 80)),
    el("span", { class: "kl-pg-words kl-soft" }, one.words),
    el("span", { class: "kl-pg-of kl-mono" }, `${one.points} of ${one.out_of}`, el("span", { class: "kl-hidden" }, " points"))
  );
}
function begun(labs) {
  let done = labs.filter((one) => one.points === one.out_of).length, minutes = labs.reduce((sum, one) => sum + (one.points === one.out_of ? 0 : one.minutes), 0);
  return `${done} of ${labs.length} labs done · about ${Math.max(1, Math.round(minutes / 60))} h to go`;
}
function lab(one, now) {
  let part = one.out_of ? 100 * one.points / one.out_of : 0;
  return el(
    "li",
    { class: one.here ? "kl-pg-here" : null, "aria-current": one.here ? "true" : null },
    el("span", { class: "kl-pg-lab" }, el("b", {}, one.number), " ", now.course && !one.here ? opener(now, one, shorten(one.title, 40)) : shorten(one.title, 40)),
    now.course ? el("span", { class: "kl-pg-can" }, `${one.minutes} min · afterwards you can ${shorten(one.can, 160)}`) : null,
    el("span", { class: "kl-pg-bar", "aria-hidden": "true" }, el("span", { style: { width: `${part}%` } })),
    el("span", { class: "kl-soft" }, one.words, one.here ? el("span", { class: "kl-hidden" }, ", this lab") : null)
  );
}
function following(now) {
  if (!now.next) return [];
  let name = `${now.next.number} · ${now.next.title}`, link = opener(now, now.next, name);
  return ["Next: ", link, link.tagName === "BUTTON" ? null : el("span", { class: "kl-soft" }, ` ${now.next.notebook}`)].filter((part) => part !== null);
}
function opener(now, one, name) {
  let where = () => beside(location.pathname, now.notebook, one.notebook);
  if (!where()) return el("b", {}, name);
  let link = el("button", { class: "kl-button", type: "button", title: one.notebook, onclick: () => {
    link.setAttribute("data-commandlinker-command", "docmanager:open"), link.setAttribute("data-commandlinker-args", JSON.stringify({ path: where() }));
  } }, name);
  return link;
}
var view_default = {
  render: live("progress", "Progress", (page) => {
    let title = el("h3", { class: "kl-pg-title" }), points = el("span", { class: "kl-pg-points", role: "status" }), list = el("ul", { class: "kl-pg-list", "aria-label": "exercises of this lab" }), labs = el("ol", { class: "kl-pg-labs", "aria-label": "labs of the course" }), next = el("p", { class: "kl-pg-next" }), foot = el("p", { class: "kl-pg-foot kl-soft" });
    return page.append(el("header", { class: "kl-pg-head" }, title, points), list, labs, next, foot), {
      draw(now, before) {
        page.classList.toggle("kl-pg-course", now.course), before || title.replaceChildren(now.course ? "The course" : `Lab ${now.lab}`, now.title && !now.course ? ` · ${shorten(now.title, 80)}` : "");
        let sum = now.course ? begun(now.labs) : `${now.points} of ${now.out_of} points`;
        points.textContent !== sum && points.replaceChildren(sum), !now.course && now.exercises !== before?.exercises && list.replaceChildren(...now.exercises.map(exercise)), now.labs !== before?.labs && labs.replaceChildren(...now.labs.map((one) => lab(one, now))), (!before || now.next?.notebook !== before.next?.notebook) && next.replaceChildren(...following(now)), foot.replaceChildren(...now.kept ? now.note ? [now.note] : ["Kept on this machine only; ", el("span", { class: "kl-mono" }, "kafkalab progress"), " lists it."] : ["Not kept: KAFKALAB_PROGRESS is off."]);
      }
    };
  })
};
export {
  view_default as default
};
