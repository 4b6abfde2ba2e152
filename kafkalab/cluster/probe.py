"""Asks one broker who it is: a single Metadata request on a socket of its own, bounded in time.

A port that answers proves nothing: it may be another cluster's broker, left over from yesterday. The answer here
carries the cluster id and every broker the cluster has registered.
"""

from __future__ import annotations

import socket
import time
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Answer:
    """What a broker says of its cluster; ``brokers``: id → (host, port), the registered ones.

    ``controller``: the controller's id in ZooKeeper mode; in KRaft any broker, for each forwards to the active one.
    """

    cluster_id: str | None
    controller: int | None
    brokers: dict[int, tuple[str, int]]


def ask(host: str, port: int, timeout: float = 1.0) -> Answer | str:
    """The broker's answer, or a few words on why there is none."""
    response = _metadata(host, port, [], timeout)
    if isinstance(response, str):
        return response
    controller = response.controller_id if response.controller_id >= 0 else None
    return Answer(response.cluster_id, controller, {b.node_id: (b.host, b.port) for b in response.brokers})


def leaders(host: str, port: int, topic: str, timeout: float = 1.0) -> dict[int, int] | str:
    """Who leads each partition of a topic as *this* broker knows it (-1: nobody); empty when it knows no such topic.

    Brokers hear of changes one after the other: for a moment one knows a topic that another does not.
    """
    response = _metadata(host, port, [topic], timeout)
    if isinstance(response, str):
        return response
    return {p.partition_index: p.leader_id for t in response.topics if not t.error_code for p in t.partitions}


def topics(host: str, port: int, timeout: float = 1.0) -> set[str] | str:
    """The names of the topics that *this* broker knows."""
    response = _metadata(host, port, None, timeout)
    return response if isinstance(response, str) else {t.name for t in response.topics}


def _metadata(host: str, port: int, topics: list[str] | None, timeout: float) -> Any:
    from kafka.protocol.metadata import MetadataRequest, MetadataResponse

    version = 7
    asked = None if topics is None else [MetadataRequest.MetadataRequestTopic(name=topic) for topic in topics]
    request = MetadataRequest[version](topics=asked, allow_auto_topic_creation=False)
    request.with_header(correlation_id=1, client_id="kafkalab-probe")
    end = time.monotonic() + timeout
    try:
        with socket.create_connection((host, port), timeout) as s:
            s.sendall(request.encode(header=True, framed=True))
            length = int.from_bytes(_read(s, 4, end), "big")
            if not 0 < length < 10_000_000:
                return f"{host}:{port} does not speak Kafka's protocol"
            body = _read(s, length, end)
    except TimeoutError:
        return f"{host}:{port} did not answer within {timeout:g} s"
    except OSError as e:
        return f"{host}:{port}: {e.strerror or e}"
    try:
        return MetadataResponse[version].decode(body, header=True)
    except Exception as e:  # whatever the bytes of a stranger make the decoder raise
        return f"{host}:{port} does not speak Kafka's protocol ({type(e).__name__})"


def _read(s: socket.socket, count: int, end: float) -> bytes:
    got = b""
    while len(got) < count:
        left = end - time.monotonic()
        if left <= 0:
            raise TimeoutError
        s.settimeout(left)
        more = s.recv(count - len(got))
        if not more:
            raise ConnectionResetError(104, "closed the connection")
        got += more
    return got
