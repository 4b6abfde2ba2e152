"""Lab 21 in a real JupyterLab: Spark follows a thousand trucks onto the map, and its view says what Spark says."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from kafkalab import Cluster
from kafkalab.waiting import wait_until
from tests.browser.jupyter_page import LONG, Notebook, Server
from tests.integration.tools_output import offsets

pytestmark = pytest.mark.deep

RESULT = "application/vnd.kafkalab.result+json"
TOPIC = "lab21-trucks_gps"
REPORTS = "print(json.dumps([json.loads(p.json) for p in positions.query.recentProgress]))"


def shown(page: Page) -> dict[str, int]:
    """The tables' numbers, by the head of their row and column, without what makes them readable."""
    rows = page.locator(".kl-stream").first.locator(".kl-st-details tr")
    found: list[list[str]] = rows.evaluate_all(
        "(rows) => rows.map((row) => [...row.children].map((cell) => cell.firstChild?.textContent ?? ''))"
    )
    numbers: dict[str, int] = {}
    for first, *rest in found:
        for i, text in enumerate(rest):
            if whole := re.fullmatch(r"([\d\u202f]+)(?: ms| records)?", text):
                numbers[first if len(rest) == 1 else f"{first} {i}"] = int(whole[1].replace("\u202f", ""))
    return numbers


def compare(page: dict[str, int], report: dict[str, Any]) -> None:
    """What stands in the tables against what Spark reported of that batch."""
    assert page["rows read"] == report["numInputRows"]
    for phase, ms in report["durationMs"].items():
        if phase != "triggerExecution" and ms < 1000:
            assert page[phase] == ms, phase
    (source,), (operator,) = report["sources"], report["stateOperators"]
    (ends,) = source["endOffset"].values()
    for partition, end in ends.items():
        assert page[f"P{partition} 1"] == end
    assert page["stateStoreSave 0"] == operator["numRowsTotal"]
    assert page["stateStoreSave 1"] == operator["numRowsUpdated"]


def lanes(page: Page) -> dict[tuple[str, int], int]:
    """Where each partition's lane ends."""
    pairs = page.locator(".kl-stream").first.locator(".kl-st-lane")
    found = pairs.evaluate_all("(all) => all.map((lane) => [lane.dataset.lane, Number(lane.dataset.end)])")
    return {(TOPIC, int(key.rpartition("-")[2])): end for key, end in found}


@pytest.mark.timeout(600)
@pytest.mark.browser_context_args(viewport={"width": 1500, "height": 1100})
def test_spark_leads_every_truck_onto_the_map(page: Page, jupyter: Server, lab: Cluster) -> None:
    notebook = Notebook(page, jupyter, "21_first_stream.ipynb")
    view = notebook.cell("micro_batches = StreamView")
    notebook.run(0, view)
    # Three of the minute's reports are held back in a tunnel; their trucks have reported twice more.
    canvas = page.locator("canvas.kl-map-trucks").first
    expect(canvas).to_have_attribute(
        "aria-label", re.compile(r"^1.000 trucks in 10 partitions, \d+ moving"), timeout=LONG
    )
    # The lanes end where Kafka's own tool says that the partitions end.
    expect(page.locator(".kl-st-standing")).to_contain_text("running")
    ends = offsets(lab.tool("kafka-get-offsets", "--topic", TOPIC))
    assert len(ends) == 10
    wait_until(lambda: lanes(page) == ends, 30, "the lanes to end where the log ends", seen=lambda: str(lanes(page)))

    # A broker dies under it, and all that is in the log arrives. A page may be asked for its views only when they show.
    notebook.run(view + 1, notebook.cell("account = ledger.view("))
    expect(page.locator(".kl-ledger .kl-lg-verdict")).to_contain_text("5 ", timeout=LONG)
    ends = offsets(lab.tool("kafka-get-offsets", "--topic", TOPIC))
    wait_until(lambda: lanes(page) == ends, 30, "the lanes to grow with the log", seen=lambda: str(lanes(page)))

    # By keyboard: an earlier batch, whose numbers are those that Spark reported. JupyterLab moves the focus to a cell
    # that has run, when it comes to it: a key may have to be pressed again.
    slider = page.locator("input.kl-st-slider").first

    def earlier() -> bool:
        slider.focus()
        page.keyboard.press("ArrowLeft")
        return page.get_by_role("button", name="newest").first.get_attribute("aria-pressed") == "false"

    wait_until(earlier, 20, "the key to choose an earlier batch")
    reports = {report["batchId"]: report for report in json.loads(notebook.add(REPORTS))}
    compare(shown(page), reports[int(slider.input_value())])

    # The lab's last cells end the query, and the view says so.
    notebook.run(notebook.cell("account = ledger.view(") + 1, len(notebook.sources) - 2)
    expect(page.locator(".kl-st-standing").first).to_contain_text("stopped")
    outcomes = [o["data"][RESULT]["outcome"] for o in notebook.outputs() if RESULT in (o.get("data") or {})]
    assert outcomes == ["not attempted"] * 3
    expect(page.locator(".kl-progress .kl-pg-sign")).to_have_text(["○"] * 3)
    assert notebook.errors == []
    notebook.close()
