// The records of KRaft's metadata log, read on demand: lists the newest first, with the names that Kafka gives them.

import { clock, el, shorten } from "../shared.js";
import { mark } from "./signs.js";

const SHOWN = 40;

/** @param {() => void} read */
export function metadataLog(read) {
  const button = el("button", { type: "button", class: "kl-button", onclick: () => button.getAttribute("aria-disabled") || read() }, "read the log");
  const note = el("span", { class: "kl-soft" });
  const table = el("div", { class: "kl-records", tabindex: "0", role: "region", "aria-label": "records of the metadata log" });
  let all = false;
  /** @type {any} */ let drawn;
  function rows(/** @type {any} */ log, /** @type {number | null} */ since) {
    const offsets = Object.keys(log.records ?? {}).sort((a, b) => Number(b) - Number(a));
    const shown = all ? offsets : offsets.slice(0, SHOWN);
    table.hidden = !offsets.length;
    table.replaceChildren(
      el("table", { class: "kl-record-table" },
        el("thead", {}, el("tr", {}, ["offset", "when", "record, and what it says"].map((word) => el("th", { scope: "col" }, word)))),
        el("tbody", {}, shown.map((offset) => {
          const record = log.records[offset];
          const [sign, tone] = mark(record.kind);
          const after = since !== null && record.at >= since ? clock.since(record.at - since) : clock.ofDay(record.at);
          return el("tr", { class: `kl-tone-${tone}`, title: shorten(record.data, 600), "data-type": record.type },
            el("td", { class: "kl-mono kl-number" }, offset),
            el("td", { class: "kl-mono", title: clock.ofDay(record.at) }, after),
            el("td", {}, el("span", { class: "kl-mark", "aria-hidden": "true" }, sign), " ", el("b", {}, shorten(record.type, 50)), " ", el("span", { class: "kl-record-says" }, shorten(record.text, 200))));
        }))),
      ...(shown.length < offsets.length ? [el("button", { type: "button", class: "kl-button", onclick: () => { all = true; rows(log, since); } }, `${offsets.length - shown.length} older ones`)] : []));
  }
  return {
    nodes: [el("div", { class: "kl-records-head" }, el("h4", { class: "kl-title" }, "Its records"), button, note), table],
    /** @param {any} log @param {number | null} since the time of the learner's last action @param {boolean} recorded true when the log cannot be read now */
    draw(log, since, recorded) {
      const key = `${since}`;
      if (log === drawn?.log && key === drawn?.key) return;
      drawn = { log, key };
      button.textContent = log.reading ? "reading…" : log.records ? "read it again" : "read the log";
      if (log.reading) button.setAttribute("aria-disabled", "true");
      else button.removeAttribute("aria-disabled");
      button.hidden = recorded;
      note.textContent = recorded
        ? log.problem || "up to this moment, the newest first, without the empty records its leader writes twice a second"
        : log.records
        ? `as of ${clock.ofDay(log.at)}, the newest first, without the empty records its leader writes twice a second`
        : "by Kafka's own kafka-dump-log, from a broker's copy";
      rows(log, since);
    },
  };
}
