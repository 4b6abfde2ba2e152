// What a view takes for its model on a page without a kernel: the same get, on, off and send that a notebook's has.

/**
 * @param {Record<string, any>} traits
 * @param {(message: any) => void} asked what the view asks for, which no kernel will answer
 */
export function pageModel(traits, asked) {
  const values = { ...traits };
  /** @type {Record<string, Function[]>} */
  const listeners = {};
  const told = (/** @type {string} */ event, /** @type {any[]} */ ...what) => {
    for (const listener of listeners[event] ?? []) listener(...what);
  };
  return {
    get: (/** @type {string} */ name) => values[name],
    /** A trait has another value; nothing happens when it is the same. @param {string} name @param {any} value */
    set(name, value) {
      if (values[name] === value) return;
      values[name] = value;
      told(`change:${name}`);
    },
    /** What a kernel would do with a message of its own. @param {any} message */
    tell: (message) => told("msg:custom", message),
    save_changes() {},
    on(/** @type {string} */ event, /** @type {Function} */ listener) {
      listeners[event] = [...(listeners[event] ?? []), listener];
    },
    off(/** @type {string} */ event, /** @type {Function} */ listener) {
      listeners[event] = (listeners[event] ?? []).filter((one) => one !== listener);
    },
    send: asked,
  };
}
