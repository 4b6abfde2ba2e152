"""The one thread that looks at a cluster: who is told what and when, when it rests, and waiting for what it sees."""

from __future__ import annotations

import itertools
import logging
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kafkalab.errors import BadInput, Unreachable, WaitTimeout
from kafkalab.state.model import Broker, Group, GroupOffset, Partition, Snapshot, Topic
from kafkalab.state.watch import EVENTS_KEPT, LONGEST_PAUSE, Update, Watcher, pause
from kafkalab.waiting import wait_until

SOON = 20.0
Watch = Callable[..., Watcher]


def snap(leader: int | None = 101, committed: int = 0) -> Snapshot:
    topic = Topic("t", (Partition("t", 0, leader, (101, 102), (101, 102)),))
    group = Group("g", "Stable", 101, (), (GroupOffset("t", 0, committed, None),))
    return Snapshot("c", "kraft", 101, time.time(), (Broker(101, "h", 1, True),), (topic,), (group,))


def leader(snapshot: Snapshot) -> int | None:
    return snapshot.topics[0].partitions[0].leader


class Script:
    """A capture that waits for the test to say what comes next: a snapshot to return, or an error to raise."""

    def __init__(self, *steps: Snapshot | Exception) -> None:
        self.steps = list(steps)
        self.begun = self.at_once = self.most_at_once = 0
        self.gate = threading.Semaphore(len(steps))
        self.lock = threading.Lock()

    def __call__(self) -> Snapshot:
        with self.lock:
            self.begun += 1
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
        self.gate.acquire()
        with self.lock:
            self.at_once -= 1
            step = self.steps.pop(0)
        if isinstance(step, Exception):
            raise step
        return step

    def add(self, *steps: Snapshot | Exception) -> None:
        with self.lock:
            self.steps += steps
        self.gate.release(len(steps))

    def wait_begun(self) -> None:
        wait_until(lambda: self.begun, SOON, "a capture to begin")


@pytest.fixture
def watch() -> Iterator[Watch]:
    """Makes watchers that are closed at the end, whatever their capture waits for."""
    made: list[tuple[Watcher, object]] = []

    def make(capture: Callable[[], Snapshot], period: float = 0.001) -> Watcher:
        watcher = Watcher(capture, period)
        made.append((watcher, capture))
        return watcher

    yield make
    for watcher, capture in made:
        closing = threading.Thread(target=watcher.close)
        closing.start()
        if isinstance(capture, Script):
            capture.add(snap(), snap())
        closing.join()


def told(watcher: Watcher) -> list[Update]:
    """What it tells a listener from now on."""
    seen: list[Update] = []
    watcher.subscribe(seen.append)
    return seen


def rests(watcher: Watcher) -> None:
    wait_until(lambda: "resting" in repr(watcher), SOON, "the thread to end")


def wait_for_count(seen: list[Any], count: int) -> None:
    wait_until(lambda: len(seen) >= count, SOON, f"{count} updates", seen=lambda: repr(seen))


def test_updates_come_in_order_with_what_changed(watch: Watch) -> None:
    first, second = snap(101), snap(102)
    watcher = watch(Script(first, second))
    seen = told(watcher)
    wait_for_count(seen, 2)
    assert [u.snapshot for u in seen] == [first, second]
    assert [e.kind for u in seen for e in u.events] == ["leader_moved"]
    assert watcher.latest is second
    assert watcher.events == seen[1].events


def test_one_thread_lives_as_long_as_somebody_listens(watch: Watch) -> None:
    watcher = watch(snap)
    for _ in range(3):
        rests(watcher)
        seen: list[threading.Thread] = []

        def tell(_: Update, seen: list[threading.Thread] = seen) -> None:
            seen.append(threading.current_thread())

        leave, leave_too = watcher.subscribe(tell), watcher.subscribe(tell)
        wait_for_count(seen, 2)
        leave()
        leave()
        wait_for_count(seen, len(seen) + 2)
        assert len(set(seen)) == 1
        assert seen[0].daemon
        leave_too()


def test_a_failure_is_told_once_and_so_is_its_end(watch: Watch) -> None:
    down = [Unreachable("Nobody.", seen=f"try {i}") for i in range(3)]
    script = Script(snap(101), down[0], down[1], OSError("no route"), down[2], OSError("no route"), snap(102))
    watcher = watch(script)
    seen = told(watcher)
    wait_for_count(seen, 4)
    assert [u.error and u.error.splitlines()[0] for u in seen] == [None, "Nobody.", "OSError: no route", None]
    kinds = ["capture_failed", "capture_failed", "capture_recovered", "leader_moved"]
    assert [e.kind for u in seen for e in u.events] == kinds
    assert "no route" in seen[2].events[0].text
    assert [u.snapshot is None for u in seen] == [False, True, True, False]
    script.add(Unreachable("Nobody."))
    wait_for_count(seen, 5)
    assert seen[4].error is not None, "a new outage is news again"
    assert watcher.latest is seen[3].snapshot


def test_a_listener_that_raises_is_kept_and_grumbled_about_once(watch: Watch, caplog: pytest.LogCaptureFixture) -> None:
    called: list[Update] = []
    texts = iter(["torn", "torn", "torn", "worn", "worn"])

    def bad(update: Update) -> None:
        called.append(update)
        raise ValueError(next(texts, "worn"))

    watcher = watch(Script(*(snap() for _ in range(5))))
    with caplog.at_level(logging.ERROR, "kafkalab.state.watch"):
        watcher.subscribe(bad)
        seen = told(watcher)
        # The first capture may be told before the second listener is there.
        wait_for_count(called, 5)
        wait_for_count(seen, 4)
    assert [str(r.exc_info[1]) for r in caplog.records if r.exc_info] == ["torn", "worn"]


def test_a_note_is_told_at_once_though_a_capture_hangs(watch: Watch) -> None:
    script = Script()
    watcher = watch(script)
    alone = watcher.note("read chapter 3", kind="lesson")
    assert watcher.events == (alone,)
    assert "resting" in repr(watcher)
    seen = told(watcher)
    script.wait_begun()
    event = watcher.note("you killed broker 102")
    assert (event.kind, event.text) == ("you", "you killed broker 102")
    assert seen == [Update(None, (event,))]
    assert watcher.events == (alone, event)


def test_listeners_may_note_and_leave_while_they_are_told(watch: Watch) -> None:
    script = Script()
    watcher = watch(script)
    own: list[Update] = []

    def once(update: Update) -> None:
        own.append(update)
        leave()
        watcher.note("seen")

    leave = watcher.subscribe(once)
    seen = told(watcher)
    script.add(snap(), snap(), snap())  # now that both listen
    wait_until(lambda: sum(u.snapshot is not None for u in seen) == 3, SOON, "three snapshots")
    assert len(own) == 1
    assert [e.text for e in watcher.events] == ["seen"]


def test_a_refresh_ends_the_rest_and_captures_never_overlap(watch: Watch) -> None:
    script = Script()
    watcher = watch(script, period=3600)
    leave_early = watcher.subscribe(lambda _: None)
    script.wait_begun()
    leave_early()
    seen = told(watcher)
    watcher.refresh()
    script.add(snap(), snap())
    wait_for_count(seen, 2)
    script.add(snap())
    watcher.refresh()
    wait_for_count(seen, 3)
    assert script.most_at_once == 1


def test_waiting_looks_only_at_what_was_captured_since(watch: Watch) -> None:
    old, new = snap(101), snap(101)
    script = Script()
    watcher = watch(script, period=3600)
    told(watcher)
    script.wait_begun()
    found: list[Snapshot] = []
    asked: list[Snapshot] = []
    waiting = threading.Thread(
        target=lambda: found.append(watcher.wait_for(lambda s: asked.append(s) or leader(s) == 101, SOON, "101"))
    )
    waiting.start()
    wait_until(lambda: "2 listening" in repr(watcher), SOON, "the wait to begin")
    script.add(old, new)
    waiting.join(SOON)
    assert [s is new for s in found] == [s is new for s in asked] == [True]


def test_waiting_needs_no_listener_and_leaves_none(watch: Watch) -> None:
    leaders = itertools.cycle([101, None, 102])
    watcher = watch(lambda: snap(next(leaders)))
    assert leader(watcher.wait_for(lambda s: leader(s) == 102, SOON, "102")) == 102
    rests(watcher)
    with pytest.raises(ZeroDivisionError):
        watcher.wait_for(lambda s: 1 / 0, SOON, "anything")
    rests(watcher)


def test_waiting_in_vain_says_how_things_stand(watch: Watch) -> None:
    def fail() -> Snapshot:
        raise Unreachable("Nobody.")

    for capture, standing in ((lambda: snap(None), "1 partitions without a leader"), (fail, "Nobody.")):
        with pytest.raises(WaitTimeout, match="the moon") as caught:
            watch(capture).wait_for(lambda s: False, 0.2, "the moon")
        assert standing in caught.value.seen


def test_a_listener_cannot_wait(watch: Watch) -> None:
    watcher = watch(snap)
    caught: list[Exception] = []

    def wait(_: Update) -> None:
        try:
            watcher.wait_for(lambda s: True, SOON, "anything")
        except BadInput as error:
            caught.append(error)

    watcher.subscribe(wait)
    wait_until(lambda: caught, SOON, "the refusal")


def test_a_closed_watcher_is_silent_and_takes_no_listener(watch: Watch) -> None:
    watcher = watch(snap)
    seen: list[threading.Thread] = []
    leave = watcher.subscribe(lambda _: seen.append(threading.current_thread()))
    wait_for_count(seen, 1)
    watcher.close()
    watcher.close()
    assert not seen[0].is_alive()
    before = len(seen)
    watcher.note("after the end")
    assert len(seen) == before
    leave()
    with pytest.raises(BadInput, match="closed"):
        told(watcher)


def test_history_is_bounded_and_holds_no_chatter(watch: Watch) -> None:
    numbers = itertools.count()
    watcher = watch(lambda: snap(committed=next(numbers)))
    seen: list[Update] = []
    leave = watcher.subscribe(seen.append)
    wait_for_count(seen, 3)
    leave()
    assert "committed" in {e.kind for u in seen for e in u.events}
    assert watcher.events == ()
    for i in range(EVENTS_KEPT + 1):
        watcher.note(str(i))
    assert [watcher.events[0].text, len(watcher.events)] == ["1", EVENTS_KEPT]


def test_a_period_must_be_above_zero() -> None:
    for period in (0, -1, float("nan")):
        with pytest.raises(BadInput):
            Watcher(snap, period)


@settings(max_examples=50)
@given(st.floats(0.01, 10), st.floats(0, 10), st.integers(0, 10_000))
def test_a_rest_is_longer_than_the_period_only_when_it_goes_badly(period: float, took: float, failures: int) -> None:
    rest = pause(period, took, failures)
    assert max(0.0, period - took) <= rest <= max(period, LONGEST_PAUSE)
    if took <= period and not failures:
        assert rest == period - took
    if took > period:
        assert rest >= min(took, LONGEST_PAUSE)
