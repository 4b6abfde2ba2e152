"""What a publisher says of itself."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from html import escape
from typing import Any


@dataclass(frozen=True, slots=True)
class PublisherStats:
    """Counts are records since the publisher was made, rates records a second of the clock.

    ``rate`` is of records acknowledged, over the last five seconds; ``target_rate`` what the pace asks for. ``behind``:
    seconds of the clock since the next record was due. ``event_time``: seconds after the fleet's start up to which
    everything was sent. ``last_error``: of the last record that failed, or of a callback; None if there was none.
    """

    topic: str
    running: bool
    sent: int
    acknowledged: int
    failed: int
    rate: float
    target_rate: float
    behind: float
    event_time: float
    last_error: str | None

    @property
    def waiting(self) -> int:
        """Records sent and neither acknowledged nor failed yet."""
        return self.sent - self.acknowledged - self.failed

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON of the fields."""
        return asdict(self)

    def _rows(self) -> list[tuple[str, str]]:
        rows = [
            ("rate", f"{self.rate:,.0f} records/s acknowledged, {self.target_rate:,.0f} wanted"),
            ("behind", f"{self.behind:.1f} s"),
            ("sent", f"{self.sent:,}"),
            ("acknowledged", f"{self.acknowledged:,}"),
            ("under way", f"{self.waiting:,}"),
            ("failed", f"{self.failed:,}"),
        ]
        return [*rows, ("last error", self.last_error)] if self.last_error else rows

    def __str__(self) -> str:
        return "\n".join([f"Publisher to {self.topic}, {self._state()}", *(f"  {k:<13}{v}" for k, v in self._rows())])

    def _state(self) -> str:
        return "running" if self.running else "not running"

    def _repr_html_(self) -> str:
        left = 'style="text-align:left"'
        cells = "".join(
            f'<tr><th scope="row" {left}>{escape(k)}</th><td {left}>{escape(v)}</td></tr>' for k, v in self._rows()
        )
        caption = f"Publisher to <b>{escape(self.topic)}</b>, {self._state()}"
        return f"<table><caption {left}>{caption}</caption><tbody>{cells}</tbody></table>"
