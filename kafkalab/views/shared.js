// What every view shares: building nodes safely, partition colours, words for times and numbers, and errors that are seen.

const SVG = new Set(["svg", "g", "path", "line", "rect", "circle", "ellipse", "polyline", "polygon", "text", "tspan", "title", "defs", "clipPath"]);
const PALETTE = 12;

// el("button", {class: "kl-button", onclick: f, disabled: true}, "stop", otherNode) → an element.
// Whatever comes from a topic passes through here: strings become text nodes and attributes are set by name, so that
// nothing is ever parsed as HTML. An attribute that is false, null or undefined is left out; true gives an empty one.
export function el(tag, attrs = {}, ...children) {
  const node = SVG.has(tag) ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attrs ?? {})) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on")) {
      if (typeof value !== "function") throw new TypeError(`${name} of <${tag}> must be a function`);
      node.addEventListener(name.slice(2).toLowerCase(), value);
    } else if (name === "style" && typeof value === "object") {
      for (const [property, setting] of Object.entries(value)) node.style.setProperty(property, setting);
    } else {
      node.setAttribute(name, value === true ? "" : String(value));
    }
  }
  node.append(...children.flat(Infinity).filter((c) => c !== null && c !== undefined && c !== false).map((c) => (c instanceof Node ? c : String(c))));
  return node;
}

// The colour of partition i in every view, as a CSS value. They repeat after twelve, so a label always stands beside it.
export function partitionColour(i) {
  return `var(--kl-p${Math.abs(Math.trunc(i)) % PALETTE})`;
}

// What is written on a surface filled with partitionColour(i).
export function partitionInk(i) {
  return `var(--kl-on${Math.abs(Math.trunc(i)) % PALETTE})`;
}

// The value of a CSS variable as it is under this node now, for a canvas, which knows no variables: themeValue(root, "--kl-p0").
export function themeValue(node, name) {
  return getComputedStyle(node).getPropertyValue(name).trim();
}

// All partition colours as they are under this node now, for a canvas.
export function palette(node) {
  return Array.from({ length: PALETTE }, (_, i) => themeValue(node, `--kl-p${i}`));
}

// Calls fn after the theme changed (JupyterLab's, or the system's); returns a function that ends it.
export function onTheme(fn) {
  const seen = new MutationObserver(() => requestAnimationFrame(fn));
  seen.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light", "data-jp-theme-name", "class"] });
  const system = matchMedia("(prefers-color-scheme: dark)");
  system.addEventListener("change", fn);
  return () => {
    seen.disconnect();
    system.removeEventListener("change", fn);
  };
}

export function reducedMotion() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

// Runs fn and gives back what it returned. An error in it, at once or in its promise, is written under the widget, where
// the learner looks, instead of only in the browser's console.
export function guard(root, fn) {
  try {
    const result = fn();
    if (result instanceof Promise) return result.catch((error) => showError(root, error));
    return result;
  } catch (error) {
    showError(root, error);
    return undefined;
  }
}

// The same error again adds nothing: a fault in a redraw would otherwise fill the page.
export function showError(root, error) {
  console.error(error);
  const message = error instanceof Error ? error.message : String(error);
  const shown = [...root.querySelectorAll(":scope > .kl-error")];
  if (shown.length >= 3 || shown.some((node) => node.dataset.message === message)) return;
  const details = error instanceof Error && error.stack ? el("details", {}, el("summary", {}, "details"), el("pre", {}, error.stack)) : null;
  root.append(
    el("div", { class: "kl-error", role: "alert", "data-message": message },
      el("strong", {}, "This view has a fault. "), message, " The cluster itself is not affected.", details),
  );
}

// Keys pressed in a view are the view's: JupyterLab's one-key commands would act on the cell, and it would keep the arrows
// from a slider and Enter from a button.
export function ownKeys(page) {
  page.setAttribute("data-lm-suppress-shortcuts", "true");
  page.addEventListener("keydown", (event) => {
    if (!event.ctrlKey && !event.metaKey && !event.altKey) event.stopPropagation();
  });
}

// What the kernel could not do for this view, under it; takes itself away when that is over.
export function showFault(root, text) {
  const shown = root.querySelector(":scope > .kl-fault");
  if (!text) return shown?.remove();
  if (shown?.dataset.text === text) return undefined;
  shown?.remove();
  root.append(el("div", { class: "kl-error kl-fault", role: "alert", "data-text": text }, shorten(text, 600)));
  return undefined;
}

// A notice for a picture that stands still because the cluster could not be looked at; `error` is {text, at} or null.
export function trouble(error) {
  if (!error) return [];
  const why = shorten(error.text.split("\n")[0], 300).replace(/\.?$/, ".");
  const past = error.at === null ? "" : ` What is drawn is how it was at ${clock.ofDay(error.at)}.`;
  return el("div", { class: "kl-notice kl-tone-bad", role: "status" }, el("b", {}, "The cluster cannot be looked at now. "), why, past);
}

// What the signs of a view mean: legend([["♛", "leader"], [node, "high watermark"], …]). A sign is text or an element.
export function legend(signs) {
  return el("ul", { class: "kl-legend", "aria-label": "legend" },
    signs.map(([sign, meaning]) => el("li", {}, el("span", { class: "kl-sign", "aria-hidden": "true" }, sign), " ", meaning)));
}

export const clock = {
  // Seconds since something, for people: "+3.12 s", "+2:05 min", "−0.40 s".
  since(seconds) {
    const sign = seconds <= -0.005 ? "−" : "+"; // not "−0.00 s"
    const size = Math.abs(seconds);
    if (size < 99.995) return `${sign}${size.toFixed(2)} s`;
    const whole = Math.round(size);
    if (whole < 3600) return `${sign}${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")} min`;
    return `${sign}${Math.floor(whole / 3600)}:${String(Math.floor((whole % 3600) / 60)).padStart(2, "0")} h`;
  },
  // Unix seconds as the time of day here: "14:02:09".
  ofDay(at) {
    const d = new Date(at * 1000);
    return [d.getHours(), d.getMinutes(), d.getSeconds()].map((n) => String(n).padStart(2, "0")).join(":");
  },
};

// 21400 → "21 400", with a thin space that does not break.
export function count(n) {
  return String(n).replace(/\B(?=(\d{3})+(?!\d))/g, "\u202f");
}

// Ids may be a thousand characters long, and may hold marks that turn the reading direction of what follows: both are
// tamed for display; the end of a line is a space. The whole text still goes into a tooltip.
export function shorten(text, limit = 40) {
  const plain = String(text).replace(/[\t\n\r\v\f]+/g, " ").replace(/[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g, "\ufffd");
  const letters = Array.from(plain);
  return letters.length <= limit ? plain : `${letters.slice(0, limit - 9).join("")}…${letters.slice(-8).join("")}`;
}
