// The sign and tone of each kind of event: the same table as in Python (kafkalab/state/event.py explains its fields).

import EVENTS from "../state/events.json" with { type: "json" };

/** @typedef {{ means: string, sign: string, tone: string, lane: string, weight: number }} Kind */

/** @type {Kind} */
const OTHER = { means: "something else", sign: "·", tone: "plain", lane: "partitions", weight: 0 };

/** @param {string} name @returns {Kind} */
export function kindOf(name) {
  return Object.hasOwn(EVENTS, name) ? /** @type {Record<string, Kind>} */ (EVENTS)[name] : OTHER;
}
