"""One group asked of its coordinator, and of nobody else: what it is now, and which generation it is in."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import kafka.errors
from kafka.protocol.admin import DescribeConfigsRequest, DescribeGroupsRequest
from kafka.protocol.metadata import MetadataRequest

from kafkalab.state.capture_groups import classic_groups, consumer_groups
from kafkalab.state.connections import Connections, NoAnswer
from kafkalab.state.consumer_groups import ConsumerGroupDescribeRequest
from kafkalab.state.group_history import Look
from kafkalab.state.group_log import LINES, Reason, why_gone
from kafkalab.state.group_tail import GroupTail
from kafkalab.state.model import Group
from kafkalab.state.offsets_topic import OFFSETS_TOPIC, GroupRecord, partition_of

_CONSUMER_DESCRIBE = 69
_MOVING = {
    kafka.errors.CoordinatorLoadInProgressError.errno,
    kafka.errors.CoordinatorNotAvailableError.errno,
    kafka.errors.NotCoordinatorError.errno,
}
_BROKER = 4
_SESSION = "group.consumer.session.timeout.ms"
_SECONDS = 1.0
_PATIENCE = 0.3


class GroupCoordinator:
    """Asks the coordinator of one group; for one thread.

    :param log_tail: gives the last lines of a broker's log, by its id and how many; "" where it cannot be read.
    """

    def __init__(self, bootstrap_servers: str, group: str, log_tail: Callable[[int, int], str] | None = None) -> None:
        self._connections = Connections(bootstrap_servers)
        self._group = group
        self._log_tail = log_tail
        self._broker: int | None = None
        self._partition = 0
        self._tail: GroupTail | None = None
        self._kind = ""
        self._session: float | None = None

    def look(self) -> tuple[Look, list[tuple[float, GroupRecord]]]:
        """The group now, and its records that are new since the last look, as (Unix time in seconds, record).

        A group that does not exist is one in the state Dead.

        :raises NoAnswer: nobody can speak for the group at the moment.
        """
        if self._broker is None and not self._find():
            return Look(time.time(), Group(self._group, "Dead", None)), []
        assert self._broker is not None
        broker = self._broker
        kinds = [self._kind] if self._kind else ["classic", "consumer"]
        if not self._kind and not self._newer(broker):
            kinds = ["classic"]
        tail = self._tail = self._tail or GroupTail(self._group, self._partition)
        asked = [(broker, _description(kind, self._group)) for kind in kinds] + [(broker, tail.request())]
        *answers, records = self._connections.ask(asked, _SECONDS)
        at = time.time()
        try:
            for answer in (*answers, records):
                if isinstance(answer, NoAnswer):
                    raise answer
            new = tail.answered(records)
            found, epoch = self._described(broker, dict(zip(kinds, answers, strict=True)))
        except NoAnswer:
            # Another broker may coordinate it by now.
            self._broker = self._tail = None
            raise
        return Look(at, found or Group(self._group, "Dead", broker), epoch), new

    def session(self) -> float | None:
        """Seconds after which a member of a group of the newer protocol counts as dead; its broker decides that."""
        if self._session is None and self._broker is not None:
            resource = DescribeConfigsRequest.DescribeConfigsResource
            asked = resource(resource_type=_BROKER, resource_name=str(self._broker), configuration_keys=[_SESSION])
            answer = self._connections.ask([(self._broker, DescribeConfigsRequest(resources=[asked]))], _SECONDS)[0]
            if not isinstance(answer, NoAnswer):
                values = [c.value for r in answer.results for c in r.configs if c.name == _SESSION]
                self._session = int(values[0]) / 1000 if values and values[0] else None
        return self._session

    def why_gone(self, member_id: str) -> Reason | None:
        """Why a member is gone, if the log of its coordinator can be read and says so."""
        if self._log_tail is None or self._broker is None:
            return None
        return why_gone(self._log_tail(self._broker, LINES), member_id)

    def close(self) -> None:
        """Close the connections; the next look opens them again."""
        self._connections.close()
        self._broker = self._tail = None

    def _find(self) -> bool:
        """Which broker coordinates the group: the one that leads its partition. False: no group has ever existed."""
        topic = MetadataRequest.MetadataRequestTopic(name=OFFSETS_TOPIC)

        def request() -> Any:
            return MetadataRequest(topics=[topic], allow_auto_topic_creation=False)

        nodes = self._connections.bootstrap_nodes()
        found = self._connections.first(nodes, request, lambda m: bool(m.brokers), _PATIENCE, _SECONDS)
        if isinstance(found, dict):
            raise NoAnswer("no broker says who coordinates the group")
        metadata = found[1]
        self._connections.learn(metadata)
        partitions = [p for t in metadata.topics for p in t.partitions]
        if not partitions:
            return False
        self._partition = partition_of(self._group, len(partitions))
        leader = next((p.leader_id for p in partitions if p.partition_index == self._partition), -1)
        if leader < 0:
            raise NoAnswer("the group's partition has no leader, so it has no coordinator")
        self._broker = leader
        return True

    def _newer(self, broker: int) -> bool:
        try:
            return self._connections.supports(broker, _CONSUMER_DESCRIBE)
        except Exception:
            return False  # not connected yet: it is asked as a classic one this time

    def _described(self, broker: int, answers: dict[str, Any]) -> tuple[Group | None, int | None]:
        for kind, answer in answers.items():
            for told in answer.groups:
                if told.error_code in _MOVING:
                    raise NoAnswer("the group's coordinator is changing")
            read = classic_groups if kind == "classic" else consumer_groups
            group = next((g for _, g in read(broker, answer) if g is not None), None)
            if group is not None:
                self._kind = kind
                return group, answer.groups[0].group_epoch if kind == "consumer" else None
        # It may come back as one of the other kind.
        self._kind = ""
        return None, None


def _description(kind: str, group: str) -> Any:
    if kind == "consumer":
        return ConsumerGroupDescribeRequest(group_ids=[group], include_authorized_operations=False)
    return DescribeGroupsRequest(groups=[group], include_authorized_operations=False)
