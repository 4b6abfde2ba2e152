"""Keys in their partitions as one static SVG: a column a partition, a dot a key."""

from __future__ import annotations

from kafkalab.views.partitioner_drawn import Drawn, elsewhere, really
from kafkalab.views.partitioner_text import summary
from kafkalab.views.svg import Svg, on_partition, partition

WIDTH = 900.0
_PAD, _DOT, _MOST = 14.0, 11.0, 24


def to_svg(picture: Drawn) -> str:
    """The columns; keys that lie elsewhere than murmur2 puts them are crossed."""
    n = min(picture["partitions"] or 0, _MOST)
    columns: dict[int, list[str]] = {p: [] for p in range(n)}
    for name, key in sorted(picture["keys"].items()):
        if (home := really(key)[-1]) in columns:
            columns[home].append(name)
    width = (WIDTH - 2 * _PAD) / max(1, n)
    across = max(1, int((width - 10) // _DOT))
    deepest = max((-(-len(found) // across) for found in columns.values()), default=0)
    height = 96 + deepest * _DOT + 40
    svg = Svg(WIDTH, height, f"Keys of {picture['topic']} in their partitions", summary(picture))
    svg.text(_PAD, 26, picture["topic"], size=15, bold=True)
    svg.text(_PAD, 46, summary(picture), fill="soft", limit=150)
    away = elsewhere(picture)
    for p, found in columns.items():
        x = _PAD + p * width
        svg.rect(x + 2, 62, width - 4, height - 76, fill="panel", stroke="line", rx=8)
        svg.rect(x + 6, 67, width - 12, 20, fill=partition(p), rx=6)
        svg.text(x + width / 2, 81, f"P{p}", fill=on_partition(p), bold=True, anchor="middle")
        for i, name in enumerate(found):
            cx = x + 8 + (i % across + 0.5) * _DOT
            cy = 96 + (i // across + 0.5) * _DOT
            if name in away:
                dot = svg.text(cx, cy + 4, "✗", size=11, bold=True, anchor="middle", fill="bad")
            else:
                dot = svg.circle(cx, cy, _DOT / 2 - 1.2, fill=partition(p))
            svg.hint(dot, picture["keys"][name]["text"])
        svg.text(x + width / 2, height - 20, f"{len(found)} keys", fill="soft", size=10.5, anchor="middle")
    return svg.to_string()
