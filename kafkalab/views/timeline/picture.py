"""The data that a recording's time line is drawn from."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, TypedDict, cast

from kafkalab.history.facts import Facts
from kafkalab.history.recording import Recording
from kafkalab.state.model import Event, kind_of
from kafkalab.views.cluster.events import EventLines
from kafkalab.views.static import Block, Para, Table, clock
from kafkalab.views.words import brief, count, kafka, shorten


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
    """The states of the cluster; each row holds until the next. ``brokers``: when, up, of how many, which are down."""

    brokers: list[tuple[float, int, int, list[int]]]
    short: list[tuple[float, int]]
    leaderless: list[tuple[float, int]]
    lag: list[tuple[float, int | None]]


class Picture(TypedDict):
    """The picture of a recording's bar; times are seconds since its beginning, but ``began`` is a Unix time."""

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


# --- Steps: a few numbers of each snapshot of a recording, kept when they change, and thinned with age.


#: A row, [seconds, value, …]; it holds until the next row.
Row = list[Any]

#: Number of rows from which on they are thinned: the newest stay, and the others are thinned by stretches.
MOST, NEWEST, STRETCHES = 600, 150, 140


class Steps:
    """A step function that grows. Its rows are shared with what draws them, so they are replaced, never changed.

    :param bad: how bad a row is; a thinned stretch keeps its worst row and its last.
    """

    def __init__(self, bad: Callable[[Row], float] = lambda row: row[1] or 0) -> None:
        self._bad = bad
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
            worst = max(stretch, key=self._bad)
            # The last row is kept as well, or the worst one would seem to last.
            kept += [worst] if worst is stretch[-1] else [worst, stretch[-1]]
        return kept


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
        #: The numbers under the slider, as :func:`numbers` names them.
        self._steps = {"brokers": Steps(lambda row: row[2] - row[1])} | {
            n: Steps() for n in ("short", "leaderless", "lag")
        }
        self._snapshots = 0
        self._seen: list[Any] = []
        self._lines = EventLines(LINES)
        self._number = 0
        self.events: list[Happened] = []
        self.named: list[Name] = []

    @property
    def steps(self) -> Strips:
        """The cluster's health through the recording; the same lists as before if nothing was added."""
        return cast(Strips, {name: steps.rows for name, steps in self._steps.items()})

    def look(self) -> None:
        """Take over the facts that are new."""
        self._look_at_events()
        if self._facts.count("named") != len(self.named):
            named = zip(self._facts.times("named"), self._facts.items("named"), strict=False)
            self.named = [{"at": milliseconds(at), "name": brief(str(name))} for at, name in named]
        if self._facts.count("snapshot") > self._snapshots:
            for at in self._facts.times("snapshot")[self._snapshots :]:
                # The first snapshot also stands for the time before it.
                began = milliseconds(at) if self._snapshots else 0.0
                self._snapshots += 1
                with suppress(Exception):  # in a stranger's file it may be None, or anything
                    for name, values in numbers(self._facts.value("snapshot", at)).items():
                        self._steps[name].add([began, *values])

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

    def _line(self, line: Mapping[str, Any]) -> Happened:
        return {
            "at": max(0.0, milliseconds(line["at"] - self._began)),
            "since": line["since"],
            "kind": line["kind"],
            "text": brief(line["text"], LONGEST),
        }


def drawn(recording: Recording, told: Told, at: float, *, live: bool = False, heard: float = 0) -> Picture:
    """Return the picture when the playhead stands at a moment; when the recording is over, it is never live."""
    header, playhead = recording.header, recording.playhead
    going = recording.going
    return {
        "name": brief(header.name),
        "kafka": kafka(header.version, header.mode),
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


# --- The picture as paragraphs and tables, for where no widget runs.


#: Number of events in the table: those around the moment.
_LISTED = 60
#: Seconds by which the moment of an event may be rounded.
_ROUNDED = 0.0005


def blocks(drawn: Picture) -> list[Block]:
    """Return the cluster's health at the moment, and what happened around it, marked where the playhead stands."""
    named: list[Happened] = [{"at": n["at"], "since": None, "kind": "named", "text": n["name"]} for n in drawn["named"]]
    happened = sorted([*drawn["events"], *named], key=lambda event: event["at"])
    past = sum(event["at"] <= drawn["at"] + _ROUNDED for event in happened)
    first = max(0, min(past - _LISTED // 2, len(happened) - _LISTED))
    rows = [
        (
            f"{'▶ ' if i == past - 1 else ''}{moment(event['at'])}",
            "" if event["since"] is None else f"{event['since']:+.2f} s",
            f"{kind_of(event['kind']).sign} {shorten(event['text'], 300)}",
        )
        for i, event in enumerate(happened[first : first + _LISTED], first)
    ]
    where = f"{moment(drawn['at'])} of {moment(drawn['seconds'])}, {'live' if drawn['live'] else 'recorded'}"
    title = filter(None, (drawn["name"], drawn["kafka"], drawn["label"], _brokers_up(drawn)))
    found: list[Block] = [
        Para(shorten(" · ".join(title), 300), "strong"),
        Para(f"{where}; began {clock(drawn['began'])}"),
        Para(_health(drawn)),
        *([Para(shorten(drawn["problem"], 600))] if drawn["problem"] else []),
        Table(("at", "since you acted", "what happened"), rows) if rows else Para("Nothing happened."),
    ]
    if len(happened) > len(rows):
        found.append(Para(f"{len(happened)} events in all"))
    return [*found, Para("▶ the moment that is shown; what stands below it came later", "small")]


def moment(seconds: float) -> str:
    """Return seconds since the beginning as a clock: "2:14.3", "1:02:14.3"."""
    whole, tenth = divmod(int(max(0.0, seconds) * 10 + 1e-6), 10)
    hours, minutes = whole // 3600, whole % 3600 // 60
    return (f"{hours}:{minutes:02d}" if hours else f"{minutes}") + f":{whole % 60:02d}.{tenth}"


def _brokers_up(drawn: Picture) -> str:
    row = _row_at(drawn["steps"]["brokers"], drawn["at"])
    return "not read yet" if row is None else f"{row[1]} of {row[2]} broker{'' if row[2] == 1 else 's'} up"


def _health(drawn: Picture) -> str:
    """Return "partitions without a leader: 0 · under-replicated: 4 · lag: 12"."""
    steps = drawn["steps"]
    rows: dict[str, Sequence[Any]] = {
        "partitions without a leader": steps["leaderless"],
        "under-replicated": steps["short"],
        "lag": steps["lag"],
    }
    now = {name: _row_at(of, drawn["at"]) for name, of in rows.items()}
    return " · ".join(f"{n}: {'–' if row is None or row[1] is None else count(row[1])}" for n, row in now.items())


def _row_at(rows: Sequence[Any], at: float) -> Any:
    """Return the row of a step function that holds at a moment; None before the first row."""
    place = bisect_right(rows, at + _ROUNDED, key=lambda row: row[0])
    return rows[place - 1] if place else None
