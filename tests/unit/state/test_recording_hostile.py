"""A recording that somebody made to do harm: what is sound of it is shown, and asking for a moment never raises."""

from __future__ import annotations

import copy
import itertools
import json
import zlib
from dataclasses import asdict
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kafkalab.cluster.backend import NodeState
from kafkalab.errors import BadInput
from kafkalab.state import recording_file_reader as reader
from kafkalab.state.event import Event
from kafkalab.state.recording import Recording
from kafkalab.state.recording_file_pieces import LARGEST_PIECE, MARK, packed
from tests.unit.state.recordings import BEGAN, HEADER, made, snapshot
from tests.unit.state.strategies import snapshots, steady

GOOD = [0.0, "snapshot", "set", [["set", [], snapshot(0).to_dict()]]]
EVENT = asdict(Event(BEGAN + 1, "leader_moved", "t P0: leader 101 → 102", "t", 0, 102))
NODES = {"broker-101": asdict(NodeState("broker-101", "broker", 101, "running"))}


def whole(path: Path) -> Recording:
    """Opened, and every moment of it asked for everything."""
    recording = Recording.open(path)
    for at in {0.0, recording.seconds, *recording.facts.times("snapshot")}:
        moment = recording.at(at)
        _ = (moment.snapshot, moment.nodes, moment.events)
    assert repr(recording)
    return recording


@pytest.mark.parametrize(
    "line",
    [
        b"{",
        b"nonsense",
        b"null",
        b"[]",
        b"{}",
        b"[1,2,3]",
        b'"' + b"x" * 1000,
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"a":' * 100_000,
        [1.0, "events", "add", None],
        [1.0, "events", "add", {**EVENT, "at": "now"}],
        [1.0, "events", "add", {**EVENT, "kind": "<b>"}],
        [1.0, "events", "add", {k: v for k, v in EVENT.items() if k != "text"}],
        [1.0, "events", "set", [["set", [], {}]]],
        [1.0, "events", "turn", EVENT],
        [-1.0, "events", "add", EVENT],
        [1e300, "events", "add", EVENT],
        [True, "events", "add", EVENT],
        ["1", "events", "add", EVENT],
        [1.0, "", "add", EVENT],
        [1.0, "e" * 5000, "add", EVENT],
        [1.0, 5, "add", EVENT],
        b'[NaN,"events","add",{}]',
        b'[1.0,"stream/x","add",{"rate":Infinity}]',
        b'[1.0,"stream/x","add",{"rate":1e999}]',
        b'[1.0,"stream/x","add",{"rate":%s}]' % (b"9" * 5000),
        b'[1.0,"named","add","\\ud800"]',
        [1.0, "named", "add", "x" * 500],
        [1.0, "named", "add", 5],
        [1.0, "batches/t/0", "add", [101, 1, 5, 4, ""]],
        [1.0, "batches/t/0", "add", [101, 1, 5]],
        [1.0, "batches/t/0", "add", [101, 1, 0, 2**70, None]],
        [1.0, "nodes", "set", [["set", [], {"a": {"state": "flying"}}]]],
        [1.0, "nodes", "set", [["set", [], [1]]]],
        [1.0, "snapshot", "set", [["set", [], 5]]],
        [1.0, "snapshot", "set", [["set", ["topics"], None]]],
        [1.0, "snapshot", "set", [["set", ["topics", 0, "partitions", 0, "leader"], "101"]]],
        [1.0, "snapshot", "set", [["set", ["topics", 0, "partitions", 0, "end"], 1e9]]],
        [1.0, "snapshot", "set", [["set", ["topics", 0, "partitions", 0, "replicas"], {"a": 1}]]],
        [1.0, "snapshot", "set", [["set", ["at"], 1e300]]],
        [1.0, "snapshot", "set", [["set", ["mode"], "magic"]]],
        [1.0, "snapshot", "set", [["set", ["nowhere", "at", "all"], 1]]],
        [1.0, "snapshot", "set", [["del", ["brokers"]]]],
        [1.0, "snapshot", "set", [["add", ["brokers"], "x"]]],
        [1.0, "snapshot", "set", [["set", ["topics"] * 100_000, 1]]],
        [1.0, "snapshot", "set", {"__proto__": 1}],
        [1.0, "snapshot", "set", 7],
        [1.0, "group/g", "set", [["set", [], json.loads("[" * 60 + "]" * 60)]]],
    ],
)
def test_a_line_that_cannot_be_is_left_out_with_a_sentence_and_the_rest_is_shown(tmp_path: Path, line: Any) -> None:
    after = [2.0, "events", "add", EVENT]
    recording = whole(made(tmp_path / "a.kafkalab", GOOD, line, after, {"end": 2.0}))
    assert recording.problem.startswith("One line of it cannot be what was recorded, and the rest is shown; the first")
    assert recording.at(1.5).snapshot == snapshot(0)
    assert recording.seconds == 2.0
    assert len(recording.events) == 1


def test_a_state_of_which_a_patch_is_missing_stands_still_until_it_is_told_whole(tmp_path: Path) -> None:
    later = [4.0, "snapshot", "set", [["set", [], snapshot(4, leader=102).to_dict()]]]
    patch = [2.0, "snapshot", "set", [["set", ["controller"], 103]]]
    recording = whole(made(tmp_path / "a.kafkalab", GOOD, [1.0, "snapshot", "set", [["del", ["zzz"]]]], patch, later))
    assert recording.at(3.0).snapshot == snapshot(0)
    assert recording.at(4.0).snapshot == snapshot(4, leader=102)


def test_keys_that_mean_something_in_javascript_are_keys_like_others(tmp_path: Path) -> None:
    state = {"__proto__": {"polluted": True}, "constructor": 1}
    told = b'[1.0,"group/__proto__","set",[["set",[],{"__proto__":{"polluted":true},"constructor":1}]]]'
    recording = whole(made(tmp_path / "a.kafkalab", GOOD, told, {"end": 1.0}))
    assert recording.problem == ""
    assert recording.facts.value("group/__proto__") == state


@pytest.mark.parametrize("told", [2, 1.5, "1", None, True, [], 10**40])
def test_another_format_is_read_as_far_as_it_is_understood(tmp_path: Path, told: Any) -> None:
    header = {"kafkalab": "recording", "format": told, "began": BEGAN, "name": "lab", "mood": "fine"}
    new = [1.0, "events", "add", {**EVENT, "weather": "sunny"}]
    unknown = [1.0, "weather/here", "set", [["set", [], {"sun": 1}]]]
    recording = whole(made(tmp_path / "a.kafkalab", {"x": 1}, GOOD, new, unknown, {"end": 1.0}, header=header))
    assert recording.problem.startswith("It was written in ")
    assert "by another version of kafkalab, which this one, of format 1, does not know" in recording.problem
    assert recording.header.name == "lab"
    assert len(recording.events) == 1
    assert recording.at(1).snapshot == snapshot(0)


@pytest.mark.parametrize(
    "header",
    [
        {"began": "yesterday", "name": 5, "label": ["x"], "mode": "magic", "version": None},
        {"began": 1e300},
        {"began": -5, "name": "n" * 5000},
        {},
    ],
)
def test_a_header_is_believed_as_far_as_it_can_be(tmp_path: Path, header: dict[str, Any]) -> None:
    path = made(tmp_path / "a.kafkalab", GOOD, header={"kafkalab": "recording", "format": 1, **header})
    found = whole(path).header
    assert 0 <= found.began < 1e11
    assert (found.mode, found.name, found.label) == (None, "", "")


def test_a_bomb_is_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "LARGEST", 4 * 2**20)
    path = made(tmp_path / "a.kafkalab", GOOD)
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -15)
    bomb = b"".join(squeeze.compress(b" " * 2**20) for _ in range((LARGEST_PIECE >> 20) + 1)) + squeeze.flush()
    large = packed(b"\n" * (3 * 2**20))
    path.write_bytes(path.read_bytes() + MARK + bomb + bytes(8) + large + large)
    recording = whole(path)
    assert "cannot be read: what happened after 0.0 s is missing" in recording.problem
    assert "It holds more than 4 MB: the rest of it is left out. Everything up to 0.0 s" in recording.problem
    assert recording.at(0).snapshot == snapshot(0)


@pytest.mark.parametrize(
    "limit, value, said",
    [
        ("MOST_TRACKS", 10, "It has more than 10 tracks"),
        ("MOST_VALUES", 500, "It holds more than 500 values"),
    ],
)
def test_there_is_a_limit_to_everything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str, value: float, said: str
) -> None:
    monkeypatch.setattr(reader, limit, value)
    more = [[1.0, f"named/{i}", "add", "x"] for i in range(200)]
    recording = whole(made(tmp_path / "a.kafkalab", GOOD, *more))
    assert f"{said}: the rest of it is left out. Everything up to" in recording.problem
    assert recording.at(0).snapshot == snapshot(0)


def test_reading_takes_no_longer_than_a_minute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = itertools.count()
    monkeypatch.setattr(reader, "time", SimpleNamespace(monotonic=lambda: next(seconds)))
    recording = whole(made(tmp_path / "a.kafkalab", GOOD, *([i / 10, "named", "add", "x"] for i in range(200))))
    assert "Reading it took more than 60 s: the rest of it is left out. Everything up to 5." in recording.problem
    assert recording.at(0).snapshot == snapshot(0)


@pytest.mark.parametrize("limit, value", [("LONGEST_LINE", 1000), ("MOST_VALUES_A_LINE", 500)])
def test_a_line_has_a_limit_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str, value: int) -> None:
    path = made(tmp_path / "a.kafkalab", [0.0, "stream/x", "add", list(range(999))], [1.0, "events", "add", EVENT])
    assert whole(path).problem.startswith("It was never ended")
    monkeypatch.setattr(reader, limit, value)
    assert whole(path).problem.startswith("One line of it cannot be")
    assert len(whole(path).events) == 1


def test_many_pieces_that_are_none_are_one_sentence(tmp_path: Path) -> None:
    path = made(tmp_path / "a.kafkalab", GOOD)
    path.write_bytes(path.read_bytes() + 50_000 * MARK + packed(b'{"end":0.0}'))
    assert "and 49999 more stretches cannot be read" in whole(path).problem
    assert whole(path).at(0).snapshot == snapshot(0)


def test_a_large_file_is_read_to_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = made(tmp_path / "a.kafkalab", GOOD)
    monkeypatch.setattr(reader, "LARGEST_FILE", path.stat().st_size)
    path.write_bytes(path.read_bytes() + packed(b"x"))
    assert "Of the file only the first 0 MB are read." in whole(path).problem


paths = st.lists(
    st.sampled_from(
        ["topics", "partitions", "brokers", "groups", "members", "offsets", "quorum", "nodes", "leader", "at"]
    )
    | st.integers(-1, 2),
    max_size=6,
)
junk = st.sampled_from([None, -1, 0, 1.5, 2**80, "", "x", True, [], [1], {}, {"a": None}, [[]]])


@steady
@given(snapshots(), st.lists(st.tuples(st.sampled_from(["set", "del", "cut", "end", "add"]), paths, junk), max_size=8))
def test_no_patch_makes_a_moment_raise(
    tmp_path_factory: pytest.TempPathFactory, first: Any, ops: list[tuple[str, list[Any], Any]]
) -> None:
    told: list[Any] = [[0.0, "snapshot", "set", [["set", [], first.to_dict()]]]]
    told += [[0.0, "nodes", "set", [["set", [], NODES]]]]
    told += [[i + 1.0, "snapshot", "set", [list(op)]] for i, op in enumerate(ops)]
    told += [[i + 1.0, "nodes", "set", [["set", ["broker-101", *op[1]], op[2]]]] for i, op in enumerate(ops)]
    recording = whole(made(tmp_path_factory.getbasetemp() / "patched.kafkalab", *copy.deepcopy(told)))
    assert recording.at(0).snapshot is not None


@steady
@given(
    st.lists(st.binary(max_size=200) | st.sampled_from([MARK, packed(b"{}\n"), MARK[:5]]), max_size=8), st.booleans()
)
def test_any_bytes_are_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, parts: list[bytes], good: bool
) -> None:
    path = made(tmp_path_factory.getbasetemp() / "any.kafkalab", GOOD)
    path.write_bytes((path.read_bytes() if good else b"") + b"".join(parts))
    try:
        found = whole(path)
    except BadInput:
        assert not good
        return
    assert good
    assert found.header == HEADER
    assert found.at(0).snapshot == snapshot(0)
    assert found.problem
