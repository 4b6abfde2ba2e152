"""StreamView where no script runs: what its forms say of a batch."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

from kafkalab.views.stream_text import bytes_, duration, lasting
from kafkalab.views.stream_view import StreamView
from tests.unit.views.stream_samples import reports


def words(svg: str) -> str:
    return " ".join(text for text in ET.fromstring(svg).itertext() if text)


def test_text_says_the_newest_batch() -> None:
    assert repr(StreamView.of(reports("copy"), every=0.5)).splitlines() == [
        "Stream copy, a recording, a batch every 0.5 s",
        "  batch        13, 15:22:18 UTC, 225 ms",
        "  arriving     3,988 rows/s, 1,998 in this batch",
        "  can process  8,880 rows/s",
        "  time went to addBatch 90 ms, commitOffsets 61 ms, walCommit 51 ms",
        "  behind       7,339 records",
        "  P0  6,656 → 7,168  1,881 wait",
        "  P1  6,149 → 6,622  1,737 wait",
        "  P2  5,205 → 5,605  1,472 wait",
        "  P3  7,969 → 8,582  2,249 wait",
    ]
    text = repr(StreamView.of(reports("windows")))
    assert "watermark    06:32:40 UTC, 1:10 min behind the newest event" in text and "1 row dropped" in text
    assert "nobody reads P2, P3" in repr(StreamView.of(reports("realtime")))
    empty = StreamView.of([])
    assert all("no batch has ended" in form.lower() for form in (repr(empty), words(empty.to_svg()), empty.to_html()))


def test_what_there_is_not_is_not_drawn() -> None:
    full, stateless = (StreamView.of(reports(name), every=every) for name, every in (("windows", 1.0), ("copy", None)))
    for part in ("7,817 · nothing waits", "trigger: every 1.00 s", "watermark: older rows", "3.6 kB"):
        assert part in words(full.to_svg()) and part not in words(stateless.to_svg())
    assert "✕ not read, 16,106" in words(StreamView.of(reports("realtime")).to_svg())
    assert "This query is stateless" in stateless.to_html()
    html = full.to_html()
    rows = [re.findall(r"<t[hd][^>]*>([^<]*)", row) for row in re.findall(r"<tr>(.*?)</tr>", html)]
    assert ["P2", "5,995", "6,116", "6,116", "0"] in rows
    assert next(row for row in rows if row[0] == "28")[:7] == ["28", "15:22:10", "462 ms", "598", "598", "1,292", "0"]


def test_numbers_in_words() -> None:
    assert [duration(ms) for ms in (462, 6985, 12_345)] == ["462 ms", "6.99 s", "12.3 s"]
    assert [lasting(s) for s in (0.4, 48, 69.9, -5, 7500)] == ["0.4 s", "48 s", "1:10 min", "−5 s", "2:05 h"]
    assert [bytes_(n) for n in (12, 3648, 21_000_000)] == ["12 B", "3.6 kB", "21.0 MB"]
