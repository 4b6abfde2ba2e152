"""What is drawn is what the snapshot and the nodes say, and nothing that is not drawn."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from kafkalab.state.model import Group, GroupOffset, Member, Partition, Quorum, QuorumNode, Snapshot, Topic
from kafkalab.state.patch import applied, diff
from kafkalab.views.cluster_drawn import brokers, drawn, groups, part, quorum_nodes, shown, standing
from tests.unit.views.cluster_samples import HEALTHY, LONG, TURNED, WITHOUT_102, hostile, nodes


def test_every_replica_of_every_partition_is_drawn_as_what_it_is() -> None:
    picture = drawn(WITHOUT_102, nodes(broker_102="stopped"))
    topic = picture["topics"]["trucks_gps"]
    assert [p["replicas"] for p in topic["partitions"]] == [
        [[101, "leader"], [102, "down"], [103, "follower"]],
        [[102, "down"], [103, "leader"], [101, "follower"]],
        [[103, "leader"], [101, "follower"], [102, "down"]],
    ]
    assert [p["short"] for p in topic["partitions"]] == [True, True, True]


@pytest.mark.parametrize(
    "leader, isr, broker, alive, expected",
    [
        (1, (1, 2), 1, True, "leader"),
        (1, (1, 2), 2, True, "follower"),
        (1, (1, 2), 3, True, "behind"),
        (1, (1, 2), 2, False, "down"),
        (None, (2,), 2, False, "down"),
        (None, (2,), 3, True, "behind"),
        # A cluster that has not noticed yet still names the dead one as leader.
        (1, (1, 2), 1, False, "down"),
    ],
)
def test_part(leader: int | None, isr: tuple[int, ...], broker: int, alive: bool, expected: str) -> None:
    assert part(Partition("t", 0, leader, (1, 2, 3), isr), broker, alive) == expected


@pytest.mark.parametrize(
    "alive, state, words",
    [
        (True, "running", "up"),
        (False, "stopped", "down"),
        (True, "paused", "paused, the cluster has not noticed"),
        (False, "paused", "paused, dropped by the cluster"),
        (True, "cut", "cut off the network, the cluster has not noticed"),
        (False, "cut", "cut off, dropped by the cluster"),
        (True, "stopped", "process gone, the cluster has not noticed"),
        (False, "running", "process runs, not registered"),
        (True, None, "up"),
        (False, None, "down"),
        (None, "stopped", "process stopped"),
        (None, "cut", "cut off the network"),
        (None, None, "not known yet"),
    ],
)
def test_process_and_cluster_may_differ(alive: bool | None, state: str | None, words: str) -> None:
    assert standing(alive, state) == words


def test_sizes_are_end_minus_start_and_unknown_where_no_leader_was_asked() -> None:
    topic = HEALTHY.topics[0]
    lone = replace(topic.partitions[1], leader=None, start=None, end=None)
    partial = replace(HEALTHY, topics=(replace(topic, partitions=(topic.partitions[0], lone)),))
    whole, half = (drawn(s)["topics"]["trucks_gps"] for s in (HEALTHY, partial))
    assert (whole["records"], whole["unknown"]) == (1200 + 34 + 20000, 0)
    assert (half["records"], half["unknown"]) == (1200, 1)


def test_a_replica_that_catches_up_is_drawn_with_what_it_lacks() -> None:
    lacking = replace(HEALTHY.topics[0].partitions[2], behind=((102, 4242),))
    picture = drawn(replace(HEALTHY, topics=(replace(HEALTHY.topics[0], partitions=(lacking,)),)))
    assert picture["topics"]["trucks_gps"]["partitions"][0]["replicas"] == [
        [103, "leader"],
        [101, "follower"],
        [102, "behind", 4242],
    ]


def test_what_a_picture_sends_is_what_changed_and_not_what_there_is() -> None:
    """The same change costs the same among 2 topics and among 60, though the pictures differ thirtyfold in size."""

    def cluster(topics: int, end: int) -> Snapshot:
        parts = HEALTHY.topics[0].partitions
        busy = Topic("topic-00", (replace(parts[0], topic="topic-00", end=end), *parts[1:]))
        others = (replace(HEALTHY.topics[0], name=f"topic-{i:02}") for i in range(1, topics))
        return replace(HEALTHY, topics=(busy, *others), groups=tuple(_group(i, end) for i in range(topics // 2)))

    patches, wholes = [], []
    for topics in (2, 60):
        before, after = (drawn(cluster(topics, end), nodes()) for end in (2000, 2001))
        assert applied(before, diff(before, after)) == after
        patches.append(len(json.dumps(diff(before, after))))
        wholes.append(len(json.dumps(after)))
    assert wholes[1] > 10 * wholes[0]
    assert patches[1] <= patches[0] + 20
    assert patches[0] < 400


def _group(number: int, end: int) -> Group:
    """Of the first group one lag changes with the end of the log; the others are at rest."""
    lag = end - 1990 if number == 0 else 3
    held = (("topic-00", 0), ("topic-00", 1))
    offsets = (GroupOffset("topic-00", 0, 1990, lag), GroupOffset("topic-00", 1, 31, 3))
    return Group(f"group-{number:02}", "Stable", 102, (Member(f"m-{number}", "client", "/127.0.0.1", held),), offsets)


def test_a_picture_without_news_is_the_same_picture() -> None:
    later = replace(HEALTHY, at=HEALTHY.at + 60)
    own_books = replace(HEALTHY.topics[1].partitions[0], end=5000)
    busy_inside = replace(HEALTHY, topics=(HEALTHY.topics[0], replace(HEALTHY.topics[1], partitions=(own_books,))))
    assert drawn(HEALTHY, nodes()) == drawn(later, nodes()) == drawn(busy_inside, nodes())
    grown = replace(HEALTHY.topics[0].partitions[0], end=1206)
    news = replace(HEALTHY, topics=(replace(HEALTHY.topics[0], partitions=(grown,)), HEALTHY.topics[1]))
    assert drawn(HEALTHY, nodes()) != drawn(news, nodes())


def test_verbs_are_those_of_the_node_and_a_frozen_picture_has_none() -> None:
    states = nodes(broker_102="paused", broker_103="stopped")
    live = {b["id"]: b["node"]["verbs"] for b in brokers(drawn(HEALTHY, states))}
    assert live == {101: ["stop", "kill", "pause"], 102: ["resume", "kill"], 103: ["start"]}
    assert {b["id"]: b["node"]["verbs"] for b in brokers(drawn(HEALTHY, states, buttons=False))} == {
        101: [],
        102: [],
        103: [],
    }
    assert [n["node"]["name"] for n in quorum_nodes(drawn(HEALTHY, states)["quorum"])] == ["zookeeper-1", "zookeeper-2"]
    assert all(b["node"] is None for b in brokers(drawn(HEALTHY)))


def test_nodes_that_can_be_cut_off_the_network_offer_it() -> None:
    states = nodes(severable=True, broker_102="cut", broker_103="stopped")
    assert {b["id"]: b["node"]["verbs"] for b in brokers(drawn(HEALTHY, states))} == {
        101: ["stop", "kill", "pause", "cut"],
        102: ["join", "kill"],
        103: ["start"],
    }


def test_members_hold_by_topic_with_lag_and_idle_ones_hold_nothing() -> None:
    (group,) = groups(drawn(HEALTHY))
    assert group["lag"] == 15
    assert [(m["client"], m["holds"]) for m in group["members"]] == [
        ("dashboard-1", [{"topic": "trucks_gps", "partitions": [[0, 5], [1, None]]}]),
        ("dashboard-2", []),
    ]
    assert group["unheld"] == [{"topic": "trucks_gps", "partitions": [[2, 10]]}]


def test_members_of_one_client_id_are_told_apart() -> None:
    twins = Group("g", "Stable", 101, (Member("app-aaaa", "app", ""), Member("app-bbbb", "app", "")))
    (group,) = groups(drawn(replace(HEALTHY, groups=(twins,))))
    assert [m["tail"] for m in group["members"]] == ["aaaa", "bbbb"]


def test_before_the_first_snapshot_the_processes_are_drawn_and_nothing_is_claimed() -> None:
    picture = drawn(None, nodes(), mode="zookeeper", version="3.9.2")
    assert [(b["id"], b["alive"], b["standing"]) for b in brokers(picture)] == [
        (id, None, "process runs") for id in (101, 102, 103)
    ]
    assert picture["kafka"] == "Kafka 3.9.2 · ZooKeeper"
    assert [n["alive"] for n in quorum_nodes(picture["quorum"])] == [None, None]
    assert not picture["looked"]


def test_after_a_failed_look_nobody_is_called_alive() -> None:
    picture = drawn(HEALTHY, nodes(broker_101="stopped"), error="no broker answers")
    assert [b["alive"] for b in brokers(picture)] == [None, None, None]
    assert brokers(picture)[0]["standing"] == "process stopped"
    assert picture["error"] == {"text": "no broker answers", "at": HEALTHY.at}


def test_combined_kraft_nodes_have_their_buttons_on_the_broker_only() -> None:
    quorum = Quorum("kraft", 101, 7, (QuorumNode(101, "leader", True, lag=0), QuorumNode(102, "follower", True, lag=3)))
    brokers_only = tuple(n for n in nodes() if n.role == "broker")
    drawn_quorum = drawn(replace(HEALTHY, mode="kraft", quorum=quorum), brokers_only)["quorum"]
    assert (drawn_quorum["kind"], drawn_quorum["epoch"]) == ("KRaft", 7)
    assert [(n["id"], n["combined"], n["node"], n["lag"]) for n in quorum_nodes(drawn_quorum)] == [
        (101, True, None, 0),
        (102, True, None, 3),
    ]


def test_a_picture_is_plain_json() -> None:
    for snapshot in (HEALTHY, WITHOUT_102, hostile()):
        picture = drawn(snapshot, nodes(), busy={"broker-102": "kill"})
        assert json.loads(json.dumps(picture)) == picture


def test_ids_of_any_length_are_cut_before_they_travel_and_stay_apart() -> None:
    endless = "x" * 32_000
    groups = tuple(Group(endless + end, "Stable", 101, (Member(endless + end, endless, endless),)) for end in "ab")
    picture = drawn(replace(HEALTHY, groups=groups, problems=(f"group {endless}: no coordinator",)), nodes())
    assert len(picture["groups"]) == 2
    assert len(json.dumps(picture)) < 8000


def test_shown_names_are_short_and_cannot_turn_the_line_around() -> None:
    assert len(shown(LONG)) == 40
    assert shown(TURNED) == "\ufffdevil\ufffd"
    assert shown("a\nb\tc\x1b[31m") == "a b c\ufffd[31m"
    assert shown("dashboard-1 · שלום") == "dashboard-1 · שלום"
