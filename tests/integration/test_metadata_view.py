"""MetadataView on real clusters, without a page: what it draws, what it shares, and somebody else's cluster."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from kafkalab import Cluster, MetadataView
from kafkalab.errors import BadInput
from kafkalab.state.znodes import Znodes
from kafkalab.waiting import wait_until
from tests.support.clusters import heal, warm


@pytest.fixture
def zookeeper(home: object) -> Iterator[Cluster]:
    """The warm cluster with ZooKeeper; healed after each test."""
    cluster = warm("zookeeper")
    yield cluster
    heal(cluster)


def side(view: MetadataView) -> dict[str, Any]:
    """What its first cluster shows now."""
    found: dict[str, Any] = view.state["sides"]["0"]
    return found


def ids(view: MetadataView) -> set[str]:
    """The brokers that the tree lists, without those that are missed."""
    tree = side(view).get("tree") or {}
    listed = tree.get("c", {}).get("brokers", {}).get("c", {}).get("ids", {}).get("c", {})
    return {id for id, node in listed.items() if not node.get("gone")}


def test_somebody_elses_zookeeper_must_be_named(zookeeper: Cluster) -> None:
    theirs = Cluster.connect(zookeeper.bootstrap_servers)
    blind = MetadataView(theirs)
    wait_until(lambda: side(blind)["kind"] == "zookeeper", 20, "a snapshot")
    assert 'MetadataView(cluster, zookeeper="host:2181")' in side(blind)["problem"]
    assert side(blind)["tree"] is None
    assert side(blind)["targets"] == {}
    seeing = MetadataView(theirs, zookeeper=zookeeper.zookeeper_connect)
    wait_until(lambda: ids(seeing) == {"101", "102", "103"}, 20, "the tree")
    assert side(seeing)["problem"] == ""
    blind.close()
    seeing.close()
    theirs.stop()
    with pytest.raises(BadInput, match="not a bootstrap server"):
        MetadataView(theirs, zookeeper="nonsense")


def test_two_views_share_a_client_that_ends_with_the_last(zookeeper: Cluster) -> None:
    znodes = Znodes.of(zookeeper.zookeeper_connect)
    one, two = MetadataView(zookeeper), MetadataView(zookeeper)
    wait_until(lambda: ids(one) == ids(two) == {"101", "102", "103"}, 20, "both trees")
    assert side(one)["connection"]["session"] == side(two)["connection"]["session"] != ""
    one.close()
    two.do_open({"side": 0, "path": "/cluster"})
    wait_until(lambda: "c" in side(two)["tree"]["c"]["cluster"], 10, "the other to be served")
    two.close()
    wait_until(lambda: znodes.state == "closed", 20, "the client to end")


@pytest.mark.parametrize(
    "broker, told, kill",
    [
        ("103", "you killed broker 103", lambda cluster: cluster.broker(103).kill()),
        # From another process, for example: no note of this one tells of it.
        ("102", "broker 102: running → stopped", lambda cluster: cluster.backend.act("broker-102", "kill")),
    ],
    ids=["here", "elsewhere"],
)
def test_a_broker_killed_from_a_cell_or_from_elsewhere_is_an_action_too(
    zookeeper: Cluster, broker: str, told: str, kill: Callable[[Cluster], None]
) -> None:
    view = MetadataView(zookeeper)

    def action() -> dict[str, Any] | None:
        return next((a for a in side(view)["actions"].values() if a["text"] == told), None)

    wait_until(lambda: ids(view) == {"101", "102", "103"}, 20, "the tree")
    kill(zookeeper)
    wait_until(lambda: ids(view) == {"101", "102", "103"} - {broker}, 30, "the broker to go")
    wait_until(action, 10, "what was done to be noticed", seen=lambda: str(side(view)["actions"]))
    wait_until(lambda: (action() or {})["rows"]["noticed"], 10, "it to be on the time line")
    view.close()


def test_what_travels_grows_with_what_changed(zookeeper: Cluster, new_topic: Callable[[str], str]) -> None:
    names = [new_topic("many") for _ in range(30)]
    for name in names:
        zookeeper.create_topic(name, partitions=1, replication=1)
    view = MetadataView(zookeeper)
    view.do_open({"side": 0, "path": "/brokers/topics"})
    wait_until(
        lambda: (
            set(names) <= set(side(view)["tree"]["c"]["brokers"]["c"]["topics"].get("c", ()))
            if side(view).get("tree")
            else False
        ),
        20,
        "the topics to be listed",
    )
    sent: list[str] = []
    view.send = lambda content, buffers=None: sent.append(json.dumps(content))
    one_more = new_topic("more")
    zookeeper.create_topic(one_more, partitions=1, replication=1)
    wait_until(lambda: one_more in side(view)["tree"]["c"]["brokers"]["c"]["topics"]["c"], 20, "the new topic")
    view.close()
    told = "".join(sent)
    assert one_more in told
    assert not [name for name in names if name in told]
    for name in (*names, one_more):
        zookeeper.delete_topic(name)


def test_the_log_of_somebody_elses_kraft_is_out_of_reach(home: object) -> None:
    cluster = warm("kraft")
    theirs = Cluster.connect(cluster.bootstrap_servers)
    view = MetadataView(theirs)
    wait_until(lambda: side(view)["quorum"], 20, "the quorum")
    view._do("log", {"side": 0})
    assert "out of reach" in view.state["fault"]
    assert side(view)["log"]["reading"] is False
    own = MetadataView(cluster)
    wait_until(lambda: side(own)["quorum"], 20, "the quorum")
    own.do_log({"side": 0})
    assert any(r["type"] == "RegisterBrokerRecord" for r in side(own)["log"]["records"].values())
    own.close()
    view.close()
    theirs.stop()
