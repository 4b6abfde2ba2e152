"""Text, HTML and SVG of a cluster: they say what the snapshot says, and nothing in them can act."""

from __future__ import annotations

import json
from dataclasses import replace
from xml.etree import ElementTree as ET

from kafkalab import Cluster, ClusterView
from kafkalab.state.event import Event
from kafkalab.state.model import Partition, Topic
from kafkalab.views.cluster_drawn import brokers, drawn
from kafkalab.views.cluster_html import to_html
from kafkalab.views.cluster_text import to_text
from tests.support.html import Page
from tests.unit.views.cluster_samples import HEALTHY, WITHOUT_102, nodes

SVG = "{http://www.w3.org/2000/svg}"


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


def test_svg_shows_every_sign_and_says_what_is_seen() -> None:
    lacking = replace(WITHOUT_102.topics[0].partitions[0], isr=(101,), behind=((103, 4242),))
    topic = replace(WITHOUT_102.topics[0], partitions=(lacking, *WITHOUT_102.topics[0].partitions[1:]))
    racks = tuple(replace(b, rack=f"r{b.id % 2}") for b in WITHOUT_102.brokers)
    snapshot = replace(WITHOUT_102, topics=(topic, WITHOUT_102.topics[1]), brokers=racks)
    happened = [Event(100.0, "you", "you killed broker 102"), Event(103.1, "broker_down", "broker 102 is down")]
    view = ClusterView.of(snapshot, nodes(broker_102="stopped"), happened)
    root = ET.fromstring(view.to_svg())
    texts = [e.text or "" for e in root.iter(f"{SVG}text")]
    assert (root.find(f"{SVG}title").text or "").startswith("Kafka cluster")  # type: ignore[union-attr]
    assert "2 of 3 brokers up" in (root.find(f"{SVG}desc").text or "")  # type: ignore[union-attr]
    shown = {"Broker 101", "controller", "−4\u202f242", "you killed broker 102", "+3.10 s", "dashboard-1", "lag 15"}
    assert shown | {"up · rack r1", "trucks_gps · RF 3", "1970-01-12 13:46:43 UTC"} <= set(texts)
    struck = [e.text for e in root.iter(f"{SVG}text") if e.get("text-decoration") == "line-through"]
    assert struck == ["P0", "P1", "P2"]
    hints = [e.text for e in root.iter(f"{SVG}title")]
    assert any(
        "partition 0 on broker 103" in (hint or "") and "4\u202f242 records behind" in (hint or "") for hint in hints
    )
    drawn_topics = [t for t in texts if "RF" in t and "·" in t]
    assert drawn_topics == ["trucks_gps · RF 3"] * 3


def test_svg_draws_the_one_topic_that_was_chosen() -> None:
    root = ET.fromstring(ClusterView.of(HEALTHY, nodes(), topic="__consumer_offsets").to_svg())
    named = [e.text for e in root.iter(f"{SVG}text") if "· RF" in (e.text or "")]
    assert named == ["__consumer_offsets · RF 2"] * 2


def test_much_is_cut_short_and_said_so() -> None:
    many = replace(HEALTHY, topics=tuple(replace(HEALTHY.topics[0], name=f"t{i:03}") for i in range(100)))
    assert "80 more topics" in to_text(drawn(many))
    assert "88 more topics" in to_html(drawn(many))
    assert len(ClusterView.of(many, nodes()).to_svg()) < 120_000


def test_who_is_cut_off_the_network_is_said() -> None:
    states = nodes(broker_101="cut", broker_102="cut", zookeeper_1="cut", zookeeper_2="paused")
    assert WITHOUT_102.quorum is not None
    first, second = WITHOUT_102.quorum.nodes
    quorum = replace(WITHOUT_102.quorum, nodes=(replace(first, alive=False, role=None), second))
    picture = drawn(replace(WITHOUT_102, quorum=quorum), states)
    for form in (to_text(picture), to_html(picture)):
        assert "the cluster has not noticed" in form
        assert "dropped by the cluster" in form
        assert "1 no answer, cut off, 2 leader, paused" in form


def test_a_cluster_that_is_not_real_says_so_in_every_form() -> None:
    with Cluster(backend="fake", quiet=True) as cluster:
        view = cluster.view()
        bundle = view._repr_mimebundle_()
        assert bundle is not None
        for form in (repr(view), bundle[0]["text/html"], json.dumps(view.state), view.to_svg()):
            assert "not real" in form
            assert "Kafka model" in form
        assert {b["address"] for b in brokers(view.state)} == {"fake:101", "fake:102", "fake:103"}
        view.close()


def test_what_is_not_known_is_said() -> None:
    topic = WITHOUT_102.topics[0]
    lone = replace(topic.partitions[1], leader=None, start=None, end=None)
    picture = drawn(replace(WITHOUT_102, topics=(Topic("t", (topic.partitions[0], lone)),)))
    unseen = drawn(None, nodes(), mode="zookeeper")
    for form in (to_text, to_html):
        assert "no leader: P1" in form(picture)
        assert "not looked at yet" in form(unseen)
    assert "at least 1\u202f200 records" in to_text(picture)


def test_text_of_a_wall_of_partitions_is_a_summary() -> None:
    """Five brokers, 1000 partitions: how many each leads, and only what is not well by number."""
    ids = (101, 102, 103, 104, 105)
    brokers = tuple(replace(HEALTHY.brokers[0], id=id) for id in ids)

    def partition(topic: str, p: int) -> Partition:
        replicas = tuple(ids[(p + i) % 5] for i in range(3))
        return Partition(topic, p, replicas[0], replicas, replicas[:2] if p == 7 else replicas, 0, 10)

    topics = tuple(Topic(name, tuple(partition(name, p) for p in range(100))) for name in map("t{}".format, range(10)))
    text = to_text(drawn(replace(HEALTHY, brokers=brokers, topics=topics, groups=()), nodes()))
    lines = text.splitlines()
    assert len(text) < 2000
    assert lines[1] == "broker 101  up · controller   ♛ leads 200   ● follows 400"
    assert lines[5].endswith("♛ leads 200   ● follows 390   ◌ 10 behind")
    assert lines[6] == "t0: 100 partitions, RF 3, 1\u202f000 records · under-replicated: P7"
    gone = replace(topics[0], partitions=tuple(replace(p, leader=None, isr=()) for p in topics[0].partitions[::2]))
    text = to_text(drawn(replace(HEALTHY, brokers=brokers, topics=(gone, topics[1]), groups=())))
    assert "no leader: P0 P2 P4 P6 P8 P10 P12 P14 P16 P18 and 40 more" in text
