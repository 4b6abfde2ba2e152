"""Views in a real JupyterLab on a real cluster: what is pressed reaches the kernel, and its answer reaches the page."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from kafkalab.state.log.murmur2 import partition_of
from kafkalab.waiting import wait_until
from tests.browser.drawn import readers
from tests.browser.jupyter_page import LONG
from tests.browser.studio import Studio
from tests.support.group_members import members
from tests.support.records import produce, read

pytestmark = pytest.mark.deep

SHOW = (
    """from kafkalab import DurabilityMatrix, GroupView, Ledger, PartitionerView, RecordView
ledger = Ledger()
for id in ("kept", "lost"):
    ledger.sent(id)
    ledger.acknowledged(id)
ledger.seen("kept", (0, 7))
ledger.view(topic={topic!r})""",
    "PartitionerView(cluster, {topic!r})",
    "RecordView(cluster, {topic!r}, partition=0, offset=0)",
    "GroupView(cluster, {group!r})",
    'DurabilityMatrix(cluster, 40, acks=["all"], min_insync=[1, 2], brokers_up=1, quiet=True)',
)
KEYS = [b"T%04d" % i for i in range(60)]


@pytest.mark.timeout(300)
def test_each_answers_the_keyboard(studio: Studio, new_topic: Callable[[str], str]) -> None:
    topic, group, cluster, page = new_topic("views"), new_topic("group"), studio.cluster, studio.page
    cluster.create_topic(topic, partitions=4, replication=3)
    produce(cluster, topic, ({"key": key, "value": b"x"} for key in KEYS))
    notebook = studio(*(cell.format(topic=topic, group=group) for cell in SHOW))

    def press(view: str, button: str) -> None:
        one = notebook.show(page.locator(view)).get_by_role("button", name=button, exact=True)
        expect(one).to_be_enabled(timeout=LONG)  # while the kernel is busy with the last press, this one is dropped
        one.focus()
        page.keyboard.press("Enter")

    ledger = notebook.show(page.locator(".kl-ledger"))
    ledger.get_by_label("id of a record").fill("kept")
    page.keyboard.press("Enter")
    expect(ledger.locator(".kl-lg-places .kl-pill")).to_have_text(["P0 offset 7"])

    keys = notebook.show(page.locator(".kl-partitioner"))
    expect(keys.locator(".kl-columns .kl-dot-key")).to_have_count(len(KEYS))
    for _ in range(2):
        press(".kl-partitioner", "one partition more")
    press(".kl-partitioner", "add 2 partitions for real")
    press(".kl-partitioner", "yes, add them")
    expect(keys.locator(".kl-partitioner-head")).to_contain_text("6 partitions", timeout=LONG)
    keys.get_by_label("key", exact=True).fill("T0001")
    press(".kl-partitioner", "send it")
    expect(keys.locator(".kl-sent li")).to_contain_text(f"P{partition_of(b'T0001', 6)}", timeout=LONG)
    there = {r.partition for r in read(cluster, topic, len(KEYS) + 1) if r.key == b"T0001"}
    assert there == {partition_of(b"T0001", 4), partition_of(b"T0001", 6)}

    record, first = notebook.show(page.locator(".kl-record")), [k for k in KEYS if partition_of(k, 4) == 0]
    for offset in (0, 1):
        expect(record.locator(".kl-record-title")).to_contain_text(f"offset {offset}")
        value = record.locator("[role=option][data-field='key'] .kl-field-value")
        expect(value).to_have_text(first[offset].decode())
        record.locator("[data-key=next]").press("Enter")
    # The other replicas have the same bytes; from one of them it is read, and what comes while one looks is there.
    same = record.locator(".kl-copy-same")
    expect(same).to_have_count(2)
    follower = same.first.inner_text().split()[1]
    same.first.press("Enter")
    expect(record.locator(".kl-record-where")).to_contain_text(f"from broker {follower}'s")
    produce(cluster, topic, [{"key": b"new", "value": b"x", "partition": 0}])
    title = record.locator(".kl-record-title")
    expect(title).to_contain_text(f"to {len(first)}")
    record.locator("[data-key=newest]").press("Enter")
    expect(title).to_contain_text(f"offset {len(first)}")

    notebook.show(page.locator(".kl-group"))
    with members(cluster, group, topic, "C1"):
        wait_until(lambda: readers(page) == {"C1": [*range(6)]}, 60, "C1", seen=lambda: str(readers(page)))

    press(".kl-durability", "run it")
    matrix = page.locator(".kl-durability")
    expect(matrix.locator(".kl-dm-summary")).to_contain_text("2 cells run", timeout=LONG)
    # A leader alone: its log outlives its process and not its disk.
    expect(matrix.locator("[data-cell='aall-m1-u1-k']")).to_contain_text("disk lost: ✗")
    expect(matrix.locator("[data-cell='aall-m2-u1-k']")).to_contain_text("⊘ refused")
    assert "durability-" not in cluster.tool("kafka-topics", "--list")
    assert all(node.state == "running" for node in cluster.nodes())
