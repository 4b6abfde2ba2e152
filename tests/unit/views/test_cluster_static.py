"""Text and HTML of a cluster: they say what the snapshot says, and nothing in them can act."""

from __future__ import annotations

import json
from dataclasses import replace
from xml.etree import ElementTree as ET

from kafkalab.cluster.fake.backend import FakeBackend
from kafkalab.cluster.spec import ClusterSpec
from kafkalab.state.event import Event
from kafkalab.state.model import Partition, Topic
from kafkalab.views.cluster_drawn import brokers, drawn
from kafkalab.views.cluster_html import to_html
from kafkalab.views.cluster_text import to_text
from kafkalab.views.cluster_view import ClusterView
from kafkalab.views.event_lines import EventLines
from tests.support.html import ALLOWED, Page
from tests.unit.views.cluster_samples import HEALTHY, HOSTILE, LONG, TURNED, WITHOUT_102, Stage, hostile, nodes

SVG = "{http://www.w3.org/2000/svg}"


def test_html_has_brokers_as_columns_and_each_cell_is_what_the_snapshot_says() -> None:
    page = Page(to_html(drawn(WITHOUT_102, nodes(broker_102="stopped"))))
    assert page.rows[0] == ["Topic", "Broker 101 · controllerup", "Broker 102down", "Broker 103up"]
    assert page.rows[1] == [
        "trucks_gpsRF 3 · 21\u202f234 records",
        "♛ P0 ● P1 ● P2",
        "✕ P0 ✕ P1 ✕ P2",
        "● P0 ♛ P1 ♛ P2",
    ]
    assert page.rows[2] == ["not shown: 1 internal topic"]
    assert page.rows[4:] == [
        ["dashboardStable, coordinator 102, lag 15, range", "dashboard-1", "trucks_gps P0–P1"],
        ["dashboard-2", "standing by"],
        ["nobody", "trucks_gps P2"],
    ]
    assert "ZooKeeper: 1 follower, 2 leader" in page.text
    assert page.open == []


def test_html_of_a_frozen_picture_says_when() -> None:
    assert "1970-01-12 13:46:40 UTC" in to_html(drawn(HEALTHY, buttons=False))


def test_hostile_names_stay_text() -> None:
    lines = EventLines()
    snapshot = hostile()
    html = to_html(drawn(snapshot, nodes(), name=HOSTILE, label=HOSTILE, error=HOSTILE), lines.list())
    page = Page(html)
    assert page.tags <= ALLOWED
    assert page.attributes <= {"style", "scope", "rowspan", "colspan"}
    assert HOSTILE in page.text
    for text in (html, to_text(drawn(snapshot, nodes()))):
        assert TURNED[0] not in text
        assert LONG not in text
        assert "\u2066" not in text


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
    view = ClusterView.of(HEALTHY, nodes(), topic="__consumer_offsets")
    root = ET.fromstring(view.to_svg())
    named = [e.text for e in root.iter(f"{SVG}text") if "· RF" in (e.text or "")]
    assert named == ["__consumer_offsets · RF 2"] * 2


def test_hostile_names_stay_text_in_svg() -> None:
    happened = [Event(1.0, "topic_created", f"topic {HOSTILE} {LONG} created")]
    svg = ClusterView.of(hostile(), nodes(), happened).to_svg()
    tags = {e.tag.removeprefix(SVG) for e in ET.fromstring(svg).iter()}
    assert tags <= {"svg", "title", "desc", "style", "rect", "circle", "path", "line", "text", "g"}
    assert "<img" not in svg
    assert "&lt;img src=x" in svg
    assert not {TURNED[0], "\u2066", LONG[:200]} & {part for part in (TURNED[0], "\u2066", LONG[:200]) if part in svg}


def test_svg_of_much_is_bounded() -> None:
    many = replace(HEALTHY, topics=tuple(replace(HEALTHY.topics[0], name=f"t{i:03}") for i in range(500)))
    assert len(ClusterView.of(many, nodes()).to_svg()) < 120_000


def test_text_is_the_cluster_in_lines() -> None:
    text = to_text(drawn(WITHOUT_102, nodes(broker_102="stopped"), name="lab", label="local processes"))
    assert text.splitlines() == [
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
        "♛ leader  ● follower in the ISR  ◌ replica out of the ISR, and by how much  ✕ on a broker that is down",
    ]


def test_who_is_cut_off_the_network_is_said() -> None:
    states = nodes(broker_101="cut", broker_102="cut", zookeeper_1="cut", zookeeper_2="paused")
    quorum = replace(WITHOUT_102.quorum, nodes=(replace(WITHOUT_102.quorum.nodes[0], alive=False, role=None),
                                                WITHOUT_102.quorum.nodes[1]))  # fmt: skip
    picture = drawn(replace(WITHOUT_102, quorum=quorum), states)
    for form in (to_text(picture), to_html(picture)):
        assert "cut off the network, the cluster has not noticed" in form
        assert "cut off, dropped by the cluster" in form
        assert "1 no answer, cut off, 2 leader, paused" in form


def test_a_cluster_that_is_not_real_says_so_in_every_form() -> None:
    backend = FakeBackend(ClusterSpec("lesson"))
    backend.start()
    stage = Stage()
    stage.snapshot, stage.states = backend.snapshot(), backend.nodes()
    stage.name, stage.label, stage.version = "lesson", backend.label, backend.version
    view = ClusterView(stage)
    try:
        stage.watcher().wait_for(lambda s: True, 10, "a snapshot")
        bundle = view._repr_mimebundle_()
        assert bundle is not None
        for form in (repr(view), bundle[0]["text/html"], json.dumps(view.state), view.to_svg()):
            assert "in memory, not real" in form
            assert "Kafka model" in form
        assert {b["address"] for b in brokers(view.state)} == {"fake:101", "fake:102", "fake:103"}
    finally:
        view.close()
        stage.watcher().close()


def test_a_partition_without_a_leader_is_said() -> None:
    topic = WITHOUT_102.topics[0]
    lone = replace(topic.partitions[1], leader=None, start=None, end=None)
    picture = drawn(replace(WITHOUT_102, topics=(Topic("t", (topic.partitions[0], lone)),)))
    assert "no leader: P1" in to_text(picture)
    assert "no leader: P1" in to_html(picture)
    assert "at least 1\u202f200 records" in to_text(picture)


def test_much_is_cut_short_and_said_so() -> None:
    many = replace(HEALTHY, topics=tuple(replace(HEALTHY.topics[0], name=f"t{i:03}") for i in range(100)))
    assert "… and 80 more topics" in to_text(drawn(many))
    assert "not shown: 88 more topics" in to_html(drawn(many))


def test_before_anything_was_seen() -> None:
    assert to_text(drawn(None, nodes(), mode="zookeeper")).splitlines()[0] == "Kafka · ZooKeeper · not looked at yet"
    assert "not looked at yet" in to_html(drawn(None))


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
