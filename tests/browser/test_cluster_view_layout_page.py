"""ClusterView's front end: what stands where, and that it stays there; few brokers, five, and a wall of partitions."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.accessibility import audit
from tests.browser.cluster_page import Open, brokers, chips, many, show, state
from tests.browser.view_page import ViewPage
from tests.unit.views_samples import HEALTHY, WITHOUT_102, nodes

__all__ = ["show"]

#: A view in JupyterLab is so much narrower than the window.
BESIDE = 183


def box(where: Locator) -> dict[str, float]:
    found = where.bounding_box()
    assert found
    return dict(found)


def opened(show: Open, drawn: dict[str, Any], width: int, **traits: Any) -> ViewPage:
    return show(drawn, {**traits}, width=width - BESIDE, reduced_motion="reduce")


@pytest.mark.parametrize("width", [1280, 1000])
def test_pausing_a_broker_moves_nothing(show: Open, width: int) -> None:
    view = opened(show, state(HEALTHY), width)
    card = view.page.locator("[data-broker='102']")
    before = [box(card.get_by_role("group")), box(card.locator(".kl-topic")), box(card)]
    for now in (state(HEALTHY, nodes=nodes(broker_102="paused")), state(WITHOUT_102, nodes=nodes(broker_102="paused"))):
        view.draw(now)
        expect(card.get_by_role("button", name="resume broker 102")).to_be_visible()
        after = [box(card.get_by_role("group")), box(card.locator(".kl-topic")), box(card)]
        assert [(b["x"], b["y"]) for b in before] == [(b["x"], b["y"]) for b in after]
        assert before[2] == after[2]


@pytest.mark.parametrize("presenter, width", [(False, 1280), (True, 1280), (False, 1000)])
def test_five_brokers_stand_in_one_row(show: Open, presenter: bool, width: int) -> None:
    view = opened(show, state(many(5, 2, 3), nodes=brokers(5, paused=103)), width, presenter=presenter)
    cards = view.page.locator(".kl-broker").all()
    boxes = [box(card) for card in cards]
    assert len({b["y"] for b in boxes}) == 1
    assert all(a["x"] + a["width"] <= b["x"] for a, b in itertools.pairwise(boxes))
    for card, edge in zip(cards, boxes, strict=True):
        buttons = [box(button) for button in card.get_by_role("button").all()]
        assert len({b["y"] for b in buttons}) == 1
        assert all(b["x"] + b["width"] <= edge["x"] + edge["width"] for b in buttons)
    # "RF 3" is one word to the eye.
    assert set(view.page.locator(".kl-rf").evaluate_all("(all) => all.map((n) => n.getClientRects().length)")) == {1}


def test_what_happened_is_no_higher_than_can_be_read(show: Open) -> None:
    view = opened(show, state(many(3, 8, 7), nodes=brokers(3)), 1280)
    hall, events = box(view.page.locator(".kl-hall")), box(view.page.locator(".kl-events"))
    assert events["x"] >= hall["x"] + hall["width"]
    assert hall["height"] > 500 >= events["height"]


def test_a_wall_of_partitions_is_summed_up_and_searched(show: Open) -> None:
    view = opened(show, state(many(5, 40, 12, late=15), nodes=brokers(5)), 1280)
    sums = view.page.get_by_role("list", name="replicas on broker 103")
    expect(sums.get_by_role("listitem")).to_have_text(["leads 96", "follows 189", "3 behind"])
    assert view.page.locator(".kl-brokers .kl-chip").count() == 0
    assert box(view.page.locator(".kl-hall"))["height"] < 400
    audit(view.page, ".kl-cluster")
    field = view.page.get_by_label("find a partition")
    field.fill("region-07 p3")
    expect(view.page.locator(".kl-find").get_by_role("status")).to_have_text("1 of 480 partitions")
    assert [chips(view, broker) for broker in range(101, 106)] == [
        [], [], ["leader P3"], ["follower P3"], ["follower P3"],
    ]  # fmt: skip
    expect(sums).to_be_hidden()
    field.fill("region")
    expect(sums).to_be_visible()
    field.fill("orders.region-07.events-3")
    assert chips(view, 103) == ["leader P3"]
    # What is new is drawn where one searched, and the field keeps what was typed.
    field.focus()
    view.draw(state(many(5, 40, 12), nodes=brokers(5, paused=103)))
    expect(field).to_be_focused()
    expect(field).to_have_value("orders.region-07.events-3")
    view.page.get_by_label("topics shown").select_option("orders.region-07.events")
    expect(field).to_be_hidden()
    assert len(chips(view, 103)) == 7
