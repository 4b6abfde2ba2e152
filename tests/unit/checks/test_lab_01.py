"""Lab 01 without a cluster: counting wires, the company's systems, and what its figures say."""

from __future__ import annotations

import json
import socket
import sqlite3
import urllib.request
from contextlib import closing
from typing import Any

import pytest

from kafkalab.checks.judging import Wrong
from kafkalab.checks.lab_01_events import Happening, page_views, rides
from kafkalab.checks.lab_01_service import price_of
from kafkalab.checks.lab_01_systems import FRAME, NEW_FRAME, Desk, Logs, Meters, Rides, Source, Web
from kafkalab.checks.lab_01_target import _all_of_them, _only_the_new
from kafkalab.checks.lab_01_wires import both_ways, sliders, wires
from kafkalab.errors import BadInput


def test_what_the_new_team_got_is_told_apart() -> None:
    wanted = {"a": "clicks", "b": "calls", "c": "clicks"}
    for got, own, words in (
        ([], [], "who joins one of their groups"),
        ([], ["lab01-x"], "has no offsets"),
        (["a", "c"], ["lab01-x"], "nothing from calls"),
        (["a", "b"], ["lab01-x"], "1 of 3 records are missing"),
        (["a", "b", "c", "c"], ["lab01-x"], "too many"),
    ):
        with pytest.raises(Wrong, match=words):
            _all_of_them(got, wanted, own)
    _all_of_them(["c", "b", "a"], wanted, ["lab01-x"])


def test_what_came_later_is_told_from_what_was_there() -> None:
    old, new = {"a": "t", "b": "t"}, {"c": "t"}
    for got, own, groups, words in (
        (["a", "b", "c"], [], [], "takes a group, and a commit"),
        (["a", "b", "c"], ["lab01-1"], ["lab01-1", "lab01-2"], "a group of its own"),
        (["a", "b", "c"], ["lab01-1"], ["lab01-1"], "all the same"),
        ([], ["lab01-1"], ["lab01-1"], "returned 0"),
    ):
        with pytest.raises(Wrong, match=words):
            _only_the_new(got, new, old, own, groups)
    _only_the_new(["c"], new, old, ["lab01-1"], ["lab01-1"])


def test_a_price_doubles_only_where_more_wait_than_are_free() -> None:
    assert [price_of({"km": 4, "waiting": w, "free": 2}) for w in (1, 2, 3)] == [11, 11, 22]


def test_the_same_happens_on_every_machine() -> None:
    views = Happening(page_views, 150).events
    assert views[0] == {"user": "u99", "page": "/ride/book"}
    often = {user for user in {v["user"] for v in views} if sum(v["user"] == user for v in views) >= 20}
    assert often == {"u66", "u99"}
    assert [r["ride"] for r in Happening(rides, 3).events] == ["r001", "r002", "r003"]


def _connected(source: Any) -> bytes:
    with socket.create_connection(source.address, timeout=10) as line, line.makefile("rb") as answer:
        return answer.read()


def test_every_system_answers_in_its_own_way_and_counts() -> None:
    web, meters, logs, taxi = systems = (Web(), Meters(), Logs(), Rides())
    try:
        with urllib.request.urlopen(web.url, timeout=10) as page:
            assert json.load(page) == web.events
        assert [e["driver"] for e in meters.events] == [d for d, _ in FRAME.iter_unpack(_connected(meters))]
        meters.update()
        assert [e["km_h"] for e in meters.events] == [v for _, v, _ in NEW_FRAME.iter_unpack(_connected(meters))]
        assert len(_connected(logs).splitlines()) == len(logs.events)
        with closing(taxi.login()) as database:
            assert database.execute("select count(*) from rides").fetchone() == (len(taxi.events),)
        assert [system.asked for system in systems] == [1, 2, 1, 1]
        assert all(system.sample() for system in systems)
        assert web.more(5) == web.events[-5:]
    finally:
        for system in systems:
            system.close()
    with pytest.raises(OSError, match="refused"):
        _connected(logs)
    with pytest.raises(sqlite3.OperationalError):
        taxi.login()


def test_the_old_reader_fails_on_the_new_frames() -> None:
    """Or the second round of the lab would read rubbish and call nobody."""
    assert len(Happening(page_views, 0).events) == 0
    meters = Meters()
    meters.close()
    meters.update()
    with pytest.raises(Exception, match="multiple of 3"):
        list(FRAME.iter_unpack(meters.body()))


def test_a_desk_takes_what_is_pushed_only_while_it_is_open() -> None:
    desk = Desk()

    def push(value: bytes) -> bytes:
        with socket.create_connection(desk.address, timeout=10) as line:
            line.sendall(value + b"\n")
            return line.recv(3)

    desk.open()
    try:
        port = desk.address[1]
        assert push(b"p000") == b"ok\n"
        desk.close()
        with pytest.raises(OSError, match="refused"):
            push(b"p001")
        desk.open()
        assert desk.address[1] == port
        assert push(b"p002") == b"ok\n"
        assert desk.received == [b"p000", b"p002"]
    finally:
        desk.close()
        desk.close()


def test_a_source_has_to_say_how_it_answers() -> None:
    with pytest.raises(NotImplementedError):
        Source(Happening(rides, 1)).sample()


@pytest.mark.parametrize("through, count", [(False, 6), (True, 5)])
def test_wires_are_counted_and_told(through: bool, count: int) -> None:
    drawn = wires({"web": 3, "logs": 1}, ["dashboard", "archive", "fraud"], through=through, marked="fraud")
    assert f"{count} wires" in drawn.alt
    assert "web asked 3 times" in drawn.alt
    svg = drawn.to_svg()
    assert f">{count} wires: 2 sources, 3 targets" in svg
    assert (">Kafka</text>" in svg) == through


def test_both_ways_are_drawn_side_by_side_and_not_beyond_what_can_be_seen() -> None:
    svg = both_ways(4, 6).to_svg()
    assert ">one to one: 4 × 6 = 24<" in svg
    assert ">through Kafka: 4 + 6 = 10<" in svg
    assert "24 wires" in both_ways().alt
    with pytest.raises(BadInput):
        both_ways(13, 1)


def test_the_sliders_draw_any_company_anew() -> None:
    box = sliders()
    sources, targets, shown = box.children
    assert "24 wires" in shown.value
    sources.value, targets.value = 3, 5
    assert "One to one: 15 wires. Through Kafka: 8 wires." in shown.value
    box.close_all()
