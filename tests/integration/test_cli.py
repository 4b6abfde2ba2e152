"""The commands as a user types them: what they print, their JSON, and their exit codes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import uuid

import pytest

from kafkalab import Cluster
from tests.integration.demo_told import nothing_lost

pytestmark = pytest.mark.usefixtures("home")


def kafkalab(*arguments: str, timeout: float = 240, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "kafkalab", *arguments],
        capture_output=True, text=True, timeout=timeout, stdin=subprocess.DEVNULL, env={**os.environ, **environment},
    )  # fmt: skip


def printed_json(done: subprocess.CompletedProcess[str]):
    assert done.stdout.startswith("{"), done.stdout + done.stderr
    return json.loads(done.stdout)


def test_help_names_every_command():
    done = kafkalab("--help")
    assert done.returncode == 0
    for command in (
        "doctor",
        "fetch",
        "up",
        "down",
        "status",
        "reset",
        "lab",
        "demo",
        "record",
        "replay",
        "grade",
        "tool",
        "bench",
    ):
        assert f" {command} " in done.stdout
        assert kafkalab(command, "--help").returncode == 0


@pytest.mark.parametrize(
    "wrong",
    [
        ["nonsense"],
        ["up", "--nonsense"],
        ["up", "--brokers", "0"],
        ["up", "--mode", "raft"],
        ["up", "--name", "a/b"],
        ["demo", "nonsense"],
        ["demo", "--minutes", "-1"],
        ["demo", "--bootstrap-servers", "nonsense"],
        ["tool"],
        ["tool", "--name", "absent", "kafka-topics"],
        ["reset", "--name", "absent"],
        ["fetch", "flink"],
        ["record", "a.kafkalab", "--name", "absent"],
        ["record", "a.kafkalab", "--name", "lab", "--bootstrap-servers", "127.0.0.1:1"],
        ["replay", "absent.kafkalab"],
        ["replay", "README.md"],
    ],
)
def test_a_wrong_command_line_ends_with_2_and_a_sentence(wrong):
    done = kafkalab(*wrong)
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    assert done.stderr.strip()


def test_work_that_fails_ends_with_1_and_says_what_to_do():
    done = kafkalab("demo", "--bootstrap-servers", "127.0.0.1:1")
    assert done.returncode == 1
    assert "No broker answers at 127.0.0.1:1" in done.stderr
    assert "do:" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_cluster_from_up_to_down(new_topic):
    name, topic = f"cli-{uuid.uuid4().hex[:6]}", new_topic()
    try:
        up = kafkalab("up", "--name", name, "--brokers", "2")
        assert up.returncode == 0, up.stderr
        servers = up.stdout.strip()
        assert len(servers.split(",")) == 2

        (told,) = [c for c in printed_json(kafkalab("status", "--json"))["clusters"] if c["name"] == name]
        assert (told["backend"], told["mode"], told["bootstrap_servers"]) == ("local", "zookeeper", servers)
        assert [n["name"] for n in told["nodes"]] == ["zookeeper-1", "broker-101", "broker-102"]
        assert all(n["state"] == "running" and os.path.exists(f"/proc/{n['pid']}") for n in told["nodes"])

        made = kafkalab("tool", "--name", name, "kafka-topics", "--create", "--topic", topic, "--partitions", "2")
        assert (made.returncode, made.stdout) == (0, f"Created topic {topic}.\n")
        assert Cluster.attach(name).snapshot().topic(topic) is not None
        refused = kafkalab("tool", "--name", name, "kafka-topics", "--describe", "--topic", "absent")
        assert refused.returncode == 1

        again = kafkalab("up", "--name", name, "--brokers", "2")
        assert again.returncode == 1
        assert "running already" in again.stderr

        assert kafkalab("reset", "--name", name).returncode == 0
        assert topic not in kafkalab("tool", "--name", name, "kafka-topics", "--list").stdout
    finally:
        down = kafkalab("down", "--name", name, "--remove")
    assert down.returncode == 0, down.stderr
    assert name not in [c["name"] for c in printed_json(kafkalab("status", "--json"))["clusters"]]
    assert not any(os.path.exists(f"/proc/{n['pid']}") for n in told["nodes"])
    assert kafkalab("down", "--name", name).returncode == 0


def test_doctor_says_what_is_wrong_and_what_to_do(tmp_path):
    well = kafkalab("doctor", "--json")
    checks = {c["name"]: c for c in printed_json(well)["checks"]}
    assert {"python", "java", "jars: zookeeper", "jars: kraft", "jars: spark", "disk", "memory"} <= set(checks)
    assert all({"name", "ok", "seen", "do", "optional"} <= set(c) for c in checks.values())
    assert well.returncode == (0 if all(c["ok"] or c["optional"] for c in checks.values()) else 1)

    ill = kafkalab("doctor", "--json", KAFKALAB_CACHE=str(tmp_path), JAVA_HOME=str(tmp_path))
    checks = {c["name"]: c for c in printed_json(ill)["checks"]}
    assert ill.returncode == 1
    assert not checks["java"]["ok"]
    assert "JAVA_HOME" in checks["java"]["seen"]
    assert not checks["jars: kraft"]["ok"]
    assert checks["jars: kraft"]["do"] == "Run: kafkalab fetch"


@pytest.mark.timeout(600)
def test_the_demo_loses_nothing_though_a_broker_is_killed(tmp_path):
    """In ZooKeeper mode; test_java_wheel.py tells the same story with KRaft."""
    picture = tmp_path / "map.png"
    done = kafkalab("demo", "--json", "--minutes", "0.45", "--map", str(picture), timeout=580)
    assert done.returncode == 0, done.stderr
    result = printed_json(done)
    nothing_lost(result, "zookeeper")
    assert result["sent"] >= 20_000
    # A look may fall between the two halves of it: the leader gone, the next one elected.
    assert any("leader 102 →" in e["what"] or "(was 102)" in e["what"] for e in result["events"])
    assert picture.read_bytes().startswith(b"\x89PNG")


@pytest.mark.timeout(300)
def test_the_demo_on_somebody_elses_cluster_cleans_up_after_itself(one_cluster, tmp_path):
    before = one_cluster.tool("kafka-topics", "--list").split()
    done = kafkalab(
        "demo", "--json", "--minutes", "0.1", "--trucks", "50", "--bootstrap-servers", one_cluster.bootstrap_servers,
        "--map", str(tmp_path / "map.png"),
    )  # fmt: skip
    result = printed_json(done)
    assert done.returncode == 0, done.stderr
    assert (result["lost"], result["duplicated"]) == (0, 0)
    assert 0 < result["trucks"] <= 50
    assert result["topic"] not in before
    assert result["topic"] not in one_cluster.tool("kafka-topics", "--list").split()
