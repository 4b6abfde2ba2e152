"""Predictions in a real JupyterLab: dragged and carried by keyboard, locked, compared, and kept in the file."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from kafkalab.waiting import wait_until
from tests.browser.jupyter_page import LONG, Notebook, Server
from tests.browser.studio import NAME, Studio
from tests.browser.test_predict_page import drag
from tests.integration.tools_output import described_topics

pytestmark = pytest.mark.deep

MIME = "application/vnd.kafkalab.prediction+json"
WIDGET = "application/vnd.jupyter.widget-view+json"
LEADS = """from kafkalab.exercises.predict.prediction import Prediction
from kafkalab.exercises.predict.answers import isr_of, leaders_of
brokers = {b: f"broker {b}" for b in (101, 102, 103)}
leads = Prediction.arrangement("Who leads?", chips=["P0", "P1", "P2"], places=brokers)
leads"""
SYNCED = 'synced = Prediction.arrangement("Who is in sync?", chips=["P0", "P1"], places=brokers, several=True)\nsynced'
GAP = 'gap = Prediction.number("For how long does nobody lead?", unit="ms", within=400)\ngap'
COMPARED = (
    'leads.compare(leaders_of({topic!r}), "102 is up.", of=cluster)',
    "synced.compare(isr_of({topic!r}), of=cluster)",
)


@pytest.mark.timeout(300)
def test_predicted_locked_and_kept_in_the_file(
    studio: Studio, new_topic: Callable[[str], str], jupyter: Server, page: Page
) -> None:
    topic, cluster, second_page, page = new_topic("predicted"), studio.cluster, page, studio.page
    cluster.create_topic(topic, partitions=3, replication=3)
    notebook = studio(LEADS, SYNCED, GAP)
    first, second = (page.locator(".kl-predict").filter(has_text=text).first for text in ("Who leads", "in sync"))
    expect(second.locator("button.kl-predict-chip")).to_have_count(2, timeout=LONG)

    def saved(count: int, so: Callable[[list[dict[str, Any]]], object]) -> list[dict[str, Any]]:
        """The outputs that the file has, once it has so many that are so: the page shows a lock a moment before the
        notebook holds the output that says so."""

        def found() -> list[dict[str, Any]] | None:
            notebook.save()
            cells = json.loads((studio.folder / NAME).read_text(encoding="utf-8"))["cells"]
            data = [o["data"] for cell in cells for o in cell["outputs"] if MIME in o.get("data", {})]
            return data if len(data) == count and so(data) else None

        return wait_until(found, 30, "the file to hold it") or []

    # By drag.
    notebook.show(first)
    for name, place in (("P0", "broker 101"), ("P1", "broker 102"), ("P2", "broker 101")):
        drag(page, first.get_by_role("button", name=f"{name}, nobody"), first.get_by_role("group", name=f"{place}:"))
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
    expect(second.locator(".kl-predict-question")).to_be_focused()

    # On disk, before it is compared.
    guesses = [{"P0": ["101"], "P1": ["102"], "P2": ["101"]}, {"P0": ["101", "103"], "P1": ["102"]}]
    found = saved(3, lambda data: [one[MIME]["guess"] for one in data[:2]] == guesses)
    for data in found[:2]:
        assert data[MIME]["phase"] == "locked"
        assert "ocked at" in "".join(data["text/plain"]) and "ocked at" in "".join(data["text/html"])
    assert "Not locked" in "".join(found[2]["text/html"])

    notebook.add(*(cell.format(topic=topic) for cell in COMPARED))
    told = described_topics(cluster.tool("kafka-topics", "--describe", "--topic", topic))[topic]
    found = saved(5, lambda data: "verdict" in data[0][MIME])
    led = {f"P{p}": [str(leader)] for p, (leader, _, _) in told.items()}
    for data in (found[0], found[3]):
        verdict = data[MIME]["verdict"]
        assert verdict["happened"] == led
        assert verdict["at"] > data[MIME]["locked_at"]
        assert [part["right"] for part in verdict["parts"]] == [led[p] == guesses[0][p] for p in sorted(led)]
        assert verdict["right"] is (led == guesses[0])
        assert WIDGET not in data
        for kind in ("text/plain", "text/html"):
            assert "102 is up" in "".join(data[kind])
    synced = {p: set(at) for p, at in found[4][MIME]["verdict"]["happened"].items()}
    assert synced == {p: {"101", "102", "103"} for p in ("P0", "P1")}
    assert WIDGET in found[2]

    # Opened again, in a kernel that knows nothing of it: it is still to be read.
    again = Notebook(second_page, jupyter, NAME)
    kept = second_page.locator(".jp-OutputArea-output").filter(has_text="102 is up")
    expect(kept.first).to_be_visible()
    assert again.errors == []
