"""Figures for reports: what they draw is what they were given, and they say it in words."""

from __future__ import annotations

import base64
from dataclasses import replace
from pathlib import Path

import matplotlib
import numpy as np
import pytest
from matplotlib.axes import Axes

from kafkalab.errors import BadInput
from kafkalab.state.model import Group, GroupOffset, Snapshot
from kafkalab.views.figures import Drawing, batches_figure, lag_figure, latency_figure, throughput_figure
from tests.unit.views.stream_samples import reports


def axes(drawing: Drawing) -> Axes:
    (found,) = drawing.figure.axes
    return found


def snapshots() -> list[Snapshot]:
    def group(name: str, *lags: int | None) -> Group:
        return Group(name, "Stable", 101, (), tuple(GroupOffset("t", p, 5, lag) for p, lag in enumerate(lags)))

    bare = Snapshot("id", "kraft", 101, 0.0)
    return [replace(bare, at=100.0 + i, groups=(group("a", 10 * i, 3), group("b", 7, None))) for i in range(5)]


def lines(drawing: Drawing) -> dict[object, list[float]]:
    """What each line is called, and its heights."""
    return {line.get_label(): list(line.get_ydata()) for line in axes(drawing).lines}


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


def test_throughput_is_what_came_between_two_counts() -> None:
    drawing = throughput_figure([50, 51, 52, 54], [0, 100, 100, 700], events=[(51.5, "broker 102 killed")])
    line = axes(drawing).lines[0]
    assert list(line.get_xdata()) == [0.5, 1.5, 3.0]
    assert list(line.get_ydata()) == [100, 0, 300]
    for words in ("175 records a second on average, 300 at most", "broker 102 killed after 1.5 s"):
        assert words in drawing.alt


def test_lag_by_partition_and_by_group() -> None:
    drawing = lag_figure(snapshots(), "a")
    assert lines(drawing) == {"P0": [0, 10, 20, 30, 40], "P1": [3, 3, 3, 3, 3]}
    assert "P0 at most 40, at the end 40; P1 at most 3" in drawing.alt
    assert lines(lag_figure(snapshots(), by="group")) == {"a": [3, 13, 23, 33, 43], "b": [7] * 5}


def test_batches_are_as_high_as_spark_says_they_took() -> None:
    some = reports("windows")
    drawing = batches_figure(some, every=1.0)
    tops: dict[float, float] = {}
    for bar in axes(drawing).patches:
        tops[bar.get_x()] = max(tops.get(bar.get_x(), 0), bar.get_y() + bar.get_height())
    assert sorted(tops.values()) == pytest.approx(sorted(r["durationMs"]["triggerExecution"] / 1000 for r in some))
    assert "2 took longer than the trigger's 1 s" in drawing.alt


def test_what_cannot_be_drawn_is_refused() -> None:
    one = latency_figure([0.1])
    wrong = [
        *((latency_figure, given) for given in ([], ["fast"], [0.1, -0.1])),
        *((throughput_figure, [*range(len(counts))], counts) for counts in ([5], [5, 6, 5])),
        (throughput_figure, [1.0, 2.0], [5, 6, 7]),
        *((lag_figure, *given) for given in ((snapshots()[:1],), (snapshots(),), (snapshots(), "nobody"))),
        (batches_figure, []),
        *((one.save, path) for path in ("nowhere/at/all.png", "latency.of-no-format")),
    ]
    for draw, *given in wrong:
        with pytest.raises(BadInput):
            draw(*given)


def test_a_figure_is_a_picture_with_words_and_a_file(tmp_path: Path) -> None:
    before = dict(matplotlib.rcParams)
    evil = {"$\\frac{": [0.1], "_hidden": [0.2], "\u202eturned" + "x" * 500: [0.3]}
    drawing = latency_figure(evil, title="<script>$x^alert(1)</script>")
    names = [text.get_text() for text in drawing.figure.legends[0].get_texts()]
    assert [name.strip()[:7] for name in names] == ["$\\frac{", "_hidden", "\ufffdturned"]
    assert max(map(len, names)) < 70 and "\u202e" not in drawing.alt
    assert repr(drawing) == drawing.alt
    html = drawing._repr_html_()
    assert "<script" not in html and "alert(1)" in html
    assert base64.b64decode(html.partition("base64,")[2].partition('"')[0]).startswith(b"\x89PNG")
    for ending, begin in ((".png", b"\x89PNG"), (".svg", b"<?xml"), (".pdf", b"%PDF")):
        assert latency_figure([0.1]).save(tmp_path / f"a{ending}").read_bytes().startswith(begin)
    assert dict(matplotlib.rcParams) == before, "the caller's settings are left alone"
