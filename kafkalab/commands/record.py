"""``kafkalab record`` and ``kafkalab replay``: make a recording without a notebook, and show what is in one."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.live import Live
from rich.text import Text

from kafkalab.cluster.interrupts import ending_like_ctrl_c
from kafkalab.errors import KafkalabError
from kafkalab.handles.cluster import LAB, Cluster
from kafkalab.handles.recording import Recording
from kafkalab.state.model import MODE_NAMES
from kafkalab.waiting import wait_until

#: Maximum length of a recording in seconds, if no length is given. Ctrl-C ends it earlier.
_LONGEST = 31 * 86_400.0


def cluster(name: str | None, bootstrap_servers: str | None) -> Cluster:
    """Return the running cluster that the options name.

    :raises BadInput: there is none of that name.
    """
    return Cluster.connect(bootstrap_servers) if bootstrap_servers else Cluster.attach(LAB if name is None else name)


def record(meant: Cluster, path: Path, seconds: float | None) -> Recording:
    """Record until the time is over, or until Ctrl-C or SIGTERM.

    :raises KafkalabError: the file could not be written to its end.
    """
    with ending_like_ctrl_c(), meant.record(path) as recording, _shown(recording):
        began = time.monotonic()
        with contextlib.suppress(KeyboardInterrupt):
            wait_until(lambda: time.monotonic() - began >= (seconds or _LONGEST), 2 * _LONGEST, "the end", period=0.2)
    if recording.problem:
        raise KafkalabError(recording.problem)
    return recording


@contextlib.contextmanager
def _shown(recording: Recording) -> Iterator[None]:
    """Show the recording's progress on standard error; without a terminal, only print that it has begun."""
    console = Console(stderr=True)
    if not console.is_terminal:
        print(f"Recording {recording.header.name} into {recording.path} until Ctrl-C.", file=sys.stderr, flush=True)
        yield
        return

    class Line:
        def __rich__(self) -> Text:
            return line(recording)

    with Live(Line(), console=console, refresh_per_second=2, transient=True):
        yield


def line(recording: Recording) -> Text:
    """Return the progress as a line: how long, how many events, how large, and what happened last."""
    events = recording.events
    path = recording.path
    size = path.stat().st_size if path is not None and path.exists() else 0
    said = Text.assemble(
        ("● ", "red" if recording.going else "dim"),
        (recording.header.name, "bold"),
        f"  {clock(time.time() - recording.header.began)}  {count(len(events), 'event')}  {_bytes(size)}  ",
    )
    if recording.problem:
        return said.append(recording.problem, "red")
    return said.append(events[-1].text if events else "nothing has happened yet", "dim")


def _bytes(n: int) -> str:
    return f"{n / 1e6:.1f} MB" if n >= 1e5 else f"{n / 1e3:.0f} kB"


def count(n: int, noun: str) -> str:
    """Return a number with its noun: ``1 event``, ``2 events``."""
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


def clock(seconds: float) -> str:
    """Return a time as ``1:02:03`` or ``2:03``."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def told(recording: Recording) -> dict[str, Any]:
    """Return what is in a recording: the shape of ``kafkalab replay --json``. ``at`` is in seconds since it began."""
    header = recording.header
    topics = sorted({track.rpartition("/")[0].removeprefix("batches/") for track in recording.facts.tracks("batches/")})
    return {
        "cluster": header.name,
        "mode": header.mode,
        "version": header.version,
        "began": header.began,
        "seconds": recording.seconds,
        "events": [
            {"at": round(max(0.0, event.at - header.began), 2), "kind": event.kind, "what": event.text}
            for event in recording.events
        ],
        "named": [{"at": moment.at, "name": moment.name} for moment in recording.named],
        "topics": topics,
        "groups": [track.removeprefix("group/") for track in recording.facts.tracks("group/")],
        "problem": recording.problem,
    }


def rows(said: dict[str, Any]) -> tuple[str, list[list[str]]]:
    """Return the title and the rows of a table of what happened: time, kind, text."""
    began = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(said["began"]))
    kind = MODE_NAMES.get(said["mode"], "")
    title = " · ".join(
        part
        for part in (
            said["cluster"],
            f"Kafka {said['version']}".strip() + (f" with {kind}" if kind else ""),
            f"{began}, {clock(said['seconds'])} long",
            count(len(said["events"]), "event"),
        )
        if part
    )
    every = [(event["at"], event["kind"], event["what"]) for event in said["events"]]
    every += [(moment["at"], "named", moment["name"]) for moment in said["named"]]
    return title, [
        [f"{clock(at)}.{int(at * 10) % 10}", kind, what]
        for at, kind, what in sorted(every, key=lambda row: float(row[0]))
    ]


__all__ = ["clock", "cluster", "count", "line", "record", "rows", "told"]
