"""Lab 23a: what people answer, and the word that the check has for it."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as sf

from kafkalab.streams import jobs
from tests.support.answers import Answers


def top(by: Callable[[str], list[Any]], *columns: str, agg: Callable[[str], Column] = sf.max) -> Any:
    names = columns or ("window.start", "window.end", "top_kmh")
    return lambda good, length: good.groupBy(*by(length)).agg(agg("speed_kmh").alias("top_kmh")).select(*names)


def by_length(length: str) -> list[Any]:
    return [sf.window("time", length)]


def end_in_the_window(good: DataFrame, length: str) -> DataFrame:
    """A report at exactly the end of a window counts in it."""
    found: DataFrame = top(by_length)(good.withColumn("time", sf.expr("time - interval 1 second")), length)
    return found


def counted(window: Callable[..., Column], *by: str) -> Any:
    def answer(good: DataFrame, length: str, every: str) -> DataFrame:
        grouped = good.groupBy(window("time", length, every), *by)
        return grouped.agg(sf.count("*").alias("reports")).select("truck_id", "window.start", "reports")

    return answer


def tumbling(time: str, length: str, every: str) -> Column:
    return sf.window(time, length)


def told(right: bool) -> str:
    return "dropped" if right else "counted"


def stands(late: Callable[[str], str] | None = lambda late: late, keep: str = "", after: bool = False) -> Any:
    def answer(good: DataFrame, delay: str) -> DataFrame:
        if late is not None and not after:
            good = good.withWatermark("time", late(delay))
        if keep:
            good = good.where(keep)
        grouped = good.groupBy(sf.window("time", "10 minutes"), "truck_id")
        rows = grouped.agg(sf.count_if(sf.col("speed_kmh") == 0).alias("standing"))
        rows = rows.select("truck_id", "window.start", "standing")
        return rows.withWatermark("start", delay) if after else rows

    return answer


def all_of_them(good: DataFrame, late: str) -> DataFrame:
    rows = good.withWatermark("time", late).groupBy(sf.window("time", "10 minutes"), "truck_id")
    return rows.agg(sf.count("*").alias("standing")).select("truck_id", "window.start", "standing")


def job(
    late: str = "15 minutes",
    on: str = "time",
    by: str = "time",
    *,
    mode: str = "append",
    start: str = "start",
    remembers: bool = True,
) -> Any:
    """A job such as Jon's."""

    def run(servers: str, topic: str, folder: str) -> None:
        spark = SparkSession.builder.getOrCreate()
        good = jobs.good_records(jobs.parse(jobs.read_trucks(spark, servers, topic)))
        rows = good.withWatermark(on, late).groupBy(sf.window(by, "10 minutes"), "truck_id")
        begins = sf.col("window.start").alias(start)
        found = rows.agg(sf.count("*").alias("reports")).select("truck_id", begins, "reports")

        def add(batch: DataFrame, number: int) -> None:
            batch.write.mode("append").parquet(f"{folder}/table")

        writer = found.writeStream.foreachBatch(add).outputMode(mode)
        place = "checkpoint" if remembers else uuid.uuid4()
        writer = writer.option("checkpointLocation", f"{folder}/{place}").trigger(availableNow=True)
        writer.start().awaitTermination()

    return run


def by_travelled(servers: str, topic: str, folder: str) -> None:
    """A right one that takes the tidied-up job, and Spark's own sink for files."""
    spark = SparkSession.builder.getOrCreate()
    rows = jobs.travelled(jobs.parse(jobs.read_trucks(spark, servers, topic)), late="15 minutes")
    writer = rows.select("truck_id", "start", "reports").writeStream.format("parquet").option("path", f"{folder}/table")
    writer = writer.option("checkpointLocation", f"{folder}/checkpoint").outputMode("append")
    writer.trigger(availableNow=True).start().awaitTermination()


ALONE = {
    "23a.3": Answers(
        {
            "its window is open until": lambda time, length, newest, late: told(time < newest - late),
            "when the watermark reaches its end": lambda time, length, newest, late: told(
                time // length * length + length < newest - late
            ),
            "so it is counted": lambda time, length, newest, late: told(time // length * length + length <= newest),
            "window ends at": lambda time, length, newest, late: told(time + length <= newest - late),
            "A fate is text": lambda time, length, newest, late: time // length * length + length <= newest - late,
        },
        [
            lambda time, length, newest, late: told(time - time % length + length + late <= newest),
            lambda time, length, newest, late: told((time // length + 1) * length <= newest - late),
        ],
        tries=60,
    ),
}

ON_CLUSTER = {
    "23a.1": Answers(
        {
            "yours are 10 minutes long": top(lambda length: [sf.window("time", "10 minutes")]),
            "Is a truck in the groups?": top(lambda length: [*by_length(length), "truck_id"]),
            "The columns should be": top(by_length, "window", "top_kmh"),
            "this is text": lambda good, length: top(by_length)(good, length).withColumn("start", sf.lit("06:00")),
            "the top speed of that from": top(by_length, agg=sf.avg),
            "yours is 95.0": end_in_the_window,
        },
        [
            top(by_length, "top_kmh", "window.end", "window.start"),
            lambda good, length: (
                good.groupBy(sf.window("time", length, length))
                .agg(sf.max_by("speed_kmh", "speed_kmh").alias("top_kmh"))
                .selectExpr("window.start as start", "window.end as end", "top_kmh")
            ),
        ],
    ),
    "23a.2": Answers(
        {
            "each report is in 3": counted(tumbling, "truck_id"),
            "yours hold": counted(lambda time, length, every: sf.window(time, every), "truck_id"),
            "The columns should be": lambda good, length, every: good.groupBy(sf.window("time", length, every)).count(),
            "raised": counted(lambda time, length, every: sf.window(time, every, length), "truck_id"),
            "the number in that from": lambda good, length, every: counted(sf.window, "truck_id")(
                good.withColumn("truck_id", sf.lit("a")), length, every
            ),
        },
        [
            counted(sf.window, "truck_id"),
            lambda good, length, every: (
                good.withColumn("window", sf.window("time", length, every))
                .groupBy("truck_id", "window.start")
                .agg(sf.count("record_id").alias("reports"))
            ),
        ],
    ),
    "23a.4": Answers(
        {
            "append": stands(late=None),
            "Spark cannot run it on a stream": stands(after=True),
            "the number in the window from": stands(late=lambda late: "10 minutes"),
            "With a watermark of 15 minutes": stands(late=lambda late: "5 minutes"),
            "With a watermark of 5 minutes": stands(late=lambda late: "15 minutes"),
            "0 is a number, too": stands(keep="speed_kmh = 0"),
            "is 1; yours is 2": all_of_them,
            "gave no row": stands(late=lambda late: "30 days"),
            "The columns should be": lambda good, late: stands()(good, late).drop("start"),
        },
        [
            stands(),
            lambda good, late: (
                good.withWatermark("time", late)
                .groupBy("truck_id", sf.window("time", "10 minutes"))
                .agg(sf.sum(sf.when(sf.col("speed_kmh") > 0, 0).otherwise(1)).alias("standing"))
                .selectExpr("window.start as start", "truck_id", "standing")
            ),
        ],
    ),
    "23a.5": Answers(
        {
            "the table is empty": job("15 days", "kafka_time", "kafka_time"),  # as it is handed over
            "Which time do your windows hold": job("15 minutes", "kafka_time", "kafka_time"),
            "when do they close": job("15 days"),
            "the 15 minutes aren't over": job("10 minutes"),
            "yours is not there": job("20 minutes"),
            "raised": job("15 minutes", "kafka_time", "time"),
            "the window from": job(mode="update"),
            "is there, and the 15": job(mode="complete"),
            "more than once": job(remembers=False),
            "The columns should be": job(start="begins"),
        },
        [job(), by_travelled],
    ),
}
