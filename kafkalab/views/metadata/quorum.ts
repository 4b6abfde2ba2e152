// The keepers of the metadata: draws KRaft's nodes as lanes on the metadata log, and ZooKeeper's servers as chips.

import { clock, count, el, follow, keeper, kindOf, news, PARTS, shorten, table } from "../shared.ts";

const SHOWN_AT_LEAST = 24, SHOWN_AT_MOST = 240;

/** Returns the offsets that the lanes show: the newest ones, back to the end of the slowest log, within limits. Pure.
 * @param end the end of the leader's log
 * @param ends the ends of all logs; null where it is not known */
export function shownOffsets(end: number, ends: (number | null)[]): { from: number; span: number } {
  const slowest = Math.min(end, ...ends.filter((e) => e !== null));
  const span = Math.min(SHOWN_AT_MOST, Math.max(SHOWN_AT_LEAST, Math.ceil((end - slowest) * 1.25)));
  return { from: end - span, span };
}

/** Returns how far a log reaches into the part shown, 0 to 1. */
export const reach = (end: number | null, shown: { from: number; span: number }) => (end === null ? 0 : Math.max(0, Math.min(1, (end - shown.from) / shown.span)));

/** Returns a node's state in words. */
export function standing(node) {
  const seen = node.seen ? `last fetched ${node.seen} s ago` : node.alive ? "" : node.seen === null ? "never heard by this leader" : "";
  const behind = node.lag === null ? "" : node.lag === 0 ? (node.part === "leader" ? "" : "has all of it") : `${count(node.lag)} behind`;
  const caught = node.alive && node.caught ? `for ${node.caught} s` : "";
  const state = node.state === "paused" || node.state === "cut" ? (node.state === "cut" ? "cut off" : "paused") : "";
  return [[behind, caught].filter(Boolean).join(" "), seen, state, node.fenced ? "fenced" : ""].filter(Boolean).join(" · ");
}

export function lanes() {
  const head = el("div", { class: "kl-lanes-head" });
  const body = el("ul", { class: "kl-lanes", "aria-label": "the metadata log on each node" });
  let ended = 0;
  return {
    nodes: [el("div", { class: "kl-lanes-both" }, head, body)],
    draw(quorum) {
      if (!quorum) {
        head.replaceChildren(el("span", { class: "kl-soft" }, "It is not known yet which nodes keep the metadata."));
        return body.replaceChildren();
      }
      const leads = quorum.leader === null ? el("b", { class: "kl-bad" }, "nobody leads: nothing can be changed") : [el("b", {}, `♛ ${quorum.leader}`), " leads"];
      const pill = (name, value, title: string) => (value === null ? null : el("span", { class: "kl-pill", title }, `${name} `, el("b", {}, count(value))));
      head.replaceChildren(
        el("h4", { class: "kl-title" }, quorum.kind === "kraft" ? "Metadata log · __cluster_metadata" : "ZooKeeper ensemble"),
        el("span", {}, leads),
        ...[
          pill("epoch", quorum.epoch, quorum.kind === "kraft" ? "leader epoch: how many votes there have been" : "how many leaders the ensemble has had"),
          quorum.kind === "kraft" ? pill("log end", quorum.end, "the offset the leader's next record will get") : null,
          pill("high watermark", quorum.mark, "a majority of the voters has every record before it"),
        ].filter((part) => part !== null));
      body.classList.toggle("kl-lanes-chips", quorum.kind !== "kraft");
      const nodes = Object.entries(quorum.nodes);
      if (quorum.kind !== "kraft") return body.replaceChildren(...nodes.map(([id, node]) => chip(id, node)));
      const rank = (node) => (node.role === "leader" ? 0 : node.role === "observer" ? 2 : 1);
      nodes.sort(([a, one], [b, two]) => rank(one) - rank(two) || Number(a) - Number(b));
      const end = quorum.end ?? Math.max(0, ...nodes.map(([, node]) => node.end ?? 0));
      const shown = shownOffsets(end, nodes.map(([, node]) => node.end));
      const fresh = ended && end > ended ? Math.min(shown.span, end - ended) : 0;
      ended = end;
      body.replaceChildren(...nodes.map(([id, node]) => lane(id, node, quorum, shown, fresh)));
    },
  };
}

function lane(id: string, node: any, quorum: any, shown: { from: number; span: number }, fresh: number) {
  const words = standing(node);
  const width = reach(node.end, shown);
  const cell = 100 / shown.span;
  const role = node.alive ? (node.role === "leader" ? "leader, voter" : node.role === "follower" ? "voter" : node.role) : `${node.role === "follower" ? "voter" : node.role}, ${node.gone}`;
  const said = `${id}: ${role}, ${node.end === null ? "log end not known" : `log end ${node.end}`}${words ? `, ${words}` : ""}`;
  return el("li", { class: `kl-lane kl-${node.part}`, "data-node": id },
    el("span", { class: "kl-hidden" }, said),
    el("span", { class: "kl-lane-name", "aria-hidden": "true" }, el("span", { class: "kl-lane-sign" }, PARTS[node.part]), el("b", {}, id), el("small", {}, role)),
    el("span", { class: "kl-lane-track", "aria-hidden": "true", title: `offsets ${Math.max(0, shown.from)} to ${shown.from + shown.span}` },
      el("span", { class: "kl-lane-log", style: { width: `${width * 100}%`, "--kl-cell": `${cell / (width || 1)}%` } },
        fresh && node.lag === 0 ? el("span", { class: "kl-lane-new", style: { width: `${Math.min(100, (cell * fresh) / (width || 1))}%` } }) : null),
      quorum.mark === null ? null : el("span", { class: "kl-lane-mark", style: { left: `${reach(quorum.mark, shown) * 100}%` } })),
    el("span", { class: "kl-lane-end kl-mono", "aria-hidden": "true" }, node.end === null ? "?" : count(node.end)),
    el("span", { class: "kl-lane-words", "aria-hidden": "true" }, words));
}

function chip(id: string, node) {
  const state = node.state === "paused" || node.state === "cut" ? ` · ${node.state === "cut" ? "cut off" : "paused"}` : "";
  const word = node.alive ? (node.role === "voter" ? "does not serve" : node.role) : node.gone;
  return el("li", { class: `kl-zk-node kl-${node.alive && node.role === "voter" ? "behind" : node.part}`, "data-node": id },
    el("span", { class: "kl-lane-sign", "aria-hidden": "true" }, PARTS[node.part]), el("b", {}, id), ` ${word}${state}`,
    node.end === null ? null : el("span", { class: "kl-mono kl-soft", title: "zxid: the last transaction it knows" }, ` 0x${node.end.toString(16)}`));
}

// --- The records of KRaft's metadata log, read on demand: lists the newest first, with the names that Kafka gives them.

const SHOWN = 40;

export function metadataLog(read: () => void) {
  const button = el("button", { type: "button", class: "kl-button", onclick: () => button.getAttribute("aria-disabled") || read() }, "read the log");
  const note = el("span", { class: "kl-soft" });
  const box = el("div", { class: "kl-records", tabindex: "0", role: "region", "aria-label": "records of the metadata log" });
  let all = false;
  let drawn: any;
  function rows(log, since: number | null) {
    const offsets = Object.keys(log.records ?? {}).sort((a, b) => Number(b) - Number(a));
    const shown = all ? offsets : offsets.slice(0, SHOWN);
    box.hidden = !offsets.length;
    box.replaceChildren(
      table({ class: "kl-record-table" }, ["offset", "when", "record, and what it says"], shown.map((offset) => {
        const record = log.records[offset];
        const [sign, tone] = mark(record.kind);
        const after = since !== null && record.at >= since ? clock.since(record.at - since) : clock.ofDay(record.at);
        return el("tr", { class: `kl-tone-${tone}`, title: shorten(record.data, 600), "data-type": record.type },
          el("td", { class: "kl-mono kl-number" }, offset),
          el("td", { class: "kl-mono", title: clock.ofDay(record.at) }, after),
          el("td", {}, el("span", { class: "kl-mark", "aria-hidden": "true" }, sign), " ", el("b", {}, shorten(record.type, 50)), " ", el("span", { class: "kl-record-says" }, shorten(record.text, 200))));
      })),
      ...(shown.length < offsets.length ? [el("button", { type: "button", class: "kl-button", onclick: () => { all = true; rows(log, since); } }, `${offsets.length - shown.length} older ones`)] : []));
  }
  return {
    nodes: [el("div", { class: "kl-records-head" }, el("h4", { class: "kl-title" }, "Its records"), button, note), box],
    /** @param since the time of the learner's last action
     * @param recorded true when the log cannot be read now */
    draw(log: any, since: number | null, recorded: boolean) {
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

// --- The event list: draws each line with its source's own word: a watch that fired, a record, or a difference of two snapshots.

/** @param hint the text shown while nothing has happened
 * @param go shows a node of the tree */
export function happenings(label: string, hint: string, go?: (path: string) => void) {
  const empty = el("p", { class: "kl-soft" }, hint);
  const items = el("ol", {});
  const list = el("div", { class: "kl-happened", role: "log", "aria-live": "polite", "aria-label": label, tabindex: "0" }, items);
  const keep = keeper(items, (line) => line.n, () => happening(go));
  return {
    nodes: [el("h4", { class: "kl-title" }, label), empty, list],
    draw(lines: any[]) {
      empty.hidden = lines.length > 0;
      list.hidden = lines.length === 0;
      follow(list, !items.firstChild, () => keep(lines));
    },
  };
}

function happening(go?: (path: string) => void) {
  const node = el("li");
  const isNews = news();
  return { node, draw: (line) => isNews(line) && fillLine(node, line, go) };
}

function fillLine(node: HTMLElement, line: any, go?: (path: string) => void) {
  const [sign, tone] = mark(line.kind);
  const when = `${line.by === "snapshot" ? "≤" : ""}${line.since === null ? clock.ofDay(line.at) : clock.since(line.since)}`;
  const path = line.by === "watch" && line.parts.length === 0 && line.where.startsWith("/");
  const where = line.where ? el("bdi", {}, shorten(line.where, 120)) : null;
  const text = shorten(line.text, 300);
  node.className = `kl-happening kl-tone-${tone}`;
  node.dataset.kind = line.kind;
  node.replaceChildren(
    el("time", { class: "kl-mono", title: `at ${clock.ofDay(line.at)}${line.by === "snapshot" ? ": seen at the next look, it happened before" : ""}` }, when),
    el("span", { class: "kl-mark", "aria-hidden": "true" }, sign),
    el("div", { class: "kl-said" },
      line.word || where ? el("div", { class: "kl-happening-word" }, el("b", {}, shorten(line.word, 60)), " ",
        path && go ? el("button", { type: "button", class: "kl-link kl-mono", title: "show it in the tree", onclick: () => go(line.where) }, where) : where && el("span", { class: "kl-mono" }, where)) : null,
      line.parts.length
        ? el("details", {}, el("summary", {}, text), el("ul", {}, line.parts.map((part: string) => el("li", {}, shorten(part, 200)))))
        : el("div", {}, text)));
}

// --- The signs of this view's events: maps each kind to a sign and a tone, the same as in every view.

/** Kind of line → kind of event whose sign it has. */
const AS: Record<string, string> = {
  you: "you", gone: "broker_down", came: "broker_up", controller: "controller_moved", leader: "leader_moved", leaderless: "leader_lost", isr: "isr_shrank",
  shrank: "isr_shrank", changed: "isr_changed", grew: "isr_grew", quorum: "quorum_leader_moved", connection: "capture_failed",
};
/** kind → [sign, class of its tone] */
const MARKS: Record<string, [string, string]> = {
  ...Object.fromEntries(Object.entries(AS).map(([kind, event]) => [kind, [kindOf(event).sign, kindOf(event).tone]])),
  topic: ["▤", "plain"],
  children: ["⌄", "plain"],
  other: ["·", "plain"],
};

export const mark = (kind: string) => MARKS[Object.hasOwn(MARKS, kind) ? kind : "other"];
