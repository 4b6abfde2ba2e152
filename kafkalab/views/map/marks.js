// The mark of a partition: draws a hue and a shape, so that it does not depend on colour alone. As in views/svg.py, there are
// five filled shapes, and then the same five hollow.
import { el, partitionColour } from "../shared.js";

const SHAPES = ["circle", "square", "diamond", "triangle", "wedge"];

export function markShape(partition) {
  return { name: SHAPES[partition % SHAPES.length], filled: partition % (2 * SHAPES.length) < SHAPES.length };
}

export function markName(partition) {
  const { name, filled } = markShape(partition);
  return filled ? name : `hollow ${name}`;
}

// Returns the corners of a mark of radius r around 0, 0; null for the circle.
function corners(name, r) {
  const a = 0.88 * r, c = 1.25 * r, t = 1.15 * r;
  if (name === "square") return [[-a, -a], [a, -a], [a, a], [-a, a]];
  if (name === "diamond") return [[0, -c], [c, 0], [0, c], [-c, 0]];
  if (name === "triangle") return [[0, -c], [t, a], [-t, a]];
  if (name === "wedge") return [[0, c], [t, -a], [-t, -a]];
  return null;
}

// Draws one mark on a canvas. Hollow marks are filled with the `ground` colour, and filled ones have an edge in it, so that
// marks on top of each other stay apart.
export function drawMark(ctx, partition, x, y, r, colour, ground) {
  const { name, filled } = markShape(partition);
  const points = corners(name, r);
  ctx.beginPath();
  if (points === null) ctx.arc(x, y, r, 0, 2 * Math.PI);
  else points.forEach(([px, py], i) => (i === 0 ? ctx.moveTo(x + px, y + py) : ctx.lineTo(x + px, y + py)));
  ctx.closePath();
  ctx.lineJoin = "round";
  if (filled) {
    ctx.strokeStyle = ground;
    ctx.lineWidth = Math.max(1, r * 0.35);
    ctx.stroke();
    ctx.fillStyle = colour;
    ctx.fill();
  } else {
    ctx.strokeStyle = ground;
    ctx.lineWidth = Math.max(3, r * 0.9);
    ctx.stroke();
    ctx.fillStyle = ground;
    ctx.fill();
    ctx.strokeStyle = colour;
    ctx.lineWidth = Math.max(1.6, r * 0.4);
    ctx.stroke();
  }
}

// Returns the same mark as a small SVG, for the legend.
export function markIcon(partition, size = 14) {
  const { name, filled } = markShape(partition);
  const points = corners(name, 4.6);
  const colour = partitionColour(partition);
  const look = filled ? { fill: colour } : { fill: "none", stroke: colour, "stroke-width": 2, "stroke-linejoin": "round" };
  const mark = points === null ? el("circle", { r: 4.6, ...look }) : el("path", { d: `M${points.map((p) => p.join(" ")).join("L")}z`, ...look });
  return el("svg", { width: size, height: size, viewBox: "-7 -7 14 14", "aria-hidden": "true" }, mark);
}
