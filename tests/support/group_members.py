"""Members of consumer groups, each a process of its own."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from subprocess import DEVNULL, PIPE, Popen

from kafkalab import Cluster
from tests.integration import one_member


@contextmanager
def members(cluster: Cluster, group: str, topic: str, *clients: str) -> Iterator[dict[str, Popen[bytes]]]:
    """One a client id; each leaves politely when its standard input ends. Who still runs at the end is killed."""
    about = [sys.executable, one_member.__file__, cluster.bootstrap_servers, group]
    running = {client: Popen([*about, client, topic], stdin=PIPE, stdout=DEVNULL, stderr=DEVNULL) for client in clients}
    try:
        yield running
    finally:
        for process in running.values():
            process.kill()
            process.communicate()
