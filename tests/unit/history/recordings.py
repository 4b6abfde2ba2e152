"""Small recordings for tests: a few seconds by hand, or any lines."""

from __future__ import annotations

import base64
import gzip
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from kafkalab.handles.recording import Recording
from kafkalab.history.facts import Header
from kafkalab.history.file import FORMAT, RecordingFile
from kafkalab.state.model import Broker, Event, NodeState, Partition, Snapshot, Topic
from kafkalab.state.patch import diff

BEGAN = 1_790_000_000.0
HEADER = Header(BEGAN, "lab", "local processes", "zookeeper", "3.9.2", "an-id")


def snapshot(second: int, leader: int = 101) -> Snapshot:
    brokers = tuple(Broker(id, "127.0.0.1", 9000 + id, True) for id in (101, 102, 103))
    partitions = tuple(Partition("t", p, leader, (101, 102, 103), (101, 102, 103), 0, 10 * second, 1) for p in range(3))
    return Snapshot("an-id", "zookeeper", 101, BEGAN + second, brokers, (Topic("t", partitions),))


def fill(recording: Recording, seconds: int = 60) -> None:
    """A leader moves after a third of the time."""
    nodes = {f"broker-{id}": asdict(NodeState(f"broker-{id}", "broker", id, "running")) for id in (101, 102, 103)}
    recording.put(0.0, "nodes", "set", diff(None, nodes))
    was: Any = None
    for second in range(seconds):
        moved = second >= seconds // 3
        now = snapshot(second, 102 if moved else 101).to_dict()
        recording.put(second, "snapshot", "set", diff(was, now))
        was = now
        if second == seconds // 3:
            event = Event(BEGAN + second, "leader_moved", "t P0: leader 101 → 102", "t", 0, 102)
            recording.put(second, "events", "add", asdict(event))
        batch = base64.b64encode(bytes([second % 256]) * 80).decode()
        recording.put(second, "batches/t/0", "add", [101, 1, 10 * second, 10 * second + 10, batch])
        recording.grown()


def begun(path: Path) -> Recording:
    """One that is being recorded into a file."""
    recording = Recording(HEADER)
    recording.begin(None, RecordingFile(path, asdict(HEADER)))  # type: ignore[arg-type]
    return recording


def written(path: Path, seconds: int = 60) -> Recording:
    """A recording in a file, which was ended properly."""
    recording = begun(path)
    fill(recording, seconds)
    return recording.stop()


def made(path: Path, *told: Any, header: Any = None) -> Path:
    """A file of any lines: JSON of what is given, or bytes as they are."""
    first = {"kafkalab": "recording", "format": FORMAT, **asdict(HEADER)} if header is None else header
    rows = [one if isinstance(one, bytes) else json.dumps(one).encode() for one in (first, *told)]
    path.write_bytes(gzip.compress(b"\n".join(rows) + b"\n"))
    return path
