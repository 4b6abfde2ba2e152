"""The exercises of lab 23a: tumbling and sliding windows, the fate of a late report, a stream, and a job to repair."""

from __future__ import annotations

import random
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable
from datetime import datetime
from functools import partial
from typing import Any

from kafkalab.exercises import frames
from kafkalab.exercises.exercise import Exercise
from kafkalab.exercises.frames import active_session, answer_frame, of_day, table
from kafkalab.exercises.judging import Wrong, call, function_needed, kind_of, text
from kafkalab.exercises.topics import passing_topic, publish
from kafkalab.sources.fleet import START
from kafkalab.sources.report import Report


def _in_minutes(rows: Iterable[Any], *wanted: str) -> list[dict[str, Any]]:
    """Return rows as dicts with exactly the columns ``wanted``; their start and end, if any, in minutes since 06:00.

    :raises Wrong: there are other columns, or a start or an end is not a time.
    """
    found: list[dict[str, Any]] = [row.asDict() for row in rows]
    for row in found:
        if sorted(row) != sorted(wanted):
            raise Wrong(f"The columns should be {', '.join(wanted)}; they are {', '.join(row)}.")
        for name in {"start", "end"} & row.keys():
            if not isinstance(row[name], datetime):
                raise Wrong(f"The column `{name}` should be a time, `window.{name}`, and this is {kind_of(row[name])}.")
            row[name] = round((row[name].timestamp() - START / 1000) / 60)
    return found


def _case(driven: Iterable[tuple[str, int, float]]) -> frames.Case:
    """Return a case of trucks, minutes of event time since 06:00, and speeds in km/h."""
    return [(f"r{random.randrange(10**9)}", *one) for one in driven]


def _same(got: dict[Any, Any], wanted: dict[Any, Any], what: str) -> None:
    """Compare values by (truck, start of a window)."""
    for truck, start in sorted({*got, *wanted}, key=lambda key: (str(key[0]), key[1])):
        mine, right = (values.get((truck, start), "not there") for values in (got, wanted))
        if mine != right:
            raise Wrong(f"{what} {of_day(start)}{truck and f', {truck},'} is {right}; yours is {mine}.")


def fastest(answer: Any) -> str:
    """Judge 23a.1 on random rows, in which the fastest report is where one window ends and the next begins."""
    for length in random.sample((5, 12, 20), 2):
        edge = length * random.randint(1, 2)
        minutes = [1, edge - 1, edge, edge + 1, edge + length - 1, edge + length]
        speeds = [*random.sample(range(30, 90), 2), 95, *random.sample(range(30, 90), 3)]
        driven = [(random.choice("ab"), m, float(s)) for m, s in zip(minutes, speeds, strict=True)]
        driven += [("c", 1, 10.0), ("c", edge, 10.0)]
        starts = {minute // length * length for minute in minutes}
        most = {("", start): max(s for _, m, s in driven if start <= m < start + length) for start in starts}
        frame = answer_frame(answer, table(active_session(), _case(driven)), f"{length} minutes")
        found, said = _in_minutes(frame.collect(), "start", "end", "top_kmh"), f"With windows of {length} minutes,"
        if other := {row["end"] - row["start"] for row in found} - {length}:
            raise Wrong(f"{said} yours are {max(other)} minutes long.")
        if len(found) > len(most):
            raise Wrong(f"{said} {len(most)} have reports, and you give {len(found)} rows. Is a truck in the groups?")
        _same({("", row["start"]): row["top_kmh"] for row in found}, most, f"{said} the top speed of that from")
    return "Right for other lengths, too, and at the edges of windows."


def sliding(answer: Any) -> str:
    """Judge 23a.2 on random rows, for windows that overlap and windows that don't."""
    for length, every in ((12, 4), (10, 5), (6, 6)):
        driven = [("a", 60, 50.0), ("b", 60 + every, 50.0)]
        driven += [(random.choice("ab"), minute, 50.0) for minute in random.sample(range(60, 100), 6)]
        wanted = Counter((t, start) for t, m, _ in driven for start in range(m // every * every, m - length, -every))
        frame = answer_frame(answer, table(active_session(), _case(driven)), f"{length} minutes", f"{every} minutes")
        found = _in_minutes(frame.collect(), "truck_id", "start", "reports")
        got = {(row["truck_id"], row["start"]): row["reports"] for row in found}
        said, count = f"With windows of {length} minutes every {every},", sum(got.values())
        if count != wanted.total():
            raise Wrong(f"{said} each report is in {length // every}: yours hold {count}, not {wanted.total()}.")
        _same(got, wanted, f"{said} the number in that from")
    return "Each report is in every window that it belongs to."


def fate(answer: Any) -> str:
    """Judge 23a.3 on random reports, and on some by which each mistake can be told."""
    function_needed(answer)
    cases = [tuple(random.randint(a, b) for a, b in ((0, 90), (5, 20), (40, 99), (0, 30))) for _ in range(20)]
    for length in (10, 15, random.randint(6, 9)):
        end = 4 * length
        cases += [(end - 1, length, end + 8, 8), (end, length, end + 11, 8), (end - 1, length, end + 7, 8)]
    for time, length, newest, late in cases:
        end, line = time // length * length + length, newest - late
        right = "dropped" if end <= line else "counted"
        if text(call(answer, time, length, newest, late), "A fate") != right:
            facts = f"fate({time}, {length}, {newest}, {late}): the watermark is at minute {line},"
            if end == line:
                raise Wrong(f"{facts} and the window ends at {end}. It closes when the watermark reaches its end.")
            if right == "counted" and time < line:
                raise Wrong(f"{facts} and the report is older than that, but its window is open until {end}.")
            raise Wrong(f"{facts} and the report's window ends at {end}, so it is {right}.")
    return "What decides is the end of its window, not its own time."


def standing(answer: Any) -> str:
    """Judge 23a.4 on two streams: a longer watermark counts a report too many, and a shorter one misses one."""
    for late, newest, held in ((15, 44, 29), (5, 37, 25)):
        first = [("a", 2, 0.0), ("b", 4, 50.0), ("a", 21, 50.0), ("b", newest - late, 50.0), ("b", newest, 50.0)]
        again, held_back = [("b", newest, 0.0)], [("a", held, 0.0), ("b", newest - late, 0.0), ("a", 1, 0.0)]
        counted = [*first, *again, *(one for one in held_back if one[1] // 10 * 10 + 10 > newest - late)]
        wanted: dict[Any, int] = defaultdict(int)
        for truck, minute, speed in counted:
            wanted[truck, minute // 10 * 10] += speed == 0
        batches = [_case(driven) for driven in (first, again, held_back, [("a", 200, 50.0)])]
        handed = frames.rows_of_batches(active_session(), answer, batches, f"{late} minutes")
        found = _in_minutes((row for batch in handed for row in batch), "truck_id", "start", "standing")
        if not found:
            raise Wrong("On a stream in append mode it gave no row, although all windows but one were closed.")
        got = {(row["truck_id"], row["start"]): row["standing"] for row in found}
        if gone := sorted(wanted.keys() - got.keys()):
            raise Wrong(f"Truck {gone[0][0]} has no row for the window from {of_day(gone[0][1])}. 0 is a number, too.")
        _same(got, wanted, f"With a watermark of {late} minutes, the number in the window from")
    return "What was late in time is counted, what came too late is not, and each window came once."


def repaired(cluster: Any, answer: Any) -> str:
    """Judge 23a.5 by three calls: reports on time, then some that are 15 minutes late, then a newer one."""
    function_needed(answer)
    one, two = (f"T{n:04}" for n in random.sample(range(1000), 2))
    first = [(random.choice((one, two)), 10 * n + random.randrange(10)) for n in (0, 0, 0, 1, 1, 2, 2)]
    calls = [([*first, (one, 1), (two, 34)], 10), ([(one, 19), (two, 22)], 10), ([(two, 45)], 30)]
    sent: list[tuple[str, int]] = []
    with tempfile.TemporaryDirectory() as folder, passing_topic(cluster, "lab23a-check", 3) as topic:
        for number, (new, closed) in enumerate(calls, 1):
            sent += new
            reports = [Report(f"{number}-{n}", t, START + m * 60_000, 48, 16, 50, 0) for n, (t, m) in enumerate(new)]
            publish(cluster.bootstrap_servers, topic, [(report.key, report.value, None) for report in reports])
            call(answer, cluster.bootstrap_servers, topic, folder, within=120, returns=False)
            said = f"Call {number}, the newest report is of {of_day(max(minute for _, minute in sent))}:"
            rows = frames.rows_of_parquet(active_session(), f"{folder}/table")
            found = _in_minutes(rows, "truck_id", "start", "reports")
            got = {(row["truck_id"], row["start"]): row["reports"] for row in found}
            if len(got) < len(found):
                raise Wrong(f"{said} a window is in the table more than once.")
            if not got:
                raise Wrong(f"{said} the table is empty. Which time do your windows hold, and when do they close?")
            if early := sorted(start for _, start in got if start >= closed):
                raise Wrong(f"{said} the window from {of_day(early[0])} is there, and the 15 minutes aren't over.")
            wanted = Counter((truck, minute // 10 * 10) for truck, minute in sent if minute < closed)
            _same(got, wanted, f"{said} the number in the window from")
    return "Reports up to 15 minutes late are counted, and each window came once, when it was closed."


def exercises(cluster: Any) -> tuple[Exercise, ...]:
    """Return the five exercises, judged on this cluster and in the running Spark session."""
    return (
        Exercise("23a.1", "The fastest of all", 1,
            "Write `fastest(good, length)`: for each window of `length` (text, such as `5 minutes`), the highest speed "
            "of all trucks together. The columns are `start`, `end` and `top_kmh`.",
            fastest, (
                "Group by the window alone. Its length isn't always 10 minutes.",
                '`sf.window("time", length)` makes the column `window`; `window.start` and `window.end` are in it.',
                '`good.groupBy(sf.window("time", length))`, then `agg`, and then `select`.'), "kernel"),
        Exercise("23a.2", "A window that slides", 1,
            "Write `sliding(good, length, every)`: for each truck, and each window of `length` (one begins every "
            "`every`), the number of its reports. The columns are `truck_id`, `start` and `reports`.",
            sliding, (
                "The cell above gives `sf.window` two texts. Which is which?",
                "First comes the length, then how often one begins. And here each truck counts by itself.",
                '`good.groupBy(sf.window("time", length, every), "truck_id")`, then `agg`, then `select`.'), "kernel"),
        Exercise("23a.3", "Counted or dropped?", 2,
            "Write `fate(time, length, newest, late)`, in plain Python. All are minutes: a report of minute `time` "
            "comes, windows have `length` minutes and the first begins at 0, the newest report so far is of minute "
            "`newest`, and the watermark stays `late` minutes behind it. Return `counted` or `dropped`, as text.",
            fate, (
                "Work out the watermark first, and then the end of the window that the report is in.",
                "`time // length * length` is the start of its window.",
                "It's dropped if `time // length * length + length <= newest - late`.")),
        Exercise("23a.4", "Who stands still?", 2,
            "Write `standing(good, late)`: from a *stream* of good reports, for each truck and 10 minutes, how many of "
            "its reports have a speed of 0 (also if none has). It must run in append mode, with a watermark of `late` "
            "(text, such as `5 minutes`). The columns are `truck_id`, `start` and `standing`.",
            standing, (
                "Append mode needs a watermark, and you have to set it before the groupBy.",
                "`sf.count_if(good.speed_kmh == 0)` counts rows, and takes none away as `where` would.",
                '`good.withWatermark("time", late).groupBy(sf.window("time", "10 minutes"), …)`, …'), "kernel"),
        Exercise("23a.5", "Jon's empty table", 3,
            "Write `repaired(bootstrap_servers, topic, folder)`, which does what Jon's job should: each call takes "
            "what is new, adds the windows that have closed to the Parquet table `{folder}/table` (with `truck_id`, "
            "`start` and `reports`), and ends. Each report that's up to 15 minutes late counts.",
            partial(repaired, cluster), (
                "Two things are wrong. Whose clock is `kafka_time`? And when does a window close?",
                "Windows are made of event time, and the watermark belongs to the same column.",
                '`.withWatermark("time", "15 minutes").groupBy(sf.window("time", "10 minutes"), …)`'), "kernel"),
    )  # fmt: skip
