"""How a cluster begins and ends, and what of it stays: the same in every backend."""

from __future__ import annotations

import subprocess
import sys

import psutil
import pytest

from kafkalab import Cluster
from kafkalab.cluster.folder import ClusterFolder
from kafkalab.errors import BadInput, KafkalabError, StartFailed


def ports(cluster: Cluster) -> list[int]:
    return [n.port for n in cluster.nodes() if n.port is not None]


def test_stop_is_idempotent_and_leaves_nothing(kind):
    cluster = kind.new()
    used = ports(cluster)
    cluster.stop()
    cluster.stop()
    assert {n.state for n in cluster.nodes()} <= {"stopped"}
    assert not ClusterFolder.of(cluster.name).path.exists()
    assert listening(used) == set()
    with pytest.raises(KafkalabError):
        cluster.snapshot()


def test_two_clusters_at_once_share_nothing(kind, new_topic):
    topic = new_topic()
    with kind.new() as one, kind.new() as other:
        assert one.name != other.name and one.cluster_id != other.cluster_id
        assert not set(ports(one)) & set(ports(other))
        one.create_topic(topic)
        assert other.snapshot().topic(topic) is None
        other.stop()
        assert one.snapshot().topic(topic) is not None


def test_a_named_cluster_starts_again_on_its_data_and_ports(kind, new_topic, a_name):
    topic, name = new_topic(), a_name()
    cluster = kind.new(name=name)
    try:
        cluster.create_topic(topic, partitions=2)
        was = (cluster.cluster_id, cluster.bootstrap_servers)
        cluster.stop()
        cluster.start()
        assert (cluster.cluster_id, cluster.bootstrap_servers) == was
        assert len(cluster.snapshot().topic(topic).partitions) == 2
        cluster.reset()
        assert cluster.snapshot().topic(topic) is None
        assert cluster.bootstrap_servers == was[1]
        assert cluster.cluster_id != was[0]
    finally:
        remove(cluster)


def test_a_name_belongs_to_one_cluster(kind, a_name):
    if kind.backend == "fake":
        # A name in memory means nothing to anybody else.
        with kind.new(name=a_name()) as one, kind.new(name=one.name) as other:
            assert one.cluster_id != other.cluster_id
        return
    name = a_name()
    cluster = kind.new(name=name)
    try:
        with pytest.raises(StartFailed, match="running already"):
            kind.new(name=name)
        cluster.stop()
        # What lies under that name belongs to a cluster of another shape.
        other = "kraft" if kind.mode == "zookeeper" else "zookeeper"
        with pytest.raises((BadInput, StartFailed), match="exists already"):
            Cluster(1, other, backend=kind.backend, name=name, quiet=True)
        elsewhere = "docker" if kind.backend == "local" else "local"
        with pytest.raises((BadInput, StartFailed), match="exists already"):
            Cluster(1, kind.mode, backend=elsewhere, name=name, quiet=True)
        assert cluster.start().broker(101).state == "running"
    finally:
        remove(cluster)


def test_another_process_finds_it_and_its_node_handles(kind, cluster):
    if kind.backend == "fake":
        with pytest.raises(BadInput):
            Cluster.attach(cluster.name)
        return
    ask = (
        "import sys; from kafkalab import Cluster; c = Cluster.attach(sys.argv[1]);"
        "print(c.bootstrap_servers); c.broker(102).pause()"
    )
    said = subprocess.run(
        [sys.executable, "-c", ask, cluster.name], capture_output=True, text=True, check=True, timeout=60
    )
    assert said.stdout.strip() == cluster.bootstrap_servers
    # It was not the owner: the cluster goes on, as it left it.
    assert cluster.broker(102).state == "paused"
    assert cluster.broker(101).state == "running"


def test_a_start_that_fails_says_why_and_leaves_nothing(kind, a_name):
    if kind.backend == "fake":
        with pytest.raises(BadInput):
            kind.new(brokers=0)
        return
    name = a_name()
    with pytest.raises(StartFailed) as e:
        kind.new(name=name, settings={"log.retention.hours": "soon"})
    assert "log.retention.hours" in f"{e.value.seen} {e.value.log}"
    assert not ClusterFolder.of(name).path.exists()


def test_data_of_another_cluster_is_refused_and_left_alone(kind, a_name):
    if kind.backend == "fake":
        return
    name = a_name()
    cluster = kind.new(name=name)
    cluster.stop()
    try:
        say_it_belongs_to(cluster, "AAAAAAAAAAAAAAAAAAAAAA")
        with pytest.raises((StartFailed, BadInput)) as e:
            cluster.start()
        assert "another cluster" in str(e.value) or "AAAAAAAAAAAAAAAAAAAAAA" in str(e.value)
        assert ClusterFolder.of(name).path.exists()
    finally:
        remove(cluster)


def test_every_listening_socket_is_on_loopback(kind, cluster):
    if kind.backend == "fake":
        assert not [c for c in psutil.Process().net_connections(kind="inet") if c.status == psutil.CONN_LISTEN]
        return
    wanted = {p for n in cluster.backend.layout for p in n.ports} if kind.backend == "local" else set(ports(cluster))
    assert listening(wanted) == {"127.0.0.1"}
    if kind.backend == "local":
        theirs = [
            c.laddr.ip
            for node in cluster.nodes()
            for c in psutil.Process(node.pid).net_connections(kind="inet")
            if c.status == psutil.CONN_LISTEN
        ]
        assert len(theirs) >= len(cluster.nodes())
        assert {ip.removeprefix("::ffff:") for ip in theirs} == {"127.0.0.1"}


def listening(wanted: object) -> set[str]:
    """Where, on this machine, any of these ports is listened on."""
    return {
        c.laddr.ip.removeprefix("::ffff:")
        for c in psutil.net_connections(kind="inet")
        if c.status == psutil.CONN_LISTEN and c.laddr.port in wanted
    }


def say_it_belongs_to(cluster: Cluster, cluster_id: str) -> None:
    """Write another cluster's id into the broker's own data."""
    if cluster.backend.kind == "local":
        node = next(n for n in cluster.backend.layout if n.role == "broker")
        meta = ClusterFolder.of(cluster.name).data(node) / "meta.properties"
        lines = [line for line in meta.read_text().splitlines() if not line.startswith("cluster.id=")]
        meta.write_text("\n".join([*lines, f"cluster.id={cluster_id}", ""]))
        return
    from tests.docker.volumes import rewrite

    rewrite(f"kafkalab-{cluster.name}-broker-101", "meta.properties", r"^cluster\.id=.*$", f"cluster.id={cluster_id}")


def remove(cluster: Cluster) -> None:
    """End a named cluster and remove its data."""
    from kafkalab.commands.clusters import down

    cluster.stop()
    if cluster.backend.kind != "fake":
        down(cluster.name, remove=True)
        assert not ClusterFolder.of(cluster.name).path.exists()
