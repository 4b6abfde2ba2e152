"""What a picture of logs shows: offsets, lag, who holds what; signs of keys; the static forms."""

from __future__ import annotations

import json
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kafkalab.errors import BadInput
from kafkalab.state.log_window import LogRecord
from kafkalab.state.patch import diff
from kafkalab.views.log_drawn import TailCells, cell, drawn, lag
from kafkalab.views.log_keys import KeySigns
from kafkalab.views.log_svg import to_svg
from kafkalab.views.log_view import LogView
from tests.unit.views.log_samples import SPANS, TOPIC, drawn_logs, ends, record, snapshot, windows
from tests.unit.views_samples import HOSTILE, LONG, TURNED


def test_lanes_say_where_logs_start_and_end_and_what_is_not_committed() -> None:
    picture = drawn_logs()
    assert {p: (x["start"], x["high"], x["end"]) for p, x in picture["lanes"].items()} == {
        "0": (4, 36, 37), "1": (2, 31, 34), "2": (6, 38, 38),
    }  # fmt: skip
    assert json.loads(json.dumps(picture)) == picture
    without = drawn(snapshot(), TOPIC)
    assert without["lanes"]["0"]["end"] == 36  # nobody asked the leader


def test_only_groups_of_the_topic_with_lag_and_holders() -> None:
    picture = drawn_logs(members={"c2": 1})
    assert list(picture["groups"]) == ["dashboard", "alarms"]
    lanes = picture["groups"]["dashboard"]["lanes"]
    assert {p: (x["committed"], x["member"]) for p, x in lanes.items()} == {
        "0": (33, "c1"), "1": (22, "c2"), "2": (38, "c1"),
    }  # fmt: skip
    assert [lag(picture["lanes"][p], x["committed"]) for p, x in lanes.items()] == [3, 9, 0]
    assert picture["groups"]["alarms"]["lanes"] == {"0": {"committed": 10, "member": None}}


def test_what_travels_when_a_record_comes_is_that_record() -> None:
    cells = TailCells(KeySigns())

    def picture(high: int) -> dict[str, object]:
        spans = {**SPANS, 0: (4, high, high)}
        tails = {p: cells.of(p, window) for p, window in windows(spans).items()}
        return drawn(snapshot(spans), TOPIC, ends=ends(spans), tails=tails)

    patch = diff(picture(37), picture(38))
    assert ["add", ["tails", "0", "cells"], [cell(record(0, 37), KeySigns())]] in [
        [op, path, [[*c[:3], 0, *c[4:]] for c in value]] if op == "add" else 0
        for op, path, *rest in patch
        for value in rest
    ]
    assert len(json.dumps(patch)) < 400


def test_cells_of_what_is_no_ordinary_record() -> None:
    keys = KeySigns()
    assert cell(LogRecord(1, "record", value="v"), keys)[1:4] == ["r", "∅", -1]
    assert cell(LogRecord(1, "record", "k", b"k"), keys)[1:4] == ["t", "k", 0]
    assert cell(LogRecord(1, "commit", producer=7), keys)[1:4] == ["c", "✓", -1]
    assert cell(LogRecord(1, "abort", producer=7), keys)[1] == "a"
    assert cell(LogRecord(1, "record", "k", b"k", "v", producer=7), keys)[9] == {"tx": 7}
    assert cell(LogRecord(1, "unreadable", value="no zstd"), keys)[1] == "u"


def test_a_short_key_is_its_own_sign_and_a_truck_its_number() -> None:
    keys = KeySigns()
    assert [keys.of(k)[0] for k in (b"a", b"T0042", b"truck-042", b"\xff\xfe", b"Berlin", b"a")] == [
        "a", "42", "t", "b", "B", "a",
    ]  # fmt: skip


def test_a_sign_is_what_the_key_begins_with() -> None:
    def signs(*keys: bytes) -> list[str]:
        given = KeySigns()
        return [given.of(key)[0] for key in keys]

    assert signs(b"me", b"you") == ["me", "you"]
    assert signs(b"alice", b"anna", b"annabel", b"bob") == ["a", "an", "ann", "bob"]
    assert signs(b"order-placed", b"order-paid", b"order paid late") == ["op", "o", "opl"]
    assert signs(b"eeee", b"eeeee", b"eeeeee", b"eeeeeee") == ["e", "ee", "eee", "a"]  # nothing of its own is left


@given(st.lists(st.binary(max_size=12), unique=True, max_size=300))
def test_no_two_keys_share_a_sign(found: list[bytes]) -> None:
    keys = KeySigns()
    signs = [keys.of(key)[0] for key in found]
    assert len(set(signs)) == len(found)
    assert [keys.of(key)[0] for key in found] == signs
    assert all(0 < len(sign) <= 3 for sign in signs)


def test_static_forms_say_the_same() -> None:
    view = LogView.of(snapshot(c2=1), TOPIC, windows())
    try:
        text, html, svg = repr(view), view.to_html(), view.to_svg()
    finally:
        view.close()
    assert "P1 leader 102  start 2 │ high watermark 31" in text
    assert "▲ dashboard committed 22 · lag 9 · c2" in text
    for figure in ("high watermark", "22 · lag 9 · c2", "P2"):
        assert figure.lower() in html.lower()
    texts = [t.text or "" for t in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]
    assert "dashboard · c2 · committed 22 · lag 9" in texts
    assert sum(t in ("a", "d") for t in texts) == 32  # all of P0


def test_the_still_picture_says_where_consumers_stand() -> None:
    picture = {**drawn_logs(), "positions": {"C1": {"0": 4, "1": 30}, "C2": {"2": 7}}}
    texts = [t.text for t in ET.fromstring(to_svg(picture)).iter("{http://www.w3.org/2000/svg}text")]
    assert [t for t in texts if t and t.endswith(" next")] == ["C1 reads 4 next", "C1 reads 30 next", "C2 reads 7 next"]


def test_hostile_records_are_text_in_the_static_forms() -> None:
    ill = {"key": HOSTILE, "key_id": HOSTILE.encode(), "value": TURNED + LONG, "headers": ((HOSTILE, HOSTILE),)}
    view = LogView.of(snapshot(), TOPIC, windows(p0_20=record(0, 20, **ill), p0_36=record(0, 36, **ill)))
    try:
        html, svg, text = view.to_html(), view.to_svg(), repr(view)
    finally:
        view.close()
    assert "<img" not in html + svg
    assert "&lt;im" in html
    assert not {"\u202e", "\u2066"} & set(html + svg + text)
    ET.fromstring(svg)


def test_what_is_not_there_is_said() -> None:
    view = LogView.of(snapshot(), "nowhere")
    try:
        assert "There is no topic nowhere here." in repr(view)
        assert "There is no topic nowhere here." in view.to_html()
        assert "There is no topic nowhere here." in view.to_svg()
    finally:
        view.close()
    with pytest.raises(BadInput, match="name of a topic"):
        LogView(None, "")


def test_the_still_pictures_legend_has_gaps() -> None:
    found = ET.fromstring(to_svg(drawn_logs())).iter("{http://www.w3.org/2000/svg}text")
    legend = [
        float(t.get("x", 0))
        for t in found
        if (t.text or "").startswith(("letter and", "∅ no", "│ high", "pale", "▲ comm", "dashed"))
    ]
    assert len(legend) == 6 and sorted(legend) == legend
