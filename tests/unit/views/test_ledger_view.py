"""LedgerView without a page: what is drawn of a ledger, its static forms, what it answers, and when it draws anew."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kafkalab.checks.ledger import Ledger
from kafkalab.state.patch import diff
from kafkalab.views.ledger_drawn import LONGEST_ID, MOST_IDS, drawn, flow, handle
from kafkalab.views.ledger_svg import layout, to_svg
from kafkalab.views.ledger_text import to_html, to_text
from kafkalab.views.ledger_view import LedgerView
from kafkalab.waiting import wait_until
from tests.unit.views_samples import HOSTILE, LONG, TURNED

EXAMPLES = json.loads((Path(__file__).parent / "ledger_flow_examples.json").read_text(encoding="utf-8"))


def sample() -> Ledger:
    """Of 300: 3 lost, 2 twice, 1 late, 2 not acknowledged (1 of them seen), 1 read again; and 1 by somebody else."""
    ledger = Ledger()
    for n in range(300):
        ledger.sent(f"r{n:03d}", key="k")
        if n not in (50, 51):
            ledger.acknowledged(f"r{n:03d}")
        if n not in (7, 8, 9, 51):
            ledger.seen(f"r{n:03d}", (0, 10 * n if n != 100 else 1015))
    ledger.seen_many(["r020", "r021", "r030", "alien"], [(0, 9001), (0, 9002), (0, 300), (1, 0)])
    return ledger


def test_each_id_goes_one_way() -> None:
    picture = drawn(sample().result().to_dict())
    assert picture["flow"] == {"kept": 295, "lost": 3, "unsure_seen": 1, "unsure_gone": 1, "strangers": 1}
    assert picture["counts"]["out_of_order"] == 1 and picture["ids"]["out_of_order"] == ["r100"]
    assert picture["good"] == "bad"


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


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda e: e["name"])
def test_the_static_picture_has_the_shapes_of_the_page(example: dict[str, Any]) -> None:
    bars, ribbons = layout(example["flow"])
    assert {name: [y, h] for name, (y, h) in bars.items()} == example["bars"]
    assert [[kind, count] for kind, count, _ in ribbons] == example["ribbons"]


def test_what_is_not_seen_yet_is_not_lost_while_it_moves() -> None:
    ledger = Ledger()
    ledger.sent("a")
    ledger.acknowledged("a")
    moving = drawn(ledger.counts(), moving=True)
    assert "not been seen yet" in moving["verdict"] and moving["good"] == "open"
    assert "◌ not seen yet" in to_text(moving)
    assert "1 of 1 acknowledged records is lost" in drawn(ledger.counts())["verdict"]
    ledger.seen("a")
    done = drawn(ledger.counts())
    assert done["good"] == "good" and "Nothing is lost" in done["verdict"]
    assert drawn({})["verdict"] == "Nothing has been sent yet."


def test_a_recording_that_kept_few_ids_or_is_older_is_drawn() -> None:
    plain = sample().result().to_dict()
    plain["lost_ids"] = plain["lost_ids"][:1]
    del plain["out_of_order"], plain["out_of_order_ids"]
    view = LedgerView.of(plain, topic="trucks_gps")
    assert "r007 and 2 more" in repr(view)
    assert "Ledger of trucks_gps" in view.to_html() and view.live is False
    view.close()
    of_result = LedgerView.of(sample().result())
    assert of_result.state["counts"]["lost"] == 3
    of_result.close()


def test_hostile_ids_are_text_and_short_in_every_form() -> None:
    ledger = Ledger()
    million = "y" * 1_000_000
    for id in (HOSTILE, TURNED, LONG, million, "\ud800", "\x00"):
        ledger.acknowledged(id)
    picture = drawn(ledger.counts(20), topic=HOSTILE)
    assert len(json.dumps(picture)) < 5000
    assert len(handle(million)) < LONGEST_ID + 20 and handle(million) != handle(million + "y")
    for form in (to_svg(picture), to_html(picture)):
        assert "<img" not in form and "\u202e" not in form
        assert len(form) < 20_000
    ET.fromstring(to_svg(picture))


def test_the_state_and_a_patch_are_small_however_many_records_there_are() -> None:
    ledger = Ledger()
    for n in range(20_000):
        ledger.sent(f"T{n:06d}")
        ledger.acknowledged(f"T{n:06d}")
    before = drawn(ledger.counts(MOST_IDS), live=True)
    ledger.seen("T000000", (0, 0))
    patch = diff(before, drawn(ledger.counts(MOST_IDS), live=True))
    assert len(json.dumps(before)) < 2500
    assert len(json.dumps(patch)) < 1500


def test_it_draws_when_the_ledger_changes_and_rests_when_nobody_looks() -> None:
    ledger = Ledger()
    view = ledger.view(topic="t")
    try:
        ledger.sent("a")
        ledger.acknowledged("a")
        wait_until(lambda: view.state["counts"]["acknowledged"] == 1, 5, "the view to draw it")
        assert view.state["moving"] is True and view.state["good"] == "open"
        wait_until(lambda: view.state["moving"] is False, 10, "the view to see that it came to rest")
        assert view.state["good"] == "bad"
        view._look_at("eye", None)
        view._look_away("eye")
        n = view.state["n"]
        ledger.seen("a")
        assert view._stopping is not None and view._stopping.is_set()
        view._look_at("eye", n)
        wait_until(lambda: view.state["good"] != "bad", 5, "what was missed to be drawn")
    finally:
        view.close()


def test_it_answers_what_became_of_a_record_also_of_one_too_long_to_travel() -> None:
    ledger = sample()
    long = "z" * 5000
    ledger.acknowledged(long)
    view = ledger.view()
    answers: list[dict[str, Any]] = []
    view.answer = lambda message: answers.append(message["found"])  # type: ignore[method-assign]
    try:
        for id in ("r007", "r020", handle(long), "nobody"):
            view.do_find({"do": "find", "id": id})
        assert [a["lost"] for a in answers] == [True, False, True, False]
        assert answers[1]["positions"] == ["P0 offset 200", "P0 offset 9001"]
        assert answers[2]["id"] == handle(long)
        assert answers[3]["sent"] is None
        view._do("find", {"id": 7})
        assert "Type the id" in view.state["fault"]
    finally:
        view.close()
