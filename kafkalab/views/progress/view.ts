// ProgressView: draws a lab's exercises with their outcomes, and the progress in every lab. It never asks the kernel.

import { live } from "../live.ts";
import { el, shorten } from "../shared.ts";
import { beside } from "./way.ts";

const SIGNS = { right: ["✓", "kl-pg-right"], wrong: ["✗", "kl-pg-wrong"], "not attempted": ["○", "kl-soft"], "could not be judged": ["?", "kl-soft"] } as Record<string, [string, string]>;

function exercise(one: { id: string; title: string; outcome: string; words: string; points: number; out_of: number }) {
  const [sign, look] = SIGNS[one.outcome] ?? ["?", "kl-soft"];
  return el("li", {},
    el("span", { class: `kl-pg-sign ${look}`, "aria-hidden": "true" }, sign),
    el("span", { class: "kl-pg-name" }, el("span", { class: "kl-mono" }, one.id), " ", shorten(one.title, 80)),
    el("span", { class: "kl-pg-words kl-soft" }, one.words),
    el("span", { class: "kl-pg-of kl-mono" }, `${one.points} of ${one.out_of}`, el("span", { class: "kl-hidden" }, " points")));
}

/** Returns how far the course is, in words. */
function begun(labs: any[]) {
  const done = labs.filter((one) => one.points === one.out_of).length;
  const minutes = labs.reduce((sum, one) => sum + (one.points === one.out_of ? 0 : one.minutes), 0);
  return `${done} of ${labs.length} labs done · about ${Math.max(1, Math.round(minutes / 60))} h to go`;
}

function lab(one, now) {
  const part = one.out_of ? (100 * one.points) / one.out_of : 0;
  return el("li", { class: one.here ? "kl-pg-here" : null, "aria-current": one.here ? "true" : null },
    el("span", { class: "kl-pg-lab" }, el("b", {}, one.number), " ", now.course && !one.here ? opener(now, one, shorten(one.title, 40)) : shorten(one.title, 40)),
    now.course ? el("span", { class: "kl-pg-can" }, `${one.minutes} min · afterwards you can ${shorten(one.can, 160)}`) : null,
    el("span", { class: "kl-pg-bar", "aria-hidden": "true" }, el("span", { style: { width: `${part}%` } })),
    el("span", { class: "kl-soft" }, one.words, one.here ? el("span", { class: "kl-hidden" }, ", this lab") : null));
}

/** Returns the link to the next lab, or only its name where the page cannot open it. */
function following(now) {
  if (!now.next) return [];
  const name = `${now.next.number} · ${now.next.title}`;
  const link = opener(now, now.next, name);
  return ["Next: ", link, link.tagName === "BUTTON" ? null : el("span", { class: "kl-soft" }, ` ${now.next.notebook}`)].filter((part) => part !== null);
}

/** Returns a button that opens a lab's notebook, or only its name where the page cannot open it. */
function opener(now: any, one: any, name: string) {
  const where = () => beside(location.pathname, now.notebook, one.notebook);
  if (!where()) return el("b", {}, name);
  const link = el("button", { class: "kl-button", type: "button", title: one.notebook, onclick: () => {
    // JupyterLab runs the command in these attributes when a click on the element reaches the page.
    link.setAttribute("data-commandlinker-command", "docmanager:open");
    link.setAttribute("data-commandlinker-args", JSON.stringify({ path: where() }));
  } }, name);
  return link;
}

export default {
  render: live("progress", "Progress", (page) => {
    const title = el("h3", { class: "kl-pg-title" });
    const points = el("span", { class: "kl-pg-points", role: "status" });
    const list = el("ul", { class: "kl-pg-list", "aria-label": "exercises of this lab" });
    const labs = el("ol", { class: "kl-pg-labs", "aria-label": "labs of the course" });
    const next = el("p", { class: "kl-pg-next" });
    const foot = el("p", { class: "kl-pg-foot kl-soft" });
    page.append(el("header", { class: "kl-pg-head" }, title, points), list, labs, next, foot);
    return {
      draw(now, before) {
        page.classList.toggle("kl-pg-course", now.course);
        if (!before) title.replaceChildren(now.course ? "The course" : `Lab ${now.lab}`, now.title && !now.course ? ` · ${shorten(now.title, 80)}` : "");
        // Replaced only when it changed, because a screen reader reads every replacement.
        const sum = now.course ? begun(now.labs) : `${now.points} of ${now.out_of} points`;
        if (points.textContent !== sum) points.replaceChildren(sum);
        if (!now.course && now.exercises !== before?.exercises) list.replaceChildren(...now.exercises.map(exercise));
        if (now.labs !== before?.labs) labs.replaceChildren(...now.labs.map((one) => lab(one, now)));
        if (!before || now.next?.notebook !== before.next?.notebook) next.replaceChildren(...following(now));
        foot.replaceChildren(...(!now.kept ? ["Not kept: KAFKALAB_PROGRESS is off."] : now.note ? [now.note] : ["Kept on this machine only; ", el("span", { class: "kl-mono" }, "kafkalab progress"), " lists it."]));
      },
    };
  }),
};
