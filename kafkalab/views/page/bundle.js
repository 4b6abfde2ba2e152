// ../state/events.json
var events_default = {
  you: { means: "something the learner did", sign: "▸", tone: "you", lane: "you", weight: 6 },
  error: { means: "something the learner asked for could not be done", sign: "⚠", tone: "bad", lane: "you", weight: 4 },
  capture_failed: { means: "the state of the cluster could not be read", sign: "⚠", tone: "bad", lane: "brokers", weight: 4 },
  capture_recovered: { means: "the state of the cluster can be read again", sign: "✓", tone: "ok", lane: "brokers", weight: 1 },
  quorum_node_down: { means: "a ZooKeeper server, or a KRaft controller that is not a broker too, stopped answering", sign: "✕", tone: "bad", lane: "brokers", weight: 4 },
  quorum_node_up: { means: "a ZooKeeper server, or such a controller, answers again", sign: "●", tone: "ok", lane: "brokers", weight: 1 },
  quorum_leader_moved: { means: "the ZooKeeper ensemble has another leader", sign: "◆", tone: "lead", lane: "partitions", weight: 3 },
  broker_down: { means: "a broker is no longer registered in the cluster", sign: "✕", tone: "bad", lane: "brokers", weight: 4 },
  broker_up: { means: "a broker that was down is registered again", sign: "●", tone: "ok", lane: "brokers", weight: 1 },
  broker_added: { means: "a broker that was never seen before is registered", sign: "●", tone: "ok", lane: "brokers", weight: 1 },
  controller_moved: { means: "the cluster has another controller (in KRaft: another active controller), or none", sign: "◆", tone: "lead", lane: "brokers", weight: 3 },
  topic_deleted: { means: "a topic was deleted", sign: "−", tone: "plain", lane: "partitions", weight: 0 },
  topic_created: { means: "a topic was created", sign: "+", tone: "plain", lane: "partitions", weight: 0 },
  partitions_added: { means: "a topic got more partitions", sign: "+", tone: "plain", lane: "partitions", weight: 0 },
  replicas_moved: { means: "a partition's replicas were reassigned", sign: "⇄", tone: "plain", lane: "partitions", weight: 0 },
  leader_lost: { means: "a partition has no leader any more, so clients can neither read it nor write to it", sign: "✕", tone: "bad", lane: "partitions", weight: 4 },
  leader_moved: { means: "a partition has another leader", sign: "♛", tone: "lead", lane: "partitions", weight: 3 },
  leader_elected: { means: "a partition without a leader has one again", sign: "♛", tone: "lead", lane: "partitions", weight: 3 },
  isr_shrank: { means: "replicas fell out of sync", sign: "◌", tone: "warn", lane: "partitions", weight: 2 },
  isr_changed: { means: "some replicas fell out of sync while others came back", sign: "◌", tone: "warn", lane: "partitions", weight: 2 },
  isr_grew: { means: "replicas are in sync again", sign: "●", tone: "ok", lane: "partitions", weight: 1 },
  group_gone: { means: "a consumer group no longer exists", sign: "−", tone: "plain", lane: "groups", weight: 0 },
  group_created: { means: "a new consumer group was seen", sign: "+", tone: "plain", lane: "groups", weight: 0 },
  group_state: { means: "a group's state changed; it is Unknown while its coordinator cannot be asked", sign: "⇄", tone: "plain", lane: "groups", weight: 0 },
  member_left: { means: "a member is no longer in its group", sign: "−", tone: "plain", lane: "groups", weight: 0 },
  member_joined: { means: "a new member joined its group", sign: "+", tone: "plain", lane: "groups", weight: 0 },
  rebalanced: { means: "a group's partitions are shared out differently", sign: "⇄", tone: "plain", lane: "groups", weight: 0 },
  rewound: { means: "a group's committed offsets went back", sign: "↶", tone: "plain", lane: "groups", weight: 0 },
  committed: { means: "a group's committed offsets went forward", sign: "·", tone: "plain", lane: "groups", weight: 0 },
  named: { means: "a moment that was given a name", sign: "★", tone: "you", lane: "you", weight: 5 }
};

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
  return node.append(...children.flat(1 / 0).filter((c) => c != null && c !== !1 && c !== "").map((c) => c instanceof Node ? c : String(c))), node;
}
function guard(root, fn) {
  try {
    let result = fn();
    return result instanceof Promise ? result.catch((error) => showError(root, error)) : result;
  } catch (error) {
    showError(root, error);
    return;
  }
}
function showError(root, error) {
  console.error(error);
  let message = error instanceof Error ? error.message : String(error), shown = [...root.querySelectorAll(":scope > .kl-error")];
  if (shown.length >= 3 || shown.some((node) => node.dataset.message === message)) return;
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
function shorten(text, limit = 40) {
  let plain = String(text).replace(/[\t\n\r\v\f]+/g, " ").replace(/[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g, "�"), letters = Array.from(plain);
  return letters.length <= limit ? plain : `${letters.slice(0, limit - 9).join("")}…${letters.slice(-8).join("")}`;
}
var OTHER = { means: "something else", sign: "·", tone: "plain", lane: "partitions", weight: 0 };
function kindOf(name) {
  return Object.hasOwn(events_default, name) ? (
    /** @type {Record<string, Kind>} */
    events_default[name]
  ) : OTHER;
}

// timeline/playhead.js
var browser = () => ({ now: () => performance.now(), frame: (f) => requestAnimationFrame(f), cancel: (id) => cancelAnimationFrame(id) });
function playhead({ seconds, at = 0, speed = 1, moved, time = browser() }) {
  let stand = { at: within(at), playing: !1, speed, live: !1, heard: 0 }, stepped = 0, frame = null;
  function within(value) {
    let moment = Number(value);
    return Number.isFinite(moment) ? Math.min(Math.max(0, moment), seconds) : 0;
  }
  function move(change2) {
    stand = { ...stand, ...change2 }, !stand.playing && frame !== null ? (time.cancel(frame), frame = null) : stand.playing && frame === null && (frame = time.frame(step)), moved(stand);
  }
  function step() {
    frame = null;
    let now = time.now(), next = stand.at + (now - stepped) / 1e3 * stand.speed;
    stepped = now, move(next >= seconds ? { at: seconds, playing: !1 } : { at: next });
  }
  let verbs = {
    /** Goes to a moment, and plays on from there if it was playing. @param {number} moment @param {number} [heard] */
    seek(moment, heard = stand.heard) {
      stepped = time.now(), move({ at: within(moment), heard });
    },
    /** Plays from here, or from a moment; at the end it starts over. @param {{ speed?: number, at?: number, heard?: number }} [how] */
    play({ speed: wanted = stand.speed, at: from = stand.at, heard = stand.heard } = {}) {
      stepped = time.now();
      let fast = Number.isFinite(Number(wanted)) ? Math.min(1e3, Math.max(0.05, Number(wanted))) : stand.speed, begin2 = within(from);
      move({ at: begin2 >= seconds ? 0 : begin2, speed: fast, playing: !0, heard });
    },
    /** @param {number} [heard] */
    pause(heard = stand.heard) {
      move({ playing: !1, heard });
    },
    /** Sets the speed, for now or for the next time. @param {number} wanted @param {number} [heard] */
    pace(wanted, heard = stand.heard) {
      let fast = Math.min(1e3, Math.max(0.05, Number(wanted) || stand.speed));
      move({ speed: fast, heard });
    }
  };
  return {
    ...verbs,
    /** The present state. */
    get stand() {
      return stand;
    },
    /** Carries out a request of the bar; returns whether a playhead can do it. @param {any} message */
    answer(message) {
      let heard = Number(message?.when) || stand.heard;
      if (message?.do === "seek") verbs.seek(message.at, heard);
      else if (message?.do === "play") verbs.play({ speed: message.speed, at: message.at, heard });
      else if (message?.do === "pause") verbs.pause(heard);
      else if (message?.do === "pace") verbs.pace(message.speed, heard);
      else if (message?.do === "live")
        verbs.pause(heard), verbs.seek(seconds, heard);
      else return !1;
      return !0;
    },
    /** Stops all further moves. */
    end() {
      frame !== null && time.cancel(frame), frame = null;
    }
  };
}

// page/model.js
function pageModel(traits, asked) {
  let values = { ...traits }, listeners = {}, told2 = (event, ...what) => {
    for (let listener of listeners[event] ?? []) listener(...what);
  };
  return {
    get: (name) => values[name],
    /** Sets a trait and calls its listeners, unless the value is the same. @param {string} name @param {any} value */
    set(name, value) {
      values[name] !== value && (values[name] = value, told2(`change:${name}`));
    },
    /** Delivers a message to the view, as a kernel would. @param {any} message */
    tell: (message) => told2("msg:custom", message),
    save_changes() {
    },
    on(event, listener) {
      listeners[event] = [...listeners[event] ?? [], listener];
    },
    off(event, listener) {
      listeners[event] = (listeners[event] ?? []).filter((one) => one !== listener);
    },
    send: asked
  };
}

// live.js
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
  let [key, ...rest2] = path;
  if (Array.isArray(at)) return at.map((element, i) => i === key ? change(element, rest2, op) : element);
  let gone = kind === "del" && rest2.length === 0, entries = Object.entries(at).filter(([name]) => name !== key);
  if (gone) return Object.fromEntries(entries);
  let inner = Object.hasOwn(at, key) ? at[key] : void 0, next = change(inner, rest2, op);
  return Object.hasOwn(at, key) ? Object.fromEntries(Object.entries(at).map(([name, was]) => [name, name === key ? next : was])) : Object.fromEntries([...entries, [key, next]]);
}

// page/told.js
var KEPT_EVERY = 25, NEAR = 60;
async function unpack(text) {
  let bytes = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0)), stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}
function placeOf(times, at) {
  let low = 0, high = times.length;
  for (; low < high; ) {
    let middle = low + high >> 1;
    times[middle] <= at ? low = middle + 1 : high = middle;
  }
  return Math.max(0, low - 1);
}
var Told = class {
  /** @param {Packed} packed */
  constructor({ at, first, patches }) {
    this.times = at, this.patches = patches, this.kept = /* @__PURE__ */ new Map([[0, first]]), this.near = 0, this.state = first;
  }
  /** @param {number} at milliseconds since the recording began */
  at(at) {
    let wanted = placeOf(this.times, at);
    if (wanted === this.near) return this.state;
    let ahead = wanted - this.near, begin2 = this.near;
    if (ahead < 0 || ahead > NEAR) {
      for (let place of this.kept.keys()) place <= wanted && (begin2 > wanted || place > begin2) && (begin2 = place);
      begin2 !== this.near && (this.state = this.kept.get(begin2));
    }
    for (let place = begin2 + 1; place <= wanted; place++)
      this.state = patched(this.state, this.patches[place - 1]), place % KEPT_EVERY === 0 && this.kept.set(place, this.state);
    return this.near = wanted, this.state;
  }
};

// page/answers.js
function look(held, message) {
  let found = [];
  for (let [p, [from, to]] of Object.entries(message.windows ?? {})) {
    let windows = held.flatMap((one) => Object.hasOwn(one, p) ? [one[p]] : []).filter((one) => one.from < to && one.to > from);
    if (!windows.length) continue;
    let begin2 = Math.max(from, windows[0].from), end = Math.min(to, windows[windows.length - 1].to), within = (offset) => offset >= begin2 && offset < end, blank = windows.flatMap((one) => one.blank ?? []).map(([a, b]) => (
      /** @type {[number, number]} */
      [Math.max(a, begin2), Math.min(b, end)]
    )).filter(([a, b]) => a < b);
    found.push([p, { from: begin2, to: end, cells: windows.flatMap((one) => one.cells.filter((cell) => within(cell[0]))), ...blank.length ? { blank } : {} }]);
  }
  return found.length ? { windows: Object.fromEntries(found), id: message.id } : null;
}

// page/shelf.js
var QUIET = /* @__PURE__ */ new Set(["whole", "gone", "see", "look", "lanes"]), Shelf = class {
  /**
   * @param {HTMLElement} section holds the tables of the first view until that view is drawn
   * @param {Entry[]} entries the views of one kind
   * @param {(tools: { model: any, el: HTMLElement }) => any} render
   * @param {{ at: number, presenter: boolean }} stand the moment that the page shows
   */
  constructor(section, entries, render, stand) {
    this.section = section, this.entries = entries, this.render = render, this.stand = stand, this.visible = !1, this.shown = /* @__PURE__ */ new Map(), this.opening = /* @__PURE__ */ new Map(), this.panels = entries.map((entry, i) => el("div", { class: "kl-page-panel", id: `${entry.id}-panel`, hidden: i > 0 })), this.said = el("p", { class: "kl-page-said kl-hidden", role: "status" }), this.chosen = 0, this.tabs = entries.length > 1 ? this.#tabs() : [], this.places = el("div", { class: "kl-page-panels" }, this.panels, this.said), section.append(this.places), this.places.hidden = !0, this.observer = new IntersectionObserver((seen) => {
      this.visible = seen[seen.length - 1].isIntersecting, this.visible && this.show();
    }, { rootMargin: "250px 0px" }), this.observer.observe(section);
  }
  /** Draws the chosen view at the moment that the page shows. */
  show() {
    let entry = this.entries[this.chosen], shown = this.shown.get(entry.id);
    if (!shown) return void this.open(this.chosen);
    shown.model.set("presenter", this.stand.presenter), shown.model.set("state", shown.told.at(Math.floor(this.stand.at * 1e3 + 1e-6)));
  }
  /** Draws again, if in sight, because the page shows another moment or another size. */
  moved() {
    this.visible && this.show();
  }
  /** Unpacks a view and draws it, once. @param {number} i */
  open(i) {
    let entry = this.entries[i], before = this.opening.get(entry.id);
    if (before) return before;
    let opened = this.#open(i).catch((error) => guard(this.panels[i], () => {
      throw error;
    }));
    return this.opening.set(entry.id, opened), opened;
  }
  async #open(i) {
    let entry = this.entries[i], source = document.getElementById(entry.id), packed = await unpack(source?.textContent ?? "");
    source?.remove();
    let told2 = new Told(packed), state = told2.at(Math.floor(this.stand.at * 1e3 + 1e-6)), model = pageModel({ ...packed.traits, live: !1, presenter: this.stand.presenter, state }, (message) => {
      let answer = message?.do === "look" && packed.answers ? look(packed.answers, message) : null;
      answer ? setTimeout(() => model.tell(answer), 0) : this.#asked(message);
    });
    this.shown.set(entry.id, { model, told: told2 }), this.section.classList.remove("kl-page-still"), this.section.querySelector(":scope > .kl-page-tables")?.remove(), this.places.hidden = !1, this.render({ model, el: this.panels[i] });
  }
  #asked(message) {
    QUIET.has(message?.do) || (this.said.classList.remove("kl-hidden"), this.said.textContent = "This needs a notebook: the page holds what was recorded, and no kernel stands behind it.", clearTimeout(this.quiet), this.quiet = setTimeout(() => {
      this.said.textContent = "", this.said.classList.add("kl-hidden");
    }, 6e3));
  }
  #tabs() {
    let tabs = this.entries.map((entry, i) => (this.panels[i].setAttribute("role", "tabpanel"), this.panels[i].setAttribute("aria-labelledby", `${entry.id}-tab`), el("button", {
      type: "button",
      role: "tab",
      class: "kl-page-tab",
      id: `${entry.id}-tab`,
      "aria-controls": `${entry.id}-panel`,
      "aria-selected": String(i === 0),
      tabindex: i === 0 ? "0" : "-1",
      title: shorten(entry.name, 300),
      onclick: () => this.choose(i)
    }, el("bdi", {}, shorten(entry.name || `${i + 1}`, 32))))), list = el("div", { class: "kl-page-tabs", role: "tablist", "aria-label": this.entries[0].heading }, tabs);
    return list.addEventListener("keydown", (event) => {
      let last = tabs.length - 1, to = { ArrowRight: this.chosen === last ? 0 : this.chosen + 1, ArrowLeft: this.chosen === 0 ? last : this.chosen - 1, Home: 0, End: last }[event.key];
      to !== void 0 && (event.preventDefault(), this.choose(to), tabs[to].focus());
    }), this.section.querySelector("h2")?.after(list), tabs;
  }
  /** Shows another of the views. @param {number} i */
  choose(i) {
    this.chosen = i;
    for (let [at, panel] of this.panels.entries())
      panel.hidden = at !== i, this.tabs[at].setAttribute("aria-selected", String(at === i)), this.tabs[at].tabIndex = at === i ? 0 : -1;
    this.show();
  }
};

// page/happened.js
function happened(page2, jump) {
  let box = (
    /** @type {HTMLElement | null} */
    page2.querySelector(".kl-page-rows")
  ), links = (
    /** @type {HTMLAnchorElement[]} */
    [...page2.querySelectorAll(".kl-page-rows a[data-t]")]
  ), times = links.map((link) => Number(link.dataset.t)), current;
  for (let [i, link] of links.entries()) {
    let row = link.closest("tr"), { sign, tone } = kindOf(row?.dataset.kind ?? "");
    row?.lastElementChild?.prepend(el("span", { class: `kl-page-sign kl-tone-${tone}`, "aria-hidden": "true" }, sign)), link.addEventListener("click", (event) => {
      event.ctrlKey || event.metaKey || event.shiftKey || (event.preventDefault(), jump(times[i]));
    });
  }
  return {
    /** Marks the last event up to the moment that the page shows. @param {number} at */
    at(at) {
      let last = -1;
      for (; last + 1 < times.length && times[last + 1] <= at + 5e-4; ) last++;
      let row = last < 0 ? null : links[last].closest("tr");
      if (row === current || (current?.removeAttribute("aria-current"), row?.setAttribute("aria-current", "true"), current = row, !box || !row || box.contains(document.activeElement))) return;
      let top = row.offsetTop - box.clientHeight / 2;
      Math.abs(box.scrollTop - top) > 4 && (box.scrollTop = top);
    }
  };
}

// page/tools.js
function tools({ views, link, presenter }) {
  let said = el("span", { class: "kl-page-copied", role: "status" }), field = el("input", { class: "kl-page-link", readonly: !0, hidden: !0, "aria-label": "link to this moment" }), copy = async () => {
    let text = link(), copied = await navigator.clipboard?.writeText(text).then(() => !0, () => !1) ?? !1;
    field.hidden = copied, field.value = text, copied || field.select(), said.textContent = copied ? "copied" : "copy it from here:", clearTimeout(quiet), copied && (quiet = setTimeout(() => {
      said.textContent = "";
    }, 3e3));
  }, quiet, colours = el(
    "select",
    { class: "kl-select", onchange: () => theme(colours.value) },
    el("option", { value: "" }, "as the system"),
    el("option", { value: "light" }, "light"),
    el("option", { value: "dark" }, "dark")
  );
  return el(
    "div",
    { class: "kl-page-tools" },
    views.length > 1 ? el("nav", { "aria-label": "views on this page" }, el("ul", {}, views.map(({ id, heading }) => el("li", {}, el("a", { href: `#${id}` }, heading))))) : null,
    el(
      "div",
      { class: "kl-page-switches" },
      el("label", {}, "colours ", colours),
      el("label", {}, el("input", { type: "checkbox", onchange: (event) => presenter(event.target.checked) }), " larger"),
      el("button", { type: "button", class: "kl-button", onclick: copy, title: "the address of this page at the moment it shows" }, "copy link to this moment"),
      said,
      field
    )
  );
}
function theme(name) {
  name ? document.body.setAttribute("data-jp-theme-light", String(name === "light")) : document.body.removeAttribute("data-jp-theme-light"), document.documentElement.style.colorScheme = name;
}

// page/pace.js
function pacer(now = () => performance.now()) {
  let last = now(), passed = 0, slow = 0;
  return (playing) => {
    let took = now() - last;
    return last += took, passed === 0 && took < 1e3 && (slow = 0.7 * slow + 0.3 * took), playing && passed < Math.min(5, Math.floor(slow / 24)) ? (passed++, !1) : (passed = 0, !0);
  };
}

// page/pin.js
var SMALL = "kl-page-small";
function pin(bar) {
  let mark = el("div", { class: "kl-page-mark", "aria-hidden": "true" });
  bar.before(mark);
  let small = !1, more = 0;
  function measure() {
    bar.classList.remove(SMALL);
    let large = bar.offsetHeight;
    bar.classList.add(SMALL), more = Math.max(0, large - bar.offsetHeight), document.documentElement.style.scrollPaddingTop = `${bar.offsetHeight + 10}px`, bar.style.setProperty("--kl-page-more", `${more}px`), mark.style.top = `${more}px`, draw();
  }
  function draw() {
    bar.classList.toggle(SMALL, small), bar.style.marginTop = small ? `${more}px` : "";
  }
  new IntersectionObserver((entries) => {
    let { isIntersecting, boundingClientRect } = entries[entries.length - 1];
    small = !isIntersecting && boundingClientRect.top < 0, draw();
  }).observe(mark);
  let width = 0;
  return new ResizeObserver(() => {
    bar.clientWidth !== width && (width = bar.clientWidth, measure());
  }).observe(bar), { measure };
}

// page/address.js
function momentIn(hash, seconds) {
  let found = /^#t=(\d+(?:\.\d+)?)$/.exec(hash);
  return found ? Math.min(Number(found[1]), seconds) : null;
}
function address(href, at) {
  return `${href.split("#")[0]}#t=${Math.max(0, at).toFixed(3)}`;
}

// page/page.js
var VIEWS = (
  /** @type {any} */
  globalThis.kafkalab ?? {}
);
function begin(page2, head) {
  let stand = { at: momentIn(location.hash, head.seconds) ?? head.begin, presenter: !1 }, list = happened(page2, (at) => play.seek(at)), bar = pageModel({ state: { ...head.timeline, n: 0, fault: "", at: stand.at, live: !1, playing: !1, going: !1, naming: !1 }, live: !1, presenter: !1 }, (message) => play.answer(message)), due = pacer(), shelves = shelvesOf(page2, head.views, stand), play = playhead({
    seconds: head.seconds,
    at: stand.at,
    speed: head.timeline.speed ?? 1,
    moved: (now) => guard(page2, () => {
      if (stand.at = now.at, bar.set("state", { ...bar.get("state"), ...now }), !!due(now.playing)) {
        for (let shelf of shelves) shelf.moved();
        list.at(now.at);
      }
    })
  }), place = (
    /** @type {HTMLElement} */
    page2.querySelector("#kl-time")
  );
  VIEWS.timeline.render({ model: bar, el: place }), page2.querySelector("#happened")?.append(...place.querySelectorAll(".kl-legend"));
  let pinned = pin(place);
  return page2.querySelector(".kl-page-story")?.append(" Press ▶."), page2.querySelector(".kl-page-head")?.append(tools({
    views: shelves.map((shelf) => ({ id: shelf.section.id, heading: shelf.entries[0].heading })),
    link: () => address(location.href, play.stand.at),
    presenter(on) {
      stand.presenter = on, page2.classList.toggle("kl-presenter", on), bar.set("presenter", on), pinned.measure();
      for (let shelf of shelves) shelf.moved();
    }
  })), list.at(stand.at), addEventListener("hashchange", () => {
    let at = momentIn(location.hash, head.seconds);
    at !== null && play.seek(at);
  }), addEventListener("beforeprint", () => {
    for (let shelf of shelves) shelf.shown.size && shelf.show();
  }), rest(shelves), { play, shelves };
}
function shelvesOf(page2, views, stand) {
  return [...new Set(views.map((view) => view.kind))].filter((kind) => Object.hasOwn(VIEWS, kind)).map((kind) => {
    let section = (
      /** @type {HTMLElement} */
      page2.querySelector(`#view-${kind}`)
    );
    return new Shelf(section, views.filter((view) => view.kind === kind), VIEWS[kind].render, stand);
  });
}
async function rest(shelves) {
  for (let shelf of shelves)
    await new Promise((done) => setTimeout(done, 150)), await shelf.open(shelf.chosen);
}
var told = document.getElementById("kl-head"), page = document.getElementById("kl-page");
told && page && guard(page, () => begin(page, JSON.parse(told.textContent ?? "")));
var page_default = { begin };
export {
  page_default as default
};
