"""The truck map as static HTML, for where no kernel runs: an SVG picture and a table of the partitions."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable
from html import escape

import numpy as np

from kafkalab.views.geography import Floats, Geography
from kafkalab.views.marks import hue, shape, shape_name
from kafkalab.views.truck_table import NO_PARTITION, PartitionCount, TruckTable

_WIDTH = 640
_RADIUS = 3.2

#: Outlines as relative paths, in units of the radius, from the centre.
_OUTLINES: dict[str, str] = {
    "circle": "m-{a} 0a{a} {a} 0 1 0 {b} 0a{a} {a} 0 1 0-{b} 0z",
    "square": "m-{a}-{a}h{b}v{b}h-{b}z",
    "diamond": "m0-{c}l{c} {c}l-{c} {c}l-{c}-{c}z",
    "triangle": "m0-{c}l{c} {b}h-{d}z",
    "wedge": "m0 {c}l{c}-{b}h-{d}z",
}


def to_html(land: Geography, table: TruckTable, title: str) -> str:
    """The picture, with its summary as the text alternative, and the counts. What came from a topic is escaped.

    The picture is an image and not inline SVG: sites that show notebooks drop the latter, and its text cannot leak out.
    """
    summary = table.summary()
    image = base64.b64encode(to_svg(land, table).encode()).decode()
    rows = "".join(_row(count) for count in table.partitions())
    head = "".join(f'<th scope="col">{word}</th>' for word in ("Partition", "Trucks", "Moving", "Mean km/h"))
    counts = f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>" if rows else ""
    return (
        f"<div><p><strong>{escape(title)}</strong>: {escape(summary)}</p>"
        f'<img alt="{escape(summary)}" width="{_WIDTH}" src="data:image/svg+xml;base64,{image}">{counts}</div>'
    )


def to_svg(land: Geography, table: TruckTable) -> str:
    """The map as one SVG picture, in the light theme's colours."""
    west, south, east, north = land.frame
    scale = _WIDTH / (east - west)
    height = round((north - south) * scale)

    def pixels(points: Floats) -> Floats:
        return np.stack([(points[:, 0] - west) * scale, (north - points[:, 1]) * scale], axis=-1)

    shapes = [
        f'<rect width="{_WIDTH}" height="{height}" fill="#eef3f8"/>',
        f'<path fill="#fff" stroke="#b9c2cc" stroke-width=".6" d="{_lines(land.land, pixels, "z")}"/>',
        f'<path fill="none" stroke="#d7dbe0" stroke-width=".6" d="{_lines(land.borders, pixels)}"/>',
    ]
    where = pixels(land.projection(table.latitude, table.longitude)) if len(table) else np.empty((0, 2))
    for number in np.unique(table.partition).tolist():
        shapes.append(_marks(number, where[table.partition == number]))
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}">{"".join(shapes)}</svg>'


def _lines(lines: Iterable[Floats], pixels: Callable[[Floats], Floats], end: str = "") -> str:
    """Path data on a grid of two pixels; neighbours that fall on one point of it become one, which drops most."""
    paths = []
    for line in lines:
        points = np.round(pixels(line) / 2).astype(int) * 2
        kept = points[np.r_[True, np.any(np.diff(points, axis=0) != 0, axis=1)]]
        if len(kept) > 2 - (not end):
            steps = " ".join(f"{x} {y}" for x, y in np.diff(kept, axis=0).tolist())
            paths.append(f"M{kept[0, 0]} {kept[0, 1]}l{steps}{end}")
    return "".join(paths)


def _marks(number: int, where: Floats) -> str:
    if number == NO_PARTITION:
        name, look = "circle", 'fill="#8c8f96"'
    else:
        name, filled = shape(number)
        look = f'fill="{hue(number)}"' if filled else f'fill="#fff" stroke="{hue(number)}" stroke-width="1.2"'
    a = _RADIUS * (1.0 if name == "circle" else 0.9)
    sizes = {"a": a, "b": 2 * a, "c": 1.25 * _RADIUS, "d": 2.5 * _RADIUS}
    mark = _OUTLINES[name].format(**{k: f"{v:.2f}" for k, v in sizes.items()})
    return f'<path {look} d="{"".join(f"M{x:.1f} {y:.1f}{mark}" for x, y in where.tolist())}"/>'


def _row(count: PartitionCount) -> str:
    if count.partition is None:
        name = "not known"
    else:
        colour = hue(count.partition)
        name = f'<span style="color:{colour}">■</span> P{count.partition} ({shape_name(count.partition)})'
    mean = "" if count.mean_kmh is None else f"{count.mean_kmh:.0f}"
    cells = "".join(f"<td>{value}</td>" for value in (count.trucks, count.moving, mean))
    return f'<tr><th scope="row" style="text-align:left">{name}</th>{cells}</tr>'
