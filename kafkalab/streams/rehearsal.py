"""The rehearsal: one stream on this machine, so that all later starts of Spark find their classes in an archive."""

from __future__ import annotations

import fcntl
import json
import logging
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from kafkalab.cluster.jars import jar_set
from kafkalab.cluster.java import can_write_archives, find_java, writing
from kafkalab.errors import KafkalabError
from kafkalab.home import make_dir
from kafkalab.progressbar import Report, silent
from kafkalab.streams import jvm

log = logging.getLogger(__name__)

#: Maximum seconds for the JVM to write the archive and end.
_PATIENCE: Final = 300

_REPORT: Final = {
    "record_id": "T0005-000000",
    "truck_id": "T0005",
    "time": 1_767_592_805_228,
    "latitude": 51.58639,
    "longitude": -3.65193,
    "speed_kmh": 66.5,
    "heading_deg": 100.9,
}


def rehearse(progress: Report = silent) -> None:
    """Make the archive of Spark's classes unless it exists. A rehearsal that fails costs only speed."""
    jar_set("spark").ensure(progress)
    java = find_java()
    archive = jvm.archive(java)
    # A mark says that this Java cannot make it: we do not try again.
    hopeless = archive.with_suffix(".none")
    folder = make_dir(archive.parent, "KAFKALAB_CACHE")
    with (folder / ".lock-spark").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # another process may be making it
        if archive.is_file() or hopeless.exists():
            return
        if not can_write_archives(java):
            hopeless.touch()
            return
        progress(0, 2, "rehearsing a stream, once: later starts of Spark are quicker")
        with tempfile.TemporaryDirectory(prefix="rehearsal-", dir=folder) as scratch:
            draft = Path(scratch) / "spark.jsa"
            ended = subprocess.run(
                [sys.executable, "-c", f"from {__name__} import play; play({scratch!r})"],
                env=os.environ | {"SPARK_SUBMIT_OPTS": shlex.join(writing(draft))},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                check=False,
            )
            if ended.returncode != 0:
                said = ended.stderr.strip().splitlines() or [f"exit code {ended.returncode}"]
                log.warning("The rehearsal of a stream failed, so Spark starts more slowly: %s", said[-1])
            elif draft.is_file():
                for old in folder.glob("spark-*.jsa"):  # for another Java, or another PySpark: 175 MB
                    old.unlink(missing_ok=True)
                os.replace(draft, archive)
            else:
                hopeless.touch()


def play(folder: str) -> None:
    """Run the jobs of the labs on one report, and end Spark in order; in a process of its own.

    :raises KafkalabError: Spark doesn't start, a stream fails, or Spark doesn't end.
    """
    from kafkalab.streams import jobs, patterns, sinks
    from kafkalab.streams.session import ROCKSDB, spark

    session = spark("rehearsal", config=ROCKSDB)
    record = {"key": "T0005", "value": json.dumps(_REPORT), "topic": "rehearsal", "partition": 0, "offset": 0}
    Path(folder, "records").mkdir()
    Path(folder, "records", "1.json").write_text(json.dumps(record | {"timestamp": "2026-01-05 06:00:00"}))
    schema = "key string, value string, topic string, partition int, offset long, timestamp timestamp"
    reports = jobs.parse(session.readStream.schema(schema).json(f"{folder}/records"))
    frames = {"latest": jobs.latest_position(reports), "far": jobs.travelled(reports)}
    for name, frame in frames.items():
        sinks.each_batch(frame, lambda rows, number: None, name, mode="update", once=True).wait()
    sinks.each_batch(patterns.silences(reports), lambda rows, number: None, "silent", once=True).wait()
    session.stop()
    if (code := jvm.end(_PATIENCE)) != 0:
        raise KafkalabError("Spark's JVM did not end in order.", seen=f"its exit code is {code}", log=jvm.log_tail())
