"""Playhead: where it stands, that it plays without drift, stands still for nobody, and tells everybody of moves."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterator

import pytest

from kafkalab.errors import BadInput
from kafkalab.state.event import Event
from kafkalab.state.playhead import Mark, Playhead
from kafkalab.state.recording import NamedMoment
from kafkalab.waiting import wait_until

KILLED = Event(1012.0, "you", "you killed broker 102")
DOWN = Event(1016.0, "broker_down", "broker 102 is down", broker=102)
MOVED = Event(1016.0, "leader_moved", "P0: leader 102 → 103", partition=0, broker=103)
AGAIN = Event(1030.0, "leader_moved", "P0: leader 103 → 102", partition=0, broker=102)
CALM = NamedMoment(11.0, "calm")
MARKS = [Mark(11.0, CALM), Mark(12.0, KILLED), Mark(16.0, DOWN), Mark(16.0, MOVED), Mark(30.0, AGAIN)]


class Told:
    """What a listener was told: where it stood, when, and on which thread."""

    def __init__(self, playhead: Playhead) -> None:
        self.playhead = playhead
        self.seen: list[tuple[float, float, str]] = []
        self.end = playhead.subscribe(self.heard)

    def heard(self) -> None:
        self.seen.append((self.playhead.at, time.monotonic(), threading.current_thread().name))

    @property
    def places(self) -> list[float]:
        return [at for at, _, _ in self.seen]


@pytest.fixture
def length() -> list[float]:
    return [40.0]


@pytest.fixture
def playhead(length: list[float]) -> Iterator[Playhead]:
    playhead = Playhead(lambda: length[0], lambda: MARKS)
    yield playhead
    playhead.pause()
    wait_until(lambda: not playhead.running, 10, "its thread to end")


def test_it_follows_the_end_until_it_is_moved(playhead: Playhead, length: list[float]) -> None:
    assert (playhead.at, playhead.live, repr(playhead)) == (40.0, True, "<Playhead at live>")
    length[0] = 41.0
    assert playhead.at == 41.0
    playhead.seek(12.5)
    length[0] = 42.0
    assert (playhead.at, playhead.live) == (12.5, False)
    assert repr(playhead) == "<Playhead at 12.5 s of 42.0 s>"
    playhead.seek(1e9)
    assert playhead.at == 42.0
    playhead.seek(-3)
    assert playhead.at == 0.0
    playhead.to_live()
    assert (playhead.at, playhead.live) == (42.0, True)


@pytest.mark.parametrize("moment", [math.nan, "soon", None])
def test_what_is_no_moment_is_refused(playhead: Playhead, moment: object) -> None:
    with pytest.raises(BadInput, match="number of seconds"):
        playhead.seek(moment)  # type: ignore[arg-type]
    assert playhead.live


@pytest.mark.parametrize("speed", [0, -1, math.nan, math.inf, 1e9, "fast"])
def test_what_is_no_speed_is_refused(playhead: Playhead, speed: object) -> None:
    for refused in (playhead.play, playhead.pace):
        with pytest.raises(BadInput, match="times as fast"):
            refused(speed)  # type: ignore[arg-type]
    assert not playhead.playing and playhead.speed == 1.0


def test_when_a_move_returns_everybody_was_told_on_that_thread(playhead: Playhead) -> None:
    first, second = Told(playhead), Told(playhead)
    playhead.seek(5)
    playhead.step()
    assert first.places == second.places == [5.0, 11.0]
    assert {name for _, _, name in first.seen} == {threading.current_thread().name}
    first.end()
    playhead.seek(6)
    assert (first.places[-1], second.places[-1]) == (11.0, 6.0)


def test_steps_go_from_moment_to_moment_and_tell_when_there_is_none(playhead: Playhead) -> None:
    playhead.seek(0)
    forth = [playhead.at for _ in MARKS if playhead.step()]
    assert forth == [11.0, 12.0, 16.0, 30.0], "what happened at once is one step"
    assert not playhead.step() and playhead.at == 30.0
    back = [playhead.at for _ in MARKS if playhead.step(-1)]
    assert back == [16.0, 12.0, 11.0]
    playhead.to_live()
    assert playhead.step(-1) and playhead.at == 30.0 and not playhead.live


def test_jumps_go_to_what_is_meant(playhead: Playhead) -> None:
    playhead.seek(0)
    assert playhead.jump(DOWN) == playhead.at == 16.0
    assert playhead.jump(0) == 12.0
    assert playhead.jump(-1) == 30.0
    assert playhead.jump(CALM) == playhead.jump("calm") == 11.0
    assert [playhead.jump("leader_moved") for _ in range(3)] == [16.0, 30.0, 16.0], "the next, and then the first again"


@pytest.mark.parametrize("nothing", ["storm", 4, -5, True, None, Event(1.0, "you", "you slept")])
def test_a_jump_to_what_is_not_there_says_what_is(playhead: Playhead, nothing: object) -> None:
    with pytest.raises(BadInput) as error:
        playhead.jump(nothing)
    assert "'calm'" in str(error.value) or "it has 4" in str(error.value)
    assert playhead.live


def test_it_plays_by_the_clock_and_keeps_no_error(playhead: Playhead) -> None:
    told = Told(playhead)
    before = time.monotonic()
    playhead.play(8, at=2.0)
    after = time.monotonic()
    wait_until(lambda: len(told.seen) > 8, 20, "steps")
    playhead.pause()
    # Each step was reckoned after the one before it was told, and before it was told itself.
    for (_, earliest, _), (at, latest, _) in zip(told.seen[1:], told.seen[2:], strict=False):
        assert 2.0 + 8 * (earliest - after) - 1e-6 <= at <= 2.0 + 8 * (latest - before) + 1e-6 or at == told.places[-1]
    assert told.places == sorted(told.places)


def test_who_catches_up_with_the_end_stays_there_live(playhead: Playhead, length: list[float]) -> None:
    told = Told(playhead)
    length[0] = 1.0
    playhead.play(10, at=0.5)
    wait_until(lambda: not playhead.playing, 20, "the end")
    assert (playhead.live, told.places[-1]) == (True, 1.0)
    wait_until(lambda: not playhead.running, 10, "its thread to end")
    length[0] = 2.0
    assert playhead.at == 2.0


def test_played_from_live_or_from_the_end_it_begins_anew(playhead: Playhead, length: list[float]) -> None:
    told = Told(playhead)
    playhead.play()
    assert (told.places[0], playhead.live) == (0.0, False)
    playhead.seek(40)
    playhead.play()
    assert told.places[-1] < 20


def test_a_recording_that_grows_while_it_plays_has_no_end_yet() -> None:
    begun = time.monotonic()
    playhead = Playhead(lambda: 1.0 + 20 * (time.monotonic() - begun))
    told = Told(playhead)
    playhead.play(10, at=0.5)
    wait_until(lambda: told.places[-1] > 3, 20, "it to play beyond what was the end")
    assert playhead.playing and not playhead.live
    playhead.pause()


def test_nobody_looks_and_it_stands_still_at_no_cost(playhead: Playhead) -> None:
    playhead.play(5, at=3.0)
    assert (playhead.playing, playhead.running, playhead.at) == (True, False, 3.0)
    told = Told(playhead)
    wait_until(lambda: bool(told.seen), 20, "a step")
    told.end()
    wait_until(lambda: not playhead.running, 20, "its thread to end")
    left = playhead.at
    begun = time.monotonic()
    again = Told(playhead)
    wait_until(lambda: bool(again.seen), 20, "a step")
    at, now, _ = again.seen[0]
    assert left <= at <= left + 5 * (now - begun) + 1e-6, "the time in between, which nobody saw, did not pass"


def test_a_seek_and_another_pace_while_it_plays_go_on_from_there(playhead: Playhead) -> None:
    told = Told(playhead)
    playhead.play(1, at=1.0)
    playhead.seek(20.0)
    playhead.pace(5)
    assert 20.0 <= playhead.at < 30.0
    wait_until(lambda: told.places[-1] > 20.3, 20, "it to play on from there")
    assert (playhead.playing, playhead.speed) == (True, 5.0)
    playhead.pause()
    assert not playhead.playing and not playhead.live
    wait_until(lambda: not playhead.running, 10, "its thread to end")
    assert told.places[-1] == playhead.at


def test_of_moves_from_many_threads_the_last_is_told_last_and_one_thread_tells_at_a_time(playhead: Playhead) -> None:
    telling, most = [0], [0]

    def heard() -> None:
        telling[0] += 1
        most[0] = max(most[0], telling[0])
        told.heard()
        telling[0] -= 1

    told = Told(playhead)
    told.end()
    playhead.subscribe(heard)

    def drag(n: int) -> None:
        for i in range(50):
            playhead.seek((n * 7 + i) % 40)

    threads = [threading.Thread(target=drag, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert most == [1]
    assert told.places[-1] == playhead.at


def test_growing_waits_for_nobody_and_is_told_all_the_same(playhead: Playhead) -> None:
    slow, entered = threading.Event(), threading.Event()
    heard: list[float] = []

    def looks() -> None:
        heard.append(playhead.at)
        entered.set()
        assert slow.wait(20)

    playhead.subscribe(looks)
    mover = threading.Thread(target=lambda: playhead.seek(4))
    mover.start()
    assert entered.wait(20)
    playhead.grown()
    assert heard == [4.0]
    slow.set()
    mover.join(20)
    assert heard == [4.0, 4.0]


def test_a_listener_may_move_it_or_fail(playhead: Playhead, caplog: pytest.LogCaptureFixture) -> None:
    def fails() -> None:
        raise ZeroDivisionError("by zero")

    playhead.subscribe(fails)
    playhead.subscribe(lambda: playhead.seek(7) if playhead.at < 7 else None)
    told = Told(playhead)
    playhead.seek(1)
    assert told.places[-1] == playhead.at == 7.0
    assert "a listener" in caplog.text
