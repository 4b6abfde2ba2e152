// What each kind of happening is marked with; the same signs as in every view.

/** kind → [sign, class of its tone] @type {Record<string, [string, string]>} */
export const MARKS = {
  you: ["▸", "you"],
  gone: ["✕", "bad"],
  came: ["●", "ok"],
  controller: ["◆", "lead"],
  leader: ["♛", "lead"],
  leaderless: ["✕", "bad"],
  isr: ["◌", "warn"],
  shrank: ["◌", "warn"],
  changed: ["◌", "warn"],
  grew: ["●", "ok"],
  topic: ["▤", "plain"],
  quorum: ["◆", "lead"],
  connection: ["⚠", "bad"],
  children: ["⌄", "plain"],
  other: ["·", "plain"],
};

/** @param {string} kind */
export const mark = (kind) => MARKS[Object.hasOwn(MARKS, kind) ? kind : "other"];

export const PARTS = /** @type {Record<string, string>} */ ({ leader: "♛", follower: "●", behind: "◌", down: "✕" });
