// PartitionerView: shows key → bytes → murmur2 → partition, and where the broker really put the records. The page calculates
// while the learner types; the kernel sends records and adds partitions.

import { live } from "../live.ts";
import { changed, count, el, legend, reducedMotion, refill, shorten } from "../shared.ts";
import { columns, keyTable, partitionChip, sentList, stages, stepTable } from "./columns.ts";
import { astray, bytesOf, expected, hashOf, hexOf, listed } from "./murmur2.ts";
import type { Key, Picture, Sent } from "./picture";

const MOST_PARTITIONS = 60;

class PartitionerView {
  state: Picture;
  chosen = ""; // the id of the typed key, if it is among those drawn
  pointed = ""; // its description stays while new records are drawn
  keys: [string, Key][] = [];

  text = el("input", { class: "kl-input kl-mono kl-key-input", type: "text", value: "T0042", "aria-label": "key", maxlength: 200, spellcheck: "false", autocomplete: "off",
    oninput: () => this.#sum() });
  as = this.#select("what the key is", [["text", "as text"], ["hex", "as hex bytes"], ["null", "no key (null)"]]);
  partitioner = this.#select("partitioner for records without a key", [["random", "random"], ["sticky", "sticky"]]);
  chooser = el("label", { class: "kl-soft" }, "partitioner ", this.partitioner);
  one = el("button", { class: "kl-button kl-send", onclick: () => this.#send(1) }, "send it");
  ten = el("button", { class: "kl-button", onclick: () => this.#send(10) }, "send it 10 times");
  number = el("input", { class: "kl-input", type: "number", min: 1, max: MOST_PARTITIONS, value: 1, "aria-label": "number of partitions to try", oninput: () => this.#imagine() });
  says = el("p", { class: "kl-what-says", role: "status" });
  add = el("button", { class: "kl-button kl-add", hidden: true, onclick: () => this.#confirm(!this.state.busy) });
  confirm = el("div", { class: "kl-notice kl-confirm", role: "group", "aria-label": "are you sure?", hidden: true });
  own = el("textarea", { class: "kl-input kl-mono", rows: 3, "aria-label": "keys of your own, one a line", placeholder: "one key a line, or T0000..T0999", spellcheck: "false",
    oninput: () => this.#draw() });

  bar = el("div", { class: "kl-partitioner-bar" });
  trouble = el("div", { class: "kl-partitioner-trouble" });
  flow = el("div", { class: "kl-partitioner-flow" });
  really = el("div", { class: "kl-partitioner-really" });
  told = el("div", { class: "kl-partitioner-told" });
  steps = el("div", { class: "kl-steps-box" });
  details = el("details", { class: "kl-partitioner-steps", open: true }, el("summary", {}, "every step of murmur2"), this.steps);
  table = el("div", { class: "kl-partitioner-table kl-panel", role: "group", "aria-label": "where keys really are", tabindex: 0 });
  sent = el("div", { class: "kl-partitioner-sent kl-panel", role: "log", "aria-label": "sent from here", tabindex: 0 });
  box = el("div", { class: "kl-columns", role: "listbox", "aria-label": "keys, in a column for each partition", "aria-orientation": "vertical" });
  columns = columns(this.box, (id) => this.#take(id), (id) => this.#tell((this.pointed = id)));

  constructor(readonly page: HTMLElement, readonly ask: (message: object) => void) {
    const by = (n: number) => () => {
      this.number.valueAsNumber = Math.max(Number(this.number.min), Math.min(MOST_PARTITIONS, (this.number.valueAsNumber || 0) + n));
      this.#imagine();
    };
    const dot = (more: string, text = "") => el("span", { class: `kl-dot-key ${more}`, style: { "--kl-c": "var(--kl-soft)" } }, text);
    this.confirm.addEventListener("keydown", (event) => event.key === "Escape" && this.#confirm(false));
    page.append(this.bar, this.trouble,
      el("div", { class: "kl-panel kl-partitioner-sum" },
        el("div", { class: "kl-key-row" }, el("label", { class: "kl-key-label" }, el("b", {}, "key "), this.text), this.as, this.chooser, this.one, this.ten),
        this.flow, this.really, this.details),
      el("div", { class: "kl-partitioner-main" },
        el("div", { class: "kl-panel kl-partitioner-columns" },
          el("div", { class: "kl-what-row" }, el("h4", { class: "kl-title" }, "Keys in their partitions"),
            el("span", { class: "kl-what-if" }, el("span", {}, "what if there were "), el("button", { class: "kl-button", "aria-label": "one partition less", onclick: by(-1) }, "−"),
              this.number, el("button", { class: "kl-button", "aria-label": "one partition more", onclick: by(1) }, "+"), el("span", {}, " partitions"), this.add), this.says),
          this.confirm, this.box, this.told, el("details", { class: "kl-own" }, el("summary", {}, "keys of your own instead of the topic's"), this.own)),
        el("div", { class: "kl-partitioner-side" }, this.sent, this.table)),
      el("div", { class: "kl-partitioner-legend" }, legend([[dot(""), "a key, in its partition's colour"], [dot("kl-mover"), "would move"],
        [dot("kl-astray", "✗"), "lies elsewhere than calculated"], [el("span", { class: "kl-column kl-fresh kl-sample" }), "a partition that would be new"]])));
  }

  #select(label: string, options: [string, string][]) {
    return el("select", { class: "kl-select", "aria-label": label, onchange: () => this.#sum() }, options.map(([value, words]) => el("option", { value }, words)));
  }

  /** The bytes of the key that is typed: null for no key, undefined while the input is invalid. */
  get key() {
    return this.as.value === "null" ? null : bytesOf(this.text.value, this.as.value as "text" | "hex");
  }

  get able() {
    return Boolean(this.state.live && this.state.partitions && !this.state.busy && this.key !== undefined);
  }

  /** The number of partitions to imagine. */
  get after() {
    const n = this.state.partitions ?? 1, typed = this.number.valueAsNumber;
    return Number.isInteger(typed) ? Math.max(n, Math.min(MOST_PARTITIONS, typed)) : n;
  }

  #send(times: number) {
    if (this.able) this.ask({ do: "send", key: this.key ? hexOf(this.key) : null, times, partitioner: this.partitioner.value });
  }

  #imagine() {
    this.#confirm(false);
    this.#draw();
  }

  /** Asks whether partitions are to be added for real, or stops asking. */
  #confirm(open: boolean) {
    if (open !== this.confirm.hidden) return;
    const { after } = this, now = this.state.partitions;
    const no = el("button", { class: "kl-button", onclick: () => this.#confirm(false) }, "no");
    const yes = el("button", { class: "kl-button kl-yes-add", onclick: () => {
      this.#confirm(false);
      this.ask({ do: "grow", partitions: after });
    } }, "yes, add them");
    const held = this.confirm.contains(document.activeElement);
    this.confirm.hidden = !open;
    this.confirm.replaceChildren(el("p", {}, `Kafka adds partitions and never takes them away. From ${now} to ${after}: new records of the keys that move go elsewhere than their old ones, and their order is lost there.`), yes, " ", no);
    if (open) no.focus();
    else if (held) this.add.focus();
  }

  /** Puts a chosen key into the calculation: as text if it can be typed. */
  #take(id: string) {
    const key = this.keys.find(([name]) => name === id)?.[1];
    const own = this.own.value.trim();
    if (!key || (!own && id.includes("…"))) return;
    const text = own || (shorten(key.text, Infinity) === key.text && `k${hexOf(new TextEncoder().encode(key.text))}` === id);
    this.text.value = text ? key.text : id.slice(1);
    this.as.value = text ? "text" : "hex";
    this.#sum();
  }

  // Draws the calculation of the typed key.
  #sum() {
    const { state, key } = this, n = state.partitions;
    this.text.disabled = this.as.value === "null";
    this.chooser.hidden = this.as.value !== "null" || state.recorded;
    for (const button of [this.one, this.ten]) {
      button.hidden = state.recorded;
      button.ariaDisabled = String(!this.able);
    }
    this.one.textContent = state.busy === "sending" ? "sending…" : "send it";
    this.one.title = n ? "really sends a record with this key to the topic" : "";
    this.details.hidden = !key;
    if (!n || !key) {
      this.flow.replaceChildren(el("p", {}, key === null ? this.#nullKey() : key === undefined ? "Hexadecimal digits come in pairs: 54 30 30 30 31." : ""));
      this.really.replaceChildren();
      return this.#mark("");
    }
    this.flow.replaceChildren(el("ol", { class: "kl-sum-stages" }, stages(key, n)));
    this.steps.replaceChildren(stepTable(key));
    const id = `k${hexOf(key)}`, known = state.keys[id];
    if (known) {
      const places = Object.entries(known.at).map(([at, records], i) => el("span", { class: "kl-place" },
        `${i ? ", " : ""}${count(records)} ${i ? "" : `record${records === 1 ? "" : "s"} of this key `}in `, partitionChip(Number(at))));
      const wrong = astray(known, n);
      this.really.replaceChildren(el("span", { class: wrong ? "kl-no" : "kl-yes" }, wrong ? "✗" : "✓"), state.recorded ? " The broker really had " : " The broker really has ",
        ...places, wrong ? el("span", {}, "; a new one goes to ", partitionChip(hashOf(key) % n)) : ", as calculated.");
    } else {
      const none = state.recorded ? "No record with this key was recorded up to this moment." : "No record with this key was seen in the topic. Send one, and see where it goes.";
      this.really.replaceChildren(el("span", { class: "kl-soft" }, none));
    }
    return this.#mark(this.own.value.trim() ? `o${this.text.value}` : id);
  }

  #nullKey() {
    if (this.state.recorded) return "No key, so nothing to hash: the producer chooses, at random or a batch at a time.";
    return this.partitioner.value === "sticky"
      ? "No key, so nothing to hash. Sticky: the producer keeps to one partition until a batch is full, and then takes another. Send ten and see."
      : "No key, so nothing to hash. This producer (kafka-python's own) takes a partition at random for each record; Java's sticks to one for a while. Send ten and see.";
  }

  #mark(id: string) {
    this.columns.dot(this.chosen)?.classList.remove("kl-here");
    this.chosen = id;
    this.columns.dot(id)?.classList.add("kl-here");
  }

  #tell(id: string) {
    const key = this.keys.find(([name]) => name === id)?.[1], n = this.state.partitions;
    if (!key || !n) return this.told.replaceChildren(el("span", { class: "kl-soft" }, "Point at a key, or walk with the arrow keys; Enter puts it into the calculation."));
    const where = Object.keys(key.at);
    return this.told.replaceChildren(el("bdi", {}, el("b", {}, shorten(key.text, 60) || "(empty)")), " calculated ", partitionChip(key.hash % n),
      where.length ? " really in " : "", ...where.map((p) => partitionChip(Number(p))),
      this.after === n ? "" : el("span", {}, ` with ${this.after} partitions `, partitionChip(key.hash % this.after)));
  }

  // Draws the columns, and says how many keys would move.
  #draw() {
    const { state, after } = this, n = state.partitions, own = this.own.value.trim();
    if (!n) return;
    this.keys = own ? listed(own).map((text) => [`o${text}`, { text, hash: hashOf(new TextEncoder().encode(text)), at: {} }])
      : Object.entries(state.keys).sort(([a], [b]) => (a < b ? -1 : 1));
    this.columns.draw(this.keys, { partitions: n, after, nulls: state.nulls, chosen: this.chosen, real: !own });
    this.says.textContent = this.#whatIf(n);
    this.add.hidden = !state.live || after <= n;
    this.add.textContent = state.busy ? `${state.busy}…` : `add ${after - n} partition${after - n === 1 ? "" : "s"} for real`;
    this.add.ariaDisabled = String(Boolean(state.busy));
    if (state.busy) this.#confirm(false);
    this.#tell(this.pointed);
  }

  #whatIf(n: number) {
    const { keys, state, after } = this, all = count(keys.length);
    if (!keys.length) return state.looked ? "No keys yet." : "Looking at the newest records…";
    if (after === n) {
      const away = keys.filter(([, key]) => astray(key, n)).length;
      return away ? `✗ Records of ${count(away)} of ${all} keys lie elsewhere than calculated: ${state.away}.` : `${all} keys in ${n} partitions.`;
    }
    const moved = keys.filter(([, key]) => key.hash % n !== key.hash % after).length;
    const { share, words } = expected(n, after);
    return `${count(moved)} of ${all} keys would move: ${(100 * moved / keys.length).toFixed(1)} %; expected ${words} = ${(100 * share).toFixed(1)} %.`;
  }

  // Lets a record fly from the calculation to the partition that the broker put it in.
  #fly(one: Sent, turn: number) {
    const from = (this.flow.querySelector(".kl-sum-stage-result .kl-part-chip") ?? this.text).getBoundingClientRect();
    const head = this.box.querySelector(`[data-partition="${one.partition}"] .kl-column-head`);
    if (!head) return;
    const arrive = () => {
      head.classList.add("kl-arrived");
      setTimeout(() => head.classList.remove("kl-arrived"), 1600);
    };
    if (reducedMotion()) return void arrive();
    const to = head.getBoundingClientRect(), base = this.page.getBoundingClientRect();
    const chip = el("span", { class: "kl-flying", "aria-hidden": "true", style: { left: `${from.left - base.left}px`, top: `${from.top - base.top}px` } }, partitionChip(one.partition));
    this.page.append(chip);
    const there = `translate(${to.left - from.left + to.width / 2 - 14}px, ${to.top - from.top}px)`;
    const flight = chip.animate([{ transform: "none" }, { transform: there }], { duration: 600, delay: turn * 60, easing: "cubic-bezier(0.4, 0, 0.3, 1)", fill: "both" });
    flight.onfinish = () => {
      chip.remove();
      arrive();
    };
  }

  draw(now: Picture, before: Picture | undefined) {
    this.state = now;
    const { partitions, grown } = now;
    if (changed(now, before, "partitions")) {
      this.number.min = String(partitions ?? 1);
      this.number.valueAsNumber = partitions ?? 1;
      this.#confirm(false);
    }
    this.bar.replaceChildren(head(now));
    const told = grown && `There are ${grown.to} partitions now, there were ${grown.from}. Records that were there stay where they are; new ones go where it is calculated now. Other producers learn of it at their next look at the metadata: metadata.max.age.ms, 5 minutes.`;
    refill(this.trouble, [now.trouble, told].map((text) => text && el("p", { class: `kl-notice${text === told ? "" : " kl-tone-bad"}`, role: "status" }, shorten(text, 500))));
    if (changed(now, before, "keys", "partitions", "nulls", "busy", "looked", "live")) {
      this.#draw();
      const title = el("h4", { class: "kl-title" }, "Where the broker really put them");
      if (partitions) refill(this.table, [title, keyTable(Object.entries(now.keys), partitions, (id) => this.#take(id))]);
    }
    this.#sum();
    this.sent.hidden = now.recorded;
    this.page.classList.toggle("kl-partitioner-recorded", now.recorded);
    if (changed(now, before, "sent")) {
      this.sent.replaceChildren(el("h4", { class: "kl-title" }, "Sent from here"), sentList(Object.values(now.sent)));
      if (before) Object.keys(now.sent).filter((id) => !before.sent[id]).forEach((id, i) => this.#fly(now.sent[id], i));
    }
  }
}

function head(state: Picture) {
  return el("div", { class: "kl-panel kl-partitioner-head" }, el("strong", {}, el("bdi", {}, shorten(state.topic, 60))),
    state.partitions ? el("span", { class: "kl-pill" }, `${state.partitions} partition${state.partitions === 1 ? "" : "s"}`) : null,
    el("span", { class: "kl-pill" }, `${count(Object.keys(state.keys).length)} keys in ${count(state.records)} records`),
    state.beyond ? el("span", { class: "kl-pill" }, `${count(state.beyond)} records of further keys`) : null,
    el("span", { class: "kl-soft" }, state.recorded ? "a recording: nothing can be sent" : state.live ? (state.busy ? `${state.busy}…` : "") : "not live"));
}

export default { render: live("partitioner", "From key to partition", (page, { ask }) => new PartitionerView(page, ask)) };
