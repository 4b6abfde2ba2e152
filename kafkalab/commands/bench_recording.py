"""What it costs to record a cluster under the trucks: this process's CPU with a recording and without one, in turns.

``python -m kafkalab.commands.bench_recording [SECONDS [FILE]]`` measures it alone, also for an hour.
"""

from __future__ import annotations

import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from kafkalab.cluster.cluster import Cluster
from kafkalab.state.recording import Recording
from kafkalab.waiting import wait_until

TOPIC, GROUP = "trucks_gps", "dashboard"
TRUCKS, PERIOD, PARTITIONS = 1000, 20.0, 10


def run(runs: int, seconds: float, say: Callable[[str], None]) -> dict[str, Any]:
    """The shape of one of ``bench``'s results: per cent of a core with a recording, and with the watcher alone."""
    ours, theirs = [], []
    with Cluster(quiet=True) as cluster, trucks(cluster), tempfile.TemporaryDirectory() as folder:
        for turn in range(runs):
            unsubscribe = cluster.watcher().subscribe(lambda _: None)
            theirs.append(100 * _cpu(seconds))
            unsubscribe()
            with cluster.record(Path(folder) / f"{turn}.kafkalab") as recording:
                ours.append(100 * _cpu(seconds))
            size = recording.path.stat().st_size if recording.path else 0
            say(
                f"recording the trucks: {ours[-1]:.1f} % of a core, {size / seconds * 3600 / 1e6:.0f} MB an hour; "
                f"watching them {theirs[-1]:.1f} %"
            )
    a, b = statistics.median(ours), statistics.median(theirs)
    name = f"recording {TRUCKS / PERIOD:.0f} records a second (theirs: watching alone, as one view does)"
    return {
        "name": name, "ours": round(a, 2), "theirs": round(b, 2), "unit": "% of a core", "ratio": round(a / b, 3),
        "runs": runs, "all_ours": [round(x, 2) for x in ours], "all_theirs": [round(x, 2) for x in theirs],
    }  # fmt: skip


@contextmanager
def trucks(cluster: Cluster) -> Iterator[None]:
    """A thousand trucks report every 20 seconds, and a group of consumers commits what it read: in another process."""
    cluster.create_topic(TOPIC, partitions=PARTITIONS, replication=3)
    code = (
        f"from {__name__ if __name__ != '__main__' else __spec__.name} import load; load({cluster.bootstrap_servers!r})"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE)
    try:
        wait_until(
            lambda: any(g.group_id == GROUP and g.members and g.lag < 1000 for g in cluster.snapshot().groups),
            60,
            "the consumers to be there",
        )
        yield
    finally:
        process.kill()
        process.wait()
        assert process.stdin is not None
        process.stdin.close()


def load(bootstrap_servers: str) -> None:
    """The other process: publishes and consumes until its standard input ends."""
    import threading

    from kafka import KafkaConsumer

    from kafkalab.sources.fleet import Fleet
    from kafkalab.sources.publish import Publisher

    def consume() -> None:
        for _ in KafkaConsumer(
            TOPIC, bootstrap_servers=bootstrap_servers, group_id=GROUP, auto_commit_interval_ms=1000
        ):
            pass

    threading.Thread(target=consume, daemon=True).start()
    with Publisher(bootstrap_servers, Fleet(TRUCKS, period=PERIOD), TOPIC):
        sys.stdin.read()


def long(seconds: float, file: str = "") -> dict[str, Any]:
    """One long recording: what it costs, how large its file is, and how long it takes to open that.

    :param file: where it stays; "": nowhere.
    """
    with Cluster(quiet=True) as cluster, trucks(cluster), tempfile.TemporaryDirectory() as folder:
        path = Path(file or Path(folder) / "long.kafkalab")
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        with cluster.record(path) as recording:
            cpu = _cpu(seconds)
            said = repr(recording)
        size, memory = path.stat().st_size, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        began = time.monotonic()
        opened = Recording.open(path)
        took = time.monotonic() - began
        records = sum(opened.facts.count(track) for track in opened.facts.tracks("batches/"))
        return {
            "recording": said, "seconds": seconds, "cpu_percent": round(100 * cpu, 2), "bytes": size,
            "mb_an_hour": round(size / seconds * 3600 / 1e6, 1), "memory_mb": round(memory / 1024, 1),
            "batches": records, "open_seconds": round(took, 2), "problem": opened.problem,
        }  # fmt: skip


def _cpu(seconds: float) -> float:
    """Processor time of this process, all its threads, as a share of the time that passed."""
    began, cpu = time.monotonic(), time.process_time()
    wait_until(lambda: time.monotonic() - began >= seconds, seconds + 60, "the time to pass", period=1.0)
    return (time.process_time() - cpu) / (time.monotonic() - began)


if __name__ == "__main__":
    print(json.dumps(long(float((*sys.argv, "60")[1]), *sys.argv[2:]), indent=1))
