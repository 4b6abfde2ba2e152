// What a drawn cluster says, worked out without a page: which topics are shown, which crowns moved, how it stands in words.

/** @typedef {{ topic: string, internal: boolean }} Choice */

/** @param {any} a @param {any} b */
const byName = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

/**
 * The topics by name, the learner's own first; each with its name.
 * @param {any} state
 */
export function topicsOf(state) {
  return Object.entries(state.topics)
    .map(([name, topic]) => ({ name, topic }))
    .sort((a, b) => Number(a.topic.internal) - Number(b.topic.internal) || byName(a.name, b.name));
}

/** The brokers by id. @param {any} state @returns {any[]} */
export function brokersOf(state) {
  return Object.values(state.brokers).sort((/** @type {any} */ a, /** @type {any} */ b) => a.id - b.id);
}

/** The groups by id; with a topic, those that read it. @param {any} state @param {string} topic */
export function groupsOf(state, topic) {
  return Object.entries(state.groups)
    .map(([id, group]) => ({ id, group }))
    .filter(({ group }) => !topic || holdings(group).some((hold) => hold.topic === topic))
    .sort((a, b) => byName(a.id, b.id));
}

/** Everything that is held, or was, in a group. @param {any} group @returns {any[]} */
export function holdings(group) {
  return [...Object.values(group.members).flatMap((m) => m.holds), ...group.unheld];
}

/** The members of a group by what their clients call themselves. @param {any} group @returns {any[]} */
export function membersOf(group) {
  return Object.entries(group.members)
    .sort(([a, m], [b, n]) => byName(m.client, n.client) || byName(a, b))
    .map(([, member]) => member);
}

/** The quorum's servers: those with a vote by id, then those that only watch. @param {any} quorum @returns {any[]} */
export function quorumNodes(quorum) {
  return Object.values(quorum.nodes).sort(
    (/** @type {any} */ a, /** @type {any} */ b) => Number(a.role === "observer") - Number(b.role === "observer") || a.id - b.id);
}

/** More replicas than this on one broker are summed up: so many chips are no picture any more. */
export const CHIPS = 60;

/** How many of these topics' replicas a broker leads, follows, lacks records of, or has on a node that is down.
 * @param {any[]} topics @param {number} id @returns {Record<string, number>} */
export function heldBy(topics, id) {
  /** @type {Record<string, number>} */
  const sums = {};
  for (const { topic } of topics) for (const p of topic.partitions) for (const [broker, what] of p.replicas) {
    if (broker === id) sums[what] = (sums[what] ?? 0) + 1;
  }
  return Object.fromEntries(["leader", "follower", "behind", "down"].filter((what) => what in sums).map((what) => [what, sums[what]]));
}

/** Whether some broker holds too many of them to be drawn one by one. @param {any[]} topics */
export function crowded(topics) {
  /** @type {Map<number, number>} */
  const held = new Map();
  for (const { topic } of topics) for (const p of topic.partitions) for (const [broker] of p.replicas) held.set(broker, (held.get(broker) ?? 0) + 1);
  return Math.max(0, ...held.values()) > CHIPS;
}

/** The partitions that each word of a query fits: "orders", "7", "P7", "orders-7". @param {any[]} topics @param {string} query */
export function found(topics, query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (/** @type {string} */ name, /** @type {number} */ p) => words.every((word) =>
    /^p?\d+$/.test(word) ? Number(word.replace("p", "")) === p : name.includes(word) || `${name}-${p}` === word);
  return topics
    .map(({ name, topic }) => ({ name, topic: { ...topic, partitions: topic.partitions.filter((/** @type {any} */ p) => fits(name.toLowerCase(), p.partition)) } }))
    .filter(({ topic }) => topic.partitions.length);
}

/** "2 of 3 brokers up", or that nothing is known yet. @param {any} state */
export function up(state) {
  if (state.error) return "";
  if (!state.looked) return "looking…";
  const all = brokersOf(state);
  return `${all.filter((b) => b.alive).length} of ${all.length} brokers up`;
}

/**
 * The cluster in a sentence or two, for who hears it. @param {any} state
 */
export function summary(state) {
  if (!state.looked) return "The cluster has not been looked at yet.";
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
 * Which partitions got another leader: `led` remembers who led each last, also while nobody does, and is brought up to date.
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
