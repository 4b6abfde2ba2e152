"""What a cluster's SVG is put together from: signs, chips, pills, wrapped lines. Sizes in pixels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kafkalab.views import svg as drawing
from kafkalab.views.cluster_drawn import MEANINGS, Part, count
from kafkalab.views.svg import Svg, on_partition, partition

CHIP = 22.0
_GAP = 6.0
_CROWN = "M1.2 10 .8 3.4 3.7 5.9 6 1.6l2.3 4.3 2.9-2.5-.4 6.6z"
_CROSS = "M2.5 2.5l7 7m0-7l-7 7"

#: (partition, what its replica here is to it, how many records it is behind, or 0)
Chip = tuple[int, Part, int]


def text_width(text: str, size: float = 12, bold: bool = False) -> float:
    """About how wide a text is at most: names stand side by side here, and some fonts are wider than others."""
    return 1.15 * drawing.text_width(text, size, bold)


def sign(svg: Svg, part: Part, x: float, y: float, colour: str) -> None:
    """The sign of a part, 12 × 12 with its corner at x, y: crown, dot, dashed ring or cross, as static/ draws them."""
    at = f"translate({x:g} {y:g})"
    match part:
        case "leader":
            svg.path(_CROWN, fill=colour, transform=at)
        case "follower":
            svg.circle(x + 6, y + 6, 3.2, fill=colour)
        case "behind":
            svg.circle(x + 6, y + 6, 3.8, fill="none", stroke=colour, stroke_width=1.6, stroke_dasharray="2.4 1.6")
        case "down":
            svg.path(_CROSS, stroke=colour, stroke_width=2, stroke_linecap="round", transform=at)


def chip_width(chip: Chip) -> float:
    """How wide a chip is."""
    return 26 + text_width(f"P{chip[0]}", 12, True) + (4 + text_width(_late(chip), 11) if chip[2] else 0)


def flow(chips: Sequence[Chip], width: float) -> tuple[list[tuple[float, float, Chip]], float]:
    """Chips in lines no wider than ``width``: (x, y, chip) of each, and how high they are together."""
    found, x, y = [], 0.0, 0.0
    for chip in chips:
        wide = chip_width(chip)
        if x and x + wide > width:
            x, y = 0.0, y + CHIP + _GAP
        found.append((x, y, chip))
        x += wide + _GAP
    return found, y + CHIP if chips else 0.0


def draw_chip(svg: Svg, x: float, y: float, chip: Chip, said: str) -> None:
    """One replica, with what it is in a tooltip."""
    number, part, late = chip
    hue, wide = partition(number), chip_width(chip)
    box = svg.rect(
        x + 1,
        y + 1,
        wide - 2,
        CHIP - 2,
        rx=7,
        fill=hue if part == "leader" else "bg",
        stroke="line" if part == "down" else hue,
        stroke_width=2,
        stroke_dasharray="5 3" if part == "behind" else None,
    )
    svg.hint(box, f"{said}: {MEANINGS[part]}{f', {count(late)} records behind' if late else ''}")
    ink = {"leader": on_partition(number), "down": "soft"}.get(part, "ink")
    sign(svg, part, x + 6, y + 5, hue if part in ("follower", "behind") else ink)
    name = svg.text(x + 21, y + 15.5, f"P{number}", size=12, bold=True, fill=ink)
    if part == "down":
        name.set("text-decoration", "line-through")
    if late:
        svg.text(x + 25 + text_width(f"P{number}", 12, True), y + 15, _late(chip), size=11, fill="soft")


def _late(chip: Chip) -> str:
    return f"−{count(chip[2])}"


def pill(svg: Svg, x: float, y: float, words: str, colour: str = "soft") -> float:
    """A word or two with a line around it, its middle at y; how wide it is."""
    wide = text_width(words, 11.5) + 18
    svg.rect(x, y - 10, wide, 20, rx=10, fill="none", stroke="line" if colour == "soft" else colour)
    svg.text(x + 9, y + 4, words, size=11.5, fill=colour)
    return wide


def panel(svg: Svg, x: float, y: float, width: float, height: float, *, dashed: bool = False) -> None:
    """A quiet surface."""
    dashes = "5 4" if dashed else None
    svg.rect(x + 0.5, y + 0.5, width - 1, height - 1, rx=11, fill="panel", stroke="line", stroke_dasharray=dashes)


def title(svg: Svg, x: float, y: float, words: str) -> None:
    """What a panel holds, with its baseline at y."""
    svg.text(x, y, words, size=12, bold=True, fill="soft")


def wrapped(text: str, width: float, size: float, most: int) -> list[str]:
    """A sentence in at most so many lines of about that width; what does not fit is cut off with a mark."""
    lines = [""]
    for word in _words(text, width, size):
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and text_width(longer, size) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines if len(lines) <= most else [*lines[: most - 1], f"{lines[most - 1][:-1]}…"]


def _words(text: str, width: float, size: float) -> Iterable[str]:
    for word in text.split():
        while text_width(word, size) > width and len(word) > 4:
            cut = max(4, int(len(word) * width / text_width(word, size)) - 1)
            yield word[:cut]
            word = word[cut:]
        yield word
