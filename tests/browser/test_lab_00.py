"""Lab 00 in a real JupyterLab: it is run, broker 102 is stopped by a click, and the leader is seen to move."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from kafkalab import Cluster
from tests.browser.drawn import chips_agree, leaders
from tests.browser.jupyter_page import LONG, Notebook, Server

LABS = Path(__file__).resolve().parents[2] / "labs"
TOPIC = "lab00-hello"
#: A right one and a wrong one.
ANSWERS = """q4.check(lambda servers, name: {p.partition: p.leader for p in cluster.snapshot().topic(name).partitions})
q5.check("nowhere")"""
RESULT = "application/vnd.kafkalab.result+json"


@pytest.mark.browser_context_args(viewport={"width": 1500, "height": 1100})
def test_a_click_stops_a_broker_and_the_leader_moves(
    page: Page, jupyter: Server, lab: Cluster, home: Path, artifacts: Path
) -> None:
    (home / "progress.json").unlink(missing_ok=True)
    notebook = Notebook(page, jupyter, "00_start_here.ipynb")
    made = notebook.cell("admin.create_topics(hello")
    notebook.run(0, made)
    answer = page.request.get(f"{jupyter.url}/api/contents?token={jupyter.token}")
    listed = {entry["name"] for entry in answer.json()["content"]}
    assert listed >= {*(path.name for path in LABS.glob("*.ipynb")), "glossary.md"} and "solutions" not in listed

    broker = notebook.show(page.locator("[data-broker='102']").first)
    expect(page.locator(f"[data-chip^='{TOPIC}/'].kl-leader")).to_have_count(3)
    before = leaders(chips_agree(page, lab, TOPIC))
    (theirs,) = [p for p, b in before.items() if b == 102]

    broker.get_by_role("button", name="stop broker 102").click()
    expect(page.locator("[data-broker='102'].kl-is-down").first).to_be_visible(timeout=LONG)
    expect(page.locator(f"[data-chip='{TOPIC}/{theirs}/102'].kl-leader")).to_have_count(0, timeout=LONG)
    expect(page.locator(f"[data-chip^='{TOPIC}/{theirs}/'].kl-leader")).to_have_count(1, timeout=LONG)
    after = leaders(chips_agree(page, lab, TOPIC))
    assert after[theirs] in (101, 103)
    log = page.get_by_role("log").first
    expect(log).to_contain_text("you stopped broker 102")
    expect(log).to_contain_text(f"{TOPIC} P{theirs}: leader 102 → {after[theirs]}")
    assert lab.broker(102).state == "stopped"
    notebook.screenshot(artifacts / "lab-00-stopped.png")

    notebook.show(broker).get_by_role("button", name="start broker 102").click()
    expect(page.locator("[data-broker='102'].kl-is-up").first).to_be_visible(timeout=LONG)

    # Its end: progress follows the checks.
    points = notebook.cell("lab.progress()")
    notebook.run(made + 1, points)
    outcomes = [o["data"][RESULT]["outcome"] for o in notebook.outputs() if RESULT in (o.get("data") or {})]
    assert outcomes == ["not attempted"] * 6
    # The course's page at the top knows it as well.
    course, progress = page.locator(".kl-pg-course"), page.locator(".kl-progress:not(.kl-pg-course)")
    expect(progress.locator(".kl-pg-sign")).to_have_text(["○"] * 6)
    expect(course.get_by_role("button", name="First stream")).to_have_count(1)
    notebook.add(ANSWERS)
    expect(progress.locator(".kl-pg-sign")).to_have_text([*"○○○✓✗○"], timeout=LONG)
    expect(progress.get_by_role("status")).to_contain_text("of 9 points")
    notebook.run(points + 1, notebook.cell('print("tidy")'))
    assert lab.snapshot().topic(TOPIC) is None

    # A click on a term shows the glossary, rendered, at that term; and the next lab opens from the keyboard.
    page.get_by_role("link", name="offset", exact=True).first.click()
    expect(page.locator(".jp-MarkdownViewer h2[data-jupyter-id='offset']")).to_be_in_viewport(timeout=LONG)
    assert page.locator(".jp-FileEditor").count() == 0
    page.evaluate("window.jupyterapp.shell.activateById(window.notebook().id)")
    progress.get_by_role("button", name="01 · Why Kafka").focus()
    page.keyboard.press("Enter")
    tab = page.locator(".lm-TabBar-tab.lm-mod-current", has_text="01_why_kafka.ipynb").first
    expect(tab).to_be_visible(timeout=LONG)
    assert notebook.errors == []
    notebook.close()
