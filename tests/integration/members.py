"""A consumer group in a process of its own: ``members.py BOOTSTRAP GROUP MEMBERS TOPIC…``.

Says "ready" when every partition is assigned and each member that holds any has committed offset 3 of its first one;
goes on polling, and ends when its standard input does. A thread a member: members that take turns in one thread can
miss each other's rebalances for minutes.
"""

from __future__ import annotations

import sys
import threading

from kafka import KafkaConsumer
from kafka.errors import KafkaError
from kafka.structs import OffsetAndMetadata, TopicPartition


def main(bootstrap: str, group: str, count: str, *topics: str) -> None:
    changed, over = threading.Condition(), threading.Event()
    settled: dict[str, frozenset[TopicPartition]] = {}
    wanted: set[TopicPartition] = set()

    def member(name: str) -> None:
        """Polls until it is over; commits the first partition of each assignment it gets."""
        consumer = KafkaConsumer(
            *topics, bootstrap_servers=bootstrap, group_id=group, client_id=name,
            enable_auto_commit=False, auto_offset_reset="earliest",
        )  # fmt: skip
        wanted.update(TopicPartition(t, p) for t in topics for p in consumer.partitions_for_topic(t) or ())
        while not over.is_set():
            consumer.poll(2000)
            held = frozenset(consumer.assignment())
            if held == settled.get(name):
                continue
            try:
                for tp in sorted(held)[:1]:
                    consumer.commit({tp: OffsetAndMetadata(3, "", -1)})
            except KafkaError:
                continue  # still rebalancing
            with changed:
                settled[name] = held
                changed.notify_all()
        consumer.close()

    def all_settled() -> bool:
        held = [tp for partitions in settled.values() for tp in partitions]
        return len(settled) == len(threads) and len(held) == len(set(held)) and set(held) == wanted

    def announce() -> None:
        with changed:
            changed.wait_for(lambda: over.is_set() or all_settled())
        print("ready", flush=True)

    threads = [threading.Thread(target=member, args=(f"member-{i}",)) for i in range(int(count))]
    for thread in threads:
        thread.start()
    threading.Thread(target=announce, daemon=True).start()
    sys.stdin.read()
    over.set()
    for thread in threads:
        thread.join()


if __name__ == "__main__":
    main(*sys.argv[1:])
