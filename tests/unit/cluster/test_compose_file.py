"""docker/compose.yaml has the settings that the specs render, and what stands beside it says what the package says."""

from __future__ import annotations

import re
import runpy
from types import SimpleNamespace
from typing import Any

import pytest
import yaml

from kafkalab import __version__
from kafkalab.cluster import jvm, properties
from kafkalab.cluster.docker import backend, image

FOLDER = image.folder()
compose = SimpleNamespace(**runpy.run_path(str(FOLDER / "compose.py")))


@pytest.fixture(scope="module")
def file() -> Any:
    return yaml.safe_load((FOLDER / "compose.yaml").read_text())


def test_the_settings_are_what_the_specs_render_and_the_rest_is_as_for_the_backend(file: Any) -> None:
    text = (FOLDER / "compose.yaml").read_text()
    assert compose.render(text) == text, "run `make compose`"
    assert compose.render(text.replace("num.io.threads=2", "num.io.threads=200")) == text
    assert text.count(f":-{image.default_base()}}}") == 1 and text.count(f":-{__version__}}}") == 2
    nodes = {name: service for name, service in file["services"].items() if name != "lab"}
    assert set(nodes) == {name for name, _ in compose.settings()}
    for name, service in nodes.items():
        role = service["environment"]["KAFKALAB_NODE"].rpartition("-")[0]
        assert name.endswith(service["environment"]["KAFKALAB_NODE"])
        assert service["mem_limit"] == f"{backend.MEMORY[role] // 2**20}m"
        assert service["tmpfs"] == [f"{path}:{options}" for path, options in backend.TMPFS.items()]
        assert service["volumes"] == [f"{name}:{backend.DATA}"] and service["user"] == backend.USER
    # Without a profile it is the cluster of the course, and the lab.
    always = {name for name, service in file["services"].items() if "profiles" not in service}
    assert always == {"zookeeper-1", "broker-101", "broker-102", "broker-103", "lab"}
    assert {p for s in file["services"].values() for p in s.get("profiles", ())} == {"kraft", "ensemble"}


def test_every_port_is_published_on_loopback_and_advertised_where_it_was_moved_to(file: Any) -> None:
    ports = [port for service in file["services"].values() for port in service["ports"]]
    found = [re.fullmatch(r"127\.0\.0\.1:\$\{KAFKALAB_\w+_PORT:-(\d+)\}:\d+", port) for port in ports]
    assert all(found), ports
    published = [int(one[1]) for one in found if one]
    assert len(set(published)) == len(published) == len(file["services"])
    assert {9092, 9093, 9094, 2181, 8888} < set(published)
    for prefix, spec in compose.CLUSTERS.items():
        for id in spec.broker_ids:
            service = file["services"][f"{prefix}broker-{id}"]
            outside = service["ports"][0].rpartition(":")[0]
            assert f"OUTSIDE://{outside}," in service["environment"]["KAFKALAB_SETTINGS"]


def test_no_service_is_root_may_write_its_system_or_gain_rights(file: Any) -> None:
    locked = {
        "user": "1000:1000", "read_only": True, "cap_drop": ["ALL"], "security_opt": ["no-new-privileges:true"],
        "restart": "no",
    }  # fmt: skip
    for name, service in file["services"].items():
        assert {key: service.get(key) for key in locked} == locked, name
        assert service["mem_limit"] == service["memswap_limit"]
        assert service["pids_limit"] == (4096 if name == "lab" else backend.PIDS)
        assert service["logging"] == {"driver": backend.LOGS["Type"], "options": backend.LOGS["Config"]}
        assert not service["image"].endswith("latest")
        assert "docker.sock" not in str(service)


def test_a_node_logs_and_runs_as_its_process_would() -> None:
    told = re.findall(r"org\.opencontainers\.image\.version=(\S+)", (FOLDER / "Dockerfile").read_text())
    assert told == [__version__, __version__]
    assert (FOLDER / "node/log4j.properties").read_text() == properties.LOG4J_1
    assert (FOLDER / "node/log4j2.properties").read_text() == properties.LOG4J_2
    start = (FOLDER / "node/start.sh").read_text()
    for words in (jvm.LESSON.broker_heap, jvm.LESSON.zookeeper_heap, jvm.LESSON.flags):
        assert f'"{" ".join(words)}"' in start
    assert " ".join(jvm.SAFETY) in start
    assert all(f"main={main}" in start for main in jvm.MAIN.values())
