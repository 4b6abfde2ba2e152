"""Spark's messages of a failure: the one line that matters is found, and advice for it."""

from __future__ import annotations

import pytest

from kafkalab.state.stream import cause
from kafkalab.streams import jvm
from kafkalab.streams.jvm import failed, jvm_ended

MISSING = """[STREAM_FAILED] Query terminated with exception: UnknownTopicOrPartition SQLSTATE: XXKST
Caused by: java.util.concurrent.ExecutionException: org.apache.kafka.common.errors.UnknownTopicOrPartitionException
Caused by: org.apache.kafka.common.errors.UnknownTopicOrPartitionException: There is no such topic-partition.
\t... 23 more"""

PYTHON = """[STREAM_FAILED] Query terminated with exception: [FOREACH_BATCH_USER_FUNCTION_ERROR] An error occurred
Caused by: py4j.Py4JException: An exception was raised by the Python Proxy. Traceback (most recent call last):
  File "x.py", line 3, in call
ZeroDivisionError: division by zero
\tat py4j.Protocol.getReturnValue(Protocol.java:476)
Caused by: java.lang.RuntimeException: wrapped
"""

GONE = "IllegalStateException: Set(trucks-0) are gone, data may have been lost"
LATE = "TimeoutException: Timed out waiting for a node assignment."


def test_the_cause_and_the_advice() -> None:
    for message, seen, do in (
        (MISSING, "UnknownTopicOrPartitionException: There is no such topic-partition.", "Create the topic"),
        (PYTHON, "ZeroDivisionError: division by zero", "Python function"),
        (f"java.lang.{GONE}", GONE, "new checkpoint"),
        (f"Caused by: org.apache.kafka.common.errors.{LATE}", LATE, "No broker answered"),
        ("java.lang.OutOfMemoryError: Java heap space", "OutOfMemoryError: Java heap space", "memory="),
        ("[SOMETHING_ELSE] odd", "[SOMETHING_ELSE] odd", "start the stream again"),
        ("", "no reason was given", "start the stream again"),
    ):
        error = failed("map", message, log="last line")
        assert error.seen == seen and do in error.do
        assert "'map'" in str(error) and "last line" in str(error)
    assert len(cause("java.lang.Error: " + "x" * 5000)) == 300


def test_a_call_that_broke_off_waits_for_java_to_be_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    """The connection breaks a moment before the process is gone; an exception in Java is no such break."""
    monkeypatch.setattr(jvm, "exit_code", lambda patience: -9 if patience else None)
    ended = jvm_ended("An error occurred while calling o88.isActive")
    assert ended is not None and "signal 9" in ended.seen
    assert jvm_ended("An error occurred while calling o88.start.\n: org.apache.spark.SparkException: no") is None
