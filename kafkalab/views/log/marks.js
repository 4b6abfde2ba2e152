// The marks of a lane: draw each group's committed offset and lag, the member that holds the partition, and where members read.

import { count, el, shorten } from "../shared.js";

/** Returns the records between the committed offset and the high watermark, at least 0: the two are read at different times. */
export function lagOf(lane, committed) {
  return committed === null || committed === undefined || lane.high === null ? null : Math.max(0, lane.high - committed);
}

/**
 * Returns the places of a group's marker and its words. `x` is the place of the committed offset, `end` of the high watermark.
 * @returns {{ at: number, off: "" | "left" | "right", from: number, to: number, words: "right" | "left" }}
 */
export function placed(x, end, width, wordsWidth) {
  const off = x < -3 ? "left" : x > width + 1 ? "right" : "";
  const at = Math.min(Math.max(x, 5), width - 5);
  const from = Math.min(Math.max(x, 0), width);
  return { at, off, from, to: Math.max(from, Math.min(Math.max(end, 0), width)), words: at + 10 + wordsWidth > width && at - 10 - wordsWidth > 0 ? "left" : "right" };
}

export class GroupMark {
  constructor(name) {
    this.name = name;
    this.lag = el("span", { class: "kl-log-lag" });
    this.sign = el("span", { class: "kl-log-committed" }, "▲");
    this.member = el("span", { class: "kl-log-member" });
    this.words = el("span", { class: "kl-log-words" });
    this.label = el("span", { class: "kl-log-label" }, this.words, this.member);
    this.node = el("div", { class: "kl-log-mark", "data-group": name }, this.lag, this.sign, this.label);
  }

  /** @param {any} lane @param {any} at `{committed, member}` @param {any} before the same in the last state @param {any} place */
  draw(lane, at, before, place) {
    const lag = lagOf(lane, at.committed);
    const name = shorten(this.name, 28);
    const words = at.committed === null ? `${name} · nothing committed yet` : `${name} · committed ${count(at.committed)} · lag ${lag === null ? "unknown" : count(lag)}`;
    const member = at.member === null ? "nobody" : shorten(at.member, 24);
    if (this.words.textContent !== words) this.words.textContent = words;
    if (this.member.textContent !== member) {
      this.member.textContent = member;
      this.member.title = at.member === null ? "no member of the group holds this partition" : `assigned to ${shorten(at.member, 200)}`;
      if (before && before.member !== at.member) this.handOver(before.member);
    }
    this.member.classList.toggle("kl-log-nobody", at.member === null);
    this.node.classList.toggle("kl-log-lagging", Boolean(lag));
    const hidden = at.committed === null || lane.high === null || !place;
    this.lag.hidden = this.sign.hidden = hidden;
    if (hidden) {
      this.label.style.transform = "translateX(4px)";
      return;
    }
    const x = (at.committed - place.left) * place.px;
    const spot = placed(x, (lane.high - place.left) * place.px, place.width, (words.length + member.length + 3) * 6.1 * place.scale);
    this.sign.textContent = spot.off === "left" ? "◂▲" : spot.off === "right" ? "▲▸" : "▲";
    this.sign.style.transform = `translateX(${spot.at}px) translateX(${spot.off === "left" ? "-4px" : spot.off === "right" ? "-100%" : "-50%"})`;
    this.lag.style.transform = `translateX(${spot.from}px)`;
    this.lag.style.width = `${spot.to - spot.from}px`;
    const gap = (spot.off ? 20 : 9) * place.scale;
    this.label.style.transform = spot.words === "right" ? `translateX(${spot.at + gap}px)` : `translateX(${spot.at - gap}px) translateX(-100%)`;
  }

  // Shows for a while that another member got the partition: the old name beside the new one, which comes down from above.
  handOver(from) {
    const was = el("s", { class: "kl-log-was", "aria-hidden": "true" }, from === null ? "nobody" : shorten(from, 24));
    this.label.querySelector(".kl-log-was")?.remove();
    this.label.insertBefore(was, this.member);
    this.member.classList.remove("kl-log-moved");
    void this.member.offsetWidth; // restarts the animation
    this.member.classList.add("kl-log-moved");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      was.remove();
      this.member.classList.remove("kl-log-moved");
    }, 4000);
  }
}

/** The mark of the next offset that a member will read: a pointer from above. */
export class PositionMark {
  constructor(name) {
    this.name = name;
    this.node = el("div", { class: "kl-log-position", "data-name": name }, el("span", { class: "kl-log-who" }), el("span", { class: "kl-log-point", "aria-hidden": "true" }, "▼"));
  }

  draw(offset, place) {
    const x = (offset - place.left) * place.px;
    const off = x < -3 ? "◂ " : x > place.width + 1 ? "▸ " : "";
    const said = `${off}${shorten(this.name, 20)}`;
    const who = /** @type {HTMLElement} */ (this.node.firstChild);
    if (who.textContent !== said) who.textContent = said;
    this.node.title = `${shorten(this.name, 100)} reads offset ${count(offset)} next`;
    this.node.style.transform = `translateX(${Math.min(Math.max(x, 4), place.width - 4)}px)`;
    this.node.classList.toggle("kl-log-at-right", x > place.width - 60 * place.scale);
  }
}

/** All marks of one lane, kept from draw to draw so that they move and do not jump. */
export class LaneMarks {
  constructor(p) {
    this.p = p;
    /** @type {Map<string, GroupMark>} */ this.groups = new Map();
    /** @type {Map<string, PositionMark>} */ this.positions = new Map();
  }

  draw(lane, state, before, place, shown, under, above) {
    const groups = shown.filter((name) => state.groups[name]?.lanes[this.p]);
    sync(this.groups, groups, (name) => new GroupMark(name), under);
    for (const name of groups) {
      const mark = /** @type {GroupMark} */ (this.groups.get(name));
      mark.draw(lane, state.groups[name].lanes[this.p], before?.groups[name]?.lanes[this.p], place);
    }
    const readers = place ? Object.keys(state.positions).filter((name) => state.positions[name][this.p] !== undefined) : [];
    sync(this.positions, readers, (name) => new PositionMark(name), above);
    for (const name of readers) this.positions.get(name)?.draw(state.positions[name][this.p], place);
  }
}

function sync(marks, names, make, parent) {
  for (const [name, mark] of marks) {
    if (names.includes(name)) continue;
    mark.node.remove();
    marks.delete(name);
  }
  for (const name of names) {
    if (marks.has(name)) continue;
    marks.set(name, make(name));
    parent.append(marks.get(name).node);
  }
}
