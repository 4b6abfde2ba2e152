"""Creates, grows and deletes topics and moves replicas, with a clear error for everything that Kafka would refuse."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

from kafkalab.cluster import probe
from kafkalab.errors import BadInput, RefusedByKafka, Unreachable, WaitTimeout
from kafkalab.progressbar import Report, silent
from kafkalab.waiting import wait_until

if TYPE_CHECKING:
    from kafka import KafkaAdminClient

T = TypeVar("T")
NAME = re.compile(r"[A-Za-z0-9._-]{1,249}")
#: Kafka's internal topics, and what Kafka keeps in each.
OWN = {
    "__consumer_offsets": "how far each group has read",
    "__transaction_state": "which transactions are open",
    "__share_group_state": "which records share groups have had",
}
#: Milliseconds after which a controller must answer, finished or not; well before the client's own timeout.
ANSWER_MS = 5_000
#: Seconds to wait, without any progress, for a topic that is being created or deleted; and seconds to add for each
#: partition: with ZooKeeper, brokers learn of many partitions at once, when the controller is through with all.
PATIENCE, MORE_PATIENCE = 60, 0.1
#: Seconds to wait for the name of a deleted topic to be free. While a broker with a replica is down, it is not.
FREED = 5
#: Seconds within which every broker learns of one that has just started.
NEWCOMER = 3


def check_name(name: str) -> str:
    """Return the name if Kafka allows it for a topic; otherwise raise BadInput."""
    if not isinstance(name, str) or not NAME.fullmatch(name) or name in (".", ".."):
        raise BadInput(
            f"Kafka does not allow the topic name {str(name)[:60]!r}.",
            do='Use 1 to 249 letters, digits, ".", "_" and "-"; "." and ".." alone are not allowed.',
        )
    return name


def check_not_own(name: str) -> None:
    """Raise BadInput for one of Kafka's internal topics, so that none is deleted by mistake."""
    if isinstance(name, str) and name in OWN:
        raise BadInput(
            f"{name} is an internal topic, in which Kafka keeps {OWN[name]}.",
            do=f'If you mean it: cluster.tool("kafka-topics", "--delete", "--topic", "{name}")',
        )


def check_shape(partitions: int, replication: int, brokers: int) -> None:
    """Raise BadInput unless there are 1 to 10 000 partitions, 1 or more replicas, and a broker for every replica."""
    for what, value in (("partitions", partitions), ("replication", replication)):
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise BadInput(
                f"A topic needs {what} of at least 1.", seen=f"{what}={value!r}", do="Give a whole number from 1 on."
            )
    if partitions > 10_000:
        raise BadInput(f"{partitions} partitions are more than this cluster can hold.", do="Ask for up to 10 000.")
    if replication > brokers:
        raise BadInput(
            f"A replication factor of {replication} needs {replication} brokers, for each holds at most one copy.",
            seen=f"{brokers} of them alive" if brokers != 1 else "1 broker alive",
            do=f"Ask for replication={brokers} or less, or start more brokers.",
        )


def asking(bootstrap_servers: str, question: Callable[[KafkaAdminClient], T]) -> T:
    """Call ``question`` with an admin client and return its answer; raise Unreachable or RefusedByKafka on failure."""
    from kafka import KafkaAdminClient
    from kafka import errors as kafka_errors

    try:
        admin = KafkaAdminClient(
            bootstrap_servers=bootstrap_servers.split(","), client_id="kafkalab-admin", request_timeout_ms=15_000,
            bootstrap_timeout_ms=10_000,
        )  # fmt: skip
    except (kafka_errors.KafkaError, OSError) as e:
        raise Unreachable(
            f"No broker answers at {bootstrap_servers}.",
            seen=f"{type(e).__name__}: {e}",
            do="cluster.nodes() and `kafkalab status` tell whether it runs; `kafkalab doctor` looks for the cause.",
        ) from e
    try:
        return question(admin)
    except kafka_errors.KafkaError as e:
        raise RefusedByKafka(
            "The cluster did not do that.",
            seen=f"{type(e).__name__}: {e}",
            do="Without an active controller nothing is created, moved or deleted: see cluster.snapshot().",
        ) from e
    finally:
        admin.close()


def _alive(admin: KafkaAdminClient, wanted: int) -> int:
    """Return the number of brokers that are alive; wait a little if there are fewer than wanted.

    A broker that has just started is not known to every other one yet.
    """
    seen = 0

    def enough() -> bool:
        nonlocal seen
        seen = len(admin.describe_cluster()["brokers"])
        return seen >= wanted

    with suppress(WaitTimeout):
        wait_until(enough, NEWCOMER, "the brokers", period=0.2)
    return seen


def create(
    bootstrap_servers: str,
    name: str,
    partitions: int,
    replication: int | None,
    settings: Mapping[str, str] | None,
    progress: Report = silent,
) -> None:
    """Create a topic and wait until each partition has a leader; give up when their number stops growing."""
    from kafka import errors as kafka_errors

    def question(admin: KafkaAdminClient) -> None:
        brokers = _alive(admin, replication or 1)
        copies = min(3, brokers) if replication is None else replication
        check_shape(partitions, copies, brokers)
        wanted: dict[str, Any] = {"num_partitions": partitions, "replication_factor": copies}
        if settings:
            wanted["configs"] = {str(k): str(v) for k, v in settings.items()}
        known = name in admin.list_topics()

        def taken() -> bool:
            # raise_errors=False: the exceptions would quote the whole request, but the answer has Kafka's own message.
            error, said = _insist(
                lambda: admin.create_topics({name: wanted}, timeout_ms=ANSWER_MS, raise_errors=False)["topics"][0]
            )
            exists = error is kafka_errors.TopicAlreadyExistsError
            if exists and known:
                raise RefusedByKafka(
                    f"The topic {name!r} exists already.", do="Delete it first, or choose another name."
                )
            if error is not kafka_errors.NoError and not exists:
                raise RefusedByKafka(f"Kafka did not create {name!r}.", seen=said)
            # If it was not there before, our first request was carried out, but its controller did not live to answer:
            # then brokers learn of it. Or ZooKeeper is still deleting the name: then a later request is taken.
            return not exists or any(_known(admin, name))

        wait_until(taken, PATIENCE, f"the name {name} to be free", period=0.25)
        wait_led(admin, name, partitions, progress)

    check_name(name)
    check_shape(partitions, 1 if replication is None else replication, 10_000)
    asking(bootstrap_servers, question)


def delete(bootstrap_servers: str, name: str) -> None:
    """Delete a topic and wait until the cluster no longer lists it, and its name can be given again."""
    from kafka import errors as kafka_errors

    def question(admin: KafkaAdminClient) -> None:
        known = name in admin.list_topics()
        error, said = _insist(
            lambda: admin.delete_topics([name], timeout_ms=ANSWER_MS, raise_errors=False)["topics"][0]
        )
        if error is kafka_errors.UnknownTopicOrPartitionError and not known:
            raise BadInput(f"There is no topic {name!r}.", do="cluster.snapshot() lists all topics.")
        if error not in (kafka_errors.NoError, kafka_errors.UnknownTopicOrPartitionError):
            raise RefusedByKafka(f"Kafka did not delete {name!r}.", seen=said)
        left: list[dict[int, int]] = []

        def gone() -> bool:
            left[:] = _known(admin, name)
            return bool(left) and not any(left)

        wait_until(gone, PATIENCE, f"the topic {name} to be gone", seen=lambda: f"brokers still know {left}")
        with suppress(WaitTimeout):
            wait_until(lambda: _free(admin, name), FREED, f"the name {name} to be free", period=0.1)

    check_name(name)
    asking(bootstrap_servers, question)


def _free(admin: KafkaAdminClient, name: str) -> bool:
    """Return whether a topic of this name can be created.

    With ZooKeeper, a topic that no broker lists any more may still be marked for deletion.
    """
    from kafka import errors as kafka_errors

    one = {"num_partitions": 1, "replication_factor": 1}
    answer = admin.create_topics({name: one}, timeout_ms=ANSWER_MS, validate_only=True, raise_errors=False)
    return kafka_errors.for_code(answer["topics"][0]["error_code"]) is not kafka_errors.TopicAlreadyExistsError


def grow(bootstrap_servers: str, name: str, partitions: int) -> None:
    """Give a topic more partitions, ``partitions`` in all, and wait until each has a leader. This cannot be undone."""
    from kafka import errors as kafka_errors

    def question(admin: KafkaAdminClient) -> None:
        error, said = _insist(
            lambda: admin.create_partitions({name: partitions}, timeout_ms=ANSWER_MS, raise_errors=False).to_dict()[
                "results"
            ][0]
        )
        if error is not kafka_errors.NoError:
            raise RefusedByKafka(
                f"Kafka did not give {name!r} {partitions} partitions.",
                seen=said,
                do="There can be more partitions, never fewer.",
            )
        wait_led(admin, name, partitions)

    check_name(name)
    check_shape(partitions, 1, 10_000)
    asking(bootstrap_servers, question)


def wait_known(zookeeper_connect: str, bootstrap_servers: str) -> None:
    """Wait until every broker knows every topic that is in ZooKeeper.

    After a start on old data, brokers are registered and answer before the new controller has told them of the topics.
    """
    from kazoo.client import KazooClient
    from kazoo.exceptions import NoNodeError

    deadline = 30.0
    zookeeper = KazooClient(hosts=zookeeper_connect, timeout=deadline)
    zookeeper.start(timeout=deadline)
    try:
        wanted = set(zookeeper.get_children("/brokers/topics"))
    except NoNodeError:
        wanted = set()
    finally:
        zookeeper.stop()
        zookeeper.close()
    for server in bootstrap_servers.split(",") if wanted else ():
        host, port = server.rsplit(":", 1)

        def known(host: str = host, port: int = int(port)) -> bool:
            found = probe.topics(host, port)
            return not isinstance(found, str) and wanted <= found

        wait_until(known, deadline, f"the broker at {server} to know its topics", period=0.05)


def _insist(request: Callable[[], dict[str, Any]]) -> tuple[Any, str]:
    """Send a request again while its answer is a passing error: the controller may have died a moment ago.

    Returns the error that it ends with (or NoError), as a class of kafka-python's and in words.
    """
    from kafka import errors as kafka_errors

    error, said = None, ""
    patience = time.monotonic() + 5

    def settled() -> bool:
        nonlocal error, said
        answer = request()
        error = kafka_errors.for_code(answer["error_code"])
        said = f"{error.__name__}: {answer.get('error_message') or ''}".rstrip(": ")
        if error is kafka_errors.UnknownError and time.monotonic() < patience:
            # After a pause or a sleep, a broker answers so until it learns that its ZooKeeper session is over.
            return False
        return not getattr(error, "retriable", False) or error is kafka_errors.UnknownTopicOrPartitionError

    wait_until(settled, 20, "the controller to take the request", period=0.25, seen=lambda: said)
    return error, said


def wait_led(admin: KafkaAdminClient, name: str, partitions: int, progress: Report = silent) -> None:
    """Wait until all partitions have leaders; give up when their number stops growing."""
    led, most = 0, 0

    def more() -> bool:
        nonlocal led
        led = min((sum(leader >= 0 for leader in known.values()) for known in _known(admin, name)), default=0)
        return led > most

    patience = PATIENCE + MORE_PATIENCE * partitions
    while most < partitions:
        progress(most, partitions, f"{most} of {partitions} partitions have leaders")
        wait_until(
            more, patience, f"the partitions of {name} to have leaders", seen=lambda: f"{led} of {partitions} have one"
        )
        most = led
    progress(partitions, partitions, "every partition has a leader")


def _known(admin: KafkaAdminClient, name: str) -> list[dict[int, int]]:
    """Return the topic's partitions and their leaders (-1: none), as each broker that answers knows them.

    All brokers are asked, because a client may bootstrap from any of them and should find a new topic. A broker that
    hangs is left out.
    """
    said = (probe.leaders(b["host"], b["port"], name) for b in admin.describe_cluster()["brokers"])
    return [known for known in said if not isinstance(known, str)]


# --- Moves replicas off a broker that is to be removed. The plan is pure; carrying it out asks the controller.


#: (topic, partition) → the brokers that hold it, the preferred leader first.
Replicas = Mapping[tuple[str, int], Sequence[int]]


def plan(
    replicas: Replicas, leaving: int, staying: Sequence[int], racks: Mapping[int, str | None]
) -> dict[tuple[str, int], tuple[int, ...]]:
    """Return the new replicas of each partition that a leaving broker holds; other partitions are not in it.

    The leaving broker is replaced by the one with the fewest replicas that does not hold the partition yet, if possible
    in a rack where the partition has no other replica.

    :raises BadInput: when no broker can take over a replica.
    """
    load = Counter(id for held in replicas.values() for id in held)
    moved: dict[tuple[str, int], tuple[int, ...]] = {}
    stuck: set[str] = set()
    for at, held in sorted(replicas.items()):
        free = [id for id in staying if id not in held]
        if leaving not in held:
            continue
        if not free:
            stuck.add(at[0])
            continue
        here = {racks.get(id) for id in held if id != leaving}
        taker = min(free, key=lambda id: (racks.get(id) is not None and racks.get(id) in here, load[id], id))
        load[taker] += 1
        moved[at] = tuple(taker if id == leaving else id for id in held)
    if stuck:
        raise BadInput(
            f"Broker {leaving} cannot leave, because no other broker can take over its replicas.",
            seen=f"the other {len(staying)} live brokers have a replica already: {', '.join(sorted(stuck)[:5])}",
            do="Add a broker first: cluster.add_broker().",
        )
    return moved


def carry_out(bootstrap_servers: str, wanted: Mapping[tuple[str, int], Sequence[int]]) -> None:
    """Ask the controller to move replicas; it copies the data first and then removes the old replicas."""
    from kafka import TopicPartition

    def question(admin: KafkaAdminClient) -> None:
        moves = {TopicPartition(topic, number): list(held) for (topic, number), held in wanted.items()}
        said = admin.alter_partition_reassignments(moves)
        refused = {f"{at.topic}-{at.partition}": error.__name__ for at, error in said.items() if error}
        if refused:
            raise RefusedByKafka("Kafka did not move every replica.", seen=str(refused))

    if wanted:
        asking(bootstrap_servers, question)
