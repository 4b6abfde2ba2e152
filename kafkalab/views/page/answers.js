// The answers of a recording's page: serves, in place of a kernel, records further back in a log that the page holds.

/** @typedef {{ from: number, to: number, cells: any[][], blank?: [number, number][] }} Window */

/**
 * Returns the windows that a LogView asked for, cut from those that the page holds; null when it holds none of them.
 * @param {Record<string, Window>[]} held
 * @param {{ windows?: Record<string, [number, number]>, id?: number }} message
 */
export function look(held, message) {
  /** @type {[string, Window][]} */
  const found = [];
  for (const [p, [from, to]] of Object.entries(message.windows ?? {})) {
    const windows = held.flatMap((one) => (Object.hasOwn(one, p) ? [one[p]] : [])).filter((one) => one.from < to && one.to > from);
    if (!windows.length) continue;
    const begin = Math.max(from, windows[0].from);
    const end = Math.min(to, windows[windows.length - 1].to);
    const within = (/** @type {number} */ offset) => offset >= begin && offset < end;
    const blank = windows.flatMap((one) => one.blank ?? []).map(([a, b]) => /** @type {[number, number]} */ ([Math.max(a, begin), Math.min(b, end)])).filter(([a, b]) => a < b);
    found.push([p, { from: begin, to: end, cells: windows.flatMap((one) => one.cells.filter((cell) => within(cell[0]))), ...(blank.length ? { blank } : {}) }]);
  }
  return found.length ? { windows: Object.fromEntries(found), id: message.id } : null;
}
