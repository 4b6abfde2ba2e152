"""The listener doctor before real brokers that lie: one cluster of two, with a listener for each kind of lie."""

from __future__ import annotations

import json
import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from kafkalab import Cluster
from kafkalab.cluster import java as cluster_java
from kafkalab.cluster.external import parse
from kafkalab.cluster.folder import ClusterFolder
from kafkalab.cluster.local import LocalBackend
from kafkalab.cluster.net import PortBook
from kafkalab.cluster.spec import ClusterSpec, NodeSpec
from kafkalab.commands.listeners import Hop, follow, picture
from tests.support.modes import modes

HOST = "127.0.0.1"


class Liars(LocalBackend):
    """Two brokers that tell the truth on PLAINTEXT, and on each further listener something else."""

    def __init__(self, folder: Path) -> None:
        name = f"liars-{uuid.uuid4().hex[:6]}"
        super().__init__(ClusterSpec(name, brokers=2), ClusterFolder.of(name), throw_away=True, detached=False)
        self.secret = folder / "keys.p12"
        names = ("PORT", "NAME", "CROSSED", "ZOO", "SHORT", "LOGIN", "TLS")
        with PortBook() as book:
            #: Where each listener of each broker really is.
            self.at = {(name, id): book.take() for name in names for id in (101, 102)}
            #: Where nobody is: two of them, for with ZooKeeper a broker refuses an endpoint that another has.
            self.nobody = {id: book.take() for id in (101, 102)}

    def advertised(self, name: str, node: NodeSpec) -> str:
        other = {101: 102, 102: 101}[node.id]
        zookeeper = next(n for n in self.layout if n.role == "zookeeper")
        return {
            "PORT": f"{HOST}:{self.nobody[node.id]}",
            "NAME": f"kafka-{node.id}:9092",
            "CROSSED": f"{HOST}:{self.at['CROSSED', other]}",
            "ZOO": f"{HOST}:{zookeeper.port if node.id == 101 else self.at['ZOO', 102]}",
            "SHORT": f"localhost:{self.at['SHORT', node.id]}",
        }.get(name, f"{HOST}:{self.at.get((name, node.id))}")

    def _write_settings(self, node: NodeSpec) -> None:
        super()._write_settings(node)
        if node.role != "broker":
            return
        names = sorted({name for name, _ in self.at})
        protocols = {"LOGIN": "SASL_PLAINTEXT", "TLS": "SSL"}
        login = 'org.apache.kafka.common.security.plain.PlainLoginModule required user_ada="lovelace";'
        lies = {
            "listeners": [f"{n}://{HOST}:{self.at[n, node.id]}" for n in names] + [f"PLAINTEXT://{HOST}:{node.port}"],
            "advertised.listeners": [f"{n}://{self.advertised(n, node)}" for n in names]
            + [f"PLAINTEXT://{HOST}:{node.port}"],
            "listener.security.protocol.map": [f"{n}:{protocols.get(n, 'PLAINTEXT')}" for n in [*names, "PLAINTEXT"]],
            "inter.broker.listener.name": ["PLAINTEXT"],
            "sasl.enabled.mechanisms": ["PLAIN"],
            "listener.name.login.plain.sasl.jaas.config": [login],
            "ssl.keystore.location": [str(self.secret)],
            "ssl.keystore.password": ["secret"],
            "ssl.keystore.type": ["PKCS12"],
        }
        with self.folder.settings(node).open("a") as f:
            f.writelines(f"{key}={','.join(values)}\n" for key, values in lies.items())


@pytest.fixture(scope="module")
def liars(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Liars]:
    backend = Liars(tmp_path_factory.mktemp("keys"))
    java = cluster_java.installed()
    assert java is not None
    keys = ["-genkeypair", "-alias", "broker", "-keyalg", "EC", "-dname", "CN=broker", "-storetype", "PKCS12"]
    secret = ["-keystore", str(backend.secret), "-storepass", "secret"]
    subprocess.run([java.with_name("keytool"), *keys, *secret], check=True, capture_output=True)
    backend.start()
    try:
        Cluster.connect(backend.bootstrap_servers).create_topic("trucks", partitions=4, replication=2)
        yield backend
    finally:
        backend.stop()


def ask(liars: Liars, name: str, id: int = 101) -> list[Hop]:
    return follow([(HOST, liars.at[name, id])], 5.0)


def failing(hops: list[Hop]) -> dict[tuple[int | None, str], Hop]:
    return {(hop.broker, hop.step): hop for hop in hops if not hop.ok}


def settings(hop: Hop) -> dict[str, str]:
    """The settings that are proposed."""
    return dict(line.strip().split("=", 1) for line in hop.do.splitlines() if line.startswith("  "))


@modes(zookeeper="", kraft="nightly")
def test_where_all_is_well_every_hop_holds(cluster, new_topic):
    hops = follow(parse(cluster.bootstrap_servers))
    assert failing(hops) == {}
    # Three bootstrap servers with four hops each, and each broker as it is advertised: name, connection, …, identity.
    assert len([h for h in hops if h.broker is None]) == 12
    assert [h.broker for h in hops if h.step == "identity"] == [101, 102, 103]
    assert f"All {len(hops)} hops work." in picture(hops)
    # A broker that stands still is named, and what it led.
    cluster.create_topic(new_topic(), partitions=3, replication=1)
    cluster.broker(103).pause()
    wrong = failing(follow(parse(cluster.bootstrap_servers)[:1], 1.5))
    assert list(wrong) == [(103, "protocol")]
    assert "nothing came back" in wrong[103, "protocol"].seen and "the broker leads" in wrong[103, "protocol"].seen


#: A listener → the hops that fail, and a word of what is seen at the first of them, of why, and of what to do.
LIES = {
    "PORT": ([(101, "connection"), (102, "connection")], "refused", "nothing answers there on the port", "PORT://"),
    "NAME": ([(101, "name"), (102, "name")], "kafka-101 is unknown here", "without a dot", "NAME://"),
    "CROSSED": ([(101, "identity"), (102, "identity")], "broker 102 answers here", "crossed", "CROSSED://"),
    "ZOO": ([(101, "protocol")], "not a Kafka broker", "ZooKeeper", ""),
    "LOGIN": ([(None, "protocol")], "SASL: PLAIN", "", "sasl.mechanism=PLAIN"),
    "TLS": ([(None, "protocol")], "a TLS listener", "", "security.protocol=SSL"),
}


@pytest.mark.deep
def test_each_lie_is_found_and_the_truth_that_is_proposed_mends_it(liars):
    for name, (places, seen, why, do) in LIES.items():
        wrong = failing(ask(liars, name))
        assert sorted(wrong, key=str) == places, name
        hop = wrong[places[0]]
        assert seen in hop.seen and why in hop.why and do in hop.do, (name, hop)
        if do.endswith("://"):
            proposed = settings(hop)["advertised.listeners"].split(",")
            assert f"{name}://{HOST}:{liars.at[name, 101]}" in proposed
            assert len(proposed) == 8, "the other listeners stay as they are"
    # On the brokers' own machine localhost is as good as its number.
    assert failing(follow([("localhost", liars.at["SHORT", 101])])) == {}
    # The settings as printed, given to the broker, mend it.
    hop = failing(ask(liars, "NAME"))[101, "name"]
    with liars.folder.settings(next(n for n in liars.layout if n.id == 101)).open("a") as f:
        f.writelines(f"{key}={value}\n" for key, value in settings(hop).items())
    liars.act("broker-101", "stop")
    liars.act("broker-101", "start")
    assert {broker for broker, _ in failing(ask(liars, "NAME"))} == {102}


@pytest.mark.deep
def test_the_command(liars):
    def run(name: str, *more: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "kafkalab", "doctor", "--bootstrap-servers", f"{HOST}:{liars.at[name, 101]}"]
        return subprocess.run([*command, *more], capture_output=True, text=True)

    good, bad, listed = run("SHORT"), run("PORT"), run("PORT", "--json")
    assert [ended.returncode for ended in (good, bad, listed)] == [0, 1, 1], good.stderr + bad.stderr
    assert [c["broker"] for c in json.loads(listed.stdout)["checks"] if not c["ok"]] == [101, 102]
    assert f"broker 101 advertises {HOST}:{liars.nobody[101]}" in bad.stdout
    assert "2 of 8 hops fail." in bad.stdout
