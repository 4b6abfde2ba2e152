"""Lab 21 in a real JupyterLab: Spark follows a thousand trucks onto the live map, while a broker dies."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.jupyter_page import LONG, Notebook


@pytest.mark.timeout(900)
@pytest.mark.browser_context_args(viewport={"width": 1500, "height": 1100})
def test_the_map_shows_every_truck_spark_has_seen_and_goes_on_without_a_broker(page: Page, jupyter, artifacts):
    notebook = Notebook(page, jupyter, "21_first_stream.ipynb")
    mapped = notebook.cell("positions = sinks.to_map")
    notebook.run(0, mapped)
    assert notebook.tracebacks() == []
    canvas = page.locator("canvas.kl-map-trucks").first
    # Three of the minute's reports are held back in a tunnel; their trucks have reported twice more.
    expect(canvas).to_have_attribute(
        "aria-label", re.compile(r"^1.000 trucks in 10 partitions, \d+ moving"), timeout=LONG
    )
    notebook.show(canvas)
    notebook.screenshot(artifacts / "lab-21-light.png")
    notebook.theme("JupyterLab Dark")
    notebook.show(canvas)
    notebook.screenshot(artifacts / "lab-21-dark.png")
    notebook.theme("JupyterLab Light")

    notebook.run(mapped + 1, len(notebook.sources) - 1)
    assert notebook.tracebacks() == []
    answers = [o["data"] for o in notebook.outputs() if "application/vnd.kafkalab.result+json" in (o.get("data") or {})]
    assert [a["application/vnd.kafkalab.result+json"]["outcome"] for a in answers] == ["not attempted"] * 3
    expect(page.locator(".kl-ledger .kl-lg-verdict")).to_contain_text("5 ", timeout=LONG)
    expect(page.locator(".kl-progress .kl-pg-sign")).to_have_text(["○"] * 3)
    notebook.show(canvas)
    notebook.screenshot(artifacts / "lab-21-end.png")
    assert notebook.errors == []
