"""GroupView's front end in a real browser: the graph, the Gantt, keys, motion."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from kafkalab.views.group.picture import drawn
from kafkalab.views.group.view import GroupView
from tests.browser.samples import group as death
from tests.browser.view_page import Open, ViewPage, box, live_state
from tests.unit.views import group_samples as samples
from tests.unit.views.group_samples import BEGAN
from tests.unit.views.group_samples import recorded as tape

#: For the fixture ``show``.
VIEW, PAGE = "group", {"live": False, "width": 1200, "height": 800}


def edges(view: ViewPage) -> set[str]:
    """The partitions that a line leaves from."""
    return {str(path.get_attribute("data-edge")) for path in view.page.locator(".kl-edges path").all()}


def bars(view: ViewPage, lane: str) -> list[str]:
    """What the bars of a lane show, from left to right."""
    found: list[str] = view.page.evaluate(
        """(lane) => [...document.querySelectorAll(`.kl-bars [data-bar^="${lane}@"]`)]
             .sort((a, b) => a.querySelector("rect").x.baseVal.value - b.querySelector("rect").x.baseVal.value)
             .map((g) => g.dataset.what === "held" ? g.querySelector("text").textContent : g.dataset.what)""",
        lane,
    )
    return found


def window(view: ViewPage) -> tuple[float, float]:
    """The moments at the left and the right edge of the time line."""
    stage = view.page.locator(".kl-stage")
    return float(stage.get_attribute("data-from") or 0), float(stage.get_attribute("data-to") or 0)


def test_the_graph_says_who_reads_what_and_who_stands_by(show: Open) -> None:
    view = show(death())
    assert view.texts(".kl-bar .kl-pill") == [
        "● Stable", "coordinator 101", "generation 9", "range", "classic protocol", "lag 9",
    ]  # fmt: skip
    assert view.texts(".kl-member") == ["C1 1 partition", "C2 2 partitions", "C4 standing by"]
    expect(view.page.locator(".kl-member.kl-idle")).to_have_css("border-style", "dashed")
    shown = [text.split(",")[0].strip() for text in view.texts(".kl-part")]
    assert shown == ["trucks P0", "trucks P1 −3", "trucks P2 −6"]
    assert edges(view) == {"trucks/0", "trucks/1", "trucks/2"}
    # What is told by hidden text is told by the line: read by whom.
    assert view.texts(".kl-part")[2].endswith("read by C2")


def test_the_gantt_shows_how_long_nobody_read_and_a_pause_large_when_it_is_chosen(show: Open) -> None:
    view = show(death())
    assert bars(view, "trucks/2") == ["C3", "silent", "rebalancing", "C2", "rebalancing", "C2"]
    gap = view.page.locator("[data-bar='trucks/2@1000017'] .kl-span")
    assert gap.evaluate("(rect) => getComputedStyle(rect).strokeDasharray") != "none"
    assert "url(" in gap.evaluate("(rect) => rect.style.fill")
    expect(view.page.locator("[data-bar='trucks/2@1000017'] text")).to_have_text("3.4 s")
    assert [text[-1] for text in view.page.locator(".kl-number").all_text_contents()] == ["8", "9"]
    expect(view.page.locator(".kl-note")).to_contain_text("▸ you killed C3")
    (_, _, third) = view.texts(".kl-pause")
    assert "P2 for 3.4 s (±0.1 s): C3 died" in third

    before = window(view)
    button = view.page.get_by_role("button", name="nobody read P2 for 3.4 s")
    button.focus()
    view.page.keyboard.press("Enter")
    after = window(view)
    assert after[1] - after[0] < (before[1] - before[0]) / 3
    assert after[0] < 1_000_017 and after[1] > 1_000_020.4
    assert view.page.locator(".kl-marked").count() == 2
    expect(button).to_be_focused()


def test_the_time_line_is_worked_by_keys_and_by_the_mouse(show: Open) -> None:
    view = show(death())
    stage, page = view.page.locator(".kl-stage"), view.page
    stage.focus()
    start = window(view)
    page.keyboard.press("+")
    page.keyboard.press("+")
    near = window(view)
    assert near[1] - near[0] == pytest.approx((start[1] - start[0]) / 4, rel=0.01)
    assert near[1] == pytest.approx(start[1], abs=0.01)
    page.keyboard.press("ArrowLeft")
    assert window(view)[1] < near[1]
    page.keyboard.press("Home")
    assert window(view)[0] == pytest.approx(samples.AT, abs=0.01)
    page.keyboard.press("End")
    assert window(view) == pytest.approx(near, abs=0.01)
    page.get_by_role("button", name="earlier").click()
    assert window(view)[1] < near[1] - 0.01
    page.get_by_role("button", name="follow the newest").click()
    assert window(view)[1] == pytest.approx(near[1], abs=0.01)

    # And by the mouse.
    before = window(view)
    at = box(page.locator(".kl-stage"))
    page.mouse.move(at["x"] + 300, at["y"] + 40)
    page.mouse.down()
    page.mouse.move(at["x"] + 420, at["y"] + 40, steps=4)
    page.mouse.up()
    assert window(view)[0] < before[0] - 1

    # Arrow keys move in the graph, and what belongs together stands out.
    page.locator(".kl-graph li[tabindex='0']").focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowRight"):
        page.keyboard.press(key)
    focused = page.evaluate("document.activeElement.dataset.item")
    assert focused == "m:C4-0000-id"
    page.keyboard.press("ArrowUp")
    assert page.locator(".kl-edges path.kl-on").count() == 2


def rebalanced() -> tuple[dict[str, Any], dict[str, Any]]:
    """The group before and while C3 goes, and when C2 has taken over."""
    history = samples.kept("dashboard", (samples.AT, samples.group(samples.THREE)), until=samples.AT + 5)
    before = drawn(samples.snapshot(samples.group(samples.THREE)), "dashboard", history.to_dict())
    history.looked(samples.Look(samples.AT + 5.2, samples.group({"C1": [], "C2": []}, "PreparingRebalance")))
    history.explained("C3-0000-id", "left")
    history.looked(samples.Look(samples.AT + 5.4, samples.group(samples.AFTER)))
    after = drawn(samples.snapshot(samples.group(samples.AFTER)), "dashboard", history.to_dict())
    return before, after


def end_of(view: ViewPage, partition: str) -> float:
    """The height at which a partition's line ends."""
    path = view.page.locator(f".kl-edges path[data-edge='{partition}']").get_attribute("d") or ""
    return float(path.split()[-1])


def test_in_a_rebalance_lines_move_to_their_new_member_at_once_where_motion_is_unwanted(show: Open) -> None:
    before, after = rebalanced()
    view = show(before, live=True, reduced_motion="reduce")
    was = end_of(view, "trucks/2")
    view.draw(after)
    assert end_of(view, "trucks/2") < was - 8
    view = show(before, live=True, reduced_motion="no-preference")
    path = view.page.locator("[data-edge='trucks/2']")
    swinging = "(path) => path.getAnimations().some((one) => one.transitionProperty === 'd')"
    path.evaluate("(path) => Promise.all(path.getAnimations().map((one) => one.finished))")
    assert not path.evaluate(swinging)
    view.draw(after)
    assert path.evaluate(swinging)
    assert end_of(view, "trucks/2") < was - 8
    # Screen readers are told what happened, once.
    assert "C3 left" in view.page.locator("[role=status].kl-hidden").inner_text()
    # A partition that nobody holds is marked by more than colour.
    for p in after["partitions"].values():
        p["member"] = None
    view = show(after)
    assert view.page.locator(".kl-nobody").count() == 3
    expect(view.page.locator(".kl-part").first).to_have_css("border-style", "dashed")
    assert edges(view) == set()


def test_another_group_is_asked_for_also_where_there_is_none_yet(show: Open) -> None:
    view = show(drawn(samples.snapshot(), "", None), live=True)
    expect(view.page.get_by_text("There is no consumer group yet.")).to_be_visible()
    view.draw(death(error="No broker answers."))
    expect(view.page.get_by_text("The cluster does not answer now.")).to_be_visible()
    assert view.page.locator(".kl-part").count() == 3
    view.draw(death())
    # A live picture goes on by itself.
    first = window(view)[1]
    view.page.wait_for_function("(t) => Number(document.querySelector('.kl-stage').dataset.to) > t + 0.3", arg=first)
    chooser = view.page.get_by_label("group shown")
    assert chooser.locator("option").all_inner_texts() == ["audit", "dashboard"]
    chooser.select_option("audit")
    assert {"do": "choose", "place": 0} in view.asked()
    # A frozen picture offers no choice: nobody would answer.
    frozen = show(death())
    assert frozen.page.get_by_label("group shown").count() == 0


def test_of_a_recording_the_gantt_ends_at_the_moment_also_when_time_runs_backwards(open_view: Open) -> None:
    recording, lane = tape().recording, f"{samples.T}/2"
    group = GroupView(recording)
    view = open_view(VIEW, live_state(group.drawn_at(recording.at(12.0))), width=1200)
    assert window(view) == (BEGAN + 12 - 30, BEGAN + 12), "the whole of a short recording fits"
    assert bars(view, lane) == ["C3"]
    view.draw(group.drawn_at(recording.at(29.0)))
    assert window(view)[1] == BEGAN + 29
    # It was dead for three seconds before the group missed it.
    assert bars(view, lane) == ["C3", "silent", "rebalancing", "C2"]
    view.draw(group.drawn_at(recording.at(20.0)))
    assert window(view)[1] == BEGAN + 20
    assert bars(view, lane) == ["C3"], "nobody knew yet"
    expect(view.page.locator(".kl-pause")).to_have_count(0)
    assert view.asked() == []
