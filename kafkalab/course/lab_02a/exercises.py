"""The exercises of lab 02a: names, ends of partitions, records by address and by time, and a reader to repair."""

from __future__ import annotations

import random
import time
import uuid
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from kafkalab.course.lab_02a.logs import KEYS, Logs, logs
from kafkalab.exercises.exercise import Exercise
from kafkalab.exercises.judging import Wrong, call, function_needed, kind_of, listed, text, whole_number
from kafkalab.exercises.topics import passing_topic

if TYPE_CHECKING:
    from kafkalab.handles.cluster import Cluster

PREFIX: Final = "lab02a-"
#: Time limit in seconds for one call of an answer; see :func:`kafkalab.exercises.judging.call`.
_WITHIN: Final = 30.0


def exercises(cluster: Cluster) -> tuple[Exercise, ...]:
    """Return the six exercises, judged on this cluster."""
    return (
        Exercise(
            "02a.1",
            "Is the name free?",
            1,
            "Write `is_free(bootstrap_servers, name)`: it returns True if the cluster has no topic of that name, and "
            "False if it has one.",
            lambda answer: free(cluster, answer),
            (
                "The last line of the cell above asks the opposite question.",
                "`admin.list_topics()` returns the names of all topics. A name is free if it is not in that list.",
                "Make a `KafkaAdminClient(bootstrap_servers=…)`, keep `admin.list_topics()`, close the client, and "
                "return `name not in names`.",
            ),
        ),
        Exercise(
            "02a.2",
            "How many were written?",
            1,
            "Write `written(bootstrap_servers, topic)`: it returns how many records were ever written to the topic.",
            lambda answer: counted(cluster, answer),
            (
                "You don't have to read a record for that: in each partition, offsets count from 0.",
                "`consumer.end_offsets(places)` returns the next offset of each partition. The next offset is 15 when "
                "15 records were written.",
                "`places` are `TopicPartition(topic, p)` for each `p` of `consumer.partitions_for_topic(topic)`; the "
                "answer is `sum(consumer.end_offsets(places).values())`.",
            ),
        ),
        Exercise(
            "02a.3",
            "One record, by its address",
            2,
            "Write `read_at(bootstrap_servers, topic, partition, offset)`: it returns the value of the record at that "
            "address, as text. There is one.",
            lambda answer: read_at(cluster, answer),
            (
                "You can tell a consumer where to begin, so it doesn't have to read what comes before.",
                "`consumer.assign([place])` gives a consumer a partition, `consumer.seek(place, offset)` puts it at an "
                "offset; a `place` is a `TopicPartition(topic, partition)`.",
                "`KafkaConsumer(bootstrap_servers=…, consumer_timeout_ms=5000)`, `assign`, `seek`, then "
                "`next(consumer)` is the record. Take its `.value.decode()`, close the consumer, return the text.",
            ),
        ),
        Exercise(
            "02a.4",
            "The newest of each partition",
            2,
            "Write `newest(bootstrap_servers, topic, n)`: it returns `{partition: [values]}` with the last `n` values "
            "of each partition, as text, the oldest of them first. If a partition has fewer, return all it has.",
            lambda answer: newest(cluster, answer),
            (
                "Each partition has an end of its own, so each has a last `n` of its own.",
                "`consumer.end_offsets(places)` is a dict by `TopicPartition`. Begin `n` before the end, but not "
                "before offset 0.",
                "Like `read_all` above, but for each place `consumer.seek(place, max(0, ends[place] - n))` instead of "
                "`seek_to_beginning()`; append `record.value.decode()` to the list of `record.partition`.",
            ),
        ),
        Exercise(
            "02a.5",
            "Since when?",
            2,
            "Write `since(bootstrap_servers, topic, timestamp_ms)`: it returns a dict that names, for each partition, "
            "the first offset whose time is `timestamp_ms` or later. If there is none, it names the log end offset.",
            lambda answer: since(cluster, answer),
            (
                "The cell above asks that very question, but it expects an answer for each partition.",
                "`consumer.offsets_for_times({place: timestamp_ms})` is a dict, too. Its values are None or have an "
                "`.offset`.",
                "Return `{place.partition: found[place].offset if found[place] else ends[place] for place in places}`, "
                "with `ends = consumer.end_offsets(places)`.",
            ),
        ),
        Exercise(
            "02a.6",
            "Read on where it stopped",
            3,
            "Write `go_on(bootstrap_servers, topic, shown)`: it returns a list of the values, as text, of all records "
            "that were not shown yet, each once. `shown` is a dict: partition → offset of the last record that was "
            "shown, or -1 if none was.",
            lambda answer: went_on(cluster, answer),
            (
                "Copy the broken code, and look at its one line with `seek`. It should differ from partition to "
                "partition.",
                "`shown[place.partition]` is the last offset that *was* shown. Which one comes next?",
                "`consumer.seek(place, shown[place.partition] + 1)`",
            ),
        ),
    )


def free(cluster: Cluster, answer: Any) -> str:
    """Judge 02a.1 with a topic of the check's own, and with names that are nearly the same."""
    function_needed(answer)
    with passing_topic(cluster, f"{PREFIX}check", partitions=1) as topic:
        asked = {topic: False, f"{topic}-2": True, topic[:-2]: True, topic.upper(): True}
        for name, wanted in random.sample(sorted(asked.items()), len(asked)):
            said = call(answer, cluster.bootstrap_servers, name, within=_WITHIN)
            if not isinstance(said, bool):
                raise Wrong(f"It returns True or False, and this is {kind_of(said)}.")
            if said == wanted:
                continue
            if not wanted:
                raise Wrong(f"There is a topic {name}, and your function says that the name is free.")
            raise Wrong(
                f"There is no topic {name!r}, and your function says that the name is taken. There is {topic!r}, but "
                "only the whole name counts, with its small and capital letters."
            )
    return "For a name that is taken, and for three that are nearly the same."


def counted(cluster: Cluster, answer: Any) -> str:
    """Judge 02a.2 on four partitions of different lengths, and again after more records were written."""
    function_needed(answer)
    # Sizes at which no wrong way of counting gives the right number by chance.
    sizes = {0: random.randint(20, 24), 1: random.randint(30, 32), 2: random.randint(2, 3), 3: 0}
    with logs(cluster, PREFIX, sizes) as made:
        for turn in ("In the topic that the check made", "After more was written to the check's topic"):
            count = whole_number(call(answer, cluster.bootstrap_servers, made.topic, within=_WITHIN), "A count")
            ends = [made.end(partition) for partition in sizes]
            if count != sum(ends):
                raise Wrong(f"{turn}, {why_miscounted(count, ends)}")
            if turn.startswith("In"):
                made.write({0: 3, 2: 2, 3: 1})
    return "The ends of four partitions together, also after more was written."


def why_miscounted(count: int, ends: list[int]) -> str:
    """Return what is wrong with a number of records that were written; ``ends``: the log end offsets."""
    said = f"it counted {count}, and {sum(ends)} were written."
    if count == max(ends):
        return f"{said} That is the end of the longest partition; each partition counts for itself."
    if count == sum(ends) - sum(map(bool, ends)):
        return f"{said} The log end offset is the one that the *next* record will get, so it's a count already."
    if count in (KEYS, len(ends)):
        return f"{said} That is how many {'keys' if count == KEYS else 'partitions'} there are."
    return f"{said} {'Are all partitions in it?' if count < sum(ends) else 'Is any partition counted twice?'}"


def read_at(cluster: Cluster, answer: Any) -> str:
    """Judge 02a.3 at several addresses in a topic with random values; one of its logs does not begin at 0."""
    function_needed(answer)
    sizes = {0: random.randint(5, 8), 1: random.randint(9, 12), 2: random.randint(5, 8)}
    with logs(cluster, PREFIX, sizes, {1: random.randint(2, 3)}) as made:
        # Offset 4 exists in all three. The others are the last offset of the longest partition, and a first one.
        last = made.end(1) - 1
        for partition, offset in ((0, 4), (1, 4), (2, 4), (1, last), (0, 0)):
            given = call(answer, cluster.bootstrap_servers, made.topic, partition, offset, within=_WITHIN)
            value = text(given, "The value of a record, as it is wanted here,")
            if value != made.held[partition][offset]:
                raise Wrong(_not_there(made, value, partition, offset))
    return "Offset 4 of three partitions, a last one and a first one: each the right record."


def _not_there(made: Logs, value: str, partition: int, offset: int) -> str:
    asked = f"Asked for partition {partition}, offset {offset}, it returned"
    place = made.place_of(value)
    if place is None:
        return f"{asked} a value that is nowhere in the topic."
    found = f"{asked} the record at partition {place[0]}, offset {place[1]}."
    if place[0] != partition:
        return f"{found} An offset means something only with its partition: every partition has an offset {offset}."
    begins = min(made.held[partition])
    if place[1] - offset == begins:
        return f"{found} That log begins at {begins}; an offset is no position in a list of what is still there."
    return f"{found} That is the right partition, and another record of it."


def newest(cluster: Cluster, answer: Any) -> str:
    """Judge 02a.4 on partitions with more than n, exactly n, fewer than n and no records."""
    function_needed(answer)
    n = random.randint(3, 5)
    with logs(cluster, PREFIX, {0: n + 4, 1: n, 2: n - 1, 3: 0}) as made:
        given = call(answer, cluster.bootstrap_servers, made.topic, n, within=_WITHIN)
        found = by_partition(given, made.held)
        for partition, log in made.held.items():
            values = listed(found.get(partition, []), f"What it has of partition {partition}", str)
            if values != [log[offset] for offset in sorted(log)][-n:]:
                raise Wrong(why_not_the_newest(partition, values, log, n))
    return f"The last {n} of each partition, in order, and the short and the empty one as well."


def by_partition(given: Any, partitions: Mapping[int, Any]) -> dict[int, Any]:
    """Return what a function returned if it is a dict whose keys are partitions' numbers."""
    if not isinstance(given, dict):
        raise Wrong(f"What your function returns is a dict, and this is {kind_of(given)}.")
    strange = [key for key in given if isinstance(key, bool) or key not in partitions]
    if strange:
        raise Wrong(f"Its keys are the partitions' numbers, and one of yours is {str(strange[0])[:60]!r}.")
    return given


def why_not_the_newest(partition: int, values: list[str], log: dict[int, str], n: int) -> str:
    """Return what is wrong with an answer's values as the last n values of a log (offset → value)."""
    held = [log[offset] for offset in sorted(log)]
    wanted = held[-n:]
    of = f"Of partition {partition}, which holds {len(held)} records,"
    if len(values) < len(wanted):
        return f"{of} it returned {len(values)}. It should return {len(wanted)}: the last {n} of each partition."
    if values == wanted[::-1]:
        return f"{of} it returned the right ones, the newest first. In the log the oldest comes first."
    if len(held) > n and values == held[-n - 1 :]:
        return f"{of} it returned the last {n + 1}, one too many. Where does the log end offset point to?"
    if values == held:
        return f"{of} it returned all. Only the last {n} were asked for."
    if values == held[:n]:
        return f"{of} it returned the first {n}: these are the oldest. A log grows at its other end."
    if sorted(values) == sorted(wanted):
        return f"{of} it returned the right ones, in another order than they have in the log."
    return f"{of} it returned {len(values)} records, and not the last {len(wanted)}."


def since(cluster: Cluster, answer: Any) -> str:
    """Judge 02a.5 on three partitions whose records have random times, one of them empty."""
    function_needed(answer)
    begin = int(time.time() * 1000) - 3_600_000 + random.randrange(1_000_000)  # younger than any retention
    times = {p: sorted(random.sample(range(begin, begin + 600_000, 1000), 6 + 2 * p)) for p in range(2)} | {2: []}
    with passing_topic(cluster, f"{PREFIX}check", partitions=3) as topic:
        _write_at(cluster, topic, times)
        # On a record's time, between two, before all, and after all.
        for moment in (times[0][2], times[1][3] + 1, begin - 1, begin + 700_000):
            found = by_partition(call(answer, cluster.bootstrap_servers, topic, moment, within=_WITHIN), times)
            for partition, held in times.items():
                wanted = sum(at < moment for at in held)
                said = whole_number(found.get(partition, "nothing"), f"The offset of partition {partition}")
                if said != wanted:
                    raise Wrong(why_not_since(said, wanted, partition, held, moment))
    return "For four moments, in three partitions, also where no such record is."


def _write_at(cluster: Cluster, topic: str, times: Mapping[int, list[int]]) -> None:
    from kafka import KafkaProducer

    producer = KafkaProducer(bootstrap_servers=cluster.bootstrap_servers, acks="all")
    try:
        sent = [
            producer.send(topic, value=uuid.uuid4().bytes, partition=partition, timestamp_ms=at)
            for partition, held in times.items()
            for at in held
        ]
        for receipt in sent:
            receipt.get(timeout=60)
    finally:
        producer.close(timeout=10)


def why_not_since(said: int, wanted: int, partition: int, times: list[int], moment: int) -> str:
    """Return what is wrong with an offset as the first from a moment on, in a log whose records have these times."""
    about = f"For partition {partition} and the time {moment} it says {said}, and {wanted} is right."
    if said in times or said == moment:
        return f"{about} That is a time. The answer should be an offset."
    if wanted == len(times):
        return f"{about} No record is that late, so it should be the log end offset."
    if said == wanted + 1:
        return f"{about} Offset {wanted} counts, too: its time is {times[wanted]}."
    return f"{about} The record at offset {wanted} has the time {times[wanted]}."


def went_on(cluster: Cluster, answer: Any) -> str:
    """Judge 02a.6 on five partitions, of which a random part was shown, all, or nothing."""
    function_needed(answer)
    sizes = {0: random.randint(9, 11), 1: random.randint(6, 8), 2: 5, 3: random.randint(2, 4), 4: 0}
    shown = {0: random.randint(4, 6), 1: random.randint(2, 3), 2: 4, 3: -1, 4: -1}
    with logs(cluster, PREFIX, sizes) as made:
        given = call(answer, cluster.bootstrap_servers, made.topic, shown, within=_WITHIN)
        values = Counter(listed(given, "What your function returns", str))
    before = {value for p, log in made.held.items() for offset, value in log.items() if offset <= shown[p]}
    wanted = {value for log in made.held.values() for value in log.values()} - before
    last = {made.held[p][offset] for p, offset in shown.items() if offset >= 0}
    missing, again = wanted - values.keys(), before & values.keys()
    if missing:
        raise Wrong(f"{_records(missing)} missing. Each partition should go on after its own last offset.")
    if again and again <= last:
        raise Wrong(
            f"{_records(again)} on the board twice: `shown` is the last offset that was shown, not the next one."
        )
    if again:
        raise Wrong(f"Nothing is missing, but {_records(again)} on the board already, and you returned them again.")
    if values.keys() - wanted:
        raise Wrong("It returned values that are not in the topic.")
    if values.total() > len(wanted):
        raise Wrong("It returned some records more than once.")
    return f"{len(wanted)} records from five partitions: none is lost, and none is shown twice."


def _records(some: set[str]) -> str:
    return "1 record is" if len(some) == 1 else f"{len(some)} records are"
