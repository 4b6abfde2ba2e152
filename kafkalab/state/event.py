"""Event: something that happened to the cluster, and the table of what can."""

from __future__ import annotations

from dataclasses import dataclass

#: Every kind of event and what it says. The order is the order in which events of one moment are told: causes first.
KINDS: dict[str, str] = {
    "you": "something the learner did",
    "capture_failed": "the cluster could not be looked at",
    "capture_recovered": "the cluster can be looked at again",
    "quorum_node_down": "a ZooKeeper server, or a KRaft controller that is no broker, stopped answering",
    "quorum_node_up": "it answers again",
    "quorum_leader_moved": "the ZooKeeper ensemble has another leader",
    "broker_down": "the cluster no longer counts a broker among its own",
    "broker_up": "a broker that was down is registered again",
    "broker_added": "a broker never seen before is registered",
    "controller_moved": "another broker is the controller (in KRaft: the active controller), or none is",
    "topic_deleted": "a topic is gone",
    "topic_created": "a topic is new",
    "partitions_added": "a topic got more partitions",
    "replicas_moved": "a partition's replicas were reassigned",
    "leader_lost": "a partition has no leader any more: it can be neither read nor written",
    "leader_moved": "a partition has another leader",
    "leader_elected": "a partition without a leader has one again",
    "isr_shrank": "replicas fell out of sync",
    "isr_changed": "some replicas fell out of sync while others came back",
    "isr_grew": "replicas are in sync again",
    "group_gone": "a consumer group no longer exists",
    "group_created": "a consumer group is new",
    "group_state": "a group's state changed; Unknown: its coordinator cannot be asked",
    "member_left": "a member is no longer in its group",
    "member_joined": "a member is new in its group",
    "rebalanced": "a group's partitions are shared out differently",
    "rewound": "a group's committed offsets went back",
    "committed": "a group's committed offsets went forward",
}

#: Kinds that come with nearly every snapshot while consumers work: told to listeners, but no history is kept of them.
CHATTY = frozenset({"committed"})


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened.

    ``kind`` is a stable name for programs (leader_moved, isr_shrank, broker_down, …: :data:`KINDS`), ``text`` a
    sentence for people. ``at`` is Unix time in seconds, of the snapshot in which it was first seen: it happened before
    that. ``broker`` is the one the event is about: for leaders the new one, or the lost one. ``partition`` is None
    where one event sums up several partitions of an internal topic.
    """

    at: float
    kind: str
    text: str
    topic: str | None = None
    partition: int | None = None
    broker: int | None = None
    group: str | None = None

    @property
    def chatty(self) -> bool:
        """Whether it comes so often that a list for people should leave it out."""
        return self.kind in CHATTY
