// The model of a view on a page without a kernel: offers the same get, on, off and send as a notebook's model.

/** @param asked called with the view's messages, because there is no kernel */
export function pageModel(traits: Record<string, any>, asked: (message: any) => void) {
  const values = { ...traits };
  const listeners: Record<string, Function[]> = {};
  const told = (event: string, ...what: any[]) => {
    for (const listener of listeners[event] ?? []) listener(...what);
  };
  return {
    get: (name: string) => values[name],
    /** Sets a trait and calls its listeners, unless the value is the same. */
    set(name: string, value: any) {
      if (values[name] === value) return;
      values[name] = value;
      told(`change:${name}`);
    },
    /** Delivers a message to the view, as a kernel would. */
    tell: (message: any) => told("msg:custom", message),
    save_changes() {},
    on(event: string, listener: Function) {
      listeners[event] = [...(listeners[event] ?? []), listener];
    },
    off(event: string, listener: Function) {
      listeners[event] = (listeners[event] ?? []).filter((one) => one !== listener);
    },
    send: asked,
  };
}
