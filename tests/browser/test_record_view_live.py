"""RecordView in a real JupyterLab: bytes of a real log, compared with what Kafka's own tool says of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from kafkalab import Cluster
from kafkalab.cluster.log_dirs import LocalLogDir
from tests.browser.jupyter_page import LONG
from tests.browser.studio import Studio
from tests.support.records import produce

pytestmark = pytest.mark.deep

VIEW = ".kl-record"
SHOW = "from kafkalab import RecordView\nRecordView(cluster, {topic!r}, partition=0, offset=1)"


def records(first: int, count: int) -> Iterator[dict[str, Any]]:
    for i in range(first, first + count):
        yield {"key": b"T%04d" % i, "value": b'{"truck_id": "T%04d"}' % i, "headers": [("source", b"fleet")]}


def dumped(cluster: Cluster, topic: str) -> list[dict[str, str]]:
    """The batches in the leader's log by kafka-dump-log."""
    found = cluster.snapshot().topic(topic)
    assert found is not None and found.partitions[0].leader is not None
    folder = cluster.log_dir(found.partitions[0].leader)
    assert isinstance(folder, LocalLogDir)
    file = folder.path / f"{topic}-0" / f"{0:020d}.log"
    lines = cluster.tool("kafka-dump-log", "--files", str(file)).splitlines()
    return [dict(re.findall(r"(\w+): (\S+)", line)) for line in lines if line.startswith("baseOffset:")]


def shown(page: Page, field: str) -> str:
    """A field's value in the list of fields."""
    return page.locator(f"{VIEW} [role=option][data-field='{field}'] .kl-field-value").inner_text()


def same(page: Page, told: dict[str, str]) -> None:
    """The fields on the page are those of the batch that the tool printed."""
    values = {
        "base_offset": told["baseOffset"], "record_count": told["count"], "magic": told["magic"],
        "producer_id": told["producerId"], "producer_epoch": told["producerEpoch"],
        "base_sequence": told["baseSequence"], "leader_epoch": told["partitionLeaderEpoch"],
        "crc": f"0x{int(told['crc']):08x} ✓", "max_timestamp": f"{told['CreateTime']} ms",
    }  # fmt: skip
    assert {field: shown(page, field) for field in values} == values
    expect(page.locator(f"{VIEW} .kl-record-where")).to_contain_text(f"at byte {told['position']}")


def test_a_batch_is_what_the_tool_says(studio: Studio, new_topic: Callable[[str], str]) -> None:
    topic, cluster, page = new_topic("bytes"), studio.cluster, studio.page
    cluster.create_topic(topic, partitions=1, replication=3)
    produce(cluster, topic, records(0, 4), linger_ms=200)
    produce(cluster, topic, records(4, 30), linger_ms=200, compression_type="zstd")
    studio(SHOW.format(topic=topic))
    view, title = page.locator(VIEW), page.locator(f"{VIEW} .kl-record-title")

    def step(name: str, offset: int) -> None:
        """By keyboard alone."""
        view.locator(f"[data-step='{name}']").focus()
        page.keyboard.press("Enter")
        expect(title).to_contain_text(f"offset {offset}")

    expect(title).to_contain_text("offset 1", timeout=LONG)
    first, second = dumped(cluster, topic)
    same(page, first)
    assert (shown(page, "key"), shown(page, "header0_value")) == ("T0001", "fleet")
    expect(view.locator(".kl-copy-same")).to_have_count(2)
    # Record by record to the end of the batch, and over it into the next, which is compressed.
    for offset in (2, 3, 4):
        step("next", offset)
        expect(view.locator("[data-step=next]")).to_be_focused()
    same(page, second)
    assert shown(page, "packed").endswith("of zstd")
    assert shown(page, "key") == "T0004"
    # From a follower; and what comes while one looks can be gone to.
    copy = view.locator(".kl-copy-same").first
    broker = copy.inner_text().split()[1]
    copy.focus()
    page.keyboard.press("Enter")
    expect(view.locator(".kl-record-where")).to_contain_text(f"from broker {broker}'s log segment")
    same(page, second)
    produce(cluster, topic, records(34, 1))
    step("previous_batch", 3)
    expect(title).to_contain_text("to 34")  # the newest is the newest it knows of
    step("newest", 34)
