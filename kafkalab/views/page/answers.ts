// The answers of a recording's page: serves, in place of a kernel, records further back in a log that the page holds.

export type Window = { from: number; to: number; cells: any[][]; blank?: [number, number][] };

/** Returns the windows that a LogView asked for, cut from those that the page holds; null when it holds none of them. */
export function look(held: Record<string, Window>[], message: { windows?: Record<string, [number, number]>; id?: number }) {
  const found: [string, Window][] = [];
  for (const [p, [from, to]] of Object.entries(message.windows ?? {})) {
    const windows = held.flatMap((one) => (Object.hasOwn(one, p) ? [one[p]] : [])).filter((one) => one.from < to && one.to > from);
    if (!windows.length) continue;
    const begin = Math.max(from, windows[0].from);
    const end = Math.min(to, windows[windows.length - 1].to);
    const within = (offset: number) => offset >= begin && offset < end;
    const blank = windows.flatMap((one) => one.blank ?? []).map(([a, b]) => [Math.max(a, begin), Math.min(b, end)] as [number, number]).filter(([a, b]) => a < b);
    found.push([p, { from: begin, to: end, cells: windows.flatMap((one) => one.cells.filter((cell) => within(cell[0]))), ...(blank.length ? { blank } : {}) }]);
  }
  return found.length ? { windows: Object.fromEntries(found), id: message.id } : null;
}
