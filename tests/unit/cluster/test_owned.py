"""Which line of a node's log says why it ended."""

from __future__ import annotations

import pytest

from kafkalab.cluster.owned import telling

BEGIN = "INFO Registered `kafka:type=kafka.Log4jController` MBean (kafka.utils.Log4jControllerRegistration$)\n"
EXITING = "ERROR Exiting Kafka due to fatal exception (kafka.Kafka$)\n"
NO_META = "java.lang.RuntimeException: No readable meta.properties files found.\n\tat org.apache…"


@pytest.mark.parametrize(
    "log, why",
    [
        (BEGIN + EXITING + NO_META, NO_META.splitlines()[0]),
        (BEGIN + "ERROR of yesterday\n" + BEGIN + "INFO x\n" + EXITING + NO_META, NO_META.splitlines()[0]),
        (
            BEGIN + "ERROR Error while writing\njava.io.IOException: No space left on device\n" + EXITING,
            "java.io.IOException: No space left on device",
        ),
        (BEGIN + EXITING, EXITING.strip()),
        ("Error: Unable to initialize\nlast words", "last words"),
        ("java.lang.OutOfMemoryError: x\n", "java.lang.OutOfMemoryError: x"),
        ("", "its log is empty"),
    ],
)
def test_the_line_that_tells(log, why):
    assert telling(log) == why
