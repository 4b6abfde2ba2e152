"""LogView in a real JupyterLab on a real cluster: what its lanes show is what Kafka's own tools print."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from kafka import KafkaProducer
from playwright.sync_api import Locator, Page, expect

from kafkalab import Cluster
from kafkalab.waiting import wait_until
from tests.browser.accessibility import audit
from tests.browser.jupyter_page import Notebook
from tests.browser.studio import Studio
from tests.integration.tools_output import offsets, table
from tests.support.clusters import warm

_VIEW = """import threading
import time
from kafka import KafkaConsumer
from kafkalab.views.log_view import LogView

over, names = threading.Event(), iter(("C1", "C2"))
view = LogView(cluster, "{topic}")
view"""

# Each partition is read up to offset 12 only, so that there is a lag to be seen. Run again, it starts the next member.
# A kafka-python consumer now and then asks to join once and then waits for ever; another one is made in its place then.
_MEMBER = """def read(name):
    while not over.is_set():
        consumer = KafkaConsumer(
            "{topic}", bootstrap_servers=cluster.bootstrap_servers, group_id="{topic}-dashboard", client_id=name,
            auto_offset_reset="earliest", enable_auto_commit=False, max_poll_records=4,
        )
        view.follow(name, consumer)
        patience = time.monotonic() + 8
        while not over.is_set() and time.monotonic() < patience:
            if consumer.poll(200):
                consumer.commit()
            if consumer.assignment():
                patience = time.monotonic() + 8
            # A position is None until the group's offset is known.
            consumer.pause(*[tp for tp in consumer.assignment() if (consumer.position(tp) or 0) >= 12])
        consumer.close()

threading.Thread(target=read, args=(next(names),), daemon=True).start()"""


def send(cluster: Cluster, topic: str, count: int) -> None:
    """Records of seven trucks, and now and then one without a key."""
    producer = KafkaProducer(bootstrap_servers=cluster.bootstrap_servers, acks="all")
    for i in range(count):
        key = None if i % 13 == 5 else b"truck-%d" % (i % 7)
        producer.send(topic, key=key, value=json.dumps({"truck": i % 7, "n": i}).encode())
    producer.close()


def lane(page: Page, p: int) -> Locator:
    return page.locator(f".kl-log-lane[data-p='{p}']")


def described(page: Page) -> dict[int, tuple[int, int]]:
    """Partition → (log start, high watermark) as the page says them."""
    said = [node.get_attribute("title") or "" for node in page.locator(".kl-log-head").all()]
    plain = [text.splitlines()[0].replace("\u202f", "") for text in said]
    return {
        int(text.split(":")[0].removeprefix("partition ")): (
            int(text.split("log start ")[1].split(",")[0]),
            int(text.split("high watermark ")[1].split(",")[0]),
        )
        for text in plain
        if "log start" in text
    }


def by_tool(cluster: Cluster, topic: str) -> dict[int, tuple[int, int]]:
    starts, ends = (
        offsets(cluster.tool("kafka-get-offsets", "--topic", topic, "--time", time)) for time in ("-2", "-1")
    )
    return {p: (starts[t, p] or 0, ends[t, p] or 0) for t, p in starts}


def markers(page: Page, group: str) -> dict[int, tuple[str, str, str]]:
    """Partition → (committed, lag, member) as the group's markers say them."""
    found = {}
    for node in page.locator(f".kl-log-mark[data-group='{group}']").all():
        p = node.evaluate("(n) => n.closest('.kl-log-lane').dataset.p")
        words = node.locator(".kl-log-words").inner_text().replace("\u202f", "")
        member = node.locator(".kl-log-member").inner_text()
        if " · committed " in words:
            committed, lag = words.split(" · committed ")[1].split(" · lag ")
            found[int(p)] = (committed, lag, member)
    return found


def holders(notebook: Notebook, group: str) -> set[str]:
    """Who holds partitions as the markers say; lanes are drawn while they are in view."""
    notebook.show(notebook.page.locator(".kl-log"))
    return {member for _, _, member in markers(notebook.page, group).values()}


def groups_by_tool(cluster: Cluster, group: str) -> dict[int, tuple[str, str, str]]:
    rows = table(cluster.tool("kafka-consumer-groups", "--describe", "--group", group))
    return {int(r["PARTITION"]): (r["CURRENT-OFFSET"], r["LAG"], r["CLIENT-ID"]) for r in rows}


def test_lanes_markers_and_deletions_are_those_of_kafkas_tools(
    studio: Studio, new_topic: Callable[[str], str], artifacts: Path, tmp_path: Path
) -> None:
    topic = new_topic("trucks")
    group = f"{topic}-dashboard"
    warm("zookeeper").create_topic(topic, partitions=3, replication=3)
    notebook = studio(_VIEW.format(topic=topic), _MEMBER.format(topic=topic))
    cluster, page = studio.cluster, notebook.page
    expect(page.locator(".kl-log-lane")).to_have_count(3)
    notebook.show(page.locator(".kl-log"))

    send(cluster, topic, 90)
    expected = by_tool(cluster, topic)
    assert sum(high for _, high in expected.values()) == 90
    wait_until(lambda: described(page) == expected, 30, "90 records on the lanes", seen=lambda: str(described(page)))
    notebook.show(page.locator(".kl-log"))
    for p, (_, high) in expected.items():
        expect(lane(page, p).locator(f".kl-log-is-r[data-o='{high - 1}']")).to_be_visible()

    # One member holds all; then another joins, and what the markers say changes as the group does.
    wait_until(
        lambda: holders(notebook, group) == {"C1"} and markers(page, group) == groups_by_tool(cluster, group),
        60, "the markers to agree with kafka-consumer-groups", period=0.5,
        seen=lambda: f"{markers(page, group)}; {cluster.snapshot().group(group)}; {notebook.outputs()[1:]}",
    )  # fmt: skip
    assert len(markers(page, group)) == 3
    expect(page.locator(".kl-log-position[data-name=C1]")).to_have_count(3)
    notebook.run(2, 2)
    wait_until(
        lambda: holders(notebook, group) == {"C1", "C2"},
        60, "a marker to go to C2", seen=lambda: str(markers(page, group)),
    )  # fmt: skip
    wait_until(
        lambda: markers(page, group) == groups_by_tool(cluster, group),
        30, "the markers to agree again", period=0.5, seen=lambda: str(markers(page, group)),
    )  # fmt: skip

    # The left end is eaten where records are deleted.
    plan = {"partitions": [{"topic": topic, "partition": 0, "offset": 8}], "version": 1}
    (tmp_path / "plan.json").write_text(json.dumps(plan))
    cluster.tool("kafka-delete-records", "--offset-json-file", str(tmp_path / "plan.json"))
    page.get_by_label("go to", exact=True).select_option("start")
    expect(lane(page, 0).locator(".kl-log-is-ghost[data-o='7']")).to_be_visible()
    wait_until(lambda: described(page) == by_tool(cluster, topic), 20, "the new log start")

    # By keyboard alone: from the first record on, to the record beside it, and back to the end.
    page.locator(".kl-log-lane [tabindex='0']").focus()
    page.keyboard.press("Home")
    expect(lane(page, 0).locator(".kl-log-cell[data-o='8']")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".kl-log-card")).to_contain_text("P0 · offset 9")
    page.keyboard.press("f")
    expect(page.locator(".kl-log-follow")).to_have_attribute("aria-pressed", "true")

    for theme in ("Light", "Dark"):
        notebook.theme(f"JupyterLab {theme}")
        notebook.show(page.locator(".kl-log"))
        lane(page, 1).locator(".kl-log-cell.kl-log-is-r").nth(6).hover()
        expect(page.locator(".kl-log-card")).to_contain_text("P1 · offset")
        notebook.screenshot(artifacts / f"view-log-{theme.lower()}.png")
        audit(page, ".kl-log")
    assert notebook.errors == []
