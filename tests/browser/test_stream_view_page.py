"""StreamView's front end in a real browser, drawn from what Spark reported of real queries."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from kafkalab.state.stream_report import Trigger
from kafkalab.views.stream_drawn import drawn, recorded
from kafkalab.views.stream_history import History
from tests.browser.accessibility import audit
from tests.browser.view_page import ViewPage
from tests.unit.views.stream_samples import reports
from tests.unit.views_samples import HOSTILE, LONG, TURNED

Open = Callable[..., ViewPage]
#: For the fixture ``show``.
VIEW, PAGE = "stream_view", {"live": False}
EVERY = {"windows": Trigger("processing time", 1000), "copy": Trigger("processing time", 500),
         "realtime": Trigger("real time", 5000), "fails": Trigger("processing time", 500)}  # fmt: skip
SLIDER = "input.kl-st-slider"


def state(query: str = "windows", **more: Any) -> dict[str, Any]:
    return {**recorded(reports(query), EVERY[query]), **more}


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


def test_what_does_not_apply_is_a_sentence_and_not_an_empty_chart(show: Open) -> None:
    view = show(state("copy"))
    assert view.texts(".kl-st-panel-watermark p") == [state("copy")["notes"]["watermark"]]
    assert view.texts(".kl-st-panel-state p") == [state("copy")["notes"]["state"]]
    assert view.page.locator(".kl-st-panel-watermark svg.kl-st-plot, .kl-st-panel-state svg.kl-st-plot").count() == 0
    live = show(state("realtime"))
    assert "In real-time mode rows are passed on as they come" in live.texts(".kl-st-panel-phases")[0]
    assert "Nobody reads P2, P3" in live.texts(".kl-st-unread")[0]
    assert "a task slot for every partition" in live.texts(".kl-st-unread")[0]
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


def test_a_press_on_a_chart_chooses_its_batch(show: Open) -> None:
    view = show(state("copy"))
    box = view.page.locator(".kl-st-panel-rates svg.kl-st-plot").bounding_box()
    assert box
    # 14 batches beside 56 px of ticks and 8 px of margin: the fourth of them.
    view.page.mouse.click(box["x"] + 56 + (box["width"] - 64) * 3.5 / 14, box["y"] + 60)
    expect(view.page.locator(SLIDER)).to_have_attribute("aria-valuetext", re.compile("batch 3 of "))


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
    expect(view.page.get_by_role("alert")).to_have_text("The query stopped on an error. It broke.Mend it.")


def test_what_comes_from_outside_stays_text(show: Open) -> None:
    evil = []
    for report in reports("windows"):
        source = {**report["sources"][0], "description": LONG}
        for name in ("startOffset", "endOffset", "latestOffset"):
            source[name] = source[name] and {HOSTILE: source[name]["trucks_gps"], TURNED: source[name]["trucks_gps"]}
        operators = [{**report["stateOperators"][0], "operatorName": HOSTILE, "customMetrics": {HOSTILE: 3, TURNED: 4}}]
        evil.append({**report, "name": HOSTILE + TURNED, "sources": [source], "stateOperators": operators,
                     "sink": {"description": HOSTILE, "numOutputRows": 4}})  # fmt: skip
    picture = recorded(evil)
    view = show({**picture, "standing": "failed", "reason": HOSTILE * 50, "advice": LONG, "message": TURNED})
    view.page.locator(".kl-st-custom summary").click()
    text = view.page.locator("body").inner_text()
    assert view.page.locator("img").count() == 0
    assert text.count(HOSTILE[:20]) >= 4
    assert TURNED[0] not in text
    assert "\u202e" not in text
    assert "x" * 400 not in text
    assert view.page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width, presenter", [(700, False), (1300, False), (1300, True)])
def test_it_is_readable_in_both_themes_at_every_width(show: Open, theme: str, width: int, presenter: bool) -> None:
    paper, ink = ("#111", "#e0e0e0") if theme == "dark" else ("#fff", "#212121")
    jupyter = f'style="--jp-layout-color1:{paper};--jp-ui-font-color1:{ink};background:{paper}"'
    view = show(
        state("copy"),
        body=f"data-jp-theme-light={str(theme == 'light').lower()} {jupyter}",
        width=width,
        presenter=presenter,
    )
    found = view.contrasts(
        ".kl-st-bar *, .kl-st-tile *, .kl-st-panel p, .kl-legend li, .kl-st-table th, .kl-st-table td, .kl-title"
    )
    assert len(found) > 60
    assert [row for row in found if row[1] < 4.5] == []
    assert view.page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    # Nothing of a chart is cut off by its own edge.
    outside = view.page.evaluate(
        """[...document.querySelectorAll(".kl-st-plot text, .kl-st-lanes text")].filter((text) => {
          const own = text.getBoundingClientRect(), edge = text.closest("svg").getBoundingClientRect();
          return own.left < edge.left - 1 || own.right > edge.right + 1 || own.bottom > edge.bottom + 1;
        }).map((text) => text.textContent)"""
    )
    assert outside == []


def test_no_motion_where_it_is_unwanted_and_no_barrier(show: Open) -> None:
    moving = "getComputedStyle(document.querySelector('.kl-st-new')).animationName"
    assert show(state()).page.evaluate(moving) == "kl-st-come"
    view = show(state(), reduced_motion="reduce")
    assert view.page.evaluate(moving) == "none"
    audit(view.page, ".kl-stream")


def test_a_fault_is_shown_under_the_view(browser: Browser) -> None:
    page = browser.new_page()
    broken = {**state(), "notes": None, "n": 0, "fault": ""}
    view = ViewPage(page, "stream_view", {"state": broken, "presenter": False, "live": False})
    expect(page.get_by_role("alert")).to_contain_text("This view has a fault.")
    assert view.faults
    page.close()


def test_a_chart_that_cannot_be_is_one_line_and_its_neighbour_takes_the_row(show: Open) -> None:
    picture = state("windows")
    view = show({**picture, "notes": {**picture["notes"], "watermark": "This query sets no watermark."}}, width=1100)
    page = view.page
    empty, kept = (
        page.get_by_role("region", name=n) for n in ("Event time and the watermark", "State kept between batches")
    )
    expect(empty.get_by_role("list", name="legend")).to_be_hidden()
    one, whole, charts = empty.bounding_box(), kept.bounding_box(), page.locator(".kl-st-charts").bounding_box()
    assert one and whole and charts
    assert one["height"] < 50
    assert whole["width"] == charts["width"]
    drawn = kept.locator("svg.kl-st-plot").first.bounding_box()
    assert drawn and drawn["width"] > 0.9 * whole["width"]
    # A press finds the batch in the wider chart, too.
    page.locator(".kl-st-panel-state svg.kl-st-plot").first.click(position={"x": 70, "y": 40})
    expect(page.locator(".kl-st-which")).to_contain_text(f"batch {min(map(int, picture['batches']))}")
