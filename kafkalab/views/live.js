// The page's half of kafkalab/views/live.py: draws a view from `state`, which arrives whole once, and then in patches.

import { hearAll, hearing } from "./hearing.js";
import { patched } from "./patch.js";
import { clock, el, guard, ownKeys, showFault } from "./shared.js";

/**
 * The functions that a view returns. `state` and `before` are plain data that is never changed in place, so whatever is the
 * same object in both is drawn already. `before` is undefined the first time.
 * @typedef {{ draw(state: any, before: any): void, heard?(message: any): void, end?(): void }} View
 * @typedef {{ get(name: string): any, on(event: string, f: Function): void, off(event: string, f: Function): void, send(message: any): void }} Model
 */

/**
 * Returns a render function for anywidget. `name` becomes the class kl-NAME of the root; `build` is called once, with the
 * root. `ask({do: "verb", …})` asks the kernel for something. A view must be of use without an answer: the kernel may be gone.
 * @param {string} name
 * @param {(page: HTMLElement, tools: { model: Model, ask: (message: object) => void }) => View} build
 */
export function live(name, build) {
  return (/** @type {{ model: Model, el: HTMLElement }} */ { model, el: root }) => {
    const page = el("div", { class: `kl kl-${name}` });
    const eye = Math.random().toString(36).slice(2); // lets the kernel count the pages, so that it stops when no page is left
    // Every button is inside this fieldset, which disables them all at once, also those that are drawn later.
    const hands = el("fieldset", { class: "kl-hands" }, page);
    const said = el("div", { class: "kl kl-standstill", "aria-live": "polite" });
    ownKeys(page);
    root.append(said, hands);
    /** @type {any} */ let state = model.get("state");
    /** @type {any} */ let drawn;
    let asked = false;

    let still = "";
    /** Freezes the picture and disables its buttons, and tells `why`; "" lets it go on. */
    const standStill = (/** @type {string} */ why, tone = "") => {
      still = why;
      hands.toggleAttribute("disabled", Boolean(why));
      page.classList.toggle("kl-still", Boolean(why));
      said.replaceChildren(...(why ? [el("div", { class: `kl-notice ${tone}` }, why)] : []));
    };
    const silent = (/** @type {number} */ since) => still ||
      standStill(`No news from the kernel since ${clock.ofDay(since / 1000)}: the picture stands still. It goes on by itself when the kernel answers. If the kernel was restarted, run this cell again.`, "kl-tone-bad");
    const ear = model.get("live")
      ? hearing((since) => {
          silent(since);
          asked = false;
          whole();
        })
      : null;
    const ask = (/** @type {object} */ message) => {
      try {
        model.send(message);
      } catch (error) {
        // The connection to a kernel that was restarted is closed.
        console.warn(error);
        silent(Date.now());
      }
    };
    const whole = () => {
      if (asked) return;
      asked = true;
      ask({ do: "whole", eye, n: state?.n ?? -1 });
    };
    /** @type {View | undefined} */
    const view = guard(page, () => build(page, { model, ask }));
    const draw = () => {
      if (!state || state.n === undefined) return;
      const before = drawn;
      drawn = state;
      showFault(page, state.fault);
      guard(page, () => view?.draw(state, before));
    };
    const heard = {
      "msg:custom": (/** @type {any} */ message) => {
        ear?.heard();
        if (message?.kept) ear?.end();
        if (still || message?.kept) standStill(message?.kept ?? "");
        if (message?.whole !== undefined) {
          asked = false;
          if (message.whole === null) return;
          state = message.whole;
          draw();
        } else if (message?.beat !== undefined) {
          asked = false; // an answer to an earlier request would have come before the beat
          if (message.beat > (state?.n ?? -1)) whole();
        } else if (message?.patch) {
          if (message.n === state?.n + 1) {
            state = patched(state, message.patch);
            draw();
          } else if (message.n > (state?.n ?? -1)) {
            whole(); // a patch was sent before this page listened
          }
        } else {
          guard(page, () => view?.heard?.(message));
        }
      },
      "change:state": () => {
        state = model.get("state");
        draw();
      },
      "change:presenter": () => page.classList.toggle("kl-presenter", Boolean(model.get("presenter"))),
    };
    const listeners = Object.entries(heard).map(([event, fn]) => /** @type {[string, Function]} */ ([event, (/** @type {any} */ m) => guard(page, () => fn(m))]));
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
