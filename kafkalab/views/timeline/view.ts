// Timeline: draws the bar that all views of a recording follow (kafkalab/views/timeline/view.py).

import { live } from "../live.ts";
import { changed, clock, el, emphasised, kindOf, legend, shorten, walked } from "../shared.ts";
import { acted, brokersUp, current, moment, neighbour, said, sentence, SPANS, stops, stretch, times, whole, zoomed } from "./moments.ts";
import { stage } from "./stage.ts";
import type { Zoom } from "./moments.ts";
import type { Happened, Picture as State } from "./picture";

// --- The bar of the time line: draws the cluster's name and health, the slider with all events, and the list of them.
//
// It is used in Timeline (kafkalab/views/timeline/view.py) and in the pages of recording.to_html, which have no kernel. It is
// drawn from its state alone (Picture in timeline/picture.py); `heard` is the `when` of the last request that was carried out.
//
// Its requests have a `when`, a growing number: {do: "seek", at}, {do: "play", speed, at}, {do: "pause"}, {do: "pace", speed},
// {do: "live"}, {do: "name", name, at}; at is null when it is live. The slider follows the pointer before any answer comes.

/** Milliseconds between two seeks during a drag. */
const APART = 80;

const LEGEND: [string, string][] = [["▸", "you did"], ["★", "a moment with a name"], ["✕", "failed"], ["♛", "another leader"], ["◆", "another controller"], ["◌", "the ISR shrank"], ["●", "back again"], ["⇄", "a group changed"]];
/** Drawn as paths, because not every font has the signs. */
const ICONS: Record<string, string> = { play: "M3 1.5v9l7.5-4.5z", pause: "M2.5 1.5h2.5v9H2.5zM7 1.5h2.5v9H7z", back: "M1.5 1.5h2v9h-2zM11 1.5v9L4 6z", forth: "M8.5 1.5h2v9h-2zM1 1.5v9L8 6z" };
const icon = (name: string) => el("svg", { class: "kl-tl-icon", viewBox: "0 0 12 12", "aria-hidden": "true" }, el("path", { d: ICONS[name] }));

function timelineBar(root: HTMLElement, ask: (message: any) => void) {
  let state: State; // as last received
  let held: { at: number; live: boolean; when: number } | null = null; // the pointer's place, until the state has it
  let zoom: Zoom = { span: null, end: 0 };
  let known: any[] = [];
  let last = 0, sent = 0;
  let waiting: ReturnType<typeof setTimeout> | undefined;

  const button = (sign: string, label: string, onclick: () => void, title: string = label) =>
    el("button", { class: "kl-button", type: "button", "aria-label": label, title, onclick }, ICONS[sign] ? icon(sign) : el("span", { "aria-hidden": "true" }, sign));
  const name = el("b", { class: "kl-tl-name" });
  const pills = el("span", { class: "kl-tl-pills" });
  const up = el("span", { class: "kl-pill kl-tl-up" });
  const time = el("span", { class: "kl-tl-moment kl-mono" });
  const day = el("span", { class: "kl-soft kl-mono", title: "the time of day" });
  const since = el("span", { class: "kl-tl-acted" });
  const where = el("span", { class: "kl-tl-where" });
  const earlier = button("back", "to the event before", () => step(-1), "to the event before (Page Up)");
  const play = button("play", "play", toggle);
  const later = button("forth", "to the next event", () => step(1), "to the next event (Page Down)");
  const speed = el("select", { class: "kl-select", "aria-label": "how fast it plays", onchange: () => tell({ do: "pace", speed: Number(speed.value) }) });
  const live = el("button", { class: "kl-button kl-tl-live", type: "button", onclick: toLive }, el("span", { "aria-hidden": "true" }, "● "), "live");
  const range = el("select", { class: "kl-select", "aria-label": "how much is shown", onchange: () => span(range.value === "" ? null : Number(range.value)) });
  const nearer = button("+", "show less time, larger", () => around(0.5), "larger (+ on the slider, or Ctrl and the wheel)");
  const farther = button("−", "show more time, smaller", () => around(2), "smaller (− on the slider)");
  const tip = el("p", { class: "kl-tl-tip" });
  const problem = el("p", { class: "kl-notice kl-tl-problem", role: "status" });
  const heard = el("p", { class: "kl-hidden", role: "status" });
  const picture = stage({
    to: drag, dropped: flush, key,
    zoom: (factor, at, now) => setZoom(zoomed(zoom, factor, at, now, all())),
    tip: (text) => { hint = text; drawTip(); },
  });
  const names = named({ go: jump, add: (text) => tell({ do: "name", name: text, at: shown().live ? null : shown().at }) });
  const list = happened(jump);
  let hint: string | null = null;
  const box = el("section", { class: "kl-tl" },
    el("div", { class: "kl-tl-head" }, name, pills, up, el("span", { class: "kl-tl-when" }, where, day, time)),
    el("div", { class: "kl-tl-bar" },
      el("span", { class: "kl-tl-buttons", role: "group", "aria-label": "playing" }, earlier, play, later, speed, live),
      el("span", { class: "kl-tl-buttons", role: "group", "aria-label": "zoom" }, farther, range, nearer), names.form),
    problem, picture.root, el("div", { class: "kl-tl-told" }, tip, since), names.chips, list.root, legend(LEGEND), heard);
  root.append(box);

  const all = () => whole(state.seconds, state.going);
  const moments = () => {
    if (known[0] !== state.events || known[1] !== state.named) known = [state.events, state.named, stops(state)];
    return known[2] as number[];
  };
  /** Returns the state with the moment at the pointer. */
  const shown = (): State => (held ? { ...state, at: held.live ? state.seconds : Math.min(held.at, state.seconds), live: held.live } : state);

  /** @param holding true to keep the pointer's place until this is done; set before asking, because the answer may come at once */
  function tell(message: any, holding: boolean = false) {
    last = Math.max(last + 1, Date.now());
    sent = last;
    if (held && holding) held.when = last;
    ask({ ...message, when: last });
  }
  function flush() {
    clearTimeout(waiting);
    waiting = undefined;
    if (held && held.when === Infinity) tell({ do: "seek", at: held.at }, true);
  }
  /** Goes to a moment: on the page at once, while the kernel is told a dozen times a second. */
  function drag(at: number, dragging: boolean) {
    // A drag to the end of a recording that still goes on means that the learner wants to stay at the end.
    if (state.going && at >= state.seconds) return shown().live ? undefined : toLive();
    held = { at: Math.round(at * 1000) / 1000, live: false, when: Infinity };
    const wait = sent + APART - Date.now();
    if (!dragging || wait <= 0) flush();
    else waiting ??= setTimeout(flush, wait);
    return redraw();
  }
  function jump(at: number) {
    drag(at, false);
    heard.textContent = said(shown());
  }
  function step(way: number) {
    const at = neighbour(moments(), shown().at, way);
    if (at !== null) jump(at);
  }
  function toLive() {
    if (!state.going) return jump(state.seconds);
    held = { at: state.seconds, live: true, when: Infinity };
    tell({ do: "live" }, true);
    return redraw();
  }
  function toggle() {
    flush();
    if (state.playing) tell({ do: "pause" });
    else tell({ do: "play", speed: Number(speed.value) || state.speed, at: shown().live ? 0 : shown().at });
  }
  function setZoom(next: Zoom) {
    zoom = next;
    redraw();
  }
  const around = (factor: number) => setZoom(zoomed(zoom, factor, shown().at, picture.now, all()));
  function span(seconds: number | null) {
    const next = zoomed({ span: all(), end: 0 }, seconds === null ? 2 : seconds / all(), shown().at, picture.now, all());
    setZoom(next.span === null ? next : { ...next, span: seconds }); // the exact number, without the rounding of the division
  }

  function key(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = shown().at, far = event.shiftKey ? 1 : 0.1;
    const keys = {
      ArrowLeft: () => drag(Math.max(0, at - far), true), ArrowDown: () => drag(Math.max(0, at - far), true),
      ArrowRight: () => ahead(at + far), ArrowUp: () => ahead(at + far),
      PageUp: () => step(-1), PageDown: () => step(1),
      Home: () => drag(0, false), End: toLive, " ": toggle, "+": () => around(0.5), "-": () => around(2),
    } as Record<string, () => void>;
    const does = Object.hasOwn(keys, event.key) ? keys[event.key] : undefined;
    if (!does) return;
    event.preventDefault();
    does();
  }
  function ahead(at: number) {
    if (!shown().live) drag(Math.min(state.seconds, at), true);
  }

  function drawTip() {
    const now = shown();
    const event = now.events[current(now.events, now.at)];
    const text = hint ?? (event ? sentence(event) : now.events.length ? "nothing had happened yet" : "");
    tip.classList.toggle("kl-tl-hint", hint !== null);
    if (tip.textContent !== text) tip.textContent = text;
  }
  function drawWhere(now: State) {
    const mine = acted(now.events, now.at);
    time.textContent = moment(now.at);
    day.textContent = clock.ofDay(now.began + now.at);
    since.textContent = mine ? `${clock.since(now.at - mine.at)} since ${shorten(mine.text, 60)}` : "";
    const behind = now.seconds - now.at;
    const past = now.going ? `${now.playing ? "▶" : "‖"} ${stretch(behind)} ago, recorded` : now.playing ? `▶ playing ${times(now.speed)}` : "‖ recorded";
    where.textContent = now.live ? "● live" : past;
    where.className = `kl-tl-where ${now.live ? "kl-tl-islive" : ""}`;
  }
  function redraw() {
    if (!state) return;
    const now = shown();
    zoom = picture.draw(now, zoom);
    drawWhere(now);
    const { text, down, known: looked } = brokersUp(now.steps, now.at);
    up.replaceChildren(el("span", { "aria-hidden": "true" }, looked ? (down ? "✕ " : "● ") : ""), text);
    up.classList.toggle("kl-tone-bad", down);
    up.classList.toggle("kl-tone-ok", looked && !down);
    drawTip();
    names.draw(now);
    list.draw(now);
    earlier.setAttribute("aria-disabled", String(neighbour(moments(), now.at, -1) === null));
    later.setAttribute("aria-disabled", String(neighbour(moments(), now.at, 1) === null));
    const does = now.playing ? "pause" : "play";
    if (play.dataset.does !== does) play.replaceChildren(icon(does));
    play.dataset.does = does;
    play.setAttribute("aria-label", does);
    play.title = now.playing ? "pause (Space)" : "play (Space)";
    live.hidden = !now.going;
    live.setAttribute("aria-pressed", String(now.live));
    const spans = SPANS.filter(([seconds]) => seconds === null || seconds < all());
    const chosen = zoom.span === null ? "" : String(zoom.span);
    const options = spans.some(([seconds]) => String(seconds ?? "") === chosen) ? spans : [...spans, [Number(zoom.span), stretch(Number(zoom.span))] as [number, string]];
    choose(range, options.map(([seconds, words]) => [String(seconds ?? ""), words]), chosen);
    choose(speed, now.speeds.map((s) => [String(s), times(s)]), String(now.speed));
    nearer.setAttribute("aria-disabled", String(zoom.span !== null && zoom.span <= 2));
    farther.setAttribute("aria-disabled", String(zoom.span === null));
  }

  return {
    draw(next: State, before: State | undefined) {
      state = next;
      if (held && !picture.dragging && next.heard >= held.when) held = null;
      if (changed(next, before, "name", "kafka", "label", "problem")) {
        const title = shorten(next.name, 60);
        name.textContent = title;
        box.setAttribute("aria-label", `time line of ${title}`);
        pills.replaceChildren(...[next.kafka, next.label].filter(Boolean).map((text) => el("span", { class: "kl-pill" }, shorten(text, 60))));
        problem.textContent = shorten(next.problem, 600);
        problem.hidden = !next.problem;
      }
      redraw();
    },
    end() {
      clearTimeout(waiting);
      picture.end();
    },
  };
}

/** Fills a select with options, if they changed. */
function choose(select: HTMLSelectElement, options: string[][], chosen: string) {
  const key = JSON.stringify(options);
  if (select.dataset.key !== key) {
    select.dataset.key = key;
    select.replaceChildren(...options.map(([value, words]) => el("option", { value }, words)));
  }
  if (select.value !== chosen && document.activeElement !== select) select.value = chosen;
}

// --- Named moments: offers a field to name the moment shown, and chips to jump to the named ones.

/** Maximum length of a name, as in kafkalab/history/recording.py. */
const LONGEST = 80;

function named({ go, add }: { go: (at: number) => void; add: (name: string) => void }) {
  const field = el("input", { class: "kl-tl-field", type: "text", maxlength: LONGEST, placeholder: "name this moment", "aria-label": "name of this moment", autocomplete: "off" });
  const star = el("button", { class: "kl-button", type: "submit", "aria-label": "name this moment", title: "name this moment (Enter)" }, "★");
  const form = el("form", { class: "kl-tl-buttons kl-tl-form", onsubmit: give }, field, star);
  const chips = el("ul", { class: "kl-tl-chips", "aria-label": "moments with a name" });
  let drawn: any;

  function give(event: Event) {
    event.preventDefault();
    const text = field.value.trim();
    if (!text) return field.focus();
    add(text);
    field.value = "";
    return undefined;
  }
  return {
    form,
    chips,
    draw(state: State) {
      form.hidden = !state.naming;
      if (state.named !== drawn) {
        drawn = state.named;
        chips.hidden = !drawn.length;
        chips.replaceChildren(...state.named.map((n) =>
          el("li", {}, el("button", { class: "kl-button kl-tl-chip", type: "button", "data-at": n.at, title: `go to ${moment(n.at, 2)}`, onclick: () => go(n.at) },
            el("span", { class: "kl-tl-star", "aria-hidden": "true" }, "★ "), shorten(n.name, 50), " ", el("span", { class: "kl-mono kl-soft" }, moment(n.at))))));
      }
      for (const chip of chips.querySelectorAll("button")) {
        const here = Math.abs(Number(chip.dataset.at) - state.at) < 0.0005;
        if (here) chip.setAttribute("aria-current", "true");
        else chip.removeAttribute("aria-current");
      }
    },
  };
}

// --- "What happened" beside the playhead: lists the events, marks the current one, and goes to a chosen one; later ones are pale.

/** Maximum number of lines on the page, around the current one: an hour has thousands. */
const LINES = 90;

function happened(go: (at: number) => void) {
  const list = el("ol", { class: "kl-tl-lines", "aria-label": "what happened; Enter goes to the moment" });
  const none = el("p", { class: "kl-tl-none" }, "Nothing happened yet. What you do to a node, and what Kafka makes of it, will be listed here.");
  const box = el("div", { class: "kl-tl-list" }, none, list);
  const root = el("div", { class: "kl-tl-happened" }, el("h4", { class: "kl-title" }, "What happened"), box);
  let events: Happened[] = [];
  let first = 0, at = -2, focused = -1;

  const button = (i: number) => list.querySelector(`[data-i="${i}"]`) as HTMLElement | null;

  list.addEventListener("click", (event) => {
    const found = (event.target as HTMLElement).closest("[data-i]");
    if (found) go(events[Number((found as HTMLElement).dataset.i)].at);
  });
  list.addEventListener("keydown", (event) => {
    const here = Number((event.target as HTMLElement).dataset.i);
    const to = walked(event.key, here, events.length - 1);
    if (to === undefined) return;
    event.preventDefault();
    focus(to);
  });
  list.addEventListener("focusout", () => { focused = -1; });

  function focus(i: number) {
    if (!button(i)) fill(i);
    focused = i;
    rove(i);
    const found = button(i);
    found?.focus({ preventScroll: true });
    if (found) into(found);
  }
  /** Makes one line reachable with Tab: the current one, or the one with the keyboard's focus. */
  function rove(i: number) {
    for (const b of list.querySelectorAll("button[tabindex='0']")) b.setAttribute("tabindex", "-1");
    (button(i) ?? list.querySelector("button"))?.setAttribute("tabindex", "0");
  }
  /** Scrolls the list, and never the page, until a line is visible. */
  function into(node: HTMLElement) {
    const top = node.offsetTop - list.offsetTop, bottom = top + node.offsetHeight;
    const room = Math.min(44, box.clientHeight / 4); // a line or two before and after it stay visible, too
    if (top < box.scrollTop + room) box.scrollTop = top - room;
    else if (bottom > box.scrollTop + box.clientHeight - room) box.scrollTop = bottom - box.clientHeight + room;
  }
  function fill(around: number) {
    first = Math.max(0, Math.min(around - LINES / 2, events.length - LINES));
    list.replaceChildren(...events.slice(first, first + LINES).map((event, i) => line(event, first + i)));
    list.setAttribute("start", String(first + 1));
    mark(at);
  }
  function mark(i: number) {
    for (const b of list.children) {
      const mine = Number((b.firstElementChild as HTMLElement).dataset.i);
      b.classList.toggle("kl-tl-now", mine === i);
      b.classList.toggle("kl-tl-later", mine > i);
      if (mine === i) b.firstElementChild?.setAttribute("aria-current", "true");
      else b.firstElementChild?.removeAttribute("aria-current");
    }
  }

  return {
    root,
    draw(state: { events: Happened[]; at: number }) {
      const changed = state.events !== events;
      const grown = changed && state.events.length > events.length && events.every((event, i) => event === state.events[i]);
      events = state.events;
      none.hidden = events.length > 0;
      const now = current(events, state.at);
      if (!changed && now === at) return;
      at = now;
      const edge = now < first + 10 && first > 0 ? true : now > first + LINES - 10 && first + LINES < events.length;
      if (changed && grown && list.children.length && first + LINES >= events.length) {
        for (let i = first + list.children.length; i < events.length; i++) list.append(line(events[i], i));
      } else if (changed || edge) {
        if (focused < 0 || changed) fill(Math.max(0, now));
      }
      mark(now);
      if (focused >= 0 && button(focused)) return; // do not scroll away from a reader
      rove(now);
      const found = button(now);
      if (found) requestAnimationFrame(() => into(found));
      else box.scrollTop = 0;
    },
  };
}

function line(event: Happened, i: number) {
  const { sign, tone } = kindOf(event.kind);
  const since = event.since === null ? "" : clock.since(event.since);
  return el("li", { "data-kind": event.kind },
    el("button", { class: `kl-tl-go kl-tone-${tone}`, tabindex: "-1", "data-i": i, type: "button", title: `go to ${moment(event.at, 2)}` },
      el("time", { class: "kl-mono kl-soft" }, moment(event.at)),
      el("span", { class: "kl-mono kl-tl-since" }, since),
      el("span", { class: "kl-mark", "aria-hidden": "true" }, sign),
      el("span", { class: "kl-tl-said" }, emphasised(shorten(event.text, 260)))));
}

export default {
  render: live("timeline", null, (page, { ask }) => timelineBar(page, ask)),
};
