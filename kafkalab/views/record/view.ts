// RecordView: draws a record and its batch down to the bytes. Hover, focus or click links a field in the list and its bytes.

import { live } from "../live.ts";
import { changed, el, legend, scaleOf, shorten, walked } from "../shared.ts";
import { bar, batchStrip, copies, shareBars } from "./bar.ts";
import { dump, explained, fieldList, KINDS } from "./fields.ts";
import type { Item, Picture } from "./picture";

function build(page: HTMLElement, { model, ask }) {
  const asks = () => Boolean(model.get("live"));
  const part = Object.fromEntries(["bar", "trouble", "strip", "copies", "shares", "legend"].map((name) => [name, el("div", { class: `kl-record-${name}` })]));
  const dumped = el("div", { class: "kl-record-dump kl-panel" });
  const listed = el("div", { class: "kl-record-list kl-panel" });
  const told = el("div", { class: "kl-record-told kl-panel", "aria-live": "polite" });
  page.append(part.bar, part.trouble, part.strip, el("div", { class: "kl-record-main" }, dumped, el("div", { class: "kl-record-side" }, listed, told)), part.copies, part.shares, part.legend);

  let state: Picture;
  let items: Map<string, Item> = new Map();
  let chosen = "value"; // the id of a field, kept from record to record
  let wide = 0;
  const go = (offset: number | null) => ask({ do: "go", offset });

  // Highlights everything that belongs to a field; with "" only the chosen one.
  let lit = "";
  function light(id: string) {
    if (id === lit) return;
    lit = id;
    for (const node of page.querySelectorAll(".kl-lit")) node.classList.remove("kl-lit");
    if (id) for (const node of page.querySelectorAll(`[data-field="${CSS.escape(id)}"]`)) node.classList.add("kl-lit");
    tell(items.get(id || chosen));
  }

  function choose(id: string, focus = false) {
    if (!items.has(id)) return;
    chosen = id;
    for (const node of page.querySelectorAll(".kl-chosen")) node.classList.remove("kl-chosen");
    for (const node of page.querySelectorAll(`[data-field="${CSS.escape(id)}"]`)) node.classList.add("kl-chosen");
    for (const node of listed.querySelectorAll("[role=option]") as NodeListOf<HTMLElement>) {
      const mine = node.dataset.field === id;
      node.setAttribute("aria-selected", String(mine));
      node.tabIndex = mine ? 0 : -1;
      if (!mine) continue;
      if (focus) node.focus({ preventScroll: true });
      const box = listed.querySelector("[role=listbox]");
      if (box && (node.offsetTop < box.scrollTop || node.offsetTop + node.offsetHeight > box.scrollTop + box.clientHeight)) {
        box.scrollTop = node.offsetTop - box.clientHeight / 2;
      }
    }
    tell(items.get(id));
  }

  let shown: Item | undefined;
  function tell(item: Item | undefined) {
    if (item === shown) return;
    shown = item;
    told.replaceChildren(...(item ? explained(item, asks() ? go : null) : []));
  }

  for (const area of [dumped, listed]) {
    const field = (event: Event) => ((event.target as HTMLElement).closest?.("[data-field]") as HTMLElement | null)?.dataset.field ?? "";
    // On movement only: a new record drawn under a resting pointer must not change the highlight.
    area.addEventListener("pointermove", (event) => light(field(event)));
    area.addEventListener("pointerleave", () => light(""));
    area.addEventListener("click", (event) => {
      const id = field(event);
      if (id) choose(id, true);
    });
  }
  listed.addEventListener("keydown", (event) => {
    const ids = [...items.keys()];
    const to = walked(event.key, ids.indexOf(chosen), ids.length - 1);
    const item = items.get(chosen);
    if (event.key === "Enter" && item?.goto !== undefined && asks()) return go(item.goto);
    if (to === undefined) return undefined;
    event.preventDefault();
    choose(ids[to], true);
    return undefined;
  });

  function layOut() {
    const now = dump(state.blocks, wide);
    dumped.replaceChildren(...now);
    choose(items.has(chosen) ? chosen : [...items.keys()][0]);
  }

  const seen = new ResizeObserver(() => {
    const cell = scaleOf(page);
    // Sixteen bytes with their text need this width; with less, there are eight bytes per row.
    const fits = dumped.clientWidth >= 620 * cell ? 16 : 8;
    if (fits === wide || !state) return void (wide = fits);
    wide = fits;
    layOut();
  });
  seen.observe(dumped);

  return {
    draw(now: Picture, before: Picture | undefined) {
      state = now;
      wide ||= dumped.clientWidth >= 620 ? 16 : 8;
      const held = page.contains(document.activeElement) ? (document.activeElement as HTMLElement)?.dataset?.step : undefined;
      part.bar.replaceChildren(bar(state, go, asks()));
      const said = [state.trouble, state.note].filter(Boolean);
      part.trouble.replaceChildren(...said.map((text) => el("p", { class: `kl-notice${text === state.trouble ? " kl-tone-bad" : ""}`, role: "status" }, shorten(text, 500))));
      page.classList.toggle("kl-record-empty", !state.batch);
      if (changed(state, before, "strip", "offset")) part.strip.replaceChildren(batchStrip(state, go, asks()));
      if (changed(state, before, "copies")) part.copies.replaceChildren(copies(state, (broker) => ask({ do: "read_from", broker })));
      if (changed(state, before, "shares")) part.shares.replaceChildren(shareBars(state.shares));
      if (changed(state, before, "blocks")) {
        const focused = listed.contains(document.activeElement);
        items = new Map(state.blocks.flatMap((block) => block.items.map((item: Item) => [item.id, item])));
        shown = undefined;
        lit = "";
        const scrolled = listed.querySelector("[role=listbox]")?.scrollTop ?? 0;
        listed.replaceChildren(...fieldList(state.blocks));
        const list = listed.querySelector("[role=listbox]");
        if (list) list.scrollTop = scrolled;
        layOut();
        if (focused) choose(chosen, true);
        const kinds = new Set([...items.values()].map((item) => item.kind));
        part.legend.replaceChildren(legend(Object.entries(KINDS).filter(([kind]) => kinds.has(kind)).map(([kind, [sign, meaning]]) => [el("span", { class: `kl-kind kl-kind-${kind}` }, sign), meaning])));
      }
      if (held) (page.querySelector(`[data-step="${held}"]`) as HTMLElement | null)?.focus();
    },
    end: () => seen.disconnect(),
  };
}

export default { render: live("record", "A record, byte by byte", build) };
