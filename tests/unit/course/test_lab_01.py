"""Lab 01 without a cluster: counting wires, the company's systems, and what its figures say."""

from __future__ import annotations

import json
import socket
import sqlite3
import urllib.request
from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest

from kafkalab.course.lab_01.company import FRAME, NEW_FRAME, Desk, Logs, Meters, Orders, Web
from kafkalab.course.lab_01.drawings import sliders, wires
from kafkalab.course.lab_01.exercises import _all_of_them, _compare, _only_the_new
from kafkalab.exercises.judging import Wrong

WANTED = {"a": "clicks", "b": "calls", "c": "clicks"}
OLD, NEW, MINE = {"a": "t", "b": "t"}, {"c": "t"}, ["lab01-1"]
ORDER = {"order": "r", "km": 4, "waiting": 3, "free": 2}


def priced(price: object, **order: int) -> Callable[[], None]:
    return lambda: _compare([{"order": "r", "price": price}], {"r": ORDER | order})


def test_what_is_said_of_a_team_and_of_a_service() -> None:
    for words, judged in (
        ("a reader in one of their groups", lambda: _all_of_them([], WANTED, [])),
        ("has no offsets", lambda: _all_of_them([], WANTED, MINE)),
        ("nothing from calls", lambda: _all_of_them(["a", "c"], WANTED, MINE)),
        ("1 of 3 records are missing", lambda: _all_of_them(["a", "b"], WANTED, MINE)),
        ("too many", lambda: _all_of_them(["a", "b", "c", "c"], WANTED, MINE)),
        ("takes a group, and a commit", lambda: _only_the_new(["a", "b", "c"], NEW, OLD, [], [])),
        ("a group of its own", lambda: _only_the_new(["a", "b", "c"], NEW, OLD, MINE, ["lab01-1", "lab01-2"])),
        ("all the same", lambda: _only_the_new(["a", "b", "c"], NEW, OLD, MINE, MINE)),
        ("returned 0", lambda: _only_the_new([], NEW, OLD, MINE, MINE)),
        ("enough trucks", priced(22, waiting=1)),
        ("not more than are free", priced(22, waiting=2)),
        ("costs twice as much", priced(11)),
        ("have no price", lambda: _compare([], {"r": ORDER})),
        ("more than one price", lambda: _compare([{"order": "r", "price": 22}] * 2, {"r": ORDER})),
    ):
        with pytest.raises(Wrong, match=words):
            judged()
    _all_of_them(["c", "b", "a"], WANTED, MINE)
    _only_the_new(["c"], NEW, OLD, MINE, MINE)
    for waiting, price in ((1, 11), (2, 11), (3, 22)):
        priced(price, waiting=waiting)()


def connected(source: Any, said: bytes = b"") -> bytes:
    with socket.create_connection(source.address, timeout=10) as line, line.makefile("rb") as answer:
        line.sendall(said)
        return answer.read()


def test_every_system_answers_in_its_own_way_and_counts() -> None:
    web, meters, logs, orders = systems = (Web(), Meters(), Logs(), Orders())
    try:
        with urllib.request.urlopen(web.url, timeout=10) as page:
            assert json.load(page) == web.events
        assert [e["truck"] for e in meters.events] == [d for d, _ in FRAME.iter_unpack(connected(meters))]
        meters.update()
        with pytest.raises(Exception, match="multiple of 3"):
            list(FRAME.iter_unpack(meters.body()))  # or the lab's old reader would read rubbish and call nobody
        assert [e["km_h"] for e in meters.events] == [v for _, v, _ in NEW_FRAME.iter_unpack(connected(meters))]
        assert len(connected(logs).splitlines()) == len(logs.events)
        with closing(orders.login()) as database:
            assert database.execute("select count(*) from orders").fetchone() == (len(orders.events),)
        assert [system.asked for system in systems] == [1, 2, 1, 1]
        assert web.more(5) == web.events[-5:]
    finally:
        for system in systems:
            system.close()
    with pytest.raises(OSError, match="refused"):
        connected(logs)
    with pytest.raises(sqlite3.OperationalError):
        orders.login()


def test_a_desk_takes_what_is_pushed_only_while_it_is_open() -> None:
    desk = Desk()
    desk.open()
    try:
        port = desk.address[1]
        assert connected(desk, b"p000\n") == b"ok\n"
        desk.close()
        with pytest.raises(OSError, match="refused"):
            connected(desk)
        desk.open()
        assert desk.address[1] == port
        assert connected(desk, b"p002\n") == b"ok\n"
        assert desk.received == [b"p000", b"p002"]
    finally:
        desk.close()
        desk.close()


def test_figures_count_the_wires() -> None:
    for through, count in ((False, 6), (True, 5)):
        drawn = wires({"web": 3, "logs": 1}, ["dashboard", "archive", "fraud"], through=through, marked="fraud")
        assert f"{count} wires" in drawn.alt
        assert f">{count} wires: 2 sources, 3 targets" in drawn.to_svg()
    box = sliders()
    sources, targets, shown = box.children
    sources.value, targets.value = 3, 5
    assert "One to one: 15 wires. Through Kafka: 8 wires." in shown.value
    box.close_all()
