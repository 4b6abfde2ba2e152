"""A Metadata request built byte by byte, sent to one broker, and decoded: so a client learns of the other brokers."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from kafkalab.cluster import probe
from kafkalab.errors import BadInput, Unreachable

_METADATA, _VERSION, _CORRELATION, _CLIENT = 3, 7, 1, "lab05"
_PATIENCE: Final = 10.0
_ROW: Final = 16

#: A field of a request: its bytes, and their meaning.
Field = tuple[bytes, str]


@dataclass(frozen=True, slots=True)
class Metadata:
    """A broker's answer to a Metadata request.

    ``brokers``: id → the address it advertises. ``leaders``: topic → partition → id of its leader (-1: none).
    ``controller``: id of the controller; in KRaft any broker's id, because each one forwards requests to the active
    controller. ``request`` and ``response``: the bytes, with the length in front. ``bytes_each``: average number of
    bytes for a broker in the answer.
    """

    asked: str
    request: bytes
    response: bytes
    cluster_id: str | None
    controller: int
    brokers: dict[int, str]
    leaders: dict[str, dict[int, int]]
    bytes_each: int = 0

    def __str__(self) -> str:
        lines = [f"{len(self.response)} bytes from {self.asked}, decoded:"]
        lines += [f"  broker {id} is at {address}" for id, address in sorted(self.brokers.items())]
        for topic, leaders in sorted(self.leaders.items()):
            lines += [f"  {topic} P{partition} is led by {leader}" for partition, leader in sorted(leaders.items())]
        return "\n".join(lines)

    __repr__ = __str__


def ask(address: str, *topics: str) -> Metadata:
    """Ask the broker at ``host:port`` for the cluster's brokers, and for the leaders of these topics' partitions.

    :raises BadInput: that is not an address, or there is no such topic.
    :raises Unreachable: no broker answers there.
    """
    from kafka.protocol.metadata import MetadataResponse

    host, _, port = address.rpartition(":")
    if not host or not port.isdigit():
        raise BadInput(f"{address!r} is not an address.", do='Write "host:port", one of them.')
    request = b"".join(part for part, _ in fields(topics))
    body = probe.send(host, int(port), request, _PATIENCE)
    if isinstance(body, probe.Failed):
        raise Unreachable(f"No broker answers at {address}.", seen=body.words)
    answer = MetadataResponse[_VERSION].decode(body, header=True)
    unknown = [topic.name for topic in answer.topics if topic.error_code]
    if unknown:
        raise BadInput(f"There is no topic {unknown[0]!r}.", do="Run the cells above that create it.")
    return Metadata(
        address,
        request,
        struct.pack(">i", len(body)) + body,
        answer.cluster_id,
        answer.controller_id,
        {b.node_id: f"{b.host}:{b.port}" for b in answer.brokers},
        {t.name: {p.partition_index: p.leader_id for p in t.partitions} for t in answer.topics},
        # Id, host with its length, port, rack with its length.
        sum(4 + 2 + len(b.host) + 4 + 2 + len(b.rack or "") for b in answer.brokers) // max(1, len(answer.brokers)),
    )


def fields(topics: Sequence[str] = ()) -> list[Field]:
    """Return the fields of the request in order: the bytes of each, and their meaning."""
    parts: list[Field] = [
        (struct.pack(">h", _METADATA), "which request: 3, Metadata"),
        (struct.pack(">h", _VERSION), f"its version: {_VERSION}"),
        (struct.pack(">i", _CORRELATION), "a number that the answer will carry too"),
        (_text(_CLIENT), f'who asks: "{_CLIENT}"'),
        (struct.pack(">i", len(topics)), f"topics asked about: {len(topics)}"),
        *((_text(topic), f'"{topic}"') for topic in topics),
        (b"\x00", "do not create them"),
    ]
    length = sum(len(part) for part, _ in parts)
    return [(struct.pack(">i", length), f"{length} bytes follow"), *parts]


def table(parts: Sequence[Field]) -> str:
    """Return fields as lines of hexadecimal bytes, with their meaning beside them."""
    lines = []
    for part, means in parts:
        for at in range(0, len(part), _ROW):
            lines.append(f"{part[at : at + _ROW].hex(' '):<{3 * _ROW}} {means if at == 0 else ''}".rstrip())
    return "\n".join(lines)


def _text(value: str) -> bytes:
    encoded = value.encode()
    return struct.pack(">h", len(encoded)) + encoded
