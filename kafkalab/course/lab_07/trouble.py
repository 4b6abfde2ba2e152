"""Lab 07's faults: records at a steady rate, and a leader that dies at the worst moment for a producer."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from kafkalab.course.figures import latency_figure as latency_figure  # the notebook calls it
from kafkalab.errors import WaitTimeout
from kafkalab.exercises.topics import read_all, tidy
from kafkalab.experiments.ledger import Ledger
from kafkalab.waiting import wait_until

if TYPE_CHECKING:
    from kafkalab.handles.cluster import Cluster


def steadily(count: int, each: float = 0.001) -> Iterator[int]:
    """Yield 0, 1, 2, …, one every ``each`` seconds; what comes too late is made up for."""
    began = time.perf_counter()
    for number in range(count):
        time.sleep(max(0.0, began + number * each - time.perf_counter()))
        yield number


def storm(cluster: Cluster, topic: str, settings: Mapping[str, Any], records: int = 40) -> Ledger:
    """Send records to one partition while its leader dies at the worst moment, and return their ledger.

    Of the first half some reach the leader and one follower, and the second half at most the leader, because followers
    stand still (SIGSTOP). It is killed, and starts again when every record is answered, or after 20 s.
    """
    from kafka import KafkaAdminClient, KafkaProducer, errors

    servers, snapshot = cluster.bootstrap_servers, cluster.snapshot()
    # The death of the controller takes longer, because a new one must be elected first.
    at = min((p for p in snapshot.partitions() if p.topic == topic), key=lambda p: p.leader == snapshot.controller)
    leader, (near, far) = at.leader or 0, [id for id in at.replicas if id != at.leader]
    ids = [f"{mark}-{number:02d}" for mark in [time.time_ns() % 100_000] for number in range(records)]
    ledger, futures, healing = Ledger(), list[Any](), False

    def answered(always: bool = False) -> None:
        with suppress(WaitTimeout):
            if always or settings.get("acks") in (0, 1):  # with all, no answer comes while a follower stands still
                wait_until(lambda: all(one.is_done for one in futures), 20, "an answer to every record")

    def size(broker: int) -> int:
        told = admin.describe_log_dirs({topic: [at.partition]}, brokers=[broker])
        return sum(p["partition_size"] for d in told[0]["log_dirs"] for t in d["topics"] for p in t["partitions"])

    admin, other = KafkaAdminClient(bootstrap_servers=servers), KafkaProducer(bootstrap_servers=servers, acks=1)
    producer = KafkaProducer(**{**settings, "bootstrap_servers": servers})
    try:
        for one in (producer, other):  # now each knows the leader, and an idempotent one has its id
            one.send(topic, value=b"calm", partition=at.partition).get(timeout=30)
        before = size(leader)
        cluster.broker(far).pause()
        for number, id in enumerate(ids):
            if number == records // 2:
                answered()
                wait_until(lambda: before < size(leader) == size(near), 20, "a follower to have them")
                cluster.broker(near).pause()
                for _ in range(3):  # they use up the request that a paused follower still has open
                    other.send(topic, value=b"calm", partition=at.partition).get(timeout=30)
            ledger.sent(id)
            futures.append(producer.send(topic, id.encode(), partition=at.partition))
            futures[-1].add_callback(lambda _, id=id: None if healing else ledger.acknowledged(id))
        answered()
        cluster.broker(leader).kill()
        for broker in (near, far):
            cluster.broker(broker).resume()
        cluster.wait_for(lambda s: all(p.leader not in (None, leader) for p in s.partitions() if p.topic == topic), 60)
        answered(always=True)
    finally:
        healing = True
        try:
            tidy(cluster)
        finally:
            admin.close()
            for one in (producer, other):
                with suppress(errors.KafkaTimeoutError):  # kafka-python may never answer a record that it gave up
                    one.close(timeout=5)
    for record in read_all(servers, topic):
        if (id := record.value.decode(errors="replace")) in ids:
            ledger.seen(id, (record.partition, record.offset))
    return ledger
