"""The calls of a client as one picture: time goes down, a column for the client and for each broker."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from kafkalab.views.svg import Svg

if TYPE_CHECKING:
    from kafkalab.checks.lab_05_calls import Call

#: Requests in plain words; the rest are called as Kafka calls them.
WORDS: Final = {
    "Metadata": "who is there, who leads what?",
    "InitProducerId": "a producer id, please",
    "Produce": "records",
    "Fetch": "more records, please",
}
_CLIENT, _COLUMN, _TOP, _ROW, _FOOT = 330.0, 104.0, 74.0, 30.0, 44.0


def drawn(calls: Sequence[Call]) -> list[Call]:
    """The calls that are drawn: not the greeting of each connection, and one that is made again at once only once."""
    out: list[Call] = []
    for call in calls:
        if call.request != "ApiVersions" and (not out or out[-1] != call):
            out.append(call)
    return out


def to_svg(client: str, brokers: Sequence[int], calls: Sequence[Call]) -> str:
    """The picture, for light and dark pages."""
    rows = drawn(calls)
    width = _CLIENT + _COLUMN * len(brokers) + 60
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
    """A call in words."""
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
        svg.text(at + 60, y, "✕ nobody answered", fill="bad", size=11)
