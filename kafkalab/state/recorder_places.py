"""How far each partition was read while it is recorded, and what of it is read next: pure, without a network."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from kafkalab.state.model import Partition, Snapshot

#: How many records of each partition are recorded as they were at the beginning.
FIRST = 100
#: How many are still read when more come than a recording takes; fewer each time in a row.
NEWEST = 64
#: For so many looks after its high watermark moved a partition is asked for what is beyond it; all are, now and then.
LIVELY, ALL_EVERY = 20, 4
#: No more partitions than these are recorded.
MOST = 600

#: Topic and partition.
Pair = tuple[str, int]


@dataclass(slots=True)
class Place:
    """A partition: its leader and epoch, what it holds, and ``at``, the offset that is read next."""

    leader: int | None
    epoch: int | None
    start: int
    high: int
    at: int
    #: Looks since its high watermark moved.
    calm: int = 0
    #: Looks in a row at which more was there than could be read.
    flooded: int = 0
    #: When its last fact was, for none may be put before it.
    told_at: float = 0.0

    def learn(self, p: Partition) -> None:
        """Take in what a snapshot says of it."""
        if p.leader is not None and (p.leader, p.leader_epoch) != (self.leader, self.epoch):
            # What was not committed under the old leader may be other records under the new one.
            self.at = min(self.at, self.high)
            self.epoch = p.leader_epoch
        self.leader = p.leader
        if p.start is None or p.end is None:
            return
        if p.end < self.high:
            # An unclean election, or another topic of the same name.
            self.at = max(p.start, min(self.at, p.end - FIRST))
        self.calm = 0 if p.end != self.high else self.calm + 1
        self.start, self.high = p.start, p.end
        self.at = max(self.at, p.start)

    @property
    def behind(self) -> int:
        """How many committed offsets are to be read still."""
        return max(0, self.high - self.at)

    def skip(self) -> tuple[int, int] | None:
        """More is there than can be read: leave out all but the newest; returns (from, to) of what is left out."""
        newest = max(1, NEWEST >> self.flooded)
        self.flooded += 1
        return self._leave(self.high - newest)

    def skip_all(self) -> tuple[int, int] | None:
        """Leave out all up to the high watermark."""
        return self._leave(self.high)

    def _leave(self, to: int) -> tuple[int, int] | None:
        if to <= self.at:
            return None
        begin, self.at = self.at, to
        return begin, to


class Places:
    """Every partition that is recorded.

    :param topics: the names of the topics; None: all but Kafka's own.
    """

    def __init__(self, topics: Collection[str] | None = None) -> None:
        self._topics = None if topics is None else frozenset(topics)
        self._places: dict[Pair, Place] = {}
        self._looks = 0

    def __getitem__(self, pair: Pair) -> Place:
        return self._places[pair]

    def __iter__(self) -> Iterator[Pair]:
        return iter(tuple(self._places))

    def learn(self, snapshot: Snapshot) -> None:
        """Take in a snapshot: leaders, ends, topics that are new or gone."""
        self._looks += 1
        seen: dict[Pair, Place] = {}
        for topic in snapshot.topics:
            if topic.name not in self._topics if self._topics is not None else topic.internal:
                continue
            for p in topic.partitions:
                if len(seen) >= MOST:
                    break
                pair = (p.topic, p.partition)
                place = self._places.get(pair)
                if place is None:
                    if p.start is None or p.end is None or p.leader is None:
                        continue  # where it begins is known as soon as its leader answers
                    place = Place(p.leader, p.leader_epoch, p.start, p.end, max(p.start, p.end - FIRST))
                else:
                    place.learn(p)
                seen[pair] = place
        self._places = seen

    def due(self) -> dict[int, list[Pair]]:
        """Leader → the partitions to ask it for now, the one that waits for longest first."""
        every = self._looks % ALL_EVERY == 1
        found: dict[int, list[Pair]] = {}
        for pair, place in sorted(self._places.items(), key=lambda item: item[1].told_at):
            if place.leader is not None and (place.behind or place.calm < LIVELY or every):
                found.setdefault(place.leader, []).append(pair)
        return found
