"""Every view there is: as it stands still, as it is where names mean harm, and as it shows a recording.

A new view gets into :mod:`tests.unit.views.test_every_view` by a line of each table.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from typing import Any, NamedTuple

from kafkalab import ClusterView, LogView, PartitionerView, RecordView, TruckMap, views
from kafkalab.exercises.predict.prediction import Prediction
from kafkalab.experiments.ledger import Ledger
from kafkalab.handles.recording import Recording
from kafkalab.state.log.fetched import Placed
from kafkalab.state.log.murmur2 import partition_of
from kafkalab.state.metadata.log import MetadataRecord
from kafkalab.state.model import Event
from kafkalab.views.durability.view import DurabilityView
from kafkalab.views.group.view import GroupView
from kafkalab.views.ledger.view import LedgerView
from kafkalab.views.live import Heard, LiveView
from kafkalab.views.map.geofences import Geofence
from kafkalab.views.metadata.view import MetadataView
from kafkalab.views.page.views import RecordedLedger
from kafkalab.views.partitioner.picture import Places
from kafkalab.views.predict.view import PredictView
from kafkalab.views.progress.view import ProgressView
from kafkalab.views.stream.view import StreamView
from kafkalab.views.timeline.view import Timeline
from tests.browser import samples
from tests.unit.history.recorded_logs import TOPIC, LogTape, two_leaders
from tests.unit.history.test_recorded_trucks import put, report
from tests.unit.views import (
    cluster_samples,
    durability_samples,
    group_samples,
    ledger_samples,
    log_samples,
    metadata_samples,
    recorded_samples,
    stream_samples,
    timeline_samples,
)
from tests.unit.views.cluster_samples import HEALTHY, HOSTILE, LONG, TURNED

#: Markup, which turns the reading direction, and has no end.
EVIL = TURNED[0] + HOSTILE + 50 * LONG
EVENTS = [Event(1.0, "you", "you killed broker 102"), Event(4.1, "topic_created", f"topic {EVIL} created")]


def kinds() -> set[type[Heard]]:
    """Every view of the package; one that is a sort of another is not one more."""
    for module in pkgutil.walk_packages(views.__path__, "kafkalab.views."):
        importlib.import_module(module.name)
    found = {one for one in (*Heard.__subclasses__(), *LiveView.__subclasses__()) if one is not LiveView}
    return {one for one in found if one.__module__.startswith("kafkalab.views.")}


class Still(NamedTuple):
    """A view that nothing feeds, one of harmful names, and words that each static form of the first says."""

    plain: Callable[[], LiveView]
    evil: Callable[[], LiveView]
    facts: tuple[str, ...]


class Recorded(NamedTuple):
    """A recording, the view of it, and moments of which no two look the same."""

    tape: Callable[[], Recording]
    view: Callable[[Recording], LiveView]
    moments: tuple[float, ...]


def group(found: tuple[Any, Any]) -> GroupView:
    snapshot, history = found
    return GroupView.of(snapshot, history=history)


def durability(said: str = "") -> DurabilityView:
    plain = durability_samples.result().to_dict()
    plain["cells"][0].update({"error": said, "why": said, "lost_words": said} if said else {})
    return DurabilityView.of(plain)


def ledger_of(*ids: str) -> LedgerView:
    ledger = Ledger()
    for id in ids:
        ledger.acknowledged(id)
    return LedgerView.of(ledger.result(), topic=EVIL)


def logs(key: str = "k") -> LogView:
    ill: dict[str, Any] = {"key": key, "key_id": key.encode(), "value": key, "headers": ((key, key),)}
    some = log_samples.windows(p0_36=log_samples.record(0, 36, **ill)) if key != "k" else log_samples.windows()
    return LogView.of(log_samples.snapshot(c2=1), TOPIC, some)


def zookeeper(text: str = "x") -> MetadataView:
    nodes = {**metadata_samples.tree_of(101), "/x": metadata_samples.znode("/x", {"a": text}, children=[text])}
    events = EVENTS[: 1 if text == "x" else 2]
    return metadata_samples.still(metadata_samples.ZOOKEEPER, znodes=nodes, events=events)


def kraft(text: str = "x") -> MetadataView:
    data = {"brokerId": 102, "fenced": 1, "x": text}
    records = [MetadataRecord(498, metadata_samples.T, "BrokerRegistrationChangeRecord", data)]
    return metadata_samples.still(metadata_samples.KRAFT, records=records, events=[Event(1.0, "you", text)])


def keys(*keys: bytes) -> PartitionerView:
    places = Places()
    places.add(Placed(key, partition_of(key, 3), i) for i, key in enumerate(keys))
    return PartitionerView.of(HEALTHY, TOPIC, places)


def prediction(*names: str) -> PredictView:
    asked = Prediction.arrangement(f"Where is {names[0]}?", chips=names, places=names[::-1])
    asked.lock(dict.fromkeys(names, names[0]))
    asked.compare(dict.fromkeys(names, names[-1]), names[0])
    return asked.view


def progress(title: str) -> ProgressView:
    told = samples.progress("right")
    for one in (*told["exercises"], *told["labs"]):
        one["title"] = title
    return ProgressView(lambda: told)


def record(*text: bytes) -> RecordView:
    headers = [(one.decode(errors="replace"), one) for one in text]
    return RecordView.of(log_samples.batch((text[0], text[-1], headers)), TOPIC)


def stream(evil: str = "") -> StreamView:
    found = stream_samples.reports("copy")
    for each in found if evil else ():
        (source,) = each["sources"]
        source["description"] = each["name"] = each["sink"]["description"] = evil
        for name in ("startOffset", "endOffset", "latestOffset"):
            source[name] = source[name] and {evil: source[name]["trucks_gps"]}
    return StreamView.of(found)


def trucks(*ids: str) -> TruckMap:
    shown = TruckMap(title=ids[0], geofences=[Geofence(ids[0][:60], [(50, 9), (50, 12), (53, 12)])])
    n = len(ids)
    shown.update(ids, [48.0 + i for i in range(n)], [9.0] * n, [*range(n)], [80.0] * n)
    return shown


TRUCK_KEYS = [b"T%04d" % i for i in range(200)]
BYTES = (EVIL.encode(), b"\xff\xfe", b"")

STILL = {
    "cluster": Still(
        lambda: ClusterView.of(HEALTHY, cluster_samples.nodes()),
        lambda: ClusterView.of(cluster_samples.hostile(), cluster_samples.nodes(), EVENTS),
        (
            *("3 of 3 brokers up", "ZooKeeper: 1 follower, 2 leader", "trucks_gps", "RF 3", "1 internal topic"),
            *("coordinator 102", "lag 15", "dashboard-1", "standing by", "trucks_gps P2"),
        ),
    ),
    "durability": Still(
        durability, lambda: durability(EVIL), ("1 of 3 brokers up", "acks=all", "✗ 50 lost", "✓ 100 kept", "⊘ refused")
    ),
    "group": Still(
        lambda: group(group_samples.death()),
        lambda: group(group_samples.hostile([HOSTILE, TURNED, LONG, "fine"])),
        ("Stable · coordinator 101 · generation 9 · range", "C4", "standing by", "nobody read P2 for 3.4 s"),
    ),
    "ledger": Still(
        lambda: LedgerView.of(ledger_samples.sample().result()),
        lambda: ledger_of(EVIL, HOSTILE, TURNED, "\ud800", "\x00"),
        ("3 of 298 acknowledged records are lost", "r007, r008, r009", "duplicated", "alien"),
    ),
    "log": Still(logs, lambda: logs(EVIL), ("dashboard", "22", "lag 9", "c2", "high watermark")),
    "metadata of ZooKeeper": Still(
        zookeeper, lambda: zookeeper(EVIL), ("controller 101", "standalone", "127.0.0.1:9101", "102")
    ),
    "metadata of KRaft": Still(kraft, lambda: kraft(EVIL), ("♛ 1", "102", "35 s")),
    "partitioner": Still(lambda: keys(*TRUCK_KEYS), lambda: keys(*BYTES), ("200 keys seen", "murmur2 puts it")),
    "prediction": Still(
        lambda: prediction("101", "103"), lambda: prediction(HOSTILE, TURNED, LONG), ("Where is 101?", "✗ ", "101")
    ),
    "progress": Still(
        lambda: progress("Messages"), lambda: progress(HOSTILE), ("2 of 6 points", "✓", "Messages", "right at try 2")
    ),
    "record": Still(
        lambda: record(b"T0001", b"v"), lambda: record(*BYTES), ("offset 40", "not compressed", "base offset")
    ),
    "stream": Still(stream, lambda: stream(EVIL), ("copy", "225 ms", "8,582")),
    "time line": Still(
        lambda: Timeline(timeline_samples.death()),
        lambda: Timeline(timeline_samples.hostile()),
        ("truck-lab", "3 of 3 brokers up", "0:42.0, recorded", "partitions"),
    ),
    "map": Still(lambda: trucks("T1", "T2"), lambda: trucks(EVIL, HOSTILE), ("2 trucks in 2 partitions",)),
}


def _cluster() -> Recording:
    tape = recorded_samples.cluster_tape((0.25, HEALTHY), (5.0, cluster_samples.WITHOUT_102))
    tape.happened(2.0, "you", "you killed broker 102")
    return tape.recording


def _ledger() -> Recording:
    tape = recorded_samples.cluster_tape((0.25, HEALTHY))
    for lost in (1, 2):
        tape.state(float(lost), "ledger/a", {"sent": 2, "lost": lost, "lost_ids": ["x", "y"][:lost]})
    return tape.recording


def fleet() -> Recording:
    """Two trucks; A moves at 3 s."""
    tape = LogTape()
    tape.cluster(0, (0, 0), (0, 0))
    put(tape, 1, 0, report("A", latitude=50, heading_deg=359.7))
    put(tape, 2, 0, report("B", latitude=-0.00004), b"nonsense", p=1)
    put(tape, 3, 1, report("A", time=2000, latitude=51.00006))
    tape.cluster(4, (0, 2), (0, 1))
    return tape.recording


def _leaders() -> Recording:
    return two_leaders().recording


#: Between what happens to the two leaders, and before and after all of it.
LEADERS = (0.0, 1.0, 2.5, 4.5, 5.5, 7.0, 8.0)

RECORDED = {
    "cluster": Recorded(_cluster, ClusterView, (0.5, 2.0, 5.0)),
    "group": Recorded(
        lambda: group_samples.recorded().recording, GroupView, (0.0, 2.0, 12.0, 19.5, 22.0, 22.4, 22.6, 23.0, 30.0)
    ),
    "ledger": Recorded(_ledger, lambda _: RecordedLedger("a"), (0.0, 1.0, 2.0)),
    "log": Recorded(_leaders, lambda recording: LogView(recording, TOPIC), LEADERS),
    "map": Recorded(fleet, lambda recording: TruckMap(recording, TOPIC), (0.0, 1.0, 2.0, 3.0)),
    "metadata of ZooKeeper": Recorded(
        lambda: metadata_samples.zookeeper().recording, MetadataView, (3.0, 5.0, 8.0, 8.015, 8.25, 8.5, 20.0)
    ),
    "metadata of KRaft": Recorded(lambda: metadata_samples.kraft().recording, MetadataView, (0.0, 3.0, 6.0, 10.0)),
    "partitioner": Recorded(_leaders, lambda recording: PartitionerView(recording, TOPIC), (0.0, 1.0, 7.0)),
    "record": Recorded(_leaders, lambda recording: RecordView(recording, TOPIC, 0, 4), (0.0, 2.5, 5.5, 7.0)),
    "newest record": Recorded(_leaders, lambda recording: RecordView(recording, TOPIC), (0.0, 1.0, 7.0)),
    "stream": Recorded(lambda: stream_samples.recorded().recording, StreamView, (0.0, 3.0, 9.5, 20.0, 100.0)),
    "time line": Recorded(timeline_samples.death, Timeline, (0.0, 12.0, 42.0)),
}

#: What may be asked of a view and is refused where nothing is behind it, of a picture that stands still or of the past.
REFUSED_STILL = {
    "durability": ("run", "halt"), "ledger": ("find",), "partitioner": ("send", "grow")
}  # fmt: skip
REFUSED_RECORDED = {
    "metadata of ZooKeeper": ("act",), "metadata of KRaft": ("log",), "partitioner": ("send", "grow"),
    "record": ("read_from",),
}  # fmt: skip
