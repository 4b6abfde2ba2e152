// Geofences: named areas on the map. Finds the one a truck is in, with the same kilometres as looks.py, and draws them.
import { shorten } from "../shared.js";

/** @typedef {{ name: string, letter: string, ring: number[] }} Fence */

export const OUTSIDE = -1;

/** Returns whether a place is inside a ring: a ray to the east then crosses its edge an odd number of times. @param {ArrayLike<number>} ring x, y, x, y… @param {number} x @param {number} y */
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
    this.font = "";
    /** @type {{ words: string, x: number, y: number, box: number[] }[]} */ this.names = [];
    this.boxes = fences.map(({ ring }) => {
      const xs = ring.filter((_, i) => i % 2 === 0), ys = ring.filter((_, i) => i % 2 === 1);
      return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
    });
  }

  /** Returns the number of the first fence that contains a place, or OUTSIDE. @param {number} x @param {number} y */
  of(x, y) {
    return this.list.findIndex(({ ring }, i) => {
      const [west, south, east, north] = this.boxes[i];
      return x >= west && x <= east && y >= south && y <= north && insideRing(ring, x, y);
    });
  }

  /**
   * Draws the areas with a dashed edge, on the canvas beneath the trucks.
   * @param {CanvasRenderingContext2D} ctx @param {any} view @param {any} colours @param {number} scale
   */
  draw(ctx, view, colours, scale) {
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

  /**
   * Places their names above them: [{ words, x, y, box }], with left, top, right, bottom as the box.
   * @param {CanvasRenderingContext2D} ctx @param {any} view @param {any} colours @param {number} scale
   */
  place(ctx, view, colours, scale) {
    this.font = `700 ${12 * scale}px ${colours.font}`;
    ctx.font = this.font;
    this.names = this.list.map(({ name, letter }, i) => {
      const [west, , east, north] = this.boxes[i], [x, y] = view.toPixels((west + east) / 2, north);
      const words = `${letter} ${shorten(name, 28)}`, half = ctx.measureText(words).width / 2 + 3;
      return { words, x, y: y - 3, box: [x - half, y - 3 - 15 * scale, x + half, y] };
    });
    return this.names;
  }

  /** Draws the names, above the trucks. @param {CanvasRenderingContext2D} ctx @param {any} colours */
  drawNames(ctx, colours) {
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
