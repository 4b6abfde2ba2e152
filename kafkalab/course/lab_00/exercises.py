"""The exercises of lab 00, start here: create a topic, send, read, find leaders, and repair what a dead broker left."""

from __future__ import annotations

import random
import uuid
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from kafkalab.errors import KafkalabError
from kafkalab.exercises.exercise import Exercise
from kafkalab.exercises.judging import Wrong, call, function_needed, kind_of, listed, taken, text, whole_number
from kafkalab.exercises.topics import passing_led_topic, passing_topic, publish, read_all, soon
from kafkalab.state.changes import many

if TYPE_CHECKING:
    from kafkalab.handles.cluster import Cluster

PREFIX: Final = "lab00-"
#: The topic with one copy, whose broker the lab kills, and the number of its records.
ALARMS: Final = f"{PREFIX}alarms"
_ALARMS: Final = 20

_WHAT: Final = "What your function returns"


def exercises(cluster: Cluster) -> tuple[Exercise, ...]:
    """Return the six exercises, judged on this cluster."""
    return (
        Exercise(
            "00.1",
            "A topic of your own",
            1,
            f"Create the topic `{PREFIX}doors` with 2 partitions and 2 copies of each. Answer with its name.",
            lambda answer: topic_of(cluster, answer, f"{PREFIX}doors", partitions=2, copies=2),
            (
                "The cell above does nearly the same: only the name and two numbers differ.",
                "`num_partitions` is the number of partitions, `replication_factor` that of the copies.",
                f'`doors = "{PREFIX}doors"`, and then '
                '`admin.create_topics({doors: {"num_partitions": …, "replication_factor": …}})`',
            ),
        ),
        Exercise(
            "00.2",
            "Send one, and say where it is",
            1,
            "Write `send_one(bootstrap_servers, topic, key, value)`: it sends one record and returns its partition and "
            "its offset, as a tuple.",
            lambda answer: sender(cluster, answer),
            (
                "The receipt that `send` prints above has both.",
                "`producer.send(topic, key=key, value=value)` only hands the record over; `.get(timeout=60)` waits for "
                "the receipt.",
                "Make a `KafkaProducer`, call `.send(…).get(timeout=60)`, close the producer, and return "
                "`receipt.partition, receipt.offset`.",
            ),
        ),
        Exercise(
            "00.3",
            "Read it all, and come to an end",
            2,
            "Write `read_all(bootstrap_servers, topic)`: it returns a list of the values of all records in the topic, "
            "as text, in any order, and then stops. Called again it returns them again.",
            lambda answer: reader(cluster, answer),
            (
                "A consumer without a group begins at the end of the topic, unless you tell it where to begin.",
                "`consumer_timeout_ms` makes the loop over a consumer end when nothing new has come for that many "
                "milliseconds. A value arrives as bytes; bytes have `.decode()`.",
                '`KafkaConsumer(topic, bootstrap_servers=…, auto_offset_reset="earliest", consumer_timeout_ms=3000)`; '
                "a list of `record.value.decode() for record in consumer`; then `consumer.close()`, and return it.",
            ),
        ),
        Exercise(
            "00.4",
            "Who leads what?",
            2,
            "Write `leaders(bootstrap_servers, topic)`: it returns a dict with the leader's id for the number of each "
            "partition, for example `{0: 103, 1: 101}`.",
            lambda answer: finder(cluster, answer),
            (
                "`admin.describe_topics([topic])` returns a list with one dict; its `partitions` are a list of dicts, "
                "and the cell above prints what each of them has.",
                "You want `partition_index` and `leader_id` of each partition.",
                '`{p["partition_index"]: p["leader_id"] for p in found["partitions"]}`, where `found` is the one dict.',
            ),
        ),
        Exercise(
            "00.5",
            "Enough copies",
            1,
            f"Create a topic with 4 partitions whose records outlive the loss of any two brokers. Its name begins with "
            f"`{PREFIX}`; answer with that name.",
            lambda answer: topic_of(cluster, answer, "", partitions=4, copies=3),
            (
                "A record survives as long as one broker that has a copy of it survives.",
                "The replication factor counts all copies, the leader's own included.",
                '`admin.create_topics({name: {"num_partitions": 4, "replication_factor": …}})`: two copies may go, one '
                "must be left.",
            ),
        ),
        Exercise(
            "00.6",
            "Bring the alarms back",
            2,
            f"Repair it: bring `{ALARMS}` back, without losing an alarm. Answer with the list of all its values, as "
            "text.",
            lambda answer: repaired(cluster, answer),
            (
                "The records are still on the disk of the dead broker. Which broker is it?",
                "Start that broker: with its button, or with `cluster.broker(…).start()`. Then wait until the topic "
                "has a leader, and read it as in section 3.",
                "`cluster.broker(victim).start()`, then "
                f'`cluster.wait_for(lambda s: all(p.leader for p in s.topic("{ALARMS}").partitions), 60)`, then a '
                'consumer with `auto_offset_reset="earliest"` and `consumer_timeout_ms=3000`.',
            ),
        ),
    )


def topic_of(cluster: Cluster, answer: Any, wanted: str, *, partitions: int, copies: int) -> str:
    """Judge 00.1 and 00.5 by the topic's state in the cluster; ``wanted``: the name it must have, if any."""
    name = text(answer, "A topic's name")
    topic = soon(cluster, lambda s: (found := s.topic(name)) and len(found.partitions) == partitions).topic(name)
    if wanted and name != wanted:
        raise Wrong(f"The topic should be called {wanted}, and your answer is {name!r}.")
    if topic is None:
        raise Wrong(f"There is no topic {name!r}.")
    if not name.startswith(PREFIX):
        raise Wrong(f"The clean-up would leave {name} behind: its name does not begin with {PREFIX}")
    if len(topic.partitions) != partitions:
        raise Wrong(f"{name} has {len(topic.partitions)} partitions, not {partitions}.")
    there = min(len(partition.replicas) for partition in topic.partitions)
    if there < copies:
        raise Wrong(f"{name} keeps {there} of each record, not {copies}. How many are left when brokers are gone?")
    if wanted and there > copies:
        raise Wrong(f"{name} keeps {there} copies of each record, not {copies}.")
    gone = many(there - 1, "broker")
    return f"{partitions} partitions with {there} copies each: with any {gone} gone, one copy is left."


def sender(cluster: Cluster, answer: Any) -> str:
    """Judge 00.2 on a temporary topic: what the function says must be where the record is."""
    function_needed(answer)
    keys = random.sample(["T0001", "T0003", "T0005", "T0006", "T0042", "T0777"], 4)
    with passing_topic(cluster, f"{PREFIX}exercise", partitions=3) as topic:
        for key in keys:
            value = f"report {uuid.uuid4().hex[:8]}".encode()
            said = taken(call(answer, cluster.bootstrap_servers, topic, key.encode(), value))
            if not isinstance(said, tuple | list) or len(said) != 2:
                raise Wrong(f"{_WHAT} is a partition and an offset, and this is {kind_of(said)}.")
            place = (whole_number(said[0], "A partition"), whole_number(said[1], "An offset"))
            there = [r for r in read_all(cluster.bootstrap_servers, topic) if r.value == value]
            if not there:
                raise Wrong(
                    f"The record of {key} is not in the topic. Did it wait for the receipt, with `.get(timeout=60)`?"
                )
            if len(there) > 1:
                raise Wrong(f"The record of {key} is there {len(there)} times.")
            (record,) = there
            if record.key != key.encode():
                raise Wrong(f"The record should have the key {key.encode()!r}, and has {record.key!r}.")
            if place == (record.offset, record.partition) != (record.partition, record.offset):
                raise Wrong("Partition and offset are swapped: the partition comes first.")
            if place != (record.partition, record.offset):
                raise Wrong(
                    f"The record of {key} is in partition {record.partition}, at offset {record.offset}, and your "
                    f"function says {place[0]} and {place[1]}."
                )
    return f"{len(keys)} records, each where your function says."


def finder(cluster: Cluster, answer: Any) -> str:
    """Judge 00.4 on two temporary topics, whose leaders are drawn."""
    function_needed(answer)
    brokers = [broker.id for broker in cluster.snapshot().brokers if broker.alive]
    for partitions in (4, 7):
        leading = [random.choice(brokers) for _ in range(partitions - 1)]
        leading.append(next(b for b in brokers if b != leading[0]))
        with passing_led_topic(cluster, f"{PREFIX}exercise", leading) as topic:
            said = call(answer, cluster.bootstrap_servers, topic)
        _compare_leaders(said, dict(enumerate(leading)))
    return "The leaders of 11 partitions, in two topics."


def _compare_leaders(said: Any, there: dict[int, int]) -> None:
    if not isinstance(said, dict):
        raise Wrong(f"{_WHAT} is a dict, and this is {kind_of(said)}.")
    if said == there:
        return
    if set(said) and set(said) <= set(there.values()):
        raise Wrong("Its keys are the brokers' ids. They should be the partitions' numbers, and the values the ids.")
    if any(isinstance(value, list | tuple) for value in said.values()):
        raise Wrong("Each value is the id of one broker, the leader; a list of replicas is something else.")
    if said.keys() != there.keys():
        raise Wrong(f"The topic has the partitions {_brokers(tuple(there))}; your dict has {sorted(map(str, said))}.")
    odd = next(p for p in there if said[p] != there[p])
    raise Wrong(f"Partition {odd} is led by {there[odd]}, and your function says {said[odd]!r}.")


def repaired(cluster: Cluster, answer: Any) -> str:
    """Judge 00.6: the topic is healed, has all its records, and the answer is what they say."""
    given = listed(answer, "Your answer", str)
    if not given:
        raise Wrong("Your list is empty. Did your consumer begin at the earliest record?")
    topic = cluster.snapshot().topic(ALARMS)
    if topic is None:
        raise KafkalabError(f"There is no topic {ALARMS}.", do="Run the cells above, which create it.")
    (partition,) = topic.partitions
    if partition.leader is None:
        dead = _brokers(partition.replicas)
        raise Wrong(f"{ALARMS} has no leader yet: its only copy is on broker {dead}, which is down.")
    there = [record.value.decode() for record in read_all(cluster.bootstrap_servers, ALARMS)]
    if len(there) < _ALARMS:
        raise Wrong(f"{ALARMS} has {len(there)} of its {_ALARMS} records. A new topic of that name is not the old one.")
    missing, extra = Counter(there) - Counter(given), Counter(given) - Counter(there)
    if missing:
        raise Wrong(f"{missing.total()} of the {len(there)} alarms are missing in your list.")
    if extra:
        raise Wrong(f"Your list has {extra.total()} items that are not in {ALARMS}, or are there only once.")
    return f"{ALARMS} has a leader again, and all {len(there)} alarms can be read: nothing was lost."


def reader(cluster: Cluster, answer: Any) -> str:
    """Judge 00.3 on a temporary topic with random records."""
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
            f"Called again it returned {len(second)} of {len(values)} records. Reading takes nothing out of a topic; "
            "does a group of yours remember that it was there?"
        )
    return f"All {len(values)} records from all 3 partitions, twice."


def _compare(got: list[str], values: list[str]) -> None:
    if not got:
        raise Wrong("It returned nothing. Where does a new consumer begin to read, and how long does it wait?")
    missing, extra = Counter(values) - Counter(got), Counter(got) - Counter(values)
    if missing:
        raise Wrong(
            f"{missing.total()} of {len(values)} records are missing. The topic has 3 partitions: read them all?"
        )
    if extra:
        raise Wrong(f"{extra.total()} records too many: some came twice, or were never in the topic.")


def _brokers(ids: tuple[int, ...]) -> str:
    return ", ".join(map(str, sorted(ids)))
