"""A group's generations, read request by request from a log that a test holds, and what brokers log of members."""

from __future__ import annotations

import struct
from types import SimpleNamespace
from typing import Any

import pytest
from kafka.protocol.consumer import FetchRequest

from kafkalab.state.connections import NoAnswer
from kafkalab.state.groups.coordinator import LOOKED_BACK, GroupTail, generation, partition_of, why_gone
from kafkalab.state.groups.describe import assigned
from kafkalab.state.groups.trace import Reason
from tests.unit.state.batches import GENERATION, GENERATION_KEY, encoded

OUT_OF_RANGE, NOT_LEADER = 1, 6


def began(group: str, number: int) -> tuple[bytes, bytes]:
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
        #: Offset → what its batch begins with instead of its own bytes.
        self.broken: dict[int, bytes] = {}
        self.fetches: list[int] = []

    def answer(self, request: Any) -> Any:
        if not isinstance(request, FetchRequest):
            asked = request.topics[0].partitions[0].timestamp
            offset = self.start if asked == -2 else self.start + len(self.records)
            return SimpleNamespace(topics=[SimpleNamespace(partitions=[SimpleNamespace(error_code=0, offset=offset)])])
        at = request.topics[0].partitions[0].fetch_offset
        self.fetches.append(at)
        error = self.error or OUT_OF_RANGE * (not self.start <= at <= self.start + len(self.records))
        found = [] if error else self.records[at - self.start : at - self.start + 200]
        # Record after record in a batch of its own, a second apart.
        batches = [encoded((*r, ()), base=at + i, at=1000 * (at + i)) for i, r in enumerate(found)]
        begun = [self.broken.get(at + i, b"") for i in range(len(found))]
        data = b"".join(wrong + batch[len(wrong) :] for wrong, batch in zip(begun, batches, strict=True))
        end = self.start + len(self.records)
        part = SimpleNamespace(error_code=error, records=data, log_start_offset=self.start, high_watermark=end)
        return SimpleNamespace(responses=[SimpleNamespace(partitions=[part])])


def read(tail: GroupTail, log: Log, times: int) -> list[tuple[float, int]]:
    """What that many questions bring: the time and the number of generations."""
    return [(at, told.generation) for _ in range(times) for at, told in tail.answered(log.answer(tail.request()))]


def test_it_finds_the_newest_generation_and_then_follows_the_end() -> None:
    before = [began("g", 3), *[commit("other")] * 300]
    log = Log(*before, began("g", 4), *[commit("other")] * 7000, start=LOOKED_BACK)
    tail = GroupTail("g", 0)
    found: list[tuple[float, int]] = []
    while not found:
        found = read(tail, log, 1)
        assert len(log.fetches) < 50
    assert found == [(LOOKED_BACK + 301.0, 4)]
    assert read(tail, log, 3) == []
    assert log.fetches[-1] == log.start + len(log.records)
    log.records += [commit("g"), began("g", 5), began("gg", 8), (began("g", 5)[0], None), began("g", 6)]
    assert [number for _, number in read(tail, log, 2)] == [5, 6]


def test_a_group_without_a_record_is_looked_for_once_and_what_cannot_be_decoded_is_passed_over() -> None:
    log = Log(*[commit("other")] * 2500)
    tail = GroupTail("g", 0)
    assert read(tail, log, 40) == []
    assert log.fetches[-1] == 2500
    log.records += [(began("g", 1)[0], b"\x7f\xff"), began("g", 1)]
    assert read(tail, log, 1) == [(2501.0, 1)]
    assert read(GroupTail("g", 0), Log(), 5) == []


def test_a_batch_that_cannot_be_read_is_skipped_and_named(caplog: pytest.LogCaptureFixture) -> None:
    log = Log(began("g", 1), commit("g"), began("g", 2), began("g", 3))
    whole = encoded((*commit("g"), ()), base=1, at=1000)
    log.broken[1] = whole[:61] + b"\xff" * 6  # its header is whole, its record is not
    tail = GroupTail("g", 0)
    assert read(tail, log, 4) == [(3.0, 3)]
    assert "__consumer_offsets, partition 0: a batch is skipped" in caplog.text
    log.records += [began("g", 4), began("g", 5)]
    log.broken[4] = bytes(30)  # no header: nobody knows where the next batch begins
    assert read(tail, log, 2) == []
    log.records.append(began("g", 6))
    assert read(tail, log, 1) == [(6.0, 6)]


def test_a_log_that_was_cut_is_begun_anew_and_a_leader_that_is_none_any_more_is_left() -> None:
    log = Log(began("g", 1), commit("g"))
    tail = GroupTail("g", 0)
    read(tail, log, 3)
    del log.records[1:]
    assert read(tail, log, 1) == []
    assert read(tail, log, 3) == [(0.0, 1)]
    # Its beginning may be deleted, too: then the first offset that is left comes next.
    later = Log(began("g", 7), start=LOOKED_BACK)
    assert read(GroupTail("g", 0), later, 3) == [(float(LOOKED_BACK), 7)]
    assert later.fetches == [1, LOOKED_BACK]
    log.error = NOT_LEADER
    with pytest.raises(NoAnswer):
        read(tail, log, 1)


def test_a_generation_that_a_broker_wrote_with_its_members_and_what_they_hold() -> None:
    found = generation("dash", GENERATION_KEY, GENERATION)
    assert (found.generation, found.protocol) == (1, "range")
    (member,) = found.members
    assert member.member_id == found.leader == "C1-2fa954f4-fd0e-443e-80bc-063d6dbcf517"
    assert (member.client_id, member.client_host, member.session_timeout) == ("C1", "/127.0.0.1", 3000)
    assert assigned(member.assignment) == tuple(("trucks", p) for p in range(4))
    assert assigned(b"") == assigned(b"nonsense") == ()
    # Another group, a tombstone, a commit, and a value that is cut short.
    for group, key, value in (
        ("das", GENERATION_KEY, GENERATION), ("dash", GENERATION_KEY, None), ("dash", *commit("dash")),
        ("dash", GENERATION_KEY, GENERATION[:-20]),
    ):  # fmt: skip
        assert generation(group, key, value) is None


def test_a_groups_partition_is_that_of_its_hash() -> None:
    # Where 3.9 and 4.3 put them; the last one's hash is the lowest number there is.
    for group, partitions, found in (("dash", 3, 2), ("newer", 3, 2), ("", 50, 0), ("polygenelubricants", 50, 0)):
        assert partition_of(group, partitions) == found, group


def test_what_brokers_log_of_a_members_end() -> None:
    id, died, left = "C2-db1598c8", Reason("died", ""), Reason("left", "")
    by, closed = "through explicit `LeaveGroup`", Reason("left", "the consumer is being closed")
    for line, reason in (  # of 3.9 and 4.3, classic groups and newer ones, without time and logger
        (f"Member {id} in group dash has failed, removing it from the group", died),
        (f"Preparing to rebalance group dash (reason: removing member {id} on heartbeat expiration)", died),
        (f"Member MemberMetadata(memberId={id}) has left group dash {by}; client reason: not provided", left),
        (f"[Group dash] Member {id} has left group {by} request; client reason: the consumer is being closed", closed),
        (f"[GroupId newer] Member {id} fenced from the group because its session expired.", died),
        (f"[GroupId newer] Member {id} left the consumer group.", left),
        (f"[GroupId newer] Member {id} joins the consumer group using the consumer protocol.", None),
        ("Member somebody-else in group dash has failed, removing it from the group", None),
    ):
        log = f"noise\n[2026-11-21 15:26:40,064] INFO [GroupCoordinator 102]: {line} (kafka.GroupCoordinator)\nnoise"
        assert why_gone(log, id) == reason, line
