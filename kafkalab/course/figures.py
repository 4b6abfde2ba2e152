"""Figures of labs and reports, drawn with matplotlib without touching pyplot: what all share, and latencies."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from kafkalab.errors import BadInput
from kafkalab.views.words import hue, shorten

# --- The base of all figures: a figure with its text alternative, the look of a series, axes in plain units.


Floats = npt.NDArray[np.float64]

#: One series, or several by name.
Series = Sequence[float] | npt.NDArray[Any] | Mapping[str, Sequence[float] | npt.NDArray[Any]]

INK, SOFT, LINE = "#1b1f24", "#5b6570", "#d7dbe0"
#: The colours of a figure that follow JupyterLab's theme. Those of series are seen on light and dark alike.
_THEMED = {
    INK: "--jp-content-font-color1",
    "#000000": "--jp-content-font-color1",
    SOFT: "--jp-content-font-color2",
    LINE: "--jp-border-color2",
    "#ffffff": "--jp-layout-color0",
}
#: Parts of matplotlib's SVG that would not belong into a page: its metadata, and a style for every element of the page.
_DEFS = re.compile(r"<metadata>.*?</metadata>|<defs>\s*<style[^>]*>.*?</style>\s*</defs>", re.DOTALL)

#: Lines and markers of the series, so that colour is not the only difference between them.
_DASHES: tuple[Any, ...] = ("-", (0, (6, 2)), (0, (1, 1.4)), (0, (6, 2, 1, 2)), (0, (3, 1.5)))
_MARKERS = ("o", "s", "D", "^", "v", "P", "X")

_DPI = 120


@dataclass(frozen=True, slots=True, eq=False)
class Drawing:
    """A figure and its text alternative; a cell shows it as a picture. ``figure`` is matplotlib's, to work on.

    Nothing of pyplot is used: the caller's own figures and backend stay as they are.
    """

    figure: Figure
    alt: str

    def __post_init__(self) -> None:
        # It contains names of groups and topics, whose characters may turn the reading direction.
        object.__setattr__(self, "alt", shorten(self.alt, 2000))

    def to_svg(self) -> str:
        """Return the figure as SVG, with the same bytes for the same data; its text stays text."""
        import matplotlib

        out = io.StringIO()
        with matplotlib.rc_context({"svg.hashsalt": "kafkalab", "svg.fonttype": "none"}):
            self.figure.savefig(out, format="svg", metadata={"Description": self.alt, "Date": None})
        return out.getvalue()

    def _repr_png_(self) -> bytes:
        out = io.BytesIO()
        self.figure.savefig(out, format="png", dpi=_DPI, metadata={"Description": self.alt})
        return out.getvalue()

    def _repr_html_(self) -> str:
        # Part of the page, so that it follows the page's theme; an image would stay white on a dark page.
        svg = self.to_svg()
        svg = _DEFS.sub("", svg[svg.index("<svg") :])
        for colour, variable in _THEMED.items():
            svg = svg.replace(colour, f"var({variable},{colour})")
        size = f"max-width:100%;height:auto;fill:var({_THEMED[INK]},{INK});stroke-linejoin:round;stroke-linecap:butt"
        return svg.replace("<svg ", f'<svg role="img" aria-label="{escape(self.alt)}" style="{size}" ', 1)

    def __repr__(self) -> str:
        return self.alt


def new_figure(title: str, *, height: float = 3.9) -> tuple[Figure, Axes]:
    """Make a white figure with one quiet pair of axes."""
    figure = Figure(figsize=(8.6, height), facecolor="#ffffff", layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot(facecolor="#ffffff")
    axes.set_title(shorten(title, 100), loc="left", fontsize=12, fontweight="bold", color=INK, pad=10)
    axes.title.set_parse_math(False)
    for side, spine in axes.spines.items():
        spine.set_visible(side in ("left", "bottom"))
        spine.set_color(LINE)
    axes.tick_params(colors=SOFT, labelsize=9)
    axes.grid(True, axis="y", color=LINE, linewidth=0.7)
    axes.set_axisbelow(True)
    return figure, axes


def label(axes: Axes, x: str, y: str) -> None:
    """Name both axes, with their units."""
    axes.set_xlabel(x, color=SOFT, fontsize=9.5)
    axes.set_ylabel(y, color=SOFT, fontsize=9.5)


def legend(axes: Axes, columns: int = 2) -> None:
    """Put the legend below the axes, where it covers nothing."""
    handles, names = axes.get_legend_handles_labels()
    if not handles:
        return
    figure = axes.get_figure()
    assert figure is not None
    found = figure.legend(
        handles, names, loc="outside lower left", ncols=columns, frameon=False, fontsize=9, labelcolor=INK
    )
    for text in found.get_texts():
        text.set_parse_math(False)  # a group may be called "$x^"


def _several(given: Series) -> dict[str, Floats]:
    """Return the series by name, as arrays of their finite numbers; a single series has no name."""
    found = {}
    for name, values in (given if isinstance(given, Mapping) else {"": given}).items():
        try:
            column = np.asarray(values, float)
        except (TypeError, ValueError) as error:
            raise BadInput("Latencies must be numbers.", seen=str(error)) from error
        found[str(name)] = column[np.isfinite(column)]
        if not found[str(name)].size:
            raise BadInput("There is nothing to draw: seconds holds no number.", seen=repr(given)[:120])
        if (column < 0).any():
            raise BadInput("A latency is not below 0.", seen=str(column.min()))
    return found


def duration(seconds: float) -> str:
    """Return seconds in the unit that reads best: ``0.8 ms``, ``12 ms``, ``1.24 s``."""
    if seconds < 0.001:
        return f"{seconds * 1e3:.2g} ms"
    return f"{seconds * 1e3:.3g} ms" if seconds < 1 else f"{seconds:.3g} s"


_PERCENTILES = (50, 95, 99)
_BINS = 60
_HALO = {"boxstyle": "square,pad=0.15", "facecolor": "#ffffffcc", "edgecolor": "none"}

#: The axis is logarithmic if the highest latency is more than this many times the 1st percentile.
_WIDE = 30


def latency_figure(seconds: Series, *, title: str = "Latency") -> Drawing:
    """Draw how long records took: the distribution of each series, with its median, 95th and 99th percentile.

    :param seconds: latencies in seconds, or several lists of them by name. A wide range gets a logarithmic axis.
    :raises BadInput: no numbers, or one below 0.
    """
    given = _several(seconds)
    figure, axes = new_figure(title)
    low, high = (f(f(values) for values in given.values()) for f in (min, max))
    p1 = min(float(np.percentile(values[values > 0], 1)) if (values > 0).any() else 0.0 for values in given.values())
    wide = p1 > 0 and high > _WIDE * p1
    floor = max(low, p1 / 3) if wide else 0.0
    edges = np.geomspace(floor, high * 1.02, _BINS) if wide else np.linspace(0, high * 1.02 or 1.0, _BINS)
    words = []
    for i, (name, values) in enumerate(given.items()):
        share, _ = np.histogram(np.maximum(values, edges[0]), edges)
        colour, dashes, at = hue(i), _DASHES[i % len(_DASHES)], np.percentile(values, _PERCENTILES)
        heights = 100 * share / len(values)
        said = " · ".join(f"p{p} {duration(v)}" for p, v in zip(_PERCENTILES, at, strict=True))
        # matplotlib leaves out names that begin with an underscore, because it takes them for its own.
        named = shorten(f" {name}  {said}" if name else said, 60)
        axes.stairs(heights, edges, fill=True, color=colour, alpha=0.16)
        axes.stairs(heights, edges, label=named, color=colour, linestyle=dashes, linewidth=1.7)
        for p, value in zip(_PERCENTILES, at, strict=True):
            row = np.clip(np.searchsorted(edges, value) - 1, 0, len(heights) - 1)
            axes.plot([value], [heights[row]], color=colour, marker=_MARKERS[i % len(_MARKERS)], markersize=7, zorder=6,
                      markeredgecolor="#ffffff", clip_on=False)  # fmt: skip
            if len(given) == 1:
                axes.annotate(f"p{p}  {duration(value)}", (value, heights[row]), xytext=(8, 5), fontsize=8.5, color=INK,
                              textcoords="offset points", bbox=_HALO, zorder=7)  # fmt: skip
        words.append(f"{name + ': ' if name else ''}{len(values):,} records, {said}")
    if wide:
        axes.set_xscale("log")
    axes.xaxis.set_major_formatter(FuncFormatter(lambda v, _: duration(v)))
    axes.set_ylim(0, axes.get_ylim()[1] * 1.18)
    label(axes, "latency" + (" (logarithmic)" if wide else ""), "share of the records, %")
    if len(given) > 1:
        legend(axes, 1)
    return Drawing(figure, f"{title}. {'; '.join(words)}.")
