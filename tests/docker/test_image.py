"""The image of a node: what it is built from, and what it does without any right."""

from __future__ import annotations

import io
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import docker
import pytest
from docker.errors import ImageNotFound
from kafka import KafkaProducer

from kafkalab import Cluster
from kafkalab.cluster.docker import image
from kafkalab.cluster.jars import jar_set
from kafkalab.commands import doctor_docker
from kafkalab.errors import StartFailed
from tests.docker.nodes import Nodes, ended, wait_healthy

pytestmark = pytest.mark.deep


@pytest.fixture
def nodes(engine: docker.DockerClient) -> Iterator[Nodes]:
    found = Nodes(engine, image.ensure(engine))
    yield found
    found.remove()


def test_what_the_doctor_says_of_an_engine(engine: docker.DockerClient) -> None:
    checks = {c.name: c for c in doctor_docker.examine()}
    assert checks["docker: engine"].ok and engine.version()["Version"] in checks["docker: engine"].seen
    assert f"{engine.info()['MemTotal'] // 2**20} MB" in checks["docker: memory"].seen
    assert "kafkalab/node:" in checks["docker: image"].seen and checks["docker: compose"].ok


@pytest.mark.nightly
def test_with_another_base_the_old_image_goes(engine: docker.DockerClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """The base is as many companies build their Java: without an archive of its own classes."""
    ours, other = image.ensure(engine), "kafkalab-test-base-too:1"
    # All other tests run it: under another name it outlives this one.
    engine.images.get(ours).tag("kafkalab-test-node", "kept")
    recipe = io.BytesIO(f"FROM {image.base()}\nRUN find / -xdev -name 'classes*.jsa' -delete".encode())
    engine.images.build(fileobj=recipe, tag=other, rm=True)
    monkeypatch.setenv("KAFKALAB_DOCKER_BASE", other)
    name = image.ensure(engine)
    assert name != ours
    with pytest.raises(ImageNotFound):
        engine.images.get(ours)
    engine.images.get("kafkalab-test-node:kept").tag(*ours.rsplit(":", 1))
    for done in (name, other, "kafkalab-test-node:kept"):
        engine.images.remove(done)


def test_an_image_is_used_as_it_is_or_cannot_be_had(
    engine: docker.DockerClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []
    name = image.ensure(engine)
    assert image.ensure(engine, lambda done, total, what: steps.append(what)) == name and steps == []
    given = image.base()
    monkeypatch.setenv("KAFKALAB_DOCKER_IMAGE", given)
    assert image.ensure(engine) == given
    monkeypatch.delenv("KAFKALAB_DOCKER_IMAGE")
    for variable in ("KAFKALAB_DOCKER_BASE", "KAFKALAB_DOCKER_IMAGE"):
        monkeypatch.setenv(variable, "kafkalab-test/there-is-none:1")
        with pytest.raises(StartFailed, match="there-is-none:1 is not here and cannot be pulled") as caught:
            image.ensure(engine)
        assert variable in caught.value.do


def test_jars_that_are_not_those_of_the_lock_are_refused(engine: docker.DockerClient, tmp_path: Path) -> None:
    place, jars = image.folder(), jar_set("spark")
    shutil.copytree(place, tmp_path / "docker")
    shutil.copytree(place.parent / "kafkalab/cluster/locks", tmp_path / "kafkalab/cluster/locks")
    folder = tmp_path / "docker/jars/spark"
    folder.mkdir(parents=True)
    for jar in jars.ensure():
        shutil.copy(jar, folder)

    def refused() -> str:
        options = {"dockerfile": "docker/Dockerfile", "target": "jars", "rm": True, "forcerm": True}
        arguments = {"BASE": image.base(), "SETS": "spark"}
        told = list(engine.api.build(path=str(tmp_path), decode=True, buildargs=arguments, **options))
        assert "error" in told[-1]
        return "".join(part.get("stream", "") for part in told)

    added = folder / "added-1.0.jar"
    added.touch()
    assert "Not in the lock of spark: added-1.0.jar" in refused()
    added.unlink()
    with (folder / jars.jars[0].file).open("ab") as altered:
        altered.write(b"\0")
    assert f"{jars.jars[0].file}: FAILED" in refused()


def test_kraft_in_a_container_without_rights(nodes: Nodes) -> None:
    """As uid 1000, on a read-only system: java is process 1, with the release's features, and ends in order."""
    # Not told who it is, a node says so.
    code, log = ended(nodes.run())
    assert code == 2 and "KAFKALAB_NODE is not set" in log
    container, port = nodes.kraft(nodes.volume())
    wait_healthy(container)
    status = container.exec_run(["cat", "/proc/1/status"]).output.decode()
    assert re.search(r"^Name:\s+java$", status, re.M)
    assert re.search(r"^Uid:\s+1000\s+1000", status, re.M)
    assert re.search(r"^CapEff:\s+0+$", status, re.M)
    assert container.exec_run(["touch", "/opt/kafkalab/x"]).exit_code != 0
    assert ".jsa" in container.exec_run(["cat", "/proc/1/maps"]).output.decode()

    tool = ["java", "-cp", "/opt/kafkalab/jars/kraft/*", "org.apache.kafka.tools.FeatureCommand"]
    asked = [*tool, "--bootstrap-server", "127.0.0.1:19092", "describe"]
    features = container.exec_run(asked).output.decode()
    levels = dict(re.findall(r"^Feature: (\S+).*FinalizedVersionLevel: (\S+)", features, re.M))
    assert levels["metadata.version"].startswith("4.3")
    assert (levels["group.version"], levels["transaction.version"]) == ("1", "2")

    # The broker compresses what came plain, and for that unpacks a library into /tmp and executes it.
    with Cluster.connect(f"127.0.0.1:{port}") as cluster:
        cluster.create_topic("packed", partitions=1, replication=1, settings={"compression.type": "zstd"})
        producer = KafkaProducer(bootstrap_servers=cluster.bootstrap_servers, acks="all")
        assert producer.send("packed", b"x" * 1000).get(timeout=30).offset == 0
        producer.close()

    container.stop(timeout=30)
    assert ended(container)[0] == 143


def test_storage_belongs_to_its_cluster(nodes: Nodes) -> None:
    volume = nodes.volume()
    first, _ = nodes.kraft(volume)
    wait_healthy(first)
    first.kill()
    first.wait(timeout=30)
    stranger, _ = nodes.kraft(volume, cluster_id="kafkalab-test-other-00")
    code, log = ended(stranger)
    assert code == 3
    assert "belongs to another cluster: cluster.id=kafkalab-test-image-00" in log
