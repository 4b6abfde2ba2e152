"""Trucks at a moment of a recording, as plain JSON that is small where little moved, and as the map's own table.

What a page without a kernel draws a map from::

    {"ids": ["T0001", …], "rows": ["523401 134050 71 183 3", …], "unplaced": 0, "title", "at"}

A row a truck, in the order of their first reports: latitude and longitude in ten-thousandths of a degree (11 m), km/h,
degrees clockwise from north, partition; all whole numbers, so that a truck that moved is one short string in a patch.
``at`` is the Unix time at which the last of them became known.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kafkalab.state.recorded_trucks import Reported
from kafkalab.views.truck_table import TruckTable

#: So many of a row's units make a degree.
UNITS = 10_000


def drawn(trucks: Mapping[str, Reported], title: str, at: float | None) -> dict[str, Any]:
    """The whole picture; ``at``: Unix time, None while there are no trucks."""
    return {
        "title": title, "ids": list(trucks), "rows": [row(t) for t in trucks.values()], "unplaced": 0, "at": at,
    }  # fmt: skip


def row(truck: Reported) -> str:
    """A truck in a few characters."""
    latitude, longitude = round(truck.latitude * UNITS), round(truck.longitude * UNITS)
    return f"{latitude} {longitude} {round(truck.speed)} {round(truck.heading) % 360} {truck.partition}"


def table(trucks: Mapping[str, Reported]) -> TruckTable:
    """The columns that the map draws in a notebook."""
    found, told = TruckTable(), trucks.values()
    found.update(
        list(trucks),
        [t.latitude for t in told],
        [t.longitude for t in told],
        [t.partition for t in told],
        [t.speed for t in told],
        [t.heading for t in told],
    )
    return found
