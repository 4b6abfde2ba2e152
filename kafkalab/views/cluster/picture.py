"""The content of a picture of a cluster, made from a snapshot and node states, as plain JSON.

The widget, and the tables where none runs, are made from this, so that they cannot disagree. It holds only what is
drawn: if two pictures are equal, nothing needs to be sent or drawn again. Brokers, topics, groups and members are
stored under their names, so that a patch grows with what has changed, and not with the cluster.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Literal, NotRequired, TypedDict

from kafkalab.state.changes import spans
from kafkalab.state.model import MODE_NAMES, Broker, Event, Group, NodeState, Partition, Quorum, Snapshot, Topic
from kafkalab.views.words import brief

#: The part that a broker plays for a partition. Each has one shape and one sign, the same in every view.
Part = Literal["leader", "follower", "behind", "down"]
SIGNS: dict[Part, str] = {"leader": "♛", "follower": "●", "behind": "◌", "down": "✕"}
MEANINGS: dict[Part, str] = {
    "leader": "leader",
    "follower": "follower in the ISR",
    "behind": "replica out of the ISR, and by how much",
    "down": "on a broker that is down",
}
Drawn = dict[str, Any]


def part(partition: Partition, broker: int, alive: bool) -> Part:
    """Return the part of ``broker``, one of the partition's replicas. A dead broker in the ISR is drawn as dead."""
    if not alive:
        return "down"
    if partition.leader == broker:
        return "leader"
    return "follower" if broker in partition.isr else "behind"


def standing(alive: bool | None, state: str | None) -> str:
    """Return a broker's state in words. The cluster and the process may disagree, which is a lesson for learners.

    :param alive: whether the broker is registered with the cluster; None if the cluster could not be asked.
    :param state: state of the process (running, paused, stopped, cut, unknown); None if the process is not ours.
    """
    if alive is None:
        return {
            "running": "process runs",
            "paused": "process paused",
            "stopped": "process stopped",
            "cut": "cut off the network",
        }.get(state or "", "not known yet")
    match state, alive:
        case "running", False:
            return "process runs, not registered"
        case "paused", True:
            return "paused, the cluster has not noticed"
        case "paused", False:
            return "paused, dropped by the cluster"
        case "cut", True:
            return "cut off the network, the cluster has not noticed"
        case "cut", False:
            return "cut off, dropped by the cluster"
        case "stopped", True:
            return "process gone, the cluster has not noticed"
        case _:
            return "up" if alive else "down"


class Process(TypedDict):
    """A node's process: the verbs that its state allows, and the one being carried out."""

    name: str
    state: str
    verbs: list[str]
    busy: str | None


class BrokerCard(TypedDict):
    """A broker; ``alive`` is None while that is not known."""

    id: int
    alive: bool | None
    controller: bool
    address: str
    rack: str | None
    standing: str
    node: Process | None


class PartitionPart(TypedDict):
    """A partition; a replica is [broker, its part], with the records it lacks if it is behind."""

    partition: int
    leader: int | None
    isr: list[int]
    short: bool
    replicas: list[tuple[int, Part] | tuple[int, Part, int]]


class TopicRow(TypedDict):
    """A topic; ``unknown``: partitions whose records are not known."""

    internal: bool
    replication: int
    records: int | None
    unknown: int
    partitions: list[PartitionPart]


class Member(TypedDict):
    """A member of a group."""

    client: str
    tail: str
    host: str
    holds: list[Holding]


class Holding(TypedDict):
    """Partitions of a topic, each with its lag."""

    topic: str
    partitions: list[tuple[int, int | None]]


class GroupPanel(TypedDict):
    """A consumer group; ``unheld``: what it committed and no member holds."""

    state: str
    coordinator: int | None
    assignor: str
    lag: int | None
    members: dict[str, Member]
    unheld: list[Holding]


class QuorumNode(TypedDict):
    """A server of the quorum; ``gone``: the word for one that does not answer."""

    id: int
    role: str | None
    alive: bool | None
    gone: str
    lag: int | None
    combined: bool
    node: Process | None


class QuorumPanel(TypedDict):
    """ZooKeeper's servers, or KRaft's voters and observers."""

    kind: Literal["ZooKeeper", "KRaft"]
    noun: str
    epoch: int | None
    leader: int | None
    nodes: dict[str, QuorumNode]


class EventLine(TypedDict):
    """A line of what happened; ``since``: seconds since the learner's last action; ``parts``: what it sums up."""

    n: int
    at: float
    since: float | None
    kind: str
    text: str
    parts: list[str]
    node: NotRequired[str | None]
    verb: NotRequired[str]


class Fault(TypedDict):
    """The reason why the cluster could not be looked at, and of when the picture is."""

    text: str
    at: float | None


class Picture(TypedDict):
    """The picture of ClusterView; ``events`` come with the live view only."""

    name: str
    label: str
    kafka: str
    mode: str
    looked: bool
    at: float | None
    error: Fault | None
    brokers: dict[str, BrokerCard]
    topics: dict[str, TopicRow]
    quorum: QuorumPanel | None
    groups: dict[str, GroupPanel]
    problems: list[str]
    events: NotRequired[list[EventLine]]


def drawn(
    snapshot: Snapshot | None,
    nodes: Iterable[NodeState] = (),
    *,
    name: str = "",
    label: str = "",
    version: str = "",
    mode: str = "",
    error: str | None = None,
    busy: Mapping[str, str] | None = None,
    buttons: bool = True,
) -> Drawn:
    """Return everything that a picture of the cluster shows.

    :param nodes: the processes of the cluster; none for somebody else's cluster.
    :param error: why the cluster could not be looked at last time; the snapshot is then an older one.
    :param busy: node name → the verb being carried out on it.
    :param buttons: whether nodes offer their verbs; a frozen picture does not.
    """
    known = tuple(nodes)
    doing = busy or {}

    def node(state: NodeState | None) -> Drawn | None:
        if state is None:
            return None
        verbs = list(state.verbs) if buttons else []
        return {"name": state.name, "state": state.state, "verbs": verbs, "busy": doing.get(state.name)}

    quorum = snapshot.quorum if snapshot else None
    current = snapshot is not None and error is None
    mode_name = MODE_NAMES.get((snapshot.mode if snapshot else None) or mode, "")
    known_brokers = _brokers(snapshot, known)
    alive = {b.id for b in known_brokers if b.alive}
    return {
        "name": name,
        "label": label,
        "kafka": " · ".join(filter(None, (f"Kafka {version}".strip(), mode_name))),
        "mode": mode_name,
        "looked": snapshot is not None,
        # The moment is drawn in a frozen picture and beside an error; a live one would change with every snapshot.
        "at": None if buttons or snapshot is None else snapshot.at,
        "error": None if error is None else {"text": brief(error, 2000), "at": snapshot.at if snapshot else None},
        "brokers": {
            str(b.id): {
                "id": b.id,
                "alive": b.alive if current else None,
                "controller": snapshot is not None and snapshot.controller == b.id,
                "address": f"{b.host}:{b.port}" if b.host and b.port else "",
                "rack": brief(b.rack) if b.rack else None,
                "standing": standing(b.alive if current else None, state.state if state else None),
                "node": node(state),
            }
            for b in known_brokers
            for state in [_find(known, "broker", b.id)]
        },
        "topics": {t.name: _topic(t, alive) for t in snapshot.topics} if snapshot else {},
        "quorum": _quorum(quorum, known, mode_name, node),
        "groups": {brief(g.group_id): _group(g) for g in snapshot.groups} if snapshot else {},
        "problems": [brief(problem, 600) for problem in snapshot.problems] if snapshot else [],
    }


def _find(nodes: tuple[NodeState, ...], role: str, id: int) -> NodeState | None:
    return next((n for n in nodes if n.role == role and n.id == id), None)


def _brokers(snapshot: Snapshot | None, nodes: tuple[NodeState, ...]) -> list[Broker]:
    """Return the brokers that the cluster, a process or a partition's replicas name, sorted by id."""
    found = {b.id: b for b in snapshot.brokers} if snapshot else {}
    for n in nodes:
        if n.role == "broker":
            found.setdefault(n.id, Broker(n.id, "127.0.0.1" if n.port else None, n.port, alive=False))
    for p in snapshot.partitions() if snapshot else ():
        for id in p.replicas:
            found.setdefault(id, Broker(id, None, None, alive=False))
    return [found[id] for id in sorted(found)]


def _topic(topic: Topic, alive: set[int]) -> Drawn:
    sizes = [p.end - p.start for p in topic.partitions if p.start is not None and p.end is not None]
    return {
        "internal": topic.internal,
        "replication": topic.replication,
        # Kafka writes into its own topics all the time; their size is not drawn, so that it need not be sent either.
        "records": None if topic.internal or not sizes else sum(sizes),
        "unknown": 0 if topic.internal else len(topic.partitions) - len(sizes),
        "partitions": [
            {
                "partition": p.partition,
                "leader": p.leader,
                "isr": list(p.isr),
                "short": p.under_replicated,
                "replicas": [_replica(p, id, id in alive) for id in p.replicas],
            }
            for p in sorted(topic.partitions, key=lambda p: p.partition)
        ],
    }


def _replica(p: Partition, id: int, alive: bool) -> list[Any]:
    """Return [broker, part], or [broker, part, records] if it is behind and the number of missing records is known."""
    what = part(p, id, alive)
    records = dict(p.behind).get(id)
    return [id, what] if what != "behind" or records is None else [id, what, records]


def _quorum(quorum: Quorum | None, nodes: tuple[NodeState, ...], mode: str, node: Any) -> Drawn | None:
    """Return ZooKeeper's servers or the nodes of KRaft's quorum, each with its process if it has one of its own."""
    kind = quorum.kind if quorum else "zookeeper" if mode == "ZooKeeper" else "kraft"
    role = "zookeeper" if kind == "zookeeper" else "controller"
    processes = {n.id: n for n in nodes if n.role == role}
    told = {n.id: n for n in quorum.nodes} if quorum else {}
    ids = sorted(processes.keys() | told.keys())
    if not ids:
        return None
    brokers = {n.id: n for n in nodes if n.role == "broker"}
    # If controllers are nodes of their own, a broker that does not answer can only have been an observer.
    apart = kind == "kraft" and any(n.role in ("leader", "follower") and n.id not in brokers for n in told.values())

    def role_of(id: int) -> str | None:
        found = told[id].role if id in told else None
        return "observer" if found is None and apart and id in brokers else found

    return {
        "kind": "ZooKeeper" if kind == "zookeeper" else "KRaft",
        "noun": role,
        "epoch": quorum.epoch if quorum and kind == "kraft" else None,
        "leader": quorum.leader if quorum else None,
        "nodes": {
            str(id): {
                "id": id,
                "role": role_of(id),
                "alive": told[id].alive if id in told else None,
                "gone": gone(told[id].alive, processes.get(id) or brokers.get(id)) if id in told else "",
                # The lag of a node that is down only grows, so it is not drawn.
                "lag": told[id].lag if id in told and told[id].alive else None,
                "combined": kind == "kraft" and id not in processes and _find(nodes, "broker", id) is not None,
                "node": node(processes.get(id)),
            }
            for id in ids
        },
    }


def gone(alive: bool, node: NodeState | None) -> str:
    """Return the word for a quorum node that does not answer: "down", or "no answer" if its process is there."""
    there = node is not None and node.state in ("running", "paused", "cut")
    return "" if alive else "no answer" if there else "down"


def _group(group: Group) -> Drawn:
    lags = {(o.topic, o.partition): o.lag for o in group.offsets}
    clients = Counter(m.client_id for m in group.members)
    held = {pair for m in group.members for pair in m.partitions}
    return {
        "state": group.state,
        "coordinator": group.coordinator,
        "assignor": brief(group.assignor),
        "lag": group.lag if any(lag is not None for lag in lags.values()) else None,
        "members": {
            brief(m.member_id): {
                # Members may share a client id; the end of the member id then tells them apart.
                "client": brief(m.client_id),
                "tail": m.member_id[-4:] if clients[m.client_id] > 1 else "",
                "host": brief(m.host),
                "holds": _by_topic(m.partitions, lags),
            }
            for m in group.members
        },
        # Partitions with a committed offset that no member holds now: all have left, or the group rebalances.
        "unheld": _by_topic([pair for pair in lags if pair not in held], lags),
    }


def _by_topic(pairs: Iterable[tuple[str, int]], lags: Mapping[tuple[str, int], int | None]) -> list[Drawn]:
    found: dict[str, list[list[int | None]]] = {}
    for topic, partition in sorted(pairs):
        found.setdefault(topic, []).append([partition, lags.get((topic, partition))])
    return [{"topic": topic, "partitions": partitions} for topic, partitions in found.items()]


# --- Events → the lines of "what happened": with the time since the learner's last action, and crowds summed up.
#
# A broker that dies changes the leader or the ISR of every partition it held, all in one snapshot. A line for each
# change would push the cause out of sight. So more than three of a kind at one moment become one line, which contains
# them.


#: Maximum number of lines that are kept; the watcher keeps more events.
KEPT = 200
#: Maximum number of events of one kind and moment that get a line each; more become one line.
CROWD = 3
#: Maximum number of sentences inside such a line.
PARTS = 60
#: Maximum length of a sentence in characters: it may name a group, whose id may be 32 kB long.
LONGEST = 2000

Line = dict[str, Any]

# kind → (the sentence if all the events are about one broker, the sentence otherwise)
_SUMMED = {
    "leader_moved": (
        "{n} partitions have another leader: {broker} leads {which}",
        "{n} partitions have another leader",
    ),
    "leader_elected": (
        "{n} partitions have a leader again: {broker} leads {which}",
        "{n} partitions have a leader again",
    ),
    "leader_lost": ("{n} partitions lost their leader {broker}: {which}", "{n} partitions have no leader: {which}"),
    "isr_shrank": ("{broker} left the ISR of {n} partitions: {which}", "the ISR of {n} partitions shrank: {which}"),
    "isr_grew": ("{broker} is back in the ISR of {n} partitions: {which}", "the ISR of {n} partitions grew: {which}"),
    "isr_changed": ("the ISR of {n} partitions changed: {which}", "the ISR of {n} partitions changed: {which}"),
}


class EventLines:
    """A growing list of lines, which drops the oldest ones.

    A line is ``{"n", "at", "since", "kind", "text", "parts"}``: a number that only grows, Unix time, seconds since the
    learner's last action (None before the first), the events' kind, a sentence, and the sentences it sums up. A line
    about a learner's action on a node also has its "node" and "verb".

    :param kept: maximum number of lines.
    """

    def __init__(self, kept: int = KEPT) -> None:
        self._lines: deque[Line] = deque(maxlen=kept)
        self._number = 0
        self._acted: float | None = None

    def add(self, events: Iterable[Event]) -> bool:
        """Append events in their order; return whether this added a line."""
        before = self._number
        told = [event for event in events if not event.chatty]
        for (at, kind, *_), found in groupby(told, key=lambda event: (event.at, event.kind, event.node, event.verb)):
            crowd = list(found)
            if kind == "you":
                self._acted = at
            for text, parts in _sentences(kind, crowd):
                self._number += 1
                since = None if self._acted is None else round(at - self._acted, 3)
                said = {"text": brief(text, LONGEST), "parts": [brief(part, LONGEST) for part in parts]}
                line = {"n": self._number, "at": at, "since": since, "kind": kind, **said}
                if crowd[0].verb is not None:
                    line |= {"node": crowd[0].node, "verb": crowd[0].verb}
                self._lines.append(line)
        return self._number > before

    def list(self) -> list[Line]:
        """Return the lines, oldest first."""
        return list(self._lines)


def _sentences(kind: str, events: Sequence[Event]) -> Iterator[tuple[str, list[str]]]:
    # An event without a partition sums up several by itself.
    crowd, alone = [e for e in events if e.partition is not None], [e for e in events if e.partition is None]
    if kind not in _SUMMED or len(crowd) <= CROWD:
        for event in events:
            yield event.text, []
        return
    for event in alone:
        yield event.text, []
    shared, otherwise = _SUMMED[kind]
    brokers = sorted({event.broker for event in crowd if event.broker is not None})
    common = all(event.broker is not None for event in crowd)
    n = len(crowd)
    if len(brokers) == 1 and common:
        text = shared.format(n=n, broker=brokers[0], which=_which(crowd))
    else:
        text = otherwise.format(n=n, which=_which(crowd))
        if common and kind in ("leader_moved", "leader_elected"):
            by = [f"{b} leads {_which([e for e in crowd if e.broker == b])}" for b in brokers]
            text += ": " + "; ".join(by)
    rest = [f"… and {n - PARTS} more"] if n > PARTS else []
    yield text, [*(event.text for event in crowd[:PARTS]), *rest]


def _which(events: Iterable[Event]) -> str:
    """Return the partitions of events: "Topic-B P0 P3, trucks_gps P1–P4"."""
    topics: dict[str, list[int]] = {}
    for event in events:
        mine = topics.setdefault(event.topic or "", [])
        if event.partition is not None:
            mine.append(event.partition)
    return ", ".join(f"{topic} {spans(partitions)}".strip() for topic, partitions in topics.items())
