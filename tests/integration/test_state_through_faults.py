"""The watcher tells what really happens when brokers are killed, paused, and come back, and nothing that does not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from kafkalab import Cluster
from kafkalab.errors import Unreachable
from kafkalab.state.capture import Capture
from kafkalab.state.model import Event, Snapshot
from kafkalab.state.watch import Update, Watcher
from kafkalab.waiting import wait_until
from tests.integration.scene import members
from tests.support.modes import modes

#: What no fault of a broker may ever be taken for.
UNTRUE = {"topic_deleted", "topic_created", "group_gone", "group_created", "replicas_moved", "broker_added"}


class Story:
    """A watcher and all it told."""

    def __init__(self, cluster: Cluster) -> None:
        self.capture = Capture(cluster.bootstrap_servers)
        self.watcher = Watcher(self.capture, 0.2)
        self.updates: list[Update] = []
        self.watcher.subscribe(self.updates.append)

    def wait(self, predicate: Callable[[Snapshot], object], what: str) -> Snapshot:
        return self.watcher.wait_for(predicate, 120, what)

    def begin(self, also: Callable[[Snapshot], object] = lambda s: True) -> Snapshot:
        """Wait for a healthy cluster, and forget what was told before."""
        found = self.wait(lambda s: healthy(s) and also(s), "a healthy start")
        self.updates.clear()
        return found

    def events(self, *kinds: str) -> list[Event]:
        return [e for u in self.updates for e in u.events if e.kind in kinds]


@pytest.fixture
def topic(cluster: Cluster, new_topic: Callable[[str], str]) -> str:
    name = new_topic("watched")
    cluster.create_topic(name, partitions=6, replication=3)
    return name


@pytest.fixture
def story(cluster: Cluster, topic: str) -> Iterator[Story]:
    found = Story(cluster)
    found.wait(lambda s: s.topic(topic) is not None, "the topic")
    yield found
    found.watcher.close()
    found.capture.close()


def healthy(s: Snapshot) -> bool:
    return all(b.alive for b in s.brokers) and not any(p.under_replicated for p in s.partitions()) and not s.problems


def led_by(s: Snapshot, topic: str, broker: int) -> list[int]:
    found = s.topic(topic)
    assert found is not None
    return [p.partition for p in found.partitions if p.leader == broker]


def alive(s: Snapshot, broker: int) -> bool:
    found = s.broker(broker)
    return found is not None and found.alive


@modes(zookeeper="deep", kraft="")
def test_a_killed_broker_and_its_return(
    cluster: Cluster, topic: str, story: Story, new_topic: Callable[[str], str]
) -> None:
    group = new_topic("group")
    with members(cluster, group, 2, topic):
        lost = led_by(story.begin(lambda s: s.group(group)), topic, 102)
        assert lost, "broker 102 leads some of it"
        cluster.broker(102).kill()
        story.wait(
            lambda s: (
                not alive(s, 102)
                and all(p.leader in (101, 103) and 102 not in p.isr for p in s.topic(topic).partitions)
                and s.group(group).state != "Unknown"
            ),
            "broker 102 to be given up",
        )
        assert [e.text for e in story.events("broker_down")] == ["broker 102 is down"]
        # A partition may be seen without a leader for a moment; in the end each got another one, told once.
        new = [e for e in story.events("leader_moved", "leader_elected") if e.topic == topic]
        assert sorted(e.partition for e in new) == lost
        assert {e.broker for e in new} <= {101, 103}
        shrank = [e for e in story.events("isr_shrank") if e.topic == topic]
        assert sorted(e.partition for e in shrank) == list(range(6))
        assert {e.broker for e in shrank} == {102}
        cluster.broker(102).start()
        assert story.wait(healthy, "every replica to be back in sync").group(group) is not None
        assert [e.broker for e in story.events("broker_up")] == [102]
        grew = [e for e in story.events("isr_grew") if e.topic == topic]
        assert sorted(e.partition for e in grew) == list(range(6))
        assert [e.text for e in story.events(*UNTRUE, "capture_failed")] == []


@pytest.mark.deep
def test_a_paused_controller(cluster: Cluster, topic: str, story: Story) -> None:
    paused = story.begin(lambda s: s.controller is not None).controller
    cluster.broker(paused).pause()
    after = story.wait(
        lambda s: not alive(s, paused) and s.controller not in (None, paused) and not led_by(s, topic, paused),
        "another controller",
    )
    # Alive is what the cluster says: the process is there all the time.
    assert next(n.state for n in cluster.nodes() if n.id == paused and n.role == "broker") == "paused"
    assert story.events("controller_moved")[-1].broker == after.controller
    assert [e.broker for e in story.events("broker_down")] == [paused]
    cluster.broker(paused).resume()
    story.wait(healthy, "the paused broker to be back in sync")
    assert [e.broker for e in story.events("broker_up")] == [paused]
    assert [e.text for e in story.events(*UNTRUE)] == []


@modes(zookeeper="", kraft="nightly")
def test_a_registered_broker_that_is_silent(cluster: Cluster, topic: str) -> None:
    with closing(Capture(cluster.bootstrap_servers, request_timeout=0.5)) as capture:
        before = wait_until(lambda: s if healthy(s := capture()) else None, 60, "a healthy start")
        paused = next(b.id for b in before.brokers if b.id != before.controller)
        cluster.broker(paused).pause()

        def silent() -> Snapshot | None:
            """Nobody but the paused one: on a busy machine others may be late for once."""
            s = capture()
            said = [problem for problem in s.problems if "is registered but" in problem]
            return s if said == [f"broker {paused} is registered but does not answer"] else None

        s = wait_until(silent, 60, "the pause to show")
        assert alive(s, paused), "its session has not expired yet"
        for p in s.topic(topic).partitions:
            assert (p.start, p.end) == ((None, None) if p.leader == paused else (0, 0))
        assert {g.state for g in s.groups if g.coordinator == paused} <= {"Unknown"}
        cluster.broker(paused).resume()
        wait_until(lambda: healthy(capture()), 60, "a healthy end")


@modes(zookeeper="deep", kraft="nightly")
def test_all_brokers_gone_and_back(cluster: Cluster, topic: str, story: Story, new_topic: Callable[[str], str]) -> None:
    # A controller that has just started tells of topics with a replica that is up first.
    single = new_topic("single")
    cluster.create_topic(single, partitions=1, replication=1)
    before = story.begin(lambda s: s.topic(single))
    brokers = [n.name for n in cluster.nodes() if n.role == "broker"]
    with ThreadPoolExecutor(len(brokers)) as side_by_side:
        list(side_by_side.map(lambda name: cluster.act(name, "kill"), brokers))
        wait_until(lambda: story.events("capture_failed"), 60, "the watcher to find nobody")
        with closing(Capture(cluster.bootstrap_servers)) as capture, pytest.raises(Unreachable) as caught:
            capture()
        assert caught.value.seen.count("refuses connections") == 3
        if cluster.mode == "zookeeper":
            # A broker that registers in the moment in which ZooKeeper forgets its former self falls over that.
            ids = ("zookeeper-shell", "-server", cluster.zookeeper_connect, "ls", "/brokers/ids")
            wait_until(lambda: "\n[]" in cluster.tool(*ids), 60, "ZooKeeper to forget the brokers")
        # KRaft brokers cannot come up one by one: a quorum takes two.
        list(side_by_side.map(lambda name: cluster.act(name, "start"), brokers))
    after = story.wait(healthy, "the cluster to be whole again")
    kinds = [e.kind for e in story.events("capture_failed", "capture_recovered")]
    assert kinds == ["capture_failed", "capture_recovered"]
    assert [e.text for e in story.events(*UNTRUE)] == []
    assert after.cluster_id == before.cluster_id
    assert {t.name for t in after.topics} == {t.name for t in before.topics}
