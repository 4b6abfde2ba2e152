// "What happened" on a recording's page: turns the times in its table, which is there without scripts, into jumps.

import { el, kindOf } from "../shared.ts";

export function happened(page: HTMLElement, jump: (at: number) => void) {
  const box = page.querySelector(".kl-page-rows") as HTMLElement | null;
  const links = [...page.querySelectorAll(".kl-page-rows a[data-t]")] as HTMLAnchorElement[];
  const times = links.map((link) => Number(link.dataset.t));
  let current: Element | null | undefined;
  for (const [i, link] of links.entries()) {
    const row = link.closest("tr");
    const { sign, tone } = kindOf(row?.dataset.kind ?? "");
    row?.lastElementChild?.prepend(el("span", { class: `kl-page-sign kl-tone-${tone}`, "aria-hidden": "true" }, sign));
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      jump(times[i]);
    });
  }
  return {
    /** Marks the last event up to the moment that the page shows. */
    at(at: number) {
      let last = -1;
      while (last + 1 < times.length && times[last + 1] <= at + 0.0005) last++;
      const row = last < 0 ? null : links[last].closest("tr");
      if (row === current) return;
      current?.removeAttribute("aria-current");
      row?.setAttribute("aria-current", "true");
      current = row;
      if (!box || !row || box.contains(document.activeElement)) return;
      const top = row.offsetTop - box.clientHeight / 2;
      if (Math.abs(box.scrollTop - top) > 4) box.scrollTop = top;
    },
  };
}
