"""The time line's bar in a real browser: it follows the finger at once, by mouse and by keys, whoever answers."""

from __future__ import annotations

import itertools

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.samples import timeline as death
from tests.browser.view_page import Open, ViewPage, box
from tests.unit.views import timeline_samples as samples

#: For the fixture ``show``.
VIEW, PAGE = "timeline", {"width": 1000, "height": 800}


def slider(view: ViewPage) -> Locator:
    return view.page.get_by_role("slider")


def at(view: ViewPage) -> float:
    """Where the slider says that it stands."""
    return float(slider(view).get_attribute("aria-valuenow") or -1)


def place(view: ViewPage, seconds: float) -> tuple[float, float]:
    """Where a moment of the whole recording is on the slider, in pixels."""
    bar = box(slider(view))
    return bar["x"] + bar["width"] * seconds / 42, bar["y"] + bar["height"] / 2


def test_it_says_what_is_shown_and_how_the_cluster_was(show: Open) -> None:
    view = show(death())
    assert view.texts(".kl-tl-head > b, .kl-tl-head .kl-pill") == [
        "truck-lab", "Kafka 3.9.1 · ZooKeeper", "local processes", "✕ 2 of 3 brokers up",
    ]  # fmt: skip
    (when,) = view.texts(".kl-tl-when")
    assert when.startswith("‖ recorded") and when.endswith("0:20.0")
    assert view.texts(".kl-tl-acted") == ["+8.00 s since you killed broker 102"]
    assert view.texts(".kl-tl-tip") == ["0:18.2 (+6.20 s) group dashboard: dashboard-1 now reads P0 P1 P2 P3"]
    assert view.texts(".kl-tl-values .kl-tl-strip") == ["2/3", "0", "4", "460"]
    lanes = {
        lane: view.texts(f".kl-tl-plot [data-lane={lane}] .kl-tl-tick")
        for lane in ("you", "brokers", "partitions", "groups")
    }
    assert lanes["brokers"] == ["✕", "●"] and lanes["partitions"] == ["♛2", "●"]
    assert lanes["you"] == ["▸2", "★", "▸"], "what you did is never hidden behind a name"


def test_dragging_moves_it_at_once_and_asks_a_dozen_times_a_second_at_most(show: Open) -> None:
    view = show(death(40.0))
    expect(view.page.locator(".kl-tl-up")).to_have_text("● 3 of 3 brokers up")
    mouse = view.page.mouse
    mouse.move(*place(view, 40))
    mouse.down()
    for i in range(35):
        mouse.move(*place(view, 40 - i * 0.7))
    # Nobody has answered yet.
    assert abs(at(view) - 16.2) < 0.1
    expect(view.page.locator(".kl-tl-up")).to_have_text("✕ 2 of 3 brokers up")
    assert "broker 102 is down" in (slider(view).get_attribute("aria-valuetext") or "")
    mouse.up()
    seeks = view.asked("seek")
    assert abs(seeks[-1]["at"] - 16.2) < 0.1, "where it was left is asked for, whenever the last one was"
    gaps = [b["when"] - a["when"] for a, b in itertools.pairwise(seeks)]
    assert all(gap >= 79 for gap in gaps[:-1]) and gaps[-1] > 0


def test_dragged_to_the_end_of_what_is_being_recorded_it_is_live_again(show: Open) -> None:
    view = show(death(20.0, going=True))
    bar = box(slider(view))
    view.page.mouse.move(bar["x"] + 300, bar["y"] + 10)
    view.page.mouse.down()
    view.page.mouse.move(bar["x"] + bar["width"] - 2, bar["y"] + 10, steps=5)
    view.page.mouse.up()
    expect(view.page.locator(".kl-tl-where")).to_have_text("● live")
    assert [message["do"] for message in view.sent][-1] == "live" and len(view.asked("live")) == 1
    over = show(death(20.0))
    over.page.mouse.click(*place(over, 41.95))
    assert over.asked("live") == [] and at(over) == pytest.approx(42, abs=0.1)


def test_an_answer_to_an_older_question_does_not_move_it_back(show: Open) -> None:
    view = show(death(40.0))
    view.page.mouse.click(*place(view, 30))
    view.page.mouse.click(*place(view, 10))
    first, last = (message["when"] for message in view.asked("seek"))
    view.draw(death(30.0, heard=first))
    assert abs(at(view) - 10) < 0.1
    view.draw(death(10.25, heard=last))
    assert at(view) == 10.25
    view.draw(death(12.25, heard=last, playing=True))
    assert at(view) == 12.25


def test_by_keys_alone(show: Open) -> None:
    view = show(death(20.0, going=True))
    slider(view).focus()
    for key, there in (
        ("ArrowRight", 20.1), ("Shift+ArrowRight", 21.1), ("ArrowLeft", 21.0), ("Shift+ArrowLeft", 20.0),
        ("PageUp", 18.2), ("PageUp", 16.1), ("PageUp", 12.0), ("PageUp", 11.5), ("PageDown", 12.0),
        ("PageDown", 16.1), ("Home", 0.0), ("PageUp", 0.0),
    ):  # fmt: skip
        view.page.keyboard.press(key)
        assert at(view) == pytest.approx(there), key
    assert (slider(view).get_attribute("aria-valuetext") or "").startswith("0.0 seconds, all brokers are up")
    view.page.keyboard.press("End")
    assert at(view) == 42.0 and view.asked("live")
    expect(view.page.locator(".kl-tl-where")).to_have_text("● live")
    view.page.keyboard.press("Shift+ArrowLeft")
    assert at(view) == 41.0
    expect(view.page.locator(".kl-tl-where")).to_have_text("‖ 1.0 s ago, recorded")
    view.page.keyboard.press("Space")
    assert (view.asked("play")[-1]["at"], view.asked("play")[-1]["speed"]) == (41, 1)
    # The views are told of the place first, and of going on from there then.
    assert [m["do"] for m in view.sent[-2:]] == ["seek", "play"]
    view.draw(death(41.2, going=True, playing=True, heard=view.sent[-1]["when"]))
    view.page.keyboard.press("Space")
    assert view.asked("pause")
    view.page.keyboard.press("+")
    expect(view.page.get_by_label("how much is shown")).to_have_value("22.5")
    view.page.keyboard.press("-")
    expect(view.page.get_by_label("how much is shown")).to_have_value("")


def test_buttons_and_signs_step_play_and_choose_a_speed(show: Open) -> None:
    view = show(death(20.0))
    page = view.page
    page.get_by_role("button", name="to the next event").click()
    assert at(view) == 28.4
    page.get_by_role("button", name="to the event before").click()
    assert at(view) == 18.2
    page.get_by_label("how fast it plays").select_option("10")
    assert view.asked("pace")[-1]["speed"] == 10
    page.get_by_role("button", name="play", exact=True).click()
    assert (view.asked("play")[-1]["speed"], view.asked("play")[-1]["at"]) == (10, 18.2)
    assert page.get_by_role("button", name="live").count() == 0, "of a recording that is over nothing is live"

    # Signs say what they are, and are jumped to.
    tick = view.page.locator(".kl-tl-plot [data-lane=brokers] .kl-tl-tick").first
    tick.hover()
    expect(view.page.locator(".kl-tl-tip")).to_have_text("0:16.1 (+4.10 s) broker 102 is down")
    tick.click()
    assert at(view) == 16.1


def test_the_list_follows_and_leads(show: Open) -> None:
    view = show(death(12.5))
    current = view.page.locator(".kl-tl-lines [aria-current=true]")
    expect(current).to_contain_text("you killed broker 102")
    current.focus()
    view.page.keyboard.press("ArrowDown")
    view.page.keyboard.press("ArrowDown")
    expect(view.page.locator(":focus")).to_contain_text("4 partitions have another leader")
    assert view.asked("seek") == []
    view.page.keyboard.press("Enter")
    assert view.asked("seek")[-1]["at"] == 16.1
    # Of what happened at one moment, the last is where it stands now.
    expect(current).to_contain_text("102 left the ISR")
    assert view.page.locator(".kl-tl-later").count() == 4
    view.page.get_by_role("button", name="broker 102 is up").click()
    assert at(view) == 30.0


def test_a_moment_gets_a_name_and_is_jumped_to(show: Open) -> None:
    view = show(death(20.0))
    field = view.page.get_by_role("textbox", name="name of this moment")
    field.fill("  the lag is back ")
    field.press("Enter")
    (message,) = view.asked("name")
    assert (message["name"], message["at"]) == ("the lag is back", 20)
    expect(field).to_have_value("")
    field.press("Enter")
    assert len(view.asked("name")) == 1, "a name of nothing is none"
    chips = view.page.get_by_role("list", name="moments with a name").get_by_role("button")
    assert view.texts(".kl-tl-chip") == ["★ before the crash 0:11.5", "★ nobody leads 0:16.1"]
    chips.first.click()
    assert at(view) == 11.5
    expect(chips.first).to_have_attribute("aria-current", "true")


def test_live_it_grows_and_signs_stand_still(show: Open) -> None:
    recording = samples.death(40.0)
    view = show(death(40.0, recording, going=True, live=True))
    tick = view.page.locator(".kl-tl-plot [data-lane=brokers] .kl-tl-tick").first
    before = box(tick)
    story = samples.Story()
    story.recording, story._last = recording, recording.facts.value("snapshot")
    story.was(42.0, down=(101, 103))
    story.happened(42.0, "broker_down", "brokers 101 and 103 are down")
    view.draw(death(42.0, recording, going=True, live=True))
    assert at(view) == 42.0 and box(tick) == before
    expect(view.page.locator(".kl-tl-up")).to_have_text("✕ 1 of 3 brokers up")
    expect(view.page.locator(".kl-tl-lines [aria-current=true]")).to_contain_text("brokers 101 and 103 are down")
    expect(view.page.locator(".kl-tl-list")).to_have_js_property(
        "scrollTop", view.page.locator(".kl-tl-list").evaluate("(n) => n.scrollHeight - n.clientHeight")
    )


@pytest.mark.deep
def test_an_hour_is_looked_at_closely_and_stays_quick(show: Open) -> None:
    recording = samples.hour(5000)
    view = show(death(1800.0, recording))
    assert view.page.locator(".kl-tl-lines li").count() <= 90
    assert view.page.locator(".kl-tl-tick").count() < 220
    expect(view.page.locator(".kl-tl-over")).to_be_hidden()
    view.page.get_by_label("how much is shown").select_option("60")
    expect(view.page.get_by_label("how much is shown")).to_have_value("60")
    labels = view.texts(".kl-tl-axis span")
    assert "30:00" in labels and "31:00" not in labels and "29:00" not in labels
    expect(view.page.locator(".kl-tl-over")).to_be_visible()
    slider(view).focus()
    for _ in range(40):
        view.page.keyboard.press("Shift+ArrowRight")
    assert at(view) == 1840.0
    view.page.keyboard.press("Home")
    assert view.texts(".kl-tl-lines li")[0].endswith("event number 0")
    view.page.keyboard.press("End")
    assert view.texts(".kl-tl-lines li")[-1].endswith("event number 4999")


def test_when_nothing_is_known_yet_it_says_so(show: Open) -> None:
    empty = samples.Story("new").recording
    view = show(death(0.0, empty, going=True, live=True))
    expect(view.page.locator(".kl-tl-up")).to_have_text("not read yet")
    expect(view.page.locator(".kl-tl-none")).to_be_visible()
    problem = show(death(problem="it was cut off"))
    expect(problem.page.locator(".kl-tl-problem")).to_contain_text("it was cut off")
