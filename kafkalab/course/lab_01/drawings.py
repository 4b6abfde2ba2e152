"""Figures of lab 01: sources wired to their targets or to Kafka, latencies, and payments that arrived in two ways."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import networkx as nx
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from kafkalab.course.figures import INK, Drawing
from kafkalab.errors import BadInput
from kafkalab.views.words import hue

_HUB: Final = "Kafka"
_MOST: Final = 12
_WIRE: Final = "#8a939d"
_FROM, _TO, _MARKED = hue(0), hue(4), hue(1)


def wires(
    sources: Sequence[str] | Mapping[str, int], targets: Sequence[str], *, through: bool = False, marked: str = ""
) -> Drawing:
    """Draw sources on the left, targets on the right, and a line for each program that must be written and maintained.

    :param sources: their names; or name → number of times that the source was asked, which is written under the name.
    :param through: whether a cluster stands between them.
    :param marked: the source or target that the figure is about: its lines are dashed and have their own colour.
    """
    figure = _figure(6.4, 0.42 * max(len(sources), len(targets)) + 1.3)
    axes = figure.add_subplot()
    count = _draw(axes, dict(sources) if isinstance(sources, Mapping) else sources, targets, through, marked)
    between = "through Kafka" if through else "each wired to each"
    axes.set_title(f"{count} wires: {len(sources)} sources, {len(targets)} targets, {between}", **_title())
    return Drawing(figure, _told(sources, targets, through, count))


def both_ways(sources: int = 4, targets: int = 6) -> Drawing:
    """Draw sources and targets wired one to one on the left, and through a cluster on the right.

    :raises BadInput: fewer than 1 of either, or more than 12, because the figure would be too dense.
    """
    if not (1 <= sources <= _MOST and 1 <= targets <= _MOST):
        raise BadInput(f"From 1 to {_MOST} of each can be drawn.", seen=f"{sources} sources, {targets} targets")
    left, right = [f"S{i}" for i in range(1, sources + 1)], [f"T{i}" for i in range(1, targets + 1)]
    figure = _figure(8.6, 0.3 * max(sources, targets) + 1.5)
    for axes, through in zip(figure.subplots(1, 2), (False, True), strict=True):
        count = _draw(axes, left, right, through, "")
        sign, how = ("+", "through Kafka") if through else ("×", "one to one")
        axes.set_title(f"{how}: {sources} {sign} {targets} = {count}", **_title())
    return Drawing(
        figure,
        f"{sources} sources and {targets} targets. One to one: {sources * targets} wires. "
        f"Through Kafka: {sources + targets} wires.",
    )


def sliders() -> Any:
    """Return two sliders for the numbers of sources and targets, with the figure of :func:`both_ways` below them.

    The figure is the value of an HTML widget. An Output widget would stop a notebook that runs without a page.
    """
    from ipywidgets import HTML, IntSlider, VBox  # type: ignore[import-untyped]

    sources, targets = (
        IntSlider(value, 1, _MOST, description=name, continuous_update=False)
        for value, name in ((4, "sources"), (6, "targets"))
    )
    shown = HTML(both_ways()._repr_html_())

    def redraw(_: Any) -> None:
        shown.value = both_ways(sources.value, targets.value)._repr_html_()

    sources.observe(redraw, "value")
    targets.observe(redraw, "value")
    return VBox([sources, targets, shown])


def latency(seconds: Sequence[float]) -> Drawing:
    """Draw the distribution of times from send to received."""
    from kafkalab.course.figures import latency_figure

    return latency_figure(seconds, title="From send to received")


def payments(sent: Sequence[str], pushed: Sequence[str], read: Sequence[str], crash: int, back: int) -> Drawing:
    """Draw which payments reached the desk: those pushed to it, and those that it read from the topic.

    :param sent: ids in the order of sending.
    :param crash: number of payments sent before the desk went down and a broker was killed; ``back``: before it was up.
    """
    figure = _figure(8.6, 2.6)
    axes = figure.add_subplot()
    ways = (("pushed", set(pushed)), ("through Kafka", set(read)))
    told = []
    for row, (name, arrived) in enumerate(reversed(ways)):
        for at, id in enumerate(sent):
            if id in arrived:
                axes.barh(row, 1, left=at, height=0.5, color=_FROM, linewidth=0)
        lost = [at for at, id in enumerate(sent) if id not in arrived]
        if lost:
            axes.barh(row, len(lost), left=lost[0], height=0.5, fill=False, edgecolor=_MARKED, hatch="//")
        axes.text(len(sent) + 3, row, f"{len(sent) - len(lost)} arrived", va="center", fontsize=9.5, color=INK)
        told.append(f"{name}: {len(sent) - len(lost)} of {len(sent)} arrived, {len(lost)} lost")
    for at, words in ((crash, "the desk and a broker crash"), (back, "the desk is back")):
        axes.axvline(at, color=INK, linewidth=1, linestyle=(0, (3, 2)))
        axes.text(at + 2, 1.45, words, fontsize=9, color=INK)
    axes.set_yticks((0, 1), [name for name, _ in reversed(ways)])
    axes.set_xlim(0, len(sent) * 1.2)
    axes.set_ylim(-0.5, 1.8)
    axes.set_xlabel("payments, in the order of sending", color=INK)
    axes.spines[["top", "right"]].set_visible(False)
    return Drawing(figure, f"Payments in two ways. {'; '.join(reversed(told))}.")


def _draw(axes: Axes, sources: Any, targets: Sequence[str], through: bool, marked: str) -> int:
    """Draw one graph and return its number of wires."""
    graph = nx.DiGraph()
    if through:
        graph.add_edges_from((source, _HUB) for source in sources)
        graph.add_edges_from((_HUB, target) for target in targets)
    else:
        graph.add_edges_from((source, target) for source in sources for target in targets)
    rows = max(len(sources), len(targets))
    place = {**_column(sources, 0.0, rows), **_column(targets, 1.0, rows), _HUB: (0.5, (rows - 1) / 2)}
    kinds = [e for e in graph.edges if marked not in e], [e for e in graph.edges if marked in e]
    for edges, style, colour in zip(kinds, ("solid", (0, (4, 2))), (_WIRE, _MARKED), strict=True):
        nx.draw_networkx_edges(
            graph, place, edgelist=edges, ax=axes, edge_color=colour, style=style, width=1.3, arrows=False
        )
    for names, colour, shape in ((list(sources), _FROM, "s"), (list(targets), _TO, "o")):
        colours = [_MARKED if name == marked else colour for name in names]
        nx.draw_networkx_nodes(
            graph,
            place,
            nodelist=names,
            ax=axes,
            node_color=colours,
            node_shape=shape,
            node_size=90,
            edgecolors="white",
        )
    if through:
        axes.text(*place[_HUB], _HUB, ha="center", va="center", color="white", fontsize=11, fontweight="bold",
                  bbox={"boxstyle": "round,pad=0.6", "facecolor": INK, "edgecolor": "none"}, zorder=5)  # fmt: skip
    _label(axes, sources, place, -1)
    _label(axes, targets, place, 1)
    axes.set_axis_off()
    axes.set_xlim(-0.42, 1.42)
    axes.set_ylim(-0.7, rows - 0.3)
    return int(graph.number_of_edges())


def _column(names: Any, x: float, rows: int) -> dict[str, tuple[float, float]]:
    """Return name → place for names one below the other, spread evenly over ``rows`` rows."""
    some = list(names)
    step = rows / len(some)
    return {name: (x, rows - 0.5 - step * (i + 0.5)) for i, name in enumerate(some)}


def _label(axes: Axes, names: Any, place: Mapping[str, tuple[float, float]], side: int) -> None:
    for name in names:
        x, y = place[name]
        asked = f"\nasked {names[name]} ×" if isinstance(names, Mapping) else ""
        axes.text(x + 0.04 * side, y, f"{name}{asked}", ha="right" if side < 0 else "left", va="center", fontsize=9.5,
                  color=INK, linespacing=1.3)  # fmt: skip


def _told(sources: Any, targets: Sequence[str], through: bool, count: int) -> str:
    asked = "; ".join(f"{name} asked {n} times" for name, n in sources.items()) if isinstance(sources, Mapping) else ""
    way = "through Kafka" if through else "one to one"
    return f"{', '.join(sources)} feed {', '.join(targets)} {way}: {count} wires. {asked}".strip()


def _figure(width: float, height: float) -> Figure:
    figure = Figure(figsize=(width, max(2.4, height)), facecolor="#ffffff", layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def _title() -> dict[str, Any]:
    return {"loc": "left", "fontsize": 11, "fontweight": "bold", "color": INK, "pad": 8}
