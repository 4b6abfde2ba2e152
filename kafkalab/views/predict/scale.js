// The ruler for a number: draws the right values as a band, the guess as ▼ above it, and what happened as ▲ below.

import { el } from "../shared.js";

/**
 * @param {{ ticks: [number, string][], guess: number, was: number, from: number, to: number }} scale in percent of the ruler's length
 * @param {string} said @param {string} was
 */
export function ruler(scale, said, was) {
  const words = `you said ${said}; it was ${was}`;
  return el("div", { class: "kl-predict-ruler", role: "img", "aria-label": words },
    el("div", { class: "kl-predict-track" }),
    el("div", { class: "kl-predict-band", style: { left: `${scale.from}%`, width: `${Math.max(0.4, scale.to - scale.from)}%` } }),
    scale.ticks.map(([at, word]) => el("div", { class: "kl-predict-tick", style: { left: `${at}%` } }, el("span", {}, word))),
    mark("kl-said", "▼", `you said ${said}`, scale.guess),
    mark("kl-was", "▲", `it was ${was}`, scale.was));
}

/** Draws a mark, with its words on the side that has room. @param {string} kind @param {string} sign @param {string} words @param {number} at */
function mark(kind, sign, words, at) {
  const late = at > 60;
  return el("div", { class: `kl-predict-mark ${kind}${late ? " kl-late" : ""}`, style: late ? { right: `${100 - at}%` } : { left: `${at}%` } },
    late ? [words, " ", el("b", {}, sign)] : [el("b", {}, sign), " ", words]);
}
