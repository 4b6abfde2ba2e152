"""Entries that say what the records of KRaft's metadata log mean; and its quorum and records as plain JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from kafkalab.state.metadata.log import MetadataRecord
from kafkalab.state.model import NodeState, Quorum, QuorumNode, Snapshot
from kafkalab.views.cluster.picture import gone
from kafkalab.views.metadata.events import Entry, Kind, ids, isr_change
from kafkalab.views.metadata.picture import Keeper, Keepers, LogRecord, Part
from kafkalab.views.words import shorten


def from_records(records: Iterable[MetadataRecord]) -> list[Entry]:
    """Return an entry for each record, oldest first; what came before the first record is not known."""
    scene = _Scene()
    return [scene.told(record) for record in records]


class _Scene:
    """Topics' names and partitions' ISRs from the records so far, because later records refer to them."""

    def __init__(self) -> None:
        self._topics: dict[str, str] = {}
        self._isrs: dict[tuple[str, int], list[int]] = {}

    def told(self, record: MetadataRecord) -> Entry:
        """Return the entry for a record; if its fields are not as expected, the entry just lists them."""
        try:
            return self._told(record)
        except (LookupError, TypeError, ValueError):
            return Entry(record.at, "other", _fields(record.data), "record", record.type, f"offset {record.offset}")

    def _told(self, record: MetadataRecord) -> Entry:
        data = record.data
        id = data.get("brokerId", data.get("id"))
        entry = Entry(record.at, "other", "", "record", record.type, f"offset {record.offset}")
        match record.type:
            case "TopicRecord":
                self._topics[str(data.get("topicId"))] = str(data.get("name"))
                return replace(entry, kind="topic", text=f"topic {self._topic(data)}")
            case "RemoveTopicRecord":
                return replace(entry, kind="topic", text=f"topic {self._topic(data)} removed")
            case "RegisterBrokerRecord":
                said = f"broker {id} is registered, at first fenced, epoch {data.get('brokerEpoch')}"
                return replace(entry, text=said)
            case "UnregisterBrokerRecord":
                said = f"broker {id} is unregistered for good"
                return replace(entry, kind="gone", text=said, short=f"{id} unregistered")
            case "BrokerRegistrationChangeRecord":
                if data.get("fenced", 0) == 1:
                    said = f"broker {id} is fenced: it may lead nothing"
                    return replace(entry, kind="gone", text=said, short=f"broker {id} fenced")
                if data.get("fenced", 0) == -1:
                    said = f"broker {id} is unfenced: it may lead again"
                    return replace(entry, kind="came", text=said, short=f"broker {id} unfenced")
                leaving = data.get("inControlledShutdown") == 1
                said = "wants to stop, and leads nothing from now on" if leaving else "changed its registration"
                return replace(entry, text=f"broker {id} {said}")
            case "PartitionRecord" | "PartitionChangeRecord":
                return self._partition(entry, data)
            case "LeaderChange":
                said = f"controller {data.get('leaderId')} was elected to lead this log"
                return replace(entry, kind="controller", text=said, short=f"{data.get('leaderId')} elected")
        return replace(entry, text=_fields(data))

    def _partition(self, entry: Entry, data: Mapping[str, Any]) -> Entry:
        new = entry.word == "PartitionRecord"
        key = (str(data.get("topicId")), int(data.get("partitionId", -1)))
        parts = []
        if "leader" in data:
            kind: Kind = "leaderless" if data["leader"] == -1 else "leader"
            entry = replace(entry, kind="topic" if new else kind, key=kind)
            parts.append("nobody leads" if data["leader"] == -1 else f"leader {data['leader']}")
        if "isr" in data:
            isr = list(data["isr"])
            change = "" if new else isr_change(self._isrs[key], isr) if key in self._isrs else "changed"
            self._isrs[key] = isr
            entry = replace(entry, isr=change)
            if entry.kind == "other":
                entry = replace(entry, kind="isr", key=change)
            parts.append(f"ISR {ids(isr)}")
        if "replicas" in data and not new:
            parts.append(f"replicas {', '.join(map(str, data['replicas']))}")
        return replace(entry, text=f"{self._topic(data)} P{key[1]}: {', '.join(parts) or 'changed'}")

    def _topic(self, data: Mapping[str, Any]) -> str:
        id = str(data.get("topicId", ""))
        return shorten(self._topics.get(id, f"id {id}"))


def _fields(data: Mapping[str, Any]) -> str:
    return ", ".join(f"{shorten(str(name), 40)}: {shorten(str(value), 40)}" for name, value in list(data.items())[:3])


# --- The quorum as lanes on its log, and the records that were read from it.


#: Maximum number of records that are shown, the newest.
RECORDS_SHOWN = 300
#: A replica that fetched within this many seconds counts as up to date; longer times are shown.
FRESH = 2.0


def quorum_drawn(snapshot: Snapshot | None, nodes: Sequence[NodeState] = ()) -> Keepers | None:
    """Return the quorum; None when none is known."""
    quorum = snapshot.quorum if snapshot else None
    if snapshot is None or quorum is None:
        return None
    alive = {b.id: b.alive for b in snapshot.brokers}
    states = {n.id: n for n in nodes if (n.role == "zookeeper") == (quorum.kind == "zookeeper")}
    leader = next((n for n in quorum.nodes if n.id == quorum.leader), None)
    return {
        "kind": quorum.kind,
        "leader": quorum.leader,
        "epoch": quorum.epoch,
        "end": leader.log_end if leader else None,
        "mark": quorum.high_watermark,
        "nodes": {str(n.id): _node(n, quorum, states.get(n.id), alive) for n in quorum.nodes},
    }


def _node(n: QuorumNode, quorum: Quorum, state: NodeState | None, alive: Mapping[int, bool]) -> Keeper:
    part: Part = "down" if not n.alive else "leader" if n.role in ("leader", "standalone") else "follower"
    if part == "follower" and quorum.kind == "kraft" and (n.lag or 0) > 20:
        part = "behind"
    return {
        "part": part,
        "role": n.role or ("voter" if n.voter else "observer"),
        "alive": n.alive,
        "gone": gone(n.alive, state),
        "end": n.log_end,
        "lag": n.lag,
        "seen": _seconds(n.fetched_ago),
        "caught": _seconds(n.caught_up_ago),
        "state": state.state if state else None,
        "fenced": quorum.kind == "kraft" and alive.get(n.id) is False,
    }


def _seconds(ago: float | None) -> int | None:
    return None if ago is None else 0 if ago < FRESH else int(ago)


def records_drawn(told: Sequence[tuple[MetadataRecord, Entry]]) -> list[LogRecord]:
    """Return the newest records, each with its entry."""
    return [
        {
            "offset": record.offset,
            "at": record.at,
            "type": shorten(record.type, 60),
            "kind": entry.kind,
            "text": shorten(entry.text, 200),
            "data": shorten(json.dumps(record.data, ensure_ascii=False), 600),
        }
        for record, entry in told[-RECORDS_SHOWN:]
    ]
