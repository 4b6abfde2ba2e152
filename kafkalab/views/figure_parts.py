"""What all figures for reports share: a figure with its text alternative, the look of a series, axes in plain units."""

from __future__ import annotations

import base64
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from kafkalab.errors import BadInput
from kafkalab.views.marks import hue
from kafkalab.views.svg import shorten

Floats = npt.NDArray[np.float64]

#: One series, or several by name.
Series = Sequence[float] | npt.NDArray[Any] | Mapping[str, Sequence[float] | npt.NDArray[Any]]

#: Events to be marked: at which time, and what it was.
Events = Sequence[tuple[float, str]]

INK, SOFT, LINE = "#1b1f24", "#5b6570", "#d7dbe0"

#: A series is told by its line and its marker as well as by its colour.
_DASHES: tuple[Any, ...] = ("-", (0, (6, 2)), (0, (1, 1.4)), (0, (6, 2, 1, 2)), (0, (3, 1.5)))
_MARKERS = ("o", "s", "D", "^", "v", "P", "X")

_DPI = 120


@dataclass(frozen=True, slots=True, eq=False)
class Drawing:
    """A figure and what it shows, in words. Shown in a cell it is a picture; ``figure`` is matplotlib's, to go on with.

    Nothing of pyplot is used: the caller's own figures and backend stay as they are.
    """

    figure: Figure
    alt: str

    def __post_init__(self) -> None:
        # Names of groups and topics are part of it, and may turn the reading direction.
        object.__setattr__(self, "alt", shorten(self.alt, 2000))

    def save(self, path: str | Path) -> Path:
        """Write it to a file whose ending says the format: .png, .svg or .pdf; gives the path back.

        :raises BadInput: the path cannot be written, or its format is not known.
        """
        try:
            self.figure.savefig(path, dpi=_DPI, metadata=self._metadata(path))
        except (OSError, ValueError) as error:
            raise BadInput(
                f"The figure cannot be written to {path}.", seen=str(error), do="Choose another path, ending in .png."
            ) from error
        return Path(path)

    def _metadata(self, path: str | Path) -> dict[str, str] | None:
        title = {".png": "Description", ".svg": "Description", ".pdf": "Subject"}.get(Path(path).suffix.lower())
        return {title: self.alt} if title else None

    def to_svg(self) -> str:
        """The figure as SVG, with the same bytes for the same data; its text stays text."""
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
        # An image in a notebook's output has no text of its own; in HTML it has.
        image = base64.b64encode(self._repr_png_()).decode()
        width = round(self.figure.get_figwidth() * 96)
        return f'<img alt="{escape(self.alt)}" width="{width}" src="data:image/png;base64,{image}">'

    def __repr__(self) -> str:
        return self.alt


def new_figure(title: str, *, height: float = 3.9) -> tuple[Figure, Axes]:
    """A white figure with one quiet pair of axes."""
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
    """The legend below the axes, where it covers nothing."""
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


def look(i: int) -> dict[str, Any]:
    """Colour, line and marker of series i."""
    return {
        "color": hue(i),
        "linestyle": _DASHES[i % len(_DASHES)],
        "marker": _MARKERS[i % len(_MARKERS)],
        "markersize": 4.5,
        "linewidth": 1.7,
    }


def named(name: str) -> str | None:
    """A name as a legend may show it; None for none."""
    # What begins with an underscore matplotlib takes for its own, and leaves out.
    tamed = shorten(name, 60)
    return f" {tamed}" if tamed.startswith("_") else tamed or None


def several(name: str, given: Series, *, without: str = "") -> dict[str, Floats]:
    """Series by name, of finite numbers; a lone one is called ``without``.

    :raises BadInput: not numbers, or none at all.
    """
    all_of_them = given if isinstance(given, Mapping) else {without: given}
    found = {}
    for key, values in all_of_them.items():
        try:
            column = np.asarray(values, float)
        except (TypeError, ValueError) as error:
            raise BadInput(f"{name} must be numbers.", seen=str(error)) from error
        if column.ndim != 1:
            raise BadInput(f"{name} must be one number after another.", seen=f"shape {column.shape}")
        found[str(key)] = column
    if not found or any(not np.isfinite(column).any() for column in found.values()):
        raise BadInput(f"There is nothing to draw: {name} holds no number.", seen=repr(given)[:120])
    return found


def mark_events(axes: Axes, events: Events, begin: float) -> None:
    """A dashed line with its words at each event."""
    for at, what in events:
        axes.axvline(at - begin, color=INK, linewidth=1, linestyle=(0, (3, 3)), zorder=4)
        axes.annotate(
            shorten(what, 40), (at - begin, 1), xycoords=("data", "axes fraction"), xytext=(4, -3),
            textcoords="offset points", rotation=90, va="top", ha="left", fontsize=8, color=INK, zorder=5,
            parse_math=False, bbox={"boxstyle": "square,pad=0.1", "facecolor": "#ffffffcc", "edgecolor": "none"},
        )  # fmt: skip


def duration(seconds: float) -> str:
    """Seconds in the unit that reads best: ``0.8 ms``, ``12 ms``, ``1.24 s``."""
    if seconds < 0.001:
        return f"{seconds * 1e3:.2g} ms"
    return f"{seconds * 1e3:.3g} ms" if seconds < 1 else f"{seconds:.3g} s"
