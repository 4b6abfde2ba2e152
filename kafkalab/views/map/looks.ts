// The looks of a truck's mark: it shows a partition or a geofence, as in picture.py. Each look gives every group of trucks a
// number, a mark that does not depend on colour alone, and words.

import { el, partitionColour, partitionInk, shorten } from "../shared.ts";
import type { Fence } from "./picture";
import type { Truck } from "./trucks.ts";

/** The group of a truck whose partition is not known, or that is in no geofence. */
export const NONE = -1;

export type Way = "partition" | "geofence";
export type Colours = ReturnType<typeof readColours>;
export type Look = {
  title: string;
  group(truck: Truck): number;
  size(group: number, r: number): number;
  draw(ctx: CanvasRenderingContext2D, group: number, at: number, r: number, colours: Colours): void;
  label(group: number): string;
  short(group: number): string;
  mark(group: number): string;
  icon(group: number): Element;
};

export function looks(fences: () => Fence[]): Record<Way, Look> {
  return { partition: byPartition(), geofence: byFence(fences) };
}

function byPartition(): Look {
  return {
    title: "Partition",
    group: (truck) => truck.partition,
    size: (_, r) => r,
    draw: (ctx, group, at, r, colours) => drawMark(ctx, Math.max(0, group), at, at, r, colours.of(group), colours.land),
    label: (group) => (group === NONE ? "" : String(group)),
    short: (group) => (group === NONE ? "not known" : `P${group}`),
    mark: (group) => (group === NONE ? "question mark" : markName(group)),
    icon: (group) => (group === NONE ? el("span", { "aria-hidden": "true" }, "?") : markIcon(group)),
  };
}

function byFence(fences: () => Fence[]): Look {
  const name = (group: number) => shorten(fences()[group]?.name ?? "", 22);
  const letter = (group: number) => fences()[group]?.letter ?? "?";
  return {
    title: "Geofence",
    group: (truck) => truck.fence,
    size: (group, r) => (group === NONE ? r * 0.75 : Math.max(5.6, r * 1.1)),
    draw(ctx, group, at, r, colours) {
      if (group === NONE) return drawHollow(ctx, at, r, colours.soft, colours.land);
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
    short: (group) => (group === NONE ? "outside" : name(group)),
    mark: (group) => (group === NONE ? "hollow dot" : `letter ${letter(group)}`),
    icon: (group) => (group === NONE ? svg(el("circle", { r: 3, fill: "none", stroke: "var(--kl-soft)", "stroke-width": 1.8 }))
      : el("span", { class: "kl-map-letter", "aria-hidden": "true", style: { background: partitionColour(group), color: partitionInk(group) } }, letter(group))),
  };
}

function drawHollow(ctx: CanvasRenderingContext2D, at: number, r: number, colour: string, ground: string) {
  ctx.beginPath();
  ctx.arc(at, at, r, 0, 2 * Math.PI);
  ctx.fillStyle = ground;
  ctx.fill();
  ctx.strokeStyle = colour;
  ctx.lineWidth = Math.max(1.3, r * 0.4);
  ctx.stroke();
}

function svg(mark: Element) {
  return el("svg", { width: 14, height: 14, viewBox: "-7 -7 14 14", "aria-hidden": "true" }, mark);
}

// --- The mark of a partition: draws a hue and a shape, so that it does not depend on colour alone. As in views/words.py, there are
// five filled shapes, and then the same five hollow.

const SHAPES = ["circle", "square", "diamond", "triangle", "wedge"];

function markShape(partition: number) {
  return { name: SHAPES[partition % SHAPES.length], filled: partition % (2 * SHAPES.length) < SHAPES.length };
}

function markName(partition: number) {
  const { name, filled } = markShape(partition);
  return filled ? name : `hollow ${name}`;
}

// Returns the corners of a mark of radius r around 0, 0; null for the circle.
function corners(name: string, r: number) {
  const a = 0.88 * r, c = 1.25 * r, t = 1.15 * r;
  if (name === "square") return [[-a, -a], [a, -a], [a, a], [-a, a]];
  if (name === "diamond") return [[0, -c], [c, 0], [0, c], [-c, 0]];
  if (name === "triangle") return [[0, -c], [t, a], [-t, a]];
  if (name === "wedge") return [[0, c], [t, -a], [-t, -a]];
  return null;
}

// Draws one mark on a canvas. Hollow marks are filled with the `ground` colour, and filled ones have an edge in it, so that
// marks on top of each other stay apart.
function drawMark(ctx: CanvasRenderingContext2D, partition: number, x: number, y: number, r: number, colour: string, ground: string) {
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
export function markIcon(partition: number) {
  const { name, filled } = markShape(partition);
  const points = corners(name, 4.6);
  const colour = partitionColour(partition);
  const look = filled ? { fill: colour } : { fill: "none", stroke: colour, "stroke-width": 2, "stroke-linejoin": "round" };
  return svg(points === null ? el("circle", { r: 4.6, ...look }) : el("path", { d: `M${points.map((p) => p.join(" ")).join("L")}z`, ...look }));
}

// --- The theme's colours for a canvas, which knows neither CSS variables nor color-mix: reads them from a probe, an element
// inside the view, for which the style sheet works them out.

export function readColours(root: HTMLElement) {
  const probe = el("span", { hidden: true });
  root.append(probe);
  const cache: Map<string, string> = new Map();
  const read = (value: string) => {
    if (!cache.has(value)) { probe.style.color = value; cache.set(value, getComputedStyle(probe).color); }
    return cache.get(value) as string;
  };
  const [sea, land, coast, border, road, city] = ["sea", "land", "coast", "border", "road", "city"].map((name) => read(`var(--kl-map-${name})`));
  const hues = Array.from({ length: 12 }, (_, i) => [read(partitionColour(i)), read(partitionInk(i))]);
  const [soft, ink] = ["--kl-soft", "--kl-ink"].map((name) => read(`var(${name})`));
  probe.remove();
  return {
    sea, land, coast, border, road, city, ink, soft,
    font: getComputedStyle(root).fontFamily,
    key: [...cache.values()].join(),
    of: (p: number) => (p < 0 ? soft : hues[p % 12][0]),
    /** The colour of text on the mark of a partition: a hollow mark shows the ground inside, so the text has the hue. */
    on: (p: number) => (p < 0 ? ink : markShape(p).filled ? hues[p % 12][1] : hues[p % 12][0]),
    /** The colour of text on a disc filled with the hue. */
    onDisc: (p: number) => hues[p % 12][1],
  };
}
