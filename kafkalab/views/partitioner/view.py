"""PartitionerView: key → bytes → murmur2 → partition, beside where the broker really put it."""

from __future__ import annotations

import contextlib
import json
import threading
from collections import deque
from collections.abc import Iterator
from typing import Any

from kafkalab.cluster import topics
from kafkalab.errors import BadInput, KafkalabError, NotSupported, RefusedByKafka, WaitTimeout
from kafkalab.history.moment import Moment
from kafkalab.history.tracks.logs import keys_of, logs_at
from kafkalab.state.connections import Connections
from kafkalab.state.log.fetched import KeyReader
from kafkalab.state.model import Snapshot
from kafkalab.state.model import Topic as TopicNow
from kafkalab.state.watch import Source, Update
from kafkalab.views.live import FIRST_LOOK, LiveView, Subject, split_subject
from kafkalab.views.partitioner.picture import LONGEST_KEY, MOST_SENT, Picture, Places, Sent, blocks, drawn, sent_record
from kafkalab.waiting import wait_until

# --- Sends records and says where the broker put them.


#: Ways in which kafka-python's producer chooses a partition for a record without a key. With a key, both calculate it.
PARTITIONERS = ("random", "sticky")
#: Seconds to wait for an acknowledgement.
PATIENCE = 15


class Sender:
    """Producers of one topic, one per partitioner.

    Records that are sent at once are one batch, for which a sticky partitioner keeps to one partition: the batch is not
    sent before all records are in it, however slow the machine is.
    """

    def __init__(self, bootstrap_servers: str, topic: str) -> None:
        self._servers = bootstrap_servers.split(",")
        self._topic = topic
        self._producers: dict[str, Any] = {}
        self._lock = threading.Lock()

    def send(self, key: bytes | None, times: int, partitioner: str) -> list[tuple[int, int]]:
        """Send records, and return (partition, offset) of each, as the leader acknowledged it.

        :raises RefusedByKafka: a record was not acknowledged.
        """
        from kafka.errors import KafkaError

        value = json.dumps({"note": "sent from the partitioner view"}).encode()
        try:
            with self._lock:
                producer = self._producer(partitioner)
                sent = [producer.send(self._topic, key=key, value=value) for _ in range(times)]
                producer.flush(timeout=PATIENCE)
                found = [future.get(timeout=PATIENCE) for future in sent]
        except KafkaError as error:
            raise RefusedByKafka(
                f"The record was not acknowledged by {self._topic}.",
                seen=f"{type(error).__name__}: {error}",
                do="Has the partition a leader, and enough replicas in sync? cluster.snapshot()",
            ) from error
        return [(one.partition, one.offset) for one in found]

    def _producer(self, partitioner: str) -> Any:
        if partitioner not in self._producers:
            from kafka import KafkaProducer
            from kafka.partitioner import DefaultPartitioner, StickyPartitioner

            chooser = StickyPartitioner() if partitioner == "sticky" else DefaultPartitioner()
            self._producers[partitioner] = KafkaProducer(
                bootstrap_servers=self._servers, client_id="kafkalab-partitioner", partitioner=chooser,
                max_block_ms=1000 * PATIENCE, delivery_timeout_ms=1000 * PATIENCE, request_timeout_ms=5000,
                linger_ms=5000,  # a flush ends it
            )  # fmt: skip
        return self._producers[partitioner]

    def close(self) -> None:
        """Close the producers."""
        with self._lock:
            producers, self._producers = self._producers, {}
        for producer in producers.values():
            producer.close(timeout=2)


#: Maximum number of records that the page may send at once.
MOST_AT_ONCE = 20
#: Maximum number of partitions that the page may ask for; the columns of more could not be told apart.
MOST_PARTITIONS = 60


class PartitionerView(LiveView):
    """Type a key and see which partition it goes to, and why; send it and see where it went.

    The view reads the newest records of the topic, and shows each key in the partitions it really lies in. "What if"
    shows which keys would move if there were more partitions, and a second button adds them for real.

    A view of a recording shows the keys of the moment shown; it calculates as usual, but nothing can be sent.

    :param source: a cluster, or a recording; None for a picture that neither feeds: see :meth:`of`.
    :param topic: name of the topic.

    >>> PartitionerView(cluster, "trucks_gps")  # doctest: +SKIP
    """

    NAME = "partitioner"
    BLOCKS = staticmethod(blocks)

    def __init__(self, source: Subject, topic: str, *, presenter: bool = False) -> None:
        self._topic = topic
        cluster, _ = split_subject(source)
        #: In a recording: a value that differs whenever the keys do.
        self._places_of: object = None
        self._places = Places()
        self._sent: deque[Sent] = deque(maxlen=MOST_SENT)
        self._busy = ""
        self._trouble = ""
        self._grown: tuple[int, int] | None = None
        self._partitions: int | None = None
        self._keys_looked = cluster is None
        self._sender: Sender | None = None
        self._sending = threading.Lock()
        self._news = threading.Event()
        super().__init__(source, presenter=presenter)
        with contextlib.suppress(WaitTimeout):
            wait_until(lambda: self._keys_looked, FIRST_LOOK, "the keys", period=0.01)

    @classmethod
    def of(cls, snapshot: Snapshot, topic: str, places: Places | None = None) -> PartitionerView:
        """Return a frozen picture: the topic of a snapshot, with keys that were looked at before."""
        view = cls(None, topic)
        view._snapshot = snapshot
        view._places = places or Places()
        view._count_partitions()
        view.redraw()
        return view

    # what the page asks for

    def do_send(self, message: dict[str, Any]) -> None:
        """Send a number of records, ``times``, with a key (hexadecimal; None for no key) to the cluster."""
        key, times = message.get("key"), message.get("times", 1)
        partitioner = message.get("partitioner", "random")
        if partitioner not in PARTITIONERS or not isinstance(times, int) or not 1 <= times <= MOST_AT_ONCE:
            raise BadInput(f"From here, 1 to {MOST_AT_ONCE} records can be sent at once.")
        raw = None if key is None else _bytes(key)
        source = self._real()
        with self._doing("sending"):
            if self._sender is None:
                self._sender = Sender(source.bootstrap_servers, self._topic)
            acknowledged = self._sender.send(raw, times, partitioner)
        with self._lock:
            self._fault = ""
            first = self._sent[-1]["n"] + 1 if self._sent else 0
            n = max(self._partitions or 1, *(p + 1 for p, _ in acknowledged))
            for number, (p, offset) in enumerate(acknowledged, first):
                self._sent.append(sent_record(number, raw, p, offset, n, partitioner))
            self.redraw()
        source.watcher().refresh()

    def do_grow(self, message: dict[str, Any]) -> None:
        """Add partitions to the topic, up to ``partitions`` in all."""
        wanted, now = message.get("partitions"), self._partitions
        if not isinstance(wanted, int) or now is None or not now < wanted <= MOST_PARTITIONS:
            raise BadInput(f"A topic can get more partitions, never fewer; from here up to {MOST_PARTITIONS}.")
        source = self._real()
        with self._doing("adding partitions"):
            topics.grow(source.bootstrap_servers, self._topic, wanted)
            source.watcher().note(f"you gave {self._topic} {wanted} partitions, {wanted - now} more")
            # A producer learns of new partitions when it refreshes its metadata, minutes later: take a new one.
            self._drop_sender()
        with self._lock:
            self._grown, self._partitions, self._fault = (now, wanted), wanted, ""
            self.redraw()
        source.watcher().refresh()

    # how it works

    def _drawn(self) -> Picture:
        return drawn(
            self._topic,
            self._partitions,
            self._places,
            self._sent,
            live=self._source is not None,
            recorded=self._recording is not None,
            looked=self._keys_looked,
            busy=self._busy,
            trouble=self._trouble,
            grown=self._grown,
        )

    def _heard(self, update: Update) -> None:
        super()._heard(update)
        self._count_partitions()
        self._news.set()

    def _show(self, moment: Moment) -> None:
        super()._show(moment)
        logs = logs_at(moment, self._topic)
        places_of = logs.version()
        if places_of != self._places_of:
            self._places, self._places_of = Places(), places_of
            self._places.add(keys_of(logs))
        self._partitions, self._trouble = None, ""
        self._count_partitions()

    def _now(self) -> TopicNow | None:
        return self._snapshot.topic(self._topic) if self._snapshot else None

    def _count_partitions(self) -> None:
        now = self._now()
        if now is not None:
            self._partitions, self._trouble = len(now.partitions), ""
        elif self._snapshot is not None:
            self._partitions, self._trouble = None, f"There is no topic {self._topic}."
            self._places, self._keys_looked = Places(), True

    @contextlib.contextmanager
    def _doing(self, what: str) -> Iterator[None]:
        """Do one thing at a time, and say which."""
        with self._sending:
            self._busy = what
            self.redraw()
            try:
                yield
            finally:
                self._busy = ""
                self.redraw()

    def _real(self) -> Source:
        if self._recording is not None:
            raise NotSupported("This is a recording: nothing can be sent to it, and no partition added.")
        if self._source is None:
            raise NotSupported("This is a still picture: there is no cluster behind it.")
        if not self._source.capabilities.clients:
            raise NotSupported("This cluster is a model in memory: nothing can be sent to it.")
        return self._source

    def _start_feed(self) -> None:
        if self._source is None:
            return
        stop = threading.Event()
        self._leave = stop.set
        threading.Thread(target=self._read, args=(stop,), name="kafkalab-keys", daemon=True).start()

    def _stop_feed(self) -> None:
        super()._stop_feed()
        self._news.set()
        self._drop_sender()

    def _drop_sender(self) -> None:
        sender, self._sender = self._sender, None
        if sender is not None:
            sender.close()

    def _read(self, stop: threading.Event) -> None:
        """Look at the keys of new records whenever a snapshot says that there are some; at most once a second."""
        assert self._source is not None
        seen: dict[int, tuple[int, int]] = {}
        with contextlib.closing(Connections(self._source.bootstrap_servers)) as connections:
            reader = KeyReader(connections, self._topic)
            while not stop.is_set():
                self._news.wait()
                self._news.clear()
                now = self._now()
                ends = {
                    p.partition: (p.start, p.end)
                    for p in (now.partitions if now else ())
                    if p.start is not None and p.end is not None and p.leader is not None
                }
                if stop.is_set() or not ends or (ends == seen and self._keys_looked):
                    continue
                placed, trouble = [], ""
                try:
                    self._real()
                    placed, seen = reader.read(ends), ends
                except KafkalabError as error:
                    trouble = error.said
                with self._lock:
                    self._keys_looked, self._trouble = True, trouble
                    self._places.add(placed)
                    self.redraw()
                stop.wait(1.0)


def _bytes(key: object) -> bytes:
    try:
        found = bytes.fromhex(str(key))
    except ValueError:
        raise BadInput("The key is not written in hexadecimal digits.", seen=str(key)[:60]) from None
    if len(found) > LONGEST_KEY:
        raise BadInput(f"From here keys of up to {LONGEST_KEY} bytes are sent.", seen=f"{len(found)} bytes")
    return found
