"""RecordView in a real JupyterLab: bytes of a real log, compared with what Kafka's own tool says of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from kafka import KafkaProducer
from playwright.sync_api import Page, expect

from kafkalab import Cluster
from kafkalab.cluster.log_dirs import LocalLogDir
from tests.browser.accessibility import audit
from tests.browser.jupyter_page import LONG, Notebook
from tests.browser.studio import Studio

VIEW = ".kl-record"
CELL = """from kafkalab.views.record_view import RecordView
view = RecordView(cluster, "{topic}", partition=0, offset=1)
view"""


def produce(cluster: Cluster, topic: str, first: int, count: int, codec: str | None) -> None:
    producer = KafkaProducer(bootstrap_servers=cluster.bootstrap_servers, linger_ms=200, compression_type=codec)
    for i in range(first, first + count):
        value = b'{"truck_id": "T%04d", "speed_kmh": %d, "heading_deg": 12.0}' % (i, 80 + i)
        producer.send(topic, key=b"T%04d" % i, value=value, headers=[("source", b"fleet")])
    producer.flush()
    producer.close()


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


def step(page: Page, name: str) -> None:
    """By keyboard alone."""
    page.locator(f"{VIEW} [data-step='{name}']").focus()
    page.keyboard.press("Enter")


def shots(notebook: Notebook, artifacts: Path) -> None:
    notebook.page.set_viewport_size({"width": 1400, "height": 1500})  # all of it in one picture
    for theme, name in (("JupyterLab Dark", "dark"), ("JupyterLab Light", "light")):
        notebook.theme(theme)
        audit(notebook.page, VIEW)
        notebook.page.evaluate("document.querySelector('.kl-record').scrollIntoView({block: 'start'})")
        notebook.page.locator(VIEW).screenshot(path=artifacts / f"view-record-{name}.png")


@pytest.mark.timeout(300)
def test_a_real_batch_is_what_kafkas_own_tool_says(
    studio: Studio, artifacts: Path, new_topic: Callable[[str], str]
) -> None:
    topic = new_topic("bytes")
    notebook = studio("import kafkalab")
    cluster, page = studio.cluster, notebook.page
    cluster.create_topic(topic, partitions=1, replication=3)
    produce(cluster, topic, 0, 4, None)
    produce(cluster, topic, 4, 30, "zstd")
    notebook.add(CELL.format(topic=topic))
    view = page.locator(VIEW)
    expect(view.locator(".kl-record-title")).to_contain_text("offset 1", timeout=LONG)
    first, second = dumped(cluster, topic)
    same(page, first)
    assert (shown(page, "key"), shown(page, "header0_value")) == ("T0001", "fleet")
    expect(view.locator(".kl-copy-same")).to_have_count(2)

    # Record by record to the end of the batch, and over it into the next, which is compressed.
    for offset in (2, 3, 4):
        step(page, "next")
        expect(view.locator(".kl-record-title")).to_contain_text(f"offset {offset}")
        expect(view.locator("[data-step=next]")).to_be_focused()
    same(page, second)
    assert shown(page, "packed").endswith("of zstd")
    assert shown(page, "key") == "T0004"
    shots(notebook, artifacts)

    # From a follower that is killed: its file is still there, and still the same.
    page.locator(".kl-copy-same").first.focus()
    broker = int(page.locator(".kl-copy-same").first.inner_text().split()[1])
    page.keyboard.press("Enter")
    expect(view.locator(".kl-record-where")).to_contain_text(f"from broker {broker}'s log segment")
    cluster.broker(broker).kill()
    expect(view.locator(".kl-copy-shown")).to_contain_text("✕", timeout=LONG)
    same(page, second)

    # What comes while one looks can be gone to.
    produce(cluster, topic, 34, 1, None)
    step(page, "previous_batch")
    expect(view.locator(".kl-record-title")).to_contain_text("offset 3")
    cluster.broker(broker).start()
    expect(view.locator(".kl-record-title")).to_contain_text("of 0 to 34", timeout=LONG)
    step(page, "newest")
    expect(view.locator(".kl-record-title")).to_contain_text("offset 34")
    assert notebook.errors == []
