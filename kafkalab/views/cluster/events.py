"""EventLines: the lines of "what happened", with the time since the learner's last action, and crowds summed up.

A broker that dies changes the leader or the ISR of every partition it held, all in one snapshot. A line for each
change would push the cause out of sight. So more than three of a kind at one moment become one line, which contains
them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from kafkalab.state.changes import by_topic
from kafkalab.state.model import Event
from kafkalab.views.cluster.picture import EventLine
from kafkalab.views.words import brief

#: Maximum number of lines that are kept; the watcher keeps more events.
KEPT = 200
#: Maximum number of events of one kind and moment that get a line each; more become one line.
CROWD = 3
#: Maximum number of sentences inside such a line.
PARTS = 60
#: Maximum length of a sentence in characters: it may name a group, whose id may be 32 kB long.
LONGEST = 2000

# kind → the sentence; ``{led}`` says which broker leads what now.
_SUMMED = {
    "leader_moved": "{n} partitions have another leader: {led}",
    "leader_elected": "{n} partitions have a leader again: {led}",
    "leader_lost": "{n} partitions have no leader: {which}",
    "isr_shrank": "the ISR of {n} partitions shrank: {which}",
    "isr_grew": "the ISR of {n} partitions grew: {which}",
    "isr_changed": "the ISR of {n} partitions changed: {which}",
}
# kind → the sentence if all the events are about one broker.
_SUMMED_OF_ONE = {
    "leader_lost": "{n} partitions lost their leader {broker}: {which}",
    "isr_shrank": "{broker} left the ISR of {n} partitions: {which}",
    "isr_grew": "{broker} is back in the ISR of {n} partitions: {which}",
}


class EventLines:
    """A growing list of lines, which drops the oldest ones.

    :param kept: maximum number of lines.
    """

    def __init__(self, kept: int = KEPT) -> None:
        self._lines: deque[EventLine] = deque(maxlen=kept)
        self._number = 0
        self._acted: float | None = None

    def add(self, events: Iterable[Event]) -> None:
        """Append events in their order."""
        told = [event for event in events if not event.chatty]
        for (at, kind, node, verb), found in groupby(told, key=lambda e: (e.at, e.kind, e.node, e.verb)):
            if kind == "you":
                self._acted = at
            for text, parts in _sentences(kind, list(found)):
                self._number += 1
                line: EventLine = {
                    "n": self._number,
                    "at": at,
                    "since": None if self._acted is None else round(at - self._acted, 3),
                    "kind": kind,
                    "text": brief(text, LONGEST),
                    "parts": [brief(part, LONGEST) for part in parts],
                }
                if verb is not None:
                    line |= {"node": node, "verb": verb}
                self._lines.append(line)

    def list(self) -> list[EventLine]:
        """Return the lines, oldest first."""
        return list(self._lines)


def _sentences(kind: str, events: Sequence[Event]) -> Iterator[tuple[str, list[str]]]:
    # An event without a partition sums up several by itself.
    crowd = [event for event in events if event.partition is not None]
    if kind not in _SUMMED or len(crowd) <= CROWD:
        crowd = []
    for event in events:
        if not crowd or event.partition is None:
            yield event.text, []
    if not crowd:
        return
    about: dict[int | None, list[Event]] = {}
    for event in crowd:
        about.setdefault(event.broker, []).append(event)
    led = "; ".join(f"{id} leads {_which(about[id])}" for id in sorted(about, key=lambda id: id or 0))
    (broker, *others), n = about, len(crowd)
    sentence = _SUMMED[kind] if others or broker is None else _SUMMED_OF_ONE.get(kind, _SUMMED[kind])
    rest = [f"… and {n - PARTS} more"] if n > PARTS else []
    said = sentence.format(n=n, broker=broker, led=led, which=_which(crowd))
    yield said, [*(event.text for event in crowd[:PARTS]), *rest]


def _which(events: Iterable[Event]) -> str:
    return by_topic((event.topic or "", event.partition) for event in events if event.partition is not None)
