import { deepStrictEqual, strictEqual } from "node:assert";
import { test } from "node:test";
import { percent } from "../../kafkalab/views/record/bar.ts";
import { letter, pieces, rowsOf } from "../../kafkalab/views/record/fields.ts";

const item = (/** @type {string} */ id, /** @type {number} */ at, /** @type {string} */ hex, more = {}) => /** @type {any} */ ({ id, at, hex, tail: "", cut: 0, size: hex.length / 2, kind: "value", ...more });

test("bytes stand in rows, fields go on over the end of a row", () => {
  const rows = rowsOf([item("a", 0, "000102"), item("b", 3, "0304050607")], 4);
  deepStrictEqual(rows.map((row) => [row.at, row.cells.map((c) => c.byte).join("")]), [[0, "00010203"], [4, "04050607"]]);
  deepStrictEqual(pieces(rows[0]).map(([one, first, size]) => [one.id, first, size]), [["a", 0, 3], ["b", 3, 1]]);
});

test("bytes that are left out are a row of their own, and positions go on behind them", () => {
  const rows = rowsOf([item("a", 0, "0001", { cut: 100, tail: "6667", size: 104 }), item("b", 104, "68")], 8);
  deepStrictEqual(rows.map((row) => [row.at, row.gap?.bytes ?? row.cells.length]), [[0, 2], [2, 100], [102, 3]]);
});

test("a record begins a row", () => {
  const rows = rowsOf([item("record_count", 57, "00000001"), item("record_length", 61, "0a"), item("record_9", 66, "0a0b", { kind: "other" }), item("x", 68, "00")], 16);
  deepStrictEqual(rows.map((row) => row.at), [57, 61, 66, 68]);
});

test("letters and shares", () => {
  deepStrictEqual(["41", "7e", "7f", "20", "00", "ff"].map(letter), ["A", "~", "·", " ", "·", "·"]);
  deepStrictEqual([percent(1, 1000), percent(999, 1000), percent(1, 3), percent(0, 5), percent(5, 5)], ["< 1", "> 99", "33", "0", "100"]);
  strictEqual(percent(1, 100), "1");
});
