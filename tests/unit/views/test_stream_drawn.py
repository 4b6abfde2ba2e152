"""StreamView's state: what of Spark's reports is drawn and kept, what does not apply, and how it was in a recording."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from kafkalab.errors import BadInput
from kafkalab.state.patch import diff
from kafkalab.state.stream import Trigger, plain
from kafkalab.views.stream.picture import (
    MOST_BATCHES,
    MOST_LANES,
    History,
    bytes_,
    drawn,
    drawn_batch,
    duration,
    lane_of,
    lasting,
    recorded,
)
from kafkalab.views.stream.view import StreamView
from tests.unit.views import stream_samples
from tests.unit.views.stream_samples import COPY, WINDOWS, reports

REALTIME = reports("realtime")


def numbered(n: int, after: int = 0, **more: Any) -> dict[str, Any]:
    minute, second = divmod(n + after, 60)
    return {**WINDOWS[-1], "batchId": n, "timestamp": f"2026-11-21T16:{minute:02}:{second:02}.000Z", **more}


def test_a_batch_is_what_spark_reported_of_it() -> None:
    batch = drawn_batch(WINDOWS[28])
    assert (batch["rows"], batch["at"], batch["late"]) == (598, 1795274530.0, 1)
    assert (batch["arriving"], batch["processed"], batch["ms"], batch["out"]) == (598.0, 1291.6, 462, 4)
    assert batch["phases"] == {
        "latestOffset": 20, "getBatch": 0, "queryPlanning": 30, "walCommit": 50, "addBatch": 310, "commitOffsets": 49,
        "other": 3,
    }  # fmt: skip
    assert batch["lanes"]["trucks_gps-2"] == {"start": 5995, "end": 6116, "latest": 6116}
    stored = {"operator": "stateStoreSave", "total": 8, "updated": 4, "removed": 0, "bytes": 3648, "late": 1}
    assert batch["state"] == [stored]
    assert batch["event"]["max"] - batch["event"]["watermark"] == pytest.approx(69.854)
    first = drawn_batch(WINDOWS[0])
    assert first["event"]["watermark"] is None and first["lanes"]["trucks_gps-0"]["start"] is None


def test_reports_come_as_mappings_as_text_and_as_spark_has_them() -> None:
    class Progress:
        json = json.dumps(WINDOWS[3])

    assert plain(WINDOWS[3]) == plain(json.dumps(WINDOWS[3])) == plain(Progress())
    for wrong in (None, "{", "[]", {"batchId": 3}):
        with pytest.raises(BadInput, match="not a report"):
            plain(wrong)
    with pytest.raises(BadInput, match="not a streaming query"):
        StreamView("windows")


def test_lanes_are_of_any_topic_and_of_two_sources_of_one() -> None:
    assert lane_of("2:trucks-gps-3") == {"source": 2, "topic": "trucks-gps", "partition": 3}
    offsets = {"t": {str(p): 5 for p in range(12)}}
    source = {"startOffset": offsets, "endOffset": offsets, "latestOffset": offsets}
    lanes = recorded([{**WINDOWS[5], "sources": [source, source]}])["lanes"]
    assert list(lanes) == [f"{source}t-{p}" for source in ("", "2:") for p in range(12)], "ten comes after nine"
    # A source that is no Kafka has a number where Kafka has offsets.
    assert recorded([{**WINDOWS[5], "sources": [{"startOffset": 3, "endOffset": 4}]}])["batches"]["5"]["rows"] == 454


def test_so_much_is_kept_and_what_travels_for_a_batch_is_that_batch() -> None:
    history = History()
    for n in range(MOST_BATCHES):
        history.add(numbered(n))
    before = drawn(history, "running")
    history.add(numbered(MOST_BATCHES))
    patch = diff(before, drawn(history, "running"))
    assert sorted((op[0], op[1]) for op in patch) == [
        ("del", ["batches", "0"]),
        ("set", ["batches", str(MOST_BATCHES)]),
    ]
    assert len(json.dumps(patch)) < 1500
    wide = {"t": {str(p): 5 for p in range(500)}}
    latest = {"t": {"3": 9, "400": 8}}
    history.add(numbered(999, sources=[{"startOffset": None, "endOffset": wide, "latestOffset": latest}]))
    assert (len(history.lanes), history.more_lanes) == (MOST_LANES, 500 - MOST_LANES)
    assert history.batches["999"]["behind"] == 7, "what is not drawn is counted all the same"


def test_a_batch_that_found_nothing_is_replaced() -> None:
    history = History()
    history.add(numbered(3))
    history.add(numbered(4, numInputRows=0, durationMs={"latestOffset": 5, "triggerExecution": 6}))
    assert history.batches["4"]["idle"]
    history.add(numbered(4, after=10, numInputRows=7))
    assert (history.batches["4"]["rows"], history.batches["4"]["idle"]) == (7, False)


def test_what_does_not_apply_is_said_in_a_sentence() -> None:
    windows, copy, realtime = (recorded(found) for found in (WINDOWS, COPY, REALTIME))
    assert set(windows["notes"].values()) == {""}
    assert "no watermark" in copy["notes"]["watermark"] and "stateless" in copy["notes"]["state"]
    live = recorded(REALTIME, Trigger.of("RealTimeTrigger(5000)"))["notes"]["phases"]
    assert "real-time mode" in live and "5 s" in live
    # Two task slots and four partitions: real-time mode needs a slot for each.
    assert [x["unread"] for x in (windows, copy, realtime)] == [[], [], ["trucks_gps-2", "trucks_gps-3"]]
    # Behind is what was there and was not read; in real-time mode the end lies beyond what was the newest when the
    # batch began: that is not less than nothing.
    assert copy["batches"]["3"]["behind"] == (8279 - 2048) + (7647 - 1892) + (6476 - 1600) + (9910 - 2452)
    assert realtime["batches"]["3"]["behind"] == 10510 + 16106


def test_triggers_as_spark_writes_them() -> None:
    for text, *told in (
        ("ProcessingTimeTrigger(1000)", "processing time", 1000, "a batch every 1 s"),
        ("ProcessingTimeTrigger(0)", "processing time", 0, "a batch as soon as the last one ends"),
        ("RealTimeTrigger(5000)", "real time", 5000, "real-time mode, batches of 5 s"),
        ("AvailableNowTrigger", "available now", None, "reads what is there, then ends"),
    ):
        trigger = Trigger.of(text)
        assert [trigger.kind, trigger.every_ms, trigger.words] == told


def test_text_says_the_newest_batch() -> None:
    text = repr(StreamView.of(COPY, every=0.5))
    assert " 7,339 " in text and re.search(r"P0 +6,656 +7,168 +9,049 +1,881\n", text)
    text = repr(StreamView.of(WINDOWS))
    assert "06:32:40 UTC, 1:10 min behind the newest event" in text and "the state has 8 rows, 3.6 kB" in text
    assert "nobody reads P2, P3" in repr(StreamView.of(REALTIME))
    assert [duration(ms) for ms in (462, 6985, 12_345)] == ["462 ms", "6.99 s", "12.3 s"]
    assert [lasting(s) for s in (0.4, 48, 69.9, -5, 7500)] == ["0.4 s", "48 s", "1:10 min", "−5 s", "2:05 h"]
    assert [bytes_(n) for n in (12, 3648, 21_000_000)] == ["12 B", "3.6 kB", "21.0 MB"]


def test_batches_are_there_from_the_moment_at_which_they_had_ended() -> None:
    recording = stream_samples.recorded().recording
    view = StreamView(recording)
    starting = view.drawn_at(recording.at(0.6))
    assert (starting["batches"], starting["standing"]) == ({}, "starting")
    times = recording.facts.times("stream/windows")
    for n in (1, 7, len(times)):
        drawn, expected = view.drawn_at(recording.at(times[n - 1])), recorded(WINDOWS[:n])
        assert (drawn["batches"], drawn["lanes"]) == (expected["batches"], expected["lanes"])
        assert len(view.drawn_at(recording.at(times[n - 1] - 0.001))["batches"]) == n - 1
    assert (drawn["standing"], drawn["trigger"]["words"]) == ("running", "a batch every 1 s")
    end = view.drawn_at(recording.at(101.0))
    assert (end["standing"], end["reason"], end["advice"]) == ("failed", "KeyError: 3", "Mend it.")


def test_the_query_with_the_most_batches_is_shown_unless_another_is_chosen() -> None:
    recording = stream_samples.recorded().recording
    view, other = StreamView(recording), StreamView(recording, "copy")
    assert view.state["queries"] == ["copy", "windows"]
    assert (view.state["query"], other.state["query"]) == ("windows", "copy")
    view.do_choose({"place": 0})
    assert view.state["batches"] == other.state["batches"] != {}
    for place in (2, -1, "0", None):
        with pytest.raises(BadInput, match="no such query"):
            view.do_choose({"place": place})
