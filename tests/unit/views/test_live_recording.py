"""A view of a recording follows its playhead, in both directions, and acts on the cluster only while that is live."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from kafkalab import Cluster, ClusterView
from kafkalab.errors import NotSupported
from kafkalab.state.recording import Recording
from kafkalab.waiting import wait_until


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    with Cluster(backend="fake") as cluster:
        cluster.create_topic("a", 3)
        yield cluster


@pytest.fixture
def recording(cluster: Cluster) -> Iterator[Recording]:
    """Before and after the loss of broker 102; still going."""
    with Cluster.record(cluster) as recording:
        wait_until(lambda: recording.at(0).snapshot, 5, "the first snapshot")
        cluster.broker(102).kill()
        wait_until(lambda: any(e.kind == "leader_moved" for e in recording.events), 5, "the election")
        yield recording


def moved(recording: Recording) -> float:
    return next(e.at for e in recording.events if e.kind == "leader_moved") - recording.header.began


def alive(view: ClusterView) -> list[str]:
    return [id for id, broker in view.state["brokers"].items() if broker["alive"]]


def verbs(view: ClusterView) -> list[list[str]]:
    return [broker["node"]["verbs"] for broker in view.state["brokers"].values()]


def test_a_view_shows_the_moment_at_which_the_playhead_stands(recording: Recording) -> None:
    view = ClusterView(recording)
    after = moved(recording)
    assert len(alive(view)) == 2
    recording.playhead.seek(0)
    assert len(alive(view)) == 3
    assert view.state["events"] == []
    recording.playhead.seek(after)
    assert len(alive(view)) == 2
    assert view.state["events"][0]["text"] == "you killed broker 102"
    view.close()
    recording.playhead.seek(0)
    assert len(alive(view)) == 2, "a closed view follows nothing"


def test_forth_and_back_is_the_same_picture(recording: Recording) -> None:
    view = ClusterView(recording)
    times = [0.0, moved(recording), recording.seconds]
    forth = [view.drawn_at(recording.at(t)) for t in times]
    back = [view.drawn_at(recording.at(t)) for t in reversed(times)]
    assert forth == back[::-1]
    assert forth[0] != forth[1]


def test_buttons_are_there_only_while_the_cluster_is_shown_as_it_is(recording: Recording, cluster: Cluster) -> None:
    view = ClusterView(recording)
    assert ["start"] in verbs(view)
    assert view.state["at"] is None
    recording.playhead.seek(0)
    assert verbs(view) == [[], [], []]
    assert view.state["at"] is not None, "the page says which moment this is"
    with pytest.raises(NotSupported, match="the past"):
        recording.act("broker-102", "start")
    recording.playhead.to_live()
    view.do_act({"node": "broker-102", "verb": "start"})
    assert cluster.node("broker-102").state == "running"


def test_what_is_over_cannot_be_acted_on(recording: Recording) -> None:
    recording.stop()
    view = ClusterView(recording)
    view.do_act({"node": "broker-101", "verb": "kill"})
    assert "nothing in it can be changed" in view.state["events"][-1]["text"]


def test_a_view_that_nobody_looks_at_rests_and_wakes_at_the_moment_that_is_shown_then(recording: Recording) -> None:
    view = ClusterView(recording)
    view._asked(None, {"do": "whole", "eye": "a", "n": -1}, None)
    view._asked(None, {"do": "gone", "eye": "a"}, None)
    recording.playhead.seek(0)
    assert len(alive(view)) == 2
    view._asked(None, {"do": "whole", "eye": "b", "n": -1}, None)
    assert len(alive(view)) == 3
    view.close()
