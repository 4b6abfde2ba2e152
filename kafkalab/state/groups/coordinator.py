"""GroupCoordinator: asks one group's coordinator, and no other broker, for the group's state and generations."""

from __future__ import annotations

import logging
import re
import struct
import threading
import time
from collections.abc import Callable
from typing import Any
from weakref import WeakKeyDictionary

import kafka.errors
from kafka.protocol.api_data import ApiData

from kafkalab.errors import KafkalabError
from kafkalab.state.connections import Connections, NoAnswer, fetch_request, offsets_request
from kafkalab.state.groups.describe import SCHEMAS, described, description
from kafkalab.state.groups.history import Look
from kafkalab.state.groups.trace import Asks, GroupTrace, Reason
from kafkalab.state.log.batch import Batch, UnreadableBatch, whole_batches
from kafkalab.state.model import Group
from kafkalab.state.watch import Source, Watcher

log = logging.getLogger(__name__)

# --- The source for a group of a model in memory.


class GroupInSnapshots(Asks):
    """Looks at a group of a cluster that is only a model in memory, without a coordinator and without logs.

    :param snapshot: returns a snapshot, quickly.
    """

    def __init__(self, snapshot: Callable[[], Any], group: str) -> None:
        self._snapshot = snapshot
        self._group = group

    def look(self) -> Look:
        """Return the group in a new snapshot."""
        try:
            snapshot = self._snapshot()
        except KafkalabError as error:
            raise NoAnswer(str(error)) from error
        return Look(snapshot.at, snapshot.group(self._group) or Group(self._group, "Dead", None))


# --- The records of ``__consumer_offsets``, in which a coordinator keeps its groups; the next one reads them there.
#
# Kafka's own definitions decode them. Only generations are read here: a group's description does not tell them.


OFFSETS_TOPIC = "__consumer_offsets"
_GROUP_METADATA = 2


@classmethod  # type: ignore[misc]
def _as_data(cls: type, definition: dict[str, Any]) -> dict[str, Any]:
    # Kafka 4 has names of its own for what these are.
    return {**definition, "type": "data"}


class GroupMetadataKey(ApiData, load_json=SCHEMAS):  # type: ignore[misc, call-arg]
    """The key of a record about a classic group: its id."""

    json_patch = _as_data


class GroupMetadataValue(ApiData, load_json=SCHEMAS):  # type: ignore[misc, call-arg]
    """A generation of a classic group: its number, its protocol, and what each member was assigned."""

    json_patch = _as_data


def generation(group: str, key: bytes | None, value: bytes | None) -> Any:
    """Return the generation of a group (a GroupMetadataValue) that a record tells; None for every other record."""
    if key is None or value is None or int.from_bytes(key[:2]) != _GROUP_METADATA:
        return None
    try:
        if GroupMetadataKey.decode(key, version=0, header=True).group != group:
            return None
        return GroupMetadataValue.decode(value)
    except Exception:
        return None  # it is cut short, or of a version that Kafka 4.3 does not write: kafka-python raises many kinds


def partition_of(group: str, partitions: int) -> int:
    """Return the partition that holds a group's records; the broker that leads it is the group's coordinator.

    It is Java's hash of the id, made positive, modulo the number of partitions (50, unless the cluster says otherwise).
    """
    hash = 0
    for (unit,) in struct.iter_unpack(">H", group.encode("utf-16-be", "surrogatepass")):
        hash = (31 * hash + unit) & 0xFFFFFFFF
    signed = hash - (1 << 32) if hash >= 1 << 31 else hash
    # Kafka counts the one number whose positive counterpart does not fit as 0.
    return (0 if signed == -(1 << 31) else abs(signed)) % partitions


#: Maximum bytes that one fetch brings.
_FETCH_BYTES = 512 * 1024
#: Number of offsets before the end in which the group's newest generation is looked for.
LOOKED_BACK = 10_000
_OUT_OF_RANGE = 1


class GroupTail:
    """Reads one group's generations from its partition, a request at a time: see :meth:`request`, :meth:`answered`.

    It first looks for the newest one among the last records, and then follows the end.
    """

    def __init__(self, group: str, partition: int) -> None:
        self._group = group
        self._partition = partition
        #: Where reading goes on; None before the end of the log is known. And where the end was then.
        self._next: int | None = None
        self._end = 0
        self._newest: tuple[float, Any] | None = None

    def request(self) -> Any:
        """Return the next question for the leader of the partition, which is the group's coordinator."""
        if self._next is None:
            return offsets_request({OFFSETS_TOPIC: [self._partition]})
        return fetch_request({OFFSETS_TOPIC: {self._partition: self._next}}, _FETCH_BYTES)

    def answered(self, answer: Any) -> list[tuple[float, Any]]:
        """Take in an answer; return the generations in it, oldest first, as (Unix time in seconds, generation).

        :raises NoAnswer: the broker does not lead the partition any more.
        """
        (part,) = (answer.topics if self._next is None else answer.responses)[0].partitions
        if part.error_code and (self._next is None or part.error_code != _OUT_OF_RANGE):
            raise NoAnswer("does not lead the group's partition any more")
        if self._next is None:
            self._end = part.offset
            self._next = max(0, self._end - LOOKED_BACK)
            return []
        if part.error_code:
            # The beginning of the log was deleted; or its end was, and it is begun anew.
            self._next = part.log_start_offset if part.log_start_offset > self._next else None
            return []
        begun = self._next
        found: list[tuple[float, Any]] = []
        try:
            for batch in whole_batches(bytes(part.records or b"")):
                self._next = batch.header.last_offset + 1
                found += self._generations(batch, begun)
        except UnreadableBatch as error:
            # Behind a batch that cannot be read the others are asked for again; behind one without an end, the newest.
            log.warning("%s, partition %d: a batch is skipped. %s", OFFSETS_TOPIC, self._partition, error.what)
            self._next = part.high_watermark if self._next == begun else self._next
        if begun >= self._end:
            return found
        self._newest = found[-1] if found else self._newest
        if begun < self._next < self._end:
            return []
        self._end = 0
        return [self._newest] if self._newest else []

    def _generations(self, batch: Batch, begun: int) -> list[tuple[float, Any]]:
        records = () if batch.header.control else batch.records
        told = ((r, generation(self._group, r.key.of(batch.section), r.value.of(batch.section))) for r in records)
        return [(batch.timestamp(r) / 1000, value) for r, value in told if r.offset >= begun and value is not None]


# --- Why a member is gone, from its coordinator's log: the protocol does not tell it.


#: Number of lines of a broker's log that are searched.
LINES = 300
# The wording of Kafka 3.9 and 4.x, for classic groups and those of the newer protocol.
_DIED = re.compile(
    r"has failed, removing it|on heartbeat expiration|session (?:timeout )?expired|fenced from the group"
)
_LEFT = re.compile(r"has left group|left the consumer group|on LeaveGroup|explicit `LeaveGroup`")
_SAID = re.compile(r"client reason: (?!not provided)(?P<said>.*?)\)?\.? \([\w.]+\)$")


def why_gone(log: str, member_id: str) -> Reason | None:
    """Return the reason in the newest line about this member's end; None when there is no such line.

    :param log: the last lines of the coordinator's log.
    """
    for line in reversed(log.splitlines()):
        # The id ends with a uuid, or is one: no other member's id holds it.
        if member_id not in line:
            continue
        if _DIED.search(line):
            return Reason("died", "")
        if _LEFT.search(line):
            said = _SAID.search(line)
            return Reason("left", said["said"] if said else "")
    return None


_CONSUMER_DESCRIBE = 69
_MOVING = {
    kafka.errors.CoordinatorLoadInProgressError.errno,
    kafka.errors.CoordinatorNotAvailableError.errno,
    kafka.errors.NotCoordinatorError.errno,
}
_SECONDS = 1.0


class GroupCoordinator:
    """Asks the coordinator of one group; for one thread.

    :param log_tail: returns the last lines of a broker's log, by its id and their number; "" when it cannot be read.
    """

    def __init__(self, bootstrap_servers: str, group: str, log_tail: Callable[[int, int], str]) -> None:
        self._connections = Connections(bootstrap_servers)
        self._group = group
        self._log_tail = log_tail
        self._broker: int | None = None
        self._tail = GroupTail(group, 0)
        self._kind = ""

    def look(self) -> Look:
        """Return the group now, and its new generations since the last look; a group that does not exist is Dead.

        :raises NoAnswer: no broker can speak for the group at the moment.
        """
        if self._broker is None and not self._find():
            return Look(time.time(), Group(self._group, "Dead", None))
        assert self._broker is not None
        broker = self._broker
        kinds = [self._kind] if self._kind else ["classic", *["consumer"] * self._newer(broker)]
        questions = [(broker, description(kind, [self._group])) for kind in kinds]
        *answers, records = self._connections.ask([*questions, (broker, self._tail.request())], _SECONDS)
        at = time.time()
        try:
            if none := next((a for a in (*answers, records) if isinstance(a, NoAnswer)), None):
                raise none
            written = self._tail.answered(records)
            found, epoch = self._described(broker, dict(zip(kinds, answers, strict=True)))
        except NoAnswer:
            self._broker = None  # another broker may coordinate it by now
            raise
        return Look(at, found or Group(self._group, "Dead", broker), epoch, tuple(written))

    def why_gone(self, member_id: str) -> Reason | None:
        """Return why a member is gone, if the log of its coordinator can be read and says so."""
        return None if self._broker is None else why_gone(self._log_tail(self._broker, LINES), member_id)

    def close(self) -> None:
        """Close the connections; the next look opens them again."""
        self._connections.close()
        self._broker = None

    def _find(self) -> bool:
        """Find the group's coordinator, the leader of its partition; return False if no group has ever existed."""
        metadata = self._connections.metadata(OFFSETS_TOPIC, _SECONDS)
        leaders = {p.partition_index: p.leader_id for t in metadata.topics for p in t.partitions}
        if not leaders:
            return False
        partition = partition_of(self._group, len(leaders))
        if leaders.get(partition, -1) < 0:
            raise NoAnswer("the group's partition has no leader, so it has no coordinator")
        self._broker, self._tail = leaders[partition], GroupTail(self._group, partition)
        return True

    def _newer(self, broker: int) -> bool:
        try:
            return self._connections.supports(broker, _CONSUMER_DESCRIBE)
        except Exception:
            return False  # not connected yet: the group is asked as a classic one this time

    def _described(self, broker: int, answers: dict[str, Any]) -> tuple[Group | None, int | None]:
        for kind, answer in answers.items():
            if any(told.error_code in _MOVING for told in answer.groups):
                raise NoAnswer("the group's coordinator is changing")
            group = next((g for _, g in described(kind, broker, answer) if g is not None), None)
            if group is not None:
                self._kind = kind
                return group, answer.groups[0].group_epoch if kind == "consumer" else None
        # The group may come back as one of the other kind.
        self._kind = ""
        return None, None


_traces: WeakKeyDictionary[Watcher, dict[str, GroupTrace]] = WeakKeyDictionary()
_making = threading.Lock()


def trace_of(cluster: Source, group: str) -> GroupTrace:
    """Return the trace of a group, which all that look at this cluster share."""
    with _making:
        traces = _traces.setdefault(cluster.watcher(), {})
        if group not in traces:
            traces[group] = GroupTrace(_source(cluster, group), group)
        return traces[group]


def _source(cluster: Source, group: str) -> Asks:
    if not cluster.capabilities.clients:
        return GroupInSnapshots(cluster.snapshot, group)
    return GroupCoordinator(
        cluster.bootstrap_servers, group, lambda broker, lines: cluster.log_tail(f"broker-{broker}", lines)
    )
