"""What a StreamView draws: the state of a query and its batches, as plain JSON."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from kafkalab.state.stream_report import Standing, Trigger, plain
from kafkalab.views.stream_history import History
from kafkalab.views.svg import shorten

Drawn = dict[str, Any]

#: So many batches without a record of a partition that has some unread are no accident.
_UNREAD_BATCHES = 3

#: How many queries there are to choose from.
QUERIES = 50

_STANDING = {
    "starting": "starting",
    "running": "running",
    "stopped": "stopped",
    "failed": "stopped on an error",
    "recorded": "a recording",
}


def drawn(
    history: History,
    standing: Standing = "recorded",
    trigger: Trigger | None = None,
    *,
    message: str = "",
    reason: str = "",
    advice: str = "",
    choice: tuple[Sequence[str], str] = ((), ""),
) -> Drawn:
    """The state that the front end draws.

    - ``name`` of the query, ``sources`` and ``sink`` in Spark's words.
    - ``standing``, ``words`` for it, ``message`` (what Spark does now), ``reason`` and ``advice`` after a failure.
    - ``trigger``: ``kind``, ``every_ms``, ``words``.
    - ``batches``: by number, each as :func:`~kafkalab.views.stream_batch.drawn_batch` gives it, and ``behind``: records
      that were there and that it did not read.
    - ``lanes``: by the name that batches use, ``source``, ``topic`` and ``partition``; ``more_lanes``: how many are not
      drawn; ``unread``: lanes with records that no batch reads.
    - ``custom``: the state stores' own counters after the newest batch.
    - ``notes``: for each part that has nothing to draw, why; "" for the others.
    - ``queries`` to choose from, by name, and the ``query`` that is chosen: of a recording.

    :param choice: these two.
    """
    trigger = trigger or Trigger()
    return {
        "name": history.name,
        "sources": history.sources,
        "sink": history.sink,
        "standing": standing,
        "words": _STANDING[standing],
        "message": message,
        "reason": reason,
        "advice": advice,
        "trigger": {"kind": trigger.kind, "every_ms": trigger.every_ms, "words": trigger.words},
        "batches": history.batches,
        "lanes": history.lanes,
        "more_lanes": history.more_lanes,
        "unread": unread(history),
        "custom": history.custom,
        "notes": notes(history, trigger),
        "queries": [shorten(name, 200) for name in choice[0]][:QUERIES],
        "query": shorten(choice[1], 200),
    }


def recorded(reports: Iterable[Any], trigger: Trigger | None = None) -> Drawn:
    """The same of a list of reports, with nothing behind it."""
    history = History()
    for report in sorted((plain(report) for report in reports), key=lambda one: (one["batchId"], one["timestamp"])):
        history.add(report)
    return drawn(history, "recorded", trigger)


def newest(picture: Drawn) -> tuple[int, dict[str, Any]] | None:
    """Number and batch of the last one; None before the first."""
    if not picture["batches"]:
        return None
    number = max(map(int, picture["batches"]))
    return number, picture["batches"][str(number)]


def unread(history: History) -> list[str]:
    """Lanes with records that none of the last batches read, although they read others."""
    last = [history.batches[key] for key in sorted(history.batches, key=int)][-_UNREAD_BATCHES:]
    if len(last) < _UNREAD_BATCHES or not all(batch["rows"] for batch in last):
        return []
    found = []
    for key in history.lanes:
        offsets = [batch["lanes"].get(key) for batch in last]
        if any(o is None or o[0] is None or o[2] is None for o in offsets):
            continue
        if all(o[0] == o[1] and o[2] > o[1] for o in offsets):
            found.append(key)
    return found


def notes(history: History, trigger: Trigger) -> dict[str, str]:
    """Why a part of the picture is empty, in a sentence; "" for a part that is not."""
    batches = list(history.batches.values())
    if not batches:
        waiting = "No batch has ended yet."
        return {"rates": waiting, "phases": waiting, "watermark": waiting, "state": waiting, "lanes": waiting}
    live = trigger.kind == "real time"
    return {
        "rates": "",
        "phases": (
            f"In real-time mode rows are passed on as they come, not at the end of a batch: a batch of "
            f"{trigger.every_ms / 1000:g} s is only how often offsets are written to the checkpoint."
            if live and trigger.every_ms
            else ""
        ),
        "watermark": (
            ""
            if any(batch["event"] for batch in batches)
            else "This query sets no watermark (withWatermark): it keeps no track of event time and drops no late row."
        ),
        "state": (
            ""
            if any(batch["state"] for batch in batches)
            else "This query is stateless: each row goes through by itself, and nothing is remembered between batches."
        ),
        "lanes": "" if history.lanes else "None of its sources has Kafka's offsets.",
    }
