"""Snapshots as plain JSON and back, also those that an older version wrote."""

import json
from math import inf
from types import SimpleNamespace as Answer
from typing import Any, cast

from hypothesis import given, settings

from kafkalab.state.capture import ask_offsets
from kafkalab.state.connections import Connections, Round
from kafkalab.state.model import Partition, Snapshot, Topic
from tests.unit.state.strategies import snapshots


@settings(max_examples=30)
@given(snapshots)
def test_a_snapshot_survives_json(snapshot: Snapshot) -> None:
    plain = snapshot.to_dict()
    assert Snapshot.from_dict(json.loads(json.dumps(plain))) == snapshot
    for topic in plain["topics"]:
        for p in topic["partitions"]:
            del p["behind"]
    older = Snapshot.from_dict(plain)
    assert all(p.behind == () for topic in older.topics for p in topic.partitions), "what older recordings lack"


def test_broker_0_is_a_broker() -> None:
    """Other people's clusters begin at 0: as controller, and as the leader that a replica is compared with."""
    assert "controller: 0;" in Snapshot(None, "zookeeper", controller=0, at=0.0).in_short()

    def ask(asked: list[tuple[int, Any]], seconds: float) -> list[Any]:
        """Broker 0 has 9 records, broker 1 has 5."""
        offsets = [Answer(partition_index=0, error_code=0, offset={0: 9, 1: 5}[broker]) for broker, _ in asked]
        return [Answer(topics=[Answer(name="t", partitions=[offset])]) for offset in offsets]

    topic = Topic("t", (Partition("t", 0, leader=0, replicas=(0, 1), isr=(0,)),))
    _, behind = ask_offsets(Round(cast(Connections, Answer(ask=ask)), 1.0, inf), [topic], {0, 1})
    assert behind == {("t", 0): ((1, 4),)}
