"""Snapshot and node states → what a picture of a cluster shows, as plain JSON.

The widget, the SVG, the HTML and the text all draw from this, so that they cannot disagree. Only what is drawn is in
it: when two of these are equal, nothing needs to be sent or drawn again. Brokers, topics, groups and members stand
under their names, so that what is sent grows with what changed and not with what there is.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import groupby
from typing import Any, Literal

from kafkalab.state.changes import spans
from kafkalab.state.event import Event
from kafkalab.state.model import Broker, Group, NodeState, Partition, Quorum, Snapshot, Topic

#: What a broker is to a partition. One shape and one sign for each, in every view.
Part = Literal["leader", "follower", "behind", "down"]
SIGNS: dict[Part, str] = {"leader": "♛", "follower": "●", "behind": "◌", "down": "✕"}
MEANINGS: dict[Part, str] = {
    "leader": "leader",
    "follower": "follower in the ISR",
    "behind": "replica out of the ISR, and by how much",
    "down": "on a broker that is down",
}
Drawn = dict[str, Any]

# Control characters, and those that are invisible or turn the reading direction of what stands after them.
_LINE_ENDS = re.compile(r"[\t\n\r\v\f]+")
_UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")


def shown(text: str, limit: int = 40) -> str:
    """A text as it may stand in a line: line ends are spaces, unprintable characters marks, the middle is cut out."""
    plain = _UNSAFE.sub("\ufffd", _LINE_ENDS.sub(" ", text))
    return plain if len(plain) <= limit else f"{plain[: limit - 9]}…{plain[-8:]}"


def brief(text: str, limit: int = 200) -> str:
    """Text that may be of any length as it travels to a page: what is cut off is stood for by a checksum.

    Group, member and client ids may be 32 kB long each. The checksum keeps two that begin alike apart.
    """
    return text if len(text) <= limit else f"{text[:limit]}…{sha256(text.encode('utf-8', 'replace')).hexdigest()[:8]}"


def count(n: int) -> str:
    """21400 → "21 400", with a narrow space that does not break."""
    return f"{n:,}".replace(",", "\u202f")


def part(partition: Partition, broker: int, alive: bool) -> Part:
    """What ``broker``, one of the partition's replicas, is to it. A dead broker in the ISR is drawn as dead."""
    if not alive:
        return "down"
    if partition.leader == broker:
        return "leader"
    return "follower" if broker in partition.isr else "behind"


def standing(alive: bool | None, state: str | None) -> str:
    """How a broker is, in words: what the cluster says and what its process does differ at times, and that is a lesson.

    :param alive: whether the cluster counts it among its own; None when the cluster could not be asked.
    :param state: of the process (running, paused, stopped, cut, unknown); None when it is not ours to know.
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
    """Everything a picture of the cluster shows.

    :param nodes: the processes behind it; none for somebody else's cluster.
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
    mode_name = {"zookeeper": "ZooKeeper", "kraft": "KRaft"}.get((snapshot.mode if snapshot else None) or mode, "")
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


def brokers(picture: Drawn) -> list[Drawn]:
    """The brokers of a picture, by id."""
    return sorted(picture["brokers"].values(), key=lambda b: b["id"])


def topics(picture: Drawn) -> list[Drawn]:
    """The topics of a picture, each with its ``name``: the learner's by name, then Kafka's own."""
    named = [{"name": name, **topic} for name, topic in picture["topics"].items()]
    return sorted(named, key=lambda t: (t["internal"], t["name"]))


def groups(picture: Drawn) -> list[Drawn]:
    """The groups of a picture by id, each with its ``id`` and its members as a list."""
    return [
        {"id": id, **group, "members": members(group)}
        for id, group in sorted(picture["groups"].items(), key=lambda item: str(item[0]))
    ]


def members(group: Drawn) -> list[Drawn]:
    """The members of a group by what their clients call themselves."""
    found = sorted(group["members"].items(), key=lambda item: (item[1]["client"], item[0]))
    return [member for _, member in found]


def quorum_nodes(quorum: Drawn) -> list[Drawn]:
    """The quorum's servers: those with a vote by id, then those that only watch."""
    return sorted(quorum["nodes"].values(), key=lambda n: (n["role"] == "observer", n["id"]))


def _find(nodes: tuple[NodeState, ...], role: str, id: int) -> NodeState | None:
    return next((n for n in nodes if n.role == role and n.id == id), None)


def _brokers(snapshot: Snapshot | None, nodes: tuple[NodeState, ...]) -> list[Broker]:
    """The brokers that the cluster or a process or some partition's replicas speak of, by id."""
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
    """[broker, what it is to the partition], and of one that is behind and says so the records it lacks."""
    what = part(p, id, alive)
    records = dict(p.behind).get(id)
    return [id, what] if what != "behind" or records is None else [id, what, records]


def _quorum(quorum: Quorum | None, nodes: tuple[NodeState, ...], mode: str, node: Any) -> Drawn | None:
    """ZooKeeper's servers or KRaft's voters, with the process of each where it is one of its own."""
    kind = quorum.kind if quorum else "zookeeper" if mode == "ZooKeeper" else "kraft"
    role = "zookeeper" if kind == "zookeeper" else "controller"
    processes = {n.id: n for n in nodes if n.role == role}
    told = {n.id: n for n in quorum.nodes} if quorum else {}
    ids = sorted(processes.keys() | told.keys())
    if not ids:
        return None
    brokers = {n.id: n for n in nodes if n.role == "broker"}
    # Where controllers are nodes of their own, a broker that does not answer is one of those that only watched.
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
                # Of one that is down it only grows, and is not drawn.
                "lag": told[id].lag if id in told and told[id].alive else None,
                "combined": kind == "kraft" and id not in processes and _find(nodes, "broker", id) is not None,
                "node": node(processes.get(id)),
            }
            for id in ids
        },
    }


def gone(alive: bool, node: NodeState | None) -> str:
    """What is said of a keeper of the metadata that does not answer: down, unless its process is known to be there."""
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
        # Committed for, but held by no member now: after everyone left, or while the group rebalances.
        "unheld": _by_topic([pair for pair in lags if pair not in held], lags),
    }


def _by_topic(pairs: Iterable[tuple[str, int]], lags: Mapping[tuple[str, int], int | None]) -> list[Drawn]:
    found: dict[str, list[list[int | None]]] = {}
    for topic, partition in sorted(pairs):
        found.setdefault(topic, []).append([partition, lags.get((topic, partition))])
    return [{"topic": topic, "partitions": partitions} for topic, partitions in found.items()]


# --- Events → the lines of "what happened": with the time since the learner's last action, and crowds summed up.
#
# A broker that dies changes the leader or the ISR of every partition it held, all in one snapshot. Told one by one,
# these would push what caused them out of sight; so more than three of a kind in one moment become one line, with them
# inside.


#: How many lines are kept; the watcher keeps more events.
KEPT = 200
#: So many events of one kind and moment are told one by one; more become one line.
CROWD = 3
#: So many sentences are kept inside such a line.
PARTS = 60
#: A sentence may name a group, whose id may be 32 kB long; so many characters of it are kept.
LONGEST = 2000

Line = dict[str, Any]

# kind → (what is said when one broker is what they share, what is said otherwise)
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
    """A bounded, growing list of lines.

    A line is ``{"n", "at", "since", "kind", "text", "parts"}``: a number that only grows, Unix time, seconds since the
    learner's last action (None before the first), the events' kind, a sentence, and the sentences it sums up. A line of
    what the learner did to a node has its "node" and "verb" too.

    :param kept: so many lines.
    """

    def __init__(self, kept: int = KEPT) -> None:
        self._lines: deque[Line] = deque(maxlen=kept)
        self._number = 0
        self._acted: float | None = None

    def add(self, events: Iterable[Event]) -> bool:
        """Append events in their order; whether there was anything to tell."""
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
        """The lines, oldest first."""
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
    """ "Topic-B P0 P3, trucks_gps P1–P4"."""
    topics: dict[str, list[int]] = {}
    for event in events:
        mine = topics.setdefault(event.topic or "", [])
        if event.partition is not None:
            mine.append(event.partition)
    return ", ".join(f"{topic} {spans(partitions)}".strip() for topic, partitions in topics.items())
