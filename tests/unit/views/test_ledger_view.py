"""LedgerView: what is drawn of a ledger, what it answers, and when it draws anew."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kafkalab.experiments.ledger import Ledger
from kafkalab.views.ledger import view as ledger_view
from kafkalab.views.ledger.picture import blocks, drawn, flow, handle
from kafkalab.views.static import to_text
from kafkalab.waiting import wait_until
from tests.unit.views.ledger_samples import sample


def test_each_id_goes_one_way() -> None:
    flow = drawn(sample().result().to_dict())["flow"]
    assert flow == {"kept": 295, "lost": 3, "unsure_seen": 1, "unsure_gone": 1, "strangers": 1}


@given(st.lists(st.tuples(st.sampled_from(["sent", "acknowledged", "seen"]), st.sampled_from("abcdef")), max_size=25))
def test_the_ways_add_up(calls: list[tuple[str, str]]) -> None:
    ledger = Ledger()
    for what, id in calls:
        if what == "acknowledged":
            ledger.sent(id)  # as it is in life
        getattr(ledger, what)(id)
    counts = drawn(ledger.counts())["counts"]
    ways = flow(counts)
    assert min(ways.values()) >= 0
    assert ways["kept"] + ways["lost"] == counts["acknowledged"]
    assert ways["kept"] + ways["lost"] + ways["unsure_seen"] + ways["unsure_gone"] == counts["sent"]
    assert ways["kept"] + ways["unsure_seen"] + ways["strangers"] == counts["seen"]


def test_what_is_not_seen_yet_is_not_lost_while_it_moves() -> None:
    ledger = Ledger()
    ledger.sent("a")
    ledger.acknowledged("a")
    moving = drawn(ledger.counts(), moving=True)
    assert "not been seen yet" in moving["verdict"] and "◌ not seen yet" in to_text(blocks(moving))
    rests = drawn(ledger.counts())
    ledger.seen("a")
    done = drawn(ledger.counts())
    assert [one["said"][0]["sign"] for one in (moving, rests, done)] == ["◌", "✗", "✓"]
    assert "is lost" in rests["verdict"] and "Nothing is lost" in done["verdict"]


def test_it_draws_when_the_ledger_changes_and_rests_when_nobody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ledger_view, "PERIOD", 0.02)
    ledger = Ledger()
    view = ledger.view(topic="t")
    seen: list[tuple[int, bool, str]] = []
    view.observe(
        lambda c: seen.append((c.new["counts"]["acknowledged"], c.new["moving"], c.new["kinds"]["lost"]["sign"])),
        "state",
    )
    ledger.sent("a")
    ledger.acknowledged("a")
    wait_until(lambda: (1, False, "✗") in seen, 20, "the view to see that it came to rest", seen=lambda: repr(seen))
    assert (1, True, "◌") in seen
    view._viewer_joined("eye", None)
    view._viewer_left("eye")
    assert view._leave is None
    ledger.seen("a")
    view._viewer_joined("eye", None)
    wait_until(lambda: view.state["counts"]["seen"] == 1, 20, "what was missed to be drawn")
    view.close()


def test_what_became_of_a_record_also_of_one_too_long_to_travel(monkeypatch: pytest.MonkeyPatch) -> None:
    ledger, long = sample(), "z" * 5000
    ledger.acknowledged(long)
    view = ledger.view()
    found: list[dict[str, Any]] = []
    monkeypatch.setattr(view, "answer", lambda message: found.append(message["found"]))
    for id in ("r007", "r020", handle(long), "nobody"):
        view.do_find({"do": "find", "id": id})
    assert [a["lost"] for a in found] == [True, False, True, False]
    assert found[1]["positions"] == ["P0 offset 200", "P0 offset 9001"]
    assert found[2]["id"] == handle(long) and found[3]["sent"] is None
    view.close()
