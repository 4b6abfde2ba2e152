"""Static pictures as SVG: a small layer over ElementTree, which escapes text; they look like ``views/shared.css``.

Such an SVG carries its own colours for light and dark pages, loads nothing and runs nothing, has a title and a
description for screen readers, and marks everything with a shape or a word, never by colour alone.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import Any, Final
from xml.etree import ElementTree as ET

from kafkalab.views.words import shorten

_PARTITIONS = 12


def text_width(text: str, size: float = 12, bold: bool = False) -> float:
    """Estimate a text's width in pixels, because a layout must not depend on the fonts of the machine that draws."""
    wide = sum(
        0.34 if c in "iljtfr.,:;|!'()[] " else 0.9 if c in "mwMW@—…" else 0.62 if c.isupper() else 0.56 for c in text
    )
    return wide * size * (1.06 if bold else 1.0)


class Svg:
    """An SVG under construction; coordinates and sizes in pixels.

    Colours are named as in shared.css: ``"ink"``, ``"soft"``, ``"line"``, ``"bg"``, ``"panel"``, ``"accent"``,
    ``"ok"``, ``"warn"``, ``"bad"``, ``"p0"`` … for partitions (:func:`partition`) and ``"on0"`` … for their ink.

    :param title: what it shows, in a few words; read out by screen readers.
    :param description: what is to be seen, in a sentence or two.
    """

    def __init__(self, width: float, height: float, title: str, description: str = "") -> None:
        self.width, self.height = width, height
        self.root = ET.Element(
            "svg",
            {
                "xmlns": "http://www.w3.org/2000/svg",
                "viewBox": f"0 0 {_n(width)} {_n(height)}",
                "width": _n(width),
                "height": _n(height),
                "role": "img",
                "class": "kl-svg",
                "font-family": 'system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif',
            },
        )
        ET.SubElement(self.root, "title").text = shorten(title, 200)
        if description:
            ET.SubElement(self.root, "desc").text = shorten(description, 2000)
        ET.SubElement(self.root, "style").text = _style()
        self.rect(0, 0, width, height, fill="bg")

    def add(self, tag: str, parent: ET.Element | None = None, text: str | None = None, **attributes: Any) -> ET.Element:
        """Add any element; ``stroke_width=2`` becomes stroke-width, None is left out, fill and stroke are colours."""
        given = {}
        for name, value in attributes.items():
            if value is None:
                continue
            if name in ("fill", "stroke"):
                value = _colour(value)
            given[name.rstrip("_").replace("_", "-")] = _n(value) if isinstance(value, (int, float)) else str(value)
        element = ET.SubElement(self.root if parent is None else parent, tag, given)
        element.text = text
        return element

    def group(self, parent: ET.Element | None = None, **attributes: Any) -> ET.Element:
        """Add a ``<g>``."""
        return self.add("g", parent, **attributes)

    def rect(self, x: float, y: float, width: float, height: float, **attributes: Any) -> ET.Element:
        """Add a rectangle; ``rx`` rounds its corners."""
        return self.add("rect", x=x, y=y, width=max(0.0, width), height=max(0.0, height), **attributes)

    def line(self, x1: float, y1: float, x2: float, y2: float, stroke: str = "line", **attributes: Any) -> ET.Element:
        """Add a straight line."""
        return self.add("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=stroke, **attributes)

    def path(self, d: str, fill: str = "none", **attributes: Any) -> ET.Element:
        """Add a path."""
        return self.add("path", d=d, fill=fill, **attributes)

    def circle(self, x: float, y: float, r: float, **attributes: Any) -> ET.Element:
        """Add a circle."""
        return self.add("circle", cx=x, cy=y, r=r, **attributes)

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
        mono: bool = False,
        limit: int = 80,
        **attributes: Any,
    ) -> ET.Element:
        """Add a line of text with its baseline at y, made safe and shortened; ``anchor``: start, middle or end."""
        return self.add(
            "text",
            text=shorten(text, limit),
            x=x,
            y=y,
            fill=fill,
            font_size=size,
            font_weight="600" if bold else None,
            font_family='ui-monospace, "DejaVu Sans Mono", monospace' if mono else None,
            text_anchor=anchor,
            **attributes,
        )

    def hint(self, element: ET.Element, text: object) -> None:
        """Add a tooltip, which appears where an SVG is shown by itself."""
        title = ET.Element("title")
        title.text = shorten(text, 300)
        element.insert(0, title)

    def to_string(self) -> str:
        """Return the whole picture as text."""
        return ET.tostring(self.root, encoding="unicode")


def partition(i: int) -> str:
    """Return the name of partition i's colour."""
    return f"p{abs(i) % _PARTITIONS}"


def on_partition(i: int) -> str:
    """Return the name of the colour for text on partition i's colour."""
    return f"on{abs(i) % _PARTITIONS}"


def key_colour(i: int, share: int, ground: str = "bg") -> str:
    """Return the colour of a record's key, as in the page's log: ``share`` percent of it, the rest is ``ground``."""
    return f"color-mix(in srgb,hsl({(47 * i + 20) % 360} 75% 50%) {share}%,var(--kl-{ground}))"


def _colour(name: str) -> str:
    as_it_is = name in ("none", "currentColor") or name.startswith(("#", "url(", "var(", "color-mix("))
    return name if as_it_is else f"var(--kl-{name})"


def _n(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


@cache
def _style() -> str:
    """Return the palette of shared.css as CSS, for the reader's own choice of light or dark."""
    sheet = (files("kafkalab.views") / "shared.css").read_text(encoding="utf-8")
    light_part, _, dark_part = sheet.partition("color-scheme: light")
    light = {
        "bg": "#fff",
        "ink": "#1b1f24",
        "soft": "#596068",
        "line": "#d8dde2",
        "panel": "#f6f8fa",
        "accent": "#1f6feb",
        **_palette(light_part),
    }
    dark = {
        "bg": "#111417",
        "ink": "#e7ebef",
        "soft": "#a3abb4",
        "line": "#363c43",
        "panel": "#191d21",
        "accent": "#6ea8fe",
        **_palette(dark_part.partition("color-scheme: dark")[0]),
    }

    def variables(palette: dict[str, str]) -> str:
        return "".join(f"--kl-{name}:{value};" for name, value in palette.items())

    return f".kl-svg{{{variables(light)}}}@media (prefers-color-scheme:dark){{.kl-svg{{{variables(dark)}}}}}"


def _palette(sheet: str) -> dict[str, str]:
    return dict(re.findall(r"--kl-(ok|warn|bad|p\d+|on\d+):\s*(#[0-9a-fA-F]{3,6})", sheet))


# --- A still picture in the colours of the page that shows it.


#: JupyterLab's own colours, and ours outside of it: its theme may differ from the system's.
_COLOURS: Final = {
    "bg": "--jp-layout-color0,#fff",
    "ink": "--jp-content-font-color1,#1b1f24",
    "soft": "--jp-content-font-color2,#596068",
    "line": "--jp-border-color1,#d8dde2",
    "panel": "--jp-layout-color2,#f6f8fa",
    "accent": "--jp-brand-color1,#1f6feb",
    "ok": "--jp-success-color1,#1a7f5a",
    "warn": "--jp-warn-color1,#b35900",
    "bad": "--jp-error-color1,#b3261e",
}


def in_theme(svg: str) -> str:
    """Return an SVG of :class:`Svg` as HTML that follows the page's theme and fits its width."""
    colours = ";".join(f"--kl-{name}:var({value})" for name, value in _COLOURS.items())
    return svg.replace("<svg ", f'<svg style="{colours};max-width:100%;height:auto" ', 1)
