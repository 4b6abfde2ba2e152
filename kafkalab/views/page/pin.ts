// The pin of a recording's time line: keeps it in sight, with less height while the page is scrolled, and without moving what
// stands below it.

import { el } from "../shared.ts";

const SMALL = "kl-page-small";

export function pin(bar: HTMLElement) {
  const mark = el("div", { class: "kl-page-mark", "aria-hidden": "true" });
  bar.before(mark);
  let small = false;
  /** Pixels by which the bar is higher while it is large. */
  let more = 0;

  function measure() {
    bar.classList.remove(SMALL);
    const large = bar.offsetHeight;
    bar.classList.add(SMALL);
    more = Math.max(0, large - bar.offsetHeight);
    document.documentElement.style.scrollPaddingTop = `${bar.offsetHeight + 10}px`;
    // Its upper part may scroll out first; the bar becomes small exactly when only the height of the small one is left.
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
