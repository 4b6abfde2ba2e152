"""The doctor before a real engine."""

from __future__ import annotations

import docker

from kafkalab.commands import doctor_docker


def test_it_says_what_the_engine_says_of_itself(engine: docker.DockerClient) -> None:
    checks = {c.name: c for c in doctor_docker.examine()}
    said = engine.version()
    assert checks["docker: engine"].ok
    assert said["Version"] in checks["docker: engine"].seen
    assert checks["docker: memory"].seen.startswith(f"the engine has {engine.info()['MemTotal'] // 2**20} MB")
    # Built or not, the image is named; the engine of the tests has the base.
    assert "kafkalab/node:" in checks["docker: image"].seen
    assert checks["docker: compose"].ok
