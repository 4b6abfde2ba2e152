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
from kafkalab.handles.cluster import Cluster
from kafkalab.handles.recording import Recording
from kafkalab.state.changes import many
from kafkalab.views.stream.picture import bytes_
from kafkalab.views.timeline.picture import moment
from kafkalab.views.words import kafka
from kafkalab.waiting import wait_until

#: Maximum length of a recording in seconds, if no length is given. Ctrl-C ends it earlier.
_LONGEST = 31 * 86_400.0


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

    with Live(get_renderable=lambda: line(recording), console=console, refresh_per_second=2, transient=True):
        yield


def line(recording: Recording) -> Text:
    """Return the progress as a line: how long, how many events, how large, and what happened last."""
    events = recording.events
    path = recording.path
    size = path.stat().st_size if path is not None and path.exists() else 0
    said = Text.assemble(
        ("● ", "red" if recording.going else "dim"),
        (recording.header.name, "bold"),
        f"  {moment(time.time() - recording.header.began)}  {many(len(events), 'event')}  {bytes_(size)}  ",
    )
    if recording.problem:
        return said.append(recording.problem, "red")
    return said.append(events[-1].text if events else "nothing has happened yet", "dim")


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
    parts = (
        said["cluster"],
        kafka(said["version"], said["mode"]),
        f"{began}, {moment(said['seconds'])} long",
        many(len(said["events"]), "event"),
    )
    every = [(event["at"], event["kind"], event["what"]) for event in said["events"]]
    every += [(named["at"], "named", named["name"]) for named in said["named"]]
    found = sorted(every, key=lambda row: float(row[0]))
    return " · ".join(filter(None, parts)), [[moment(at), kind, what] for at, kind, what in found]
