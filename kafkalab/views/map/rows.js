// The input of the map: takes frames from the kernel; on a page without one, makes such frames from a state with one row
// per truck, as kafkalab/views/map/table.py writes it.

const UNITS = 10000; // per degree
const BYTES = 18; // per truck, as map/trucks.js reads them
const JUMP_S = 15; // more recorded seconds than this between two pictures are a jump, over which no truck glides

export class Told {
  /** @param {any} model */
  constructor(model) {
    this.model = model;
    this.rows = new Rows();
    /** The Unix time shown, in a recording. @type {number | null} */ this.at = null;
  }

  /** Returns what to draw now; `jumped` tells that time went back or far ahead. @returns {{ frame: DataView, ids: string[], jumped: boolean }} */
  next() {
    const state = this.model.get("state");
    const at = (state ? state.at : this.model.get("at")) ?? null;
    const jumped = at !== this.at && (at === null || this.at === null || at < this.at || at - this.at > JUMP_S);
    this.at = at;
    if (state) return { frame: this.rows.frame(state.rows ?? []), ids: state.ids ?? [], jumped };
    return { frame: this.model.get("frame"), ids: this.model.get("truck_ids"), jumped };
  }
}

/** Turns rows back into numbers; rows that did not change are not parsed again. */
export class Rows {
  constructor() {
    /** @type {string[]} */ this.rows = [];
    /** @type {number[][]} */ this.known = [];
  }

  /** Returns the rows as a frame: four columns of float32 and one of uint16. @param {string[]} rows @returns {DataView} */
  frame(rows) {
    const n = rows.length;
    const buffer = new ArrayBuffer(BYTES * n);
    const columns = [0, 1, 2, 3].map((i) => new Float32Array(buffer, 4 * n * i, n));
    const partition = new Uint16Array(buffer, 16 * n, n);
    const known = rows.map((row, i) => (row === this.rows[i] ? this.known[i] : read(row)));
    known.forEach((numbers, i) => {
      for (let c = 0; c < 4; c += 1) columns[c][i] = numbers[c];
      partition[i] = numbers[4];
    });
    [this.rows, this.known] = [rows, known];
    return new DataView(buffer);
  }
}

/** Parses a row: "523401 134050 71 183 3" → [52.3401, 13.405, 71, 183, 3] @param {string} row */
export function read(row) {
  const [latitude, longitude, speed, heading, partition] = String(row).split(" ").map(Number);
  return [latitude / UNITS, longitude / UNITS, speed, heading, partition];
}
