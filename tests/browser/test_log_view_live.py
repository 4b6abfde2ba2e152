"""LogView in a real JupyterLab on a real cluster: what its lanes show is what Kafka's own tools print."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from kafkalab import Cluster
from kafkalab.waiting import wait_until
from tests.browser.drawn import lanes
from tests.browser.studio import Studio
from tests.integration.tools_output import offsets, table
from tests.support.records import produce

pytestmark = pytest.mark.deep

# Each partition is read up to offset 12 only, so that there is a lag to be seen. A kafka-python consumer now and then
# asks to join once and then waits for ever; another one is made in its place then.
SHOW = """import threading
import time
from kafka import KafkaConsumer
from kafkalab import LogView

over = threading.Event()
view = LogView(cluster, {topic!r})

def read():
    while not over.is_set():
        consumer = KafkaConsumer(
            {topic!r}, bootstrap_servers=cluster.bootstrap_servers, group_id={group!r}, client_id="C1",
            auto_offset_reset="earliest", enable_auto_commit=False, max_poll_records=4,
        )
        view.follow("C1", consumer)
        patience = time.monotonic() + 8
        while not over.is_set() and time.monotonic() < patience:
            if consumer.poll(200):
                consumer.commit()
            if consumer.assignment():
                patience = time.monotonic() + 8
            # A position is None until the group's offset is known.
            consumer.pause(*[tp for tp in consumer.assignment() if (consumer.position(tp) or 0) >= 12])
        consumer.close()

member = threading.Thread(target=read, daemon=True)
member.start()
view"""


def drawn(page: Page) -> dict[int, tuple[int, int]]:
    """Partition → (log start, high watermark), as the page says them."""
    return {p: (start, high) for p, (start, high, _) in lanes(page).items()}


def told(cluster: Cluster, topic: str) -> dict[int, tuple[int, int]]:
    """The same by Kafka's tool."""
    starts, ends = (
        offsets(cluster.tool("kafka-get-offsets", "--topic", topic, "--time", time)) for time in ("-2", "-1")
    )
    return {p: (starts[t, p] or 0, ends[t, p] or 0) for t, p in starts}


def markers(page: Page, group: str) -> dict[int, tuple[str, str, str]]:
    """Partition → (committed, lag, member) as the group's markers say them."""
    # All in one look: a marker that moves on leaves its lane in between.
    said = page.locator(f".kl-log-lane:has(.kl-log-mark[data-group='{group}'])").evaluate_all(
        """(lanes, group) => lanes.map((lane) => {
          const mark = lane.querySelector(`.kl-log-mark[data-group='${group}']`);
          const text = (part) => mark.querySelector(part)?.textContent ?? "";
          return [Number(lane.dataset.p), text(".kl-log-words"), text(".kl-log-member")];
        })""",
        group,
    )
    found = {}
    for p, words, member in said:
        if " · committed " in words:
            committed, lag = words.replace("\u202f", "").split(" · committed ")[1].split(" · lag ")
            found[p] = (committed, lag, member)
    return found


def test_lanes_and_markers_are_those_of_the_tools(
    studio: Studio, new_topic: Callable[[str], str], tmp_path: Path
) -> None:
    topic, group = new_topic("trucks"), new_topic("dashboard")
    cluster, page = studio.cluster, studio.page
    cluster.create_topic(topic, partitions=3, replication=3)
    notebook = studio(SHOW.format(topic=topic, group=group))
    expect(page.locator(".kl-log-lane")).to_have_count(3)
    produce(cluster, topic, ({"value": b"%d" % i, "key": b"truck-%d" % (i % 7)} for i in range(90)))
    expected = told(cluster, topic)
    assert sum(high for _, high in expected.values()) == 90
    wait_until(lambda: drawn(page) == expected, 30, "90 records on the lanes", seen=lambda: str(drawn(page)))
    notebook.show(page.locator(".kl-log"))
    for p, (_, high) in expected.items():
        expect(page.locator(f".kl-log-lane[data-p='{p}'] .kl-log-is-r[data-o='{high - 1}']")).to_be_visible()

    def by_tool() -> dict[int, tuple[str, str, str]]:
        rows = table(cluster.tool("kafka-consumer-groups", "--describe", "--group", group))
        return {int(r["PARTITION"]): (r["CURRENT-OFFSET"], r["LAG"], r["CLIENT-ID"]) for r in rows}

    def agree() -> bool:
        notebook.show(page.locator(".kl-log"))  # lanes are drawn while they are in view
        shown = markers(page, group)
        return len(shown) == 3 and {member for _, _, member in shown.values()} == {"C1"} and shown == by_tool()

    wait_until(agree, 60, "the markers to agree with kafka-consumer-groups", seen=lambda: str(markers(page, group)))
    expect(page.locator(".kl-log-position[data-name=C1]")).to_have_count(3)

    # The left end is eaten where records are deleted.
    plan = {"partitions": [{"topic": topic, "partition": 0, "offset": 8}], "version": 1}
    (tmp_path / "plan.json").write_text(json.dumps(plan))
    cluster.tool("kafka-delete-records", "--offset-json-file", str(tmp_path / "plan.json"))
    page.get_by_label("go to", exact=True).select_option("start")
    expect(page.locator(".kl-log-lane[data-p='0'] .kl-log-is-ghost[data-o='7']")).to_be_visible()
    expected[0] = (8, expected[0][1])
    wait_until(lambda: drawn(page) == expected, 20, "the new log start", seen=lambda: str(drawn(page)))
    notebook.add("over.set()\nmember.join()")
