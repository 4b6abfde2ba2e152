"""Calls: the requests that a client in this kernel sent to each broker, read from kafka-python's log, and a picture."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final

from kafkalab.course.drawing import Svg

if TYPE_CHECKING:
    from kafkalab.handles.cluster import Cluster

# --- A picture of a client's calls: time goes down; the client and each broker have a column.


#: Requests in plain words; all others keep Kafka's name.
WORDS: Final = {
    "Metadata": "who is there, who leads what?",
    "InitProducerId": "a producer id, please",
    "Produce": "records",
    "Fetch": "more records, please",
}
_CLIENT, _COLUMN, _TOP, _ROW, _FOOT = 330.0, 104.0, 74.0, 30.0, 44.0


def drawn(calls: Sequence[Call]) -> list[Call]:
    """Return the calls to draw: without the ApiVersions requests, and with equal calls in a row only once."""
    out: list[Call] = []
    for call in calls:
        if call.request != "ApiVersions" and (not out or out[-1] != call):
            out.append(call)
    return out


def to_svg(client: str, brokers: Sequence[int], calls: Sequence[Call]) -> str:
    """Return the picture as SVG for light and dark pages."""
    rows = drawn(calls)
    width = _CLIENT + _COLUMN * len(brokers) + 110
    height = _TOP + _ROW * max(1, len(rows)) + _FOOT
    svg = Svg(width, height, f"Whom {client} called", "; ".join(f"{call.broker}: {label(call)}" for call in rows))
    x = {id: _CLIENT + _COLUMN * (n + 1) for n, id in enumerate(brokers)}
    _head(svg, _CLIENT, client, "the client", True, height)
    for id in brokers:
        called = any(call.broker == id for call in rows)
        _head(svg, x[id], str(id), "broker" if called else "not called", called, height)
    for n, call in enumerate(rows):
        if call.broker in x:
            _arrow(svg, x[call.broker], _TOP + _ROW * (n + 0.6), call)
    _legend(svg, height - 14, any(call.lost for call in rows))
    return svg.to_string()


def label(call: Call) -> str:
    """Return a call in words."""
    if call.lost:
        return f"no connection: {call.lost}"
    return f"{call.request}: {WORDS[call.request]}" if call.request in WORDS else call.request


def _head(svg: Svg, x: float, name: str, below: str, spoken: bool, height: float) -> None:
    svg.rect(x - 38, 12, 76, 44, fill="panel", stroke="accent" if spoken else "line", rx=8)
    svg.text(x, 31, name, bold=True, size=14, anchor="middle", limit=9)
    svg.text(x, 47, below, fill="soft", size=10.5, anchor="middle")
    svg.line(x, 56, x, height - _FOOT + 8, "line")


def _arrow(svg: Svg, end: float, y: float, call: Call) -> None:
    colour = "bad" if call.lost else "soft" if call.bootstrap else "accent"
    dashes = "6 4" if call.bootstrap else None
    svg.text(_CLIENT - 52, y + 4, label(call), size=12, anchor="end", limit=48)
    svg.text(end + 8, y + 4, call.at, fill="soft", size=10, limit=24)
    if call.lost:
        _line(svg, end - 26, y, colour, dashes)
        svg.text(end - 18, y + 5, "✕", fill=colour, bold=True, size=15, anchor="middle")
        return
    _line(svg, end - 8, y, colour, dashes)
    svg.path(f"M{end - 9} {y - 5} L{end} {y} L{end - 9} {y + 5} Z", fill=colour)


def _line(svg: Svg, end: float, y: float, colour: str, dashes: str | None) -> None:
    svg.circle(_CLIENT, y, 3, fill=colour)
    svg.line(_CLIENT, y, end, y, colour, stroke_width=2, stroke_dasharray=dashes)


def _legend(svg: Svg, y: float, lost: bool) -> None:
    entries = [
        ("soft", "6 4", "by the address it was given"),
        ("accent", None, "by an address that the metadata named"),
    ]
    at = 20.0
    for colour, dashes, words in entries:
        svg.line(at, y - 4, at + 34, y - 4, colour, stroke_width=2, stroke_dasharray=dashes)
        svg.text(at + 42, y, words, fill="soft", size=11)
        at += 230
    if lost:
        svg.text(at + 60, y, "✕ no answer", fill="bad", size=11)


#: The logger to which kafka-python reports each request sent and each response received.
_LOG: Final = logging.getLogger("kafka.net.connection")
#: Prefix of the names that bootstrap connections have in place of a broker id.
_BOOTSTRAP: Final = "bootstrap"


@dataclass(frozen=True, slots=True)
class Call:
    """A request of the client: the broker's id (None: not a broker of the cluster), and the request's name.

    ``bootstrap``: the client used an address that it was given, not one from the metadata. ``lost``: the system's name
    for the error ("ECONNREFUSED") if there was no connection, or it broke; else empty. ``at``: the address it called.
    """

    broker: int | None
    request: str
    bootstrap: bool
    lost: str = ""
    at: str = ""


class Calls(logging.Handler):
    """Captures the requests that a client sends during the block::

        with Calls(cluster, "shop") as calls:
            producer = KafkaProducer(bootstrap_servers=one, client_id="shop")

    ``made``: its requests in their order. ``learned``: id → address of the brokers in the first Metadata response.

    :param client_id: the client's id; other clients in this kernel are ignored.
    :param more: further addresses (address → broker id), for listeners that the cluster does not report.
    """

    def __init__(self, cluster: Cluster, client_id: str, more: Mapping[str, int] | None = None) -> None:
        super().__init__(logging.DEBUG)
        self.client_id = client_id
        self.made: list[Call] = []
        self.learned: dict[int, str] = {}
        found = cluster.snapshot().brokers
        self._brokers = sorted(b.id for b in found)
        self._known = {f"{b.host}:{b.port}": b.id for b in found} | dict(more or {})
        self._before = (_LOG.level, _LOG.propagate)

    def to(self, request: str) -> list[int]:
        """Return the ids of the brokers that got this request ("Produce", "Metadata", …), sorted, each once."""
        return sorted({call.broker for call in self.made if call.request == request and call.broker is not None})

    @property
    def bootstrap(self) -> list[int]:
        """Ids of the brokers that the client called by an address it had been given."""
        return sorted({call.broker for call in self.made if call.bootstrap and call.broker is not None})

    def to_svg(self) -> str:
        """Return the calls as an SVG picture: time goes down; the client and each broker have a column."""
        return to_svg(self.client_id, self._brokers, self.made)

    def __enter__(self) -> Calls:
        self._before = (_LOG.level, _LOG.propagate)
        _LOG.addHandler(self)
        _LOG.setLevel(logging.DEBUG)
        # Keep these debug lines away from the other handlers.
        _LOG.propagate = False
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        _LOG.removeHandler(self)
        level, _LOG.propagate = self._before
        _LOG.setLevel(level)

    def emit(self, record: logging.LogRecord) -> None:
        """Take in a line of kafka-python's log; called on the client's own thread."""
        args = record.args
        if not isinstance(args, tuple) or len(args) < 2:
            return
        connection: Any = args[0]
        what: Any = args[-1]
        if getattr(connection, "config", {}).get("client_id") != self.client_id:
            return
        kind = type(what).__name__
        if isinstance(what, Exception):
            self.made.append(replace(self._call(connection, ""), lost=_reason(what)))
        elif kind.endswith("Request"):
            self.made.append(self._call(connection, kind.removesuffix("Request")))
        elif kind == "MetadataResponse" and not self.learned:
            self.learned = {b.node_id: f"{b.host}:{b.port}" for b in what.brokers}

    def _call(self, connection: Any, request: str) -> Call:
        if isinstance(connection.node_id, int):
            return Call(connection.node_id, request, False, at=self.learned.get(connection.node_id, ""))
        # The transport gives "host:port<-own port".
        where = connection.transport.host_port().partition("<-")[0] if connection.transport else ""
        return Call(self._known.get(where), request, str(connection.node_id).startswith(_BOOTSTRAP), at=where)

    def __repr__(self) -> str:
        given = {True: " (bootstrap)", False: ""}
        return "\n".join(
            f"{self.client_id} → {call.broker}{given[call.bootstrap]} at {call.at or '?'}: {label(call)}"
            for call in self.made
        )

    def _repr_html_(self) -> str:
        return self.to_svg()


def _reason(error: Exception) -> str:
    """Return the system's name for an error, "ECONNREFUSED", if kafka-python gives it; else the end of its message."""
    said = str(error).rpartition(": ")[2]
    named = re.search(r"\bE[A-Z]{3,}\b", said)
    return named[0] if named else said[:40] or type(error).__name__
