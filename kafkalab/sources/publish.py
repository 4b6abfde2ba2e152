"""Publisher: sends a fleet's reports, paced by the clock, to a topic of a real cluster."""

from __future__ import annotations

import math
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from kafkalab.errors import BadInput, RefusedByKafka, Unreachable, WaitTimeout
from kafkalab.sources.fleet import Fleet
from kafkalab.sources.report import Report
from kafkalab.views.static import Table, to_html, to_text
from kafkalab.waiting import wait_until


@dataclass(frozen=True, slots=True)
class PublisherStats:
    """The numbers of a publisher: counts of records since it was made, rates in records per second of the clock.

    ``rate``: records acknowledged, over the last five seconds; ``target_rate``: the rate that the pace asks for.
    ``behind``: seconds of the clock since the next record was due. ``event_time``: everything before it was sent, in
    seconds after the fleet's start. ``last_error``: of the last record or callback that failed; None if none did.
    """

    topic: str
    running: bool
    sent: int
    acknowledged: int
    failed: int
    rate: float
    target_rate: float
    behind: float
    event_time: float
    last_error: str | None

    @property
    def waiting(self) -> int:
        """Number of records sent, and neither acknowledged nor failed yet."""
        return self.sent - self.acknowledged - self.failed

    def _table(self) -> Table:
        rows = [
            ("rate", f"{self.rate:,.0f} records/s acknowledged, {self.target_rate:,.0f} wanted"),
            ("behind", f"{self.behind:.1f} s"),
            ("sent", f"{self.sent:,}"),
            ("acknowledged", f"{self.acknowledged:,}"),
            ("under way", f"{self.waiting:,}"),
            ("failed", f"{self.failed:,}"),
        ]
        if self.last_error:
            rows.append(("last error", self.last_error))
        return Table((), rows, f"Publisher to {self.topic}, {'running' if self.running else 'not running'}")

    def __str__(self) -> str:
        return to_text([self._table()])

    def _repr_html_(self) -> str:
        return to_html([self._table()])


#: Seconds over which rates are measured: short enough to show a broker's death, long enough not to flicker.
WINDOW = 5.0


class Rate:
    """The rate per second over the last :data:`WINDOW` seconds, from a running total. Its caller holds the lock."""

    def __init__(self) -> None:
        self._marks: deque[tuple[float, int]] = deque()

    def mark(self, now: float, total: int) -> None:
        """Note the total at ``now``: at most one mark every tenth of a second, and only those the window needs."""
        if not self._marks or now - self._marks[-1][0] >= 0.1:
            self._marks.append((now, total))
        while len(self._marks) > 2 and now - self._marks[1][0] >= WINDOW:
            self._marks.popleft()

    def per_second(self, now: float, total: int) -> float:
        """Return the rate at ``now``; 0.0 before a tenth of a second has been seen."""
        if not self._marks:
            return 0.0
        since, before = self._marks[0]
        return (total - before) / (now - since) if now - since >= 0.1 else 0.0


#: Maximum seconds for a broker to answer when a publisher starts.
REACH_SECONDS = 5.0

#: Maximum number of records sent and not yet acknowledged. kafka-python sets no limit to its buffer, so a cluster that
#: is down would fill the memory; with this limit the publisher falls behind instead, and its stats show that.
MOST_WAITING = 20_000

#: Length of a slice of reports, seconds of the clock. While nothing is due, the clock is read twice as often.
TICK = 0.05


class Publisher:
    """Sends each report when it is due, key = truck id, on a thread of its own; idempotent, acks=all.

    A broker that dies delays records and loses none: they are sent again, to the new leader, for up to two minutes.

    :param fleet: the source of the reports, from event time ``since`` (seconds after its start).
    :param lapse: event time runs this many times as fast as the clock.
    :param on_sent: called with each report just before the producer gets it.
    :param on_acknowledged: called with (report, partition, offset) once every in-sync replica has it.
    :param on_failed: called with (report, error) when the producer has given up a report.

    The callbacks run on the publisher's and the producer's threads and should be quick; an error they raise is kept as
    ``stats().last_error``.

    :raises BadInput: the lapse is not above 0.
    """

    def __init__(
        self,
        bootstrap_servers: str,
        fleet: Fleet,
        topic: str = "trucks_gps",
        *,
        lapse: float = 1.0,
        since: float = 0.0,
        on_sent: Callable[[Report], object] | None = None,
        on_acknowledged: Callable[[Report, int, int], object] | None = None,
        on_failed: Callable[[Report, Exception], object] | None = None,
    ) -> None:
        if not (math.isfinite(lapse) and lapse > 0):
            raise BadInput(
                "The time lapse must be a number above 0.",
                seen=f"lapse={lapse}",
                do="Give 1 for real time; with 60, an hour of driving passes in a minute.",
            )
        self.bootstrap_servers = bootstrap_servers
        self.fleet = fleet
        self.topic = topic
        self.lapse = lapse
        self._on_sent, self._on_acknowledged, self._on_failed = on_sent, on_acknowledged, on_failed
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._producer: Any = None
        self._event_time = since
        #: The clock's seconds at which event time is 0; never, while nothing is published.
        self._zero = math.inf
        self._sent = self._acknowledged = self._failed = 0
        self._rate = Rate()
        self._last_error: str | None = None

    def start(self) -> Publisher:
        """Connect, and publish from the present event time until :meth:`stop`; do nothing if it is running already.

        :raises Unreachable: no broker answered within five seconds.
        :raises RefusedByKafka: there is no such topic.
        """
        if self._thread is not None:
            return self
        self._producer = self._connect()
        self._stop.clear()
        self._zero = time.monotonic() - self._event_time / self.lapse
        self._thread = threading.Thread(target=self._run, name="kafkalab-publisher", daemon=True)
        self._thread.start()
        return self

    def wait_for(self, records: int, timeout: float = 180.0) -> None:
        """Wait until so many *more* records are acknowledged than were when it was called.

        :raises WaitTimeout: they were not, within ``timeout`` seconds.
        """
        goal = self.stats().acknowledged + records
        wait_until(lambda: self.stats().acknowledged >= goal, timeout, f"{records:,} more records to be acknowledged")

    def wait_until(self, event_time: float, timeout: float = 180.0) -> None:
        """Wait until everything before this event time was sent.

        :param event_time: seconds after the fleet's start.
        :raises WaitTimeout: it was not, within ``timeout`` seconds.
        """
        wait_until(lambda: self.stats().event_time >= event_time, timeout, f"the trucks to reach second {event_time:g}")

    def stop(self, timeout: float = 30.0) -> PublisherStats:
        """Stop sending, wait until all records sent are acknowledged, close, and return the final stats.

        :param timeout: seconds; records that are not acknowledged by then are given up and count as failed.
        """
        thread, producer = self._thread, self._producer
        if thread is None:
            return self.stats()
        end = time.monotonic() + timeout
        self._stop.set()
        thread.join(timeout)
        _close(producer, max(0.1, end - time.monotonic()))
        thread.join(2.0)
        self._thread = self._producer = None
        with self._lock:
            self._zero, self._rate = math.inf, Rate()
        return self.stats()

    def __enter__(self) -> Publisher:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stats(self) -> PublisherStats:
        """Return the present numbers."""
        with self._lock:
            now = time.monotonic()
            return PublisherStats(
                topic=self.topic,
                running=self._thread is not None and self._thread.is_alive(),
                sent=self._sent,
                acknowledged=self._acknowledged,
                failed=self._failed,
                rate=self._rate.per_second(now, self._acknowledged),
                target_rate=self.fleet.rate * self.lapse,
                behind=max(0.0, now - self._zero - self._event_time / self.lapse),
                event_time=self._event_time,
                last_error=self._last_error,
            )

    def __repr__(self) -> str:
        return str(self.stats())

    def _repr_html_(self) -> str:
        return self.stats()._repr_html_()

    def _connect(self) -> Any:
        from kafka import KafkaProducer
        from kafka.errors import KafkaError

        try:
            self._require_topic()
            producer = KafkaProducer(
                bootstrap_servers=self.bootstrap_servers,
                client_id="kafkalab-publisher",
                acks="all",
                enable_idempotence=True,
                bootstrap_timeout_ms=int(REACH_SECONDS * 1000),
                # A send waits only if its topic is gone; one second is enough to find that out.
                max_block_ms=1_000,
                # A paused broker answers nothing: after this time the record is sent to the leader of that time.
                request_timeout_ms=6_000,
                delivery_timeout_ms=120_000,
                reconnect_backoff_max_ms=500,
                linger_ms=20,
                batch_size=64 * 1024,
            )
        except KafkaError as error:
            raise Unreachable(
                f"No broker answers at {self.bootstrap_servers}.",
                seen=str(error),
                do="Start the cluster, or check the address: the right one is cluster.bootstrap_servers.",
            ) from error
        except ValueError as error:
            raise BadInput(
                f"{self.bootstrap_servers!r} is not a list of servers.",
                seen=str(error),
                do='Write it as "host:port,host:port".',
            ) from error
        # kafka-python 3.0.12 accepts the setting allow_auto_create_topics and loses it before it gets here. Without it,
        # a topic that is deleted meanwhile would come back, with one partition.
        producer._metadata.config["allow_auto_create_topics"] = False
        return producer

    def _require_topic(self) -> None:
        from kafka import KafkaAdminClient
        from kafka.errors import for_code

        admin = KafkaAdminClient(
            bootstrap_servers=self.bootstrap_servers,
            client_id="kafkalab-publisher-admin",
            bootstrap_timeout_ms=int(REACH_SECONDS * 1000),
            request_timeout_ms=int(REACH_SECONDS * 1000),
        )
        try:
            # Not every broker may know of a topic that was created a moment ago, so it is asked for a while.
            wait_until(
                lambda: admin.describe_topics([self.topic])[0]["error_code"] == 0, 1.5, f"the topic {self.topic}"
            )
        except WaitTimeout:
            answer = for_code(admin.describe_topics([self.topic])[0]["error_code"])
            raise RefusedByKafka(
                f"There is no topic {self.topic!r} to publish to.",
                seen=f"{answer.__name__}",
                do=f"Create it first: cluster.create_topic({self.topic!r}, partitions=10, replication=3)",
            ) from None
        finally:
            admin.close()

    def _run(self) -> None:
        step = TICK * self.lapse
        while not self._stop.is_set():
            now = time.monotonic()
            with self._lock:
                self._rate.mark(now, self._acknowledged)
                waiting = self._sent - self._acknowledged - self._failed
            until = min((now - self._zero) * self.lapse, self._event_time + step)
            if waiting >= MOST_WAITING or until - self._event_time < step / 2:
                self._stop.wait(TICK / 2)
                continue
            for report in self.fleet.reports(self._event_time, until):
                self._send(report)
            with self._lock:
                self._event_time = until

    def _send(self, report: Report) -> None:
        with self._lock:
            self._sent += 1
        if self._on_sent is not None:
            self._tell(self._on_sent, report)
        try:
            # No timestamp is set: event time lies in the past, so retention would delete the records.
            future = self._producer.send(self.topic, key=report.key, value=report.value)
        except Exception as error:
            self._fail(report, error)
            return
        future.add_callback(self._acknowledge, report)
        future.add_errback(self._fail, report)

    def _acknowledge(self, report: Report, metadata: Any) -> None:
        with self._lock:
            self._acknowledged += 1
        if self._on_acknowledged is not None:
            self._tell(self._on_acknowledged, report, metadata.partition, metadata.offset)

    def _fail(self, report: Report, error: Exception) -> None:
        with self._lock:
            self._failed += 1
            self._last_error = f"{type(error).__name__}: {error}"
        if self._on_failed is not None:
            self._tell(self._on_failed, report, error)

    def _tell(self, listener: Callable[..., object], *what: object) -> None:
        try:
            listener(*what)
        except Exception as error:
            with self._lock:
                self._last_error = f"a callback failed: {type(error).__name__}: {error}"


def _close(producer: Any, timeout: float) -> None:
    """Close within ``timeout`` seconds; records unacknowledged by then fail, and their callbacks are called."""
    from kafka.errors import KafkaError

    try:
        producer.close(timeout=timeout)
    except KafkaError:
        # If records are left over, close() gives up before it ends its thread; these are the steps it left out.
        producer._sender.force_close()
        producer._sender.join(timeout=5.0)
        producer.close(timeout=0)
