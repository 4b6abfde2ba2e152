"""Lab 06's brokers, which join, hang and leave, and its topics' records."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kafkalab.cluster import probe
from kafkalab.cluster.net import LOOPBACK
from kafkalab.course.guests import as_before as as_before  # the notebook calls them
from kafkalab.course.guests import hang as hang
from kafkalab.course.guests import join as join
from kafkalab.exercises.topics import read_all
from kafkalab.waiting import wait_until

if TYPE_CHECKING:
    from kafkalab.handles.cluster import Cluster


def read(cluster: Cluster, topic: str) -> list[str]:
    """Return the values of all records in the topic, as text, once all brokers that run name the same leaders."""
    ports = [node.port or 0 for node in cluster.nodes() if node.role == "broker" and node.state == "running"]

    def agreed() -> bool:
        told = [probe.leaders(LOOPBACK, port, topic) for port in ports]
        return told == told[:1] * len(told) and isinstance(told[0], dict) and all(id > 0 for id in told[0].values())

    wait_until(agreed, 60, f"every broker to know who leads {topic}")
    return [record.value.decode() for record in read_all(cluster.bootstrap_servers, topic)]
