"""Timeline: what it draws of a recording, how little travels when it moves or grows, and what a page may ask for."""

from __future__ import annotations

import json
import random
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from kafkalab import Cluster
from kafkalab.errors import BadInput
from kafkalab.handles.recording import Recording
from kafkalab.state.patch import applied
from kafkalab.views.timeline.picture import MOST, Steps
from kafkalab.views.timeline.view import Timeline
from kafkalab.waiting import wait_until
from tests.unit.views import timeline_samples as samples


@pytest.fixture
def death() -> Recording:
    return samples.death()


@pytest.fixture
def view(death: Recording) -> Iterator[Timeline]:
    view = death.timeline()
    yield view
    view.close()


def asked(view: Timeline, **message: Any) -> None:
    """What a page's message does, without the thread that does it."""
    getattr(view, f"do_{message.pop('do')}")(message)


def test_it_tells_how_the_cluster_was_and_what_happened(view: Timeline, death: Recording) -> None:
    state = view.state
    assert (state["name"], state["kafka"]) == ("truck-lab", "Kafka 3.9.1 · ZooKeeper")
    assert state["steps"]["brokers"] == [[0, 3, 3, []], [16.1, 2, 3, [102]], [30, 3, 3, []]]
    assert state["steps"]["leaderless"] == [[0, 0], [14, 2], [16.1, 0]]
    assert state["steps"]["short"] == [[0, 0], [16.1, 4], [30, 0]]
    assert state["steps"]["lag"][:2] == [[0, None], [3.5, 4]]
    assert [n["name"] for n in state["named"]] == ["before the crash", "nobody leads"]
    moved = [(16.1, 4.1, kind) for kind in ("broker_down", "leader_moved", "isr_shrank")]
    assert [(e["at"], e["since"], e["kind"]) for e in state["events"]][2:6] == [(12.0, 0.0, "you"), *moved]
    death.playhead.seek(20)
    assert "2 of 3 brokers up" in repr(view) and "▶ 0:18.2" in repr(view)
    assert (view.state["live"], view.state["going"]) == (False, False)
    death.begin(Cluster(backend="fake", quiet=True))
    death.playhead.to_live()
    assert (view.state["live"], view.state["going"]) == (True, True)


def test_what_travels_while_it_grows_is_what_came(
    view: Timeline, death: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[Any] = []
    monkeypatch.setattr(view, "send", sent.append)
    story = samples.Story(going_on=death)
    before, dice = view.state, random.Random(7)
    for i in range(MOST + 20):
        story.was(42.5 + i / 2, lag=dice.randrange(10_000))
        if i % 50 == 0:
            story.happened(42.5 + i / 2, "you", f"you did {i}")
        death.grown()
    sizes = sorted(len(json.dumps(message)) for message in sent)
    assert sizes[-3] < 400, "but for the times at which the strip is thinned, a few bytes"
    for message in sent:
        before = applied(before, message["patch"])
    assert before == view.state
    assert len(view.state["steps"]["lag"]) <= MOST
    # What is heard of late takes its place, as if it had been known from the beginning.
    story.happened(20.0, "you", "you looked away")
    death.grown()
    times = [e["at"] for e in view.state["events"]]
    assert 20.0 in times and times == sorted(times)
    assert view.state["events"] == Timeline(death).state["events"]


def test_thinned_a_stretch_keeps_its_worst_and_its_last_at_their_times() -> None:
    steps = Steps(lambda row: float(row[1]))
    dice = random.Random(3)
    every = [[i / 10, dice.randrange(50)] for i in range(2500)]
    every[1234] = [123.4, 999]
    for row in every:
        steps.add(row)
    assert len(steps.rows) <= MOST
    assert all(row in every for row in steps.rows) and steps.rows == sorted(steps.rows)
    after = steps.rows[steps.rows.index([123.4, 999]) + 1]
    assert after[0] - 123.4 < 250 / 20 and after[1] < 50, "it does not seem to last"


def test_a_page_seeks_plays_names_and_goes_live(view: Timeline, death: Recording) -> None:
    asked(view, do="seek", at=16.1, when=10)
    asked(view, do="seek", at=10, when=9)
    assert (view.state["at"], view.state["heard"]) == (16.1, 10), "one that comes late is not done"
    asked(view, do="name", name="  the crash ", at=16.1, when=11)
    assert view.state["named"][-1] == {"at": 16.1, "name": "the crash"}
    asked(view, do="pace", speed=5, when=12)
    asked(view, do="play", speed=5, at=20, when=13)
    assert view.state["playing"] and view.state["speed"] == 5 and view.state["heard"] == 13
    asked(view, do="pause", when=14)
    assert not view.state["playing"] and view.state["at"] >= 20
    asked(view, do="live", when=90_000)
    assert view.state["at"] == 42.0
    asked(view, do="seek", at=10, when=7)
    assert view.state["at"] == 10, "the page's clock was set back"
    for when, at in enumerate((None, "x", float("nan"), float("inf"), -5, 1e12, {}), 90_001):
        asked(view, do="seek", at=at, when=when)
        assert 0 <= death.playhead.at <= 42, at
    with pytest.raises(BadInput):
        asked(view, do="play", speed="fast", at=1, when=1)
    assert not death.playhead.playing and len(death.named) == 3


def test_of_seeks_that_wait_for_slow_views_the_newest_is_done(view: Timeline, death: Recording) -> None:
    slow, entered = threading.Event(), threading.Event()
    places: list[float] = []

    def looks() -> None:
        places.append(death.playhead.at)
        entered.set()
        assert slow.wait(20)

    death.playhead.subscribe(looks)
    seeks = [{"do": "seek", "at": i, "when": i} for i in range(1, 20)]
    first, *others = [threading.Thread(target=asked, args=(view,), kwargs=seek) for seek in seeks]
    first.start()
    assert entered.wait(20)
    for thread in others:
        thread.start()
    wait_until(lambda: view._newest == 19, 20, "all to be asked")
    slow.set()
    for thread in (first, *others):
        thread.join(20)
    assert places == [1, 19]
    assert view.state["at"] == 19 and view.state["heard"] == 19
