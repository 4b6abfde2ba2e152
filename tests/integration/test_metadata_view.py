"""MetadataView on real clusters, without a page: what it draws, what it shares, and somebody else's cluster."""

from __future__ import annotations

import time
from contextlib import closing
from typing import Any

import pytest

from kafkalab import Cluster, MetadataView
from kafkalab.errors import KafkalabError
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
    with (
        closing(MetadataView(theirs)) as blind,
        closing(MetadataView(theirs, zookeeper=one_cluster.zookeeper_connect)) as seeing,
    ):
        wait_until(lambda: side(blind)["kind"] == "zookeeper", 20, "a snapshot")
        assert 'MetadataView(cluster, zookeeper="host:2181")' in side(blind)["problem"]
        assert (side(blind)["tree"], side(blind)["targets"]) == (None, {})
        wait_until(lambda: ids(seeing) == {"101", "102", "103"}, 20, "the tree")
        assert side(seeing)["problem"] == ""
    theirs.stop()


@pytest.mark.deep
def test_a_broker_killed_in_a_cell_is_an_action(one_cluster: Cluster) -> None:
    with closing(MetadataView(one_cluster)) as view:

        def action() -> dict[str, Any] | None:
            # The last one: somebody may have killed it before.
            actions = reversed(side(view)["actions"])
            return next((a for a in actions if a["text"] == "you killed broker 103" and a["at"] > begun), None)

        wait_until(lambda: ids(view) == {"101", "102", "103"}, 20, "the tree")
        begun = time.time()
        one_cluster.broker(103).kill()
        wait_until(lambda: ids(view) == {"101", "102"}, 30, "the broker to go")
        wait_until(
            lambda: (action() or {"rows": {}})["rows"].get("noticed"), 10, "it to be on the time line",
            seen=lambda: str(side(view)["actions"]),
        )  # fmt: skip


@modes(kraft="")
def test_the_log_of_somebody_elses_kraft_is_out_of_reach(cluster: Cluster) -> None:
    theirs = Cluster.connect(cluster.bootstrap_servers)
    with closing(MetadataView(theirs)) as view, closing(MetadataView(cluster)) as own:
        wait_until(lambda: side(view)["quorum"] and side(own)["quorum"], 20, "the quorum")
        with pytest.raises(KafkalabError, match="out of reach"):
            view.do_log({"side": 0})
        assert side(view)["log"]["reading"] is False
        own.do_log({"side": 0})
        assert any(r["type"] == "RegisterBrokerRecord" for r in side(own)["log"]["records"])
    theirs.stop()
