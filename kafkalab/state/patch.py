"""Two states in plain JSON → the few changes that make the one the other: what travels to the page is what changed.

A patch is a list of operations, each a list of plain JSON, applied in order (views/patch.js does it on the page):

- ``["set", path, value]``: put a value at a path; the path of a list's element ends with its number.
- ``["del", path]``: take a key out of an object.
- ``["cut", path, n]``: take the first n elements off a list.
- ``["end", path, n]``: keep only the first n elements of a list.
- ``["add", path, elements]``: append to a list.
"""

from __future__ import annotations

from typing import Any

#: What JSON knows. Objects have strings as keys.
Json = Any
Op = list[Any]


def diff(old: Json, new: Json) -> list[Op]:
    """The operations that turn ``old`` into ``new``; none when they are equal.

    Objects are compared key by key and lists element by element; a list that scrolled (its head is gone, or more came
    at its end) is told as that. Lists whose elements moved about are told anew from the first difference on, so what is
    to move about belongs into an object, with a list of its keys beside it: an object's own order does not travel.
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
    """How many elements went off the head, if what is left of ``old`` stands at the head of ``new``; else 0."""
    if not old or not new or old[0] == new[0]:
        return 0
    for gone in range(1, len(old)):
        rest = len(old) - gone
        if old[gone] == new[0] and rest <= len(new) and old[gone:] == new[:rest]:
            return gone
    return 0


def applied(state: Json, ops: list[Op]) -> Json:
    """``state`` with a patch applied; ``state`` itself stays as it is, and what no operation touches is shared with it.

    It is the page's half, for tests, and for recordings, which are thousands of patches long: an object is copied once,
    however many of the operations are about it.

    :raises LookupError, TypeError, ValueError: the patch does not fit.
    """
    # By their ids, which stay theirs as long as they are kept here: objects of this patch alone, which may be changed.
    own: dict[int, Json] = {}

    def copied(inner: Json) -> Json:
        if id(inner) in own:
            return inner
        if not isinstance(inner, dict | list):
            raise TypeError(f"no object and no list, but {type(inner).__name__}")
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
        raise TypeError(f"no list, but {type(value).__name__}")
    if kind == "cut":
        return value[by:]
    if kind == "end":
        return value[:by]
    if kind == "add":
        return value + by
    raise ValueError(f"no operation: {kind!r}"[:80])
