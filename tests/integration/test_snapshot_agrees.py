"""A snapshot says what Kafka's own tools say, field by field, in health and while a broker is down."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from kafkalab import Cluster
from kafkalab.state.changes import changes
from kafkalab.state.model import Group, Snapshot
from kafkalab.waiting import wait_until
from tests.integration import tools_output as tools
from tests.integration.scene import Scene, scene
from tests.support.modes import modes


@pytest.fixture
def stage(cluster: Cluster, new_topic: Callable[[str], str], monkeypatch: pytest.MonkeyPatch) -> Iterator[Scene]:
    with scene(cluster, new_topic, monkeypatch) as names:
        yield names


def ask_tools(cluster: Cluster, with_leaders: list[str]) -> dict[str, str]:
    """What the tools print. kafka-get-offsets waits for ever for a partition without a leader: it is spared those."""
    everything = "|".join(re.escape(name) for name in with_leaders)
    groups = ("kafka-consumer-groups", "--describe", "--all-groups")
    where = ("--bootstrap-server", cluster.bootstrap_servers)
    told = {
        "topics": cluster.tool("kafka-topics", "--describe"),
        "offsets": cluster.tool(*groups),
        "members": cluster.tool(*groups, "--members", "--verbose"),
        "states": cluster.tool(*groups, "--state"),
        "starts": cluster.tool("kafka-get-offsets", "--topic", everything, "--time", "-2"),
        "ends": cluster.tool("kafka-get-offsets", "--topic", everything, "--time", "-1"),
        "cluster": cluster.tool("kafka-cluster", "cluster-id"),
    }
    if cluster.mode == "kraft":
        told["controller"] = cluster.tool("kafka-metadata-quorum", *where, "describe", "--status")
    else:
        told["controller"] = cluster.tool("zookeeper-shell", "-server", cluster.zookeeper_connect, "get", "/controller")
    return told


def at_rest(cluster: Cluster) -> tuple[Snapshot, dict[str, str]]:
    """A snapshot and the tools' words from a time in which nothing changed."""

    def without_clocks(s: Snapshot) -> Snapshot:
        return replace(s, at=0.0, quorum=None)  # KRaft's log grows by itself

    restless: list[str] = []

    def look() -> tuple[Snapshot, dict[str, str]] | None:
        before = cluster.snapshot()
        told = ask_tools(cluster, [t.name for t in before.topics if all(p.leader is not None for p in t.partitions)])
        after = cluster.snapshot()
        restless[:] = [e.text for e in changes(before, after)] or [*before.problems, *after.problems]
        return (after, told) if without_clocks(before) == without_clocks(after) else None

    return wait_until(look, 200, "a time in which nothing changes", seen=lambda: "; ".join(restless))


def holder(group: Group, topic: str, partition: int) -> tuple[str, str, str]:
    """Member id, host and client id of who holds a partition, as the tool prints them."""
    for m in group.members:
        if (topic, partition) in m.partitions:
            return m.member_id, m.host, m.client_id
    return "-", "-", "-"


def number(value: int | None) -> str:
    return "-" if value is None else str(value)


def rows(text: str, *columns: str) -> list[tuple[str, ...]]:
    return sorted(tuple(row[c] for c in columns) for row in tools.table(text))


def topics_agree(s: Snapshot, told: dict[str, str]) -> None:
    assert {
        t.name: {p.partition: (p.leader, list(p.replicas), list(p.isr)) for p in t.partitions} for t in s.topics
    } == tools.described_topics(told["topics"])
    assert {t.name for t in s.topics if t.internal} == {t.name for t in s.topics if t.name.startswith("__")}
    led = {t.name for t in s.topics if all(p.leader is not None for p in t.partitions)}
    asked = [p for p in s.partitions() if p.topic in led]
    assert {(p.topic, p.partition): p.start for p in asked} == tools.offsets(told["starts"])
    assert {(p.topic, p.partition): p.end for p in asked} == tools.offsets(told["ends"])


def groups_agree(s: Snapshot, told: dict[str, str]) -> None:
    ends = {(p.topic, p.partition): p.end for p in s.partitions()}
    assert sorted(
        (
            g.group_id, o.topic, str(o.partition), number(o.committed), number(ends[o.topic, o.partition]),
            number(o.lag), *holder(g, o.topic, o.partition),
        )
        for g in s.groups for o in g.offsets
    ) == rows(
        told["offsets"],
        "GROUP", "TOPIC", "PARTITION", "CURRENT-OFFSET", "LOG-END-OFFSET", "LAG", "CONSUMER-ID", "HOST", "CLIENT-ID",
    )  # fmt: skip
    members = [(g.group_id, m) for g in s.groups for m in g.members]
    assert sorted((id, m.member_id, m.host, m.client_id, str(len(m.partitions))) for id, m in members) == rows(
        told["members"], "GROUP", "CONSUMER-ID", "HOST", "CLIENT-ID", "#PARTITIONS"
    )
    held = {(id, m.member_id): set(m.partitions) for id, m in members}
    for row in tools.table(told["members"]):
        ours = held[row["GROUP"], row["CONSUMER-ID"]]
        if s.mode == "kraft":
            assert ours == tools.assignment(row["CURRENT-ASSIGNMENT"])
        else:
            numbers = [sorted(p for t, p in ours if t == topic) for topic in {topic for topic, _ in ours}]
            assert sorted(numbers) == tools.assignment_without_topics(row["ASSIGNMENT"])
    at = {b.id: f"{b.host}:{b.port}  ({b.id})" for b in s.brokers}
    # Where there is no strategy, Kafka 4 prints a dash and Kafka 3.9 nothing.
    assert sorted(
        (g.group_id, at[g.coordinator or 0], g.assignor or "-", g.state, str(len(g.members))) for g in s.groups
    ) == [
        tuple(cell or "-" for cell in row)
        for row in rows(told["states"], "GROUP", "COORDINATOR (ID)", "ASSIGNMENT-STRATEGY", "STATE", "#MEMBERS")
    ]


def agrees(s: Snapshot, told: dict[str, str], cluster: Cluster) -> None:
    assert (s.mode, s.cluster_id) == (cluster.mode, tools.pairs(told["cluster"])["Cluster ID"])
    assert s.quorum is not None
    if cluster.mode == "kraft":
        status = tools.pairs(told["controller"])
        assert str(s.controller) == str(s.quorum.leader) == status["LeaderId"]
        assert str(s.quorum.epoch) == status["LeaderEpoch"]
        voters = {voter["id"] for voter in json.loads(status["CurrentVoters"])}
        assert {n.id for n in s.quorum.nodes if n.role != "observer"} == voters
    else:
        assert s.controller == tools.last_json(told["controller"])["brokerid"]
    assert {b.id: (b.alive, b.port) for b in s.brokers} == {
        n.id: (n.state == "running", n.port) for n in cluster.nodes() if n.role == "broker"
    }
    topics_agree(s, told)
    groups_agree(s, told)


@modes(zookeeper="nightly", kraft="")
def test_all_is_well(cluster: Cluster, stage: Scene) -> None:
    s, told = at_rest(cluster)
    agrees(s, told, cluster)
    assert s.problems == ()
    # The tools agree on nothing, too, if nothing is there: what was staged is in the picture.
    live, past, wide = s.group(stage.live), s.group(stage.past), s.topic(stage.wide)
    assert live is not None and past is not None and wide is not None
    assert (live.state, past.state, len(live.members), len(past.members)) == ("Stable", "Empty", 5, 0)
    assert sorted(len(m.partitions) for m in live.members)[0] == 0
    assert {o.committed for o in live.offsets} == {None, 3}
    assert {o.lag for o in live.offsets if o.committed is not None} == {4}
    assert past.lag == 6
    assert (wide.partitions[0].start, wide.partitions[0].end) == (2, 7)
    if stage.newer:
        newer = s.group(stage.newer)
        assert newer is not None
        assert (newer.type, newer.state, newer.assignor, len(newer.members)) == ("consumer", "Stable", "uniform", 1)
        assert newer.members[0].partitions == tuple((stage.wide, p) for p in range(4))


@modes(zookeeper="deep", kraft="nightly")
def test_while_a_broker_is_down(cluster: Cluster, stage: Scene) -> None:
    cluster.broker(102).kill()
    cluster.wait_for(
        lambda s: (
            not s.broker(102).alive
            and all(p.leader not in (None, 102) and 102 not in p.isr for p in s.partitions() if len(p.replicas) > 1)
            and all(g.state != "Unknown" for g in s.groups)
        ),
        60,
        "broker 102 to be given up",
    )
    s, told = at_rest(cluster)
    agrees(s, told, cluster)
    down, single, shared = s.broker(102), s.topic(stage.single), s.topic(stage.shared)
    assert down is not None and single is not None and shared is not None
    assert not down.alive
    lost = [p for p in single.partitions if p.replicas == (102,)]
    assert [(p.leader, p.start, p.end) for p in lost] == [(None, None, None)] * 2
    assert {p.isr for p in shared.partitions} <= {(101, 103), (103, 101)}
    assert any("no leader" in problem for problem in s.problems)
