"""ClusterView of a recording that goes on: it acts on the cluster only while that is shown as it is."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from kafkalab import Cluster, ClusterView
from kafkalab.errors import NotSupported
from kafkalab.waiting import wait_until


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    with Cluster(backend="fake") as cluster:
        cluster.create_topic("a", 3)
        yield cluster


def alive(view: ClusterView) -> int:
    return sum(broker["alive"] for broker in view.state["brokers"].values())


def verbs(view: ClusterView) -> list[list[str]]:
    return [broker["node"]["verbs"] for broker in view.state["brokers"].values()]


def test_buttons_are_there_only_while_the_cluster_is_shown_as_it_is(cluster: Cluster) -> None:
    with Cluster.record(cluster) as recording:
        wait_until(lambda: recording.at(0).snapshot, 20, "the first snapshot")
        cluster.broker(102).kill()
        wait_until(lambda: any(e.kind == "leader_moved" for e in recording.events), 20, "the election")
        view = ClusterView(recording)
        assert alive(view) == 2 and ["start"] in verbs(view) and view.state["at"] is None
        assert view.state["events"][0]["text"] == "you killed broker 102"
        for do in ("whole", "gone"):
            view._asked(None, {"do": do, "eye": "a", "n": -1}, None)
        recording.playhead.seek(0)
        assert alive(view) == 2, "nobody looks"
        view._asked(None, {"do": "whole", "eye": "b", "n": -1}, None)
        assert (alive(view), verbs(view), view.state["events"]) == (3, [[], [], []], [])
        assert view.state["at"] is not None, "the page says which moment this is"
        with pytest.raises(NotSupported, match="the past"):
            recording.act("broker-102", "start")
        recording.playhead.to_live()
        view.do_act({"node": "broker-102", "verb": "start"})
        assert cluster.node("broker-102").state == "running"
        recording.stop()
        view.do_act({"node": "broker-101", "verb": "kill"})
        assert "nothing in it can be changed" in view.state["events"][-1]["text"]
        view.close()
