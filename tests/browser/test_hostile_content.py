"""Views on a real cluster whose records, groups and clients try to be more than text: nothing runs, little travels."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser import hostile
from tests.browser.hostile import BYTES, TEXTS
from tests.browser.jupyter_page import LONG
from tests.browser.studio import Studio

pytestmark = pytest.mark.deep

#: One message from the kernel to the page, bytes. A view's own script and sheet are most of the largest.
LARGEST_MESSAGE = 250_000

_CLUSTER = "from kafkalab import *\nClusterView(cluster)"
_LOG = """from kafka import KafkaConsumer
view = LogView(cluster, {topic!r})
for name in {texts!r}:
    view.follow(name, KafkaConsumer({topic!r}, bootstrap_servers=cluster.bootstrap_servers, client_id="c"))
view"""
_GROUP = "GroupView(cluster, {group!r})"
_RECORD = "RecordView(cluster, {topic!r}, partition=0, offset={offset})"
_PARTITIONER = "PartitionerView(cluster, {topic!r})"


@pytest.mark.timeout(400)
def test_hostile_content_is_text(studio: Studio, new_topic: Callable[[str], str]) -> None:
    cluster, page, topic = studio.cluster, studio.page, new_topic("hostile")
    cluster.create_topic(topic, partitions=2, replication=1)
    offsets = hostile.records(cluster, topic)
    hostile.groups(cluster, topic)
    # What is shown, by its cell → (class of the view, what it says as soon as it has some of what is hostile)
    looks = {
        _CLUSTER: ("cluster", "<img"),
        _LOG.format(topic=topic, texts=list(TEXTS.values())[:8]): ("log", "<img"),
        **{_GROUP.format(group=TEXTS[name]): ("group", topic) for name in ("image", "prototype", "turned")},
        **{
            _RECORD.format(topic=topic, offset=offsets[name]): ("record", "CRC")
            for name in ("image", "turned", *BYTES, "a megabyte of key", "a megabyte of header", "combining")
        },
        _PARTITIONER.format(topic=topic): ("partitioner", "<img"),
    }
    studio.notebook.messages.clear()
    notebook = studio(*looks)
    page.evaluate("window.notebook().content.widgets.forEach((cell, i) => { cell.node.id = `cell-${i}`; })")
    wrong: list[str] = []
    for i, (kind, words) in enumerate(looks.values(), 1):
        view = notebook.show(page.locator(f"#cell-{i} .kl-{kind}").first)
        expect(view).to_contain_text(words, timeout=LONG)
        wrong += [f"{kind} in cell {i}: {one}" for one in hostile.faults(page, f"#cell-{i} .kl-{kind}")]
    assert wrong == []
    assert max(notebook.messages) < LARGEST_MESSAGE, sorted(notebook.messages)[-5:]
