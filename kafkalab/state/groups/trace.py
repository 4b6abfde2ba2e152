"""GroupTrace: follows one group closely while it has listeners, asking its coordinator about ten times a second."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable
from typing import Literal, NamedTuple, Protocol

from kafkalab.state.connections import NoAnswer
from kafkalab.state.groups.history import GroupHistory, History, Look
from kafkalab.state.watch import Poller, pause

log = logging.getLogger(__name__)

#: Seconds from one look to the next.
PERIOD = 0.1
#: Seconds in which the reason of a member's end is looked for (brokers write their logs a little later), and from one
#: such try to the next.
_EXPLAINED_WITHIN, _EXPLAINED_EVERY = 10.0, 0.3


class Reason(NamedTuple):
    """Why a member is gone. ``why``: it "died" (it was silent for its session timeout) or it "left" (it said so).

    ``said`` is the reason that its client gave for leaving, "" where it gave none.
    """

    why: Literal["died", "left"]
    said: str


class Asks(Protocol):
    """The source that a trace asks: :class:`~kafkalab.state.groups.coordinator.GroupCoordinator`, or a stand-in."""

    def look(self) -> Look:
        """Return the group now; NoAnswer when no broker can speak for it."""

    def why_gone(self, member_id: str) -> Reason | None:
        """Return why a member is gone, if that can be learned."""
        return None

    def close(self) -> None:
        """Close every connection."""
        return


class GroupTrace(Poller[[]]):
    """The history of one group, filled while there are listeners.

    Its daemon thread starts with the first listener and ends with the last. The history marks the time without
    listeners as unknown.

    :param asks: the source that is asked for the group.
    :param period: seconds between two looks.
    """

    def __init__(self, asks: Asks, group: str, period: float = PERIOD) -> None:
        super().__init__(f"kafkalab-trace-{group}")
        self.group = group
        self._asks = asks
        self._period = period
        self._periods: dict[object, float] = {}
        self._history = GroupHistory(group, period)
        self._unexplained: dict[str, float] = {}
        self._explain_at = 0.0
        self._failures = 0

    @property
    def version(self) -> tuple[int, ...]:
        """Numbers that change whenever something is added to the history."""
        return self._history.size

    def history(self) -> History:
        """Return a copy of what is known, as plain JSON. See :class:`~kafkalab.state.groups.history.GroupHistory`."""
        with self._changed:
            return self._history.to_dict()

    def heard(self, client: str, what: str, partitions: Iterable[tuple[str, int]], at: float | None = None) -> None:
        """Add a member's report that partitions were ``assigned`` to it, ``revoked`` or ``lost``.

        It is exact to the millisecond. A consumer's rebalance listener can call this.
        """
        with self._changed:
            self._history.heard(time.time() if at is None else at, client, what, partitions)
        self._notify()

    def subscribe(self, listener: Callable[[], object], *, period: float | None = None) -> Callable[[], None]:
        """Call ``listener`` whenever the history grew; returns a function that ends this.

        :param period: seconds between two looks that are enough for it; the least patient listener decides.
        """
        token = object()
        with self._changed:
            self._periods[token] = self._period if period is None else period
            self._history.period = min(self._periods.values())
        end = super().subscribe(listener)

        def unsubscribe() -> None:
            with self._changed:
                self._periods.pop(token, None)
                self._history.period = min(self._periods.values(), default=self._history.period)
            end()

        return unsubscribe

    def _run(self) -> None:
        super()._run()
        self._asks.close()

    def _rests(self) -> None:
        self._history.unwatched(time.time())
        self._failures = 0

    def _look(self) -> float:
        """Take one look and add it to the history."""
        begun = time.monotonic()
        try:
            look = self._asks.look()
        except Exception as error:
            # The thread must live: a look that fails in an unexpected way counts as one without an answer.
            if not isinstance(error, NoAnswer):
                self._grumble(self, f"the state of group {self.group} could not be read", error)
            look = Look(time.time(), None)
        with self._changed:
            before = self._history.size
            for id in self._history.looked(look):
                self._unexplained[id] = time.monotonic() + _EXPLAINED_WITHIN
            news = self._history.size != before
        if self._explain() or news:
            self._notify()
        self._failures = self._failures + 1 if look.group is None else 0
        return pause(self._history.period, time.monotonic() - begun, self._failures)

    def _explain(self) -> bool:
        """Find out why members are gone; return whether that brought anything."""
        now = time.monotonic()
        if not self._unexplained or now < self._explain_at:
            return False
        self._explain_at = now + _EXPLAINED_EVERY
        found = {id: self._asks.why_gone(id) for id in self._unexplained}
        with self._changed:
            for id, reason in found.items():
                if reason is not None:
                    self._history.explained(id, reason.why, reason.said)
                if reason is not None or now > self._unexplained[id]:
                    del self._unexplained[id]
        return any(reason is not None for reason in found.values())
