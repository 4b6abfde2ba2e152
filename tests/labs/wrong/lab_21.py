"""Lab 21: what people answer, and the word that the check has for it."""

from __future__ import annotations

from collections.abc import Callable

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as sf

from kafkalab import Cluster
from tests.support.answers import Answers, raises


def how_many_are_bad(cluster: Cluster) -> Answers:
    """With a topic whose records are counted beforehand: tests/integration/test_lab_parts.py."""
    return Answers({"it is more": 0, "it is fewer": 10**9, "A count is a whole number": 4.0})


def faster(limit_by: Callable[[DataFrame, float], Column], *columns: str | Column) -> Callable[..., DataFrame]:
    wanted = columns or ("truck_id", "record_id", "speed_kmh")
    return lambda good, limit: good.where(limit_by(good, limit)).select(*wanted)


def above(good: DataFrame, limit: float) -> Column:
    return good.speed_kmh > limit


def no_such_column(good: DataFrame, limit: float) -> DataFrame:
    return good.where("velocity > 3")


def one_a_truck(good: DataFrame, limit: float) -> DataFrame:
    fastest = [sf.max(name).alias(name) for name in ("record_id", "speed_kmh")]
    return good.where(good.speed_kmh > limit).groupBy("truck_id").agg(*fastest)


def too_fast(cluster: Cluster) -> Answers:
    metres_a_second = (sf.col("speed_kmh") / 3.6).alias("speed_kmh")
    return Answers(
        {
            "km/h was reported": faster(lambda good, limit: good.speed_kmh >= limit),
            "The columns should be": faster(above, "*"),
            "this is a list": lambda good, limit: faster(above)(good, limit).collect(),
            "this is a whole number": lambda good, limit: faster(above)(good, limit).count(),
            "are too fast; yours found 0": faster(lambda good, limit: good.speed_kmh > limit + 500),
            "what they say is not": faster(above, "truck_id", "record_id", metres_a_second),
            "one for each truck": one_a_truck,
            "no_such_column raised": no_such_column,
            "raised RuntimeError": raises,
        }
    )


def newest_by(order: str) -> Callable[[DataFrame], DataFrame]:
    return lambda good: good.groupBy("truck_id").agg(sf.max_by("record_id", order).alias("record_id"))


def only_on_a_table(good: DataFrame) -> DataFrame:
    order = Window.partitionBy("truck_id").orderBy(sf.desc("time"))
    ranked = good.withColumn("place", sf.row_number().over(order)).where("place = 1")
    return ranked.select("truck_id", "record_id")


def the_newest_of_each(cluster: Cluster) -> Answers:
    return Answers(
        {
            "arrived last, but it is older": newest_by("offset"),
            "and its newest report is": newest_by("record_id"),
            "on a stream": only_on_a_table,
            "6 rows came back": lambda good: good.select("truck_id", "record_id"),
            "raised RuntimeError": raises,
        }
    )


ON_CLUSTER = {"21.1": how_many_are_bad, "21.2": too_fast, "21.3": the_newest_of_each}
