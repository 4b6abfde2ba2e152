"""One round of the durability matrix, for one number of brokers up: kill the leader at the worst moment, and count.

docs/decisions/0008 has the design, and why it measures what a setting can lose, not what it happened to lose.
"""

from __future__ import annotations

import logging
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from kafkalab.errors import KafkalabError, WaitTimeout
from kafkalab.exercises.topics import read_all
from kafkalab.experiments.durability.cell import Acks, Cell, Setting, Spell, why
from kafkalab.experiments.durability.topics import Breaker, Topics
from kafkalab.experiments.ledger import Ledger
from kafkalab.state.log.segments import LocalLogDir
from kafkalab.waiting import wait_until

if TYPE_CHECKING:
    from kafkalab.handles.cluster import Cluster

# --- The producers of the durability matrix: they try once to send each record, and keep every answer as it came.


#: Seconds after which a producer gives up on a record. No answer takes that long in this experiment.
PATIENCE = 10.0


class Writers:
    """Sends records with ids for every cell, and keeps the answer to each.

    :param places: the (topic, partition) of each cell.
    :raises KafkaError: no broker answers.
    """

    def __init__(self, bootstrap_servers: str, places: Mapping[Setting, tuple[str, int]]) -> None:
        from kafka import KafkaProducer

        self._places = dict(places)
        self.ledgers = {setting: Ledger() for setting in places}
        self._spells: dict[Setting, list[tuple[str, list[Any]]]] = {setting: [] for setting in places}
        self._producers: dict[tuple[Acks, int], Any] = {}
        try:
            for acks, group in dict.fromkeys(map(_group, places)):
                self._producers[acks, group] = KafkaProducer(
                    bootstrap_servers=bootstrap_servers.split(","), client_id=f"kafkalab-acks-{acks}",
                    acks="all" if acks == "all" else int(acks),
                    # One attempt: the experiment measures what an acknowledgement is worth, not what retries do.
                    retries=0, enable_idempotence=False, allow_auto_create_topics=False,
                    # A request that waits for followers must not hold back the next one.
                    max_in_flight_requests_per_connection=100,
                    request_timeout_ms=int(1000 * PATIENCE), delivery_timeout_ms=int(1000 * PATIENCE) + 100,
                    max_block_ms=int(1000 * PATIENCE),
                )  # fmt: skip
        except BaseException:
            self.close()
            raise

    def send(self, name: str, count: int) -> None:
        """Send ``count`` more records to each cell as the spell ``name``; return when all have left the producers."""
        for setting, (topic, partition) in self._places.items():
            ledger, futures = self.ledgers[setting], []
            first = sum(len(sent) for _, sent in self._spells[setting])
            for number in range(first, first + count):
                record_id = f"{setting.name}-{number:04d}"
                ledger.sent(record_id)
                future = self._producers[_group(setting)].send(topic, value=record_id.encode(), partition=partition)
                future.add_callback(lambda _, id=record_id, ledger=ledger: ledger.acknowledged(id))
                futures.append(future)
            self._spells[setting].append((name, futures))
        # A private attribute: no public one tells that the last batch has left the producer for a socket.
        wait_until(
            lambda: not any(producer._accumulator.has_undrained() for producer in self._producers.values()),
            PATIENCE,
            "every record to be sent",
            period=0.005,
        )

    def answered(self, cells: Callable[[Setting], bool], what: str) -> None:
        """Wait until the producers have an answer, good or bad, for every record of the chosen cells."""
        open_ = [
            future
            for setting, spells in self._spells.items()
            if cells(setting)
            for _, futures in spells
            for future in futures
        ]
        wait_until(lambda: all(future.is_done for future in open_), PATIENCE + 5, what, period=0.005)

    def spells(self, setting: Setting) -> tuple[Spell, ...]:
        """Return what the producer was told about a cell's records, one :class:`Spell` for each stretch of time."""
        found = []
        for name, futures in self._spells[setting]:
            said = Counter(
                (type(f.exception).__name__, str(f.exception)) for f in futures if f.is_done and f.exception is not None
            )
            good = sum(f.is_done and f.exception is None for f in futures)
            found.append(Spell(name, len(futures), good, tuple((e, text, n) for (e, text), n in said.most_common())))
        return tuple(found)

    def close(self) -> None:
        """Close the producers; records without an answer by now never get one."""
        with quiet():
            for producer in self._producers.values():
                producer.close(timeout=0.2)


def _group(setting: Setting) -> tuple[Acks, int]:
    """Return the key of the producer for a cell; cells with the same key share a producer.

    A broker answers the requests of one connection in turn. A refusal comes at once, and on a shared connection it
    would wait behind records of another topic that wait for followers.
    """
    return setting.acks, setting.min_insync if setting.acks == "all" else 0


@contextmanager
def quiet() -> Iterator[None]:
    """Silence kafka-python's log for a while: it reports every broken connection, and here we break them on purpose."""
    logger = logging.getLogger("kafka")
    before = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(before)


#: Names of the three stretches of time (spells) in which records are sent.
CALM, ALONE, GONE = "calm", "followers stand still", "leader stands still"
#: Maximum number of attempts at a round. One fails if it misses the worst moment: a follower lost its session.
TRIES = 3

#: A function called after each step with the steps so far, in words, and the cells as they are now.
Tell = Callable[[list[str], Iterable[Cell]], None]


class Missed(KafkalabError):
    """The round missed the worst moment: the ISR was not the expected one, or a follower had fetched too much."""


class Round:
    """Runs all cells with one number of brokers up; they share the brokers, the leader and its failure.

    :param settings: cells with the same ``brokers_up``.
    :param records: number sent to each cell: half in calm, a quarter before the leader is paused, a quarter after.
    :param breaker: stops, pauses, kills and restarts brokers, and can undo it.
    :param tell: called after each step.
    :param halt: called between steps; raises an error when the run should end.
    """

    def __init__(
        self,
        cluster: Cluster,
        settings: Sequence[Setting],
        records: int,
        breaker: Breaker,
        tell: Tell,
        halt: Callable[[], None],
    ) -> None:
        self._cluster, self._settings, self._tell, self._halt = cluster, list(settings), tell, halt
        self._breaker, self._act = breaker, breaker.act
        self._up = self._settings[0].brokers_up
        self._alone = records // 4
        self._gone = records // 4
        self._calm = records - self._alone - self._gone
        self.steps: list[str] = []

    def run(self) -> list[Cell]:
        """Run the round and return its cells with their counts.

        :raises Missed: the worst moment was missed three times in a row.
        """
        for attempt in range(TRIES):
            self.steps.clear()
            try:
                return self._run()
            except Missed as missed:
                if attempt == TRIES - 1:
                    raise
                self._say(f"{missed.what} The round is run again.")
                self._breaker.heal()
        raise AssertionError("a round ends with a result or an error")

    def _run(self) -> list[Cell]:
        from kafka.errors import KafkaError

        snapshot = self._cluster.snapshot()
        brokers = sorted(b.id for b in snapshot.brokers if b.alive)
        leader = self._leader(brokers, snapshot.controller)
        others = [id for id in brokers if id != leader][:2]
        followers, down = others[: self._up - 1], others[self._up - 1 :]
        topics = Topics(self._cluster, [leader, *others], self._settings)
        writers = None
        try:
            topics.create()
            self._say(f"3 replicas of each partition, on {_and(topics.replicas)}; {leader} leads all of them.")
            for id in down:
                self._act(id, "stop")
            if down:
                try:
                    topics.await_isr({leader, *followers}, deadline=20)
                except WaitTimeout as error:
                    raise Missed("The leader did not learn that the others are down.") from error
                self._say(
                    f"Broker{'s' * (len(down) > 1)} {_and(down)} stopped: the ISR is {_and([leader, *followers])}."
                )
            self._halt()
            with quiet():
                try:
                    writers = Writers(self._cluster.bootstrap_servers, topics.places)
                except KafkaError as error:
                    raise Missed(f"The leader did not answer: {error}") from error
                self._write(topics, writers, leader, followers)
                self._fail(topics, writers, leader, followers, down)
            return self._count(topics, writers)
        finally:
            if writers is not None:
                writers.close()
            self._breaker.heal()
            topics.delete()

    def _leader(self, brokers: list[int], controller: int | None) -> int:
        """Return the broker that will lead the partitions and be killed."""
        combined = self._cluster.mode == "kraft" and all(n.role != "controller" for n in self._cluster.nodes())
        if combined and self._up == 1 and controller in brokers:
            # The only broker up must learn that it alone is the ISR; without a majority only the controller learns it.
            return controller
        # Not the controller: its failure is another lesson, and a new controller would have to be elected first.
        return next(id for id in brokers if id != controller)

    def _write(self, topics: Topics, writers: Writers, leader: int, followers: list[int]) -> None:
        """Send records in calm, then more with the followers paused, then more with the leader paused too; kill it."""
        writers.send(CALM, self._calm)
        writers.answered(lambda _: True, "an answer to every record sent in calm")
        topics.await_copies([leader, *followers])
        self._say(f"{self._calm} records sent to each cell, and copied to every broker that is up.", writers)
        self._halt()
        for id in followers:
            self._act(id, "pause")
        if followers:
            # These records use up the fetch request a paused follower still had open; it cannot send another.
            topics.open_gate()
        writers.send(ALONE, self._alone)
        # With acks=all the leader waits for the paused followers, unless the ISR is too small and it refuses at once.
        writers.answered(
            lambda s: s.acks != "all" or not followers or s.min_insync > self._up,
            "an answer to every record sent to the leader alone",
        )
        if followers:
            self._say(f"{_and(followers)} paused (SIGSTOP), still in the ISR; {self._alone} more records.", writers)
        else:
            self._say(f"No follower is up; {self._alone} more records.", writers)
        self._act(leader, "pause")
        writers.send(GONE, self._gone)
        writers.answered(lambda s: s.acks == "0", "the records to be handed over")
        self._act(leader, "kill")
        self._say(f"{leader} paused, {self._gone} more records sent to it, then {leader} killed (SIGKILL).", writers)

    def _fail(self, topics: Topics, writers: Writers, leader: int, followers: list[int], down: list[int]) -> None:
        """Go on after the leader's death: resume followers, start brokers, wait until every replica is in the ISR."""
        for id in followers:
            self._act(id, "resume")
        lost = self._lose_disk(topics, leader)
        for id in down:
            self._act(id, "start")
        writers.answered(lambda _: True, "the producers to give up on records without an answer")
        if followers:
            led = topics.await_leaders(without=leader)
            if not led <= set(followers):
                raise Missed(f"The new leader is {_and(sorted(led))}, which should not have been in the ISR.")
            found = topics.log_ends(next(iter(followers)))
            if any(end > self._calm for end in found.values()):
                raise Missed("A follower had fetched records that were meant for the leader alone.")
            self._say(f"{_and(followers)} resumed; elected from the ISR: {_and(sorted(led))}.", writers)
        if lost:
            self._say(f"For the cells with a lost disk, the {lost} copies on {leader} are removed.", writers)
        self._halt()
        self._act(leader, "start")
        topics.await_isr(set(topics.replicas))
        self._say(f"{leader} is back, and all three replicas are in the ISR. {topics.who_leads()}", writers)

    def _lose_disk(self, topics: Topics, leader: int) -> int:
        """Remove the dead leader's copies of the partitions whose disk is to be lost; return how many."""
        cells = [s for s in self._settings if s.fault == "disk lost"]
        disk = self._cluster.log_dir(leader) if cells else None
        if not isinstance(disk, LocalLogDir):
            return 0
        for setting in cells:
            topic, partition = topics.places[setting]
            shutil.rmtree(disk.path / f"{topic}-{partition}")
        return len(cells)

    def _count(self, topics: Topics, writers: Writers) -> list[Cell]:
        """Read every log to its end into the cells' ledgers, and return the finished cells."""
        where = {place: setting for setting, place in topics.places.items()}
        for topic in topics.names:
            for record in read_all(self._cluster.bootstrap_servers, topic):
                setting = where[topic, record.partition]
                writers.ledgers[setting].seen(record.value.decode(), (topic, record.partition, record.offset))
        self._say("All records read back and counted by id.")
        done = [replace(cell, state="done") for cell in self._cells(writers)]
        return [replace(cell, why=why(cell)) for cell in done]

    def _cells(self, writers: Writers) -> list[Cell]:
        """Return the cells as they are now, with the records sent and answered so far."""
        return [Cell(s, "running", writers.ledgers[s].result(), writers.spells(s)) for s in self._settings]

    def _say(self, step: str, writers: Writers | None = None) -> None:
        self.steps.append(step)
        self._tell(list(self.steps), self._cells(writers) if writers else ())


def _and(ids: Sequence[int]) -> str:
    """Return ids as text: ``101, 102 and 103``."""
    *head, last = map(str, ids)
    return f"{', '.join(head)} and {last}" if head else last
