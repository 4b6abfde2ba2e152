// The model of a view on a page without a kernel: offers the same get, on, off and send as a notebook's model.

/**
 * @param {Record<string, any>} traits
 * @param {(message: any) => void} asked called with the view's messages, because there is no kernel
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
    /** Sets a trait and calls its listeners, unless the value is the same. @param {string} name @param {any} value */
    set(name, value) {
      if (values[name] === value) return;
      values[name] = value;
      told(`change:${name}`);
    },
    /** Delivers a message to the view, as a kernel would. @param {any} message */
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
