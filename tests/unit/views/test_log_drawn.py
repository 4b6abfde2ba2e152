"""What a picture of logs shows: offsets, lag, who holds what; signs of keys."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from kafkalab.state.log.reader import LogRecord
from kafkalab.views.log.picture import KeySigns, blocks, cell, drawn, lag
from kafkalab.views.log.view import LogView
from kafkalab.views.static import to_text
from tests.unit.views.log_samples import TOPIC, drawn_logs, snapshot, windows


def test_where_logs_start_and_end_how_far_groups_lag_and_who_holds_what() -> None:
    picture = drawn_logs(members={"c2": 1})
    assert {p: (x["start"], x["high"], x["end"]) for p, x in picture["lanes"].items()} == {
        "0": (4, 36, 37), "1": (2, 31, 34), "2": (6, 38, 38),
    }  # fmt: skip
    assert drawn(snapshot(), TOPIC)["lanes"]["0"]["end"] == 36, "nobody asked the leader"
    assert list(picture["groups"]) == ["dashboard", "alarms"], "only groups of the topic"
    lanes = picture["groups"]["dashboard"]
    assert {p: (x["committed"], x["member"]) for p, x in lanes.items()} == {
        "0": (33, "c1"), "1": (22, "c2"), "2": (38, "c1"),
    }  # fmt: skip
    assert [lag(picture["lanes"][p], x["committed"]) for p, x in lanes.items()] == [3, 9, 0]
    assert picture["groups"]["alarms"] == {"0": {"committed": 10, "member": None}}


def test_a_moment_of_a_log_outlives_its_view() -> None:
    view = LogView.of(snapshot(), TOPIC, windows())
    moment, before = view.moment(), repr(view)
    view.close()
    # The last line says when a snapshot was taken; a moment is now.
    assert (repr(moment).splitlines()[:-1], moment.live) == (before.splitlines()[:-1], False)
    assert "<table>" in moment.to_html()


def test_a_moment_of_a_log_may_show_some_groups_only() -> None:
    view = LogView.of(snapshot(), TOPIC, windows())
    assert "alarms" in repr(view.moment()) and "dashboard" in repr(view.moment())
    some = repr(view.moment("dashboard"))
    assert "▲ dashboard committed" in some and "alarms" not in some


def test_a_log_says_in_words_where_its_readers_are_and_how_many_records_are_cut() -> None:
    long = drawn_logs() | {"positions": {"Aylin": {"0": 7}}}
    long["lanes"]["0"] |= {"start": 0}
    cells = [[offset, "r", "k", 0, "k", "v"] for offset in range(90, 102)]
    long["tails"]["0"] = {**long["tails"]["0"], "cells": cells}
    said = to_text(blocks(long))
    assert "△ Aylin reads next" in said
    (line,) = [line for line in said.splitlines() if line.startswith("  P0")]
    assert "  7  " in line and line.endswith("  … 96 earlier  96:k=v  97:k=v  98:k=v  99:k=v  100:k=v  101:k=v"), line


def test_cells_of_what_is_no_ordinary_record() -> None:
    for kind, one in (
        (["r", "∅", -1], LogRecord(1, "record", value="v")),
        (["t", "k", 0], LogRecord(1, "record", "k", b"k")),
        (["c", "✓", -1], LogRecord(1, "commit", producer=7)),
        (["a"], LogRecord(1, "abort", producer=7)),
        (["u"], LogRecord(1, "unreadable", value="no zstd")),
    ):
        assert list(cell(one, KeySigns())[1 : 1 + len(kind)]) == kind
    assert cell(LogRecord(1, "record", "k", b"k", "v", producer=7), KeySigns())[9] == {"tx": 7}


def test_a_sign_is_what_the_key_begins_with() -> None:
    for keys, signs in (
        ("a T0042 truck-042 \udcff\udcfe Berlin a", "a 42 t b B a"),
        ("alice anna annabel bob", "a an ann bob"),
        ("eeee eeeee eeeeee eeeeeee", "e ee eee a"),  # nothing of its own is left
    ):
        given = KeySigns()
        assert [given.of(key.encode(errors="surrogateescape"))[0] for key in keys.split()] == signs.split()


@settings(max_examples=20)
@given(st.lists(st.binary(max_size=12), unique=True, max_size=300))
def test_no_two_keys_share_a_sign(found: list[bytes]) -> None:
    keys = KeySigns()
    signs = [keys.of(key)[0] for key in found]
    assert len(set(signs)) == len(found)
    assert [keys.of(key)[0] for key in found] == signs
    assert all(0 < len(sign) <= 3 for sign in signs)
