"""Brokers that refuse, hang up or say nothing: small servers on loopback. The real ones are in tests/integration."""

from __future__ import annotations

import contextlib
import logging

import pytest
from kafka.protocol.metadata import MetadataRequest

from kafkalab.errors import Unreachable
from kafkalab.state.capture import Capture
from kafkalab.state.connections import Connections, NoAnswer
from tests.support.servers import hangs_up, is_silent, server
from tests.support.threads import Begun


def test_no_answer_says_why_and_kafka_python_says_nothing(caplog: pytest.LogCaptureFixture) -> None:
    with server(is_silent) as silent, server(hangs_up) as rude, caplog.at_level(logging.DEBUG):
        for port, why, seconds in ((silent, "does not answer", 0.3), (rude, "closed the connection", 20.0)):
            with contextlib.closing(Connections(f"127.0.0.1:{port}")) as ask:
                answers = ask.ask([(ask.bootstrap_nodes()[0], MetadataRequest(topics=[]))] * 2, seconds)
            assert [(type(a), str(a)) for a in answers] == [(NoAnswer, why)] * 2
    assert {r.levelno for r in caplog.records} <= {logging.DEBUG}
    logging.getLogger("kafka.net.manager").warning("the learner's own")
    assert "the learner's own" in caplog.text


def test_a_capture_of_nobody_is_unreachable_and_leaves_no_thread() -> None:
    threads = Begun("kafka-io-kafkalab")
    with server(is_silent) as silent:
        with server(hangs_up) as closed:
            pass
        one, two = f"127.0.0.1:{silent}", f"127.0.0.1:{closed}"
        capture = Capture(f"{one},{two}", request_timeout=1.0)
        for _ in range(2):
            with pytest.raises(Unreachable) as caught:
                capture()
            assert caught.value.seen == "; ".join(sorted([f"{one} does not answer", f"{two} refuses connections"]))
        assert threads.now()
        capture.close()
    threads.end()
