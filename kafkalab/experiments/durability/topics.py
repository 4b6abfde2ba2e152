"""The topics of a durability round: one for each min.insync.replicas, a partition for each cell, all on one leader."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from kafkalab.cluster.topics import asking
from kafkalab.errors import RefusedByKafka, Unreachable
from kafkalab.experiments.durability.cell import Setting
from kafkalab.state.connections import Connections, NoAnswer
from kafkalab.state.model import Verb
from kafkalab.waiting import wait_until

if TYPE_CHECKING:
    from kafkalab.handles.cluster import Cluster
    from kafkalab.state.model import Snapshot

# --- Breaking brokers for the matrix, and healing them again whatever happens in between.


def await_snapshot(cluster: Cluster, predicate: Callable[[Snapshot], bool], deadline: float, what: str) -> Snapshot:
    """Wait for a snapshot that fulfils ``predicate``, and return it.

    Moments without any answering broker are ignored, because the experiment stops brokers on purpose.

    :raises WaitTimeout: after ``deadline`` seconds.
    """
    last: list[Unreachable] = []

    def found() -> Snapshot | None:
        try:
            snapshot = cluster.snapshot()
        except Unreachable as error:
            last[:] = [error]
            return None
        return snapshot if predicate(snapshot) else None

    snapshot = wait_until(found, deadline, what, period=0.1, seen=lambda: str(last[0]) if last else "")
    assert snapshot is not None  # wait_until returns only true values
    return snapshot


class Breaker:
    """Stops, kills, pauses, resumes and starts brokers, and remembers which ones, so that it can heal them."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._touched: set[str] = set()

    def act(self, broker: int, verb: Verb) -> None:
        """Stop, kill, pause, resume or start a broker."""
        name = f"broker-{broker}"
        self._touched.add(name)
        self._cluster.act(name, verb)

    def heal(self) -> None:
        """Resume and start the brokers that :meth:`act` paused or took down; return when every broker is registered.

        :raises WaitTimeout: a broker does not come back within a minute.
        """
        undo: dict[str, Verb] = {"paused": "resume", "stopped": "start"}
        broken = [n for n in self._cluster.nodes() if n.name in self._touched and n.state in undo]
        for node in broken:
            self._cluster.act(node.name, undo[node.state])
        if broken:
            await_snapshot(
                self._cluster,
                lambda s: s.controller is not None and all(b.alive for b in s.brokers),
                60,
                "every broker to be back",
            )


#: Number of records sent to the gate topic, so that the leader has no fetch request of a follower left to answer.
_GATES = 3
#: Replica id that Kafka keeps for debugging: with it, any replica tells the end of its own log, leader or not.
_DEBUGGING = -2


class Topics:
    """Topics with three replicas of each partition, on the same brokers in the same order.

    :param replicas: broker ids; the first is the preferred leader, and leads each partition.
    """

    def __init__(self, cluster: Cluster, replicas: Sequence[int], settings: Iterable[Setting]) -> None:
        self._cluster = cluster
        self.replicas = list(replicas)
        stem = f"durability-{uuid.uuid4().hex[:6]}"
        #: The (topic, partition) of each cell.
        self.places: dict[Setting, tuple[str, int]] = {}
        self._partitions: dict[str, int] = {}
        for setting in settings:
            name = f"{stem}-min{setting.min_insync}"
            self.places[setting] = (name, self._partitions.get(name, 0))
            self._partitions[name] = self.places[setting][1] + 1
        self._gate = f"{stem}-gate"
        self._producer: Any = None
        self._made = False
        self._connections = Connections(cluster.bootstrap_servers)

    @property
    def names(self) -> list[str]:
        """Names of the topics that hold the cells' records."""
        return list(self._partitions)

    def create(self) -> None:
        """Create the topics; return when the first replica leads every partition and all replicas are in sync.

        :raises RefusedByKafka: a topic was not created.
        """
        from kafka import KafkaProducer

        wanted = {
            name: {
                "num_partitions": -1,
                "replication_factor": -1,
                "assignments": dict.fromkeys(range(count), self.replicas),
                "configs": {
                    "min.insync.replicas": name[-1] if name != self._gate else "1",
                    # A replica out of the ISR must never lead. That is Kafka's default, but a cluster may change it.
                    "unclean.leader.election.enable": "false",
                },
            }
            for name, count in {**self._partitions, self._gate: 1}.items()
        }
        answer = asking(
            self._cluster.bootstrap_servers, lambda admin: admin.create_topics(wanted, raise_errors=False)["topics"]
        )
        if refused := [topic for topic in answer if topic["error_code"]]:
            raise RefusedByKafka(
                "Kafka did not create the topics of the experiment.", seen=str(refused[0].get("error_message"))[:300]
            )
        self._made = True
        self.await_isr(set(self.replicas), leader=self.replicas[0])
        self._producer = KafkaProducer(
            bootstrap_servers=self._cluster.bootstrap_servers.split(","), acks=1, retries=0, enable_idempotence=False,
            client_id="kafkalab-gate", request_timeout_ms=5000, delivery_timeout_ms=5100, max_block_ms=5000,
        )  # fmt: skip
        self._producer.partitions_for(self._gate)

    def await_isr(self, wanted: set[int], leader: int | None = None, deadline: float = 60) -> None:
        """Wait until the ISR of every partition is exactly ``wanted`` and, if given, ``leader`` leads all of them."""
        await_snapshot(
            self._cluster,
            lambda s: all(
                (t := s.topic(name)) is not None
                and len(t.partitions) == count
                and all(set(p.isr) == wanted and p.leader in ({leader} if leader else wanted) for p in t.partitions)
                for name, count in {**self._partitions, self._gate: 1}.items()
            ),
            deadline,
            f"the ISR to be {', '.join(map(str, sorted(wanted)))}",
        )

    def await_leaders(self, without: int) -> set[int]:
        """Wait until a broker other than ``without`` leads every partition, and return the leaders' ids."""
        snapshot = await_snapshot(
            self._cluster,
            lambda s: all(
                (t := s.topic(name)) is not None and all(p.leader not in (None, without) for p in t.partitions)
                for name in self._partitions
            ),
            30,
            f"a broker other than {without} to lead",
        )
        return {p.leader for p in snapshot.partitions() if p.topic in self._partitions and p.leader is not None}

    def who_leads(self) -> str:
        """Return a sentence on who leads the cells' partitions now, topic by topic if the leaders differ."""
        snapshot = self._cluster.snapshot()
        led = {name: {p.leader for p in t.partitions} for name in self.names if (t := snapshot.topic(name)) is not None}
        if len(set(map(frozenset, led.values()))) == 1:
            return f"Led by {_ids(next(iter(led.values())))}."
        return "; ".join(f"min.insync.replicas={name[-1]}: led by {_ids(ids)}" for name, ids in led.items()) + "."

    def await_copies(self, brokers: Sequence[int]) -> None:
        """Wait until the logs of every partition end at the same offset on all these brokers."""
        wait_until(
            lambda: all(self.log_ends(id) == self.log_ends(brokers[0]) for id in brokers[1:]),
            20,
            "the followers to have every record",
            seen=lambda: str({id: self.log_ends(id) for id in brokers})[:500],
        )

    def log_ends(self, broker: int) -> dict[tuple[str, int], int]:
        """Return the end offset of a broker's own log of each cell's partition; its high watermark may be lower."""
        from kafka.protocol.consumer import ListOffsetsRequest, OffsetSpec

        topic = ListOffsetsRequest.ListOffsetsTopic
        port = self._cluster.broker(broker).port
        assert port is not None
        name = f"replica-{broker}"
        self._connections.introduce(name, "127.0.0.1", port)
        request = ListOffsetsRequest(
            replica_id=_DEBUGGING,
            isolation_level=0,
            topics=[
                topic(
                    name=name_,
                    partitions=[
                        topic.ListOffsetsPartition(partition_index=p, timestamp=int(OffsetSpec.LATEST))
                        for p in range(count)
                    ],
                )
                for name_, count in self._partitions.items()
            ],
        )
        (answer,) = self._connections.ask([(name, request)], 5.0)
        if isinstance(answer, NoAnswer):
            return {}
        return {(t.name, p.partition_index): p.offset for t in answer.topics for p in t.partitions if not p.error_code}

    def open_gate(self) -> None:
        """Return when the leader has answered every fetch request of the paused followers.

        A follower sends the leader one fetch request for all partitions it follows there, and waits for the answer. If
        it is paused with a request open, the leader answers with the next records written, and the follower finds them
        in its socket when it is resumed. The records of the gate topic use up these requests. Each is acknowledged
        before the next is sent, so that the leader has handled every request that came before it.
        """
        for _ in range(_GATES):
            self._producer.send(self._gate, value=b"gate", partition=0).get(timeout=5)

    def delete(self) -> None:
        """Delete the topics that exist, and close the connections to the brokers."""
        if self._producer is not None:
            self._producer.close(timeout=0.2)
        self._connections.close()
        names = {*self._partitions, self._gate}

        def there(snapshot: Snapshot) -> set[str]:
            return {t.name for t in snapshot.topics if t.name in names}

        if self._made:
            # A broker that has just started may report topics before it knows all of them.
            await_snapshot(self._cluster, lambda s: there(s) == names, 30, "the brokers to know the topics again")
        for name in there(self._cluster.snapshot()):
            self._cluster.delete_topic(name)


def _ids(found: Iterable[int | None]) -> str:
    return " and ".join("nobody" if id is None else str(id) for id in sorted(found, key=str))
