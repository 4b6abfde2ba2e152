"""A consumer in this process that says itself what it is given and what is taken from it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from kafka import ConsumerRebalanceListener

if TYPE_CHECKING:
    from kafkalab.state.group_trace import GroupTrace


class _Listener(ConsumerRebalanceListener):  # type: ignore[misc]
    def __init__(self, trace: GroupTrace, client: str) -> None:
        self._trace = trace
        self._client = client

    def on_partitions_assigned(self, assigned: Iterable[Any]) -> None:
        self._say("assigned", assigned)

    def on_partitions_revoked(self, revoked: Iterable[Any]) -> None:
        self._say("revoked", revoked)

    def on_partitions_lost(self, lost: Iterable[Any]) -> None:
        self._say("lost", lost)

    def _say(self, what: str, partitions: Iterable[Any]) -> None:
        self._trace.heard(self._client, what, sorted((tp.topic, tp.partition) for tp in partitions))


def listener(trace: GroupTrace, client: str) -> ConsumerRebalanceListener:
    """A listener for ``KafkaConsumer.subscribe(topics, listener=…)`` that tells the trace."""
    return _Listener(trace, client)
