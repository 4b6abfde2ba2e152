// The trucks: what the last frame said of them, their gliding from frame to frame, and their drawing.
import { drawMark } from "./map_marks.js";

const BYTES = 18; // latitude, longitude, speed, heading as float32, then partition as uint16
const NO_PARTITION = 65535;
const STILL_KMH = 1;
const JUMP_KM = 250; // farther than this a truck did not drive between two frames
const GLIDE_MS = [120, 4000];

export class Trucks {
  constructor(project) {
    this.project = project;
    this.ids = [];
    this.count = 0;
    this.#grow(0);
  }

  // Takes a frame in. Trucks that moved glide from where they are drawn now to where they are said to be, over the time
  // that passed since they last moved; those that did not are left alone.
  take(bytes, ids, now, glide) {
    const n = Math.min(Math.floor(bytes.byteLength / BYTES), ids.length);
    // A trait's bytes may begin anywhere in their buffer; float32 wants a multiple of four.
    const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
    const column = (i) => new Float32Array(buffer, 4 * n * i, n);
    const [latitude, longitude] = [column(0), column(1)];
    [this.latitude, this.longitude] = [latitude, longitude];
    this.speed = column(2);
    this.heading = column(3);
    this.partition = new Uint16Array(buffer, 16 * n, n);
    if (n < this.count) this.#grow(0);
    const known = this.count;
    if (n > known) this.#grow(n);
    this.ids = ids;
    for (let i = 0; i < n; i += 1) {
      const [x, y] = this.project(latitude[i], longitude[i]);
      if (i < known && x === this.toX[i] && y === this.toY[i]) continue;
      const [nowX, nowY] = i < known ? this.at(i, now) : [x, y];
      const far = Math.hypot(x - nowX, y - nowY) > JUMP_KM;
      const gap = Math.min(GLIDE_MS[1], Math.max(GLIDE_MS[0], now - this.since[i]));
      this.fromX[i] = far ? x : nowX;
      this.fromY[i] = far ? y : nowY;
      [this.toX[i], this.toY[i]] = [x, y];
      this.since[i] = now;
      this.during[i] = glide && i < known && !far ? gap : 0;
      this.until = Math.max(this.until, now + this.during[i]);
    }
  }

  #grow(n) {
    const keep = (old, fresh) => (old && n > 0 ? (fresh.set(old), fresh) : fresh);
    for (const name of ["fromX", "fromY", "toX", "toY", "since", "during"]) this[name] = keep(this[name], new Float64Array(n));
    this.count = n;
    if (n === 0) this.until = 0;
  }

  at(i, now) {
    const share = this.during[i] > 0 ? Math.min(1, (now - this.since[i]) / this.during[i]) : 1;
    return [this.fromX[i] + (this.toX[i] - this.fromX[i]) * share, this.fromY[i] + (this.toY[i] - this.fromY[i]) * share];
  }

  gliding(now) {
    return now < this.until;
  }

  moves(i) {
    return this.speed[i] >= STILL_KMH;
  }

  // The truck drawn nearest to a pixel, at most `reach` pixels away; -1 for none.
  nearest(view, px, py, now, only, reach = 12) {
    let [best, least] = [-1, reach];
    for (let i = 0; i < this.count; i += 1) {
      if (only !== null && this.partition[i] !== only) continue;
      const [x, y] = view.toPixels(...this.at(i, now));
      const away = Math.hypot(x - px, y - py);
      if (away < least) [best, least] = [i, away];
    }
    return best;
  }

  // Counts by partition, in order: [{partition, trucks, moving, kmh}]; the partition that is not known is null.
  counts() {
    const found = new Map();
    for (let i = 0; i < this.count; i += 1) {
      const key = this.partition[i];
      const own = found.get(key) ?? { partition: key === NO_PARTITION ? null : key, trucks: 0, moving: 0, kmh: 0 };
      own.trucks += 1;
      if (this.moves(i)) {
        own.kmh = (own.kmh * own.moving + this.speed[i]) / (own.moving + 1);
        own.moving += 1;
      }
      found.set(key, own);
    }
    return [...found.entries()].sort(([a], [b]) => a - b).map(([, own]) => own);
  }

  fastest() {
    let best = -1;
    for (let i = 0; i < this.count; i += 1) if (this.moves(i) && (best < 0 || this.speed[i] > this.speed[best])) best = i;
    return best;
  }

  // Draws all, the selected one last; those of another partition than `only` stay as shadows. Zoomed in, marks are large
  // enough for a number.
  draw(ctx, view, colours, now, only, selected) {
    const r = Math.min(9, 3 + 0.9 * Math.log2(view.zoom) * 1.6);
    const numbered = r >= 6.5;
    const marks = this.#sprites(r, colours, ctx.getTransform().a);
    const half = marks.size / 2;
    const later = [], top = [];
    ctx.lineCap = "round";
    for (let i = 0; i < this.count; i += 1) {
      const [x, y] = view.toPixels(...this.at(i, now));
      if (!(x > -20 && y > -20 && x < view.width + 20 && y < view.height + 20)) continue;
      const shadow = only !== null && this.partition[i] !== only;
      if (i === selected) top.push([i, x, y]);
      else if (only !== null && !shadow) later.push([i, x, y]);
      else this.#one(ctx, marks, half, i, x, y, r, shadow, numbered, colours);
    }
    for (const [i, x, y] of [...later, ...top]) this.#one(ctx, marks, half, i, x, y, r, false, numbered, colours);
    ctx.globalAlpha = 1;
  }

  #one(ctx, marks, half, i, x, y, r, shadow, numbered, colours) {
    const partition = this.partition[i];
    ctx.globalAlpha = shadow ? 0.13 : 1;
    // The tail: back along the heading, as long as the truck is fast.
    if (this.moves(i) && Number.isFinite(this.heading[i])) {
      const back = (this.heading[i] * Math.PI) / 180, length = r * (1.4 + this.speed[i] / 45);
      ctx.strokeStyle = colours.of(partition);
      ctx.lineWidth = Math.max(1.3, r * 0.4);
      if (!shadow) ctx.globalAlpha = 0.5;
      ctx.beginPath();
      ctx.moveTo(x, y);
      ctx.lineTo(x - Math.sin(back) * length, y + Math.cos(back) * length);
      ctx.stroke();
      if (!shadow) ctx.globalAlpha = 1;
    }
    ctx.drawImage(marks.of(partition), x - half, y - half, marks.size, marks.size);
    if (numbered && !shadow && partition !== NO_PARTITION) {
      ctx.font = `600 ${Math.round(r * 1.25)}px ${colours.font}`;
      ctx.textAlign = "center";
      ctx.textBaseline = "middle";
      ctx.fillStyle = colours.on(partition);
      ctx.fillText(String(partition), x, y + 0.5);
      ctx.textAlign = "start";
    }
  }

  // Each mark is drawn once and stamped a thousand times; drawn anew when the size, the theme or the screen changes.
  #sprites(r, colours, ratio) {
    const key = `${r.toFixed(2)} ${ratio} ${colours.key}`;
    if (this.marks?.key === key) return this.marks;
    const size = Math.ceil(r * 2 + 8), made = new Map();
    const of = (partition) => {
      if (!made.has(partition)) {
        const sprite = document.createElement("canvas");
        sprite.width = sprite.height = Math.ceil(size * ratio);
        const ctx = sprite.getContext("2d");
        ctx.scale(ratio, ratio);
        drawMark(ctx, partition === NO_PARTITION ? 0 : partition, size / 2, size / 2, r, colours.of(partition), colours.land);
        made.set(partition, sprite);
      }
      return made.get(partition);
    };
    this.marks = { key, size, of };
    return this.marks;
  }
}
