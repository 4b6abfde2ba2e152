// The trucks: keeps the picture's rows, lets trucks glide from place to place, and draws them.

import type { Viewport } from "./land.ts";
import { NONE } from "./looks.ts";
import type { Colours, Look } from "./looks.ts";
import type { Picture } from "./picture";

const ROW = 12; // bytes of a truck
const STILL_KMH = 1;
const JUMP_S = 15; // more recorded seconds than this between two pictures are a jump, over which no truck glides
const JUMP_KM = 250; // a longer way than this between two pictures was not driven: the truck does not glide
const GLIDE_MS = [120, 4000];

type Told = { latitude: number; longitude: number; speed: number; heading: number; partition: number; fence: number };
/** A truck as its row tells it, and its way from one place to another, in kilometres: when it began, and its milliseconds. */
export type Truck = Told & { id: string; fromX: number; fromY: number; toX: number; toY: number; since: number; during: number };
export type Count = { group: number; trucks: number; moving: number; kmh: number };

/** Reads the picture's rows, as ROW in picture.py has them; what is not known is NaN, and -1 for partition and fence. */
export function read(rows: string): Told[] {
  const bytes = new DataView(Uint8Array.from(atob(rows), (c) => c.charCodeAt(0)).buffer);
  const degrees = (at: number) => (bytes.getUint16(at, true) + 65536 * bytes.getInt8(at + 2)) / 10000;
  const known = (n: number, last: number, of: number) => (n === last ? NaN : n / of);
  return Array.from({ length: bytes.byteLength / ROW }, (_, i) => {
    const at = i * ROW, partition = bytes.getUint16(at + 9, true);
    return {
      latitude: degrees(at), longitude: degrees(at + 3),
      speed: known(bytes.getUint16(at + 6, true), 65535, 10), heading: known(bytes.getUint8(at + 8), 255, 0.5),
      partition: partition === 65535 ? NONE : partition, fence: bytes.getInt8(at + 11),
    };
  });
}

/** Returns whether the time of a recording went back or far ahead; `at` is null for a map of no recording. */
export function jumps(before: number | null, at: number | null) {
  return at !== before && (at === null || before === null || at < before || at - before > JUMP_S);
}

export const moves = (truck: Truck) => truck.speed >= STILL_KMH;

/** Returns where a truck is drawn now. */
export function placeOf(truck: Truck, now: number): [number, number] {
  const share = truck.during > 0 ? Math.min(1, (now - truck.since) / truck.during) : 1;
  return [truck.fromX + (truck.toX - truck.fromX) * share, truck.fromY + (truck.toY - truck.fromY) * share];
}

export class Trucks {
  list: Truck[] = [];
  until = 0;
  marks: { key: string; of: (group: number) => { sprite: HTMLCanvasElement; size: number } } | undefined;

  constructor(public project: (lat: number, lon: number) => [number, number]) {}

  /** Takes a picture. Trucks that moved glide from the place where they are drawn to the reported one, in the time that passed
   * since they last moved; the others stay as they are. */
  take({ ids, rows }: Picture, now: number, glide: boolean) {
    const before = this.list;
    this.list = read(rows).map((told, i) => this.#moved(before[i]?.id === ids[i] ? before[i] : undefined, ids[i], told, now, glide));
  }

  #moved(old: Truck | undefined, id: string, told: Told, now: number, glide: boolean): Truck {
    const [toX, toY] = this.project(told.latitude, told.longitude);
    if (old && toX === old.toX && toY === old.toY) return { ...old, ...told };
    const [fromX, fromY] = old ? placeOf(old, now) : [toX, toY];
    const glides = glide && old && Math.hypot(toX - fromX, toY - fromY) <= JUMP_KM;
    const during = glides ? Math.min(GLIDE_MS[1], Math.max(GLIDE_MS[0], now - old.since)) : 0;
    this.until = Math.max(this.until, now + during);
    return { ...told, id, fromX, fromY, toX, toY, since: now, during };
  }

  find(id: string) {
    return id === "" ? undefined : this.list.find((truck) => truck.id === id);
  }

  gliding(now: number) {
    return now < this.until;
  }

  /** Returns the truck drawn nearest to a pixel, at most `reach` pixels away. */
  nearest(view: Viewport, px: number, py: number, now: number, shown: (truck: Truck) => boolean, reach: number) {
    let best: Truck | undefined;
    for (const truck of this.list) {
      if (!shown(truck)) continue;
      const [x, y] = view.toPixels(...placeOf(truck, now));
      const away = Math.hypot(x - px, y - py);
      if (away < reach) [best, reach] = [truck, away];
    }
    return best;
  }

  /** Counts the trucks of each group, in order; trucks without a group come last. */
  counts(look: Look): Count[] {
    const found: Map<number, Count> = new Map();
    for (const truck of this.list) {
      const group = look.group(truck);
      const own = found.get(group) ?? { group, trucks: 0, moving: 0, kmh: 0 };
      own.trucks += 1;
      if (moves(truck)) {
        own.kmh = (own.kmh * own.moving + truck.speed) / (own.moving + 1);
        own.moving += 1;
      }
      found.set(group, own);
    }
    const place = (group: number) => (group === NONE ? Infinity : group);
    return [...found.values()].sort((a, b) => place(a.group) - place(b.group));
  }

  fastest() {
    return this.list.filter(moves).reduce<Truck | null>((best, truck) => (best && best.speed >= truck.speed ? best : truck), null);
  }

  /** Draws all trucks, the selected one last; those of a group other than `only` are drawn faint, below the others. Zoomed in,
   * marks are large enough for a number. */
  draw(ctx: CanvasRenderingContext2D, view: Viewport, colours: Colours, now: number,
    { look, only, selected, scale }: { look: Look; only: number | null; selected: Truck | undefined; scale: number }) {
    const r = Math.min(9, 3 + 0.9 * Math.log2(view.zoom) * 1.6) * scale;
    const marks = this.#sprites(look, r, colours, ctx.getTransform().a);
    const shadow = (truck: Truck) => only !== null && look.group(truck) !== only && truck !== selected;
    const rank = (truck: Truck) => (truck === selected ? 2 : shadow(truck) ? 0 : 1);
    ctx.lineCap = "round";
    for (const truck of [...this.list].sort((a, b) => rank(a) - rank(b))) {
      const [x, y] = view.toPixels(...placeOf(truck, now));
      if (x > -20 && y > -20 && x < view.width + 20 && y < view.height + 20) this.#one(ctx, marks, truck, x, y, r, shadow(truck), colours, look);
    }
    ctx.globalAlpha = 1;
  }

  #one(ctx: CanvasRenderingContext2D, marks: NonNullable<Trucks["marks"]>["of"], truck: Truck, x: number, y: number, r: number,
    shadow: boolean, colours: Colours, look: Look) {
    const group = look.group(truck);
    ctx.globalAlpha = shadow ? 0.13 : 1;
    // The tail points back along the heading, and is longer for a faster truck.
    if (group !== NONE && moves(truck) && Number.isFinite(truck.heading)) {
      const back = (truck.heading * Math.PI) / 180, length = r * (1.4 + truck.speed / 45);
      ctx.strokeStyle = colours.of(group);
      ctx.lineWidth = Math.max(1.3, r * 0.4);
      if (!shadow) ctx.globalAlpha = 0.5;
      ctx.beginPath();
      ctx.moveTo(x, y);
      ctx.lineTo(x - Math.sin(back) * length, y + Math.cos(back) * length);
      ctx.stroke();
      if (!shadow) ctx.globalAlpha = 1;
    }
    const { sprite, size } = marks(group);
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
  #sprites(look: Look, r: number, colours: Colours, ratio: number) {
    const key = `${look.title} ${r.toFixed(2)} ${ratio} ${colours.key}`;
    if (this.marks?.key === key) return this.marks.of;
    const made: Map<number, { sprite: HTMLCanvasElement; size: number }> = new Map();
    const make = (group: number) => {
      const own = look.size(group, r), size = Math.ceil(own * 3 + 6);
      const sprite = document.createElement("canvas");
      sprite.width = sprite.height = Math.ceil(size * ratio);
      const ctx = sprite.getContext("2d") as CanvasRenderingContext2D;
      ctx.scale(ratio, ratio);
      look.draw(ctx, group, size / 2, own, colours);
      made.set(group, { sprite, size });
      return { sprite, size };
    };
    this.marks = { key, of: (group) => made.get(group) ?? make(group) };
    return this.marks.of;
  }
}
