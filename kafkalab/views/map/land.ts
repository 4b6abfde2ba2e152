// The land under the trucks: projects it, keeps the part of the map in view, and draws it. The map's own coordinates are
// kilometres east and north of the projection's centre.

import { shorten } from "../shared.ts";

const EARTH_KM = 6371.0088;
const MOST_ZOOM = 24;

// Lambert's azimuthal equal-area projection, as in geography.py: degrees → [east, north] in kilometres.
export function projector({ latitude, longitude }: { latitude: number; longitude: number }): (lat: number, lon: number) => [number, number] {
  const rad = Math.PI / 180;
  const sin0 = Math.sin(latitude * rad), cos0 = Math.cos(latitude * rad);
  return (lat, lon) => {
    const sin = Math.sin(lat * rad), cos = Math.cos(lat * rad), away = (lon - longitude) * rad;
    const k = EARTH_KM * Math.sqrt(2 / Math.max(1 + sin0 * sin + cos0 * cos * Math.cos(away), 1e-9));
    return [k * cos * Math.sin(away), k * (cos0 * sin - sin0 * cos * Math.cos(away))];
  };
}

// The part of the map that a canvas of width × height shows: at zoom 1 it is the whole map, centred.
export class Viewport {
  west;
  south;
  east;
  north;
  width;
  x;
  free = false;

  constructor(frame) {
    const [west, south, east, north] = frame;
    this.west = west;
    this.south = south;
    this.east = east;
    this.north = north;
    this.width = this.height = this.zoom = 1;
    this.x = this.y = 0;
    this.reset();
  }
  reset() {
    this.zoom = 1;
    this.x = (this.west + this.east) / 2;
    this.y = (this.south + this.north) / 2;
  }
  get scale() {
    return this.zoom * Math.min(this.width / (this.east - this.west), this.height / (this.north - this.south));
  }
  resize(width, height) {
    [this.width, this.height] = [width, height];
    this.hold();
  }
  toPixels(x, y) {
    return [this.width / 2 + (x - this.x) * this.scale, this.height / 2 - (y - this.y) * this.scale];
  }
  toMap(px, py) {
    return [this.x + (px - this.width / 2) / this.scale, this.y - (py - this.height / 2) / this.scale];
  }
  pan(dx, dy) {
    this.x -= dx / this.scale;
    this.y += dy / this.scale;
    this.hold();
  }
  // Zooms around a pixel, under which the map keeps its place; without one, around the middle.
  zoomBy(factor, px = this.width / 2, py = this.height / 2) {
    const [x, y] = this.toMap(px, py);
    this.zoom = Math.min(MOST_ZOOM, Math.max(1, this.zoom * factor));
    const [nx, ny] = this.toMap(px, py);
    this.x += x - nx;
    this.y += y - ny;
    this.hold();
  }
  // Moves the map, if necessary, until the place is well inside.
  show(x, y) {
    const [px, py] = this.toPixels(x, y);
    const mx = this.width * 0.12, my = this.height * 0.12;
    if (px < mx || px > this.width - mx) this.x = x;
    if (py < my || py > this.height - my) this.y = y;
    this.hold();
  }
  // Moves a share of the way that centres the place; returns whether the map moved visibly.
  approach(x, y, share) {
    const [px, py] = this.toPixels(x, y), before = [this.x, this.y];
    const dx = px - this.width / 2, dy = py - this.height / 2;
    if (Math.hypot(dx, dy) < 1) return false;
    const part = Math.hypot(dx, dy) < 3 ? 1 : share;
    this.x += (dx * part) / this.scale;
    this.y -= (dy * part) / this.scale;
    this.hold();
    return Math.hypot(this.x - before[0], this.y - before[1]) * this.scale > 0.2;
  }
  // Keeps the view within the map, unless it is free because a followed truck at the edge is to be in the middle.
  hold() {
    if (this.free) return;
    const halfX = this.width / 2 / this.scale, halfY = this.height / 2 / this.scale;
    const middleX = (this.west + this.east) / 2, middleY = (this.south + this.north) / 2;
    const within = (v, low, high, middle) => (low > high ? middle : Math.min(high, Math.max(low, v)));
    this.x = within(this.x, this.west + halfX, this.east - halfX, middleX);
    this.y = within(this.y, this.south + halfY, this.north - halfY, middleY);
  }
}

export class Land {
  land;
  borders;
  roads;
  cities;
  named: { name: string; x: number; y: number; box: number[] }[] = [];
  font = "";

  constructor(geography) {
    this.land = outlinePath(geography.land, true);
    this.borders = outlinePath(geography.borders, false);
    this.roads = outlinePath(geography.roads, false);
    this.cities = geography.cities;
  }
  // Draws the land; `taken` are boxes in which no city may be named.
  draw(ctx, view, colours, ratio, scale, taken) {
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    ctx.fillStyle = colours.sea;
    ctx.fillRect(0, 0, view.width, view.height);
    const k = view.scale;
    ctx.setTransform(ratio * k, 0, 0, -ratio * k, ratio * (view.width / 2 - view.x * k), ratio * (view.height / 2 + view.y * k));
    ctx.lineJoin = "round";
    ctx.fillStyle = colours.land;
    ctx.fill(this.land, "evenodd");
    stroke(ctx, this.land, colours.coast, 0.9 / k);
    ctx.setLineDash([3 / k, 2.5 / k]);
    stroke(ctx, this.borders, colours.border, 0.8 / k);
    ctx.setLineDash([]);
    stroke(ctx, this.roads, colours.road, Math.min(3, 0.9 + 0.25 * view.zoom) / k);
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.#place(ctx, view, colours, scale, taken);
  }
  // Picks the cities to name, the largest first; a name that would overlap another, or leave the picture, is left out.
  #place(ctx, view, colours, scale, taken) {
    const most = Math.round(18 * view.zoom ** 1.4);
    this.font = `600 ${(11 + Math.min(2, view.zoom / 4)) * scale}px ${colours.font}`;
    ctx.font = this.font;
    this.named = [];
    for (const [name, , east, north] of this.cities.slice(0, most)) {
      const [x, y] = view.toPixels(east, north);
      const box = [x - 6, y - 9, x + 10 + ctx.measureText(name).width, y + 9];
      if (box[0] < 0 || box[1] < 0 || box[2] > view.width || box[3] > view.height) continue;
      if ([...taken, ...this.named].some(({ box: b }) => box[0] < b[2] && box[2] > b[0] && box[1] < b[3] && box[3] > b[1])) continue;
      this.named.push({ name, x, y, box });
      ctx.beginPath();
      ctx.arc(x, y, 2.2, 0, 2 * Math.PI);
      ctx.fillStyle = colours.land;
      ctx.fill();
      ctx.strokeStyle = colours.city;
      ctx.lineWidth = 1;
      ctx.stroke();
    }
  }
  // Draws names above the trucks, which would hide those of the busiest cities; a thin halo keeps most of the trucks in sight.
  drawNames(ctx, colours) {
    ctx.font = this.font;
    ctx.textBaseline = "middle";
    ctx.lineJoin = "round";
    ctx.lineWidth = 2.5;
    ctx.strokeStyle = colours.land;
    ctx.fillStyle = colours.city;
    for (const { name, x, y } of this.named) {
      ctx.globalAlpha = 0.8;
      ctx.strokeText(name, x + 8, y);
      ctx.globalAlpha = 1;
      ctx.fillText(name, x + 8, y);
    }
  }
}

function outlinePath(lines, closed) {
  const path = new Path2D();
  for (const line of lines) {
    path.moveTo(line[0], line[1]);
    for (let i = 2; i < line.length; i += 2) path.lineTo(line[i], line[i + 1]);
    if (closed) path.closePath();
  }
  return path;
}

function stroke(ctx, path, colour, width) {
  ctx.strokeStyle = colour;
  ctx.lineWidth = width;
  ctx.stroke(path);
}

// --- Geofences: named areas on the map. Finds the one a truck is in, with the same kilometres as looks.py, and draws them.

export type Fence = { name: string; letter: string; ring: number[] };

export const OUTSIDE = -1;

/** Returns whether a place is inside a ring: a ray to the east then crosses its edge an odd number of times.
 * @param ring x, y, x, y… */
export function insideRing(ring: ArrayLike<number>, x: number, y: number) {
  let odd = false;
  for (let i = 0, n = ring.length; i < n; i += 2) {
    const x0 = ring[i], y0 = ring[i + 1], x1 = ring[(i + 2) % n], y1 = ring[(i + 3) % n];
    if ((y0 > y) !== (y1 > y) && x < ((x1 - x0) * (y - y0)) / (y1 - y0) + x0) odd = !odd;
  }
  return odd;
}

export class Fences {
  list;
  font = "";
  names: { words: string; x: number; y: number; box: number[] }[] = [];
  boxes;

  constructor(fences: Fence[]) {
    this.list = fences;
    this.boxes = fences.map(({ ring }) => {
      const xs = ring.filter((_, i) => i % 2 === 0), ys = ring.filter((_, i) => i % 2 === 1);
      return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
    });
  }

  /** Returns the number of the first fence that contains a place, or OUTSIDE. */
  of(x: number, y: number) {
    return this.list.findIndex(({ ring }, i) => {
      const [west, south, east, north] = this.boxes[i];
      return x >= west && x <= east && y >= south && y <= north && insideRing(ring, x, y);
    });
  }

  /** Draws the areas with a dashed edge, on the canvas beneath the trucks. */
  draw(ctx: CanvasRenderingContext2D, view: any, colours: any, scale: number) {
    this.list.forEach(({ ring }, i) => {
      const path = new Path2D();
      for (let k = 0; k < ring.length; k += 2) {
        const [x, y] = view.toPixels(ring[k], ring[k + 1]);
        if (k === 0) path.moveTo(x, y);
        else path.lineTo(x, y);
      }
      path.closePath();
      ctx.globalAlpha = 0.13;
      ctx.fillStyle = colours.of(i);
      ctx.fill(path);
      ctx.globalAlpha = 1;
      ctx.setLineDash([6, 4]);
      ctx.strokeStyle = colours.of(i);
      ctx.lineWidth = 1.8 * scale;
      ctx.stroke(path);
      ctx.setLineDash([]);
    });
  }

  /** Places their names above them: [{ words, x, y, box }], with left, top, right, bottom as the box. */
  place(ctx: CanvasRenderingContext2D, view: any, colours: any, scale: number) {
    this.font = `700 ${12 * scale}px ${colours.font}`;
    ctx.font = this.font;
    this.names = this.list.map(({ name, letter }, i) => {
      const [west, , east, north] = this.boxes[i], [x, y] = view.toPixels((west + east) / 2, north);
      const words = `${letter} ${shorten(name, 28)}`, half = ctx.measureText(words).width / 2 + 3;
      return { words, x, y: y - 3, box: [x - half, y - 3 - 15 * scale, x + half, y] };
    });
    return this.names;
  }

  /** Draws the names, above the trucks. */
  drawNames(ctx: CanvasRenderingContext2D, colours) {
    ctx.font = this.font;
    ctx.textAlign = "center";
    ctx.textBaseline = "bottom";
    ctx.lineJoin = "round";
    ctx.lineWidth = 4;
    ctx.strokeStyle = colours.land;
    ctx.fillStyle = colours.ink;
    for (const { words, x, y } of this.names) {
      ctx.strokeText(words, x, y);
      ctx.fillText(words, x, y);
    }
    ctx.textAlign = "start";
  }
}
