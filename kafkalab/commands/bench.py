"""``kafkalab bench``: ratios of ours to theirs, measured in turns: single figures mean little on a shared machine."""

from __future__ import annotations

import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil

from kafkalab.cluster import jvm, local
from kafkalab.cluster.folder import ClusterFolder
from kafkalab.cluster.local import LocalBackend
from kafkalab.cluster.spec import ClusterSpec
from kafkalab.handles.cluster import Cluster
from kafkalab.state.model import Mode
from kafkalab.waiting import wait_until

Say = Callable[[str], None]

#: Length of each recording that is measured, in seconds.
RECORDED = 20.0


class StockBackend(LocalBackend):
    """A local cluster with our jars and layout, but the JVM options of Kafka's start scripts and Kafka's defaults."""

    style = jvm.STOCK
    speed = {}


def run(runs: int, say: Say) -> dict[str, Any]:
    """Run every measurement (the shape of ``kafkalab bench --json``); ``ratio`` is our median divided by theirs."""
    results = []
    for mode, name in (("zookeeper", "ZooKeeper and 3 brokers"), ("kraft", "3 KRaft nodes")):
        results += _starts(mode, name, runs, say)  # type: ignore[arg-type]
    results.append(_look(runs, say))
    results.append(_recording(runs, say))
    results += _batches(runs, say)
    return {"machine": machine(), "results": results}


def machine() -> str:
    """Return a few words that describe this machine."""
    memory = psutil.virtual_memory().total / 2**30
    system = f"{platform.system()} {platform.machine()}, Python {platform.python_version()}"
    return f"{os.cpu_count()} cores, {memory:.0f} GiB, {system}"


def _result(name: str, unit: str, ours: Sequence[float], theirs: Sequence[float]) -> dict[str, Any]:
    a, b = statistics.median(ours), statistics.median(theirs)
    return {
        "name": name, "ours": round(a, 4), "theirs": round(b, 4), "unit": unit, "ratio": round(a / b, 3),
        "runs": len(ours),
    }  # fmt: skip


# --- Trucks that report, and a group that reads them, in another process.


TOPIC, GROUP = "trucks_gps", "dashboard"
TRUCKS, PERIOD, PARTITIONS = 1000, 20.0, 10


@contextmanager
def trucks(cluster: Cluster) -> Iterator[None]:
    """In another process, let a thousand trucks report every 20 seconds, and a consumer group read and commit."""
    cluster.create_topic(TOPIC, partitions=PARTITIONS, replication=3)
    code = f"from {__name__} import load; load({cluster.bootstrap_servers!r})"
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
    """Publish and consume until standard input ends; this runs in the other process."""
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


# --- The cost of a recording while the trucks report.


def _recording(runs: int, say: Say) -> dict[str, Any]:
    """Measure this process's CPU with a recording and with the watcher alone, while the trucks report, in turns."""
    ours, theirs = [], []
    with Cluster(quiet=True) as cluster, trucks(cluster), tempfile.TemporaryDirectory() as folder:
        for turn in range(runs):
            unsubscribe = cluster.watcher().subscribe(lambda _: None)
            theirs.append(_cpu())
            unsubscribe()
            with cluster.record(Path(folder) / f"{turn}.kafkalab") as recording:
                ours.append(_cpu())
            size = recording.path.stat().st_size if recording.path else 0
            say(
                f"recording the trucks: {ours[-1]:.1f} % of a core, {size / RECORDED * 3600 / 1e6:.0f} MB an hour; "
                f"watching them {theirs[-1]:.1f} %"
            )
    name = f"recording {TRUCKS / PERIOD:.0f} records a second (theirs: watching alone, as one view does)"
    return _result(name, "% of a core", ours, theirs)


def _cpu() -> float:
    """Return the CPU time of this process, with all its threads, in per cent of the time that passed."""
    began, cpu = time.monotonic(), time.process_time()
    wait_until(lambda: time.monotonic() - began >= RECORDED, RECORDED + 60, "the time to pass", period=1.0)
    return 100 * (time.process_time() - cpu) / (time.monotonic() - began)


# --- Batches of the fleet's job: the newest position of each truck, while they report at 50 records a second.


#: Settings of Spark that ours change, as they are without us.
_STOCK = {"spark.sql.shuffle.partitions": "200", "spark.driver.extraJavaOptions": "-Dkafkalab.stock=true"}
#: Number of later batches that are measured, one a second.
_LATER = 15


def _batches(runs: int, say: Say) -> list[dict[str, Any]]:
    """Measure a fresh process with ``kafkalab.spark()`` and with Spark's own settings: its first batch, later ones."""
    first: dict[bool, list[float]] = {False: [], True: []}
    later: dict[bool, list[float]] = {False: [], True: []}
    with Cluster(quiet=True) as cluster, trucks(cluster):
        for turn in range(runs):
            for stock in (False, True) if turn % 2 else (True, False):
                code = f"from {__name__} import fleet_job; fleet_job({cluster.bootstrap_servers!r}, {stock})"
                ended = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, check=True)
                begun, batch = json.loads(ended.stdout.splitlines()[-1])
                first[stock].append(begun)
                later[stock].append(batch)
                name = "Spark's settings" if stock else "kafkalab"
                say(f"the fleet's job, {name}: first batch {begun:.1f} s after the start, later {batch:.2f} s each")
    return [
        _result("from nothing to the first batch of the fleet's job", "s", first[False], first[True]),
        _result("a later batch of it, 50 records a second", "s", later[False], later[True]),
    ]


def fleet_job(bootstrap_servers: str, stock: bool) -> None:
    """Print seconds from here to the end of the first batch, and of a later one (median); in another process."""
    began = time.monotonic()
    from kafkalab.streams import jobs, sinks
    from kafkalab.streams.session import spark

    session = spark(config=_STOCK if stock else {})
    positions = jobs.latest_position(jobs.parse(jobs.read_trucks(session, bootstrap_servers, TOPIC)))
    with sinks.each_batch(positions, lambda rows, number: None, "positions", mode="update") as run:
        run.wait_for(lambda progress: progress.input_rows > 0, 120)
        first = time.monotonic() - began
        run.wait_for(lambda progress: progress.batch >= _LATER, 300)
        later = [one.batch_ms / 1000 for one in run.recent() if one.input_rows and one.batch]
    print(json.dumps([first, statistics.median(later)]))


# --- Starts, and looks at a cluster.


def _starts(mode: Mode, name: str, runs: int, say: Say) -> list[dict[str, Any]]:
    """Measure the time until every broker knows that all are registered, and the memory that they take then."""
    seconds: dict[type[LocalBackend], list[float]] = {LocalBackend: [], StockBackend: []}
    megabytes: dict[type[LocalBackend], list[float]] = {LocalBackend: [], StockBackend: []}
    local.rehearse(mode)
    for kind in (LocalBackend, StockBackend):  # once unmeasured: jars into the page cache, KRaft's template made
        _start(kind, mode)
    for turn in range(runs):
        for kind in (LocalBackend, StockBackend) if turn % 2 else (StockBackend, LocalBackend):
            took, memory = _start(kind, mode)
            seconds[kind].append(took)
            megabytes[kind].append(memory)
            say(f"start, {name}, {'stock' if kind is StockBackend else 'kafkalab'}: {took:.2f} s, {memory:.0f} MB")
    return [
        _result(f"start: {name}", "s", seconds[LocalBackend], seconds[StockBackend]),
        _result(f"memory (PSS) once up: {name}", "MB", megabytes[LocalBackend], megabytes[StockBackend]),
    ]


def _start(kind: type[LocalBackend], mode: Mode) -> tuple[float, float]:
    name = f"bench-{uuid.uuid4().hex[:8]}"
    spec = ClusterSpec(name, mode=mode, zookeepers=1 if mode == "zookeeper" else 0)
    backend = kind(spec, ClusterFolder.of(name), throw_away=True, detached=False)
    began = time.monotonic()
    try:
        backend.start()
        took = time.monotonic() - began
        return took, _pss(n.pid for n in backend.nodes())
    finally:
        backend.stop()


def _pss(pids: Iterable[int | None]) -> float:
    """Return the proportional set size of processes in MB; the resident size where the system does not tell it."""
    total = 0
    for pid in pids:
        if pid is not None:
            info = psutil.Process(pid).memory_full_info()
            total += getattr(info, "pss", info.rss)
    return total / 2**20


def _look(runs: int, say: Say) -> dict[str, Any]:
    """Measure one look at 20 topics of 10 partitions: our snapshot against Kafka's two tools that print the same."""
    ours: list[float] = []
    theirs: list[float] = []
    with Cluster(quiet=True) as cluster:
        for i in range(20):
            cluster.create_topic(f"bench-{i}", partitions=10, replication=3)
        cluster.snapshot()
        for _ in range(runs):
            began = time.monotonic()
            cluster.snapshot()
            ours.append(time.monotonic() - began)
            began = time.monotonic()
            cluster.tool("kafka-topics", "--describe")
            cluster.tool("kafka-consumer-groups", "--describe", "--all-groups")
            theirs.append(time.monotonic() - began)
            say(f"a look at the cluster: snapshot {ours[-1] * 1000:.0f} ms, the two tools {theirs[-1]:.2f} s")
    return _result("a look at 200 partitions (theirs: kafka-topics + kafka-consumer-groups)", "s", ours, theirs)
