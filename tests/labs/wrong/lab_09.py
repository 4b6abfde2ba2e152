"""Lab 09: what people answer, and the word that the check has for it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import numpy as np
from kafka import KafkaAdminClient, KafkaConsumer, KafkaProducer, TopicPartition
from kafka.structs import OffsetAndMetadata

from kafkalab import Cluster, read_all
from kafkalab.course.lab_09.exercises import kept, put
from tests.support.answers import Answers


def opened(cluster: Cluster, topic: str, group: str | None, **settings: Any) -> KafkaConsumer:
    known = {"auto_offset_reset": "earliest", "enable_auto_commit": False, **settings}
    consumer = KafkaConsumer(bootstrap_servers=cluster.bootstrap_servers, group_id=group, **known)
    consumer.assign([TopicPartition(topic, 0)])
    return consumer


def batches(consumer: KafkaConsumer, most: int = 25) -> Iterator[list[Any]]:
    (place,) = consumer.assignment()
    while consumer.position(place) < consumer.end_offsets([place])[place]:
        if batch := consumer.poll(timeout_ms=500, max_records=most).get(place):
            yield batch


def at(record: Any, more: int = 1) -> dict[TopicPartition, OffsetAndMetadata]:
    return {TopicPartition(record.topic, record.partition): OffsetAndMetadata(record.offset + more, "", -1)}


def place_of_a_group(cluster: Cluster) -> Answers:
    def committed(topic: str, group: str) -> int:
        consumer = opened(cluster, topic, group)
        offset = consumer.committed(TopicPartition(topic, 0))
        consumer.close()
        return int(offset)

    return Answers(
        {
            "the last one that it has done": lambda topic, group: committed(topic, group) - 1,
            "the end of the log": lambda topic, group: len(read_all(cluster.bootstrap_servers, topic)),
            "another group's place": lambda topic, group: committed(topic, f"{topic}-b"),
            "not where it goes on": lambda topic, group: 0,
            "is a whole number": lambda topic, group: str(committed(topic, group)),
        },
        [committed, lambda topic, group: np.int64(kept(cluster, group, topic))],
    )


def copier(
    cluster: Cluster,
    commit: Callable[[Any, Any, bool], object],
    *,
    obey: bool = True,
    most: int = 25,
    again: bool = False,
) -> Callable[[str, str, str, int], None]:
    """A program that copies; ``commit`` is called with the consumer and the record after each copy that it survives."""

    def relay(source: str, target: str, group: str, left: int) -> None:
        producer = KafkaProducer(bootstrap_servers=cluster.bootstrap_servers)
        consumer = opened(cluster, source, group)
        if again:
            consumer.seek_to_beginning()
        for batch in batches(consumer, most):
            for record in batch:
                producer.send(target, record.value).get(timeout=60)
                left -= 1
                if left <= 0 and obey:
                    break
                commit(consumer, record, record is batch[-1])
            if left <= 0 and obey:
                break
        consumer.close(autocommit=False)
        producer.close()

    return relay


def one_at_most(cluster: Cluster) -> Answers:
    def by_admin(consumer: KafkaConsumer, record: Any, last: bool) -> None:
        put(cluster, consumer.config["group_id"], record.topic, record.offset + 1)

    def survived(source: str, target: str, group: str, left: int) -> None:
        copier(cluster, lambda consumer, record, last: consumer.commit(at(record)))(source, target, group, left)
        put(cluster, group, source, kept(cluster, group, source) + 1)

    return Answers(
        {
            "the whole batch counts as done": copier(cluster, lambda consumer, record, last: consumer.commit()),
            "the last record done": copier(cluster, lambda consumer, record, last: consumer.commit(at(record, 0))),
            "none after each copy": copier(
                cluster, lambda consumer, record, last: last and record.offset > 20 and consumer.commit()
            ),
            "the last copy counts as done": survived,
            "It should die after": copier(
                cluster, lambda consumer, record, last: consumer.commit(at(record)), obey=False
            ),
            "Started again, it made": copier(
                cluster, lambda consumer, record, last: consumer.commit(at(record)), again=True
            ),
        },
        [
            copier(cluster, by_admin),
            copier(cluster, lambda consumer, record, last: consumer.commit(), most=1),
        ],
    )


def a_rewind(cluster: Cluster) -> Answers:
    def sought(topic: str, group: str, n: int) -> None:
        consumer = opened(cluster, topic, group)
        consumer.seek(TopicPartition(topic, 0), max(0, kept(cluster, group, topic) - n))
        consumer.close()

    def everybody(topic: str, group: str, n: int) -> None:
        admin = KafkaAdminClient(bootstrap_servers=cluster.bootstrap_servers)
        for known in admin.list_groups():
            if known["group_id"].startswith(topic):
                put(cluster, known["group_id"], topic, max(0, kept(cluster, group, topic) - n))
        admin.close()

    def by_tool(topic: str, group: str, n: int) -> None:
        cluster.tool(
            *("kafka-consumer-groups", "--reset-offsets", "--shift-by", str(-n), "--execute"),
            *("--group", group, "--topic", topic),
        )

    def to(where: Callable[[int, int], int]) -> Callable[[str, str, int], None]:
        return lambda topic, group, n: put(cluster, group, topic, where(kept(cluster, group, topic), n))

    return Answers(
        {
            "it is still there": sought,
            "another group has left": everybody,
            "counted from the end of the log": to(lambda place, n: 40 - n),
            "The log begins at 0": to(lambda place, n: abs(place - n)),
            "its committed offset is": to(lambda place, n: max(0, place - n - 1)),
        },
        [to(lambda place, n: max(0, place - n)), by_tool],
    )


def what_counts(cluster: Cluster) -> Answers:
    def values(topic: str, level: str = "read_committed") -> list[str]:
        consumer = opened(cluster, topic, None, isolation_level=level)
        found = [record.value.decode() for batch in batches(consumer) for record in batch]
        consumer.close()
        return found

    return Answers(
        {
            "its transaction is aborted": lambda topic: values(topic, "read_uncommitted"),
            "its transaction is open": lambda topic: [v for v in values(topic, "read_uncommitted") if v[0] != "A"],
            "is missing": lambda topic: [value for value in values(topic) if value[0] != "S"],
            "in the order of the log": lambda topic: values(topic)[::-1],
            "is a list of text": lambda topic: [value.encode() for value in values(topic)],
        },
        [values, lambda topic: np.array(values(topic)), lambda topic: (value for value in values(topic))],
    )


def a_bill(cluster: Cluster) -> Answers:
    def book(
        table: str = "id TEXT PRIMARY KEY, euros INTEGER",
        insert: str = "INSERT OR IGNORE INTO bill VALUES (?, 5)",
        early: bool = False,
        obey: bool = True,
        seen: set[str] | None = None,
    ) -> Callable[[str, str, str, int], None]:
        def bill(topic: str, group: str, database: str, left: int) -> None:
            consumer = opened(cluster, topic, group)
            with closing(sqlite3.connect(database, isolation_level=None)) as db:
                db.execute(f"CREATE TABLE IF NOT EXISTS bill ({table})")
                for batch in batches(consumer):
                    if early:
                        consumer.commit()
                    for id in [record.value.decode() for record in (batch[:left] if obey else batch)]:
                        if seen is None or id not in seen:
                            db.execute(insert, [id])
                        if seen is not None:
                            seen.add(id)
                    left -= len(batch)
                    if left <= 0 and obey:
                        break
                    consumer.commit()
            consumer.close(autocommit=False)

        return bill

    def offset_beside_it(topic: str, group: str, database: str, left: int) -> None:
        place = TopicPartition(topic, 0)
        consumer = opened(cluster, topic, None)
        with closing(sqlite3.connect(database, isolation_level=None)) as db:
            db.execute("CREATE TABLE IF NOT EXISTS bill (id TEXT, euros INTEGER)")
            db.execute("CREATE TABLE IF NOT EXISTS place (offset INTEGER)")
            consumer.seek(place, db.execute("SELECT coalesce(max(offset), 0) FROM place").fetchone()[0])
            for batch in batches(consumer):
                db.execute("BEGIN")
                for record in batch[:left]:
                    db.execute("INSERT INTO bill VALUES (?, 5)", [record.value.decode()])
                left -= len(batch)
                if left <= 0:
                    db.execute("ROLLBACK")
                    break
                db.execute("INSERT INTO place VALUES (?)", [consumer.position(place)])
                db.execute("COMMIT")
        consumer.close()

    return Answers(
        {
            "in the bill more than once": book("id TEXT, euros INTEGER", "INSERT INTO bill VALUES (?, 5)"),
            "are not in the bill": book(early=True),
            "It should die after": book(obey=False),
            "and 5 euros": book(insert="INSERT INTO bill VALUES (?, 5) ON CONFLICT DO UPDATE SET euros = euros + 5"),
            "`euros` of the table": book("id TEXT PRIMARY KEY, price INTEGER"),
            "A real crash forgets": book("id TEXT, euros INTEGER", "INSERT INTO bill VALUES (?, 5)", seen=set()),
            "IntegrityError": book(insert="INSERT INTO bill VALUES (?, 5)"),
        },
        [book(insert="INSERT OR REPLACE INTO bill VALUES (?, 5)"), offset_beside_it],
    )


def fates(read: Callable[[int, int, int], tuple[Any, Any]]) -> Callable[[str, int, int], Any]:
    """An answer that gives, with the begin and end of the batch and what is done, those never and those done twice."""

    def fate(when: str, batch: int, done: int) -> Any:
        begin = (done - 1) // batch * batch
        never, twice = read(begin, begin + batch, done)
        return (never, []) if when == "before" else ([], twice)

    return fate


def both(when: str, batch: int, done: int) -> Any:
    begin = (done - 1) // batch * batch
    return [*range(done + 1, begin + batch + 1)], [*range(begin + 1, done + 1)]


ALONE = {
    "09.2": Answers(
        {
            "none is": both,
            "the batches before are done": fates(
                lambda begin, end, done: ([*range(done + 1, end + 1)], [*range(1, done + 1)])
            ),
            "where is the bookmark": fates(
                lambda begin, end, done: ([*range(done, end + 1)], [*range(begin + 1, done + 1)])
            ),
            "two lists are asked for": lambda when, batch, done: [*range(done + 1, done + 4)],
            "is a list": lambda when, batch, done: (done, batch),
        },
        [
            fates(lambda begin, end, done: (range(done + 1, end + 1), {*range(begin + 1, done + 1)})),
            fates(lambda begin, end, done: (np.arange(done + 1, end + 1), np.arange(done, begin, -1))),
        ],
    )
}
ON_CLUSTER = {
    "09.1": place_of_a_group,
    "09.3": one_at_most,
    "09.4": a_rewind,
    "09.5": what_counts,
    "09.6": a_bill,
}
