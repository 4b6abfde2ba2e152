// The address of a recording's page: reads and writes its moment. x.html#t=12.4 opens it 12.4 seconds after the beginning.

/** @param seconds length of the recording
 * @returns null when the hash names no moment */
export function momentIn(hash: string, seconds: number): number | null {
  const found = /^#t=(\d+(?:\.\d+)?)$/.exec(hash);
  return found ? Math.min(Number(found[1]), seconds) : null;
}

/** Returns the address of the same page at a moment. */
export function address(href: string, at: number) {
  return `${href.split("#")[0]}#t=${Math.max(0, at).toFixed(3)}`;
}
