"""Chooses the views of a recording's page from what was recorded, the busiest first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from kafkalab.errors import BadInput
from kafkalab.history.moment import Moment
from kafkalab.history.recording import Recording
from kafkalab.history.tracks.followed import QUERY, REPORTS
from kafkalab.history.tracks.trucks import trucks_at
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

# --- A ledger that was recorded, at any moment of the recording.


#: Prefix of the tracks with ledgers' results; the ledger's name follows it.
TRACK = "ledger/"


class RecordedLedger(LedgerView):
    """A ledger's counts at a moment of a recording. It follows no playhead, so only pages without a kernel use it."""

    NAME: ClassVar[str] = "ledger"

    def __init__(self, name: str) -> None:
        self._name = name
        super().__init__(None, topic=name)

    def _show(self, moment: Moment) -> None:
        found = moment.facts.value(f"{TRACK}{self._name}", moment.at)
        self._result = dict(found) if isinstance(found, Mapping) else {}


#: A view that a page can show: it draws a moment of a recording with ``drawn_at``.
View = LiveView | TruckMap

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


def class_names() -> dict[str, str]:
    """Return the name of the Python class of each kind of view, by its NAME."""
    return {name: "TruckMap" if name == "map" else f"{name.capitalize()}View" for name in HEADINGS}


@dataclass(frozen=True)
class Choice:
    """A view to show: its kind, and a function that returns it; ``own`` if it is made for the page and closed after."""

    kind: str
    make: Callable[[], View]
    own: bool = True


def chosen(recording: Recording, views: Sequence[Any] | None) -> list[Choice]:
    """Return the views to show.

    :param views: names of kinds (``"ClusterView"``), views made of this recording, or None: all there are.
    :raises BadInput: something is neither the name of a kind nor a view of this recording.
    """
    if views is None:
        return [choice for kind in HEADINGS for choice in _made(recording, kind)]
    if isinstance(views, str) or not views:
        raise BadInput("Views are given as a list.", seen=repr(views)[:60], do='views=["ClusterView", "LogView"]')
    kinds = {called: name for name, called in class_names().items()}
    found: list[Choice] = []
    for view in views:
        if isinstance(view, View):
            if view._recording is None or view._recording.facts is not recording.facts:
                raise BadInput(
                    "That view was not made from this recording.",
                    seen=type(view).__name__,
                    do=f"{type(view).__name__}(recording, …)",
                )
            found.append(Choice(kind_of(view), partial(_same, view), own=False))
        elif isinstance(view, str) and view in kinds:
            found += _made(recording, kinds[view])
        else:
            raise BadInput("There is no such view.", seen=repr(view)[:60], do=", ".join(sorted(kinds)))
    return found


def kind_of(view: View) -> str:
    """Return the NAME of a view, under which the page has its front end."""
    return view.NAME


def _same(view: View) -> View:
    return view


def _made(recording: Recording, kind: str) -> list[Choice]:
    """Return the views of a kind for which the recording has data."""
    tracks = recording.facts.tracks
    topics = busiest_topics(recording)
    read = [topic for topic in topics if tracks(f"batches/{topic}/")]
    make: list[Callable[[], View]] = []
    match kind:
        case "cluster":
            make = [partial(ClusterView, recording)]
        case "log":
            make = [partial(LogView, recording, topic) for topic in topics]
        case "group":
            make = [partial(GroupView, recording, group) for group in busiest_groups(recording)]
        case "metadata" if tracks("znodes") or tracks("metadata"):
            make = [partial(MetadataView, recording)]
        case "record":
            make = [partial(RecordView, recording, topic) for topic in read[:1]]
        case "partitioner":
            make = [partial(PartitionerView, recording, topic) for topic in read[:1]]
        case "stream":
            queries = {name.split("/", 1)[1] for begin in (REPORTS, QUERY) for name in tracks(begin)}
            make = [partial(StreamView, recording, name) for name in sorted(queries)[:MOST_OF_A_KIND]]
        case "map":
            end = recording.at(recording.seconds)
            driven = [topic for topic in read if trucks_at(end, topic)]
            make = [partial(TruckMap, recording, topic) for topic in driven[:1]]
        case "ledger":
            make = [partial(RecordedLedger, name.removeprefix(TRACK)) for name in tracks(TRACK)[:MOST_OF_A_KIND]]
    return [Choice(kind, one) for one in make]


def busiest_topics(recording: Recording) -> list[str]:
    """Return the learner's topics in a recording: those that grew most while it was made, then the longest."""
    first: dict[str, int] = {}
    last: dict[str, int] = {}
    for snapshot in snapshots(recording):
        for topic in snapshot.topics:
            if not topic.internal:
                end = sum(p.end or 0 for p in topic.partitions)
                first.setdefault(topic.name, end)
                last[topic.name] = max(end, last.get(topic.name, 0))
    return sorted(last, key=lambda name: (first[name] - last[name], -last[name], name))[:MOST_OF_A_KIND]


def busiest_groups(recording: Recording) -> list[str]:
    """Return the groups in a recording, those with the most members first."""
    most: Counter[str] = Counter()
    for snapshot in snapshots(recording):
        for group in snapshot.groups:
            most[group.group_id] = max(most[group.group_id], len(group.members))
    return sorted(most, key=lambda name: (-most[name], name))[:MOST_OF_A_KIND]


def snapshots(recording: Recording) -> Iterable[Snapshot]:
    """Yield the cluster at the beginning, at the end, and whenever a topic, a group or a member came or went."""
    times = [0.0, *recording.facts.times("snapshot")[:1]]
    begun = recording.header.began
    changed = [e.at - begun for e in recording.events if e.kind.startswith(("topic_", "group_", "member_"))]
    # When there are very many of these moments, about a hundred are enough.
    times += changed[:: 1 + len(changed) // 100]
    for at in [*dict.fromkeys(times), recording.seconds]:
        found = recording.at(at).snapshot
        if found is not None:
            yield found
