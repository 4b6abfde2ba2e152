"""LogView's front end in a real browser: cells, markers, what is asked for, keys, motion."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from tests.browser.view_page import Open, ViewPage, box
from tests.unit.views.log_samples import drawn_logs, record, windows

#: For the fixture ``show``.
VIEW, PAGE = "log", {"height": 700}


def lane(view: ViewPage, p: int) -> Locator:
    return view.page.locator(f".kl-log-lane[data-p='{p}']")


def cell(view: ViewPage, p: int, offset: int) -> Locator:
    return lane(view, p).locator(f".kl-log-cell[data-o='{offset}']")


def signs(view: ViewPage, p: int) -> list[str]:
    """The signs of a lane's records, in the order of their offsets."""
    found: list[str] = lane(view, p).evaluate(
        """(lane) => [...lane.querySelectorAll(".kl-log-cell:not(.kl-log-is-ghost)")]
             .sort((a, b) => a.dataset.o - b.dataset.o).map((c) => c.textContent)"""
    )
    return found


def test_each_lane_shows_its_records_deleted_ones_and_those_not_committed(show: Open) -> None:
    view = show(drawn_logs(), width=1200)
    assert signs(view, 1) == [("b", "e")[offset % 3 == 0] for offset in range(2, 34)]
    assert set(signs(view, 2)) == {"c", "∅"}
    assert lane(view, 0).locator(".kl-log-is-ghost").count() == 4
    assert lane(view, 1).locator(".kl-log-pale").count() == 3
    assert lane(view, 2).locator(".kl-log-pale").count() == 0
    # The high watermark stands between the last committed record and the first that is not.
    high, before, after = box(lane(view, 1).locator(".kl-log-high")), box(cell(view, 1, 30)), box(cell(view, 1, 31))
    assert before["x"] + before["width"] <= high["x"] + 1 and high["x"] + high["width"] <= after["x"] + 1

    # One key has one sign and one colour.
    colours = view.page.eval_on_selector_all(
        ".kl-log-lane .kl-log-is-r", "(all) => all.map((c) => [c.textContent, c.style.getPropertyValue('--kl-k')])"
    )
    by_sign: dict[str, set[str]] = {}
    for sign, colour in colours:
        by_sign.setdefault(sign, set()).add(colour)
    assert sorted(by_sign) == ["a", "b", "c", "d", "e", "∅"]
    assert all(len(found) == 1 for found in by_sign.values())
    assert len({min(found) for sign, found in by_sign.items() if sign != "∅"}) == 5


def test_markers_say_what_groups_committed_how_far_they_lag_and_who_holds_what(show: Open) -> None:
    view = show(drawn_logs(members={"c2": 1}, positions={"C1": {0: 35}}))
    assert [" ".join(t.split()) for t in lane(view, 0).locator(".kl-log-label").all_inner_texts()] == [
        "alarms · committed 10 · lag 26 nobody", "dashboard · committed 33 · lag 3 c1",
    ]  # fmt: skip
    # Lag is a length: nine records' worth.
    lag = box(lane(view, 1).locator("[data-group=dashboard] .kl-log-lag"))
    assert abs(lag["width"] - 9 * 21) < 2
    assert lane(view, 2).locator("[data-group=dashboard] .kl-log-lag").evaluate("(n) => n.offsetWidth") == 0
    position, at = box(lane(view, 0).locator(".kl-log-position")), box(cell(view, 0, 35))
    assert abs(position["x"] - at["x"]) < 3
    view.draw(drawn_logs(members={"c2": 0}))
    expect(lane(view, 0).locator("[data-group=dashboard] .kl-log-member")).to_have_text("c2")
    expect(lane(view, 0).locator(".kl-log-was")).to_have_text("c1")
    expect(view.page.locator(".kl-hidden[aria-live=polite]")).to_contain_text("partition 0 to c2, partition 1 to c1")
    assert lane(view, 0).locator(".kl-log-position").count() == 0


def test_holes_markers_and_transactions_are_seen_as_what_they_are(show: Open) -> None:
    found = windows(
        p0_20=None,
        p0_21=record(0, 21, producer=7),
        p0_22=record(0, 22, kind="abort", key=None, key_id=None, value=None, producer=7),
        p0_23=record(0, 23, producer=8),
        p0_24=record(0, 24, value=None),
    )
    view = show(drawn_logs(found=found))
    kinds = {o: cell(view, 0, o).get_attribute("class") or "" for o in range(20, 25)}
    assert "kl-log-is-hole" in kinds[20]
    assert "kl-log-aborted" in kinds[21]
    assert "kl-log-is-a" in kinds[22]
    assert "kl-log-open" in kinds[23]
    assert "kl-log-is-t" in kinds[24]
    assert "compacted away" in (cell(view, 0, 20).get_attribute("aria-label") or "")


def test_keys_move_along_and_between_lanes_and_every_record_is_told(show: Open) -> None:
    view = show(drawn_logs())
    press = view.page.keyboard.press
    view.page.locator(".kl-log-cell[tabindex='0']").focus()
    expect(view.page.locator(":focus")).to_have_attribute("data-o", "35")
    press("ArrowLeft")
    expect(cell(view, 0, 34)).to_be_focused()
    assert 'key a, value {"n": 34}' in (cell(view, 0, 34).get_attribute("aria-label") or "")
    expect(view.page.locator(".kl-log-card")).to_contain_text("P0 · offset 34")
    press("ArrowDown")
    expect(cell(view, 1, 33)).to_be_focused()  # its log ends there
    expect(view.page.locator(".kl-log-card")).to_contain_text("written, not committed")
    press("Home")
    expect(cell(view, 1, 2)).to_be_focused()
    press("ArrowLeft")
    expect(cell(view, 1, 2)).to_be_focused()
    press("End")
    expect(cell(view, 1, 33)).to_be_focused()
    press("Escape")
    expect(view.page.locator(".kl-log-card")).to_be_hidden()
    follow = view.page.locator(".kl-log-follow")
    expect(follow).to_have_attribute("aria-pressed", "false")
    press("f")
    expect(follow).to_have_attribute("aria-pressed", "true")
    assert view.page.locator(".kl-log-lane [tabindex='0']").count() == 1


def test_what_is_out_of_reach_is_asked_for_once_and_only_what_is_seen_is_on_the_page(show: Open) -> None:
    far = dict.fromkeys(range(3), (0, 1_000_000, 1_000_000))
    tails = {p: w.last(40) for p, w in windows(dict.fromkeys(range(3), (999_900, 1_000_000, 1_000_000))).items()}
    view = show(drawn_logs(far, tails))
    cells = view.page.locator(".kl-log-lane .kl-log-cell")
    assert cells.count() < 3 * 50
    view.page.get_by_role("spinbutton", name="offset to go to").fill("500000")
    view.page.keyboard.press("Enter")
    expect(cell(view, 0, 500_000)).to_have_class("kl-log-cell kl-log-is-unread")
    view.page.wait_for_function("sent.some((m) => m.do === 'look')")
    (asked,) = [m for m in view.sent if m["do"] == "look"]
    start, end = asked["windows"]["0"]
    assert start <= 500_000 < end and end - start < 200
    found = [[o, "r", "z", 1, "z", "v", 1, 2, None, None] for o in range(start, end)]
    answer = {str(p): {"from": start, "to": end, "cells": found} for p in range(3)}
    view.tell({"windows": answer, "id": asked["id"]})
    expect(cell(view, 0, 500_000)).to_have_text("z")
    view.page.locator(".kl-log-cell[tabindex='0']").focus()
    for _ in range(2):
        view.page.keyboard.press("PageUp")
    expect(cell(view, 0, 500_000)).to_have_count(0)
    assert cells.count() < 3 * 60
    first = int(cells.first.get_attribute("data-o") or 0)
    lane(view, 0).hover()
    view.page.mouse.wheel(-1800, 0)
    expect(cell(view, 0, first - 1800 // 21)).to_be_visible()
    for _ in range(5):
        view.page.get_by_role("button", name="zoom out").click()
    expect(lane(view, 0).locator(".kl-log-bar")).to_be_visible()
    assert cells.count() == 0
    view.page.get_by_label("go to", exact=True).select_option("end")
    expect(view.page.locator(".kl-log-follow")).to_have_attribute("aria-pressed", "true")


def test_a_topic_that_is_not_there_and_a_lane_nobody_leads_are_said(show: Open) -> None:
    picture = drawn_logs()
    picture["lanes"]["1"] |= {"leader": None, "start": None, "high": None, "end": None}
    view = show(picture)
    expect(lane(view, 1)).to_contain_text("no leader that could say what it holds")
    view.draw({**picture, "found": False, "lanes": {}, "tails": {}})
    assert view.page.locator(".kl-log-lane").count() == 0
    view.draw(drawn_logs())
    expect(cell(view, 0, 20)).to_be_visible()
