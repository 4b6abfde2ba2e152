"""The views of records in a recording, on a plain page: what is blank, what nobody answers, what is not offered."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from kafkalab import LogView, PartitionerView
from kafkalab.handles.recording import Recording
from tests.browser.view_page import Open, live_state
from tests.unit.history.recorded_logs import TOPIC, LogTape, two_leaders


def left_out() -> Recording:
    """Records, 30 offsets of which nothing was recorded, and records again."""
    tape = LogTape()
    tape.cluster(0, (0, 0), (0, 0))
    tape.batch(1, 0, *"abcdabcd")
    tape.batch(1, 0, "e", "f", p=1)
    tape.left_out(2, 8, 30)
    tape.batch(3, 30, *"abcd")
    tape.cluster(3, (2, 34), (0, 2))
    return tape.recording


def test_what_was_not_recorded_is_a_sign_of_its_own(open_view: Open) -> None:
    recording = left_out()
    drawn = LogView(recording, TOPIC).drawn_at(recording.at(3))
    view = open_view("log", live_state(drawn), width=1200, height=500, color_scheme="dark")
    blank = view.page.locator(".kl-log-lane[data-p='0'] .kl-log-is-blank")
    assert blank.count() == 22
    assert "offset 8: not recorded" in (blank.first.get_attribute("aria-label") or "")
    blank.first.hover()
    expect(view.page.locator(".kl-log-card")).to_contain_text("the recording does not hold")
    assert view.texts(".kl-log-live") == ["a recording"]


def test_time_runs_backwards_and_what_an_election_took_back_is_there_again(open_view: Open) -> None:
    recording = two_leaders().recording
    log = LogView(recording, TOPIC)
    view = open_view("log", live_state(log.drawn_at(recording.at(2.5))), width=1000)

    def letters() -> str:
        return "".join(
            view.page.locator(".kl-log-lane .kl-log-cell:not(.kl-log-is-ghost)").evaluate_all(
                "(all) => all.sort((a, b) => a.dataset.o - b.dataset.o).map((cell) => cell.textContent)"
            )
        )

    seen = [letters()]
    for at in (4.5, 5.5, 8, 5.5, 2.5, 0.5):
        view.draw(log.drawn_at(recording.at(at)))
        seen.append(letters())
    assert seen == ["abc∅xy", "abc∅", "abc∅def", "c∅def", "abc∅def", "abc∅xy", ""]


def test_what_a_page_does_not_hold_is_said_to_be_absent(open_view: Open) -> None:
    tape = LogTape()
    tape.cluster(0, (0, 0))
    tape.batch(1, 0, *("k" for _ in range(300)))
    tape.cluster(1, (0, 300))
    drawn = LogView(tape.recording, TOPIC).drawn_at(tape.recording.at(1))
    view = open_view("log", live_state(drawn, live=False), width=1000)
    view.page.get_by_label("go to", exact=True).select_option("start")
    first = view.page.locator(".kl-log-cell[data-o='2']")
    expect(first).to_have_attribute("aria-label", re.compile("not in this picture"))
    assert view.asked("look") == [], "nobody could answer"


def test_keys_are_calculated_and_nothing_can_be_sent(open_view: Open) -> None:
    recording = left_out()
    drawn = PartitionerView(recording, TOPIC).drawn_at(recording.at(3))
    view = open_view("partitioner", live_state(drawn), width=1200, height=900)
    expect(view.page.locator(".kl-partitioner-head")).to_contain_text("6 keys in 12 records")
    expect(view.page.locator(".kl-partitioner-head")).to_contain_text("a recording: nothing can be sent")
    for name in ("send it", "send it 10 times"):
        expect(view.page.get_by_role("button", name=name, exact=True)).to_be_hidden()
    expect(view.page.locator(".kl-partitioner-sent")).to_be_hidden()
    view.page.get_by_label("key", exact=True).fill("a")
    expect(view.page.locator(".kl-partitioner-really")).to_contain_text("The broker really had")
    view.page.get_by_role("button", name="one partition more").click()
    expect(view.page.locator(".kl-what-says")).to_contain_text("would move")
    expect(view.page.locator(".kl-add")).to_be_hidden()
