"""Lab 21: what people answer, and the word that the check has for it."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pyspark.sql import Column, DataFrame, SparkSession, Window
from pyspark.sql import functions as sf

from tests.support.answers import Answers

WANTED = ("truck_id", "record_id", "speed_kmh")


def faster(limit_by: Callable[[DataFrame, float], Column], *columns: str) -> Callable[..., DataFrame]:
    return lambda good, limit: good.where(limit_by(good, limit)).selectExpr(*columns or WANTED)


def above(good: DataFrame, limit: float) -> Column:
    return good.speed_kmh > limit


def one_a_truck(good: DataFrame, limit: float) -> DataFrame:
    fastest = [sf.max(name).alias(name) for name in WANTED[1:]]
    return good.where(good.speed_kmh > limit).groupBy("truck_id").agg(*fastest)


def newest_by(order: str) -> Callable[[DataFrame], DataFrame]:
    return lambda good: good.groupBy("truck_id").agg(sf.max_by("record_id", order).alias("record_id"))


def only_on_a_table(good: DataFrame) -> DataFrame:
    order = Window.partitionBy("truck_id").orderBy(sf.desc("time"))
    ranked = good.withColumn("place", sf.row_number().over(order)).where("place = 1")
    return ranked.select("truck_id", "record_id")


def headers(name: str = "reason", value: str = "reason") -> Column:
    return sf.array(sf.struct(sf.lit(name).alias("key"), sf.col(value).cast("binary").alias("value"))).alias("headers")


def newest_speed(good: DataFrame) -> DataFrame:
    return good.groupBy("truck_id").agg(sf.max_by("speed_kmh", "time").alias("speed_kmh")).where("speed_kmh > 0")


def moved_once(good: DataFrame) -> DataFrame:
    newest = sf.max_by("speed_kmh", "time").alias("speed_kmh")
    return good.where("speed_kmh > 0").groupBy("truck_id").agg(newest)


def copies(
    begin: str = "earliest", checkpoint: str = "checkpoint", value: str = "cast(value as string) as value", **once: Any
) -> Callable[[str, str, str], None]:
    """A nightly job."""

    def job(servers: str, topic: str, folder: str) -> None:
        spark = SparkSession.builder.getOrCreate()
        kafka = {"kafka.bootstrap.servers": servers, "subscribe": topic, "startingOffsets": begin}
        place = f"{folder}/{checkpoint or uuid.uuid4()}"

        def append(batch: DataFrame, number: int) -> None:
            batch.write.mode("append").parquet(f"{folder}/table")

        frame = spark.readStream.format("kafka").options(**kafka).load().selectExpr(value)
        writer = frame.writeStream.foreachBatch(append).option("checkpointLocation", place)
        writer.trigger(**(once or {"availableNow": True})).start().awaitTermination()

    return job


def by_table(servers: str, topic: str, folder: str) -> None:
    """A right one without a stream: it reads all, and keeps what is not in the table yet."""
    spark = SparkSession.builder.getOrCreate()
    kafka = {"kafka.bootstrap.servers": servers, "subscribe": topic}
    found = spark.read.format("kafka").options(**kafka).load().selectExpr("cast(value as string) as value")
    if Path(folder, "table").exists():
        found = found.join(spark.read.parquet(f"{folder}/table"), "value", "left_anti")
    rows = spark.createDataFrame(found.collect(), "value string")
    rows.write.mode("append").parquet(f"{folder}/table")


ON_CLUSTER = {
    "21.1": Answers(
        {
            "km/h was reported": faster(lambda good, limit: good.speed_kmh >= limit),
            "The columns should be": faster(above, "*"),
            "this is a list": lambda good, limit: faster(above)(good, limit).collect(),
            "are too fast; yours found 0": faster(lambda good, limit: good.speed_kmh > limit + 500),
            "right, but their values are not": faster(above, "truck_id", "record_id", "speed_kmh / 3.6 as speed_kmh"),
            "one for each truck": one_a_truck,
        },
        [
            faster(above, "speed_kmh", "record_id", "truck_id"),
            lambda good, limit: good.filter(f"speed_kmh > {limit}").select(*WANTED),
        ],
    ),
    "21.2": Answers(
        {
            "arrived last, but it is older": newest_by("offset"),
            "and its newest report is": newest_by("record_id"),
            "on a stream": only_on_a_table,
            "6 rows came back": lambda good: good.select("truck_id", "record_id"),
        },
        [
            newest_by("time"),
            lambda good: (
                good.groupBy("truck_id")
                .agg(sf.max(sf.struct("time", "record_id")).alias("at"))
                .selectExpr("truck_id", "at.record_id")
            ),
        ],
    ),
    "21.3": Answers(
        {
            "The columns should be": lambda bad: bad,
            "The column `headers` is string": lambda bad: bad.select("key", "value", sf.col("reason").alias("headers")),
            "has the headers": lambda bad: bad.select("key", "value", headers(name="why")),
            "byte for byte": lambda bad: bad.select("key", sf.col("reason").cast("binary").alias("value"), headers()),
            "letters came out": lambda bad: bad.select("key", "value", headers()).limit(2),
        },
        [
            lambda bad: bad.select(headers(), "value", "key"),
            lambda bad: bad.selectExpr(
                "key", "value", "array(struct('reason' as key, cast(reason as binary) as value)) as headers"
            ),
        ],
    ),
    "21.4": Answers(
        {
            "but it stands": moved_once,
            "more than once": lambda good: good.where("speed_kmh > 0").select("truck_id", "speed_kmh"),
            "The columns should be": lambda good: good.where("speed_kmh > 0"),
            "and you say": lambda good: newest_speed(good).withColumn("speed_kmh", sf.col("speed_kmh") / 3.6),
        },
        [
            newest_speed,
            lambda good: (
                good.withColumn("n", sf.row_number().over(Window.partitionBy("truck_id").orderBy(sf.desc("time"))))
                .where("n = 1 and speed_kmh > 0")
                .select("speed_kmh", "truck_id")
            ),
        ],
    ),
    "21.5": Answers(
        {
            "nothing in the table": copies("latest"),
            "in the table twice": copies(checkpoint=""),
            "The columns should be": copies(value="cast(value as string) as said"),
            "are bytes": copies(value="value"),
        },
        [copies(), by_table],
    ),
}
