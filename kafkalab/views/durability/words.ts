// The words of a cell of the durability matrix, and the keyboard's way through the cells, without the DOM.

import { count } from "../shared.ts";
import type { Cell } from "./picture";

export const ACKS = ["0", "1", "all"];
export const LEAST = [1, 2, 3];
export const FAULTS = { killed: "killed, and comes back", "disk lost": "killed, and its disk is lost" } as Record<string, string>;
export const SIGNS = { kept: "✓", lost: "✗", refused: "⊘", running: "…", "not run": "○", "not possible": "—" } as Record<string, string>;

/** Returns the name of a cell: a1-m2-u3-k. */
export function nameOf(acks: string, least: number, up: number, fault: string) {
  return `a${acks}-m${least}-u${up}-${fault[0]}`;
}

export function settingOf(name: string): { acks: string; least: number; up: number; fault: string } {
  const [, acks, least, up, fault] = (/^a(\w+)-m(\d)-u(\d)-(\w)$/.exec(name) ?? ["", "", "0", "0", "k"]) as unknown as string[];
  return { acks, least: Number(least), up: Number(up), fault: fault === "d" ? "disk lost" : "killed" };
}

/** Returns the verdict with its number. */
export function said(cell: Cell): string {
  if (cell.verdict === "lost") return `${count(cell.lost ?? 0)} lost`;
  if (cell.verdict === "kept") return `${count(cell.acknowledged ?? 0)} kept`;
  return cell.verdict;
}

/** Returns the records of a cell as stretches, in the order they were sent. While a cell runs, a record may still be "open". */
export function strip(cell: Cell): { kind: "kept" | "lost" | "refused" | "open"; count: number; spell: string }[] {
  return cell.spells.flatMap((spell) => {
    const told = spell.errors.reduce((sum, error) => sum + error.times, 0);
    const rest = spell.sent - spell.acknowledged;
    const parts = [["kept", spell.acknowledged - spell.lost], ["lost", spell.lost], ["refused", cell.state === "running" ? told : rest], ["open", cell.state === "running" ? rest - told : 0]] as [("kept" | "lost" | "refused" | "open"), number][];
    return parts.filter(([, n]) => n > 0).map(([kind, n]) => ({ kind, count: n, spell: spell.name }));
  });
}

/** Returns the cell that a key leads to. Columns of all grids stand side by side, so the way goes on into the next grid.
 * @param from the name of a cell
 * @param cells the cells that exist
 * @param ups the grids, in order */
export function walk(from: string, key: string, cells: Record<string, Cell>, ups: number[]): string | null {
  const { acks, least, up, fault } = settingOf(from);
  const columns = ups.flatMap((k) => LEAST.map((m) => ({ k, m })));
  const rows = ACKS.filter((a) => columns.some(({ k, m }) => nameOf(a, m, k, fault) in cells));
  const here = columns.findIndex(({ k, m }) => k === up && m === least);
  const row = rows.indexOf(acks);
  const at = (r: number, c: number) => {
    const column = columns[c];
    const name = column && rows[r] !== undefined ? nameOf(rows[r], column.m, column.k, fault) : "";
    return name in cells ? name : null;
  };
  const search = (start: number, step: number) => {
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
