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
function shorten(text, limit = 40) {
  const plain = String(text).replace(/[\t\n\r\v\f]+/g, " ").replace(/[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g, "�");
  const letters = Array.from(plain);
  return letters.length <= limit ? plain : `${letters.slice(0, limit - 9).join("")}…${letters.slice(-8).join("")}`;
}
var OTHER = { means: "something else", sign: "·", tone: "plain", lane: "partitions", weight: 0 };
function kindOf(name) {
  return Object.hasOwn(events_default, name) ? events_default[name] : OTHER;
}

// timeline/playhead.ts
var SLOWEST = 0.05;
var FASTEST = 1e3;
var STEP = 33;
function playhead({ seconds, at, speed, moved }) {
  let stand = { at, playing: false, speed, live: false, heard: 0 };
  let stepped = 0;
  let timer;
  const within = (moment) => Math.min(Math.max(0, Number(moment) || 0), seconds);
  const pace = (wanted) => Math.min(FASTEST, Math.max(SLOWEST, Number(wanted) || stand.speed));
  function move(change) {
    stand = { ...stand, ...change };
    clearTimeout(timer);
    if (stand.playing) timer = setTimeout(step, STEP);
    moved(stand);
  }
  function step() {
    const now = Date.now();
    const next = stand.at + (now - stepped) / 1e3 * stand.speed;
    stepped = now;
    move(next >= seconds ? { at: seconds, playing: false } : { at: next });
  }
  function seek(moment, more = {}) {
    stepped = Date.now();
    move({ at: within(moment), ...more });
  }
  return {
    seek,
    /** Carries out a request of the bar. At the end, it plays from the beginning. */
    answer(message) {
      const heard = message.when ?? stand.heard;
      if (message.do === "seek") seek(message.at, { heard });
      else if (message.do === "play") seek(within(message.at) >= seconds ? 0 : message.at, { speed: pace(message.speed), playing: true, heard });
      else if (message.do === "pause") move({ playing: false, heard });
      else if (message.do === "pace") move({ speed: pace(message.speed), heard });
      else if (message.do === "live") seek(seconds, { playing: false, heard });
    }
  };
}

// live.ts
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

// page/told.ts
function momentIn(hash, seconds) {
  const found = /^#t=(\d+(?:\.\d+)?)$/.exec(hash);
  return found ? Math.min(Number(found[1]), seconds) : null;
}
function address(href, at) {
  return `${href.split("#")[0]}#t=${Math.max(0, at).toFixed(3)}`;
}
var KEPT_EVERY = 25;
async function unpack(text) {
  const bytes = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}
var Told = class {
  constructor(packed) {
    this.packed = packed;
    this.near = 0;
    this.state = packed.first;
    this.kept = [packed.first];
  }
  /** Returns the last state that is not after a moment, in seconds since the recording began. */
  at(seconds) {
    const wanted = Math.max(0, this.packed.at.findLastIndex((time) => time <= seconds * 1e3 + 1e-6));
    const kept = Math.min(Math.floor(wanted / KEPT_EVERY), this.kept.length - 1);
    if (wanted < this.near || kept * KEPT_EVERY > this.near) [this.near, this.state] = [kept * KEPT_EVERY, this.kept[kept]];
    while (this.near < wanted) {
      const end = Math.min(wanted, (Math.floor(this.near / KEPT_EVERY) + 1) * KEPT_EVERY);
      this.state = patched(this.state, this.packed.patches.slice(this.near, end).flat());
      this.near = end;
      if (this.near % KEPT_EVERY === 0) this.kept[this.near / KEPT_EVERY] = this.state;
    }
    return this.state;
  }
};

// page/shelf.ts
function pageModel(traits, asked) {
  const values = { ...traits };
  let listeners = [];
  return {
    get: (name) => values[name],
    /** Sets a trait and calls its listeners, unless the value is the same. */
    set(name, value) {
      if (values[name] === value) return;
      values[name] = value;
      for (const [event, listener] of listeners) if (event === `change:${name}`) listener(void 0);
    },
    save_changes() {
    },
    on(event, listener) {
      listeners = [...listeners, [event, listener]];
    },
    off(event, listener) {
      listeners = listeners.filter(([name, one]) => name !== event || one !== listener);
    },
    send: asked
  };
}
var Shelf = class {
  /** @param section holds the tables of the first view until that view is drawn
   * @param entries the views of one kind
   * @param stand the moment that the page shows */
  constructor(section, entries, render, stand) {
    this.section = section;
    this.entries = entries;
    this.render = render;
    this.stand = stand;
    this.visible = false;
    this.chosen = 0;
    this.said = el("p", { class: "kl-page-said kl-hidden", role: "status" });
    this.shown = [];
    this.opening = [];
    this.panels = entries.map((entry, i) => el("div", { class: "kl-page-panel", id: `${entry.id}-panel`, hidden: i > 0 }));
    this.tabs = entries.length > 1 ? this.#tabs() : [];
    this.places = el("div", { class: "kl-page-panels", hidden: true }, this.panels, this.said);
    section.append(this.places);
    new IntersectionObserver((seen) => {
      this.visible = seen[seen.length - 1].isIntersecting;
      if (this.visible) this.show();
    }, { rootMargin: "250px 0px" }).observe(section);
  }
  /** Draws the chosen view at the moment that the page shows. */
  show() {
    const shown = this.shown[this.chosen];
    if (!shown) return void this.open(this.chosen);
    shown.model.set("presenter", this.stand.presenter);
    shown.model.set("state", shown.told.at(this.stand.at));
  }
  /** Draws again, if in sight, because the page shows another moment or another size. */
  moved() {
    if (this.visible) this.show();
  }
  /** Unpacks a view and draws it, once. */
  open(i) {
    return this.opening[i] ??= this.#open(i).catch((error) => guard(this.panels[i], () => {
      throw error;
    }));
  }
  async #open(i) {
    const source = document.getElementById(this.entries[i].id);
    const packed = await unpack(source?.textContent ?? "");
    source?.remove();
    const told2 = new Told(packed);
    const traits = { ...packed.traits, live: false, presenter: this.stand.presenter, state: told2.at(this.stand.at) };
    const model = pageModel(traits, () => this.#asked());
    this.shown[i] = { model, told: told2 };
    this.section.classList.remove("kl-page-still");
    this.section.querySelector(":scope > .kl-page-tables")?.remove();
    this.places.hidden = false;
    this.render({ model, el: this.panels[i] });
  }
  #asked() {
    this.said.classList.remove("kl-hidden");
    this.said.textContent = "This needs a notebook: the page holds what was recorded, and no kernel stands behind it.";
    clearTimeout(this.quiet);
    this.quiet = setTimeout(() => {
      this.said.textContent = "";
      this.said.classList.add("kl-hidden");
    }, 6e3);
  }
  #tabs() {
    const tabs = this.entries.map((entry, i) => {
      this.panels[i].setAttribute("role", "tabpanel");
      this.panels[i].setAttribute("aria-labelledby", `${entry.id}-tab`);
      return el("button", {
        type: "button",
        role: "tab",
        class: "kl-page-tab",
        id: `${entry.id}-tab`,
        title: shorten(entry.name, 300),
        "aria-controls": `${entry.id}-panel`,
        "aria-selected": String(i === 0),
        tabindex: i === 0 ? "0" : "-1",
        onclick: () => this.choose(i)
      }, el("bdi", {}, shorten(entry.name || `${i + 1}`, 32)));
    });
    const list = el("div", { class: "kl-page-tabs", role: "tablist", "aria-label": this.entries[0].heading, onkeydown: (event) => {
      const { chosen } = this, last = tabs.length - 1;
      const to = { ArrowRight: chosen === last ? 0 : chosen + 1, ArrowLeft: chosen === 0 ? last : chosen - 1, Home: 0, End: last }[event.key];
      if (to === void 0) return;
      event.preventDefault();
      this.choose(to);
      tabs[to].focus();
    } }, tabs);
    this.section.querySelector("h2")?.after(list);
    return tabs;
  }
  /** Shows another of the views. */
  choose(i) {
    this.chosen = i;
    for (const [at, panel] of this.panels.entries()) {
      panel.hidden = at !== i;
      this.tabs[at].setAttribute("aria-selected", String(at === i));
      this.tabs[at].tabIndex = at === i ? 0 : -1;
    }
    this.show();
  }
};

// page/page.ts
var VIEWS = globalThis.kafkalab ?? {};
function begin(page2, head) {
  const { seconds, speed } = head.timeline;
  const stand = { at: momentIn(location.hash, seconds) ?? head.begin, presenter: false };
  const list = happened(page2, (at) => play.seek(at));
  const state = { ...head.timeline, n: 0, fault: "", at: stand.at, live: false, playing: false, going: false, naming: false };
  const bar = pageModel({ state, live: false, presenter: false }, (message) => play.answer(message));
  const shelves = shelvesOf(page2, head.views, stand);
  const play = playhead({
    seconds,
    at: stand.at,
    speed,
    moved: (now) => guard(page2, () => {
      stand.at = now.at;
      bar.set("state", { ...bar.get("state"), ...now });
      for (const shelf of shelves) shelf.moved();
      list.at(now.at);
    })
  });
  const place = page2.querySelector("#kl-time");
  VIEWS.timeline.render({ model: bar, el: place });
  page2.querySelector("#happened")?.append(...place.querySelectorAll(".kl-legend"));
  pin(place);
  page2.querySelector(".kl-page-story")?.append(" Press ▶.");
  page2.querySelector(".kl-page-head")?.append(tools({
    views: shelves.map((shelf) => ({ id: shelf.section.id, heading: shelf.entries[0].heading })),
    link: () => address(location.href, stand.at),
    presenter(on) {
      stand.presenter = on;
      page2.classList.toggle("kl-presenter", on);
      bar.set("presenter", on);
      for (const shelf of shelves) shelf.moved();
    }
  }));
  list.at(stand.at);
  addEventListener("hashchange", () => {
    const at = momentIn(location.hash, seconds);
    if (at !== null) play.seek(at);
  });
  addEventListener("beforeprint", () => {
    for (const shelf of shelves) shelf.show();
  });
  rest(shelves);
}
function shelvesOf(page2, views, stand) {
  const kinds = [...new Set(views.map((view) => view.kind))].filter((kind) => Object.hasOwn(VIEWS, kind));
  return kinds.map((kind) => {
    const section = page2.querySelector(`#view-${kind}`);
    return new Shelf(section, views.filter((view) => view.kind === kind), VIEWS[kind].render, stand);
  });
}
async function rest(shelves) {
  for (const shelf of shelves) {
    await new Promise((done) => setTimeout(done, 150));
    await shelf.open(shelf.chosen);
  }
}
function happened(page2, jump) {
  const box = page2.querySelector(".kl-page-rows");
  const links = [...page2.querySelectorAll(".kl-page-rows a[data-t]")];
  const times = links.map((link) => Number(link.dataset.t));
  let current;
  for (const [i, link] of links.entries()) {
    const row = link.closest("tr");
    const { sign, tone } = kindOf(row?.dataset.kind ?? "");
    row?.lastElementChild?.prepend(el("span", { class: `kl-page-sign kl-tone-${tone}`, "aria-hidden": "true" }, sign));
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      jump(times[i]);
    });
  }
  return {
    /** Marks the last event up to the moment that the page shows. */
    at(at) {
      const row = links[times.findLastIndex((time) => time <= at + 5e-4)]?.closest("tr");
      if (row === current) return;
      current?.removeAttribute("aria-current");
      row?.setAttribute("aria-current", "true");
      current = row;
      if (!box || !row || box.contains(document.activeElement)) return;
      const top = row.offsetTop - box.clientHeight / 2;
      if (Math.abs(box.scrollTop - top) > 4) box.scrollTop = top;
    }
  };
}
var SMALL = "kl-page-small";
function pin(bar) {
  const mark = el("div", { class: "kl-page-mark", "aria-hidden": "true" });
  bar.before(mark);
  const turn = (small) => {
    if (small === bar.classList.contains(SMALL)) return;
    const before = bar.offsetHeight;
    bar.classList.toggle(SMALL, small);
    bar.style.marginBottom = small ? `${before - bar.offsetHeight}px` : "";
    if (small) document.documentElement.style.scrollPaddingTop = `${bar.offsetHeight + 10}px`;
  };
  turn(true);
  turn(false);
  new IntersectionObserver((entries) => {
    const { isIntersecting, boundingClientRect } = entries[entries.length - 1];
    turn(!isIntersecting && boundingClientRect.top < 0);
  }).observe(mark);
}
function tools({ views, link, presenter }) {
  const said = el("span", { class: "kl-page-copied", role: "status" });
  const field = el("input", { class: "kl-page-link", readonly: true, hidden: true, "aria-label": "link to this moment" });
  const copy = async () => {
    const text = link();
    const copied = await navigator.clipboard?.writeText(text).then(() => true, () => false) ?? false;
    field.hidden = copied;
    field.value = text;
    if (!copied) field.select();
    said.textContent = copied ? "copied" : "copy it from here:";
    clearTimeout(quiet);
    if (copied) quiet = setTimeout(() => {
      said.textContent = "";
    }, 3e3);
  };
  let quiet;
  const colours = el(
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
  if (name) document.body.setAttribute("data-jp-theme-light", String(name === "light"));
  else document.body.removeAttribute("data-jp-theme-light");
  document.documentElement.style.colorScheme = name;
}
var told = document.getElementById("kl-head");
var page = document.getElementById("kl-page");
if (told && page) guard(page, () => begin(page, JSON.parse(told.textContent ?? "")));
var page_default = { begin };
export {
  page_default as default
};
