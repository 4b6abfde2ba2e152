// The address of a recording's page: reads and writes its moment. x.html#t=12.4 opens it 12.4 seconds after the beginning.

/** @param {string} hash @param {number} seconds length of the recording @returns {number | null} null when the hash names no moment */
export function momentIn(hash, seconds) {
  const found = /^#t=(\d+(?:\.\d+)?)$/.exec(hash);
  return found ? Math.min(Number(found[1]), seconds) : null;
}

/** Returns the address of the same page at a moment. @param {string} href @param {number} at */
export function address(href, at) {
  return `${href.split("#")[0]}#t=${Math.max(0, at).toFixed(3)}`;
}
