"""StreamView where no script runs: text, SVG and HTML, with the same numbers, and nothing in them that acts."""

from __future__ import annotations

import base64
import re
import xml.etree.ElementTree as ET
from typing import Any

from kafkalab.views.stream_text import bytes_, duration, lasting
from kafkalab.views.stream_view import StreamView
from tests.unit.views.stream_samples import reports

EVIL = "<script>alert(1)</script>\u202e"


def words(svg: str) -> str:
    return " ".join(text for text in ET.fromstring(svg).itertext() if text)


def hostile() -> list[dict[str, Any]]:
    found = []
    for report in reports("copy"):
        source = {**report["sources"][0], "description": EVIL}
        for name in ("startOffset", "endOffset", "latestOffset"):
            source[name] = source[name] and {EVIL: source[name]["trucks_gps"]}
        found.append({**report, "name": EVIL, "sources": [source], "sink": {"description": EVIL}})
    return found


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
    assert "watermark    06:32:40 UTC, 1:10 min behind the newest event" in text
    assert "1 row dropped" in text
    assert "nobody reads P2, P3" in repr(StreamView.of(reports("realtime")))


def test_before_the_first_batch_every_form_says_so() -> None:
    view = StreamView.of([])
    for form in (repr(view), words(view.to_svg()), view.to_html()):
        assert "no batch has ended yet" in form.lower()


def test_the_svg_draws_what_is_there_and_no_more() -> None:
    full = words(StreamView.of(reports("windows"), every=1.0).to_svg())
    titles = ("Rows a second", "Where the time of a batch goes", "Event time and the watermark")
    for part in (*titles, "7,817 · nothing waits", "trigger: every 1.00 s", "1:10 min", "3.6 kB"):
        assert part in full
    stateless = words(StreamView.of(reports("copy")).to_svg())
    assert "watermark: older rows" not in stateless
    assert "7,168 · 1,881 wait" in stateless
    assert "trigger" not in stateless
    assert "✕ not read, 16,106" in words(StreamView.of(reports("realtime")).to_svg())


def test_the_html_has_the_picture_and_the_numbers() -> None:
    html = StreamView.of(reports("windows"), every=1.0).to_html()
    image = re.search(r'alt="([^"]+)" src="data:image/svg\+xml;base64,([^"]+)"', html)
    assert image
    assert "arriving 598 rows/s" in image[1]
    ET.fromstring(base64.b64decode(image[2]))
    rows = [re.findall(r"<t[hd][^>]*>([^<]*)", row) for row in re.findall(r"<tr>(.*?)</tr>", html)]
    assert ["P2", "5,995", "6,116", "6,116", "0"] in rows
    assert next(row for row in rows if row[0] == "28")[:7] == ["28", "15:22:10", "462 ms", "598", "598", "1,292", "0"]
    assert "This query is stateless" in StreamView.of(reports("copy")).to_html()


def test_nothing_from_outside_acts() -> None:
    view = StreamView.of(hostile())
    for form in (view.to_svg(), view.to_html(), repr(view)):
        assert "\u202e" not in form
    for form in (view.to_svg(), view.to_html()):
        assert "<script" not in form
    assert "alert(1)" in view.to_html()


def test_numbers_in_words() -> None:
    assert [duration(ms) for ms in (462, 6985, 12_345)] == ["462 ms", "6.99 s", "12.3 s"]
    assert [lasting(s) for s in (0.4, 48, 69.9, -5, 7500)] == ["0.4 s", "48 s", "1:10 min", "−5 s", "2:05 h"]
    assert [bytes_(n) for n in (12, 3648, 21_000_000)] == ["12 B", "3.6 kB", "21.0 MB"]
