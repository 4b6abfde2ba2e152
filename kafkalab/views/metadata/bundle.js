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
function scaleOf(node) {
  return Number(getComputedStyle(node).getPropertyValue("--kl-scale")) || 1;
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
function legend(signs2) {
  return el(
    "ul",
    { class: "kl-legend", "aria-label": "legend" },
    signs2.map(([sign, meaning]) => el("li", {}, el("span", { class: "kl-sign", "aria-hidden": "true" }, sign), " ", meaning))
  );
}
var PARTS = { leader: "♛", follower: "●", behind: "◌", down: "✕" };
var SIGNAL = {
  stop: "SIGTERM: it is asked to shut down; a broker hands its partitions over first",
  kill: "SIGKILL: ends at once, without telling anyone",
  pause: "SIGSTOP: frozen; its connections stay open, and no one is told",
  resume: "SIGCONT: it goes on where it was frozen",
  start: "starts the process again, with the data it had",
  cut: "takes it off the network: it runs on, but no connection gets in or out",
  join: "puts it on the network again"
};
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
function follow(box, first, change) {
  const atEnd = box.scrollHeight - box.scrollTop - box.clientHeight < 30;
  change();
  if (first) requestAnimationFrame(() => {
    box.scrollTop = box.scrollHeight;
  });
  else if (atEnd) box.scrollTop = box.scrollHeight;
}
function changed(now, before, ...names) {
  return !before || names.some((name) => now[name] !== before[name]);
}
function walked(key, at, last) {
  const to = { ArrowDown: at + 1, ArrowRight: at + 1, ArrowUp: at - 1, ArrowLeft: at - 1, PageDown: at + 8, PageUp: at - 8, Home: 0, End: last }[key];
  return to === void 0 ? void 0 : Math.max(0, Math.min(last, to));
}
function keeper(parent, key, make) {
  const parts = /* @__PURE__ */ new Map();
  return (items) => {
    const wanted = new Set(items.map(key));
    for (const [name, part] of parts) {
      if (wanted.has(name)) continue;
      part.node.remove();
      parts.delete(name);
    }
    let at = parent.firstChild;
    for (const item of items) {
      const name = key(item);
      const part = parts.get(name) ?? make(item);
      parts.set(name, part);
      if (part.node === at) at = at.nextSibling;
      else parent.insertBefore(part.node, at);
      part.draw(item);
    }
  };
}
function news() {
  let last;
  return (...from) => {
    if (last && last.length === from.length && last.every((value, i) => value === from[i])) return false;
    last = from;
    return true;
  };
}
function refill(parent, children) {
  const active = document.activeElement;
  const held2 = active && parent.contains(active) ? active.dataset : null;
  parent.replaceChildren(...[children].flat(Infinity).filter(Boolean));
  if (!held2?.key) return;
  const all = [...parent.querySelectorAll("[data-key]")];
  (all.find((n) => n.dataset.key === held2.key) ?? all.find((n) => held2.node && n.dataset.node === held2.node))?.focus();
}
var OTHER = { means: "something else", sign: "·", tone: "plain", lane: "partitions", weight: 0 };
function kindOf(name) {
  return Object.hasOwn(events_default, name) ? events_default[name] : OTHER;
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

// metadata/quorum.ts
var SHOWN_AT_LEAST = 24;
var SHOWN_AT_MOST = 240;
function shownOffsets(end, ends) {
  const slowest = Math.min(end, ...ends.filter((e) => e !== null));
  const span = Math.min(SHOWN_AT_MOST, Math.max(SHOWN_AT_LEAST, Math.ceil((end - slowest) * 1.25)));
  return { from: end - span, span };
}
var reach = (end, { from, span }) => end === null ? 0 : Math.max(0, Math.min(1, (end - from) / span));
var held = (node) => node.state === "cut" ? "cut off" : node.state === "paused" ? "paused" : "";
function standing(node) {
  const seen = node.seen ? `last fetched ${node.seen} s ago` : node.alive ? "" : node.seen === null ? "never heard by this leader" : "";
  const behind = node.lag === null ? "" : node.lag === 0 ? node.part === "leader" ? "" : "has all of it" : `${count(node.lag)} behind`;
  const caught = node.alive && node.caught ? `for ${node.caught} s` : "";
  return [[behind, caught].filter(Boolean).join(" "), seen, held(node), node.fenced ? "fenced" : ""].filter(Boolean).join(" · ");
}
function lanes() {
  const head = el("div", { class: "kl-lanes-head" });
  const body = el("ul", { class: "kl-lanes", "aria-label": "the metadata log on each node" });
  let ended = 0;
  return {
    root: el("div", { class: "kl-lanes-both" }, head, body),
    draw(quorum) {
      if (!quorum) {
        head.replaceChildren(el("span", { class: "kl-soft" }, "It is not known yet which nodes keep the metadata."));
        return body.replaceChildren();
      }
      const kraft = quorum.kind === "kraft";
      const leads = quorum.leader === null ? el("b", { class: "kl-bad" }, "nobody leads: nothing can be changed") : [el("b", {}, `♛ ${quorum.leader}`), " leads"];
      const pill = (name, value, title) => value === null ? "" : el("span", { class: "kl-pill", title }, `${name} `, el("b", {}, count(value)));
      head.replaceChildren(
        el("h4", { class: "kl-title" }, kraft ? "Metadata log · __cluster_metadata" : "ZooKeeper ensemble"),
        el("span", {}, leads),
        pill("epoch", quorum.epoch, kraft ? "leader epoch: how many votes there have been" : "how many leaders the ensemble has had"),
        kraft ? pill("log end", quorum.end, "the offset the leader's next record will get") : "",
        pill("high watermark", quorum.mark, "a majority of the voters has every record before it")
      );
      body.classList.toggle("kl-lanes-chips", !kraft);
      const nodes = Object.entries(quorum.nodes);
      if (!kraft) return body.replaceChildren(...nodes.map(([id, node]) => chip(id, node)));
      const rank = (node) => node.role === "leader" ? 0 : node.role === "observer" ? 2 : 1;
      nodes.sort(([a, one], [b, two2]) => rank(one) - rank(two2) || Number(a) - Number(b));
      const end = quorum.end ?? Math.max(0, ...nodes.map(([, node]) => node.end ?? 0));
      const shown = shownOffsets(end, nodes.map(([, node]) => node.end));
      const fresh = ended && end > ended ? Math.min(shown.span, end - ended) : 0;
      ended = end;
      body.replaceChildren(...nodes.map(([id, node]) => lane(id, node, quorum, shown, fresh)));
    }
  };
}
function lane(id, node, quorum, shown, fresh) {
  const words = standing(node);
  const width = reach(node.end, shown);
  const cell = 100 / shown.span;
  const plays = node.role === "follower" ? "voter" : node.role;
  const role = node.alive ? plays === "leader" ? "leader, voter" : plays : `${plays}, ${node.gone}`;
  const said = `${id}: ${role}, ${node.end === null ? "log end not known" : `log end ${node.end}`}${words ? `, ${words}` : ""}`;
  return el(
    "li",
    { class: `kl-lane kl-${node.part}`, "data-node": id },
    el("span", { class: "kl-hidden" }, said),
    el("span", { class: "kl-lane-name", "aria-hidden": "true" }, el("span", { class: "kl-lane-sign" }, PARTS[node.part]), el("b", {}, id), el("small", {}, role)),
    el(
      "span",
      { class: "kl-lane-track", "aria-hidden": "true", title: `offsets ${Math.max(0, shown.from)} to ${shown.from + shown.span}` },
      el(
        "span",
        { class: "kl-lane-log", style: { width: `${width * 100}%`, "--kl-cell": `${cell / (width || 1)}%` } },
        fresh && node.lag === 0 ? el("span", { class: "kl-lane-new", style: { width: `${Math.min(100, cell * fresh / (width || 1))}%` } }) : null
      ),
      quorum.mark === null ? null : el("span", { class: "kl-lane-mark", style: { left: `${reach(quorum.mark, shown) * 100}%` } })
    ),
    el("span", { class: "kl-lane-end kl-mono", "aria-hidden": "true" }, node.end === null ? "?" : count(node.end)),
    el("span", { class: "kl-lane-words", "aria-hidden": "true" }, words)
  );
}
function chip(id, node) {
  const state = held(node) && ` · ${held(node)}`;
  const word = node.alive ? node.role === "voter" ? "does not serve" : node.role : node.gone;
  return el(
    "li",
    { class: `kl-zk-node kl-${node.alive && node.role === "voter" ? "behind" : node.part}`, "data-node": id },
    el("span", { class: "kl-lane-sign", "aria-hidden": "true" }, PARTS[node.part]),
    el("b", {}, id),
    ` ${word}${state}`,
    node.end === null ? null : el("span", { class: "kl-mono kl-soft", title: "zxid: the last transaction it knows" }, ` 0x${node.end.toString(16)}`)
  );
}
var SHOWN = 40;
function metadataLog(read) {
  const button = el("button", { type: "button", class: "kl-button", onclick: () => button.getAttribute("aria-disabled") || read() }, "read the log");
  const note = el("span", { class: "kl-soft" });
  const box = el("div", { class: "kl-records", tabindex: "0", role: "region", "aria-label": "records of the metadata log" });
  const isNews = news();
  let all = false;
  function rows(log, since) {
    const records = [...log.records ?? []].reverse();
    const shown = all ? records : records.slice(0, SHOWN);
    const older = records.length - shown.length;
    box.hidden = !records.length;
    box.replaceChildren(
      table({ class: "kl-record-table" }, ["offset", "when", "record, and what it says"], shown.map((record) => {
        const [sign, tone] = mark(record.kind);
        const after = since !== null && record.at >= since ? clock.since(record.at - since) : clock.ofDay(record.at);
        return el(
          "tr",
          { class: `kl-tone-${tone}`, title: record.data, "data-type": record.type },
          el("td", { class: "kl-mono kl-number" }, record.offset),
          el("td", { class: "kl-mono", title: clock.ofDay(record.at) }, after),
          el("td", {}, el("span", { class: "kl-mark", "aria-hidden": "true" }, sign), " ", el("b", {}, shorten(record.type, 50)), " ", el("span", { class: "kl-record-says" }, shorten(record.text, 200)))
        );
      })),
      older ? el("button", { type: "button", class: "kl-button", onclick: () => {
        all = true;
        rows(log, since);
      } }, `${older} older ones`) : ""
    );
  }
  return {
    root: el("div", { class: "kl-panel kl-records-panel" }, el("div", { class: "kl-records-head" }, el("h4", { class: "kl-title" }, "Its records"), button, note), box),
    /** @param since the time of the learner's last action
     * @param recorded true when the log cannot be read now */
    draw(log, since, recorded) {
      if (!isNews(log, since)) return;
      button.textContent = log.reading ? "reading…" : log.records ? "read it again" : "read the log";
      if (log.reading) button.setAttribute("aria-disabled", "true");
      else button.removeAttribute("aria-disabled");
      button.hidden = recorded;
      const order = "the newest first, without the empty records its leader writes twice a second";
      note.textContent = recorded ? log.problem || `up to this moment, ${order}` : log.at === null ? "by Kafka's own kafka-dump-log, from a broker's copy" : `as of ${clock.ofDay(log.at)}, ${order}`;
      rows(log, since);
    }
  };
}
function happenings(label, hint, go) {
  const empty = el("p", { class: "kl-soft" }, hint);
  const items = el("ol", {});
  const list = el("div", { class: "kl-happened", role: "log", "aria-live": "polite", "aria-label": label, tabindex: "0" }, items);
  const keep = keeper(items, (line) => line.n, () => {
    const node = el("li");
    const isNews = news();
    return { node, draw: (line) => {
      if (isNews(line)) fillLine(node, line, go);
    } };
  });
  return {
    root: el("div", { class: "kl-panel kl-side-events" }, el("h4", { class: "kl-title" }, label), empty, list),
    draw(lines) {
      empty.hidden = lines.length > 0;
      list.hidden = lines.length === 0;
      follow(list, !items.firstChild, () => keep(lines));
    }
  };
}
function fillLine(node, line, go) {
  const [sign, tone] = mark(line.kind);
  const when = `${line.by === "snapshot" ? "≤" : ""}${line.since === null ? clock.ofDay(line.at) : clock.since(line.since)}`;
  const path = line.by === "watch" && line.parts.length === 0 && line.where.startsWith("/");
  const where = line.where ? el("bdi", {}, shorten(line.where, 120)) : null;
  const text = shorten(line.text, 300);
  node.className = `kl-happening kl-tone-${tone}`;
  node.dataset.kind = line.kind;
  node.replaceChildren(
    el("time", { class: "kl-mono", title: `at ${clock.ofDay(line.at)}${line.by === "snapshot" ? ": seen at the next look, it happened before" : ""}` }, when),
    el("span", { class: "kl-mark", "aria-hidden": "true" }, sign),
    el(
      "div",
      { class: "kl-said" },
      line.word || where ? el(
        "div",
        { class: "kl-happening-word" },
        el("b", {}, shorten(line.word, 60)),
        " ",
        path && go ? el("button", { type: "button", class: "kl-link kl-mono", title: "show it in the tree", onclick: () => go(line.where) }, where) : where && el("span", { class: "kl-mono" }, where)
      ) : null,
      line.parts.length ? el("details", {}, el("summary", {}, text), el("ul", {}, line.parts.map((part) => el("li", {}, shorten(part, 200))))) : el("div", {}, text)
    )
  );
}
var AS = {
  you: "you",
  gone: "broker_down",
  came: "broker_up",
  controller: "controller_moved",
  leader: "leader_moved",
  leaderless: "leader_lost",
  isr: "isr_shrank",
  shrank: "isr_shrank",
  changed: "isr_changed",
  grew: "isr_grew",
  quorum: "quorum_leader_moved",
  connection: "capture_failed"
};
var OWN = { topic: "▤", children: "⌄" };
function mark(kind) {
  if (kind in OWN) return [OWN[kind], "plain"];
  const { sign, tone } = kindOf(AS[kind] ?? kind);
  return [sign, tone];
}

// axis.ts
var CLOCK = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 21600, 43200, 86400];
function timeStep(least) {
  return CLOCK.find((step) => step >= least) ?? Math.ceil(least / 86400) * 86400;
}
function ticks(from, to, step) {
  const first = Math.ceil(from / step - 1e-9), last = Math.floor(to / step + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

// metadata/timeline.ts
var ROWS = [
  ["quorum", "quorum", "when ZooKeeper's ensemble, or KRaft's quorum, lost a server or its leader, and had one again"],
  ["noticed", "noticed", "when the cluster learned of it: a session ended in ZooKeeper, or KRaft's controller fenced the broker"],
  ["controller", "controller", "when another controller took over, if it was the controller's turn"],
  ["leaders", "leaders", "when partitions had other leaders"],
  ["isr", "in sync", "when replicas left the ISR, and came back"]
];
var LETTER = 6.1;
var LANE = 19;
var wide = (m, scale) => (m.text.length + 10) * LETTER * scale + 16;
function placed(marks, width, seconds, scale = 1) {
  const taken = [];
  return marks.map((m) => {
    const x = Math.min(m.t, seconds) / seconds * width;
    const size = wide(m, scale);
    const left = x + size > width && x - size >= 0;
    const [a, b] = left ? [x - size, x + 6] : [x - 6, x + size];
    let line = 0;
    while (taken.some(([on, from, to]) => on === line && a < to && b > from)) line++;
    taken.push([line, a, b]);
    return { x, line, left };
  });
}
function axis(marks, width = Infinity, scale = 1) {
  const longest = Math.max(0, ...marks.map((m) => m.t));
  const room = (m, x) => x + wide(m, scale) <= width || x >= wide(m, scale);
  const fits = (n) => n >= longest * 1.1 && marks.every((m) => room(m, m.t / n * width));
  const round = [5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300, 600];
  const seconds = round.find(fits) ?? Math.ceil(Math.max(5, longest * 1.25));
  return { seconds, ticks: ticks(0, seconds, timeStep(seconds / 8)) };
}
function timeLines() {
  const body = el("div", { class: "kl-times" });
  const back = el("select", { class: "kl-select", "aria-label": "after which action" });
  const section = el(
    "section",
    { class: "kl-panel kl-times-panel", "aria-label": "what followed your action" },
    el("div", { class: "kl-times-head" }, el("h4", { class: "kl-title" }, "What followed"), back),
    body
  );
  let chosen = 0;
  let count2 = 0;
  let sides = [];
  back.addEventListener("change", () => {
    chosen = Number(back.value);
    draw();
  });
  const resized = new ResizeObserver(() => draw());
  resized.observe(body);
  function draw() {
    const most = sides.map((side) => side.actions).reduce((a, b) => b.length > a.length ? b : a, []).toReversed();
    section.hidden = !most.length;
    if (!most.length) return;
    if (most.length !== count2) {
      count2 = most.length;
      chosen = 0;
    }
    back.replaceChildren(...most.map((action, i) => el("option", { value: i }, `${shorten(action.text, 60)} · ${clock.ofDay(action.at)}`)));
    back.value = String(chosen);
    const shown = sides.map((side) => side.actions.at(-1 - chosen));
    const marks = shown.flatMap((action) => action ? Object.values(action.rows).flat() : []);
    const scale = scaleOf(section);
    const width = Math.max(120, body.clientWidth - 80 * scale - 12);
    const { seconds, ticks: ticks2 } = axis(marks, width, scale);
    refill(body, [
      sides.map((side, i) => block(side, shown[i], { seconds, width, scale, several: sides.length > 1, latest: chosen === 0 })),
      el("div", { class: "kl-times-axis", "aria-hidden": "true" }, ticks2.map((t) => el("span", { style: { left: `${t / seconds * 100}%` } }, t === 0 ? "0" : `${t} s`)))
    ]);
  }
  return {
    root: section,
    draw(now, before) {
      sides = Object.values(now.sides);
      if (Object.keys(now.sides).some((key) => changed(now.sides[key], before?.sides[key], "actions", "kafka"))) draw();
    },
    end: () => resized.disconnect()
  };
}
function waiting(row, action) {
  if (!/killed|paused|cut/.test(action.text) || action.rows.noticed[0]?.kind !== "gone") return null;
  const first = action.rows[row]?.find((m) => row !== "leaders" || m.kind === "leader");
  if (!first) return null;
  if (row === "noticed") return [first.t, "nobody knows yet", "until its session has timed out it may only be slow"];
  if (row === "leaders") return [first.t, "what it led cannot be read or written", "clients ask again and again until there is another leader"];
  return null;
}
function block(side, action, on) {
  const done = action ? ` · ${shorten(action.text, 80)}` : " · nothing was done here";
  const title = on.several ? el("div", { class: "kl-times-side" }, el("b", {}, shorten(side.kafka || side.name, 60)), done) : null;
  if (!action) return title;
  const rows = ROWS.filter(([row]) => row !== "quorum" || action.rows[row]);
  return [title, el(
    "ul",
    { class: "kl-times-rows", "aria-label": `${shorten(side.kafka, 60)} after: ${shorten(action.text, 80)}` },
    rows.map(([row, name, about]) => el("li", { class: "kl-times-row", "data-row": row }, el("span", { class: "kl-times-name", title: about }, name), track(row, side, action, on)))
  )];
}
function track(row, side, action, { seconds, width, scale, latest }) {
  const marks = action.rows[row] ?? [];
  const places = placed(marks, width, seconds, scale);
  const lines = Math.max(1, ...places.map((p) => p.line + 1));
  const [waited, words, why] = waiting(row, action) ?? [0, "", ""];
  const long = waited / seconds * width;
  const still = row === "controller" && !marks.length && latest && side.controller !== null ? `${side.controller} goes on` : "";
  return el(
    "span",
    { class: "kl-times-track", style: { height: `${lines * LANE * scale}px` } },
    waited ? el("span", { class: "kl-times-wait", style: { width: `${long}px` }, title: why }, long > (words.length + 2) * LETTER * scale ? words : "") : null,
    still ? el("span", { class: "kl-times-still" }, still) : null,
    marks.map((m, i) => {
      const [sign, tone] = mark(m.kind);
      const { x, line, left } = places[i];
      return el(
        "span",
        {
          class: `kl-times-mark kl-tone-${tone} ${left ? "kl-times-left" : ""}`,
          style: { left: `${x / width * 100}%`, top: `${line * LANE * scale}px` },
          title: m.exact ? "to the millisecond" : "seen at that time, at the next look at the cluster; it happened before. KRaft's log, when it is read, knows better"
        },
        el("span", { class: "kl-mark", "aria-hidden": "true" }, sign),
        " ",
        el("span", {}, el("b", { class: "kl-mono" }, `${m.exact ? "" : "≤"}${clock.since(m.t)}`), " ", shorten(m.text, 60))
      );
    }),
    marks.length ? null : el("span", { class: "kl-hidden" }, "nothing")
  );
}
var ORDER = Object.keys(SIGNAL);
function targets(sides) {
  const names = [...new Set(sides.flatMap((side) => Object.keys(side.targets)))];
  names.sort((a, b) => Number(b === "controller") - Number(a === "controller") || a.localeCompare(b, "en", { numeric: true }));
  return new Map(names.map((name) => {
    const here = sides.filter((side) => Object.hasOwn(side.targets, name)).map((side) => side.targets[name]);
    const verbs = ORDER.filter((verb) => here.some((node) => node.verbs.includes(verb)));
    return [name, { verbs, busy: here.flatMap(({ busy }) => busy ?? []), sides: here.length, is: here.flatMap(({ node }) => node ?? []) }];
  }));
}
function actBar(ask) {
  const select = el("select", { class: "kl-select", "aria-label": "node", onchange: draw });
  const buttons = el("span", { class: "kl-act-buttons", role: "group", "aria-label": "what to do to it" });
  const note = el("span", { class: "kl-soft", role: "status" });
  const root = el("div", { class: "kl-act" }, el("span", {}, "Break it:"), select, buttons, note);
  let found = /* @__PURE__ */ new Map();
  let several = false, listed = "";
  const called = (name, most) => shorten(name.replace("-", " "), most);
  function draw() {
    const target = found.get(select.value);
    if (!target) return buttons.replaceChildren();
    const busy = target.busy[0];
    refill(buttons, target.verbs.map((verb) => el("button", {
      type: "button",
      class: "kl-button",
      title: SIGNAL[verb],
      "data-verb": verb,
      "data-key": verb,
      "data-node": "act",
      // Not `disabled`, because that would take the keyboard's focus away.
      "aria-disabled": busy ? "true" : null,
      onclick: () => busy || ask({ do: "act", target: select.value, verb })
    }, verb)));
    const where = several ? target.sides > 1 ? "in both at the same moment" : "in the one that has it" : "";
    const [here, there] = target.is.map((name) => called(name, 30));
    const is = here && (there ? `now ${here} here, ${there} there` : `now ${here}`);
    note.textContent = busy ? `${busy}: under way…` : [is, where].filter(Boolean).join(" · ");
    return void 0;
  }
  return {
    root,
    draw(sides) {
      found = targets(sides);
      several = sides.length > 1;
      root.hidden = found.size === 0;
      const names = [...found.keys()];
      if (names.join() !== listed) {
        const was = select.value;
        listed = names.join();
        select.replaceChildren(...names.map((name) => el("option", { value: name }, name === "controller" ? "the controller" : called(name, 40))));
        select.value = found.has(was) ? was : names.find((name) => name === "broker-102") ?? names[0] ?? "";
      }
      draw();
    }
  };
}

// metadata/tree.ts
var FLASH_MS = 2400;
var trees = 0;
function znodeTree(wishes) {
  const id = `kl-tree-${++trees}`;
  const open = /* @__PURE__ */ new Set(["/", "/brokers", "/brokers/ids"]);
  const root = el("div", { class: "kl-tree", role: "tree", tabindex: "0", "aria-label": "ZooKeeper's tree", onkeydown: key });
  const keep = keeper(root, (row) => row.path, () => treeRow());
  let tree = null;
  let rows = [];
  let active = "/controller";
  let recorded = false;
  const rowId = (path) => `${id}-${encodeURIComponent(path)}`;
  const place = (path) => rows.findIndex((row) => row.path === path);
  function list() {
    rows = flatten(tree, open);
    if (place(active) < 0 && rows.length) active = rows[0].path;
    keep(rows);
    if (rows.length) root.setAttribute("aria-activedescendant", rowId(active));
    else root.removeAttribute("aria-activedescendant");
  }
  function treeRow() {
    const node = el("div", { role: "treeitem" });
    const isNews = news();
    let before;
    return {
      node,
      draw(row) {
        node.setAttribute("aria-selected", String(row.path === active));
        if (!isNews(row.node, row.open, row.leaf, row.place, row.of)) return;
        fill(node, row);
        if (before?.z !== void 0 && (before.z !== row.node.z || before.k !== row.node.k)) {
          node.classList.add("kl-tree-changed");
          setTimeout(() => node.classList.remove("kl-tree-changed"), FLASH_MS);
        }
        before = row.node;
      }
    };
  }
  function fill(row, { path, name, depth, node, place: place2, of, open: open2, leaf }) {
    const kind = node.gone ? "not there" : node.e ? "ephemeral" : "persistent";
    const words = node.s ? shorten(node.s, 90) : open2 && !node.c ? recorded ? "not recorded" : "reading…" : "";
    const attributes = { id: rowId(path), "data-path": path, "aria-level": depth + 1, "aria-setsize": of, "aria-posinset": place2, title: shorten(path, 200) };
    for (const [name2, value] of Object.entries(attributes)) row.setAttribute(name2, String(value));
    if (leaf) row.removeAttribute("aria-expanded");
    else row.setAttribute("aria-expanded", String(open2));
    row.className = `kl-tree-row ${node.gone ? "kl-tree-gone" : node.e ? "kl-tree-ephemeral" : ""}`;
    row.style.setProperty("--kl-depth", String(depth));
    row.onclick = (event) => {
      choose(path);
      if (event.target.closest(".kl-tree-arrow") || event.detail === 2) toggle(path);
    };
    row.replaceChildren(
      el("span", { class: "kl-tree-arrow", "aria-hidden": "true" }, leaf ? "" : open2 ? "▾" : "▸"),
      el("span", { class: "kl-tree-name" }, node.gone ? "✕ " : node.e ? "⚡ " : "", el("bdi", {}, shorten(name, 60))),
      " ",
      el("span", { class: node.e || node.gone ? "kl-tree-kind" : "kl-hidden" }, kind),
      " ",
      node.v === void 0 ? "" : el("span", { class: "kl-tree-version", title: "version: how often its data was written" }, `v${node.v}`),
      " ",
      node.k ? el("span", { class: "kl-tree-version", title: "children" }, `${node.k}↓`) : "",
      " ",
      words ? el("span", { class: "kl-tree-words" }, words) : ""
    );
  }
  function choose(path) {
    active = path;
    wishes.select(path);
    list();
    document.getElementById(rowId(path))?.scrollIntoView({ block: "nearest" });
  }
  function toggle(path) {
    const row = rows[place(path)];
    if (!row || row.leaf) return;
    if (!open.delete(path)) {
      open.add(path);
      if (!recorded) wishes.open(path);
    }
    list();
  }
  function key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !rows.length) return;
    const step = keyed(event.key, rows, Math.max(0, place(active)));
    if (!step) return;
    event.preventDefault();
    if (step.toggle) toggle(active);
    else if (step.to !== void 0) choose(rows[step.to].path);
  }
  return {
    root,
    get active() {
      return active;
    },
    go(path) {
      for (let parent = path; parent.length > 1; ) {
        parent = parent.slice(0, parent.lastIndexOf("/")) || "/";
        if (open.has(parent)) continue;
        open.add(parent);
        if (!recorded) wishes.open(parent);
      }
      choose(path);
    },
    /** @param told true in a recording */
    draw(now, told) {
      recorded = told;
      if (now === tree) return;
      tree = now;
      list();
    }
  };
}
var collator = new Intl.Collator("en", { numeric: true });
var join = (parent, name) => parent === "/" ? `/${name}` : `${parent}/${name}`;
function flatten(tree, open) {
  const rows = [];
  const visit = (node, path, parent, name, depth, place, of) => {
    const leaf = node.gone === true || node.k === 0 || node.k === void 0 && !node.c;
    const isOpen = !leaf && open.has(path);
    rows.push({ path, parent, name, depth, node, place, of, open: isOpen, leaf });
    if (!isOpen || !node.c) return;
    const children = Object.entries(node.c).sort(([a], [b]) => collator.compare(a, b));
    children.forEach(([child, one], i) => visit(one, join(path, child), path, child, depth + 1, i + 1, children.length));
  };
  if (tree) visit(tree, "/", "", "/", 0, 1, 1);
  return rows;
}
function keyed(key, rows, at) {
  const row = rows[at];
  if (key === "Enter" || key === " ") return { toggle: true };
  if (key === "ArrowRight") {
    if (row.leaf) return {};
    return row.open ? { to: rows[at + 1]?.parent === row.path ? at + 1 : at } : { toggle: true };
  }
  if (key === "ArrowLeft") return row.open ? { toggle: true } : { to: Math.max(0, rows.findIndex(({ path }) => path === row.parent)) };
  const to = walked(key, at, rows.length - 1);
  return to === void 0 ? null : { to };
}
function znodeDetail(path, found, recorded) {
  const head = el("h4", { class: "kl-title kl-mono kl-detail-path" }, el("bdi", {}, shorten(path, 120)));
  if (!found) return [head, el("p", { class: "kl-soft" }, recorded ? "Nothing more of it is known here." : "not read")];
  const about = found.about ? el("p", { class: "kl-detail-about" }, shorten(found.about, 400)) : null;
  if (!("version" in found)) return [head, el("p", {}, el("span", { class: "kl-badge kl-detail-gone" }, "✕ not there")), about];
  const figures = [
    ["version", String(found.version), "how often its data was written"],
    ["written", clock.ofDay(found.modified), "by ZooKeeper's clock"],
    ["created", clock.ofDay(found.created), "by ZooKeeper's clock"],
    ["zxid", found.zxid, "the transaction that wrote it: ZooKeeper numbers all of them"],
    ["children", String(found.children), ""],
    ["bytes", String(found.bytes), ""]
  ];
  return [
    head,
    el("p", { class: "kl-detail-kind" }, found.session ? [el("span", { class: "kl-badge kl-detail-ephemeral" }, "⚡ ephemeral"), " lives and dies with session ", el("span", { class: "kl-mono" }, found.session)] : [el("span", { class: "kl-badge" }, "persistent"), " stays until somebody deletes it"]),
    about,
    el("ul", { class: "kl-detail-figures", "aria-label": "figures" }, figures.map(([name, value, title]) => el("li", { title: title || null }, el("span", { class: "kl-soft" }, name), " ", el("span", { class: "kl-mono" }, value)))),
    found.data ? el("pre", { class: "kl-detail-data kl-mono", tabindex: "0", role: "region", "aria-label": "its data" }, el("bdi", {}, found.data)) : el("p", { class: "kl-soft" }, "no data")
  ];
}

// metadata/view.ts
var CONNECTION = {
  connecting: ["◌", "warn", "connecting to ZooKeeper…"],
  connected: ["●", "ok", "watching"],
  suspended: ["◌", "warn", "SUSPENDED: no ZooKeeper answers"],
  lost: ["✕", "bad", "LOST: our session is over, asking for another"],
  closed: ["◌", "plain", "not watching"]
};
function signs(kinds) {
  const zookeeper = [["⚡", "ephemeral: goes with its session"], ["✕", "not there"], ["v3", "version: writes of its data"]];
  const kraft = [["♛", "leader"], ["●", "follows"], ["◌", "behind"], ["✕", "down"], ["│", "high watermark"]];
  const both = [["◆", "controller"], ["≤", "seen at that time, happened before"]];
  return [...kinds.includes("zookeeper") ? zookeeper : [], ...kinds.includes("kraft") ? kraft : [], ...both];
}
function oneSide(number, kind, ask) {
  const title = el("h3", {});
  const pills = el("span", { class: "kl-side-pills" });
  const notice = el("div", { class: "kl-notice", role: "status" });
  const keepers = lanes();
  const tree = kind === "zookeeper" ? treePanel(number, ask) : null;
  const log = kind === "kraft" ? metadataLog(() => ask({ do: "log", side: number })) : null;
  const events = tree ? happenings("Watches that fired", "Nothing has fired yet. Every change of a node that is watched will be listed here.", tree.go) : happenings("What happened", "Nothing yet. What changes in the quorum and among the brokers will be listed here.");
  const root = el(
    "section",
    { class: "kl-side", "data-kind": kind },
    el("header", { class: "kl-side-head" }, title, pills),
    notice,
    el("div", { class: "kl-panel kl-keepers" }, keepers.root),
    el("div", { class: "kl-side-body" }, tree?.root ?? log?.root, events.root)
  );
  return {
    kind,
    root,
    draw(side, before) {
      if (side === before) return;
      title.textContent = shorten(side.name || side.kafka || "a cluster", 60);
      root.setAttribute("aria-label", shorten(`${side.name} ${side.kafka}`, 100));
      pills.replaceChildren(
        side.name && side.kafka ? el("span", { class: "kl-pill" }, shorten(side.kafka, 60)) : "",
        side.controller === null ? el("span", { class: "kl-pill kl-bad" }, "no controller") : el("span", { class: "kl-pill kl-pill-lead" }, `◆ controller ${side.controller}`),
        side.connection ? connection(side.connection) : "",
        side.at ? el("span", { class: "kl-pill" }, `as it was at ${clock.ofDay(side.at)}`) : ""
      );
      const said = [side.looked ? "" : "The cluster has not been read yet.", side.error ? `The cluster does not answer now. ${side.error}` : "", side.problem].filter(Boolean);
      notice.hidden = !said.length;
      notice.replaceChildren(...said.map((text) => el("div", {}, shorten(text, 400))));
      if (changed(side, before, "quorum")) keepers.draw(side.quorum);
      tree?.draw(side);
      if (side.log) log?.draw(side.log, side.actions.at(-1)?.at ?? null, side.recorded);
      if (changed(side, before, "lines")) events.draw(side.lines);
    }
  };
}
function connection({ state, since, session }) {
  const [sign, tone, words] = CONNECTION[state];
  const from = state === "suspended" || state === "lost" ? ` since ${clock.ofDay(since)}` : "";
  const ours = state === "connected" && session ? `, our session ${session}` : "";
  return el(
    "span",
    { class: `kl-pill kl-tone-${tone}`, "data-connection": state, title: "one client reads this ZooKeeper, for all views together" },
    el("span", { class: "kl-mark", "aria-hidden": "true" }, sign),
    ` ${words}${from}${ours}`
  );
}
function treePanel(number, ask) {
  const detail = el("div", { class: "kl-detail", "aria-live": "off" });
  const isNews = news();
  let details = {};
  let recorded = false;
  const of = (path) => Object.hasOwn(details, path) ? details[path] : void 0;
  const show = (path) => {
    if (isNews(path, of(path))) refill(detail, znodeDetail(path, of(path), recorded));
  };
  const tree = znodeTree({
    open: (path) => ask({ do: "open", side: number, path }),
    select: (path) => {
      if (!of(path)) ask({ do: "select", side: number, path });
      show(path);
    }
  });
  const none = el("p", { class: "kl-soft" }, "The tree has not been read.");
  return {
    root: el("div", { class: "kl-panel kl-tree-panel" }, el("div", { class: "kl-tree-half" }, el("h4", { class: "kl-title" }, "Tree"), none, tree.root), detail),
    go: tree.go,
    draw(now) {
      ({ details, recorded } = now);
      none.hidden = Boolean(now.tree);
      tree.root.hidden = detail.hidden = !now.tree;
      tree.draw(now.tree, recorded);
      if (now.tree) show(tree.active);
    }
  };
}
var view_default = {
  render: live("metadata", "the metadata of the cluster", (page, { ask }) => {
    const bar = actBar(ask);
    const times = timeLines();
    const sides = el("div", { class: "kl-sides" });
    const foot = el("div", {});
    page.append(bar.root, times.root, sides, foot);
    const drawn = [];
    return {
      draw(state, before) {
        const all = Object.values(state.sides);
        sides.classList.toggle("kl-sides-two", all.length > 1);
        all.forEach((side, i) => {
          const same = drawn[i]?.kind === side.kind;
          if (!same) {
            drawn[i] = oneSide(i, side.kind, ask);
            sides.replaceChildren(...drawn.map(({ root }) => root));
            foot.replaceChildren(legend(signs(all.map(({ kind }) => kind))));
          }
          drawn[i].draw(side, same ? before?.sides[i] : void 0);
        });
        bar.draw(all);
        times.draw(state, before);
      },
      end: () => times.end()
    };
  })
};
export {
  view_default as default
};
