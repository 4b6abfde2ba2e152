"""A recording's file with anything in it: what is sound of it is shown, and asking for a moment never raises."""

from __future__ import annotations

import json
import zlib
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kafkalab import Recording
from kafkalab.errors import BadInput
from kafkalab.history.file import reading
from kafkalab.history.file import reading as reader
from kafkalab.history.file.reading import MARK, packed
from kafkalab.state.model import Event
from tests.unit.history.recordings import BEGAN, HEADER, made, snapshot

GOOD = [0.0, "snapshot", "set", [["set", [], snapshot(0).to_dict()]]]
EVENT = asdict(Event(BEGAN + 1, "leader_moved", "t P0: leader 101 → 102", "t", 0, 102))


def whole(path: Path) -> Recording:
    """Opened, and every moment of it asked for everything."""
    recording = Recording.open(path)
    for at in {0.0, recording.seconds, *recording.facts.times("snapshot")}:
        moment = recording.at(at)
        _ = (moment.snapshot, moment.nodes, moment.events)
    assert repr(recording)
    return recording


UNFIT: list[Any] = [
    b"nonsense",
    b"[" * 100_000,
    [1.0, "events", "add", {**EVENT, "at": "now"}],
    [1.0, "events", "set", [["set", [], {}]]],
    [1.0, 5, "add", EVENT],
    b'[1.0,"stream/x","add",{"rate":Infinity}]',
    b'[1.0,"named","add","\\ud800"]',
    [1.0, "batches/t/0", "add", [101, 1, 5, 4, ""]],
    [1.0, "nodes", "set", [["set", [], {"a": {"state": "flying"}}]]],
    [1.0, "snapshot", "set", [["set", ["topics", 0, "partitions", 0, "leader"], "101"]]],
    [1.0, "group/g", "set", [["set", [], json.loads("[" * 60 + "]" * 60)]]],
]


def test_a_line_that_cannot_be_is_left_out_with_a_sentence(tmp_path: Path) -> None:
    for line in UNFIT:
        recording = whole(made(tmp_path / "a.kafkalab", GOOD, line, [2.0, "events", "add", EVENT], {"end": 2.0}))
        found = (recording.problem[:11], recording.at(1.5).snapshot, recording.seconds, len(recording.events))
        assert found == ("One line of", snapshot(0), 2.0, 1), repr(line)[:100]


def test_a_state_of_which_a_patch_is_missing_stands_still_until_it_is_told_whole(tmp_path: Path) -> None:
    later = [4.0, "snapshot", "set", [["set", [], snapshot(4, leader=102).to_dict()]]]
    patch = [2.0, "snapshot", "set", [["set", ["controller"], 103]]]
    recording = whole(made(tmp_path / "a.kafkalab", GOOD, [1.0, "snapshot", "set", [["del", ["zzz"]]]], patch, later))
    assert recording.at(3.0).snapshot == snapshot(0)
    assert recording.at(4.0).snapshot == snapshot(4, leader=102)


def test_another_format_and_header_are_read_as_far_as_they_can_be(tmp_path: Path) -> None:
    path, first = tmp_path / "a.kafkalab", {"kafkalab": "recording", "format": 1}
    header = {**first, "format": 2, "began": BEGAN, "name": "lab", "mood": "fine"}
    new = [1.0, "events", "add", {**EVENT, "weather": "sunny"}]
    unknown = [1.0, "weather/here", "set", [["set", [], {"sun": 1}]]]
    recording = whole(made(path, {"x": 1}, GOOD, new, unknown, {"end": 1.0}, header=header))
    assert "Another version" in recording.problem
    assert (recording.header.name, len(recording.events)) == ("lab", 1)
    assert recording.at(1).snapshot == snapshot(0)
    wrong = {"began": "yesterday", "name": 5, "label": ["x"], "mode": "magic"}
    for said in (wrong, {"began": 1e300}, {"began": -5, "name": "n" * 5000}):
        found = whole(made(path, GOOD, header={**first, **said})).header
        assert 0 <= found.began < 1e11, said
        assert (found.mode, found.name, found.label) == (None, "", ""), said


def test_there_is_a_limit_to_everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    more = [[1.0, f"named/{i}", "add", "x"] for i in range(200)]
    path = made(tmp_path / "a.kafkalab", GOOD, [0.0, "stream/x", "add", list(range(999))], *more)
    path.write_bytes(path.read_bytes() + packed(b'[1.0,"stream/x","add","%s"]\n' % (b"x" * (3 << 20))))
    assert not whole(path).problem.startswith("One line")
    for limit, value, said in (
        ("MOST_TRACKS", 10, "more than 10 tracks"),
        ("MOST_VALUES", 500, "more than 500 values"),
        ("LARGEST", 2 << 20, "more than 2 MB"),
        ("LONGEST_LINE", 10_000, "One line of it"),
        ("LARGEST_FILE", 1000, "only the first 0 MB"),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(reader, limit, value)
            recording = whole(path)
        assert said in recording.problem
        assert limit == "LARGEST_FILE" or recording.at(0).snapshot == snapshot(0), limit


def test_a_bomb_is_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "LARGEST_PIECE", 2**20)
    path = made(tmp_path / "a.kafkalab", GOOD)
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -15)
    bomb = squeeze.compress(b" " * (2**20 + 1)) + squeeze.flush()
    path.write_bytes(path.read_bytes() + MARK + bomb + bytes(8) + packed(b'{"end":0.0}'))
    recording = whole(path)
    assert "cannot be read" in recording.problem
    assert recording.at(0).snapshot == snapshot(0)


@settings(max_examples=25)
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
    except BadInput:  # any other exception is a fault
        assert not good
        return
    assert good and found.problem
    assert (found.header, found.at(0).snapshot) == (HEADER, snapshot(0))
