"""How a partition is marked on maps and figures: a hue and a shape, so that colour is never the only key."""

from __future__ import annotations

import re
from importlib.resources import files


def _light_hues() -> tuple[str, ...]:
    sheet = (files("kafkalab.views") / "shared.css").read_text(encoding="utf-8")
    found = dict(re.findall(r"--kl-p(\d+):\s*(#[0-9a-fA-F]{6})", sheet.partition("color-scheme: light")[0]))
    return tuple(found[str(i)] for i in range(len(found)))


#: The light theme's partition hues, for pictures that cannot ask a theme; views/shared.css is where they are chosen.
HUES = _light_hues()

#: Shape i % 10 of partition i, as in views/map/marks.js: five shapes filled, then the same five hollow.
SHAPES = ("circle", "square", "diamond", "triangle", "wedge")


def hue(partition: int) -> str:
    """The colour of a partition, as #rrggbb."""
    return HUES[partition % len(HUES)]


def shape(partition: int) -> tuple[str, bool]:
    """The shape of a partition, and whether it is filled."""
    return SHAPES[partition % len(SHAPES)], partition % (2 * len(SHAPES)) < len(SHAPES)


def shape_name(partition: int) -> str:
    """The shape in words: "circle", "hollow square"."""
    name, filled = shape(partition)
    return name if filled else f"hollow {name}"
