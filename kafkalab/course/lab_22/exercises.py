"""The exercises of lab 22: first and newest reports, a table in memory, a listener, a changed query, and a repair."""

from __future__ import annotations

import json
import random
import tempfile
from typing import Any, Final

from kafkalab.exercises import frames
from kafkalab.exercises.exercise import Exercise
from kafkalab.exercises.frames import active_session, answer_frame, truck_names
from kafkalab.exercises.judging import NotAttempted, Wrong, call, function_needed, kind_of
from kafkalab.exercises.topics import passing_topic, publish
from kafkalab.sources.fleet import START
from kafkalab.sources.report import Report
from kafkalab.waiting import wait_until

_ROWS: Final = "truck_id string, time long, latitude double, longitude double, speed_kmh double, partition int"


def _row(truck: str, time: int, speed: float | None = None) -> tuple[str, int, float, float, float, int]:
    latitude, longitude = random.randint(36_000, 60_000) / 1000, random.randint(-9_000, 30_000) / 1000
    return truck, time, latitude, longitude, random.randint(20, 180) / 2 if speed is None else speed, 3


def first_place(answer: Any) -> str:
    """Judge 22.1 on random rows; each truck's first report comes last."""
    trucks = truck_names(3)
    rows = [_row(truck, time) for time in (7, 4, 9, 5, 3) for truck in trucks]
    reports = active_session().createDataFrame(rows, _ROWS).coalesce(1)
    found = answer_frame(answer, reports, columns=("truck_id", "latitude", "longitude")).collect()
    if len(found) != len(trucks):
        raise Wrong(f"There are {len(trucks)} trucks, and {len(found)} rows came back.")
    for row in found:
        at = (row["truck_id"], row["latitude"], row["longitude"])
        seconds = [time for truck, time, *place, _, _ in rows if (truck, *place) == at]
        if not seconds:
            raise Wrong(f"Truck {at[0]} never was at {at[1:]}: the two numbers are of different reports.")
        if seconds != [3]:
            raise Wrong(f"Truck {at[0]} made its first report at second 3; yours is of second {seconds[0]}.")
    return "The first by event time, in whatever order they came."


def speeds_now(answer: Any) -> str:
    """Judge 22.2 on a table as an update query fills it, but mixed up: the newest row is neither first nor last."""
    spark, trucks, name = active_session(), truck_names(4), f"check_{random.randrange(10**9)}"
    rows = [_row(truck, time, 0.0 if time == 5 else None) for time in (1, 5, 4, 3, 2) for truck in trucks[: 7 - time]]
    newest = {row[0]: row[4] for row in sorted(rows, key=lambda row: row[1])}
    spark.createDataFrame(rows, _ROWS).coalesce(1).createOrReplaceTempView(name)
    try:
        frame = answer_frame(answer, name, columns=("truck_id", "speed_kmh"))
        found = [(row["truck_id"], row["speed_kmh"]) for row in frame.collect()]
    finally:
        spark.catalog.dropTempView(name)
    if len(found) > len(dict(found)):
        raise Wrong(f"The table has several rows of some trucks, and your answer has, too: {len(found)} rows.")
    if missing := newest.keys() - dict(found).keys():
        raise Wrong(f"The table has {len(newest)} trucks, and {min(missing)} is missing in your answer.")
    for truck, speed in found:
        if speed != newest.get(truck):
            told = ", ".join(f"{row[4]:g} at second {row[1]}" for row in sorted(rows) if row[0] == truck)
            raise Wrong(f"Truck {truck} drove {told} (km/h), and you say {speed}.")
    return "One row for each truck: its newest."


def too_slow(answer: Any) -> str:
    """Judge 22.3 by reports of a real batch, with other numbers and durations, in two sessions with other limits."""
    from pyspark.sql.streaming.listener import QueryProgressEvent, StreamingQueryListener, StreamingQueryProgress

    if not (isinstance(answer, type) and issubclass(answer, StreamingQueryListener)):
        raise Wrong(f"Your answer should be a class that is a StreamingQueryListener, and this is {kind_of(answer)}.")
    if answer.onQueryProgress is StreamingQueryListener.onQueryProgress:
        raise NotAttempted("Write the methods of the class.")
    source = active_session().readStream.format("rate-micro-batch").option("rowsPerBatch", 1).load()
    query = source.writeStream.format("noop").start()
    try:
        wait_until(lambda: query.recentProgress, 60, "a query to have a batch")
    finally:
        query.stop()
    report = json.loads(query.recentProgress[0].json)
    for limit in random.sample(range(100, 900), 2):
        durations = [limit + more for more in random.sample((-90, -20, 20, 90, 3000), 5)]
        try:
            told: Any = answer(limit)  # type: ignore[call-arg]
        except Exception as error:
            raise Wrong(f"`{answer.__name__}({limit})` raised {type(error).__name__}: {str(error)[:200]}") from None
        if getattr(told, "slow", None) != []:
            raise Wrong("When it's made, it should have a list `slow`, which is empty.")
        for number, ms in enumerate(durations, 7):
            made = report | {"batchId": number, "batchDuration": ms, "durationMs": {"triggerExecution": ms}}
            call(told.onQueryProgress, QueryProgressEvent(StreamingQueryProgress.fromJson(made)), returns=False)
        wanted = [number for number, ms in enumerate(durations, 7) if ms > limit]
        if told.slow != wanted:
            took = ", ".join(f"batch {number} took {ms} ms" for number, ms in enumerate(durations, 7))
            raise Wrong(f"The limit is {limit}, and {took}: `slow` should be {wanted}; yours is {told.slow}.")
    return "It notes the slow batches, and only those."


def with_standing(answer: Any) -> str:
    """Judge 22.4 on the checkpoint of the lab's query: late reports show whether it goes on with its state."""
    from pyspark.sql import functions as sf

    def latest(reports: Any) -> Any:  # the lab's own
        fields = sf.struct("time", "latitude", "longitude", "partition", "speed_kmh")
        return reports.groupBy("truck_id").agg(sf.max_by(fields, "time").alias("at")).select("truck_id", "at.*")

    function_needed(answer)
    stops, starts, stood, drove, new = truck_names(5)
    before = [_row(stops, 10, 60.0), _row(starts, 10, 0.0), _row(drove, 50, 70.0), _row(stood, 50, 0.0)]
    after = [_row(stops, 20, 0.0), _row(starts, 20), _row(drove, 30, 0.0), _row(stood, 30), _row(new, 60, 0.0)]
    newest = {row[0]: row for row in sorted(before + after, key=lambda row: row[1])}
    columns = ("truck_id", "time", "latitude", "longitude", "partition", "speed_kmh", "standing")
    plans: Any = iter((latest, lambda stream: answer_frame(answer, stream, columns=columns)))
    with tempfile.TemporaryDirectory(prefix="kafkalab-check-") as folder:
        _, found = frames.rows_of_stream(
            active_session(), lambda stream: next(plans)(stream), [[before], [after]], _ROWS, folder, "update"
        )
    rows = [row.asDict() for batch in found for row in batch]
    if sorted(row["truck_id"] for row in rows) != sorted(newest):
        raise Wrong(f"{len(newest)} trucks reported after the restart, and each should have a row; yours: {len(rows)}.")
    for row in rows:
        truck, time, *_, speed, _ = newest[row["truck_id"]]
        if row["time"] != time:
            raise Wrong(f"Truck {truck}'s newest report is of second {time}, before the restart. A late one of second "
                        f"{row['time']} came after it, and you took that.")  # fmt: skip
        if row["standing"] is not (speed == 0):
            raise Wrong(f"Truck {truck}'s newest report says {speed:g} km/h. Its `standing` is {row['standing']}.")
    return "It goes on from the old checkpoint, and still ignores late reports."


def board_job(cluster: Any, answer: Any) -> str:
    """Judge 22.5 by two calls: reports of four trucks, one late; then a new one and a late one of two of them."""
    function_needed(answer)
    first, late, moves, quiet = truck_names(4)
    calls = [[(first, 10), (late, 50), (moves, 10), (quiet, 10), (first, 40), (first, 20)], [(late, 30), (moves, 60)]]
    newest: dict[str, Report] = {}
    with tempfile.TemporaryDirectory() as folder, passing_topic(cluster, "lab22-check", 3) as topic:
        for number, new in enumerate(calls, 1):
            reports = [Report(f"{number}-{n}", truck, START + second * 1000, *_row(truck, second)[2:5], 90.0)
                       for n, (truck, second) in enumerate(new)]  # fmt: skip
            publish(cluster.bootstrap_servers, topic, [(report.key, report.value, None) for report in reports])
            for report in reports:
                newest[report.truck_id] = max(report, newest.get(report.truck_id, report), key=lambda one: one.time)
            call(answer, cluster.bootstrap_servers, topic, folder, within=120, returns=False)
            said, rows = f"After start {number},", frames.rows_of_parquet(active_session(), f"{folder}/board")
            if rows and (without := {"truck_id", "latitude", "longitude"} - set(rows[0].asDict())):
                raise Wrong(f"{said} the board has no column {min(without)}.")
            if gone := sorted(newest.keys() - {row["truck_id"] for row in rows}):
                raise Wrong(f"{said} {len(gone)} of {len(newest)} trucks are missing on the board: {', '.join(gone)}.")
            if len(rows) > len(newest):
                raise Wrong(f"{said} the board has {len(rows)} rows for {len(newest)} trucks.")
            for row in rows:
                right = newest[row["truck_id"]]
                if (row["latitude"], row["longitude"]) != (right.latitude, right.longitude):
                    raise Wrong(f"{said} truck {right.truck_id} isn't where its newest report says. Was it a late one?")
    return "Two starts: no truck was missing, and none was moved back."


def exercises(cluster: Any) -> tuple[Exercise, ...]:
    """Return the five exercises, judged on this cluster and in the running Spark session."""
    return (
        Exercise("22.1", "Where the day began", 1,
            "Write `first_place(reports)`: one row for each truck, with `truck_id`, and the `latitude` and `longitude` "
            "of its *first* report by event time. `sf.min_by` is the opposite of `sf.max_by`.",
            first_place, (
                "It's `latest` with another aggregate and fewer fields.",
                "Put both coordinates into one struct, so that they're of the same report.",
                '`sf.min_by(sf.struct(…), "time").alias("at")`, and then `.select("truck_id", "at.*")`.'), "kernel"),
        Exercise("22.2", "How fast, now?", 2,
            "Write `speeds_now(name)`: a DataFrame with `truck_id` and `speed_kmh`, one row for each truck, by its "
            "newest report. `name` is the name of a table like `positions`. SQL knows `max_by`, too.",
            speeds_now, (
                "An update query adds a row each time. Which of a truck's rows is the newest?",
                'Put the name into the SQL: `spark.sql(f"select … from {name} …")`.',
                "`select truck_id, max_by(speed_kmh, time) as speed_kmh from {name} group by truck_id`"), "kernel"),
        Exercise("22.3", "Too slow", 2,
            "Write the class `TooSlow(limit)`: its list `slow` has the `batchId` of each batch that took more than "
            "`limit` milliseconds.",
            too_slow, (
                "Begin with a copy of `Watch`. Two of its methods may do nothing.",
                "`__init__(self, limit)` keeps the limit, and makes the empty list `slow`.",
                "`if event.progress.batchDuration > self.limit: self.slow.append(event.progress.batchId)`"), "kernel"),
        Exercise("22.4", "Who stands still?", 3,
            "Write `with_standing(reports)`: the columns of `latest`, and `standing`, which is true if the truck's "
            "newest report says 0 km/h. It must go on from a checkpoint of `latest`, with all that's known there.",
            with_standing, (
                "The grouping and the aggregate must stay as they are.",
                "Work on the rows that come out of `latest`. `withColumn` adds a column.",
                '`latest(reports).withColumn("standing", sf.col("speed_kmh") == 0)`'), "kernel"),
        Exercise("22.5", "Repair the board", 3,
            "Write `board_job(bootstrap_servers, topic, folder)`: at each start it takes in what's new in the topic, "
            "and ends. Then the Parquet table `{folder}/board` has one row for each truck that has ever reported, with "
            "`truck_id`, and `latitude` and `longitude` of its newest report.",
            lambda answer: board_job(cluster, answer), (
                "Two lines are wrong. One moves trucks back, and the other loses those that don't report.",
                "How does it choose a truck's report? And which rows does a batch hand on in its output mode?",
                '`sf.max_by(…, "time")`, and `.outputMode("complete")`: each batch overwrites the table.'), "kernel"),
    )  # fmt: skip
