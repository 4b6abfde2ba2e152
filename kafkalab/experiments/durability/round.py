"""One round of the durability matrix, for one number of brokers up: kill the leader at the worst moment, and count.

docs/decisions/0008 has the design, and why it measures what a setting can lose, not what it happened to lose.
"""

from __future__ import annotations

import logging
import shutil
import uuid
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from kafkalab.cluster.topics import asking
from kafkalab.errors import KafkalabError, Unreachable, WaitTimeout
from kafkalab.exercises.topics import place, read_all, tidy
from kafkalab.experiments.durability.cell import Acks, Cell, Setting, why
from kafkalab.experiments.ledger import Ledger
from kafkalab.state.log.segments import LocalLogDir
from kafkalab.state.model import Verb
from kafkalab.views.durability.picture import Spell, Told
from kafkalab.waiting import wait_until

if TYPE_CHECKING:
    from kafka import KafkaAdminClient

    from kafkalab.handles.cluster import Cluster
    from kafkalab.state.model import Snapshot

T = TypeVar("T")

#: Seconds after which a producer gives up on a record. No answer takes that long in this experiment.
PATIENCE = 10.0
#: Number of records sent to the gate topic, so that the leader has no fetch request of a follower left to answer.
_GATES = 3
#: Names of the three stretches of time (spells) in which records are sent.
CALM, ALONE, GONE = "calm", "followers stand still", "leader stands still"
#: Maximum number of attempts at a round. One fails if it misses the worst moment: a follower lost its session.
TRIES = 3

#: A function called after each step with the steps so far, in words, and the cells as they are now.
Tell = Callable[[list[str], Iterable[Cell]], None]


class Missed(KafkalabError):
    """The round missed the worst moment: the ISR was not the expected one, or a follower had fetched too much."""


# --- The producers: they try once to send each record, and keep every answer as it came.


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
        chosen = [spells for setting, spells in self._spells.items() if cells(setting)]
        futures = [future for spells in chosen for _, sent in spells for future in sent]
        wait_until(lambda: all(future.is_done for future in futures), PATIENCE + 5, what, period=0.005)

    def spells(self, setting: Setting) -> tuple[Spell, ...]:
        """Return what the producer was told about a cell's records, one :class:`Spell` for each stretch of time."""
        found: list[Spell] = []
        for name, futures in self._spells[setting]:
            said = Counter((type(f.exception).__name__, str(f.exception)) for f in futures if f.is_done and f.exception)
            good = sum(f.is_done and f.exception is None for f in futures)
            errors: list[Told] = [{"error": e, "said": text, "times": n} for (e, text), n in said.most_common()]
            found.append({"name": name, "sent": len(futures), "acknowledged": good, "lost": 0, "errors": errors})
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


# --- The topics: one for each min.insync.replicas, a partition for each cell, all on one leader.


class Topics:
    """Topics with three replicas of each partition, on the same brokers in the same order.

    :param replicas: broker ids; the first is the preferred leader, and leads each partition.
    """

    def __init__(self, cluster: Cluster, replicas: Sequence[int], settings: Iterable[Setting]) -> None:
        self._cluster, self.replicas = cluster, list(replicas)
        stem = f"durability-{uuid.uuid4().hex[:6]}"
        self._gate = f"{stem}-gate"
        #: The (topic, partition) of each cell.
        self.places: dict[Setting, tuple[str, int]] = {}
        self.partitions: dict[str, int] = {}
        for setting in settings:
            name = f"{stem}-min{setting.min_insync}"
            self.places[setting] = (name, self.partitions.get(name, 0))
            self.partitions[name] = self.places[setting][1] + 1
        self._producer: Any = None
        self._made = False

    def create(self) -> None:
        """Create the topics; return when the first replica leads every partition and all replicas are in sync.

        :raises RefusedByKafka: a topic was not created.
        """
        from kafka import KafkaProducer

        for name, count in {**self.partitions, self._gate: 1}.items():
            place(
                self._cluster,
                name,
                dict.fromkeys(range(count), self.replicas),
                # A replica out of the ISR must never lead. That is Kafka's default, but a cluster may change it.
                {
                    "min.insync.replicas": "1" if name == self._gate else name[-1],
                    "unclean.leader.election.enable": "false",
                },
            )
        self._made = True
        self.await_isr(set(self.replicas), leader=self.replicas[0])
        self._producer = KafkaProducer(
            bootstrap_servers=self._cluster.bootstrap_servers.split(","), acks=1, retries=0, enable_idempotence=False,
            client_id="kafkalab-gate", request_timeout_ms=5000, delivery_timeout_ms=5100, max_block_ms=5000,
        )  # fmt: skip
        self._producer.partitions_for(self._gate)

    def _await(self, fits: Callable[[Snapshot], T], deadline: float, what: str) -> T:
        """Wait until a snapshot fits; moments without any answering broker are ignored: we stop them on purpose."""

        def fit() -> T | None:
            with suppress(Unreachable):
                return fits(self._cluster.snapshot())
            return None

        found = wait_until(fit, deadline, what, period=0.1)
        assert found is not None  # wait_until returns only true values
        return found

    def await_isr(self, wanted: set[int], leader: int | None = None, deadline: float = 60) -> None:
        """Wait until the ISR of every partition is exactly ``wanted`` and, if given, ``leader`` leads all of them."""
        leaders, every = {leader} if leader else wanted, {**self.partitions, self._gate: 1}

        def fits(snapshot: Snapshot) -> bool:
            found = [p for p in snapshot.partitions() if p.topic in every]
            whole = len(found) == sum(every.values())
            return whole and all(set(p.isr) == wanted and p.leader in leaders for p in found)

        self._await(fits, deadline, f"the ISR to be {_and(sorted(wanted))}")

    def await_leaders(self, without: int) -> set[int | None]:
        """Wait until a broker other than ``without`` leads every partition, and return the leaders' ids."""

        def fits(snapshot: Snapshot) -> set[int | None]:
            led = set[int | None]().union(*self._led(snapshot).values())
            return set() if led & {None, without} else led

        return self._await(fits, 30, f"a broker other than {without} to lead")

    def who_leads(self) -> str:
        """Return a sentence on who leads the cells' partitions now, topic by topic if the leaders differ."""
        led = {name: _and(sorted(map(str, ids))) for name, ids in self._led(self._cluster.snapshot()).items()}
        if len(set(led.values())) == 1:
            return f"Led by {led.popitem()[1]}."
        return "; ".join(f"min.insync.replicas={name[-1]}: led by {ids}" for name, ids in led.items()) + "."

    def _led(self, snapshot: Snapshot) -> dict[str, set[int | None]]:
        return {name: {p.leader for p in snapshot.partitions() if p.topic == name} for name in self.partitions}

    def sizes(self, broker: int) -> dict[tuple[str, int], int]:
        """Return the bytes that a broker has of each cell's partition; replicas with the same records have as many."""
        asked = {name: list(range(count)) for name, count in self.partitions.items()}

        def question(admin: KafkaAdminClient) -> Any:
            return admin.describe_log_dirs(asked, brokers=[broker])[0]["log_dirs"]

        dirs = asking(self._cluster.bootstrap_servers, question)
        told = [(topic["name"], p) for held in dirs for topic in held["topics"] for p in topic["partitions"]]
        return {(name, p["partition_index"]): p["partition_size"] for name, p in told}

    def await_copies(self, brokers: Sequence[int]) -> dict[tuple[str, int], int]:
        """Wait until all these brokers have the same of every partition; return their :meth:`sizes`."""

        def same() -> dict[tuple[str, int], int]:
            first, *others = map(self.sizes, brokers)
            return first if all(other == first for other in others) else {}

        return wait_until(same, 20, "the followers to have every record")

    def open_gate(self) -> None:
        """Return when the leader has answered every fetch request of the paused followers.

        A follower sends the leader one fetch request for all partitions it follows there, and waits for the answer. If
        it is paused with a request open, the leader answers with the next records written, and the follower finds them
        in its socket when it is resumed. The records of the gate topic use up these requests. Each is acknowledged
        before the next is sent, so that the leader has handled every request that came before it.
        """
        for _ in range(_GATES):
            self._producer.send(self._gate, value=b"gate", partition=0).get(timeout=5)

    def delete(self) -> None:
        """Delete the topics that exist."""
        if self._producer is not None:
            self._producer.close(timeout=0.2)
        names = {*self.partitions, self._gate}

        def there(snapshot: Snapshot) -> set[str]:
            return {t.name for t in snapshot.topics if t.name in names}

        if self._made:
            # A broker that has just started may report topics before it knows all of them.
            self._await(lambda s: there(s) == names, 30, "the brokers to know the topics again")
        for name in there(self._cluster.snapshot()):
            self._cluster.delete_topic(name)


class Round:
    """Runs all cells with one number of brokers up; they share the brokers, the leader and its failure.

    :param settings: cells with the same ``brokers_up``.
    :param records: number sent to each cell: half in calm, a quarter before the leader is paused, a quarter after.
    :param tell: called after each step.
    :param halt: called between steps; raises an error when the run should end.
    """

    def __init__(
        self, cluster: Cluster, settings: Sequence[Setting], records: int, tell: Tell, halt: Callable[[], None]
    ) -> None:
        self._cluster, self._settings, self._tell, self._halt = cluster, list(settings), tell, halt
        self._up = self._settings[0].brokers_up
        self._alone = self._gone = records // 4
        self._calm = records - self._alone - self._gone
        self.steps: list[str] = []

    def run(self) -> list[Cell]:
        """Run the round and return its cells with their counts; the cluster is whole again, whatever happens.

        :raises Missed: the worst moment was missed three times in a row.
        """
        for _ in range(TRIES - 1):
            try:
                return self._run()
            except Missed as missed:
                self._say(f"{missed.what} The round is run again.")
        return self._run()

    def _act(self, broker: int, verb: Verb) -> None:
        self._cluster.act(f"broker-{broker}", verb)

    def _run(self) -> list[Cell]:
        from kafka.errors import KafkaError

        self.steps.clear()
        snapshot = self._cluster.snapshot()
        brokers = sorted(b.id for b in snapshot.brokers if b.alive)
        leader = self._leader(brokers, snapshot.controller)
        others = [id for id in brokers if id != leader][:2]
        topics = Topics(self._cluster, [leader, *others], self._settings)
        up, down = topics.replicas[: self._up], topics.replicas[self._up :]
        writers = None
        try:
            topics.create()
            self._say(f"3 replicas of each partition, on {_and(topics.replicas)}; {leader} leads all of them.")
            for id in down:
                self._act(id, "stop")
            if down:
                try:
                    topics.await_isr(set(up), deadline=20)
                except WaitTimeout as error:
                    raise Missed("The leader did not learn that the others are down.") from error
                plural = "s" * (len(down) > 1)
                self._say(f"Broker{plural} {_and(down)} stopped: the ISR is {_and(up)}.")
            self._halt()
            with quiet():
                try:
                    writers = Writers(self._cluster.bootstrap_servers, topics.places)
                except KafkaError as error:
                    raise Missed(f"The leader did not answer: {error}") from error
                self._fail(topics, writers, self._write(topics, writers))
            return self._count(topics, writers)
        finally:
            if writers is not None:
                writers.close()
            tidy(self._cluster)
            topics.delete()

    def _leader(self, brokers: list[int], controller: int | None) -> int:
        """Return the broker that will lead the partitions and be killed."""
        combined = self._cluster.mode == "kraft" and all(n.role != "controller" for n in self._cluster.nodes())
        if combined and self._up == 1 and controller in brokers:
            # The only broker up must learn that it alone is the ISR; without a majority only the controller learns it.
            return controller
        # Not the controller: its failure is another lesson, and a new controller would have to be elected first.
        return next(id for id in brokers if id != controller)

    def _write(self, topics: Topics, writers: Writers) -> dict[tuple[str, int], int]:
        """Send records in calm, then more with the followers paused, then more with the leader paused too; kill it.

        Return the sizes of the partitions after the calm.
        """
        leader, *followers = topics.replicas[: self._up]
        writers.send(CALM, self._calm)
        writers.answered(lambda _: True, "an answer to every record sent in calm")
        sizes = topics.await_copies([leader, *followers])
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
        still = f"{_and(followers)} paused (SIGSTOP), still in the ISR" if followers else "No follower is up"
        self._say(f"{still}; {self._alone} more records.", writers)
        self._act(leader, "pause")
        writers.send(GONE, self._gone)
        writers.answered(lambda s: s.acks == "0", "the records to be handed over")
        self._act(leader, "kill")
        self._say(f"{leader} paused, {self._gone} more records sent to it, then {leader} killed (SIGKILL).", writers)
        return sizes

    def _fail(self, topics: Topics, writers: Writers, calm: dict[tuple[str, int], int]) -> None:
        """Go on after the leader's death: resume followers, start brokers, wait until every replica is in the ISR."""
        leader, *followers = topics.replicas[: self._up]
        for id in followers:
            self._act(id, "resume")
        lost = self._lose_disk(topics, leader)
        for id in topics.replicas[self._up :]:
            self._act(id, "start")
        writers.answered(lambda _: True, "the producers to give up on records without an answer")
        if followers:
            led = topics.await_leaders(without=leader)
            if not led <= set(followers):
                raise Missed(f"The new leader is {_and(sorted(map(str, led)))}, which should not have been in the ISR.")
            if any(topics.sizes(id) != calm for id in followers):
                raise Missed("A follower had fetched records that were meant for the leader alone.")
            self._say(f"{_and(followers)} resumed; elected from the ISR: {_and(sorted(map(str, led)))}.", writers)
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
        for topic in topics.partitions:
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


def _and(ids: Sequence[object]) -> str:
    """Return ids as text: ``101, 102 and 103``."""
    *head, last = map(str, ids)
    return f"{', '.join(head)} and {last}" if head else last
