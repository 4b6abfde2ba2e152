"""Pages of recordings, opened from disk in a browser that is offline."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from kafka import KafkaConsumer, KafkaProducer
from playwright.sync_api import Browser, Page

from kafkalab import Cluster
from kafkalab.state.model import Snapshot
from kafkalab.state.recording import Recording
from kafkalab.waiting import wait_until


@dataclass
class Opened:
    """A page, what it asked for, and what went wrong on it."""

    page: Page
    requests: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    @property
    def at(self) -> float:
        """The moment that the page shows, seconds."""
        return float(
            self.page.get_by_role("slider", name="moment of the recording").get_attribute("aria-valuenow") or -1
        )

    def leaders(self, topic: str) -> dict[int, int]:
        """Partition → the broker that the page shows as its leader; brought into sight first, or it is not drawn."""
        self.page.locator("#view-cluster_view").scroll_into_view_if_needed()
        chips = self.page.locator(f"#view-cluster_view .kl-chip.kl-leader[data-chip^='{topic}/']")
        named = [str(chip).split("/") for chip in chips.evaluate_all("(all) => all.map((chip) => chip.dataset.chip)")]
        return {int(partition): int(broker) for _, partition, broker in named}


@dataclass(frozen=True)
class Election:
    """A broker was killed, its partitions got other leaders, and it came back."""

    recording: Recording
    path: Path
    topic: str

    def moment(self, kind: str) -> float:
        """When the first event of a kind was, seconds since the beginning."""
        found = next(e for e in self.recording.events if e.kind == kind)
        return found.at - self.recording.header.began

    def leaders(self, at: float) -> dict[int, int]:
        """Partition → leader, as the snapshot of a moment says."""
        snapshot = self.recording.at(at).snapshot
        assert isinstance(snapshot, Snapshot)
        found = snapshot.topic(self.topic)
        assert found is not None
        return {p.partition: p.leader for p in found.partitions if p.leader is not None}


def elect(cluster: Cluster, topic: str, path: Path) -> Election:
    """Record a real election, under a few records and with a group, and write its page."""
    cluster.create_topic(topic, partitions=3, replication=3)
    producer = KafkaProducer(bootstrap_servers=cluster.bootstrap_servers, acks="all")
    consumer = KafkaConsumer(topic, bootstrap_servers=cluster.bootstrap_servers, group_id=f"{topic}-group",
                             client_id="reader", auto_offset_reset="earliest")  # fmt: skip
    with cluster.record() as recording:
        # By and by: of a log that grows faster than it is looked at, only the end is recorded.
        for begin in range(0, 300, 60):
            for i in range(begin, begin + 60):
                producer.send(topic, key=f"k{i % 11}".encode(), value=b"v" * (i % 50))
            producer.flush()
            wait_until(lambda: _recorded(recording, topic) >= begin + 60, 30, "the records to be recorded")  # noqa: B023
        wait_until(lambda: consumer.poll(5000) and consumer.assignment(), 30, "the group to read")
        consumer.commit()
        leader = next(iter(cluster.snapshot().topic(topic).partitions)).leader  # type: ignore[union-attr]
        assert leader is not None
        recording.name("all is well", recording.seconds)
        cluster.broker(leader).kill()
        elected = ("leader_moved", "leader_elected")
        wait_until(lambda: [e for e in recording.events if e.kind in elected and e.topic == topic], 30, "the election")
        cluster.broker(leader).start()
        cluster.wait_for(lambda s: not any(p.under_replicated for p in s.partitions()), 60, "every replica to be back")
        wait_until(lambda: any(e.kind == "isr_grew" for e in recording.events), 30, "the recording to have it")
    consumer.close()
    producer.close()
    cluster.delete_topic(topic)
    return Election(recording, recording.to_html(path), topic)


def _recorded(recording: Recording, topic: str) -> int:
    """How many records the logs held in all when they were last looked at."""
    return sum(end.end for end in recording.at(recording.seconds).logs(topic).ends.values())


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
    found.page.goto(f"{path.as_uri()}{fragment}")
    if context.get("java_script_enabled", True):
        found.page.locator("#kl-time [role=slider]").wait_for()
    yield found
    where.close()
    assert found.faults == []
    assert found.requests == [f"{path.as_uri()}{fragment}".split("#")[0]]
