"""What a cluster leaves on a machine: its processes, its files, its records."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

import psutil

from kafkalab import Cluster
from kafkalab.cluster.folder import ClusterFolder
from kafkalab.state.model import Snapshot
from kafkalab.waiting import wait_until
from tests.support.records import produce


def processes_of(*names: str) -> list[psutil.Process]:
    """Every process, supervisors included, whose command line names one of the clusters."""
    found = []
    for process in psutil.process_iter():
        try:
            words = process.cmdline()
        except psutil.Error:
            continue
        kafkalab = "kafkalab.cluster.supervisor" in words or any(w.startswith("-Dkafkalab.node=") for w in words)
        if kafkalab and any(f"/{name}/" in f"{word}/" for name in names for word in words):
            found.append(process)
    return found


def no_process_left(*names: str) -> None:
    """Fails unless all processes of the clusters are gone, or go within moments (the system kills orphans)."""
    wait_until(lambda: not processes_of(*names), 30, "every process to be gone", seen=lambda: str(processes_of(*names)))


def supervisor(cluster: Cluster) -> psutil.Process:
    """The process under which a cluster's nodes live."""
    parent = psutil.Process(cluster.nodes()[0].pid).parent()
    assert parent is not None
    return parent


def fingerprint(folder: Path) -> dict[str, str]:
    """Every file below a folder, with the sha256 of what it holds."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def closed_in_order(folder: ClusterFolder) -> set[str]:
    """The brokers whose last run ended with all logs closed."""
    return {p.parent.name for p in folder.path.glob("data/broker-*/.kafka_cleanshutdown")}


def write(cluster: Cluster, topic: str, keys: Iterable[int]) -> None:
    """Records that every in-sync replica has acknowledged."""
    produce(cluster, topic, ({"key": b"%d" % key, "value": b"x" * 100} for key in keys))


def in_sync(cluster: Cluster) -> None:
    """Waits until there is a controller, every broker is alive and every replica in sync."""

    def whole(s: Snapshot) -> bool:
        alive = s.controller is not None and all(b.alive for b in s.brokers)
        return alive and not any(p.under_replicated for p in s.partitions())

    cluster.wait_for(whole, 60, "a controller, and every replica to be in sync")
