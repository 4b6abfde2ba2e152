"""Pages of recordings, opened from disk in a browser that is offline."""

from __future__ import annotations

import base64
import contextlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path

from playwright.sync_api import Browser, Page

from kafkalab.handles.recording import Recording
from kafkalab.state.model import Snapshot
from tests.unit.state.batches import encoded
from tests.unit.views.cluster_samples import HEALTHY, WITHOUT_102, nodes
from tests.unit.views.recorded_samples import Tape

BEGAN, TOPIC = 1_000_000.0, "trucks_gps"


@dataclass
class Opened:
    """A page, what it asked for, and what went wrong on it."""

    page: Page
    requests: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    @property
    def at(self) -> float:
        """The moment that the page shows, seconds."""
        slider = self.page.get_by_role("slider", name="moment of the recording")
        return float(slider.get_attribute("aria-valuenow") or -1)

    def leaders(self, topic: str) -> dict[int, int]:
        """Partition → the broker that the page shows as its leader; brought into sight first, or it is not drawn."""
        self.page.locator("#view-cluster").scroll_into_view_if_needed()
        chips = self.page.locator(f"#view-cluster .kl-chip.kl-leader[data-chip^='{topic}/']")
        named = [str(chip).split("/") for chip in chips.evaluate_all("(all) => all.map((chip) => chip.dataset.chip)")]
        return {int(partition): int(broker) for _, partition, broker in named}


def moment(recording: Recording, *kinds: str) -> float:
    """When the last event of these kinds was, seconds since the beginning."""
    return max(e.at for e in recording.events if e.kind in kinds) - recording.header.began


def leaders(recording: Recording, topic: str, at: float) -> dict[int, int]:
    """Partition → leader, as the snapshot of a moment says."""
    snapshot = recording.at(at).snapshot
    found = snapshot.topic(topic) if isinstance(snapshot, Snapshot) else None
    assert found is not None
    return {p.partition: p.leader for p in found.partitions if p.leader is not None}


def election() -> Recording:
    """Two topics with records; 102 is killed at 8 s, what it led has another leader at 11.5 s, it is up at 15 s."""
    tape = Tape(BEGAN)
    other = replace(HEALTHY.topics[0], name="alerts")
    whole = dict.fromkeys(range(3), 30)

    def snapshot(at: float, of: Snapshot, ends: dict[int, int]) -> None:
        topics = tuple(
            replace(t, partitions=tuple(
                replace(p, topic=t.name, start=0, end=ends.get(p.partition, 0)) for p in t.partitions))
            for t in (*of.topics[:1], replace(other, partitions=of.topics[0].partitions))
        )  # fmt: skip
        tape.state(at, "snapshot", replace(of, at=BEGAN + at, topics=topics).to_dict())

    happened = partial(tape.happened, broker=102)
    tape.state(0.0, "nodes", {node.name: asdict(node) for node in nodes()})
    snapshot(0.0, HEALTHY, {})
    for p in range(3):
        data = encoded(*((f"k{i % 11}".encode(), b"v" * i, ()) for i in range(30)))
        for topic in (TOPIC, "alerts"):
            tape.item(1.0 + p, f"batches/{topic}/{p}", [101 + p, 0, 0, 30, base64.b64encode(data).decode()])
    snapshot(4.0, HEALTHY, whole)
    happened(5.0, "member_joined", "dashboard-1 joined group dashboard")
    tape.recording.name("all is well", 6.0)
    happened(8.0, "you", "you killed broker 102")
    tape.state(8.1, "nodes", {node.name: asdict(node) for node in nodes(broker_102="stopped")})
    snapshot(11.5, WITHOUT_102, whole)
    happened(11.5, "broker_down", "broker 102 is down")
    happened(11.5, "leader_moved", f"{TOPIC} P1: leader 102 → 103", 1)
    snapshot(15.0, replace(WITHOUT_102, brokers=HEALTHY.brokers), whole)
    tape.state(15.0, "nodes", {node.name: asdict(node) for node in nodes()})
    happened(15.0, "broker_up", "broker 102 is up")
    happened(16.0, "isr_grew", f"{TOPIC} P1: 102 is back in the ISR", 1)
    return tape.recording


@contextlib.contextmanager
def opened(browser: Browser, path: Path, fragment: str = "", **context: object) -> Iterator[Opened]:
    """The page, from disk, with no network; one on which anything went wrong fails its test."""
    where = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **context})  # type: ignore[arg-type]
    where.set_offline(True)
    found = Opened(where.new_page())
    found.page.on("request", lambda request: found.requests.append(request.url))
    found.page.on("pageerror", lambda error: found.faults.append(str(error)))
    found.page.on("console", lambda said: found.faults.append(said.text) if said.type in ("error", "warning") else None)
    found.page.on("dialog", lambda dialog: (found.faults.append(dialog.message), dialog.dismiss()))
    try:
        found.page.goto(f"{path.as_uri()}{fragment}")
        if context.get("java_script_enabled", True):
            found.page.locator("#kl-time [role=slider]").wait_for()
        yield found
    finally:
        where.close()
    assert found.faults == []
    assert found.requests == [path.as_uri()]
