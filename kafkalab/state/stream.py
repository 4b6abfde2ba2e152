"""Follower: follows a running query, asking Spark twice a second on a thread of its own while it has listeners."""

from __future__ import annotations

import json
import logging
import re
import threading
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal

from kafkalab.errors import BadInput
from kafkalab.state.watch import Poller, shared

# --- Spark's reports of a query's micro-batches as plain data, its standing, and when a batch begins.


Report = dict[str, Any]

#: State of a query; "recorded": there is only a list of its reports.
Standing = Literal["starting", "running", "stopped", "failed", "recorded"]


def plain(report: Any) -> Report:
    """Return Spark's report of a batch as plain data.

    :param report: a mapping, a JSON text, or PySpark's ``StreamingQueryProgress``.
    :raises BadInput: it is none of these.
    """
    if isinstance(report, Mapping):
        found: Any = dict(report)
    else:
        text = report if isinstance(report, str) else getattr(report, "json", None)
        try:
            found = json.loads(text) if isinstance(text, str) else None
        except ValueError:
            found = None
    if not isinstance(found, dict) or "batchId" not in found or "timestamp" not in found:
        raise BadInput(
            "This is not a report of a micro-batch.",
            seen=repr(report)[:200],
            do="Pass the reports that Spark gives: query.recentProgress, or a list of their JSON texts.",
        )
    # A Spark Connect client gets the offsets as text, and no sums over the sources.
    found["sources"] = [_with_offsets(source) for source in found.get("sources") or []]
    for name in ("numInputRows", "inputRowsPerSecond", "processedRowsPerSecond"):
        if found.get(name) is None:
            numbers = [source.get(name) for source in found["sources"]]
            found[name] = sum(number for number in numbers if isinstance(number, int | float))
    return found


def _with_offsets(source: Mapping[str, Any]) -> Report:
    """Return a source's part of a report with its offsets as data, if they are JSON."""
    found = dict(source)
    for name in ("startOffset", "endOffset", "latestOffset"):
        if isinstance(text := source.get(name), str):
            with suppress(ValueError):
                found[name] = json.loads(text)
    return found


@dataclass(frozen=True, slots=True)
class Trigger:
    """The rule for when a batch begins. ``kind`` is Spark's: processing time, available now, once, continuous, real
    time, or "unknown". ``every_ms``: milliseconds from batch to batch (real time: length of a batch; continuous: from
    checkpoint to checkpoint), None where there is no such time."""

    kind: str = "unknown"
    every_ms: int | None = None

    @property
    def words(self) -> str:
        """The trigger in a few words; "" when it is not known."""
        every = "" if self.every_ms is None else f"{self.every_ms / 1000:g} s"
        if self.kind == "processing time":
            return f"a batch every {every}" if self.every_ms else "a batch as soon as the last one ends"
        if self.kind == "real time":
            return f"real-time mode, batches of {every}"
        if self.kind == "continuous":
            return f"continuous, a checkpoint every {every}"
        return {"available now": "reads what is there, then ends", "once": "one batch, then it ends"}.get(self.kind, "")

    @classmethod
    def of(cls, text: str) -> Trigger:
        """Read a trigger from Spark's text for it: ``ProcessingTimeTrigger(1000)``, ``AvailableNowTrigger``."""
        name, _, inside = text.partition("(")
        every = inside.rstrip(")").split(",")[0].strip()
        kinds = {
            "ProcessingTimeTrigger": "processing time",
            "RealTimeTrigger": "real time",
            "ContinuousTrigger": "continuous",
            "AvailableNowTrigger": "available now",
            "OneTimeTrigger": "once",
        }
        kind = kinds.get(name.rpartition(".")[2].rstrip("$"), "unknown")
        return cls(kind, int(every) if every.isdecimal() else None)


def seconds(text: str) -> float:
    """Return Spark's time, ``2026-11-21T15:22:10.000Z``, in Unix seconds."""
    return round(datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp(), 3)


# --- The reason why a query failed, in a sentence: Spark's message is a hundred lines of Java.


#: (pattern in the message, advice); the first pattern that fits counts.
_ADVICE: Final = (
    (
        r"UnknownTopicOrPartition|does not host this topic-partition|not present in metadata",
        "Create the topic first: cluster.create_topic(…). cluster.snapshot() lists all topics.",
    ),
    (
        r"offset.{0,60}was changed from|data may have been lost|OffsetOutOfRange|partitions? .{0,80}(?:gone|missing)",
        "The topic does not match the checkpoint any more: it was deleted and created again, or records have expired. "
        "Start with a new checkpoint.",
    ),
    (
        r"TimeoutException|Timed out waiting for a node|No resolvable bootstrap|disconnected",
        "No broker answered in time. See cluster.view(), start the brokers that are down, and start the stream again.",
    ),
    (r"OutOfMemoryError|Java heap space", 'Restart the kernel and give Spark more: kafkalab.spark(memory="1g").'),
    (
        r"NOT_ENOUGH_REPLICAS|NotEnoughReplicas",
        "Start more brokers: fewer replicas are in sync than min.insync.replicas asks for.",
    ),
    (r"PythonException|Traceback", "Fix the Python function named there, and start the stream again."),
)

_NOISE = re.compile(r"^\s*(?:at |\.\.\. \d+ more|Driver stacktrace|==|SQLSTATE)")
_CAUSE = re.compile(r"(?:Caused by: |^)(?:[a-z]\w*\.)+([A-Z]\w*(?:Exception|Error))(?:: (.*))?$")
_PYTHON = re.compile(r"^(?:\w+\.)*(\w*(?:Error|Exception|Warning|Interrupt))(?::\s*(.*))?$")


def cause(message: str) -> str:
    """Return the innermost cause in Spark's message of a failure: "Exception: text", at most 300 characters.

    An error of a Python function comes first, because it is the learner's own; then Java's last "Caused by".
    """
    lines = [line.strip() for line in message.splitlines() if line.strip() and not _NOISE.match(line)]
    if "Traceback (most recent call last)" in message:
        for line in reversed(lines):
            found = _PYTHON.match(line)
            if found and not line.startswith(("org.", "java.", "scala.")):
                return line[:300]
    causes = [found for line in lines if (found := _CAUSE.search(line))]
    if causes:
        name, text = causes[-1].groups()
        return f"{name}: {text}"[:300] if text else name
    return (lines[0] if lines else "no reason was given")[:300]


def advice(message: str) -> str:
    """Return what to do about a failure that Spark reports with that message."""
    fitting = (do for pattern, do in _ADVICE if re.search(pattern, message))
    return next(fitting, "Fix it, and start the stream again.")


# --- Follower


log = logging.getLogger(__name__)

#: Seconds between two questions to Spark.
PERIOD = 0.5
#: Maximum number of batches whose reports are kept, for listeners that come later.
REPORTS_KEPT = 120


class Follower(Poller[[]]):
    """Follows one query and keeps its reports. :func:`follow` returns the follower of a query.

    ``lock`` guards the reports and the fields that describe the query.

    :param query: PySpark's ``StreamingQuery``.
    """

    def __init__(self, query: Any) -> None:
        name = str(query.name or "")
        super().__init__(f"kafkalab-stream-{name or str(query.runId)[:8]}")
        self.lock = self._changed
        self.name = name
        self.run = str(query.runId)
        self.standing: Standing = "starting"
        self.message = ""
        self.reason = ""
        self.advice = ""
        self.trigger = _trigger(query)
        self._query = query
        self._seen = ""
        self._polling = threading.Lock()
        #: The newest reports, each with its number among all that came, from 1.
        self._reports: deque[tuple[int, Report]] = deque(maxlen=REPORTS_KEPT)
        self._last: tuple[int, str] | None = None

    def since(self, n: int) -> tuple[int, list[Report]]:
        """Return how many reports have come so far, and those that came after the ``n``-th, in their order."""
        with self.lock:
            came = self._reports[-1][0] if self._reports else 0
            return came, [report for number, report in self._reports if number > n]

    def poll(self) -> bool:
        """Ask Spark once; return whether something changed."""
        with self._polling:
            try:
                # Ask first whether it runs: a batch that ends between the two questions is then still found.
                active, gone = bool(self._query.isActive), False
                status = self._query.status
                reports = self._new_reports()
                reason, advice = ("", "") if active else self._why()
            except Exception:  # py4j raises many kinds when Spark itself was stopped
                log.debug("the query %s cannot be asked", self.run, exc_info=True)
                active, gone, status, reports = False, True, {}, []
                reason, advice = "Spark itself was stopped.", ""
            with self.lock:
                before = (self.standing, self.message, self.reason)
                came = [self._take(report) for report in reports]
                # A failed answer says nothing new about a query that is known to have ended.
                if self.standing not in ("stopped", "failed"):
                    self.message = str(status.get("message", "")) if active else ""
                    self.reason, self.advice = reason, advice
                    self.standing = (
                        "running" if active and self._reports else "starting" if active
                        else "failed" if reason and not gone else "stopped"
                    )  # fmt: skip
                return any(came) or before != (self.standing, self.message, self.reason)

    def _take(self, report: Report) -> bool:
        """Keep a report; return False when it is not newer than the last one."""
        known = (int(report["batchId"]), str(report["timestamp"]))
        if self._last is not None and known <= self._last:
            return False
        self._last = known
        self._reports.append((self._reports[-1][0] + 1 if self._reports else 1, report))
        return True

    @property
    def over(self) -> bool:
        """Whether the query has ended."""
        return self.standing in ("stopped", "failed")

    def _look(self) -> float:
        if self.poll():
            self._notify()
        return PERIOD

    def _why(self) -> tuple[str, str]:
        """Return why the query ended and what to do about it; two empty texts when it was stopped."""
        problem = self._query.exception()
        return ("", "") if problem is None else (cause(str(problem)), advice(str(problem)))

    def _new_reports(self) -> list[Report]:
        text = _json(_own(self._query, "lastProgress"))
        if text is None or text == self._seen:
            return []
        self._seen = text
        newest = plain(text)
        known = self._last
        if known is not None and newest["batchId"] <= known[0] + 1:
            return [newest]
        # Several came at once, or this is the first look: go from the newest back to the last one known.
        found = [newest]
        recent = _own(self._query, "recentProgress")
        for i in range(len(recent) - 1, -1, -1):
            report = plain(_json(recent[i]))
            if known is not None and report["batchId"] < known[0]:
                break
            if report["batchId"] < newest["batchId"]:
                found.append(report)
        return found[::-1]


def follow(query: Any) -> Follower:
    """Return the follower of a query, which all listeners share.

    :param query: PySpark's ``StreamingQuery``, or an object that holds one as ``.query``, such as a
        :class:`kafkalab.streams.run.Run`.
    :raises BadInput: it is neither.
    """
    query = getattr(query, "query", query)
    if not all(hasattr(query, name) for name in ("runId", "isActive", "recentProgress")):
        raise BadInput(
            "This is not a streaming query.",
            seen=repr(query)[:200],
            do="Pass what writeStream….start() returned, or a Run of kafkalab.streams.",
        )
    return shared(Follower, query, key=str(query.runId))


def _own(query: Any, name: str) -> Any:
    # PySpark calls the JVM once for each field of a report; Spark's own object gives the whole report in one call.
    inner = getattr(query, "_jsq", None)
    return getattr(query, name) if inner is None else getattr(inner, name)()


def _json(report: Any) -> str | None:
    if report is None:
        return None
    found = report.json() if callable(getattr(report, "json", None)) else getattr(report, "json", report)
    return found if isinstance(found, str) else json.dumps(found)


def _trigger(query: Any) -> Trigger:
    # Spark has no public way to tell it; without it the view only draws less.
    try:
        return Trigger.of(str(query._jsq.streamingQuery().trigger().toString()))
    except Exception:
        return Trigger()
