"""Lab 24b: what people answer, and the word that the check has for it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

from pyspark import cloudpickle
from pyspark.sql import Row
from pyspark.sql.streaming.stateful_processor import StatefulProcessor

from tests.support.answers import Answers

# Spark's Python workers cannot import this file, as they cannot import a notebook: so its classes travel whole.
cloudpickle.register_pickle_by_value(sys.modules[__name__])

MINUTE = 60_000


class Base(StatefulProcessor):
    """``kept``: a value state with the fields of ``state``."""

    state = "n long"

    def init(self, handle: Any) -> None:
        self.handle = handle
        self.kept = handle.getValueState("kept", self.state)
        self.old: Any = None

    def handleInputRows(self, key: Any, rows: Any, timerValues: Any) -> Iterator[Row]:  # noqa: N802, N803
        yield from ()

    def only_timer(self, ms: int) -> None:
        for timer in list(self.handle.listTimers()):
            self.handle.deleteTimer(timer)
        self.handle.registerTimer(ms)


def watch(
    which: Callable[..., int] = max, *, delete: str = "all", clock: str = "", nothing: bool = False, kept: bool = False
) -> type[StatefulProcessor]:
    """Set a timer for ``which`` of the rows' times; ``delete``: "all" timers, "none", or the one of "self"."""

    class Watch(Base):
        def handleInputRows(self, key: Any, rows: Any, timerValues: Any) -> Any:  # noqa: N802, N803
            ms = which(row.ms for row in rows) + 10 * MINUTE
            if kept:
                if old := self.kept.get():
                    self.handle.deleteTimer(old[0])
                self.kept.update((ms,))
            elif delete == "all":
                self.only_timer(ms)
            elif delete == "self" and self.old:
                self.handle.deleteTimer(self.old)
            self.old = ms
            if clock:
                self.handle.deleteTimer(ms)
                ms = getattr(timerValues, clock)() + 10 * MINUTE
            self.handle.registerTimer(ms)
            return None if nothing else iter(())

        def handleExpiredTimer(self, key: Any, timerValues: Any, expiredTimerInfo: Any) -> Iterator[Row]:  # noqa: N802, N803
            yield Row(truck_id=key[0], since=expiredTimerInfo.getExpiryTimeInMs() - 10 * MINUTE)

    return Watch


def drives(
    *, order: bool = True, split: bool = True, delete: bool = True, restart: bool = False, whole: bool = True
) -> type[StatefulProcessor]:
    class Drives(Base):
        state = "start long, end long"
        object_only: dict[str, Any] = {}

        def handleInputRows(self, key: Any, rows: Any, timerValues: Any) -> Iterator[Row]:  # noqa: N802, N803
            start, end = self.kept.get() or (None, None)
            start = None if restart else start
            for row in sorted(rows, key=lambda row: row.ms) if order else rows:
                if split and start is not None and row.ms - end > 5 * MINUTE:
                    yield Row(truck_id=key[0], start=start, end=end)
                    start = None
                start = row.ms if start is None else start
                end = row.ms
            self.kept.update((start, end))
            if delete:
                self.only_timer(end + 5 * MINUTE)
            else:
                self.handle.registerTimer(end + 5 * MINUTE)

        def handleExpiredTimer(self, key: Any, timerValues: Any, expiredTimerInfo: Any) -> Iterator[Row]:  # noqa: N802, N803
            start, end = self.kept.get() or (0, 0)
            if whole:
                self.kept.clear()
            yield Row(truck_id=key[0], start=start, end=end if whole else expiredTimerInfo.getExpiryTimeInMs())

    return Drives


def drives_in_a_list() -> type[StatefulProcessor]:
    class InAList(StatefulProcessor):
        def init(self, handle: Any) -> None:
            self.handle = handle
            self.times = handle.getListState("times", "ms long")

        def handleInputRows(self, key: Any, rows: Any, timerValues: Any) -> Iterator[Row]:  # noqa: N802, N803
            times = sorted([ms for (ms,) in self.times.get()] + [row.ms for row in rows])
            first = 0
            for at in range(1, len(times)):
                if times[at] - times[at - 1] > 5 * MINUTE:
                    yield Row(truck_id=key[0], start=times[first], end=times[at - 1])
                    first = at
            self.times.put([(ms,) for ms in times[first:]])
            for timer in list(self.handle.listTimers()):
                self.handle.deleteTimer(timer)
            self.handle.registerTimer(times[-1] + 5 * MINUTE)

        def handleExpiredTimer(self, key: Any, timerValues: Any, expiredTimerInfo: Any) -> Iterator[Row]:  # noqa: N802, N803
            times = [ms for (ms,) in self.times.get()]
            self.times.clear()
            yield Row(truck_id=key[0], start=times[0], end=times[-1])

    return InAList


def drivers(
    *, newest: bool = False, initial: bool = True, keep: bool = True, order: bool = True
) -> type[StatefulProcessor]:
    class Drivers(StatefulProcessor):
        def init(self, handle: Any) -> None:
            self.shifts = handle.getListState("shifts", "since long, driver string")

        def handleInitialState(self, key: Any, initialState: Any, timerValues: Any) -> None:  # noqa: N802, N803
            if initial:
                self.shifts.appendValue((0, initialState.driver))

        def handleInputRows(self, key: Any, rows: Any, timerValues: Any) -> Iterator[Row]:  # noqa: N802, N803
            shifts = list(self.shifts.get()) if keep else []
            for row in sorted(rows, key=lambda row: row.ms) if order else rows:
                if row.driver:
                    shifts.append((row.ms, row.driver))
                known = shifts if newest else [shift for shift in shifts if shift[0] <= row.ms]
                yield Row(truck_id=key[0], ms=row.ms, driver=max(known)[1] if known else None)
            if shifts:
                self.shifts.put(shifts)

    return Drivers


def drivers_in_a_map() -> type[StatefulProcessor]:
    class Map(StatefulProcessor):
        def init(self, handle: Any) -> None:
            self.shifts = handle.getMapState("shifts", "since long", "driver string")

        def handleInitialState(self, key: Any, initialState: Any, timerValues: Any) -> None:  # noqa: N802, N803
            self.shifts.updateValue((0,), (initialState.driver,))

        def handleInputRows(self, key: Any, rows: Any, timerValues: Any) -> Iterator[Row]:  # noqa: N802, N803
            rows = list(rows)
            for row in rows:
                if row.driver:
                    self.shifts.updateValue((row.ms,), (row.driver,))
            shifts = {since: driver for (since,), (driver,) in self.shifts.iterator()}
            for row in rows:
                since = max((one for one in shifts if one <= row.ms), default=None)
                yield Row(truck_id=key[0], ms=row.ms, driver=None if since is None else shifts[since])

    return Map


class Count(StatefulProcessor):
    fields, name = "reports int", "seen"

    def init(self, handle: Any) -> None:
        self.seen = handle.getValueState(self.name, self.fields)


def counted(
    *, field: bool = False, other: bool = False, last: bool = False, once: bool = False, base: type = Count
) -> type:
    class More(base):  # type: ignore[misc]
        fields = "reports int, top double" if field else "reports int"
        name = "seen too" if other else "seen"

        def init(self, handle: Any) -> None:
            self.seen = handle.getValueState(self.name, self.fields)
            if not field:
                self.top = handle.getValueState("top", "kmh double")

        def handleInputRows(self, key: Any, rows: Any, timerValues: Any) -> Iterator[Row]:  # noqa: N802, N803
            reports, *more = self.seen.get() or (0,)
            (top,) = more or self.top.get() or (0.0,)
            speeds = [row.speed_kmh for row in (rows if once else list(rows))]
            reports += len(list(rows)) if once else len(speeds)
            top = max(speeds) if last else max(top, *speeds)
            self.seen.update((reports, top) if field else (reports,))
            if not field:
                self.top.update((top,))
            yield Row(truck_id=key[0], reports=reports, top_kmh=top)

    return More


def calm(
    *, late: bool = False, delete: bool = True, expiry: str = "", again: bool = False, memory: bool = False,
    last_back: bool = False, two: bool = False,
) -> type[StatefulProcessor]:  # fmt: skip
    class Calm(Base):
        state = "ms long, silent boolean"

        def handleInputRows(self, key: Any, rows: Any, timerValues: Any) -> Iterator[Row]:  # noqa: N802, N803
            last, silent = self.kept.get() or (0, False)
            silent = silent or (two and bool(last) and not list(self.handle.listTimers()))
            silent = key in (self.old or ()) if memory else silent
            times = [row.ms for row in rows if late or row.ms > last]
            if not times:
                return
            if silent:
                yield Row(truck_id=key[0], what="back", ms=max(times) if last_back else min(times))
            self.kept.update((max(times), False))
            if delete:
                self.only_timer(max(times) + 10 * MINUTE)
            else:
                self.handle.registerTimer(max(times) + 10 * MINUTE)

        def handleExpiredTimer(self, key: Any, timerValues: Any, expiredTimerInfo: Any) -> Iterator[Row]:  # noqa: N802, N803
            last, _ = self.kept.get()
            self.kept.update((last, not two))
            self.old = {key}
            if again:
                self.handle.registerTimer(timerValues.getCurrentWatermarkInMs() + MINUTE)
            yield Row(truck_id=key[0], what="silent", ms=getattr(timerValues, expiry)() if expiry else last)

    return Calm


ON_CLUSTER = {
    "24b.1": Answers(
        {
            "so it's never silent": watch(delete="none"),
            "and 06:15": watch(delete="self"),
            "gives": watch(min),
            "in no particular order": watch(lambda times: list(times)[-1]),
            "NoneType": watch(nothing=True),
            "doesn't give": watch(clock="getCurrentProcessingTimeInMs"),
            "should be a class": lambda key, rows, timers: rows,
        },
        [watch(), watch(kept=True)],
    ),
    "24b.2": Answers(
        {
            "all in one batch": drives(split=False),
            "these pauses are shorter": drives(delete=False),
            "gives": drives(order=False),
            "After a restart, your": drives(restart=True),
            "moves": drives(whole=False),
        },
        [drives(), drives_in_a_list()],
    ),
    "24b.3": Answers(
        {
            "comes late, after a restart": drivers(newest=True),
            "begins with": drivers(initial=False),
            "takes it at": drivers(keep=False),
            "is too much": drivers(order=False),
        },
        [drivers(), drivers_in_a_map()],
    ),
    "24b.4": Answers(
        {
            "Spark refuses": counted(field=True),
            "before the change": counted(other=True),
            "then a slower one": counted(last=True),
            "reports": counted(once=True),
        },
        [counted(), counted(base=StatefulProcessor)],
    ),
    "24b.5": Answers(
        {
            "comes after the first of these": calm(late=True),
            "every six minutes": calm(delete=False),
            "never again": calm(again=True),
            "reports at 06:01": calm(expiry="getCurrentWatermarkInMs"),
            "doesn't give": calm(memory=True),
            "and again at 06:15": calm(last_back=True),
        },
        [calm(), calm(two=True)],
    ),
}
