"""GroupTrace: follows one group closely while it has listeners, asking its coordinator about ten times a second."""

from __future__ import annotations

import logging
import re
import threading
import time
import weakref
from collections.abc import Callable, Iterable
from typing import Any, Literal, NamedTuple, Protocol

from kafka import ConsumerRebalanceListener

from kafkalab.state.connections import NoAnswer
from kafkalab.state.groups.history import GroupHistory, History, Look
from kafkalab.state.groups.offsets_topic import GroupRecord
from kafkalab.state.poller import Poller
from kafkalab.state.watch import pause

# --- Rebalance listener: a consumer in this process reports what it is given and what is taken from it.


class _Listener(ConsumerRebalanceListener):  # type: ignore[misc]
    def __init__(self, trace: GroupTrace, client: str) -> None:
        self._trace = trace
        self._client = client

    def on_partitions_assigned(self, assigned: Iterable[Any]) -> None:
        self._say("assigned", assigned)

    def on_partitions_revoked(self, revoked: Iterable[Any]) -> None:
        self._say("revoked", revoked)

    def on_partitions_lost(self, lost: Iterable[Any]) -> None:
        self._say("lost", lost)

    def _say(self, what: str, partitions: Iterable[Any]) -> None:
        self._trace.heard(self._client, what, sorted((tp.topic, tp.partition) for tp in partitions))


def listener(trace: GroupTrace, client: str) -> ConsumerRebalanceListener:
    """Return a listener for ``KafkaConsumer.subscribe(topics, listener=…)`` that reports to the trace."""
    return _Listener(trace, client)


# --- The reason why a member is gone, from its coordinator's log: the protocol does not tell it.


#: Number of lines of a broker's log that are searched.
LINES = 300


class Reason(NamedTuple):
    """Why a member is gone. ``why``: it "died" (it was silent for its session timeout) or it "left" (it said so).

    ``said`` is the reason that its client gave for leaving, "" where it gave none.
    """

    why: Literal["died", "left"]
    said: str


# The wording of Kafka 3.9 and 4.x, for classic groups and those of the newer protocol.
_DIED = re.compile(
    r"has failed, removing it|on heartbeat expiration|session (?:timeout )?expired|fenced from the group"
)
_LEFT = re.compile(r"has left group|left the consumer group|on LeaveGroup|explicit `LeaveGroup`")
_SAID = re.compile(r"client reason: (?P<said>.*?)\)?\.? \([\w.]+\)$")


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
            words = said["said"] if said else ""
            return Reason("left", "" if words == "not provided" else words)
    return None


log = logging.getLogger(__name__)

#: Seconds from one look to the next.
PERIOD = 0.1
#: Seconds between looks while all listeners are calm: up to CALM_AFTER seconds after a change (CALM_MOVING), then CALM.
CALM_MOVING, CALM, CALM_AFTER = 0.25, 0.75, 10.0
#: Seconds in which the reason of a member's end is looked for: brokers write their logs a little later.
_EXPLAINED_WITHIN = 10.0
#: Seconds between two such tries.
_EXPLAINED_EVERY = 0.3


class Asks(Protocol):
    """The source that a trace asks: :class:`~kafkalab.state.groups.coordinator.GroupCoordinator`, or a stand-in."""

    def look(self) -> tuple[Look, list[tuple[float, GroupRecord]]]:
        """Return the group now, and its records since the last look; NoAnswer when no broker can speak for it."""

    def session(self) -> float | None:
        """Return the seconds of silence after which a member of a group of the newer protocol counts as dead."""

    def why_gone(self, member_id: str) -> Reason | None:
        """Return why a member is gone, if that can be learned."""

    def close(self) -> None:
        """Close every connection."""


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
        self._history = GroupHistory(group, period)
        #: Number of listeners that want a look every period.
        self._eager = 0
        self._moved_at = 0.0
        self._unexplained: dict[str, float] = {}
        self._explain_at = 0.0
        self._said = ""

    def __repr__(self) -> str:
        return f"<GroupTrace of {self.group!r}, every {self._period:g} s, {len(self._listeners)} listening>"

    @property
    def version(self) -> tuple[int, ...]:
        """Numbers that change whenever something is added to the history."""
        return self._history.size

    def history(self) -> History:
        """Return a copy of what is known, as plain JSON. See :class:`~kafkalab.state.groups.history.GroupHistory`."""
        with self._changed:
            return self._history.to_dict()

    def listener(self, client: str) -> Any:
        """Return a rebalance listener for a consumer in this process: ``consumer.subscribe(topics, listener=…)``.

        The consumer then reports itself when it was given partitions and when it let go of them, to the millisecond.

        :param client: the consumer's client id.
        """

        return listener(self, client)

    def heard(self, client: str, what: str, partitions: Iterable[tuple[str, int]], at: float | None = None) -> None:
        """Add a member's report that partitions were ``assigned`` to it, ``revoked`` or ``lost``."""
        with self._changed:
            self._history.heard(time.time() if at is None else at, client, what, partitions)
        self._notify()

    def note(self, text: str, at: float | None = None) -> None:
        """Add something the learner did to the history."""
        with self._changed:
            self._history.noted(time.time() if at is None else at, text)
        self._notify()

    def subscribe(self, listener: Callable[[], object], *, calmly: bool = False) -> Callable[[], None]:
        """Call ``listener`` whenever the history grew; returns a function that ends this.

        :param calmly: one or two looks a second are enough; there are more after a change, or for other listeners.
        """
        with self._changed:
            self._eager += not calmly
            # The history's period is the longest time that may pass between two looks.
            self._history.period = self._period if self._eager else max(CALM, self._period)
        end, ended = super().subscribe(listener), threading.Event()

        def unsubscribe() -> None:
            with self._changed:
                if not ended.is_set():
                    ended.set()
                    self._eager -= not calmly
                    if not self._eager and len(self._listeners) > 1:
                        self._history.period = max(CALM, self._period)
            end()

        return unsubscribe

    def _rest(self) -> float:
        """Return the seconds from this look to the next."""
        if self._eager:
            return self._period
        return max(self._period, CALM_MOVING if time.monotonic() - self._moved_at < CALM_AFTER else CALM)

    def _run(self) -> None:
        failures = 0
        while True:
            with self._changed:
                # Decided under the lock: a listener that comes a moment later finds no thread and starts another.
                if not self._listeners:
                    self._history.unwatched(time.time())
                    self._thread = None
                    break
            begun = time.monotonic()
            failures = 0 if self._look() else failures + 1
            rest = pause(self._rest(), time.monotonic() - begun, failures)
            with self._changed:
                self._changed.wait_for(lambda: not self._listeners, rest)
        self._asks.close()

    def _look(self) -> bool:
        """Take one look and add it to the history; return whether a coordinator could be asked."""
        try:
            look, records = self._asks.look()
        except NoAnswer as error:
            log.debug("group %s: %s", self.group, error)
            look, records = Look(time.time(), None), []
        except Exception as error:
            # The thread must live: a look that fails in an unexpected way counts as one without an answer. It is logged
            # once, not ten times a second.
            if self._said != repr(error):
                self._said = repr(error)
                log.exception("the state of group %s could not be read", self.group)
            look, records = Look(time.time(), None), []
        with self._changed:
            before = self._history.size
            for id in self._history.looked(look):
                self._unexplained[id] = time.monotonic() + _EXPLAINED_WITHIN
            for at, record in records:
                self._numbered(at, record)
            news = self._history.size != before
            if news:
                self._moved_at = time.monotonic()
        if look.group is not None and look.group.type == "consumer" and look.group.members:
            self._sessions(look)
        if self._explain() or news:
            self._notify()
        return look.group is not None

    def _numbered(self, at: float, record: GroupRecord) -> None:
        if record.value is None:
            return
        if record.kind == "GroupMetadata":
            self._history.written(at, record.value)
        elif record.kind == "ConsumerGroupMetadata":
            self._history.numbered(at, record.value["epoch"])

    def _sessions(self, look: Look) -> None:
        assert look.group is not None
        if (seconds := self._asks.session()) is not None:
            with self._changed:
                self._history.sessions({m.member_id: seconds for m in look.group.members})

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


_shared: weakref.WeakKeyDictionary[Any, dict[str, GroupTrace]] = weakref.WeakKeyDictionary()
_sharing = threading.Lock()


def shared(key: object, group: str, make: Callable[[], Asks]) -> GroupTrace:
    """Return the trace of a group that all callers with the same ``key`` share: a cluster's watcher, for example.

    :param make: makes the source that the trace asks, if there is no trace yet.
    """
    with _sharing:
        traces = _shared.setdefault(key, {})
        if group not in traces:
            traces[group] = GroupTrace(make(), group)
        return traces[group]
