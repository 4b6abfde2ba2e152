// The time line of a recording's page, which stays in sight: while the page is scrolled it takes less room, and what stands
// beneath it does not move when it changes.

import { el } from "../shared.js";

const SMALL = "kl-page-small";

/** @param {HTMLElement} bar */
export function pin(bar) {
  const mark = el("div", { class: "kl-page-mark", "aria-hidden": "true" });
  bar.before(mark);
  let small = false;
  /** What the bar is higher by while it is large. */
  let more = 0;

  function measure() {
    bar.classList.remove(SMALL);
    const large = bar.offsetHeight;
    bar.classList.add(SMALL);
    more = Math.max(0, large - bar.offsetHeight);
    document.documentElement.style.scrollPaddingTop = `${bar.offsetHeight + 10}px`;
    // Its upper part may go out of sight first; just when no more than the small one would is left, it becomes that.
    bar.style.setProperty("--kl-page-more", `${more}px`);
    mark.style.top = `${more}px`;
    draw();
  }
  function draw() {
    bar.classList.toggle(SMALL, small);
    bar.style.marginTop = small ? `${more}px` : "";
  }
  const seen = new IntersectionObserver((entries) => {
    const { isIntersecting, boundingClientRect } = entries[entries.length - 1];
    small = !isIntersecting && boundingClientRect.top < 0;
    draw();
  });
  seen.observe(mark);
  let width = 0;
  new ResizeObserver(() => {
    if (bar.clientWidth === width) return;
    width = bar.clientWidth;
    measure();
  }).observe(bar);
  return { measure };
}
