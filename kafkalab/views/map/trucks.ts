// The trucks: keeps the last frame, lets them glide from frame to frame, and draws them.

import type { Fences } from "./land.ts";

const BYTES = 18; // latitude, longitude, speed, heading as float32, then partition as uint16
const STILL_KMH = 1;
const JUMP_KM = 250; // a longer way than this between two frames was not driven: the truck does not glide
const GLIDE_MS = [120, 4000];

export class Trucks {
  tracks = new Tracks();
  ids: string[] = [];
  count = 0;
  until = 0;
  followed = "";
  latitude = this.longitude = this.speed = this.heading = new Float32Array(0);
  partition = new Uint16Array(0);
  fence = new Int16Array(0);
  fromX = this.fromY = this.toX = this.toY = this.since = this.during = new Float64Array(0);

  constructor(public project: (lat: number, lon: number) => [number, number], public fences: Fences) {
  }

  /** Takes other fences, and finds the trucks that are in them. */
  fenced(fences: Fences) {
    this.fences = fences;
    for (let i = 0; i < this.count; i += 1) this.fence[i] = fences.of(this.toX[i], this.toY[i]);
  }

  // Takes a frame. Trucks that moved glide from the place where they are drawn to the reported one, in the time that passed
  // since they last moved; the others stay as they are.
  take(bytes, ids, now, glide) {
    const n = Math.min(Math.floor(bytes.byteLength / BYTES), ids.length);
    // The bytes of a trait may begin anywhere in their buffer, but float32 needs a multiple of four.
    const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
    const column = (i) => new Float32Array(buffer, 4 * n * i, n);
    const [latitude, longitude] = [column(0), column(1)];
    [this.latitude, this.longitude] = [latitude, longitude];
    this.speed = column(2);
    this.heading = column(3);
    this.partition = new Uint16Array(buffer, 16 * n, n);
    if (n < this.count) {
      this.#grow(0);
      this.tracks.clear();
    }
    const known = this.count;
    if (n > known) this.#grow(n);
    this.ids = ids;
    for (let i = 0; i < n; i += 1) {
      const [x, y] = this.project(latitude[i], longitude[i]);
      this.tracks.add(i, x, y, now, n, ids[i] === this.followed);
      if (i < known && x === this.toX[i] && y === this.toY[i]) continue;
      const [nowX, nowY] = i < known ? this.at(i, now) : [x, y];
      const far = Math.hypot(x - nowX, y - nowY) > JUMP_KM;
      const gap = Math.min(GLIDE_MS[1], Math.max(GLIDE_MS[0], now - this.since[i]));
      this.fromX[i] = far ? x : nowX;
      this.fromY[i] = far ? y : nowY;
      [this.toX[i], this.toY[i]] = [x, y];
      this.fence[i] = this.fences.of(x, y);
      this.since[i] = now;
      this.during[i] = glide && i < known && !far ? gap : 0;
      this.until = Math.max(this.until, now + this.during[i]);
    }
  }

  #grow(n) {
    const keep = (old, fresh) => (n > 0 ? (fresh.set(old), fresh) : fresh);
    for (const name of ["fromX", "fromY", "toX", "toY", "since", "during"]) this[name] = keep(this[name], new Float64Array(n));
    this.fence = keep(this.fence, new Int16Array(n));
    this.count = n;
    if (n === 0) this.until = 0;
  }

  at(i: number, now: number): [number, number] {
    const share = this.during[i] > 0 ? Math.min(1, (now - this.since[i]) / this.during[i]) : 1;
    return [this.fromX[i] + (this.toX[i] - this.fromX[i]) * share, this.fromY[i] + (this.toY[i] - this.fromY[i]) * share];
  }

  gliding(now) {
    return now < this.until;
  }

  moves(i) {
    return this.speed[i] >= STILL_KMH;
  }

  // Returns the truck drawn nearest to a pixel, at most `reach` pixels away, or -1. `shown` tells which trucks count.
  nearest(view, px, py, now, shown, reach = 12) {
    let [best, least] = [-1, reach];
    for (let i = 0; i < this.count; i += 1) {
      if (!shown(i)) continue;
      const [x, y] = view.toPixels(...this.at(i, now));
      const away = Math.hypot(x - px, y - py);
      if (away < least) [best, least] = [i, away];
    }
    return best;
  }

  // Counts the trucks of each group, in order: [{group, trucks, moving, kmh}]; trucks without a group come last.
  counts(look) {
    const found = new Map();
    for (let i = 0; i < this.count; i += 1) {
      const group = look.group(this, i);
      const own = found.get(group) ?? { group, trucks: 0, moving: 0, kmh: 0 };
      own.trucks += 1;
      if (this.moves(i)) {
        own.kmh = (own.kmh * own.moving + this.speed[i]) / (own.moving + 1);
        own.moving += 1;
      }
      found.set(group, own);
    }
    const place = (group) => (group === look.none ? Infinity : group);
    return [...found.values()].sort((a, b) => place(a.group) - place(b.group));
  }

  fastest() {
    let best = -1;
    for (let i = 0; i < this.count; i += 1) if (this.moves(i) && (best < 0 || this.speed[i] > this.speed[best])) best = i;
    return best;
  }

  // Draws all trucks, the selected one last; those of a group other than `only` are drawn faint. Zoomed in, marks are large
  // enough for a number.
  draw(ctx, view, colours, now, { look, only, selected, scale }) {
    const r = Math.min(9, 3 + 0.9 * Math.log2(view.zoom) * 1.6) * scale;
    const marks = this.#sprites(look, r, colours, ctx.getTransform().a);
    const later = [], top = [];
    ctx.lineCap = "round";
    for (let i = 0; i < this.count; i += 1) {
      const [x, y] = view.toPixels(...this.at(i, now));
      if (!(x > -20 && y > -20 && x < view.width + 20 && y < view.height + 20)) continue;
      const group = look.group(this, i), shadow = only !== null && group !== only;
      if (i === selected) top.push([i, x, y, group]);
      // Trucks outside every geofence are drawn first, below the others.
      else if ((only !== null && !shadow) || (group !== look.none && !look.tails)) later.push([i, x, y, group]);
      else this.#one(ctx, marks, i, x, y, group, r, shadow, colours, look);
    }
    for (const [i, x, y, group] of later) this.#one(ctx, marks, i, x, y, group, r, only !== null && group !== only, colours, look);
    for (const [i, x, y, group] of top) this.#one(ctx, marks, i, x, y, group, r, false, colours, look);
    ctx.globalAlpha = 1;
  }

  #one(ctx, marks, i, x, y, group, r, shadow, colours, look) {
    ctx.globalAlpha = shadow ? 0.13 : 1;
    // The tail points back along the heading, and is longer for a faster truck.
    if (look.tails && group !== look.none && this.moves(i) && Number.isFinite(this.heading[i])) {
      const back = (this.heading[i] * Math.PI) / 180, length = r * (1.4 + this.speed[i] / 45);
      ctx.strokeStyle = colours.of(group);
      ctx.lineWidth = Math.max(1.3, r * 0.4);
      if (!shadow) ctx.globalAlpha = 0.5;
      ctx.beginPath();
      ctx.moveTo(x, y);
      ctx.lineTo(x - Math.sin(back) * length, y + Math.cos(back) * length);
      ctx.stroke();
      if (!shadow) ctx.globalAlpha = 1;
    }
    const { sprite, size } = marks(look.sprite(this, i, group), group);
    ctx.drawImage(sprite, x - size / 2, y - size / 2, size, size);
    const label = r >= 6.5 && !shadow ? look.label(group) : "";
    if (label) {
      ctx.font = `600 ${Math.round(r * 1.25)}px ${colours.font}`;
      ctx.textAlign = "center";
      ctx.textBaseline = "middle";
      ctx.fillStyle = colours.on(group);
      ctx.fillText(label, x, y + 0.5);
      ctx.textAlign = "start";
    }
  }

  // Draws each mark once and stamps it a thousand times; draws it again when the size, the theme or the screen changes.
  #sprites(look, r, colours, ratio) {
    const key = `${look.title} ${r.toFixed(2)} ${ratio} ${colours.key}`;
    if (this.marks?.key === key) return this.marks.of;
    const made = new Map();
    const of = (name, group) => {
      if (!made.has(name)) {
        const own = look.size(group, r), size = Math.ceil(own * 3 + 6);
        const sprite = document.createElement("canvas");
        sprite.width = sprite.height = Math.ceil(size * ratio);
        const ctx = sprite.getContext("2d");
        if (ctx === null) throw new Error("this browser cannot draw on a canvas");
        ctx.scale(ratio, ratio);
        look.draw(ctx, name, group, size / 2, own, colours);
        made.set(name, { sprite, size });
      }
      return made.get(name);
    };
    this.marks = { key, of };
    return of;
  }
}

// --- The track of each truck: keeps its places of the last minutes, at most one a second, and draws them as a line.

const PLACES = 300; // five minutes, at one place a second
const EVERY_MS = 1000;
const MOST_TRUCKS = 4000; // 4.8 kB each; with more trucks only the followed one has a track

export class Tracks {
  ways: Map<number, { x: Float32Array; y: Float32Array; at: Float64Array; n: number }> = new Map();

  clear() {
    this.ways.clear();
  }

  /** Adds a place of a truck.
   * @param trucks how many there are
   * @param wanted whether it is followed */
  add(i: number, x: number, y: number, now: number, trucks: number, wanted: boolean) {
    if (!Number.isFinite(x) || (trucks > MOST_TRUCKS && !wanted)) return;
    let way = this.ways.get(i);
    if (way === undefined) this.ways.set(i, way = { x: new Float32Array(PLACES), y: new Float32Array(PLACES), at: new Float64Array(PLACES), n: 0 });
    if (way.n > 0 && now - way.at[(way.n - 1) % PLACES] < EVERY_MS) return;
    const k = way.n % PLACES;
    [way.x[k], way.y[k], way.at[k]] = [x, y, now];
    way.n += 1;
  }

  /** Returns the places of a truck, oldest first: [[x, y, at], …]. */
  of(i: number): [number, number, number][] {
    const way = this.ways.get(i);
    if (way === undefined) return [];
    const kept = Math.min(way.n, PLACES);
    return Array.from({ length: kept }, (_, k) => { const j = (way.n - kept + k) % PLACES; return [way.x[j], way.y[j], way.at[j]]; });
  }

  /** Draws the track of a truck up to its present place; older parts are fainter, and a dot marks the beginning. */
  draw(ctx: CanvasRenderingContext2D, view: any, colours: any, i: number, here: [number, number], scale: number) {
    const places = [...this.of(i).map(([x, y]) => view.toPixels(x, y)), view.toPixels(...here)];
    if (places.length < 2) return;
    ctx.lineCap = ctx.lineJoin = "round";
    const parts = 5, step = Math.ceil((places.length - 1) / parts);
    for (const [colour, width] of [[colours.land, 6 * scale], [colours.accent, 2.6 * scale]]) {
      ctx.strokeStyle = colour;
      ctx.lineWidth = width;
      for (let from = 0; from < places.length - 1; from += step) {
        ctx.globalAlpha = 0.35 + 0.65 * (from / (places.length - 1));
        ctx.beginPath();
        places.slice(from, from + step + 1).forEach(([x, y], k) => (k === 0 ? ctx.moveTo(x, y) : ctx.lineTo(x, y)));
        ctx.stroke();
      }
    }
    ctx.globalAlpha = 1;
    ctx.beginPath();
    ctx.arc(places[0][0], places[0][1], 3 * scale, 0, 2 * Math.PI);
    ctx.fillStyle = colours.land;
    ctx.fill();
    ctx.strokeStyle = colours.accent;
    ctx.lineWidth = 1.6 * scale;
    ctx.stroke();
  }
}

// --- The input of the map: takes frames from the kernel; on a page without one, makes such frames from a state with one row
// per truck, as kafkalab/views/map/table.py writes it.

const UNITS = 10000; // per degree
const JUMP_S = 15; // more recorded seconds than this between two pictures are a jump, over which no truck glides

export class Told {
  rows = new Rows();
  /** The Unix time shown, in a recording. */
  at: number | null = null;

  constructor(public model) {
  }

  /** Returns what to draw now; `jumped` tells that time went back or far ahead. */
  next(): { frame: DataView; ids: string[]; jumped: boolean } {
    const state = this.model.get("state");
    const at = (state ? state.at : this.model.get("at")) ?? null;
    const jumped = at !== this.at && (at === null || this.at === null || at < this.at || at - this.at > JUMP_S);
    this.at = at;
    if (state) return { frame: this.rows.frame(state.rows ?? []), ids: state.ids ?? [], jumped };
    return { frame: this.model.get("frame"), ids: this.model.get("truck_ids"), jumped };
  }
}

/** Turns rows back into numbers; rows that did not change are not parsed again. */
class Rows {
  rows: string[] = [];
  known: number[][] = [];

  /** Returns the rows as a frame: four columns of float32 and one of uint16. */
  frame(rows: string[]): DataView {
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

/** Parses a row: "523401 134050 71 183 3" → [52.3401, 13.405, 71, 183, 3] */
export function read(row: string) {
  const [latitude, longitude, speed, heading, partition] = String(row).split(" ").map(Number);
  return [latitude / UNITS, longitude / UNITS, speed, heading, partition];
}
