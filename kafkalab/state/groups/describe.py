"""Consumer groups: their coordinators, members, assignments, and committed offsets."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import kafka.errors
import kafka.protocol.admin
from kafka.protocol.admin import DescribeGroupsRequest, ListGroupsRequest
from kafka.protocol.consumer import OffsetFetchRequest
from kafka.protocol.consumer.metadata import ConsumerProtocolAssignment
from kafka.protocol.metadata import CoordinatorType, FindCoordinatorRequest

from kafkalab.state.connections import Connections, NoAnswer, Node
from kafkalab.state.model import Group, GroupOffset, Member

# --- The request that describes groups of the newer consumer protocol (KIP-848), which kafka-python 3.0 lacks.
#
# Its messages are defined by JSON like Kafka's own. The two here are kept beside this file, without the fields that no
# view needs; once kafka-python has them, its own are used.


def _request() -> Any:
    theirs = getattr(kafka.protocol.admin, "ConsumerGroupDescribeRequest", None)
    if theirs is not None:
        return theirs
    from kafkalab.state.groups import schemas

    return schemas.ConsumerGroupDescribeRequest


#: The class of the request: kafka-python's if it has one, else ours.
ConsumerGroupDescribeRequest: Any = _request()


_NOT_FOUND = kafka.errors.GroupIdNotFoundError.errno
#: (topic, partition) → committed offset, None where nothing was committed.
Committed = dict[tuple[str, int], int | None]


class GroupCapture:
    """Reads all groups, and remembers their ids, because brokers list only those they can speak for at the moment."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self._types: dict[str, str] = {}

    def read(
        self, brokers: Sequence[int], seconds: Callable[[], float], silent: dict[int, str]
    ) -> tuple[tuple[Group, ...], list[str]]:
        """Return every group by name, without its lag, and sentences on what could not be learned.

        A group seen before that no broker lists now is looked up: it is left out if its coordinator says it is gone,
        and Unknown if no coordinator can be asked. Brokers in ``silent`` are not asked; newly silent ones are added.
        """
        problems: list[str] = []
        coordinators = self._listed(brokers, seconds, silent, problems)
        missing = sorted(self._types.keys() - coordinators.keys())
        if missing:
            coordinators |= self._looked_up(missing, brokers, seconds, silent)
        groups: dict[str, Group | None] = {}
        committed: dict[str, Committed] = {}
        self._ask(coordinators, seconds, silent, groups, committed)
        result = []
        unasked: dict[str, list[str]] = defaultdict(list)
        for id in sorted(coordinators):
            coordinator = coordinators[id]
            group = groups.get(id, Group(id, "Unknown", coordinator, type=self._types[id]))
            if group is None:
                del self._types[id]
                continue
            if group.state == "Unknown" or id not in committed:
                unasked[_because(coordinator, silent)].append(id)
            result.append(_with_offsets(group, committed.get(id, {})))
        for why, ids in unasked.items():
            problems.append(f"{'group' if len(ids) == 1 else 'groups'} {', '.join(ids)}: {why}")
        return tuple(result), problems

    def _listed(
        self, brokers: Sequence[int], seconds: Callable[[], float], silent: dict[int, str], problems: list[str]
    ) -> dict[str, int | None]:
        """Return group → coordinator for the groups that brokers list, and remember their types."""
        coordinators: dict[str, int | None] = {}
        asked = [b for b in brokers if b not in silent]
        answers = self._connections.ask([(b, ListGroupsRequest()) for b in asked], seconds())
        for broker, answer in zip(asked, answers, strict=True):
            if isinstance(answer, NoAnswer):
                silent[broker] = str(answer)
                continue
            if answer.error_code:
                problems.append(f"broker {broker} is still loading the groups it coordinates")
            for g in answer.groups:
                kind = (g.group_type or "classic").lower()
                # Kafka Connect and share groups are groups too, but have no consumers and no offsets of this kind.
                if g.protocol_type in ("consumer", "") and kind in ("classic", "consumer"):
                    coordinators[g.group_id] = broker
                    self._types[g.group_id] = kind
        return coordinators

    def _looked_up(
        self, ids: Sequence[str], brokers: Sequence[int], seconds: Callable[[], float], silent: dict[int, str]
    ) -> dict[str, int | None]:
        unknown: dict[str, int | None] = dict.fromkeys(ids)
        asked = next((b for b in brokers if b not in silent), None)
        if asked is None:
            return unknown
        request = FindCoordinatorRequest(
            key_type=CoordinatorType.GROUP.value, coordinator_keys=list(ids), min_version=4
        )
        answer = self._connections.ask([(asked, request)], seconds())[0]
        if isinstance(answer, NoAnswer):
            silent[asked] = str(answer)
            return unknown
        return unknown | {c.key: c.node_id for c in answer.coordinators if not c.error_code}

    def _ask(
        self,
        coordinators: dict[str, int | None],
        seconds: Callable[[], float],
        silent: dict[int, str],
        groups: dict[str, Group | None],
        committed: dict[str, Committed],
    ) -> None:
        """Fill in ``groups`` (None: it is gone) and ``committed``, with at most three requests to each coordinator."""
        questions: list[tuple[Node, Any]] = []
        readers: list[tuple[int, Callable[[int, Any], Iterable[tuple[str, Any]]], dict[str, Any]]] = []
        by_kind: dict[tuple[int, str], list[str]] = defaultdict(list)
        for id, coordinator in sorted(coordinators.items()):
            if coordinator is not None and coordinator not in silent:
                by_kind[coordinator, self._types[id]].append(id)
                by_kind[coordinator, "offsets"].append(id)
        for (coordinator, kind), ids in by_kind.items():
            if kind == "offsets":
                fetch = OffsetFetchRequest.OffsetFetchRequestGroup
                asked = [fetch(group_id=id, topics=None) for id in ids]
                # From version 10 on topics are named by id only.
                request = OffsetFetchRequest(groups=asked, require_stable=False, min_version=8, max_version=8)
                readers.append((coordinator, _committed, committed))
            elif kind == "consumer":
                request = ConsumerGroupDescribeRequest(group_ids=ids, include_authorized_operations=False)
                readers.append((coordinator, consumer_groups, groups))
            else:
                request = DescribeGroupsRequest(groups=ids, include_authorized_operations=False)
                readers.append((coordinator, classic_groups, groups))
            questions.append((coordinator, request))
        answers = self._connections.ask(questions, seconds()) if questions else []
        for (coordinator, read, found), answer in zip(readers, answers, strict=True):
            if isinstance(answer, NoAnswer):
                silent[coordinator] = str(answer)
            else:
                found.update(read(coordinator, answer))


def classic_groups(coordinator: int, answer: Any) -> Iterable[tuple[str, Group | None]]:
    """Yield (id, group) of each group that a DescribeGroupsResponse tells of; None for a group that is gone."""
    for g in answer.groups:
        if g.error_code == _NOT_FOUND or (not g.error_code and g.group_state == "Dead"):
            yield g.group_id, None
        elif not g.error_code:
            members = tuple(
                Member(m.member_id, m.client_id, m.client_host, _assigned(m.member_assignment))
                for m in sorted(g.members, key=lambda m: str(m.member_id))
            )
            yield g.group_id, Group(g.group_id, g.group_state, coordinator, members, assignor=g.protocol_data)


def _assigned(assignment: bytes) -> tuple[tuple[str, int], ...]:
    if not assignment:
        return ()
    # The leader of a group may write anything here; what is no assignment counts as none.
    try:
        decoded = ConsumerProtocolAssignment.decode(bytes(assignment))
        return tuple(sorted((tp.topic, tp.partition) for tp in decoded.partitions()))
    except Exception:
        return ()


def consumer_groups(coordinator: int, answer: Any) -> Iterable[tuple[str, Group | None]]:
    """Yield (id, group) of each group that a ConsumerGroupDescribeResponse tells of; None for a group that is gone."""
    for g in answer.groups:
        if g.error_code == _NOT_FOUND:
            yield g.group_id, None
        elif not g.error_code:
            members = tuple(
                Member(
                    m.member_id,
                    m.client_id,
                    m.client_host,
                    tuple(sorted((t.topic_name, p) for t in m.assignment.topic_partitions for p in t.partitions)),
                )
                for m in sorted(g.members, key=lambda m: str(m.member_id))
            )
            state, assignor = g.group_state, g.assignor_name
            yield g.group_id, Group(g.group_id, state, coordinator, members, assignor=assignor, type="consumer")


def _committed(coordinator: int, answer: Any) -> Iterable[tuple[str, Committed]]:
    for g in answer.groups:
        if not g.error_code:
            yield (
                g.group_id,
                {
                    (t.name, p.partition_index): p.committed_offset if p.committed_offset >= 0 else None
                    for t in g.topics
                    for p in t.partitions
                    if not p.error_code
                },
            )


def _with_offsets(group: Group, committed: Committed) -> Group:
    """Add committed offsets, and assigned partitions without a commit, as ``kafka-consumer-groups`` shows them."""
    keys = sorted(committed.keys() | {tp for m in group.members for tp in m.partitions})
    offsets = tuple(GroupOffset(topic, p, committed.get((topic, p)), None) for topic, p in keys)
    return Group(group.group_id, group.state, group.coordinator, group.members, offsets, group.assignor, group.type)


def _because(coordinator: int | None, silent: dict[int, str]) -> str:
    if coordinator is None:
        return "no coordinator at the moment"
    if coordinator in silent:
        return f"the coordinator, broker {coordinator}, {silent[coordinator]}"
    return f"the coordinator, broker {coordinator}, is taking over"
