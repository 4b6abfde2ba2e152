"""StreamView of a recording: a query's reports as far as they had come, in any direction, whoever recorded them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from kafkalab.errors import BadInput
from kafkalab.state.recorded_stream import query_told
from kafkalab.state.recording import Recording
from kafkalab.state.stream_report import Trigger, seconds
from kafkalab.views.stream_drawn import recorded
from kafkalab.views.stream_view import StreamView
from tests.unit.views.recorded_samples import NONSENSE, Tape
from tests.unit.views.stream_samples import reports

WINDOWS, COPY = reports("windows"), reports("copy")
BEGAN = seconds(WINDOWS[0]["timestamp"]) - 1


def tape() -> Tape:
    """Two queries that Spark ran, one after the other; a report comes when its batch has ended."""
    made = Tape(BEGAN)
    made.state(0.5, "query/windows", query_told("starting", Trigger("processing time", 1000), "", ""))
    for name, all_of_it in (("windows", WINDOWS), ("copy", COPY)):
        for report in all_of_it:
            at = max(0.0, seconds(report["timestamp"]) - BEGAN + report["durationMs"]["triggerExecution"] / 1000)
            made.item(at, f"stream/{name}", report)
    first = made.recording.facts.times("stream/windows")[0]
    made.state(first, "query/windows", query_told("running", Trigger("processing time", 1000), "", ""))
    made.state(
        100.0, "query/windows", query_told("failed", Trigger("processing time", 1000), "KeyError: 3", "Mend it.")
    )
    return made


@pytest.fixture
def recording() -> Recording:
    return tape().recording


def at(view: StreamView, seconds: float) -> dict[str, Any]:
    recording = view._recording
    assert recording is not None
    return view.drawn_at(recording.at(seconds))


def test_batches_are_there_from_the_moment_at_which_they_had_ended(recording: Recording) -> None:
    view = StreamView(recording)
    times = recording.facts.times("stream/windows")
    assert at(view, 0.6)["batches"] == {} and at(view, 0.6)["standing"] == "starting"
    for n in (1, 7, len(times)):
        drawn = at(view, times[n - 1])
        assert len(drawn["batches"]) == n
        assert drawn["batches"] == recorded(WINDOWS[:n])["batches"]
        assert drawn["lanes"] == recorded(WINDOWS[:n])["lanes"]
        assert len(at(view, times[n - 1] - 0.001)["batches"]) == n - 1
    assert (drawn["standing"], drawn["trigger"]["words"]) == ("running", "a batch every 1 s")
    end = at(view, 101.0)
    assert (end["standing"], end["reason"], end["advice"]) == ("failed", "KeyError: 3", "Mend it.")


def test_forth_and_back_a_moment_is_the_same(recording: Recording) -> None:
    moments = [0.0, 1.0, 3.0, 9.5, 20.0, 100.0]
    view = StreamView(recording)
    forth = [at(view, t) for t in moments]
    back = [at(view, t) for t in reversed(moments)][::-1]
    fresh = [at(StreamView(recording), t) for t in moments]
    assert forth == back == fresh


def test_the_query_with_the_most_batches_is_shown_unless_another_is_chosen(recording: Recording) -> None:
    view, other = StreamView(recording), StreamView(recording, "copy")
    assert (view.state["queries"], view.state["query"]) == (["copy", "windows"], "windows")
    assert other.state["query"] == "copy" and other.state["standing"] == "recorded"
    view.do_choose({"place": 0})
    assert view.state["batches"] == other.state["batches"] != {}
    for place in (2, -1, "0", None):
        with pytest.raises(BadInput, match="no such query"):
            view.do_choose({"place": place})
    recording.playhead.seek(0.0)
    assert view.state["query"] == "copy" and view.state["batches"] == {}
    view.close()
    other.close()


def test_a_recording_without_queries_says_nothing_has_ended() -> None:
    view = StreamView(Tape(BEGAN).recording)
    assert view.state["notes"]["rates"] == "No batch has ended yet."
    assert view.state["queries"] == []
    assert view.to_svg() and view.to_html() and repr(view)


def test_a_query_that_finds_nothing_crowds_no_batch_out() -> None:
    made = Tape(BEGAN)
    for n, report in enumerate(WINDOWS):
        made.item(n, "stream/q", report)
    idle = {**WINDOWS[-1], "batchId": WINDOWS[-1]["batchId"] + 1, "numInputRows": 0}
    for n in range(200):
        made.item(100.0 + n, "stream/q", {**idle, "timestamp": f"2026-11-21T18:{n // 60:02}:{n % 60:02}.000Z"})
    assert len(at(StreamView(made.recording), 400.0)["batches"]) == len(WINDOWS) + 1


@pytest.mark.parametrize("wrong", NONSENSE, ids=lambda value: repr(value)[:20])
def test_whatever_a_stranger_recorded_nothing_is_raised(wrong: Any) -> None:
    made = tape()
    made.item(110.0, "stream/windows", wrong)
    newest = WINDOWS[-1]
    for n, key in enumerate(newest):
        number = {} if key == "batchId" else {"batchId": 1000 + n}
        made.item(111.0 + n, "stream/windows", {**newest, **number, key: wrong})
    for n, key in enumerate(("standing", "trigger", "reason")):
        told = query_told("running", Trigger(), "", "")
        made.state(140.0 + n, "query/windows", {**told, key: wrong})
    made.state(150.0, "query/<b>", wrong)
    view = StreamView(made.recording)
    for n in range(110, 152):
        made.recording.playhead.seek(n)
        json.dumps(view.state, allow_nan=False)
    for n in (111, 138, 151):
        made.recording.playhead.seek(n)
        assert repr(view) and "<img src=x" not in view.to_html() + view.to_svg()
    assert view.state["batches"].keys() >= {str(report["batchId"]) for report in WINDOWS}
    view.close()
