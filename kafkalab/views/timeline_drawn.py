"""A recording → what its time line is drawn from; ``static/timeline_bar.js`` says what each part is."""

from __future__ import annotations

import math
from typing import Any

from kafkalab.state.event import Event
from kafkalab.state.facts import Facts
from kafkalab.state.recording import Header, Recording
from kafkalab.views.cluster_drawn import brief
from kafkalab.views.event_lines import EventLines
from kafkalab.views.timeline_steps import Health

Drawn = dict[str, Any]

#: How fast it can be made to play, recorded seconds a second.
SPEEDS = (0.25, 0.5, 1, 2, 5, 10, 30, 60)
#: So many lines of what happened are kept; the oldest go first.
LINES = 5000
#: A sentence of the list is cut after so many characters.
LONGEST = 400


def milliseconds(at: float) -> float:
    """A moment as it travels: the first whole millisecond that is not before it. What happened then has happened."""
    return math.ceil(round(at * 1000, 3)) / 1000


class Told:
    """What the facts say of the whole recording, kept along as it grows: :meth:`look` takes over what is new.

    Lists are replaced where something came and else stay the same objects, so that a patch is found quickly.
    """

    def __init__(self, facts: Facts, began: float) -> None:
        self._facts, self._began = facts, began
        self._health = Health()
        self._snapshots = 0
        self._seen: list[Any] = []
        self._lines = EventLines(LINES)
        self._number = 0
        self.events: list[Drawn] = []
        self.named: list[Drawn] = []

    @property
    def steps(self) -> Drawn:
        """How the cluster was."""
        return self._health.drawn()

    def look(self) -> None:
        """Take over the facts that are new."""
        self._look_at_events()
        if self._facts.count("named") != len(self.named):
            named = zip(self._facts.times("named"), self._facts.items("named"), strict=False)
            self.named = [{"at": milliseconds(at), "name": brief(str(name))} for at, name in named]
        if self._facts.count("snapshot") > self._snapshots:
            for at in self._facts.times("snapshot")[self._snapshots :]:
                snapshot = self._facts.value("snapshot", at)
                if snapshot is not None:  # a file that somebody else made may say that there is none
                    # Before the first, a recording is as that tells it.
                    self._health.add(milliseconds(at) if self._snapshots else 0.0, snapshot)
                self._snapshots += 1

    def _look_at_events(self) -> None:
        if self._facts.count("events") == len(self._seen):
            return
        events = self._facts.items("events")
        known = len(self._seen)
        if known and events[known - 1] is not self._seen[-1]:
            # An older one took its place among them; a crowd of one moment is then told anew.
            self._lines, self._number, known, self.events = EventLines(LINES), 0, 0, []
        self._lines.add(Event(**event) for event in events[known:])
        self._seen = events
        new = [line for line in self._lines.list() if line["n"] > self._number]
        if new:
            self._number = new[-1]["n"]
            self.events = [*self.events, *map(self._line, new)][-LINES:]

    def _line(self, line: Drawn) -> Drawn:
        return {
            "at": max(0.0, milliseconds(line["at"] - self._began)),
            "since": line["since"],
            "kind": line["kind"],
            "text": brief(line["text"], LONGEST),
        }


def kafka(header: Header) -> str:
    """ "Kafka 3.9.1 · ZooKeeper"."""
    mode = {"zookeeper": "ZooKeeper", "kraft": "KRaft"}.get(header.mode or "", "")
    return " · ".join(filter(None, (f"Kafka {header.version}".strip(), mode)))


def drawn(recording: Recording, told: Told, at: float, *, live: bool = False, heard: float = 0) -> Drawn:
    """Everything the bar shows when the playhead stands at a moment.

    :param at: seconds since the beginning.
    :param live: whether that follows the end; of a recording that is over it never does.
    :param heard: the number of the last thing the page asked for that was done.
    """
    header, playhead = recording.header, recording.playhead
    going = recording.going
    return {
        "name": brief(header.name),
        "kafka": kafka(header),
        "label": brief(header.label),
        "began": header.began,
        "seconds": milliseconds(recording.seconds),
        "going": going,
        "naming": True,
        "at": milliseconds(at),
        "live": live and going,
        "playing": playhead.playing,
        "speed": playhead.speed,
        "speeds": sorted({*SPEEDS, playhead.speed}),
        "heard": heard,
        "events": told.events,
        "named": told.named,
        "steps": told.steps,
        "problem": brief(recording.problem, 600),
    }
