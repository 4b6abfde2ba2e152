"""Processes that own clusters: a test starts one, and ends it in whatever way."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

OWNER = """
import json, os, signal, sys
from kafkalab import Cluster
cluster = Cluster(1, quiet=True, **json.loads(sys.argv[1]))
print(cluster.name, flush=True)
{then}
"""
WAIT = "signal.pause()"

#: Starts a process: what it does once its cluster is up, then what it asks of the cluster. With ``ready=False`` it is
#: not waited for. Returns it and the cluster's name.
Own = Callable[..., tuple[subprocess.Popen[str], str]]


@pytest.fixture
def own(home: object) -> Iterator[Own]:
    """Starts a process that owns a cluster of one broker; ends what is left of the process."""
    started = []

    def start(then: str = WAIT, ready: bool = True, **how: Any) -> tuple[subprocess.Popen[str], str]:
        source = OWNER.replace("{then}", then)
        process = subprocess.Popen(
            [sys.executable, "-c", source, json.dumps(how)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        if not ready:
            return process, str(how["name"])
        assert process.stdout is not None
        name = process.stdout.readline().strip()
        assert name, process.communicate()[1]
        return process, name

    yield start
    for process in started:
        process.kill()
        process.communicate()


def end(process: subprocess.Popen[str], number: signal.Signals) -> str:
    """Send it a signal and wait until it has ended; what it said on standard error."""
    process.send_signal(number)
    return process.communicate(timeout=60)[1]
