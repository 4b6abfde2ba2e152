// The signs of a cluster: draws crown, dot, dashed ring and cross as shapes, so that they look the same with every font.

import { count, el, partitionColour, partitionInk, shorten } from "../shared.js";
import { news } from "./keep.js";

const RINGED_MS = 2600;

/** @typedef {"leader" | "follower" | "behind" | "down"} What */

/** @type {Record<What, string>} */
export const MEANS = {
  leader: "leader",
  follower: "follower in the ISR",
  behind: "replica out of the ISR, and how many records it lacks",
  down: "on a broker that is down",
};

/** @param {What} what */
export function sign(what) {
  const shapes = {
    leader: () => el("path", { d: "M1.2 10 .8 3.4 3.7 5.9 6 1.6l2.3 4.3 2.9-2.5-.4 6.6z", fill: "currentColor" }),
    follower: () => el("circle", { cx: 6, cy: 6, r: 3.2, fill: "currentColor" }),
    behind: () => el("circle", { cx: 6, cy: 6, r: 3.8, fill: "none", stroke: "currentColor", "stroke-width": 1.6, "stroke-dasharray": "2.4 1.6" }),
    down: () => el("path", { d: "M2.5 2.5l7 7m0-7l-7 7", fill: "none", stroke: "currentColor", "stroke-width": 2, "stroke-linecap": "round" }),
  };
  return el("svg", { class: "kl-icon", viewBox: "0 0 12 12", "aria-hidden": "true" }, shapes[what]());
}

/** Draws the sign of a node that runs but is off the network: a broken line with two strokes in the gap. */
export function cutSign() {
  const line = { fill: "none", stroke: "currentColor", "stroke-width": 1.8, "stroke-linecap": "round" };
  return el("svg", { class: "kl-cut-sign", viewBox: "0 0 30 14", width: 30, height: 14, "aria-hidden": "true" },
    el("path", { d: "M1 7h7M22 7h7", ...line }), el("path", { d: "M9.5 12 13 2M17 12l3.5-10", ...line }));
}

/** Returns the four signs with their meanings, for a legend. */
export function meanings() {
  return Object.entries(MEANS).map(([what, meaning]) => {
    const style = { "--kl-c": "var(--kl-soft)", "--kl-on": "var(--kl-bg)" };
    return [el("span", { class: `kl-chip kl-${what}`, style }, sign(/** @type {What} */ (what))), meaning];
  });
}

/**
 * Draws one replica of a partition from [partition, what it is, records behind]. A change of its role is ringed for a while.
 * A replica that catches up fills from the left, by the share of its largest gap that it has closed by now.
 * @param {string} topic
 * @param {number} p
 * @param {number} broker
 */
export function chip(topic, p, broker) {
  const icon = el("span", { class: "kl-what" });
  const late = el("small", { class: "kl-late" });
  const said = el("span", { class: "kl-hidden" });
  const node = el("li", { "data-chip": `${topic}/${p}/${broker}`, style: { "--kl-c": partitionColour(p), "--kl-on": partitionInk(p) } },
    icon, el("span", { class: "kl-p" }, `P${p}`), late, said);
  const isNews = news();
  /** @type {What | undefined} */ let was;
  let most = 0;
  /** @type {any} */ let timer;

  function draw({ partition, what, behind }) {
    if (!isNews(partition, what, behind)) return;
    const lacks = behind ? `, ${count(behind)} records behind` : "";
    const meaning = what === "behind" ? `replica out of the ISR${lacks}` : MEANS[what];
    if (what !== was) {
      icon.replaceChildren(sign(what));
      node.className = `kl-chip kl-${what}`;
      clearTimeout(timer);
      if (was) {
        node.classList.add("kl-changed");
        timer = setTimeout(() => node.classList.remove("kl-changed"), RINGED_MS);
      }
      was = what;
      most = 0;
    }
    most = Math.max(most, behind ?? 0);
    late.textContent = behind ? `−${count(behind)}` : "";
    node.style.setProperty("--kl-caught", behind ? `${(100 * (1 - behind / most)).toFixed(1)}%` : "0%");
    said.textContent = `, ${meaning}`;
    const leader = partition.leader === null ? "no leader" : `leader ${partition.leader}`;
    const isr = partition.isr.join(", ") || "none";
    const replicas = partition.replicas.map(([id]) => id).join(", ");
    node.title = `${shorten(topic, 80)} partition ${p} on broker ${broker}: ${meaning}\n${leader} · in sync: ${isr} · replicas: ${replicas}`;
  }
  return { node, draw };
}
