"""What Spark says of a failure, cut down to the line that matters."""

from __future__ import annotations

import pytest

from kafkalab.streams.failures import cause, failed

MISSING = """[STREAM_FAILED] Query terminated with exception: UnknownTopicOrPartition SQLSTATE: XXKST
=== Streaming Query ===
Caused by: java.util.concurrent.ExecutionException: org.apache.kafka.common.errors.UnknownTopicOrPartitionException
\tat org.apache.kafka.common.internals.KafkaFutureImpl.get(KafkaFutureImpl.java:165)
Caused by: org.apache.kafka.common.errors.UnknownTopicOrPartitionException: There is no such topic-partition.
\t... 23 more"""

PYTHON = """[STREAM_FAILED] Query terminated with exception: [FOREACH_BATCH_USER_FUNCTION_ERROR] An error occurred
Caused by: py4j.Py4JException: An exception was raised by the Python Proxy. Traceback (most recent call last):
  File "x.py", line 3, in call
    1 / 0
ZeroDivisionError: division by zero

\tat py4j.Protocol.getReturnValue(Protocol.java:476)
Caused by: java.lang.RuntimeException: wrapped
"""

GONE = "java.lang.IllegalStateException: Set(trucks-0) are gone, data may have been lost"


@pytest.mark.parametrize(
    "message, seen, do",
    [
        (MISSING, "UnknownTopicOrPartitionException: There is no such topic-partition.", "Create the topic"),
        (PYTHON, "ZeroDivisionError: division by zero", "Python function"),
        (GONE, "IllegalStateException: Set(trucks-0) are gone, data may have been lost",
         "new checkpoint"),
        ("Caused by: org.apache.kafka.common.errors.TimeoutException: Timed out waiting for a node assignment.",
         "TimeoutException: Timed out waiting for a node assignment.", "No broker answered"),
        ("java.lang.OutOfMemoryError: Java heap space", "OutOfMemoryError: Java heap space", "memory="),
        ("[SOMETHING_ELSE] odd", "[SOMETHING_ELSE] odd", "start the stream again"),
        ("", "no message", "start the stream again"),
    ],
)  # fmt: skip
def test_the_cause_and_the_advice(message: str, seen: str, do: str) -> None:
    error = failed("map", message, log="last line")
    assert error.seen == seen
    assert do in error.do
    assert str(error).startswith("The stream 'map' stopped on an error.")
    assert "last line" in str(error)


def test_a_cause_is_one_line_of_a_readable_length() -> None:
    assert len(cause("java.lang.Error: " + "x" * 5000)) == 300
    assert "\n" not in cause(PYTHON)
