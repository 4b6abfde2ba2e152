"""StreamView over real queries: what it says of one that runs, of one that broke, and after Spark's own clock."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from pyspark.sql import SparkSession

from kafkalab import Cluster
from kafkalab.sources.fleet import Fleet
from kafkalab.streams import jobs, run, sinks
from kafkalab.views.stream_view import StreamView
from kafkalab.waiting import wait_until
from tests.support.records import produce

pytestmark = pytest.mark.deep

Name = Callable[[str], str]


@pytest.fixture
def topic(one_cluster: Cluster, new_topic: Name) -> str:
    name = new_topic("view")
    one_cluster.create_topic(name, partitions=3, replication=3)
    produce(one_cluster, name, [{"key": r.key, "value": r.value} for r in Fleet(trucks=60).reports(0, 60)])
    return name


def test_a_view_says_what_spark_reports_and_where_the_log_ends(
    one_cluster: Cluster, topic: str, spark: SparkSession
) -> None:
    raw = jobs.read_trucks(spark, one_cluster.bootstrap_servers, topic, most_per_batch=40)
    recording = one_cluster.record(topics=[])
    with run.start(raw.select("value").writeStream.format("noop"), "copy", every=0.1) as stream:
        assert recording.follow(stream) == "copy"
        view = StreamView(stream)
        stream.catch_up(60)
        last = json.loads(stream.query._jsq.lastProgress().json())["batchId"]
        wait_until(lambda: str(last) in view.state["batches"], 20, "the last batch to be drawn")
        reports = {str(r["batchId"]): r for r in (json.loads(p.json) for p in stream.query.recentProgress)}
        assert len(reports) > 3
        for number, batch in view.state["batches"].items():
            assert batch["rows"] == reports[number]["numInputRows"]
            assert batch["ms"] == reports[number]["durationMs"]["triggerExecution"]
        assert sum(b["rows"] for b in view.state["batches"].values()) == 180
        found: Any = one_cluster.snapshot().topic(topic)
        ends = {f"{topic}-{p.partition}": p.end for p in found.partitions}
        assert {key: lane[1] for key, lane in view.state["batches"][str(last)]["lanes"].items()} == ends
        assert view.state["trigger"] == {"kind": "processing time", "every_ms": 100, "words": "a batch every 0.1 s"}
        view.close()
        recording.stop()
        assert stream.active, "the query goes on without them"
        # What was drawn live is drawn again of the recording, without Spark, batch by batch.
        again, live = StreamView(recording), view.state["batches"]
        assert {n: again.state["batches"][n] for n in live} == live
        assert again.state["trigger"] == view.state["trigger"]
        times = recording.facts.times("stream/copy")
        assert len(again.drawn_at(recording.at(times[1]))["batches"]) == 2
        again.close()


def test_a_view_says_why_a_query_broke(one_cluster: Cluster, topic: str, spark: SparkSession) -> None:
    good = jobs.good_records(jobs.parse(jobs.read_trucks(spark, one_cluster.bootstrap_servers, topic)))

    def broken(rows: list[Any], number: int) -> None:
        raise LookupError(f"no place for {len(rows)} rows")

    stream = sinks.each_batch(good, broken, "broken", every=0.1)
    view = StreamView(stream.query)
    wait_until(lambda: view.state["standing"] == "failed", 60, "the failure to be seen")
    assert view.state["reason"] == "LookupError: no place for 180 rows"
    assert "Python function" in view.state["advice"]
    assert "LookupError" in repr(view)
    view.close()
    stream.stop()
