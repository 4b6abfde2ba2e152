"""Playhead: where it stands, that it plays without drift, stands still for nobody, and tells everybody of moves."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator

import pytest

from kafkalab.errors import BadInput
from kafkalab.history import recording as module
from kafkalab.history.recording import Mark, NamedMoment, Playhead
from kafkalab.state.model import Event
from kafkalab.waiting import wait_until

KILLED = Event(1012.0, "you", "you killed broker 102")
DOWN = Event(1016.0, "broker_down", "broker 102 is down", broker=102)
MOVED = Event(1016.0, "leader_moved", "P0: leader 102 → 103", partition=0, broker=103)
AGAIN = Event(1030.0, "leader_moved", "P0: leader 103 → 102", partition=0, broker=102)
CALM = NamedMoment(11.0, "calm")
MARKS = [Mark(11.0, CALM), Mark(12.0, KILLED), Mark(16.0, DOWN), Mark(16.0, MOVED), Mark(30.0, AGAIN)]


class Clock:
    """Goes only when the test says so."""

    now = 100.0

    def monotonic(self) -> float:
        return self.now


class Told:
    """Where it stood whenever a listener was told."""

    def __init__(self, playhead: Playhead) -> None:
        self.places: list[float] = []
        self.end = playhead.subscribe(lambda: self.places.append(playhead.at))

    def until(self, place: float) -> None:
        wait_until(lambda: self.places and self.places[-1] == place, 20, f"it to be told of {place}", period=0.005)


@pytest.fixture
def length() -> list[float]:
    return [40.0]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(module, "time", clock)
    return clock


@pytest.fixture
def playhead(length: list[float], clock: Clock) -> Iterator[Playhead]:
    playhead = Playhead(lambda: length[0], lambda: MARKS)
    yield playhead
    playhead.pause()
    wait_until(lambda: not playhead.running, 20, "its thread to end")


def test_it_follows_the_end_until_it_is_moved(playhead: Playhead, length: list[float]) -> None:
    assert (playhead.at, playhead.live) == (40.0, True)
    for to, at in ((12.5, 12.5), (1e9, 40.0), (-3, 0.0)):
        playhead.seek(to)
        assert (playhead.at, playhead.live) == (at, False)
    length[0] = 42.0
    assert playhead.at == 0.0
    playhead.to_live()
    assert (playhead.at, playhead.live) == (42.0, True)


def test_when_a_move_returns_everybody_was_told_though_a_listener_moves_it_or_fails(
    playhead: Playhead, caplog: pytest.LogCaptureFixture
) -> None:
    def fails() -> None:
        raise ZeroDivisionError("by zero")

    playhead.subscribe(fails)
    first, second = Told(playhead), Told(playhead)
    playhead.seek(5)
    playhead.step()
    assert first.places == second.places == [5.0, 11.0]
    assert "by zero" in caplog.text
    first.end()
    playhead.subscribe(lambda: playhead.seek(7) if playhead.at < 7 else None)
    playhead.seek(6)
    assert (first.places[-1], second.places[-1], playhead.at) == (11.0, 7.0, 7.0)


def test_steps_go_from_moment_to_moment(playhead: Playhead) -> None:
    playhead.seek(0)
    assert [playhead.at for _ in MARKS if playhead.step()] == [11.0, 12.0, 16.0, 30.0]
    assert not playhead.step() and playhead.at == 30.0
    assert [playhead.at for _ in MARKS if playhead.step(-1)] == [16.0, 12.0, 11.0]
    playhead.to_live()
    assert playhead.step(-1) and playhead.at == 30.0 and not playhead.live


def test_jumps_go_to_what_is_meant_and_what_is_no_moment_or_no_speed_is_refused(playhead: Playhead) -> None:
    refused = [(playhead.jump, wrong) for wrong in ("storm", 4, -5, True, None, Event(1.0, "you", "you slept"))]
    refused += [(playhead.seek, wrong) for wrong in (math.nan, "soon")]
    refused += [(set_, wrong) for set_ in (playhead.play, playhead.pace) for wrong in (0, -1, math.nan, 1e9, "fast")]
    for call, wrong in refused:
        with pytest.raises(BadInput):
            call(wrong)  # type: ignore[arg-type]
    assert (playhead.live, playhead.playing, playhead.speed) == (True, False, 1.0)
    playhead.seek(0)
    assert playhead.jump(DOWN) == playhead.at == 16.0
    assert (playhead.jump(0), playhead.jump(-1)) == (12.0, 30.0)
    assert playhead.jump(CALM) == playhead.jump("calm") == 11.0
    assert [playhead.jump("leader_moved") for _ in range(3)] == [16.0, 30.0, 16.0], "the next, and then the first again"


def test_it_plays_by_the_clock_and_goes_on_from_where_it_is_put(playhead: Playhead, clock: Clock) -> None:
    told = Told(playhead)
    playhead.play(8, at=2.0)
    clock.now += 1.75
    told.until(16.0)
    playhead.seek(20.0)
    clock.now += 0.5
    playhead.pace(5)
    assert (playhead.at, playhead.playing, playhead.speed) == (24.0, True, 5.0)
    clock.now += 0.5
    told.until(26.5)
    clock.now += 0.125
    playhead.pause()
    assert (playhead.playing, playhead.live, playhead.at) == (False, False, 27.125)
    wait_until(lambda: not playhead.running, 20, "its thread to end")
    assert told.places == sorted(told.places)


def test_who_catches_up_with_the_end_stays_there_live(playhead: Playhead, length: list[float], clock: Clock) -> None:
    told = Told(playhead)
    length[0] = 1.0
    playhead.play(10, at=0.5)
    length[0] = 5.0
    clock.now += 0.25
    told.until(3.0)
    assert playhead.playing, "what grows while it plays has no end yet"
    clock.now += 1.0
    told.until(5.0)
    assert (playhead.live, playhead.playing) == (True, False)
    playhead.play()
    assert (told.places[-1], playhead.live) == (0.0, False), "from the end it begins anew"


def test_nobody_looks_and_it_stands_still_at_no_cost(playhead: Playhead, clock: Clock) -> None:
    playhead.play(5, at=3.0)
    clock.now += 10
    assert (playhead.playing, playhead.running, playhead.at) == (True, False, 3.0)
    told = Told(playhead)
    clock.now += 1
    told.until(8.0)
    told.end()
    wait_until(lambda: not playhead.running, 20, "its thread to end")
    clock.now += 100
    again = Told(playhead)
    again.until(8.0)


def test_while_one_is_told_growing_waits_for_nobody_and_a_move_is_told_afterwards(playhead: Playhead) -> None:
    slow, entered = threading.Event(), threading.Event()
    heard: list[float] = []

    def looks() -> None:
        heard.append(playhead.at)
        entered.set()
        assert slow.wait(20)

    playhead.subscribe(looks)
    movers = [threading.Thread(target=playhead.seek, args=(at,)) for at in (4, 9)]
    movers[0].start()
    assert entered.wait(20)
    playhead.grown()
    movers[1].start()
    wait_until(lambda: playhead.at == 9, 20, "the second move")
    assert heard == [4.0], "one thread tells at a time"
    slow.set()
    for mover in movers:
        mover.join()
    assert heard[-1] == 9.0
