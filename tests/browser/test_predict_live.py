"""Predictions in a real JupyterLab: dragged and carried by keyboard, locked, a broker killed, and kept in the file."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from kafkalab.waiting import wait_until
from tests.browser.accessibility import audit
from tests.browser.jupyter_page import LONG, Notebook, Server
from tests.browser.studio import Studio

MIME = "application/vnd.kafkalab.prediction+json"
WIDGET = "application/vnd.jupyter.widget-view+json"
LINE = re.compile(r"Partition: (\d+)\s+Leader: (\d+)\s+Replicas: \S+\s+Isr: ([\d,]+)")

ASK = """from kafkalab.checks.predict import Prediction
from kafkalab.checks.predict_answers import isr_of, leaders_of
brokers = {{b: f"broker {{b}}" for b in (101, 102, 103)}}
leads = Prediction.arrangement(
    "Broker 102 is killed. Who leads each partition of {topic} then?",
    chips=["P0", "P1", "P2"], places=brokers,
)
leads"""
ASK_TOO = """synced = Prediction.arrangement(
    "And which brokers are in sync?", chips=["P0", "P1"], places=brokers, several=True
)
synced"""
ASK_HOW_LONG = """gap = Prediction.number("For how long does nobody lead?", unit="ms", within=400)
gap"""
KILL = """before = {{p.partition: p.leader for p in cluster.snapshot().topic("{topic}").partitions}}
cluster.broker(102).kill()
now = cluster.wait_for(
    lambda s: all(p.leader not in (None, 102) for p in s.topic("{topic}").partitions), 60, "new leaders"
)"""
COMPARE = """leads.compare(leaders_of("{topic}"), "102 is dead, and cannot lead.", of=cluster)"""
COMPARE_TOO = """synced.compare(isr_of("{topic}"), of=cluster)"""


def panel(page: Page, question: str) -> Locator:
    return page.locator(".kl-predict").filter(has_text=question).first


def drag(page: Page, what: Locator, to: Locator) -> None:
    what.hover(position={"x": 8, "y": 8})
    box = to.bounding_box()
    assert box
    page.mouse.down()
    page.mouse.move(box["x"] + 20, box["y"] + box["height"] - 10, steps=4)
    page.mouse.up()


def by_tool(printed: str) -> tuple[dict[str, list[str]], dict[str, set[str]]]:
    """What Kafka's own tool says: leader and ISR of each partition."""
    found = LINE.findall(printed)
    return {f"P{p}": [leader] for p, leader, _ in found}, {f"P{p}": set(isr.split(",")) for p, _, isr in found}


def saved(notebook: Notebook, folder: Path) -> list[dict[str, Any]]:
    """The outputs that the file has, once JupyterLab has written it."""
    notebook.page.evaluate("window.jupyterapp.commands.execute('docmanager:save')")
    path = max(folder.glob("studio-*.ipynb"), key=lambda p: p.stat().st_mtime)
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return [o["data"] for c in cells for o in c.get("outputs", ()) if MIME in o.get("data", {})]


def shots(notebook: Notebook, target: Locator, artifacts: Path, name: str) -> None:
    for theme, end in (("JupyterLab Dark", "dark"), ("JupyterLab Light", "light")):
        notebook.theme(theme)
        notebook.show(target)
        notebook.page.screenshot(path=artifacts / f"view-predict-{name}-{end}.png")


@pytest.mark.timeout(300)
def test_predicted_locked_run_compared_and_kept_in_the_file(
    studio: Studio, artifacts: Path, new_topic: Callable[[str], str], shared_jupyter: tuple[Server, Path]
) -> None:
    topic = new_topic("predicted")
    notebook = studio("import kafkalab")
    cluster, page = studio.cluster, notebook.page
    cluster.create_topic(topic, partitions=3, replication=3)
    for cell in (ASK.format(topic=topic), ASK_TOO, ASK_HOW_LONG):
        notebook.add(cell)
    first, second = panel(page, "Who leads"), panel(page, "in sync")
    expect(second.locator("button.kl-predict-chip")).to_have_count(2, timeout=LONG)

    # By drag.
    notebook.show(first)
    for name, place in (("P0", "broker 101"), ("P1", "broker 102"), ("P2", "broker 101")):
        drag(page, first.get_by_role("button", name=f"{name}, nobody"), first.get_by_role("group", name=f"{place}:"))
    audit(page, ".kl-predict")
    shots(notebook, first, artifacts, "open")
    first.get_by_role("button", name="lock it").click()
    expect(first.get_by_role("status")).to_contain_text("locked at", timeout=LONG)

    # By keyboard.
    second.get_by_role("button", name="P0, take from here").focus()
    for key in ("Enter", "ArrowRight", "Enter", "Home", "Enter", "ArrowLeft", "Enter"):
        page.keyboard.press(key)
    second.get_by_role("button", name="P1, take from here").focus()
    for key in ("Enter", "ArrowRight", "ArrowRight", "Enter", "Tab", "Enter"):
        page.keyboard.press(key)
    expect(second.get_by_role("status")).to_contain_text("locked at", timeout=LONG)
    # The output was drawn anew, and the keyboard is still there.
    expect(second.locator(".kl-predict-question")).to_be_focused(timeout=10_000)

    # On disk, before anything has happened.
    guesses = [{"P0": ["101"], "P1": ["102"], "P2": ["101"]}, {"P0": ["101", "103"], "P1": ["102"]}]

    def told() -> list[dict[str, Any]] | None:
        # The page shows the lock a moment before the notebook holds the output that says so.
        found = saved(notebook, shared_jupyter[1])
        return found if len(found) == 3 and [data[MIME]["guess"] for data in found[:2]] == guesses else None

    leads, synced, gap = wait_until(told, 30, "the file to hold both guesses") or []
    for data in (leads, synced):
        assert data[MIME]["phase"] == "locked"
        assert "Locked at" in "".join(data["text/plain"]) and "locked at" in "".join(data["text/html"])
    assert "Not locked yet" in "".join(gap["text/html"])

    for cell in (KILL, COMPARE, COMPARE_TOO):
        notebook.add(cell.format(topic=topic))
    assert notebook.tracebacks() == []
    lead_by_tool, isr_by_tool = by_tool(cluster.tool("kafka-topics", "--describe", "--topic", topic))
    assert "102" not in {leader for (leader,) in lead_by_tool.values()}
    outputs = page.locator(".jp-OutputArea-output")
    expect(outputs.filter(has_text="Computed from the cluster's state").first).to_be_visible(timeout=LONG)
    shots(notebook, outputs.filter(has_text="Computed from").last, artifacts, "compared")
    found = wait_until(
        lambda: (found := saved(notebook, shared_jupyter[1])) and len(found) == 5 and found, 30, "the file"
    )
    for data in (found[0], found[3]):
        verdict = data[MIME]["verdict"]
        assert verdict["happened"] == lead_by_tool
        assert verdict["right"] is False
        assert verdict["at"] > data[MIME]["locked_at"]
        assert [part["right"] for part in verdict["parts"]] == [
            lead_by_tool[chip] == data[MIME]["guess"][chip] for chip in ("P0", "P1", "P2")
        ]
        assert WIDGET not in data
        for kind in ("text/plain", "text/html"):
            assert "as you said" in "".join(data[kind]) and "102 is dead" in "".join(data[kind])
    assert {p: set(at) for p, at in found[4][MIME]["verdict"]["happened"].items()} == {
        p: isr_by_tool[p] for p in ("P0", "P1")
    }
    assert WIDGET in found[2]
    assert notebook.errors == []

    # Opened again, in a kernel that knows nothing of it: it is still to be read.
    path = max(shared_jupyter[1].glob("studio-*.ipynb"), key=lambda p: p.stat().st_mtime)
    again = Notebook(page, shared_jupyter[0], path.name)
    expect(again.page.locator(".jp-OutputArea-output").filter(has_text="as you said").first).to_be_visible()
    again.page.evaluate("window.jupyterapp.shell.collapseLeft()")
    again.page.screenshot(path=artifacts / "view-predict-again.png")
