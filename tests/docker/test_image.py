"""The image of a node: what it is built from, and what it does without any right."""

from __future__ import annotations

import io
import re
import tarfile
from collections.abc import Iterator

import docker
import pytest
from docker.errors import ImageNotFound
from kafka import KafkaProducer

from kafkalab import Cluster
from kafkalab.cluster.docker import image
from kafkalab.cluster.jars import jar_set
from kafkalab.errors import StartFailed
from tests.docker.nodes import Nodes, ended, wait_healthy

pytestmark = pytest.mark.deep


@pytest.fixture
def nodes(engine: docker.DockerClient) -> Iterator[Nodes]:
    found = Nodes(engine, image.ensure(engine))
    yield found
    found.remove()


def test_an_image_that_is_there_is_not_built_again(engine: docker.DockerClient) -> None:
    steps: list[str] = []
    name = image.ensure(engine)
    assert image.ensure(engine, lambda done, total, what: steps.append(what)) == name
    assert steps == []
    assert re.fullmatch(r"kafkalab/node:3\.9\.\d+-4\.\d+\.\d+-[0-9a-f]{12}", name)


@pytest.mark.nightly
def test_another_base_is_another_image_and_the_old_one_goes(
    engine: docker.DockerClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = engine.images.get(image.base())
    ours = image.ensure(engine)
    # The first of them takes the place of the image that all other tests run: under another name it outlives that.
    engine.images.get(ours).tag("kafkalab-test-node", "kept")
    names: list[str] = []
    steps: list[str] = []
    for number in ("1", "2"):
        base.tag("kafkalab-test-base-too", number)
        if number == "2":  # as many companies build their Java: without an archive of its own classes
            recipe = io.BytesIO(f"FROM {image.base()}\nRUN find / -xdev -name 'classes*.jsa' -delete".encode())
            engine.images.build(fileobj=recipe, tag="kafkalab-test-base-too:2", rm=True)
        monkeypatch.setenv("KAFKALAB_DOCKER_BASE", f"kafkalab-test-base-too:{number}")
        names.append(image.ensure(engine, lambda done, total, what: steps.append(what)))
    assert names[0] != names[1]
    assert any("building the image of the nodes: run" in step for step in steps)
    with pytest.raises(ImageNotFound):
        engine.images.get(names[0])
    with pytest.raises(ImageNotFound):
        engine.images.get(ours)
    for name in (names[1], "kafkalab-test-base-too:1", "kafkalab-test-base-too:2"):
        engine.images.remove(name)
    engine.images.get("kafkalab-test-node:kept").tag(*ours.rsplit(":", 1))
    engine.images.remove("kafkalab-test-node:kept")


def test_an_image_is_used_as_it_is_named_and_one_that_cannot_be_had_is_told(
    engine: docker.DockerClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = image.base()
    with monkeypatch.context() as named:
        named.setenv("KAFKALAB_DOCKER_IMAGE", given)
        assert image.ensure(engine) == given
    for variable in ("KAFKALAB_DOCKER_BASE", "KAFKALAB_DOCKER_IMAGE"):
        with monkeypatch.context() as wrong:
            wrong.setenv(variable, "kafkalab-test/there-is-none:1")
            with pytest.raises(StartFailed, match="there-is-none:1 is not here and cannot be pulled") as caught:
                image.ensure(engine)
        assert variable in caught.value.do


@pytest.mark.parametrize("what", ["altered", "added"])
def test_jars_that_are_not_those_of_the_lock_are_refused(engine: docker.DockerClient, what: str) -> None:
    """The set of four jars, as a build gets it, with one byte changed or one jar too many."""
    place = image.folder()
    files = {
        f"docker/{name}": (place / name).read_bytes() for name in ("Dockerfile", "steps/trust.sh", "steps/jars.sh")
    }
    jars = jar_set("spark")
    files |= {f"docker/jars/spark/{jar.name}": jar.read_bytes() for jar in jars.ensure()}
    files["kafkalab/cluster/locks/spark.lock"] = (place.parent / "kafkalab/cluster/locks/spark.lock").read_bytes()
    victim = f"docker/jars/spark/{jars.jars[0].file}"
    if what == "altered":
        files[victim] = files[victim][:-1] + bytes([files[victim][-1] ^ 1])
    else:
        files["docker/jars/spark/added-1.0.jar"] = b""
    context = io.BytesIO()
    with tarfile.open(fileobj=context, mode="w") as tar:
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            tar.addfile(entry, io.BytesIO(content))
    context.seek(0)
    options = {
        "buildargs": {"BASE": image.base(), "SETS": "spark"},
        "target": "jars",
        "rm": True,
        "forcerm": True,
    }
    told = list(
        engine.api.build(fileobj=context, custom_context=True, dockerfile="docker/Dockerfile", decode=True, **options)
    )
    text = "".join(part.get("stream", "") for part in told)
    assert "error" in told[-1]
    assert (f"{jars.jars[0].file}: FAILED" if what == "altered" else "Not in the lock of spark: added-1.0.jar") in text


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
