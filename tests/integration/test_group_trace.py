"""A group followed on real clusters: what the trace says beside what Kafka's tools say, and pauses it measures."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from base64 import b64decode
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from kafka import ConsumerRebalanceListener, KafkaConsumer

from kafkalab import Cluster
from kafkalab.state.groups.coordinator import OFFSETS_TOPIC, GroupCoordinator, generation, partition_of
from kafkalab.state.groups.history import History, lanes, pauses
from kafkalab.state.groups.trace import GroupTrace
from kafkalab.waiting import wait_until
from tests.integration.one_member import SESSION
from tests.integration.tools_output import table
from tests.support.modes import modes
from tests.support.records import read

Start = Callable[..., subprocess.Popen[bytes]]
_MEMBER = Path(__file__).with_name("one_member.py")


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts processes; whatever still runs is killed at the end."""
    running: list[subprocess.Popen[bytes]] = []

    def start(*command: str) -> subprocess.Popen[bytes]:
        quiet = subprocess.DEVNULL
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=quiet, stderr=quiet)
        running.append(process)
        return process

    yield start
    for process in running:
        process.kill()
        process.wait()
        assert process.stdin is not None
        process.stdin.close()


@contextmanager
def followed(cluster: Cluster, group: str) -> Iterator[GroupTrace]:
    """A trace as a view makes it, running."""
    log = cluster.backend.log_tail
    trace = GroupTrace(GroupCoordinator(cluster.bootstrap_servers, group, lambda b, n: log(f"broker-{b}", n)), group)
    stop = trace.subscribe(lambda: None)
    try:
        yield trace
    finally:
        stop()
    wait_until(lambda: not trace.running, 10, "the trace to end with its last listener")


def member(start: Start, cluster: Cluster, group: str, client: str, *more: str) -> subprocess.Popen[bytes]:
    """A member in a process of its own; ``more``: the topic, and perhaps an assignor."""
    return start(sys.executable, str(_MEMBER), cluster.bootstrap_servers, group, client, *more)


def leave(process: subprocess.Popen[bytes]) -> None:
    """It says good-bye to its group, and ends."""
    assert process.stdin is not None
    process.stdin.close()
    process.wait(30)


def held(history: History) -> dict[str, list[int]]:
    """Client → partitions, of the last step; nothing while the group is not settled."""
    step = history["steps"][-1] if history["steps"] else {"state": "Unknown"}
    if step["state"] != "Stable":
        return {}
    members = history["members"]
    return {members[id]["client"]: [p for _, p in pairs] for id, pairs in step["held"].items()}


def until(trace: GroupTrace, wanted: Callable[[dict[str, list[int]]], bool], what: str) -> None:
    wait_until(lambda: wanted(held(trace.history())), 60, what, seen=lambda: str(trace.history()["steps"][-3:]))


def sizes(*wanted: int) -> Callable[[dict[str, list[int]]], bool]:
    """Whether the members hold so many partitions each, in any order."""
    return lambda found: sorted(len(p) for p in found.values()) == sorted(wanted)


def of(found: list[dict[str, Any]], partition: int) -> list[dict[str, Any]]:
    return [p for p in found if p["partition"] == partition]


def said_good_bye(trace: GroupTrace, client: str, partition: int) -> None:
    """The last pause of the partition began with this member's leaving, and nobody waited for a session."""

    def explained() -> tuple[dict[str, Any], dict[str, Any]] | None:
        history = trace.history()
        last = of(pauses(history), partition)[-1]
        before = history["members"][last["before"]]
        return (last, before) if before["why"] else None

    # Brokers write their logs a little later.
    last, before = wait_until(explained, 10, "the reason to be read", seen=lambda: str(trace.history()))
    assert (before["client"], before["why"], last["silent"]) == (client, "left", 0)


@pytest.mark.timeout(240)
@modes(zookeeper="", kraft="deep")
def test_one_is_killed_and_one_leaves(cluster: Cluster, new_topic: Callable[[str], str], start: Start) -> None:
    topic, group = new_topic("trace"), new_topic("group")
    cluster.create_topic(topic, partitions=2)
    with followed(cluster, group) as trace:
        steps = wait_until(lambda: trace.history()["steps"], 30, "a look at a group that is not there")
        assert steps[-1]["state"] == "Dead"
        process = {client: member(start, cluster, group, client, topic) for client in ("C1", "C2", "C3")}
        until(trace, sizes(0, 1, 1), "three members, of whom one stands by")
        cluster.wait_for(
            lambda s: (
                (told := s.group(group)) is not None
                and {m.client_id: [p for _, p in m.partitions] for m in told.members} == held(trace.history())
            ),
            20,
            "the snapshot to say the same",
        )
        # A member that was never heard of since it got its partition has not read it, so there would be no pause.
        given = trace.history()["steps"][-1]["at"]
        wait_until(lambda: time.time() > given + 0.2 * SESSION, 10, "heartbeats of those that hold something")
        # Killed -9 it says no word: whoever stands by takes over when the session has timed out.
        victim = next(c for c, p in held(trace.history()).items() if p)
        (lost,) = held(trace.history())[victim]
        process[victim].kill()
        # On a busy machine another member's session may end too, and it joins again.
        until(trace, lambda found: victim not in found and sizes(1, 1)(found), "the one that stood by to take over")

        def silent() -> list[dict[str, Any]]:
            return [p for p in of(pauses(trace.history()), lost) if p["silent"]]

        (pause,) = wait_until(silent, 20, "the reason to be read", seen=lambda: str(pauses(trace.history())))
        history = trace.history()
        before = history["members"][pause["before"]]
        assert (before["client"], before["why"]) == (victim, "died")
        # The session counts from the last heartbeat that arrived, which was a while before the end.
        assert 0.5 * SESSION <= pause["silent"] <= SESSION + 0.001
        assert pause["seconds"] >= pause["silent"]
        assert pause["after"] not in (None, pause["before"])
        # The next one says good-bye: nobody waits for a session.
        leaver = sorted(held(history))[0]
        (left,) = held(history)[leaver]
        leave(process[leaver])
        until(trace, sizes(2), "the last one to hold both")
        said_good_bye(trace, leaver, left)
        (rest,) = held(trace.history())
        leave(process[rest])

        def whole() -> list[Any] | None:
            """The group's generations, once the last of them is without members."""
            found = generations(cluster, group)
            return None if found[-1].members else found

        written = wait_until(whole, 30, "nobody to be left")

        def numbers() -> list[int]:
            return [n["number"] for n in trace.history()["numbers"]]

        wait_until(lambda: numbers()[-1] == written[-1].generation, 10, "the last one", seen=lambda: str(numbers()))
        assert numbers() == sorted(set(numbers()))
    as_kafka_prints(cluster, group, written)


def as_kafka_prints(cluster: Cluster, group: str, written: list[Any]) -> None:
    """Each of the group's generations is what Kafka's own formatter prints of it."""
    printed = cluster.tool(
        "kafka-console-consumer", "--topic", OFFSETS_TOPIC, "--from-beginning", "--timeout-ms", "10000",
        "--formatter", "org.apache.kafka.tools.consumer.GroupMetadataMessageFormatter",
    )  # fmt: skip
    told = json.loads("[" + printed.strip().replace('}{"key"', '},{"key"') + "]")
    theirs = [one["value"]["data"] for one in told if one["key"]["data"]["group"] == group]
    assert len(theirs) == len(written) > 0
    for one, ours in zip(theirs, written, strict=True):
        assert (one["generation"], one["protocol"], one["leader"]) == (ours.generation, ours.protocol, ours.leader)
        for m, our in zip(one["members"], ours.members, strict=True):
            assert (m["memberId"], m["clientHost"]) == (our.member_id, our.client_host)
            assert (m["sessionTimeout"], b64decode(m["assignment"])) == (our.session_timeout, our.assignment)


def generations(cluster: Cluster, group: str) -> list[Any]:
    """Every generation of the group in order, read by an ordinary consumer from the group's partition."""
    where = partition_of(group, len(cluster.snapshot().topic(OFFSETS_TOPIC).partitions))
    records = [r for r in read(cluster, OFFSETS_TOPIC) if r.partition == where]
    return [told for r in records if (told := generation(group, r.key, r.value)) is not None]


@pytest.mark.timeout(240)
@pytest.mark.deep
def test_a_cooperative_group_and_its_coordinators_death(
    one_cluster: Cluster, new_topic: Callable[[str], str], start: Start
) -> None:
    topic, group = new_topic("coop"), new_topic("group")
    one_cluster.create_topic(topic, partitions=4, replication=3)
    with followed(one_cluster, group) as trace:
        member(start, one_cluster, group, "C1", topic, "cooperative-sticky")
        until(trace, sizes(4), "the first member to hold everything")
        member(start, one_cluster, group, "C2", topic, "cooperative-sticky")
        until(trace, sizes(2, 2), "the second to have its share")
        history = trace.history()
        moved = set(held(history)["C2"])
        # Two generations lie between, and nobody reads what moves meanwhile; the rest is read on all the time.
        assert {p["partition"] for p in pauses(history)} == moved
        stays = [pieces for (_, p), pieces in lanes(history).items() if p not in moved]
        assert all([piece["what"] for piece in pieces][-1:] == ["held"] for pieces in stays)
        wait_until(lambda: len(trace.history()["numbers"]) >= 3, 10, "each generation to be told")
        first = history["steps"][-1]["coordinator"]
        one_cluster.broker(first).kill()

        def elsewhere() -> bool:
            last = trace.history()["steps"][-1]
            return last["state"] == "Stable" and last["coordinator"] != first

        wait_until(elsewhere, 60, "another coordinator", seen=lambda: str(trace.history()["steps"][-3:]))
        # While nobody spoke for the group nothing is known of it, and nothing is measured.
        assert any(step["state"] == "Unknown" for step in trace.history()["steps"])
        assert not [p for p in pauses(trace.history()) if p["silent"]]


@pytest.mark.timeout(240)
@modes(kraft="deep")
def test_a_group_of_the_newer_protocol(cluster: Cluster, new_topic: Callable[[str], str], start: Start) -> None:
    topic, group = new_topic("newer"), new_topic("group")
    cluster.create_topic(topic, partitions=2)
    tool = str(cluster.path() / "kafka-console-consumer")
    options = ("--topic", topic, "--group", group, "--consumer-property", "group.protocol=consumer")
    with followed(cluster, group) as trace:
        start(tool, *options, "--consumer-property", "client.id=J1")
        until(trace, sizes(2), "the first member to hold both")
        second = start(tool, *options, "--consumer-property", "client.id=J2")
        until(trace, sizes(1, 1), "both members to hold one")
        rows = table(cluster.tool("kafka-consumer-groups", "--describe", "--members", "--group", group))
        assert {r["CLIENT-ID"]: r["#PARTITIONS"] for r in rows} == {"J1": "1", "J2": "1"}
        (taken,) = held(trace.history())["J2"]
        second.terminate()
        until(trace, sizes(2), "the first to hold both again")
        said_good_bye(trace, "J2", taken)
        history = trace.history()
        assert history["steps"][-1]["type"] == "consumer"
        assert history["numbers"][-1]["number"] > 2


@pytest.mark.timeout(120)
@pytest.mark.deep
def test_a_consumer_of_this_process_tells_when_it_let_go(
    one_cluster: Cluster, new_topic: Callable[[str], str], start: Start
) -> None:
    topic, group = new_topic("listened"), new_topic("group")
    one_cluster.create_topic(topic, partitions=2)
    over = threading.Event()

    class Listener(ConsumerRebalanceListener):
        def on_partitions_assigned(self, assigned: Any) -> None:
            trace.heard("C1", "assigned", sorted((p.topic, p.partition) for p in assigned))

        def on_partitions_revoked(self, revoked: Any) -> None:
            trace.heard("C1", "revoked", sorted((p.topic, p.partition) for p in revoked))

    def poll() -> None:
        consumer = KafkaConsumer(bootstrap_servers=one_cluster.bootstrap_servers, group_id=group, client_id="C1")
        consumer.subscribe([topic], listener=Listener())
        while not over.is_set():
            consumer.poll(2000)
        consumer.close()

    def exact() -> list[dict[str, Any]]:
        return [p for p in pauses(trace.history()) if p["slack"] == 0 and p["to"] and p["before"] == p["after"]]

    with followed(one_cluster, group) as trace, ThreadPoolExecutor(1) as pool:
        polling = pool.submit(poll)
        try:
            until(trace, sizes(2), "the first member to hold both")
            member(start, one_cluster, group, "C2", topic)
            until(trace, sizes(1, 1), "both to hold one")
            wait_until(exact, 30, "the pause of what it kept, exactly", seen=lambda: str(trace.history()["heard"]))
            assert all(p["seconds"] > 0 for p in exact())
        finally:
            over.set()
        polling.result(30)
