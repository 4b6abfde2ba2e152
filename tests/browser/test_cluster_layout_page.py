"""ClusterView's front end: what stands where, and that it stays there; few brokers, five, and a wall of partitions."""

from __future__ import annotations

import itertools

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import audit
from tests.browser.cluster_page import brokers, chips, many, state
from tests.browser.view_page import Open, box
from tests.unit.views.cluster_samples import HEALTHY, WITHOUT_102, nodes

#: A view in JupyterLab is 183 pixels narrower than the window, here 1280 wide. For the fixture ``show``.
VIEW, PAGE = "cluster", {"width": 1280 - 183, "reduced_motion": "reduce"}


def test_pausing_a_broker_moves_nothing(show: Open) -> None:
    view = show(state(HEALTHY))
    card = view.page.locator("[data-broker='102']")
    for width in (1280 - 183, 1000 - 183):
        view.page.set_viewport_size({"width": width, "height": 900})
        view.draw(state(HEALTHY))
        expect(card.get_by_role("button", name="pause broker 102")).to_be_visible()
        before = [box(card.get_by_role("group")), box(card.locator(".kl-topic")), box(card)]
        for snapshot in (HEALTHY, WITHOUT_102):
            view.draw(state(snapshot, nodes=nodes(broker_102="paused")))
            expect(card.get_by_role("button", name="resume broker 102")).to_be_visible()
            after = [box(card.get_by_role("group")), box(card.locator(".kl-topic")), box(card)]
            assert [(b["x"], b["y"]) for b in before] == [(b["x"], b["y"]) for b in after]
            assert before[2] == after[2]


@pytest.mark.parametrize("presenter, width", [(True, 1097), (False, 817)])
def test_five_brokers_stand_in_one_row(show: Open, presenter: bool, width: int) -> None:
    view = show(state(many(5, 2, 3), nodes=brokers(5, paused=103)), width=width, presenter=presenter)
    boxes = [box(card) for card in view.page.get_by_role("region", name="Broker").all()]
    assert len(boxes) == 5 and len({b["y"] for b in boxes}) == 1
    assert all(a["x"] + a["width"] <= b["x"] for a, b in itertools.pairwise(boxes))


def test_a_wall_of_partitions_is_summed_up_and_searched(show: Open) -> None:
    view = show(state(many(5, 10, 12, late=15), nodes=brokers(5)))
    sums = view.page.get_by_role("list", name="replicas on broker 103")
    expect(sums.get_by_role("listitem")).to_have_text(["leads 24", "follows 45", "3 behind"])
    assert view.page.locator(".kl-brokers .kl-chip").count() == 0
    assert box(view.page.locator(".kl-hall"))["height"] < 400
    audit(view.page, ".kl-cluster")
    field = view.page.get_by_label("find a partition")
    field.fill("region-07 p3")
    expect(view.page.locator(".kl-find").get_by_role("status")).to_contain_text("1 of 120")
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
    view.draw(state(many(5, 10, 12), nodes=brokers(5, paused=103)))
    expect(field).to_be_focused()
    expect(field).to_have_value("orders.region-07.events-3")
    view.page.get_by_label("topics shown").select_option("orders.region-07.events")
    expect(field).to_be_hidden()
    assert len(chips(view, 103)) == 7
