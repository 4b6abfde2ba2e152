// The track of each truck: keeps its places of the last minutes, at most one a second, and draws them as a line.

const PLACES = 300; // five minutes, at one place a second
const EVERY_MS = 1000;
const MOST_TRUCKS = 4000; // 4.8 kB each; with more trucks only the followed one has a track

export class Tracks {
  constructor() {
    /** @type {Map<number, { x: Float32Array, y: Float32Array, at: Float64Array, n: number }>} */
    this.ways = new Map();
  }

  clear() {
    this.ways.clear();
  }

  /** Adds a place of a truck. @param {number} i @param {number} x @param {number} y @param {number} now @param {number} trucks how many there are @param {boolean} wanted whether it is followed */
  add(i, x, y, now, trucks, wanted) {
    if (!Number.isFinite(x) || (trucks > MOST_TRUCKS && !wanted)) return;
    let way = this.ways.get(i);
    if (way === undefined) this.ways.set(i, way = { x: new Float32Array(PLACES), y: new Float32Array(PLACES), at: new Float64Array(PLACES), n: 0 });
    if (way.n > 0 && now - way.at[(way.n - 1) % PLACES] < EVERY_MS) return;
    const k = way.n % PLACES;
    [way.x[k], way.y[k], way.at[k]] = [x, y, now];
    way.n += 1;
  }

  /** Returns the places of a truck, oldest first: [[x, y, at], …]. @param {number} i @returns {[number, number, number][]} */
  of(i) {
    const way = this.ways.get(i);
    if (way === undefined) return [];
    const kept = Math.min(way.n, PLACES);
    return Array.from({ length: kept }, (_, k) => { const j = (way.n - kept + k) % PLACES; return [way.x[j], way.y[j], way.at[j]]; });
  }

  /**
   * Draws the track of a truck up to its present place; older parts are fainter, and a dot marks the beginning.
   * @param {CanvasRenderingContext2D} ctx @param {any} view @param {any} colours @param {number} i @param {[number, number]} here @param {number} scale
   */
  draw(ctx, view, colours, i, here, scale) {
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
