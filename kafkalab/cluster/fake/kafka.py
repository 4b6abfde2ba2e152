"""The fake's partitions: Kafka's rules for brokers that come and go, as pure functions of frozen data. Nothing is real.

There is no time: what a cluster does once a session has timed out, or a follower has caught up, is done at once. With
ZooKeeper the last replica in sync stays in the ISR of a partition without a leader. In KRaft it leaves the ISR too and
becomes *eligible* (KIP-966, on in every new cluster since Kafka 4.1): replicas that fell out of an ISR smaller than
``min.insync.replicas`` may still lead, because nothing was committed without them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

# --- The log of one replica in the fake, as batches that each point to the batch before.
#
# A follower that has caught up holds the leader's own object, so copying a log costs nothing. To truncate a log is to
# take an older object.


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Log:
    """A log up to ``end``, the offset of its next record; ``epoch``: the leader epoch of its last batch."""

    end: int = 0
    epoch: int = -1
    before: Log | None = None

    def append(self, count: int, epoch: int) -> Log:
        """Return the log with ``count`` more records."""
        return Log(self.end + count, epoch, self)

    def holds(self, offset: int, epoch: int) -> bool:
        """Return whether the record at that offset was written by the leader of that epoch."""
        log = self
        while log.before is not None:
            if log.before.end <= offset:
                return offset < log.end and log.epoch == epoch
            log = log.before
        return False

    def __repr__(self) -> str:
        return f"<Log up to {self.end}, epoch {self.epoch}>"


EMPTY = Log()


@dataclass(frozen=True, slots=True)
class FakePartition:
    """One partition: its metadata in the cluster, and the log of each replica.

    ``eligible_rule``: whether the cluster has eligible leaders (KRaft). ``eligible``: those brokers. ``last_leader``:
    the leader when the ISR became empty. ``high``: the high watermark. ``start``: the log start offset.
    """

    topic: str
    partition: int
    replicas: tuple[int, ...]
    leader: int | None
    isr: tuple[int, ...]
    epoch: int = 0
    start: int = 0
    high: int = 0
    min_isr: int = 1
    eligible_rule: bool = False
    eligible: tuple[int, ...] = ()
    last_leader: int | None = None
    logs: Mapping[int, Log] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The topic and the number, as Kafka writes them: ``trucks_gps-3``."""
        return f"{self.topic}-{self.partition}"

    @property
    def needed(self) -> int:
        """Number of in-sync replicas that a commit needs: min.insync.replicas, or all replicas if there are fewer."""
        return min(self.min_isr, len(self.replicas))

    def log(self, broker: int) -> Log:
        """Return the log of the replica on that broker."""
        return self.logs.get(broker, EMPTY)


def created(
    topic: str, partition: int, replicas: Iterable[int], registered: Collection[int], min_isr: int, kraft: bool
) -> FakePartition:
    """Return a new partition: every replica on a registered broker is in sync, and the first of them leads."""
    held = tuple(replicas)
    isr = tuple(b for b in held if b in registered)
    return FakePartition(topic, partition, held, isr[0] if isr else None, isr, min_isr=min_isr, eligible_rule=kraft)


def settled(
    p: FakePartition, registered: Collection[int], answering: Collection[int], can_change: bool
) -> FakePartition:
    """Return the partition after every broker and the controller have done all that is to be done.

    :param registered: the brokers that are registered in the cluster.
    :param answering: the brokers that run and can be reached; a follower among them fetches from a leader among them.
    :param can_change: whether a controller can write metadata; if not, leaders and ISR stay as they are.
    """
    if can_change:
        before = p
        p = elected(_without(p, [b for b in p.replicas if b not in registered]), registered)
        if not p.eligible_rule and p.isr != before.isr:
            # With ZooKeeper the controller also raises the epoch when it only removes a replica from the ISR.
            p = replace(p, epoch=before.epoch + 1)
    p = fetched(p, answering)
    if can_change:
        p = _joined(p, registered)
    return raised(p)


def _without(p: FakePartition, gone: Collection[int]) -> FakePartition:
    """Return the partition without the ``gone`` brokers in its ISR; with ZooKeeper the last one stays."""
    isr = tuple(b for b in p.isr if b not in gone)
    if isr == p.isr:
        return p
    if not p.eligible_rule:
        return replace(p, isr=isr or tuple(b for b in p.isr if b == p.leader) or p.isr[-1:])
    left = tuple(b for b in p.isr if b in gone)
    last = p.last_leader if isr or p.leader is None else p.leader
    return _judged(replace(p, isr=isr, eligible=(*p.eligible, *left), last_leader=last))


def restarted_uncleanly(p: FakePartition, broker: int) -> FakePartition:
    """Return the partition after a killed broker is back: KRaft does not trust it, as its disk may lack records."""
    if not p.eligible_rule or broker not in (*p.isr, *p.eligible):
        return p
    isr = tuple(b for b in p.isr if b != broker)
    last = p.last_leader if isr or p.leader is None else p.leader
    eligible = tuple(b for b in p.eligible if b != broker)
    return _judged(replace(p, isr=isr, eligible=eligible, last_leader=last))


def _judged(p: FakePartition) -> FakePartition:
    """Return the partition without eligible replicas if the ISR is large enough: then only its members may lead."""
    if len(p.isr) >= p.needed:
        return replace(p, eligible=(), last_leader=None)
    return p


def elected(p: FakePartition, registered: Collection[int]) -> FakePartition:
    """Return the partition with a new leader if the old one is gone: the first in-sync replica, else eligible one."""
    if p.leader in p.isr and p.leader in registered:
        return p
    able = [b for b in p.replicas if b in registered]
    first = [b for b in able if b in p.isr] or [b for b in able if b in p.eligible]
    if not first and not p.isr and not p.eligible:
        first = [b for b in able if b == p.last_leader]
    if not first:
        return p if p.leader is None else replace(p, leader=None, epoch=p.epoch + 1)
    leader = first[0]
    if leader in p.isr:
        return replace(p, leader=leader, epoch=p.epoch + 1)
    left = tuple(b for b in p.eligible if b != leader)
    return _judged(replace(p, leader=leader, epoch=p.epoch + 1, isr=(leader,), eligible=left))


def fetched(p: FakePartition, answering: Collection[int]) -> FakePartition:
    """Return the partition after the followers that reach the leader copied its log, and cut off all that differs."""
    if p.leader is None or p.leader not in answering:
        return p
    log = p.log(p.leader)
    if all(p.log(b) is log for b in p.replicas if b in answering):
        return p
    return replace(p, logs={**p.logs, **{b: log for b in p.replicas if b in answering}})


def _joined(p: FakePartition, registered: Collection[int]) -> FakePartition:
    """Return the partition with all replicas in the ISR that have caught up with the leader."""
    if p.leader is None:
        return p
    back = [b for b in p.replicas if b in registered and b not in p.isr and p.log(b) is p.log(p.leader)]
    if not back:
        return p
    isr = tuple(sorted((*p.isr, *back))) if p.eligible_rule else (*p.isr, *back)
    return _judged(replace(p, isr=isr, eligible=tuple(b for b in p.eligible if b not in back)))


def raised(p: FakePartition) -> FakePartition:
    """Return the partition with the high watermark at what all in the ISR hold; it stays while the ISR is too small."""
    if p.leader is None or len(p.isr) < p.needed:
        return p
    high = min(p.log(b).end for b in p.isr)
    return replace(p, high=high) if high > p.high else p


def appended(p: FakePartition, count: int) -> FakePartition:
    """Return the partition with ``count`` more records in the leader's log, which no follower has fetched yet."""
    assert p.leader is not None
    return raised(replace(p, logs={**p.logs, p.leader: p.log(p.leader).append(count, p.epoch)}))


def preferred(p: FakePartition, registered: Collection[int]) -> FakePartition:
    """Return the partition after a preferred leader election: the first replica leads, if it is in sync."""
    first = p.replicas[0]
    if p.leader in (None, first) or first not in p.isr or first not in registered:
        return p
    return replace(p, leader=first, epoch=p.epoch + 1)


def moved(p: FakePartition, replicas: Iterable[int], registered: Collection[int]) -> FakePartition:
    """Return the partition on other brokers, after those have copied it and the old ones have dropped it."""
    held = tuple(replicas)
    assert p.leader is not None
    log = p.log(p.leader)
    isr = tuple(b for b in held if b in registered)
    logs = {b: log if b in registered else p.log(b) for b in held}
    at = replace(p, replicas=held, isr=isr, logs=logs, eligible=(), last_leader=None)
    return at if p.leader in isr else replace(at, leader=isr[0], epoch=p.epoch + 1)


# --- Placement of a new topic's partitions: Kafka's own round robin, from a fixed start, not a random one.


def place(
    brokers: Sequence[int], partitions: int, replication: int, racks: Mapping[int, str | None]
) -> tuple[tuple[int, ...], ...]:
    """Return the replicas of each partition, the preferred leader first.

    Leaders go round the brokers. With each round the followers shift by one more, so that the partitions of one leader
    do not all have the same followers. If every broker has a rack, a partition is spread over as many racks as it can.
    """
    spread = all(racks.get(b) is not None for b in brokers)
    ring = _alternated(brokers, racks) if spread else tuple(sorted(brokers))
    count = len({racks[b] for b in brokers}) if spread else 1
    return tuple(
        _replicas(ring, partition, replication, racks if spread else {}, count) for partition in range(partitions)
    )


def _replicas(
    ring: Sequence[int], partition: int, replication: int, racks: Mapping[int, str | None], count: int
) -> tuple[int, ...]:
    size = len(ring)
    first, shift = partition % size, partition // size * count
    held, step = [ring[first]], 0
    while len(held) < replication:
        # Kafka's formula: the followers are the leader's neighbours, and the first of them moves on with the shift.
        broker = ring[(first + 1 + (shift + step) % (size - 1)) % size]
        step += 1
        here = {racks.get(b) for b in held}
        if broker not in held and (not racks or racks[broker] not in here or len(here) == count):
            held.append(broker)
    return tuple(held)


def _alternated(brokers: Sequence[int], racks: Mapping[int, str | None]) -> tuple[int, ...]:
    """Return the brokers in an order in which neighbours are in different racks where possible."""
    rows = [sorted(b for b in brokers if racks[b] == rack) for rack in sorted({str(racks[b]) for b in brokers})]
    turns = max(map(len, rows))
    return tuple(row[i] for i in range(turns) for row in rows if i < len(row))
