"""Processors in the checks of the labs on Spark's state: run a learner's processor, and compare the rows it gives."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from kafkalab.exercises import frames
from kafkalab.exercises.judging import NotAttempted, Wrong, is_blank, kind_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, Row


def rows_of_processor(
    answer: Any,
    schema: str,
    runs: Sequence[frames.Batches],
    reports: str,
    *,
    mode: Literal["None", "ProcessingTime", "EventTime"] = "None",
    late: str = "1 minute",
    initial: DataFrame | None = None,
    first: type | None = None,
    folder: str = "",
) -> list[list[Row]]:
    """Run a learner's stateful processor on a stream, with a state for each ``truck_id``; return the rows of each run.

    :param answer: the class; ``schema``: of the rows that it gives; ``reports``: of those that it gets.
    :param runs: as in :func:`kafkalab.exercises.frames.rows_of_stream`; ``folder``, too: by default a temporary one.
    :param late: with the mode "EventTime", how far the watermark stays behind the newest ``ms``, a column of reports.
    :param initial: the initial state, with a column ``truck_id``; ``first``: a class that does the first run instead.
    :raises NotAttempted: its ``handleInputRows`` is still to be written.
    :raises Wrong: it is no such class, or cannot be run.
    """
    from pyspark.sql.streaming.stateful_processor import StatefulProcessor

    if not (isinstance(answer, type) and issubclass(answer, StatefulProcessor)):
        raise Wrong(f"Your answer should be a class that is a StatefulProcessor, and this is {kind_of(answer)}.")
    if is_blank(answer.handleInputRows):
        raise NotAttempted("Write what `handleInputRows` does.")

    from pyspark.sql import functions as sf

    def build(stream: DataFrame) -> DataFrame:
        if mode == "EventTime":
            stream = stream.withColumn("time", sf.timestamp_millis("ms")).withWatermark("time", late)
        known = initial.groupBy("truck_id") if initial is not None else None
        return stream.groupBy("truck_id").transformWithState(classes.pop(0)(), schema, "Append", mode, known)

    classes = [answer if first is None else first, *[answer] * (len(runs) - 1)]

    with tempfile.TemporaryDirectory(prefix="kafkalab-check-") as scratch:
        found = frames.rows_of_stream(
            frames.active_session(), lambda s: frames.answer_frame(build, s), runs, reports, folder or scratch
        )
    return [[row for rows in run for row in rows] for run in found]


def same_rows(
    found: Sequence[Sequence[tuple[Any, ...]]], wanted: Sequence[set[Any]], stories: Mapping[str, str]
) -> None:
    """Compare the rows that each run gave with those that it should give, key by key.

    :param wanted: for each run, its rows as tuples, the key first. :param stories: key → what it does: "enters at 10".
    :raises Wrong: a row is too much, missing, or there twice; it tells the story of its key.
    """
    for run, (rows, right) in enumerate(zip(found, wanted, strict=True)):
        times = Counter(tuple(row) for row in rows)
        when = "After a restart, your" if run else "Your"
        if strange := [row[0] for row in times if row[0] not in stories]:
            raise Wrong(f"Your code gives a row for {strange[0]!r}, and no truck of this name has reported.")
        for key, story in stories.items():
            own = {row for row in times if row[0] == key}
            if extra := sorted(own - right, key=str):
                raise Wrong(f"Truck {key} {story}. {when} code gives {extra[0]}, which is too much.")
            if twice := [row for row in own if times[row] > 1]:
                raise Wrong(f"Truck {key} {story}. {when} code gives {twice[0]} {times[twice[0]]} times.")
            if missing := sorted((row for row in right - own if row[0] == key), key=str):
                raise Wrong(f"Truck {key} {story}. {when} code doesn't give {missing[0]}.")


def at_minutes(runs: Sequence[frames.Batches], *more: Any) -> list[list[list[tuple[Any, ...]]]]:
    """Return runs of reports (truck, minute since 06:00, …) with the minute in milliseconds.

    :param more: the last columns of a report that doesn't give them.
    """
    return [
        [[(t, frames.START + round(m * 60_000), *rest, *more[len(rest) :]) for t, m, *rest in batch] for batch in run]
        for run in runs
    ]


def with_times_of_day(runs: Sequence[Sequence[Sequence[Any]]]) -> list[list[tuple[Any, ...]]]:
    """Return the rows of runs with a time of day ("06:20", "06:20:30") for each number of milliseconds of 2026."""

    def shown(value: Any) -> Any:
        if not isinstance(value, int) or abs(value - frames.START) > 86_400_000:
            return value
        minute, seconds = divmod((value - frames.START) // 1000, 60)
        return frames.of_day(minute) + (f":{seconds:02}" if seconds else "")

    return [[tuple(map(shown, row)) for row in rows] for rows in runs]
