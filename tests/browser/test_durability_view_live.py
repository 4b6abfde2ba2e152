"""The durability matrix in a real JupyterLab: its button runs it, cells fill in, and the cluster is whole again."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import audit
from tests.browser.jupyter_page import LONG, Notebook
from tests.browser.studio import Studio

VIEW = ".kl-durability"
#: A part only: with the leader alone, every setting of acks, so that all three verdicts are there.
CELL = """from kafkalab.checks.durability_matrix import DurabilityMatrix
matrix = DurabilityMatrix(cluster, 80, acks=["1", "all"], brokers_up=1, quiet=True)
matrix"""


def shots(notebook: Notebook, artifacts: Path) -> None:
    notebook.page.set_viewport_size({"width": 1400, "height": 1500})  # all of it in one picture
    for theme, name in (("JupyterLab Dark", "dark"), ("JupyterLab Light", "light")):
        notebook.theme(theme)
        audit(notebook.page, VIEW)
        notebook.page.locator(VIEW).screenshot(path=artifacts / f"view-durability-{name}.png")


@pytest.mark.timeout(300)
def test_the_button_runs_it_and_the_cells_fill_in(studio: Studio, artifacts: Path) -> None:
    notebook = studio(CELL)
    page, cluster = notebook.page, studio.cluster
    view = page.locator(VIEW)
    cells = view.locator("[data-cell]")
    expect(cells).to_have_count(6, timeout=LONG)
    expect(cells.first).to_contain_text("○ not run")
    view.get_by_role("button", name="run it").focus()
    page.keyboard.press("Enter")
    expect(cells.first).to_contain_text("… running", timeout=LONG)
    expect(view.locator(".kl-dm-step")).to_contain_text("1 of 3 brokers up")
    expect(view.locator(".kl-dm-summary")).to_have_text(re.compile("^6 cells run"), timeout=90_000)

    # A leader alone: its log outlives its process and not its disk, whatever acks=1 or min.insync.replicas=1 said.
    expect(view.locator("[data-cell='aall-m1-u1-k']")).to_contain_text("✓ 60 kept")
    expect(view.locator("[data-cell='aall-m1-u1-k']")).to_contain_text("disk lost: ✗ 60")
    expect(view.locator("[data-cell='aall-m2-u1-k']")).to_contain_text("⊘ refused")
    cells.first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    expect(view.locator(".kl-dm-story")).to_contain_text("[Error 19] NotEnoughReplicasError")
    view.get_by_label("killed, and its disk is lost").focus()
    page.keyboard.press("Space")
    expect(view.locator("[data-cell='a1-m3-u1-d']")).to_contain_text("✗ 60 lost")

    # Kafka's own tool says that nothing is left broken, and nothing left behind.
    assert cluster.tool("kafka-topics", "--describe", "--under-replicated-partitions").strip() == ""
    assert "durability-" not in cluster.tool("kafka-topics", "--list")
    assert all(node.state == "running" for node in cluster.nodes())
    shots(notebook, artifacts)
    assert notebook.errors == []
