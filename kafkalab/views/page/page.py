"""Writes a recording as one HTML file: its views, playing and scrubbable, without server, kernel or network."""

from __future__ import annotations

import logging
import os
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kafkalab.errors import BadInput
from kafkalab.history.moment import Moment
from kafkalab.history.recording import Recording
from kafkalab.home import write_whole
from kafkalab.state.patch import Json, Op, applied, diff
from kafkalab.views.cluster.events import EventLines
from kafkalab.views.live import LiveView, not_shown
from kafkalab.views.page.document import MARK, body, document, pack
from kafkalab.views.page.views import HEADINGS, chosen
from kafkalab.views.timeline.view import Timeline

log = logging.getLogger(__name__)

#: Minimum number of milliseconds between two moments of a view that are no event.
FINEST = 100
#: Maximum number of a view's moments besides events, so that an hour takes as long to export as ten minutes.
MOST_MOMENTS = 2500
#: Maximum number of lines of what happened; the first ones are left out.
MOST_LINES = 1500


def to_html(
    recording: Recording,
    path: str | os.PathLike[str],
    *,
    views: Sequence[Any] | None = None,
    title: str | None = None,
    limit: int = 2_000_000,
) -> Path:
    """Write a recording as one self-contained page: :meth:`kafkalab.handles.recording.Recording.to_html`."""
    place = checked(path)
    # A second recording of the same facts, so that neither the playhead nor a cluster being recorded is touched.
    still = Recording(recording.header, recording.facts, problem=recording.problem)
    still.playhead.seek(still.seconds)
    title = title or f"Recording of {recording.header.name or 'a cluster'}"
    happened = EventLines(MOST_LINES)
    happened.add(still.events)
    # As precise as the times in recordings, so that a jump to this time shows what was recorded then.
    lines: list[dict[str, Any]] = [{**line, "t": round(line["at"] - still.header.began, 4)} for line in happened.list()]
    times = [line["t"] for line in lines] + [
        0.0,
        *still.facts.times("events"),
        *still.facts.times("named"),
        still.seconds,
    ]
    always = {int(1000 * min(max(0.0, at), still.seconds)) for at in times}
    #: A view's id → what a reader of the page should know of it.
    notes: dict[str, str] = {}
    found = _drawn(still, recording, views, always, notes)
    if not found:
        seen = "; ".join(notes.values())[:300]
        raise BadInput(
            "There is no view to be shown of this recording.", seen=seen, do="record a cluster for some time"
        )
    bar = Timeline(still)
    timeline = bar.drawn_at(still.moment())
    bar.close()

    def page() -> bytes:
        first = {one.kind: one for one in reversed(found)}
        tables = {kind: (HEADINGS[kind], first[kind].tables) for kind in dict.fromkeys(one.kind for one in found)}
        inside = body(title, still, tables, lines, list(notes.values()))
        return document(title, inside, _head(still, timeline, found), {v.id: v.packed for v in found}, tables)

    while len(whole := page()) > limit:
        # The largest view that can be smaller gets fewer moments, again and again; when none can, the largest goes.
        by_size = sorted(found, key=lambda one: -len(one.packed))
        thinned = next((one for one in by_size if one.thin(always)), None)
        if thinned is not None:
            notes[thinned.id] = thinned.note
            continue
        spare = [one for one in by_size if one.kind != "cluster"] or by_size[1:]
        if not spare:
            seen = f"{len(whole):,} bytes with one view"
            raise BadInput(f"The page does not fit into {limit:,} bytes.", seen=seen, do="limit=…")
        found.remove(spare[0])
        notes[spare[0].id] = f"{spare[0].called} does not fit into this page of at most {limit:,} bytes."
    for id in notes.keys() - {one.id for one in found}:
        warnings.warn(notes[id], stacklevel=3)
    write_whole(place, whole)
    return place


def checked(path: str | os.PathLike[str]) -> Path:
    """Return the page's absolute path, if its folder exists and nothing but an older page would be replaced."""
    place = Path(path).expanduser().absolute()
    if not place.parent.is_dir() or place.is_dir():
        raise BadInput("A page needs a folder that exists, and a name in it.", seen=str(place), do="…/recording.html")
    if place.exists() and (begin := place.read_bytes()[:1000]).strip() and MARK.encode() not in begin:
        said = "There is a file of that name that is no page of a recording."
        raise BadInput(said, seen=str(place), do="Choose another name, or delete it first.")
    return place


def _head(recording: Recording, timeline: dict[str, Any], found: Sequence[Shown]) -> dict[str, Any]:
    """Return what the page's script needs before any view is unpacked."""
    story = [event["at"] for kind in ("you", "broker_down") for event in timeline["events"] if event["kind"] == kind]
    return {
        # Where the story begins: the learner's first deed, or the first broker that went down, or the first look.
        "begin": next(iter(story), min(recording.seconds, recording.facts.first("snapshot") or 0.0)),
        "timeline": timeline,
        "views": [
            {"id": one.id, "kind": one.kind, "heading": HEADINGS[one.kind], "name": one.name[:200]} for one in found
        ],
    }


# --- The views: the states of each through the recording, the first one whole, then patches.


@dataclass(slots=True)
class Shown:
    """A view on the page: what it draws at first, and then milliseconds since the recording began → what changes.

    ``traits`` are those of its front end. ``spacing``: milliseconds between two moments that are no event.
    """

    id: str
    kind: str
    first: Json
    patches: dict[int, list[Op]]
    traits: dict[str, Any]
    tables: str
    spacing: int
    packed: str = ""

    def __post_init__(self) -> None:
        """Pack the states as the page's script unpacks them (``told.ts``)."""
        patches = [*self.patches.values()][1:]
        self.packed = pack({"at": [*self.patches], "first": self.first, "patches": patches, "traits": self.traits})

    @property
    def name(self) -> str:
        """The words that tell the view from others of its kind: its topic, group, query or title."""
        found = [self.first.get(key) for key in ("topic", "group", "query", "title")]
        return next((name for name in found if isinstance(name, str) and name), "")

    @property
    def called(self) -> str:
        """The view's name in a sentence."""
        return f"{HEADINGS[self.kind]}: {self.name}" if self.name else HEADINGS[self.kind]

    def states(self) -> Iterator[tuple[int, Json]]:
        """Yield each moment with what the view draws then."""
        state = self.first
        for at, ops in self.patches.items():
            state = applied(state, ops)
            yield at, state

    def thin(self, always: set[int]) -> bool:
        """Drop moments besides ``always``: every other one, or more; return whether any could be dropped."""
        before, ends = len(self.patches), (min(self.patches), max(self.patches))
        while len(self.patches) == before and self.spacing <= 2 * ends[1]:
            self.spacing *= 2
            keep = {*last_of_each(self.patches, self.spacing), *always, *ends}
            self.first, self.patches = encode((at, state) for at, state in self.states() if at in keep)
        self.__post_init__()
        return len(self.patches) < before

    @property
    def note(self) -> str:
        """The sentence that says which moments it shows after :meth:`thin`."""
        return (
            f"{self.called}: between events, one moment in {self.spacing / 1000:g} s is shown, so that the page fits."
        )


def encode(states: Iterable[tuple[int, Json]]) -> tuple[Json, dict[int, list[Op]]]:
    """Return the first state, and the patches by their times, the first of which is empty; equal states become one."""
    first: Json = None
    last: Json = None
    patches: dict[int, list[Op]] = {}
    for at, state in states:
        if not patches:
            first, patches[at] = state, []
        elif ops := diff(last, state):
            patches[at] = ops
        last = state
    return first, patches


def last_of_each(times: Iterable[int], spacing: int) -> list[int]:
    """Return the last of the times in every ``spacing``.

    It is the last and not the first, so that a change between two moments is seen a little late, but never missed.
    """
    return list({at // spacing: at for at in sorted(times)}.values())


def _drawn(
    still: Recording, recording: Recording, views: Sequence[Any] | None, always: set[int], notes: dict[str, str]
) -> list[Shown]:
    """Return each view with what it draws through the recording."""
    every = {int(1000 * min(max(0.0, at), still.seconds)) for at, *_ in still.facts}
    spacing = FINEST
    while len(moments := last_of_each(every, spacing)) > MOST_MOMENTS:
        spacing *= 2
    found: list[Shown] = []
    for number, (kind, make, own) in enumerate(chosen(still, views)):
        view, id = None, f"kl-told-{number}"
        try:
            view = make()
            # Everything that was known by the end of a millisecond; the front end of a live view expects a number.
            times = ((at, still.at((at + 0.999) / 1000)) for at in sorted({*moments, *always}))
            first, patches = encode(_states(view, times))
            found.append(Shown(id, kind, first, patches, _traits(view), view.to_html(), spacing))
        except Exception as error:
            # The recording may be made to do harm; the other views are shown all the same.
            log.exception("a view of a recording could not be drawn")
            notes[id] = f"{HEADINGS[kind]} cannot be shown of this recording: {type(error).__name__}: {error}"
        finally:
            if view is not None and own:
                view.close()
            elif view is not None:
                with suppress(Exception):  # as before, the view says itself that it cannot show this moment
                    view.drawn_at(recording.moment())
    return found


def _states(view: LiveView, moments: Iterable[tuple[int, Moment]]) -> Iterator[tuple[int, Json]]:
    """Yield what a view draws at each moment; for one that it cannot draw the last state, with a sentence about it."""
    state: Json = {}
    for at, moment in moments:
        try:
            state = {**view.drawn_at(moment), "n": 0}
        except Exception as error:
            state = {**state, "n": 0, "fault": not_shown(error)}
        yield at, state


def _traits(view: LiveView) -> dict[str, Any]:
    """Return what a view's front end needs besides the state, such as the chosen topic."""
    own = set(view.trait_names(sync=True)) - set(LiveView.class_trait_names(sync=True))
    return {name: getattr(view, name) for name in own}
