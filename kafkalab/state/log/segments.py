"""The files of a broker's logs, read as bytes, and where in them a record's batch lies."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from kafkalab.errors import BadInput, KafkalabError, NodeFailed
from kafkalab.state.log.batch import HEADER_SIZE, Batch, Header, UnreadableBatch

_SEGMENT = re.compile(r"\d{20}\.log")


class LogDir(Protocol):
    """The data folder of one broker, for reading only; the broker may be running, paused, or down."""

    def segments(self, topic: str, partition: int) -> tuple[tuple[str, int], ...]:
        """Return the segment files of a partition as (name, bytes), oldest first; none if the broker has no copy."""

    def read(self, topic: str, partition: int, segment: str, at: int, size: int) -> bytes:
        """Return ``size`` bytes of a segment from ``at`` on; fewer at its end, none when it is gone."""


def is_segment(name: str) -> bool:
    """Return whether a file name is a log segment's: twenty digits, the offset it begins at, and ``.log``."""
    return _SEGMENT.fullmatch(name) is not None


class LocalLogDir:
    """The data folder of a broker on this machine. See :class:`LogDir`."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def segments(self, topic: str, partition: int) -> tuple[tuple[str, int], ...]:
        """Return the segment files of a partition as (name, bytes), oldest first."""
        try:
            files = [p for p in (self.path / f"{topic}-{partition}").iterdir() if is_segment(p.name)]
            return tuple(sorted((p.name, p.stat().st_size) for p in files))
        except FileNotFoundError:
            return ()  # no copy, or retention deleted a file meanwhile: the next look sees what is left
        except OSError as e:
            raise _unreadable(e) from e

    def read(self, topic: str, partition: int, segment: str, at: int, size: int) -> bytes:
        """Return ``size`` bytes of a segment from ``at`` on."""
        try:
            with (self.path / f"{topic}-{partition}" / segment).open("rb") as f:
                f.seek(at)
                return f.read(size)
        except FileNotFoundError:
            return b""
        except OSError as e:
            raise _unreadable(e) from e


def _unreadable(e: OSError) -> KafkalabError:
    return NodeFailed("The broker's log cannot be read.", seen=f"{type(e).__name__}: {e.strerror}")


# --- Where a record's batch lies.


#: Bytes read at once while batches are passed over; the batch that is found is read whole, even if it is longer.
WINDOW = 256 * 1024


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A batch before or after the one that was looked for: its first and last offset."""

    base: int
    last: int


@dataclass(frozen=True, slots=True)
class Found:
    """A batch and where it came from.

    ``segment`` and ``at``: the file and the position in it; "" and 0 for a fetch. ``broker``: the one whose copy it is,
    or -1 for a batch that is in memory only.
    ``previous`` and ``next``: the batches before and after it, where they are known.
    """

    batch: Batch
    broker: int
    segment: str = ""
    at: int = 0
    previous: Neighbour | None = None
    next: Neighbour | None = None


class BatchSource(Protocol):
    """A source of the batches of one partition."""

    def find(self, offset: int) -> Found | None:
        """Return the batch that holds the offset, else the first one after it; None when there is none."""


class SegmentFiles:
    """A broker's own copy of a partition, read from its segment files. See :class:`BatchSource`.

    The broker is not asked, so this works while it is paused or down too, and it shows records that are not yet
    replicated.
    """

    def __init__(self, folder: LogDir, broker: int, topic: str, partition: int) -> None:
        self._folder = folder
        self.broker = broker
        self._topic, self._partition = topic, partition

    def find(self, offset: int) -> Found | None:
        """Return the batch that holds the offset, else the first one after it; None when there is none.

        :raises BadInput: the broker has no copy of the partition.
        :raises UnreadableBatch: something else lies before the batch, or only the beginning of it is written.
        """
        segments = self._folder.segments(self._topic, self._partition)
        if not segments:
            raise BadInput(
                f"Broker {self.broker} has no log of {self._topic}, partition {self._partition}.",
                do="Choose a broker that has a replica of the partition.",
            )
        # A segment is named by the offset it begins at. In the one before is the batch before, if this begins with it.
        first = max((i for i, (name, _) in enumerate(segments) if int(name[:20]) <= offset), default=0)
        previous = None
        batches = self._batches(segments[max(0, first - 1) :])
        for name, at, header in batches:
            if header.last_offset >= offset:
                batch = Batch.read(self._read(name, at, header.size))
                return Found(batch, self.broker, name, at, previous, _neighbour(batches))
            previous = Neighbour(header.base_offset, header.last_offset)
        return None

    def _batches(self, segments: tuple[tuple[str, int], ...]) -> Iterator[tuple[str, int, Header]]:
        """Yield every batch's segment, its position there, and its header."""
        for name, size in segments:
            window, begin, at = b"", 0, 0
            while at < size:
                if at + HEADER_SIZE > begin + len(window):
                    window, begin = self._read(name, at, min(WINDOW, size - at)), at
                    if not window:
                        break  # retention deleted the file
                header = Header.read(window, at - begin)
                yield name, at, header
                at += header.size

    def _read(self, name: str, at: int, size: int) -> bytes:
        return self._folder.read(self._topic, self._partition, name, at, size)


def _neighbour(batches: Iterator[tuple[str, int, Header]]) -> Neighbour | None:
    """Return the next batch; None if there is none, or it is being written just now."""
    try:
        header = next(batches)[2]
    except (StopIteration, UnreadableBatch):
        return None
    return Neighbour(header.base_offset, header.last_offset)
