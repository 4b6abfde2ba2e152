"""Ends the brokers of a whole cluster in order: each closes its data, and none waits for those that go as well."""

from __future__ import annotations

import contextlib
import functools
import time
from collections.abc import Sequence

from kafkalab.cluster.backend import State
from kafkalab.cluster.docker.containers import Containers
from kafkalab.cluster.docker.engine import together
from kafkalab.cluster.spec import NodeSpec
from kafkalab.errors import NodeFailed, WaitTimeout
from kafkalab.waiting import wait_until

#: Seconds the brokers get; they take one or two.
GRACE = 8.0
#: What brokers get that have closed their data and only wait for one another.
LINGER = 0.25  # seconds


def end_brokers(containers: Containers, layout: Sequence[NodeSpec]) -> None:
    """SIGTERM to all brokers at once; returns when every one has closed its data, or after the grace.

    All at once, because the last one by itself would have nobody to hand over to. ZooKeeper and KRaft's controllers
    need no farewell: what they know is on disk before anybody hears of it.
    """
    states = _states(containers)
    if not _orderly(states, layout):
        return  # nobody is there to whom a broker could say that it goes: it would wait for minutes
    # One that is paused may be the one the others hand over to.
    paused = [name for name, state in states.items() if state == "paused"]
    together(functools.partial(containers.resume, name) for name in paused)
    brokers = [n for n in layout if n.role == "broker" and states.get(n.name, "stopped") != "stopped"]
    with contextlib.suppress(NodeFailed):  # one may have ended this very moment
        together(functools.partial(containers.terminate, n.name) for n in brokers)
    closed_since: float | None = None

    def ended() -> bool:
        nonlocal closed_since
        now = _states(containers)
        left = [n for n in brokers if now.get(n.name, "stopped") != "stopped"]
        # In KRaft the quorum's leader waits 5 s for a successor, in vain when all end.
        if closed_since is None and all(n.is_voter and containers.has_closed(n.name) for n in left):
            closed_since = time.monotonic()
        return not left or (closed_since is not None and time.monotonic() - closed_since > LINGER)

    with contextlib.suppress(WaitTimeout):
        wait_until(ended, GRACE, "the brokers to close their data")


def _states(containers: Containers) -> dict[str, State]:
    return {name: state for name, (state, _) in containers.states().items()}


def _orderly(states: dict[str, State], layout: Sequence[NodeSpec]) -> bool:
    """Whether enough of ZooKeeper or of KRaft's voters is there for brokers to take their leave."""
    voters = [n.name for n in layout if n.is_voter or n.role == "zookeeper"]
    there = [name for name in voters if states.get(name) in ("running", "paused")]
    return 2 * len(there) > len(voters)
