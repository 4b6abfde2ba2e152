"""The data that a recording's time line is drawn from; ``views/timeline/view.js`` says what each part is."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, TypedDict

from kafkalab.history.facts import Facts, Header
from kafkalab.history.recording import Recording
from kafkalab.state.event import Event
from kafkalab.views.cluster.picture import EventLines, brief

# --- Steps: a few numbers of each snapshot of a recording, kept when they change, and thinned with age.


#: A row, [seconds, value, …]; it holds until the next row.
Row = list[Any]

#: Number of rows from which on they are thinned: the newest stay, and the others are thinned by stretches.
MOST, NEWEST, STRETCHES = 600, 150, 140


class Steps:
    """A step function that grows. Its rows are shared with what draws them, so they are replaced, never changed.

    :param worse: whether the first of two rows is the worse one; a thinned stretch keeps its worst row and its last.
    """

    def __init__(self, worse: Callable[[Row, Row], bool]) -> None:
        self._worse = worse
        self.rows: list[Row] = []

    def add(self, row: Row) -> None:
        """Add what holds from ``row[0]`` on, unless that held before."""
        if self.rows and self.rows[-1][1:] == row[1:]:
            return
        if self.rows and self.rows[-1][0] == row[0]:
            self.rows = [*self.rows[:-1], row]
        else:
            self.rows = [*self.rows, row]
        if len(self.rows) > MOST:
            old, new = self.rows[:-NEWEST], self.rows[-NEWEST:]
            self.rows = [*self._thinned(old), *new]

    def _thinned(self, rows: list[Row]) -> list[Row]:
        begin, end = rows[0][0], rows[-1][0]
        wide = max((end - begin) / STRETCHES, 1e-9)
        stretches: dict[int, list[Row]] = {}
        for row in rows:
            stretches.setdefault(int((row[0] - begin) / wide), []).append(row)
        kept = []
        for stretch in stretches.values():
            worst = stretch[0]
            for row in stretch[1:]:
                worst = row if self._worse(row, worst) else worst
            # The last row is kept as well, or the worst one would seem to last.
            kept += [worst] if worst is stretch[-1] else [worst, stretch[-1]]
        return kept


class Health:
    """The numbers under the slider, from snapshots as recordings hold them (:meth:`Snapshot.to_dict`)."""

    def __init__(self) -> None:
        self._steps = {
            "brokers": Steps(lambda a, b: a[2] - a[1] > b[2] - b[1]),
            "short": Steps(lambda a, b: a[1] > b[1]),
            "leaderless": Steps(lambda a, b: a[1] > b[1]),
            "lag": Steps(lambda a, b: (a[1] or 0) > (b[1] or 0)),
        }

    def add(self, at: float, snapshot: Mapping[str, Any]) -> None:
        """Add a snapshot, taken ``at`` seconds after the beginning."""
        for name, values in numbers(snapshot).items():
            self._steps[name].add([at, *values])

    def drawn(self) -> dict[str, list[Row]]:
        """Return the rows of each number, by name; the same lists as before if nothing was added."""
        return {name: steps.rows for name, steps in self._steps.items()}


def numbers(snapshot: Mapping[str, Any]) -> dict[str, Row]:
    """Return the numbers of a snapshot, by name.

    ``brokers``: up, all, ids of those down; ``short``: under-replicated partitions; ``leaderless``: partitions without
    a leader; ``lag``: records over all groups, or None.
    """
    brokers = snapshot["brokers"]
    down = sorted(broker["id"] for broker in brokers if not broker["alive"])
    short = leaderless = 0
    for topic in snapshot["topics"]:
        for partition in topic["partitions"]:
            leaderless += partition["leader"] is None
            short += set(partition["isr"]) != set(partition["replicas"])
    lags = [offset["lag"] for group in snapshot["groups"] for offset in group["offsets"] if offset["lag"] is not None]
    return {
        "brokers": [len(brokers) - len(down), len(brokers), down],
        "short": [short],
        "leaderless": [leaderless],
        "lag": [sum(lags) if lags else None],
    }


Drawn = dict[str, Any]

#: Speeds to choose from, in recorded seconds per second.
SPEEDS = (0.25, 0.5, 1, 2, 5, 10, 30, 60)
#: Maximum number of lines of what happened; the oldest are dropped first.
LINES = 5000
#: Maximum length of a sentence in the list, in characters.
LONGEST = 400


def milliseconds(at: float) -> float:
    """Return a moment rounded up to a whole millisecond, so that what happened at it is not in its future."""
    return math.ceil(round(at * 1000, 3)) / 1000


class Told:
    """The parts of the bar's state that come from a recording's facts. When it grows, ``look`` takes over what is new.

    A list is replaced when something was added to it, and else stays the same object, so that a patch is found quickly.
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
        """The cluster's health through the recording."""
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
                if snapshot is not None:  # a stranger's file may say that there is none
                    # The first snapshot also stands for the time before it.
                    self._health.add(milliseconds(at) if self._snapshots else 0.0, snapshot)
                self._snapshots += 1

    def _look_at_events(self) -> None:
        if self._facts.count("events") == len(self._seen):
            return
        events = self._facts.items("events")
        known = len(self._seen)
        if known and events[known - 1] is not self._seen[-1]:
            # An older event was inserted. Lines that sum up events of one moment must then be made again.
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
    """Return Kafka's version and mode: "Kafka 3.9.1 · ZooKeeper"."""
    mode = {"zookeeper": "ZooKeeper", "kraft": "KRaft"}.get(header.mode or "", "")
    return " · ".join(filter(None, (f"Kafka {header.version}".strip(), mode)))


class Happened(TypedDict):
    """An event; ``since``: seconds since the learner's own last action."""

    at: float
    since: float | None
    kind: str
    text: str


class Name(TypedDict):
    """A moment that was given a name."""

    at: float
    name: str


class Strips(TypedDict):
    """How the cluster was; each row holds until the next. ``brokers``: when, up, of how many, which are down."""

    brokers: list[tuple[float, int, int, list[int]]]
    short: list[tuple[float, int]]
    leaderless: list[tuple[float, int]]
    lag: list[tuple[float, int | None]]


class Picture(TypedDict):
    """What the bar of a recording shows; times are seconds since its beginning, but ``began`` is a Unix time."""

    name: str
    kafka: str
    label: str
    began: float
    seconds: float
    going: bool
    naming: bool
    at: float
    live: bool
    playing: bool
    speed: float
    speeds: list[float]
    heard: float
    events: list[Happened]
    named: list[Name]
    steps: Strips
    problem: str


def drawn(recording: Recording, told: Told, at: float, *, live: bool = False, heard: float = 0) -> Drawn:
    """Return everything the bar shows when the playhead stands at a moment.

    :param at: seconds since the beginning.
    :param live: whether the playhead follows the end; when the recording is over, it never does.
    :param heard: the number of the page's last request that was carried out.
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
