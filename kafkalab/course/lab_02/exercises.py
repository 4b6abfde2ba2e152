"""The exercises of lab 02, topics, partitions, offsets: read one record, the newest ones, count them, set retention."""

from __future__ import annotations

import random
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from kafkalab.cluster.topics import asking
from kafkalab.errors import KafkalabError
from kafkalab.exercises.exercise import Exercise
from kafkalab.exercises.judging import Wrong, call, function_needed, kind_of, listed, text, whole_number
from kafkalab.exercises.topics import passing_topic, publish

if TYPE_CHECKING:
    from kafka import KafkaAdminClient

    from kafkalab.handles.cluster import Cluster

# --- Topics for the judges of lab 02, with logs that no longer begin at 0; and the settings of a topic.


#: Maximum number of different keys in a topic made here.
KEYS: Final = 5


class Logs:
    """A topic made for one question.

    ``held``: the records that can be read, partition → offset → value. ``gone``: partition → number of records cut off
    the beginning of its log.
    """

    def __init__(self, cluster: Cluster, topic: str, sizes: Mapping[int, int], gone: Mapping[int, int]) -> None:
        self.cluster = cluster
        self.topic = topic
        self.gone = dict(gone)
        self.held: dict[int, dict[int, str]] = {partition: {} for partition in sizes}
        self._next = dict.fromkeys(sizes, 0)
        self.write(sizes)
        self._cut()

    def write(self, sizes: Mapping[int, int]) -> None:
        """Append records to the partitions in random turns; ``sizes``: partition → number of records."""
        turns = [partition for partition, size in sizes.items() for _ in range(size)]
        random.shuffle(turns)
        records: list[tuple[bytes | None, bytes | None, int | None]] = []
        for partition in turns:
            value = f"scan {uuid.uuid4().hex[:8]}"
            key = b"scanner-%d" % (self._next[partition] % KEYS)
            self.held[partition][self._next[partition]] = value
            self._next[partition] += 1
            records.append((key, value.encode(), partition))
        publish(self.cluster.bootstrap_servers, self.topic, records)

    def _cut(self) -> None:
        """Delete the first records of the logs now, as retention would later."""
        from kafka import TopicPartition

        cuts = {TopicPartition(self.topic, partition): first for partition, first in self.gone.items() if first}
        asking(self.cluster.bootstrap_servers, lambda admin: admin.delete_records(cuts))
        for partition, first in self.gone.items():
            for offset in range(first):
                del self.held[partition][offset]

    def end(self, partition: int) -> int:
        """Return the log end offset of a partition."""
        return self._next[partition]

    def place_of(self, value: str) -> tuple[int, int] | None:
        """Return the partition and offset of a value; None if it cannot be read in the topic."""
        found = ((p, o) for p, log in self.held.items() for o, held in log.items() if held == value)
        return next(found, None)


@contextmanager
def logs(cluster: Cluster, sizes: Mapping[int, int], gone: Mapping[int, int]) -> Iterator[Logs]:
    """Create a temporary topic, give its :class:`Logs` to the block, and delete it at the end.

    :param sizes: partition → number of records written to it.
    :param gone: partition → number of these that are cut off again.
    """
    with passing_topic(cluster, "lab02-check", partitions=len(sizes)) as topic:
        yield Logs(cluster, topic, sizes, gone)


def groups_at(cluster: Cluster, topic: str) -> set[str]:
    """Return the groups that have committed offsets for a topic, or a member that reads it."""
    found = set()
    for group in cluster.snapshot().groups:
        held = {name for member in group.members for name, _ in member.partitions}
        if topic in held or any(offset.topic == topic for offset in group.offsets):
            found.add(group.group_id)
    return found


def settings_of(cluster: Cluster, topic: str) -> dict[str, str]:
    """Return every setting of a topic as the brokers have it, with their defaults.

    :raises KafkalabError: the cluster cannot be asked.
    """
    from kafka.admin import ConfigResource

    def ask(admin: KafkaAdminClient) -> dict[str, str]:
        found = admin.describe_configs([ConfigResource("TOPIC", topic)], config_filter="all")
        settings = next((named[topic] for named in found.values() if topic in named), None)
        if not settings:
            raise KafkalabError(f"The cluster does not say what {topic!r} is set to.", do="Run the cell again.")
        return {key: str(entry["value"]) for key, entry in settings.items()}

    return asking(cluster.bootstrap_servers, ask)


# --- Judges of lab 02: a record by its place, the newest records of each partition, and the number of records.


#: Time limit in seconds for one call of an answer; see :func:`kafkalab.exercises.judging.call`.
_WITHIN = 30.0


def read_at(cluster: Cluster, answer: Any) -> str:
    """Judge 02.1 at several places of a topic with random values; one of its logs does not begin at 0."""
    function_needed(answer)
    sizes = {0: random.randint(5, 8), 1: random.randint(9, 12), 2: random.randint(5, 8)}
    gone = {0: 0, 1: random.randint(2, 3), 2: 0}
    with logs(cluster, sizes, gone) as made:
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
    """Judge 02.2 on partitions with more than n, exactly n, fewer than n and no records."""
    function_needed(answer)
    n = random.randint(3, 5)
    # So much of partition 1 is cut off that n steps back from its end would go past its beginning.
    sizes, gone = {0: n + 4, 1: n + 2, 2: n, 3: 0}, {0: 2, 1: 4, 2: 0, 3: 0}
    with logs(cluster, sizes, gone) as made:
        given = call(answer, cluster.bootstrap_servers, made.topic, n, within=_WITHIN)
        if not isinstance(given, dict):
            raise Wrong(f"What newest returns is a dictionary of lists, and this is {kind_of(given)}.")
        strange = [key for key in given if isinstance(key, bool) or key not in made.held]
        if strange:
            raise Wrong(f"Its keys are to be the partitions' numbers, and one is {str(strange[0])[:60]!r}.")
        for partition, log in made.held.items():
            values = listed(given.get(partition, []), f"What it has of partition {partition}", str)
            if values != [log[offset] for offset in sorted(log)][-n:]:
                raise Wrong(why_not_the_newest(partition, values, log, n))
        left = groups_at(cluster, made.topic)
        if left:
            raise Wrong(f"The values are right, but the group {min(left)!r} was left behind. Looking needs no group.")
    return f"The last {n} of each partition, in order, and the short and the empty one as well."


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


def counted(cluster: Cluster, answer: Any) -> str:
    """Judge 02.3 on logs, two of which have lost their beginning, and again after more records were written."""
    function_needed(answer)
    # Sizes at which no wrong way of counting gives the right number by chance.
    sizes = {0: random.randint(20, 24), 1: random.randint(30, 32), 2: random.randint(2, 3), 3: 0}
    gone = {0: random.randint(9, 11), 1: sizes[1], 2: 0, 3: 0}
    with logs(cluster, sizes, gone) as made:
        for turn in ("In the topic that the check made", "After more was written to the check's topic"):
            given = call(answer, cluster.bootstrap_servers, made.topic, within=_WITHIN)
            count = whole_number(given, "A count")
            spans = {
                partition: (made.end(partition) - len(log), made.end(partition)) for partition, log in made.held.items()
            }
            if count != sum(end - start for start, end in spans.values()):
                raise Wrong(f"{turn}, {why_miscounted(count, spans, KEYS)}")
            if turn.startswith("In"):
                made.write({0: 3, 2: 2, 3: 1})
    return "Also where the beginning of a log is gone, and after more was written."


def why_miscounted(count: int, spans: Mapping[int, tuple[int, int]], keys: int) -> str:
    """Return what is wrong with a count of records.

    :param spans: partition → (log start, log end).
    :param keys: number of different keys in the topic.
    """
    there = sum(end - start for start, end in spans.values())
    gone, ends = sum(start for start, _ in spans.values()), [end for _, end in spans.values()]
    said = f"it counted {count}, and {there} can be read."
    if count == sum(ends):
        return f"{said} That is how many were ever written, and {gone} of them are gone: a log need not begin at 0."
    if count in (max(ends), max(ends) - 1):
        return f"{said} That is how far the longest partition has come; every partition counts for itself."
    if count == keys:
        return f"{said} That is how many different keys there are; records of the same key are records all the same."
    if count == gone:
        return f"{said} That is how many are gone from the beginnings."
    if count == there - sum(start < end for start, end in spans.values()):
        return f"{said} The log end offset is the one that the next record will get, not that of the last one."
    return f"{said} {'Are all partitions in it?' if count < there else 'Is any of them counted twice?'}"


_HOUR: Final = 3_600_000
_LEAST, _MOST = _HOUR, 2 * _HOUR


def exercises(cluster: Cluster) -> tuple[Exercise, Exercise, Exercise, Exercise]:
    """Return the four exercises, judged on this cluster."""
    return (
        Exercise(
            "02.1",
            "One record, by its place",
            2,
            "Write `read_at(bootstrap_servers, topic, partition, offset)`: it returns the value, as text, of the "
            "record at that offset of that partition, and of no other. The record is there.",
            lambda answer: read_at(cluster, answer),
            (
                "A consumer can be told where to begin. It need not read what comes before.",
                "`consumer.assign([place])` gives a consumer a partition, `consumer.seek(place, offset)` puts it at an "
                "offset; a `place` is a `TopicPartition(topic, partition)`.",
                "`KafkaConsumer(bootstrap_servers=…, consumer_timeout_ms=5000)`, `assign`, `seek`, then "
                "`next(consumer)` is the record. Take its `.value.decode()`, close the consumer, return the text.",
            ),
        ),
        Exercise(
            "02.2",
            "The newest of each partition",
            3,
            "Write `newest(bootstrap_servers, topic, n)`: it returns `{partition: [values]}` with the last `n` values "
            "of each partition, as text, the oldest of them first. Where a partition holds fewer, all it holds. Leave "
            "no consumer group behind.",
            lambda answer: newest(cluster, answer),
            (
                "Each partition has an end of its own, so each has a last `n` of its own.",
                "`consumer.end_offsets(places)` and `consumer.beginning_offsets(places)` are dictionaries by "
                "`TopicPartition`. Begin `n` before the end, but not before the beginning.",
                "`assign` all partitions; for each, `seek(place, max(begin[place], end[place] - n))`; with "
                "`consumer_timeout_ms` go through the consumer and append `record.value.decode()` to the list of "
                "`record.partition`. Give the consumer no `group_id`.",
            ),
        ),
        Exercise(
            "02.3",
            "How many are there?",
            2,
            "Write `how_many(bootstrap_servers, topic)`: how many records can be read from the topic at this moment. "
            "Nothing of it is compacted, and no transaction ever wrote to it.",
            lambda answer: counted(cluster, answer),
            (
                "Nobody needs to read a record to count it: offsets leave no gaps here.",
                "The end of a log tells how many were ever written to it. Some are gone: from the front.",
                "The sum, over the partitions, of `end_offsets` minus `beginning_offsets`.",
            ),
        ),
        Exercise(
            "02.4",
            "An hour at least, two at most",
            3,
            "Make a topic whose name begins with `lab02-`. Each record has to be there for an hour at least, and is to "
            "be gone two hours after it was written (give or take the time until the broker looks), even though "
            "records keep coming, one a second. Answer with the topic's name.",
            lambda answer: for_a_while(cluster, answer),
            (
                "Retention removes files, not records. How old may the oldest record of a file be when the newest one "
                "has just become too old?",
                "`retention.ms` is how old a file's newest record must be for the file to go; `segment.ms` is for how "
                "long a file takes new records. The two times add up.",
                '`cluster.create_topic(name, partitions=…, settings={"retention.ms": …, "segment.ms": …})`, both in '
                "milliseconds: the first an hour or more, both together two hours at most.",
            ),
        ),
    )


def for_a_while(cluster: Cluster, answer: Any) -> str:
    """Judge 02.4 by the topic's settings in the cluster."""
    name = text(answer, "A topic's name")
    if cluster.snapshot().topic(name) is None:
        raise Wrong(f"There is no topic {name!r}.")
    if not name.startswith("lab02-"):
        raise Wrong(f"{name} does not begin with lab02-: the clean-up of this lab would not find it.")
    settings = settings_of(cluster, name)
    if settings["cleanup.policy"] != "delete":
        raise Wrong(f"cleanup.policy is {settings['cleanup.policy']}: compaction keeps the newest record of every key.")
    if settings["retention.bytes"] != "-1":
        raise Wrong("retention.bytes is set: when much is written, records go before their hour is over.")
    retention, segment = int(settings["retention.ms"]), int(settings["segment.ms"])
    if retention < 0:
        raise Wrong("retention.ms is -1: nothing in it is ever too old.")
    if retention < _LEAST:
        seconds = f"{retention / 1000:g} seconds" if retention < 60_000 else f"{retention / 60_000:g} minutes"
        raise Wrong(f"retention.ms is {retention}: records may go after {seconds}. It counts milliseconds.")
    if retention > _MOST:
        raise Wrong(f"retention.ms is {retention}: records stay for {hours(retention)} at the very least.")
    if retention + segment > _MOST:
        raise Wrong(
            f"A file takes new records for {hours(segment)} (segment.ms) and goes when its newest one is older than "
            f"{hours(retention)}. Its first record is {hours(retention + segment)} old by then."
        )
    return f"Each record stays for {hours(retention)} at least and {hours(retention + segment)} at most."


def hours(milliseconds: int) -> str:
    """Return a time as text for a sentence: in hours, or in days from 48 hours on."""
    count, unit = (milliseconds / _HOUR, "hour") if milliseconds < 48 * _HOUR else (milliseconds / _HOUR / 24, "day")
    return f"{count:.3g} {unit}{'' if count == 1 else 's'}"
