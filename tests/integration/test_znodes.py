"""ZooKeeper's tree and its watches, against Kafka's own zookeeper-shell; KRaft's log, against kafka-metadata-quorum."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator

import pytest

from kafkalab import Cluster
from kafkalab.state.metadata.log import read_metadata_log
from kafkalab.state.metadata.znodes import IMPORTANT, ZnodeEvent, Znodes, ZnodeUpdate
from kafkalab.state.model import Snapshot
from kafkalab.state.watch import shared
from kafkalab.waiting import wait_until
from tests.integration.tools_output import last_json, pairs
from tests.support.modes import modes

NewTopic = Callable[[str], str]


@pytest.fixture
def znodes(one_cluster: Cluster) -> Iterator[tuple[Znodes, list[ZnodeUpdate]]]:
    """Its tree, looked at, and every update that came."""
    found = shared(Znodes, one_cluster.zookeeper_connect)
    updates: list[ZnodeUpdate] = []
    looker = found.look(updates.append)
    looker.want({"/": True, "/brokers": True, **{f"/brokers/ids/{id}": False for id in (101, 102, 103)}})
    wait_until(lambda: "/brokers/ids/103" in found.nodes, 20, "the tree to be read")
    yield found, updates
    looker.close()
    wait_until(lambda: found.state == "closed", 20, "the session to be closed")


def registered(cluster: Cluster) -> set[str]:
    """The brokers' ids, as zookeeper-shell lists them."""
    printed = cluster.tool("zookeeper-shell", "ls", "/brokers/ids")
    return set(re.findall(r"^\[(.*)\]$", printed, re.MULTILINE)[-1].split(", "))


def fired(updates: list[ZnodeUpdate]) -> list[ZnodeEvent]:
    return [event for update in list(updates) for event in update.events]


def events(updates: list[ZnodeUpdate]) -> list[tuple[str, str]]:
    return [(e.type, e.path) for e in fired(updates)]


def test_a_broker_killed_and_back_as_zookeepers_shell_says(
    one_cluster: Cluster, znodes: tuple[Znodes, list[ZnodeUpdate]]
) -> None:
    found, updates = znodes
    assert set(found.nodes["/brokers/ids"].children) == registered(one_cluster) == {"101", "102", "103"}
    told = one_cluster.tool("zookeeper-shell", "get", "-s", "/controller")
    controller = found.nodes["/controller"]
    assert last_json(controller.data.decode()) == last_json(told)
    stat = dict(re.findall(r"^(\w+) = (\S+)$", told, re.MULTILINE))
    assert (controller.owner, controller.zxid) == (int(stat["ephemeralOwner"], 16), int(stat["mZxid"], 16))
    assert (controller.version, controller.size) == (int(stat["dataVersion"]), int(stat["dataLength"]))
    assert found.nodes["/admin/reassign_partitions"] is None and set(IMPORTANT) <= found.nodes.keys()
    before = found.nodes["/brokers/ids/102"]
    one_cluster.broker(102).kill()
    wait_until(lambda: ("NodeDeleted", "/brokers/ids/102") in events(updates), 30, "its session to end")
    wait_until(lambda: ("NodeChildrenChanged", "/brokers/ids") in events(updates), 10, "its parent to tell")
    assert found.nodes["/brokers/ids/102"] is None
    one_cluster.broker(102).start()
    wait_until(lambda: ("NodeCreated", "/brokers/ids/102") in events(updates), 30, "it to be registered again")
    after = found.nodes["/brokers/ids/102"]
    assert before.owner != after.owner
    told = [e for e in fired(updates) if e.path == "/brokers/ids/102"]
    assert [(e.type, e.before and e.before.owner, e.after and e.after.owner) for e in told[-2:]] == [
        ("NodeDeleted", before.owner, None),
        ("NodeCreated", None, after.owner),
    ]


def test_a_topic_is_seen_to_come_and_go(
    one_cluster: Cluster, znodes: tuple[Znodes, list[ZnodeUpdate]], new_topic: NewTopic
) -> None:
    found, updates = znodes
    name = new_topic("seen")
    one_cluster.create_topic(name, partitions=2, replication=2)
    wait_until(lambda: any(name in e.appeared for e in fired(updates)), 20, "the topic's node")
    looker = found.look(lambda update: None)
    path = f"/brokers/topics/{name}/partitions/0/state"
    looker.want({path: False})
    wait_until(lambda: found.nodes.get(path), 20, "its state to be read")
    one_cluster.delete_topic(name)
    wait_until(lambda: any(name in e.vanished for e in fired(updates)), 30, "the topic's node to go")
    wait_until(lambda: any(e.path == path and e.type == "NodeDeleted" for e in fired(updates)), 20, "its state to go")
    looker.close()
    wait_until(lambda: path not in found.nodes, 10, "what nobody wants to be let go")


@pytest.mark.deep
def test_zookeeper_away_and_back(one_cluster: Cluster, znodes: tuple[Znodes, list[ZnodeUpdate]]) -> None:
    found, updates = znodes
    one_cluster.zookeeper(1).kill()
    wait_until(lambda: updates[-1].state == "suspended", 20, "the connection to be missed")
    assert found.nodes["/controller"] is not None, "what was known stays"
    one_cluster.broker(102).kill()
    one_cluster.zookeeper(1).start()
    wait_until(lambda: found.state == "connected", 30, "ZooKeeper to be back")
    wait_until(lambda: found.nodes.get("/brokers/ids/102", 0) is None, 30, "the broker's session to end")
    one_cluster.broker(102).start()
    wait_until(lambda: ("NodeCreated", "/brokers/ids/102") in events(updates), 30, "watches to be set anew")


def test_all_who_look_share_a_session(one_cluster: Cluster) -> None:
    found = shared(Znodes, one_cluster.zookeeper_connect)
    one, two = found.look(lambda update: None), found.look(lambda update: None)
    session = wait_until(lambda: found.session, 20, "a session")
    one.close()
    two.want({"/cluster/id": False})
    wait_until(lambda: found.nodes.get("/cluster/id"), 10, "the other to be served")
    assert found.session == session
    two.close()
    wait_until(lambda: found.state == "closed", 20, "the session to be closed")
    assert not found.nodes
    again = shared(Znodes, one_cluster.zookeeper_connect).look(lambda update: None)
    wait_until(lambda: found.state == "connected" and found.session != session, 20, "a new session")
    again.close()
    wait_until(lambda: found.state == "closed", 20, "the session to be closed")


@modes(kraft="")
def test_krafts_log(cluster: Cluster, new_topic: NewTopic) -> None:
    name = new_topic("logged")
    cluster.create_topic(name, partitions=1, replication=3)
    before = cluster.wait_for(
        lambda s: s.quorum is not None and s.quorum.leader is not None, 30, "a leader of the quorum"
    )
    # One that follows: of a leader that died the next one has never heard, and cannot say how far it had come.
    victim = next(b.id for b in before.brokers if before.quorum is not None and b.id != before.quorum.leader)
    began = time.time()
    cluster.broker(victim).kill()

    def fenced(s: Snapshot) -> bool:
        told = s.quorum is not None and s.quorum.high_watermark is not None
        return told and any(b.id == victim and not b.alive for b in s.brokers)

    snapshot = cluster.wait_for(fenced, 30, f"{victim} to be fenced")
    quorum = snapshot.quorum
    assert quorum is not None and quorum.high_watermark is not None
    told = pairs(cluster.tool("kafka-metadata-quorum", "describe", "--status"))
    assert (quorum.leader, quorum.epoch) == (int(told["LeaderId"]), int(told["LeaderEpoch"]))
    assert quorum.high_watermark <= int(told["HighWatermark"])
    rows = cluster.tool("kafka-metadata-quorum", "describe", "--replication").splitlines()[1:]
    ends = {int(row.split()[0]): int(row.split()[2]) for row in rows if row.strip()}
    assert {n.id for n in quorum.nodes} == ends.keys()
    dead = next(n for n in quorum.nodes if n.id == victim)
    assert (dead.alive, dead.log_end) == (False, ends[victim])
    assert (dead.fetched_ago or 0) > 1
    log_dir = cluster.log_dir(quorum.leader or 101)
    assert log_dir is not None
    records = read_metadata_log(log_dir, cluster.tool)
    fences = [r for r in records if r.type == "BrokerRegistrationChangeRecord" and r.data.get("fenced") == 1]
    assert [r.data["brokerId"] for r in fences if r.at > began] == [victim]
    assert any(r.type == "TopicRecord" and r.data["name"] == name for r in records)
    assert not any(r.type == "NoOpRecord" for r in records)
