"""The durability matrix in a real JupyterLab: its button runs it, cells fill in, and the cluster is whole again."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.jupyter_page import LONG
from tests.browser.studio import Studio

pytestmark = pytest.mark.deep

#: A part only: with the leader alone there are all three verdicts.
CELL = """from kafkalab import DurabilityMatrix
DurabilityMatrix(cluster, 40, acks=["all"], min_insync=[1, 2], brokers_up=1, quiet=True)"""


def test_the_button_runs_it_and_the_cells_fill_in(studio: Studio) -> None:
    studio(CELL)
    page, cluster = studio.page, studio.cluster
    view = page.locator(".kl-durability")
    cells = view.locator("[data-cell]")
    expect(cells).to_have_count(2, timeout=LONG)
    expect(cells.first).to_contain_text("○ not run")
    view.get_by_role("button", name="run it").focus()
    page.keyboard.press("Enter")
    expect(view.locator(".kl-dm-step")).to_contain_text("1 of 3 brokers up", timeout=LONG)
    expect(view.locator(".kl-dm-summary")).to_have_text(re.compile("^2 cells run"), timeout=LONG)
    # A leader alone: its log outlives its process and not its disk.
    expect(view.locator("[data-cell='aall-m1-u1-k']")).to_contain_text("disk lost: ✗")
    expect(view.locator("[data-cell='aall-m2-u1-k']")).to_contain_text("⊘ refused")
    cells.first.focus()
    page.keyboard.press("ArrowRight")
    expect(view.locator(".kl-dm-story")).to_contain_text("[Error 19] NotEnoughReplicasError")
    # Kafka's own tool says that nothing is left broken, and nothing left behind.
    assert cluster.tool("kafka-topics", "--describe", "--under-replicated-partitions").strip() == ""
    assert "durability-" not in cluster.tool("kafka-topics", "--list")
    assert all(node.state == "running" for node in cluster.nodes())
