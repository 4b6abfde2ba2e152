"""Chooses the views of a recording's page from what was recorded, the busiest first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, ClassVar, NamedTuple

from kafkalab.errors import BadInput
from kafkalab.history.moment import Moment
from kafkalab.history.recording import Recording
from kafkalab.history.tracks.followed import LEDGERS, RecordedGroups, RecordedStreams
from kafkalab.history.tracks.logs import trucks_at
from kafkalab.state.model import Snapshot
from kafkalab.views.cluster.view import ClusterView
from kafkalab.views.group.view import GroupView
from kafkalab.views.ledger.view import LedgerView
from kafkalab.views.live import LiveView
from kafkalab.views.log.view import LogView
from kafkalab.views.map.view import TruckMap
from kafkalab.views.metadata.view import MetadataView
from kafkalab.views.partitioner.view import PartitionerView
from kafkalab.views.record.view import RecordView
from kafkalab.views.stream.view import StreamView


class RecordedLedger(LedgerView):
    """A ledger's counts at a moment of a recording. It follows no playhead, so only pages without a kernel use it."""

    NAME: ClassVar[str] = "ledger"

    def __init__(self, name: str) -> None:
        self._name = name
        super().__init__(None, topic=name)

    def _show(self, moment: Moment) -> None:
        self._result = moment.facts.value(f"{LEDGERS}{self._name}", moment.at) or {}


#: Maximum number of views of one kind that are chosen here; a learner would not go through more.
MOST_OF_A_KIND = 8

#: Heading above the views of a kind, by their NAME, in the order of the page.
HEADINGS: dict[str, str] = {
    "cluster": "The cluster",
    "log": "Logs",
    "group": "Consumer groups",
    "metadata": "Metadata",
    "record": "A record, byte by byte",
    "partitioner": "Keys and partitions",
    "stream": "Spark queries",
    "map": "Trucks",
    "ledger": "The ledger",
}
#: Name of the Python class of a kind of view → its NAME.
_CLASSES = {"TruckMap" if name == "map" else f"{name.capitalize()}View": name for name in HEADINGS}


class Choice(NamedTuple):
    """A view to show: its kind, and a function that returns it; ``own`` if it is made for the page and closed after."""

    kind: str
    make: Callable[[], LiveView]
    own: bool = True


def chosen(recording: Recording, views: Sequence[Any] | None) -> list[Choice]:
    """Return the views to show.

    :param views: names of kinds (``"ClusterView"``), views made of this recording, or None: all there are.
    :raises BadInput: something is neither the name of a kind nor a view of this recording.
    """
    if isinstance(views, str) or views == []:
        raise BadInput("Views are given as a list.", seen=repr(views)[:60], do='views=["ClusterView", "LogView"]')
    found: list[Choice] = []
    for view in _CLASSES if views is None else views:
        if isinstance(view, LiveView) and view.NAME in HEADINGS:
            if view._recording is None or view._recording.facts is not recording.facts:
                name = type(view).__name__
                raise BadInput("That view was not made from this recording.", seen=name, do=f"{name}(recording, …)")
            found.append(Choice(view.NAME, partial(_same, view), own=False))
        elif isinstance(view, str) and view in _CLASSES:
            with suppress(Exception):  # a stranger's recording may have anything in place of a topic's name
                found += [Choice(_CLASSES[view], make) for make in _made(recording, _CLASSES[view])]
        else:
            raise BadInput("There is no such view.", seen=repr(view)[:60], do=", ".join(sorted(_CLASSES)))
    return found


def _same(view: LiveView) -> LiveView:
    return view


def _made(recording: Recording, kind: str) -> Sequence[Callable[[], LiveView]]:
    """Return functions that make the views of a kind for which the recording has data."""
    tracks = recording.facts.tracks
    topics = topics_of(recording)
    read = [topic for topic in topics if tracks(f"batches/{topic}/")]
    match kind:
        case "cluster":
            return [partial(ClusterView, recording)]
        case "log":
            return [partial(LogView, recording, topic) for topic in topics]
        case "group":
            return [partial(GroupView, recording, group) for group in groups_of(recording)]
        case "metadata" if tracks("znodes") or tracks("metadata"):
            return [partial(MetadataView, recording)]
        case "record":
            return [partial(RecordView, recording, topic) for topic in read[:1]]
        case "partitioner":
            return [partial(PartitionerView, recording, topic) for topic in read[:1]]
        case "stream":
            names = RecordedStreams(recording.facts).names
            return [partial(StreamView, recording, name) for name in names[:MOST_OF_A_KIND]]
        case "map":
            end = recording.at(recording.seconds)
            return [partial(TruckMap, recording, topic) for topic in read if trucks_at(end, topic)][:1]
        case "ledger":
            return [partial(RecordedLedger, name.removeprefix(LEDGERS)) for name in tracks(LEDGERS)[:MOST_OF_A_KIND]]
    return []


def topics_of(recording: Recording) -> list[str]:
    """Return the learner's topics in a recording, those of which most was recorded first."""
    facts = recording.facts
    found = Counter({topic.name: 0 for one in _snapshots(recording) for topic in one.topics if not topic.internal})
    for track in facts.tracks("batches/"):
        found[track.split("/")[1]] += facts.count(track)
    return sorted(found, key=lambda name: (-found[name], name))[:MOST_OF_A_KIND]


def groups_of(recording: Recording) -> list[str]:
    """Return the groups in a recording, those that had the most members first."""
    most: Counter[str] = Counter(dict.fromkeys(RecordedGroups(recording.facts).names, 0))
    for snapshot in _snapshots(recording):
        for group in snapshot.groups:
            most[group.group_id] = max(most[group.group_id], len(group.members))
    return sorted(most, key=lambda name: (-most[name], name))[:MOST_OF_A_KIND]


def _snapshots(recording: Recording) -> list[Snapshot]:
    """Return the cluster at the beginning and at the end."""
    found = []
    for moment in (recording.at(0.0), recording.at(recording.seconds)):
        with suppress(Exception):  # a stranger's recording
            found.append(moment.snapshot)
    return [snapshot for snapshot in found if snapshot is not None]
