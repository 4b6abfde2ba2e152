// The looks of a truck's mark: it shows a partition, a speed, or a geofence, as in looks.py. Each look gives every
// group of trucks a number, a mark that does not depend on colour alone, and words.

import { el, partitionColour, partitionInk, shorten } from "../shared.ts";
import { OUTSIDE } from "./land.ts";

export const NO_PARTITION = 65535;
export const NO_SPEED = -1;
const SPEED_EDGES = [1, 60, 70, 80]; // km/h
const TURNS = 24; // directions in which an arrow is drawn

/** Returns the class of a speed; 0 stands still. */
export function speedClass(kmh: number) {
  if (!Number.isFinite(kmh)) return NO_SPEED;
  return SPEED_EDGES.filter((edge) => kmh >= edge).length;
}

export function speedName(group: number) {
  if (group === NO_SPEED) return "not known";
  if (group === 0) return "stands still";
  if (group === 1) return `under ${SPEED_EDGES[1]} km/h`;
  if (group === SPEED_EDGES.length) return `${SPEED_EDGES[group - 1]} km/h or more`;
  return `${SPEED_EDGES[group - 1]} to ${SPEED_EDGES[group]} km/h`;
}

export type Colours = { of: (p: number) => string; on: (p: number) => string; onDisc: (p: number) => string; speed: string[]; soft: string; land: string; font: string };
export type Look = { title: string; head: string; tails: boolean; group: (trucks: any, i: number) => number; none: number; size: (group: number, r: number) => number; sprite: (trucks: any, i: number, group: number) => string; draw: (ctx: CanvasRenderingContext2D, key: string, group: number, at: number, r: number, colours: Colours) => void; label: (group: number) => string; short: (group: number) => string; mark: (group: number) => string; icon: (group: number) => any };

export function looks(fences: () => any[]): Record<string, Look> {
  return { partition: byPartition(), speed: bySpeed(), geofence: byFence(fences) };
}

function byPartition(): Look {
  return {
    title: "Partition", head: "partition", tails: true, none: NO_PARTITION,
    group: (trucks, i) => trucks.partition[i],
    size: (_, r) => r,
    sprite: (_, __, group) => `p${group}`,
    draw: (ctx, _, group, at, r, colours) => drawMark(ctx, group === NO_PARTITION ? 0 : group, at, at, r, colours.of(group), colours.land),
    label: (group) => (group === NO_PARTITION ? "" : String(group)),
    short: (group) => (group === NO_PARTITION ? "not known" : `P${group}`),
    mark: (group) => (group === NO_PARTITION ? "question mark" : markName(group)),
    icon: (group) => (group === NO_PARTITION ? el("span", { "aria-hidden": "true" }, "?") : markIcon(group)),
  };
}

function bySpeed(): Look {
  return {
    title: "Speed", head: "speed", tails: false, none: NO_SPEED,
    group: (trucks, i) => speedClass(trucks.speed[i]),
    size: (group, r) => (group <= 0 ? r * 0.9 : r * (0.95 + 0.16 * group)),
    sprite: (trucks, i, group) => (group > 0 ? `v${group} ${turn(trucks.heading[i])}` : `v${group}`),
    draw: (ctx, key, group, at, r, colours) => {
      if (group > 0) drawArrow(ctx, at, r, (Number(key.split(" ")[1]) * 2 * Math.PI) / TURNS, colours.speed[group], colours.land);
      else drawHollow(ctx, group === 0, at, r, group === 0 ? colours.speed[0] : colours.soft, colours.land);
    },
    label: () => "",
    short: speedName,
    mark: (group) => (group === NO_SPEED ? "hollow circle" : group === 0 ? "hollow square" : `arrow of size ${group}`),
    icon: (group) => icon(group > 0 ? "M0 -6L4.6 5L0 2.6L-4.6 5z" : group === 0 ? "M-3.6 -3.6h7.2v7.2h-7.2z" : "M-3.6 0a3.6 3.6 0 1 0 7.2 0a3.6 3.6 0 1 0 -7.2 0z",
      group < 0 ? "var(--kl-soft)" : `var(--kl-map-v${group})`, group > 0, group > 0 ? 0.7 + 0.11 * group : 1),
  };
}

function byFence(fences: () => any[]): Look {
  const name = (group: number) => shorten(fences()[group]?.name ?? "", 22);
  const letter = (group: number) => fences()[group]?.letter ?? "?";
  return {
    title: "Geofence", head: "geofence", tails: true, none: OUTSIDE,
    group: (trucks, i) => trucks.fence[i],
    size: (group, r) => (group === OUTSIDE ? r * 0.75 : Math.max(5.6, r * 1.1)),
    sprite: (_, __, group) => `f${group}`,
    draw: (ctx, _, group, at, r, colours) => {
      if (group === OUTSIDE) return drawHollow(ctx, false, at, r, colours.soft, colours.land);
      ctx.beginPath();
      ctx.arc(at, at, r, 0, 2 * Math.PI);
      ctx.strokeStyle = colours.land;
      ctx.lineWidth = 2;
      ctx.stroke();
      ctx.fillStyle = colours.of(group);
      ctx.fill();
      ctx.fillStyle = colours.onDisc(group);
      ctx.font = `700 ${(r * 1.45).toFixed(1)}px ${colours.font}`;
      ctx.textAlign = "center";
      ctx.textBaseline = "middle";
      return ctx.fillText(letter(group), at, at + 0.5);
    },
    label: () => "",
    short: (group) => (group === OUTSIDE ? "outside" : name(group)),
    mark: (group) => (group === OUTSIDE ? "hollow dot" : `letter ${letter(group)}`),
    icon: (group) => (group === OUTSIDE ? icon("M-3 0a3 3 0 1 0 6 0a3 3 0 1 0 -6 0z", "var(--kl-soft)", false)
      : el("span", { class: "kl-map-letter", "aria-hidden": "true", style: { background: partitionColour(group), color: partitionInk(group) } }, letter(group))),
  };
}

function turn(heading: number) {
  return Number.isFinite(heading) ? ((Math.round((heading / 360) * TURNS) % TURNS) + TURNS) % TURNS : 0;
}

function drawArrow(ctx, at, r, angle, colour, ground) {
  ctx.save();
  ctx.translate(at, at);
  ctx.rotate(angle);
  ctx.beginPath();
  ctx.moveTo(0, -1.5 * r);
  ctx.lineTo(1.05 * r, 1.1 * r);
  ctx.lineTo(0, 0.55 * r);
  ctx.lineTo(-1.05 * r, 1.1 * r);
  ctx.closePath();
  ctx.lineJoin = "round";
  ctx.strokeStyle = ground;
  ctx.lineWidth = Math.max(1.4, r * 0.4);
  ctx.stroke();
  ctx.fillStyle = colour;
  ctx.fill();
  ctx.restore();
}

function drawHollow(ctx, square, at, r, colour, ground) {
  ctx.beginPath();
  if (square) ctx.rect(at - 0.85 * r, at - 0.85 * r, 1.7 * r, 1.7 * r);
  else ctx.arc(at, at, r, 0, 2 * Math.PI);
  ctx.fillStyle = ground;
  ctx.fill();
  ctx.strokeStyle = colour;
  ctx.lineWidth = Math.max(1.3, r * 0.4);
  ctx.stroke();
}

function icon(path: string, colour: string, filled: boolean, size: number = 1) {
  const look = filled ? { fill: colour } : { fill: "none", stroke: colour, "stroke-width": 1.8 };
  return el("svg", { width: 14, height: 14, viewBox: "-7 -7 14 14", "aria-hidden": "true" }, el("path", { d: path, transform: `scale(${size})`, ...look }));
}

// --- The mark of a partition: draws a hue and a shape, so that it does not depend on colour alone. As in views/words.py, there are
// five filled shapes, and then the same five hollow.

const SHAPES = ["circle", "square", "diamond", "triangle", "wedge"];

function markShape(partition) {
  return { name: SHAPES[partition % SHAPES.length], filled: partition % (2 * SHAPES.length) < SHAPES.length };
}

function markName(partition) {
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
function drawMark(ctx, partition, x, y, r, colour, ground) {
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

// --- The theme's colours for a canvas, which knows neither CSS variables nor color-mix: reads them from a probe, an element
// inside the view, for which the style sheet works them out.

export function readColours(root: HTMLElement) {
  const probe = el("span", { hidden: true });
  root.append(probe);
  const cache = new Map();
  const read = (value: string) => {
    if (!cache.has(value)) { probe.style.color = value; cache.set(value, getComputedStyle(probe).color); }
    return cache.get(value);
  };
  const [sea, land, coast, border, road, city] = ["sea", "land", "coast", "border", "road", "city"].map((name) => read(`var(--kl-map-${name})`));
  const hues = Array.from({ length: 12 }, (_, i) => [read(partitionColour(i)), read(partitionInk(i))]);
  const speed = Array.from({ length: 5 }, (_, i) => read(`var(--kl-map-v${i})`));
  const [soft, ink, accent] = ["--kl-soft", "--kl-ink", "--kl-accent"].map((name) => read(`var(${name})`));
  probe.remove();
  return {
    sea, land, coast, border, road, city, ink, accent, soft, speed,
    font: getComputedStyle(root).fontFamily,
    key: [...cache.values()].join(),
    of: (p: number) => (p === NO_PARTITION || p < 0 ? soft : hues[p % 12][0]),
    /** The colour of text on the mark of a partition: a hollow mark shows the ground inside, so the text has the hue. */
    on: (p: number) => (p === NO_PARTITION || p < 0 ? ink : markShape(p).filled ? hues[p % 12][1] : hues[p % 12][0]),
    /** The colour of text on a disc filled with the hue. */
    onDisc: (p: number) => hues[p % 12][1],
  };
}
