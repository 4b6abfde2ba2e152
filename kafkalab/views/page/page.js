// The page of a recording: plays its views below a time line, all in one file. Until this script runs, or without scripts, the
// page shows the end of the recording as tables; each view replaces its own when it is drawn.

import { guard } from "../shared.js";
import { playhead } from "../timeline/playhead.js";
import { pageModel } from "./model.js";
import { Shelf } from "./shelf.js";
import { happened } from "./happened.js";
import { tools } from "./tools.js";
import { pacer } from "./pace.js";
import { pin } from "./pin.js";
import { address, momentIn } from "./address.js";

/** @typedef {{ title: string, seconds: number, begin: number, timeline: any, views: import("./shelf.js").Entry[] }} Head */

/** The views of this page by their NAME in Python: the script of each, above this one, has put it there (document.py). @type {Record<string, { render: (tools: any) => any }>} */
const VIEWS = /** @type {any} */ (globalThis).kafkalab ?? {};

/** @param {HTMLElement} page @param {Head} head */
function begin(page, head) {
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
  const place = /** @type {HTMLElement} */ (page.querySelector("#kl-time"));
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

/** Returns a shelf for each kind of view, in place of its still picture. @param {HTMLElement} page @param {Head["views"]} views @param {{ at: number, presenter: boolean }} stand */
function shelvesOf(page, views, stand) {
  const kinds = [...new Set(views.map((view) => view.kind))].filter((kind) => Object.hasOwn(VIEWS, kind));
  return kinds.map((kind) => {
    const section = /** @type {HTMLElement} */ (page.querySelector(`#view-${kind}`));
    return new Shelf(section, views.filter((view) => view.kind === kind), VIEWS[kind].render, stand);
  });
}

/** Unpacks the views that are not in sight yet, one after the other, while the page is idle. @param {Shelf[]} shelves */
async function rest(shelves) {
  for (const shelf of shelves) {
    await new Promise((done) => setTimeout(done, 150));
    await shelf.open(shelf.chosen);
  }
}

const told = document.getElementById("kl-head");
const page = document.getElementById("kl-page");
if (told && page) guard(page, () => begin(page, JSON.parse(told.textContent ?? "")));

export default { begin };
