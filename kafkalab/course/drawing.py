"""Drawings of labs as SVG: a small layer over ElementTree, which escapes text; colours are those of the views.

Such an SVG carries its own colours for light and dark pages, JupyterLab's themes included, loads nothing and runs
nothing, has a title and a description for screen readers, and marks everything with a shape or a word, never by colour
alone.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import Any
from xml.etree import ElementTree as ET

from kafkalab.views.words import shorten

_PARTITIONS = 12
_LIGHT = {"bg": "#fff", "ink": "#1b1f24", "soft": "#596068", "line": "#d8dde2", "panel": "#f6f8fa", "accent": "#1f6feb"}
_DARK = {
    "bg": "#111417",
    "ink": "#e7ebef",
    "soft": "#a3abb4",
    "line": "#363c43",
    "panel": "#191d21",
    "accent": "#6ea8fe",
}


class Svg:
    """An SVG under construction; coordinates and sizes in pixels.

    Colours are named as in shared.css: ``"ink"``, ``"soft"``, ``"line"``, ``"bg"``, ``"panel"``, ``"accent"``,
    ``"ok"``, ``"warn"``, ``"bad"``, ``"p0"`` … for partitions (:func:`partition`) and ``"on0"`` … for their ink.

    :param title: what it shows, in a few words; read out by screen readers.
    :param description: what is to be seen, in a sentence or two.
    """

    def __init__(self, width: float, height: float, title: str, description: str) -> None:
        self.root = ET.Element(
            "svg", xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {width:g} {height:g}", role="img"
        )
        for name, value in {
            "width": f"{width:g}",
            "height": f"{height:g}",
            "class": "kl-svg",
            "style": "max-width:100%;height:auto",
            "font-family": 'system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif',
        }.items():
            self.root.set(name, value)
        ET.SubElement(self.root, "title").text = shorten(title, 200)
        ET.SubElement(self.root, "desc").text = shorten(description, 2000)
        ET.SubElement(self.root, "style").text = _style()
        self.rect(0, 0, width, height, fill="bg")

    def add(self, tag: str, text: str | None = None, **attributes: Any) -> None:
        """Add an element; ``stroke_width=2`` becomes stroke-width, None is left out, fill and stroke are colours."""
        element = ET.SubElement(self.root, tag)
        element.text = text
        for name, value in attributes.items():
            if name in ("fill", "stroke") and value != "none":
                value = f"var(--kl-{value})"
            if value is not None:
                element.set(name.replace("_", "-"), f"{value:g}" if isinstance(value, float) else str(value))

    def rect(self, x: float, y: float, width: float, height: float, **attributes: Any) -> None:
        """Add a rectangle; ``rx`` rounds its corners."""
        self.add("rect", x=x, y=y, width=max(0.0, width), height=max(0.0, height), **attributes)

    def line(self, x1: float, y1: float, x2: float, y2: float, stroke: str = "line", **attributes: Any) -> None:
        """Add a straight line."""
        self.add("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=stroke, **attributes)

    def path(self, d: str, fill: str = "none", **attributes: Any) -> None:
        """Add a path."""
        self.add("path", d=d, fill=fill, **attributes)

    def circle(self, x: float, y: float, r: float, **attributes: Any) -> None:
        """Add a circle."""
        self.add("circle", cx=x, cy=y, r=r, **attributes)

    def text(
        self,
        x: float,
        y: float,
        text: object,
        *,
        fill: str = "ink",
        size: float = 12,
        bold: bool = False,
        anchor: str | None = None,
        limit: int = 80,
    ) -> None:
        """Add a line of text with its baseline at y, made safe and shortened; ``anchor``: start, middle or end."""
        weight = "600" if bold else None
        self.add(
            "text", shorten(text, limit), x=x, y=y, fill=fill, font_size=size, font_weight=weight, text_anchor=anchor
        )

    def to_string(self) -> str:
        """Return the whole picture as text, for a file or as part of a page."""
        return ET.tostring(self.root, encoding="unicode")


def text_width(text: str, size: float = 12, bold: bool = False) -> float:
    """Estimate a text's width in pixels, because a layout must not depend on the fonts of the machine that draws."""
    wide = sum(
        0.34 if c in "iljtfr.,:;|!'()[] " else 0.9 if c in "mwMW@—…" else 0.62 if c.isupper() else 0.56 for c in text
    )
    return wide * size * (1.06 if bold else 1.0)


def partition(i: int) -> str:
    """Return the name of partition i's colour."""
    return f"p{abs(i) % _PARTITIONS}"


def on_partition(i: int) -> str:
    """Return the name of the colour for text on partition i's colour."""
    return f"on{abs(i) % _PARTITIONS}"


@cache
def _style() -> str:
    """Return the palette of shared.css as CSS: for the theme of JupyterLab, or else the reader's own choice."""
    sheet = (files("kafkalab.views") / "shared.css").read_text(encoding="utf-8")
    parts = [*sheet.partition("color-scheme: light")[::2]]
    light, dark = (
        "".join(
            f"--kl-{name}:{value};"
            for name, value in {**base, **dict(re.findall(r"--kl-(ok|warn|bad|p\d+|on\d+):\s*(#\w+)", part))}.items()
        )
        for base, part in zip((_LIGHT, _DARK), parts, strict=True)
    )
    page = 'body[data-jp-theme-light="{}"] .kl-svg{{{}}}'
    system = f".kl-svg{{{light}}}@media (prefers-color-scheme:dark){{.kl-svg{{{dark}}}}}"
    return system + page.format("true", light) + page.format("false", dark)
