"""StreamView of a recording: a query's reports as far as they had come."""

from __future__ import annotations

import pytest

from kafkalab.errors import BadInput
from kafkalab.views.stream_drawn import recorded
from kafkalab.views.stream_view import StreamView
from tests.unit.views import stream_samples
from tests.unit.views.recorded_samples import Tape
from tests.unit.views.stream_samples import BEGAN, WINDOWS


def test_batches_are_there_from_the_moment_at_which_they_had_ended() -> None:
    recording = stream_samples.recorded().recording
    view = StreamView(recording)
    starting = view.drawn_at(recording.at(0.6))
    assert (starting["batches"], starting["standing"]) == ({}, "starting")
    times = recording.facts.times("stream/windows")
    for n in (1, 7, len(times)):
        drawn, expected = view.drawn_at(recording.at(times[n - 1])), recorded(WINDOWS[:n])
        assert len(drawn["batches"]) == n
        assert (drawn["batches"], drawn["lanes"]) == (expected["batches"], expected["lanes"])
        assert len(view.drawn_at(recording.at(times[n - 1] - 0.001))["batches"]) == n - 1
    assert (drawn["standing"], drawn["trigger"]["words"]) == ("running", "a batch every 1 s")
    end = view.drawn_at(recording.at(101.0))
    assert (end["standing"], end["reason"], end["advice"]) == ("failed", "KeyError: 3", "Mend it.")


def test_the_query_with_the_most_batches_is_shown_unless_another_is_chosen() -> None:
    recording = stream_samples.recorded().recording
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
    assert StreamView(Tape(BEGAN).recording).state["queries"] == []


def test_a_query_that_finds_nothing_crowds_no_batch_out() -> None:
    made = Tape(BEGAN)
    idle = {**WINDOWS[-1], "batchId": WINDOWS[-1]["batchId"] + 1, "numInputRows": 0}
    times = [f"2026-11-21T18:{n // 60:02}:{n % 60:02}.000Z" for n in range(200)]
    for n, report in enumerate([*WINDOWS, *({**idle, "timestamp": at} for at in times)]):
        made.item(n, "stream/q", report)
    drawn = StreamView(made.recording).drawn_at(made.recording.at(400.0))
    assert len(drawn["batches"]) == len(WINDOWS) + 1
