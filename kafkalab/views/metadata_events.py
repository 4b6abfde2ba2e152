"""What happened to a cluster's metadata, as entries that a list and a time line are made of. Pure.

They come from three places: watches of ZooKeeper that fired (:mod:`~kafkalab.views.metadata_watches`), records of
KRaft's metadata log (:mod:`~kafkalab.views.metadata_records`), and what the watcher saw change between two snapshots.
The first two know the moment to the millisecond.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from kafkalab.state.event import Event
from kafkalab.views.cluster_drawn import shown

#: What an entry is about: it chooses the mark, and the row of the time line.
Kind = Literal[
    "you",
    "gone",
    "came",
    "controller",
    "leader",
    "leaderless",
    "isr",
    "topic",
    "quorum",
    "connection",
    "children",
    "other",
]
#: How an entry is known: a watch fired, a record was read, two snapshots differ, or the learner did it here.
By = Literal["watch", "record", "snapshot", "here"]


@dataclass(frozen=True, slots=True)
class Entry:
    """Something that happened.

    ``word`` is what it is called where it was seen (NodeDeleted, PartitionChangeRecord), ``where`` the node's path, or
    the record's offset. Entries with one ``key``, at one moment, are told as one. ``short`` stands at a mark of the
    time line. ``isr``: "shrank", "grew" or "changed", also where a partition's leader moved at the same time.
    """

    at: float
    kind: Kind
    text: str
    by: By
    word: str = ""
    where: str = ""
    key: str = ""
    broker: int | None = None
    short: str = ""
    isr: str = ""


@dataclass
class Ending:
    """Why a broker's session may have ended: what the learner did to it last."""

    verbs: dict[int, str] = field(default_factory=dict)

    def learn(self, text: str) -> None:
        """A note such as "you killed broker 102"."""
        match = re.search(r"\b(killed|stopped|paused|cut|resumed|started|joined)\b.*?\b(\d+)\b", text)
        if match:
            self.verbs[int(match[2])] = match[1]

    def of(self, broker: int) -> str:
        """How its session ended."""
        match self.verbs.get(broker):
            case "stopped":
                return "it closed its session as it stopped"
            case "killed" | "paused" | "cut":
                return "its session expired: nobody kept it alive"
            case _:
                return "its session ended"


#: A process that changes so long after the learner acted on it, seconds, changed because of that.
BECAUSE = 30.0
#: The learner's deeds after which a node is in a state.
_LEADS_TO = {"stopped": ("stopped", "killed"), "paused": ("paused",), "running": ("started", "resumed", "joined")}


def explained(deeds: Iterable[Entry | Event], node: str, state: str, at: float) -> bool:
    """Whether a note such as "you killed broker 102" tells why a node was in a state at a Unix time.

    The last deed to the node before counts; or one right after, for notes and looks have times of their own.
    """
    near = [deed for deed in deeds if node in deed.text and -1 <= at - deed.at < BECAUSE]
    last = [deed for deed in near if deed.at <= at][-1:]
    verbs = _LEADS_TO.get(state, ("",))
    return any(verb in deed.text for deed in last + [d for d in near if d.at > at] for verb in verbs)


def isr_change(old: Sequence[int], new: Sequence[int]) -> str:
    """ "shrank", "grew" or "changed"; "" when the same brokers are in sync."""
    gone, come = set(old) - set(new), set(new) - set(old)
    return "changed" if gone and come else "shrank" if gone else "grew" if come else ""


def isr_text(old: Sequence[int], new: Sequence[int]) -> str:
    """ "ISR 101, 102 → 101"."""
    return f"ISR {ids(old)} → {ids(new)}"


def ids(brokers: Sequence[int]) -> str:
    """ "101, 103", or "nobody"."""
    return ", ".join(map(str, sorted(brokers))) or "nobody"


_FROM_WATCHER: dict[str, Kind] = {
    "you": "you",
    "broker_down": "gone",
    "broker_up": "came",
    "broker_added": "came",
    "controller_moved": "controller",
    "quorum_leader_moved": "quorum",
    "quorum_node_down": "quorum",
    "quorum_node_up": "quorum",
    "leader_lost": "leaderless",
    "leader_moved": "leader",
    "leader_elected": "leader",
    "isr_shrank": "isr",
    "isr_grew": "isr",
    "isr_changed": "isr",
    "topic_created": "topic",
    "topic_deleted": "topic",
    "capture_failed": "connection",
    "capture_recovered": "connection",
}
_SHORT: dict[Kind, str] = {"gone": "broker {} down", "came": "broker {} up"}


def from_watcher(event: Event) -> Entry | None:
    """What the watcher saw between two snapshots; None for what is no metadata (groups)."""
    kind = _FROM_WATCHER.get(event.kind)
    if kind is None:
        return None
    text = shown(event.text, 200)
    if kind == "you":
        return Entry(event.at, kind, text, "here")
    short = _SHORT[kind].format(event.broker) if kind in _SHORT else text
    isr = event.kind.removeprefix("isr_") if kind == "isr" else ""
    key = isr or (kind if kind in ("leader", "leaderless") else "")
    return Entry(event.at, kind, text, "snapshot", key=key, broker=event.broker, short=short, isr=isr)
