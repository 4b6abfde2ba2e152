// Partial redraws: changes only what is new and keeps the same elements, so that focus, scrolling and transitions survive.

/** @typedef {{ node: any, draw(item: any): void }} Part */

/**
 * Keeps one element in `parent` for each item, by key: moves and redraws those that stay, and removes those that are gone.
 * @param {any} parent
 * @param {(item: any) => string | number} key
 * @param {(item: any) => Part} make
 * @returns {(items: any[]) => void}
 */
export function keeper(parent, key, make) {
  /** @type {Map<string | number, Part>} */
  const parts = new Map();
  return (items) => {
    const wanted = new Set(items.map(key));
    for (const [name, part] of parts) {
      if (wanted.has(name)) continue;
      part.node.remove();
      parts.delete(name);
    }
    let at = parent.firstChild;
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

/**
 * Returns a function that tells whether the values it is given differ from the last ones, compared one by one with ===.
 * @returns {(...from: any[]) => boolean}
 */
export function news() {
  /** @type {any[] | undefined} */
  let last;
  return (...from) => {
    if (last && last.length === from.length && last.every((value, i) => value === from[i])) return false;
    last = from;
    return true;
  };
}

/**
 * Replaces the children of `parent`, and keeps the keyboard's focus: on the child with the same data-key, or else on one
 * with the same data-node (a button whose verb is no longer offered gives way to the one that is).
 * @param {any} parent
 * @param {any} children
 */
export function refill(parent, children) {
  const active = /** @type {HTMLElement | null} */ (document.activeElement);
  const held = active && parent.contains(active) ? active.dataset : null;
  parent.replaceChildren(...[children].flat(Infinity).filter(Boolean));
  if (!held?.key) return;
  const all = [...parent.querySelectorAll("[data-key]")];
  (all.find((n) => n.dataset.key === held.key) ?? all.find((n) => held.node && n.dataset.node === held.node))?.focus();
}
