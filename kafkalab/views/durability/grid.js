// The grids of the durability matrix: one per number of brokers up, a row per acks, a column per min.insync.replicas.

import { count, el } from "../shared.js";
import { ACKS, LEAST, SIGNS, nameOf, said, settingOf, strip, walk } from "./words.js";

/** @typedef {import("./words.js").Cell} Cell */
/** @typedef {{ cells: Record<string, Cell>, ups: number[], records: number }} Picture */

/**
 * @param {HTMLElement} box where the grids go
 * @param {(name: string) => void} choose called when a cell is chosen
 */
export function grids(box, choose) {
  /** @type {Map<string, HTMLElement>} */ const shown = new Map();
  /** @type {Picture | null} */ let now = null;
  let chosen = "";

  box.addEventListener("click", (event) => {
    const name = nameAt(event.target);
    if (name) step(name);
  });
  box.addEventListener("keydown", (event) => {
    const from = nameAt(event.target);
    if (!from || !now) return;
    if (["ArrowDown", "ArrowUp", "ArrowLeft", "ArrowRight", "Home", "End"].includes(event.key)) event.preventDefault();
    const to = walk(from, event.key, now.cells, now.ups);
    if (to) step(to);
  });

  function step(/** @type {string} */ name) {
    choose(name);
    shown.get(name)?.focus({ preventScroll: false });
  }

  /** @param {Picture} picture @param {string} fault @param {string} here the chosen cell's name */
  function draw(picture, fault, here) {
    const again = now && now.ups === picture.ups && [...shown.keys()].every((name) => settingOf(name).fault === fault) && shown.size > 0;
    if (again) {
      for (const [name, node] of shown) {
        const cell = picture.cells[name];
        if (cell !== now?.cells[name]) fill(node, name, cell, picture);
      }
    } else {
      const held = box.contains(document.activeElement);
      shown.clear();
      box.replaceChildren(...picture.ups.map((up) => grid(picture, up, fault)));
      if (held) shown.get(here)?.focus();
    }
    now = picture;
    if (here !== chosen || !again) {
      for (const [name, node] of shown) {
        node.setAttribute("aria-selected", String(name === here));
        node.tabIndex = name === here ? 0 : -1;
      }
      chosen = here;
    }
  }

  function grid(/** @type {Picture} */ picture, /** @type {number} */ up, /** @type {string} */ fault) {
    const rows = ACKS.filter((acks) => LEAST.some((least) => nameOf(acks, least, up, fault) in picture.cells));
    const title = `${up} of 3 brokers up`;
    return el("section", { class: "kl-dm-grid-panel", "data-up": up },
      el("h4", { class: "kl-dm-grid-title" }, el("span", {}, title), brokers(up)),
      el("div", { class: "kl-dm-grid", role: "grid", "aria-label": title },
        el("div", { class: "kl-dm-grid-row kl-dm-grid-heads", role: "row" },
          el("span", { class: "kl-dm-grid-corner", role: "columnheader" }, el("span", { class: "kl-hidden" }, "acks")),
          LEAST.map((least) => el("span", { class: "kl-dm-grid-head", role: "columnheader" }, el("small", {}, "min.insync."), el("small", {}, "replicas="), el("b", {}, least)))),
        rows.map((acks) => el("div", { class: "kl-dm-grid-row", role: "row" },
          el("span", { class: "kl-dm-grid-side", role: "rowheader" }, el("small", {}, "acks="), el("b", {}, acks)),
          LEAST.map((least) => {
            const name = nameOf(acks, least, up, fault);
            if (!(name in picture.cells)) return el("span", { class: "kl-dm-cell-none", role: "gridcell" });
            const node = el("div", { role: "gridcell", tabindex: -1, "data-cell": name });
            shown.set(name, node);
            fill(node, name, picture.cells[name], picture);
            return node;
          })))));
  }

  return { draw };
}

/** @param {HTMLElement} node @param {string} name @param {Cell} cell @param {Picture} picture */
function fill(node, name, cell, picture) {
  const { acks, fault } = settingOf(name);
  const otherName = name.slice(0, -1) + (fault === "killed" ? "d" : "k");
  const other = picture.cells[otherName];
  const differs = other && ["kept", "lost", "refused"].includes(other.verdict) && ["kept", "lost", "refused"].includes(cell.verdict) && (other.verdict !== cell.verdict || other.lost !== cell.lost);
  const before = node.dataset.verdict;
  node.className = `kl-dm-cell kl-dm-verdict-${cell.verdict.replace(" ", "-")}${before && before !== cell.verdict && cell.state === "done" ? " kl-dm-cell-fresh" : ""}`;
  node.dataset.verdict = cell.verdict;
  node.replaceChildren(
    el("span", { class: "kl-hidden" }, whereOf(name)),
    el("span", { class: "kl-dm-cell-said" }, el("span", { class: "kl-dm-cell-sign", "aria-hidden": "true" }, SIGNS[cell.verdict] ?? "○"), " ", said(cell)),
    el("span", { class: "kl-dm-strip", "aria-hidden": "true" }, strip(cell).map((part) => el("span", { class: `kl-dm-strip-${part.kind}`, style: { "flex-grow": part.count }, title: `${count(part.count)} ${part.kind === "open" ? "not answered yet" : part.kind}: ${part.spell}` }))),
    cell.acknowledged === null ? "" : el("span", { class: "kl-dm-cell-counts" }, el("span", {}, `${count(cell.acknowledged)} ${acks === "0" ? "sent" : "acked"}`), " ", cell.seen === null ? "" : el("span", {}, `${count(cell.seen)} seen`)),
    differs ? el("span", { class: "kl-dm-cell-other" }, fault === "killed" ? "disk lost: " : "comes back: ", `${SIGNS[other.verdict]} ${count((other.verdict === "lost" ? other.lost : other.acknowledged) ?? 0)}`) : "");
}

/** Returns the place of a cell in words, for screen readers. @param {string} name */
function whereOf(name) {
  const { acks, least, up } = settingOf(name);
  return `acks=${acks}, min.insync.replicas=${least}, ${up} of 3 brokers up: `;
}

/** Draws one leader, the followers, and the brokers that are down, with the same signs as in every view. @param {number} up */
function brokers(up) {
  const marks = [["♛", "leader", "leads"], ...Array.from({ length: up - 1 }, () => ["●", "follower", "follows"]), ...Array.from({ length: 3 - up }, () => ["✕", "down", "down"])];
  return el("span", { class: "kl-dm-brokers", "aria-hidden": "true" }, marks.map(([sign, words, kind]) => el("span", { class: `kl-dm-broker-mark kl-dm-broker-${kind}`, title: words }, sign)));
}

/** @param {EventTarget | null} target @returns {string} */
function nameAt(target) {
  return /** @type {HTMLElement | null} */ (/** @type {HTMLElement} */ (target).closest?.("[data-cell]"))?.dataset.cell ?? "";
}
