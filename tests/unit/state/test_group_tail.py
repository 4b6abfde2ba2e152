"""The end of a partition of __consumer_offsets, read request by request from a log that a test holds."""

from __future__ import annotations

import struct
from types import SimpleNamespace
from typing import Any

import pytest
from kafka.protocol.consumer import FetchRequest

from kafkalab.state.connections import NoAnswer
from kafkalab.state.groups.coordinator import GroupTail
from kafkalab.state.groups.offsets_topic import GroupRecord
from tests.unit.state.batches import encoded

OUT_OF_RANGE, NOT_LEADER = 1, 6


def generation(group: str, number: int) -> tuple[bytes, bytes]:
    """Key and value of a group without members."""
    key = struct.pack(">hh", 2, len(group)) + group.encode()
    return key, struct.pack(">hh", 0, 0) + struct.pack(">i", number) + struct.pack(">hhi", -1, -1, 0)


def commit(group: str) -> tuple[bytes, bytes]:
    """Key and value of a committed offset."""
    key = struct.pack(">hh", 1, len(group)) + group.encode() + struct.pack(">h", 1) + b"t" + struct.pack(">i", 0)
    return key, struct.pack(">hqihq", 3, 7, -1, 0, 1000)


class Log:
    """A partition whose leader answers GroupTail's questions; 200 records a fetch."""

    def __init__(self, *records: tuple[bytes, bytes | None], start: int = 0) -> None:
        self.records = list(records)
        self.start = start
        self.error = 0
        self.fetches: list[int] = []

    def answer(self, request: Any) -> Any:
        if not isinstance(request, FetchRequest):
            asked = request.topics[0].partitions[0].timestamp
            offset = self.start if asked == -2 else self.start + len(self.records)
            return SimpleNamespace(topics=[SimpleNamespace(partitions=[SimpleNamespace(error_code=0, offset=offset)])])
        at = request.topics[0].partitions[0].fetch_offset
        self.fetches.append(at)
        found = [] if self.error else self.records[at - self.start : at - self.start + 200]
        # Record after record in a batch of its own, a second apart.
        data = b"".join(encoded((*r, ()), base=at + i, at=1000 * (at + i)) for i, r in enumerate(found))
        part = SimpleNamespace(error_code=self.error, records=data)
        return SimpleNamespace(responses=[SimpleNamespace(partitions=[part])])


def read(tail: GroupTail, log: Log, times: int) -> list[tuple[float, GroupRecord]]:
    return [one for _ in range(times) for one in tail.answered(log.answer(tail.request()))]


def numbers(found: list[tuple[float, GroupRecord]]) -> list[Any]:
    return [(at, r.value and r.value.get("generation")) for at, r in found if r.kind == "GroupMetadata"]


def test_it_looks_back_as_far_as_it_must_and_then_follows_the_end() -> None:
    before = [generation("g", 3), *[commit("other")] * 300]
    log = Log(*before, generation("g", 4), *[commit("other")] * 7000, start=49)
    tail = GroupTail("g", 0)
    found: list[tuple[float, GroupRecord]] = []
    while not found:
        found = read(tail, log, 1)
        assert len(log.fetches) < 50
    assert numbers(found) == [(350.0, 4)]
    assert read(tail, log, 3) == []
    assert log.fetches[-1] == log.start + len(log.records)
    log.records += [commit("g"), generation("g", 5), generation("gg", 8), (generation("g", 5)[0], None)]
    assert [(r.kind, r.gone) for _, r in read(tail, log, 2)] == [
        ("OffsetCommit", False), ("GroupMetadata", False), ("GroupMetadata", True),
    ]  # fmt: skip


def test_a_group_without_a_record_is_looked_for_once_and_what_cannot_be_decoded_is_passed_over() -> None:
    log = Log(*[commit("other")] * 2500)
    tail = GroupTail("g", 0)
    assert read(tail, log, 40) == []
    assert log.fetches[-1] == 2500
    log.records += [(generation("g", 1)[0], b"\x7f\xff"), generation("g", 1)]
    assert numbers(read(tail, log, 1)) == [(2501.0, 1)]
    assert read(GroupTail("g", 0), Log(), 5) == []


def test_a_log_that_was_cut_is_begun_anew_and_a_leader_that_is_none_any_more_is_left() -> None:
    log = Log(generation("g", 1))
    tail = GroupTail("g", 0)
    read(tail, log, 3)
    log.error = OUT_OF_RANGE
    assert read(tail, log, 1) == []
    log.error = 0
    assert numbers(read(tail, log, 3)) == [(0.0, 1)]
    log.error = NOT_LEADER
    with pytest.raises(NoAnswer):
        read(tail, log, 1)
