// Patches, the page's half of kafkalab/state/patch.py: applies a list of changes to a drawn state.

/** @typedef {[string, (string | number)[], any?]} Op */

/**
 * Returns the state with a patch applied. Nothing is changed in place, and every part that the patch does not touch is the
 * same object after it, so that a view can compare with === to find out what to draw again.
 * @param {any} state
 * @param {Op[]} ops
 * @returns {any}
 */
export function patched(state, ops) {
  return ops.reduce((at, op) => change(at, op[1], op), state);
}

/**
 * @param {any} at
 * @param {(string | number)[]} path
 * @param {Op} op
 * @returns {any}
 */
function change(at, path, op) {
  const [kind, , value] = op;
  if (path.length === 0) {
    if (kind === "set") return value;
    if (kind === "cut") return at.slice(value);
    if (kind === "end") return at.slice(0, value);
    if (kind === "add") return [...at, ...value];
    throw new Error(`a patch with an unknown operation: ${kind}`);
  }
  const [key, ...rest] = path;
  // Entries, not a spread with an assignment, because a group may be called __proto__.
  if (Array.isArray(at)) return at.map((element, i) => (i === key ? change(element, rest, op) : element));
  const gone = kind === "del" && rest.length === 0;
  const entries = Object.entries(at).filter(([name]) => name !== key);
  if (gone) return Object.fromEntries(entries);
  const inner = Object.hasOwn(at, key) ? at[key] : undefined;
  const next = change(inner, rest, op);
  // A key that was there keeps its place, because things are drawn in the order of the keys.
  if (!Object.hasOwn(at, key)) return Object.fromEntries([...entries, [key, next]]);
  return Object.fromEntries(Object.entries(at).map(([name, was]) => [name, name === key ? next : was]));
}
