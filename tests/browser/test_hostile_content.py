"""Every view on a real cluster whose records, groups, clients and znodes try to be more than text: nothing runs."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import ExitStack

import pytest
from playwright.sync_api import Page

from tests.browser import hostile
from tests.browser.hostile import BYTES, TEXTS
from tests.browser.jupyter_page import Notebook
from tests.browser.studio import Studio
from tests.support.clusters import warm
from tests.unit.views import stream_samples

#: One message from the kernel to the page, bytes. A view's own script and sheet are most of the largest.
LARGEST_MESSAGE = 250_000

_CLUSTER = "from kafkalab.views.cluster_view import ClusterView\nview = ClusterView(cluster)\nview"
_LOG = """from kafka import KafkaConsumer
from kafkalab.views.log_view import LogView
view = LogView(cluster, {topic!r})
for name in {texts!r}.values():
    view.follow(name, KafkaConsumer({topic!r}, bootstrap_servers=cluster.bootstrap_servers, client_id="c"))
view"""
_GROUP = "from kafkalab.views.group_view import GroupView\nview = GroupView(cluster, {group!r})\nview"
_RECORD = """from kafkalab.views.record_view import RecordView
view = RecordView(cluster, {topic!r}, partition=0, offset={offset})
view"""
_PARTITIONER = """from kafkalab.views.partitioner_view import PartitionerView
view = PartitionerView(cluster, {topic!r})
view"""
_METADATA = """from kafkalab.views.metadata_view import MetadataView
view = MetadataView(cluster)
for path in {paths!r}:
    view.do_open({{"side": 0, "path": path}})
    view.do_select({{"side": 0, "path": path}})
view"""
_MAP = """from kafkalab.views.truck_map import TruckMap
texts = list({texts!r}.values())
view = TruckMap(title=texts[0])
n = len(texts)
view.update(texts, [48.0 + i / 9 for i in range(n)], [9.0 + i / 9 for i in range(n)], [0] * n, [50.0] * n, [90.0] * n)
view.selected = view.following = texts[0]
view"""
# Spark says what its reports are called and where they come from in the words of whoever started the query.
_STREAM = """import json
from kafkalab.views.stream_view import StreamView
view = StreamView.of(json.loads({reports!r}))
view"""


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


@pytest.mark.timeout(900)
def test_every_view_shows_hostile_content_as_text_and_runs_none_of_it(
    studio: Studio, page: Page, new_topic: Callable[[str], str]
) -> None:
    cluster = warm("zookeeper")
    topic = new_topic("hostile")
    cluster.create_topic(topic, partitions=2, replication=1)
    watch = hostile.Watch(page)
    with ExitStack() as stack:
        offsets = hostile.records(cluster, topic)
        stack.enter_context(hostile.groups(cluster, topic))
        paths = stack.enter_context(hostile.znodes(cluster))
        notebook = studio("view = None")
        wrong: dict[str, list[str]] = {}

        def look(name: str, cell: str, selector: str, words: str) -> None:
            """Show a view in a cell of its own, wait until it says some of what is hostile, judge it, and close it."""
            notebook.add(cell)
            assert notebook.tracebacks() == [], name
            notebook.show(page.locator(selector).last)
            hostile.wait_shown(page, selector, words)
            wrong[name] = [*hostile.faults(page, selector), *notebook.errors, *watch.strange]
            notebook.errors.clear()
            watch.strange.clear()
            static_forms(notebook, wrong[name])
            notebook.add("view.close()")

        look("ClusterView", _CLUSTER, ".kl-cluster", "<img")
        look("LogView", _LOG.format(topic=topic, texts=dict(list(TEXTS.items())[:8])), ".kl-log", "<img")
        for group in ("image", "prototype", "turned"):
            look(f"GroupView of {group}", _GROUP.format(group=TEXTS[group]), ".kl-group", topic)
        for name in ("image", "turned", *BYTES, "a megabyte of key", "a megabyte of header", "combining"):
            look(f"RecordView of {name}", _RECORD.format(topic=topic, offset=offsets[name]), ".kl-record", "CRC")
        look("PartitionerView", _PARTITIONER.format(topic=topic), ".kl-partitioner", "<img")
        look("MetadataView", _METADATA.format(paths=paths[:6]), ".kl-metadata", "!hostile")
        look("TruckMap", _MAP.format(texts=TEXTS), ".kl-map", "<img")
        look("StreamView", _STREAM.format(reports=reports(topic)), ".kl-stream", "<img")
    assert [f"{name}: {one}" for name, found in wrong.items() for one in found] == []
    assert max(watch.frames) < LARGEST_MESSAGE, sorted(watch.frames)[-5:]


def static_forms(notebook: Notebook, wrong: list[str]) -> None:
    """The saved forms of the last output hold the same content: no markup of it, no direction marks, bounded."""
    (last,) = [o for o in notebook.outputs() if o["output_type"] == "execute_result"][-1:]
    for kind, text in dict(last["data"]).items():  # type: ignore[call-overload]
        said = text if isinstance(text, str) else json.dumps(text)
        if kind.startswith("text/"):
            wrong += [
                f"{kind} holds {said.count(bad)} × {bad!r}" for bad in ("\u202e", "\u2066", "\x00") if bad in said
            ]
            if len(said) > 200_000:
                wrong.append(f"{kind} has {len(said)} characters")
        if kind == "text/html" and ("<img src=http" in said or "<svg/onload" in said or "<script" in said):
            wrong.append("text/html holds markup that it was given")


def test_what_is_wrong_on_a_page_is_found(page: Page) -> None:
    page.set_content(
        "<div class=good>a &lt;img&gt; as text, \ufffd for what was a direction mark</div>"
        f"<div class=bad title='\u202eturned'><img>\u2066 raw <b onclick='1'>{'x' * 7000}</b></div>"
    )
    assert hostile.faults(page, ".good") == []
    found = "\n".join(hostile.faults(page, ".bad"))
    for wrong in ("a <img> was made", "raw text", "raw title", "an attribute onclick", "a text of 7000 characters"):
        assert wrong in found
    page.evaluate("window.hostileRan = true")
    assert hostile.faults(page, ".good") == ["it ran"]
