"""Judges exercise 01.2 of lab 01: one more target gets everything, goes on from there, and nobody else notices."""

from __future__ import annotations

import uuid
from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from kafkalab.checks.judging import Wrong, call, function_needed, listed
from kafkalab.checks.topics import passing_topic, publish
from kafkalab.cluster.topics import asking
from kafkalab.waiting import wait_until

if TYPE_CHECKING:
    from kafkalab.cluster.cluster import Cluster

PREFIX: Final = "lab01-"
#: The teams of the lab. What they have read is theirs.
TEAMS: Final = ("dashboard", "alerts", "archive", "recommendations", "surge pricing", "spam")

_FIRST, _LATER = 24, 9
#: topic, partition → committed offset
Committed = dict[tuple[str, int], int]


def group_of(team: str) -> str:
    """The consumer group of a team of the lab."""
    return PREFIX + team.replace(" ", "-")


def target(cluster: Cluster, answer: Any) -> str:
    """Judge 01.2 on two topics made for it, which the six teams of the lab have read to their ends."""
    function_needed(answer)
    servers = cluster.bootstrap_servers
    with passing_topic(cluster, f"{PREFIX}clicks", 3) as clicks, passing_topic(cluster, f"{PREFIX}calls", 2) as calls:
        topics = [clicks, calls]
        first = _publish(servers, topics, _FIRST)
        groups = [group_of(team) for team in TEAMS]
        _read_to_the_end(servers, groups, {clicks: (4, 4, 4), calls: (6, 6)})
        before = _committed(cluster, topics)
        got = _ask(answer, servers, topics)
        own = sorted(group for group in _committed(cluster, topics) if group not in groups)
        _all_of_them(got, first, own)
        later = _publish(servers, topics, _LATER)
        _only_the_new(_ask(answer, servers, topics), later, first, own, sorted(_committed(cluster, topics)))
        final = _committed(cluster, topics)
        moved = [group for group in groups if group in before and final.get(group) != before[group]]
        if moved:
            raise Wrong(f"It read as {moved[0]}, and that team will miss what you have read for it.")
        return f"All {_FIRST} records of both topics, then the {_LATER} new ones; the other teams are where they were."


def _ask(answer: Any, servers: str, topics: list[str]) -> list[str]:
    return listed(call(answer, servers, list(topics), within=90), "What your function returns", str)


def _all_of_them(got: list[str], wanted: dict[str, str], own: list[str]) -> None:
    """What the first call must have given.

    :param wanted: value → its topic.
    :param own: groups that the answer made.
    """
    missing, extra = Counter(list(wanted)) - Counter(got), Counter(got) - Counter(list(wanted))
    if not got and not own:
        raise Wrong(
            "It returned nothing. The other teams have read these topics to their ends: who joins one of their groups "
            "goes on there, and a reader without a group begins at the end, unless it is told otherwise."
        )
    if not got:
        raise Wrong(f"It returned nothing. Your group {own[0]} is new: where does a group begin that has no offsets?")
    gone = {wanted[value] for value in missing}
    left = set(wanted.values()) - gone
    if missing and len(gone) == 1 and not any(wanted.get(value) in gone for value in got):
        raise Wrong(f"Everything from {left.pop()} is there, and nothing from {gone.pop()}: a consumer can have both.")
    if missing:
        raise Wrong(f"{missing.total()} of {len(wanted)} records are missing. Each topic has several partitions.")
    if extra:
        raise Wrong(f"{extra.total()} values too many: some came twice, or were never in these topics.")


def _only_the_new(got: list[str], new: dict[str, str], old: dict[str, str], own: list[str], groups: list[str]) -> None:
    """What the second call must have given."""
    again = sum(value in old for value in got)
    if again:
        raise Wrong(f"The second call returned {again} records that the first one had returned. {_why(own, groups)}")
    if Counter(got) != Counter(list(new)):
        raise Wrong(f"Then {len(new)} new records came, and the second call returned {len(got)}. It goes on, not back.")


def _why(own: list[str], groups: list[str]) -> str:
    """Why a reader began again: the groups it made in its first call, and all there are after its second."""
    if not own:
        return (
            "Nobody had written down how far you had come: that takes a group, and a commit (see what `close()` does)."
        )
    if len(set(groups) - {group_of(team) for team in TEAMS}) > len(own):
        return "Each call made a group of its own: a team keeps its name."
    return "It had written down how far it had come, and went back to the beginning all the same."


def _publish(servers: str, topics: list[str], count: int) -> dict[str, str]:
    """Records with values that nobody could know, over all partitions; value → topic."""
    sent = {f"event {uuid.uuid4().hex[:10]}": topics[n % 2] for n in range(count)}
    for at, topic in enumerate(topics):
        values = [value for value, where in sent.items() if where == topic]
        publish(servers, topic, [(None, value.encode(), n % (3 - at)) for n, value in enumerate(values)])
    return sent


def _read_to_the_end(servers: str, groups: list[str], ends: dict[str, tuple[int, ...]]) -> None:
    """Commit the ends of these topics' partitions for each group, as a member that has read them does.

    A group that somebody is reading in at this moment commits for itself; Kafka then refuses, and it is left alone.
    """
    from kafka import OffsetAndMetadata, TopicPartition

    offsets = {
        TopicPartition(topic, number): OffsetAndMetadata(end, "", -1)
        for topic, some in ends.items()
        for number, end in enumerate(some)
    }

    def commit(admin: Any) -> None:
        for group in groups:
            # In a new cluster the first group waits for its coordinator: its topic of offsets is only now made.
            wait_until(partial(_written, admin, group, offsets), 30, f"the offsets of {group} to be committed")

    asking(servers, commit)


def _written(admin: Any, group: str, offsets: Any) -> bool:
    """Whether a group's offsets were written, or refused for good."""
    from kafka.errors import KafkaError

    try:
        answers = admin.alter_group_offsets(group, offsets).values()
    except KafkaError as error:
        if error.retriable:
            return False
        raise
    return not any(answer.retriable for answer in answers)


def _committed(cluster: Cluster, topics: list[str]) -> dict[str, Committed]:
    """What each group has committed for these topics; groups without any are left out."""
    found = {}
    for group in cluster.snapshot().groups:
        offsets = {(o.topic, o.partition): o.committed for o in group.offsets if o.topic in topics}
        known = {place: at for place, at in offsets.items() if at is not None}
        if known:
            found[group.group_id] = known
    return found
