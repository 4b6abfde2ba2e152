"""A named cluster comes back with every acknowledged record, stopped or killed; if damaged, it begins anew."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys

import pytest

from kafkalab import Cluster
from kafkalab.cluster.folder import ClusterFolder
from kafkalab.cluster.spec import Mode
from kafkalab.errors import KafkalabError, StartFailed
from tests.support.records import read
from tests.support.stopped import Kept, kept, pristine
from tests.support.traces import closed_in_order, fingerprint, in_sync, no_process_left, supervisor, write

__all__ = ["kept", "pristine"]

ZEROS = bytes(64)


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


def keys(cluster: Cluster, count: int) -> set[int]:
    return {int(record.key) for record in read(cluster, "t", count)}


@pytest.mark.parametrize("mode", [
    pytest.param("zookeeper", marks=pytest.mark.nightly), pytest.param("kraft", marks=pytest.mark.deep),
], indirect=True)  # fmt: skip
def test_killed_whole_it_keeps_what_was_acknowledged(home, mode):
    name = f"hard-{mode}"
    folder = ClusterFolder.of(name)
    cluster = Cluster(3, mode, name=name, quiet=True)
    cluster.create_topic("t", partitions=4, replication=3, settings={"min.insync.replicas": "2"})
    acknowledged = killed_while_it_writes(cluster)
    cluster.stop()
    # What a start writes itself may be lost, and a batch may have been only begun.
    for myid in folder.path.glob("data/zookeeper-1/myid"):
        myid.unlink()
    shutil.rmtree(folder.path / "settings")
    for log in folder.path.glob("data/broker-103/t-*/*.log"):
        with log.open("ab") as f:
            f.write(ZEROS[:30])

    with Cluster(3, mode, name=name, quiet=True) as cluster:
        assert keys(cluster, len(acknowledged)) >= acknowledged
        in_sync(cluster)
        write(cluster, "t", range(100_000, 100_200))
        acknowledged |= set(range(100_000, 100_200))

    # It was stopped in order now, and none of the brokers waited for another in vain.
    closed = closed_in_order(folder)
    for id in (101, 102, 103):
        assert f"broker-{id}" in closed, folder.tail(f"broker-{id}", 60)
        assert "shutdown of RaftClient timed out" not in folder.tail(f"broker-{id}", 500)
    with Cluster(3, mode, name=name, throw_away=True, quiet=True) as cluster:
        assert keys(cluster, len(acknowledged)) >= acknowledged
    assert not folder.path.exists()


@pytest.fixture
def folder(kept: Kept, mode: Mode) -> ClusterFolder:
    """A named cluster that was stopped."""
    return kept(mode)


def refused(folder: ClusterFolder, mode: str, brokers: int = 1) -> KafkalabError:
    """What a start says that is refused before anything is launched, and leaves the data as it is."""
    before = fingerprint(folder.path / "data")
    with pytest.raises(KafkalabError) as e:
        Cluster(brokers, mode, name=folder.name, quiet=True)
    assert fingerprint(folder.path / "data") == before
    no_process_left(folder.name)
    return e.value


def newer(folder: ClusterFolder, mode: Mode) -> None:
    file = folder.path / "cluster.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "version": "99.0.0"}))


def without_metadata(folder: ClusterFolder, mode: Mode) -> None:
    gone = "zookeeper-1/version-2" if mode == "zookeeper" else "broker-101/__cluster_metadata-0"
    shutil.rmtree(folder.path / "data" / gone)


@pytest.mark.parametrize("mode", [
    pytest.param("zookeeper"), pytest.param("kraft", marks=pytest.mark.deep),
], indirect=True)  # fmt: skip
def test_data_that_do_not_fit_are_refused_and_left_alone(folder, mode, tmp_path):
    pristine = shutil.copytree(folder.path, tmp_path / "pristine")

    def told(spoil, mode=mode, brokers=1):
        shutil.rmtree(folder.path)
        shutil.copytree(pristine, folder.path)
        spoil(folder, mode)
        return refused(folder, mode, brokers)

    e = told(lambda *_: None, mode="kraft" if mode == "zookeeper" else "zookeeper")
    assert f"mode={mode!r}" in e.seen and "kafkalab down --remove" in e.do
    assert "newer Kafka, 99.0.0" in told(newer).what
    assert "is damaged" in told(without_metadata).what


@pytest.mark.parametrize("mode", [
    pytest.param("zookeeper"), pytest.param("kraft", marks=pytest.mark.deep),
], indirect=True)  # fmt: skip
def test_damaged_data_is_told_in_a_sentence_and_reset_begins_anew(folder, mode):
    (folder.path / "cluster.json").write_bytes(ZEROS)
    e = refused(folder, mode)
    assert e.what == f"The data of the cluster {folder.name!r} is damaged, so nothing was started."
    assert "cluster.json" in e.seen and e.do == f"Begin anew: kafkalab reset --name {folder.name}"
    reset = subprocess.run([sys.executable, "-m", "kafkalab", *e.do.split()[3:]], capture_output=True, text=True)
    assert reset.returncode == 0 and "begins anew with its next start" in reset.stderr
    with Cluster(1, mode, name=folder.name, quiet=True) as cluster:
        assert cluster.snapshot().topic("t") is None


@pytest.mark.parametrize("files", ["zookeeper-1/version-2/*", "broker-101/t-0/partition.metadata"])
def test_damage_that_only_kafka_finds_is_told_with_its_log(kept, files):
    folder = kept("zookeeper")
    for file in (folder.path / "data").glob(files):
        file.write_bytes(ZEROS)
    with pytest.raises(StartFailed, match="ended while it was starting") as e:
        Cluster(1, name=folder.name, quiet=True)
    assert f"damaged? Begin anew: kafkalab reset --name {folder.name}" in e.value.do and e.value.log
    no_process_left(folder.name)
