"""Follows one group closely while somebody looks: about ten times a second, its coordinator alone."""

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

# --- A consumer in this process that says itself what it is given and what is taken from it.


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
    """A listener for ``KafkaConsumer.subscribe(topics, listener=…)`` that tells the trace."""
    return _Listener(trace, client)


# --- The reason why a member is gone, from its coordinator's log: the protocol does not tell it.


#: How many lines of a broker's log are looked at.
LINES = 300


class Reason(NamedTuple):
    """``why``: it "died" (nothing was heard of it for its session time-out) or it "left" (it said so).

    ``said`` is the reason that its client gave for leaving, "" where it gave none.
    """

    why: Literal["died", "left"]
    said: str


# The words of Kafka 3.9 and 4.x, classic groups and those of the newer protocol.
_DIED = re.compile(
    r"has failed, removing it|on heartbeat expiration|session (?:timeout )?expired|fenced from the group"
)
_LEFT = re.compile(r"has left group|left the consumer group|on LeaveGroup|explicit `LeaveGroup`")
_SAID = re.compile(r"client reason: (?P<said>.*?)\)?\.? \([\w.]+\)$")


def why_gone(log: str, member_id: str) -> Reason | None:
    """What the newest line on this member's end says; None where there is none.

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
#: The same while nobody follows it but calmly: for so long after something happened, and else.
CALM_MOVING, CALM, CALM_AFTER = 0.25, 0.75, 10.0
#: For how long the reason of a member's end is looked for, seconds: brokers write their logs a little later.
_EXPLAINED_WITHIN = 10.0
#: How often, seconds.
_EXPLAINED_EVERY = 0.3


class Asks(Protocol):
    """What a trace looks through: :class:`~kafkalab.state.groups.coordinator.GroupCoordinator`, or a stand-in."""

    def look(self) -> tuple[Look, list[tuple[float, GroupRecord]]]:
        """The group now, and its records since the last look; NoAnswer where nobody can speak for it."""

    def session(self) -> float | None:
        """Seconds of silence after which a member of a group of the newer protocol counts as dead."""

    def why_gone(self, member_id: str) -> Reason | None:
        """Why a member is gone, if that can be learned."""

    def close(self) -> None:
        """Let go of every connection."""


class GroupTrace(Poller[[]]):
    """The history of one group, filled while somebody listens.

    Its daemon thread starts with the first listener and ends with the last. What happened meanwhile is not known, and
    stands in the history as that.

    :param asks: whom to ask.
    :param period: seconds from look to look.
    """

    def __init__(self, asks: Asks, group: str, period: float = PERIOD) -> None:
        super().__init__(f"kafkalab-trace-{group}")
        self.group = group
        self._asks = asks
        self._period = period
        self._history = GroupHistory(group, period)
        #: How many listeners want it every period.
        self._eager = 0
        self._moved_at = 0.0
        self._unexplained: dict[str, float] = {}
        self._explain_at = 0.0
        self._said = ""

    def __repr__(self) -> str:
        return f"<GroupTrace of {self.group!r}, every {self._period:g} s, {len(self._listeners)} listening>"

    @property
    def version(self) -> tuple[int, ...]:
        """Differs from what it was before whenever something was added to the history."""
        return self._history.size

    def history(self) -> History:
        """What is known so far, as plain JSON; a copy. See :class:`~kafkalab.state.groups.history.GroupHistory`."""
        with self._changed:
            return self._history.to_dict()

    def listener(self, client: str) -> Any:
        """A rebalance listener for a consumer in this process: ``consumer.subscribe(topics, listener=…)``.

        The consumer then says by itself when it was given partitions and when it let go of them, to the millisecond.

        :param client: its client id.
        """

        return listener(self, client)

    def heard(self, client: str, what: str, partitions: Iterable[tuple[str, int]], at: float | None = None) -> None:
        """A member says that it was ``assigned`` partitions, or that they were ``revoked`` or ``lost``."""
        with self._changed:
            self._history.heard(time.time() if at is None else at, client, what, partitions)
        self._notify()

    def note(self, text: str, at: float | None = None) -> None:
        """Put something the learner did beside what happened."""
        with self._changed:
            self._history.noted(time.time() if at is None else at, text)
        self._notify()

    def subscribe(self, listener: Callable[[], object], *, calmly: bool = False) -> Callable[[], None]:
        """Call ``listener`` whenever the history grew; returns a function that ends this.

        :param calmly: a look or two a second are enough; more come while something happens, or for somebody else.
        """
        with self._changed:
            self._eager += not calmly
            # What the history says of its looks holds for the longest that there are.
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
        """Seconds from this look to the next."""
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
        """One look, taken into the history; whether somebody could be asked."""
        try:
            look, records = self._asks.look()
        except NoAnswer as error:
            log.debug("group %s: %s", self.group, error)
            look, records = Look(time.time(), None), []
        except Exception as error:
            # The thread must live: a look that fails in a way nobody thought of is one that nobody answered. Said once,
            # not ten times a second.
            if self._said != repr(error):
                self._said = repr(error)
                log.exception("group %s could not be looked at", self.group)
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
        """Learn why members are gone; whether that brought anything."""
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
    """The one trace of a group that everybody with the same ``key`` shares: a cluster's watcher, for example.

    :param make: makes what the trace asks, if there is no trace yet.
    """
    with _sharing:
        traces = _shared.setdefault(key, {})
        if group not in traces:
            traces[group] = GroupTrace(make(), group)
        return traces[group]
