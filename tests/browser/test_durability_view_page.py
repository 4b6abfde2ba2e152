"""DurabilityView's front end in a real browser: cells, keys, stories, a run that fills in, hostile content."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from kafkalab.views.durability_drawn import drawn
from tests.browser.accessibility import audit
from tests.browser.view_page import ViewPage
from tests.unit.views.durability_samples import begun, result
from tests.unit.views_samples import HOSTILE, LONG, TURNED

Open = Callable[..., ViewPage]
#: For the fixture ``show``.
VIEW, PAGE = "durability_view", {"width": 1200}


def picture(**part: object) -> dict[str, Any]:
    """A state as the kernel would draw it."""
    return drawn({**result(**part).to_dict(12), "cluster": "lab"}, live=True)


def cell(view: ViewPage, name: str) -> Any:
    return view.page.locator(f"[data-cell='{name}']")


def test_each_cell_says_what_it_kept_and_lost_and_tells_its_story(show: Open) -> None:
    view = show(picture())
    page = view.page
    assert page.locator("[data-cell]").count() == 27
    expect(cell(view, "a1-m2-u3-k")).to_contain_text("✗ 50 lost")
    expect(cell(view, "aall-m2-u1-k")).to_contain_text("⊘ refused")
    expect(cell(view, "aall-m1-u1-k")).to_contain_text("disk lost: ✗ 150")
    spoken = "acks=all, min.insync.replicas=1, 3 of 3 brokers up: 100 kept 100 acked 100 seen"
    expect(page.get_by_role("gridcell", name=spoken)).to_have_attribute("data-cell", "aall-m1-u3-k")
    cell(view, "aall-m3-u2-k").click()
    story = page.locator(".kl-dm-story")
    expect(story).to_contain_text("min.insync.replicas=3: the leader refuses to write")
    expect(story).to_contain_text("100 × [Error 19] NotEnoughReplicasError: None")
    page.get_by_label("killed, and its disk is lost").check()
    expect(cell(view, "aall-m1-u1-d")).to_contain_text("✗ 150 lost")
    cell(view, "a1-m1-u1-d").click()
    expect(story).to_contain_text("✗ 150 lost, by id: a1-m1-u1-d-0000 … 0149")
    expect(story).to_contain_text("its log was the only copy")


def test_all_of_it_by_keyboard(show: Open) -> None:
    view = show(picture())
    page = view.page
    assert page.locator("[data-cell][tabindex='0']").count() == 1
    page.locator("[data-cell][tabindex='0']").focus()
    walked = []
    for key in ("ArrowRight", "ArrowDown", "End", "ArrowUp", "Home", "ArrowRight", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
        walked.append(page.evaluate("document.activeElement.dataset.cell"))
    assert walked == [
        "a1-m2-u3-k", "aall-m2-u3-k", "aall-m3-u1-k", "a1-m3-u1-k", "a1-m1-u3-k", "a1-m2-u3-k", "a1-m3-u3-k",
        "a1-m1-u2-k",
    ]  # fmt: skip
    expect(page.locator(".kl-dm-story-title")).to_contain_text("acks=1 · min.insync.replicas=1 · 2 of 3 brokers up")
    page.get_by_label("killed, and comes back").focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator("[data-cell='a1-m1-u2-d']")).to_have_attribute("aria-selected", "true")
    page.get_by_role("button", name="run it").focus()
    page.keyboard.press("Enter")
    assert [m for m in view.sent if m["do"] == "run"] == [{"do": "run"}]


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_cells_fill_in_while_it_runs(show: Open, motion: str) -> None:
    plain = begun()
    view = show(drawn(plain, live=True), reduced_motion=motion)
    page = view.page
    expect(cell(view, "a1-m1-u2-k")).to_contain_text("… running")
    expect(cell(view, "a1-m1-u1-k")).to_contain_text("○ not run")
    expect(page.locator(".kl-dm-step")).to_have_text("2 of 3 brokers up: 100 records sent")
    cell(view, "a1-m1-u2-k").focus()
    view.draw(drawn({**result().to_dict(12), "running": False}, live=True))
    expect(cell(view, "a1-m1-u2-k")).to_contain_text("✗ 50 lost")
    expect(cell(view, "a1-m1-u2-k")).to_be_focused()
    expect(page.locator(".kl-dm-progress")).to_be_hidden()
    moves = cell(view, "a1-m1-u2-k").evaluate("e => getComputedStyle(e).animationName") != "none"
    assert moves is (motion != "reduce")
    page.get_by_role("button", name="run it").click()
    view.draw(drawn(plain, live=True))
    page.get_by_role("button", name="end it").click()
    assert [m["do"] for m in view.sent if m["do"] in ("run", "halt")] == ["run", "halt"]


def test_a_part_is_drawn_as_a_part_and_a_frozen_one_offers_no_run(show: Open) -> None:
    view = show(picture(acks=("1", "all"), brokers_up=(3,), fault="killed") | {"live": False}, live=False)
    page = view.page
    assert page.locator("[data-cell]").count() == 6 and page.locator(".kl-dm-grid-panel").count() == 1
    expect(page.get_by_role("button", name="run it")).to_be_hidden()
    expect(page.locator(".kl-dm-faults")).to_be_hidden()
    cell(view, "aall-m3-u3-k").click()
    assert view.sent == []


def test_nothing_that_a_producer_was_told_can_act(show: Open) -> None:
    plain = {**result().to_dict(12), "cluster": HOSTILE, "rounds": {"3": [HOSTILE, TURNED, LONG]}}
    for one in plain["cells"]:
        one.update(why=HOSTILE, lost_words=TURNED, error=HOSTILE)
        for spell in one["spells"]:
            spell.update(name=HOSTILE, errors=[{"error": HOSTILE, "said": LONG, "times": 1}])
    view = show(drawn(plain, live=True), width=700)
    cell(view, "a1-m1-u3-k").click()
    assert view.page.locator("img").count() == 0
    assert "\u202e" not in view.page.locator(".kl-durability").inner_text()
    assert view.page.evaluate("document.documentElement.scrollWidth") <= 700


@pytest.mark.parametrize("light", [True, False])
@pytest.mark.parametrize("width, presenter", [(700, False), (1300, True)])
def test_it_is_readable_and_fits(show: Open, light: bool, width: int, presenter: bool) -> None:
    body = f'data-jp-theme-light="{"true" if light else "false"}" style="background: {"#fff" if light else "#111417"}"'
    view = show(picture(), body=body, width=width, presenter=presenter)
    page = view.page
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(_OVERFLOWING) == []
    audit(page, ".kl-durability")
    texts = ".kl-dm-cell-said, .kl-dm-cell-counts, .kl-dm-cell-other, .kl-dm-grid-head, .kl-dm-told, .kl-soft"
    poor = [row for row in view.contrasts(texts) if row[1] < 4.5]
    assert not poor, poor[:5]


#: Cells whose text does not fit into them.
_OVERFLOWING = """[...document.querySelectorAll('.kl-dm-cell')].filter((e) => e.scrollWidth > e.clientWidth + 1)
  .map((e) => e.dataset.cell)"""


@pytest.mark.parametrize("width", [1097, 1280])
def test_a_setting_is_read_in_one_line_and_the_cells_that_are_seen_are_counted(show: Open, width: int) -> None:
    view = show(picture(), width=width)
    for side in view.page.locator(".kl-dm-grid-side").all():
        acks, value = (word.bounding_box() for word in side.locator("small, b").all())
        assert acks and value and acks["x"] + acks["width"] <= value["x"]
    status = view.page.get_by_role("status").first
    expect(status).to_contain_text("27 cells run: 15 lost")
    assert view.page.locator("[data-cell]:visible").count() == 27
    view.page.get_by_label("killed, and its disk is lost").check()
    expect(status).to_contain_text("27 cells run: 19 lost")
