"""Topics that Kafka would refuse are refused before it is asked; what is waited for; how a broker's replicas move."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kafka.errors import RequestTimedOutError, TopicAlreadyExistsError

from kafkalab.cluster import topics
from kafkalab.cluster.external import ExternalBackend, parse
from kafkalab.cluster.topics import check_name, check_shape, plan
from kafkalab.errors import BadInput, WaitTimeout


def test_names_and_shapes():
    for name in ("", ".", "..", "a b", "ä", "a/b", "x" * 250, "<img>", None, 3):
        with pytest.raises(BadInput) as e:
            check_name(name)
        assert e.value.do
    assert [check_name(name) for name in ("...", "x" * 249, "Az09._-")] == ["...", "x" * 249, "Az09._-"]
    for partitions, replication in ((0, 1), (-1, 1), (1, 0), (1.5, 1), (True, 1), ("3", 1), (10_001, 1), (1, 4)):
        with pytest.raises(BadInput):
            check_shape(partitions, replication, 3)
    check_shape(1, 3, 3)


def test_bootstrap_servers_as_people_write_them():
    assert parse("a:1, b.c:9092,[::1]:3,") == [("a", 1), ("b.c", 9092), ("::1", 3)]
    # An IPv6 address keeps its brackets, without which a client takes the port for a part of it.
    assert ExternalBackend("PLAINTEXT://a:1,[::1]:9092").bootstrap_servers == "a:1,[::1]:9092"
    for servers in ("", ",", "host", "host:", "host:0", "host:65536", "host:x", "http://host:1/x"):
        with pytest.raises(BadInput):
            parse(servers)


class Controller:
    """A controller that answers too late, as one with much to do does, and makes 50 partitions in 8 seconds."""

    def __init__(self, stops_at: int, monkeypatch: pytest.MonkeyPatch) -> None:
        self.stops_at, self.led, self.now, self.asked = stops_at, 0, 0.0, 0
        monkeypatch.setattr("kafkalab.waiting.time.monotonic", lambda: self.now)
        monkeypatch.setattr("kafkalab.waiting.time.sleep", lambda seconds: None)
        monkeypatch.setattr(topics.probe, "leaders", lambda *_: dict(enumerate([101] * self.led + [-1] * 3)))
        monkeypatch.setattr(topics, "asking", lambda servers, question: question(self))

    def describe_cluster(self):
        self.now += 8
        self.led = min(self.led + 50, self.stops_at)
        return {"brokers": [{"host": "h", "port": 1}]}

    def list_topics(self):
        return []

    def create_topics(self, wanted, timeout_ms=None, raise_errors=True):
        self.asked += 1
        code = TopicAlreadyExistsError.errno if self.asked > 1 else RequestTimedOutError.errno
        return {"topics": [{"error_code": code, "error_message": ""}]}


def test_many_partitions_are_waited_for_while_they_become_more(monkeypatch):
    controller, said = Controller(1000, monkeypatch), []
    topics.create("h:1", "t", 1000, 1, None, lambda *told: said.append(told))
    assert controller.now > 150
    assert said[0] == (0, 1000, "0 of 1000 partitions have leaders")
    assert said[-1] == (1000, 1000, "every partition has a leader")
    Controller(400, monkeypatch)
    with pytest.raises(WaitTimeout, match="400 of 1000 have one"):
        topics.create("h:1", "t", 1000, 1, None)


def test_a_broker_that_has_just_started_is_counted_when_the_others_know_of_it(monkeypatch):
    controller, known = Controller(50, monkeypatch), [2, 2, 3]
    alive = controller.describe_cluster
    controller.describe_cluster = lambda: {"brokers": alive()["brokers"] * (known.pop(0) if known else 3)}
    monkeypatch.setattr(topics, "NEWCOMER", 60)
    topics.create("h:1", "t", 50, 3, None)
    assert known == []
    known += [2] * 20
    with pytest.raises(BadInput) as e:
        topics.create("h:1", "t", 50, 3, None)
    assert e.value.seen == "2 of them alive"


BROKERS = (101, 102, 103, 104, 105)


@st.composite
def clusters(draw):
    replicas = {}
    for number in range(draw(st.integers(0, 12))):
        held = draw(st.permutations(BROKERS))[: draw(st.integers(1, 4))]
        replicas[("t", number)] = tuple(held)
    racks = {id: draw(st.sampled_from([None, "a", "b", "c"])) for id in BROKERS}
    return replicas, racks


@given(clusters())
def test_only_what_the_leaver_holds_moves(drawn):
    replicas, racks = drawn
    staying = [id for id in BROKERS if id != 103]
    moved = plan(replicas, 103, staying, racks)
    assert moved.keys() == {at for at, held in replicas.items() if 103 in held}
    for at, held in moved.items():
        others = [id for id in replicas[at] if id != 103]
        assert 103 not in held and len(set(held)) == len(held) == len(replicas[at])
        assert [new for new, old in zip(held, replicas[at], strict=True) if old != 103] == others
        (taker,) = set(held) - set(others)
        taken = {racks[id] for id in others} - {None}
        apart = [id for id in staying if id not in others and racks[id] not in taken]
        assert not apart or taker in apart


def test_with_nobody_to_take_over_it_is_refused_by_topic():
    replicas = {("wide", 0): (101, 102, 103), ("alone", 0): (103,)}
    with pytest.raises(BadInput, match="cannot leave") as e:
        plan(replicas, 103, [101, 102], {})
    assert "wide" in e.value.seen and "alone" not in e.value.seen
