import json
from dataclasses import replace

from hypothesis import given

from kafkalab.state.model import Partition, Snapshot, Topic
from tests.unit.state.strategies import snapshots, steady


@steady
@given(snapshots())
def test_a_snapshot_survives_json(snapshot: Snapshot) -> None:
    assert Snapshot.from_dict(json.loads(json.dumps(snapshot.to_dict()))) == snapshot


@steady
@given(snapshots())
def test_the_keys_that_outside_checks_read_are_there(snapshot: Snapshot) -> None:
    plain = snapshot.to_dict()
    assert {"cluster_id", "mode", "controller", "at", "brokers", "topics", "groups"} <= plain.keys()
    for topic in plain["topics"]:
        assert {"name", "internal", "partitions"} <= topic.keys()
        for p in topic["partitions"]:
            assert {"partition", "leader", "replicas", "isr", "start", "end"} <= p.keys()
    for group in plain["groups"]:
        assert {"group_id", "state", "coordinator", "members", "offsets"} <= group.keys()


def test_what_a_partition_says_of_itself() -> None:
    assert Partition("t", 0, None, (102, 101), (101,)).preferred_leader == 102
    assert Partition("t", 0, 101, (102, 101), (101,)).under_replicated
    assert not Partition("t", 0, 101, (102, 101), (101, 102)).under_replicated


def test_a_recording_from_before_there_was_behind_is_still_read() -> None:
    p = Partition("t", 0, 101, (101, 102), (101,), 0, 9, 1, ((102, 42),))
    plain = Snapshot("c", "kraft", 101, 1.0, topics=(Topic("t", (p,)),)).to_dict()
    assert plain["topics"][0]["partitions"][0].pop("behind") == [[102, 42]]
    assert Snapshot.from_dict(plain).topics[0].partitions[0] == replace(p, behind=())
