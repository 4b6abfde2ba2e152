// The words of a cell of the durability matrix, and the keyboard's way through the cells, without the DOM.

import { count } from "../shared.js";

/** @typedef {import("./picture").Cell} Cell */

export const ACKS = ["0", "1", "all"];
export const LEAST = [1, 2, 3];
export const FAULTS = /** @type {Record<string, string>} */ ({ killed: "killed, and comes back", "disk lost": "killed, and its disk is lost" });
export const SIGNS = /** @type {Record<string, string>} */ ({ kept: "✓", lost: "✗", refused: "⊘", running: "…", "not run": "○", "not possible": "—" });

/** Returns the name of a cell: a1-m2-u3-k. @param {string} acks @param {number} least @param {number} up @param {string} fault */
export function nameOf(acks, least, up, fault) {
  return `a${acks}-m${least}-u${up}-${fault[0]}`;
}

/** @param {string} name @returns {{ acks: string, least: number, up: number, fault: string }} */
export function settingOf(name) {
  const [, acks, least, up, fault] = /** @type {string[]} */ (/** @type {unknown} */ (/^a(\w+)-m(\d)-u(\d)-(\w)$/.exec(name) ?? ["", "", "0", "0", "k"]));
  return { acks, least: Number(least), up: Number(up), fault: fault === "d" ? "disk lost" : "killed" };
}

/** Returns the verdict with its number. @param {Cell} cell @returns {string} */
export function said(cell) {
  if (cell.verdict === "lost") return `${count(cell.lost ?? 0)} lost`;
  if (cell.verdict === "kept") return `${count(cell.acknowledged ?? 0)} kept`;
  return cell.verdict;
}

/** Returns the records of a cell as stretches, in the order they were sent. While a cell runs, a record may still be "open".
 * @param {Cell} cell @returns {{ kind: "kept" | "lost" | "refused" | "open", count: number, spell: string }[]} */
export function strip(cell) {
  return cell.spells.flatMap((spell) => {
    const told = spell.errors.reduce((sum, error) => sum + error.times, 0);
    const rest = spell.sent - spell.acknowledged;
    const parts = /** @type {[("kept" | "lost" | "refused" | "open"), number][]} */ ([["kept", spell.acknowledged - spell.lost], ["lost", spell.lost], ["refused", cell.state === "running" ? told : rest], ["open", cell.state === "running" ? rest - told : 0]]);
    return parts.filter(([, n]) => n > 0).map(([kind, n]) => ({ kind, count: n, spell: spell.name }));
  });
}

/** Returns the cell that a key leads to. Columns of all grids stand side by side, so the way goes on into the next grid.
 * @param {string} from the name of a cell @param {string} key @param {Record<string, Cell>} cells the cells that exist
 * @param {number[]} ups the grids, in order @returns {string | null} */
export function walk(from, key, cells, ups) {
  const { acks, least, up, fault } = settingOf(from);
  const columns = ups.flatMap((k) => LEAST.map((m) => ({ k, m })));
  const rows = ACKS.filter((a) => columns.some(({ k, m }) => nameOf(a, m, k, fault) in cells));
  const here = columns.findIndex(({ k, m }) => k === up && m === least);
  const row = rows.indexOf(acks);
  const at = (/** @type {number} */ r, /** @type {number} */ c) => {
    const column = columns[c];
    const name = column && rows[r] !== undefined ? nameOf(rows[r], column.m, column.k, fault) : "";
    return name in cells ? name : null;
  };
  const search = (/** @type {number} */ start, /** @type {number} */ step) => {
    for (let c = start; c >= 0 && c < columns.length; c += step) {
      const found = at(row, c);
      if (found) return found;
    }
    return null;
  };
  if (key === "ArrowDown") return at(row + 1, here);
  if (key === "ArrowUp") return at(row - 1, here);
  if (key === "ArrowRight") return search(here + 1, 1);
  if (key === "ArrowLeft") return search(here - 1, -1);
  if (key === "Home") return search(0, 1);
  if (key === "End") return search(columns.length - 1, -1);
  return null;
}
