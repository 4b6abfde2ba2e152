"""What is drawn is what the snapshot and the nodes say, and nothing that is not drawn."""

from __future__ import annotations

import json
from dataclasses import replace

from kafkalab import ClusterView
from kafkalab.state.model import Group, Member, Partition, Quorum, QuorumNode
from kafkalab.state.patch import applied, diff
from kafkalab.views.cluster_drawn import Drawn, brokers, drawn, groups, part, quorum_nodes, shown, standing
from tests.unit.views.cluster_samples import HEALTHY, LONG, TURNED, nodes


def test_a_replica_is_what_leader_isr_and_broker_make_of_it() -> None:
    for leader, isr, broker, alive, expected in (
        (1, (1, 2), 1, True, "leader"),
        (1, (1, 2), 2, True, "follower"),
        (1, (1, 2), 3, True, "behind"),
        (1, (1, 2), 2, False, "down"),
        (None, (2,), 2, False, "down"),
        (None, (2,), 3, True, "behind"),
        # A cluster that has not noticed yet still names the dead one as leader.
        (1, (1, 2), 1, False, "down"),
    ):
        assert part(Partition("t", 0, leader, (1, 2, 3), isr), broker, alive) == expected, (leader, broker, alive)


def test_process_and_cluster_may_differ() -> None:
    for alive, state, words in (
        (True, "running", "up"),
        (False, None, "down"),
        (True, "paused", "paused, the cluster has not noticed"),
        (False, "cut", "cut off, dropped by the cluster"),
        (True, "stopped", "process gone, the cluster has not noticed"),
        (False, "running", "process runs, not registered"),
        (None, "stopped", "process stopped"),
        (None, None, "not known yet"),
    ):
        assert standing(alive, state) == words


def test_a_replica_that_catches_up_is_drawn_with_what_it_lacks() -> None:
    lacking = replace(HEALTHY.topics[0].partitions[2], behind=((102, 4242),))
    picture = drawn(replace(HEALTHY, topics=(replace(HEALTHY.topics[0], partitions=(lacking,)),)))
    assert picture["topics"]["trucks_gps"]["partitions"][0]["replicas"] == [
        [103, "leader"],
        [101, "follower"],
        [102, "behind", 4242],
    ]


def test_a_picture_sends_what_changed_and_not_what_there_is() -> None:
    busy, books = HEALTHY.topics
    wall = replace(HEALTHY, topics=tuple(replace(busy, name=f"t{i:02}") for i in range(60)))
    grown = replace(busy, name="t00", partitions=(replace(busy.partitions[0], end=1206), *busy.partitions[1:]))
    before, after = drawn(wall, nodes()), drawn(replace(wall, topics=(grown, *wall.topics[1:])), nodes())
    assert 0 < len(json.dumps(diff(before, after))) < 100
    assert applied(before, diff(before, after)) == after
    kafkas_own = replace(books, partitions=(replace(books.partitions[0], end=5000),))
    later = replace(HEALTHY, at=HEALTHY.at + 60, topics=(busy, kafkas_own))
    assert drawn(HEALTHY, nodes()) == drawn(later, nodes())


def test_verbs_are_those_of_the_node_and_a_frozen_picture_has_none() -> None:
    states = nodes(broker_102="paused", broker_103="stopped")
    severable = nodes(severable=True, broker_102="cut", broker_103="stopped")

    def verbs(picture: Drawn) -> list[list[str]]:
        return [b["node"]["verbs"] for b in brokers(picture)]

    assert verbs(drawn(HEALTHY, states)) == [["stop", "kill", "pause"], ["resume", "kill"], ["start"]]
    assert verbs(drawn(HEALTHY, severable)) == [["stop", "kill", "pause", "cut"], ["join", "kill"], ["start"]]
    assert verbs(ClusterView.of(HEALTHY, states).state) == [[], [], []]
    assert all(b["node"] is None for b in brokers(drawn(HEALTHY)))


def test_members_hold_by_topic_with_lag_and_idle_ones_hold_nothing() -> None:
    twins = Group("twins", "Stable", 101, (Member("app-aaaa", "app", ""), Member("app-bbbb", "app", "")))
    group, other = groups(drawn(replace(HEALTHY, groups=(*HEALTHY.groups, twins))))
    assert group["lag"] == 15
    assert [(m["client"], m["tail"], m["holds"]) for m in group["members"]] == [
        ("dashboard-1", "", [{"topic": "trucks_gps", "partitions": [[0, 5], [1, None]]}]),
        ("dashboard-2", "", []),
    ]
    assert group["unheld"] == [{"topic": "trucks_gps", "partitions": [[2, 10]]}]
    assert [m["tail"] for m in other["members"]] == ["aaaa", "bbbb"], "of one client id, and told apart"


def test_what_nobody_has_looked_at_or_could_is_not_claimed() -> None:
    picture = drawn(None, nodes(), mode="zookeeper", version="3.9.2")
    assert [(b["id"], b["alive"]) for b in brokers(picture)] == [(101, None), (102, None), (103, None)]
    assert picture["kafka"] == "Kafka 3.9.2 · ZooKeeper"
    assert [n["alive"] for n in quorum_nodes(picture["quorum"])] == [None, None]
    assert not picture["looked"]
    assert drawn(None)["quorum"] is None
    failed = drawn(HEALTHY, nodes(), error="no broker answers")
    assert [b["alive"] for b in brokers(failed)] == [None, None, None]
    assert failed["error"] == {"text": "no broker answers", "at": HEALTHY.at}


def test_combined_kraft_nodes_have_their_buttons_on_the_broker_only() -> None:
    quorum = Quorum("kraft", 101, 7, (QuorumNode(101, "leader", True, lag=0), QuorumNode(102, "follower", True, lag=3)))
    brokers_only = tuple(n for n in nodes() if n.role == "broker")
    drawn_quorum = drawn(replace(HEALTHY, mode="kraft", quorum=quorum), brokers_only)["quorum"]
    assert (drawn_quorum["kind"], drawn_quorum["epoch"]) == ("KRaft", 7)
    assert [(n["id"], n["combined"], n["node"], n["lag"]) for n in quorum_nodes(drawn_quorum)] == [
        (101, True, None, 0),
        (102, True, None, 3),
    ]


def test_names_are_short_cannot_turn_the_line_around_and_stay_apart() -> None:
    assert len(shown(LONG)) == 40
    assert shown(TURNED + "\n\x1b[31m שלום") == "\ufffdevil\ufffd \ufffd[31m שלום"
    endless = "x" * 32_000
    groups = tuple(Group(endless + end, "Stable", 101, (Member(endless + end, endless, endless),)) for end in "ab")
    picture = drawn(replace(HEALTHY, groups=groups, problems=(f"group {endless}: no coordinator",)), nodes())
    assert len(picture["groups"]) == 2
    assert len(json.dumps(picture)) < 8000
