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
function table(attrs, heads, rows, caption = "") {
  return el(
    "table",
    attrs,
    caption && el("caption", {}, caption),
    el("thead", {}, el("tr", {}, heads.map((word) => el("th", { scope: "col" }, word)))),
    el("tbody", {}, rows)
  );
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
function news() {
  let last;
  return (...from) => {
    if (last && last.length === from.length && last.every((value, i) => value === from[i])) return false;
    last = from;
    return true;
  };
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

// durability/words.ts
var ACKS = ["0", "1", "all"];
var LEAST = [1, 2, 3];
function nameOf(acks, least, up, fault) {
  return `a${acks}-m${least}-u${up}-${fault[0]}`;
}
function strip(cell) {
  return cell.spells.flatMap((spell) => {
    const told = spell.errors.reduce((sum, error) => sum + error.times, 0);
    const rest = spell.sent - spell.acknowledged, refused = cell.state === "running" ? told : rest;
    const parts = Object.entries({ kept: spell.acknowledged - spell.lost, lost: spell.lost, refused, open: rest - refused });
    return parts.filter(([, n]) => n > 0).map(([kind, n]) => ({ kind, count: n, spell: spell.name }));
  });
}

// durability/view.ts
function grids(box, choose) {
  const shown = /* @__PURE__ */ new Map();
  const anew = news();
  let now;
  const rove = roving(box, "[data-cell]", (key, at, all) => {
    const row2 = all.filter((one) => one.dataset.acks === at.dataset.acks), column = all.filter((one) => one.dataset.column === at.dataset.column);
    const [x, y] = [row2.indexOf(at), column.indexOf(at)];
    const to = { ArrowRight: row2[x + 1], ArrowLeft: row2[x - 1], ArrowDown: column[y + 1], ArrowUp: column[y - 1], Home: row2[0], End: row2.at(-1) };
    return to[key];
  });
  box.addEventListener("focusin", (event) => {
    const name = event.target.closest("[data-cell]")?.dataset.cell;
    if (name) choose(name);
  });
  function draw(picture, fault, here) {
    if (anew(fault, picture.ups)) {
      const held = box.contains(document.activeElement);
      shown.clear();
      box.replaceChildren(...picture.ups.map((up) => grid(picture, up, fault)));
      if (held) shown.get(here)?.focus();
    } else {
      for (const [name, node] of shown) if (picture.cells[name] !== now?.cells[name]) fill(node, picture.cells[name], picture);
    }
    now = picture;
    for (const [name, node] of shown) node.ariaSelected = String(name === here);
    rove(shown.get(here));
  }
  function grid(picture, up, fault) {
    const rows = ACKS.filter((acks) => LEAST.some((least) => nameOf(acks, least, up, fault) in picture.cells));
    const title = `${up} of 3 brokers up`;
    return el(
      "section",
      { class: "kl-dm-grid-panel", "data-up": up },
      el("h4", { class: "kl-dm-grid-title" }, el("span", {}, title), brokers(up)),
      el(
        "div",
        { class: "kl-dm-grid", role: "grid", "aria-label": title },
        el(
          "div",
          { class: "kl-dm-grid-row kl-dm-grid-heads", role: "row" },
          el("span", { class: "kl-dm-grid-corner", role: "columnheader" }, el("span", { class: "kl-hidden" }, "acks")),
          LEAST.map((least) => el("span", { class: "kl-dm-grid-head", role: "columnheader" }, el("small", {}, "min.insync."), el("small", {}, "replicas="), el("b", {}, least)))
        ),
        rows.map((acks) => el(
          "div",
          { class: "kl-dm-grid-row", role: "row" },
          el("span", { class: "kl-dm-grid-side", role: "rowheader" }, el("small", {}, "acks="), el("b", {}, acks)),
          LEAST.map((least) => {
            const name = nameOf(acks, least, up, fault);
            if (!(name in picture.cells)) return el("span", { class: "kl-dm-cell-none", role: "gridcell" });
            const node = el("div", { role: "gridcell", tabindex: -1, "data-cell": name, "data-acks": acks, "data-column": `${up} ${least}` });
            shown.set(name, node);
            fill(node, picture.cells[name], picture);
            return node;
          })
        ))
      )
    );
  }
  return { draw };
}
function fill(node, cell, picture) {
  const { acks, min_insync: least, brokers_up: up, fault } = cell;
  const other = picture.cells[nameOf(acks, least, up, fault === "killed" ? "disk lost" : "killed")];
  const differs = other?.state === "done" && cell.state === "done" && (other.verdict !== cell.verdict || other.lost !== cell.lost);
  const before = node.dataset.verdict;
  node.className = `kl-dm-cell kl-dm-verdict-${cell.verdict.replace(" ", "-")}${before && before !== cell.verdict && cell.state === "done" ? " kl-dm-cell-fresh" : ""}`;
  node.dataset.verdict = cell.verdict;
  node.replaceChildren(
    el("span", { class: "kl-hidden" }, `acks=${acks}, min.insync.replicas=${least}, ${up} of 3 brokers up: `),
    el("span", { class: "kl-dm-cell-said" }, el("span", { class: "kl-dm-cell-sign", "aria-hidden": "true" }, cell.sign), " ", cell.said),
    el("span", { class: "kl-dm-strip", "aria-hidden": "true" }, strip(cell).map((part) => el("span", { class: `kl-dm-strip-${part.kind}`, style: { "flex-grow": part.count }, title: `${count(part.count)} ${part.kind === "open" ? "not answered yet" : part.kind}: ${part.spell}` }))),
    cell.acknowledged === null ? "" : el("span", { class: "kl-dm-cell-counts" }, el("span", {}, `${count(cell.acknowledged)} ${acks === "0" ? "sent" : "acked"}`), " ", cell.seen === null ? "" : el("span", {}, `${count(cell.seen)} seen`)),
    differs ? el("span", { class: "kl-dm-cell-other" }, fault === "killed" ? "disk lost: " : "comes back: ", `${other.sign} ${count((other.verdict === "lost" ? other.lost : other.acknowledged) ?? 0)}`) : ""
  );
}
function brokers(up) {
  const marks = [["♛", "leader", "leads"], ...Array.from({ length: up - 1 }, () => ["●", "follower", "follows"]), ...Array.from({ length: 3 - up }, () => ["✕", "down", "down"])];
  return el("span", { class: "kl-dm-brokers", "aria-hidden": "true" }, marks.map(([sign, words, kind]) => el("span", { class: `kl-dm-broker-mark kl-dm-broker-${kind}`, title: words }, sign)));
}
var SPELLS = {
  calm: "while all is calm",
  "followers stand still": "while the followers stand still",
  "leader stands still": "while the leader stands still, too"
};
function story(box, cell, steps, { faults, records }) {
  const { acks, min_insync: least, brokers_up: up, fault } = cell;
  const zero = acks === "0";
  const counted = cell.sent === null ? [el("p", { class: "kl-soft" }, `Nothing has been sent here yet; a run sends ${count(records)} records.`)] : [
    el("dl", { class: "kl-dm-counts" }, counts(cell, zero)),
    el(
      "div",
      { class: "kl-dm-scroll", tabindex: 0, role: "region", "aria-label": "what the producer was told" },
      table(
        { class: "kl-dm-spells" },
        ["records sent", "sent", zero ? "handed over" : "acknowledged", "lost", "the rest, verbatim"],
        cell.spells.map((spell) => row(spell, up, cell)),
        "What the producer was told"
      )
    )
  ];
  box.replaceChildren(
    el("h4", { class: "kl-dm-story-title" }, el("code", {}, `acks=${acks}`), " · ", el("code", {}, `min.insync.replicas=${least}`), ` · ${up} of 3 brokers up · leader ${faults[fault]}`),
    el("p", { class: `kl-dm-story-verdict kl-dm-verdict-${cell.verdict.replace(" ", "-")}` }, el("b", {}, `${cell.sign} ${cell.said}`), cell.why ? ` ${shorten(cell.why, 400)}` : ""),
    el(
      "div",
      { class: "kl-dm-columns" },
      el(
        "div",
        {},
        counted,
        cell.lost ? el("p", { class: "kl-dm-lost-ids" }, el("b", {}, `✗ ${count(cell.lost)} lost, by id: `), el("span", { class: "kl-mono" }, shorten(cell.lost_words, 400))) : ""
      ),
      steps.length ? el("details", { class: "kl-dm-steps", open: true }, el("summary", {}, "What was done"), el("ol", {}, steps.map((line) => el("li", {}, shorten(line, 300))))) : ""
    )
  );
}
function counts(cell, zero) {
  const rows = [["sent", cell.sent], [zero ? "handed over" : "acknowledged", cell.acknowledged], ["not acknowledged", cell.refused], ["seen", cell.seen], ["lost", cell.lost], ["duplicated", cell.duplicated]];
  return rows.map(([word, n]) => el("div", { class: word === "lost" && n ? "kl-dm-count kl-dm-count-bad" : "kl-dm-count" }, el("dt", {}, word), el("dd", {}, n === null ? "–" : count(n), word === "lost" && n ? " ✗" : word === "lost" && n === 0 ? " ✓" : "")));
}
function row(spell, up, cell) {
  const alone = up === 1 && spell.name === "followers stand still";
  const rest = spell.sent - spell.acknowledged;
  const told = spell.errors.map((error) => `${count(error.times)} × ${shorten(error.said || error.error, 160)}`);
  const open = cell.state === "running" && rest > 0 && !told.length ? ["no answer yet"] : [];
  return el(
    "tr",
    {},
    el("th", { scope: "row" }, alone ? "still alone" : SPELLS[spell.name] ?? shorten(spell.name)),
    el("td", {}, count(spell.sent)),
    el("td", {}, count(spell.acknowledged)),
    el("td", {}, cell.state === "done" ? count(spell.lost) : "–"),
    el("td", { class: "kl-dm-told" }, [...told, ...open].map((line) => el("div", {}, line)))
  );
}
var view_default = {
  render: live("durability", "Durability matrix", (page, { ask }) => {
    let state;
    let fault = "";
    let chosen = "";
    const group = `kl-dm-${Math.random()}`;
    const anew = news();
    const title = el("h3", { class: "kl-dm-title" }, "What can be lost?");
    const what = el("span", { class: "kl-soft" });
    const run = el("button", { class: "kl-button kl-dm-run", onclick: () => run.ariaDisabled !== "true" && ask({ do: state?.running ? "halt" : "run" }) }, "run it");
    const summary = el("p", { class: "kl-dm-summary", role: "status" });
    const bar = el("span", { class: "kl-dm-bar-done" });
    const step = el("span", { class: "kl-dm-step" });
    const progress = el("div", { class: "kl-dm-progress", hidden: true }, el("span", { class: "kl-dm-bar", "aria-hidden": "true" }, bar), step);
    const faults = el("fieldset", { class: "kl-dm-faults" });
    const box = el("div", { class: "kl-dm-grids" });
    const below = el("section", { class: "kl-panel kl-dm-story", "aria-label": "the chosen cell" });
    const signs = legend([
      ["✓", "every acknowledged record was seen"],
      ["✗", "acknowledged, and lost"],
      ["⊘", "nothing was acknowledged: refused"],
      ["○", "not run"],
      [el("span", { class: "kl-dm-strip kl-dm-strip-key" }, el("span", { class: "kl-dm-strip-kept" }), el("span", { class: "kl-dm-strip-lost" }), el("span", { class: "kl-dm-strip-refused" })), "the records in the order they were sent: kept, lost, not acknowledged"],
      ["♛", "leader"],
      ["●", "follower in the ISR"],
      ["✕", "broker that is down"]
    ]);
    page.append(el("header", { class: "kl-dm-head" }, title, what, run), summary, progress, faults, box, below, signs);
    const matrix = grids(box, (name) => {
      if (name !== chosen) show(fault, name);
    });
    function choice() {
      faults.hidden = Object.keys(state.faults).length < 2;
      faults.replaceChildren(el("legend", { class: "kl-soft" }, "the leader is"), ...Object.entries(state.faults).map(([one, words]) => el(
        "label",
        { class: "kl-dm-fault-choice" },
        el("input", { type: "radio", name: group, value: one, checked: one === fault, onchange: () => {
          const { acks, min_insync: least, brokers_up: up } = state.cells[chosen];
          show(one, nameOf(acks, least, up, one));
        } }),
        " ",
        words
      )));
    }
    function show(of, name) {
      const mine = Object.keys(state.cells).filter((one) => state.cells[one].fault === of);
      fault = of;
      chosen = mine.includes(name) ? name : mine.find((one) => state.cells[one].acks === "1") ?? mine[0] ?? "";
      const words = state.summaries[fault] ?? state.summary;
      if (summary.textContent !== words) summary.textContent = words;
      matrix.draw(state, fault, chosen);
      const cell = state.cells[chosen];
      if (!cell) return below.replaceChildren();
      const steps = state.rounds[cell.brokers_up];
      if (!anew(cell, steps)) return void 0;
      const open = below.querySelector("details")?.open ?? true;
      story(below, cell, steps ?? [], state);
      below.querySelector("details")?.toggleAttribute("open", open);
      return void 0;
    }
    return {
      draw(after, before) {
        state = after;
        if (!(fault in state.faults)) fault = Object.keys(state.faults)[0] ?? "killed";
        what.textContent = `acks × min.insync.replicas × brokers up · ${state.records} records a cell${state.cluster ? ` · ${shorten(state.cluster, 40)}` : ""}${state.mode ? `, ${state.mode === "kraft" ? "KRaft" : "ZooKeeper"}` : ""}`;
        run.hidden = !state.live;
        run.textContent = state.running ? "end it" : "run it";
        run.title = state.running ? "ends at the next step, heals the cluster and deletes its topics" : "stops, pauses and kills brokers of this cluster, and heals it: about 10 s for each number of brokers up";
        progress.hidden = !state.running;
        bar.style.width = `${Math.min(100, 100 * state.progress.done / Math.max(1, state.progress.of))}%`;
        step.textContent = shorten(state.progress.step, 200);
        if (before?.faults !== state.faults) choice();
        show(fault, chosen);
      }
    };
  })
};
export {
  view_default as default
};
