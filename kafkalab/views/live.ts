// The page's half of kafkalab/views/live.py: draws a view from `state`, which arrives whole once, and then in patches.

import { clock, el, guard, ownKeys, showFault } from "./shared.ts";

/** The functions that a view returns. `state` and `before` are plain data that is never changed in place, so whatever is the
 * same object in both is drawn already. `before` is undefined the first time. */
export type View = { draw(state: any, before: any): void; heard?(message: any): void; end?(): void };
type Listen = (event: string, f: (message: any) => void) => void;
export type Model = { get(name: string): any; set(name: string, value: any): void; save_changes(): void; on: Listen; off: Listen; send(message: any): void };

/** Returns a render function for anywidget. `name` becomes the class kl-NAME of the root; `build` is called once, with the
 * root. `ask({do: "verb", …})` asks the kernel for something. A view must be of use without an answer: the kernel may be
 * gone.
 * @param label what screen readers call the view */
export function live(name: string, label: string | null, build: (page: HTMLElement, tools: { model: Model; ask: (message: object) => void }) => View) {
  return ({ model, el: root }: { model: Model; el: HTMLElement }) => {
    const page = el("div", { class: `kl kl-${name}`, role: label && "region", "aria-label": label });
    const eye = Math.random().toString(36).slice(2); // lets the kernel count the pages, so that it stops when no page is left
    // Every button is inside this fieldset, which disables them all at once, also those that are drawn later.
    const hands = el("fieldset", { class: "kl-hands" }, page);
    const said = el("div", { class: "kl kl-standstill", "aria-live": "polite" });
    ownKeys(page);
    root.append(said, hands);
    let state: any = model.get("state");
    let drawn: any;
    let asked = false;

    let still = "";
    /** Freezes the picture and disables its buttons, and tells `why`; "" lets it go on. */
    const standStill = (why: string, tone = "") => {
      still = why;
      hands.toggleAttribute("disabled", Boolean(why));
      page.classList.toggle("kl-still", Boolean(why));
      said.replaceChildren(...(why ? [el("div", { class: `kl-notice ${tone}` }, why)] : []));
    };
    const silent = (since: number) => still
      || standStill(`No news from the kernel since ${clock.ofDay(since / 1000)}: the picture stands still. It goes on by itself when the kernel answers. If the kernel was restarted, run this cell again.`, "kl-tone-bad");
    const ear = model.get("live")
      ? hearing((since) => {
          silent(since);
          asked = false;
          whole();
        })
      : null;
    const ask = (message: object) => {
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
    const view: View | undefined = guard(page, () => build(page, { model, ask }));
    const draw = () => {
      if (!state || state.n === undefined) return;
      showFault(page, state.fault);
      if (state.fault && Object.keys(state).length === 2) return; // only n and fault: a recording's moments so far cannot be shown
      const before = drawn;
      drawn = state;
      guard(page, () => view?.draw(state, before));
    };
    const heard = {
      "msg:custom": (message: any) => {
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
    const listeners = Object.entries(heard).map(([event, fn]) => [event, (m: any) => guard(page, () => fn(m))] as const);
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

// --- The watch on the kernel: notices when it falls silent. It sends something to each page that shows a view at least every
// two seconds (kafkalab/views/live.py), but anywidget may have stopped handing it on.

/** Seconds without a message after which the kernel counts as silent. */
const SILENCE = 5;

/** Calls `silent(since)`, with a time in milliseconds, after five seconds without a message, and again after twice as long
 * each time. A timer counts the seconds: a busy page holds it up too, so messages that still wait do not count as silence. */
export function hearing(silent: (since: number) => void) {
  let quiet = 0, since = Date.now(), next = SILENCE;
  const timer = setInterval(() => {
    if (++quiet < next) return;
    next *= 2;
    silent(since);
  }, 1000);
  return {
    /** To be called for every message that arrives. */
    heard() {
      [quiet, since, next] = [0, Date.now(), SILENCE];
    },
    end: () => clearInterval(timer),
  };
}

/** Receives the messages that anywidget would drop. anywidget 0.11 gives up on a model whose script took more than two seconds
 * to load, as happens on a busy machine: it still draws the view, but throws away everything the kernel sends to that model
 * from then on. In that case, this function connects messages directly to Jupyter's part of the model, and asks the kernel
 * for all traits. The trait `me` is the model's id, because the model that anywidget gives to a view does not hold it. */
export async function hearAll(model: any) {
  const real = await model.widget_manager?.get_model?.(model.get("me"));
  if (!real?.comm || !real._handle_comm_msg) return;
  try {
    await real._handle_comm_msg({ content: { data: {} } });
  } catch {
    const handlers = [];
    for (let of = real; of; of = Object.getPrototypeOf(of)) if (Object.hasOwn(of, "_handle_comm_msg")) handlers.push(of._handle_comm_msg);
    const handle = handlers.at(-1); // the first is anywidget's
    real.comm.on_msg((message: any) => handle.call(real, message));
    real.comm.send({ method: "request_state" });
  }
}

// --- Patches, the page's half of kafkalab/state/patch.py: applies a list of changes to a drawn state.

export type Op = [string, (string | number)[], any?];

/** Returns the state with a patch applied. Nothing in `state` is changed in place, and every part that the patch does not touch
 * is the same object after it, so that a view can compare with === to find out what to draw again. A part is copied only once,
 * however many of the operations touch it: the patch may be a long run of patches, one after the other. */
export function patched(state: any, ops: Op[]): any {
  const root = [state];
  const own = new Set<any>([root]); // copies made by this call, which may be changed
  const mine = (at: any, key: string | number) => {
    const was = at[key];
    if (own.has(was)) return was;
    const copy = Array.isArray(was) ? [...was] : { ...was };
    own.add(copy);
    put(at, key, copy);
    return copy;
  };
  for (const [kind, path, value] of ops) {
    const keys = [0, ...path], key = keys.pop() as string | number, at = keys.reduce(mine, root);
    if (kind === "set") put(at, key, value);
    else if (kind === "del") delete at[key];
    else if (kind === "cut") mine(at, key).splice(0, value);
    else if (kind === "end") mine(at, key).splice(value);
    else if (kind === "add") for (const element of value) mine(at, key).push(element);
    else throw new Error(`a patch with an unknown operation: ${kind}`);
  }
  return root[0];
}

/** Sets an own property, also if a group is called __proto__. A key that was there keeps its place, because things are drawn in
 * the order of the keys. */
function put(at: any, key: string | number, value: unknown) {
  if (key === "__proto__") Object.defineProperty(at, key, { value, writable: true, enumerable: true, configurable: true });
  else at[key] = value;
}
