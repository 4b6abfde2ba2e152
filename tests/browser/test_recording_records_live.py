"""A recording of a real cluster, opened in a JupyterLab whose kernel reaches no broker: the views of records in it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import nbformat
from playwright.sync_api import Page, expect

from kafkalab import Cluster, Fleet, Publisher
from kafkalab.sources.report import Report
from kafkalab.state.model import Partition
from kafkalab.waiting import wait_until
from tests.browser.accessibility import audit
from tests.browser.jupyter_page import LONG, Notebook, Server
from tests.browser.test_stream_view_live import execute
from tests.support.clusters import heal, warm

TRUCKS = 60

# Whoever would ask a broker opens a socket; the kernel itself talks to JupyterLab without Python's.
_OPEN = """import json, socket

from kafkalab import LogView, PartitionerView, RecordView, Recording, TruckMap

tried = []

def refuse(self, address):
    tried.append(str(address))
    raise ConnectionRefusedError("there is no broker")

socket.socket.connect = socket.socket.connect_ex = refuse
recording = Recording.open({path!r})
recording.playhead.seek({at})"""

_VIEWS = (
    "logs = LogView(recording, {topic!r}); logs",
    "record = RecordView(recording, {topic!r}, 0, 3); record",
    "PartitionerView(recording, {topic!r})",
    "TruckMap(recording, {topic!r})",
    "None",
)


@dataclass
class Story:
    """What was recorded: the fleet reports, broker 102 is killed and comes back, and all that was sent arrived."""

    topic: str
    path: Path
    #: (partition, offset) → the report that the broker acknowledged there.
    reports: dict[tuple[int, int], Report] = field(default_factory=dict)
    #: Seconds: before the first record, while broker 102 was down, and the end.
    before: float = 0.0
    down: float = 0.0
    end: float = 0.0

    def ends(self) -> dict[int, int]:
        """Partition → its log end, as the acknowledgements say."""
        return {p: 1 + max(o for q, o in self.reports if q == p) for p in {p for p, _ in self.reports}}


def record(cluster: Cluster, topic: str, path: Path) -> Story:
    """Let it happen on real brokers."""
    story = Story(topic, path)

    def acknowledged(report: Report, partition: int, offset: int) -> None:
        story.reports[partition, offset] = report

    def partitions() -> tuple[Partition, ...]:
        found = recording.at(recording.seconds).snapshot
        now = found.topic(topic) if found is not None else None
        assert now is not None
        return now.partitions

    with cluster.record(path, topics=[topic], groups=[]) as recording:
        wait_until(lambda: recording.facts.count("snapshot") > 1, 30, "a snapshot without records")
        story.before = recording.seconds
        publisher = Publisher(
            cluster.bootstrap_servers, Fleet(TRUCKS), topic, lapse=20, on_acknowledged=acknowledged
        )  # fmt: skip
        with publisher:
            wait_until(lambda: len(story.reports) > 2 * TRUCKS, 60, "reports")
            cluster.broker(102).kill()
            wait_until(lambda: all(p.leader not in (None, 102) for p in partitions()), 60, "the elections")
            sent = len(story.reports)
            wait_until(lambda: len(story.reports) > sent + TRUCKS, 60, "reports to the new leaders")
            story.down, then = recording.seconds, story.ends()
            wait_until(lambda: all(end > then[p] for p, end in story.ends().items()), 60, "later records in each log")
        cluster.broker(102).start()
        ends = story.ends()
        wait_until(lambda: {p: e.end for p, e in recording.moment().logs(topic).ends.items()} == ends, 30, "the rest")
        story.end = recording.seconds
    return story


def open_notebook(page: Page, jupyter: tuple[Server, Path], *cells: str) -> Notebook:
    """A notebook with these cells, attached to nothing; all of them have run."""
    server, folder = jupyter
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in cells])
    book.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(book, folder / "recorded.ipynb")
    page.set_viewport_size({"width": 1400, "height": 1000})
    notebook = Notebook(page, server, "recorded.ipynb")
    page.evaluate("window.jupyterapp.shell.collapseLeft()")
    notebook.run(0, len(cells) - 1)
    assert notebook.tracebacks() == []
    return notebook


def ends_shown(page: Page) -> dict[int, int]:
    """Partition → the log end that its lane tells."""
    said = [node.get_attribute("title") or "" for node in page.locator(".kl-log-head").all()]
    found = [re.match(r"partition (\d+):.*log end ([\d\u202f]+)", text) for text in said]
    return {int(m[1]): int(m[2].replace("\u202f", "")) for m in found if m}


def test_a_recording_of_real_brokers_is_shown_at_any_moment_without_one(
    page: Page, shared_jupyter: tuple[Server, Path], new_topic: Callable[[str], str], tmp_path: Path, artifacts: Path
) -> None:
    cluster, topic = warm("zookeeper"), new_topic("trucks")
    cluster.create_topic(topic, partitions=3, replication=3)
    story = record(cluster, topic, tmp_path / "trucks.kafkalab")
    cluster.delete_topic(topic)  # what is shown from here on is in the file, and nowhere else
    cells = [_OPEN.format(path=str(story.path), at=story.end), *(view.format(topic=topic) for view in _VIEWS)]
    notebook = open_notebook(page, shared_jupyter, *cells)

    def seek(at: float) -> None:
        execute(notebook, f"recording.playhead.seek({at}); print(recording.playhead.at)")

    # The end: all that was acknowledged.
    expect(page.locator(".kl-log-lane")).to_have_count(3)
    wait_until(lambda: ends_shown(page) == story.ends(), 60, "the ends", seen=lambda: str(ends_shown(page)))
    expect(page.locator("canvas.kl-map-trucks")).to_have_attribute(
        "aria-label", re.compile(f"^{TRUCKS} trucks in 3 partitions"), timeout=LONG
    )
    expect(page.locator(".kl-partitioner-recorded")).to_contain_text(f"{TRUCKS} keys in {len(story.reports)} rec")
    expect(page.get_by_role("button", name="send it", exact=True)).to_be_hidden()
    shown = page.locator(".kl-record")
    expect(shown).to_contain_text("the leader, handed it out when this was recorded")
    shown.get_by_role("option", name=re.compile("^V?value ")).last.click()
    assert story.reports[0, 3].truck_id in shown.locator(".kl-record-told").inner_text()

    # While the broker was down, its partitions had other leaders; before the first record, there was none.
    seek(story.down)
    expect(page.locator(".kl-log-leader", has_text="102")).to_have_count(0)
    expect(page.locator(".kl-log-leader", has_text="♛")).to_have_count(3)
    wait_until(
        lambda: all(0 < end < story.ends()[p] for p, end in ends_shown(page).items()),
        30,
        "logs that end where they ended then",
        seen=lambda: f"{ends_shown(page)} of {story.ends()}",
    )
    seek(story.before)
    wait_until(lambda: set(ends_shown(page).values()) == {0}, 30, "empty logs")
    expect(shown).to_contain_text("There was no record at offset 3 yet")
    expect(page.locator("canvas.kl-map-trucks")).to_have_attribute("aria-label", "Map without trucks yet.")
    seek(story.end)
    wait_until(lambda: ends_shown(page) == story.ends(), 30, "the end again")

    # Further back than the state reaches, the kernel reads in the file.
    notebook.show(page.locator(".kl-log"))
    page.locator(".kl-log").get_by_label("go to", exact=True).select_option("start")
    expect(page.locator(".kl-log-lane[data-p='0'] .kl-log-is-r[data-o='0']")).to_be_visible()

    for theme in ("Light", "Dark"):
        notebook.theme(f"JupyterLab {theme}")
        for name in ("log", "record", "partitioner", "map"):
            notebook.show(page.locator(f".kl-{name}"))
            notebook.screenshot(artifacts / f"recorded-{name}-{theme.lower()}.png")
            if theme == "Light":
                audit(page, f".kl-{name}")
    assert json.loads(execute(notebook, "print(json.dumps(tried))")) == []
    assert notebook.errors == []
    page.evaluate("window.jupyterapp.serviceManager.sessions.shutdownAll()")
    heal(cluster)
