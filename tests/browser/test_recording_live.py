"""A real run in a real JupyterLab: recorded, gone back in by its time line, and seen again by a kernel without brokers.

Trucks report, a broker is killed and is back, more reports come.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from kafkalab import Cluster, Fleet, Publisher
from kafkalab.sources.report import Report
from kafkalab.waiting import wait_until
from tests.browser.accessibility import audit
from tests.browser.drawn import chips, lanes, leaders, readers, tab_to
from tests.browser.jupyter_page import LONG
from tests.browser.studio import Studio
from tests.support.group_members import members

pytestmark = pytest.mark.deep

TRUCKS = 60
LIVE = """from IPython.display import display
from kafkalab import ClusterView, LogView

recording = cluster.record({path!r}, topics=[{topic!r}], groups=[{group!r}])
bar = recording.timeline()
display(bar, ClusterView(recording, topic={topic!r}), LogView(recording, {topic!r}))"""
# Whoever would ask a broker opens a socket; the kernel itself talks to JupyterLab without Python's.
AGAIN = """import json, socket

from kafkalab import *

tried = []

def refuse(self, address):
    tried.append(str(address))
    raise ConnectionRefusedError("there is no broker")

socket.socket.connect = socket.socket.connect_ex = refuse
recording = Recording.open({path!r})
print(recording.problem or "whole")"""
VIEWS = (
    "ClusterView(recording, topic={topic!r})",
    "GroupView(recording, {group!r})",
    "MetadataView(recording)",
    "LogView(recording, {topic!r})",
    "RecordView(recording, {topic!r}, 0, 3)",
    "PartitionerView(recording, {topic!r})",
    "TruckMap(recording, {topic!r})",
)

#: (partition, offset) → the report that a broker acknowledged there.
Reports = dict[tuple[int, int], Report]


def publish(cluster: Cluster, topic: str, reports: Reports, more: int) -> dict[int, int]:
    """At least so many further reports in each partition; partition → its log end, as the acknowledgements say."""

    def acknowledged(report: Report, partition: int, offset: int) -> None:
        reports[partition, offset] = report

    def ends() -> dict[int, int]:
        return {p: 1 + max((o for q, o in list(reports) if q == p), default=-1) for p in range(3)}

    before = ends()
    with Publisher(cluster.bootstrap_servers, Fleet(TRUCKS), topic, lapse=20, on_acknowledged=acknowledged):
        wait_until(lambda: all(end >= before[p] + more for p, end in ends().items()), 60, "reports")
    return ends()


def dead(page: Page) -> Locator:
    """Broker 102 as ClusterView draws it when it is down."""
    return page.locator(".kl-cluster [data-broker='102'].kl-is-down").first


@pytest.mark.timeout(400)
def test_a_run_is_seen_again_without_brokers(
    studio: Studio, new_topic: Callable[[str], str], tmp_path: Path, artifacts: Path
) -> None:
    topic, group, reports, path = new_topic("again"), new_topic("readers"), Reports(), str(tmp_path / "a.kafkalab")
    names = {"topic": topic, "group": group, "path": path}
    cluster = studio.cluster
    cluster.create_topic(topic, partitions=3, replication=3)
    notebook = studio(LIVE.format(**names))
    page = notebook.page

    def leading() -> dict[int, int]:
        return leaders(chips(page, topic))

    def drawn(ends: dict[int, int], by: dict[int, int]) -> None:
        def seen() -> tuple[dict[int, int], dict[int, int]]:
            return {p: end for p, (_, _, end) in lanes(page).items()}, leading()

        wait_until(lambda: seen() == (ends, by), 60, f"lanes until {ends}, led by {by}", seen=lambda: str(seen()))

    def moment() -> float:
        return float(notebook.add("print(recording.seconds)"))

    up, where = page.locator(".kl-tl-up").first, page.locator(".kl-tl-where").first
    expect(up).to_have_text("● 3 of 3 brokers up", timeout=LONG)
    expect(where).to_have_text("● live")
    nothing = dict.fromkeys(range(3), 0)
    wait_until(lambda: len(leading()) == 3, 60, "the leaders to be drawn")
    first = leading()
    drawn(nothing, first)
    before = moment()

    with members(cluster, group, topic, "C1"):
        reported = publish(cluster, topic, reports, 5)
        drawn(reported, first)
        # Live, the view of the recording has the cluster's buttons.
        page.get_by_label("topics shown").first.focus()
        tab_to(page, "kill broker 102")
        page.keyboard.press("Enter")
        lines = page.locator(".kl-tl-lines").first
        expect(lines).to_contain_text("you killed broker 102", timeout=LONG)
        expect(lines).to_contain_text("broker 102 is down", timeout=LONG)
        expect(dead(page)).to_be_visible(timeout=LONG)
        expect(up).to_have_text("✕ 2 of 3 brokers up")
        told = cluster.wait_for(lambda s: all(p.leader not in (None, 102) for p in s.topic(topic).partitions), 60, "…")
        after = {p.partition: p.leader for p in told.topic(topic).partitions}
        cluster.wait_for(lambda s: s.group(group) and s.group(group).state == "Stable", 60, "the group to be stable")
        later = publish(cluster, topic, reports, 2)
        drawn(later, after)
        who = (
            f"g = recording.moment().snapshot.group({group!r})\n"
            "print(g and [g.state, *(member.client_id for member in g.members)])"
        )
        wait_until(lambda: notebook.add(who).strip() == "['Stable', 'C1']", 60, "C1 to be recorded as the reader")
        down = moment()

    # Back by mouse: the picture is that of before, and nothing of the past can be broken again.
    slider = page.get_by_role("slider", name="moment of the recording").first
    box = notebook.show(slider).bounding_box()
    assert box
    page.mouse.click(box["x"] + 4, box["y"] + box["height"] / 2)
    expect(up).to_have_text("● 3 of 3 brokers up")
    expect(dead(page)).to_have_count(0, timeout=LONG)
    expect(where).to_contain_text("ago, recorded")
    expect(page.get_by_label("kill broker 102")).to_have_count(0)
    drawn(nothing, first)

    # Forth by its line, where it gets a name; and live again, where the broker is started.
    lines.get_by_role("button").filter(has_text="broker 102 is down").first.click()
    expect(dead(page)).to_be_visible(timeout=LONG)
    page.get_by_role("textbox", name="name of this moment").first.fill("the crash <b>")
    page.keyboard.press("Enter")
    expect(page.locator(".kl-tl-chip").first).to_contain_text("★ the crash <b>", timeout=LONG)
    audit(page, ".kl-timeline")
    page.get_by_role("button", name="live", exact=True).first.click()
    expect(page.get_by_role("button", name="start broker 102").first).to_be_visible(timeout=LONG)
    page.get_by_label("topics shown").first.focus()
    tab_to(page, "start broker 102")
    page.keyboard.press("Enter")
    expect(up).to_have_text("● 3 of 3 brokers up", timeout=LONG)
    notebook.add("recording.stop()")
    cluster.delete_topic(topic)  # what is shown from here on is in the file, and nowhere else

    notebook.restart()
    notebook.clear()
    page.set_viewport_size({"width": 1400, "height": 5000})
    assert notebook.add(AGAIN.format(**names)) == "whole\n"
    notebook.add(*(view.format(**names) for view in VIEWS))
    record, trucks = page.locator(".kl-record"), page.locator("canvas.kl-map-trucks")
    wait_until(lambda: {p: end for p, (_, _, end) in lanes(page).items()} == later, 60, "the ends")
    # Those that had a turn: on a quick machine the reports are there before every truck had one.
    many = len({report.truck_id for report in reports.values()})
    expect(trucks).to_have_attribute("aria-label", re.compile(f"^{many} trucks in 3 partitions"), timeout=LONG)
    expect(page.locator(".kl-partitioner-recorded")).to_contain_text(f"{many} keys in {len(reports)} rec")
    expect(page.get_by_role("button", name="send it", exact=True)).to_be_hidden()
    expect(record).to_contain_text("the leader, handed it out when this was recorded")
    record.get_by_role("option", name=re.compile("^V?value ")).last.click()
    assert reports[0, 3].truck_id in record.locator(".kl-record-told").inner_text()

    all_by_c1 = {"C1": [0, 1, 2]}
    for at, ends, by, held in (
        (down, later, after, all_by_c1), (before, nothing, first, {}), (down, later, after, all_by_c1),
    ):  # fmt: skip
        notebook.add(f"recording.playhead.seek({at})")
        drawn(ends, by)
        wait_until(lambda held=held: readers(page) == held, 30, "who read", seen=lambda: str(readers(page)))
        node = page.locator(".kl-tree-row[data-path='/brokers/ids/102']")
        expect(node).to_contain_text("not there" if at == down else "ephemeral")
        expect(trucks).to_have_attribute("aria-label", re.compile(f"^{many} t" if held else "^Map without trucks"))
        if not held:
            expect(record).to_contain_text("There is no record at offset 3 yet")
    expect(page.locator(".kl-metadata .kl-act")).to_be_hidden()
    notebook.screenshot(artifacts / "recording.png")
    assert json.loads(notebook.add("print(json.dumps(tried))")) == []
    notebook.restart()
