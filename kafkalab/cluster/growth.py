"""Moves replicas off a broker that is to leave for good. The plan is pure; carrying it out asks the controller."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from kafkalab.cluster import topics
from kafkalab.errors import BadInput, RefusedByKafka

#: (topic, partition) → the brokers that hold it, the preferred leader first.
Replicas = Mapping[tuple[str, int], Sequence[int]]


def plan(
    replicas: Replicas, leaving: int, staying: Sequence[int], racks: Mapping[int, str | None], *, fewer: bool = False
) -> dict[tuple[str, int], tuple[int, ...]]:
    """Who holds each partition once a broker has left; only the partitions it holds are in it.

    In its place comes the broker with the fewest replicas that has none of this partition, from a rack the partition
    is not in yet if there is one.

    :param fewer: where nobody is left to take a replica over, go on with one less.
    :raises BadInput: when there is nobody and ``fewer`` was not asked for.
    """
    load = Counter(id for held in replicas.values() for id in held)
    moved: dict[tuple[str, int], tuple[int, ...]] = {}
    stuck: set[str] = set()
    for at in sorted(replicas):
        held = tuple(replicas[at])
        if leaving not in held:
            continue
        others = [id for id in held if id != leaving]
        here = {racks.get(id) for id in others}
        free = [id for id in staying if id not in held]
        if free:
            taker = min(free, key=lambda id: (racks.get(id) is not None and racks.get(id) in here, load[id], id))
            load[taker] += 1
            moved[at] = tuple(taker if id == leaving else id for id in held)
        elif others and fewer:
            moved[at] = tuple(others)
        else:
            stuck.add(at[0])
    if stuck:
        raise BadInput(
            f"Broker {leaving} cannot leave: nobody is there to take its replicas over.",
            seen=f"{len(staying)} other brokers alive, and every one holds a replica already: " + _some(stuck),
            do=f"Add a broker first (cluster.add_broker()), or go on with a replica less: "
            f"remove_broker({leaving}, fewer_replicas=True).",
        )
    return moved


def _some(names: set[str]) -> str:
    listed = sorted(names)
    return ", ".join(listed[:5]) + (f" and {len(listed) - 5} more topics" if len(listed) > 5 else "")


def carry_out(bootstrap_servers: str, wanted: Mapping[tuple[str, int], Sequence[int]]) -> None:
    """Ask the controller to move replicas; it copies the data first and takes the old replicas off then."""
    from kafka import KafkaAdminClient, TopicPartition
    from kafka import errors as kafka_errors

    def question(admin: KafkaAdminClient) -> None:
        try:
            said = admin.alter_partition_reassignments(
                {TopicPartition(topic, number): list(held) for (topic, number), held in wanted.items()}
            )
            refused = {f"{at.topic}-{at.partition}": error.__name__ for at, error in said.items() if error}
            if refused:
                raise RefusedByKafka("Kafka did not move every replica.", seen=str(refused))
        except kafka_errors.KafkaError as e:
            raise RefusedByKafka("Kafka did not move the replicas.", seen=f"{type(e).__name__}: {e}") from e

    if wanted:
        topics.asking(bootstrap_servers, question)
