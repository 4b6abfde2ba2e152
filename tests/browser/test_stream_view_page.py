"""StreamView's front end in a real browser, drawn from what Spark reported of real queries."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from kafkalab.views.stream.picture import History, drawn, recorded
from tests.browser.samples import EVERY
from tests.browser.samples import stream as state
from tests.browser.view_page import Open, ViewPage
from tests.unit.views.stream_samples import reports

#: For the fixture ``show``.
VIEW, PAGE = "stream", {"live": False}
SLIDER = "input.kl-st-slider"


def tiles(view: ViewPage) -> dict[str, str]:
    return dict(
        zip(
            view.texts(".kl-st-tile dt"),
            [re.sub(r"[\u202f ]", "", t) for t in view.texts(".kl-st-tile dd b")],
            strict=True,
        )
    )


def lanes(view: ViewPage) -> dict[str, tuple[int, int]]:
    """End and newest offset of each lane, as the picture has them."""
    found = view.page.locator(".kl-st-lane").evaluate_all(
        "(all) => all.map((g) => [g.dataset.lane, Number(g.dataset.end), Number(g.dataset.latest)])"
    )
    return {key: (end, latest) for key, end, latest in found}


def test_the_newest_batch_in_figures_in_charts_and_on_lanes(show: Open) -> None:
    view = show(state("copy"))
    assert tiles(view) == {"arriving": "3988", "can process": "8880", "batch took": "225", "behind": "7339",
                           "watermark": "–", "state": "–"}  # fmt: skip
    ends = {0: (7168, 9049), 1: (6622, 8359), 2: (5605, 7077), 3: (8582, 10831)}
    assert lanes(view) == {f"trucks_gps-{partition}": offsets for partition, offsets in ends.items()}
    assert view.page.locator(".kl-st-wait-box").count() == 4 + 1  # one a lane, and one in the legend
    waits = view.page.locator(".kl-st-behind").all_text_contents()
    assert [text.replace("\u202f", "") for text in waits] == ["1881 wait", "1737 wait", "1472 wait", "2249 wait"]
    expect(view.page.locator(".kl-st-panel-lanes svg.kl-st-lanes")).to_have_attribute(
        "aria-label",
        re.compile(r"4 partitions; batch 13 read up to P0 7.168, P1 6.622, P2 5.605, P3 8.582; 7.339 records"),
    )
    # One bar a batch, and together they are as high as what Spark says the batch took.
    assert view.page.locator(".kl-st-panel-phases .kl-st-body title").filter(has_text="addBatch").count() == 14
    expect(view.page.locator(".kl-st-panel-phases svg.kl-st-plot")).to_have_attribute(
        "aria-label", re.compile("newest batch took 225 ms, 90 ms of it in addBatch. 0 of 14 batches took longer")
    )


def test_a_marked_moment_lies_in_the_batch_that_was_under_way(show: Open) -> None:
    drawn_before = state("copy")
    batches = drawn_before["batches"]
    marks = [{"at": batches["5"]["at"] + 0.05, "words": "102 <killed>"}, {"at": 0, "words": "long before"}]
    view = show(drawn_before | {"marks": marks})
    chart = view.page.locator(".kl-st-panel-phases svg.kl-st-plot")
    assert chart.locator(".kl-st-moment").count() == 1
    assert chart.locator(".kl-st-moments text").all_text_contents() == ["✕ 102 <killed>"]
    here = float(chart.locator(".kl-st-moment").get_attribute("x1") or "nan")
    bars = chart.locator("rect.kl-st-phase-addBatch")
    middle = [float(bars.nth(n).get_attribute("x") or "nan") for n in (4, 5, 6)]
    assert middle[0] < here < middle[2]
    # What was drawn later does not cover it.
    assert chart.evaluate("(svg) => svg.lastElementChild.classList.contains('kl-st-moments')")


def test_what_does_not_apply_is_a_sentence_and_not_an_empty_chart(show: Open) -> None:
    view = show(state("copy"))
    assert view.texts(".kl-st-panel-watermark p") == [state("copy")["notes"]["watermark"]]
    assert view.texts(".kl-st-panel-state p") == [state("copy")["notes"]["state"]]
    assert view.page.locator(".kl-st-panel-watermark svg.kl-st-plot, .kl-st-panel-state svg.kl-st-plot").count() == 0
    live = show(state("realtime"))
    assert "real-time mode" in live.texts(".kl-st-panel-phases")[0]
    assert "P2, P3" in live.texts(".kl-st-unread")[0]
    empty = show(recorded([]))
    assert empty.texts(".kl-st-panel p") == ["No batch has ended yet."] * 5
    expect(empty.page.locator(SLIDER)).to_be_hidden()


def test_watermark_and_state(show: Open) -> None:
    view = show(state())
    assert (tiles(view)["watermark"], tiles(view)["state"]) == ("1:10", "8")
    expect(view.page.locator(".kl-st-panel-watermark svg.kl-st-plot")).to_have_attribute(
        "aria-label",
        re.compile(
            r"the watermark is 06:32:40, 1:10 min behind the newest event time .*; \d+ rows dropped as too late"
        ),
    )
    late = [r for r in reports("windows") if r["stateOperators"][0]["numRowsDroppedByWatermark"]]
    assert view.page.locator(".kl-st-panel-watermark .kl-st-late").count() == len(late)
    assert "After batch 28 the state holds 8 rows" in (
        view.page.locator(".kl-st-panel-state svg.kl-st-plot").first.get_attribute("aria-label") or ""
    )


def test_keys_walk_from_batch_to_batch_and_the_tables_follow(show: Open) -> None:
    view = show(state())
    slider, keys = view.page.locator(SLIDER), view.page.keyboard
    slider.focus()
    expect(slider).to_have_attribute("aria-valuetext", re.compile("batch 28 of .*, the newest"))
    keys.press("ArrowLeft")
    keys.press("ArrowLeft")
    expect(slider).to_have_attribute("aria-valuetext", re.compile("batch 26 of "))
    assert tiles(view)["batch took"] == str(reports("windows")[26]["durationMs"]["triggerExecution"])
    assert lanes(view)["trucks_gps-3"][0] == reports("windows")[26]["sources"][0]["endOffset"]["trucks_gps"]["3"]
    row = view.page.locator(".kl-st-details tr").filter(has_text="addBatch")
    assert str(reports("windows")[26]["durationMs"]["addBatch"]) in row.inner_text()
    keys.press("Home")
    expect(slider).to_have_attribute("aria-valuetext", re.compile("batch 0 of "))
    assert "none before the first batch" in view.texts(".kl-st-pairs")[0]
    keys.press("Tab")
    keys.press("Enter")
    expect(slider).to_have_attribute("aria-valuetext", re.compile("batch 28 of .*, the newest"))
    expect(slider).to_be_focused()


def test_a_new_batch_is_followed_unless_another_one_is_chosen(show: Open) -> None:
    history, some = History(), reports("windows")
    for report in some[:5]:
        history.add(report)
    view = show(drawn(history, "running", EVERY["windows"], message="Processing new data"))
    assert "Processing new data" in view.texts(".kl-st-bar")[0]
    slider = view.page.locator(SLIDER)
    history.add(some[5])
    view.draw(drawn(history, "running", EVERY["windows"]))
    expect(slider).to_have_attribute("aria-valuetext", re.compile("batch 5 of "))
    slider.focus()
    view.page.keyboard.press("ArrowLeft")
    history.add(some[6])
    view.draw(drawn(history, "running", EVERY["windows"]))
    expect(slider).to_have_attribute("aria-valuetext", re.compile("batch 4 of "))
    assert slider.get_attribute("max") == "6"
    view.draw(drawn(history, "failed", EVERY["windows"], reason="It broke.", advice="Mend it."))
    expect(view.page.get_by_role("alert")).to_contain_text("It broke.Mend it.")
