"""Why a stream stopped, in a sentence: Spark's answer is a hundred lines of Java."""

from __future__ import annotations

import re
import signal
from typing import Final

from kafkalab.errors import KafkalabError
from kafkalab.streams import jvm


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

#: What py4j says when nobody answers any more; the last, without any reason, of a call that was under way.
_BROKEN = re.compile(
    r"Answer from Java side is empty|Error while (?:sending|receiving)|Connection (?:refused|reset)"
    r"|An error occurred while calling [\w.]+\Z"
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


def jvm_ended(message: str = "") -> StreamFailed | None:
    """The error to raise because Spark's Java process has ended; None while it lives.

    :param message: what py4j says, if it failed: the connection breaks a moment before the process is gone.
    """
    code = jvm.exit_code(5 if _BROKEN.search(message) else 0)
    if code is None:
        return None
    if code == -signal.SIGKILL:
        seen = "it was killed (signal 9), as the system does when memory runs out"
    else:
        seen = f"it ended with {code}"
    return StreamFailed(
        "Spark's Java process has ended, and all streams with it.",
        seen=seen,
        do="Restart this kernel and run the notebook again. If memory is short, close the kernels of other notebooks "
        "first, or set KAFKALAB_PROFILE=small before you start kafkalab.",
        log=jvm.log_tail(6),
    )


def failed(name: str, message: str, log: str = "") -> StreamFailed:
    """The error for a query of that name, from what Spark says of it."""
    if (ended := jvm_ended(message)) is not None:
        return ended
    do = next(
        (advice for pattern, advice in _ADVICE if re.search(pattern, message)), "Mend it, and start the stream again."
    )
    return StreamFailed(f"The stream {name!r} stopped on an error.", seen=cause(message), do=do, log=log)
