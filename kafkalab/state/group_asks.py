"""Whom to ask about a consumer group of a cluster: its coordinator, or the model in memory."""

from __future__ import annotations

from kafkalab.state.group_trace import Asks
from kafkalab.state.source import Source


def asks(cluster: Source, group: str) -> Asks:
    """What a :class:`~kafkalab.state.group_trace.GroupTrace` of the group looks through."""
    backend = getattr(cluster, "backend", None)
    stand_in = getattr(backend, "stand_in", None)
    if stand_in is not None:
        from kafkalab.state.group_stand_in import StandInGroup

        return StandInGroup(stand_in.snapshot, group)
    from kafkalab.state.group_coordinator import GroupCoordinator

    log_tail = getattr(backend, "log_tail", None)
    tail = (lambda broker, lines: str(log_tail(f"broker-{broker}", lines))) if log_tail else None
    return GroupCoordinator(cluster.bootstrap_servers, group, tail)
