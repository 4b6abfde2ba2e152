// The moment in a page's address: x.html#t=12.4 opens it 12.4 seconds after the recording began.

/** @param {string} hash @param {number} seconds how long the recording is @returns {number | null} null: it names none */
export function momentIn(hash, seconds) {
  const found = /^#t=(\d+(?:\.\d+)?)$/.exec(hash);
  return found ? Math.min(Number(found[1]), seconds) : null;
}

/** The address of the same page at a moment. @param {string} href @param {number} at */
export function address(href, at) {
  return `${href.split("#")[0]}#t=${Math.max(0, at).toFixed(3)}`;
}
