"""Following a query: one thread for all who look, that ends with them or with the query; and why a query ended."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Iterator
from typing import Any

import pytest

from kafkalab.errors import BadInput
from kafkalab.state import stream_follow
from kafkalab.state.stream_follow import follow, sentence
from kafkalab.views.stream_view import StreamView
from kafkalab.waiting import wait_until
from tests.unit.views.stream_samples import reports


class Played:
    """A query that gives the reports of a real one, as far as ``played``; counts how often it is asked."""

    def __init__(self, recording: str = "windows") -> None:
        self.runId = uuid.uuid4()
        self.name = recording
        self.isActive = True
        self.status = {"message": "Waiting for next trigger"}
        self.problem: Exception | None = None
        self.gone = False
        self.asked = 0
        self.played = 0
        self._reports = reports(recording)

    @property
    def recentProgress(self) -> list[dict[str, Any]]:  # noqa: N802
        return self._reports[: self.played]

    @property
    def lastProgress(self) -> dict[str, Any] | None:  # noqa: N802
        self.asked += 1
        if self.gone:
            raise ConnectionRefusedError("the JVM has ended")
        return self._reports[self.played - 1] if self.played else None

    def exception(self) -> Exception | None:
        return self.problem


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream_follow, "PERIOD", 0.01)


@pytest.fixture
def views() -> Iterator[list[StreamView]]:
    """Views to be closed at the end."""
    opened: list[StreamView] = []
    yield opened
    for view in opened:
        view.close()


def threads(query: Played) -> list[threading.Thread]:
    return [t for t in threading.enumerate() if t.name == f"kafkalab-stream-{query.name}"]


def test_batches_are_drawn_as_they_come_and_none_is_left_out(views: list[StreamView]) -> None:
    query = Played()
    view = StreamView(query)
    views.append(view)
    assert view.state["standing"] == "starting"
    query.played = 1
    wait_until(lambda: list(view.state["batches"]) == ["0"], 10, "the first batch")
    assert view.state["standing"] == "running"
    assert view.state["message"] == "Waiting for next trigger"
    query.played = 9  # eight between two looks
    wait_until(lambda: list(view.state["batches"]) == [str(n) for n in range(9)], 10, "the others")


def test_what_was_before_is_there_at_once(views: list[StreamView]) -> None:
    query = Played()
    query.played = 20
    views.append(StreamView(query))
    assert len(views[0].state["batches"]) == 20


def test_two_views_share_a_thread_and_the_last_one_ends_it(views: list[StreamView]) -> None:
    query = Played()
    first, second = StreamView(query), StreamView(query)
    views += [first, second]
    assert len(threads(query)) == 1
    query.played = 1
    wait_until(lambda: first.state["batches"] and second.state["batches"], 10, "both to be drawn")
    first.close()
    query.played = 2
    wait_until(lambda: "1" in second.state["batches"], 10, "the other to go on")
    assert "1" not in first.state["batches"]
    second.close()
    wait_until(lambda: not threads(query), 10, "the thread to end")
    asked = query.asked
    third = StreamView(query)
    views.append(third)
    wait_until(lambda: query.asked > asked + 1, 10, "a new view to wake it")


def test_nobody_is_asked_while_no_page_shows_the_view(views: list[StreamView]) -> None:
    query = Played()
    view = StreamView(query)
    views.append(view)
    view._asked(None, {"do": "whole", "eye": "e", "n": 0}, None)
    view._asked(None, {"do": "gone", "eye": "e"}, None)
    wait_until(lambda: not threads(query), 10, "the thread to end")
    query.played = 3
    view._asked(None, {"do": "whole", "eye": "f", "n": 0}, None)
    wait_until(lambda: len(view.state["batches"]) == 3, 10, "what came meanwhile")


def test_a_query_that_was_stopped_is_asked_no_more(views: list[StreamView]) -> None:
    query = Played()
    query.played = 5
    view = StreamView(query)
    views.append(view)
    query.played, query.isActive = 6, False
    wait_until(lambda: view.state["standing"] == "stopped", 10, "its end")
    assert list(view.state["batches"])[-1] == "5", "its last batch"
    assert view.state["reason"] == ""
    wait_until(lambda: not threads(query), 10, "the thread to end")


def test_a_query_that_failed_says_why(views: list[StreamView]) -> None:
    query = Played("fails")
    query.played = 1
    query.problem = ValueError(
        "Job aborted.\nTraceback (most recent call last):\n  File x\nZeroDivisionError: division by zero\n"
    )
    query.isActive = False
    view = StreamView(query)
    views.append(view)
    assert view.state["standing"] == "failed"
    assert view.state["reason"] == "ZeroDivisionError: division by zero"
    assert "ZeroDivisionError" in repr(view)
    assert threads(query) == []


def test_when_spark_is_gone_what_was_seen_stays(views: list[StreamView]) -> None:
    query = Played()
    query.played = 5
    view = StreamView(query)
    views.append(view)
    query.gone = True
    wait_until(lambda: view.state["standing"] == "stopped", 10, "the end")
    assert view.state["reason"] == "Spark itself was stopped."
    assert len(view.state["batches"]) == 5


def test_what_is_no_query_is_refused() -> None:
    for wrong in (3, "windows", object()):
        with pytest.raises(BadInput, match="no streaming query"):
            StreamView(wrong)


def test_what_holds_a_query_will_do(views: list[StreamView]) -> None:
    class Run:
        query = Played()

    assert follow(Run) is follow(Run.query)


@pytest.mark.parametrize(
    "message, found",
    [
        ("", "no reason was given"),
        ("one line", "one line"),
        ("first\nCaused by: org.apache.kafka.common.errors.TimeoutException: Timed out\n\tat x.y",
         "org.apache.kafka.common.errors.TimeoutException: Timed out"),
        ("Reason: ...\nTraceback (most recent call last):\n  File a\nKeyError: 'b'\n SQLSTATE: 39000", "KeyError: 'b'"),
        ("x" * 900, "x" * 300),
    ],
)  # fmt: skip
def test_a_failure_in_a_line(message: str, found: str) -> None:
    assert sentence(message) == found
