"""Lab 21: what people answer, and the word that the check has for it."""

from __future__ import annotations

from collections.abc import Callable

from pyspark.sql import Column, DataFrame, Window
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


ON_CLUSTER = {
    # With a topic whose records are counted beforehand: tests/integration/test_lab_parts.py.
    "21.1": Answers({"it is more": 0, "it is fewer": 10**9}),
    "21.2": Answers(
        {
            "km/h was reported": faster(lambda good, limit: good.speed_kmh >= limit),
            "The columns should be": faster(above, "*"),
            "this is a list": lambda good, limit: faster(above)(good, limit).collect(),
            "are too fast; yours found 0": faster(lambda good, limit: good.speed_kmh > limit + 500),
            "right, but their values are not": faster(above, "truck_id", "record_id", "speed_kmh / 3.6 as speed_kmh"),
            "one for each truck": one_a_truck,
        }
    ),
    "21.3": Answers(
        {
            "arrived last, but it is older": newest_by("offset"),
            "and its newest report is": newest_by("record_id"),
            "on a stream": only_on_a_table,
            "6 rows came back": lambda good: good.select("truck_id", "record_id"),
        }
    ),
}
