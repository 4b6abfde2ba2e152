"""Snapshot: a cluster at one moment, as frozen data in Kafka's own terms; its nodes' processes; what can happen.

Nothing here touches the network: :mod:`kafkalab.state.capture` fills these in, views draw them, recordings keep them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from importlib.resources import files
from typing import Any, Literal

Mode = Literal["zookeeper", "kraft"]
#: The name of each mode as people write it.
MODE_NAMES: dict[str | None, str] = {"zookeeper": "ZooKeeper", "kraft": "KRaft"}


@dataclass(frozen=True, slots=True)
class Broker:
    """A broker the cluster knows or is meant to have.

    ``alive`` is what the cluster says (it is registered), not whether a process exists: a paused broker stays
    alive until its session times out.
    """

    id: int
    host: str | None
    port: int | None
    alive: bool
    rack: str | None = None


@dataclass(frozen=True, slots=True)
class Partition:
    """A partition: its leader, its replicas, those in sync (ISR), and the offsets it holds.

    ``leader`` is None when no replica may lead. ``start`` is the log start offset; ``end`` is the high watermark, the
    offset of the next record that consumers will be able to read. Both are None when no leader can be asked.
    ``replicas`` is in assignment order: the first is the preferred leader. ``isr`` can be empty in KRaft, because there
    the last in-sync replica leaves it too when it dies (and may still lead, KIP-966); with ZooKeeper it stays.
    ``behind``: for each replica out of the ISR that answers, (broker, records its log is behind the leader's).
    """

    topic: str
    partition: int
    leader: int | None
    replicas: tuple[int, ...]
    isr: tuple[int, ...]
    start: int | None = None
    end: int | None = None
    leader_epoch: int | None = None
    behind: tuple[tuple[int, int], ...] = ()

    @property
    def preferred_leader(self) -> int | None:
        """The first replica: the broker that leads after a preferred leader election."""
        return self.replicas[0] if self.replicas else None

    @property
    def under_replicated(self) -> bool:
        """Whether some replica is not in the ISR."""
        return set(self.isr) != set(self.replicas)

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON without the topic; field by field, because a snapshot may have 10,000 partitions."""
        return {
            "partition": self.partition, "leader": self.leader, "replicas": list(self.replicas), "isr": list(self.isr),
            "start": self.start, "end": self.end, "leader_epoch": self.leader_epoch,
            "behind": [[broker, records] for broker, records in self.behind],
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic; ``internal`` marks Kafka's own, such as ``__consumer_offsets``."""

    name: str
    partitions: tuple[Partition, ...]
    internal: bool = False

    @property
    def replication(self) -> int:
        """The replication factor of partition 0 (Kafka lets partitions differ, but in topics made here they do not)."""
        return len(self.partitions[0].replicas) if self.partitions else 0


@dataclass(frozen=True, slots=True)
class Member:
    """A member of a consumer group, with the (topic, partition) pairs assigned to it; a standby member has none."""

    member_id: str
    client_id: str
    host: str
    partitions: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class GroupOffset:
    """A group's committed offset in a partition, and its lag (end − committed, in records); None where unknown."""

    topic: str
    partition: int
    committed: int | None
    lag: int | None


@dataclass(frozen=True, slots=True)
class Group:
    """A consumer group.

    ``state`` is Kafka's word: Stable, Empty, PreparingRebalance, CompletingRebalance; in the newer protocol (``type``
    "consumer") also Assigning, Reconciling. It is Unknown while the group's coordinator cannot be asked.
    """

    group_id: str
    state: str
    coordinator: int | None
    members: tuple[Member, ...] = ()
    offsets: tuple[GroupOffset, ...] = ()
    assignor: str = ""
    type: str = "classic"

    @property
    def lag(self) -> int:
        """Total lag in records, over all partitions whose lag is known."""
        return sum(o.lag for o in self.offsets if o.lag is not None)


@dataclass(frozen=True, slots=True)
class QuorumNode:
    """One ZooKeeper server or one KRaft voter / observer.

    ``role``: leader, follower, standalone, observer; None when the node does not answer, or answers that it has no
    leader. ``log_end``: in KRaft the end offset of its metadata log, in ZooKeeper the id of the last transaction (zxid)
    it knows. KRaft only: ``voter``, False for an observer; ``lag``, metadata records behind the leader;
    ``fetched_ago``, seconds since it last fetched from the leader; ``caught_up_ago``, seconds since it had everything.
    """

    id: int
    role: str | None
    alive: bool
    port: int | None = None
    lag: int | None = None
    log_end: int | None = None
    fetched_ago: float | None = None
    caught_up_ago: float | None = None
    voter: bool = True


@dataclass(frozen=True, slots=True)
class Quorum:
    """The nodes that keep the metadata: a ZooKeeper ensemble, or KRaft's voters and observers.

    ``leader`` is None while no node leads; ``epoch`` is the leader's. ``high_watermark``, KRaft only: the offset up to
    which a majority of the voters has the metadata log.
    """

    kind: Mode
    leader: int | None
    epoch: int | None
    nodes: tuple[QuorumNode, ...] = ()
    high_watermark: int | None = None

    @property
    def problem(self) -> str | None:
        """A sentence on what is wrong while no node leads; None when one does."""
        if self.leader is not None:
            return None
        if self.kind == "kraft":
            return "the KRaft quorum has no leader: nothing can be changed"
        up = sum(node.alive for node in self.nodes)
        return f"the ZooKeeper ensemble has no leader ({up} of {len(self.nodes)} servers up): nothing can be changed"


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A cluster at one moment.

    ``at`` is Unix time in seconds. ``problems`` are sentences on what could not be learned this time (for example the
    offsets of a partition without a leader); missing values are never guessed.
    """

    cluster_id: str | None
    mode: Mode | None
    controller: int | None
    at: float
    brokers: tuple[Broker, ...] = ()
    topics: tuple[Topic, ...] = ()
    groups: tuple[Group, ...] = ()
    quorum: Quorum | None = None
    problems: tuple[str, ...] = field(default=())

    def topic(self, name: str) -> Topic | None:
        """Return the topic of that name, or None."""
        return next((t for t in self.topics if t.name == name), None)

    def broker(self, id: int) -> Broker | None:
        """Return the broker with that id, or None."""
        return next((b for b in self.brokers if b.id == id), None)

    def group(self, group_id: str) -> Group | None:
        """Return the group with that id, or None."""
        return next((g for g in self.groups if g.group_id == group_id), None)

    def partitions(self) -> Iterator[Partition]:
        """Yield every partition of every topic."""
        for topic in self.topics:
            yield from topic.partitions

    def in_short(self) -> str:
        """Return the state of the cluster in one line."""
        up = [str(b.id) for b in self.brokers if b.alive]
        down = [str(b.id) for b in self.brokers if not b.alive]
        said = [f"brokers up: {', '.join(up) or 'none'}", *([f"down: {', '.join(down)}"] if down else [])]
        said.append(f"controller: {'none' if self.controller is None else self.controller}")
        partitions = list(self.partitions())
        without, behind = sum(p.leader is None for p in partitions), sum(p.under_replicated for p in partitions)
        said += [f"partitions: {len(partitions)}, {without} without a leader, {behind} with replicas out of sync"]
        return "; ".join([*said, *self.problems[:3]])

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON in the shape that docs/public-surface.md defines."""
        topics = [
            {"name": t.name, "internal": t.internal, "partitions": [p.to_dict() for p in t.partitions]}
            for t in self.topics
        ]
        found: dict[str, Any] = _plain(replace(self, topics=()))
        return found | {"topics": topics}

    @classmethod
    def from_dict(cls, d: Mapping[str, Any]) -> Snapshot:
        """Build a snapshot from the JSON of :meth:`to_dict`; what an older recording lacks gets its default."""
        quorum = d.get("quorum")
        return cls(
            **_known(cls, d)
            | {
                "brokers": tuple(Broker(**_known(Broker, b)) for b in d["brokers"]),
                "topics": tuple(map(_topic, d["topics"])),
                "groups": tuple(map(_group, d["groups"])),
                "quorum": None if quorum is None else _quorum(quorum),
                "problems": tuple(d.get("problems", ())),
            }
        )


def _quorum(d: Mapping[str, Any]) -> Quorum:
    return Quorum(**_known(Quorum, d) | {"nodes": tuple(QuorumNode(**_known(QuorumNode, n)) for n in d["nodes"])})


def _topic(d: Mapping[str, Any]) -> Topic:
    partitions = (
        Partition(
            **_known(Partition, p)
            | {"topic": d["name"], "replicas": tuple(p["replicas"]), "isr": tuple(p["isr"])}
            | {"behind": tuple((broker, records) for broker, records in p.get("behind", ()))}
        )
        for p in d["partitions"]
    )
    return Topic(**_known(Topic, d) | {"partitions": tuple(partitions)})


def _group(d: Mapping[str, Any]) -> Group:
    members = (
        Member(**{"host": ""} | _known(Member, m) | {"partitions": tuple((t, p) for t, p in m["partitions"])})
        for m in d["members"]
    )
    offsets = (GroupOffset(**_known(GroupOffset, o)) for o in d["offsets"])
    return Group(**_known(Group, d) | {"members": tuple(members), "offsets": tuple(offsets)})


def _known(kind: type[Any], d: Mapping[str, Any]) -> dict[str, Any]:
    """Return the entries of ``d`` that are fields of a dataclass."""
    return {name: d[name] for name in kind.__dataclass_fields__ if name in d}


def _plain(value: Any) -> Any:
    """Return dataclasses as dictionaries and tuples as lists, all the way down."""
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    fields = getattr(value, "__dataclass_fields__", None)
    return value if fields is None else {name: _plain(getattr(value, name)) for name in fields}


# --- Node: one process of a cluster, what it is now, and what can be done to it.


Role = Literal["broker", "controller", "zookeeper"]
#: State of a node's process. ``cut``: it runs, but is cut off the network.
State = Literal["running", "paused", "stopped", "cut", "unknown"]
Verb = Literal["stop", "kill", "pause", "resume", "start", "cut", "join"]
#: The event's text for each verb that a learner applied; ``{}`` is the node.
DONE: dict[Verb, str] = {
    "stop": "you stopped {}",
    "kill": "you killed {}",
    "pause": "you paused {}",
    "resume": "you resumed {}",
    "start": "you started {}",
    "cut": "you cut {} off the network",
    "join": "you reconnected {} to the network",
}


def called(node: str) -> str:
    """Return a node's name as people say it: "broker 102" for ``broker-102``."""
    return node.replace("-", " ", 1)


def verb_of(word: object) -> Verb | None:
    """Return the verb that a word names; None when it names none."""
    return next((verb for verb in DONE if verb == word), None)


#: The verbs that make sense in each state; views offer exactly these.
VERBS: dict[State, tuple[Verb, ...]] = {
    "running": ("stop", "kill", "pause", "cut"),
    "paused": ("resume", "kill"),
    "stopped": ("start",),
    "cut": ("join", "kill"),
    "unknown": (),
}


@dataclass(frozen=True, slots=True)
class NodeState:
    """A node as its backend sees it, from the process or the container alone: no broker is asked.

    ``name`` is unique in the cluster: ``broker-101``, ``zookeeper-1``, ``controller-1``. ``port`` is where clients
    connect, on loopback. ``severable``: whether this backend can cut it off the network.
    """

    name: str
    role: Role
    id: int
    state: State
    port: int | None = None
    pid: int | None = None
    container: str | None = None
    severable: bool = False

    @property
    def verbs(self) -> tuple[Verb, ...]:
        """The verbs that can be applied to it now."""
        return tuple(v for v in VERBS[self.state] if v != "cut" or self.severable)


# --- Event: something that happened to the cluster, and the table of all kinds of events.


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of event.

    ``means`` says in a sentence what happened. Views draw the event with ``sign`` and ``tone`` (you, bad, lead, warn,
    ok, plain), in the ``lane`` of a time line (you, brokers, partitions, groups). Where several events share one place,
    the one with the greatest ``weight`` is drawn.
    """

    means: str
    sign: str = "·"
    tone: str = "plain"
    lane: str = "partitions"
    weight: int = 0


_TABLE = json.loads(files("kafkalab.state").joinpath("events.json").read_text(encoding="utf-8"))
#: Every kind of event, in the order in which events of one moment are listed: causes first. The front end has the same
#: table (``views/shared.ts``).
KINDS = {name: Kind(**fields) for name, fields in _TABLE.items()}
_OTHER = Kind("something else")


def kind_of(name: str) -> Kind:
    """Return the kind of that name, or a plain dot for a name that is not in the table."""
    return KINDS.get(name, _OTHER)


#: Kinds that come with nearly every snapshot while consumers work: listeners get them, but they are not kept.
CHATTY = frozenset({"committed"})


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened.

    ``kind`` is a stable name for programs (leader_moved, isr_shrank, broker_down, …: ``events.json``), ``text`` a
    sentence for people. ``at`` is Unix time in seconds, of the snapshot in which it was first seen: it happened before
    that. ``broker`` is the one the event is about: when a leader changes the new one, or the lost one. ``partition`` is
    None where one event sums up several partitions of a topic. ``node`` and ``verb`` say what the learner did to which
    node: "broker-102", "kill".
    """

    at: float
    kind: str
    text: str
    topic: str | None = None
    partition: int | None = None
    broker: int | None = None
    group: str | None = None
    node: str | None = None
    verb: str | None = None

    @property
    def chatty(self) -> bool:
        """Whether it comes so often that a list for people should leave it out."""
        return self.kind in CHATTY
