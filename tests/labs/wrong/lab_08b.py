"""Lab 08b: what people answer, and the word that the check has for it."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import cycle
from typing import Any

import numpy as np
from kafka import KafkaAdminClient

from kafkalab import Cluster
from tests.support.answers import Answers

Topics = dict[str, int]
Shares = dict[str, list[int]]


def row_of(topics: Topics) -> list[tuple[str, int]]:
    return [(topic, number) for topic, size in topics.items() for number in range(size)]


def anew_at_each_topic(topics: Topics, members: list[str]) -> dict[str, Any]:
    """As if the first member were always the first to get one."""
    return {
        member: [(t, n) for t, n in row_of(topics) if n % len(members) == place] for place, member in enumerate(members)
    }


def in_blocks(topics: Topics, members: list[str]) -> dict[str, Any]:
    """As range would, over one row."""
    row, size = row_of(topics), -(-sum(topics.values()) // len(members))
    return {member: row[place * size : (place + 1) * size] for place, member in enumerate(members)}


def without_the_idle(topics: Topics, members: list[str]) -> dict[str, Any]:
    return {member: share for member, share in dealt(topics, members).items() if share}


def dealt(topics: Topics, members: list[str]) -> dict[str, Any]:
    shares: dict[str, Any] = {member: [] for member in members}
    for member, partition in zip(cycle(members), row_of(topics), strict=False):
        shares[member].append(list(partition))
    return shares


def moved(before: Shares, after: Shares) -> list[int]:
    return [p for member, held in before.items() for p in held if p not in after.get(member, [])]


def everything(before: Shares) -> list[int]:
    return [p for held in before.values() for p in held]


def who_has_how_many(cluster: Cluster) -> Answers:
    def counted(count: Callable[..., Any], key: str = "client_id") -> Callable[[str, str], Any]:
        def answer(servers: str, group: str) -> dict[str, Any]:
            admin = KafkaAdminClient(bootstrap_servers=servers)
            members = admin.describe_groups([group])[group]["members"]
            admin.close()
            return {m[key]: count(m["member_assignment"]["assigned_partitions"]) for m in members}

        return answer

    def partitions(topics: list[dict[str, Any]]) -> int:
        return sum(len(one["partitions"]) for one in topics)

    def busy(servers: str, group: str) -> dict[str, int]:
        return {name: count for name, count in counted(partitions)(servers, group).items() if count}

    return Answers(
        {
            "Count partitions": counted(len),
            "An idle member has 0": busy,
            "by client id": counted(partitions, "member_id"),
            "returns is a dict": lambda servers, group: [*counted(partitions)(servers, group).values()],
        },
        [
            counted(lambda topics: np.int64(partitions(topics))),
            lambda servers, group: {
                member.client_id: len(member.partitions)
                for member in next(g for g in cluster.snapshot().groups if g.group_id == group).members
            },
        ],
    )


ALONE = {
    "08b.1": Answers(
        {
            "shares out each topic on its own": lambda topics, partitions, members: math.ceil(
                topics * partitions / members
            ),
            "and the first member gets": lambda topics, partitions, members: topics * (partitions // members),
            "you say": lambda topics, partitions, members: math.ceil(partitions / members),
            "you say 12, and": lambda topics, partitions, members: topics * (partitions // members + 1),
            "whole number": lambda topics, partitions, members: topics * partitions / members,
        },
        [
            lambda topics, partitions, members: topics * math.ceil(partitions / members),
            lambda topics, partitions, members: sum(
                partitions // members + (partitions % members > 0) for _ in range(topics)
            ),
        ],
        tries=20,
    ),
    "08b.2": Answers(
        {
            "go on in the row where a topic ends": anew_at_each_topic,
            "and should have": in_blocks,
            "even if it's empty": without_the_idle,
            "returns is a dict": lambda topics, members: [*dealt(topics, members).values()],
        },
        [dealt, lambda topics, members: {m: tuple(map(tuple, share)) for m, share in dealt(topics, members).items()}],
    ),
    "08b.4": Answers(
        {
            "every member gives up all": lambda before, after, cooperative: moved(before, after),
            "only what moves stops": lambda before, after, cooperative: everything(before),
            "P99 is new": lambda before, after, cooperative: (
                [p for name in after if name not in before for p in after[name]] if cooperative else everything(before)
            ),
            "is a list": lambda before, after, cooperative: len(moved(before, after)),
        },
        [
            lambda before, after, cooperative: (
                set(moved(before, after)) if cooperative else np.array(everything(before))
            ),
            lambda before, after, cooperative: sorted(moved(before, after if cooperative else {})),
        ],
    ),
}
ON_CLUSTER = {
    "08b.3": who_has_how_many,
    "08b.5": Answers(
        {
            "more than half of 2,000": {"max_poll_records": 500},
            "more than half of 2,500": {"max_poll_interval_ms": 2500},
            "A full batch takes 1,200 ms": {"max_poll_records": 12},
            "heartbeat_interval_ms doesn't help": {"heartbeat_interval_ms": 100},
            "session_timeout_ms doesn't help": {"session_timeout_ms": 60_000, "max_poll_records": 5},
            "at least one record": {"max_poll_records": 0},
            "an interval at least a second": {"max_poll_records": 1, "max_poll_interval_ms": 200},
            "is a whole number": {"max_poll_records": "7"},
            "The answer is a dict": 7,
        },
        [{"max_poll_interval_ms": 300_000}, {"max_poll_records": np.int64(3), "max_poll_interval_ms": 4000}],
    ),
}
