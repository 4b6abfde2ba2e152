"""Lab 03 reads a broker's disk: the bytes of a partition, and the batches in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from kafkalab.errors import KafkalabError, NotSupported
from kafkalab.state.log.batch import Batch
from kafkalab.state.log.segments import Found, SegmentFiles

if TYPE_CHECKING:
    from kafkalab.state.log.log_dir import LogDir
    from kafkalab.state.model import Snapshot


class OnDisk(Protocol):
    """The part of a cluster that is needed to read its disks."""

    def snapshot(self) -> Snapshot:
        """Return the cluster's state as it is now."""

    def log_dir(self, broker: int) -> LogDir | None:
        """Return the log files of a broker; None if they are out of reach."""


def on_disk(cluster: OnDisk, topic: str, partition: int = 0) -> bytes:
    """Return the bytes of a partition from the segment files of its leader.

    :raises KafkalabError: there is no such partition, or it has no leader.
    :raises NotSupported: the broker's disk is out of reach.
    """
    folder, _ = _leaders(cluster, topic, partition)
    return b"".join(
        folder.read(topic, partition, name, 0, size) for name, size in folder.segments(topic, partition) if size
    )


def found_on_disk(cluster: OnDisk, topic: str, partition: int, offset: int) -> Found:
    """Return the batch that holds an offset, and its place on the leader's disk, for a still picture.

    :raises KafkalabError: as :func:`on_disk`, or there is no such offset.
    """
    folder, leader = _leaders(cluster, topic, partition)
    found = SegmentFiles(folder, leader, topic, partition).find(offset)
    if found is None:
        raise KafkalabError(f"There is no record at offset {offset} of {topic}, partition {partition}.")
    return found


def _leaders(cluster: OnDisk, topic: str, partition: int) -> tuple[LogDir, int]:
    """Return the disk of a partition's leader, and the leader's id."""
    there = cluster.snapshot().topic(topic)
    found = next((p for p in there.partitions if p.partition == partition), None) if there else None
    if found is None or found.leader is None:
        raise KafkalabError(
            f"Nobody leads partition {partition} of {topic!r}, if there is one.", do="Run the cells above that make it."
        )
    folder = cluster.log_dir(found.leader)
    if folder is None:
        raise NotSupported(
            "The disks of this cluster are out of reach.", do="Run this lab on a cluster of your own: Cluster()."
        )
    return folder, found.leader


def batches_in(raw: bytes) -> list[Batch]:
    """Return the record batches in the bytes of a log, where they follow each other without gaps.

    :raises UnreadableBatch: the bytes hold something else too, or the last batch is cut off.
    """
    found, at = [], 0
    while at < len(raw):
        batch = Batch.read(raw, at)
        found.append(batch)
        at += batch.header.size
    return found
