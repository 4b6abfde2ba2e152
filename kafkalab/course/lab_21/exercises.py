"""The exercises of lab 21, the first stream: count the bad records, find speeding trucks and the newest reports."""

from __future__ import annotations

import json
import random
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any, Final

from kafkalab.exercises.exercise import Exercise
from kafkalab.exercises.frames import Case, active_session, answer_frame, columns_of, newest_rows_of_stream, table
from kafkalab.exercises.judging import Wrong, whole_number
from kafkalab.exercises.topics import read_all

if TYPE_CHECKING:
    from kafkalab.handles.cluster import Cluster

TOPIC: Final = "lab21-trucks_gps"

_RANGES: Final = {
    "time": (0, 253_402_300_799_999),
    "latitude": (-90, 90),
    "longitude": (-180, 180),
    "speed_kmh": (0, 1000),
    "heading_deg": (0, 360),
}


def exercises(cluster: Cluster) -> tuple[Exercise, Exercise, Exercise]:
    """Return the three exercises, judged on this cluster and in the running Spark session."""
    return (
        Exercise(
            "21.1",
            "How many are bad?",
            1,
            f"How many records of `{TOPIC}` are not a truck's report and belong with the dead letters? Count them with "
            "Spark, in the topic as it is now.",
            lambda answer: bad_count(cluster, answer),
            (
                "A report that is late or came twice is not bad: it is perfectly good JSON.",
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
    """Return the truck's report in a record's value; None if there is none, or it has impossible values."""
    report = _shaped(value)
    if report is None or not all(report[name].strip() for name in ("record_id", "truck_id")):
        return None
    inside = all(low <= report[name] <= high for name, (low, high) in _RANGES.items())
    return report if inside else None


def _shaped(value: bytes | None) -> dict[str, Any] | None:
    """Return a record's value as a report; None if it is not JSON, or a field is missing or of the wrong type."""

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


# Hidden cases: (record id, truck, minute of event time, speed), in the order in which the records arrive.


def _names(count: int) -> list[str]:
    """Return ``count`` random names in alphabetical order."""
    return sorted(random.sample([f"{a}{b}" for a in ascii_lowercase for b in ascii_lowercase], count))


def _speeds() -> tuple[Case, float]:
    """Return reports of two trucks at, below and above a limit, and the limit; a truck's fastest is not its last."""
    one, two = _names(2)
    limit = float(random.randint(40, 120))
    # Speeds in steps of half a km/h, so that an answer that rounds them is found to be wrong.
    faster = [limit + step / 2 for step in random.sample(range(1, 60), 5)]
    speeds = [(one, limit), (one, max(faster)), (one, min(faster)), (two, limit - 0.5), (two, faster[0]), (two, 0.0)]
    ids = random.sample(_names(len(speeds)), len(speeds))
    return [(id, truck, n, speed) for n, (id, (truck, speed)) in enumerate(zip(ids, speeds, strict=True))], limit


def speeding(answer: Any) -> str:
    """Judge 21.2 on random rows."""
    spark = active_session()
    wanted = ("truck_id", "record_id", "speed_kmh")
    (case, limit), (other, _) = _speeds(), _speeds()
    for rows, most in ((case, limit), (other, 0.0), (case, 200.0)):
        frame = answer_frame(answer, table(spark, rows), most)
        columns_of(frame, wanted)
        got = sorted((row["truck_id"], row["record_id"], row["speed_kmh"]) for row in frame.collect())
        expected = sorted((truck, record, speed) for record, truck, _, speed in rows if speed > most)
        if got == expected:
            continue
        if any(speed == most for _, _, speed in got):
            raise Wrong(f"With a limit of {most:g}, a truck at exactly {most:g} km/h was reported.")
        said = f"With a limit of {most:g}, {len(expected)} reports are too fast; yours found {len(got)}."
        trucks = {truck for truck, _, _ in expected}
        if len(got) == len(trucks) < len(expected):
            raise Wrong(f"{said} That is one for each truck, and every report counts.")
        if len(got) == len(expected):
            raise Wrong(f"With a limit of {most:g}, the number of rows is right, but their values are not.")
        raise Wrong(said)
    return "Right on the limit, below it, and above it."


def _late() -> list[Case]:
    """Return two batches with reports of three trucks; in the second batch one is newer and two are older, so late."""
    on_time, late_high, late_low = random.sample(_names(3), 3)
    ids = _names(6)
    # One late report's id comes after the newest one's in the alphabet, and the other's before it.
    low, high, *rest = ids[0], ids[-1], *ids[1:-1]
    random.shuffle(rest)
    minutes = sorted(random.sample(range(60), 6))
    return [
        [
            (rest[0], on_time, minutes[2], 50.0),
            (rest[1], late_high, minutes[5], 50.0),
            (rest[2], late_low, minutes[4], 50.0),
        ],
        [(rest[3], on_time, minutes[3], 10.0), (high, late_high, minutes[0], 90.0), (low, late_low, minutes[1], 90.0)],
    ]


def newest(answer: Any) -> str:
    """Judge 21.3 on a table, and then on a stream in which a late report comes in a later batch."""
    spark = active_session()
    wanted = ("truck_id", "record_id")
    batches = _late()
    rows = [row for batch in batches for row in batch]
    expected = {truck: record for record, truck, minute, _ in sorted(rows, key=lambda row: row[2])}
    last = {truck: record for record, truck, _, _ in rows}
    frame = answer_frame(answer, table(spark, rows))
    columns_of(frame, wanted)
    got = [(row["truck_id"], row["record_id"]) for row in frame.collect()]
    if len(got) != len(expected):
        raise Wrong(f"There are {len(expected)} trucks, and {len(got)} rows came back.")
    _same(dict(got), expected, last, "on a table")
    _same(newest_rows_of_stream(spark, answer, batches), expected, last, "on a stream")
    return "Also for the late ones, and on a stream."


def _same(got: dict[str, str], expected: dict[str, str], last: dict[str, str], where: str) -> None:
    for truck, record in expected.items():
        if truck not in got:
            raise Wrong(f"Truck {truck} is missing {where}.")
        if got[truck] != record:
            late = " That one arrived last, but it is older." if got[truck] == last[truck] else ""
            raise Wrong(f"For truck {truck} it gave {got[truck]} {where}, and its newest report is {record}.{late}")
