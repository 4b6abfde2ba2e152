// The lines between partitions and members, without the DOM: works out their curves, and the steps from one state to the next.

/** @typedef {{ y1: number, y2: number, grow: number }} Edge */

/** Returns the distance of rows and the height of boxes, in pixels. @param {number} rows @param {number} scale */
export function metrics(rows, scale) {
  const dense = rows > 14;
  return { dense, step: (dense ? 26 : 38) * scale, box: (dense ? 21 : 29) * scale };
}

/**
 * Returns a curve from the left edge at y1 towards the right edge (100 wide) at y2; `grow` (0 … 1) is the share drawn.
 * @param {Edge} edge @returns {string}
 */
export function curve({ y1, y2, grow }) {
  const t = Math.min(1, Math.max(0, grow));
  const points = [[0, y1], [50, y1], [50, y2], [100, y2]];
  // De Casteljau's algorithm: the first part of a Bézier curve is a Bézier curve itself.
  const between = (/** @type {number[]} */ a, /** @type {number[]} */ b) => [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t];
  const [a, b, c] = [between(points[0], points[1]), between(points[1], points[2]), between(points[2], points[3])];
  const [d, e] = [between(a, b), between(b, c)];
  const end = between(d, e);
  const put = (/** @type {number[]} */ p) => `${p[0].toFixed(1)} ${p[1].toFixed(1)}`;
  return `M${put(points[0])}C${put(a)} ${put(d)} ${put(end)}`;
}

/**
 * Returns where the lines of a state belong: "topic/partition" → edge. Lines that meet at one member fan out a little.
 * @param {any} state @param {{ step: number, box: number }} size @returns {Map<string, Edge>}
 */
export function targets(state, { step, box }) {
  /** @type {Map<string, string[]>} */ const held = new Map();
  for (const key of state.order) {
    const member = state.partitions[key].member;
    if (member !== null && state.members[member]) held.set(member, [...(held.get(member) ?? []), key]);
  }
  const found = new Map();
  const row = new Map(state.order.map((/** @type {string} */ key, /** @type {number} */ i) => [key, i]));
  for (const [member, keys] of held) {
    const apart = Math.min(5, (box * 0.7) / keys.length);
    keys.forEach((key, i) => {
      const fan = (i - (keys.length - 1) / 2) * apart;
      found.set(key, { y1: row.get(key) * step + box / 2, y2: state.members[member].row * step + box / 2 + fan, grow: 1 });
    });
  }
  return found;
}

/** Returns the edge between two edges; k from 0 to 1. @param {Edge} a @param {Edge} b @param {number} k @returns {Edge} */
export function blend(a, b, k) {
  const mix = (/** @type {number} */ u, /** @type {number} */ v) => u + (v - u) * k;
  return { y1: mix(a.y1, b.y1), y2: mix(a.y2, b.y2), grow: mix(a.grow, b.grow) };
}

/** Eases a motion: slow, fast, slow. @param {number} k */
export function ease(k) {
  return k < 0.5 ? 4 * k ** 3 : 1 - (-2 * k + 2) ** 3 / 2;
}

/** Returns the item that an arrow key leads to. @param {string} key @param {string[][]} columns @param {string} at @returns {string | null} */
export function stepped(key, columns, at) {
  const c = columns.findIndex((column) => column.includes(at));
  if (c < 0) return null;
  const i = columns[c].indexOf(at);
  const other = columns[1 - c];
  const across = () => (other.length ? other[Math.min(other.length - 1, Math.round((i * other.length) / columns[c].length))] : null);
  switch (key) {
    case "ArrowDown": return columns[c][Math.min(i + 1, columns[c].length - 1)];
    case "ArrowUp": return columns[c][Math.max(i - 1, 0)];
    case "ArrowRight": return c === 0 ? across() : null;
    case "ArrowLeft": return c === 1 ? across() : null;
    case "Home": return columns[c][0];
    case "End": return columns[c].at(-1) ?? null;
    default: return null;
  }
}
