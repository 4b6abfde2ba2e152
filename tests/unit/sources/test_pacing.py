"""Pacing: when records are due, how late they are, how fast they went; and what a publisher says of itself."""

from __future__ import annotations

import pytest

from kafkalab import Fleet, Publisher
from kafkalab.errors import BadInput
from kafkalab.sources.publish import PublisherStats, Rate


def test_behind_is_in_seconds_of_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    publisher = Publisher("127.0.0.1:1", Fleet(1), lapse=60, since=1200)
    assert publisher.stats().behind == 0, "nothing is due before it starts"
    publisher._zero = 100.0 - 1200 / 60
    for now, behind in ((99.0, 0), (100.0, 0), (103.5, 3.5)):
        monkeypatch.setattr("time.monotonic", lambda now=now: now)
        assert publisher.stats().behind == pytest.approx(behind)


def test_the_rate_of_nothing_yet_a_steady_flow_and_one_that_ended() -> None:
    rate = Rate()
    assert rate.per_second(3.0, 0) == 0.0
    for i in range(200):
        rate.mark(i / 10, min(i, 50) * 10)  # it flows for five seconds, then nothing more comes
        if i == 50:
            assert rate.per_second(5.0, 500) == pytest.approx(100, rel=0.02)
    assert rate.per_second(20.0, 500) == 0.0


def test_the_publisher_is_shown_in_text_and_html() -> None:
    stats = PublisherStats(
        topic="<b>t</b>", running=True, sent=1200, acknowledged=1150, failed=20, rate=49.7, target_rate=50.0,
        behind=0.04, event_time=24.0, last_error="<script>alert(1)</script>",
    )  # fmt: skip
    html = stats._repr_html_()
    for piece in ("running", "1,200", "1,150", "30", "50 records/s"):
        assert piece in str(stats) and piece in html
    assert "&lt;script&gt;" in html
    assert "<script>" not in html and "<b>t</b>" not in html


def test_a_publisher_that_never_started_can_be_looked_at_and_stopped() -> None:
    publisher = Publisher("127.0.0.1:1", Fleet(100, period=2.0), lapse=3)
    assert (publisher.stop().sent, publisher.stats().target_rate) == (0, 150)
    assert "not running" in repr(publisher)
    for lapse in (0, -1, float("nan"), float("inf")):
        with pytest.raises(BadInput, match="time lapse"):
            Publisher("127.0.0.1:1", Fleet(1), lapse=lapse)
