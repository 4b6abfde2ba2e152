"""The trucks on the map as a PNG, for reports and for terminals; drawn with matplotlib."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.figure import Figure

from kafkalab.errors import BadInput
from kafkalab.views.map.geography import Geography, geography
from kafkalab.views.words import hue, shape

#: matplotlib's marker for each shape, and the size at which all look equally large.
_MARKS = {
    "circle": ("o", 4.4),
    "square": ("s", 3.9),
    "diamond": ("D", 3.7),
    "triangle": ("^", 4.9),
    "wedge": ("v", 4.9),
}
_SEA, _LAND, _LINE, _ROAD, _INK, _SOFT = "#eef3f8", "#ffffff", "#b9c2cc", "#e3e7ec", "#1b1f24", "#5b6570"
_NAMED = 22


def draw_map(
    path: str | Path,
    latitude: npt.ArrayLike,
    longitude: npt.ArrayLike,
    partition: npt.ArrayLike,
    title: str = "",
) -> Path:
    """Draw trucks on a map, marked by partition, and write the picture to ``path`` as PNG; return the path.

    :param latitude: degrees, one for each truck, as ``longitude``; trucks whose position is not a number are left out.
    :param partition: a whole number from 0, one for each truck.
    :raises BadInput: columns of different lengths, or a path that cannot be written.

    Nothing of pyplot is used: the caller's own figures and backend stay as they are.
    """
    lat, lon, parts = np.asarray(latitude, float), np.asarray(longitude, float), np.asarray(partition, int)
    if not (lat.ndim == 1 and lat.shape == lon.shape == parts.shape):
        raise BadInput(
            "Latitude, longitude and partition need one number for each truck.",
            seen=f"shapes {lat.shape}, {lon.shape}, {parts.shape}",
        )
    land = geography()
    west, south, east, north = land.frame
    figure = Figure(figsize=(11, 11 * (north - south) / (east - west) + 0.9), dpi=110, facecolor="#ffffff")
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0.0, 0.06, 1.0, 0.88), facecolor=_SEA)
    axes.set(xlim=(west, east), ylim=(south, north), xticks=[], yticks=[], aspect="equal")
    for spine in axes.spines.values():
        spine.set_visible(False)
    _draw_land(axes, land)
    _draw_trucks(axes, land, lat, lon, parts)
    figure.text(0.012, 0.965, title or f"{len(lat)} trucks", fontsize=14, weight="bold", color=_INK, va="center")
    if len(parts):
        axes.legend(
            loc="upper center", bbox_to_anchor=(0.5, 0.0), ncols=min(10, len(set(parts.tolist()))), frameon=False,
            fontsize=9, handletextpad=0.2, columnspacing=1.2, labelcolor=_INK, markerscale=1.5,
        )  # fmt: skip
    try:
        figure.savefig(path, format="png")
    except OSError as error:
        raise BadInput(f"The map cannot be written to {path}.", seen=str(error), do="Choose another path.") from error
    return Path(path)


def _draw_land(axes: Axes, land: Geography) -> None:
    axes.add_collection(PolyCollection(list(land.land), facecolors=_LAND, edgecolors=_LINE, linewidths=0.7, zorder=1))
    axes.add_collection(LineCollection(list(land.borders), colors=_LINE, linewidths=0.5, zorder=2))
    axes.add_collection(LineCollection(list(land.roads), colors=_ROAD, linewidths=0.8, zorder=2))
    for name, _, (x, y) in land.cities[:_NAMED]:
        axes.annotate(name, (x, y), xytext=(4, 4), textcoords="offset points", fontsize=7.5, color=_SOFT, zorder=3)


def _draw_trucks(
    axes: Axes, land: Geography, lat: npt.NDArray[np.float64], lon: npt.NDArray[np.float64], parts: npt.NDArray[np.int_]
) -> None:
    points = land.projection(lat, lon)
    for number in sorted(set(parts.tolist())):
        own = points[parts == number]
        name, filled = shape(number)
        marker, size = _MARKS[name]
        axes.plot(
            own[:, 0], own[:, 1], linestyle="none", marker=marker, markersize=size,
            markerfacecolor=hue(number) if filled else _LAND, markeredgecolor=hue(number) if not filled else _LAND,
            markeredgewidth=1.1 if not filled else 0.4, label=f"P{number}  {len(own)}", zorder=5,
        )  # fmt: skip
