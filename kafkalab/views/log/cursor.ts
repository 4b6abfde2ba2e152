// The cursor: knows which cell has the focus or the pointer, shows the card of that cell, and moves with the keys.

import { el, guard } from "../shared.ts";
import { card } from "./lane.ts";
import { outcome } from "./store.ts";

export class LogCursor {
  at: { p: string; offset: number } | null = null; // by keyboard
  over: { p: string; offset: number } | null = null; // by pointer
  focused = false;
  card = el("div", { class: "kl-log-card", hidden: true, "aria-hidden": "true" });

  /** @param tools the parts of the view that log/view.ts hands over */
  constructor(public tools: any) {
    tools.body.append(this.card);
    const { grid, page } = tools;
    grid.addEventListener("pointerover", (event) => this.point(event.target.closest?.(".kl-log-cell")));
    grid.addEventListener("pointerleave", () => this.point(null));
    grid.addEventListener("focusin", (event) => {
      this.focused = true;
      const found = this.placeOf(event.target);
      if (found) this.at = found;
      this.dismissed = false;
      this.show();
    });
    grid.addEventListener("focusout", (event) => {
      if (this.moving || grid.contains(event.relatedTarget)) return;
      this.focused = false;
      this.show();
    });
    grid.addEventListener("keydown", (event: KeyboardEvent) => guard(page, () => this.key(event)));
    page.addEventListener("keydown", (event: KeyboardEvent) => {
      if (event.key === "Escape") {
        this.dismissed = true;
        this.show();
      }
    });
  }

  placeOf(node) {
    const lane = node?.closest?.(".kl-log-lane");
    const offset = node?.dataset?.o;
    return lane && offset !== undefined ? { p: lane.dataset.p, offset: Number(offset) } : null;
  }

  point(node) {
    this.over = node ? this.placeOf(node) : null;
    this.dismissed = false;
    this.show();
  }

  key(event) {
    const { view, cols, near, setFollow, zoom, move, state } = this.tools;
    if (event.altKey || event.metaKey) return;
    const plain = { f: () => setFollow(!view.follow), "+": () => zoom(-1), "=": () => zoom(-1), "-": () => zoom(1) }[event.key];
    const page = Math.max(1, Math.floor(cols()) - 2);
    const along = { ArrowLeft: event.ctrlKey ? -10 : -1, ArrowRight: event.ctrlKey ? 10 : 1, PageUp: -page, PageDown: page }[event.key];
    const across = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    const ends = event.key === "Home" || event.key === "End";
    if (!plain && along === undefined && !across && !ends) return;
    event.preventDefault();
    event.stopPropagation(); // JupyterLab has shortcuts of its own
    if (plain) return plain();
    if (across) return this.cross(across);
    if (!near()) return event.key === "Home" ? move(-Infinity) : event.key === "End" ? move(Infinity) : move(along / page);
    const at = this.at;
    const lane = at && state().lanes[at.p];
    if (!lane || lane.start === null) return undefined;
    const last = Math.max(lane.start, lane.end - 1);
    const offset = event.key === "Home" ? lane.start : event.key === "End" ? last : at.offset + along;
    return this.go(at.p, Math.min(last, Math.max(lane.start, offset)));
  }

  // Moves to the lane above or below, to the offset at the same place there.
  cross(by) {
    const { lanes, state, view, near } = this.tools;
    const order = [...lanes.keys()];
    const from = this.at?.p ?? order[0];
    const p = order[Math.min(order.length - 1, Math.max(0, order.indexOf(from) + by))];
    const lane = state().lanes[p];
    if (!near() || lane.start === null) {
      lanes.get(p).lane.bar.focus();
      this.at = { p, offset: this.at?.offset ?? 0 };
      return;
    }
    const x = (this.at?.offset ?? 0) - (view.lefts[from] ?? 0);
    const offset = Math.min(Math.max(lane.start, lane.end - 1), Math.max(lane.start, Math.round((view.lefts[p] ?? 0) + x)));
    this.go(p, offset);
  }

  /** Brings an offset into view and puts the focus on it. */
  go(p, offset) {
    const { view, lanes, cols, paint } = this.tools;
    view.follow = false;
    const left = view.lefts[p] ?? 0;
    const by = offset < left + 1 ? offset - left - Math.min(4, cols() / 4) : offset > left + cols() - 3 ? offset - left - cols() + Math.min(6, cols() / 3) : 0;
    if (by) view.lefts = Object.fromEntries(Object.entries(view.lefts).map(([q, l]) => [q, Math.round(l + by)]));
    this.at = { p, offset };
    this.moving = true;
    paint(false);
    const node = lanes.get(p)?.lane.cells.get(offset);
    node?.focus({ preventScroll: true });
    lanes.get(p)?.lane.node.scrollIntoView({ block: "nearest" });
    this.moving = false;
    this.show();
  }

  /** Runs after every painting: makes one cell reachable by Tab, and keeps the focus when the focused cell has left. */
  drawn() {
    const { lanes, near, state, grid } = this.tools;
    const first = [...lanes.keys()][0];
    if (first === undefined) return;
    if (!this.at || !lanes.has(this.at.p)) this.at = { p: first, offset: Math.max(0, (state().lanes[first].high ?? 1) - 1) };
    const lane = lanes.get(this.at.p).lane;
    let node = near() ? lane.cells.get(this.at.offset) : lane.bar;
    if (near() && !node) {
      const there = [...lane.cells.keys()].filter((offset) => offset >= (lane.lane?.start ?? 0));
      const nearest = there.length ? (this.at.offset < Math.min(...there) ? Math.min(...there) : Math.max(...there)) : undefined;
      if (nearest !== undefined) {
        node = lane.cells.get(nearest);
        this.at = { p: this.at.p, offset: nearest };
      }
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
    const { lanes, state, store, near, body, view, px } = this.tools;
    const at = this.over ?? (this.focused ? this.at : null);
    const lane = at && state()?.lanes[at.p];
    const row = at && lanes.get(at.p)?.lane;
    if (!at || !lane || !row || lane.start === null || !near() || this.dismissed || at.offset >= lane.end) {
      this.card.hidden = true;
      this.shown = null;
      return;
    }
    const cell = store.at(at.p, at.offset);
    const fate = cell ? outcome(store, at.p, cell, lane.end) : null;
    const key = `${at.p} ${at.offset} ${fate} ${at.offset >= lane.high} ${at.offset < lane.start} ${store.unread}`;
    if (this.shown !== key || this.shownCell !== cell) {
      this.shown = key;
      this.shownCell = cell;
      this.card.replaceChildren(...card(at.p, at.offset, cell, lane, fate, store.unread).filter((node) => node !== null));
    }
    this.card.hidden = false;
    const box = body.getBoundingClientRect();
    const track = row.track.getBoundingClientRect();
    const x = track.left - box.left + (at.offset - (view.lefts[at.p] ?? 0) + 0.5) * px();
    const left = Math.min(Math.max(4, x - this.card.offsetWidth / 2), Math.max(4, box.width - this.card.offsetWidth - 4));
    const cells = row.strip.parentElement.getBoundingClientRect();
    const below = cells.bottom - box.top + 8;
    const above = cells.top - box.top - this.card.offsetHeight - 8;
    // Above the cell when there is no room below: a notebook would cut off a card that hangs out of the view.
    this.card.style.left = `${left}px`;
    this.card.style.top = `${below + this.card.offsetHeight > box.height && above > 0 ? above : below}px`;
  }
}
