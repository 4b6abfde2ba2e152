"""Lab 21 in a real JupyterLab: Spark follows a thousand trucks onto the map, and its view says how far it is."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from kafkalab import Cluster
from kafkalab.waiting import wait_until
from tests.browser.jupyter_page import LONG, Notebook, Server
from tests.integration.tools_output import offsets

pytestmark = pytest.mark.deep

RESULT = "application/vnd.kafkalab.result+json"
TOPIC = "lab21-trucks_gps"


def lanes(page: Page) -> dict[tuple[str, int], int]:
    """Where each partition's lane ends."""
    pairs = page.locator(".kl-stream").first.locator(".kl-st-lane")
    found = pairs.evaluate_all("(all) => all.map((lane) => [lane.dataset.lane, Number(lane.dataset.end)])")
    return {(TOPIC, int(key.rpartition("-")[2])): end for key, end in found}


@pytest.mark.timeout(600)
@pytest.mark.browser_context_args(viewport={"width": 1500, "height": 1100})
def test_spark_leads_every_truck_onto_the_map(page: Page, jupyter: Server, lab: Cluster) -> None:
    notebook = Notebook(page, jupyter, "21_first_stream.ipynb")
    driving = notebook.cell("view = StreamView(shown)")
    notebook.run(0, driving - 1)
    # Three of the minute's reports came later, out of a tunnel; their trucks had reported twice more.
    canvas = page.locator("canvas.kl-map-trucks").first
    expect(canvas).to_have_attribute(
        "aria-label", re.compile(r"^1.000 trucks in 10 partitions, \d+ moving"), timeout=LONG
    )

    # A broker dies under the stream. Its view marks that, and its lanes end where Kafka's own tool says that the
    # partitions end: all that is in the log has arrived.
    shown = notebook.sources.index("view")
    notebook.run(driving, shown)
    expect(page.locator(".kl-st-standing")).to_contain_text("running", timeout=LONG)
    ends = offsets(lab.tool("kafka-get-offsets", "--topic", TOPIC))
    assert len(ends) == 10
    wait_until(lambda: lanes(page) == ends, 30, "the lanes to end where the log ends", seen=lambda: str(lanes(page)))
    expect(page.locator(".kl-st-panel-phases .kl-st-moments text")).to_have_text(["✕ 102 killed", "✕ 102 back"])

    # The lab's last cells end the query, and the view says so.
    notebook.run(shown + 1, len(notebook.sources) - 2)
    expect(page.locator(".kl-st-standing").first).to_contain_text("stopped")
    outcomes = [o["data"][RESULT]["outcome"] for o in notebook.outputs() if RESULT in (o.get("data") or {})]
    assert outcomes == ["not attempted"] * 5
    expect(page.locator(".kl-progress .kl-pg-sign")).to_have_text(["○"] * 5)
    assert notebook.errors == []
    notebook.close()
