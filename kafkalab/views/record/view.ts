// RecordView: draws a record and its batch down to the bytes. Hover, focus or click links a field in the list and its bytes.

import { live, type Model } from "../live.ts";
import { changed, el, legend, refill, roving, scaleOf, shorten } from "../shared.ts";
import { bar, batchStrip, copies, shareBars, sign } from "./bar.ts";
import { dump, explained, fieldList } from "./fields.ts";
import KINDS from "./kinds.json" with { type: "json" };
import type { Item, Picture } from "./picture";

const ALL = Object.entries(KINDS) as [keyof typeof KINDS, string[]][];

function build(page: HTMLElement, { model, ask }: { model: Model; ask: (message: object) => void }) {
  const part = Object.fromEntries(["bar", "trouble", "strip", "copies", "shares", "legend"].map((name) => [name, el("div", { class: `kl-record-${name}` })]));
  const dumped = el("div", { class: "kl-record-dump kl-panel" });
  const listed = el("div", { class: "kl-record-list kl-panel" });
  const told = el("div", { class: "kl-record-told kl-panel", "aria-live": "polite" });
  page.append(part.bar, part.trouble, part.strip, el("div", { class: "kl-record-main" }, dumped, el("div", { class: "kl-record-side" }, listed, told)), part.copies, part.shares, part.legend);

  let state: Picture;
  let items = new Map<string, Item>();
  let chosen = "value"; // the id of a field, kept from record to record
  let wide = 0;
  const go = (offset: number | null) => ask({ do: "go", offset });
  const goes = () => (state.live && model.get("live") ? go : null);
  const rove = roving(listed, "[role=option]");
  const fieldAt = (event: Event) => (event.target as Element).closest<HTMLElement>("[data-field]")?.dataset.field ?? "";

  function mark(name: string, id: string) {
    for (const node of page.querySelectorAll(`.${name}`)) node.classList.remove(name);
    if (id) for (const node of page.querySelectorAll(`[data-field="${id}"]`)) node.classList.add(name);
  }

  // Highlights everything that belongs to a field; with "" only the chosen one.
  let lit = "";
  function light(id: string) {
    if (id === lit) return;
    lit = id;
    mark("kl-lit", id);
    tell(items.get(id || chosen));
  }

  function choose(id: string) {
    chosen = id;
    mark("kl-chosen", id);
    for (const node of listed.querySelectorAll<HTMLElement>("[role=option]")) node.ariaSelected = String(node.dataset.field === id);
    const box = listed.querySelector("[role=listbox]"), node = option();
    if (box && node) {
      const [top, bottom] = [node.offsetTop, node.offsetTop + node.offsetHeight];
      if (top < box.scrollTop || bottom > box.scrollTop + box.clientHeight) box.scrollTop = top - box.clientHeight / 2;
    }
    rove(node);
    tell(items.get(id));
  }

  /** The chosen field in the list. */
  function option() {
    return listed.querySelector<HTMLElement>("[aria-selected=true]") ?? undefined;
  }

  let shown: Item | undefined;
  function tell(item: Item | undefined) {
    if (item === shown) return;
    shown = item;
    refill(told, item ? explained(item, goes()) : []);
  }

  for (const area of [dumped, listed]) {
    // On movement only: a new record drawn under a resting pointer must not change the highlight.
    area.addEventListener("pointermove", (event) => light(fieldAt(event)));
    area.addEventListener("pointerleave", () => light(""));
  }
  dumped.addEventListener("click", (event) => {
    const id = fieldAt(event);
    if (!id) return;
    choose(id);
    option()?.focus({ preventScroll: true });
  });
  listed.addEventListener("focusin", (event) => {
    const id = fieldAt(event);
    if (id) choose(id);
  });
  listed.addEventListener("keydown", (event) => {
    const to = items.get(chosen)?.goto ?? null;
    if (event.key === "Enter" && to !== null) goes()?.(to);
  });

  // Sixteen bytes with their text need this width; with less, there are eight bytes per row.
  const fitting = () => (dumped.clientWidth >= 620 * scaleOf(page) ? 16 : 8);
  function layOut() {
    wide = fitting();
    dumped.replaceChildren(...dump(state.blocks, wide));
    if (items.size) choose(items.has(chosen) ? chosen : [...items.keys()][0]);
  }

  const seen = new ResizeObserver(() => {
    if (state && fitting() !== wide) layOut();
  });
  seen.observe(dumped);

  return {
    draw(now: Picture, before: Picture | undefined) {
      state = now;
      refill(part.bar, bar(state, goes()));
      const said = [state.trouble, state.note].filter(Boolean);
      part.trouble.replaceChildren(...said.map((text) => el("p", { class: `kl-notice${text === state.trouble ? " kl-tone-bad" : ""}`, role: "status" }, shorten(text, 500))));
      page.classList.toggle("kl-record-empty", !state.blocks.length);
      if (changed(state, before, "strip", "offset")) refill(part.strip, batchStrip(state, goes()));
      if (changed(state, before, "copies")) refill(part.copies, copies(state, (broker) => ask({ do: "read_from", broker })));
      if (changed(state, before, "shares")) part.shares.replaceChildren(shareBars(state.shares));
      if (changed(state, before, "blocks")) {
        const focused = listed.contains(document.activeElement), scrolled = listed.querySelector("[role=listbox]")?.scrollTop ?? 0;
        items = new Map(state.blocks.flatMap((block) => block.items.map((item) => [item.id, item])));
        shown = undefined;
        lit = "";
        listed.replaceChildren(...fieldList(state.blocks));
        const list = listed.querySelector("[role=listbox]");
        if (list) list.scrollTop = scrolled;
        layOut();
        if (focused) option()?.focus({ preventScroll: true });
        const kinds = new Set([...items.values()].map((item) => item.kind));
        part.legend.replaceChildren(legend(ALL.filter(([kind]) => kinds.has(kind)).map(([kind, [, meaning]]) => [sign(kind), meaning])));
      }
    },
    end: () => seen.disconnect(),
  };
}

export default { render: live("record", "A record, byte by byte", build) };
