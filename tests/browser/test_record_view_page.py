"""RecordView's front end in a real browser: fields and bytes light each other up, and nothing in a record can act."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from kafkalab.state.log_segments import Found, Neighbour
from kafkalab.state.record_batch import Batch
from kafkalab.views.record_drawn import Copy, Drawn, Look, drawn
from tests.browser.accessibility import audit
from tests.browser.view_page import ViewPage
from tests.unit.state.batches import encoded
from tests.unit.views_samples import HOSTILE, TURNED

Open = Callable[..., ViewPage]
#: For the fixture ``show``.
VIEW, PAGE = "record_view", {"width": 1100}

COPIES = (Copy(101, "leader", "shown"), Copy(102, "follower", "same"), Copy(103, "down", "missing"))


def picture(offset: int = 42, codec: int = 0, hostile: bool = False) -> Drawn:
    """Five records of trucks (or of somebody who means harm) as RecordView draws them."""
    records: list[Any] = [
        (b"T%04d" % i, b'{"speed_kmh": %d}' % (80 + i) * 20, [("source", b"fleet")]) for i in range(5)
    ]
    if hostile:
        value = (HOSTILE + TURNED).encode() + b"\xff\xfe" + b"x" * 1_000_000
        records[2] = (HOSTILE.encode(), value, [(HOSTILE, TURNED.encode()), ("__proto__", b"\x00")])
    batch = Batch.read(encoded(*records, codec=codec, base=40, producer=(1000, 0, 7)))
    found = Found(batch, 101, "00000000000000000000.log", 500, Neighbour(38, 39), Neighbour(45, 45))
    return drawn(Look("trucks_gps", 3, offset, found, None, 0, 46, COPIES), name="lab", live=True)


def asked(view: ViewPage) -> list[Any]:
    return [message for message in view.sent if message["do"] not in ("whole", "gone")]


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


def test_the_dump_holds_the_bytes_of_the_batch(show: Open) -> None:
    shown = picture()
    view = show(shown)
    items = {item["id"]: item for item in shown["blocks"][0]["items"]}
    for id in ("base_offset", "crc", "value_length", "key", "header0_value"):
        bytes_ = view.page.locator(f".kl-box[data-field={id}] .kl-byte").all_inner_texts()
        assert "".join(bytes_) == items[id]["hex"]
    assert view.texts(".kl-dump-at")[0] == "500"
    assert view.texts(".kl-record-title")[0].startswith("trucks_gps · P3 · offset 42 of 0 to 45 batch of 5 records")
    assert "from broker 101's log segment 00000000000000000000.log at byte 500" in view.texts(".kl-record-where")[0]


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
        page.locator(f"[data-step='{step}']").focus()
        page.keyboard.press("Enter")
    page.locator(".kl-record-offset").fill("17")
    page.keyboard.press("Enter")
    goes = [41, 43, 39, 45, None, 40]
    assert asked(view) == [
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
    page.locator("[data-step=next]").focus()
    view.draw(picture(44))
    expect(page.locator("[data-step=next]")).to_be_focused()
    expect(page.locator(".kl-cell[aria-current=true]")).to_have_text("44")


def test_a_compressed_batch_is_shown_packed_and_unpacked(show: Open) -> None:
    view = show(picture(codec=4))
    assert len(view.texts(".kl-dump")) == 2
    assert any(text.startswith("zstd, ") for text in view.texts(".kl-pill"))
    assert [text.split(",")[0] for text in view.texts(".kl-share-row > .kl-soft")] == ["in the log", "unpacked"]
    expect(view.page.locator("[role=option][data-field=packed]")).to_be_visible()


@pytest.mark.parametrize("codec", [0, 1])
def test_nothing_in_a_record_can_act(show: Open, codec: int) -> None:
    view = show(picture(hostile=True, codec=codec), width=700)
    page = view.page
    assert page.locator("img").count() == 0
    for field in ("key", "value", "header0_key", "header0_value", "header1_key"):
        page.locator(f"[role=option][data-field={field}]").click()
        text = page.locator(".kl-record-told").inner_text()
        assert "\u202e" not in text and len(text) < 900
    assert "bytes of value not shown" in " ".join(view.texts(".kl-dump-gap"))
    assert page.evaluate("document.documentElement.scrollWidth") <= 700


def test_what_cannot_be_read_is_said(show: Open) -> None:
    view = show({**picture(), "batch": None, "blocks": [], "strip": None, "steps": {}, "read": None, "trouble": "torn"})
    expect(view.page.get_by_role("status")).to_have_text("torn")
    expect(view.page.locator(".kl-record-main")).to_be_hidden()
    view.draw(picture())
    expect(view.page.locator(".kl-record-main")).to_be_visible()


@pytest.mark.parametrize("light", [True, False])
@pytest.mark.parametrize("width, presenter", [(700, False), (1300, True)])
def test_it_is_readable_and_fits(show: Open, light: bool, width: int, presenter: bool) -> None:
    body = f'data-jp-theme-light="{"true" if light else "false"}" style="background: {"#fff" if light else "#111417"}"'
    view = show(picture(), body=body, width=width, presenter=presenter)
    page = view.page
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    audit(page, ".kl-record")
    texts = ".kl-byte, .kl-field-name, .kl-field-value, .kl-box-name, .kl-kind, .kl-soft, .kl-pill"
    poor = [row for row in view.contrasts(texts) if row[1] < 4.5]
    assert not poor, poor[:5]


def test_a_page_without_a_kernel_shows_it_all_and_asks_nothing(show: Open) -> None:
    view = show({**picture(), "live": False}, live=False)
    for button in view.page.locator("button").all():
        button.click(force=True)
    assert asked(view) == []
