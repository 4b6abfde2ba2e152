// The shelf: holds the views of one kind on a recording's page, shows one, and offers the others as tabs. A view out of sight
// is not drawn; it is brought up to date when it comes into sight.

import { el, guard, shorten } from "../shared.ts";
import { Told, unpack } from "./told.ts";
import { look } from "./answers.ts";
import { pageModel } from "./model.ts";

export type Entry = { id: string; kind: string; heading: string; name: string };
export type Shown = { model: ReturnType<typeof pageModel>; told: Told };

/** The requests that a view sends by itself, without a click. */
const QUIET = new Set(["whole", "gone", "see", "look", "lanes"]);

export class Shelf {
  visible = false;
  shown: Map<string, Shown> = new Map();
  opening: Map<string, Promise<void>> = new Map();
  panels;
  said = el("p", { class: "kl-page-said kl-hidden", role: "status" });
  chosen = 0;
  tabs;
  places;
  observer;

  /** @param section holds the tables of the first view until that view is drawn
   * @param entries the views of one kind
   * @param stand the moment that the page shows */
  constructor(public section: HTMLElement, public entries: Entry[], public render: (tools: { model: any; el: HTMLElement }) => any, public stand: { at: number; presenter: boolean }) {
    this.panels = entries.map((entry, i) => el("div", { class: "kl-page-panel", id: `${entry.id}-panel`, hidden: i > 0 }));
    this.tabs = entries.length > 1 ? this.#tabs() : [];
    this.places = el("div", { class: "kl-page-panels" }, this.panels, this.said);
    section.append(this.places);
    this.places.hidden = true;
    this.observer = new IntersectionObserver((seen) => {
      this.visible = seen[seen.length - 1].isIntersecting;
      if (this.visible) this.show();
    }, { rootMargin: "250px 0px" });
    this.observer.observe(section);
  }

  /** Draws the chosen view at the moment that the page shows. */
  show() {
    const entry = this.entries[this.chosen];
    const shown = this.shown.get(entry.id);
    if (!shown) return void this.open(this.chosen);
    shown.model.set("presenter", this.stand.presenter);
    shown.model.set("state", shown.told.at(Math.floor(this.stand.at * 1000 + 1e-6)));
  }

  /** Draws again, if in sight, because the page shows another moment or another size. */
  moved() {
    if (this.visible) this.show();
  }

  /** Unpacks a view and draws it, once. */
  open(i: number) {
    const entry = this.entries[i];
    const before = this.opening.get(entry.id);
    if (before) return before;
    const opened = this.#open(i).catch((error) => guard(this.panels[i], () => { throw error; }));
    this.opening.set(entry.id, opened);
    return opened;
  }

  async #open(i: number) {
    const entry = this.entries[i];
    const source = document.getElementById(entry.id);
    const packed = await unpack(source?.textContent ?? "");
    source?.remove();
    const told = new Told(packed);
    const state = told.at(Math.floor(this.stand.at * 1000 + 1e-6));
    const model = pageModel({ ...packed.traits, live: false, presenter: this.stand.presenter, state }, (message) => {
      const answer = message?.do === "look" && packed.answers ? look(packed.answers, message) : null;
      // Later, as from a kernel, because the view must not get the answer while it is still asking.
      if (answer) setTimeout(() => model.tell(answer), 0);
      else this.#asked(message);
    });
    this.shown.set(entry.id, { model, told });
    this.section.classList.remove("kl-page-still");
    this.section.querySelector(":scope > .kl-page-tables")?.remove();
    this.places.hidden = false;
    this.render({ model, el: this.panels[i] });
  }

  #asked(message: any) {
    if (QUIET.has(message?.do)) return;
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
      return el("button", { type: "button", role: "tab", class: "kl-page-tab", id: `${entry.id}-tab`, "aria-controls": `${entry.id}-panel`, "aria-selected": String(i === 0), tabindex: i === 0 ? "0" : "-1",
        title: shorten(entry.name, 300), onclick: () => this.choose(i) }, el("bdi", {}, shorten(entry.name || `${i + 1}`, 32)));
    });
    const list = el("div", { class: "kl-page-tabs", role: "tablist", "aria-label": this.entries[0].heading }, tabs);
    list.addEventListener("keydown", (event: KeyboardEvent) => {
      const last = tabs.length - 1;
      const to = { ArrowRight: this.chosen === last ? 0 : this.chosen + 1, ArrowLeft: this.chosen === 0 ? last : this.chosen - 1, Home: 0, End: last }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      this.choose(to);
      tabs[to].focus();
    });
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
