"""Samples for views on plain pages: a small picture each, as the kernel would draw it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kafkalab.exercises.predict.prediction import Prediction
from kafkalab.experiments.ledger import Ledger
from kafkalab.handles.recording import Recording
from kafkalab.history.tracks.logs import Reported
from kafkalab.sources.fleet import Fleet
from kafkalab.state.log.batch import Batch
from kafkalab.state.log.fetched import Placed
from kafkalab.state.log.murmur2 import partition_of
from kafkalab.state.log.segments import Found, Neighbour
from kafkalab.state.metadata.log import MetadataRecord
from kafkalab.state.metadata.znodes import Znode
from kafkalab.state.stream import Trigger
from kafkalab.views.durability import picture as durability_picture
from kafkalab.views.group import picture as group_picture
from kafkalab.views.ledger import picture as ledger_picture
from kafkalab.views.map.geofences import Fences
from kafkalab.views.map.geography import geography
from kafkalab.views.map.picture import Trucks
from kafkalab.views.map.view import TruckMap
from kafkalab.views.metadata.events import Entry
from kafkalab.views.metadata.view import MetadataView
from kafkalab.views.partitioner import picture as partitioner_picture
from kafkalab.views.partitioner.picture import Places, Sent
from kafkalab.views.record import picture as record_picture
from kafkalab.views.record.picture import Copy, Look
from kafkalab.views.stream import picture as stream_picture
from kafkalab.views.timeline.view import Timeline
from tests.unit.state.batches import encoded
from tests.unit.views import group_samples, timeline_samples
from tests.unit.views.durability_samples import result
from tests.unit.views.ledger_samples import sample
from tests.unit.views.metadata_samples import KRAFT, ZOOKEEPER, T, still, tree_of
from tests.unit.views.stream_samples import reports

Drawn = dict[str, Any]


def durability(**part: object) -> Drawn:
    """A matrix that was run, whole or in part."""
    return durability_picture.drawn({**result(**part).to_dict(12), "cluster": "lab"}, live=True)


def group(**options: Any) -> Drawn:
    """A group one of whose members dies."""
    snapshot, history = group_samples.death()
    return group_picture.drawn(snapshot, "dashboard", history, **options)


def ledger(of: Ledger | None = None, **more: Any) -> Drawn:
    """300 records, of which some are lost."""
    return ledger_picture.drawn((of or sample()).counts(20), **{"topic": "trucks_gps", "live": True, **more})


KILLED = [
    Entry(T, "you", "you killed broker 102", "here"),
    Entry(
        T + 2.47, "gone", "its session expired", "watch", "NodeDeleted", "/brokers/ids/102", short="102's session over"
    ),
    *(
        Entry(T + 2.5, "leader", f"t P{i}: leader 102 → 101", "watch", "NodeDataChanged", f"/s/{i}", "leader",
              isr="shrank")
        for i in range(3)
    ),
]  # fmt: skip


def zookeeper(nodes: dict[str, Znode | None] | None = None, entries: list[Entry] | None = None, **more: Any) -> Drawn:
    """The tree of a ZooKeeper, and how a broker's session ended."""
    happened = KILLED if entries is None else entries
    side = _side(still(ZOOKEEPER, znodes=tree_of(101) if nodes is None else nodes), happened)
    return {"sides": {"0": side | {"connection": {"state": "connected", "since": T, "session": "0xabc"}, **more}}}


def kraft(records: tuple[MetadataRecord, ...] | None = None, **more: Any) -> Drawn:
    """A quorum of KRaft, one of whose voters is behind."""
    return {"sides": {"0": _side(still(KRAFT, records=records), KILLED[:1]) | more}}


def _side(view: MetadataView, entries: list[Entry]) -> Drawn:
    (side,) = view._sides
    side.happened.add(entries)
    view.close()
    return {**side.drawn(), "recorded": False, "at": None}


TRUCKS = [b"T%04d" % i for i in range(150)]


def partitioner(
    keys: Sequence[bytes] = TRUCKS, now: int = 10, then: int = 10, sent: tuple[Sent, ...] = (), **more: Any
) -> Drawn:
    """Keys that were sent when there were so many partitions."""
    places = Places()
    places.add(Placed(key, partition_of(key, then), i) for i, key in enumerate(keys))
    places.add([Placed(None, 0, 900)])
    how = {"live": True, "looked": True, **more}
    return partitioner_picture.drawn("trucks_gps", now, places, sent, **how)


def question(several: bool = False) -> Prediction:
    """One that is answered by chips put on brokers."""
    places = {101: "broker 101", 102: "broker 102", 103: "broker 103"}
    asked = "Broker 102 is killed. Who leads each partition then?"
    return Prediction.arrangement(asked, chips=["P0", "P1", "P2"], places=places, several=several)


def predict(of: Prediction | None = None) -> Drawn:
    """A question."""
    return {**(of or question()).drawn()}


TITLES = ("Read it all, and come to an end", "Who leads now?", "Copies enough")


def progress(*outcomes: str, **more: Any) -> Drawn:
    """The progress picture: the exercises of one lab, among 22 labs."""
    exercises = [
        {"id": f"00.{at + 1}", "title": TITLES[at], "outcome": outcome, "points": 2 * (outcome == "right"), "out_of": 2,
         "words": {"right": "right at try 2", "wrong": "not right yet"}.get(outcome, outcome)}
        for at, outcome in enumerate(outcomes)
    ]  # fmt: skip
    points = sum(one["points"] for one in exercises)
    labs = [
        {"number": f"{n:02d}", "title": f"Lab {n}", "notebook": f"{n:02d}.ipynb", "points": points if n == 0 else 0,
         "out_of": 6, "words": f"{points} of 6 points" if n == 0 else "not begun", "here": n == 0,
         "minutes": 25, "can": "send a record, and read it"}
        for n in range(22)
    ]  # fmt: skip
    labs[0] |= {"title": "Start here", "notebook": "00_start_here.ipynb"}
    labs[1] |= {"title": "Why Kafka", "notebook": "01_why_kafka.ipynb"}
    return {"course": False, "exercises": exercises, "labs": labs, "kept": True, "note": "", **more}


Record = tuple[bytes, bytes, list[tuple[str, bytes]]]
COPIES = (Copy(101, "leader", "shown"), Copy(102, "follower", "same"), Copy(103, "down", "missing"))


def record(offset: int = 42, codec: int = 0, odd: Record | None = None) -> Drawn:
    """A batch of five records of trucks; ``odd`` takes the place of the third."""
    records: list[Record] = [
        (b"T%04d" % i, b'{"speed_kmh": %d}' % (80 + i) * 20, [("source", b"fleet")]) for i in range(5)
    ]
    records[2] = odd or records[2]
    batch = Batch.read(encoded(*records, codec=codec, base=40, producer=(1000, 0, 7)))
    found = Found(batch, 101, "00000000000000000000.log", 500, Neighbour(38, 39), Neighbour(45, 45))
    return record_picture.drawn(Look("trucks_gps", 3, offset, found, None, 0, 46, COPIES), live=True)


EVERY = {"windows": Trigger("processing time", 1000), "copy": Trigger("processing time", 500),
         "realtime": Trigger("real time", 5000), "fails": Trigger("processing time", 500)}  # fmt: skip


def stream(query: str = "windows", **more: Any) -> Drawn:
    """What Spark reported of a real query."""
    return {**stream_picture.recorded(reports(query), EVERY[query]), **more}


def timeline(at: float = 20.0, recording: Recording | None = None, **more: Any) -> Drawn:
    """What the bar is drawn from when the playhead stands there; by default of the death of a broker."""
    recording = recording or timeline_samples.death()
    view = Timeline(recording)
    recording.playhead.seek(at)
    state = {**view.state, **more}
    view.close()
    return state


TRAITS = ("selected", "following", "colour_by", "presenter", "geography", "live", "state")


def traits_of(shown: TruckMap) -> Drawn:
    """The traits of a map, as a page is given them."""
    return {name: getattr(shown, name) for name in TRAITS}


def recorded_map(trucks: int = 60, t: float = 0.0) -> Drawn:
    """The picture of a map of a recording: a fleet at second ``t``."""
    fleet = Fleet(trucks)
    reports = {r.truck_id: r for r in fleet.reports(t, t + 1)}
    told = {
        id: Reported(r.latitude, r.longitude, r.speed_kmh, r.heading_deg, i % 10)
        for i, (id, r) in enumerate(reports.items())
    }
    return reported(told, "trucks_gps", 1_000_000.0 + t)


def reported(trucks: dict[str, Reported], title: str, at: float) -> Drawn:
    """The picture of these trucks, on a map of a recording."""
    known = Trucks()
    known.show(trucks)
    return {**known.drawn(Fences([], geography().projection), title, at)}


def fleet_map(trucks: int = 100, t: float = 0.0, **options: Any) -> TruckMap:
    """Trucks of ten partitions where they are after so many seconds."""
    shown, fleet = TruckMap(**{"title": "trucks_gps", **options}), Fleet(trucks)
    at, partition = fleet.at(t), [i % 10 for i in range(trucks)]
    shown.update(fleet.truck_ids, at.latitude, at.longitude, partition, at.speed_kmh, at.heading_deg)
    return shown
