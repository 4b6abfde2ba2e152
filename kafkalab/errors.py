"""Every error kafkalab raises says what was wrong, what was seen, and what to do next.

Two more are where they are raised: StreamFailed in :mod:`kafkalab.streams.jvm`, UnreadableBatch in
:mod:`kafkalab.state.log.batch`.
"""

from __future__ import annotations


class KafkalabError(Exception):
    """The base of all errors here: a sentence, what was seen, what to do, and the end of the log that explains it."""

    def __init__(self, what: str, *, seen: str = "", do: str = "", log: str = "") -> None:
        self.what = what
        self.seen = seen
        self.do = do
        self.log = log
        super().__init__(what)

    def __str__(self) -> str:
        lines = [self.what]
        if self.seen:
            lines.append(f"  seen: {self.seen}")
        if self.do:
            lines.append(f"  do:   {self.do}")
        if self.log:
            lines.append("  log:")
            lines.extend(f"    {line}" for line in self.log.splitlines())
        return "\n".join(lines)

    @property
    def said(self) -> str:
        """The sentence and what to do, for a picture; what was seen is for the person who writes the code."""
        return f"{self.what} {self.do}".strip()


class BadInput(KafkalabError, ValueError):
    """The request itself is wrong: a bad topic name, 0 partitions, a mode that does not exist."""


class NoSuchNode(BadInput, KeyError):
    """The cluster has no such node."""

    # KeyError prints the repr of its argument; learners should read the sentence instead.
    __str__ = KafkalabError.__str__


class JavaMissing(KafkalabError):
    """No Java that fits was found."""


class JarsUnusable(KafkalabError):
    """A jar could not be fetched, did not match its sha256, or could not be stored."""


class StartFailed(KafkalabError):
    """A node, or the cluster as a whole, did not come up; nothing of it is left running."""


class NodeFailed(KafkalabError):
    """A node could not be stopped, killed, paused, resumed or started."""


class WaitTimeout(KafkalabError, TimeoutError):
    """The thing waited for did not happen before the deadline."""


class Unreachable(KafkalabError):
    """No broker answers at the given bootstrap servers."""


class RefusedByKafka(KafkalabError):
    """A broker answered, and refused."""


class ToolFailed(KafkalabError):
    """One of Kafka's own tools exited with an error."""


class NotSupported(KafkalabError):
    """This kind of cluster cannot do that."""
