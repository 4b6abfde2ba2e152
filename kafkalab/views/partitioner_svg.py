"""Keys in their partitions as one static SVG: a column a partition, a dot a key."""

from __future__ import annotations

from kafkalab.views.partitioner_drawn import Drawn, elsewhere, home
from kafkalab.views.partitioner_text import summary
from kafkalab.views.svg import Svg, on_partition, partition

WIDTH = 900.0
_PAD, _DOT, _MOST = 14.0, 11.0, 24


def to_svg(picture: Drawn) -> str:
    """The columns; keys that lie elsewhere than murmur2 puts them are crossed."""
    n = min(picture["partitions"] or 0, _MOST)
    columns: dict[int, list[str]] = {p: [] for p in range(n)}
    for name, key in sorted(picture["keys"].items()):
        if (p := home(key, picture["partitions"])) in columns:
            columns[p].append(name)
    width = (WIDTH - 2 * _PAD) / max(1, n)
    across = max(1, int((width - 10) // _DOT))
    deepest = max((-(-len(found) // across) for found in columns.values()), default=0)
    words = summary(picture).split(". ", 1)
    height = 114 + deepest * _DOT + 66
    svg = Svg(WIDTH, height, f"Keys of {picture['topic']} in their partitions", summary(picture))
    svg.text(_PAD, 26, picture["topic"], size=15, bold=True)
    for i, line in enumerate(words):
        svg.text(_PAD, 46 + 18 * i, line.rstrip(".") + ".", fill="soft", limit=140)
    away = elsewhere(picture)
    for p, found in columns.items():
        x = _PAD + p * width
        svg.rect(x + 2, 80, width - 4, height - 120, fill="panel", stroke="line", rx=8)
        svg.rect(x + 6, 85, width - 12, 20, fill=partition(p), rx=6)
        svg.text(x + width / 2, 99, f"P{p}", fill=on_partition(p), bold=True, anchor="middle")
        for i, name in enumerate(found):
            cx = x + 8 + (i % across + 0.5) * _DOT
            cy = 114 + (i // across + 0.5) * _DOT
            if name in away:
                dot = svg.text(cx, cy + 4, "✗", size=11, bold=True, anchor="middle", fill="bad")
            else:
                dot = svg.circle(cx, cy, _DOT / 2 - 1.2, fill=partition(p))
            svg.hint(dot, picture["keys"][name]["text"])
        svg.text(x + width / 2, height - 46, f"{len(found)} keys", fill="soft", size=10.5, anchor="middle")
    signs = "● a key, in the partition its records lie in   ✗ a key with records elsewhere than murmur2 puts them now"
    svg.text(_PAD, height - 14, signs, fill="soft", size=11, limit=150)
    return svg.to_string()
