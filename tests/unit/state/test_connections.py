"""Brokers that refuse, hang up or say nothing: small servers on loopback. The real ones are in tests/integration."""

from __future__ import annotations

import contextlib
import logging
import socket
import socketserver
import threading
from collections.abc import Iterator

import pytest
from kafka.protocol.metadata import MetadataRequest

from kafkalab.errors import Unreachable
from kafkalab.state.capture import Capture
from kafkalab.state.connections import Connections, NoAnswer
from tests.support.threads import Begun


@contextlib.contextmanager
def silent() -> Iterator[str]:
    """Takes calls and never says a word, as the kernel does for a paused broker."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield f"127.0.0.1:{listening.getsockname()[1]}"


@contextlib.contextmanager
def rude() -> Iterator[str]:
    """Takes calls and hangs up."""
    with socketserver.TCPServer(("127.0.0.1", 0), socketserver.BaseRequestHandler) as listening:
        thread = threading.Thread(target=listening.serve_forever, args=(0.01,))
        thread.start()
        yield f"127.0.0.1:{listening.server_address[1]}"
        listening.shutdown()
        thread.join()


@contextlib.contextmanager
def nobody() -> Iterator[str]:
    with silent() as address:
        pass
    yield address


@pytest.mark.parametrize(
    "broker, why",
    [(silent, "does not answer"), (nobody, "refuses connections"), (rude, "closed the connection")],
    ids=["silent", "nobody", "rude"],
)
def test_no_answer_says_why_and_kafka_python_says_nothing(broker, why: str, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG), broker() as address, contextlib.closing(Connections(address)) as ask:
        node = ask.bootstrap_nodes()[0]
        answers = ask.ask([(node, MetadataRequest(topics=[]))] * 2, 0.3)
        assert [(type(a), str(a)) for a in answers] == [(NoAnswer, why)] * 2
    assert {r.levelno for r in caplog.records} <= {logging.DEBUG}
    logging.getLogger("kafka.net.manager").warning("the learner's own")
    assert "the learner's own" in caplog.text


def test_a_capture_of_nobody_is_unreachable_and_leaves_no_thread() -> None:
    threads = Begun("kafka-io-kafkalab")
    with silent() as one, nobody() as two:
        capture = Capture(f"{one},{two}", request_timeout=0.3)
        for _ in range(2):
            with pytest.raises(Unreachable) as caught:
                capture()
            assert caught.value.seen == "; ".join(sorted([f"{one} does not answer", f"{two} refuses connections"]))
        assert threads.now()
        capture.close()
    threads.end()
