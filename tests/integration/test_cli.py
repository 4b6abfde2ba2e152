"""The commands as a user types them, beside real clusters: what they print, their JSON, their exit codes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import uuid

import pytest

from kafkalab import Cluster

pytestmark = pytest.mark.usefixtures("home")


def kafkalab(*arguments: str, timeout: float = 240, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "kafkalab", *arguments],
        capture_output=True, text=True, timeout=timeout, stdin=subprocess.DEVNULL, env={**os.environ, **environment},
    )  # fmt: skip


def printed_json(done: subprocess.CompletedProcess[str]):
    assert done.stdout.startswith("{"), done.stdout + done.stderr
    return json.loads(done.stdout)


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
        Cluster.attach(name).wait_for(lambda s: s.topic(topic) is not None, 20, "the topic")
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
    def checks(done: subprocess.CompletedProcess[str]):
        found = {c["name"]: c for c in printed_json(done)["checks"]}
        assert done.returncode == (0 if all(c["ok"] or c["optional"] for c in found.values()) else 1)
        return found

    # Whether the memory is enough is a matter of the moment. What runs these tests is there.
    well = checks(kafkalab("doctor", "--json"))
    there = ("python", "java", "jars: zookeeper", "jars: kraft", "jars: spark", "folder: cache", "folder: home", "disk")
    assert {name: well[name]["seen"] for name in there if not well[name]["ok"]} == {}
    ill = checks(kafkalab("doctor", "--json", KAFKALAB_CACHE=str(tmp_path), JAVA_HOME=str(tmp_path)))
    assert not ill["java"]["ok"] and "JAVA_HOME" in ill["java"]["seen"]
    assert not ill["jars: kraft"]["ok"] and ill["jars: kraft"]["do"] == "Run: kafkalab fetch"


@pytest.mark.deep
@pytest.mark.timeout(600)
def test_the_demo_loses_nothing_though_a_broker_is_killed(tmp_path):
    picture = tmp_path / "map.png"
    done = kafkalab("demo", "--json", "--minutes", "0.45", "--map", str(picture), timeout=580)
    assert done.returncode == 0, done.stderr
    result = printed_json(done)
    assert 20_000 <= result["sent"] == result["acknowledged"] == result["seen"]
    assert (result["lost"], result["duplicated"], result["isr_full"]) == (0, 0, True)
    told = [event["what"] for event in result["events"]]
    story = ("is killed", "broker 102 is down", "is started again", "broker 102 is up")
    places = [next(i for i, text in enumerate(told) if words in text) for words in story]
    assert places == sorted(places)
    # A look may fall between the two halves of it: the leader gone, the next one elected.
    assert any("leader 102 →" in text or "(was 102)" in text for text in told)
    assert picture.read_bytes().startswith(b"\x89PNG")


@pytest.mark.deep
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
