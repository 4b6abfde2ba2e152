"""PartitionerView in a real JupyterLab: records go where it is calculated, and stay when partitions are added."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from kafka import KafkaProducer
from playwright.sync_api import expect

from kafkalab import Cluster
from kafkalab.state.murmur2 import partition_of
from tests.browser.accessibility import audit
from tests.browser.jupyter_page import LONG, Notebook
from tests.browser.studio import Studio

VIEW = ".kl-partitioner"
CELL = """from kafkalab.views.partitioner_view import PartitionerView
view = PartitionerView(cluster, "{topic}")
view"""
TRUCKS = [b"T%04d" % i for i in range(120)]
#: One that moves when four partitions become six.
MOVER = next(key.decode() for key in TRUCKS if partition_of(key, 4) != partition_of(key, 6))


def consumed(cluster: Cluster, topic: str, partition: int, offset: int) -> str:
    """The key of a record by Kafka's own consumer."""
    where = ("--partition", str(partition), "--offset", str(offset), "--max-messages", "1")
    printed = cluster.tool(
        "kafka-console-consumer", "--topic", topic, *where, "--property", "print.key=true", "--property",
        "print.value=false", "--timeout-ms", "20000",
    )  # fmt: skip
    return printed.splitlines()[0]


def newest_sent(notebook: Notebook, number: int) -> tuple[int, int]:
    """(partition, offset) of what was sent, as the page says it."""
    line = notebook.page.locator(f"{VIEW} .kl-sent li[data-sent='{number}']")
    expect(line).to_be_visible(timeout=LONG)
    found = re.search(r"P(\d+)\s+offset (\d+)", line.inner_text())
    assert found, line.inner_text()
    return int(found[1]), int(found[2])


def shots(notebook: Notebook, artifacts: Path) -> None:
    notebook.page.set_viewport_size({"width": 1400, "height": 1500})  # all of it in one picture
    for theme, name in (("JupyterLab Dark", "dark"), ("JupyterLab Light", "light")):
        notebook.theme(theme)
        audit(notebook.page, VIEW)
        notebook.page.evaluate("document.querySelector('.kl-partitioner').scrollIntoView({block: 'start'})")
        notebook.page.locator(VIEW).screenshot(path=artifacts / f"view-partitioner-{name}.png")


@pytest.mark.timeout(300)
def test_records_go_where_it_is_calculated_and_stay_when_partitions_are_added(
    studio: Studio, artifacts: Path, new_topic: Callable[[str], str]
) -> None:
    topic = new_topic("keys")
    notebook = studio("import kafkalab")
    cluster, page = studio.cluster, notebook.page
    cluster.create_topic(topic, partitions=4, replication=3)
    producer = KafkaProducer(bootstrap_servers=cluster.bootstrap_servers)
    for key in TRUCKS:
        producer.send(topic, key=key, value=b"x")
    producer.flush()
    producer.close()
    notebook.add(CELL.format(topic=topic))
    view = page.locator(VIEW)
    dots = view.locator(".kl-columns .kl-dot-key")
    expect(dots).to_have_count(len(TRUCKS), timeout=LONG)
    for p in range(4):
        expect(view.locator(f"[data-partition='{p}'] .kl-dot-key")).to_have_count(
            sum(partition_of(key, 4) == p for key in TRUCKS)
        )
    expect(view.locator(".kl-columns .kl-astray")).to_have_count(0)

    # Sent by keyboard, acknowledged by the broker, found there by Kafka's own consumer.
    view.get_by_label("key", exact=True).focus()
    page.keyboard.press("Control+a")
    page.keyboard.type(MOVER)
    view.get_by_role("button", name="send it", exact=True).focus()
    page.keyboard.press("Enter")
    partition, offset = newest_sent(notebook, 0)
    assert partition == partition_of(MOVER.encode(), 4)
    assert consumed(cluster, topic, partition, offset) == MOVER
    expect(view.locator(".kl-partitioner-really")).to_contain_text("2 records", timeout=LONG)

    # What if, and then for real: also by keyboard.
    for _ in range(2):
        view.get_by_label("one partition more").focus()
        page.keyboard.press("Enter")
    moving = sum(partition_of(key, 4) != partition_of(key, 6) for key in TRUCKS)
    expect(view.locator(".kl-columns .kl-mover")).to_have_count(moving)
    view.get_by_role("button", name="add 2 partitions for real").focus()
    page.keyboard.press("Enter")
    view.get_by_role("button", name="yes, add them").focus()
    page.keyboard.press("Enter")
    expect(view.locator(".kl-partitioner-head")).to_contain_text("6 partitions", timeout=LONG)
    assert "PartitionCount: 6" in cluster.tool("kafka-topics", "--describe", "--topic", topic)
    expect(view.locator(".kl-columns .kl-astray")).to_have_count(moving)
    expect(view.locator(".kl-what-says")).to_contain_text("when there were 4 partitions")

    # A new record goes where it is calculated now; the old ones have stayed.
    view.get_by_role("button", name="send it", exact=True).focus()
    page.keyboard.press("Enter")
    after, offset = newest_sent(notebook, 1)
    assert after == partition_of(MOVER.encode(), 6) != partition
    assert consumed(cluster, topic, after, offset) == MOVER
    expect(view.locator(".kl-partitioner-really .kl-part-chip").first).to_be_visible()
    chips = view.locator(".kl-partitioner-really .kl-place .kl-part-chip")
    expect(chips).to_have_count(2, timeout=LONG)
    assert set(chips.all_inner_texts()) == {f"P{partition}", f"P{after}"}

    # Without a key: ten of them, to more than one partition (one in 6⁹ says otherwise).
    view.get_by_label("what the key is").select_option("null")
    view.get_by_role("button", name="send it 10 times").focus()
    page.keyboard.press("Enter")
    assert len({newest_sent(notebook, i)[0] for i in range(2, 12)}) > 1
    expect(view.locator(".kl-flying")).to_have_count(0)
    view.get_by_label("what the key is").select_option("text")
    shots(notebook, artifacts)

    # Frozen, it keeps its picture, says so, and there is nothing to press.
    sent = view.locator(".kl-partitioner-really tr").count()
    notebook.add("view.freeze()")
    expect(page.locator(".kl-standstill").filter(has_text="run its cell again")).to_be_visible()
    expect(view.get_by_role("button", name="send it", exact=True)).to_be_disabled()
    expect(view.locator(".kl-partitioner-really tr")).to_have_count(sent)
    assert notebook.errors == []
