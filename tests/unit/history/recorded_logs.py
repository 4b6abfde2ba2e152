"""Recordings of a topic's logs, made by hand of real batches: what was there when is known exactly."""

from __future__ import annotations

import base64
from typing import Any

from kafkalab.state.model import Broker, Group, GroupOffset, Member, Partition, Snapshot, Topic
from tests.unit.state.batches import encoded
from tests.unit.views.recorded_samples import BEGAN, Tape

TOPIC = "trucks_gps"


class LogTape(Tape):
    """Records partitions of a topic: ``cluster`` puts a snapshot, ``batch`` what a leader hands out."""

    def __init__(self, topic: str = TOPIC) -> None:
        super().__init__(BEGAN)
        self.topic = topic

    def cluster(
        self, at: float, *spans: tuple[int | None, int | None], leader: int | None = 101, epoch: int = 0
    ) -> None:
        """A snapshot: of each partition its log start and high watermark."""
        partitions = tuple(
            Partition(self.topic, p, leader, (101, 102, 103), (101, 102, 103), start, high, epoch)
            for p, (start, high) in enumerate(spans)
        )
        group = Group(
            "dashboard", "Stable", 102, (Member("c1-1", "c1", "/127.0.0.1", ((self.topic, 0),)),),
            (GroupOffset(self.topic, 0, 1, 1),), "range",
        )  # fmt: skip
        snapshot = Snapshot(
            "id", "zookeeper", 101, BEGAN + at,
            tuple(Broker(id, "127.0.0.1", 9000 + id, True) for id in (101, 102, 103)),
            (Topic(self.topic, partitions),) if spans else (), (group,),
        )  # fmt: skip
        self.state(at, "snapshot", snapshot.to_dict())

    def batch(
        self, at: float, base: int, *keys: str | None, p: int = 0, leader: int = 101, epoch: int = 0, **more: Any
    ) -> bytes:
        """A batch with a record for each key; its bytes."""
        records = [(None if k is None else k.encode(), f"{k}@{at:g}".encode(), ()) for k in keys]
        data = encoded(*records, base=base, **more)
        self.data(at, base, len(keys), data, p=p, leader=leader, epoch=epoch)
        return data

    def data(self, at: float, base: int, records: int, data: bytes, *, p: int = 0, **by: int) -> None:
        """A batch, from its bytes."""
        leader, epoch = by.get("leader", 101), by.get("epoch", 0)
        self.given(at, [leader, epoch, base, base + records, base64.b64encode(data).decode()], p=p)

    def left_out(self, at: float, base: int, next_: int, p: int = 0) -> None:
        """A stretch that was too much to be recorded."""
        self.given(at, [101, 0, base, next_, None], p=p)

    def given(self, at: float, item: Any, p: int = 0) -> None:
        """Anything at all where a batch is meant."""
        self.item(at, f"batches/{self.topic}/{p}", item)

    def deleted(self, at: float) -> None:
        """The topic is seen to be gone."""
        event = {"at": BEGAN + at, "kind": "topic_deleted", "text": "topic deleted", "topic": self.topic}
        self.item(at, "events", event)


def two_leaders() -> LogTape:
    """Broker 101 leads until 4 s; what it had beyond the high watermark is lost, and 102 has others there.

    0 to 3 committed at 1 s; 4 and 5 uncommitted at 2 s and gone at 4 s; 4 to 6 from the new leader at 5 s, committed at
    6 s; 0 and 1 deleted at 8 s.
    """
    tape = LogTape()
    tape.cluster(0, (0, 0))
    tape.batch(1, 0, "a", "b")
    tape.batch(1, 2, "c", None)
    tape.cluster(1, (0, 4))
    tape.batch(2, 4, "x", "y")
    tape.cluster(4, (0, 4), leader=102, epoch=1)
    tape.batch(5, 4, "d", "e", "f", leader=102, epoch=1)
    tape.cluster(6, (0, 7), leader=102, epoch=1)
    tape.cluster(8, (2, 7), leader=102, epoch=1)
    return tape
