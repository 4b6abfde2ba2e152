// The shelf: holds the views of one kind on a recording's page, shows one, and offers the others as tabs. A view out of sight
// is not drawn; it is brought up to date when it comes into sight.

import type { Model } from "../live.ts";
import { el, guard, shorten } from "../shared.ts";
import { Told, unpack } from "./told.ts";
import type { Packed } from "./told.ts";

export type Entry = { id: string; kind: string; heading: string; name: string };
export type Render = (tools: { model: Model; el: HTMLElement }) => void;

/** Returns a model as a notebook has it, without a kernel.
 * @param asked called with the view's messages */
export function pageModel(traits: Record<string, any>, asked: (message: any) => void): Model {
  const values = { ...traits };
  let listeners: [string, (message: any) => void][] = [];
  return {
    get: (name) => values[name],
    /** Sets a trait and calls its listeners, unless the value is the same. */
    set(name, value) {
      if (values[name] === value) return;
      values[name] = value;
      for (const [event, listener] of listeners) if (event === `change:${name}`) listener(undefined);
    },
    save_changes() {},
    on(event, listener) {
      listeners = [...listeners, [event, listener]];
    },
    off(event, listener) {
      listeners = listeners.filter(([name, one]) => name !== event || one !== listener);
    },
    send: asked,
  };
}

export class Shelf {
  visible = false;
  chosen = 0;
  panels: HTMLElement[];
  tabs: HTMLElement[];
  places: HTMLElement;
  said = el("p", { class: "kl-page-said kl-hidden", role: "status" });
  quiet: ReturnType<typeof setTimeout> | undefined;
  shown: ({ model: Model; told: Told } | undefined)[] = [];
  opening: Promise<void>[] = [];

  /** @param section holds the tables of the first view until that view is drawn
   * @param entries the views of one kind
   * @param stand the moment that the page shows */
  constructor(public section: HTMLElement, public entries: Entry[], public render: Render, public stand: { at: number; presenter: boolean }) {
    this.panels = entries.map((entry, i) => el("div", { class: "kl-page-panel", id: `${entry.id}-panel`, hidden: i > 0 }));
    this.tabs = entries.length > 1 ? this.#tabs() : [];
    this.places = el("div", { class: "kl-page-panels", hidden: true }, this.panels, this.said);
    section.append(this.places);
    new IntersectionObserver((seen) => {
      this.visible = seen[seen.length - 1].isIntersecting;
      if (this.visible) this.show();
    }, { rootMargin: "250px 0px" }).observe(section);
  }

  /** Draws the chosen view at the moment that the page shows. */
  show() {
    const shown = this.shown[this.chosen];
    if (!shown) return void this.open(this.chosen);
    shown.model.set("presenter", this.stand.presenter);
    shown.model.set("state", shown.told.at(this.stand.at));
  }

  /** Draws again, if in sight, because the page shows another moment or another size. */
  moved() {
    if (this.visible) this.show();
  }

  /** Unpacks a view and draws it, once. */
  open(i: number) {
    return (this.opening[i] ??= this.#open(i).catch((error) => guard(this.panels[i], () => { throw error; })));
  }

  async #open(i: number) {
    const source = document.getElementById(this.entries[i].id);
    const packed: Packed = await unpack(source?.textContent ?? "");
    source?.remove();
    const told = new Told(packed);
    const traits = { ...packed.traits, live: false, presenter: this.stand.presenter, state: told.at(this.stand.at) };
    const model = pageModel(traits, () => this.#asked());
    this.shown[i] = { model, told };
    this.section.classList.remove("kl-page-still");
    this.section.querySelector(":scope > .kl-page-tables")?.remove();
    this.places.hidden = false;
    this.render({ model, el: this.panels[i] });
  }

  #asked() {
    this.said.classList.remove("kl-hidden");
    this.said.textContent = "This needs a notebook: the page holds what was recorded, and no kernel stands behind it.";
    clearTimeout(this.quiet);
    this.quiet = setTimeout(() => {
      this.said.textContent = "";
      this.said.classList.add("kl-hidden");
    }, 6000);
  }

  #tabs() {
    const tabs = this.entries.map((entry, i) => {
      this.panels[i].setAttribute("role", "tabpanel");
      this.panels[i].setAttribute("aria-labelledby", `${entry.id}-tab`);
      return el("button", {
        type: "button", role: "tab", class: "kl-page-tab", id: `${entry.id}-tab`, title: shorten(entry.name, 300),
        "aria-controls": `${entry.id}-panel`, "aria-selected": String(i === 0), tabindex: i === 0 ? "0" : "-1", onclick: () => this.choose(i),
      }, el("bdi", {}, shorten(entry.name || `${i + 1}`, 32)));
    });
    const list = el("div", { class: "kl-page-tabs", role: "tablist", "aria-label": this.entries[0].heading, onkeydown: (event: KeyboardEvent) => {
      const { chosen } = this, last = tabs.length - 1;
      const to = { ArrowRight: chosen === last ? 0 : chosen + 1, ArrowLeft: chosen === 0 ? last : chosen - 1, Home: 0, End: last }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      this.choose(to);
      tabs[to].focus();
    } }, tabs);
    this.section.querySelector("h2")?.after(list);
    return tabs;
  }

  /** Shows another of the views. */
  choose(i: number) {
    this.chosen = i;
    for (const [at, panel] of this.panels.entries()) {
      panel.hidden = at !== i;
      this.tabs[at].setAttribute("aria-selected", String(at === i));
      this.tabs[at].tabIndex = at === i ? 0 : -1;
    }
    this.show();
  }
}
