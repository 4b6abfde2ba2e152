// The page of a recording: plays its views below a time line, all in one file. Until this script runs, or without scripts, the
// page shows the end of the recording as tables; each view replaces its own when it is drawn.

import { guard } from "../shared.ts";
import { playhead } from "../timeline/playhead.ts";
import { pageModel } from "./model.ts";
import { Shelf } from "./shelf.ts";
import { happened } from "./happened.ts";
import { tools } from "./tools.ts";
import { pacer } from "./pace.ts";
import { pin } from "./pin.ts";
import { address, momentIn } from "./address.ts";
import type { Entry } from "./shelf.ts";

export type Head = { title: string; seconds: number; begin: number; timeline: any; views: Entry[] };

/** The views of this page by their NAME in Python: the script of each, above this one, has put it there (document.py). */
const VIEWS: Record<string, { render: (tools: any) => any }> = (globalThis as any).kafkalab ?? {};

function begin(page: HTMLElement, head: Head) {
  const stand = { at: momentIn(location.hash, head.seconds) ?? head.begin, presenter: false };
  const list = happened(page, (at) => play.seek(at));
  const bar = pageModel({ state: { ...head.timeline, n: 0, fault: "", at: stand.at, live: false, playing: false, going: false, naming: false }, live: false, presenter: false }, (message) => play.answer(message));
  const due = pacer();
  const shelves = shelvesOf(page, head.views, stand);
  const play = playhead({
    seconds: head.seconds, at: stand.at, speed: head.timeline.speed ?? 1,
    moved: (now) => guard(page, () => {
      stand.at = now.at;
      bar.set("state", { ...bar.get("state"), ...now });
      if (!due(now.playing)) return;
      for (const shelf of shelves) shelf.moved();
      list.at(now.at);
    }),
  });
  const place = page.querySelector("#kl-time") as HTMLElement;
  VIEWS.timeline.render({ model: bar, el: place });
  // The legend of the signs belongs beside the table that uses them, where there is room.
  page.querySelector("#happened")?.append(...place.querySelectorAll(".kl-legend"));
  const pinned = pin(place);
  page.querySelector(".kl-page-story")?.append(" Press ▶.");
  page.querySelector(".kl-page-head")?.append(tools({
    views: shelves.map((shelf) => ({ id: shelf.section.id, heading: shelf.entries[0].heading })),
    link: () => address(location.href, play.stand.at),
    presenter(on) {
      stand.presenter = on;
      page.classList.toggle("kl-presenter", on);
      bar.set("presenter", on);
      pinned.measure();
      for (const shelf of shelves) shelf.moved();
    },
  }));
  list.at(stand.at);
  addEventListener("hashchange", () => {
    const at = momentIn(location.hash, head.seconds);
    if (at !== null) play.seek(at);
  });
  // A printed page shows the chosen moment in all views, also in those that were out of sight.
  addEventListener("beforeprint", () => { for (const shelf of shelves) if (shelf.shown.size) shelf.show(); });
  rest(shelves);
  return { play, shelves };
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

const told = document.getElementById("kl-head");
const page = document.getElementById("kl-page");
if (told && page) guard(page, () => begin(page, JSON.parse(told.textContent ?? "")));

export default { begin };
