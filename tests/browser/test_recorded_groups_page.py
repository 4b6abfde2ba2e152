"""Groups and metadata of a recording on a plain page: time runs both ways, and nobody is waited for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

from kafkalab.state.recorded_metadata import znode_told
from kafkalab.views.group_view import GroupView
from kafkalab.views.metadata_view import MetadataView
from tests.browser.test_group_view_page import bars, window
from tests.browser.test_metadata_view_page import row
from tests.browser.view_page import ViewPage, live_state
from tests.unit.views.group_samples import BEGAN
from tests.unit.views.group_samples import T as TRUCKS
from tests.unit.views.group_samples import recorded as group_tape
from tests.unit.views.metadata_samples import kraft, znode, zookeeper

Open = Callable[..., ViewPage]


def asked(view: ViewPage) -> list[str]:
    """What the page asked for besides the whole state."""
    return [message["do"] for message in view.sent if message["do"] != "whole"]


def kinds(view: ViewPage) -> list[str]:
    """What is listed, from top to bottom."""
    found: list[str] = view.page.locator(".kl-happening").evaluate_all("(all) => all.map((li) => li.dataset.kind)")
    return found


def test_the_gantt_ends_at_the_moment_also_when_time_runs_backwards(open_view: Open) -> None:
    recording = group_tape().recording
    view = GroupView(recording)

    def at(seconds: float) -> dict[str, Any]:
        return view.drawn_at(recording.at(seconds))

    page = open_view("group_view", live_state(at(12.0)), width=1200)
    assert window(page) == (BEGAN + 12 - 30, BEGAN + 12), "the whole of a short recording fits"
    assert bars(page, f"{TRUCKS}/2") == ["C3"]
    page.draw(at(29.0))
    assert window(page)[1] == BEGAN + 29
    # It was dead for three seconds before the group missed it.
    assert bars(page, f"{TRUCKS}/2") == ["C3", "silent", "rebalancing", "C2"]
    page.draw(at(20.0))
    assert window(page)[1] == BEGAN + 20
    assert bars(page, f"{TRUCKS}/2") == ["C3"], "nobody knew yet"
    expect(page.page.locator(".kl-pause")).to_have_count(0)
    assert asked(page) == []


def test_what_was_not_recorded_of_the_tree_says_so_and_nobody_is_asked(open_view: Open) -> None:
    tape = zookeeper()
    nodes = dict(tape.recording.facts.value("znodes", 3.0))
    nodes["/brokers"] = znode_told(znode("/brokers", children=["ids", "topics"]))
    nodes["/brokers/topics"] = znode_told(znode("/brokers/topics", children=None)) | {"child_count": 7}
    tape.state(20.5, "znodes", nodes)
    recording = tape.recording
    view = MetadataView(recording)
    page = open_view("metadata_view", live_state(view.drawn_at(recording.at(20.5))), width=1100)
    row(page, "/brokers/topics").locator(".kl-tree-arrow").click()
    expect(row(page, "/brokers/topics")).to_contain_text("not recorded")
    expect(page.page.locator(".kl-act")).to_be_hidden()
    expect(page.page.locator(".kl-side-pills")).to_contain_text("as it was at")
    # Lines come and go with time, and stand in their order.
    all_of_them = ["you", "gone", "children", "controller", "leader"]
    page.draw(view.drawn_at(recording.at(6.0)))
    assert kinds(page) == ["you"]
    page.draw(view.drawn_at(recording.at(20.0)))
    assert kinds(page) == all_of_them
    drawn = view.drawn_at(recording.at(20.0))
    lines = drawn["sides"]["0"]["lines"]
    page.draw({**drawn, "sides": {"0": {**drawn["sides"]["0"], "lines": lines[2:]}}})
    assert kinds(page) == all_of_them[2:]
    page.draw(drawn)
    assert kinds(page) == all_of_them
    assert set(asked(page)) <= {"select"}, "a click that shows a node may ask; nothing waits for it"


def test_records_come_and_go_with_time_and_there_is_no_button_to_read_them(open_view: Open) -> None:
    recording = kraft().recording
    view = MetadataView(recording)
    page = open_view("metadata_view", live_state(view.drawn_at(recording.at(10.0))), width=1100)
    offsets = page.page.locator(".kl-record-table tbody td.kl-number")
    expect(offsets).to_have_text(["91", "90", "5", "4"])
    page.draw(view.drawn_at(recording.at(3.0)))
    expect(offsets).to_have_text(["5", "4"])
    expect(page.page.get_by_role("button", name="read the log")).to_have_count(0)
    expect(page.page.locator(".kl-records-head")).to_contain_text("up to this moment")
