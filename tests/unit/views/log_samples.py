"""A topic's logs as the tests of LogView draw them: three partitions, two groups, keys that stay in their partition."""

from __future__ import annotations

from typing import Any

from kafkalab.state.log.batch import Batch
from kafkalab.state.log.reader import LogEnd, LogRecord, Window
from kafkalab.state.log.segments import Found, Neighbour
from kafkalab.state.model import Broker, Group, GroupOffset, Member, Partition, Snapshot, Topic
from kafkalab.views.log.picture import KeySigns, TailCells, drawn
from tests.unit.state.batches import Headers, encoded

Batched = tuple[bytes | None, bytes | None, Headers]

TOPIC = "trucks_gps"
#: Partition → (start, high watermark, log end).
SPANS = {0: (4, 36, 37), 1: (2, 31, 34), 2: (6, 38, 38)}
KEYS = {0: ("a", "d"), 1: ("b", "e"), 2: ("c", None)}


def snapshot(spans: dict[int, tuple[int, int, int]] = SPANS, **members: int | None) -> Snapshot:
    """The cluster; ``c2=1`` gives partition 1 to member c2 of the group "dashboard" (c1 has the others)."""
    held = {p: name for name, p in members.items() if p is not None}
    holds = {n: tuple((TOPIC, p) for p in spans if held.get(p, "c1") == n) for n in ("c1", *members)}
    partitions = tuple(
        Partition(TOPIC, p, 101 + p, (101 + p, 101), (101 + p, 101), start, high)
        for p, (start, high, _) in spans.items()
    )
    brokers = tuple(Broker(id, "127.0.0.1", 9000 + id, True) for id in (101, 102, 103))
    committed = tuple(GroupOffset(TOPIC, p, c, SPANS[p][1] - c) for p, c in ((0, 33), (1, 22), (2, 38)))
    joined = tuple(Member(f"{n}-1", n, "/127.0.0.1", h) for n, h in holds.items())
    groups = (
        Group("dashboard", "Stable", 102, joined, committed, "range"),
        Group("alarms", "Empty", 101, (), (GroupOffset(TOPIC, 0, 10, 26),)),
        Group("elsewhere", "Empty", 101, (), (GroupOffset("other", 0, 10, 26),)),
    )
    return Snapshot("q1", "zookeeper", 101, 1_000_000.0, brokers, (Topic(TOPIC, partitions),), groups)


def record(p: int, offset: int, **fields: Any) -> LogRecord:
    """The record at an offset: of the partition's two keys in turn."""
    key = KEYS[p][offset % 3 == 0]
    known: dict[str, Any] = {
        "key": key, "key_id": key.encode() if key else None, "value": f'{{"n": {offset}}}',
        "timestamp": 1_000_000_000 + offset, "size": 9, "batch": offset,
    }  # fmt: skip
    return LogRecord(offset, **{"kind": "record", **known, **fields})


def windows(spans: dict[int, tuple[int, int, int]] = SPANS, **replaced: LogRecord | None) -> dict[int, Window]:
    """All records of every partition; ``p0_20=None`` leaves one out."""
    found = {}
    for p, (start, _, end) in spans.items():
        records = (replaced.get(f"p{p}_{o}", record(p, o)) for o in range(start, end))
        found[p] = Window(start, end, tuple(r for r in records if r is not None))
    return found


def ends(spans: dict[int, tuple[int, int, int]] = SPANS, stable: int | None = None) -> dict[int, LogEnd]:
    """What the leaders say of the ends."""
    return {p: LogEnd(high, end, stable, 101 + p, 0) for p, (_, high, end) in spans.items()}


def drawn_logs(
    spans: dict[int, tuple[int, int, int]] = SPANS, found: dict[int, Window] | None = None, **options: Any
) -> dict[str, Any]:
    """The drawn state of all that; ``members`` as of :func:`snapshot`."""
    cells = TailCells(KeySigns())
    tails = {p: cells.of(p, window) for p, window in (windows(spans) if found is None else found).items()}
    at = snapshot(spans, **options.pop("members", {}))
    return drawn(at, TOPIC, ends=ends(spans, options.pop("stable", None)), tails=tails, **options)


def batch(*records: Batched, codec: int = 0) -> Found:
    """A batch of these records in broker 101's log, with other batches around it."""
    found = Batch.read(encoded(*records, codec=codec, base=40))
    return Found(found, 101, f"{40:020d}.log", 500, Neighbour(30, 39), Neighbour(60, 61))
