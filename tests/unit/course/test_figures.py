"""Figures for reports: what they draw is what they were given, and they say it in words."""

from __future__ import annotations

from xml.etree import ElementTree

import matplotlib
import numpy as np
import pytest
from matplotlib.axes import Axes

from kafkalab.course.figures import Drawing, latency_figure
from kafkalab.errors import BadInput


def axes(drawing: Drawing) -> Axes:
    (found,) = drawing.figure.axes
    return found


def test_latencies_of_several_series_with_their_percentiles() -> None:
    some = np.arange(1, 1001) / 1000
    drawing = latency_figure({"one": some, "ten": 10 * some}, title="Produce")
    assert "one: 1,000 records, p50 500 ms · p95 950 ms · p99 990 ms" in drawing.alt
    marks = [float(line.get_xdata()[0]) for line in axes(drawing).lines]
    assert marks == pytest.approx([*np.percentile(some, (50, 95, 99)), *np.percentile(10 * some, (50, 95, 99))])
    heights = [patch.get_data().values.sum() for patch in axes(drawing).patches]
    assert heights == pytest.approx([100] * 4), "every record is in a bar"
    for odd in ([0.0] * 5, [0.0, 0.001, 5.0], [0.3], [0.1, float("nan")]):
        assert latency_figure(odd).figure.axes


def test_what_cannot_be_drawn_is_refused() -> None:
    for given in ([], ["fast"], [0.1, -0.1], {"a": [0.1], "b": [float("nan")]}):
        with pytest.raises(BadInput):
            latency_figure(given)  # type: ignore[arg-type]


def test_a_figure_is_a_picture_with_words() -> None:
    before = dict(matplotlib.rcParams)
    evil = {"$\\frac{": [0.1], "_hidden": [0.2], "\u202eturned" + "x" * 500: [0.3]}
    drawing = latency_figure(evil, title="<script>$x^alert(1)</script>")
    names = [text.get_text() for text in drawing.figure.legends[0].get_texts()]
    assert [name.strip()[:7] for name in names] == ["$\\frac{", "_hidden", "\ufffdturned"]
    assert max(map(len, names)) < 70 and "\u202e" not in drawing.alt
    assert repr(drawing) == drawing.alt
    html = drawing._repr_html_()
    assert "<script" not in html and "alert(1)" in html
    assert html.startswith('<svg role="img" aria-label="') and ElementTree.fromstring(html).tag.endswith("svg")
    # It is part of the page: it follows its theme, and brings no style for the rest of it.
    assert "<style" not in html and "<metadata" not in html
    assert "var(--jp-layout-color0,#ffffff)" in html and "var(--jp-content-font-color1,#1b1f24)" in html
    assert drawing._repr_png_().startswith(b"\x89PNG")
    assert dict(matplotlib.rcParams) == before, "the caller's settings are left alone"
