"""Lab 03's checks that look at a broker's disk; those that need no cluster are in tests/unit/checks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from kafka import KafkaProducer

from kafkalab import Cluster
from kafkalab.checks import lab_03
from kafkalab.checks.lab_03_disk import batches_in, found_on_disk, on_disk
from kafkalab.checks.topics import passing_topic, publish
from kafkalab.errors import KafkalabError, NotSupported, Unreachable
from tests.integration.lab_answers import accept, accept_solution, raises, refuse_the_rest, reject


def leftovers(cluster: Cluster) -> list[str]:
    return [topic.name for topic in cluster.snapshot().topics if topic.name.startswith("lab03-")]


def test_03_2_what_a_header_says(one_cluster: Cluster) -> None:
    exercise = lab_03.exercises(one_cluster)[1]
    assert exercise.check(...).outcome == "not attempted"
    reject(exercise, {"this is None": None, "this is text": "gzip", "raised RuntimeError": raises})
    accept_solution(exercise, "batch_facts")
    codecs = ["none", "gzip", "snappy", "lz4", "zstd"]
    accept(
        exercise,
        lambda raw: {
            "base_offset": np.frombuffer(raw[:8], ">i8")[0],
            "records": np.frombuffer(raw[57:61], ">i4")[0],
            "codec": np.str_(codecs[raw[22] & 7]),
        },
    )
    assert leftovers(one_cluster) == []


def send(servers: str, topic: str, records: list[tuple[bytes, bytes]], **settings: Any) -> KafkaProducer:
    settings = {"linger_ms": 1000, "batch_size": 65_536, "compression_type": "gzip"} | settings
    producer = KafkaProducer(bootstrap_servers=servers, **settings)
    for key, value in records:
        producer.send(topic, value, key)
    return producer


def test_03_3_little_room(one_cluster: Cluster) -> None:
    exercise = lab_03.exercises(one_cluster)[2]
    refuse_the_rest(exercise)

    def only_full(servers: str, topic: str, records: list[tuple[bytes, bytes]]) -> None:
        send(servers, topic, records, compression_type=None).close()

    def only_packed(servers: str, topic: str, records: list[tuple[bytes, bytes]]) -> None:
        send(servers, topic, records, batch_size=0).close()

    def not_waiting(servers: str, topic: str, records: list[tuple[bytes, bytes]]) -> None:
        waiting.append(send(servers, topic, records, linger_ms=60_000, batch_size=1_000_000))

    waiting: list[KafkaProducer] = []
    reject(
        exercise,
        {
            "nothing is compressed": only_full,
            "1.0 records in a batch": only_packed,
            "0 of 500 records had arrived": not_waiting,
        },
    )
    accept_solution(exercise, "send_thriftily", KafkaProducer=KafkaProducer)
    for producer in waiting:
        # Its topic is gone: what it holds is given up, not sent to a topic that it would make anew.
        producer._sender.force_close()
        producer._sender.join(timeout=10)
    assert leftovers(one_cluster) == []


def test_the_disk_holds_what_was_sent_and_what_is_not_there_is_named(one_cluster: Cluster) -> None:
    with passing_topic(one_cluster, "lab03-test", partitions=2) as topic:
        publish(one_cluster.bootstrap_servers, topic, [(b"k", b"a value to be found", 1)])
        assert b"a value to be found" in on_disk(one_cluster, topic, 1)
        assert [batch.header.record_count for batch in batches_in(on_disk(one_cluster, topic, 1))] == [1]
        found = found_on_disk(one_cluster, topic, 1, 0)
        assert (found.batch.data, found.at) == (on_disk(one_cluster, topic, 1), 0)
        with pytest.raises(KafkalabError, match="no record at offset 1"):
            found_on_disk(one_cluster, topic, 1, 1)
        assert on_disk(one_cluster, topic, 0) == b""
        with pytest.raises(KafkalabError, match="Nobody leads partition 7"):
            on_disk(one_cluster, topic, 7)
        elsewhere = Cluster.connect(one_cluster.bootstrap_servers)
        with pytest.raises(NotSupported, match="out of reach"):
            on_disk(elsewhere, topic, 1)


def test_with_nobody_there_no_answer_is_wrong() -> None:
    class Gone:
        bootstrap_servers = "127.0.0.1:1"

        def create_topic(self, *args: Any, **kwargs: Any) -> None:
            raise Unreachable("No broker answers at 127.0.0.1:1.")

    gone: Any = Gone()
    outcomes = {lab_03.exercises(gone)[n].check(raises).outcome for n in (1, 2)}
    assert outcomes == {"could not be judged"}
