"""LogView, RecordView, PartitionerView and TruckMap of a recording: a moment in, the picture of that moment out."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from typing import Any

import pytest

from kafkalab import LogView, PartitionerView, RecordView, TruckMap
from kafkalab.errors import BadInput, NotSupported
from kafkalab.state.model import Partition
from kafkalab.state.patch import applied, diff
from kafkalab.state.recording import Recording
from kafkalab.views.live import LiveView
from kafkalab.views.record_view import absent
from tests.unit.state.recorded_logs import BEGAN, TOPIC, LogTape, two_leaders
from tests.unit.state.test_recorded_trucks import put, report

#: Between what happens to the two leaders, and before and after all of it.
TIMES = (0.0, 0.5, 1.0, 2.5, 4.5, 5.5, 7.0, 8.0)


@pytest.fixture
def recording() -> Recording:
    return two_leaders().recording


@pytest.fixture
def trucks() -> Recording:
    tape = LogTape()
    tape.cluster(0, (0, 0), (0, 0))
    put(tape, 1, 0, report("A", latitude=50, heading_deg=359.7))
    put(tape, 2, 0, report("B", latitude=-0.00004), b"nonsense", p=1)
    put(tape, 3, 1, report("A", time=2000, latitude=51.00006))
    tape.cluster(4, (0, 2), (0, 1))
    return tape.recording


@pytest.fixture(autouse=True)
def no_socket(monkeypatch: pytest.MonkeyPatch) -> None:
    """A recording is looked at without any broker: whoever opens a socket fails."""

    def refuse(*_: Any) -> None:
        raise AssertionError("a socket was opened")

    monkeypatch.setattr("socket.socket.connect", refuse)
    monkeypatch.setattr("socket.socket.connect_ex", refuse)


MAKE: dict[str, Callable[[Recording], LiveView]] = {
    "log": lambda recording: LogView(recording, TOPIC),
    "record": lambda recording: RecordView(recording, TOPIC, 0, 3),
    "newest record": lambda recording: RecordView(recording, TOPIC),
    "partitioner": lambda recording: PartitionerView(recording, TOPIC),
    "no such topic": lambda recording: LogView(recording, "elsewhere"),
}


@pytest.mark.parametrize("make", MAKE.values(), ids=MAKE)
def test_forth_and_back_is_the_same_picture_and_the_playhead_leads_there(
    recording: Recording, make: Callable[[Recording], LiveView]
) -> None:
    before = set(threading.enumerate())
    view = make(recording)
    forth = [view.drawn_at(recording.at(t)) for t in TIMES]
    assert [view.drawn_at(recording.at(t)) for t in reversed(TIMES)] == forth[::-1]
    assert json.loads(json.dumps(forth)) == forth
    page = view.state
    for t, drawn in [*zip(TIMES, forth, strict=True)][::-1]:
        recording.playhead.seek(t)
        page = applied(page, diff(page, view.state))
        assert page == {**drawn, "n": view.state["n"]}
    assert view.live and view.to_svg() and view.to_html() and repr(view)
    view.close()
    assert not set(threading.enumerate()) - before


def test_the_logs_of_a_moment_with_what_groups_committed_and_no_consumers(recording: Recording) -> None:
    view = LogView(recording, TOPIC)
    recording.playhead.seek(2.5)
    state = view.state
    assert (state["recorded"], state["at"]) == (True, None)
    assert {k: state["lanes"]["0"][k] for k in ("leader", "epoch", "start", "high", "end")} == {
        "leader": 101, "epoch": 0, "start": 0, "high": 4, "end": 6,
    }  # fmt: skip
    assert [c[4] for c in state["tails"]["0"]["cells"]] == ["a", "b", "c", None, "x", "y"]
    assert state["groups"]["dashboard"]["lanes"]["0"] == {"committed": 1, "member": "c1"}
    # A still picture says when that was; the page has the time beside it.
    assert "1970-01-12 13:46:41" in view.to_html()
    recording.playhead.seek(7)
    assert [c[4] for c in view.state["tails"]["0"]["cells"]] == ["a", "b", "c", None, "d", "e", "f"]
    with pytest.raises(NotSupported, match="recording"):
        view.follow("C1", object())


def test_windows_are_answered_from_the_moment_that_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    tape = LogTape()
    tape.cluster(0, (0, 0))
    tape.batch(1, 0, *("k" for _ in range(300)))
    tape.left_out(2, 300, 500)
    tape.cluster(2, (10, 500))
    view = LogView(tape.recording, TOPIC)
    heard: list[dict[str, Any]] = []
    monkeypatch.setattr(view, "answer", heard.append)
    asked = {"windows": {"0": [5, 20], "3": [0, 5]}, "id": 7}
    view.do_look(asked)
    view.do_lanes({"lanes": [30]})
    window = heard[0]["windows"]["0"]
    assert (heard[0]["id"], window["from"], window["to"], [c[0] for c in window["cells"]]) == (
        7,
        10,
        20,
        [*range(10, 20)],
    )
    view.do_look({"windows": {"0": [295, 310]}, "id": 8})
    assert heard[1]["windows"]["0"]["blank"] == [[300, 310]]
    assert view.state["tails"]["0"]["blank"] == [[428, 500]]
    tape.recording.playhead.seek(0.5)
    view.do_look(asked)
    assert heard[2]["windows"]["0"]["cells"] == []


def record_trouble(recording: Recording, at: float, offset: int | None, p: int = 0) -> str:
    view = RecordView(recording, TOPIC, p, offset)
    recording.playhead.seek(at)
    text: str = view.state["trouble"]
    view.close()
    return text


def test_a_record_that_was_not_there_yet_or_no_more_or_never_says_so(recording: Recording) -> None:
    assert "no record at offset 3 yet" in record_trouble(recording, 0.5, 3)
    assert record_trouble(recording, 1, 3) == ""
    assert "offset 1 had been deleted by then" in record_trouble(recording, 8, 1)
    assert "no record yet" in record_trouble(recording, 0.5, None)
    assert "no partition 4" in record_trouble(recording, 2, 0, p=4)
    tape = LogTape()
    assert "had not been looked at yet" in record_trouble(tape.recording, 1, 0)
    tape.left_out(1, 0, 3)
    tape.cluster(2, (0, 3))
    assert "more came than a recording takes" in record_trouble(tape.recording, 2, 1)
    tape.cluster(3, (None, None), leader=None)
    assert "had no leader" in record_trouble(tape.recording, 3, None)
    tape.cluster(4, (None, None))
    assert "its leader, broker 101, did not tell" in record_trouble(tape.recording, 4, None)


@pytest.mark.parametrize(
    "offset, start, end, why, seen",
    [
        (0, 0, 0, "no record yet", "the log is empty, and goes on at offset 0"),
        (70, 0, 62, "no record at offset 70 yet", "offsets 0 to 61"),
        (62, 62, 62, "no record at offset 62 yet", "the log is empty, and goes on at offset 62"),
        (5, 62, 62, "offset 5 has been deleted", "the log starts at offset 62"),
    ],
)
def test_why_a_log_has_no_record_at_an_offset(offset: int, start: int, end: int, why: str, seen: str) -> None:
    error = absent(offset, Partition(TOPIC, 0, 101, (101,), (101,), start=start, end=end))
    assert why in error.what
    assert error.seen == seen


def test_the_bytes_are_those_that_the_leader_handed_out_and_no_copies_are_claimed(recording: Recording) -> None:
    view = RecordView(recording, TOPIC, 0, 4)
    texts = {}
    for at in (2.5, 5.5, 2.5):
        recording.playhead.seek(at)
        state = view.state
        value = next(i for block in state["blocks"] for i in block["items"] if i["id"] == "value")
        texts[at] = (bytes.fromhex(value["hex"]).decode(), state["read"]["broker"])
        assert (state["copies"], state["batch"]["valid"], state["recorded"]) == ({}, True, True)
    assert texts == {2.5: ("x@2", 101), 5.5: ("d@5", 102)}
    assert "as broker 101, the leader, handed it out" in view.state["read"]["words"]
    view.do_go({"offset": 1})
    assert (view.offset, view.state["steps"]["next"]) == (1, 2)
    view.do_go({"offset": None})
    assert view.offset == 3  # the newest that was committed
    recording.playhead.seek(7)
    assert view.offset == 6
    with pytest.raises(NotSupported, match="leader's copy only"):
        view.do_read_from({"broker": 102})


def test_the_keys_of_a_moment_and_nothing_to_send() -> None:
    tape = LogTape()
    tape.cluster(0, (0, 0))
    tape.batch(1, 0, "a", "b", None, "a")
    tape.batch(1, 0, "c", p=1)
    tape.cluster(1, (0, 4))
    tape.batch(3, 4, "a")
    tape.item(3, [101, 0, 1, 3, "AAAA"], p=1)
    tape.cluster(3, (1, 5), (0, 3))
    view = PartitionerView(tape.recording, TOPIC)

    def keys(at: float) -> dict[str, Any]:
        tape.recording.playhead.seek(at)
        return {key["text"]: key["at"] for key in view.state["keys"].values()}

    expected = {
        0.5: {}, 1: {"a": {"0": [2, 3]}, "b": {"0": [1, 1]}},
        3: {"a": {"0": [2, 4]}, "b": {"0": [1, 1]}, "c": {"1": [1, 0]}},
    }  # fmt: skip
    for at in (3, 1, 0.5, 1, 3):
        assert keys(at) == expected[at], at
    assert (view.state["partitions"], view.state["nulls"], view.state["live"], view.state["recorded"]) == (
        2, {"0": 1}, False, True,
    )  # fmt: skip
    for ask in (lambda: view.do_send({"key": "61", "times": 1}), lambda: view.do_grow({"partitions": 5})):
        with pytest.raises(NotSupported, match="This is a recording"):
            ask()
    keys(0.5)
    assert (view.state["partitions"], view.state["trouble"]) == (1, "")


def test_the_map_follows_the_playhead_both_ways_until_it_is_closed(trucks: Recording) -> None:
    shown = TruckMap(trucks, TOPIC)
    seen = {}
    for at in (4, 0.5, 1, 2, 3, 2, 0.5, 4):
        trucks.playhead.seek(at)
        seen[at] = (list(shown.truck_ids), len(shown.frame) // 18, shown.at)
    assert seen == {
        0.5: ([], 0, None), 1: (["A"], 1, BEGAN + 1), 2: (["A", "B"], 2, BEGAN + 2), 3: (["A", "B"], 2, BEGAN + 3),
        4: (["A", "B"], 2, BEGAN + 3),
    }  # fmt: skip
    assert shown._table.latitude[0] == pytest.approx(51.00006)
    assert (shown.title, shown._table.partition.tolist()) == (TOPIC, [0, 1])
    assert repr(shown) == f"{TOPIC}: 2 trucks in 2 partitions; 2 moving, the fastest A at 80 km/h."
    with pytest.raises(NotSupported, match="shows a recording"):
        shown.update(["C"], [1], [2])
    shown.close()
    trucks.playhead.seek(1)
    assert list(shown.truck_ids) == ["A", "B"]


def test_the_maps_state_for_a_page_is_a_short_row_for_each_truck_that_moved(trucks: Recording) -> None:
    shown = TruckMap(trucks, TOPIC, title="the fleet")
    states = [shown.drawn_at(trucks.at(t)) for t in (0.5, 2, 3, 2)]
    assert states[0] == {"title": "the fleet", "ids": [], "rows": [], "unplaced": 0, "at": None}
    assert states[1]["rows"] == ["500000 100000 80 0 0", "0 100000 80 90 1"]
    assert diff(states[1], states[2]) == [
        ["set", ["rows", 0], "510001 100000 80 90 0"], ["set", ["at"], BEGAN + 3],
    ]  # fmt: skip
    assert states[3] == states[1]


def test_a_map_is_made_of_a_recording_and_of_nothing_else() -> None:
    with pytest.raises(BadInput, match="made of a recording"):
        TruckMap("europe")  # type: ignore[arg-type]
