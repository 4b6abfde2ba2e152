"""DurabilityView's front end in a real browser: cells, keys, stories, a run that fills in."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from kafkalab.views.durability.picture import drawn
from tests.browser.samples import durability
from tests.browser.view_page import Open, ViewPage
from tests.unit.views.durability_samples import begun, result

#: For the fixture ``show``.
VIEW, PAGE = "durability", {"width": 1200}


def cell(view: ViewPage, name: str) -> Locator:
    return view.page.locator(f"[data-cell='{name}']")


def test_each_cell_says_what_it_kept_and_lost_and_tells_its_story(show: Open) -> None:
    view = show(durability())
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
    expect(story).to_contain_text("100 × [Error 19] NotEnoughReplicasError")
    status = page.get_by_role("status").first
    expect(status).to_contain_text("27 cells run: 15 lost")
    page.get_by_label("killed, and its disk is lost").check()
    expect(status).to_contain_text("27 cells run: 19 lost")
    assert page.locator("[data-cell]:visible").count() == 27
    expect(cell(view, "aall-m1-u1-d")).to_contain_text("✗ 150 lost")
    cell(view, "a1-m1-u1-d").click()
    expect(story).to_contain_text("a1-m1-u1-d-0000 … 0149")
    expect(story).to_contain_text("its log was the only copy")


def test_all_of_it_by_keyboard(show: Open) -> None:
    view = show(durability())
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
    expect(page.locator(".kl-dm-story-title")).to_contain_text("acks=1 · min.insync.replicas=1 · 2 of 3")
    page.get_by_label("killed, and comes back").focus()
    page.keyboard.press("ArrowDown")
    expect(cell(view, "a1-m1-u2-d")).to_have_attribute("aria-selected", "true")
    page.get_by_role("button", name="run it").focus()
    page.keyboard.press("Enter")
    assert view.asked() == [{"do": "run"}]


def test_cells_fill_in_while_it_runs(show: Open) -> None:
    view = show(drawn(begun(), live=True), reduced_motion="no-preference")
    page, one = view.page, cell(view, "a1-m1-u2-k")
    expect(one).to_contain_text("… running")
    expect(cell(view, "a1-m1-u1-k")).to_contain_text("○ not run")
    expect(page.locator(".kl-dm-step")).to_have_text("2 of 3 brokers up: 100 records sent")
    one.focus()
    view.draw(drawn({**result().to_dict(12), "running": False}, live=True))
    expect(one).to_contain_text("✗ 50 lost")
    expect(one).to_be_focused()
    expect(page.locator(".kl-dm-progress")).to_be_hidden()
    expect(one).not_to_have_css("animation-name", "none")
    page.get_by_role("button", name="run it").click()
    view.draw(drawn(begun(), live=True))
    page.get_by_role("button", name="end it").click()
    assert [m["do"] for m in view.asked()] == ["run", "halt"]
