// The tree as rows, without the DOM: works out those listed and in sight, and where a key leads. metadata/tree.js draws them.

/**
 * A node as the kernel sends it: see kafkalab/views/metadata/znodes.py.
 * @typedef {{ k?: number, v?: number, z?: number, s?: string, e?: boolean, gone?: boolean, c?: Record<string, any> }} Znode
 * @typedef {{ path: string, parent: string, name: string, depth: number, node: Znode, place: number, of: number, open: boolean, leaf: boolean }} Row
 */

const collator = new Intl.Collator("en", { numeric: true });
/** @type {WeakMap<object, string[]>} */
const sorted = new WeakMap();

/** Returns the names of children in the order of the list: numbers by their value. */
function names(/** @type {Record<string, any>} */ children) {
  let found = sorted.get(children);
  if (!found) {
    found = Object.keys(children).sort(collator.compare);
    sorted.set(children, found);
  }
  return found;
}

/** @param {string} parent @param {string} name */
export const join = (parent, name) => (parent === "/" ? `/${name}` : `${parent}/${name}`);

/**
 * Returns the listed rows, from the root down.
 * @param {Znode | null} tree
 * @param {Set<string>} open paths whose children are listed
 * @returns {Row[]}
 */
export function flatten(tree, open) {
  /** @type {Row[]} */ const rows = [];
  const visit = (/** @type {Znode} */ node, /** @type {string} */ path, /** @type {string} */ parent, /** @type {string} */ name, /** @type {number} */ depth, /** @type {number} */ place, /** @type {number} */ of) => {
    const leaf = node.gone === true || node.k === 0 || (node.k === undefined && !node.c);
    const isOpen = !leaf && open.has(path);
    rows.push({ path, parent, name, depth, node, place, of, open: isOpen, leaf });
    if (!isOpen || !node.c) return;
    const children = node.c;
    const listed = names(children);
    listed.forEach((child, i) => visit(children[child], join(path, child), path, child, depth + 1, i + 1, listed.length));
  };
  if (tree) visit(tree, "/", "", "/", 0, 1, 1);
  return rows;
}

/**
 * Returns the rows to draw: those in sight and a few around them.
 * @param {number} count number of all rows
 * @param {number} top the scroll position, in pixels
 * @param {number} height height of the visible part, in pixels
 * @param {number} row height of a row, in pixels
 * @returns {[number, number]} first, and one past the last
 */
export function inSight(count, top, height, row) {
  const around = 6;
  const first = Math.max(0, Math.floor(top / row) - around);
  return [Math.min(first, count), Math.min(count, Math.ceil((top + height) / row) + around)];
}

/**
 * Returns where a key leads from a row, by the keys of ARIA's tree pattern.
 * @param {string} key
 * @param {Row[]} rows
 * @param {number} at the row's number
 * @param {number} page number of rows that fit in sight
 * @returns {{ to?: number, open?: string, close?: string } | null} null when the tree does not use the key
 */
export function keyed(key, rows, at, page) {
  const row = rows[at];
  const last = rows.length - 1;
  switch (key) {
    case "ArrowDown": return { to: Math.min(last, at + 1) };
    case "ArrowUp": return { to: Math.max(0, at - 1) };
    case "PageDown": return { to: Math.min(last, at + page) };
    case "PageUp": return { to: Math.max(0, at - page) };
    case "Home": return { to: 0 };
    case "End": return { to: last };
    case "ArrowRight":
      if (row.leaf) return {};
      return row.open ? { to: Math.min(last, at + (rows[at + 1]?.parent === row.path ? 1 : 0)) } : { open: row.path };
    case "ArrowLeft":
      if (row.open) return { close: row.path };
      return row.parent ? { to: rows.findIndex((other) => other.path === row.parent) } : {};
    default: return null;
  }
}

/**
 * Returns the next row after `at` whose name begins with the typed letters, going round at the end; `at` if nothing fits.
 * @param {Row[]} rows
 * @param {number} at
 * @param {string} typed
 */
export function typedTo(rows, at, typed) {
  const wanted = typed.toLowerCase();
  // One letter moves on to the next row; more letters may still fit the row that the first ones led to.
  const from = typed.length > 1 ? at : at + 1;
  for (let i = 0; i < rows.length; i++) {
    const place = (from + i) % rows.length;
    if (rows[place].name.toLowerCase().startsWith(wanted)) return place;
  }
  return at;
}
