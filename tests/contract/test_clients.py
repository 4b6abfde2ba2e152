"""Clients of the backends that have brokers: groups of both protocols, Kafka's tools, somebody else's cluster."""

from __future__ import annotations

import pytest

from kafkalab import Cluster
from kafkalab.errors import NotSupported
from tests.contract.conftest import REAL, over
from tests.support.records import fill


@over(REAL)
def test_groups_and_kafkas_own_tools(cluster, new_topic):
    said = cluster.tool("kafka-broker-api-versions")
    for node in (n for n in cluster.nodes() if n.role == "broker"):
        assert f"127.0.0.1:{node.port} (id: {node.id} " in said
    topic = new_topic()
    cluster.create_topic(topic, partitions=3, replication=3)
    fill(cluster, topic, 30)
    kraft = cluster.mode == "kraft"
    for protocol in ["classic", "consumer"] if kraft else ["classic"]:
        group = new_topic(f"group-{protocol}")
        chosen = ["--command-property", f"group.protocol={protocol}"] if kraft else []
        said = cluster.tool(
            *("kafka-console-consumer", "--topic", topic, "--group", group, "--from-beginning"),
            *("--max-messages", "30", *chosen),
        )
        assert sorted(map(int, said.split())) == list(range(30))

        def committed(s, group=group):
            found = s.group(group)
            return found is not None and found.lag == 0 and sum(o.committed or 0 for o in found.offsets) == 30

        found = cluster.wait_for(committed, 30, f"{group} in the snapshot").group(group)
        assert found.type == protocol
        assert found.coordinator in (101, 102, 103)


@over(REAL)
def test_somebody_elses_cluster(cluster, new_topic):
    mine = Cluster.connect(cluster.bootstrap_servers.split(",")[0])
    topic = new_topic()
    mine.create_topic(topic, partitions=3)
    assert mine.cluster_id == cluster.cluster_id
    own = cluster.wait_for(lambda s: all(p.end == 0 for p in s.topic(topic).partitions), 30, "its logs")
    theirs = mine.wait_for(lambda s: s.controller and s.topic(topic) == own.topic(topic), 30, "it, from outside")
    assert theirs.controller == own.controller
    assert {b.id: (b.port, b.alive) for b in theirs.brokers} == {b.id: (b.port, b.alive) for b in own.brokers}
    assert topic in mine.tool("kafka-topics", "--list")
    assert mine.nodes() == ()
    for refused in (lambda: mine.broker(101), lambda: mine.act("broker-101", "kill"), mine.reset, mine.add_broker):
        with pytest.raises(NotSupported, match="did not start"):
            refused()
    mine.stop()
    assert {n.state for n in cluster.nodes()} == {"running"}
