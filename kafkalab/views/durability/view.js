// DurabilityView: draws acks × min.insync.replicas × brokers up; every cell shows how many records were kept and lost.

import { live } from "../live.js";
import { el, legend, shorten } from "../shared.js";
import { grids } from "./grid.js";
import { story } from "./story.js";
import { FAULTS, nameOf, settingOf } from "./words.js";

/** @typedef {import("./words.js").Cell} Cell */

let radios = 0;

export default {
  render: live("durability", (page, { ask }) => {
    radios += 1;
    /** @type {any} */ let state = null;
    let fault = "";
    let chosen = "";
    let told = "";
    const title = el("h3", { class: "kl-dm-title" }, "What can be lost?");
    const what = el("span", { class: "kl-soft" });
    const run = el("button", { class: "kl-button kl-dm-run", onclick: () => run.ariaDisabled !== "true" && ask({ do: state?.running ? "halt" : "run" }) }, "run it");
    const summary = el("p", { class: "kl-dm-summary", role: "status" });
    const bar = el("span", { class: "kl-dm-bar-done" });
    const step = el("span", { class: "kl-dm-step" });
    const progress = el("div", { class: "kl-dm-progress", hidden: true }, el("span", { class: "kl-dm-bar", "aria-hidden": "true" }, bar), step);
    const faults = el("fieldset", { class: "kl-dm-faults" });
    const box = el("div", { class: "kl-dm-grids" });
    const below = el("section", { class: "kl-panel kl-dm-story", "aria-label": "the chosen cell" });
    const signs = legend([["✓", "every acknowledged record was seen"], ["✗", "acknowledged, and lost"], ["⊘", "nothing was acknowledged: refused"], ["○", "not run"],
      [el("span", { class: "kl-dm-strip kl-dm-strip-key" }, el("span", { class: "kl-dm-strip-kept" }), el("span", { class: "kl-dm-strip-lost" }), el("span", { class: "kl-dm-strip-refused" })), "the records in the order they were sent: kept, lost, not acknowledged"],
      ["♛", "leader"], ["●", "follower in the ISR"], ["✕", "broker that is down"]]);
    page.append(el("header", { class: "kl-dm-head" }, title, what, run), summary, progress, faults, box, below, signs);
    page.setAttribute("role", "region");
    page.setAttribute("aria-label", "Durability matrix");

    const matrix = grids(box, (name) => {
      chosen = name;
      matrix.draw(state, fault, chosen);
      tell(true);
    });

    function choice() {
      faults.hidden = state.faults.length < 2;
      faults.replaceChildren(el("legend", { class: "kl-soft" }, "the leader is"), ...state.faults.map((/** @type {string} */ one) => el("label", { class: "kl-dm-fault-choice" },
        el("input", { type: "radio", name: `kl-dm-fault-${radios}`, value: one, checked: one === fault, onchange: () => {
          fault = one;
          const { acks, least, up } = settingOf(chosen);
          const same = nameOf(acks, least, up, fault);
          chosen = same in state.cells ? same : first();
          count();
          matrix.draw(state, fault, chosen);
          tell(true);
        } }), " ", FAULTS[one])));
    }

    // Updates the summary, which counts only the cells that are shown.
    function count() {
      const words = state.summaries[fault] ?? state.summary;
      if (summary.textContent !== words) summary.textContent = words;
    }

    function first() {
      const mine = Object.keys(state.cells).filter((name) => settingOf(name).fault === fault);
      const order = state.ups.flatMap((/** @type {number} */ up) => ["1", "0", "all"].flatMap((acks) => [1, 2, 3].map((least) => nameOf(acks, least, up, fault))));
      return order.find((/** @type {string} */ name) => mine.includes(name)) ?? "";
    }

    function tell(/** @type {boolean} */ anew) {
      const cell = state.cells[chosen];
      if (!cell) return below.replaceChildren();
      const steps = state.rounds[settingOf(chosen).up] ?? [];
      const now = JSON.stringify([chosen, cell, steps]);
      if (!anew && now === told) return undefined;
      told = now;
      const open = below.querySelector("details")?.open ?? true;
      story(below, { name: chosen, cell, steps, records: state.records });
      const details = below.querySelector("details");
      if (details) details.open = open;
      return undefined;
    }

    return {
      draw(after, before) {
        state = after;
        if (!state.faults.includes(fault)) fault = state.faults[0] ?? "killed";
        if (!(chosen in state.cells)) chosen = first();
        what.textContent = `acks × min.insync.replicas × brokers up · ${state.records} records a cell${state.cluster ? ` · ${shorten(state.cluster, 40)}` : ""}${state.mode ? `, ${state.mode === "kraft" ? "KRaft" : "ZooKeeper"}` : ""}`;
        run.hidden = !state.live;
        run.textContent = state.running ? "end it" : "run it";
        run.title = state.running ? "ends at the next step, heals the cluster and deletes its topics" : "stops, pauses and kills brokers of this cluster, and heals it: about 10 s for each number of brokers up";
        count();
        progress.hidden = !state.running;
        bar.style.width = `${Math.min(100, (100 * state.progress.done) / Math.max(1, state.progress.of))}%`;
        step.textContent = shorten(state.progress.step, 200);
        if (before?.faults !== state.faults) choice();
        matrix.draw(state, fault, chosen);
        tell(false);
      },
    };
  }),
};
