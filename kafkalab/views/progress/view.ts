// ProgressView: draws a lab's exercises with their outcomes, and the progress in every lab. It never asks the kernel.

import { live } from "../live.ts";
import { el, shorten } from "../shared.ts";
import type { Exercise, Lab, Picture } from "./picture";
import { beside } from "./way.ts";

const SIGNS = { right: ["✓", "kl-pg-right"], wrong: ["✗", "kl-pg-wrong"], "not attempted": ["○", "kl-soft"], "could not be judged": ["?", "kl-soft"] };

function exercise(one: Exercise) {
  const [sign, look] = SIGNS[one.outcome];
  return el("li", {},
    el("span", { class: `kl-pg-sign ${look}`, "aria-hidden": "true" }, sign),
    el("span", { class: "kl-pg-name" }, el("span", { class: "kl-mono" }, one.id), " ", shorten(one.title, 80)),
    el("span", { class: "kl-pg-words kl-soft" }, one.words),
    el("span", { class: "kl-pg-of kl-mono" }, `${one.points} of ${one.out_of}`, el("span", { class: "kl-hidden" }, " points")));
}

/** Returns how far the course is, in words. */
function begun(labs: Lab[]) {
  const left = labs.filter((one) => one.points !== one.out_of);
  const minutes = left.reduce((sum, one) => sum + one.minutes, 0);
  return `${labs.length - left.length} of ${labs.length} labs done · about ${Math.max(1, Math.round(minutes / 60))} h to go`;
}

function lab(one: Lab, own: Lab, course: boolean) {
  const part = one.out_of ? (100 * one.points) / one.out_of : 0;
  return el("li", { class: one.here ? "kl-pg-here" : null, "aria-current": one.here ? "true" : null },
    el("span", { class: "kl-pg-lab" }, el("b", {}, one.number), " ", course && !one.here ? opener(own, one, shorten(one.title, 40)) : shorten(one.title, 40)),
    course ? el("span", { class: "kl-pg-can" }, `${one.minutes} min · afterwards you can ${shorten(one.can, 160)}`) : null,
    el("span", { class: "kl-pg-bar", "aria-hidden": "true" }, el("span", { style: { width: `${part}%` } })),
    el("span", { class: "kl-soft" }, one.words, one.here ? el("span", { class: "kl-hidden" }, ", this lab") : null));
}

/** Returns the way to the next lab, if there is one: with its file's name where the page cannot open it. */
function after(own: Lab, one: Lab | undefined) {
  if (!one) return [];
  const link = opener(own, one, `${one.number} · ${one.title}`);
  return ["Next: ", link, ...(link.tagName === "BUTTON" ? [] : [el("span", { class: "kl-soft" }, ` ${one.notebook}`)])];
}

/** Returns a button that opens a lab's notebook, or only its name where the page cannot open it. */
function opener(own: Lab, one: Lab, name: string) {
  const where = () => beside(location.pathname, own.notebook, one.notebook);
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
      draw(now: Picture, before?: Picture) {
        const here = now.labs.findIndex((one) => one.here);
        const own = now.labs[here];
        page.classList.toggle("kl-pg-course", now.course);
        if (!before) title.replaceChildren(now.course ? "The course" : `Lab ${own.number} · ${shorten(own.title, 80)}`);
        // Replaced only when it changed, because a screen reader reads every replacement.
        const sum = now.course ? begun(now.labs) : `${own.points} of ${own.out_of} points`;
        if (points.textContent !== sum) points.replaceChildren(sum);
        if (!now.course && now.exercises !== before?.exercises) list.replaceChildren(...now.exercises.map(exercise));
        if (now.labs !== before?.labs) {
          labs.replaceChildren(...now.labs.map((one) => lab(one, own, now.course)));
          next.replaceChildren(...after(own, now.labs[here + 1]));
        }
        foot.replaceChildren(...(!now.kept ? ["Not kept: KAFKALAB_PROGRESS is off."] : now.note ? [now.note] : ["Kept on this machine only; ", el("span", { class: "kl-mono" }, "kafkalab progress"), " lists it."]));
      },
    };
  }),
};
