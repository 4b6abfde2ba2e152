"""Guest brokers: they join a cluster for a lab, do not vote, and leave when the lab ends. And a broker that hangs."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from kafkalab.cluster import probe
from kafkalab.cluster.net import LOOPBACK
from kafkalab.exercises.topics import tidy
from kafkalab.waiting import wait_until

if TYPE_CHECKING:
    from kafkalab.handles.cluster import Cluster

#: Number of brokers in the notes' example of discovery.
FIVE: Final = 5


def join(cluster: Cluster, brokers: int = FIVE) -> list[int]:
    """Add brokers until there are ``brokers`` of them; return the ids of those added, when every broker knows them.

    Each id is first written to a file in the cluster's folder, so that :func:`as_before` finds the broker even if the
    kernel dies.
    """
    joined = []
    while len(ids := broker_ids(cluster)) < brokers:
        _remember(cluster, [*guests(cluster), max(ids) + 1])
        joined.append(cluster.add_broker().id)
    wait_until(lambda: _all_known(cluster), 60, "every broker to know every other")
    return joined


def guests(cluster: Cluster) -> list[int]:
    """Return the ids of the brokers that joined for a lab, this one or another, and have not left."""
    file = _file(cluster)
    noted: Any = []
    if file is not None:
        with contextlib.suppress(OSError, ValueError):
            noted = json.loads(file.read_text())
    return sorted(set(broker_ids(cluster)).intersection(noted if isinstance(noted, list) else ()))


def as_before(cluster: Cluster, prefix: str) -> None:
    """Restore the brokers that the cluster had before the lab; idempotent.

    It deletes the lab's topics first, because otherwise their partitions would be moved off the leaving brokers.

    :param prefix: that of the lab's topics and groups.
    :raises WaitTimeout: a broker does not come back, or does not leave.
    """
    tidy(cluster, prefix=prefix)
    leaving = guests(cluster)
    for id in reversed(leaving):
        cluster.remove_broker(id)
        _remember(cluster, [other for other in leaving if other < id])
    if (file := _file(cluster)) is not None:
        file.unlink(missing_ok=True)


def hang(cluster: Cluster, broker: int, topic: str, ask: int) -> float:
    """Pause a broker until it is out of the topic's ISR, and resume it; return how many seconds it took to be out.

    Only the broker ``ask`` is asked, because a client that happens to ask the paused one waits for it. At the end the
    broker is in the ISR again.
    """
    port = cluster.broker(ask).port or 0

    def in_sync(expected: bool) -> bool:
        known = probe.partitions(LOOPBACK, port, topic)
        return not isinstance(known, str) and bool(known) and all((broker in p.isr_nodes) == expected for p in known)

    began = time.monotonic()
    try:
        cluster.broker(broker).pause()
        wait_until(lambda: in_sync(False), 60, f"broker {broker} to leave the ISR", period=0.05)
        took = time.monotonic() - began
    finally:
        cluster.broker(broker).resume()
    wait_until(lambda: in_sync(True), 60, f"broker {broker} to be in sync again", period=0.05)
    cluster.watcher().wait_for(lambda s: not any(p.under_replicated for p in s.partitions()), 60, "views to see that")
    return took


def broker_ids(cluster: Cluster) -> list[int]:
    """Return the ids of the cluster's brokers, whether they are up or not."""
    mine = [node.id for node in cluster.nodes() if node.role == "broker"]
    return mine or [broker.id for broker in cluster.snapshot().brokers]


def _all_known(cluster: Cluster) -> bool:
    """Return whether every broker that runs tells its clients of all that run."""
    running = {node.id: node.port or 0 for node in cluster.nodes() if node.role == "broker" and node.state == "running"}
    told = [probe.ask(LOOPBACK, port) for port in running.values()]
    return all(isinstance(one, probe.Answer) and running.keys() <= one.brokers.keys() for one in told)


def _remember(cluster: Cluster, ids: Sequence[int]) -> None:
    if (file := _file(cluster)) is not None:
        file.write_text(json.dumps(sorted(ids)))


def _file(cluster: Cluster) -> Path | None:
    """Return the path of the guests file, in the cluster's folder so that both go together; None without a folder."""
    folder = getattr(cluster.backend, "folder", None)
    return None if folder is None else folder.path / "guests.json"
