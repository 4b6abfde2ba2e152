"""The exercises of lab 02, topics, partitions, offsets: one record, the newest, how many, and for how long."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from kafkalab.checks.exercise import Exercise
from kafkalab.checks.judging import Wrong, text
from kafkalab.checks.lab_02_reading import counted, newest, read_at
from kafkalab.checks.lab_02_topics import settings_of

if TYPE_CHECKING:
    from kafkalab.cluster.cluster import Cluster

_HOUR: Final = 3_600_000
_LEAST, _MOST = _HOUR, 2 * _HOUR


def exercises(cluster: Cluster) -> tuple[Exercise, Exercise, Exercise, Exercise]:
    """The four exercises, judged on this cluster."""
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
    """Judge 02.4 by the settings that the cluster has for the topic."""
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
    """A time for a sentence: hours, or days where those are many."""
    count, unit = (milliseconds / _HOUR, "hour") if milliseconds < 48 * _HOUR else (milliseconds / _HOUR / 24, "day")
    return f"{count:.3g} {unit}{'' if count == 1 else 's'}"
