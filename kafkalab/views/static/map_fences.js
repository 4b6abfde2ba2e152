// Geofences: named areas on the map, and which of them a truck is in. As in truck_fences.py, on the same kilometres.
import { shorten } from "./shared.js";

/** @typedef {{ name: string, letter: string, ring: number[] }} Fence */

export const OUTSIDE = -1;

/** Whether a place is inside a ring: a ray to the east crosses its edge an odd number of times. @param {ArrayLike<number>} ring x, y, x, y… @param {number} x @param {number} y */
export function insideRing(ring, x, y) {
  let odd = false;
  for (let i = 0, n = ring.length; i < n; i += 2) {
    const x0 = ring[i], y0 = ring[i + 1], x1 = ring[(i + 2) % n], y1 = ring[(i + 3) % n];
    if ((y0 > y) !== (y1 > y) && x < ((x1 - x0) * (y - y0)) / (y1 - y0) + x0) odd = !odd;
  }
  return odd;
}

export class Fences {
  /** @param {Fence[]} fences */
  constructor(fences) {
    this.list = fences;
    this.boxes = fences.map(({ ring }) => {
      const xs = ring.filter((_, i) => i % 2 === 0), ys = ring.filter((_, i) => i % 2 === 1);
      return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
    });
  }

  /** The number of the first fence that a place is in. @param {number} x @param {number} y */
  of(x, y) {
    return this.list.findIndex(({ ring }, i) => {
      const [west, south, east, north] = this.boxes[i];
      return x >= west && x <= east && y >= south && y <= north && insideRing(ring, x, y);
    });
  }

  /**
   * Areas with a dashed edge, each with its letter and name above it; on the canvas beneath the trucks.
   * @param {CanvasRenderingContext2D} ctx @param {any} view @param {any} colours @param {number} scale
   */
  draw(ctx, view, colours, scale) {
    this.list.forEach(({ name, letter, ring }, i) => {
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
      const [west, , east, north] = this.boxes[i], [x, y] = view.toPixels((west + east) / 2, north);
      ctx.font = `700 ${12 * scale}px ${colours.font}`;
      ctx.textAlign = "center";
      ctx.textBaseline = "bottom";
      ctx.lineJoin = "round";
      ctx.lineWidth = 4;
      ctx.strokeStyle = colours.land;
      const words = `${letter} ${shorten(name, 28)}`;
      ctx.strokeText(words, x, y - 3);
      ctx.fillStyle = colours.ink;
      ctx.fillText(words, x, y - 3);
      ctx.textAlign = "start";
    });
  }
}
