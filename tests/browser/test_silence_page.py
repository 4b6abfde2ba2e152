"""A view that hears nothing says so, loses its "live" and its buttons, and comes back by itself; on a plain page."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.cluster_page import Open, show, state

__all__ = ["show"]

NO_NEWS = "No news from the kernel since"


def test_without_news_it_stands_still_and_goes_on_with_the_next_word(show: Open) -> None:
    view = show(state())
    page = view.page
    live, buttons = page.locator(".kl-live"), page.locator("button[data-node]")
    expect(live).to_be_visible()
    expect(buttons.first).to_be_enabled()
    (asked,) = view.sent

    view.fall_silent()
    expect(page.locator(".kl-standstill").filter(has_text=NO_NEWS)).to_be_visible()
    expect(live).to_be_hidden()
    for button in buttons.all():
        expect(button).to_be_disabled()
    # It asks for news, and neither draws nor offers anything else meanwhile.
    assert view.sent[1:] == [asked]

    view.tell({"beat": 0})
    expect(page.get_by_text(NO_NEWS)).to_have_count(0)
    expect(live).to_be_visible()
    expect(buttons.first).to_be_enabled()
    # What was sent to nobody meanwhile is asked for.
    view.tell({"beat": 3})
    assert view.sent[2:] == [asked]


def test_where_the_line_is_closed_it_says_so_at_once(show: Open) -> None:
    view = show(state())
    view.page.evaluate("() => { model.send = () => { throw new Error('Cannot send'); }; }")
    view.page.locator("button[data-node]").first.click()
    expect(view.page.get_by_text(NO_NEWS)).to_be_visible()
    expect(view.page.locator(".kl-error")).to_have_count(0)


def test_one_that_was_kept_says_why_nothing_can_be_pressed(show: Open) -> None:
    view = show(state())
    view.tell({"kept": "This picture was kept."})
    expect(view.page.locator(".kl-standstill").filter(has_text="This picture was kept.")).to_be_visible()
    expect(view.page.locator("button[data-node]").first).to_be_disabled()
    expect(view.page.locator(".kl-live")).to_be_hidden()
