"""The exercises of lab 24b: one timer, drives, drivers, a field more, and a repair."""

from __future__ import annotations

import random
from typing import Any

from kafkalab.course import processors
from kafkalab.exercises.exercise import Exercise
from kafkalab.exercises.frames import active_session, truck_names
from kafkalab.exercises.judging import NotAttempted

_REPORT = "truck_id string, ms long, speed_kmh double, driver string"
_ENCODING = "spark.sql.streaming.stateStore.encodingFormat"
#: Micro-batches of a report's truck, minute since 06:00, km/h and driver; the last two may be left out.
Runs = list[list[list[tuple[Any, ...]]]]


def _given(answer: Any, rows: str, runs: Runs, **how: Any) -> list[list[tuple[Any, ...]]]:
    """Return the rows (truck_id and others) that a processor gives in each run, with times of day."""
    told = processors.at_minutes(runs, 50.0, None)
    return processors.with_times_of_day(
        processors.rows_of_processor(answer, f"truck_id string, {rows}", told, _REPORT, **how)
    )


def watch(answer: Any) -> str:
    """Judge 24b.1: a truck that reports on, also after a restart, and one that's silent, in batches mixed up."""
    steady, quiet, other = truck_names(3)
    first = [(steady, 4), (steady, 0), (quiet, 4), (quiet, 0), (quiet, 2), (other, 3)]
    runs: Runs = [[first, [(steady, 9), (other, 10)]], [[(steady, 15), (other, 16)]]]
    stories = {
        steady: "reports at 06:00, 06:04, 06:09 and 06:15, so it's never silent for ten minutes",
        quiet: "has its last report at 06:04; the reports of a batch are in no particular order",
        other: "reports all the time",
    }
    found = _given(answer, "since long", runs, mode="EventTime")
    processors.same_rows(found, [set(), {(quiet, "06:04")}], stories)
    return "One alarm for one silence, over batches and a restart."


def drives(answer: Any) -> str:
    """Judge 24b.2: a pause within a batch, a drive over two runs, one that ends with silence, one that never does."""
    split, ends, goes_on, always = truck_names(4)
    runs: Runs = [
        [[(split, 8), (split, 0), (split, 2), (split, 1), (split, 9), *((ends, m) for m in (3, 0, 4.5, 1, 2)),
          (always, 0), (always, 8), (always, 4)], [(ends, 9), (goes_on, 11), (always, 12)]],
        [[(goes_on, 15), (always, 16)], [(always, 20), (always, 24)]],
    ]  # fmt: skip
    stories = {
        split: "moves at 06:00, 06:01, 06:02, 06:08 and 06:09, all in one batch",
        ends: "moves from 06:00 to 06:04:30, and at 06:09; these pauses are shorter than five minutes",
        goes_on: "moves at 06:11, and, after a restart of the query, at 06:15",
        always: "moves every four minutes",
    }
    found = _given(answer, "start long, end long", runs, mode="EventTime")
    later = {(split, "06:08", "06:09"), (ends, "06:00", "06:09"), (goes_on, "06:11", "06:15")}
    processors.same_rows(found, [{(split, "06:00", "06:02")}, later], stories)
    return "Each drive once, from its first report to its last."


def drivers(answer: Any) -> str:
    """Judge 24b.3: changes of drivers, a late report after a restart, and trucks with and without an initial state."""
    late, new, calm = truck_names(3)
    ann, bob, cid, dee, eva = random.sample(["Ann", "Bob", "Cid", "Dee", "Eva", "Fay", "Gus", "Hal"], 5)
    runs: Runs = [
        [[(late, 25), (late, 20, 50.0, bob), (late, 10), (new, 5), (new, 15), (new, 10, 50.0, cid)]],
        [[(late, 15), (late, 30), (calm, 35), (new, 45), (new, 40, 50.0, cid), (new, 30, 50.0, dee), (new, 35)]],
    ]
    known = active_session().createDataFrame([(late, ann), (calm, eva)], "truck_id string, driver string")
    stories = {
        late: f"begins with {ann}, and {bob} takes it at 06:20; the report of 06:15 comes late, after a restart",
        new: f"has no initial state; {cid} takes it at 06:10, {dee} at 06:30, {cid} again at 06:40",
        calm: f"begins with {eva}, and reports for the first time after a restart",
    }
    first: set[Any] = {(late, "06:10", ann), (late, "06:20", bob), (late, "06:25", bob)}
    first |= {(new, "06:05", None), (new, "06:10", cid), (new, "06:15", cid)}
    then: set[Any] = {(late, "06:15", ann), (late, "06:30", bob), (calm, "06:35", eva)}
    then |= {(new, "06:30", dee), (new, "06:35", dee), (new, "06:40", cid), (new, "06:45", cid)}
    found = _given(answer, "ms long, driver string", runs, initial=known)
    processors.same_rows(found, [first, then], stories)
    return "Every report has the driver of its own time."


def one_field_more(answer: Any) -> str:
    """Judge 24b.4: from the checkpoint of a query that has counted, with a restart, in Spark's default format."""
    from pyspark.sql import Row
    from pyspark.sql.streaming.stateful_processor import StatefulProcessor

    class Old(StatefulProcessor):  # the lab's Count
        def init(self, handle: Any) -> None:
            self.seen = handle.getValueState("seen", "reports int")

        def handleInputRows(self, key: Any, rows: Any, timerValues: Any) -> Any:  # noqa: N802, N803
            (reports,) = self.seen.get() or (0,)
            self.seen.update((reports + len(list(rows)),))
            yield Row(truck_id=key[0], reports=reports, top_kmh=0.0)

    if isinstance(answer, type) and not {"init", "handleInputRows"} & vars(answer).keys():
        raise NotAttempted("Write `init` and `handleInputRows`.")
    old, new = truck_names(2)
    first, top, less = random.randint(2, 5), random.randint(70, 90) + 0.5, random.randint(40, 60) + 0.5
    runs: Runs = [[[(old, m, 99.0) for m in range(first)]], [[(old, 10, top), (old, 9, less), (new, 11, less)]],
                  [[(old, 20, less)]]]  # fmt: skip
    stories = {
        old: f"had {first} reports before the change, then two with at most {top} km/h, then a slower one",
        new: "is new after the change",
    }
    session = active_session()
    before = session.conf.get(_ENCODING) or "unsaferow"
    session.conf.set(_ENCODING, "unsaferow")
    try:
        found = _given(answer, "reports int, top_kmh double", runs, first=Old)
    finally:
        session.conf.set(_ENCODING, before)
    wanted: list[set[Any]] = [{(old, first + 2, top), (new, 1, less)}, {(old, first + 3, top)}]
    processors.same_rows(found[1:], wanted, stories)
    return "It goes on counting where the old one stopped, and knows one thing more."


def calm(answer: Any) -> str:
    """Judge 24b.5 by a truck that's silent twice, with a restart between, a late report, and a steady truck."""
    twice, late, steady, gone, other = truck_names(5)
    first = [(steady, 0), (steady, 4), (twice, 3), (twice, 1), (gone, 2), (late, 5), (other, 5)]
    then = [(late, 3), (steady, 8), (steady, 14), (other, 10), (other, 17)]
    last = [(twice, 16), (twice, 15), (late, 15), (steady, 20), (steady, 26), (other, 24), (other, 30)]
    stories = {
        twice: "reports at 06:01 and 06:03, and again at 06:15 and 06:16, after a restart of the query",
        late: "reports at 06:05 and 06:15; a report of 06:03 comes after the first of these",
        steady: "reports every six minutes or more often",
        gone: "reports at 06:02, and never again",
        other: "reports all the time",
    }
    found = _given(answer, "what string, ms long", [[first, then], [last]], mode="EventTime", late="3 minutes")
    wanted = {(twice, "back", "06:15"), (twice, "silent", "06:16"), (late, "silent", "06:15")}
    processors.same_rows(found, [{(twice, "silent", "06:03"), (gone, "silent", "06:02")}, wanted], stories)
    return "Each silence once, with its end, through late reports and a restart."


def exercises(cluster: object) -> tuple[Exercise, ...]:
    """Return the five exercises, judged in the running Spark session."""
    return (
        Exercise("24b.1", "One timer is enough", 2,
            "Complete `Watch`: a truck has one timer, ten minutes after the newest report of the batch. Then only a "
            "truck that has really been silent gives an alarm.",
            watch, (
                "Delete the timers that the truck has, then set the new one. The rows are in no particular order.",
                "Go through `list(self.handle.listTimers())`, and set one timer for `max(row.ms for row in rows)`.",
                "`for timer in list(self.handle.listTimers()): self.handle.deleteTimer(timer)`, then "
                "`self.handle.registerTimer(max(row.ms for row in rows) + TEN_MINUTES)`, then `yield from ()`."),
            "kernel"),
        Exercise("24b.2", "From start to end", 3,
            "Complete `Drives`. It gets the reports of *moving* trucks, and gives each drive once, when it's over. "
            "Two reports that are more than five minutes (300,000 ms) apart belong to two drives, even if they come in "
            "the same batch. `self.drive` keeps the drive that's going on.",
            drives, (
                "Go through the rows by time. If one is too far from `end`, yield the drive, and begin a new one.",
                "After the loop: update the state, delete the old timer, and set one five minutes after `end`.",
                "Begin with `start, end = self.drive.get() or (None, None)`. In the loop, a row with `row.ms - end > "
                "300_000` ends a drive; then `start` is `row.ms`, and `end` is `row.ms` for each row."), "kernel"),
        Exercise("24b.3", "The driver of its time", 3,
            "Write `Drivers`: like `AtTheWheel`, but each row gets the driver of its own time, also when it comes "
            "late. A driver from the initial state has had the truck all along (`since` is 0); if we don't know the "
            "driver, it's None.",
            drivers, (
                "In `init`, open the list state; in `handleInitialState`, append `(0, initialState.driver)` to it.",
                "For each row, first append its driver, if it has one. Then look for the last shift before the row.",
                "`known = [shift for shift in self.shifts.get() if shift[0] <= row.ms]`, and the driver is "
                "`max(known)[1]` if there are any."), "kernel"),
        Exercise("24b.4", "One field more", 3,
            "`Count` runs, in the default format. Write `CountAndTop`: started from its checkpoint, it goes on "
            "counting in `seen`, and gives `Row(truck_id=…, reports=…, top_kmh=…)` for each truck of a batch. "
            "`top_kmh` is its highest `speed_kmh` since the change.",
            one_field_more, (
                "The fields of `seen` can't change. Open a second value state, with another name.",
                'In `init`: `super().init(handle)`, and `self.top = handle.getValueState("top", "kmh double")`.',
                "Begin with `rows = list(rows)`, because you go through them twice. `(top,) = self.top.get() or "
                "(0.0,)`, and update both states."), "kernel"),
        Exercise("24b.5", "Calm down", 3,
            'Write `Calm`. It gives `Row(truck_id=…, what="silent", ms=…)` once for each silence, with the time of the '
            'last report, and `what="back"` with the time of the first report after it. A late report changes nothing. '
            "It survives batches and restarts.",
            calm, (
                "There are three mistakes: what's kept in the object, timers that stay, and the time that it gives.",
                'Keep `"ms long, silent boolean"` in a value state. Reports that aren\'t newer than `ms` are late.',
                "New times: if it was silent, yield `back` with the first. Update the state, delete the timers, set "
                "one. In `handleExpiredTimer`, set `silent` to True, and yield the `ms` of the state."), "kernel"),
    )  # fmt: skip
