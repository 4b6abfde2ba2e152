"""Who keeps the metadata: ZooKeeper's servers asked by four-letter word, KRaft's voters by DescribeQuorum."""

from __future__ import annotations

import re
import selectors
import socket
import time
from collections.abc import Iterable, Sequence
from typing import Any

from kafka.protocol.admin import DescribeQuorumRequest

from kafkalab.state.connections import Connections, NoAnswer
from kafkalab.state.model import Quorum, QuorumNode

#: A voter that has not fetched for so long counts as not alive; controllers give each other up after 2 s
#: (controller.quorum.fetch.timeout.ms), and fetch at least every 0.5 s.
VOTER_SILENCE_SECONDS = 2.0
#: A KRaft quorum without a leader leaves the question open; a capture does not wait for it longer than this, seconds.
QUORUM_PATIENCE = 0.3
#: After so many seconds the question is put to another broker.
QUORUM_SECONDS = 1.0


def zookeeper_quorum(servers: Iterable[tuple[int, str, int]], seconds: float = 0.3) -> Quorum:
    """Ask every ZooKeeper server ``srvr``, side by side, and say who leads.

    :param servers: (server id, host, client port) of each.
    :param seconds: a server that has not answered by then is not alive for this quorum.
    """
    servers = sorted(servers)
    answers = _four_letters(servers, b"srvr", seconds)
    nodes = tuple(_zookeeper_node(id, port, answers.get(id)) for id, _, port in servers)
    leader = next((n.id for n in nodes if n.role in ("leader", "standalone")), None)
    return Quorum("zookeeper", leader, _epoch(answers.get(leader)) if leader is not None else None, nodes)


def _zookeeper_node(id: int, port: int, answer: str | None) -> QuorumNode:
    # A server without a quorum answers too, that it is not serving; it is alive and has no role.
    mode = re.search(r"^Mode: (\w+)", answer or "", re.MULTILINE)
    return QuorumNode(id, mode.group(1) if mode else None, answer is not None, port)


def _epoch(answer: str | None) -> int | None:
    # The upper half of a transaction id counts the leaders there have been.
    zxid = re.search(r"^Zxid: 0x([0-9a-fA-F]+)", answer or "", re.MULTILINE)
    return int(zxid.group(1), 16) >> 32 if zxid else None


def _four_letters(servers: Iterable[tuple[int, str, int]], word: bytes, seconds: float) -> dict[int, str]:
    """Server id → what it said; missing if it refused, or did not answer in time."""
    end = time.monotonic() + seconds
    said: dict[int, bytes] = {}
    answers: dict[int, str] = {}
    with selectors.DefaultSelector() as ready:
        try:
            for id, host, port in servers:
                opened = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
                opened.setblocking(False)
                ready.register(opened, selectors.EVENT_WRITE, id)
                opened.connect_ex((host, port))
            while ready.get_map() and (left := end - time.monotonic()) > 0:
                for key, events in ready.select(left):
                    line, id = key.fileobj, key.data
                    assert isinstance(line, socket.socket)
                    try:
                        if events & selectors.EVENT_WRITE:
                            line.send(word)
                            said[id] = b""
                            ready.modify(line, selectors.EVENT_READ, id)
                            continue
                        more = line.recv(65536)
                    except OSError:
                        said.pop(id, None)
                        more = b""
                    said[id] = said.get(id, b"") + more
                    if not more:  # the server closes when it has said everything
                        if said[id]:
                            answers[id] = said[id].decode("utf-8", "replace")
                        ready.unregister(line)
                        line.close()
        finally:
            for left_over in list(ready.get_map().values()):
                assert isinstance(left_over.fileobj, socket.socket)
                left_over.fileobj.close()
    return answers


class KraftQuorum:
    """Asks brokers what they hear from the leader of the KRaft quorum."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self._question: Any = None
        self._turn = 0

    def ask(self, brokers: Sequence[int], leader: int | None) -> Quorum | None:
        """The quorum; None if nobody says who leads it, which may be because nobody does.

        The answer is waited for a moment only, and may be taken up by the next call.

        :param leader: who led last; in combined nodes a broker too, which answers without passing the question on.
        """
        if self._question is None:
            if leader is None or leader not in brokers:
                self._turn += 1
                leader = brokers[self._turn % len(brokers)]
            topic = DescribeQuorumRequest.TopicData
            log = topic(topic_name="__cluster_metadata", partitions=[topic.PartitionData(partition_index=0)])
            node = self._connections.aside(leader)
            self._question = self._connections.begin(node, DescribeQuorumRequest(topics=[log]), QUORUM_SECONDS)
            self._connections.collect([self._question], QUORUM_PATIENCE)
        if not self._question.is_done:
            return None
        answer = self._connections.collect([self._question], 0.0)[0]
        self._question = None
        return None if isinstance(answer, NoAnswer) else kraft_quorum(answer)

    def forget(self) -> None:
        """Drop a question that is still open; the connections are about to close."""
        self._question = None


def kraft_quorum(response: Any) -> Quorum | None:
    """The quorum in a DescribeQuorumResponse; None if it names no leader.

    ``lag`` counts metadata records behind the leader's log; a voter is alive if the leader heard of it lately.
    """
    partition = next((p for t in response.topics for p in t.partitions), None)
    if response.error_code or partition is None or partition.error_code or partition.leader_id < 0:
        return None
    states = [(s, None) for s in partition.current_voters] + [(s, "observer") for s in partition.observers]
    leader = next((s for s, _ in states if s.replica_id == partition.leader_id), None)
    if leader is None:
        return None
    ports = {n.node_id: n.listeners[0].port for n in response.nodes or () if n.listeners}
    now = leader.last_caught_up_timestamp  # the leader reports its own clock here
    nodes = []
    for state, role in states:
        leads = state.replica_id == partition.leader_id
        alive = leads or (now - state.last_fetch_timestamp) / 1000 < VOTER_SILENCE_SECONDS
        behind = leader.log_end_offset - state.log_end_offset if state.log_end_offset >= 0 else None
        name = "leader" if leads else role or "follower"
        nodes.append(QuorumNode(state.replica_id, name if alive else None, alive, ports.get(state.replica_id), behind))
    return Quorum("kraft", partition.leader_id, partition.leader_epoch, tuple(sorted(nodes, key=lambda n: n.id)))
