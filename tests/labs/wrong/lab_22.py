"""Lab 22: what people answer, and the word that the check has for it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from pyspark import cloudpickle
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf
from pyspark.sql.streaming.listener import StreamingQueryListener

from kafkalab.streams import jobs
from tests.support.answers import Answers

# Spark's Python workers cannot import this file, as they cannot import a notebook: so its functions travel whole.
cloudpickle.register_pickle_by_value(sys.modules[__name__])


def place(*aggregates: str) -> Callable[[DataFrame], DataFrame]:
    return lambda reports: reports.groupBy("truck_id").agg(*map(sf.expr, aggregates))


def first_place(reports: DataFrame) -> DataFrame:
    at = sf.min_by(sf.struct("latitude", "longitude"), "time").alias("at")
    return reports.groupBy("truck_id").agg(at).select("truck_id", "at.*")


def first_struct(reports: DataFrame) -> DataFrame:
    rows = reports.groupBy("truck_id").agg(sf.min(sf.struct("time", "latitude", "longitude")).alias("at"))
    return rows.select("at.longitude", "at.latitude", "truck_id")


def first_of_all(reports: DataFrame) -> DataFrame:
    return reports.orderBy("time").limit(1).select("truck_id", "latitude", "longitude")


def asked(query: str) -> Callable[[str], DataFrame]:
    return lambda name: SparkSession.builder.getOrCreate().sql(query.format(name=name))


def speeds_by_frames(name: str) -> DataFrame:
    table = SparkSession.builder.getOrCreate().table(name)
    return table.groupBy("truck_id").agg(sf.max_by("speed_kmh", "time").alias("speed_kmh"))


def listener(note: Callable[..., Any], *, made: Callable[[Any], Any] = lambda self: setattr(self, "slow", [])) -> type:
    class Slow(StreamingQueryListener):
        def __init__(self, limit: int) -> None:
            self.limit = limit
            made(self)

        def onQueryStarted(self, event: Any) -> None:  # noqa: N802
            pass

        def onQueryProgress(self, event: Any) -> None:  # noqa: N802
            note(self, event.progress)

        def onQueryTerminated(self, event: Any) -> None:  # noqa: N802
            pass

    return Slow


def slow(self: Any, batch: Any) -> None:
    if batch.batchDuration > self.limit:
        self.slow.append(batch.batchId)


def slow_by_parts(self: Any, batch: Any) -> None:
    if batch.durationMs["triggerExecution"] > self.limit:
        self.slow = [*self.slow, batch.batchId]


def slow_or_equal(self: Any, batch: Any) -> None:
    if batch.batchDuration >= self.limit:
        self.slow.append(batch.batchId)


def slow_in_seconds(self: Any, batch: Any) -> None:
    if batch.batchDuration / 1000 > self.limit:
        self.slow.append(batch.batchId)


def durations(self: Any, batch: Any) -> None:
    if batch.batchDuration > self.limit:
        self.slow.append(batch.batchDuration)


def latest(reports: DataFrame, *more: Any, by: str = "truck_id", order: str = "time") -> DataFrame:
    fields = sf.struct("time", "latitude", "longitude", "partition", "speed_kmh", *more)
    return reports.groupBy(by).agg(sf.max_by(fields, order).alias("at")).select(by, "at.*")


def standing(rows: DataFrame) -> DataFrame:
    return rows.withColumn("standing", sf.col("speed_kmh") == 0)


def standing_in_the_state(reports: DataFrame) -> DataFrame:
    return latest(reports, (sf.col("speed_kmh") == 0).alias("standing"))


def standing_by_partition(reports: DataFrame) -> DataFrame:
    newest = sf.max_by(sf.struct("truck_id", "time", "latitude", "longitude", "speed_kmh"), "time").alias("at")
    return standing(reports.groupBy("partition").agg(newest).select("partition", "at.*"))


def standing_another_meaning(reports: DataFrame) -> DataFrame:
    return standing(latest(reports.withColumn("truck_id", sf.concat("truck_id", sf.lit("!")))))


def standing_when(reports: DataFrame) -> DataFrame:
    return latest(reports).selectExpr("*", "speed_kmh < 1 as standing")


def board(order: str, mode: str, *, checkpoint: str = "checkpoint", save: str = "overwrite") -> Callable[..., None]:
    def job(bootstrap_servers: str, topic: str, folder: str) -> None:
        spark = SparkSession.builder.getOrCreate()
        good = jobs.good_records(jobs.parse(jobs.read_trucks(spark, bootstrap_servers, topic)))
        at = sf.max_by(sf.struct("latitude", "longitude"), order).alias("at")
        rows = good.groupBy("truck_id").agg(at).select("truck_id", "at.*")

        def write(batch: DataFrame, number: int) -> None:
            batch.write.mode(save).parquet(f"{folder}/board")

        writer = rows.writeStream.foreachBatch(write).outputMode(mode)
        writer = writer.option("checkpointLocation", f"{folder}/{checkpoint}")
        writer.trigger(availableNow=True).start().awaitTermination()

    return job


def board_without_a_stream(bootstrap_servers: str, topic: str, folder: str) -> None:
    spark = SparkSession.builder.getOrCreate()
    good = jobs.good_records(jobs.parse(jobs.read_trucks(spark, bootstrap_servers, topic, stream=False)))
    at = sf.max(sf.struct("time", "latitude", "longitude")).alias("at")
    rows = good.groupBy("truck_id").agg(at).select("truck_id", "at.*")
    rows.write.mode("overwrite").parquet(f"{folder}/board")


ON_CLUSTER = {
    "22.1": Answers(
        {
            "yours is of second 7": place("first(latitude) as latitude", "first(longitude) as longitude"),
            "yours is of second 9": place("max_by(latitude, time) as latitude", "max_by(longitude, time) as longitude"),
            "different reports": place("first(latitude) as latitude", "max_by(longitude, time) as longitude"),
            "and 1 rows came back": first_of_all,
            "The columns should be": place("min_by(struct(latitude, longitude), time) as at"),
            "this is a list": lambda reports: reports.collect(),
        },
        [
            first_place,
            first_struct,
            place("min_by(latitude, time) as latitude", "min_by(longitude, time) as longitude"),
        ],
    ),
    "22.2": Answers(
        {
            "several rows": asked("select truck_id, speed_kmh from {name}"),
            "and you say": asked("select truck_id, max(speed_kmh) as speed_kmh from {name} group by truck_id"),
            "is missing": asked("select truck_id, speed_kmh from {name} where time = (select max(time) from {name})"),
            "The columns should be": asked("select truck_id, max_by(speed_kmh, time) from {name} group by truck_id"),
            "raised AnalysisException": asked("select truck_id, max_by(speed_kmh, time) as speed_kmh from {name}"),
        },
        [
            asked("select truck_id, max_by(speed_kmh, time) as speed_kmh from {name} group by truck_id"),
            speeds_by_frames,
        ],
    ),
    "22.3": Answers(
        {
            "yours is []": listener(lambda self, batch: None),
            "yours is [7, 8, 9, 10, 11]": listener(lambda self, batch: self.slow.append(batch.batchId)),
            "took": listener(durations),
            "The limit is": listener(slow_in_seconds),
            "a list `slow`": listener(slow, made=lambda self: None),
            "is a StreamingQueryListener": lambda limit: [],
            "raised TypeError": type("NoLimit", (listener(slow),), {"__init__": lambda self: None}),
        },
        [listener(slow), listener(slow_by_parts), listener(slow_or_equal)],
    ),
    "22.4": Answers(
        {
            "keeps other fields in its state": standing_in_the_state,
            "groups by other types": standing_by_partition,
            "each should have a row": lambda reports: standing(latest(reports)).where("standing"),
            "each should have a row; yours": standing_another_meaning,
            "The columns should be": latest,
            "Its `standing` is": lambda reports: latest(reports).withColumn("standing", sf.col("speed_kmh") > 0),
            "returned nothing": lambda reports: None,
        },
        [lambda reports: standing(latest(reports)), standing_when],
    ),
    "22.5": Answers(
        {
            "Was it a late one?": board("offset", "complete"),
            "After start 2, 2 of 4": board("time", "update"),
            "After start 2, the board has": board("time", "update", save="append"),
            "4 of 4 trucks are missing": lambda servers, topic, folder: None,
            "raised": lambda servers, topic, folder: 1 / 0,
        },
        [board("time", "complete"), board_without_a_stream],
    ),
}
