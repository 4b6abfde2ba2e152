"""MetadataView on real clusters, without a page: what it draws, what it shares, and somebody else's cluster."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest

from kafkalab import Cluster, MetadataView
from kafkalab.errors import BadInput, KafkalabError
from kafkalab.waiting import wait_until
from tests.support.modes import modes


def side(view: MetadataView) -> dict[str, Any]:
    """What its first cluster shows now."""
    found: dict[str, Any] = view.state["sides"]["0"]
    return found


def ids(view: MetadataView) -> set[str]:
    """The brokers that the tree lists, without those that are missed."""
    tree = side(view).get("tree") or {}
    listed = tree.get("c", {}).get("brokers", {}).get("c", {}).get("ids", {}).get("c", {})
    return {id for id, node in listed.items() if not node.get("gone")}


def test_somebody_elses_zookeeper_must_be_named(one_cluster: Cluster) -> None:
    theirs = Cluster.connect(one_cluster.bootstrap_servers)
    blind = MetadataView(theirs)
    wait_until(lambda: side(blind)["kind"] == "zookeeper", 20, "a snapshot")
    assert 'MetadataView(cluster, zookeeper="host:2181")' in side(blind)["problem"]
    assert side(blind)["tree"] is None
    assert side(blind)["targets"] == {}
    seeing = MetadataView(theirs, zookeeper=one_cluster.zookeeper_connect)
    wait_until(lambda: ids(seeing) == {"101", "102", "103"}, 20, "the tree")
    assert side(seeing)["problem"] == ""
    blind.close()
    seeing.close()
    theirs.stop()
    with pytest.raises(BadInput, match="not a bootstrap server"):
        MetadataView(theirs, zookeeper="nonsense")


KILLS = {
    "here": lambda cluster: cluster.broker(103).kill(),
    # From another process, for example: no note of this one tells of it.
    "elsewhere": lambda cluster: cluster.backend.act("broker-103", "kill"),
}


@pytest.mark.parametrize(
    "where, told",
    [
        ("here", "you killed broker 103"),
        pytest.param("elsewhere", "broker 103: running → stopped", marks=pytest.mark.deep),
    ],
)
def test_a_killed_broker_is_an_action_wherever_that_was_done(one_cluster: Cluster, where: str, told: str) -> None:
    with closing(MetadataView(one_cluster)) as view:

        def action() -> dict[str, Any] | None:
            # The last one: somebody may have killed it before.
            actions = reversed(side(view)["actions"].values())
            return next((a for a in actions if a["text"] == told and a["at"] > begun), None)

        wait_until(lambda: ids(view) == {"101", "102", "103"}, 20, "the tree")
        begun = time.time()
        KILLS[where](one_cluster)
        wait_until(lambda: ids(view) == {"101", "102"}, 30, "the broker to go")
        wait_until(action, 10, "what was done to be noticed", seen=lambda: str(side(view)["actions"]))
        wait_until(lambda: (action() or {})["rows"]["noticed"], 10, "it to be on the time line")


def test_what_travels_grows_with_what_changed(one_cluster: Cluster, new_topic: Callable[[str], str]) -> None:
    names, one_more = [new_topic("many") for _ in range(4)], new_topic("more")
    for name in names:
        one_cluster.create_topic(name, partitions=1, replication=1)
    view = MetadataView(one_cluster)
    view.do_open({"side": 0, "path": "/brokers/topics"})

    def listed() -> set[str]:
        topics = ((side(view)["tree"] or {}).get("c", {}).get("brokers", {}).get("c", {})).get("topics", {})
        return set(topics.get("c", ()))

    wait_until(lambda: set(names) <= listed(), 20, "the topics to be listed")
    sent: list[str] = []
    view.send = lambda content, buffers=None: sent.append(json.dumps(content))
    one_cluster.create_topic(one_more, partitions=1, replication=1)
    wait_until(lambda: one_more in listed(), 20, "the new topic")
    view.close()
    told = "".join(sent)
    assert one_more in told
    assert not [name for name in names if name in told]
    for name in (*names, one_more):
        one_cluster.delete_topic(name)


@modes(kraft="")
def test_the_log_of_somebody_elses_kraft_is_out_of_reach(cluster: Cluster) -> None:
    theirs = Cluster.connect(cluster.bootstrap_servers)
    view, own = MetadataView(theirs), MetadataView(cluster)
    for one in (view, own):
        wait_until(lambda one=one: side(one)["quorum"], 20, "the quorum")
    with pytest.raises(KafkalabError, match="out of reach"):
        view.do_log({"side": 0})
    assert side(view)["log"]["reading"] is False
    own.do_log({"side": 0})
    assert any(r["type"] == "RegisterBrokerRecord" for r in side(own)["log"]["records"].values())
    own.close()
    view.close()
    theirs.stop()
