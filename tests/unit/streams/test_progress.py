"""Spark's report of a micro-batch, read."""

from __future__ import annotations

import json

from kafkalab.streams.progress import StreamProgress

# As Spark 4.2 writes it, shortened.
REPORT = json.loads("""
{"id": "x", "timestamp": "2026-11-21T03:49:06.080Z", "batchId": 4, "batchDuration": 812, "numInputRows": 120,
 "inputRowsPerSecond": 66.5, "processedRowsPerSecond": 147.7, "durationMs": {"triggerExecution": 812},
 "eventTime": {"watermark": "2026-01-05T06:00:00.000Z"},
 "stateOperators": [{"numRowsTotal": 40, "numRowsDroppedByWatermark": 2}, {"numRowsTotal": 2}],
 "sources": [{"endOffset": {"trucks_gps": {"0": 10, "1": 20}},
              "latestOffset": {"trucks_gps": {"0": 15, "1": 20, "2": 3}}}],
 "sink": {}}
""")


def test_a_report_is_read() -> None:
    progress = StreamProgress.of(REPORT)
    assert (progress.batch, progress.input_rows, progress.batch_ms) == (4, 120, 812)
    assert (progress.state_rows, progress.dropped_late) == (42, 2)
    assert progress.behind == 8
    assert progress.watermark == "2026-01-05T06:00:00.000Z"
    assert "66 records/s" in str(progress)
    assert "8 records" in progress._repr_html_()
    assert progress.to_dict()["behind"] == 8


def test_what_spark_leaves_out_is_not_made_up() -> None:
    least = {"timestamp": "t", "batchId": 0, "inputRowsPerSecond": "NaN", "processedRowsPerSecond": "Infinity"}
    progress = StreamProgress.of(least)
    assert progress.behind is None
    assert progress.watermark is None
    assert (progress.input_rows_per_second, progress.processed_rows_per_second) == (0.0, 0.0)
    assert "unknown" in str(progress)
    assert "watermark" not in str(progress)
