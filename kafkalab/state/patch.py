"""Two states in plain JSON → the few changes that make the one the other: what travels to the page is what changed.

A patch is a list of operations, each a list of plain JSON, applied in order (static/patch.js does it on the page):

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
    """``state`` with a patch applied; ``state`` itself stays as it is. It is the page's half, for tests and replays."""
    for op in ops:
        state = _apply(state, op[1], op)
    return state


def _apply(at: Json, path: list[str | int], op: Op) -> Json:
    kind = op[0]
    if not path:
        if kind == "set":
            return op[2]
        return {"cut": lambda: at[op[2] :], "end": lambda: at[: op[2]], "add": lambda: at + op[2]}[kind]()
    if kind == "del" and len(path) == 1:
        return {key: value for key, value in at.items() if key != path[0]}
    key = path[0]
    copy = dict(at) if isinstance(at, dict) else list(at)
    inner = at.get(key) if isinstance(at, dict) else at[key]
    copy[key] = _apply(inner, path[1:], op)  # type: ignore[index]
    return copy
