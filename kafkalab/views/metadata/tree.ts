// ZooKeeper's tree: draws rows that open, and flashes those that changed; beside them, one node in full.

import { clock, el, keeper, news, shorten, walked } from "../shared.ts";
import type { Absent, Detail, Node } from "./picture";

const FLASH_MS = 2400;
let trees = 0;

/** A row of the tree. `place` of `of`: its place among the children of its parent. */
export type Row = { path: string; parent: string; name: string; depth: number; node: Node; place: number; of: number; open: boolean; leaf: boolean };

export function znodeTree(wishes: { open(path: string): void; select(path: string): void }) {
  const id = `kl-tree-${++trees}`;
  const open = new Set(["/", "/brokers", "/brokers/ids"]);
  const root = el("div", { class: "kl-tree", role: "tree", tabindex: "0", "aria-label": "ZooKeeper's tree", onkeydown: key });
  const keep = keeper<Row>(root, (row) => row.path, () => treeRow());
  let tree: Node | null = null;
  let rows: Row[] = [];
  let active = "/controller";
  /** True in a recording, where nothing more can be read than is there. */
  let recorded = false;

  // An id must not contain spaces, but a path may.
  const rowId = (path: string) => `${id}-${encodeURIComponent(path)}`;
  const place = (path: string) => rows.findIndex((row) => row.path === path);

  function list() {
    rows = flatten(tree, open);
    if (place(active) < 0 && rows.length) active = rows[0].path;
    keep(rows);
    if (rows.length) root.setAttribute("aria-activedescendant", rowId(active));
    else root.removeAttribute("aria-activedescendant");
  }

  function treeRow() {
    const node = el("div", { role: "treeitem" });
    const isNews = news();
    let before: Node | undefined;
    return {
      node,
      draw(row: Row) {
        node.setAttribute("aria-selected", String(row.path === active));
        if (!isNews(row.node, row.open, row.leaf, row.place, row.of)) return;
        fill(node, row);
        // Only a write, or another number of children, is a change; a node read for the first time has not changed.
        if (before?.z !== undefined && (before.z !== row.node.z || before.k !== row.node.k)) {
          node.classList.add("kl-tree-changed");
          setTimeout(() => node.classList.remove("kl-tree-changed"), FLASH_MS);
        }
        before = row.node;
      },
    };
  }

  function fill(row: HTMLElement, { path, name, depth, node, place, of, open, leaf }: Row) {
    const kind = node.gone ? "not there" : node.e ? "ephemeral" : "persistent";
    const words = node.s ? shorten(node.s, 90) : open && !node.c ? (recorded ? "not recorded" : "reading…") : "";
    const attributes = { id: rowId(path), "data-path": path, "aria-level": depth + 1, "aria-setsize": of, "aria-posinset": place, title: shorten(path, 200) };
    for (const [name, value] of Object.entries(attributes)) row.setAttribute(name, String(value));
    if (leaf) row.removeAttribute("aria-expanded");
    else row.setAttribute("aria-expanded", String(open));
    row.className = `kl-tree-row ${node.gone ? "kl-tree-gone" : node.e ? "kl-tree-ephemeral" : ""}`;
    row.style.setProperty("--kl-depth", String(depth));
    row.onclick = (event) => {
      choose(path);
      if ((event.target as Element).closest(".kl-tree-arrow") || event.detail === 2) toggle(path);
    };
    row.replaceChildren(
      el("span", { class: "kl-tree-arrow", "aria-hidden": "true" }, leaf ? "" : open ? "▾" : "▸"),
      el("span", { class: "kl-tree-name" }, node.gone ? "✕ " : node.e ? "⚡ " : "", el("bdi", {}, shorten(name, 60))),
      " ", el("span", { class: node.e || node.gone ? "kl-tree-kind" : "kl-hidden" }, kind), " ",
      node.v === undefined ? "" : el("span", { class: "kl-tree-version", title: "version: how often its data was written" }, `v${node.v}`), " ",
      node.k ? el("span", { class: "kl-tree-version", title: "children" }, `${node.k}↓`) : "", " ",
      words ? el("span", { class: "kl-tree-words" }, words) : "");
  }

  function choose(path: string) {
    active = path;
    wishes.select(path);
    list();
    document.getElementById(rowId(path))?.scrollIntoView({ block: "nearest" });
  }

  function toggle(path: string) {
    const row = rows[place(path)];
    if (!row || row.leaf) return;
    if (!open.delete(path)) {
      open.add(path);
      if (!recorded) wishes.open(path);
    }
    list();
  }

  function key(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey || !rows.length) return;
    const step = keyed(event.key, rows, Math.max(0, place(active)));
    if (!step) return;
    event.preventDefault();
    if (step.toggle) toggle(active);
    else if (step.to !== undefined) choose(rows[step.to].path);
  }

  return {
    root,
    get active() { return active; },
    go(path: string) {
      for (let parent = path; parent.length > 1;) {
        parent = parent.slice(0, parent.lastIndexOf("/")) || "/";
        if (open.has(parent)) continue;
        open.add(parent);
        if (!recorded) wishes.open(parent);
      }
      choose(path);
    },
    /** @param told true in a recording */
    draw(now: Node | null, told: boolean) {
      recorded = told;
      if (now === tree) return;
      tree = now;
      list();
    },
  };
}

// --- The tree as rows, without the DOM: works out those listed, and where a key leads.

const collator = new Intl.Collator("en", { numeric: true });
const join = (parent: string, name: string) => (parent === "/" ? `/${name}` : `${parent}/${name}`);

/** Returns the listed rows, from the root down, numbers in the order of their value.
 * @param open paths whose children are listed */
export function flatten(tree: Node | null, open: Set<string>): Row[] {
  const rows: Row[] = [];
  const visit = (node: Node, path: string, parent: string, name: string, depth: number, place: number, of: number) => {
    const leaf = node.gone === true || node.k === 0 || (node.k === undefined && !node.c);
    const isOpen = !leaf && open.has(path);
    rows.push({ path, parent, name, depth, node, place, of, open: isOpen, leaf });
    if (!isOpen || !node.c) return;
    const children = Object.entries(node.c).sort(([a], [b]) => collator.compare(a, b));
    children.forEach(([child, one], i) => visit(one, join(path, child), path, child, depth + 1, i + 1, children.length));
  };
  if (tree) visit(tree, "/", "", "/", 0, 1, 1);
  return rows;
}

/** Returns where a key leads from a row, by the keys of ARIA's tree pattern; null when the tree does not use the key.
 * @param at the row's number */
export function keyed(key: string, rows: Row[], at: number): { to?: number; toggle?: boolean } | null {
  const row = rows[at];
  if (key === "Enter" || key === " ") return { toggle: true };
  if (key === "ArrowRight") {
    if (row.leaf) return {};
    return row.open ? { to: rows[at + 1]?.parent === row.path ? at + 1 : at } : { toggle: true };
  }
  if (key === "ArrowLeft") return row.open ? { toggle: true } : { to: Math.max(0, rows.findIndex(({ path }) => path === row.parent)) };
  const to = walked(key, at, rows.length - 1);
  return to === undefined ? null : { to };
}

// --- The detail of a znode: shows what one node of ZooKeeper's tree means to Kafka, its owner, and its data.

/** @param found what the kernel read of it; undefined until then
 * @param recorded true in a recording, where no kernel may be there to read it */
export function znodeDetail(path: string, found: Detail | Absent | undefined, recorded: boolean) {
  const head = el("h4", { class: "kl-title kl-mono kl-detail-path" }, el("bdi", {}, shorten(path, 120)));
  if (!found) return [head, el("p", { class: "kl-soft" }, recorded ? "Nothing more of it is known here." : "not read")];
  const about = found.about ? el("p", { class: "kl-detail-about" }, shorten(found.about, 400)) : null;
  if (!("version" in found)) return [head, el("p", {}, el("span", { class: "kl-badge kl-detail-gone" }, "✕ not there")), about];
  const figures: [string, string, string][] = [
    ["version", String(found.version), "how often its data was written"],
    ["written", clock.ofDay(found.modified), "by ZooKeeper's clock"],
    ["created", clock.ofDay(found.created), "by ZooKeeper's clock"],
    ["zxid", found.zxid, "the transaction that wrote it: ZooKeeper numbers all of them"],
    ["children", String(found.children), ""],
    ["bytes", String(found.bytes), ""],
  ];
  return [
    head,
    el("p", { class: "kl-detail-kind" }, found.session
      ? [el("span", { class: "kl-badge kl-detail-ephemeral" }, "⚡ ephemeral"), " lives and dies with session ", el("span", { class: "kl-mono" }, found.session)]
      : [el("span", { class: "kl-badge" }, "persistent"), " stays until somebody deletes it"]),
    about,
    el("ul", { class: "kl-detail-figures", "aria-label": "figures" }, figures.map(([name, value, title]) =>
      el("li", { title: title || null }, el("span", { class: "kl-soft" }, name), " ", el("span", { class: "kl-mono" }, value)))),
    found.data
      ? el("pre", { class: "kl-detail-data kl-mono", tabindex: "0", role: "region", "aria-label": "its data" }, el("bdi", {}, found.data))
      : el("p", { class: "kl-soft" }, "no data"),
  ];
}
