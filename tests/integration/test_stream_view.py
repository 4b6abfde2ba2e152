"""StreamView over a real query: the same numbers as Spark's own reports, live and from a recording."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from pyspark.sql import SparkSession

from kafkalab import Cluster
from kafkalab.sources.fleet import Fleet
from kafkalab.streams import jobs, run
from kafkalab.views.stream.view import StreamView
from kafkalab.waiting import wait_until
from tests.support.records import produce


@pytest.mark.deep
def test_a_view_says_what_spark_reports_and_where_the_log_ends(
    one_cluster: Cluster, new_topic: Callable[[str], str], spark: SparkSession
) -> None:
    topic = new_topic("view")
    one_cluster.create_topic(topic, partitions=3, replication=3)
    produce(one_cluster, topic, [{"key": r.key, "value": r.value} for r in Fleet(trucks=60).reports(0, 60)])
    most = {"maxOffsetsPerTrigger": "40"}
    raw = jobs.read_trucks(spark, one_cluster.bootstrap_servers, topic, options=most)
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
        known = lambda s: all(p.end is not None for p in s.topic(topic).partitions)  # noqa: E731
        found: Any = one_cluster.wait_for(known, 20, "its ends").topic(topic)
        ends = {f"{topic}-{p.partition}": p.end for p in found.partitions}
        assert {key: lane["end"] for key, lane in view.state["batches"][str(last)]["lanes"].items()} == ends
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
