// The graph of a group: partitions at the left, members at the right, lines for "reads", which move in a rebalance.

import { count, el, keeper, news, partitionColour, reducedMotion, roving, scaleOf, shorten } from "../shared.ts";
import type { MemberBox, Picture } from "./picture";

const MOTION_MS = 520; // as in view.css

type Edge = { y1: number; y2: number };
/** A partition or a member; it is drawn again when a value of `from` changed. */
type Item = {
  name: string; top: number; height: number; from: unknown[];
  look: string; title: string; style: Record<string, string>; children: (Node | string)[];
};

export function groupGraph() {
  const left = el("ul", { class: "kl-parts", "aria-label": "partitions" });
  const right = el("ul", { class: "kl-members", "aria-label": "members" });
  const lines = el("svg", { class: "kl-edges", "aria-hidden": "true", preserveAspectRatio: "none" });
  const inner = el("div", { class: "kl-graph-inner" }, left, lines, right);
  const node = el("div", { class: "kl-graph", role: "group", "aria-label": "Which member reads which partition. Arrow keys move between them." }, inner);
  const [keepPartitions, keepMembers] = [left, right].map((list) => keeper(list, ({ name }: Item) => name, ({ name }) => row(name)));
  const edges = new Map<string, SVGPathElement>();
  const rove = roving(node, "[data-item]", (key, item, all) => {
    const to = stepped(key, [state.order.map((k) => `p:${k}`), state.ranks.map((id) => `m:${id}`)], item.dataset.item ?? "");
    return all.find((other) => other.dataset.item === to);
  });
  let state: Picture;

  function draw(after: Picture, before: Picture | undefined) {
    state = after;
    const { order, ranks, members } = after;
    const { dense, step, box } = metrics(Math.max(order.length, ranks.length), scaleOf(node));
    const height = Math.max(order.length, ranks.length, 1) * step;
    const focused = node.contains(document.activeElement) ? document.activeElement as HTMLElement : null;
    node.classList.toggle("kl-dense", dense);
    inner.style.height = `${height}px`;
    lines.setAttribute("viewBox", `0 0 100 ${height}`);
    keepPartitions(order.map((key, i) => ({ name: `p:${key}`, top: i * step, height: box, ...partition(key, after) })));
    keepMembers(ranks.map((id) => ({ name: `m:${id}`, top: members[id].row * step, height: box, ...member(members[id]) })));
    if (before?.group !== after.group) {
      lines.replaceChildren();
      edges.clear();
    }
    join(targets(after, { step, box }));
    rove();
    focused?.focus({ preventScroll: true }); // an item that was moved lost it
    light();
  }

  function row(name: string) {
    const node = el("li", { "data-item": name, onfocus: () => light(), onmouseenter: () => light(name), onmouseleave: () => light() });
    const isNews = news();
    return {
      node,
      draw({ top, height, from, look, title, style, children }: Item) {
        node.style.top = `${top}px`;
        node.style.height = `${height}px`;
        if (!isNews(...from)) return;
        node.className = look;
        node.title = title;
        for (const [property, value] of Object.entries(style)) node.style.setProperty(property, value);
        node.replaceChildren(...children);
      },
    };
  }

  /** Highlights an item, by default the one with the focus, together with everything that belongs to it. */
  function light(name = (node.contains(document.activeElement) && (document.activeElement as HTMLElement).dataset.item) || "") {
    const on = new Set(name ? [name] : []);
    for (const key of state.order) {
      const holder = state.partitions[key].member;
      if (holder && (name === `p:${key}` || name === `m:${holder}`)) on.add(`p:${key}`).add(`m:${holder}`);
    }
    node.classList.toggle("kl-some", on.size > 0);
    for (const item of node.querySelectorAll<HTMLElement>("[data-item]")) item.classList.toggle("kl-on", on.has(item.dataset.item ?? ""));
    for (const [key, path] of edges) path.classList.toggle("kl-on", on.has(`p:${key}`));
  }

  /** Draws the lines. One to a new member swings over, by a transition in view.css. */
  function join(wanted: Map<string, Edge>) {
    for (const [key, edge] of wanted) {
      const path = edges.get(key) ?? el("path", { "data-edge": key, style: { stroke: partitionColour(Number(key.slice(key.lastIndexOf("/") + 1))) } });
      path.setAttribute("d", curve(edge));
      if (edges.has(key)) continue;
      edges.set(key, path);
      lines.append(path);
    }
    for (const [key, path] of edges) {
      if (wanted.has(key)) continue;
      edges.delete(key);
      const gone = () => path.remove();
      path.animate({ opacity: 0 }, reducedMotion() ? 0 : MOTION_MS).finished.then(gone, gone);
    }
  }

  node.addEventListener("focusout", () => light(""));
  return { node, draw };
}

function partition(key: string, state: Picture) {
  const p = state.partitions[key];
  const holder = p.member === null ? null : state.members[p.member];
  const topic = shorten(p.topic, 26);
  const lag = p.lag === null ? "nothing committed" : p.lag ? `lag ${count(p.lag)}` : "lag 0";
  return {
    from: [p, holder?.name], look: `kl-part ${holder ? "" : "kl-lone"}`, style: { "--kl-c": partitionColour(p.partition) },
    title: `${shorten(p.topic, 200)} partition ${p.partition}\n${holder ? `read by ${holder.name}` : "held by nobody"} · ${lag}`,
    children: [
      el("span", { class: "kl-part-name" }, el("bdi", { class: "kl-part-topic" }, topic), ` P${p.partition}`),
      p.lag ? el("small", { class: "kl-lag", "aria-hidden": "true" }, `−${count(p.lag)}`) : "",
      holder ? "" : el("small", { class: "kl-nobody" }, "✕ nobody"),
      el("span", { class: "kl-hidden" }, holder ? `, ${lag}, read by ${holder.name}` : `, ${lag}`),
    ],
  };
}

function member({ name, client, id, host, said, idle }: MemberBox) {
  return {
    from: [name, client, host, said], look: `kl-member ${idle ? "kl-idle" : ""}`, style: {},
    title: `${client} at ${host}\nmember id ${id}\n${idle ? "more members than partitions: it waits for one to become free" : said}`,
    children: [el("bdi", { class: "kl-client" }, shorten(name, 40)), el("small", { class: "kl-soft" }, said)],
  };
}

// --- The places of boxes and lines, without the DOM.

/** Returns the distance of rows and the height of boxes, in pixels. */
export function metrics(rows: number, scale: number) {
  const dense = rows > 14;
  return { dense, step: (dense ? 26 : 38) * scale, box: (dense ? 21 : 29) * scale };
}

/** Returns a curve from the left edge at y1 to the right edge (100 wide) at y2. */
function curve({ y1, y2 }: Edge) {
  const [a, b] = [y1.toFixed(1), y2.toFixed(1)];
  return `M0 ${a}C50 ${a} 50 ${b} 100 ${b}`;
}

/** Returns where the lines of a state belong: "topic/partition" → edge. Lines that meet at one member fan out a little. */
export function targets(state: Pick<Picture, "order" | "partitions" | "members">, { step, box }: { step: number; box: number }) {
  const held = new Map<string, string[]>();
  for (const key of state.order) {
    const member = state.partitions[key].member;
    if (member !== null && state.members[member]) held.set(member, [...(held.get(member) ?? []), key]);
  }
  const found = new Map<string, Edge>();
  for (const [member, keys] of held) {
    const apart = Math.min(5, (box * 0.7) / keys.length);
    keys.forEach((key, i) => {
      const fan = (i - (keys.length - 1) / 2) * apart;
      found.set(key, { y1: state.order.indexOf(key) * step + box / 2, y2: state.members[member].row * step + box / 2 + fan });
    });
  }
  return found;
}

/** Returns the item that an arrow key leads to. */
export function stepped(key: string, columns: string[][], at: string) {
  const c = columns.findIndex((column) => column.includes(at));
  if (c < 0) return undefined;
  const own = columns[c], other = columns[1 - c], i = own.indexOf(at);
  const across = other[Math.min(other.length - 1, Math.round((i * other.length) / own.length))];
  switch (key) {
    case "ArrowDown": return own[Math.min(i + 1, own.length - 1)];
    case "ArrowUp": return own[Math.max(i - 1, 0)];
    case "ArrowRight": return c === 0 ? across : undefined;
    case "ArrowLeft": return c === 1 ? across : undefined;
    case "Home": return own[0];
    case "End": return own.at(-1);
    default: return undefined;
  }
}
