// The graph of a group: partitions at the left, members at the right, lines for "reads", which move in a rebalance.

import { count, el, partitionColour, reducedMotion, scaleOf, shorten } from "../shared.ts";
import type { MemberBox, Picture } from "./picture";

const MOTION_MS = 520;

export function groupGraph() {
  const left = el("ul", { class: "kl-parts", "aria-label": "partitions" });
  const right = el("ul", { class: "kl-members", "aria-label": "members" });
  const lines = el("svg", { class: "kl-edges", "aria-hidden": "true", preserveAspectRatio: "none" });
  const inner = el("div", { class: "kl-graph-inner" }, left, lines, right);
  const node = el("div", { class: "kl-graph", role: "group", "aria-label": "Which member reads which partition. Arrow keys move between them." }, inner);
  const items: Map<string, HTMLElement> = new Map();
  const edges: Map<string, { now: Edge; from: Edge; to: Edge; path: SVGElement }> = new Map();
  let state: Picture;
  let at = "";
  let begun = 0;
  let frame = 0;

  function draw(after: Picture, before: Picture | undefined) {
    const fresh = !before || before.group !== after.group;
    state = after;
    const scale = scaleOf(node);
    const size = metrics(Math.max(after.order.length, after.ranks.length), scale);
    const height = Math.max(after.order.length, after.ranks.length, 1) * size.step;
    node.classList.toggle("kl-dense", size.dense);
    inner.style.height = `${height}px`;
    lines.setAttribute("viewBox", `0 0 100 ${height}`);
    const kept = new Set();
    after.order.forEach((key, i) => put(left, `p:${key}`, i * size.step, size.box, kept, () => partition(key, after)));
    for (const id of after.ranks) put(right, `m:${id}`, after.members[id].row * size.step, size.box, kept, () => member(after.members[id]));
    for (const [name, item] of items) {
      if (kept.has(name)) continue;
      item.remove();
      items.delete(name);
    }
    // The DOM's order follows the visible order.
    after.order.forEach((key, i) => inOrder(left, items.get(`p:${key}`), i));
    after.ranks.forEach((id, i) => inOrder(right, items.get(`m:${id}`), i));
    if (!items.has(at)) at = after.order.length ? `p:${after.order[0]}` : after.ranks.length ? `m:${after.ranks[0]}` : "";
    rove();
    aim(targets(after, size), fresh);
    light(node.contains(document.activeElement) ? at : "");
  }

  function put(list: HTMLElement, name: string, y: number, box: number, kept: Set<string>, made: () => any) {
    kept.add(name);
    let item = items.get(name);
    if (!item) {
      item = el("li", { "data-item": name, tabindex: -1 });
      item.addEventListener("focus", () => {
        at = name;
        rove();
        light(name);
      });
      item.addEventListener("mouseenter", () => light(name));
      item.addEventListener("mouseleave", () => light(node.contains(document.activeElement) ? at : ""));
      items.set(name, item);
      list.append(item);
    }
    const { cls, title, style, children, from } = made();
    item.style.top = `${y}px`;
    item.style.height = `${box}px`;
    const signature = JSON.stringify(from);
    if (item.dataset.from === signature) return;
    item.dataset.from = signature;
    item.className = cls;
    item.title = title;
    for (const [property, value] of Object.entries(style)) item.style.setProperty(property, value);
    item.replaceChildren(...children);
  }

  function rove() {
    for (const [name, item] of items) item.tabIndex = name === at ? 0 : -1;
  }

  // Highlights an item together with everything that belongs to it.
  function light(name: string) {
    const [kind, id] = [name.slice(0, 2), name.slice(2)];
    const on = new Set(name ? [name] : []);
    for (const key of state?.order ?? []) {
      const holder = state.partitions[key].member;
      if ((kind === "p:" && key === id && holder) || (kind === "m:" && holder === id)) on.add(`p:${key}`).add(`m:${holder}`);
    }
    node.classList.toggle("kl-some", on.size > 0);
    for (const [key, item] of items) item.classList.toggle("kl-on", on.has(key));
    for (const [key, edge] of edges) edge.path.classList.toggle("kl-on", on.has(`p:${key}`));
  }

  function aim(wanted: Map<string, Edge>, fresh: boolean) {
    const still = fresh || reducedMotion() || !node.isConnected;
    let moves = false;
    for (const [key, to] of wanted) {
      const edge = edges.get(key);
      if (!edge) {
        const p = Number(key.slice(key.lastIndexOf("/") + 1));
        const path = el("path", { "data-edge": key, style: { stroke: partitionColour(p) } });
        lines.append(path);
        const start = { ...to, grow: 0 };
        edges.set(key, { now: start, from: start, to, path });
        moves = true;
      } else if (["y1", "y2", "grow"].some((k) => edge.to[k] !== to[k])) {
        // A line to a new member swings over; a line whose boxes only shifted moves with them.
        Object.assign(edge, { from: edge.now, to });
        moves = true;
      }
    }
    for (const [key, edge] of edges) {
      if (wanted.has(key) || edge.to.grow === 0) continue;
      Object.assign(edge, { from: edge.now, to: { ...edge.to, grow: 0 } });
      moves = true;
    }
    if (!moves) return;
    begun = performance.now();
    for (const edge of edges.values()) edge.from = edge.now;
    cancelAnimationFrame(frame);
    if (still) turn(1);
    else frame = requestAnimationFrame(tick);
  }

  function tick() {
    const k = Math.min(1, (performance.now() - begun) / MOTION_MS);
    turn(ease(k));
    if (k < 1) frame = requestAnimationFrame(tick);
  }

  function turn(k: number) {
    for (const [key, edge] of edges) {
      edge.now = blend(edge.from, edge.to, k);
      edge.path.setAttribute("d", curve(edge.now));
      if (k === 1 && edge.to.grow === 0) {
        edge.path.remove();
        edges.delete(key);
      }
    }
  }

  node.addEventListener("keydown", (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !state) return;
    const columns = [state.order.map((k) => `p:${k}`), state.ranks.map((id) => `m:${id}`)];
    const to = stepped(event.key, columns, at);
    if (!to) return;
    event.preventDefault();
    event.stopPropagation();
    items.get(to)?.focus();
  });
  node.addEventListener("focusout", (event) => { if (!node.contains(event.relatedTarget as Node | null)) light(""); });
  return { node, draw, end: () => cancelAnimationFrame(frame) };
}

function inOrder(list: HTMLElement, item: HTMLElement | undefined, i: number) {
  // Moving the focused item would take the focus from it.
  if (item && list.children[i] !== item && item !== document.activeElement) list.insertBefore(item, list.children[i] ?? null);
}

function partition(key: string, state: Picture) {
  const p = state.partitions[key];
  const holder = p.member === null ? null : state.members[p.member];
  const topic = shorten(p.topic, 26);
  const lag = p.lag === null ? "nothing committed" : p.lag ? `lag ${count(p.lag)}` : "lag 0";
  return {
    from: [p, holder?.name], cls: `kl-part ${holder ? "" : "kl-lone"}`, style: { "--kl-c": partitionColour(p.partition) },
    title: `${shorten(p.topic, 200)} partition ${p.partition}\n${holder ? `read by ${holder.name}` : "held by nobody"} · ${lag}`,
    children: [
      el("span", { class: "kl-part-name" }, el("bdi", { class: "kl-part-topic" }, topic), ` P${p.partition}`),
      p.lag ? el("small", { class: "kl-lag", "aria-hidden": "true" }, `−${count(p.lag)}`) : "",
      holder ? "" : el("small", { class: "kl-nobody" }, "✕ nobody"),
      el("span", { class: "kl-hidden" }, holder ? `, ${lag}, read by ${holder.name}` : `, ${lag}`),
    ],
  };
}

function member(m: MemberBox) {
  const idle = m.said === "standing by";
  const { said } = m;
  return {
    from: [m.name, m.client, m.host, said], cls: `kl-member ${idle ? "kl-idle" : ""}`, style: {},
    title: `${m.client} at ${m.host}\nmember id ${m.id}\n${idle ? "more members than partitions: it waits for one to become free" : said}`,
    children: [el("bdi", { class: "kl-client" }, shorten(m.name, 40)), el("small", { class: "kl-soft" }, said)],
  };
}

// --- The lines between partitions and members, without the DOM: works out their curves, and the steps from one state to the next.

export type Edge = { y1: number; y2: number; grow: number };

/** Returns the distance of rows and the height of boxes, in pixels. */
export function metrics(rows: number, scale: number) {
  const dense = rows > 14;
  return { dense, step: (dense ? 26 : 38) * scale, box: (dense ? 21 : 29) * scale };
}

/** Returns a curve from the left edge at y1 towards the right edge (100 wide) at y2; `grow` (0 … 1) is the share drawn. */
export function curve({ y1, y2, grow }: Edge): string {
  const t = Math.min(1, Math.max(0, grow));
  const points = [[0, y1], [50, y1], [50, y2], [100, y2]];
  // De Casteljau's algorithm: the first part of a Bézier curve is a Bézier curve itself.
  const between = (a: number[], b: number[]) => [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t];
  const [a, b, c] = [between(points[0], points[1]), between(points[1], points[2]), between(points[2], points[3])];
  const [d, e] = [between(a, b), between(b, c)];
  const end = between(d, e);
  const put = (p: number[]) => `${p[0].toFixed(1)} ${p[1].toFixed(1)}`;
  return `M${put(points[0])}C${put(a)} ${put(d)} ${put(end)}`;
}

/** Returns where the lines of a state belong: "topic/partition" → edge. Lines that meet at one member fan out a little. */
export function targets(state: Pick<Picture, "order" | "partitions" | "members">, { step, box }: { step: number; box: number }): Map<string, Edge> {
  const held: Map<string, string[]> = new Map();
  for (const key of state.order) {
    const member = state.partitions[key].member;
    if (member !== null && state.members[member]) held.set(member, [...(held.get(member) ?? []), key]);
  }
  const found = new Map();
  const row = new Map(state.order.map((key, i) => [key, i]));
  for (const [member, keys] of held) {
    const apart = Math.min(5, (box * 0.7) / keys.length);
    keys.forEach((key, i) => {
      const fan = (i - (keys.length - 1) / 2) * apart;
      found.set(key, { y1: (row.get(key) ?? 0) * step + box / 2, y2: state.members[member].row * step + box / 2 + fan, grow: 1 });
    });
  }
  return found;
}

/** Returns the edge between two edges; k from 0 to 1. */
export function blend(a: Edge, b: Edge, k: number): Edge {
  const mix = (u: number, v: number) => u + (v - u) * k;
  return { y1: mix(a.y1, b.y1), y2: mix(a.y2, b.y2), grow: mix(a.grow, b.grow) };
}

/** Eases a motion: slow, fast, slow. */
export function ease(k: number) {
  return k < 0.5 ? 4 * k ** 3 : 1 - (-2 * k + 2) ** 3 / 2;
}

/** Returns the item that an arrow key leads to. */
export function stepped(key: string, columns: string[][], at: string): string | null {
  const c = columns.findIndex((column) => column.includes(at));
  if (c < 0) return null;
  const i = columns[c].indexOf(at);
  const other = columns[1 - c];
  const across = () => (other.length ? other[Math.min(other.length - 1, Math.round((i * other.length) / columns[c].length))] : null);
  switch (key) {
    case "ArrowDown": return columns[c][Math.min(i + 1, columns[c].length - 1)];
    case "ArrowUp": return columns[c][Math.max(i - 1, 0)];
    case "ArrowRight": return c === 0 ? across() : null;
    case "ArrowLeft": return c === 1 ? across() : null;
    case "Home": return columns[c][0];
    case "End": return columns[c].at(-1) ?? null;
    default: return null;
  }
}
