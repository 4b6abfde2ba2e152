// The cursor: knows which cell has the focus or the pointer, shows the card of that cell, and moves with the keys.

import { el, guard } from "../shared.ts";
import { each, known } from "./axis.ts";
import { card } from "./lane.ts";
import { outcome } from "./store.ts";
import type { Known, Lefts } from "./axis.ts";
import type { LogLane } from "./lane.ts";
import type { Picture } from "./picture";
import type { LogStore } from "./store.ts";

/** The parts of the view that the cursor works with. */
export type Tools = {
  page: HTMLElement; body: HTMLElement; grid: HTMLElement; store: LogStore; lanes: Map<string, LogLane>;
  view: { follow: boolean; lefts: Lefts };
  px(): number; cols(): number; near(): boolean; state(): Picture;
  paint(glide: boolean): void; setFollow(on: boolean): void; zoom(by: number): void; move(pages: number): void;
};
type At = { p: string; offset: number };

export class LogCursor {
  at: At | null = null; // by keyboard
  over: At | null = null; // by pointer
  focused = false;
  moving = false;
  dismissed = false;
  tab: HTMLElement | undefined;
  shown: unknown[] = [];
  card = el("div", { class: "kl-log-card", hidden: true, "aria-hidden": "true" });

  constructor(public tools: Tools) {
    const { body, grid, page } = tools;
    body.append(this.card);
    grid.addEventListener("pointerover", (event) => this.point((event.target as Element).closest<HTMLElement>(".kl-log-cell")));
    grid.addEventListener("pointerleave", () => this.point(null));
    grid.addEventListener("focusin", (event) => {
      this.focused = true;
      this.at = this.placeOf(event.target as HTMLElement) ?? this.at;
      this.dismissed = false;
      this.show();
    });
    grid.addEventListener("focusout", (event) => {
      if (this.moving || grid.contains(event.relatedTarget as Node | null)) return;
      this.focused = false;
      this.show();
    });
    grid.addEventListener("keydown", (event) => guard(page, () => this.key(event)));
    page.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      this.dismissed = true;
      this.show();
    });
  }

  placeOf(node: HTMLElement): At | null {
    const p = node.closest<HTMLElement>(".kl-log-lane")?.dataset.p;
    return p !== undefined && node.dataset.o !== undefined ? { p, offset: Number(node.dataset.o) } : null;
  }

  /** Returns the lane of a place, if its ends are known. */
  laneOf(at: At | null): Known | null {
    const lane = at && this.tools.state().lanes[at.p];
    return lane && known(lane) ? lane : null;
  }

  point(node: HTMLElement | null) {
    this.over = node && this.placeOf(node);
    this.dismissed = false;
    this.show();
  }

  key(event: KeyboardEvent) {
    const { view, cols, near, setFollow, zoom, move } = this.tools;
    if (event.altKey || event.metaKey) return;
    const page = Math.max(1, Math.floor(cols()) - 2);
    const far = event.ctrlKey ? 10 : 1;
    const along = (by: number) => () => (near() ? this.along(by) : move(by / page));
    const act = {
      f: () => setFollow(!view.follow), "+": () => zoom(-1), "=": () => zoom(-1), "-": () => zoom(1),
      ArrowUp: () => this.across(-1), ArrowDown: () => this.across(1), ArrowLeft: along(-far), ArrowRight: along(far),
      PageUp: along(-page), PageDown: along(page), Home: along(-Infinity), End: along(Infinity),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  /** Moves along the lane, within its records. */
  along(by: number) {
    const lane = this.laneOf(this.at);
    if (this.at && lane) this.go(this.at.p, Math.min(Math.max(lane.start, lane.end - 1), Math.max(lane.start, this.at.offset + by)));
  }

  /** Moves to the lane above or below, to the offset at the same place there. */
  across(by: number) {
    const { lanes, state, view, near } = this.tools;
    const order = [...lanes.keys()];
    const from = this.at?.p ?? order[0];
    const p = order[Math.min(order.length - 1, Math.max(0, order.indexOf(from) + by))];
    const lane = state().lanes[p];
    if (!near() || !known(lane)) {
      lanes.get(p)?.bar.focus();
      this.at = { p, offset: this.at?.offset ?? 0 };
      return;
    }
    const x = (this.at?.offset ?? 0) - (view.lefts[from] ?? 0);
    this.go(p, Math.min(Math.max(lane.start, lane.end - 1), Math.max(lane.start, Math.round((view.lefts[p] ?? 0) + x))));
  }

  /** Brings an offset into view and puts the focus on it. */
  go(p: string, offset: number) {
    const { view, lanes, cols, paint } = this.tools;
    view.follow = false;
    const left = view.lefts[p] ?? 0;
    const by = offset < left + 1 ? offset - left - Math.min(4, cols() / 4) : offset > left + cols() - 3 ? offset - left - cols() + Math.min(6, cols() / 3) : 0;
    if (by) view.lefts = each(view.lefts, (other) => Math.round(other + by));
    this.at = { p, offset };
    this.moving = true;
    paint(false);
    lanes.get(p)?.cells.get(offset)?.focus({ preventScroll: true });
    lanes.get(p)?.node.scrollIntoView({ block: "nearest" });
    this.moving = false;
    this.show();
  }

  /** Runs after every painting: makes one cell reachable by Tab, and keeps the focus when the focused cell has left. */
  drawn() {
    const { lanes, near, state, grid } = this.tools;
    const first = [...lanes.keys()][0];
    if (first === undefined) return;
    if (!this.at || !lanes.has(this.at.p)) this.at = { p: first, offset: Math.max(0, (state().lanes[first].high ?? 1) - 1) };
    const { p, offset } = this.at, lane = lanes.get(p) as LogLane;
    let node: HTMLElement | undefined = near() ? lane.cells.get(offset) : lane.bar;
    if (!node) {
      const there = [...lane.cells.keys()].filter((other) => other >= (lane.lane?.start ?? 0));
      const nearest = Math.min(Math.max(offset, Math.min(...there)), Math.max(...there));
      node = lane.cells.get(nearest);
      if (node) this.at = { p, offset: nearest };
    }
    if (this.tab !== node) {
      this.tab?.setAttribute("tabindex", "-1");
      node?.setAttribute("tabindex", "0");
      this.tab = node;
    }
    if (this.focused && !this.moving && !grid.contains(document.activeElement)) node?.focus({ preventScroll: true });
    this.show();
  }

  show() {
    const { lanes, store, near, body, view, px } = this.tools;
    const at = this.over ?? (this.focused ? this.at : null);
    const lane = this.laneOf(at), row = at && lanes.get(at.p);
    this.card.hidden = !at || !lane || !row || !near() || this.dismissed || at.offset >= lane.end;
    if (this.card.hidden || !at || !lane || !row) return;
    const cell = store.at(at.p, at.offset);
    const fate = outcome(store, at.p, cell, lane.end);
    const shown = [at.p, at.offset, fate, at.offset >= lane.high, at.offset < lane.start, store.unread, cell];
    if (shown.some((value, i) => value !== this.shown[i])) this.card.replaceChildren(...card(at.p, at.offset, cell, lane, fate, store.unread));
    this.shown = shown;
    const box = body.getBoundingClientRect();
    const track = row.track.getBoundingClientRect();
    const cells = row.strip.parentElement?.getBoundingClientRect() ?? track;
    const x = track.left - box.left + (at.offset - (view.lefts[at.p] ?? 0) + 0.5) * px();
    const left = Math.min(Math.max(4, x - this.card.offsetWidth / 2), Math.max(4, box.width - this.card.offsetWidth - 4));
    const below = cells.bottom - box.top + 8;
    const above = cells.top - box.top - this.card.offsetHeight - 8;
    // Above the cell when there is no room below: a notebook would cut off a card that hangs out of the view.
    this.card.style.left = `${left}px`;
    this.card.style.top = `${below + this.card.offsetHeight > box.height && above > 0 ? above : below}px`;
  }
}
