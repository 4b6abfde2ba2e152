"""Events → the lines of "what happened": with the time since the learner's last action, and crowds summed up.

A broker that dies changes the leader or the ISR of every partition it held, all in one snapshot. Told one by one, these
would push what caused them out of sight; so more than three of a kind in one moment become one line, with them inside.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

from kafkalab.state.event import Event
from kafkalab.state.group_changes import spans
from kafkalab.views.cluster_drawn import brief

#: How many lines are kept; the watcher keeps more events.
KEPT = 200
#: So many events of one kind and moment are told one by one; more become one line.
CROWD = 3
#: So many sentences are kept inside such a line.
PARTS = 60
#: A sentence may name a group, whose id may be 32 kB long; so many characters of it are kept.
LONGEST = 2000

Line = dict[str, Any]

# kind → (what is said when one broker is what they share, what is said otherwise)
_SUMMED = {
    "leader_moved": (
        "{n} partitions have another leader: {broker} leads {which}",
        "{n} partitions have another leader",
    ),
    "leader_elected": (
        "{n} partitions have a leader again: {broker} leads {which}",
        "{n} partitions have a leader again",
    ),
    "leader_lost": ("{n} partitions lost their leader {broker}: {which}", "{n} partitions have no leader: {which}"),
    "isr_shrank": ("{broker} left the ISR of {n} partitions: {which}", "the ISR of {n} partitions shrank: {which}"),
    "isr_grew": ("{broker} is back in the ISR of {n} partitions: {which}", "the ISR of {n} partitions grew: {which}"),
    "isr_changed": ("the ISR of {n} partitions changed: {which}", "the ISR of {n} partitions changed: {which}"),
}


class EventLines:
    """A bounded, growing list of lines.

    A line is ``{"n", "at", "since", "kind", "text", "parts"}``: a number that only grows, Unix time, seconds since the
    learner's last action (None before the first), the events' kind, a sentence, and the sentences it sums up.

    :param kept: so many lines.
    """

    def __init__(self, kept: int = KEPT) -> None:
        self._lines: deque[Line] = deque(maxlen=kept)
        self._number = 0
        self._acted: float | None = None

    def add(self, events: Iterable[Event]) -> bool:
        """Append events in their order; whether there was anything to tell."""
        before = self._number
        told = [event for event in events if not event.chatty]
        for (at, kind), crowd in groupby(told, key=lambda event: (event.at, event.kind)):
            if kind == "you":
                self._acted = at
            for text, parts in _sentences(kind, list(crowd)):
                self._number += 1
                since = None if self._acted is None else round(at - self._acted, 3)
                said = {"text": brief(text, LONGEST), "parts": [brief(part, LONGEST) for part in parts]}
                line = {"n": self._number, "at": at, "since": since, "kind": kind, **said}
                self._lines.append(line)
        return self._number > before

    def list(self) -> list[Line]:
        """The lines, oldest first."""
        return list(self._lines)


def _sentences(kind: str, events: Sequence[Event]) -> Iterator[tuple[str, list[str]]]:
    # An event without a partition sums up several by itself.
    crowd, alone = [e for e in events if e.partition is not None], [e for e in events if e.partition is None]
    if kind not in _SUMMED or len(crowd) <= CROWD:
        for event in events:
            yield event.text, []
        return
    for event in alone:
        yield event.text, []
    shared, otherwise = _SUMMED[kind]
    brokers = sorted({event.broker for event in crowd if event.broker is not None})
    common = all(event.broker is not None for event in crowd)
    n = len(crowd)
    if len(brokers) == 1 and common:
        text = shared.format(n=n, broker=brokers[0], which=_which(crowd))
    else:
        text = otherwise.format(n=n, which=_which(crowd))
        if common and kind in ("leader_moved", "leader_elected"):
            by = [f"{b} leads {_which([e for e in crowd if e.broker == b])}" for b in brokers]
            text += ": " + "; ".join(by)
    rest = [f"… and {n - PARTS} more"] if n > PARTS else []
    yield text, [*(event.text for event in crowd[:PARTS]), *rest]


def _which(events: Iterable[Event]) -> str:
    """ "Topic-B P0 P3, trucks_gps P1–P4"."""
    topics: dict[str, list[int]] = {}
    for event in events:
        mine = topics.setdefault(event.topic or "", [])
        if event.partition is not None:
            mine.append(event.partition)
    return ", ".join(f"{topic} {spans(partitions)}".strip() for topic, partitions in topics.items())
