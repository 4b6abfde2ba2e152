"""Judges lab 03's exercise on bytes: a dict of hostile values becomes JSON that any reader understands."""

from __future__ import annotations

import json
import math
from random import Random
from typing import Any

from kafkalab.checks.judging import Wrong, call, kind_of

_DRIVERS = ("Zoë Ødegård", "Łukasz Żak", "Иван", "李娜", 'Ann "Red" O\'Hara', "back\\slash", "two\nlines", "🚚")
#: A pickle of Python's begins with this byte, whatever is in it.
_PICKLE = b"\x80"


def encoded(answer: Any) -> str:
    """Judge 03.1 on reports that nobody has seen, among them all that is known to go wrong."""
    random = Random()
    for report in [*map(_report, range(len(_DRIVERS)), [random] * len(_DRIVERS)), {}]:
        given = call(answer, dict(report))
        back = _read(given)
        for name, value in report.items():
            _same(name, value, back)
        extra = back.keys() - report.keys()
        if extra:
            raise Wrong(f"It came back with a field that was not in it: {sorted(extra)[0]!r}.")
    return "Names in any script, no value, below zero, beyond 64 bits, not a number: all came back as they were."


def _report(case: int, random: Random) -> dict[str, Any]:
    return {
        "truck_id": f"T{random.randrange(10_000):04}",
        "driver": _DRIVERS[case],
        "latitude": -random.uniform(0, 90),
        "odometer_mm": random.randrange(2**63, 2**70),
        "speed_kmh": math.nan if case % 2 else round(random.uniform(0, 120), 1),
        "note": None if case % 3 else "",
        "moving": bool(case % 2),
    }


def _read(given: Any) -> dict[str, Any]:
    """What a strict reader gets out of the bytes."""
    if isinstance(given, str):
        raise Wrong("It returned text. A producer takes bytes, and text has to be encoded first.")
    if not isinstance(given, bytes):
        raise Wrong(f"It should return bytes, and returned {kind_of(given)}.")
    if given[:1] == _PICKLE:
        raise Wrong("That is a pickle: only Python reads it, and whoever reads it runs what the sender put in.")
    try:
        text = given.decode()
    except UnicodeDecodeError as error:
        raise Wrong(f"A reader that expects UTF-8 stops at byte {error.start}. In which encoding is this?") from None
    try:
        back = json.loads(text, parse_constant=_refuse)
    except _NoNumber as no:
        raise Wrong(f"There is {no} in the text. Python writes and reads that, but JSON has no such thing.") from None
    except ValueError as error:
        if text.startswith("{'"):
            raise Wrong("That is how Python prints a dict. It looks like JSON, and no JSON reader takes it.") from None
        raise Wrong(f"A JSON reader stops: {error}.") from None
    if not isinstance(back, dict):
        raise Wrong(f"A JSON reader gets {kind_of(back)} out of it, and a dict went in.")
    return back


class _NoNumber(Exception):
    """NaN or Infinity in a text that claims to be JSON."""


def _refuse(constant: str) -> Any:
    raise _NoNumber(constant)


def _same(name: str, value: Any, back: dict[str, Any]) -> None:
    if name not in back:
        raise Wrong(f"The field {name!r}, which was {value!r}, is gone.")
    got = back[name]
    if isinstance(value, float) and math.isnan(value):
        if got is not None:
            raise Wrong(f"{name} was not a number, and should travel as null; it came back as {got!r}.")
    elif type(got) is not type(value) or got != value:
        raise Wrong(f"{name} went in as {value!r}, and came back as {got!r}.")
