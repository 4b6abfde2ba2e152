"""What Spark says of a query: its reports of micro-batches as plain data, how it stands, and when a batch begins."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from kafkalab.errors import BadInput

Report = dict[str, Any]

#: Of a query, or of a list of reports with nothing behind it.
Standing = Literal["starting", "running", "stopped", "failed", "recorded"]


def plain(report: Any) -> Report:
    """Spark's report of a batch as plain data.

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
            "That is no report of a micro-batch.",
            seen=repr(report)[:200],
            do="Give what Spark reports: query.recentProgress, or a list of their JSON.",
        )
    return found


@dataclass(frozen=True, slots=True)
class Trigger:
    """When a batch begins. ``kind`` is Spark's: processing time, available now, once, continuous, real time, or
    "unknown"; ``every_ms`` milliseconds between two of them (real time: how long each is), None where there is no such
    time."""

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
        """From the way Spark writes it: ``ProcessingTimeTrigger(1000)``, ``AvailableNowTrigger``."""
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
    """Spark's time, ``2026-11-21T15:22:10.000Z``, in Unix seconds."""
    return round(datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp(), 3)
