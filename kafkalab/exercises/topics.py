"""Topics for checks and labs: read one to its end, write to it, create a temporary one, tidy up."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from typing import TYPE_CHECKING, Any

from kafkalab.cluster.topics import asking, wait_led
from kafkalab.errors import KafkalabError, RefusedByKafka, Unreachable, WaitTimeout
from kafkalab.waiting import wait_until

if TYPE_CHECKING:
    from kafka import KafkaAdminClient

    from kafkalab.handles.cluster import Cluster
    from kafkalab.state.model import Snapshot

#: Seconds to wait for a broker to answer a check, and until every broker has heard of a change.
_REACH, _HEARD = 15.0, 2.0


def read_all(bootstrap_servers: str, topic: str) -> list[Any]:
    """Return every record that is in a topic now, as kafka-python's ConsumerRecord; in order within each partition.

    It asks for the ends of the partitions first, and stops reading there.

    :raises Unreachable: no broker answers.
    :raises KafkalabError: there is no such topic.
    """
    from kafka import KafkaConsumer, TopicPartition
    from kafka.errors import KafkaError

    try:
        made = KafkaConsumer(
            bootstrap_servers=bootstrap_servers, enable_auto_commit=False, allow_auto_create_topics=False,
            bootstrap_timeout_ms=int(_REACH * 1000),
        )  # fmt: skip
        with closing(made) as consumer:
            partitions = [
                TopicPartition(topic, number) for number in sorted(consumer.partitions_for_topic(topic) or ())
            ]
            if not partitions:
                raise KafkalabError(f"There is no topic {topic!r}.", do="Run the cells above that create it.")
            ends = consumer.end_offsets(partitions)
            consumer.assign(partitions)
            consumer.seek_to_beginning(*partitions)
            records: list[Any] = []
            while any(consumer.position(partition) < ends[partition] for partition in partitions):
                for polled in consumer.poll(timeout_ms=500).values():
                    records.extend(polled)
            return records
    except KafkaError as error:
        raise _unreachable(bootstrap_servers, error) from error


def publish(
    bootstrap_servers: str,
    topic: str,
    records: Iterable[tuple[bytes | None, bytes | None, int | None]],
    *,
    together: bool = False,
) -> None:
    """Send records, each (key, value, partition), and return when every one is acknowledged.

    A partition of None leaves the choice to the key.

    :param together: send the records of a partition in one batch, so that a reader gets all or none; up to 16 kB.
    :raises Unreachable: some record was not acknowledged.
    """
    from kafka import KafkaProducer
    from kafka.errors import KafkaError

    try:
        producer = KafkaProducer(
            bootstrap_servers=bootstrap_servers,
            acks="all",
            enable_idempotence=True,
            allow_auto_create_topics=False,
            bootstrap_timeout_ms=int(_REACH * 1000),
            linger_ms=60_000 if together else 0,
        )
        try:
            sent = [producer.send(topic, key=key, value=value, partition=number) for key, value, number in records]
            producer.flush(60)
            for future in sent:
                future.get(timeout=60)
        finally:
            producer.close(timeout=10)
    except KafkaError as error:
        raise _unreachable(bootstrap_servers, error) from error


@contextmanager
def passing_topic(cluster: Cluster, stem: str, partitions: int | Mapping[int, Sequence[int]]) -> Iterator[str]:
    """Create a topic with a unique name, give its name to the block, and delete it at the end.

    :param partitions: how many, or for each the brokers that hold it, the preferred leader first.
    """
    name = f"{stem}-{uuid.uuid4().hex[:8]}"
    if isinstance(partitions, int):
        cluster.create_topic(name, partitions=partitions)
    else:
        place(cluster, name, partitions)
    try:
        yield name
    finally:
        cluster.delete_topic(name)


@contextmanager
def passing_led_topic(cluster: Cluster, stem: str, leading: Sequence[int]) -> Iterator[str]:
    """Create a temporary topic whose partitions are led by these brokers, with replicas on all that are up."""
    brokers = [broker.id for broker in cluster.snapshot().brokers if broker.alive]
    replicas = {p: [leader, *(id for id in brokers if id != leader)] for p, leader in enumerate(leading)}
    with passing_topic(cluster, stem, replicas) as name:
        yield name


def place(
    cluster: Cluster, topic: str, replicas: Mapping[int, Sequence[int]], settings: Mapping[str, str] | None = None
) -> None:
    """Create a topic with its replicas on chosen brokers, and wait until every broker knows it.

    :param replicas: partition → the brokers that hold it, the preferred leader first.
    :raises RefusedByKafka: there is such a topic, or no such broker.
    """
    from kafka.errors import NoError, for_code

    asked = {topic: {"assignments": {n: list(held) for n, held in replicas.items()}, "configs": dict(settings or {})}}

    def question(admin: KafkaAdminClient) -> None:
        answer = admin.create_topics(asked, raise_errors=False)["topics"][0]
        if (error := for_code(answer["error_code"])) is not NoError:
            seen = f"{error.__name__}: {answer['error_message']}"
            raise RefusedByKafka(f"Kafka did not create {topic!r}.", seen=seen)
        wait_led(admin, topic, len(replicas))

    asking(cluster.bootstrap_servers, question)


def soon(cluster: Cluster, fits: Callable[[Snapshot], object]) -> Snapshot:
    """Return the first snapshot that fits, or after two seconds the last one, which does not.

    What a client was told is done, such as the creation of a topic, a broker may hear of a moment later.
    """
    with suppress(WaitTimeout):
        return cluster.wait_for(fits, _HEARD, "the brokers to hear of it")
    return cluster.snapshot()


def settings_of(cluster: Cluster, topic: str, fits: Callable[[dict[str, str]], object]) -> dict[str, str]:
    """Return a topic's settings, with the defaults, as soon as they fit, or after two seconds those that don't.

    The broker that is asked may hear of a change a moment later.

    :raises KafkalabError: the cluster cannot be asked.
    """
    from kafka.admin import ConfigResource

    found: dict[str, str] = {}

    def question(admin: KafkaAdminClient) -> None:
        def fit() -> object:
            told = admin.describe_configs([ConfigResource("TOPIC", topic)], config_filter="all")
            for settings in (named[topic] for named in told.values() if topic in named):
                found.update({name: str(setting["value"]) for name, setting in settings.items()})
            return found and fits(found)

        with suppress(WaitTimeout):
            wait_until(fit, _HEARD, "the brokers to hear of it")

    asking(cluster.bootstrap_servers, question)
    if not found:
        raise KafkalabError(f"The cluster does not say what {topic!r} is set to.", do="Run the cell again.")
    return found


def tidy(cluster: Cluster, *topics: str, prefix: str = "") -> None:
    """Start every node that is down, resume every paused one, and delete these topics if they exist.

    The first and the last cell of a lab call it; a second call changes nothing.

    :param prefix: unless it is empty, topics and groups whose name begins with it are deleted too; a group that still
        has members stays until the next call.
    :raises WaitTimeout: a broker does not come back, or a copy does not get back in sync, within a minute.
    """
    for node in cluster.nodes():
        if node.state == "paused":
            cluster.act(node.name, "resume")
        elif node.state == "stopped":
            cluster.act(node.name, "start")
    there = cluster.wait_for(lambda s: all(b.alive for b in s.brokers), 60, "every broker to be registered")
    for topic in there.topics:
        if topic.name in topics or (prefix and topic.name.startswith(prefix)):
            cluster.delete_topic(topic.name)
    groups = [group.group_id for group in there.groups if prefix and group.group_id.startswith(prefix)]
    if groups and cluster.capabilities.clients:
        asking(cluster.bootstrap_servers, lambda admin: admin.delete_groups(groups))
    cluster.wait_for(
        lambda s: not any(p.under_replicated for p in s.partitions()), 60, "every copy to be in sync again"
    )


def _unreachable(bootstrap_servers: str, error: Exception) -> Unreachable:
    return Unreachable(
        f"The brokers at {bootstrap_servers} did not answer as they should.",
        seen=f"{type(error).__name__}: {error}",
        do="Check that every broker is up (cluster.view()), and run the cell again.",
    )
