"""The truck map as static HTML, for where no kernel runs: an SVG picture and a table of what its marks say."""

from __future__ import annotations

import base64
from html import escape

from kafkalab.views.geography import Geography
from kafkalab.views.marks import hue
from kafkalab.views.svg import shorten
from kafkalab.views.truck_fences import OUTSIDE, Fences
from kafkalab.views.truck_looks import SPEED_HUES, ColourBy, Count, counts
from kafkalab.views.truck_map_svg import WIDTH, to_svg
from kafkalab.views.truck_table import NO_PARTITION, TruckTable

_HEADS: dict[ColourBy, str] = {"partition": "Partition", "speed": "Speed", "geofence": "Geofence"}


def to_html(land: Geography, table: TruckTable, title: str, colour_by: ColourBy, fences: Fences) -> str:
    """The picture, with its summary as the text alternative, and the counts. What came from a topic is escaped.

    The picture is an image and not inline SVG: sites that show notebooks drop the latter, and its text cannot leak out.
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
        name = f'<span style="color:{colour}">■</span> {name}'
    mean = "" if count.mean_kmh is None else f"{count.mean_kmh:.0f}"
    cells = "".join(f"<td>{value}</td>" for value in (count.trucks, count.moving, mean))
    return f'<tr><th scope="row" style="text-align:left">{name}</th>{cells}</tr>'
