// The columns of keys: draws each key as a dot in the column of its partition. Dots move when the partitions change.

import { count, el, glide, partitionColour, partitionInk, reducedMotion, roving, shorten, table } from "../shared.ts";
import { astray, hex32, home, POSITIVE, steps } from "./murmur2.ts";
import type { Key, Sent } from "./picture";

type Columns = { partitions: number; after: number; nulls: Record<string, number>; chosen: string; real: boolean };

/** Returns what draws the columns into `box`.
 * @param choose called with the id of a key when it is chosen
 * @param point called with the id of the key under the pointer or focus; "" for none */
export function columns(box: HTMLElement, choose: (id: string) => void, point: (id: string) => void) {
  const dots = new Map<string, HTMLElement>();
  let focus = "";
  const rove = roving(box, ".kl-dot-key", (key, at) => {
    const column = at.parentElement as HTMLElement, mine = [...column.children], i = mine.indexOf(at);
    const all = [...box.querySelectorAll(".kl-dots")].filter((one) => one.children.length);
    const beside = (by: number) => {
      const next = all[all.indexOf(column) + by]?.children;
      return next?.[Math.min(i, next.length - 1)];
    };
    const to = { ArrowDown: mine[i + 1], ArrowUp: mine[i - 1], ArrowRight: beside(1), ArrowLeft: beside(-1), Home: mine[0], End: mine.at(-1) };
    return to[key as keyof typeof to] as HTMLElement | undefined;
  });

  box.addEventListener("pointerover", (event) => point(idOf(event)));
  box.addEventListener("pointerleave", () => point(""));
  box.addEventListener("click", (event) => choose(idOf(event)));
  box.addEventListener("focusin", (event) => point((focus = idOf(event))));
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    choose(focus);
  });

  /** Draws the keys; those that changed their place glide there. */
  function draw(keys: [string, Key][], how: Columns) {
    const { partitions, after, nulls, chosen, real } = how;
    const moved = after !== partitions;
    const held = box.contains(document.activeElement);
    const before = new Map([...dots].map(([id, dot]) => [id, dot.getBoundingClientRect()]));
    const inside = Array.from({ length: after }, (): HTMLElement[] => []);
    dots.clear();
    for (const [id, key] of keys) {
      const was = real ? home(key, partitions) : key.hash % partitions;
      const will = moved ? key.hash % after : was;
      const away = real && !moved && astray(key, partitions);
      const mover = moved && key.hash % partitions !== will;
      const says = away ? `, calculated P${key.hash % partitions}` : mover ? `, moves from P${key.hash % partitions}` : "";
      const dot = el("span", { class: `kl-dot-key${away ? " kl-astray" : ""}${mover ? " kl-mover" : ""}${id === chosen ? " kl-here" : ""}`, role: "option", "data-key": id, tabindex: -1,
        "aria-selected": String(id === chosen), "aria-label": `${shorten(key.text)}, P${will}${says}`, style: { "--kl-c": partitionColour(away ? key.hash : was), "--kl-on": partitionInk(was) } }, away ? "✗" : null);
      dots.set(id, dot);
      inside[will]?.push(dot);
    }
    const most = Math.max(1, ...inside.map((found) => found.length));
    box.replaceChildren(...inside.map((found, p) => {
      const fresh = p >= partitions;
      const without = real && !moved ? nulls[p] ?? 0 : 0;
      return el("div", { class: `kl-column${fresh ? " kl-fresh" : ""}`, role: "group", "aria-label": `P${p}: ${found.length} keys`, "data-partition": String(p) },
        el("div", { class: "kl-column-head", "aria-hidden": "true", style: { "--kl-c": partitionColour(p), "--kl-on": partitionInk(p) } }, `P${p}`, fresh ? el("small", {}, " new") : null),
        el("div", { class: "kl-bar-keys", "aria-hidden": "true" }, el("span", { style: { width: `${(100 * found.length) / most}%`, background: partitionColour(p) } })),
        el("div", { class: "kl-dots" }, found),
        el("div", { class: "kl-column-foot", "aria-hidden": "true" }, `${count(found.length)} key${found.length === 1 ? "" : "s"}`, without ? el("small", {}, `${count(without)} no key`) : null));
    }));
    const here = dots.get(focus) ?? dots.values().next().value;
    rove(here);
    if (held) here?.focus({ preventScroll: true });
    if (reducedMotion()) return;
    for (const [id, dot] of dots) {
      const old = before.get(id);
      if (old?.width) glide(dot, old, 550, "cubic-bezier(0.3, 0, 0.2, 1)");
    }
  }

  return { draw, dot: (id: string) => dots.get(id) };
}

function idOf(event: Event) {
  return (event.target as Element).closest<HTMLElement>("[data-key]")?.dataset.key ?? "";
}

// --- The calculation from key to partition: draws it as stages in a row, and as a table of every step.

const MOST_BYTES = 32;
const MOST_WORDS = 16;

/** Draws a partition as in every view. */
export function partitionChip(p: number) {
  return el("span", { class: "kl-part-chip", style: { "--kl-c": partitionColour(p), "--kl-on": partitionInk(p) } }, `P${p}`);
}

/** Draws the stages: bytes → murmur2 → without its sign → remainder → partition. */
export function stages(key: Uint8Array, partitions: number) {
  const { hash } = steps(key);
  const positive = hash & POSITIVE;
  const p = positive % partitions;
  const boxes = Array.from(key.slice(0, MOST_BYTES), (byte, i) =>
    el("span", { class: `kl-key-byte${i % 4 === 3 ? " kl-word-end" : ""}` }, el("b", {}, byte > 32 && byte < 127 ? String.fromCharCode(byte) : byte === 32 ? "␣" : "·"), el("span", {}, byte.toString(16).padStart(2, "0"))));
  return [
    stage(`${key.length} byte${key.length === 1 ? "" : "s"}`, el("span", { class: "kl-key-bytes kl-mono" }, boxes.length ? boxes : "no bytes", key.length > MOST_BYTES ? " …" : null), "as they are sent", "kl-sum-stage-bytes"),
    stage("murmur2", el("code", { class: "kl-mono" }, hex32(hash)), "32 bits"),
    stage("& 0x7fffffff", el("code", { class: "kl-mono" }, String(positive)), hash === positive ? "had no sign" : "without its sign"),
    stage(`mod ${partitions}`, el("code", { class: "kl-mono" }, String(p)), "the remainder"),
    stage("partition", partitionChip(p), "", "kl-sum-stage-result"),
  ];
}

function stage(title: string, what: HTMLElement | SVGElement, said: string, more: string = "") {
  return el("li", { class: `kl-sum-stage ${more}` }, el("span", { class: "kl-sum-stage-title" }, title), what, said ? el("small", { class: "kl-soft" }, said) : null);
}

/** Draws every step of murmur2 as a table. */
export function stepTable(key: Uint8Array) {
  const found = steps(key);
  const whole = found.words.length * 4;
  const rows: [string, string, string, string][] = [["start", "the seed ^ the length", `0x9747b28c ^ ${key.length}`, hex32(found.start)]];
  for (const word of found.words.slice(0, MOST_WORDS)) {
    rows.push([`bytes ${word.at}–${word.at + 3}`, "k, mixed; h × m ^ k", `${hex32(word.k)} → ${hex32(word.mixed)}`, hex32(word.hash)]);
  }
  if (found.words.length > MOST_WORDS) rows.push(["…", `${found.words.length - MOST_WORDS} words more`, "", ""]);
  if (found.tail !== null) {
    const left = Array.from(key.slice(whole), (b) => b.toString(16).padStart(2, "0")).join(" ");
    rows.push([`last ${key.length - whole}`, "h ^ what is left, × m", left, hex32(found.tail)]);
  }
  rows.push(["end", "h ^ h >>> 13, × m, h ^ h >>> 15", "", hex32(found.hash)]);
  return table({ class: "kl-steps" }, ["bytes", "what is done", "with", "h"], rows.map(([where, what, using, hash]) =>
    el("tr", {}, el("th", { scope: "row" }, where), el("td", {}, what), el("td", {}, el("code", { class: "kl-mono" }, using)), el("td", {}, el("code", { class: "kl-mono" }, hash)))));
}

// --- The tables of what the brokers really did: list the topic's keys beside their calculation, and the records sent from here.

const MOST_ROWS = 60;

/** Draws a row per key, those that lie elsewhere first. */
export function keyTable(keys: [string, Key][], partitions: number, choose: (id: string) => void) {
  const order = [...keys].sort(([, a], [, b]) => Number(astray(b, partitions)) - Number(astray(a, partitions)));
  const rows = order.slice(0, MOST_ROWS).map(([id, key]) => {
    const wrong = astray(key, partitions);
    const places = Object.entries(key.at).map(([p, records]) => el("span", { class: "kl-place" }, partitionChip(Number(p)), el("small", { class: "kl-soft" }, ` × ${count(records)}`)));
    return el("tr", { class: wrong ? "kl-row-astray" : "" },
      el("th", { scope: "row" }, el("button", { class: "kl-button kl-key-button", "data-key": id, onclick: () => choose(id) }, el("bdi", {}, shorten(key.text, 28) || "(empty)"))),
      el("td", {}, partitionChip(key.hash % partitions)), el("td", {}, places),
      el("td", { class: wrong ? "kl-no" : "kl-yes" }, wrong ? "✗" : "✓", el("span", { class: "kl-hidden" }, wrong ? "elsewhere" : "as calculated")));
  });
  return [
    table({ class: "kl-key-table" }, ["key", "calculated", "really in", ""], rows),
    keys.length > MOST_ROWS ? el("p", { class: "kl-soft" }, `and ${count(keys.length - MOST_ROWS)} more keys`) : null,
  ];
}

/** Draws the records sent from here, newest first. */
export function sentList(sent: Sent[]) {
  if (!sent.length) return el("p", { class: "kl-soft" }, "Nothing was sent from here yet.");
  return el("ol", { class: "kl-sent" }, [...sent].sort((a, b) => b.n - a.n).map((one) => {
    const right = one.calculated === one.partition;
    const why = one.calculated === null ? `no key: ${one.partitioner === "sticky" ? "sticky, one partition for a while" : "a random partition"}` : right ? "✓ as calculated" : `✗ calculated P${one.calculated}`;
    return el("li", { "data-sent": one.n }, el("bdi", {}, one.key === null ? el("i", {}, "null") : shorten(one.key, 24)), " → ", partitionChip(one.partition), ` offset ${count(one.offset)} `, el("span", { class: one.calculated === null ? "kl-soft" : right ? "kl-yes" : "kl-no" }, why));
  }));
}
