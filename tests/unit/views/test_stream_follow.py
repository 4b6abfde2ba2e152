"""Following a query: one thread for all who look, that ends with them or with the query; and why a query ended."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest

from kafkalab.errors import NotSupported
from kafkalab.state import stream
from kafkalab.views.stream.view import StreamView
from kafkalab.waiting import wait_until
from tests.unit.views.stream_samples import Played

Make = Callable[..., StreamView]


@pytest.fixture
def make(monkeypatch: pytest.MonkeyPatch) -> Iterator[Make]:
    """Makes views, which look often and are closed at the end."""
    monkeypatch.setattr(stream, "PERIOD", 0.01)
    opened: list[StreamView] = []

    def make(query: object) -> StreamView:
        opened.append(StreamView(query))
        return opened[-1]

    yield make
    for view in opened:
        view.close()


def threads(query: Played) -> int:
    """How many follow this query."""
    return sum(t.name == f"kafkalab-stream-{query.name}" for t in threading.enumerate())


def until(condition: Callable[[], object], what: str) -> None:
    wait_until(condition, 20, what, period=0.005)


def test_batches_are_drawn_as_they_come_until_the_query_stops(make: Make) -> None:
    query = Played()
    view = make(query)
    assert view.state["standing"] == "starting"
    query.played = 1
    until(lambda: list(view.state["batches"]) == ["0"], "the first batch")
    assert (view.state["standing"], view.state["message"]) == ("running", "Waiting for next trigger")
    query.played = 9  # eight between two looks
    until(lambda: list(view.state["batches"]) == [str(n) for n in range(9)], "the others")
    assert len(make(query).state["batches"]) == 9, "at once"
    query.played, query.isActive = 10, False
    until(lambda: view.state["standing"] == "stopped", "its end")
    assert (list(view.state["batches"])[-1], view.state["reason"]) == ("9", ""), "its last batch"
    until(lambda: not threads(query), "the thread to end")


def test_a_moment_of_a_running_query_is_marked_and_one_of_the_past_is_not(make: Make) -> None:
    query = Played()
    query.played = 3
    view = make(query).mark("102 killed").mark("102 back")
    marks = view.state["marks"]
    assert [mark["words"] for mark in marks] == ["102 killed", "102 back"]
    assert marks[0]["at"] <= marks[1]["at"] and "✕ 102 killed: " in repr(view)
    with pytest.raises(NotSupported, match="Only a running query"):
        StreamView.of([]).mark("too late")


def test_views_share_a_thread_which_ends_with_the_last_that_is_looked_at(make: Make) -> None:
    query = Played("copy")
    first, second = make(query), make(query)
    assert threads(query) == 1
    query.played = 1
    until(lambda: first.state["batches"] and second.state["batches"], "both to be drawn")
    first.close()
    query.played = 2
    until(lambda: "1" in second.state["batches"], "the other to go on")
    assert "1" not in first.state["batches"]
    second._asked(None, {"do": "whole", "eye": "e", "n": 0}, None)
    second._asked(None, {"do": "gone", "eye": "e"}, None)
    until(lambda: not threads(query), "the thread to end")
    query.played = 3
    second._asked(None, {"do": "whole", "eye": "f", "n": 0}, None)
    until(lambda: "2" in second.state["batches"], "what came meanwhile")
    second.close()
    until(lambda: not threads(query), "the thread to end")


def test_why_a_query_ended_is_said_and_what_was_seen_stays(make: Make) -> None:
    failed, gone = Played("fails"), Played()
    failed.played, failed.isActive = 1, False
    failed.problem = ValueError("Aborted.\nTraceback (most recent call last):\n  File x\nZeroDivisionError: by zero\n")
    state = make(failed).state
    assert (state["standing"], state["reason"], threads(failed)) == ("failed", "ZeroDivisionError: by zero", 0)
    assert "Fix the Python function" in state["advice"]
    gone.played = 5
    view = make(gone)
    gone.gone = True
    until(lambda: view.state["standing"] == "stopped", "the end")
    assert (view.state["reason"], len(view.state["batches"])) == ("Spark itself was stopped.", 5)
