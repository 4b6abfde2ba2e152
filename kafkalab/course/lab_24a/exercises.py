"""The exercises of lab 24a: trucks in depots, first reports, the state as a table, late reports, ids, and a repair."""

from __future__ import annotations

import random
import tempfile
from collections import Counter
from typing import Any

from kafkalab.course import processors
from kafkalab.exercises.exercise import Exercise
from kafkalab.exercises.frames import active_session, answer_frame, truck_names
from kafkalab.exercises.judging import Wrong

_AT = "truck_id string, time long, fence string"
_CITIES = ("Graz", "Lyon", "Bari", "Gent", "Oslo", "Brno", "Metz", "Ulm")


def trucks_in(answer: Any) -> str:
    """Judge 24a.1 on a random table."""
    trucks, fences = truck_names(4), random.sample(_CITIES, 3)
    rows: list[Any] = [(truck, 2, None) for truck in trucks]
    for fence in fences:
        inside = random.sample(trucks, random.randint(1, 3))
        rows += [(truck, n, fence) for truck in inside for n in range(random.randint(3, 9))]
    at = active_session().createDataFrame(random.sample(rows, len(rows)), _AT)
    frame = answer_frame(answer, at, columns=("fence", "trucks"))
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
    always, second, third = truck_names(3)
    batches = [(always, always, always), (always, second)], [(always, third, second, third)]
    runs = [[[(truck, random.randrange(99), None) for truck in batch] for batch in run] for run in batches]
    stories = {
        always: "reports three times in the first batch, and again in later ones",
        **{
            truck: f"reports for the first time in the {n} batch" for truck, n in ((second, "second"), (third, "third"))
        },
    }
    found = processors.rows_of_processor(answer, "truck_id string", runs, _AT)
    processors.same_rows(found, [{(always,), (second,)}, {(third,)}], stories)
    return "Each truck once, over three batches and a restart."


def inside_now(answer: Any) -> str:
    """Judge 24a.3 by the checkpoint of a query in which a truck has left, another came, and a third changed depots."""
    from pyspark.sql import Row
    from pyspark.sql.streaming.stateful_processor import StatefulProcessor

    stays, left, came, moved, never = truck_names(5)
    one, two = random.sample(_CITIES, 2)
    reports: list[Any] = [(stays, 1, one), (left, 2, two), (came, 3, None), (moved, 4, one), (never, 5, None)]
    now = [(left, 11, None), (came, 12, two), (moved, 13, two)]

    class Doors(StatefulProcessor):  # the lab's Gate, without its rows
        def init(self, handle: Any) -> None:
            self.inside = handle.getValueState("inside", "fence string")

        def handleInputRows(self, key: Any, rows: Any, timerValues: Any) -> Any:  # noqa: N802, N803
            self.inside.update((max(rows, key=lambda row: row.time).fence,))
            yield Row(truck_id=key[0])

    with tempfile.TemporaryDirectory(prefix="kafkalab-check-") as folder:
        processors.rows_of_processor(Doors, "truck_id string", [[reports, now]], _AT, folder=folder)
        frame = answer_frame(answer, f"{folder}/checkpoint", columns=("truck_id", "fence"))
        got = sorted((row["truck_id"], row["fence"] or "") for row in frame.collect())
    if any(not fence for _, fence in got):
        raise Wrong("There's a truck without a fence: the state also knows trucks that are outside.")
    if got != (wanted := sorted([(stays, one), (came, two), (moved, two)])):
        raise Wrong(f"Inside are {wanted}, and you say {got}.")
    return "A truck that left is out, and one that moved is where it is now."


def timed_gate(answer: Any) -> str:
    """Judge 24a.4: reports that are mixed up in a batch, late in a later one, and late after a restart."""
    mixed, late, moved, again = truck_names(4)
    one, two = random.sample(_CITIES, 2)
    one_batch: list[Any] = [(mixed, 30, None), (late, 10, one), (mixed, 20, one), (mixed, 10, None), (moved, 10, one)]
    next_batch = [(late, 40, None), (moved, 20, two), (again, 10, two)]
    restarted: list[Any] = [(late, 30, one), (again, 10, two), (moved, 15, one)]
    last_batch = [(late, 50, None), (moved, 30, two), (again, 20, None), (mixed, 40, None)]
    runs = [[one_batch, next_batch], [restarted, last_batch]]
    first = {(mixed, "enter", one, 20), (mixed, "leave", one, 30), (late, "enter", one, 10), (late, "leave", one, 40)}
    first |= {(moved, "enter", one, 10), (moved, "leave", one, 20), (moved, "enter", two, 20)}
    stories = {
        mixed: "reports in no particular order within a batch: outside, inside at 20, outside at 30",
        moved: f"is in {one} at 10 and in {two} at 20; a report from 15 comes late",
        late: "leaves at 40; a late report from 30 comes after that",
        again: "sends a report twice, and leaves at 20",
    }
    found = processors.rows_of_processor(answer, "truck_id string, what string, fence string, time long", runs, _AT)
    processors.same_rows(found, [first | {(again, "enter", two, 10)}, {(again, "leave", two, 20)}], stories)
    return "Mixed up, late, twice, and after a restart: each change once."


def with_id(answer: Any) -> str:
    """Judge 24a.5 on alarms that are calculated twice, in another order and in other partitions."""
    time, kinds = random.randrange(10**9), random.sample(["speeding", "doors", "cold", "fuel"], 2)
    alarms = [(truck, kind, at) for truck in truck_names(3) for kind in kinds for at in (time, time + 60_000)]
    runs = []
    for parts in (1, 3):
        random.shuffle(alarms)
        frame = active_session().createDataFrame(alarms, "truck_id string, kind string, time long").repartition(parts)
        rows = answer_frame(answer, frame, columns=("truck_id", "kind", "time", "id")).collect()
        ids = {(row["truck_id"], row["kind"], row["time"]): row["id"] for row in rows}
        if ids.keys() != set(alarms) or not all(isinstance(id, str) and id for id in ids.values()):
            raise Wrong(f"{len(alarms)} alarms should come out as they are, each with an id that is text.")
        if same := [id for id, count in Counter(ids.values()).items() if count > 1]:
            raise Wrong(
                f"{' and '.join(str(a) for a in ids if ids[a] == same[0])} are different alarms, and have the same id."
            )
        runs.append(ids)
    if other := [alarm for alarm in alarms if runs[0][alarm] != runs[1][alarm]]:
        raise Wrong(f"{other[0]} was calculated twice, and got two ids.")
    return "The same alarm has the same id, in any order."


def visits(answer: Any) -> str:
    """Judge 24a.6 by three batches with a restart before the last."""
    stays, comes, moves = truck_names(3)
    one, two = random.sample(_CITIES, 2)
    one_batch: list[Any] = [(stays, 10, one), (comes, 20, one), (comes, 10, None), (moves, 10, one), (stays, 20, one)]
    next_batch = [(stays, 30, one), (comes, 30, one), (moves, 30, two), (comes, 40, two)]
    restarted: list[Any] = [(stays, 50, one), (comes, 50, two), (moves, 50, None), (moves, 60, one)]
    first = {(stays, one, 1), (comes, one, 1), (moves, one, 1), (moves, two, 2), (comes, two, 2)}
    stories = {
        stays: f"stands in {one} all the time, in three batches",
        comes: f"enters {one} in the first batch, and {two} in the second",
        moves: f"goes from {one} to {two} and back, which is its visit 3",
    }
    runs = [[one_batch, next_batch], [restarted]]
    found = processors.rows_of_processor(answer, "truck_id string, fence string, visit int", runs, _AT)
    processors.same_rows(found, [first, {(moves, one, 3)}], stories)
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
                'After `where`: `.groupBy("fence").agg(sf.count_distinct("truck_id").alias("trucks"))`.'), "kernel"),
        Exercise("24a.2", "Good morning", 2,
            "Complete `Hello`: it gives `Row(truck_id=…)` when a truck reports for the first time, and never again.",
            hello, (
                "`handleInputRows` is called for a truck once in each micro-batch in which it has reports.",
                "`self.seen.get()` is None as long as nothing was put into the state.",
                "If it's None, `self.seen.update((True,))` and `yield Row(truck_id=key[0])`."), "kernel"),
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
                "`before, newest = self.inside.get() or (None, -1)`, `if row.time <= newest: continue`."), "kernel"),
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
                '`getValueState("known", "fence string, visits int")`, `get() or (None, 0)`, `update` at the end.'),
            "kernel"),
    )  # fmt: skip
