"""RecordView's front end in a real browser: fields and bytes light each other up."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.samples import record as picture
from tests.browser.view_page import Open

#: For the fixture ``show``.
VIEW, PAGE = "record", {"width": 1100}


def test_a_field_lights_up_its_bytes_and_a_byte_its_field(show: Open) -> None:
    view = show(picture())
    page = view.page
    told = page.locator(".kl-record-told")
    expect(told).to_contain_text("value")  # what one looks for first
    page.locator("[role=option][data-field=crc]").hover()
    expect(page.locator(".kl-box[data-field=crc]")).to_have_class("kl-box kl-kind-check kl-begins kl-ends kl-lit")
    expect(told).to_contain_text("the same.")
    page.locator(".kl-box[data-field=producer_id]").first.hover()
    expect(page.locator("[role=option][data-field=producer_id]")).to_have_class("kl-field kl-lit")
    expect(told).to_contain_text("1000")
    page.locator(".kl-chars[data-field=key]").first.click()
    expect(page.locator("[role=option][data-field=key]")).to_be_focused()
    expect(told).to_contain_text("54 30 30 30 32")
    # All the bytes that belong to the field, and no others, wherever rows cut them.
    assert page.locator(".kl-box.kl-chosen .kl-byte").all_inner_texts() == ["54", "30", "30", "30", "32"]
    page.locator("[role=option][data-field=attributes]").click()
    expect(told.get_by_role("row")).to_have_count(6)

    assert view.texts(".kl-dump-at")[0] == "500"
    assert view.texts(".kl-record-title")[0].startswith("trucks_gps · P3 · offset 42 of 0 to 45")
    assert "00000000000000000000.log at byte 500" in view.texts(".kl-record-where")[0]


def test_all_of_it_by_keyboard(show: Open) -> None:
    view = show(picture())
    page = view.page
    page.locator("[role=option][aria-selected=true]").focus()
    page.keyboard.press("Home")
    names = []
    for _ in range(40):
        names.append(page.evaluate("document.activeElement.dataset.field"))
        page.keyboard.press("ArrowDown")
    every = page.locator("[role=option]").evaluate_all("(nodes) => nodes.map((n) => n.dataset.field)")
    assert names[: len(every)] == every
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    for step in ("previous", "next", "previous_batch", "next_batch", "newest", "cell-40", "copy-102"):
        page.locator(f"[data-key='{step}']").focus()
        page.keyboard.press("Enter")
    page.locator(".kl-record-offset").fill("17")
    page.keyboard.press("Enter")
    goes = [41, 43, 39, 45, None, 40]
    assert view.asked() == [
        {"do": "go", "offset": 44},
        *({"do": "go", "offset": offset} for offset in goes),
        {"do": "read_from", "broker": 102},
        {"do": "go", "offset": 17},
    ]


def test_the_chosen_field_and_the_focus_stay_from_record_to_record(show: Open) -> None:
    view = show(picture())
    page = view.page
    page.locator("[role=option][data-field=key]").click()
    view.draw(picture(43))
    expect(page.locator("[role=option][data-field=key]")).to_be_focused()
    expect(page.locator(".kl-record-told")).to_contain_text("T0003")
    page.locator("[data-key=next]").focus()
    view.draw(picture(44))
    expect(page.locator("[data-key=next]")).to_be_focused()
    expect(page.locator(".kl-cell[aria-current=true]")).to_have_text("44")


def test_a_compressed_batch_is_shown_packed_and_unpacked(show: Open) -> None:
    view = show(picture(codec=4))
    assert len(view.texts(".kl-dump")) == 2
    assert any(text.startswith("zstd, ") for text in view.texts(".kl-pill"))
    assert [text.split(",")[0] for text in view.texts(".kl-share-row > .kl-soft")] == ["in the log", "unpacked"]
    expect(view.page.locator("[role=option][data-field=packed]")).to_be_visible()

    # What cannot be read is said.
    view.draw({**picture(), "facts": [], "blocks": [], "strip": None, "read": "", "trouble": "torn"})
    expect(view.page.get_by_role("status")).to_have_text("torn")
    expect(view.page.locator(".kl-record-main")).to_be_hidden()
    view.draw(picture())
    expect(view.page.locator(".kl-record-main")).to_be_visible()
