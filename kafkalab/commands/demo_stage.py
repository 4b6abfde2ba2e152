"""What is on stage while the demo runs: the demo writes it, the live table reads it."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kafkalab.checks.ledger import Ledger
from kafkalab.cluster.backend import BackendName
from kafkalab.cluster.spec import Mode
from kafkalab.sources.publish import Publisher
from kafkalab.state.model import Snapshot
from kafkalab.state.watch import Update

#: What a watcher sees every half second and nobody wants to read a hundred times.
CHATTER = frozenset({"committed", "appended", "group_state", "member_joined", "member_left", "rebalanced"})


@dataclass(frozen=True, slots=True)
class Wanted:
    """What was asked for; ``lapse`` is the time-lapse factor, ``map`` where the picture goes."""

    minutes: float
    trucks: int
    mode: Mode
    bootstrap_servers: str | None
    lapse: float
    map: Path
    backend: BackendName | None = None


@dataclass
class Stage:
    """What is on stage while the demo runs; the live table reads it."""

    wanted: Wanted
    began: float = field(default_factory=time.monotonic)
    doing: str = "starting"
    events: list[dict[str, Any]] = field(default_factory=list)
    ledger: Ledger = field(default_factory=Ledger)
    snapshot: Snapshot | None = None
    publisher: Publisher | None = None
    positions: dict[str, tuple[float, float, int]] = field(default_factory=dict)

    def seconds(self) -> float:
        """Since the demo began."""
        return time.monotonic() - self.began

    def note(self, what: str) -> None:
        """Something happened."""
        self.doing = what
        self.events.append({"at": round(self.seconds(), 2), "what": what})

    def hear(self, update: Update) -> None:
        """What the watcher saw, but not its chatter."""
        if update.snapshot is not None:
            self.snapshot = update.snapshot
        for event in update.events:
            if event.kind not in CHATTER:
                at = max(0.0, self.seconds() - max(0.0, time.time() - event.at))
                self.events.append({"at": round(at, 2), "what": event.text})
