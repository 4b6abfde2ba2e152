"""PartitionerView in a real JupyterLab: records go where it is calculated, and stay when partitions are added."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from kafkalab.state.murmur2 import partition_of
from tests.browser.jupyter_page import LONG
from tests.browser.studio import Studio
from tests.support.records import produce, read

pytestmark = pytest.mark.deep

SHOW = "from kafkalab import PartitionerView\nPartitionerView(cluster, {topic!r})"
TRUCKS = [b"T%04d" % i for i in range(60)]
#: One that moves when four partitions become six.
MOVER = next(key for key in TRUCKS if partition_of(key, 4) != partition_of(key, 6))


def sent(page: Page, number: int) -> tuple[int, int]:
    """(partition, offset) of what was sent, as the page says it."""
    line = page.locator(f".kl-sent li[data-sent='{number}']")
    expect(line).to_be_visible(timeout=LONG)
    found = re.search(r"P(\d+)\s+offset (\d+)", line.inner_text())
    assert found, line.inner_text()
    return int(found[1]), int(found[2])


def test_records_go_where_it_is_calculated(studio: Studio, new_topic: Callable[[str], str]) -> None:
    topic, cluster, page = new_topic("keys"), studio.cluster, studio.page
    cluster.create_topic(topic, partitions=4, replication=3)
    produce(cluster, topic, ({"key": key, "value": b"x"} for key in TRUCKS))
    studio(SHOW.format(topic=topic))
    view = page.locator(".kl-partitioner")
    expect(view.locator(".kl-columns .kl-dot-key")).to_have_count(len(TRUCKS), timeout=LONG)
    for p in range(4):
        here = sum(partition_of(key, 4) == p for key in TRUCKS)
        expect(view.locator(f"[data-partition='{p}'] .kl-dot-key")).to_have_count(here)
    expect(view.locator(".kl-columns .kl-astray")).to_have_count(0)

    def press(button: str) -> None:
        """By keyboard."""
        view.get_by_role("button", name=button, exact=True).focus()
        page.keyboard.press("Enter")

    view.get_by_label("key", exact=True).focus()
    page.keyboard.press("Control+a")
    page.keyboard.type(MOVER.decode())
    press("send it")
    before = sent(page, 0)
    assert before[0] == partition_of(MOVER, 4)
    expect(view.locator(".kl-partitioner-really")).to_contain_text("2 records", timeout=LONG)

    # What if, and then for real.
    for _ in range(2):
        view.get_by_label("one partition more").focus()
        page.keyboard.press("Enter")
    moving = sum(partition_of(key, 4) != partition_of(key, 6) for key in TRUCKS)
    expect(view.locator(".kl-columns .kl-mover")).to_have_count(moving)
    press("add 2 partitions for real")
    press("yes, add them")
    expect(view.locator(".kl-partitioner-head")).to_contain_text("6 partitions", timeout=LONG)
    expect(view.locator(".kl-columns .kl-astray")).to_have_count(moving)

    # A new record goes where it is calculated now; the old ones have stayed.
    press("send it")
    after = sent(page, 1)
    assert after[0] == partition_of(MOVER, 6) != before[0]
    chips = view.locator(".kl-partitioner-really .kl-place .kl-part-chip")
    expect(chips).to_have_count(2, timeout=LONG)
    assert set(chips.all_inner_texts()) == {f"P{before[0]}", f"P{after[0]}"}

    # Without a key: ten of them, to more than one partition (one in 6⁹ says otherwise).
    view.get_by_label("what the key is").select_option("null")
    view.get_by_role("button", name="send it 10 times").focus()
    page.keyboard.press("Enter")
    assert len({sent(page, i)[0] for i in range(2, 12)}) > 1
    there = {(r.partition, r.offset): r.key for r in read(cluster, topic, len(TRUCKS) + 12)}
    assert there[before] == there[after] == MOVER
    assert [there[sent(page, i)] for i in range(2, 12)] == [None] * 10
