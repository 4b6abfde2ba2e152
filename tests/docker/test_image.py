"""The image of a node: what it is built from, and what it does without any right."""

from __future__ import annotations

import io
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import docker
import pytest
from docker.errors import ImageNotFound

from kafkalab.cluster.docker import image
from kafkalab.cluster.docker.backend import DATA
from kafkalab.cluster.jars import jar_set
from kafkalab.commands import doctor
from kafkalab.errors import StartFailed
from tests.docker.container import ended

pytestmark = pytest.mark.deep


def test_what_the_doctor_says_of_an_engine(engine: docker.DockerClient) -> None:
    checks = {c.name: c for c in doctor.examine()}
    assert checks["docker: engine"].ok and engine.version()["Version"] in checks["docker: engine"].seen
    assert f"{engine.info()['MemTotal'] // 2**20} MB" in checks["docker: engine"].seen
    assert checks["docker: compose"].ok


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


def test_a_node_asks_who_it_is_and_whose_its_storage_is(engine: docker.DockerClient, run: Callable[..., Any]) -> None:
    name = image.ensure(engine)
    code, log = ended(run(name))
    assert code == 2 and "KAFKALAB_NODE is not set" in log
    # Settings enough to know the storage by; Kafka, which starts after that, needs more.
    told = {"KAFKALAB_NODE": "broker-101", "KAFKALAB_MODE": "kraft", "KAFKALAB_SETTINGS": f"log.dirs={DATA}"}
    first = run(name, environment=told | {"KAFKALAB_CLUSTER_ID": "mine"}, volumes=[DATA])
    assert ended(first)[0] == 1
    code, log = ended(run(name, environment=told | {"KAFKALAB_CLUSTER_ID": "another"}, volumes_from=[first.id]))
    assert code == 3 and "belongs to another cluster: cluster.id=mine" in log
