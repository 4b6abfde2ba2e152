"""What a truck's mark can say: its partition, its speed, or the geofence it is in. As in static/map_looks.js."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.resources import files
from typing import Literal

import numpy as np
import numpy.typing as npt

from kafkalab.views.marks import shape_name
from kafkalab.views.truck_fences import OUTSIDE, Fences, letter
from kafkalab.views.truck_table import NO_PARTITION, TruckTable

ColourBy = Literal["partition", "speed", "geofence"]

#: km/h at which the classes of speed begin: still, then these.
SPEED_EDGES = (1, 60, 70, 80)

#: A speed that is not known.
NO_SPEED = -1


@dataclass(frozen=True, slots=True)
class Count:
    """The trucks with one look: all, those that move, and the mean km/h of these (None: none)."""

    group: int
    name: str
    trucks: int
    moving: int
    mean_kmh: float | None


def groups(table: TruckTable, colour_by: ColourBy, fences: Fences) -> npt.NDArray[np.int_]:
    """For each truck the number of its group: partition, class of speed (0: still), or geofence."""
    if colour_by == "speed":
        classes = np.searchsorted(SPEED_EDGES, table.speed, side="right")
        return np.where(np.isfinite(table.speed), classes, NO_SPEED).astype(int)
    if colour_by == "geofence":
        return fences.of(table.latitude, table.longitude).astype(int)
    return table.partition.astype(int)


def group_name(colour_by: ColourBy, group: int, fences: Fences) -> str:
    """A group in words: "P3 (triangle)", "60 to 70 km/h", "A Bonn"."""
    if colour_by == "speed":
        return speed_name(group)
    if colour_by == "geofence":
        return "outside" if group == OUTSIDE else f"{letter(group)} {fences.fences[group].name}"
    return "not known" if group == NO_PARTITION else f"P{group} ({shape_name(group)})"


def speed_name(group: int) -> str:
    """A class of speed in words."""
    if group == NO_SPEED:
        return "not known"
    if group == 0:
        return "stands still"
    if group == 1:
        return f"under {SPEED_EDGES[1]} km/h"
    if group == len(SPEED_EDGES):
        return f"{SPEED_EDGES[-1]} km/h or more"
    return f"{SPEED_EDGES[group - 1]} to {SPEED_EDGES[group]} km/h"


def counts(table: TruckTable, colour_by: ColourBy, fences: Fences) -> list[Count]:
    """A count for each group that has trucks, in order; those that belong to none last."""
    found = []
    own_groups, moving = groups(table, colour_by, fences), table.moving
    for group in sorted(set(own_groups.tolist()), key=lambda g: (g < 0 or g == NO_PARTITION, g)):
        own = own_groups == group
        driving = own & moving
        mean = float(table.speed[driving].mean()) if driving.any() else None
        name = group_name(colour_by, group, fences)
        found.append(Count(group, name, int(own.sum()), int(driving.sum()), mean))
    return found


def _speed_hues() -> tuple[str, ...]:
    sheet = (files("kafkalab.views") / "static" / "truck_map.css").read_text(encoding="utf-8")
    found = dict(re.findall(r"--kl-map-v(\d):\s*(#[0-9a-fA-F]{6})", sheet.partition("}")[0]))
    return tuple(found[str(i)] for i in range(len(found)))


#: The light theme's hues of the classes of speed, from still to fast; static/truck_map.css is where they are chosen.
SPEED_HUES = _speed_hues()
