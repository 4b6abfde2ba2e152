"""A group followed by looks that a test gives: what is kept, who is told, and when it rests."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import pytest

from kafkalab.state.connections import NoAnswer
from kafkalab.state.groups.history import Look, lanes
from kafkalab.state.groups.trace import GroupTrace, Reason
from kafkalab.state.model import Group, Member
from kafkalab.waiting import wait_until

T = "trucks"
EMPTY = Group("g", "Empty", 101, type="consumer")


class Told:
    """Answers with what the test sets; counts how often it is asked and closed."""

    def __init__(self) -> None:
        self.group: Group | None = Group("g", "Stable", 101, (Member("m1", "C1", "/h", ((T, 0),)),), type="consumer")
        self.failure: Exception | None = None
        self.reason: Reason | None = None
        self.asked = self.closed = 0

    def look(self) -> Look:
        self.asked += 1
        if self.failure is not None:
            raise self.failure
        return Look(time.time(), self.group)

    def why_gone(self, member_id: str) -> Reason | None:
        return self.reason

    def close(self) -> None:
        self.closed += 1

    def again(self, times: int) -> None:
        """Waits for that many looks more."""
        asked = self.asked
        until(lambda: self.asked >= asked + times, "more looks")


def until(condition: Callable[[], object], what: str) -> None:
    wait_until(condition, 10, what, period=0.005)


def state(trace: GroupTrace) -> str:
    steps = trace.history()["steps"]
    return steps[-1]["state"] if steps else ""


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture
def trace(told: Told) -> Iterator[GroupTrace]:
    """One whose listeners must all have left at the end of the test."""
    trace = GroupTrace(told, "g", period=0.001)
    yield trace
    until(lambda: not trace.running and told.closed, "the trace to end")


def test_listeners_are_told_of_changes_and_of_nothing_else(told: Told, trace: GroupTrace) -> None:
    changes = threading.Semaphore(0)
    stop = trace.subscribe(changes.release)
    assert changes.acquire(timeout=10)
    told.again(30)
    assert sum(changes.acquire(blocking=False) for _ in range(100)) <= 1
    told.group = EMPTY
    assert changes.acquire(timeout=10)
    stop()
    stop()


def test_while_nobody_answers_nothing_is_known(told: Told, trace: GroupTrace) -> None:
    stop = trace.subscribe(lambda: None)
    until(lambda: state(trace), "a look")
    for failure in (NoAnswer("is paused"), ValueError("nobody thought of this")):
        told.failure = failure
        until(lambda: state(trace) == "Unknown", "the silence to be noted")
        told.again(4)
        told.failure = None
        until(lambda: state(trace) == "Stable", "an answer")
    assert [piece["what"] for piece in lanes(trace.history())[T, 0]] == ["held", "unknown", "held", "unknown", "held"]
    stop()


def test_why_a_member_is_gone_is_asked_until_it_is_known(told: Told, trace: GroupTrace) -> None:
    stop = trace.subscribe(lambda: None)
    until(lambda: state(trace), "a look")
    told.group = EMPTY
    until(lambda: trace.history()["members"]["m1"]["gone"], "it to be missed")
    assert trace.history()["members"]["m1"]["why"] == ""
    told.reason = Reason("left", "is being closed")
    until(lambda: trace.history()["members"]["m1"]["why"] == "left", "the reason")
    assert trace.history()["members"]["m1"]["said"] == "is being closed"
    stop()


def test_the_least_patient_listener_says_how_often_it_looks(told: Told, trace: GroupTrace) -> None:
    calm = trace.subscribe(lambda: None, period=0.5)
    assert trace.history()["period"] == 0.5
    close = trace.subscribe(lambda: None)
    assert trace.history()["period"] == 0.001
    told.again(5)
    close()
    assert (trace.history()["period"], trace.running) == (0.5, True)
    calm()
