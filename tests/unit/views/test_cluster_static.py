"""Text and HTML of a cluster: they say what the snapshot says, and nothing more."""

from __future__ import annotations

import json
from dataclasses import replace

from kafkalab import Cluster
from kafkalab.state.model import Partition, Topic
from kafkalab.views.cluster_drawn import drawn
from kafkalab.views.cluster_html import to_html
from kafkalab.views.cluster_text import to_text
from tests.support.html import Page
from tests.unit.views.cluster_samples import HEALTHY, WITHOUT_102, nodes


def test_html_has_brokers_as_columns() -> None:
    page = Page(to_html(drawn(WITHOUT_102, nodes(broker_102="stopped"))))
    assert page.rows[0] == ["Topic", "Broker 101 · controllerup", "Broker 102down", "Broker 103up"]
    named = "trucks_gpsRF 3 · 21\u202f234 records"
    assert page.rows[1] == [named, "♛ P0 ● P1 ● P2", "✕ P0 ✕ P1 ✕ P2", "● P0 ♛ P1 ♛ P2"]
    assert page.rows[2] == ["not shown: 1 internal topic"]
    assert page.rows[4:] == [
        ["dashboardStable, coordinator 102, lag 15, range", "dashboard-1", "trucks_gps P0–P1"],
        ["dashboard-2", "standing by"],
        ["nobody", "trucks_gps P2"],
    ]
    assert "ZooKeeper: 1 follower, 2 leader" in page.text
    assert page.open == []
    assert "1970-01-12 13:46:40 UTC" in to_html(drawn(HEALTHY, buttons=False)), "a frozen picture says when"


def test_text_is_the_cluster_in_lines() -> None:
    text = to_text(drawn(WITHOUT_102, nodes(broker_102="stopped"), name="lab", label="local processes"))
    assert text.splitlines()[:-1] == [
        "lab · Kafka · ZooKeeper · local processes · 2 of 3 brokers up",
        "broker 101  up · controller",
        "broker 102  down",
        "broker 103  up",
        "trucks_gps: 3 partitions, RF 3, 21\u202f234 records",
        "  101  ♛ P0   ● P1–P2",
        "  102  ✕ P0–P2",
        "  103  ♛ P1–P2   ● P0",
        "1 internal topic not shown",
        "ZooKeeper: 1 follower, 2 leader",
        "group dashboard: Stable, coordinator 102, lag 15, range",
        "  dashboard-1  trucks_gps P0–P1",
        "  dashboard-2  standing by",
        "  held by nobody: trucks_gps P2",
    ]


def test_much_is_cut_short_and_said_so() -> None:
    many = drawn(replace(HEALTHY, topics=tuple(replace(HEALTHY.topics[0], name=f"t{i:03}") for i in range(100))))
    assert "80 more topics" in to_text(many)
    assert "88 more topics" in to_html(many)


def test_who_is_cut_off_and_what_is_not_known_is_said() -> None:
    states = nodes(broker_101="cut", broker_102="cut", zookeeper_1="cut", zookeeper_2="paused")
    assert WITHOUT_102.quorum is not None
    first, second = WITHOUT_102.quorum.nodes
    quorum = replace(WITHOUT_102.quorum, nodes=(replace(first, alive=False, role=None), second))
    known = WITHOUT_102.topics[0].partitions
    topic = Topic("t", (known[0], replace(known[1], leader=None, start=None, end=None)))
    picture = drawn(replace(WITHOUT_102, quorum=quorum, topics=(topic,)), states)
    for form in (to_text, to_html):
        for words in ("not noticed", "dropped", "1 no answer, cut off, 2 leader, paused", "no leader: P1"):
            assert words in form(picture)
        assert "not looked at yet" in form(drawn(None, nodes(), mode="zookeeper"))
    assert "at least 1\u202f200 records" in to_text(picture)


def test_a_cluster_that_is_not_real_says_so_in_every_form() -> None:
    with Cluster(backend="fake", quiet=True) as cluster:
        view = cluster.view()
        for form in (repr(view), view.to_html(), json.dumps(view.state), view.to_svg()):
            assert "not real" in form and "Kafka model" in form
        view.close()


def test_text_of_a_wall_of_partitions_is_a_summary() -> None:
    """How many each broker leads, and only what is not well by number."""
    ids = (101, 102, 103, 104, 105)
    brokers = tuple(replace(HEALTHY.brokers[0], id=id) for id in ids)

    def partition(p: int) -> Partition:
        replicas = tuple(ids[(p + i) % 5] for i in range(3))
        leader, isr = (None, ()) if p % 2 and p < 30 else (replicas[0], replicas[:2] if p == 0 else replicas)
        return Partition("wall", p, leader, replicas, isr, 0, 10)

    topic = Topic("wall", tuple(partition(p) for p in range(1000)))
    lines = to_text(drawn(replace(HEALTHY, brokers=brokers, topics=(topic,), groups=()), nodes())).splitlines()
    assert lines[1] == "broker 101  up · controller   ♛ leads 197   ● follows 394   ◌ 9 behind"
    assert lines[6].startswith("wall: 1000 partitions, RF 3, 10\u202f000 records · no leader: P1 P3 P5 P7 P9")
    assert lines[6].endswith("P19 and 5 more · under-replicated: P0")
