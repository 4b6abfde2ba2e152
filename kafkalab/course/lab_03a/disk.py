"""Reads and draws what a broker has written: the bytes of a partition, the batches in them, a record to the byte."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from kafkalab.errors import KafkalabError, NotSupported
from kafkalab.state.log.batch import Batch
from kafkalab.state.log.segments import Found, SegmentFiles

if TYPE_CHECKING:
    from kafkalab.course.figures import Drawing
    from kafkalab.state.log.segments import LogDir
    from kafkalab.state.model import Snapshot
    from kafkalab.views.record.view import RecordView


class OnDisk(Protocol):
    """The part of a cluster that is needed to read its disks."""

    def snapshot(self) -> Snapshot:
        """Return the cluster's state as it is now."""

    def log_dir(self, broker: int) -> LogDir | None:
        """Return the log files of a broker; None if they are out of reach."""


def bytes_of(cluster: OnDisk, topic: str, partition: int = 0) -> bytes:
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

    :raises KafkalabError: as :func:`bytes_of`, or there is no such offset.
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
            f"There is no leader of partition {partition} of {topic!r}, if there is such a partition.",
            do="Run the cells above that make it.",
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


def record(cluster: OnDisk, topic: str, offset: int, partition: int = 0) -> RecordView:
    """Return a picture of the record at an offset and of its batch, to the byte, from the leader's disk."""
    from kafkalab.views.record.view import RecordView

    return RecordView.of(found_on_disk(cluster, topic, partition, offset), topic, partition, offset)


def record_of(batch: Batch, topic: str) -> RecordView:
    """Return such a picture of a batch that lies nowhere but in memory."""
    from kafkalab.views.record.view import RecordView

    return RecordView.of(Found(batch, -1, "the copy"), topic)


#: Colours of the figures: a batch's header and what goes alone; records and what goes together.
_HEADER, _RECORDS = "#b0691a", "#2f6fc4"


def batches_drawn(ways: Mapping[str, Sequence[Batch]]) -> Drawing:
    """Return the first batches of each way to send, side by side: their headers and their records, by size."""
    from kafkalab.course.figures import Drawing, label, new_figure

    figure, axes = new_figure("61 bytes of header (brown) for each batch of records (blue)", height=2.2)
    rows = list(ways.items())[::-1]
    for row, (_, batches) in enumerate(rows):
        at = 0
        for batch in batches[:12]:
            axes.broken_barh([(at, 61)], (row - 0.3, 0.6), color=_HEADER)
            records = [(at + 61 + one.at, one.size) for one in batch.records]
            axes.broken_barh(records, (row - 0.3, 0.6), color=_RECORDS, edgecolor="white")
            at += batch.header.size
    axes.set(xlim=(0, 2400), yticks=range(len(rows)), yticklabels=[name for name, _ in rows])
    label(axes, "bytes from the beginning of the leader's file", "")
    said = "; ".join(
        f"{name}: {len(batches)} headers, {sum(b.header.size for b in batches)} bytes" for name, batches in ways.items()
    )
    return Drawing(figure, f"Headers and records on the disk. {said}.")


def codecs_drawn(taken: Mapping[tuple[str, int], float]) -> Drawing:
    """Return the bytes a report for each (codec, batch size), where a batch size of 0 is one report a batch."""
    from kafkalab.course.figures import Drawing, label, legend, new_figure

    figure, axes = new_figure("The same 100 reports, in ten ways", height=3.2)
    codecs = list(dict.fromkeys(codec for codec, _ in taken))
    for name, alone, colour in (("one by one", True, _HEADER), ("together", False, _RECORDS)):
        sizes = [
            next(size for (c, most), size in taken.items() if c == codec and (most == 0) == alone) for codec in codecs
        ]
        places = [n - 0.2 if alone else n + 0.2 for n in range(len(codecs))]
        axes.bar_label(axes.bar(places, sizes, width=0.38, color=colour, label=name), fmt="%.0f", fontsize=8)
    axes.set_xticks(range(len(codecs)), codecs)
    label(axes, "", "bytes a report, on disk")
    legend(axes)
    said = "; ".join(
        f"{codec} {'together' if most else 'one by one'}: {size:.0f}" for (codec, most), size in taken.items()
    )
    return Drawing(figure, f"Bytes a report: a codec saves little one by one, and most of it together. {said}.")
