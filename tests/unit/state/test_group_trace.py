"""A group followed by looks that a test gives: what is kept, who is told, when it rests; and what brokers log."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import pytest

from kafkalab.state.connections import NoAnswer
from kafkalab.state.groups.history import Look
from kafkalab.state.groups.lanes import lanes
from kafkalab.state.groups.offsets_topic import GroupRecord
from kafkalab.state.groups.trace import CALM, GroupTrace, Reason, why_gone
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

    def look(self) -> tuple[Look, list[tuple[float, GroupRecord]]]:
        self.asked += 1
        if self.failure is not None:
            raise self.failure
        return Look(time.time(), self.group), []

    def session(self) -> float | None:
        return 6.0

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
    until(lambda: trace.history()["members"]["m1"]["session"] == 6.0, "the session to be known")
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


def test_who_follows_calmly_lets_it_look_less_often(told: Told, trace: GroupTrace) -> None:
    calm = trace.subscribe(lambda: None, calmly=True)
    assert trace.history()["period"] == CALM
    close = trace.subscribe(lambda: None)
    assert trace.history()["period"] == 0.001
    told.again(5)
    close()
    assert (trace.history()["period"], trace.running) == (CALM, True)
    calm()


def test_what_brokers_log_of_a_members_end() -> None:
    id, died, left = "C2-db1598c8", Reason("died", ""), Reason("left", "")
    by, closed = "through explicit `LeaveGroup`", Reason("left", "the consumer is being closed")
    for line, reason in (  # of 3.9 and 4.3, classic groups and newer ones, without time and logger
        (f"Member {id} in group dash has failed, removing it from the group", died),
        (f"Preparing to rebalance group dash (reason: removing member {id} on heartbeat expiration)", died),
        (f"Member MemberMetadata(memberId={id}) has left group dash {by}; client reason: not provided", left),
        (f"[Group dash] Member {id} has left group {by} request; client reason: the consumer is being closed", closed),
        (f"[GroupId newer] Member {id} fenced from the group because its session expired.", died),
        (f"[GroupId newer] Member {id} left the consumer group.", left),
        (f"[GroupId newer] Member {id} joins the consumer group using the consumer protocol.", None),
        ("Member somebody-else in group dash has failed, removing it from the group", None),
    ):
        log = f"noise\n[2026-11-21 15:26:40,064] INFO [GroupCoordinator 102]: {line} (kafka.GroupCoordinator)\nnoise"
        assert why_gone(log, id) == reason, line
