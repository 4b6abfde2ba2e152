"""Doubt: what brokers say while they start, and is not what the cluster is."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping

#: How long brokers that know no topics, or fewer, are not believed, seconds.
LONGEST_DOUBT = 10.0


class Doubt:
    """Compares what a broker answers with what was seen of the cluster last.

    A broker that has just started may know no brokers. After a controller of ZooKeeper's has started, brokers are told
    of each other first and of the topics later: of those with a replica on a broker that is up, and a moment after that
    of the rest. So topics do not vanish all at once along with other changes; nor, along with the controller, those
    that lie on brokers that are away.

    :param clock: seconds that only grow.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._topics: dict[str, frozenset[int]] = {}
        self._seen: tuple[int | None, frozenset[int]] = (None, frozenset())
        self._calm = False
        self._since: float | None = None

    def saw(self, controller: int | None, brokers: Collection[int], topics: Mapping[str, Collection[int]]) -> None:
        """Remember what was believed. ``topics``: name → every broker with a replica of it; ``controller``: None where
        brokers do not know it, as in KRaft, where each tells of all topics or of none."""
        self._seen, self._calm = (controller, frozenset(brokers)), True
        self._topics = {name: frozenset(replicas) for name, replicas in topics.items()}

    def lost_sight(self) -> None:
        """Nobody answered: whatever is seen next, more may have changed than that."""
        self._calm = False

    def credible(self, controller: int | None, brokers: Collection[int], topics: Collection[str]) -> bool:
        """Whether such an answer can be what the cluster is."""
        if not brokers:
            return False
        gone = [replicas for name, replicas in self._topics.items() if name not in topics]
        if self._topics and not topics:
            doubted = not self._calm or (controller, frozenset(brokers)) != self._seen
        else:
            anew = controller is not None and not (self._calm and controller == self._seen[0])
            doubted = anew and any(replicas.isdisjoint(brokers) for replicas in gone)
        if not doubted:
            self._since = None
            return True
        now = self._clock()
        if self._since is None:
            self._since = now
        return now - self._since > LONGEST_DOUBT

    @property
    def going_on(self) -> bool:
        """Whether brokers answered and were not believed yet: soon they will be."""
        # A little longer than the doubt itself: the next capture is the one that believes.
        return self._since is not None and self._clock() - self._since <= LONGEST_DOUBT + 1
