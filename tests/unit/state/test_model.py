"""Snapshots as plain JSON and back, also those that an older version wrote."""

import json

from hypothesis import given, settings

from kafkalab.state.model import Partition, Snapshot
from tests.unit.state.strategies import snapshots


@settings(max_examples=30)
@given(snapshots)
def test_a_snapshot_survives_json(snapshot: Snapshot) -> None:
    plain = snapshot.to_dict()
    assert Snapshot.from_dict(json.loads(json.dumps(plain))) == snapshot
    # What checks outside of the package read.
    assert {"cluster_id", "mode", "controller", "at", "brokers", "topics", "groups"} <= plain.keys()
    for group in plain["groups"]:
        assert {"group_id", "state", "coordinator", "members", "offsets"} <= group.keys()
    for topic in plain["topics"]:
        assert {"name", "internal", "partitions"} <= topic.keys()
        for p in topic["partitions"]:
            assert {"partition", "leader", "replicas", "isr", "start", "end"} <= p.keys()
            del p["behind"]
    older = Snapshot.from_dict(plain)
    assert all(p.behind == () for topic in older.topics for p in topic.partitions), "what older recordings lack"


def test_what_a_partition_says_of_itself() -> None:
    assert Partition("t", 0, None, (102, 101), (101,)).preferred_leader == 102
    assert Partition("t", 0, 101, (102, 101), (101,)).under_replicated
    assert not Partition("t", 0, 101, (102, 101), (101, 102)).under_replicated
