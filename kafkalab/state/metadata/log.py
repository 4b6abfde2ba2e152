"""KRaft's metadata log: the records that the controllers wrote, decoded by Kafka's own ``kafka-dump-log``.

The log is a topic's partition like any other, ``__cluster_metadata-0``, and every node has a copy in its data folder.
While nothing happens its leader writes an empty record twice a second; those are left out before the tool is asked.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kafkalab.errors import NotSupported
from kafkalab.state.log.batch import HEADER_SIZE, UnreadableBatch, whole_batches
from kafkalab.state.log.segments import LogDir
from kafkalab.state.model import Snapshot

TOPIC = "__cluster_metadata"
#: Maximum bytes of the newest segment that are read, and number of its last batches that are decoded.
READ_AT_MOST, DECODED_AT_MOST = 16 * 2**20, 5000
#: Timeout for decoding, seconds: it starts a JVM, which takes longer on a busy machine.
TOOL_SECONDS = 60.0

#: A batch of one NoOpRecord: 1 record; its value is frame version 1, type 20, version 0, and no tagged fields.
_NO_OP = b"\x01\x14\x00\x00"
_LINE = re.compile(r"^\| offset: (\d+) CreateTime: (\d+) .*?(?:payload|(LeaderChange|\w+)): (\{.*\})$")


@dataclass(frozen=True, slots=True)
class MetadataRecord:
    """A record of the metadata log.

    ``type`` is Kafka's name for it: RegisterBrokerRecord, PartitionChangeRecord, LeaderChange, … ``at`` is when the
    leader appended it, Unix seconds. ``data`` are its fields as the tool prints them.
    """

    offset: int
    at: float
    type: str
    data: Mapping[str, Any]


Tool = Callable[..., str]


def read_metadata_log(log_dir: LogDir, tool: Tool) -> tuple[MetadataRecord, ...]:
    """Return the newest records of a node's copy, oldest first, without the empty ones; this starts a JVM.

    :param tool: :meth:`kafkalab.Cluster.tool`.
    :raises KafkalabError: the file cannot be read, or the tool failed.
    """
    segments = log_dir.segments(TOPIC, 0)
    if not segments:
        return ()
    name, size = segments[-1]
    # Read from the very beginning, because batches are found one after the other.
    kept = list(telling(log_dir.read(TOPIC, 0, name, 0, min(size, READ_AT_MOST))))[-DECODED_AT_MOST:]
    if not kept:
        return ()
    with tempfile.TemporaryDirectory(prefix="kafkalab-metadata-") as folder:
        copy = Path(folder) / f"{int.from_bytes(kept[0][:8]):020}.log"
        copy.write_bytes(b"".join(kept))
        return records(tool("kafka-dump-log", "--cluster-metadata-decoder", "--files", str(copy), timeout=TOOL_SECONDS))


def log_dir_of(cluster: Any, snapshot: Snapshot | None) -> LogDir:
    """Return the data folder of a broker that is in reach, preferably of one that is alive.

    :param cluster: :class:`kafkalab.Cluster`, or a stand-in.
    :raises NotSupported: all of them are out of reach.
    """
    brokers = sorted(snapshot.brokers, key=lambda b: not b.alive) if snapshot else []
    folder = getattr(cluster, "log_dir", lambda broker: None)
    for broker in brokers:
        log_dir: LogDir | None = folder(broker.id)
        if log_dir is not None:
            return log_dir
    raise NotSupported(
        "The metadata log is on the brokers' disks, which are out of reach from here.",
        do="Run on a broker's machine: kafka-dump-log --cluster-metadata-decoder --files …/__cluster_metadata-0/….log",
    )


def telling(segment: bytes) -> Iterator[bytes]:
    """Yield the batches of a segment's bytes that are whole and hold more than an empty record."""
    with suppress(UnreadableBatch):  # the file's end was not written before the machine stopped
        for batch in whole_batches(segment):
            if not (batch.header.record_count == 1 and _NO_OP in batch.data[HEADER_SIZE:]):
                yield batch.data


def records(printed: str) -> tuple[MetadataRecord, ...]:
    """Return the records that ``kafka-dump-log --cluster-metadata-decoder`` printed."""
    found = []
    for line in printed.splitlines():
        match = _LINE.match(line)
        if match is None:
            continue
        offset, at, control, text = match.groups()
        content = json.loads(text)
        # As Kafka's documents write it: PARTITION_CHANGE_RECORD → PartitionChangeRecord.
        type = control or "".join(word.capitalize() for word in content["type"].split("_"))
        if type != "NoOpRecord":  # in a batch with others
            found.append(MetadataRecord(int(offset), int(at) / 1000, type, content if control else content["data"]))
    return tuple(found)
