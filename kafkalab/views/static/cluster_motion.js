// Motion that explains: a crown travels from the old leader to the new one, and what changed is ringed for a while.

import { el, partitionColour, reducedMotion } from "./shared.js";
import { sign } from "./cluster_brokers.js";

const RINGED_MS = 2600;
const FLIGHTS = 60;

// What the chips show now: chip key → {part, rect}, to be compared after the next drawing.
export function look(page) {
  const seen = new Map();
  for (const node of page.querySelectorAll("[data-chip]")) {
    seen.set(node.dataset.chip, { part: /kl-(leader|follower|behind|down)\b/.exec(node.className)[1], rect: node.getBoundingClientRect() });
  }
  return seen;
}

export function explain(page, before) {
  if (!before.size) return;
  const still = reducedMotion();
  const origin = page.getBoundingClientRect();
  const crowns = new Map();
  for (const [key, { part, rect }] of before) if (part === "leader") crowns.set(partitionOf(key), rect);
  let flights = 0;
  for (const node of page.querySelectorAll("[data-chip]")) {
    const key = node.dataset.chip;
    const was = before.get(key);
    const leads = node.classList.contains("kl-leader");
    if (was && node.classList.contains(`kl-${was.part}`)) continue;
    node.classList.add("kl-changed");
    setTimeout(() => node.classList.remove("kl-changed"), RINGED_MS);
    const from = crowns.get(partitionOf(key));
    // A page in the background has no boxes to fly between.
    if (leads && from?.width && !still && flights++ < FLIGHTS) fly(page, origin, from, node.getBoundingClientRect(), key);
  }
}

function partitionOf(key) {
  return key.slice(0, key.lastIndexOf("/"));
}

function fly(page, origin, from, to, key) {
  const partition = Number(partitionOf(key).split("/").at(-1));
  const crown = el("span", {
    class: "kl-flight",
    "aria-hidden": "true",
    style: { left: `${from.left - origin.left}px`, top: `${from.top - origin.top}px`, color: partitionColour(partition) },
  }, sign("leader"));
  page.append(crown);
  const [x, y] = [to.left - from.left, to.top - from.top];
  crown.animate(
    [
      { transform: "translate(0, 0) scale(1)", opacity: 1 },
      { transform: `translate(${x / 2}px, ${y / 2 - 22}px) scale(1.7)`, opacity: 1, offset: 0.5 },
      { transform: `translate(${x}px, ${y}px) scale(1)`, opacity: 1 },
    ],
    { duration: 900, easing: "cubic-bezier(.4, 0, .2, 1)" },
  ).finished.then(() => crown.remove(), () => crown.remove());
}
