"""Schemas of a recording's facts: each fact is checked before it is used, because anybody may have made the file.

A check gets a value and the one before it, which has passed already. It skips the parts that both share (a patch shares
everything it does not touch), so that checking an hour of patches takes only as long as checking the changes.
Tracks that are not listed here may be plain JSON of any shape; their readers check them (``history/tracks``).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any, get_args

from kafkalab.history.facts import Json
from kafkalab.state.model import Event, Mode, Role, State

#: A check: (value, the value before it or None) → whether the value is good.
Check = Callable[[Json, Json], bool]

#: Maximum characters of a text, characters of a record batch in base64, and elements of a list or an object.
LONGEST_TEXT, LONGEST_BATCH, LONGEST_LIST = 4096, 8 * 2**20, 100_000
#: Maximum nesting depth of plain JSON.
DEEPEST = 40
#: Limits that every offset and every time (Unix seconds) is below.
_LARGEST, _LATEST = 2**63, 1e11
_MISSING = object()


def text(most: int = LONGEST_TEXT) -> Check:
    """Return a check for a string of at most ``most`` characters."""
    return lambda value, _: type(value) is str and len(value) <= most


def whole(least: int = 0, most: int = _LARGEST) -> Check:
    """Return a check for a whole number from ``least`` to below ``most``."""
    return lambda value, _: type(value) is int and least <= value < most


def seconds(value: Json, _: Json) -> bool:
    """Check for a time or a duration, in seconds."""
    return type(value) in (int, float) and 0 <= value < _LATEST


def truth(value: Json, _: Json) -> bool:
    """Check for true or false."""
    return type(value) is bool


def one_of(*words: str | None) -> Check:
    """Return a check for one of these strings (or None, if it is among them)."""
    return lambda value, _: (value is None or type(value) is str) and value in words


def maybe(check: Check) -> Check:
    """Return a check for None or a value that passes ``check``."""
    return lambda value, was: value is None or check(value, was)


def each(check: Check, most: int = LONGEST_LIST) -> Check:
    """Return a check for a list of at most ``most`` elements that all pass ``check``."""

    def checked(value: Json, was: Json) -> bool:
        if type(value) is not list or len(value) > most:
            return False
        known = was if type(was) is list else []
        for i, element in enumerate(value):
            before = known[i] if i < len(known) else _MISSING
            if element is not before and not check(element, None if before is _MISSING else before):
                return False
        return True

    return checked


def tuple_of(*checks: Check) -> Check:
    """Return a check for a list with one element for each of these checks, in their order."""
    return lambda value, _: (
        type(value) is list
        and len(value) == len(checks)
        and all(check(element, None) for check, element in zip(checks, value, strict=True))
    )


def having(must: Mapping[str, Check], may: Mapping[str, Check] | None = None, *, only: bool = False) -> Check:
    """Return a check for an object that has the fields of ``must``; with ``only``, no others but those of ``may``."""
    every = {**must, **(may or {})}

    def checked(value: Json, was: Json) -> bool:
        if type(value) is not dict or any(name not in value for name in must):
            return False
        if only and any(name not in every for name in value):
            return False
        known = was if type(was) is dict else {}
        for name, check in every.items():
            inner = value.get(name, _MISSING)
            before = known.get(name, _MISSING)
            if inner is _MISSING or inner is before:
                continue
            if not check(inner, None if before is _MISSING else before):
                return False
        return True

    return checked


def named(check: Check, most: int = LONGEST_LIST) -> Check:
    """Return a check for an object with any keys, at most ``most``, whose values all pass ``check``."""

    def checked(value: Json, was: Json) -> bool:
        if type(value) is not dict or len(value) > most:
            return False
        known = was if type(was) is dict else {}
        for key, inner in value.items():
            before = known.get(key, _MISSING)
            if type(key) is not str or len(key) > LONGEST_TEXT:
                return False
            if inner is not before and not check(inner, None if before is _MISSING else before):
                return False
        return True

    return checked


def plain(value: Json, was: Json, depth: int = 0) -> bool:
    """Check for JSON of any shape that is not nested too deeply."""
    if value is was and value is not None:
        return True
    kind = type(value)
    if kind is dict:
        known = was if type(was) is dict else {}
        return depth < DEEPEST and all(
            type(key) is str and plain(inner, known.get(key), depth + 1) for key, inner in value.items()
        )
    if kind is list:
        before = was if type(was) is list else []
        return depth < DEEPEST and all(
            plain(inner, before[i] if i < len(before) else None, depth + 1) for i, inner in enumerate(value)
        )
    if kind is float:
        return math.isfinite(value)
    return kind is not int or -_LARGEST <= value < 2 * _LARGEST


_NAME = text(300)
_ID = whole(-1, 2**31)
_ID_OR_NONE = maybe(_ID)
_PORT = whole(0, 2**16)
_OFFSET = whole(-1)
_PARTITION = whole(0, 2**31)
_IDS = each(_ID, 1000)
_PLACE = tuple_of(_NAME, _PARTITION)

_BROKER = having({"id": _ID, "host": maybe(_NAME), "port": maybe(_PORT), "alive": truth}, {"rack": maybe(_NAME)})
_COPY = having(
    {
        "partition": _PARTITION, "leader": maybe(_ID), "replicas": _IDS, "isr": _IDS,
        "start": maybe(_OFFSET), "end": maybe(_OFFSET),
    },
    {"leader_epoch": maybe(_ID), "behind": each(tuple_of(_ID, whole(-_LARGEST)), 1000)},
)  # fmt: skip
_TOPIC = having({"name": _NAME, "partitions": each(_COPY)}, {"internal": truth})
_MEMBER = having({"member_id": _NAME, "client_id": _NAME, "partitions": each(_PLACE)}, {"host": _NAME})
_COMMITTED = having(
    {"topic": _NAME, "partition": _PARTITION, "committed": maybe(_OFFSET), "lag": maybe(whole(-_LARGEST))}
)
_GROUP = having(
    {
        "group_id": _NAME, "state": _NAME, "coordinator": maybe(_ID), "members": each(_MEMBER),
        "offsets": each(_COMMITTED),
    },
    {"assignor": _NAME, "type": _NAME},
)  # fmt: skip
_QUORUM_NODE = having(
    {"id": _ID, "role": maybe(_NAME), "alive": truth},
    {
        "port": maybe(_PORT), "lag": maybe(whole(-_LARGEST)), "log_end": maybe(_OFFSET),
        "fetched_ago": maybe(seconds), "caught_up_ago": maybe(seconds), "voter": truth,
    },
)  # fmt: skip
_QUORUM = having(
    {"kind": one_of(*get_args(Mode)), "leader": maybe(_ID), "epoch": maybe(_OFFSET), "nodes": each(_QUORUM_NODE)},
    {"high_watermark": maybe(_OFFSET)},
)
_SNAPSHOT = having(
    {
        "cluster_id": maybe(_NAME), "mode": one_of(*get_args(Mode), None), "controller": maybe(_ID), "at": seconds,
        "brokers": each(_BROKER), "topics": each(_TOPIC), "groups": each(_GROUP),
    },
    {"quorum": maybe(_QUORUM), "problems": each(text(), 1000)},
)  # fmt: skip
_NODE = having(
    {"name": _NAME, "role": one_of(*get_args(Role)), "id": _ID, "state": one_of(*get_args(State))},
    {"port": maybe(_PORT), "pid": maybe(whole()), "container": maybe(_NAME), "severable": truth},
    only=True,
)
_KIND = re.compile("[a-z_]{1,40}")
_EVENT = having(
    {"at": seconds, "kind": lambda value, _: type(value) is str and _KIND.fullmatch(value) is not None, "text": text()},
    {"topic": maybe(_NAME), "partition": maybe(_PARTITION), "broker": maybe(_ID)}
    | dict.fromkeys(("group", "node", "verb"), maybe(_NAME)),
)


def _batch(value: Json, _: Json) -> bool:
    """Check for a record batch, or a stretch without one. Most facts are batches, so this is written out for speed."""
    if type(value) is not list or len(value) != 5:
        return False
    leader, epoch, first, after, data = value
    return (
        _ID_OR_NONE(leader, None)
        and _ID_OR_NONE(epoch, None)
        and type(first) is int
        and type(after) is int
        and 0 <= first < after < _LARGEST
        and (data is None or (type(data) is str and len(data) <= LONGEST_BATCH))
    )


#: First word of a track's name → its sort ("set": a state, "add": a list), and the check for its value or items.
_SHAPES: dict[str, tuple[str, Check]] = {
    "snapshot": ("set", maybe(_SNAPSHOT)),
    "nodes": ("set", maybe(named(_NODE, 1000))),
    "events": ("add", _EVENT),
    "named": ("add", text(80)),
    "batches": ("add", _batch),
    "group": ("set", plain),
    "znodes": ("set", plain),
    "watches": ("add", plain),
    "metadata": ("add", plain),
    "stream": ("add", plain),
    "ledger": ("set", plain),
}
_EVENT_FIELDS = frozenset(field.name for field in fields(Event))


def schema_for(track: str) -> tuple[str | None, Check]:
    """Return the schema of a track: its sort ("set", "add"; None: either), and the check for its value or items."""
    return _SHAPES.get(track.partition("/")[0], (None, plain))


def known_part(track: str, item: Any) -> Any:
    """Return an item without the fields that a later version may have added."""
    if track == "events" and item.keys() - _EVENT_FIELDS:
        return {name: value for name, value in item.items() if name in _EVENT_FIELDS}
    return item


__all__ = ["DEEPEST", "Check", "known_part", "plain", "schema_for"]
