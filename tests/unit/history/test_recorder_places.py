"""How far a partition was read while it is recorded: through elections, floods, and topics that come and go."""

from __future__ import annotations

from typing import Any

from kafkalab.history.recorder import FIRST, MOST_READ, NEWEST, Places
from kafkalab.state.model import Broker, Partition, Snapshot, Topic


def snapshot(*partitions: Partition) -> Snapshot:
    names = sorted({p.topic for p in partitions})
    topics = tuple(Topic(n, tuple(p for p in partitions if p.topic == n), n.startswith("__")) for n in names)
    return Snapshot("id", "zookeeper", 101, 1.0, (Broker(101, "h", 1, True),), topics)


def one(end: int | None, leader: int | None = 101, epoch: int = 0, start: int = 0, **at: Any) -> Partition:
    return Partition(at.get("topic", "t"), at.get("partition", 0), leader, (101, 102), (101,), start, end, epoch)


def learned(*partitions: Partition, topics: list[str] | None = None) -> Places:
    places = Places(topics)
    places.learn(snapshot(*partitions))
    return places


def test_the_last_records_are_read_first_and_none_that_are_gone() -> None:
    for end, start, at in ((500, 0, 500 - FIRST), (500, 450, 450), (30, 0, 0)):
        assert learned(one(end, start=start))["t", 0].at == at


def test_behind_another_leader_what_was_not_committed_is_read_again() -> None:
    places = learned(one(100))
    place = places["t", 0]
    place.at = 120  # twenty of them beyond the high watermark
    places.learn(snapshot(one(None, leader=None)))
    assert (place.at, places.due()) == (120, {}), "without a leader it is not asked"
    places.learn(snapshot(one(100, leader=102, epoch=1)))
    assert (place.at, place.leader, place.epoch) == (100, 102, 1)
    place.at = 130
    places.learn(snapshot(one(130, leader=102, epoch=1)))
    assert place.at == 130, "nothing is read twice under the same leader"
    places.learn(snapshot(one(110, leader=101, epoch=2)))
    assert place.at == 110 - FIRST, "after an unclean election the log is shorter, and other records may be in it"


def test_a_topic_of_the_same_name_is_read_from_its_beginning() -> None:
    places = learned(one(1000))
    places["t", 0].at = 1000
    places.learn(snapshot(one(5)))
    assert places["t", 0].at == 0
    places.learn(snapshot(one(7, topic="other")))
    assert list(places) == [("other", 0)]


def test_in_a_flood_the_newest_are_read_and_fewer_each_time() -> None:
    place = learned(one(10_000))["t", 0]
    place.at = 0
    assert place.skip() == (0, 10_000 - NEWEST)
    assert place.skip() == (10_000 - NEWEST, 10_000 - NEWEST // 2)
    for _ in range(20):
        place.skip()
    assert place.at == 9_999, "one record at least, however large"
    assert place.skip(everything=True) == (9_999, 10_000)


def test_only_so_many_partitions_of_the_topics_that_are_meant_are_read() -> None:
    own = one(5, topic="__consumer_offsets")
    assert list(learned(own)) == []
    assert list(learned(own, topics=["__consumer_offsets"])) == [("__consumer_offsets", 0)]
    assert list(learned(one(5), one(5, topic="u"), topics=["u"])) == [("u", 0)]
    assert len(list(learned(*(one(5, partition=p) for p in range(MOST_READ + 50))))) == MOST_READ
