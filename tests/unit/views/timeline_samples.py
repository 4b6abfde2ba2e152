"""Recordings for the time line's tests: a broker dies and comes back; an hour in which thousands of things happen."""

from __future__ import annotations

from kafkalab.handles.recording import Recording
from kafkalab.history.facts import Header
from kafkalab.state.model import Broker, Group, GroupOffset, Partition, Snapshot, Topic
from tests.unit.views.recorded_samples import Tape

BEGAN = 1_760_000_000.0
MARKUP = '<img src=x onerror="window.hostileRan = true">'
TURNED = "\u202egnp.exe\u202c"


class Story(Tape):
    """Facts put by hand: how the cluster was when, and what happened."""

    def __init__(self, name: str = "truck-lab", *, going_on: Recording | None = None) -> None:
        super().__init__(BEGAN)
        self.recording.header = Header(BEGAN, name, "local processes", "zookeeper", "3.9.1", "id")
        if going_on:
            self.recording, self._states = going_on, {"snapshot": going_on.facts.value("snapshot")}

    def was(self, at: float, *, down: tuple[int, ...] = (), leaderless: int = 0, lag: int | None = None) -> None:
        """A snapshot: three brokers, four partitions on all of them, one group."""
        alive = tuple(id for id in (101, 102, 103) if id not in down)
        leaders = [None if p < leaderless else alive[p % len(alive)] for p in range(4)]
        partitions = tuple(Partition("trucks_gps", p, id, (101, 102, 103), alive) for p, id in enumerate(leaders))
        offsets = () if lag is None else (GroupOffset("trucks_gps", 0, 10, lag),)
        brokers = tuple(Broker(id, "127.0.0.1", 9000 + id, id in alive) for id in (101, 102, 103))
        topic, group = Topic("trucks_gps", partitions), Group("dashboard", "Stable", 101, (), offsets)
        snapshot = Snapshot("id", "zookeeper", alive[0], BEGAN + at, brokers, (topic,), (group,))
        self.state(at, "snapshot", snapshot.to_dict())


def death(seconds: float = 42.0) -> Recording:
    """Broker 102 is killed at 12 s, leaders move at 16.1 s, it is back at 30 s."""
    story = Story()
    for now in sorted({*(i / 2 for i in range(int(seconds * 2) + 1)), 16.1}):
        down = (102,) if 16.1 <= now < 30.0 else ()
        lag = 400 + int((now - 12) * 60) if 12 <= now < 18 else max(4, int(760 - (now - 18) * 150)) if now >= 18 else 4
        # Between its death and the election two partitions have nobody to lead them.
        story.was(now, down=down, leaderless=2 if 14.0 <= now < 16.1 else 0, lag=lag if now > 3 else None)
    tell = story.happened
    tell(3.0, "group_created", "group dashboard is new")
    tell(3.0, "member_joined", "dashboard-1 joined group dashboard")
    tell(12.0, "you", "you killed broker 102")
    tell(16.1, "broker_down", "broker 102 is down", broker=102)
    for p in range(4):
        tell(16.1, "leader_moved", f"trucks_gps P{p}: leader 102 → 103, epoch 4", p, 103)
    for p in range(4):
        tell(16.1, "isr_shrank", f"trucks_gps P{p}: 102 left the ISR", p, 102)
    tell(18.2, "rebalanced", "group dashboard: dashboard-1 now reads P0 P1 P2 P3")
    tell(28.4, "you", "you started broker 102")
    tell(30.0, "broker_up", "broker 102 is up", broker=102)
    tell(31.6, "isr_grew", "trucks_gps P0: 102 is back in the ISR", 0, 102)
    recording = story.recording
    recording.name("before the crash", 11.5)
    recording.name("nobody leads", 16.1)
    return recording


def hour(events: int = 3000) -> Recording:
    """An hour with a lag that changes all the time and thousands of events."""
    story = Story("a long evening")
    for i in range(1800):
        story.was(i * 2.0, down=(103,) if 600 <= i < 640 else (), lag=(i * 37) % 5000)
    kinds = ("isr_shrank", "isr_grew", "member_joined", "member_left", "leader_moved", "you", "rebalanced")
    for i in range(events):
        story.happened(i * 3600 / events, kinds[i % len(kinds)], f"event number {i}")
    return story.recording


def hostile() -> Recording:
    """Names and ids that are markup, turn the reading direction, or are very long."""
    story = Story(MARKUP)
    story.was(0.0)
    story.was(9.0)
    story.happened(1.0, "group_created", f"group {MARKUP} is new")
    story.happened(2.0, "group_created", f"group {TURNED} is new")
    story.happened(3.0, "group_created", f"group {'x' * 5000} is new")
    story.happened(4.0, "__proto__", "a kind that nobody knows")
    for at, name in ((5.0, MARKUP[:80]), (6.0, TURNED), (7.0, "w" * 80), (8.0, "__proto__")):
        story.recording.name(name, at)
    return story.recording
