"""The files of a broker's log in its container: read by a command in it, and copied out once it does not run."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing

import pytest

from kafkalab import Cluster
from kafkalab.cluster.docker.backend import ContainerLogDir
from kafkalab.state.connections import Connections
from kafkalab.state.log.fetched import Fetched
from kafkalab.state.log.segments import SegmentFiles
from tests.support.records import produce

pytestmark = pytest.mark.deep


def test_the_bytes_are_those_of_a_fetch_and_stay_readable_when_the_broker_is_down(up: Callable[..., Cluster]) -> None:
    with up(1) as cluster:
        cluster.create_topic("t", partitions=1, replication=1)
        for codec in (None, "gzip"):
            produce(cluster, "t", [{"key": b"k", "value": b"value " * 50_000}], compression_type=codec)
        folder = cluster.log_dir(101)
        assert isinstance(folder, ContainerLogDir)
        with closing(Connections(cluster.bootstrap_servers)) as connections:
            fetched = [Fetched(connections, "t", 0).find(offset).batch.data for offset in (0, 1)]

        def readable() -> None:
            found = [SegmentFiles(folder, 101, "t", 0).find(offset) for offset in (0, 1)]
            assert [f.batch.data for f in found] == fetched
            assert [name for name, _ in folder.segments("t", 0)] == [f"{0:020d}.log"]
            assert folder.segments("t", 7) == () and folder.read("t", 7, f"{0:020d}.log", 0, 10) == b""

        readable()
        for verb, back in (("pause", "resume"), ("kill", "start")):
            cluster.act("broker-101", verb)
            readable()
            cluster.act("broker-101", back)
