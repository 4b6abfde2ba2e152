"""The content of a picture of a cluster, made from a snapshot and node states, as plain JSON.

The widget, and the tables where none runs, are made from this, so that they cannot disagree. It holds only what is
drawn: if two pictures are equal, nothing needs to be sent or drawn again. Brokers, topics, groups and members are
stored under their names, so that a patch grows with what has changed, and not with the cluster.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Literal, NotRequired, TypedDict

from kafkalab.state import model
from kafkalab.state.changes import spans
from kafkalab.state.model import Broker, Event, Group, NodeState, Partition, Quorum, Snapshot, State, Topic, Verb
from kafkalab.views.static import Fault, fault
from kafkalab.views.words import brief, count, member_names

#: The part that a broker plays for a partition. Each has one shape and one sign, the same in every view.
Part = Literal["leader", "follower", "behind", "down"]
SIGNS: dict[Part, str] = {"leader": "♛", "follower": "●", "behind": "◌", "down": "✕"}
MEANINGS: dict[Part, str] = {
    "leader": "leader",
    "follower": "follower in the ISR",
    "behind": "replica out of the ISR, and by how much",
    "down": "on a broker that is down",
}


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
    state: State
    verbs: list[Verb]
    busy: Verb | None


class BrokerCard(TypedDict):
    """A broker; ``alive`` is None while that is not known."""

    id: int
    alive: bool | None
    controller: bool
    address: str
    rack: str | None
    standing: str
    node: Process | None


#: [broker, its part], with the records it lacks if it is behind and that is known.
Replica = tuple[int, Part] | tuple[int, Part, int]


class PartitionPart(TypedDict):
    """A partition and its replicas."""

    partition: int
    leader: int | None
    isr: list[int]
    replicas: list[Replica]


class TopicRow(TypedDict):
    """A topic: how many partitions have unknown records, and which lack a leader (``lone``) or replicas (``short``)."""

    internal: bool
    replication: int
    records: int | None
    unknown: int
    lone: str
    short: str
    partitions: list[PartitionPart]


class Member(TypedDict):
    """A member of a group."""

    name: str
    client: str
    host: str
    holds: list[Holding]


class Holding(TypedDict):
    """Partitions of a topic, each with its lag."""

    topic: str
    partitions: list[tuple[int, int | None]]


class GroupPanel(TypedDict):
    """A consumer group; ``about``: its state, coordinator and assignor; ``unheld``: committed, and held by nobody."""

    about: str
    lag: int | None
    members: dict[str, Member]
    unheld: list[Holding]


class QuorumNode(TypedDict):
    """A server of the quorum; ``said``: what it is, in a few words; ``combined``: in the process of its broker."""

    id: int
    role: str | None
    alive: bool | None
    said: str
    combined: bool
    node: Process | None


class QuorumPanel(TypedDict):
    """ZooKeeper's servers, or KRaft's voters and observers."""

    kind: Literal["ZooKeeper", "KRaft"]
    noun: str
    epoch: int | None
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


class Picture(TypedDict):
    """The picture of ClusterView; ``up``: how many brokers are; ``summary``: all of it for screen readers."""

    name: str
    label: str
    kafka: str
    up: str
    summary: str
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
    busy: Mapping[str, Verb] | None = None,
    buttons: bool = True,
) -> Picture:
    """Return everything that a picture of the cluster shows.

    :param nodes: the processes of the cluster; none for somebody else's cluster.
    :param error: why the cluster could not be looked at last time; the snapshot is then an older one.
    :param busy: node name → the verb being carried out on it.
    :param buttons: whether nodes offer their verbs; a frozen picture does not.
    """
    known = tuple(nodes)
    doing = busy or {}
    processes: dict[tuple[str, int], Process] = {
        (n.role, n.id): {
            "name": n.name,
            "state": n.state,
            "verbs": list(n.verbs) if buttons else [],
            "busy": doing.get(n.name),
        }
        for n in known
    }
    mode_name = {"zookeeper": "ZooKeeper", "kraft": "KRaft"}.get((snapshot.mode if snapshot else None) or mode, "")
    found = _brokers(snapshot, known)
    alive = {b.id for b in found if b.alive}
    brokers = [
        _card(b, snapshot, None if snapshot is None or error is not None else b.alive, processes.get(("broker", b.id)))
        for b in found
    ]
    up = "" if error is not None else "not read yet" if snapshot is None else f"{len(alive)} of {len(found)} brokers up"
    return {
        "name": name,
        "label": label,
        "kafka": " · ".join(filter(None, (f"Kafka {version}".strip(), mode_name))),
        "up": up,
        "summary": _summary(snapshot, brokers, up),
        "looked": snapshot is not None,
        # The moment is drawn in a frozen picture and beside an error; a live one would change with every snapshot.
        "at": None if buttons or snapshot is None else snapshot.at,
        "error": fault(None if error is None else brief(error, 2000), snapshot),
        "brokers": {str(b["id"]): b for b in brokers},
        "topics": {t.name: _topic(t, alive) for t in snapshot.topics} if snapshot else {},
        "quorum": _quorum(snapshot.quorum if snapshot else None, known, mode_name, processes),
        "groups": {brief(g.group_id): _group(g) for g in snapshot.groups} if snapshot else {},
        "problems": [brief(problem, 600) for problem in snapshot.problems] if snapshot else [],
    }


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


def _card(b: Broker, snapshot: Snapshot | None, alive: bool | None, process: Process | None) -> BrokerCard:
    return {
        "id": b.id,
        "alive": alive,
        "controller": snapshot is not None and snapshot.controller == b.id,
        "address": f"{b.host}:{b.port}" if b.host and b.port else "",
        "rack": brief(b.rack) if b.rack else None,
        "standing": standing(alive, process["state"] if process else None),
        "node": process,
    }


def _summary(snapshot: Snapshot | None, brokers: Sequence[BrokerCard], up: str) -> str:
    """Return the cluster in a sentence or two."""
    if snapshot is None:
        return "The cluster has not been read yet."
    topics = [topic for topic in snapshot.topics if not topic.internal]
    lone, short = (sum(len(found(topic)) for topic in topics) for found in (_lone, _short))
    down = ", ".join(str(b["id"]) for b in brokers if b["alive"] is False)
    said = f"{up or 'The cluster is not answering'}{down and ', down: '}{down}."
    if snapshot.controller is not None:
        said += f" The controller is broker {snapshot.controller}."
    partitions = sum(len(topic.partitions) for topic in topics)
    return (
        f"{said} {len(topics)} {'topic' if len(topics) == 1 else 'topics'} with {partitions} partitions: "
        f"{lone} without a leader, {short} under-replicated."
    )


def _lone(topic: Topic) -> list[int]:
    return [p.partition for p in topic.partitions if p.leader is None]


def _short(topic: Topic) -> list[int]:
    return [p.partition for p in topic.partitions if p.leader is not None and p.under_replicated]


def _topic(topic: Topic, alive: set[int]) -> TopicRow:
    sizes = [p.end - p.start for p in topic.partitions if p.start is not None and p.end is not None]
    return {
        "internal": topic.internal,
        "replication": topic.replication,
        # Kafka writes into its own topics all the time; their size is not drawn, so that it need not be sent either.
        "records": None if topic.internal or not sizes else sum(sizes),
        "unknown": 0 if topic.internal else len(topic.partitions) - len(sizes),
        "lone": spans(_lone(topic)),
        "short": spans(_short(topic)),
        "partitions": [
            {
                "partition": p.partition,
                "leader": p.leader,
                "isr": list(p.isr),
                "replicas": [_replica(p, id, id in alive) for id in p.replicas],
            }
            for p in sorted(topic.partitions, key=lambda p: p.partition)
        ],
    }


def _replica(p: Partition, id: int, alive: bool) -> Replica:
    what, records = part(p, id, alive), dict(p.behind).get(id)
    return (id, what) if what != "behind" or records is None else (id, what, records)


def _quorum(
    quorum: Quorum | None, nodes: tuple[NodeState, ...], mode: str, processes: Mapping[tuple[str, int], Process]
) -> QuorumPanel | None:
    """Return ZooKeeper's servers or the nodes of KRaft's quorum, each with its process if it has one of its own."""
    kind = quorum.kind if quorum else "zookeeper" if mode == "ZooKeeper" else "kraft"
    role = "zookeeper" if kind == "zookeeper" else "controller"
    own = {n.id: n for n in nodes if n.role == role}
    told = {n.id: n for n in quorum.nodes} if quorum else {}
    ids = sorted(own.keys() | told.keys())
    if not ids:
        return None
    brokers = {n.id: n for n in nodes if n.role == "broker"}
    # If controllers are nodes of their own, a broker that does not answer can only have been an observer.
    apart = kind == "kraft" and any(n.role in ("leader", "follower") and n.id not in brokers for n in told.values())

    def server(id: int) -> QuorumNode:
        found, process = told.get(id), processes.get((role, id))
        silent = found is None or found.role is None
        said = [
            _standing(found, own.get(id) or brokers.get(id)) if found else "not known yet",
            {"paused": "paused", "cut": "cut off"}.get(process["state"]) if process else None,
        ]
        return {
            "id": id,
            "role": "observer" if silent and apart and id in brokers else found.role if found else None,
            "alive": found.alive if found else None,
            "said": " · ".join(filter(None, said)),
            "combined": kind == "kraft" and id not in own and id in brokers,
            "node": process,
        }

    return {
        "kind": "ZooKeeper" if kind == "zookeeper" else "KRaft",
        "noun": role,
        "epoch": quorum.epoch if quorum and kind == "kraft" else None,
        "nodes": {str(id): server(id) for id in ids},
    }


def _standing(server: model.QuorumNode, node: NodeState | None) -> str:
    """Return the role of a server, and how far it is behind; nothing of an observer that keeps up."""
    if not server.alive:
        # The lag of a node that is down only grows, so it is not drawn.
        return gone(server.alive, node)
    role = "" if server.role == "observer" else server.role or "no answer"
    return " · ".join(filter(None, (role, f"{count(server.lag)} behind" if server.lag else "")))


def gone(alive: bool, node: NodeState | None) -> str:
    """Return the word for a quorum node that does not answer: "down", or "no answer" if its process is there."""
    there = node is not None and node.state in ("running", "paused", "cut")
    return "" if alive else "no answer" if there else "down"


def _group(group: Group) -> GroupPanel:
    lags = {(o.topic, o.partition): o.lag for o in group.offsets}
    names = member_names({m.member_id: m.client_id for m in group.members}, [m.member_id for m in group.members])
    held = {pair for m in group.members for pair in m.partitions}
    coordinator = "no coordinator" if group.coordinator is None else f"coordinator {group.coordinator}"
    return {
        "about": " · ".join(filter(None, (group.state, coordinator, brief(group.assignor)))),
        "lag": group.lag if any(lag is not None for lag in lags.values()) else None,
        "members": {
            brief(m.member_id): {
                "name": names[m.member_id],
                "client": brief(m.client_id),
                "host": brief(m.host),
                "holds": _by_topic(m.partitions, lags),
            }
            for m in group.members
        },
        # Partitions with a committed offset that no member holds now: all have left, or the group rebalances.
        "unheld": _by_topic([pair for pair in lags if pair not in held], lags),
    }


def _by_topic(pairs: Iterable[tuple[str, int]], lags: Mapping[tuple[str, int], int | None]) -> list[Holding]:
    found: dict[str, list[tuple[int, int | None]]] = {}
    for topic, partition in sorted(pairs):
        found.setdefault(topic, []).append((partition, lags.get((topic, partition))))
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

# kind → the sentence; ``{led}`` says which broker leads what now.
_SUMMED = {
    "leader_moved": "{n} partitions have another leader: {led}",
    "leader_elected": "{n} partitions have a leader again: {led}",
    "leader_lost": "{n} partitions have no leader: {which}",
    "isr_shrank": "the ISR of {n} partitions shrank: {which}",
    "isr_grew": "the ISR of {n} partitions grew: {which}",
    "isr_changed": "the ISR of {n} partitions changed: {which}",
}
# kind → the sentence if all the events are about one broker.
_SUMMED_OF_ONE = {
    "leader_lost": "{n} partitions lost their leader {broker}: {which}",
    "isr_shrank": "{broker} left the ISR of {n} partitions: {which}",
    "isr_grew": "{broker} is back in the ISR of {n} partitions: {which}",
}


class EventLines:
    """A growing list of lines, which drops the oldest ones.

    :param kept: maximum number of lines.
    """

    def __init__(self, kept: int = KEPT) -> None:
        self._lines: deque[EventLine] = deque(maxlen=kept)
        self._number = 0
        self._acted: float | None = None

    def add(self, events: Iterable[Event]) -> None:
        """Append events in their order."""
        told = [event for event in events if not event.chatty]
        for (at, kind, node, verb), found in groupby(told, key=lambda e: (e.at, e.kind, e.node, e.verb)):
            if kind == "you":
                self._acted = at
            for text, parts in _sentences(kind, list(found)):
                self._number += 1
                line: EventLine = {
                    "n": self._number,
                    "at": at,
                    "since": None if self._acted is None else round(at - self._acted, 3),
                    "kind": kind,
                    "text": brief(text, LONGEST),
                    "parts": [brief(part, LONGEST) for part in parts],
                }
                if verb is not None:
                    line |= {"node": node, "verb": verb}
                self._lines.append(line)

    def list(self) -> list[EventLine]:
        """Return the lines, oldest first."""
        return list(self._lines)


def _sentences(kind: str, events: Sequence[Event]) -> Iterator[tuple[str, list[str]]]:
    # An event without a partition sums up several by itself.
    crowd = [event for event in events if event.partition is not None]
    if kind not in _SUMMED or len(crowd) <= CROWD:
        crowd = []
    for event in events:
        if not crowd or event.partition is None:
            yield event.text, []
    if not crowd:
        return
    about: dict[int | None, list[Event]] = {}
    for event in crowd:
        about.setdefault(event.broker, []).append(event)
    led = "; ".join(f"{id} leads {_which(about[id])}" for id in sorted(about, key=lambda id: id or 0))
    (broker, *others), n = about, len(crowd)
    sentence = _SUMMED[kind] if others or broker is None else _SUMMED_OF_ONE.get(kind, _SUMMED[kind])
    rest = [f"… and {n - PARTS} more"] if n > PARTS else []
    said = sentence.format(n=n, broker=broker, led=led, which=_which(crowd))
    yield said, [*(event.text for event in crowd[:PARTS]), *rest]


def _which(events: Iterable[Event]) -> str:
    """Return the partitions of events: "Topic-B P0 P3, trucks_gps P1–P4"."""
    topics: dict[str, list[int]] = {}
    for event in events:
        mine = topics.setdefault(event.topic or "", [])
        if event.partition is not None:
            mine.append(event.partition)
    return ", ".join(f"{topic} {spans(partitions)}".strip() for topic, partitions in topics.items())
