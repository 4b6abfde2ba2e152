"""``kafkalab bench``: ratios of ours to theirs, measured in turns: single figures mean little on a shared machine."""

from __future__ import annotations

import json
import os
import platform
import statistics
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import psutil

from kafkalab.cluster import jvm, local
from kafkalab.cluster.folder import ClusterFolder
from kafkalab.cluster.local import LocalBackend
from kafkalab.cluster.spec import ClusterSpec
from kafkalab.handles.cluster import Cluster
from kafkalab.sources.fleet import Fleet
from kafkalab.sources.publish import Publisher
from kafkalab.state.model import Mode

Say = Callable[[str], None]
#: What was measured of ours (False) and of theirs (True).
Sides = dict[bool, list[float]]


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
    results += _batches(runs, say)
    return {"machine": machine(), "results": results}


def machine() -> str:
    """Return a few words that describe this machine."""
    memory = psutil.virtual_memory().total / 2**30
    system = f"{platform.system()} {platform.machine()}, Python {platform.python_version()}"
    return f"{os.cpu_count()} cores, {memory:.0f} GiB, {system}"


def _in_turns(runs: int) -> Iterator[bool]:
    """Yield which side is measured next (True: theirs), each ``runs`` times; they take turns to begin."""
    for turn in range(runs):
        yield from (False, True) if turn % 2 else (True, False)


def _result(name: str, unit: str, measured: Sides) -> dict[str, Any]:
    ours, theirs = statistics.median(measured[False]), statistics.median(measured[True])
    ratio, runs = round(ours / theirs, 3), len(measured[False])
    return {
        "name": name, "ours": round(ours, 4), "theirs": round(theirs, 4), "unit": unit, "ratio": ratio, "runs": runs,
    }  # fmt: skip


# --- Batches of the fleet's job: the newest position of each truck, while they report at 50 records a second.


#: Settings of Spark that ours change, as they are without us.
_STOCK = {"spark.sql.shuffle.partitions": "200", "spark.driver.extraJavaOptions": "-Dkafkalab.stock=true"}
#: Number of later batches that are measured, one a second.
_LATER = 15
_TOPIC = "trucks_gps"


def _batches(runs: int, say: Say) -> list[dict[str, Any]]:
    """Measure a fresh process with ``kafkalab.spark()`` and with Spark's own settings: its first batch, later ones."""
    first: Sides = {False: [], True: []}
    later: Sides = {False: [], True: []}
    with Cluster(quiet=True) as cluster:
        cluster.create_topic(_TOPIC, partitions=10, replication=3)
        with Publisher(cluster.bootstrap_servers, Fleet(), _TOPIC):
            for stock in _in_turns(runs):
                code = f"from {__name__} import fleet_job; fleet_job({cluster.bootstrap_servers!r}, {stock})"
                ended = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, check=True)
                begun, batch = json.loads(ended.stdout.splitlines()[-1])
                first[stock].append(begun)
                later[stock].append(batch)
                name = "Spark's settings" if stock else "kafkalab"
                say(f"the fleet's job, {name}: first batch {begun:.1f} s after the start, later {batch:.2f} s each")
    return [
        _result("from nothing to the first batch of the fleet's job", "s", first),
        _result("a later batch of it, 50 records a second", "s", later),
    ]


def fleet_job(bootstrap_servers: str, stock: bool) -> None:
    """Print seconds from here to the end of the first batch, and of a later one (median); in another process."""
    began = time.monotonic()
    from kafkalab.streams import jobs, sinks
    from kafkalab.streams.session import spark

    session = spark(config=_STOCK if stock else {})
    positions = jobs.latest_position(jobs.parse(jobs.read_trucks(session, bootstrap_servers, _TOPIC)))
    with sinks.each_batch(positions, lambda rows, number: None, "positions", mode="update") as run:
        run.wait_for(lambda report: report["numInputRows"] > 0, 120)
        first = time.monotonic() - began
        run.wait_for(lambda report: report["batchId"] >= _LATER, 300)
        later = [
            report["durationMs"]["triggerExecution"] / 1000
            for report in run.recent()
            if report["numInputRows"] and report["batchId"]
        ]
    print(json.dumps([first, statistics.median(later)]))


# --- Starts, and looks at a cluster.


def _starts(mode: Mode, name: str, runs: int, say: Say) -> list[dict[str, Any]]:
    """Measure the time until every broker knows that all are registered, and the memory that they take then."""
    seconds: Sides = {False: [], True: []}
    megabytes: Sides = {False: [], True: []}
    local.rehearse(mode)
    for stock in (False, True):  # once unmeasured: jars into the page cache, KRaft's template made
        _start(stock, mode)
    for stock in _in_turns(runs):
        took, memory = _start(stock, mode)
        seconds[stock].append(took)
        megabytes[stock].append(memory)
        say(f"start, {name}, {'stock' if stock else 'kafkalab'}: {took:.2f} s, {memory:.0f} MB")
    return [
        _result(f"start: {name}", "s", seconds),
        _result(f"memory (PSS) once up: {name}", "MB", megabytes),
    ]


def _start(stock: bool, mode: Mode) -> tuple[float, float]:
    name = f"bench-{uuid.uuid4().hex[:8]}"
    spec = ClusterSpec(name, mode=mode, zookeepers=1 if mode == "zookeeper" else 0)
    backend = (StockBackend if stock else LocalBackend)(spec, ClusterFolder.of(name), throw_away=True, detached=False)
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
    seconds: Sides = {False: [], True: []}
    with Cluster(quiet=True) as cluster:
        for i in range(20):
            cluster.create_topic(f"bench-{i}", partitions=10, replication=3)
        cluster.snapshot()
        for _ in range(runs):
            began = time.monotonic()
            cluster.snapshot()
            looked = time.monotonic()
            cluster.tool("kafka-topics", "--describe")
            cluster.tool("kafka-consumer-groups", "--describe", "--all-groups")
            ours, theirs = looked - began, time.monotonic() - looked
            seconds[False].append(ours)
            seconds[True].append(theirs)
            say(f"a look at the cluster: snapshot {ours * 1000:.0f} ms, the two tools {theirs:.2f} s")
    return _result("a look at 200 partitions (theirs: kafka-topics + kafka-consumer-groups)", "s", seconds)
