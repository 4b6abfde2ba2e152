"""The metadata quorum: ZooKeeper's servers asked by four-letter word, KRaft's voters by DescribeQuorum."""

from __future__ import annotations

import re
import socket
import time
from collections.abc import Collection, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from kafka.protocol.admin import DescribeQuorumRequest

from kafkalab.state.connections import Connections, NoAnswer, aside
from kafkalab.state.model import Quorum, QuorumNode

#: Seconds without a fetch after which a voter counts as not alive; controllers give each other up after 2 s
#: (controller.quorum.fetch.timeout.ms), and fetch at least every 0.5 s.
VOTER_SILENCE_SECONDS = 2.0
#: Seconds without an answer after which a ZooKeeper server counts as not alive.
SERVER_SILENCE_SECONDS = 2.0
#: Seconds to wait for the KRaft controllers before a broker is asked.
QUORUM_PATIENCE = 0.3
#: Seconds to wait for the broker: without its answer the controller is unknown, and a machine may be busy.
QUORUM_SECONDS = 1.0


class ZookeeperQuorum:
    """Asks all ZooKeeper servers ``srvr`` in parallel, and finds which one leads.

    A server that is slow once is not down: its last answer counts until the server has been silent for
    :data:`SERVER_SILENCE_SECONDS`. One that refuses the connection is down at once.

    :param servers: (server id, host, client port) of each.
    """

    def __init__(self, servers: Iterable[tuple[int, str, int]]) -> None:
        self._servers = sorted(servers)
        self._said: dict[int, tuple[float, str]] = {}

    def ask(self, seconds: float = 0.3) -> Quorum:
        """Return the quorum, from what is answered within so many seconds."""
        answers = _four_letters(self._servers, b"srvr", seconds)
        now = time.monotonic()
        for id, answer in answers.items():
            if answer is None:
                self._said.pop(id, None)
            else:
                self._said[id] = (now, answer)
        heard = {id: answer for id, (at, answer) in self._said.items() if now - at < SERVER_SILENCE_SECONDS}
        nodes = tuple(_zookeeper_node(id, port, heard.get(id)) for id, _, port in self._servers)
        leader = next((n.id for n in nodes if n.role in ("leader", "standalone")), None)
        return Quorum("zookeeper", leader, _epoch(heard.get(leader)) if leader is not None else None, nodes)


def _zookeeper_node(id: int, port: int, answer: str | None) -> QuorumNode:
    # A server without a quorum answers that it is not serving: it is alive and has no role.
    mode = re.search(r"^Mode: (\w+)", answer or "", re.MULTILINE)
    return QuorumNode(id, mode.group(1) if mode else None, answer is not None, port, log_end=_zxid(answer))


def _zxid(answer: str | None) -> int | None:
    zxid = re.search(r"^Zxid: 0x([0-9a-fA-F]+)", answer or "", re.MULTILINE)
    return int(zxid.group(1), 16) if zxid else None


def _epoch(answer: str | None) -> int | None:
    # The upper half of a transaction id counts the leaders so far.
    zxid = _zxid(answer)
    return None if zxid is None else zxid >> 32


def _four_letters(servers: Sequence[tuple[int, str, int]], word: bytes, seconds: float) -> dict[int, str | None]:
    """Return server id → what it answered; None if it refused, missing if it did not answer in time."""

    def ask(host: str, port: int) -> str | None:
        try:
            with socket.create_connection((host, port), seconds) as line:
                line.sendall(word)
                return b"".join(iter(lambda: line.recv(65536), b"")).decode("utf-8", "replace") or None
        except TimeoutError:
            return ""
        except OSError:
            return None

    # All are asked at once: a silent one holds up no other.
    with ThreadPoolExecutor(thread_name_prefix="kafkalab-zookeeper") as threads:
        asked = {id: threads.submit(ask, host, port) for id, host, port in servers}
    return {id: answer for id, asking in asked.items() if (answer := asking.result()) != ""}


class KraftQuorum:
    """Asks who leads the KRaft quorum: the controllers themselves where they can be reached, else the brokers.

    A broker passes the question on to the controller it knows, and a controller that is paused keeps it for 30 s
    (controller.socket.timeout.ms). A controller that is asked itself says at once whether it leads.
    """

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self._controllers: dict[int, int] = {}
        self._turn = 0

    def ask(self, brokers: Sequence[int], hosts: Collection[str]) -> Quorum | None:
        """Return the quorum, with None as leader if no controller leads. Return None if nothing could be learned.

        :param brokers: ids of the brokers that are alive.
        :param hosts: hosts that are already reached by name. A controller elsewhere is not asked, because looking up a
            name that is unknown here would hold up everything else.
        """
        found = self._ask_controllers() if self._controllers else None
        if found is not None:
            return found
        answer = self._ask_broker(brokers)
        quorum = None if answer is None else kraft_quorum(answer)
        if quorum is not None:
            for node in answer.nodes or ():
                listener = next(iter(node.listeners), None)
                if listener is not None and listener.host in hosts:
                    self._connections.introduce(_controller(node.node_id), listener.host, listener.port)
                    self._controllers[node.node_id] = listener.port
        return quorum

    def _ask_controllers(self) -> Quorum | None:
        ids = sorted(self._controllers)
        answers = self._connections.ask([(_controller(id), _request()) for id in ids], QUORUM_PATIENCE)
        said = {id: a for id, a in zip(ids, answers, strict=True) if not isinstance(a, NoAnswer)}
        # A leader that was paused may believe for a moment that it still is; the higher epoch is the newer one.
        quorums = [q for q in map(kraft_quorum, said.values()) if q is not None]
        if quorums:
            return max(quorums, key=lambda q: q.epoch or 0)
        if not said:
            return None
        nodes = tuple(QuorumNode(id, None, id in said, self._controllers[id]) for id in ids)
        return Quorum("kraft", None, None, nodes)

    def _ask_broker(self, brokers: Sequence[int]) -> Any:
        """Return a broker's answer, another broker's each time; None if it does not come within about a second."""
        self._turn += 1
        node = aside(brokers[self._turn % len(brokers)])
        answer = self._connections.ask([(node, _request())], QUORUM_SECONDS)[0]
        return None if isinstance(answer, NoAnswer) else answer

    def forget(self) -> None:
        """Drop the known controllers, because the connections are about to close."""
        self._controllers.clear()


def _controller(id: int) -> str:
    return f"controller-{id}"


def _request() -> Any:
    topic = DescribeQuorumRequest.TopicData
    log = topic(topic_name="__cluster_metadata", partitions=[topic.PartitionData(partition_index=0)])
    return DescribeQuorumRequest(topics=[log])


def kraft_quorum(response: Any) -> Quorum | None:
    """Return the quorum in a DescribeQuorumResponse; None if it names no leader.

    ``lag`` counts metadata records behind the leader's log; a node is alive if it fetched from the leader lately.
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
    nodes: dict[int, QuorumNode] = {}
    # A node with a new disk is listed under its old directory too for minutes: the entry that fetched last counts.
    for state, role in sorted(states, key=lambda s: (s[0] is leader, int(s[0].last_fetch_timestamp))):
        leads = state is leader
        alive = leads or (now - state.last_fetch_timestamp) / 1000 < VOTER_SILENCE_SECONDS
        name = "leader" if leads else role or "follower"
        known = state.log_end_offset >= 0
        nodes[state.replica_id] = QuorumNode(
            state.replica_id,
            name if alive else None,
            alive,
            ports.get(state.replica_id),
            leader.log_end_offset - state.log_end_offset if known else None,
            state.log_end_offset if known else None,
            0.0 if leads else _ago(now, state.last_fetch_timestamp),
            0.0 if leads else _ago(now, state.last_caught_up_timestamp),
            role is None,
        )
    mark = partition.high_watermark if partition.high_watermark >= 0 else None
    by_id = tuple(node for _, node in sorted(nodes.items()))
    return Quorum("kraft", partition.leader_id, partition.leader_epoch, by_id, mark)


def _ago(now: int, then: int) -> float | None:
    """Return the seconds from ``then`` to ``now`` (milliseconds); None if the leader never heard of the node."""
    return max(0, now - then) / 1000 if then >= 0 else None
