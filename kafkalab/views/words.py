"""Words and marks that views, their pictures and figures share: text that is safe to show, and a partition's marks."""

from __future__ import annotations

import re
from hashlib import sha256
from importlib.resources import files

_LINE_ENDS = re.compile(r"[\t\n\r\v\f]+")
#: Characters that XML cannot hold, or that are invisible or turn the reading direction (as ``shorten`` in shared.ts).
_UNSHOWN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff\ufffe\uffff]"
)


def shorten(text: object, limit: int = 40) -> str:
    """Return text that is safe to show and fits into a line of at most ``limit`` characters, its end kept.

    Line ends become spaces, unsafe characters marks.
    """
    plain = _UNSHOWN.sub("\ufffd", _LINE_ENDS.sub(" ", str(text)))
    return plain if len(plain) <= limit else f"{plain[: limit - 9]}…{plain[-8:]}"


def brief(text: str, limit: int = 200) -> str:
    """Shorten a text of any length that is sent to a page: a checksum takes the place of what is cut off.

    Group, member and client ids may be 32 kB long each. The checksum keeps ids apart that begin alike.
    """
    return text if len(text) <= limit else f"{text[:limit]}…{sha256(text.encode('utf-8', 'replace')).hexdigest()[:8]}"


def count(n: int | None) -> str:
    """Format a number: 21400 → "21 400", with a narrow space that does not break; "unknown" for None."""
    return "unknown" if n is None else f"{n:,}".replace(",", "\u202f")


# --- Marks of partitions on maps and figures: a hue and a shape, so that colour is never the only key.


def _light_hues() -> tuple[str, ...]:
    sheet = (files("kafkalab.views") / "shared.css").read_text(encoding="utf-8")
    found = dict(re.findall(r"--kl-p(\d+):\s*(#[0-9a-fA-F]{6})", sheet.partition("color-scheme: light")[0]))
    return tuple(found[str(i)] for i in range(len(found)))


#: The light theme's partition hues from views/shared.css, for pictures that cannot know the theme of their page.
HUES = _light_hues()

#: Shape i % 10 of partition i, as in views/map/looks.ts: five shapes filled, then the same five hollow.
SHAPES = ("circle", "square", "diamond", "triangle", "wedge")


def hue(partition: int) -> str:
    """Return the colour of a partition, as #rrggbb."""
    return HUES[partition % len(HUES)]


def shape(partition: int) -> tuple[str, bool]:
    """Return the shape of a partition, and whether it is filled."""
    return SHAPES[partition % len(SHAPES)], partition % (2 * len(SHAPES)) < len(SHAPES)


def shape_name(partition: int) -> str:
    """Return the shape of a partition in words: "circle", "hollow square"."""
    name, filled = shape(partition)
    return name if filled else f"hollow {name}"
