"""The log of one replica in the fake, as batches that point at what stands before them.

A follower that has caught up holds the leader's own object, so copying a log costs nothing, and cutting one short is
taking an older object.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Log:
    """A log up to ``end``, the offset of its next record; ``epoch``: which leader's the last batch is."""

    end: int = 0
    epoch: int = -1
    before: Log | None = None

    def append(self, count: int, epoch: int) -> Log:
        """The log with so many records more."""
        return Log(self.end + count, epoch, self)

    def holds(self, offset: int, epoch: int) -> bool:
        """Whether the record at that offset is the one that the leader of that epoch wrote there."""
        log = self
        while log.before is not None:
            if log.before.end <= offset:
                return offset < log.end and log.epoch == epoch
            log = log.before
        return False

    def __repr__(self) -> str:
        return f"<Log up to {self.end}, epoch {self.epoch}>"


EMPTY = Log()
