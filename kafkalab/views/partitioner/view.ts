// PartitionerView: shows key → bytes → murmur2 → partition, and where the broker really put the records. The page calculates
// while the learner types; the kernel sends records and adds partitions.

import { live } from "../live.ts";
import { changed, count, el, legend, reducedMotion, shorten } from "../shared.ts";
import { columns, keyTable, partitionChip, sentList, stages, stepTable } from "./columns.ts";
import { astray, bytesOf, earlier, expected, hexOf, listed, moving, partitionOf, POSITIVE, steps } from "./murmur2.ts";
import type { Key, Picture, SentRecord } from "./picture";

function build(page: HTMLElement, { ask }: { ask: (message: object) => void }) {
  let state: Picture;
  let chosen = ""; // the id of the typed key, if it is among those drawn
  let keys: [string, Key][] = [];
  const ui = controls({ typed: () => sum(), send, what: () => picture(), grow: (n) => ask({ do: "grow", partitions: n }), own: () => picture() });
  const named = (name: string) => el("div", { class: `kl-partitioner-${name}` });
  const [bar, trouble, flow, really, told, foot] = ["bar", "trouble", "flow", "really", "told", "legend"].map(named);
  const table = el("div", { class: "kl-partitioner-table kl-panel", role: "group", "aria-label": "where keys really are", tabindex: 0 });
  const sent = el("div", { class: "kl-partitioner-sent kl-panel", role: "log", "aria-label": "sent from here", tabindex: 0 });
  const box = el("div", { class: "kl-columns", role: "listbox", "aria-label": "keys, in a column for each partition", "aria-orientation": "vertical" });
  const details = el("details", { class: "kl-partitioner-steps", open: true }, el("summary", {}, "every step of murmur2"), el("div", { class: "kl-steps-box" }));
  page.append(bar, trouble,
    el("div", { class: "kl-panel kl-partitioner-sum" }, ui.keyRow, flow, really, details),
    el("div", { class: "kl-partitioner-main" },
      el("div", { class: "kl-panel kl-partitioner-columns" }, ui.whatRow, ui.confirm, box, told, ui.ownKeys),
      el("div", { class: "kl-partitioner-side" }, sent, table)),
    foot);
  foot.append(legend([[dot(""), "a key, in its partition's colour"], [dot("kl-mover"), "would move"], [dot("kl-astray", "✗"), "lies elsewhere than calculated"], [el("span", { class: "kl-column kl-fresh kl-sample" }), "a partition that would be new"]]));
  let pointed = ""; // its description stays while new records are drawn
  const drawn = columns(box, (id) => take(id), (id) => tell((pointed = id)));

  function dot(more: string, text = "") {
    return el("span", { class: `kl-dot-key ${more}`, style: { "--kl-c": "var(--kl-soft)" } }, text);
  }

  /** Puts a chosen key into the calculation. */
  function take(id: string) {
    const key = keys.find(([name]) => name === id)?.[1];
    if (!key) return;
    if (ui.own()) ui.type(key.text, "text");
    else if (!id.includes("…")) ui.type(textOf(id.slice(1)) ?? id.slice(1), textOf(id.slice(1)) === null ? "hex" : "text");
    sum();
  }

  function send(times: number) {
    const key = ui.key();
    if (key === undefined || !state.live || state.busy) return;
    ask({ do: "send", key: key === null ? null : hexOf(key), times, partitioner: ui.partitioner() });
  }

  // Draws the calculation of the typed key.
  function sum() {
    const n = state?.partitions;
    const key = ui.key();
    ui.offer(!state?.recorded);
    ui.able(Boolean(state?.live && n && !state.busy && key !== undefined), state?.busy ?? "", n);
    details.hidden = !key;
    if (!n || !key) {
      const why = key === null ? nullKey() : key === undefined ? "Hexadecimal digits come in pairs: 54 30 30 30 31." : "";
      flow.replaceChildren(el("p", {}, why));
      really.replaceChildren();
      mark("");
      return;
    }
    flow.replaceChildren(el("ol", { class: "kl-sum-stages" }, stages(key, n)));
    (details.querySelector(".kl-steps-box") as HTMLElement).replaceChildren(stepTable(key));
    const id = `k${hexOf(key)}`;
    const known = state.keys[id];
    const p = partitionOf(key, n);
    if (!known) really.replaceChildren(el("span", { class: "kl-soft" }, state.recorded ? "No record with this key was recorded up to this moment." : "No record with this key was seen in the topic. Send one, and see where it goes."));
    else {
      const places = Object.entries(known.at).map(([at, [records]], i) => el("span", { class: "kl-place" }, `${i ? ", " : ""}${count(records)} ${i ? "" : `record${records === 1 ? "" : "s"} of this key `}in `, partitionChip(Number(at))));
      const wrong = astray(known, n);
      really.replaceChildren(el("span", { class: wrong ? "kl-no" : "kl-yes" }, wrong ? "✗" : "✓"), state.recorded ? " The broker really had " : " The broker really has ", ...places, wrong ? el("span", {}, "; a new one goes to ", partitionChip(p)) : ", as calculated.");
    }
    mark(ui.own() ? (keys.find(([, k]) => k.text === ui.text())?.[0] ?? "") : id);
  }

  function nullKey() {
    if (state?.recorded) return "No key, so nothing to hash: the producer chooses, at random or a batch at a time.";
    return ui.partitioner() === "sticky"
      ? "No key, so nothing to hash. Sticky: the producer keeps to one partition until a batch is full, and then takes another. Send ten and see."
      : "No key, so nothing to hash. This producer (kafka-python's own) takes a partition at random for each record; Java's sticks to one for a while. Send ten and see.";
  }

  function mark(id: string) {
    if (chosen !== id) drawn.dot(chosen)?.classList.remove("kl-here");
    chosen = id;
    drawn.dot(id)?.classList.add("kl-here");
  }

  function tell(id: string) {
    const found = keys.find(([name]) => name === id);
    if (!found || !state.partitions) return told.replaceChildren(el("span", { class: "kl-soft" }, "Point at a key, or walk with the arrow keys; Enter puts it into the calculation."));
    const [, key] = found;
    const after = ui.after() ?? state.partitions;
    const where = Object.keys(key.at);
    return told.replaceChildren(el("bdi", {}, el("b", {}, shorten(key.text, 60) || "(empty)")), " calculated ", partitionChip(key.hash % state.partitions), where.length ? " really in " : "", ...where.map((p) => partitionChip(Number(p))),
      after !== state.partitions ? el("span", {}, ` with ${after} partitions `, partitionChip(key.hash % after)) : "");
  }

  // Draws the columns, and says how many keys would move.
  function picture() {
    const n = state?.partitions;
    if (!n) return;
    const after = Math.max(n, ui.after() ?? n);
    const own = ui.own() ? listed(ui.own()) : null;
    keys = own ? own.map((text) => [`o${text}`, { text, size: text.length, hash: steps(new TextEncoder().encode(text)).hash & POSITIVE, at: {} }])
      : Object.entries(state.keys).sort(([a], [b]) => (a < b ? -1 : 1));
    drawn.draw(keys, { partitions: n, after, nulls: state.nulls, chosen, real: !own });
    ui.says(whatIf(n, after), n, after, Boolean(state.live), state.busy);
    tell(pointed);
  }

  function whatIf(n: number, after: number) {
    if (!keys.length) return state.looked ? "No keys yet." : "Looking at the newest records…";
    const all = keys.map(([, key]) => key);
    if (after === n) {
      const away = all.filter((key) => astray(key, n)).length;
      if (!away) return `${count(keys.length)} keys in ${n} partitions.`;
      const before = earlier(all, n);
      return `✗ ${count(away)} of ${count(keys.length)} keys have records elsewhere than calculated: ${before ? `they were sent when there were ${before} partitions. Records never move.` : "another partitioner was used, or partitions were added."}`;
    }
    const moved = moving(all, n, after);
    const { share, words } = expected(n, after);
    return `${count(moved)} of ${count(keys.length)} keys would move: ${(100 * moved / keys.length).toFixed(1)} %; expected ${words} = ${(100 * share).toFixed(1)} %.`;
  }

  // Lets a record fly from the calculation to the partition that the broker put it in.
  function fly(one: SentRecord, turn: number) {
    const from = (flow.querySelector(".kl-sum-stage-result .kl-part-chip") ?? ui.keyRow).getBoundingClientRect();
    const head = box.querySelector(`[data-partition="${one.partition}"] .kl-column-head`);
    if (!head) return;
    const mark = () => {
      head.classList.add("kl-arrived");
      setTimeout(() => head.classList.remove("kl-arrived"), 1600);
    };
    if (reducedMotion()) return void mark();
    const to = head.getBoundingClientRect();
    const base = page.getBoundingClientRect();
    const chip = el("span", { class: "kl-flying", "aria-hidden": "true", style: { left: `${from.left - base.left}px`, top: `${from.top - base.top}px` } }, partitionChip(one.partition));
    page.append(chip);
    const flight = chip.animate([{ transform: "none" }, { transform: `translate(${to.left - from.left + to.width / 2 - 14}px, ${to.top - from.top}px)` }], { duration: 600, delay: turn * 60, easing: "cubic-bezier(0.4, 0, 0.3, 1)", fill: "both" });
    flight.onfinish = () => {
      chip.remove();
      mark();
    };
  }

  return {
    draw(now: Picture, before: Picture | undefined) {
      state = now;
      if (changed(now, before, "partitions")) ui.reset(now.partitions);
      bar.replaceChildren(head(now));
      trouble.replaceChildren(...[now.trouble, now.grown ? `There are ${now.grown.to} partitions now, there were ${now.grown.from}. Records that were there stay where they are; new ones go where it is calculated now. Other producers learn of it at their next look at the metadata: metadata.max.age.ms, 5 minutes.` : ""].filter(Boolean).map((text, i) => el("p", { class: `kl-notice${i === 0 && now.trouble ? " kl-tone-bad" : ""}`, role: "status" }, shorten(text, 500))));
      if (changed(now, before, "keys", "partitions", "nulls", "busy", "looked", "live")) {
        picture();
        const n = now.partitions, title = el("h4", { class: "kl-title" }, "Where the broker really put them");
        if (n) keepFocus(table, () => table.replaceChildren(title, ...keyTable(Object.entries(now.keys), n, take)));
      }
      sum();
      sent.hidden = now.recorded;
      page.classList.toggle("kl-partitioner-recorded", now.recorded);
      if (changed(now, before, "sent")) {
        sent.replaceChildren(el("h4", { class: "kl-title" }, "Sent from here"), sentList(Object.values(now.sent)));
        if (before) Object.keys(now.sent).filter((id) => !before.sent[id]).forEach((id, i) => fly(now.sent[id], i));
      }
    },
  };
}

function head(state: Picture) {
  return el("div", { class: "kl-panel kl-partitioner-head" }, el("strong", {}, el("bdi", {}, shorten(state.topic, 60))),
    state.partitions ? el("span", { class: "kl-pill" }, `${state.partitions} partition${state.partitions === 1 ? "" : "s"}`) : null,
    el("span", { class: "kl-pill" }, `${count(Object.keys(state.keys).length)} keys in ${count(state.records)} records`),
    state.beyond ? el("span", { class: "kl-pill" }, `${count(state.beyond)} records of further keys`) : null,
    el("span", { class: "kl-soft" }, state.recorded ? "a recording: nothing can be sent" : state.live ? (state.busy ? `${state.busy}…` : "") : "not live"));
}

function keepFocus(area: HTMLElement, change: () => void) {
  const row = area.contains(document.activeElement) ? (document.activeElement as HTMLElement).dataset.row : undefined;
  change();
  if (row) (area.querySelector(`[data-row="${CSS.escape(row)}"]`) as HTMLElement | null)?.focus();
}

/** Returns the text of hexadecimal digits; null when nobody could type it. */
function textOf(hex: string) {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytesOf(hex, "hex") ?? new Uint8Array());
    return /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/.test(text) ? null : text;
  } catch {
    return null;
  }
}

// --- The controls of PartitionerView: the learner types a key, tries other numbers of partitions, and lists own keys.

const MOST_PARTITIONS = 60;

function controls(on: { typed(): void; send(times: number): void; what(): void; grow(partitions: number): void; own(): void }) {
  const text = el("input", { class: "kl-input kl-mono kl-key-input", type: "text", value: "T0042", "aria-label": "key", maxlength: 200, spellcheck: "false", autocomplete: "off", oninput: on.typed });
  const as = select("what the key is", [["text", "as text"], ["hex", "as hex bytes"], ["null", "no key (null)"]], () => {
    text.disabled = as.value === "null";
    chooser.hidden = as.value !== "null";
    on.typed();
  });
  const partitioner = select("partitioner for records without a key", [["random", "random"], ["sticky", "sticky"]], on.typed);
  const chooser = el("label", { class: "kl-soft", hidden: true }, "partitioner ", partitioner);
  const one = el("button", { class: "kl-button kl-send", onclick: () => one.ariaDisabled !== "true" && on.send(1) }, "send it");
  const ten = el("button", { class: "kl-button", onclick: () => ten.ariaDisabled !== "true" && on.send(10) }, "send it 10 times");
  const keyRow = el("div", { class: "kl-key-row" }, el("label", { class: "kl-key-label" }, el("b", {}, "key "), text), as, chooser, one, ten);

  const number = el("input", { class: "kl-input", type: "number", min: 1, max: MOST_PARTITIONS, value: 1, "aria-label": "number of partitions to try", oninput: on.what });
  const by = (n: number) => () => {
    number.valueAsNumber = Math.max(Number(number.min), Math.min(MOST_PARTITIONS, (number.valueAsNumber || 0) + n));
    on.what();
  };
  const said = el("p", { class: "kl-what-says", role: "status" });
  const add = el("button", { class: "kl-button kl-add", hidden: true, onclick: () => ask(true) }, "");
  const whatRow = el("div", { class: "kl-what-row" }, el("h4", { class: "kl-title" }, "Keys in their partitions"),
    el("span", { class: "kl-what-if" }, el("span", {}, "what if there were "), el("button", { class: "kl-button", "aria-label": "one partition less", onclick: by(-1) }, "−"), number, el("button", { class: "kl-button", "aria-label": "one partition more", onclick: by(1) }, "+"), el("span", {}, " partitions"), add), said);

  let wanted = 0;
  const sure = el("p", {});
  const yes = el("button", { class: "kl-button kl-yes-add", onclick: () => {
    ask(false);
    on.grow(wanted);
  } }, "yes, add them");
  const no = el("button", { class: "kl-button", onclick: () => {
    ask(false);
    add.focus();
  } }, "no");
  const confirm = el("div", { class: "kl-notice kl-confirm", role: "group", "aria-label": "are you sure?", hidden: true, onkeydown: (event: KeyboardEvent) => {
    if (event.key === "Escape") no.click();
  } }, sure, yes, " ", no);
  function ask(open: boolean) {
    confirm.hidden = !open;
    if (open) no.focus();
  }

  const own = el("textarea", { class: "kl-input kl-mono", rows: 3, "aria-label": "keys of your own, one a line", placeholder: "one key a line, or T0000..T0999", spellcheck: "false", oninput: on.own });
  const ownKeys = el("details", { class: "kl-own" }, el("summary", {}, "keys of your own instead of the topic's"), own);

  return {
    keyRow, whatRow, confirm, ownKeys,
    /** Returns the bytes of the key; null for no key, undefined while the input is invalid. */
    key: (): Uint8Array | null | undefined => (as.value === "null" ? null : (bytesOf(text.value, as.value === "hex" ? "hex" : "text") ?? undefined)),
    text: () => text.value,
    own: () => own.value.trim(),
    partitioner: () => partitioner.value,
    /** Puts a key in, as if it had been typed. */
    type(value: string, kind: "text" | "hex") {
      text.value = value;
      as.value = kind;
      text.disabled = false;
      chooser.hidden = true;
    },
    /** Shows the controls for sending, if there is a cluster. */
    offer(sends: boolean) {
      for (const button of [one, ten]) button.hidden = !sends;
      chooser.hidden = as.value !== "null" || !sends;
    },
    able(able: boolean, busy: string, partitions: number | null) {
      for (const button of [one, ten]) button.ariaDisabled = String(!able);
      one.textContent = busy === "sending" ? "sending…" : "send it";
      one.title = partitions ? "really sends a record with this key to the topic" : "";
    },
    /** Returns the number of partitions to imagine; null while the input is no number. */
    after: () => (Number.isInteger(number.valueAsNumber) ? Math.min(MOST_PARTITIONS, number.valueAsNumber) : null),
    reset(partitions: number | null) {
      number.min = String(partitions ?? 1);
      number.valueAsNumber = partitions ?? 1;
      ask(false);
    },
    says(words: string, now: number, after: number, live: boolean, busy: string) {
      said.textContent = words;
      const more = after - now;
      wanted = after;
      add.hidden = !live || more <= 0;
      add.textContent = busy ? `${busy}…` : `add ${more} partition${more === 1 ? "" : "s"} for real`;
      add.ariaDisabled = String(Boolean(busy));
      sure.textContent = `Kafka adds partitions and never takes them away. From ${now} to ${after}: new records of the keys that move go elsewhere than their old ones, and their order is lost there.`;
      if (more <= 0 || busy) ask(false);
    },
  };
}

function select(label: string, options: [string, string][], changed: () => void) {
  return el("select", { class: "kl-select", "aria-label": label, onchange: changed }, options.map(([value, words]) => el("option", { value }, words)));
}

export default { render: live("partitioner", "From key to partition", build) };
