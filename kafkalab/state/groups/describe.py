"""Consumer groups: their coordinators, members, assignments, and committed offsets."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import kafka.errors
from kafka.protocol.admin import DescribeGroupsRequest, ListGroupsRequest
from kafka.protocol.api_message import ApiMessage
from kafka.protocol.consumer import OffsetFetchRequest
from kafka.protocol.consumer.metadata import ConsumerProtocolAssignment
from kafka.protocol.metadata import CoordinatorType, FindCoordinatorRequest

from kafkalab.state.connections import Round
from kafkalab.state.model import Group, GroupOffset, Member

#: The folder of the messages that kafka-python does not know, as JSON in the form of Kafka's own definitions. What
#: describes groups of the newer consumer protocol (KIP-848) is here without the fields that no view needs; the records
#: of groups are as they lie in Kafka 4.3 (Apache License 2.0, see their heads).
SCHEMAS = "kafkalab.state.groups.schemas"


class ConsumerGroupDescribeRequest(ApiMessage, load_json=SCHEMAS):  # type: ignore[misc, call-arg]
    """Asks a coordinator for groups of the newer consumer protocol: ids in, one description each out."""


class ConsumerGroupDescribeResponse(ApiMessage, load_json=SCHEMAS):  # type: ignore[misc, call-arg]
    """The descriptions: state, epoch, assignor, and members with what they hold now and what they should hold."""


_NOT_FOUND = kafka.errors.GroupIdNotFoundError.errno
#: (topic, partition) → committed offset, None where nothing was committed.
Committed = dict[tuple[str, int], int | None]


class GroupCapture:
    """Reads all groups, and remembers their ids, because brokers list only those they can speak for at the moment."""

    def __init__(self) -> None:
        self._types: dict[str, str] = {}

    def read(self, brokers: Sequence[int], asking: Round) -> tuple[tuple[Group, ...], list[str]]:
        """Return every group by name, without its lag, and sentences on what could not be learned.

        A group seen before that no broker lists now is looked up: it is left out if its coordinator says it is gone,
        and Unknown if no coordinator can be asked.
        """
        problems: list[str] = []
        coordinators = self._listed(brokers, asking, problems)
        if missing := sorted(self._types.keys() - coordinators.keys()):
            coordinators |= self._looked_up(missing, brokers, asking)
        groups, committed = self._described(coordinators, asking)
        result = []
        unasked: dict[str, list[str]] = defaultdict(list)
        for id, coordinator in sorted(coordinators.items()):
            group = groups.get(id, Group(id, "Unknown", coordinator, type=self._types[id]))
            if group is None:
                del self._types[id]
                continue
            if group.state == "Unknown" or id not in committed:
                unasked[_because(coordinator, asking.silent)].append(id)
            result.append(_with_offsets(group, committed.get(id, {})))
        for why, ids in unasked.items():
            problems.append(f"{'group' if len(ids) == 1 else 'groups'} {', '.join(ids)}: {why}")
        return tuple(result), problems

    def _listed(self, brokers: Sequence[int], asking: Round, problems: list[str]) -> dict[str, int | None]:
        """Return group → coordinator for the groups that brokers list, and remember their types."""
        coordinators: dict[str, int | None] = {}
        for broker, answer in asking.ask((b, ListGroupsRequest(), b) for b in brokers):
            if answer.error_code:
                problems.append(f"broker {broker} is still loading the groups it coordinates")
            for g in answer.groups:
                kind = (g.group_type or "classic").lower()
                # Kafka Connect and share groups are groups too, but have no consumers and no offsets of this kind.
                if g.protocol_type in ("consumer", "") and kind in ("classic", "consumer"):
                    coordinators[g.group_id] = broker
                    self._types[g.group_id] = kind
        return coordinators

    def _looked_up(self, ids: Sequence[str], brokers: Sequence[int], asking: Round) -> dict[str, int | None]:
        found: dict[str, int | None] = dict.fromkeys(ids)
        group = CoordinatorType.GROUP.value
        request = FindCoordinatorRequest(key_type=group, coordinator_keys=list(ids), min_version=4)
        one = [(b, request, b) for b in brokers if b not in asking.silent][:1]
        for _, answer in asking.ask(one):
            found |= {c.key: c.node_id for c in answer.coordinators if not c.error_code}
        return found

    def _described(
        self, coordinators: dict[str, int | None], asking: Round
    ) -> tuple[dict[str, Group | None], dict[str, Committed]]:
        """Return the groups (None: it is gone) and what they committed, in at most three requests a coordinator."""
        wanted: dict[tuple[int, str], list[str]] = defaultdict(list)
        for id, coordinator in sorted(coordinators.items()):
            if coordinator is not None:
                wanted[coordinator, self._types[id]].append(id)
                wanted[coordinator, "offsets"].append(id)
        groups: dict[str, Group | None] = {}
        committed: dict[str, Committed] = {}
        for (coordinator, kind), answer in asking.ask(
            (broker, _fetch(ids) if kind == "offsets" else description(kind, ids), (broker, kind))
            for (broker, kind), ids in wanted.items()
        ):
            if kind == "offsets":
                committed.update(_committed(answer))
            else:
                groups.update(described(kind, coordinator, answer))
        return groups, committed


def description(kind: str, ids: Sequence[str]) -> Any:
    """Return the question to a coordinator what its groups of a kind ("classic" or "consumer") are now."""
    if kind == "consumer":
        return ConsumerGroupDescribeRequest(group_ids=ids, include_authorized_operations=False)
    return DescribeGroupsRequest(groups=ids, include_authorized_operations=False)


def described(kind: str, coordinator: int, answer: Any) -> Iterator[tuple[str, Group | None]]:
    """Yield (id, group) of each group in the answer to :func:`description`; None for a group that is gone."""
    newer = kind == "consumer"
    for g in answer.groups:
        if g.error_code == _NOT_FOUND or (not newer and not g.error_code and g.group_state == "Dead"):
            yield g.group_id, None
        elif not g.error_code:
            members = tuple(
                Member(m.member_id, m.client_id, m.client_host, _given(m) if newer else assigned(m.member_assignment))
                for m in sorted(g.members, key=lambda m: str(m.member_id))
            )
            assignor = g.assignor_name if newer else g.protocol_data
            yield g.group_id, Group(g.group_id, g.group_state, coordinator, members, assignor=assignor, type=kind)


def _given(member: Any) -> tuple[tuple[str, int], ...]:
    return tuple(sorted((t.topic_name, p) for t in member.assignment.topic_partitions for p in t.partitions))


def assigned(assignment: bytes) -> tuple[tuple[str, int], ...]:
    """Return what a member of a classic group was assigned; () if it is no assignment.

    The leader of the group writes these bytes, and Kafka does not look into them.
    """
    try:
        decoded = ConsumerProtocolAssignment.decode(bytes(assignment)).partitions() if assignment else ()
        return tuple(sorted((tp.topic, tp.partition) for tp in decoded))
    except Exception:
        return ()


def _fetch(ids: Iterable[str]) -> Any:
    asked = [OffsetFetchRequest.OffsetFetchRequestGroup(group_id=id, topics=None) for id in ids]
    # From version 10 on topics are named by id only.
    return OffsetFetchRequest(groups=asked, require_stable=False, min_version=8, max_version=8)


def _committed(answer: Any) -> dict[str, Committed]:
    return {
        g.group_id: {
            (t.name, p.partition_index): p.committed_offset if p.committed_offset >= 0 else None
            for t in g.topics
            for p in t.partitions
            if not p.error_code
        }
        for g in answer.groups
        if not g.error_code
    }


def _with_offsets(group: Group, committed: Committed) -> Group:
    """Add committed offsets, and assigned partitions without a commit, as ``kafka-consumer-groups`` shows them."""
    keys = sorted(committed.keys() | {tp for m in group.members for tp in m.partitions})
    return replace(group, offsets=tuple(GroupOffset(topic, p, committed.get((topic, p)), None) for topic, p in keys))


def _because(coordinator: int | None, silent: dict[int, str]) -> str:
    if coordinator is None:
        return "no coordinator at the moment"
    if coordinator in silent:
        return f"the coordinator, broker {coordinator}, {silent[coordinator]}"
    return f"the coordinator, broker {coordinator}, is taking over"
