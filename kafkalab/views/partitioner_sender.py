"""Sends a record and says where the broker put it."""

from __future__ import annotations

import json
import threading
from typing import Any

from kafkalab.errors import RefusedByKafka

#: How kafka-python's producer chooses a partition for a record without a key. With a key, both calculate it.
PARTITIONERS = ("random", "sticky")
#: Seconds to wait for an acknowledgement.
PATIENCE = 15


class Sender:
    """Producers of one topic, one a partitioner. What is sent at once is one batch, for which a sticky one keeps to a
    partition: it is not sent before all of it is there, however slow the machine is."""

    def __init__(self, bootstrap_servers: str, topic: str) -> None:
        self._servers = bootstrap_servers.split(",")
        self._topic = topic
        self._producers: dict[str, Any] = {}
        self._lock = threading.Lock()

    def send(self, key: bytes | None, times: int, partitioner: str) -> list[tuple[int, int]]:
        """(partition, offset) of each record, as the leader acknowledged it.

        :raises RefusedByKafka: a record was not acknowledged.
        """
        from kafka.errors import KafkaError

        value = json.dumps({"note": "sent from the partitioner view"}).encode()
        try:
            with self._lock:
                producer = self._producer(partitioner)
                sent = [producer.send(self._topic, key=key, value=value) for _ in range(times)]
                producer.flush(timeout=PATIENCE)
                found = [future.get(timeout=PATIENCE) for future in sent]
        except KafkaError as error:
            raise RefusedByKafka(
                f"The record was not acknowledged by {self._topic}.",
                seen=f"{type(error).__name__}: {error}",
                do="Has the partition a leader, and enough replicas in sync? cluster.snapshot()",
            ) from error
        return [(one.partition, one.offset) for one in found]

    def _producer(self, partitioner: str) -> Any:
        if partitioner not in self._producers:
            from kafka import KafkaProducer
            from kafka.partitioner import DefaultPartitioner, StickyPartitioner

            chooser = StickyPartitioner() if partitioner == "sticky" else DefaultPartitioner()
            self._producers[partitioner] = KafkaProducer(
                bootstrap_servers=self._servers, client_id="kafkalab-partitioner", partitioner=chooser,
                max_block_ms=1000 * PATIENCE, delivery_timeout_ms=1000 * PATIENCE, request_timeout_ms=5000,
                linger_ms=5000,  # a flush ends it
            )  # fmt: skip
        return self._producers[partitioner]

    def close(self) -> None:
        """Let go of the brokers."""
        with self._lock:
            producers, self._producers = self._producers, {}
        for producer in producers.values():
            producer.close(timeout=2)
