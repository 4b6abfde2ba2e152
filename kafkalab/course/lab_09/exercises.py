"""The exercises of lab 09: bookmarks, what a crash leaves, a careful loop, a rewind, settled records, a bill."""

from __future__ import annotations

import random
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from kafka import KafkaConsumer, KafkaProducer, TopicPartition
from kafka.structs import OffsetAndMetadata

from kafkalab.exercises.exercise import Exercise
from kafkalab.exercises.judging import Wrong, call, function_needed, listed, whole_number
from kafkalab.exercises.topics import passing_topic, publish, read_all


@contextmanager
def _arrivals(cluster: Any, count: int) -> Iterator[tuple[str, list[str]]]:
    """Give the block the name of a new topic with one partition, and the ids that are the values of its records."""
    first = random.randrange(100, 800)
    ids = [f"S{first + number}" for number in range(count)]
    with passing_topic(cluster, "lab09-check", 1) as topic:
        publish(cluster.bootstrap_servers, topic, [(None, id.encode(), 0) for id in ids])
        yield topic, ids


def _values(cluster: Any, topic: str) -> list[str]:
    return [record.value.decode() for record in read_all(cluster.bootstrap_servers, topic)]


def _of(cluster: Any, group: str) -> closing[KafkaConsumer]:
    """Return a consumer of a group, closed after ``with``. Unlike the admin client, it waits for a coordinator."""
    return closing(KafkaConsumer(bootstrap_servers=cluster.bootstrap_servers, group_id=group, enable_auto_commit=False))


def put(cluster: Any, group: str, topic: str, offset: int) -> None:
    """Commit an offset for a group."""
    with _of(cluster, group) as consumer:
        consumer.assign([place := TopicPartition(topic, 0)])
        consumer.commit({place: OffsetAndMetadata(offset, "", -1)})


def kept(cluster: Any, group: str, topic: str) -> int:
    """Return the committed offset of a group; -1 when there is none."""
    with _of(cluster, group) as consumer:
        return -1 if (at := consumer.committed(TopicPartition(topic, 0))) is None else int(at)


def bookmark(cluster: Any, answer: Any) -> str:
    """Judge 09.1 with two groups at different places of one topic."""
    function_needed(answer)
    with _arrivals(cluster, 30) as (topic, _):
        places = dict(zip((f"{topic}-a", f"{topic}-b"), random.sample(range(5, 25, 3), 2), strict=True))
        for group, offset in places.items():
            put(cluster, group, topic, offset)
        for group, offset in places.items():
            got = whole_number(call(answer, topic, group), "An offset")
            if got != offset:
                why = {offset - 1: "the last one that it has done, so not the next", 30: "the end of the log"}
                what = why.get(got, "another group's place" if got in places.values() else "not where it goes on")
                raise Wrong(f"Of 30 records, a group has done those up to offset {offset - 1}: {got} is {what}.")
    return "Right for two groups that have come to different places in one topic."


def fate(answer: Any) -> str:
    """Judge 09.2 for both ways to commit, and for crashes in and at the end of a batch."""
    function_needed(answer)
    for batch, whole, more in [*((random.randint(4, 9), n, random.randint(1, 3)) for n in (3, 0, 1)), (6, 2, 6)]:
        begin, done = batch * whole, batch * whole + more
        lost, again = [*range(done + 1, begin + batch + 1)], [*range(begin + 1, done + 1)]
        for when, true in (("before", [lost, []]), ("after", [[], again])):
            facts = f"Batches of {batch}, the commit comes {when} the work, and it dies after record {done}:"
            got = listed(call(answer, when, batch, done), "What your function returns")
            if len(got) != 2:
                raise Wrong(f"{facts} two lists are asked for, and you return {len(got)} things.")
            for one, right, what in zip(got, true, ("never done", "done twice"), strict=True):
                said = sorted(listed(one, "Each of the two", int))
                if said != right:
                    early = said and said[0] <= begin
                    why = "the batches before are done and committed" if early else "where is the bookmark then?"
                    raise Wrong(f"{facts} you say that {said} are {what}: {why if right else 'none is'}")
    return "Right for both ways, also for a crash right at the end of a batch."


def relay(cluster: Any, answer: Any) -> str:
    """Judge 09.3 by the copies and the committed offset after a crash, and by the copies after a restart."""
    function_needed(answer)
    with _arrivals(cluster, 40) as (source, ids), _arrivals(cluster, 0) as (target, _):
        group, dies = f"{source}-g", random.randint(28, 36)
        call(answer, source, target, group, dies, returns=False)
        if (copies := _values(cluster, target)) != ids[:dies]:
            raise Wrong(f"It should die after copying {dies} records as they are; the target has {len(copies)}.")
        facts, offset = f"It died after copy {dies} and before its commit:", kept(cluster, group, source)
        if offset == dies - 2:
            raise Wrong(f"{facts} {offset} is committed. That is the last record done, and not the next one to read.")
        if offset == dies:
            raise Wrong(f"{facts} {offset} is committed, so the last copy counts as done. It should die before that.")
        if offset != dies - 1:
            done = "the whole batch counts as done" if offset >= dies else "there was none after each copy"
            raise Wrong(f"{facts} the committed offset is {offset} (-1: none), so {done}.")
        call(answer, source, target, group, 1000, returns=False)
        counts = Counter(_values(cluster, target))
        if len(counts) < 40 or max(counts.values()) > 2 or sum(counts.values()) > 41:
            raise Wrong(f"Started again, it made {sum(counts.values())} copies in all, of {len(counts)} of 40 records.")
    return f"Dead after {dies} copies and started again: nothing is missing, and only the last one came twice."


def rewound(cluster: Any, answer: Any) -> str:
    """Judge 09.4 by both groups' offsets, once beyond the beginning; no two wrong ways lead to the same offset."""
    function_needed(answer)
    with _arrivals(cluster, 40) as (topic, _):
        group, other, far, near = f"{topic}-a", f"{topic}-b", random.randint(30, 35), random.randint(11, 14)
        put(cluster, other, topic, 40)
        for place, back in ((far, near), (near, far)):
            put(cluster, group, topic, place)
            call(answer, topic, group, back, returns=False)
            now, facts = kept(cluster, group, topic), f"The group was at {place}, and should go back by {back}:"
            if kept(cluster, other, topic) != 40:
                raise Wrong(f"{facts} another group has left its place.")
            if now == place:
                raise Wrong(f"{facts} it is still there. `seek` moves one consumer. What moves the group?")
            if now != max(0, place - back):
                why = " That is counted from the end of the log." if now == 40 - back else " The log begins at 0."
                raise Wrong(f"{facts} its committed offset is {now}.{why}")
    return "The group went back, the other one stayed, and at the beginning of the log it stops."


def settled(cluster: Any, answer: Any) -> str:
    """Judge 09.5 on a topic with plain, aborted and committed records, and a transaction that is still open."""
    function_needed(answer)
    with _arrivals(cluster, 3) as (topic, ids):
        settings = {"bootstrap_servers": cluster.bootstrap_servers, "transactional_id": topic}
        producer, another = KafkaProducer(**settings), KafkaProducer(**settings)
        producer.init_transactions()
        try:
            fates = {"aborted": f"A{random.randrange(99)}", "committed": f"C{random.randrange(99)}", "open": "O1"}
            for ending, value in fates.items():
                producer.begin_transaction()
                producer.send(topic, value.encode(), partition=0).get(timeout=60)
                if ending != "open":
                    (producer.abort_transaction if ending == "aborted" else producer.commit_transaction)()
            got = listed(call(answer, topic), "What your function returns", str)
        finally:
            another.init_transactions()  # ends the open one
            another.close(timeout=10)
            producer.close(timeout=0)
        for ending in ("aborted", "open"):
            if fates[ending] in got:
                raise Wrong(f"{fates[ending]} lies in the log, and its transaction is {ending}.")
        if got != (right := [*ids, fates["committed"]]):
            missing = [value for value in right if value not in got]
            why = f"{missing[0]} is missing" if missing else "return each once, in the order of the log"
            raise Wrong(f"Of the records that count, there are {len(right)}: {why}.")
    return "Those of the committed transaction, and those without one; not the aborted, and not the open."


def billed(cluster: Any, answer: Any) -> str:
    """Judge 09.6 by the rows of a database after crashes, and after a commit that got lost."""
    function_needed(answer)
    with _arrivals(cluster, 90) as (topic, ids), tempfile.TemporaryDirectory() as folder:
        group, database = f"{topic}-g", Path(folder) / "bill.db"
        crashes = random.randint(28, 45), random.choice([3, 25, 31])
        for dies in crashes:
            before = len(_rows(database))
            call(answer, topic, group, str(database), dies, returns=False)
            if (written := len(_rows(database)) - before) > dies:
                raise Wrong(f"It should die after {dies} arrivals, and in that time it wrote {written} rows.")
        put(cluster, group, topic, max(0, kept(cluster, group, topic) - random.randint(2, 20)))
        call(answer, topic, group, str(database), 1000, returns=False)
        rows, empty = _rows(database), Path(folder) / "empty.db"
        facts = "Dead after {} and then after {} arrivals, one commit lost, and then run to the end:".format(*crashes)
        if missing := sorted({*ids} - {id for id, _ in rows}):
            raise Wrong(f"{facts} {len(missing)} of 90 arrivals are not in the bill, for example {missing[0]}.")
        if twice := [id for id, count in Counter(id for id, _ in rows).items() if count > 1]:
            raise Wrong(f"{facts} {len(twice)} arrivals are in the bill more than once, for example {twice[0]}.")
        if strange := [row for row in rows if row[0] not in ids or row[1] != 5]:
            raise Wrong(f"{facts} {strange[0]!r} is in the bill. A row is the id of an arrival, and 5 euros.")
        call(answer, topic, f"{topic}-h", str(empty), 1000, returns=False)
        if missing := sorted({*ids} - {id for id, _ in _rows(empty)}):
            facts = f"For another group and an empty database, {len(missing)} of 90 arrivals are missing."
            raise Wrong(f"{facts} A real crash forgets what a program remembers: only the database may know it.")
    return f"{facts} each of 90 arrivals is in the bill exactly once."


def _rows(database: Path) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(database)) as db:
        try:
            return db.execute("SELECT id, euros FROM bill").fetchall()
        except sqlite3.Error as error:
            if "no such table" in str(error):
                return []
            raise Wrong(f"The check reads `id` and `euros` of the table `bill`: {error}.") from None


def exercises(cluster: Any) -> tuple[Exercise, ...]:
    """Return the exercises, judged on this cluster."""
    return (
        Exercise("09.1", "Where does it go on?", 1,
            "Write `bookmark(topic, group)`: it returns the offset in partition 0 of the topic at which the group goes "
            "on, as Kafka has it.",
            partial(bookmark, cluster), (
                "The number that Kafka keeps is already the next one.",
                "The admin client has just told you the place of `lab09-notify`.",
                "`admin.list_group_offsets([group])[group]` is a dict: `TopicPartition(topic, 0)` is the key.")),
        Exercise("09.2", "Never or twice?", 2,
            "Records 1, 2, 3 … come in batches of `batch`. A program commits `when` (`\"before\"` or `\"after\"` the "
            "work of a batch) and dies right after the work on record `done`. Then it's restarted. Write "
            "`fate(when, batch, done)`. It returns two lists of numbers: those never done, and those done twice.",
            fate, (
                "Which batch is `done` in? For batches of 25, record 60 is in the one that begins after record 50.",
                "`(done - 1) // batch * batch` records are in the batches before it. They are done and committed.",
                "`before`: from `done + 1` to the batch's end never; `after`: from its begin to `done` twice.")),
        Exercise("09.3", "One at most", 2,
            "Write `relay(source, target, group, crash_after)`: it copies the records of one topic to another, and "
            "commits after *each* copy, so that at most one record comes twice. After `crash_after` copies it dies: "
            "it returns without the commit for the last one.",
            partial(relay, cluster), (
                "`commit()` alone would commit the whole batch. You have seen how to commit another place.",
                "Loop over `batch[:crash_after]`, `send_texts(target, [record])`, count, and commit if it still lives.",
                "`crash_after -= 1`, then `if crash_after > 0: consumer.commit(after(record))`.")),
        Exercise("09.4", "Back, but not too far", 2,
            "Write `rewind(topic, group, n)`: it moves the group back by `n` records in partition 0, or to offset 0 if "
            "it hasn't come that far. Other groups stay.",
            partial(rewound, cluster), (
                "A group goes on at its committed offset. So commit another one.",
                "`opened(topic, group)` is a consumer that may commit for the group; `committed` says where it is.",
                "`{place: OffsetAndMetadata(max(0, consumer.committed(place) - n), \"\", -1)}` is what to commit.")),
        Exercise("09.5", "Only what counts", 2,
            "Write `settled(topic)`: it returns a list of the values in partition 0, as text, in order, without those "
            "of transactions that were aborted or are still open.",
            partial(settled, cluster), (
                "Both kinds are in the log. The reader decides whether it sees them.",
                "A consumer with the right `isolation_level` leaves them out by itself. `texts_read` has one.",
                "`[record.value.decode() for record in texts_read(topic, \"read_committed\")]`.")),
        Exercise("09.6", "Repair the bill", 3,
            "Write `bill(topic, group, database, crash_after)`: like `pavels_bill`, but with each arrival exactly once "
            "in the table `bill` (columns `id` and `euros`, always 5), however often it dies and starts again. After "
            "the work on `crash_after` arrivals it dies.",
            partial(billed, cluster), (
                "Kafka will hand you some arrivals again. The table has to know them.",
                "In SQL, a `PRIMARY KEY` is unique, and `INSERT OR IGNORE` skips a row whose key is there.",
                "`CREATE TABLE IF NOT EXISTS bill (id TEXT PRIMARY KEY, euros INTEGER)`; the rest can stay as it is.")),
    )  # fmt: skip
