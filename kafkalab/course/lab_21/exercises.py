"""The exercises of lab 21, the first stream: rows, the newest of each truck, dead letters, and a nightly job to "
"repair."""

from __future__ import annotations

import random
import tempfile
import uuid
from collections import Counter
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any, Final

from kafkalab.exercises.exercise import Exercise
from kafkalab.exercises.frames import (
    Case,
    active_session,
    answer_frame,
    columns_of,
    rows_of_batches,
    rows_of_parquet,
    table,
)
from kafkalab.exercises.judging import Wrong, call, function_needed
from kafkalab.exercises.topics import passing_topic, publish

if TYPE_CHECKING:
    from kafkalab.handles.cluster import Cluster

PREFIX: Final = "lab21-"


def exercises(cluster: Cluster) -> tuple[Exercise, ...]:
    """Return the five exercises, judged on this cluster and in the running Spark session."""
    return (
        Exercise(
            "21.1",
            "Too fast",
            1,
            "Write `speeding(good, limit)`: from a DataFrame of good reports, it returns a DataFrame with the columns "
            "`truck_id`, `record_id` and `speed_kmh` of the reports that are faster than `limit` (km/h). `good` has "
            "the fields of the schema as its columns, for example `good.speed_kmh`.",
            speeding,
            (
                "A DataFrame is a plan, not a list: you don't have to collect anything.",
                "`where()` keeps rows, `select()` keeps columns. A truck exactly at the limit isn't too fast.",
                '`good.where(good.speed_kmh > limit).select("truck_id", "record_id", "speed_kmh")`',
            ),
            "kernel",
        ),
        Exercise(
            "21.2",
            "The newest of each",
            2,
            "Write `newest_of_each(good)`: from a DataFrame of good reports, it returns one row for each truck, with "
            "`truck_id` and the `record_id` of its newest report by event time (the column `time`). It must work on a "
            "stream, too. `sf.max_by(value, order)` is an aggregate like `count`.",
            newest,
            (
                "The last to arrive isn't always the newest: some are late. And a stream has no end to sort to.",
                "`groupBy(…).agg(…)` works on a stream.",
                '`good.groupBy("truck_id").agg(sf.max_by("record_id", "time").alias("record_id"))`',
            ),
            "kernel",
        ),
        Exercise(
            "21.3",
            "A dead letter",
            1,
            "Write `to_letters(bad)`: from a DataFrame with `key`, `value` (both binary) and `reason` (text), it "
            "returns what Spark's Kafka sink wants: `key` and `value` as they are, and `headers`, with one header "
            "called `reason`.",
            letters,
            (
                "The cell that writes dead letters has all you need.",
                "A header is a struct of `key` (text) and `value` (binary), and `headers` is an array of them.",
                '`sf.struct(sf.lit("reason").alias("key"), sf.col("reason").cast("binary").alias("value"))` is the '
                'header; then `bad.select("key", "value", sf.array(header).alias("headers"))`.',
            ),
            "kernel",
        ),
        Exercise(
            "21.4",
            "Which trucks are moving?",
            2,
            "Write `moving(good)`: from a DataFrame of good reports, it returns `truck_id` and `speed_kmh` of each "
            "truck whose *newest* report (by `time`) says that it moves, that is, faster than 0.",
            moving,
            (
                "First find the newest speed of each truck, then keep the rows that you want.",
                "If you look for moving reports first, you find trucks that moved once.",
                '`good.groupBy("truck_id").agg(sf.max_by("speed_kmh", "time").alias("speed_kmh"))`, and then '
                '`.where("speed_kmh > 0")`.',
            ),
            "kernel",
        ),
        Exercise(
            "21.5",
            "The nightly job",
            3,
            "Write `copy_new(bootstrap_servers, topic, folder)`: it appends the values of all records that are new in "
            "the topic, as text in a column `value`, to the Parquet table `{folder}/table`, and ends. The first call "
            "takes all that is there, and later calls go on where the one before ended.",
            lambda answer: nightly(cluster, answer),
            (
                "Two lines of the colleague's job are wrong. Where does a new query begin, and where does it note how "
                "far it is?",
                "Without a checkpoint from an earlier run, `startingOffsets` decides. And the checkpoint must be in "
                "the same folder each time.",
                '`startingOffsets="earliest"`, and `.option("checkpointLocation", f"{folder}/checkpoint")`',
            ),
            "kernel",
        ),
    )


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
    """Judge 21.1 on random rows."""
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
    """Judge 21.2 on a table, and then on a stream in which a late report comes in a later batch."""
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
    handed = rows_of_batches(spark, answer, batches, mode="update")
    _same({row["truck_id"]: row["record_id"] for rows in handed for row in rows}, expected, last, "on a stream")
    return "Also for the late ones, and on a stream."


def _same(got: dict[str, str], expected: dict[str, str], last: dict[str, str], where: str) -> None:
    for truck, record in expected.items():
        if truck not in got:
            raise Wrong(f"Truck {truck} is missing {where}.")
        if got[truck] != record:
            late = " That one arrived last, but it is older." if got[truck] == last[truck] else ""
            raise Wrong(f"For truck {truck} it gave {got[truck]} {where}, and its newest report is {record}.{late}")


def letters(answer: Any) -> str:
    """Judge 21.3 on random records, some without a key or a value."""
    spark = active_session()
    for count in (4, 7):
        rows = [
            (random.choice((None, uuid.uuid4().bytes)), random.choice((None, b"", uuid.uuid4().bytes)), f"reason {n}")
            for n in range(count)
        ]
        frame = answer_frame(answer, spark.createDataFrame(rows, "key binary, value binary, reason string"))
        columns_of(frame, ("key", "value", "headers"))
        kind = frame.schema["headers"].dataType.simpleString()
        if kind != "array<struct<key:string,value:binary>>":
            raise Wrong(
                f"The column `headers` is {kind[:120]}, and Spark's Kafka sink wants array<struct<key:string,"
                "value:binary>>."
            )
        said = [
            (row["key"], row["value"], [(h["key"], bytes(h["value"] or b"")) for h in row["headers"] or ()])
            for row in frame.collect()
        ]
        if len(said) != count:
            raise Wrong(f"{count} bad records came in, and {len(said)} letters came out.")
        for (key, value, headers), (old_key, old_value, reason) in zip(said, rows, strict=True):
            if (key, value) != (old_key, old_value):
                raise Wrong("A letter's key and value should be those of the bad record, byte for byte.")
            if headers != [("reason", reason.encode())]:
                raise Wrong(f"A record with the reason {reason!r} has the headers {headers}.")
    return "Key and value untouched, and the reason in a header, also where key or value is missing."


def _drives() -> tuple[list[Case], dict[str, float]]:
    """Return reports of five trucks that stand, start, stop, or are late, and the newest speed of those that move."""
    stands, starts, stops, late, drives = random.sample(_names(5), 5)
    ids = iter(_names(12))
    fast, slow = random.randint(50, 90) / 1.0, random.randint(5, 40) / 1.0
    rows = [
        (next(ids), stands, 1, 0.0),
        (next(ids), starts, 1, 0.0),
        (next(ids), stops, 1, fast),
        (next(ids), late, 5, 0.0),
        (next(ids), drives, 1, slow),
        (next(ids), starts, 4, slow),
        (next(ids), stops, 6, 0.0),
        (next(ids), late, 2, fast),  # it moved, before it stopped; this report came last
        (next(ids), drives, 3, fast),
    ]
    return [rows], {starts: slow, drives: fast}


def moving(answer: Any) -> str:
    """Judge 21.4 on random drives, with a truck that has stopped and a report that is late."""
    spark = active_session()
    for _ in range(2):
        (rows,), wanted = _drives()
        frame = answer_frame(answer, table(spark, rows))
        columns_of(frame, ("truck_id", "speed_kmh"))
        got = [(row["truck_id"], row["speed_kmh"]) for row in frame.collect()]
        if len(got) != len({truck for truck, _ in got}):
            raise Wrong("A truck is there more than once. Only its newest report counts.")
        if dict(got) == wanted:
            continue
        extra = sorted({truck for truck, _ in got} - wanted.keys())
        if extra:
            times = ", ".join(f"minute {m}: {speed:g} km/h" for _, truck, m, speed in rows if truck == extra[0])
            raise Wrong(f"Truck {extra[0]} is there, but it stands ({times}). Look at its newest report only.")
        missing = sorted(wanted.keys() - {truck for truck, _ in got})
        if missing:
            raise Wrong(f"Truck {missing[0]} moves, and it's missing.")
        odd = next(truck for truck, speed in got if wanted[truck] != speed)
        raise Wrong(f"Truck {odd} moves at {wanted[odd]:g} km/h by its newest report, and you say {dict(got)[odd]:g}.")
    return "Also for a truck that has stopped, and for one whose last report was late."


def nightly(cluster: Cluster, answer: Any) -> str:
    """Judge 21.5 by four nights, in one of which nothing is new."""
    function_needed(answer)
    spark = active_session()
    sent: list[str] = []
    with (
        tempfile.TemporaryDirectory(prefix="kafkalab-check-") as folder,
        passing_topic(cluster, f"{PREFIX}check", 3) as topic,
    ):
        for night, new in enumerate((30, 12, 0, 7), 1):
            more = [f"night {night}: {uuid.uuid4().hex[:8]}" for _ in range(new)]
            publish(cluster.bootstrap_servers, topic, [(None, value.encode(), None) for value in more])
            sent += more
            call(answer, cluster.bootstrap_servers, topic, folder, within=120, returns=False)
            if any(query.isActive and folder in str(query.lastProgress) for query in spark.streams.active):
                raise Wrong("Your query still runs. `trigger(availableNow=True)` ends it, `awaitTermination()` waits.")
            rows = rows_of_parquet(spark, f"{folder}/table", ("value",))
            _copied([row["value"] for row in rows], sent, night)
    return "Four nights, one of them without news: every record once."


def _copied(there: list[str], sent: list[str], night: int) -> None:
    missing, extra = Counter(sent) - Counter(there), Counter(there) - Counter(sent)
    if not there:
        raise Wrong("There's nothing in the table after the first night, but 30 records were in the topic.")
    if any(isinstance(value, bytes | bytearray) for value in there):
        raise Wrong("The values in the table are bytes. Text is asked for: `cast(value as string)`.")
    if extra:
        raise Wrong(f"After night {night}, {extra.total()} records are in the table twice. Where did it go on?")
    if missing:
        nights = sorted({value.partition(":")[0] for value in missing})
        raise Wrong(f"After night {night}, {missing.total()} of {len(sent)} records are missing: those of {nights[0]}.")
