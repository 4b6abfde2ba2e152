"""The exercises of lab 00, start here: read a topic to its end, find a leader, create enough replicas."""

from __future__ import annotations

import uuid
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from kafkalab.errors import KafkalabError
from kafkalab.exercises.exercise import Exercise
from kafkalab.exercises.judging import Wrong, call, function_needed, listed, text, whole_number
from kafkalab.exercises.topics import passing_topic, publish

if TYPE_CHECKING:
    from kafkalab.handles.cluster import Cluster

PREFIX: Final = "lab00-"
TOPIC: Final = f"{PREFIX}hello"
#: The broker that the lab stops.
STOPPED: Final = 102

_PARTITIONS: Final = 4
_COPIES: Final = 3
_WHAT: Final = "What your function returns"


def exercises(cluster: Cluster) -> tuple[Exercise, Exercise, Exercise]:
    """Return the three exercises, judged on this cluster."""
    return (
        Exercise(
            "00.1",
            "Read it all, and come to an end",
            2,
            "Write `read_all(bootstrap_servers, topic)`: it returns a list of the values of all messages in the topic, "
            "as text, in any order, and then stops. Called again it returns them again.",
            lambda answer: reader(cluster, answer),
            (
                "A consumer without a group begins at the end of the topic, unless you tell it where to begin.",
                "`consumer_timeout_ms` makes the loop over a consumer end when nothing new has come for so many "
                "milliseconds. A value arrives as bytes; bytes have `.decode()`.",
                '`KafkaConsumer(topic, bootstrap_servers=…, auto_offset_reset="earliest", consumer_timeout_ms=3000)`; '
                "a list of `record.value.decode() for record in consumer`; then `consumer.close()`, and return it.",
            ),
        ),
        Exercise(
            "00.2",
            "Who leads now?",
            1,
            f"Broker {STOPPED} is down. One partition of `{TOPIC}` has it as its first replica. "
            "Which broker leads that partition now? Answer with the broker's id.",
            lambda answer: leader(cluster, answer),
            (
                "Look at the picture: the filled chip with the crown is the leader.",
                f'`cluster.tool("kafka-topics", "--describe", "--topic", "{TOPIC}")` has a line a partition: find '
                f"the one whose `Replicas` begin with {STOPPED}, and read its `Leader`.",
                f'`cluster.snapshot().topic("{TOPIC}").partitions` is a list; each has `.replicas` and `.leader`. '
                f"You want the `.leader` of the one whose `.replicas[0]` is {STOPPED}.",
            ),
        ),
        Exercise(
            "00.3",
            "Copies enough",
            2,
            f"Create a topic with {_PARTITIONS} partitions whose messages outlive the loss of any two brokers. Its "
            f"name begins with `{PREFIX}`, so that the clean-up finds it; answer with that name.",
            lambda answer: topic_that_lasts(cluster, answer),
            (
                "A message survives as long as one broker that has a copy of it survives.",
                "The replication factor counts all copies, the leader's own included.",
                "`cluster.create_topic(name, partitions=…, replication=…)`: two copies may go, one must be left.",
            ),
        ),
    )


def leader(cluster: Cluster, answer: Any) -> str:
    """Judge 00.2 on the cluster as it is at this moment."""
    given = whole_number(answer, "A broker's id")
    snapshot = cluster.snapshot()
    topic = snapshot.topic(TOPIC)
    found = [p for p in topic.partitions if p.replicas[:1] == (STOPPED,)] if topic else []
    if not found:
        raise KafkalabError(f"There is no topic {TOPIC} with a first replica on {STOPPED}.", do="Run the cells above.")
    (partition, *_) = found
    if partition.leader is None:
        raise KafkalabError(
            f"Nobody leads partition {partition.partition} at this moment.", do="Run the cell again in a few seconds."
        )
    if given == partition.leader:
        return (
            f"Partition {partition.partition} is led by {given}; its copies in sync are on {_brokers(partition.isr)}."
        )
    if given == STOPPED:
        raise Wrong(f"{STOPPED} stands first among the replicas, so it is preferred; but it is down, and cannot lead.")
    if given in partition.replicas:
        raise Wrong(f"{given} has a copy of it, but follows another broker.")
    if snapshot.broker(given) is None:
        raise Wrong(f"There is no broker {given}. A partition's number is not a broker's id.")
    raise Wrong(f"{given} is a broker, but has no copy of that partition.")


def reader(cluster: Cluster, answer: Any) -> str:
    """Judge 00.1 on a temporary topic with random messages."""
    function_needed(answer)
    values = [f"parcel {uuid.uuid4().hex[:8]}" for _ in range(30)]
    with passing_topic(cluster, f"{PREFIX}exercise", partitions=3) as topic:
        # Give every partition the same share; keys might leave one empty.
        publish(cluster.bootstrap_servers, topic, [(None, v.encode(), n % 3) for n, v in enumerate(values)])
        first = listed(call(answer, cluster.bootstrap_servers, topic, within=90), _WHAT, str)
        _compare(first, values)
        second = listed(call(answer, cluster.bootstrap_servers, topic, within=90), _WHAT, str)
    if Counter(second) != Counter(values):
        raise Wrong(
            f"Called again it returned {len(second)} of {len(values)} messages. Reading takes nothing out of a topic; "
            "does a group of yours remember that it was there?"
        )
    return f"All {len(values)} messages from all 3 partitions, twice."


def _compare(got: list[str], values: list[str]) -> None:
    if not got:
        raise Wrong("It returned nothing. Where does a new consumer begin to read, and how long does it wait?")
    missing, extra = Counter(values) - Counter(got), Counter(got) - Counter(values)
    if missing:
        raise Wrong(
            f"{missing.total()} of {len(values)} messages are missing. The topic has 3 partitions: read them all?"
        )
    if extra:
        raise Wrong(f"{extra.total()} messages too many: some came twice, or were never in the topic.")


def topic_that_lasts(cluster: Cluster, answer: Any) -> str:
    """Judge 00.3 by the topic's state in the cluster."""
    name = text(answer, "A topic's name")
    topic = cluster.snapshot().topic(name)
    if topic is None:
        raise Wrong(f"There is no topic {name!r}.")
    if not name.startswith(PREFIX):
        raise Wrong(f"The clean-up would leave {name} behind: its name does not begin with {PREFIX}")
    if len(topic.partitions) != _PARTITIONS:
        raise Wrong(f"{name} has {len(topic.partitions)} partitions, not {_PARTITIONS}.")
    copies = min(len(partition.replicas) for partition in topic.partitions)
    if copies < _COPIES:
        raise Wrong(f"{name} keeps {copies} of each message. How many are left when two brokers are gone?")
    return f"{copies} copies of each partition: with any two brokers gone, one copy is left."


def _brokers(ids: tuple[int, ...]) -> str:
    return ", ".join(map(str, sorted(ids)))
