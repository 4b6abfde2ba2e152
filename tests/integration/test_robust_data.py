"""A named cluster comes back with every acknowledged record: stopped in order, killed, or with damaged files."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from kafkalab import Cluster
from kafkalab.cluster.folder import ClusterFolder, clean_abandoned
from kafkalab.errors import KafkalabError
from tests.support.traces import closed_in_order, fingerprint, in_sync, no_process_left, read, supervisor, write

ZEROS = bytes(64)


def shorten(path: Path, by: int) -> None:
    os.truncate(path, max(0, path.stat().st_size - by))


WRITER = """
import sys
from kafka import KafkaProducer
producer = KafkaProducer(bootstrap_servers=sys.argv[1], acks="all", linger_ms=1)
for key in range(100_000):
    sent = producer.send("t", key=b"%d" % key, value=b"x" * 100)
    sent.add_callback(lambda _, key=key: print(key, flush=True))
"""


def killed_while_it_writes(cluster: Cluster) -> set[int]:
    """The keys acknowledged before supervisor and nodes were all killed at once."""
    # A process of its own: a producer whose cluster has gone does not end by itself.
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, cluster.bootstrap_servers],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert writer.stdout is not None
    acknowledged = {int(writer.stdout.readline()) for _ in range(2000)}
    supervisor(cluster).kill()
    no_process_left(cluster.name)
    writer.kill()
    whole = writer.communicate()[0].rpartition("\n")[0]
    return acknowledged | {int(key) for key in whole.split()}


def damage(data: Path) -> None:
    """What a full disk or a power cut leaves of small files and of the ends of logs."""
    shorten(data / "broker-101" / "meta.properties", 12)
    (data / "broker-102" / "replication-offset-checkpoint").write_bytes(ZEROS)
    (data / "broker-102" / "t-0" / "leader-epoch-checkpoint").write_bytes(ZEROS)
    (data / "broker-102" / "t-1" / "partition.metadata").write_bytes(b"")
    (data / "broker-103" / "recovery-point-offset-checkpoint").write_bytes(ZEROS)
    for index in (data / "broker-103").glob("t-*/*index"):
        index.write_bytes(ZEROS[:13])
    for log in (data / "broker-103").glob("t-*/*.log"):
        with log.open("ab") as f:  # a batch that was only begun
            f.write(ZEROS[:30])
    for vote in (data / "broker-101").glob("__cluster_metadata-0/quorum-state"):
        shorten(vote, 9)
    for first in (data / "broker-102").glob("bootstrap.checkpoint"):
        shorten(first, 20)
    for myid in data.glob("zookeeper-1/myid"):
        myid.unlink()
    shutil.rmtree(data.parent / "settings")
    (data.parent / "cluster.json").write_text("")


def test_killed_whole_and_damaged_and_then_stopped_it_keeps_what_was_acknowledged(home, mode, caplog):
    name = f"hard-{mode}"
    folder = ClusterFolder.of(name)
    cluster = Cluster(3, mode, name=name, quiet=True)
    cluster.create_topic("t", partitions=4, replication=3, settings={"min.insync.replicas": "2"})
    acknowledged = killed_while_it_writes(cluster)
    cluster.stop()
    damage(folder.path / "data")
    old = folder.path.stat().st_mtime - 3600
    os.utime(folder.path, (old, old))
    assert clean_abandoned() == []  # a file that cannot be read makes a named cluster no rubbish

    with Cluster(3, mode, name=name, quiet=True) as cluster:
        assert read(cluster, "t", frozenset(acknowledged)) >= acknowledged
        in_sync(cluster)
        write(cluster, "t", range(100_000, 100_200))
        acknowledged |= set(range(100_000, 100_200))
    for file in ("meta.properties", "replication-offset-checkpoint", "leader-epoch-checkpoint", "partition.metadata"):
        assert f"{file} was damaged" in caplog.text
    assert json.loads((folder.path / "cluster.json").read_text())["cluster_id"] == cluster.cluster_id

    # It was stopped in order now: no log is read through, and none of the brokers waited for another in vain.
    assert closed_in_order(folder) == {"broker-101", "broker-102", "broker-103"}
    for id in (101, 102, 103):
        assert "shutdown of RaftClient timed out" not in folder.tail(f"broker-{id}", 500)
        folder.log(f"broker-{id}").write_text("")
    with Cluster(3, mode, name=name, throw_away=True, quiet=True) as cluster:
        assert read(cluster, "t", frozenset(acknowledged)) >= acknowledged
        for id in (101, 102, 103):
            assert "since clean shutdown file was found" in cluster.backend.log_tail(f"broker-{id}", 2000)
    assert not folder.path.exists()


@pytest.fixture(scope="module")
def stopped(home, mode):
    """A named cluster that was stopped: its folder."""
    name = f"kept-{mode}"
    with Cluster(1, mode, name=name, quiet=True) as cluster:
        cluster.create_topic("t")
    yield ClusterFolder.of(name)
    ClusterFolder.of(name).remove()


@pytest.fixture
def folder(stopped, tmp_path):
    """The stopped cluster, put back as it was after each test."""
    shutil.copytree(stopped.path, tmp_path / "copy")
    yield stopped
    shutil.rmtree(stopped.path)
    shutil.copytree(tmp_path / "copy", stopped.path)


def refused(folder: ClusterFolder, mode: str, brokers: int = 1) -> KafkalabError:
    """What a start says that is refused before anything is launched, and leaves the data as it is."""
    before = fingerprint(folder.path / "data")
    with pytest.raises(KafkalabError) as e:
        Cluster(brokers, mode, name=folder.name, quiet=True)
    assert fingerprint(folder.path / "data") == before
    no_process_left(folder.name)
    return e.value


def test_data_of_another_cluster_is_refused(folder, mode):
    meta = folder.path / "data" / "broker-101" / "meta.properties"
    lines = meta.read_text().splitlines()
    foreign = "cluster.id=AAAAAAAAAAAAAAAAAAAAAA"
    meta.write_text("\n".join(foreign if line.startswith("cluster.id") else line for line in lines) + "\n")
    e = refused(folder, mode)
    assert "broker-101 is not that of the cluster" in e.what
    assert "AAAAAAAAAAAAAAAAAAAAAA" in e.seen


def test_data_of_the_other_mode_is_refused(folder, mode):
    other = "kraft" if mode == "zookeeper" else "zookeeper"
    e = refused(folder, other)
    assert f"mode={mode!r}" in e.seen
    assert "kafkalab down --remove" in e.do


def test_data_of_a_newer_kafka_is_refused(folder, mode):
    file = folder.path / "cluster.json"
    content = json.loads(file.read_text())
    assert content["version"] in ("3.9.2", "4.3.1")
    file.write_text(json.dumps({**content, "version": "99.0.0"}))
    assert "Kafka 99.0.0, which is newer" in refused(folder, mode).what


def test_data_without_its_metadata_is_refused(folder, mode):
    gone = "zookeeper-1/version-2" if mode == "zookeeper" else "broker-101/__cluster_metadata-0"
    shutil.rmtree(folder.path / "data" / gone)
    assert "Most of the metadata" in refused(folder, mode).what


def test_data_without_its_file_and_of_another_shape_is_refused(folder, mode):
    (folder.path / "cluster.json").write_text('{"spec"')
    e = refused(folder, mode, brokers=2)
    assert "cannot be read" in e.what
    assert "broker-102" in e.seen
