"""Writes a recording as one HTML file: its views, playing and scrubbable, without server, kernel or network."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import tempfile
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from kafkalab.errors import BadInput
from kafkalab.history.moment import Moment
from kafkalab.history.recording import Recording
from kafkalab.history.tracks.logs import logs_at
from kafkalab.views.live import LiveView
from kafkalab.views.log.view import OFFSETS_ASKED, LogView
from kafkalab.views.page.document import MARK, Packed, PatchStream, document, encode, fit_to_size, milliseconds, moments
from kafkalab.views.page.static import Still, body, happened
from kafkalab.views.page.views import HEADINGS, View, chosen
from kafkalab.views.timeline.view import Timeline

# --- The page's file: it may replace an older page and nothing else, and is written whole or not at all.


def checked(path: str | os.PathLike[str]) -> Path:
    """Return the page's absolute path, if its folder exists and nothing but an older page would be replaced."""
    place = Path(path).expanduser().absolute()
    if not place.parent.is_dir():
        raise BadInput("There is no such folder.", seen=str(place.parent), do="Create it first.")
    if place.is_dir():
        raise BadInput("That is a folder: the page needs a name in it.", seen=str(place), do=f"{place}/recording.html")
    if place.exists():
        with place.open("rb") as file:
            begin = file.read(1000)
        if begin.strip() and MARK.encode() not in begin:
            raise BadInput(
                "There is a file of that name that is no page of a recording.",
                seen=str(place),
                do="Choose another name, or delete it first.",
            )
    return place


def write(place: Path, content: bytes) -> None:
    """Write the whole page or nothing; a reader who opens the file meanwhile still finds the old page."""
    handle, draft = tempfile.mkstemp(dir=place.parent, prefix=f".{place.name}.", suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.chmod(draft, 0o644)
        os.replace(draft, place)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(draft)
        raise


# --- Answers for a learner who goes back in a log on the page: the records, as far as there is room.


#: Maximum number of a topic's offsets, the newest of each partition.
MOST_OFFSETS = 8000


class _Asked(LogView):
    """A log view that keeps its answers, because there is no page to send them to."""

    def __init__(self, recording: Recording, like: LogView) -> None:
        self.answers: list[dict[str, Any]] = []
        super().__init__(recording, like.topic)
        self._keys = like._keys  # the same key has the same letter and colour

    def answer(self, message: dict[str, Any]) -> None:
        self.answers.append(message)


def answers(recording: Recording, like: LogView) -> list[dict[str, Any]]:
    """Return windows of a view's logs, as they were at the end: ``{partition: {"from", "to", "cells", …}}``."""
    logs = logs_at(recording.at(recording.seconds), like.topic)
    each = MOST_OFFSETS // max(1, len(logs.ends))
    view = _Asked(recording, like)
    try:
        for p, end in sorted(logs.ends.items()):
            begin = max(logs.partitions[p].start or 0, end.end - each)
            for start in range(begin, end.end, OFFSETS_ASKED):
                view.do_look({"windows": {str(p): [start, min(end.end, start + OFFSETS_ASKED)]}})
    finally:
        view.close()
    return [window for message in view.answers for window in [message["windows"]] if _any(window)]


def _any(windows: dict[str, Any]) -> bool:
    return any(window["cells"] for window in windows.values())


log = logging.getLogger(__name__)

#: Minimum number of milliseconds between two moments that are no event.
FINEST = 100
#: Maximum number of a view's moments besides events, so that an hour takes as long to export as ten minutes.
MOST_MOMENTS = 2500


@dataclass(slots=True)
class _Shown:
    """A view on the page; ``name`` distinguishes it from others of its kind."""

    id: str
    kind: str
    name: str
    pack: Packed
    still: Still

    @property
    def called(self) -> str:
        """The view's name in a sentence."""
        return f"{HEADINGS[self.kind]}: {self.name}" if self.name else HEADINGS[self.kind]


def to_html(
    recording: Recording,
    path: str | os.PathLike[str],
    *,
    views: Sequence[Any] | None = None,
    title: str | None = None,
    limit: int = 2_000_000,
) -> Path:
    """Write a recording as one self-contained page, and return its path.

    The page plays, jumps to events and goes back and forth in any browser. An older page of that name is replaced.

    :param views: the views it shows: kinds (``"ClusterView"``), or views made of the recording; None: all there are.
    :param limit: maximum size in bytes. A page that would be larger has fewer moments between events; a view that still
        does not fit is left out, and the page and a warning say so.
    :raises BadInput: not a view of this recording; another file has that name; nothing fits into ``limit``.
    """
    place = checked(path)
    # A second recording of the same facts, so that neither the playhead nor a cluster being recorded is touched.
    still = Recording(recording.header, recording.facts, problem=recording.problem)
    still.playhead.seek(still.seconds)
    lines = happened(still)
    always = _always(still, lines)
    title = title or f"Recording of {recording.header.name or 'a cluster'}"
    notes: list[str] = []
    found = _drawn(still, recording, views, always, notes)
    if not found:
        raise BadInput("There is no view to be shown of this recording.", do="record a cluster for a few seconds")

    def page(kept: Sequence[_Shown], notes: Sequence[str], lean: bool) -> bytes:
        stills = {shown.kind: shown.still for shown in reversed(kept)}
        first = [stills[kind] for kind in dict.fromkeys(shown.kind for shown in kept)]
        if lean:
            first[1:] = [replace(one, svg="", html="") for one in first[1:]]
        inside = body(title, still, first, lines, notes)
        return document(title, inside, _head(still, title, kept), {shown.id: shown.pack.text for shown in kept})

    one = next((shown.id for shown in found if shown.kind == "cluster"), found[0].id)
    # Before a view is left out, the still forms that only readers without scripts see are left out.
    for lean in (False, True):
        # The page around the views has a fixed size; the views may use the rest.
        bare = len(page(found, notes, lean)) - sum(len(shown.pack.text) for shown in found) + 200 * len(found)
        packs, out = fit_to_size({shown.id: shown.pack for shown in found}, limit - bare, always, lambda id: id == one)
        if not out:
            break
    kept = [shown for shown in found if shown.id in packs]
    for shown in kept:
        pack, shown.pack = shown.pack, packs[shown.id]
        if shown.pack.spacing != pack.spacing:
            every = shown.pack.spacing / 1000
            notes.append(f"{shown.called}: between events, one moment in {every:g} s is shown, so that the page fits.")
        elif shown.pack is not pack:
            notes.append(f"{shown.called}: of the records only the newest at each moment are shown, so that it fits.")
    left = [
        f"{shown.called} does not fit into this page of at most {limit:,} bytes." for shown in found if shown.id in out
    ]
    whole = page(kept, [*left, *notes], lean)
    if len(whole) > limit:
        raise BadInput(
            f"The page does not fit into {limit:,} bytes.", seen=f"{len(whole):,} bytes with one view", do="limit=…"
        )
    for sentence in left:
        warnings.warn(sentence, stacklevel=3)
    write(place, whole)
    return place


def _always(recording: Recording, lines: Sequence[Any]) -> list[int]:
    """Return the moments that every page keeps: events, moments with a name, the beginning and the end."""
    times = [line["t"] for line in lines] + [0.0, recording.seconds]
    times += [*recording.facts.times("events"), *recording.facts.times("named")]
    return sorted({milliseconds(min(max(0.0, at), recording.seconds)) for at in times})


def _spacing(recording: Recording, times: Sequence[float]) -> int:
    spacing = FINEST
    while len(moments(times, spacing, ())) > MOST_MOMENTS:
        spacing *= 2
    return spacing


def _drawn(
    still: Recording, recording: Recording, views: Sequence[Any] | None, always: Sequence[int], notes: list[str]
) -> list[_Shown]:
    """Return each view with what it draws through the recording."""
    end = still.seconds
    times = sorted({min(max(0.0, at), end) for at, *_ in still.facts if at <= end})
    spacing = _spacing(still, times)
    at = sorted({*moments(times, spacing, ()), *always})
    found: list[_Shown] = []
    for choice in chosen(still, views):
        kind = choice.kind
        view: View | None = None
        try:
            view = choice.make()
            # The front end of a live view expects a number in the state.
            states = encode((moment, {**view.drawn_at(_moment(still, moment)), "n": 0}) for moment in at)
            picture = Still(kind, HEADINGS.get(kind, kind), view.to_svg(), view.to_html(), repr(view))
            pack = Packed(states, _besides(still, view), spacing)
        except Exception as error:
            # The recording may be of another version, or made to do harm; the other views are shown all the same.
            log.exception("a view of a recording could not be drawn")
            sentence = f"{HEADINGS.get(kind, kind)} cannot be shown of this recording: {type(error).__name__}: {error}"
            notes.append(sentence)
            warnings.warn(sentence, stacklevel=4)
            continue
        finally:
            if view is not None and choice.own:
                view.close()
            elif view is not None:
                view.drawn_at(recording.moment())
        found.append(_Shown(f"kl-told-{len(found)}", kind, _name(states), pack, picture))
    return found


def _moment(recording: Recording, at: int) -> Moment:
    """Return everything that was known by the end of a millisecond."""
    return recording.at((at + 0.999) / 1000)


def _besides(recording: Recording, view: View) -> dict[str, Any]:
    """Return what a view's front end needs besides the state: traits (the chosen topic), and a log's older records."""
    known = {*LiveView.class_trait_names(sync=True), "frame", "truck_ids", "at"}
    traits = {name: getattr(view, name) for name in view.trait_names(sync=True) if name not in known}
    found: dict[str, Any] = {"traits": json.loads(json.dumps(traits, default=lambda _: None))}
    if isinstance(view, LogView):
        found["answers"] = answers(recording, view)
    return found


def _name(states: PatchStream) -> str:
    """Return what distinguishes a view from others of its kind: its topic, group, query or title."""
    found = [states.first.get(key) for key in ("topic", "group", "query", "title")] if states.times else []
    return next((name for name in found if isinstance(name, str) and name), "")


def _head(recording: Recording, title: str, kept: Sequence[_Shown]) -> dict[str, Any]:
    """Return what the page's script needs before any view is unpacked."""
    timeline = _timeline(recording)
    deeds = (event["at"] for event in timeline["events"] if event["kind"] == "you")
    # Before the first look at the cluster there is nothing to see.
    looked = min(recording.seconds, next(iter(recording.facts.times("snapshot")), 0.0))
    return {
        "title": title,
        # In whole milliseconds, as the time line has it.
        "seconds": timeline["seconds"],
        # The learner's first action, where the story begins.
        "begin": next(deeds, looked),
        "timeline": timeline,
        "views": [
            {
                "id": shown.id,
                "kind": shown.kind,
                "heading": HEADINGS.get(shown.kind, shown.kind),
                "name": shown.name[:200],
            }
            for shown in kept
        ],
    }


def _timeline(recording: Recording) -> dict[str, Any]:
    """Return the data that the time line is drawn from."""
    view = Timeline(recording)
    try:
        return view.drawn_at(recording.at(recording.seconds))
    finally:
        view.close()
