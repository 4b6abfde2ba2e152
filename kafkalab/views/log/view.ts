// LogView: draws the logs of a topic, one lane per partition, from `state`. For records away from the ends of the logs it asks
// the kernel, and keeps them in a store, so that the page holds only the cells in view.

import { live } from "../live.ts";
import { changed, count, el, guard, keeper, keyColour, legend, pan, reducedMotion, scaleOf, shorten, trouble } from "../shared.ts";
import { centred, each, followed, known, levelFor, NEAREST_BARS, pixels, scrolled, zoomed } from "./axis.ts";
import { logControls } from "./bar.ts";
import { LogCursor } from "./cursor.ts";
import { LogLane } from "./lane.ts";
import { ABSENT, LogAsker, LogStore } from "./store.ts";
import type { Model, View } from "../live.ts";
import type { Known, Lefts, Range } from "./axis.ts";
import type { Lane, Picture, Tail } from "./picture";

// Maximum number of groups drawn under every lane at once.
const GROUPS_DRAWN = 4;

function build(page: HTMLElement, { model, ask }: { model: Model; ask(message: object): void }): View {
  const isLive = Boolean(model.get("live"));
  const store = new LogStore();
  if (!isLive) store.unread = ABSENT;
  const asker = new LogAsker(store, ask, () => paint(false));
  const view = { follow: true, lefts: {} as Lefts, level: 1, own: false, width: 800, scale: 1, chosen: "" };
  const lanes = new Map<string, LogLane>();
  const inView = new Set<string>();
  let state: Picture;
  let queued = 0;
  let stale = true; // true when the width has to be measured again

  const notice = el("div", {});
  const said = el("div", { class: "kl-hidden", "aria-live": "polite" });
  const grid = el("div", { class: "kl-log-lanes", role: "grid", "aria-label": "records by partition and offset" });
  const body = el("div", { class: "kl-log-body" }, grid);
  const more = el("p", { class: "kl-soft kl-log-more", hidden: true });
  const controls = logControls({
    follow: () => setFollow(!view.follow), zoom, go,
    groups: (name) => { view.chosen = name; paint(false); },
  });
  const foot = el("div", {});
  page.append(notice, controls.nodes, body, more, said, foot);
  const keep = keeper(grid, (p: string) => p, (p) => {
    const lane = new LogLane(p, store);
    lanes.set(p, lane);
    if (lanes.size <= 16) inView.add(p);
    seen.observe(lane.node);
    return { node: lane.node, draw() {} };
  });

  const spans = () => Object.fromEntries(Object.entries(state?.lanes ?? {}).filter((of): of is [string, Known] => known(of[1])));
  const px = () => pixels(view.level, view.scale);
  const cols = () => Math.max(4, view.width / px());
  const near = () => view.level < NEAREST_BARS;
  const cursor = new LogCursor({ page, body, grid, store, view, lanes, px, cols, near, state: () => state, paint, setFollow, zoom, move });

  function setFollow(on: boolean) {
    view.follow = on;
    paint(on);
  }

  /** Moves by a number of pages of the visible width; ±Infinity moves to the end or the start. */
  function move(pages: number) {
    if (pages === Infinity) return setFollow(true);
    if (pages === -Infinity) return go("start");
    shift(pages * (cols() - 2));
  }

  function shift(offsets: number) {
    view.follow = false;
    view.lefts = scrolled(view.lefts, spans(), offsets, cols());
    later();
  }

  /** @param where start, end, offset, or group: and its name */
  function go(where: string, offset = 0) {
    if (!where) return;
    if (where === "end") return setFollow(true);
    view.follow = false;
    view.own = where !== "offset";
    const all = spans();
    if (where === "start") view.lefts = each(view.lefts, (left, p) => (all[p] ? Math.max(-1, all[p].start - 3) : left));
    else view.lefts = centred(view.lefts, (p) => (where === "offset" ? offset : state.groups[where.slice(6)]?.[p]?.committed), cols());
    later();
  }

  /** Returns the level at which all of every log is visible; zooming out further is of no use. */
  const whole = () => levelFor(Math.max(1, ...Object.values(spans()).map((s) => s.end - s.start)), view.width * 0.8, view.scale);
  const farthest = () => Math.max(NEAREST_BARS, whole());

  function zoom(by: number, x = view.follow ? view.width * 0.8 : view.width / 2) {
    const level = Math.min(farthest(), Math.max(0, view.level + by));
    if (level === view.level) return;
    const before = px();
    view.level = level;
    if (!view.follow) view.lefts = zoomed(view.lefts, x, before, px());
    // The cells of records stand in columns, so left edges must be whole offsets.
    if (near()) view.lefts = each(view.lefts, Math.round);
    paint(false);
  }

  function later() {
    if (!queued) queued = requestAnimationFrame(() => { queued = 0; guard(page, () => paint(false)); });
  }

  function sync() {
    keep(Object.keys(state.lanes));
    for (const p of lanes.keys()) {
      if (state.lanes[p]) continue;
      lanes.delete(p);
      inView.delete(p);
    }
    grid.setAttribute("aria-rowcount", String(lanes.size));
    if (!stale) return;
    // Measured only when something may have changed it, not for every frame, because it makes the browser lay out the page.
    view.scale = scaleOf(page);
    const width = lanes.values().next().value?.track.clientWidth ?? 0;
    stale = !width;
    view.width = width || view.width;
  }

  /** @param glide true when lanes glide to their new place */
  function paint(glide: boolean) {
    if (!state) return;
    sync();
    const all = spans();
    const was = view.lefts;
    if (view.follow) Object.assign(view, followed(all, cols(), view.own));
    const fallback = Math.max(0, ...Object.values(view.lefts));
    view.lefts = Object.fromEntries(Object.keys(all).map((p) => [p, view.lefts[p] ?? fallback]));
    const moves = glide && !reducedMotion();
    const groups = view.chosen ? [view.chosen] : Object.keys(state.groups).sort().slice(0, GROUPS_DRAWN);
    const windows: Record<string, Range> = {};
    for (const [p, lane] of lanes) {
      if (!inView.has(p)) {
        lane.drawHead(state.lanes[p]);
        continue;
      }
      const left = view.lefts[p] ?? 0;
      const glides = moves && was[p] !== undefined && Math.abs(left - was[p]) < cols();
      const range = lane.draw(state, groups, { left, px: px(), width: view.width, scale: view.scale, near: near(), glide: glides, fly: moves });
      if (range && near()) windows[p] = { from: Math.max(all[p].start, range.from), to: Math.min(all[p].high, range.to) };
    }
    for (let level = 0; level < NEAREST_BARS; level++) grid.classList.toggle(`kl-log-level-${level}`, level === view.level);
    controls.draw(state, { ...view, live: isLive, farthest: farthest() });
    const unseen = view.chosen ? 0 : Object.keys(state.groups).length - groups.length;
    more.hidden = unseen <= 0;
    more.textContent = `${unseen} more groups are not drawn: choose one above.`;
    cursor.drawn();
    if (isLive) asker.want(windows, view.follow ? 0 : Math.round(cols() / 2), [...inView]);
  }

  const seen = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) inView[isIntersecting ? "add" : "delete"]((target as HTMLElement).dataset.p ?? "");
    later();
  }, { rootMargin: "120px" });
  const sized = new ResizeObserver(() => {
    stale = true;
    later();
  });
  sized.observe(page);
  sized.observe(grid);
  pan(grid, (event) => (event.target as Element).closest(".kl-log-track"), { shift: (x) => shift(x / px()), zoom });

  return {
    draw(next: Picture, before: Picture | undefined) {
      state = next;
      for (const p of Object.keys(state.lanes)) learn(store, p, state, before);
      page.setAttribute("aria-label", `Logs of topic ${shorten(state.topic, 80)}`);
      if (changed(state, before, "recorded")) foot.replaceChildren(signs(state.recorded));
      if (changed(state, before, "error")) notice.replaceChildren(...[trouble(state.error)].flat());
      page.classList.toggle("kl-stale", Boolean(state.error));
      const none = !Object.keys(state.lanes).length;
      grid.classList.toggle("kl-log-none", none);
      grid.dataset.none = !none ? "" : !state.looked ? "looking at the cluster…" : state.found ? "no partitions" : `there is no topic ${shorten(state.topic, 60)} yet`;
      // Starts with the whole logs when no records came along (a recording without them), because that says more.
      if (!before && !none && !isLive && !Object.keys(state.tails).length) {
        sync();
        view.level = whole();
      }
      paint(Boolean(before));
      const news = before && told(state, before);
      if (news) said.textContent = news;
    },
    heard: (message) => asker.heard(message),
    end() {
      for (const watch of [seen, sized]) watch.disconnect();
      cancelAnimationFrame(queued);
      asker.end();
    },
  };
}

/** Stores what a new state says about a lane's records, and forgets those that others may have replaced. */
function learn(store: LogStore, p: string, { lanes, tails, recorded }: Picture, before: Picture | undefined) {
  const lane: Lane = lanes[p], was: Lane | undefined = before?.lanes[p], tail: Tail | undefined = tails[p];
  const shorter = was !== undefined && (lane.end ?? 0) < (was.end ?? 0);
  const other = was && (lane.leader !== was.leader || lane.epoch !== was.epoch);
  // A jump in a recording may pass over elections that truncated even committed records, so the lane forgets all.
  if (recorded && other) store.cut(p, 0, 0);
  if (was && lane.high !== null && was.high !== null && (other || shorter)) store.cut(p, 0, Math.min(was.high, lane.high));
  if (lane.start !== null && lane.start !== was?.start) store.cut(p, lane.start, Infinity);
  if (tail && (tail !== before?.tails[p] || other || shorter || lane.start !== was?.start)) store.put(p, tail);
}

/** Returns the news for screen readers: members that took over partitions, new leaders, and offsets that retention deleted. */
function told(state: Picture, before: Picture) {
  const news: string[] = [];
  for (const [name, group] of Object.entries(state.groups)) {
    const moved = Object.entries(group).filter(([p, at]) => before.groups[name]?.[p] && before.groups[name][p].member !== at.member);
    const words = moved.slice(0, 12).map(([p, at]) => `partition ${p} to ${at.member === null ? "nobody" : shorten(at.member, 30)}`);
    if (words.length) news.push(`Group ${shorten(name, 40)}: ${words.join(", ")}.`);
  }
  for (const [p, lane] of Object.entries(state.lanes)) {
    const was = before.lanes[p];
    if (was && was.leader !== lane.leader) news.push(`Partition ${p}: ${lane.leader === null ? "no leader" : `leader ${lane.leader}`}.`);
    if (was && was.start !== null && (lane.start ?? 0) > was.start) news.push(`Partition ${p}: deleted up to offset ${count(lane.start ?? 0)}.`);
  }
  return news.slice(0, 6).join(" ");
}

function signs(recorded: boolean) {
  const cell = (classes: string, sign = "") => el("span", { class: `kl-log-cell kl-log-sample ${classes}`, style: { "--kl-k": keyColour(0) } }, sign);
  return legend([
    [cell("kl-log-is-r", "a"), "a record: letter and colour are its key"], [cell("kl-log-is-r kl-log-nokey", "∅"), "no key"],
    [cell("kl-log-is-r kl-log-pale", "a"), "written, not committed yet"], [cell("kl-log-is-t", "a"), "tombstone"], [cell("kl-log-is-c kl-log-nokey", "✓"), "transaction's end"],
    [cell("kl-log-is-hole", "·"), "compacted away"], [cell("kl-log-is-ghost"), "deleted"],
    ...(recorded ? [[cell("kl-log-is-blank"), "not recorded"]] : []),
    [el("span", { class: "kl-log-high kl-log-sample" }), "high watermark"], [el("span", { class: "kl-log-committed" }, "▲"), "a group's committed offset"],
    [el("span", { class: "kl-log-lag kl-log-sample" }), "its lag"], ["▼", "where a member reads"], ["♛", "leader"],
  ]);
}

export default { render: live("log", "Logs", build) };
