// The page's half of kafkalab/views/live.py: a view that is drawn from `state`, which arrives whole once and in patches then.

import { patched } from "./patch.js";
import { el, guard, ownKeys, showFault } from "./shared.js";

/**
 * What a view gives back to be drawn with. `state` and `before` are plain data that is never changed in place: what is the
 * same object in both is drawn already. `before` is undefined the first time.
 * @typedef {{ draw(state: any, before: any): void, heard?(message: any): void, end?(): void }} View
 * @typedef {{ get(name: string): any, on(event: string, f: Function): void, off(event: string, f: Function): void, send(message: any): void }} Model
 */

/**
 * A render function for anywidget. `name` becomes the class kl-NAME of the root, and `build` is called with the root once.
 * `ask({do: "verb", …})` asks the kernel for something, which may be gone: a view must be of use without an answer.
 * @param {string} name
 * @param {(page: HTMLElement, tools: { model: Model, ask: (message: object) => void }) => View} build
 */
export function live(name, build) {
  return (/** @type {{ model: Model, el: HTMLElement }} */ { model, el: root }) => {
    const page = el("div", { class: `kl kl-${name}` });
    const eye = Math.random().toString(36).slice(2); // tells the kernel how many look, so that nobody works for nobody
    ownKeys(page);
    root.append(page);
    /** @type {any} */ let state = model.get("state");
    /** @type {any} */ let drawn;
    let asked = false;

    const ask = (/** @type {object} */ message) => model.send(message);
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
        if (message?.whole !== undefined) {
          asked = false;
          if (message.whole === null) return;
          state = message.whole;
          draw();
        } else if (message?.patch) {
          if (message.n === state?.n + 1) {
            state = patched(state, message.patch);
            draw();
          } else if (message.n > (state?.n ?? -1)) {
            whole(); // something was sent before this page listened
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
    if (model.get("live")) whole();
    return () => {
      for (const [event, listener] of listeners) model.off(event, listener);
      guard(page, () => view?.end?.());
      if (model.get("live")) ask({ do: "gone", eye });
    };
  };
}
