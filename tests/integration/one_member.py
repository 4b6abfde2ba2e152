"""One member of a consumer group, a process of its own: ``one_member.py BOOTSTRAP GROUP CLIENT TOPIC [ASSIGNOR]``.

Polls until its standard input ends, then leaves the group politely; killed, it leaves without a word. Its session times
out after SESSION seconds, long enough that a busy machine does not cost a member its place; a heartbeat every twentieth
of that tells it soon of a rebalance.
"""

from __future__ import annotations

import sys
import threading

from kafka import KafkaConsumer
from kafka.coordinator.assignors.cooperative_sticky import CooperativeStickyAssignor
from kafka.coordinator.assignors.range import RangePartitionAssignor

SESSION = 5.0
ASSIGNORS = {"range": RangePartitionAssignor, "cooperative-sticky": CooperativeStickyAssignor}


def main(bootstrap: str, group: str, client: str, topic: str, assignor: str = "range") -> None:
    consumer = KafkaConsumer(
        topic, bootstrap_servers=bootstrap, group_id=group, client_id=client, auto_offset_reset="earliest",
        session_timeout_ms=round(SESSION * 1000), heartbeat_interval_ms=round(SESSION * 50),
        partition_assignment_strategy=(ASSIGNORS[assignor],), auto_commit_interval_ms=500,
    )  # fmt: skip
    over = threading.Event()
    threading.Thread(target=lambda: (sys.stdin.read(), over.set()), daemon=True).start()
    while not over.is_set():
        consumer.poll(3000)
    consumer.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
