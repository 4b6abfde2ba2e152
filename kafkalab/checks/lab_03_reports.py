"""Trucks' reports that nobody has seen, for the judges of lab 03."""

from __future__ import annotations

import json
from random import Random
from typing import Any


def unseen(count: int, random: Random) -> list[dict[str, Any]]:
    """So many reports, in the shape of the fleet's; each truck reports once."""
    begin = random.randrange(1_700_000_000_000, 1_900_000_000_000)
    return [
        {
            "record_id": f"{truck}-{random.randrange(100):06}",
            "truck_id": truck,
            "time": begin + n * 20_000 // count,
            "latitude": round(random.uniform(-60, 70), 5),
            "longitude": round(random.uniform(-180, 180), 5),
            "speed_kmh": round(random.uniform(0, 120), 1),
            "heading_deg": round(random.uniform(0.1, 359.9), 1),
        }
        for n, truck in enumerate(f"T{number:04}" for number in random.sample(range(10_000), count))
    ]


def as_records(reports: list[dict[str, Any]]) -> list[tuple[bytes, bytes]]:
    """The same as (key, value): the truck's id, and JSON."""
    return [(report["truck_id"].encode(), json.dumps(report).encode()) for report in reports]
