// The detail of a znode: shows what one node of ZooKeeper's tree means to Kafka, its owner, and its data.

import { clock, el, shorten } from "../shared.js";

/**
 * @param {string} path
 * @param {any} found what the kernel read of it; undefined until then
 * @param {boolean} [recorded] true in a recording, where no kernel may be there to read it
 */
export function znodeDetail(path, found, recorded) {
  const head = el("h4", { class: "kl-title kl-mono kl-detail-path" }, el("bdi", {}, shorten(path, 120)));
  if (!found) return [head, el("p", { class: "kl-soft" }, recorded ? "Nothing more of it is known here." : "not read")];
  const about = found.about ? el("p", { class: "kl-detail-about" }, shorten(found.about, 400)) : null;
  if (!found.there) return [head, el("p", {}, el("span", { class: "kl-badge kl-detail-gone" }, "✕ not there")), about];
  const figures = [
    ["version", String(found.version), "how often its data was written"],
    ["written", clock.ofDay(found.modified), "by ZooKeeper's clock"],
    ["created", clock.ofDay(found.created), "by ZooKeeper's clock"],
    ["zxid", found.zxid, "the transaction that wrote it: ZooKeeper numbers all of them"],
    ["children", String(found.children), ""],
    ["bytes", String(found.bytes), ""],
  ];
  return [
    head,
    el("p", { class: "kl-detail-kind" }, found.session
      ? [el("span", { class: "kl-badge kl-detail-ephemeral" }, "⚡ ephemeral"), " lives and dies with session ", el("span", { class: "kl-mono" }, shorten(found.session, 40))]
      : [el("span", { class: "kl-badge" }, "persistent"), " stays until somebody deletes it"]),
    about,
    el("ul", { class: "kl-detail-figures", "aria-label": "figures" }, figures.map(([name, value, title]) =>
      el("li", { title: title || null }, el("span", { class: "kl-soft" }, name), " ", el("span", { class: "kl-mono" }, shorten(value, 40))))),
    found.data
      ? el("pre", { class: "kl-detail-data kl-mono", tabindex: "0", role: "region", "aria-label": "its data" }, el("bdi", {}, lines(found.data)))
      : el("p", { class: "kl-soft" }, "no data"),
  ];
}

// Shortens each line of formatted JSON for itself, so that the lines stay.
function lines(/** @type {string} */ text) {
  return text.split("\n").slice(0, 400).map((line) => shorten(line, 400)).join("\n");
}
