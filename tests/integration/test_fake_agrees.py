"""The cluster in memory and a real one live through the same faults, and say the same after each.

What Kafka leaves to luck is taken over from the real one (where replicas are placed) or not compared (who of several
able ones becomes the controller).

Not every story is played with every verb on every shape. What one broker's going does, by each verb and in every
backend, is in tests/contract.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from kafkalab import Cluster
from kafkalab.cluster.fake import FakeBackend
from kafkalab.cluster.spec import ClusterSpec
from kafkalab.errors import WaitTimeout
from kafkalab.state.model import Snapshot, Verb

#: What there is of each: with a controller of its own all brokers but one can go, combined nodes lose the majority.
SHAPES: dict[str, dict[str, Any]] = {
    "zookeeper": {"mode": "zookeeper"},
    "kraft": {"mode": "kraft"},
    "isolated": {"mode": "kraft", "controllers": 1},
}


@dataclass
class Pair:
    """A real cluster and its model."""

    shape: str
    real: Cluster
    fake: FakeBackend

    def act(self, node: str, verb: Verb) -> None:
        self.real.act(node, verb)
        self.fake.act(node, verb)
        self.agree(f"after {verb} of {node}")

    def adopt(self, topic: str) -> None:
        """Take a topic of the real one into the model."""
        found = self.real.wait_for(lambda s: s.topic(topic), 30, f"the topic {topic}").topic(topic)
        assert found is not None
        self.fake.assign(topic, [p.replicas for p in found.partitions])

    def agree(self, when: str) -> None:
        """Wait until the real one says what the model says."""
        expected = facts(self.fake.snapshot(), self.fake.voters)
        last: dict[str, Any] = {}

        def same(snapshot: Snapshot) -> bool:
            last.update(facts(snapshot, self.fake.voters))
            return last == expected

        try:
            self.real.wait_for(same, 40, f"the real cluster to be as its model {when}")
        except WaitTimeout:
            differ = {what: (said, last[what]) for what, said in expected.items() if last[what] != said}
            pytest.fail(f"{when}, model and reality: {differ}")


def facts(snapshot: Snapshot, voters: Collection[int]) -> dict[str, Any]:
    """What Kafka determines."""
    partitions = {f"{p.topic}-{p.partition}": (p.leader, set(p.isr), p.end) for p in snapshot.partitions()}
    quorum = snapshot.quorum
    return {
        "alive": [b.id for b in snapshot.brokers if b.alive],
        "a controller": snapshot.controller is not None,
        "a quorum": quorum is not None and quorum.leader is not None,
        # Brokers that only watch are left out: Kafka remembers for minutes those that have been restarted since.
        "voters": quorum and [(n.id, n.alive, n.role is not None) for n in quorum.nodes if n.id in voters],
        **partitions,
    }


def of(**shapes: str) -> pytest.MarkDecorator:
    """Runs a test on pairs of these shapes, each in a tier."""
    params = [pytest.param(shape, marks=getattr(pytest.mark, tier)) for shape, tier in shapes.items()]
    return pytest.mark.parametrize("pair", params, indirect=True, scope="module")


@pytest.fixture(scope="module")
def pair(request: pytest.FixtureRequest, home: object) -> Iterator[Pair]:
    shape = SHAPES[request.param]
    # Kafka would hold a preferred election by itself, some time.
    settings = {"auto.leader.rebalance.enable": "false"}
    with Cluster(brokers=3, settings=settings, quiet=True, **shape) as real:
        fake = FakeBackend(ClusterSpec("model", zookeepers=int(real.mode == "zookeeper"), **shape))
        fake.start()
        yield Pair(request.param, real, fake)


@pytest.fixture
def topic(pair: Pair, new_topic: Callable[[str], str]) -> str:
    name = new_topic("t")
    pair.real.create_topic(name, partitions=6, replication=3)
    pair.adopt(name)
    pair.agree("in the beginning")
    return name


def leader(pair: Pair, topic: str) -> int:
    found = pair.fake.snapshot().topic(topic)
    assert found is not None
    led_by = found.partitions[0].leader
    assert led_by is not None
    return led_by


@of(zookeeper="deep", kraft="deep", isolated="nightly")
def test_two_of_three_go_and_come_back(pair: Pair, topic: str) -> None:
    """Killed where the majority of the controllers goes with them: the ISR stays as it was."""
    verb: Verb = "kill" if pair.shape == "kraft" else "stop"
    last = leader(pair, topic)
    others = [f"broker-{id}" for id in (101, 102, 103) if id != last]
    for node in others:
        pair.act(node, verb)
    for node in others:
        pair.act(node, "start")


@of(zookeeper="nightly", kraft="nightly", isolated="nightly")
def test_nobody_leads_until_the_last_in_sync_is_back(pair: Pair, new_topic: Callable[[str], str]) -> None:
    """In KRaft they are stopped: it does not trust those that were killed, which the model leaves out. ZooKeeper keeps
    the last one in the ISR, whatever became of it."""
    verb: Verb = "kill" if pair.shape == "zookeeper" else "stop"
    for replication in (1, 2):
        name = new_topic()
        pair.real.create_topic(name, 3, replication)
        pair.adopt(name)
    pair.agree("in the beginning")
    for node in ("broker-101", "broker-102"):
        pair.act(node, verb)
    # The first to have gone comes back first.
    for node in ("broker-101", "broker-102"):
        pair.act(node, "start")


@of(zookeeper="deep", isolated="nightly")
def test_who_keeps_the_metadata_goes_and_comes_back(pair: Pair, topic: str) -> None:
    keeper = next(n.name for n in pair.real.nodes() if n.role != "broker")
    gone = f"broker-{leader(pair, topic)}"
    pair.act(keeper, "kill")
    # Nobody notices, and nothing changes, until there is somebody again to notice.
    pair.act(gone, "kill")
    assert pair.fake.snapshot().broker(int(gone[-3:])).alive  # type: ignore[union-attr]
    pair.act(keeper, "start")
    pair.act(gone, "start")
