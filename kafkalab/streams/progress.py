"""StreamProgress: how a stream is doing, from what Spark reports after each of its micro-batches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from html import escape
from typing import Any


@dataclass(frozen=True, slots=True)
class StreamProgress:
    """One micro-batch of a stream.

    - ``at``: when it began, as Spark writes it (UTC); ``batch``: its number, from 0.
    - ``input_rows``: records read in it; ``input_rows_per_second``: records arriving since the batch before;
      ``processed_rows_per_second``: how fast this batch went through. When more arrive than go through, lag grows.
    - ``batch_ms``: how long it took, in milliseconds.
    - ``state_rows``: rows of state kept (one a group); ``dropped_late``: rows of this batch behind the watermark.
    - ``behind``: records of the source not read yet when the batch was planned, over all partitions; None when the
      source does not tell.
    - ``watermark``: event time before which rows are too late; None without a watermark.
    """

    at: str
    batch: int
    input_rows: int
    input_rows_per_second: float
    processed_rows_per_second: float
    batch_ms: int
    state_rows: int
    dropped_late: int
    behind: int | None
    watermark: str | None

    @classmethod
    def of(cls, report: Mapping[str, Any]) -> StreamProgress:
        """From Spark's own report (the JSON of a StreamingQueryProgress)."""
        state = report.get("stateOperators") or []
        return cls(
            at=report["timestamp"],
            batch=report["batchId"],
            input_rows=int(report.get("numInputRows", 0)),
            # NaN and infinity come as text or not at all, for a batch that took no time.
            input_rows_per_second=_number(report.get("inputRowsPerSecond")),
            processed_rows_per_second=_number(report.get("processedRowsPerSecond")),
            batch_ms=int(report.get("batchDuration") or report.get("durationMs", {}).get("triggerExecution", 0)),
            state_rows=sum(int(s.get("numRowsTotal", 0)) for s in state),
            dropped_late=sum(int(s.get("numRowsDroppedByWatermark", 0)) for s in state),
            behind=_behind(report.get("sources") or []),
            watermark=(report.get("eventTime") or {}).get("watermark"),
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON of the fields."""
        return asdict(self)

    def rows(self) -> list[tuple[str, str]]:
        """Name and value of each line shown."""
        rows = [
            ("batch", f"{self.batch}, {self.batch_ms:,} ms"),
            ("arriving", f"{self.input_rows_per_second:,.0f} records/s"),
            ("processed", f"{self.processed_rows_per_second:,.0f} records/s, {self.input_rows:,} in this batch"),
            ("behind", "unknown" if self.behind is None else f"{self.behind:,} records"),
            ("state", f"{self.state_rows:,} rows"),
        ]
        if self.watermark is not None:
            rows.append(("watermark", f"{self.watermark}, {self.dropped_late:,} rows later than that"))
        return rows

    def __str__(self) -> str:
        return "\n".join(f"  {name:<10} {value}" for name, value in self.rows())

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(str(self))

    def _repr_html_(self) -> str:
        return table("", self.rows())


def table(caption: str, rows: list[tuple[str, str]]) -> str:
    """A small HTML table of names and values; everything is escaped here."""
    left = "style='text-align:left'"
    head = f"<caption {left}>{escape(caption)}</caption>" if caption else ""
    body = "".join(f"<tr><th scope='row' {left}>{escape(n)}</th><td {left}>{escape(v)}</td></tr>" for n, v in rows)
    return f"<table>{head}<tbody>{body}</tbody></table>"


def _number(value: Any) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        return 0.0
    return number if number == number and abs(number) != float("inf") else 0.0


def _behind(sources: list[Mapping[str, Any]]) -> int | None:
    """Offsets between what was read and what is there, from each source that says both, partition by partition."""
    total = None
    for source in sources:
        end, latest = source.get("endOffset"), source.get("latestOffset")
        if isinstance(end, Mapping) and isinstance(latest, Mapping):
            for topic, partitions in latest.items():
                for partition, offset in partitions.items():
                    read = end.get(topic, {}).get(partition, 0)
                    total = (total or 0) + max(0, offset - read)
    return total
