"""Why a stream stopped, in a sentence: Spark's answer is a hundred lines of Java."""

from __future__ import annotations

import re
from typing import Final

from kafkalab.errors import KafkalabError


class StreamFailed(KafkalabError):
    """A streaming query ended on an error."""


#: What is found in the message → what to do about it; the first that fits counts.
_ADVICE: Final = (
    (
        r"UnknownTopicOrPartition|does not host this topic-partition|not present in metadata",
        "Create the topic first: cluster.create_topic(…). cluster.snapshot() lists the ones there are.",
    ),
    (
        r"offset.{0,60}was changed from|data may have been lost|OffsetOutOfRange|partitions? .{0,80}(?:gone|missing)",
        "The topic is not the one the checkpoint remembers (deleted and made anew, or expired records): "
        "start with a new checkpoint.",
    ),
    (
        r"TimeoutException|Timed out waiting for a node|No resolvable bootstrap|disconnected",
        "No broker answered in time: look at cluster.view(), start what is down, and start the stream again.",
    ),
    (r"OutOfMemoryError|Java heap space", 'Restart the kernel and give Spark more: kafkalab.spark(memory="1g").'),
    (r"NOT_ENOUGH_REPLICAS|NotEnoughReplicas", "Start brokers until the topic has min.insync.replicas in sync."),
    (r"PythonException|Traceback", "Mend the Python function named there, and start the stream again."),
)

_NOISE = re.compile(r"^\s*(?:at |\.\.\. \d+ more|Driver stacktrace|==|SQLSTATE)")
_CAUSE = re.compile(r"(?:Caused by: |^)(?:[a-z]\w*\.)+([A-Z]\w*(?:Exception|Error))(?:: (.*))?$")
_PYTHON = re.compile(r"^(?:\w+\.)*(\w*(?:Error|Exception|Warning|Interrupt))(?::\s*(.*))?$")


def cause(message: str) -> str:
    """The innermost cause in what Spark says of a failure, as "Exception: text" in one line of 300 characters at most.

    A Python function's own error comes first, because it is the learner's; then Java's last "Caused by".
    """
    lines = [line.strip() for line in message.splitlines() if line.strip() and not _NOISE.match(line)]
    if "Traceback (most recent call last)" in message:
        for line in reversed(lines):
            found = _PYTHON.match(line)
            if found and not line.startswith(("org.", "java.", "scala.")):
                return line[:300]
    causes = [found for line in lines if (found := _CAUSE.search(line))]
    if causes:
        name, text = causes[-1].groups()
        return f"{name}: {text}"[:300] if text else name
    return (lines[0] if lines else "no message")[:300]


def failed(name: str, message: str, log: str = "") -> StreamFailed:
    """The error for a query of that name, from what Spark says of it."""
    do = next(
        (advice for pattern, advice in _ADVICE if re.search(pattern, message)), "Mend it, and start the stream again."
    )
    return StreamFailed(f"The stream {name!r} stopped on an error.", seen=cause(message), do=do, log=log)
