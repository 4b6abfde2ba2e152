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


class Member(threading.Thread):
    """Polls until it is over; commits the first partition of each assignment it gets."""

    def __init__(
        self,
        changed: threading.Condition,
        over: threading.Event,
        name: str,
        topics: tuple[str, ...],
        **settings: object,
    ) -> None:
        super().__init__(name=name)
        self.changed = changed
        self.over = over
        self.consumer = KafkaConsumer(
            *topics, client_id=name, enable_auto_commit=False, auto_offset_reset="earliest", **settings
        )
        self.wanted = {TopicPartition(t, p) for t in topics for p in self.consumer.partitions_for_topic(t) or ()}
        self.settled: frozenset[TopicPartition] | None = None

    def run(self) -> None:
        while not self.over.is_set():
            self.consumer.poll(2000)
            held = frozenset(self.consumer.assignment())
            if held == self.settled:
                continue
            try:
                for tp in sorted(held)[:1]:
                    self.consumer.commit({tp: OffsetAndMetadata(3, "", -1)})
            except KafkaError:
                continue  # still rebalancing
            with self.changed:
                self.settled = held
                self.changed.notify_all()
        self.consumer.close()


def main(bootstrap: str, group: str, count: str, *topics: str) -> None:
    changed, over = threading.Condition(), threading.Event()
    members = [
        Member(changed, over, f"member-{i}", topics, bootstrap_servers=bootstrap, group_id=group)
        for i in range(int(count))
    ]
    for member in members:
        member.start()

    def all_settled() -> bool:
        held = [tp for m in members for tp in m.settled or ()]
        return len(held) == len(set(held)) and set(held) == members[0].wanted

    def announce() -> None:
        with changed:
            changed.wait_for(lambda: over.is_set() or all_settled())
        print("ready", flush=True)

    threading.Thread(target=announce, daemon=True).start()
    sys.stdin.read()
    over.set()
    for member in members:
        member.join()


if __name__ == "__main__":
    main(*sys.argv[1:])
