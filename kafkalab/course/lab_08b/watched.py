"""Watched: members whose group is followed from the start, so that its picture has every pause, as they report it."""

from __future__ import annotations

import json
import time
from typing import Any

from kafka import ConsumerRebalanceListener

from kafkalab.course.members import Members
from kafkalab.state.groups.coordinator import trace_of
from kafkalab.state.groups.history import pauses, with_deeds
from kafkalab.views.group.view import GroupView
from kafkalab.waiting import wait_until


class Watched(Members):
    """Members of a group; ``topic`` can be several with commas, ``pace`` is the seconds that a record takes."""

    def __init__(self, cluster: Any, topic: str, group: str, *, reports: bool = True, **settings: Any) -> None:
        super().__init__(cluster, topic, group, listening=__name__ if reports else None, **settings)
        self._trace = trace_of(cluster, group)
        self._unwatch, self._since, self._told = self._trace.subscribe(lambda: None), 0.0, dict[str, int]()

    def join(self, *names: str, **more: Any) -> None:
        """Start members, and return when the group has settled and every partition is read again."""
        self._since = time.time()
        self.start(*names, **more)
        self.settled()
        wait_until(lambda: all(p["to"] for p in self.pauses()), 60, "every partition to be read", period=0.1)

    def slow_down(self, name: str, seconds: float) -> None:
        """Let a member take so many seconds for each record from now on, and return when it has begun with one."""
        self.pace(name, seconds)
        before = len(self.read()[name])
        wait_until(lambda: len(self.read()[name]) > before, 60, f"{name} to read", period=0.05)

    def pauses(self) -> list[dict[str, Any]]:
        """Return the partitions that had no reader since the last :meth:`join` began, and for how many seconds."""
        return [p for p in pauses(self.history()) if p["from"] >= self._since]

    def history(self) -> dict[str, Any]:
        """Return the history of the group, with what its members have reported so far."""
        for name, said in list(self._said.items()):
            told = [one for one in list(said) if isinstance(one, dict)]
            for one in told[self._told.get(name, 0) :]:
                self._trace.heard(name, **one)
            self._told[name] = len(told)
        return self._trace.history()

    def committed(self) -> int:
        """Return the number of records that are committed as done."""
        return sum(one.committed or 0 for one in self.cluster.snapshot().group(self.group).offsets)

    def left(self, since: float) -> bool:
        """Return whether a member has left, or counted as dead, since then."""
        return any((m["gone"] or 0) > since for m in self._trace.history()["members"].values())

    def moment(self) -> GroupView:
        """Return the picture of this moment."""
        history = with_deeds(self.history(), self.cluster.watcher().events)
        return GroupView.of(self.cluster.snapshot(), self.group, history)

    def leave(self) -> None:
        """Let all members close their consumers, and stop following the group."""
        self.close(*self._running)
        self._unwatch()


def poll_in_turn(consumers: list[Any], until: int) -> None:
    """Poll consumers of this process one after the other, until each has so many partitions."""
    while any(len(consumer.assignment()) != until for consumer in consumers):
        for consumer in consumers:
            # kafka-python 3.0.12 can forget a join that is under way when poll() times out, and then never joins again.
            consumer._coordinator.rejoin_needed |= consumer._coordinator.rejoining
            consumer.poll(timeout_ms=200)


def subscribe(consumer: Any, topics: list[str]) -> None:
    """Subscribe a member's consumer, of either library; it then reports what it is given and what is taken from it."""

    def told(what: str) -> Any:
        def tell(_: Any, given: Any) -> None:
            pairs = sorted((p.topic, p.partition) for p in given)
            print(json.dumps({"what": what, "partitions": pairs, "at": time.time()}), flush=True)

        return tell

    if hasattr(consumer, "consume"):
        consumer.subscribe(topics, on_assign=told("assigned"), on_revoke=told("revoked"), on_lost=told("lost"))
    else:
        methods = {f"on_partitions_{what}": told(what) for what in ("assigned", "revoked", "lost")}
        consumer.subscribe(topics, listener=type("Listener", (ConsumerRebalanceListener,), methods)())
