from __future__ import annotations

import socket
from collections.abc import Callable
from types import SimpleNamespace
from typing import cast

import pytest
from kafka.protocol.admin import DescribeQuorumResponse

from kafkalab.state.connections import Connections, NoAnswer
from kafkalab.state.metadata.quorum import KraftQuorum, ZookeeperQuorum, kraft_quorum
from kafkalab.state.model import QuorumNode
from tests.support.servers import hangs_up, is_silent, server

LEADER = "Zookeeper version: 3.8.4\nLatency min/avg/max: 0/0.0/0\nZxid: 0x700000003\nMode: leader\nNode count: 5\n"
FOLLOWER = LEADER.replace("leader", "follower")
HOMELESS = "This ZooKeeper instance is not currently serving requests\n"


def says(answer: str) -> Callable[[socket.socket], None]:
    def behave(s: socket.socket) -> None:
        if s.recv(4) == b"srvr":
            s.sendall(answer.encode())

    return behave


def test_every_server_is_asked_and_the_leader_named() -> None:
    with (
        server(says(FOLLOWER)) as one, server(says(LEADER)) as two,
        server(says(HOMELESS)) as three, server(is_silent) as four,
    ):  # fmt: skip
        with server(hangs_up) as closed:
            pass
        servers = [(n, "127.0.0.1", port) for n, port in enumerate((one, two, three, four, closed), 1)]
        quorum = ZookeeperQuorum(reversed(servers)).ask(2)
    assert (quorum.kind, quorum.leader, quorum.epoch) == ("zookeeper", 2, 7)
    assert quorum.nodes == (
        QuorumNode(1, "follower", True, one, log_end=0x700000003),
        QuorumNode(2, "leader", True, two, log_end=0x700000003),
        QuorumNode(3, None, True, three),
        QuorumNode(4, None, False, four),
        QuorumNode(5, None, False, closed),
    )


def test_a_server_that_is_silent_once_is_not_down_and_one_that_refuses_is(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    said: dict[int, str | None] = {}
    monkeypatch.setattr("kafkalab.state.metadata.quorum.time", SimpleNamespace(monotonic=lambda: now[0]))
    monkeypatch.setattr("kafkalab.state.metadata.quorum._four_letters", lambda *_: said)
    quorum = ZookeeperQuorum([(1, "127.0.0.1", 2181)])
    silent, refuses, leads = {}, {1: None}, {1: LEADER}
    for after, said, alive in (
        (0, silent, False), (0, leads, True), (1.9, silent, True), (0.2, silent, False),
        (1, leads, True), (0.1, refuses, False), (0.1, silent, False),
    ):  # fmt: skip
        now[0] += after
        assert quorum.ask().nodes[0].alive == alive, (now, said)


def described(leader: int, **fetched: int) -> DescribeQuorumResponse:
    """A leader's answer at 100 s by its clock; ``fetched`` are the milliseconds at which a follower last fetched."""
    topic = DescribeQuorumResponse.TopicData
    partition = topic.PartitionData
    ends = [(leader, 50, -1, 100_000), *((int(id[1:]), 48, at, at) for id, at in fetched.items())]
    states = [
        partition.ReplicaState(replica_id=id, log_end_offset=e, last_fetch_timestamp=at, last_caught_up_timestamp=up)
        for id, e, at, up in ends
    ]
    found = partition(
        partition_index=0, error_code=0, leader_id=leader, leader_epoch=9, high_watermark=49,
        current_voters=[s for s in states if s.replica_id < 200], observers=[s for s in states if s.replica_id >= 200],
    )  # fmt: skip
    return DescribeQuorumResponse(error_code=0, topics=[topic(topic_name="x", partitions=[found])], nodes=[])


def test_a_voter_the_leader_heard_of_lately_is_alive() -> None:
    quorum = kraft_quorum(described(102, n101=99_600, n103=90_000, n201=99_900, n202=-1))
    assert quorum is not None
    assert (quorum.kind, quorum.leader, quorum.epoch, quorum.high_watermark) == ("kraft", 102, 9, 49)
    assert quorum.nodes == (
        QuorumNode(101, "follower", True, None, 2, 48, 0.4, 0.4),
        QuorumNode(102, "leader", True, None, 0, 50, 0.0, 0.0),
        QuorumNode(103, None, False, None, 2, 48, 10.0, 10.0),
        QuorumNode(201, "observer", True, None, 2, 48, 0.1, 0.1, False),
        QuorumNode(202, None, False, None, 2, 48, None, None, False),
    )
    lowest, failed = kraft_quorum(described(0)), described(102)
    assert lowest is not None and lowest.leader == 0
    failed.topics[0].partitions[0].error_code = 6
    assert kraft_quorum(failed) is kraft_quorum(described(-1)) is None


def test_a_broker_that_takes_a_while_is_heard_out() -> None:
    class Slow:
        """A busy machine's connections: the answer comes after 0.8 seconds."""

        def ask(self, questions: list[object], seconds: float) -> list[object]:
            return [described(102) if seconds > 0.8 else NoAnswer("does not answer")]

    quorum = KraftQuorum(cast(Connections, Slow())).ask([101], [])
    assert quorum is not None and quorum.leader == 102
