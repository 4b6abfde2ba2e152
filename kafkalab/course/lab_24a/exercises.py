"""The exercises of lab 24a: trucks in depots, first reports, the state as a table, late reports, ids, and a repair."""

from __future__ import annotations

import random
import tempfile
from collections import Counter
from typing import Any

from kafkalab.exercises import frames
from kafkalab.exercises.exercise import Exercise
from kafkalab.exercises.frames import active_session, answer_frame, columns_of
from kafkalab.exercises.judging import Wrong

_AT = "truck_id string, time long, fence string"
#: A report: truck, second, fence or None. Runs of a query have micro-batches, and these have reports as they arrive.
Report = tuple[str, int, str | None]
Runs = list[list[list[Report]]]


def _names(count: int) -> list[str]:
    return [f"T{number:04}" for number in random.sample(range(10_000), count)]


def _fences(count: int) -> list[str]:
    return random.sample(["Graz", "Lyon", "Bari", "Gent", "Oslo", "Brno", "Metz", "Ulm"], count)


def trucks_in(answer: Any) -> str:
    """Judge 24a.1 on a random table."""
    trucks, fences = _names(4), _fences(3)
    rows: list[Report] = [(truck, 2, None) for truck in trucks]
    for fence in fences:
        inside = random.sample(trucks, random.randint(1, 3))
        rows += [(truck, n, fence) for truck in inside for n in range(random.randint(3, 9))]
    frame = answer_frame(answer, active_session().createDataFrame(random.sample(rows, len(rows)), _AT))
    columns_of(frame, ("fence", "trucks"))
    got = {row["fence"]: row["trucks"] for row in frame.collect()}
    if None in got:
        raise Wrong("There's a row without a fence: those trucks are in no depot.")
    if got == Counter(fence for _, _, fence in rows if fence):
        raise Wrong("You counted reports. A truck that reports five times is still one truck.")
    if got != (wanted := Counter(fence for _, fence in {(truck, fence) for truck, _, fence in rows} if fence)):
        raise Wrong(f"The trucks in each depot are {dict(wanted)}, and you found {got}.")
    return "Each truck counts once in each depot."


def hello(answer: Any) -> str:
    """Judge 24a.2 by two batches and a restart: one truck reports in all of them, and one is new in each."""
    always, second, third = _names(3)
    runs: Runs = [
        [[(always, 2, None), (always, 5, None), (always, 1, None)], [(always, 7, None), (second, 8, None)]],
        [[(always, 9, None), (third, 9, None), (second, 11, None), (third, 12, None)]],
    ]
    stories = {
        always: "reports three times in the first batch, and again in later ones",
        second: "reports for the first time in the second batch",
        third: "reports for the first time in the third batch",
    }
    found = frames.rows_of_processor(answer, "truck_id string", runs, _AT)
    frames.same_rows(found, [{(always,), (second,)}, {(third,)}], stories)
    return "Each truck once, over three batches and a restart."


def inside_now(answer: Any) -> str:
    """Judge 24a.3 by the checkpoint of a query in which a truck has left, another came, and a third changed depots."""
    from pyspark.sql import Row
    from pyspark.sql.streaming.stateful_processor import StatefulProcessor

    stays, left, came, moved, never = _names(5)
    one, two = _fences(2)
    before: list[Report] = [(stays, 1, one), (left, 2, two), (came, 3, None), (moved, 4, one), (never, 5, None)]
    now: list[Report] = [(left, 11, None), (came, 12, two), (moved, 13, two)]

    class Doors(StatefulProcessor):  # the lab's Gate, without its rows
        def init(self, handle: Any) -> None:
            self.inside = handle.getValueState("inside", "fence string")

        def handleInputRows(self, key: Any, rows: Any, timerValues: Any) -> Any:  # noqa: N802, N803
            self.inside.update((max(rows, key=lambda row: row.time).fence,))
            yield Row(truck_id=key[0])

    def build(stream: Any) -> Any:
        return stream.groupBy("truck_id").transformWithState(Doors(), "truck_id string", "Append", "None")

    with tempfile.TemporaryDirectory(prefix="kafkalab-check-") as folder:
        frames.rows_of_stream(active_session(), build, [[before, now]], _AT, folder)
        frame = answer_frame(answer, f"{folder}/checkpoint")
        columns_of(frame, ("truck_id", "fence"))
        got = sorted((row["truck_id"], row["fence"] or "") for row in frame.collect())
    if any(not fence for _, fence in got):
        raise Wrong("There's a truck without a fence: the state also knows trucks that are outside.")
    if got != (wanted := sorted([(stays, one), (came, two), (moved, two)])):
        raise Wrong(f"Inside are {wanted}, and you say {got}.")
    return "A truck that left is out, and one that moved is where it is now."


def timed_gate(answer: Any) -> str:
    """Judge 24a.4: reports that are mixed up in a batch, late in a later one, and late after a restart."""
    mixed, late, moved, again = _names(4)
    one, two = _fences(2)
    runs: Runs = [
        [
            [(mixed, 30, None), (late, 10, one), (mixed, 20, one), (mixed, 10, None), (moved, 10, one)],
            [(late, 40, None), (moved, 20, two), (again, 10, two)],
        ],
        [
            [(late, 30, one), (again, 10, two), (moved, 15, one)],
            [(late, 50, None), (moved, 30, two), (again, 20, None), (mixed, 40, None)],
        ],
    ]
    first = {(mixed, "enter", one, 20), (mixed, "leave", one, 30), (late, "enter", one, 10), (late, "leave", one, 40)}
    first |= {(moved, "enter", one, 10), (moved, "leave", one, 20), (moved, "enter", two, 20)}
    stories = {
        mixed: "reports in no particular order within a batch: outside, inside at 20, outside at 30",
        moved: f"is in {one} at 10 and in {two} at 20; a report from 15 comes late",
        late: "leaves at 40; a late report from 30 comes after that",
        again: "sends a report twice, and leaves at 20",
    }
    wanted = [first | {(again, "enter", two, 10)}, {(again, "leave", two, 20)}]
    schema = "truck_id string, what string, fence string, time long"
    frames.same_rows(frames.rows_of_processor(answer, schema, runs, _AT), wanted, stories)
    return "Mixed up, late, twice, and after a restart: each change once."


def with_id(answer: Any) -> str:
    """Judge 24a.5 on alarms that are calculated twice, in another order and in other partitions."""
    time, kinds = random.randrange(10**9), random.sample(["speeding", "doors", "cold", "fuel"], 2)
    alarms = [(truck, kind, at) for truck in _names(3) for kind in kinds for at in (time, time + 60_000)]
    first: dict[Any, Any] = {}
    for parts in (1, 3):
        random.shuffle(alarms)
        frame = active_session().createDataFrame(alarms, "truck_id string, kind string, time long").repartition(parts)
        told = answer_frame(answer, frame)
        columns_of(told, ("truck_id", "kind", "time", "id"))
        ids = {(row["truck_id"], row["kind"], row["time"]): row["id"] for row in told.collect()}
        if ids.keys() != set(alarms) or not all(isinstance(id, str) and id for id in ids.values()):
            raise Wrong(f"{len(alarms)} alarms should come out as they are, each with an id that is text.")
        known: dict[str, Any] = {}
        for alarm, id in ids.items():
            if (other := known.setdefault(id, alarm)) != alarm:
                raise Wrong(f"{other} and {alarm} are different alarms, and have the same id.")
            if first.setdefault(alarm, id) != id:
                raise Wrong(f"{alarm} was calculated twice, and got two ids.")
    return "The same alarm has the same id, in any order."


def visits(answer: Any) -> str:
    """Judge 24a.6 by three batches with a restart before the last."""
    stays, comes, moves = _names(3)
    one, two = _fences(2)
    runs: Runs = [
        [
            [(stays, 10, one), (comes, 20, one), (comes, 10, None), (moves, 10, one), (stays, 20, one)],
            [(stays, 30, one), (comes, 30, one), (moves, 30, two), (comes, 40, two)],
        ],
        [[(stays, 50, one), (comes, 50, two), (moves, 50, None), (moves, 60, one)]],
    ]
    first = {(stays, one, 1), (comes, one, 1), (moves, one, 1), (moves, two, 2), (comes, two, 2)}
    stories = {
        stays: f"stands in {one} all the time, in three batches",
        comes: f"enters {one} in the first batch, and {two} in the second",
        moves: f"goes from {one} to {two} and back, which is its visit 3",
    }
    found = frames.rows_of_processor(answer, "truck_id string, fence string, visit int", runs, _AT)
    frames.same_rows(found, [first, {(moves, one, 3)}], stories)
    return "Every arrival once, and counted on over batches and a restart."


def exercises(cluster: object) -> tuple[Exercise, ...]:
    """Return the six exercises, judged in the running Spark session."""
    return (
        Exercise("24a.1", "Trucks, not reports", 1,
            "Write `trucks_in(at)`: one row for each depot, with `fence` and `trucks`, the number of *different* "
            "trucks that were in it. Reports from outside don't count. `sf.count_distinct` is an aggregate.",
            trucks_in, (
                "Keep the rows that have a fence, then group by it.",
                "`sf.count_distinct(column)` counts each value once.",
                '`at.where("fence is not null").groupBy("fence")`, and then '
                '`.agg(sf.count_distinct("truck_id").alias("trucks"))`.'), "kernel"),
        Exercise("24a.2", "Good morning", 2,
            "Complete `Hello`: it gives one row, `Row(truck_id=…)`, when a truck reports for the first time, and never "
            "again for this truck.",
            hello, (
                "`handleInputRows` is called for a truck once in each micro-batch in which it has reports.",
                "`self.seen.get()` is None as long as nothing was put into the state.",
                "`if self.seen.get() is None:`, then `self.seen.update((True,))` and `yield Row(truck_id=key[0])`."),
            "kernel"),
        Exercise("24a.3", "Who is inside?", 2,
            "Write `inside_now(checkpoint)`: from the checkpoint folder of a query with our `Gate`, it returns a "
            "DataFrame with `truck_id` and `fence` of the trucks that are in a depot now.",
            inside_now, (
                "The cell above reads the state. Each row has the structs `key` and `value`.",
                "A truck outside has state, too: its `fence` is null.",
                '`.where("value.fence is not null").select("key.truck_id", "value.fence")`'), "kernel"),
        Exercise("24a.4", "Too late to matter", 3,
            "Write `TimedGate`: a `Gate` that also remembers the time of the truck's newest report, and ignores every "
            "report that isn't newer.",
            timed_gate, (
                "The state gets a second field. A truck without state begins with a time that's older than all.",
                "Compare each row's time with the newest so far, also within a batch; if it isn't newer, `continue`.",
                '`getValueState("inside", "fence string, time long")`, `before, newest = self.inside.get() or (None, '
                "-1)`, and in the loop `if row.time <= newest: continue`."), "kernel"),
        Exercise("24a.5", "Known by its id", 1,
            "Write `with_id(alarms)`: it adds the column `id` (text) to `truck_id`, `kind` and `time`. An alarm that's "
            "calculated again gets the same id. Different alarms get different ones.",
            with_id, (
                "An id that's random, or counts rows, is new each time.",
                "Which columns say that it's the same alarm? A truck can have the same kind of alarm twice a day.",
                '`alarms.withColumn("id", sf.concat_ws("/", "truck_id", "kind", "time"))`'), "kernel"),
        Exercise("24a.6", "Repair the visits", 3,
            "Write `Visits`: it gives `Row(truck_id=…, fence=…, visit=…)` when a truck enters a depot. `visit` counts "
            "the truck's arrivals at all depots, from 1. Batches and restarts mustn't change what it gives.",
            visits, (
                "Where does the colleague's processor keep what it knows, and how long does that object live?",
                "Put both into Spark's state: where the truck was, and how many visits it has made.",
                '`getValueState("known", "fence string, visits int")`; begin with `self.known.get() or (None, 0)`, and '
                "`update` it after the loop."), "kernel"),
    )  # fmt: skip
