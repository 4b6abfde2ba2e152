"""The exercises of lab 22: first and newest reports, a table in memory, a listener, a changed query, and a repair."""

from __future__ import annotations

import random
import tempfile
from typing import Any, Final

from kafkalab.exercises import frames
from kafkalab.exercises.exercise import Exercise
from kafkalab.exercises.frames import active_session, answer_frame, columns_of
from kafkalab.exercises.judging import NotAttempted, Wrong, call, function_needed, kind_of
from kafkalab.exercises.topics import passing_topic, publish
from kafkalab.sources.fleet import START
from kafkalab.sources.report import Report
from kafkalab.waiting import wait_until

#: Seconds instead of times: they compare alike.
_ROWS: Final = "truck_id string, time long, latitude double, longitude double, speed_kmh double, partition int"
#: A report in a hidden case, with these columns.
Row = tuple[str, int, float, float, float, int]


def _names(count: int) -> list[str]:
    return [f"T{number:04}" for number in random.sample(range(10_000), count)]


def _report(truck: str, time: int, speed: float | None = None) -> Row:
    kmh = random.randint(20, 180) / 2 if speed is None else speed
    return truck, time, random.randint(36_000, 60_000) / 1000, random.randint(-9_000, 30_000) / 1000, kmh, 3


def first_place(answer: Any) -> str:
    """Judge 22.1 on a random table, in which the first report of a truck arrives last, and is at no edge."""
    trucks = _names(3)
    rows = [_report(truck, time) for truck in trucks for time in random.sample(range(100, 200), 5)]
    first = {truck: min((row for row in rows if row[0] == truck), key=lambda row: row[1])[:4] for truck in trucks}
    rows.sort(key=lambda row: (row[:4] in first.values(), random.random()))
    frame = answer_frame(answer, active_session().createDataFrame(rows, _ROWS))
    columns_of(frame, ("truck_id", "latitude", "longitude"))
    found = frame.collect()
    if len(found) != len(trucks):
        raise Wrong(f"There are {len(trucks)} trucks, and {len(found)} rows came back.")
    for row in found:
        truck, time, *place = first[row["truck_id"]]
        own = [row["latitude"], row["longitude"]]
        if own == place:
            continue
        when = [at for name, at, *there in ((r[0], r[1], *r[2:4]) for r in rows) if name == truck and there == own]
        if not when:
            raise Wrong(f"Truck {truck} never was at {own}: your latitude and longitude are of two reports.")
        raise Wrong(f"Truck {truck} made its first report at second {time}; yours is the one of second {when[0]}.")
    return "The first by event time, in whatever order they came."


def speeds_now(answer: Any) -> str:
    """Judge 22.2 on tables as an update query fills them: some trucks have several rows, in time or mixed up."""
    spark = active_session()
    for mixed in (False, True):
        trucks, name = _names(4), f"check_{random.randrange(10**9)}"
        rows = [_report(truck, time, speed=0.0 if time == 5 and truck == trucks[0] else None)
                for time in range(1, 6) for truck in trucks[: 6 - time]]  # fmt: skip
        wanted = {row[0]: row[4] for row in rows}
        if mixed:
            random.shuffle(rows)
        spark.createDataFrame(rows, _ROWS).createOrReplaceTempView(name)
        try:
            frame = answer_frame(answer, name)
            columns_of(frame, ("truck_id", "speed_kmh"))
            found = [(row["truck_id"], row["speed_kmh"]) for row in frame.collect()]
        finally:
            spark.catalog.dropTempView(name)
        if len(found) > len(dict(found)):
            raise Wrong(f"The table has several rows of some trucks, and so has your answer: {len(found)} rows.")
        if missing := wanted.keys() - dict(found).keys():
            raise Wrong(f"The table has {len(wanted)} trucks, and {min(missing)} is missing in your answer.")
        for truck, speed in found:
            if speed != wanted.get(truck):
                times = ", ".join(f"second {t}: {kmh:g}" for t, kmh in sorted((r[1], r[4]) for r in rows if r[0] == truck))
                raise Wrong(f"Truck {truck} drove ({times} km/h), and you say {speed:g}.")
    return "One row for each truck: its newest."


def slow_batches(answer: Any) -> str:
    """Judge 22.3 by the events of a real query: the answer listens to it, and is told of its batches again."""
    from pyspark.sql.streaming.listener import StreamingQueryListener

    if not (isinstance(answer, type) and issubclass(answer, StreamingQueryListener)):
        raise Wrong(f"Your answer should be a class that is a StreamingQueryListener, and this is {kind_of(answer)}.")
    if answer.onQueryProgress is StreamingQueryListener.onQueryProgress:
        raise NotAttempted("Write the methods of the listener.")

    class Ears(StreamingQueryListener):
        def __init__(self) -> None:
            self.events: list[Any] = []
            self.over = False

        def onQueryStarted(self, event: Any) -> None:  # noqa: N802
            pass

        def onQueryProgress(self, event: Any) -> None:  # noqa: N802
            self.events.append(event)

        def onQueryTerminated(self, event: Any) -> None:  # noqa: N802
            self.over = True

    streams, ears, listening = active_session().streams, Ears(), _made(answer, -1)
    streams.addListener(ears)
    streams.addListener(listening)
    try:
        with tempfile.TemporaryDirectory(prefix="kafkalab-check-") as folder:
            runs = [[[_report("T0001", number)] for number in range(3)]]
            frames.rows_of_stream(active_session(), lambda stream: stream.select("time"), runs, _ROWS, folder)
        # Spark tells listeners on a thread of its own.
        wait_until(lambda: ears.over, 60, "Spark to tell its listeners")
    finally:
        streams.removeListener(listening)
        streams.removeListener(ears)
    took = {event.progress.batchId: event.progress.batchDuration for event in ears.events}
    _heard(listening, took, -1, "It listened to a query")
    for limit in (*took.values(), max(took.values()) + 1):
        told = _made(answer, limit)
        for event in ears.events:
            call(told.onQueryProgress, event, returns=False)
        _heard(told, took, limit, "It was told of a query")
    return "It hears every batch, and notes the slow ones."


def _made(answer: Any, limit: int) -> Any:
    try:
        made = answer(limit)
    except Exception as error:
        raise Wrong(f"`{answer.__name__}({limit})` raised {type(error).__name__}: {str(error)[:200]}") from None
    if getattr(made, "slow", None) != []:
        raise Wrong("A new listener should have a list `slow`, which is empty.")
    return made


def _heard(listener: Any, took: dict[int, int], limit: int, what: str) -> None:
    got, wanted = list(listener.slow), [batch for batch, ms in took.items() if ms > limit]
    if got != wanted:
        batches = ", ".join(f"batch {batch} {ms:,} ms" for batch, ms in took.items())
        raise Wrong(f"{what}: {batches}. With the limit {limit:,}, `slow` should be {wanted}, and it is {got}.")


def _newest(reports: Any) -> Any:
    """The lab's own ``latest``."""
    from pyspark.sql import functions as sf

    fields = sf.struct("time", "latitude", "longitude", "partition", "speed_kmh")
    return reports.groupBy("truck_id").agg(sf.max_by(fields, "time").alias("at")).select("truck_id", "at.*")


def with_standing(answer: Any) -> str:
    """Judge 22.4 on the checkpoint of the lab's query: late reports show whether it still has its state."""
    stops, starts, late_stop, late_drive, new = _names(5)
    before = [_report(stops, 10, 60.0), _report(starts, 10, 0.0), _report(late_stop, 50, 70.0)]
    before.append(_report(late_drive, 50, 0.0))
    after = [_report(stops, 20, 0.0), _report(starts, 20, 50.0), _report(late_stop, 30, 0.0)]
    after += [_report(late_drive, 30, 80.0), _report(new, 60, 0.0)]
    kept = {row[0]: row for row in sorted(before + after, key=lambda row: row[1])}
    function_needed(answer)
    parts = [_newest, lambda stream: answer_frame(answer, stream)]
    columns = ("truck_id", "time", "latitude", "longitude", "partition", "speed_kmh", "standing")
    with tempfile.TemporaryDirectory(prefix="kafkalab-check-") as folder:
        try:
            runs = [[before], [after]]
            found = frames.rows_of_stream(
                active_session(), lambda stream: parts.pop(0)(stream), runs, _ROWS, folder, "update"
            )
        except Wrong as wrong:
            if "SCHEMA_NOT_COMPATIBLE" not in str(wrong):
                raise
            which = "groups by other columns" if "_KEY_" in str(wrong) else "keeps other things in its state"
            raise Wrong(f"Spark refuses your query on the old checkpoint, because it {which} than `latest`.") from None
    rows = [row for batch in found[1] for row in batch]
    if rows and sorted(rows[0].asDict()) != sorted(columns):
        raise Wrong(f"The columns should be {', '.join(columns)}; they are {', '.join(rows[0].asDict())}.")
    if len(rows) != len(kept):
        raise Wrong(f"{len(kept)} trucks reported in the batch after the restart, and you give {len(rows)} rows.")
    for row in rows:
        truck, time, *_, speed, _ = kept[row["truck_id"]]
        if row["time"] != time:
            raise Wrong(f"Truck {truck}'s newest report is of second {time}, from before the restart; yours is of "
                        f"second {row['time']}.")  # fmt: skip
        if row["standing"] is not (speed == 0):
            raise Wrong(f"Truck {truck}'s newest report says {speed:g} km/h. Its `standing` is {row['standing']}.")
    return "It goes on from the old checkpoint, and still ignores late reports."


def repaired(cluster: Any, answer: Any) -> str:
    """Judge 22.5 by three calls: all trucks, then only a few, one of them late, and then nothing new."""
    function_needed(answer)
    early, late, moves, quiet = _names(4)
    calls = [
        [(early, 10), (late, 50), (moves, 10), (quiet, 10), (early, 40), (early, 20)],
        [(late, 30), (moves, 60)],
        [(quiet, 70)],
    ]
    newest: dict[str, Report] = {}
    with tempfile.TemporaryDirectory() as folder, passing_topic(cluster, "lab22-check", 3) as topic:
        for number, new in enumerate(calls, 1):
            places = [_report(truck, second) for truck, second in new]
            reports = [
                Report(f"{number}-{n}", truck, START + second * 1000, *place, kmh, 90.0)
                for n, (truck, second, *place, kmh, _) in enumerate(places)
            ]
            publish(cluster.bootstrap_servers, topic, [(report.key, report.value, None) for report in reports])
            for report in reports:
                if report.truck_id not in newest or newest[report.truck_id].time < report.time:
                    newest[report.truck_id] = report
            call(answer, cluster.bootstrap_servers, topic, folder, within=120, returns=False)
            _on_board(frames.rows_of_parquet(active_session(), f"{folder}/board"), newest, number)
    return "Three starts: no truck was missing, and none was moved back."


def _on_board(rows: list[Any], newest: dict[str, Report], number: int) -> None:
    said = f"After start {number},"
    found = [row.asDict() for row in rows]
    if found and not {"truck_id", "latitude", "longitude"} <= found[0].keys():
        raise Wrong(f"The board should have truck_id, latitude and longitude; it has {', '.join(found[0])}.")
    ids = [row["truck_id"] for row in found]
    if missing := sorted(newest.keys() - set(ids)):
        raise Wrong(f"{said} {len(missing)} of {len(newest)} trucks are missing on the board: {', '.join(missing)}.")
    if len(ids) > len(newest):
        raise Wrong(f"{said} the board has {len(ids)} rows for {len(newest)} trucks.")
    for row in found:
        right = newest[row["truck_id"]]
        if (row["latitude"], row["longitude"]) != (right.latitude, right.longitude):
            raise Wrong(f"{said} truck {right.truck_id} isn't where its newest report says. Was a late one taken?")


def exercises(cluster: Any) -> tuple[Exercise, ...]:
    """Return the five exercises, judged on this cluster and in the running Spark session."""
    return (
        Exercise("22.1", "Where the day began", 1,
            "Write `first_place(reports)`: one row for each truck, with `truck_id`, and the `latitude` and `longitude` "
            "of its *first* report by event time. `sf.min_by` is the opposite of `sf.max_by`.",
            first_place, (
                "It's `latest` with another aggregate and fewer fields.",
                "Put both coordinates into one struct, so that they're from the same report.",
                '`sf.min_by(sf.struct("latitude", "longitude"), "time").alias("at")`, and then '
                '`.select("truck_id", "at.*")`.'), "kernel"),
        Exercise("22.2", "How fast, now?", 2,
            "Write `speeds_now(name)`: it returns a DataFrame with `truck_id` and `speed_kmh`, one row for each truck, "
            "its newest, from the table `name`, which has the columns of `positions`. SQL knows `max_by`, too.",
            speeds_now, (
                "An update query adds a row each time. Which row of a truck is the newest?",
                'Put the name into the SQL: `spark.sql(f"select … from {name} …")`.',
                "`select truck_id, max_by(speed_kmh, time) as speed_kmh from {name} group by truck_id`"), "kernel"),
        Exercise("22.3", "Too slow", 2,
            "Write the listener `TooSlow(limit)`: its list `slow` holds the `batchId` of each batch that took more "
            "than `limit` milliseconds.",
            slow_batches, (
                "Begin with a copy of `Watch`. Three of its methods may do nothing.",
                "`__init__(self, limit)` keeps the limit, and makes the empty list `slow`.",
                "`if event.progress.batchDuration > self.limit: self.slow.append(event.progress.batchId)`"), "kernel"),
        Exercise("22.4", "Who stands still?", 3,
            "Write `with_standing(reports)`: the same columns as `latest`, and `standing`, which is true if the "
            "truck's newest report says 0 km/h. It must go on from a checkpoint of `latest`, with all that it knows.",
            with_standing, (
                "What is grouped and what is aggregated must stay as they are.",
                "Work on the rows that come out of `latest`.",
                '`latest(reports).withColumn("standing", sf.col("speed_kmh") == 0)`'), "kernel"),
        Exercise("22.5", "Repair the board", 3,
            "Write `board_job(bootstrap_servers, topic, folder)`: at each start it reads what's new in the topic, and "
            "ends. Afterwards the Parquet table `{folder}/board` has one row for each truck that has ever reported, "
            "with `truck_id`, `latitude` and `longitude` of its newest report.",
            lambda answer: repaired(cluster, answer), (
                "Two lines are wrong. One moves trucks back, and the other loses those that don't report.",
                "By what does it choose the newest? And which rows does a batch hand on in its output mode?",
                '`sf.max_by(…, "time")`, and `.outputMode("complete")`, because each batch overwrites the table.'),
            "kernel"),
    )  # fmt: skip
