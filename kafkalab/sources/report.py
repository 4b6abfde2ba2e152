"""A truck's report: the record that travels through the topic."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import get_type_hints

from kafkalab.errors import BadInput


@dataclass(frozen=True, slots=True)
class Report:
    """One report of one truck.

    ``record_id`` is its unique name ("T0042-000017": truck, sequence number from 0). ``time`` is event time in
    milliseconds since 1970, UTC. Latitude and longitude are in degrees, ``speed_kmh`` in km/h, ``heading_deg`` in
    degrees from 0 (north), clockwise, below 360.
    """

    record_id: str
    truck_id: str
    time: int
    latitude: float
    longitude: float
    speed_kmh: float
    heading_deg: float

    @property
    def key(self) -> bytes:
        """The record's key: the truck id, so that all reports of a truck are in one partition, in order."""
        return self.truck_id.encode()

    @property
    def value(self) -> bytes:
        """The record's value: a JSON object of the fields, in this order."""
        return json.dumps(self.to_dict()).encode()

    @classmethod
    def parse(cls, value: bytes | str) -> Report:
        """Read a report from a record's value (the inverse of :attr:`value`).

        :raises BadInput: the value is not a JSON object of exactly these fields and types.
        """
        try:
            fields = json.loads(value)
            report = cls(**fields)
            right = all(type(getattr(report, name)) is kind for name, kind in _KINDS.items())
        except (ValueError, TypeError) as error:
            raise _malformed(value, str(error)) from error
        if not right:
            raise _malformed(value, "a field of the wrong type")
        return report

    def __str__(self) -> str:
        where = f"{self.latitude:.4f}, {self.longitude:.4f}"
        return f"{self.record_id}: {where}, {self.speed_kmh:g} km/h, heading {self.heading_deg:g}°"

    def to_dict(self) -> dict[str, str | int | float]:
        """Return the fields as plain JSON."""
        return {name: getattr(self, name) for name in _KINDS}


#: The fields, in their order, and their types.
_KINDS: dict[str, type] = get_type_hints(Report)


def _malformed(value: bytes | str, why: str) -> BadInput:
    return BadInput(
        "This is not a truck's report.",
        seen=f"{value[:120]!r} ({why})",
        do=f"A report must be a JSON object with {', '.join(_KINDS)}.",
    )
