"""The files of a broker's log in its container: read by a command in it, and copied out once it does not run."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from kafka import KafkaProducer

from kafkalab import Cluster
from kafkalab.cluster.docker.log_dir import ContainerLogDir
from kafkalab.state.connections import Connections
from kafkalab.state.fetched import Fetched
from kafkalab.state.log_segments import SegmentFiles

pytestmark = pytest.mark.deep


def test_the_bytes_are_those_of_a_fetch_and_stay_readable_when_the_broker_is_down(up: Callable[..., Cluster]) -> None:
    with up(1) as cluster:
        cluster.create_topic("t", partitions=1, replication=1)
        for codec in (None, "gzip"):
            producer = KafkaProducer(bootstrap_servers=cluster.bootstrap_servers, compression_type=codec)
            producer.send("t", key=b"k", value=b"value " * 50_000)
            producer.flush()
            producer.close()
        folder = cluster.log_dir(101)
        assert isinstance(folder, ContainerLogDir)
        connections = Connections(cluster.bootstrap_servers)
        try:
            fetched = [Fetched(connections, "t", 0).find(offset) for offset in (0, 1)]
        finally:
            connections.close()

        def read() -> list[bytes]:
            found = [SegmentFiles(folder, 101, "t", 0).find(offset) for offset in (0, 1)]
            return [f.batch.data for f in found if f is not None]

        assert read() == [f.batch.data for f in fetched if f is not None] and len(read()) == 2
        segments = folder.segments("t", 0)
        assert [name for name, _ in segments] == [f"{0:020d}.log"]
        assert folder.segments("t", 7) == ()
        for verb, back in (("pause", "resume"), ("kill", "start")):
            cluster.act("broker-101", verb)
            assert folder.segments("t", 0) == segments
            assert folder.segments("t", 7) == ()
            assert read() == [f.batch.data for f in fetched if f is not None]
            assert folder.read("t", 7, f"{0:020d}.log", 0, 10) == b""
            cluster.act("broker-101", back)
