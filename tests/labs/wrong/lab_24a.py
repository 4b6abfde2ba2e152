"""Lab 24a: what people answer, and the word that the check has for it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

from pyspark import cloudpickle
from pyspark.sql import DataFrame, Row, SparkSession
from pyspark.sql import functions as sf
from pyspark.sql.streaming.stateful_processor import StatefulProcessor

from tests.support.answers import Answers

# Spark's Python workers cannot import this file, as they cannot import a notebook: so its classes travel whole.
cloudpickle.register_pickle_by_value(sys.modules[__name__])


def counted(how: str, where: str = "fence is not null") -> Callable[[DataFrame], DataFrame]:
    return lambda at: at.where(where).groupBy("fence").agg(sf.expr(how).alias("trucks"))


def processor(handle: Callable[..., Iterator[Row]], state: str = "") -> type[StatefulProcessor]:
    """A class whose ``handleInputRows`` is ``handle(self, truck, rows)``; its state is ``self.kept``."""

    class Processor(StatefulProcessor):
        def init(self, opened: Any) -> None:
            self.kept = opened.getValueState("kept", state) if state else {}

        def handleInputRows(self, key: Any, rows: Any, timerValues: Any) -> Iterator[Row]:  # noqa: N802, N803
            yield from handle(self, key[0], rows)

    return Processor


def hello(self: Any, truck: str, rows: Any) -> Iterator[Row]:
    if not self.kept.exists():
        self.kept.update((1,))
        yield Row(truck_id=truck)


def hello_each_row(self: Any, truck: str, rows: Any) -> Iterator[Row]:
    if not self.kept.exists():
        yield from (Row(truck_id=truck) for _ in rows)
    self.kept.update((1,))


def hello_each_batch(self: Any, truck: str, rows: Any) -> Iterator[Row]:
    if truck not in self.kept:
        self.kept[truck] = True
        yield Row(truck_id=truck)


def hello_not_updated(self: Any, truck: str, rows: Any) -> Iterator[Row]:
    if not self.kept.exists():
        yield Row(truck_id=truck)


def hello_with_a_mistake(self: Any, truck: str, rows: Any) -> Iterator[Row]:
    yield Row(truck_id=truck + 1)


def hello_never(self: Any, truck: str, rows: Any) -> Iterator[Row]:
    self.kept.update((1,))
    if not self.kept.exists():
        yield Row(truck_id=truck)


def state_of(checkpoint: str) -> DataFrame:
    reader = SparkSession.builder.getOrCreate().read.format("statestore").option("path", checkpoint)
    return reader.option("stateVarName", "inside").load()


def sides(truck: str, before: str | None, row: Any) -> Iterator[Row]:
    for what, fence in (("leave", before), ("enter", row.fence)):
        if fence:
            yield Row(truck_id=truck, what=what, fence=fence, time=row.time)


def gate(
    *, order: Any = lambda row: row.time, late: Callable[[int, int], bool] = lambda time, newest: time <= newest,
    within: bool = True, both: bool = True,
) -> type[StatefulProcessor]:  # fmt: skip
    """A gate with a time: sorted by ``order``, without the rows that are ``late``; ``within``: also in a batch."""

    def handle(self: Any, truck: str, rows: Any) -> Iterator[Row]:
        before, newest = self.kept.get() or (None, -1)
        last = newest
        for row in sorted(rows, key=order) if order else rows:
            if late(row.time, newest if within else last):
                continue
            if row.fence != before:
                yield from list(sides(truck, before, row))[: 2 if both else 1]
            before, newest = row.fence, max(row.time, newest)
        self.kept.update((before, newest))

    return processor(handle, "fence string, time long")


def gate_without_state(self: Any, truck: str, rows: Any) -> Iterator[Row]:
    before = None
    for row in sorted(rows, key=lambda row: row.time):
        if row.fence != before:
            yield from sides(truck, before, row)
        before = row.fence


def gate_with_two_states() -> type[StatefulProcessor]:
    class Two(StatefulProcessor):
        def init(self, handle: Any) -> None:
            self.fence = handle.getValueState("fence", "name string")
            self.time = handle.getValueState("time", "newest long")

        def handleInputRows(self, key: Any, rows: Any, timerValues: Any) -> Iterator[Row]:  # noqa: N802, N803
            for row in sorted(rows, key=lambda row: row.time):
                if self.time.exists() and row.time <= self.time.get()[0]:
                    continue
                before = self.fence.get()[0] if self.fence.exists() else None
                if row.fence != before:
                    yield from sides(key[0], before, row)
                self.fence.update((row.fence,))
                self.time.update((row.time,))

    return Two


def with_id(id: str) -> Callable[[DataFrame], DataFrame]:
    return lambda alarms: alarms.withColumn("id", sf.expr(id))


def visits(
    *, order: Any = lambda row: row.time, restart: bool = False, per_fence: bool = False, forget: bool = False
) -> type[StatefulProcessor]:
    def handle(self: Any, truck: str, rows: Any) -> Iterator[Row]:
        before, count, fences = self.kept.get() or (None, 0, [])
        count, fences = 0 if restart else count, list(fences)
        for row in sorted(rows, key=order) if order else rows:
            if row.fence and row.fence != before:
                count, fences = count + 1, [*fences, row.fence]
                yield Row(truck_id=truck, fence=row.fence, visit=fences.count(row.fence) if per_fence else count)
            before = row.fence
        self.kept.update((None if forget else before, count, fences))

    return processor(handle, "fence string, count int, fences array<string>")


def visits_in_a_map() -> type[StatefulProcessor]:
    class Map(StatefulProcessor):
        def init(self, handle: Any) -> None:
            self.visits = handle.getMapState("visits", "fence string", "count int")
            self.inside = handle.getValueState("inside", "fence string")

        def handleInputRows(self, key: Any, rows: Any, timerValues: Any) -> Iterator[Row]:  # noqa: N802, N803
            for row in sorted(rows, key=lambda row: row.time):
                if row.fence and (row.fence,) != self.inside.get():
                    old = self.visits.getValue((row.fence,)) if self.visits.containsKey((row.fence,)) else (0,)
                    self.visits.updateValue((row.fence,), (old[0] + 1,))
                    yield Row(truck_id=key[0], fence=row.fence, visit=sum(n for (n,) in self.visits.values()))
                self.inside.update((row.fence,))

    return Map


def visits_of_a_colleague(self: Any, truck: str, rows: Any) -> Iterator[Row]:
    for row in sorted(rows, key=lambda row: row.time):
        before, count = self.kept.get(truck, (None, 0))
        if row.fence and row.fence != before:
            count += 1
            yield Row(truck_id=truck, fence=row.fence, visit=count)
        self.kept[truck] = (row.fence, count)


ON_CLUSTER = {
    "24a.1": Answers(
        {
            "counted reports": counted("count(*)"),
            "without a fence": counted("count(distinct truck_id)", "true"),
            "and you found": counted("1 + count(distinct truck_id)"),
            "The columns should be": lambda at: at.where("fence is not null").groupBy("fence").count(),
            "this is a list": lambda at: at.collect(),
        },
        [
            counted("count(distinct truck_id)"),
            lambda at: (
                at.select("fence", "truck_id")
                .distinct()
                .dropna()
                .groupBy("fence")
                .count()
                .withColumnRenamed("count", "trucks")
            ),
        ],
    ),
    "24a.2": Answers(
        {
            "3 times": processor(hello_each_row, "n int"),
            "no truck of this name": processor(lambda self, truck, rows: iter([Row(truck_id=f"{truck}!")])),
            "2 times": processor(hello_each_batch),
            "and again in later ones": processor(hello_not_updated, "n int"),
            "doesn't give": processor(hello_never, "n int"),
            "Python raised TypeError": processor(hello_with_a_mistake),
            "should be a class": lambda key, rows, timers: rows,
        },
        [processor(hello, "n int"), processor(hello, "n long")],
    ),
    "24a.3": Answers(
        {
            "without a fence": lambda checkpoint: state_of(checkpoint).select("key.truck_id", "value.fence"),
            "The columns should be": lambda checkpoint: state_of(checkpoint).where("value.fence is not null"),
            "and you say": lambda checkpoint: (
                state_of(checkpoint).where("value.fence is not null").select("key.truck_id", "value.fence").limit(1)
            ),
        },
        [
            lambda checkpoint: state_of(checkpoint).select("key.*", "value.*").dropna(),
            lambda checkpoint: state_of(checkpoint).selectExpr("value.fence", "key.truck_id").where("fence <> ''"),
        ],
    ),
    "24a.4": Answers(
        {
            "in no particular order": gate(order=None, late=lambda time, newest: False),
            "doesn't give": gate(order=None),
            "comes late": gate(late=lambda time, newest: False),
            "is in": gate(both=False),
            "and in": processor(gate_without_state),
        },
        [gate(), gate(within=False), gate(late=lambda time, newest: time < newest), gate_with_two_states()],
    ),
    "24a.5": Answers(
        {
            "got two ids": with_id("uuid()"),
            "are different alarms": with_id("concat_ws('/', truck_id, kind)"),
            "and have the same id": with_id("truck_id"),
            "is text": with_id("xxhash64(truck_id, kind, time)"),
            "calculated twice": with_id("string(monotonically_increasing_id())"),
            "The columns should be": lambda alarms: alarms.select(sf.concat("truck_id", "kind").alias("id")),
        },
        [
            with_id("concat_ws('/', truck_id, kind, time)"),
            with_id("sha2(to_json(struct(time, kind, truck_id)), 256)"),
        ],
    ),
    "24a.6": Answers(
        {
            "stands in": processor(visits_of_a_colleague),
            "in three batches": visits(forget=True),
            "enters": visits(restart=True),
            "in the second": visits(per_fence=True),
            "in the first batch": visits(order=None),
        },
        [visits(), visits_in_a_map()],
    ),
}
