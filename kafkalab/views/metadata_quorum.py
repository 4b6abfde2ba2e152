"""Who keeps the metadata → lanes on its log, and the records that were read of it. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from kafkalab.cluster.backend import NodeState
from kafkalab.state.metadata_log import MetadataRecord
from kafkalab.state.model import Quorum, QuorumNode, Snapshot
from kafkalab.views.cluster_drawn import gone, shown
from kafkalab.views.metadata_events import Entry
from kafkalab.views.metadata_records import from_records

#: Of the records that were read so many are shown, the newest.
RECORDS_SHOWN = 300
#: A replica that fetched within so many seconds is up to date; how long ago exactly is told only beyond.
FRESH = 2.0

Drawn = dict[str, Any]


def quorum_drawn(snapshot: Snapshot | None, nodes: Sequence[NodeState] = ()) -> Drawn | None:
    """``{"kind", "leader", "epoch", "end", "mark", "nodes": {id: node}}``; None when nobody told of it.

    ``end`` is where the leader's log ends, ``mark`` the high watermark. A node is ``{"part", "role", "alive", "end",
    "lag", "seen", "caught", "state", "fenced"}``: ``seen`` and ``caught`` are whole seconds since it last fetched, and
    since it had all there was, both 0 while they are of no interest.
    """
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


def _node(n: QuorumNode, quorum: Quorum, state: NodeState | None, alive: Mapping[int, bool]) -> Drawn:
    part = "down" if not n.alive else "leader" if n.role in ("leader", "standalone") else "follower"
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


def records_drawn(records: Iterable[MetadataRecord]) -> dict[str, Drawn]:
    """Offset → ``{"at", "type", "kind", "text", "data"}``, the newest ones."""
    records = list(records)
    told = from_records(records)
    pairs = list(zip(records, told, strict=True))[-RECORDS_SHOWN:]
    return {str(record.offset): record_drawn(record, entry) for record, entry in pairs}


def record_drawn(record: MetadataRecord, entry: Entry) -> Drawn:
    """One record, with what it was told as."""
    return {
        "at": record.at,
        "type": shown(record.type, 60),
        "kind": entry.kind,
        "text": shown(entry.text, 200),
        "data": shown(json.dumps(record.data, ensure_ascii=False), 600),
    }
