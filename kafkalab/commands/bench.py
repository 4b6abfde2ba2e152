"""Measures ratios within one run, ours and theirs in turns: single figures mean little on a shared machine."""

from __future__ import annotations

import os
import platform
import statistics
import time
import uuid
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import psutil

from kafkalab.cluster import jvm, rehearsal
from kafkalab.cluster.cluster import Cluster
from kafkalab.cluster.folder import ClusterFolder
from kafkalab.cluster.local import LocalBackend
from kafkalab.cluster.spec import ClusterSpec, Mode
from kafkalab.commands import bench_recording

Say = Callable[[str], None]

#: Seconds of each recording that is measured.
RECORDED = 20.0


class StockBackend(LocalBackend):
    """The same jars and the same layout, with the JVM options of Kafka's start scripts and Kafka's own defaults."""

    style = jvm.STOCK
    speed = {}


def run(runs: int, say: Say) -> dict[str, Any]:
    """Every measurement (the shape of ``kafkalab bench --json``); ``ratio`` = ours / theirs, of medians."""
    results = []
    for mode, name in (("zookeeper", "ZooKeeper and 3 brokers"), ("kraft", "3 KRaft nodes")):
        results += _starts(mode, name, runs, say)  # type: ignore[arg-type]
    results.append(_look(runs, say))
    results.append(bench_recording.run(runs, RECORDED, say))
    return {"machine": machine(), "results": results}


def machine() -> str:
    """A few words on where this was measured."""
    memory = psutil.virtual_memory().total / 2**30
    system = f"{platform.system()} {platform.machine()}, Python {platform.python_version()}"
    return f"{os.cpu_count()} cores, {memory:.0f} GiB, {system}"


def _result(name: str, unit: str, ours: Sequence[float], theirs: Sequence[float]) -> dict[str, Any]:
    a, b = statistics.median(ours), statistics.median(theirs)
    return {
        "name": name, "ours": round(a, 4), "theirs": round(b, 4), "unit": unit, "ratio": round(a / b, 3),
        "runs": len(ours), "all_ours": [round(x, 4) for x in ours], "all_theirs": [round(x, 4) for x in theirs],
    }  # fmt: skip


def _starts(mode: Mode, name: str, runs: int, say: Say) -> list[dict[str, Any]]:
    """Until every broker says that every broker is registered; and the memory they hold then."""
    seconds: dict[type[LocalBackend], list[float]] = {LocalBackend: [], StockBackend: []}
    megabytes: dict[type[LocalBackend], list[float]] = {LocalBackend: [], StockBackend: []}
    rehearsal.ensure(mode)
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
    """Proportional set size, MB; resident size where the system does not tell."""
    total = 0
    for pid in pids:
        if pid is not None:
            info = psutil.Process(pid).memory_full_info()
            total += getattr(info, "pss", info.rss)
    return total / 2**20


def _look(runs: int, say: Say) -> dict[str, Any]:
    """One look at 20 topics of 10 partitions: our snapshot against Kafka's two tools that print the same."""
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
