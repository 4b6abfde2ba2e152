"""A consumer group in a process of its own: ``members.py BOOTSTRAP GROUP MEMBERS TOPIC…``.

Says "ready" when every partition is assigned and each member that holds any has committed offset 3 of its first one;
goes on polling, and ends when its standard input does.
"""

from __future__ import annotations

import sys
import threading

from kafka import KafkaConsumer
from kafka.errors import KafkaError
from kafka.structs import OffsetAndMetadata


def main(bootstrap: str, group: str, members: str, *topics: str) -> None:
    consumers = [
        KafkaConsumer(
            *topics,
            bootstrap_servers=bootstrap,
            group_id=group,
            client_id=f"member-{i}",
            enable_auto_commit=False,
            auto_offset_reset="earliest",
        )
        for i in range(int(members))
    ]
    over = threading.Event()
    threading.Thread(target=lambda: (sys.stdin.read(), over.set()), daemon=True).start()
    wanted = {(topic, p) for topic in topics for p in consumers[0].partitions_for_topic(topic) or ()}
    ready = False
    while not over.is_set():
        for consumer in consumers:
            consumer.poll(50)
        held = [sorted(c.assignment()) for c in consumers]
        if not ready and {(tp.topic, tp.partition) for own in held for tp in own} == wanted:
            try:
                for consumer, own in zip(consumers, held, strict=True):
                    for tp in own[:1]:
                        consumer.commit({tp: OffsetAndMetadata(3, "", -1)})
            except KafkaError:
                continue  # still rebalancing
            ready = True
            print("ready", flush=True)
    for consumer in consumers:
        consumer.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
