// The page of a recording: plays its views below a time line, all in one file. Until this script runs, or without scripts, the
// page shows the end of the recording as tables; each view replaces its own when it is drawn.

import { el, guard, kindOf } from "../shared.ts";
import type { Picture } from "../timeline/picture";
import { playhead } from "../timeline/playhead.ts";
import { pageModel, Shelf } from "./shelf.ts";
import type { Entry, Render } from "./shelf.ts";
import { address, momentIn } from "./told.ts";

export type Head = { begin: number; timeline: Picture; views: Entry[] };

/** The views of this page by their NAME in Python: the script of each, above this one, has put it there (document.py). */
const VIEWS: Record<string, { render: Render }> = (globalThis as any).kafkalab ?? {};

function begin(page: HTMLElement, head: Head) {
  const { seconds, speed } = head.timeline;
  const stand = { at: momentIn(location.hash, seconds) ?? head.begin, presenter: false };
  const list = happened(page, (at) => play.seek(at));
  const state = { ...head.timeline, n: 0, fault: "", at: stand.at, live: false, playing: false, going: false, naming: false };
  const bar = pageModel({ state, live: false, presenter: false }, (message) => play.answer(message));
  const shelves = shelvesOf(page, head.views, stand);
  const play = playhead({
    seconds, at: stand.at, speed,
    moved: (now) => guard(page, () => {
      stand.at = now.at;
      bar.set("state", { ...bar.get("state"), ...now });
      for (const shelf of shelves) shelf.moved();
      list.at(now.at);
    }),
  });
  const place = page.querySelector("#kl-time") as HTMLElement;
  VIEWS.timeline.render({ model: bar, el: place });
  // The legend of the signs belongs beside the table that uses them, where there is room.
  page.querySelector("#happened")?.append(...place.querySelectorAll(".kl-legend"));
  pin(place);
  page.querySelector(".kl-page-story")?.append(" Press ▶.");
  page.querySelector(".kl-page-head")?.append(tools({
    views: shelves.map((shelf) => ({ id: shelf.section.id, heading: shelf.entries[0].heading })),
    link: () => address(location.href, stand.at),
    presenter(on) {
      stand.presenter = on;
      page.classList.toggle("kl-presenter", on);
      bar.set("presenter", on);
      for (const shelf of shelves) shelf.moved();
    },
  }));
  list.at(stand.at);
  addEventListener("hashchange", () => {
    const at = momentIn(location.hash, seconds);
    if (at !== null) play.seek(at);
  });
  // A printed page shows the chosen moment in all views, also in those that were out of sight.
  addEventListener("beforeprint", () => { for (const shelf of shelves) shelf.show(); });
  rest(shelves);
}

/** Returns a shelf for each kind of view, in place of its still picture. */
function shelvesOf(page: HTMLElement, views: Head["views"], stand: { at: number; presenter: boolean }) {
  const kinds = [...new Set(views.map((view) => view.kind))].filter((kind) => Object.hasOwn(VIEWS, kind));
  return kinds.map((kind) => {
    const section = page.querySelector(`#view-${kind}`) as HTMLElement;
    return new Shelf(section, views.filter((view) => view.kind === kind), VIEWS[kind].render, stand);
  });
}

/** Unpacks the views that are not in sight yet, one after the other, while the page is idle. */
async function rest(shelves: Shelf[]) {
  for (const shelf of shelves) {
    await new Promise((done) => setTimeout(done, 150));
    await shelf.open(shelf.chosen);
  }
}

// --- "What happened": turns the times in its table, which is there without scripts, into jumps.

function happened(page: HTMLElement, jump: (at: number) => void) {
  const box = page.querySelector<HTMLElement>(".kl-page-rows");
  const links = [...page.querySelectorAll<HTMLAnchorElement>(".kl-page-rows a[data-t]")];
  const times = links.map((link) => Number(link.dataset.t));
  let current: HTMLElement | null | undefined;
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
      const row = links[times.findLastIndex((time) => time <= at + 0.0005)]?.closest("tr");
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

// --- The head of the page: a time line that stays in sight, links to the views, colours, size, and the link to the moment shown.

const SMALL = "kl-page-small";

/** Keeps the time line in sight. While the page is scrolled it is smaller, and what stands below it keeps its place. */
function pin(bar: HTMLElement) {
  const mark = el("div", { class: "kl-page-mark", "aria-hidden": "true" });
  bar.before(mark);
  const turn = (small: boolean) => {
    if (small === bar.classList.contains(SMALL)) return;
    const before = bar.offsetHeight;
    bar.classList.toggle(SMALL, small);
    bar.style.marginBottom = small ? `${before - bar.offsetHeight}px` : "";
    if (small) document.documentElement.style.scrollPaddingTop = `${bar.offsetHeight + 10}px`;
  };
  // Once at the beginning, because a link to a view must know how much of the page the small bar will cover.
  turn(true);
  turn(false);
  new IntersectionObserver((entries) => {
    const { isIntersecting, boundingClientRect } = entries[entries.length - 1];
    turn(!isIntersecting && boundingClientRect.top < 0);
  }).observe(mark);
}

function tools({ views, link, presenter }: { views: { id: string; heading: string }[]; link(): string; presenter(on: boolean): void }) {
  const said = el("span", { class: "kl-page-copied", role: "status" });
  const field = el("input", { class: "kl-page-link", readonly: true, hidden: true, "aria-label": "link to this moment" });
  const copy = async () => {
    const text = link();
    const copied = await navigator.clipboard?.writeText(text).then(() => true, () => false) ?? false;
    // A page from disk may not be allowed to use the clipboard; the link is then shown, to be copied by hand.
    field.hidden = copied;
    field.value = text;
    if (!copied) field.select();
    said.textContent = copied ? "copied" : "copy it from here:";
    clearTimeout(quiet);
    if (copied) quiet = setTimeout(() => { said.textContent = ""; }, 3000);
  };
  let quiet: ReturnType<typeof setTimeout> | undefined;
  const colours = el("select", { class: "kl-select", onchange: () => theme(colours.value) },
    el("option", { value: "" }, "as the system"), el("option", { value: "light" }, "light"), el("option", { value: "dark" }, "dark"));
  return el("div", { class: "kl-page-tools" },
    views.length > 1 ? el("nav", { "aria-label": "views on this page" }, el("ul", {}, views.map(({ id, heading }) => el("li", {}, el("a", { href: `#${id}` }, heading))))) : null,
    el("div", { class: "kl-page-switches" },
      el("label", {}, "colours ", colours),
      el("label", {}, el("input", { type: "checkbox", onchange: (event: any) => presenter(event.target.checked) }), " larger"),
      el("button", { type: "button", class: "kl-button", onclick: copy, title: "the address of this page at the moment it shows" }, "copy link to this moment"), said, field));
}

/** Sets the theme in the way of JupyterLab, so that the views follow it.
 * @param name light, dark, or "" for the system's */
function theme(name: string) {
  if (name) document.body.setAttribute("data-jp-theme-light", String(name === "light"));
  else document.body.removeAttribute("data-jp-theme-light");
  document.documentElement.style.colorScheme = name; // for the area around the page, and the browser's own controls
}

const told = document.getElementById("kl-head");
const page = document.getElementById("kl-page");
if (told && page) guard(page, () => begin(page, JSON.parse(told.textContent ?? "")));

export default { begin };
