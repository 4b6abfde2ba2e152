"""Asks one broker one question, on a socket of its own and within a time limit. Failures are returned, not raised.

That a port answers proves nothing: it may be another cluster's broker, left over from yesterday. So the answer contains
the cluster id and every broker that the cluster has registered.
"""

from __future__ import annotations

import errno
import socket
import time
from dataclasses import dataclass
from typing import Any, Literal

#: Kinds of failure. refused: no program listens there. silent: no answer at all. closed: accepted, then closed without
#: an answer. strange: it is not Kafka's protocol.
Failure = Literal["refused", "silent", "closed", "strange", "other"]

#: Maximum length of an answer, in bytes. The bytes of another protocol, read as a length, are mostly more.
_LONGEST = 100_000_000


@dataclass(frozen=True, slots=True)
class Failed:
    """A failure: its kind, and a message, the system's or our own."""

    kind: Failure
    words: str


def connect(ip: str, port: int, timeout: float) -> Failed | None:
    """Return why an IP address accepts no connection; None if it does."""
    try:
        socket.create_connection((ip, port), timeout).close()
    except ConnectionResetError:  # no refusal: the server accepted, and hung up before we looked
        return None
    except OSError as e:
        return _failed(e, timeout)
    return None


def answer(host: str, port: int, request: Any, kind: Any, timeout: float) -> Any:
    """Send a request of kafka-python's protocol classes; return the response, decoded by its ``kind``, or Failed."""
    end = time.monotonic() + timeout
    request.with_header(correlation_id=1, client_id="kafkalab-probe")
    try:
        with socket.create_connection((host, port), timeout) as s:
            s.sendall(bytes(request.encode(header=True, framed=True)))
            got = _received(s, 4, end)
            length = int.from_bytes(got, "big")
            # Every response carries the request's correlation id; all requests here have 1.
            if not 4 <= length < _LONGEST or _received(s, 4, end) != b"\0\0\0\1":
                return Failed("strange", "what it answered is not Kafka's protocol")
            body = b"\0\0\0\1" + _received(s, length - 4, end)
    except EOFError:
        return Failed("closed", "it closed the connection without an answer")
    except OSError as e:
        return _failed(e, timeout)
    try:
        return kind.decode(body, header=True)
    except Exception as e:  # the bytes of another protocol can make the decoder raise anything
        return Failed("strange", f"what it answered is not Kafka's protocol ({type(e).__name__})")


def _failed(e: OSError, timeout: float) -> Failed:
    if isinstance(e, TimeoutError) or e.errno == errno.ETIMEDOUT:
        return Failed("silent", f"nothing came back within {timeout:g} s")
    if isinstance(e, ConnectionRefusedError):
        return Failed("refused", "refused: no program listens there")
    if isinstance(e, (ConnectionResetError, BrokenPipeError)):
        return Failed("closed", "it reset the connection")
    return Failed("other", e.strerror or str(e))


def _received(s: socket.socket, count: int, end: float) -> bytes:
    got = bytearray()
    while len(got) < count:
        left = end - time.monotonic()
        if left <= 0:
            raise TimeoutError
        s.settimeout(left)
        more = s.recv(min(count - len(got), 1 << 20))
        if not more:
            raise EOFError
        got += more
    return bytes(got)


# --- A broker's answers: its cluster, its topics, its leaders.


@dataclass(frozen=True, slots=True)
class Answer:
    """A broker's description of its cluster; ``brokers``: id → (host, port), the registered ones.

    ``controller``: the controller's id in ZooKeeper mode; in KRaft any broker's, as each forwards to the active one.
    """

    cluster_id: str | None
    controller: int | None
    brokers: dict[int, tuple[str, int]]


def ask(host: str, port: int, timeout: float = 1.0) -> Answer | str:
    """Return the broker's answer, or a few words on why there is none."""
    response = _said(host, port, [], timeout)
    if isinstance(response, str):
        return response
    controller = response.controller_id if response.controller_id >= 0 else None
    return Answer(response.cluster_id, controller, {b.node_id: (b.host, b.port) for b in response.brokers})


def partitions(host: str, port: int, topic: str, timeout: float = 1.0) -> list[Any] | str:
    """Return a topic's partitions as *this* broker knows them, as kafka-python has them; none if it does not know it.

    Brokers learn of changes one after the other, so for a moment one knows a topic that another does not.
    """
    said = _said(host, port, [topic], timeout)
    return said if isinstance(said, str) else [p for t in said.topics if not t.error_code for p in t.partitions]


def leaders(host: str, port: int, topic: str, timeout: float = 1.0) -> dict[int, int] | str:
    """Return the leader of each partition (-1: none) as *this* broker knows it; empty for a topic it does not know."""
    found = partitions(host, port, topic, timeout)
    return found if isinstance(found, str) else {p.partition_index: p.leader_id for p in found}


def topics(host: str, port: int, timeout: float = 1.0) -> set[str] | str:
    """Return the names of the topics that *this* broker knows."""
    said = _said(host, port, None, timeout)
    return said if isinstance(said, str) else {t.name for t in said.topics}


def _said(host: str, port: int, topics: list[str] | None, timeout: float) -> Any:
    response = metadata(host, port, topics, timeout)
    return f"{host}:{port}: {response.words}" if isinstance(response, Failed) else response


def metadata(host: str, port: int, topics: list[str] | None, timeout: float) -> Any:
    """Return a broker's metadata response on some topics (None: on all), as kafka-python has it, or Failed."""
    from kafka.protocol.metadata import MetadataRequest, MetadataResponse

    version = 7
    asked = None if topics is None else [MetadataRequest.MetadataRequestTopic(name=topic) for topic in topics]
    request = MetadataRequest[version](topics=asked, allow_auto_topic_creation=False)
    return answer(host, port, request, MetadataResponse[version], timeout)
