"""Capture: takes snapshots of the cluster at the given bootstrap servers."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from kafka.protocol.consumer import OffsetSpec
from kafka.protocol.metadata import MetadataRequest

from kafkalab.errors import Unreachable
from kafkalab.state.connections import DEBUGGER, Connections, Node, Round, offsets_request
from kafkalab.state.groups.describe import GroupCapture
from kafkalab.state.metadata.quorum import KraftQuorum
from kafkalab.state.model import Broker, Group, GroupOffset, Mode, Partition, Quorum, Snapshot, Topic

# --- Every partition's first and next offset, asked of the leaders, and how far replicas out of the ISR are behind.


Key = tuple[str, int]
#: (topic, partition) → (log start offset, high watermark); None where the leader did not say.
Offsets = dict[Key, tuple[int | None, int | None]]
#: (topic, partition) → (broker, records behind the leader's log) of each replica that is out of the ISR and answers.
Behind = dict[Key, tuple[tuple[int, int], ...]]


def ask_offsets(asking: Round, topics: Sequence[Topic], alive: Collection[int]) -> tuple[Offsets, Behind]:
    """Ask the leaders for their partitions' offsets, and replicas that are out of the ISR for how far they are behind.

    Each leader gets two requests. Replicas out of the ISR and their leaders get one more, so a healthy cluster gets
    none of these. All requests go out at once. Nothing is learned about replicas on brokers that are not ``alive``.
    """
    led = [(p.leader, p) for t in topics for p in t.partitions if p.leader is not None]
    late = [(id, p) for _, p in led if p.under_replicated for id in p.replicas if id not in p.isr and id in alive]
    ends = dict.fromkeys([*late, *((p.leader, p) for _, p in late if p.leader is not None)])
    # Consumers are told by leaders only; the end of a log is told by each broker of its own copy.
    questions = [
        *((id, offsets_request(ps, OffsetSpec.EARLIEST), "start") for id, ps in _by_broker(led).items()),
        *((id, offsets_request(ps, OffsetSpec.LATEST), "end") for id, ps in _by_broker(led).items()),
        *(
            (id, offsets_request(ps, OffsetSpec.LATEST, DEBUGGER), f"end at {id}")
            for id, ps in _by_broker(ends).items()
        ),
    ]
    found: dict[tuple[str, str, int], int] = {}
    for what, answer in asking.ask(questions):
        for topic in answer.topics:
            for p in topic.partitions:
                if not p.error_code and p.offset >= 0:
                    found[what, topic.name, p.partition_index] = p.offset
    keys = [(p.topic, p.partition) for _, p in led]
    offsets = {key: (found.get(("start", *key)), found.get(("end", *key))) for key in keys}
    behind: dict[Key, list[tuple[int, int]]] = {}
    for id, p in late:
        mine, leaders = (found.get((f"end at {broker}", p.topic, p.partition)) for broker in (id, p.leader))
        if mine is not None and leaders is not None:
            # Never below zero, though the leader may have answered first, or the replica's log is not yet truncated.
            behind.setdefault((p.topic, p.partition), []).append((id, max(0, leaders - mine)))
    return offsets, {key: tuple(sorted(pairs)) for key, pairs in behind.items()}


def _by_broker(pairs: Iterable[tuple[int, Partition]]) -> dict[int, dict[str, list[int]]]:
    """Return broker → topic → the partitions that it is asked about."""
    found: dict[int, dict[str, list[int]]] = {}
    for broker, p in pairs:
        found.setdefault(broker, {}).setdefault(p.topic, []).append(p.partition)
    return dict(sorted(found.items()))


# --- Doubt: recognises answers of starting brokers that do not show the cluster as it is.


#: Maximum seconds for which brokers that know no topics, or fewer, are not believed.
LONGEST_DOUBT = 10.0


class Doubt:
    """Decides whether an answer can be believed that lacks topics which were there before.

    A broker that has just started may know no brokers. With ZooKeeper, a controller that has just started tells brokers
    about each other first and about topics later, and each broker at its own pace. So only a steady broker is believed
    that topics are gone: one that has given a whole answer under this controller, and has not been away since. And no
    broker is believed that they are all gone along with a broker. A KRaft broker knows all topics or none.
    """

    def __init__(self) -> None:
        self._seen: tuple[int | None, frozenset[int]] | None = None
        self._topics: frozenset[str] = frozenset()
        self._steady: frozenset[Node] = frozenset()
        self._since: float | None = None

    def saw(self, controller: int | None, brokers: Collection[int], topics: Collection[str], node: Node) -> None:
        """Remember an answer that was believed; ``controller`` is None in KRaft, whose brokers do not know it."""
        if self._seen is None:
            self._steady = frozenset(brokers)  # nothing is known that they could lack
        elif controller != self._seen[0]:
            self._steady = frozenset()
        self._steady = self._steady.intersection(brokers) | {node}
        self._seen, self._topics = (controller, frozenset(brokers)), frozenset(topics)

    def lost_sight(self) -> None:
        """Note that no broker answered, so that anything may have changed by the next answer."""
        self._steady = frozenset()

    def credible(self, controller: int | None, brokers: Collection[int], topics: Collection[str], node: Node) -> bool:
        """Return whether such an answer of ``node`` can be the true state of the cluster."""
        if not brokers:
            return False
        steady = node in self._steady and self._seen is not None and controller == self._seen[0]
        if topics:
            believed = steady or controller is None or self._topics.issubset(topics)
        else:
            believed = not self._topics or (steady and self._seen == (controller, frozenset(brokers)))
        if believed:
            self._since = None
            return True
        now = time.monotonic()
        self._since = now if self._since is None else self._since
        return now - self._since > LONGEST_DOUBT

    @property
    def going_on(self) -> bool:
        """Whether brokers answered but are not believed yet; they will be soon."""
        # A little longer than the doubt itself, because only the next capture believes the answer.
        return self._since is not None and time.monotonic() - self._since <= LONGEST_DOUBT + 1


#: Maximum seconds that a capture takes, whatever happens to the brokers.
LONGEST_CAPTURE = 3.0
#: Seconds to wait for the broker that is asked first, before the others are asked too.
PATIENCE = 0.3
#: DescribeQuorum's number in Kafka's protocol; only brokers of a KRaft cluster offer it.
_DESCRIBE_QUORUM = 55


class Capture:
    """Takes snapshots of one cluster; call it to get one. Several threads may call it, but captures run one at a time.

    Connections are kept from capture to capture and reconnect by themselves. What cannot be learned this time is None
    (a group's state is Unknown), and ``Snapshot.problems`` says so. Unreachable is raised only when no broker answers.

    :param expected_brokers: returns the brokers that the cluster should have; those not registered appear as not alive.
    :param quorum: returns the quorum of a ZooKeeper cluster (see :mod:`kafkalab.state.metadata.quorum`); KRaft's quorum
        is asked through the connections of this capture.
    :param mode: "zookeeper" or "kraft"; None to find out.
    :param request_timeout: seconds after which a broker counts as silent.
    """

    def __init__(
        self,
        bootstrap_servers: str,
        *,
        expected_brokers: Callable[[], Sequence[Broker]] = tuple,
        quorum: Callable[[], Quorum | None] | None = None,
        mode: Mode | None = None,
        request_timeout: float = 1.0,
    ) -> None:
        self.bootstrap_servers = bootstrap_servers
        self._expected_brokers = expected_brokers
        self._ask_zookeeper = quorum
        self._mode = mode
        self._request_timeout = request_timeout
        self._connections = Connections(bootstrap_servers)
        self._groups = GroupCapture()
        self._kraft = KraftQuorum(self._connections)
        self._addresses: dict[int, Broker] = {}
        self._alive: tuple[int, ...] = ()
        self._controller: int | None = None
        self._doubt = Doubt()
        self._lock = threading.Lock()

    def __call__(self) -> Snapshot:
        """Return a snapshot of now, within 3 seconds; raises Unreachable when no broker answers."""
        with self._lock:
            return self._capture()

    @property
    def doubting(self) -> bool:
        """Whether brokers answer, but with so much missing that they are not believed yet; they will be soon."""
        return self._doubt.going_on

    def close(self) -> None:
        """Close the connections; a later call opens them again."""
        with self._lock:
            self._kraft.forget()
            self._connections.close()

    def _capture(self) -> Snapshot:
        asking = Round(self._connections, self._request_timeout, time.monotonic() + LONGEST_CAPTURE)
        metadata, node = self._metadata(asking.seconds)
        at = time.time()
        alive = tuple(sorted(b.node_id for b in metadata.brokers))
        if self._mode is None:
            self._mode = "kraft" if self._connections.supports(node, _DESCRIBE_QUORUM) else "zookeeper"
        mode = self._mode
        problems: list[str] = []
        quorum = self._quorum(mode, alive, {b.host for b in metadata.brokers}, problems)
        topics = _topics(metadata)
        groups, group_problems = self._groups.read(alive, asking)
        # Asked last, so that what a group committed is never ahead of the end that it is compared with.
        offsets, behind = ask_offsets(asking, topics, alive)
        brokers = self._brokers(metadata, topics)
        if mode == "kraft":
            controller = quorum.leader if quorum else None
        else:
            controller = metadata.controller_id if metadata.controller_id >= 0 else None
        self._alive, self._controller = alive, controller
        self._doubt.saw(self._controller_of(metadata), alive, [t.name for t in topics], node)
        said = [f"broker {id} is registered but {why}" for id, why in sorted(asking.silent.items())]
        return Snapshot(
            metadata.cluster_id,
            mode,
            controller,
            at,
            brokers,
            tuple(_with_offsets(t, offsets, behind) for t in topics),
            tuple(_with_lag(g, offsets) for g in groups),
            quorum,
            (*said, *problems, *group_problems, *_unknown_offsets(topics, offsets, asking.silent)),
        )

    def _metadata(self, seconds: float) -> tuple[Any, Node]:
        """Return a broker's metadata and which broker sent it. The controller is asked first, as it knows first."""
        first = [id for id in (self._controller,) if id in self._alive]
        known: list[Node] = [*first, *(id for id in self._alive if id not in first)]
        # Bootstrap addresses are for the beginning, and for when no broker known by its id answers any more.
        addresses = {self._connections.address(id) for id in known}
        nodes = [
            *known,
            *(n for n in self._connections.bootstrap_nodes() if self._connections.address(n) not in addresses),
        ]

        def request() -> Any:
            return MetadataRequest(topics=None, allow_auto_topic_creation=False)

        found = self._connections.first(nodes, request, self._credible, PATIENCE, seconds)
        if isinstance(found, dict):
            self._doubt.lost_sight()
            raise Unreachable(
                f"No broker gave any information about the cluster at {self.bootstrap_servers}.",
                seen="; ".join(sorted({f"{self._called(node)} {why}" for node, why in found.items()})),
                do="start a broker, or check the address",
            )
        node, metadata = found
        self._connections.learn(metadata)
        return metadata, node

    def _credible(self, node: Node, metadata: Any) -> bool:
        alive = {b.node_id for b in metadata.brokers}
        return self._doubt.credible(self._controller_of(metadata), alive, {t.name for t in metadata.topics}, node)

    def _controller_of(self, metadata: Any) -> int | None:
        # A KRaft broker names any broker as the controller here, another one each time.
        return int(metadata.controller_id) if self._mode == "zookeeper" else None

    def _called(self, node: Node) -> str:
        if isinstance(node, int):
            return f"broker {node}"
        host, port = self._connections.address(node) or ("?", 0)
        return f"{host}:{port}"

    def _brokers(self, metadata: Any, topics: Sequence[Topic]) -> tuple[Broker, ...]:
        alive = {b.node_id: Broker(b.node_id, b.host, b.port, True, b.rack) for b in metadata.brokers}
        self._addresses.update(alive)
        mentioned = {id for t in topics for p in t.partitions for id in p.replicas}
        dead = {id: Broker(id, None, None, False) for id in mentioned}
        dead |= {id: replace(b, alive=False) for id, b in self._addresses.items() if id in mentioned}
        dead |= {b.id: replace(b, alive=False) for b in self._expected_brokers()}
        return tuple(b for _, b in sorted((dead | alive).items()))

    def _quorum(self, mode: Mode, alive: Sequence[int], hosts: set[str], problems: list[str]) -> Quorum | None:
        if mode == "zookeeper":
            quorum = self._ask_zookeeper() if self._ask_zookeeper else None
        else:
            quorum = self._kraft.ask(alive, hosts)
            if quorum is None:
                problems.append("the leader of the KRaft quorum could not be found out, so the controller is unknown")
        if quorum is not None and quorum.problem:
            problems.append(quorum.problem)
        return quorum


def _topics(metadata: Any) -> tuple[Topic, ...]:
    topics = []
    for t in metadata.topics:
        partitions = tuple(
            Partition(
                t.name,
                p.partition_index,
                p.leader_id if p.leader_id >= 0 else None,
                tuple(p.replica_nodes),
                tuple(p.isr_nodes),
                leader_epoch=p.leader_epoch if p.leader_epoch >= 0 else None,
            )
            for p in sorted(t.partitions, key=lambda p: int(p.partition_index))
        )
        if not t.error_code or partitions:
            topics.append(Topic(t.name, partitions, bool(t.is_internal)))
    return tuple(sorted(topics, key=lambda t: t.name))


def _with_offsets(topic: Topic, offsets: Offsets, behind: Behind) -> Topic:
    def one(p: Partition) -> Partition:
        start, end = offsets.get((p.topic, p.partition), (None, None))
        return replace(p, start=start, end=end, behind=behind.get((p.topic, p.partition), ()))

    return replace(topic, partitions=tuple(one(p) for p in topic.partitions))


def _with_lag(group: Group, offsets: Offsets) -> Group:
    def one(o: GroupOffset) -> GroupOffset:
        end = offsets.get((o.topic, o.partition), (None, None))[1]
        return replace(o, lag=None if o.committed is None or end is None else end - o.committed)

    return replace(group, offsets=tuple(one(o) for o in group.offsets))


def _unknown_offsets(topics: Sequence[Topic], offsets: Offsets, silent: Mapping[int, str]) -> list[str]:
    """Return why offsets are missing, one sentence for each reason."""
    reasons: Counter[str] = Counter()
    for topic in topics:
        for p in topic.partitions:
            if None not in offsets.get((p.topic, p.partition), (None, None)):
                continue
            if p.leader is None:
                reasons["no leader"] += 1
            elif p.leader in silent:
                reasons[f"their leader, broker {p.leader}, {silent[p.leader]}"] += 1
            else:
                reasons["their leader is changing"] += 1
    return [
        f"{n} {'partition has' if n == 1 else 'partitions have'} unknown offsets: {why}" for why, n in reasons.items()
    ]
