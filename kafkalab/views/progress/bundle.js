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

// progress/way.ts
function beside(pathname, own, other) {
  const found = /\/lab(?:\/workspaces\/[^/]+)?\/tree\/(.+)$/.exec(pathname);
  if (!found || !own || !other) return null;
  let steps;
  try {
    steps = found[1].split("/").map(decodeURIComponent);
  } catch {
    return null;
  }
  return steps.pop() === own ? [...steps, other].join("/") : null;
}

// progress/view.ts
var SIGNS = { right: ["✓", "kl-pg-right"], wrong: ["✗", "kl-pg-wrong"], "not attempted": ["○", "kl-soft"], "could not be judged": ["?", "kl-soft"] };
function exercise(one) {
  const [sign, look] = SIGNS[one.outcome];
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
  const left = labs.filter((one) => one.points !== one.out_of);
  const minutes = left.reduce((sum, one) => sum + one.minutes, 0);
  return `${labs.length - left.length} of ${labs.length} labs done · about ${Math.max(1, Math.round(minutes / 60))} h to go`;
}
function lab(one, own, course) {
  const part = one.out_of ? 100 * one.points / one.out_of : 0;
  return el(
    "li",
    { class: one.here ? "kl-pg-here" : null, "aria-current": one.here ? "true" : null },
    el("span", { class: "kl-pg-lab" }, el("b", {}, one.number), " ", course && !one.here ? opener(own, one, shorten(one.title, 40)) : shorten(one.title, 40)),
    course ? el("span", { class: "kl-pg-can" }, `${one.minutes} min · afterwards you can ${shorten(one.can, 160)}`) : null,
    el("span", { class: "kl-pg-bar", "aria-hidden": "true" }, el("span", { style: { width: `${part}%` } })),
    el("span", { class: "kl-soft" }, one.words, one.here ? el("span", { class: "kl-hidden" }, ", this lab") : null)
  );
}
function after(own, one) {
  if (!one) return [];
  const link = opener(own, one, `${one.number} · ${one.title}`);
  return ["Next: ", link, ...link.tagName === "BUTTON" ? [] : [el("span", { class: "kl-soft" }, ` ${one.notebook}`)]];
}
function opener(own, one, name) {
  const where = () => beside(location.pathname, own.notebook, one.notebook);
  if (!where()) return el("b", {}, name);
  const link = el("button", { class: "kl-button", type: "button", title: one.notebook, onclick: () => {
    link.setAttribute("data-commandlinker-command", "docmanager:open");
    link.setAttribute("data-commandlinker-args", JSON.stringify({ path: where() }));
  } }, name);
  return link;
}
var view_default = {
  render: live("progress", "Progress", (page) => {
    const title = el("h3", { class: "kl-pg-title" });
    const points = el("span", { class: "kl-pg-points", role: "status" });
    const list = el("ul", { class: "kl-pg-list", "aria-label": "exercises of this lab" });
    const labs = el("ol", { class: "kl-pg-labs", "aria-label": "labs of the course" });
    const next = el("p", { class: "kl-pg-next" });
    const foot = el("p", { class: "kl-pg-foot kl-soft" });
    page.append(el("header", { class: "kl-pg-head" }, title, points), list, labs, next, foot);
    return {
      draw(now, before) {
        const here = now.labs.findIndex((one) => one.here);
        const own = now.labs[here];
        page.classList.toggle("kl-pg-course", now.course);
        if (!before) title.replaceChildren(now.course ? "The course" : `Lab ${own.number} · ${shorten(own.title, 80)}`);
        const sum = now.course ? begun(now.labs) : `${own.points} of ${own.out_of} points`;
        if (points.textContent !== sum) points.replaceChildren(sum);
        if (!now.course && now.exercises !== before?.exercises) list.replaceChildren(...now.exercises.map(exercise));
        if (now.labs !== before?.labs) {
          labs.replaceChildren(...now.labs.map((one) => lab(one, own, now.course)));
          next.replaceChildren(...after(own, now.labs[here + 1]));
        }
        foot.replaceChildren(...!now.kept ? ["Not kept: KAFKALAB_PROGRESS is off."] : now.note ? [now.note] : ["Kept on this machine only; ", el("span", { class: "kl-mono" }, "kafkalab progress"), " lists it."]);
      }
    };
  })
};
export {
  view_default as default
};
