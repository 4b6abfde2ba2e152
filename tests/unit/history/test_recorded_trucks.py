"""The fleet of a recording: the newest report by event time counts, and what is no report moves nobody."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from kafkalab import Fleet
from kafkalab.history.tracks.logs import Reported, trucks_at
from tests.unit.history.recorded_logs import TOPIC, LogTape
from tests.unit.state.batches import encoded


def put(tape: LogTape, at: float, base: int, *values: bytes | None, p: int = 0, codec: int = 0) -> None:
    data = encoded(*((b"k", value, ()) for value in values), base=base, codec=codec)
    tape.data(at, base, len(values), data, p=p)


def report(truck: str = "T1", time: int = 1000, latitude: float = 50.0, **more: Any) -> bytes:
    told = {"record_id": "r", "truck_id": truck, "time": time, "latitude": latitude, "longitude": 10.0,
            "speed_kmh": 80.0, "heading_deg": 90.0, **more}  # fmt: skip
    return json.dumps(told).encode()


def latitudes(tape: LogTape, at: float) -> dict[str, float]:
    return {id: truck.latitude for id, truck in trucks_at(tape.recording.at(at), TOPIC).items()}


def test_a_late_report_moves_nobody_back_and_a_duplicate_changes_nothing() -> None:
    tape = LogTape()
    put(tape, 1, 0, report(time=1000, latitude=50))
    put(tape, 2, 1, report(time=3000, latitude=52), report("T2", latitude=40), codec=1)
    put(tape, 3, 3, report(time=2000, latitude=51))
    put(tape, 4, 4, report(time=3000, latitude=52), report(time=4000, latitude=53))
    expected = {0.5: {}, 1: {"T1": 50}, 2: {"T1": 52, "T2": 40}, 3: {"T1": 52, "T2": 40}, 5: {"T1": 53, "T2": 40}}
    for at in [5, *expected, *reversed(expected)]:
        assert latitudes(tape, at) == expected[at], at


def test_trucks_of_all_partitions_in_the_order_in_which_they_came() -> None:
    tape = LogTape()
    put(tape, 2, 0, report("B"), p=1)
    put(tape, 1, 0, report("A"), p=3)
    put(tape, 3, 1, report("A", time=2000), p=0)

    def found(at: float) -> Mapping[str, Reported]:
        return trucks_at(tape.recording.at(at), TOPIC)

    assert [(id, t.partition) for id, t in found(2).items()] == [("A", 3), ("B", 1)]
    assert [(id, t.partition) for id, t in found(9).items()] == [("A", 0), ("B", 1)]
    put(tape, 12, 2, report("C"), p=1)  # it is still being recorded
    assert [list(found(at)) for at in (20, 9)] == [["A", "B", "C"], ["A", "B"]]


def test_what_is_no_report_is_passed_over() -> None:
    values = [
        None, b"\xff\xfe{}", b"[]", b'{"truck_id": "T1"', b"[" * 100_000, report(truck=""),
        report(latitude=90.5), report(longitude=float("nan")), report(heading_deg="north"), report(time=-1),
    ]  # fmt: skip
    tape = LogTape()
    put(tape, 1, 0, report(latitude=50), *values, report(time=2000, latitude=51))
    assert latitudes(tape, 3) == {"T1": 51}


def test_the_fleets_own_records_are_read_as_they_are_published() -> None:
    tape, reports = LogTape(), list(Fleet(40).reports(0, 60))
    put(tape, 1, 0, *(r.value for r in reports))
    assert latitudes(tape, 1) == {r.truck_id: r.latitude for r in reports}
