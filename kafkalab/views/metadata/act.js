// The action bar: breaks and mends a node, the same one in every cluster that is shown, at the same moment.

import { el, shorten } from "../shared.js";

const SIGNAL = /** @type {Record<string, string>} */ ({
  stop: "SIGTERM: it is asked to shut down, and says goodbye",
  kill: "SIGKILL: ends at once, without telling anyone",
  pause: "SIGSTOP: frozen; its connections stay open, and no one is told",
  resume: "SIGCONT: it goes on where it was frozen",
  start: "starts the process again, with the data it had",
  cut: "takes it off the network",
  join: "puts it on the network again",
});
const ORDER = Object.keys(SIGNAL);

/**
 * Returns what can be acted on: "controller" first, then every node, with the verbs that some cluster allows now. Pure.
 * @param {any[]} sides
 * @returns {Map<string, { verbs: string[], busy: string[], sides: number, is: string[] }>}
 */
export function targets(sides) {
  /** @type {Map<string, { verbs: string[], busy: string[], sides: number, is: string[] }>} */ const found = new Map();
  const names = [...new Set(sides.flatMap((side) => Object.keys(side.targets)))].sort((a, b) => Number(b === "controller") - Number(a === "controller") || a.localeCompare(b, "en", { numeric: true }));
  for (const name of names) {
    const here = sides.filter((side) => Object.hasOwn(side.targets, name)).map((side) => side.targets[name]);
    const verbs = ORDER.filter((verb) => here.some((node) => node.verbs.includes(verb)));
    found.set(name, { verbs, busy: here.map((node) => node.busy).filter(Boolean), sides: here.length, is: here.map((node) => node.is).filter(Boolean) });
  }
  return found;
}

/** @param {(message: object) => void} ask */
export function actBar(ask) {
  const select = /** @type {HTMLSelectElement} */ (el("select", { class: "kl-select", "aria-label": "node" }));
  const buttons = el("span", { class: "kl-act-buttons", role: "group", "aria-label": "what to do to it" });
  const note = el("span", { class: "kl-soft", role: "status" });
  const root = el("div", { class: "kl-act" }, el("span", {}, "Break it:"), select, buttons, note);
  /** @type {Map<string, any>} */ let found = new Map();
  let several = false, listed = "";

  function draw() {
    const target = found.get(select.value);
    if (!target) return buttons.replaceChildren();
    const focused = document.activeElement?.getAttribute("data-verb");
    const busy = target.busy[0];
    buttons.replaceChildren(...target.verbs.map((/** @type {string} */ verb) => el("button", {
      type: "button", class: "kl-button", title: SIGNAL[verb], "data-verb": verb,
      // Not `disabled`, because that would take the keyboard's focus away.
      "aria-disabled": busy ? "true" : null,
      onclick: () => busy || ask({ do: "act", target: select.value, verb }),
    }, verb)));
    if (focused && !buttons.contains(document.activeElement)) {
      const again = /** @type {HTMLElement | null} */ (buttons.querySelector(`[data-verb="${focused}"]`) ?? buttons.querySelector("button"));
      again?.focus();
    }
    const where = several ? (target.sides > 1 ? "in both at the same moment" : "in the one that has it") : "";
    const is = target.is.length ? target.is.map((/** @type {string} */ name) => shorten(name.replace("-", " "), 30)).join(" here, ") + (target.is.length > 1 ? " there" : "") : "";
    note.textContent = busy ? `${busy}: under way…` : [is && `now ${is}`, where].filter(Boolean).join(" · ");
    return undefined;
  }
  select.addEventListener("change", draw);

  return {
    root,
    /** @param {any[]} sides */
    draw(sides) {
      found = targets(sides);
      several = sides.length > 1;
      root.hidden = found.size === 0;
      const names = [...found.keys()];
      if (names.join() !== listed) {
        const was = select.value;
        listed = names.join();
        select.replaceChildren(...names.map((name) => el("option", { value: name }, name === "controller" ? "the controller" : shorten(name.replace("-", " "), 40))));
        select.value = found.has(was) ? was : (names.find((name) => name === "broker-102") ?? names[0] ?? "");
      }
      draw();
    },
  };
}
