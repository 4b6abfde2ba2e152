"""Publisher against real brokers: every report once, in order, in its truck's partition, whatever dies meanwhile."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from kafka import KafkaProducer

from kafkalab import Cluster, Fleet, Publisher
from kafkalab.errors import RefusedByKafka, Unreachable
from kafkalab.sources.report import Report
from kafkalab.waiting import wait_until
from tests.support.modes import modes
from tests.support.records import read


class Heard:
    """What a publisher's callbacks were told."""

    def __init__(self) -> None:
        self.sent: list[Report] = []
        self.acknowledged: dict[str, tuple[int, int]] = {}
        self.failed: list[tuple[Report, Exception]] = []

    def publisher(self, cluster: Cluster, topic: str, fleet: Fleet, lapse: float, **more: Any) -> Publisher:
        return Publisher(
            cluster.bootstrap_servers, fleet, topic, lapse=lapse, on_sent=self.sent.append,
            on_acknowledged=lambda r, p, o: self.acknowledged.update({r.record_id: (p, o)}),
            on_failed=lambda r, e: self.failed.append((r, e)), **more,
        )  # fmt: skip


@modes(zookeeper="", kraft="nightly")
def test_every_report_arrives_once_in_order(cluster: Cluster, new_topic: Callable[[str], str]) -> None:
    topic, fleet, heard = new_topic("trucks"), Fleet(200), Heard()
    cluster.create_topic(topic, partitions=10, replication=3)
    publisher = heard.publisher(cluster, topic, fleet, lapse=200, since=1000.0)
    for wanted in (1000, 4000):  # a second start goes on where the first ended
        publisher.start()
        wait_until(lambda wanted=wanted: publisher.stats().acknowledged >= wanted, 60, f"{wanted} reports")
        stats = publisher.stop()
    records = read(cluster, topic)

    assert (stats.running, stats.waiting, stats.failed, stats.last_error) == (False, 0, 0, None)
    assert heard.sent == list(fleet.reports(1000, stats.event_time))
    assert stats.sent == stats.acknowledged == len(heard.sent) == len(records)
    reports = [Report(**json.loads(r.value)) for r in records]
    assert all(r.key == report.key for r, report in zip(records, reports, strict=True))
    # The callbacks named the very place at which each record lies.
    assert {report.record_id: (r.partition, r.offset) for r, report in zip(records, reports, strict=True)} == (
        heard.acknowledged
    )
    lanes = defaultdict(list)
    for record, report in zip(records, reports, strict=True):
        lanes[report.truck_id].append((record.partition, record.offset, report.time))
    for lane in lanes.values():
        assert len({partition for partition, _, _ in lane}) == 1
        assert all(a[2] < b[2] for a, b in pairwise(sorted(lane, key=lambda x: x[1])))
    assert len({r.partition for r in records}) == 10


FAULTS = {"kraft-kill": "", "zookeeper-pause": "deep", "kraft-stop": "deep"} | dict.fromkeys(
    ("zookeeper-kill", "kraft-pause", "zookeeper-stop"), "nightly"
)


@pytest.mark.parametrize(
    "mode, verb",
    [
        pytest.param(*id.split("-"), id=id, marks=[getattr(pytest.mark, tier)] if tier else [])
        for id, tier in FAULTS.items()
    ],
    indirect=["mode"],
    scope="session",
)
def test_a_broker_that_fails_costs_no_report_and_doubles_none(
    cluster: Cluster, new_topic: Callable[[str], str], verb: str
) -> None:
    topic, fleet, heard = new_topic("trucks"), Fleet(1000), Heard()
    cluster.create_topic(topic, partitions=10, replication=3)
    led = {p.partition: p.leader_epoch for p in cluster.snapshot().topic(topic).partitions if p.leader == 102}  # type: ignore[union-attr]
    assert led, "102 leads nothing, so its end would show nothing"

    def at_102() -> int:
        return sum(p in led for p, _ in list(heard.acknowledged.values()))

    with heard.publisher(cluster, topic, fleet, lapse=20) as publisher:
        wait_until(lambda: publisher.stats().acknowledged >= 2000, 60, "the trucks to be under way")
        getattr(cluster.broker(102), verb)()
        before = at_102()
        wait_until(lambda: at_102() > before + 500, 90, "reports to go on in the partitions 102 led")
        cluster.broker(102).resume() if verb == "pause" else cluster.broker(102).start()
        after = publisher.stats().acknowledged
        wait_until(lambda: publisher.stats().acknowledged > after + 1000, 60, "reports with 102 back")
        stats = publisher.stop(60)
    assert (stats.failed, stats.waiting) == (0, 0), stats.last_error
    # A broker that was paused believes for a moment that it still leads, and tells a reader so. It knows better once
    # it follows in the new epoch.
    cluster.wait_for(
        lambda s: all(
            p.leader_epoch > led[p.partition] and 102 in p.isr for p in s.topic(topic).partitions if p.partition in led
        ),
        60,
        "102 to follow in the partitions it led",
    )
    counted = Counter(Report(**json.loads(r.value)).record_id for r in read(cluster, topic))
    assert set(counted) == set(heard.acknowledged) == {r.record_id for r in heard.sent}
    assert set(counted.values()) == {1}


def test_what_too_few_replicas_have_is_not_acknowledged(one_cluster: Cluster, new_topic: Callable[[str], str]) -> None:
    topic, heard = new_topic("trucks"), Heard()
    one_cluster.create_topic(topic, partitions=1, replication=2, settings={"min.insync.replicas": "2"})
    led: Any = one_cluster.wait_for(lambda s: s.topic(topic).partitions[0].leader, 20, "a leader").topic(topic)  # type: ignore[union-attr]
    (follower,) = set(led.partitions[0].replicas) - {led.partitions[0].leader}

    publisher = heard.publisher(one_cluster, topic, Fleet(20), lapse=20)
    publisher.start()
    # Somebody else, to whom the leader alone is enough, and who has found it already.
    with KafkaProducer(bootstrap_servers=one_cluster.bootstrap_servers, acks=1, enable_idempotence=False) as other:
        other.send(topic, b"x").get(30)
        wait_until(lambda: heard.acknowledged, 30, "the first reports to be acknowledged")
        one_cluster.broker(follower).pause()
        since, sent = other.send(topic, b"x").get(30).offset, len(heard.sent)
        wait_until(lambda: len(heard.sent) > sent + 20, 30, "more to be sent")
        other.send(topic, b"x").get(30)
        assert [at for at in heard.acknowledged.values() if at[1] > since] == []
        one_cluster.broker(follower).resume()
    wait_until(lambda: len(heard.acknowledged) > sent + 20, 60, "them to be acknowledged")
    publisher.stop()


def test_a_topic_that_is_not_there_is_refused(one_cluster: Cluster, new_topic: Callable[[str], str]) -> None:
    topic = new_topic("missing")
    with pytest.raises(RefusedByKafka, match=f"no topic '{topic}'"):
        Publisher(one_cluster.bootstrap_servers, Fleet(1), topic).start()
    assert one_cluster.snapshot().topic(topic) is None, "it was not made"
    with pytest.raises(Unreachable, match=r"127\.0\.0\.1:1"):
        Publisher("127.0.0.1:1", Fleet(1)).start()


@pytest.mark.deep
@pytest.mark.parametrize("what", ["no topic", "no broker"])
def test_what_nobody_takes_is_counted_as_failed_and_stopping_ends(
    one_cluster: Cluster, new_topic: Callable[[str], str], what: str
) -> None:
    topic, heard = new_topic("trucks"), Heard()
    one_cluster.create_topic(topic, partitions=3, replication=3)
    publisher = heard.publisher(one_cluster, topic, Fleet(200), lapse=50).start()
    wait_until(lambda: publisher.stats().acknowledged >= 500, 60, "the trucks to be under way")
    if what == "no topic":
        one_cluster.delete_topic(topic)
        wait_until(lambda: publisher.stats().failed >= 2, 60, "reports that nobody takes")
    else:
        for id in (101, 102, 103):
            one_cluster.broker(id).pause()
        wait_until(lambda: publisher.stats().waiting > 100, 60, "reports without an answer")
    stats = publisher.stop(1)
    if what == "no broker":
        for id in (101, 102, 103):
            one_cluster.broker(id).resume()
    assert (stats.running, stats.waiting, stats.failed) == (False, 0, len(heard.failed))
    assert stats.failed > 1 and stats.last_error
    if what == "no topic":
        assert one_cluster.snapshot().topic(topic) is None, "it is not made again"


def test_a_callback_that_raises_is_reported_and_stops_nothing(
    one_cluster: Cluster, new_topic: Callable[[str], str]
) -> None:
    topic = new_topic("trucks")
    one_cluster.create_topic(topic, partitions=1, replication=1)

    def broken(*_: object) -> None:
        raise RuntimeError("the ledger is full")

    told = {"on_sent": broken, "on_acknowledged": broken}
    with Publisher(one_cluster.bootstrap_servers, Fleet(100), topic, lapse=50, **told) as publisher:
        wait_until(lambda: publisher.stats().acknowledged >= 500, 60, "500 acknowledged reports")
    assert "the ledger is full" in (publisher.stats().last_error or "")
    assert publisher.stats().failed == 0
