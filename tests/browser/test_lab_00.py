"""Lab 00 in a real JupyterLab: it is run, broker 102 is stopped by a click, and the leader is seen to move."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from kafkalab import Cluster
from tests.browser.jupyter_page import LONG, Notebook, Server

LABS = Path(__file__).resolve().parents[2] / "labs"
LEADER = re.compile(r"Partition: (\d+)\tLeader: (\d+)")


def leaders(cluster: Cluster, topic: str) -> dict[int, int]:
    """Who leads, by Kafka's own tool."""
    return {int(p): int(b) for p, b in LEADER.findall(cluster.tool("kafka-topics", "--describe", "--topic", topic))}


def listed(page: Page, server: Server) -> set[str]:
    """What the file browser shows."""
    answer = page.request.get(f"{server.url}/api/contents?token={server.token}")
    return {entry["name"] for entry in answer.json()["content"]}


def drawn(notebook: Notebook, topic: str) -> dict[int, int]:
    """Who leads, by the picture."""
    leading = notebook.page.locator(f"[data-chip^='{topic}/'].kl-leader")
    chips: list[str] = leading.evaluate_all("(all) => all.map((chip) => chip.dataset.chip)")
    return {int(p): int(b) for _, p, b in (chip.split("/") for chip in chips)}


@pytest.mark.timeout(600)
@pytest.mark.browser_context_args(viewport={"width": 1500, "height": 1100})
def test_a_learner_stops_broker_102_in_the_picture_and_sees_the_leader_move(page: Page, jupyter, artifacts):
    notebook = Notebook(page, jupyter, "00_start_here.ipynb")
    made = notebook.cell('cluster.create_topic("lab00-hello"')
    notebook.run(0, made)
    assert notebook.tracebacks() == []
    assert listed(page, jupyter) == {*(path.name for path in LABS.glob("*.ipynb")), "glossary.md", "solutions"}
    cluster = Cluster.attach("lab")

    broker = notebook.show(page.locator("[data-broker='102']").first)
    expect(page.locator("[data-chip^='lab00-hello/'].kl-leader")).to_have_count(3)
    before = leaders(cluster, "lab00-hello")
    assert drawn(notebook, "lab00-hello") == before
    (theirs,) = [p for p, b in before.items() if b == 102]
    notebook.screenshot(artifacts / "lab-00-before.png")

    broker.get_by_role("button", name="stop broker 102").click()
    expect(page.locator("[data-broker='102'].kl-is-down").first).to_be_visible(timeout=LONG)
    expect(page.locator(f"[data-chip='lab00-hello/{theirs}/102'].kl-leader")).to_have_count(0, timeout=LONG)
    expect(page.locator(f"[data-chip^='lab00-hello/{theirs}/'].kl-leader")).to_have_count(1, timeout=LONG)
    after = leaders(cluster, "lab00-hello")
    assert after[theirs] in (101, 103)
    assert drawn(notebook, "lab00-hello") == after
    log = page.get_by_role("log").first
    expect(log).to_contain_text("you stopped broker 102")
    expect(log).to_contain_text(f"lab00-hello P{theirs}: leader 102 → {after[theirs]}")
    assert cluster.broker(102).state == "stopped"
    notebook.screenshot(artifacts / "lab-00-light.png")
    notebook.theme("JupyterLab Dark")
    notebook.show(broker)
    notebook.screenshot(artifacts / "lab-00-dark.png")
    notebook.theme("JupyterLab Light")

    notebook.show(broker).get_by_role("button", name="start broker 102").click()
    expect(page.locator("[data-broker='102'].kl-is-up").first).to_be_visible(timeout=LONG)

    notebook.run(made + 1, len(notebook.sources) - 1)
    assert notebook.tracebacks() == []
    answers = [o["data"] for o in notebook.outputs() if "application/vnd.kafkalab.result+json" in (o.get("data") or {})]
    assert len(answers) == 3
    assert all(a["application/vnd.kafkalab.result+json"]["outcome"] == "not attempted" for a in answers)
    assert any(o.get("text") in ("tidy\n", ["tidy\n"]) for o in notebook.outputs())
    notebook.screenshot(artifacts / "lab-00-end.png")
    assert notebook.errors == []
