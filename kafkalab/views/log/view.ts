// LogView: draws the logs of a topic, one lane per partition, from `state`. For records away from the ends of the logs it asks
// the kernel, and keeps them in a store, so that the page holds only the cells in view.

import { live } from "../live.ts";
import { changed, count, el, guard, keyColour, legend, reducedMotion, scaleOf, shorten, trouble } from "../shared.ts";
import { centred, followed, levelFor, NEAREST_BARS, pixels, scrolled, zoomed } from "./axis.ts";
import { logControls, LogOverview, pan } from "./bar.ts";
import { LogCursor } from "./cursor.ts";
import { LaneMarks, LogLane } from "./lane.ts";
import { ABSENT, LogAsker, LogStore } from "./store.ts";
import type { View } from "../live.ts";
import type { Span } from "./axis.ts";
import type { Lane, Picture, Tail } from "./picture";

// Maximum number of groups drawn under every lane at once.
const GROUPS_DRAWN = 4;

function build(page: HTMLElement, { model, ask }: any): View {
  const store = new LogStore();
  // A page that plays a recording may hold more than the state, and then answers in place of a kernel.
  const asks = () => Boolean(model.get("live") || state?.recorded);
  if (!model.get("live")) store.unread = ABSENT;
  const asker = new LogAsker(store, ask, () => paint(false));
  const view = { follow: true, lefts: {} as Record<string, number>, level: 1, own: false, width: 800, scale: 1, chosen: "" };
  const lanes: Map<string, { lane: LogLane; marks: LaneMarks }> = new Map();
  const inView: Set<string> = new Set();
  let state: Picture;
  let queued = 0;
  let stale = true; // true when the width has to be measured again

  const notice = el("div", {});
  const said = el("div", { class: "kl-hidden", "aria-live": "polite" });
  const grid = el("div", { class: "kl-log-lanes", role: "grid", "aria-label": "records by partition and offset", "aria-describedby": "" });
  const body = el("div", { class: "kl-log-body" }, grid);
  const more = el("p", { class: "kl-soft kl-log-more", hidden: true });
  const controls = logControls({
    follow: () => setFollow(!view.follow), zoom, go,
    groups: (name) => { view.chosen = name; paint(false); },
  });
  const overview = new LogOverview((offset) => go("offset", offset), (pages) => move(pages));
  const foot = el("div", {});
  page.append(notice, controls.nodes, overview.node, body, more, said, foot);

  const spans = () =>
    Object.fromEntries(Object.entries(state?.lanes ?? {}).filter(([, lane]) => lane.start !== null && lane.end !== null)) as Record<string, Span>;
  const px = () => pixels(view.level, view.scale);
  const cols = () => Math.max(4, view.width / px());
  const near = () => view.level < NEAREST_BARS;
  const tools = { page, body, grid, store, view, lanes, px, cols, near, spans, state: () => state, paint, setFollow, zoom, move };
  const cursor = new LogCursor(tools);

  function setFollow(on) {
    view.follow = on;
    paint(on);
  }

  // Moves by a number of pages of the visible width; ±Infinity moves to the end or the start.
  function move(pages) {
    if (pages === Infinity) return setFollow(true);
    if (pages === -Infinity) return go("start");
    shift(pages * (cols() - 2));
  }

  function shift(offsets) {
    view.follow = false;
    view.lefts = scrolled(view.lefts, spans(), offsets, cols());
    later();
  }

  function go(where, offset = 0) {
    if (!where) return;
    if (where === "end") return setFollow(true);
    view.follow = false;
    view.own = where !== "offset";
    const all = spans();
    if (where === "start") view.lefts = Object.fromEntries(Object.entries(all).map(([p, s]) => [p, Math.max(-1, s.start - 3)]));
    else if (where === "offset") view.lefts = centred(Object.fromEntries(Object.keys(all).map((p) => [p, 0])), () => offset, cols());
    else view.lefts = centred(view.lefts, (p) => state.groups[where.slice(6)]?.lanes[p]?.committed, cols());
    later();
  }

  // The level at which all of every log is visible; zooming out further is of no use.
  const whole = () => levelFor(Math.max(1, ...Object.values(spans()).map((s) => s.end - s.start)), view.width * 0.8, view.scale);
  const farthest = () => Math.max(NEAREST_BARS, whole());

  function zoom(by, x = view.follow ? view.width * 0.8 : view.width / 2) {
    const level = Math.min(farthest(), Math.max(0, view.level + by));
    if (level === view.level) return;
    const before = px();
    view.level = level;
    if (!view.follow) view.lefts = zoomed(view.lefts, x, before, px());
    // The cells of records stand in columns, so left edges must be whole offsets.
    if (near()) view.lefts = Object.fromEntries(Object.entries(view.lefts).map(([p, left]) => [p, Math.round(left)]));
    paint(false);
  }

  function later() {
    if (!queued) queued = requestAnimationFrame(() => { queued = 0; guard(page, () => paint(false)); });
  }

  function sync() {
    for (const [p, row] of lanes) {
      if (state.lanes[p]) continue;
      seen.unobserve(row.lane.node);
      row.lane.node.remove();
      lanes.delete(p);
      inView.delete(p);
    }
    for (const p of Object.keys(state.lanes)) {
      if (lanes.has(p)) continue;
      const lane = new LogLane(p, store);
      lanes.set(p, { lane, marks: new LaneMarks(p) });
      if (lanes.size <= 16) inView.add(p);
      grid.append(lane.node);
      seen.observe(lane.node);
    }
    grid.setAttribute("aria-rowcount", String(lanes.size));
    if (!stale) return;
    // Measured only when something may have changed it, not for every frame, because it makes the browser lay out the page.
    view.scale = scaleOf(page);
    const width = lanes.values().next().value?.lane.track.clientWidth ?? 0;
    stale = !width;
    view.width = width || view.width;
  }

  /** @param glide true when lanes glide to their new place
   * @param before the state drawn last */
  function paint(glide: boolean, before: any = state) {
    if (!state) return;
    sync();
    const all = spans();
    const was = view.lefts;
    if (view.follow) Object.assign(view, followed(all, cols(), view.own));
    const fallback = Math.max(0, ...Object.values(view.lefts));
    view.lefts = Object.fromEntries(Object.keys(all).map((p) => [p, view.lefts[p] ?? fallback]));
    const still = reducedMotion();
    const groups = view.chosen ? [view.chosen] : Object.keys(state.groups).sort().slice(0, GROUPS_DRAWN);
    const windows: Record<string, [number, number]> = {};
    for (const [p, { lane, marks }] of lanes) {
      if (!inView.has(p)) {
        lane.drawHead(state.lanes[p]);
        continue;
      }
      const left = view.lefts[p] ?? 0;
      const glides = glide && !still && was[p] !== undefined && Math.abs(left - was[p]) < cols();
      const place = { left, px: px(), width: view.width, scale: view.scale, near: near(), glide: glides, fly: glide && !still };
      const now = state.lanes[p];
      const span = lane.draw(now, place);
      marks.draw(now, state, before, span ? place : null, groups, lane.marks, lane.ticks.parentElement);
      if (span && near()) windows[p] = [Math.max(now.start ?? 0, span.from), Math.min(now.high ?? 0, span.to)];
    }
    for (let level = 0; level < NEAREST_BARS; level++) grid.classList.toggle(`kl-log-level-${level}`, level === view.level);
    controls.draw(state, view, { live: model.get("live"), farthest: farthest(), chosen: view.chosen });
    overview.draw(state, view.lefts, cols(), groups);
    const unseen = view.chosen ? 0 : Object.keys(state.groups).length - groups.length;
    more.hidden = unseen <= 0;
    more.textContent = `${unseen} more groups are not drawn: choose one above.`;
    cursor.drawn();
    if (asks()) asker.want(windows, view.follow ? 0 : Math.round(cols() / 2), [...inView]);
  }

  const seen = new IntersectionObserver((entries) => {
    for (const entry of entries) inView[entry.isIntersecting ? "add" : "delete"](String((entry.target as HTMLElement).dataset.p));
    later();
  }, { rootMargin: "120px" });
  const sized = new ResizeObserver(() => {
    stale = true;
    later();
  });
  sized.observe(page);
  sized.observe(grid);
  const stopPan = pan(grid, { shift: (x: number) => shift(x / px()), zoom: (by, x) => zoom(by, x) });

  return {
    draw(next: Picture, before: Picture | undefined) {
      state = next;
      for (const [p, lane] of Object.entries(state.lanes)) learn(store, p, lane, before?.lanes[p], state.tails[p], before?.tails[p], state.recorded);
      page.setAttribute("aria-label", `Logs of topic ${shorten(state.topic, 80)}`);
      if (changed(state, before, "recorded")) foot.replaceChildren(signs(state.recorded));
      if (changed(state, before, "error")) notice.replaceChildren(...[trouble(state.error)].flat());
      page.classList.toggle("kl-stale", Boolean(state.error));
      const none = !Object.keys(state.lanes).length;
      grid.classList.toggle("kl-log-none", none);
      grid.dataset.none = !none ? "" : !state.looked ? "looking at the cluster…" : state.found ? "no partitions" : `there is no topic ${shorten(state.topic, 60)} yet`;
      if (!before && Object.keys(state.lanes).length) firstLevel();
      paint(Boolean(before), before ?? null);
      const news = told(state, before);
      if (news) said.textContent = news;
    },
    heard: (message) => asker.heard(message),
    end() {
      for (const watch of [seen, sized]) watch.disconnect();
      cancelAnimationFrame(queued);
      asker.end();
      stopPan();
    },
  };

  // Starts with the whole logs when no records came along (a recording without them), because that says more.
  function firstLevel() {
    if (model.get("live") || Object.keys(state.tails).length) return;
    sync();
    view.level = whole();
  }
}

// Stores what a new state says about a lane's records, and forgets those that others may have replaced.
function learn(store: LogStore, p: string, lane: Lane, was: Lane | undefined, tail: Tail | undefined, tailWas: Tail | undefined, recorded: boolean) {
  const shorter = was !== undefined && (lane.end ?? 0) < (was.end ?? 0);
  const other = was && (lane.leader !== was.leader || lane.epoch !== was.epoch);
  // A jump in a recording may pass over elections that truncated even committed records, so the lane forgets all.
  if (recorded && other) store.cut(p, 0, 0);
  if (was && lane.high !== null && was.high !== null && (other || shorter)) store.cut(p, 0, Math.min(was.high, lane.high));
  if (lane.start !== null && lane.start !== was?.start) store.cut(p, lane.start, Infinity);
  if (tail && (tail !== tailWas || other || shorter || lane.start !== was?.start)) store.put(p, tail);
}

// Returns the news for screen readers: members that took over partitions, new leaders, and offsets that retention deleted.
function told(state: Picture, before: Picture | undefined) {
  if (!before) return "";
  const news = [];
  for (const [name, group] of Object.entries(state.groups)) {
    const moved = Object.entries(group.lanes).filter(([p, at]) => before.groups[name]?.lanes[p] && before.groups[name].lanes[p].member !== at.member);
    if (moved.length) news.push(`Group ${shorten(name, 40)}: ${moved.slice(0, 12).map(([p, at]) => `partition ${p} to ${at.member === null ? "nobody" : shorten(at.member, 30)}`).join(", ")}.`);
  }
  for (const [p, lane] of Object.entries(state.lanes)) {
    const was = before.lanes[p];
    if (was && was.leader !== lane.leader) news.push(`Partition ${p}: ${lane.leader === null ? "no leader" : `leader ${lane.leader}`}.`);
    if (was && was.start !== null && (lane.start ?? 0) > was.start) news.push(`Partition ${p}: deleted up to offset ${count(lane.start ?? 0)}.`);
  }
  return news.slice(0, 6).join(" ");
}

function signs(recorded) {
  const cell = (classes, sign = "") => el("span", { class: `kl-log-cell kl-log-sample ${classes}`, style: { "--kl-k": keyColour(0) } }, sign);
  return legend([
    [cell("kl-log-is-r", "a"), "a record: letter and colour are its key"], [cell("kl-log-is-r kl-log-nokey", "∅"), "no key"],
    [cell("kl-log-is-r kl-log-pale", "a"), "written, not committed yet"], [cell("kl-log-is-t", "a"), "tombstone"], [cell("kl-log-is-c kl-log-nokey", "✓"), "transaction's end"],
    [cell("kl-log-is-hole", "·"), "compacted away"], [cell("kl-log-is-ghost"), "deleted"],
    ...(recorded ? [[cell("kl-log-is-blank"), "not recorded"] as [any, string]] : []),
    [el("span", { class: "kl-log-high kl-log-sample" }), "high watermark"], [el("span", { class: "kl-log-committed" }, "▲"), "a group's committed offset"],
    [el("span", { class: "kl-log-lag kl-log-sample" }), "its lag"], ["▼", "where a member reads"], ["♛", "leader"],
  ]);
}

export default { render: live("log", "Logs", build) };
