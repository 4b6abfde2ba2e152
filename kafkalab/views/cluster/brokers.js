// The broker cards: draws brokers as columns with the partitions they hold. Cards and chips stay the same elements.

import { count, el, shorten } from "../shared.js";
import { keeper, news, refill } from "./keep.js";
import { buttons, busyWith, orDoing } from "./nodes.js";
import { crowded, found, heldBy } from "./picture.js";
import { chip, cutSign, sign } from "./signs.js";

/** @typedef {import("./nodes.js").Hands} Hands */

/** Maximum number of topics drawn at once; the learner reaches further ones by the choice above, and by searching. */
export const TOPICS_DRAWN = 8;
const WORDS = { leader: "leads", follower: "follows", behind: "behind", down: "on a broker that is down" };

/** Draws cards from {brokers, topics, looked}: with chips, or with counts where there would be too many chips to read.
 * @param {any} parent @param {Hands} hands */
export function brokerCards(parent, hands) {
  const list = el("div", { class: "kl-brokers" });
  const more = el("p", { class: "kl-none" });
  const field = /** @type {HTMLInputElement} */ (el("input", { class: "kl-select kl-find-field", type: "search", "aria-label": "find a partition", placeholder: "find a partition: orders 7" }));
  const told = el("span", { class: "kl-none", role: "status" });
  const find = el("div", { class: "kl-find", role: "search", hidden: true }, field, told);
  parent.append(find, list, more);
  const keep = keeper(list, ({ broker }) => broker.id, ({ broker }) => card(broker.id, hands));
  /** @type {any} */ let last;
  field.addEventListener("input", () => last && draw(last));

  function draw(/** @type {any} */ now) {
    last = now;
    const { brokers, topics, looked } = now;
    find.hidden = !crowded(topics) && topics.length <= TOPICS_DRAWN;
    const query = find.hidden ? "" : field.value.trim();
    const shown = query ? found(topics, query) : topics;
    const many = crowded(shown);
    const racks = new Set(brokers.map((b) => b.rack).filter(Boolean));
    keep(brokers.map((broker) => ({ broker, topics: many ? shown : shown.slice(0, TOPICS_DRAWN), many, looked, racks: racks.size > 0 })));
    const size = (/** @type {any[]} */ all) => count(all.reduce((sum, { topic }) => sum + topic.partitions.length, 0));
    told.textContent = query ? `${size(shown)} of ${size(topics)} partitions` : many ? `${size(topics)} partitions in ${topics.length} topics` : "";
    const hidden = many ? 0 : shown.length - TOPICS_DRAWN;
    more.textContent = hidden > 0 ? `${hidden} more topics are not drawn here: choose one above.` : "";
    more.hidden = hidden <= 0;
  }
  return draw;
}

/** @param {number} id @param {Hands} hands */
function card(id, hands) {
  const head = el("header", { class: "kl-head" });
  const row = el("div", { class: "kl-row" });
  const held = el("div", { class: "kl-held-here" });
  const sums = el("ul", { class: "kl-sums", "aria-label": `replicas on broker ${id}` });
  const none = el("p", { class: "kl-none" });
  const node = el("section", { "data-broker": id }, head, row, sums, held, none);
  const keep = keeper(held, ({ name }) => name, ({ name }) => topicOnBroker(name, id));
  const isNews = news();

  return {
    node,
    draw({ broker, topics, many, looked, racks }) {
      if (isNews(broker, busyWith(broker.node, hands), racks, hands.live)) drawHead(broker, racks);
      const mine = topics.filter(({ topic }) => topic.partitions.some((p) => p.replicas.some(([b]) => b === id)));
      keep(many ? [] : mine);
      sums.hidden = !many;
      if (many) sums.replaceChildren(...Object.entries(heldBy(mine, id)).map(([what, n]) =>
        el("li", { class: `kl-sum-${what}` }, sign(/** @type {any} */ (what)), el("span", {}, what === "leader" || what === "follower" ? `${WORDS[what]} ${count(n)}` : `${count(n)} ${WORDS[what]}`))));
      none.textContent = mine.length || !looked ? "" : topics.length ? "holds nothing of this" : "no topics yet";
      none.hidden = !none.textContent;
    },
  };

  function drawHead(broker, racks) {
    const state = broker.alive === null ? "unknown" : broker.alive ? "up" : "down";
    const process = broker.node?.state;
    node.className = `kl-broker kl-is-${state} ${process === "paused" || process === "cut" ? `kl-is-${process}` : ""}`;
    node.setAttribute("aria-label", [`Broker ${id}`, broker.standing, broker.controller && "controller"].filter(Boolean).join(", "));
    refill(head, [
      process === "cut" ? cutSign() : null,
      el("span", { class: "kl-dot", "aria-hidden": "true" }),
      el("h3", {}, `Broker ${id}`),
      racks ? el("span", { class: "kl-rack", title: "Replicas of a partition are put into different racks, where there are enough." }, broker.rack ? `rack ${shorten(broker.rack, 16)}` : "no rack") : null,
      broker.controller
        ? el("span", { class: "kl-badge", title: "The controller: it elects the leaders of partitions and keeps the ISRs." }, "controller")
        : null,
    ]);
    // The state stands below the buttons, because it can be long and must not push them away.
    refill(row, [
      buttons(broker.node, `broker ${id}`, hands),
      el("span", { class: "kl-standing", title: broker.address || null }, orDoing(broker.node, hands, broker.standing)),
    ]);
  }
}

/** @param {string} name @param {number} id */
function topicOnBroker(name, id) {
  const title = el("div", { class: "kl-topic-name", title: shorten(name, 300) });
  const list = el("ul", { class: "kl-chips", "aria-label": `${shorten(name, 32)} on broker ${id}` });
  const node = el("div", { class: "kl-topic" }, title, list);
  const keep = keeper(list, ({ partition }) => partition.partition, ({ partition }) => chip(name, partition.partition, id));
  const isNews = news();
  return {
    node,
    draw({ topic }) {
      if (!isNews(topic.partitions, topic.replication)) return;
      title.replaceChildren(el("bdi", {}, shorten(name, 32)), " ", el("span", { class: "kl-rf" }, `· RF ${topic.replication}`));
      const mine = topic.partitions.flatMap((partition) =>
        partition.replicas.filter(([b]) => b === id).map(([, what, behind]) => ({ partition, what, behind })));
      list.classList.toggle("kl-dense", mine.length > 24);
      keep(mine);
    },
  };
}
