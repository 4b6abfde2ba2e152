"""Lab 08a: what people answer, and the word that the check has for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from kafka import KafkaAdminClient, KafkaConsumer, TopicPartition

from kafkalab import Cluster
from kafkalab.course.lab_08a.exercises import ALERTS
from kafkalab.course.members import Members
from kafkalab.exercises.topics import read_all
from kafkalab.state.model import Member
from tests.support.answers import Answers, refused


def who_owns_what(cluster: Cluster) -> Answers:
    def seen(read: Callable[[tuple[Member, ...]], Any]) -> Callable[[str, str], Any]:
        def answer(servers: str, name: str) -> Any:
            group = cluster.snapshot().group(name)
            assert group is not None
            return read(group.members)

        return answer

    def held(member: Member) -> list[int]:
        return [partition for _, partition in member.partitions]

    return Answers(
        {
            "is a member, too": seen(lambda members: {m.client_id: held(m) for m in members if m.partitions}),
            "The client ids are": seen(lambda members: {m.member_id: held(m) for m in members}),
            "and your dict says [0, 1]": seen(lambda members: {m.client_id: [0, 1] for m in members}),
            "is a dict": seen(lambda members: [held(m) for m in members]),
            "and in your dict ['C1'": seen(lambda members: {"C1": [], **{m.client_id: held(m) for m in members}}),
        },
        [
            seen(lambda members: {m.client_id: tuple(held(m)) for m in members}),
            seen(lambda members: {m.client_id: np.array(held(m), dtype=int) for m in members}),
        ],
    )


def a_goodbye(cluster: Cluster) -> Answers:
    kept: list[KafkaConsumer] = []

    def reading(end: Callable[[KafkaConsumer], object], **settings: Any) -> Callable[[str, str, str], list[str]]:
        def answer(servers: str, topic: str, group: str) -> list[str]:
            given = {"group_id": group, "auto_offset_reset": "earliest", **settings}
            consumer = KafkaConsumer(topic, bootstrap_servers=servers, **given)
            values: list[str] = []
            while len(values) < 30:
                polled = consumer.poll(timeout_ms=10_000)
                values += [record.value.decode() for records in polled.values() for record in records]
            end(consumer)
            return values

        return answer

    def by_context(servers: str, topic: str, group: str) -> tuple[str, ...]:
        given: dict[str, Any] = {"auto_offset_reset": "earliest", "consumer_timeout_ms": 5000}
        with KafkaConsumer(topic, bootstrap_servers=servers, group_id=group, **given) as consumer:
            return tuple(record.value.decode() for record in consumer)

    def by_hand(consumer: KafkaConsumer) -> None:
        consumer.commit()
        consumer.close()

    return Answers(
        {
            "still lists your member": reading(kept.append),
            "the `group_id`": reading(lambda consumer: consumer.close(), group_id=None),
            "without committing": reading(lambda consumer: consumer.close(autocommit=False)),
            "It returned 0 values": lambda servers, topic, group: [],
            "isn't one of them": lambda servers, topic, group: ["b'report 1'"] * 30,
        },
        [by_context, reading(by_hand, enable_auto_commit=False)],
        undo=lambda: [consumer.close() for consumer in kept],
    )


def what_waits(cluster: Cluster) -> Answers:
    def ends_and_done(servers: str, group: str, topic: str) -> list[tuple[int, int | None]]:
        admin = KafkaAdminClient(bootstrap_servers=servers)
        done = admin.list_group_offsets(group)[group]
        admin.close()
        snapshot = cluster.snapshot().topic(topic)
        assert snapshot is not None
        offsets = {p.partition: done.get(TopicPartition(topic, p.partition)) for p in snapshot.partitions}
        return [(p.end or 0, at.offset if (at := offsets[p.partition]) else None) for p in snapshot.partitions]

    return Answers(
        {
            "all of P1 waits": lambda *asked: sum(end - at for end, at in ends_and_done(*asked) if at is not None),
            "and something in another topic": lambda *asked: sum(end for end, _ in ends_and_done(*asked)),
            "is a whole number": lambda *asked: [end - (at or 0) for end, at in ends_and_done(*asked)],
        },
        [
            lambda *asked: sum(end - (at or 0) for end, at in ends_and_done(*asked)),
            lambda *asked: np.int64(sum(end for end, _ in ends_and_done(*asked)) - 9),
        ],
    )


def repaired(cluster: Cluster) -> Answers:
    """Asked when both services share a group; others run beside them, each in a group of its own, until it is over."""
    every = sorted({r.value.decode() for r in read_all(cluster.bootstrap_servers, ALERTS)} - {"check"})
    refused(cluster, "08a.5", {"pager": every, "archive": every}, "do both services run")
    services = [Members(cluster, ALERTS, f"lab08a-check-{name}") for name in ("pager", "archive")]
    for service in services:
        service.start("other")
        service.settled()

    def close() -> None:
        for service in services:
            service.close()

    return Answers(
        {
            "The pager has not seen 20 of 40 alerts": {"pager": every[::2], "archive": every[1::2]},
            "The archive has not seen 20 of 40 alerts": {"pager": every, "archive": every[1::2]},
            "take a new group id": {"pager": [], "archive": every},
            "has seen 20 alerts twice": {"pager": every + every[::2], "archive": every},
            "The answer is a dict": [every, every],
            "has two keys": {"lab08a-service": every},
        },
        [{"pager": tuple(every), "archive": np.array(every)}, {"archive": every[::-1], "pager": [*every, "check"]}],
        undo=close,
    )


ALONE = {
    "08a.1": Answers(
        {
            "if reading removed a record": lambda records, readers: records,
            "reads on its own": lambda records, readers: records + readers,
            "is a whole number": lambda records, readers: records / readers,
        },
        [lambda records, readers: np.int64(records * readers), lambda records, readers: sum([records] * readers)],
    )
}
ON_CLUSTER = {"08a.2": who_owns_what, "08a.3": a_goodbye, "08a.4": what_waits, "08a.5": repaired}
