"""The content of a picture of a cluster, made from a snapshot and node states, as plain JSON.

The widget, and the tables where none runs, are made from this, so that they cannot disagree. It holds only what is
drawn: if two pictures are equal, nothing needs to be sent or drawn again. Brokers, topics, groups and members are
stored under their names, so that a patch grows with what has changed, and not with the cluster.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NotRequired, TypedDict

from kafkalab.state import model
from kafkalab.state.changes import many, member_names, spans
from kafkalab.state.model import Broker, Group, NodeState, Partition, Quorum, Snapshot, State, Topic, Verb
from kafkalab.views.static import Block, Fault, Para, Table, clock, fault, trouble
from kafkalab.views.words import brief, count, kafka, shorten

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


#: What the cluster says (None: it could not be asked) and the state of the process → a broker's state in words. The two
#: may disagree, which is a lesson for learners.
_STANDING: dict[tuple[bool | None, State | None], str] = {
    (None, "running"): "process runs",
    (None, "paused"): "process paused",
    (None, "stopped"): "process stopped",
    (None, "cut"): "cut off the network",
    (False, "running"): "process runs, not registered",
    (True, "paused"): "paused, the cluster has not noticed",
    (False, "paused"): "paused, dropped by the cluster",
    (True, "cut"): "cut off the network, the cluster has not noticed",
    (False, "cut"): "cut off, dropped by the cluster",
    (True, "stopped"): "process gone, the cluster has not noticed",
}


def standing(alive: bool | None, state: State | None) -> str:
    """Return a broker's state in words; without a ``state``, its process is not ours."""
    otherwise = "not known yet" if alive is None else "up" if alive else "down"
    return _STANDING.get((alive, state), otherwise)


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
    mode = (snapshot.mode if snapshot else None) or mode
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
        "kafka": kafka(version, mode),
        "up": up,
        "summary": _summary(snapshot, brokers, up),
        "looked": snapshot is not None,
        # The moment is drawn in a frozen picture and beside an error; a live one would change with every snapshot.
        "at": None if buttons or snapshot is None else snapshot.at,
        "error": fault(None if error is None else brief(error, 2000), snapshot),
        "brokers": {str(b["id"]): b for b in brokers},
        "topics": {t.name: _topic(t, alive) for t in snapshot.topics} if snapshot else {},
        "quorum": _quorum(snapshot.quorum if snapshot else None, known, mode, processes),
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
        f"{said} {many(len(topics), 'topic')} with {partitions} partitions: "
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
    kind = quorum.kind if quorum else "zookeeper" if mode == "zookeeper" else "kraft"
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
    names = member_names({m.member_id: m.client_id for m in group.members})
    held = {pair for m in group.members for pair in m.partitions}
    coordinator = "no coordinator" if group.coordinator is None else f"coordinator {group.coordinator}"
    return {
        "about": " · ".join(filter(None, (group.state, coordinator, brief(group.assignor)))),
        "lag": group.lag if any(lag is not None for lag in lags.values()) else None,
        "members": {
            brief(m.member_id): {
                "name": shorten(names[m.member_id]),
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


# --- The picture as paragraphs and tables, for where no widget runs.


_TOPICS, _MEMBERS, _EVENTS = 20, 60, 12
#: More partitions than this are not named one by one, but summed up.
_NAMED = 20
_SUMS = {"leader": "leads {}", "follower": "follows {}", "behind": "{} behind", "down": "holds {}"}


def blocks(picture: Picture) -> list[Block]:
    """Return topics (rows) on brokers (columns), then quorum, groups, what happened last, and the legend."""
    parts = (shorten(picture["name"]), picture["kafka"], shorten(picture["label"]), picture["up"] or "not answering")
    title = " · ".join(part for part in parts if part)
    found: list[Block] = [Para(title, "strong"), *trouble(picture["error"]), *_topics(picture)]
    if picture["quorum"]:
        found.append(Para(_servers(picture["quorum"])))
    if picture["groups"]:
        rows = [row for id, group in sorted(picture["groups"].items()) for row in _rows(id, group)]
        found.append(Table(("Group", "State", "Member", "Holds"), rows, most=_MEMBERS))
    if picture.get("events"):
        happened = [(_since(line), shorten(line["text"].split("\n")[0], 300)) for line in picture["events"][-_EVENTS:]]
        found.append(Table(("Seen at", "What happened"), happened))
    found += [Para(shorten(problem, 300)) for problem in picture["problems"][:5]]
    moment = "A picture of one moment" + (f", {clock(picture['at'])}" if picture["at"] is not None else "")
    legend = "  ".join(f"{SIGNS[part]} {meaning}" for part, meaning in MEANINGS.items())
    return [*found, Para(f"{legend}. {moment}.", "small")]


def _topics(picture: Picture) -> list[Block]:
    brokers = picture["brokers"].values()
    own = {name: topic for name, topic in sorted(picture["topics"].items()) if not topic["internal"]}
    heads = [
        f"Broker {b['id']}{' · controller' if b['controller'] else ''}\n"
        f"{b['standing']}{' · rack ' + shorten(b['rack']) if b['rack'] else ''}"
        for b in brokers
    ]
    rows = [
        (f"{shorten(name)}\n{_size(topic)}", *(_cell(topic, b["id"]) for b in brokers)) for name, topic in own.items()
    ]
    table = Table(("Topic", *heads), rows, most=_TOPICS)
    internal = len(picture["topics"]) - len(own)
    hidden = f"{many(internal, 'internal topic')} not shown"
    return [table, Para(hidden, "small")] if internal else [table]


def _size(topic: TopicRow) -> str:
    """Return a topic's size and its trouble: "3 partitions, RF 3, 21 400 records · no leader: P1"."""
    n = len(topic["partitions"])
    parts = [many(n, "partition"), f"RF {topic['replication']}"]
    if topic["records"] is not None:
        # A partition may not have been asked.
        least = "at least " if topic["unknown"] else ""
        parts.append(f"{least}{count(topic['records'])} record{'' if topic['records'] == 1 else 's'}")
    said = [", ".join(parts)]
    if topic["lone"]:
        said.append(f"no leader: {shorten(topic['lone'], 60)}")
    if n > _NAMED and topic["short"]:
        said.append(f"under-replicated: {shorten(topic['short'], 60)}")
    return " · ".join(said)


def _cell(topic: TopicRow, broker: int) -> str:
    """Return a broker's replicas of a topic, a line for each part: "♛ P0", "● P1–P2"; or only their numbers."""
    parts: dict[Part, list[int]] = {}
    late = 0
    for p in topic["partitions"]:
        for id, what, *records in p["replicas"]:
            if id == broker:
                parts.setdefault(what, []).append(p["partition"])
                late += sum(records)
    lines = []
    for what in MEANINGS:
        mine = parts.get(what, [])
        named = spans(mine) if len(mine) <= _NAMED else _SUMS[what].format(count(len(mine)))
        if mine:
            lines.append(f"{SIGNS[what]} {named}{f' −{count(late)}' if what == 'behind' and late else ''}")
    return "\n".join(lines)


def _servers(quorum: QuorumPanel) -> str:
    """Return the nodes of a quorum, voters before observers: "ZooKeeper: 1 leader, 2 follower, 3 down"."""
    epoch = f" (epoch {quorum['epoch']})" if quorum["epoch"] is not None else ""
    watching = [f"{n['id']} observer {n['said']}".strip() for n in quorum["nodes"].values() if n["role"] == "observer"]
    voting = [f"{n['id']} {n['said']}" for n in quorum["nodes"].values() if n["role"] != "observer"]
    return f"{quorum['kind']}{epoch}: {', '.join(voting + watching)}"


def _rows(id: str, group: GroupPanel) -> list[tuple[str, str, str, str]]:
    """Return a row for each member of a group; the first one tells about the group too."""
    about = shorten(group["about"], 90) + ("" if group["lag"] is None else f" · lag {count(group['lag'])}")
    members = sorted((m["name"], _held(m["holds"]) or "standing by") for m in group["members"].values())
    if group["unheld"]:
        members.append(("nobody", _held(group["unheld"])))
    rows = members or [("no members", "")]
    return [(shorten(id), "" if i else about, *row) for i, row in enumerate(rows)]


def _held(holds: list[Holding]) -> str:
    """Return the partitions that are held: "trucks_gps P0–P4, Topic-B P1"."""
    return ", ".join(f"{shorten(h['topic'])} {spans(p for p, _ in h['partitions'])}" for h in holds)


def _since(line: EventLine) -> str:
    return clock(line["at"]) if line["since"] is None else f"{line['since']:+.2f} s"
