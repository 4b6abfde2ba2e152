"""The producers of the durability matrix: one attempt for each record, and every answer kept as it was given."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from kafkalab.checks.durability_cell import Acks, Setting, Spell
from kafkalab.checks.ledger import Ledger
from kafkalab.waiting import wait_until

#: Seconds after which a producer gives a record up. No answer of this experiment takes as long.
PATIENCE = 10.0


class Writers:
    """Sends identified records for every cell, and keeps what came of each.

    :param places: each cell's (topic, partition).
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
                    # One attempt: what is counted is what an acknowledgement is worth, not how often one may ask again.
                    retries=0, enable_idempotence=False, allow_auto_create_topics=False,
                    # A request that waits for followers must not keep the next one from being sent.
                    max_in_flight_requests_per_connection=100,
                    request_timeout_ms=int(1000 * PATIENCE), delivery_timeout_ms=int(1000 * PATIENCE) + 100,
                    max_block_ms=int(1000 * PATIENCE),
                )  # fmt: skip
        except BaseException:
            self.close()
            raise

    def send(self, name: str, count: int) -> None:
        """Send so many more records to each cell, and return when all of them are on their way."""
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
        # Nothing tells this in public: that the last batch has left every producer for a socket.
        wait_until(
            lambda: not any(producer._accumulator.has_undrained() for producer in self._producers.values()),
            PATIENCE,
            "every record to be sent",
            period=0.005,
        )

    def answered(self, cells: Callable[[Setting], bool], what: str) -> None:
        """Wait until the producers have an answer, good or bad, for all they sent to these cells."""
        open_ = [
            future
            for setting, spells in self._spells.items()
            if cells(setting)
            for _, futures in spells
            for future in futures
        ]
        wait_until(lambda: all(future.is_done for future in open_), PATIENCE + 5, what, period=0.005)

    def spells(self, setting: Setting) -> tuple[Spell, ...]:
        """What was said of a cell's records, stretch by stretch."""
        found = []
        for name, futures in self._spells[setting]:
            said = Counter(
                (type(f.exception).__name__, str(f.exception)) for f in futures if f.is_done and f.exception is not None
            )
            good = sum(f.is_done and f.exception is None for f in futures)
            found.append(Spell(name, len(futures), good, tuple((e, text, n) for (e, text), n in said.most_common())))
        return tuple(found)

    def close(self) -> None:
        """Let go of the brokers; what has no answer by now gets none."""
        with quiet():
            for producer in self._producers.values():
                producer.close(timeout=0.2)


def _group(setting: Setting) -> tuple[Acks, int]:
    """The cells that share a producer.

    A broker answers the requests of one connection in turn: a refusal, which comes at once, would otherwise wait behind
    records of another topic that wait for followers.
    """
    return setting.acks, setting.min_insync if setting.acks == "all" else 0


@contextmanager
def quiet() -> Iterator[None]:
    """kafka-python logs every connection that breaks; here they are broken on purpose."""
    logger = logging.getLogger("kafka")
    before = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(before)
