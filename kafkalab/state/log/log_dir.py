"""The files of a broker's logs, read as bytes: where a record really lies."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Protocol

from kafkalab.errors import KafkalabError, NodeFailed

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
