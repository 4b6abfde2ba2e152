"""Lab 06: what people answer, and the word that the check has for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from kafka.admin import ConfigResource

from kafkalab import Cluster
from kafkalab.cluster.topics import asking, carry_out
from kafkalab.course.lab_06.exercises import ALARMS, SENT
from kafkalab.exercises.topics import place, publish
from tests.support.answers import Answers, refused


def deleting(cluster: Cluster, names: Sequence[str]) -> Callable[[], None]:
    def delete() -> None:
        for name in names:
            cluster.delete_topic(name)

    return delete


def nothing_on_102(cluster: Cluster) -> Answers:
    shapes: list[Mapping[int, Sequence[int]]] = [
        {0: [101, 102], 1: [102, 103]},
        {0: [101], 1: [103]},
        {0: [101, 103]},
        {0: [101, 103], 1: [101, 103]},
        {0: [103, 101], 1: [101, 103]},
    ]
    names = [f"lab06-shape-{number}" for number in range(len(shapes))]
    for name, shape in zip(names, shapes, strict=True):
        place(cluster, name, shape)
    there, one, few, *right = names
    return Answers(
        {
            "P0 has a copy on 102": there,
            "should have 2 copies, and has 1": one,
            "one for each list of brokers, and has 1": few,
            "There is no topic": "lab06-trams",
            "is text": {0: [101, 103]},
        },
        [right[0], np.str_(right[1])],
        undo=deleting(cluster, names),
    )


def elected(kind: int, topics: Any) -> Any:
    def answer(servers: str, topic: str) -> None:
        asking(servers, lambda admin: admin.elect_leaders(kind, topics(topic), raise_errors=False))

    return answer


def reordered(servers: str, topic: str) -> None:
    (told,) = asking(servers, lambda admin: admin.describe_topics([topic]))
    held = {(topic, p["partition_index"]): p["replica_nodes"] for p in told["partitions"]}
    carry_out(servers, {at: [*ids[1:], ids[0]] for at, ids in held.items()})


def given_back(cluster: Cluster) -> Answers:
    def by_tool(servers: str, topic: str) -> None:
        for number in ("1", "2"):
            named = ("--topic", topic, "--partition", number)
            cluster.tool("kafka-leader-election", "--election-type", "preferred", *named)

    return Answers(
        {
            "is still led by": elected(1, lambda topic: [topic]),
            "P2 is still led by": elected(0, lambda topic: {topic: [0, 1]}),
            "changed the list of replicas": reordered,
        },
        [elected(0, lambda topic: {topic: [1, 2]}), by_tool],
    )


def safe(cluster: Cluster) -> Answers:
    shapes = [(3, "1"), (2, "2"), (3, "3"), (3, "2"), (3, "2")]
    names = [f"lab06-safe-{number}" for number in range(len(shapes) + 1)]
    for name, (copies, least) in zip(names, shapes, strict=False):
        cluster.create_topic(name, partitions=2, replication=copies, settings={"min.insync.replicas": least})
    unclean = {"min.insync.replicas": "2", "unclean.leader.election.enable": "true"}
    cluster.create_topic(names[-1], replication=3, settings=unclean)
    return Answers(
        {
            "With min.insync.replicas=1": names[0],
            "With 2 copies": names[1],
            "With 3 copies and min.insync.replicas=3": names[2],
            "a copy that lacks records": names[-1],
            "There is no topic": "lab06-nowhere",
            "was there already": "lab06-strict",
            "Create one of your own": "lab06-orders",
        },
        [names[3], np.str_(names[4])],
        undo=deleting(cluster, names),
    )


def healed(cluster: Cluster) -> Answers:
    """Asked while 103, the last replica in sync, is down, and 104 lacks the last three alarms."""

    def says(words: str) -> None:
        refused(cluster, "06.6", SENT, words)

    def least(value: str) -> None:
        asked = [ConfigResource("TOPIC", ALARMS, {"min.insync.replicas": value})]
        asking(cluster.bootstrap_servers, lambda admin: admin.alter_configs(asked))

    def on(*brokers: int) -> None:
        carry_out(cluster.bootstrap_servers, {(ALARMS, 0): brokers})
        cluster.wait_for(lambda s: set(s.topic(ALARMS).partitions[0].isr) == set(brokers), 60, "the copies")  # type: ignore[union-attr]

    def undo() -> None:
        least("1")
        on(103, 104)

    says("has no leader")
    cluster.tool("kafka-leader-election", "--election-type", "unclean", "--topic", ALARMS, "--partition", "0")
    cluster.wait_for(lambda s: s.topic(ALARMS).partitions[0].leader == 104, 60, "104 to lead")  # type: ignore[union-attr]
    says("alarm 4, alarm 5, alarm 6: acknowledged, and gone")
    publish(cluster.bootstrap_servers, ALARMS, [(None, value.encode(), None) for value in SENT[3:]])
    says("With min.insync.replicas=1")
    cluster.broker(103).start()
    least("2")
    says("With 2 copies")
    on(104, 101, 102)
    return Answers(
        {
            "has 6 records, and your list has 3": SENT[:3],
            "alarm 9 among them": [*SENT[:5], "alarm 9"],
            "is a list": "alarm 1",
        },
        [tuple(SENT), np.array(SENT[::-1])],
        undo=undo,
    )


def states(read: Any) -> Any:
    """An answer to 06.2 that reads each partition's number, replicas, ISR and leader."""
    return lambda topic: [
        p["partition_index"] for p in topic["partitions"] if read(p["replica_nodes"], p["isr_nodes"], p["leader_id"])
    ]


def by_count(read: Any) -> Any:
    """An answer to 06.4 that counts what is left."""
    return lambda isr, least, dead: read(len({*isr} - {*dead}), least, isr, dead)


ALONE = {
    "06.2": Answers(
        {
            "in whatever order": states(lambda replicas, isr, leader: replicas != isr),
            "a copy is missing": states(lambda replicas, isr, leader: leader != replicas[0] and len(isr) < 2),
            "it's complete": states(lambda replicas, isr, leader: len(isr) < 3 or len(isr) < len(replicas)),
            "Your list: []": lambda topic: [],
            "is a list of whole numbers": lambda topic: topic["partitions"],
        },
        [
            states(lambda replicas, isr, leader: len(isr) < len(replicas)),
            lambda topic: {
                p["partition_index"] for p in topic["partitions"] if {*p["replica_nodes"]} - {*p["isr_nodes"]}
            },
        ],
        tries=5,
    ),
    "06.4": Answers(
        {
            # The leader is counted; and a minimum is enough when it is met.
            "the leader included": by_count(
                lambda left, least, *_: "nothing" if not left else "read and write" if left - 1 >= least else "read"
            ),
            "are enough for acks=all": by_count(
                lambda left, least, *_: "nothing" if not left else "read and write" if left > least else "read"
            ),
            "are too few for acks=all": by_count(lambda left, *_: "read and write" if left else "nothing"),
            "No copy that may lead is left": by_count(
                lambda left, least, *_: "read and write" if left >= least else "read"
            ),
        },
        [
            by_count(lambda left, least, *_: "nothing" if left == 0 else "read and write" if left >= least else "read"),
            lambda isr, least, dead: np.str_(
                ["nothing", "read", "read and write"][
                    bool(set(isr) - set(dead)) + (len(set(isr) - set(dead)) >= least and bool(set(isr) - set(dead)))
                ]
            ),
        ],
    ),
}
ON_CLUSTER = {"06.1": nothing_on_102, "06.3": given_back, "06.5": safe, "06.6": healed}
