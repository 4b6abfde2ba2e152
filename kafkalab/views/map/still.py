"""The still forms of the truck map: an SVG of land, geofences and trucks, and HTML with that picture and a table."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable
from html import escape

import numpy as np

from kafkalab.views.map.geography import Floats, Geography
from kafkalab.views.map.looks import OUTSIDE, SPEED_HUES, ColourBy, Count, Fences, counts, groups, letter
from kafkalab.views.map.table import NO_PARTITION, TruckTable
from kafkalab.views.words import hue, shape, shorten

WIDTH = 640
_RADIUS = 3.2
_NONE = "#8c8f96"

#: Outlines of the marks as relative paths from the centre; the placeholders are sizes in pixels.
_OUTLINES: dict[str, str] = {
    "circle": "m-{a} 0a{a} {a} 0 1 0 {b} 0a{a} {a} 0 1 0-{b} 0z",
    "square": "m-{a}-{a}h{b}v{b}h-{b}z",
    "diamond": "m0-{c}l{c} {c}l-{c} {c}l-{c}-{c}z",
    "triangle": "m0-{c}l{c} {b}h-{d}z",
    "wedge": "m0 {c}l{c}-{b}h-{d}z",
}


def to_svg(land: Geography, table: TruckTable, title: str, colour_by: ColourBy, fences: Fences) -> str:
    """Return the map as one SVG picture, in the light theme's colours. Text from outside is escaped."""
    west, south, east, north = land.frame
    scale = WIDTH / (east - west)
    height = round((north - south) * scale)

    def pixels(points: Floats) -> Floats:
        return np.stack([(points[:, 0] - west) * scale, (north - points[:, 1]) * scale], axis=-1)

    shapes = [
        f"<title>{escape(shorten(title, 200))}</title><desc>{escape(table.summary())}</desc>",
        f'<rect width="{WIDTH}" height="{height}" fill="#eef3f8"/>',
        f'<path fill="#fff" stroke="#b9c2cc" stroke-width=".6" d="{_lines(land.land, pixels, "z")}"/>',
        f'<path fill="none" stroke="#d7dbe0" stroke-width=".6" d="{_lines(land.borders, pixels)}"/>',
        *(
            _fence(i, fence.name, pixels(ring))
            for i, (fence, ring) in enumerate(zip(fences.fences, fences.rings, strict=True))
        ),
    ]
    where = pixels(land.projection(table.latitude, table.longitude)) if len(table) else np.empty((0, 2))
    own = groups(table, colour_by, fences)
    for group in np.unique(own).tolist():
        points = where[own == group]
        if colour_by == "geofence" and group != OUTSIDE:
            shapes.append(_lettered(group, points))
        elif colour_by == "speed" and group > 0:
            shapes.append(_arrows(group, points, table.heading[own == group]))
        else:
            shapes.append(_marks(colour_by, group, points))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        f'font-family="system-ui, sans-serif">{"".join(shapes)}</svg>'
    )


def _fence(i: int, name: str, ring: Floats) -> str:
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in ring.tolist())
    x, y = ring[:, 0].mean(), ring[:, 1].min() - 4
    return (
        f'<polygon points="{points}" fill="{hue(i)}" fill-opacity=".1" stroke="{hue(i)}" stroke-width="1.4" '
        f'stroke-dasharray="5 3"/><text x="{x:.1f}" y="{y:.1f}" font-size="11" font-weight="600" text-anchor="middle" '
        f'fill="#1b1f24">{letter(i)} {escape(shorten(name, 30))}</text>'
    )


def _lettered(group: int, where: Floats) -> str:
    discs = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5.2"/>' for x, y in where.tolist())
    words = "".join(f'<text x="{x:.1f}" y="{y + 2.8:.1f}">{letter(group)}</text>' for x, y in where.tolist())
    return (
        f'<g fill="{hue(group)}">{discs}</g>'
        f'<g fill="#fff" font-size="8" font-weight="700" text-anchor="middle">{words}</g>'
    )


def _arrows(group: int, where: Floats, heading: Floats) -> str:
    size = _RADIUS * (0.95 + 0.14 * group)
    marks = "".join(
        f'<path transform="translate({x:.1f} {y:.1f}) rotate({0 if angle != angle else angle:.0f})" '
        f'd="M0-{1.5 * size:.2f}L{size:.2f} {size:.2f}L0 {0.5 * size:.2f}L-{size:.2f} {size:.2f}z"/>'
        for (x, y), angle in zip(where.tolist(), heading.tolist(), strict=True)
    )
    return f'<g fill="{SPEED_HUES[group]}" stroke="#fff" stroke-width=".4">{marks}</g>'


def _lines(lines: Iterable[Floats], pixels: Callable[[Floats], Floats], end: str = "") -> str:
    """Return path data on a grid of two pixels; neighbours on the same grid point become one, which drops most."""
    paths = []
    for line in lines:
        points = np.round(pixels(line) / 2).astype(int) * 2
        kept = points[np.r_[True, np.any(np.diff(points, axis=0) != 0, axis=1)]]
        if len(kept) > 2 - (not end):
            steps = " ".join(f"{x} {y}" for x, y in np.diff(kept, axis=0).tolist())
            paths.append(f"M{kept[0, 0]} {kept[0, 1]}l{steps}{end}")
    return "".join(paths)


def _marks(colour_by: ColourBy, number: int, where: Floats) -> str:
    if colour_by != "partition":  # stands still, or belongs to nothing
        name = "square" if number == 0 else "circle"
        look = f'fill="#fff" stroke="{SPEED_HUES[0] if number == 0 else _NONE}" stroke-width="1.1"'
    elif number == NO_PARTITION:
        name, look = "circle", f'fill="{_NONE}"'
    else:
        name, filled = shape(number)
        look = f'fill="{hue(number)}"' if filled else f'fill="#fff" stroke="{hue(number)}" stroke-width="1.2"'
    a = _RADIUS * (1.0 if name == "circle" else 0.9)
    sizes = {"a": a, "b": 2 * a, "c": 1.25 * _RADIUS, "d": 2.5 * _RADIUS}
    mark = _OUTLINES[name].format(**{k: f"{v:.2f}" for k, v in sizes.items()})
    return f'<path {look} d="{"".join(f"M{x:.1f} {y:.1f}{mark}" for x, y in where.tolist())}"/>'


# --- The truck map as static HTML, for where no kernel runs: an SVG picture and a table of what its marks say.


_HEADS: dict[ColourBy, str] = {"partition": "Partition", "speed": "Speed", "geofence": "Geofence"}


def to_html(land: Geography, table: TruckTable, title: str, colour_by: ColourBy, fences: Fences) -> str:
    """Return the picture, with its summary as the text alternative, and the counts. Text from a topic is escaped.

    The picture is an image, because sites that show notebooks drop inline SVG, and might show its text on its own.
    """
    summary = table.summary()
    image = base64.b64encode(to_svg(land, table, title, colour_by, fences).encode()).decode()
    rows = "".join(_row(count, colour_by) for count in counts(table, colour_by, fences))
    head = "".join(f'<th scope="col">{word}</th>' for word in (_HEADS[colour_by], "Trucks", "Moving", "Mean km/h"))
    table_html = f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>" if rows else ""
    return (
        f"<div><p><strong>{escape(shorten(title, 200))}</strong>: {escape(summary)}</p>"
        f'<img alt="{escape(summary)}" width="{WIDTH}" src="data:image/svg+xml;base64,{image}">{table_html}</div>'
    )


def _row(count: Count, colour_by: ColourBy) -> str:
    name = escape(shorten(count.name, 40))
    if count.group not in (NO_PARTITION, OUTSIDE):
        colour = SPEED_HUES[count.group] if colour_by == "speed" else hue(count.group)
        name = f'<span style="color:{colour};background:#fff">■</span> {name}'
    mean = "" if count.mean_kmh is None else f"{count.mean_kmh:.0f}"
    cells = "".join(f"<td>{value}</td>" for value in (count.trucks, count.moving, mean))
    return f'<tr><th scope="row" style="text-align:left">{name}</th>{cells}</tr>'
