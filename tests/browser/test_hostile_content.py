"""Every view on a real cluster whose records, groups, clients and znodes try to be more than text: nothing runs."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser import hostile
from tests.browser.accessibility import audit
from tests.browser.hostile import BYTES, TEXTS
from tests.browser.jupyter_page import LONG
from tests.browser.studio import Studio
from tests.unit.views import stream_samples

pytestmark = pytest.mark.deep

#: One message from the kernel to the page, bytes. A view's own script and sheet are most of the largest.
LARGEST_MESSAGE = 250_000

_CLUSTER = "from kafkalab import *\nClusterView(cluster)"
_LOG = """from kafka import KafkaConsumer
view = LogView(cluster, {topic!r})
for name in {texts!r}.values():
    view.follow(name, KafkaConsumer({topic!r}, bootstrap_servers=cluster.bootstrap_servers, client_id="c"))
view"""
_GROUP = "GroupView(cluster, {group!r})"
_RECORD = "RecordView(cluster, {topic!r}, partition=0, offset={offset})"
_PARTITIONER = "PartitionerView(cluster, {topic!r})"
_METADATA = """view = MetadataView(cluster)
for path in {paths!r}:
    view.do_open({{"side": 0, "path": path}})
    view.do_select({{"side": 0, "path": path}})
view"""
_MAP = """texts = list({texts!r}.values())
view = TruckMap(title=texts[0])
n = len(texts)
view.update(texts, [48.0 + i / 9 for i in range(n)], [9.0 + i / 9 for i in range(n)], [0] * n, [50.0] * n, [90.0] * n)
view.selected = view.following = texts[0]
view"""
# Spark says what its reports are called and where they come from in the words of whoever started the query.
_STREAM = "import json\nStreamView.of(json.loads({reports!r}))"


def reports(topic: str) -> str:
    """Spark's own reports of a real query, as they are when it was given such names."""
    found = stream_samples.reports("windows")
    for i, report in enumerate(found):
        text = list(TEXTS.values())[i % len(TEXTS)]
        report["name"] = TEXTS["image"]
        for source in report["sources"]:
            source["description"] = f"KafkaV2[Subscribe[{text}]]"
            for key in ("startOffset", "endOffset", "latestOffset"):
                if source[key]:
                    source[key] = {"__proto__": next(iter(source[key].values())), "constructor": {"0": 1}}
        report["sink"]["description"] = text
        for operator in report["stateOperators"]:
            operator["operatorName"] = text
    return json.dumps(found)


@pytest.mark.timeout(400)
def test_every_view_shows_hostile_content_as_text(studio: Studio, new_topic: Callable[[str], str]) -> None:
    cluster, page, topic = studio.cluster, studio.page, new_topic("hostile")
    cluster.create_topic(topic, partitions=2, replication=1)
    with ExitStack() as stack:
        offsets = hostile.records(cluster, topic)
        stack.enter_context(hostile.groups(cluster, topic))
        paths = stack.enter_context(hostile.znodes(cluster))
        # What is shown, by its cell → (class of the view, what it says as soon as it has some of what is hostile)
        looks = {
            _CLUSTER: ("cluster", "<img"),
            _LOG.format(topic=topic, texts=dict(list(TEXTS.items())[:8])): ("log", "<img"),
            **{_GROUP.format(group=TEXTS[name]): ("group", topic) for name in ("image", "prototype", "turned")},
            **{
                _RECORD.format(topic=topic, offset=offsets[name]): ("record", "CRC")
                for name in ("image", "turned", *BYTES, "a megabyte of key", "a megabyte of header", "combining")
            },
            _PARTITIONER.format(topic=topic): ("partitioner", "<img"),
            _METADATA.format(paths=paths[:6]): ("metadata", "!hostile"),
            _MAP.format(texts=TEXTS): ("map", "<img"),
            _STREAM.format(reports=reports(topic)): ("stream", "<img"),
        }
        studio.notebook.messages.clear()
        notebook = studio(*looks)
        page.evaluate("window.notebook().content.widgets.forEach((cell, i) => { cell.node.id = `cell-${i}`; })")
        wrong: list[str] = []
        for i, (kind, words) in enumerate(looks.values(), 1):
            view = notebook.show(page.locator(f"#cell-{i} .kl-{kind}").first)
            expect(view).to_contain_text(words, timeout=LONG)
            wrong += [f"{kind} in cell {i}: {one}" for one in hostile.faults(page, f"#cell-{i} .kl-{kind}")]
        # One of each as it stands, in both of JupyterLab's themes.
        one_each = {kind: i for i, (kind, _) in reversed(list(enumerate(looks.values(), 1)))}
        for theme in ("Dark", "Light"):
            notebook.theme(f"JupyterLab {theme}")
            for kind, i in one_each.items():
                notebook.show(page.locator(f"#cell-{i} .kl-{kind}").first)
                audit(page, f"#cell-{i} .kl-{kind}")
        forms = [out["data"] for out in notebook.outputs() if out["output_type"] == "execute_result"]
        assert len(forms) == len(looks)
        for form in forms:
            static_forms(form, wrong)
        assert wrong == []
        assert max(notebook.messages) < LARGEST_MESSAGE, sorted(notebook.messages)[-5:]


def static_forms(data: Any, wrong: list[str]) -> None:
    """The saved forms of an output hold the same content: no markup of it, no direction marks, bounded."""
    for kind, text in data.items():
        said = text if isinstance(text, str) else json.dumps(text)
        if kind.startswith("text/"):
            wrong += [
                f"{kind} holds {said.count(bad)} × {bad!r}" for bad in ("\u202e", "\u2066", "\x00") if bad in said
            ]
            if len(said) > 200_000:
                wrong.append(f"{kind} has {len(said)} characters")
        if kind == "text/html" and ("<img src=http" in said or "<svg/onload" in said or "<script" in said):
            wrong.append("text/html holds markup that it was given")
