"""JupyterLab on containers: broker 102 is cut off the network by a click, is seen to drop out, and joins again."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from kafkalab import Cluster
from tests.browser.conftest import artifacts, browser_type_launch_args, jupyter
from tests.browser.jupyter_page import LONG, Notebook

__all__ = ["artifacts", "browser_type_launch_args", "jupyter"]


@pytest.fixture
def on_containers(engine: object, home: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """What `kafkalab lab` and the kernels under it start."""
    monkeypatch.setenv("KAFKALAB_BACKEND", "docker")


@pytest.mark.timeout(600)
@pytest.mark.browser_context_args(viewport={"width": 1500, "height": 1100})
def test_a_learner_cuts_broker_102_off_and_joins_it_again(page: Page, on_containers, jupyter, artifacts):
    notebook = Notebook(page, jupyter, "00_start_here.ipynb")
    notebook.run(0, notebook.cell('cluster.create_topic("lab00-hello"'))
    assert notebook.tracebacks() == []
    cluster = Cluster.attach("lab")
    assert cluster.label == "Docker containers"

    broker = notebook.show(page.locator("[data-broker='102']").first)
    expect(page.get_by_text("Docker containers").first).to_be_visible()
    broker.get_by_role("button", name="cut broker 102").click()
    cluster.wait_for(lambda s: not s.broker(102).alive, 60, "the cluster to give 102 up")
    expect(page.locator("[data-broker='102']").first).to_contain_text("cut off, dropped by the cluster", timeout=LONG)
    expect(page.get_by_role("log").first).to_contain_text("you cut broker 102 off the network")
    assert all(102 not in p.isr for p in cluster.snapshot().topic("lab00-hello").partitions)
    notebook.screenshot(artifacts / "lab-00-cut-light.png")
    notebook.theme("JupyterLab Dark")
    notebook.show(broker)
    notebook.screenshot(artifacts / "lab-00-cut-dark.png")
    notebook.theme("JupyterLab Light")

    broker.get_by_role("button", name="join broker 102").click()
    cluster.wait_for(lambda s: not any(p.under_replicated for p in s.topic("lab00-hello").partitions), 90, "a full ISR")
    expect(page.locator("[data-broker='102']").first).not_to_contain_text("cut off", timeout=LONG)
    assert cluster.broker(102).state == "running"
    assert notebook.errors == []
