// The facts of a drawn cluster, without the DOM: works out which topics are shown, which crowns moved, and a summary in words.

/** @typedef {{ topic: string, internal: boolean }} Choice */

/** @param {any} a @param {any} b */
const byName = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

/**
 * Returns the topics sorted by name, the learner's own first, each as {name, topic}.
 * @param {any} state
 */
export function topicsOf(state) {
  return Object.entries(state.topics)
    .map(([name, topic]) => ({ name, topic }))
    .sort((a, b) => Number(a.topic.internal) - Number(b.topic.internal) || byName(a.name, b.name));
}

/** Returns the brokers sorted by id. @param {any} state @returns {any[]} */
export function brokersOf(state) {
  return Object.values(state.brokers).sort((/** @type {any} */ a, /** @type {any} */ b) => a.id - b.id);
}

/** Returns the groups sorted by id; with a topic, only those that read it. @param {any} state @param {string} topic */
export function groupsOf(state, topic) {
  return Object.entries(state.groups)
    .map(([id, group]) => ({ id, group }))
    .filter(({ group }) => !topic || holdings(group).some((hold) => hold.topic === topic))
    .sort((a, b) => byName(a.id, b.id));
}

/** Returns all partitions that a group holds or has committed. @param {any} group @returns {any[]} */
export function holdings(group) {
  return [...Object.values(group.members).flatMap((m) => m.holds), ...group.unheld];
}

/** Returns the members of a group sorted by the names of their clients. @param {any} group @returns {any[]} */
export function membersOf(group) {
  return Object.entries(group.members)
    .sort(([a, m], [b, n]) => byName(m.client, n.client) || byName(a, b))
    .map(([, member]) => member);
}

/** Returns the quorum's servers: those with a vote by id, then the observers. @param {any} quorum @returns {any[]} */
export function quorumNodes(quorum) {
  return Object.values(quorum.nodes).sort(
    (/** @type {any} */ a, /** @type {any} */ b) => Number(a.role === "observer") - Number(b.role === "observer") || a.id - b.id);
}

/** Maximum number of replicas drawn one by one on a broker; more than this are summed up, because nobody could read them. */
export const CHIPS = 60;

/** Counts the replicas of these topics that a broker leads, follows, lacks records of, or has on a node that is down.
 * @param {any[]} topics @param {number} id @returns {Record<string, number>} */
export function heldBy(topics, id) {
  /** @type {Record<string, number>} */
  const sums = {};
  for (const { topic } of topics) for (const p of topic.partitions) for (const [broker, what] of p.replicas) {
    if (broker === id) sums[what] = (sums[what] ?? 0) + 1;
  }
  return Object.fromEntries(["leader", "follower", "behind", "down"].filter((what) => what in sums).map((what) => [what, sums[what]]));
}

/** Returns whether a broker holds too many replicas to draw them one by one. @param {any[]} topics */
export function crowded(topics) {
  /** @type {Map<number, number>} */
  const held = new Map();
  for (const { topic } of topics) for (const p of topic.partitions) for (const [broker] of p.replicas) held.set(broker, (held.get(broker) ?? 0) + 1);
  return Math.max(0, ...held.values()) > CHIPS;
}

/** Returns the partitions that match every word of a query: "orders", "7", "P7", "orders-7". @param {any[]} topics @param {string} query */
export function found(topics, query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (/** @type {string} */ name, /** @type {number} */ p) => words.every((word) =>
    /^p?\d+$/.test(word) ? Number(word.replace("p", "")) === p : name.includes(word) || `${name}-${p}` === word);
  return topics
    .map(({ name, topic }) => ({ name, topic: { ...topic, partitions: topic.partitions.filter((/** @type {any} */ p) => fits(name.toLowerCase(), p.partition)) } }))
    .filter(({ topic }) => topic.partitions.length);
}

/** Returns "2 of 3 brokers up", or that nothing is known yet. @param {any} state */
export function up(state) {
  if (state.error) return "";
  if (!state.looked) return "looking…";
  const all = brokersOf(state);
  return `${all.filter((b) => b.alive).length} of ${all.length} brokers up`;
}

/**
 * Returns the cluster in a sentence or two, for screen readers. @param {any} state
 */
export function summary(state) {
  if (!state.looked) return "The cluster has not been read yet.";
  const own = topicsOf(state).filter(({ topic }) => !topic.internal);
  const partitions = own.flatMap(({ topic }) => topic.partitions);
  const lone = partitions.filter((p) => p.leader === null).length;
  const short = partitions.filter((p) => p.short && p.leader !== null).length;
  const down = brokersOf(state).filter((b) => b.alive === false).map((b) => b.id);
  const controller = brokersOf(state).find((b) => b.controller);
  return [
    `${up(state) || "The cluster is not answering"}${down.length ? `, down: ${down.join(", ")}` : ""}.`,
    controller ? `The controller is broker ${controller.id}.` : "",
    `${own.length} ${own.length === 1 ? "topic" : "topics"} with ${partitions.length} partitions: ${lone} without a leader, ${short} under-replicated.`,
  ].filter(Boolean).join(" ");
}

/**
 * Returns the partitions that got another leader. `led` keeps the last leader of each, also while it has none, and is updated.
 * @param {Map<string, number>} led
 * @param {any} state
 * @param {any} before
 * @returns {{ key: string, partition: number, from: number, to: number }[]}
 */
export function crownsMoved(led, state, before) {
  const moved = [];
  for (const [name, topic] of Object.entries(state.topics)) {
    const was = before && Object.hasOwn(before.topics, name) ? before.topics[name] : null;
    if (was?.partitions === topic.partitions) continue;
    for (const p of topic.partitions) {
      const key = `${name}/${p.partition}`;
      const from = led.get(key);
      if (p.leader === null) continue;
      led.set(key, p.leader);
      if (from !== undefined && from !== p.leader) moved.push({ key, partition: p.partition, from, to: p.leader });
    }
  }
  return moved;
}
