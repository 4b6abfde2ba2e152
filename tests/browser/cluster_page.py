"""ClusterView's front end on a plain page: what it is drawn from, what is on it."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from kafkalab.state.model import Broker, Event, NodeState, Partition, Snapshot, Topic
from kafkalab.views.cluster.events import EventLines
from kafkalab.views.cluster.picture import drawn
from tests.browser.view_page import ViewPage
from tests.unit.views.cluster_samples import HEALTHY, nodes


def state(snapshot: Snapshot | None = HEALTHY, *events: Event, **options: Any) -> dict[str, Any]:
    """What the kernel has the view drawn from."""
    lines = EventLines()
    lines.add(events)
    given = {"nodes": nodes(), "name": "lab", "label": "local processes", "version": "3.9.2", **options}
    return {**drawn(snapshot, **given), "events": lines.list()}


def many(brokers: int, topics: int, partitions: int, late: int = 0) -> Snapshot:
    """So many brokers from 101 on, and topics with three replicas of each partition; the first ``late`` lack one."""
    ids = [101 + i for i in range(brokers)]

    def partition(name: str, p: int, n: int) -> Partition:
        replicas = tuple(ids[(n + i) % brokers] for i in range(3))
        return Partition(name, p, replicas[0], replicas, replicas[:2] if n < late else replicas, 0, 100)

    found = tuple(
        Topic(name, tuple(partition(name, p, t * partitions + p) for p in range(partitions)))
        for t in range(topics)
        for name in [f"orders.region-{t:02}.events"]
    )
    return replace(
        HEALTHY, brokers=tuple(Broker(i, "127.0.0.1", 9000 + i, alive=True) for i in ids), topics=found, groups=()
    )


def brokers(count: int, paused: int = 0) -> tuple[NodeState, ...]:
    """The processes of so many brokers, one of them paused."""
    ids = range(101, 101 + count)
    return tuple(NodeState(f"broker-{i}", "broker", i, "paused" if i == paused else "running", 9000 + i) for i in ids)


def chips(view: ViewPage, broker: int) -> list[str]:
    """ "leader P0" and so on, of one broker's column, in the order of the page."""
    found = []
    for chip in view.page.locator(f"[data-broker='{broker}'] .kl-chip").all():
        part = re.search(r"kl-(leader|follower|behind|down)", chip.get_attribute("class") or "")
        assert part
        found.append(f"{part[1]} {chip.locator('.kl-p').inner_text()}")
    return found
