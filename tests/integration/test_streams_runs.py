"""Streams on a real cluster: each record in its place, a broker killed meanwhile, and errors one can read."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from kafkalab import Cluster, Ledger
from kafkalab.errors import WaitTimeout
from kafkalab.sources.fleet import Fleet
from kafkalab.sources.report import Report
from kafkalab.streams import jobs, run, sinks
from kafkalab.streams.jvm import StreamFailed
from kafkalab.views.stream.view import StreamView
from kafkalab.waiting import wait_until
from tests.support.modes import modes
from tests.support.records import produce, read

Name = Callable[[str], str]


@pytest.fixture
def topic(one_cluster: Cluster, new_topic: Name) -> str:
    name = new_topic("trucks")
    one_cluster.create_topic(name, partitions=4, replication=3)
    return name


def reports(trucks: int, seconds: float) -> list[Report]:
    return list(Fleet(trucks=trucks).reports(0, seconds))


def publish(cluster: Cluster, topic: str, records: Iterable[Report | tuple[bytes, bytes | None]]) -> None:
    pairs = ((r.key, r.value) if isinstance(r, Report) else r for r in records)
    produce(cluster, topic, ({"key": key, "value": value} for key, value in pairs), linger_ms=20)


def expecting(records: Iterable[Report]) -> Ledger:
    """A ledger that was told of the records, as sent and as acknowledged."""
    ledger = Ledger()
    for report in records:
        ledger.sent(report.record_id)
        ledger.acknowledged(report.record_id)
    return ledger


class Drawn:
    """A map that keeps what it was told; the real one is a widget with its own tests."""

    def __init__(self) -> None:
        self.trucks: dict[str, tuple[float, float, int]] = {}

    def update(
        self, ids: Any, latitude: Any, longitude: Any, partition: Any, *, speed: Any = None, heading: Any = None
    ) -> None:
        assert len(ids) == len(speed) == len(heading)
        self.trucks.update({i: (a, b, p) for i, a, b, p in zip(ids, latitude, longitude, partition, strict=True)})


def test_each_record_in_its_place(one_cluster: Cluster, topic: str, new_topic: Name, spark: SparkSession) -> None:
    cluster, bad_topic = one_cluster, new_topic("bad")
    cluster.create_topic(bad_topic)
    good = reports(50, 60)
    late, again = good[0], good[7]
    # A late record is one sent after its truck's newer ones: the first report of all goes last.
    on_time = good[1:]
    broken = [(b"T0003", b"{not json"), (b"T0004", late.value.replace(b'"latitude"', b'"lat"')), (b"T0005", None)]
    publish(cluster, topic, [*on_time, *broken])
    publish(cluster, topic, [again, late])

    ledger, drawn = expecting(good), Drawn()
    parsed = jobs.parse(jobs.read_trucks(spark, cluster.bootstrap_servers, topic))
    with (
        sinks.to_ledger(jobs.good_records(parsed), ledger, every=0) as counted,
        sinks.dead_letters(jobs.bad_records(parsed), cluster.bootstrap_servers, bad_topic, every=0) as letters,
        sinks.to_map(jobs.latest_position(parsed), drawn, every=0) as mapped,
    ):
        for one in (counted, letters, mapped):
            one.catch_up(90)
        assert mapped.progress is not None
        assert mapped.progress["stateOperators"][0]["numRowsTotal"] == 50
        (source,) = mapped.progress["sources"]
        assert source["endOffset"] == source["latestOffset"]
        assert "The last batches" in repr(mapped)

    result = ledger.result()
    assert (result.sent, result.seen, result.lost, result.strangers) == (len(good), len(good), 0, 0)
    assert result.duplicated_ids == (again.record_id,)

    buried = {(r.key, r.value): dict(r.headers) for r in read(cluster, bad_topic)}
    assert {key: h["reason"] for key, h in buried.items()} == {
        broken[0]: b"the value is not JSON",
        broken[1]: b"latitude is missing",
        broken[2]: b"there is no value",
    }
    places = {(r.key, r.value): (r.partition, r.offset) for r in read(cluster, topic)}
    for record, headers in buried.items():
        assert (int(headers["partition"]), int(headers["offset"])) == places[record]
        assert headers["topic"].decode() == topic

    newest: dict[str, Report] = {}
    for report in good:
        newest[report.truck_id] = report
    partitions = {r.key.decode(): r.partition for r in read(cluster, topic)}
    assert drawn.trucks == {i: (r.latitude, r.longitude, partitions[i]) for i, r in newest.items()}
    assert newest[late.truck_id].record_id != late.record_id


@modes(zookeeper="deep", kraft="nightly")
def test_a_checkpoint_and_a_broker_that_dies(
    cluster: Cluster, new_topic: Name, spark: SparkSession, tmp_path: Path
) -> None:
    topic = new_topic("trucks")
    cluster.create_topic(topic, partitions=4, replication=3)
    records = reports(40, 100)
    ledger = expecting(records)
    frame = jobs.good_records(jobs.parse(jobs.read_trucks(spark, cluster.bootstrap_servers, topic)))

    publish(cluster, topic, records[:80])
    with sinks.to_ledger(frame, ledger, checkpoint=tmp_path / "c", every=0) as counted:
        counted.catch_up(90)
    assert ledger.result().seen == 80

    with sinks.to_ledger(frame, ledger, checkpoint=tmp_path / "c", every=0) as counted:
        cluster.broker(102).kill()
        publish(cluster, topic, records[80:])
        counted.catch_up(90)
        cluster.broker(102).start()
    result = ledger.result()
    assert (result.seen, result.lost, result.duplicated, result.redelivered) == (len(records), 0, 0, 0)
    assert (tmp_path / "c").is_dir()


@pytest.mark.deep
def test_a_run_and_its_namesake(one_cluster: Cluster, topic: str, spark: SparkSession) -> None:
    publish(one_cluster, topic, reports(3, 20))
    frame = jobs.read_trucks(spark, one_cluster.bootstrap_servers, topic)
    first = run.start(frame.writeStream.format("noop"), "<shown>", every=0)
    first.catch_up(60)
    assert "&lt;shown&gt;" in first._repr_html_() and "<shown>" not in first._repr_html_()
    assert first.wait_for(lambda report: report["numInputRows"] == 3, 10)["batchId"] == 0
    with pytest.raises(WaitTimeout, match="a million rows"):
        first.wait_for(lambda report: report["numInputRows"] > 1_000_000, 0.2, "a million rows")
    folder = first.checkpoint
    assert folder.is_dir()
    second = run.start(frame.writeStream.format("noop"), "<shown>", every=0)
    assert not first.active and not folder.exists()
    second.stop()
    assert second.error is None and not second.checkpoint.exists()


@pytest.mark.deep
def test_what_fails_is_a_sentence(one_cluster: Cluster, topic: str, spark: SparkSession) -> None:
    publish(one_cluster, topic, [(b"k", b"v")])
    frame = jobs.read_trucks(spark, one_cluster.bootstrap_servers, topic)

    def work(rows: list[Any], number: int) -> None:
        raise ZeroDivisionError("no trucks to divide by")

    failing = sinks.each_batch(frame, work, "divide", every=0)
    with pytest.raises(StreamFailed, match="'divide' stopped") as caught:
        failing.catch_up(60)
    assert caught.value.seen == "ZeroDivisionError: no trucks to divide by"
    view = StreamView(failing)
    wait_until(lambda: view.state["standing"] == "failed", 60, "the failure to be seen")
    assert (view.state["reason"], view.state["advice"]) == (caught.value.seen, caught.value.do)
    view.close()
    failing.stop()
    # What Spark refuses.
    with pytest.raises(StreamFailed) as caught:
        run.start(frame.groupBy("key").count().writeStream.format("noop"), "append")
    assert "append" in caught.value.seen.lower()
    # A topic that is not there.
    frame = jobs.read_trucks(spark, one_cluster.bootstrap_servers, "no_such_topic")
    with run.start(frame.writeStream.format("noop"), "nowhere", every=0) as nowhere:
        with pytest.raises(StreamFailed, match=r"no_such_topic|UnknownTopic") as caught:
            nowhere.catch_up(90)
        assert "Create the topic" in caught.value.do
