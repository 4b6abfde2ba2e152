"""PartitionerView's front end in a real browser: sums as one types, and keys that move."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from kafkalab.state.log.murmur2 import murmur2, partition_of
from kafkalab.views.partitioner.picture import sent_record
from tests.browser.samples import TRUCKS
from tests.browser.samples import partitioner as picture
from tests.browser.view_page import Open, ViewPage
from tests.unit.views.cluster_samples import HOSTILE

#: For the fixture ``show``.
VIEW, PAGE = "partitioner", {"width": 1100}


def stages(view: ViewPage) -> list[str]:
    return [text.split(" ")[0] for text in view.texts(".kl-sum-stage > code")]


#: What is typed, as what, and the key that it is.
TYPED = (
    ("T0042", "text", b"T0042"),
    ("Zürich 🚚", "text", "Zürich 🚚".encode()),
    ("", "text", b""),
    ("ff 00 FE", "hex", b"\xff\x00\xfe"),
    (HOSTILE, "text", HOSTILE.encode()),
)


def test_the_sum_is_right_for_what_is_typed(show: Open) -> None:
    view = show(picture())
    page = view.page
    for typed, kind, key in TYPED:
        page.get_by_label("what the key is").select_option(kind)
        page.get_by_label("key", exact=True).fill(typed)
        hash = murmur2(key)
        assert stages(view) == [f"0x{hash:08x}", str(hash & 0x7FFFFFFF), str(partition_of(key, 10))], typed
        assert view.texts(".kl-sum-stage-result .kl-part-chip") == [f"P{partition_of(key, 10)}"]
        assert "".join(view.page.locator(".kl-key-byte span").all_inner_texts()) == key[:32].hex()
        assert view.texts(".kl-steps tbody tr:last-child code")[-1] == f"0x{hash:08x}"
    # No key says what happens then.
    page.get_by_label("what the key is").select_option("null")
    flow = page.locator(".kl-partitioner-flow")
    expect(flow).to_contain_text("a partition at random")
    page.get_by_label("partitioner for records without a key").select_option("sticky")
    expect(flow).to_contain_text("Sticky")
    page.get_by_role("button", name="send it 10 times").click()
    assert view.asked() == [{"do": "send", "key": None, "times": 10, "partitioner": "sticky"}]


def test_keys_stand_where_they_really_are_and_the_odd_ones_are_marked(show: Open) -> None:
    view = show(picture(now=6, then=4))
    for p in range(4):
        found = view.page.locator(f"[data-partition='{p}'] .kl-dot-key")
        expect(found).to_have_count(sum(partition_of(k, 4) == p for k in TRUCKS))
    away = sum(partition_of(k, 4) != partition_of(k, 6) for k in TRUCKS)
    expect(view.page.locator(".kl-columns .kl-astray")).to_have_count(away)
    assert f"Records of {away} of 150 keys lie elsewhere" in view.texts(".kl-what-says")[0]
    assert "when the topic had 4 partitions" in view.texts(".kl-what-says")[0]
    assert view.texts(".kl-key-table tbody tr")[0].endswith("✗ elsewhere")


def test_more_partitions_show_what_would_move_and_adding_them_is_asked_twice(show: Open) -> None:
    view = show(picture(), reduced_motion="reduce")
    page = view.page
    for _ in range(2):
        page.get_by_label("one partition more").click()
    hashes = [murmur2(k) & 0x7FFFFFFF for k in TRUCKS]
    moved = sum(h % 10 != h % 12 for h in hashes)
    expect(page.locator(".kl-columns .kl-mover")).to_have_count(moved)
    assert view.texts(".kl-what-says")[0].startswith(f"{moved} of 150 keys would move")
    assert "83.3 %" in view.texts(".kl-what-says")[0]
    for p in range(12):
        expect(page.locator(f"[data-partition='{p}'] .kl-dot-key")).to_have_count(sum(h % 12 == p for h in hashes))
    assert page.locator(".kl-column.kl-fresh").count() == 3  # two, and the sample in the legend
    page.get_by_role("button", name="add 2 partitions for real").click()
    expect(page.get_by_role("button", name="no", exact=True)).to_be_focused()
    page.keyboard.press("Escape")
    assert view.asked() == []
    page.get_by_role("button", name="add 2 partitions for real").click()
    page.get_by_role("button", name="yes, add them").click()
    assert view.asked() == [{"do": "grow", "partitions": 12}]
    # They are there now: the old records have stayed.
    view.draw(picture(now=12, then=10, grown=(10, 12)))
    expect(page.get_by_label("number of partitions to try")).to_have_value("12")
    assert "12 partitions now" in view.texts("[role=status]")[0]
    expect(page.locator(".kl-columns .kl-astray")).to_have_count(moved)


@pytest.mark.deep
def test_a_sent_record_flies_to_its_partition(show: Open) -> None:
    view = show(picture())
    page = view.page
    page.get_by_role("button", name="send it", exact=True).click()
    assert view.asked() == [{"do": "send", "key": b"T0042".hex(), "times": 1, "partitioner": "random"}]
    sent = sent_record(0, b"T0042", partition_of(b"T0042", 10), 17, 10, "random")
    view.watch_flights()
    view.draw(picture(sent=(sent,)))
    page.wait_for_function("window.flown.includes('kl-flying')")
    expect(page.locator(f"[data-partition='{sent['partition']}'] .kl-arrived")).to_be_visible()
    expect(page.locator(".kl-flying")).to_have_count(0)
    assert view.texts(".kl-sent li") == [f"T0042 → P{sent['partition']} offset 17 ✓ as calculated"]

    # Without motion it is there at once.
    view = show(picture(), reduced_motion="reduce")
    view.draw(picture(sent=(sent_record(0, None, 4, 17, 10, "sticky"),)))
    expect(view.page.locator("[data-partition='4'] .kl-arrived")).to_be_visible()
    assert view.page.evaluate("document.getAnimations().length") == 0


def test_all_of_it_by_keyboard(show: Open) -> None:
    view = show(picture())
    page = view.page
    page.locator(".kl-dot-key[tabindex='0']").focus()
    first = page.evaluate("document.activeElement.dataset.key")
    walked = [first]
    for key in ("ArrowDown", "ArrowRight", "ArrowUp", "ArrowLeft", "End", "Home"):
        page.keyboard.press(key)
        walked.append(page.evaluate("document.activeElement.dataset.key"))
    assert walked[-1] == walked[4] == first and len(set(walked)) >= 5
    page.keyboard.press("ArrowRight")
    chosen = page.evaluate("document.activeElement.dataset.key")
    page.keyboard.press("Enter")
    expect(page.get_by_label("key", exact=True)).to_have_value(bytes.fromhex(chosen[1:]).decode())
    expect(page.locator(".kl-dot-key.kl-here")).to_have_attribute("data-key", chosen)

    # Keys of one's own.
    page.get_by_text("keys of your own").click()
    page.get_by_label("keys of your own").fill(f"T0000..T0099\n{HOSTILE}")
    expect(page.locator(".kl-columns .kl-dot-key")).to_have_count(101)
    p = partition_of(b"T0007", 10)
    expect(page.locator(f"[data-partition='{p}'] [data-key='oT0007']")).to_be_visible()
