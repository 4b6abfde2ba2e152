"""LedgerView's front end in a real browser: the flow, the ids, the question, keys, hostile ids, motion."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from kafkalab.checks.ledger import Ledger
from kafkalab.views.ledger_drawn import drawn
from tests.browser.accessibility import audit
from tests.browser.view_page import ViewPage
from tests.unit.views.ledger_samples import sample
from tests.unit.views_samples import HOSTILE, LONG, TURNED

Open = Callable[..., ViewPage]
#: For the fixture ``show``.
VIEW, PAGE = "ledger_view", {"width": 1100}


def picture(ledger: Ledger | None = None, **more: Any) -> dict[str, Any]:
    """A state as the kernel would draw it."""
    return drawn((ledger or sample()).counts(20), **{"topic": "trucks_gps", "live": True, **more})


def asked(view: ViewPage) -> list[Any]:
    return [m for m in view.sent if m.get("do") == "find"]


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
    assert asked(view) == [{"do": "find", "id": "r020"}]
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
    assert asked(view)[-1] == {"do": "find", "id": "r008"}
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


def test_nothing_in_an_id_can_act(show: Open) -> None:
    ledger = Ledger()
    ids = [HOSTILE, TURNED, LONG, "y" * 1_000_000, "__proto__", ""]
    for id in ids:
        ledger.acknowledged(id)
    view = show(picture(ledger, topic=HOSTILE), width=700)
    page = view.page
    assert page.locator("img").count() == 0
    for button in page.locator(".kl-lg-id").all():
        button.click()
    view.tell({"found": {**ledger.fate(TURNED), "id": TURNED, "key": HOSTILE, "positions": [HOSTILE]}})
    assert page.locator("img").count() == 0
    assert "\u202e" not in page.locator(".kl-ledger").inner_text()
    assert page.evaluate("document.documentElement.scrollWidth") <= 700


@pytest.mark.parametrize("light", [True, False])
@pytest.mark.parametrize("width, presenter", [(700, False), (1300, True)])
def test_it_is_readable_and_fits(show: Open, light: bool, width: int, presenter: bool) -> None:
    body = f'data-jp-theme-light="{"true" if light else "false"}" style="background: {"#fff" if light else "#111417"}"'
    view = show(picture(), body=body, width=width, presenter=presenter, reduced_motion="reduce")
    page = view.page
    page.locator(".kl-lg-id").first.click()
    view.tell({"found": {**sample().fate("r007"), "id": "r007"}})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    audit(page, ".kl-ledger")
    texts = ".kl-lg-kind h4, .kl-lg-kind p, .kl-lg-id, .kl-lg-step, .kl-lg-verdict, .kl-soft, .kl-lg-sign, .kl-pill"
    poor = [row for row in view.contrasts(texts) if row[1] < 4.5]
    assert not poor, poor[:5]


@pytest.mark.parametrize("motion, moves", [("no-preference", True), ("reduce", False)])
def test_records_flow_while_they_are_counted_unless_motion_is_unwanted(show: Open, motion: str, moves: bool) -> None:
    view = show(picture(moving=True), reduced_motion=motion)
    currents = view.page.locator(".kl-lg-current")
    expect(currents).to_have_count(2)
    assert (currents.first.evaluate("e => getComputedStyle(e).animationName") != "none") is moves
    view.draw(picture())
    expect(currents).to_have_count(0)


@pytest.mark.parametrize("width", [1100, 817])
def test_good_news_is_told_as_such_beside_bad_and_the_panel_is_filled(show: Open, width: int) -> None:
    ledger = Ledger()
    for id in ("a", "b", "c"):
        ledger.sent(id)
        ledger.acknowledged(id)
        ledger.seen(id, (0, ord(id)))
    ledger.seen("a", (0, 200))
    view = show(picture(ledger), width=width)
    said = view.page.get_by_role("status").first.locator(".kl-lg-said")
    expect(said).to_have_text(
        ["✓ Every one of 3 acknowledged records was seen.", "⇉ 1 lies in the log more than once."]
    )
    colours = said.locator("b").evaluate_all("(all) => all.map((n) => getComputedStyle(n).color)")
    assert colours == ["rgb(26, 127, 90)", "rgb(192, 54, 44)"]
    flow = view.page.locator(".kl-lg-flow svg").bounding_box()
    assert flow
    for text in view.page.locator(".kl-lg-flow text").all():
        box = text.bounding_box()
        assert box and flow["x"] <= box["x"] and box["x"] + box["width"] <= flow["x"] + flow["width"]
    # Nothing falls off: no room is kept for it below.
    bar = view.page.locator(".kl-lg-bar").first.bounding_box()
    assert bar and flow["y"] + flow["height"] - bar["y"] - bar["height"] < 0.15 * flow["height"]
    kinds = view.page.locator(".kl-lg-kinds").bounding_box()
    assert kinds and (kinds["x"] > flow["x"] + flow["width"] - 1) == (width == 1100)
