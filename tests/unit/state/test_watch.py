"""The one thread that looks at a cluster: who is told what and when, when it rests, and waiting for what it sees."""

from __future__ import annotations

import itertools
import logging
import queue
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

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


class Script:
    """A capture that waits for the test to say what comes next: a snapshot to return, or an error to raise."""

    def __init__(self, *steps: Snapshot | Exception) -> None:
        self.steps: queue.Queue[Snapshot | Exception] = queue.Queue()
        self.begun = self.at_once = self.most_at_once = 0
        self.add(*steps)

    def __call__(self) -> Snapshot:
        self.begun += 1
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        step = self.steps.get()
        self.at_once -= 1
        if isinstance(step, Exception):
            raise step
        return step

    def add(self, *steps: Snapshot | Exception) -> None:
        for step in steps:
            self.steps.put(step)

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


def test_one_thread_lives_as_long_as_somebody_listens(watch: Watch) -> None:
    watcher = watch(snap)
    seen: list[threading.Thread] = []
    for _ in range(3):
        rests(watcher)
        seen.clear()
        leave, leave_too = (watcher.subscribe(lambda _: seen.append(threading.current_thread())) for _ in range(2))
        wait_for_count(seen, 2)
        leave()
        leave()
        wait_for_count(seen, len(seen) + 2)
        assert len(set(seen)) == 1
        assert seen[0].daemon
        leave_too()


def test_what_changed_is_told_in_order_and_a_failure_once(watch: Watch) -> None:
    first, second = snap(101), snap(102)
    down = [Unreachable("Nobody.", seen=f"try {i}") for i in range(3)]
    script = Script(first, down[0], down[1], OSError("no route"), down[2], OSError("no route"), second)
    watcher = watch(script)
    seen = told(watcher)
    wait_for_count(seen, 4)
    assert [u.error and u.error.splitlines()[0] for u in seen] == [None, "Nobody.", "OSError: no route", None]
    events = [e for u in seen for e in u.events]
    assert [e.kind for e in events] == ["capture_failed", "capture_failed", "capture_recovered", "leader_moved"]
    assert [u.snapshot for u in seen] == [first, None, None, second]
    assert watcher.events == tuple(events)
    script.add(Unreachable("Nobody."))
    wait_for_count(seen, 5)
    assert seen[4].error is not None, "a new outage is news again"
    assert watcher.latest is second


def test_a_listener_that_raises_or_waits_is_grumbled_about_once(watch: Watch, caplog: pytest.LogCaptureFixture) -> None:
    texts = iter(["torn", "torn", "torn"])

    class Bad:
        """A picture that cannot be drawn: not even its repr works."""

        def update(self, update: Update) -> None:
            called.append(update)
            for text in texts:
                raise ValueError(text)
            watcher.wait_for(lambda s: True, SOON, "what it would be told itself")

        def __repr__(self) -> str:
            raise ValueError("torn")

    called: list[Update] = []
    watcher = watch(Script(*(snap() for _ in range(5))))
    with caplog.at_level(logging.ERROR, "kafkalab.state.watch"):
        watcher.subscribe(Bad().update)
        seen = told(watcher)
        # The first capture may be told before the second listener is there.
        wait_for_count(called, 5)
        wait_for_count(seen, 4)
    assert [r.exc_info[0] for r in caplog.records if r.exc_info] == [ValueError, BadInput]
    assert "Bad.update" in caplog.records[0].getMessage()


def test_a_note_is_told_at_once_though_a_capture_hangs_and_its_listeners_may_note_and_leave(watch: Watch) -> None:
    script = Script()
    watcher = watch(script)
    watcher.note("read chapter 3")
    assert "resting" in repr(watcher)
    seen, own = told(watcher), []
    script.wait_begun()

    def once(update: Update) -> None:
        own.append(update)
        leave()
        watcher.note("seen")

    leave = watcher.subscribe(once)
    event = watcher.note("you killed broker 102")
    assert own == [Update(None, (event,))]
    assert [e.text for u in seen for e in u.events] == ["you killed broker 102", "seen"]
    expected = [("you", "read chapter 3"), ("you", "you killed broker 102"), ("you", "seen")]
    assert [(e.kind, e.text) for e in watcher.events] == expected


def test_captures_never_overlap_and_who_waits_is_shown_what_was_captured_since(watch: Watch) -> None:
    old, new = snap(101), snap(101)
    script = Script()
    watcher = watch(script, period=3600)
    leave_early = watcher.subscribe(lambda _: None)
    script.wait_begun()
    leave_early()
    seen = told(watcher)
    asked: list[Snapshot] = []
    waiting = threading.Thread(target=watcher.wait_for, args=(lambda s: asked.append(s) or True, SOON, "anything"))
    waiting.start()
    wait_until(lambda: "2 listening" in repr(watcher), SOON, "the wait to begin")
    script.add(old, new)
    waiting.join(SOON)
    assert [s is new for s in asked] == [True]
    script.add(snap())
    watcher.refresh()
    wait_for_count(seen, 3)
    assert script.most_at_once == 1


def test_waiting_leaves_no_listener_and_in_vain_says_how_things_stand(watch: Watch) -> None:
    leaders = itertools.cycle([101, None, 102])
    watcher = watch(lambda: snap(next(leaders)))
    found = watcher.wait_for(lambda s: s.topics[0].partitions[0].leader == 102, SOON, "102")
    assert found.topics[0].partitions[0].leader == 102
    rests(watcher)
    with pytest.raises(ZeroDivisionError):
        watcher.wait_for(lambda s: 1 / 0, SOON, "anything")
    rests(watcher)
    with pytest.raises(WaitTimeout, match="the moon") as caught:
        watch(lambda: snap(None)).wait_for(lambda s: False, 1.0, "the moon")
    assert "partitions: 1, 1 without a leader" in caught.value.seen


def test_a_closed_watcher_is_silent_and_takes_no_listener(watch: Watch) -> None:
    watcher = watch(snap)
    seen: list[threading.Thread] = []
    watcher.subscribe(lambda _: seen.append(threading.current_thread()))
    wait_for_count(seen, 1)
    watcher.close()
    before = len(seen)
    watcher.note("after the end")
    assert (len(seen), seen[0].is_alive()) == (before, False)
    with pytest.raises(BadInput, match="closed"):
        told(watcher)


def test_history_is_bounded_and_holds_no_chatter(watch: Watch) -> None:
    watcher = watch(Script(snap(committed=1), snap(committed=2)))
    seen = told(watcher)
    wait_for_count(seen, 2)
    assert [e.kind for u in seen for e in u.events] == ["committed"]
    assert watcher.events == ()
    for i in range(EVENTS_KEPT + 1):
        watcher.note(str(i))
    assert [watcher.events[0].text, len(watcher.events)] == ["1", EVENTS_KEPT]


def test_a_rest_is_longer_than_the_period_only_when_it_goes_badly() -> None:
    assert (pause(1.0, 0.25, 0), pause(1.0, 1.5, 0), pause(0.5, 0.1, 1)) == (0.75, 1.5, 1.0)
    assert pause(1.0, 100.0, 0) == pause(1.0, 0.1, 10_000) == LONGEST_PAUSE
