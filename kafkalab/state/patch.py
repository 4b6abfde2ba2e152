"""Patch: the changes that turn one JSON state into another, so that only what changed is sent to the page.

A patch is a list of operations, each a list of plain JSON, applied in order (views/live.ts does it on the page):

- ``["set", path, value]``: put a value at a path; the path of a list's element ends with its number.
- ``["del", path]``: take a key out of an object.
- ``["cut", path, n]``: take the first n elements off a list.
- ``["end", path, n]``: keep only the first n elements of a list.
- ``["add", path, elements]``: append to a list.
"""

from __future__ import annotations

from typing import Any

#: Any JSON value. Objects have strings as keys.
Json = Any
Op = list[Any]


def diff(old: Json, new: Json) -> list[Op]:
    """Return the operations that turn ``old`` into ``new``; none when they are equal.

    Objects are compared key by key and lists element by element. A list that scrolled (its head is gone, or more came
    at its end) is sent as just that. When elements of a list move, all positions from the first difference on are sent
    again; so put things that move into an object, with a list of its keys beside it: an object's order is not sent.
    """
    ops: list[Op] = []
    _compare((), old, new, ops)
    return ops


def _compare(path: tuple[str | int, ...], old: Json, new: Json, ops: list[Op]) -> None:
    if old is new:
        return
    if isinstance(old, dict) and isinstance(new, dict):
        for key in old.keys() - new.keys():
            ops.append(["del", [*path, key]])
        for key, value in new.items():
            if key in old:
                _compare((*path, key), old[key], value, ops)
            else:
                ops.append(["set", [*path, key], value])
    elif isinstance(old, list) and isinstance(new, list):
        _lists(path, old, new, ops)
    elif old != new or type(old) is not type(new):
        ops.append(["set", list(path), new])


def _lists(path: tuple[str | int, ...], old: list[Json], new: list[Json], ops: list[Op]) -> None:
    gone = _scrolled(old, new)
    if gone:
        ops.append(["cut", list(path), gone])
        old = old[gone:]
    if len(new) < len(old):
        ops.append(["end", list(path), len(new)])
    for i, (a, b) in enumerate(zip(old, new, strict=False)):
        _compare((*path, i), a, b, ops)
    if len(new) > len(old):
        ops.append(["add", list(path), new[len(old) :]])


def _scrolled(old: list[Json], new: list[Json]) -> int:
    """Return the number of elements that went off the head, if the rest of ``old`` is the head of ``new``; else 0."""
    if not old or not new or old[0] == new[0]:
        return 0
    for gone in range(1, len(old)):
        rest = len(old) - gone
        if old[gone] == new[0] and rest <= len(new) and old[gone:] == new[:rest]:
            return gone
    return 0


def applied(state: Json, ops: list[Op]) -> Json:
    """Return ``state`` with a patch applied; ``state`` itself stays as it is, and shares what no operation touches.

    The page does the same in views/live.ts; this is for tests and recordings. Recordings are thousands of patches
    long, so an object is copied only once, however many of the operations touch it.

    :raises LookupError, TypeError, ValueError: the patch does not fit.
    """
    # Id → a copy made by this call, which may be changed. Keeping the copies here keeps their ids unique.
    own: dict[int, Json] = {}

    def copied(inner: Json) -> Json:
        if id(inner) in own:
            return inner
        if not isinstance(inner, dict | list):
            raise TypeError(f"expected an object or a list, but found {type(inner).__name__}")
        copy = inner.copy()
        own[id(copy)] = copy
        return copy

    for kind, path, *rest in ops:
        if not path:
            state = _changed(kind, state, *rest)
            continue
        at = state = copied(state)
        for key in path[:-1]:
            inner = copied(at[key])
            at[key] = inner
            at = inner
        key = path[-1]
        if kind == "set":
            (at[key],) = rest
        elif kind == "del":
            del at[key]
        else:
            at[key] = _changed(kind, at[key], *rest)
    return state


def _changed(kind: str, value: Json, by: Json) -> Json:
    if kind == "set":
        return by
    if not isinstance(value, list):
        raise TypeError(f"expected a list, but found {type(value).__name__}")
    if kind == "cut":
        return value[by:]
    if kind == "end":
        return value[:by]
    if kind == "add":
        return value + by
    raise ValueError(f"unknown operation: {kind!r}"[:80])
