"""LedgerView's front end in a real browser: the flow, the ids, the question, keys, motion."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.samples import ledger as picture
from tests.browser.view_page import Open
from tests.unit.views.ledger_samples import sample

#: For the fixture ``show``.
VIEW, PAGE = "ledger", {"width": 1100}


def test_the_flow_says_who_went_where_and_follows_the_ledger(show: Open) -> None:
    ledger = sample()
    view = show(picture(ledger, moving=True))
    page = view.page
    assert view.texts(".kl-lg-title") == ["Ledger of trucks_gps"]
    assert page.locator(".kl-lg-number").all_text_contents() == ["300", "298", "297"]
    assert "◌ 3 not seen yet" in page.locator(".kl-lg-end").all_text_contents()
    expect(page.locator("[data-kind=lost] h4")).to_have_text("◌ 3 not seen yet")
    expect(page.locator(".kl-lg-current")).to_have_count(2)
    view.draw(picture(ledger))
    expect(page.locator(".kl-lg-current")).to_have_count(0)
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
    good = "✓ Every one of 298 acknowledged records was seen."
    expect(page.get_by_role("status").first.locator(".kl-lg-said").first).to_have_text(good)
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
