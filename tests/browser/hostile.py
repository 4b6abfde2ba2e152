"""Content that tries to be more than text, put where it can really be: records, headers, group ids.

Topic names are safe by Kafka's rules; everything else is whatever a producer, a consumer or a client of ZooKeeper says.
"""

from __future__ import annotations

import contextlib

from kafka import KafkaConsumer, KafkaProducer, TopicPartition
from playwright.sync_api import Page

from kafkalab import Cluster

_RUN = "window.hostileRan = true"
#: Nothing listens there; a request for it gives away that markup was parsed.
_ELSEWHERE = "http://hostile.invalid/"

#: What each is called → text for keys, values, headers, ids, names and paths.
TEXTS: dict[str, str] = {
    "image": f'<img src={_ELSEWHERE} onerror="{_RUN}">',
    "script": f'"></title></style></textarea></script><script>{_RUN}</script>',
    "svg": f"<svg/onload='{_RUN}'>",
    "attribute": f'" autofocus tabindex=1 onfocus="{_RUN}" x="',
    "single quote": f"' onmouseover='{_RUN}' x='",
    "template": "${" + _RUN + "}{{constructor.constructor('" + _RUN + "')()}}",
    "address": f"javascript:{_RUN}",
    "style": f"x;background:url({_ELSEWHERE});position:fixed;inset:0",
    "entities": "&lt;img src=x&gt;&#x202e;&amp;",
    "comment": "<!-- --><b>-->]]>",
    "turned": "\u202etxt.exe\u202dmoc.live\u202c",
    "isolates": "\u2066\u2067\u2068never closed",
    "invisible": "in\u200bvi\u200dsi\u2060ble\ufeff\u00ad",
    "control": "bell\x07 nul\x00 escape\x1b[31m back\x08 next\u0085 line\nline\ttab\r",
    "emoji": "👩\u200d👩\u200d👧\u200d👦 🏳️\u200d🌈 🇪🇺 e\u0301",
    "combining": "Z" + "\u0336\u0301\u0489\u035f" * 200,
    "long": "l" * 5000,
    "prototype": "__proto__",
    "constructor": "constructor",
    "method": "hasOwnProperty",
    "empty": "",
}

#: Bytes that are no text, and very many of them.
BYTES: dict[str, bytes] = {
    "no utf-8": b"\xff\xfe\xc3( \xed\xa0\x80 \x00",
    "a megabyte": b"<b>" * 330_000,
    "a megabyte without a space": b"m" * 990_000,
    "an object": b'{"__proto__": {"polluted": true}, "constructor": "<img src=x onerror=alert(1)>", "a": "\\u202e"}',
}

#: Names of groups and clients: Kafka takes any string that is not empty.
IDS = {name: text for name, text in TEXTS.items() if text}

#: Characters that no page shows: controls but for line and tab, direction marks, and invisible ones.
_KEPT_OUT = (
    "[\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\u061c\\u200b-\\u200f\\u202a-\\u202e"
    "\\u2060-\\u2069\\ufeff]"
)
_FAULTS = """([selector, keptOut]) => {
  const bad = new RegExp(keptOut);
  const found = new Set();
  const drawn = new Set(["d", "points", "style", "transform", "viewBox"]);
  const read = new Set(["title", "aria-label", "aria-description", "placeholder", "alt"]);
  const made = "img, script, iframe, object, embed, link, base, form[action], a[href^='javascript' i]";
  const cut = (text) => JSON.stringify(text.slice(0, 80));
  if (window.hostileRan) found.add("it ran");
  if (({}).polluted) found.add("Object.prototype was written to");
  for (const root of document.querySelectorAll(selector)) {
    for (const node of root.querySelectorAll(made)) found.add(`a <${node.localName}> was made`);
    const all = root.textContent.length;
    if (all > 250_000) found.add(`the page holds ${all} characters`);
    if (root.outerHTML.length > 1_500_000) found.add(`the markup has ${root.outerHTML.length} characters`);
    const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
      const { data, parentElement: { className } } = node;
      if (data.length > 6000) found.add(`a text of ${data.length} characters in ${className}`);
      if (bad.test(data)) found.add(`raw text ${cut(data)} in ${className}`);
    }
    for (const node of [root, ...root.querySelectorAll("*")]) for (const { name, value } of node.attributes) {
      if (/^on/i.test(name)) found.add(`an attribute ${name} on <${node.localName}>`);
      // A key such as a group's id may be whole in an attribute that nobody reads: Kafka's longest is 32 kB.
      const most = read.has(name) ? 3000 : 34_000;
      if (!drawn.has(name) && value.length > most) found.add(`${name} of ${value.length} in ${node.className}`);
      if (read.has(name) && bad.test(value)) found.add(`raw ${name} ${cut(value)} in ${node.className}`);
    }
  }
  return [...found].slice(0, 20);
}"""


def faults(page: Page, selector: str) -> list[str]:
    """What is wrong with what the selector matches: something ran or was parsed, is raw, or is too long."""
    found: list[str] = page.evaluate(_FAULTS, [selector, _KEPT_OUT])
    return found


def groups(cluster: Cluster, topic: str) -> None:
    """A group of every name with an offset committed."""
    at = TopicPartition(topic, 0)
    for name in IDS.values():
        with contextlib.closing(KafkaConsumer(bootstrap_servers=cluster.bootstrap_servers, group_id=name)) as one:
            one.assign([at])
            one.seek(at, 1)
            one.commit()
    cluster.wait_for(lambda s: set(IDS.values()) <= {g.group_id for g in s.groups}, 60, "every hostile group")


def records(cluster: Cluster, topic: str) -> dict[str, int]:
    """Records into partition 0, each text as key, as value and in headers; what each is called → its offset."""
    producer = KafkaProducer(bootstrap_servers=cluster.bootstrap_servers, acks="all", linger_ms=0)
    texts = {name: text.encode() for name, text in TEXTS.items()}
    offsets = {}
    for name, text in (texts | BYTES).items():
        small = len(text) < 10_000
        headers = [(TEXTS.get(name, name), text), ("n", b"\xff\xfe")] if small else []
        sent = producer.send(topic, key=text if small else name.encode(), value=text, headers=headers, partition=0)
        offsets[name] = int(sent.get(30).offset)
    key = producer.send(topic, key=BYTES["a megabyte"], value=None, partition=0)
    offsets["a megabyte of key"] = int(key.get(30).offset)
    header = producer.send(topic, key=b"h", value=b"v", headers=[("h", BYTES["a megabyte"])], partition=0)
    offsets["a megabyte of header"] = int(header.get(30).offset)
    producer.close()
    return offsets
