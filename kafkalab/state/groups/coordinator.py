"""GroupCoordinator: asks one group's coordinator, and no other broker, for the group's state and generation."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from typing import Any

import kafka.errors
from kafka.protocol.admin import DescribeConfigsRequest, DescribeGroupsRequest
from kafka.protocol.consumer import FetchRequest, ListOffsetsRequest, OffsetSpec
from kafka.protocol.metadata import MetadataRequest
from kafka.record import MemoryRecords

from kafkalab.errors import KafkalabError
from kafkalab.state.connections import Connections, NoAnswer
from kafkalab.state.groups.describe import ConsumerGroupDescribeRequest, classic_groups, consumer_groups
from kafkalab.state.groups.history import Look
from kafkalab.state.groups.offsets_topic import OFFSETS_TOPIC, GroupRecord, UnreadableRecord, decode, partition_of
from kafkalab.state.groups.trace import LINES, Asks, Reason, why_gone
from kafkalab.state.model import Group
from kafkalab.state.watch import Source

# --- The source for a consumer group: its coordinator, or snapshots of the model in memory.


def group_source(cluster: Source, group: str) -> Asks:
    """Return what a :class:`~kafkalab.state.groups.trace.GroupTrace` asks: the group's coordinator, or snapshots."""
    if not cluster.capabilities.clients:
        return GroupInSnapshots(cluster.snapshot, group)
    return GroupCoordinator(
        cluster.bootstrap_servers, group, lambda broker, lines: cluster.log_tail(f"broker-{broker}", lines)
    )


# --- A group of a cluster that is only a model in memory, which has no coordinator that could be asked.


class GroupInSnapshots:
    """Looks at a group through snapshots. See :class:`kafkalab.state.groups.trace.Asks`.

    :param snapshot: returns a snapshot, quickly.
    """

    def __init__(self, snapshot: Callable[[], Any], group: str) -> None:
        self._snapshot = snapshot
        self._group = group

    def look(self) -> tuple[Look, list[tuple[float, GroupRecord]]]:
        """Return the group in a new snapshot, and no records."""
        try:
            snapshot = self._snapshot()
        except KafkalabError as error:
            raise NoAnswer(str(error)) from error
        return Look(snapshot.at, snapshot.group(self._group) or Group(self._group, "Dead", None)), []

    def session(self) -> float | None:
        """Return None, because a model without a clock has no timeouts."""
        return None

    def why_gone(self, member_id: str) -> Reason | None:
        """Return None, because the model keeps no log."""
        return None

    def close(self) -> None:
        """Do nothing: there is nothing to close."""


# --- The end of the one partition of ``__consumer_offsets`` that a group lives in: its newest record, and what follows.


log = logging.getLogger(__name__)

#: Maximum bytes that one fetch brings.
_FETCH_BYTES = 256 * 1024
#: Number of offsets to search back from the end for the group's newest record: at first, and at most.
_FIRST_STEP, _FURTHEST = 1000, 2_000_000
_OUT_OF_RANGE = 1


class GroupTail:
    """Reads one group's records from its partition, a request at a time: see :meth:`request` and :meth:`answered`.

    It first looks for the newest record of the group, from the end backwards, and then follows the end.
    """

    def __init__(self, group: str, partition: int) -> None:
        self._group = group.encode("utf-8")
        self._partition = partition
        self._start: int | None = None  # first offset of the log
        self._next: int | None = None  # where the end is followed from
        self._window: tuple[int, int] | None = None  # offsets that are searched now: from, to
        self._low = 0
        self._found: tuple[float, GroupRecord] | None = None

    def request(self) -> Any:
        """Return the next question for the leader of the partition, which is the group's coordinator."""
        if self._next is None:
            one = ListOffsetsRequest.ListOffsetsTopic
            asked = OffsetSpec.EARLIEST if self._start is None else OffsetSpec.LATEST
            part = one.ListOffsetsPartition(partition_index=self._partition, timestamp=int(asked))
            return ListOffsetsRequest(
                replica_id=-1, isolation_level=0, topics=[one(name=OFFSETS_TOPIC, partitions=[part])]
            )
        topic = FetchRequest.FetchTopic
        part = topic.FetchPartition(
            partition=self._partition,
            fetch_offset=self._next if self._window is None else self._window[0],
            partition_max_bytes=_FETCH_BYTES,
        )
        # From version 13 on topics are named by id only.
        return FetchRequest(
            max_wait_ms=0, min_bytes=0, max_bytes=_FETCH_BYTES, isolation_level=0,
            topics=[topic(topic=OFFSETS_TOPIC, partitions=[part])], max_version=12,
        )  # fmt: skip

    def answered(self, answer: Any) -> list[tuple[float, GroupRecord]]:
        """Take in an answer; return the group's records in it, oldest first, as (Unix time in seconds, record).

        :raises NoAnswer: the broker does not lead the partition any more.
        """
        if self._next is None:
            self._offsets(answer)
            return []
        (part,) = answer.responses[0].partitions
        if part.error_code == _OUT_OF_RANGE:
            self._start = self._next = self._window = None
            return []
        if part.error_code:
            raise NoAnswer("does not lead the group's partition any more")
        found, last = [], None
        for offset, at, key, value in _records(part.records):
            last = offset
            if self._window is not None and offset >= self._window[1]:
                break
            record = self._own(key, value)
            if record is not None and (self._window is not None or offset >= self._next):
                found.append((at, record))
        if self._window is None:
            self._next = self._next if last is None else max(self._next, last + 1)
            return found
        return self._searched(found, last)

    def _offsets(self, answer: Any) -> None:
        (part,) = answer.topics[0].partitions
        if part.error_code or part.offset < 0:
            raise NoAnswer("does not lead the group's partition any more")
        if self._start is None:
            self._start = part.offset
        else:
            self._next = part.offset
            self._look_back(part.offset, _FIRST_STEP)

    def _look_back(self, end: int, step: int) -> None:
        assert self._start is not None and self._next is not None
        self._low = max(self._start, end - step, self._next - _FURTHEST)
        self._window = (self._low, end) if self._low < end else None

    def _searched(self, found: list[tuple[float, GroupRecord]], last: int | None) -> list[tuple[float, GroupRecord]]:
        """Go on after a part of the window was read: with its rest, then the window before, until a record is found."""
        assert self._window is not None and self._next is not None
        tells = [one for one in found if one[1].kind in ("GroupMetadata", "ConsumerGroupMetadata")]
        self._found = tells[-1] if tells else self._found
        end = self._window[1]
        if last is not None and last + 1 < end:
            self._window = (last + 1, end)
            return []
        if self._found is not None:
            self._window = None
            return [self._found]
        self._look_back(self._low, 4 * (self._next - self._low))
        return []

    def _own(self, key: bytes | None, value: bytes | None) -> GroupRecord | None:
        # Most records are other groups', so they are skipped before they are decoded.
        if key is None or key[4 : 4 + len(self._group)] != self._group:
            return None
        try:
            record = decode(key, value)
        except UnreadableRecord as error:
            log.debug("a record of the group was passed over: %s", error)
            return None
        return record if record.group.encode("utf-8") == self._group else None


def _records(data: Any) -> Iterator[tuple[int, float, bytes | None, bytes | None]]:
    """Yield (offset, Unix time in seconds, key, value) of fetched records; a batch cut off at the end is left out."""
    if not data:
        return
    batches = MemoryRecords(bytes(data))
    while batches.has_next():
        batch = batches.next_batch()
        if batch is None:
            return
        if getattr(batch, "is_control_batch", False):
            continue
        for record in batch:
            yield record.offset, record.timestamp / 1000, record.key, record.value


_CONSUMER_DESCRIBE = 69
_MOVING = {
    kafka.errors.CoordinatorLoadInProgressError.errno,
    kafka.errors.CoordinatorNotAvailableError.errno,
    kafka.errors.NotCoordinatorError.errno,
}
_BROKER = 4
_SESSION = "group.consumer.session.timeout.ms"
_SECONDS = 1.0
_PATIENCE = 0.3


class GroupCoordinator:
    """Asks the coordinator of one group; for one thread.

    :param log_tail: returns the last lines of a broker's log, by its id and their number; "" when it cannot be read.
    """

    def __init__(self, bootstrap_servers: str, group: str, log_tail: Callable[[int, int], str] | None = None) -> None:
        self._connections = Connections(bootstrap_servers)
        self._group = group
        self._log_tail = log_tail
        self._broker: int | None = None
        self._partition = 0
        self._tail: GroupTail | None = None
        self._kind = ""
        self._session: float | None = None

    def look(self) -> tuple[Look, list[tuple[float, GroupRecord]]]:
        """Return the group now, and its new records since the last look, as (Unix time in seconds, record).

        A group that does not exist has the state Dead.

        :raises NoAnswer: no broker can speak for the group at the moment.
        """
        if self._broker is None and not self._find():
            return Look(time.time(), Group(self._group, "Dead", None)), []
        assert self._broker is not None
        broker = self._broker
        kinds = [self._kind] if self._kind else ["classic", "consumer"]
        if not self._kind and not self._newer(broker):
            kinds = ["classic"]
        tail = self._tail = self._tail or GroupTail(self._group, self._partition)
        asked = [(broker, _description(kind, self._group)) for kind in kinds] + [(broker, tail.request())]
        *answers, records = self._connections.ask(asked, _SECONDS)
        at = time.time()
        try:
            for answer in (*answers, records):
                if isinstance(answer, NoAnswer):
                    raise answer
            new = tail.answered(records)
            found, epoch = self._described(broker, dict(zip(kinds, answers, strict=True)))
        except NoAnswer:
            # Another broker may coordinate it by now.
            self._broker = self._tail = None
            raise
        return Look(at, found or Group(self._group, "Dead", broker), epoch), new

    def session(self) -> float | None:
        """Return the seconds of silence after which a member of the newer protocol is dead, as its broker decides."""
        if self._session is None and self._broker is not None:
            resource = DescribeConfigsRequest.DescribeConfigsResource
            asked = resource(resource_type=_BROKER, resource_name=str(self._broker), configuration_keys=[_SESSION])
            answer = self._connections.ask([(self._broker, DescribeConfigsRequest(resources=[asked]))], _SECONDS)[0]
            if not isinstance(answer, NoAnswer):
                values = [c.value for r in answer.results for c in r.configs if c.name == _SESSION]
                self._session = int(values[0]) / 1000 if values and values[0] else None
        return self._session

    def why_gone(self, member_id: str) -> Reason | None:
        """Return why a member is gone, if the log of its coordinator can be read and says so."""
        if self._log_tail is None or self._broker is None:
            return None
        return why_gone(self._log_tail(self._broker, LINES), member_id)

    def close(self) -> None:
        """Close the connections; the next look opens them again."""
        self._connections.close()
        self._broker = self._tail = None

    def _find(self) -> bool:
        """Find the group's coordinator, the leader of its partition; return False if no group has ever existed."""
        topic = MetadataRequest.MetadataRequestTopic(name=OFFSETS_TOPIC)

        def request() -> Any:
            return MetadataRequest(topics=[topic], allow_auto_topic_creation=False)

        nodes = self._connections.bootstrap_nodes()
        found = self._connections.first(nodes, request, lambda _, m: bool(m.brokers), _PATIENCE, _SECONDS)
        if isinstance(found, dict):
            raise NoAnswer("no broker could name the coordinator of the group")
        metadata = found[1]
        self._connections.learn(metadata)
        partitions = [p for t in metadata.topics for p in t.partitions]
        if not partitions:
            return False
        self._partition = partition_of(self._group, len(partitions))
        leader = next((p.leader_id for p in partitions if p.partition_index == self._partition), -1)
        if leader < 0:
            raise NoAnswer("the group's partition has no leader, so it has no coordinator")
        self._broker = leader
        return True

    def _newer(self, broker: int) -> bool:
        try:
            return self._connections.supports(broker, _CONSUMER_DESCRIBE)
        except Exception:
            return False  # not connected yet: the group is asked as a classic one this time

    def _described(self, broker: int, answers: dict[str, Any]) -> tuple[Group | None, int | None]:
        for kind, answer in answers.items():
            for told in answer.groups:
                if told.error_code in _MOVING:
                    raise NoAnswer("the group's coordinator is changing")
            read = classic_groups if kind == "classic" else consumer_groups
            group = next((g for _, g in read(broker, answer) if g is not None), None)
            if group is not None:
                self._kind = kind
                return group, answer.groups[0].group_epoch if kind == "consumer" else None
        # The group may come back as one of the other kind.
        self._kind = ""
        return None, None


def _description(kind: str, group: str) -> Any:
    if kind == "consumer":
        return ConsumerGroupDescribeRequest(group_ids=[group], include_authorized_operations=False)
    return DescribeGroupsRequest(groups=[group], include_authorized_operations=False)
