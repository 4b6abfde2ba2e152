"""Snapshots as plain JSON and back, also those that an older version wrote."""

import json

from hypothesis import given, settings

from kafkalab.state.model import Snapshot
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
