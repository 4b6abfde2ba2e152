// The signs of this view's events: maps each kind to a sign and a tone, the same as in every view.

import { kindOf } from "../signs.js";

/** Kind of line → kind of event whose sign it has. @type {Record<string, string>} */
const AS = {
  you: "you", gone: "broker_down", came: "broker_up", controller: "controller_moved", leader: "leader_moved", leaderless: "leader_lost", isr: "isr_shrank",
  shrank: "isr_shrank", changed: "isr_changed", grew: "isr_grew", quorum: "quorum_leader_moved", connection: "capture_failed",
};
/** kind → [sign, class of its tone] @type {Record<string, [string, string]>} */
export const MARKS = {
  ...Object.fromEntries(Object.entries(AS).map(([kind, event]) => [kind, [kindOf(event).sign, kindOf(event).tone]])),
  topic: ["▤", "plain"],
  children: ["⌄", "plain"],
  other: ["·", "plain"],
};

/** @param {string} kind */
export const mark = (kind) => MARKS[Object.hasOwn(MARKS, kind) ? kind : "other"];

export const PARTS = /** @type {Record<string, string>} */ ({ leader: "♛", follower: "●", behind: "◌", down: "✕" });
