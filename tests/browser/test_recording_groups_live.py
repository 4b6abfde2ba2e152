"""A recording of a real run in a real JupyterLab, with no broker running: groups, metadata, a query, by its playhead.

The run is real: a group's member dies, the controller is killed and comes back. The query is not of that run: it is
what Spark reported of another one, kept as a sample, for Spark takes longer to start than all the rest here.
"""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import Page, expect

from kafkalab import Cluster
from kafkalab.state.model import Snapshot
from kafkalab.waiting import wait_until
from tests.browser.accessibility import audit
from tests.browser.jupyter_page import Notebook, Server
from tests.browser.test_group_view_live import shown
from tests.integration import one_member
from tests.unit.views.stream_samples import reports

GROUP, TOPIC = "dashboard", "trucks_gps"
CELLS = (
    "from kafkalab import ClusterView, GroupView, MetadataView, Recording, StreamView\n"
    'recording = Recording.open("{path}")\nprint(recording.problem or "whole")',
    "ClusterView(recording)",
    "GroupView(recording)",
    "MetadataView(recording)",
    "StreamView(recording)",
)


@dataclass
class Run:
    """What was recorded, and what Kafka itself said at the moments that were given a name."""

    path: Path
    ports: list[int] = field(default_factory=list)
    moments: dict[str, tuple[float, Snapshot, int]] = field(default_factory=dict)


def member(cluster: Cluster, client: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, str(one_member.__file__), cluster.bootstrap_servers, GROUP, client, TOPIC]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def held(snapshot: Snapshot) -> dict[str, list[int]]:
    """Client → the partitions it holds."""
    group = snapshot.group(GROUP)
    found = group.members if group is not None and group.state == "Stable" else ()
    return {m.client_id: sorted(p for _, p in m.partitions) for m in found}


def record(path: Path) -> Run:
    """The run: two members share three partitions, one dies; the controller is killed, and is back. Then all ends."""
    run, running = Run(path), []
    with Cluster(quiet=True) as cluster:
        run.ports = [int(address.rpartition(":")[2]) for address in cluster.bootstrap_servers.split(",")]
        cluster.create_topic(TOPIC, partitions=3)
        recording = cluster.record(path, groups=[GROUP])
        query = iter(reports("windows"))

        def reached(name: str, until: Callable[[Snapshot], object]) -> None:
            snapshot = cluster.wait_for(until, 60, name)
            # What is recorded next says the same, and so do ZooKeeper's watches and the group's coordinator.
            wait_until(lambda: recording.at(recording.seconds).snapshot == snapshot or until(last()), 20, "its record")
            wait_until(lambda: len(recorded_members()) == len(held(snapshot)), 20, "the group to be followed")
            for _ in range(6):
                recording.put(recording.seconds, "stream/windows", "add", next(query))
            at = recording.name(name, recording.seconds).at
            run.moments[name] = (at, last(), recording.facts.count("stream/windows"))

        def last() -> Snapshot:
            found = recording.at(recording.seconds).snapshot
            assert found is not None
            return found

        def recorded_members() -> dict[str, object]:
            history = recording.facts.value(f"group/{GROUP}") or {"steps": []}
            steps: list[dict[str, dict[str, object]]] = history["steps"]
            return {id: holds for id, holds in steps[-1]["held"].items() if holds} if steps else {}

        try:
            running += [member(cluster, "C1"), member(cluster, "C2")]
            reached("both read", lambda s: sorted(map(len, held(s).values())) == [1, 2])
            running[1].kill()
            reached("C2 is gone", lambda s: held(s) == {"C1": [0, 1, 2]})
            controller = last().controller
            assert controller is not None
            cluster.broker(controller).kill()
            # Who leads is settled only once the new controller has said so of every partition.
            reached(
                "failed over",
                lambda s: (
                    s.controller not in (None, controller)
                    and held(s)
                    and all(p.leader not in (None, controller) for p in s.partitions())
                ),
            )
            cluster.broker(controller).start()
            reached(
                "healed",
                lambda s: all(b.alive for b in s.brokers) and not any(p.under_replicated for p in s.partitions()),
            )
        finally:
            for process in running:
                process.kill()
                process.wait()
                assert process.stdin is not None
                process.stdin.close()
        recording.stop()
    return run


def same(page: Page, run: Run, name: str) -> None:
    """What stands on the page is what Kafka said at that moment."""
    _, snapshot, batches = run.moments[name]
    expect(page.locator(".kl-metadata .kl-pill-lead")).to_have_text(f"◆ controller {snapshot.controller}")
    wait_until(lambda: shown(page) == held(snapshot), 20, name, seen=lambda: f"{shown(page)} {held(snapshot)}")
    for broker in snapshot.brokers:
        row = page.locator(f".kl-tree-row[data-path='/brokers/ids/{broker.id}']")
        expect(row).to_contain_text("ephemeral" if broker.alive else "not there")
    expect(page.locator("input.kl-st-slider")).to_have_attribute("max", str(batches - 1))
    for p in snapshot.topic(TOPIC).partitions:  # type: ignore[union-attr]
        chip = page.locator(f".kl-cluster .kl-chip.kl-leader[data-chip^='{TOPIC}/{p.partition}/']")
        expect(chip).to_have_attribute("data-chip", f"{TOPIC}/{p.partition}/{p.leader}")


def seek(notebook: Notebook, run: Run, name: str) -> None:
    notebook.add(f"recording.playhead.seek({run.moments[name][0]!r})")
    assert notebook.tracebacks() == []


@pytest.mark.timeout(300)
def test_a_real_run_and_a_kept_query_are_seen_again_without_a_broker(
    page: Page, shared_jupyter: tuple[Server, Path], tmp_path: Path, artifacts: Path
) -> None:
    run = record(tmp_path / "run.kafkalab")
    for port in run.ports:
        with socket.socket() as probe:
            assert probe.connect_ex(("127.0.0.1", port)) != 0, "no broker listens any more"
    server, folder = shared_jupyter
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c.format(path=run.path)) for c in CELLS])
    book.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(book, folder / "recording.ipynb")
    page.set_viewport_size({"width": 1400, "height": 4200})
    notebook = Notebook(page, server, "recording.ipynb")
    page.evaluate("window.jupyterapp.shell.collapseLeft()")
    notebook.run(0, len(CELLS) - 1)
    expect(page.locator(".kl-stream")).to_be_visible()
    assert notebook.tracebacks() == []
    assert [o.get("text") for o in notebook.outputs() if o["number"] == 0] == ["whole\n"]

    # Forth, and back: time runs both ways.
    for name in ("both read", "failed over", "healed", "C2 is gone", "both read", "healed"):
        seek(notebook, run, name)
        same(page, run, name)
    expect(page.locator(".kl.kl-group .kl-pause", has_text="C2 died").first).to_be_visible()
    # What was recorded is opened without anybody being asked; there is nothing to press that would act.
    seek(notebook, run, "failed over")
    expect(page.locator(".kl-metadata .kl-times-row[data-row='controller']").first).to_contain_text("→")
    for path in ("/brokers/topics", f"/brokers/topics/{TOPIC}", f"/brokers/topics/{TOPIC}/partitions"):
        page.locator(f".kl-tree-row[data-path='{path}'] .kl-tree-arrow").click()
    expect(page.locator(f".kl-tree-row[data-path='/brokers/topics/{TOPIC}/partitions/0']")).to_be_visible()
    expect(page.locator(".kl-metadata .kl-act")).to_be_hidden()
    assert notebook.errors == []
    for theme in ("Light", "Dark"):
        notebook.theme(f"JupyterLab {theme}")
        for view in ("group", "metadata", "stream") if theme == "Light" else ("metadata",):
            audit(page, f".kl.kl-{view}")
        notebook.show(page.locator(".kl.kl-group"))
        notebook.screenshot(artifacts / f"recording-groups-{theme.lower()}.png")
    assert notebook.errors == []
