"""ClusterView's drawn state, its text and its HTML: they say what the snapshot and the nodes say, and no more."""

from __future__ import annotations

import json
from dataclasses import replace

from kafkalab import Cluster, ClusterView
from kafkalab.state.model import Group, Member, Partition, Quorum, QuorumNode
from kafkalab.state.patch import applied, diff
from kafkalab.views import static
from kafkalab.views.cluster.picture import Picture, blocks, drawn, part, standing
from kafkalab.views.words import shorten
from tests.support.html import Page
from tests.unit.views.cluster_samples import HEALTHY, TURNED, WITHOUT_102, nodes


def to_text(picture: Picture) -> str:
    return static.to_text(blocks(picture))


def to_html(picture: Picture) -> str:
    return static.to_html(blocks(picture))


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

    def verbs(picture: Picture) -> list[list[str]]:
        return [b["node"]["verbs"] for b in picture["brokers"].values()]

    assert verbs(drawn(HEALTHY, states)) == [["stop", "kill", "pause"], ["resume", "kill"], ["start"]]
    assert verbs(drawn(HEALTHY, severable)) == [["stop", "kill", "pause", "cut"], ["join", "kill"], ["start"]]
    assert verbs(ClusterView.of(HEALTHY, states).state) == [[], [], []]
    assert all(b["node"] is None for b in drawn(HEALTHY)["brokers"].values())


def test_members_hold_by_topic_with_lag_and_idle_ones_hold_nothing() -> None:
    twins = Group("twins", "Stable", 101, (Member("app-aaaa", "app", ""), Member("app-bbbb", "app", "")))
    found = drawn(replace(HEALTHY, groups=(*HEALTHY.groups, twins)))["groups"]
    group, other = found["dashboard"], found["twins"]
    assert group["lag"] == 15
    assert [(m["name"], m["holds"]) for m in group["members"].values()] == [
        ("dashboard-1", [{"topic": "trucks_gps", "partitions": [(0, 5), (1, None)]}]),
        ("dashboard-2", []),
    ]
    assert group["unheld"] == [{"topic": "trucks_gps", "partitions": [(2, 10)]}]
    assert [m["name"] for m in other["members"].values()] == ["app…aaaa", "app…bbbb"], "of one client id"


def test_what_nobody_has_looked_at_or_could_is_not_claimed() -> None:
    picture = drawn(None, nodes(), mode="zookeeper", version="3.9.2")
    assert [(b["id"], b["alive"]) for b in picture["brokers"].values()] == [(101, None), (102, None), (103, None)]
    assert picture["kafka"] == "Kafka 3.9.2 · ZooKeeper"
    assert [n["alive"] for n in picture["quorum"]["nodes"].values()] == [None, None] and not picture["looked"]
    failed = drawn(HEALTHY, nodes(), error="no broker answers")
    assert [b["alive"] for b in failed["brokers"].values()] == [None, None, None]
    assert failed["error"] == {"text": "no broker answers", "at": HEALTHY.at}


def test_how_it_stands_is_said_for_screen_readers() -> None:
    known = WITHOUT_102.topics[0].partitions
    topic = replace(WITHOUT_102.topics[0], partitions=(replace(known[0], leader=None), *known[1:]))
    picture = drawn(replace(WITHOUT_102, topics=(topic,)), nodes(broker_102="stopped"))
    assert (picture["up"], picture["topics"]["trucks_gps"]["lone"]) == ("2 of 3 brokers up", "P0")
    assert picture["topics"]["trucks_gps"]["short"] == "P1–P2"
    assert picture["summary"] == (
        "2 of 3 brokers up, down: 102. The controller is broker 101. "
        "1 topic with 3 partitions: 1 without a leader, 2 under-replicated."
    )


def test_combined_kraft_nodes_have_their_buttons_on_the_broker_only() -> None:
    quorum = Quorum("kraft", 101, 7, (QuorumNode(101, "leader", True, lag=0), QuorumNode(102, "follower", True, lag=3)))
    brokers_only = tuple(n for n in nodes() if n.role == "broker")
    drawn_quorum = drawn(replace(HEALTHY, mode="kraft", quorum=quorum), brokers_only)["quorum"]
    assert (drawn_quorum["kind"], drawn_quorum["epoch"]) == ("KRaft", 7)
    told = [(n["id"], n["combined"], n["node"], n["said"]) for n in drawn_quorum["nodes"].values()]
    assert told == [(101, True, None, "leader"), (102, True, None, "follower · 3 behind")]


def test_names_are_short_cannot_turn_the_line_around_and_stay_apart() -> None:
    assert shorten(TURNED + "\n\x1b[31m שלום") == "\ufffdevil\ufffd \ufffd[31m שלום"
    endless = "x" * 32_000
    groups = tuple(Group(endless + end, "Stable", 101, (Member(endless + end, endless, endless),)) for end in "ab")
    picture = drawn(replace(HEALTHY, groups=groups, problems=(f"group {endless}: no coordinator",)), nodes())
    assert len(picture["groups"]) == 2
    assert len(json.dumps(picture)) < 8000


def test_html_has_brokers_as_columns() -> None:
    page = Page(to_html(drawn(WITHOUT_102, nodes(broker_102="stopped"))))
    assert page.rows[0] == ["Topic", "Broker 101 · controllerup", "Broker 102down", "Broker 103up"]
    assert page.rows[1][1:] == ["♛ P0● P1–P2", "✕ P0–P2", "♛ P1–P2● P0"]
    assert "1970-01-12 13:46:40 UTC" in to_html(drawn(HEALTHY, buttons=False)), "a frozen picture says when"


def test_text_is_the_cluster_in_lines() -> None:
    text = to_text(drawn(WITHOUT_102, nodes(broker_102="stopped"), name="lab", label="local processes"))
    assert [" ".join(line.split()) for line in text.splitlines()[:-1]] == [
        "lab · Kafka · ZooKeeper · local processes · 2 of 3 brokers up",
        "Topic Broker 101 · controller / up Broker 102 / down Broker 103 / up",
        "trucks_gps / 3 partitions, RF 3, 21 234 records ♛ P0 / ● P1–P2 ✕ P0–P2 ♛ P1–P2 / ● P0",
        "1 internal topic not shown",
        "ZooKeeper: 1 follower, 2 leader",
        "Group State Member Holds",
        "dashboard Stable · coordinator 102 · range · lag 15 dashboard-1 trucks_gps P0–P1",
        "dashboard dashboard-2 standing by",
        "dashboard nobody trucks_gps P2",
    ]


def test_a_long_list_is_cut_and_says_so() -> None:
    topics = tuple(replace(HEALTHY.topics[0], name=f"t{i}") for i in range(100))
    many = drawn(replace(HEALTHY, topics=topics), nodes())
    assert "and 80 more" in to_text(many) and "and 80 more" in to_html(many)
    assert "♛ leads 100 / ● follows 200" in to_text(
        drawn(replace(HEALTHY, topics=(replace(HEALTHY.topics[0], partitions=100 * HEALTHY.topics[0].partitions),)))
    ), "of very many replicas only the sums"


def test_the_chosen_topic_is_the_only_one_that_is_told() -> None:
    topics = tuple(replace(HEALTHY.topics[0], name=name) for name in ("one", "other"))
    snapshot = replace(HEALTHY, topics=topics, groups=())
    for topic, others in (("one", False), ("", True), ("gone", True)):
        assert ("other / 3" in repr(ClusterView.of(snapshot, topic=topic))) is others, topic


def test_who_is_cut_off_paused_or_leads_nothing_is_said() -> None:
    known = WITHOUT_102.topics[0].partitions
    topic = replace(WITHOUT_102.topics[0], partitions=(known[0], replace(known[1], leader=None, start=None, end=None)))
    states = nodes(broker_101="cut", broker_102="cut", zookeeper_2="paused")
    picture = drawn(replace(WITHOUT_102, topics=(topic,)), states)
    for form in (to_text, to_html):
        for words in ("not noticed", "dropped", "2 leader · paused", "no leader: P1"):
            assert words in form(picture)
    assert "at least 1\u202f200 records" in to_text(picture)


def test_a_cluster_that_is_not_real_says_so_in_every_form() -> None:
    with Cluster(backend="fake", quiet=True) as cluster:
        view = cluster.view()
        for form in (repr(view), view.to_html(), json.dumps(view.state)):
            assert "not real" in form
        view.close()
