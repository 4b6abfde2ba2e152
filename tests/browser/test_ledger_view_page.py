"""LedgerView's front end in a real browser: the flow, the ids, the question, keys, motion."""

from __future__ import annotations

from playwright.sync_api import expect

from kafkalab.checks.ledger import Ledger
from tests.browser.samples import ledger as picture
from tests.browser.view_page import Open, box
from tests.unit.views.ledger_samples import sample

#: For the fixture ``show``.
VIEW, PAGE = "ledger_view", {"width": 1100}


def test_the_flow_says_who_went_where_and_follows_the_ledger(show: Open) -> None:
    ledger = sample()
    view = show(picture(ledger, moving=True))
    page = view.page
    assert view.texts(".kl-lg-title") == ["Ledger of trucks_gps"]
    assert page.locator(".kl-lg-number").all_text_contents() == ["300", "298", "297"]
    assert "◌ 3 not seen yet" in page.locator(".kl-lg-end").all_text_contents()
    expect(page.locator("[data-kind=lost] h4")).to_have_text("◌ 3 not seen yet")
    view.draw(picture(ledger))
    ends = page.locator(".kl-lg-end").all_text_contents()
    assert ends == ["⊘ 1 not acknowledged", "✗ 3 lost", "◇ 1 sent by others"]
    beside = page.locator(".kl-lg-beside").all_text_contents()
    assert beside == ["⇉ 2 duplicated", "⇄ 1 out of order", "↻ 1 read again"]
    expect(page.get_by_role("status").first).to_contain_text("✗ 3 of 298 acknowledged records are lost")
    assert view.texts("[data-kind=lost] .kl-lg-id") == ["r007", "r008", "r009"]
    for n in (7, 8, 9):
        ledger.seen(f"r{n:03d}", (0, 10 * n))
    view.draw(picture(ledger))
    expect(page.locator("[data-kind=lost] h4")).to_have_text("✓ none lost")
    assert page.locator(".kl-lg-way-lost.kl-lg-ribbon").count() == 0


def test_what_became_of_a_record_is_asked_and_told_by_keyboard_alone(show: Open) -> None:
    ledger = sample()
    view = show(picture(ledger))
    page = view.page
    page.get_by_label("id of a record").focus()
    page.keyboard.type("r020")
    page.keyboard.press("Enter")
    assert view.asked() == [{"do": "find", "id": "r020"}]
    view.tell({"found": {**ledger.fate("r020"), "id": "r020"}})
    told = page.locator(".kl-lg-told")
    expect(told).to_contain_text("✓ sent, as number 21 → ✓ acknowledged → ✓ seen")
    expect(told).to_contain_text("P0 offset 200")
    expect(told).to_contain_text("It lies in the log more than once.")
    first = page.locator(".kl-lg-id[tabindex='0']")
    expect(first).to_have_text("r007")
    first.focus()
    for key in ("ArrowRight", "End", "Home", "ArrowDown"):
        page.keyboard.press(key)
    expect(page.locator(".kl-lg-id:focus")).to_have_text("r008")
    page.keyboard.press("Enter")
    assert view.asked()[-1] == {"do": "find", "id": "r008"}
    view.draw(picture(ledger, moving=True))
    expect(page.locator(".kl-lg-id:focus")).to_have_text("r008")  # a redraw takes nobody's place away


def test_without_a_kernel_the_ids_it_lists_are_all_it_knows(show: Open) -> None:
    view = show(picture(live=False), live=False)
    page = view.page
    page.locator("[data-kind=duplicated] .kl-lg-id").first.click()
    expect(page.locator(".kl-lg-told")).to_have_text("r020: ⇉ duplicated.")
    page.get_by_label("id of a record").fill("r111")
    page.keyboard.press("Enter")
    expect(page.locator(".kl-lg-told")).to_contain_text("not among the ids")
    assert view.sent == []


def test_records_flow_while_they_are_counted(show: Open) -> None:
    view = show(picture(moving=True), reduced_motion="no-preference")
    currents = view.page.locator(".kl-lg-current")
    expect(currents).to_have_count(2)
    expect(currents.first).not_to_have_css("animation-name", "none")
    view.draw(picture())
    expect(currents).to_have_count(0)


def test_good_news_is_told_as_such_beside_bad(show: Open) -> None:
    ledger = Ledger()
    for id in ("a", "b", "c"):
        ledger.sent(id)
        ledger.acknowledged(id)
        ledger.seen(id, (0, ord(id)))
    ledger.seen("a", (0, 200))
    view = show(picture(ledger), width=817)
    said = view.page.get_by_role("status").first.locator(".kl-lg-said")
    expect(said).to_have_text(
        ["✓ Every one of 3 acknowledged records was seen.", "⇉ 1 lies in the log more than once."]
    )
    colours = said.locator("b").evaluate_all("(all) => all.map((n) => getComputedStyle(n).color)")
    assert colours == ["rgb(26, 127, 90)", "rgb(192, 54, 44)"]
    flow = box(view.page.locator(".kl-lg-flow svg"))
    for text in view.page.locator(".kl-lg-flow text").all():
        own = box(text)
        assert flow["x"] <= own["x"] and own["x"] + own["width"] <= flow["x"] + flow["width"]
