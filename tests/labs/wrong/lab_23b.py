"""Lab 23b: what people answer, and the word that the check has for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from kafkalab.streams import jobs
from tests.support.answers import Answers

SAME = "truck = truck_id"
IN_TIME = "seen between time and time + interval 10 minutes"


def near() -> Any:
    here, place = (sf.col("lat"), sf.col("lon")), (sf.col("latitude"), sf.col("longitude"))
    return jobs.km_between(*here, *place) <= sf.col("km")


def ranged(time: str, *, by: str = SAME, place: bool = True, kind: str = "inner") -> Any:
    """An answer to 23b.2 with that condition; ``{n}`` in it is the number of minutes."""

    def answer(orders: DataFrame, seen: DataFrame, minutes: int) -> DataFrame:
        condition = sf.expr(f"{by} and {time}".format(n=minutes))
        return orders.join(seen, condition & near() if place else condition, kind).select("order_id", "seen")

    return answer


def once(
    kind: str = "leftsemi",
    time: str = IN_TIME,
    *,
    marks: tuple[bool, bool] = (True, True),
    place: bool = True,
    after: Callable[[DataFrame], DataFrame] = lambda rows: rows.select("order_id"),
    delay: str = "",
) -> Any:
    """An answer to 23b.3; ``marks``: whether the orders, and the reports, have a watermark; ``delay``: not ``late``."""

    def answer(orders: DataFrame, seen: DataFrame, late: str) -> DataFrame:
        late = delay or late
        orders = orders.withWatermark("time", late) if marks[0] else orders
        seen = seen.withWatermark("seen", late) if marks[1] else seen
        condition = sf.expr(f"{SAME} and {time}")
        return after(orders.join(seen, condition & near() if place else condition, kind))

    return answer


def alarm(
    time: str = IN_TIME,
    kind: str = "left",
    *,
    marks: tuple[bool, bool] = (True, True),
    place: bool = True,
    where: bool = False,
    after: Callable[[DataFrame], DataFrame] = lambda rows: rows.where("seen is null").select("order_id", "truck_id"),
    late: str = "5 minutes",
) -> Any:
    """An answer to 23b.5; ``place``: it's judged in the join, or with ``where`` after it."""

    def answer(orders: DataFrame, seen: DataFrame) -> DataFrame:
        orders = orders.withWatermark("time", late) if marks[0] else orders
        seen = seen.withWatermark("seen", late) if marks[1] else seen
        condition = sf.expr(f"{SAME} and {time}")
        both = orders.join(seen, condition & near() if place and not where else condition, kind)
        return after(both.where(near()) if where else both)

    return answer


def reported_from_elsewhere(rows: DataFrame) -> DataFrame:
    """Those of which a report came, and not from the place."""
    return rows.where(~near()).select("order_id", "truck_id")


def turned(orders: DataFrame, seen: DataFrame) -> DataFrame:
    """The right answer with the reports on the left."""
    late = "5 minutes"
    seen, orders = seen.withWatermark("seen", late), orders.withWatermark("time", late)
    both = seen.join(orders, sf.expr(f"{SAME} and {IN_TIME}") & near(), "right")
    return both.where("truck is null").select("order_id", "truck_id")


UNTIL = "seen <= time + interval 10 minutes"

ALONE = {
    "23b.4": Answers(
        {
            "the two watermarks are": lambda order, report, newest, late: max(report, newest) - late > order + 10,
            "end at": lambda order, report, newest, late: report - late > order + 10,
            "should be False": lambda order, report, newest, late: min(report, newest) > order + 10,
            "should be": lambda order, report, newest, late: min(report, newest) - late >= order + 10,
            "should be True": lambda order, report, newest, late: min(report, newest) - 2 * late > order + 10,
            "the order's ten minutes": lambda order, report, newest, late: min(report, newest) - late > order,
            "the two watermarks": lambda order, report, newest, late: "yes",
        },
        [
            lambda order, report, newest, late: report - late > order + 10 and newest - late > order + 10,
            lambda order, report, newest, late: not min(report, newest) <= order + 10 + late,
        ],
        tries=4,
    ),
}

ON_CLUSTER = {
    "23b.1": Answers(
        {
            "Which kind keeps it": lambda reports, depots: reports.join(depots, "truck_id"),
            "Which side should the join keep": lambda reports, depots: reports.join(depots, "truck_id", "right"),
            "hasn't reported": lambda reports, depots: reports.join(depots, "truck_id", "full"),
            "each with its depot": lambda reports, depots: reports.join(depots.union(depots), "truck_id", "left"),
            "The columns should be": lambda reports, depots: reports.join(
                depots, reports.truck_id == depots.truck_id, "left"
            ),
            "this is a list": lambda reports, depots: reports.join(depots, "truck_id", "left").collect(),
        },
        [
            lambda reports, depots: reports.join(depots, ["truck_id"], "left_outer"),
            lambda reports, depots: depots.join(reports, "truck_id", "right"),
            lambda reports, depots: reports.join(
                depots.withColumnRenamed("truck_id", "t"), sf.expr("truck_id = t"), "left"
            ).drop("t"),
        ],
    ),
    "23b.2": Answers(
        {
            "from before the order": ranged("seen <= time + interval {n} minutes"),
            "that is too late": ranged("seen >= time"),
            "counts, and it's missing": ranged("seen >= time and seen < time + interval {n} minutes"),
            "a report of": ranged("seen > time and seen <= time + interval {n} minutes"),
            "of another truck": ranged("seen between time and time + interval {n} minutes", by="true"),
            "22 km away": ranged("seen between time and time + interval {n} minutes", place=False),
            "minutes:": ranged(IN_TIME),
            "a row without a report": ranged("seen between time and time + interval {n} minutes", kind="left"),
            "The columns should be": lambda orders, seen, minutes: orders.join(seen, sf.expr(SAME) & near()),
        },
        [
            ranged("seen between time and time + interval {n} minutes"),
            ranged("seen >= time and seen - interval {n} minutes <= time"),
            ranged("unix_seconds(seen) - unix_seconds(time) between 0 and 60 * {n}"),
        ],
    ),
    "23b.3": Answers(
        {
            "has the order 3 times": once("inner"),
            "*before* the order": once(time=UNTIL),
            "is not supported without a watermark": once(marks=(False, False)),
            "The list is right. But": once(marks=(False, True)),
            "is 22 km away all the time": once(place=False),
            "almost as late as an order may be": once(delay="5 minutes"),  # with_watermarks(orders, seen)
            "The columns should be order_id;": once(after=lambda rows: rows.select("order_id", "truck_id")),
            "they are truck_id": once(after=lambda rows: rows.select("truck_id")),
            "Spark cannot run it on a stream": once("leftanti"),
        },
        [once(), once("left_semi", "time <= seen and seen <= time + interval 600 seconds")],
    ),
    "23b.5": Answers(
        {
            "and the time two ends": alarm(UNTIL, marks=(False, True), where=True),  # as it is handed over
            "a step drops the nulls": alarm(where=True),
            "misses the order": alarm(UNTIL),
            "eleven minutes after": alarm("seen >= time and seen <= time + interval 12 minutes"),
            "Does each stream have a watermark": alarm(marks=(False, True)),
            "rows stay in the state": alarm(f"unix_seconds(seen) >= unix_seconds(time) and {UNTIL}"),
            "your list has the order": alarm(after=lambda rows: rows.select("order_id", "truck_id")),
            "has the order 2 times": alarm(place=False, after=reported_from_elsewhere),
            "Spark cannot run it on a stream": alarm(marks=(True, False)),
            "The columns should be": alarm(after=lambda rows: rows.where("seen is null").select("order_id")),
        },
        [
            alarm(),
            alarm(kind="left_outer", after=lambda rows: rows.filter(sf.isnull("truck")).select("truck_id", "order_id")),
            turned,
        ],
    ),
}
