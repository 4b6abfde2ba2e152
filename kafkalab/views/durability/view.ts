// DurabilityView: draws acks × min.insync.replicas × brokers up; every cell shows how many records were kept and lost.

import { live } from "../live.ts";
import { count, el, legend, news, roving, shorten, table } from "../shared.ts";
import { ACKS, LEAST, nameOf, strip } from "./words.ts";
import type { Cell, Picture, Spell } from "./picture";

// --- The grids of the durability matrix: one per number of brokers up, a row per acks, a column per min.insync.replicas.

/** Draws the grids into `box`, and calls `choose` with the name of a cell that gets the focus. */
function grids(box: HTMLElement, choose: (name: string) => void) {
  const shown = new Map<string, HTMLElement>();
  const anew = news();
  let now: Picture | undefined;
  const rove = roving(box, "[data-cell]", (key, at, all) => {
    // Columns of all grids stand side by side, so the way along a row goes on into the next grid.
    const row = all.filter((one) => one.dataset.acks === at.dataset.acks), column = all.filter((one) => one.dataset.column === at.dataset.column);
    const [x, y] = [row.indexOf(at), column.indexOf(at)];
    const to = { ArrowRight: row[x + 1], ArrowLeft: row[x - 1], ArrowDown: column[y + 1], ArrowUp: column[y - 1], Home: row[0], End: row.at(-1) };
    return to[key as keyof typeof to];
  });
  box.addEventListener("focusin", (event) => {
    const name = (event.target as Element).closest<HTMLElement>("[data-cell]")?.dataset.cell;
    if (name) choose(name);
  });

  /** @param here the chosen cell's name */
  function draw(picture: Picture, fault: string, here: string) {
    if (anew(fault, picture.ups)) {
      const held = box.contains(document.activeElement);
      shown.clear();
      box.replaceChildren(...picture.ups.map((up) => grid(picture, up, fault)));
      if (held) shown.get(here)?.focus();
    } else {
      for (const [name, node] of shown) if (picture.cells[name] !== now?.cells[name]) fill(node, picture.cells[name], picture);
    }
    now = picture;
    for (const [name, node] of shown) node.ariaSelected = String(name === here);
    rove(shown.get(here));
  }

  function grid(picture: Picture, up: number, fault: string) {
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
            const node = el("div", { role: "gridcell", tabindex: -1, "data-cell": name, "data-acks": acks, "data-column": `${up} ${least}` });
            shown.set(name, node);
            fill(node, picture.cells[name], picture);
            return node;
          })))));
  }

  return { draw };
}

function fill(node: HTMLElement, cell: Cell, picture: Picture) {
  const { acks, min_insync: least, brokers_up: up, fault } = cell;
  const other: Cell | undefined = picture.cells[nameOf(acks, least, up, fault === "killed" ? "disk lost" : "killed")];
  const differs = other?.state === "done" && cell.state === "done" && (other.verdict !== cell.verdict || other.lost !== cell.lost);
  const before = node.dataset.verdict;
  node.className = `kl-dm-cell kl-dm-verdict-${cell.verdict.replace(" ", "-")}${before && before !== cell.verdict && cell.state === "done" ? " kl-dm-cell-fresh" : ""}`;
  node.dataset.verdict = cell.verdict;
  node.replaceChildren(
    el("span", { class: "kl-hidden" }, `acks=${acks}, min.insync.replicas=${least}, ${up} of 3 brokers up: `),
    el("span", { class: "kl-dm-cell-said" }, el("span", { class: "kl-dm-cell-sign", "aria-hidden": "true" }, cell.sign), " ", cell.said),
    el("span", { class: "kl-dm-strip", "aria-hidden": "true" }, strip(cell).map((part) => el("span", { class: `kl-dm-strip-${part.kind}`, style: { "flex-grow": part.count }, title: `${count(part.count)} ${part.kind === "open" ? "not answered yet" : part.kind}: ${part.spell}` }))),
    cell.acknowledged === null ? "" : el("span", { class: "kl-dm-cell-counts" }, el("span", {}, `${count(cell.acknowledged)} ${acks === "0" ? "sent" : "acked"}`), " ", cell.seen === null ? "" : el("span", {}, `${count(cell.seen)} seen`)),
    differs ? el("span", { class: "kl-dm-cell-other" }, fault === "killed" ? "disk lost: " : "comes back: ", `${other.sign} ${count((other.verdict === "lost" ? other.lost : other.acknowledged) ?? 0)}`) : "");
}

/** Draws one leader, the followers, and the brokers that are down, with the same signs as in every view. */
function brokers(up: number) {
  const marks = [["♛", "leader", "leads"], ...Array.from({ length: up - 1 }, () => ["●", "follower", "follows"]), ...Array.from({ length: 3 - up }, () => ["✕", "down", "down"])];
  return el("span", { class: "kl-dm-brokers", "aria-hidden": "true" }, marks.map(([sign, words, kind]) => el("span", { class: `kl-dm-broker-mark kl-dm-broker-${kind}`, title: words }, sign)));
}

// --- The story of one cell: shows what was done, what the producer was told, and what became of each record.

const SPELLS: Record<string, string> = {
  calm: "while all is calm",
  "followers stand still": "while the followers stand still",
  "leader stands still": "while the leader stands still, too",
};

function story(box: HTMLElement, cell: Cell, steps: string[], { faults, records }: Picture) {
  const { acks, min_insync: least, brokers_up: up, fault } = cell;
  const zero = acks === "0";
  const counted = cell.sent === null ? [el("p", { class: "kl-soft" }, `Nothing has been sent here yet; a run sends ${count(records)} records.`)] : [
    el("dl", { class: "kl-dm-counts" }, counts(cell, zero)),
    el("div", { class: "kl-dm-scroll", tabindex: 0, role: "region", "aria-label": "what the producer was told" },
      table({ class: "kl-dm-spells" }, ["records sent", "sent", zero ? "handed over" : "acknowledged", "lost", "the rest, verbatim"],
        cell.spells.map((spell) => row(spell, up, cell)), "What the producer was told")),
  ];
  box.replaceChildren(
    el("h4", { class: "kl-dm-story-title" }, el("code", {}, `acks=${acks}`), " · ", el("code", {}, `min.insync.replicas=${least}`), ` · ${up} of 3 brokers up · leader ${faults[fault]}`),
    el("p", { class: `kl-dm-story-verdict kl-dm-verdict-${cell.verdict.replace(" ", "-")}` }, el("b", {}, `${cell.sign} ${cell.said}`), cell.why ? ` ${shorten(cell.why, 400)}` : ""),
    el("div", { class: "kl-dm-columns" },
      el("div", {}, counted,
        cell.lost ? el("p", { class: "kl-dm-lost-ids" }, el("b", {}, `✗ ${count(cell.lost)} lost, by id: `), el("span", { class: "kl-mono" }, shorten(cell.lost_words, 400))) : ""),
      steps.length ? el("details", { class: "kl-dm-steps", open: true }, el("summary", {}, "What was done"), el("ol", {}, steps.map((line) => el("li", {}, shorten(line, 300))))) : ""),
  );
}

function counts(cell: Cell, zero: boolean) {
  const rows = [["sent", cell.sent], [zero ? "handed over" : "acknowledged", cell.acknowledged], ["not acknowledged", cell.refused], ["seen", cell.seen], ["lost", cell.lost], ["duplicated", cell.duplicated]] as const;
  return rows.map(([word, n]) => el("div", { class: word === "lost" && n ? "kl-dm-count kl-dm-count-bad" : "kl-dm-count" }, el("dt", {}, word), el("dd", {}, n === null ? "–" : count(n), word === "lost" && n ? " ✗" : word === "lost" && n === 0 ? " ✓" : "")));
}

function row(spell: Spell, up: number, cell: Cell) {
  const alone = up === 1 && spell.name === "followers stand still";
  const rest = spell.sent - spell.acknowledged;
  const told = spell.errors.map((error) => `${count(error.times)} × ${shorten(error.said || error.error, 160)}`);
  const open = cell.state === "running" && rest > 0 && !told.length ? ["no answer yet"] : [];
  return el("tr", {}, el("th", { scope: "row" }, alone ? "still alone" : SPELLS[spell.name] ?? shorten(spell.name)), el("td", {}, count(spell.sent)), el("td", {}, count(spell.acknowledged)), el("td", {}, cell.state === "done" ? count(spell.lost) : "–"),
    el("td", { class: "kl-dm-told" }, [...told, ...open].map((line) => el("div", {}, line))));
}

export default {
  render: live("durability", "Durability matrix", (page, { ask }) => {
    let state: Picture;
    let fault = "";
    let chosen = "";
    const group = `kl-dm-${Math.random()}`;
    const anew = news();
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

    const matrix = grids(box, (name) => {
      if (name !== chosen) show(fault, name);
    });

    function choice() {
      faults.hidden = Object.keys(state.faults).length < 2;
      faults.replaceChildren(el("legend", { class: "kl-soft" }, "the leader is"), ...Object.entries(state.faults).map(([one, words]) => el("label", { class: "kl-dm-fault-choice" },
        el("input", { type: "radio", name: group, value: one, checked: one === fault, onchange: () => {
          const { acks, min_insync: least, brokers_up: up } = state.cells[chosen];
          show(one, nameOf(acks, least, up, one));
        } }), " ", words)));
    }

    function show(of: string, name: string) {
      const mine = Object.keys(state.cells).filter((one) => state.cells[one].fault === of);
      fault = of;
      chosen = mine.includes(name) ? name : mine.find((one) => state.cells[one].acks === "1") ?? mine[0] ?? "";
      // It counts only the cells that are shown.
      const words = state.summaries[fault] ?? state.summary;
      if (summary.textContent !== words) summary.textContent = words;
      matrix.draw(state, fault, chosen);
      const cell = state.cells[chosen];
      if (!cell) return below.replaceChildren();
      const steps = state.rounds[cell.brokers_up];
      if (!anew(cell, steps)) return undefined;
      const open = below.querySelector("details")?.open ?? true;
      story(below, cell, steps ?? [], state);
      below.querySelector("details")?.toggleAttribute("open", open);
      return undefined;
    }

    return {
      draw(after: Picture, before: Picture | undefined) {
        state = after;
        if (!(fault in state.faults)) fault = Object.keys(state.faults)[0] ?? "killed";
        what.textContent = `acks × min.insync.replicas × brokers up · ${state.records} records a cell${state.cluster ? ` · ${shorten(state.cluster, 40)}` : ""}${state.mode ? `, ${state.mode === "kraft" ? "KRaft" : "ZooKeeper"}` : ""}`;
        run.hidden = !state.live;
        run.textContent = state.running ? "end it" : "run it";
        run.title = state.running ? "ends at the next step, heals the cluster and deletes its topics" : "stops, pauses and kills brokers of this cluster, and heals it: about 10 s for each number of brokers up";
        progress.hidden = !state.running;
        bar.style.width = `${Math.min(100, (100 * state.progress.done) / Math.max(1, state.progress.of))}%`;
        step.textContent = shorten(state.progress.step, 200);
        if (before?.faults !== state.faults) choice();
        show(fault, chosen);
      },
    };
  }),
};
