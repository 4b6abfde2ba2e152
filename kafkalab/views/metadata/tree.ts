// ZooKeeper's tree: draws rows that open, keeps only those in sight in the page, and flashes changed ones.

import { clock, el, shorten } from "../shared.ts";

const TYPING_MS = 700;
const FLASH_MS = 2400;
let trees = 0;

export function znodeTree(wishes: { open(path: string): void; see(paths: string[]): void; select(path: string): void }) {
  const id = `kl-tree-${++trees}`;
  const open = new Set(["/", "/brokers", "/brokers/ids"]);
  const space = el("div", { class: "kl-tree-space", role: "none" });
  const probe = el("div", { class: "kl-tree-row kl-tree-probe", "aria-hidden": "true" }, "x");
  const root = el("div", { class: "kl-tree", role: "tree", tabindex: "0", "aria-label": "ZooKeeper's tree" }, space, probe);
  const drawn: Map<string, { node: any; row: HTMLElement; said: string }> = new Map();
  let tree: any = null;
  let rows: Row[] = [];
  let active = "/controller";
  let typed = "", typedAt = 0;
  let seen = "", seeing = 0, framed = 0;
  /** True in a recording, where nothing more can be read than is there. */
  let recorded = false;

  const place = (path: string) => rows.findIndex((row) => row.path === path);
  const height = () => probe.offsetHeight || 24;

  function list() {
    rows = flatten(tree, open);
    space.style.height = `${rows.length * height()}px`;
    if (place(active) < 0 && rows.length) active = rows[0].path;
    paint();
  }

  function paint() {
    framed = 0;
    const tall = height();
    const [first, last] = inSight(rows.length, root.scrollTop, root.clientHeight || 320, tall);
    const wanted = new Map(rows.slice(first, last).map((row, i) => [row.path, { row, i: first + i }]));
    const at = place(active);
    if (at >= 0) wanted.set(active, { row: rows[at], i: at }); // the active row is always drawn, so that screen readers find it
    for (const [path, old] of drawn) if (!wanted.has(path)) { old.row.remove(); drawn.delete(path); }
    for (const [path, { row, i }] of wanted) {
      const said = `${row.open} ${row.leaf} ${row.place}/${row.of} ${path === active}`;
      const old = drawn.get(path);
      if (!old || old.node !== row.node || old.said !== said) {
        const mine = line(row);
        // Only a write, or another number of children, is a change; a node read for the first time has not changed.
        const changed = old && old.node.z !== undefined && (old.node.z !== row.node.z || old.node.k !== row.node.k);
        const left = changed ? Date.now() : Number(old?.row.dataset.changed ?? 0);
        if (Date.now() - left < FLASH_MS) flash(mine, left);
        if (old) old.row.replaceWith(mine);
        else space.append(mine);
        drawn.set(path, { node: row.node, row: mine, said });
      }
      const { row: placed } = drawn.get(path) as { row: HTMLElement };
      placed.style.top = `${i * tall}px`;
    }
    root.setAttribute("aria-activedescendant", at >= 0 ? rowId(active) : "");
    if (at < 0) root.removeAttribute("aria-activedescendant");
    see(rows.slice(first, last));
  }

  function flash(row: HTMLElement, since: number) {
    row.dataset.changed = String(since);
    row.classList.add("kl-tree-changed");
    setTimeout(() => row.classList.remove("kl-tree-changed"), FLASH_MS - (Date.now() - since));
  }

  // An id must not contain spaces, but a path may.
  const rowId = (path: string) => `${id}-${encodeURIComponent(path)}`;

  function line(row: Row) {
    const { node, path } = row;
    const name = shorten(row.name, 60);
    const kind = node.gone ? "not there" : node.e ? "ephemeral" : "persistent";
    const words = node.s ? shorten(node.s, 90) : row.open && !node.c ? (recorded ? "not recorded" : "reading…") : "";
    return el("div", {
      class: `kl-tree-row ${node.gone ? "kl-tree-gone" : node.e ? "kl-tree-ephemeral" : ""}`,
      role: "treeitem", id: rowId(path), "data-path": path,
      "aria-level": row.depth + 1, "aria-setsize": row.of, "aria-posinset": row.place,
      "aria-expanded": row.leaf ? null : String(row.open), "aria-selected": String(path === active),
      title: shorten(path, 200),
      style: { "--kl-depth": String(row.depth) },
      onclick: (event: MouseEvent) => {
        const arrow = (event.target as Element).closest(".kl-tree-arrow");
        choose(path);
        if (arrow || event.detail === 2) toggle(path);
      },
    },
    el("span", { class: "kl-tree-arrow", "aria-hidden": "true" }, row.leaf ? "" : row.open ? "▾" : "▸"),
    el("span", { class: "kl-tree-name" }, node.gone ? "✕ " : node.e ? "⚡ " : "", el("bdi", {}, name)),
    " ", el("span", { class: node.e || node.gone ? "kl-tree-kind" : "kl-hidden" }, kind), " ",
    node.v === undefined ? null : el("span", { class: "kl-tree-version", title: "version: how often its data was written" }, `v${node.v}`), " ",
    node.k ? el("span", { class: "kl-tree-version", title: "children" }, `${node.k}↓`) : null, " ",
    words ? el("span", { class: "kl-tree-words" }, words) : null);
  }

  function see(around: Row[]) {
    const unread = around.filter((row) => row.node.v === undefined && !row.node.gone).map((row) => row.path).slice(0, 120);
    const key = unread.join("\n");
    if (!unread.length || key === seen || recorded) return;
    seen = key;
    clearTimeout(seeing);
    seeing = setTimeout(() => wishes.see(unread), 80);
  }

  function choose(path: string) {
    active = path;
    wishes.select(path);
    paint();
    const at = place(path);
    const top = at * height();
    if (top < root.scrollTop) root.scrollTop = top;
    else if (top + height() > root.scrollTop + root.clientHeight) root.scrollTop = top + height() - root.clientHeight;
  }

  function toggle(path: string) {
    const row = rows[place(path)];
    if (!row || row.leaf) return;
    if (open.has(path)) open.delete(path);
    else {
      open.add(path);
      if (!row.node.c && !recorded) wishes.open(path);
    }
    list();
  }

  root.addEventListener("scroll", () => { framed ||= requestAnimationFrame(paint); });
  root.addEventListener("keydown", (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !rows.length) return;
    const at = Math.max(0, place(active));
    if (event.key.length > 1) typed = "";
    const step = keyed(event.key, rows, at, Math.max(1, Math.floor(root.clientHeight / height()) - 1));
    if (event.key === "Enter" || event.key === " ") toggle(active);
    else if (step) {
      if (step.open || step.close) toggle((step.open ?? step.close) as string);
      else if (step.to !== undefined && step.to >= 0) choose(rows[step.to].path);
    } else if (event.key.length === 1) {
      typed = event.timeStamp - typedAt < TYPING_MS ? typed + event.key : event.key;
      typedAt = event.timeStamp;
      choose(rows[typedTo(rows, at, typed)].path);
    } else return;
    event.preventDefault();
    event.stopPropagation(); // or JupyterLab would take the key for one of its commands
  });
  const resized = new ResizeObserver(() => list());
  resized.observe(root);

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
      active = path;
      list();
      choose(path);
    },
    /** @param told true in a recording */
    draw(now: any, told: boolean) {
      recorded = told;
      if (now === tree) return;
      tree = now;
      seen = "";
      list();
    },
    end() {
      resized.disconnect();
      clearTimeout(seeing);
      cancelAnimationFrame(framed);
    },
  };
}

// --- The tree as rows, without the DOM: works out those listed and in sight, and where a key leads.

/** A node as the kernel sends it: see kafkalab/views/metadata/znodes.py. */
export type Znode = { k?: number; v?: number; z?: number; s?: string; e?: boolean; gone?: boolean; c?: Record<string, any> };
export type Row = { path: string; parent: string; name: string; depth: number; node: Znode; place: number; of: number; open: boolean; leaf: boolean };

const collator = new Intl.Collator("en", { numeric: true });
const sorted: WeakMap<object, string[]> = new WeakMap();

/** Returns the names of children in the order of the list: numbers by their value. */
function names(children: Record<string, any>) {
  let found = sorted.get(children);
  if (!found) {
    found = Object.keys(children).sort(collator.compare);
    sorted.set(children, found);
  }
  return found;
}

const join = (parent: string, name: string) => (parent === "/" ? `/${name}` : `${parent}/${name}`);

/** Returns the listed rows, from the root down.
 * @param open paths whose children are listed */
export function flatten(tree: Znode | null, open: Set<string>): Row[] {
  const rows: Row[] = [];
  const visit = (node: Znode, path: string, parent: string, name: string, depth: number, place: number, of: number) => {
    const leaf = node.gone === true || node.k === 0 || (node.k === undefined && !node.c);
    const isOpen = !leaf && open.has(path);
    rows.push({ path, parent, name, depth, node, place, of, open: isOpen, leaf });
    if (!isOpen || !node.c) return;
    const children = node.c;
    const listed = names(children);
    listed.forEach((child, i) => visit(children[child], join(path, child), path, child, depth + 1, i + 1, listed.length));
  };
  if (tree) visit(tree, "/", "", "/", 0, 1, 1);
  return rows;
}

/** Returns the rows to draw: those in sight and a few around them.
 * @param count number of all rows
 * @param top the scroll position, in pixels
 * @param height height of the visible part, in pixels
 * @param row height of a row, in pixels
 * @returns first, and one past the last */
export function inSight(count: number, top: number, height: number, row: number): [number, number] {
  const around = 6;
  const first = Math.max(0, Math.floor(top / row) - around);
  return [Math.min(first, count), Math.min(count, Math.ceil((top + height) / row) + around)];
}

/** Returns where a key leads from a row, by the keys of ARIA's tree pattern.
 * @param at the row's number
 * @param page number of rows that fit in sight
 * @returns null when the tree does not use the key */
export function keyed(key: string, rows: Row[], at: number, page: number): { to?: number; open?: string; close?: string } | null {
  const row = rows[at];
  const last = rows.length - 1;
  switch (key) {
    case "ArrowDown": return { to: Math.min(last, at + 1) };
    case "ArrowUp": return { to: Math.max(0, at - 1) };
    case "PageDown": return { to: Math.min(last, at + page) };
    case "PageUp": return { to: Math.max(0, at - page) };
    case "Home": return { to: 0 };
    case "End": return { to: last };
    case "ArrowRight":
      if (row.leaf) return {};
      return row.open ? { to: Math.min(last, at + (rows[at + 1]?.parent === row.path ? 1 : 0)) } : { open: row.path };
    case "ArrowLeft":
      if (row.open) return { close: row.path };
      return row.parent ? { to: rows.findIndex((other) => other.path === row.parent) } : {};
    default: return null;
  }
}

/** Returns the next row after `at` whose name begins with the typed letters, going round at the end; `at` if nothing fits. */
export function typedTo(rows: Row[], at: number, typed: string) {
  const wanted = typed.toLowerCase();
  // One letter moves on to the next row; more letters may still fit the row that the first ones led to.
  const from = typed.length > 1 ? at : at + 1;
  for (let i = 0; i < rows.length; i++) {
    const place = (from + i) % rows.length;
    if (rows[place].name.toLowerCase().startsWith(wanted)) return place;
  }
  return at;
}

// --- The detail of a znode: shows what one node of ZooKeeper's tree means to Kafka, its owner, and its data.

/** @param found what the kernel read of it; undefined until then
 * @param recorded true in a recording, where no kernel may be there to read it */
export function znodeDetail(path: string, found: any, recorded?: boolean) {
  const head = el("h4", { class: "kl-title kl-mono kl-detail-path" }, el("bdi", {}, shorten(path, 120)));
  if (!found) return [head, el("p", { class: "kl-soft" }, recorded ? "Nothing more of it is known here." : "not read")];
  const about = found.about ? el("p", { class: "kl-detail-about" }, shorten(found.about, 400)) : null;
  if (!found.there) return [head, el("p", {}, el("span", { class: "kl-badge kl-detail-gone" }, "✕ not there")), about];
  const figures = [
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
      ? [el("span", { class: "kl-badge kl-detail-ephemeral" }, "⚡ ephemeral"), " lives and dies with session ", el("span", { class: "kl-mono" }, shorten(found.session, 40))]
      : [el("span", { class: "kl-badge" }, "persistent"), " stays until somebody deletes it"]),
    about,
    el("ul", { class: "kl-detail-figures", "aria-label": "figures" }, figures.map(([name, value, title]) =>
      el("li", { title: title || null }, el("span", { class: "kl-soft" }, name), " ", el("span", { class: "kl-mono" }, shorten(value, 40))))),
    found.data
      ? el("pre", { class: "kl-detail-data kl-mono", tabindex: "0", role: "region", "aria-label": "its data" }, el("bdi", {}, lines(found.data)))
      : el("p", { class: "kl-soft" }, "no data"),
  ];
}

// Shortens each line of formatted JSON for itself, so that the lines stay.
function lines(text: string) {
  return text.split("\n").slice(0, 400).map((line) => shorten(line, 400)).join("\n");
}
