"""A truck's report: the record that travels through the topic."""

from __future__ import annotations

import json
from dataclasses import dataclass


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

    def to_dict(self) -> dict[str, str | int | float]:
        """Return the fields as plain JSON."""
        return {name: getattr(self, name) for name in self.__slots__}
