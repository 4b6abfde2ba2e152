// The names and the strip of a cell of the durability matrix, without the DOM.

import type { Cell } from "./picture";

export const ACKS = ["0", "1", "all"];
export const LEAST = [1, 2, 3];

/** Returns the name of a cell: a1-m2-u3-k. */
export function nameOf(acks: string, least: number, up: number, fault: string) {
  return `a${acks}-m${least}-u${up}-${fault[0]}`;
}

/** Returns the records of a cell as stretches, in the order they were sent. While a cell runs, a record may still be "open". */
export function strip(cell: Cell) {
  return cell.spells.flatMap((spell) => {
    const told = spell.errors.reduce((sum, error) => sum + error.times, 0);
    const rest = spell.sent - spell.acknowledged, refused = cell.state === "running" ? told : rest;
    const parts = Object.entries({ kept: spell.acknowledged - spell.lost, lost: spell.lost, refused, open: rest - refused });
    return parts.filter(([, n]) => n > 0).map(([kind, n]) => ({ kind, count: n, spell: spell.name }));
  });
}
