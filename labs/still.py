"""A still picture as a cell's output: an image for light pages and one for dark pages, with its words."""

from __future__ import annotations

import base64
from html import escape
from pathlib import Path

#: Maximum length of the alternative text, in characters.
_LONGEST = 600
#: How many times as many pixels a picture has as it takes up in width, for sharp screens.
SHARPER = 1.5
#: JupyterLab says on the body whether its theme is light; on other pages the reader's own choice counts.
_THEMES = (
    '<style>body[data-jp-theme-light="false"] .kl-still-light{display:none!important}'
    'body[data-jp-theme-light="false"] .kl-still-dark{display:block!important}'
    "@media(prefers-color-scheme:dark){body:not([data-jp-theme-light]) .kl-still-light{display:none!important}"
    "body:not([data-jp-theme-light]) .kl-still-dark{display:block!important}}</style>"
)


def picture(folder: Path, name: str) -> dict[str, str]:
    """Return a still picture as a cell's output: an image for light pages and one for dark pages, with its words.

    :param folder: of ``NAME.light.webp``, ``NAME.dark.webp`` and ``NAME.txt``; ``name``: of the three.
    """
    said = " · ".join((folder / f"{name}.txt").read_text(encoding="utf-8").split("\n")).strip(" ·")
    said = " ".join(said.split())[:_LONGEST]
    images = ""
    for theme, hidden in (("light", ""), ("dark", "display:none;")):
        image = (folder / f"{name}.{theme}.webp").read_bytes()
        data = base64.b64encode(image).decode()
        fits = f"{hidden}width:{_width(image) / SHARPER:.0f}px;max-width:100%;height:auto"
        images += (
            f'<img class="kl-still-{theme}" alt="{escape(said)}" style="{fits}" src="data:image/webp;base64,{data}">'
        )
    return {"text/html": _THEMES + images, "text/plain": f"Picture, taken from a run: {said}"}


def _width(image: bytes) -> int:
    """Return the width of a WebP in pixels, from the header of its first chunk."""
    kind = image[12:16]
    if kind == b"VP8X":
        return int.from_bytes(image[24:27], "little") + 1
    if kind == b"VP8L":
        return (int.from_bytes(image[21:23], "little") & 0x3FFF) + 1
    return int.from_bytes(image[26:28], "little") & 0x3FFF
