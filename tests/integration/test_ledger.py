"""The ledger against a real log in which records were lost, duplicated and put out of order on purpose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from kafka import KafkaProducer

from kafkalab import Cluster
from kafkalab.exercises.topics import read_all
from kafkalab.experiments.durability.round import quiet
from kafkalab.experiments.ledger import Ledger
from kafkalab.state.log.batch import UnreadableBatch
from kafkalab.state.log.segments import SegmentFiles
from kafkalab.state.model import Partition
from kafkalab.waiting import wait_until
from tests.support.records import read


class Application:
    """Sends records of one key to partition 0, tells a ledger, and remembers what it did."""

    def __init__(self, cluster: Cluster, topic: str, ledger: Ledger, **producer: Any) -> None:
        self.topic, self.ledger = topic, ledger
        self.producer = KafkaProducer(
            bootstrap_servers=cluster.bootstrap_servers, enable_idempotence=False, max_block_ms=10_000, **producer
        )
        # Who leads is learned now: later it might be asked of a broker that stands still.
        self.producer.partitions_for(topic)

    def send(self, *ids: str, told: bool = True) -> list[Any]:
        """Hand them to the producer, one batch an id; ``told``: the ledger hears that they are sent."""
        futures = []
        for id in ids:
            if told:
                self.ledger.sent(id, key="T0042")
            future = self.producer.send(self.topic, value=id.encode(), key=b"T0042", partition=0)
            future.add_callback(lambda _, id=id: self.ledger.acknowledged(id))
            futures.append(future)
        return futures


@pytest.mark.timeout(240)
@pytest.mark.deep
def test_what_was_lost_duplicated_and_late(one_cluster: Cluster, new_topic: Callable[[str], str]) -> None:
    cluster, topic = one_cluster, new_topic("ledger")
    cluster.create_topic(topic, replication=3)

    def partition() -> Partition:
        return cluster.snapshot().topic(topic).partitions[0]  # type: ignore[union-attr]

    leader = partition().leader
    followers = [cluster.broker(id) for id in (101, 102, 103) if id != leader]
    ledger = Ledger()
    ids = [f"T0042-{n:03d}" for n in range(60)]
    # One attempt; and one that asks again after half a second, not knowing whether the first was written.
    once = Application(cluster, topic, ledger, acks=1, retries=0)
    stubborn = Application(
        cluster, topic, ledger, acks="all", retries=100, request_timeout_ms=500, delivery_timeout_ms=20_000
    )
    with quiet():
        # An application that sends twice what it did not hear of, and one that keeps a record back.
        once.send(*ids[:20])
        once.send(*ids[5:8], told=False)
        ledger.sent(ids[20], key="T0042")
        once.send(*ids[21:30])
        once.send(ids[20], told=False)
        once.producer.flush(10)
        # A retry: the followers stand still, so that the leader writes, does not answer, and is sent the same again.
        wait_until(lambda: partition().end == 33, 20, "the followers to have it all")
        for follower in followers:
            follower.pause()
        waiting = stubborn.send(*ids[30:40])
        log = SegmentFiles(cluster.log_dir(leader), leader, topic, 0)  # type: ignore[arg-type]

        def again() -> object:
            try:
                return log.find(33 + 2 * 10 - 1)
            except UnreadableBatch:  # it is being written
                return None

        wait_until(again, 20, "a second attempt of each", period=0.01)
        for follower in followers:
            follower.resume()
        wait_until(lambda: all(f.is_done for f in waiting), 20, "an acknowledgement")
        wait_until(lambda: len(partition().isr) == 3, 60, "the followers to be in sync again")
        # Lost: acknowledged by the leader alone, which is killed before anybody has copied.
        for follower in followers:
            follower.pause()
        once.send(ids[40]).pop().get(5)  # what the followers had asked for already may be answered with this one
        once.send(ids[41]).pop().get(5)
        for future in once.send(*ids[42:60]):
            future.get(5)
        cluster.broker(leader).kill()
        for follower in followers:
            follower.resume()
        wait_until(lambda: partition().leader not in (None, leader), 30, "another leader")
        cluster.broker(leader).start()
        for application in (once, stubborn):
            application.producer.close(timeout=1)

    for record in read_all(cluster.bootstrap_servers, topic):
        ledger.seen(record.value.decode(), (record.partition, record.offset))
    result = ledger.result()
    # What lies in the log, by somebody else's reading.
    found = [r.value.decode() for r in read(cluster, topic)]
    copies = Counter(found)
    assert set(result.lost_ids) == set(ids) - set(found)
    assert set(result.lost_ids) >= set(ids[42:])
    assert set(result.duplicated_ids) == {id for id, n in copies.items() if n > 1} == {*ids[5:8], *ids[30:40]}
    place = {id: found.index(id) for id in copies}
    late = {id for id in copies if any(place[other] < place[id] for other in copies if other > id)}
    assert set(result.out_of_order_ids) == late == {ids[20]}
    assert (result.sent, result.acknowledged, result.unacknowledged, result.strangers) == (60, 60, 0, 0)
    assert result.seen == len(copies) == 60 - result.lost
    assert result.redelivered == 0
    again = read_all(cluster.bootstrap_servers, topic)[:7]
    ledger.seen_many([r.value.decode() for r in again], [(r.partition, r.offset) for r in again])
    assert set(ledger.result().redelivered_ids) == {r.value.decode() for r in again}
