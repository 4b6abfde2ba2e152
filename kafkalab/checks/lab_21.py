"""The exercises of lab 21, the first stream: what is bad, what is fast, what is newest."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from kafkalab.checks.exercise import Exercise
from kafkalab.checks.frames import Case, active_session, answer_frame, columns_of, newest_rows_of_stream, table
from kafkalab.checks.judging import Wrong, whole_number
from kafkalab.checks.topics import read_all

if TYPE_CHECKING:
    from kafkalab.cluster.cluster import Cluster

TOPIC: Final = "lab21-trucks_gps"

_RANGES: Final = {
    "time": (0, 253_402_300_799_999),
    "latitude": (-90, 90),
    "longitude": (-180, 180),
    "speed_kmh": (0, 1000),
    "heading_deg": (0, 360),
}


def exercises(cluster: Cluster) -> tuple[Exercise, Exercise, Exercise]:
    """The three exercises, judged on this cluster and in the running Spark session."""
    return (
        Exercise(
            "21.1",
            "How many are bad?",
            1,
            f"How many records of `{TOPIC}` are no truck's report, and belong among the dead letters? Count them with "
            "Spark, in the topic as it is now.",
            lambda answer: bad_count(cluster, answer),
            (
                "Late is not bad, and twice is not bad: both are perfectly good JSON.",
                "`jobs.parse(…)` gives a row for every record, and a bad one has a `reason`.",
                "Read the topic once, as a table (`stream=False`): `jobs.bad_records(jobs.parse(table)).count()`",
            ),
        ),
        Exercise(
            "21.2",
            "Too fast",
            2,
            "Write `speeding(good, limit)`: from a DataFrame of good reports, a DataFrame with the columns `truck_id`, "
            "`record_id` and `speed_kmh`, of the reports that are faster than `limit` (km/h).",
            speeding,
            (
                "A DataFrame is a plan, not a list: nothing needs to be collected.",
                "`where()` keeps rows, `select()` keeps columns. Exactly at the limit is not too fast.",
                '`good.where(good.speed_kmh > limit).select("truck_id", "record_id", "speed_kmh")`',
            ),
            "kernel",
        ),
        Exercise(
            "21.3",
            "The newest of each",
            3,
            "Write `newest_of_each(good)`: from a DataFrame of good reports, one row for each truck, with the columns "
            "`truck_id` and `record_id` of its newest report by event time (the column `time`). It must work on a "
            "stream too.",
            newest,
            (
                "The last to arrive is not always the newest: some are late. And a stream has no end to sort to.",
                "`groupBy(…).agg(…)` works on a stream. `max_by(value, order)` is an aggregate.",
                '`good.groupBy("truck_id").agg(sf.max_by("record_id", "time").alias("record_id"))`',
            ),
            "kernel",
        ),
    )


def bad_count(cluster: Cluster, answer: Any) -> str:
    """Judge 21.1 by reading the topic without Spark."""
    given = whole_number(answer, "A count")
    values = [record.value for record in read_all(cluster.bootstrap_servers, TOPIC)]
    good = [report for report in map(_report, values) if report is not None]
    bad, twice = len(values) - len(good), len(good) - len({report["record_id"] for report in good})
    holes = sum(_shaped(value) is None for value in values)
    if given == bad:
        return f"{bad} of {len(values)} records."
    if given == holes:
        raise Wrong(f"{holes} of them lack something. A report can have everything, and still say what cannot be.")
    if given == bad + twice:
        raise Wrong(f"{twice} of these are good reports that came twice; nothing is wrong with what they say.")
    if given in (len(values), len(good)):
        raise Wrong("That counts the records of the topic, or the good ones.")
    raise Wrong(f"Not {given}: it is {'fewer' if given > bad else 'more'}.")


def _report(value: bytes | None) -> dict[str, Any] | None:
    """A truck's report in a record's value, by Python's own JSON; None when it is none, or says what cannot be."""
    report = _shaped(value)
    if report is None or not all(report[name].strip() for name in ("record_id", "truck_id")):
        return None
    inside = all(low <= report[name] <= high for name, (low, high) in _RANGES.items())
    return report if inside else None


def _shaped(value: bytes | None) -> dict[str, Any] | None:
    """A record's value as a report with every field there and of its kind; None when it is none."""

    def refuse(constant: str) -> Any:
        raise ValueError(constant)

    try:
        report = json.loads((value or b"").decode(), parse_constant=refuse)
    except ValueError:
        return None
    if not isinstance(report, dict):
        return None
    for name in ("record_id", "truck_id"):
        if not isinstance(report.get(name), str):
            return None
    for name in _RANGES:
        kinds: tuple[type, ...] = (int,) if name == "time" else (int, float)
        if type(report.get(name)) not in kinds:
            return None
    return report


# Hidden cases: (record id, truck, minute of event time, speed). Rows stand in the order in which they arrive.
_ON_THE_LIMIT: Final[Case] = [("a1", "A", 0, 80.0), ("a2", "A", 1, 80.5), ("b1", "B", 0, 79.9), ("b2", "B", 1, 121.0)]
_RESTING: Final[Case] = [("c1", "C", 0, 0.0), ("c2", "C", 1, 0.0), ("d1", "D", 0, 3.5)]
_LATE: Final[list[Case]] = [
    [("a1", "A", 1, 50.0), ("b9", "B", 9, 50.0), ("c1", "C", 5, 50.0)],
    # A's newer one; B's and C's arrive late: B's by the alphabet greater, C's by the alphabet smaller.
    [("a2", "A", 2, 10.0), ("b99", "B", 3, 90.0), ("c0", "C", 4, 90.0)],
]


def speeding(answer: Any) -> str:
    """Judge 21.2 on rows nobody has seen."""
    spark = active_session()
    wanted = ("truck_id", "record_id", "speed_kmh")
    for case, limit in ((_ON_THE_LIMIT, 80.0), (_RESTING, 0), (_ON_THE_LIMIT, 200)):
        frame = answer_frame(answer, table(spark, case), limit)
        columns_of(frame, wanted)
        got = sorted((row["truck_id"], row["record_id"], row["speed_kmh"]) for row in frame.collect())
        expected = sorted((truck, record, speed) for record, truck, _, speed in case if speed > limit)
        if got == expected:
            continue
        if any(speed == limit for _, _, speed in got):
            raise Wrong(f"With a limit of {limit:g}, a truck at exactly {limit:g} km/h was reported.")
        raise Wrong(f"With a limit of {limit:g}, {len(expected)} reports are too fast; yours found {len(got)}.")
    return "Right on the limit, below it, and above it."


def newest(answer: Any) -> str:
    """Judge 21.3 on a table, and then on a stream in which a late report comes in a later batch."""
    spark = active_session()
    wanted = ("truck_id", "record_id")
    rows = [row for batch in _LATE for row in batch]
    expected = {truck: record for record, truck, minute, _ in sorted(rows, key=lambda row: row[2])}
    frame = answer_frame(answer, table(spark, rows))
    columns_of(frame, wanted)
    got = [(row["truck_id"], row["record_id"]) for row in frame.collect()]
    if len(got) != len(expected):
        raise Wrong(f"There are {len(expected)} trucks, and {len(got)} rows came back.")
    _same(dict(got), expected, "on a table")
    _same(newest_rows_of_stream(spark, answer, _LATE), expected, "on a stream")
    return "Also for the late ones, and on a stream."


def _same(got: dict[str, str], expected: dict[str, str], where: str) -> None:
    for truck, record in expected.items():
        if truck not in got:
            raise Wrong(f"Truck {truck} is missing {where}.")
        if got[truck] != record:
            late = " That one arrived last, but it is older." if got[truck] in ("b99", "c0") else ""
            raise Wrong(f"For truck {truck} it gave {got[truck]} {where}, and its newest report is {record}.{late}")
