// The helpers of all views: they build nodes safely, give partitions their colours, format times and numbers, and show errors.

import EVENTS from "../state/events.json" with { type: "json" };

const SVG = new Set(["svg", "g", "path", "line", "rect", "circle", "ellipse", "polyline", "polygon", "text", "tspan", "title", "defs", "pattern"]);
const PALETTE = 12;

type Made<Tag> = Tag extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[Tag]
  : Tag extends keyof SVGElementTagNameMap ? SVGElementTagNameMap[Tag] : HTMLElement;

/** Returns a new element: el("button", {class: "kl-button", onclick: f, disabled: true}, "stop", otherNode).
 * All data from a topic passes through here. Strings become text nodes and attributes are set by name, so that nothing is
 * ever parsed as HTML. An attribute that is false, null or undefined is left out; true gives an empty one. */
export function el<Tag extends string>(tag: Tag, attrs: Record<string, any> | null = {}, ...children: any[]): Made<Tag> {
  const node = SVG.has(tag) ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attrs ?? {})) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on")) {
      if (typeof value !== "function") throw new TypeError(`${name} of <${tag}> must be a function`);
      node.addEventListener(name.slice(2).toLowerCase(), value);
    } else if (name === "style" && typeof value === "object") {
      for (const [property, setting] of Object.entries(value as Record<string, string>)) node.style.setProperty(property, setting);
    } else {
      node.setAttribute(name, value === true ? "" : String(value));
    }
  }
  node.append(...children.flat(Infinity).filter((c) => c !== null && c !== undefined && c !== false && c !== "").map((c) => (c instanceof Node ? c : String(c))));
  return node as any;
}

/** The colour of partition i in every view, as a CSS value. Colours repeat after twelve, so a label always stands beside it. */
export function partitionColour(i: number) {
  return `var(--kl-p${Math.abs(Math.trunc(i)) % PALETTE})`;
}

/** The colour of text on a surface filled with partitionColour(i). */
export function partitionInk(i: number) {
  return `var(--kl-on${Math.abs(Math.trunc(i)) % PALETTE})`;
}

/** The colour of a record's key, as a CSS value that is mixed with the page's: none of the partitions' colours looks like it. */
export function keyColour(i: number) {
  return `hsl(${(47 * Math.abs(Math.trunc(i)) + 20) % 360} 75% 50%)`;
}

/** Calls fn after every change of the theme (JupyterLab's, or the system's); returns a function that stops this. */
export function onTheme(fn: () => void) {
  const seen = new MutationObserver(() => requestAnimationFrame(fn));
  seen.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light", "data-jp-theme-name", "class"] });
  const system = matchMedia("(prefers-color-scheme: dark)");
  system.addEventListener("change", fn);
  return () => {
    seen.disconnect();
    system.removeEventListener("change", fn);
  };
}

/** How much larger letters and shapes are here than usual: 1, or more for a presenter. */
export function scaleOf(node: Element) {
  return Number(getComputedStyle(node).getPropertyValue("--kl-scale")) || 1;
}

export function reducedMotion() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Runs fn and returns its result. An error in it, at once or in its promise, is shown under the widget, where the learner
 * looks, and not only in the browser's console. */
export function guard<T>(root: HTMLElement, fn: () => T): T | undefined {
  try {
    const result = fn();
    if (result instanceof Promise) return result.catch((error) => showError(root, error)) as any;
    return result;
  } catch (error) {
    showError(root, error);
    return undefined;
  }
}

/** Shows an error under the widget, once: a fault in a redraw would otherwise fill the page. */
function showError(root: HTMLElement, error: unknown) {
  console.error(error);
  const message = error instanceof Error ? error.message : String(error);
  const shown = [...root.querySelectorAll(":scope > .kl-error")];
  if (shown.length >= 3 || shown.some((node) => node.getAttribute("data-message") === message)) return;
  const details = error instanceof Error && error.stack ? el("details", {}, el("summary", {}, "details"), el("pre", {}, error.stack)) : null;
  root.append(
    el("div", { class: "kl-error", role: "alert", "data-message": message },
      el("strong", {}, "This view has a fault. "), message, " The cluster itself is not affected.", details),
  );
}

/** Keeps the keys pressed in a view from JupyterLab: its one-key commands would act on the cell, and it would take the arrow
 * keys away from a slider and Enter from a button. */
export function ownKeys(page: HTMLElement) {
  page.setAttribute("data-lm-suppress-shortcuts", "true");
  page.addEventListener("keydown", (event) => {
    if (!event.ctrlKey && !event.metaKey && !event.altKey) event.stopPropagation();
  });
}

/** Shows under the view what the kernel could not do for it, and removes the message when `text` is empty. */
export function showFault(root: HTMLElement, text: string) {
  const shown = root.querySelector(":scope > .kl-fault");
  if (!text) return shown?.remove();
  if (shown?.getAttribute("data-text") === text) return undefined;
  shown?.remove();
  root.append(el("div", { class: "kl-error kl-fault", role: "alert", "data-text": text }, shorten(text, 600)));
  return undefined;
}

/** Returns a notice for a picture that is out of date because the cluster did not answer; `error` is {text, at} or null. */
export function trouble(error: { text: string; at: number | null } | null) {
  if (!error) return [];
  const why = shorten(error.text.split("\n")[0], 300).replace(/\.?$/, ".");
  const past = error.at === null ? "" : ` What is drawn is how it was at ${clock.ofDay(error.at)}.`;
  return el("div", { class: "kl-notice kl-tone-bad", role: "status" }, el("b", {}, "The cluster does not answer now. "), why, past);
}

/** Returns the legend of a view: legend([["♛", "leader"], [node, "high watermark"], …]). A sign is text or an element. */
export function legend(signs: any[][]) {
  return el("ul", { class: "kl-legend", "aria-label": "legend" },
    signs.map(([sign, meaning]) => el("li", {}, el("span", { class: "kl-sign", "aria-hidden": "true" }, sign), " ", meaning)));
}

/** The sign of the part that a broker plays for a partition, or a node in a quorum. */
export const PARTS: Record<string, string> = { leader: "♛", follower: "●", behind: "◌", down: "✕" };

/** What a verb does to a node. */
export const SIGNAL: Record<string, string> = {
  stop: "SIGTERM: it is asked to shut down; a broker hands its partitions over first",
  kill: "SIGKILL: ends at once, without telling anyone",
  pause: "SIGSTOP: frozen; its connections stay open, and no one is told",
  resume: "SIGCONT: it goes on where it was frozen",
  start: "starts the process again, with the data it had",
  cut: "takes it off the network: it runs on, but no connection gets in or out",
  join: "puts it on the network again",
};

/** Formats a number with two digits at least: 7 → "07". */
export const two = (n: number) => String(n).padStart(2, "0");

export const clock = {
  /** Formats a number of seconds since something: "+3.12 s", "+2:05 min", "−0.40 s". */
  since(seconds: number) {
    const sign = seconds <= -0.005 ? "−" : "+"; // not "−0.00 s"
    const size = Math.abs(seconds);
    return size < 99.995 ? `${sign}${size.toFixed(2)} s` : `${sign}${clock.long(Math.round(size))}`;
  },
  /** Formats whole seconds, from a minute on: "2:05 min", "1:04 h". */
  long(whole: number) {
    const [of, unit] = whole < 3600 ? [60, "min"] : [3600, "h"];
    return `${Math.floor(whole / of)}:${two(Math.floor((whole % of) / (of / 60)))} ${unit}`;
  },
  /** Formats Unix seconds as the local time of day: "14:02:09", with three digits "14:02:09.120". */
  ofDay(at: number, digits = 0) {
    const d = new Date(Math.round(at * 1000));
    const fraction = digits ? `.${String(d.getMilliseconds()).padStart(3, "0").slice(0, digits)}` : "";
    return [d.getHours(), d.getMinutes(), d.getSeconds()].map(two).join(":") + fraction;
  },
};

/** Formats a number: 21400 → "21 400", with a thin space that does not break. */
export function count(n: number) {
  return String(n).replace(/\B(?=(\d{3})+(?!\d))/g, "\u202f");
}

/** Shortens a text for display. Ids may be a thousand characters long, and may hold characters that reverse the reading
 * direction of the rest: those are replaced, and line ends become spaces. The whole text still goes into a tooltip. */
export function shorten(text: unknown, limit = 40) {
  const plain = String(text).replace(/[\t\n\r\v\f]+/g, " ").replace(/[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g, "\ufffd");
  const letters = Array.from(plain);
  return letters.length <= limit ? plain : `${letters.slice(0, limit - 9).join("")}…${letters.slice(-8).join("")}`;
}

/** Puts the two values of a change in bold: "trucks_gps P3: leader 102 → 103". */
export function emphasised(text: string) {
  return text.split(/([\w,]+ → [\w,]+)/).map((part, i) => (i % 2 ? el("b", {}, part) : part));
}

/** Returns a table: table({class: "kl-table"}, ["key", "value"], rows, "its caption"). */
export function table(attrs: Record<string, any>, heads: (string | Node)[], rows: any, caption: string = "") {
  return el("table", attrs, caption && el("caption", {}, caption),
    el("thead", {}, el("tr", {}, heads.map((word) => el("th", { scope: "col" }, word)))), el("tbody", {}, rows));
}

/** Lets a node glide to its place from the box in which it was. */
export function glide(node: Element, from: DOMRect, duration: number, easing: string) {
  const now = node.getBoundingClientRect();
  const [x, y] = [from.left - now.left, from.top - now.top];
  if (Math.abs(x) + Math.abs(y) > 2) node.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], { duration, easing });
}

/** Changes a list that grows at its end and stays there, unless its reader scrolled up. Its `first` lines may come before the
 * page has a layout: it scrolls one frame later. */
export function follow(box: HTMLElement, first: boolean, change: () => void) {
  const atEnd = box.scrollHeight - box.scrollTop - box.clientHeight < 30;
  change();
  if (first) requestAnimationFrame(() => { box.scrollTop = box.scrollHeight; });
  else if (atEnd) box.scrollTop = box.scrollHeight;
}

/** Returns whether one of these parts of a state changed since it was drawn; the first time, all have. */
export function changed<S extends object>(now: S, before: S | undefined, ...names: (keyof S)[]) {
  return !before || names.some((name) => now[name] !== before[name]);
}

/** Returns the place in a list that a key leads to: arrows go by one, Page Up and Down by eight, Home and End to its ends. */
export function walked(key: string, at: number, last: number) {
  const to = { ArrowDown: at + 1, ArrowRight: at + 1, ArrowUp: at - 1, ArrowLeft: at - 1, PageDown: at + 8, PageUp: at - 8, Home: 0, End: last }[key];
  return to === undefined ? undefined : Math.max(0, Math.min(last, to));
}

/** Keeps one item of a box reachable with Tab, the one that had the focus last; keys lead from there to the others. `step` says
 * to which: by default as `walked` does. Returns a function to call after a redraw, with the item if the last one is gone. */
export function roving(box: HTMLElement, selector: string, step = (key: string, at: HTMLElement, all: HTMLElement[]): HTMLElement | undefined =>
  all[walked(key, all.indexOf(at), all.length - 1) ?? -1]) {
  const items = () => [...box.querySelectorAll<HTMLElement>(selector)];
  const itemOf = (event: Event) => (event.target as Element).closest<HTMLElement>(selector);
  let at: HTMLElement | undefined;
  function rove(to?: HTMLElement) {
    const all = items();
    at = to ?? (at && all.includes(at) ? at : all[0]);
    for (const item of all) item.tabIndex = item === at ? 0 : -1;
  }
  box.addEventListener("focusin", (event) => rove(itemOf(event) ?? at));
  box.addEventListener("keydown", (event) => {
    const item = itemOf(event);
    const to = item && !event.ctrlKey && !event.metaKey && !event.altKey ? step(event.key, item, items()) : undefined;
    if (!to) return;
    event.preventDefault();
    to.focus({ preventScroll: true });
  });
  return rove;
}

/** Moves along an axis by dragging or with a sideways wheel, and zooms with Ctrl and the wheel. `trackOf` returns the element of
 * the axis under the pointer, if any; `x` is the pointer's place in it. */
export function pan(box: HTMLElement, trackOf: (event: Event) => Element | null, does: { shift(pixels: number): void; zoom(by: number, x: number): void }) {
  let held: { id: number; x: number; moving: boolean } | null = null;
  box.addEventListener("pointerdown", (event) => {
    if (event.button === 0 && trackOf(event)) held = { id: event.pointerId, x: event.clientX, moving: false };
  });
  box.addEventListener("pointermove", (event) => {
    if (!(event.buttons & 1)) held = null; // it was released outside
    if (!held || event.pointerId !== held.id) return;
    const by = held.x - event.clientX;
    // A click in which the hand trembled is not a drag.
    if (!held.moving && Math.abs(by) < 5) return;
    if (!held.moving) box.setPointerCapture?.(event.pointerId);
    held = { ...held, x: event.clientX, moving: true };
    does.shift(by);
  });
  for (const end of ["pointerup", "pointercancel"]) box.addEventListener(end, () => { held = null; });
  box.addEventListener("wheel", (event) => {
    const track = trackOf(event);
    const zooms = event.ctrlKey || event.metaKey;
    // Vertical scrolling belongs to the page.
    const along = event.shiftKey ? event.deltaX || event.deltaY : Math.abs(event.deltaX) > Math.abs(event.deltaY) ? event.deltaX : 0;
    if (!track || !(zooms || along)) return;
    event.preventDefault();
    if (!zooms) does.shift(along);
    else if (Math.abs(event.deltaY) > 2) does.zoom(Math.sign(event.deltaY), event.clientX - track.getBoundingClientRect().left);
  }, { passive: false });
}

// --- Partial redraws: change only what is new and keep the same elements, so that focus, scrolling and transitions survive.

/** Keeps one element in `parent` for each item, by key: moves and redraws those that stay, and removes those that are gone. */
export function keeper<T>(parent: Element, key: (item: T) => string | number, make: (item: T) => { node: Element; draw(item: T): void }): (items: T[]) => void {
  const parts: Map<string | number, ReturnType<typeof make>> = new Map();
  return (items) => {
    const wanted = new Set(items.map(key));
    for (const [name, part] of parts) {
      if (wanted.has(name)) continue;
      part.node.remove();
      parts.delete(name);
    }
    let at: Node | null = parent.firstChild;
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

/** Returns a function that tells whether the values it is given differ from the last ones, compared one by one with ===. */
export function news(): (...from: unknown[]) => boolean {
  let last: unknown[] | undefined;
  return (...from) => {
    if (last && last.length === from.length && last.every((value, i) => value === from[i])) return false;
    last = from;
    return true;
  };
}

/** Replaces the children of `parent`, and keeps the keyboard's focus: on the child with the same data-key, or else on one with
 * the same data-node (a button whose verb is no longer offered gives way to the one that is). */
export function refill(parent: Element, children: any) {
  const active = document.activeElement as HTMLElement | null;
  const held = active && parent.contains(active) ? active.dataset : null;
  parent.replaceChildren(...[children].flat(Infinity).filter(Boolean));
  if (!held?.key) return;
  const all = [...parent.querySelectorAll<HTMLElement>("[data-key]")];
  (all.find((n) => n.dataset.key === held.key) ?? all.find((n) => held.node && n.dataset.node === held.node))?.focus();
}

// --- The sign and tone of each kind of event: the same table as in Python (kafkalab/state/model.py explains its fields).

export type Kind = { means: string; sign: string; tone: string; lane: string; weight: number };

const OTHER: Kind = { means: "something else", sign: "·", tone: "plain", lane: "partitions", weight: 0 };

export function kindOf(name: string): Kind {
  return Object.hasOwn(EVENTS, name) ? (EVENTS as Record<string, Kind>)[name] : OTHER;
}
